r"""The rows of the Copeland lower bound: families that need not be listed, and cutting planes.

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

**Cutting planes over nested draws.** The rows of one challenger ask the same of every subset of its
pairs of a given size, so they do not change when its pairs are permuted. By the rearrangement
inequality some optimum therefore puts more evidence on cheaper pairs: with the challenger's pairs
in ascending order of their cost :math:`c_{ij} = r_{ij}/d_{ij}`,

.. math:: x_{\sigma_1} \ge x_{\sigma_2} \ge \dots \ge x_{\sigma_m} \ge 0 .

Such a vector is a sum of nested draws: :math:`x = \sum_k z_k \mathbb 1\{\sigma_1,\dots,\sigma_k\}`
with :math:`z \ge 0`. In these columns the sum of the n smallest x is *linear*,
:math:`\sum_{k > m-n} (k - m + n) z_k`, and the exponentially many subsets O of a family collapse
into one. What is left to separate are the subsets H of the winner's own pairs: one partial sort.

columns
    ``x_i_j``: evidence of the winner's pair {i, j}, cost c_ij, at most 1;
    ``prefix_i_k``: evidence drawn equally from each of the k cheapest pairs of challenger i, cost
    the sum of their costs.
rows
    ``cut_n``: :math:`\sum_{j \in H} x_{i_1 j} + \sum_k (k - m + |O|)^+ z_k \ge 1`, as they are
    found.

The bound :math:`x \le 1` on challengers' pairs is left out: with costs that are not negative some
optimum satisfies it, and cutting x off at 1 breaks no row.

When the estimates move but their signs do not, rows and columns stay what they are, and only costs
change.

**Dominated columns.** For given costs few of the columns are needed. Let a challenger have m pairs,
:math:`C(k)` be the sum of the k smallest costs, and :math:`o_- \le o_+` the least and the largest
positive :math:`|O|` of its families. Column k has the coefficient :math:`(k - m + o)^+` in rows
with :math:`|O| = o`, so there a unit of left-hand side costs :math:`\varphi_o(k) = C(k)/(k-m+o)`.
C is convex, so :math:`\varphi_o` falls up to its first minimiser :math:`k_o`, the least k with
:math:`C(k) \le (k-m+o)\,(C(k+1)-C(k))`, and does not fall again; by the same inequality
:math:`k_o` does not grow with o. Hence

- below :math:`k_{o_+}` every :math:`\varphi_o` falls: the multiple of column :math:`k_{o_+}` that
  costs what column k does has no smaller coefficient in any row, and replaces it;
- above :math:`k_{o_-}` no :math:`\varphi_o` falls: column :math:`k_{o_-}` replaces it likewise.

:meth:`NestedColumns.undominated` keeps the columns from :math:`k_{o_+}` to :math:`k_{o_-}`, and
those that do as well to within ``cpe_opt.ties.TIE``. Programs whose costs will move have all of
them: :meth:`NestedColumns.every`, and :class:`ReusableColumns`.

**The program of one winner in columns that last while other arms' estimates cross ½.**

The rows of a challenger :math:`i_2` speak of its pairs only by how many of them may be missing. In
nested draws the coefficient of column k is :math:`(k - s)^+` with :math:`s = m - |O|`, and of m
pairs in the list and :math:`|O| = L_{i_2} - l` (or one less) asked for at level l, that is :math:`s
= l` or :math:`l - 1`: it does not depend on :math:`i_2`'s losses. So as long as the winner beats
and loses to the same arms, a row stays valid whatever happens among the others, and only these
change:

- the costs of the columns, sums of the k smallest costs of a list;
- which columns may be positive, :math:`k \le m`: there are columns for all k that a list may come
  to have, and those beyond m are fixed to 0;
- the levels, up to :math:`L^{(2)}`. Rows of higher ones, from a time when there were such levels,
  hold anyway: they sum :math:`l + 1 - L^{(1)}` of the winner's pairs, and the challenger with
  :math:`L^{(2)}` losses asks one of any :math:`L^{(2)} + 1 - L^{(1)}` pairs other than its own.

Where a challenger has fewer losses than the level, O is empty and s = m; if its list then grows,
the row is weaker than it might be, and still valid.

Columns with :math:`k \le \max(0, L^{(1)} - 1) - 1` (or one more, where the winner does not beat the
challenger) have no coefficient in any row, and are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, combinations
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import UnknownName
from cpe_opt.modelling.builder import ProgramBuilder, block_names
from cpe_opt.modelling.program import LazyProgram, LinearProgram, RowBlock
from cpe_opt.ties import TIE, ascending

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


@dataclass(frozen=True, eq=False)
class NestedColumns:
    """The columns and the separation oracle for one winner's families.

    The winner's pairs come first, in the order of ``families.inferiors``; then challenger by
    challenger its nested draws, the largest first.
    """

    families: RowFamilies
    # (B,); how many pairs the draw in the first place has; in place p it is p fewer
    largest: IntArray
    # (B, W); the column number of a challenger's draw in each place; -1 where that is no column.
    # Draws of more pairs than the challenger has may be columns: they are fixed to 0
    numbers: IntArray

    @classmethod
    def every(cls, families: RowFamilies) -> NestedColumns:
        """A column for every draw."""
        return cls._of(families, families.is_superior)

    @classmethod
    def undominated(cls, families: RowFamilies, costs: FloatArray) -> NestedColumns:
        """The columns that suffice for these (K, K) costs of evidence, none of them negative."""
        cheapest = prefix_sums(np.sort(pair_costs(families, costs), axis=1))
        asked = families.o_size > 0
        block, o_size = families.block[asked], families.o_size[asked]
        challengers, most = len(cheapest), cheapest.shape[1]
        least_o = np.full(challengers, most)
        largest_o = np.zeros(challengers, dtype=np.int64)
        np.minimum.at(least_o, block, o_size)
        np.maximum.at(largest_o, block, o_size)
        smallest_draw = is_best_size(cheapest, families.sizes, largest_o).argmax(axis=1)
        best_for_least = is_best_size(cheapest, families.sizes, least_o)
        largest_draw = most - 1 - best_for_least[:, ::-1].argmax(axis=1)
        draws = families.sizes[:, None] - np.arange(families.superiors.shape[1])
        between = (draws >= smallest_draw[:, None]) & (draws <= largest_draw[:, None])
        return cls._of(families, families.is_superior & between & (largest_o > 0)[:, None])

    @classmethod
    def _of(cls, families: RowFamilies, chosen: BoolArray) -> NestedColumns:
        """Columns for some of the draws of no more pairs than there are; shape (B, M)."""
        number = len(families.inferiors) - 1 + np.cumsum(chosen).reshape(chosen.shape)
        return cls(families, families.sizes, np.where(chosen, number, -1))

    @property
    def count(self) -> int:
        """How many columns there are."""
        return len(self.families.inferiors) + int((self.numbers >= 0).sum())

    @cached_property
    def draws(self) -> IntArray:
        """How many pairs the draw in each place has; shape (B, W)."""
        return self.largest[:, None] - np.arange(self.numbers.shape[1])

    @cached_property
    def is_open(self) -> BoolArray:
        """Which draws are columns that may be positive; shape (B, W)."""
        return np.asarray((self.numbers >= 0) & (self.draws <= self.families.sizes[:, None]))

    def column_costs(self, costs: FloatArray) -> FloatArray:
        """The objective from the (K, K) costs of evidence; shape (columns,)."""
        families, is_open = self.families, self.is_open
        objective = np.zeros(self.count)
        objective[: len(families.inferiors)] = costs[families.winner, families.inferiors]
        cheapest = prefix_sums(np.sort(pair_costs(families, costs), axis=1))
        nested = np.take_along_axis(cheapest, np.where(is_open, self.draws, 0), axis=1)
        objective[self.numbers[is_open]] = nested[is_open]
        return objective

    def program(self, costs: FloatArray, name: str) -> LazyProgram:
        """The lazy program; ``costs`` is the (K, K) array of r/d."""
        families = self.families
        builder = ProgramBuilder(name)
        objective = self.column_costs(costs)
        shared = len(families.inferiors)
        heads = builder.columns(
            "x", pair_keys(families.winner, families.inferiors), cost=objective[:shared], upper=1.0
        )
        block, place = np.nonzero(self.numbers >= 0)
        keys = np.column_stack([families.challengers[block], self.draws[block, place]])
        builder.columns("prefix", keys, cost=objective[shared:])
        fix_winner_pairs(builder, families, heads)
        return LazyProgram(builder.build(), self.separate)

    def evidence(self, x: FloatArray, costs: FloatArray) -> FloatArray:
        """The evidence ``x`` of every pair, at most 1, at a point; shape (K, K), symmetric."""
        families = self.families
        result = np.zeros(costs.shape)
        result[families.winner, families.inferiors] = x[: len(families.inferiors)]
        # The pair of rank r, the cheapest of rank 0, is in all draws of more than r pairs.
        block, rank = np.nonzero(families.is_superior)
        by_cost = ascending(pair_costs(families, costs))
        arms = np.take_along_axis(families.superiors, by_cost, axis=1)[block, rank]
        more = self._pair_x(x)[block, self.largest[block] - 1 - rank]
        result[families.challengers[block], arms] = more
        return np.minimum(np.maximum(result, result.T), 1.0)

    def separate(self, x: FloatArray, tolerance: float) -> RowBlock:
        """The tightest row of every family that ``x`` violates."""
        families = self.families
        winner_x = x[: len(families.inferiors)]
        # Of a challenger's pairs the most expensive have the smallest x.
        smallest = prefix_sums(self._pair_x(x))[families.block, self._tail_places]
        broken = families.head_sums(winner_x) + smallest < 1.0 - tolerance
        chosen = np.flatnonzero(broken & self._is_distinct)
        row, column = self._heads(chosen, np.argsort(winner_x, kind="stable"))
        tail, nested, coefficient = self._tails(chosen)
        entries = np.concatenate([np.ones(len(row)), coefficient])
        places = np.concatenate([row, tail]), np.concatenate([column, nested])
        matrix = sp.csr_array(sp.coo_array((entries, places), shape=(len(chosen), len(x))))
        return RowBlock(matrix, np.ones(len(chosen)), np.full(len(chosen), np.inf))

    def _heads(self, chosen: IntArray, cheapest: IntArray) -> tuple[IntArray, IntArray]:
        """Rows and columns of the winner's pairs in the tightest rows of these families."""
        families = self.families
        h_size, own = families.h_size[chosen], families.inferior_index[families.block[chosen]]
        rank = np.full(len(cheapest) + 1, len(cheapest))
        rank[cheapest] = np.arange(len(cheapest))
        # The challenger's own pair is passed over: where it is among the first, one more is taken.
        taken = h_size + (rank[own] < h_size)
        row = np.repeat(np.arange(len(chosen)), taken)
        column = cheapest[np.arange(len(row)) - np.repeat(np.cumsum(taken) - taken, taken)]
        others = column != own[row]
        joined = np.flatnonzero(families.includes_challenger[chosen])
        return np.concatenate([row[others], joined]), np.concatenate([column[others], own[joined]])

    def _tails(self, chosen: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
        """Rows, columns and coefficients of the nested draws in the rows of these families."""
        families = self.families
        block = families.block[chosen]
        spared = families.sizes[block] - families.o_size[chosen]
        coefficient = self.draws[block] - spared[:, None]
        row, place = np.nonzero((self.numbers[block] >= 0) & (coefficient > 0))
        return row, self.numbers[block[row], place], coefficient[row, place].astype(float)

    @cached_property
    def _is_distinct(self) -> BoolArray:
        """Whether no earlier family asks for the same; shape (F,)."""
        families = self.families
        asked = (families.block, families.h_size, families.o_size, families.includes_challenger)
        _, first = np.unique(np.column_stack(asked), axis=0, return_index=True)
        distinct = np.zeros(families.count, dtype=np.bool_)
        distinct[first] = True
        return distinct

    @cached_property
    def _tail_places(self) -> IntArray:
        """How many places, largest draws first, the tail of a family adds up; shape (F,)."""
        families = self.families
        return (self.largest - families.sizes)[families.block] + families.o_size

    def _pair_x(self, x: FloatArray) -> FloatArray:
        """At place p, the x of the pair that only draws of places up to p have; shape (B, W)."""
        # Where there is no column its number is -1: the 0 that is appended to the point.
        return np.cumsum(np.append(x, 0.0)[np.where(self.is_open, self.numbers, -1)], axis=1)


def pair_costs(families: RowFamilies, costs: FloatArray) -> FloatArray:
    """Costs of each challenger's pairs, padded with inf; shape (B, M)."""
    return np.where(
        families.is_superior, costs[families.challengers[:, None], families.superiors], np.inf
    )


def is_best_size(cheapest: FloatArray, sizes: IntArray, o_size: IntArray) -> BoolArray:
    """Which draws cost least per unit of left-hand side in rows with ``o_size``; shape (B, M+1)."""
    number = np.arange(cheapest.shape[1])
    coefficient = number - sizes[:, None] + o_size[:, None]
    occurs = (coefficient > 0) & (number <= sizes[:, None])
    ratio = np.divide(cheapest, coefficient, out=np.full_like(cheapest, np.inf), where=occurs)
    return np.asarray(occurs & (ratio <= ratio.min(axis=1, keepdims=True) * (1.0 + TIE)))


def pair_keys(arm: int, others: npt.NDArray[np.integer]) -> list[tuple[int, int]]:
    """The pairs {arm, other} as keys with the smaller arm first."""
    return [(min(arm, other), max(arm, other)) for other in others.tolist()]


def fix_winner_pairs(builder: ProgramBuilder, families: RowFamilies, heads: IntArray) -> None:
    """Add the rows ``fixed_j`` that fix the winner's pairs to 1, where the families ask so."""
    if families.winner_pairs_fixed:
        builder.rows(
            "fixed", families.inferiors, np.arange(len(heads)), heads, lower=1.0, upper=1.0
        )


# The program of one winner in columns that last while other arms' estimates cross ½.


@dataclass(frozen=True, eq=False)
class ReusableColumns:
    """Columns for one winner that stay the same, whoever beats whom among the others.

    The winner's pairs come first, in the order of ``families.inferiors``; then challenger by
    challenger its nested draws of ``longest`` pairs, one fewer, …, ``shortest``. ``losses`` is
    :math:`L_{i_1}`, the winner's.
    """

    families: RowFamilies
    losses: int

    @property
    def longest(self) -> int:
        """The most pairs that a list may have: all arms but the challenger and the winner."""
        return len(self.families.challengers) - 1

    @cached_property
    def shortest(self) -> IntArray:
        """The fewest pairs of a draw that occurs in a row; shape (B,)."""
        spared = max(0, self.losses - 1) - (self.families.inferior_index >= 0)
        return np.asarray(np.maximum(1, spared + 1), dtype=np.int64)

    @cached_property
    def first(self) -> IntArray:
        """The number of each challenger's first column, and at the end the number of columns."""
        width = np.maximum(0, self.longest - self.shortest + 1)
        return np.concatenate([[0], np.cumsum(width)]) + len(self.families.inferiors)

    @cached_property
    def nested(self) -> NestedColumns:
        """The same columns as nested draws: their costs, rows and evidence."""
        draws = np.arange(self.longest, 0, -1)
        numbers = self.first[:-1, None] + np.arange(self.longest)
        return NestedColumns(
            self.families,
            np.full(len(self.shortest), self.longest),
            np.where(draws >= self.shortest[:, None], numbers, -1),
        )

    @cached_property
    def upper(self) -> FloatArray:
        """The columns' upper bounds; 0 for draws of more pairs than a list has."""
        upper = np.zeros(self.nested.count)
        upper[: len(self.families.inferiors)] = 1.0
        upper[self.nested.numbers[self.nested.is_open]] = np.inf
        return upper

    def relaxation(self, costs: FloatArray, name: str) -> LinearProgram:
        """The program without rows; ``costs`` is the (K, K) array of r/d."""
        families, count = self.families, self.nested.count
        heads = block_names("x", pair_keys(families.winner, families.inferiors))
        counts = zip(families.challengers.tolist(), np.diff(self.first).tolist(), strict=True)
        draws = (_draw_names(arm, self.longest)[:count] for arm, count in counts)
        none = np.zeros(0)
        return LinearProgram(
            name=name,
            sense="min",
            costs=self.nested.column_costs(costs),
            column_lower=np.zeros(count),
            column_upper=self.upper,
            integer=np.zeros(count, dtype=np.bool_),
            matrix=sp.csr_array((0, count)),
            row_lower=none,
            row_upper=none,
            column_names=(*heads, *chain.from_iterable(draws)),
            row_names=(),
        )

    def list_costs(self, block: int, costs: FloatArray) -> FloatArray:
        """The objective of one challenger's columns; of length ``longest - shortest + 1``."""
        families = self.families
        size, shortest = int(families.sizes[block]), int(self.shortest[block])
        objective = np.zeros(max(0, self.longest - shortest + 1))
        superiors = families.superiors[block, :size]
        sums = np.sort(costs[families.challengers[block], superiors]).cumsum()
        if size >= shortest:
            objective[self.longest - size :] = sums[shortest - 1 :][::-1]
        return objective

    def list_evidence(
        self, challenger: int, x: FloatArray, costs: FloatArray
    ) -> tuple[IntArray, FloatArray]:
        """The arms of one challenger's list by ascending cost, and x of their pairs, at most 1."""
        families = self.families
        block = families.block_of(challenger)
        size, shortest = int(families.sizes[block]), int(self.shortest[block])
        superiors = families.superiors[block, :size]
        arms = superiors[ascending(costs[challenger, superiors])]
        more = np.zeros(size)
        if size >= shortest:
            start = self.first[block] + self.longest
            draws = x[start - size : start - shortest + 1].cumsum()[::-1]
            more[:shortest] = draws[0]
            more[shortest - 1 :] = draws
        return arms, np.minimum(more, 1.0)


@lru_cache(maxsize=1024)
def _draw_names(challenger: int, longest: int) -> tuple[str, ...]:
    """The names of a challenger's draws, the largest first; all programs of a run share them."""
    return tuple(f"prefix_{challenger}_{number}" for number in range(longest, 0, -1))
