"""What pairs prove together, and which winners: against brute force over all truths."""

import itertools
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.dueling.confusing_instances import identification_rows
from cpe_opt.proofs.dueling.copeland import weakest_truth
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.winners import (
    condorcet_statuses,
    copeland_proved,
    copeland_statuses,
    pair_proof,
)
from tests.proofs.dueling.definitions import last_mean, sign_matrices


def random_votes(arms, seed, *, scale=20):
    """Few votes on some pairs, many on others, ties, and pairs that never met."""
    rng = np.random.default_rng(seed)
    wins = np.zeros((arms, arms))
    for i, j in itertools.combinations(range(arms), 2):
        doubled = 2 * int(rng.choice([0, 3, scale, 2 * scale]))
        if rng.random() < 0.2:
            wins[i, j] = doubled / 4
        else:
            wins[i, j] = rng.binomial(doubled, rng.choice([0.1, 0.3, 0.6, 0.95])) / 2
        wins[j, i] = doubled / 2 - wins[i, j]
    return cpe.Votes(wins)


def evidence_of(wins):
    return log_e_values(wins, wins.T)


def log_wealth(votes, truth):
    """The logarithm of M of the claim, by its definition."""
    e = np.exp(log_e_values(votes.wins, votes.wins.T))
    pairs = list(itertools.combinations(range(votes.arms), 2))
    total = 0.0
    for i, j in pairs:
        stake = {1: e[j, i], -1: e[i, j], 0: (e[i, j] + e[j, i]) / 2}[int(truth[i, j])]
        total += math.log(1 + (stake - 1) / len(pairs))
    return total


def contradicted(votes, truth):
    """The pairs in which the leader does not beat the other arm."""
    leads = votes.wins > votes.wins.T
    return leads & (truth <= 0)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("arms", [2, 3, 4])
def test_the_wealth_of_a_truth_is_what_its_contradictions_add_up_to(arms, seed):
    votes = random_votes(arms, seed)
    delta = 0.1
    proof = pair_proof(votes.fractions, evidence_of(votes.wins), delta)
    assert (proof.cost >= 0).all()
    assert np.array_equal(proof.cost, proof.cost.T)
    for truth in sign_matrices(arms):
        wrong = contradicted(votes, truth)
        wealth = log_wealth(votes, truth) - math.log(1 / delta) + proof.threshold
        # By costs alone never claimed to be more than it is; with those of reversals exactly.
        assert wealth >= proof.cost[wrong].sum()
        exact = proof.reversal[wrong & (truth < 0)].sum() + proof.cost[wrong & (truth == 0)].sum()
        assert 0.0 <= wealth - exact <= 1e-4


def test_the_wealth_of_the_truth_does_not_grow_on_average():
    truth = np.array([[0, 1, -1], [-1, 0, 0], [1, 0, 0]])

    def outcomes(wins):
        """Of the pair whose votes speak the loudest against the truth."""
        log_e = np.where(truth <= 0, log_e_values(wins, wins.T), -np.inf)
        np.fill_diagonal(log_e, -np.inf)
        i, j = divmod(int(np.argmax(log_e)), 3)
        p = 0.5 + 0.02 * truth[i, j]
        return [(i, j, 1.0, 0.8 * p), (i, j, 0.0, 0.8 * (1 - p)), (i, j, 0.5, 0.2)]

    value = last_mean(lambda wins: math.exp(log_wealth(cpe.Votes(wins), truth)), outcomes, 3, 6)
    assert value > 0.8


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("arms", [2, 3, 4])
def test_what_is_said_of_winners_is_what_no_truth_below_the_threshold_contradicts(arms, seed):
    votes = random_votes(arms, seed, scale=int(np.random.default_rng(seed).choice([12, 40])))
    estimate = cpe.PreferenceMatrix.from_votes(votes)
    proof = pair_proof(estimate.array, evidence_of(votes.wins), 0.3)
    standing = []  # what the votes do not refute
    for truth in sign_matrices(arms):
        wrong = contradicted(votes, truth)
        if proof.cost[wrong].sum() < proof.threshold:
            standing.append(truth)
    standing_losses = [(truth < 0).sum(axis=1) for truth in standing]
    copeland, flips = copeland_statuses(estimate, evidence_of(votes.wins), proof, 1e-300)
    condorcet = condorcet_statuses(proof)
    for arm in range(arms):
        winner = [losses[arm] == losses.min() for losses in standing_losses]
        expected = "proved" if all(winner) else "possible" if any(winner) else "ruled out"
        assert copeland[arm] == expected
        assert (votes.labels[arm] in flips) == (expected == "possible")
        if expected == "possible":  # the explanation is a truth that stands
            found = flips[votes.labels[arm]]
            cost = math.fsum(proof.cost[pair] for pair in found.pairs)
            assert cost == pytest.approx(found.value)
            assert cost < proof.threshold
            assert found.losses[arm] == found.losses.min()
        beats_all = [(np.delete(truth[arm], arm) > 0).all() for truth in standing]
        if all(beats_all):
            assert condorcet[arm] == "proved"
        else:
            strict = np.delete((votes.wins < votes.wins.T)[arm] * proof.reversal[arm], arm).sum()
            out = strict >= proof.threshold
            assert condorcet[arm] == ("ruled out" if out else "possible")
            assert any(beats_all) or out
    for i, j in itertools.permutations(range(arms), 2):
        assert proof.beats[i, j] == all(truth[i, j] > 0 for truth in standing)


