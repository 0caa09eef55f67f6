"""An append-only journal: one JSON object a line, each vouched for by those before it.

A line ends with a checksum, ``"check"``: the CRC-32 of the line's other bytes, begun from the
checksum of the line before. So a line that was changed, lost, doubled or put elsewhere is found
out. A record is *in the journal* once its line is on the disk. A last line without its line break
counts if it is whole; if it is *torn*, the beginning of a record without its checksum, it goes to
the end of ``<name>.torn`` once there is a record to write. Anything else is damage: the file is
refused, and stays as it is.

Any call may be interrupted between any two steps, by Ctrl-C or a signal handler. Then who called
:meth:`Journal.append` calls :meth:`Journal.read` before the next record: the file has the record or
not, and tells after which line to write. One process writes at a time; one that is forked from it
closes the file and is refused.
"""

from __future__ import annotations

import json
import os
import re
import stat
import threading
import weakref
import zlib
from contextlib import AbstractContextManager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from cpe_opt.errors import FileInUse, InputError, WriteFailed
from cpe_opt.files import os_reason

_CHECK = b',"check":"%08x"}'
_TAIL = len(_CHECK % 0)
_END = re.compile(rb',"check":"[0-9a-f]{8}"\}')
Record = dict[str, Any]
_OPEN: weakref.WeakSet[Journal] = weakref.WeakSet()
_OPENING = threading.RLock()
"""Held while a file is opened and noted: no process is forked meanwhile."""


def _in_child() -> None:
    _OPENING.release()
    for each in list(_OPEN):
        each.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_OPENING.acquire, after_in_parent=_OPENING.release, after_in_child=_in_child
    )


class ProcessLock:
    """A lock among the threads of this process.

    A process that is forked meanwhile is refused where this is of a file that is open for writing;
    else it has a lock of its own, which no thread of the first process holds.
    """

    def __init__(self, written: Path | None) -> None:
        self._written, self._lock, self._process = written, threading.RLock(), os.getpid()

    def get(self) -> AbstractContextManager[Any]:
        """The lock, of which no interrupt can part that it is taken and that it is let go."""
        if self._process != os.getpid():
            if self._written is not None:
                raise FileInUse(
                    f"{str(self._written)!r} is in use: the process that this one was forked from "
                    "has the session open, and one at a time may write; tell it the answers, or "
                    "close the session there and open it here"
                )
            self._lock, self._process = threading.RLock(), os.getpid()
        return self._lock


class Journal:
    """A journal that is open for writing; ``records`` are those from before it was opened."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._broken = ""  # why nothing can be written any more
        self._writing, self._syncing = ProcessLock(self.path), ProcessLock(self.path)
        try:
            with _OPENING:
                self._handle, made = _opened(self.path)
                self._let_go = weakref.finalize(self, _closed, self._handle)
                self._let_go.atexit = False  # the system does it
                _OPEN.add(self)
            if not stat.S_ISREG(os.fstat(self._handle).st_mode):
                raise InputError(f"{str(path)!r} is no ordinary file, expected one to write to")
            self._lock()
            self._synced = 0  # bytes that are on the disk for certain
            self.records = self.read()
            self._synced = self._length
            if made:
                _sync_folder(self.path.parent)
        except BaseException as error:
            if hasattr(self, "_let_go"):
                self._let_go()
            if isinstance(error, OSError):
                raise self._failed(error) from error
            raise

    def read(self) -> list[Record]:
        """All records of the file; the next one is written after these."""
        with self._writing.get():
            content = _content(self._handle)
            records, sound, self._check = _parsed(content, self.path)
            self._length, self._torn = len(content), content[sound:]
            self._owed = b"\n" if records and content[sound - 1 : sound] != b"\n" else b""
            self._synced = min(self._synced, self._length)
            return records

    def append(self, record: Record, *, sync: bool = True) -> None:
        """Add a record; it is on the disk when this returns, unless ``sync`` is false."""
        with self._writing.get():
            self._refuse_broken()
            line, check = _line(record, self._check)
            try:
                self._refuse_moved()
                self._put_torn_aside()
                line = self._owed + line
                _write(self._handle, line)
                if sync:
                    self._bring_to_disk()
            except BaseException as error:
                self._cut_back()
                if isinstance(error, OSError):
                    raise self._failed(error, "; nothing was added") from error
                raise
            self._length += len(line)
            self._owed, self._check = b"", check
            if sync:
                self._synced = self._length

    def whole(self) -> bytes:
        """The bytes of the file that are whole records."""
        return _content(self._handle)[: self._length - len(self._torn)]

    def commit(self) -> None:
        """Bring all records to the disk that were added without waiting; threads may share this."""
        with self._syncing.get():
            self._refuse_broken()  # also where the records of who waits here were taken back
            until = self._length
            if until <= self._synced:
                return
            try:
                self._bring_to_disk()
            except OSError:
                self._refuse_broken()
            self._synced = max(until, self._synced)

    def _bring_to_disk(self) -> None:
        """Where that fails, all that waited for it is taken back: it is not tried a second time."""
        try:
            os.fsync(self._handle)
        except OSError as error:
            with self._writing.get():
                if self._synced < self._length:
                    self._broken = f"{os_reason(error)}; open it again"
                    self._length = self._synced
                    self._cut_back()
            raise

    def close(self) -> None:
        """Close the file, and let go of it."""
        if self._let_go.alive:
            with suppress(WriteFailed):
                self.commit()
            self._broken = "it was closed"
            self._handle = -1
            self._let_go()

    @property
    def closed(self) -> bool:
        """Whether this process has let go of the file; one that is forked has from the first."""
        return not self._let_go.alive

    def forked(self) -> None:
        """Close the file, which another process has locked."""
        if self._let_go.detach() is not None:
            os.close(self._handle)
            self._handle = -1

    def _lock(self) -> None:
        try:
            _lock(self._handle)
        except OSError:
            raise FileInUse(
                f"{str(self.path)!r} is in use: another process, or this one, has the session "
                "open, and one at a time may write; its status can be read all the while"
            ) from None

    def _failed(self, error: OSError, rest: str = "") -> WriteFailed:
        return WriteFailed(f"cannot write to {str(self.path)!r}: {os_reason(error)}{rest}")

    def _refuse_broken(self) -> None:
        if self._broken:
            raise WriteFailed(f"cannot write to {str(self.path)!r}: {self._broken}")

    def _refuse_moved(self) -> None:
        """Raise :class:`WriteFailed` unless the open file is still the one of this name."""
        here, there = os.fstat(self._handle), None
        with suppress(FileNotFoundError):
            there = self.path.stat()
        if there is None or not os.path.samestat(here, there):
            self._broken = "the file was moved or deleted while it was open"
            self._refuse_broken()

    def _put_torn_aside(self) -> None:
        """Move a torn last line, of which nothing counts, to the end of a file of its own."""
        if not self._torn:
            return
        if kept := self._torn.rstrip(b"\0"):
            with Path(f"{self.path}.torn").open("ab") as aside:
                aside.write(kept + b"\n")
                aside.flush()
                os.fsync(aside.fileno())
        sound = self._length - len(self._torn)
        os.ftruncate(self._handle, sound)
        self._length, self._synced, self._torn = sound, sound, b""

    def _cut_back(self) -> None:
        """Take back a line that may have been written in part."""
        try:
            if os.fstat(self._handle).st_size > self._length:
                os.ftruncate(self._handle, self._length)
                os.fsync(self._handle)
        except OSError as error:
            self._broken = f"{os_reason(error)}; open it again"


def read_journal(path: str | os.PathLike[str]) -> list[Record]:
    """The records of a journal, one at least, which another process may be writing meanwhile."""
    path = Path(path)
    try:
        records, _, _ = _parsed(path.read_bytes(), path)
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {os_reason(error)}") from None
    if not records:
        raise InputError(f"{str(path)!r} is empty, no session was begun in it")
    return records


def _line(record: Record, before: int) -> tuple[bytes, int]:
    """The line of a record, and its checksum."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    body = text.encode("utf-8", "surrogatepass")[:-1]
    check = zlib.crc32(body, before)
    return body + _CHECK % check + b"\n", check


