r"""The characteristic time of the best set of a class: the least cost of identifying it.

An algorithm that names another set than the best one, :math:`M^*`, with probability at most
:math:`\delta` has to tell every instance apart in which another set M of the class is as good. The
cheapest observations that do so cost :math:`T^* \ln(1/\delta)` in the limit :math:`\delta \to 0`,
and on average at least :math:`T^*\, \mathrm{kl}(\delta, 1-\delta)` for every
:math:`\delta < \frac12`, where noise is normal of variance :math:`\sigma^2`; sub-Gaussian noise
tells at least as much.

What is observed (``feedback``):

- ``single``: an element's own reward; a second-order cone program,
  :mod:`cpe_opt.formulations.subsets.single_pulls`;
- ``sums``: the sum of the rewards of a set's elements; a design for differences scaled by their
  gaps, :mod:`cpe_opt.formulations.subsets.sums_of_sets`.

Where a set is as good as the best one, no number of observations is enough, and :math:`T^*` is
infinite. Where the class has a single set it is 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.information import asymptotic_cost, least_cost, reported_costs
from cpe_opt.formulations.subsets.alternatives import Alternatives
from cpe_opt.formulations.subsets.single_pulls import Certified, single_program, single_time
from cpe_opt.formulations.subsets.sums_of_sets import (
    MOST_COMPARED,
    MOST_SETS,
    sums_program,
    sums_time,
)
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import checked_element_prices
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions, deadline_of
from cpe_opt.ties import on_grid
from cpe_opt.validation import Numbers, Positive, checked_types

Feedback: TypeAlias = Literal["single", "sums"]
Method: TypeAlias = Literal["cone", "multiplicative", "columns"]
FEEDBACKS: tuple[Feedback, ...] = ("single", "sums")
METHODS: tuple[Method, ...] = ("cone", "multiplicative", "columns")
_LARGEST = 5  # shares in a report
_LEAST_LIMIT = 0.01  # seconds


@checked_types
def subset_time_program(
    problem: SubsetBandit,
    feedback: Feedback = "single",
    *,
    sigma: Positive | None = None,
    prices: Numbers | None = None,
) -> ConicProgram:
    """The cone program of the characteristic time, with all alternatives listed.

    Arguments are those of :func:`subset_time`; the class is a matroid, or one that can be listed,
    with one best set and another one.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.subset_time_program(cpe.load_instance("trees-of-k4"))
    ConicProgram('subset_time', 12 variables, 24 constraints, min)
    """
    _check_feedback(feedback)
    spread = _deviation(problem, feedback, sigma)
    costs = _costs(prices, problem, feedback)
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
    build = single_program if feedback == "single" else sums_program
    return build(alternatives, spread, costs)


@checked_types
@shows_progress("T* of the best set")
def subset_time(
    problem: SubsetBandit,
    feedback: Feedback = "single",
    *,
    sigma: Positive | None = None,
    prices: Numbers | None = None,
    method: Method | None = None,
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> SubsetTime:
    """T*: the cost per ln(1/δ) of identifying the best set, and the pulls that attain it.

    ``time.pulls(delta)`` bounds the mean cost of every algorithm that errs with probability at most
    δ where noise is normal: see the module.

    Parameters
    ----------
    problem : SubsetBandit
    feedback : "single" or "sums"
        What a pull shows: the reward of one element, or the sum of a set's.
    sigma : float, optional
        The standard deviation of one observation, above 0. By default that of the problem's noise
        where pulls are single, and its multiple by √k where they are sums of k independent
        ones, k the size of the largest set. (For dependent ones k times the noise is
        the cautious bound.) A problem without noise, or with a table of outcomes, has no default.
    prices : array_like, optional
        What a pull costs, 1 by default. One positive number is the price of every pull. An array of
        shape (n,), such as :func:`cpe_opt.read_prices` reads, has the prices of elements; those of
        a set add up.
    method : "cone", "multiplicative" or "columns", optional
        Cone programs with a solver, the default for single pulls; multiplicative steps without one,
        the default for sums over at most 1,000 sets; column generation for sums over more, until
        the gap is at most 1 %.
    progress : bool or callable, optional
        As for :func:`cpe_opt.copeland_bound`.
    **solving
        As for :func:`cpe_opt.solve`. ``time_limit`` is for all methods that may take long, and for
        their programs together: with ``columns`` the last part of it certifies what is known. With
        ``cone`` the others are those of the cone programs, ``clarabel`` by default. Classes that
        are no matroids and have more than 20,000 sets need integer programs: by ``highs``, or as
        ``multiplicative`` and ``columns`` are told. ``columns`` lists up to 50,000 sets, and needs
        none for up to 50 million matchings, or paths without cycles.

    Returns
    -------
    SubsetTime
        Infinite where another set is as good as the best one, 0 where there is no other.

    Raises
    ------
    InputError, UnknownName
    NotOptimal
        Where the best set is not known within ``time_limit``.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> time = cpe.subset_time(cpe.load_instance("top-5-of-10"))
    >>> round(time.value, 1), time.gap < 1e-6
    (1119.6, True)
    """
    _check_feedback(feedback)
    spread = _deviation(problem, feedback, sigma)
    costs = _costs(prices, problem, feedback)
    deadline = deadline_of(solving.get("time_limit"))
    chosen = method or _usual(problem, feedback)
    most = MOST_COMPARED if chosen == "columns" else None
    alternatives = Alternatives.of(problem, most=most, deadline=deadline)
    if math.isfinite(deadline):
        solving["time_limit"] = max(_LEAST_LIMIT, deadline - perf_counter())
    tied = alternatives.tied
    if tied is None and not alternatives.least_known:
        pulls = np.zeros(problem.decisions.size if feedback == "single" else 0)
        time = Certified(math.inf, 0.0, pulls, timed_out=True)
    elif tied is not None or not len(alternatives.rows):
        time = _without_program(alternatives, tied)
    elif feedback == "sums":
        time = sums_time(alternatives, spread, costs, chosen, **solving)
    elif chosen == "columns":
        raise InputError("'columns' is for sums, and pulls are single; use 'cone'")
    else:
        time = single_time(alternatives, spread, costs, chosen, **solving)
    return SubsetTime(
        value=time.value,
        bound=time.bound,
        method=chosen,
        result=time.result,
        elements=alternatives.best,
        feedback=feedback,
        sigma=spread,
        exploration=time.exploration,
        sets=time.sets,
        timed_out=time.timed_out,
    )


def _without_program(alternatives: Alternatives, tied: FloatArray | None) -> Certified:
    """The time if no number of pulls is enough, or none is needed."""
    if tied is None:
        return Certified(0.0, 0.0, np.zeros(alternatives.decisions.size))
    return Certified(math.inf, math.inf, np.where(tied != 0.0, math.inf, 0.0))


def _usual(problem: SubsetBandit, feedback: Feedback) -> Method:
    """The method where none is named."""
    if feedback == "single":
        return "cone"
    try:
        problem.decisions.indicator_matrix(MOST_SETS)
    except InputError:  # too many
        return "columns"
    return "multiplicative"


def _costs(prices: Any, problem: SubsetBandit, feedback: Feedback) -> FloatArray:
    """The prices of elements, shape (n,); of sums that all cost the same, that, shape ()."""
    costs = checked_element_prices(prices, problem.decisions)
    one = prices is None or np.ndim(prices) == 0
    return costs[0, ...] if one and feedback == "sums" else costs


def _check_feedback(feedback: str) -> None:
    if feedback not in FEEDBACKS:
        raise UnknownName("feedback", feedback, FEEDBACKS)


def _deviation(problem: SubsetBandit, feedback: Feedback, sigma: float | None) -> float:
    """The standard deviation of one observation, or :class:`InputError`."""
    if sigma is not None:
        return sigma
    if problem.outcomes is not None or problem.noise == 0.0:
        why = "no noise" if problem.outcomes is None else "a table of outcomes in place of noise"
        raise InputError(
            f"{problem.name} has {why}: give sigma, the standard deviation of one observation"
        )
    return problem.noise_of(feedback)


def _other(alternatives: Alternatives, difference: FloatArray) -> str:
    """The set at this difference from the best one, by its labels."""
    chosen = np.zeros(len(difference))
    chosen[list(alternatives.best)] = 1.0
    return alternatives.decisions.describe(np.flatnonzero(chosen - difference > 0.5).tolist())


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
    elements : tuple of int
        The best set.
    feedback : "single" or "sums"
    sigma : float
        The standard deviation of one observation.
    exploration : float array, shape (n,) or (S,)
        Pulls of each element, or of each of ``sets``, per ``ln(1/delta)``. Where ``value`` is
        infinite, so are single pulls of the elements that tell two best sets apart; of others it is
        not known (0).
    sets : tuple of tuples of int
        What is pulled where sums are seen, those of the largest shares first; else empty.
    timed_out : bool
        Whether ``time_limit`` ended the search, with the bounds that it had: 0 and infinity where
        the second best set was not found in time.
    """

    elements: tuple[int, ...]
    feedback: Feedback
    sigma: float
    exploration: FloatArray
    sets: tuple[tuple[int, ...], ...] = ()
    timed_out: bool = False

    @property
    def proportions(self) -> FloatArray:
        """The shares of all pulls; where some are infinite, those alone, alike; 0 without any."""
        endless = np.isinf(self.exploration)
        pulls = endless.astype(np.float64) if endless.any() else self.exploration
        return np.asarray(pulls / pulls.sum()) if pulls.any() else pulls

    def pulls(self, delta: float = 0.05) -> float:
        """T* kl(delta, 1 - delta), from ``bound``: the least mean cost at an error's probability.

        A number of pulls where these have no prices. From ``delta`` = ½ on it is 0.

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.subset_time(cpe.load_instance("trees-of-k4")).pulls(0.05), 1)
        1211.0
        """
        return least_cost([self.bound], delta)

    def asymptotic_pulls(self, delta: float = 0.05) -> float:
        """T* ln(1/delta): what the best algorithms cost in the limit of small ``delta``.

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.subset_time(cpe.load_instance("trees-of-k4")).asymptotic_pulls(0.05), 1)
        1369.0
        """
        return asymptotic_cost(self.value, delta)

    def report(self, problem: SubsetBandit) -> dict[str, Any]:
        """The best set, the largest shares, and the cost at usual probabilities of an error."""
        shares = self.proportions
        heaviest = (-on_grid(shares)).argsort(kind="stable")[:_LARGEST].tolist()
        return {
            "set": problem.decisions.describe(self.elements),
            "feedback": self.feedback,
            "sigma": self.sigma,
            "largest shares": {
                problem.decisions.describe(self.sets[place])
                if self.sets
                else problem.labels[place]: float(shares[place])
                for place in heaviest
                if shares[place]
            },
            **({"timed out": True} if self.timed_out else {}),
            **reported_costs("pulls", self.pulls, self.asymptotic_pulls),
        }
