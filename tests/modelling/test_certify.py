"""Residuals and bounds of points and duals, recomputed from the program alone."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.certify import Residuals, certify, reduced_costs, relative_gap


def small(sense="min"):
    """minimise 2x + 3y, x + y >= 4, x <= 3: optimum 9 at (3, 1), row dual 3, reduced cost -1."""
    sign = 1 if sense == "min" else -1
    builder = cpe.ProgramBuilder("small", sense=sense)
    x = builder.columns("x", 2, cost=[2 * sign, 3 * sign], upper=[3, np.inf])
    builder.row("need", x, lower=4)
    return builder.build()


@pytest.mark.parametrize("sense", ["min", "max"])
def test_optimal_pair_has_no_residuals(sense):
    program = small(sense)
    sign = 1 if sense == "min" else -1
    duals = np.array([3.0 * sign])
    residuals, bound = certify(program, np.array([3.0, 1.0]), duals)
    assert bound == 9.0 * sign
    assert residuals == Residuals(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert residuals.within(0.0)
    assert reduced_costs(program, duals).tolist() == [-sign, 0]


def test_residuals_say_what_is_broken():
    residuals, bound = certify(small(), np.array([3.5, 0.0]))
    assert (residuals.row, residuals.column, bound) == (0.5, 0.5, None)
    assert math.isnan(residuals.gap)
    assert math.isnan(residuals.lead)
    assert not residuals.within(0.1)
    builder = cpe.ProgramBuilder("whole")
    builder.columns("x", 1, upper=3, integer=True)
    residuals, _ = certify(builder.build(), np.array([1.75]))
    assert residuals.primal == residuals.integrality == 0.25


def test_the_gap_is_relative_to_the_larger_value_and_the_lead_is_what_broken_rows_gain():
    # At (3, 0.5) the row lacks 0.5, at 3 each; the value is 7.5, the bound 9.
    residuals, bound = certify(small(), np.array([3.0, 0.5]), np.array([3.0]))
    assert (bound, residuals.gap, residuals.lead) == (9.0, 1.5 / 9.0, 1.5)
    assert relative_gap(1e-3, 2e-3) == pytest.approx(1e-3)
    assert relative_gap(-2.0, -8.0) == relative_gap(-8.0, -2.0) == 0.75
    assert relative_gap(0.0, 0.0) == 0.0
    assert math.isnan(relative_gap(1.0, math.inf))
