r"""How hard a problem of matchings is: the gaps and bounds of Chen, Du, Huang, Zhao (ICML 2020).

With the Borda winner :math:`M^B` and edge weights w (Definitions 3 and 4):
:math:`\Delta^B_e = w(M^B) - \max w(M)` over the M that contain e where :math:`e \notin M^B`, and
avoid it where :math:`e \in M^B`; :math:`H^B = \sum_e (\Delta^B_e)^{-2}`.

With the Condorcet winner :math:`M^C` (Definition 5): :math:`\Delta^C_e = \frac12 - \max f(M, M^C)`
over the same M, :math:`\Delta^C_{ef} = \max(\Delta^C_e, \Delta^C_f)` for comparable pairs. The
verification gap of :math:`e \notin M^C` is the least mean of :math:`\frac12 - P_{e(M,j), e(M^C,j)}`
over the positions j where M differs, over the M that contain e: a fraction, minimised by
Dinkelbach's method, a matching a step; :math:`H^C_{ver}` is the sum of its inverse squares.

A maximum over no matching is :math:`-\infty`, its gap infinite. The theorems bound samples up to
constant factors, which are left out here, except for Theorem 1's, whose proof has them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.matchings.condorcet_value import condorcet_winner
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.validation import (
    ErrorProbability,
    Positive,
    PositiveInt,
    checked_types,
)

_PROOF_CONSTANT = 32.0
_DINKELBACH_STEPS = 100


@dataclass(frozen=True, eq=False)
class BordaHardness:
    """Hardness of identifying the Borda winner.

    Attributes
    ----------
    duels : MatchingDuels
    winner : tuple of int
        Its edges, ascending.
    gap : float array, shape (m,)
        Δ^B_e of each edge.
    hardness : float
        H^B.
    """

    duels: MatchingDuels
    winner: tuple[int, ...]
    gap: FloatArray
    hardness: float

    @checked_types
    def approximate_hardness(self, margin: Positive, width: PositiveInt) -> float:
        """H^B_ε: the sum of min(width² / gap², 1/ε²), with the margin ε."""
        return float(np.minimum(float(width) ** 2 * self.gap**-2.0, margin**-2.0).sum())

    @checked_types
    def pac_sample_bound(
        self, *, delta: ErrorProbability, margin: Positive, width: PositiveInt
    ) -> float:
        """Theorem 1: samples of CLUCB-Borda-PAC, with probability 1 - delta; constants included.

        The largest T with T <= 32 H^B_ε ln(4KT^3/delta) + m.
        """
        pairs, size = max(1, self.duels.graph.n_pairs), self.duels.graph.size
        rate = _PROOF_CONSTANT * self.approximate_hardness(margin, width)
        bound, last = math.inf, 2.0 * rate + size
        while not math.isclose(bound, last, rel_tol=1e-12):
            bound, last = last, rate * math.log(4 * pairs * max(last, 1.0) ** 3 / delta) + size
        return last

    @checked_types
    def exact_sample_bound(self, *, delta: ErrorProbability, width: PositiveInt) -> float:
        """Theorem 2: samples of CLUCB-Borda-Exact, up to a constant factor."""
        epochs = math.log(self.duels.graph.positions / float(self.gap.min()))
        inner = math.log(width * self.hardness / delta) + math.log(max(epochs, 1.0))
        return width**2 * self.hardness * epochs * inner

    @checked_types
    def sample_lower_bound(self, *, delta: ErrorProbability) -> float:
        """Theorem 3: any delta-correct algorithm, under its assumptions, up to a constant."""
        return self.hardness * math.log(1 / delta)

    def sample_bounds(self, *, delta: float = 0.05, width: int | None) -> dict[str, float]:
        """What the theorems bound, up to constant factors; without a width the lower bound."""
        bounds = {"Borda winner, lower bound (Theorem 3)": self.sample_lower_bound(delta=delta)}
        if width is not None:
            exact = self.exact_sample_bound(delta=delta, width=width)
            bounds["CLUCB-Borda-Exact (Theorem 2)"] = exact
        return bounds


@dataclass(frozen=True, eq=False)
class CondorcetHardness:
    """Hardness of the Condorcet winner.

    Attributes
    ----------
    duels : MatchingDuels
    winner : tuple of int
        Its edges, ascending.
    gap : float array, shape (m,)
        Δ^C_e of each edge.
    verification_gap : float array, shape (m,)
        Infinite for the winner's own edges.
    verification_hardness : float
        H^C_ver.
    """

    duels: MatchingDuels
    winner: tuple[int, ...]
    gap: FloatArray
    verification_gap: FloatArray
    verification_hardness: float

    @property
    def pair_gaps(self) -> FloatArray:
        """Delta^C_ef of the comparable pairs; shape (K,)."""
        pairs = self.duels.graph.pairs
        return np.asarray(np.maximum(self.gap[pairs[:, 0]], self.gap[pairs[:, 1]]))

    @checked_types
    def car_cond_sample_bound(self, *, delta: ErrorProbability) -> float:
        """Theorem 4: samples of CAR-Cond, up to a constant factor."""
        return self._pair_terms(delta)

    @checked_types
    def car_parallel_sample_bound(self, *, delta: ErrorProbability) -> float:
        """Theorem 5: CAR-Parallel's expected samples, up to a constant factor."""
        hard = self.verification_hardness
        return self._pair_terms() + hard * math.log(hard / delta)

    def _pair_terms(self, delta: float = 1.0) -> float:
        squares = self.pair_gaps**-2.0
        kept = squares[squares > 0]
        return float((kept * np.log(self.duels.graph.n_pairs * kept / delta)).sum())

    @checked_types
    def sample_lower_bound(self, *, delta: ErrorProbability) -> float:
        """Theorem 6: any delta-correct algorithm, under its assumptions, up to a constant."""
        outside = np.ones(len(self.gap), np.bool_)
        outside[list(self.winner)] = False
        squares = self.gap[outside] ** -2.0
        return float(squares.sum()) / self.duels.graph.positions**2 * math.log(1 / delta)

    def sample_bounds(self, *, delta: float = 0.05) -> dict[str, float]:
        """What the theorems bound, up to constant factors."""
        return {
            "Condorcet winner, lower bound (Theorem 6)": self.sample_lower_bound(delta=delta),
            "CAR-Cond (Theorem 4)": self.car_cond_sample_bound(delta=delta),
            "CAR-Parallel (Theorem 5)": self.car_parallel_sample_bound(delta=delta),
        }


