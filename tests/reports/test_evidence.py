"""What votes prove, as text, tables and values; and that it does not contradict the truth."""

import json
import re

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.reports.decision import evidence_report
from cpe_opt.reports.report import Analysis, TextTable

WINS = [[0, 35, 30, 70], [20, 0, 60, 65], [28, 20, 0, 62], [10, 15, 18, 0]]
LABELS = ["salmon", "tuna", "squid", "egg"]


@pytest.fixture(scope="module")
def found():
    return cpe.evidence(cpe.Votes(WINS, LABELS, name="sushi"))


def test_a_script_finds_what_an_arm_is_by_its_label(found):
    assert isinstance(found, Analysis)
    assert list(found.copeland) == list(found.condorcet) == list(found.borda) == LABELS
    assert list(found.copeland.values()) == ["possible"] * 3 + ["ruled out"]
    assert found.condorcet["squid"] == "ruled out"
    assert set(found.explanations) == {"salmon", "tuna", "squid"}
    assert found.explanations["salmon"].pairs == ()
    assert found.beats[0].tolist() == [False, False, False, True]
    assert found.delta == 0.05


def test_the_table_is_sorted_by_borda_scores_then_losses(found):
    frame = found.table()
    estimate = cpe.PreferenceMatrix.from_votes(found.votes)
    order = sorted(range(4), key=lambda arm: (-estimate.borda_scores[arm], estimate.losses[arm]))
    assert frame["label"].tolist() == [LABELS[arm] for arm in order]
    first = frame.iloc[0]
    assert (first["wins"], first["losses"]) == (135.0, 58.0)
    assert frame["beats_proved"].sum() == frame["beaten_by_proved"].sum() == 4
    assert frame["beats"].sum() == frame["beaten_by"].sum() == 6
    assert frame["flips"].tolist() == ["nothing", "squid > salmon", "squid > salmon", ""]
    assert frame["best_rank"].tolist() == [1, 1, 1, 4]
    assert frame["worst_copeland_rank"].tolist() == [3, 2, 3, 4]
    assert (frame["copeland"] == [found.copeland[label] for label in frame["label"]]).all()


def test_sentences_say_what_is_proved_and_what_would_settle_it(found):
    lines = str(found).splitlines()
    assert re.match(r"salmon +1–3 +68 % +1 / 3 +possible +possible +possible +0", lines[2])
    assert max(map(len, lines[:6])) <= 80
    assert {"  tuna: squid > salmon", "who beats whom: proved for 4 of 6 pairs"} <= set(lines)
    assert "Copeland winner: possible for salmon, tuna, squid; ruled out for 1 arm" in lines
    priced = cpe.evidence(found.votes, prices=2.5)
    assert priced.remaining.cost == 2.5 * 190
    assert "190 further duels of 1 pair, which cost 475" in str(priced)


def test_a_proof_of_nobody_and_of_somebody_in_words():
    wins = 60 * (4.0 + np.arange(4) - np.arange(4)[:, None]) * (1 - np.eye(4))
    lines = str(cpe.evidence(cpe.Votes(wins[::-1, ::-1], LABELS))).splitlines()
    assert "Condorcet winner: proved for egg; ruled out for 3 arms" in lines
    assert "Borda winner: proved for egg; ruled out for 3 arms" in lines
    cycle = cpe.evidence(cpe.Votes([[0, 90, 10], [10, 0, 90], [90, 10, 0]]))
    assert "Condorcet winner: it is proved that there is none" in str(cycle).splitlines()
    assert "Copeland winner: proved for 0, 1, 2" in str(cycle).splitlines()


def test_the_pairs_that_need_the_most_duels_come_first():
    found = cpe.evidence(cpe.Votes([[0, 12, 15, 20], [8, 0, 12, 16], [5, 8, 0, 12], [0, 4, 8, 0]]))
    [table] = (part for part in found.remaining_lines() if isinstance(part, TextTable))
    needed = [int(row[2].replace(",", "")) for row in table.rows]
    assert len(needed) > 1
    assert needed == sorted(np.triu(found.remaining.duels).ravel(), reverse=True)[: len(needed)]


def test_values_are_plain(found):
    plain = json.loads(json.dumps(found.as_dict()))
    assert plain["copeland"] == found.copeland
    assert ["salmon", "egg"] in plain["beats"]
    assert plain["explanations"]["tuna"] == [["squid", "salmon"]]
    assert plain["remaining_duels"] == [{"pair": ["salmon", "tuna"], "duels": 190}]


