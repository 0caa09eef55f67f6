r"""The items of a session over a fixed test set, and the order in which cells are asked.

A session over :math:`n` items compares each pair of arms on each item, and never asks a *cell*
twice (:mod:`cpe_opt.problems.dueling.items`). What the cells are is said by ``orders``:

- ``both``, the default: :math:`2n` cells a pair, each item in one order and in the other;
- ``random``: :math:`n` cells a pair; which arm is shown first is drawn for each;
- ``paired``: :math:`n` cells a pair, each asked in both orders at once: one question with two
  answers, of which the outcome is the mean.

The k-th slot of a pair (:mod:`cpe_opt.sessions.replay`) is the k-th cell of a permutation: cells
are sorted by hashes of the seed, the pair, the item and the order. So each pair has a uniformly
random permutation, independent of those of other pairs, the same on every machine and in every
version. What is proved rests on it alone, so that each session has a seed of its own: an order of
which answers were seen is no random one for arms that were made after that.

Cells that were answered before the session are no part of the permutation, for they may have been
chosen by what they say: a learner is told how many cells remain, and the sums of the outcomes of
the others, which are known.

An item has an id and, optionally, content: what programs are told and raters shown of it.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formats.tables import json_values, kind_of, read_table
from cpe_opt.sessions.replay import Slot, drawn
from cpe_opt.text import numbered_lines, require_file
from cpe_opt.validation import check_characters, checked_count, checked_text, repeated, shown_value

Orders = Literal["random", "both", "paired"]
GivenItems: TypeAlias = int | Sequence[str | float | np.generic | Mapping[str, Any]]
"""How many items, their ids, texts or numbers, or objects with an id and content."""
KnownCells: TypeAlias = Mapping[tuple[int, int], Mapping[tuple[int, bool | None], float]]
"""By pair (i, j), i < j, and by item and whether j was shown first: what i got."""
ORDERS: tuple[Orders, ...] = ("random", "both", "paired")
MOST_ITEMS = 1_000_000
ID = "item"
"""The key of an item's id, in a file of items."""


class Cell(NamedTuple):
    """A cell of a pair (i, j), i < j."""

    item: int  # the number of the item
    second: bool  # whether j is shown first, at first where both orders are asked at once


@dataclass(frozen=True, eq=False)
class ItemSet:
    """The items that all pairs are compared on."""

    ids: tuple[str, ...]
    # what programs are told of each item, and raters shown, by name; empty for nothing
    contents: tuple[Mapping[str, Any], ...]
    orders: Orders

    @classmethod
    def of(cls, items: GivenItems, orders: Orders | None = None) -> Self:
        """Items as they are given: how many, their ids, or objects with an id and content."""
        if orders is not None and orders not in ORDERS:
            raise UnknownName("value of orders", orders, ORDERS)
        if isinstance(items, int | np.integer):
            count = checked_count("items", items, most=MOST_ITEMS)
            given: list[dict[str, Any]] = [{ID: str(number)} for number in range(count)]
        elif isinstance(items, Sequence) and not isinstance(items, str | bytes):
            given = [_object(f"items[{number}]", each) for number, each in enumerate(items)]
        else:
            raise InputError(
                f"items is {shown_value(items)}, expected how many, or a list of ids or of objects"
            )
        if not 1 <= len(given) <= MOST_ITEMS:
            raise InputError(f"items: {len(given):,} given, expected 1 to {MOST_ITEMS:,}")
        ids = tuple(each.pop(ID) for each in given)
        if (pair := repeated(ids)) is not None:
            raise InputError(
                f"items: {pair[0]} and {pair[1]} are both called {ids[pair[1]]!r}, expected ids "
                "that differ as texts"
            )
        return cls(ids, tuple(given), orders or "both")

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> Self:
        """Read what :meth:`as_json` made."""
        return cls.of(content["items"], content["orders"])

    def as_json(self) -> dict[str, Any]:
        """Plain values, as a log keeps them."""
        pairs = zip(self.ids, self.contents, strict=True)
        return {"orders": self.orders, "items": [{ID: name, **each} for name, each in pairs]}

    @property
    def paired(self) -> bool:
        """Whether both orders are asked at once."""
        return self.orders == "paired"

    def shown(self, number: int) -> dict[str, Any]:
        """What is told of an item: its id, and its content."""
        return {"id": self.ids[number], **self.contents[number]}


