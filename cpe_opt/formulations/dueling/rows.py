r"""The rows of the Copeland lower bound, as families that need not be listed.

Fix a Copeland winner :math:`i_1` (the *winner*) and scale every pair's number of draws to its
evidence :math:`x_{ij} = d_{ij} q_{ij}`, :math:`d_{ij} = d_{KL}(\mu_{ij}, \frac12)`. Every arm
:math:`i_2 \ne i_1` is a *challenger*. The rows of equation (2) of Komiyama, Honda, Nakagawa (ICML
2016) say: for every challenger :math:`i_2`, every level
:math:`l \in \{\max(0, L^{(1)}-1), \dots, L^{(2)}\}`, every :math:`H \subset H_{i_1}` with
:math:`|H| = l + 1 - L_{i_1}` and every :math:`O \subset O_{i_2} \setminus \{i_1\}` with
:math:`|O| = \max(0, L_{i_2} - l - \mathbb 1\{i_2 \in H\})`,

.. math:: \sum_{j \in H} x_{i_1 j} + \sum_{j \in O} x_{i_2 j} \ge 1 .

All rows of one challenger, one level and one case (is :math:`i_2` in :math:`H` or not) form a
*family*: it holds if and only if

    the ``head`` smallest x of the winner's pairs (the challenger's own left out)
    + the x of the pair (winner, challenger), if ``own``
    + the ``tail`` smallest x of the challenger's pairs

add up to at least 1. So a family is four numbers, and its tightest row comes from two partial
sorts. A family that asks for more pairs than there are is empty. The pairs
:math:`(i_2, j), j \in O_{i_2}` occur in the families of :math:`i_2` alone.

**Ties of the winner.** The paper assumes that no pair is tied. Where the winner ties with an arm j,
an arbitrarily small change of :math:`\mu_{i_1 j}` gives it one more superior, and no number of
duels tells the two cases apart. With ``ties="free"`` these pairs therefore join :math:`H_{i_1}`
with x = 0: of the pairs of H, as many as there are such ties cost nothing, and the head is smaller
by their number τ. (No row with fewer of them, and no level below :math:`L^{(1)} - 1 + \tau`, asks
for more.) Ties with another Copeland winner are left out: duels of two winners have no regret, so
they can be told apart for nothing. Where the free ties alone make another arm the winner, a row
asks an empty sum to be at least 1, and no exploration is enough. ``ties="literal"`` gives the rows
as they are printed, without the winner's ties. Ties of other arms change nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import UnknownName
from cpe_opt.modelling.program import BoolArray

Ties: TypeAlias = Literal["free", "literal"]
TIES: tuple[Ties, ...] = ("free", "literal")


@dataclass(frozen=True, eq=False)
class RowFamilies:
    """The families of rows for one winner.

    With K arms, B challengers, M the largest number of pairs of a challenger and F families:

    Attributes
    ----------
    winner : int
    inferiors : int array, shape (H,)
        The arms the winner beats: x of these pairs is shared by all challengers.
    challengers : int array, shape (B,)
    members : int array, shape (B, M)
        ``O_{i_2}`` without the winner, padded with -1.
    sizes : int array, shape (B,)
        How many members a challenger has.
    slot : int array, shape (B,)
        Where a challenger stands among ``inferiors``, or -1.
    block, head, tail : int arrays, shape (F,)
        A family's challenger (a row of ``members``, ascending) and how many pairs it takes of
        each kind.
    own : bool array, shape (F,)
        Whether the pair (winner, challenger) is in it.
    heads_are_one : bool
        Whether x of the winner's pairs is fixed to 1 (the ECW relaxation).
    """

    winner: int
    inferiors: IntArray
    challengers: IntArray
    members: IntArray
    sizes: IntArray
    slot: IntArray
    block: IntArray
    head: IntArray
    tail: IntArray
    own: BoolArray
    heads_are_one: bool = False

    @property
    def count(self) -> int:
        """F, the number of families."""
        return len(self.block)

    @cached_property
    def is_feasible(self) -> bool:
        """Whether full evidence, x = 1 for every pair, is enough: it is unless ties are free."""
        return bool((self.head + self.tail + self.own >= 1).all())

    @cached_property
    def starts(self) -> IntArray:
        """Each challenger's first family, and behind the last one F; shape (B+1,)."""
        return np.searchsorted(self.block, np.arange(len(self.challengers) + 1))

    def block_of(self, challenger: int) -> int:
        """The row of ``members`` of an arm other than the winner."""
        return challenger - (challenger > self.winner)

    @cached_property
    def is_member(self) -> BoolArray:
        """Which entries of ``members`` are not padding; shape (B, M)."""
        return np.asarray(self.members >= 0)

    @cached_property
    def head_sizes(self) -> IntArray:
        """From how many pairs a family takes its head; shape (F,)."""
        return np.asarray(len(self.inferiors) - (self.slot[self.block] >= 0), dtype=np.int64)

    def row_count(self) -> int:
        """How many rows the families hold in all."""
        return sum(
            math.comb(available, head) * math.comb(size, tail)
            for available, head, size, tail in zip(
                self.head_sizes.tolist(),
                self.head.tolist(),
                self.sizes[self.block].tolist(),
                self.tail.tolist(),
                strict=True,
            )
        )

    def rows(self) -> Iterator[list[tuple[int, int]]]:
        """Every row as its list of pairs of arms, family by family."""
        for family in range(self.count):
            block = int(self.block[family])
            challenger = int(self.challengers[block])
            others = [int(arm) for arm in self.inferiors if arm != challenger]
            members = self.members[block, : self.sizes[block]].tolist()
            own = [(self.winner, challenger)] if self.own[family] else []
            for heads in combinations(others, int(self.head[family])):
                for tails in combinations(members, int(self.tail[family])):
                    yield (
                        own
                        + [(self.winner, arm) for arm in heads]
                        + [(challenger, arm) for arm in tails]
                    )

    def values(self, winner_x: FloatArray, tail_sums: FloatArray) -> FloatArray:
        """The left-hand side of each family's tightest row; shape (F,).

        Parameters
        ----------
        winner_x : float array, shape (H,)
            x of the winner's pairs, in the order of ``inferiors``.
        tail_sums : float array, shape (B, M+1)
            Entry n is the sum of a challenger's n smallest x.
        """
        return np.asarray(self.head_sums(winner_x) + tail_sums[self.block, self.tail])

    def head_sums(self, winner_x: FloatArray) -> FloatArray:
        """The winner's part of each family's tightest row; shape (F,)."""
        if not len(winner_x):
            return np.zeros(self.count)
        order = winner_x.argsort(kind="stable")
        smallest = np.zeros(len(order) + 1)
        winner_x[order].cumsum(out=smallest[1:])
        rank = np.empty_like(order)
        rank[order] = self._ranks
        slot, has_slot = self._family_slot
        own_x = winner_x[slot] * has_slot
        # The challenger's own pair is left out of the head: take one more and give it back.
        inside = has_slot & (rank[slot] < self.head)
        return np.asarray(smallest[self.head + inside] + (self._own_count - inside) * own_x)

    @cached_property
    def _family_slot(self) -> tuple[IntArray, BoolArray]:
        slot = self.slot[self.block]
        return slot, np.asarray(slot >= 0)

    @cached_property
    def _ranks(self) -> IntArray:
        return np.arange(len(self.inferiors))

    @cached_property
    def _own_count(self) -> IntArray:
        return self.own.astype(np.int64)

    def tail_sums(self, x: FloatArray) -> FloatArray:
        """Sums of the n smallest x of each challenger's pairs; shape (B, M+1).

        ``x`` has shape (K, K) and is symmetric.
        """
        own = np.where(self.is_member, x[self.challengers[:, None], self.members], np.inf)
        return prefix_sums(np.sort(own, axis=1))

    def evidence(self, x: FloatArray) -> float:
        """The smallest left-hand side over all rows; ``inf`` where there is no row.

        ``x`` (shape (K, K), symmetric) is in the feasible region when this is at least 1.
        """
        if not self.count:
            return math.inf
        return float(self.values(x[self.winner, self.inferiors], self.tail_sums(x)).min())


