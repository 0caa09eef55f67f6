"""Odd paths and numbers for every command: refused in one line, or taken, never a traceback.

Every command is tried with every path and every number, many in one process.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.test_cli import run
from tests.support import A_HANG

VOTES = "winner,loser\n" + "a,b\n" * 9 + "b,a\n" * 3
FILES = {
    "votes.csv": VOTES,
    "elements.csv": "element,mean\na,0.5\nb,0.2\nc,0.1\n",
    "beyond.csv": "element,mean\na,1e400\nb,0.2\n",
    "half.csv": "element,mean\na,½\nb,0.2\n",
    "empty": "",
    "empty.json": "",
    "empty.jsonl": "",
    "mark.csv": b"\xef\xbb\xbf" + VOTES.encode(),
    "mark-alone.csv": b"\xef\xbb\xbf",
    "nul.json": b"\0\0\0",
    "deep.json": "[" * 100_000 + "]" * 100_000,
    "deep-object.json": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "digits.json": '{"model":"best-k","k":1,"arms":' + "9" * 5000 + "}",
    "nan.json": '{"model":"best-k","k":NaN,"arms":[{"distribution":{"bernoulli":{"p":NaN}}}]}',
    "list.json": "[1,2,3]",
    "number.json": "3",
    "text.json": '"a"',
    "null.json": "null",
    "twice.json": '{"a":1,"a":2}',
    "long.csv": "winner,loser\n" + "a" * 10**6 + ",b\n",
    "wide.csv": "0.5," * 10_000 + "\n",
    "picture.csv": b"\x89PNG\r\n\x1a\n",
    "zipped.csv.gz": b"\x1f\x8b\x08\x00",
    "number.py": "x = 1\n",
    "raises.py": "raise ValueError('no')\n",
    "leaves.py": "import sys\nsys.exit(3)\n",
    "syntax.py": "def\n",
    "folder/inside": "1",
    "\udcff.csv": VOTES,
}
SCRIPTS = ("number.py", "number.py:x", "number.py:", "number.py:nowhere", "raises.py:x")
PATHS = (
    *FILES,
    *SCRIPTS,
    *(
        "leaves.py:x",
        "syntax.py:x",
        ":x",
        "folder",
        "votes.csv/",
        "votes.csv/x",
        "loop",
        "dangling",
    ),
    *("/proc/self/mem", "/dev/null/x", "", "-", " ", "..", ".", "~", "~nobody/x", "$HOME", "*"),
    *("a" * 300, "a" * 5000, "\0", "x\0y.csv", "http://x.csv", "file:///m.csv", "C:\\x.csv"),
    *("\u202evotes.csv", "votes.csv ", "１", "nan", "-1", "0"),
)
NUMBERS = (
    *("nan", "inf", "-inf", "-0.0", "1e400", "-1e400", "１２", "", "  ", "1_000", "0x10", "1,5"),
    *("9" * 400, "1e-400", "true", "None", "½", "1e6x", "+5", "0.0000001", "-1"),
)
SHORT = ("--horizon", 10, "--runs", 1, "--jobs", 1)
RUN = ("run", "ccb", "gap", "--runs", 1, "--jobs", 1, "--json")
READING = {
    "analyse": lambda path: ("analyse", path),
    "evidence": lambda path: ("evidence", path),
    "prices": lambda path: ("evidence", "votes.csv", "--prices", path),
    "solve": lambda path: ("solve", "copeland-bound", path),
    "solve-file": lambda path: ("solve", path),
    "model": lambda path: ("solve", path, "gap"),
    "solver": lambda path: ("solve", "copeland-bound", "gap", "--solver", path),
    "run": lambda path: ("run", "random-pairs", path, *SHORT),
    "learner": lambda path: ("run", path, "gap", *SHORT),
    "algorithms": lambda path: ("algorithms", path),
}
COUNTING = {
    "delta": lambda text: ("evidence", "votes.csv", "--json", "--delta", text),
    "k": lambda text: ("analyse", "elements.csv", "--k", text),
    "time-limit": lambda text: ("solve", "copeland-bound", "gap", "--json", "--time-limit", text),
    "winner": lambda text: ("solve", "copeland-bound", "gap", "--json", "--winner", text),
    "sigma": lambda text: (
        "solve",
        "subset-time",
        "elements.csv",
        "--k",
        1,
        "--json",
        "--sigma",
        text,
    ),
    "horizon": lambda text: (*RUN, "--horizon", text),
    "seed": lambda text: (*RUN, "--horizon", 10, "--seed", text),
    "parameter": lambda text: (*RUN, "--horizon", 10, "-p", f"alpha={text}"),
    "gap": lambda text: ("generate", "new.csv", *SIZES, "--force", "--gap", text),
    "density": lambda text: ("generate", "new.csv", *SIZES, "--force", "--density", text),
    "positions": lambda text: ("generate", "new.csv", "--candidates", 3, "--positions", text),
}
SIZES = ("--candidates", 3, "--positions", 2)
SECONDS = 60  # on a busy machine; what hangs takes longer
# What is read; everything else is refused. A slash behind a name is no part of a path of Python.
OF_VOTES = {"votes.csv", "mark.csv", "long.csv", "\udcff.csv", "votes.csv/"}
READ = {"analyse": OF_VOTES, "evidence": OF_VOTES, "solve": OF_VOTES, "run": OF_VOTES}
# What is taken, and the number that it is read as.
DECIMAL = {"1_000": "1000", "+5": "5"}
WHOLE = DECIMAL | {"１２": "12"}
NUMBER = {
    "delta": {"0.0000001": "1e-7"},
    "k": {},
    "time-limit": dict.fromkeys(("inf", "1e400", "9" * 400), "inf") | DECIMAL,
    "winner": {"-0.0": "0"},
    "sigma": DECIMAL | {"0.0000001": "1e-7"},
    "horizon": WHOLE,
    "seed": DECIMAL | {"-0.0": "0"},
    "parameter": WHOLE,
    "gap": {"0.0000001": "1e-7"},
    "density": {},
    "positions": {},
}


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

    def too_long(*_):
        raise TimeoutError(f"more than {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, too_long)
    try:
        for text in texts:
            signal.alarm(SECONDS)
            try:
                done = run(*command(text), cwd=folder)
            except Exception as error:
                faults.append(f"{text[:60]!r}: {type(error).__name__}: {str(error)[:200]}")
                continue
            finally:
                signal.alarm(0)
            said = done.stderr.strip()
            if done.exit_code == 0:
                taken[text] = done.stdout
            elif done.exit_code not in (1, 2):
                faults.append(f"{text[:60]!r}: exit status {done.exit_code}")
            elif not is_refusal(said):
                faults.append(f"{text[:60]!r}: says {said[:200]!r}")
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return taken, faults


def is_refusal(said):
    return "Usage:" in said or any(line.startswith("error: ") for line in said.splitlines())


QUICK = ("solve",)
QUICK_NUMBERS = ("k",)


@pytest.mark.parametrize(
    "what",
    [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in READING],
)
def test_odd_paths_are_read_or_refused(what, folder):
    taken, faults = outcomes(READING[what], PATHS, folder)
    assert not faults, "\n".join(faults)
    assert set(taken) == READ.get(what, set())


@pytest.mark.parametrize(
    "what",
    [
        each if each in QUICK_NUMBERS else pytest.param(each, marks=pytest.mark.slow)
        for each in COUNTING
    ],
)
def test_odd_numbers_are_read_as_what_they_say_or_refused(what, folder):
    command = COUNTING[what]
    taken, faults = outcomes(command, NUMBERS, folder)
    assert not faults, "\n".join(faults)
    assert set(taken) == set(NUMBER[what])
    for text, plain in NUMBER[what].items():
        usual, _ = outcomes(command, [plain], folder)
        assert without_seconds(taken[text]) == without_seconds(usual[plain]), text


def without_seconds(said):
    """What a command printed, without the times that it took."""
    if not said.lstrip().startswith(("[", "{")):
        return said

    def kept(value):
        if isinstance(value, list):
            return [kept(each) for each in value]
        if isinstance(value, dict):
            return {key: kept(each) for key, each in value.items() if "seconds" not in key}
        return value

    return kept(json.loads(said))


def in_a_process(*arguments, cwd, output=subprocess.PIPE, **environment):
    return subprocess.run(
        [sys.executable, "-m", "cpe_opt", *arguments],
        cwd=cwd,
        stdout=output,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        timeout=A_HANG,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (("analyse", "gap"), {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}),
        (("evidence", "votes.csv"), {"PYTHONIOENCODING": "latin-1"}),
        (("analyse", "\udcff.csv"), {"COLUMNS": "1", "TERM": "dumb", "HOME": "/nonexistent"}),
    ],
)
def test_any_terminal_will_do(arguments, environment, folder):
    done = in_a_process(*arguments, cwd=folder, **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


@pytest.mark.slow
def test_results_of_a_file_whose_name_is_not_utf_8_are_kept(folder):
    done = in_a_process(
        "compare", "random-pairs", "--on", "\udcff.csv", *map(str, SHORT), cwd=folder
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert [*(folder / "results").rglob("*.json")]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_output_is_said(folder):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = in_a_process("instances", cwd=folder, output=full)
    assert (done.returncode, done.stderr) == (1, b"error: No space left on device\n")
