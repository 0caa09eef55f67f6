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
from cpe_opt.reports.report import DELTA, Analysis, TextTable, vote_lines, votes_of
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class MatchingAnalysis(Analysis):
    """Winners, gaps and hardness of a problem of matchings.

    Attributes
    ----------
    problem : MatchingDuels
    matchings : int
        How many there are.
    width : int or None
        None if it is too hard to find.
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

    @property
    def name(self) -> str:
        """That of the problem."""
        return self.problem.name

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        graph = self.problem.graph
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
            "condorcet_winner": None if self.condorcet is None else list(self.condorcet.winner),
            "condorcet_gaps": None if self.condorcet is None else self.condorcet.gap.tolist(),
            "verification_hardness": (
                None if self.condorcet is None else self.condorcet.verification_hardness
            ),
            "needs": self.needs,
        }

    def table(self) -> pd.DataFrame:
        """One row per edge: its position, candidate, weight, gaps, and whose winner it is in."""
        import pandas as pd

        problem, graph, condorcet = self.problem, self.problem.graph, self.condorcet
        unknown = np.full(graph.size, np.nan)
        return pd.DataFrame(
            {
                "edge": range(graph.size),
                "position": [graph.position_labels[place] for place in graph.position],
                "candidate": [graph.candidate_labels[who] for who in graph.candidate],
                "borda_weight": problem.borda_weights,
                "borda_gap": self.borda.gap,
                "condorcet_gap": unknown if condorcet is None else condorcet.gap,
                "in_borda_winner": [edge in self.borda.winner for edge in range(graph.size)],
                "in_condorcet_winner": [
                    edge in (self.condorcet_winner or ()) for edge in range(graph.size)
                ],
            }
        )

    def report(self) -> list[str | TextTable]:
        """Edges, winners, width, and what algorithms need."""
        problem = self.problem
        rows = [
            [what, f"{value:,.0f}" if math.isfinite(value) else "inf"]
            for what, value in self.needs.items()
        ]
        return [
            self._edges(),
            self._winner("Borda", self.borda.winner),
            self._winner("Condorcet", self.condorcet_winner),
            *vote_lines(problem.vote_summary, problem.labels, of_arms=False),
            f"width: {self.width or 'not known (too many matchings to enumerate)'}",
            TextTable([f"samples at delta = {DELTA:g}, up to a constant factor", ""], rows),
        ]

    def _edges(self) -> TextTable:
        problem, graph, condorcet = self.problem, self.problem.graph, self.condorcet
        winners = {"Borda": self.borda.winner, "Condorcet": self.condorcet_winner or ()}
        return TextTable(
            [
                "edge",
                "position: candidate",
                "Borda weight",
                "Borda gap",
                "Condorcet gap",
                "winner of",
            ],
            [
                [
                    edge,
                    graph.label(edge),
                    f"{problem.borda_weights[edge]:.4f}",
                    f"{self.borda.gap[edge]:.4f}",
                    "" if condorcet is None else f"{condorcet.gap[edge]:.4f}",
                    ", ".join(name for name, winner in winners.items() if edge in winner),
                ]
                for edge in range(graph.size)
            ],
            title=f"{problem.name}: {graph.candidates} candidates, {graph.positions} positions, "
            f"{self.matchings:,} matchings, {graph.n_pairs} pairs of edges that duel",
        )

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