class Cells:
    """The cells that a session asks, each pair's in an order that the seed draws.

    ``known`` has, by pair (i, j), i < j, what i got in cells that were answered before, by item and
    order: whether j was shown first; None where both orders are one cell, or it is not known.
    """

    def __init__(
        self,
        items: ItemSet,
        arms: int,
        seed: int,
        known: KnownCells | None = None,
    ) -> None:
        self.items, self._seed, self._known = items, seed, known or {}
        each = len(items.ids) * (2 if items.orders == "both" else 1)
        # how many cells there are in all, those that were answered before included
        self.count = each * arms * (arms - 1) // 2
        # (K, K); how many cells of each pair are asked
        self.remaining: IntArray = np.full((arms, arms), each, dtype=np.int64)
        np.fill_diagonal(self.remaining, 0)
        # (K, K); the sums of what each arm got against each other in cells that were answered
        # before
        self.answered: FloatArray = np.zeros((arms, arms))
        for (i, j), outcomes in self._known.items():
            self.remaining[i, j] = self.remaining[j, i] = each - len(outcomes)
            row = math.fsum(outcomes.values())
            self.answered[i, j], self.answered[j, i] = row, len(outcomes) - row
        self._orders: dict[tuple[int, int], list[Cell]] = {}

    def cell(self, slot: Slot) -> Cell:
        """The cell of a slot of a pair."""
        i, j = slot.row  # type: ignore[misc]
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


def read_items(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The items of a file, for ``items`` of :meth:`cpe_opt.Session.open`."""
    path = require_file(path)
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson", ".json"):
        items = list(islice(_of_json(path), MOST_ITEMS + 1))  # too many are refused where they go
    elif suffix == ".csv":
        table = read_table(path, comments=False)
        names = {name.strip().lower(): name for name in table.columns}
        if ID not in names:
            raise InputError(f"{path.name}: no column {ID!r}; found {', '.join(table.columns)}")
        ids = table.distinct(names.pop(ID))
        cells = {name: table.texts(column) for name, column in names.items() if name}
        items = [
            {ID: each, **{name: texts[row] for name, texts in cells.items() if texts[row]}}
            for row, each in enumerate(ids)
        ]
    else:
        items = []
        places: dict[str, str] = {}
        for number, line in numbered_lines(path):
            name, place = line.strip(), f"line {number}"
            if name and places.setdefault(name, place) != place:
                raise _twice(path.name, place, name, places[name])
            items += [{ID: name}] if name else []
    if not items:
        raise InputError(f"{path.name}: no items, expected one a line")
    return items


def _of_json(path: Path) -> Iterator[dict[str, Any]]:
    places: dict[str, str] = {}
    for place, value in json_values(path):
        if not isinstance(value, dict):
            found = kind_of(value)
            raise InputError(f"{path.name}, {place}: {found}, expected an object")
        item = _object(f"{path.name}, {place}", value)
        name = item[ID]
        if places.setdefault(name, place) != place:
            raise _twice(path.name, place, name, places[name])
        yield item


def _twice(source: str, place: str, name: str, before: str) -> InputError:
    return InputError(f"{source}, {place}: the item {name!r} again, as on {before}")


def _object(place: str, given: object) -> dict[str, Any]:
    """An item as an object with an id, a text; numbers are written as texts."""
    item = {ID: given} if isinstance(given, str | float | int | np.generic) else given
    if not isinstance(item, Mapping):
        raise InputError(
            f"{place}: found {shown_value(given)}, expected an id or an object with one"
        )
    if ID not in item:
        keys = ", ".join(map(str, item)) or "no keys"
        raise InputError(f"{place}: found {keys}; expected the key {ID!r} with the id of the item")
    if "id" in item:
        raise InputError(f"{place}: a key 'id'; the id of an item is its key {ID!r}")
    content = {str(key): value for key, value in item.items() if key != ID}
    try:
        written = json.dumps(content, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise InputError(f"{place}: {shown_value(content)} has what no JSON can hold") from None
    check_characters(f"{place}: the content", written)
    name = item[ID].item() if isinstance(item[ID], np.generic) else item[ID]
    if isinstance(name, int) or (isinstance(name, float) and math.isfinite(name)):
        with suppress(ValueError):  # more digits than Python writes
            name = str(name)
    return {ID: checked_text(f"{place}: the id", name).strip(), **content}
