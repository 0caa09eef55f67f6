"""Odd paths for whatever a command writes: a file that is there, or a refusal and no trace.

A command that ends well has written where it was told, and something; no other file has changed.
Else it says why in one line, and every file and folder is as it was.
"""

import shutil

import pandas as pd
import pytest

from tests.bad_inputs.test_odd_commands import SIZES, VOTES, in_a_process, is_refusal
from tests.commands.test_cli import run

SHORT = ("--horizon", 10, "--runs", 1, "--jobs", 1)
# The ending that is expected, none for folders, and the command.
WRITING = {
    "generate": (".csv", lambda path: ("generate", path, *SIZES)),
    "export": (".lp", lambda path: ("export", "copeland-bound", "gap", path)),
    "export-cone": (".cbf", lambda path: ("export", "borda-time", "gap", path)),
    "solve-certificate": (
        ".json",
        lambda path: ("solve", "copeland-bound", "gap", "--certificate", path),
    ),
    "run-out": (".csv", lambda path: ("run", "random-pairs", "votes.csv", *SHORT, "--out", path)),
    "run-plot": (".svg", lambda path: ("run", "random-pairs", "votes.csv", *SHORT, "--plot", path)),
    "run-record": ("", lambda path: ("run", "cw-rmed", "gap", *SHORT, "--record", path)),
    "compare-out": (
        "",
        lambda path: ("compare", "random-pairs", "--on", "gap", *SHORT, "--out", path),
    ),
    "compare-plot": (
        ".png",
        lambda path: (
            "compare",
            "random-pairs",
            "--on",
            "gap",
            *SHORT,
            "--out",
            "results",
            "--plot",
            path,
        ),
    ),
    "evidence-plot": (".pdf", lambda path: ("evidence", "votes.csv", "--plot", path)),
    "evidence-report": (".html", lambda path: ("evidence", "votes.csv", "--report", path)),
    "report": (".html", lambda path: ("report", "results", "--out", path)),
    "session-new": (".jsonl", lambda path: ("session", "new", path, "--labels", "a,b,c")),
    "session-export": (".csv", lambda path: ("session", "export", "taste.jsonl", path)),
    "session-votes": (
        ".jsonl",
        lambda path: ("session", "export", "taste.jsonl", path, "--votes", "arena"),
    ),
    "session-scores": (".csv", lambda path: ("session", "export", "teams.jsonl", path, "--scores")),
}
# Where each writes; the rest is refused. The tilde is for shells, and a slash behind a name is no
# part of a path of Python.
FILE = {"in a missing folder", "as long as can be", "nobody's", "capitals", "from right to left"}
FILE |= {"a blank", "two lines", "a trailing slash"}
FOLDER = FILE | {"a dash", "an unknown ending", "no ending"}
WRITTEN = {
    **dict.fromkeys(WRITING, FILE),
    **dict.fromkeys(
        (
            "generate",
            "evidence-report",
            "report",
            "session-export",
            "session-votes",
            "session-scores",
        ),
        FILE | {"only an ending"},
    ),
    "run-record": FOLDER,
    # A folder of results may have some; the empty name is that of the folder itself.
    "compare-out": FOLDER
    | {"nothing", "only an ending", "the folder itself", "the folder above"}
    | {"a folder", "a folder with an ending"},
    # A session has a name of any ending; and no other folder is made for it.
    "session-new": (FOLDER | {"only an ending"}) - {"in a missing folder", "nobody's"},
}
ODD = {
    "nothing": "",
    "the folder itself": ".",
    "the folder above": "..",
    "a folder": "folder",
    "a folder with an ending": "folder{}",
    "in a missing folder": "missing/deeper/new{}",
    "in a file": "votes.csv/new{}",
    "in a device": "/dev/null/new{}",
    "a device": "/dev/null",
    "a full device": "/dev/full",
    "in no real folder": "/proc/new{}",
    "NUL": "a\0b{}",
    "NUL in a folder": "a\0b/new{}",
    "long": "a" * 300 + "{}",
    "as long as can be": "é" * 124 + "{}",
    "longer than any path": "a" * 5000 + "{}",
    "a dash": "-",
    "nobody's": "~nobody/new{}",
    "a dangling link": "dangling{}",
    "a link in a loop": "loop{}",
    "a link to a file": "link{}",
    "in a loop": "loop{}/new{}",
    "a file that is there": "there{}",
    "its own source": "votes.csv",
    "an unknown ending": "new.unknown",
    "no ending": "new",
    "only an ending": "{}",
    "capitals": "NEW{}",
    "from right to left": "\u202enew{}",
    "half of a surrogate pair": "\ud800{}",
    "a blank": " {}",
    "two lines": "a\nb{}",
    "a trailing slash": "new{}/",
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """What every command finds in its folder."""
    folder = tmp_path_factory.mktemp("sample")
    (folder / "votes.csv").write_text(VOTES)
    (folder / "ten.csv").write_text("element,mean\na,0.5\nb,0.2\nc,0.1\n")
    for command in (
        ("compare", "random-pairs", "--on", "gap", *SHORT, "--out", "results"),
        ("session", "new", "taste.jsonl", "--labels", "a,b"),
        ("session", "answer", "taste.jsonl", "0-1.1", "b"),
        ("session", "new", "teams.jsonl", "icb", "--problem", "ten.csv", "--k", 2),
        ("session", "answer", "teams.jsonl", "1+2.1", "0.5"),
    ):
        done = run(*command, cwd=folder)
        assert done.exit_code == 0, done.stderr
    return folder


def tree(folder):
    """Every file, folder and link, and what it holds."""
    return {
        str(path.relative_to(folder)): path.readlink()
        if path.is_symlink()
        else path.is_file() and path.read_bytes()
        for path in folder.rglob("*")
    }


def prepared(sample, folder, ending):
    """A copy of the sample with everything that a path may meet."""
    shutil.copytree(sample, folder)
    (folder / "folder").mkdir()
    (folder / f"folder{ending or '-2'}").mkdir()
    (folder / "folder" / "inside").write_text("1")
    (folder / f"there{ending}").write_text("mine")
    for name, target in (("dangling", "nowhere"), ("loop", "loop"), ("link", "there")):
        (folder / f"{name}{ending}").symlink_to(f"{target}{ending}")
    return folder


def outcome(command, path, folder):
    """Whether a command was carried out, and what is wrong with what it did to the folder above."""
    before = tree(folder.parent)
    try:
        done = run(*command(path), cwd=folder)
    except Exception as error:
        return False, f"{type(error).__name__}: {str(error)[:300]}"
    after = tree(folder.parent)
    new = [folder.parent / name for name in sorted(after.keys() - before.keys())]
    changed = [folder.parent / name for name in before if after.get(name) != before[name]]
    if done.exit_code == 0:
        target = (folder / path).resolve()
        there = target.is_dir() or target.stat().st_size > 0
        others = [each for each in (*new, *changed) if not related(each, target)]
        return True, None if new and there and not others else f"{new=} {there=} {others=}"
    if done.exit_code not in (1, 2) or not is_refusal(done.stderr.strip()):
        return False, f"exit status {done.exit_code}, says {done.stderr[:300]!r}"
    left = f"leaves {new}, changes {changed}: {done.stderr[:200]}"
    return False, left if new or changed else None


def related(path, target):
    """Whether a path is the target, in it, one of its folders, or a companion of its name."""
    inside = target in path.parents or path in target.parents
    return inside or path == target or path.name.startswith(f"{target.stem}.")


QUICK = ("session-new",)


@pytest.mark.parametrize(
    "what",
    [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in WRITING],
)
def test_odd_paths_are_written_or_refused_without_a_trace(what, sample, tmp_path):
    ending, command = WRITING[what]
    written, faults = set(), []
    for number, (kind, odd) in enumerate(ODD.items()):
        folder = prepared(sample, tmp_path / str(number) / "inside", ending)
        path = odd.replace("{}", ending)
        done, fault = outcome(command, path, folder)
        if done:
            written.add(kind)
        if fault is not None:
            faults.append(f"{kind}, {path[:40]!r}: {fault}")
    assert not faults, "\n".join(faults)
    assert written == WRITTEN[what]


NOT_UTF_8 = [
    ("generate", "\udcff.csv", "--candidates", "3", "--positions", "2"),
    ("export", "copeland-bound", "gap", "\udcff.lp"),
    ("run", "cw-rmed", "gap", *map(str, SHORT), "--out", "\udcff.parquet", "--record", "\udcff"),
    ("compare", "random-pairs", "--on", "gap", *map(str, SHORT), "--out", "\udcff-results"),
    ("report", "\udcff-results", "--out", "\udcff.html"),
    ("evidence", "\udcff-votes.parquet", "--plot", "\udcff.svg"),
    ("session", "new", "\udcff.jsonl", "--labels", "a,b"),
    ("session", "export", "\udcff.jsonl", "\udcff-answers.csv"),
]


@pytest.mark.slow
def test_names_of_files_may_be_bytes_that_are_no_text(tmp_path):
    """In processes of their own: it is the process that makes the output fit a terminal."""
    votes = pd.DataFrame({"winner": ["a", "b", "a", "a"], "loser": ["b", "a", "b", "b"]})
    with (tmp_path / "\udcff-votes.parquet").open("wb") as file:
        votes.to_parquet(file)
    for command in NOT_UTF_8:
        done = in_a_process(*command, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, b""), command
        named = [tmp_path / each for each in command if "\udcff" in each]
        assert all(path.stat().st_size > 0 for path in named), command
