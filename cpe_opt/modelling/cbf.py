r"""Cone programs in matrices, and as ``.cbf`` files of the Conic Benchmark Format, version 3.

A :class:`ConeForm` is

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

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write
from cpe_opt.modelling.conic import ConicProgram, entry_names
from cpe_opt.modelling.names import legend_of
from cpe_opt.modelling.program import Sense

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
    """A cone program in matrices: see the module's first lines.

    Columns that stand for nothing in the original program have empty names.
    """

    name: str
    sense: Sense
    costs: FloatArray
    offset: float
    cones: tuple[Cone, ...]
    matrix: sp.csr_array
    constants: FloatArray
    column_names: tuple[str, ...]


def cone_form(program: ConicProgram) -> ConeForm:
    """The program in matrices, with its own columns first, then CVXPY's auxiliary ones.

    Raises :class:`InputError` on whole variables, power cones, or a problem that is not convex by
    CVXPY's rules.
    """
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
