"""matching-tracking: its proof, its plan and its duels."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.matchings.matching_tracking import Candidate, MatchingTracker
from cpe_opt.proofs.blocks import BlockMixture, CommonWeights


def taken_up(matchings, listed, winner, blocks, level):
    """A candidate after blocks of duels: shares that were won, numbers and costs."""
    candidate = Candidate(SubsetOracle(matchings), listed, winner, np.ones(matchings.size))
    candidate.take_up(0.1, level)
    for won, duels, cost in blocks:
        candidate.add(won, duels, cost)
    return candidate


def test_the_blocks_of_a_candidate_are_those_of_the_theorem():
    """In a block of n duels an estimate has the variance 1/4n; its weight is the cost."""
    matchings = cpe.Matchings(cpe.BipartiteGraph.complete(2, 1))
    parts = [(7.0, 10, 10.0), (30.0, 50, 20.0)]
    blocks = [(np.array([0.0, won]), np.array([0, n]), cost) for won, n, cost in parts]
    candidate = taken_up(matchings, matchings.indicator_matrix(), (0,), blocks, 2.0)
    expected = CommonWeights(2, BlockMixture.around(0.1))
    for won, n, cost in parts:
        expected.add(np.array([0.0, won / n - 0.5]), np.array([0.0, 0.25 / n]), cost)
    least = expected.log_e_values(np.array([[0.0, 1.0]]))[0]
    assert candidate.evidence() == pytest.approx(least, abs=1e-3)
    assert candidate.proved() == (least >= 2.0)


@pytest.mark.parametrize("seed", range(5))
def test_the_program_proves_what_the_list_proves(seed):
    rng = np.random.default_rng(seed)
    matchings = cpe.Matchings(cpe.BipartiteGraph.complete(4, 3))
    winner = (0, 5, 10)
    planned = rng.integers(20, 60, 12)
    planned[list(winner)] = 0
    block = (rng.binomial(planned, 0.7).astype(float), planned, float(planned.sum()))
    listed = taken_up(matchings, matchings.indicator_matrix(), winner, [block], 0.0)
    least = listed.evidence()
    for level, proved in ((least - 0.01, True), (least + 1e-4, False)):
        candidate = taken_up(matchings, None, winner, [block], level)
        candidate._know([(1, 6, 11)])
        assert candidate.evidence() > least + 1.0
        assert candidate.proved() == proved
        assert (candidate.evidence() < level) != proved


def test_the_plan_is_the_optimal_exploration():
    """With many duels at the truth, at the prices of duels."""
    duels = cpe.planted_condorcet(4, 3, gap=0.06, seed=4)
    graph = duels.graph
    prices = np.random.default_rng(1).uniform(0.5, 2.0, (graph.size, graph.size))
    prices = prices + prices.T
    time = cpe.matching_time(duels, prices=prices)
    met = np.array(time.matching)[graph.position]
    every = np.arange(graph.size)
    matchings = cpe.Matchings(graph)
    listed, of_duels = matchings.indicator_matrix(), prices[met, every]
    candidate = Candidate(SubsetOracle(matchings), listed, time.matching, of_duels)
    draws = np.full(graph.size, 1e9)
    plan = candidate.explore(duels.array[met, every] * draws, draws)
    assert plan.time == pytest.approx(time.value, rel=1e-3)
    expected = time.exploration[met, every] / time.value
    assert plan.shares == pytest.approx(expected, rel=0.05, abs=1e-3)
    assert plan.likelihood_ratio == pytest.approx(
        2e9
        * min(
            sum(duels.array[x, y] - 0.5 for x, y in zip(time.matching, other, strict=True)) ** 2
            / sum(x != y for x, y in zip(time.matching, other, strict=True))
            for other in graph.matchings()
            if other != time.matching
        ),
        rel=1e-3,
    )


def test_votes_that_are_there_are_in_the_estimates_alone():
    duels = cpe.planted_condorcet(3, 2, gap=0.1, seed=1)
    winner = cpe.condorcet_winner(duels)
    prior = np.rint(1000 * duels.array)
    tracker = MatchingTracker(duels.graph, 0.1, np.ones((6, 6)), prior=prior)
    assert tracker.guess() == winner
    others = np.delete(np.arange(6), winner)
    assert not tracker.plan()[np.ix_(others, others)].any()
    assert tracker.proved() is None
    for bad in (np.ones((2, 2)), -prior):
        with pytest.raises(cpe.InputError, match="prior: expected 6 × 6 numbers of wins"):
            Exchange(cpe.learners.matching_tracking, duels.graph, prior=bad)


def test_it_ends_with_the_first_block_that_proves_its_answer():
    duels = cpe.planted_condorcet(3, 2, gap=0.2, seed=1)
    rng = np.random.default_rng(4)
    exchange = Exchange(cpe.learners.matching_tracking, duels.graph, delta=0.2)
    tracker = MatchingTracker(duels.graph, 0.2, np.ones((6, 6)))
    while tracker.proved() is None:
        for (query,) in tracker.block():
            assert exchange.query == query
            won = int(rng.binomial(query.times, duels.array[query.i, query.j]))
            tracker.count(query, won)
            exchange.tell(won)
    assert exchange.finished
    assert exchange.answer == tracker.best


def test_an_early_end_says_what_is_proved_by_then():
    duels = cpe.planted_condorcet(3, 2, gap=0.2, seed=1)
    last = cpe.simulate("matching-tracking", duels, seed=1, delta=1e-6)
    assert last.proved
    early = cpe.simulate("matching-tracking", duels, seed=1, delta=1e-6, horizon=last.rounds - 100)
    assert not early.proved
    assert early.answer == last.answer
    assert "by then it has evidence " in early.doubt


def test_known_rivals_alone_prove_nothing_where_there_are_others():
    matchings = cpe.Matchings(cpe.BipartiteGraph.complete(3, 1))
    block = (np.array([0.0, 180.0, 110.0]), np.array([0, 200, 200]), 400.0)
    candidate = taken_up(matchings, None, (0,), [block], 3.0)
    candidate._know([(1,)])
    least = candidate.blocks.log_e_values(np.eye(3)[1:])
    assert least[0] > 3.0 > least[1]
    assert candidate.evidence() == least[0]
    assert not candidate.proved()
    assert candidate.evidence() == least[1]
