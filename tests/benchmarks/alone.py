"""A task in a process of its own: its processor seconds, its peak memory, and a limit on both.

    python -m tests.benchmarks.alone '{"task": "play", "arguments": {…}, "limit": 60}'

The limit is one of processor seconds; at the limit the task reports what it has.
"""

import contextlib
import io
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.problems.generators import bradley_terry
from tests.benchmarks import instances

_GRACE = 5  # seconds between the limit and the end of the process, for a solver that does not stop
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class OutOfTimeError(Exception):
    """The limit was reached."""


def instance_of(name, arms=None):
    """One of the package's instances, or one of the functions of ``instances``."""
    return cpe.load_instance(name) if arms is None else getattr(instances, name)(arms)


def play(report, learner, instance, horizon, seeds, arms=None):
    """Runs of a learner; reports seconds and regret of each."""
    problem = instance_of(instance, arms)
    cpe.simulate(learner, problem, horizon=min(30, horizon))
    report |= {"seconds": [], "regret": [], "seeds": seeds}
    for seed in range(seeds):
        started = time.process_time()
        trace = cpe.simulate(learner, problem, horizon=horizon, seed=seed)
        report["seconds"].append(time.process_time() - started)
        report["regret"].append(float(trace.regret[-1]))


def identify(report, learner, arms, seeds, delta):
    """Runs to a proof with normal strengths; reports seconds, duels and whether each is right."""
    mu = bradley_terry(arms, seed=3, nested=True)
    report |= {"seconds": [], "duels": [], "right": [], "seeds": seeds}
    for seed in range(seeds):
        started = time.process_time()
        trace = cpe.simulate(learner, mu, delta=delta, seed=seed)
        report["seconds"].append(time.process_time() - started)
        report["duels"].append(trace.samples)
        report["right"].append(trace.answer in mu.copeland_winners)


def command(report, line):
    """A command line of ``cpe-opt``; reports seconds, those of loading what it needs included."""
    started = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        app(line)
    report["seconds"] = [time.process_time() - started]


TASKS = {"play": play, "identify": identify, "command": command}


def measured(task, arguments, limit=None):
    """What the task reports, in this process, with its peak memory in MB."""
    report = {}
    # On a new machine to import, and so to compile, takes longer than a small limit.
    cpe.simulate("random-pairs", instance_of("gap"), horizon=10)

    def stop(*_):
        raise OutOfTimeError

    if limit is not None:
        signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, limit)
        spent = int(time.process_time() + limit) + _GRACE
        resource.setrlimit(resource.RLIMIT_CPU, (spent, spent))
    with contextlib.suppress(OutOfTimeError):
        TASKS[task](report, **arguments)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return report | {"memory": peak_memory()}


def mean_seconds(report):
    """Of the runs of a report; None where a limit ended one."""
    spent = report.get("seconds", ())
    return statistics.mean(spent) if len(spent) == report.get("seeds", 1) else None


def peak_memory():
    """Of this program alone, in MB; ``getrusage`` may count the one that it was started by."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def alone(task, arguments, limit):
    """What the task reports in a process of its own with one BLAS thread; empty if it was ended."""
    order = json.dumps({"task": task, "arguments": arguments, "limit": limit})
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.alone", order],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | _ONE_THREAD,
    )
    if done.returncode == 0:
        return json.loads(done.stdout)
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return {}
    raise RuntimeError(done.stderr)


if __name__ == "__main__":
    print(json.dumps(measured(**json.loads(sys.argv[1]))))
