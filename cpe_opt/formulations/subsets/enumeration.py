r"""The linear oracle by going through all sets: for classes that know nothing but their sets.

A best set is the first of those with the largest weight :math:`\chi_M^\top w`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.problems.subsets.decisions import DecisionClass


class Enumeration:
    """All sets of a class, listed once.

    Raises
    ------
    InputError
        Where they are too many, or the class has no way to list them.
    """

    def __init__(self, decisions: DecisionClass) -> None:
        self._vectors = decisions.indicator_matrix()

    def best(
        self, weights: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> tuple[int, ...] | None:
        """A set of the largest weight; None where none has these and lacks those elements."""
        vectors = self._vectors
        fitting = np.ones(len(vectors), dtype=np.bool_)
        if include:
            fitting &= vectors[:, list(include)].all(axis=1)
        if exclude:
            fitting &= ~vectors[:, list(exclude)].any(axis=1)
        places = np.flatnonzero(fitting)
        if not len(places):
            return None
        # No product of matrices: its last bits depend on the machine.
        place = places[int(np.argmax((vectors[places] * weights).sum(axis=1)))]
        return tuple(np.flatnonzero(vectors[place]).tolist())
