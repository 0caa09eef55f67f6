"""The command line as a user meets it: through its runner, in this process.

Where the process is the point, as for Ctrl-C and the entry point, in tests/test_process.py.
"""

import contextlib
import json
import re

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.commands.console import print_table
from cpe_opt.formulations.models import MODELS
from cpe_opt.solvers.certificate import program_data
from tests.catalogue import CHECK

RUNNER = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"})


def run(*arguments, cwd="."):
    """What a command prints and its exit status; a traceback fails the test."""
    with contextlib.chdir(cwd):
        return RUNNER.invoke(app, list(map(str, arguments)), catch_exceptions=False)


def test_algorithms_say_what_they_promise_and_what_they_take():
    rows = json.loads(run("algorithms", "--json").stdout)
    assert [row["name"] for row in rows] == list(cpe.learners.LEARNERS)
    assert {row["goal"] for row in rows} == {"regret", "identification", "PAC"}
    shown = run("algorithms").stdout
    assert all(row["name"] in shown and row["family"] in shown for row in rows)
    one = json.loads(run("algorithms", "cw_rmed", "--json").stdout)
    assert (one["name"], one["family"], one["endless"]) == ("cw-rmed", "dueling", True)
    alpha, *_ = one["parameters"]
    assert (alpha["name"], alpha["type"], alpha["default"]) == ("alpha", "float", 3.0)
    words = " ".join(run("algorithms", "coci").stdout.split())
    assert "coci: Find the best decision with probability at least 1 - delta." in words
    assert "yes, unless the leading decision is not the only best one" in words
    assert "delta 0.05 float The probability of a wrong answer, between 0 and 1." in words
    assert "no parameters" in run("algorithms", "random-pairs").stdout
    done = run("algorithms", "ccbb")
    assert done.exit_code == 2
    assert "unknown learner 'ccbb'; did you mean 'ccb'" in done.stderr


def test_solvers():
    rows = json.loads(run("solvers", "--json").stdout)
    assert {row["name"] for row in rows} == {*cpe.SOLVERS, "assignment", "scipy", "networkx"}
    assert "highspy 1.13.1" in run("solvers").stdout


def test_instances():
    rows = json.loads(run("instances", "--json").stdout)
    assert {row["name"] for row in rows} == set(cpe.INSTANCES)
    assert "cycle-500" in run("instances").stdout
    one = json.loads(run("instances", "gap", "--json").stdout)
    assert (one["size"], one["winners"], one["condorcet_winner"]) == ("5 arms", [0], None)
    words = " ".join(run("instances", "gap").stdout.split())
    assert "Condorcet none" in words
    assert one["source"] in words
    done = run("instances", "gup")
    assert done.exit_code == 2
    assert "unknown instance 'gup'; did you mean 'gap'" in done.stderr


@pytest.mark.parametrize("command", ["--help", "algorithms", "instances"])
def test_lists_are_readable_at_80_columns(command):
    """No name is broken over two lines, and nothing else: no column is narrower than a word."""
    shown = RUNNER.invoke(app, [command], env={"COLUMNS": "80"}, catch_exceptions=False).stdout
    assert max(map(len, shown.splitlines())) <= 80
    if command != "--help":
        names = cpe.learners.LEARNERS if command == "algorithms" else cpe.INSTANCES
        assert all(f" {name} " in shown for name in names)
        assert len(shown.splitlines()) < 2.5 * len(names)


def test_tables_in_files_break_no_cells(monkeypatch, capsys):
    """As of a comparison of several algorithms on five instances."""
    cells = [f"{place}23.45 ± 6.78 =" for place in range(6)]
    for columns, whole in ((None, True), ("80", False)):
        monkeypatch.delenv("COLUMNS", raising=False)
        if columns:
            monkeypatch.setenv("COLUMNS", columns)
        print_table(["algorithm", *map(str, range(6))], [["copeland-tracking", *cells]])
        shown = capsys.readouterr().out
        assert any(all(cell in line for cell in cells) for line in shown.splitlines()) == whole


def test_help_groups_commands_by_what_they_are_for():
    shown = run("--help").stdout
    panels = ("Ask", "Votes and problems", "Models and solvers", "Research")
    places = [shown.index(f"─ {panel} ─") for panel in panels]
    assert places == sorted(places)
    for panel, command in zip(panels, ("session", "evidence", "solve", "compare"), strict=True):
        after = shown[shown.index(f"─ {panel} ─") :]
        assert f"│ {command} " in after[: after.index("╯")]


@pytest.mark.parametrize(
    ("model", "solver", "method", "value"),
    [
        ("copeland-bound", "highs", "cuts", 11.0249),
        ("copeland-bound", "glop", "compact", 11.0249),
        ("ecw-bound", "highs", "enumerate", 1252.5108),
    ],
)
def test_solve(model, solver, method, value):
    done = run("solve", model, "gap", "--solver", solver, "--method", method, "--json")
    report = json.loads(done.stdout)
    assert report["value"] == pytest.approx(value, abs=1e-4)
    assert report["bound"] == pytest.approx(value, abs=1e-4)
    assert report["status"] == "optimal"
    assert report["winner"] == 0


