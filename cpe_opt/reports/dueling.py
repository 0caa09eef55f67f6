"""What a preference matrix asks of any algorithm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.characteristic_time import CharacteristicTime
from cpe_opt.formulations.dueling.copeland_time import copeland_time
from cpe_opt.formulations.dueling.ecw import ecw_bound
from cpe_opt.formulations.dueling.lower_bound import CopelandBound, copeland_bound
from cpe_opt.formulations.dueling.voting import Lottery, von_neumann_winner
from cpe_opt.hardness.dueling import (
    CopelandHardness,
    busiest_pairs,
    closest_pair,
    copeland_hardness,
)
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.proofs.dueling.evidence import Statements, statements
from cpe_opt.reports.evidence import proof_lines
from cpe_opt.reports.report import (
    DELTA,
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


HORIZONS = (10**4, 10**5, 10**6, 10**7, 10**8)
_BUSIEST = 10


@dataclass(frozen=True, eq=False, repr=False)
class PreferenceAnalysis(Analysis):
    """Winners, gaps and constants of a preference matrix."""

    problem: PreferenceMatrix
    ranking: tuple[int, ...]  # arms by losses, then by Borda score
    closest_pair: tuple[int, int]  # the untied pair with the smallest gap, or any pair
    smallest_gap: float
    lower: CopelandBound  # C*
    ecw: CopelandBound  # C^E*
    time: CharacteristicTime  # T*
    # Of each horizon T: C* ln T and C^E* ln T, which are regret, and the duels that attain C*.
    needs: list[tuple[int, float, float, float]]
    busiest_pairs: list[tuple[int, int, float]]  # where these duels go, per ln T
    borda: tuple[int, ...]
    random_walk: tuple[int, ...]  # none where the walk has no single limit
    lottery: Lottery
    hardness: CopelandHardness
    proof: Statements | None  # of the votes that the matrix was estimated from

    @property
    def name(self) -> str:
        """That of the problem."""
        return self.problem.name

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
            "borda_winners": list(self.borda),
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
        problem, labels, frame = self.problem, self.problem.labels, self.table()
        estimated = "" if self.proof is None else ", all of it estimated from votes"
        arms = {
            "arm": frame["arm"],
            "label": frame["label"],
            "beats": frame["beats"],
            "beaten by": frame["beaten_by"],
            "Borda": (f"{score:.4f}" for score in frame["borda"]),
            "Copeland winner": ("yes" * winner for winner in frame["copeland_winner"]),
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
            *self._proof(),
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
            f"Borda winner: {', '.join(labels[arm] for arm in self.borda)}",
            f"random walk winner: {walk or 'none'}",
            f"von Neumann winner: {lottery}",
        ]

    def _estimates(self, lines: list[str]) -> list[str]:
        """What is computed from estimates says so."""
        return lines if self.proof is None else [f"estimate: {line}" for line in lines]

    def _proof(self) -> list[str]:
        said = "all of this is estimated from votes; what these prove (cpe-opt evidence says more):"
        return [] if self.proof is None else [said, *proof_lines(self.proof)]

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


def size_and_winners(problem: PreferenceMatrix) -> dict[str, Any]:
    """How many arms there are, the Copeland winners, and the Condorcet winner."""
    return {
        "size": f"{problem.arms} arms",
        "winners": list(problem.copeland_winners),
        "condorcet_winner": problem.condorcet_winner,
    }


@checked_types
def analyse_preferences(problem: PreferenceMatrix) -> PreferenceAnalysis:
    """Everything that :class:`PreferenceAnalysis` says of a preference matrix."""
    lower, ecw, closest = copeland_bound(problem), ecw_bound(problem), closest_pair(problem)
    duels = float(np.triu(lower.exploration).sum())
    try:
        walk = problem.random_walk_winners
    except InputError:
        walk = ()
    return PreferenceAnalysis(
        problem=problem,
        ranking=tuple(np.lexsort((-problem.borda_scores, problem.losses)).tolist()),
        closest_pair=closest,
        smallest_gap=float(problem.gaps[closest]),
        lower=lower,
        ecw=ecw,
        time=copeland_time(problem),
        needs=[
            (t, lower.value * math.log(t), ecw.value * math.log(t), duels * math.log(t))
            for t in HORIZONS
        ],
        busiest_pairs=busiest_pairs(lower.exploration, _BUSIEST),
        borda=problem.borda_winners,
        random_walk=walk,
        lottery=von_neumann_winner(problem),
        hardness=copeland_hardness(problem),
        proof=None if problem.votes is None else statements(problem.votes, DELTA),
    )
