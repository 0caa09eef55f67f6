"""The exhaustive learner: the lead over all sets, by a list or by an integer program."""

import numpy as np
import pytest

from cpe_opt.learners.subsets.exhaustive import Enumeration
from tests.formulations.subsets.test_oracle import classes
from tests.learners.subsets.support import look_at, norms, others


@classes
@pytest.mark.parametrize("seed", range(2))
def test_leads_are_those_of_enumeration(decisions, seed):
    look, radius = look_at(decisions, seed), 2.0
    apart = others(look)
    expected = (apart @ look.theta + radius * norms(look, apart)).max(initial=-np.inf)
    assert Enumeration(decisions).largest_gap_bound(look, radius) == pytest.approx(expected)
