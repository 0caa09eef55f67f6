"""Logs in Parquet files as tables; see :mod:`cpe_opt.problems.columns`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from cpe_opt.errors import InputError
from cpe_opt.problems.arrow_columns import parquet_columns
from cpe_opt.problems.columns import Table
from cpe_opt.problems.rows import listed
from cpe_opt.problems.text import require_file

_MAGIC = b"PAR1"


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether a file is Parquet, by its first bytes."""
    try:
        with require_file(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False  # whoever reads it says why


def parquet_names(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The columns of a Parquet file, as they are written.

    Raises
    ------
    InputError
        Where the file is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = require_file(path)
    try:
        with path.open("rb") as data:  # Arrow opens no path that is not UTF-8
            return tuple(pq.read_schema(data).names)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path, error) from None


def parquet_table(
    path: str | os.PathLike[str],
    needed: Sequence[str],
    optional: Sequence[str] = (),
    *,
    counted: Callable[[str], bool],
) -> Table:
    """A Parquet file as :func:`cpe_opt.problems.tables.read_table` gives a table.

    Upper case in names of columns is no difference; rows are numbered from 0.

    Raises
    ------
    InputError
        Where the file is damaged, or lacks a column.
    """
    import pyarrow as pa

    path = require_file(path)
    keys: dict[str, str] = {}
    wanted = (*needed, *optional)
    for key in parquet_names(path):
        name = key.strip().lower()
        if name in keys and (name in wanted or counted(name)):
            raise InputError(f"{path.name}: two columns are called {key!r}")
        keys.setdefault(name, key)
    absent = [name for name in needed if name not in keys]
    if absent:
        raise InputError(
            f"{path.name}: no column {absent[0]!r}; found {listed([*keys])}; expected "
            f"{', '.join(needed)}"
        )
    read = {name: keys[name] for name in wanted if name in keys}
    further = {name: key for name, key in keys.items() if name not in wanted and counted(name)}
    try:
        columns = parquet_columns(path, read, further)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path, error) from None
    if not columns.rows:
        raise InputError(f"{path.name}: the file has no rows")
    return Table(
        path.name,
        tuple(keys),
        columns.rows,
        columns.coded(),
        lambda row: f"{path.name}, row {row}",
        comments=False,
        counted={name: (each.count, each.rows) for name, each in columns.distinct.items()},
    )


def _damaged(path: Path, error: Exception) -> InputError:
    reason = str(error).partition("\n")[0]
    return InputError(f"{path.name}: the Parquet file cannot be read: {reason}")