def test_the_von_neumann_model(tmp_path):
    report = json.loads(run("solve", "von-neumann-winner", "mslr5-cycle", "--json").stdout)
    assert report["exploitability"] < 1e-9
    assert sum(report["weights"].values()) == pytest.approx(1)
    assert set(report["weights"]) == {"1", "2", "3"}
    shown = run("solve", "von-neumann-winner", "mslr5-cycle").stdout
    assert "1: 0.351852" in shown
    done = run("export", "von-neumann-winner", "sushi", tmp_path / "v.lp")
    assert "17 columns, 17 rows" in done.stdout


def test_ties_of_the_winner_are_free_or_literal(tmp_path):
    file = tmp_path / "tied.csv"
    file.write_text(",a,b,c,d\na,.5,.7,.5,.7\nb,.3,.5,.7,.7\nc,.5,.3,.5,.7\nd,.3,.3,.3,.5\n")
    for ties, value in (((), 12.1532), (("--ties", "literal"), 8.1021)):
        done = run("solve", "copeland-bound", file, "--json", *ties)
        assert json.loads(done.stdout)["value"] == pytest.approx(value, abs=5e-5)
        path = tmp_path / f"{value}.lp"
        assert run("export", "copeland-bound", file, path, *ties).exit_code == 0
        solved = cpe.solve(cpe.read_program(path))
        assert solved.objective == pytest.approx(value, abs=5e-5)


def test_duels_have_prices(tmp_path):
    file = tmp_path / "prices.csv"
    gap = cpe.load_instance("gap")
    names = gap.labels
    pairs = [(a, b) for a in names for b in names if a < b]
    lines = [f"{a},{b},{1.5 if a == names[0] else 1}" for a, b in pairs]
    file.write_text("\n".join(["first,second,price", *lines]) + "\n")
    priced = json.loads(run("solve", "copeland-time", "gap", "--prices", file, "--json").stdout)
    expected = cpe.copeland_time(gap, prices=cpe.read_prices(file, gap))
    assert priced["value"] == expected.value
    assert (
        priced["value"] > json.loads(run("solve", "copeland-time", "gap", "--json").stdout)["value"]
    )
    path = tmp_path / "gap.lp"
    assert run("export", "copeland-time", "gap", path, "--prices", file).exit_code == 0
    assert cpe.solve(cpe.read_program(path)).objective == pytest.approx(priced["value"])
    file.write_text("\n".join(["first,second,price", *lines[1:]]) + "\n")
    refused = run("solve", "copeland-time", "gap", "--prices", file)
    assert refused.exit_code == 2
    assert f"no price of the pair {pairs[0][0]} – {pairs[0][1]}" in refused.stderr


def test_times_have_a_margin(tmp_path):
    mu = cpe.load_instance("mslr5-condorcet")
    path = tmp_path / "gap.lp"
    for model in ("copeland-time", "condorcet-time", "borda-time"):
        wide = json.loads(run("solve", model, mu.name, "--margin", "0.05", "--json").stdout)
        oracle = getattr(cpe, model.replace("-", "_"))
        assert wide["value"] == oracle(mu, margin=0.05).value < oracle(mu).value
    assert run("export", "copeland-time", mu.name, path, "--margin", "0.05").exit_code == 0
    time = cpe.copeland_time(mu, margin=0.05)
    assert cpe.solve(cpe.read_program(path)).objective == pytest.approx(time.value)
    refused = run("solve", "copeland-bound", mu.name, "--margin", "0.05")
    assert "--margin has no effect on copeland-bound; it is for copeland-time" in refused.stderr


def test_a_report_has_the_bound_of_the_answer():
    """A cone program's solve has none, and that of one winner is not that of all."""
    borda = json.loads(run("solve", "borda-time", "sushi", "--json").stdout)
    assert 0 <= borda["gap"] < 1e-6
    assert borda["bound"] == pytest.approx(borda["value"], rel=1e-6)
    time = cpe.copeland_time(cpe.load_instance("mslr5-cycle"))
    assert json.loads(run("solve", "copeland-time", "mslr5-cycle", "--json").stdout)["bound"] == (
        pytest.approx(time.bound, rel=1e-12)
    )


def test_a_winner_that_its_tie_may_cost_its_rank_has_no_finite_bound(tmp_path):
    file = tmp_path / "tied.csv"
    file.write_text(",a,b,c\na,.5,.5,.5\nb,.5,.5,.7\nc,.5,.3,.5\n")
    done = run("solve", "copeland-bound", file, "--winner", "0", "--json")
    report = json.loads(done.stdout)
    assert (report["value"], report["by_winner"]) == (None, {"0": None})
    refused = run("export", "ecw-bound", file, tmp_path / "a.lp", "--winner", "0")
    assert refused.exit_code == 2
    assert "has no solution: a tie may cost the winner its rank" in refused.output
    assert "inf ln T" not in run("analyse", file).stdout.split("CCB")[0]


