"""An upper bound on the noise of scores: its theorem piece by piece, and how often it is wrong."""

import itertools
import math

import numpy as np
import pytest
import scipy.integrate
import scipy.optimize
import scipy.stats as st
from scipy.special import logsumexp

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.proofs.subsets.noise_bound import (
    adaptive_mixture,
    largest_sigma,
    least_ratio,
    planned_mixture,
    positive_sizes,
)
from tests.support import binomial_margin

PAIRS = indicators([*itertools.combinations(range(4), 2)], 4)
ROLES = indicators([*itertools.product(range(3), range(3, 6))], 6)  # one of each role: rank 5


def log_martingale(rows, noise, sigma, penalty, kappa):
    """ln L of the module's first lines."""
    information = rows.T @ rows
    sums = rows.T @ noise
    inner = information / (1.0 + penalty) + kappa * np.eye(len(information))
    volume = np.linalg.slogdet(np.eye(len(inner)) + information / (kappa * (1.0 + penalty)))[1]
    return (
        len(rows) / 2.0 * math.log1p(penalty)
        - volume / 2.0
        - penalty * (noise @ noise) / (2.0 * sigma**2)
        + sums @ np.linalg.solve(inner, sums) / (2.0 * sigma**2)
    )


def rho_of(place, sizes):
    """Of the terms of ``adaptive_mixture``: lambda, rho and weight."""
    level = math.floor(math.log2(sizes.min() / 0.99)) - place // 12
    penalty, weight = 64.0 / 4.0 ** (place % 12), 0.5 ** (place % 12 + 1)
    return penalty, 0.99 * 2.0**level, weight * 2.0 / 3.0 / ((abs(level) + 1) * (abs(level) + 2))


@pytest.mark.parametrize("penalty", [0.25, 4.0, 64.0])
def test_it_is_a_martingale(penalty):
    rng = np.random.default_rng(0)
    rows, noise, sigma, kappa = PAIRS[rng.integers(6, size=7)], rng.normal(size=6), 1.7, 0.3
    noise = noise * sigma
    before = log_martingale(rows[:-1], noise, sigma, penalty, kappa)

    def next_one(z):
        told = log_martingale(rows, np.append(noise, sigma * z), sigma, penalty, kappa)
        return math.exp(told - before) * st.norm.pdf(z)

    mean = scipy.integrate.quad(next_one, -30.0, 30.0, points=[-1.0, 0.0, 1.0], limit=500)[0]
    assert mean == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("sets", [PAIRS, ROLES])
def test_the_bound_is_the_least_that_any_truth_leaves(sets):
    """Of each term exactly; and no larger rho would do, where some direction is as little seen."""
    rng = np.random.default_rng(1)
    rows = sets[rng.integers(len(sets), size=25)]
    scores, sigma = rng.normal(size=25), 0.8
    fitted = np.linalg.lstsq(rows, scores, rcond=None)[0]
    squares = float(((scores - rows @ fitted) ** 2).sum())
    sizes = positive_sizes(rows, np.ones(25))
    logs, lambdas = adaptive_mixture(25, sizes)
    assert len(logs) == 96
    least = logs - lambdas * squares / sigma**2 / 2.0

    def log_term(place, theta, rho=None):
        penalty, told, weight = rho_of(place, sizes)
        rho = told if rho is None else rho
        kappa = rho / (penalty * (1.0 + penalty))
        found = log_martingale(rows, scores - rows @ theta, sigma, penalty, kappa)
        return found + math.log(weight)

    for place in (0, 1, 2, 5, 11, 12, 40, 95):
        found = scipy.optimize.minimize(lambda theta, p=place: log_term(p, theta), fitted + 0.3)
        assert found.fun == pytest.approx(least[place], abs=1e-4)
        assert lambdas[place] == pytest.approx(rho_of(place, sizes)[0])
    thin = np.linalg.eigh(rows.T @ rows)[1][:, len(rows[0]) - len(sizes)]
    far = [log_term(1, fitted + step * thin, 1.1 * sizes.min()) for step in (0.0, 10.0, 100.0)]
    assert far[0] > far[1] > far[2]  # without end
    together = [
        logsumexp([log_term(place, fitted + step) for place in range(96)])
        for step in (0.0, *rng.normal(size=(20, len(fitted))))
    ]
    assert min(together) == pytest.approx(logsumexp(least), abs=1e-6)


