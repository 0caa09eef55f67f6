"""Nested draws: which of their columns are needed, and the rows that a point violates."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows, prefix_sums
from cpe_opt.formulations.dueling.lower_bound import evidence_costs
from cpe_opt.formulations.dueling.nested_columns import NestedColumns, ReusableColumns, is_best_size
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
        every = NestedColumns.every(families).program(costs, "every")
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
    repeated = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        mu = random_preferences(9, rng, ties=ties)
        families, costs = copeland_rows(mu.array, mu.copeland_winners[0]), evidence_costs(mu)
        columns = NestedColumns.every(families)
        if few:
            columns = NestedColumns.undominated(families, costs)
        x = rng.random(len(columns.column_costs(costs))) * rng.choice([0.1, 0.3])
        padded = np.append(x, 0.0)[columns.numbers]
        values = families.values(
            x[: len(families.inferiors)], prefix_sums(np.cumsum(padded, axis=1))
        )
        broken = np.flatnonzero(values < 1.0 - 1e-8)
        kinds = (families.block, families.h_size, families.o_size, families.includes_challenger)
        _, first = np.unique(np.column_stack(kinds)[broken], axis=0, return_index=True)
        repeated += len(broken) - len(first)
        rows = columns.separate(x, 1e-8).matrix
        assert rows @ x == pytest.approx(values[broken[np.sort(first)]], abs=1e-12)
    assert (repeated > 0) == (ties > 0)


@pytest.mark.parametrize("seed", range(8))
def test_columns_that_are_reused_say_the_same_as_those_of_one_tournament(seed):
    """At a point that is 0 where a list has too few pairs; rows have coefficients there, too."""
    rng = np.random.default_rng(seed)
    mu = random_preferences(9, rng)
    families, costs = copeland_rows(mu.array, mu.copeland_winners[0]), evidence_costs(mu)
    reusable = ReusableColumns(families, losses=int(min(mu.losses)))
    one, many = NestedColumns.every(families), reusable.nested
    x, wide = np.zeros(one.count), np.zeros(many.count)
    shared = len(families.inferiors)
    x[:shared] = wide[:shared] = rng.random(shared) * 0.2
    relaxation = reusable.relaxation(costs, "reused")
    names = one.program(costs, "one").relaxation.column_names
    for number, name in enumerate(names[shared:], start=shared):
        # What reused columns leave out has a coefficient in no row.
        if name in relaxation.column_names:
            place = relaxation.column_names.index(name)
            assert relaxation.column_upper[place] == np.inf
            x[number] = wide[place] = rng.random() * 0.05
    assert set(names) >= set(np.array(relaxation.column_names)[relaxation.column_upper > 0.0])
    assert relaxation.costs @ wide == pytest.approx(one.column_costs(costs) @ x)
    assert many.evidence(wide, costs) == pytest.approx(one.evidence(x, costs))
    rows, wide_rows = one.separate(x, 1e-8).matrix, many.separate(wide, 1e-8).matrix
    assert rows.shape[0] > 0
    assert wide_rows @ wide == pytest.approx(rows @ x)
    for block, challenger in enumerate(families.challengers.tolist()):
        first, behind = reusable.first[block : block + 2]
        assert reusable.list_costs(block, costs) == pytest.approx(relaxation.costs[first:behind])
        arms, shares = reusable.list_evidence(challenger, wide, costs)
        assert shares == pytest.approx(many.evidence(wide, costs)[challenger, arms])
