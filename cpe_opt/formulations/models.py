"""The registry of models: every oracle, by its noun.

A noun is a function that answers, ``copeland_bound``; beside it, in the same module, stands a
function that builds its program and never solves it, ``copeland_bound_program``. A line here says
where both are, of which problems, and how their arguments are read off a problem. The commands
``solve``, ``export`` and ``models``, the pages in ``models/`` and their tests are loops over
:data:`MODELS`: a new oracle is one module, one page, one line.
"""

from __future__ import annotations

from typing import Any

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.model import Model


def _graph_and_matrix(duels: Any) -> tuple[Any, ...]:
    return duels.graph, duels.array


def _graph_and_borda_weights(duels: Any) -> tuple[Any, ...]:
    return duels.graph, duels.borda_weights


def _class(bandit: Any) -> tuple[Any, ...]:
    return (bandit.decisions,)


def _class_and_means(bandit: Any) -> tuple[Any, ...]:
    return bandit.decisions, bandit.theta


def _class_and_ellipsoid(bandit: Any) -> tuple[Any, ...]:
    """The confidence ellipsoid of the uniform design over 2n random sets, seed 0."""
    import numpy as np

    from cpe_opt.formulations.designs.uniform import uniform_design

    design = uniform_design(bandit.decisions, seed=0)
    return bandit.decisions, np.linalg.pinv(design.information, hermitian=True)


def _model_and_parameters(problem: Any) -> tuple[Any, ...]:
    return problem.model, problem.theta


def _parameters_sizes_and_budget(problem: Any) -> tuple[Any, ...]:
    model = problem.model
    if not (hasattr(model, "sizes") and hasattr(model, "budget")):
        raise InputError(f"sample-allocation is a model of OpinionSampling, not of {model!r}")
    return problem.theta, model.sizes, model.budget


_AT = "cpe_opt.formulations"
_PAIRS = {"x": "arm arm", "prefix": "arm number", "settled": "arm"}
_EDGES = {"x": "candidate position", "position": "position", "candidate": "candidate"}

MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        # dueling
        Model(
            "copeland-bound",
            "dueling",
            "C*: the least regret of any algorithm, and the exploration that attains it",
            f"{_AT}.dueling.lower_bound",
            choice="winner",
            legend=_PAIRS,
        ),
        Model(
            "ecw-bound",
            "dueling",
            "C^E*: the same with all the winner's pairs settled, in closed form, too",
            f"{_AT}.dueling.ecw",
            choice="winner",
            legend=_PAIRS,
        ),
        Model(
            "copeland-time",
            "dueling",
            "T*: the least cost of identifying a Copeland winner, and the duels that attain it",
            f"{_AT}.dueling.copeland_time",
            choice="winner",
            legend=_PAIRS,
        ),
        Model(
            "condorcet-time",
            "dueling",
            "T* of a Condorcet winner that is known to exist, in closed form too",
            f"{_AT}.dueling.condorcet_time",
            legend={"x": "arm arm", "loses": "arm"},
        ),
        Model(
            "borda-time",
            "dueling",
            "T* of a Borda winner by squared errors, a second-order cone program",
            f"{_AT}.dueling.borda_time",
        ),
        Model(
            "cheapest-flips",
            "dueling",
            "the cheapest pairs whose flips make an arm a Copeland winner, an integer program",
            f"{_AT}.dueling.cheapest_flips",
            choice="arm",
            legend={"flip": "arm arm", "tie": "arm arm", "losses": "arm"},
        ),
        Model(
            "von-neumann-winner",
            "dueling",
            "the lottery that no arm beats, a matrix game",
            f"{_AT}.dueling.voting",
            legend={"p": "arm", "arm": "arm"},
        ),
        # matchings
        Model(
            "condorcet-value",
            "matchings",
            "the minimax value over two matching polytopes, a saddle LP",
            f"{_AT}.matchings.condorcet",
            _graph_and_matrix,
            legend={
                **_EDGES,
                "u": "position",
                "v": "candidate",
                "reply": "candidate position",
            },
        ),
        Model(
            "best-matching",
            "matchings",
            "the matching of the largest weight; asked about a problem, of the Borda weights",
            f"{_AT}.matchings.assignment",
            _graph_and_borda_weights,
            legend=_EDGES,
        ),
        Model(
            "matching-time",
            "matchings",
            "T*: the least cost of proving the Condorcet matching, and the duels that attain it",
            f"{_AT}.matchings.matching_time",
        ),
        # subsets
        Model(
            "best-subset",
            "subsets",
            "the set of the largest weight in a decision class",
            f"{_AT}.subsets.best_subset",
            _class_and_means,
            builder=f"{_AT}.subsets.program",
            legend={"x": "element"},
        ),
        Model(
            "subset-time",
            "subsets",
            "T*: the least cost of identifying the best set, and the pulls that attain it",
            f"{_AT}.subsets.subset_time",
        ),
        Model(
            "ellipsoid-maximum",
            "subsets",
            "the set with the largest uncertainty in a confidence ellipsoid, an integer program",
            f"{_AT}.quadratic.maximise",
            _class_and_ellipsoid,
            method="exact",
            builder=f"{_AT}.quadratic.program",
            legend={"x": "element", "y": "element element"},
        ),
        Model(
            "g-design",
            "subsets",
            "how often to pull which set, so that the largest variance of a set is least",
            f"{_AT}.designs.optimal",
            _class,
            builder=f"{_AT}.designs.programs",
        ),
        Model(
            "xy-design",
            "subsets",
            "how often to pull which set, so that the largest variance of a difference is least",
            f"{_AT}.designs.optimal",
            _class,
            builder=f"{_AT}.designs.programs",
        ),
        # separable
        Model(
            "sample-allocation",
            "separable",
            "how many samples of which group",
            f"{_AT}.separable.sample_allocation",
            _parameters_sizes_and_budget,
        ),
        Model(
            "water-plan",
            "separable",
            "how much to purify where",
            f"{_AT}.separable.water_plan",
            _model_and_parameters,
        ),
    )
}


def get_model(name: str) -> Model:
    """The model of this name; ``copeland-bound`` and ``copeland_bound`` are the same.

    Raises
    ------
    UnknownName
        With the nearest names.
    """
    key = name.replace("_", "-")
    if key not in MODELS:
        raise UnknownName("model", name, MODELS)
    return MODELS[key]