def test_the_k_best_are_said_in_text_tables_and_values():
    found = cpe.evidence(cpe.Votes(WINS, LABELS), top=2)
    said = "one of the 2 best by Copeland score: proved for tuna; possible for salmon, squid; ruled"
    assert said in str(found)
    assert found.table()["top_copeland"].tolist()[:2] == ["possible", "proved"]
    plain = json.loads(json.dumps(found.as_dict()))
    assert plain["top"] == {"k": 2, "borda": found.top_borda, "copeland": found.top_copeland}
    assert list(plain["ranks"]) == found.table()["label"].tolist()
    assert plain["ranks"]["egg"] == [4, 4]
    assert cpe.evidence(found.votes).as_dict()["top"] is None
    with pytest.raises(cpe.InputError, match="top is 4, expected"):
        cpe.evidence(found.votes, top=4)


def test_rankings_prove_less_and_it_is_said():
    wins = 8 * (4.0 + np.arange(4) - np.arange(4)[:, None]) * (1 - np.eye(4))
    less = cpe.evidence(cpe.Votes(wins, LABELS, independent=False))
    more = cpe.evidence(cpe.Votes(wins, LABELS))
    assert (less.larger_borda <= more.larger_borda).all()
    assert less.larger_borda.sum() < more.larger_borda.sum()
    assert less.condorcet["squid"] == "possible"
    assert more.condorcet["squid"] == "ruled out"
    assert "not independent" in str(less)


def test_arms_without_any_votes_are_possible():
    found = cpe.evidence(cpe.Votes(np.zeros((2, 2)), ["a", "b"]))
    assert set(found.copeland.values()) == {"possible"}
    assert found.remaining.duels is None
    assert "to be asked about first, undecided or never met: a – b" in str(found)


def test_what_arms_won_falls_down_the_table_whatever_the_numbers_of_votes():
    # Of all of its votes, 91 of which are on one pair, a has won less than b has.
    wins = np.array([[0, 33, 10], [58, 0, 5], [0, 4, 0]], dtype=float)
    found = cpe.evidence(cpe.Votes(wins, labels=["a", "b", "c"]))
    assert "to prove that b is a Copeland winner, the nearest to a proof, if" in str(found)
    table = found.arms_table()
    won = [(row[0], row[table.columns.index("won")]) for row in table.rows]
    assert won == [("a", "68 %"), ("b", "60 %"), ("c", "22 %")]


def test_a_margin_is_said_in_text_tables_and_values():
    wins = [[0, 500, 800], [510, 0, 790], [200, 210, 0]]
    found = cpe.evidence(cpe.Votes(wins, ["a", "b", "c"]), margin=0.1)
    lines = str(found).splitlines()
    assert "nothing is ahead of it by more than 0.1: proved for a, b; possible for c" in lines
    assert found.table()["within_margin"].tolist() == ["proved", "proved", "possible"]
    plain = json.loads(json.dumps(found.as_dict()))
    assert plain["margin"] == 0.1
    assert plain["within_margin"] == {"a": "proved", "b": "proved", "c": "possible"}
    without = cpe.evidence(found.votes)
    assert "equal within 0.1: proved for 1 of 3 pairs: a – b" in lines
    assert "tiers, each arm proved to beat all of later ones: a, b | c" in lines
    assert "all that may be a Copeland winner are equal, every two of them: a, b" in lines
    assert plain["equal"] == [["a", "b"]]
    assert plain["tied_set"] == ["a", "b"]
    assert plain["tiers"] == without.as_dict()["tiers"] == [["a", "b"], ["c"]]
    assert (without.as_dict()["equal"], without.as_dict()["tied_set"]) == ([], [])
    assert not {"within_margin"} & {*without.table(), *without.as_dict()}


