r"""The ways in which an arm is not the answer, as families of rows that need not be listed.

**Nulls.** Let :math:`\varepsilon \ge 0` be a margin and :math:`c = \frac12 - \varepsilon`. The
*null* of the ordered pair (a, b) is :math:`\mu_{ab} \le c`: a does not beat b, and with a positive
margin b is ahead of a by at least that. For an answer i (the *winner*) and another arm j (a
*challenger*) let :math:`W_j` be the arms k whose null (k, j) is true, and :math:`N_i` those whose
null (i, k) is. Arm i is a wrong answer if and only if, for some j,

.. math:: |W_j| + |N_i| \ge K

(:mod:`cpe_opt.proofs.dueling.predictable_bets`). A null that is true already costs a confusing
instance nothing; to make another one true is to *flip* it. The *inferiors* :math:`H_i` are the arms
whose null with i, (i, k), is false, the *superiors* :math:`O_j` those with a false null (k, j). The
instances in which i is wrong because of j flip some :math:`H \subset H_i` and
:math:`O \subset O_j \setminus \{i\}`, with :math:`n_i` the arms, and not i, outside of
:math:`H_i`, and for a level l

.. math:: |H| = l + 1 - n_i, \qquad |O| = \max(0, |O_j| - l - \mathbb 1\{j \in H\}) .

The pair {i, j} counts twice: j is in :math:`N_i` and i in :math:`W_j`. Levels above
:math:`\min_j |O_j|` add nothing, since more than so many flips of i alone contain a row.

For :math:`\varepsilon = 0` and without ties, :math:`n_i = |O_i| = L_i`, and these are the rows of
equation (2) of Komiyama, Honda, Nakagawa (ICML 2016), l from :math:`\max(0, L^{(1)} - 1)` to
:math:`L^{(2)}`.

**Evidence.** q duels of a pair tell the null (a, b) apart by :math:`q\, e_{ab}`, with
:math:`e_{ab} = d_{KL}(\mu_{ab}, c)` where it is false, and 0 where it is true. With
:math:`x_{ab} = \max(e_{ab}, e_{ba})\, q_{ab}` a null has the *share*
:math:`s_{ab} = e_{ab}/\max(e_{ab}, e_{ba})` of x, and every row is

.. math:: \sum_{k \in H} s_{ik} x_{ik} + \sum_{k \in O} s_{kj} x_{kj} \ge 1 .

For :math:`\varepsilon = 0` one null of a pair is true, and the share of the other is 1. With a
margin both may be false, and one duel counts for both, but in different rows.

All rows of one challenger, one level and one case (is j in H or not) form a *family*: it holds if
and only if

    the ``h_size`` smallest terms of the winner's pairs (the challenger's own left out)
    + that of the pair (winner, challenger), if ``includes_challenger``
    + the ``o_size`` smallest terms of the challenger's pairs

add up to at least 1. Its tightest row comes from two partial sorts. A family that asks for more
pairs than there are is empty.

**Ties of the winner.** For a tie of i the null (i, k) is true at :math:`\varepsilon = 0`: an
arbitrarily small change of :math:`\mu_{ik}` gives i one more superior, and no number of duels tells
the two cases apart. Under regret, ties with another Copeland winner are told apart for nothing,
since duels of two winners cost none: they do not count in :math:`n_i` (``ties="free"``). Where the
free ties alone make another arm the winner, a row asks an empty sum to be at least 1, and no
exploration is enough. ``ties="literal"`` counts no tie in :math:`n_i`: the rows as they are
printed. Ties of other arms change nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.problems.dueling.preferences import divergence_from, unit_costs
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.ties import ascending, first_largest, in_bits

Ties: TypeAlias = Literal["free", "literal"]
Sum = TypeVar("Sum", np.float64, np.complex128)
_BITS = 40  # as of the divergences from ½


@dataclass(frozen=True, eq=False)
class RowFamilies:
    """F families of rows for one winner and B challengers, of which each has at most M pairs."""

    winner: int
    shares: FloatArray  # (K, K); of a null in x of its pair, 0 where it is true
    # (H,); `H_i`: x of these pairs is shared by all challengers
    inferiors: IntArray
    challengers: IntArray  # (B,)
    superiors: IntArray  # (B, M); `O_j` without the winner, padded with -1
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
        """Whether enough x of every pair is enough: no family asks nothing to be at least 1."""
        return bool((self.h_size + self.o_size + self.includes_challenger >= 1).all())

    @cached_property
    def is_one_sided(self) -> bool:
        """Whether every pair counts in one direction alone, so that x = 1 is enough of it."""
        return not ((self.shares > 0.0) & (self.shares.T > 0.0)).any()

    def block_of(self, challenger: int) -> int:
        """The row of ``superiors`` of an arm other than the winner."""
        return challenger - (challenger > self.winner)

    @cached_property
    def is_superior(self) -> BoolArray:
        """Which entries of ``superiors`` are not padding; shape (B, M)."""
        return np.asarray(self.superiors >= 0)

    def lists(self, family: int) -> tuple[IntArray, IntArray, IntArray]:
        """Nulls of a family: its own, all taken, and those of its head and of its tail; (n, 2)."""
        block = int(self.block[family])
        challenger = int(self.challengers[block])
        others = self.inferiors[self.inferiors != challenger]
        superiors = self.superiors[block, : self.sizes[block]]
        return (
            _nulls(self.winner, np.repeat(challenger, int(self.includes_challenger[family]))),
            _nulls(self.winner, others),
            _nulls(superiors, challenger),
        )

    def row_count(self) -> int:
        """How many rows the families hold in all."""
        heads = len(self.inferiors) - (self.inferior_index[self.block] >= 0)
        numbers = np.stack([heads, self.h_size, self.sizes[self.block], self.o_size], axis=1)
        return sum(
            math.comb(available, h_size) * math.comb(size, o_size)
            for available, h_size, size, o_size in numbers.tolist()
        )

    def rows(self) -> Iterator[IntArray]:
        """Every row as its nulls, shape (n, 2), family by family."""
        for family in range(self.count):
            own, heads, tails = self.lists(family)
            for head in combinations(range(len(heads)), int(self.h_size[family])):
                for tail in combinations(range(len(tails)), int(self.o_size[family])):
                    yield np.concatenate([own, heads[list(head)], tails[list(tail)]])

    def broken_rows(self, x: FloatArray, tolerance: float) -> list[IntArray]:
        """Of each challenger and case the tightest row, if x, shape (K, K), breaks it; as nulls."""
        terms = self.shares * x
        values = self.values(terms[self.winner, self.inferiors], self.tail_sums(x))
        order = ascending(values)
        case = 2 * self.block + self.includes_challenger
        _, first = np.unique(case[order], return_index=True)
        tightest = order[first]
        rows = []
        for family in tightest[values[tightest] < 1.0 - tolerance].tolist():
            own, heads, tails = self.lists(family)
            smallest = [
                nulls[ascending(terms[nulls[:, 0], nulls[:, 1]])[:number]]
                for nulls, number in ((heads, self.h_size[family]), (tails, self.o_size[family]))
            ]
            rows.append(np.concatenate([own, *smallest]))
        return rows

    def values(self, winner_x: FloatArray, tail_sums: FloatArray) -> FloatArray:
        """Left-hand sides of tightest rows, (F,), from the winner's terms and :meth:`tail_sums`."""
        return np.asarray(self.head_sums(winner_x) + tail_sums[self.block, self.o_size])

    def head_sums(self, winner_x: FloatArray) -> FloatArray:
        """The winner's part of each family's tightest row; shape (F,)."""
        if not len(winner_x):
            return np.zeros(self.count)
        order = winner_x.argsort(kind="stable")
        smallest = np.zeros(len(order) + 1)
        winner_x[order].cumsum(out=smallest[1:])
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        inferior_index = self.inferior_index[self.block]
        has_slot = inferior_index >= 0
        own_x = winner_x[inferior_index] * has_slot
        # The challenger's own pair is left out of the head: take one more and give it back.
        inside = has_slot & (rank[inferior_index] < self.h_size)
        own_count = self.includes_challenger.astype(np.int64) - inside
        return np.asarray(smallest[self.h_size + inside] + own_count * own_x)

    def tail_sums(self, x: FloatArray) -> FloatArray:
        """Sums of the n smallest terms of each challenger's pairs; shape (B, M+1)."""
        pairs = self.superiors, self.challengers[:, None]
        evidence = np.where(self.is_superior, self.shares[pairs] * x[pairs], np.inf)
        return prefix_sums(np.sort(evidence, axis=1))

    def evidence(self, x: FloatArray) -> float:
        """The smallest left-hand side over all rows, at least 1 for a feasible x; or infinite."""
        if not self.count:
            return math.inf
        terms = (self.shares * x)[self.winner, self.inferiors]
        return float(self.values(terms, self.tail_sums(x)).min())


