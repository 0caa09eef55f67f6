"""Odd paths and numbers for every command: refused in one line, or taken, never a traceback.

What is read is tried with every path and every number, many in one process. A command that writes
and ends well has written where it was told, and nothing else has changed; else it says why in one
line, and every file and folder is as it was.
"""

import re
import shutil

import pandas as pd
import pytest

from tests.bad_inputs.test_commands import in_a_process
from tests.commands.test_cli import run

VOTES = "winner,loser\n" + "a,b\n" * 9 + "b,a\n" * 3
FILES = {
    "votes.csv": VOTES,
    "elements.csv": "element,mean\na,0.5\nb,0.2\nc,0.1\n",
    "empty.json": "",
    "mark.csv": b"\xef\xbb\xbf" + VOTES.encode(),
    "nul.json": b"\0\0\0",
    "deep.json": "[" * 100_000 + "]" * 100_000,
    "digits.json": '{"winner":"a","loser":"b","count":' + "9" * 5000 + "}",
    "nan.json": '{"winner":"a","loser":"b","count":NaN}',
    "twice.json": '{"a":1,"a":2}',
    "long.csv": "winner,loser\n" + "a" * 200_000 + ",b\n",
    "zipped.csv.gz": b"\x1f\x8b\x08\x00",
    "number.py": "x = 1\n",
    "raises.py": "raise ValueError('no')\n",
    "leaves.py": "import sys\nsys.exit(3)\n",
    "syntax.py": "def\n",
    "folder/inside": "1",
    "\udcff.csv": VOTES,
}
PATHS = (
    *FILES,
    *(
        "number.py:x",
        "number.py:",
        "number.py:nowhere",
        "raises.py:x",
        "leaves.py:x",
        "syntax.py:x",
    ),
    *("folder", "votes.csv/", "votes.csv/x", "loop", "dangling", ":x", "/proc/self/mem"),
    *("/dev/null/x", "", "-", " ", "..", ".", "~", "~nobody/x", "*", "a" * 300, "a" * 5000),
    *("\0", "x\0y.csv", "http://x.csv", "C:\\x.csv", "\u202evotes.csv", "votes.csv ", "１", "nan"),
)
NUMBERS = (
    *("nan", "inf", "-inf", "-0.0", "1e400", "１２", "", "  ", "1_000", "0x10", "1,5", "9" * 400),
    *("1e-400", "true", "None", "½", "1e6x", "+5", "0.0000001", "-1"),
)
SHORT = ("--horizon", 10, "--runs", 1, "--jobs", 1)
RUN = ("run", "ccb", "gap", "--runs", 1, "--jobs", 1, "--json")
SOLVE = ("solve", "copeland-bound", "gap", "--json")
# A command of a path; which paths are read, as everything else is refused. A slash behind a name is
# no part of a path of Python.
OF_VOTES = {"votes.csv", "mark.csv", "long.csv", "\udcff.csv", "votes.csv/"}
READING = {
    "analyse": (lambda path: ("analyse", path), OF_VOTES),
    "evidence": (lambda path: ("evidence", path), OF_VOTES),
    "solve": (lambda path: ("solve", "copeland-bound", path), OF_VOTES),
    "run": (lambda path: ("run", "random-pairs", path, *SHORT), OF_VOTES),
    "prices": (lambda path: ("evidence", "votes.csv", "--prices", path), frozenset()),
    "solve-file": (lambda path: ("solve", path), frozenset()),
    "solver": (lambda path: ("solve", "copeland-bound", "gap", "--solver", path), frozenset()),
    "learner": (lambda path: ("run", path, "gap", *SHORT), frozenset()),
}
# A command of a number; which texts are taken, and the number that they are read as.
DECIMAL = {"1_000": "1000", "+5": "5"}
SMALL = {"0.0000001": "1e-7"}
LARGE = dict.fromkeys(("inf", "1e400", "9" * 400), "inf")
COUNTING = {
    "k": (lambda text: ("analyse", "elements.csv", "--k", text), {}),
    "delta": (lambda text: ("evidence", "votes.csv", "--json", "--delta", text), SMALL),
    "time-limit": (lambda text: (*SOLVE, "--time-limit", text), LARGE | DECIMAL),
    "horizon": (lambda text: (*RUN, "--horizon", text), DECIMAL | {"１２": "12"}),
    "seed": (lambda text: (*RUN, "--horizon", 10, "--seed", text), DECIMAL | {"-0.0": "0"}),
}


def tried(name, quick):
    """A case, slow unless it is one of the quick ones."""
    return name if name in quick else pytest.param(name, marks=pytest.mark.slow)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nowhere")
    return folder


