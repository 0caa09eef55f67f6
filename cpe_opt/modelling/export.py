r"""Model files: ``.lp``, ``.mps``, ``.mps.gz``, ``.cbf`` by suffix.

:mod:`cpe_opt.modelling.names` says which names a file can hold. A file reads back as the same
program, digit by digit.

Readers disagree about a constant in the objective, and about rows with two sides or none: see
:func:`plain_dialect`.

**The text**, in the words that every reader takes. Numbers have all their digits; every column is
in the objective or in a row (one without any coefficient gets a coefficient of 0), and every bound
that is not [0, ∞) is given.

LP: ``Minimize`` or ``Maximize``, ``Subject To``, ``Bounds``, ``General``, ``End``; no row has two
sides. MPS: columns within ``MARKER`` lines are integer; rows with two sides are under ``RANGES``.
MPS has no sense that all readers know: HiGHS, SCIP, Gurobi and CPLEX take an ``OBJSENSE`` section,
cbc overlooks it, glpsol refuses the file. A maximisation is therefore the minimisation of the
negated objective, in the row :data:`NEGATED`, by which the file is recognised. (``FREE`` after
the program's name tells cbc which of two layouts it has before it.)

Quadratic terms, one half of x' Q x for a symmetric matrix Q, are one half of what is in brackets in
LP, ``[ 2 x ^ 2 + 4 x * y ] / 2``, and in MPS under ``QUADOBJ``: the entries of Q that are on its
diagonal or above it, the earlier column first. (HiGHS leaves out those below the diagonal.)

**Cone programs** are written from matrices, as ``.cbf`` files of the Conic Benchmark Format,
version 3. A :class:`ConeForm` is

.. math:: \min \text{ or } \max\ c_0 + c^\top x \quad\text{s.t.}\quad A_k x + b_k \in K_k
    \quad\text{for every } k,

with free x and cones by the names of the format:

======== ==================================================================================
``L=``   :math:`\{0\}`
``L+``   :math:`s \ge 0`
``Q``    :math:`s_1 \ge \|(s_2, \ldots, s_m)\|`
``EXP``  :math:`s_1 \ge s_2\, e^{s_3 / s_2}`, :math:`s_2 > 0`, and its closure
``PSD``  symmetric positive semidefinite matrices; s is the lower triangle, row by row
======== ==================================================================================

:func:`cone_form` gets it from CVXPY's reductions for Clarabel, which minimise, drop the constant,
give :math:`b - A x` instead of :math:`A x + b`, turn exponential cones round and multiply entries
off the diagonal of matrices by :math:`\sqrt2`: all of this is undone here.

A file has the rows of each cone one after another under ``CON``, and under ``PSDCON`` the matrices,
their lower triangles entry by entry. The format has no names: comments say what the columns x_0,
x_1, … stand for. H. A. Friberg, "CBLIB 2014: a benchmark library for conic mixed-integer and
continuous optimization", Mathematical Programming Computation 8 (2016).
"""

from __future__ import annotations

import gzip
import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write, write_csv
from cpe_opt.modelling.conic import ConicProgram, entry_names
from cpe_opt.modelling.names import file_names, legend_of, model_suffix, own_name_lines, unused_name
from cpe_opt.modelling.program import ENDLESS, LARGEST, LinearProgram, RowBlock, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram

_SMALLEST = 1e-12  # some readers drop coefficients of rows up to here