def prefix_sums(rows: FloatArray) -> FloatArray:
    """Row by row the sums of the first 0, 1, … entries; shape (B, M+1)."""
    return np.concatenate([np.zeros((len(rows), 1)), np.cumsum(rows, axis=1)], axis=1)


def free_ties(preferences: FloatArray, winner: int, ties: Ties = "free") -> IntArray:
    """The arms that tie with the winner and are no Copeland winners: flips that cost nothing."""
    if ties not in TIES:
        raise UnknownName("way with ties", ties, TIES)
    if ties == "literal":
        return np.zeros(0, dtype=np.int64)
    losses = (preferences < 0.5).sum(axis=1)
    return np.flatnonzero((preferences[winner] == 0.5) & (losses > losses[winner]))


def copeland_families(preferences: FloatArray, winner: int, ties: Ties = "free") -> RowFamilies:
    """The rows of equation (2) for a Copeland winner of a (K, K) preference array."""
    free = len(free_ties(preferences, winner, ties))
    losses = (preferences < 0.5).sum(axis=1)
    first, second = np.partition(losses, 1)[:2].tolist()
    levels = np.arange(min(second, max(0, first - 1 + free)), second + 1)
    others = np.delete(losses, winner)[:, None]
    beaten = np.delete(preferences[winner] > 0.5, winner)[:, None]
    # With the challenger in H, its own pair is one of the head and one fewer is needed elsewhere.
    heads = np.concatenate([levels + 1 - first, levels - first])
    tail = np.maximum(0, np.concatenate([others - levels, others - levels - 1], axis=1))
    own = np.arange(2 * len(levels)) >= len(levels)
    asked = ~own | (beaten & (heads >= 0))
    return _families(preferences, winner, np.maximum(0, heads - free), tail, own, asked)


