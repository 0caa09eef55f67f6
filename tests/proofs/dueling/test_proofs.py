"""E-values and what they prove: against brute force over all truths, and exactly fair."""

import math
from decimal import Decimal

import numpy as np
import pytest
from scipy.stats import binom

from cpe_opt.proofs.dueling.copeland import weakest_truth
from cpe_opt.proofs.dueling.e_values import log_e_values
from tests.proofs.dueling.definitions import last_mean, sign_matrices, wealth


def e_value(won, lost):
    """The mixture by its definition, point by point."""
    odds = [6.0 * 1.15**-k for k in range(79)]
    stakes = [(1.0, 0.5)] + [(min(1.0, t / 0.02), 0.5 * math.tanh(t / 2)) for t in odds]
    total = sum(weight for weight, _ in stakes)
    return sum(
        weight / total * (1 + 2 * rho) ** won * (1 - 2 * rho) ** lost for weight, rho in stakes
    )


@pytest.mark.parametrize(("won", "lost"), [(0, 0), (1, 0), (0, 1), (7, 2), (2.5, 4.5), (40, 13)])
def test_the_mixture_is_the_one_that_is_described(won, lost):
    found = log_e_values(np.array([float(won)]), np.array([float(lost)]))[0]
    exact = math.log(e_value(won, lost))
    assert exact - 2.0**-22 <= found <= exact + 1e-12


@pytest.mark.parametrize(("probability", "least"), [(0.5, 1 - 1e-5), (0.45, 0.0)])
@pytest.mark.parametrize("duels", [1, 2, 9, 60, 400])
def test_no_stake_grows_on_average_where_the_arm_does_not_beat_the_other(probability, least, duels):
    won = np.arange(duels + 1.0)
    e = np.exp(log_e_values(won, duels - won))
    mean = binom.pmf(won, duels, probability) @ e
    assert least <= mean <= 1 + 1e-9


def test_a_tie_as_half_a_win_is_no_better_than_a_fair_coin():
    won, lost = (array.ravel().astype(float) for array in np.indices((12, 12)))
    tie = np.exp(log_e_values(won + 0.5, lost + 0.5))
    coin = np.exp(log_e_values(won + 1, lost)) + np.exp(log_e_values(won, lost + 1))
    assert (tie <= coin / 2 * (1 + 1e-6)).all()


def wrong_truths(arms):
    """Those in which arm 0 is no Copeland winner, with an arm that has fewer losses."""
    for truth in sign_matrices(arms):
        losses = (truth < 0).sum(axis=1)
        yield from ((truth, j) for j in range(1, arms) if losses[j] < losses[0])


def wealth_of(e, truth, winner, answers, number=float):
    return wealth(e, truth >= 0, truth < 0, winner, answers, number=number)


@pytest.mark.parametrize("seed", [*range(9), 38, 53, 71])  # in the last the answer is beaten
@pytest.mark.parametrize("arms", [2, 3, 4])
def test_the_weakest_truth_is_that_of_brute_force(arms, seed):
    rng = np.random.default_rng(seed)
    log_e = rng.normal(rng.choice([-1.0, 2.0]), 4.0, (arms, arms))
    if seed % 3 == 1:  # where a bet is lost, more hypotheses may leave less
        log_e = np.round(rng.normal(-1.0, 3.0, (arms, arms)))
    if seed % 3 == 0:  # as counts have it: of the two sides of a pair one is refuted at most
        upper = np.triu(np.abs(log_e), 1)
        log_e = np.where(rng.random((arms, arms)) < 0.3, -1.0, upper - 0.5 * upper.T)
    e = np.exp(log_e)
    wrong = list(wrong_truths(arms))
    least = min(math.log(wealth_of(e, truth, j, [0])) for truth, j in wrong)
    found = weakest_truth(log_e, 0)
    assert least - 1e-5 <= found.evidence <= least + 1e-9
    for truth, j in wrong:
        others = [arm for arm in range(arms) if arm != j]
        assert found.evidence <= math.log(wealth_of(e, truth, j, others)) + 1e-9
    level = arms - 1 - len(found.unbeaten)
    assert len(found.beating) == level + (0 not in found.unbeaten)
    # It is the least of the truths with these arms unbeaten, and as many losses.
    least = min(
        math.log(wealth_of(e, truth, j, [0]))
        for truth, j in wrong
        if j == found.challenger
        and {k for k in range(arms) if k != j and truth[j, k] >= 0} == set(found.unbeaten)
        and {k for k in range(1, arms) if k != j and truth[k, 0] > 0} >= set(found.beating)
    )
    assert least - 1e-5 <= found.evidence <= least + 1e-9


@pytest.mark.parametrize("tied", [0.7, -0.3, 25.0])
def test_the_weakest_truth_of_equal_e_values_has_the_first_pairs_whatever_their_last_bits(tied):
    rng, arms = np.random.default_rng(0), 6
    beaten = np.triu(np.ones((arms, arms)), 1)
    log_e = np.where(beaten > 0.0, tied, -1.0)
    expected = weakest_truth(log_e, 0)
    for _ in range(20):
        rounding = rng.uniform(-4e-16, 4e-16, size=(arms, arms))
        found = weakest_truth(log_e * (1.0 + rounding), 0)
        assert (found.evidence, found.pairs(0)) == (expected.evidence, expected.pairs(0))


@pytest.mark.parametrize("largest", [250.0, 700.0, 5000.0])
@pytest.mark.parametrize("seed", range(6))
def test_evidence_beyond_floating_point_is_that_of_brute_force(largest, seed):
    """With e-values up to e^5000, and lost bets down to e^-5000, exactly up to e^970."""
    rng = np.random.default_rng(seed)
    arms = 3 + seed % 2
    log_e = rng.uniform(0.5, 1.0, (arms, arms)) * largest
    log_e[rng.random((arms, arms)) < 0.2] = -largest
    log_e[rng.random((arms, arms)) < 0.2] = 3.0
    e = np.array([[Decimal(x).exp() for x in row] for row in log_e.tolist()])
    least = min(float(wealth_of(e, truth, j, [0], Decimal).ln()) for truth, j in wrong_truths(arms))
    found = weakest_truth(log_e, 0).evidence
    assert min(least, 970.0) - 1e-5 <= found <= least + 1e-9


@pytest.mark.parametrize("signs", [(0, 0, 0), (1, 1, 1), (-1, 0, 1), (1, 0, -1, 0, 1, 1)], ids=repr)
def test_the_wealth_of_the_truth_does_not_grow_on_average(signs):
    arms = 3 if len(signs) == 3 else 4
    truth = np.zeros((arms, arms), dtype=int)
    truth[np.triu_indices(arms, 1)] = signs
    truth -= truth.T
    winner = int((truth < 0).sum(axis=1).argmin())
    others = [arm for arm in range(arms) if arm != winner]

    def value(wins):
        return wealth_of(np.exp(log_e_values(wins, wins.T)), truth, winner, others)

    def outcomes(wins):
        """Of the pair whose evidence speaks the most against the truth, first arms first."""
        log_e = log_e_values(wins, wins.T)
        log_e[np.tril_indices(arms)] = -np.inf
        i, j = divmod(int(np.argmax(log_e)), arms)
        p = 0.5 + 0.02 * truth[i, j]
        return [(i, j, 1.0, p), (i, j, 0.0, 1 - p)]

    assert last_mean(value, outcomes, arms, 9) > 0.5  # it is a bet, not nothing
