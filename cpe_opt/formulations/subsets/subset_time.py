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
  gaps, see below.

Where a set is as good as the best one, no number of observations is enough, and :math:`T^*` is
infinite. Where the class has a single set it is 0.

**Sums over sets: a design for scaled differences.**

A pull of a set S shows :math:`\theta(S)` with normal noise of variance :math:`\sigma^2` and costs
:math:`c_S`. In :math:`q_S` pulls of each, with
:math:`\Lambda_q = \sum_S q_S \chi_S \chi_S^\top`, an instance in which M is as good as
:math:`M^*` differs from the truth by at least
:math:`\Delta_M^2 / (2\sigma^2 \|y_M\|^2_{\Lambda_q^{-1}})` nats,
:math:`y_M = \chi_{M^*} - \chi_M`, so that with the shares p of the cost,
:math:`q_S = T p_S / c_S`, the actions :math:`x_S = \chi_S/\sqrt{c_S}`, and
:math:`z_M = \sqrt 2 \sigma\, y_M/\Delta_M`

.. math:: T^* = \min_p \max_{M \ne M^*} z_M^\top \Lambda_p^{-1} z_M, \qquad
          \Lambda_p = \sum_S p_S x_S x_S^\top ,

the XY design of the differences scaled by their gaps: transductive linear bandits. A norm is
convex, so that fewer alternatives are enough (:mod:`cpe_opt.formulations.subsets.alternatives`).

**The certificate.** The value is the largest :math:`z^\top \Lambda_p^{-1} z` of the design over all
alternatives, or an upper bound on it. For weights w on alternatives,
:math:`V = \sum_M w_M z_M z_M^\top` and any symmetric matrix B every design has

.. math:: \mathrm{tr}(BV)^2 \le \mathrm{tr}(V \Lambda_p^{-1})\, \mathrm{tr}(\Lambda_p B V B)
          \le \max_M z_M^\top \Lambda_p^{-1} z_M \cdot \max_S x_S^\top B V B x_S

(Cauchy and Schwarz; means are at most maxima), so that
:math:`\mathrm{tr}(BV)^2 / \max_S x_S^\top B V B x_S \le T^*`, with equality at the optimum, where B
is :math:`\Lambda_p^{-1}`.

- ``multiplicative`` and ``cone``, for classes that can be listed:
  :mod:`cpe_opt.formulations.designs.enumerated`;
- ``columns``, for others: sets and alternatives join as two pricings find them
  (:mod:`cpe_opt.formulations.designs.column_generation`), those of alternatives by ratios, see
  below. Classes of matchings, and of paths without cycles, are searched by their halves
  (:mod:`cpe_opt.formulations.quadratic.local_search`), matroids compare exchanges and price sets by
  branching, others are certified by programs (:mod:`cpe_opt.formulations.quadratic.bounds`). Where
  many alternatives are nearly as hard to tell as the hardest the bounds may stay apart. With a
  ``time_limit`` the best design so far is certified in the last part of it.

Fiez, Jain, Jamieson, Ratliff, "Sequential experimental design for transductive linear bandits",
NeurIPS 2019; Katz-Samuels, Jain, Karnin, Jamieson, "An empirical process approach to the union
bound", NeurIPS 2020; Degenne, Ménard, Shang, Valko, "Gamification of pure exploration for linear
bandits", ICML 2020.

**The alternative that a design tells worst.** For a matrix :math:`W \succeq 0`, such as
:math:`\Lambda_p^{-1}`, the alternatives y of :mod:`cpe_opt.formulations.subsets.alternatives` are
to be found with the largest :math:`y^\top W y / \Delta(y)^2`,
:math:`\Delta(y) = \theta^\top y > 0`. Rows are :math:`z = y s/\Delta(y)` with a scale s, so that
the ratio is :math:`z^\top W z / s^2`.

- *Listed alternatives*: all are looked at, and so are those of a class that its halves make, by
  the forms :math:`y^\top W y` and :math:`\theta^\top y` of each block.
- *Ascent*: the norm is convex, so :math:`\|y\| \ge u^\top y` with
  :math:`u = W y_0/\|y_0\|`, and :math:`u^\top y/\Delta(y)`, a ratio of two linear forms, is
  largest at the y of the largest :math:`(u - \lambda\theta)^\top y` for :math:`\lambda` the
  largest ratio: take :math:`\lambda` at the present y, the best set for it, and again (Dinkelbach
  1967).
