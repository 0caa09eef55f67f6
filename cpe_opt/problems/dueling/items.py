r"""Duels over a fixed test set: every pair of arms has a number of cells, each with one outcome.

:math:`K` arms are compared on :math:`n` given items, such as prompts, questions or openings. A
*cell* is one comparison of a pair on one item; with both orders, in which either arm is shown
first, an item has two cells of a pair. The outcome :math:`y \in [0, 1]` of a cell is what one arm
gets against the other, ½ for a tie. Nothing is assumed of the outcomes: they are the numbers that
they are. What is asked for is the *full table*

.. math:: M_{ij} = \text{the mean of the outcomes of the pair's cells},

and its winners; a pair without cells is tied in it. A learner asks the cells of a pair in an order
drawn uniformly at random, for each pair independently of the others, and each at most once. The
sum of the first :math:`t` outcomes is then that of a sample without replacement, and after all
cells of a pair its entry of the table is known.

``Duel(i, j, times)`` asks for the next ``times`` cells of a pair; the observation is the sum of
what i gets in them, a float.

**Hints.** Each cell may have a number :math:`x \in [0, 1]` that costs next to nothing, a guess of
what arm i gets in it; j gets :math:`1 - x` by it. A cell without one has the mean of those of its
pair, or ½. Learners are told the hints of each pair in ascending order, and with the outcome of a
cell its hint: the observation is then :class:`cpe_opt.CellSums`
(:mod:`cpe_opt.proofs.dueling.cell_hints`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError, LearnerFault
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.environments import DuelRecorder, checked_duel, refuse_units
from cpe_opt.problems.pairs import TOLERANCE, entry_place
from cpe_opt.problems.queries import HINT_STEP, CellSums, Duel
from cpe_opt.validation import Labels, Name, Numbers, checked_labels, checked_types

MOST_CELLS = 2**27
"""The most cells of an array of outcomes: all pairs, in both directions together."""


class ItemDuels:
    """Duels over a fixed test set, each cell with one outcome.

    Parameters
    ----------
    outcomes : array_like, shape (K, K, n) or (K, K, n, 2)
        ``outcomes[i, j, t]`` in [0, 1] is what arm i gets against arm j on item t; NaN where the
        pair is not compared on it. One of ``[i, j, t]`` and ``[j, i, t]`` may be NaN, otherwise
        they add up to 1 (within 1e-9). With both orders the last axis says which arm is shown
        first: 0 for i, 1 for j, so that ``[i, j, t, 0]`` and ``[j, i, t, 1]`` are one cell. An arm
        against itself is NaN or ½.
    labels : sequence of str, optional
        One a person can read for each arm; "0", "1", … by default.
    items : sequence of str, optional
        The ids of the items; "0", "1", … by default.
    hints : array_like, shape as outcomes, optional
        Guesses of the outcomes, in [0, 1], in one direction or in both; NaN where there is none.
        Nothing is assumed of them, except that they say nothing of the order in which the cells are
        asked. They are rounded to multiples of 2**-20.
    name : str
        For titles and file names.

    Attributes
    ----------
    outcomes : float array, shape (K, K, n, orders)
        Of both directions, NaN if there is no cell; ``orders`` is 1 or 2.
    cells : int array, shape (K, K)
        How many cells each pair has; symmetric, 0 on the diagonal.
    hints : float array, shape (K, K, n, orders), or None
        Of both directions, one for each cell, NaN if there is no cell.

    Raises
    ------
    InputError
        Where an array has another shape, or an outcome or a hint is not in [0, 1] or contradicts
        its mirror image, or there is no outcome at all; or labels or items do not fit.

    Examples
    --------
    >>> duels = ItemDuels([[[np.nan] * 3, [1, 0.5, 1]], [[np.nan] * 3] * 2], labels=["a", "b"])
    >>> duels.cells[0, 1].item(), duels.table.array[0, 1].item(), duels.condorcet_winner
    (3, 0.8333333333333334, 0)
    """

    family = "dueling"

    @checked_types
    def __init__(
        self,
        outcomes: Numbers,
        labels: Labels | None = None,
        items: Labels | None = None,
        *,
        hints: Numbers | None = None,
        name: Name = "items",
    ) -> None:
        given = _checked_shape(outcomes)
        arms, count = given.shape[0], given.shape[2]
        self.labels = checked_labels(labels, arms)
        self.items = checked_labels(items, count, "item", "items")
        self.name = str(name)
        self.outcomes: FloatArray = _both_directions(given, self.labels, self.items)
        self.outcomes.flags.writeable = False
        self.cells: IntArray = np.asarray((~np.isnan(self.outcomes)).sum(axis=(2, 3)), np.int64)
        self.cells.flags.writeable = False
        self.hints: FloatArray | None = None
        if hints is not None:
            self.hints = _of_all_cells(
                checked_array("hints", hints), self.outcomes, self.labels, self.items
            )
            self.hints.flags.writeable = False

    def __repr__(self) -> str:
        cells = int(np.triu(self.cells, 1).sum())
        return (
            f"ItemDuels({self.name!r}, {self.known} arms, {len(self.items)} items, {cells:,} cells)"
        )

    @property
    def known(self) -> int:
        """What a learner may know of the problem: the number of arms."""
        return len(self.outcomes)

    @property
    def orders(self) -> int:
        """2 where both orders of an item are cells of their own, otherwise 1."""
        return int(self.outcomes.shape[3])

    @property
    def fingerprint(self) -> FloatArray:
        """The outcomes, and the hints if there are any."""
        return self.outcomes if self.hints is None else np.stack([self.outcomes, self.hints])

    @cached_property
    def told_hints(self) -> dict[tuple[int, int], FloatArray] | None:
        """What a learner is told of the hints: those of each pair (i, j), i < j, ascending."""
        if self.hints is None:
            return None
        pairs = np.argwhere(np.triu(self.cells, 1)).tolist()
        return {(i, j): np.sort(self.hints[i, j][~np.isnan(self.hints[i, j])]) for i, j in pairs}

    def environment(self, rng: np.random.Generator) -> ItemEnvironment:
        """Each pair's cells, in a random order of its own."""
        return ItemEnvironment(self, rng)

    def recorder(
        self, *, horizon: int | None = None, regret: str | None = None, points: int | None = None
    ) -> DuelRecorder:
        """Notes duels; there is no regret; see :class:`cpe_opt.Problem`."""
        refuse_units("items", regret)
        return DuelRecorder(np.full(self.cells.shape, np.nan), horizon=horizon, points=points)

    @cached_property
    def table(self) -> PreferenceMatrix:
        """The full table: the mean outcome of each pair's cells, ½ for a pair without any."""
        mean = np.full(self.cells.shape, 0.5)
        for i, j in np.argwhere(np.triu(self.cells, 1)).tolist():
            mean[i, j] = math.fsum(self.pair(i, j)) / self.cells[i, j]
            mean[j, i] = 1.0 - mean[i, j]
        return PreferenceMatrix(mean, self.labels, name=self.name)

    @property
    def copeland_winners(self) -> tuple[int, ...]:
        """Those of the table."""
        return self.table.copeland_winners

    @property
    def condorcet_winner(self) -> int | None:
        """The Condorcet winner of the table, or None."""
        return self.table.condorcet_winner

    @property
    def borda_winners(self) -> tuple[int, ...]:
        """Those of the table."""
        return self.table.borda_winners

    def pair(self, i: int, j: int) -> list[float]:
        """What arm i gets in the cells of a pair, by item and order."""
        outcomes = self.outcomes[i, j].ravel()
        values: list[float] = outcomes[~np.isnan(outcomes)].tolist()
        return values