@pytest.mark.parametrize("method", ["cuts", "compact", "enumerate"])
def test_export_writes_a_program_with_the_optimum(tmp_path, method):
    done = run("export", "copeland-bound", "gap", tmp_path / "gap.lp", "--method", method)
    assert done.exit_code == 0, done.stderr
    assert "9 columns" in done.stdout or method != "enumerate"
    program = cpe.read_program(tmp_path / "gap.lp")
    assert cpe.solve(program).objective == pytest.approx(11.0249, abs=1e-4)


def test_analyse_a_file_of_ones_own(tmp_path):
    path = tmp_path / "duels.csv"
    path.write_text("winner,loser,count\nx,y,60\ny,x,40\nx,z,70\nz,x,30\ny,z,55\nz,y,45\n")
    done = run("analyse", path)
    assert done.exit_code == 0, done.stderr
    assert "Condorcet winner: x" in done.stdout
    assert "closest pair: y and z, gap 0.05" in done.stdout
    report = json.loads(run("analyse", path, "--json").stdout)
    assert report["labels"] == ["x", "y", "z"]
    assert report["C_E_star"] >= report["C_star"] > 0
    assert report["borda_winners"] == report["random_walk_winners"] == [0]
    assert report["von_neumann_weights"][0] == pytest.approx(1)
    assert "von Neumann winner: x 1.000" in done.stdout


