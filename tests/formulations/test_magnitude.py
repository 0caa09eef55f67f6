"""Units of numbers."""

import numpy as np

from cpe_opt.arrays import unit_of


def test_units_are_the_powers_of_two_next_below_the_largest_entry():
    assert unit_of(np.array([3.0, -1.0])) == 2.0
    assert unit_of(np.array([0.1]), np.array([[-5.0, 0.0]])) == 4.0
    assert unit_of(np.array([4.0])) == 4.0
    assert unit_of(np.zeros(3)) == unit_of(np.zeros(0)) == unit_of() == 1.0
