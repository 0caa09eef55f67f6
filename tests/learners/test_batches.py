"""Which queries learners ask at once: as many as no answer can change."""

import numpy as np
import pytest

import cpe_opt as cpe
from tests.learners.support import asking_singly

SUSHI = cpe.load_instance("sushi")
MATCHINGS = cpe.planted_condorcet(4, 2, gap=0.2, seed=3)
COINS = cpe.SeparableProblem(
    cpe.BestSet(cpe.TopK(4, 2)), [cpe.Bernoulli(chance) for chance in (0.9, 0.6, 0.4, 0.2)]
)
SETS = cpe.planted_subsets(6, 3, gap=0.5, noise=0.1, seed=1)
RUNS = [
    ("savage", SUSHI, {"delta": 0.1}),
    ("savage", SUSHI, {"delta": 0.1, "target": "condorcet"}),
    ("pbr", SUSHI, {"delta": 0.1, "max_duels": 200}),
    ("rankel", cpe.load_instance("cyclic"), {"delta": 0.1, "rho": 1.0}),
    ("ecw-rmed", SUSHI, {}),
    ("cw-rmed", cpe.load_instance("gap"), {}),
    ("rmed1", SUSHI, {}),
    ("car-cond", MATCHINGS, {"delta": 0.1}),
    ("car-verify", MATCHINGS, {}),
    ("car-parallel", MATCHINGS, {}),
    ("clucb", SETS, {"noise": 0.1}),
    ("coci", COINS, {"delta": 0.1}),
    ("coci-uniform", COINS, {"delta": 0.1}),
]


@pytest.mark.parametrize(("name", "problem", "parameters"), RUNS)
def test_the_order_of_answers_is_that_of_single_queries(name, problem, parameters):
    """The simulator's numbers fall on the same duels, asked at once or singly."""
    horizon = 100
    learner = cpe.learners.get_learner(name)
    at_once, singly = (
        cpe.simulate(each, problem, horizon=horizon, seed=4, **parameters)
        for each in (learner, asking_singly(learner))
    )
    assert (at_once.answer, at_once.doubt) == (singly.answer, singly.doubt)
    for each in ("rounds", "queries", "time", "regret", "draws"):
        np.testing.assert_array_equal(getattr(at_once, each), getattr(singly, each))