def test_run_writes_tables_traces_and_a_picture(tmp_path):
    done = run(
        "run", "ecw-rmed", "gap", "--horizon", "1e4", "--runs", 3, "--jobs", 1, "--seed", 4,
        "-p", "beta=0.02", "--plot", tmp_path / "r.png", "--out", tmp_path / "r.parquet",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert "mean regret" in done.stdout
    frame = pd.read_parquet(tmp_path / "r.parquet")
    assert frame["run"].nunique() == 3
    assert frame["time"].max() == 10_000
    assert (tmp_path / "r.png").stat().st_size > 10_000
    again = run("run", "ecw-rmed", "gap", "--horizon", "10000", "--runs", 3, "--jobs", 1,
                "--seed", 4, "-p", "beta=0.02", "--json")  # fmt: skip
    final = frame[frame["time"] == 10_000]["regret"].tolist()
    assert [row["regret"] for row in json.loads(again.stdout)] == final


def test_compare_draws_all_curves_and_goes_on_where_it_stopped(tmp_path):
    settings = ["--horizon", "1e2", "--runs", 2, "--jobs", 1, "--out", tmp_path / "results"]
    algorithms = ["ecw-rmed", "cw-rmed", "ecw-rmed:alpha=2,beta=0"]
    done = run("compare", *algorithms, "--on", "gap", *settings, "--plot", tmp_path / "gap.png")
    assert done.exit_code == 0, done.stderr
    assert "ecw-rmed (alpha=2, beta=0)" in done.stdout
    assert (tmp_path / "gap.png").stat().st_size > 10_000
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("runs-*.parquet")}
    assert len(files) == 3
    again = run("compare", *algorithms, "--on", "gap", *settings, "--json")
    found = json.loads(again.stdout)
    assert {row["learner"] for row in found["rows"]} == {
        "ecw-rmed", "cw-rmed", "ecw-rmed (alpha=2, beta=0)",
    }  # fmt: skip
    means = [row["mean"] for row in found["rows"]]
    assert means == sorted(means)
    assert found["bounds"]["gap"]["LB"] == pytest.approx(11.0249 * np.log(100), rel=1e-4)
    assert files == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("runs-*.parquet")}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "--on", "gap"], "expected at least one algorithm, or --baselines"),
        (["compare", "ecw-rmed", "ecw-rmed", "--on", "gap"], "two learners are called alike"),
        (["compare", "ecw-rmed:beta", "--on", "gap"], "parameter 'beta': expected name=value"),
        (["compare", "ecw-rmed", "--on", "gap", "--engine", "slurm"], "unknown engine 'slurm'"),
        (
            ["compare", "ecw-rmed", "--on", "gap", "--plot", "p.txt"],
            "'p.txt': expected a name that ends in .png",
        ),
        (["solve", "copeland-bound", "suhsi"], "unknown instance 'suhsi'; did you mean 'sushi'?"),
        (
            ["solve", "copeland-bond", "gap"],
            "unknown model 'copeland-bond'; did you mean 'copeland-bound'",
        ),
        (["solve", "copeland-bound", "gap", "--method", "cut"], "did you mean 'cuts'?"),
        (["solve", "copeland-bound", "gap", "--solver", "cp-sat"], "does not solve LP programs"),
        (
            ["solve", "ecw-bound", "gap", "--ties", "fre"],
            "unknown ties 'fre'; did you mean 'free'?",
        ),
        (
            ["solve", "best-matching", "figure1", "--ties", "free"],
            "--ties has no effect on best-matching",
        ),
        (
            ["export", "ellipsoid-maximum", "top-5-of-10", "e.lp", "--ties", "free"],
            "has no effect on ell",
        ),
        (["solve", "copeland-bound", "gap", "--prices", "p.csv"], "--prices has no effect on cop"),
        (["solve", "copeland-time", "gap", "--prices", "p.csv"], "no file 'p.csv'"),
        (["solve", "copeland-bound", "gap", "--winner", "3"], "is no Copeland winner"),
        (["analyse", "none.csv"], "no file 'none.csv'"),
        (["export", "copeland-bound", "gap", "gap.xls"], "cannot tell the format of 'gap.xls'"),
        (["run", "ecwrmed", "gap"], "unknown learner 'ecwrmed'; did you mean 'ecw-rmed'"),
        (["run", "ecw-rmed", "gap", "--horizon", "ten"], "horizon is 'ten'"),
        (["run", "ecw-rmed", "gap", "--horizon", "0"], "horizon is 0"),
        (["run", "ecw-rmed", "gap", "--regret", "x"], "unknown regret unit 'x'"),
        (["run", "ecw-rmed", "gap", "-p", "alpha"], "parameter 'alpha': expected name=value"),
        (["run", "ecw-rmed", "gap", "-p", "alpha=no"], "alpha is 'no'"),
        (["solve", "copeland-bound", "figure1"], "is a model of dueling, and figure1 is a problem"),
        (["export", "ellipsoid-maximum", "gap", "e.lp"], "is a model of subsets, and gap is a"),
        (["solve", "water-plan", "opinions"], "of 3 groups), expected a WaterPlan"),
        (["solve", "g-design", "top-5-of-10", "--method", "cyclc"], "did you mean 'cyclic'"),
        (["solve", "best-matching", "figure1", "--solver", "scipy"], "'scipy' solves assignments"),
        (["run", "car-cond", "gap"], "car_cond is for a MatchingDuels, and gap is a Preference"),
        (
            ["compare", "ccb", "--on", "figure1"],
            "ccb is for a PreferenceMatrix, and figure1 is a Match",
        ),
        (
            ["run", "car-cond", "figure1", "--plot", "p.png"],
            "run draws regret, and a MatchingDuels",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(arguments, message, tmp_path):
    done = run(*arguments, cwd=tmp_path)
    assert done.exit_code == 2
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    assert message in lines[0]
    assert list(tmp_path.iterdir()) == []


def test_a_failed_solve_is_status_1():
    done = run("solve", "copeland-bound", "cycle-500", "--time-limit", "0.01")
    assert done.exit_code == 1
    assert "error: highs ended with status 'time limit'" in done.stderr


def test_a_ranking_is_shown_by_its_labels(tmp_path):
    done = run("run", "rankel", "cyclic", "--horizon", "1e5", "--runs", 1, "--jobs", 1)
    assert done.exit_code == 0, done.stderr
    assert " > " in done.stdout


def test_problems_of_matchings(tmp_path):
    report = json.loads(run("analyse", "figure1", "--json").stdout)
    assert report["borda_winner"] == [0, 4]
    assert report["borda_score"] == pytest.approx(0.64)
    assert report["condorcet_winner"] == [1, 4]
    assert (
        "Condorcet winner: s1: c2, s2: c4 (Borda score 0.6150)" in run("analyse", "figure1").stdout
    )
    solved = json.loads(
        run("solve", "condorcet-value", "figure1", "--solver", "glop", "--json").stdout
    )
    assert solved["value"] == pytest.approx(0.5)
    done = run("export", "best-matching", "figure1", "borda.lp", cwd=tmp_path)
    assert "5 columns, 6 rows" in done.stdout
    rows = json.loads(run("run", "car-cond", "figure1", "--runs", 1, "--jobs", 1, "--json").stdout)
    assert rows[0]["answer"] == [1, 4]
    assert rows[0]["regret"] is None


def test_a_file_of_position_duels_is_a_problem_of_matchings(tmp_path):
    path = tmp_path / "team.csv"
    cpe.write_problem(cpe.planted_condorcet(4, 2, gap=0.05, seed=0), path)
    report = json.loads(run("analyse", path, "--json").stdout)
    assert (report["candidates"], report["positions"], report["matchings"]) == (4, 2, 12)
    assert min(report["condorcet_gaps"]) == pytest.approx(0.05)


def test_answers_that_are_not_proved_are_told(tmp_path):
    (tmp_path / "cycle.csv").write_text(
        "position,candidate,opponent,probability\np,a,b,1\np,b,c,1\np,c,a,1\n"
    )
    words = "no answer proved in 2 of 2 runs: there is no Condorcet winner"
    few = ("cycle.csv", "--runs", 2, "--jobs", 1)
    assert f"car-cond: {words}" in run("run", "car-cond", *few, cwd=tmp_path).stdout
    rows = json.loads(run("run", "car-cond", *few, "--json", cwd=tmp_path).stdout)
    assert [row["answer"] for row in rows] == [None, None]
    assert all(row["doubt"].startswith("there is no Condorcet winner") for row in rows)
    shown = run(
        "compare", "car-cond", "car-cond:max_samples=1e2", "--on", *few, cwd=tmp_path
    ).stdout
    assert f"car-cond: {words}" in shown
    assert (
        "car-cond (max_samples=100): no answer proved in 2 of 2 runs: max_samples was reached "
        "before it stopped" in shown
    )
    proved = run("run", "car-cond", "figure1", "--runs", 1, "--jobs", 1, "-p", "delta=0.9")
    assert "1 of 1 runs proved, if there is a Condorcet winner" in proved.stdout
    (row,) = json.loads(run("run", "dkwt", "cyclic", "--runs", 1, "--jobs", 1, "--json").stdout)
    assert (row["doubt"], row["assumption"]) == ("", "there is a Condorcet winner")
    assert "assumes" in run("algorithms", "dkwt").stdout
    regret = run("run", "ecw-rmed", "gap", "--horizon", 100, "--runs", 1, "--jobs", 1)
    assert "proved" not in regret.stdout


def test_horizons_are_counted_exactly_or_refused():
    done = run("run", "ecw-rmed", "gap", "--horizon", "1e30")
    assert done.exit_code == 2
    assert "error: horizon is about 1e30, expected at most 9,007,199,254,740,992" in done.stderr
    done = run("run", "ecw-rmed", "gap", "--horizon", 2**53 + 1)  # no float is equal to it
    assert "horizon is 9,007,199,254,740,993, expected at most" in done.stderr
    for text in ("inf", "nan", "1e400", "1.5", "many"):
        done = run("run", "ecw-rmed", "gap", "--horizon", text)
        assert f"horizon is {text!r}, expected a whole number such as 1000000" in done.stderr


def test_generated_problems_are_read_back(tmp_path):
    options = ["--candidates", 4, "--positions", 2, "--gap", 0.08, "--seed", 3]
    done = run("generate", "team.csv", *options, cwd=tmp_path)
    assert "wrote team.csv" in done.stdout
    report = json.loads(run("analyse", tmp_path / "team.csv", "--json").stdout)
    assert min(report["condorcet_gaps"]) == pytest.approx(0.08)
    done = run("generate", "team.csv", "--candidates", 1, "--positions", 2, cwd=tmp_path)
    assert done.exit_code == 2


def test_learners_of_matchings_are_compared(tmp_path):
    cpe.write_problem(cpe.planted_condorcet(3, 2, gap=0.2, seed=0), tmp_path / "team.csv")
    algorithms = ["car-cond", "car-cond:slack=none"]
    options = ["--runs", 2, "--jobs", 1, "--plot", "p.png", "--json"]
    done = run("compare", *algorithms, "--on", "team.csv", *options, cwd=tmp_path)
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert [row["units"] for row in rows] == ["samples", "samples"]
    assert [row["learner"] for row in rows] == ["car-cond (slack=none)", "car-cond"]
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert (
        "samples, 2 runs each"
        in run("compare", *algorithms, "--on", "team.csv", *options[:4], cwd=tmp_path).stdout
    )


def test_problems_of_sets(tmp_path):
    report = json.loads(run("analyse", "top-5-of-10", "--json").stdout)
    assert report["gap"] == pytest.approx(0.1)
    assert report["sets"] == 252
    assert report["rho"] == pytest.approx(10)
    shown = run("analyse", "trees-of-k5").stdout
    assert "best set: {a-b, a-c, a-d, a-e}, value 3.0000" in shown
    rows = json.loads(run("run", "icb", "top-5-of-10", "--runs", 1, "--jobs", 1, "--json").stdout)
    assert rows[0]["answer"] == report["best"]
    assert rows[0]["pulls"] == rows[0]["rounds"] > 1000
    done = run("compare", "icb", "sa-foa", "--on", "trees-of-k5", "--runs", 1, cwd=tmp_path)
    assert done.exit_code == 2
    assert "sa-foa is for k of n, not for trees" in done.stderr


def test_problems_of_separable_rewards_from_files(tmp_path):
    (tmp_path / "seen.csv").write_text("town,village\n1,0\n0,0\n1,1\n1,0\n")
    (tmp_path / "best.json").write_text('{"model": "best-k", "observations": "seen.csv"}')
    asked = {
        "model": "opinion-sampling",
        "budget": 9,
        "observations": "seen.csv",
        "arms": [{"label": "town", "size": 60}, {"label": "village", "size": 10}],
    }
    (tmp_path / "asked.json").write_text(json.dumps(asked))
    done = run("analyse", "asked.json", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["theta"] == [0.1875, 0.1875]
    solved = [
        run("solve", "sample-allocation", "asked.json", "--method", method, cwd=tmp_path).stdout
        for method in ("greedy", "milp")
    ]
    assert all("town: 8, village: 1" in shown for shown in solved)
    one_job = ("--jobs", 1)
    assert "town: 1" in run("run", "coci", "best.json", "--k", 1, *one_job, cwd=tmp_path).stdout
    options = ("--on", "best.json", "--k", 1, "--runs", 2, *one_job)
    shown = run("compare", "coci", "coci-uniform", *options, cwd=tmp_path).stdout
    rows = [line.split() for line in shown.splitlines() if "town" in line]
    assert rows == [["coci", "town:", "1", "2"], ["coci-uniform", "town:", "1", "2"]]
    refused = run("run", "coci", "best.json", cwd=tmp_path)
    assert refused.exit_code == 2
    assert "best.json: how many are to be chosen? Give k" in refused.stderr


@pytest.mark.parametrize("model", ["g-design", "xy-design"])
def test_designs_are_solved_and_exported_as_cone_programs(model, tmp_path):
    reports = {}
    for method, name in (
        ("cyclic", "top-5-of-10"),
        ("columns", "trees-of-k4"),
        ("multiplicative", "trees-of-k4"),
    ):
        done = run("solve", model, name, "--method", method, "--json")
        reports[method] = json.loads(done.stdout)
        assert reports[method]["gap"] < 1e-4
        assert reports[method]["method"] == method
    value = {"g-design": 10.0, "xy-design": 36.0}[model]
    assert reports["cyclic"]["value"] == pytest.approx(value, rel=1e-4)
    values = [reports[method]["value"] for method in ("columns", "multiplicative")]
    assert values[0] == pytest.approx(values[1], rel=2e-4)
    done = run("export", model, "trees-of-k4", "design.lp", cwd=tmp_path)
    assert done.exit_code == 2
    assert "is a cone program, which no .lp file can hold: expected .cbf" in done.stderr
    assert run("export", model, "trees-of-k4", "design.cbf", cwd=tmp_path).exit_code == 0
    assert (tmp_path / "design.cbf").read_text(encoding="utf-8").startswith("# ")


def test_the_quadratic_program_of_a_file_is_solved_by_clarabel_unless_another_is_named(tmp_path):
    text = "Minimize\n obj: [ x ^ 2 + y ^ 2 ] / 2\nSubject To\n c: x + y >= 2\n%sEnd\n"
    (tmp_path / "p.lp").write_text(text % "", encoding="utf-8")
    report = json.loads(run("solve", tmp_path / "p.lp", "--json").stdout)
    assert report["objective"] == pytest.approx(1.0)
    assert report["bound"] == pytest.approx(1.0)
    assert report["values"] == pytest.approx({"x": 1.0, "y": 1.0})
    assert report["duals"] == pytest.approx({"c": 1.0})
    assert report["solver"].startswith("clarabel")
    report = json.loads(run("solve", tmp_path / "p.lp", "--json", "--solver", "highs").stdout)
    assert report["solver"].startswith("highs")
    (tmp_path / "whole.lp").write_text(text % "General\n x\n", encoding="utf-8")
    done = run("solve", tmp_path / "whole.lp")
    assert done.exit_code == 2
    assert "does not solve MIQP programs" in done.stderr


def test_the_ellipsoid_model(tmp_path):
    solved = [
        json.loads(
            run("solve", "ellipsoid-maximum", "top-5-of-10", "--method", method, "--json").stdout
        )
        for method in ("exact", "swap", "bound", "sdp")
    ]
    assert {report["set"] for report in solved} == {"{1, 2, 6, 8, 9}"}
    assert solved[1]["bound"] is None
    assert solved[2]["bound"] >= solved[3]["bound"] >= solved[0]["value"] - 1e-6
    done = run("export", "ellipsoid-maximum", "trees-of-k5", "trees.lp", cwd=tmp_path)
    assert "155 columns (155 whole), 221 rows" in done.stdout


def test_sets_from_files_of_ones_own(tmp_path):
    (tmp_path / "arms.csv").write_text("element,mean\nred,0.5\nblue,0.1\ngreen,0.9\n")
    report = json.loads(run("analyse", tmp_path / "arms.csv", "--k", 2, "--json").stdout)
    assert (report["best"], report["labels"]) == ([0, 2], ["red", "blue", "green"])
    (tmp_path / "net.csv").write_text("from,to,mean\na,b,1\nb,c,2\nc,a,3\n")
    report = json.loads(run("analyse", tmp_path / "net.csv", "--json").stdout)
    assert (report["best"], report["class"]) == ([1, 2], "trees of 3 vertices, 3 edges")
    crowd = tmp_path / "crowd"
    crowd.mkdir()
    (crowd / "answer.csv").write_text("question_id,ann,bob\n1,A,B\n2,B,B\n")
    (crowd / "truth.csv").write_text("question_id,truth\n1,A\n2,B\n")
    report = json.loads(run("analyse", crowd, "--k", 1, "--json").stdout)
    assert report["theta"] == [1.0, 0.5]
    done = run("run", "saqm", crowd)
    assert done.exit_code == 2
    assert "how many are to be chosen? Give k (--k on the command line)" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("element,mean\na,x\n", "line 2: mean is 'x', expected a number"),
        ("element,mean\na,1\nb,2,3\n", "sets.csv, line 3: 3 cells, expected 2, as the header has"),
        ("element,mean\na,1\n,2\n", "sets.csv, line 3: the cell of 'element' is empty"),
        ("element,mean\nC#,1\nC#,2\n", "line 3: element 'C#' stands there twice"),
        ("from,to,mean\na,b,1\nc,d,1\n", "the graph has no spanning tree: no path from a to c"),
        ("element,mean\na,1\na,2\n", "line 3: element 'a' stands there twice"),
    ],
)
def test_bad_files_of_sets_are_refused_in_words(text, message, tmp_path):
    (tmp_path / "sets.csv").write_text(text)
    sized = () if text.startswith("from") else ("--k", 1)
    done = run("analyse", tmp_path / "sets.csv", *sized)
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.parametrize(
    ("model", "instance", "value"),
    [("sample-allocation", "opinions", 321.46), ("water-plan", "water", -3.2)],
)
def test_models_of_separable_rewards(model, instance, value, tmp_path):
    reports = [
        json.loads(run("solve", model, instance, "--method", method, "--json").stdout)
        for method in ("greedy", "milp", "continuous")
    ]
    assert reports[0]["value"] == pytest.approx(value)
    assert reports[1]["value"] == pytest.approx(value)
    assert reports[0]["decision"] == reports[1]["decision"]
    better = reports[2]["value"] - value
    assert 0 < (better if model == "water-plan" else -better) < 0.05 * abs(value)
    done = run("export", model, instance, "model.lp", cwd=tmp_path)
    assert done.exit_code == 0, done.stderr
    assert cpe.solve(cpe.read_program(tmp_path / "model.lp")).objective == pytest.approx(value)


