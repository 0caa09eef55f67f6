"""Finished runs as tables: written as one row per run, read as one frame, and summarised."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.experiments import shards
from cpe_opt.experiments.planning import Series
from cpe_opt.files import json_default
from cpe_opt.learners.declaration import name_of
from cpe_opt.simulation.driver import Trace
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

SERIES = "cpe_opt_series"  # the attribute of a table that lists the series it summarises
CURVES = ("times", "regrets")
_UPPER = 0.975  # the quantile at the upper end of a 95 % interval

Groups: TypeAlias = "dict[tuple[str, str], pd.DataFrame]"


def results_table(series: Series, first: int, traces: Sequence[Trace[Any]]) -> pa.Table:
    """The results of consecutive runs of a series as they are kept, see :func:`read_results`."""
    import pyarrow as pa

    def lists(arrays: Sequence[Any], kind: pa.DataType) -> pa.Array:
        ends = np.cumsum([0, *map(len, arrays)], dtype=np.int32)
        return pa.ListArray.from_arrays(pa.array(ends), pa.array(np.concatenate(arrays), kind))

    def texts(values: Sequence[Any]) -> pa.Array:
        return pa.array([json.dumps(each, default=_plain) for each in values], pa.string())

    count = len(traces)
    return pa.table(
        {
            "problem": pa.repeat(series.problem.name, count),
            "learner": pa.repeat(series.spec.name, count),
            "parameters": texts([trace.parameters for trace in traces]),
            "horizon": pa.array([series.horizon] * count, pa.int64()),
            "digest": pa.repeat(series.digest, count),
            "run": pa.array(range(first, first + count), pa.int64()),
            "seed": pa.array([trace.seed for trace in traces], pa.int64()),
            "units": pa.array([trace.units for trace in traces], pa.string()),
            "regret": pa.array(
                [t.regret[-1] if len(t.regret) else 0.0 for t in traces], pa.float64()
            ),
            "answer": texts([trace.answer for trace in traces]),
            "doubt": pa.array([trace.doubt for trace in traces], pa.string()),
            "assumption": pa.array([trace.assumption for trace in traces], pa.string()),
            "rounds": pa.array([trace.rounds for trace in traces], pa.int64()),
            "samples": pa.array([trace.samples for trace in traces], pa.int64()),
            "queries": pa.array([trace.queries for trace in traces], pa.int64()),
            "seconds": pa.array([trace.seconds for trace in traces], pa.float64()),
            "times": lists([trace.time for trace in traces], pa.int64()),
            "regrets": lists([trace.regret for trace in traces], pa.float64()),
        }
    )


def _plain(value: Any) -> Any:
    """A value that JSON lacks, as one that it has and that is the same in every process."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    return name_of(value) if callable(value) else json_default(value)


@checked_types
def read_results(folder: str | os.PathLike[str], *, curves: bool = False) -> pd.DataFrame:
    """All finished runs in a folder as one frame.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = cpe.run_experiment(["rucb"], ["gap"], runs=3, horizon=100, jobs=1, out=folder)
    ...     frame = read_results(folder)
    >>> frame[["learner", "run", "rounds"]].values.tolist()
    [['rucb', 0, 100], ['rucb', 1, 100], ['rucb', 2, 100]]
    """
    import pandas as pd

    folders = shards.series_folders(Path(folder))
    if not folders:
        raise InputError(
            f"no finished runs in {os.fspath(folder)!r}, expected the folder of an experiment"
        )
    frames = [read_series(each, curves=curves) for each in folders]
    return pd.concat(frames, ignore_index=True)


def read_series(folder: Path, runs: int | None = None, *, curves: bool = False) -> pd.DataFrame:
    """The first runs of a series, or all that are there; a frame as of :func:`read_results`."""
    table = shards.read(folder, runs, without=() if curves else CURVES)
    frame: pd.DataFrame = table.to_pandas()
    frame["answer"] = [json.loads(text) for text in frame["answer"]]
    frame["parameters"] = [json.loads(text) for text in frame["parameters"]]
    return frame


