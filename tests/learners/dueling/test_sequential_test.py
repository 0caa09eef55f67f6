"""The sequential test of two arms: its answers, several pairs at once, and what is refused."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.proofs.dueling.two_arms import TwoArmBets

TEST = cpe.learners.sequential_test


def played(scores, **parameters):
    """The exchange after these pairs, or those that it took."""
    exchange = Exchange(TEST, 2, **parameters)
    for score in scores:
        if exchange.finished:
            break
        exchange.tell(score)
    return exchange


def test_it_stops_at_the_pair_that_proves_it_by_the_bets_on_all_before():
    drawn = np.random.default_rng(3).choice(
        [0, 0.25, 0.5, 0.75, 1], 400, p=[0.05, 0.2, 0.3, 0.3, 0.15]
    )
    for scores, answer in ((drawn, 0), (1.0 - drawn, 1)):
        bets, count = TwoArmBets(0.45, 0.55), 0
        while max(bets.evidence) < math.log(50):
            bets.add(scores[count])
            count += 1
        assert bets.evidence[answer] == max(bets.evidence)
        for parallel in (1, 4):
            said = {"low": 0.45, "high": 0.55, "alpha": 0.02, "beta": 0.02, "parallel": parallel}
            assert not played(scores[: count - 1], **said).finished
            exchange = played(scores[:count], **said)
            assert (exchange.answer, exchange.doubt) == (answer, "")


def test_each_answer_has_its_error():
    wins = [1.0] * 60
    for alpha, beta in ((0.001, 0.2), (0.2, 0.001)):
        lengths = []
        for scores in (wins, [0.0] * 60):
            exchange, count = Exchange(TEST, 2, low=0.45, high=0.55, alpha=alpha, beta=beta), 0
            while not exchange.finished:
                exchange.tell(scores[count])
                count += 1
            lengths.append(count)
        assert (lengths[0] > lengths[1]) == (alpha < beta)


def test_at_a_horizon_it_says_for_which_there_is_more():
    for scores, answer in (([0.75, 1, 0.5], 0), ([0.25, 0, 0.5], 1)):
        exchange = played(scores, low=0.5, high=0.6)
        exchange.stop()
        assert exchange.answer == answer
        assert "by then the evidence is " in exchange.doubt


def test_what_it_cannot_compare_is_refused():
    with pytest.raises(cpe.InputError, match="arms is 3, expected 2"):
        Exchange(TEST, 3, low=0.5, high=0.6)
    with pytest.raises(cpe.InputError, match=r"low is 0.6 and high is 0.5, expected shares"):
        Exchange(TEST, 2, low=0.6, high=0.5)
    with pytest.raises(cpe.InputError, match="a number from 0 to 1"):
        played([1.25], low=0.5, high=0.6)
