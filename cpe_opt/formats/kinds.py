"""What a file is: the one place that tells formats apart, and the forms of logs of duels.

**Logs of duels** are tables, or lists of JSON objects, with the columns of a :class:`LogForm`.
Every form may have a column ``count`` for lines that stand for many duels. Further columns, such as
``judge`` or ``turn``, are left out; those whose names sound as if they said who won or how often
are refused. A weighted preference of alpaca_eval, between 1 and 2, is a probability and no vote. Of
preference pairs only the names of the two models are read.

**Pairs of numbers** ``(i, j)``, where i won, are what the functions of choix take: as JSON, ``[[1,
0], [0, 4]]`` or one pair a line; or as lines of text, ``1 0``, also with a comma, a semicolon or a
tab between the two. Two columns of numbers may also be a matrix of two arms: text is taken for
pairs where it has more than three lines, or starts with the comment ``# winner loser``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from cpe_opt.errors import InputError, listed
from cpe_opt.formats.preflib import PREFLIB_SUFFIXES
from cpe_opt.formats.tables import (
    first_value,
    header_of,
    is_json,
    is_parquet,
    parse_number,
)
from cpe_opt.text import is_folder, read_text, require_file, suffix_of

ANSWERS_FILE, TRUTH_FILE = "answer.csv", "truth.csv"


class Format(Enum):
    """A format of files, with what a file of it holds and the family of that."""

    ELECTION = "a PrefLib election", "dueling"
    LOG = "a log of duels", "dueling"
    NUMBER_PAIRS = "a list of pairs of numbers", "dueling"
    MATRIX = "a matrix", "dueling"
    POSITION_LOG = "a log of duels at positions", "matchings"
    POSITION_TABLE = "a table of probabilities at positions", "matchings"
    TEAMS = "a log of teams and their scores", "subsets"
    ELEMENTS = "a table of elements and their means", "subsets"
    EDGES = "a table of edges and their means", "subsets"
    ANSWERS = "a table of answers, right or wrong", "subsets"
    ANSWER_FOLDER = "a folder of answers", "subsets"
    SEPARABLE = "a problem of separable rewards", "separable"
    PAIR_PRICES = "a list of prices of pairs", "dueling"
    EDGE_PRICES = "a list of prices of pairs at positions", "matchings"
    ELEMENT_PRICES = "a list of prices of elements", "subsets"

    def __init__(self, what: str, family: str) -> None:
        self.what, self.family = what, family


COLUMNS = {
    Format.TEAMS: ("team", "score"),
    Format.ELEMENTS: ("element", "mean"),
    Format.EDGES: ("from", "to", "mean"),
    Format.ANSWERS: ("question", "worker", "correct"),
    Format.POSITION_TABLE: ("position", "candidate", "opponent", "probability"),
    Format.PAIR_PRICES: ("first", "second", "price"),
    Format.EDGE_PRICES: ("position", "first", "second", "price"),
    Format.ELEMENT_PRICES: ("element", "price"),
}
"""The columns of tables that are no logs of duels."""


def format_of(path: str | os.PathLike[str]) -> Format:
    """What a file or folder is.

    Raises :class:`InputError` if there is no such file, it cannot be read, or a folder has not
    the files of answers.
    """
    if is_folder(path):
        absent = [n for n in (ANSWERS_FILE, TRUTH_FILE) if not (Path(path) / n).is_file()]
        if absent:
            raise InputError(
                f"{str(path)!r} is a folder without {' and '.join(absent)}; name a file, or a "
                f"folder that has {ANSWERS_FILE} and, with the columns question_id, truth, "
                f"{TRUTH_FILE}"
            )
        return Format.ANSWER_FOLDER
    path = require_file(path)
    if suffix_of(path) in PREFLIB_SUFFIXES:
        return Format.ELECTION
    header = header_of(path)
    names, log = set(header), is_log(header)
    if "position" in names:
        table = {"candidate", "opponent", "probability"} & names
        return Format.POSITION_TABLE if table and not log else Format.POSITION_LOG
    if "team" in names and not log:  # even without scores
        return Format.TEAMS
    for each in (Format.ELEMENTS, Format.EDGES, Format.ANSWERS):
        if names >= {*COLUMNS[each]}:
            return each
    if log:
        return Format.LOG
    if is_number_pairs(path):
        return Format.NUMBER_PAIRS
    if suffix_of(path) == ".json":
        return Format.SEPARABLE
    return Format.LOG if is_parquet(path) or is_json(path) else Format.MATRIX


def duel_prices_format(path: str | os.PathLike[str], labels: Sequence[str]) -> Format:
    """Whether a file of prices of duels is a list of pairs or a matrix, as its header tells.

    The header of a matrix has labels of arms, which may be named as columns of a list are.
    """
    columns = COLUMNS[Format.PAIR_PRICES]
    named = set(columns) & set(header_of(path))
    other = not named <= {label.lower() for label in labels}
    is_list = len(named) == len(columns) or (len(named) > 1 and other)
    return Format.PAIR_PRICES if is_list else Format.MATRIX


def has_items(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a log of duels over the items of a test set, by its column ``item``."""
    if is_folder(path) or suffix_of(Path(path)) in PREFLIB_SUFFIXES:
        return False
    header = header_of(path)
    return ITEM in header and (is_log(header) or set(GRADED.columns) <= set(header))


