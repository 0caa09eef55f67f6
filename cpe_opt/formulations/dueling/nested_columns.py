r"""The Copeland lower bound by cutting planes, over nested draws.

The rows of one challenger (see :mod:`cpe_opt.formulations.dueling.confusing_instances`) ask the
same of every subset of its pairs of a given size, so they do not change when its pairs are
permuted. By the rearrangement inequality some optimum therefore puts more evidence on cheaper
pairs: with the challenger's pairs in ascending order of their cost :math:`c_{ij} = r_{ij}/d_{ij}`,

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
those that do as well to within ``cpe_opt.ties.TIE``.

**Columns that last.** Where estimates move but their signs do not, only costs change. With all
columns, :meth:`NestedColumns.lasting`, a program lasts while signs of other arms change, too. The
rows of a challenger :math:`i_2` speak of its pairs only by how many of them may be missing. In
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

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import RowFamilies, prefix_sums
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LazyProgram, RowBlock
from cpe_opt.ties import TIE, ascending


@dataclass(frozen=True, eq=False)
class NestedColumns:
    """The winner's pairs, then each challenger's nested draws, the largest first; their rows."""

    families: RowFamilies
    # (B,); how many pairs the draw in the first place has; in place p it is p fewer
    largest: IntArray
    # (B, W); the column number of a challenger's draw in each place; -1 where that is no column.
    # Draws of more pairs than the challenger has may be columns: they are fixed to 0
    numbers: IntArray

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
        chosen = families.is_superior & between & (largest_o > 0)[:, None]
        return cls._of(families, families.sizes, chosen)

    @classmethod
    def lasting(cls, families: RowFamilies, losses: int) -> NestedColumns:
        """Columns that stay the same, whoever beats whom among the others; ``losses`` is L_1."""
        longest = len(families.challengers) - 1
        shortest = np.maximum(1, max(0, losses - 1) + 1 - (families.inferior_index >= 0))
        chosen = np.arange(longest, 0, -1) >= shortest[:, None]
        return cls._of(families, np.full(len(shortest), longest), chosen)

    @classmethod
    def _of(cls, families: RowFamilies, largest: IntArray, chosen: BoolArray) -> NestedColumns:
        """Columns for some of the draws; shape (B, W)."""
        number = len(families.inferiors) - 1 + np.cumsum(chosen).reshape(chosen.shape)
        return cls(families, largest, np.where(chosen, number, -1))

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

    @cached_property
    def upper(self) -> FloatArray:
        """The columns' upper bounds; 0 for draws of more pairs than a challenger has."""
        upper = np.zeros(self.count)
        upper[: len(self.families.inferiors)] = 1.0
        upper[self.numbers[self.is_open]] = np.inf
        return upper

    def column_costs(self, costs: FloatArray) -> FloatArray:
        """The objective from the (K, K) costs of evidence; shape (columns,)."""
        families, is_open = self.families, self.is_open
        objective = np.zeros(self.count)
        objective[: len(families.inferiors)] = costs[families.winner, families.inferiors]
        cheapest = prefix_sums(np.sort(pair_costs(families, costs), axis=1))
        nested = np.take_along_axis(cheapest, np.where(is_open, self.draws, 0), axis=1)
        objective[self.numbers[is_open]] = nested[is_open]
        return objective

    def list_costs(self, block: int, costs: FloatArray) -> tuple[IntArray, FloatArray]:
        """One challenger's columns that may be positive, and their objective."""
        families, is_open = self.families, self.is_open[block]
        superiors = families.superiors[block, : families.sizes[block]]
        cheapest = np.append(0.0, np.sort(costs[families.challengers[block], superiors]).cumsum())
        return self.numbers[block, is_open], cheapest[self.draws[block, is_open]]

    def program(self, costs: FloatArray, name: str) -> LazyProgram:
        """The lazy program; ``costs`` is the (K, K) array of r/d."""
        families, shared = self.families, len(self.families.inferiors)
        builder, objective = ProgramBuilder(name), self.column_costs(costs)
        heads = builder.columns(
            "x", pair_keys(families.winner, families.inferiors), cost=objective[:shared], upper=1.0
        )
        block, place = np.nonzero(self.numbers >= 0)
        keys = np.column_stack([families.challengers[block], self.draws[block, place]])
        builder.columns("prefix", keys, cost=objective[shared:], upper=self.upper[shared:])
        fix_winner_pairs(builder, families, heads)
        return LazyProgram(builder.build(), self.separate)

    def evidence(self, x: FloatArray, costs: FloatArray) -> FloatArray:
        """The evidence ``x`` of every pair, at most 1, at a point; shape (K, K), symmetric."""
        families = self.families
        result = np.zeros(costs.shape)
        result[families.winner, families.inferiors] = x[: len(families.inferiors)]
        for block, challenger in enumerate(families.challengers.tolist()):
            arms, more = self.list_evidence(block, x, costs)
            result[challenger, arms] = more
        return np.minimum(np.maximum(result, result.T), 1.0)

    def list_evidence(
        self, block: int, x: FloatArray, costs: FloatArray
    ) -> tuple[IntArray, FloatArray]:
        """The arms of one challenger's list by ascending cost, and x of their pairs, at most 1."""
        families = self.families
        size = int(families.sizes[block])
        superiors = families.superiors[block, :size]
        arms = superiors[ascending(costs[families.challengers[block], superiors])]
        # The pair of rank r, the cheapest of rank 0, is in all draws of more than r pairs.
        more = self._pair_x(x, block)[self.largest[block] - 1 - np.arange(size)]
        return arms, np.minimum(more, 1.0)

    def separate(self, x: FloatArray, tolerance: float) -> RowBlock:
        """The tightest row of every family that ``x`` violates."""
        families = self.families
        winner_x = x[: len(families.inferiors)]
        # Of a challenger's pairs the most expensive have the smallest x.
        smallest = prefix_sums(self._pair_x(x))[families.block, self._tail_places]
        chosen = np.flatnonzero(families.head_sums(winner_x) + smallest < 1.0 - tolerance)
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
    def _tail_places(self) -> IntArray:
        """How many places, largest draws first, the tail of a family adds up; shape (F,)."""
        families = self.families
        return (self.largest - families.sizes)[families.block] + families.o_size

    def _pair_x(self, x: FloatArray, block: int | slice = slice(None)) -> FloatArray:
        """At place p, the x of the pair that only draws of places up to p have; shape (B, W)."""
        # Where there is no column its number is -1: the 0 that is appended to the point.
        numbers = np.where(self.is_open[block], self.numbers[block], -1)
        return np.cumsum(np.append(x, 0.0)[numbers], axis=-1)


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
