r"""Hints of a session: what a cheap judge says of its cells, fixed before the order is drawn.

A hint is a number x in [0, 1] of a cell, about which nothing is assumed: the answer of a small
model, a metric, the answers of last month. Of arms that duel it is what the first arm of the pair
gets, and may follow from scores s of their outputs: on item t

.. math:: x_{ij} = \frac{1}{1 + e^{-4 (s_{it} - s_{jt})}},

in both orders. Of arms whose outputs are scored it is the score of an output. A cell without a hint
has the mean of those of its pair, or its arm, and one half if there is none. Learners take off from
an answer what its hint foretold. That is fair, because the next cell is uniform among those that
are left, whatever the hints are, **as long as they were made without knowledge of the order** in
which cells are asked: of all cells, or of some that were drawn by other random numbers.

**How good they were** is said in words (:meth:`Hints.agreement`), and nothing that is proved rests
on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, checked_array
from cpe_opt.errors import InputError, listed
from cpe_opt.experiments.fingerprint import json_digest
from cpe_opt.learners.queries import Learner
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.queries import Batch, Duel, Pull
from cpe_opt.problems.subsets.item_scores import ItemScores

if TYPE_CHECKING:
    import numpy.typing as npt

    from cpe_opt.sessions.questions import ItemSet, QuestionSet

    GivenHints: TypeAlias = npt.ArrayLike | ItemDuels | ItemScores

_SCALE = 4.0  # of the logistic
LATE = (
    "hints: this session was begun without any, and hints that come later have to be followed by a "
    "fresh order: begin a new file with them, which draws one; cells that were compared are taken "
    "over by prior= (--prior)"
)


def every_cell(known: Any, *, cells: Any, limit: int | None = None) -> Learner:
    """A learner that asks all cells at once, or so many, and finds nothing: for a cheap judge."""
    if isinstance(known, int):
        pairs = list(combinations(range(known), 2))
        every: Iterator[Duel | Pull] = (
            Duel(i, j) for t in range(int(cells.max())) for i, j in pairs if t < cells[i, j]
        )
    else:
        every = (Pull(arm) for _ in range(cells) for arm in range(len(known.labels)))
    yield Batch(tuple(islice(every, limit)))


@dataclass(frozen=True, eq=False)
class Hints:
    """The hints of a session, NaN where there is none."""

    # of outputs (K, n); of cells (K, K, n, orders), both directions, orders as cells have them
    values: FloatArray
    orders: int

    @classmethod
    def of_given(cls, given: Any, about: QuestionSet) -> Self:
        """Hints as somebody gives them, on what a session asks about."""
        items, arms, other_names = _items_of(about), len(about.labels), ""
        if isinstance(given, ItemDuels | ItemScores):
            asked, found = (
                f"the arms {listed(arms, 'arms', 2)} and the items {listed(ids, 'items', 2)}"
                for arms, ids in ((about.labels, items.ids), (given.labels, given.items))
            )
            other_names = f"; found {found}; expected {asked}"
            given = _in_order_of(given, about.labels, items.ids)
        values, count = checked_array("hints", given), len(items.ids)
        outputs = values.shape == (arms, count)
        cells = values.shape in ((arms, arms, count), *((arms, arms, count, o) for o in (1, 2)))
        if not outputs and (about.is_scores or not cells):
            found = " × ".join(map(str, values.shape)) or "a single number"
            of_cells = "" if about.is_scores else f"{arms} × {arms} × {count} (× 2 orders) or "
            raise InputError(
                f"hints: found {found}, expected {of_cells}{arms} × {count}, arms × items"
            )
        if ((values < 0.0) | (values > 1.0)).any():
            raise InputError("hints: expected numbers from 0 to 1, or NaN where there is none")
        if np.isnan(values).all():
            raise InputError(f"hints: there is none for a cell of this session{other_names}")
        return cls(values if outputs else _of_cells(values, items.each), items.each)

    @classmethod
    def of_json(cls, content: dict[str, Any], about: QuestionSet) -> Self:
        """Read what :meth:`as_json` made."""
        items, arms = _items_of(about), len(about.labels)
        if content["fingerprint"] != json_digest(content["values"]):
            raise InputError("the hints are not those of this session")
        stored = np.array(content["values"], dtype=np.float64)
        if content["of"] == "outputs":
            return cls(stored.reshape(arms, len(items.ids)), items.each)
        values = np.full((arms, arms, len(items.ids), items.each), np.nan)
        values[np.triu_indices(arms, 1)] = stored
        return cls(_of_cells(values, items.each), items.each)

    def as_json(self) -> dict[str, Any]:
        """Plain values, of outputs by arm, of cells by pair, and their fingerprint."""
        rows = self.values if self.of == "outputs" else _by_pair(self.values)
        kept = rows.astype(object)
        kept[np.isnan(rows)] = None
        values = kept.tolist()
        return {"of": self.of, "values": values, "fingerprint": json_digest(values)}

    @property
    def of(self) -> Literal["cells", "outputs"]:
        """What they are of."""
        return "outputs" if self.values.ndim == 2 else "cells"

    @property
    def known(self) -> BoolArray:
        """Whether there is one, of each output, or of each cell of a pair once."""
        known = ~np.isnan(self.values)
        return known if self.of == "outputs" else _by_pair(known)

    @cached_property
    def of_duels(self) -> FloatArray:
        """(K, K, n, orders); what each arm gets against each other in each cell, NaN for none."""
        if self.of == "cells":
            return self.values
        lead = self.values[:, None, :, None] - self.values[None, :, :, None]
        x = 1.0 / (1.0 + np.exp(-_SCALE * lead))
        x[np.tril_indices(len(x))] = np.nan
        return _of_cells(x, self.orders)

    def agreement(self, answers: ItemDuels | ItemScores) -> str:
        """How well they foretold answers, in a line."""
        parts = []
        if isinstance(answers, ItemScores):
            off = np.abs(self.values - answers.scores)
            off = off[~np.isnan(off)]
            if len(off):
                parts.append(f"off by {off.mean():.2f} on average in {len(off):,} answers")
        else:
            x, y = map(_by_pair, (self.of_duels, answers.outcomes))
            decided = ~np.isnan(x) & ~np.isnan(y) & (x != 0.5) & (y != 0.5)
            if decided.any():
                same = 100.0 * ((x > 0.5) == (y > 0.5))[decided].mean()
                parts.append(f"agrees in {same:.0f} % of {decided.sum():,} decided answers")
        if not math.isnan(first := self._first()):
            parts.append(f"gives what is shown first {100.0 * first:.0f} % on average")
        return "; ".join([*parts, "nothing that is proved rests on it"])

    def _first(self) -> float:
        """What the arm shown first gets by them on average; NaN where no order says so."""
        if self.of == "outputs" or self.orders == 1:
            return math.nan
        pairs = _by_pair(self.values)
        known = pairs[~np.isnan(pairs).any(axis=2)]
        return math.nan if not len(known) else float((known[:, 0] + 1.0 - known[:, 1]).mean() / 2.0)


def _items_of(about: QuestionSet) -> ItemSet:
    """The items that hints are about, or :class:`InputError`."""
    if about.items is None:
        raise InputError("hints are of the cells of a test set: expected items as well")
    return about.items


def _by_pair(cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Of what each arm has against each other, that of the first of each pair."""
    return cells[np.triu_indices(len(cells), 1)]


