"""Statements are false only where one of the processes of the theorems is large at the truth.

That each of these is a supermartingale at the truth is in the tests of its own module. Here votes
have nothing to do with the truth: what is said at a δ just below the one at which the first of the
processes reaches its threshold, by all shares of δ together, has to be true of it.
"""

import math

import numpy as np

from cpe_opt.proofs.dueling.borda import borda_evidence
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.evidence import statements
from tests.proofs.dueling.definitions import wealth
from tests.proofs.dueling.test_pairs import log_wealth, random_votes


def contradicts(said, mu):
    """Whether anything that is said is false of these probabilities."""
    losses, scores = (mu < 0.5).sum(axis=1), mu.sum(axis=1)
    larger = scores[:, None] > scores + 1e-9
    fewest, beats_all = losses == losses.min(), (mu > 0.5).sum(axis=1) == len(mu) - 1
    kinds = [
        (said.copeland, fewest, fewest),
        (said.condorcet, beats_all, beats_all),
        (said.borda, larger.sum(axis=1) == len(mu) - 1, ~larger.any(axis=0)),
    ]
    wrong = (said.beats & (mu <= 0.5)).any() or (said.larger_borda & ~larger).any()
    for statuses, may_be_proved, may_not_be_out in kinds:
        proved, out = (
            np.array([status == kind for status in statuses.values()])
            for kind in ("proved", "ruled out")
        )
        wrong |= (proved & ~may_be_proved).any() or (out & may_not_be_out).any()
    for ranks, better in (
        (said.ranks, larger),
        (said.copeland_ranks, losses[:, None] < losses),
    ):
        first, last = np.array(list(ranks.values())).T
        rank = 1 + better.sum(axis=0)
        wrong |= ((rank < first) | (rank > last)).any()
    return bool(wrong)


def first_delta(votes, mu):
    """The δ from which on one of the processes is at its threshold at the truth."""
    arms, truth = votes.arms, np.sign(mu - 0.5).astype(int)
    log_e, scores = log_e_values(votes.wins, votes.wins.T), mu.sum(axis=1)
    winner = int((truth < 0).sum(axis=1).argmin())
    answers = [arm for arm in range(arms) if arm != winner]
    copeland = wealth(np.exp(log_e), truth >= 0, truth < 0, winner, answers)
    nulls = (scores[:, None] <= scores + 1e-9) & ~np.eye(arms, dtype=bool)
    borda = np.exp(borda_evidence(votes.wins)[nulls]).sum()
    pairs = arms * (arms - 1) / 2
    return min(2 * math.exp(-log_wealth(votes, truth)), 4 / copeland, 4 * pairs / max(borda, 1e-9))


def random_truth(votes, rng, *, agrees):
    """Any one, or one in which each pair is as in the votes, by little or by much."""
    upper = np.triu(rng.choice([0.01, 0.1, 0.45], (votes.arms, votes.arms)), 1)
    sign = np.sign(votes.fractions - 0.5) if agrees else rng.integers(-1, 2, upper.shape)
    return 0.5 + upper * sign - (upper * sign).T


def test_no_statement_is_wrong_before_a_process_is_at_its_threshold():
    rng, near = np.random.default_rng(3), 0
    for seed in range(40):
        votes = random_votes(3, seed, scale=100)
        mu = random_truth(votes, rng, agrees=seed % 2 > 0)
        delta = min(first_delta(votes, mu), 0.99)
        if delta > 1e-200:
            assert not contradicts(statements(votes, 0.999 * delta), mu)
            near += contradicts(statements(votes, min(3.0 * delta, 0.99)), mu)
    assert near > 5
