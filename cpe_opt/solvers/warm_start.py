"""Points to start from, by the names of columns; and points as files.

A start gives columns values. A solver that takes one begins there: HiGHS turns a point of a linear
program into a basis, and a point of an integer program, which may leave columns out, is the first
incumbent if it can be completed; SCIP and CP-SAT take the latter as a hint.

Files of values are tables (``.csv``, header ``name,value``), mappings (``.json``, also with the
values under the key ``values``), and solution files (``.sol``) of HiGHS, known by a line
``# Columns``, and of SCIP, known by ``solution status:`` or ``objective value:``. Columns that a
file of SCIP leaves out are 0, and so are those of a sparse file of HiGHS (``# Columns -3``).
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

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


@checked_types
def read_values(path: str | os.PathLike[str]) -> dict[str, float]:
    """The values of a file that ends in ``.csv``, ``.json`` or ``.sol``, by name.

    What the file leaves out is not in the mapping, even where it means 0.

    Raises :class:`InputError` if the file is missing, has another suffix, or does not hold
    values, with the line.
    """
    return _read(Path(path))[0]


@checked_types
def write_values(result: SolveResult, path: str | os.PathLike[str]) -> Path:
    """Write the values of a result's columns to a ``.csv``, ``.json`` or ``.sol`` file.

    :func:`read_values` reads all three. A ``.sol`` is a solution file of HiGHS (its option
    ``--read_solution_file``), with the values and, where there are, the duals of columns and rows
    of a linear or integer program. It fits the ``.mps`` file that :func:`cpe_opt.export` writes of
    the program: its names are those of that file, a constant of the objective is the column
    ``objective_constant``, and rows without sides are left out. The objective and the duals are the
    program's own, where that file holds the minimisation of a negated objective, too.

    Raises :class:`NotOptimal` if the solve ended without a point, :class:`WriteFailed`, and
    :class:`InputError` on another suffix and on a ``.sol`` of a quadratic or cone program.

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
    suffix = _suffix(path)
    if suffix == ".csv":
        rows = ((name, repr(value)) for name, value in result.values.items())
        write_csv(path, ("name", "value"), rows)
        return path
    text = json.dumps(result.values, indent=1) if suffix == ".json" else _solution_text(result)
    with atomic_write(path) as temporary:
        temporary.write_text(f"{text}\n", encoding="utf-8")
    return path


def start_of(program: LinearProgram, given: WarmStart) -> FloatArray:
    """The start as a point, NaN if it has no value; shape (columns,).

    Names may also be those that the columns have in the model files that :func:`cpe_opt.export`
    writes of the program; their column of the objective's constant is passed over.

    Raises :class:`InputError` on names of no columns, values that are no finite numbers, none at
    all, or, for a linear program, columns without one.
    """
    values, others_are_zero = (given, False) if isinstance(given, Mapping) else _read(Path(given))
    column_of = _columns_in_files(program)
    start = np.full(program.shape[1], 0.0 if others_are_zero else np.nan)
    for name, value in values.items():
        if name not in column_of:
            raise UnknownName(f"column of {program.name}", name, program.column_names)
        if column_of[name] < len(start):
            start[column_of[name]] = checked_finite(f"warm_start: {name}", value)
    missing = np.flatnonzero(np.isnan(start))
    if missing.size == len(start):
        raise InputError(f"warm_start has no value of a column of {program.name!r}")
    if missing.size and not program.is_integer:
        name = program.column_names[missing[0]]
        raise InputError(f"warm_start has no value of {name!r}: a linear program needs all")
    return start


def _columns_in_files(program: LinearProgram) -> dict[str, int]:
    """Numbers of columns by their names here and in exported files; the constant comes last."""
    names = plain_dialect(program, keep_ranges=True).column_names
    column_of = {name: number for number, name in enumerate(names)}
    for suffix in (".mps", ".lp"):
        for number, name in enumerate(file_names(names, "column", suffix)):
            column_of.setdefault(name, number)
    return column_of


