import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.reports.analysis import analyse_matchings, analyse_preferences
from cpe_opt.reports.report import Analysis, TextTable


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
    assert plain["T_star"] == pytest.approx(3605.0, abs=0.05)
    assert plain["T_star_duels"]["duels"] == analysis.time.duels(0.05)
    assert "9,553 at delta 0.05\n" in str(analysis)
    assert plain["condorcet_winner"] == 0


def test_ties_and_missing_winners_are_reported_not_refused():
    analysis = analyse_preferences(cpe.load_instance("arxiv"))
    assert analysis.as_dict()["ties"] == [[3, 5]]
    assert analysis.closest_pair == (2, 4)
    nobody = analyse_preferences(cpe.PreferenceMatrix(np.full((3, 3), 0.5)))
    assert nobody.lower.value == nobody.ecw.value == 0
    assert nobody.as_dict()["T_star"] == math.inf
    assert nobody.busiest_pairs == []


def test_what_a_log_knows_is_told_apart_from_its_ties(tmp_path):
    path = tmp_path / "log.csv"
    lines = ["x,y,model_a", "x,y,tie", "y,x,model_b", "z,y,both_bad", "z,w,model_a"]
    path.write_text("model_a,model_b,winner\n" + "\n".join(lines), encoding="utf-8")
    votes = analyse_preferences(cpe.PreferenceMatrix.from_votes(cpe.read_votes(path))).as_dict()[
        "votes"
    ]
    assert votes["never_met"] == ((0, 2), (0, 3), (1, 3))
    assert (votes["duels"], votes["pairs"], votes["tied"], votes["tied_pairs"]) == (5, 6, 2, 2)
    assert (votes["fewest"], votes["median"], votes["most"]) == (1, 1, 3)
    assert analyse_preferences(cpe.load_instance("gap")).as_dict()["votes"] is None
    path.write_text("position,winner,loser\np,a,b\np,b,a\nq,b,c\nq,c,d\n", encoding="utf-8")
    votes = analyse_matchings(cpe.load_problem(path)).as_dict()["votes"]
    assert votes["never_met"] == ((2, 4),)
    assert (votes["duels"], votes["pairs"], votes["most"]) == (4, 4, 2)


def test_what_is_proved_of_a_log_is_told_apart_from_its_estimates():
    wins = [[0, 35, 30, 70], [20, 0, 60, 65], [28, 20, 0, 62], [10, 15, 18, 0]]
    votes = cpe.Votes(wins, ["salmon", "tuna", "squid", "egg"])
    analysis = cpe.analyse(cpe.PreferenceMatrix.from_votes(votes))
    found = cpe.evidence(votes)
    assert analysis.as_dict()["proved"] == {
        "delta": 0.05,
        "copeland": found.copeland,
        "condorcet": found.condorcet,
        "borda": found.borda,
    }
    assert "Copeland winner: possible for salmon, tuna, squid" in str(analysis)
    known = cpe.analyse(cpe.load_instance("gap"))
    assert known.as_dict()["proved"] is None
    assert "prove" not in str(known)


def test_an_infinite_bound_is_reported():
    """Two winners, each tied with an arm that is none."""
    array = np.array([[5, 5, 5, 6], [5, 5, 7, 5], [5, 3, 5, 6], [4, 5, 4, 5]]) / 10
    mu = cpe.PreferenceMatrix(array)
    analysis = analyse_preferences(mu)
    assert analysis.lower.value == analysis.ecw.value == np.inf
    assert analysis.busiest_pairs == [(0, 2, np.inf)]


@pytest.mark.parametrize("name", ["gap", "figure1", "top-5-of-10", "water"])
def test_every_family_is_analysed_in_text_tables_and_values(name):
    problem = cpe.load_instance(name)
    analysis = cpe.analyse(problem)
    assert isinstance(analysis, Analysis)
    parts = list(analysis.report())
    assert isinstance(parts[0], TextTable)
    assert parts[0].title.startswith(f"{name}: ")
    lines = [part for part in parts if isinstance(part, str)]
    assert all(line in str(analysis).splitlines() for line in lines)
    frame = analysis.table()
    assert len(frame) == len(problem.labels)
    if "label" in frame:
        assert sorted(frame["label"]) == sorted(problem.labels)
    assert analysis.as_dict()["name"] == name


def test_tables_hold_the_unrounded_numbers():
    mu = cpe.load_instance("gap")
    frame = cpe.analyse(mu).table().set_index("arm")
    assert frame.loc[range(5), "borda"].tolist() == mu.borda_scores.tolist()
    assert frame.index[0] == mu.copeland_winners[0]
    assert frame["copeland_winner"].sum() == 1
    duels = cpe.load_instance("figure1")
    edges = cpe.analyse(duels).table()
    assert edges["borda_weight"].tolist() == duels.borda_weights.tolist()
    assert edges.loc[edges["in_condorcet_winner"], "candidate"].tolist() == ["c2", "c4"]
    assert edges.loc[edges["in_borda_winner"], "candidate"].tolist() == ["c1", "c4"]
    sets = cpe.analyse(cpe.load_instance("top-5-of-10")).table()
    assert sets["in_best_set"].tolist() == [True] * 5 + [False] * 5
    water = cpe.analyse(cpe.load_instance("water"))
    assert water.table()["decision"].tolist() == water.hardness.decision.tolist()


def test_a_class_of_ones_own_is_refused_in_words():
    class Own:
        name, family, known, labels, fingerprint = "own", "dueling", 2, ("a", "b"), ()

        def environment(self, rng):
            raise NotImplementedError

        def recorder(self, **_):
            raise NotImplementedError

        def __repr__(self):
            return "Own()"

    with pytest.raises(cpe.InputError, match=r"problem is Own\(\), expected a PreferenceMatrix"):
        cpe.analyse(Own())
    stranger = Own()
    stranger.family = "chess"
    with pytest.raises(cpe.InputError, match="unknown family 'chess'; known: dueling, matchings"):
        cpe.analyse(stranger)
