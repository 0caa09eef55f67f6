"""Bradley and Terry's model with ties: its largest likelihood, and intervals."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

import cpe_opt as cpe
from cpe_opt.problems.clusters import outcomes_of
from cpe_opt.problems.dueling import davidson
from cpe_opt.problems.dueling.davidson import davidson_fit
from cpe_opt.reports.decision import evidence_report

WON = np.array([[0, 10, 14], [5, 0, 9], [3, 2, 0]], dtype=float)
TIED = np.array([[0, 4, 6], [4, 0, 2], [6, 2, 0]], dtype=float)


def loss(x):
    """The negative log-likelihood with half a win and half a loss for each arm."""
    total = 0.0
    for i in range(3):
        total -= 0.5 * (np.log(1 / (1 + np.exp(-x[i]))) + np.log(1 / (1 + np.exp(x[i]))))
        for j in range(i + 1, 3):
            parts = np.exp([(x[i] - x[j]) / 2, (x[j] - x[i]) / 2, x[3]])
            counts = [WON[i, j], WON[j, i], TIED[i, j]]
            total -= counts @ np.log(parts / parts.sum())
    return total


def test_strengths_are_where_the_likelihood_is_largest():
    fit = davidson_fit(cpe.Votes(WON + TIED / 2, tied=TIED), resamples=20)
    [group] = fit.groups
    found = minimize(loss, np.zeros(4), tol=1e-12).x
    assert [group.strengths[str(k)] for k in range(3)] == pytest.approx(
        found[:3] - found[:3].mean(), abs=1e-5
    )
    assert fit.ties == pytest.approx(np.exp(found[3]), rel=1e-5)
    assert list(group.strengths) == ["0", "1", "2"]
    assert fit == davidson_fit(cpe.Votes(WON + TIED / 2, tied=TIED), resamples=20)


def test_without_ties_it_is_that_of_bradley_and_terry():
    fit = davidson_fit(cpe.Votes([[0, 3000], [1000, 0]]), resamples=50)
    [group] = fit.groups
    assert group.strengths["0"] - group.strengths["1"] == pytest.approx(np.log(3), abs=2e-3)
    assert fit.ties == 0.0
    low, high = group.intervals["0"]  # half of the log-odds, of which 1/sqrt(750) is the deviation
    assert high - low == pytest.approx(2 * 1.96 / 2 / np.sqrt(750), rel=0.35)


def board(arms, *pairs):
    """Votes of pairs: (i, j, wins of i, wins of j, ties)."""
    won, tied = np.zeros((arms, arms)), np.zeros((arms, arms))
    for i, j, first, second, even in pairs:
        won[i, j], won[j, i] = first + even / 2, second + even / 2
        tied[i, j] = tied[j, i] = even
    return cpe.Votes(won, tied=tied)


def test_groups_that_never_met_have_a_scale_each():
    pairs = [(0, 1, 5, 3, 0), (1, 2, 4, 4, 0), (4, 5, 50, 0, 0)]
    first, second = davidson_fit(board(7, *pairs), resamples=10).groups
    alone = davidson_fit(board(3, *pairs[:2]), resamples=10).groups[0]
    assert first.strengths == pytest.approx(alone.strengths, abs=2e-6)
    assert first.intervals.keys() == {"0", "1", "2"}
    assert 2.0 < second.strengths["4"] == -second.strengths["5"] < 10.0
    assert (second.intervals, second.no_intervals) == ({}, "in 1 of 1 pairs all votes are alike")
    for group in (first, second):
        assert sum(group.strengths.values()) == pytest.approx(0.0, abs=1e-5)
    said = str(cpe.evidence(board(7, *pairs))).splitlines()
    assert sum("group 1 of 2" in line or "group 2 of 2" in line for line in said) == 2
    assert any("strengths of different groups share no scale" in line for line in said)
    assert "without votes, and so without a strength: 3, 6" in said


def test_where_a_pair_is_always_drawn_alike_there_are_no_intervals():
    alike = "in {} of 3 pairs all votes are alike"
    for pairs, why in (
        ([(0, 1, 3, 0, 0), (1, 2, 3, 0, 0), (2, 0, 3, 0, 0)], alike.format(3)),
        ([(0, 1, 3, 2, 0), (1, 2, 3, 1, 0), (2, 0, 1, 0, 0)], alike.format(1)),
        ([(0, 1, 0, 0, 4), (1, 2, 3, 1, 0), (2, 0, 1, 1, 1)], alike.format(1)),
        ([(0, 1, 3, 0, 4), (1, 2, 3, 0, 1), (2, 0, 0, 1, 1)], "no pair was won by both of its"),
        ([(0, 1, 3, 0, 4), (1, 2, 3, 1, 0), (2, 0, 0, 1, 1)], ""),
    ):
        found = cpe.evidence(board(3, *pairs))
        [group] = found.bradley_terry.groups
        assert group.no_intervals.startswith(why)
        assert bool(group.intervals) == (not why) == (not group.no_intervals)
        widths = [high - low for low, high in group.intervals.values()]
        assert all(width > 0.5 for width in widths)
        line = next(line for line in str(found).splitlines() if line.startswith("strengths"))
        assert ("no intervals" in line) == bool(why)
        assert (" to " in line) == (not why)
    rankings = cpe.Votes([[0, 6, 7], [4, 0, 6], [3, 4, 0]], independent=False)
    for votes, why in (
        (rankings, "votes on several pairs are not independent"),
        (rankings.submatrix([0, 1]), ""),
    ):
        assert davidson_fit(votes, resamples=2).groups[0].no_intervals == why
    none = davidson_fit(board(2, (0, 1, 0, 0, 4)))
    assert (none.ties, none.resamples) == (np.inf, 0)


def test_numbers_of_any_size_have_strengths():
    most = 2.0**53
    [group] = davidson_fit(board(2, (0, 1, most, 1, 0))).groups
    # The loss, and half a loss each of and against an arm of strength 0.
    assert group.strengths["0"] == pytest.approx(18.1657, abs=1e-3)
    low, high = group.intervals["0"]
    assert low < group.strengths["0"] < high
    # What is weak between strong pairs is not lost: 3 to 1 with a half more on both sides.
    many = most / 8.0
    [group] = davidson_fit(
        board(4, (0, 1, many, many, 0), (1, 2, 3, 1, 0), (2, 3, many, many, 0))
    ).groups
    weak = davidson_fit(board(4, (0, 1, 1e6, 1e6, 0), (1, 2, 3, 1, 0), (2, 3, 1e6, 1e6, 0))).groups[
        0
    ]
    assert group.strengths == pytest.approx(weak.strengths, abs=1e-4)
    assert group.strengths["0"] - group.strengths["3"] > 0.8
    chain = [(k, k + 1, 1e14, 0, 0) for k in range(29)]
    [group] = davidson_fit(board(30, *chain)).groups
    assert list(group.strengths) == [str(k) for k in range(30)]
    assert group.strengths["0"] > 400.0


def test_votes_of_clusters_are_drawn_by_clusters():
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(40), 25)
    share = np.repeat((rng.random(40) < 0.6).astype(float), 25)
    zeros, ones = np.zeros(1000, dtype=int), np.ones(1000, dtype=int)
    outcomes, _ = outcomes_of(cluster, zeros, ones, share, np.ones(1000), 2)
    wins = np.array([[0, share.sum()], [1000 - share.sum(), 0]])
    widths = [
        np.diff(davidson_fit(votes, resamples=50).groups[0].intervals["0"]).item()
        for votes in (cpe.Votes(wins, outcomes=outcomes), cpe.Votes(wins))
    ]
    assert widths[0] > 3 * widths[1]  # the root of 25 is 5


def test_it_is_said_to_be_an_estimate_wherever_it_is_shown():
    found = cpe.evidence(cpe.Votes(WON + TIED / 2, tied=TIED))
    line = next(line for line in str(found).splitlines() if "Bradley" in line)
    assert "estimate, not proved" in line
    assert found.as_dict()["bradley_terry"]["note"] == "estimate, not proved"
    assert "ties (estimate, not proved" in evidence_report(found).html()
    said = str(cpe.analyse(cpe.PreferenceMatrix.from_votes(found.votes))).splitlines()
    assert "all of it estimated from votes" in said[0]
    for what in ("Borda winner", "T*", "closest pair", "hardness"):
        assert any(line.startswith(f"estimate: {what}") for line in said)


@pytest.mark.parametrize("more", [1.0, 9.0])
def test_drawn_votes_have_the_strengths_that_newtons_method_finds(more, monkeypatch):
    theta, nu = davidson._maximum(WON, TIED, np.zeros(3), 1.0)
    model = davidson._Likelihood(WON, TIED)
    inverse = model.newton(theta, model.start(nu), np.eye(model.size))
    drawn = more * np.array([[0, 8, 12], [6, 0, 11], [5, 1, 0.0]]), more * TIED
    found = davidson._maximum(*drawn, theta, nu)[0]
    calls = []
    monkeypatch.setattr(davidson, "_maximum", lambda *_: calls.append(1) or (found, nu))
    assert davidson._nearby(*drawn, theta, nu, inverse) == pytest.approx(found, abs=1e-4)
    assert bool(calls) == (more > 1.0)  # steps by nine times the inverse would grow


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arms", "votes", "nu", "chain"),
    [(2, 10, 0.5, False), (8, 10, 0.0, False), (8, 10, 0.0, True)],
)
def test_of_a_hundred_intervals_some_ninety_hold_the_true_strength(arms, votes, nu, chain):
    rng = np.random.default_rng(arms + votes)
    held, pairs = [], list(itertools.combinations(range(arms), 2))
    while len(held) < 100:
        theta = 0.7 * rng.normal(size=arms)
        theta -= theta.mean()
        counted = []
        for i, j in [(k, k + 1) for k in range(arms - 1)] if chain else pairs:
            half = np.exp((theta[i] - theta[j]) / 2)
            parts = np.array([half, 1 / half, nu])
            counted.append((i, j, *rng.multinomial(votes, parts / parts.sum())))
        [group] = davidson_fit(board(arms, *counted), resamples=200, seed=len(held)).groups
        if group.intervals:
            ends = np.array([group.intervals[str(k)] for k in range(arms)])
            held.append((ends[:, 0] <= theta) & (theta <= ends[:, 1]))
    share = np.mean(held)
    print(f"\n{arms} arms, {votes} votes, nu {nu}, chain {chain}: {100 * share:.1f} %", end="")
    assert share > 0.88
