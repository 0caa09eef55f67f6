"""Elections of PrefLib in both of its formats, and what incomplete rankings may prove."""

import json

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.reports.decision import evidence_report
from cpe_opt.reports.evidence import evidence
from tests.support import DATA, all_of


def election(alternatives, *ballots):
    """The text of a file whose alternatives are called a, b, c …"""
    names = [f"# ALTERNATIVE NAME {k}: {'abcd'[k - 1]}" for k in range(1, alternatives + 1)]
    voters = sum(int(ballot.partition(":")[0]) for ballot in ballots)
    head = [f"# NUMBER ALTERNATIVES: {alternatives}", f"# NUMBER VOTERS: {voters}"]
    return "\n".join((*head, *names, *ballots, ""))


# 60 voters rank a over c over b and list (a, c), 40 rank b over a over c and list (b, a).
LISTS = election(3, "60: 1,3", "40: 2,1")

TIED = """# NUMBER ALTERNATIVES: 4
# NUMBER VOTERS: 7
# ALTERNATIVE NAME 1: Ann
# ALTERNATIVE NAME 2: Bob, the other
# ALTERNATIVE NAME 3: Eve
# ALTERNATIVE NAME 4: 4
4: 1,2,3,4
2: {2,3},1,4
1: 4,3,2,1
"""


