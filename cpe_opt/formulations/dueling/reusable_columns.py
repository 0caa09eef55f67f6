r"""The program of one winner in columns that last while other arms' estimates cross ½.

The rows of a challenger :math:`i_2` speak of its pairs only by how many of them may be missing. In
the nested draws of :mod:`cpe_opt.formulations.dueling.nested_columns` the coefficient of column k
is :math:`(k - s)^+` with :math:`s = m - |O|`, and of m pairs in the list and :math:`|O| = L_{i_2}
- l` (or one less) asked for at level l, that is :math:`s = l` or :math:`l - 1`: it does not depend
on :math:`i_2`'s losses. So as long as the winner beats and loses to the same arms, a row stays a
row whatever happens among the others, and only these change:

- the costs of the columns, sums of the k smallest costs of a list;
- which columns there are, :math:`k \le m`: the frame has all k that a list may come to have, and
  those beyond m are fixed to 0;
- the levels, up to :math:`L^{(2)}`. Rows of higher ones, from a time when there were such levels,
  hold anyway: they sum :math:`l + 1 - L^{(1)}` of the winner's pairs, and the challenger with
  :math:`L^{(2)}` losses asks one of any :math:`L^{(2)} + 1 - L^{(1)}` pairs other than its own.

Where a challenger has fewer losses than the level, O is empty and s = m; if its list then grows,
the row is weaker than it might be, and true.

Columns with :math:`k \le \max(0, L^{(1)} - 1) - 1` (or one more, where the winner does not beat the
challenger) have no coefficient in any row, and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import prefix_sums
from cpe_opt.formulations.dueling.nested_columns import NestedColumns, pair_costs, pair_keys
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.names import block_names
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.ties import ascending


@dataclass(frozen=True, eq=False)
class ReusableColumns(NestedColumns):
    """Columns and separation for one winner, in a layout that outlasts a pattern of the others.

    Column numbers: the winner's pairs first, in the order of ``families.inferiors``; then
    challenger by challenger its nested draws of ``arms - 2`` pairs, one fewer, …, ``shortest``.

    Attributes
    ----------
    losses : int
        L_{i_1}, the winner's.
    """

    losses: int = 0

    @cached_property
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
        """The number of each challenger's first column, and behind the last one their count."""
        width = np.maximum(0, self.longest - self.shortest + 1)
        return np.concatenate([[0], np.cumsum(width)]) + len(self.families.inferiors)

    @property
    def count(self) -> int:
        """How many columns there are."""
        return int(self.first[-1])

    @cached_property
    def is_column(self) -> BoolArray:
        """Which nested draws of the lists are columns, the largest first; shape (B, M)."""
        return np.asarray(self.families.is_superior & (self._number >= self.shortest[:, None]))

    @cached_property
    def columns(self) -> IntArray:
        """Column numbers of these draws, shape (B, M); padding is -1."""
        number = self.first[:-1, None] + self.longest - self._number
        return np.where(self.is_column, number, -1)

    @cached_property
    def _number(self) -> IntArray:
        """How many pairs the draw in a place has; shape (B, M)."""
        return self.families.sizes[:, None] - np.arange(self.families.superiors.shape[1])

    @cached_property
    def upper(self) -> FloatArray:
        """The columns' upper bounds; 0 for draws of more pairs than a list has."""
        upper = np.zeros(self.count)
        upper[: len(self.families.inferiors)] = 1.0
        upper[self.columns[self.is_column]] = np.inf
        return upper

    def column_costs(self, costs: FloatArray) -> FloatArray:
        """The objective from the (K, K) costs of evidence; shape (columns,)."""
        families = self.families
        objective = np.zeros(self.count)
        objective[: len(families.inferiors)] = costs[families.winner, families.inferiors]
        cheapest = prefix_sums(np.sort(pair_costs(families, costs), axis=1))
        number = np.where(self.is_column, self._number, 0)
        nested = np.take_along_axis(cheapest, number, axis=1)
        objective[self.columns[self.is_column]] = nested[self.is_column]
        return objective

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

    def program(self, costs: FloatArray, name: str) -> LazyProgram:
        """The lazy program; ``costs`` is the (K, K) array of r/d."""
        families = self.families
        heads = block_names("x", pair_keys(families.winner, families.inferiors))
        counts = zip(families.challengers.tolist(), np.diff(self.first).tolist(), strict=True)
        draws = (_draw_names(arm, self.longest)[:count] for arm, count in counts)
        none = np.zeros(0)
        relaxation = LinearProgram(
            name=name,
            sense="min",
            costs=self.column_costs(costs),
            column_lower=np.zeros(self.count),
            column_upper=self.upper,
            integer=np.zeros(self.count, dtype=np.bool_),
            matrix=sp.csr_array((0, self.count)),
            row_lower=none,
            row_upper=none,
            column_names=(*heads, *chain.from_iterable(draws)),
            row_names=(),
        )
        return LazyProgram(relaxation, self.separate)

    def _tails(self, chosen: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
        """Rows, columns and coefficients of all draws, of those that are fixed to 0, too."""
        families = self.families
        block = families.block[chosen]
        spared = families.sizes[block] - families.o_size[chosen]
        number = np.arange(1, self.longest + 1)
        asked = (number > spared[:, None]) & (number >= self.shortest[block][:, None])
        row, place = np.nonzero(asked)
        draw = number[place]
        column = self.first[block[row]] + self.longest - draw
        return row, column, (draw - spared[row]).astype(float)


@lru_cache(maxsize=1024)
def _draw_names(challenger: int, longest: int) -> tuple[str, ...]:
    """The names of a challenger's draws, the largest first; all programs of a run share them."""
    return tuple(f"prefix_{challenger}_{number}" for number in range(longest, 0, -1))
