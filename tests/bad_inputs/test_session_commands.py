"""What the commands of sessions refuse: in words, and nothing is written."""

import pytest

from tests.commands.test_cli import run

NEW = ("new", "n.jsonl", "--labels", "a,b")
ROWS = [
    (("new", "s.jsonl", "--labels", "a,b"), "'s.jsonl' exists: `cpe-opt session run s.jsonl`"),
    (("new", "folder", "--labels", "a,b"), "'folder' exists"),
    (("new", "none/n.jsonl", "--labels", "a,b"), "cannot write to 'none/n.jsonl': No such file"),
    ((*NEW, "-p", "parallel=1000000000"), "parallel is 1,000,000,000, expected at most 10,000"),
    (("new", "n.jsonl"), "what is compared? Give --labels, --problem, or --prior"),
    (("new", "n.jsonl", "--labels", "a"), "--labels is 'a', expected at least two: a,b,c, or"),
    (("new", "n.jsonl", "--labels", "a,a"), "'a'"),
    (("new", "n.jsonl", "--labels", "twice.txt"), "twice.txt, line 2: 'a' stands there twice"),
    ((*NEW, "--problem", "gap"), "labels and problem are both given"),
    ((*NEW, "--k", "2"), "--k has no effect without --problem"),
    (("new", "n.jsonl", "--problem", "figure1"), "which learner? For a problem of matchings: car"),
    (("new", "n.jsonl", "rucbb", "--labels", "a,b"), "unknown learner 'rucbb'; did you mean"),
    (("new", "n.jsonl", "car-cond", "--labels", "a,b"), "car-cond is for problems of the family"),
    ((*NEW, "-p", "delta=2"), "delta is 2"),
    ((*NEW, "-p", "detla=0.1"), "unknown parameter"),
    ((*NEW, "--prices", "-1"), "price"),
    ((*NEW, "--prior", "others.csv"), "prior: votes on 'x', which is none of a, b"),
    ((*NEW, "--seed", "-1"), "seed is -1"),
    ((*NEW, "--items", "0"), "items is 0, expected a whole number, at least 1"),
    ((*NEW, "--items", "3", "--orders", "two"), "unknown value of orders 'two'; known: both,"),
    ((*NEW, "--orders", "both"), "orders is 'both', and has no effect without items"),
    ((*NEW, "--items", "3", "--prior", "others.csv"), "earlier observations are of no cells"),
    (("new", "n.jsonl", "rucb", "--labels", "a,b", "--items", "3"), "rucb has no parameter"),
    (("answer", "s.jsonl", "0-1.1", "leave-out"), "only cells of a test set can be left out"),
    (("export", "s.jsonl", "o.csv", "--items"), "asks about no items"),
    (("export", "s.jsonl", "o.csv", "--items", "--scores"), "--scores and --items are both given"),
    ((*NEW, "--horizon", "soon"), "horizon is 'soon', expected a whole number"),
    (("next", "none.jsonl"), "no file 'none.jsonl'; `cpe-opt session new` begins a session"),
    (("next", "others.csv"), "'others.csv' is no session"),
    (("next", "folder"), "'folder' is a folder, expected a file"),
    (("next", "s.jsonl", "-n", "0"), "n is 0, expected a whole number, at least 1"),
    (("next", "s.jsonl", "--lease", "5"), "--lease has no effect without --rater"),
    (("next", "s.jsonl", "--rater", " "), "a rater needs a name of at most 60 letters"),
    (("next", "s.jsonl", "--problem", "figure1"), "is for problems of the family 'dueling'"),
    (("next", "s.jsonl", "--problem", "gap"), "the session asks about a, b"),
    (("answer", "s.jsonl", "0-1.1", "third"), "'third' is no outcome, expected first ("),
    (("answer", "s.jsonl", "0-1.9", "first"), "'0-1.9' is no open question; those that are: '0"),
    (("answer", "s.jsonl", "0-1.1"), "Missing argument 'outcome'."),
    (("withdraw", "s.jsonl", "0-1.1"), "question '0-1.1' has no answer that could be taken back"),
    (("status", "torn.jsonl"), "torn.jsonl, line 2: damaged"),
    (("export", "s.jsonl", "a.txt"), "cannot tell the format of 'a.txt'"),
    (("export", "s.jsonl", "others.csv"), "'others.csv' exists; --force overwrites it"),
    (("export", "s.jsonl", "v.csv", "--votes", "arenas"), "unknown form of votes 'arenas'"),
    (("run", "s.jsonl", "--parallel", "2"), "--parallel has no effect without --command"),
    (("run", "s.jsonl", "--timeout", "2"), "--timeout has no effect without --command"),
    (("run", "s.jsonl", "--retries", "2"), "--retries has no effect without --command"),
    (("run", "s.jsonl", "--budget", "-1"), "budget is -1.0, expected a number, at least 0"),
    (("run", "s.jsonl", "--content", "items.csv"), "items.csv: no row for 'b', which is asked"),
    (("run", "s.jsonl", "--content", "others.csv"), "others.csv, line 1: no column 'label'"),
    (("run", "s.jsonl", "--command", ""), "the command is '', expected a program"),
    (("run", "s.jsonl", "--command", "a 'b"), "cannot be read: No closing quotation"),
    (("run", "s.jsonl", "--command", "/no/judge"), "cannot start '/no/judge': No such file"),
    (("run", "s.jsonl", "--command", "x", "--parallel", "0"), "parallel is 0, expected a whole"),
    (("ask", "s.jsonl"), "No such command 'ask'."),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sessions")
    (folder / "folder").mkdir()
    (folder / "twice.txt").write_text("a\na\n")
    (folder / "others.csv").write_text("winner,loser\nx,a\n")
    (folder / "items.csv").write_text("label,text\na,x\n")
    assert run("session", "new", "s.jsonl", "--labels", "a,b", cwd=folder).exit_code == 0
    (folder / "torn.jsonl").write_bytes((folder / "s.jsonl").read_bytes() + b'{"answer":1}\n')
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(("arguments", "message"), ROWS, ids=[" ".join(row[0]) for row in ROWS])
def test_bad_commands_are_refused_in_words(arguments, message, folder):
    before = contents(folder)
    done = run("session", *arguments, cwd=folder)
    assert done.exit_code in (1, 2)
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert contents(folder) == before


def test_a_session_that_another_process_has_open_is_refused(folder):
    import cpe_opt as cpe

    with cpe.Session.open(folder / "s.jsonl"):
        done = run("session", "next", "s.jsonl", cwd=folder)
        assert run("session", "status", "s.jsonl", cwd=folder).exit_code == 0
    assert done.exit_code == 2
    assert "'s.jsonl' is in use" in done.stderr
