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
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError, LearnerFault
from cpe_opt.files import atomic_write, check_output
from cpe_opt.formats.matrices import quoted_cell
from cpe_opt.problems.dueling.checks import checked_labels, entry_place
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.environments import checked_duel
from cpe_opt.problems.logs import FIRST, GRADED, ITEM, DuelLog, read_log
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.problems.queries import Duel
from cpe_opt.problems.recorders import DuelRecorder, refuse_units
from cpe_opt.problems.tables import MISSING
from cpe_opt.text import stem_of
from cpe_opt.validation import Labels, Name, Numbers, checked_texts, checked_types, repeated

if TYPE_CHECKING:
    import pandas as pd

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
    name : str
        For titles and file names.

    Attributes
    ----------
    outcomes : float array, shape (K, K, n, orders)
        Of both directions, NaN if there is no cell; ``orders`` is 1 or 2.
    cells : int array, shape (K, K)
        How many cells each pair has; symmetric, 0 on the diagonal.

    Raises
    ------
    InputError
        Where the array has another shape, or an outcome is not in [0, 1], contradicts its mirror
        image, or there is none at all; or labels or items do not fit.

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
        name: Name = "items",
    ) -> None:
        given = _checked_shape(outcomes)
        arms, count = given.shape[0], given.shape[2]
        labels = [str(arm) for arm in range(arms)] if labels is None else labels
        self.labels = checked_labels(labels, arms)
        self.items = _checked_items(items, count)
        self.name = str(name)
        self.outcomes: FloatArray = _both_directions(given, self.labels, self.items)
        self.outcomes.flags.writeable = False
        self.cells: IntArray = np.asarray((~np.isnan(self.outcomes)).sum(axis=(2, 3)), np.int64)
        self.cells.flags.writeable = False

    @classmethod
    @checked_types
    def from_csv(
        cls, path: str | os.PathLike[str] | pd.DataFrame, *, name: Name | None = None
    ) -> Self:
        """Read a log of duels (:mod:`cpe_opt.problems.logs`) in which every line is a cell.

        A column ``item`` has the id of the item; a column ``first``, if there is one, which of the
        two arms was shown first: its name, or a place such as ``model_a`` or ``left``. Without it
        a pair has one cell an item. In place of a winner a log may have a column ``outcome``, a
        number from 0 to 1: what ``model_a`` gets.

        Raises
        ------
        InputError
            With the line concerned, as for other logs; with both lines where a cell stands there
            twice.
        """
        log = read_log(path, items=True)
        outcomes, labels, items = _cells_of(log)
        return cls(
            outcomes, labels, items, name=stem_of(log.table.source) if name is None else name
        )

    @checked_types
    def to_csv(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write one line per cell, readable by :meth:`from_csv`.

        Parameters
        ----------
        path : path
        force : bool
            Whether a file that is there is overwritten.

        Raises
        ------
        InputError
            Where there is such a file, or a label or id is one that no log can hold.
        WriteFailed
        """
        for text in (*self.labels, *self.items):
            if text in MISSING or re.search(r"[\n\r]|\s#", text):
                raise InputError(f"{text!r} is no label or id that a log can hold")
        check_output(path, (".csv",), force=force)
        columns = [*GRADED.columns, ITEM, *([FIRST] if self.orders == 2 else [])]
        with atomic_write(path) as temporary, temporary.open("w", encoding="utf-8") as file:
            file.write(",".join(columns) + "\n")
            for i, j, item, order in np.argwhere(~np.isnan(self.outcomes)).tolist():
                if i < j:
                    outcome = float(self.outcomes[i, j, item, order])
                    cells = [self.labels[i], self.labels[j], repr(outcome), self.items[item]]
                    cells += [GRADED.columns[order]] if self.orders == 2 else []
                    file.write(",".join(map(quoted_cell, cells)) + "\n")

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
        """The outcomes."""
        return self.outcomes

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
    """Answers :class:`cpe_opt.Duel` queries by the next cells of the pair.

    The order of a pair's cells depends on the random generator and the pair alone, not on what was
    asked before.

    Parameters
    ----------
    duels : ItemDuels
    rng : generator
        One number is drawn from it.
    """

    def __init__(self, duels: ItemDuels, rng: np.random.Generator) -> None:
        self._duels = duels
        self._seed = int(rng.integers(2**63))
        self._left: dict[tuple[int, int], list[tuple[float, float]]] = {}

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

    def answer(self, query: Duel) -> float:
        """The sum of what arm i gets in the next cells of the pair."""
        cells = self._cells(self.check(query).i, query.j)
        side = int(query.i > query.j)
        return math.fsum(cells.pop()[side] for _ in range(query.times))

    def _cells(self, i: int, j: int) -> list[tuple[float, float]]:
        """What either arm of a pair gets in each of its cells that are left, the next one last."""
        low, high = pair = (min(i, j), max(i, j))
        if pair not in self._left:
            # Of the other arm not ``pair(high, low)``, in which the orders of an item are swapped.
            cells = [(outcome, 1.0 - outcome) for outcome in self._duels.pair(low, high)]
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


def _checked_items(items: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if items is None:
        return tuple(str(item) for item in range(count))
    ids = tuple(text.strip() for text in checked_texts("items", items))
    if len(ids) != count:
        raise InputError(f"items: {len(ids)} ids given for {count} items")
    if (pair := repeated(ids)) is not None:
        raise InputError(f"items: {pair[0]} and {pair[1]} are both called {ids[pair[1]]!r}")
    return ids


def _both_directions(given: FloatArray, labels: Sequence[str], items: Sequence[str]) -> FloatArray:
    """Each cell as both arms have it, adding up to 1, or :class:`InputError`."""
    arms = len(given)

    def refuse(wrong: npt.NDArray[np.bool_], problem: str) -> None:
        if wrong.any():
            i, j, item, order = (int(index[0]) for index in np.nonzero(wrong))
            shown = f", shown first: {labels[(i, j)[order]]}" if given.shape[3] == 2 else ""
            raise InputError(
                f"outcomes, {entry_place(i, j, labels)}, item {items[item]!r}{shown}: "
                f"{problem.format(value=given[i, j, item, order])}"
            )

    diagonal = np.eye(arms, dtype=np.bool_)[:, :, None, None]
    refuse(
        ~np.isnan(given) & ~((given >= 0.0) & (given <= 1.0)),
        "the outcome is {value}, expected a number in [0, 1], or NaN if there is none",
    )
    refuse(
        diagonal & ~np.isnan(given) & (given != 0.5),
        "the outcome of an arm against itself is {value}, expected NaN or 0.5",
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
    if np.isnan(both).all():
        raise InputError("outcomes: every entry is NaN, expected at least one outcome")
    return np.asarray(both, dtype=np.float64)


def _cells_of(log: DuelLog) -> tuple[FloatArray, list[str], list[str]]:
    """The outcomes of a log in which each line is a cell, with labels and ids of items."""
    table = log.table
    again = np.flatnonzero(log.count != 1.0)
    if again.size:
        raise InputError(
            f"{table.place(int(again[0]))}: a line for {log.count[again[0]]:g} duels, expected 1: "
            "each cell is asked once"
        )
    arms = log.appearance
    place = np.empty(len(arms), dtype=np.int64)
    place[arms] = np.arange(len(arms))
    i, j = place[log.first], place[log.second]
    item, items = table.labels(ITEM)
    orders = 2 if FIRST in table else 1
    order = np.where(log.shown_first, 0, 1)
    size = len(arms) ** 2 * len(items) * orders
    if size > MOST_CELLS:
        raise InputError(
            f"{table.source}: {len(arms):,} arms and {len(items):,} items, too many to compare all "
            f"with all: {size:,} entries, expected at most {MOST_CELLS:,}"
        )
    swapped = i > j
    direction = order ^ swapped if orders == 2 else order
    keys = (np.where(swapped, j, i), np.where(swapped, i, j), item, direction)
    _refuse_twice(log, np.ravel_multi_index(keys, (len(arms), len(arms), len(items), 2)))
    outcomes = np.full((len(arms), len(arms), len(items), orders), np.nan)
    outcomes[i, j, item, order] = log.share
    labels = [log.labels[arm] for arm in arms.tolist()]
    return outcomes, labels, items


def _refuse_twice(log: DuelLog, cells: IntArray) -> None:
    """Raise :class:`InputError` with both lines where a cell occurs twice."""
    table = log.table
    ordered = np.argsort(cells, kind="stable")
    repeats = np.flatnonzero(cells[ordered][1:] == cells[ordered][:-1])
    if not repeats.size:
        return
    row = int(ordered[repeats + 1].min())
    before = int(np.argmax(cells == cells[row]))
    codes, items = table.coded[ITEM]
    earlier = table.place(before).rpartition(", ")[2]
    shown = ", in the same order" if FIRST in table else ""
    raise InputError(
        f"{table.place(row)}: {log.labels[log.first[row]]!r} against "
        f"{log.labels[log.second[row]]!r} on item {items[codes[row]]!r}{shown}, as on {earlier}; "
        "each cell is asked once"
    )
