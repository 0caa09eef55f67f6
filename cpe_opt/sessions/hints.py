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

**How good they were** (:class:`Agreement`) is an estimate, and nothing that is proved rests on it.
With :math:`r` the correlation of answers and hints, each less the mean of its pair, what hints
leave over has the variance :math:`1 - r^2`. If answers paid by their variance alone,
:math:`1 / (1 - r^2)` times as many would have been needed without hints; stakes are bounded, and
answers are needed to find out which pairs matter, so that it is less: about that number to the
power of 2/3, measured on 8 arms and 150 items, within a tenth where judges agree in 50 to 95 %. Of
scores the means of items and of arms are taken off, as arms are compared on the same items.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError, listed
from cpe_opt.experiments.fingerprint import json_digest
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.subsets.item_scores import ItemScores

if TYPE_CHECKING:
    import numpy.typing as npt

    GivenHints: TypeAlias = npt.ArrayLike | ItemDuels | ItemScores

_SCALE = 4.0  # of the logistic
_STEP = 2.0**-20  # of which hints are multiples, so that 1 - x and sums are exact
_LEAST_COMPARED = 10  # answers, for a correlation
_MOST_EXPLAINED = 0.99
_POWER = 2.0 / 3.0  # of the ratio of variances, by which answers are spared
LATE = (
    "hints: this session was begun without any, and hints that come later have to be followed by a "
    "fresh order: begin a new file with them, which draws one; cells that were compared are taken "
    "over by prior= (--prior)"
)


