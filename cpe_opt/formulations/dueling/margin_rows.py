r"""The rows of the characteristic time with a margin: what shows that no arm is ahead by more.

Let :math:`\varepsilon > 0` be the margin and :math:`c = \frac12 - \varepsilon`. The *null* (a, b)
is :math:`\mu_{ab} \le c`: b beats a by at least the margin. Arm i is a Copeland winner within the
margin unless :math:`|W_j| + |N_i| \ge K` for some arm j, with :math:`W_j` the arms k for which the
null (k, j) is true, and :math:`N_i` those for which (i, k) is
(:mod:`cpe_opt.proofs.dueling.predictable_bets`; nulls at the margin itself may go to either side at
no cost). So an instance in which i is a wrong answer has an arm j and a set of at least K true
nulls of

- (k, j) and (i, k) for all k other than i and j, one each, of 2(K - 2) different pairs;
- (i, j), which counts twice, as i in :math:`W_j` and as j in :math:`N_i`.

Where :math:`\mu_{ab} > c`, q duels of the pair tell the null (a, b) apart by
:math:`q\, d_{KL}(\mu_{ab}, c)`; where :math:`\mu_{ab} \le c` it is true already, and by 0. With
:math:`e_{ab}` for this divergence or 0, every row has each pair in one direction at most, and

.. math:: T^*_i = \min_{q \ge 0} \sum_{a<b} \pi_{ab} q_{ab} \quad\text{s.t.}\quad
          \sum_{k \in A} e_{kj} q_{kj} + \sum_{k \in B} e_{ik} q_{ik}
          + e_{ij} q_{ij} \mathbb 1\{C\} \ge 1

for all j other than i and all sets A, B of the other arms with :math:`|A| + |B| = K - 2` with (i,
j), case C, and :math:`|A| + |B| = K` without. Two partial sums of 2(K - 2) sorted numbers are the
tightest rows of j. A duel may count for either direction of its pair: where two arms are nearly
tied, both nulls of the pair are false.

**Columns** ``x_a_b``, a < b: the evidence of the pair in the direction that has more of it,
:math:`\max(e_{ab}, e_{ba})\, q_{ab}`, at the cost :math:`\pi_{ab} / \max(e_{ab}, e_{ba})`. In the
other direction it counts by the ratio of the two.

**Methods.** ``cuts``: the rows as they are found, ``cut_n``. ``enumerate``: all of them that have
every null that is true already, ``row_n``; the others follow. ``compact``: two rows
``challenger_n`` for each j, of sums of smallest terms by duality
(:func:`cpe_opt.formulations.dueling.best_winner.smallest_sum`), with the columns ``nulls_level``,
``nulls_short`` and the rows ``nulls_row``.

The program has no point, and :math:`T^*_i` is infinite, where i is only just a winner within the
margin: K of the nulls of some j are true already, as :math:`\mu_{ab} \le c` counts here.

For :math:`\varepsilon = 0` these are the rows of
:mod:`cpe_opt.formulations.dueling.confusing_instances`, with two columns for a pair of which one
coefficient is 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.dueling.best_winner import (
    ENUMERATION_LIMIT,
    METHODS,
    Method,
    WinnerProgram,
    smallest_sum,
)
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.program import LinearProgram, RowBlock
from cpe_opt.problems.dueling.scores import divergence_from, unit_costs
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.ties import ascending, in_bits

_BITS = 40  # as of the divergences from ½
_NONE = -1


@dataclass(frozen=True, eq=False)
class MarginRows:
    """The rows of one answer."""

    answer: int  # i
    # (K, K); `e_ab`, what a duel of the pair shows against the null (a, b); 0 where that is true
    evidence: FloatArray
    on_edge: BoolArray  # (K, K); where `mu_ab` is c

    @classmethod
    def of(cls, preferences: FloatArray, margin: float, answer: int) -> MarginRows:
        """Those of a (K, K) preference array; probabilities within 1e-9 of c are equal to it."""
        null = 0.5 - margin
        edge = np.asarray(np.abs(preferences - null) <= TOLERANCE)
        return cls(answer, null_evidence(preferences, null), edge)

    @property
    def arms(self) -> int:
        """K."""
        return len(self.evidence)

    @property
    def challengers(self) -> list[int]:
        """Every arm but the answer."""
        return [arm for arm in range(self.arms) if arm != self.answer]

    @cached_property
    def strongest(self) -> FloatArray:
        """The evidence of a duel in the direction that has more; shape (K, K), symmetric."""
        return np.maximum(self.evidence, self.evidence.T)

    @cached_property
    def share(self) -> FloatArray:
        """The coefficient of the pair's column in each direction; shape (K, K)."""
        return unit_costs(self.evidence, self.strongest)

    def nulls(self, challenger: int) -> tuple[IntArray, IntArray]:
        """The arms a and b of the nulls that count once; each of shape (2K - 4,)."""
        thirds = np.delete(np.arange(self.arms), [self.answer, challenger])
        first = np.concatenate([thirds, np.full(len(thirds), self.answer)])
        return first, np.concatenate([np.full(len(thirds), challenger), thirds])

    def sizes(self) -> list[tuple[int, bool]]:
        """How many nulls that count once a row has, and whether it has (i, j)."""
        fits = self.arms <= 2 * (self.arms - 2)
        return [(self.arms - 2, True), *([(self.arms, False)] if fits else [])]

    @cached_property
    def is_feasible(self) -> bool:
        """Whether the nulls that are true already leave the answer right."""
        return not self.lost_to()

    def lost_to(self) -> list[int]:
        """The arms of which so many nulls are true that the answer is wrong, or only just right."""
        held = self.evidence == 0.0
        return [
            j
            for j in self.challengers
            if int(held[self.nulls(j)].sum()) + 2 * int(held[self.answer, j]) >= self.arms
        ]

    def endless_exploration(self) -> FloatArray:
        """Infinite for the pairs at the margin by which the answer is only just right."""
        q = np.zeros_like(self.evidence)
        for j in self.lost_to():
            first, second = self.nulls(j)
            first, second = np.append(first, self.answer), np.append(second, j)
            edge = self.on_edge[first, second]
            q[first[edge], second[edge]] = q[second[edge], first[edge]] = math.inf
        return q

    def rows(self) -> Iterator[list[tuple[int, int]]]:
        """Every row that has all nulls that are true already, as the list of its other nulls."""
        for j in self.challengers:
            open_, held = self._open(j)
            for size, own in self.sizes():
                pair = [(self.answer, j)] if own else []
                for chosen in combinations(open_, max(0, size - held)):
                    yield pair + list(chosen)

    def row_count(self) -> int:
        """How many rows :meth:`rows` has."""
        count = 0
        for j in self.challengers:
            open_, held = self._open(j)
            count += sum(math.comb(len(open_), max(0, size - held)) for size, _ in self.sizes())
        return count

    def _open(self, challenger: int) -> tuple[list[tuple[int, int]], int]:
        """The nulls that count once and are false, and how many others there are."""
        nulls = list(zip(*(each.tolist() for each in self.nulls(challenger)), strict=True))
        false = [null for null in nulls if self.evidence[null] > 0.0]
        return false, len(nulls) - len(false)

    def program(self, prices: FloatArray, method: Method, name: str) -> WinnerProgram:
        """The program by one of the three methods."""
        if method not in METHODS:
            raise UnknownName("method", method, METHODS)
        builder, column = ProgramBuilder(name), np.full(prices.shape, _NONE)
        upper = np.triu_indices(self.arms, 1)
        costs = unit_costs(prices, self.strongest)[upper]
        column[upper] = builder.columns("x", np.column_stack(upper), cost=costs)
        column = np.maximum(column, column.T)
        program: LinearProgram | LazyProgram
        if method == "cuts":
            program = LazyProgram(
                builder.build(), lambda x, tolerance: self._separate(column, x, tolerance)
            )
        elif method == "enumerate":
            self._list_rows(builder, column, name)
            program = builder.build()
        else:
            self._sum_rows(builder, column)
            program = builder.build()

        def evidence(point: FloatArray) -> FloatArray:
            x = np.zeros(prices.shape)
            x[upper] = np.maximum(point[: len(upper[0])], 0.0)
            return x + x.T

        return WinnerProgram(program, evidence)

    def _separate(self, column: IntArray, x: FloatArray, tolerance: float) -> RowBlock:
        """The tightest rows of every challenger that ``x`` breaks."""
        proved = self.share * np.where(column == _NONE, 0.0, x[column])
        rows = []
        for j in self.challengers:
            first, second = self.nulls(j)
            order = ascending(proved[first, second])
            for size, own in self.sizes():
                a, b = first[order[:size]], second[order[:size]]
                if own:
                    a, b = np.append(a, self.answer), np.append(b, j)
                if proved[a, b].sum() < 1.0 - tolerance:
                    rows.append((column[a, b], self.share[a, b]))
        row = np.repeat(np.arange(len(rows)), [len(columns) for columns, _ in rows])
        places = row, np.concatenate([columns for columns, _ in rows] or [row])
        entries = np.concatenate([shares for _, shares in rows] or [np.zeros(0)])
        matrix = sp.csr_array(sp.coo_array((entries, places), shape=(len(rows), len(x))))
        return RowBlock(matrix, np.ones(len(rows)), np.full(len(rows), np.inf))

    def _list_rows(self, builder: ProgramBuilder, column: IntArray, name: str) -> None:
        """Every row, or :class:`InputError` where these are too many."""
        count = self.row_count()
        if count > ENUMERATION_LIMIT:
            raise InputError(
                f"{name}: {count:,} rows to enumerate, at most {ENUMERATION_LIMIT:,} are listed; "
                "method='cuts' and method='compact' solve the same program"
            )
        rows = [np.array(nulls, dtype=np.intp).reshape(-1, 2).T for nulls in self.rows()]
        shares, columns = ([table[i, j] for i, j in rows] for table in (self.share, column))
        builder.sums("row", len(rows), (shares, columns), lower=1.0)

    def _sum_rows(self, builder: ProgramBuilder, column: IntArray) -> None:
        """The rows by duality."""
        for j in self.challengers:
            first, second = self.nulls(j)
            for size, own in self.sizes():
                columns, entries = smallest_sum(
                    builder,
                    "nulls",
                    (j, size),
                    column[first, second],
                    size,
                    self.share[first, second],
                )
                if own:
                    columns = np.append(columns, column[self.answer, j])
                    entries = np.append(entries, self.share[self.answer, j])
                builder.rows(
                    "challenger", [(j, size)], np.zeros(len(columns)), columns, entries, lower=1.0
                )


def null_evidence(preferences: FloatArray, null: float) -> FloatArray:
    """``d_KL(mu_ab, c)`` to 40 bits where mu_ab is above c by more than 1e-9, else 0; (K, K)."""
    above = preferences > null + TOLERANCE
    evidence = np.where(above, in_bits(divergence_from(preferences, null), _BITS), 0.0)
    np.fill_diagonal(evidence, 0.0)
    return evidence
