"""What the commands do with problems of separable rewards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpe_opt.formulations.answer import Answer
    from cpe_opt.modelling.program import LinearProgram
    from cpe_opt.modelling.result import SolveResult
    from cpe_opt.problems.problem import Problem
    from cpe_opt.problems.separable.problem import SeparableProblem

SEPARABLE_MODELS = ("sample-allocation", "water-plan")


def solved_separable(
    problem: SeparableProblem, method: str | None, **solving: Any
) -> tuple[dict[str, Any], SolveResult | None]:
    """The best decision at the true parameters, and the solve if any."""
    from cpe_opt.errors import UnknownName
    from cpe_opt.formulations.separable.sample_allocation import METHODS, sample_allocation
    from cpe_opt.formulations.separable.water_plan import water_plan
    from cpe_opt.problems.separable.water_plan import WaterPlan

    chosen = next((name for name in METHODS if name == (method or "greedy")), None)
    if chosen is None:
        raise UnknownName("method", method, METHODS)
    model, theta = problem.model, problem.theta
    answer: Answer
    if isinstance(model, WaterPlan):
        answer = water_plan(model, theta, chosen, **solving)
    else:
        answer = sample_allocation(theta, *_sampling(problem), chosen, **solving)
    report = {"method": answer.method, "value": answer.value, **answer.report(problem)}
    return report, answer.result


def separable_program(problem: Problem) -> LinearProgram:
    """The integer program of a model at the true parameters."""
    from cpe_opt.formulations.separable import sample_allocation as allocation, water_plan as water
    from cpe_opt.problems.separable.problem import SeparableProblem
    from cpe_opt.problems.separable.water_plan import WaterPlan

    if isinstance(problem, SeparableProblem) and isinstance(problem.model, WaterPlan):
        return water.water_plan_program(problem.model, problem.theta)
    sizes, budget = _sampling(problem)
    assert isinstance(problem, SeparableProblem)
    return allocation.sample_allocation_program(problem.theta, sizes, budget)


def check_model(model: str, problem: Problem) -> None:
    """Raise :class:`InputError` where the problem is not one of this model."""
    from cpe_opt.errors import InputError
    from cpe_opt.problems.separable.model import OpinionSampling
    from cpe_opt.problems.separable.problem import SeparableProblem
    from cpe_opt.problems.separable.water_plan import WaterPlan

    wanted = WaterPlan if model == "water-plan" else OpinionSampling
    if not (isinstance(problem, SeparableProblem) and isinstance(problem.model, wanted)):
        raise InputError(f"{model} is a model of a {wanted.__name__}, and {problem.name} is not")


def _sampling(problem: Problem) -> tuple[tuple[int, ...], int]:
    """Group sizes and budget."""
    from cpe_opt.problems.separable.model import OpinionSampling
    from cpe_opt.problems.separable.problem import SeparableProblem

    assert isinstance(problem, SeparableProblem)
    assert isinstance(problem.model, OpinionSampling)
    return problem.model.sizes, problem.model.budget
