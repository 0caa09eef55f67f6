r"""Questions: what one person or program is asked at once, what can be said to it, and of what.

**Slots.** For each pair of arms there is a row of slots 1, 2, 3, …, one per duel; for each arm that
is pulled, and for each set, one per pull. A question is about a slot, or is its *repeat*.

**Cells.** Over the :math:`n` items of a test set a pair has :math:`2n` cells, each item in ``both``
orders, or :math:`n`, each in a ``random`` order. The k-th slot of a pair
is the k-th cell of a permutation: cells are sorted by hashes of the seed, the pair, the item and
the order, so that permutations are uniformly random and those of pairs independent. Cells that
were answered before the session are no part of it, for they may have been chosen by what they say.
Where outputs are *scored*, an arm has :math:`n` cells, one an item; one permutation of the items,
by hashes of the seed and the item, is common to all arms, and the t-th slot of each arm is about
its t-th item.

**Hints** are numbers in [0, 1], one a cell, which were there before the order was drawn. Their
fingerprint is a part of the seed in all hashes above, so that the order is fresh to them, even if
they are the answers of a session with the same seed.

**Outcomes** of a duel are 1 where the first one shown won, 0 where the second did, ½ for a tie;
over items any number between, and what an output scores there is one, too; right is 1, wrong 0.
What is said in words and could mean two things is refused: a ``1`` among things called ``1`` and
``2``, unless both of its meanings agree; an ``A`` or ``B`` that is no label as it is written, for
judges call the first one A.
"""

from __future__ import annotations

import hashlib
import json
import math
import numbers
import os
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.experiments.fingerprint import fingerprint, json_digest
from cpe_opt.problems.queries import Duel, Pull, PullSets
from cpe_opt.scripts import is_script
from cpe_opt.validation import (
    check_characters,
    checked_count,
    checked_labels,
    checked_text,
    repeated,
    shown_value,
)

if TYPE_CHECKING:
    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.problems.matchings.bipartite import BipartiteGraph

Orders = Literal["random", "both"]
GivenItems: TypeAlias = int | Sequence[str | float | np.generic | Mapping[str, Any]]
"""How many items, their ids, texts or numbers, or objects with an id and content."""
KnownCells: TypeAlias = Mapping[tuple[int, int], Mapping[tuple[int, bool | None], float]]
"""What i got, by pair (i, j), i < j, and by item and order: whether j was shown first; None where
an item is one cell."""
RowKey: TypeAlias = tuple[int, ...] | int
"""What is asked for: a pair ``(i, j)`` with i < j, an arm, or the elements of a set."""
ORDERS: tuple[Orders, ...] = ("random", "both")
MOST_ITEMS = 1_000_000
ID = "item"
"""The key of an item's id, in a file of items."""
LONGEST_NAME = 60
WORDS = {"first": 1.0, "second": 0.0, "tie": 0.5}
"""How a person may say the outcome of a duel."""
SKIP = "skip"
LEAVE_OUT = "leave-out"
"""What is said of a cell that nobody answers."""
REPEAT = "~2"
"""The end of the id of a question that is a repeat."""
_NUMBERS = {1.0, 0.0, 0.5}


