"""Programs with more rows than can be listed.

A :class:`LazyProgram` is a relaxation (the rows worth listing from the start) and a separator: a
function that looks at a point and returns rows of the full program which that point violates. It
speaks for all rows: a point at which it finds nothing satisfies every one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.program import LinearProgram, RowBlock
from cpe_opt.validation import checked_count, checked_finite

Separator: TypeAlias = Callable[[FloatArray, float], RowBlock]


@dataclass(frozen=True, eq=False, repr=False)
class LazyProgram:
    """A linear program of which only some rows are listed.

    Attributes
    ----------
    relaxation : LinearProgram
        All columns, and the rows listed from the start (there may be none).
    separate : callable
        ``separate(x, tolerance)`` returns a :class:`RowBlock` of rows, not listed in the
        relaxation, that ``x`` violates by more than ``tolerance``: at least one where there are
        any, and none else.
    """

    relaxation: LinearProgram
    separate: Separator

    @property
    def name(self) -> str:
        """The relaxation's name."""
        return self.relaxation.name

    @property
    def kind(self) -> str:
        """What a solver must be able to solve."""
        return self.relaxation.kind

    def __repr__(self) -> str:
        rows, columns = self.relaxation.shape
        return (
            f"LazyProgram({self.name!r}, {columns} column{'s' * (columns != 1)}, "
            f"{rows} row{'s' * (rows != 1)} listed and more found by separation, "
            f"{self.relaxation.sense})"
        )


@dataclass(frozen=True)
class CutOptions:
    """How the cutting-plane loop behaves.

    Attributes
    ----------
    tolerance : float
        A row violated by at most this is satisfied; keep it above the solver's own tolerance.
    max_cuts : int or None
        At most this many rows a round, the most violated first.
    purge_after : int or None
        Remove an added row after this many consecutive solves in which its dual was zero (None:
        never); only where a solve begins or the bound has improved, so that the loop ends.
    max_rounds : int
    """

    tolerance: float = 1e-8
    max_cuts: int | None = None
    purge_after: int | None = 10
    max_rounds: int = 10_000

    def __post_init__(self) -> None:
        checked_finite("cutting planes: tolerance", self.tolerance, least=0.0)
        checked_count("cutting planes: max_rounds", self.max_rounds)
        for name, value in (("max_cuts", self.max_cuts), ("purge_after", self.purge_after)):
            if value is not None:
                checked_count(f"cutting planes: {name}", value)
