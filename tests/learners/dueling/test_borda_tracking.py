"""borda-tracking: its blocks, their proof, and what is said at an early end."""

import math
from typing import ClassVar

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.borda_tracking import BordaTracker
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.pair_tracking import prior_tally
from cpe_opt.learners.exchange import Exchange
from cpe_opt.problems.queries import Duel
from cpe_opt.proofs.dueling.borda import BordaBlocks, borda_evidence
from tests.learners.conformance import DuelLearnerConformance
from tests.learners.dueling.support import batches, tracked


class TestBordaTracking(DuelLearnerConformance):
    learner = "borda-tracking"
    parameters: ClassVar[dict] = {"delta": 0.1}
    at_once: ClassVar[dict] = {"parallel": 4}


def test_votes_that_are_there_count_in_a_proof_of_borda_winners():
    wins = np.array([[0, 400.0, 420], [100, 0, 250], [80, 250, 0]])
    there = Exchange(cpe.learners.borda_tracking, 3, delta=0.1, prior=wins)
    assert (there.finished, there.answer, there.doubt) == (True, 0, "")
    evidence = np.logaddexp(0, borda_evidence(wins)[0, 1:]).min() - math.log(2)
    least = 2 / math.exp(evidence)  # of deltas, for three arms
    for delta, proved in ((1.01 * least, True), (0.99 * least, False)):
        exchange = Exchange(cpe.learners.borda_tracking, 3, delta=delta, prior=wins)
        assert exchange.finished == proved
    # A block adds to it: the evidence of both.
    exchange = Exchange(cpe.learners.borda_tracking, 3, delta=1e-90, prior=wins)
    blocks, won, planned = BordaBlocks(3), np.zeros((3, 3)), np.zeros((3, 3), dtype=int)
    for _ in range(3):
        query = exchange.query
        won[query.i, query.j] = query.times
        planned[query.i, query.j] = planned[query.j, query.i] = query.times
        exchange.tell(query.times)
    blocks.add(won, planned)
    start = np.logaddexp(0, borda_evidence(wins)[0, 1:]) - math.log(2)
    both = blocks.log_e_values()[0, 1:] + start
    exchange.stop()
    assert f"has evidence {both.min() - math.log(2):.3g}, and" in exchange.doubt


def test_an_early_end_of_borda_speaks_of_the_arm_that_it_answers():
    """Blocks prove something of arm 0; in one that is not over it loses all, and arm 1 leads."""
    rates = {(0, 1): 1.0, (0, 2): 0.55, (1, 2): 1.0}
    runs = [Exchange(cpe.learners.borda_tracking, 3, delta=1e-200) for _ in range(2)]
    for _ in range(27):
        for exchange in runs:
            query = exchange.query
            exchange.tell(round(rates[query.i, query.j] * query.times))
    ours, before = runs
    before.stop()
    assert before.answer == 0
    assert "by then it has evidence " in before.doubt
    assert ours.query == Duel(0, 1, ours.query.times)
    ours.tell(0)
    ours.stop()
    assert ours.answer == 1
    assert ours.doubt.endswith("nothing is proved of the answer by then")


def test_blocks_of_borda_are_shared_out_by_the_optimal_exploration_at_prices():
    rng = np.random.default_rng(4)
    wins = np.round(1000 * cpe.load_instance("gap").array)
    np.fill_diagonal(wins, 0)
    prices = np.triu(rng.uniform(1, 9, (5, 5)), 1)
    prices = prices + prices.T
    tracker = BordaTracker(prior_tally(5, wins), prices, 0.1)
    tracker.spent = 1e6
    tracker._evidence = np.full(5, math.log(4 / 0.1) - 1.0)  # one more is missing
    planned = tracker.plan()
    estimate = (wins + 0.5) / (wins + wins.T + 1.0)
    np.fill_diagonal(estimate, 0.5)
    time = cpe.borda_time(cpe.PreferenceMatrix(estimate), prices=prices)
    expected = time.exploration / 3
    upper = np.triu_indices(5, 1)
    assert np.abs(planned[upper] - expected[upper]).max() <= 1.0 + 1e-3 * expected.max()
    assert planned[upper] @ prices[upper] <= time.value / 3 * (1 + 1e-6) + prices[upper].sum()


def test_borda_tracking_answers_by_its_blocks():
    mu, delta = cpe.load_instance("cyclic"), 0.05
    asked, _, exchange = tracked("borda-tracking", mu, 2, delta=delta)
    blocks, size = BordaBlocks(4), 6
    assert len(asked) % size == 0
    proved = []
    for start in range(0, len(asked), size):
        won, planned = np.zeros((4, 4)), np.zeros((4, 4), dtype=int)
        for query, wins in asked[start : start + size]:
            won[query.i, query.j], won[query.j, query.i] = wins, query.times - wins
            planned[query.i, query.j] = planned[query.j, query.i] = query.times
        assert planned.sum() == 2 * sum(query.times for query, _ in asked[start : start + size])
        blocks.add(won, planned)
        proved.append(blocks.log_e_values().min(axis=1).max() >= math.log(3 / delta))
    assert proved == [False] * (len(proved) - 1) + [True]
    assert int(np.argmax(blocks.log_e_values().min(axis=1))) == exchange.answer


def test_borda_tracking_by_the_cone_program_is_the_same_but_for_roundings():
    mu = cpe.load_instance("cyclic")
    steps, cone = (
        cpe.simulate("borda-tracking", mu, delta=0.05, seed=1, **way)
        for way in ({}, {"method": "cone", "solver": "clarabel"})
    )
    assert steps.answer == cone.answer == 0
    assert abs(steps.samples - cone.samples) <= 0.05 * steps.samples
    with pytest.raises(cpe.InputError, match="has no effect with method 'multiplicative'"):
        Exchange(cpe.learners.borda_tracking, 4, delta=0.1, solver="clarabel")


def test_a_block_is_judged_by_all_its_duels(monkeypatch):
    """However many batches it came in."""
    blocks, add = [], BordaBlocks.add

    def watched(self, won, planned):
        blocks.append((won.copy(), planned.copy()))
        add(self, won, planned)

    monkeypatch.setattr(BordaBlocks, "add", watched)
    mu = cpe.load_instance("cyclic")
    asked, wins, exchange = batches("borda-tracking", mu, delta=0.05, parallel=8)
    assert exchange.finished
    assert len(asked) > 2 * len(blocks)
    for won, planned in blocks:
        np.testing.assert_array_equal(won + won.T, planned)
    np.testing.assert_array_equal(sum(won for won, _ in blocks), wins)


def test_a_block_has_as_many_duels_as_may_be_open():
    upper = np.triu_indices(4, 1)
    for least, each in ((1, 1), (6, 1), (7, 2), (12, 2), (50, 9)):
        planned = BordaTracker(DuelTally(4), np.ones((4, 4)), 0.1, least).plan()
        assert planned[upper].tolist() == [each] * 6
        assert (planned == planned.T).all()
