"""Packages of solvers: found or not, and what is said where they cannot be imported."""

import numpy
import pytest

from cpe_opt.errors import SolverMissing
from cpe_opt.solvers.base import installed, load


def test_packages_that_are_there_and_that_are_not():
    assert installed("numpy") == numpy.__version__
    assert load("numpy.linalg", "numpy", "solver 'own'", "") is numpy.linalg
    assert installed("none-of-this-name") is None
    with pytest.raises(SolverMissing, match="'none', which is not installed: pip install none"):
        load("none_of_this_name.core", "none", "solver 'own'", "pip install none")
