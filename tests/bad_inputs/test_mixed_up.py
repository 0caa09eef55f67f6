"""One thing where another is expected: files of other kinds, joined files, values of other types.

Each is refused with what was found, or read as what it says; a row is a file, a command and that.
"""

import os
import subprocess
import sys

import pytest

from tests.bad_inputs.test_odd_commands import VOTES, in_a_process, is_refusal
from tests.commands.test_cli import run


def best_arm(arm):
    """A problem in JSON of two arms, of which one is given."""
    return f'{{"model": "best-k", "k": 1, "arms": [{arm}, {COIN}]}}'


def drawn(distribution):
    return best_arm(f'{{"distribution": {distribution}}}')


COIN = '{"distribution": {"bernoulli": {"p": 0.2}}}'
FILES = {
    "votes.csv": VOTES,
    "twice.csv": VOTES + VOTES,
    "capitals.csv": VOTES + "Winner,LOSER\nb,a\n",
    "counts.csv": "winner,loser,count\na,b,4\nwinner,loser,count\nb,a,3\n",
    "arena.csv": "model_a,model_b,winner\na,b,tie\nmodel_a,model_b,winner\n",
    "elements-twice.csv": "element,mean\na,0.5\nelement,mean\nb,0.2\n",
    "elements.csv": "element,mean\na,0.5\nb,0.2\nc,0.1\n",
    "matrix.csv": "0.5,0.6\n0.4,0.5\n",
    "true.csv": "first,second,price\na,b,TRUE\n",
    "program.lp": "Minimize\n obj: x\nSubject To\n c: x >= 1\nEnd\n",
    "objects.jsonl": '{"winner":"a","loser":"b"}\n{"winner":{"name":"a"},"loser":"b"}\n',
    "arrays.jsonl": '{"winner":["a"],"loser":"b"}\n',
    "text.json": drawn('{"bernoulli": {"p": "0.5"}}'),
    "array.json": drawn('{"bernoulli": {"p": [0.5]}}'),
    "truth.json": drawn('{"bernoulli": {"p": true}}'),
    "null.json": drawn('{"bernoulli": {"p": null}}'),
    "object.json": drawn('{"beta": {"a": {}, "b": 1}}'),
    "infinite.json": drawn('{"beta": {"a": 1e999, "b": 1}}'),
    "word.json": drawn('{"empirical": {"values": "01"}}'),
    "no-object.json": drawn('["bernoulli", 0.5]'),
    "label.json": best_arm('{"label": {"a": 1}, "distribution": {"bernoulli": {"p": 0.5}}}'),
    "nul.json": best_arm('{"label": "a\\u0000", "distribution": {"bernoulli": {"p": 0.5}}}'),
    "half.json": best_arm('{"label": "\\ud800", "distribution": {"bernoulli": {"p": 0.5}}}'),
    "arms.json": '{"model": "best-k", "k": 1, "arms": {"0": {}}}',
    "days.csv": "winner,loser\n" + "2020-01-02,2020-01-01\n" * 9,
    "number.json": best_arm('{"label": 7, "distribution": {"bernoulli": {"p": 0.5}}}'),
}
REFUSED = [
    ("evidence", "twice.csv", "twice.csv, line 14: the header again, expected a duel"),
    ("evidence", "capitals.csv", "capitals.csv, line 14: the header again"),
    ("evidence", "counts.csv", "counts.csv, line 3: the header again"),
    ("evidence", "arena.csv", "arena.csv, line 3: the header again"),
    ("analyse", "elements-twice.csv", "--k", 1, "line 3: mean is 'mean', expected a number"),
    ("evidence", "matrix.csv", "the diagonal entry is 0.5, expected 0; if these are probabil"),
    (
        "evidence",
        "elements.csv",
        "is a table of elements and their means, which load_problem reads, and no observations",
    ),
    (
        "evidence",
        "text.json",
        "text.json is a problem of separable rewards, which load_problem reads, and no",
    ),
    ("evidence", "taste.jsonl", "taste.jsonl, line 1: no log of duels; found cpe_opt_session"),
    ("evidence", "program.lp", "program.lp is no preference matrix"),
    ("evidence", "objects.jsonl", "line 2: winner is an object, expected a text or a number"),
    ("evidence", "arrays.jsonl", "line 1: winner is an array, expected a text or a number"),
    ("evidence", "votes.csv", "--prices", "votes.csv", "votes.csv is no matrix of prices"),
    ("evidence", "votes.csv", "--prices", "true.csv", "line 2: price is 'TRUE', expected a num"),
    ("evidence", "votes.csv", "--problem", "matrix.csv", "--problem has no effect here"),
    ("analyse", "text.json", "arm 0: distribution: p is '0.5', expected a number"),
    ("analyse", "array.json", "arm 0: distribution: p is (0.5,), expected a number"),
    ("analyse", "truth.json", "arm 0: distribution: p is True, expected a number"),
    ("analyse", "null.json", "arm 0: distribution: p is None, expected a number"),
    ("analyse", "object.json", "arm 0: distribution: a is {}, expected a number"),
    ("analyse", "infinite.json", "arm 0: distribution: a is inf, expected a finite number"),
    ("analyse", "word.json", "values is '01', expected an array of numbers"),
    ("analyse", "no-object.json", "expected one of bernoulli, beta, empirical"),
    ("analyse", "label.json", 'arm 0: label is {"a": 1}, expected a name'),
    ("analyse", "nul.json", "labels[0] is 'a\\x00', with the character NUL"),
    ("analyse", "half.json", "labels[0] is '\\ud800', half of a surrogate pair"),
    ("analyse", "arms.json", "arms: expected a list of at least one arm"),
    ("analyse", "taste.jsonl", "taste.jsonl, line 1: no log of duels; found cpe_opt_session"),
    ("solve", "subset-time", "votes.csv", "--k", 1, "has no effect on a problem of preferences"),
    ("solve", "copeland-bound", "taste.jsonl", "no log of duels; found cpe_opt_session"),
    ("solve", "program.lp", "--warm-start", "program.lp", "cannot tell the format of 'program.lp'"),
    ("session", "status", "votes.csv", "'votes.csv' is no session"),
    ("session", "next", "text.json", "'text.json' is no session"),
    ("session", "new", "n.jsonl", "--labels", "votes.csv", "line 1: no column 'label'"),
    ("session", "new", "n.jsonl", "--prior", "matrix.csv", "if these are probabilities"),
    ("session", "new", "n.jsonl", "--problem", "program.lp", "is no preference matrix"),
    ("session", "new", "n.jsonl", "--prior", "taste.jsonl", "found cpe_opt_session"),
    ("report", "votes.csv", "no finished runs in 'votes.csv', expected a folder of results"),
]
READ = [
    ("days.csv", "2020-01-02"),
    ("number.json", "7"),
]
ENVIRONMENTS = [
    {"COLUMNS": "-5", "LINES": "x", "SOURCE_DATE_EPOCH": "0"},
    {"COLUMNS": "99999999"},
    {"TZ": "nonsense/x", "LANG": "xx_YY", "LC_ALL": "xx_YY"},
    {"OMP_NUM_THREADS": "x", "OPENBLAS_NUM_THREADS": "-1"},
    {"TERM": "", "PATH": "", "HOME": "", "TMPDIR": "/nonexistent"},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    for name, content in FILES.items():
        (folder / name).write_text(content)
    run("session", "new", "taste.jsonl", "--labels", "a,b", cwd=folder)
    return folder


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: " ".join(map(str, row[:-1])))
def test_one_thing_for_another_is_refused_in_words(row, folder):
    *command, message = row
    before = sorted(folder.iterdir())
    done = run(*command, cwd=folder)
    assert done.exit_code in (1, 2)
    assert is_refusal(done.stderr)
    assert message in done.stderr
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(("name", "label"), READ)
def test_labels_that_look_like_something_else_are_texts(name, label, folder):
    done = run("analyse", name, "--json", cwd=folder)
    assert (done.exit_code, f'"{label}"' in done.stdout) == (0, True)