@pytest.mark.parametrize("independent", [True, False])
def test_the_weakest_truth_proves_what_pairs_do_not(independent):
    wins = np.zeros((4, 4))
    wins[0, 1:], wins[1:, 0] = 24, 6
    votes = cpe.Votes(wins)
    estimate = cpe.PreferenceMatrix.from_votes(votes)
    log_e = evidence_of(wins)
    evidence = weakest_truth(log_e, 0, independent=independent).evidence
    assert evidence <= weakest_truth(log_e, 0).evidence
    pairs = pair_proof(estimate.array, log_e, 1e-9)
    of_winner = identification_rows(estimate.array, 0)
    for shift, proved in ((0.01, False), (-0.01, True)):
        share = math.exp(-evidence - shift)
        how = {"independent": independent}
        assert copeland_proved(of_winner, log_e, pairs, 0, share, **how) is proved
        assert copeland_statuses(estimate, log_e, pairs, share, **how)[0][0] == (
            "proved" if proved else "possible"
        )
    more = evidence_of(2 * wins)
    rows = pair_proof(estimate.array, more, 0.05)
    assert copeland_proved(of_winner, more, rows, 0, 1e-300)


@pytest.mark.parametrize("wins", [21, 22, 23, 24])
def test_pairs_of_dependent_votes_are_judged_alone(wins):
    """A union over three pairs, ties included: E/2 at least 3/delta."""
    matrix = np.array([[0.0, wins, 40.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    votes = cpe.Votes(matrix, independent=False)
    proof = pair_proof(votes.fractions, evidence_of(votes.wins), 0.1, independent=False)
    e = np.exp(log_e_values(matrix, matrix.T))
    assert proof.beats[0, 1] == ((e[0, 1] + e[1, 0]) / 2 >= 30.0)
    assert proof.beats.sum() == 1 + proof.beats[0, 1]
    statuses = condorcet_statuses(proof)
    assert statuses[0] == ("proved" if proof.beats[0, 1] else "possible")
    assert statuses[2] == "ruled out"


def test_many_weak_pairs_refute_together_only_if_they_are_independent():
    matrix = np.full((5, 5), 8.0)
    matrix[4], matrix[:, 4] = 1.0, 9.0
    np.fill_diagonal(matrix, 0.0)
    log_e = evidence_of(matrix)
    together = pair_proof(cpe.Votes(matrix).fractions, log_e, 0.3)
    alone = pair_proof(cpe.Votes(matrix).fractions, log_e, 0.3, independent=False)
    assert not together.beats.any()
    assert condorcet_statuses(together) == ["possible"] * 4 + ["ruled out"]
    assert condorcet_statuses(alone) == ["possible"] * 5