def _nulls(first: int | IntArray, second: int | IntArray) -> IntArray:
    """Nulls as rows (first, second); shape (n, 2)."""
    return np.stack(np.broadcast_arrays(first, second), axis=1).astype(np.int64)


def prefix_sums(rows: FloatArray) -> FloatArray:
    """Row by row the sums of the first 0, 1, … entries; shape (B, M+1)."""
    return np.concatenate([np.zeros((len(rows), 1)), np.cumsum(rows, axis=1)], axis=1)


def sums_without(
    sums: NDArray[Sum], number: IntArray, place: IntArray, member: NDArray[Sum]
) -> NDArray[Sum]:
    """Sums of the first ``number`` entries of a list without its member at ``place``.

    ``sums`` are those of the first 0, 1, … with it. Of an ascending list it is taken back from the
    sum with one more, which is no smaller than the member: no digits are lost.
    """
    inside = place < number
    return np.asarray(sums.take(number + inside) - np.where(inside, member, 0.0))


def null_evidence(preferences: FloatArray, null: float) -> FloatArray:
    """``e_ab``: ``d_KL(mu_ab, c)`` to 40 bits where mu_ab is above c by more than 1e-9, else 0."""
    above = preferences > null + TOLERANCE
    evidence = np.where(above, in_bits(divergence_from(preferences, null), _BITS), 0.0)
    np.fill_diagonal(evidence, 0.0)
    return evidence