def outcomes(command, texts, folder):
    """What was taken, with all that was said of it, and what is no refusal in one line."""
    taken, faults = {}, []
    for text in texts:
        try:
            done = run(*command(text), cwd=folder)
        except Exception as error:
            faults.append(f"{text[:60]!r}: {type(error).__name__}: {str(error)[:200]}")
            continue
        if done.exit_code == 0:
            taken[text] = done.stdout
        elif done.exit_code not in (1, 2) or not is_refusal(done.stderr.strip()):
            faults.append(f"{text[:60]!r}: {done.exit_code}, says {done.stderr[:200]!r}")
    return taken, faults


def is_refusal(said):
    return "Usage:" in said or any(line.startswith("error: ") for line in said.splitlines())


@pytest.mark.parametrize("what", [tried(each, {"solve"}) for each in READING])
def test_odd_paths_are_read_or_refused(what, folder):
    command, read = READING[what]
    taken, faults = outcomes(command, PATHS, folder)
    assert not faults, "\n".join(faults)
    assert set(taken) == read


@pytest.mark.parametrize("what", [tried(each, {"k"}) for each in COUNTING])
def test_odd_numbers_are_read_as_what_they_say_or_refused(what, folder):
    command, read_as = COUNTING[what]
    taken, faults = outcomes(command, NUMBERS, folder)
    assert not faults, "\n".join(faults)
    assert set(taken) == set(read_as)
    for text, plain in read_as.items():
        usual, _ = outcomes(command, [plain], folder)
        assert without_seconds(taken[text]) == without_seconds(usual[plain]), text


def without_seconds(said):
    """What a command printed, without the times that it took."""
    return re.sub(r'"\w*seconds": [^,\n]*', "", said)


# What is expected to end the name, nothing for folders, and the command.
WRITING = {
    "export": (".lp", lambda path: ("export", "copeland-bound", "gap", path)),
    "run-record": ("", lambda path: ("run", "cw-rmed", "gap", *SHORT, "--record", path)),
    "evidence-plot": (".pdf", lambda path: ("evidence", "votes.csv", "--plot", path)),
    "evidence-report": (".html", lambda path: ("evidence", "votes.csv", "--report", path)),
    "session-new": (".jsonl", lambda path: ("session", "new", path, "--labels", "a,b,c")),
    "session-export": (".csv", lambda path: ("session", "export", "taste.jsonl", path)),
}
# Paths, and the commands that write there; others refuse them. The tilde is for shells. A session
# has a name of any ending, and no other folder is made for it.
EVERY = set(WRITING)
ANY_ENDING = {"run-record", "session-new"}
ODD = {
    **dict.fromkeys(("", ".", "folder", "votes.csv/new{}", "/dev/null", "/dev/full"), frozenset()),
    **dict.fromkeys(("a\0b{}", "a" * 300 + "{}", "\ud800{}", "votes.csv"), frozenset()),
    **dict.fromkeys(("dangling{}", "loop{}", "link{}", "there{}"), frozenset()),
    **dict.fromkeys(("missing/deeper/new{}", "~nobody/new{}"), EVERY - {"session-new"}),
    **dict.fromkeys(("é" * 124 + "{}", "NEW{}", "\u202enew{}", " {}", "a\nb{}", "new{}/"), EVERY),
    **dict.fromkeys(("-", "new.unknown", "new"), ANY_ENDING),
    "{}": {"evidence-report", "session-export", "session-new"},
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """What every command finds in its folder."""
    folder = tmp_path_factory.mktemp("sample")
    (folder / "votes.csv").write_text(VOTES)
    for command in (
        ("new", "taste.jsonl", "--labels", "a,b"),
        ("answer", "taste.jsonl", "0-1.1", "b"),
    ):
        done = run("session", *command, cwd=folder)
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


@pytest.mark.parametrize("what", [tried(each, {"session-new"}) for each in WRITING])
def test_odd_paths_are_written_or_refused_without_a_trace(what, sample, tmp_path):
    ending, command = WRITING[what]
    written, faults = set(), []
    for number, odd in enumerate(ODD):
        folder = prepared(sample, tmp_path / str(number) / "inside", ending)
        done, fault = outcome(command, odd.replace("{}", ending), folder)
        written |= {odd} if done else set()
        faults += [] if fault is None else [f"{odd[:40]!r}: {fault}"]
    assert not faults, "\n".join(faults)
    assert written == {odd for odd, commands in ODD.items() if what in commands}


NOT_UTF_8 = [
    ("export", "copeland-bound", "gap", "\udcff.lp"),
    ("run", "cw-rmed", "gap", *SHORT, "--plot", "\udcff.png", "--record", "\udcff"),
    ("compare", "random-pairs", "--on", "gap", *SHORT, "--out", "\udcff-results"),
    ("report", "\udcff-results", "--out", "\udcff.html"),
    ("evidence", "\udcff-votes.parquet", "--plot", "\udcff.svg"),
    ("session", "new", "\udcff.jsonl", "--labels", "a,b"),
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
        named = [tmp_path / each for each in map(str, command) if "\udcff" in each]
        assert all(path.stat().st_size > 0 for path in named), command
