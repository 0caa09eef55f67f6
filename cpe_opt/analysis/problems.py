"""What a preference matrix asks of any algorithm."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.ecw import ecw_bound
from cpe_opt.formulations.dueling.lower_bound import CopelandBound, copeland_bound
from cpe_opt.formulations.dueling.voting import (
    Lottery,
    von_neumann_winner,
)
from cpe_opt.hardness.dueling import CopelandHardness, copeland_hardness
from cpe_opt.hardness.matchings import (
    BordaHardness,
    CondorcetHardness,
    borda_hardness,
    condorcet_hardness,
)
from cpe_opt.hardness.subsets import SubsetHardness, subset_hardness
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, Units
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.ties import on_grid

HORIZONS = (10**4, 10**5, 10**6, 10**7, 10**8)
_BUSIEST = 10


@dataclass(frozen=True, eq=False)
class Analysis:
    """Winners, gaps and constants of a preference matrix.

    Attributes
    ----------
    problem : PreferenceMatrix
    ranking : tuple of int
        Arms by losses, then by Borda score.
    closest_pair : (int, int)
        The untied pair with the smallest gap (any pair where all are tied).
    smallest_gap : float
    lower, ecw : CopelandBound
        C* and C^E*.
    needs : list of (horizon, C* ln T, C^E* ln T, duels)
        Regret, and the duels of different arms that attain C*.
    busiest_pairs : list of (arm, arm, duels per ln T)
        Where the optimal exploration spends its duels.
    borda, random_walk : tuple of int
        Winners by other definitions; no random walk winner where the walk has no single limit.
    lottery : Lottery
        The von Neumann winner.
    hardness : CopelandHardness
    """

    problem: PreferenceMatrix
    ranking: tuple[int, ...]
    closest_pair: tuple[int, int]
    smallest_gap: float
    lower: CopelandBound
    ecw: CopelandBound
    needs: list[tuple[int, float, float, float]]
    busiest_pairs: list[tuple[int, int, float]]
    borda: tuple[int, ...]
    random_walk: tuple[int, ...]
    lottery: Lottery
    hardness: CopelandHardness

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        problem = self.problem
        return {
            "name": problem.name,
            "arms": problem.arms,
            "labels": list(problem.labels),
            "copeland_winners": list(problem.copeland_winners),
            "condorcet_winner": problem.condorcet_winner,
            "copeland_scores": problem.copeland_scores.tolist(),
            "losses": problem.losses.tolist(),
            "borda_scores": problem.borda_scores.tolist(),
            "ties": [list(pair) for pair in problem.ties],
            "votes": _votes(problem),
            "closest_pair": list(self.closest_pair),
            "smallest_gap": self.smallest_gap,
            "C_star": self.lower.value,
            "C_star_by_winner": self.lower.by_winner,
            "C_E_star": self.ecw.value,
            "C_E_star_by_winner": self.ecw.by_winner,
            "needs": [
                {"horizon": horizon, "C_star": low, "C_E_star": ecw, "duels": duels}
                for horizon, low, ecw, duels in self.needs
            ],
            "busiest_pairs": [list(pair) for pair in self.busiest_pairs],
            "borda_winners": list(self.borda),
            "random_walk_winners": list(self.random_walk),
            "von_neumann_weights": self.lottery.weights.tolist(),
            "H_infinity": self.hardness.largest_hardness,
            "Delta": self.hardness.gap,
            "CCB_constant": self.hardness.ccb_constant,
        }


def analyse_preferences(problem: PreferenceMatrix) -> Analysis:
    """Everything that :class:`Analysis` says of a preference matrix."""
    lower, ecw = copeland_bound(problem), ecw_bound(problem)
    gaps = np.where(problem.gaps > 0, problem.gaps, np.inf)
    closest = divmod(int(np.argmin(gaps)), problem.arms)
    upper = np.triu(lower.exploration)
    busiest = np.argsort(-on_grid(upper), axis=None, kind="stable")[:_BUSIEST]
    pairs = [divmod(int(code), problem.arms) for code in busiest]
    duels = float(upper.sum())
    return Analysis(
        problem=problem,
        ranking=tuple(np.lexsort((-problem.borda_scores, problem.losses)).tolist()),
        closest_pair=closest,
        smallest_gap=float(problem.gaps[closest]),
        lower=lower,
        ecw=ecw,
        needs=[
            (t, lower.value * math.log(t), ecw.value * math.log(t), duels * math.log(t))
            for t in HORIZONS
        ],
        busiest_pairs=[(i, j, float(upper[i, j])) for i, j in pairs if upper[i, j] > 0],
        borda=problem.borda_winners,
        random_walk=_random_walk(problem),
        lottery=von_neumann_winner(problem),
        hardness=copeland_hardness(problem),
    )


@dataclass(frozen=True, eq=False)
class MatchingAnalysis:
    """Winners, gaps and hardness of a problem of matchings.

    Attributes
    ----------
    problem : MatchingDuels
    matchings : int
        How many there are.
    width : int or None
        None where it is too hard to find.
    borda : BordaHardness
    condorcet : CondorcetHardness or None
        None without a Condorcet winner.
    needs : dict of float
        The theorems' bounds on samples at delta = 0.05, up to their constants.
    """

    problem: MatchingDuels
    matchings: int
    width: int | None
    borda: BordaHardness
    condorcet: CondorcetHardness | None
    needs: dict[str, float]

    @property
    def condorcet_winner(self) -> tuple[int, ...] | None:
        """The Condorcet winner, if there is one."""
        return None if self.condorcet is None else self.condorcet.winner

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        graph = self.problem.graph
        return {
            "name": self.problem.name,
            "candidates": graph.candidates,
            "positions": graph.positions,
            "edges": [graph.label(edge) for edge in range(graph.size)],
            "matchings": self.matchings,
            "votes": _votes(self.problem),
            "width": self.width,
            "borda_winner": list(self.borda.winner),
            "borda_score": self.problem.borda_score(self.borda.winner),
            "borda_weights": self.problem.borda_weights.tolist(),
            "borda_gaps": self.borda.gap.tolist(),
            "borda_hardness": self.borda.hardness,
            "condorcet_winner": None if self.condorcet is None else list(self.condorcet.winner),
            "condorcet_gaps": None if self.condorcet is None else self.condorcet.gap.tolist(),
            "verification_hardness": (
                None if self.condorcet is None else self.condorcet.verification_hardness
            ),
            "needs": self.needs,
        }


def analyse_matchings(problem: MatchingDuels, *, delta: float = 0.05) -> MatchingAnalysis:
    """Everything that :class:`MatchingAnalysis` says of a problem."""
    borda = borda_hardness(problem)
    try:
        condorcet = condorcet_hardness(problem)
    except InputError:
        condorcet = None
    try:
        width = problem.graph.width()
    except InputError:
        width = None
    needs = {"Borda winner, lower bound (Theorem 3)": borda.sample_lower_bound(delta=delta)}
    if width is not None:
        needs["CLUCB-Borda-Exact (Theorem 2)"] = borda.exact_sample_bound(delta=delta, width=width)
    if condorcet is not None:
        needs["Condorcet winner, lower bound (Theorem 6)"] = condorcet.sample_lower_bound(
            delta=delta
        )
        needs["CAR-Cond (Theorem 4)"] = condorcet.car_cond_sample_bound(delta=delta)
        needs["CAR-Parallel (Theorem 5)"] = condorcet.car_parallel_sample_bound(delta=delta)
    return MatchingAnalysis(
        problem, problem.graph.count_matchings(), width, borda, condorcet, needs
    )


@dataclass(frozen=True, eq=False)
class SubsetAnalysis:
    """Gap, hardness, and what algorithms need on a full-bandit problem.

    Attributes
    ----------
    problem : SubsetBandit
    sets : int
        How many there are.
    hardness : SubsetHardness
    accuracies : tuple of str
        The ε of the columns of ``needs``, in words.
    needs : dict of list of float
        Leading terms of the papers' bounds at delta = 0.05, by ε.
    """

    problem: SubsetBandit
    sets: int
    hardness: SubsetHardness
    accuracies: tuple[str, ...]
    needs: dict[str, list[float]]

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        decisions, hard = self.problem.decisions, self.hardness
        return {
            "name": self.problem.name,
            "class": decisions.name,
            "sets": self.sets,
            "labels": list(decisions.labels),
            "theta": self.problem.theta.tolist(),
            "best": list(hard.best),
            "value": self.problem.value(hard.best),
            "gap": hard.gap,
            "rho": hard.rho,
            "hardness": hard.hardness(),
            "needs": self.needs,
        }


def analyse_subsets(problem: SubsetBandit, *, delta: float = 0.05) -> SubsetAnalysis:
    """Everything that :class:`SubsetAnalysis` says of a problem."""
    hard = subset_hardness(problem)
    accuracies = (0.0, 0.5)
    needs = {
        "SAQM, exact maximiser (Corollary 1)": [
            hard.corollary_1(delta=delta, epsilon=epsilon) for epsilon in accuracies
        ],
        "ICB (Lemma 3), up to a constant": [
            hard.icb_sample_bound(delta=delta, epsilon=epsilon) for epsilon in accuracies
        ],
    }
    names = tuple(f"epsilon = {epsilon:g}" for epsilon in accuracies)
    return SubsetAnalysis(problem, problem.decisions.count(), hard, names, needs)


def _votes(problem: PreferenceMatrix | MatchingDuels) -> dict[str, Any] | None:
    summary = problem.vote_summary
    return None if summary is None else dataclasses.asdict(summary)


def _random_walk(problem: PreferenceMatrix) -> tuple[int, ...]:
    try:
        return problem.random_walk_winners
    except InputError:
        return ()


def regret_bounds(problem: PreferenceMatrix, units: Units = "mean") -> dict[str, float]:
    """The constants of the lines LB and ECWB in a regret plot, in the plot's units.

    the regret "sum" is twice the regret "mean" where nothing is tied; with ties the papers' bounds
    do not apply and the lines are those of the regret "mean", doubled. A constant that is infinite
    is no line.
    """
    scale = 2.0 if units == "sum" else 1.0
    bounds = {"LB": copeland_bound(problem).value, "ECWB": ecw_bound(problem).value}
    return {name: scale * value for name, value in bounds.items() if math.isfinite(value)}
