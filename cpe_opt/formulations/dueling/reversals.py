"""Which pairs may be flipped so that an arm wins, at which costs, and what losses that leaves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formulations.magnitude import check_sums
from cpe_opt.problems.dueling.preferences import PreferenceMatrix

BoolArray = npt.NDArray[np.bool_]
Pairs = tuple[tuple[int, int], ...]
_SYMMETRY = 1e-9


@dataclass(frozen=True, eq=False)
class FlipSet:
    """A set of flips of the least cost.

    Attributes
    ----------
    flipped : bool array, shape (m,)
    turned : bool array, shape (u,)
        The undecided pairs that the first arm loses.
    bound : float
        No set that makes the arm a winner costs less.
    """

    flipped: BoolArray
    turned: BoolArray
    bound: float


@dataclass(frozen=True, eq=False)
class Reversals:
    """The pairs whose flip may help an arm, and those that are undecided.

    Attributes
    ----------
    arm, arms : int
        The arm, and how many there are.
    losses : int array, shape (K,)
        L, by decided pairs alone.
    winner, loser : int arrays, shape (m,)
        The pairs that the loser has won, in the order of (winner, loser): who wins once flipped.
    cost : float array, shape (m,)
    first, second : int arrays, shape (u,)
        The undecided pairs; of those of the arm, it is the first.
    """

    arm: int
    arms: int
    losses: IntArray
    winner: IntArray
    loser: IntArray
    cost: FloatArray
    first: IntArray
    second: IntArray

    @classmethod
    def of(cls, array: FloatArray, costs: FloatArray, arm: int) -> Reversals:
        """Those of a preference matrix, with the costs of its pairs, (K, K)."""
        winner, loser = np.nonzero(array < 0.5)
        helps = loser != arm
        winner, loser = winner[helps], loser[helps]
        first, second = np.nonzero(np.triu(array == 0.5, 1))
        behind = second == arm
        return cls(
            arm=arm,
            arms=len(array),
            losses=np.asarray((array < 0.5).sum(axis=1), dtype=np.int64),
            winner=winner,
            loser=loser,
            cost=costs[winner, loser],
            first=np.where(behind, second, first),
            second=np.where(behind, first, second),
        )

    @property
    def free(self) -> BoolArray:
        """The undecided pairs of two others, which may go either way; shape (u,)."""
        return np.asarray(self.first != self.arm)

    def settled(self, flips: FlipSet) -> list[tuple[int, int]]:
        """The undecided pairs, each with the winner that the set gives it."""
        winner = np.where(flips.turned, self.second, self.first)
        loser = np.where(flips.turned, self.first, self.second)
        return list(zip(winner.tolist(), loser.tolist(), strict=True))

    def losses_after(self, flips: npt.ArrayLike, undecided: npt.ArrayLike) -> IntArray:
        """L' after flips, and with undecided pairs given; rows (who wins, who loses)."""
        after, flips = self.losses.copy(), np.reshape(flips, (-1, 2)).astype(np.int64)
        np.add.at(after, flips[:, 0], -1)
        np.add.at(after, flips[:, 1], 1)
        np.add.at(after, np.reshape(undecided, (-1, 2)).astype(np.int64)[:, 1], 1)
        return after

    def wins(self, flips: FlipSet) -> bool:
        """Whether no arm has fewer losses after a set of flips."""
        rows = np.column_stack([self.winner, self.loser])[flips.flipped]
        after = self.losses_after(rows, self.settled(flips))
        return bool(after[self.arm] == after.min())

    def needed(self, flips: FlipSet) -> tuple[IntArray, Pairs]:
        """What a set that makes the arm win cannot do without: flips, and undecided pairs.

        One after another is taken back where the arm still wins without: flips, again and again,
        because a win taken back is a loss more of its winner; then undecided pairs.
        """
        settled = self.settled(flips)
        rows = np.column_stack([self.winner, self.loser])
        after = self.losses_after(rows[flips.flipped], settled).tolist()

        def without(winner: int | None, loser: int) -> bool:
            """Take back a win, and its loss of ``winner`` if it had one, where the arm can."""
            changes = [(loser, -1), *([] if winner is None else [(winner, 1)])]
            for arm, change in changes:
                after[arm] += change
            if after[self.arm] == min(after):
                return True
            for arm, change in changes:
                after[arm] -= change
            return False

        kept, before = np.flatnonzero(flips.flipped).tolist(), -1
        while len(kept) != before:
            before = len(kept)
            kept = [place for place in kept if not without(*rows[place].tolist())]
        given = sorted(pair for pair in settled if not without(None, pair[1]))
        return np.array(kept, dtype=np.int64), tuple(given)


def checked_costs(preferences: PreferenceMatrix, costs: npt.ArrayLike | None) -> FloatArray:
    """Costs of flips, by default the divergences, or :class:`InputError` with the pair."""
    if costs is None:
        return preferences.divergences
    array = checked_array("costs", costs)
    arms = preferences.arms
    if array.shape != (arms, arms):
        raise InputError(
            f"costs has the shape {array.shape}, expected {(arms, arms)}, of each pair"
        )
    wrong = ~(np.isfinite(array) & (array >= 0))
    if wrong.any():
        i, j = (int(index[0]) for index in np.nonzero(wrong))
        raise InputError(f"costs, row {i}, column {j}: {array[i, j]}, expected a number, 0 or more")
    check_sums("costs", array)
    uneven = np.abs(array - array.T) > _SYMMETRY * array
    if uneven.any():
        i, j = (int(index[0]) for index in np.nonzero(uneven))
        raise InputError(
            f"costs, row {i}, column {j}: {array[i, j]} and its mirror image {array[j, i]} differ, "
            "expected one cost a pair"
        )
    return np.asarray(np.triu(array, 1) + np.triu(array, 1).T)
