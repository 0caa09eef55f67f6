"""Random matchings: how near to uniform."""

import numpy as np
import pytest
from scipy.stats import chisquare

import cpe_opt as cpe
from cpe_opt.learners.matchings.clucb_borda import ExactSampler, McmcSampler, _Chain
from tests.support import random_graph

# Complete, padded, sparse, a cycle with two matchings only, a near-diagonal band.
GRAPHS = {
    "figure1": cpe.load_instance("figure1").graph,
    "complete": cpe.BipartiteGraph.complete(4, 3),
    "sparse": random_graph(np.random.default_rng(12), most=6, density=0.4),
    "cycle": cpe.BipartiteGraph(4, 4, [(i, j) for j in range(4) for i in (j, (j + 1) % 4)]),
    "band": cpe.BipartiteGraph(6, 5, [(0, 4), *((i, j) for j in range(5) for i in (j, j + 1))]),
}


def counts_of(draw, every, samples):
    counts = dict.fromkeys(every, 0)
    for _ in range(samples):
        counts[draw()] += 1
    return np.array(list(counts.values()))


@pytest.mark.parametrize("name", GRAPHS)
def test_the_exact_sampler_is_uniform(name):
    """Chi-square at level 0.001, for matchings and for the edges at each position."""
    graph = GRAPHS[name]
    every = list(graph.matchings())
    sampler = ExactSampler(graph, np.random.default_rng(1))
    if len(every) > 1:
        assert chisquare(counts_of(sampler.matching, every, 1500)).pvalue > 0.001
    for position in range(graph.positions):
        edges = graph.edges_at[position].tolist()
        share = np.array([sum(edge in m for m in every) for edge in edges]) / len(every)
        counts = counts_of(lambda p=position: sampler.opponent(p), edges, 1500)
        assert (counts[share == 0] == 0).all()
        if (share > 0).sum() > 1:
            possible = share > 0
            assert chisquare(counts[possible], 1500 * share[possible]).pvalue > 0.001


@pytest.mark.slow
@pytest.mark.parametrize("name", GRAPHS)
def test_the_chain_is_within_its_bias(name):
    """Total variation, less what sampling alone gives on average: at most eta (error 0.001)."""
    graph, eta, samples = GRAPHS[name], 0.05, 1000
    every = list(graph.matchings())
    sampler = McmcSampler(graph, np.random.default_rng(2), eta=eta)
    share = counts_of(sampler.matching, every, samples) / samples
    distance = np.abs(share - 1 / len(every)).sum() / 2
    # Sampling alone: E|p̂ - p| <= sqrt(p/n) for each matching; McDiarmid gives the tail.
    noise = np.sqrt(len(every) / samples) / 2 + np.sqrt(np.log(1000) / (2 * samples))
    assert distance <= eta + noise
    assert sampler.eta == eta


def test_steps_of_the_chain_are_in_balance():
    """With weight w of all holes a matching is opened with min(1, w), closed with min(1, 1/w)/n."""
    rng, n, runs = np.random.default_rng(0), 3, 30
    for weight, opened, closed in ((4.0, 1.0, 1 / 4), (0.25, 1 / 4, 1.0)):
        holes = perfect = chains = 0
        for _ in range(runs):
            chain = _Chain(n, rng)
            chain.weight[:] = weight
            every = len(chain.perfect)
            chain._step()
            holes += every - len(chain.perfect)
            chain._open(chain.perfect)
            waiting = np.flatnonzero(chain.free_position >= 0)
            chain._move(waiting)
            chains += len(waiting)
            perfect += int((chain.free_position[waiting] < 0).sum())
        for count, of, share in ((holes, runs * every, opened), (perfect, chains, closed / n)):
            assert abs(count - of * share) <= 5 * np.sqrt(of * share * (1 - share))
