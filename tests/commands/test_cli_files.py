"""Files that commands write: never over others, never half, and never in vain."""

import json
import resource
from dataclasses import replace

import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.errors import UnknownName
from cpe_opt.formulations.dueling import best_winner as winners
from cpe_opt.modelling.result import Status
from tests.commands.test_cli import run

SHORT = ("--horizon", 50, "--runs", 1, "--jobs", 1)
WRITERS = [
    ("t.csv", ("run", "ecw-rmed", "gap", *SHORT, "--out")),
    ("t.parquet", ("run", "ecw-rmed", "gap", *SHORT, "--out")),
    ("r.png", ("run", "ecw-rmed", "gap", *SHORT, "--plot")),
    ("c.svg", ("compare", "ecw-rmed", "--on", "gap", *SHORT, "--plot")),
    ("team.csv", ("generate", "--candidates", 3, "--positions", 2)),
    ("gap.lp", ("export", "copeland-bound", "gap")),
]
every_writer = pytest.mark.parametrize(("name", "command"), WRITERS, ids=[w[0] for w in WRITERS])


@pytest.fixture
def full_disk(monkeypatch):
    """No file may grow beyond 100 bytes while this is called."""

    def limited(*arguments, **settings):
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
        try:
            return run(*arguments, **settings)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    return limited


@pytest.fixture
def no_work(monkeypatch):
    """Whatever takes time fails the test."""

    def work(*arguments, **settings):
        pytest.fail("the path was looked at after the work")

    monkeypatch.setattr("cpe_opt.experiments.engine.run_many", work)
    monkeypatch.setattr("cpe_opt.experiments.engine.play", work)
    monkeypatch.setattr("cpe_opt.problems.generators.planted_condorcet", work)
    monkeypatch.setattr("cpe_opt.formulations.dueling.lower_bound.copeland_bound", work)


@every_writer
def test_nothing_is_overwritten_without_force(name, command, tmp_path):
    file = tmp_path / name
    file.write_text("kept")
    refused = run(*command, file, cwd=tmp_path)
    assert refused.exit_code == 2
    assert refused.stderr == f"error: {str(file)!r} exists; --force overwrites it\n"
    assert file.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [file]
    done = run(*command, file, "--force", cwd=tmp_path)
    assert done.exit_code == 0, done.stderr
    assert file.stat().st_size > 100


@every_writer
def test_paths_are_looked_at_before_the_work(name, command, tmp_path, no_work):
    (tmp_path / "plain").write_text("a file")
    below = run(*command, tmp_path / "plain" / name)
    assert below.exit_code == 2
    assert f"{str(tmp_path / 'plain')!r} is a file, expected a folder" in below.stderr
    (tmp_path / name).mkdir()
    folder = run(*command, tmp_path / name, "--force")
    assert folder.exit_code == 2
    assert f"{name}' is a folder, expected the name of a file to write" in folder.stderr
    (tmp_path / f"link-{name}").symlink_to("/dev/full")
    device = run(*command, tmp_path / f"link-{name}", "--force")
    assert device.exit_code == 2
    assert "is no ordinary file" in device.stderr
    other = run(*command, tmp_path / "file.xls")
    assert other.exit_code == 2
    assert "file.xls': expected a name that ends in ." in other.stderr
    long = run(*command, tmp_path / f"{'x' * 300}-{name}")
    assert long.exit_code == 2
    assert "…': File name too long" in long.stderr
    unwritable = run(*command, f"/proc/self/{name}")
    assert unwritable.exit_code == 2
    assert "cannot write to the folder '/proc/self': " in unwritable.stderr


@pytest.mark.parametrize(("name", "command"), WRITERS[:-1])
def test_a_full_disk_is_said_in_words(name, command, tmp_path, full_disk):
    done = full_disk(*command, tmp_path / name, cwd=tmp_path)
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert "File too large" in line
    assert command[0] != "run" or "mean regret" in done.stdout  # nothing measured is lost
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_the_suffix_says_what_is_written(tmp_path):
    for name, read in (("t.csv", pd.read_csv), ("T.PARQUET", pd.read_parquet)):
        run("run", "ecw-rmed", "gap", *SHORT, "--out", tmp_path / name)
        assert read(tmp_path / name)["time"].max() == 50


def test_the_folder_of_results_is_no_file(tmp_path, no_work):
    (tmp_path / "results").write_text("a file")
    done = run("compare", "ecw-rmed", "--on", "gap", *SHORT, cwd=tmp_path)
    assert done.exit_code == 2
    assert "results' is a file, expected a folder" in done.stderr