def test_json_has_no_infinite_numbers(tmp_path):
    (tmp_path / "tied.csv").write_text("element,mean\na,0.3\nb,0.3\nc,0.1\n")
    text = run("analyse", tmp_path / "tied.csv", "--k", 1, "--json").stdout
    report = json.loads(text, parse_constant=pytest.fail)
    assert (report["gap"], report["hardness"]) == (0.0, None)
    assert report["needs"]["SAQM, exact maximiser (Corollary 1)"][1] > 0


def test_problems_of_separable_rewards():
    report = json.loads(run("analyse", "coins", "--json").stdout)
    assert report["decision"] == [1, 1, 0, 0, 0, 0]
    assert report["hardness"] == pytest.approx(310.4, abs=0.1)
    assert "best decision: lake: 3, river: 1, well: 2" in run("analyse", "water").stdout
    rows = json.loads(run("run", "coci", "coins", "--runs", 1, "--jobs", 1, "--json").stdout)
    assert rows[0]["answer"] == report["decision"]
    assert 100 < rows[0]["pulls"] < report["needs"]["COCI (Theorem 1)"]


def test_models_lists_the_registry_and_tells_of_one():
    listed = json.loads(run("models", "--json").stdout)
    assert [row["model"] for row in listed] == list(MODELS)
    one = run("models", "ecw-bound").stdout
    for word in (
        "dueling",
        "closed, cuts, compact, enumerate",
        "winner, ties",
        "ecw_bound_program",
    ):
        assert word in one
    assert re.search(r"programs +saddle +\n", run("models", "condorcet-value").stdout)
    assert "did you mean 'ecw-bound'" in run("models", "ecw-bond").stderr


