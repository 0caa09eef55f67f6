"""The command line as a user meets it: through its runner, in this process.

Where the process is the point, as for Ctrl-C and the entry point, in tests/test_process.py.
"""

import contextlib
import json
import re
import shlex
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.commands import command
from cpe_opt.commands.console import print_table
from cpe_opt.formulations.models import MODELS

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


def test_a_function_becomes_a_command():
    """Arguments before the star, options after it; a dataclass is its fields; flags, no values."""
    app, given = typer.Typer(), []

    @dataclass(frozen=True, kw_only=True)
    class Several:
        """Two.

        :param many: How
            many.
        :param WORD plain: One.
        """

        many: int = 3
        plain: str | None = None

    def one(file: Path, *, seed: int = 0, several: Several, as_is: bool = False) -> None:
        """Do it.

        :param file: Which: any.
        """
        given.append((file, seed, several, as_is))

    one.__annotations__ = {
        **dict(zip(("file", "seed", "several", "as_is"), (Path, int, Several, bool), strict=True)),
        "return": type(None),
    }
    command(app, "one two")(one)
    assert RUNNER.invoke(app, ["f", "--many", "5", "--plain", "x", "--as-is"]).exit_code == 0
    assert given == [(Path("f"), 0, Several(many=5, plain="x"), True)]
    shown = " ".join(RUNNER.invoke(app, ["--help"]).stdout.split())
    for text in ("Do it.", "Which: any.", "How many.", "WORD", "Same seed", "Example: one two"):
        assert text in shown
    assert "--no-as-is" not in shown


def test_a_title_is_as_wide_as_it_needs(capsys):
    print_table(["arm"], [["a"]], title="a title that is wider than its table")
    assert capsys.readouterr().out.startswith("a title that is wider than its table\n")


def test_a_table_that_fits_looks_as_rich_would_write_it(capsys):
    rows = [["日本", 7, "0 / 3"], ["[bold]m", 1200, "12 / 30"], [":smile:", -3, ""]]
    print_table(["arm", "won", ""], rows, title="a title")
    lines = [
        "  日本         7   0 / 3    ",
        "  [bold]m   1200   12 / 30  ",
        "  :smile:     -3            ",
    ]
    head = ["a title", " " * 28, "  arm        won            ", f" {'─' * 26} "]
    assert capsys.readouterr().out.split("\n") == [*head, *lines, " " * 28, ""]
    print_table(["", "", ""], rows)
    assert capsys.readouterr().out.split("\n") == [" " * 28, *lines, " " * 28, ""]
    print_table(["", "", ""], [["[bold]m", "long " * 60, 1]])
    assert "  [bold]m  " in capsys.readouterr().out


def test_every_parameter_says_what_it_is():
    def commands(group):
        for each in group.commands.values():
            yield from commands(each) if hasattr(each, "commands") else [each]

    for each in commands(get_command(app)):
        assert each.help
        assert each.epilog.startswith("Example: cpe-opt ")
        assert len(each.params) < 30
        for parameter in each.params:
            assert parameter.help, (each.name, parameter.name)


@pytest.fixture
def files(tmp_path):
    """A matrix with a tie, and prices of the pairs of `gap`."""
    (tmp_path / "tied.csv").write_text(
        ",a,b,c,d\na,.5,.7,.5,.7\nb,.3,.5,.7,.7\nc,.5,.3,.5,.7\nd,.3,.3,.3,.5\n"
    )
    pairs = combinations(cpe.load_instance("gap").labels, 2)
    lines = [f"{a},{b},{1 + k / 2}" for k, (a, b) in enumerate(pairs)]
    (tmp_path / "prices.csv").write_text("\n".join(["first,second,price", *lines]) + "\n")
    return tmp_path


OPTIONS = [
    ("copeland-bound gap", {"winner": 0, "rows": ["x_0_3 >= 0.9"]}),
    ("copeland-bound tied.csv", {"ties": "literal"}),
    ("copeland-time gap", {"prices": "prices.csv"}),
    ("copeland-time mslr5-condorcet", {"margin": 0.05}),
    ("cheapest-flips sushi", {"arm": 5}),
]


@pytest.mark.parametrize(("line", "options"), OPTIONS)
def test_solve_and_export_pass_the_options_of_a_model_on(line, options, files):
    model, instance = line.split()
    words = [f"--row={row}" for row in options.get("rows", ())]
    words += [f"--{name}={value}" for name, value in options.items() if name != "rows"]
    report = json.loads(run("solve", *line.split(), *words, "--json", cwd=files).stdout)
    oracle = getattr(cpe, model.replace("-", "_"))
    with contextlib.chdir(files):
        problem = cpe.load_problem(instance)
        if "prices" in options:
            options = {"prices": cpe.read_prices("prices.csv", problem)}
    value = oracle(problem, **options).value
    assert report["value"] == pytest.approx(value)
    assert report["value"] != pytest.approx(oracle(problem).value)
    assert run("export", *line.split(), "m.lp", *words, cwd=files).exit_code == 0
    assert cpe.solve(cpe.read_program(files / "m.lp")).objective == pytest.approx(value)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("copeland-bound gap --solver glop --method compact", 11.0249),
        ("ecw-bound gap --method enumerate", 1252.5108),
        ("borda-time sushi", cpe.borda_time(cpe.load_instance("sushi")).value),
        ("condorcet-value figure1 --solver glop", 0.5),
        ("g-design trees-of-k4 --method frank-wolfe", 6.0),
        ("water-plan water --method milp", -3.2),
        ("subset-time top-5-of-10 --sigma 2 --feedback sums", None),
    ],
)
def test_solve_says_value_bound_method_and_solver(line, value):
    report = json.loads(run("solve", *line.split(), "--json").stdout)
    if value is None:
        mu = cpe.load_instance("top-5-of-10")
        value = cpe.subset_time(mu, sigma=2.0, feedback="sums").value
    assert report["value"] == pytest.approx(value, rel=1e-4)
    assert report["bound"] is None or report["bound"] == pytest.approx(value, rel=1e-3)
    assert "--method" not in line or report["method"] in line
    assert "--solver" not in line or report["solver"].startswith("glop")