@dataclass(frozen=True)
class Question:
    """One duel, or one pull.

    Attributes
    ----------
    id : str
        By which it is answered.
    query : Duel, Pull or PullSets
        The pair is in the order in which it is shown.
    labels : tuple of str
        Of the two that duel, in the order in which they are to be shown; of the arm, or of the
        elements of the set that is pulled.
    about : str
        What candidates duel for, a position; else empty.
    item : mapping or None
        Of a test set: what the two are compared on, or what the output to be scored is for: its
        ``id`` and its content.
    games : bool
        Whether the two play a pair of games, each with either side. The outcome is what the first
        gets on average, 0, ¼, ½, ¾ or 1, or how both ended, such as ``"first,tie"``.
    """

    id: str
    query: Duel | Pull | PullSets
    labels: tuple[str, ...]
    about: str = ""
    item: Mapping[str, Any] | None = field(default=None, hash=False)
    games: bool = False

    @property
    def first(self) -> str:
        """The label of the one shown first, or of what is pulled."""
        return self.labels[0]

    @property
    def second(self) -> str:
        """The label of the one shown second; only a duel has one."""
        return self.labels[1]

    @property
    def label(self) -> str:
        """The label of what is scored; a comparison has two, and raises :class:`InputError`."""
        if len(self.labels) != 1:
            raise InputError(
                f"question {self.id!r} is about {', '.join(self.labels)}, see labels; a function "
                "that scores one output is given to best_of as score="
            )
        return self.first

    @property
    def kind(self) -> str:
        """``"duel"``, ``"games"``, ``"pull"`` or ``"set"``."""
        if self.games:
            return "games"
        return {Duel: "duel", Pull: "pull", PullSets: "set"}[type(self.query)]

    @property
    def item_id(self) -> str:
        """The id of the item on which the two are compared, else :class:`InputError`."""
        if self.item is None:
            raise InputError(f"question {self.id!r} is about no item of a test set")
        return str(self.item["id"])

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: ``id``, ``kind``, ``labels``, ``about`` and perhaps ``item``."""
        item = {} if self.item is None else {"item": dict(self.item)}
        labels = list(self.labels)
        return {"id": self.id, "kind": self.kind, "labels": labels, "about": self.about, **item}


def question_of(
    identity: str, question_set: QuestionSet, seed: int, cells: AnyCells | None = None
) -> Question:
    """The question of this id; which of a pair is shown first the seed draws, or its cell says."""
    slot = Slot.of_id(slot_of(identity))
    query, cell = slot.query, None if cells is None else cells.cell(slot)
    item = None if cells is None or cell is None else cells.items.shown(cell.item)
    if not isinstance(query, Duel):
        labels = tuple(question_set.labels[element] for element in slot.members)
        return Question(identity, query, labels, item=item)
    if question_set.shares:
        return Question(identity, query, *question_set.duel(query.i, query.j), games=True)
    swapped = drawn(seed, f"{identity}/order") if cell is None else cell.second
    shown = (query.j, query.i) if swapped else (query.i, query.j)
    return Question(identity, Duel(*shown), *question_set.duel(*shown), item)


def read_outcome(question: Question, said: Any) -> float | None:
    """The outcome that somebody said; None for a skip, :class:`InputError` where it is neither."""
    if question.games:
        return _read_games(question, said)
    text = said.strip() if isinstance(said, str) else None
    meanings: set[float | None] = {None} if text is not None and text.lower() == SKIP else set()
    duel, cell = question.kind == "duel", question.item is not None
    if cell and not duel and isinstance(said, bool | np.bool_):  # right or wrong
        said = float(said)
    number = _number(said if text is None else text)
    if number is not None and (number in _NUMBERS or (0.0 <= number <= 1.0 if cell else not duel)):
        meanings.add(number)
    if duel and text is not None:
        meanings |= {value for word, value in WORDS.items() if word == text.lower()}
        meanings |= _winners(question.labels, text)
    if len(meanings) == 1:
        return meanings.pop()
    expected = "a number from 0 to 1, or skip" if cell else "a number, or skip"
    if duel:
        one, other = question.labels
        values = "a number from 0 to 1" if cell else "1, 0, 0.5"
        expected = f"first ({one}), second ({other}), tie or skip; or {values}"
    what = "could mean two things" if meanings else "is no outcome"
    raise InputError(f"{shown_value(said)} {what}, expected {expected}")


def _read_games(question: Question, said: Any) -> float | None:
    """What the first gets of a pair of games on average; of both, said apart, the mean."""
    parts = said.split(",") if isinstance(said, str) else said
    if isinstance(parts, list | tuple) and len(parts) == 2:
        one, other = (read_outcome(replace(question, games=False), each) for each in parts)
        return None if one is None or other is None else 0.5 * (one + other)
    if isinstance(said, str) and said.strip().lower() == SKIP:
        return None
    if (mean := _number(said)) is not None and mean in (0.0, 0.25, 0.5, 0.75, 1.0):
        return mean
    raise InputError(
        f"{shown_value(said)} is no outcome of a pair of games, expected what {question.first} "
        "gets on average, 0, 0.25, 0.5, 0.75 or 1; how both ended, such as first,tie; or skip"
    )


def outcome_in_words(question: Question, value: float) -> str:
    """An answer that was noted, in words."""
    if question.kind not in ("duel", "games"):
        return f"{value:g}"
    if question.games or value not in _NUMBERS:
        return f"{question.first} gets {value:g}"
    return "a tie" if value == 0.5 else f"{question.first if value else question.second} wins"


def _number(said: Any) -> float | None:
    """It as a finite number; None where it is none."""
    if isinstance(said, bool) or not isinstance(said, str | numbers.Real):
        return None
    with suppress(ValueError, OverflowError):
        number = float(said)
        return number if math.isfinite(number) else None
    return None


def _winners(labels: tuple[str, ...], text: str) -> set[float | None]:
    """Who may have won, by label; an ``A``, or one in another case, may be a place, too."""
    outcomes = [*zip(map(str.strip, labels), (1.0, 0.0), strict=True)]
    exact: set[float | None] = {value for label, value in outcomes if label == text}
    if exact and text not in ("A", "B"):
        return exact
    low = text.casefold()
    alike: set[float | None] = {value for label, value in outcomes if label.casefold() == low}
    return {1.0, 0.0} if alike and low in ("a", "b") else alike


def checked_rater(rater: object) -> str | None:
    """The name of a rater, or None; :class:`InputError` if it is neither."""
    return None if rater is None else checked_name(rater)


def checked_name(name: object) -> str:
    """A rater's name in one form; :class:`InputError` if it is not one."""
    text = ""
    if isinstance(name, str) and not any(unicodedata.category(letter) == "Cc" for letter in name):
        text = " ".join(unicodedata.normalize("NFC", name).split())
    if not text[:1].isalnum() or len(text) > LONGEST_NAME or not text.isprintable():
        raise InputError(  # a name like =A1 would be a formula in a table
            f"rater is {str(name)[:80]!r}, expected a name of at most {LONGEST_NAME} letters, "
            "beginning with a letter or digit"
        )
    return text


