"""What the command line refuses: in words on standard error, with exit status 1 or 2, and no trace.

A row is a command and what is said of it.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cpe_opt as cpe
from cpe_opt.solvers.base import importable
from tests.commands.test_cli import run
from tests.support import A_HANG

FILES = {
    "duels.csv": "winner,loser\na,b\nb,a\na,b\n",
    "others.csv": "winner,loser\nx,a\n",
    "ties.csv": "winner,loser\na,tie\n",
    "header.csv": "winner,loser\na,b\nWinner,LOSER\nb,a\n",
    "chances.csv": "0.5,0.6\n0.4,0.5\n",
    "certain.csv": "0,1\n0,0\n",
    "elements.csv": "element,mean\na,0.5\nb,0.2\nc,0.1\n",
    "twice.txt": "a\na\n",
    "program.lp": "Minimize\n obj: x\nSubject To\n c: x >= 1\nEnd\n",
    "best.json": '{"model": "best-k", "arms": [{"distribution": {"bernoulli": {"p": 0.5}}}]}',
    "days.csv": "winner,loser\n" + "2020-01-02,2020-01-01\n" * 9,
    "taken.png": "kept",
    "taken.csv": "kept",
    "folder/inside.csv": "winner,loser\na,b\n",
}
SHORT = ("--horizon", 20, "--runs", 1, "--jobs", 1)
RUN = ("run", "ccb", "gap")
NEW = ("session", "new", "n.jsonl")
ARMS = (*NEW, "--labels", "a,b")
JUDGED = ("session", "run", "s.jsonl", "--command")
ROWS = [
    (("analyse", "none.csv"), "no file 'none.csv'"),
    (("analyse", "suhsi"), "unknown instance 'suhsi'; did you mean 'sushi'?"),
    (("analyse", "folder"), "'folder' is a folder, expected a file"),
    (("analyse", "ties.csv"), "ties.csv, line 2: a tie; a log with ties"),
    (("analyse", "best.json"), "best.json: no log of duels; found model, arms; expected"),
    (("analyse", "duels.csv", "--k", 1), "duels.csv: k (--k on the command line) has no effect"),
    (("analyse", "s.jsonl"), "s.jsonl: no log of duels; found cpe_opt_session"),
    (("analyse", "x" * 5000), "cannot read"),
    (("analyse",), "Missing argument 'instance'."),
    (("analyse", "gap", "--jsn"), "No such option: --jsn (Possible options: --json)"),
    (("analyze", "gap"), "No such command 'analyze'. Did you mean 'analyse'?"),
    (("evidence", "header.csv"), "header.csv, line 3: the header again, expected a duel"),
    (("evidence", "chances.csv"), "if these are probabilities, PreferenceMatrix"),
    (("evidence", "certain.csv"), "certain.csv: no pair met more than once, so that this may be"),
    (("evidence", "elements.csv"), "is a table of elements and their means, which load_problem"),
    (("evidence", "program.lp"), "program.lp, line 2: 2 cells, expected 1"),
    (("evidence", "duels.csv", "--delta", 0), "delta is 0.0, expected a probability from"),
    (("evidence", "duels.csv", "--plot", "taken.png"), "'taken.png' exists; --force overwrites"),
    (("evidence", "duels.csv", "--plot", "p.gif"), "cannot tell the format of 'p.gif'"),
    (
        ("evidence", "duels.csv", "--prices", "duels.csv"),
        "duels.csv, line 1: no column 'first'; found",
    ),
    (("solve", "copeland-bond", "gap"), "unknown model 'copeland-bond'; did you mean"),
    (("solve", "copeland-bound", "figure1"), "copeland-bound is a model of dueling, and figure1"),
    (("solve", "copeland-bound", "gap", "--method", "cut"), "unknown method 'cut'; did you mean"),
    (("solve", "copeland-bound", "gap", "--winner", 9), "arm 9 does not exist, expected 0 … 4"),
    (("solve", "copeland-bound", "gap", "--winner", "a"), "Invalid value for '--winner': Input"),
    (("solve", "copeland-bound", "gap", "--time-limit", -1), "time_limit is -1.0, expected a"),
    (("export", "copeland-bound", "gap", "duels.csv/p.lp"), "'duels.csv': 'duels.csv' is a file,"),
    (("export", "g-design", "top-5-of-10", "p.lp"), "is a cone program, which no .lp file can"),
    (("run", "nobody", "gap", *SHORT), "unknown learner 'nobody'; known: "),
    (("run", "ccb", "figure1", *SHORT), "ccb is for a PreferenceMatrix, and figure1 is a"),
    ((*RUN, "--horizon", 0), "horizon is 0, expected a whole number, at least 1"),
    ((*RUN, "--horizon", "ten"), "horizon is 'ten', expected a whole number such"),
    (
        (*RUN, "--horizon", "1e30"),
        "horizon is 1,000,000,000,000,000,",
    ),
    ((*RUN, "--horizon", 20, "--runs", 0), "runs is 0, expected a whole number,"),
    ((*RUN, "--horizon", 20, "--jobs", 0), "jobs is 0, expected a number of"),
    ((*RUN, *SHORT, "--regret", "euros"), "unknown regret unit 'euros'; known:"),
    ((*RUN, *SHORT, "-p", "alpha"), "parameter 'alpha': expected name=value"),
    ((*RUN, *SHORT, "-p", "alpha=0.1"), "alpha is 0.1, expected a finite number above 0.5"),
    ((*RUN, *SHORT, "-p", "beta=1"), "unknown parameter of ccb 'beta'; known:"),
    ((*RUN, *SHORT, "-p", "alpha=1", "-p", "alpha=2"), "parameter 'alpha' is given twice"),
    (("run", "car-cond", "figure1", "--plot", "p.png"), "run draws regret, and a MatchingDuels"),
    (("compare", "ccb"), "on which instance? Give --on"),
    (("compare", "ccb", "ccb", "--on", "gap", *SHORT), "two learners are called alike: ccb, ccb"),
    (("report", "duels.csv"), "no finished runs in 'duels.csv', expected a folder of results"),
    (("session", "new", "s.jsonl", "--labels", "a,b"), "'s.jsonl' exists: `cpe-opt session run"),
    (("session", "new", "none/n.jsonl", "--labels", "a,b"), "cannot write to 'none/n.jsonl'"),
    (NEW, "what is compared? Give --labels, --problem, or --prior"),
    ((*NEW, "--labels", "a"), "--labels is 'a', expected at least two: a,b,c, or"),
    ((*NEW, "--labels", "twice.txt"), "labels: arms 0 and 1 are both called 'a'"),
    ((*NEW, "--problem", "figure1"), "which learner? For a problem of matchings: car"),
    ((*NEW, "car-cond", "--labels", "a,b"), "car-cond is for problems of the family"),
    ((*NEW, "rucb", "--labels", "a,b", "--items", "3"), "rucb has no parameter 'cells'"),
    (
        (*ARMS, "-p", "parallel=1000000000"),
        "parallel is 1,000,000,000, expected a whole",
    ),
    ((*ARMS, "--problem", "gap"), "labels and problem are both given"),
    ((*ARMS, "--k", "2"), "--k has no effect without --problem"),
    ((*ARMS, "-p", "detla=0.1"), "unknown parameter"),
    ((*ARMS, "--prior", "others.csv"), "prior: votes on 'x', which is none of a, b"),
    ((*ARMS, "--items", "0"), "items is 0, expected a whole number, at least 1"),
    ((*ARMS, "--items", "3", "--orders", "two"), "unknown value of orders 'two'; known: both,"),
    ((*ARMS, "--orders", "both"), "orders is 'both', and has no effect without items"),
    ((*ARMS, "--items", "3", "--prior", "others.csv"), "earlier observations are of no cells"),
    (("session", "next", "none.jsonl"), "no file 'none.jsonl'; `cpe-opt session new` begins"),
    (("session", "next", "others.csv"), "'others.csv' is no session"),
    (("session", "next", "s.jsonl", "-n", "0"), "n is 0, expected a whole number, at least 1"),
    (("session", "next", "s.jsonl", "--lease", "5"), "--lease has no effect without --rater"),
    (("session", "next", "s.jsonl", "--rater", " "), "expected a name of at most 60 letters"),
    (("session", "next", "s.jsonl", "--problem", "gap"), "the session asks about a, b"),
    (("session", "withdraw", "s.jsonl", "0-1.1"), "question '0-1.1' has no answer that could be"),
    (("session", "status", "torn.jsonl"), "torn.jsonl, line 2: damaged"),
    (("session", "export", "s.jsonl", "o.csv", "--items"), "asks about no items"),
    ((*JUDGED, ""), "the command is '', expected a program"),
    ((*JUDGED, "a 'b"), "cannot be read: No closing quotation"),
    ((*JUDGED, "/no/judge"), "cannot start '/no/judge': No such file"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files that are only read, for all rows."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "folder").mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(content)
    assert run("session", "new", "s.jsonl", "--labels", "a,b", cwd=folder).exit_code == 0
    (folder / "torn.jsonl").write_bytes((folder / "s.jsonl").read_bytes() + b'{"answer":1}\n')
    return folder


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("arguments", "message"), ROWS, ids=[row[1] for row in ROWS])
def test_bad_commands_are_refused_in_words(arguments, message, folder):
    before = contents(folder)
    done = run(*arguments, cwd=folder)
    assert done.exit_code in (1, 2)
    # Typer draws a box around what it says of options, and breaks lines in it.
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert contents(folder) == before


def test_labels_that_look_like_something_else_are_texts(folder):
    done = run("analyse", "days.csv", "--json", cwd=folder)
    assert (done.exit_code, '"2020-01-02"' in done.stdout) == (0, True)


def test_a_session_that_another_process_has_open_is_refused(folder):
    with cpe.Session.open(folder / "s.jsonl"):
        done = run("session", "next", "s.jsonl", cwd=folder)
        assert run("session", "status", "s.jsonl", cwd=folder).exit_code == 0
    assert done.exit_code == 2
    assert "'s.jsonl' is in use" in done.stderr


def in_a_process(*arguments, cwd, output=subprocess.PIPE, **environment):
    return subprocess.run(
        [sys.executable, "-m", "cpe_opt", *map(str, arguments)],
        cwd=cwd,
        stdout=output,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        timeout=A_HANG,
        check=False,
    )


NONSENSE = {"TZ": "x/y", "LANG": "xx_YY", "MPLBACKEND": "x", "HOME": ""}
if not importable("numexpr"):  # with it, from the extra bench, pandas cannot be imported there
    NONSENSE["OMP_NUM_THREADS"] = "x"


@pytest.mark.parametrize(
    "environment",
    [
        {"COLUMNS": "-5", "LINES": "x", "SOURCE_DATE_EPOCH": "0", **NONSENSE},
        pytest.param({"COLUMNS": "99999999", "TMPDIR": "/nowhere"}, marks=pytest.mark.slow),
        pytest.param({"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_an_environment_of_nonsense_changes_nothing(environment, folder):
    usual = run("evidence", "duels.csv", "--json", cwd=folder)
    done = in_a_process("evidence", "duels.csv", "--json", cwd=folder, **environment)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, usual.stdout, b"")


@pytest.mark.slow
def test_pictures_are_drawn_whatever_backend_the_environment_names(folder, tmp_path):
    arguments = ("evidence", "duels.csv", "--plot", tmp_path / "proved.pdf")
    done = in_a_process(*arguments, cwd=folder, MPLBACKEND="nonsense")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "proved.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_output_is_said(folder):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = in_a_process("--version", cwd=folder, output=full)
    assert (done.returncode, done.stderr) == (1, b"error: No space left on device\n")