def ecw_families(preferences: FloatArray, winner: int, ties: Ties = "free") -> RowFamilies:
    """The rows of equation (5): the winner's pairs are settled, each challenger has one family."""
    free = len(free_ties(preferences, winner, ties))
    losses = (preferences < 0.5).sum(axis=1)
    tail = np.maximum(0, np.delete(losses, winner) - losses[winner] + 1 - free)[:, None]
    nothing = np.zeros(1, dtype=np.int64)
    asked = np.ones_like(tail, dtype=np.bool_)
    return _families(
        preferences, winner, nothing, tail, nothing.astype(np.bool_), asked, heads_are_one=True
    )


def _families(
    preferences: FloatArray,
    winner: int,
    head: IntArray,
    tail: IntArray,
    own: BoolArray,
    asked: BoolArray,
    *,
    heads_are_one: bool = False,
) -> RowFamilies:
    """Assemble, leaving out the families that ask for more pairs than there are.

    ``head`` and ``own`` have shape (N,), ``tail`` and ``asked`` shape (B, N): up to N families for
    each challenger.
    """
    arms = len(preferences)
    inferiors = np.flatnonzero(preferences[winner] > 0.5)
    challengers = np.delete(np.arange(arms), winner)
    superior = preferences[challengers] < 0.5
    superior[:, winner] = False
    sizes = superior.sum(axis=1)
    members = np.full((len(challengers), int(sizes.max(initial=0))), -1, dtype=np.int64)
    row, arm = np.nonzero(superior)
    members[row, np.arange(len(row)) - (np.cumsum(sizes) - sizes)[row]] = arm
    position = np.full(arms, -1, dtype=np.int64)
    position[inferiors] = np.arange(len(inferiors))
    slot = position[challengers]
    available = (len(inferiors) - (slot >= 0))[:, None]
    block, kind = np.nonzero(asked & (head <= available) & (tail <= sizes[:, None]))
    return RowFamilies(
        winner=winner,
        inferiors=inferiors,
        challengers=challengers,
        members=members,
        sizes=sizes.astype(np.int64),
        slot=slot,
        block=block,
        head=head[kind],
        tail=tail[block, kind],
        own=own[kind],
        heads_are_one=heads_are_one,
    )