def test_flips_of_an_arm(tmp_path):
    mu = cpe.load_instance("sushi")
    report = json.loads(run("solve", "cheapest-flips", "sushi", "--json").stdout)
    assert (report["arm"], report["method"]) == (1, "flow")
    assert report["flips"] == "fatty tuna > mildly fatty tuna"
    fifth = run("solve", "cheapest-flips", "sushi", "--arm", 5, "--solver", "scip", "--values")
    assert f"value {cpe.cheapest_flips(mu, 5).value:.10g}" in " ".join(fifth.stdout.split())
    winner, loser = cpe.cheapest_flips(mu, 5).pairs[-1]
    assert f"{mu.labels[winner]} - {mu.labels[loser]}" in " ".join(fifth.stdout.split())
    path = tmp_path / "f.lp"
    assert run("export", "cheapest-flips", "sushi", path, "--arm", 5).exit_code == 0
    assert cpe.read_program(path).row_names[0] == "losses_5"
    refused = run("solve", "copeland-bound", "sushi", "--arm", 5)
    assert "--arm has no effect on copeland-bound; it is for cheapest-flips" in refused.stderr
    assert "arm 16 does not exist" in run("solve", "cheapest-flips", "sushi", "--arm", 16).stderr


def test_the_file_of_a_program_is_solved_and_its_values_are_shown(tmp_path):
    file = tmp_path / "gap.lp"
    assert run("export", "copeland-bound", "gap", file, "--method", "enumerate").exit_code == 0
    report = json.loads(run("solve", file, "--json", "--solver", "glop").stdout)
    assert report["objective"] == pytest.approx(11.0249, abs=1e-4)
    program = cpe.read_program(file)
    assert program.objective(list(report["values"].values())) == pytest.approx(report["objective"])
    assert set(report["values"]) == set(program.column_names)
    assert set(report["duals"]) == set(program.row_names)
    shown = " ".join(run("solve", file, "--values").stdout.split())
    assert "of 9 columns are not 0" in shown
    assert "of 30 rows are not 0" in shown
    refused = run("solve", file, "--winner", 0)
    assert refused.exit_code == 2
    assert "--winner has no effect on the program of a file" in refused.stderr
    assert "needs an instance" in run("solve", "copeland-bound").stderr


