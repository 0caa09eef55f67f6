"""What the commands do with full-bandit problems."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpe_opt.modelling.result import SolveResult
    from cpe_opt.problems.subsets.bandit import SubsetBandit

DESIGN_MODELS = ("g-design", "xy-design")
SUBSET_MODELS = (*DESIGN_MODELS, "ellipsoid-maximum")


def solved_subsets(
    model: str, problem: SubsetBandit, method: str | None, **solving: Any
) -> tuple[dict[str, Any], SolveResult | None]:
    """A design, or the largest confidence ellipsoid, for the report, and the solve if any."""
    if model == "ellipsoid-maximum":
        return _solved_ellipsoid(problem, method or "exact", **solving)
    from cpe_opt.errors import UnknownName
    from cpe_opt.formulations.designs.optimal import G_METHODS, XY_METHODS, g_design, xy_design

    methods = G_METHODS if model == "g-design" else XY_METHODS
    chosen = next((name for name in methods if name == method), None)
    if method is not None and chosen is None:
        raise UnknownName("method", method, methods)
    optimal = g_design if model == "g-design" else xy_design
    started = time.perf_counter()
    design = optimal(problem.decisions, method=chosen, **solving)
    seconds = time.perf_counter() - started
    facts = {name: getattr(design, name) for name in ("method", "value", "bound", "gap")}
    return {**facts, **design.report(problem), "seconds": seconds}, None


def ellipsoid_of(problem: SubsetBandit) -> Any:
    """The confidence ellipsoid of the uniform design over 2n random sets, seed 0."""
    import numpy as np

    from cpe_opt.formulations.designs.uniform import uniform_design

    design = uniform_design(problem.decisions, seed=0)
    return np.linalg.pinv(design.information, hermitian=True)


def _solved_ellipsoid(
    problem: SubsetBandit, method: str, **solving: Any
) -> tuple[dict[str, Any], SolveResult | None]:
    from cpe_opt.errors import UnknownName
    from cpe_opt.formulations.quadratic.maximise import METHODS, ellipsoid_maximum

    chosen = next((name for name in METHODS if name == method), None)
    if chosen is None:
        raise UnknownName("method", method, METHODS)
    found = ellipsoid_maximum(ellipsoid_of(problem), problem.decisions, chosen, **solving)
    report = {
        "method": method,
        "value": found.value,
        "upper bound": found.bound,
        "members": problem.decisions.describe(found.elements),
    }
    return report, found.result
