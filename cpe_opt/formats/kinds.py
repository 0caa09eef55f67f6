"""What a file is: the one place that tells formats apart, and the forms of logs of duels.

**Logs of duels** are tables, or lists of JSON objects, with the columns of a :class:`LogForm`; a
column ``count`` is for lines that stand for many duels. Further columns, such as ``judge`` or
``turn``, are left out; those whose names sound as if they said who won or how often are refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from cpe_opt.errors import InputError, listed
from cpe_opt.formats.preflib import PREFLIB_SUFFIXES
from cpe_opt.formats.tables import header_of, is_json, is_parquet
from cpe_opt.text import require_file, suffix_of


class Format(Enum):
    """A format of files, with what a file of it holds and the family of that."""

    ELECTION = "a PrefLib election", "dueling"
    LOG = "a log of duels", "dueling"
    MATRIX = "a matrix", "dueling"
    POSITION_LOG = "a log of duels at positions", "matchings"
    POSITION_TABLE = "a table of probabilities at positions", "matchings"
    TEAMS = "a log of teams and their scores", "subsets"
    ELEMENTS = "a table of elements and their means", "subsets"
    EDGES = "a table of edges and their means", "subsets"

    def __init__(self, what: str, family: str) -> None:
        self.what, self.family = what, family


COLUMNS = {
    Format.TEAMS: ("team", "score"),
    Format.ELEMENTS: ("element", "mean"),
    Format.EDGES: ("from", "to", "mean"),
    Format.POSITION_TABLE: ("position", "candidate", "opponent", "probability"),
}
"""The columns of tables that are no logs of duels."""


def format_of(path: str | os.PathLike[str]) -> Format:
    """What a file is, or :class:`InputError` if there is none or it cannot be read."""
    path = require_file(path)
    if suffix_of(path) in PREFLIB_SUFFIXES:
        return Format.ELECTION
    header = header_of(path)
    names, log = set(header), form_of(header) is not None
    if "position" in names:
        table = {"candidate", "opponent", "probability"} & names
        return Format.POSITION_TABLE if table and not log else Format.POSITION_LOG
    if "team" in names and not log:  # even without scores
        return Format.TEAMS
    for each in (Format.ELEMENTS, Format.EDGES):
        if names >= {*COLUMNS[each]}:
            return each
    return Format.LOG if log or is_parquet(path) or is_json(path) else Format.MATRIX


def has_items(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a log of duels over the items of a test set, by its column ``item``."""
    header = header_of(path)
    return ITEM in header and form_of(header, items=True) is not None


# Logs of duels.


TIES = ("tie", "tie (bothbad)", "both_bad")
BOTH_BAD = frozenset(TIES[1:])
"""Ties that say that both arms are bad."""
NO_ARMS = frozenset({*TIES, "both bad", "both-bad", "bothbad", "draw"})
"""Words that stand for ties where an arm would be named."""


@dataclass(frozen=True)
class LogForm:
    """A form of logs: the columns that it needs, of which the first two name the arms.

    The third, where there is one, says who won: in words, for which ``shares`` has what the first
    arm gets, or by name, or, where it is ``graded``, as a number from 0 to 1. Else the first arm is
    the winner.
    """

    name: str
    columns: tuple[str, ...]
    shares: Mapping[str, float] = field(default_factory=dict)
    graded: bool = False

    @property
    def has_ties(self) -> bool:
        """Whether a line can be a tie."""
        return len(self.columns) > 2


WINNERS = LogForm("winners", ("winner", "loser"))
ARENA = LogForm(
    "arena",
    ("model_a", "model_b", "winner"),
    {"model_a": 1.0, "model_b": 0.0, **dict.fromkeys(TIES, 0.5)},
)
GRADED = LogForm("outcomes", ("model_a", "model_b", "outcome"), graded=True)
"""Columns of logs over items; in other logs a vote is won, lost or tied."""
FORMS = (
    WINNERS,
    ARENA,
)
"""The first of them whose columns a table has is its form."""
COUNT, ITEM, FIRST = "count", "item", "first"


def form_of(header: tuple[str, ...], *, items: bool = False) -> LogForm | None:
    """The form of a log with these columns, in lower case; None if it is not one."""
    forms = (*FORMS, GRADED) if items else FORMS
    return next((form for form in forms if set(form.columns) <= set(header)), None)


def no_form(source: str, header: tuple[str, ...]) -> InputError:
    """Why these columns, or keys of JSON objects, are those of no log."""
    forms = "; or ".join(", ".join(form.columns) for form in FORMS)
    return InputError(
        f"{source}: no log of duels; found {listed(header)}; expected the columns, or keys of JSON "
        f"objects, {forms}; and, optionally, {COUNT}"
    )