def write_program(
    program: LinearProgram | QuadraticProgram,
    path: str | os.PathLike[str],
    legend: Mapping[str, str] | None = None,
) -> Path:
    """Write a program to ``path``; see :func:`cpe_opt.export`, also for what is raised."""
    path = Path(path)
    suffix = model_suffix(path)
    quadratic = None
    linear = program.linear
    if isinstance(program, QuadraticProgram) and program.quadratic.nnz:
        quadratic = program.quadratic
    _check_readable(linear, quadratic)
    meanings = legend_of(program.name, (*linear.column_names, *linear.row_names), legend or {})
    plain = plain_dialect(linear, keep_ranges=suffix != ".lp")
    if quadratic is not None:
        quadratic = quadratic.copy()
        quadratic.resize((plain.shape[1], plain.shape[1]))
    columns = file_names(plain.column_names, "column", suffix)
    rows = file_names(plain.row_names, "row", suffix)
    mark, text_of = ("\\", lp_text) if suffix == ".lp" else ("*", mps_text)
    comments = [
        *own_name_lines(plain.column_names, columns, "column", mark),
        *own_name_lines(plain.row_names, rows, "row", mark),
    ]
    if meanings and suffix == ".lp":
        held = dict(zip((*plain.column_names, *plain.row_names), (*columns, *rows), strict=True))
        comments += [f"\\ {held.get(name, name)}: {words}" for name, words in meanings.items()]
    text = text_of(replace(plain, column_names=columns, row_names=rows), quadratic)
    content = "\n".join([*comments, text]).encode()
    # No time stamp, so that the same program gives the same bytes.
    content = gzip.compress(content, mtime=0) if suffix.endswith(".gz") else content
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)
    if meanings and suffix != ".lp":
        legend_path = path.with_name(f"{path.name[: -len(suffix)]}.legend.csv")
        write_csv(legend_path, ("name", "meaning"), meanings.items())
    return path


def plain_dialect(program: LinearProgram, *, keep_ranges: bool = False) -> LinearProgram:
    """An equal program that every reader understands; the same object if it is one already.

    A constant in the objective becomes the cost of a column ``objective_constant`` that is fixed at
    1. A row without a finite side restricts nothing and is left out. A row with two different
    finite sides becomes ``<row>_lo`` and ``<row>_up``, with ``keep_ranges`` only where no width
    between them gives both to the last digit. Without ``keep_ranges`` a program that has no rows
    gets one, ``no_row``, which says that 0 is at least 0. Names that are taken get a further
    underscore.
    """
    lower, upper = np.isfinite(program.row_lower), np.isfinite(program.row_upper)
    if not (lower | upper).all():
        program = program.keeping_rows(lower | upper)
        lower, upper = np.isfinite(program.row_lower), np.isfinite(program.row_upper)
    split = lower & upper & (program.row_lower != program.row_upper)
    if keep_ranges:
        widths, _ = range_widths(program.row_lower[split], program.row_upper[split])
        split[split] = np.isnan(widths)
    if split.any():
        both = program.row_block.select(split)
        taken = set(program.row_names)
        program = program.keeping_rows(~split)
        infinite = np.full(len(both), np.inf)
        for least, most, end in ((both.lower, infinite, "_lo"), (-infinite, both.upper, "_up")):
            names = tuple(unused_name(name, end, taken) for name in both.names)
            program = program.with_rows(RowBlock(both.matrix, least, most, names))
    if not program.shape[0] and not keep_ranges:
        nothing = sp.csr_array((1, program.shape[1]))
        program = program.with_rows(RowBlock(nothing, np.zeros(1), np.full(1, np.inf), ("no_row",)))
    if program.offset:
        rows = program.shape[0]
        name = unused_name("objective_constant", "", set(program.column_names))
        program = replace(
            program,
            offset=0.0,
            costs=np.append(program.costs, program.offset),
            column_lower=np.append(program.column_lower, 1.0),
            column_upper=np.append(program.column_upper, 1.0),
            integer=np.append(program.integer, False),
            matrix=sp.csr_array(sp.hstack([program.matrix, sp.csr_array((rows, 1))], format="csr")),
            column_names=(*program.column_names, name),
        )
    return program


def _check_readable(program: LinearProgram, quadratic: sp.csr_array | None) -> None:
    """Raise :class:`InputError` if no file can hold the program."""
    if not program.shape[1]:
        raise InputError(f"{program.name!r} has no columns, and no model file is without any")
    costs = np.abs(program.costs)
    if (costs >= ENDLESS).any():
        raise InputError(
            f"column {program.column_names[costs.argmax()]!r} has the number {costs.max():g}, "
            f"which readers take for infinite, as all from {ENDLESS:g} on"
        )
    matrices = [(program.matrix, "row", "coefficient", program.row_names)]
    if quadratic is not None:
        matrices.append((quadratic, "column", "quadratic term", program.column_names))
    for matrix, what, number, names in matrices:
        sizes = np.abs(matrix.data)
        wrong = np.flatnonzero((sizes > 0) & (sizes <= _SMALLEST) | (sizes >= LARGEST))
        if wrong.size:
            row = int(np.searchsorted(matrix.indptr, wrong[0], side="right")) - 1
            raise InputError(
                f"{what} {names[row]!r} has the {number} {matrix.data[wrong[0]]:g}; readers "
                f"drop those up to {_SMALLEST:g} and refuse those from {LARGEST:g} on"
            )


