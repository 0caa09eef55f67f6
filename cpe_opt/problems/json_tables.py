"""Lists of JSON objects as tables: keys are columns."""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.problems.arrow_columns import json_columns
from cpe_opt.problems.clusters import DistinctValues
from cpe_opt.problems.columns import Table, merged
from cpe_opt.problems.json_values import is_json, is_json_lines, json_values, kind_of
from cpe_opt.problems.line_blocks import NotSoPlain
from cpe_opt.problems.parquet_tables import is_parquet, parquet_names
from cpe_opt.problems.rows import listed, read_header
from cpe_opt.problems.text import require_file

_MOST_SHAPES = 1000  # of objects, by their keys, that are remembered


def header_of(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The columns of a table, or the keys of the first object of a JSON file, in lower case.

    There are none where the file has no such thing: whoever reads it says why.
    """
    if is_parquet(path):
        return tuple(name.strip().lower() for name in parquet_names(path))
    if not is_json(path):
        return read_header(path)
    try:
        first = next(json_values(path))[1]
    except (InputError, StopIteration):
        return ()
    return tuple(str(key).strip().lower() for key in first) if isinstance(first, dict) else ()


def json_table(
    path: str | os.PathLike[str],
    needed: Sequence[str],
    optional: Sequence[str] = (),
    *,
    counted: Callable[[str], bool],
) -> Table:
    """A list of JSON objects as :func:`cpe_opt.problems.tables.read_table` gives a table.

    Columns are keys, upper case and blanks at their ends no difference; keys of other names are
    left out, whatever their values; of those that are ``counted`` the different ones are counted.
    Numbers are taken as their text, true and false as 1 and 0.

    Raises
    ------
    InputError
        With the line concerned: where a needed key is missing, an optional one is there in some
        objects alone, or a value is no text and no number.
    """
    path = require_file(path)
    try:
        return _plain_table(path, needed, optional, counted)
    except NotSoPlain:
        return _table_by_value(path, needed, optional, counted)


def _plain_table(
    path: Path, needed: Sequence[str], optional: Sequence[str], counted: Callable[[str], bool]
) -> Table:
    """The table by whole blocks of lines, or :class:`NotSoPlain`."""
    try:
        first = next(json_values(path))[1] if is_json_lines(path) else None
    except (InputError, StopIteration):
        first = None
    if not isinstance(first, dict):
        raise NotSoPlain
    known = {key.strip().lower(): key for key in first}
    wanted = {name: known[name] for name in (*needed, *optional) if name in known}
    if len(known) < len(first) or not set(needed) <= set(wanted):
        raise NotSoPlain
    keys = {name: (key, type(first[key])) for name, key in wanted.items()}
    further = {name: key for name, key in known.items() if name not in wanted and counted(name)}
    columns, found = json_columns(path, keys, further)
    names = dict.fromkeys([*known, *(key.strip().lower() for key in found)])
    # A key that only later objects have, or another spelling of one that is read.
    new = [key for key in found if key not in first]
    if any(key.strip().lower() in (*needed, *optional, *further) or counted(key) for key in new):
        raise NotSoPlain
    return Table(
        path.name,
        tuple(names),
        columns.rows,
        columns.coded(),
        lambda row: _place(path, row),
        comments=False,
        counted={name: (each.count, each.rows) for name, each in columns.distinct.items()},
    )


def _table_by_value(
    path: Path, needed: Sequence[str], optional: Sequence[str], counted: Callable[[str], bool]
) -> Table:
    """The same one value at a time, or :class:`InputError` with the line."""
    source, wanted = path.name, (*needed, *optional)
    wish = ", ".join(needed)
    distinct: dict[str, DistinctValues] = {}
    names: dict[str, None] = {}
    shapes: dict[tuple[str, ...], tuple[tuple[str | None, ...], tuple[tuple[str, str], ...]]] = {}
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
        if shape in shapes:
            keys, further = shapes[shape]
        else:
            where = f"{source}, line {line}"
            keys, had = _keys(where, shape, needed, wanted, names), present
            present = tuple(key is not None for key in keys)
            if had not in (None, present):
                odd = next(n for n, a, b in zip(wanted, had or (), present, strict=True) if a != b)
                raise InputError(f"{where}: {odd!r} is a key of some objects, and not of all")
            if len(shapes) == _MOST_SHAPES:
                shapes.clear()
            further = tuple(
                (name, key)
                for name, key in ((key.strip().lower(), key) for key in shape)
                if name not in wanted and counted(name)
            )
            shapes[shape] = keys, further
        for key, column, number in zip(keys, codes, numbers, strict=True):
            if key is not None:
                cell = value[key]
                if type(cell) is not str:
                    cell = _cell(cell, f"{source}, line {line}: {key}")
                column.append(number.setdefault(cell, len(number)))
        for name, key in further:
            cell = value[key]
            told = cell if type(cell) is str else "" if cell is None else json.dumps(cell)
            distinct.setdefault(name, DistinctValues()).add(told)
        rows += 1
    if not rows or present is None:
        raise InputError(f"{source}: no objects, expected some with the keys {wish}")
    coded = {
        name: merged(np.array(column, dtype=np.int64), list(number))
        for name, column, number, there in zip(wanted, codes, numbers, present, strict=True)
        if there
    }

    return Table(
        source,
        tuple(names),
        rows,
        coded,
        lambda row: _place(path, row),
        comments=False,
        counted={name: (each.count, each.rows) for name, each in distinct.items()},
    )


def _place(path: Path, row: int) -> str:
    """The line of a value, for messages."""
    lines = (line for line, _ in json_values(path))
    return f"{path.name}, line {next(line for r, line in enumerate(lines) if r == row)}"


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
