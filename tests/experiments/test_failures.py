"""A run that fails is named, the others finish, and what is missing is made later."""

import os
import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import WorkerDied
from cpe_opt.experiments.engine import RunsFailed, run_many
from cpe_opt.experiments.results import read_results

GAP = cpe.load_instance("gap")
RUNS, SEED = 40, 3


def flaky_learner(flag):
    """A learner that raises in some runs, by its random number, while a file exists."""

    def flaky(arms, *, rng):
        won = yield cpe.Duel(0, 1)
        if rng.random() < 0.1 and Path(flag).exists():
            raise ZeroDivisionError("of the learner")
        return 1 - won

    return flaky


def failing_runs():
    """Which runs those are."""
    numbers = []

    def watched(arms, *, rng):
        yield cpe.Duel(0, 1)
        numbers.append(rng.random())
        return 0

    run_many(watched, GAP, horizon=9, runs=RUNS, seed=SEED, jobs=1)
    return [run for run, number in enumerate(numbers[-RUNS:]) if number < 0.1]


@pytest.fixture
def flag(tmp_path):
    path = tmp_path / "flag"
    path.touch()
    return path


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_other_runs_finish_and_the_missing_ones_are_made_later(tmp_path, flag, jobs):
    learner = flaky_learner(str(flag))
    where = {"out": tmp_path / "results", "jobs": jobs}
    plan = {"runs": RUNS, "horizon": 9, "seed": SEED}
    seen = []
    with pytest.raises(RunsFailed) as failed:
        cpe.run_experiment(
            [learner, "random-pairs"], [GAP], **plan, **where, progress=lambda *n: seen.append(n)
        )
    error, missing = failed.value, failing_runs()
    assert 1 < len(missing) < 10
    assert [failure.run for failure in error.failures] == missing
    assert error.finished == 2 * RUNS - len(missing)
    assert seen[-1] == (2 * RUNS, 2 * RUNS)
    first = error.failures[0]
    assert (first.learner, first.problem) == ("flaky", "gap")
    assert first.error == "ZeroDivisionError: of the learner"
    assert "in flaky" in first.traceback
    assert first.traceback in error.__notes__
    assert str(error).startswith(
        f"{len(missing)} of 80 runs failed; the first of them is flaky on gap, run {missing[0]} "
        f"(seed {first.seed}): ZeroDivisionError: of the learner; "
    )
    assert "the same experiment makes the missing ones" in str(error)
    with pytest.raises(ZeroDivisionError):
        cpe.simulate(learner, GAP, horizon=9, seed=first.seed)
    kept = read_results(tmp_path / "results")
    assert len(kept) == 2 * RUNS - len(missing)
    assert sorted(kept[kept.learner == "flaky"].run) == sorted(set(range(RUNS)) - set(missing))

    flag.unlink()
    seen.clear()
    frame = cpe.run_experiment(
        [learner, "random-pairs"], [GAP], **plan, **where, progress=lambda *n: seen.append(n)
    )
    assert seen[0] == (2 * RUNS - len(missing), 2 * RUNS)
    assert frame.runs.tolist() == [RUNS, RUNS]


def test_traces_in_memory_are_those_of_the_other_runs(flag):
    learner = flaky_learner(str(flag))
    with pytest.raises(RunsFailed) as failed:
        run_many(learner, GAP, horizon=9, runs=RUNS, seed=SEED, jobs=1)
    flag.unlink()
    every = run_many(learner, GAP, horizon=9, runs=RUNS, seed=SEED, jobs=1)
    missing = failing_runs()
    (traces,) = failed.value.traces
    assert [trace.seed for trace in traces] == [
        trace.seed for run, trace in enumerate(every) if run not in missing
    ]
    assert [failure.seed for failure in failed.value.failures] == [
        every[run].seed for run in missing
    ]
    assert "kept in" not in str(failed.value)
    again = pickle.loads(pickle.dumps(failed.value))
    assert (str(again), again.failures) == (str(failed.value), failed.value.failures)


class Stubborn(Exception):
    """An error that cannot be sent to another process."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")
        self.lock = threading.Lock()

    def __reduce__(self):
        raise TypeError("cannot be sent")


@pytest.mark.parametrize("error", [SystemExit(3), RecursionError("deep"), MemoryError(), Stubborn])
def test_errors_of_all_kinds_are_named(error):
    def raises(arms, *, rng):
        yield cpe.Duel(0, 1)
        raise Stubborn("one", "two") if error is Stubborn else error

    with pytest.raises(RunsFailed) as failed:
        run_many(raises, GAP, horizon=9, runs=2, jobs=2)
    assert len(failed.value.failures) == 2
    kind = error if isinstance(error, type) else type(error)
    assert failed.value.failures[0].error.startswith(kind.__name__)


def test_a_worker_that_dies_is_an_error_in_words():
    def deadly(arms, *, rng, here=os.getpid()):  # noqa: B008
        yield cpe.Duel(0, 1)
        yield cpe.Duel(0, 1)
        if os.getpid() != here:
            os._exit(1)
        return 0

    with pytest.raises(WorkerDied, match="a worker process was ended from outside or crashed"):
        run_many(deadly, GAP, horizon=9, runs=4, jobs=2)
    assert len(run_many("random-pairs", GAP, horizon=np.int64(9), runs=2, jobs=2)) == 2


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is of POSIX")
def test_workers_end_with_a_process_that_is_killed():
    script = """
import os
from cpe_opt.experiments.parallel import in_parallel

def endless():
    os.write(1, b"%d\\n" % os.getpid())
    while True:
        pass

list(in_parallel(endless, [(), ()], jobs=2))
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    workers = {int(process.stdout.readline()) for _ in range(2)}
    assert len(workers - {process.pid}) == 2
    process.kill()
    try:
        process.communicate(timeout=100)  # until nobody has this end of the pipe
    except subprocess.TimeoutExpired:
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        process.communicate()
        pytest.fail("the workers live on")
