"""What pulls prove however they were chosen: against the definition, and against who cheats."""

import itertools
import math

import numpy as np
import pytest
import scipy.optimize as so

from cpe_opt.proofs.blocks import OwnWeights
from cpe_opt.proofs.subsets.adaptive_samples import LAMBDAS, SelfNormalizedBound
from cpe_opt.proofs.subsets.planned_blocks import SET_MIXTURE

DELTA = 0.1
NEEDED = math.log(1.0 / DELTA)


def pulled(seed, n=4, pulls=30, spread=1.0):
    """Vectors, times and sums; some vectors were pulled more often than once."""
    rng = np.random.default_rng(seed)
    vectors = rng.integers(0, 2, size=(pulls, n)).astype(float)
    times = rng.integers(1, 4, size=pulls)
    return vectors, times, spread * np.sqrt(times) * rng.normal(size=pulls)


def log_e(theta, vectors, times, sums):
    """The mean of the definition's E over lambda, at a truth, pull by pull."""
    information = sum(t * np.outer(x, x) for x, t in zip(vectors, times, strict=True))
    noise = vectors.T @ sums - information @ theta
    values = []
    for penalty in LAMBDAS:
        ridge = information + penalty * np.eye(len(theta))
        exponent = noise @ np.linalg.solve(ridge, noise) / 2.0
        volume = np.linalg.slogdet(ridge / penalty)[1] / 2.0
        values.append(exponent - volume)
    return float(np.logaddexp.reduce(values)) - math.log(len(LAMBDAS))


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_is_where_no_truth_explains_the_pulls(seed):
    """For each single lambda, the least E over all truths with this value, by a solver."""
    log = pulled(seed)
    row = np.random.default_rng(seed + 100).normal(size=4)
    found = SelfNormalizedBound(*log).lower(row[None, :], NEEDED)[0]
    least = []
    for penalty in LAMBDAS:
        ridge = log[0].T @ (log[1][:, None] * log[0])

        def distance(theta, penalty=penalty, ridge=ridge):
            noise = log[0].T @ log[2] - ridge @ theta
            return noise @ np.linalg.solve(ridge + penalty * np.eye(4), noise) / 2.0

        best = so.minimize(
            distance, np.zeros(4), constraints={"type": "eq", "fun": lambda t: row @ t - found}
        )
        least.append(best.fun - np.linalg.slogdet(ridge / penalty + np.eye(4))[1] / 2.0)
    assert math.log(np.mean(np.exp(least))) == pytest.approx(NEEDED, abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_a_truth_below_the_bound_is_refuted(seed):
    log, rng = pulled(seed), np.random.default_rng(seed)
    bound, rows = SelfNormalizedBound(*log), rng.normal(size=(6, 4))
    lower = bound.lower(rows, NEEDED)
    fitted = np.linalg.lstsq(log[0], log[2] / log[1], rcond=None)[0]
    for theta in fitted + rng.normal(size=(300, 4)):
        assert (rows @ theta >= lower).all() or log_e(theta, *log) >= NEEDED
    assert (lower < bound.centres(rows)).all()


def test_the_mean_of_e_is_one_whoever_chooses_the_next_pull():
    """All noises of ±1, which are 1-sub-Gaussian; the next pull follows the largest estimate."""
    truth, total = np.array([0.3, -0.2, 0.5]), 0.0
    for signs in itertools.product([-1.0, 1.0], repeat=8):
        vectors, seen = [np.array([1.0, 0, 1]), np.array([0.0, 1, 1]), np.array([1.0, 1, 0])], []
        for step, sign in enumerate(signs):
            if step >= 3:
                theta = np.linalg.lstsq(np.array(vectors), np.array(seen), rcond=None)[0]
                chosen = np.argsort(-theta, kind="stable")[: 1 + step % 2]
                vectors.append(np.isin(np.arange(3), chosen).astype(float))
            seen.append(vectors[step] @ truth + sign)
        total += math.exp(log_e(truth, np.array(vectors), np.ones(8), np.array(seen)))
    assert 0.5 < total / 2**8 <= 1.0


@pytest.mark.parametrize("many", [10, 2 * 10**9, 10**14])
def test_every_direction_is_paid_for_however_little_it_was_seen(many):
    """With 10^10 pulls of one set, a few of another leave no estimate; they still cost."""
    vectors = np.array([[1.0, 1, 0], [1, 0, 1], [0, 1, 1]])
    times = np.array([many, 7, 1])
    bound = SelfNormalizedBound(vectors, times, 0.3 * times)
    information = vectors.T @ (times[:, None] * vectors)
    volumes = [np.linalg.slogdet(np.eye(3) + information / each)[1] / 2 for each in LAMBDAS]
    costs = np.array(volumes) + math.log(len(LAMBDAS))
    assert (bound.costs >= costs - 1e-9).all()
    assert bound.costs == pytest.approx(costs, abs=2e-3 if many < 10**14 else 5.0)
    apart = bound.lower(np.array([[0.0, 1, -1], [1, 1, 0]]), NEEDED)
    assert np.isfinite(apart).tolist() == [many == 10, True]
    assert apart[1] < 0.3


@pytest.mark.parametrize("seed", range(6))
def test_what_is_left_out_makes_evidence_smaller(seed):
    """Against E by its definition, where one direction has a billionth of the pulls of another."""
    rng = np.random.default_rng(seed)
    times = np.array([3 * 10**10, 5 * 10**10, 9])
    sums = times * rng.normal(size=3)
    bound, rows = SelfNormalizedBound(np.eye(3), times, sums), np.array([[1.0, -1, 0], [0, 1, 0]])
    lower = bound.lower(rows, NEEDED)
    assert np.isfinite(lower).all()
    for row, least in zip(rows, lower.tolist(), strict=True):
        # The nearest truth at the bound, whatever it is in the third direction.
        theta = sums / times
        theta = theta + row / times / (row @ (row / times)) * (least - row @ theta)
        assert (
            log_e(theta + np.array([0, 0, rng.normal()]), np.eye(3), times, sums * 1.0)
            >= NEEDED - 1e-3
        )


# With blocks


def rows_and_blocks(seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(5, 4))
    information = rng.uniform(1.0, 30.0, size=5)
    return rows, information * rng.normal(1.0, 0.3, size=5), information


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_with_blocks_is_where_a_third_of_the_three_bets_pays(seed):
    bound, count = SelfNormalizedBound(*pulled(seed)), 7
    blocks = OwnWeights(SET_MIXTURE, NEEDED + math.log(count))
    rows, sums, information = rows_and_blocks(seed)
    mu = bound.lower_with(rows, sums, information, blocks, count)
    paid = np.exp(SET_MIXTURE.log_values(sums - mu * information, information))
    below = np.maximum(0.0, bound.centres(rows) - mu)[:, None]
    of_log = np.exp(below**2 / (2.0 * bound.variances(rows)) - bound.costs).sum(axis=1)
    value = (paid / count + of_log + of_log * paid / count) / 3.0
    assert np.log(value) == pytest.approx(np.full(5, NEEDED), abs=1e-4)
    assert (np.log(value) >= NEEDED).all()
