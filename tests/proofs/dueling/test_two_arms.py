"""Bets on pairs of games: fair whatever nature does, exact errors, about the LLR of a GSPRT."""

import math
from copy import deepcopy
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.proofs.dueling.two_arms import (
    SCORES,
    TwoArmBets,
    elo_of_share,
    expected_pairs,
    growth_optimal_stake,
    log_evidence_of_counts,
    share_of_elo,
)

MEANS = [(0.5, 0.75), (0.3, 0.7), (0.6, 0.65)]


def extreme(mean, side):
    """Distributions on the five scores, at most two of them, with this mean or beyond it."""
    for i, j in product(range(5), repeat=2):
        p = np.zeros(5)
        if SCORES[i] <= mean < SCORES[j]:
            p[j] = (mean - SCORES[i]) / (SCORES[j] - SCORES[i])
            p[i] = 1.0 - p[j]
        elif i == j and (SCORES[i] - mean) * side >= 0:
            p[i] = 1.0
        else:
            continue
        yield p


@cache
def gains(low, high, before):
    """What each score adds to the evidence for better and for worse after scores whose order does
    not matter, by places 0 … 4; (5, 2)."""
    bets, added = TwoArmBets(low, high), []
    for place in before:
        bets.add(SCORES.item(place))
    for score in SCORES.tolist():
        then = deepcopy(bets)
        then.add(score)
        added.append(np.subtract(then.evidence, bets.evidence))
    return np.array(added)


@pytest.mark.parametrize(("low", "high"), MEANS)
def test_no_bet_gains_on_average_after_any_pairs_whatever_nature_chooses(low, high):
    for n in range(3):
        for before in combinations_with_replacement(range(5), n):
            factors = np.exp(gains(low, high, before))
            for which, mean, side in ((0, low, -1), (1, high, 1)):
                average = [p @ factors[:, which] for p in extreme(mean, side)]
                assert 1.0 - 1e-6 <= max(average) <= 1.0 + 1e-12
            assert factors.min() > 0.0


def worst(low, high, which, needed, n, before=(), evidence=0.0):
    """The largest probability, over all that nature may do, of ever reaching ``needed``."""
    if evidence >= needed:
        return 1.0
    if len(before) == n:
        return 0.0
    added = gains(low, high, tuple(sorted(before)))[:, which]
    then = [
        worst(low, high, which, needed, n, (*before, place), evidence + added[place])
        for place in range(5)
    ]
    mean, side = ((low, -1), (high, 1))[which]
    return max(p @ then for p in extreme(mean, side))


@pytest.mark.parametrize("alpha", [0.5, 0.3])
@pytest.mark.parametrize("which", [0, 1])
def test_an_adaptive_nature_is_called_wrong_at_most_as_often_as_said(alpha, which):
    found = worst(0.5, 0.8, which, -math.log(alpha), 4)
    assert alpha / 2 < found <= alpha


def test_stakes_are_best_for_the_distribution_with_the_other_mean():
    coins = np.array([0.1, 1e-12, 1e-12, 1e-12, 0.9])
    # Of coins all distributions with a mean are one: the stake is that of the likelihood ratio.
    assert growth_optimal_stake(coins, 0.5, 0.6) == pytest.approx(0.1 / 0.25, rel=1e-4)
    assert growth_optimal_stake(coins, 0.9, 0.95) == pytest.approx(0.05 / 0.09, rel=1e-4)
    weights = np.array([3.0, 20.0, 50.0, 22.0, 5.0])
    stake, low, high = growth_optimal_stake(weights, 0.5, 0.52), 0.5, 0.52
    theta = np.linspace(0.0, 2.0, 20001)
    tilted = weights * np.exp(theta[:, None] * SCORES)
    tilted /= tilted.sum(axis=1, keepdims=True)
    p = tilted[np.abs(tilted @ SCORES - high).argmin()]
    grown = [p @ np.log1p(s * (SCORES - low)) for s in (0.98 * stake, stake, 1.02 * stake)]
    assert max(grown) == grown[1]


