r"""The program of one winner in columns that last while other arms' estimates cross ½.

The rows of a challenger :math:`i_2` speak of its pairs only by how many of them may be missing. In
the nested draws of :mod:`cpe_opt.formulations.dueling.nested_columns` the coefficient of column k
is :math:`(k - s)^+` with :math:`s = m - |O|`, and of m pairs in the list and :math:`|O| = L_{i_2}
- l` (or one less) asked for at level l, that is :math:`s = l` or :math:`l - 1`: it does not depend
on :math:`i_2`'s losses. So as long as the winner beats and loses to the same arms, a row stays
valid whatever happens among the others, and only these change:

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
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import RowFamilies
from cpe_opt.formulations.dueling.nested_columns import NestedColumns, pair_keys
from cpe_opt.modelling.names import block_names
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.ties import ascending


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
