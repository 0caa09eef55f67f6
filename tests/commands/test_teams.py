"""A manager's log of teams on the command line: what is proved, and a session that goes on."""

import itertools
import json

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.proofs.subsets.noise_bound import largest_sigma
from tests.commands.test_cli import run

NAMES = ["ann", "bob", "cleo", "dan", "eve"]
THETA = dict(zip(NAMES, (3.0, 1.0, 2.5, 0.5, -1.0), strict=True))


@pytest.fixture
def log(tmp_path):
    rng = np.random.default_rng(0)
    teams = [*itertools.combinations(NAMES, 2)] * 3
    scores = [sum(THETA[name] for name in team) + rng.normal() for team in teams]
    rows = [f"{', '.join(team)};{score:.3f}" for team, score in zip(teams, scores, strict=True)]
    lines = ["team;score", *rows]
    path = tmp_path / "teams.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_what_a_log_of_teams_proves_and_which_team_is_next(log):
    done = run("evidence", log, "--sigma", 1)
    assert done.exit_code == 0
    assert "teams: 30 scores, 2 of 5" in done.stdout
    assert "proved at 95 %, however teams were chosen: no team is better by" in done.stdout
    assert "next: {" in done.stdout
    plain = json.loads(run("evidence", log, "--sigma", 1, "--planned", "--json").stdout)
    assert plain["planned"]
    found = cpe.team_evidence(cpe.read_scores(log), sigma=1.0, planned=True)
    assert plain["loss"] == pytest.approx(found.loss)


def test_teams_may_be_chosen_from_a_class_of_ones_own(log):
    script = log.with_name("own.py")
    script.write_text(
        "import cpe_opt as cpe\n"
        f"choice = cpe.SubsetBandit(cpe.TopK(5, 2, {NAMES!r}), [0.0] * 5)\n"
        "matrix = cpe.load_instance('gap')\n"
    )
    done = run("evidence", log, "--problem", f"{script}:choice", "--delta", 0.1)
    assert done.exit_code == 0
    assert "proved at 90 %" in done.stdout
    wrong = run("evidence", log, "--problem", f"{script}:matrix")
    assert "expected sets of elements, as teams are" in wrong.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--prices", "prices.csv"], "--prices has no effect here"),
        (["--k", 3], "which is no set of 3 of 5"),
        (["--plot", "x.png"], "--plot has no effect here"),
    ],
)
def test_options_of_votes_have_no_effect_on_teams(log, options, said):
    done = run("evidence", log, *options)
    assert done.exit_code == 2
    assert said in done.stderr


def test_options_of_teams_have_no_effect_on_votes(tmp_path):
    (tmp_path / "votes.csv").write_text("winner,loser\na,b\n")
    for options in (["--k", 2], ["--sigma", 1], ["--planned"], ["--problem", "x.csv"]):
        done = run("evidence", tmp_path / "votes.csv", *options)
        assert f"{options[0]} has no effect here" in done.stderr


def test_answers_are_no_log_of_teams(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("question,worker,correct\nq,a,1\nq,b,0\n")
    said = "is a table of answers, right or wrong, which load_problem reads"
    assert said in " ".join(run("evidence", path).stderr.split())
    done = run("session", "new", tmp_path / "s.jsonl", "--prior", path)
    assert said in " ".join(done.stderr.split())
    path.write_text("team,points\na+b,1\n")
    assert "no column 'score'" in run("evidence", path).stderr


def test_a_session_of_ones_own_class_says_how_it_goes_on(log, tmp_path):
    script = tmp_path / "own.py"
    script.write_text(
        "import cpe_opt as cpe\n"
        "trees = cpe.SpanningTrees([('a', 'b'), ('b', 'c'), ('c', 'a')])\n"
        "choice = cpe.SubsetBandit(trees, [0.0] * 3)\n"
    )
    file = tmp_path / "own.jsonl"
    told = ["subset-tracking", "--problem", f"{script}:choice", "-p", "delta=0.1"]
    done = run("session", "new", file, *told)
    assert done.stdout.endswith(f"session run {file}\n")
    assert "--problem" in run("session", "serve", "--help").stdout
    assert run("session", "next", file).exit_code == 0
    assert run("session", "next", file, "--problem", f"{script}:choice").exit_code == 0


def test_a_session_from_a_log_goes_on_where_it_ends(log, tmp_path):
    file = tmp_path / "teams.jsonl"
    begun = run("session", "new", file, "--prior", log)
    assert begun.exit_code == 0
    sigma = largest_sigma(cpe.read_scores(log), 0.1 * 0.05)
    assert f"subset-tracking (delta 0.05, feedback sums, sigma {sigma})" in begun.stdout
    [question] = json.loads(run("session", "next", file, "--json").stdout)
    assert question["kind"] == "set"
    assert len(question["labels"]) == 2
    told = run("session", "answer", file, question["id"], "7.5")
    assert f"{question['id']}: 7.5" in told.stdout
    shown = run("session", "status", file).stdout
    assert "no set is better by more than" in shown
    assert "ahead" in shown
    assert "winners" not in shown
    assert json.loads(run("session", "status", file, "--json").stdout)["so_far"]
    out = tmp_path / "all.csv"
    assert run("session", "export", file, out, "--scores").exit_code == 0
    again = cpe.read_scores(out)
    assert again.scores.tolist()[-1] == 7.5
    assert len(again.teams) == 31
    assert {again.members[e] for e in again.teams[-1]} == set(question["labels"])
    both = run("session", "export", file, out, "--scores", "--votes", "winners")
    assert "expected one of them" in both.stderr
    refused = run("session", "new", tmp_path / "other.jsonl", "icb", "--prior", log)
    assert "icb cannot start from earlier observations; subset-tracking can" in refused.stderr


def test_a_session_of_teams_of_several_sizes_asks_for_what_may_be_chosen(tmp_path):
    log = tmp_path / "sizes.csv"
    log.write_text("team,score\na+b,1\na+c,2\nb+c+d,3\n")
    file = tmp_path / "teams.jsonl"
    refused = run("session", "new", file, "--prior", log)
    assert "teams of different sizes do not say which sets may be chosen" in refused.stderr
    assert "{b, c, d} was seen" in run("session", "new", file, "--prior", log, "--k", 2).stderr
    log.write_text("team,score\na+b,1\na+c,2\nb+c,3\na+d,2\nb+d,4\nc+d,3\n")
    done = run("session", "new", file, "--prior", log, "--k", 2, "-p", "noise=2")
    assert "noise 2" in done.stdout


def test_a_session_from_votes_at_positions(tmp_path):
    log = tmp_path / "panel.csv"
    log.write_text("position,winner,loser\nlead,ann,bob\nlead,bob,cleo\ndesk,cleo,ann\n")
    done = run("session", "new", tmp_path / "panel.jsonl", "--prior", log)
    assert "matching-tracking (delta 0.05) asks about" in done.stdout
    assert run("session", "next", tmp_path / "panel.jsonl").exit_code == 0


def test_a_column_by_which_scores_may_depend_is_named(log):
    head, *rows = log.read_text(encoding="utf-8").splitlines()
    log.write_text("\n".join([f"{head};judge", *(f"{row};p" for row in rows)]) + "\n", "utf-8")
    words = "warning: the column 'judge' has 1 different value in 30 scores; scores that share one"
    assert words in run("evidence", log, "--sigma", 1).stdout
    plain = json.loads(run("evidence", log, "--sigma", 1, "--json").stdout)
    assert plain["clusters"] == [{"column": "judge", "values": 1, "observations": 30}]
