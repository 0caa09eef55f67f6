"""Points to start from, by the names of columns; and points as files.

A start gives columns values. A solver that takes one begins there: HiGHS turns a point of a linear
program into a basis, and a point of an integer program, which may leave columns out, is the first
incumbent if it can be completed; SCIP and CP-SAT take the latter as a hint.

Files of values are tables (``.csv``, header ``name,value``), mappings (``.json``, also with the
values under the key ``values``), and solution files (``.sol``). Four kinds of the latter are told
apart by what they hold:

==========  ==================================  ================================================
of          known by                            columns that it leaves out
==========  ==================================  ================================================
HiGHS       ``# Columns``                       0 where it is sparse (``# Columns -3``), else
                                                without a value
SCIP        ``solution status:``,               0
            ``objective value:``
Gurobi      ``# Objective value = ``, or        without a value
            ``# Solution file``
CPLEX       ``<CPLEXSolution``                  0 at its write level 3, else without a value
==========  ==================================  ================================================
"""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from xml.etree import ElementTree

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.files import atomic_write, os_reason, write_csv
from cpe_opt.modelling.certify import reduced_costs
from cpe_opt.modelling.export import plain_dialect
from cpe_opt.modelling.names import file_names
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult
from cpe_opt.validation import checked_finite, checked_types

WarmStart: TypeAlias = Mapping[str, float] | str | os.PathLike[str]
_SUFFIXES = (".csv", ".json", ".sol")


@checked_types
def read_values(path: str | os.PathLike[str]) -> dict[str, float]:
    """The values of a file that ends in ``.csv``, ``.json`` or ``.sol``, by name.

    They are the values that the file has: what it leaves out is not in the mapping, even where
    it means 0.

    Raises :class:`InputError` if the file is missing, has another suffix, or does not hold
    values, with the line.
    """
    return _read(Path(path)).values


class _Values(NamedTuple):
    """The values of a file, and whether the columns that it leaves out are 0."""

    values: dict[str, float]
    others_are_zero: bool


def _read(path: Path) -> _Values:
    suffix = _suffix(path, _SUFFIXES)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{str(path)!r} is no text") from None
    except FileNotFoundError:
        raise InputError(f"no file {str(path)!r}") from None
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {os_reason(error)}") from None
    pairs = {".csv": _from_csv, ".json": _from_json, ".sol": _from_solution}[suffix](path, text)
    values: dict[str, float] = {}
    for place, (name, value) in pairs.listed:
        if name in values:
            raise InputError(f"{str(path)!r}, {place}: {name!r} has a value already")
        values[name] = _number(value, f"{str(path)!r}, {place}: the value of {name!r}")
    if not values and not pairs.others_are_zero:
        raise InputError(f"{str(path)!r} has no values")
    return _Values(values, pairs.others_are_zero)


@checked_types
def write_values(result: SolveResult, path: str | os.PathLike[str]) -> Path:
    """Write the values of a result's columns to a ``.csv``, ``.json`` or ``.sol`` file.

    :func:`read_values` reads all three. A ``.sol`` is a solution file of HiGHS (its option
    ``--read_solution_file``), with the values and, where there are, the duals of columns and rows
    of a linear or integer program. It fits the ``.mps`` file that :func:`cpe_opt.export` writes of
    the program: its names are those of that file, a constant of the objective is the column
    ``objective_constant``, and rows without sides are left out. The objective and the duals are the
    program's own, where that file holds the minimisation of a negated objective, too.

    Raises
    ------
    NotOptimal
        Where the solve ended without a point.
    InputError
        On another suffix, and on a ``.sol`` of a cone program.
    WriteFailed

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> lottery = cpe.von_neumann_winner(cpe.load_instance("cyclic"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_values(lottery.result, f"{folder}/lottery.sol")
    ...     read_values(path) == lottery.result.values
    True
    """
    path = Path(path)
    suffix = _suffix(path, _SUFFIXES)
    if suffix == ".csv":
        rows = ((name, repr(value)) for name, value in result.values.items())
        write_csv(path, ("name", "value"), rows)
        return path
    text = json.dumps(result.values, indent=1) if suffix == ".json" else _solution_text(result)
    with atomic_write(path) as temporary:
        temporary.write_text(f"{text}\n", encoding="utf-8")
    return path


