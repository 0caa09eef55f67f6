"""The journal of a session: nothing that was acknowledged is lost, nothing damaged is read."""

import errno
import os
import resource
import subprocess
import sys
import textwrap

import pytest

from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.sessions.journal import Journal, read_journal

FIRST = {"cpe_opt_session": 1, "labels": ["ä", "\n", "b"]}
RECORDS = [FIRST, {"answer": "0-1.1", "outcome": 1.0}, {"answer": "0-1.2", "outcome": 0.5}]


@pytest.fixture
def path(tmp_path):
    journal = Journal(tmp_path / "log.jsonl")
    assert journal.records == []
    for record in RECORDS:
        journal.append(record)
    journal.close()
    return journal.path


def opened(path):
    journal = Journal(path)
    journal.close()
    return journal.records


def test_what_was_appended_is_there(path):
    assert opened(path) == read_journal(path) == RECORDS
    assert path.read_bytes().count(b"\n") == 3


def test_a_log_cut_at_any_byte_of_its_last_record_opens(path):
    whole, aside = path.read_bytes(), path.with_name("log.jsonl.torn")
    start = whole.rindex(b"\n", 0, -1) + 1
    for end in range(start, len(whole) - 1):
        path.write_bytes(whole[:end])
        assert opened(path) == read_journal(path) == RECORDS[:-1]
        assert path.read_bytes() == whole[:end]  # who writes nothing changes nothing
        journal = Journal(path)
        journal.append(RECORDS[-1])
        journal.close()
        assert path.read_bytes() == whole
        if end > start:  # what was torn is kept
            assert aside.read_bytes().splitlines()[-1] == whole[start:end]
    assert len(aside.read_bytes().splitlines()) == len(whole) - 2 - start


def test_a_last_line_that_has_lost_its_line_break_alone_counts(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert opened(path) == read_journal(path) == RECORDS
    assert path.read_bytes() == whole[:-1]
    for zeros in (b"", bytes(20)):
        path.write_bytes(whole[:-1] + zeros)
        journal = Journal(path)
        journal.append(RECORDS[1], sync=False)
        journal.commit()
        journal.append(RECORDS[2])
        journal.close()
        assert path.read_bytes().startswith(whole)
        assert opened(path) == [*RECORDS, *RECORDS[1:]]


def test_a_line_that_cannot_be_added_leaves_a_missing_line_break_missing(path, monkeypatch):
    whole = path.read_bytes()
    for content in (whole[:-1], whole[:-30]):
        path.write_bytes(content)
        journal, real = Journal(path), os.write

        def fails(handle, data, real=real):
            real(handle, bytes(data[:3]))
            raise OSError(errno.ENOSPC, "no space")

        with monkeypatch.context() as patched:
            patched.setattr(os, "write", fails)
            with pytest.raises(WriteFailed, match="nothing was added"):
                journal.append(RECORDS[1])
        journal.close()
        assert opened(path) == RECORDS[: 3 if content == whole[:-1] else 2]


def test_records_after_a_torn_line_are_brought_to_the_disk(path, monkeypatch):
    calls, real = [], os.fsync
    path.write_bytes(path.read_bytes() + b'{"answer":"' + b"x" * 500)
    journal = Journal(path)
    monkeypatch.setattr(os, "fsync", lambda handle: calls.append(handle) or real(handle))
    journal.append(RECORDS[1], sync=False)
    calls.clear()
    journal.commit()
    assert len(calls) == 1
    journal.close()


@pytest.mark.parametrize("torn", [b"1", b"{1", b'{"a\r', b'{"\x00a'])
def test_a_last_line_that_begins_no_record_is_damage(path, torn):
    content = path.read_bytes() + torn
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"log\.jsonl, line 4: damaged"):
        Journal(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("line", [1, 2, 3])
@pytest.mark.parametrize("between", [b"\r", b"\r\n", b""], ids=["cr", "crlf", "lost"])
def test_lost_and_changed_line_breaks_are_refused_and_nothing_goes(path, line, between):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(
        b"".join([*lines[: line - 1], *(each[:-1] + between for each in lines[line - 1 :])])
    )
    content = path.read_bytes()
    if line == 3 and not between:  # the last alone, which is whole
        assert opened(path) == RECORDS
        return
    said = f"line {line}: damaged" if line > 1 else "its line breaks, as they were written"
    for read in (Journal, read_journal):
        with pytest.raises(InputError, match=said):
            read(path)
    assert path.read_bytes() == content
    assert [each.name for each in path.parent.iterdir()] == ["log.jsonl"]


def test_a_log_cut_in_its_first_record_is_refused_and_left_alone(path):
    whole = path.read_bytes()
    for end in range(1, whole.index(b"\n")):
        path.write_bytes(whole[:end])
        for read in (Journal, read_journal):
            with pytest.raises(InputError, match=r"no whole first line.*nothing was changed"):
                read(path)
        assert path.read_bytes() == whole[:end]
    path.write_bytes(whole[: whole.index(b"\n")])
    assert opened(path) == RECORDS[:1]


def test_zeros_that_a_crash_left_at_the_end_are_overwritten(path):
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(500))
    assert opened(path) == RECORDS
    journal = Journal(path)
    journal.append(RECORDS[1])
    journal.close()
    assert path.read_bytes().startswith(whole + b'{"answer"')
    assert [each.name for each in path.parent.iterdir()] == ["log.jsonl"]


