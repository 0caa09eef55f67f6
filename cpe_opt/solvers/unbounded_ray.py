r"""Why has a program no optimum? A ray along which its objective improves without end.

A *ray* is a direction :math:`d \ne 0` with :math:`a_i^\top d \ge 0` for each row with a lower side,
:math:`a_i^\top d \le 0` for each with an upper side, :math:`d_j \ge 0` and :math:`d_j \le 0`
likewise for bounds of columns, and :math:`c^\top d < 0` (of a minimisation). From any point x that
satisfies the rows and bounds, :math:`x + t d` does so for every :math:`t \ge 0`, and the objective
changes by :math:`t\,c^\top d`. Where a point exists, that is all that makes a linear program
unbounded.

A program with whole columns and rational numbers is unbounded where it has a point and its
relaxation a ray: a multiple of a rational ray is whole (Meyer, 1974). Such a multiple is what is
returned, with whole steps in the whole columns: :math:`x + t d` is a point for t = 0, 1, 2, …

Point and ray are verified as in :mod:`cpe_opt.solvers.verification`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, Status
from cpe_opt.solvers.base import Process, SolverSettings
from cpe_opt.solvers.registry import backend_in
from cpe_opt.solvers.scaling import scaled
from cpe_opt.solvers.solve import solve, verifier_of
from cpe_opt.solvers.verification import improves
from cpe_opt.validation import PositiveOrInfinite, checked_types

_DENOMINATOR = 1000  # of the steps of a ray, as shares of its least one
_LARGEST = 2**30  # steps of whole columns
_NEAR = 1e-9
_WORDS = 12  # columns that are shown


@dataclass(frozen=True, eq=False)
class UnboundedRay:
    """A point, and a direction in which every multiple of a step is a better point.

    Attributes
    ----------
    name : str
        Of the program.
    direction : mapping of str to float
        The step by column name, without the columns that stay; whole for whole columns.
    point : mapping of str to float
        A point that satisfies every row and bound, by column name, all columns.
    change : float
        Of the objective by one step: below 0 where it is minimised, above 0 where it is maximised.
    """

    name: str
    direction: dict[str, float]
    point: dict[str, float]
    change: float

    @property
    def text(self) -> str:
        """In which direction the objective improves, in plain sentences."""
        course = "falls" if self.change < 0.0 else "rises"
        lines = [
            f"The objective of {self.name!r} {course} without end: each step in this direction "
            f"changes it by {self.change:.10g}:",
            *_shown(self.direction, "+"),
        ]
        ends = "No row and no bound ends it, from any point that satisfies all; one"
        away = {name: value for name, value in self.point.items() if value}
        if away:
            lines += [f"{ends} is, with 0 in all other columns:", *_shown(away, "")]
        else:
            lines.append(f"{ends} is 0 in all columns.")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {"direction": self.direction, "point": self.point, "change": self.change}


@checked_types
def unbounded_ray(
    program: LinearProgram,
    solver: str = "highs",
    time_limit: PositiveOrInfinite | None = None,
    *,
    process: Process | None = None,
) -> UnboundedRay:
    """A ray of an unbounded program, by the names of its columns, and a point to start from.

    Parameters
    ----------
    program : LinearProgram
        With or without whole columns.
    solver : str
        Finds the point; the ray is found by HiGHS.
    time_limit : float, optional
        Seconds for everything.
    process : "here" or "child", optional
        Where solvers run, as for :func:`cpe_opt.solve`.

    Raises
    ------
    InputError
        Where the program has an optimum, or no point.
    CpeOptError
        Where neither was found out, or no ray is whole where columns are.
    UnknownName, SolverMissing, SolverUnable

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> builder = cpe.ProgramBuilder("shop", sense="max")
    >>> flows = builder.columns("boxes", ["sold", "bought"], cost=[6, -4])
    >>> _ = builder.row("stock", flows, [1, -1.5], upper=5)
    >>> print(cpe.unbounded_ray(builder.build()).text)
    The objective of 'shop' rises without end: each step in this direction changes it by 10:
      boxes_sold: +3
      boxes_bought: +2
    No row and no bound ends it, from any point that satisfies all; one is 0 in all columns.
    """
    started = time.perf_counter()
    claim = solve(program, solver, time_limit=time_limit, check=False, process=process)
    if claim.is_optimal or claim.status is Status.INFEASIBLE:
        has = "has an optimum" if claim.is_optimal else "has no point"
        raise InputError(f"{program.name!r} {has}, expected an unbounded program")
    if claim.status is not Status.UNBOUNDED:
        raise CpeOptError(
            f"whether {program.name!r} is unbounded was not found out: {NotOptimal(claim).reason}"
        )
    left = None if time_limit is None else max(started + time_limit - time.perf_counter(), _NEAR)
    bare = replace(program, costs=np.zeros(program.shape[1]), offset=0.0)
    start = solve(bare, solver, time_limit=left, check=False, process=process)
    settings = SolverSettings(time_limit=time_limit, process=process)
    verifier = verifier_of(backend_in("highs", process), settings, started)
    inside = scaled(program)
    ray = verifier.improving_ray(inside.program)
    if not start.is_optimal or start.x is None or ray is None:
        what = "point" if start.x is None else "ray"
        raise CpeOptError(f"{program.name!r} is unbounded, and no {what} was found in time")
    ray = _readable(program, ray * inside.columns)
    named = zip(program.column_names, ray.tolist(), strict=True)
    return UnboundedRay(
        name=program.name,
        direction={name: step for name, step in named if step},
        point={name: value + 0.0 for name, value in start.values.items()},
        change=float(program.costs @ ray),
    )


def _readable(program: LinearProgram, ray: FloatArray) -> FloatArray:
    """A multiple of the ray with whole steps, at least in columns that must be whole.

    Where none must be and not all can be, the least step is 1.
    """
    every = ray != 0.0
    for chosen in (every, every & program.integer):
        least = np.abs(ray[chosen]).min(initial=math.inf)
        multiple = ray if math.isinf(least) else _whole_multiple(ray / least, chosen)
        if multiple is not None and improves(program, multiple):
            return multiple
        if not program.is_integer:
            return np.asarray(ray / least)
    raise CpeOptError(
        f"{program.name!r} is unbounded, and no ray was found along which its whole columns stay "
        "whole"
    )


def _whole_multiple(ray: FloatArray, chosen: BoolArray) -> FloatArray | None:
    """A multiple of the ray with whole steps in the chosen columns; None if none is small."""
    shares = [Fraction(step).limit_denominator(_DENOMINATOR) for step in ray[chosen].tolist()]
    near = np.array([float(share) for share in shares])
    multiple = math.lcm(*(share.denominator for share in shares))
    if (np.abs(near - ray[chosen]) > _NEAR * np.abs(near)).any():
        return None
    if multiple * np.abs(near).max() > _LARGEST:
        return None
    ray = ray * multiple
    ray[chosen] = [float(share * multiple) for share in shares]
    return ray


def _shown(values: dict[str, float], sign: str) -> list[str]:
    lines = [f"  {name}: {value:{sign}.10g}" for name, value in list(values.items())[:_WORDS]]
    more = len(values) - _WORDS
    return lines + ([f"  … ({more} more)"] if more > 0 else [])