# Logs of duels.


TIES = ("tie", "tie (bothbad)", "both_bad")
BOTH_BAD = frozenset({"tie (bothbad)", "both_bad", "both bad", "both-bad", "bothbad"})
"""Ties that say that both arms are bad."""
NO_ARMS = frozenset({*TIES, *BOTH_BAD, "draw"})
"""Words that stand for ties where an arm would be named."""
PLACES = {
    **dict.fromkeys(("a", "model a", "player_a", "player a", "left", "first"), 1.0),
    **dict.fromkeys(("b", "model b", "player_b", "player b", "right", "second"), 0.0),
    **dict.fromkeys((*sorted(NO_ARMS), "tied", "tie (inconsistent)"), 0.5),
}
"""The share of the first arm by further words for who won."""


@dataclass(frozen=True)
class LogForm:
    """A form of logs: the columns that it needs, of which the first two name the arms.

    ``shares`` has the share of the win that the first arm gets, for each word of the column of
    outcomes; it is empty where the first arm is the winner, or flags say who is. One of ``counts``
    may say how many duels a line stands for. ``named`` is whether an outcome may be the name of an
    arm, or one of :data:`PLACES`; ``graded`` whether it is a number from 0 to 1.
    """

    name: str
    columns: tuple[str, ...]
    shares: Mapping[str, float] = field(default_factory=dict)
    counts: tuple[str, ...] = ("count",)
    named: bool = False
    graded: bool = False
    hint: str = ""

    @property
    def flags(self) -> tuple[str, ...]:
        """The columns of which one is 1."""
        return self.columns[2:] if len(self.columns) > 3 else ()

    @property
    def has_ties(self) -> bool:
        """Whether a line can be a tie; else its first arm is the winner."""
        return bool(self.shares or self.flags or self.graded)


