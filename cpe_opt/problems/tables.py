"""CSV files as data frames, with errors that name the file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpe_opt.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


def existing(path: str | os.PathLike[str]) -> Path:
    """The path, or :class:`InputError` where there is no such file."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"no file {str(path)!r}")
    return path


def header_of(path: str | os.PathLike[str]) -> list[str]:
    """The cells of the first line, stripped and in lower case."""
    text = existing(path).read_text(encoding="utf-8-sig").lstrip()
    return [cell.strip().lower() for cell in text.partition("\n")[0].split(",")]


def csv_frame(path: str | os.PathLike[str], **options: Any) -> pd.DataFrame:
    """A CSV file as pandas reads it with these options, or :class:`InputError`."""
    import pandas as pd

    path = existing(path)
    try:
        frame: pd.DataFrame = pd.read_csv(path, skipinitialspace=True, **options)
    except (ValueError, pd.errors.ParserError) as error:
        raise InputError(f"{path.name}: not a readable CSV file ({error})") from None
    return frame


def text_frame(path: str | os.PathLike[str], *, comment: str | None = "#") -> pd.DataFrame:
    """Cells as text, columns by their names in lower case; what follows ``comment`` is left out."""
    frame = csv_frame(path, dtype=str, comment=comment)
    return frame.rename(columns=lambda column: str(column).strip().lower())


def read_table(
    path: str | os.PathLike[str], columns: Sequence[str], *, comment: str | None = "#"
) -> tuple[pd.DataFrame, str]:
    """The stripped cells of a file that has these columns, none of them empty; and its name."""
    path = existing(path)
    frame = text_frame(path, comment=comment)
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise InputError(f"{path.name}: no column {missing[0]!r}; expected {', '.join(columns)}")
    if frame.empty:
        raise InputError(f"{path.name}: the file has no lines below its header")
    if frame[list(columns)].isna().any(axis=None):
        raise InputError(f"{path.name}: an empty cell in {', '.join(columns)}")
    return frame.apply(lambda column: column.str.strip()), path.name
