r"""A program for each Copeland winner, and the best of them.

The regret lower bound and the characteristic time have the same rows, those that make a confusing
instance of a winner (:mod:`cpe_opt.formulations.dueling.confusing_instances`), and the same
columns, the evidence :math:`x_{ij} = d_{ij} q_{ij}`. They differ in what a duel costs:
:math:`c_{ij} = w_{ij}/d_{ij}` with the regret or the price :math:`w_{ij}` of a duel. Where there
are several winners, the smallest optimum counts.

Three formulations have the same optimum:

``cuts``
    over nested draws, rows as a separation oracle finds them
    (:mod:`cpe_opt.formulations.dueling.confusing_instances`).
``enumerate``
    every row of equation (2) of Komiyama, Honda, Nakagawa (ICML 2016), in columns ``x_i_j``, the
    evidence of the pairs that occur in rows; refused above :data:`ENUMERATION_LIMIT` rows.
``compact``
    the same columns and polynomially many rows, by duality: the sum of the h smallest of a set S is
    at least s if and only if there are :math:`\lambda, \nu \ge 0` with
    :math:`h\lambda - \sum_{j \in S} \nu_j \ge s` and :math:`\nu_j \ge \lambda - x_j`. Columns
    ``head_level``, ``head_short``, ``tail_level``, ``tail_short``; rows ``family_n``, ``head_row``,
    ``tail_row``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.dueling.confusing_instances import RowFamilies
from cpe_opt.formulations.dueling.nested_columns import NestedColumns, fix_winner_pairs, pair_keys
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LazyProgram, LinearProgram
from cpe_opt.modelling.reading import with_row_texts
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.progress_line import step
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.registry import require_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import TIE

T = TypeVar("T")
Method = Literal["cuts", "compact", "enumerate"]
METHODS: tuple[Method, ...] = ("cuts", "compact", "enumerate")
ENUMERATION_LIMIT = 200_000


@dataclass(frozen=True, eq=False)
class BestWinner:
    """The winner with the smallest optimum, of those asked for."""

    winner: int  # the first of those whose optima are equal up to rounding
    by_winner: dict[int, float]  # the optimum of each; infinite where no evidence is enough
    bound: float  # the least of the dual bounds: no point of any winner costs less
    result: SolveResult | None  # None if all optima are infinite
    # (K, K); x of every pair at the winner's optimum, symmetric; 0 where that is infinite
    evidence: FloatArray


def best_winner(
    winners: Sequence[int],
    rows_of: Callable[[int], RowFamilies],
    costs: FloatArray,
    method: Method,
    name: str,
    rows: Sequence[str] = (),
    **solving: Unpack[SolveOptions],
) -> BestWinner:
    """Solve for each winner, with the rows that it has, and keep the smallest optimum."""

    def program_of(winner: int) -> WinnerProgram | None:
        families = rows_of(winner)
        if not families.is_feasible:
            return None
        program = winner_program(families, costs, method, f"{name}_{winner}")
        return with_rows(program, rows) if rows else program

    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    return best_program(winners, program_of, len(costs), **solving)


def best_program(
    winners: Sequence[int],
    program_of: Callable[[int], WinnerProgram | None],
    arms: int,
    **solving: Unpack[SolveOptions],
) -> BestWinner:
    """Solve the program of each winner, if evidence can be enough; keep the smallest optimum."""
    require_backend(solving.get("solver", "highs"), "LP")
    best: tuple[int, SolveResult, FloatArray] | None = None
    by_winner: dict[int, float] = {}
    bounds: list[float] = []
    for place, candidate in enumerate(winners, 1):
        if len(winners) > 1:
            step(f"of {len(winners):,} winners", place)
        program = program_of(candidate)
        if program is None:
            by_winner[candidate] = math.inf
            continue
        result = solve(program.program, **solving)
        value = by_winner[candidate] = _required(result.objective)
        bounds.append(_required(result.bound))
        # Of winners whose optima are equal up to rounding, the first.
        if best is None or value < by_winner[best[0]] - TIE * abs(by_winner[best[0]]):
            best = candidate, result, program.evidence(_required(result.x))
    if best is None:
        return BestWinner(min(winners), by_winner, math.inf, None, np.zeros((arms, arms)))
    chosen, solved, evidence = best
    return BestWinner(chosen, by_winner, min(bounds), solved, evidence)


def _required(value: T | None) -> T:
    """What a solve that was checked always leaves; :class:`InputError` if it is missing."""
    if value is None:
        raise InputError("the solver left no point")
    return value


def method_with_rows(method: Method, rows: Sequence[str], winners: Sequence[int]) -> Method:
    """The method for a program of one winner with further rows: ``compact`` in place of ``cuts``.

    The columns of ``cuts`` are sums over pairs in an order that holds without further rows alone.
    """
    if not rows:
        return method
    if len(winners) > 1:
        raise InputError(
            "rows are added to the program of one winner: expected winner (--winner on the "
            f"command line), one of {', '.join(map(str, winners))}"
        )
    return "compact" if method == "cuts" else method


def with_rows(program: WinnerProgram, rows: Sequence[str]) -> WinnerProgram:
    """The program with further rows as texts, by the columns of ``compact`` and ``enumerate``."""
    if isinstance(program.program, LazyProgram):
        raise InputError(
            "rows are by the columns x_i_j, and the method 'cuts' has others: expected the method "
            "'compact' or 'enumerate'"
        )
    return replace(program, program=with_row_texts(program.program, rows))


@dataclass(frozen=True, eq=False)
class WinnerProgram:
    """The program of one winner; ``evidence`` reads x of its points, symmetric, shape (K, K)."""

    program: LinearProgram | LazyProgram
    evidence: Callable[[FloatArray], FloatArray]


def winner_program(
    families: RowFamilies, costs: FloatArray, method: Method, name: str
) -> WinnerProgram:
    """The program of these families by one method; arguments as for :func:`best_winner`."""
    if method == "cuts":
        columns = NestedColumns.undominated(families, costs)
        return WinnerProgram(
            columns.program(costs, name), lambda point: columns.evidence(point, costs)
        )
    if method == "compact":
        program = compact_program(families, costs, name)
    elif method == "enumerate":
        program = enumerated_program(families, costs, name)
    else:
        raise UnknownName("method", method, METHODS)
    return WinnerProgram(program, lambda point: listed_evidence(families, point, len(costs)))


def enumerated_program(families: RowFamilies, costs: FloatArray, name: str) -> LinearProgram:
    """Every row of equation (2), one by one."""
    count = families.row_count()
    if count > ENUMERATION_LIMIT:
        raise InputError(
            f"{name}: {count:,} rows to enumerate, at most {ENUMERATION_LIMIT:,} are listed; "
            "method='cuts' and method='compact' solve the same program"
        )
    builder = ProgramBuilder(name)
    column = _evidence_columns(builder, families, costs)
    # A row may have no pair at all, which nothing satisfies.
    pairs = [np.array(row, dtype=np.intp).reshape(-1, 2) for row in families.rows()]
    rows = [column[row[:, 0], row[:, 1]] for row in pairs]
    builder.sums("row", len(rows), (1.0, rows), lower=1.0)
    return builder.build()


def compact_program(families: RowFamilies, costs: FloatArray, name: str) -> LinearProgram:
    """Polynomially many rows: a family's sums of smallest evidence by duality."""
    builder = ProgramBuilder(name)
    column = _evidence_columns(builder, families, costs)
    heads: dict[tuple[int, int], tuple[IntArray, FloatArray]] = {}
    tails: dict[tuple[int, int], tuple[IntArray, FloatArray]] = {}
    sums: list[list[tuple[IntArray, FloatArray]]] = []
    for family in range(families.count):
        block = int(families.block[family])
        challenger = int(families.challengers[block])
        h_size, o_size = int(families.h_size[family]), int(families.o_size[family])
        # Challengers that the winner does not beat share one head.
        left_out = challenger if families.inferior_index[block] >= 0 else -1
        if (left_out, h_size) not in heads:
            others = families.inferiors[families.inferiors != left_out]
            key = (families.winner, h_size) if left_out < 0 else (families.winner, h_size, left_out)
            heads[left_out, h_size] = smallest_sum(
                builder, "head", key, column[families.winner, others], h_size
            )
        if (challenger, o_size) not in tails:
            superiors = families.superiors[block, : families.sizes[block]]
            tails[challenger, o_size] = smallest_sum(
                builder, "tail", (challenger, o_size), column[challenger, superiors], o_size
            )
        own = column[families.winner, [challenger] * int(families.includes_challenger[family])]
        sums.append([(own, np.ones(len(own))), heads[left_out, h_size], tails[challenger, o_size]])
    terms = [
        ([values for _, values in term], [columns for columns, _ in term])
        for term in zip(*sums, strict=True)
    ]
    builder.sums("family", families.count, *terms, lower=1.0)
    return builder.build()