- *The certificate*: of the alternatives with gaps from a to 2a, for a from the least gap on, those
  with the largest :math:`y^\top W y - c\, \Delta(y)^2` are bounded
  (:mod:`cpe_opt.formulations.quadratic.bounds`), with c a little above the largest ratio known. If
  that is at most :math:`\eta \ge 0`, no ratio of these is above :math:`c + \eta/a^2`. The band with
  the largest such bound is searched on, until none is above c, or time is over. Where a is so large
  that the largest eigenvalue of W bounds the ratio the bands end.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Literal, NamedTuple, TypeAlias, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.designs.column_generation import (
    check_exact,
    saddle_columns,
)
from cpe_opt.formulations.designs.design import (
    independent_columns,
    inverse_of,
    span_basis,
    span_of,
)
from cpe_opt.formulations.designs.enumerated import minimax_program, xy_cvxpy, xy_multiplicative
from cpe_opt.formulations.designs.pricing import Pricing
from cpe_opt.formulations.information import asymptotic_cost, least_cost, reported_costs
from cpe_opt.formulations.quadratic.bounds import Form, GapTerm, PiecewiseBound
from cpe_opt.formulations.quadratic.local_search import best_of_blocks, quadratic_forms
from cpe_opt.formulations.subsets.alternatives import Alternatives
from cpe_opt.formulations.subsets.oracle import OutOfTime, SubsetOracle
from cpe_opt.formulations.subsets.single_pulls import Certified, single_program, single_time
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import Halves, checked_element_prices, indicators
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import (
    SolveOptions,
    deadline_of,
    refuse_unused,
    share_of_time,
)
from cpe_opt.ties import on_grid
from cpe_opt.validation import Numbers, Positive, checked_types

Feedback: TypeAlias = Literal["single", "sums"]
Method: TypeAlias = Literal["cone", "multiplicative", "columns"]
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
        the gap is at most 1 % or nothing more narrows it.
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
    spread = _deviation(problem, feedback, sigma)
    costs = _costs(prices, problem, feedback)
    deadline = deadline_of(solving.get("time_limit"))
    chosen = method or _usual(problem, feedback)
    most = MOST_COMPARED if chosen == "columns" else None
    alternatives = Alternatives.of(problem, most=most, deadline=deadline)
    if math.isfinite(deadline):
        solving["time_limit"] = max(_LEAST_LIMIT, deadline - perf_counter())
    time = _time_of(alternatives, feedback, spread, costs, chosen, **solving)
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


def _time_of(
    alternatives: Alternatives,
    feedback: Feedback,
    spread: float,
    costs: FloatArray,
    method: Method,
    **solving: Unpack[SolveOptions],
) -> Certified:
    """The time: without a program where no number of pulls is enough, or none is needed."""
    tied, size = alternatives.tied, alternatives.decisions.size
    if tied is not None:
        return Certified(math.inf, math.inf, np.where(tied != 0.0, math.inf, 0.0))
    if not alternatives.least_known:
        pulls = np.zeros(size if feedback == "single" else 0)
        return Certified(math.inf, 0.0, pulls, timed_out=True)
    if not len(alternatives.rows):
        return Certified(0.0, 0.0, np.zeros(size))
    if feedback == "sums":
        return sums_time(alternatives, spread, costs, method, **solving)
    if method == "columns":
        raise InputError("'columns' is for sums, and pulls are single; use 'cone'")
    return single_time(alternatives, spread, costs, method, **solving)


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


# The characteristic time of the best set from sums over sets: a design for scaled differences.


SumsMethod: TypeAlias = Literal["cone", "multiplicative", "columns"]
MOST_SETS = 1_000
"""Classes with more sets are solved by columns, where no method is named."""
MOST_COMPARED = 50_000
"""Classes that are no matroids are listed up to this number of sets."""
MOST_JOINED = 50_000_000
"""Classes are searched by their halves up to this number of sets; more need integer programs."""
_ACCURATE = 1e-6
_STEPS = 10_000
_SPREAD = 0.1
_ENOUGH = 1e-2
_FLAT = 1e-9
_TRUE = 1e-6
_INSIDE = 1e-9
_MOST = 60  # rows at once
_STARTS = 20
_GAIN = 1e-9
_DESIGNING = 0.6  # of the time, before its best design is certified
_SHARE = 0.5  # of the time that is left, for a bound on all alternatives
_SEARCH = 0.1  # of the time that is left, for one search from many starts
_SLACK = 2e-3  # by which a bound on all ratios may be larger than the largest that is known
_BAND = 2.0  # the largest gap of a band over its least


