"""Intervals of ranks: against brute force over orders of scores, and over all truths of pairs."""

import itertools
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.problems.clusters import outcomes_of
from cpe_opt.proofs.dueling import evidence as evidence_module
from cpe_opt.proofs.dueling.borda import borda_evidence
from cpe_opt.proofs.dueling.e_values import log_e_of_votes, log_e_values
from cpe_opt.proofs.dueling.evidence import borda_ranks, copeland_ranks, statements, with_winners
from cpe_opt.proofs.dueling.winners import best_statuses, pair_proof
from cpe_opt.reports.decision import evidence_parts
from tests.proofs.dueling.definitions import sign_matrices
from tests.proofs.dueling.test_pairs import contradicted, random_votes


def spans(ranks):
    """The best and the worst of several ranks of each arm."""
    found = np.array(ranks)
    return np.column_stack([found.min(axis=0), found.max(axis=0)])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("arms", [2, 3, 4])
def test_borda_ranks_are_those_of_all_orders_that_reverse_too_little_evidence(arms, seed):
    rng = np.random.default_rng(seed)
    lead = rng.normal(0.0, 4.0, (arms, arms)) + 3.0
    evidence = np.where(np.triu(np.ones((arms, arms)), 1) > 0, lead, -np.inf)
    order = rng.permutation(arms)
    evidence, delta = evidence[np.ix_(order, order)], 0.5
    possible = []
    for scores in map(np.array, itertools.product(range(arms), repeat=arms)):
        nulls = scores[:, None] <= scores
        np.fill_diagonal(nulls, False)
        if np.exp(evidence[nulls]).sum() < arms * (arms - 1) / 2 / delta:
            possible.append(1 + (scores[:, None] > scores).sum(axis=0))
    found, exact = borda_ranks(evidence, delta), spans(possible)
    assert (found[:, 0] <= exact[:, 0]).all()
    assert (found[:, 1] >= exact[:, 1]).all()
    if arms == 2:
        assert np.array_equal(found, exact)


def test_arms_that_are_ahead_together_cost_a_rank_that_none_costs_alone():
    evidence = np.full((5, 5), -np.inf)
    needed = math.log(10 / 0.05)
    evidence[:4, 4] = needed - math.log(2) + 0.01  # half of it each
    assert borda_ranks(evidence, 0.05).tolist() == [*[[1, 5]] * 4, [4, 5]]
    evidence[:4, 4] = needed + 0.01
    assert borda_ranks(evidence, 0.05).tolist() == [*[[1, 4]] * 4, [5, 5]]
    evidence[:4, 4] = needed - 0.01
    assert borda_ranks(evidence, 0.05)[4].tolist() == [4, 5]


def of_truths(votes, proof):
    """The best and the worst ranks under all truths that cost less than the threshold."""
    possible = []
    for truth in sign_matrices(votes.arms):
        wrong = contradicted(votes, truth)
        cost = proof.reversal[wrong & (truth < 0)].sum()
        cost += proof.cost[wrong & (truth == 0)].sum()
        if cost < proof.threshold:
            losses = (truth < 0).sum(axis=1)
            possible.append(1 + (losses[:, None] < losses).sum(axis=0))
    return spans(possible)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("arms", [2, 3, 4])
def test_copeland_ranks_are_those_of_all_truths_below_the_threshold(arms, seed):
    votes = random_votes(arms, seed)
    log_e = log_e_values(votes.wins, votes.wins.T)
    for delta, independent in ((0.3, True), (0.02, True), (0.1, False)):
        proof = pair_proof(votes.fractions, log_e, delta, independent=independent)
        found, exact = copeland_ranks(proof), of_truths(votes, proof)
        assert (found[:, 0] <= exact[:, 0]).all()
        assert (found[:, 1] >= exact[:, 1]).all()
        assert (found == exact).mean() > 0.7 if arms == 4 else np.array_equal(found, exact)


