r"""Exhaustive: the best set from sums, with a look at every set of the class.

Stop where :math:`\max_{M \ne \hat M} \hat\theta(M) + C_t \|\chi_M - \chi_{\hat M}\|_{A^{-1}} -
\hat\theta(\hat M) < \epsilon`: what SAQM and SA-FOA are there to avoid. (Algorithm 5 as printed
has the unknown best set :math:`M^*` within the norm.) By enumeration, or by an integer program:
with :math:`d = \chi_M - \chi_{\hat M}`, and :math:`\hat\theta^\top d \le 0` because
:math:`\hat M` is best, a set fails the test if and only if

.. math:: C_t^2 \, d^\top A^{-1} d - (\epsilon - \hat\theta^\top d)^2 \ge 0 ,

a quadratic form of :math:`\chi_M`, whose maximum over the sets other than :math:`\hat M` is that of
:mod:`cpe_opt.formulations.quadratic.maximise`.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import chain
from typing import Literal, TypeAlias, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.design import Design
from cpe_opt.formulations.quadratic.maximise import ellipsoid_maximum_program
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.subsets.static_allocation import (
    DesignName,
    Growth,
    LeastSquaresFit,
    checked_aim,
    sample_until,
)
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, Status
from cpe_opt.problems.queries import PullSets
from cpe_opt.problems.subsets.decisions import MOST_LISTED, DecisionClass
from cpe_opt.solvers.options import SolveOptions, refuse_unused, solver_option
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import ErrorProbability, NonNegative, Positive

_CHUNK = 50_000
ExhaustiveMethod: TypeAlias = Literal["enumerate", "program"]


@declare(
    family="subsets",
    goal="PAC",
    guarantee="a set within a margin of the best with probability at least 1 - delta",
    paper="Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020), Algorithm 5",
    endless_if="two sets are equally good and the margin is 0",
    within="no set is better by more than {margin:g}",
)
def exhaustive(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator,
    delta: ErrorProbability = 0.05,
    margin: NonNegative = 0.0,
    noise: Positive = 1.0,
    sigma: Positive | None = None,
    design: Design | DesignName = "g",
    method: ExhaustiveMethod = "enumerate",
    solver: str | None = None,
    growth: Growth = 1.01,
) -> Generator[PullSets, FloatArray, tuple[int, ...]]:
    """Find a set within a margin of the best with probability at least 1 - delta.

    Parameters
    ----------
    decisions : DecisionClass
        With at most 5,000,000 sets to enumerate.
    margin, noise, sigma, design, growth
        As for :func:`cpe_opt.learners.subsets.saqm`.
    method : "enumerate" or "program"
        A look at every set, or the integer program and the linear one at every look.
    solver : str, optional
        Of the programs, any of integer ones, ``highs`` by default; and of the design's, as for
        :func:`cpe_opt.learners.subsets.icb`.

    Returns
    -------
    tuple of int
        The set.

    References
    ----------
    Kuroki, Xu, Miyauchi, Honda, Sugiyama, "Polynomial-time Algorithms for Multiple-arm
    Identification with Full-bandit Feedback", 2020, Algorithm 5.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate("exhaustive", bandit, noise=0.1, sigma=0.2, growth=1.1, seed=0)
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    aim = checked_aim(decisions, margin, delta, noise, sigma)
    rivals: Enumeration | RivalProgram
    if method == "program":
        oracle = SubsetOracle(decisions, "program", **solver_option(solver))
        rivals = RivalProgram(decisions, aim.margin, **solver_option(solver))
    else:
        refuse_unused(solver_option(solver), "method 'enumerate'", instead=("program",))
        oracle, rivals = SubsetOracle(decisions), Enumeration(decisions)

    def stop(look: LeastSquaresFit) -> bool:
        gap_bound = rivals.largest_gap_bound(look, aim.ellipsoid_radius(look.t, decisions))
        return gap_bound < aim.margin or gap_bound == -np.inf

    return (yield from sample_until(oracle, design, stop, rng=rng, growth=growth, solver=solver))


class Enumeration:
    """All sets of a class, gone through in chunks; smaller ones are filled up with n."""

    def __init__(self, decisions: DecisionClass) -> None:
        count, size, rank = decisions.count(), decisions.size, decisions.rank
        if count > MOST_LISTED:
            raise InputError(
                f"{decisions.name} has {count:,} sets, expected at most {MOST_LISTED:,}"
            )
        filled = (members + (size,) * (rank - len(members)) for members in decisions.listed_sets())
        flat = np.fromiter(chain.from_iterable(filled), np.int16)
        if len(flat) != count * rank:
            raise InputError(
                f"{decisions.name} counts {count:,} sets of at most {rank} elements, and lists "
                "others"
            )
        self._size = size
        self._members = flat.reshape(count, rank)

    def largest_gap_bound(self, look: LeastSquaresFit, radius: float) -> float:
        """By how much another set may lead the best one; minus infinity where there is no other."""
        largest = -np.inf
        for start in range(0, len(self._members), _CHUNK):
            chunk = self._members[start : start + _CHUNK].astype(np.int64)
            chi = np.zeros((len(chunk), self._size + 1))
            np.put_along_axis(chi, chunk, 1.0, axis=1)
            differences = chi[:, : self._size] - look.chi
            leads = differences @ look.theta + radius * look.norms(differences)
            leads[~differences.any(axis=1)] = -np.inf
            largest = max(largest, float(leads.max()))
        return largest


class RivalProgram:
    """The integer program whose optimum is positive where a set may lead by the margin or more."""

    def __init__(
        self, decisions: DecisionClass, margin: float, **solving: Unpack[SolveOptions]
    ) -> None:
        self._decisions, self._margin = decisions, margin
        self._solving: SolveOptions = solving

    def program(self, look: LeastSquaresFit, radius: float) -> LinearProgram:
        """The quadratic form of the module's first lines, less its constant."""
        widths, best = radius**2 * look.inverse, look.chi
        matrix = widths - np.outer(look.theta, look.theta)
        linear = 2.0 * ((self._margin + look.value) * look.theta - widths @ best)
        return ellipsoid_maximum_program(
            self._decisions, (matrix + matrix.T) / 2.0, linear=linear, other_than=look.best
        )

    def largest_gap_bound(self, look: LeastSquaresFit, radius: float) -> float:
        """By how much a set that fails the test most may lead, at least the margin if one fails."""
        result = solve(self.program(look, radius), check=False, **self._solving)
        if result.status is Status.INFEASIBLE:
            return -np.inf
        if not result.is_optimal or result.x is None:
            raise NotOptimal(result)
        differences = (result.x[: self._decisions.size] > 0.5) - look.chi
        return float(differences @ look.theta + radius * look.norms(differences[None, :])[0])