class ItemEnvironment:
    """Answers :class:`cpe_opt.Duel` queries by the next cells of the pair."""

    def __init__(self, duels: ItemDuels, rng: np.random.Generator) -> None:
        self._duels = duels
        self._seed = int(rng.integers(2**63))
        self._left: dict[tuple[int, int], list[tuple[float, float, float]]] = {}

    def check(self, query: object) -> Duel:
        """The query; :class:`InputError` if it is not one, :class:`LearnerFault` without cells."""
        duel = checked_duel(query, self._duels.known)
        left = len(self._cells(duel.i, duel.j))
        if duel.times > left:
            raise LearnerFault(
                f"the learner asked {duel!r}, a pair with {left} of its "
                f"{self._duels.cells[duel.i, duel.j]} cells left; each is asked at most once"
            )
        return duel

    def answer(self, query: Duel) -> float | CellSums:
        """The sum of what arm i gets in the next cells of the pair, and of one cell its hint."""
        cells = self._cells(self.check(query).i, query.j)
        side = int(query.i > query.j)
        told = [cells.pop() for _ in range(query.times)]
        won = math.fsum(cell[side] for cell in told)
        if self._duels.hints is None:
            return won
        hint = told[0][2] if query.times == 1 else math.nan
        return CellSums(won, query.times - won, 1.0 - hint if side else hint)

    def _cells(self, i: int, j: int) -> list[tuple[float, float, float]]:
        """What either arm gets in each cell of a pair that is left, and its hint; the next last."""
        low, high = pair = (min(i, j), max(i, j))
        if pair not in self._left:
            # Of the other arm not ``pair(high, low)``, in which the orders of an item are swapped.
            outcomes = self._duels.pair(low, high)
            hints = [math.nan] * len(outcomes)
            if self._duels.hints is not None:
                of_pair = self._duels.hints[low, high].ravel()
                hints = of_pair[~np.isnan(of_pair)].tolist()
            cells = [(y, 1.0 - y, x) for y, x in zip(outcomes, hints, strict=True)]
            order = np.random.default_rng([self._seed, low, high]).permutation(len(cells))
            self._left[pair] = [cells[cell] for cell in order.tolist()]
        return self._left[pair]


