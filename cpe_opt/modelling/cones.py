r"""Cone programs as matrices: the form of files, to which any program is reduced.

A :class:`ConeForm` is

.. math:: \min \text{ or } \max\ c_0 + c^\top x \quad\text{s.t.}\quad A_k x + b_k \in K_k
    \quad\text{for every } k,

with free x and cones by the names of the Conic Benchmark Format:

======== ==================================================================================
``L=``   :math:`\{0\}`
``L+``   :math:`s \ge 0`
``L-``   :math:`s \le 0`
``F``    all of :math:`\mathbb R^m`
``Q``    :math:`s_1 \ge \|(s_2, \ldots, s_m)\|`
``QR``   :math:`2 s_1 s_2 \ge \|(s_3, \ldots, s_m)\|^2`, :math:`s_1, s_2 \ge 0`
``EXP``  :math:`s_1 \ge s_2\, e^{s_3 / s_2}`, :math:`s_2 > 0`, and its closure
``EXP*`` its dual, :math:`s_1 \ge -s_3\, e^{s_2 / s_3 - 1}`, :math:`s_3 < 0`, and its closure
``POW``  :math:`\prod_{j \le k} s_j^{\sigma_j} \ge \|(s_{k+1}, \ldots, s_m)\|`,
         :math:`s_1, \ldots, s_k \ge 0`, :math:`\sigma` k given exponents over their sum
``POW*`` its dual, which has :math:`s_j / \sigma_j` in place of :math:`s_j`, j up to k
``PSD``  symmetric positive semidefinite matrices; s is the lower triangle, row by row
======== ==================================================================================

:func:`cone_form` gets it from CVXPY's reductions for Clarabel, which minimise, drop the constant,
give :math:`b - A x` instead of :math:`A x + b`, turn exponential cones round and multiply entries
off the diagonal of matrices by :math:`\sqrt2`: all of this is undone here. A power cone of more
than two exponents becomes a chain of cones of two, :math:`s_1^a u^{1-a} \ge |z|` with u in the
cone of what is left, and more than one s behind them a second-order cone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.conic import ConicProgram, entry_names
from cpe_opt.modelling.program import Sense

ConeName: TypeAlias = Literal["L=", "L+", "L-", "F", "Q", "QR", "EXP", "EXP*", "POW", "POW*", "PSD"]
CONES: tuple[ConeName, ...] = get_args(ConeName)
POWERS: tuple[ConeName, ...] = ("POW", "POW*")


@dataclass(frozen=True)
class Cone:
    """One cone of ``CONES``, and how many rows it takes: n (n + 1) / 2 for ``PSD`` of order n.

    ``exponents`` are those of ``POW`` and ``POW*``, positive numbers of any sum.
    """

    name: ConeName
    size: int
    exponents: tuple[float, ...] = ()

    @property
    def order(self) -> int:
        """The order n of the matrices of a ``PSD`` cone."""
        return int((np.sqrt(8 * self.size + 1) - 1) / 2 + 0.5)


@dataclass(frozen=True, eq=False)
class ConeForm:
    """A cone program in matrices; see the module's first lines.

    Attributes
    ----------
    costs : float array, shape (n,)
    cones : tuple of Cone
        In the order of the rows.
    matrix : csr_array, shape (rows, n)
    constants : float array, shape (rows,)
    column_names : tuple of str
        Empty for columns that stand for nothing in the original program.
    integer : tuple of int
        The columns that must be whole.
    """

    name: str
    sense: Sense
    costs: FloatArray
    offset: float
    cones: tuple[Cone, ...]
    matrix: sp.csr_array
    constants: FloatArray
    column_names: tuple[str, ...]
    integer: tuple[int, ...] = ()

    def program(self) -> ConicProgram:
        """The program in one variable ``x``, to be solved by any conic solver.

        Power cones may add variables ``power_…``.
        """
        import cvxpy

        whole = [(column,) for column in self.integer]
        x = cvxpy.Variable(len(self.costs), name="x", integer=whole or False)
        objective = self.costs @ x + self.offset
        sense = cvxpy.Minimize if self.sense == "min" else cvxpy.Maximize
        constraints = []
        first = 0
        for cone, count in _runs(self.cones):
            rows = slice(first, first + count * cone.size)
            first = rows.stop
            if cone.name != "F":
                value = self.matrix[rows] @ x + self.constants[rows]
                constraints += _constraints(cone, count, value, f"power_{rows.start}")
        return ConicProgram(self.name, cvxpy.Problem(sense(objective), constraints))


def cone_form(program: ConicProgram) -> ConeForm:
    """The program in matrices, with its own columns first, then CVXPY's auxiliary ones.

    Raises :class:`InputError` on whole variables, or a problem that is not convex by CVXPY's rules.
    """
    import cvxpy

    if program.kind == "MIP":
        raise InputError(f"{program.name!r} has whole variables, and cone forms have none")
    try:
        # A quadratic objective becomes a second-order cone.
        data, _, inverse = program.problem.get_problem_data(
            cvxpy.CLARABEL, solver_opts={"use_quad_obj": False}
        )
    except cvxpy.error.DCPError as error:
        raise InputError(f"{program.name!r} is not convex by CVXPY's rules: {error}") from error
    dims = data["dims"]
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
    cones: list[Cone] = []
    if dims.zero:
        cones.append(Cone("L=", dims.zero))
    if dims.nonneg:
        cones.append(Cone("L+", dims.nonneg))
    cones += [Cone("Q", size) for size in dims.soc]
    plain = sum(cone.size for cone in cones)
    triangles = [Cone("PSD", side * (side + 1) // 2) for side in dims.psd]
    entries = sum(cone.size for cone in triangles)
    first = plain + entries
    exponential = first + np.arange(3 * dims.exp).reshape(dims.exp, 3)[:, ::-1].ravel()
    powers = [Cone("POW", 3, (float(a), 1.0 - float(a))) for a in dims.p3d]
    powers += [Cone("POW", len(each) + 1, tuple(map(float, each))) for each in dims.pnd]
    power = first + 3 * dims.exp + np.arange(sum(cone.size for cone in powers))
    rows = np.concatenate([np.arange(plain), exponential, power, plain + np.arange(entries)])
    divisor = np.ones(len(rows))
    first = len(rows) - entries
    for side, cone in zip(dims.psd, triangles, strict=True):
        # Its upper triangle column by column is the lower one row by row.
        i, j = np.tril_indices(side)
        divisor[first : first + cone.size][i != j] = np.sqrt(2.0)
        first += cone.size
    return rows, divisor, (*cones, *[Cone("EXP", 3)] * dims.exp, *powers, *triangles)


def _runs(cones: tuple[Cone, ...]) -> list[tuple[Cone, int]]:
    """Equal cones that follow each other, and how many; they become one constraint."""
    return [(cone, len(list(group))) for cone, group in groupby(cones)]


def _constraints(cone: Cone, count: int, value: Any, name: str) -> list[Any]:
    """The constraints that ``count`` equal cones put on the rows of ``value``.

    Variables that they need begin with ``name``.
    """
    import cvxpy

    if cone.name == "L=":
        return [value == 0]
    if cone.name == "L+":
        return [value >= 0]
    if cone.name == "L-":
        return [value <= 0]
    each = cvxpy.reshape(value, (cone.size, count), order="F")
    if cone.name == "EXP":
        return [cvxpy.ExpCone(each[2, :], each[1, :], each[0, :])]
    if cone.name == "EXP*":
        return [cvxpy.ExpCone(each[2, :] - each[1, :], -each[2, :], each[0, :])]
    if cone.name in POWERS:
        return _power_constraints(cone, count, each, name)
    if cone.name == "Q":
        return [cvxpy.SOC(each[0, :], each[1:, :]) if cone.size > 1 else each[0, :] >= 0]
    if cone.name == "QR":
        total, apart = each[0:1, :] + each[1:2, :], each[0:1, :] - each[1:2, :]
        rest = [np.sqrt(2.0) * each[2:, :]] if cone.size > 2 else []
        return [cvxpy.SOC(total[0, :], cvxpy.vstack([apart, *rest]))]
    side = cone.order
    full = _unfolding(side)
    return [
        cvxpy.reshape(full @ each[:, number], (side, side), order="F") >> 0
        for number in range(count)
    ]


def _power_constraints(cone: Cone, count: int, each: Any, name: str) -> list[Any]:
    """Power cones of two exponents, and a second-order cone, for the columns of ``each``."""
    import cvxpy

    exponents, last = cone.exponents, len(cone.exponents) - 1
    factors = np.array(exponents) / sum(exponents) if cone.name == "POW*" else np.ones(last + 1)
    below = each[last + 1, :]
    constraints: list[Any] = []
    if last == 0 or cone.size > last + 2:
        norm = each[0, :] / factors[0] if last == 0 else cvxpy.Variable(count, name=f"{name}_norm")
        constraints.append(cvxpy.SOC(norm, each[last + 1 :, :]))
        below = norm
    for place in range(last):
        left = each[place + 1, :] / factors[place + 1]
        if place + 1 < last:
            left = cvxpy.Variable(count, name=f"{name}_{place}")
        share = exponents[place] / sum(exponents[place:])
        constraints.append(cvxpy.PowCone3D(each[place, :] / factors[place], left, below, share))
        below = left
    return constraints


def _unfolding(side: int) -> sp.csr_array:
    """The map from the lower triangle, row by row, to all entries of a symmetric matrix."""
    i, j = np.tril_indices(side)
    places = np.arange(len(i))
    off = i != j
    rows = np.concatenate([i + side * j, (j + side * i)[off]])
    columns = np.concatenate([places, places[off]])
    shape = (side * side, len(i))
    return sp.csr_array(sp.coo_array((np.ones(len(rows)), (rows, columns)), shape=shape))