def test_a_cone_program_is_exported(tmp_path):
    assert run("export", "g-design", "trees-of-k4", "design.cbf", cwd=tmp_path).exit_code == 0
    assert (tmp_path / "design.cbf").read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize(
    ("learner", "instance"),
    [("rankel", "cyclic"), ("car-cond", "figure1"), ("icb", "top-5-of-10"), ("coci", "coins")],
)
def test_every_family_is_analysed_and_played(learner, instance):
    problem = cpe.load_problem(instance)
    report = json.loads(run("analyse", instance, "--json").stdout)
    assert report["name"] == problem.name
    head, *_ = str(cpe.analyse(problem)).splitlines()
    assert head.rstrip() == run("analyse", instance).stdout.splitlines()[0].rstrip()
    options = ("--runs", 1, "--jobs", 1, "--seed", 3, "--horizon", 500)
    (row,) = json.loads(run("run", learner, instance, *options, "--json").stdout)
    trace = cpe.simulate(learner, problem, seed=row["seed"], horizon=500)
    assert row["answer"] == np.asarray(trace.answer).tolist()


def test_run_writes_a_table_and_a_picture(tmp_path):
    done = run(
        "run", "ecw-rmed", "gap", "--horizon", "1e3", "--runs", 2, "--jobs", 1, "--seed", 4,
        "-p", "beta=0.02", "--plot", tmp_path / "r.png",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert "mean regret" in done.stdout
    assert (tmp_path / "r.png").stat().st_size > 10_000
    again = run("run", "ecw-rmed", "gap", "--horizon", "1000", "--runs", 2, "--jobs", 1,
                "--seed", 4, "-p", "beta=0.02", "--json")  # fmt: skip
    final = [row["regret"] for row in json.loads(again.stdout)]
    assert f"mean regret {np.mean(final):,.1f}" in done.stdout


def test_compare_draws_all_curves_and_goes_on_where_it_stopped(tmp_path):
    settings = ["--horizon", "1e2", "--runs", 2, "--jobs", 1, "--out", tmp_path / "results"]
    algorithms = ["ecw-rmed", "cw-rmed", "ecw-rmed:alpha=2,beta=0"]
    done = run("compare", *algorithms, "--on", "gap", *settings, "--plot", tmp_path / "gap.png")
    assert done.exit_code == 0, done.stderr
    assert "ecw-rmed (alpha=2, beta=0)" in done.stdout
    assert (tmp_path / "gap.png").stat().st_size > 10_000
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("runs-*.parquet")}
    assert len({path.parent for path in files}) == 3
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
    ("line", "message"),
    [
        ("solve copeland-bound", "copeland-bound needs an instance"),
        ("solve copeland-bound gap --solver cp-sat", "does not solve LP programs"),
        ("solve copeland-bound gap --margin 0.05", "it is for copeland-time"),
        ("solve best-matching figure1 --row 'x >= 1'", "--row has no effect on best-matching"),
        ("solve gap.lp gap", "instance has no effect on the program of a file"),
        ("export ellipsoid-maximum top-5-of-10 e.lp --ties free", "has no effect on ell"),
        ("export water-plan water w.lp --method greedy", "by 'greedy' solves no program"),
        ("run icb top-5-of-10 --k 3", "has no effect on a problem that is made by its name"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(line, message, tmp_path):
    done = run(*shlex.split(line), cwd=tmp_path)
    assert done.exit_code == 2
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    assert message in lines[0]
    assert list(tmp_path.iterdir()) == []


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


def test_horizons_are_counted_exactly_or_refused():
    done = run("run", "ecw-rmed", "gap", "--horizon", 2**53 + 1)  # no float is equal to it
    assert "horizon is 9,007,199,254,740,993, expected a whole number, at least 1" in done.stderr


def test_models_lists_the_registry_and_tells_of_one():
    listed = json.loads(run("models", "--json").stdout)
    assert [row["model"] for row in listed] == list(MODELS)
    one = run("models", "ecw-bound").stdout
    for word in ("dueling", "closed, cuts, compact, enumerate", "ecw_bound_program"):
        assert word in one
    assert re.search(r"programs +saddle +\n", run("models", "condorcet-value").stdout)


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
    arguments = ("run", "cw-rmed", "cyclic")
    for more, message in (
        (("--record-limit", 5), "no effect without --record"),
        (("--record", tmp_path / "b", "--jobs", 2), "--jobs is 2, expected 1"),
    ):
        refused = run(*arguments, *more)
        assert refused.exit_code == 2
        assert message in refused.stderr