@dataclass(frozen=True, eq=False)
class Hints:
    """The hints of a session, NaN where there is none."""

    of: Literal["cells", "outputs"]
    # of outputs (K, n); of cells (K, K, n, orders), both directions, orders as cells have them
    values: FloatArray
    orders: int

    @classmethod
    def of_given(
        cls, given: Any, labels: Sequence[str], ids: Sequence[str], orders: int, *, scored: bool
    ) -> Self:
        """Hints as somebody gives them, on arms and items; ``scored`` if outputs are."""
        arms, count = len(labels), len(ids)
        other_names = ""
        if isinstance(given, ItemDuels | ItemScores):
            asked, found = (
                f"the arms {listed(arms, 'arms', 2)} and the items {listed(items, 'items', 2)}"
                for arms, items in ((labels, ids), (given.labels, given.items))
            )
            other_names = f"; found {found}; expected {asked}"
            given = _in_order_of(given, labels, ids)
        values = checked_array("hints", given)
        outputs = values.shape == (arms, count)
        cells = values.shape in ((arms, arms, count), *((arms, arms, count, o) for o in (1, 2)))
        if not outputs and (scored or not cells):
            found = " × ".join(map(str, values.shape)) or "a single number"
            of_cells = "" if scored else f"{arms} × {arms} × {count} (× 2 orders) or "
            raise InputError(
                f"hints: found {found}, expected {of_cells}{arms} × {count}, arms × items"
            )
        if ((values < 0.0) | (values > 1.0)).any():
            raise InputError("hints: expected numbers from 0 to 1, or NaN where there is none")
        if np.isnan(values).all():
            raise InputError(f"hints: there is none for a cell of this session{other_names}")
        if not outputs:
            values = _of_cells(values, orders)
        return cls("outputs" if outputs else "cells", values, orders)

    @classmethod
    def of_json(cls, content: dict[str, Any], arms: int, count: int, orders: int) -> Self:
        """Read what :meth:`as_json` made, of so many arms and items."""
        if content["fingerprint"] != json_digest(content["values"]):
            raise InputError("the hints are not those of this session")
        stored = np.array(content["values"], dtype=np.float64)
        if content["of"] == "outputs":
            return cls("outputs", stored.reshape(arms, count), orders)
        values = np.full((arms, arms, count, orders), np.nan)
        for (i, j), row in zip(combinations(range(arms), 2), stored, strict=True):
            values[i, j] = row
        return cls("cells", _both(values), orders)

    def as_json(self) -> dict[str, Any]:
        """Plain values, of outputs by arm, of cells by pair, and their fingerprint."""
        rows = self.values
        if self.of == "cells":
            rows = rows[np.triu_indices(len(rows), 1)]
        kept = rows.astype(object)
        kept[np.isnan(rows)] = None
        values = kept.tolist()
        return {"of": self.of, "values": values, "fingerprint": json_digest(values)}

    @cached_property
    def of_duels(self) -> FloatArray:
        """(K, K, n, orders); what each arm gets against each other in each cell, NaN for none."""
        if self.of == "cells":
            return self.values
        lead = self.values[:, None, :] - self.values[None, :, :]
        x = _on_steps(1.0 / (1.0 + np.exp(-_SCALE * lead)))
        x = np.where(np.triu(np.ones(x.shape[:2]), 1)[..., None] > 0, x, np.nan)
        return _both(np.repeat(x[..., None], self.orders, axis=3))

    def of_pair(self, i: int, j: int) -> FloatArray:
        """(n, orders); what i gets against j, a cell without a hint the mean of the pair."""
        return _completed(self.of_duels[i, j])

    @cached_property
    def of_outputs(self) -> FloatArray:
        """(K, n); of scored outputs, one without a hint the mean of its arm."""
        return np.stack([_completed(row) for row in self.values])

    @property
    def count(self) -> int:
        """How many outputs or cells have a hint."""
        return int((~np.isnan(self._each)).sum())

    @property
    def missing(self) -> int:
        """How many outputs or cells have none."""
        return int(np.isnan(self._each).sum())

    @property
    def _each(self) -> FloatArray:
        """Of each output, or of each cell once."""
        of_cells = self.of == "cells"
        return self.of_duels[np.triu_indices(len(self.values), 1)] if of_cells else self.values

    def agreement(self, answers: ItemDuels | ItemScores) -> Agreement:
        """How well they foretold answers."""
        if isinstance(answers, ItemScores):
            return _of_scores(self.values, answers.scores)
        upper = np.triu_indices(len(answers.outcomes), 1)
        x, y = (
            each[upper].reshape(len(upper[0]), -1) for each in (self.of_duels, answers.outcomes)
        )
        return _of_duels(x, y, self._first())

    def _first(self) -> float:
        """What the arm shown first gets by them on average; NaN where no order says so."""
        if self.of == "outputs" or self.orders == 1:
            return math.nan
        pairs = self.of_duels[np.triu_indices(len(self.values), 1)]
        known = pairs[~np.isnan(pairs).any(axis=2)]
        return math.nan if not len(known) else float((known[:, 0] + 1.0 - known[:, 1]).mean() / 2.0)


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How well hints foretold the answers so far; estimates, on which no proof rests."""

    compared: int  #: answers with a hint; of duels those where neither is a tie
    same: float  #: of duels, the share of these in which both prefer the same arm; else NaN
    off: float  #: of scores, by how much hints are off on average; else NaN
    explained: float  #: the share of the variance of answers that hints explain; NaN if unknown
    first: float  #: what the arm shown first gets by the hints on average; NaN if unknown

    def saved(self, answers: int, left: int) -> int | None:
        """About how many answers were saved, of those that are left; None if that is unknown."""
        if math.isnan(self.explained):
            return None
        ratio = 1.0 / (1.0 - min(self.explained, _MOST_EXPLAINED))
        spared: int = round(answers * (ratio**_POWER - 1.0))
        return min(left, spared)

    def line(self, answers: int, left: int) -> str:
        """All of it in a line."""
        parts = []
        if not math.isnan(self.same):
            parts.append(f"agrees in {100 * self.same:.0f} % of {self.compared:,} decided answers")
        if not math.isnan(self.off):
            parts.append(f"off by {self.off:.2f} on average in {self.compared:,} answers")
        if not math.isnan(self.first):
            parts.append(f"gives what is shown first {100 * self.first:.0f} % on average")
        if (saved := self.saved(answers, left)) is not None:
            parts.append(f"saved about {saved:,} answers (an estimate)")
        return "; ".join([*parts, "nothing that is proved rests on it"])


def _of_duels(x: FloatArray, y: FloatArray, first: float) -> Agreement:
    """By pair and cell, each less the mean of its pair."""
    both = ~np.isnan(x) & ~np.isnan(y)
    decided = both & (x != 0.5) & (y != 0.5)
    compared = int(decided.sum())
    same = float(((x > 0.5) == (y > 0.5))[decided].mean()) if compared else math.nan
    pairs = int(both.any(axis=1).sum())
    explained = _explained(_centred(x, both), _centred(y, both), int(both.sum()) - pairs)
    return Agreement(compared=compared, same=same, off=math.nan, explained=explained, first=first)


def _of_scores(x: FloatArray, y: FloatArray) -> Agreement:
    """By arm and item, each less the means of its item and its arm."""
    both = ~np.isnan(x) & ~np.isnan(y)
    compared = int(both.sum())
    off = float(np.abs(x - y)[both].mean()) if compared else math.nan
    both = both & (both.sum(axis=0) >= 2)
    free = int(both.sum() - both.any(axis=0).sum() - both.any(axis=1).sum()) + 1
    rest = [_centred(_centred(each.T, both.T).T, both) for each in (x, y)]
    return Agreement(
        compared=compared,
        same=math.nan,
        off=off,
        explained=_explained(rest[0], rest[1], free),
        first=math.nan,
    )


def _centred(values: FloatArray, known: npt.NDArray[np.bool_]) -> FloatArray:
    """What is known, less the mean of its row; 0 elsewhere."""
    values = np.where(known, values, 0.0)
    mean = values.sum(axis=1) / np.maximum(1, known.sum(axis=1))
    return np.where(known, values - mean[:, None], 0.0)


def _explained(x: FloatArray, y: FloatArray, free: int) -> float:
    """The share of y's variance that x explains, less what is due to noise; NaN of few answers."""
    of_x, of_y, common = float((x * x).sum()), float((y * y).sum()), float((x * y).sum())
    if free < _LEAST_COMPARED or of_x <= 1e-12 or of_y <= 1e-12:
        return math.nan
    rest = (1.0 - common * common / (of_x * of_y)) * free / (free - 1)
    return max(0.0, 1.0 - rest) if common > 0.0 else 0.0


