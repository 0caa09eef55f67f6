"""A design: shares of samples, what is certain of it, and its rounding to whole numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.ties import on_grid
from cpe_opt.validation import NonNegativeInt, Numbers, checked_types

Criterion: TypeAlias = Literal["G", "XY"]
_LARGEST = 5  # shares in a report
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Design(Answer):
    """A design: which actions to take in which shares.

    ``value`` is at least the design's criterion, ``bound`` at most that of any design.

    Attributes
    ----------
    support : tuple
        Row numbers of the actions used; for a decision class, their members.
    weights : float array, shape (S,)
        Their shares, above 0; they add up to 1.
    vectors : float array, shape (S, n)
        The actions used.
    criterion : "G" or "XY"
    """

    support: tuple[int, ...] | tuple[tuple[int, ...], ...]
    weights: FloatArray
    vectors: FloatArray = field(repr=False)
    criterion: Criterion

    @property
    def information(self) -> FloatArray:
        """Λ of the design; shape (n, n)."""
        return np.asarray(self.vectors.T @ (self.weights[:, None] * self.vectors))

    def report(self, problem: SubsetBandit) -> dict[str, Any]:
        """How many sets it has, and the largest shares, by the labels of their elements."""
        heaviest = (-on_grid(self.weights)).argsort(kind="stable")[:_LARGEST].tolist()
        sets = [np.flatnonzero(self.vectors[place]).tolist() for place in heaviest]
        describe = problem.decisions.describe
        shares = {
            describe(members): float(self.weights[place])
            for place, members in zip(heaviest, sets, strict=True)
        }
        return {"sets": len(self.weights), "largest shares": shares}


def design_of(
    actions: npt.ArrayLike | DecisionClass,
    vectors: FloatArray,
    weights: FloatArray,
    *,
    criterion: Criterion,
    value: float,
    bound: float,
    method: str,
    result: SolveResult | None = None,
) -> Design:
    """A design of the vectors, shape (N, n), that have a positive weight."""
    used = np.flatnonzero(weights > 0)
    support: tuple[int, ...] | tuple[tuple[int, ...], ...] = tuple(used.tolist())
    if isinstance(actions, DecisionClass):
        support = tuple(tuple(np.flatnonzero(row > 0.5).tolist()) for row in vectors[used])
    return Design(
        value=value,
        bound=bound,
        method=method,
        result=result,
        support=support,
        weights=weights[used],
        vectors=vectors[used],
        criterion=criterion,
    )


@checked_types
def efficient_rounding(weights: Numbers, total: NonNegativeInt) -> IntArray:
    r"""Whole numbers of samples that add up to ``total``, in proportion to the weights.

    :math:`\lceil (t - s/2) p_i \rceil`, then one more where :math:`t_i / p_i` is least, or one less
    where :math:`(t_i - 1) / p_i` is largest, until they add up: what pulling :math:`\arg\min T_i /
    p_i` round by round leads to (ties aside).
    """
    shares = checked_array("weights", weights)
    if shares.ndim != 1 or not (shares > 0).all() or abs(shares.sum() - 1.0) > 1e-6:
        raise InputError("weights: expected positive numbers that add up to 1")
    count = len(shares)
    if total <= count:
        return (np.arange(count) < total).astype(np.int64)
    times = np.maximum(1, np.ceil((total - count / 2.0) * shares - _ROUNDING)).astype(np.int64)
    while (missing := total - int(times.sum())) != 0:
        # As many at once as can be told from their places in the order of pulls.
        if missing > 0:
            place, following = times / shares, (times + 1) / shares
            first = np.argsort(place, kind="stable")[:missing]
            sure = place[first] < following[first].min()
            times[first[sure]] += 1
        else:
            place, following = (times - 1) / shares, (times - 2) / shares
            last = np.argsort(place, kind="stable")[missing:]
            sure = place[last] > following[last].max()
            times[last[sure]] -= 1
    return times