# Programs as the text of model files, in the words that every reader takes.


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
    marks: Any = np.full(matrix.nnz, "", dtype=object) if program.integer.any() else ""
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


# Cone programs in matrices, and as ``.cbf`` files of the Conic Benchmark Format, version 3.


SUFFIX = ".cbf"


def write_conic(
    program: ConicProgram, path: str | os.PathLike[str], legend: Mapping[str, str] | None = None
) -> Path:
    """Write a cone program to ``path``; see :func:`cpe_opt.export`, also for what is raised."""
    path = Path(path)
    if path.suffix.lower() != SUFFIX:
        raise InputError(
            f"{program.name!r} is a cone program, which no {path.suffix or path.name} file can "
            f"hold: expected {SUFFIX}"
        )
    form = cone_form(program)
    labels = program.labels if legend is None else legend
    meanings = legend_of(program.name, program.column_names, labels)
    with atomic_write(path) as temporary:
        temporary.write_text(cbf_text(form, meanings), encoding="utf-8")
    return path


def cbf_text(form: ConeForm, legend: Mapping[str, str] | None = None) -> str:
    """The program in the Conic Benchmark Format."""
    scalar = [cone for cone in form.cones if cone.name != "PSD"]
    rows = sum(cone.size for cone in scalar)
    meanings = {name: f", {words}" for name, words in (legend or {}).items()}
    lines = [f"# {form.name}"]
    for number, name in enumerate(form.column_names):
        if name:
            lines.append(f"# x_{number}: {name}{meanings.get(name, '')}")
    lines += ["", "VER", "3", "", "OBJSENSE", form.sense.upper(), ""]
    columns = len(form.costs)
    lines += ["VAR", f"{columns} 1", f"F {columns}", ""]
    matrices = [cone for cone in form.cones if cone.name == "PSD"]
    if matrices:
        lines += ["PSDCON", str(len(matrices)), *(str(cone.order) for cone in matrices), ""]
    if scalar:
        lines += ["CON", f"{rows} {len(scalar)}"]
        lines += [*(f"{cone.name} {cone.size}" for cone in scalar), ""]
    costs = [f"{place} {_number(form.costs[place])}" for place in np.flatnonzero(form.costs)]
    lines += _section("OBJACOORD", costs)
    if form.offset:
        lines += ["OBJBCOORD", _number(form.offset), ""]
    entries = form.matrix.tocoo()
    triples = list(zip(*(part.tolist() for part in (*entries.coords, entries.data)), strict=True))
    constants = [(int(row), float(form.constants[row])) for row in np.flatnonzero(form.constants)]
    plain = [f"{i} {j} {_number(value)}" for i, j, value in triples if i < rows]
    lines += _section("ACOORD", plain)
    lines += _section("BCOORD", [f"{i} {_number(value)}" for i, value in constants if i < rows])
    place = [  # of the entries of the lower triangles: number, row and column
        (number, row, column)
        for number, cone in enumerate(matrices)
        for row in range(cone.order)
        for column in range(row + 1)
    ]
    inside = ((*place[i - rows], j, value) for i, j, value in triples if i >= rows)
    lines += _section(
        "HCOORD", [f"{number} {j} {k} {m} {_number(value)}" for number, k, m, j, value in inside]
    )
    outside = ((*place[i - rows], value) for i, value in constants if i >= rows)
    lines += _section("DCOORD", [f"{n} {k} {m} {_number(value)}" for n, k, m, value in outside])
    return "\n".join(lines)


def _section(keyword: str, lines: list[str]) -> list[str]:
    return [keyword, str(len(lines)), *lines, ""] if lines else []


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")