_SIDES = {"left": 1.0, "right": 0.0, "tie": 0.5}
WINNERS = LogForm("winners", ("winner", "loser"))
WINNER_NAMES = LogForm("winners", ("winner_name", "loser_name"))
ARENA, PLAYERS = (
    LogForm(
        "arena",
        (f"{noun}_a", f"{noun}_b", "winner"),
        {f"{noun}_a": 1.0, f"{noun}_b": 0.0, **dict.fromkeys(TIES, 0.5)},
        named=True,
    )
    for noun in ("model", "player")
)
FLAGS = LogForm("flags", ("model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie"))
EVALICA = LogForm(
    "evalica", ("left", "right", "winner"), _SIDES, ("count", "weight", "weights"), named=True
)
CROWD = LogForm("crowd", ("left", "right", "label"), _SIDES, named=True)
ALPACA = LogForm(
    "alpaca",
    ("generator_1", "generator_2", "preference"),
    {"1": 1.0, "2": 0.0, "1.5": 0.5, "0": 0.5, "1.0": 1.0, "2.0": 0.0, "0.0": 0.5},
    hint="; a weighted preference between 1 and 2 is a probability, and no vote",
)
PAIRS = LogForm("pairs", ("chosen_model", "rejected_model"))
"""The columns of preference pairs that name the models of the two texts."""
FORMS = (
    *(WINNERS, WINNER_NAMES, ARENA, PLAYERS, FLAGS, EVALICA, CROWD, ALPACA),
    PAIRS,
)
"""The first of them whose columns a table has is its form."""
GRADED = LogForm("outcomes", ("model_a", "model_b", "outcome"), graded=True)
"""Columns of logs over items; in other logs a vote is won, lost or tied."""
ITEM, FIRST = "item", "first"
TEXTS = ("chosen", "rejected")


def form_of(header: tuple[str, ...]) -> LogForm | None:
    """The form of a log with these columns, in lower case; None if it is not one."""
    return next((form for form in FORMS if set(form.columns) <= set(header)), None)


def is_log(header: tuple[str, ...]) -> bool:
    """Whether these columns are those of a log, if only of one that lacks the models' names."""
    return form_of(header) is not None or set(TEXTS) <= set(header)


def no_form(source: str, header: tuple[str, ...]) -> InputError:
    """Why these columns, or keys of JSON objects, are those of no log."""
    if set(TEXTS) <= set(header):
        return InputError(
            f"{source}: pairs of texts, chosen and rejected, of which nothing says which models "
            f"they are by; found {listed(header)}; expected also {', '.join(PAIRS.columns)}"
        )
    forms = "; or ".join(", ".join(form.columns) for form in FORMS)
    return InputError(
        f"{source}: no log of duels; found {listed(header)}; expected the columns, or keys of JSON "
        f"objects, {forms}; and, optionally, count; or pairs of numbers"
    )


# Pairs of numbers, the form ``choix``.


PAIRS_COMMENT = "# winner loser"
"""The first line of a text of pairs, however few they are."""
_MATRIX_LINES = 3  # a matrix of two arms has as many at most
_SEPARATORS = re.compile(r"\s*[,;]\s*|\s+")
_LARGEST_NUMBER = 2**53


def is_number_pairs(path: str | os.PathLike[str]) -> bool:
    """Whether a file has pairs of numbers and nothing else, and is no matrix of two arms."""
    path = require_file(path)
    if is_parquet(path):
        return False
    if is_json(path):
        return isinstance(first_value(path), list)
    lines = [line for line in read_text(path, only_start=True).split("\n") if line.strip()]
    if lines and lines[0].split() == PAIRS_COMMENT.split():
        return True
    pairs = [line for line in lines if not line.lstrip().startswith("#")][: _MATRIX_LINES + 1]
    return len(pairs) > _MATRIX_LINES and all(number_pair(numbers_of(line)) for line in pairs)


def numbers_of(line: str) -> list[float | None]:
    """The numbers of a line of text."""
    return [parse_number(cell) for cell in _SEPARATORS.split(line.strip())]


def number_pair(entry: Any) -> tuple[int, int] | None:
    """Two whole numbers, 0 or more, or None."""
    if isinstance(entry, np.ndarray):
        entry = entry.tolist()
    if not isinstance(entry, list | tuple) or len(entry) != 2:
        return None
    for value in entry:
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer):
            return None
        if not 0 <= value < _LARGEST_NUMBER or value != int(value):
            return None
    return int(entry[0]), int(entry[1])
