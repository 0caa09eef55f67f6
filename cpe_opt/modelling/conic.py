r"""Cone programs as values.

A :class:`ConicProgram` is a ``cvxpy.Problem`` with a name: a convex objective and constraints in
variables that have names, too. Like a linear program it is solved by any solver that is able to,
and written to a file.

How far a point is from a cone is measured here in closed form: for the exponential cone
:math:`\{(x, y, z) : y\, e^{x/y} \le z,\ y > 0\}` (and its closure) by
:math:`x - y \log(z/y)`, or by the way to its face :math:`y = 0`, whichever is shorter; for the
power cone :math:`\{(x, y, z) : x^a y^{1-a} \ge |z|,\ x, y \ge 0\}` by the shortest of the ways
along one of x, y and z.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, product
from typing import Any, Literal

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.names import check_program_name
from cpe_opt.modelling.program import Sense
from cpe_opt.notebooks import html_facts


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
    def kind(self) -> Literal["LP", "MIP", "QP", "conic"]:
        """What a solver must be able to solve."""
        if self.problem.is_mixed_integer():
            return "MIP"
        if self.problem.is_lp():
            return "LP"
        return "QP" if self.problem.is_qp() else "conic"

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
        return max((_violation(each) for each in self.problem.constraints), default=0.0)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return (
            f"ConicProgram({self.name!r}, {columns} variable{'s' * (columns != 1)}, "
            f"{rows} constraint{'s' * (rows != 1)}, {self.sense})"
        )

    def _repr_html_(self) -> str:
        rows, columns = self.shape
        facts = [("sense", self.sense), ("variables", f"{columns:,}"), ("constraints", f"{rows:,}")]
        return html_facts(f"ConicProgram {self.name}", facts)


def entry_names(variable: Any) -> list[str]:
    """The names of a variable's entries, column by column; its own where it is a number."""
    places = product(*(range(size) for size in reversed(variable.shape)))
    return ["_".join((variable.name(), *map(str, reversed(place)))) for place in places]


def _violation(constraint: Any) -> float:
    """How far the point is from keeping one constraint."""
    import cvxpy

    if isinstance(constraint, cvxpy.constraints.PowCone3D):
        return _power_violation(constraint)
    if not isinstance(constraint, cvxpy.constraints.ExpCone):
        return float(np.max(constraint.violation(), initial=0.0))
    x, y, z = (np.ravel(part.value).astype(np.float64) for part in constraint.args)
    face = np.maximum.reduce([np.abs(y), x, -z, np.zeros_like(x)])
    inside = (y > 0.0) & (z > 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        below = np.maximum(0.0, x - y * np.log(z / y))
    return float(np.where(inside, np.minimum(below, face), face).max(initial=0.0))


def _power_violation(constraint: Any) -> float:
    """How far the point is from keeping power cones of two exponents."""
    x, y, z = (np.ravel(part.value).astype(np.float64) for part in constraint.args)
    a = np.ravel(constraint.alpha.value)
    out = np.maximum(np.maximum(-x, -y), 0.0)
    x, y, z = np.maximum(x, 0.0), np.maximum(y, 0.0), np.abs(z)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ways = (
            z - x**a * y ** (1.0 - a),
            (z / y ** (1.0 - a)) ** (1.0 / a) - x,
            (z / x**a) ** (1.0 / (1.0 - a)) - y,
        )
    shortest = np.fmin.reduce(ways)
    return float(np.max(out + np.maximum(shortest, 0.0), initial=0.0))