def smallest_sum(
    builder: ProgramBuilder,
    block: str,
    key: tuple[int, ...],
    columns: IntArray,
    number: int,
    coefficients: FloatArray | None = None,
) -> tuple[IntArray, FloatArray]:
    """Columns and coefficients of an expression that is at most the sum of the smallest terms.

    Its largest value over the columns that are added is the sum of the ``number`` smallest.
    """
    if number == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    coefficients = np.ones(len(columns)) if coefficients is None else coefficients
    if number == len(columns):
        return columns, coefficients
    level = builder.columns(f"{block}_level", [key])
    count = len(columns)
    short = builder.columns(f"{block}_short", [(*key, place) for place in range(count)])
    # short_j + x_j - level >= 0
    keys = [(*key, place) for place in range(count)]
    builder.sums(
        f"{block}_row", keys, (1.0, short), (coefficients, columns), (-1.0, level), lower=0.0
    )
    return np.append(short, level), np.append(-np.ones(count), float(number))


def evidence_pairs(families: RowFamilies) -> IntArray:
    """The pairs that occur in rows: the winner's, then each challenger's; shape (pairs, 2)."""
    pairs = pair_keys(families.winner, families.inferiors)
    for block, challenger in enumerate(families.challengers.tolist()):
        pairs += pair_keys(challenger, families.superiors[block, : families.sizes[block]])
    return np.array(pairs, dtype=np.int64).reshape(len(pairs), 2)


def listed_evidence(families: RowFamilies, point: FloatArray, arms: int) -> FloatArray:
    """The symmetric (K, K) array of x at a point of a program with these columns."""
    keys = evidence_pairs(families)
    x = np.zeros((arms, arms))
    values = np.clip(point[: len(keys)], 0.0, 1.0)
    x[keys[:, 0], keys[:, 1]] = x[keys[:, 1], keys[:, 0]] = values
    return x


def _evidence_columns(
    builder: ProgramBuilder, families: RowFamilies, costs: FloatArray
) -> IntArray:
    """Add the columns ``x_i_j`` (and what is fixed); their numbers, symmetric, shape (K, K)."""
    keys = evidence_pairs(families)
    numbers = builder.columns("x", keys, cost=costs[keys[:, 0], keys[:, 1]], upper=1.0)
    fix_winner_pairs(builder, families, numbers[: len(families.inferiors)])
    column = np.full(costs.shape, -1, dtype=np.int64)
    column[keys[:, 0], keys[:, 1]] = column[keys[:, 1], keys[:, 0]] = numbers
    return column


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
