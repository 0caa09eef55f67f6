"""The line that says how far something is: what it says, to whom, and when to nobody."""

import contextlib
import io
import multiprocessing
import sys
import threading

import pytest

import cpe_opt as cpe
from cpe_opt import progress_line as module
from cpe_opt.experiments.engine import run_many
from cpe_opt.progress_line import own_steps, progress_line, step
from tests.support import waited_for

VOTES = cpe.Votes([[0, 35, 30, 70], [20, 0, 60, 65], [28, 20, 0, 62], [10, 15, 18, 0]])


class Terminal(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self):
        return True


def terminal_of(monkeypatch):
    """A terminal at which a line is shown at once."""
    monkeypatch.setattr(module, "_UNNOTICED", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    return sys.stderr


def shown(stream, text):
    """Wait until a terminal shows a text."""
    waited_for(lambda: text in stream.getvalue())


def test_a_line_names_the_step_at_a_terminal_and_is_gone_when_it_ends(monkeypatch):
    terminal = terminal_of(monkeypatch)
    with progress_line("counting"):
        shown(terminal, "counting")
        step("pears", 12_000)
        shown(terminal, "counting: 12,000 pears")
    assert terminal.getvalue().endswith("\x1b[2K")  # the line is erased


@contextlib.contextmanager
def at_once(*arguments):
    """A line that is written when it is made, and not by a thread."""
    sys.stderr.write("a line")
    yield lambda text: None


def write_in_a_child(queue):
    with progress_line("counting"):
        pass
    queue.put(sys.stderr.getvalue())


def test_nothing_is_written_where_nobody_watches(monkeypatch):
    terminal = terminal_of(monkeypatch)
    monkeypatch.setattr(module, "_turning_line", at_once)
    with progress_line("counting"):
        assert terminal.getvalue() == "a line"
    terminal.truncate(terminal.seek(0))

    def count():
        with progress_line("counting"):
            pass

    thread = threading.Thread(target=count)
    thread.start()
    thread.join()
    with progress_line("counting", False), progress_line("of the inner one"):
        pass
    assert terminal.getvalue() == ""
    queue = multiprocessing.get_context("fork").Queue()
    child = multiprocessing.get_context("fork").Process(target=write_in_a_child, args=(queue,))
    child.start()
    assert queue.get() == ""
    child.join()
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_line("counting"):
        pass
    assert sys.stderr.getvalue() == ""


def test_a_log_file_has_whole_lines_where_they_are_asked_for(monkeypatch):
    monkeypatch.setattr(module, "_UNNOTICED", 0.0)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_line("counting", True):
        step("pears")
    assert sys.stderr.getvalue() == "counting\npears\n"


def test_steps_of_runs_are_their_number_and_not_those_within_them():
    told, counted = [], []
    mu = cpe.load_instance("sushi")
    with progress_line("all", told.append):
        run_many("rucb", mu, horizon=10, runs=2, jobs=1)
    run_many("rucb", mu, horizon=10, runs=2, jobs=1, progress=lambda *steps: counted.append(steps))
    assert told[0] == "0 of 2 runs"
    assert all(each.endswith(" of 2 runs") for each in told)
    assert counted[-1] == (2, 2)
    with own_steps() as tell:
        assert tell is None  # nobody listens: no work is done for it


def test_evidence_tells_its_steps_in_their_order(tmp_path):
    told = []
    cpe.evidence(VOTES, progress=told.append)
    words = [
        "who beats whom",
        "Copeland winners",
        "Borda scores and ranks",
        "the duels that remain",
    ]
    assert [each for each in told if each in words] == words
    assert any(each.endswith("cuts") for each in told)
    told.clear()
    cpe.evidence_by({"en": VOTES, "de": VOTES}, by="language", progress=told.append)
    boards = ["language en, 1 of 2", "language de, 2 of 2"]
    assert [each for each in told if each.startswith("language")] == boards
    path = cpe.write_votes(VOTES, tmp_path / "votes.csv")
    told.clear()
    cpe.read_votes(path, progress=told.append)
    cpe.read_observations(path, progress=told.append)
    lines = len(path.read_text().splitlines()) - 1
    assert told == [f"{lines} rows read"] * 2


def test_times_runs_and_sessions_tell_theirs(tmp_path):
    told = []
    mu = cpe.load_instance("sushi")
    cpe.copeland_time(mu, progress=told.append)
    assert told[0] == "0 cuts"
    told.clear()
    cpe.simulate("rucb", mu, horizon=100, progress=told.append)
    assert told[0] == "1 samples"
    told.clear()
    session = cpe.Session.open(
        tmp_path / "a.jsonl", "copeland-tracking", labels=["a", "b"], delta=0.1
    )
    with session:
        for question in session.ask(3):
            session.tell(question.id, "first")
    with cpe.Session.open(tmp_path / "a.jsonl") as session:
        session.ask(progress=told.append)
    assert told[0].endswith(" answers")
    told.clear()
    cpe.best_of(["a", "b"], lambda _: "first", budget=2, progress=told.append)
    assert told == ["1 calls", "2 calls"]
    assert len(run_many("rucb", mu, horizon=10, runs=2, jobs=1, progress=False)) == 2


def test_other_values_are_refused():
    with pytest.raises(cpe.InputError, match=r"progress is 'yes', expected True or False or a fun"):
        cpe.evidence(VOTES, progress="yes")
