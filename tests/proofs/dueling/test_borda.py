"""Which Borda score is larger: the bound against its definition by matrices, and exactly fair."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize

from cpe_opt.problems.clusters import ClusterScores
from cpe_opt.proofs.dueling.borda import borda_evidence, borda_order, cluster_evidence
from tests.proofs.dueling.definitions import last_mean, log_mean

TAU = [16.0**k for k in range(7)]
KAPPA = [*(16.0**k for k in range(6)), math.inf]


def coefficients(arms, i, j):
    """Of b_i - b_j, times K - 1, in the probabilities of pairs, and its constant."""
    pairs = [p for p in itertools.combinations(range(arms), 2) if i in p or j in p]
    c, constant = [], 0.0
    for a, b in pairs:
        sign = {i: 1.0, j: -1.0}
        first, second = sign.get(a, 0.0), sign.get(b, 0.0)
        c.append(first - second)  # the second wins with probability 1 - mu
        constant += second
    return pairs, np.array(c), constant


def prior(arms, c, tau, kappa):
    unit = 2 * arms / (2 * arms - 3)
    return 4 / tau * np.eye(len(c)) + 4 / (unit * kappa) * np.outer(c, c)


def log_e(counts, shifts, sigma):
    """ln of e at a truth, by its definition: shifts are estimate less truth."""
    met = counts > 0
    n, x = np.diag(counts[met]), (counts * shifts)[met]
    sigma = sigma[np.ix_(met, met)]
    _, log_det = np.linalg.slogdet(np.eye(len(n)) + sigma @ n / 4)
    return 0.5 * x @ np.linalg.solve(np.linalg.inv(sigma) + n / 4, x) - 0.5 * log_det


def inverse_form(n, sigma):
    """Of the exponent, in the lead: a quadratic form of the shifts on a half-space."""
    n = np.diag(n)
    return 2 * np.linalg.inv(n) @ (np.linalg.inv(sigma) + n / 4) @ np.linalg.inv(n)


def random_wins(arms, rng, *, never=0.2):
    wins = np.zeros((arms, arms))
    for i, j in itertools.combinations(range(arms), 2):
        votes = 0 if rng.random() < never else int(rng.choice([1, 6, 30, 200, 3000]))
        wins[i, j] = rng.binomial(votes, np.clip(0.5 + 0.12 * (j - i) + rng.normal(0, 0.1), 0, 1))
        wins[j, i] = votes - wins[i, j]
    return wins


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("arms", [2, 3, 4, pytest.param(6, marks=pytest.mark.slow)])
def test_the_evidence_is_the_least_over_all_truths_of_the_mixture_by_its_definition(arms, seed):
    rng = np.random.default_rng(seed)
    wins = random_wins(arms, rng, never=0.0 if seed % 2 else 0.3)
    found = borda_evidence(wins)
    for i, j in itertools.permutations(range(arms), 2):
        pairs, c, constant = coefficients(arms, i, j)
        counts = np.array([wins[p] + wins.T[p] for p in pairs])
        mu = np.array([wins[p] / max(wins[p] + wins.T[p], 1.0) for p in pairs])
        worst = np.where(counts > 0, mu, np.where(c > 0, 0.0, 1.0))
        lead = constant + c @ worst
        if lead <= 1e-6:
            assert found[i, j] == -math.inf
            continue
        met = counts > 0
        logs = []
        for tau, kappa in itertools.product(TAU, KAPPA):
            sigma = prior(arms, c, tau, kappa)[np.ix_(met, met)]
            inverse = inverse_form(counts[met], sigma)
            # The nearest truth on the half-space, and the value there by the definition.
            shift = np.zeros(len(c))
            shift[met] = inverse @ c[met] * lead / (c[met] @ inverse @ c[met])
            logs.append(log_e(counts, shift, prior(arms, c, tau, kappa)))
        exact = log_mean(np.array(logs))
        assert exact - 1e-4 * max(1.0, abs(exact)) <= found[i, j] <= exact + 1e-6 * abs(exact)


def test_no_truth_on_the_half_space_has_less():
    rng = np.random.default_rng(5)
    wins = random_wins(3, rng, never=0.0)
    pairs, c, constant = coefficients(3, 0, 2)
    counts = np.array([wins[p] + wins.T[p] for p in pairs])
    lead = constant + c @ np.array([wins[p] / (wins[p] + wins.T[p]) for p in pairs])
    assert lead > 0
    for tau, kappa in ((1.0, 16.0), (256.0, 1.0), (4096.0, math.inf)):
        sigma = prior(3, c, tau, kappa)

        def value(free, sigma=sigma):
            last = (lead - c[:2] @ free) / c[2]
            return log_e(counts, np.append(free, last), sigma)

        least = minimize(value, np.zeros(2), tol=1e-12).fun
        inverse = inverse_form(counts, sigma)
        each = log_e(counts, np.zeros(3), sigma) + lead**2 / (c @ inverse @ c)
        assert least == pytest.approx(each, abs=1e-5)


@pytest.mark.parametrize(("tau", "kappa"), [(1.0, 1.0), (4.0, math.inf), (16.0, 2.0)])
def test_the_mixture_at_the_truth_does_not_grow_on_average(tau, kappa):
    pairs, c, _ = coefficients(3, 0, 1)
    truth, sigma = np.array([0.5, 0.7, 0.35]), prior(3, c, tau, kappa)

    def shifted(wins):
        first, second = np.array(pairs).T
        counts = (wins + wins.T)[first, second]
        return counts, wins[first, second] - counts * truth

    def value(wins):
        counts, shifts = shifted(wins)
        return math.exp(log_e(counts, shifts / np.maximum(counts, 1.0), sigma))

    def outcomes(wins):
        """Of each pair at first, then of that with the largest shift."""
        counts, shifts = shifted(wins)
        place = int(np.argmax(np.abs(shifts)) if counts.all() else np.argmin(counts))
        p = truth[place]
        return [(*pairs[place], 1.0, p), (*pairs[place], 0.0, 1 - p)]

    assert last_mean(value, outcomes, 3, 8) > 0.3


def test_the_order_is_the_evidence_above_the_number_of_pairs_over_delta():
    wins = 30 * (5.0 + np.arange(5) - np.arange(5)[:, None])
    np.fill_diagonal(wins, 0.0)
    evidence = borda_evidence(wins)
    levels = np.unique(evidence[evidence > 0])
    assert len(levels) > 3
    for level in levels[:3].tolist():
        for shift in (1e-3, -1e-3):
            order = borda_order(evidence, 10 * math.exp(-level - shift))
            assert np.array_equal(order, evidence >= level + shift)
    assert not (order & order.T).any()


def test_votes_without_any_prove_nothing():
    none = np.zeros((3, 3))
    assert not borda_order(borda_evidence(none), 0.99).any()
    assert not borda_order(cluster_evidence(ClusterScores.of_counts(none)), 0.99).any()
