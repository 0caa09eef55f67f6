import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.experiments.planning import run_seed

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def run_example(tmp_path, monkeypatch, capsys):
    """Run a script of the folder in a folder of its own, in one process; returns what it prints."""

    def run(name, *options):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [name, *map(str, options)])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_the_main_job(run_example, tmp_path):
    """The script that make demo runs, with a short horizon and few runs."""
    options = ["--out", "demo", "--horizon", 200, "--runs", 2]
    shown = run_example("copeland_on_sushi.py", *options)
    assert "mildly fatty tuna: proved by" in shown
    assert "Copeland winners: mildly fatty tuna" in shown
    assert "C*   = 142.6078" in shown
    assert "C^E* = 143.3679" in shown
    assert "52 columns" in shown
    assert "demo/regret-sushi.png" in shown
    folder = tmp_path / "demo"
    program = cpe.read_program(folder / "copeland-sushi.lp")
    assert round(cpe.solve(program).objective, 4) == 142.6078
    assert "regret-tracking: regret " in shown
    assert "ecw-rmed: regret " in shown
    assert (folder / "regret-sushi.png").stat().st_size > 10_000
    assert len(list(folder.iterdir())) == 2


@pytest.mark.slow
def test_the_team_from_sums(run_example, tmp_path):
    options = ["--workers", 6, "--team", 2, "--gap", 0.5, "--runs", 2]
    shown = run_example("team_from_sums.py", *options)
    assert "15 teams; the best is" in shown
    assert shown.count("right in 2 of 2 runs") == 4
    assert (tmp_path / "team.png").stat().st_size > 5_000


def test_a_class_of_one_s_own(run_example):
    shown = run_example("own_class.py")
    assert shown.count("{Mon, Thu, Sat}") == 4
    assert "G value 7.0000" in shown
    command = ["run", "clucb", f"{EXAMPLES / 'own_class.py'}:week", "--runs", "2", "--jobs", "1"]
    told = CliRunner().invoke(app, command)
    assert told.exit_code == 0
    assert told.stdout.count("{Mon, Thu, Sat}") == 2


def test_the_plan_from_samples(run_example, tmp_path):
    shown = run_example("plan_from_samples.py")
    assert shown.count("lake: 3, river: 1, well: 2; value -3.2000") == 2
    assert shown.count("lake: 3, river: 1, well: 2 after") == 2
    program = cpe.read_program(tmp_path / "plan.lp")
    assert round(cpe.solve(program, "scip").objective, 4) == -3.2


def test_the_best_of_twelve_prompts_by_a_judge(run_example):
    shown = run_example("prompts_with_a_judge.py", "--delta", 0.2, "--parallel", 3)
    assert "200 duels, and the first budget is used up; ahead: " in shown
    more, every, ties = map(
        int, re.search(r"(\d+) more, (\d+) in all, of which (\d+) were", shown).groups()
    )
    assert every == 200 + more
    assert 0.05 * every < ties < 0.15 * every
    assert "three examples is" in shown or "proved: three examples, as" in shown
    position = r"won (\d+)% of \d+ where it was shown first, (\d+)% of \d+ where second"
    first, second = map(int, re.search(position, shown).groups())
    assert first > second + 5


def test_the_league_of_fresh_instances(run_example):
    """The multiples of two learners that are the same on every machine, with one matrix a kind."""
    chosen = ["--arms", 5, "--seeds", 1, "--runs", 2, "--learners", "pocowista", "ecw-rmed"]
    head, _, *rows = run_example("fresh_league.py", *chosen).splitlines()
    assert head == "| learner | bradley-terry | random-cycle | mslr-like |"
    mu = cpe.load_problem("random-cycle:5:seed=1001")
    runs = [cpe.simulate("pocowista", mu, seed=run_seed(0, k)) for k in range(2)]
    multiple = np.mean([run.samples for run in runs]) / (cpe.copeland_time(mu).value * np.log(20))
    name, _, cycle, _ = (cell.strip() for cell in rows[0].strip("|").split("|"))
    assert name == "`pocowista`"
    assert cycle.endswith("; 1)")
    assert float(cycle.partition(" ")[0]) == pytest.approx(multiple, abs=0.06)
    bound = cpe.copeland_bound(mu)
    runs = [cpe.simulate("ecw-rmed", mu, horizon=10**5, seed=run_seed(0, k)) for k in range(2)]
    multiple = np.mean([run.regret[-1] for run in runs]) / (bound.value * np.log(10**5))
    cycle = rows[1].strip("|").split("|")[2].strip()
    assert float(cycle.partition(" ")[0]) == pytest.approx(multiple, abs=0.06)