@dataclass(frozen=True, eq=False)
class QuestionSet:
    """What a session asks about: arms, candidates for positions, the elements of sets."""

    family: str  # that of the learners it is for
    known: Any  # what a learner may know; None where a log lacks it, and only the log is read
    labels: tuple[str, ...]  # one for each arm, edge or element, by the numbers of queries
    items: ItemSet | None = None  # that arms are compared on, each cell once
    source: ProblemFile | None = None  # where the problem was read from, if that is known
    shares: bool = False  # whether two arms play pairs of games, answered by what the first gets

    @classmethod
    def of_labels(cls, labels: Sequence[str]) -> QuestionSet:
        """Arms that duel each other."""
        if isinstance(labels, str) or len(labels) < 2:
            raise InputError(f"labels is {labels!r}, expected at least two, one for each arm")
        return cls("dueling", len(labels), checked_labels(labels, len(labels)))

    @classmethod
    def of_scored(cls, labels: Sequence[str], top: int = 1) -> QuestionSet:
        """Arms whose outputs are scored, of which the best, or the ``top`` best, are looked for."""
        from cpe_opt.problems.subsets.matroids import TopK

        names = cls.of_labels(labels).labels
        return cls("subsets", TopK(len(names), top, names), names)

    @classmethod
    def of_problem(cls, problem: object) -> QuestionSet:
        """A problem, its file, or what a learner may know: a graph, a class of sets, a model."""
        from cpe_opt.problems.dueling.items import ItemDuels
        from cpe_opt.problems.matchings.bipartite import BipartiteGraph
        from cpe_opt.problems.problem import Problem
        from cpe_opt.problems.separable.model import SeparableModel
        from cpe_opt.problems.subsets.decisions import DecisionClass
        from cpe_opt.problems.subsets.item_scores import ItemScores

        if isinstance(problem, str | os.PathLike):
            problem = ProblemFile(os.fspath(problem))
        if isinstance(problem, ProblemFile):
            return replace(cls.of_problem(problem.load()), source=problem)
        if isinstance(problem, ItemDuels):
            raise InputError(
                "problem has duels over items: a session asks about labels= and items= "
                "(--labels and --items on the command line), and may start from prior="
            )
        if isinstance(problem, ItemScores):
            raise InputError(
                "problem has scores on items: a session asks about labels= and items= by the "
                "learner score-tracking (--scores, --labels and --items on the command line)"
            )
        if isinstance(problem, Problem):
            return cls(problem.family, problem.known, tuple(problem.labels))
        if isinstance(problem, BipartiteGraph):
            return cls("matchings", problem, problem.edge_labels)
        if isinstance(problem, DecisionClass | SeparableModel):
            family = "subsets" if isinstance(problem, DecisionClass) else "separable"
            return cls(family, problem, problem.labels)
        raise InputError(
            f"problem is of the kind {type(problem).__name__}, expected a problem, a "
            "BipartiteGraph, a DecisionClass or a SeparableModel; arms that duel each other are "
            "given by labels"
        )

    @classmethod
    def of_json(cls, content: dict[str, Any]) -> QuestionSet:
        """Read what :meth:`as_json` made; nothing is known of a problem that the log lacks."""
        family, labels, known = content["family"], tuple(content["labels"]), content["known"]
        if known is None:
            source = ProblemFile(**content["source"]) if "source" in content else None
            return cls(family, None, labels, source=source)
        if family == "dueling":
            items = content.get("items")
            over = None if items is None else ItemSet.of(items["items"], items["orders"])
            return cls(family, len(labels), labels, over, shares="games" in known)
        if family == "matchings":
            from cpe_opt.problems.matchings.bipartite import BipartiteGraph

            who, where = known["candidates"], known["positions"]
            edges = [(int(candidate), int(position)) for candidate, position in known["edges"]]
            graph = BipartiteGraph(
                len(who), len(where), edges, candidate_labels=who, position_labels=where
            )
            return cls(family, graph, labels)
        from cpe_opt.problems.subsets.matroids import TopK

        sets = cls(family, TopK(len(labels), known["k"], labels), labels)
        items = content.get("items")
        return sets if items is None else sets.over(ItemSet.of(items["items"]))

    def as_json(self) -> dict[str, Any]:
        """Family, labels, what is known where that can be written, and the fingerprint."""
        known = self._known_as_json()
        content = {"family": self.family, "labels": list(self.labels), "known": known}
        if self.items is not None:
            content["items"] = self.items.as_json()
        if self.source is not None and known is None:
            content["source"] = self.source.as_json()
        return content | {"fingerprint": self.fingerprint}

    @property
    def fingerprint(self) -> str:
        """What tells it from any other, its labels included."""
        known = self._known_as_json()
        if known is None:
            return fingerprint((self.family, self.labels, self.known))
        items = None if self.items is None else self.items.as_json()
        return json_digest([self.family, list(self.labels), known, items])

    def over(self, items: ItemSet) -> QuestionSet:
        """The same arms, compared or scored on items; :class:`InputError` for anything else."""
        from cpe_opt.problems.subsets.matroids import TopK

        if type(self.known) is TopK:
            return replace(self, items=replace(items, orders=None))
        if self.family != "dueling" or type(self.known) is not int:
            raise InputError(
                "items are for arms that duel each other, or whose outputs are scored: expected "
                "labels, or a TopK as the problem"
            )
        return replace(self, items=items)

    @property
    def asks_duels(self) -> bool:
        """Whether all that is asked is which of two is better."""
        return self.family in ("dueling", "matchings")

    @property
    def is_votes(self) -> bool:
        """Whether answers are votes: duels of arms that may be asked time and again."""
        return self.family == "dueling" and self.items is None and not self.shares

    @property
    def is_scores(self) -> bool:
        """Whether answers are scores of outputs, of each arm on each item of a test set."""
        return self.family == "subsets" and self.items is not None

    @property
    def things(self) -> tuple[str, ...]:
        """What is shown: the labels of arms or elements, of a graph those of candidates."""
        graph = self._graph
        return self.labels if graph is None else graph.candidate_labels

    def duel(self, i: int, j: int) -> tuple[tuple[str, str], str]:
        """The labels of two that duel, and what they duel for; empty if it is just which."""
        graph = self._graph
        if graph is None:
            return (self.labels[i], self.labels[j]), ""
        first, second = (graph.candidate_labels[graph.edges[edge][0]] for edge in (i, j))
        return (first, second), graph.position_labels[graph.edges[i][1]]

    def asks(self, question: str) -> bool:
        """Whether a session may ask for this; of a graph in a file edges are not compared."""
        try:
            slot = Slot.of_id(slot_of(question))
        except ValueError:
            return False
        members, items = slot.members, self.items
        most = 10**15 if items is None else items.cells
        if slot.id != slot_of(question) or not 1 <= slot.number <= most:
            return False
        if slot.duel != self.asks_duels or not all(0 <= k < len(self.labels) for k in members):
            return False
        if self.is_scores and not isinstance(slot.row, int):
            return False
        if self.family == "matchings" and self.known is not None:
            first, second = (self.known.edges[number] for number in members)
            return members[0] < members[1] and bool(first[1] == second[1])
        return not slot.duel or members[0] < members[1]

    def describe(self, answer: Any) -> str:
        """An answer of a learner by labels."""
        if answer is None:
            return "none"
        if self.family in ("subsets", "separable") and not self.is_scores:
            return str(self.known.describe(answer))
        chosen = [answer] if isinstance(answer, int) else answer
        ranking = self.family == "dueling" and len(chosen) == len(self.labels)
        return (" > " if ranking else ", ").join(self.labels[number] for number in chosen)

    def _known_as_json(self) -> dict[str, Any] | None:
        """What a learner may know, in plain values; None where there are none for it."""
        if self.family == "dueling" and type(self.known) is int:
            return {"games": "pairs"} if self.shares else {}
        from cpe_opt.problems.matchings.bipartite import BipartiteGraph
        from cpe_opt.problems.subsets.matroids import TopK

        if type(self.known) is BipartiteGraph:
            return {
                "candidates": list(self.known.candidate_labels),
                "positions": list(self.known.position_labels),
                "edges": [list(edge) for edge in self.known.edges],
            }
        return {"k": self.known.k} if type(self.known) is TopK else None

    @property
    def _graph(self) -> BipartiteGraph | None:
        """The graph of candidates and positions, where it is about them."""
        graph: BipartiteGraph | None = self.known if self.family == "matchings" else None
        return graph if hasattr(graph, "candidate_labels") else None


