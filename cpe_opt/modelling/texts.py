"""Programs as the text of model files, in the words that every reader takes.

Numbers have all their digits; every column is in the objective or in a row (one without any
coefficient gets a coefficient of 0), and every bound that is not [0, ∞) is given.

LP: ``Minimize`` or ``Maximize``, ``Subject To``, ``Bounds``, ``General``, ``End``; no row has two
sides. MPS: columns within ``MARKER`` lines are integer; rows with two sides are under ``RANGES``.
MPS has no sense that all readers know: HiGHS, SCIP, Gurobi and CPLEX take an ``OBJSENSE`` section,
cbc overlooks it, glpsol refuses the file. A maximisation is therefore the minimisation of the
negated objective, in the row :data:`NEGATED`, by which the file is recognised. (``FREE`` after
the program's name tells cbc which of two layouts it has before it.)

Quadratic terms, one half of x' Q x for a symmetric matrix Q, are one half of what is in brackets in
LP, ``[ 2 x ^ 2 + 4 x * y ] / 2``, and in MPS under ``QUADOBJ``: the entries of Q that are on its
diagonal or above it, the earlier column first. (HiGHS leaves out those below the diagonal.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.modelling.names import unused_name
from cpe_opt.modelling.program import ENDLESS, LinearProgram

Texts = npt.NDArray[np.object_]  # of str

OBJECTIVE = "obj"
NEGATED = "negated_objective"
_LONGEST_LINE = 200  # characters; some readers take 255


def lp_text(program: LinearProgram, quadratic: sp.csr_array | None = None) -> str:
    """The program in LP format; it has columns, and no constant and no row with two sides."""
    names = _texts(program.column_names)
    chunks = ["Minimize" if program.sense == "min" else "Maximize"]
    chunks += [_lp_objective(program, names, quadratic), "\nSubject To", _lp_rows(program, names)]
    chunks += ["\nBounds", _lp_bounds(program, names)]
    if program.is_integer:
        chunks += ["\nGeneral", _lines("\n ", names[program.integer])]
    return "".join([*chunks, "\nEnd\n"])


def mps_text(program: LinearProgram, quadratic: sp.csr_array | None = None) -> str:
    """The program in free MPS format; it has columns, and no constant and no row without sides."""
    sign, objective = (1.0, OBJECTIVE) if program.sense == "min" else (-1.0, NEGATED)
    columns, rows = _texts(program.column_names), _texts(program.row_names)
    taken = {*program.row_names, *program.column_names}
    sets = (unused_name(usual, "", taken) for usual in ("RHS", "RANGE", "BOUND"))
    side_set, range_set, bound_set = sets
    lower, upper = program.row_lower, program.row_upper
    ranged = np.flatnonzero(np.isfinite(lower) & np.isfinite(upper) & (lower != upper))
    widths, from_upper = range_widths(lower[ranged], upper[ranged])
    at_upper = lower == -np.inf
    at_upper[ranged] = from_upper
    sides = np.where(at_upper, upper, lower)
    kinds = np.where(lower == upper, "E", np.where(at_upper, "L", "G"))
    stated = np.flatnonzero(sides)

    chunks = [f"NAME {re.sub(r'[^A-Za-z0-9_]+', '_', program.name) or 'program'} FREE"]
    if program.sense == "max":
        note = "* a maximisation, written as the minimisation of the negated objective\n"
        chunks.insert(0, note)
    chunks += [f"\nROWS\n N {objective}", _lines("\n ", kinds.astype(object), " ", rows)]
    chunks += ["\nCOLUMNS", _mps_columns(program, sign * program.costs, columns, objective)]
    chunks += ["\nRHS", _lines(f"\n {side_set} ", rows[stated], " ", _numbers(sides[stated]))]
    if ranged.size:
        chunks.append("\nRANGES")
        chunks.append(_lines(f"\n {range_set} ", rows[ranged], " ", _numbers(widths)))
    chunks += ["\nBOUNDS", _mps_bounds(program, columns, bound_set)]
    if quadratic is not None:
        one, other, values = _triangle(quadratic)
        entries = columns[one], " ", columns[other], " ", _numbers(sign * values)
        chunks += ["\nQUADOBJ", _lines("\n ", *entries)]
    return "".join([*chunks, "\nENDATA\n"])


def range_widths(lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Widths of rows with two sides, and whether they are subtracted from the upper side.

    A reader adds the width to the lower side or subtracts it from the upper one, and rounds. The
    width is one with which it gets the other side to the last digit; nan where there is none.
    """
    widths, from_upper = np.full(len(lower), np.nan), np.zeros(len(lower), dtype=np.bool_)
    nearest = upper - lower
    for subtracted in (False, True):
        for width in (nearest, np.nextafter(nearest, np.inf), np.nextafter(nearest, 0.0)):
            exact = upper - width == lower if subtracted else lower + width == upper
            exact &= np.isnan(widths) & (width < ENDLESS)
            widths[exact], from_upper[exact] = width[exact], subtracted
    return widths, from_upper


