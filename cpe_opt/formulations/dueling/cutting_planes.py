r"""The Copeland lower bound by cutting planes, over nested draws.

The rows of one challenger (see :mod:`cpe_opt.formulations.dueling.rows`) ask the same of every
subset of its pairs of a given size, so they do not change when its pairs are permuted. By the
rearrangement inequality some optimum therefore puts more evidence on cheaper pairs: with the
challenger's pairs in ascending order of their cost :math:`c_{ij} = r_{ij}/d_{ij}`,

.. math:: x_{\sigma_1} \ge x_{\sigma_2} \ge \dots \ge x_{\sigma_m} \ge 0 .

Such a vector is a sum of nested draws: :math:`x = \sum_k z_k \mathbb 1\{\sigma_1,\dots,\sigma_k\}`
with :math:`z \ge 0`. In these columns the sum of the n smallest x is *linear*,
:math:`\sum_{k > m-n} (k - m + n) z_k`, and the exponentially many subsets O of a family collapse
into one. What is left to separate are the subsets H of the winner's own pairs: one partial sort.

columns
    ``x_i_j``: evidence of the winner's pair {i, j}, cost c_ij, at most 1;
    ``prefix_i_k``: evidence drawn alike from the k cheapest pairs of challenger i, cost the sum of
    their costs.
rows
    ``cut_n``: :math:`\sum_{j \in H} x_{i_1 j} + \sum_k (k - m + |O|)^+ z_k \ge 1`, as they are
    found.

The bound :math:`x \le 1` on challengers' pairs is left out: with costs that are not negative some
optimum satisfies it, and cutting x off at 1 breaks no row.

When the estimates move but their signs do not, rows and columns stay what they are, and only costs
change.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.rows import ConfusingRows, prefix_sums
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.program import RowBlock


@dataclass(frozen=True, eq=False)
class MonotoneColumns:
    """The columns and the separation oracle for one winner's families.

    Column numbers: the winner's pairs first, in the order of ``families.inferiors``; then
    challenger by challenger its nested draws, the largest first.
    """

    families: ConfusingRows

    @cached_property
    def first(self) -> IntArray:
        """The number of each challenger's first column; shape (B,)."""
        before = np.cumsum(self.families.sizes) - self.families.sizes
        return np.asarray(len(self.families.inferiors) + before, dtype=np.int64)

    @cached_property
    def columns(self) -> IntArray:
        """Column numbers as a padded matrix, shape (B, M); padding is -1."""
        place = np.arange(self.families.superiors.shape[1])
        return np.where(self.families.is_superior, self.first[:, None] + place, -1)

    def order(self, costs: FloatArray) -> IntArray:
        """Each challenger's pairs by ascending cost, padded with -1; shape (B, M)."""
        families = self.families
        by_cost = np.argsort(self._pair_costs(costs), axis=1, kind="stable")
        return np.take_along_axis(families.superiors, by_cost, axis=1)

    def column_costs(self, costs: FloatArray) -> FloatArray:
        """The objective from the (K, K) costs of evidence; shape (columns,)."""
        families = self.families
        cheapest = prefix_sums(np.sort(self._pair_costs(costs), axis=1))
        # The draw in place p holds the (size - p) cheapest pairs.
        place = np.arange(families.superiors.shape[1])
        number = np.where(families.is_superior, families.sizes[:, None] - place, 0)
        nested = np.take_along_axis(cheapest, number, axis=1)[families.is_superior]
        return np.concatenate([costs[families.winner, families.inferiors], nested])

    def program(self, costs: FloatArray, name: str) -> LazyProgram:
        """The lazy program; ``costs`` is the (K, K) array of r/d."""
        families = self.families
        builder = ProgramBuilder(name)
        objective = self.column_costs(costs)
        shared = len(families.inferiors)
        heads = builder.columns(
            "x", pair_keys(families.winner, families.inferiors), cost=objective[:shared], upper=1.0
        )
        keys = [
            (int(challenger), number)
            for challenger, size in zip(families.challengers, families.sizes, strict=True)
            for number in range(int(size), 0, -1)
        ]
        builder.columns("prefix", keys, cost=objective[shared:])
        fix_winner_pairs(builder, families, heads)
        return LazyProgram(builder.build(), self.separate)

    def separate(self, x: FloatArray, tolerance: float) -> RowBlock:
        """The tightest row of every family that ``x`` violates."""
        families = self.families
        winner_x, tail_sums = self._parts(x)
        values = families.values(winner_x, tail_sums)
        broken = np.flatnonzero(values < 1.0 - tolerance)
        cheapest_heads = np.argsort(winner_x, kind="stable")
        indices: list[IntArray] = []
        entries: list[FloatArray] = []
        seen: set[bytes] = set()
        for family in broken.tolist():
            block = families.block[family]
            inferior_index, o_size = families.inferior_index[block], int(families.o_size[family])
            heads = cheapest_heads[cheapest_heads != inferior_index][: families.h_size[family]]
            if families.includes_challenger[family]:
                heads = np.append(heads, inferior_index)
            heads = np.sort(heads)
            # Two cases of one challenger may share their tightest row.
            key = np.append(heads, (block, o_size)).tobytes()
            if key in seen:
                continue
            seen.add(key)
            places = np.arange(o_size)
            indices.append(np.concatenate([heads, self.first[block] + places]))
            entries.append(np.concatenate([np.ones(len(heads)), (o_size - places).astype(float)]))
        starts = np.cumsum([0, *(len(row) for row in indices)])
        shape = (len(indices), len(x))
        matrix = sp.csr_array(
            (np.concatenate([*entries, []]), np.concatenate([*indices, []]).astype(int), starts),
            shape=shape,
        )
        return RowBlock(matrix, np.ones(len(indices)), np.full(len(indices), np.inf))

    def evidence(self, x: FloatArray, costs: FloatArray) -> FloatArray:
        """X of every pair from the columns, cut off at 1; shape (K, K), symmetric."""
        families = self.families
        result = np.zeros(costs.shape)
        result[families.winner, families.inferiors] = x[: len(families.inferiors)]
        ascending = np.cumsum(self._nested(x), axis=1)
        order = self.order(costs)
        for block, challenger in enumerate(families.challengers.tolist()):
            size = int(families.sizes[block])
            # The cheapest pair comes first in the order and has the most evidence.
            result[challenger, order[block, :size]] = ascending[block, :size][::-1]
        return np.minimum(np.maximum(result, result.T), 1.0)

    def _pair_costs(self, costs: FloatArray) -> FloatArray:
        """Costs of each challenger's pairs, padded with inf; shape (B, M)."""
        families = self.families
        return np.where(
            families.is_superior, costs[families.challengers[:, None], families.superiors], np.inf
        )

    def _nested(self, x: FloatArray) -> FloatArray:
        return np.where(self.families.is_superior, x[self.columns], 0.0)

    def _parts(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        shared = len(self.families.inferiors)
        return x[:shared], prefix_sums(np.cumsum(self._nested(x), axis=1))


def pair_keys(arm: int, others: npt.NDArray[np.integer]) -> list[tuple[int, int]]:
    """The pairs {arm, other} as keys with the smaller arm first."""
    return [(min(arm, other), max(arm, other)) for other in others.tolist()]


def fix_winner_pairs(builder: ProgramBuilder, families: ConfusingRows, heads: IntArray) -> None:
    """Add the rows ``settled_j`` that fix the winner's pairs to 1, where the families ask so."""
    if families.winner_pairs_fixed:
        builder.rows(
            "settled", families.inferiors, np.arange(len(heads)), heads, lower=1.0, upper=1.0
        )
