r"""Why has a program no optimum? A ray along which its objective improves without end.

A *ray* is a direction :math:`d \ne 0` with :math:`a_i^\top d \ge 0` for each row with a lower side,
:math:`a_i^\top d \le 0` for each with an upper side, :math:`d_j \ge 0` and :math:`d_j \le 0`
likewise for bounds of columns, and :math:`c^\top d < 0` (of a minimisation). From any point x,
:math:`x + t d` is a point for every :math:`t \ge 0`, and the objective changes by
:math:`t\,c^\top d`.

A program with whole columns and rational numbers is unbounded where it has a point and its
relaxation a ray: a multiple of a rational ray is whole (Meyer, 1974). Such a multiple is what is
returned, with whole steps in the whole columns: :math:`x + t d` is a point for t = 0, 1, 2, …

The ray is the optimum of :math:`c^\top d` over the directions in a box, by HiGHS, and is checked in
the units of the program, as the point is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, Status
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.highs import Highs
from cpe_opt.solvers.solve import solve
from cpe_opt.solvers.verification import directions, improves
from cpe_opt.validation import PositiveOrInfinite, checked_types

_DENOMINATOR = 1000  # of the steps of a ray, as shares of its least one
_LARGEST = 2**30  # steps of whole columns
_NEAR = 1e-9
_SHOWN = 12  # of many columns, rows or terms


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
        steps = [f"{name}: {step:+.10g}" for name, step in self.direction.items()]
        away = [f"{name} = {value:.10g}" for name, value in self.point.items() if value]
        rest = "0 in all other columns" if away else "0 in all columns"
        lines = [
            f"The objective of {self.name!r} {'falls' if self.change < 0.0 else 'rises'} without "
            f"end: each step in this direction changes it by {self.change:.10g}:",
            *(f"  {step}" for step in shortened(steps)),
            "No row and no bound ends it, from any point that satisfies all; one is "
            f"{', '.join([*shortened(away), rest])}.",
        ]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {"direction": self.direction, "point": self.point, "change": self.change}


@checked_types
def unbounded_ray(
    program: LinearProgram, time_limit: PositiveOrInfinite | None = None
) -> UnboundedRay:
    """A ray of an unbounded program, by the names of its columns, and a point to start from.

    Both are found by HiGHS.

    Parameters
    ----------
    program : LinearProgram
        With or without whole columns.
    time_limit : float, optional
        Seconds for everything.

    Raises
    ------
    InputError
        Where the program has an optimum, or no point.
    CpeOptError
        Where neither was found out, or no ray is whole where columns are.
    SolverMissing
        Without HiGHS.

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
    deadline = time.perf_counter() + (math.inf if time_limit is None else time_limit)
    claim = solve(program, time_limit=time_limit, check=False)
    if claim.is_optimal or claim.status is Status.INFEASIBLE:
        has = "has an optimum" if claim.is_optimal else "has no point"
        raise InputError(f"{program.name!r} {has}, expected an unbounded program")
    if claim.status is not Status.UNBOUNDED:
        raise CpeOptError(
            f"whether {program.name!r} is unbounded was not found out: {NotOptimal(claim).reason}"
        )
    left = max(deadline - time.perf_counter(), _NEAR)
    bare = replace(program, costs=np.zeros(program.shape[1]), offset=0.0)
    start = solve(bare, time_limit=left, check=False)
    ray = _direction(program, left)
    if not start.is_optimal or ray is None:
        what = "ray" if start.is_optimal else "point"
        raise CpeOptError(f"{program.name!r} is unbounded, and no {what} was found")
    ray = _readable(program, ray)
    named = zip(program.column_names, ray.tolist(), strict=True)
    return UnboundedRay(
        name=program.name,
        direction={name: step for name, step in named if step},
        point={name: value + 0.0 for name, value in start.values.items()},
        change=float(program.costs @ ray),
    )


def _direction(program: LinearProgram, time_limit: float) -> FloatArray | None:
    """The best ray in a box, shape (columns,); None if there is none.

    Columns are in units in which their entries add up to 1, so that the box is one for all.
    """
    sizes = abs(program.matrix).sum(axis=0)
    sizes[sizes == 0.0] = 1.0
    in_units = replace(
        program, costs=program.costs / sizes, matrix=sp.csr_array(program.matrix / sizes)
    )
    box = directions(in_units)
    steps = Highs().solve(box, SolverSettings(time_limit=time_limit)).x
    if steps is None:
        return None
    steps = np.where(np.abs(steps) > _NEAR, steps, 0.0)
    ray = np.clip(steps, box.column_lower, box.column_upper) / sizes
    return ray if improves(program, ray) else None


def _readable(program: LinearProgram, ray: FloatArray) -> FloatArray:
    """A multiple of the ray with whole steps, or whole in whole columns; else the least is 1."""
    moves = ray != 0.0
    ray = ray / np.abs(ray[moves]).min()
    for chosen in (moves, moves & program.integer):
        factor = whole_factor(np.abs(ray[chosen]), _LARGEST) if chosen.any() else 1.0
        if factor is not None:
            multiple = np.where(chosen, np.rint(ray * factor), ray * factor)
            if improves(program, multiple):
                return multiple
    raise CpeOptError(
        f"{program.name!r} is unbounded, and no ray was found along which its whole columns stay "
        "whole"
    )


def whole_factor(sizes: FloatArray, largest: float) -> float | None:
    """What makes positive sizes whole, and at most ``largest``; None if nothing simple does."""
    ratios = sizes / sizes.min()
    shares = [Fraction(ratio).limit_denominator(_DENOMINATOR) for ratio in ratios.tolist()]
    multiple = math.lcm(*(share.denominator for share in shares))
    whole = np.array([float(share * multiple) for share in shares])
    if (np.abs(whole - ratios * multiple) > _NEAR * whole).any() or whole.max() > largest:
        return None
    return multiple / float(sizes.min())


def shortened(words: Sequence[str]) -> list[str]:
    """The first words of many, and how many more there are."""
    more = len(words) - _SHOWN
    return [*words[:_SHOWN], *([f"… ({more} more)"] if more > 0 else [])]
