"""What a problem of separable rewards asks of COCI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpe_opt.formulations.separable.oracle import oracle_of
from cpe_opt.hardness.separable import SeparableHardness, separable_hardness
from cpe_opt.problems.separable.model import MEAN
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.reports.report import DELTA, Analysis, Report, TextTable
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class SeparableAnalysis(Analysis):
    """The best decision, how far every parameter is from a change, and what COCI needs."""

    problem: SeparableProblem
    hardness: SeparableHardness
    needs: dict[str, float]  # the theorems' bounds on samples at DELTA

    @property
    def name(self) -> str:
        """That of the problem."""
        return self.problem.name

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
            "label": model.labels,
            "mean" if model.tau == MEAN else "variance": (f"{x:.4f}" for x in problem.theta),
            "best decision": (f"{part:g}" for part in hard.decision),
            "radius": (f"{radius:.4g}" for radius in hard.radius),
        }
        needs = [[what, f"{value:,.0f}"] for what, value in self.needs.items()]
        parts = (
            TextTable.of(arms, title=f"{problem.name}: {model.name}"),
            f"best decision: {model.describe(hard.decision.tolist())}",
            f"hardness: {hard.hardness:,.4g}; for uniform sampling {hard.uniform:,.4g}",
            TextTable([f"samples at delta = {DELTA:g}, at most", ""], needs),
        )
        return Report(parts=parts)


def size_and_winners(problem: SeparableProblem) -> dict[str, Any]:
    """The model, and its best decision."""
    return {
        "size": problem.model.name,
        "winners": [oracle_of(problem.model)(problem.theta).tolist()],
        "condorcet_winner": None,
    }


@checked_types
def analyse_separable(problem: SeparableProblem) -> SeparableAnalysis:
    """Everything that :class:`SeparableAnalysis` says of a problem."""
    hard = separable_hardness(problem)
    return SeparableAnalysis(problem, hard, hard.sample_bounds(delta=DELTA))
