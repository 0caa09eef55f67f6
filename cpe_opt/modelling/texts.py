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
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.modelling.names import unused_name
from cpe_opt.modelling.program import ENDLESS, LinearProgram

Texts = Any  # an array of texts of pyarrow, which is loaded where a file is written

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
        chunks += ["\nGeneral", _lines("\n ", names.take(np.flatnonzero(program.integer)))]
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
    chunks += [f"\nROWS\n N {objective}", _lines("\n ", kinds, " ", rows)]
    chunks += ["\nCOLUMNS", _mps_columns(program, sign * program.costs, columns, objective)]
    chunks += ["\nRHS", _lines(f"\n {side_set} ", rows.take(stated), " ", _numbers(sides[stated]))]
    if ranged.size:
        chunks.append("\nRANGES")
        chunks.append(_lines(f"\n {range_set} ", rows.take(ranged), " ", _numbers(widths)))
    chunks += ["\nBOUNDS", _mps_bounds(program, columns, bound_set)]
    if quadratic is not None:
        one, other, values = _triangle(quadratic)
        entries = columns.take(one), " ", columns.take(other), " ", _numbers(sign * values)
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
    parts = [_terms(program.costs[shown], names.take(np.flatnonzero(shown)))]
    if quadratic is not None:
        one, other, values = _triangle(quadratic)
        pairs = zip(names.take(one).to_pylist(), names.take(other).to_pylist(), strict=True)
        factors = [f"{i} ^ 2" if i == j else f"{i} * {j}" for i, j in pairs]
        products = _terms(np.where(one == other, values, 2.0 * values), _texts(factors))
        parts += [_texts([" + ["]), products, _texts([" ] / 2"])]
    return _wrapped([f"\n {OBJECTIVE}:"], [0, sum(map(len, parts))], parts)


def _lp_rows(program: LinearProgram, names: Texts) -> str:
    """The rows: terms, one of coefficient 0 where there are none, and a side without a column."""
    matrix, lower, upper = program.matrix, program.row_lower, program.row_upper
    above = np.isfinite(lower)
    relations = np.select([lower == upper, above], [" = ", " >= "], " <= ")
    nothing = np.where(np.diff(matrix.indptr) == 0, f" + 0 {names[0]}", "")
    sides = _joined(nothing, relations, _numbers(np.where(above, lower, upper)))
    terms = _terms(matrix.data, names.take(matrix.indices))
    rows = np.arange(len(sides) + 1)
    order = np.insert(np.arange(len(terms)), matrix.indptr[1:], len(terms) + rows[:-1])
    heads = [f"\n {name}:" for name in program.row_names]
    return _wrapped(heads, (matrix.indptr + rows).tolist(), [terms, sides], order)


def _lp_bounds(program: LinearProgram, names: Texts) -> str:
    shown = (program.column_lower != 0.0) | (program.column_upper != np.inf)
    lower, upper = program.column_lower[shown], program.column_upper[shown]
    least, most = (_numbers(each).to_numpy(zero_copy_only=False) for each in (lower, upper))
    endless = upper == np.inf
    left = np.where(endless | (lower == upper), "", least + " <= ")
    choices = " = " + least, " free", " >= " + least
    right = np.select(
        [lower == upper, endless & (lower == -np.inf), endless], choices, " <= " + most
    )
    return _lines("\n ", left, names.take(np.flatnonzero(shown)), right)


