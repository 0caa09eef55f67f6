r"""Exhaustive: the best set from sums, with a look at every set of the class.

Stop where :math:`\max_{M \ne \hat M} \hat\theta(M) + C_t \|\chi_M - \chi_{\hat M}\|_{A^{-1}} -
\hat\theta(\hat M) < \epsilon`, the maximum by enumeration: what SAQM and SA-FOA are there to avoid.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import chain

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.optimal import Design
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.subsets.static_allocation import (
    DesignName,
    Snapshot,
    checked_aim,
    sample_until,
)
from cpe_opt.problems.queries import PullSets
from cpe_opt.problems.subsets.decisions import MOST_LISTED, DecisionClass

_CHUNK = 50_000


@declare(
    family="subsets",
    goal="PAC",
    guarantee="a set within epsilon of the best with probability at least 1 - delta",
    paper="Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020), Algorithm 5",
    endless_if="two sets are equally good and epsilon is 0",
)
def exhaustive(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator,
    delta: float = 0.05,
    epsilon: float = 0.0,
    noise: float = 1.0,
    sigma: float | None = None,
    design: Design | DesignName = "g",
    growth: float = 1.01,
) -> Generator[PullSets, FloatArray, tuple[int, ...]]:
    """Find a set within epsilon of the best with probability at least 1 - delta.

    Parameters
    ----------
    decisions : DecisionClass
        With at most 5,000,000 sets.
    rng, delta, epsilon, noise, sigma, design, growth
        As for :func:`cpe_opt.learners.subsets.saqm`.

    Returns
    -------
    tuple of int
        The set.

    References
    ----------
    Kuroki, Xu, Miyauchi, Honda, Sugiyama, "Polynomial-time Algorithms for Multiple-arm
    Identification with Full-bandit Feedback", 2020, Algorithm 5.
    """
    aim = checked_aim(decisions, epsilon, delta, noise, sigma)
    listing = Enumeration(decisions)

    def stop(look: Snapshot) -> bool:
        gap_bound = listing.largest_gap_bound(look, aim.ellipsoid_radius(look.t, decisions))
        return gap_bound < aim.epsilon or gap_bound == -np.inf

    return (yield from sample_until(decisions, design, stop, rng=rng, growth=growth))


class Enumeration:
    """All sets of a class, gone through in chunks.

    Members are numbers in an array, shape (K, largest size); smaller sets are filled up with n.
    """

    def __init__(self, decisions: DecisionClass) -> None:
        count, size, rank = decisions.count(), decisions.size, decisions.rank
        if count > MOST_LISTED:
            raise InputError(
                f"{decisions.name} has {count:,} sets, expected at most {MOST_LISTED:,}"
            )
        filled = (members + (size,) * (rank - len(members)) for members in decisions.sets())
        flat = np.fromiter(chain.from_iterable(filled), np.int16, count * rank)
        self._size = size
        self._members = flat.reshape(count, rank)

    def largest_gap_bound(self, look: Snapshot, radius: float) -> float:
        """By how much another set may lead the best one; minus infinity where there is no other."""
        largest = -np.inf
        for start in range(0, len(self._members), _CHUNK):
            chunk = self._members[start : start + _CHUNK].astype(np.int64)
            chi = np.zeros((len(chunk), self._size + 1))
            np.put_along_axis(chi, chunk, 1.0, axis=1)
            apart = chi[:, : self._size] - look.chi
            leads = apart @ look.theta + radius * look.norms(apart)
            leads[~apart.any(axis=1)] = -np.inf
            largest = max(largest, float(leads.max()))
        return largest
