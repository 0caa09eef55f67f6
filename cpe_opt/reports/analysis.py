"""What a problem of any family looks like: winners, gaps, hardness, what algorithms need."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.dueling.copeland_time import CharacteristicTime, copeland_time
from cpe_opt.formulations.dueling.lower_bound import CopelandBound, copeland_bound, ecw_bound
from cpe_opt.formulations.dueling.voting import Lottery, von_neumann_winner
from cpe_opt.formulations.matchings.condorcet_value import borda_winner, condorcet_winner
from cpe_opt.formulations.separable.oracle import oracle_of
from cpe_opt.formulations.subsets.oracle import best_subset
from cpe_opt.hardness.dueling import (
    CopelandHardness,
    busiest_pairs,
    closest_pair,
    copeland_hardness,
)
from cpe_opt.hardness.matchings import (
    BordaHardness,
    CondorcetHardness,
    borda_hardness,
    condorcet_hardness,
)
from cpe_opt.hardness.separable import SeparableHardness, separable_hardness
from cpe_opt.hardness.subsets import SubsetHardness, subset_hardness
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.model import MEAN
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.proofs.dueling.evidence import Statements, statements
from cpe_opt.reports.report import (
    Analysis,
    Part,
    Report,
    TextTable,
    listed_pairs,
    vote_lines,
    votes_of,
)
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd

DELTA = 0.05
"""The probability of an error for which numbers of samples are given."""
HORIZONS = (10**4, 10**5, 10**6, 10**7, 10**8)
_BUSIEST = 10
_LISTED = 20
_MARGINS = (0.0, 0.5)
_ESTIMATED = "all of this is estimated from votes; what these prove (cpe-opt evidence says more):"


@checked_types
def analyse(problem: Problem) -> Analysis:
    """Winners, ties, gaps, hardness, and what algorithms need on a problem.

    Parameters
    ----------
    problem : PreferenceMatrix, MatchingDuels, SubsetBandit or SeparableProblem

    Returns
    -------
    Analysis
        ``print`` it to read it; ``.table()`` is a data frame, ``.as_dict()`` plain values.

    Raises
    ------
    InputError
        Where the problem has no such analysis: an object of another class, or
        separable rewards that are not bi-monotone.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> analysis = cpe.analyse(cpe.load_instance("coins"))
    >>> print(list(analysis.report())[1])
    best decision: 0: 1, 1: 1
    """
    of_family: dict[str, Callable[[Any], Analysis]] = {
        "dueling": analyse_preferences,
        "matchings": analyse_matchings,
        "subsets": analyse_subsets,
        "separable": analyse_separable,
    }
    if problem.family not in of_family:
        raise UnknownName("family", problem.family, of_family)
    return of_family[problem.family](problem)


def size_and_winners(problem: Any) -> dict[str, Any]:
    """Size in words, winners (Copeland, of matchings Borda; or the best), the Condorcet winner."""
    condorcet: Any = None
    if problem.family == "dueling":
        size, winners = f"{problem.arms} arms", problem.copeland_winners
        condorcet = problem.condorcet_winner
    elif problem.family == "matchings":
        size = f"{problem.graph.candidates} candidates, {problem.graph.positions} positions"
        winners, condorcet = [list(borda_winner(problem).edges)], condorcet_winner(problem)
    elif problem.family == "subsets":
        best = best_subset(problem.decisions, problem.theta)
        size, winners = problem.decisions.name, [list(best.elements)]
    else:
        decision = oracle_of(problem.model)(problem.theta)
        size, winners = problem.model.name, [decision.tolist()]
    return {"size": size, "winners": list(winners), "condorcet_winner": condorcet}


class ProblemAnalysis(Analysis):
    """What a problem looks like; ``print`` it to read it."""

    problem: Any

    @property
    def name(self) -> str:
        """That of the problem."""
        return str(self.problem.name)


@dataclass(frozen=True, eq=False, repr=False)
class PreferenceAnalysis(ProblemAnalysis):
    """Winners, gaps and constants of a preference matrix."""

    problem: PreferenceMatrix
    ranking: tuple[int, ...]  # arms by losses, then by Borda score
    closest_pair: tuple[int, int]  # the untied pair with the smallest gap, or any pair
    lower: CopelandBound  # C*
    ecw: CopelandBound  # C^E*
    time: CharacteristicTime  # T*
    # Of each horizon T: C* ln T and C^E* ln T, which are regret, and the duels that attain C*.
    needs: list[tuple[int, float, float, float]]
    busiest_pairs: list[tuple[int, int, float]]  # where these duels go, per ln T
    random_walk: tuple[int, ...]  # none where the walk has no single limit
    lottery: Lottery
    hardness: CopelandHardness
    proof: Statements | None  # of the votes that the matrix was estimated from

    @property
    def smallest_gap(self) -> float:
        """That of the closest pair."""
        return float(self.problem.gaps[self.closest_pair])

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
            "votes": votes_of(problem.vote_summary),
            "closest_pair": list(self.closest_pair),
            "smallest_gap": self.smallest_gap,
            "C_star": self.lower.value,
            "C_star_by_winner": self.lower.by_winner,
            "C_E_star": self.ecw.value,
            "C_E_star_by_winner": self.ecw.by_winner,
            "T_star": self.time.value,
            "T_star_by_winner": self.time.by_winner,
            "T_star_duels": {
                "delta": DELTA,
                "duels": self.time.duels(DELTA),
                "asymptotic": self.time.asymptotic_duels(DELTA),
            },
            "needs": [
                {"horizon": horizon, "C_star": low, "C_E_star": ecw, "duels": duels}
                for horizon, low, ecw, duels in self.needs
            ],
            "busiest_pairs": [list(pair) for pair in self.busiest_pairs],
            "borda_winners": list(problem.borda_winners),
            "random_walk_winners": list(self.random_walk),
            "von_neumann_weights": self.lottery.weights.tolist(),
            "H_infinity": self.hardness.largest_hardness,
            "Delta": self.hardness.gap,
            "CCB_constant": self.hardness.ccb_constant,
            "proved": self.proof and {"delta": self.proof.delta, **self.proof.statuses()},
        }

    def table(self) -> pd.DataFrame:
        """One row per arm, the best first: its scores and whether it is a winner."""
        import pandas as pd

        problem, order = self.problem, list(self.ranking)
        columns = {
            "arm": order,
            "label": [problem.labels[arm] for arm in order],
            "beats": problem.copeland_scores[order],
            "beaten_by": problem.losses[order],
            "borda": problem.borda_scores[order],
            "von_neumann": self.lottery.weights[order],
            "copeland_winner": [arm in problem.copeland_winners for arm in order],
        }
        return pd.DataFrame(columns)

    def report(self) -> Report:
        """Arms, winners, constants, where the best exploration goes, and what votes prove."""
        problem, labels, order = self.problem, self.problem.labels, list(self.ranking)
        estimated, proof = "", []
        if self.proof is not None:
            from cpe_opt.reports.evidence import proof_lines  # slow to load

            estimated = ", all of it estimated from votes"
            proof = [_ESTIMATED, *proof_lines(self.proof)]
        arms: dict[str, Iterable[object]] = {
            "arm": order,
            "label": [labels[arm] for arm in order],
            "beats": problem.copeland_scores[order].tolist(),
            "beaten by": problem.losses[order].tolist(),
            "Borda": map("{:.4f}".format, problem.borda_scores[order]),
            "Copeland winner": ["yes" * (arm in problem.copeland_winners) for arm in order],
        }
        needs = [
            [f"{horizon:.0e}", *(f"{value:,.0f}" for value in values)]
            for horizon, *values in self.needs
        ]
        busiest = [
            [f"{labels[a]} – {labels[b]}", f"{problem.gaps[a, b]:.4f}", f"{q:.4g}"]
            for a, b, q in self.busiest_pairs
        ]
        parts: tuple[Part, ...] = (
            TextTable.of(arms, title=f"{problem.name}: {problem.arms} arms{estimated}"),
            *self._estimates(self._winners()),
            *vote_lines(problem.vote_summary, labels),
            *self._estimates(self._constants()),
            TextTable(["horizon", "C* ln T", "C^E* ln T", "duels of C*"], needs),
            TextTable(["pair", "gap", "duels per ln T"], busiest, "where C* spends its duels"),
            *proof,
        )
        return Report(parts=parts)

    def _winners(self) -> list[str]:
        problem, labels, votes = self.problem, self.problem.labels, self.problem.vote_summary
        condorcet, weights = problem.condorcet_winner, self.lottery.weights
        apart = set(votes.never_met if votes is not None else ())
        i, j = self.closest_pair
        lottery = ", ".join(f"{labels[arm]} {weights[arm]:.3f}" for arm in self.lottery.support)
        walk = ", ".join(labels[arm] for arm in self.random_walk)
        return [
            f"Condorcet winner: {'none' if condorcet is None else labels[condorcet]}",
            f"ties: {listed_pairs([pair for pair in problem.ties if pair not in apart], labels)}",
            f"closest pair: {labels[i]} and {labels[j]}, gap {self.smallest_gap:.4g}",
            f"Borda winner: {', '.join(labels[arm] for arm in problem.borda_winners)}",
            f"random walk winner: {walk or 'none'}",
            f"von Neumann winner: {lottery}",
        ]

    def _estimates(self, lines: list[str]) -> list[str]:
        """What is computed from estimates says so."""
        return lines if self.proof is None else [f"estimate: {line}" for line in lines]

    def _constants(self) -> list[str]:
        hard = self.hardness
        lines = [
            f"hardness: H_inf {hard.largest_hardness:.4g}, Delta {hard.gap:.4g}",
            f"C*   (regret of any algorithm, CW-RMED): {self.lower.value:.4f} ln T",
            f"C^E* (regret of ECW-RMED):               {self.ecw.value:.4f} ln T",
        ]
        if math.isinf(self.lower.value):
            lines.append("(no regret grows as ln T: a tie of every winner may cost it its rank)")
        # the regret "sum" is twice the regret "mean".
        lines.append(f"CCB  (its theorem's bound):              {hard.ccb_constant / 2:.4f} ln T")
        # What several winners share out is no bound but in the limit.
        alone = len(self.time.by_winner) == 1
        unit = "kl(delta, 1 - delta)," if alone else "ln(1/delta) in the limit, at least"
        lines.append(
            f"T*   (duels to identify a winner):       {self.time.value:.4f} {unit} "
            f"{self.time.duels(DELTA):,.0f} at delta {DELTA:g}"
        )
        return lines


@checked_types
def analyse_preferences(problem: PreferenceMatrix) -> PreferenceAnalysis:
    """Everything that :class:`PreferenceAnalysis` says of a preference matrix."""
    lower, ecw = copeland_bound(problem), ecw_bound(problem)
    duels = float(np.triu(lower.exploration).sum())
    walk: tuple[int, ...] = ()
    with suppress(InputError):
        walk = problem.random_walk_winners
    return PreferenceAnalysis(
        problem=problem,
        ranking=tuple(np.lexsort((-problem.borda_scores, problem.losses)).tolist()),
        closest_pair=closest_pair(problem),
        lower=lower,
        ecw=ecw,
        time=copeland_time(problem),
        needs=[
            (t, lower.value * math.log(t), ecw.value * math.log(t), duels * math.log(t))
            for t in HORIZONS
        ],
        busiest_pairs=busiest_pairs(lower.exploration, _BUSIEST),
        random_walk=walk,
        lottery=von_neumann_winner(problem),
        hardness=copeland_hardness(problem),
        proof=None if problem.votes is None else statements(problem.votes, DELTA),
    )


@dataclass(frozen=True, eq=False, repr=False)
class MatchingAnalysis(ProblemAnalysis):
    """Winners, gaps and hardness of a problem of matchings."""

    problem: MatchingDuels
    matchings: int
    width: int | None  # None if it is too hard to find
    borda: BordaHardness
    condorcet: CondorcetHardness | None  # None without a Condorcet winner
    needs: dict[str, float]  # the theorems' bounds on samples at DELTA, up to their constants

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        graph, best = self.problem.graph, self.condorcet
        return {
            "name": self.problem.name,
            "candidates": graph.candidates,
            "positions": graph.positions,
            "edges": [graph.label(edge) for edge in range(graph.size)],
            "matchings": self.matchings,
            "votes": votes_of(self.problem.vote_summary),
            "width": self.width,
            "borda_winner": list(self.borda.winner),
            "borda_score": self.problem.borda_score(self.borda.winner),
            "borda_weights": self.problem.borda_weights.tolist(),
            "borda_gaps": self.borda.gap.tolist(),
            "borda_hardness": self.borda.hardness,
            "condorcet_winner": best and list(best.winner),
            "condorcet_gaps": best and best.gap.tolist(),
            "verification_hardness": best and best.verification_hardness,
            "needs": self.needs,
        }

    def table(self) -> pd.DataFrame:
        """One row per edge: its position, candidate, weight, gaps, and whose winner it is in."""
        import pandas as pd

        problem, graph, best = self.problem, self.problem.graph, self.condorcet
        edges = range(graph.size)
        columns = {
            "edge": edges,
            "position": [graph.position_labels[place] for place in graph.position],
            "candidate": [graph.candidate_labels[who] for who in graph.candidate],
            "borda_weight": problem.borda_weights,
            "borda_gap": self.borda.gap,
            "condorcet_gap": math.nan if best is None else best.gap,
            "in_borda_winner": [edge in self.borda.winner for edge in edges],
            "in_condorcet_winner": [best is not None and edge in best.winner for edge in edges],
        }
        return pd.DataFrame(columns)

    def report(self) -> Report:
        """Edges, winners, width, and what algorithms need."""
        problem, graph, best = self.problem, self.problem.graph, self.condorcet
        edges = range(graph.size)
        winners = {"Borda": self.borda.winner, "Condorcet": () if best is None else best.winner}
        inside = [[name for name in winners if edge in winners[name]] for edge in edges]
        columns: dict[str, Iterable[object]] = {
            "edge": edges,
            "position: candidate": map(graph.label, edges),
            "Borda weight": map("{:.4f}".format, problem.borda_weights),
            "Borda gap": map("{:.4f}".format, self.borda.gap),
            "Condorcet gap": ["" if best is None else f"{best.gap[edge]:.4f}" for edge in edges],
            "winner of": map(", ".join, inside),
        }
        size = (
            f"{graph.candidates} candidates, {graph.positions} positions, {self.matchings:,} "
            f"matchings, {graph.n_pairs} pairs of edges that duel"
        )
        return Report(
            parts=(
                TextTable.of(columns, title=f"{problem.name}: {size}"),
                self._winner("Borda", self.borda.winner),
                self._winner("Condorcet", None if best is None else best.winner),
                *vote_lines(problem.vote_summary, problem.labels, of_arms=False),
                f"width: {self.width or 'not known (too many matchings to enumerate)'}",
                _needs_table("up to a constant factor", self.needs),
            )
        )

    def _winner(self, name: str, matching: tuple[int, ...] | None) -> str:
        if matching is None:
            return f"{name} winner: none"
        labels = ", ".join(self.problem.labels[edge] for edge in matching)
        score = self.problem.borda_score(matching)
        return f"{name} winner: {labels} (Borda score {score:.4f})"


@checked_types
def analyse_matchings(problem: MatchingDuels) -> MatchingAnalysis:
    """Everything that :class:`MatchingAnalysis` says of a problem."""
    borda, condorcet, width = borda_hardness(problem), None, None
    with suppress(InputError):
        condorcet = condorcet_hardness(problem)
    with suppress(InputError):
        width = problem.graph.width()
    needs = borda.sample_bounds(delta=DELTA, width=width)
    if condorcet is not None:
        needs |= condorcet.sample_bounds(delta=DELTA)
    matchings = problem.graph.count_matchings()
    return MatchingAnalysis(problem, matchings, width, borda, condorcet, needs)


@dataclass(frozen=True, eq=False, repr=False)
class SubsetAnalysis(ProblemAnalysis):
    """Gap, hardness, and what algorithms need on a full-bandit problem."""

    problem: SubsetBandit
    sets: int
    hardness: SubsetHardness
    needs: dict[str, list[float]]  # leading terms of the bounds at DELTA, for both margins

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

    def table(self) -> pd.DataFrame:
        """One row per element, the best first: label, mean, and whether the best set has it."""
        import pandas as pd

        order = (-self.problem.theta).argsort(kind="stable").tolist()
        columns = {
            "element": order,
            "label": [self.problem.labels[e] for e in order],
            "mean": self.problem.theta[order],
            "in_best_set": [e in self.hardness.best for e in order],
        }
        return pd.DataFrame(columns)

    def report(self) -> Report:
        """The best elements, the best set, its lead, and what algorithms need."""
        problem, hard, decisions = self.problem, self.hardness, self.problem.decisions
        first = (-problem.theta).argsort(kind="stable")[:_LISTED].tolist()
        most = "" if len(first) == problem.theta.size else f"; the {_LISTED} best elements"
        elements = {
            "element": first,
            "label": [problem.labels[e] for e in first],
            "mean reward": map("{:.4f}".format, problem.theta[first]),
            "in the best set": ["yes" * (e in hard.best) for e in first],
        }
        title = f"{problem.name}: {decisions.name}, {self.sets:,} sets{most}"
        return Report(
            parts=(
                TextTable.of(elements, title=title),
                f"best set: {decisions.describe(hard.best)}, value {problem.value(hard.best):.4f}",
                f"gap to the second best: {hard.gap:.4g}",
                f"G-optimal design: {len(hard.design.weights)} sets, value {hard.rho:.6g}",
                _needs_table("leading terms", self.needs, *map("margin = {:g}".format, _MARGINS)),
            )
        )


@checked_types
def analyse_subsets(problem: SubsetBandit) -> SubsetAnalysis:
    """Everything that :class:`SubsetAnalysis` says of a problem."""
    hard = subset_hardness(problem)
    bounds = [hard.sample_bounds(delta=DELTA, margin=margin) for margin in _MARGINS]
    needs = {what: [each[what] for each in bounds] for what in bounds[0]}
    return SubsetAnalysis(problem, problem.decisions.count(), hard, needs)


@dataclass(frozen=True, eq=False, repr=False)
class SeparableAnalysis(ProblemAnalysis):
    """The best decision, how far every parameter is from a change, and what COCI needs."""

    problem: SeparableProblem
    hardness: SeparableHardness
    needs: dict[str, float]  # the theorems' bounds on samples at DELTA

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        problem, hard = self.problem, self.hardness
        return {
            "name": problem.name,
            "model": problem.model.name,
            "labels": list(problem.labels),
            "theta": problem.theta.tolist(),
            "decision": hard.decision.tolist(),
            "radius": hard.radius.tolist(),
            "hardness": hard.hardness,
            "uniform_hardness": hard.uniform,
            "needs": self.needs,
        }

    def table(self) -> pd.DataFrame:
        """A row an arm: its label, parameter, part of the best decision, and radius."""
        import pandas as pd

        columns = {
            "arm": range(self.problem.model.size),
            "label": self.problem.labels,
            "theta": self.problem.theta,
            "decision": self.hardness.decision,
            "radius": self.hardness.radius,
        }
        return pd.DataFrame(columns)

    def report(self) -> Report:
        """Arms, the best decision, hardness, and what algorithms need."""
        problem, hard, model = self.problem, self.hardness, self.problem.model
        arms = {
            "arm": range(model.size),
            "label": problem.labels,
            "mean" if model.tau == MEAN else "variance": map("{:.4f}".format, problem.theta),
            "best decision": map("{:g}".format, hard.decision),
            "radius": map("{:.4g}".format, hard.radius),
        }
        return Report(
            parts=(
                TextTable.of(arms, title=f"{problem.name}: {model.name}"),
                f"best decision: {model.describe(hard.decision.tolist())}",
                f"hardness: {hard.hardness:,.4g}; for uniform sampling {hard.uniform:,.4g}",
                _needs_table("at most", self.needs),
            )
        )


@checked_types
def analyse_separable(problem: SeparableProblem) -> SeparableAnalysis:
    """Everything that :class:`SeparableAnalysis` says of a problem."""
    hard = separable_hardness(problem)
    return SeparableAnalysis(problem, hard, hard.sample_bounds(delta=DELTA))


def _needs_table(what: str, needs: Mapping[str, Any], *heads: str) -> TextTable:
    """Bounds on samples, one row per theorem."""
    rows = [[name, *(f"{each:,.0f}" for each in np.atleast_1d(x))] for name, x in needs.items()]
    return TextTable([f"samples at delta = {DELTA:g}, {what}", *(heads or [""])], rows)
