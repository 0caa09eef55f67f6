"""How large the next block is."""

from __future__ import annotations

from cpe_opt.proofs.mixture import Pace


def test_a_block_costs_a_part_of_what_is_missing_within_its_growth_and_its_least():
    pace = Pace(part=0.25, growth=0.5)
    assert pace.cost(100.0, 80.0) == 20.0
    assert pace.cost(100.0, 400.0) == 50.0
    assert pace.cost(100.0, 8.0, least=3.0) == 3.0