@dataclass(frozen=True)
class Cone:
    """One cone, and how many rows it takes: n (n + 1) / 2 for ``PSD`` of order n."""

    name: Literal["L=", "L+", "Q", "EXP", "PSD"]
    size: int

    @property
    def order(self) -> int:
        """The order n of the matrices of a ``PSD`` cone."""
        return int((np.sqrt(8 * self.size + 1) - 1) / 2 + 0.5)


@dataclass(frozen=True, eq=False)
class ConeForm:
    """A cone program in matrices: see the module's first lines."""

    name: str
    sense: Sense
    costs: FloatArray
    offset: float
    cones: tuple[Cone, ...]
    matrix: sp.csr_array
    constants: FloatArray
    column_names: tuple[str, ...]


def cone_form(program: ConicProgram) -> ConeForm:
    """The program in matrices, with its own columns first, then CVXPY's auxiliary ones."""
    import cvxpy

    if program.kind.startswith("MI"):
        raise InputError(f"{program.name!r} has whole variables, and cone forms have none")
    try:
        # A quadratic objective becomes a second-order cone.
        data, _, inverse = program.problem.get_problem_data(
            cvxpy.CLARABEL, solver_opts={"use_quad_obj": False}
        )
    except cvxpy.error.DCPError as error:
        raise InputError(f"{program.name!r} is not convex by CVXPY's rules: {error}") from error
    dims = data["dims"]
    if dims.p3d or dims.pnd:
        raise InputError(f"{program.name!r} has power cones, which are not written to files")
    names, order = _columns(program, data["param_prob"], len(data["c"]))
    rows, divisor, cones = _rows(dims)
    matrix = sp.csr_array(-sp.csr_array(data["A"])[rows][:, order])
    matrix.data /= np.repeat(divisor, np.diff(matrix.indptr))
    matrix.eliminate_zeros()
    matrix.sort_indices()
    sign = 1.0 if program.sense == "min" else -1.0
    offset = float(inverse[-1].inverse_data["offset"])
    return ConeForm(
        program.name,
        program.sense,
        sign * np.asarray(data["c"])[order] + 0.0,
        sign * offset + 0.0,
        cones,
        matrix,
        np.asarray(data["b"])[rows] / divisor + 0.0,
        names,
    )


def _columns(program: ConicProgram, stuffed: Any, count: int) -> tuple[tuple[str, ...], IntArray]:
    """Names of the columns in their new order, and their places in CVXPY's."""
    kept = {variable.id: int(variable.size) for variable in stuffed.variables}
    names: list[str] = []
    order: list[int] = []
    for variable in program.problem.variables():
        if variable.id not in kept:  # it is in no row
            continue
        entries, first = entry_names(variable), stuffed.var_id_to_col[variable.id]
        if kept[variable.id] < variable.size:  # of a symmetric matrix, the upper triangle
            side = variable.shape[0]
            i, j = np.triu_indices(side)
            entries = [entries[place] for place in (j * side + i).tolist()]
        names += entries
        order += range(first, first + len(entries))
    rest = np.setdiff1d(np.arange(count), order)
    return (*names, *[""] * len(rest)), np.concatenate([order, rest]).astype(np.int64)


def _rows(dims: Any) -> tuple[IntArray, FloatArray, tuple[Cone, ...]]:
    """CVXPY's rows in the order of the cones here, the divisor of each, and the cones."""
    cones = [Cone("L=", dims.zero), Cone("L+", dims.nonneg), *(Cone("Q", m) for m in dims.soc)]
    cones = [cone for cone in cones if cone.size]
    plain = sum(cone.size for cone in cones)
    triangles = [Cone("PSD", side * (side + 1) // 2) for side in dims.psd]
    entries = sum(cone.size for cone in triangles)
    first = plain + entries
    exponential = first + np.arange(3 * dims.exp).reshape(dims.exp, 3)[:, ::-1].ravel()
    rows = np.concatenate([np.arange(plain), exponential, plain + np.arange(entries)])
    # An upper triangle column by column is the lower one row by row.
    scales = [np.where(np.equal(*np.tril_indices(side)), 1.0, np.sqrt(2.0)) for side in dims.psd]
    divisor = np.concatenate([np.ones(plain + 3 * dims.exp), *scales])
    return rows, divisor, (*cones, *[Cone("EXP", 3)] * dims.exp, *triangles)
