"""The Copeland lower bound: three formulations, several solvers, brute force, published values."""

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from scipy.optimize import linprog

import cpe_opt as cpe
from cpe_opt.formulations.dueling import best_winner as winners, lower_bound
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.modelling.result import Status
from tests.support import random_preferences


@given(arms=st.integers(2, 7), seed=st.integers(0, 10**6), ties=st.integers(0, 3))
@settings(max_examples=8)
def test_the_three_programs_have_one_value_which_the_exploration_attains(arms, seed, ties):
    mu = random_preferences(arms, np.random.default_rng(seed), ties=ties)
    for winner in mu.copeland_winners:
        listed = cpe.copeland_bound(mu, winner, method="enumerate").value
        for method in ("cuts", "compact"):
            bound = cpe.copeland_bound(mu, winner, method=method)
            assert bound.value == pytest.approx(listed, rel=1e-7)
            q = bound.exploration
            assert (q == q.T).all()
            assert (np.diag(q) == 0).all()
            if np.isinf(bound.value):
                assert np.isinf(q).any()
                continue
            assert all(q[pair] == 0 for pair in mu.ties)
            x = q * mu.divergences
            assert x.min() >= -1e-12
            assert x.max() <= 1 + 1e-9
            assert copeland_rows(mu.array, winner).evidence(x) >= 1 - 1e-7
            assert np.triu(q * mu.regret()).sum() == pytest.approx(bound.value, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("method", ["cuts", "compact", "enumerate"])
def test_the_bound_is_that_of_all_winners(method):
    """The least of the winners' dual bounds, so that it holds for the smallest optimum."""
    mu = cpe.load_instance("mslr5-cycle")
    bound = cpe.copeland_bound(mu, method=method)
    assert len(bound.by_winner) == 3
    assert bound.winner == 1
    assert bound.value == min(bound.by_winner.values())
    assert cpe.copeland_bound(mu, 2, method=method).by_winner == {2: bound.by_winner[2]}
    assert bound.bound == pytest.approx(bound.value, rel=1e-9)
    assert bound.gap < 1e-9


def test_enumeration_is_refused_above_a_stated_number_of_rows():
    mu = random_preferences(24, np.random.default_rng(0))
    with pytest.raises(cpe.InputError, match=r"rows to enumerate, at most 200,000 are listed"):
        cpe.copeland_bound_program(mu, method="enumerate")


def test_near_ties_do_not_upset_the_solver():
    """Costs from 1 to 1e11 in one program."""
    rng = np.random.default_rng(5)
    for _ in range(5):
        mu = random_preferences(8, rng)
        array = mu.array.copy()
        array[0, 1:4] = 0.5 + 1e-6 * rng.choice([-1, 1], size=3)
        array[1:4, 0] = 1 - array[0, 1:4]
        mu = cpe.PreferenceMatrix(array)
        for winner in mu.copeland_winners:
            cuts = cpe.copeland_bound(mu, winner).value
            compact = cpe.copeland_bound(mu, winner, method="compact").value
            assert cuts == pytest.approx(compact, rel=1e-6)


def plain_bound(mu, winner):
    """Every confusing instance as a row: each set of flips after which the winner is none.

    Pairs that are not tied are flipped at the cost of their evidence, the winner's ties for
    nothing. Ties with another winner can be told apart for nothing and are left as they are.
    """
    array, losses = mu.array, mu.losses
    pairs = [(i, j) for i, j in itertools.combinations(range(mu.arms), 2) if array[i, j] != 0.5]
    free = [j for j in range(mu.arms) if array[winner, j] == 0.5 and losses[j] > losses[winner]]
    rows = []
    for flips in itertools.product([False, True], repeat=len(pairs)):
        after = losses.copy()
        for (i, j), flipped in zip(pairs, flips, strict=True):
            if flipped:
                loser, gainer = (i, j) if array[i, j] > 0.5 else (j, i)
                after[loser] += 1
                after[gainer] -= 1
        after[winner] += len(free)
        if after[winner] > after.min():
            rows.append(flips)
    if not rows:
        return 0.0
    costs = [mu.regret()[pair] / mu.divergences[pair] for pair in pairs]
    found = linprog(costs, -np.array(rows, float), -np.ones(len(rows)), bounds=(0, 1))
    return found.fun if found.success else np.inf


def tied(arms, rng, ties):
    """Random preferences with about so many ties, of the first arm as a rule."""
    mu = random_preferences(arms, rng, ties=ties // 2)
    array = mu.array.copy()
    for other in rng.permutation(np.arange(1, arms))[: (ties + 1) // 2]:
        array[0, other] = array[other, 0] = 0.5
    return cpe.PreferenceMatrix(array)


@given(arms=st.integers(2, 4), seed=st.integers(0, 10**6), ties=st.integers(0, 3))
@example(arms=2, seed=0, ties=0)
@example(arms=2, seed=0, ties=1)
@settings(max_examples=25)
def test_no_confusing_instance_is_forgotten(arms, seed, ties):
    mu = tied(arms, np.random.default_rng(seed), ties)
    for winner in mu.copeland_winners:
        expected = plain_bound(mu, winner)
        for method in ("cuts", "compact", "enumerate"):
            bound = cpe.copeland_bound(mu, winner, method=method)
            assert bound.value == pytest.approx(expected, rel=1e-7)
            assert bound.by_winner == {winner: bound.value}


def test_a_tie_of_the_winner_is_flipped_for_nothing():
    """The bound does not depend on how close to ½ the pair is, until the tie is read literally."""

    def ladder(p):
        array = np.triu(np.full((4, 4), 0.7), 1)
        array[0, 2] = p
        return cpe.PreferenceMatrix(array + np.tril(1 - array.T, -1) + 0.5 * np.eye(4))

    for p in (0.6, 0.51, 0.5001):
        assert cpe.copeland_bound(ladder(p)).value == pytest.approx(14.1787, abs=5e-5)
    mu = ladder(0.5)
    for method in ("cuts", "compact", "enumerate"):
        literal = cpe.copeland_bound(mu, method=method, ties="literal")
        assert literal.value == pytest.approx(8.1021, abs=5e-5)
        bound = cpe.copeland_bound(mu, method=method)
        assert bound.value == pytest.approx(12.1532, abs=5e-5)
        # What is less than 14.1787 is the regret: the third arm loses to one arm fewer.
        families = copeland_rows(mu.array, 0)
        close = lower_bound.evidence_costs(ladder(0.5001))
        limit = cpe.solve(winners.winner_program(families, close, method, "limit").program)
        assert limit.objective == pytest.approx(14.1787, abs=5e-5)
    assert cpe.ecw_bound(mu).value >= bound.value * (1 - 1e-9)


def test_ties_that_cost_an_arm_its_rank_make_its_bound_infinite():
    array = np.array([[0.5, 0.7, 0.5], [0.3, 0.5, 0.7], [0.5, 0.3, 0.5]])
    mu = cpe.PreferenceMatrix(array)  # 0 and 2 tie, 1 and 2 have one superior: 0 stays a winner
    assert cpe.copeland_bound(mu).value < np.inf
    array[1, 0] = array[0, 1] = 0.5  # two free ties: each of them costs 0 its rank
    array[1, 2], array[2, 1] = 0.5, 0.5
    assert cpe.copeland_bound(cpe.PreferenceMatrix(array)).value == 0  # all are winners
    array[1, 2], array[2, 1] = 0.7, 0.3  # 0 ties with 2, which 1 beats; 1 is a winner, too
    mu = cpe.PreferenceMatrix(array)
    assert mu.copeland_winners == (0, 1)
    for method in ("cuts", "compact", "enumerate"):
        both = cpe.copeland_bound(mu, method=method)
        assert both.by_winner[0] == np.inf
        assert both.winner == 1
        alone = cpe.copeland_bound(mu, 0, method=method)
        assert alone.value == np.inf
        assert alone.result is None
        assert (np.isinf(alone.exploration) == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]).all()
        program = cpe.copeland_bound_program(mu, 0, method=method)
        assert cpe.solve(program, check=False).status is Status.INFEASIBLE
    assert cpe.ecw_bound(mu, 0).value == np.inf
    assert cpe.copeland_bound(mu, 0, ties="literal").value < np.inf
