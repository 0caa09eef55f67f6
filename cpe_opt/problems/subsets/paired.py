"""Two sets of a decision class at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.problems.subsets.decisions import DecisionClass, RowBuilder
from cpe_opt.validation import checked_types


class PairedSets(DecisionClass):
    """Two sets of a class at once: elements e of the first, n + e of the second."""

    def __init__(self, base: DecisionClass) -> None:
        labels = [f"{label}{mark}" for mark in ("", "'") for label in base.labels]
        super().__init__(2 * base.size, labels)
        self.base = base

    @property
    def name(self) -> str:
        """Such as ``pairs of 2 of 4``."""
        return f"pairs of {self.base.name}"

    @property
    def fingerprint(self) -> dict[str, Any]:
        """That of the class."""
        return {"pairs": self.base.fingerprint}

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sums of two sizes."""
        return tuple(sorted({i + j for i in self.base.sizes for j in self.base.sizes}))

    def count(self) -> int:
        """K²."""
        return self.base.count() ** 2

    def sets(self) -> Iterator[tuple[int, ...]]:
        """Every pair, in order."""
        for first, second in product(self.base.listed_sets(), repeat=2):
            yield (*first, *(self.base.size + e for e in second))

    @checked_types
    def contains(self, chosen: Iterable[int]) -> bool:
        """Whether both halves are sets."""
        members = list(chosen)
        first = [e for e in members if e < self.base.size]
        second = [e - self.base.size for e in members if e >= self.base.size]
        return self.base.contains(first) and self.base.contains(second)

    @property
    def obstacle(self) -> str:
        """That of the class."""
        return self.base.obstacle

    @property
    def has_rows(self) -> bool:
        """As the class."""
        return self.base.has_rows

    @property
    def integral(self) -> bool:
        """As the class."""
        return self.base.integral

    def best(
        self, weights: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> tuple[int, ...] | None:
        """The best set of each half."""
        n, chosen = self.base.size, list[int]()
        for first in (0, n):
            forced, banned = (
                [e - first for e in elements if first <= e < first + n]
                for elements in (include, exclude)
            )
            half = self.base.best_set(weights[first : first + n], forced, banned)
            if half is None:
                return None
            chosen += [first + e for e in half]
        return tuple(chosen)

    def program_rows(
        self, builder: RowBuilder, columns: IntArray, *, integer: bool = False, prefix: str = ""
    ) -> None:
        """The rows of each half, with prefixes ``a_`` and ``b_``."""
        for mark, half in zip("ab", np.split(columns, 2), strict=True):
            self.base.program_rows(builder, half, integer=integer, prefix=f"{prefix}{mark}_")
