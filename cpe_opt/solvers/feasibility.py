"""Whether a point satisfies a program, within a solver's accuracy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.solvers.base import RawSolution

_WHOLE = 1e-6


def infeasibility(program: LinearProgram, x: FloatArray, tolerance: float) -> str:
    """What the point breaks by more than the tolerance, in words; empty where nothing."""
    if not np.isfinite(x).all():
        return "is not finite"
    broken = program.row_block.violation(x)
    worst = broken.max(initial=0.0)
    if worst > tolerance:
        broken = broken / (1.0 + abs(program.matrix) @ np.abs(x))
        row = int(broken.argmax())
        if broken[row] > tolerance:
            by = program.row_block.violation(x)[row]
            return f"breaks row {program.row_names[row]!r} by {by:.3g}"
    outside = np.maximum(program.column_lower - x, x - program.column_upper)
    outside = outside / (1.0 + np.abs(x))
    if outside.max(initial=0.0) > tolerance:
        column = int(outside.argmax())
        return f"breaks a bound of column {program.column_names[column]!r}"
    whole = x[program.integer]
    if np.abs(whole - np.round(whole)).max(initial=0.0) > min(tolerance, _WHOLE):
        return "has columns that are not whole"
    return ""


def rounded(program: LinearProgram, raw: RawSolution) -> RawSolution:
    """The solution with its integer columns rounded, where they are whole but for an error."""
    if raw.x is None or not program.is_integer:
        return raw
    whole = raw.x[program.integer]
    if not np.isfinite(whole).all() or np.abs(whole - np.round(whole)).max() > _WHOLE:
        return raw
    x = raw.x.copy()
    x[program.integer] = np.round(whole) + 0.0
    return replace(raw, x=x)
