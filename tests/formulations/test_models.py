"""The registry of models: every oracle keeps the grammar, by every method and on every option."""

import functools
import math
import re

import pytest

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.models import MODELS
from cpe_opt.modelling.certify import relative_gap
from tests.support import all_of

PROBLEMS = {
    "dueling": ["gap", "mslr5-cycle", "cyclic"],
    "matchings": ["figure1"],
    "subsets": ["trees-of-k4", "top-5-of-10"],
    "separable": ["opinions", "water"],
}
SLOW = {  # a cone for every pair of sets, and thousands of columns
    ("xy-design", "cvxpy", "top-5-of-10"),
    ("xy-design", "columns", "top-5-of-10"),
}
CASES = [
    (model, method, name)
    for model in MODELS.values()
    for method in model.methods or [None]
    for name in PROBLEMS[model.family]
    if (model.name, method, name) not in SLOW
]
# A heuristic's value is one side only: these leave the optimum open.
HEURISTIC = {"peeling", "greedy", "swap", "ascent", "bound", "subgradient"}


SOLVERS = ("highs", "glop", "scip", "cp-sat", "pdlp", "clarabel", "scs")
PUBLISHED = [  # from independent solves
    ("copeland-bound", "sushi", 142.6078),
    ("copeland-bound", "gap", 11.0249),
    ("copeland-bound", "multisol", 3.2426),
    ("ecw-bound", "sushi", 143.3679),
    ("ecw-bound", "gap", 1252.5108),
    ("copeland-time", "gap", 41.5),
    ("copeland-time", "multisol", 20.8),
    ("copeland-time", "cyclic", 78.6),
    ("copeland-time", "mslr5-condorcet", 460.6),
    ("copeland-time", "mslr5-cycle", 4221.1),
    ("copeland-time", "sushi", 3605.0),
    ("condorcet-time", "mslr5-condorcet", 460.6),
    ("condorcet-time", "cyclic", 8.1508),
    ("borda-time", "gap", 462.0978),
    ("borda-time", "cyclic", 139.9519),
    ("borda-time", "arxiv", 3015.4977),
]
NOT_FOR = re.compile(r" is for |, not for |model of OpinionSampling|expected a WaterPlan")


@functools.cache
def answered(model, method, name):
    """The answer, or None where this method or model is not for the problem, said in words."""
    try:
        return MODELS[model].solve(cpe.load_instance(name), method)
    except (cpe.InputError, SolverUnable) as error:
        if NOT_FOR.search(str(error)):
            return None
        raise


@all_of(("model", "method", "name"), CASES)
def test_every_answer_has_a_value_a_bound_and_how_it_was_found(model, method, name):
    problem, answer = cpe.load_instance(name), answered(model.name, method, name)
    if answer is None:
        return
    assert isinstance(answer, Answer)
    assert method in (None, answer.method)
    assert math.isfinite(answer.value)
    if model.name != "von-neumann-winner" and math.isfinite(answer.bound):
        assert answer.gap == relative_gap(answer.value, answer.bound)
    if answer.method not in HEURISTIC:
        assert answer.gap < 1e-3
    report = model.decode(problem, answer)
    assert list(report)[-1] not in ("value", "bound", "gap")  # something of its own


@all_of("name", ["copeland-bound", "ecw-bound", "copeland-time", "borda-time"])
def test_winners_are_said_by_their_labels(name):
    mu = cpe.PreferenceMatrix([[0.5, 0.3], [0.7, 0.5]], labels=["tuna", "squid"], name="two")
    report = MODELS[name].decode(mu, answer := MODELS[name].solve(mu))
    assert (report["winner"], report["by_winner"]) == ("squid", {"squid": answer.value})
    flips = MODELS["cheapest-flips"]
    assert flips.decode(mu, flips.solve(mu))["arm"] == mu.labels[flips.solve(mu).arm]


@all_of("model", MODELS.values())
def test_methods_find_the_same_optimum(model):
    for name in PROBLEMS[model.family]:
        found = {}
        for method in model.methods:
            slow = (model.name, method, name) in SLOW
            answer = None if slow else answered(model.name, method, name)
            if answer is not None and method not in HEURISTIC and method != "continuous":
                found[method] = answer
        values = [answer.value for answer in found.values()]
        assert all(value == pytest.approx(values[0], rel=2e-3) for value in values)


@all_of("model", MODELS.values())
def test_every_capable_solver_finds_the_optimum(model):
    """Of each of its programs, for the first problem that it is for."""
    for method in model.formulations or [None]:
        names = (name for name in PROBLEMS[model.family] if answered(model.name, method, name))
        problem, found = cpe.load_instance(name := next(names)), {}
        for solver in SOLVERS:
            try:
                found[solver] = model.solve(problem, method, solver=solver).value
            except (SolverUnable, cpe.InputError) as error:
                if not re.search("does not solve|no effect|bounded", str(error)):
                    raise
        expected = pytest.approx(answered(model.name, method, name).value, rel=1e-4, abs=1e-6)
        assert all(value == expected for value in found.values()), (method, found)
        assert len(found) > 1 or method == "continuous"  # which has a closed form


@all_of(("model", "name", "value"), PUBLISHED)
def test_published_optima(model, name, value):
    """To the digits that are printed, by every method, as far as its gap is said to be."""
    for method in MODELS[model].methods:
        answer = answered(model, method, name)
        half = 0.05 if value == round(value, 1) else 5e-5
        assert answer.value == pytest.approx(value, abs=half)
        assert answer.gap < 1e-5


@all_of("model", MODELS.values())
def test_programs_are_built_by_every_formulation(model):
    built = 0
    for name in PROBLEMS[model.family]:
        for method in model.formulations or [None]:
            problem = cpe.load_instance(name)
            try:
                program = model.build(problem, method)
            except cpe.InputError as error:
                if NOT_FOR.search(str(error)):
                    continue
                raise
            assert isinstance(program, cpe.LinearProgram | cpe.LazyProgram | cpe.ConicProgram)
            if isinstance(program, cpe.LinearProgram) and model.legend:
                names = (*program.column_names, *program.row_names)
                assert set(model.names(problem, names)) & set(program.column_names)
            built += 1
    assert built


@all_of("model", MODELS.values())
def test_formulations_are_the_methods_that_solve_programs(model):
    """Every model with methods names one; the program of the only one is built without it, too."""
    assert set(model.formulations) <= set(model.methods)
    assert bool(model.formulations) == bool(model.methods)
    if model.program:
        name = next(iter(PROBLEMS[model.family]))
        assert answered(model.name, model.program, name).result is not None
        problem = cpe.load_instance(name)
        assert repr(model.build(problem, model.program)) == repr(model.build(problem))