def identification_rows(preferences: FloatArray, winner: int, margin: float = 0.0) -> RowFamilies:
    """The rows of an answer within a margin: every tie of the winner is flipped for nothing."""
    evidence = null_evidence(preferences, 0.5 - margin)
    shares = unit_costs(evidence, np.maximum(evidence, evidence.T))
    held = len(shares) - 1 - int((shares[winner] > 0.0).sum())
    return _confusing_rows(shares, winner, held)


def copeland_rows(preferences: FloatArray, winner: int, ties: Ties = "free") -> RowFamilies:
    """The rows of equation (2) for a Copeland winner of a (K, K) preference array."""
    shares = (preferences > 0.5).astype(np.float64)
    held = int((preferences[winner] < 0.5).sum()) + len(free_ties(preferences, winner, ties))
    return _confusing_rows(shares, winner, held)


def free_ties(preferences: FloatArray, winner: int, ties: Ties = "free") -> IntArray:
    """The arms that tie with the winner and are no Copeland winners: flips that cost nothing."""
    if ties == "literal":
        return np.zeros(0, dtype=np.int64)
    losses = (preferences < 0.5).sum(axis=1)
    return np.flatnonzero((preferences[winner] == 0.5) & (losses > losses[winner]))


def _confusing_rows(shares: FloatArray, winner: int, held: int) -> RowFamilies:
    """The rows where so many nulls of the winner, ``n_i``, are true already."""
    sizes = np.delete((shares > 0.0).sum(axis=0), winner)
    most = int(sizes.min())
    levels = np.arange(min(most, max(0, held - 1)), most + 1)
    others = sizes[:, None]
    beaten = np.delete(shares[winner] > 0.0, winner)[:, None]
    # With the challenger in H, its own pair is one of the head and one fewer is needed elsewhere.
    heads = np.concatenate([levels + 1 - held, levels - held])
    o_size = np.maximum(0, np.concatenate([others - levels, others - levels - 1], axis=1))
    includes_challenger = np.arange(2 * len(levels)) >= len(levels)
    asked = ~includes_challenger | (beaten & (heads >= 0))
    return _families(shares, winner, np.maximum(0, heads), o_size, includes_challenger, asked)


def ecw_rows(preferences: FloatArray, winner: int, ties: Ties = "free") -> RowFamilies:
    """The rows of equation (5): the winner's pairs are fixed, each challenger has one family."""
    free = len(free_ties(preferences, winner, ties))
    losses = (preferences < 0.5).sum(axis=1)
    o_size = np.maximum(0, np.delete(losses, winner) - losses[winner] + 1 - free)[:, None]
    nothing = np.zeros(1, dtype=np.int64)
    return _families(
        (preferences > 0.5).astype(np.float64),
        winner,
        nothing,
        o_size,
        nothing.astype(np.bool_),
        np.ones_like(o_size, dtype=np.bool_),
        winner_pairs_fixed=True,
    )


def _families(
    shares: FloatArray,
    winner: int,
    h_size: IntArray,
    o_size: IntArray,
    includes_challenger: BoolArray,
    asked: BoolArray,
    *,
    winner_pairs_fixed: bool = False,
) -> RowFamilies:
    """N families for each challenger, but those that ask for more pairs than there are."""
    arms = len(shares)
    inferiors = np.flatnonzero(shares[winner] > 0.0)
    challengers = np.delete(np.arange(arms), winner)
    superior = shares.T[challengers] > 0.0
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
        shares=shares,
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


def cheapest_pairs(
    sums: FloatArray, spare: IntArray, needed: float = 1.0, charge: float = 0.0
) -> IntArray:
    r"""The h of that equation, row by row: how many of the cheapest pairs share the evidence.

    With ascending costs :math:`c_1 \le c_2 \le \dots` and their ``sums`` :math:`P_0, P_1, \dots`,
    inf beyond a challenger's pairs, it is the first h above ``spare``, k, that minimises :math:`P_h
    / (h - k)`, within 1e-9. The next pair makes that smaller while :math:`c_{h+1} (h - k) < P_h`,
    and the difference of the two sides grows with h: the values fall, and then rise. Where a pair
    has a ``charge`` besides, it is the h with the least :math:`P_h (\text{needed}/(h - k) +
    \text{charge})`.
    """
    if sums.shape[1] == 1:
        return np.zeros(len(sums), dtype=np.int64)
    margin = np.arange(1, sums.shape[1]) - spare[:, None]
    value = np.where(margin > 0, sums[:, 1:] * (needed / np.maximum(margin, 1) + charge), np.inf)
    return np.asarray(first_largest(-value) + 1)
