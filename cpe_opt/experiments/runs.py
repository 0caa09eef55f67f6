"""Seeds of runs, their regret over time, and tables of their traces."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write
from cpe_opt.simulation.driver import Trace

if TYPE_CHECKING:
    import pandas as pd

TABLES = (".parquet", ".csv")
_MOST_POINTS = 1000  # of a curve; runs that stop by themselves note as many rounds as they are


def run_seeds(seed: int, runs: int) -> list[int]:
    """One seed a run; the first ones do not depend on how many there are."""
    return [run_seed(seed, number) for number in range(runs)]


def run_seed(seed: int, number: int) -> int:
    """The seed of run ``number``, from 0 on."""
    return int(np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(1)[0])


@dataclass(frozen=True, eq=False)
class RegretCurve:
    """Regret over time: at some rounds the mean, and the 10 % and 90 % quantiles over runs."""

    time: IntArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    runs: int


def regret_curve(traces: Sequence[Trace[Any]]) -> RegretCurve:
    """Summarise traces, see :func:`summarise`."""
    return summarise([trace.time for trace in traces], [trace.regret for trace in traces])


def summarise(times: Sequence[IntArray], regrets: Sequence[FloatArray]) -> RegretCurve:
    """Summarise regrets over runs, one array of rounds and one of regrets a run.

    Where the rounds noted differ, as they do when learners stop by themselves, all rounds noted by
    any run count, some thousand of them where they are more, and regret in between is interpolated;
    a run that has stopped has no more regret.
    """
    if not times:
        raise InputError("no traces to summarise")
    if any(not np.array_equal(time, times[0]) for time in times):
        grid = np.unique(np.concatenate(times))
        if len(grid) > _MOST_POINTS:
            grid = grid[np.linspace(0, len(grid) - 1, _MOST_POINTS).astype(np.int64)]
        pairs = zip(times, regrets, strict=True)
        return summarise([grid] * len(times), [np.interp(grid, *pair) for pair in pairs])
    values = np.array(regrets)
    mean = values.mean(axis=0)
    low, high = np.quantile(values, [0.1, 0.9], axis=0, overwrite_input=True)
    return RegretCurve(times[0], mean, low, high, len(values))


def traces_frame(traces: Sequence[Trace[Any]]) -> pd.DataFrame:
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
    with atomic_write(path) as temporary, temporary.open("wb") as data:
        if path.suffix.lower() == ".parquet":
            frame.to_parquet(data, index=False)
        else:
            frame.to_csv(data, index=False)
    return path
