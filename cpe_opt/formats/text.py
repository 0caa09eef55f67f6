"""Text files, read strictly and up to a size, as a small archive can hold more than any memory.

Files are UTF-8. Other encodings are refused rather than guessed: one byte means different letters
in different ones, and labels would change silently. Files compressed by gzip are read as what is in
them, whatever they are called.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TextIO, cast

from cpe_opt.errors import InputError, shortened

_UTF_8 = "utf-8-sig"  # with a byte order mark or without
_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20  # characters
_MOST_BYTES = 1 << 32  # of what is in a file
_MOST_WHOLE = 1 << 29  # bytes, where a file is read as one text
LONGEST_LINE = 1 << 26  # characters
MOST_ROWS = 20_000_000  # of a table
MOST_COLUMNS = 100_000
_TEXT = "expected text in UTF-8, and no workbook of Excel or other binary file"


def check_size(place: str, size: int, most: int, things: str) -> None:
    """Raise :class:`InputError` where a file has more of some things than it may have."""
    if size > most:
        raise InputError(f"{place}: more than {most:,} {things}, the most that is read")


def require_file(path: str | os.PathLike[str]) -> Path:
    """The path of a file, or :class:`InputError` if there is none."""
    try:
        path = Path(path)
        if path.is_file():
            return path
        folder = path.is_dir()
    except TypeError:
        raise InputError(f"path is {path!r}, expected the path of a file") from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    if folder:
        raise InputError(f"{str(path)!r} is a folder, expected a file")
    raise InputError(f"no file {str(path)!r}")


def suffix_of(path: Path) -> str:
    """What the content of a file is by its name, in lower case: ``.csv`` of ``votes.csv.gz``."""
    return _unzipped(path).suffix.lower()


def stem_of(path: str | os.PathLike[str]) -> str:
    """The name of a file as text without its suffixes: ``votes`` of ``votes.csv.gz``."""
    inner = _unzipped(Path(path))
    return re.sub("[\ud800-\udfff]", "\ufffd", inner.stem if inner.stem.strip() else inner.name)


def _unzipped(path: Path) -> Path:
    return Path(path.stem if path.suffix.lower() == ".gz" else path.name)


def read_text(
    path: str | os.PathLike[str], *, only_start: bool = False, large: bool = False
) -> str:
    r"""The text with ``\n`` for line ends; ``large``: as many bytes as files read in parts."""
    path = require_file(path)
    most = _MOST_BYTES if large else _MOST_WHOLE
    with _opened_bytes(path) as file:
        data = file.read(1 << 16 if only_start else most + 1)
    check_size(path.name, len(data), most, "bytes")
    try:
        # A decoder that is not told to be final keeps a character that is cut off to itself.
        text = codecs.getincrementaldecoder(_UTF_8)().decode(data, final=not only_start)
    except UnicodeDecodeError as error:
        line, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        fault = f"the byte 0x{byte:02X} is not UTF-8"
        raise InputError(f"{path.name}, line {line}: {fault}; {_TEXT}") from None
    if "\0" in text:
        raise InputError(f"{path.name} has NUL bytes; {_TEXT}")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def text_chunks(path: str | os.PathLike[str]) -> Iterator[str]:
    r"""A text file in parts of whole lines with ``\n`` for ends; errors as of :func:`read_text`."""
    path = require_file(path)
    lines = size = 0
    with _opened(path) as file:
        while chunk := file.read(_CHUNK):
            chunk += file.readline(LONGEST_LINE + 1)
            size += len(chunk)
            check_size(path.name, size, _MOST_BYTES, "bytes")
            lines += chunk.count("\n", 0, -1) + 1
            last = len(chunk) - chunk.rfind("\n", 0, -1) - 1
            check_size(f"{path.name}, line {lines}", last, LONGEST_LINE, "characters")
            yield chunk


def text_lines(path: str | os.PathLike[str]) -> Iterator[str]:
    """The lines of :func:`text_chunks`, each with its end."""
    for chunk in text_chunks(path):
        yield from split_lines(chunk)


def split_lines(text: str) -> list[str]:
    r"""Lines with their ends, which are ``\n`` alone."""
    return io.StringIO(text).readlines()


def numbered_lines(path: str | os.PathLike[str]) -> list[tuple[int, str]]:
    """The lines of a file that is read as one text, without line ends, with their numbers."""
    return list(enumerate(read_text(path).split("\n"), 1))


@contextmanager
def _opened_bytes(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, decompressed; :class:`InputError` if damaged, also while it is read."""
    try:
        with path.open("rb") as raw:
            compressed = raw.read(len(_GZIP)) == _GZIP
            raw.seek(0)
            with gzip.GzipFile(fileobj=raw) if compressed else raw as file:
                yield cast("IO[bytes]", file)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path.name}: the gzip archive is damaged: {error}") from None
    except OSError as error:
        raise _unreadable(path, error) from None


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """The file to be read on; errors as of :func:`read_text`, also while it is read."""
    read_text(path, only_start=True)
    try:
        with _opened_bytes(path) as file, io.TextIOWrapper(file, encoding=_UTF_8) as text:
            yield text
    except UnicodeDecodeError:
        read_text(path, large=True)  # which says where
        raise


def _unreadable(path: object, error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot read {shortened(str(path))!r}: {reason}")
