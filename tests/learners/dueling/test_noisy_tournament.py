"""Noisy tournament sampling: against a plain version, and against its guarantee."""

import math

import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.noisy_tournament import lead_needed
from tests.learners.dueling.support import identification_problem
from tests.learners.support import OutcomesByPair, run_to_the_end


def reference_nts(arms, duel, h, delta):
    """The Condorcet winner or None, and the pairs that were decided, in order."""
    error = delta / arms
    decided = []

    def wins(i, j):
        """Likelihoods of 1/2 + h and 1/2 - h, one against the other."""
        decided.append((i, j))
        log_ratio, step = 0.0, math.log((0.5 + h) / (0.5 - h))
        while abs(log_ratio) < math.log((1 - error) / error) * (1 - 1e-12):
            log_ratio += step if duel(i, j) else -step
        return log_ratio > 0

    beaten_by = [set() for _ in range(arms)]
    queue = list(range(arms))
    while len(queue) > 1:
        following = [queue[-1]] if len(queue) % 2 else []
        for i, j in zip(queue[0::2], queue[1::2], strict=False):
            winner, loser = (i, j) if wins(i, j) else (j, i)
            beaten_by[winner].add(loser)
            following.append(winner)
        queue = following
    candidate = queue[0]
    for other in range(arms):
        if other not in beaten_by[candidate] | {candidate} and not wins(candidate, other):
            return None, decided
    return candidate, decided


@pytest.mark.parametrize("seed", range(7))
def test_noisy_tournament_duels_exactly_as_the_reference(seed):
    mu = identification_problem(seed)
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    winner, _ = reference_nts(mu.arms, plain.duel, 0.15, 0.1)
    answer, _ = run_to_the_end(cpe.learners.noisy_tournament(mu.arms, h=0.15, delta=0.1), ours)
    assert answer == winner
    assert (ours.draws == plain.draws).all()


def test_a_lead_is_what_the_probability_ratio_test_needs():
    """ln 99 / ln (0.6/0.4) = 11.33."""
    assert lead_needed(0.1, 0.01) == 12
    assert lead_needed(0.49, 0.49) == 1


def test_noise_that_is_taken_for_low_is_an_assumption():
    trace = cpe.simulate("noisy-tournament", cpe.load_instance("cyclic"), h=0.1, seed=1)
    assert trace.claim == "proved, if all probabilities are at least h away from 1/2"
