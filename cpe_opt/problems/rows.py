"""Lines of text as rows of cells, and cells as numbers.

Cells are separated by commas, semicolons or tabs, whichever the header has; they may stand in
double quotes. Where the separator is no comma, numbers may have decimal commas. Blank lines and
lines that start with ``#`` are left out.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence

from cpe_opt.errors import InputError
from cpe_opt.problems.text import read_text, shortened

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_LISTED = 12
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)", re.I)
_QUOTED = re.compile(r'"[^"]*"')
# Cells may be texts; the limit is one of the whole process, and is but raised.
csv.field_size_limit(max(csv.field_size_limit(), 1 << 30))


def read_header(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The cells of the first line that is neither blank nor a comment, in lower case.

    There are none where that line is no header: whoever reads the file says why.
    """
    text = read_text(path, only_start=True)
    try:
        _, line = first_line(text)
        _, cells = next(records(line, separator_of(line)))
    except (InputError, StopIteration):
        return ()
    return tuple(cell.lower() for cell in cells)


def first_line(text: str, *, comments: bool = True) -> tuple[int, str]:
    """Number and content of the first line that says something; (0, "") where none does."""
    number = start = 0
    while start < len(text):
        end = text.find("\n", start)
        line = text[start:end] if end >= 0 else text[start:]
        number, start = number + 1, start + len(line) + 1
        if line.strip() and not (comments and line.lstrip().startswith("#")):
            return number, line
    return 0, ""


def separator_of(line: str) -> str:
    """The separator of a header line; a comma where it has but one cell."""
    bare = _QUOTED.sub("", line)
    present = [separator for separator in SEPARATORS if separator in bare]
    if len(present) > 1:
        names = " and ".join(SEPARATORS[separator] for separator in present)
        raise InputError(
            f"the header {shortened(line)!r} has {names}: which separate its cells? Put names that "
            "contain one in double quotes"
        )
    return present[0] if present else ","


def records(
    text: str | Iterable[str], separator: str, *, comments: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Line number and stripped cells of every row, the header included.

    ``text`` may be lines, each with its line end.
    """
    number = begun = 0

    def lines() -> Iterator[str]:
        nonlocal number, begun
        for line in io.StringIO(text) if isinstance(text, str) else text:
            number += 1
            if not begun and (not line.strip() or (comments and line.lstrip()[0] == "#")):
                continue
            begun = begun or number
            yield line

    rows = csv.reader(lines(), delimiter=separator, skipinitialspace=True, strict=True)
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise InputError(f"line {begun}: {misquoted(error)}") from None
        if row is None:
            return
        yield begun, [cell.strip() for cell in row]
        begun = 0


def misquoted(error: csv.Error) -> str:
    """What is wrong with the quotes of a line."""
    return "a quote is not closed" if "end of data" in str(error) else str(error)


def parse_number(text: str, *, decimal_comma: bool = False) -> float:
    """The number that a cell holds, or :class:`ValueError`."""
    if decimal_comma:
        text = text.replace(",", ".")
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text)


def listed(names: Sequence[str], what: str = "columns") -> str:
    """Names, of columns as a rule, for a message: the first of many."""
    shown = [shortened(name, 30) or "(no name)" for name in names[:_LISTED]]
    if not shown:
        return "none"
    return ", ".join(shown) + (f", … ({len(names)} {what})" if len(names) > _LISTED else "")
