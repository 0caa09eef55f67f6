"""Problems of matchings: the paper's example, Borda scores by enumeration, generators."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from tests.support import random_matchings


def borda_by_enumeration(duels, matching):
    every = list(duels.graph.matchings())
    return np.mean([duels.preference(matching, other) for other in every])


def test_the_papers_example():
    """Borda 0.64 for {e1, e5}; Condorcet {e2, e5} with Borda score 0.615."""
    duels = cpe.load_instance("figure1")
    assert duels.borda_score((0, 4)) == pytest.approx(0.64)
    assert duels.borda_score((1, 4)) == pytest.approx(0.615)
    scores = {m: duels.borda_score(m) for m in duels.graph.matchings()}
    assert max(scores, key=scores.get) == (0, 4)
    others = [m for m in scores if m != (1, 4)]
    assert all(duels.preference((1, 4), m) > 0.5 for m in others)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_borda_scores_are_those_of_enumeration(seed):
    duels = random_matchings(np.random.default_rng(seed))
    for matching in duels.graph.matchings():
        assert duels.borda_score(matching) == pytest.approx(borda_by_enumeration(duels, matching))


@pytest.mark.parametrize("shape", [(4, 3, 1.0), (4, 4, 1.0), (6, 4, 0.4)])
@pytest.mark.parametrize("seed", range(2))
def test_planted_winners_lead_by_the_gap(shape, seed):
    candidates, positions, density = shape
    duels = cpe.planted_condorcet(candidates, positions, gap=0.03, seed=seed, density=density)
    every = list(duels.graph.matchings())
    leads = {
        m: min(duels.preference(m, other) for other in every if other != m) - 0.5 for m in every
    }
    best = max(leads, key=leads.get)
    assert leads[best] == pytest.approx(0.03)
    again = cpe.planted_condorcet(candidates, positions, gap=0.03, seed=seed, density=density)
    assert (duels.array == again.array).all()


def test_one_preference_matrix_a_position():
    cook = cpe.PreferenceMatrix([[0.5, 0.9], [0.1, 0.5]], ["ann", "bob"])
    driver = cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]], ["bob", "cat"])
    duels = cpe.MatchingDuels.from_preferences({"cook": cook, "driver": driver})
    assert duels.graph.candidate_labels == ("ann", "bob", "cat")
    assert duels.preference((0, 2), (1, 3)) == pytest.approx((0.9 + 0.6) / 2)


def test_of_rankings_at_positions_each_pair_alone_is_a_fair_sample(tmp_path):
    head = "# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 1: ann\n# ALTERNATIVE NAME 2: bob\n"
    (tmp_path / "cook.soc").write_text(head + "3: 1,2\n1: 2,1\n", encoding="utf-8")
    (tmp_path / "driver.soc").write_text(head + "1: 1,2\n4: 2,1\n", encoding="utf-8")
    duels = cpe.MatchingDuels.from_preferences(
        {place: cpe.load_problem(tmp_path / f"{place}.soc") for place in ("cook", "driver")}
    )
    assert cpe.condorcet_winner(duels) == (0, 3)
    assert duels.array[0, 1] == pytest.approx(0.75)
    assert duels.array[3, 2] == pytest.approx(0.8)
    assert not duels.counts.independent