def test_values_and_files_have_a_legend_of_labels(tmp_path):
    shown = run("solve", "copeland-bound", "sushi", "--values").stdout
    assert "mildly fatty tuna - fatty tuna" in " ".join(shown.split())
    run("export", "copeland-bound", "sushi", tmp_path / "s.lp")
    assert "\\ x_0_2: mildly fatty tuna - salmon\n" in (tmp_path / "s.lp").read_text()
    run("export", "condorcet-value", "figure1", tmp_path / "f.mps")
    assert "x_1_0,c2 - s1" in (tmp_path / "f.legend.csv").read_text()


def test_a_run_records_its_programs(tmp_path):
    folder = tmp_path / "programs"
    arguments = ("run", "cw-rmed", "cyclic", "--horizon", 300, "--runs", 2)
    done = run(*arguments, "--record", folder, "--record-limit", 5, "--record-every", 3)
    assert done.exit_code == 0, done.stderr
    assert f"wrote 5 programs to {folder}" in " ".join(done.stdout.split())
    table = pd.read_csv(folder / "programs.csv")
    assert table["number"].tolist() == [1, 4, 7, 10, 13]
    assert set(table["run"]) == {0}
    for row in table.itertuples():
        found = cpe.solve(cpe.read_program(folder / row.file)).objective
        assert found == pytest.approx(row.objective, abs=1e-9)
    again = run(*arguments, "--record", folder)
    assert again.exit_code == 2
    assert "holds files" in again.stderr
    for name, why in (
        ("ecw-rmed", "others may, by -p method=NAME"),
        ("rucb", "solves no programs"),
    ):
        arguments = ("run", name, "cyclic", "--horizon", 50, "--runs", 1, "--record")
        assert why in " ".join(run(*arguments, tmp_path / name).stdout.split())
    arguments = ("run", "cw-rmed", "cyclic")
    for more, message in (
        (("--record-limit", 5), "no effect without --record"),
        (("--record", tmp_path / "b", "--jobs", 2), "--jobs is 2, expected 1"),
    ):
        refused = run(*arguments, *more)
        assert refused.exit_code == 2
        assert message in refused.stderr