@checked_types
def borda_hardness(duels: MatchingDuels) -> BordaHardness:
    """Gaps and hardness of the Borda winner.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> hard = cpe.borda_hardness(cpe.load_instance("figure1"))
    >>> hard.winner, hard.gap.round(4).tolist()
    ((0, 4), [0.05, 0.05, 0.3, 0.5, 0.5])
    """
    weights, matchings = duels.borda_weights, Matchings(duels.graph)
    winner, best = _best(matchings, weights)
    gap = best - _best_with_each(matchings, weights, winner)
    with np.errstate(divide="ignore"):
        return BordaHardness(duels, winner, gap, float((gap**-2.0).sum()))


@checked_types
def condorcet_hardness(duels: MatchingDuels, **solving: Unpack[SolveOptions]) -> CondorcetHardness:
    """Gaps and hardness of the Condorcet winner; ``solving`` is for the saddle LP that finds it.

    Raises
    ------
    InputError
        Where there is none.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> hard = cpe.condorcet_hardness(cpe.load_instance("figure1"))
    >>> hard.winner, hard.gap.round(4).tolist()
    ((1, 4), [0.025, 0.025, 0.025, 0.25, 0.25])
    """
    winner = condorcet_winner(duels, **solving)
    if winner is None:
        raise InputError(f"{duels.name} has no Condorcet winner")
    matchings, positions = Matchings(duels.graph), duels.graph.positions
    met = np.array(winner)[duels.graph.position]
    against = duels.array[np.arange(duels.graph.size), met]
    gap = 0.5 - _best_with_each(matchings, against / positions, winner)
    verification = np.array(
        [
            np.inf if edge in winner else _least_mean(matchings, 0.5 - against, edge, met)
            for edge in range(duels.graph.size)
        ]
    )
    return CondorcetHardness(duels, winner, gap, verification, float((verification**-2.0).sum()))


def _best(
    matchings: Matchings,
    weights: FloatArray,
    include: Sequence[int] = (),
    exclude: Sequence[int] = (),
) -> tuple[tuple[int, ...], float]:
    edges = matchings.best(weights, include, exclude)
    return ((), -math.inf) if edges is None else (edges, float(weights[list(edges)].sum()))


def _best_with_each(
    matchings: Matchings, weights: FloatArray, winner: tuple[int, ...]
) -> FloatArray:
    """The best total with each edge: in, or out where the winner has it; shape (m,)."""
    values = [
        _best(matchings, weights, *(((), (e,)) if e in winner else ((e,), ())))[1]
        for e in range(matchings.size)
    ]
    return np.array(values)


def _least_mean(matchings: Matchings, cost: FloatArray, edge: int, met: FloatArray) -> float:
    """The least mean cost over positions that differ, of matchings with an edge; inf if none."""
    differs = np.arange(matchings.size) != met
    mean = math.inf
    for _ in range(_DINKELBACH_STEPS):
        offset = 0.0 if math.isinf(mean) else mean
        edges = matchings.cheapest(np.where(differs, cost - offset, 0.0), (edge,))
        if edges is None:
            return math.inf
        chosen = edges[differs[edges]]
        reached = float(cost[chosen].mean())
        if reached >= mean - 1e-15:
            return mean
        mean = reached
    return mean