def test_the_league_of_tables_of_scores(run_example):
    """A row a kind, no rule takes more than the table, and intervals save the least."""
    head, _, *rows = run_example("score_tables.py", "--small", "--tables", 1).splitlines()
    assert head.startswith("| kind | arms | items | `score-tracking` | with cheap scores")
    assert [row.split("|")[1].strip() for row in rows] == [
        "binary", "graded", "sparse failures", "near ties",
    ]  # fmt: skip
    for row in rows:
        shares = [float(cell.strip(" %")) for cell in row.split("|")[4:8]]
        assert min(shares) > 0
        assert max(shares) == shares[-1] <= 100


@pytest.mark.slow
def test_the_panel_over_the_page(run_example, tmp_path):
    shown = run_example("panel_over_the_page.py", "--panelists", 3)
    assert "answers; editor: Ada, speaker: Cleo" in shown
    with cpe.Session.open(tmp_path / "panel.jsonl") as session:
        assert session.finished
        assert set(session.raters()["rater"]) == {"panelist 1", "panelist 2", "panelist 3"}
    again = run_example("panel_over_the_page.py", "--panelists", 1)
    assert shown.splitlines()[2:] == again.splitlines()[2:]  # nothing was left to ask


def test_teams_from_a_log(run_example, tmp_path):
    shown = run_example("teams_from_a_log.py")
    assert "teams: 60 scores, 3 of 7" in shown
    assert "95 %, if teams were chosen before any score was seen, and the noise of scores" in shown
    assert re.search(r"next: \{[\w, ]+\}; about \d+ further scores to a proof", shown)
    last, assumed = shown.splitlines()[-2:]
    assert assumed.startswith("if the noise of scores is normal, equally large for all teams and")
    named = re.search(r"after (\d+) more projects: \{(.+)\} is the best team, proved", last)
    assert {*named[2].split(", ")} == {"Ada", "Ben", "Cleo"}
    with cpe.Session.open(tmp_path / "teams.jsonl") as session:
        assert session.status().answers == int(named[1])
        assert len(session.scores().teams) == 60 + int(named[1])


@pytest.mark.slow
def test_the_existing_leaderboard(run_example, tmp_path):
    """Two runs of each way to buy votes: well-chosen ones prove what random ones do not."""
    shown = run_example("leaderboard_evidence.py", "--seeds", 2)
    assert "25 arms, 20,000 votes on 300 of 300 pairs" in shown
    assert "0 models are proved to be Copeland winners" in shown
    halves = {
        line.split(":")[0]: int(line.split()[-1].replace(",", ""))
        for line in shown.splitlines()
        if "in half of them after" in line
    }
    chosen = halves["evidence, in orders of at most 1,000"]
    assert 20 * max(chosen, halves["copeland-tracking"]) < halves["random pairs"]
    assert 0 < chosen < 4000
    votes = cpe.read_votes(tmp_path / "battles.csv")
    assert votes.summary.duels == 20_000
    assert (tmp_path / "leaderboard.png").stat().st_size > 10_000
    after = r": a winner is proved after 1,000 votes in (\d+)% of 2 runs, after 128,000 in (\d+)%,"
    shares = {
        name: re.search(name + after, shown) for name in ("random pairs", "copeland-tracking")
    }
    assert shares["random pairs"][1] == "0"
    assert shares["copeland-tracking"][2] == "100"


def test_the_coverage_of_ranks_under_a_model_is_counted_for_each_kind(run_example):
    head, _, *rows = run_example("model_coverage.py", "--boards", "1").splitlines()
    assert head == "| board | differences | ranks | ranks of an arm | prior |"
    assert len(rows) == 15
    assert {row.split(" | ")[2] for row in rows} <= {"100.0 %", "0.0 %"}
