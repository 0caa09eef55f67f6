"""CAR-Verify: its reference, and where it gives up."""

import pytest

import cpe_opt as cpe
from cpe_opt.learners.matchings.car_verify import verify
from tests.learners.matchings.reference_matchings import reference_car_verify, reference_verify
from tests.learners.matchings.support import (
    PATH,
    THREE,
    TWO,
    MatchingOutcomes,
    chances,
    cycle,
    enumerated,
    other_chooser,
    plain,
    played,
)


@pytest.mark.parametrize(
    ("graph", "gap", "slack"), [(TWO, 0.4, "none"), (THREE, 0.5, "paper"), (PATH, 0.5, "none")]
)
def test_car_verify_duels_what_the_reference_duels(graph, gap, slack):
    array = chances(graph, gap)
    reference = reference_car_verify(enumerated(graph), other_chooser(graph), 0.002, slack)
    expected = plain(reference, MatchingOutcomes(array))
    learner = cpe.learners.car_verify(graph, delta=0.002, slack=slack)
    assert played(learner, MatchingOutcomes(array)) == expected


@pytest.mark.parametrize("graph", [THREE, PATH], ids=["three", "path"])
def test_verification_of_every_matching_is_the_reference_s(graph):
    array = chances(graph, 0.3)
    for chosen in graph.matchings():
        reference = reference_verify(enumerated(graph), chosen, other_chooser(graph), 0.001)
        expected = plain(reference, MatchingOutcomes(array))
        assert played(verify(graph, chosen, 0.001), MatchingOutcomes(array)) == expected
        assert expected[1] is (chosen == cpe.condorcet_winner(cpe.MatchingDuels(graph, array)))


def test_verification_that_gives_up_says_so():
    trace = cpe.simulate("car-verify", cycle(0.9), seed=0)
    assert trace.answer is None
    assert trace.doubt.startswith("the verification gave up")
