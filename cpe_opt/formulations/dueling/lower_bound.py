r"""The regret lower bound of Copeland dueling bandits as a linear program.

Komiyama, Honda, Nakagawa (ICML 2016), Lemma 1, Theorem 2, equation (2). Any strongly consistent
algorithm draws each pair {i, j} at least about :math:`q_{ij} \ln T` times for some q in the
feasible region :math:`\mathcal R_{i_1}` of some Copeland winner :math:`i_1`, so its regret is at
least about :math:`C^* \ln T` with

.. math:: C^* = \min_{i_1} \min_{q \in \mathcal R_{i_1}} \sum_{i<j} r_{ij} q_{ij} .

Sets, rows and their families: :mod:`cpe_opt.formulations.dueling.rows`. All programs are written in
the evidence :math:`x_{ij} = d_{ij} q_{ij} \in [0, 1]`, where rows have coefficients 0 and 1 and the
cost of a pair is :math:`c_{ij} = r_{ij}/d_{ij}`. Tied pairs have d = 0 and occur in no row with a
positive x. Those of the winner count all the same: an arbitrarily small change flips them, so
``ties="free"``, the default, takes them for flips that cost a confusing instance nothing: the rows
are those that remain as the pair's probability falls to ½. ``ties="literal"`` gives equation (2) as
printed, which is too weak there. (Regret is that of the tie itself either way, which is no loss of
the other arm.) Where such flips alone cost an arm its rank of a winner, its rows have no solution
and its constant is infinite.

Three formulations with the same optimum:

``cuts``
    over nested draws, rows as a separation oracle finds them
    (:mod:`cpe_opt.formulations.dueling.cutting_planes`); the default.
``compact``
    polynomial size by duality: the sum of the h smallest of a set S is at least s if and only if
    there are :math:`\lambda, \nu \ge 0` with :math:`h\lambda - \sum_{j \in S} \nu_j \ge s` and
    :math:`\nu_j \ge \lambda - x_j`. Columns ``x_i_j``, ``level``, ``short``.
``enumerate``
    every row of equation (2); refused above :data:`ENUMERATION_LIMIT` rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeVar, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.dueling.cutting_planes import MonotoneColumns, fix_winner_pairs, pair_keys
from cpe_opt.formulations.dueling.rows import ConfusingRows, Ties, copeland_rows, free_ties
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.registry import require_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import TIE
from cpe_opt.validation import checked_types

T = TypeVar("T")
Method = Literal["cuts", "compact", "enumerate"]
METHODS: tuple[Method, ...] = ("cuts", "compact", "enumerate")
ENUMERATION_LIMIT = 200_000


@dataclass(frozen=True, eq=False)
class CopelandBound:
    """A constant C such that regret is about ``C ln T``, and the exploration that attains it.

    Attributes
    ----------
    value : float
        The constant, in units of the regret "mean".
    winner : int
        The Copeland winner whose feasible region attains it.
    exploration : float array, shape (K, K)
        Draws of each pair per ``ln T``: q, symmetric with a zero diagonal. Where ``value`` is
        infinite, so is q of the winner's ties, and of other pairs it is not known (0).
    by_winner : dict of int to float
        The optimum for every Copeland winner that was asked for; infinite for one that its ties
        may cost its rank.
    method : str
    result : SolveResult or None
        The solve behind ``value``; None for a closed form, and where it is infinite.
    """

    value: float
    winner: int
    exploration: FloatArray
    by_winner: dict[int, float]
    method: str
    result: SolveResult | None = None


@checked_types
def copeland_bound_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    method: Method = "cuts",
    ties: Ties = "free",
) -> LinearProgram | LazyProgram:
    """The linear program of equation (2) for one winner.

    Parameters
    ----------
    preferences : PreferenceMatrix
    winner : int, optional
        A Copeland winner; the first one by default.
    method : "cuts", "compact" or "enumerate"
    ties : "free" or "literal"
        Whether a confusing instance flips the winner's ties for nothing, or equation (2) is taken
        as printed.

    Returns
    -------
    LazyProgram for ``cuts``, LinearProgram for the others

    Raises
    ------
    InputError
        Where ``winner`` is no Copeland winner or ``enumerate`` has too many rows.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> program = cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")
    >>> round(cpe.solve(program).objective, 4)
    11.0249
    """
    winner = copeland_winners(preferences, winner)[0]
    families = copeland_rows(preferences.array, winner, ties)
    return build_program(families, evidence_costs(preferences), method, f"copeland_{winner}")


@checked_types
def copeland_bound(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    method: Method = "cuts",
    ties: Ties = "free",
    **solving: Unpack[SolveOptions],
) -> CopelandBound:
    """The constant C* of the regret lower bound C* ln T (Theorem 2).

    Parameters
    ----------
    preferences : PreferenceMatrix
    winner : int, optional
        One Copeland winner; the best of all by default.
    method : "cuts", "compact" or "enumerate"
    ties : "free" or "literal"
        See :func:`copeland_bound_program`.
    **solving
        ``solver``, ``time_limit``, ``threads``, ``seed``, ``log``, ``solver_options``,
        ``cut_options``, as for :func:`cpe_opt.solve`.

    Returns
    -------
    CopelandBound

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> round(cpe.copeland_bound(cpe.load_instance("sushi")).value, 4)
    142.6078
    """
    families_of = partial(copeland_rows, ties=ties)
    return best_bound(preferences, winner, method, families_of, "copeland", **solving)


def best_bound(
    preferences: PreferenceMatrix,
    winner: int | None,
    method: Method,
    families_of: Callable[[FloatArray, int], ConfusingRows],
    name: str,
    **solving: Unpack[SolveOptions],
) -> CopelandBound:
    """Solve for each winner asked for and keep the smallest optimum."""
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    require_backend(solving.get("solver", "highs"), "LP")
    costs = evidence_costs(preferences)
    best: CopelandBound | None = None
    by_winner: dict[int, float] = {}
    for candidate in copeland_winners(preferences, winner):
        families = families_of(preferences.array, candidate)
        if not families.is_feasible:
            by_winner[candidate] = math.inf
            continue
        result = solve(build_program(families, costs, method, f"{name}_{candidate}"), **solving)
        value = _found(result.objective)
        by_winner[candidate] = value
        # Of winners whose optima are equal but for rounding, the first.
        if best is None or value < best.value - TIE * abs(best.value):
            q = exploration(preferences, _evidence(families, costs, method, _found(result.x)))
            best = CopelandBound(value, candidate, q, by_winner, method, result)
    return best or unattainable(preferences, by_winner, method)


def unattainable(
    preferences: PreferenceMatrix, by_winner: dict[int, float], method: str
) -> CopelandBound:
    """The bound where the ties of every winner asked for may cost it its rank."""
    winner = min(by_winner)
    q = np.zeros_like(preferences.array)
    tied = free_ties(preferences.array, winner)
    q[winner, tied] = q[tied, winner] = math.inf
    return CopelandBound(math.inf, winner, q, by_winner, method)


def evidence_costs(preferences: PreferenceMatrix) -> FloatArray:
    """``c_ij = r_ij / d_ij``: the regret of a unit of evidence; 0 on ties; shape (K, K)."""
    return unit_costs(preferences.regret(), preferences.divergences)


def unit_costs(regret: FloatArray, divergences: FloatArray) -> FloatArray:
    """``regret / divergences``, 0 where the divergence is 0."""
    return np.divide(regret, divergences, out=np.zeros_like(divergences), where=divergences > 0)


def exploration(preferences: PreferenceMatrix, x: FloatArray) -> FloatArray:
    """Draws per ln T from evidence, ``q = x / d``; shape (K, K)."""
    return unit_costs(x, preferences.divergences)


def build_program(
    families: ConfusingRows, costs: FloatArray, method: Method, name: str
) -> LinearProgram | LazyProgram:
    """The program of these families by one of the three methods."""
    if method == "cuts":
        return MonotoneColumns(families).program(costs, name)
    if method == "compact":
        return _compact(families, costs, name)
    if method == "enumerate":
        return _enumerated(families, costs, name)
    raise UnknownName("method", method, METHODS)


def copeland_winners(preferences: PreferenceMatrix, winner: int | None) -> tuple[int, ...]:
    """The winners to solve for: all of them, or the one asked for after a check."""
    winners = preferences.copeland_winners
    if winner is None:
        return winners
    arm = preferences.check_arm(winner)
    if arm not in winners:
        raise InputError(
            f"arm {arm} ({preferences.labels[arm]}) is no Copeland winner; the winners are "
            f"{', '.join(map(str, winners))}"
        )
    return (arm,)


def _evidence(
    families: ConfusingRows, costs: FloatArray, method: Method, point: FloatArray
) -> FloatArray:
    """The symmetric (K, K) array of x at an optimal point of the program."""
    if method == "cuts":
        return MonotoneColumns(families).evidence(point, costs)
    keys = _pairs(families)
    x = np.zeros(costs.shape)
    values = np.clip(point[: len(keys)], 0.0, 1.0)
    x[keys[:, 0], keys[:, 1]] = x[keys[:, 1], keys[:, 0]] = values
    return x


def _found(value: T | None) -> T:
    """The value, which a checked solve of at least one winner always leaves."""
    if value is None:
        raise InputError("the solver left no point")
    return value


def _pairs(families: ConfusingRows) -> IntArray:
    """The pairs that occur in rows: the winner's, then each challenger's; shape (pairs, 2)."""
    pairs = pair_keys(families.winner, families.inferiors)
    for block, challenger in enumerate(families.challengers.tolist()):
        pairs += pair_keys(challenger, families.superiors[block, : families.sizes[block]])
    return np.array(pairs, dtype=np.int64).reshape(len(pairs), 2)


def _evidence_columns(
    builder: ProgramBuilder, families: ConfusingRows, costs: FloatArray
) -> IntArray:
    """Add the columns ``x_i_j`` (and what is settled); their numbers, symmetric, shape (K, K)."""
    keys = _pairs(families)
    numbers = builder.columns("x", keys, cost=costs[keys[:, 0], keys[:, 1]], upper=1.0)
    fix_winner_pairs(builder, families, numbers[: len(families.inferiors)])
    column = np.full(costs.shape, -1, dtype=np.int64)
    column[keys[:, 0], keys[:, 1]] = column[keys[:, 1], keys[:, 0]] = numbers
    return column


def _enumerated(families: ConfusingRows, costs: FloatArray, name: str) -> LinearProgram:
    count = families.row_count()
    if count > ENUMERATION_LIMIT:
        raise InputError(
            f"{name}: {count:,} rows to enumerate, at most {ENUMERATION_LIMIT:,} are listed; "
            "method='cuts' and method='compact' solve the same program"
        )
    builder = ProgramBuilder(name)
    column = _evidence_columns(builder, families, costs)
    rows = list(families.rows())
    row = np.repeat(np.arange(len(rows)), [len(pairs) for pairs in rows])
    pairs = np.array([pair for pairs in rows for pair in pairs], dtype=np.int64).reshape(-1, 2)
    builder.rows("row", len(rows), row, column[pairs[:, 0], pairs[:, 1]], lower=1.0)
    return builder.build()


def _compact(families: ConfusingRows, costs: FloatArray, name: str) -> LinearProgram:
    builder = ProgramBuilder(name)
    column = _evidence_columns(builder, families, costs)
    heads: dict[tuple[int, int], tuple[IntArray, FloatArray]] = {}
    tails: dict[tuple[int, int], tuple[IntArray, FloatArray]] = {}
    rows: list[IntArray] = []
    entries: list[FloatArray] = []
    for family in range(families.count):
        block = int(families.block[family])
        challenger = int(families.challengers[block])
        h_size, o_size = int(families.h_size[family]), int(families.o_size[family])
        # Challengers that the winner does not beat share one head.
        left_out = challenger if families.inferior_index[block] >= 0 else -1
        if (left_out, h_size) not in heads:
            others = families.inferiors[families.inferiors != left_out]
            key = (families.winner, h_size) if left_out < 0 else (families.winner, h_size, left_out)
            heads[left_out, h_size] = _smallest(
                builder, "head", key, column[families.winner, others], h_size
            )
        if (challenger, o_size) not in tails:
            superiors = families.superiors[block, : families.sizes[block]]
            tails[challenger, o_size] = _smallest(
                builder, "tail", (challenger, o_size), column[challenger, superiors], o_size
            )
        includes_challenger = (
            [column[families.winner, challenger]] if families.includes_challenger[family] else []
        )
        parts = (heads[left_out, h_size], tails[challenger, o_size])
        rows.append(np.concatenate([includes_challenger, parts[0][0], parts[1][0]]))
        entries.append(
            np.concatenate([np.ones(len(includes_challenger)), parts[0][1], parts[1][1]])
        )
    row = np.repeat(np.arange(len(rows)), [len(columns) for columns in rows])
    builder.rows(
        "family",
        len(rows),
        row,
        np.concatenate([*rows, []]),
        np.concatenate([*entries, []]),
        lower=1.0,
    )
    return builder.build()


def _smallest(
    builder: ProgramBuilder, block: str, key: tuple[int, ...], superiors: IntArray, number: int
) -> tuple[IntArray, FloatArray]:
    """Columns and coefficients of an expression that is at most the sum of the smallest."""
    if number == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    if number == len(superiors):
        return superiors, np.ones(number)
    level = builder.columns(f"{block}_level", [key])
    count = len(superiors)
    short = builder.columns(f"{block}_short", [(*key, place) for place in range(count)])
    # short_j >= level - x_j
    places = np.arange(count)
    builder.rows(
        f"{block}_row",
        [(*key, place) for place in range(count)],
        np.concatenate([places, places, places]),
        np.concatenate([short, superiors, np.repeat(level, count)]),
        np.concatenate([np.ones(2 * count), -np.ones(count)]),
        lower=0.0,
    )
    return np.append(short, level), np.append(-np.ones(count), float(number))
