"""Kills, forks, interrupts and full disks, at any moment: no answer is lost, and none doubled.

Afterwards a session asks on as if nothing had happened: what is open is what it is in a session
that was given the same answers in peace.
"""

import errno
import json
import os
import random
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

import cpe_opt as cpe
from cpe_opt.errors import FileInUse, InputError, WriteFailed
from tests.sessions.support import (
    KINDS,
    LONG,
    answer_some,
    answered_in,
    begin,
    check_log,
    lengthen,
    log_of,
    read,
    records_due,
    records_of,
    room_for,
    said,
    something_to_do,
)

pytestmark = pytest.mark.usefixtures("long_soon")
PACKAGE = str(Path(cpe.__file__).parent / "sessions")


def in_child(act):
    """Fork, and have the child do something; what it says, and how it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        said = b"raised"
        try:
            said = str(act(writing)).encode()
        finally:
            os.write(writing, said)
            os._exit(0)
    os.close(writing)
    status = os.waitpid(child, 0)[1]
    said = os.read(reading, 100).decode()
    os.close(reading)
    return said, status


# Kills and interrupts at any line


def lines_of(act, line=0, end=None):
    """The lines of the sessions' code that a call takes; 0 if it is interrupted before one."""
    lines = 0

    def trace(frame, event, _):
        nonlocal lines
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        lines += event == "line"
        if lines == line and event == "line":
            if end is not None:
                os.kill(os.getpid(), end)
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except KeyboardInterrupt:
        return 0
    finally:
        sys.settrace(before)
    return lines


