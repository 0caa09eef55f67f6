r"""A program for each Copeland winner, and the best of them.

The regret lower bound and the characteristic time have the same rows, those that make a confusing
instance of a winner (:mod:`cpe_opt.formulations.dueling.rows`), and the same columns, the evidence
:math:`x_{ij} = d_{ij} q_{ij}`. They differ in what a duel costs: :math:`c_{ij} = w_{ij}/d_{ij}`
with the regret or the price :math:`w_{ij}` of a duel. Where there are several winners, the smallest
optimum counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.dueling.cutting_planes import MonotoneColumns
from cpe_opt.formulations.dueling.listed_rows import (
    compact_program,
    enumerated_program,
    evidence_pairs,
)
from cpe_opt.formulations.dueling.rows import ConfusingRows
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.registry import require_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import TIE

T = TypeVar("T")
Method = Literal["cuts", "compact", "enumerate"]
METHODS: tuple[Method, ...] = ("cuts", "compact", "enumerate")


@dataclass(frozen=True, eq=False)
class BestWinner:
    """The winner with the smallest optimum, of those asked for.

    Attributes
    ----------
    winner : int
        The first of those whose optima are equal but for rounding.
    by_winner : dict of int to float
        The optimum of each; infinite where no evidence is enough.
    bound : float
        The least of the dual bounds: no point of any winner costs less.
    result : SolveResult or None
        The winner's solve; None where all optima are infinite.
    evidence : float array, shape (K, K)
        x of every pair at the winner's optimum, symmetric; 0 where that is infinite.
    """

    winner: int
    by_winner: dict[int, float]
    bound: float
    result: SolveResult | None
    evidence: FloatArray


def best_winner(
    winners: Sequence[int],
    rows_of: Callable[[int], ConfusingRows],
    costs: FloatArray,
    method: Method,
    name: str,
    **solving: Unpack[SolveOptions],
) -> BestWinner:
    """Solve for each winner and keep the smallest optimum.

    Parameters
    ----------
    winners : sequence of int
        At least one.
    rows_of : callable
        The rows of a winner.
    costs : float array, shape (K, K)
        Of a unit of evidence of each pair; not negative, symmetric, 0 on ties.
    method : "cuts", "compact" or "enumerate"
    name : str
        Of the programs, before the winner's number.
    **solving
        As for :func:`cpe_opt.solve`.

    Raises
    ------
    UnknownName
        On another method or solver.
    """
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    require_backend(solving.get("solver", "highs"), "LP")
    best: tuple[int, SolveResult, FloatArray] | None = None
    by_winner: dict[int, float] = {}
    bounds: list[float] = []
    for candidate in winners:
        families = rows_of(candidate)
        if not families.is_feasible:
            by_winner[candidate] = math.inf
            continue
        result = solve(build_program(families, costs, method, f"{name}_{candidate}"), **solving)
        value = by_winner[candidate] = _found(result.objective)
        bounds.append(_found(result.bound))
        # Of winners whose optima are equal but for rounding, the first.
        if best is None or value < by_winner[best[0]] - TIE * abs(by_winner[best[0]]):
            x = program_evidence(families, costs, method, _found(result.x))
            best = candidate, result, x
    if best is None:
        return BestWinner(min(winners), by_winner, math.inf, None, np.zeros_like(costs))
    chosen, solved, evidence = best
    return BestWinner(chosen, by_winner, min(bounds), solved, evidence)


def build_program(
    families: ConfusingRows, costs: FloatArray, method: Method, name: str
) -> LinearProgram | LazyProgram:
    """The program of these families by one of the three methods."""
    if method == "cuts":
        return MonotoneColumns.undominated(families, costs).program(costs, name)
    if method == "compact":
        return compact_program(families, costs, name)
    if method == "enumerate":
        return enumerated_program(families, costs, name)
    raise UnknownName("method", method, METHODS)


def program_evidence(
    families: ConfusingRows, costs: FloatArray, method: Method, point: FloatArray
) -> FloatArray:
    """The symmetric (K, K) array of x at an optimal point of the program."""
    if method == "cuts":
        return MonotoneColumns.undominated(families, costs).evidence(point, costs)
    keys = evidence_pairs(families)
    x = np.zeros(costs.shape)
    values = np.clip(point[: len(keys)], 0.0, 1.0)
    x[keys[:, 0], keys[:, 1]] = x[keys[:, 1], keys[:, 0]] = values
    return x


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


def unit_costs(weights: FloatArray, divergences: FloatArray) -> FloatArray:
    """``weights / divergences``, 0 where the divergence is 0."""
    return np.divide(weights, divergences, out=np.zeros_like(divergences), where=divergences > 0)


def _found(value: T | None) -> T:
    """The value, which a checked solve of at least one winner always leaves."""
    if value is None:
        raise InputError("the solver left no point")
    return value
