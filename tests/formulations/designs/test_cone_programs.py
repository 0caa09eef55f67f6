"""The cone programs are built and solved without a warning, whatever unset memory holds."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.quadratic.bounds import semidefinite_bound

PLAN = cpe.WaterPlan((cpe.Quadratic(1.0), cpe.Power(1.0, 3.0)), caps=(2.0, 2.0), demand=1.0)
PROGRAMS = {
    "xy": lambda: cpe.xy_design(cpe.TopK(4, 2), method="cvxpy").value,
    "sdp": lambda: semidefinite_bound(np.eye(4), 2, np.zeros(4)),
    "borda time": lambda: cpe.borda_time(cpe.load_instance("gap")).value,
    "water": lambda: cpe.water_plan(PLAN, [1.0, 1.0], method="continuous").value,
}


@pytest.fixture
def poisoned_memory(monkeypatch):
    """Let ``numpy.empty`` return what memory may well hold: numbers that do not add up."""
    empty = np.empty

    def poisoned(shape, *arguments, **options):
        memory = empty(shape, *arguments, **options)
        if memory.dtype == np.float64:
            memory.flat[0::2], memory.flat[1::2] = np.inf, -np.inf
        return memory

    monkeypatch.setattr(np, "empty", poisoned)
    with pytest.warns(RuntimeWarning, match="invalid value"):
        np.empty(4).sum()


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.usefixtures("poisoned_memory")
def test_no_warning_whatever_unset_memory_holds(name):
    assert np.isfinite(PROGRAMS[name]())
