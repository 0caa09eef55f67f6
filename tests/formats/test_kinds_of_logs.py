"""Logs as other tools and people write them: read as meant, or refused with the way on."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.proofs.dueling.e_values import log_e_of_votes
from cpe_opt.sessions.answers import write_answers
from tests.support import all_of

ALPACA = "instruction,generator_1,generator_2,annotator,preference\n"
# What the winner of the first vote is in all of these: x beats y once, and they tie once.
READ = {
    "words": "model_a,model_b,winner\nx,y,model_a\nx,y,tie\n",
    "capital words": "model_a,model_b,winner\nx,y,A_WIN\ny,x,TIE\n",
    "the second won": "model_a,model_b,winner\ny,x,B_WIN\ny,x,DRAW\n",
    "names": "model_a,model_b,winner\ny,x,x\ny,x,tie\n",
    "what model_a gets": "model_a,model_b,outcome\ny,x,0\nx,y,0.5\n",
    "1 prefers the first": ALPACA + "p,x,y,g,1\nq,y,x,g,1.5\n",
    "2 prefers the second": ALPACA + "p,y,x,g,2\nq,x,y,g,1.5\n",
    "places twice": "model_a,model_b,winner,loser\nx,y,model_a,model_b\ny,x,tie,tie\n",
    "counts": "model_a,model_b,outcome,count\nx,y,1,1\nx,y,0.5,1\n",
}
REFUSED = {
    "of another scale": (ALPACA + "p,x,y,g,-0.4\n", "preference is -0.4, expected numbers from 1"),
    "of an older scale": (ALPACA + "p,x,y,g,2\np,x,y,g,0\n", "line 3: preference is 0, expected"),
    "of any scale": (ALPACA + "p,x,y,g,1\np,x,y,g,1\n", "preference is 1 in all lines, expected"),
    "of two scales": (ALPACA + "p,x,y,g,2\np,x,y,g,2\n", "preference is 2 in all lines, expected"),
    "nobody's preference": (ALPACA + "p,x,y,g,\n", "the cell of 'preference' is empty, expected a"),
    "of sides by letters": (
        "model_a,model_b,preference\nx,y,1\n",
        "Which side a preference means is sure next to the names generator_1 and generator_2 alone",
    ),
    "of texts": (
        "output_1,output_2,preference\nx,y,1\n",
        "otherwise write it as outcome, a number",
    ),
    "a column a side": (
        "model_a,model_b,winner_model_a,winner_model_b,winner_tie\nx,y,1,0,0\n",
        "Write who won in one column, winner",
    ),
    "an outcome in words": (
        "model_a,model_b,outcome\nx,y,x\n",
        "outcome is 'x', expected a number",
    ),
    "of a scale to 2": ("model_a,model_b,outcome\nx,y,2\n", "from 0 to 1: what model_a gets"),
    "an arm alone": ("winner,loser\nx,x\n", "line 2: a duel of 'x' against itself"),
    "letters": ("model_a,model_b,winner\nx,y,A\n", "winner is 'A', expected model_a, model_b, tie"),
}


def written(folder, content, name="log.csv"):
    path = folder / name
    path.write_text(content)
    return path


@pytest.mark.parametrize("kind", READ)
def test_a_log_is_read_as_it_is_meant(tmp_path, kind):
    votes = cpe.read_votes(written(tmp_path, READ[kind]))
    x, y = map(votes.labels.index, "xy")
    assert (votes.wins[x, y], votes.wins[y, x], votes.tied[x, y]) == (1.5, 0.5, 1.0)
    assert votes.counts.outcomes is None
    assert votes.summary.graded == 0


@all_of(("content", "message"), list(REFUSED.values()))
def test_a_log_whose_sides_are_not_sure_is_refused_with_the_way_on(tmp_path, content, message):
    with pytest.raises(cpe.InputError) as error:
        cpe.read_votes(written(tmp_path, content))
    assert message in str(error.value)


def test_games_within_a_line_are_refused_with_the_way_on(tmp_path):
    line = {"question_id": "q", "model": "x", "judge": "g", "games": [{"score": "A>B"}]}
    with pytest.raises(cpe.InputError, match="write one line per game, with model_a"):
        cpe.read_votes(written(tmp_path, json.dumps(line) + "\n", "judged.jsonl"))


def test_weighted_preferences_are_shares_of_which_the_mean_is_compared(tmp_path):
    content = ALPACA + "p,base,new,g,1.9\nq,base,new,g,1.7\nr,new,base,g,1.25\ns,base,new,g,1.5\n"
    votes = cpe.read_votes(written(tmp_path, content))
    new, base = map(votes.labels.index, ("new", "base"))
    assert votes.wins[new, base] == pytest.approx(0.9 + 0.7 + 0.75 + 0.5, abs=1e-6)
    assert votes.wins[new, base] + votes.wins[base, new] == 4.0
    assert (votes.summary.graded, votes.summary.tied) == (3, 1)
    assert votes.counts.outcomes.times.tolist() == [1.0] * 4
    said = str(cpe.evidence(votes))
    assert "3 votes are shares, between a win and a loss" in said
    assert "preference is read from 1, generator_1 is preferred, to 2, generator_2 is" in said
    assert cpe.evidence(votes).as_dict()["votes"]["graded"] == 3
    alone = cpe.read_votes(written(tmp_path, content), cluster="instruction")  # one vote in each
    assert np.array_equal(alone.fractions, votes.fractions)
    whole = cpe.read_votes(written(tmp_path, "model_a,model_b,outcome\na,b,.25\na,b,.25\na,b,.5\n"))
    assert (whole.wins[0, 1], whole.summary.graded, whole.summary.tied) == (1.0, 2, 1)
    assert np.array_equal(cpe.evidence(alone).beats, cpe.evidence(votes).beats)
    with pytest.raises(cpe.InputError, match="a session counts each vote by itself"):
        cpe.Session.open(tmp_path / "s.jsonl", "copeland-tracking", delta=0.1, prior=votes)


def test_shares_prove_what_clusters_of_one_vote_do():
    """A line that stands for many is many outcomes."""
    rng = np.random.default_rng(5)
    rows = [(*pair, y) for pair in ("ab", "bc", "ac") for y in rng.beta(5, 2, 150).round(3)]
    frame = pd.DataFrame(rows, columns=["model_a", "model_b", "outcome"])
    alone = cpe.read_votes(frame.assign(item=range(len(frame))), cluster="item")
    twice = pd.concat([frame, frame])
    found = cpe.evidence(cpe.read_votes(frame))
    assert np.array_equal(found.beats, cpe.evidence(alone).beats)
    assert found.ranks == cpe.evidence(alone).ranks
    assert found.condorcet["a"] == "proved"
    counted = cpe.read_votes(frame.assign(count=2)).counts.outcomes
    repeated = cpe.read_votes(twice).counts.outcomes
    for name in ("first", "second", "share", "times"):
        assert np.array_equal(getattr(counted, name), getattr(repeated, name))


def test_equal_arms_are_seldom_said_to_differ_by_shares():
    wrong = 0
    for seed in range(60):
        shares = np.random.default_rng(seed).beta(0.3, 0.3, 60)
        frame = pd.DataFrame({"model_a": "x", "model_b": "y", "outcome": shares})
        wrong += bool((log_e_of_votes(cpe.read_votes(frame)) >= np.log(1 / 0.5)).any())
    assert 0 < wrong <= 30


def test_a_duel_of_an_arm_against_itself_is_left_out_and_counted(tmp_path):
    log = "winner,loser,count,language\nx,y,2,en\nz,z,3,en\ny,x,1,de\nx,x,1,de\n"
    votes = cpe.read_votes(written(tmp_path, log))
    assert votes.labels == ("x", "y")
    assert votes.wins.tolist() == [[0, 2], [1, 0]]
    assert votes.summary.skipped == (("of an arm against itself", 4),)
    assert "left out: 4 of an arm against itself" in str(cpe.evidence(votes))
    groups = cpe.read_votes_by(written(tmp_path, log), "language")
    assert [each.wins.sum() for each in groups.values()] == [2, 1]
    panel = written(tmp_path, "position,winner,loser\ndesk,a,b\ndesk,b,b\nlead,b,a\n")
    assert cpe.read_panel(panel).counts.duels.sum() == 4


def test_votes_against_one_baseline_prove_nothing_of_models_that_never_met(tmp_path):
    lines = [f"q{k},base,m{arm},g,{2 - (k < 4 * arm)}\n" for arm in range(4) for k in range(60)]
    found = cpe.evidence(cpe.read_votes(written(tmp_path, ALPACA + "".join(lines))))
    base = found.votes.labels.index("base")
    others = [arm for arm in range(5) if arm != base]
    assert found.beats[others, base].all()
    assert not found.beats[np.ix_(others, others)].any()
    assert len(found.votes.summary.never_met) == 6
    assert "never met, taken for tied: m0 – m1" in str(found)


@pytest.fixture
def answered(tmp_path):
    """A session with ties, two raters and second answers, and the answers that it exports."""
    rng = np.random.default_rng(2)
    path = tmp_path / "taste.jsonl"
    with cpe.Session.open(path, "copeland-tracking", labels=["tea", "mate", "rum"], delta=0.1) as s:
        for k in range(24):
            rater = "ann" if k % 2 else "bob"
            s.tell(s.ask(1, rater=rater)[0].id, float(rng.choice([0, 0.5, 1])), rater=rater)
        for question in s.ask(3, rater="cleo", repeat=True):
            s.tell(question.id, 1.0, rater="cleo")
        frame, votes = s.answers(), s.votes()
    return frame, votes


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_the_answers_that_a_session_exports_are_read_as_its_votes(tmp_path, answered, suffix):
    frame, told = answered
    out = tmp_path / f"answers{suffix}"
    write_answers(frame, out)
    votes = cpe.read_observations(out)
    order = [told.labels.index(label) for label in votes.labels]
    assert np.array_equal(votes.wins, told.wins[np.ix_(order, order)])
    assert np.array_equal(votes.tied, told.tied[np.ix_(order, order)])
    assert votes.tied.any()
    assert [count for _, count in votes.summary.skipped] == [3]
    assert [each.column for each in votes.summary.clusters] == ["rater"]
    assert cpe.read_votes(out, cluster="rater").summary.clustering.clusters == 2
    assert cpe.load_problem(out).votes == votes


def test_a_column_told_of_any_other_log_is_one_like_others():
    frame = pd.DataFrame({"winner": ["x", "y"], "loser": ["y", "x"], "told": ["yes", "no"]})
    votes = cpe.read_votes(frame, where={"told": "yes"})
    assert (votes.wins.sum(), votes.summary.skipped) == (1.0, ())
    assert cpe.read_votes(frame).wins.sum() == 2.0


def test_exported_answers_of_another_kind_say_the_way_on(tmp_path, answered):
    frame, _ = answered
    for changed, message in (
        (frame.drop(columns="told"), "without the column 'told', which says whether they count"),
        (frame.assign(item="q"), "`cpe-opt session export --items` writes them"),
        (frame.assign(second=""), "`cpe-opt session export --scores` writes the log of teams"),
    ):
        out = tmp_path / "answers.csv"
        write_answers(changed, out)
        with pytest.raises(cpe.InputError) as error:
            cpe.read_observations(out)
        assert message in str(error.value)
    with pytest.raises(cpe.InputError, match="`cpe-opt session export` writes its answers"):
        cpe.read_votes(tmp_path / "taste.jsonl")


def test_exported_answers_at_positions_are_votes_at_positions(tmp_path, answered):
    frame, _ = answered
    out = tmp_path / "answers.csv"
    places = list(itertools.islice(itertools.cycle(["desk", "lead"]), len(frame)))
    write_answers(frame.assign(about=places), out)
    panel = cpe.read_observations(out)
    assert set(panel.graph.position_labels) == {"desk", "lead"}
    assert panel.vote_summary.duels == 24
    with pytest.raises(cpe.InputError, match="is one of matchings"):
        cpe.read_votes(out)


def test_what_is_written_is_read_as_it_was(tmp_path, answered):
    """Votes, scores of teams of several sizes, and duels over items."""
    _, votes = answered
    assert cpe.read_votes(cpe.write_votes(votes, tmp_path / "votes.csv")) == votes
    scores = cpe.TeamScores(
        [["a"], ["b", "c"], ["a", "b", "c", "d"]], [0.1, 2 / 3, 1e-9], [1, 2, 3]
    )
    cpe.write_scores(scores, tmp_path / "teams.csv")
    again = cpe.read_scores(tmp_path / "teams.csv")
    assert (again.teams, again.scores.tolist(), again.counts.tolist()) == (
        scores.teams, scores.scores.tolist(), scores.counts.tolist(),
    )  # fmt: skip
    cells = np.full((3, 3, 4, 2), np.nan)
    drawn = np.random.default_rng(0).random((3, 4, 2))
    for (i, j), each in zip(itertools.combinations(range(3), 2), drawn, strict=True):
        cells[i, j] = each
    duels = cpe.ItemDuels(cells, labels=["p", "q", "r"])
    cpe.write_item_duels(duels, tmp_path / "cells.csv")
    read = cpe.read_item_duels(tmp_path / "cells.csv")
    assert all(np.array_equal(read.pair(*p), duels.pair(*p)) for p in ((0, 1), (0, 2), (1, 2)))
