"""matching-tracking: its proof, its plan and its duels."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets import alternatives
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.matchings import matching_tracking as matching_plan
from cpe_opt.learners.matchings.matching_tracking import MatchingTracker, RivalPool
from cpe_opt.proofs.matchings.blocks import (
    MatchingBlocks,
    NeededSums,
    block_certificate,
    log_weight,
)
from cpe_opt.proofs.subsets.optimistic_gap import SetPool


def test_e_values_are_those_of_the_definition():
    """One edge: the mixture of stakes of all blocks, whatever their scales."""
    proof = MatchingBlocks(2, 0.25)
    blocks = [(7.0, 10, 10.0), (30.0, 50, 50.0), (3.0, 4, 8.0)]
    for won, duels, scale in blocks:
        proof.add(np.array([0.0, won]), np.array([0, duels]), scale)
    s = sum(c * (w / n - 0.5) for w, n, c in blocks)
    v = sum(c * c / (4 * n) for w, n, c in blocks)
    steps = np.arange(-60, 61)
    weights = 1 / (1 + (steps / 5) ** 2)
    rho = 0.25 * 1.2**steps
    expected = math.log((weights / weights.sum() * np.exp(rho * s - rho**2 * v / 2)).sum())
    found = proof.log_e_values(np.array([[0.0, 1.0], [0.0, 0.0]]))
    assert found == pytest.approx([expected, 0.0], abs=1e-5)
    assert found[0] <= expected
    places = np.array([v, 1.01 * v])
    height, (_, slope) = proof.mixture.least_sums(places, 3.0), proof.mixture.tangents(places, 3.0)
    assert proof.mixture.log_values(height, places) == pytest.approx([3.0, 3.0])
    assert slope[0] == pytest.approx((height[1] - height[0]) / (0.01 * v), rel=0.05)


def test_the_mean_of_an_e_value_is_at_most_one():
    """Two edges whose leads cancel; the second block is planned by the first."""
    rng = np.random.default_rng(5)
    values = []
    for _ in range(1500):
        proof = MatchingBlocks(3, 1.0)
        won = rng.binomial([0, 4, 2], [0.5, 0.8, 0.2])
        proof.add(won.astype(float), np.array([0, 4, 2]), 3.0)
        more = np.array([0, 1, 9]) if won[1] == 4 else np.array([0, 6, 1])
        proof.add(rng.binomial(more, [0.5, 0.8, 0.2]).astype(float), more, 2.0 + won[2])
        values.append(math.exp(proof.log_e_values(np.array([[0.0, 1.0, 1.0]]))[0]))
    assert np.mean(values) <= 1.0 + 4 * np.std(values) / math.sqrt(len(values))


def test_weights_of_the_matchings_taken_up_add_up_to_one():
    total = sum(math.exp(log_weight(number)) for number in range(1, 100_000))
    assert 0.9999 < total < 1.0


@pytest.mark.parametrize("seed", range(5))
def test_the_program_proves_what_the_list_proves(seed):
    rng = np.random.default_rng(seed)
    matchings = cpe.Matchings(cpe.BipartiteGraph.complete(4, 3))
    winner = (0, 5, 10)
    proof = MatchingBlocks(12, 0.1)
    planned = rng.integers(20, 60, 12)
    planned[list(winner)] = 0
    proof.add(rng.binomial(planned, 0.7).astype(float), planned, float(planned.sum()))
    rows = matchings.indicator_matrix()
    rows[:, list(winner)] = 0.0
    least = proof.log_e_values(rows[rows.any(axis=1)]).min()
    oracle, found = SubsetOracle(matchings), SetPool(matchings)
    assert block_certificate(oracle, found, winner, proof, least - 0.01).proved
    beyond = block_certificate(oracle, found, winner, proof, least + 1e-4)
    assert not beyond.proved
    row = np.zeros((1, 12))
    row[0, [edge for edge in beyond.rival if edge not in winner]] = 1.0
    assert proof.log_e_values(row)[0] < least + 1e-4


@pytest.mark.parametrize("level", [0.5, 3.0, 40.0])
def test_lines_are_nowhere_below_the_sums_that_are_needed(level):
    proof = MatchingBlocks(3, 0.2)
    needed = NeededSums(proof, level)
    places = np.geomspace(0.1, 1e5, 30)
    constants, slopes = needed.lines(places)
    heights = constants[:, None] + slopes * places
    # The lines at all places, and each at its own.
    assert (
        proof.mixture.log_values(heights, np.broadcast_to(places, heights.shape)) >= level
    ).all()
    assert proof.mixture.log_values(np.diag(heights), places) == pytest.approx(level, abs=1e-5)
    assert (needed.radii(places[:, None]) <= heights.min(axis=0) * (1 + 1e-8)).all()


def test_graphs_with_too_many_matchings_are_proved_by_the_program(monkeypatch):
    duels = cpe.planted_condorcet(4, 3, gap=0.12, seed=1)
    listed = cpe.simulate("matching-tracking", duels, seed=1)
    monkeypatch.setattr(matching_plan, "MOST_ALTERNATIVES", 1)
    found = cpe.simulate("matching-tracking", duels, seed=1)
    assert found.proved
    assert found.answer == listed.answer == cpe.condorcet_winner(duels)
    assert found.rounds < 1.6 * listed.rounds
    cut = cpe.simulate("matching-tracking", duels, seed=1, horizon=200)
    assert not cut.proved
    assert alternatives.MOST_ALTERNATIVES > 1


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
    rivals = RivalPool(matchings, matchings.indicator_matrix(), time.matching, prices[met, every])
    draws = np.full(graph.size, 1e9)
    plan = rivals.explore(duels.array[met, every] * draws, draws)
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
    duels = cpe.planted_condorcet(3, 2, gap=0.1, seed=1)
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
    duels = cpe.planted_condorcet(3, 2, gap=0.1, seed=1)
    last = cpe.simulate("matching-tracking", duels, seed=1, delta=1e-6)
    assert last.proved
    early = cpe.simulate("matching-tracking", duels, seed=1, delta=1e-6, horizon=last.rounds - 100)
    assert not early.proved
    assert early.answer == last.answer
    assert "by then it has evidence " in early.doubt


def test_known_rivals_alone_prove_nothing_where_there_are_others():
    matchings = cpe.Matchings(cpe.BipartiteGraph.complete(3, 1))
    rivals = RivalPool(matchings, None, (0,), np.ones(3))
    proof = MatchingBlocks(3, 0.1)
    proof.add(np.array([0.0, 180.0, 110.0]), np.array([0, 200, 200]), 400.0)
    rivals._take(np.array([[0.0, 1.0, 0.0]]))
    least = proof.log_e_values(np.eye(3)[1:])
    assert least[0] > 3.0 > least[1]
    assert rivals.evidence(proof) == least[0]
    assert not rivals.proves(proof, 3.0)
    assert rivals.evidence(proof) == least[1]
