"""What all learners of sets do alike: oracles, designs and classes of one's own, single sets."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.registry import get_learner, learners_of
from tests.learners.subsets.support import TREES
from tests.support import all_of

NEEDED = {"eb-tc": {"delta": 0.1}, "saqm": {"growth": 1.1}, "subset-tracking": {"delta": 0.1}}
OF_CLASSES = sorted(set(learners_of("subsets")) - {"score-tracking"})  # that is for test sets
OF_TOP_K = ("eb-tc", "sa-foa")
BY_ORACLES = ("clucb", "comb-game", "fws", "poly-alba", "subset-tracking")


class Pairs(cpe.DecisionClass):
    """A class that is given by its list alone."""

    def sets(self):
        return iter([(0, 1), (2, 3), (0, 3)])


@all_of("name", sorted(set(OF_CLASSES) - {*OF_TOP_K}))
def test_a_class_of_ones_own_is_searched(name):
    bandit = cpe.SubsetBandit(Pairs(4), [9.0, 1.0, 2.0, 3.0], noise=0.5)
    trace = cpe.simulate(name, bandit, noise=0.5, seed=0, **NEEDED.get(name, {}))
    assert (trace.answer, trace.proved) == ((0, 3), True)


@all_of("name", OF_CLASSES)
def test_what_is_no_class_and_a_class_that_it_is_not_for_are_refused(name):
    with pytest.raises(cpe.InputError, match="decisions is 3, expected a DecisionClass"):
        Exchange(get_learner(name), 3, 0, **NEEDED.get(name, {}))
    if name in OF_TOP_K:
        with pytest.raises(cpe.InputError, match=f"{name} is for k of n, not for trees"):
            Exchange(get_learner(name), TREES, 0, **NEEDED.get(name, {}))


@all_of("name", OF_CLASSES)
def test_a_single_set_is_the_answer(name):
    """A pull an element of learners of single rewards, which know nothing of the class."""
    bandit = cpe.SubsetBandit(cpe.TopK(3, 3), np.ones(3), noise=0.5)
    trace = cpe.simulate(name, bandit, seed=0, **NEEDED.get(name, {}))
    assert (trace.answer, trace.proved) == ((0, 1, 2), True)
    assert trace.samples == 0 or name != "subset-tracking"
    assert trace.samples <= 3


@all_of("name", BY_ORACLES)
def test_oracles_agree(name):
    bandit = cpe.SubsetBandit(TREES, [1.8, 0.2, 1.8, 0.2, 1.0], noise=0.1, name="trees")
    told = {"noise": 0.1, "delta": 0.2, "seed": 1}
    traces = [
        cpe.simulate(name, bandit, **told, **way)
        for way in ({}, {"method": "program", "solver": "highs"})
    ]
    assert len({(trace.answer, trace.samples) for trace in traces}) == 1
    assert traces[0].proved