def _checked_shape(outcomes: npt.ArrayLike) -> FloatArray:
    """The array with an axis of orders, or :class:`InputError` if it has another shape."""
    given = checked_array("outcomes", outcomes)
    shape = " × ".join(map(str, given.shape)) or "a single number"
    if given.ndim not in (3, 4) or given.shape[0] != given.shape[1]:
        raise InputError(f"outcomes: expected arms × arms × items (× 2 orders), got {shape}")
    if given.ndim == 3:
        given = given[..., None]
    elif given.shape[3] not in (1, 2):
        raise InputError(f"outcomes: expected 1 or 2 orders on the last axis, got {shape}")
    if len(given) < 2 or not given.shape[2]:
        raise InputError(f"outcomes: expected at least 2 arms and 1 item, got {shape}")
    return given


def _both_directions(
    given: FloatArray, labels: Sequence[str], items: Sequence[str], what: str = "outcome"
) -> FloatArray:
    """Each cell as both arms have it, adding up to 1, or :class:`InputError`."""
    arms = len(given)

    def refuse(wrong: npt.NDArray[np.bool_], problem: str) -> None:
        if wrong.any():
            i, j, item, order = (int(index[0]) for index in np.nonzero(wrong))
            shown = f", shown first: {labels[(i, j)[order]]}" if given.shape[3] == 2 else ""
            raise InputError(
                f"{what}s, {entry_place(i, j, labels)}, item {items[item]!r}{shown}: "
                f"{problem.format(value=given[i, j, item, order])}"
            )

    diagonal = np.eye(arms, dtype=np.bool_)[:, :, None, None]
    refuse(
        ~np.isnan(given) & ~((given >= 0.0) & (given <= 1.0)),
        f"the {what} is {{value}}, expected a number in [0, 1], or NaN if there is none",
    )
    refuse(
        diagonal & ~np.isnan(given) & (given != 0.5),
        f"the {what} of an arm against itself is {{value}}, expected NaN or 0.5",
    )
    mirror = given.transpose(1, 0, 2, 3)[..., ::-1]
    refuse(
        np.abs(given + mirror - 1.0) > TOLERANCE,
        "{value} and what the other arm gets do not add up to 1",
    )
    upper = np.triu(np.ones((arms, arms), dtype=np.bool_), 1)[:, :, None, None]
    rows = np.where(np.isnan(given), 1.0 - mirror, given)
    both = np.where(upper, rows, 1.0 - rows.transpose(1, 0, 2, 3)[..., ::-1])
    both = np.where(diagonal, np.nan, both)
    if what == "outcome" and np.isnan(both).all():
        raise InputError("outcomes: every entry is NaN, expected at least one outcome")
    return np.asarray(both, dtype=np.float64)


def _of_all_cells(
    given: FloatArray, outcomes: FloatArray, labels: Sequence[str], items: Sequence[str]
) -> FloatArray:
    """Hints of both directions, one for each cell, or :class:`InputError`."""
    if given.ndim == 3:
        given = given[..., None]
    if given.shape != outcomes.shape:
        shape, expected = (" × ".join(map(str, each.shape)) for each in (given, outcomes))
        raise InputError(f"hints: the shape is {shape}, expected that of the outcomes, {expected}")
    hints = np.where(np.isnan(outcomes), math.nan, _both_directions(given, labels, items, "hint"))
    hints = np.rint(hints / HINT_STEP) * HINT_STEP
    for i, j in np.argwhere(np.triu(~np.isnan(outcomes).all(axis=(2, 3)), 1)).tolist():
        known = hints[i, j][~np.isnan(hints[i, j])]
        mean = math.fsum(known) / len(known) if len(known) else 0.5
        lacking = np.isnan(hints[i, j]) & ~np.isnan(outcomes[i, j])
        hints[i, j][lacking] = round(mean / HINT_STEP) * HINT_STEP
        hints[j, i] = 1.0 - hints[i, j][:, ::-1]
    return np.asarray(hints)