def _parsed(content: bytes, path: Path) -> tuple[list[Record], int, int]:
    """The records of a file, how many bytes these are, and the last checksum."""
    *lines, last = content.split(b"\n")
    records: list[Record] = []
    check = 0
    for line in lines:
        record, check = _record(line, check)
        if record is None:
            raise _damage(path, len(records) + 1)
        records.append(record)
    last = last.rstrip(b"\0")  # which a crash of the system may leave
    length = content.rfind(b"\n") + 1
    record, after = _record(last, check)
    if record is not None:
        return [*records, record], length + len(last), after
    if (last and not _is_torn(last)) or (content and not records):
        raise _damage(path, len(records) + 1)
    return records, length, check


def _record(line: bytes, before: int) -> tuple[Record | None, int]:
    """The record of a line, None where it is not what was written after a checksum; its own."""
    body = line[:-_TAIL]
    check = zlib.crc32(body, before)
    if line[-_TAIL:] == _CHECK % check:
        with suppress(ValueError, RecursionError):
            record = json.loads(body + b"}")
            if isinstance(record, dict):
                return record, check
    return None, before


def _is_torn(line: bytes) -> bool:
    """Whether this may be the beginning of a record: no control character, no checksum."""
    return line[:2] == b'{"'[: len(line)] and min(line) >= 32 and not _END.search(line)


def _damage(path: Path, number: int) -> InputError:
    """What is wrong with a file whose line of this number is the first that is not sound."""
    if number > 1:
        return InputError(
            f"{path.name}, line {number}: damaged, it is not what was written there; nothing was "
            f"changed. Lines before it are sound: a copy that ends with line {number - 1} can be "
            "opened"
        )
    return InputError(
        f"{str(path)!r} is no session: expected a file that `cpe-opt session new` or Session.open "
        "began, with its first line and its line breaks as they were written (a session that was "
        "interrupted before its first line was whole has no answers: begin it anew)"
    )


def _opened(path: Path) -> tuple[int, bool]:
    """A handle for reading and appending, and whether this call has made the file."""
    flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666), True
    except FileExistsError:
        return os.open(path, flags), False


def _content(handle: int) -> bytes:
    """All that the file holds."""
    os.lseek(handle, 0, os.SEEK_SET)
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _lock(handle: int) -> None:
    """Lock a file until the handle is closed; :class:`OSError` where another handle has the lock.

    Windows locks bytes of files: there the byte is one that is never written.
    """
    try:
        import fcntl
    except ImportError:
        windows = import_module("msvcrt")
        os.lseek(handle, 1 << 40, os.SEEK_SET)
        windows.locking(handle, windows.LK_NBLCK, 1)
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _unlock(handle: int) -> None:
    """Let go of a lock, also where a process that was forked has the same handle."""
    with suppress(ImportError):
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_UN)


def _closed(handle: int) -> None:
    """Unlock and close a file, which a process that was just forked may have open, too."""
    with suppress(OSError):
        _unlock(handle)
    os.close(handle)


def _write(handle: int, data: bytes) -> None:
    """Write all of it, or raise :class:`OSError`."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _sync_folder(folder: Path) -> None:
    """Bring the name of a new file to the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
