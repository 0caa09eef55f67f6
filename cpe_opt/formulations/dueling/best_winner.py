r"""A program for each Copeland winner, and the best of them.

The regret lower bound and the characteristic time have the same rows, those that make a confusing
instance of a winner, and the same columns, the evidence :math:`x_{ij}`
(:mod:`cpe_opt.formulations.dueling.confusing_instances`). They differ in what a unit of evidence
costs: the regret or the price of a duel over what it shows. Where there are several winners, the
smallest optimum counts.

Three formulations have the same optimum:

``cuts``
    rows as the separation oracle finds them: over nested draws
    (:mod:`cpe_opt.formulations.dueling.nested_columns`) where each pair counts in one direction
    alone, as it does without a margin, else over columns ``x_i_j``, the tightest rows of each
    challenger.
``enumerate``
    every row, in columns ``x_i_j``, the evidence of the pairs that occur in rows; refused above
    :data:`ENUMERATION_LIMIT` rows.
``compact``
    the same columns and polynomially many rows, by duality: the sum of the h smallest of a set S of
    terms :math:`s_j x_j` is at least s if and only if there are :math:`\lambda, \nu \ge 0` with
    :math:`h\lambda - \sum_{j \in S} \nu_j \ge s` and :math:`\nu_j \ge \lambda - s_j x_j`. Columns
    ``head_level``, ``head_short``, ``tail_level``, ``tail_short``; rows ``family_n``, ``head_row``,
    ``tail_row``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar, Unpack

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.dueling.confusing_instances import RowFamilies
from cpe_opt.formulations.dueling.nested_columns import NestedColumns, fix_winner_pairs, pair_keys
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LazyProgram, LinearProgram, RowBlock
from cpe_opt.modelling.reading import with_row_texts
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, unit_costs
from cpe_opt.progress_line import step
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.registry import require_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import TIE

Method = Literal["cuts", "compact", "enumerate"]
ENUMERATION_LIMIT = 200_000


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class WinnerAnswer(Answer):
    """The least cost of evidence that keeps all rows of a winner, and the duels that attain it."""

    winner: int  # the first of those whose optima are equal up to rounding
    exploration: FloatArray  # (K, K); q, symmetric
    by_winner: dict[int, float]  # the optimum of each; infinite where no evidence is enough

    def report(self, problem: PreferenceMatrix) -> dict[str, Any]:
        """The winner, and the optimum of each, by their labels."""
        by_winner = {problem.labels[arm]: value for arm, value in self.by_winner.items()}
        return {"winner": problem.labels[self.winner], "by_winner": by_winner}


A = TypeVar("A", bound=WinnerAnswer)


def best_winner(
    answer: type[A],
    winners: Sequence[int],
    rows_of: Callable[[int], RowFamilies],
    *,
    weights: FloatArray,
    evidence: FloatArray,
    endless: Callable[[int], FloatArray],
    method: Method,
    name: str,
    rows: Sequence[str] = (),
    **solving: Unpack[SolveOptions],
) -> A:
    """The smallest optimum over winners by their rows; symmetric arrays are (K, K), by pairs.

    The columns of ``cuts`` are sums in an order that holds without further rows alone.
    """
    require_backend(solving.get("solver", "highs"), "LP")
    if rows and len(winners) > 1:
        raise InputError(
            "rows are added to the program of one winner: expected winner (--winner on the "
            f"command line), one of {', '.join(map(str, winners))}"
        )
    if rows and method == "cuts":
        method = "compact"
    costs = unit_costs(weights, evidence)

    def answers() -> Iterator[A]:
        for place, winner in enumerate(winners, 1):
            if len(winners) > 1:
                step(f"of {len(winners):,} winners", place)
            families, result = rows_of(winner), None
            value = bound = math.inf
            if families.is_feasible:
                program = winner_program(families, costs, method, f"{name}_{winner}", rows)
                result = solve(program.program, **solving)
                if result.x is None or result.objective is None or result.bound is None:
                    raise InputError("the solver left no point")
                value, bound = result.objective, result.bound
                q = unit_costs(program.evidence(result.x), evidence)
            else:
                q = endless(winner)
            yield answer(
                value=value,
                bound=bound,
                method=method,
                result=result,
                winner=winner,
                exploration=q,
                by_winner={},
            )

    return least_answer(answers())


def least_answer(answers: Iterable[A]) -> A:
    """Of an answer for each winner the first of the least, with the least bound and all values."""
    every = iter(answers)
    best = next(every)
    bound, by_winner = best.bound, {best.winner: best.value}
    for answer in every:
        by_winner[answer.winner] = answer.value
        bound = min(bound, answer.bound)
        if answer.value < best.value * (1.0 - TIE):
            best = answer
    return replace(best, bound=bound, by_winner=by_winner)


@dataclass(frozen=True, eq=False)
class WinnerProgram:
    """The program of one winner; ``evidence`` reads x of its points, symmetric, shape (K, K)."""

    program: LinearProgram | LazyProgram
    evidence: Callable[[FloatArray], FloatArray]


def winner_program(
    families: RowFamilies,
    costs: FloatArray,
    method: Method,
    name: str,
    rows: Sequence[str] = (),
) -> WinnerProgram:
    """The program of these families by one method, with a cost of each unit of evidence."""
    if method == "cuts":
        if rows:
            raise InputError(
                "rows are by the columns x_i_j, and the method 'cuts' has others: expected the "
                "method 'compact' or 'enumerate'"
            )
        if families.is_one_sided:
            columns = NestedColumns.undominated(families, costs)
            return WinnerProgram(
                columns.program(costs, name), lambda point: columns.evidence(point, costs)
            )
    pairs = _PairColumns(families, costs, name)
    if method == "cuts":
        return WinnerProgram(LazyProgram(pairs.builder.build(), pairs.separate), pairs.evidence)
    if method == "compact":
        pairs.add_sums()
    else:
        pairs.add_rows()
    program = pairs.builder.build()
    return WinnerProgram(with_row_texts(program, rows) if rows else program, pairs.evidence)


class _PairColumns:
    """Columns ``x_i_j`` for the pairs that occur in rows, and the rows over them."""

    def __init__(self, families: RowFamilies, costs: FloatArray, name: str) -> None:
        self.families, self.builder, self._name = families, ProgramBuilder(name), name
        pairs = pair_keys(families.winner, families.inferiors)
        for block, challenger in enumerate(families.challengers.tolist()):
            pairs += pair_keys(challenger, families.superiors[block, : families.sizes[block]])
        # With a margin a pair may be one of both its arms.
        self._keys = np.array(list(dict.fromkeys(pairs)), dtype=np.int64).reshape(-1, 2)
        self._most = 1.0 if families.is_one_sided else math.inf
        first, second = self._keys.T
        numbers = self.builder.columns("x", self._keys, cost=costs[first, second], upper=self._most)
        fix_winner_pairs(self.builder, families, numbers[: len(families.inferiors)])
        self._column = np.full(costs.shape, -1, dtype=np.int64)
        self._column[first, second] = self._column[second, first] = numbers

    def evidence(self, point: FloatArray) -> FloatArray:
        """The symmetric (K, K) array of x at a point."""
        x = np.zeros(self._column.shape)
        first, second = self._keys.T
        x[first, second] = x[second, first] = np.clip(point[: len(first)], 0.0, self._most)
        return x

    def separate(self, point: FloatArray, tolerance: float) -> RowBlock:
        """The tightest row of each challenger that a point breaks."""
        rows = self.families.broken_rows(self.evidence(point), tolerance)
        row = np.repeat(np.arange(len(rows)), [len(nulls) for nulls in rows])
        columns, shares = self._terms(np.concatenate([np.zeros((0, 2), np.int64), *rows]))
        shape = len(rows), len(point)
        matrix = sp.csr_array(sp.coo_array((shares, (row, columns)), shape=shape))
        return RowBlock(matrix, np.ones(len(rows)), np.full(len(rows), np.inf))

    def add_rows(self) -> None:
        """Every row, one by one, or :class:`InputError` where these are too many."""
        count = self.families.row_count()
        if count > ENUMERATION_LIMIT:
            raise InputError(
                f"{self._name}: {count:,} rows to enumerate, at most "
                f"{ENUMERATION_LIMIT:,} are listed; method='cuts' and method='compact' solve the "
                "same program"
            )
        terms = [self._terms(nulls) for nulls in self.families.rows()]
        columns, shares = [column for column, _ in terms], [share for _, share in terms]
        self.builder.sums("row", len(terms), (shares, columns), lower=1.0)

    def add_sums(self) -> None:
        """Polynomially many rows: a family's sums of smallest terms by duality."""
        families = self.families
        known: dict[tuple[object, ...], tuple[IntArray, FloatArray]] = {}
        sums: list[list[tuple[IntArray, FloatArray]]] = []
        for family in range(families.count):
            block = int(families.block[family])
            challenger = int(families.challengers[block])
            # Challengers that the winner does not beat share one head.
            left_out = (challenger,) if families.inferior_index[block] >= 0 else ()
            h_size, o_size = int(families.h_size[family]), int(families.o_size[family])
            own, heads, tails = families.lists(family)
            parts = [self._terms(own)]
            for kind, key, nulls, number in (
                ("head", (families.winner, h_size, *left_out), heads, h_size),
                ("tail", (challenger, o_size), tails, o_size),
            ):
                if (kind, *key) not in known:
                    known[kind, *key] = self._smallest_sum(kind, key, nulls, number)
                parts.append(known[kind, *key])
            sums.append(parts)
        terms = [
            ([values for _, values in term], [columns for columns, _ in term])
            for term in zip(*sums, strict=True)
        ]
        self.builder.sums("family", families.count, *terms, lower=1.0)

    def _terms(self, nulls: IntArray) -> tuple[IntArray, FloatArray]:
        """Columns and coefficients of nulls."""
        first, second = nulls.T
        return self._column[first, second], self.families.shares[first, second]

    def _smallest_sum(
        self, kind: str, key: tuple[int, ...], nulls: IntArray, number: int
    ) -> tuple[IntArray, FloatArray]:
        """Columns and coefficients of a sum that attains, at most, that of the smallest terms."""
        columns, shares = self._terms(nulls)
        count = len(columns)
        if number == 0:
            return columns[:0], shares[:0]
        if number == count:
            return columns, shares
        level = self.builder.columns(f"{kind}_level", [key])
        keys = [(*key, place) for place in range(count)]
        short = self.builder.columns(f"{kind}_short", keys)
        # short_j + s_j x_j - level >= 0
        self.builder.sums(
            f"{kind}_row", keys, (1.0, short), (shares, columns), (-1.0, level), lower=0.0
        )
        return np.append(short, level), np.append(-np.ones(count), float(number))


def copeland_winners(
    preferences: PreferenceMatrix, winner: int | None, margin: float = 0.0
) -> tuple[int, ...]:
    """The winners to solve for: all of them, or the one asked for after a check."""
    winners = preferences.copeland_winners_within(margin)
    return asked_winners(preferences, winner, winners, "Copeland winner", margin)


def asked_winners(
    preferences: PreferenceMatrix,
    winner: int | None,
    winners: tuple[int, ...],
    what: str,
    margin: float,
) -> tuple[int, ...]:
    """All of these winners, or the one asked for, or :class:`InputError` if it is not one."""
    if winner is None:
        return winners
    arm = preferences.check_arm(winner)
    if arm not in winners:
        within = f" within {margin:g}" if margin else ""
        raise InputError(
            f"arm {arm} ({preferences.labels[arm]}) is no {what}{within}; the winners are "
            f"{', '.join(map(str, winners))}"
        )
    return (arm,)


def endless_exploration(arm: int, others: IntArray, arms: int) -> FloatArray:
    """Infinite for the pairs of one arm with some others, 0 elsewhere; shape (K, K)."""
    q = np.zeros((arms, arms))
    q[arm, others] = q[others, arm] = math.inf
    return q
