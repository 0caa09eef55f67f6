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
    rows = [f"{' + '.join(team)};{score:.3f}" for team, score in zip(teams, scores, strict=True)]
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


def test_options_of_teams_and_of_votes_have_no_effect_on_the_others(log, tmp_path):
    votes = tmp_path / "votes.csv"
    votes.write_text("winner,loser\na,b\n")
    of_votes = ("--prices=p.csv", "--margin=0", "--top=2", "--plot=x.png")
    of_teams = ("--k=2", "--sigma=0", "--planned")
    for file, options in ((log, of_votes), (votes, of_teams)):
        for option in options:
            done = run("evidence", file, option)
            assert done.exit_code == 2
            assert f"{option.split('=')[0]} has no effect here" in done.stderr
    panel = tmp_path / "panel.csv"
    panel.write_text("position,winner,loser\nlead,ann,bob\nlead,bob,ann\n")
    assert run("evidence", panel).exit_code == 0
    assert "--top has no effect here" in run("evidence", panel, "--top", 1).stderr


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
    assert "Ahead" in shown
    assert "winners" not in shown
    assert json.loads(run("session", "status", file, "--json").stdout)["so_far"]
    out = tmp_path / "all.csv"
    assert run("session", "export", file, out, "--scores").exit_code == 0
    again = cpe.read_scores(out)
    assert again.scores.tolist()[-1] == 7.5
    assert len(again.teams) == 31
    assert {again.members[e] for e in again.teams[-1]} == set(question["labels"])
    both = run("session", "export", file, out, "--scores", "--votes")
    assert "expected one of them" in both.stderr
    refused = run("session", "new", tmp_path / "other.jsonl", "icb", "--prior", log)
    assert "icb cannot start from earlier observations; subset-tracking can" in refused.stderr


def test_a_session_from_votes_at_positions(tmp_path):
    log = tmp_path / "panel.csv"
    log.write_text("position,winner,loser\nlead,ann,bob\nlead,bob,cleo\ndesk,cleo,ann\n")
    done = run("session", "new", tmp_path / "panel.jsonl", "--prior", log)
    assert "matching-tracking (delta 0.05) asks about" in done.stdout
    assert run("session", "next", tmp_path / "panel.jsonl").exit_code == 0


def test_a_session_from_teams_of_several_sizes_says_what_it_takes_for_granted(tmp_path):
    rng, log, file = np.random.default_rng(3), tmp_path / "crews.csv", tmp_path / "crews.jsonl"
    teams = [rng.choice(NAMES, size, replace=False).tolist() for size in [1, 2, 4] * 9]
    scores = [sum(map(THETA.get, team)) + rng.normal() for team in teams]
    cpe.write_scores(cpe.TeamScores(teams, scores), log)
    assert "or --k, on the command line" in run("session", "new", file, "--prior", log).stderr
    assert run("session", "new", file, "--prior", log, "--k", 2).exit_code == 0
    assert "in teams of every size alike" in run("session", "status", file).stdout
    assert run("session", "export", file, tmp_path / "again.csv", "--scores").exit_code == 0
    assert cpe.read_scores(tmp_path / "again.csv").scores.tolist() == scores