def read_groups(planned: Sequence[Series], *, curves: bool = False) -> Groups:
    """The finished runs of series, by problem and learner."""
    return {
        (series.problem.name, series.spec.name): read_series(
            series.folder, series.runs, curves=curves
        )
        for series in planned
        if series.folder is not None
    }


def summary_frame(groups: Groups) -> pd.DataFrame:
    """Summarise finished runs, one row an instance and learner.

    Columns: ``problem, learner, runs, horizon, units``; final regret (or samples, where ``units``
    says so) as ``mean, sd, q10, median, q90`` and the 95 % interval of the mean by Student's t,
    ``low, high``; ``samples`` and ``seconds`` of wall-clock time, means over runs; ``answers``, the
    answers given and how often.
    """
    import pandas as pd
    from scipy.special import stdtrit

    rows = []
    for (problem, label), runs in groups.items():
        final, units = finals(runs)
        sd = float(final.std(ddof=1)) if len(final) > 1 else 0.0
        band = float(stdtrit(max(1, len(final) - 1), _UPPER)) * sd / math.sqrt(len(final))
        q10, median, q90 = np.quantile(final, [0.1, 0.5, 0.9])
        answers = runs["answer"].map(str).value_counts()
        rows.append(
            {
                "problem": problem,
                "learner": label,
                "runs": len(runs),
                "horizon": int(runs["rounds"].max()),
                "units": units,
                "mean": float(final.mean()),
                "sd": sd,
                "q10": float(q10),
                "median": float(median),
                "q90": float(q90),
                "low": float(final.mean() - band),
                "high": float(final.mean() + band),
                "samples": float(runs["samples"].mean()),
                "seconds": float(runs["seconds"].mean()),
                "answers": {str(answer): int(answers[answer]) for answer in sorted(answers.index)},
            }
        )
    return pd.DataFrame(rows)


def finals(runs: pd.DataFrame) -> tuple[FloatArray, str]:
    """Regret at the end of each run and its units; samples where a problem has no regret."""
    units = str(runs["units"].iloc[0])
    if not units:
        return runs["samples"].to_numpy(dtype=np.float64), "samples"
    return runs["regret"].to_numpy(dtype=np.float64), units


def finished_runs(table: pd.DataFrame, *, curves: bool = False) -> Groups:
    """The runs that a table of ``run_experiment`` summarises, by problem and learner."""
    listed = getattr(table, "attrs", {}).get(SERIES)
    if listed is None:
        raise InputError("the table names no files of runs, expected that of run_experiment")
    return {
        (problem, label): read_series(Path(folder), runs, curves=curves)
        for problem, label, folder, runs in listed
    }


def regret_curves(table: pd.DataFrame) -> dict[str, dict[str, RegretCurve]]:
    """Regret over time by problem, then by learner, for :func:`cpe_opt.plot_regret`.

    The table is that of :func:`cpe_opt.run_experiment`; problems without regret are left out.
    """
    found: dict[str, dict[str, RegretCurve]] = {}
    for (problem, label), runs in finished_runs(table, curves=True).items():
        if runs["units"].iloc[0]:
            found.setdefault(problem, {})[label] = curve_of(runs)
    return found


def curve_of(runs: pd.DataFrame) -> RegretCurve:
    """Regret over time, summarised over runs that were read with their curves."""
    return summarise(list(runs["times"]), list(runs["regrets"]))


def run_samples(table: pd.DataFrame) -> dict[str, dict[str, list[int]]]:
    """Duels or pulls of each run, by problem and learner."""
    found: dict[str, dict[str, list[int]]] = {}
    for (problem, label), runs in finished_runs(table).items():
        found.setdefault(problem, {})[label] = runs["samples"].tolist()
    return found


# Regret over time

_MOST_POINTS = 1000  # of a curve; runs that stop by themselves note as many rounds as they are


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
