"""Every learner that uses an oracle: fast, and by its plain programs in every round, the same run.

An optimum that is not unique is a choice, and fast ways and solvers choose in ways of their own. So
the instances here have none but by accident of numbers: rewards are continuous, and costs of duels
are made generic, the same for both ways, far above a solver's tolerance.
"""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.designs.optimal import design_solving
from cpe_opt.learners.dueling import duel_counts
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.learners.registry import get_learner
from tests.learners.support import singly

SUBSETS = {
    "top": cpe.planted_subsets(5, 2, gap=0.3, noise=0.2, seed=1),
    "trees": cpe.SubsetBandit(
        cpe.SpanningTrees([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]), [0.9, 0.1, 0.5, 0.7, 0.2],
        noise=0.2,
    ),
    "matchings": cpe.SubsetBandit(
        cpe.Matchings(cpe.BipartiteGraph.complete(3, 2)), [0.9, 0.1, 0.5, 0.7, 0.2, 0.4], noise=0.2
    ),
}  # fmt: skip


def run(name, problem, most, seed=0, **parameters):
    """The first queries of a learner, and its answer or what leads then."""
    learner = singly(
        get_learner(name)(problem.known, rng=np.random.default_rng(seed), **parameters)
    )
    environment = problem.environment(np.random.default_rng(seed + 1))
    asked, observation = [], None
    try:
        while len(asked) < most:
            query = environment.check(learner.send(observation))
            asked.append(repr(query))
            observation = environment.answer(query)
        learner.throw(HorizonReached())
    except StopIteration as finished:
        return asked, getattr(finished.value, "answer", finished.value)
    except HorizonReached:
        return asked, "none"
    raise AssertionError("it goes on after its horizon")


def assert_same(name, problem, most, fast, plain, **parameters):
    expected, asked = (run(name, problem, most, **way, **parameters) for way in (fast, plain))
    assert len(expected[0]) > 10
    assert asked == expected


@pytest.fixture
def solved(monkeypatch):
    """Counts the programs that are solved."""
    from cpe_opt.formulations.subsets import oracle

    names, solve = [], oracle.solve

    def counting(program, *arguments, **options):
        names.append(program.name)
        return solve(program, *arguments, **options)

    monkeypatch.setattr(oracle, "solve", counting)
    return names


# Sets


@pytest.mark.parametrize(("name", "margin"), [("top", 0.0), ("matchings", 0.2)])
def test_exhaustive(solved, name, margin):
    parameters = {"sigma": 0.1, "growth": 1.1, "margin": margin}
    assert_same("exhaustive", SUBSETS[name], 75, {}, {"method": "program"}, **parameters)
    assert solved


# Matchings


def test_matching_tracking(solved):
    duels = cpe.planted_condorcet(3, 2, gap=0.2, seed=1)
    assert_same("matching-tracking", duels, 150, {}, {"solver": "glop"})
    assert len(solved) > 5


# The solver that is named


@pytest.mark.parametrize(
    ("learner", "parameters"),
    [
        ("saqm", {"design": "xy"}),
        ("saqm", {"maximiser": "exact", "solver": "scip"}),
        ("poly-alba", {}),
        ("exhaustive", {"method": "program", "solver": "scip"}),
        ("subset-tracking", {"feedback": "sums", "delta": 0.05}),
    ],
)
def test_every_program_is_that_solver_s(learner, parameters, tmp_path):
    """That of the mixture of a cyclic design, too."""
    chosen = {"solver": "glop", "sigma": 0.3, **parameters}
    with cpe.recording(tmp_path / "programs") as log:
        cpe.simulate(learner, SUBSETS["top"], max_samples=12, noise=0.2, **chosen)
    assert "mixture" in {each.name for each in log}
    assert {each.solver for each in log} == {chosen["solver"]}


def test_a_design_is_left_to_highs_by_solvers_that_cannot_find_it():
    """Linear programs are the mixtures of k of n, integer ones certify what cannot be listed."""
    top, many = cpe.TopK(6, 2), cpe.PartitionMatroid([*range(13)] * 2, [1] * 13)
    options = [
        (top, "glop", {"solver": "glop"}),
        (top, "cp-sat", {}),
        (cpe.TopK(6, 1), "glop", {}),
        (SUBSETS["trees"].decisions, "scip", {}),
        (many, "scip", {"solver": "scip"}),
        (many, "glop", {}),
    ]
    for decisions, solver, used in options:
        for criterion in ("G", "XY"):
            assert design_solving(decisions, criterion, solver) == used, (decisions.name, solver)
    with pytest.raises(cpe.InputError, match="solves no program, so solver has no effect"):
        cpe.g_design(cpe.TopK(6, 1), solver="glop")


# Duels of arms


@pytest.fixture
def unequal_costs(monkeypatch):
    """Regrets that are positive and generic, so that the optimum of every program is unique."""
    inner = duel_counts.copeland_regret

    def generic(losses, arms=slice(None)):
        regret = inner(losses)
        weight = np.random.default_rng(0).random(regret.shape)
        weight = weight + weight.T
        regret = regret * (1.0 + 0.3 * weight) + 0.05 * weight * (1.0 - np.eye(len(regret)))
        return regret[arms]

    monkeypatch.setattr(duel_counts, "copeland_regret", generic)


@pytest.mark.parametrize(
    ("instance", "method"),
    [("gap", "cuts"), ("mslr5-cycle", "compact"), ("multisol", "enumerate")],
)
@pytest.mark.parametrize("learner", ["ecw-rmed", "cw-rmed"])
@pytest.mark.usefixtures("unequal_costs")
def test_learners_of_algorithm_1(learner, method, instance):
    mu = cpe.load_instance(instance)
    assert_same(learner, mu, 50, {}, {"method": method, "solver": "highs"})


# Arguments
