"""What every oracle answers: a value, a bound from the other side, and how both were found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cpe_opt.modelling.certify import relative_gap
from cpe_opt.modelling.result import SolveResult


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Answer:
    """The answer of an oracle; each oracle's own class adds what is its own.

    Attributes
    ----------
    value : float
        The optimum, recomputed from the point found.
    bound : float
        From the other side: no point is better than this, even if the solver erred.
    method : str
        The formulation or algorithm that found it.
    result : SolveResult or None
        The solve it comes from; None for a closed form or an algorithm that solves no program.
    """

    value: float
    bound: float
    method: str
    result: SolveResult | None = None

    @property
    def gap(self) -> float:
        """``|value - bound| / max(1, |value|, |bound|)``."""
        return relative_gap(self.value, self.bound)

    def report(self, problem: Any) -> dict[str, Any]:
        """The rest of the answer for people: entries by name, with the problem's labels."""
        del problem
        return {}

    def __repr__(self) -> str:
        solved = "" if self.result is None else f", {self.result.solver}"
        return (
            f"{type(self).__name__}(value {self.value:.10g}, gap {round(self.gap, 12):.1e}, "
            f"{self.method}{solved})"
        )
