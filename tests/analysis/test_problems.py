import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.analysis.problems import analyse_matchings, analyse_preferences, regret_bounds


def test_sushi():
    analysis = analyse_preferences(cpe.load_instance("sushi"))
    assert analysis.ranking == tuple(range(16))
    assert analysis.closest_pair in ((0, 1), (8, 9))
    assert analysis.smallest_gap == pytest.approx(0.012)
    horizon, lower, ecw, duels = analysis.needs[2]
    assert horizon == 10**6
    assert lower == pytest.approx(142.6078 * math.log(10**6), abs=1e-3)
    assert ecw == pytest.approx(143.3679 * math.log(10**6), abs=1e-3)
    assert duels == pytest.approx(np.triu(analysis.lower.exploration).sum() * math.log(10**6))
    assert analysis.busiest_pairs[0][:2] == (0, 1)
    draws = [q for _, _, q in analysis.busiest_pairs]
    assert draws == sorted(draws, reverse=True)
    plain = analysis.as_dict()
    assert plain["C_star"] == analysis.lower.value
    assert plain["condorcet_winner"] == 0


def test_ties_and_missing_winners_are_reported_not_refused():
    analysis = analyse_preferences(cpe.load_instance("arxiv"))
    assert analysis.as_dict()["ties"] == [[3, 5]]
    assert analysis.closest_pair == (2, 4)
    nobody = analyse_preferences(cpe.PreferenceMatrix(np.full((3, 3), 0.5)))
    assert nobody.lower.value == nobody.ecw.value == 0
    assert nobody.busiest_pairs == []


def test_what_a_log_knows_is_told_apart_from_its_ties(tmp_path):
    path = tmp_path / "log.csv"
    lines = ["x,y,model_a", "x,y,tie", "y,x,model_b", "z,y,both_bad", "z,w,model_a"]
    path.write_text("model_a,model_b,winner\n" + "\n".join(lines), encoding="utf-8")
    votes = analyse_preferences(cpe.PreferenceMatrix.from_duels(path)).as_dict()["votes"]
    assert votes["never_met"] == ((0, 2), (0, 3), (1, 3))
    assert (votes["duels"], votes["pairs"], votes["tied"], votes["tied_pairs"]) == (5, 6, 2, 2)
    assert (votes["fewest"], votes["median"], votes["most"]) == (1, 1, 3)
    assert analyse_preferences(cpe.load_instance("gap")).as_dict()["votes"] is None
    path.write_text("position,winner,loser\np,a,b\np,b,a\nq,b,c\nq,c,d\n", encoding="utf-8")
    votes = analyse_matchings(cpe.MatchingDuels.from_csv(path)).as_dict()["votes"]
    assert votes["never_met"] == ((2, 4),)
    assert (votes["duels"], votes["pairs"], votes["most"]) == (4, 4, 2)


def test_bounds_are_in_the_units_of_the_plot():
    mu = cpe.load_instance("gap")
    means, sums = regret_bounds(mu), regret_bounds(mu, "sum")
    assert means["LB"] == pytest.approx(11.0249, abs=1e-4)
    assert sums == {name: 2 * value for name, value in means.items()}


def test_an_infinite_bound_is_no_line():
    """Two winners, each tied with an arm that is none."""
    array = np.array([[5, 5, 5, 6], [5, 5, 7, 5], [5, 3, 5, 6], [4, 5, 4, 5]]) / 10
    mu = cpe.PreferenceMatrix(array)
    assert regret_bounds(mu) == {}
    analysis = analyse_preferences(mu)
    assert analysis.lower.value == analysis.ecw.value == np.inf
    assert analysis.busiest_pairs == [(0, 2, np.inf)]
