"""The rows of a study: each task is a function call that returns rows, all rows are one frame.

Every finished task is one line of ``NAME-rows.jsonl``, written to the disk before the next one. A
study that was killed goes on with the tasks that have no line: an incomplete last line is dropped,
any other damaged line is an error. A task is identified by a digest of its arguments, of its
function and of the source of this package.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cpe_opt.errors import InputError
from cpe_opt.experiments.parallel import in_parallel
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.files import json_default
from cpe_opt.fingerprint import fingerprint, source_digest
from cpe_opt.reproductions.study import Settings

if TYPE_CHECKING:
    import pandas as pd

Rows: TypeAlias = list[dict[str, Any]]


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
    import pandas as pd

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
    frame = pd.DataFrame([row for key in keyed for row in known[key]])
    frame = frame.sort_values(order, ignore_index=True)
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
