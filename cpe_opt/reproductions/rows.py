"""The rows of a study as one frame: of runs of learners, or of other computations.

Runs are kept as those of every experiment (:mod:`cpe_opt.experiments.planning`). Another
computation is a list of tasks: each is a function call that returns rows, and a file in the folder
``NAME-rows``, so that a study that was killed goes on with the tasks that have none. A file is
named by a digest of the task's arguments, of its function and of this package.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cpe_opt.errors import InputError
from cpe_opt.experiments.engine import play
from cpe_opt.experiments.parallel import in_parallel
from cpe_opt.experiments.planning import LearnerSpec, Series, plan_series
from cpe_opt.experiments.results import read_series
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.files import atomic_write, json_default
from cpe_opt.fingerprint import fingerprint, source_digest
from cpe_opt.problems.problem import Problem
from cpe_opt.reproductions.study import Settings

if TYPE_CHECKING:
    import pandas as pd

Rows: TypeAlias = list[dict[str, Any]]


@dataclass(frozen=True, eq=False)
class LearnerRuns:
    """A learner on a problem: one row per run."""

    columns: Mapping[str, Any]  # that all of its rows share
    learner: LearnerSpec
    problem: Problem
    runs: int
    judge: Callable[[Any], Mapping[str, Any]]  # the columns that depend on the answer


def rows_of_runs(
    lines: Sequence[LearnerRuns], settings: Settings, order: list[str]
) -> pd.DataFrame:
    """Every run of every line, with ``seed, samples, seconds``; also written to ``NAME.parquet``.

    Runs end when their learner stops. ``order`` lists the columns to sort by.
    """
    planned = [
        planned_series(line.learner, line.problem, line.runs, None, settings) for line in lines
    ]
    play_longest_first(planned, settings)
    rows: Rows = []
    for line, series in zip(lines, planned, strict=True):
        for run in read_runs(series).to_dict("records"):
            answer = tuple(run["answer"]) if isinstance(run["answer"], list) else run["answer"]
            measured = {name: run[name] for name in ("seed", "samples", "seconds")}
            rows.append({**line.columns, **measured, **line.judge(answer)})
    return _written(rows, settings, order)


def planned_series(
    learner: LearnerSpec,
    problem: Problem,
    runs: int,
    horizon: int | None,
    settings: Settings,
    regret: str | None = None,
) -> Series:
    """The runs of one learner on one problem, kept in the folder of results."""
    (series,) = plan_series(
        [learner],
        [problem],
        runs=runs,
        horizon=horizon,
        seed=settings.seed,
        out=settings.out / "runs",
        regret=regret,
    )
    return series


def play_longest_first(planned: Iterable[Series], settings: Settings) -> None:
    """Make all runs, the longest first, so that no worker is left with one at the end."""
    # Tables may share a series; the one with the most runs has those of the others.
    by_folder = {each.folder: each for each in sorted(planned, key=lambda each: each.runs)}
    ordered = sorted(
        by_folder.values(),
        key=lambda each: (each.horizon or 0, len(each.problem.labels)),
        reverse=True,
    )
    play(ordered, jobs=settings.jobs, progress=settings.progress)


def read_runs(series: Series, *, curves: bool = False) -> pd.DataFrame:
    """One row per run, as of :func:`cpe_opt.experiments.results.read_series`."""
    assert series.folder is not None
    return read_series(series.folder, series.runs, curves=curves)


def rows_in_parallel(
    function: Callable[..., Rows],
    tasks: Sequence[tuple[Any, ...]],
    settings: Settings,
    order: list[str],
) -> pd.DataFrame:
    """The rows of all tasks as a frame, also written to ``NAME.parquet``.

    ``function`` takes a task's entries, which are all that decides its rows, and returns these:
    numbers and texts alone. ``order`` lists the columns to sort by.
    """
    folder, code = settings.file("-rows"), fingerprint((source_digest(), function))
    files = {folder / f"{fingerprint((code, task))}.json": task for task in tasks}
    calls = [(file, function, task) for file, task in files.items() if not file.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    ended = len(files) - len(calls)
    for _ in in_parallel(_write_rows, calls, jobs=settings.jobs):
        ended += 1
        if settings.progress is not None:
            settings.progress(ended, len(files))
    return _written([row for file in files for row in _read_rows(file)], settings, order)


def _write_rows(file: Path, function: Callable[..., Rows], task: tuple[Any, ...]) -> None:
    with atomic_write(file) as temporary:
        temporary.write_text(json.dumps(function(*task), default=json_default), encoding="utf-8")


def _read_rows(file: Path) -> Rows:
    try:
        return [dict(row) for row in json.loads(file.read_bytes())]
    except (TypeError, ValueError):
        raise InputError(
            f"{file} holds no rows of results; delete it, and its task is run again"
        ) from None


def _written(rows: Rows, settings: Settings, order: list[str]) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame(rows).sort_values(order, ignore_index=True)
    write_parquet(frame, settings.file(".parquet"))
    return frame
