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

    the ``h_size`` smallest x of the winner's pairs (the challenger's own left out)
    + the x of the pair (winner, challenger), if ``includes_challenger``
    + the ``o_size`` smallest x of the challenger's pairs

add up to at least 1. Its tightest row comes from two partial sorts. A family that asks for more
pairs than there are is empty. The pairs
:math:`(i_2, j), j \in O_{i_2}` occur in the families of :math:`i_2` alone.

**Ties of the winner.** The paper assumes that no pair is tied. Where the winner ties with an arm j,
an arbitrarily small change of :math:`\mu_{i_1 j}` gives it one more superior, and no number of
duels tells the two cases apart. With ``ties="free"`` these pairs therefore join :math:`H_{i_1}`
with x = 0: of the pairs of H, as many as there are such ties cost nothing, and the head is smaller
by their number τ. (Rows with fewer of them, and levels below :math:`L^{(1)} - 1 + \tau`, follow
from these.) Ties with another Copeland winner are left out: duels of two winners have no regret, so
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

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import UnknownName

Ties: TypeAlias = Literal["free", "literal"]
TIES: tuple[Ties, ...] = ("free", "literal")


@dataclass(frozen=True, eq=False)
class RowFamilies:
    """The families of rows for one winner.

    With K arms, B challengers, M the largest number of pairs of a challenger and F families:
    """

    winner: int
    # (H,); the arms the winner beats: x of these pairs is shared by all challengers
    inferiors: IntArray
    challengers: IntArray  # (B,)
    superiors: IntArray  # (B, M); `O_{i_2}` without the winner, padded with -1
    # (B,); how many superiors a challenger has; its place among `inferiors`, or -1
    sizes: IntArray
    inferior_index: IntArray
    # (F,); a family's challenger (a row of `superiors`, ascending); pairs it takes of each kind
    block: IntArray
    h_size: IntArray
    o_size: IntArray
    includes_challenger: BoolArray  # (F,); whether the pair (winner, challenger) is in it
    winner_pairs_fixed: bool = False  # whether x of the winner's pairs is fixed to 1, as in ECW

    @property
    def count(self) -> int:
        """F, the number of families."""
        return len(self.block)

    @cached_property
    def is_feasible(self) -> bool:
        """Whether x = 1 for every pair is enough, as it always is without free ties."""
        return bool((self.h_size + self.o_size + self.includes_challenger >= 1).all())

    def block_of(self, challenger: int) -> int:
        """The row of ``superiors`` of an arm other than the winner."""
        return challenger - (challenger > self.winner)

    @cached_property
    def is_superior(self) -> BoolArray:
        """Which entries of ``superiors`` are not padding; shape (B, M)."""
        return np.asarray(self.superiors >= 0)

    @cached_property
    def head_sizes(self) -> IntArray:
        """From how many pairs a family takes its head; shape (F,)."""
        return np.asarray(
            len(self.inferiors) - (self.inferior_index[self.block] >= 0), dtype=np.int64
        )

    def row_count(self) -> int:
        """How many rows the families hold in all."""
        return sum(
            math.comb(available, h_size) * math.comb(size, o_size)
            for available, h_size, size, o_size in zip(
                self.head_sizes.tolist(),
                self.h_size.tolist(),
                self.sizes[self.block].tolist(),
                self.o_size.tolist(),
                strict=True,
            )
        )

    def rows(self) -> Iterator[list[tuple[int, int]]]:
        """Every row as its list of pairs of arms, family by family."""
        for family in range(self.count):
            block = int(self.block[family])
            challenger = int(self.challengers[block])
            others = [int(arm) for arm in self.inferiors if arm != challenger]
            superiors = self.superiors[block, : self.sizes[block]].tolist()
            pair = [(self.winner, challenger)] if self.includes_challenger[family] else []
            for heads in combinations(others, int(self.h_size[family])):
                for tails in combinations(superiors, int(self.o_size[family])):
                    yield (
                        pair
                        + [(self.winner, arm) for arm in heads]
                        + [(challenger, arm) for arm in tails]
                    )

    def values(self, winner_x: FloatArray, tail_sums: FloatArray) -> FloatArray:
        """The left-hand side of each family's tightest row; shape (F,).

        ``winner_x``, shape (H,), is x of the winner's pairs; entry n of ``tail_sums``, (B, M+1), is
        the sum of a challenger's n smallest x.
        """
        return np.asarray(self.head_sums(winner_x) + tail_sums[self.block, self.o_size])

    def head_sums(self, winner_x: FloatArray) -> FloatArray:
        """The winner's part of each family's tightest row; shape (F,)."""
        if not len(winner_x):
            return np.zeros(self.count)
        order = winner_x.argsort(kind="stable")
        smallest = np.zeros(len(order) + 1)
        winner_x[order].cumsum(out=smallest[1:])
        rank = np.empty_like(order)
        rank[order] = self._ranks
        inferior_index, has_slot = self._family_slot
        own_x = winner_x[inferior_index] * has_slot
        # The challenger's own pair is left out of the head: take one more and give it back.
        inside = has_slot & (rank[inferior_index] < self.h_size)
        return np.asarray(smallest[self.h_size + inside] + (self._own_count - inside) * own_x)

    @cached_property
    def _family_slot(self) -> tuple[IntArray, BoolArray]:
        inferior_index = self.inferior_index[self.block]
        return inferior_index, np.asarray(inferior_index >= 0)

    @cached_property
    def _ranks(self) -> IntArray:
        return np.arange(len(self.inferiors))

    @cached_property
    def _own_count(self) -> IntArray:
        return self.includes_challenger.astype(np.int64)

    def tail_sums(self, x: FloatArray) -> FloatArray:
        """Sums of the n smallest x of each challenger's pairs; shape (B, M+1)."""
        evidence = np.where(self.is_superior, x[self.challengers[:, None], self.superiors], np.inf)
        return prefix_sums(np.sort(evidence, axis=1))

    def evidence(self, x: FloatArray) -> float:
        """The smallest left-hand side over all rows, at least 1 for a feasible x; or infinite."""
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