PAIRS = np.array([0.035, 0.235, 0.445, 0.245, 0.04])


def test_evidence_is_about_the_log_likelihood_ratio_of_the_gsprt():
    low, high = share_of_elo(0.0), share_of_elo(5.0)
    scores = np.random.default_rng(4).choice(SCORES, 4000, p=[0.03, 0.225, 0.445, 0.255, 0.045])
    bets = TwoArmBets(low, high)
    for score in scores.tolist():
        bets.add(score)
    llr = float((scores - (low + high) / 2.0).sum()) * (high - low) / scores.var()
    assert llr > 5.0
    assert bets.evidence == pytest.approx((llr, -llr), abs=0.4)
    counts = np.array([(scores == score).sum() for score in SCORES])
    assert bets.counts.tolist() == counts.tolist()
    by_counts = log_evidence_of_counts(counts.astype(float), low, high)
    assert by_counts[0] == pytest.approx(llr, abs=1.5)


DISTRIBUTIONS = [
    [0.5, 0, 0, 0, 0.5],
    [0.2, 0.1, 0.4, 0.1, 0.2],
    [0.0, 0.1, 0.8, 0.1, 0.0],
    [0.05, 0.3, 0.35, 0.2, 0.1],
    [0.0, 0.6667, 0.0, 0.0, 0.3333],
]


@cache
def of_counts(counts, low, high):
    """The evidence of counts, for better and for worse."""
    return log_evidence_of_counts(np.array(counts, dtype=float), low, high)


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("p", DISTRIBUTIONS)
def test_counts_without_their_order_are_wrong_at_most_as_often_as_said(p, which):
    """By their distribution after n pairs that did not lead to a proof, exactly."""
    mean, alpha = float(SCORES @ p), 0.3
    low, high = (mean, mean + 0.3) if which == 0 else (mean - 0.3, mean)
    reached, now = 0.0, {(0,) * 5: 1.0}
    for _ in range(7):
        then: dict[tuple[int, ...], float] = {}
        for counts, likely in now.items():
            for place in range(5):
                after = tuple(c + (k == place) for k, c in enumerate(counts))
                then[after] = then.get(after, 0.0) + likely * p[place]
        proved = {each for each in then if of_counts(each, low, high)[which] >= -math.log(alpha)}
        reached += sum(then[each] for each in proved)
        now = {each: then[each] for each in then if each not in proved}
    assert reached <= alpha


def test_cells_of_variances_that_are_wrong_are_refuted_and_the_right_one_is_not():
    """With many pairs the evidence is nearly the LLR, whatever their variance."""
    low, high = 0.5, 0.52
    halfway = log_evidence_of_counts(np.array([0.0, 800, 8000, 1200, 0]), low, high)
    assert -3.0 < min(halfway) <= max(halfway) < 0.0
    for counts in ([0.0, 900, 8000, 1100, 0], [900, 0, 8000, 0, 1100], [4500, 0, 0, 0, 5500]):
        mean = SCORES @ counts / 1e4
        llr = 1e4 * (mean - 0.51) * 0.02 / (counts @ (SCORES - mean) ** 2 / 1e4)
        better, worse = log_evidence_of_counts(np.array(counts), low, high)
        best = better if llr > 0.0 else worse
        assert 0.7 * abs(llr) - 4.0 < best < 1.05 * abs(llr)


def test_elo_and_shares():
    assert share_of_elo(0.0) == 0.5
    assert share_of_elo(400.0) == pytest.approx(10 / 11)
    assert elo_of_share(share_of_elo(-37.0)) == pytest.approx(-37.0)
    assert elo_of_share(0.0) == -math.inf