def _completed(values: FloatArray) -> FloatArray:
    """Numbers of which those that are missing are the mean of the others, or one half."""
    known = values[~np.isnan(values)]
    mean = math.fsum(known.tolist()) / len(known) if len(known) else 0.5
    return np.where(np.isnan(values), _on_steps(np.array(mean)), values)


def _on_steps(values: FloatArray) -> FloatArray:
    """Numbers as multiples of the step."""
    return np.asarray(np.rint(values / _STEP) * _STEP)


def _of_cells(values: FloatArray, orders: int) -> FloatArray:
    """(K, K, n, orders) in both directions; where an item is one cell, the mean of both orders."""
    values = _on_steps(ItemDuels(values, name="hints").outcomes)
    if values.shape[3] == orders:
        return values
    if orders == 2:
        return _both(np.repeat(values, 2, axis=3))
    known = (~np.isnan(values)).sum(axis=3)
    sums = np.nansum(values, axis=3)
    mean = np.divide(sums, known, out=np.full_like(sums, np.nan), where=known > 0)
    return _both(_on_steps(mean[..., None]))


def _both(values: FloatArray) -> FloatArray:
    """Both directions of what the first arm of each pair gets; of one order the same in both."""
    mirror = 1.0 - values.transpose(1, 0, 2, 3)[..., ::-1]
    upper = np.triu(np.ones(values.shape[:2]), 1)[..., None, None] > 0
    return np.where(upper, values, np.where(upper.transpose(1, 0, 2, 3), mirror, np.nan))


def _in_order_of(
    given: ItemDuels | ItemScores, labels: Sequence[str], ids: Sequence[str]
) -> FloatArray:
    """The table of hints by the labels and items of a session; what it lacks is NaN."""
    table = given.scores if isinstance(given, ItemScores) else given.outcomes
    arms = {label: number for number, label in enumerate(given.labels)}
    items = {name: number for number, name in enumerate(given.items)}
    rows = [arms.get(label, len(arms)) for label in labels]
    columns = [items.get(name, len(items)) for name in ids]
    if isinstance(given, ItemScores):
        wider = np.pad(table, [(0, 1), (0, 1)], constant_values=np.nan)
        return wider[np.ix_(rows, columns)]
    wider = np.pad(table, [(0, 1), (0, 1), (0, 1), (0, 0)], constant_values=np.nan)
    return wider[np.ix_(rows, rows, columns, range(table.shape[3]))]
