"""Many short runs: what an experiment costs beside its learner, and what survives SIGKILL.

    python -m tests.benchmarks.many_runs [--runs 100000] [--kills 3] [--jobs 2]

A learner that computes for a millisecond of processor time a run, so that a busy machine makes it
no cheaper; one experiment without interruption, and one whose processes are all killed on the way.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cpe_opt as cpe
from cpe_opt.experiments.results import read_results
from cpe_opt.experiments.shards import SHARD
from tests.benchmarks.settings import children_seconds

MILLISECOND = 1e-3
SETTINGS = {"horizon": 1000, "seed": 0}  # of which regret is noted at about 150 rounds


def one_millisecond(arms, *, rng):
    """Compute for a millisecond of processor time, and duel twice."""
    end = time.thread_time() + MILLISECOND
    while time.thread_time() < end:
        pass
    won = yield cpe.Duel(0, 1, 400)
    yield cpe.Duel(0, 1, 400)
    return int(won < 200)


def nothing(arms, *, rng):
    """Duel twice."""
    won = yield cpe.Duel(0, 1, 400)
    yield cpe.Duel(0, 1, 400)
    return int(won < 200)


LEARNERS = {each.__name__: each for each in (one_millisecond, nothing)}


def experiment(name, out, runs, jobs):
    return cpe.run_experiment([LEARNERS[name]], ["gap"], runs=runs, jobs=jobs, out=out, **SETTINGS)


def in_a_process(name, out, runs, jobs):
    """The experiment in a process group of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.many_runs", "--play", name]
    command += ["--out", str(out), "--runs", str(runs), "--jobs", str(jobs)]
    return subprocess.Popen(command, start_new_session=True)


def finished_in(folder):
    """How many runs have results, by the names of files, those twice there counted twice."""
    ends = [map(int, p.stem.split("-")[1:]) for p in files_of(folder)]
    return sum(last - first + 1 for first, last in ends)


def files_of(folder):
    """The files of finished runs."""
    return list(Path(folder).rglob("runs-*.parquet"))


def rows_of(folder):
    """All that is kept but wall-clock times."""
    return read_results(folder, curves=True).drop(columns="seconds").astype(str)


def measure(runs=100_000, kills=3, jobs=2):
    """Seconds of both experiments, and whether their rows are the same.

    ``wall`` and ``processor`` are seconds of the experiment that is not killed, start of its
    processes included; ``killed_wall`` those of the other, all its starts included.
    ``overhead_ms`` is what a run of a learner that computes nothing costs, one process.
    """
    with tempfile.TemporaryDirectory() as folder:
        whole, killed, empty = (Path(folder) / name for name in ("whole", "killed", "empty"))
        before, started = children_seconds(), time.perf_counter()
        if in_a_process("one_millisecond", whole, runs, jobs).wait():
            raise RuntimeError("the experiment failed")
        wall, processor = time.perf_counter() - started, children_seconds() - before
        started, stopped = time.perf_counter(), []
        for kill in range(1, kills + 1):
            process = in_a_process("one_millisecond", killed, runs, jobs)
            while process.poll() is None and finished_in(killed) < runs * kill / (kills + 1):
                time.sleep(0.05)
            os.killpg(process.pid, signal.SIGKILL)
            if process.wait() != -signal.SIGKILL:
                raise RuntimeError("the experiment ended before it was killed")
            stopped.append(finished_in(killed))
        if in_a_process("one_millisecond", killed, runs, jobs).wait():
            raise RuntimeError("the experiment failed")
        killed_wall = time.perf_counter() - started
        few = min(runs, 10 * SHARD)
        spent = time.process_time()
        experiment("nothing", empty, few, 1)
        files = files_of(whole)
        return {
            "runs": runs,
            "jobs": jobs,
            "wall": wall,
            "processor": processor,
            "killed_wall": killed_wall,
            "killed_at": stopped,
            "same": rows_of(whole).equals(rows_of(killed)),
            "files": len(files),
            "megabytes": sum(path.stat().st_size for path in files) / 1e6,
            "overhead_ms": 1e3 * (time.process_time() - spent) / few,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--play", choices=LEARNERS, help=argparse.SUPPRESS)
    parser.add_argument("--out", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.play:
        experiment(chosen.play, chosen.out, chosen.runs, chosen.jobs)
    else:
        print(json.dumps(measure(chosen.runs, chosen.kills, chosen.jobs), indent=2))


if __name__ == "__main__":
    main()