def _solution_text(result: SolveResult) -> str:
    """The result as HiGHS writes it, without a basis."""
    program = result.program
    if not isinstance(program, LinearProgram):
        kind = "no linear program, as a .sol file holds: expected a name in .csv or .json"
        raise InputError(f"{result.program_name!r} is {kind}")
    if result.x is None:
        raise NotOptimal(result)
    plain = plain_dialect(program, keep_ranges=True)
    x = np.append(result.x, np.ones(plain.shape[1] - program.shape[1]))
    duals = "None"
    if result.row_duals is not None:
        y = np.array([result.duals[name] for name in plain.row_names])
        duals = f"Feasible\n{_values_text(plain, reduced_costs(plain, y), y)}"
    return f"""Model status
{"Optimal" if result.is_optimal else "Unknown"}

# Primal solution values
Feasible
Objective {program.objective(result.x)!r}
{_values_text(plain, x, plain.matrix @ x)}

# Dual solution values
{duals}

# Basis
HiGHS_basis_file v2
None"""


def _values_text(program: LinearProgram, columns: FloatArray, rows: FloatArray) -> str:
    """Values of columns and of rows, by the names that they have in an MPS file."""
    lines = []
    named = (("column", program.column_names, columns), ("row", program.row_names, rows))
    for what, names, values in named:
        lines.append(f"# {what.capitalize()}s {len(names)}")
        pairs = zip(file_names(names, what, ".mps"), values.tolist(), strict=True)
        lines += [f"{name} {value + 0.0!r}" for name, value in pairs]
    return "\n".join(lines)


_Pairs: TypeAlias = list[tuple[str, str, Any]]  # place in the file, name, value


def _read(path: Path) -> tuple[dict[str, float], bool]:
    """The values of a file, and whether the columns that it leaves out are 0."""
    read = {".csv": _from_csv, ".json": _from_json, ".sol": _from_solution}[_suffix(path)]
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else "it is no text"
        raise InputError(f"cannot read {str(path)!r}: {reason}") from None
    pairs, others_are_zero = read(path, text)
    values: dict[str, float] = {}
    for place, name, value in pairs:
        if name in values:
            raise InputError(f"{str(path)!r}, {place}: {name!r} has a value already")
        values[name] = checked_finite(f"{str(path)!r}, {place}: the value of {name!r}", value)
    return values, others_are_zero


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".json", ".sol"):
        raise InputError(f"cannot tell the format of {path.name!r}: expected .csv, .json, .sol")
    return suffix


def _from_csv(path: Path, text: str) -> tuple[_Pairs, bool]:
    rows = [[cell.strip() for cell in row] for row in csv.reader(text.splitlines())]
    if rows[:1] != [["name", "value"]]:
        raise InputError(f"{str(path)!r} has no header name,value")
    return _pairs(path, rows[1:], 2), False


def _from_json(path: Path, text: str) -> tuple[_Pairs, bool]:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{str(path)!r} is no JSON: {error}") from None
    if isinstance(content, dict) and isinstance(content.get("values"), dict):
        content = content["values"]
    if not isinstance(content, dict):
        raise InputError(f"{str(path)!r} holds no mapping from names to values")
    return [("its mapping", name, value) for name, value in content.items()], False


def _from_solution(path: Path, text: str) -> tuple[_Pairs, bool]:
    """Of HiGHS the first ``# Columns``, the primal values; of SCIP all lines but the heads."""
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        if header := re.fullmatch(r"# Columns (-?)(\d+)\s*", line):
            rows = [line.split() for line in lines[number : number + int(header[2])]]
            if header[1]:  # zeros are left out, and the number of the column comes last
                rows = [row[:-1] for row in rows]
            if len(rows) < int(header[2]) or not all(rows):
                raise InputError(f"{str(path)!r}, line {number}: fewer columns than {header[2]}")
            return _pairs(path, rows, number + 1), bool(header[1])
    head = r"^(?:solution status|objective value):.*"
    if not re.search(head, text, re.MULTILINE):
        known = "HiGHS ('# Columns') or SCIP ('objective value:'): make others a .csv file"
        raise InputError(f"{str(path)!r} is no solution file of {known}")
    # The cost of a column is in brackets after its value.
    rows = [re.sub(rf"{head}|\(obj:[^()]*\)\s*$", "", line).split() for line in lines]
    return _pairs(path, rows, 1), True


def _pairs(path: Path, rows: list[list[str]], first: int) -> _Pairs:
    """Names and values of rows of two words or none, the first row with this number."""
    pairs = []
    for number, row in enumerate(rows, start=first):
        try:
            if row:
                name, value = row
                pairs.append((f"line {number}", name, float(value)))
        except ValueError:
            said = f"{' '.join(row)[:40]!r}, expected a name and a number"
            raise InputError(f"{str(path)!r}, line {number}: {said}") from None
    return pairs