@dataclass(frozen=True)
class ProblemFile:
    """Where a problem is read from, so that a session can read it again."""

    path: str  # a file, `script.py:name`, or the name of a built-in instance
    k: int | None = None  # as for load_problem

    def as_json(self) -> dict[str, Any]:
        """Plain values, with the whole path."""
        file, colon, name = (
            self.path.rpartition(":") if is_script(self.path) else (self.path, "", "")
        )
        path = f"{Path(file).resolve()}{colon}{name}" if Path(file).exists() else self.path
        return {"path": path, "k": self.k}

    def load(self) -> object:
        """The problem; a script is run."""
        from cpe_opt.formats.problems import load_problem

        return load_problem(self.path, self.k)


@dataclass(frozen=True, eq=False)
class ItemSet:
    """The items that all pairs are compared on."""

    ids: tuple[str, ...]
    # what programs are told of each item, and raters shown, by name; empty for nothing
    contents: tuple[Mapping[str, Any], ...]
    orders: Orders | None  # None where outputs are scored

    @classmethod
    def of(cls, items: GivenItems, orders: Orders | None = None) -> Self:
        """Items as they are given: how many, their ids, or objects with an id and content."""
        if orders is not None and orders not in ORDERS:
            raise UnknownName("value of orders", orders, ORDERS)
        if isinstance(items, int | np.integer):
            items = [
                str(number) for number in range(checked_count("items", items, most=MOST_ITEMS))
            ]
        elif not isinstance(items, Sequence) or isinstance(items, str | bytes):
            raise InputError(
                f"items is {shown_value(items)}, expected how many, or a list of ids or of objects"
            )
        given = [item_of(f"items[{number}]", each) for number, each in enumerate(items)]
        if not 1 <= len(given) <= MOST_ITEMS:
            raise InputError(f"items: {len(given):,} given, expected 1 to {MOST_ITEMS:,}")
        ids = tuple(each.pop(ID) for each in given)
        if (pair := repeated(ids)) is not None:
            raise InputError(
                f"items: {pair[0]} and {pair[1]} are both called {ids[pair[1]]!r}, expected ids "
                "that differ as texts"
            )
        return cls(ids, tuple(given), orders or "both")

    def as_json(self) -> dict[str, Any]:
        """Plain values, as a log keeps them."""
        pairs = zip(self.ids, self.contents, strict=True)
        return {"orders": self.orders, "items": [{ID: name, **each} for name, each in pairs]}

    def shown(self, number: int) -> dict[str, Any]:
        """An item as a question has it."""
        return {"id": self.ids[number], **self.contents[number]}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The numbers of the items by their ids."""
        return {name: number for number, name in enumerate(self.ids)}

    @property
    def cells(self) -> int:
        """How many cells a pair has, or an arm whose outputs are scored."""
        return len(self.ids) * self.each

    @property
    def each(self) -> int:
        """How many cells of a pair, or an arm, an item has."""
        return 2 if self.orders == "both" else 1


def item_of(place: str, given: object) -> dict[str, Any]:
    """An item as an object with an id, a text; numbers are written as texts."""
    item = {ID: given} if isinstance(given, str | float | int | np.generic) else given
    if not isinstance(item, Mapping) or ID not in item or "id" in item:
        raise InputError(
            f"{place}: found {shown_value(given)}, expected an id, or an object with the id under "
            f"the key {ID!r}, and none under 'id'"
        )
    content = {str(key): value for key, value in item.items() if key != ID}
    try:
        text = json.dumps(content, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise InputError(f"{place}: {shown_value(content)} has what no JSON can hold") from None
    check_characters(f"{place}: the content", text)
    name = item[ID].item() if isinstance(item[ID], np.generic) else item[ID]
    if isinstance(name, int) or (isinstance(name, float) and math.isfinite(name)):
        with suppress(ValueError):  # more digits than Python writes
            name = str(name)
    return {ID: checked_text(f"{place}: the id", name).strip(), **content}


class Cell(NamedTuple):
    """A cell of a pair (i, j), i < j, or of an arm."""

    item: int  # the number of the item
    second: bool  # whether j is shown first


class Cells:
    """The cells that a session asks, each pair's in an order that the seed draws."""

    def __init__(
        self,
        items: ItemSet,
        arms: int,
        seed: int | str,
        known: KnownCells | None = None,
        hints: FloatArray | None = None,  # (K, K, n, orders), NaN where there is none
    ) -> None:
        self.items, self._seed, self._known, self._hints = items, seed, known or {}, hints
        each = items.cells
        # how many cells there are in all, those that were answered before included
        self.count = each * arms * (arms - 1) // 2
        # (K, K); how many cells of each pair are asked
        self.remaining: IntArray = np.full((arms, arms), each, dtype=np.int64)
        np.fill_diagonal(self.remaining, 0)
        # (K, K); what each arm got against each other in all cells that were answered before
        self.answered: FloatArray = np.zeros((arms, arms))
        for (i, j), outcomes in self._known.items():
            self.remaining[i, j] = self.remaining[j, i] = each - len(outcomes)
            row = math.fsum(outcomes.values())
            self.answered[i, j], self.answered[j, i] = row, len(outcomes) - row
        self._orders: dict[tuple[int, int], list[Cell]] = {}

    @property
    def told(self) -> dict[str, Any]:
        """What a learner is told of them."""
        told: dict[str, Any] = {"cells": self.remaining}
        if self._known:
            told["answered"] = self.answered
        if self._foretold is not None:
            told["hints"] = self._foretold.told_hints
        return told

    def hint(self, slot: Slot) -> float:
        """What the first of a pair gets in a cell by its hint; NaN without hints."""
        if self._foretold is None or self._foretold.hints is None:
            return math.nan
        cell = self.cell(slot)
        order = int(self.items.orders == "both" and cell.second)
        return float(self._foretold.hints[(*slot.members, cell.item, order)])

    @cached_property
    def _foretold(self) -> ItemDuels | None:
        """The cells that are asked, of whatever outcome, with their hints."""
        from cpe_opt.problems.dueling.items import ItemDuels

        if self._hints is None:
            return None
        asked = np.full(self._hints.shape, 0.5)
        for (i, j), known in self._known.items():
            for item, second in known:
                order = int(self.items.orders == "both" and bool(second))
                asked[i, j, item, order] = asked[j, i, item, order - 1] = np.nan
        return ItemDuels(asked, hints=self._hints)

    def cell(self, slot: Slot) -> Cell:
        """The cell of a slot of a pair."""
        i, j = slot.members
        if (i, j) not in self._orders:
            self._orders[i, j] = self._permutation(i, j)
        order = self._orders[i, j]
        if not 0 < slot.number <= len(order):
            raise InputError(f"question {slot.id!r} is none of the {len(order):,} of its pair")
        return order[slot.number - 1]

    def _permutation(self, i: int, j: int) -> list[Cell]:
        """The cells of a pair that were not answered before, sorted by their hashes."""
        known, both = self._known.get((i, j), {}), self.items.orders == "both"
        hashed: list[tuple[bytes, Cell]] = []
        for number, name in enumerate(self.items.ids):
            text = f"{i}-{j}/{name}"
            for second in (False, True) if both else (None,):
                if (number, second) not in known:
                    cell = f"{self._seed}/{text}/{second}/cell".encode("utf-8", "replace")
                    shown = drawn(self._seed, f"{text}/order") if second is None else second
                    key = hashlib.blake2b(cell, digest_size=16).digest()
                    hashed.append((key, Cell(number, shown)))
        return [cell for _, cell in sorted(hashed)]