def test_any_changed_byte_is_refused_with_its_line(path):
    whole = path.read_bytes()
    for place in range(len(whole) - 1):
        changed = bytearray(whole)
        changed[place] ^= 1
        path.write_bytes(changed)
        line = whole[:place].count(b"\n") + 1
        if line == 1:
            with pytest.raises(InputError, match=r"is no session"):
                Journal(path)
        else:
            with pytest.raises(InputError, match=rf"log\.jsonl, line {line}: damaged"):
                Journal(path)
        assert path.read_bytes() == changed


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (lambda lines: [lines[0], lines[2]], 2),
        (lambda lines: [lines[0], lines[2], lines[1]], 2),
        (lambda lines: [lines[0], lines[1], lines[1], lines[2]], 3),
        (lambda lines: [lines[0], b"\n", lines[1]], 2),
        (lambda lines: [*lines, b"{}\n"], 4),
    ],
    ids=["lost", "moved", "doubled", "empty", "foreign"],
)
def test_lines_lost_moved_or_doubled_are_refused(path, edit, line):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(edit(lines)))
    with pytest.raises(
        InputError, match=f"line {line}: damaged.*copy that ends with line {line - 1}"
    ):
        Journal(path)
    with pytest.raises(InputError, match=f"line {line}: damaged"):
        read_journal(path)


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"text", b'{"a": 1}', b'{"a": 1}\n', b"\n"])
def test_other_files_are_left_alone(tmp_path, content):
    other = tmp_path / "other.json"
    other.write_bytes(content)
    with pytest.raises(InputError, match=r"other\.json' is no session"):
        Journal(other)
    assert other.read_bytes() == content


def test_one_process_writes_at_a_time(path):
    code = """
        import sys
        from cpe_opt.errors import InputError
        from cpe_opt.sessions.journal import Journal, read_journal
        try:
            Journal(sys.argv[1])
        except InputError as error:
            print(error)
        print(len(read_journal(sys.argv[1])))
    """
    arguments = [sys.executable, "-c", textwrap.dedent(code), str(path)]
    journal = Journal(path)
    told = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    assert "is in use: another process" in told
    assert told.splitlines()[-1] == "3"  # it can be read all the while
    journal.close()
    told = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    assert told == "3\n"


def test_the_lock_of_a_killed_process_is_no_obstacle(path):
    code = """
        import os, signal, sys
        from cpe_opt.sessions.journal import Journal
        Journal(sys.argv[1])
        os.kill(os.getpid(), signal.SIGKILL)
    """
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(path)], check=False)
    assert killed.returncode == -9
    assert opened(path) == RECORDS