def write(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_hundred_lists_do_not_prove_the_contrary_of_what_their_voters_think(tmp_path):
    path = write(tmp_path, "lists.soi", LISTS)
    last = cpe.read_votes(path)
    assert last == cpe.read_votes(path, unranked="last")
    assert last.wins.tolist() == [[0, 60, 100], [40, 0, 40], [0, 60, 0]]
    assert last.counts.selected is None
    assert not evidence(last).beats[1, 0]
    assert evidence(last).beats[0, 2]
    seen = cpe.read_votes(path, unranked="ignore")
    assert seen.wins[:, 0].tolist() == [0, 40, 0]
    assert seen.wins[1, 0] == seen.duels[1, 0] == 40
    assert not seen.proving_wins.any()
    found = evidence(seen)
    assert not found.beats.any()
    assert not found.larger_borda.any()
    assert set(found.copeland.values()) == set(found.condorcet.values()) == {"possible"}
    # The same counts, if nobody said that they are selected, "prove" that b beats a.
    assert evidence(cpe.Votes(seen.wins, independent=False)).beats[1, 0]


def test_a_tie_is_half_a_win_of_a_ranking_that_names_neither(tmp_path):
    votes = cpe.read_votes(write(tmp_path, "x.soi", election(3, "5: 1")))
    assert votes.wins.tolist() == [[0, 5, 5], [0, 0, 2.5], [0, 2.5, 0]]
    assert votes.tied[1, 2] == 5
    assert (votes.duels + 5 * np.eye(3) == 5).all()


def test_only_pairs_that_some_ranking_leaves_out_are_selected(tmp_path):
    text = election(4, "80: 1,2,3", "10: 2,1,4")
    votes = cpe.read_votes(write(tmp_path, "x.soi", text), unranked="ignore")
    i, j = np.nonzero(np.triu(~votes.counts.selected, 1))
    assert [*zip(i.tolist(), j.tolist(), strict=True)] == [(0, 1)]
    assert votes.summary.selected == ((0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    assert votes.submatrix([1, 0]).counts.selected is None
    assert votes.submatrix([2, 1]).summary.selected == ((0, 1),)
    assert votes.proving_wins[0].tolist() == [0, 80, 0, 0]
    assert evidence(votes).beats[0, 1]


def test_how_rankings_were_read_stands_in_the_text_the_page_and_the_values(tmp_path):
    path = write(tmp_path, "lists.soi", LISTS + "\n")
    text = LISTS.replace("60: 1,3", "60: 1,3,2")
    for votes, words in (
        (cpe.read_votes(path), "incomplete rankings: 100 of 100 leave some out, which are taken"),
        (
            cpe.read_votes(path, unranked="ignore"),
            "nothing is proved of pairs that some votes leave out because of what these say: a – b",
        ),
        (cpe.read_votes(write(tmp_path, "some.soi", text)), "incomplete rankings: 40 of 100"),
    ):
        found = evidence(votes)
        assert words in str(found)
        assert words in evidence_report(found).html()
    said = json.loads(json.dumps(evidence(cpe.read_votes(path)).as_dict()))["votes"]
    assert (said["rankings"], said["incomplete"], said["unranked"]) == (100, 100, "last")
    ignored = evidence(cpe.read_votes(path, unranked="ignore")).as_dict()["votes"]
    assert ignored["selected"] == ((0, 1), (0, 2), (1, 2))
    complete = cpe.read_votes(write(tmp_path, "all.toc", TIED))
    assert complete.summary.unranked == ""
    assert "incomplete" not in str(evidence(complete))


def test_further_duels_of_selected_pairs_start_from_nothing(tmp_path):
    text = election(2, "700: 1,2", "300: 2,1", "50: 1")
    path = write(tmp_path, "x.soi", text)
    assert evidence(cpe.read_votes(path)).remaining.cost == 0
    found = evidence(cpe.read_votes(path, unranked="ignore"))
    # As if none had voted yet, at the same fraction of wins.
    assert found.remaining.cost == pytest.approx(
        evidence(cpe.Votes([[0, 7], [3, 0]])).remaining.cost + 10, abs=2
    )


def test_selected_pairs_prove_nothing_of_borda_scores():
    wins = np.array([[0, 900, 900], [100, 0, 500], [100, 500, 0]])
    selected = ~np.eye(3, dtype=bool)
    assert cpe.evidence(cpe.Votes(wins)).borda["0"] == "proved"
    assert set(cpe.evidence(cpe.Votes(wins, selected=selected)).borda.values()) == {"possible"}


def test_selected_pairs_have_to_be_pairs():
    wins = [[0, 3, 1], [1, 0, 2], [2, 2, 0]]
    for selected, message in (
        ([[0, 1], [1, 0]], "selected: of 2 arms, and the wins are of 3"),
        ([[0, 1, 0], [0, 0, 0], [0, 0, 0]], "selected, row 0, column 1: 1.0 and 0.0 the"),
        ([[0, 2, 0], [2, 0, 0], [0, 0, 0]], "2.0 and 2.0 the other way, expected True or False"),
    ):
        with pytest.raises(cpe.InputError, match=message):
            cpe.Votes(wins, selected=selected)
    assert cpe.Votes(wins, selected=np.zeros((3, 3), dtype=bool)) == cpe.Votes(wins)
    some = np.zeros((3, 3), dtype=bool)
    some[0, 1] = some[1, 0] = True
    votes = cpe.Votes(wins, selected=some)
    assert votes != cpe.Votes(wins)
    with pytest.raises(cpe.InputError, match="some pairs are selected by"):
        cpe.write_votes(votes, "never.csv")
    with pytest.raises(cpe.InputError, match="some pairs are selected"):
        cpe.simulate(
            "copeland-tracking",
            cpe.load_instance("gap"),
            horizon=100,
            delta=0.1,
            prior=cpe.Votes(np.pad(votes.wins, (0, 2)), selected=np.pad(some, (0, 2))),
        )


@pytest.mark.parametrize("suffix", [".toc", ".toi"])
def test_orders_with_ties(tmp_path, suffix):
    votes = cpe.read_votes(write(tmp_path, f"x{suffix}", TIED))
    assert votes.labels == ("Ann", "Bob, the other", "Eve", "4")
    assert votes.wins[1].tolist() == [3, 0, 5, 6]


SOC = """# FILE NAME: small.soc
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: 4
# ALTERNATIVE NAME 1: Ann
# ALTERNATIVE NAME 2: Bob
# ALTERNATIVE NAME 3: Eve
3: 1,2,3
1: 3,2,1
"""
VOTES = "3: 1,2,3\n1: 3,2,1\n"


def soc(ballot):
    """The same with another first ballot, on line 7."""
    return SOC.replace("3: 1,2,3", ballot)


@all_of(
    ("name", "text", "message"),
    [
        ("x.tog", SOC, "x.tog: expected one of the suffixes .soc, .soi"),
        ("x.pwg", SOC, "x.pwg: expected one of the suffixes .soc, .soi"),
        ("x.toc", soc("3: 1,2,"), "line 7: found '3: 1,2,', expected a count"),
        ("x.toc", soc("3"), "x.toc, line 7: found '3', expected a count"),
        ("x.toc", election(1, "1: 1"), "x.toc: 1 alternatives and 1 lines of votes, expected 2"),
        ("x.toc", election(2), "x.toc: 2 alternatives and 0 lines of votes"),
        ("x.toc", "2\n1,a\n2,b\n3,3,1\n3,1,2\n", "line 1: found '2', expected a count and a ran"),
        ("x.soc", soc("three: 1,2,3"), "x.soc, line 7: found 'three: 1,2,3', expected a count"),
        ("x.soc", soc("3: 1,2,2"), "x.soc, line 7: a vote that ranks no alternative, or one twice"),
        ("x.soc", soc("3: 1,2"), "line 7: 2 of 3 alternatives are ranked, which .soi and"),
        ("x.soc", soc("3: 1,{2,3}"), "line 7: a vote with ties, which .toc and"),
        ("x.soc", SOC.replace(VOTES, "4: 3,1,2\n1: 1,2,3\n"), "add up to 5, and the header says"),
        ("x.soc", SOC + "# ALTERNATIVE NAME 1: Zoe\n", "line 9: alternative 1 named twice"),
        ("x.soc", election(2, "0: 1,2"), "x.soc: no vote compares two alternatives"),
        ("x.soc", "winner,loser\na,b\n", "x.soc, line 1: found 'winner,loser', expected"),
        ("x.soc", "", "x.soc: 0 alternatives and 0 lines of votes"),
    ],
)
def test_what_is_no_election_is_refused_with_the_line(tmp_path, name, text, message):
    with pytest.raises(cpe.InputError) as refused:
        cpe.read_observations(write(tmp_path, name, text))
    assert message in str(refused.value)


def test_ties_within_a_vote_are_half_a_win(tmp_path):
    text = soc("3: 1,{2,3}").replace("1: 3,2,1", "1: {1,2},3")
    mu = cpe.load_problem(write(tmp_path, "s.toc", text))
    assert mu.array[0, 1] == (3 + 0.5) / 4
    assert mu.array[1, 2] == (1.5 + 1) / 4


def test_incomplete_orders_say_last_or_nothing(tmp_path):
    path = write(tmp_path, "s.soi", soc("3: 1,2").replace("1: 3,2,1", "1: 3,1"))
    ignored = cpe.PreferenceMatrix.from_votes(cpe.read_observations(path, unranked="ignore"))
    assert ignored.array[0].tolist() == [0.5, 1.0, 0.0]
    assert ignored.ties == ((1, 2),)
    last = cpe.load_problem(path)
    assert last.votes == cpe.read_observations(path, unranked="last")
    assert last.array[0].tolist() == [0.5, 1.0, 0.75]
    assert last.array[1, 2] == 0.75
    with pytest.raises(cpe.InputError, match="'first'"):
        cpe.read_observations(path, unranked="first")


def test_repeated_names_are_numbered(tmp_path):
    path = write(tmp_path, "s.soc", SOC.replace("Bob", "Ann"))
    assert cpe.load_problem(path).labels == ("Ann (1)", "Ann (2)", "Eve (3)")


@pytest.mark.skipif(not (DATA / "preflib").is_dir(), reason="no election data on this machine")
def test_real_elections_read():
    files = sorted(DATA.glob("preflib/*/*.[st]o[ci]"))
    assert files
    for path in files:
        mu = cpe.load_problem(path)
        assert np.allclose(mu.array + mu.array.T, 1)
        assert len(set(mu.labels)) == mu.arms
