"""DKWT: against a plain version, and against its guarantee."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.dkwt import trial_size
from tests.learners.conformance import DuelLearnerConformance
from tests.learners.dueling.support import identification_problem, with_winner
from tests.learners.support import OutcomesByPair, run_to_the_end
from tests.support import binomial_margin


class TestDkwt(DuelLearnerConformance):
    learner = "dkwt"


def reference_dkwt(order, duel, delta):
    """The winner that stays, of arms in this order."""
    share = delta / len(order)
    stays = order[0]
    for other in order[1:]:
        s, decided = 1, False
        while not decided:
            error, h = 6 * share / (math.pi**2 * s**2), 2 ** (-s - 1)
            size = math.ceil(8 * math.log(4 / error) / h**2)
            won = sum(duel(stays, other) for _ in range(size))
            ahead = won / size - (size - won) / size
            if abs(ahead) > h:
                decided = True
                stays = stays if ahead > 0 else other
            s += 1
    return stays


@pytest.mark.parametrize("seed", range(7))
def test_dkwt_duels_exactly_as_the_reference(seed):
    mu = identification_problem(seed)
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    order = np.random.default_rng(seed).permutation(mu.arms).tolist()
    winner = reference_dkwt(order, plain.duel, 0.1)
    learner = cpe.learners.dkwt(mu.arms, rng=np.random.default_rng(seed), delta=0.1)
    answer, _ = run_to_the_end(learner, ours)
    assert answer == winner
    assert (ours.draws == plain.draws).all()


def test_trials_of_dkwt_are_as_long_as_the_paper_says():
    """gamma = 0.05/4: 8 · 16 ln(4 π²/(6 · 0.0125)), and four times as long with ln 2² more."""
    assert trial_size(1, 0.0125) == math.ceil(128 * math.log(4 * math.pi**2 / 0.075)) == 803
    assert trial_size(2, 0.0125) == math.ceil(512 * math.log(16 * math.pi**2 / 0.075))


def test_dkwt_cut_off_names_the_arm_that_stays():
    mu = with_winner(3, 0.45)
    exchange = cpe.learners.Exchange(cpe.learners.dkwt, 3, rng=4)
    environment = OutcomesByPair(mu, 0)
    first = {exchange.query.i, exchange.query.j}
    while {exchange.query.i, exchange.query.j} == first:
        exchange.tell(environment.answer(exchange.query))
    stays = first & {exchange.query.i, exchange.query.j}
    exchange.stop()
    assert {exchange.answer} == stays


@pytest.mark.parametrize("delta", [0.3, 0.05])
def test_failures_stay_below_delta(delta):
    """60 seeds: with more failures than this the claim is false (error 0.001)."""
    mu = with_winner(5, 0.1, seed=2)
    traces = [cpe.simulate("dkwt", mu, seed=s, delta=delta) for s in range(60)]
    assert all(trace.proved for trace in traces)
    assert sum(trace.answer != 4 for trace in traces) <= binomial_margin(60, delta)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"delta": 0.0}, r"delta is 0\.0, expected a number above 0"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate("dkwt", cpe.load_instance("gap"), horizon=10, **parameters)