def copeland_rows(preferences: FloatArray, winner: int, ties: Ties = "free") -> RowFamilies:
    """The rows of equation (2) for a Copeland winner of a (K, K) preference array."""
    return confusing_rows(preferences, winner, len(free_ties(preferences, winner, ties)))


def confusing_rows(preferences: FloatArray, winner: int, free: int) -> RowFamilies:
    """The same with the number of the winner's ties that are flipped for nothing."""
    losses = (preferences < 0.5).sum(axis=1)
    first, second = np.partition(losses, 1)[:2].tolist()
    levels = np.arange(min(second, max(0, first - 1 + free)), second + 1)
    others = np.delete(losses, winner)[:, None]
    beaten = np.delete(preferences[winner] > 0.5, winner)[:, None]
    # With the challenger in H, its own pair is one of the head and one fewer is needed elsewhere.
    heads = np.concatenate([levels + 1 - first, levels - first])
    o_size = np.maximum(0, np.concatenate([others - levels, others - levels - 1], axis=1))
    includes_challenger = np.arange(2 * len(levels)) >= len(levels)
    asked = ~includes_challenger | (beaten & (heads >= 0))
    return _families(
        preferences, winner, np.maximum(0, heads - free), o_size, includes_challenger, asked
    )


def ecw_rows(preferences: FloatArray, winner: int, ties: Ties = "free") -> RowFamilies:
    """The rows of equation (5): the winner's pairs are fixed, each challenger has one family."""
    free = len(free_ties(preferences, winner, ties))
    losses = (preferences < 0.5).sum(axis=1)
    o_size = np.maximum(0, np.delete(losses, winner) - losses[winner] + 1 - free)[:, None]
    nothing = np.zeros(1, dtype=np.int64)
    asked = np.ones_like(o_size, dtype=np.bool_)
    return _families(
        preferences,
        winner,
        nothing,
        o_size,
        nothing.astype(np.bool_),
        asked,
        winner_pairs_fixed=True,
    )


def _families(
    preferences: FloatArray,
    winner: int,
    h_size: IntArray,
    o_size: IntArray,
    includes_challenger: BoolArray,
    asked: BoolArray,
    *,
    winner_pairs_fixed: bool = False,
) -> RowFamilies:
    """N families for each challenger, but those that ask for more pairs than there are."""
    arms = len(preferences)
    inferiors = np.flatnonzero(preferences[winner] > 0.5)
    challengers = np.delete(np.arange(arms), winner)
    superior = preferences[challengers] < 0.5
    superior[:, winner] = False
    sizes = superior.sum(axis=1)
    superiors = np.full((len(challengers), int(sizes.max(initial=0))), -1, dtype=np.int64)
    row, arm = np.nonzero(superior)
    superiors[row, np.arange(len(row)) - (np.cumsum(sizes) - sizes)[row]] = arm
    position = np.full(arms, -1, dtype=np.int64)
    position[inferiors] = np.arange(len(inferiors))
    inferior_index = position[challengers]
    available = (len(inferiors) - (inferior_index >= 0))[:, None]
    block, kind = np.nonzero(asked & (h_size <= available) & (o_size <= sizes[:, None]))
    return RowFamilies(
        winner=winner,
        inferiors=inferiors,
        challengers=challengers,
        superiors=superiors,
        sizes=sizes.astype(np.int64),
        inferior_index=inferior_index,
        block=block,
        h_size=h_size[kind],
        o_size=o_size[block, kind],
        includes_challenger=includes_challenger[kind],
        winner_pairs_fixed=winner_pairs_fixed,
    )
