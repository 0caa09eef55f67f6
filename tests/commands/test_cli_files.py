"""Files that commands write: never over others, never half, and never in vain."""

import json

import pytest

from tests.commands.test_cli import run
from tests.sessions.support import room_for

SHORT = ("--horizon", 50, "--runs", 1, "--jobs", 1)
WRITERS = [
    ("r.png", ("run", "ecw-rmed", "gap", *SHORT, "--plot")),
    ("c.svg", ("compare", "ecw-rmed", "--on", "gap", *SHORT, "--plot")),
    ("gap.lp", ("export", "copeland-bound", "gap")),
]
every_writer = pytest.mark.parametrize(("name", "command"), WRITERS, ids=[w[0] for w in WRITERS])


@pytest.fixture
def no_work(monkeypatch):
    """Whatever takes time fails the test."""

    def work(*arguments, **settings):
        pytest.fail("the path was looked at after the work")

    monkeypatch.setattr("cpe_opt.experiments.engine.run_many", work)
    monkeypatch.setattr("cpe_opt.experiments.engine.play", work)
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
    other = run(*command, tmp_path / "file.xls")
    assert other.exit_code == 2
    assert "file.xls': expected a name that ends in ." in other.stderr


@pytest.mark.parametrize(("name", "command"), WRITERS[:-1])
def test_a_full_disk_is_said_in_words(name, command, tmp_path):
    with room_for(100):
        done = run(*command, tmp_path / name, cwd=tmp_path)
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert "File too large" in line
    assert command[0] != "run" or "mean regret" in done.stdout  # nothing measured is lost
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_the_folder_of_results_is_no_file(tmp_path, no_work):
    (tmp_path / "results").write_text("a file")
    done = run("compare", "ecw-rmed", "--on", "gap", *SHORT, cwd=tmp_path)
    assert done.exit_code == 2
    assert "results' is a file, expected a folder" in done.stderr


def interrupted(*arguments, **settings):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("place", "command", "message"),
    [
        (
            "cpe_opt.experiments.engine.play",
            ("compare", "ecw-rmed", "--on", "gap", *SHORT, "--out", "kept"),
            "interrupted: finished runs are kept in kept; the same command goes on with the rest",
        ),
        (
            "cpe_opt.load_problem",
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