def sums_program(alternatives: Alternatives, sigma: float, costs: FloatArray) -> ConicProgram:
    """The second-order cone program with every set and every listed alternative."""
    decisions = alternatives.decisions
    sets = decisions.indicator_matrix()
    rows = RatioPricing(alternatives, math.sqrt(2.0) * sigma).rows(alternatives.rows)
    stacked = independent_columns(np.vstack([sets, rows]))
    actions = stacked[: len(sets)] / np.sqrt(set_costs(sets, costs))[:, None]
    labels = {
        f"weights_{place}": decisions.describe(np.flatnonzero(row).tolist())
        for place, row in enumerate(sets)
    }
    program = minimax_program(actions, stacked[len(sets) :])
    return replace(program, name="subset_time", labels=labels)


def set_costs(sets: FloatArray, costs: FloatArray) -> FloatArray:
    """c_S of each row: one price for all, or the sum of the elements'; shape (S,)."""
    return np.full(len(sets), float(costs)) if costs.ndim == 0 else np.asarray(sets @ costs)


def sums_time(
    alternatives: Alternatives,
    sigma: float,
    costs: FloatArray,
    method: SumsMethod,
    **solving: Unpack[SolveOptions],
) -> Certified:
    """T* from sums, for one best set and at least one other; costs of elements add up."""
    if method == "columns":
        return _by_columns(alternatives, sigma, costs, **solving)
    if not alternatives.complete:
        raise InputError(
            f"{alternatives.decisions.name} has too many sets for {method!r}, which is for classes "
            "that can be listed: method 'columns' finds those that matter"
        )
    sets = alternatives.decisions.indicator_matrix()
    basis = span_basis(sets)
    rows = RatioPricing(alternatives, math.sqrt(2.0) * sigma).rows(alternatives.rows)
    charged = set_costs(sets, costs)
    actions = sets @ basis / np.sqrt(charged)[:, None]
    result: SolveResult | None = None
    if method == "multiplicative":
        refuse_unused(solving, "subset_time by 'multiplicative'", instead=("cone",))
        saddle = xy_multiplicative(actions, rows @ basis, _ACCURATE, most=_STEPS, spread=_SPREAD)
    else:
        saddle, result = xy_cvxpy(actions, rows @ basis, _ACCURATE, **solving)
    return _certified(
        alternatives, rows, sets, saddle.weights, charged, saddle.value, saddle.bound, result
    )


def _by_columns(
    alternatives: Alternatives, sigma: float, costs: FloatArray, **solving: Unpack[SolveOptions]
) -> Certified:
    if costs.ndim:
        raise InputError(
            "prices of elements are for classes that are listed, by 'cone' or 'multiplicative'; "
            "'columns' takes one price for all sets"
        )
    decisions = alternatives.decisions
    rng = np.random.default_rng(solving.pop("seed", 0))
    deadline = deadline_of(solving.pop("time_limit", None))
    scale = math.sqrt(2.0 * float(costs)) * sigma
    halves = None if alternatives.complete else decisions.halves(MOST_JOINED)
    row_pricing = RatioPricing(alternatives, scale, deadline, halves=halves, **solving)
    best = indicators([alternatives.best], decisions.size)
    others = best if alternatives.complete else best - alternatives.rows
    try:
        spanning, basis = span_of(decisions, rng, deadline)
    except OutOfTime:
        return Certified(math.inf, 0.0, np.zeros(0), timed_out=True)
    pricing = Pricing(
        decisions,
        rng,
        spanning=spanning,
        deadline=deadline,
        most_sets=MOST_COMPARED if alternatives.complete else 1,
        halves=halves,
        **solving,
    )
    programs = pricing.solves_programs or row_pricing.solves_programs
    check_exact(solving, decisions, needed=programs)
    sets = np.unique(np.vstack([spanning, best, others]), axis=0)
    sets, weights, above, below = saddle_columns(
        sets,
        basis,
        pricing,
        row_pricing,
        tolerance=_ENOUGH,
        deadline=share_of_time(deadline, _DESIGNING) if programs else deadline,
    )
    rows = row_pricing.rows(alternatives.rows) / math.sqrt(float(costs))
    charged = np.full(len(sets), float(costs))
    answer = _certified(alternatives, rows, sets, weights, charged, above, below, None)
    late = above > below * (1.0 + _ENOUGH) and math.isfinite(deadline)
    return replace(answer, timed_out=late)


