"""Sets of a class that nobody can list, as they are found.

They stand in for all sets where alternatives are compared; that they are enough is for
:mod:`cpe_opt.proofs.subsets.optimistic_gap` to prove.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators


class SetPool:
    """The sets of a class that have been found so far.

    Parameters
    ----------
    decisions : DecisionClass

    Attributes
    ----------
    vectors : float array, shape (found, n)
        Their indicators, in the order in which they were found.
    changes : int
        How often that has been another array.
    """

    def __init__(self, decisions: DecisionClass) -> None:
        self.decisions = decisions
        self.vectors: FloatArray = np.zeros((0, decisions.size))
        self.changes = 0
        self._place: dict[tuple[int, ...], int] = {}

    def __len__(self) -> int:
        return len(self._place)

    def join(self, members: tuple[int, ...]) -> bool:
        """Take a set in; whether it is new."""
        if members in self._place:
            return False
        self._place[members] = len(self._place)
        self.changes += 1
        self.vectors = np.vstack([self.vectors, indicators([members], self.decisions.size)])
        return True

    def keep(self, chosen: BoolArray) -> None:
        """Forget all others; ``chosen`` has the shape (found,)."""
        self.vectors = self.vectors[chosen]
        self.changes += 1
        kept = [m for m, stays in zip(self._place, chosen.tolist(), strict=True) if stays]
        self._place = {members: place for place, members in enumerate(kept)}

    def rows(self, best: tuple[int, ...]) -> FloatArray:
        """The differences of a set to all others, shape (others, n)."""
        rows = indicators([best], self.decisions.size) - self.vectors
        return np.asarray(rows[rows.any(axis=1)])
