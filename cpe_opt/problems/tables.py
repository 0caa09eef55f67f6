"""Tables of text, read strictly.

A table has a header line and below it one line a row, each with exactly as many cells as the
header; see :mod:`cpe_opt.problems.rows` for what separates them.

Whole columns are parsed at once by pyarrow. What it refuses is read again line by line, which finds
the line to blame.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.columns import Table, merged
from cpe_opt.problems.rows import first_line, listed, records, separator_of
from cpe_opt.problems.text import counted, read_text, require_file, shortened, text_lines

if TYPE_CHECKING:
    import pandas as pd

_LARGE = 1 << 25  # bytes
_LEFT_OUT = re.compile(r"^[ \t]*(?:#.*)?\n", re.MULTILINE)


def read_table(
    path: str | os.PathLike[str],
    needed: Sequence[str] = (),
    optional: Sequence[str] = (),
    *,
    others: bool = False,
    comments: bool = True,
) -> Table:
    """Read a table.

    Parameters
    ----------
    path : path
    needed, optional : sequences of str
        Names of columns, in lower case; upper case in the file is no difference. Without any, all
        columns are read by the names they have, of which the first may be empty.
    others : bool
        Whether the file may have columns of other names, which are left out.
    comments : bool
        Whether lines that start with ``#`` are left out.

    Raises
    ------
    InputError
        With the line concerned.
    """
    path = require_file(path)
    source, text = path.name, read_text(path, only_start=True)
    # Cells of many lines are for the slower way, which needs no more than a line at a time.
    by_line = '"' in text and "\n" in text and path.stat().st_size > _LARGE
    text = text if by_line else read_text(path)
    number, line = first_line(text, comments=comments)
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
    coded = None
    if not by_line:
        coded = _coded_by_arrow(text, separator, header, wanted, comments=comments)
    if coded is None:
        coded = _coded_by_line(path, separator, header, wanted, comments=comments)
    rows = len(coded[wanted[0]][0])
    if not rows:
        raise InputError(f"{source}: the file has no lines below its header")

    def place(row: int) -> str:
        lines = (line for line, _ in records(text_lines(path), separator, comments=comments))
        return f"{source}, line {next(line for r, line in enumerate(lines, -1) if r == row)}"

    return Table(source, tuple(header), rows, coded, place, separator != ",", comments)


def frame_table(
    frame: pd.DataFrame,
    source: str,
    needed: Sequence[str] = (),
    optional: Sequence[str] = (),
    *,
    others: bool = False,
) -> Table:
    """A data frame as :func:`read_table` gives a file; rows are numbered from 0."""
    import pandas as pd

    header = [str(column).strip() for column in frame.columns]
    header = _checked_header(source, header, needed, optional, others=others)
    coded = {}
    for place, name in enumerate(header):
        if not needed or name in needed or name in optional:
            try:
                codes, values = pd.factorize(frame.iloc[:, place], use_na_sentinel=True)
            except TypeError as error:
                raise InputError(f"{source}: column {name!r} cannot be read ({error})") from None
            # Missing entries have the code -1, which finds the empty text at the end.
            coded[name] = merged(np.asarray(codes), [*(str(value) for value in values), ""])
    if not len(frame):
        raise InputError(f"{source}: the data frame has no rows")
    rows = len(frame)
    return Table(
        source, tuple(header), rows, coded, lambda row: f"{source}, row {row}", comments=False
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
        if not name and (needed or place):
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


def _coded_by_arrow(
    text: str, separator: str, header: Sequence[str], wanted: Sequence[str], *, comments: bool
) -> dict[str, tuple[IntArray, list[str]]] | None:
    """The columns, or None where something asks for a closer look."""
    import pyarrow as pa
    import pyarrow.csv as pc

    quoted = '"' in text
    if quoted and ((comments and "#" in text) or not _plainly_quoted(text, separator)):
        return None
    if not quoted and (text[:1] in "# \t\n" or re.search(r"\n[#\s]", text)):
        if not comments and "#" in text:
            return None
        text = _LEFT_OUT.sub("", text if text.endswith("\n") else f"{text}\n")
    kind = pa.dictionary(pa.int32(), pa.string())
    names = [str(place) for place in range(len(header))]
    places = [names[header.index(name)] for name in wanted]
    try:
        columns = pc.read_csv(
            pa.BufferReader(text.encode()),
            read_options=pc.ReadOptions(block_size=1 << 24, column_names=names, skip_rows=0),
            parse_options=pc.ParseOptions(delimiter=separator, newlines_in_values=quoted),
            convert_options=pc.ConvertOptions(
                column_types=dict.fromkeys(places, kind),
                include_columns=places,
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        ).unify_dictionaries()
    except pa.ArrowInvalid:
        return None
    coded = {}
    for name, place in zip(wanted, places, strict=True):
        parts = columns.column(place).chunks
        codes = np.concatenate([part.indices.to_numpy() for part in parts])
        coded[name] = merged(codes[1:], parts[0].dictionary.to_pylist())
    return coded


def _plainly_quoted(text: str, separator: str) -> bool:
    """Whether every quote stands at the edge of a cell, the only place where pyarrow is strict."""
    opening = text.startswith('"') + text.count('\n"') + text.count(f'{separator}"')
    closing = text.endswith('"') + text.count('"\n') + text.count(f'"{separator}')
    return 2 * opening == 2 * closing == text.count('"')


def _coded_by_line(
    path: Path,
    separator: str,
    header: Sequence[str],
    wanted: Sequence[str],
    *,
    comments: bool,
) -> dict[str, tuple[IntArray, list[str]]]:
    """The same one line at a time, or :class:`InputError` with the line."""
    places = [header.index(name) for name in wanted]
    codes: list[list[int]] = [[] for _ in wanted]
    numbers: list[dict[str, int]] = [{} for _ in wanted]
    rows = records(text_lines(path), separator, comments=comments)
    try:
        next(rows)
        for line, cells in rows:
            if len(cells) != len(header):
                raise InputError(
                    f"line {line}: {counted(cells, 'cell')}, expected {len(header)}, as the header "
                    f"has ({listed(header)}): {shortened(separator.join(cells))!r}"
                )
            for place, column, number in zip(places, codes, numbers, strict=True):
                column.append(number.setdefault(cells[place], len(number)))
    except InputError as error:
        raise InputError(f"{path.name}, {error}") from None
    return {
        name: (np.array(column, dtype=np.int64), list(number))
        for name, column, number in zip(wanted, codes, numbers, strict=True)
    }
