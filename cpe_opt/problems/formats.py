"""What a file is: the one place that tells formats apart.

========================= ==================================================== =================
format                    told by                                              family
========================= ==================================================== =================
``ELECTION``              a suffix of PrefLib                                  dueling
``LOG``                   the columns or keys of a log of duels                dueling
``NUMBER_PAIRS``          two numbers a line, or an array of arrays            dueling
``MATRIX``                text of any other kind                               dueling
``POSITION_LOG``          a column ``position``                                matchings
``POSITION_TABLE``        the same, and ``candidate, opponent, probability``   matchings
``TEAMS``                 the columns ``team, score``                          subsets
``ELEMENTS``              the columns ``element, mean``                        subsets
``EDGES``                 the columns ``from, to, mean``                       subsets
``ANSWERS``               the columns ``question, worker, correct``            subsets
``ANSWER_FOLDER``         a folder with ``answer.csv`` and ``truth.csv``       subsets
``SEPARABLE``             a file ``.json`` of another object                   separable
``PAIR_PRICES``           where prices are wanted: ``first, second, price``    dueling
``EDGE_PRICES``           ``position, first, second, price``                   matchings
``ELEMENT_PRICES``        ``element, price``                                   subsets
========================= ==================================================== =================

Tables may be delimited text, Parquet or lists of JSON objects, and text may be compressed by gzip
(:mod:`cpe_opt.problems.tables`). Readers are given a file of their format and say what is wrong
with it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from cpe_opt.errors import InputError
from cpe_opt.formats.preflib import PREFLIB_SUFFIXES
from cpe_opt.problems.json_values import is_json
from cpe_opt.problems.logs import GRADED, ITEM, is_log, is_number_pairs
from cpe_opt.problems.tables import header_of, is_parquet
from cpe_opt.text import is_folder, require_file, suffix_of

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
        return _checked_folder(Path(path))
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


def _checked_folder(folder: Path) -> Format:
    answers, truth = (folder / ANSWERS_FILE).is_file(), (folder / TRUTH_FILE).is_file()
    if answers and truth:
        return Format.ANSWER_FOLDER
    if answers:
        raise InputError(
            f"{str(folder)!r} has {ANSWERS_FILE} and no {TRUTH_FILE}: which answers are right is "
            "not known, and how far workers agree with each other is no measure of that; "
            f"expected {TRUTH_FILE} with the columns question_id, truth"
        )
    raise InputError(
        f"{str(folder)!r} is a folder without {ANSWERS_FILE} and {TRUTH_FILE}; name a file, or a "
        "folder that has these"
    )
