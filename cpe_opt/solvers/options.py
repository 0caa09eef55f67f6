"""What a caller may say about solving, wherever something may be solved."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypedDict

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.modelling.lazy import CutOptions
from cpe_opt.solvers.warm_start import WarmStart


class SolveOptions(TypedDict, total=False):
    """What every solve function passes on to :func:`solve`."""

    solver: str
    time_limit: float | None
    threads: int
    seed: int
    log: bool
    solver_options: Mapping[str, Any] | None
    cut_options: CutOptions | None
    warm_start: WarmStart | None


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
    """Refuse arguments of :func:`solve` that have no effect where ``what`` solves no program.

    Parameters
    ----------
    solving : mapping
        What the caller gave.
    what : str
        The method, for the message.
    used : collection of str
        Those that it uses all the same.
    instead : collection of str
        The methods that solve a program, if there are any.

    Raises
    ------
    UnknownName
        On a name that :func:`solve` does not have either.
    InputError
        On one that has no effect.
    """
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
