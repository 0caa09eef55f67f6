"""Nested draws: which of their columns are needed, and the rows that a point violates."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.formulations.dueling.lower_bound import evidence_costs
from cpe_opt.formulations.dueling.nested_columns import NestedColumns, is_best_size
from tests.support import random_preferences

SEEDS = st.integers(0, 10**6)


@given(arms=st.integers(3, 14), seed=SEEDS, ties=st.integers(0, 3))
@settings(max_examples=20)
def test_dominated_columns_change_no_optimum(arms, seed, ties):
    mu = random_preferences(arms, np.random.default_rng(seed), ties=ties)
    costs = evidence_costs(mu)
    families = copeland_rows(mu.array, mu.copeland_winners[0])
    if families.is_feasible:
        few = NestedColumns.undominated(families, costs).program(costs, "few")
        every = NestedColumns.lasting(families, min(mu.losses)).program(costs, "every")
        assert set(few.relaxation.column_names) <= set(every.relaxation.column_names)
        optimum = cpe.solve(every).objective
        assert cpe.solve(few).objective == pytest.approx(optimum, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("rounding", [-1e-13, 0.0, 1e-13])
def test_columns_that_are_as_good_stay_on_every_machine(rounding):
    """Of three pairs that cost 1, 1 and 2 and rows with two, two cost 2 a unit, and so do three."""
    sums = np.array([[0.0, 1.0, 2.0, 4.0 + rounding]])
    assert is_best_size(sums, np.array([3]), np.array([2])).tolist() == [[False, False, True, True]]
    assert is_best_size(sums, np.array([3]), np.array([1])).tolist() == [[False] * 3 + [True]]


@pytest.mark.parametrize("ties", [0, 4])
@pytest.mark.parametrize("few", [False, True])
def test_the_rows_found_are_the_tightest_of_their_families(few, ties):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        mu = random_preferences(9, rng, ties=ties)
        families, costs = copeland_rows(mu.array, mu.copeland_winners[0]), evidence_costs(mu)
        columns = NestedColumns.lasting(families, min(mu.losses))
        if few:
            columns = NestedColumns.undominated(families, costs)
        x = rng.random(len(columns.column_costs(costs))) * rng.choice([0.1, 0.3])
        x[columns.upper == 0.0] = 0.0
        shared = len(families.inferiors)
        smallest = np.zeros((len(columns.numbers), families.superiors.shape[1] + 1))
        for block, (size, numbers) in enumerate(zip(families.sizes, columns.numbers, strict=True)):
            for number in range(1, size + 1):
                coefficients = np.maximum(columns.draws[block] - size + number, 0)
                smallest[block, number] = coefficients @ np.append(x, 0.0)[numbers]
        values = families.values(x[:shared], smallest)
        broken = np.flatnonzero(values < 1.0 - 1e-8)
        rows = columns.separate(x, 1e-8).matrix
        assert rows @ x == pytest.approx(values[broken], abs=1e-12)
        kinds = (families.block, families.h_size, families.o_size, families.includes_challenger)
        assert len(np.unique(np.column_stack(kinds), axis=0)) == families.count


@pytest.mark.parametrize("seed", range(8))
def test_columns_that_last_say_the_same_as_those_of_one_tournament(seed):
    """At a point that is 0 where a list has too few pairs; rows have coefficients there, too."""
    rng = np.random.default_rng(seed)
    mu = random_preferences(9, rng)
    families, costs = copeland_rows(mu.array, mu.copeland_winners[0]), evidence_costs(mu)
    few = NestedColumns.undominated(families, costs)
    many = NestedColumns.lasting(families, min(mu.losses))
    relaxation = many.program(costs, "many").relaxation
    places = [
        relaxation.column_names.index(name)
        for name in few.program(costs, "few").relaxation.column_names
    ]
    x, wide = rng.random(few.count) * 0.05, np.zeros(many.count)
    wide[places] = x
    assert many.column_costs(costs) @ wide == pytest.approx(few.column_costs(costs) @ x)
    assert (relaxation.column_upper == many.upper).all()
    evidence = many.evidence(wide, costs)
    assert evidence == pytest.approx(few.evidence(x, costs))
    rows, wide_rows = few.separate(x, 1e-8).matrix, many.separate(wide, 1e-8).matrix
    assert rows.shape[0] > 0
    assert wide_rows @ wide == pytest.approx(rows @ x)
    covered = []
    for block, challenger in enumerate(families.challengers.tolist()):
        numbers, listed = many.list_costs(block, costs)
        covered += numbers.tolist()
        assert listed == pytest.approx(relaxation.costs[numbers])
        arms, shares = many.list_evidence(block, wide, costs)
        assert shares == pytest.approx(evidence[challenger, arms])
    assert covered == np.flatnonzero(np.isinf(many.upper)).tolist()