def _mps_columns(program: LinearProgram, costs: FloatArray, names: Texts, objective: str) -> str:
    """A line for every entry, column by column, that of the objective first."""
    shown = np.flatnonzero(_in_objective(program))
    top = sp.csr_array((costs[shown], shown, [0, len(shown)]), shape=(1, len(costs)))
    matrix = sp.csc_array(sp.vstack([top, program.matrix], format="csc"))
    marks = np.full(matrix.nnz, "", dtype=object)
    for column in np.flatnonzero(np.diff(program.integer, prepend=False)).tolist():
        mark = "INTORG" if program.integer[column] else "INTEND"
        marks[matrix.indptr[column]] = f"\n MARKER 'MARKER' '{mark}'"
    heads = names.take(np.arange(len(names)).repeat(np.diff(matrix.indptr)))
    rows = _texts([objective, *program.row_names]).take(matrix.indices)
    end = "\n MARKER 'MARKER' 'INTEND'" if program.integer[-1] else ""
    return _lines(marks, "\n ", heads, " ", rows, " ", _numbers(matrix.data)) + end


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
    numbers = np.where(valued, _joined(" ", _numbers(values)), "")
    return _lines("\n ", kinds, f" {bound_set} ", names.take(lines // 2), numbers)


def _in_objective(program: LinearProgram) -> BoolArray:
    """Which columns the objective shows: those with a cost, and those that are in no row."""
    entries = np.bincount(program.matrix.indices, minlength=program.shape[1])
    return np.asarray((program.costs != 0.0) | (entries == 0), dtype=np.bool_)


def _triangle(quadratic: sp.csr_array) -> tuple[IntArray, IntArray, FloatArray]:
    """The entries on and above the diagonal, row by row: rows, columns, values."""
    upper = sp.triu(quadratic, format="csr").tocoo()
    return *upper.coords, upper.data


def _terms(values: FloatArray, names: Texts) -> Texts:
    signs = _texts([" + ", " - "]).take((values < 0.0).astype(np.int8))
    return _joined(signs, _numbers(np.abs(values)), " ", names)


def _wrapped(
    heads: Sequence[str], bounds: Sequence[int], parts: Sequence[Texts], order: Any = None
) -> str:
    """Parts ``bounds[h]`` to ``bounds[h + 1]`` after head h, in lines of up to 200 characters."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pa.concat_arrays(parts)
    texts = texts if order is None else texts.take(order)
    ends = np.append(0, np.cumsum(pc.binary_length(texts))).tolist()
    begins, starts = [], []  # of lines: the number of the first part, and what is before it
    for head, first, end in zip(heads, bounds[:-1], bounds[1:], strict=True):
        begins.append(first)
        starts.append(head)
        room = _LONGEST_LINE + 1 - len(head)
        following = bisect_right(ends, ends[first] + room, first, end + 1) - 1
        while following < end:
            begins.append(following)
            starts.append("\n ")
            full = bisect_right(ends, ends[following] + _LONGEST_LINE - 1, following, end + 1) - 1
            following = max(full, following + 1)
    return _lines(_texts(starts), _runs(texts, [*begins, bounds[-1]]))


def _lines(*pieces: Any) -> str:
    """The pieces of every line joined, and the lines; a text is the same piece in all of them."""
    lines = _joined(*pieces)
    return str(_runs(lines, [0, len(lines)])[0])


def _runs(texts: Texts, bounds: Sequence[int]) -> Texts:
    """The texts from each bound to the next one, joined."""
    import pyarrow as pa
    import pyarrow.compute as pc

    offsets = pa.array(bounds, pa.int32())
    return pc.binary_join(pa.ListArray.from_arrays(offsets, texts), "")


def _joined(*pieces: Any) -> Texts:
    import pyarrow.compute as pc

    arrays = [_texts(piece) if isinstance(piece, np.ndarray) else piece for piece in pieces]
    return pc.binary_join_element_wise(*arrays, "")


def _texts(texts: Any) -> Texts:
    import pyarrow as pa

    return pa.array(texts, pa.string())


def _numbers(values: FloatArray) -> Texts:
    """All digits that matter, and no more, as in :func:`repr`, without a ``.0``; -0 is 0."""
    import pyarrow as pa
    import pyarrow.compute as pc

    sizes = np.abs(values)
    # Beyond these, pyarrow has another layout of exponents than Python.
    odd = (sizes != 0.0) & ~((sizes >= 1e-4) & (sizes < 1e6)) & (sizes != np.inf)
    texts = pa.array(values + 0.0).cast(pa.string())
    others = [repr(value).removesuffix(".0") for value in values[odd].tolist()]
    return pc.replace_with_mask(texts, odd, _texts(others)) if others else texts
