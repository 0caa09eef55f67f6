"""SAVAGE: against a plain version, and against its guarantee."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from tests.learners.dueling.reference_races import (
    bears_on_the_condorcet_winner,
    bears_on_the_copeland_winner,
    hoeffding,
    race_problem,
    reference_savage,
)
from tests.learners.support import OutcomesByPair, run_to_the_end


@pytest.mark.parametrize("seed", [0, 4])
@pytest.mark.parametrize("horizon", [None, 10**6])
@pytest.mark.parametrize("target", ["copeland", "condorcet"])
def test_savage_explores_exactly_as_the_reference(seed, horizon, target):
    mu = race_problem(seed)
    pairs = mu.arms * (mu.arms - 1) / 2
    delta = 0.05 if horizon is None else 1 / horizon
    eta = (
        (lambda n: math.pi**2 * pairs * n**2 / 3)
        if horizon is None
        else (lambda n: 2 * pairs * horizon)
    )
    bears = {
        "copeland": bears_on_the_copeland_winner,
        "condorcet": bears_on_the_condorcet_winner,
    }[target]
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    books, rounds = reference_savage(mu.arms, plain.duel, hoeffding(eta, delta), bears)
    answer, played = run_to_the_end(
        cpe.learners.savage(mu.arms, horizon=horizon, target=target), ours
    )
    np.fill_diagonal(ours.draws, 0)
    assert (ours.draws == plain.draws).all()
    assert played == (rounds if horizon is None else horizon)
    if target == "copeland":
        assert answer == books.leader()