def is_negated(text: Iterable[str]) -> bool:
    """Whether these lines of an MPS file are a maximisation as :func:`mps_text` writes it."""
    for line in text:
        if line.startswith("COLUMNS"):
            break
        if line.split() == ["N", NEGATED]:
            return True
    return False


def _lp_objective(program: LinearProgram, names: Texts, quadratic: sp.csr_array | None) -> str:
    shown = _in_objective(program)
    shown[0] |= not shown.any()
    terms = _terms(program.costs[shown], names[shown])
    if quadratic is not None:
        one, other, values = _triangle(quadratic)
        square = one == other
        factors = names[one] + np.where(square, " ^ 2", " * " + names[other])
        products = _terms(np.where(square, values, 2.0 * values), factors)
        terms = np.concatenate([terms, [" + ["], products, [" ] / 2"]])
    return _wrapped([f"\n {OBJECTIVE}:"], np.array([0, len(terms)]), terms)


def _lp_rows(program: LinearProgram, names: Texts) -> str:
    """The rows: terms, one of coefficient 0 where there are none, and a side without a column."""
    matrix, lower, upper = program.matrix, program.row_lower, program.row_upper
    above = np.isfinite(lower)
    relations = np.select([lower == upper, above], [" = ", " >= "], " <= ").astype(object)
    sides = relations + _numbers(np.where(above, lower, upper))
    empty = np.diff(matrix.indptr) == 0
    sides[empty] = f" + 0 {names[0]}" + sides[empty]
    parts = np.insert(_terms(matrix.data, names[matrix.indices]), matrix.indptr[1:], sides)
    heads = [f"\n {name}:" for name in program.row_names]
    return _wrapped(heads, matrix.indptr + np.arange(len(heads) + 1), parts)


def _lp_bounds(program: LinearProgram, names: Texts) -> str:
    shown = (program.column_lower != 0.0) | (program.column_upper != np.inf)
    lower, upper = program.column_lower[shown], program.column_upper[shown]
    least, most = _numbers(lower), _numbers(upper)
    endless = upper == np.inf
    left = np.where(endless | (lower == upper), "", least + " <= ")
    choices = " = " + least, " free", " >= " + least
    right = np.select(
        [lower == upper, endless & (lower == -np.inf), endless], choices, " <= " + most
    )
    return _lines("\n ", left, names[shown], right)


def _mps_columns(program: LinearProgram, costs: FloatArray, names: Texts, objective: str) -> str:
    """A line for every entry, column by column, that of the objective first."""
    shown = np.flatnonzero(_in_objective(program))
    top = sp.csr_array((costs[shown], shown, [0, len(shown)]), shape=(1, len(costs)))
    matrix = sp.csc_array(sp.vstack([top, program.matrix], format="csc"))
    heads = ("\n " + names + " ").repeat(np.diff(matrix.indptr))
    switches = np.flatnonzero(np.diff(program.integer, prepend=False))
    for column in switches.tolist():
        mark = "INTORG" if program.integer[column] else "INTEND"
        place = matrix.indptr[column]
        heads[place] = f"\n MARKER 'MARKER' '{mark}'{heads[place]}"
    rows = _texts([objective, *program.row_names])[matrix.indices]
    end = "\n MARKER 'MARKER' 'INTEND'" if program.integer[-1] else ""
    return _lines(heads, rows, " ", _numbers(matrix.data)) + end