@pytest.mark.parametrize(("arms", "seed", "delta"), [(3, 37, 0.05), (3, 19, 0.3), (4, 9, 0.05)])
def test_a_pair_the_other_way_round_costs_more_than_a_tie_and_counts_once(arms, seed, delta):
    votes = random_votes(arms, seed)
    proof = pair_proof(votes.fractions, log_e_values(votes.wins, votes.wins.T), delta)
    assert np.array_equal(copeland_ranks(proof), of_truths(votes, proof))


def test_copeland_ranks_of_many_levels_are_those_of_every_level(monkeypatch):
    arms, rng = 50, np.random.default_rng(2)
    strengths = np.linspace(3.0, -3.0, arms)
    won = rng.binomial(60, 1.0 / (1.0 + np.exp(strengths - strengths[:, None])))
    votes = cpe.Votes(np.triu(won, 1) + np.tril((60.0 - won).T, -1))
    proof = pair_proof(votes.fractions, log_e_of_votes(votes), 0.3)
    found = copeland_ranks(proof)
    assert 2 < (found[:, 1] - found[:, 0]).mean() < 45
    monkeypatch.setattr(evidence_module, "_LEVELS_APART", 1)
    assert np.array_equal(found, copeland_ranks(proof))


def test_what_is_proved_of_winners_bounds_their_ranks():
    ranks = np.array([[1, 3], [1, 3], [1, 4], [2, 4]])
    winner, no_winner = np.array([1, 0, 0, 0]) > 0, np.array([0, 0, 1, 1]) > 0
    assert with_winners(ranks, winner, no_winner).tolist() == [[1, 1], [1, 3], [2, 4], [2, 4]]


def test_the_k_best_are_those_of_rank_k_or_better():
    ranks = np.array([[1, 1], [1, 3], [3, 4], [4, 4]])
    assert best_statuses(ranks, 3) == ["proved", "proved", "possible", "ruled out"]


def test_each_kind_of_rank_has_its_share_of_delta():
    """Three arms: at the share and just below it."""
    wins = np.array([[0.0, 70.0, 80.0], [30.0, 0.0, 50.0], [20.0, 50.0, 0.0]])
    borda = float(borda_evidence(wins)[0, 1:].min())
    for factor, first in ((1.01, (1, 1)), (0.99, (1, 2))):
        assert statements(cpe.Votes(wins), factor * 4 * 3 * math.exp(-borda)).ranks["0"] == first


def clustered(won, lost):
    """Votes of clusters of one vote each, which are not taken to be independent over pairs."""
    zeros, shares = np.zeros(won + lost, dtype=int), np.repeat([1.0, 0.0], [won, lost])
    outcomes, scores = outcomes_of(
        np.arange(won + lost), zeros, zeros + 1, shares, np.ones(won + lost), 2
    )
    return cpe.Votes([[0, won], [lost, 0]], independent=False, outcomes=outcomes, scores=scores)


def test_of_two_arms_all_is_one_statement_at_all_of_delta():
    for won, votes in ((68, cpe.Votes([[0, 68], [32, 0]])), (44, clustered(44, 21))):
        log_e = log_e_of_votes(votes)
        mean = float(np.exp(log_e[0, 1]) + np.exp(log_e[1, 0])) / 2
        assert votes.wins[0, 1] == won
        for margin, part in ((0.0, 1.0), (0.02, 2.0)):
            for factor in (0.2, 0.55, 0.99, 1.01, 1.9):
                said = statements(votes, factor * part / mean, margin, top=1)
                proved = factor > 1.0
                assert said.beats.tolist() == [[False, proved], [False, False]]
                first, last = ("proved", "ruled out") if proved else ("possible", "possible")
                statuses = {"0": first, "1": last}
                assert said.copeland == said.condorcet == said.borda == statuses
                assert said.top_borda == said.top_copeland == statuses
                ranks = {"0": (1, 1), "1": (2, 2)} if proved else {"0": (1, 2), "1": (1, 2)}
                assert said.ranks == said.copeland_ranks == ranks
                assert np.array_equal(said.larger_borda, said.beats)
                assert not (proved and margin) or said.within_margin["0"] == "proved"
    found = cpe.evidence(cpe.Votes([[0, 68], [32, 0]]), margin=0.02)
    assert sum(part.delta for part in evidence_parts(found)) == pytest.approx(0.05)
