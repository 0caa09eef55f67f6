"""Programs as the text of model files, in the words that every reader takes.

Both formats write numbers with all their digits, name every column in the objective or in a row
(a column that has no coefficient at all gets a coefficient of 0), and give every bound that is not
[0, ∞).

LP: ``Minimize`` or ``Maximize``, ``Subject To``, ``Bounds``, ``General``, ``End``; no row has two
sides. MPS: columns within ``MARKER`` lines are integer; rows with two sides are under ``RANGES``.
MPS has no sense that all readers know: HiGHS, SCIP, Gurobi and CPLEX take an ``OBJSENSE`` section,
cbc overlooks it, glpsol refuses the file. A maximisation is therefore the minimisation of the
negated objective, in the row :data:`NEGATED`, by which the file is recognised. (``FREE`` after
the program's name tells cbc which of two layouts it has before it.)

The quadratic terms of an objective are written as one half of what is in brackets in LP,
``[ 2 x ^ 2 + 4 x * y ] / 2``, and in MPS under ``QUADOBJ``: the entries of Q that are on its
diagonal or above it, the earlier column first. (HiGHS leaves out those below the diagonal.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np
import scipy.sparse as sp

from cpe_opt.modelling.names import unused_name
from cpe_opt.modelling.program import LinearProgram

OBJECTIVE = "obj"
NEGATED = "negated_objective"
_LONGEST_LINE = 200  # characters; some readers take 255


def lp_text(program: LinearProgram, quadratic: sp.csr_array | None = None) -> str:
    """The program in LP format; it has columns, and no constant and no row with two sides.

    ``quadratic`` is the symmetric matrix of the quadratic terms of its objective, if it has any.
    """
    names = program.column_names
    lines = ["Minimize" if program.sense == "min" else "Maximize"]
    entries_of = np.bincount(program.matrix.indices, minlength=program.shape[1])
    shown = (program.costs != 0.0) | (entries_of == 0)
    shown[0] |= not shown.any()
    objective = [(program.costs[k], names[k]) for k in np.flatnonzero(shown)]
    terms = [*_terms(objective), *_product_terms(names, quadratic)]
    lines += _wrapped(f" {OBJECTIVE}:", terms)
    lines.append("Subject To")
    matrix = program.matrix
    for row, name in enumerate(program.row_names):
        entries = slice(matrix.indptr[row], matrix.indptr[row + 1])
        columns = matrix.indices[entries].tolist()
        pairs = list(zip(matrix.data[entries].tolist(), columns, strict=True)) or [(0.0, 0)]
        terms = _terms((value, names[column]) for value, column in pairs)
        lower, upper = program.row_lower[row], program.row_upper[row]
        side = "=" if lower == upper else ">=" if np.isfinite(lower) else "<="
        number = lower if np.isfinite(lower) else upper
        lines += _wrapped(f" {name}:", [*terms, f"{side} {_number(number)}"])
    lines.append("Bounds")
    for name, lower, upper in _column_bounds(program):
        if lower == upper:
            lines.append(f" {name} = {_number(lower)}")
        elif lower == -np.inf and upper == np.inf:
            lines.append(f" {name} free")
        elif upper == np.inf:
            if lower != 0.0:
                lines.append(f" {name} >= {_number(lower)}")
        else:
            least = "-inf" if lower == -np.inf else _number(lower)
            lines.append(f" {least} <= {name} <= {_number(upper)}")
    if program.is_integer:
        lines += ["General", *(f" {names[k]}" for k in np.flatnonzero(program.integer))]
    return "\n".join([*lines, "End", ""])


def mps_text(program: LinearProgram, quadratic: sp.csr_array | None = None) -> str:
    """The program in free MPS format; it has columns, and no constant and no row without sides.

    ``quadratic`` is the symmetric matrix of the quadratic terms of its objective, if it has any.
    """
    sign, objective = (1.0, OBJECTIVE) if program.sense == "min" else (-1.0, NEGATED)
    lines = [f"NAME {re.sub(r'[^A-Za-z0-9_]+', '_', program.name) or 'program'} FREE"]
    if program.sense == "max":
        lines.insert(0, "* a maximisation, written as the minimisation of the negated objective")
    lower, upper = program.row_lower, program.row_upper
    kinds = np.where(lower == upper, "E", np.where(np.isfinite(lower), "G", "L"))
    lines += ["ROWS", f" N {objective}"]
    lines += [f" {kind} {name}" for kind, name in zip(kinds, program.row_names, strict=True)]
    lines += ["COLUMNS", *_mps_columns(program, sign, objective)]
    sides = np.where(np.isfinite(lower), lower, upper)
    names = {*program.row_names, *program.column_names}
    sets = (unused_name(usual, "", names) for usual in ("RHS", "RANGE", "BOUND"))
    side_set, range_set, bound_set = sets
    lines.append("RHS")
    lines += [
        f" {side_set} {program.row_names[k]} {_number(sides[k])}" for k in np.flatnonzero(sides)
    ]
    ranged = np.flatnonzero(np.isfinite(lower) & np.isfinite(upper) & (lower != upper))
    if ranged.size:
        widths = [(program.row_names[k], upper[k] - lower[k]) for k in ranged]
        lines += ["RANGES", *(f" {range_set} {name} {_number(width)}" for name, width in widths)]
    lines += ["BOUNDS", *_mps_bounds(program, bound_set)]
    if quadratic is not None:
        lines.append("QUADOBJ")
        for one, other, value in _triangle(quadratic):
            names_of = program.column_names[one], program.column_names[other]
            lines.append(f" {' '.join(names_of)} {_number(sign * value)}")
    return "\n".join([*lines, "ENDATA", ""])


def _mps_columns(program: LinearProgram, sign: float, objective: str) -> Iterator[str]:
    matrix, within = program.matrix.tocsc(), False
    for column, name in enumerate(program.column_names):
        if bool(program.integer[column]) != within:
            within = not within
            yield f" MARKER 'MARKER' '{'INTORG' if within else 'INTEND'}'"
        entries = slice(matrix.indptr[column], matrix.indptr[column + 1])
        rows = matrix.indices[entries].tolist()
        cost = sign * program.costs[column]
        if cost or not rows:
            yield f" {name} {objective} {_number(cost)}"
        for row, value in zip(rows, matrix.data[entries].tolist(), strict=True):
            yield f" {name} {program.row_names[row]} {_number(value)}"
    if within:
        yield " MARKER 'MARKER' 'INTEND'"


def _mps_bounds(program: LinearProgram, bound_set: str) -> Iterator[str]:
    bounds = zip(_column_bounds(program), program.integer.tolist(), strict=True)
    for (name, lower, upper), whole in bounds:
        if lower == upper:
            yield f" FX {bound_set} {name} {_number(lower)}"
        elif lower == -np.inf and upper == np.inf:
            yield f" FR {bound_set} {name}"
        else:
            # An upper bound of 0 or below alone takes the lower one away in some readers.
            if lower == -np.inf:
                yield f" MI {bound_set} {name}"
            elif lower != 0.0 or upper <= 0.0:
                yield f" LO {bound_set} {name} {_number(lower)}"
            if upper < np.inf:
                yield f" UP {bound_set} {name} {_number(upper)}"
            elif whole:  # some readers take 1 for the usual upper bound of an integer column
                yield f" PL {bound_set} {name}"


def is_negated(text: Iterable[str]) -> bool:
    """Whether these lines of an MPS file are a maximisation as :func:`mps_text` writes it."""
    for line in text:
        if line.startswith("COLUMNS"):
            break
        if line.split() == ["N", NEGATED]:
            return True
    return False


def _column_bounds(program: LinearProgram) -> Iterator[tuple[str, float, float]]:
    lower, upper = program.column_lower.tolist(), program.column_upper.tolist()
    return zip(program.column_names, lower, upper, strict=True)


def _triangle(quadratic: sp.csr_array) -> Iterator[tuple[int, int, float]]:
    """The entries on and above the diagonal, row by row: row, column, value."""
    upper = sp.triu(quadratic, format="csr").tocoo()
    return zip(*(each.tolist() for each in (*upper.coords, upper.data)), strict=True)


def _product_terms(names: tuple[str, ...], quadratic: sp.csr_array | None) -> list[str]:
    """The quadratic terms of an objective, in brackets of which it has one half."""
    if quadratic is None:
        return []
    pairs = [
        (value, f"{names[one]} ^ 2")
        if one == other
        else (2.0 * value, f"{names[one]} * {names[other]}")
        for one, other, value in _triangle(quadratic)
    ]
    return ["+ [", *_terms(pairs), "] / 2"]


def _terms(pairs: Iterable[tuple[float, str]]) -> list[str]:
    return [f"{'-' if value < 0 else '+'} {_number(abs(value))} {name}" for value, name in pairs]


def _wrapped(head: str, parts: Iterable[str]) -> list[str]:
    """The parts after the head, on as many lines as needed."""
    lines = [head]
    for part in parts:
        if len(lines[-1]) + len(part) >= _LONGEST_LINE:
            lines.append(" ")
        lines[-1] += f" {part}"
    return lines


def _number(value: float) -> str:
    """All digits that matter, and no more; -0 is 0."""
    return repr(float(value) + 0.0).removesuffix(".0")