def _mps_bounds(program: LinearProgram, names: Texts, bound_set: str) -> str:
    """Up to two lines for every column: its lower bound, or both in one, and its upper bound."""
    lower, upper = program.column_lower, program.column_upper
    fixed, free = lower == upper, (lower == -np.inf) & (upper == np.inf)
    # An upper bound of 0 or below alone takes the lower one away in some readers.
    stated = (lower != 0.0) | (upper <= 0.0)
    first = np.select([fixed, free, lower == -np.inf, stated], ["FX", "FR", "MI", "LO"], "")
    # Some readers take 1 for the usual upper bound of an integer column.
    second = np.select([fixed | free, upper < np.inf, program.integer], ["", "UP", "PL"], "")
    kinds, values = np.stack([first, second], 1).ravel(), np.stack([lower, upper], 1).ravel()
    lines = np.flatnonzero(kinds != "")
    kinds, values = kinds[lines], values[lines]
    valued = np.isin(kinds, ["FX", "LO", "UP"])
    numbers = np.where(valued, " " + _numbers(values), "")
    return _lines("\n ", kinds.astype(object), f" {bound_set} ", names[lines // 2], numbers)


def _in_objective(program: LinearProgram) -> BoolArray:
    """Which columns the objective shows: those with a cost, and those that are in no row."""
    entries = np.bincount(program.matrix.indices, minlength=program.shape[1])
    return np.asarray((program.costs != 0.0) | (entries == 0), dtype=np.bool_)


def _triangle(quadratic: sp.csr_array) -> tuple[IntArray, IntArray, FloatArray]:
    """The entries on and above the diagonal, row by row: rows, columns, values."""
    upper = sp.triu(quadratic, format="csr").tocoo()
    return *upper.coords, upper.data


def _terms(values: FloatArray, names: Texts) -> Texts:
    signs = np.where(values < 0.0, " - ", " + ").astype(object)
    return np.asarray(signs + _numbers(np.abs(values)) + " " + names)


def _wrapped(heads: Sequence[str], bounds: IntArray, parts: Texts) -> str:
    """Parts ``bounds[h]`` to ``bounds[h + 1]`` after head h, in lines of up to 200 characters."""
    pieces = []
    for head, first, end in zip(heads, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        pieces.append(head)
        size = len(head) - 1
        for part in parts[first:end].tolist():
            size += len(part)
            if size > _LONGEST_LINE:
                pieces.append("\n ")
                size = 1 + len(part)
            pieces.append(part)
    return "".join(pieces)


def _lines(*pieces: Texts | str) -> str:
    """The pieces of every line joined, and the lines; a text is the same piece in all of them."""
    count = max(len(piece) for piece in pieces if isinstance(piece, np.ndarray))
    table = np.empty((count, len(pieces)), dtype=object)
    for column, piece in enumerate(pieces):
        table[:, column] = piece
    return "".join(table.ravel().tolist())


def _texts(texts: Sequence[str]) -> Texts:
    return np.array(texts, dtype=object)


def _numbers(values: FloatArray) -> Texts:
    """All digits that matter, and no more, as in :func:`repr`, without a ``.0``; -0 is 0."""
    import pyarrow as pa

    sizes = np.abs(values)
    # Beyond these, pyarrow has another layout of exponents than Python.
    usual = (sizes == 0.0) | (sizes >= 1e-4) & (sizes < 1e6) | (sizes == np.inf)
    texts = np.empty(len(values), dtype=object)
    texts[usual] = pa.array(values[usual] + 0.0).cast(pa.string()).to_numpy(zero_copy_only=False)
    texts[~usual] = [repr(value).removesuffix(".0") for value in values[~usual].tolist()]
    return texts
