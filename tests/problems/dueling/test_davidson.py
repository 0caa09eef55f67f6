"""Bradley and Terry's model with ties: its largest likelihood."""

import numpy as np
import pytest
from scipy.optimize import minimize

from cpe_opt.problems.dueling.davidson import davidson_fit, met_groups

WON = np.array([[0, 10, 14], [5, 0, 9], [3, 2, 0]], dtype=float)
TIED = np.array([[0, 4, 6], [4, 0, 2], [6, 2, 0]], dtype=float)
NONE = np.zeros((3, 3))


def loss(x, won, tied, prior):
    """The negative log-likelihood, with the weak prior if there is one."""
    arms, total = len(won), 0.0
    for i in range(arms):
        total += prior * 0.5 * (np.logaddexp(0, -x[i]) + np.logaddexp(0, x[i]))
        for j in range(i + 1, arms):
            logs = np.array([(x[i] - x[j]) / 2, (x[j] - x[i]) / 2, x[arms]])
            counts = np.array([won[i, j], won[j, i], tied[i, j]])
            some = logs if tied.any() else logs[:2]
            total -= counts[: len(some)] @ (some - np.logaddexp.reduce(some))
    if prior and tied.any():
        total += 0.5 * (2 * np.logaddexp(np.log(2), x[arms]) - np.log(2) - x[arms])
    return total


@pytest.mark.parametrize(
    ("won", "tied", "prior"),
    [
        (WON, TIED, False),
        (WON, NONE, False),
        (np.triu(WON), NONE, True),  # each won everything against later ones
        (np.triu(WON), TIED, True),  # no pair was won by both
    ],
)
def test_strengths_are_where_the_likelihood_is_largest(won, tied, prior):
    fit = davidson_fit(won, tied)
    x = minimize(loss, np.zeros(4), (won, tied, float(prior)), tol=1e-12).x
    assert fit.prior == prior
    assert fit.strengths == pytest.approx(x[:3] - x[:3].mean(), abs=2e-5)
    assert fit.ties == pytest.approx(np.exp(x[3]) if tied.any() else 0.0, rel=1e-4)
    assert fit.wins + fit.wins.T + fit.tie == pytest.approx(np.ones((3, 3)))


@pytest.mark.parametrize("tied", [TIED, NONE])
def test_the_inverse_is_that_of_the_second_derivatives(tied):
    fit = davidson_fit(WON, tied)
    size, h = 3 + bool(tied.any()), 1e-4
    best = np.append(fit.strengths, np.log(fit.ties) if tied.any() else 0.0)
    steps = h * np.eye(4)[:size]

    def at(step):
        return loss(best + step, WON, tied, 0.0)

    hessian = np.array(
        [
            [(at(a + b) - at(a - b) - at(b - a) + at(-a - b)) / (4 * h * h) for a in steps]
            for b in steps
        ]
    )
    contrast = np.eye(size)[1:] - np.outer(np.arange(1, size) < 3, np.eye(size)[0])
    found = contrast @ fit.inverse @ contrast.T
    assert found == pytest.approx(np.linalg.inv(hessian[1:, 1:]), rel=1e-4)


def board(arms, *pairs):
    """Wins and ties of pairs: (i, j, wins of i, wins of j, ties)."""
    won, tied = np.zeros((arms, arms)), np.zeros((arms, arms))
    for i, j, first, second, even in pairs:
        won[i, j], won[j, i], tied[i, j] = first, second, even
    return won, tied + tied.T


def test_of_two_arms_it_is_the_log_of_the_odds():
    fit = davidson_fit(*board(2, (0, 1, 3000, 1000, 0)))
    assert np.ptp(fit.strengths) == pytest.approx(np.log(3), abs=1e-9)
    fit = davidson_fit(*board(2, (0, 1, 0, 0, 4)))
    assert (fit.prior, fit.strengths.tolist()) == (True, [0.0, 0.0])
    assert 4 < fit.ties < 40  # 4.5 ties and half a decided vote: nu / (2 + nu) is 0.9
    assert fit.ties == pytest.approx(18.0, rel=1e-4)


def test_numbers_of_any_size_have_strengths():
    most = 2.0**53
    fit = davidson_fit(*board(2, (0, 1, most, 1, 0)))
    assert np.ptp(fit.strengths) == pytest.approx(np.log(most), abs=1e-4)
    # What is weak between strong pairs is not lost: 3 to 1.
    fit = davidson_fit(
        *board(4, (0, 1, most / 8, most / 8, 0), (1, 2, 3, 1, 0), (2, 3, most / 8, most / 8, 0))
    )
    assert fit.strengths[0] - fit.strengths[3] == pytest.approx(np.log(3), abs=1e-6)
    chain = [(k, k + 1, 1e14, 0, 0) for k in range(29)]
    fit = davidson_fit(*board(30, *chain))
    assert (np.diff(fit.strengths) < 0).all()
    assert fit.strengths[0] - fit.strengths[-1] > 400.0


def test_a_long_chain_has_the_log_of_the_odds_of_each_pair():
    rng = np.random.default_rng(0)
    first, second = rng.integers(1, 50, (2, 149)).astype(float)
    pairs = [(k, k + 1, *each, 0) for k, each in enumerate(zip(first, second, strict=True))]
    fit = davidson_fit(*board(150, *pairs))
    assert -np.diff(fit.strengths) == pytest.approx(np.log(first / second), abs=1e-9)
    along = np.diff(np.diff(fit.inverse, axis=0), axis=1)  # of pairs that know nothing of others
    assert along == pytest.approx(np.diag(1.0 / first + 1.0 / second), abs=1e-9)


def test_of_many_arms_the_inverse_is_that_of_the_information():
    rng, arms = np.random.default_rng(1), 100
    won = rng.integers(4, size=(arms, arms)) * (rng.random((arms, arms)) < 0.2)
    np.fill_diagonal(won, 0)
    fit = davidson_fit(won.astype(float), np.zeros((arms, arms)))
    weights = (won + won.T) * fit.wins * fit.wins.T
    around = np.eye(arms) - 1.0 / arms
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    assert around @ fit.inverse @ around == pytest.approx(inverse, abs=1e-9)


def test_groups_are_those_that_chains_of_votes_connect():
    won, tied = board(7, (0, 6, 1, 0, 0), (1, 2, 0, 0, 3), (2, 4, 2, 1, 0))
    assert [group.tolist() for group in met_groups(won + won.T + tied)] == [[1, 2, 4], [0, 6]]
