"""Verdicts of pairs, and what all races share: leads, thresholds, and where they are cut off."""

import pytest

from cpe_opt.learners.dueling.elimination import at_any_time, duels_to_a_sign, up_to
from cpe_opt.validation import checked_delta


def test_leads_needed_are_the_paper_s():
    """δ = 0.1, n = 8: √(16 ln(64 π² / 0.3)) and √(16 ln(200 / 0.1))."""
    assert at_any_time(0.1)(8) == pytest.approx(11.0651, abs=1e-4)
    assert up_to(100, 0.1)(8) == pytest.approx(11.0279, abs=1e-4)
    assert checked_delta(None, 1000) == 0.001
    assert checked_delta(None, None) == 0.05
    assert checked_delta(0.2, 1000) == 0.2


def test_a_lead_that_only_equals_what_is_needed_is_no_verdict():
    assert duels_to_a_sign(0, 4, lambda n: 5.0) == 2
