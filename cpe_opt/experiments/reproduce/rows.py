"""The rows of a study, task by task, as one frame.

Rows are noted in ``NAME-rows.jsonl`` as tasks end, under a digest of the task: a study that was
killed, at whatever moment, goes on with the tasks that are not there. A torn last line is one of
those.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cpe_opt import __version__
from cpe_opt.experiments.parallel import in_parallel
from cpe_opt.experiments.reproduce.settings import Settings
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.files import plain

if TYPE_CHECKING:
    import pandas as pd

Rows: TypeAlias = list[dict[str, Any]]


def rows_in_parallel(
    function: Callable[..., Rows],
    tasks: Sequence[tuple[Any, ...]],
    settings: Settings,
    order: list[str],
) -> pd.DataFrame:
    """The rows of all tasks as a frame, written beside the page.

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
    import pandas as pd

    journal = settings.file("-rows.jsonl")
    known = _noted(journal)
    keyed = {_digest(function, task): task for task in tasks}
    calls = [(key, function, task) for key, task in keyed.items() if key not in known]
    ended = len(keyed) - len(calls)
    journal.parent.mkdir(parents=True, exist_ok=True)
    with journal.open("a", encoding="utf-8") as file:
        for line in in_parallel(_line, calls, jobs=settings.jobs):
            # The break comes first, so that it ends a torn line, too.
            file.write("\n" + line)
            file.flush()
            ended += 1
            if settings.progress is not None:
                settings.progress(ended, len(keyed))
    known = _noted(journal)
    frame = pd.DataFrame([row for key in keyed for row in known[key]])
    frame = frame.sort_values(order, ignore_index=True)
    write_parquet(frame, settings.file(".parquet"))
    return frame


def _digest(function: Callable[..., Rows], task: tuple[Any, ...]) -> str:
    import joblib

    return str(joblib.hash((__version__, function.__module__, function.__qualname__, task)))


def _noted(path: Path) -> dict[str, Rows]:
    """Rows by the digest of their task; lines that are not whole are passed over."""
    rows: dict[str, Rows] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            with suppress(ValueError):
                entry = json.loads(line)
                rows[entry["task"]] = entry["rows"]
    return rows


def _line(key: str, function: Callable[..., Rows], task: tuple[Any, ...]) -> str:
    return json.dumps({"task": key, "rows": function(*task)}, default=plain)