@pytest.mark.parametrize(
    "environment",
    [*ENVIRONMENTS[:1], *(pytest.param(each, marks=pytest.mark.slow) for each in ENVIRONMENTS[1:])],
    ids=str,
)
def test_an_environment_of_nonsense_changes_nothing(environment, folder):
    usual = run("evidence", "votes.csv", "--json", cwd=folder)
    done = in_a_process("evidence", "votes.csv", "--json", cwd=folder, **environment)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, usual.stdout, b"")


@pytest.mark.slow
def test_pictures_are_drawn_whatever_backend_the_environment_names(folder, tmp_path):
    arguments = ("evidence", "votes.csv", "--plot", str(tmp_path / "proved.pdf"))
    done = in_a_process(*arguments, cwd=folder, MPLBACKEND="nonsense")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "proved.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("date", ["x", ""])
def test_a_source_date_that_is_no_number_is_refused(date, folder):
    done = in_a_process("evidence", "votes.csv", cwd=folder, SOURCE_DATE_EPOCH=date)
    place = f"error: the environment variable SOURCE_DATE_EPOCH is {date!r}, expected a whole"
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(place)
    assert done.stderr.count(b"\n") == 1


@pytest.mark.slow
def test_pages_are_drawn_and_the_environment_is_left_as_it_was_given(folder, tmp_path):
    script = (
        "import os, sys\n"
        "import cpe_opt as cpe\n"
        "found = cpe.evidence(cpe.read_votes('votes.csv'), delta=0.05)\n"
        "cpe.plot_evidence(found, sys.argv[1])\n"
        "print(os.environ['MPLBACKEND'])\n"
    )
    page = tmp_path / "picture.svg"
    done = subprocess.run(
        [sys.executable, "-c", script, page],
        cwd=folder,
        env={**os.environ, "MPLBACKEND": "nonsense"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("nonsense\n", "")
    assert "<svg" in page.read_text(encoding="utf-8")
