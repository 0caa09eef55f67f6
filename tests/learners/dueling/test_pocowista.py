"""POCOWISTA: against a plain version, and against its guarantee."""

import math

import pytest
from scipy.stats import beta

import cpe_opt as cpe
from cpe_opt.learners.dueling.pocowista import log_posterior_ratio
from tests.learners.dueling.support import identification_problem
from tests.learners.support import OutcomesByPair, run_to_the_end


def reference_pocowista(arms, duel, delta):
    """The winner; with ``duel(i, j)`` whether i wins. One pair after another, by dictionaries."""
    beats = {}

    def compared(i, j):
        return (i, j) in beats or (j, i) in beats

    def score(i):
        return sum(beats.get((i, j), False) for j in range(arms))

    def potential(i):
        return score(i) + sum(j != i and not compared(i, j) for j in range(arms))

    def mode(i, j):
        error = delta / math.comb(arms, 2)
        wins = [0, 0]
        while beta.pdf(0.5, wins[0] + 1, wins[1] + 1) > error:
            wins[not duel(i, j)] += 1
        return i if wins[0] > wins[1] else j

    while True:
        best = max(range(arms), key=score)
        if score(best) >= max(potential(i) for i in range(arms) if i != best):
            return best
        i = max(range(arms), key=potential)
        j = max((j for j in range(arms) if j != i and not compared(i, j)), key=score)
        first = mode(i, j)
        beats[first, j if first == i else i] = True
        beats[j if first == i else i, first] = False


def test_the_posterior_ratio_is_that_of_the_densities():
    for wins, losses in ((0, 0), (1, 0), (0, 7), (5, 5), (40, 13), (3000, 2900)):
        density = beta.pdf(0.5, wins + 1, losses + 1)
        assert log_posterior_ratio(wins, losses) == pytest.approx(-math.log(density), abs=1e-9)


@pytest.mark.parametrize("seed", range(7))
def test_pocowista_duels_exactly_as_the_reference(seed):
    mu = identification_problem(seed)
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    winner = reference_pocowista(mu.arms, plain.duel, 0.1)
    answer, _ = run_to_the_end(cpe.learners.pocowista(mu.arms, delta=0.1), ours)
    assert answer == winner
    assert (ours.draws == plain.draws).all()
