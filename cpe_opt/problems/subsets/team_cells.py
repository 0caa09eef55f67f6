"""Teams in the cells of a table: the names of the members, parted by the same mark throughout.

It is that of ``|``, ``+``, ``;``, ``,``, ``/``, ``&`` which is in most cells, the first of several,
or blanks where there is none of these.
"""

from __future__ import annotations

from collections.abc import Sequence

from cpe_opt.errors import InputError
from cpe_opt.problems.columns import Table
from cpe_opt.problems.log_forms import is_log

SEPARATORS = "|+;,/&"


def is_team_header(header: Sequence[str]) -> bool:
    """Whether a table with this header speaks of teams, be it without scores, and of no duels."""
    return "team" in header and not is_log(tuple(header))


def split_cells(table: Table) -> list[list[str]]:
    """The names of the members of each team."""
    cells = table.names("team")
    found = parted(cells)
    for row, (cell, names) in enumerate(zip(cells, found, strict=True)):
        if not all(names):
            raise InputError(f"{table.place(row)}: team is {cell!r}, with an empty name")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"{table.place(row)}: {twice!r} is in the team twice")
    return found


def parted(cells: Sequence[str]) -> list[list[str]]:
    """The names in cells, by the mark that is in most of them, the first of several; or blanks."""
    often = [sum(mark in cell for cell in cells) for mark in SEPARATORS]
    mark = SEPARATORS[often.index(max(often))] if any(often) else None
    return [[name.strip() for name in (c.split(mark) if mark else c.split())] for c in cells]