def test_weights_add_up_to_at_most_one():
    logs, _ = planned_mixture(0)
    assert 0.999 < np.exp(logs).sum() <= 1.0
    of_levels = {}
    for size in 2.0 ** np.arange(-40.0, 41.0, 4.0):
        for place in range(0, 96, 12):
            _, rho, _ = rho_of(place, np.array([size]))
            terms, _ = adaptive_mixture(0, np.array([size]))
            volume = np.log1p(64.0 * size / rho) / 2.0
            of_levels[rho] = math.exp(terms[place] + volume) / 0.5
    assert 0.9 < sum(of_levels.values()) <= 1.0


@pytest.mark.parametrize("spare", [1, 4, 30])
def test_the_terms_of_planned_teams_have_mean_one(spare):
    logs, lambdas = planned_mixture(spare)
    for log, penalty in zip(logs[:5], lambdas[:5], strict=True):
        mean = scipy.integrate.quad(
            lambda x, c=log, p=penalty: math.exp(c - p * x / 2.0) * st.chi2.pdf(x, spare),
            0.0,
            math.inf,
        )[0]
        place = round(math.log(64.0 / penalty, 4.0))
        assert mean == pytest.approx(0.5 ** (place + 1), rel=1e-5)


@pytest.mark.parametrize(("sets", "rank"), [(PAIRS, 4), (ROLES, 5)])
@pytest.mark.parametrize("planned", [True, False])
def test_sigma_is_where_the_mixture_has_what_is_needed(sets, rank, planned):
    rng = np.random.default_rng(2)
    chosen, counts = rng.integers(len(sets), size=40), rng.integers(1, 5, size=40)
    scores = rng.normal(size=40) / np.sqrt(counts) + sets[chosen].sum(axis=1)
    teams = [[f"m{e}" for e in np.flatnonzero(sets[place])] for place in chosen]
    found = largest_sigma(cpe.TeamScores(teams, scores, counts), 0.01, planned=planned)
    rows = np.sqrt(counts)[:, None] * sets[chosen]
    basis = np.linalg.svd(rows, full_matrices=False)[0][:, :rank]
    weighted = np.sqrt(counts) * scores
    squares = float(((weighted - basis @ (basis.T @ weighted)) ** 2).sum())
    sizes = np.linalg.eigvalsh(rows.T @ rows)[-rank:]
    terms = planned_mixture(40 - rank) if planned else adaptive_mixture(40, sizes)

    def missing(ratio):
        return logsumexp(terms[0] - terms[1] * ratio / 2.0) - math.log(100.0)

    exact = math.sqrt(squares / scipy.optimize.brentq(missing, 0.0, 1e4, xtol=1e-12))
    assert exact <= found <= exact * 1.0011
    assert f"{found:.4g}" == f"{found!r}"
    assert least_ratio(*terms, math.log(100.0)) == pytest.approx(squares / exact**2, rel=1e-8)


def test_planned_teams_and_more_lines_and_a_larger_error_say_more():
    def bound(times, error=0.01, *, planned=False):
        lines, sizes = 6 * times, positive_sizes(PAIRS, np.full(6, float(times)))
        terms = planned_mixture(lines - 4) if planned else adaptive_mixture(lines, sizes)
        return (lines - 4) / least_ratio(*terms, math.log(1.0 / error))

    assert bound(5) > bound(20) > bound(100) > bound(2000) > 1.0
    assert bound(2000) < 1.1
    assert bound(20, planned=True) < bound(20) < bound(20, error=1e-6)


@pytest.mark.parametrize(
    ("teams", "noise", "error", "said"),
    [
        (4, 1.0, 0.1, "4 lines do not tell it, for what members add explains all of them"),
        (6, 1.0, 0.1, "6 lines do not bound it with an error of 0.1: only 2 are more than it"),
        (40, 1.0, 0.0, "40 lines do not bound it with an error of 0: only 36 are more than it"),
    ],
)
def test_logs_that_tell_no_sigma_are_refused(teams, noise, error, said):
    rng = np.random.default_rng(6)
    pairs = [*itertools.combinations("abcd", 2)]
    log = cpe.TeamScores(
        [pairs[i % 6] for i in range(teams)], 1.0 + noise * rng.normal(size=teams), name="log"
    )
    with pytest.raises(InputError, match="log: sigma, the standard dev") as refused:
        largest_sigma(log, error)
    assert said in str(refused.value)


def test_sigma_of_planned_teams_is_seldom_too_small_at_any_look():
    """Each score beyond the rank adds the square of a normal number."""
    runs, error = 2000, 0.2
    squares = (np.random.default_rng(7).normal(size=(runs, 56)) ** 2).cumsum(axis=1)
    least = [least_ratio(*planned_mixture(spare), -math.log(error)) for spare in range(1, 57)]
    wrong = (squares < least).any(axis=1).sum()
    assert 0.5 * error * runs < wrong <= binomial_margin(runs, error)