def _certified(
    alternatives: Alternatives,
    rows: FloatArray,
    sets: FloatArray,
    weights: FloatArray,
    charged: FloatArray,
    value: float,
    bound: float,
    result: SolveResult | None,
) -> Certified:
    """The answer, with the sets of positive weight, the largest shares first.

    Its value is computed anew from these, where all alternatives are listed; it is infinite where
    their information matrix is too near a singular one to be computed with.
    """
    used = np.argsort(-on_grid(weights), kind="stable")
    used = used[weights[used] > _FLAT * weights.max()]
    shares, charged, sets = weights[used] / weights[used].sum(), charged[used], sets[used]
    basis = span_basis(sets)
    actions = sets @ basis / np.sqrt(charged)[:, None]
    inverse = inverse_of(actions, shares)
    norms = quadratic_forms(rows @ basis, inverse)
    # The mean norm of actions is their dimension, whatever the design: if not, rounding has won.
    told = float(shares @ quadratic_forms(actions, inverse))
    outside = float(np.abs(rows @ basis @ basis.T - rows).max()) > _INSIDE * np.abs(rows).max()
    if outside or not abs(told - basis.shape[1]) <= _TRUE * basis.shape[1]:
        value = math.inf
    elif alternatives.complete:
        value = float(norms.max())
    value = max(value, bound, float(norms.max()))
    members = tuple(tuple(np.flatnonzero(row).tolist()) for row in sets)
    pulls = value * shares / charged if math.isfinite(value) else np.full(len(sets), math.inf)
    return Certified(value, bound, pulls, members, result)


class _Band(NamedTuple):
    """Alternatives with gaps from ``least`` on: a search for ratios above ``allowed``."""

    search: PiecewiseBound
    allowed: float
    least: float

    @property
    def ratio(self) -> float:
        """No norm is a larger multiple of the square of its gap."""
        return self.allowed + max(0.0, self.search.value) / self.least**2