def test_a_file_of_runs_that_cannot_be_read_is_named(tmp_path):
    command = ("compare", "ecw-rmed", "--on", "gap", *SHORT, "--out", tmp_path)
    run(*command)
    (file,) = tmp_path.rglob("runs-*.parquet")
    whole = file.read_bytes()
    for damaged in (b"", b"PAR1", whole[:-20], whole[:40] + bytes(40) + whole[80:]):
        file.write_bytes(damaged)
        done = run(*command)
        assert done.exit_code == 2, damaged
        assert f"{str(file)!r} is not a file of finished runs" in done.stderr
        assert "delete it, and its runs are repeated" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    file.unlink()
    assert run(*command).exit_code == 0


def test_the_incumbent_is_shown_where_no_optimum_was_proved(monkeypatch):
    def stops_early(program, solver="highs", **solving):
        result = solve(program, solver, **solving)
        status = Status.TIME_LIMIT
        raise cpe.NotOptimal(
            replace(result, status=status, bound=result.objective - 1.0, message="stopped")
        )

    solve = winners.solve
    monkeypatch.setattr(winners, "solve", stops_early)
    done = run("solve", "copeland-bound", "gap", "--json")
    report = json.loads(done.stdout)
    assert done.exit_code == 1
    assert report["status"] == "time limit"
    assert report["value"] == pytest.approx(11.0249, abs=1e-4)
    assert report["bound"] == pytest.approx(10.0249, abs=1e-4)
    said = "error: highs ended with status 'time limit' (stopped) on 'copeland_0'; incumbent 11.02"
    assert done.stderr.startswith(said)
    assert done.stderr.endswith(", relative gap 0.091\n")
    table = run("solve", "copeland-bound", "gap")
    assert table.exit_code == 1
    assert "time limit" in table.stdout
    assert "11.02" in table.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("run", "icb", "top-5-of-10", "--k", 3),
            "k (--k on the command line) has no effect on a problem that is made by its name",
        ),
        (("analyse", "net.csv", "--k", 3), "k was given, and spanning trees have as many"),
        (("analyse", "wins.csv", "--k", 3), "has no effect on a problem of preferences"),
        (("analyse", "team.csv", "--k", 3), "has no effect on a problem of matchings"),
        (("run", "ecw-rmed", "gap", "-p", "beta=0", "-p", "beta=1"), "'beta' is given twice"),
        (("compare", "ecw-rmed:beta=0,beta=1", "--on", "gap"), "'beta' is given twice"),
        (("run", "ecw-rmed", "gap", "-p", "seed=5"), "unknown parameter of ecw_rmed 'seed'"),
        (("run", "ecw-rmed", "gap", "-p", "runs=5"), "unknown parameter of ecw_rmed 'runs'"),
        (("run", "ecw-rmed", "gap", "-p", "points=5"), "unknown parameter of ecw_rmed 'points'"),
        (("compare", "ecw-rmed:seed=1", "--on", "gap"), "unknown parameter of ecw_rmed 'seed'"),
        (
            ("solve", "von-neumann-winner", "gap", "--winner", 3),
            "--winner has no effect on von-neumann",
        ),
        (
            ("solve", "condorcet-value", "figure1", "--method", "cuts"),
            "unknown method 'cuts'; known: saddle, subgradient",
        ),
        (
            ("export", "water-plan", "water", "w.lp", "--method", "greedy"),
            "water-plan by 'greedy' solves no program",
        ),
        (
            ("export", "ellipsoid-maximum", "trees-of-k5", "e.lp", "--winner", 1),
            "no effect on ellipsoid",
        ),
    ],
)
def test_what_would_have_no_effect_is_refused(arguments, message, tmp_path):
    (tmp_path / "net.csv").write_text("from,to,mean\na,b,1\nb,c,2\nc,a,3\n")
    (tmp_path / "wins.csv").write_text("winner,loser,count\nx,y,60\ny,x,40\n")
    (tmp_path / "team.csv").write_text("position,winner,loser\ncook,ann,bob\ncook,bob,ann\n")
    done = run(*arguments, cwd=tmp_path)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_unknown_learner_is_answered_with_all():
    shown = run("run", "qqq", "gap").stderr
    assert all(name in shown for name in cpe.learners.LEARNERS)
    many = [f"arm-{place:02d}" for place in range(75)]
    assert str(UnknownName("arm", "qqq", many)).endswith("arm-59, … and 15 more")


