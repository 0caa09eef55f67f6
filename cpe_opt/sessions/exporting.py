"""The answers of a session as a table for others."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from cpe_opt.files import atomic_write, check_output

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".csv", ".jsonl")


def write_answers(answers: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write what :meth:`cpe_opt.Session.answers` gave: a row, or a line of JSON, an answer.

    Parameters
    ----------
    answers : DataFrame
    path : path
        Ends with ``.csv`` or ``.jsonl``; a file that is there is overwritten.

    Raises
    ------
    InputError
        Where it ends otherwise.
    WriteFailed
    """
    check_output(path, SUFFIXES, force=True)
    rows = answers.assign(time=answers["time"].map(lambda time: time.isoformat(timespec="seconds")))
    with atomic_write(path) as temporary:
        if Path(path).suffix.lower() == ".csv":
            rows.to_csv(temporary, index=False, lineterminator="\n")
            return
        lines = (json.dumps(row, ensure_ascii=False) for row in rows.to_dict("records"))
        temporary.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
