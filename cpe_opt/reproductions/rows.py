"""The rows of a study as one frame: of runs of learners, or of other computations.

Runs are kept as those of every experiment (:mod:`cpe_opt.experiments.planning`). Another
computation is a list of tasks: each is a function call that returns rows, and one line of
``NAME-rows.jsonl``, written to the disk before the next one. A study that was killed goes on with
the tasks that have no line: an incomplete last line is dropped, any other damaged line is an
error. A task is identified by a digest of its arguments, of its function and of this package.
"""

from __future__ import annotations

import json
import os
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
from cpe_opt.files import json_default
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

    Parameters
    ----------
    function : callable
        Takes a task's entries and returns its rows; numbers and texts alone.
    tasks : sequence of tuples
        Everything that decides the rows.
    settings : Settings
    order : list of str
        The columns to sort by.
    """
    journal = settings.file("-rows.jsonl")
    known = _noted(journal)
    code = fingerprint((source_digest(), function))
    keyed = {fingerprint((code, task)): task for task in tasks}
    calls = [(key, function, task) for key, task in keyed.items() if key not in known]
    ended = len(keyed) - len(calls)
    journal.parent.mkdir(parents=True, exist_ok=True)
    with journal.open("ab", buffering=0) as file:
        for line in in_parallel(_line, calls, jobs=settings.jobs):
            file.write(line.encode() + b"\n")
            os.fsync(file.fileno())
            entry = json.loads(line)
            known[entry["task"]] = entry["rows"]
            ended += 1
            if settings.progress is not None:
                settings.progress(ended, len(keyed))
    return _written([row for key in keyed for row in known[key]], settings, order)


def _written(rows: Rows, settings: Settings, order: list[str]) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame(rows).sort_values(order, ignore_index=True)
    write_parquet(frame, settings.file(".parquet"))
    return frame


def _noted(path: Path) -> dict[str, Rows]:
    """Rows by the digest of their task; a last line without an end is cut off the file.

    Raises
    ------
    InputError
        With the number of a line that is no task's.
    """
    rows: dict[str, Rows] = {}
    if not path.exists():
        return rows
    *lines, torn = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            rows[str(entry["task"])] = [dict(row) for row in entry["rows"]]
        except (KeyError, TypeError, ValueError):
            raise InputError(
                f"{path}, line {number} is no line of results: {_beginning(line)}; delete the "
                "line, and its task is run again"
            ) from None
    if torn:
        os.truncate(path, path.stat().st_size - len(torn))
    return rows


def _beginning(line: bytes, length: int = 40) -> str:
    text = line[:length].decode("utf-8", "backslashreplace")
    return repr(text) + ("…" if len(line) > length else "")


def _line(key: str, function: Callable[..., Rows], task: tuple[Any, ...]) -> str:
    return json.dumps({"task": key, "rows": function(*task)}, default=json_default)
