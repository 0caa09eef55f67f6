"""condorcet-tracking: its proof, and what it says where there is no Condorcet winner."""

import itertools
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.proofs.dueling.condorcet import condorcet_product
from cpe_opt.proofs.dueling.e_values import log_e_values
from tests.learners.dueling.support import CLEAR

CONDITIONAL = "proved, if there is a Condorcet winner"


def cycle(arms, lead):
    """Each arm beats the next half."""
    array = np.full((arms, arms), 0.5)
    for i, j in itertools.combinations(range(arms), 2):
        ahead = (j - i) % arms <= arms // 2
        array[i, j] = 0.5 + (lead if ahead else -lead)
        array[j, i] = 1.0 - array[i, j]
    return cpe.PreferenceMatrix(array)


@pytest.mark.parametrize(
    ("learner", "parameters"),
    [
        ("condorcet-tracking", {}),
        ("condorcet-tracking", {"parallel": 10}),
        ("dkwt", {}),
        ("savage", {"target": "condorcet"}),
    ],
)
def test_a_proof_that_needs_a_condorcet_winner_says_so(learner, parameters):
    for seed in range(2):
        mu = cycle(3, 0.3)
        trace = cpe.simulate(learner, mu, delta=0.05, seed=seed, horizon=10**6, **parameters)
        assert mu.condorcet_winner is None
        assert trace.claim == CONDITIONAL or not trace.proved
        trace = cpe.simulate(learner, CLEAR, delta=0.05, seed=seed, **parameters)
        assert (trace.answer, trace.claim) == (0, CONDITIONAL)
        assert trace.proved


def test_an_arm_that_is_ruled_out_is_no_answer():
    """All three lose: there is no Condorcet winner, and that is what is said."""
    wins = np.array([[0, 40, 3], [3, 0, 40], [40, 3, 0.0]])
    against = condorcet_product(log_e_values(wins, wins.T)).min()
    for delta, ruled_out in ((1.01 * math.exp(-against), True), (0.99 * math.exp(-against), False)):
        exchange = Exchange(cpe.learners.condorcet_tracking, 3, delta=delta, prior=wins)
        assert exchange.finished == ruled_out
    exchange = Exchange(cpe.learners.condorcet_tracking, 3, delta=0.05, prior=wins)
    assert exchange.doubt == "every arm is ruled out: there is no Condorcet winner"
    assert exchange.assumption == ""
