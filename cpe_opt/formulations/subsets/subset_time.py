r"""The characteristic time of the best set of a class: the least cost of identifying it.

An algorithm that names another set than the best one, :math:`M^*`, with probability at most
:math:`\delta` has to tell every instance apart in which another set M of the class is as good. The
cheapest observations that do so cost :math:`T^* \ln(1/\delta)` in the limit :math:`\delta \to 0`,
and on average at least :math:`T^*\, \mathrm{kl}(\delta, 1-\delta)` for every
:math:`\delta < \frac12`, where noise is normal of variance :math:`\sigma^2`; sub-Gaussian noise
tells at least as much.

What is observed (``feedback``):

- ``single``: an element's own reward; a second-order cone program,
  :mod:`cpe_opt.formulations.subsets.single_pulls`.

Where a set is as good as the best one, no number of observations is enough, and :math:`T^*` is
infinite. Where the class has a single set nothing need be asked, and it is 0.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.information import REPORTED, confidence_information
from cpe_opt.formulations.subsets.alternatives import Alternatives
from cpe_opt.formulations.subsets.single_pulls import (
    Certified,
    single_program,
    single_time,
)
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.prices import checked_element_prices
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.ties import on_grid
from cpe_opt.validation import checked_finite, checked_probability, checked_types

Feedback: TypeAlias = Literal["single"]
Method: TypeAlias = Literal["cone", "multiplicative"]
FEEDBACKS: tuple[Feedback, ...] = ("single",)
METHODS: tuple[Method, ...] = ("cone", "multiplicative")
_LARGEST = 5  # shares in a report


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SubsetTime(Answer):
    """T*, and the pulls that attain it.

    Attributes
    ----------
    value : float
        T*: the cost per ``ln(1/delta)``, a number of pulls where these have no prices; infinite
        where another set is as good as the best one.
    bound : float
        No pulls that suffice cost less.
    method : str
    result : SolveResult or None
        The last solve behind ``value``; None where no program was solved.
    elements : tuple of int
        The best set.
    feedback : "single"
    sigma : float
        The standard deviation of one observation.
    exploration : float array, shape (n,)
        Pulls of each element per ``ln(1/delta)``. Where ``value`` is infinite, so are those of the
        elements that tell two best sets apart; of the others it is not known (0).
    """

    elements: tuple[int, ...]
    feedback: Feedback
    sigma: float
    exploration: FloatArray

    @property
    def proportions(self) -> FloatArray:
        """The shares of all pulls; where some are infinite, those alone, alike; 0 without any."""
        endless = np.isinf(self.exploration)
        pulls = endless.astype(np.float64) if endless.any() else self.exploration
        return np.asarray(pulls / pulls.sum()) if pulls.any() else pulls

    def pulls(self, delta: float) -> float:
        """T* kl(delta, 1 - delta): the least mean cost at the probability ``delta`` of an error.

        A number of pulls where these have no prices. From ``delta`` = ½ on nothing need be
        asked: 0.

        Parameters
        ----------
        delta : float
            Between 0 and 1.

        Raises
        ------
        InputError

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.subset_time(cpe.load_instance("trees-of-k4")).pulls(0.05), 1)
        1211.0
        """
        information = confidence_information(checked_probability("delta", delta))
        return self.value * information if information > 0.0 else 0.0

    def report(self, problem: SubsetBandit) -> dict[str, Any]:
        """The best set, the largest shares, and the cost at usual probabilities of an error."""
        shares = self.proportions
        heaviest = (-on_grid(shares)).argsort(kind="stable")[:_LARGEST].tolist()
        return {
            "set": problem.decisions.describe(self.elements),
            "feedback": self.feedback,
            "sigma": self.sigma,
            "largest shares": {
                problem.labels[place]: float(shares[place]) for place in heaviest if shares[place]
            },
            "pulls": {f"delta {delta:g}": self.pulls(delta) for delta in REPORTED},
        }


@checked_types
def subset_time_program(
    problem: SubsetBandit,
    feedback: Feedback = "single",
    *,
    sigma: float | None = None,
    prices: npt.ArrayLike | str | os.PathLike[str] | None = None,
) -> ConicProgram:
    """The cone program of the characteristic time, with all alternatives listed.

    Parameters
    ----------
    problem, feedback, sigma, prices
        As for :func:`subset_time`; the class is a matroid, or one that can be listed.

    Raises
    ------
    InputError
        Where there is no best set, or no other one, or too many sets to list.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.subset_time_program(cpe.load_instance("trees-of-k4"))
    ConicProgram('subset_time', 12 variables, 24 constraints, min)
    """
    _check_feedback(feedback)
    spread = _deviation(problem, sigma)
    costs = checked_element_prices(prices, problem.decisions)
    alternatives = Alternatives.of(problem)
    tied = alternatives.tied
    if tied is not None:
        best = problem.decisions.describe(alternatives.best)
        raise InputError(
            f"{_other(alternatives, tied)} is as good as {best}, the best set of {problem.name}, "
            "so that no number of pulls is enough: there is no program"
        )
    if not len(alternatives.rows):
        raise InputError(f"{problem.name} has a single set, and nothing to tell apart")
    if not alternatives.complete:
        raise InputError(
            f"{problem.decisions.name} has too many sets to list all rows; subset_time finds those "
            "that matter"
        )
    return single_program(alternatives, spread, costs)


@checked_types
def subset_time(
    problem: SubsetBandit,
    feedback: Feedback = "single",
    *,
    sigma: float | None = None,
    prices: npt.ArrayLike | str | os.PathLike[str] | None = None,
    method: Method = "cone",
    **solving: Unpack[SolveOptions],
) -> SubsetTime:
    """T*: the cost per ln(1/δ) of identifying the best set, and the pulls that attain it.

    ``time.pulls(delta)`` bounds the mean cost of every algorithm that errs with probability at most
    δ where noise is normal: see the module.

    Parameters
    ----------
    problem : SubsetBandit
    feedback : "single"
        What a pull shows: the reward of one element.
    sigma : float, optional
        The standard deviation of one observation, above 0; by default that of the problem's noise.
        A problem without noise, or with a table of outcomes, has no default.
    prices : array_like or path, optional
        What a pull of each element costs: one positive number, an array of shape (n,), or a file
        (see :mod:`cpe_opt.problems.subsets.prices`); 1 by default.
    method : "cone" or "multiplicative"
        Cone programs with a solver, or multiplicative steps without one.
    **solving
        As for :func:`cpe_opt.solve`. ``time_limit`` is for all. With ``cone`` the others are those
        of the cone programs, ``clarabel`` by default. Classes that are no matroids and have more
        than 20,000 sets need integer programs: by ``highs``, and as ``multiplicative`` is told.

    Returns
    -------
    SubsetTime
        Infinite where another set is as good as the best one, 0 where there is no other.

    Raises
    ------
    InputError, UnknownName

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> time = cpe.subset_time(cpe.load_instance("top-5-of-10"))
    >>> round(time.value, 1), time.gap < 1e-6
    (1119.6, True)
    """
    _check_feedback(feedback)
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    spread = _deviation(problem, sigma)
    costs = checked_element_prices(prices, problem.decisions)
    alternatives = Alternatives.of(problem)
    tied = alternatives.tied
    if tied is not None or not len(alternatives.rows):
        found = _without_program(alternatives, tied)
    else:
        found = single_time(alternatives, spread, costs, method, **solving)
    return SubsetTime(
        value=found.value,
        bound=found.bound,
        method=method,
        result=found.result,
        elements=alternatives.best,
        feedback=feedback,
        sigma=spread,
        exploration=found.exploration,
    )


def _without_program(alternatives: Alternatives, tied: FloatArray | None) -> Certified:
    """Where no number of pulls is enough, or none is needed."""
    if tied is None:
        return Certified(0.0, 0.0, np.zeros(alternatives.decisions.size))
    return Certified(math.inf, math.inf, np.where(tied != 0.0, math.inf, 0.0))


def _check_feedback(feedback: str) -> None:
    if feedback not in FEEDBACKS:
        raise UnknownName("feedback", feedback, FEEDBACKS)


def _deviation(problem: SubsetBandit, sigma: float | None) -> float:
    """The standard deviation of one observation, or :class:`InputError`."""
    if sigma is not None:
        return checked_finite("sigma", sigma, above=0.0)
    if problem.outcomes is not None or problem.noise == 0.0:
        why = "no noise" if problem.outcomes is None else "a table of outcomes in place of noise"
        raise InputError(
            f"{problem.name} has {why}: give sigma, the standard deviation of one observation"
        )
    return problem.noise


def _other(alternatives: Alternatives, difference: FloatArray) -> str:
    """The set at this difference from the best one, by its labels."""
    chosen = np.zeros(len(difference))
    chosen[list(alternatives.best)] = 1.0
    return alternatives.decisions.describe(np.flatnonzero(chosen - difference > 0.5).tolist())
