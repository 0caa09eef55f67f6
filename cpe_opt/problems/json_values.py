r"""Lists of JSON values: one a line (``.jsonl``, ``.ndjson``), or all in one array (``.json``).

The file's first characters tell which: one array starts with ``[`` and an object
or another array, or is empty; in a file ``.json`` whatever starts with ``[`` is one. Either is read
a piece at a time, so that memory does not grow with the file: the parsers of Python and of pandas
want an array as a whole, and that of pyarrow reads none. Blank lines are left out, and a key that
an object has twice is refused.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from cpe_opt.errors import InputError, shortened
from cpe_opt.text import (
    LONGEST_LINE,
    check_size,
    read_text,
    require_file,
    suffix_of,
    text_chunks,
    text_lines,
)

JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")
_STARTS = re.compile(r'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:[\[{\]]|[0-9]+\s*,))')
_ARRAY = re.compile(r"\s*\[(?=\s*(?:[\[{\]]|\Z))")
_ANY_ARRAY = re.compile(r"\s*\[")
_NO_BLANK = re.compile(r"\S|\Z")
_CHUNK = 1 << 20  # characters


def is_json(path: str | os.PathLike[str]) -> bool:
    """Whether a file is JSON, by its suffix or its first characters."""
    path = require_file(path)
    if suffix_of(path) in JSON_SUFFIXES:
        return True
    return _STARTS.match(read_text(path, only_start=True)) is not None


def is_json_lines(path: Path) -> bool:
    """Whether a JSON file has a value a line, and not all of them in one array."""
    start = read_text(path, only_start=True)
    return (_ANY_ARRAY if suffix_of(path) == ".json" else _ARRAY).match(start) is None


def json_values(path: str | os.PathLike[str]) -> Iterator[tuple[int, Any]]:
    """Values, each with the number of the line on which it starts.

    Raises :class:`InputError` with the line that is no JSON.
    """
    path = require_file(path)
    if not is_json_lines(path):
        yield from _ArrayText(path).values()
        return
    decode = json.JSONDecoder(object_pairs_hook=unique_keys).decode
    for number, line in enumerate(text_lines(path), 1):
        if not line.isspace():
            try:
                yield number, decode(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path.name}, line {number}: {_why(error, line)}") from None


def first_value(path: str | os.PathLike[str]) -> Any:
    """The first value; None if there is none: whoever reads the file says why."""
    try:
        return next(json_values(path), (0, None))[1]
    except InputError:
        return None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, or :class:`ValueError` where a key occurs twice and would hide an entry."""
    content = dict(pairs)
    if len(content) < len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key in times if times[key] > 1)
        raise ValueError(f"an object has the key {shortened(twice, 30)!r} twice")
    return content


def kind_of(value: Any) -> str:
    """What a value is, for messages."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    return shortened(json.dumps(value), 30)


class _ArrayText:
    """The text of an array, of which only what is being read is kept."""

    def __init__(self, path: Path) -> None:
        self._path, self._chunks = path, text_chunks(path, _CHUNK)
        self._text, self._place = "", 0
        self._dropped, self._line = 0, 1  # characters before the text; line of the place

    def values(self) -> Iterator[tuple[int, Any]]:
        decode = json.JSONDecoder(object_pairs_hook=unique_keys).raw_decode
        mark = self._after_mark()
        while mark != "]":
            line, value = self._line, self._value(decode)
            yield line, value
            mark = self._mark()
            if mark == ",":
                self._after_mark()
            elif mark != "]":
                found = repr(mark) if mark else "the end of the file: is it complete?"
                raise self._wrong(f"expected ',' or ']' after a value, found {found}")
        if self._after_mark():
            rest = self._text[self._place : self._place + 200].strip()
            raise self._wrong(f"{shortened(rest, 30)!r} after the end of the array")

    def _value(self, decode: Any) -> Any:
        """The value at the place, which moves to its end."""
        while True:
            try:
                value, end = decode(self._text, self._place)
            except (ValueError, RecursionError) as error:
                if self._cut_off(error) and self._more():
                    continue
                if not isinstance(error, json.JSONDecodeError):
                    raise self._wrong(_why(error, self._text[self._place :][:200])) from None
                # Line and column in the whole file, which is read again for them.
                place, whole = self._dropped + error.pos, read_text(self._path, large=True)
                told = json.JSONDecodeError(error.msg, whole, place)
                text = whole[place - told.colno + 1 :][:200].partition("\n")[0]
                self._line = told.lineno
                raise self._wrong(_why(told, text)) from None
            if end < len(self._text) or not self._more():  # a number may go on in the next piece
                self._move(end)
                return value

    def _cut_off(self, error: Exception) -> bool:
        """Whether the rest of a value may be what it lacks."""
        if not isinstance(error, json.JSONDecodeError):
            return False
        at_end = len(self._text) - error.pos < 10  # such as half of -Infinity
        return at_end or error.msg.startswith("Unterminated string")

    def _mark(self) -> str:
        """The next character that is no blank, where the place moves to; empty at the end."""
        while True:
            self._move(_NO_BLANK.search(self._text, self._place).start())  # type: ignore[union-attr]
            if self._place < len(self._text) or not self._more():
                return self._text[self._place : self._place + 1]

    def _after_mark(self) -> str:
        """The same after the next character that is no blank."""
        self._mark()
        self._move(self._place + 1)
        return self._mark()

    def _move(self, place: int) -> None:
        self._line += self._text.count("\n", self._place, place)
        self._place = place

    def _more(self) -> bool:
        """Read on, twice as much as there is; whether there was more."""
        kept = self._text[self._place :]
        place = f"{self._path.name}, line {self._line}"
        check_size(place, len(kept), LONGEST_LINE, "characters in one value")
        read = "".join(islice(self._chunks, 1 + len(kept) // _CHUNK))
        if read:
            self._dropped += self._place
            self._text, self._place = kept + read, 0
        return bool(read)

    def _wrong(self, what: str) -> InputError:
        return InputError(f"{self._path.name}, line {self._line}: {what}")


def _why(error: Exception, line: str) -> str:
    """What is wrong with a line or its start."""
    if isinstance(error, json.JSONDecodeError):
        why = f"{error.msg} at column {error.colno}"
    else:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    return f"no JSON: {why}: {shortened(line.strip())!r}"