def test_a_full_disk_takes_nothing_and_loses_nothing(path):
    """The system refuses to let the file grow: what fits of a line is taken back."""
    whole, journal = path.read_bytes(), Journal(path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for room in (0, 1, 20):
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + room, limits[1]))
        try:
            with pytest.raises(
                WriteFailed,
                match=r"cannot write to .*log\.jsonl.*: File too large; nothing was added",
            ):
                journal.append({"answer": "0-1.3", "outcome": 1.0})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert path.read_bytes() == whole
    journal.append({"answer": "0-1.3", "outcome": 0.0})  # there is room again
    journal.close()
    assert opened(path)[-1] == {"answer": "0-1.3", "outcome": 0.0}


@pytest.mark.parametrize("call", ["write", "fsync"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no space"), KeyboardInterrupt()])
def test_a_line_that_was_interrupted_is_taken_back(path, monkeypatch, call, error):
    whole, journal, real = path.read_bytes(), Journal(path), getattr(os, call)

    def fails(handle, *data):
        if data:
            real(handle, bytes(data[0])[:7])
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(os, call, fails)
        if call == "fsync":
            # What cannot be brought to the disk cannot be taken back for certain either.
            with pytest.raises((WriteFailed, KeyboardInterrupt)):
                journal.append(RECORDS[1])
        else:
            with pytest.raises(WriteFailed if isinstance(error, OSError) else KeyboardInterrupt):
                journal.append(RECORDS[1])
    assert path.read_bytes() == whole
    if call == "fsync" and isinstance(error, OSError):
        with pytest.raises(WriteFailed, match="No space left on device; open it again"):
            journal.append(RECORDS[1])
    journal.close()
    assert opened(path) == RECORDS


def test_a_file_that_was_moved_away_is_written_to_no_more(path):
    journal = Journal(path)
    path.rename(path.with_name("elsewhere.jsonl"))
    with pytest.raises(WriteFailed, match="moved or deleted while it was open"):
        journal.append(RECORDS[1])
    path.with_name("elsewhere.jsonl").rename(path)
    with pytest.raises(WriteFailed, match="moved or deleted"):
        journal.append(RECORDS[1])
    journal.close()
    assert opened(path) == RECORDS


def test_a_closed_journal_says_so(path):
    journal = Journal(path)
    journal.close()
    journal.close()
    with pytest.raises(WriteFailed, match="it was closed"):
        journal.append(RECORDS[1])


def test_paths_that_are_no_files(tmp_path):
    with pytest.raises(WriteFailed, match="cannot write to"):
        Journal(tmp_path)
    with pytest.raises(WriteFailed, match="No such file or directory"):
        Journal(tmp_path / "missing" / "log.jsonl")
    with pytest.raises(InputError, match="no ordinary file"):
        Journal("/dev/null")
    with pytest.raises(InputError, match="cannot read"):
        read_journal(tmp_path / "missing.jsonl")


def test_a_file_that_may_not_be_written(path, monkeypatch):
    def refuses(*_):
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(os, "open", refuses)
    with pytest.raises(WriteFailed, match="Permission denied"):
        Journal(path)
    assert read_journal(path) == RECORDS


def test_records_that_wait_are_brought_to_the_disk_at_once(path, monkeypatch):
    calls, real = [], os.fsync

    def counted(handle):
        calls.append(handle)
        real(handle)

    monkeypatch.setattr(os, "fsync", counted)
    journal = Journal(path)
    for number in range(5):
        journal.append({"answer": f"0-1.{number + 3}", "outcome": 1.0}, sync=False)
    assert calls == []
    journal.commit()
    journal.commit()
    assert len(calls) == 1
    journal.append(RECORDS[1], sync=False)
    journal.close()
    assert len(calls) == 2
    assert len(opened(path)) == 9


def test_records_that_cannot_be_brought_to_the_disk_are_taken_back(path, monkeypatch):
    whole, journal = path.read_bytes(), Journal(path)
    journal.append(RECORDS[1], sync=False)
    journal.append(RECORDS[2], sync=False)

    def fails(handle):
        raise OSError(errno.EIO, "")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fails)
        with pytest.raises(WriteFailed, match="Input/output error; open it again"):
            journal.commit()
    for write in (journal.commit, lambda: journal.append(RECORDS[1])):
        with pytest.raises(WriteFailed, match="open it again"):
            write()
    assert path.read_bytes() == whole
    journal.close()
    assert opened(path) == RECORDS