def _of_cells(values: FloatArray, orders: int) -> FloatArray:
    """(K, K, n, orders) in both directions; where an item is one cell, the mean of both orders."""
    values = ItemDuels(values, name="hints").outcomes
    if values.shape[3] == orders:
        return values
    upper = np.where(np.triu(np.ones(values.shape[:2]), 1)[..., None, None] > 0, values, np.nan)
    if orders == 2:
        return ItemDuels(np.repeat(upper, 2, axis=3)).outcomes
    known = (~np.isnan(upper)).sum(axis=3, keepdims=True)
    sums = np.nansum(upper, axis=3, keepdims=True)
    mean = np.divide(sums, known, out=np.full_like(sums, np.nan), where=known > 0)
    return ItemDuels(mean).outcomes


def _in_order_of(
    given: ItemDuels | ItemScores, labels: Sequence[str], ids: Sequence[str]
) -> FloatArray:
    """The table of hints by the labels and items of a session; what it lacks is NaN."""
    scored = isinstance(given, ItemScores)
    table = given.scores if isinstance(given, ItemScores) else given.outcomes
    arms = [(given.labels, labels)] * (1 if scored else 2)
    for axis, (theirs, ours) in enumerate([*arms, (given.items, ids)]):
        place = {name: number for number, name in enumerate(theirs)}
        table = np.append(table, np.full_like(table.take([0], axis), np.nan), axis)
        table = table.take([place.get(name, len(place)) for name in ours], axis)
    return table
