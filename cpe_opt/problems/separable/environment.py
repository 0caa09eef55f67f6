"""Simulated observations of single arms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Pull
from cpe_opt.problems.separable.distributions import Distribution

_BUFFER = 4096


class ArmEnvironment:
    """Answers :class:`Pull` queries by the distributions of the arms.

    Each arm has a stream of its own: its n-th observation does not depend on the other arms.
    """

    def __init__(self, arms: Sequence[Distribution], rng: np.random.Generator) -> None:
        self._arms = tuple(arms)
        self._streams = rng.spawn(len(arms))
        self._ahead = [np.zeros(0) for _ in arms]

    def check(self, query: object) -> Pull:
        """The query, or :class:`InputError` if it is not a legal one."""
        if not isinstance(query, Pull):
            raise InputError(f"this problem answers Pull queries, the learner asked {query!r}")
        if not (0 <= query.arm < len(self._arms) and query.times >= 1):
            raise InputError(f"the learner asked {query!r}; arms are 0 … {len(self._arms) - 1}")
        return query

    def answer(self, query: Pull) -> FloatArray:
        """The next observations of the arm."""
        ahead = self._ahead[query.arm]
        if len(ahead) < query.times:
            count = max(query.times, _BUFFER)
            more = self._arms[query.arm].sample(self._streams[query.arm], count)
            ahead = np.concatenate([ahead, more])
        self._ahead[query.arm] = ahead[query.times :]
        return ahead[: query.times]