class RatioPricing:
    """Scaled alternatives with large norms, and a bound on the largest, for one best set."""

    def __init__(
        self,
        alternatives: Alternatives,
        scale: float,
        deadline: float = math.inf,
        halves: Halves | None = None,
        **exact: Unpack[SolveOptions],
    ) -> None:
        self._alternatives, self._scale, self._exact = alternatives, scale, exact
        self._halves = halves
        self._searched: FloatArray | None = None  # the matrix of the last search
        self._deadline = deadline
        self._oracle = SubsetOracle(alternatives.decisions, deadline=deadline)
        self._known = alternatives.rows
        self._least = float(alternatives.gaps.min())

    @property
    def solves_programs(self) -> bool:
        """Whether the bound is that of an integer program."""
        return not self._alternatives.complete and self._halves is None

    def rows(self, alternatives: FloatArray) -> FloatArray:
        """Z of each y; shapes (J, n)."""
        gaps = alternatives @ self._alternatives.theta
        return np.asarray(alternatives * (self._scale / gaps)[:, None])

    def columns(self, matrix: FloatArray) -> FloatArray:
        """Distinct rows with large values; shape (some, n)."""
        if self._halves is not None:
            self._search(self._halves, matrix)
        elif not self._alternatives.complete:
            until = share_of_time(self._deadline, _SEARCH)
            for start in self._known[self._order(matrix)[:_STARTS]]:
                self._learn(self._ascent(matrix, start)[None, :])
                if time.perf_counter() > until:
                    break
        return self.rows(self._known[self._order(matrix)[:_MOST]])

    def bound(self, matrix: FloatArray, *, certify: bool) -> float:
        """No row has a larger value; infinite where asked only for ``certify``."""
        if self._halves is not None:
            self._search(self._halves, matrix)
        largest = float(quadratic_forms(self.rows(self._known), matrix).max())
        if self._alternatives.complete or self._halves is not None:
            return largest
        if not certify:
            return math.inf
        return self._by_bands(matrix, largest, share_of_time(self._deadline, _SHARE))

    def _by_bands(self, matrix: FloatArray, largest: float, deadline: float) -> float:
        """No alternative has a larger norm scaled by its gap than this, by piecewise bounds."""
        known = self._alternatives
        # An alternative has at most this many entries, 1 or -1.
        entries = min(known.decisions.size, 2 * known.decisions.rank)
        farthest = max(0.0, float(np.linalg.eigvalsh(matrix)[-1])) * entries
        allowed = largest / self._scale**2 * (1.0 + _SLACK)
        bands, least = list[_Band](), self._least * (1.0 - _FLAT)
        while farthest > allowed * least**2:
            bands.append(self._band(matrix, farthest, allowed, least, deadline))
            least *= _BAND
        while bands:
            band = max(bands, key=lambda band: band.ratio)
            if band.ratio <= allowed:
                break
            if not band.search.improve():
                if band.ratio > allowed:
                    break
                continue
            fresh = known.difference(band.search.sets[-1])[None, :]
            self._learn(fresh)
            reached = float(quadratic_forms(self.rows(fresh), matrix)[0])
            allowed = max(allowed, reached / self._scale**2 * (1.0 + _SLACK))
        return self._scale**2 * max(allowed, max((band.ratio for band in bands), default=0.0))

    def _band(
        self, matrix: FloatArray, farthest: float, allowed: float, least: float, deadline: float
    ) -> _Band:
        """The alternatives whose gaps are at least this, and at most a multiple of it."""
        known = self._alternatives
        best = indicators([known.best], known.decisions.size)[0]
        # In units of the least gap of the band.
        gap = GapTerm(
            allowed * least**2, known.theta / least, float(best @ known.theta) / least, 1.0, _BAND
        )
        form = Form(matrix, -2.0 * (matrix @ best), float(best @ matrix @ best), gap)
        search = PiecewiseBound(
            known.decisions,
            form,
            farthest - gap.weight,
            self._known_sets(least, _BAND * least),
            deadline,
            **self._exact,
        )
        return _Band(search, allowed, least)

    def _known_sets(self, least: float, most: float) -> list[tuple[int, ...]]:
        """The best set and the known alternatives with gaps between two limits."""
        known = self._alternatives
        gaps = self._known @ known.theta
        rows = self._known[(gaps >= least) & (gaps <= most)]
        sets = indicators([known.best], known.decisions.size) - rows
        return [known.best, *(tuple(np.flatnonzero(row > 0.5).tolist()) for row in sets)]

    def _search(self, halves: Halves, matrix: FloatArray) -> None:
        """Learn the best rows of blocks, the best of all among them, once for a matrix."""
        if self._searched is matrix:
            return
        known = self._alternatives
        best = indicators([known.best], known.decisions.size)[0]
        form = matrix.copy()
        form[list(known.known)] = form[:, list(known.known)] = 0.0
        towards, reward = form @ best, float(best @ known.theta)

        def ratios(forms: FloatArray, rewards: FloatArray) -> FloatArray:
            gaps = reward - rewards
            norms = forms + float(best @ towards)
            # Half of the least gap tells M* from the others.
            others = gaps > 0.5 * self._least
            return np.where(others, norms / np.where(others, gaps, 1.0) ** 2, -1.0)

        values, sets = best_of_blocks(halves, form, -2.0 * towards, ratios, known.theta)
        order = np.argsort(-on_grid(values), kind="stable")[:_MOST]
        fresh = best - sets[order[values[order] >= 0.0]]
        fresh[:, list(known.known)] = 0.0
        self._learn(fresh)
        self._searched = matrix

    def _order(self, matrix: FloatArray) -> np.ndarray:
        values = quadratic_forms(self.rows(self._known), matrix)
        return np.argsort(-on_grid(values), kind="stable")

    def _learn(self, fresh: FloatArray) -> None:
        self._known = np.unique(np.vstack([self._known, fresh]), axis=0)

    def _ascent(self, matrix: FloatArray, start: FloatArray) -> FloatArray:
        """An alternative that no linearisation improves."""
        theta, y = self._alternatives.theta, start
        ratio = math.sqrt(float(y @ matrix @ y)) / float(y @ theta)
        while True:
            slope = matrix @ y / math.sqrt(float(y @ matrix @ y))
            try:
                members = self._oracle.maximise(on_grid(ratio * theta - slope))
            except OutOfTime:
                return y
            if members is None or members == self._alternatives.best:
                return y
            other = self._alternatives.difference(members)
            reached = math.sqrt(float(other @ matrix @ other)) / float(other @ theta)
            if reached <= ratio * (1.0 + _GAIN):
                return y
            y, ratio = other, reached
