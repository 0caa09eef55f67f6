"""An append-only journal: one JSON object a line, each vouched for by those before it.

A line ends with a checksum, ``"check"``: the CRC-32 of the line's other bytes, begun from the
checksum of the line before. So a line that was changed, lost, doubled or put elsewhere is found
out, and told by its number. (It is a guard against accidents, not against forgery.)

A record is *in the journal* once its line, with the line break, is on the disk:
:meth:`Journal.append` returns then, not before; or, where it is told not to wait,
:meth:`Journal.commit` does, which brings many to the disk at once. What a killed process leaves
behind is a last line without its line break; no such line was ever in the journal, and it is
dropped. Where a line cannot be written whole, the file is cut back to what it was.

One process writes at a time: the file is locked by the system, which lets go when the process
ends, however it ends.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.files import os_reason

_BEGIN = b'{"cpe_opt_session":'
_CHECK = b',"check":"'
_TAIL = len(_CHECK) + 8 + len(b'"}\n')
Record = dict[str, Any]


class Journal:
    """A journal that is open for writing.

    Attributes
    ----------
    path : Path
    records : list of dict
        Those that were there when it was opened; empty for a new file. The first begins with the
        key ``cpe_opt_session``.

    Raises
    ------
    InputError
        Where another process has it open, where the file is none of this kind, or is damaged: with
        the line.
    WriteFailed
        Where it cannot be written to.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._broken = ""
        self._writing, self._syncing = threading.Lock(), threading.Lock()
        try:
            new = not self.path.exists()
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
            self._handle = os.open(self.path, flags | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise WriteFailed(f"cannot write to {str(path)!r}: {os_reason(error)}") from error
        try:
            if not stat.S_ISREG(os.fstat(self._handle).st_mode):
                raise InputError(f"{str(path)!r} is no ordinary file, expected one to write to")
            _lock(self._handle, self.path)
            content = _content(self._handle)
            self.records, self._length, self._check = _parsed(content, self.path)
            if self._length < len(content):
                self._cut()
            self._synced = self._length
            if new:
                _sync_folder(self.path.parent)
        except OSError as error:
            os.close(self._handle)
            raise WriteFailed(f"cannot write to {str(path)!r}: {os_reason(error)}") from error
        except BaseException:
            os.close(self._handle)
            raise

    def append(self, record: Record, *, sync: bool = True) -> None:
        """Add a record; it is on the disk when this returns, unless ``sync`` is false.

        Raises
        ------
        WriteFailed
            Where the disk is full, or the file was moved or deleted; then nothing was added.
        """
        with self._writing:
            self._refuse_broken()
            line, check = _line(record, self._check)
            try:
                self._refuse_moved()
                _write(self._handle, line)
                if sync:
                    os.fsync(self._handle)
            except OSError as error:
                self._cut_back()
                raise WriteFailed(
                    f"cannot write to {str(self.path)!r}: {os_reason(error)}; nothing was added"
                ) from error
            except BaseException:
                self._cut_back()
                raise
            self._length += len(line)
            self._check = check
            if sync:
                self._synced = self._length

    def commit(self) -> None:
        """Bring all records to the disk that were added without waiting; threads may share this.

        Raises
        ------
        WriteFailed
            Where that fails: then none of them is in the journal, and it takes no more.
        """
        with self._syncing:
            self._refuse_broken()  # also where the records of who waits here were taken back
            until = self._length
            if until <= self._synced:
                return
            try:
                os.fsync(self._handle)
            except OSError as error:
                with self._writing:
                    self._give_up(error)
                    self._length = self._synced
                    self._cut_back()
                self._refuse_broken()
            self._synced = max(until, self._synced)

    def discard(self) -> None:
        """Delete a new file to which nothing could be written."""
        if not self._length:
            with suppress(OSError):
                self.path.unlink()
        self.close()

    def close(self) -> None:
        """Close the file, and let go of it."""
        if self._handle >= 0:
            with suppress(WriteFailed):
                self.commit()
            os.close(self._handle)
            self._handle = -1
            self._broken = "it was closed"

    def _refuse_broken(self) -> None:
        if self._broken:
            raise WriteFailed(f"cannot write to {str(self.path)!r}: {self._broken}")

    def _refuse_moved(self) -> None:
        """Raise :class:`WriteFailed` unless the open file is still the one of this name."""
        here = os.fstat(self._handle)
        try:
            there = self.path.stat()
        except FileNotFoundError:
            there = None
        if there is None or (here.st_ino, here.st_dev) != (there.st_ino, there.st_dev):
            self._broken = "the file was moved or deleted while it was open"
            self._refuse_broken()

    def _cut_back(self) -> None:
        """Take back a line that may have been written in part."""
        try:
            self._cut()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self._broken = f"{os_reason(error)}; open it again"

    def _cut(self) -> None:
        if os.fstat(self._handle).st_size > self._length:
            os.ftruncate(self._handle, self._length)
            os.fsync(self._handle)


def read_journal(path: str | os.PathLike[str]) -> list[Record]:
    """The records of a journal, which another process may be writing meanwhile.

    Raises
    ------
    InputError
        Where there is no such file, or it is damaged: with the line.
    """
    path = Path(path)
    try:
        return _parsed(path.read_bytes(), path)[0]
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {os_reason(error)}") from None


def _line(record: Record, before: int) -> tuple[bytes, int]:
    """The line of a record, and its checksum."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    body = text.encode("utf-8", "surrogatepass")[:-1]
    check = zlib.crc32(body, before)
    return b'%s%s%08x"}\n' % (body, _CHECK, check), check


def _parsed(content: bytes, path: Path) -> tuple[list[Record], int, int]:
    """The records, the length of their lines, and the last checksum."""
    records: list[Record] = []
    length, check = 0, 0
    for number, line in enumerate(_whole_lines(content), 1):
        body, tail = line[:-_TAIL], line[-_TAIL:]
        check = zlib.crc32(body, check)
        record = None
        if tail == b'%s%08x"}\n' % (_CHECK, check):
            with suppress(ValueError):
                record = json.loads(body.decode("utf-8", "surrogatepass") + "}")
        if not isinstance(record, dict):
            if number == 1:
                raise InputError(
                    f"{str(path)!r} is no session: expected a file that `cpe-opt session new` or "
                    "Session.open began, and its first line as it was written"
                )
            raise InputError(
                f"{path.name}, line {number}: damaged, it is not what was written there; nothing "
                "was changed. Lines before it are sound: a copy that ends with line "
                f"{number - 1} can be opened"
            )
        records.append(record)
        length += len(line)
    torn = content[length:].rstrip(b"\0")
    if not records and torn[: len(_BEGIN)] != _BEGIN[: len(torn)]:
        raise InputError(f"{str(path)!r} is no session: it holds something else")
    return records, length, check


def _whole_lines(content: bytes) -> Iterator[bytes]:
    """All lines that end with a line break."""
    start = 0
    while (end := content.find(b"\n", start)) >= 0:
        yield content[start : end + 1]
        start = end + 1


def _content(handle: int) -> bytes:
    """All that the file holds."""
    os.lseek(handle, 0, os.SEEK_SET)
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _write(handle: int, data: bytes) -> None:
    """Write all of it, or raise :class:`OSError`."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _lock(handle: int, path: Path) -> None:
    """Lock the file for this process, or raise :class:`InputError`."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, 1 << 40, os.SEEK_SET)  # a byte that is never written
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(
            f"{str(path)!r} is in use: another process, or this one, has the session open, and one "
            "at a time may write; its status can be read all the while"
        ) from None


def _sync_folder(folder: Path) -> None:
    """Bring the name of a new file to the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
