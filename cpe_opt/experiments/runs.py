"""Many seeded runs of a learner on a problem, in parallel, and their tables.

Runs are independent: run k of seed s is the same run whatever the number of workers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.experiments.parallel import check_jobs, in_parallel
from cpe_opt.files import atomic_write
from cpe_opt.learners.queries import Learner
from cpe_opt.problems.problem import Problem
from cpe_opt.simulation.driver import Trace, checked_learner, simulate
from cpe_opt.validation import checked_count, checked_types

if TYPE_CHECKING:
    import pandas as pd

TABLES = (".parquet", ".csv")


@checked_types
def run_many(
    learner: str | Callable[..., Learner],
    problem: Problem,
    *,
    horizon: int | None,
    runs: int = 10,
    seed: int = 0,
    jobs: int = -1,
    regret: str | None = None,
    progress: Callable[[Trace], None] | None = None,
    **parameters: Any,
) -> list[Trace]:
    """Simulate ``runs`` independent runs.

    Parameters
    ----------
    learner, problem, horizon, regret, **parameters
        As for :func:`cpe_opt.simulate`.
    runs : int
    seed : int
        Of the whole experiment; each run gets a seed of its own from it.
    jobs : int
        Worker processes; -1 for one a core, 1 for none beside this one.
    progress : callable, optional
        Called with each trace as it arrives, in any order.

    Returns
    -------
    list of Trace
        In the order of the runs.
    """
    checked_count("runs", runs)
    checked_count("seed", seed, least=0)
    checked_learner(learner, problem, parameters, horizon)
    check_jobs(jobs)

    # One round here, so that a bad argument is answered before any worker starts.
    simulate(learner, problem, horizon=1, regret=regret, **parameters)

    def one(number: int, run_seed: int) -> tuple[int, Trace]:
        trace = simulate(
            learner, problem, horizon=horizon, seed=run_seed, regret=regret, **parameters
        )
        return number, trace

    tasks = list(enumerate(run_seeds(seed, runs)))
    traces: dict[int, Trace] = {}
    for number, trace in in_parallel(one, tasks, jobs=jobs):
        traces[number] = trace
        if progress is not None:
            progress(trace)
    return [traces[number] for number in range(runs)]


def run_seeds(seed: int, runs: int) -> list[int]:
    """One seed a run; the first ones do not depend on how many there are."""
    return [int(child.generate_state(1)[0]) for child in np.random.SeedSequence(seed).spawn(runs)]


@dataclass(frozen=True, eq=False)
class RegretCurve:
    """Regret over time, summarised over runs.

    Attributes
    ----------
    time : int array, shape (points,)
    mean, low, high : float arrays, shape (points,)
        Mean and the 10 % and 90 % quantiles over runs.
    runs : int
    """

    time: IntArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    runs: int


def regret_curve(traces: Sequence[Trace]) -> RegretCurve:
    """Summarise traces, see :func:`summarise`."""
    return summarise([trace.time for trace in traces], [trace.regret for trace in traces])


def summarise(times: Sequence[IntArray], regrets: Sequence[FloatArray]) -> RegretCurve:
    """Summarise regrets over runs, one array of rounds and one of regrets a run.

    Where the rounds noted differ, as they do when learners stop by themselves, all rounds noted by
    any run count, and regret in between is interpolated; a run that has stopped has no more regret.
    """
    if not times:
        raise InputError("no traces to summarise")
    if any(not np.array_equal(time, times[0]) for time in times):
        grid = np.unique(np.concatenate(times))
        pairs = zip(times, regrets, strict=True)
        return summarise([grid] * len(times), [np.interp(grid, *pair) for pair in pairs])
    values = np.array(regrets)
    low, high = np.quantile(values, [0.1, 0.9], axis=0)
    return RegretCurve(times[0], values.mean(axis=0), low, high, len(values))


def traces_frame(traces: Sequence[Trace]) -> pd.DataFrame:
    """One row a run and round noted: learner, problem, run, seed, time, regret, units."""
    import pandas as pd

    return pd.concat(
        [
            pd.DataFrame(
                {
                    "learner": trace.learner,
                    "problem": trace.problem,
                    "run": run,
                    "seed": trace.seed,
                    "time": trace.time,
                    "regret": trace.regret,
                    "units": trace.units,
                }
            )
            for run, trace in enumerate(traces)
        ],
        ignore_index=True,
    )


def write_table(frame: pd.DataFrame, path: str | os.PathLike[str]) -> Path:
    """Write a frame as its suffix says, one of ``TABLES``, whole or not at all."""
    path = Path(path)
    if path.suffix.lower() not in TABLES:
        raise InputError(f"cannot write {path.name!r}: expected one of {', '.join(TABLES)}")
    if path.suffix.lower() == ".parquet":
        return write_parquet(frame, path)
    with atomic_write(path) as temporary:
        frame.to_csv(temporary, index=False)
    return path


def write_parquet(frame: pd.DataFrame, path: str | os.PathLike[str]) -> Path:
    """Write a frame, whole or not at all."""
    path = Path(path)
    with atomic_write(path) as temporary:
        frame.to_parquet(temporary, index=False)
    return path