def interrupted(session, kind, record, line):
    """By Ctrl-C, and now and then once more while the log is read again; then it is done anew."""
    act, about = something_to_do(session, record)
    if lines_of(act, line):
        return session, about, True, True
    with suppress(InputError):  # it was done, and says so
        if line % 3 or lines_of(act, 1 + line // 2) == 0:
            act()
    return session, about, False, True


def killed(session, kind, record, line):
    """The process is, while it does something or closes the session, which is a long one."""
    lengthen(session, max(0, LONG - len(records_of(session.path))))
    session.close()

    def at_work(writing):
        mine = begin(session.path, kind)
        act, about = something_to_do(mine, record)
        os.write(writing, json.dumps(about).encode())
        lines_of(lambda: (act(), os.write(writing, b"\n"), mine.close()), line, signal.SIGKILL)
        os._exit(0)

    said, status = in_child(at_work)
    return begin(session.path, kind), json.loads(said), status == 0, said.endswith("\n")


def stands(session):
    """All that is said of a session, without what this process alone knows."""
    return replace(session.status(), leased=0), session.answers().to_dict("records")


@pytest.mark.parametrize(
    ("kind", "accident", "every"),
    [("borda", interrupted, 83), ("items", interrupted, 97), ("plain", killed, 151)]
    + [pytest.param(kind, interrupted, 9, marks=pytest.mark.slow) for kind in KINDS]
    + [pytest.param(kind, killed, 83, marks=pytest.mark.slow) for kind in KINDS],
)
def test_an_interrupt_at_any_line_parts_nothing(path, kind, accident, every):
    """What is acknowledged is there, and what is there is there once and whole."""
    rng, accidents = random.Random(1), 0
    session = answer_some(begin(path, kind), 9)
    for record in records_due(kind):
        line, through = rng.randrange(1, every + 1), False
        while not through:
            session, about, through, done = accident(session, kind, record, line)
            given = [each[record] for each in records_of(path) if record in each]
            times = (answered_in(path) if record == "answer" else given).count(about)
            assert times >= done or record == "ask"
            assert times <= 1 or record in ("skip", "parallel")
            assert stands(session) == stands(read(path, kind)), (record, line)
            accidents += not through
            line += every
    session.close()
    check_log(path, kind)
    assert accidents > 5


# Processes that are forked while a session is open


def misused(session):
    """How much of what it does with the session a process that was forked is not refused."""
    done = 0
    for act in (
        session.ask,
        lambda: session.tell("0-1.1", 1, sync=False),
        lambda: session.withdraw("0-1.1"),
        session.commit,
        session.status,
    ):
        with suppress(FileInUse):
            act()
            done += 1
    session.close()
    return done


@contextmanager
def forked(path):
    """The child uses the session, and the parent goes on."""
    with begin(path, "plain") as session:
        assert in_child(lambda _: misused(session))[0] == "0"
        yield session


@contextmanager
def inherited_by_a_program(path):
    """A program that has inherited the file keeps nobody from opening it."""
    session = begin(path, "plain")
    handles = [each for each in range(3, 99) if is_open(each, path)]
    program = [sys.executable, "-c", "input()"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, pass_fds=handles) as process:
        session.close()
        with begin(path, "plain") as again:
            yield again
        process.communicate(b"\n")
    assert handles


def is_open(handle, path):
    with suppress(OSError):
        return os.path.samestat(os.fstat(handle), path.stat())
    return False


@contextmanager
def outlived_by_a_child(path):
    """The process with the session is killed; its child lives on."""

    def killed_at_once(writing):
        session = begin(path, "plain")
        if os.fork():
            os.kill(os.getpid(), signal.SIGKILL)
        os.write(writing, f"{misused(session)} {os.getpid()}".encode())
        signal.pause()

    done, child = in_child(killed_at_once)[0].split()
    try:
        with begin(path, "plain") as again:  # nobody has it open
            yield again
    finally:
        os.kill(int(child), signal.SIGKILL)
    assert done == "0"


@pytest.mark.parametrize("way", [forked, inherited_by_a_program, outlived_by_a_child])
def test_a_process_that_is_forked_can_neither_write_nor_keep_the_file(path, way):
    answer_some(begin(path, "plain"), 1).close()
    given = answered_in(path)
    with way(path) as session:
        answer_some(session, 1)
    assert answered_in(path)[:-1] == given
    check_log(path, "plain")


def test_one_process_has_it_open_and_others_may_read(path):
    with answer_some(begin(path, "plain"), 1) as session:
        with pytest.raises(FileInUse, match="in use: another process"):
            begin(path, "plain")
        assert in_child(lambda _: begin(path, "plain"))[0] == "raised"
        view = cpe.Session.read(path)
        answer_some(session, 1)
        assert view.status().answers == 1  # as it was when it was read
        assert in_child(lambda _: cpe.Session.read(path).status().answers)[0] == "2"


# Disks


@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize("kind", ["parallel", "items", "teams"])
def test_what_cannot_be_written_takes_nothing_and_loses_nothing(path, monkeypatch, kind, sync):
    """What fits of a line is taken back; where nobody knows, the session is to be opened again."""

    def tell(session):
        for question in session.ask(2):
            session.tell(question.id, said(question), sync=sync)
        session.commit()

    def fails(handle):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with answer_some(begin(path, kind), 3) as session:
        whole, before = path.read_bytes(), session.status()
        for room in (0, 1, 20):
            refused = pytest.raises(WriteFailed, match="File too large; nothing was added")
            with room_for(len(whole) + room), refused:
                tell(session)
            assert path.read_bytes() == whole
            assert replace(session.status(), leased=0) == replace(before, leased=0)
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", fails)
            with pytest.raises(WriteFailed, match="Input/output error"):
                tell(session)
        for act in (lambda: tell(session), session.commit) if not sync else ():
            with pytest.raises(WriteFailed, match="Input/output error; open it again"):
                act()
        assert path.read_bytes() == whole
    with begin(path, kind) as session:
        tell(session)
        assert path.read_bytes().startswith(whole)
        assert session.status().answers > before.answers
    check_log(path, kind)


def test_an_answer_is_on_the_disk_before_tell_or_commit_returns(path, monkeypatch):
    on_disk = []
    with begin(path, "parallel") as session:
        monkeypatch.setattr(os, "fsync", lambda handle: on_disk.append(path.read_bytes()))
        one, *others = session.ask(5)
        session.tell(one.id, 1)
        assert on_disk == [path.read_bytes()]
        for question in others[:3]:
            session.tell(question.id, 1, sync=False)
        assert len(on_disk) == 1
        session.commit()
        assert on_disk[1:] == [path.read_bytes()]
        session.tell(others[3].id, 1, sync=False)
    assert on_disk[2:] == [path.read_bytes()]  # by closing it


def test_an_answer_that_waits_for_a_disk_that_failed_is_never_called_safe(path, monkeypatch):
    """A disk says once that it failed: whoever asks it again hears that all is well."""
    disk = iter([OSError(errno.EIO, os.strerror(errno.EIO))])

    def fsync(handle):
        for error in disk:
            raise error

    with begin(path, "parallel") as session:
        whole, [one, other] = path.read_bytes(), session.ask(2)
        session.tell(one.id, 1, sync=False)
        monkeypatch.setattr(os, "fsync", fsync)
        for act in (lambda: session.tell(other.id, 1), session.commit):
            with pytest.raises(WriteFailed, match="Input/output error"):
                act()
        assert path.read_bytes() == whole


def test_a_file_that_was_moved_is_written_to_no_more(path):
    with answer_some(begin(path, "plain"), 2) as session:
        whole, [question] = path.read_bytes(), session.ask()
        elsewhere = path.rename(path.with_name("elsewhere"))
        for back in (False, True):
            if back:
                elsewhere.rename(path)
            with pytest.raises(WriteFailed, match="moved or deleted"):
                session.tell(question.id, 1)
    assert path.read_bytes() == whole


def test_an_answer_that_is_there_twice_counts_once(path):
    """As logs of interrupted calls may have it: the first counts."""
    with begin(path, "plain") as session:
        session.tell("0-1.1", 1)
    records = records_of(path)
    withdrawn = {"withdraw": "0-2.1", "at": 0.0, "until": 1.0}
    twice = [{**records[-1], "outcome": 0.5, "rater": rater} for rater in (None, "ann")]
    path.write_bytes(log_of([*records, twice[0], withdrawn, twice[1]]))
    with begin(path, "plain") as session:
        assert session.answer_of("0-1.1").outcome == 1.0
        assert (session.state.answered["ann"], session.state.skipped["ann"]) == (0, 0)
        session.withdraw("0-1.1")
        session.tell("0-1.1", 0)
    assert cpe.Session.read(path).answer_of("0-1.1").outcome == 0.0
