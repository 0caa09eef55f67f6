r"""Cone programs as values.

A :class:`ConicProgram` is a ``cvxpy.Problem`` with a name: a convex objective and constraints in
variables that have names, too. One that is linear or quadratic, whole variables or not, becomes a
program of rows, which any solver takes (:func:`as_program`); the others are for solvers of cones.

How far a point is from the exponential cone :math:`\{(x, y, z) : y\, e^{x/y} \le z,\ y > 0\}` (and
its closure) is measured here in closed form, by :math:`x - y \log(z/y)`, or by the way to its face
:math:`y = 0`, whichever is shorter; from other cones as CVXPY does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, product
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.builder import check_program_name
from cpe_opt.modelling.program import LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram


@dataclass(frozen=True, eq=False, repr=False)
class ConicProgram:
    """A named ``cvxpy.Problem``.

    Attributes
    ----------
    name : str
        Letters, digits and underscores, not starting with a digit.
    problem : cvxpy.Problem
        Solving changes the values of its variables and nothing else.
    labels : mapping of str to str
        What columns stand for, by their names; there may be none.
    build_seconds : float
        Wall-clock time its builder took.

    Raises
    ------
    InputError
        On another kind of problem, an illegal name, or two variables of one name.

    Examples
    --------
    >>> import cvxpy
    >>> x = cvxpy.Variable(2, name="x")
    >>> ConicProgram("nearest", cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(x)), [x >= 1]))
    ConicProgram('nearest', 2 variables, 2 constraints, min)
    """

    name: str
    problem: Any
    labels: Mapping[str, str] = field(default_factory=dict)
    build_seconds: float = 0.0

    def __post_init__(self) -> None:
        import cvxpy

        check_program_name(self.name)
        if not isinstance(self.problem, cvxpy.Problem):
            raise InputError(
                f"program {self.name!r} holds a {type(self.problem).__name__}, expected a "
                "cvxpy.Problem"
            )
        names = sorted(variable.name() for variable in self.problem.variables())
        for one, other in pairwise(names):
            if one == other:
                raise InputError(f"program {self.name!r}: two variables have the name {one!r}")

    @property
    def sense(self) -> Sense:
        """Whether it is a minimisation or a maximisation."""
        return "max" if self.problem.objective.NAME == "maximize" else "min"

    @cached_property
    def kind(self) -> Literal["LP", "MIP", "QP", "MIQP", "conic", "MICP"]:
        """What a solver must be able to solve; "MICP" is a cone program with whole variables."""
        whole = self.problem.is_mixed_integer()
        if self.problem.is_lp():
            return "MIP" if whole else "LP"
        if self.problem.is_dcp() and self.problem.is_qp():
            return "MIQP" if whole else "QP"
        return "MICP" if whole else "conic"

    @property
    def shape(self) -> tuple[int, int]:
        """(constraints, variables), every entry of a vector or a matrix counted."""
        rows = sum(int(constraint.size) for constraint in self.problem.constraints)
        return rows, sum(int(variable.size) for variable in self.problem.variables())

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """A name for every entry: ``weights_3``, ``paths_3_1``; matrices column by column."""
        return tuple(
            name for variable in self.problem.variables() for name in entry_names(variable)
        )

    @property
    def x(self) -> FloatArray:
        """The values of all columns after a solve, in the order of their names."""
        values = [np.ravel(variable.value, order="F") for variable in self.problem.variables()]
        return np.concatenate([np.zeros(0), *values])

    def violation(self) -> float:
        """By how much the values of the variables break a constraint at most."""
        broken = [violations(each).max(initial=0.0) for each in self.problem.constraints]
        for variable in self.problem.variables():
            away = np.abs(variable.project(variable.value) - variable.value)
            broken.append(away.max(initial=0.0))
        return float(max(broken, default=0.0))

    def put(self, x: FloatArray | None) -> None:
        """Give the variables the values of all columns, in the order of their names, or none."""
        start = 0
        for variable in self.problem.variables():
            values = None if x is None else x[start : start + variable.size]
            shaped = None if values is None else np.reshape(values, variable.shape, order="F")
            variable.save_value(shaped)
            start += variable.size

    def put_multipliers(self, multipliers: Sequence[Any] | None) -> None:
        """Give the constraints the values of their dual variables, each its own, or none."""
        for place, constraint in enumerate(self.problem.constraints):
            for dual in constraint.dual_variables:
                dual.save_value(None)
            if multipliers and multipliers[place] is not None:
                constraint.save_dual_value(multipliers[place])

    def __repr__(self) -> str:
        rows, columns = self.shape
        return (
            f"ConicProgram({self.name!r}, {columns} variable{'s' * (columns != 1)}, "
            f"{rows} constraint{'s' * (rows != 1)}, {self.sense})"
        )


def entry_names(variable: Any) -> list[str]:
    """The names of a variable's entries, column by column; its own where it is a number."""
    places = product(*(range(size) for size in reversed(variable.shape)))
    return ["_".join((variable.name(), *map(str, reversed(place)))) for place in places]


