"""CLUCB-Borda, PAC and exact: its reference, and samplers with a bias."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import AT_MAX_SAMPLES
from cpe_opt.learners.matchings.clucb_borda import ExactSampler
from tests.learners.matchings.reference_matchings import reference_borda_exact, reference_borda_pac
from tests.learners.matchings.support import (
    PATH,
    THREE,
    TWO,
    MatchingOutcomes,
    chances,
    chooser,
    enumerated,
    plain,
    played,
)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("graph", [THREE, PATH], ids=["three", "path"])
def test_borda_pac_duels_what_the_reference_duels(graph, seed):
    array, epsilon = chances(graph, 0.4), 0.3
    sampler = ExactSampler(graph, np.random.default_rng(seed))
    reference = reference_borda_pac(
        enumerated(graph), sampler.opponent, chooser(graph), epsilon, delta=0.1
    )
    expected = plain(reference, MatchingOutcomes(array, seed))
    learner = cpe.learners.clucb_borda_pac(
        graph, rng=np.random.default_rng(seed), margin=epsilon, delta=0.1
    )
    assert played(learner, MatchingOutcomes(array, seed)) == expected
    assert len(expected[0]) > 100


def test_borda_exact_duels_what_the_reference_duels():
    """Over several epochs: the last one has statistics of its own, and a smaller delta."""
    graph, array = TWO, chances(TWO)
    sampler = ExactSampler(graph, np.random.default_rng(5))
    reference = reference_borda_exact(
        enumerated(graph), sampler.opponent, chooser(graph), delta=0.1
    )
    expected = plain(reference, MatchingOutcomes(array, 5))
    learner = cpe.learners.clucb_borda_exact(graph, rng=np.random.default_rng(5), delta=0.1)
    assert played(learner, MatchingOutcomes(array, 5)) == expected
    assert len(expected[0]) > 300


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clucb-borda-pac", "clucb-borda-exact"])
def test_a_sampler_whose_bias_is_not_known_proves_nothing(name):
    duels = cpe.planted_condorcet(2, 1, gap=0.4, seed=0)
    accuracy = {"margin": 0.5} if name.endswith("pac") else {}
    for sampler, doubt in (
        ("exact", ""),
        ("mcmc", "the bias of the sampler 'mcmc' is aimed at, not proved"),
    ):
        trace = cpe.simulate(name, duels, seed=0, sampler=sampler, **accuracy)
        assert (trace.answer, trace.doubt, trace.proved) == ((0,), doubt, not doubt)
        stopped = cpe.simulate(name, duels, seed=0, sampler=sampler, max_samples=1, **accuracy)
        assert stopped.doubt == "; ".join(filter(None, (AT_MAX_SAMPLES, doubt)))
