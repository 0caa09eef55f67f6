r"""Lists of JSON values: one a line (``.jsonl``, ``.ndjson``), or all in one array (``.json``).

Which of the two is told by the file's first characters: one array starts with ``[`` and an object
or another array, or is empty; in a file ``.json`` whatever starts with ``[`` is one. Lines are read
one at a time, so that memory does not grow with what they hold besides; of an array, its text is
kept. Blank lines are left out, and a key that an object has twice is refused.
"""

from __future__ import annotations

import json
import os
import re
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.problems.columns import Table, merged
from cpe_opt.problems.rows import listed, read_header
from cpe_opt.problems.text import read_text, require_file, shortened, text_lines

JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")
_STARTS = re.compile(r'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:[\[{\]]|[0-9]+\s*,))')
_ARRAY = re.compile(r"\s*\[(?=\s*(?:[\[{\]]|\Z))")
_ANY_ARRAY = re.compile(r"\s*\[")
_BLANKS = re.compile(r"\s*")
_MOST_SHAPES = 1000  # of objects, by their keys, that are remembered


def is_json(path: str | os.PathLike[str]) -> bool:
    """Whether a file is JSON, by its suffix or its first characters."""
    path = require_file(path)
    if path.suffix.lower() in JSON_SUFFIXES:
        return True
    return _STARTS.match(read_text(path, only_start=True)) is not None


def header_of(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The columns of a table, or the keys of the first object of a JSON file, in lower case.

    There are none where the file has no such thing: whoever reads it says why.
    """
    if not is_json(path):
        return read_header(path)
    try:
        first = next(json_values(path))[1]
    except (InputError, StopIteration):
        return ()
    return tuple(str(key).strip().lower() for key in first) if isinstance(first, dict) else ()


def json_values(path: str | os.PathLike[str]) -> Iterator[tuple[int, Any]]:
    """Values, each with the number of the line on which it starts.

    Raises
    ------
    InputError
        With the line that is no JSON.
    """
    path = require_file(path)
    start = read_text(path, only_start=True)
    opening = (_ANY_ARRAY if path.suffix.lower() == ".json" else _ARRAY).match(start)
    return _of_lines(path) if opening is None else _of_array(path, opening.end())


def _of_lines(path: Path) -> Iterator[tuple[int, Any]]:
    decode = json.JSONDecoder(object_pairs_hook=_once).decode
    for number, line in enumerate(text_lines(path), 1):
        if not line.isspace():
            try:
                yield number, decode(line)
            except (ValueError, RecursionError) as error:
                raise _broken(path.name, number, line, error) from None


def _of_array(path: Path, place: int) -> Iterator[tuple[int, Any]]:
    decode = json.JSONDecoder(object_pairs_hook=_once).raw_decode
    text = read_text(path)
    number = counted = 0

    def skip_blanks(start: int) -> tuple[int, str]:
        nonlocal number, counted
        end = _BLANKS.match(text, start).end()  # type: ignore[union-attr]
        number, counted = number + text.count("\n", counted, end), end
        return end, text[end : end + 1]

    place, mark = skip_blanks(place)
    while mark != "]":
        try:
            value, end = decode(text, place)
        except json.JSONDecodeError as error:
            line = text[error.pos - error.colno + 1 :][:200].partition("\n")[0]
            raise _broken(path.name, error.lineno, line, error) from None
        except (ValueError, RecursionError) as error:
            raise _broken(path.name, number + 1, text[place : place + 200], error) from None
        yield number + 1, value
        place, mark = skip_blanks(end)
        if mark == ",":
            place, after = skip_blanks(place + 1)
            mark = after if after != "]" else ","  # which is no value
        elif mark != "]":
            found = repr(mark) if mark else "the end of the file: is it complete?"
            raise InputError(
                f"{path.name}, line {number + 1}: expected ',' or ']' after a value, found {found}"
            )
    place, mark = skip_blanks(place + 1)
    if mark:
        rest = shortened(text[place : place + 60].strip(), 30)
        raise InputError(f"{path.name}, line {number + 1}: {rest!r} after the end of the array")


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


def json_table(
    path: str | os.PathLike[str], needed: Sequence[str], optional: Sequence[str] = ()
) -> Table:
    """A list of JSON objects as :func:`cpe_opt.problems.tables.read_table` gives a table.

    Columns are keys, upper case and blanks at their ends no difference; keys of other names are
    left out, whatever their values. Numbers are taken as their text, true and false as 1 and 0.

    Raises
    ------
    InputError
        With the line concerned: where a needed key is missing, an optional one is there in some
        objects alone, or a value is no text and no number.
    """
    path = require_file(path)
    source, wanted = path.name, (*needed, *optional)
    wish = ", ".join(needed)
    names: dict[str, None] = {}
    shapes: dict[tuple[str, ...], tuple[str | None, ...]] = {}
    codes = [array("q") for _ in wanted]
    numbers: list[dict[str, int]] = [{} for _ in wanted]
    present: tuple[bool, ...] | None = None
    rows = 0
    for line, value in json_values(path):
        if not isinstance(value, dict):
            raise InputError(
                f"{source}, line {line}: {kind_of(value)}, expected an object with the keys {wish}"
            )
        shape = tuple(value)
        keys = shapes.get(shape)
        if keys is None:
            where = f"{source}, line {line}"
            keys, had = _keys(where, shape, needed, wanted, names), present
            present = tuple(key is not None for key in keys)
            if had not in (None, present):
                odd = next(n for n, a, b in zip(wanted, had or (), present, strict=True) if a != b)
                raise InputError(f"{where}: {odd!r} is a key of some objects, and not of all")
            if len(shapes) == _MOST_SHAPES:
                shapes.clear()
            shapes[shape] = keys
        for key, column, number in zip(keys, codes, numbers, strict=True):
            if key is not None:
                cell = value[key]
                if type(cell) is not str:
                    cell = _cell(cell, f"{source}, line {line}: {key}")
                column.append(number.setdefault(cell, len(number)))
        rows += 1
    if not rows or present is None:
        raise InputError(f"{source}: no objects, expected some with the keys {wish}")
    coded = {
        name: merged(np.array(column, dtype=np.int64), list(number))
        for name, column, number, there in zip(wanted, codes, numbers, present, strict=True)
        if there
    }

    def place(row: int) -> str:
        lines = (line for line, _ in json_values(path))
        return f"{source}, line {next(line for r, line in enumerate(lines) if r == row)}"

    return Table(source, tuple(names), rows, coded, place, comments=False)


def _keys(
    where: str,
    shape: tuple[str, ...],
    needed: Sequence[str],
    wanted: Sequence[str],
    names: dict[str, None],
) -> tuple[str | None, ...]:
    """The object's own key for each wanted column; notes all names."""
    known: dict[str, str] = {}
    for key in shape:
        name = key.strip().lower()
        if name in known and name in wanted:
            raise InputError(f"{where}: two keys are called {key!r}")
        known.setdefault(name, key)
    absent = [name for name in needed if name not in known]
    if absent:
        raise InputError(
            f"{where}: no key {absent[0]!r}; found {listed(shape, 'keys')}; expected "
            f"{', '.join(needed)}"
        )
    names.update(dict.fromkeys(known))
    return tuple(known.get(name) for name in wanted)


def _cell(value: Any, what: str) -> str:
    """A value as the text of a cell, or :class:`InputError`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int | float):
        return repr(value)
    raise InputError(f"{what} is {kind_of(value)}, expected a text or a number")


def kind_of(value: Any) -> str:
    """What a value is, for messages."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    return shortened(json.dumps(value), 30)