def test_a_table_of_many_arms_leaves_out_what_it_would_say_again_and_again():
    rng = np.random.default_rng(0)
    wins = np.triu(rng.integers(20, 40, (24, 24)), 1)
    wins = wins + np.triu(60 - wins, 1).T
    wins[0, 1:], wins[1:, 0] = 0, 60  # the arm that loses to all
    found = cpe.evidence(cpe.Votes(wins))
    table = found.arms_table(model=False)
    assert table.title.endswith("24 arms; blank: neither proved nor ruled out")
    assert found.table()["copeland"].tolist().count("possible") == 23
    cells = {str(cell) for row in table.rows for cell in row}
    assert "possible" not in cells
    assert "ruled out" in cells
    assert not {"flips", "would need", "model rank"} & {*table.columns}
    ranks = [row[table.columns.index("rank")] for row in table.rows]
    assert (set(ranks[:-1]), ranks[-1]) == ({"1–23"}, "24")
    by_model = found.arms_table()
    assert by_model.columns[:3] == ["arm", "model rank", "model Elo"]
    assert [row[0] for row in by_model.rows] == list(found.model_ranks.order)
    assert "in large samples, not proved" in by_model.title
    assert "each of these would be" not in str(found)


def test_of_many_arms_that_hardly_met_one_sentence_says_that_nothing_is_proved():
    wins = np.zeros((14, 14))
    for k in range(13):
        wins[k, k + 1], wins[k + 1, k] = 3, 2
    wins[9, 10] = wins[10, 9] = 0  # two groups
    found = cpe.evidence(cpe.Votes(wins, [f"a{k}" for k in range(14)]))
    said = str(found)
    assert "1–14" not in said
    assert "possible" not in said
    assert "never met, taken for tied: 79 pairs" in said
    nothing = "prove nothing yet about the Copeland winner, the Condorcet winner, the Borda winner"
    assert said.count(nothing) == 1
    table = found.arms_table()
    assert table.columns == ["arm", "group", "model rank", "model Elo", "won"]
    assert [row[1] for row in table.rows] == ["1"] * 10 + ["2"] * 4
    assert sum(line.startswith("group 2 of 2: ") for line in said.splitlines()) == 0
    assert "of one group with those of another" in said
    assert said.count("votes that narrow ranks most") == 2
    html = evidence_report(found).html()
    assert html.count("not proved") > 1
    assert "Under a model of strengths, in large samples; not proved" in html


def test_of_many_arms_matrix_and_pictures_are_in_the_order_of_the_ranking():
    wins = np.zeros((14, 14))
    for k in range(11):
        wins[k, k + 1], wins[k + 1, k] = 3 + k, 2
    wins[12, 13], wins[13, 12] = 4, 3
    found = cpe.evidence(cpe.Votes(wins, [f"a{k}" for k in range(14)]))
    report = evidence_report(found)
    ranked = [str(row[0]) for row in report.arms.rows]
    assert ranked == [f"a{k}" for k in range(14)] != [f"a{arm}" for arm in found.ranking]
    assert list(report.pairs.labels) == ranked
    assert report.pairs.share[0, 1] == pytest.approx(0.6)
    rows, ranks = cpe.plot_evidence(found).get_yticklabels(), cpe.plot_ranks(found)
    assert [text.get_text() for text in rows] == ranked
    assert ranks.figure.get_suptitle().endswith("ranks by strength, at 95 %")
    assert len(ranks.collections[0].get_offsets()) == 12  # ranks of other groups are not comparable
    few = cpe.plot_ranks(cpe.evidence(cpe.Votes(WINS))).figure.get_suptitle()
    assert few.endswith("ranks by strength, and Borda score, at 95 %")


def test_how_many_votes_there_are_stands_apart_from_what_is_proved():
    votes = cpe.Votes([[0, 35.5], [20.5, 0]], tied=[[0, 1], [1, 0]])
    report = evidence_report(cpe.evidence(votes))
    assert "1 was a tie, half a win for each" in report.votes[0]
    assert not {*report.votes} & {*report.lines}
    *_, counts, proved = re.split("The votes</h2>|What is proved</h2>", report.html())
    assert "was a tie" in counts
    assert f"<p>{report.lines[0]}</p>" in proved


def test_a_data_frame_has_what_holds_under_the_model():
    wins = [[0, 30, 0, 0], [20, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    found = cpe.evidence(cpe.Votes(wins, LABELS))
    frame = found.table().set_index("label")
    [table] = found.model_ranks.tables
    for label, ranks in table.ranks.items():
        row = frame.loc[label]
        assert (row["model_best_rank"], row["model_worst_rank"]) == ranks
        assert tuple(row[["model_elo", "model_elo_low", "model_elo_high"]]) == table.elo[label]
    assert frame["model_group"].notna().sum() == 2
