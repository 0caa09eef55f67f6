"""What a caller may say about solving, wherever something may be solved."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping
from typing import Any, TypedDict

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.modelling.program import CutOptions
from cpe_opt.solvers.base import Process
from cpe_opt.validation import Positive, PositiveInt, PositiveOrInfinite, Seed


class SolveOptions(TypedDict, total=False):
    """What every solve function passes on to :func:`solve`."""

    solver: str
    time_limit: PositiveOrInfinite | None
    threads: PositiveInt
    seed: Seed
    log: bool
    solver_options: Mapping[str, Any] | None
    cut_options: CutOptions | None
    warm_start: Mapping[str, float] | None
    process: Process | None
    memory_limit: Positive | None


def limited_until(solving: SolveOptions, deadline: float) -> SolveOptions:
    """The same for an integer program, until a time of the clock of ``time.perf_counter``."""
    limited = SolveOptions(solver="highs") | solving
    if math.isfinite(deadline):
        limited["time_limit"] = max(0.01, deadline - time.perf_counter())
    return limited


def deadline_of(limit: float | None) -> float:
    """When a limit on time from now is over, by the clock of ``time.perf_counter``."""
    return math.inf if limit is None else time.perf_counter() + limit


def share_of_time(deadline: float, share: float) -> float:
    """When a share of the time until a deadline is over."""
    now = time.perf_counter()
    return deadline if math.isinf(deadline) else now + share * max(0.0, deadline - now)


def solver_option(solver: str | None) -> SolveOptions:
    """What to pass on where a solver may be named, or not."""
    return SolveOptions() if solver is None else SolveOptions(solver=solver)


def refuse_unused(
    solving: Mapping[str, Any],
    what: str,
    used: Collection[str] = (),
    *,
    instead: Collection[str] = (),
) -> None:
    """Refuse arguments of :func:`solve` that have no effect where ``what`` solves no program."""
    for name, value in solving.items():
        if name not in SolveOptions.__annotations__:
            raise UnknownName("argument", name, SolveOptions.__annotations__)
        if value is not None and name not in used:
            *others, last = map(repr, instead or ("",))
            able = f"{', '.join(others)} or {last}" if others else last
            choose = f", or choose the method (--method) {able}" if instead else ""
            raise InputError(
                f"{what} solves no program, so {name} has no effect: leave it out{choose}"
            )
