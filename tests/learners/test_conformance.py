"""Every learner of the registry is held to the public suite, and refuses what it cannot use."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.declaration import declaration_of, parameters_of
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.registry import LEARNERS, get_learner, learner_entry, learners_of
from cpe_opt.problems.queries import Window, single_queries
from cpe_opt.testing import LearnerConformance, standard_problems
from cpe_opt.testing.learners import observe
from tests.support import all_of

PARAMETERS = {
    "active-ranking": {"delta": 0.1},
    "borda-budget": {"budget": 250},
    "borda-tracking": {"delta": 0.1},
    "clucb-borda-pac": {"margin": 0.3},
    "condorcet-tracking": {"delta": 0.1},
    "copeland-budget": {"budget": 250},
    "copeland-identification": {"delta": 0.1},
    "copeland-tracking": {"delta": 0.1},
    "eb-tc": {"delta": 0.1},
    "exhaustive": {"growth": 1.1},
    "icb": {"growth": 1.1},
    "matching-tracking": {"delta": 0.1},
    "noisy-tournament": {"h": 0.1},
    "pbr": {"max_duels": 1000},
    "score-tracking": {"delta": 0.2},
    "sequential-test": {"low": 0.5, "high": 0.6},
    "sa-foa": {"approximation_ratio": 0.9, "growth": 1.1},
    "saqm": {"growth": 1.1},
    "subset-tracking": {"delta": 0.1},
}
# How many rounds are played: fewer where every round solves a program.
HORIZONS = {
    **dict.fromkeys(("copeland-tracking", "cw-rmed", "regret-tracking"), 25),
    **dict.fromkeys(("clucb", "comb-game", "eb-tc", "fws"), 25),
    **dict.fromkeys(("car-cond", "car-verify", "car-parallel", "matching-tracking"), 25),
}
# What an exchange needs of the problem, next to what is known of it.
NEEDED = {"score-tracking": {"cells": 500}}
QUICK = (
    "gap", "tied", "uneven", "figure1", "one matching", "one set", "uneven scores", "hinted",
    "best", "water",
)  # fmt: skip
# Those that may stop without an answer, as where there is no Condorcet winner.
MAY_ABSTAIN = ("car-cond", "car-verify", "noisy-tournament")
PARALLEL = (
    "borda-tracking", "condorcet-tracking", "copeland-tracking", "matching-tracking",
    "score-tracking", "sequential-test", "subset-tracking",
)  # fmt: skip


def suite(name, quick=True):
    """The public suite for this learner; the quick one on few problems."""

    rounds = HORIZONS.get(name, 200)

    class Suite(LearnerConformance):
        learner = name
        parameters = PARAMETERS.get(name, {})
        horizon = min(24, rounds * 10 // 25) if quick else rounds
        may_abstain = name in MAY_ABSTAIN

    every = Suite().cases()
    few = [each for each in every if each.name in QUICK]  # none for learners of two arms
    Suite.problems = few if quick and few else every
    return Suite()


@pytest.mark.parametrize("quick", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_keeps_the_rules_of_the_public_suite(name, quick):
    for check in vars(LearnerConformance):
        if check.startswith("test_"):
            getattr(suite(name, quick), check)()


@all_of("name", [name for name in LEARNERS if declaration_of(get_learner(name)).batches])
def test_batches_are_asked_where_they_are_declared(name):
    """Where they are not, the public suite refuses them."""
    tried = suite(name)
    assert any(asks_a_batch(tried, problem, name) for problem in tried.cases())


def asks_a_batch(tried, problem, name):
    """Whether it does within the horizon."""
    told = {"parallel": 4} if name in PARALLEL else {}
    environment, rounds = problem.environment(np.random.default_rng(8)), 0
    exchange = tried.face(problem, 8, **told)
    while rounds < tried.horizon and not exchange.finished:
        if isinstance(exchange.query, (cpe.Batch, Window)):
            asked = sum(each.times for each in exchange.query.queries)
            assert asked >= told.get("parallel", 2)
            return True
        rounds += exchange.query.rounds
        exchange.tell(observe(environment, exchange.query))
    return False


# The second of four arms, edges or elements is the best, and that is all that is ever observed.
BEST_OF_FOUR = {
    "dueling": (4, 1),
    "matchings": (cpe.BipartiteGraph.complete(4, 1), (1,)),
    "subsets": (cpe.TopK(4, 1), (1,)),
    "separable": (cpe.BestSet(cpe.TopK(4, 1)), (0.0, 1.0, 0.0, 0.0)),
}


def best_of_four(query):
    """The observation of a query; of two others the first wins."""
    if isinstance(query, cpe.Duel):
        return query.times * (query.i == 1 or (query.j != 1 and query.i < query.j))
    if isinstance(query, cpe.Pull):
        return np.full(query.times, float(query.arm == 1))
    shown = np.array([1 in members for members in query.sets])
    return shown * np.array(query.times, dtype=float)


@all_of("name", sorted(set(LEARNERS) - {"scb", "sequential-test", "versatile-db"}))
def test_cut_off_it_names_what_was_best_whatever_it_asked(name):
    told, rounds, queries = PARAMETERS.get(name, {}) | NEEDED.get(name, {}), 0, 0
    known, best = BEST_OF_FOUR[declaration_of(get_learner(name)).family]
    exchange = Exchange(get_learner(name), known, 1, horizon=10**6, **told)
    while (rounds < 60 or queries < 6) and not exchange.finished:
        rounds, queries = rounds + exchange.query.rounds, queries + 1
        seen = [best_of_four(each) for each in single_queries(exchange.query)]
        exchange.tell(seen if isinstance(exchange.query, cpe.Batch) else seen[0])
    exchange.stop()
    answer = exchange.answer
    whole_order = name == "rankel"
    assert (answer[0] if whole_order else answer) == best


# Arguments

KNOWN = {
    "dueling": 3,
    "matchings": cpe.BipartiteGraph.complete(2, 1),
    "subsets": cpe.TopK(4, 2),
    "separable": cpe.BestSet(cpe.TopK(3, 1)),
}
# Of every parameter of this name, whoever's: what is below or beyond its range.
OUTSIDE = {
    "alpha": [-1.0],
    "anchors": [0],
    "batch_size": [1],
    "beta": [-0.1],
    "budget": [0],
    "delta": [0.0, 1.5],
    "exploration": [0.0],
    "f": [-1],
    "growth": [1.0],
    "h": [0.0, 0.5],
    "margin": [-1.0],
    "max_duels": [0],
    "memory": [0],
    "noise": [0.0],
    "offset": [0.0],
    "pairs": [0],
    "parallel": [0, 2.5],
    "rho": [-1],
    "rounding": [0.0, 1.5],
    "share": [1.0],
    "sigma": [0.0],
    "times": [0],
    "unit": [0.0],
    "weight": [-1.0],
}


def refusal(name, told):
    """The sentence with which a learner refuses its arguments."""
    declared = declaration_of(get_learner(name))
    known = 2 if declared.shares else KNOWN[declared.family]
    told = {**NEEDED.get(name, {}), **told}
    with pytest.raises(cpe.CpeOptError) as refused:
        Exchange(get_learner(name), known, 0, horizon=9, **{**PARAMETERS.get(name, {}), **told})
    return str(refused.value)


@all_of(
    ("name", "parameter", "value"),
    [
        (name, parameter.name, value)
        for name in LEARNERS
        for parameter in learner_entry(name).parameters
        for value in OUTSIDE.get(parameter.name, ())
        if (name, parameter.name) != ("sa-foa", "anchors")
    ],
)
def test_numbers_out_of_range_are_refused(name, parameter, value):
    assert f"{parameter} is {value}, " in refusal(name, {parameter: value})


@all_of(
    ("name", "parameter"),
    [
        (name, parameter.name)
        for name in LEARNERS
        for parameter in learner_entry(name).parameters
        if parameter.type.startswith('"') or parameter.name in ("design", "method")
        if parameter.name != "approximation_ratio"
    ],
)
def test_choices_that_there_are_not_are_refused(name, parameter):
    assert "'magic'" in refusal(name, {parameter: "magic"})


@all_of("name", [name for name in LEARNERS if "solver" in parameters_of(get_learner(name))])
def test_a_solver_that_there_is_not_is_refused_where_it_has_an_effect_and_where_not(name):
    if not name.startswith("car-"):  # they look for it when they solve their first program
        said = refusal(name, {"solver": "magic"})
        assert "'magic'" in said or "solver has no effect" in said


@all_of(
    ("name", "told", "message"),
    [
        ("active-ranking", {"top": 3}, "top is 3, expected"),
        ("borda-tracking", {"top": 3}, "top is 3, expected a whole number, at least 1, at most 2"),
        ("borda-tracking", {"margin": 1.0}, "margin is 1.0, "),
        ("borda-tracking", {"top": 2, "cells": 9 - 9 * np.eye(3, dtype=int)}, "expected 1: on the"),
        ("rucb", {"alpha": 0.5}, "alpha is 0.5, expected a finite number above 0.5"),
        ("copeland-tracking", {"margin": 0.5}, "expected a number from 0 to below 0.5"),
        (
            "copeland-tracking",
            {"cells": 1 - np.eye(3, dtype=int), "prior": np.zeros((3, 3))},
            "votes do not say which cells they answer",
        ),
        ("car-cond", {"method": "subgradient", "solver": "highs"}, "no effect"),
        (
            "car-parallel",
            {"delta": 0.01},
            "expected a number, at least 1e-306, below 0.01",
        ),
        ("car-verify", {"delta": 0.05}, "expected a number, at least 1e-306, below 0.01"),
        ("clucb-borda-pac", {"margin": 0}, "margin is 0, "),
        ("sa-foa", {"maximiser": "swap", "approximation_ratio": "certified"}, "has no effect"),
        ("sa-foa", {"anchors": 2, "approximation_ratio": "certified"}, "has no effect"),
        ("sa-foa", {"approximation_ratio": "theorem"}, "no theorem on the ratio of sa-foa"),
        ("saqm", {"approximation_ratio": "theorem"}, "is that of the maximiser 'peeling'"),
        ("saqm", {"approximation_ratio": 1.2}, "above 0, at most 1"),
        ("saqm", {"maximiser": "ascent"}, "'ascent', which has no effect"),
        ("saqm", {"method": "assignment"}, "is for matchings, not for"),
        ("subset-tracking", {"feedback": "sums", "prices": 2.0}, "no effect with feedback 'sums'"),
        ("subset-tracking", {"prices": [1.0, -1.0, 1.0, 1.0]}, "prices"),
        ("subset-tracking", {"planned": True}, "planned: has no effect without prior"),
    ],
)
def test_what_has_no_meaning_or_no_effect_is_refused(name, told, message):
    assert message in refusal(name, told)


@all_of("name", learners_of("dueling"))
def test_a_single_arm_is_refused(name):
    with pytest.raises(cpe.InputError, match="arms is 1, expected a whole number, at least 2"):
        Exchange(get_learner(name), 1, 0, horizon=9, **PARAMETERS.get(name, {}))


def test_what_is_needed_is_asked_for():
    for name, message in (
        ("noisy-tournament", "noisy_tournament needs the parameter 'h'"),
        ("clucb-borda-pac", "clucb_borda_pac needs the parameter 'margin'"),
        ("pbr", "pbr needs max_duels"),
        ("rmed2fh", "rmed2fh needs a horizon"),
    ):
        problem = standard_problems(learner_entry(name).declaration.family)[0]
        with pytest.raises(cpe.InputError, match=message):
            cpe.simulate(name, problem)
