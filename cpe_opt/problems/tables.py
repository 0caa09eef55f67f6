"""Tables of text, read strictly.

A table has a header line and below it one line a row, each with exactly as many cells as the
header; see :mod:`cpe_opt.problems.rows` for what separates them.

Whole columns are parsed by pyarrow, a block of lines at a time. What it refuses is read again line
by line, which finds the line to blame.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems import text as texts
from cpe_opt.problems.arrow_columns import csv_columns
from cpe_opt.problems.clusters import DistinctValues
from cpe_opt.problems.columns import Table, merged
from cpe_opt.problems.line_blocks import NotSoPlain
from cpe_opt.problems.rows import first_line, listed, records, separator_of
from cpe_opt.problems.text import read_text, require_file, shortened, text_lines

if TYPE_CHECKING:
    import pandas as pd


def read_table(
    path: str | os.PathLike[str],
    needed: Sequence[str] = (),
    optional: Sequence[str] = (),
    *,
    others: bool = False,
    comments: bool = True,
    counted: Callable[[str], bool] | None = None,
) -> Table:
    """Read a table.

    Parameters
    ----------
    path : path
    needed, optional : sequences of str
        Names of columns, in lower case; upper case in the file is no difference. Without any, all
        columns are read by the names they have, of which the first may be empty.
    others : bool
        Whether the file may have columns of other names, which are left out; the first of them may
        have none, as the index of a data frame has.
    comments : bool
        Whether lines that start with ``#`` are left out.
    counted : function of a name, optional
        Of which columns that are left out the different values are counted.

    Raises
    ------
    InputError
        With the line concerned.
    """
    path = require_file(path)
    source, text = path.name, read_text(path, only_start=True)
    number, line = first_line(text, comments=comments)
    if "\n" not in text:  # the header goes on, or is all there is
        number, line = first_line(read_text(path), comments=comments)
    expected = _expected(needed, optional)
    if not number:
        of = " of" if expected else ""
        raise InputError(f"{source}: the file is empty, expected a header{of}{expected}")
    try:
        separator = separator_of(line)
        _, header = next(records(line, separator, comments=comments))
    except InputError as error:
        raise InputError(f"{source}, line {number}: {error}") from None
    header = _checked_header(f"{source}, line {number}", header, needed, optional, others=others)
    wanted = [name for name in header if not needed or name in needed or name in optional]
    further = [name for name in header if counted and name not in wanted and counted(name)]
    try:
        columns = csv_columns(path, separator, header, number, wanted, further, comments=comments)
        coded, rows, distinct = columns.coded(), columns.rows, columns.distinct
    except NotSoPlain:
        coded, distinct = _coded_by_line(
            path, separator, header, wanted, further, comments=comments
        )
        rows = len(coded[wanted[0]][0])
    if not rows:
        raise InputError(f"{source}: the file has no lines below its header")

    def place(row: int) -> str:
        lines = (line for line, _ in records(text_lines(path), separator, comments=comments))
        return f"{source}, line {next(line for r, line in enumerate(lines, -1) if r == row)}"

    return Table(
        source,
        tuple(header),
        rows,
        coded,
        place,
        separator != ",",
        comments,
        {name: (each.count, each.rows) for name, each in distinct.items()},
    )


def frame_table(
    frame: pd.DataFrame,
    source: str,
    needed: Sequence[str] = (),
    optional: Sequence[str] = (),
    *,
    others: bool = False,
    counted: Callable[[str], bool] | None = None,
) -> Table:
    """A data frame as :func:`read_table` gives a file; rows are numbered from 0."""
    import pandas as pd

    header = [str(column).strip() for column in frame.columns]
    header = _checked_header(source, header, needed, optional, others=others)
    coded, distinct = {}, {}
    for place, name in enumerate(header):
        if not needed or name in needed or name in optional:
            try:
                codes, values = pd.factorize(frame.iloc[:, place], use_na_sentinel=True)
            except TypeError as error:
                raise InputError(f"{source}: column {name!r} cannot be read ({error})") from None
            # Missing entries have the code -1, which finds the empty text at the end.
            coded[name] = merged(np.asarray(codes), [*(str(value) for value in values), ""])
        elif counted and counted(name):
            distinct[name] = DistinctValues()
            distinct[name].add_all([str(value) for value in frame.iloc[:, place]])
    if not len(frame):
        raise InputError(f"{source}: the data frame has no rows")
    rows = len(frame)
    return Table(
        source,
        tuple(header),
        rows,
        coded,
        lambda row: f"{source}, row {row}",
        comments=False,
        counted={name: (each.count, each.rows) for name, each in distinct.items()},
    )


def _checked_header(
    where: str, header: list[str], needed: Sequence[str], optional: Sequence[str], *, others: bool
) -> list[str]:
    names = [name.lower() for name in header] if needed else list(header)
    wish = _expected(needed, optional)
    absent = [name for name in needed if name not in names]
    apart = ", separated by commas, semicolons or tabs" if len(header) == 1 else ""
    if absent:
        raise InputError(
            f"{where}: no column {absent[0]!r}; found {listed(header)}; expected{wish}{apart}"
        )
    for place, name in enumerate(names):
        if not name and (place or (needed and not others)):
            raise InputError(f"{where}: column {place + 1} of the header has no name")
        if name in names[:place]:
            raise InputError(f"{where}: two columns are called {header[place]!r}")
        if needed and not others and name not in needed and name not in optional:
            raise InputError(
                f"{where}: unknown column {header[place]!r}; found {listed(header)}; expected{wish}"
            )
    return names


def _expected(needed: Sequence[str], optional: Sequence[str]) -> str:
    if not needed:
        return ""
    asked = f" {', '.join(needed)}"
    return f"{asked} and, optionally, {', '.join(optional)}" if optional else asked


def _coded_by_line(
    path: Path,
    separator: str,
    header: Sequence[str],
    wanted: Sequence[str],
    counted: Sequence[str],
    *,
    comments: bool,
) -> tuple[dict[str, tuple[IntArray, list[str]]], dict[str, DistinctValues]]:
    """The columns one line at a time, or :class:`InputError` with the line."""
    places = [header.index(name) for name in wanted]
    distinct = {name: DistinctValues() for name in counted}
    others = [(header.index(name), values) for name, values in distinct.items()]
    codes: list[list[int]] = [[] for _ in wanted]
    numbers: list[dict[str, int]] = [{} for _ in wanted]
    rows = records(text_lines(path), separator, comments=comments)
    try:
        next(rows)
        for line, cells in rows:
            if len(cells) != len(header):
                raise InputError(
                    f"line {line}: {texts.counted(cells, 'cell')}, expected {len(header)}, as the "
                    f"header has ({listed(header)}): {shortened(separator.join(cells))!r}"
                )
            for place, column, number in zip(places, codes, numbers, strict=True):
                column.append(number.setdefault(cells[place], len(number)))
            for place, values in others:
                values.add(cells[place])
    except InputError as error:
        raise InputError(f"{path.name}, {error}") from None
    return {
        name: (np.array(column, dtype=np.int64), list(number))
        for name, column, number in zip(wanted, codes, numbers, strict=True)
    }, distinct