@pytest.mark.parametrize("mean", [0.45, 0.5, 0.54, 0.55, 0.57, 0.6])
def test_expected_pairs_are_those_of_a_brownian_motion(mean):
    up, down, step, unit = math.log(20), math.log(100), 1e-3, 0.1**2 / 0.05

    def pairs(x):
        return expected_pairs(mean, 0.5, 0.6, 0.05, up - x, down + x)

    curved = (pairs(step) - 2 * pairs(0.0) + pairs(-step)) / step**2
    sloped = (pairs(step) - pairs(-step)) / (2 * step)
    assert unit * curved / 2 + (mean - 0.55) * 2.0 * sloped == pytest.approx(-1.0, abs=1e-3)
    assert (pairs(up), pairs(-down)) == pytest.approx((0.0, 0.0), abs=1e-6)
    assert expected_pairs(mean, 0.5, 0.5000001, 0.05, up, down) > 0.0  # no exponential overflows


def test_the_report_says_what_is_proved_and_json_has_it():
    found = cpe.two_arms([260, 1900, 4200, 2150, 330], elo0=0, elo1=5)
    assert (found.proved, found.as_dict()["counts"]) == ("better", [260, 1900, 4200, 2150, 330])
    assert "new is better than 0 Elo (a mean above 0.5)" in str(found)
    swapped = cpe.two_arms([330, 2150, 4200, 1900, 260], elo0=-5, elo1=0, labels=("a", "b"))
    assert swapped.evidence == pytest.approx(found.evidence[::-1], abs=1e-6)
    assert "a is worse than 0 Elo (a mean below 0.5)" in str(swapped)
    assert swapped.elo == pytest.approx(-found.elo)
    error = 1.96 * math.sqrt(found.variance / 8840)
    ends = elo_of_share(found.mean - error), elo_of_share(found.mean + error)
    assert (found.elo_interval, found.remaining()) == (pytest.approx(ends), 0.0)
    few = cpe.two_arms([26, 190, 420, 215, 33], elo0=0, elo1=5)
    to_go = [math.log(20) - evidence for evidence in few.evidence]
    assert few.remaining() == expected_pairs(few.mean, few.low, few.high, few.variance, *to_go)
    none = cpe.two_arms([0, 0, 0, 0, 0], low=0.5, high=0.6, alpha=0.01)
    assert none.proved == ""
    assert "not proved yet" in str(none)
    assert "nan" not in str(none)
    assert none.evidence[0] <= 0.0
    # Enough for beta, not for the smaller alpha.
    some = [20, 150, 400, 230, 40]
    assert cpe.two_arms(some, low=0.5, high=0.53).proved == "better"
    assert cpe.two_arms(some, low=0.5, high=0.53, alpha=1e-9).proved == ""


FIVE = [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("counts", "question", "message"),
    [
        ([1, 2, 3], {"elo0": 0, "elo1": 5}, r"pairs is \[1, 2, 3\], expected five counts"),
        ([1, 2, 3, 4, -5], {"elo0": 0, "elo1": 5}, "expected five counts, at least 0"),
        (FIVE, {}, "nothing is said of the means that matter"),
        (FIVE, {"elo0": 0, "high": 0.6}, "elo0 and high is said"),
        (FIVE, {"elo0": 5, "elo1": 0}, "elo0 is 5 and elo1 is 0, expected -2000 <= elo0 < elo1"),
        (FIVE, {"elo0": 5, "elo1": 5}, "elo0 is 5 and elo1 is 5, expected -2000 <= elo0"),
        (FIVE, {"elo0": 0, "elo1": 5, "alpha": 0.95}, "alpha is 0.95, expected .* below 0.5"),
        (FIVE, {"elo0": 0, "elo1": 5, "beta": 0}, "beta is 0, expected .* at least 1e-306"),
        (FIVE, {"elo0": 0, "elo1": 5, "anchor": "old"}, "no effect on counts"),
    ],
)
def test_what_is_no_question_is_refused(counts, question, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.two_arms(counts, **question)