class OutputCells:
    """The cells of arms whose outputs are scored, in one order of the items for all of them."""

    def __init__(
        self, items: ItemSet, arms: int, seed: int | str, hints: FloatArray | None = None
    ) -> None:
        self.items, self._seed, self._hints = items, seed, hints
        # how many cells there are in all
        self.count = items.cells * arms

    def cell(self, slot: Slot) -> Cell:
        """The cell of a slot of an arm."""
        if not 0 < slot.number <= len(self._order):
            raise InputError(f"question {slot.id!r} is none of the {len(self._order):,} of its arm")
        return Cell(self._order[slot.number - 1], second=False)

    @property
    def told(self) -> dict[str, Any]:
        """What a learner is told of them."""
        from cpe_opt.problems.subsets.item_scores import ItemScores

        told: dict[str, Any] = {"cells": self.items.cells}
        if self._hints is not None:
            told["hints"] = ItemScores(np.zeros(self._hints.shape), hints=self._hints).hints
        return told

    @cached_property
    def _order(self) -> list[int]:
        """The items, sorted by their hashes."""
        hashed = [
            (hashlib.blake2b(f"{self._seed}/{name}/item".encode("utf-8", "replace")).digest(), at)
            for at, name in enumerate(self.items.ids)
        ]
        return [number for _, number in sorted(hashed)]


