"""DKWT: against a plain version, and against its guarantee."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from tests.learners.dueling.support import identification_problem
from tests.learners.support import OutcomesByPair, run_to_the_end


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