def interrupted(*arguments, **settings):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("place", "command", "message"),
    [
        (
            "cpe_opt.experiments.engine.run_many",
            ("run", "ecw-rmed", "gap", *SHORT),
            "interrupted: nothing was written; `cpe-opt compare` notes finished runs, and goes on",
        ),
        (
            "cpe_opt.experiments.engine.play",
            ("compare", "ecw-rmed", "--on", "gap", *SHORT, "--out", "kept"),
            "interrupted: finished runs are kept in kept; the same command goes on with the rest",
        ),
        (
            "cpe_opt.formats.problems.load_problem",
            ("solve", "copeland-bound", "gap"),
            "interrupted",
        ),
    ],
)
def test_ctrl_c(place, command, message, monkeypatch, tmp_path):
    monkeypatch.setattr(place, interrupted)
    done = run(*command, cwd=tmp_path)
    assert done.exit_code == 130
    (line,) = done.stderr.splitlines()
    assert message in line


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("x - y >= 1", "status 'unbounded' (HiGHS: Unbounded) on 'm'; no incumbent"),
        ("x + y <= -1", "status 'infeasible' (HiGHS: Infeasible) on 'm'; no incumbent"),
    ],
)
def test_why_there_is_no_optimum_is_said_once_and_without_contradiction(row, said, tmp_path):
    file = tmp_path / "m.lp"
    file.write_text(f"Maximize\n o: x\nSubject To\n r: {row}\nEnd\n")
    done = run("solve", str(file))
    assert done.exit_code == 1
    assert said in done.stderr
    assert "no feasible point" not in done.stderr


def test_a_file_without_a_point_shows_the_rows_that_contradict_each_other(tmp_path):
    file = tmp_path / "m.lp"
    file.write_text(
        "Maximize\n o: x\nSubject To\n a: x + y >= 3\n b: x + 2 y <= 2\n c: x <= 9\nEnd\n"
    )
    done = run("solve", str(file))
    assert done.exit_code == 1
    assert "  a: x + y >= 3\n  b: x + 2 y <= 2\n  bound: y >= 0\n" in done.stdout
    done = run("solve", str(file), "--json")
    assert "b: x + 2 y <= 2" in json.loads(done.stdout)["why"]


def test_a_file_without_an_end_shows_a_ray(tmp_path):
    file = tmp_path / "m.lp"
    file.write_text("Maximize\n o: x\nSubject To\n a: 2 x - 3 y = 1\nEnd\n")
    done = run("solve", str(file), "--solver", "glop")
    assert done.exit_code == 1
    assert "changes it by 3:\n  x: +3\n  y: +2\n" in done.stdout
    assert "This is the answer of highs, not of glop." in done.stdout


def test_a_reason_that_is_not_found_in_time_is_said(tmp_path, monkeypatch):
    import cpe_opt.commands.models as commands

    monkeypatch.setattr(commands, "_REASON_SECONDS", 1e-9)
    file = tmp_path / "m.lp"
    file.write_text("Maximize\n o: x\nSubject To\n a: x + y <= -3\nEnd\n")
    done = run("solve", str(file))
    assert "Why was not found out: whether 'm' has a point was not found out" in done.stdout
    assert "status 'infeasible'" in done.stderr


def test_ranging_is_a_table_of_labels(tmp_path):
    file = tmp_path / "m.lp"
    rows = " oven: x + y <= 10\n flour: 2 x + y <= 16\n"
    file.write_text(f"Maximize\n o: 3 x + 2 y\nSubject To\n{rows}End\n")
    done = run("solve", str(file), "--ranging")
    assert done.exit_code == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["cost", "y", "2", "1.5", "3", "4", "0"] in lines
    assert ["row", "oven", "upper", "10", "8", "16", "10", "1"] in lines
    assert "one optimal basis" in done.stdout
    found = json.loads(run("solve", str(file), "--ranging", "--json").stdout)["ranging"]
    assert found[2]["name"] == "oven"
    assert found[-1]["lowest"] is None  # JSON has no infinity


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("best-subset", "top-5-of-10"), "--ranging has no effect where no program is solved"),
        (("copeland-bound", "gap"), "'copeland_0' was solved with rows on demand"),
        (("cheapest-flips", "gap", "--method", "program"), "has no optimal basis"),
    ],
)
def test_ranging_of_what_has_no_basis_is_refused(arguments, message):
    done = run("solve", *arguments, "--ranging")
    assert done.exit_code == 2
    assert message in done.stderr


def test_ranging_says_what_names_stand_for():
    done = run("solve", "copeland-bound", "gap", "--method", "compact", "--ranging")
    assert done.exit_code == 0
    assert "stands" in done.stdout
    assert "1 - 2" in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--certificate", "m.txt"), "expected a name that ends in .json"),
        (("--force",), "--force has no effect without --certificate"),
    ],
)
def test_odd_outputs_are_refused(options, message, tmp_path):
    done = run("solve", "copeland-bound", "gap", *options, cwd=tmp_path)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


def test_large_files_are_read_where_they_are_meant(tmp_path, monkeypatch):
    monkeypatch.setattr("cpe_opt.formats.tables.MOST_ROWS", 5)
    path = tmp_path / "votes.csv"
    path.write_text("winner,loser\n" + "x,y\n" * 6)
    refused = run("evidence", path)
    assert refused.exit_code == 2
    assert "votes.csv: more than 5 rows; if the file is meant to be so large" in refused.output
    assert run("--large-files", "evidence", path).exit_code == 0
    assert run("evidence", path).exit_code == 2
