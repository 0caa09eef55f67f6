"""T* of Copeland winners: three methods, three solvers, brute force, published values."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.dueling.confusing_instances import identification_rows, null_evidence
from cpe_opt.formulations.information import least_cost
from cpe_opt.modelling.result import Status
from tests.formulations.dueling.flips import copeland_cost, random_prices
from tests.support import random_preferences

METHODS = ("cuts", "compact", "enumerate")
SOLVERS = ("highs", "glop", "scip")


def random_case(seed):
    """A matrix of 2 to 5 arms, some pairs tied or at the margin, prices, and the margin or 0."""
    rng = np.random.default_rng([14, seed])
    margin = (0.0, 0.03, 0.0, 0.08, 0.15)[seed % 5]
    arms = int(rng.integers(2, 6))
    array = random_preferences(arms, rng, ties=int(rng.integers(0, 3)) if seed % 2 else 0).array
    array = 0.5 + (array - 0.5) * (rng.choice([0.2, 0.5, 1.0]) if margin else 1.0)
    if seed % 6 == 1:
        other = int(rng.integers(1, arms))
        array[0, other], array[other, 0] = 0.5 + margin, 0.5 - margin
    prices = random_prices(arms, rng) if seed % 3 else np.ones((arms, arms))
    return cpe.PreferenceMatrix(array), prices, margin


def check_against_brute_force(seed):
    """Every right answer by every method, by solvers in turn; the optima of all of them."""
    mu, prices, margin = random_case(seed)
    right = mu.copeland_winners_within(margin)
    expected = {arm: copeland_cost(mu.array, arm, prices, margin) for arm in right}
    for place, method in enumerate(METHODS):
        solver = SOLVERS[(place + seed) % 3]
        time = cpe.copeland_time(mu, prices=prices, margin=margin, method=method, solver=solver)
        assert time.by_winner == pytest.approx(expected, rel=1e-6)
        assert time.value == min(time.by_winner.values())
        q = time.exploration
        assert (q == q.T).all()
        if math.isfinite(time.value):
            assert time.gap < 1e-6
            assert np.triu(q * prices).sum() == pytest.approx(time.value, rel=1e-6)
            evidence = null_evidence(mu.array, 0.5 - margin)
            rows = identification_rows(mu.array, time.winner, margin)
            assert rows.evidence(q * np.maximum(evidence, evidence.T)) >= 1 - 1e-7
        else:
            assert np.isinf(q[time.winner]).any()
    for arm in set(range(mu.arms)) - set(right):
        assert copeland_cost(mu.array, arm, prices, margin) == math.inf
        with pytest.raises(cpe.InputError, match=r"is no Copeland winner"):
            cpe.copeland_time(mu, arm, margin=margin)
    return expected


def test_brute_force_over_all_sets_of_flips():
    found = [check_against_brute_force(seed) for seed in (*range(10), 14, 18)]
    assert sum(len(each) > 1 for each in found) >= 2
    values = [value for each in found for value in each.values()]
    assert sum(map(math.isinf, values)) >= 2


@pytest.mark.slow
def test_brute_force_on_500_matrices():
    for seed in range(500):
        check_against_brute_force(seed)


def test_where_no_number_of_duels_is_enough():
    mu = cpe.PreferenceMatrix(np.array([[5, 5, 7], [5, 5, 7], [3, 3, 5]]) / 10)
    for method in METHODS:
        time = cpe.copeland_time(mu, method=method)
        assert (time.value, time.bound, time.gap, time.winner) == (math.inf, math.inf, 0.0, 0)
        assert time.result is None
        assert (np.isinf(time.exploration) == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]).all()
        assert time.duels(0.05) == math.inf
        assert time.duels(0.5) == 0.0
        program = cpe.copeland_time_program(mu, method=method)
        assert cpe.solve(program, check=False).status is Status.INFEASIBLE
    even = cpe.copeland_time(cpe.PreferenceMatrix(np.full((3, 3), 0.5)))
    assert even.value == math.inf  # though every answer is right: no number of duels shows it


def test_duels_are_t_star_times_the_information_of_a_right_answer():
    time = cpe.copeland_time(cpe.load_instance("gap"))
    for delta in (0.4, 0.05, 1e-9):
        information = delta * np.log(delta / (1 - delta)) + (1 - delta) * np.log(1 / delta - 1)
        assert time.duels(delta) == pytest.approx(time.bound * information, rel=1e-12)
    assert time.duels(1e-200) == pytest.approx(time.value * 200 * math.log(10), rel=1e-9)
    several = cpe.copeland_time(cpe.load_instance("multisol"))  # answers may be spread
    assert several.duels(0.05) == least_cost(list(several.by_winner.values()), 0.05)


def test_what_no_number_of_duels_decides_with_a_margin():
    mu = cpe.PreferenceMatrix([[0.5, 0.4, 0.7], [0.6, 0.5, 0.7], [0.3, 0.3, 0.5]])
    time = cpe.copeland_time(mu, 0, margin=0.1)
    assert (time.value, time.bound, time.result) == (math.inf, math.inf, None)
    assert np.argwhere(np.isinf(time.exploration)).tolist() == [[0, 1], [1, 0]]
    assert cpe.copeland_time(mu, margin=0.1).winner == 1
    for method in METHODS:
        program = cpe.copeland_time_program(mu, 0, margin=0.1, method=method)
        assert cpe.solve(program, check=False).status is Status.INFEASIBLE