def _solution_text(result: SolveResult) -> str:
    """The result as HiGHS writes it, without a basis."""
    program = result.program
    if not isinstance(program, LinearProgram):
        raise InputError(
            f"{result.program_name!r} is no linear program, and a .sol file holds its rows: "
            "expected a name that ends in .csv or .json"
        )
    if result.x is None:
        raise NotOptimal(result)
    plain = plain_dialect(program, keep_ranges=True)
    x = np.append(result.x, np.ones(plain.shape[1] - program.shape[1]))
    names = (
        file_names(plain.column_names, "column", ".mps"),
        file_names(plain.row_names, "row", ".mps"),
    )
    lines = [
        "Model status",
        "Optimal" if result.is_optimal else "Unknown",
        "",
        "# Primal solution values",
        "Feasible",
        f"Objective {program.objective(result.x)!r}",
        *_value_lines(names, (x, plain.matrix @ x)),
        "",
        "# Dual solution values",
    ]
    if result.row_duals is None:
        lines.append("None")
    else:
        place = {name: number for number, name in enumerate(program.row_names)}
        duals = result.row_duals[[place[name] for name in plain.row_names]]
        lines += ["Feasible", *_value_lines(names, (reduced_costs(plain, duals), duals))]
    return "\n".join([*lines, "", "# Basis", "HiGHS_basis_file v2", "None"])


def _value_lines(
    names: tuple[tuple[str, ...], tuple[str, ...]], values: tuple[FloatArray, FloatArray]
) -> Iterator[str]:
    """Values of columns and of rows."""
    for what, listed, numbers in zip(("Columns", "Rows"), names, values, strict=True):
        yield f"# {what} {len(listed)}"
        pairs = zip(listed, numbers.tolist(), strict=True)
        yield from (f"{name} {value + 0.0!r}" for name, value in pairs)


def start_of(program: LinearProgram, given: WarmStart) -> FloatArray:
    """The start as a point, NaN if it has no value; shape (columns,).

    The names of a file may be those of the model file that :func:`cpe_opt.export` writes of the
    program, where these differ; its column of the objective's constant is passed over.

    Raises :class:`InputError` on names of no columns, values that are no finite numbers, none at
    all, or, for a linear program, columns without one.
    """
    named = _Values(dict(given), False) if isinstance(given, Mapping) else _read(Path(given))
    place = {name: number for number, name in enumerate(program.column_names)}
    known = place if isinstance(given, Mapping) else _held_names(program)
    start = np.full(len(place), 0.0 if named.others_are_zero else np.nan)
    for name, value in named.values.items():
        if name not in known:
            raise UnknownName(f"column of {program.name}", name, place)
        if known[name] < len(start):
            start[known[name]] = checked_finite(f"warm_start: {name}", value)
    missing = np.flatnonzero(np.isnan(start))
    if missing.size == len(start):
        raise InputError(f"warm_start has no value of a column of {program.name!r}")
    if missing.size and not program.is_integer:
        raise InputError(
            f"warm_start has no value of the column {program.column_names[missing[0]]!r}: a start "
            "of a linear program needs all"
        )
    return start


def _held_names(program: LinearProgram) -> dict[str, int]:
    """The numbers of columns by their names and those that they have in exported files.

    The constant of the objective comes last.
    """
    bare = replace(
        program,
        matrix=program.matrix[:0],
        row_lower=program.row_lower[:0],
        row_upper=program.row_upper[:0],
        row_names=(),
    )
    names = plain_dialect(bare, keep_ranges=True).column_names
    known = {name: number for number, name in enumerate(names)}
    for suffix in (".mps", ".lp"):
        for number, name in enumerate(file_names(names, "column", suffix)):
            known.setdefault(name, number)
    return known


def _suffix(path: Path, known: tuple[str, ...]) -> str:
    suffix = path.suffix.lower()
    if suffix not in known:
        raise InputError(
            f"cannot tell the format of {path.name!r}: expected a name that ends in "
            f"{', '.join(known)}"
        )
    return suffix


class _Pairs(NamedTuple):
    """Names and values, each with its place in the file; and whether what is left out is 0."""

    listed: list[tuple[str, tuple[str, Any]]]
    others_are_zero: bool = False


def _from_csv(path: Path, text: str) -> _Pairs:
    rows = list(csv.reader(text.splitlines()))
    if not rows or [cell.strip() for cell in rows[0]] != ["name", "value"]:
        raise InputError(f"{str(path)!r} has no header name,value")
    pairs: list[tuple[str, tuple[str, Any]]] = []
    for number, row in enumerate(rows[1:], start=2):
        if row and len(row) != 2:
            raise InputError(f"{str(path)!r}, line {number}: {len(row)} cells, expected 2")
        if row:
            pairs.append((f"line {number}", (row[0].strip(), row[1])))
    return _Pairs(pairs)