def as_program(
    conic: ConicProgram,
) -> tuple[LinearProgram | QuadraticProgram, Callable[[FloatArray], None]]:
    """A program of rows that is the same, and what writes its point back into the variables.

    Of a :class:`ConicProgram` whose kind is "LP", "MIP", "QP" or "MIQP". Columns are the entries of
    the variables, and those that CVXPY adds, such as the parts of an absolute value.

    Examples
    --------
    >>> import cvxpy
    >>> x = cvxpy.Variable(2, name="x", integer=True)
    >>> problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(x)), [x >= 1])
    >>> program, put = as_program(ConicProgram("small", problem))
    >>> program
    LinearProgram('small', 2 columns (2 whole), 2 rows, min)
    >>> put(np.array([1.0, 2.0]))
    >>> x.value
    array([1., 2.])
    """
    if conic.kind not in ("LP", "MIP", "QP", "MIQP"):
        raise InputError(f"program {conic.name!r} is neither linear nor quadratic")
    chain, data, inverse = _reduced(conic.problem)
    quadratic, costs, offset, matrix, sides = data.apply_parameters(quad_obj=True)
    sign = 1.0 if conic.sense == "min" else -1.0
    count = len(costs)
    lower = np.full(count, -np.inf if data.lower_bounds is None else data.lower_bounds)
    upper = np.full(count, np.inf if data.upper_bounds is None else data.upper_bounds)
    whole = np.zeros(count, dtype=np.bool_)
    whole[[place for (place,) in data.x.integer_idx + data.x.boolean_idx]] = True
    binary = [place for (place,) in data.x.boolean_idx]
    lower[binary], upper[binary] = np.maximum(lower[binary], 0), np.minimum(upper[binary], 1)
    linear = LinearProgram(
        conic.name,
        conic.sense,
        sign * np.asarray(costs, dtype=np.float64),
        lower,
        upper,
        whole,
        sp.csr_array(matrix),  # the rows say A x + b = 0, and then A x + b >= 0
        0.0 - np.asarray(sides, dtype=np.float64),
        np.where(np.arange(len(sides)) < data.cone_dims.zero, 0.0 - sides, np.inf),
        tuple(f"column_{column}" for column in range(count)),
        tuple(f"row_{row}" for row in range(len(sides))),
        sign * float(offset),
        conic.build_seconds,
    )
    program: LinearProgram | QuadraticProgram = linear
    if quadratic is not None and conic.kind in ("QP", "MIQP"):
        program = QuadraticProgram(linear, sp.csr_array(sign * quadratic))

    def put(x: FloatArray) -> None:
        from cvxpy import OPTIMAL
        from cvxpy.reductions.solution import Solution

        inside = Solution(OPTIMAL, math.nan, {data.x.id: x}, None, {})
        values = chain.invert(inside, inverse).primal_vars
        for variable in conic.problem.variables():
            variable.save_value(values[variable.id])
        conic.put_multipliers(None)

    return program, put


def _reduced(problem: Any) -> tuple[Any, Any, Any]:
    """CVXPY's chain of reductions to matrices, what it makes of a problem, and how to go back."""
    import cvxpy
    from cvxpy.reductions.chain import Chain
    from cvxpy.reductions.cvx_attr2constr import CvxAttr2Constr
    from cvxpy.reductions.dcp2cone.cone_matrix_stuffing import ConeMatrixStuffing
    from cvxpy.reductions.dcp2cone.dcp2cone import Dcp2Cone
    from cvxpy.reductions.eval_params import EvalParams
    from cvxpy.reductions.flip_objective import FlipObjective

    chain = Chain(
        reductions=[
            *([EvalParams()] if problem.parameters() else []),
            *([FlipObjective()] if problem.objective.NAME == "maximize" else []),
            Dcp2Cone(quad_obj=True),
            CvxAttr2Constr(reduce_bounds=False),
            ConeMatrixStuffing(quad_obj=True),
        ]
    )
    try:
        data, inverse = chain.apply(problem)
    except (cvxpy.error.DCPError, cvxpy.error.ParameterError) as error:
        raise InputError(f"the cvxpy problem cannot be solved: {error}") from error
    return chain, data, inverse


def violations(constraint: Any) -> FloatArray:
    """How far the point is from keeping one constraint, entry by entry, cone by cone."""
    import cvxpy

    if isinstance(constraint, cvxpy.constraints.ExpCone):
        parts = (np.ravel(part.value).astype(np.float64) for part in constraint.args)
        return exponential_distance(*parts)
    return np.abs(np.ravel(constraint.violation())).astype(np.float64)


def exponential_distance(x: FloatArray, y: FloatArray, z: FloatArray) -> FloatArray:
    """How far points are from the exponential cone, at most."""
    face = np.maximum.reduce([np.abs(y), x, -z, np.zeros_like(x)])
    inside = (y > 0.0) & (z > 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        below = np.maximum(0.0, x - y * np.log(z / y))
    return np.where(inside, np.minimum(below, face), face)
