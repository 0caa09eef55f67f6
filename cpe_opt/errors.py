"""Everything that can go wrong, in words a user can act on.

Every error derives from :class:`CpeOptError`. A message says what is wrong, where, and what was
expected.
"""

from __future__ import annotations

import difflib
import math
import numbers
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpe_opt.modelling.result import SolveResult

_LISTED = 40  # names in a message


class CpeOptError(Exception):
    """Base class of every error this package raises on purpose."""


class InputError(CpeOptError, ValueError):
    """An argument, a file or a problem is not what the function needs."""


class UnknownName(InputError):
    """A name of an instance, solver, learner, model, method or option is not known."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        near = difflib.get_close_matches(str(name), self.known, n=3, cutoff=0.5)
        if near:
            hint = f"did you mean {' or '.join(repr(match) for match in near)}?"
        else:
            hint = f"known: {', '.join(sorted(self.known)[:_LISTED]) or 'none'}"
            if len(self.known) > _LISTED:
                hint += f", … and {len(self.known) - _LISTED} more"
        super().__init__(f"unknown {kind} {name!r}; {hint}")

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, object, tuple[str, ...]]]:
        """Errors travel between processes."""
        return type(self), (self.kind, self.name, self.known)


class SolverFailed(CpeOptError):
    """A solver's answer is wrong and was recognised as such."""


class SolverMissing(CpeOptError):
    """The solver exists but its package is not installed."""


class SolverUnable(CpeOptError):
    """The solver is installed but cannot solve this kind of program."""


class WriteFailed(CpeOptError):
    """A file cannot be written: the disk is full, or its folder cannot be written to."""


class ExportFailed(CpeOptError):
    """A written model file does not read back as the program it came from."""


class NoDuals(CpeOptError):
    """A result has no duals: the program is an integer or a conic one, or the solver gave none."""


class NotOptimal(CpeOptError):
    """A solve ended without a proven optimum; ``result`` tells what it ended with.

    Attributes
    ----------
    result : SolveResult
        Status, message, and whatever point and bound the solver reached.
    """

    def __init__(self, result: SolveResult) -> None:
        self.result = result
        super().__init__(f"{self.reason}; pass check=False to get the result all the same")

    @property
    def reason(self) -> str:
        """What the solver ended with."""
        result = self.result
        detail = f" ({result.message})" if result.message else ""
        return (
            f"{result.solver} ended with status {result.status.value!r}{detail} on "
            f"{result.program_name!r}"
        )

    @property
    def incumbent(self) -> str:
        """The best point so far, and how far from the optimum it may be."""
        objective, bound = self.result.objective, self.result.bound
        if objective is None:
            found = "no feasible point"
            return found if bound is None else f"{found}; bound {bound:.10g}"
        if bound is None:
            return f"incumbent {objective:.10g}; no bound"
        apart = abs(bound - objective)
        relative = apart / abs(objective) if objective else math.inf
        gap = f", {relative:.2g} of its value" if 0 < relative < math.inf else ""
        return f"incumbent {objective:.10g}, bound {bound:.10g}: {apart:.3g} apart{gap}"

    def __reduce__(self) -> tuple[type[NotOptimal], tuple[SolveResult]]:
        """Errors travel between processes."""
        return type(self), (self.result,)


MOST_ROUNDS = 2**53
"""Up to which rounds, samples and sums of them are counted exactly, floats included."""


def checked_number(
    name: str, value: Any, *, least: float = -math.inf, above: float = -math.inf
) -> float:
    """The value as a float, at least ``least`` and more than ``above``, or :class:`InputError`."""
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not number or not (value >= least and value > above):
        expected = "a number"
        if above > -math.inf:
            expected += f" above {above:g}"
        elif least > -math.inf:
            expected += f", at least {least:g}"
        raise InputError(f"{name} is {value!r}, expected {expected}")
    return float(value)


def checked_finite(
    name: str, value: Any, *, least: float = -math.inf, above: float = -math.inf
) -> float:
    """The same for a number that may not be infinite."""
    number = checked_number(name, value, least=least, above=above)
    if math.isinf(number):
        raise InputError(f"{name} is {value!r}, expected a finite number")
    return number


def checked_probability(name: str, value: Any) -> float:
    """The value as a float strictly between 0 and 1, or :class:`InputError`."""
    if not checked_number(name, value, above=0.0) < 1.0:
        raise InputError(f"{name} is {value!r}, expected a probability between 0 and 1")
    return float(value)


def checked_count(name: str, value: Any, *, least: int = 1) -> int:
    """The value as an int, at least ``least``, or :class:`InputError`."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < least:
        raise InputError(f"{name} is {value!r}, expected a whole number, at least {least}")
    return int(value)


def shown_count(count: int) -> str:
    """A whole number of any size for a message: 12,000 or about 1e30."""
    magnitude = math.log10(abs(count)) if count else 0.0
    sign = "-" if count < 0 else ""
    return f"{count:,}" if magnitude < 18 else f"about {sign}1e{magnitude:.0f}"


def checked_rounds(name: str, value: Any) -> int:
    """A number of rounds, such as a horizon, or :class:`InputError`."""
    rounds = checked_count(name, value)
    if rounds > MOST_ROUNDS:
        raise InputError(
            f"{name} is {shown_count(rounds)}, expected at most {MOST_ROUNDS:,} (2^53): beyond "
            "that rounds cannot be counted exactly"
        )
    return rounds
