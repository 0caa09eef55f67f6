"""borda-tracking: its blocks, their proof, and cells of a test set."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.borda_tracking import BordaTracker
from cpe_opt.learners.dueling.prior_votes import prior_tally
from cpe_opt.learners.exchange import Exchange
from cpe_opt.proofs.dueling.borda import BordaBlocks, borda_evidence
from tests.learners.dueling.support import batches


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


@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_a_set_is_answered_once_all_its_arms_are_ahead_of_all_others(margin):
    """At the evidence of its weakest pair, against the number of nulls of the theorem."""
    wins = 30.0 * (6.0 + np.arange(6)[::-1][:, None] - np.arange(6)[::-1])
    np.fill_diagonal(wins, 0.0)
    evidence = np.logaddexp(0, borda_evidence(wins, margin)[:2, 2:]).min() - math.log(2)
    nulls = 2 * 4 if margin else 5
    for factor, proved in ((1.01, True), (0.99, False)):
        delta = factor * nulls / math.exp(evidence)
        exchange = Exchange(
            cpe.learners.borda_tracking, 6, delta=delta, prior=wins, top=2, margin=margin
        )
        assert exchange.finished == proved
        exchange.stop()
        assert exchange.answer == (0, 1)


def test_blocks_of_borda_are_shared_out_by_the_optimal_exploration_at_prices():
    rng = np.random.default_rng(4)
    wins = np.round(1000 * cpe.load_instance("gap").array)
    np.fill_diagonal(wins, 0)
    prices = np.triu(rng.uniform(1, 9, (5, 5)), 1)
    prices = prices + prices.T
    tracker = BordaTracker(prior_tally(5, wins), prices, 0.1)
    tracker.spent = 1e6
    tracker._log_e = np.full((5, 5), math.log(4 / 0.1) - 1.0)  # one more is missing
    planned = tracker.plan()
    estimate = (wins + 0.5) / (wins + wins.T + 1.0)
    np.fill_diagonal(estimate, 0.5)
    time = cpe.borda_time(cpe.PreferenceMatrix(estimate), prices=prices)
    expected = time.exploration / 3
    upper = np.triu_indices(5, 1)
    assert np.abs(planned[upper] - expected[upper]).max() <= 1.0 + 1e-3 * expected.max()
    assert planned[upper] @ prices[upper] <= time.value / 3 * (1 + 1e-6) + prices[upper].sum()


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


def test_cells_that_are_answered_before_count_and_several_may_be_open():
    outcomes = np.random.default_rng(1).choice([0.0, 0.5, 1.0], (4, 4, 80), p=[0.2, 0.2, 0.6])
    outcomes[np.tril_indices(4)] = np.nan
    duels = cpe.ItemDuels(outcomes)
    cells, known = duels.cells.copy(), np.zeros((4, 4))
    for i in range(4):
        for j in range(i + 1, 4):
            first = duels.pair(i, j)[:70]
            cells[i, j] = cells[j, i] = cells[i, j] - 70
            known[i, j], known[j, i] = sum(first), 70 - sum(first)
    run = {"delta": 0.05, "cells": cells, "answered": known}
    exchange = Exchange(cpe.learners.borda_tracking, 4, rng=0, parallel=7, **run)
    left = {(i, j): duels.pair(i, j)[70:] for i in range(4) for j in range(i + 1, 4)}
    asked = 0
    while not exchange.finished:
        queries = exchange.query.queries if hasattr(exchange.query, "queries") else [exchange.query]
        assert len(queries) == min(7, sum(map(len, left.values())))
        exchange.tell([left[each.i, each.j].pop() for each in queries])
        asked += len(queries)
    assert exchange.answer in duels.borda_winners
    assert asked <= np.triu(cells).sum()
    for other in ({"prior": np.ones((4, 4))}, {"prices": 2.0}):
        with pytest.raises(cpe.InputError, match="have no effect with cells"):
            Exchange(cpe.learners.borda_tracking, 4, **run, **other)


def test_the_evidence_with_a_margin_is_that_of_scores_moved_by_it():
    wins = np.array([[0, 40.0, 42], [60, 0, 45], [58, 55, 0]])
    planned = np.full((3, 3), 100) - 100 * np.eye(3, dtype=int)
    plain, wide = BordaBlocks(3), BordaBlocks(3, 0.2)
    plain.add(wins, planned)
    wide.add(wins, planned)
    apart = ~np.eye(3, dtype=bool)
    scores = wins.sum(axis=1) / 200
    variance = 1.0 / plain.information
    np.testing.assert_allclose(
        wide.sums[apart], ((scores[:, None] - scores + 0.2) / variance)[apart], rtol=1e-9
    )
    np.testing.assert_array_equal(wide.information, plain.information)
    # The votes of three pairs, each moved so that the lead is larger by the margin: 2 * 0.05.
    moved = wins + 2.5 * np.array([[0, -2, 0], [2, 0, 0], [0, 0, 0]])
    found = borda_evidence(wins, 0.05)[1, 0]
    assert math.isfinite(found)
    assert found == pytest.approx(borda_evidence(moved)[1, 0])
