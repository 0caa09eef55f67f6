"""Assignment solvers against each other and against brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cpe_opt.solvers.assignment import ASSIGNERS, assign


def brute_force(table):
    rows, columns = table.shape
    totals = [
        sum(table[k, c] for k, c in enumerate(chosen))
        for chosen in itertools.permutations(range(columns), rows)
    ]
    return min(totals, default=np.inf)


@given(st.integers(0, 10**6))
def test_all_find_the_least_total_cost(seed):
    rng = np.random.default_rng(seed)
    rows, columns = (int(n) for n in rng.integers(1, 6, size=2))
    table = rng.normal(size=(rows, columns)) * 10.0 ** rng.integers(-6, 7)
    table[rng.random(table.shape) < rng.choice([0.0, 0.3, 0.7])] = np.inf
    least = brute_force(table)
    for solver in ASSIGNERS:
        found, error = assign(table, solver)
        if found is None:
            assert least == np.inf
            continue
        assert len(set(found.tolist())) == rows
        total = table[np.arange(rows), found].sum()
        assert least - 1e-9 * abs(least) <= total <= least + error + 1e-9 * abs(least)


@pytest.mark.parametrize("shape", [(30, 30), (40, 80), (10, 200)])
def test_large_tables_agree(shape):
    table = np.random.default_rng(0).normal(size=shape)
    totals, errors = {}, {}
    for solver in ASSIGNERS:
        found, errors[solver] = assign(table, solver)
        totals[solver] = table[np.arange(shape[0]), found].sum()
    assert errors["scipy"] == errors["networkx"] == 0.0
    assert 0.0 < errors["assignment"] < 1e-8
    assert totals["scipy"] == pytest.approx(totals["networkx"], abs=1e-10)
    assert abs(totals["assignment"] - totals["scipy"]) <= errors["assignment"] + 1e-12


@pytest.mark.parametrize("columns", [2, 40, 300])
def test_whole_costs_leave_room_for_the_prices_of_the_solver(columns):
    """Prices are costs times (columns + 1)², several times over, in 63 bits."""
    table = np.random.default_rng(1).uniform(-3.0, 5.0, size=(columns, columns))
    scale = columns / assign(table)[1]
    assert np.ptp(table) * scale * (columns + 1) ** 2 <= 2**58
