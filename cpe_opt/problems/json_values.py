r"""Lists of JSON values: one a line (``.jsonl``, ``.ndjson``), or all in one array (``.json``).

Which of the two is told by the file's first characters: one array starts with ``[`` and an object
or another array, or is empty; in a file ``.json`` whatever starts with ``[`` is one. Either is read
a piece at a time, so that memory does not grow with the file. Blank lines are left out, and a key
that an object has twice is refused.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from cpe_opt.errors import InputError
from cpe_opt.problems.text import (
    read_text,
    require_file,
    shortened,
    suffix_of,
    text_chunks,
    text_lines,
)

JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")
_STARTS = re.compile(r'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:[\[{\]]|[0-9]+\s*,))')
_ARRAY = re.compile(r"\s*\[(?=\s*(?:[\[{\]]|\Z))")
_ANY_ARRAY = re.compile(r"\s*\[")
_BLANKS = re.compile(r"\s*")
_CHUNK = 1 << 20  # characters


def is_json(path: str | os.PathLike[str]) -> bool:
    """Whether a file is JSON, by its suffix or its first characters."""
    path = require_file(path)
    if suffix_of(path) in JSON_SUFFIXES:
        return True
    return _STARTS.match(read_text(path, only_start=True)) is not None


def json_values(path: str | os.PathLike[str]) -> Iterator[tuple[int, Any]]:
    """Values, each with the number of the line on which it starts.

    Raises
    ------
    InputError
        With the line that is no JSON.
    """
    path = require_file(path)
    return _of_lines(path) if is_json_lines(path) else _of_array(path)


def is_json_lines(path: Path) -> bool:
    """Whether a JSON file has a value a line, and not all of them in one array."""
    start = read_text(path, only_start=True)
    return (_ANY_ARRAY if suffix_of(path) == ".json" else _ARRAY).match(start) is None


def kind_of(value: Any) -> str:
    """What a value is, for messages."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    return shortened(json.dumps(value), 30)


def _of_lines(path: Path) -> Iterator[tuple[int, Any]]:
    decode = json.JSONDecoder(object_pairs_hook=_once).decode
    for number, line in enumerate(text_lines(path), 1):
        if not line.isspace():
            try:
                yield number, decode(line)
            except (ValueError, RecursionError) as error:
                raise _broken(path.name, number, line, error) from None


def _of_array(path: Path) -> Iterator[tuple[int, Any]]:
    text = _ArrayText(path)
    mark = text.after("[")
    while mark != "]":
        line = text.line
        yield line, text.value()
        mark = text.mark()
        if mark == ",":
            text.after(",")
        elif mark != "]":
            found = repr(mark) if mark else "the end of the file: is it complete?"
            raise InputError(
                f"{path.name}, line {text.line}: expected ',' or ']' after a value, found {found}"
            )
    if text.after("]"):
        raise InputError(
            f"{path.name}, line {text.line}: {shortened(text.rest(), 30)!r} after the end of the "
            "array"
        )


class _ArrayText:
    """The text of an array, of which no more is kept than what is being read.

    Attributes
    ----------
    line : int
        The number of the line on which the place stands.
    """

    def __init__(self, path: Path) -> None:
        self._source = path.name
        self._chunks = text_chunks(path, _CHUNK)
        self._decode = json.JSONDecoder(object_pairs_hook=_once).raw_decode
        self._text, self._place = "", 0
        # Lines, and characters of the last of them, that stand before the text that is kept.
        self._lines = self._dropped = 0
        self.line = 1

    def mark(self) -> str:
        """The next character that is no blank, where the place moves to; empty at the end."""
        while True:
            self._move(_BLANKS.match(self._text, self._place).end())  # type: ignore[union-attr]
            if self._place < len(self._text) or not self._more():
                return self._text[self._place : self._place + 1]

    def after(self, expected: str) -> str:
        """The same behind the next character, which is known."""
        assert self.mark() == expected
        self._move(self._place + 1)
        return self.mark()

    def value(self) -> Any:
        """The value that starts at the place, which moves behind it."""
        while True:
            try:
                value, end = self._decode(self._text, self._place)
            except json.JSONDecodeError as error:
                if self._more():
                    continue
                line = self._text[error.pos - error.colno + 1 :][:200].partition("\n")[0]
                error.colno += self._dropped if error.lineno == 1 else 0
                raise _broken(self._source, self._lines + error.lineno, line, error) from None
            except (ValueError, RecursionError) as error:
                raise _broken(self._source, self.line, self.rest(), error) from None
            if end < len(self._text) or not self._more():
                self._move(end)
                return value

    def rest(self) -> str:
        """The text that follows, or its start."""
        return self._text[self._place : self._place + 200].strip()

    def _move(self, place: int) -> None:
        self.line += self._text.count("\n", self._place, place)
        self._place = place

    def _more(self) -> bool:
        """Read on, twice as much as there is; whether there was more."""
        before, kept = self._text[: self._place], self._text[self._place :]
        read = "".join(islice(self._chunks, 1 + len(kept) // _CHUNK))
        if read:
            lines = before.count("\n")
            self._dropped = len(before) - before.rfind("\n") - 1 + (0 if lines else self._dropped)
            self._lines += lines
            self._text, self._place = kept + read, 0
        return bool(read)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise ValueError(f"an object has the key {shortened(twice, 30)!r} twice")
    return found


def _broken(source: str, number: int, line: str, error: Exception) -> InputError:
    if isinstance(error, json.JSONDecodeError):
        why = f"{error.msg} at column {error.colno}"
    else:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    return InputError(f"{source}, line {number}: no JSON: {why}: {shortened(line.strip())!r}")
