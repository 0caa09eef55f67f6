"""A design, and what is certain of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.answer import Answer
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.ties import on_grid

Criterion: TypeAlias = Literal["G", "XY"]
_LARGEST = 5  # shares in a report


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
    """A design that has the vectors of positive weight.

    Parameters
    ----------
    actions : array_like or DecisionClass
        Of a list the support are row numbers, of a class the members of sets.
    vectors : float array, shape (N, n)
        For a list, all of its rows.
    weights : float array, shape (N,)
    criterion, value, bound, method, result
        As for :class:`Design`.
    """
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
