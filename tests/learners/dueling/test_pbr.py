"""PBR: against a plain version, and against its guarantee."""

import pytest

import cpe_opt as cpe
from tests.learners.dueling.reference_races import hoeffding, race_problem, reference_pbr
from tests.learners.support import OutcomesByPair, run_to_the_end


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("most", [20, 3000])
def test_pbr_explores_exactly_as_the_reference(seed, most):
    mu = race_problem(seed)
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    radius = hoeffding(lambda _: 2 * mu.arms**2 * most, 0.05)
    expected = reference_pbr(mu.arms, plain.duel, radius, most)
    assert run_to_the_end(cpe.learners.pbr(mu.arms, max_duels=most), ours) == expected
    assert (ours.draws == plain.draws).all()


def test_a_race_cut_off_by_its_most_duels_proves_nothing():
    mu = cpe.load_instance("cyclic")
    trace = cpe.simulate("pbr", mu, max_duels=10)
    assert trace.doubt == "6 pairs were undecided after 10 duels each"
    assert cpe.simulate("pbr", cpe.PreferenceMatrix([[0.5, 1], [0, 0.5]]), max_duels=1000).proved
