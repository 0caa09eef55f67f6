"""Text files in blocks of whole lines, as bytes, for parsers that read many lines at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cpe_opt.problems.text import is_plain_utf8, opened_bytes

_BLOCK = 1 << 23  # bytes
_LONGEST_BLOCK = 1 << 27


class NotSoPlain(Exception):
    """Something asks for a closer look, line by line."""


def line_blocks(path: Path, *, quotes: bool = False) -> Iterator[bytes]:
    r"""A file in blocks that end with ``\n``, if ``quotes`` is set outside of any quoted cell.

    Raises
    ------
    NotSoPlain
        Where the file is not UTF-8, has NUL bytes, or a cell that is too long for a block.
    InputError
        Where it cannot be read.
    """
    if not is_plain_utf8(path):
        raise NotSoPlain
    with opened_bytes(path) as file:
        kept = b""
        while data := file.read(_BLOCK):
            while data.endswith(b"\r"):  # it may be the first half of a line's end
                more = file.read(1)
                data += more
                if not more:
                    break
            if not kept and data.startswith(b"\xef\xbb\xbf"):
                data = data[3:]
            if b"\r" in data:
                data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            if b"\0" in data or len(kept) > _LONGEST_BLOCK:
                raise NotSoPlain
            kept += data
            end = _end(kept, quotes=quotes)
            if end:
                yield _decodable(kept[:end])
                kept = kept[end:]
        if kept:
            yield _decodable(kept if kept.endswith(b"\n") else kept + b"\n")


def _end(block: bytes, *, quotes: bool) -> int:
    """Where the last line of a block ends; 0 where none does."""
    end = block.rfind(b"\n") + 1
    if not quotes:
        return end
    inside = block.count(b'"', 0, end) % 2
    while end and inside:
        before = block.rfind(b"\n", 0, end - 1) + 1
        inside ^= block.count(b'"', before, end) % 2
        end = before
    return end


def _decodable(block: bytes) -> bytes:
    try:
        block.decode()
    except UnicodeDecodeError:
        raise NotSoPlain from None
    return block
