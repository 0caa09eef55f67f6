"""What a full-bandit problem asks of any algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpe_opt.formulations.subsets.oracle import best_subset
from cpe_opt.hardness.subsets import SubsetHardness, subset_hardness
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.reports.report import DELTA, Analysis, Report, TextTable
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd

_LISTED = 20
_MARGINS = (0.0, 0.5)


@dataclass(frozen=True, eq=False, repr=False)
class SubsetAnalysis(Analysis):
    """Gap, hardness, and what algorithms need on a full-bandit problem."""

    problem: SubsetBandit
    sets: int
    hardness: SubsetHardness
    needs: dict[str, list[float]]  # leading terms of the bounds at DELTA, for both margins

    @property
    def name(self) -> str:
        """That of the problem."""
        return self.problem.name

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
        frame = self.table()
        first = frame.head(_LISTED)
        most = "" if len(first) == len(frame) else f"; the {_LISTED} best elements"
        elements = {
            "element": first["element"],
            "label": first["label"],
            "mean reward": (f"{mean:.4f}" for mean in first["mean"]),
            "in the best set": ("yes" * inside for inside in first["in_best_set"]),
        }
        head = [f"samples at delta = {DELTA:g}, leading terms"]
        head += [f"margin = {margin:g}" for margin in _MARGINS]
        needs = [[what, *(f"{x:,.0f}" for x in values)] for what, values in self.needs.items()]
        title = f"{problem.name}: {decisions.name}, {self.sets:,} sets{most}"
        parts = (
            TextTable.of(elements, title=title),
            f"best set: {decisions.describe(hard.best)}, value {problem.value(hard.best):.4f}",
            f"gap to the second best: {hard.gap:.4g}",
            f"G-optimal design: {len(hard.design.weights)} sets, value {hard.rho:.6g}",
            TextTable(head, needs),
        )
        return Report(parts=parts)


def size_and_winners(problem: SubsetBandit) -> dict[str, Any]:
    """The class of sets, and its best set."""
    return {
        "size": problem.decisions.name,
        "winners": [list(best_subset(problem.decisions, problem.theta).elements)],
        "condorcet_winner": None,
    }


@checked_types
def analyse_subsets(problem: SubsetBandit) -> SubsetAnalysis:
    """Everything that :class:`SubsetAnalysis` says of a problem."""
    hard = subset_hardness(problem)
    bounds = [hard.sample_bounds(delta=DELTA, margin=margin) for margin in _MARGINS]
    needs = {what: [each[what] for each in bounds] for what in bounds[0]}
    return SubsetAnalysis(problem, problem.decisions.count(), hard, needs)