def _from_json(path: Path, text: str) -> _Pairs:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{str(path)!r} is no JSON: {error}") from None
    if isinstance(content, dict) and isinstance(content.get("values"), dict):
        content = content["values"]
    if not isinstance(content, dict):
        raise InputError(f"{str(path)!r} holds no mapping from names to values")
    return _Pairs([("its mapping", (name, value)) for name, value in content.items()])


def _from_solution(path: Path, text: str) -> _Pairs:
    """The values of columns in a solution file of a solver that is known by the file's content."""
    for known_by, read in _SOLUTIONS.items():
        if re.search(known_by, text, re.MULTILINE):
            return read(path, text)
    raise InputError(
        f"{str(path)!r} is no solution file of a known kind: expected HiGHS's (with a line "
        "'# Columns'), SCIP's ('solution status:' or 'objective value:'), Gurobi's ('# Objective "
        "value =') or CPLEX's ('<CPLEXSolution')"
    )


def _of_highs(path: Path, text: str) -> _Pairs:
    """The first columns: the primal values. A file that leaves zeros out counts them below 0."""
    lines = text.splitlines()
    first = next(place for place, line in enumerate(lines) if re.match(_HIGHS, line))
    count = int(lines[first].split()[2])
    # Where zeros are left out, the number of the column stands after its value.
    pairs = _words(
        path, lines[first + 1 : first + 1 + abs(count)], first + 2, 3 if count < 0 else 2
    )
    if len(pairs) < abs(count):
        raise InputError(
            f"{str(path)!r}, line {first + 1}: {len(pairs)} columns follow, expected {abs(count)}"
        )
    return _Pairs(pairs, count < 0)


def _of_scip(path: Path, text: str) -> _Pairs:
    """Lines of a name, a value and, in brackets, the cost."""
    lines = text.splitlines()
    if any(line.startswith("no solution available") for line in lines):
        raise InputError(f"{str(path)!r} says 'no solution available', expected values of columns")
    kept = [re.sub(rf"{_SCIP}.*|\(obj:[^()]*\)\s*$", "", line) for line in lines]
    return _Pairs(_words(path, kept, 1, 2), others_are_zero=True)


def _of_gurobi(path: Path, text: str) -> _Pairs:
    """Lines of a name and a value; comments begin with #."""
    kept = ["" if line.startswith("#") else line for line in text.splitlines()]
    return _Pairs(_words(path, kept, 1, 2))


def _of_cplex(path: Path, text: str) -> _Pairs:
    """Elements ``variable`` with the attributes ``name`` and ``value``."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InputError(f"{str(path)!r} declares a document type, which no solution file does")
    try:
        root = ElementTree.fromstring(text.lstrip())
    except ElementTree.ParseError as error:
        raise InputError(f"{str(path)!r} is no XML: {error}") from None
    solutions = [root] if root.tag == "CPLEXSolution" else root.findall("CPLEXSolution")
    if len(solutions) != 1:
        raise InputError(f"{str(path)!r} holds {len(solutions)} solutions, expected one")
    header = solutions[0].find("header")
    pairs = []
    for number, each in enumerate(solutions[0].findall("variables/variable"), start=1):
        name, value = each.get("name"), each.get("value")
        if name is None or value is None:
            lacking = "name" if name is None else "value"
            raise InputError(f"{str(path)!r}, variable {number} has no attribute {lacking!r}")
        pairs.append((f"variable {number}", (name, value)))
    return _Pairs(pairs, header is not None and header.get("writeLevel") == _NONZERO)


def _words(
    path: Path, lines: Iterable[str], start: int, count: int
) -> list[tuple[str, tuple[str, Any]]]:
    """Names and values from lines of words, the first with this number; blank lines are none."""
    pairs = []
    for number, line in enumerate(lines, start=start):
        words = line.split()
        if words and len(words) != count:
            raise InputError(
                f"{str(path)!r}, line {number}: {line[:40]!r}, expected name and value"
            )
        if words:
            pairs.append((f"line {number}", (words[0], words[1])))
    return pairs


_NONZERO = "3"  # CPLEX's write level of all values that are not 0
_HIGHS = r"^# Columns -?\d+\s*$"
_SCIP = r"^(?:solution status|objective value):"
_SOLUTIONS: dict[str, Callable[[Path, str], _Pairs]] = {
    r"<CPLEXSolution": _of_cplex,
    _HIGHS: _of_highs,
    _SCIP: _of_scip,
    r"^# (?:Objective value\s*=|Solution file|Solution for model)": _of_gurobi,
}


def _number(value: Any, what: str) -> float:
    """A finite number, from a cell of text or a mapping's entry."""
    try:
        number = math.nan if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{what} is {value!r}, expected a finite number")
    return number