AnyCells: TypeAlias = Cells | OutputCells


@dataclass(frozen=True, slots=True)
class Slot:
    """One duel of a pair, or one pull."""

    row: RowKey  # a pair, the smaller number first; an arm; the elements of a set
    number: int  # from 1
    duel: bool  # whether the row is a pair

    @property
    def id(self) -> str:
        """Such as ``3-7.12``, the twelfth duel of arms 3 and 7; ``3.2``; ``0+4+5.1``; ``3+.1``."""
        if isinstance(self.row, int):
            return f"{self.row}.{self.number}"
        if self.duel:
            return f"{self.row[0]}-{self.row[1]}.{self.number}"
        end = "+" if len(self.row) == 1 else ""
        return f"{'+'.join(map(str, self.row))}{end}.{self.number}"

    @classmethod
    def of_id(cls, text: str) -> Slot:
        """The slot of an id; :class:`ValueError` if it is not one."""
        row, _, number = text.partition(".")
        if "-" in row:
            first, second = map(int, row.split("-"))
            return cls((first, second), int(number), duel=True)
        if "+" in row:
            return cls(tuple(map(int, row.rstrip("+").split("+"))), int(number), duel=False)
        return cls(int(row), int(number), duel=False)

    @property
    def members(self) -> tuple[int, ...]:
        """The numbers of the arms, edges or elements that it is about."""
        return (self.row,) if isinstance(self.row, int) else self.row

    @property
    def query(self) -> Duel | Pull | PullSets:
        """What is asked: one duel, or one pull."""
        if isinstance(self.row, int):
            return Pull(self.row)
        return Duel(*self.row) if self.duel else PullSets((self.row,), (1,))


def slot_of(question: str) -> str:
    """The id of the slot that a question is about."""
    return question.removesuffix(REPEAT)


def drawn(seed: int | str, what: str) -> bool:
    """A fair coin that a seed and a text decide, the same on every machine."""
    digest = hashlib.blake2b(f"{seed}/{what}".encode(), digest_size=8).digest()
    return bool(digest[0] & 1)
