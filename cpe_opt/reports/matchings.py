"""What a problem of matchings asks of any algorithm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.formulations.matchings.condorcet import borda_winner, condorcet_winner
from cpe_opt.hardness.matchings import (
    BordaHardness,
    CondorcetHardness,
    borda_hardness,
    condorcet_hardness,
)
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.reports.report import DELTA, Analysis, Part, Report, TextTable, vote_lines, votes_of
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class MatchingAnalysis(Analysis):
    """Winners, gaps and hardness of a problem of matchings."""

    problem: MatchingDuels
    matchings: int
    width: int | None  # None if it is too hard to find
    borda: BordaHardness
    condorcet: CondorcetHardness | None  # None without a Condorcet winner
    needs: dict[str, float]  # the theorems' bounds on samples at DELTA, up to their constants

    @property
    def condorcet_winner(self) -> tuple[int, ...] | None:
        """The Condorcet winner, if there is one."""
        return None if self.condorcet is None else self.condorcet.winner

    @property
    def name(self) -> str:
        """That of the problem."""
        return self.problem.name

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

        problem, graph, condorcet = self.problem, self.problem.graph, self.condorcet
        unknown, edges = np.full(graph.size, np.nan), range(graph.size)
        columns = {
            "edge": edges,
            "position": [graph.position_labels[place] for place in graph.position],
            "candidate": [graph.candidate_labels[who] for who in graph.candidate],
            "borda_weight": problem.borda_weights,
            "borda_gap": self.borda.gap,
            "condorcet_gap": unknown if condorcet is None else condorcet.gap,
            "in_borda_winner": [edge in self.borda.winner for edge in edges],
            "in_condorcet_winner": [edge in (self.condorcet_winner or ()) for edge in edges],
        }
        return pd.DataFrame(columns)

    def report(self) -> Report:
        """Edges, winners, width, and what algorithms need."""
        problem, graph = self.problem, self.problem.graph
        winners = {"Borda": self.borda.winner, "Condorcet": self.condorcet_winner or ()}
        frame, edges = self.table(), range(graph.size)
        columns = {
            "edge": edges,
            "position: candidate": map(graph.label, edges),
            "Borda weight": (f"{weight:.4f}" for weight in frame["borda_weight"]),
            "Borda gap": (f"{gap:.4f}" for gap in frame["borda_gap"]),
            "Condorcet gap": (
                "" if self.condorcet is None else f"{gap:.4f}" for gap in frame["condorcet_gap"]
            ),
            "winner of": (
                ", ".join(name for name, winner in winners.items() if edge in winner)
                for edge in edges
            ),
        }
        needs = [
            [what, f"{value:,.0f}" if math.isfinite(value) else "inf"]
            for what, value in self.needs.items()
        ]
        parts: tuple[Part, ...] = (
            TextTable.of(
                columns,
                title=f"{problem.name}: {graph.candidates} candidates, {graph.positions} positions,"
                f" {self.matchings:,} matchings, {graph.n_pairs} pairs of edges that duel",
            ),
            self._winner("Borda", self.borda.winner),
            self._winner("Condorcet", self.condorcet_winner),
            *vote_lines(problem.vote_summary, problem.labels, of_arms=False),
            f"width: {self.width or 'not known (too many matchings to enumerate)'}",
            TextTable([f"samples at delta = {DELTA:g}, up to a constant factor", ""], needs),
        )
        return Report(parts=parts)

    def _winner(self, name: str, matching: tuple[int, ...] | None) -> str:
        if matching is None:
            return f"{name} winner: none"
        labels = ", ".join(self.problem.labels[edge] for edge in matching)
        score = self.problem.borda_score(matching)
        return f"{name} winner: {labels} (Borda score {score:.4f})"


def size_and_winners(problem: MatchingDuels) -> dict[str, Any]:
    """How many candidates and positions there are, the Borda winner, and the Condorcet winner."""
    graph = problem.graph
    return {
        "size": f"{graph.candidates} candidates, {graph.positions} positions",
        "winners": [list(borda_winner(problem).edges)],
        "condorcet_winner": condorcet_winner(problem),
    }


@checked_types
def analyse_matchings(problem: MatchingDuels) -> MatchingAnalysis:
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
    needs = borda.sample_bounds(delta=DELTA, width=width)
    if condorcet is not None:
        needs |= condorcet.sample_bounds(delta=DELTA)
    return MatchingAnalysis(
        problem, problem.graph.count_matchings(), width, borda, condorcet, needs
    )
