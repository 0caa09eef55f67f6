"""T* of Borda winners by squared errors: cones, multiplicative steps, smooth programs."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from tests.formulations import inverse_rows
from tests.formulations.dueling.flips import random_prices
from tests.support import random_preferences

METHODS = ("cone", "multiplicative")


def borda_gap(array, i, j):
    """b_i - b_j by its definition: means of the entries beside the diagonal."""
    return np.delete(array[i], i).mean() - np.delete(array[j], j).mean()


def least_cost(mu, prices, winner=None, margin=0.0, members=None):
    """The optimum by another method.

    The coefficients are those by which the difference of two scores moves with a probability.
    """
    array, arms = mu.array, mu.arms
    if winner is None:
        winner = int(np.argmax([np.delete(row, k).mean() for k, row in enumerate(array)]))
    pairs = [(k, m) for k in range(arms) for m in range(k + 1, arms)]
    members = (winner,) if members is None else members
    rivals = [(i, j) for i in members for j in range(arms) if j not in members]
    gaps = np.array([borda_gap(array, i, j) for i, j in rivals])
    slopes = np.zeros((len(rivals), len(pairs)))
    for column, (k, m) in enumerate(pairs):
        moved = array.copy()
        moved[k, m], moved[m, k] = moved[k, m] + 1.0, moved[m, k] - 1.0
        slopes[:, column] = [borda_gap(moved, i, j) for i, j in rivals] - gaps
    slopes[np.abs(slopes) < 1e-9] = 0.0
    rows = slopes**2 / (2 * (gaps + margin) ** 2)[:, None]
    return inverse_rows.least_cost(rows, [prices[pair] for pair in pairs])


@pytest.mark.parametrize("seed", range(5))
def test_an_independent_method_finds_the_same(seed):
    rng = np.random.default_rng([16, seed])
    arms = 2 + seed % 5
    mu = random_preferences(arms, rng, spread=0.3, ties=seed % 2 if arms > 2 else 0)
    prices = random_prices(arms, rng) if seed % 3 else np.ones((arms, arms))
    expected = least_cost(mu, prices)
    for method in METHODS:
        time = cpe.borda_time(mu, prices=prices, method=method)
        assert time.value == pytest.approx(expected, rel=2e-5)
        assert time.gap <= 1e-6
        assert time.bound <= time.value
        assert time.winner == mu.borda_winners[0]
        q = time.exploration
        assert (q == q.T).all()
        assert np.triu(q * prices).sum() == pytest.approx(time.value, rel=1e-12)
    rough = cpe.borda_time(mu, prices=prices, solver="scs")
    assert rough.bound * (1 - 2e-5) <= expected <= rough.value * (1 + 2e-5)
    if seed % 3 == 0:
        assert rough.gap < 1e-4


@pytest.mark.parametrize("seed", range(4))
def test_an_independent_method_finds_the_same_of_a_set(seed):
    rng = np.random.default_rng([18, seed])
    arms, top = 4 + seed % 2, 2 + seed // 2
    mu = random_preferences(arms, rng, spread=0.3)
    prices = random_prices(arms, rng) if seed else np.ones((arms, arms))
    best = tuple(sorted(np.argsort(-mu.borda_scores)[:top].tolist()))
    expected = least_cost(mu, prices, members=best)
    for method in METHODS:
        time = cpe.borda_time(mu, prices=prices, top=top, method=method)
        assert time.value == pytest.approx(expected, rel=2e-5)
        assert time.gap <= 1e-6
        assert time.winners == best
        assert np.triu(time.exploration * prices).sum() == pytest.approx(time.value, rel=1e-12)
    program = cpe.borda_time_program(mu, prices=prices, top=top)
    assert cpe.solve(program, solver="clarabel").objective == pytest.approx(expected, rel=5e-5)
    assert time.duels(0.05) > 0


def test_a_set_with_a_tie_at_its_edge_is_never_told_apart():
    mu = cpe.load_instance("gap")  # three arms share the second score
    assert cpe.borda_time(mu, top=2).value == cpe.borda_time(mu, top=2).bound == math.inf
    assert cpe.borda_time(mu, top=4).value < math.inf
    with pytest.raises(cpe.InputError, match="share a Borda score in gap"):
        cpe.borda_time_program(mu, top=2)
    for wrong in ({"top": 2, "winner": 0}, {"top": 2, "margin": 0.1}, {"top": 5}):
        with pytest.raises(cpe.InputError, match=r"have no effect with top|at most 4"):
            cpe.borda_time(mu, **wrong)


def test_the_exploration_tells_every_half_space_apart():
    """Random matrices in which another arm has the largest score cost at least 1."""
    mu, rng = cpe.load_instance("mslr5-condorcet"), np.random.default_rng(1)
    time = cpe.borda_time(mu)
    nearest = math.inf
    leads = [borda_gap(mu.array, time.winner, j) for j in range(5)]
    for _ in range(1000):
        far = np.triu(rng.normal(size=(5, 5)), 1)
        far = far - far.T
        for j in np.delete(np.arange(5), time.winner):
            step = -leads[j] / borda_gap(far, time.winner, j)  # a lead is linear in the matrix
            nearest = min(nearest, np.triu(2 * time.exploration * (step * far) ** 2).sum())
    assert 1 - 1e-6 <= nearest < 1.5


def test_arms_that_share_the_largest_score_are_never_told_apart():
    mu = cpe.load_instance("multisol")
    assert len(mu.borda_winners) > 1
    for method in METHODS:
        time = cpe.borda_time(mu, method=method)
        assert (time.value, time.bound, time.gap) == (math.inf, math.inf, 0.0)
        assert time.by_winner == dict.fromkeys(mu.borda_winners, math.inf)
        one, other = mu.borda_winners[:2]
        assert time.exploration[one, other] == math.inf
        assert not np.diag(time.exploration).any()
        assert time.duels(0.05) == math.inf
    with pytest.raises(cpe.InputError, match="share a Borda score in multisol"):
        cpe.borda_time_program(mu)


@pytest.mark.parametrize("seed", range(5))
def test_with_a_margin_an_independent_method_finds_the_same(seed):
    rng = np.random.default_rng([17, seed])
    arms = 2 + seed % 4
    mu = random_preferences(arms, rng, spread=0.3)
    prices = random_prices(arms, rng) if seed % 3 else np.ones((arms, arms))
    margin = (0.02, 0.1)[seed % 2]
    right = [
        i for i in range(arms) if all(borda_gap(mu.array, i, j) > -margin for j in range(arms))
    ]
    expected = {i: least_cost(mu, prices, i, margin) for i in right}
    for method in METHODS:
        time = cpe.borda_time(mu, prices=prices, margin=margin, method=method)
        assert time.by_winner == pytest.approx(expected, rel=5e-5)
        assert time.value == min(time.by_winner.values())
        assert time.bound <= time.value
        assert time.value < cpe.borda_time(mu, prices=prices, method=method).value
    for arm in right:
        program = cpe.borda_time_program(mu, arm, prices=prices, margin=margin)
        objective = cpe.solve(program, solver="clarabel").objective
        assert objective == pytest.approx(expected[arm], rel=5e-5)


def test_shared_scores_cost_finite_duels_with_a_margin():
    mu = cpe.PreferenceMatrix(np.array([[5, 5, 8], [5, 5, 8], [2, 2, 5]]) / 10)
    assert cpe.borda_time(mu).value == math.inf
    time = cpe.borda_time(mu, margin=0.1)
    assert time.value < math.inf
    assert set(time.by_winner) == {0, 1}
    # Arm 2 is just right at a margin of 0.45, its distance.
    assert cpe.borda_time(mu, 2, margin=0.45).value == math.inf
    with pytest.raises(cpe.InputError, match="0, 1, 2 have scores that differ by the margin"):
        cpe.borda_time_program(mu, 2, margin=0.45)
    with pytest.raises(cpe.InputError, match=r"is no Borda winner within 0\.1"):
        cpe.borda_time(mu, 2, margin=0.1)
