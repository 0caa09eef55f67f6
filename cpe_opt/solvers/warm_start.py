"""Points to start from, by the names of columns; and points as files.

A start gives columns values. A solver that takes one begins there: HiGHS turns a point of a linear
program into a basis, and a point of an integer program, which may leave columns out, is the first
incumbent if it can be completed; SCIP and CP-SAT take the latter as a hint.

Files of values are tables (``.csv``, header ``name,value``), mappings (``.json``, also with the
values under the key ``values``), and solution files of HiGHS (``.sol``).
"""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.files import atomic_write, write_csv
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.validation import checked_finite, checked_types

WarmStart: TypeAlias = Mapping[str, float] | str | os.PathLike[str]
_SUFFIXES = (".csv", ".json", ".sol")


@checked_types
def read_values(path: str | os.PathLike[str]) -> dict[str, float]:
    """The values of a file that ends in ``.csv``, ``.json`` or ``.sol``, by name.

    Raises :class:`InputError` where the file is missing, has another suffix, or does not hold
    values, with the line.
    """
    path = Path(path)
    suffix = _suffix(path, _SUFFIXES)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{str(path)!r} is no text") from None
    except OSError:
        raise InputError(f"no file {str(path)!r}") from None
    read = {".csv": _from_csv, ".json": _from_json, ".sol": _from_solution}[suffix]
    pairs = read(path, text)
    values: dict[str, float] = {}
    for place, (name, value) in pairs:
        if name in values:
            raise InputError(f"{str(path)!r}, {place}: {name!r} has a value already")
        values[name] = _number(value, f"{str(path)!r}, {place}: the value of {name!r}")
    if not values:
        raise InputError(f"{str(path)!r} has no values")
    return values


@checked_types
def write_values(result: SolveResult, path: str | os.PathLike[str]) -> Path:
    """Write the values of a result's columns to a ``.csv`` or ``.json`` for :func:`read_values`.

    Raises
    ------
    NotOptimal
        Where the solve ended without a point.
    InputError, WriteFailed

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> lottery = cpe.von_neumann_winner(cpe.load_instance("cyclic"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_values(lottery.result, f"{folder}/lottery.csv")
    ...     read_values(path) == lottery.result.values
    True
    """
    path = Path(path)
    suffix = _suffix(path, (".csv", ".json"))
    if suffix == ".csv":
        rows = ((name, repr(value)) for name, value in result.values.items())
        write_csv(path, ("name", "value"), rows)
        return path
    text = json.dumps(result.values, indent=1)
    with atomic_write(path) as temporary:
        temporary.write_text(f"{text}\n", encoding="utf-8")
    return path


def start_of(program: LinearProgram, given: WarmStart) -> FloatArray:
    """The start as a point, NaN where it has no value; shape (columns,).

    Raises :class:`InputError` on names of no columns, values that are no finite numbers, none at
    all, or, for a linear program, columns without one.
    """
    values = given if isinstance(given, Mapping) else read_values(given)
    place = {name: number for number, name in enumerate(program.column_names)}
    start = np.full(len(place), np.nan)
    for name, value in values.items():
        if name not in place:
            raise UnknownName(f"column of {program.name}", name, place)
        start[place[name]] = checked_finite(f"warm_start: {name}", value)
    missing = np.flatnonzero(np.isnan(start))
    if missing.size == len(start):
        raise InputError(f"warm_start has no value of a column of {program.name!r}")
    if missing.size and not program.is_integer:
        raise InputError(
            f"warm_start has no value of the column {program.column_names[missing[0]]!r}: a start "
            "of a linear program needs all"
        )
    return start


def _suffix(path: Path, known: tuple[str, ...]) -> str:
    suffix = path.suffix.lower()
    if suffix not in known:
        raise InputError(
            f"cannot tell the format of {path.name!r}: expected a name that ends in "
            f"{', '.join(known)}"
        )
    return suffix


NamedValues: TypeAlias = list[tuple[str, tuple[str, Any]]]


def _from_csv(path: Path, text: str) -> NamedValues:
    rows = list(csv.reader(text.splitlines()))
    if not rows or [cell.strip() for cell in rows[0]] != ["name", "value"]:
        raise InputError(f"{str(path)!r} has no header name,value")
    pairs: NamedValues = []
    for number, row in enumerate(rows[1:], start=2):
        if row and len(row) != 2:
            raise InputError(f"{str(path)!r}, line {number}: {len(row)} cells, expected 2")
        if row:
            pairs.append((f"line {number}", (row[0].strip(), row[1])))
    return pairs


def _from_json(path: Path, text: str) -> NamedValues:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{str(path)!r} is no JSON: {error}") from None
    if isinstance(content, dict) and isinstance(content.get("values"), dict):
        content = content["values"]
    if not isinstance(content, dict):
        raise InputError(f"{str(path)!r} holds no mapping from names to values")
    return [("its mapping", (name, value)) for name, value in content.items()]


def _from_solution(path: Path, text: str) -> NamedValues:
    """The first columns of a solution file of HiGHS: the primal values."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        words = line.split()
        if words[:2] == ["#", "Columns"] and len(words) == 3 and words[2].isdecimal():
            rows = lines[number + 1 : number + 1 + int(words[2])]
            break
    else:
        raise InputError(f"{str(path)!r} is no solution file of HiGHS: no line '# Columns'")
    pairs: NamedValues = []
    for place, row in enumerate(rows, start=number + 2):
        words = row.split()
        if len(words) != 2:
            raise InputError(f"{str(path)!r}, line {place}: {row[:40]!r}, expected name and value")
        pairs.append((f"line {place}", (words[0], words[1])))
    return pairs


def _number(value: Any, what: str) -> float:
    """A finite number, from a cell of text or a mapping's entry."""
    try:
        number = math.nan if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{what} is {value!r}, expected a finite number")
    return number