def test_a_certificate_of_what_was_solved(tmp_path):
    """Of a model, of a file, and of a program without a point."""
    done = run("solve", "copeland-bound", "gap", "--certificate", "c.json", "--json", cwd=tmp_path)
    report, stored = json.loads(done.stdout), tmp_path / "c.json"
    proved = "the optimum is 11.024943209, exactly, of the rows that its solve needed"
    assert report["certificate"].endswith(proved)
    assert CHECK(stored.read_text()).endswith("the optimum is 11.024943209, exactly")
    run("export", "water-plan", "water", "water.lp", cwd=tmp_path)
    refused = run("solve", "water.lp", "--certificate", "c.json", cwd=tmp_path)
    assert refused.stderr.strip() == "error: 'c.json' exists; --force overwrites it"
    done = run("solve", "water.lp", "--certificate", "c.json", "--force", cwd=tmp_path)
    assert "water: the optimum is -3.2, exactly" in " ".join(done.stdout.split())
    program = cpe.read_program(tmp_path / "water.lp")
    assert json.loads(stored.read_bytes())["program"] == program_data(program)
    (tmp_path / "none.lp").write_text("Minimize\n x\nSubject To\n r: x <= -1\nEnd\n")
    done = run("solve", "none.lp", "--certificate", "d.json", cwd=tmp_path)
    assert done.exit_code == 1
    assert "infeasible" in done.stderr
    assert "none: no point satisfies all rows and bounds" in " ".join(done.stdout.split())
    assert CHECK((tmp_path / "d.json").read_text()).startswith("none: no point")


@pytest.mark.parametrize(
    ("command", "solved"),
    [(["ecw-bound", "gap"], "no program"), (["borda-time", "gap"], "a cone program")],
)
def test_no_certificate_where_no_linear_program_is_solved(command, solved, tmp_path):
    done = run("solve", *command, "--certificate", "c.json", cwd=tmp_path)
    assert done.exit_code == 2
    assert f"linear and integer programs, and {solved} was solved" in done.stderr
    assert not (tmp_path / "c.json").exists()
