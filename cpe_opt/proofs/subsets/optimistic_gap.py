r"""By how much any set of a class may be better than one of them, proved by the linear oracle.

A set M other than :math:`\hat M` differs from it in :math:`D = M \triangle \hat M`, and is behind
by :math:`\Delta_M = \hat\theta(\hat M) - \hat\theta(M)` for the estimates. Its radius :math:`R_M =
R(\sum_{e \in D} \phi_e)` is such that, but for a probability of δ, no best set M of the truth is
better than :math:`\hat M` by more than its *excess* :math:`R_M - \Delta_M`: see
:mod:`cpe_opt.proofs.subsets.optimistic_gap` and :mod:`cpe_opt.proofs.subsets.weighted_blocks`. Of
the best sets one may be chosen beforehand, so that the union is over the other sets as :math:`\hat
M`, one less than there are. Where no set has an excess above ε, :math:`\hat M` is within ε of the
best.

**The largest excess, without a list.** With x the indicator of M,
:math:`\sum_D \phi_e = \sum_{e \in \hat M} \phi_e + \sum_e \pm \phi_e x_e`, less inside
:math:`\hat M` and more outside. A line :math:`k + c^\top \phi \ge R(\phi)` makes of the excess
something that is linear in x, so that one call of the linear oracle bounds that of all sets which
lack an element; a set other than :math:`\hat M` lacks one of its elements, as none contains
another. Each element is given a line of its own, from a grid: the one by which the sets found so
far have the least bound. If the oracle's set has more, it is found, and another line is tried; in
the end the bound is low enough, or no line of the grid has a lower one than some mixture of sets. R
is concave, and mixtures may have more than all of their sets: then the sets that lack the element
are parted by another one, in which two of that mixture differ, and both parts bounded alike.

The oracle's *bound* is used, not the value of its set, and raised by what rounding and the
tolerances of solvers may lose: whatever is found is a bound, if not always the least.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.proofs.subsets.set_pool import SetPool
from cpe_opt.ties import first_largest, first_smallest, on_grid

_PLACES = 40
_WIDER = 2.0
_ASKED = 12  # of the oracle, for each part
_SPLITS = 4  # for each element of the best set
_NEAR = 0.02
_ROUNDED, _SOLVED = 1e-9, 1e-6


class _Part(NamedTuple):
    """Sets that have some elements and lack others, and a bound on their excess."""

    include: tuple[int, ...]
    exclude: tuple[int, ...]
    bound: float


class Excess:
    """The largest excess over one set.

    Parameters
    ----------
    oracle : SubsetOracle
    found : SetPool
        Those that the oracle finds join.
    best : tuple of int
        The set.
    mean : float array, shape (n,)
        The estimates.
    radius : Radius

    Attributes
    ----------
    found_excess : float array, shape (found,)
        That of the sets that have been found; minus infinity for the set itself.
    asked : int
        How often the oracle was.
    """

    def __init__(
        self,
        oracle: SubsetOracle,
        found: SetPool,
        best: tuple[int, ...],
        mean: FloatArray,
        radius: Radius,
    ) -> None:
        self._oracle, self._found, self._best = oracle, found, best
        self._mean, self._radius, self._features = mean, radius, radius.features
        self._chosen = np.zeros(oracle.size, np.bool_)
        self._chosen[list(best)] = True
        self._sign = np.where(self._chosen, -1.0, 1.0)
        self._margin = _SOLVED if oracle.method == "program" else _ROUNDED
        self.asked = 0
        if not len(found.rows(best)) and (other := oracle.maximise_other(mean, best)) is not None:
            found.join(other)
        self._places: FloatArray = np.ones(2)
        self._constants, self._slopes = radius.lines(self._places)
        self._levels: FloatArray = np.zeros((0, len(self._constants)))
        self.found_excess: FloatArray = np.zeros(0)
        self._count_in()

    def of_found(self) -> float:
        """The largest excess of the sets that have been found; minus infinity without any."""
        return float(self.found_excess.max(initial=-np.inf))

    def look(self) -> None:
        """Ask once for every element, for sets with a large excess."""
        for element in self._best:
            fitting = self._found.vectors[:, element] == 0.0
            self._most(self._line(fitting)[0], (), (element,))

    def at_most(self, enough: float) -> float:
        """A bound on the largest excess of all sets, no lower one than ``enough`` being sought.

        Infinite as soon as a set with more has been found.
        """
        worst, splits = -np.inf, _SPLITS * len(self._best)
        parts = [_Part((), (element,), np.inf) for element in reversed(self._best)]
        while parts:
            if self.of_found() > enough:
                return np.inf
            part = parts.pop()
            bound, between = self._bounded(part, max(enough, worst))
            if between is not None and splits:
                splits -= 1
                parts += [
                    _Part((*part.include, between), part.exclude, bound),
                    _Part(part.include, (*part.exclude, between), bound),
                ]
            else:
                worst = max(worst, bound)
        return worst

    def bound(self) -> float:
        """A bound on the largest excess of all sets, near it where it is above 0."""
        while True:
            worst = max(0.0, self.of_found())
            bound = self.at_most(worst * (1.0 + _NEAR))
            if bound < np.inf:
                return bound

    def _bounded(self, part: _Part, target: float) -> tuple[float, int | None]:
        """A bound on the sets of a part.

        And an element to split it by, where no line has a lower one.
        """
        bound = part.bound
        for _ in range(_ASKED):
            vectors = self._found.vectors
            fitting = np.asarray(
                vectors[:, list(part.include)].all(axis=1)
                & ~vectors[:, list(part.exclude)].any(axis=1)
            )
            line, level = self._line(fitting)
            between = self._between(fitting, line) if level > target else None
            if level <= target or bound == np.inf:
                bound = min(bound, self._most(line, part.include, part.exclude))
            if level > target or bound <= target or len(self._found) == len(vectors):
                return bound, between
        return bound, None

    def _line(self, fitting: BoolArray) -> tuple[int, float]:
        """That by which the largest bound of some of the sets is least, and that bound."""
        some = bool(fitting.any())
        levels = self._levels[fitting] if some else self._levels
        largest = levels.max(axis=0, initial=-np.inf)
        line = first_smallest(largest)
        return line, float(largest[line]) if some else -np.inf

    def _most(self, line: int, include: tuple[int, ...], exclude: tuple[int, ...]) -> float:
        """The oracle's bound for this line; its set joins those that are found."""
        each, constant = self._features @ self._slopes[line], float(self._constants[line])
        weights = on_grid(self._mean + self._sign * each)
        self.asked += 1
        optimum = self._oracle.optimum(weights, include, exclude)
        if optimum is None:
            return -np.inf
        if self._found.join(optimum.elements):
            self._count_in()
        same = float((each - self._mean)[self._chosen].sum()) + constant
        lost = self._margin * len(weights) * float(np.abs(weights).max())
        return float(optimum.bound + same + lost)

    def _count_in(self) -> None:
        """What sets that have been found have by each of the lines, and their excess."""
        rows = self._chosen - self._found.vectors
        different, gaps = np.abs(rows), rows @ self._mean
        other = different.sum(axis=1) > 0.0
        sums = different @ self._features
        counted = len(self._levels)
        self.found_excess = np.full(len(rows), -np.inf)
        if other.any():
            own = self._radius.places(sums[other])
            self.found_excess[other] = self._radius.radii(sums[other]) - gaps[other]
            if not counted or own.min() < self._places[0] or own.max() > self._places[-1]:
                counted = 0
                self._places = np.geomspace(own.min() / _WIDER, own.max() * _WIDER, _PLACES)
                self._constants, self._slopes = self._radius.lines(self._places)
        levels = self._constants + sums[counted:] @ self._slopes.T - gaps[counted:, None]
        levels[~other[counted:]] = -np.inf
        kept = self._levels[:counted] if counted else levels[:0]
        self._levels = np.concatenate([kept, levels])

    def _between(self, fitting: BoolArray, line: int) -> int | None:
        """An element in which the two sets differ that have most by this line."""
        vectors, levels = self._found.vectors[fitting], self._levels[fitting, line]
        if len(vectors) < 2:
            return None
        first = int(first_largest(levels))
        levels[first] = -np.inf
        apart = np.abs(vectors[first] - vectors[int(first_largest(levels))])
        return int(first_largest(apart * self._features[:, 0]))


# Radii of differences of sets, and lines above them.
#
# The elements D in which a set differs from the best one add up *features*,
# :math:`\phi_D = \sum_{e \in D} \phi_e` with entries of at least 0, and its radius is a concave
# function :math:`R(\phi_D)`. *Lines* :math:`k + c^\top \phi` are never below it; a *place* is a
# number that tells which of them touch it.
#
# **Of a threshold**, :math:`R = \sqrt{A B}`, with
#
# .. math:: A = \sum_{e \in D} a_e, \qquad
#           B = \min_l \Bigl(k_l + \sum_{e \in D} (b_e + c_l)\Bigr) .
#
# For single rewards :math:`a_e = 2\sigma^2 / N_e`, and B is the threshold :math:`\beta_D` of
# :mod:`cpe_opt.proofs.subsets.glr_threshold`, by affine bounds on it. For any s > 0 and l
#
# .. math:: R \le \frac12 \Bigl(s A + \frac1s \Bigl(k_l + \sum_{e \in D} (b_e + c_l)\Bigr)\Bigr) ,
#
# with equality for the l of the minimum and :math:`s = \sqrt{B / A}`. Where the threshold holds, a
# set M is better than :math:`\hat M` by no more than :math:`R - \Delta`, with
# :math:`\Delta = \hat\theta(\hat M) - \hat\theta(M)` for the means: if
# :math:`\theta(M) - \theta(\hat M) > R - \Delta`, then
# :math:`\sum_D |\hat\theta_e - \theta_e| > R`, and by the inequality of Cauchy and Schwarz
#
# .. math:: R^2 < \sum_{e \in D} \frac1{N_e}\, \sum_{e \in D} N_e (\hat\theta_e - \theta_e)^2 ,
#           \qquad\text{so that}\qquad
#           \sum_{e \in D} N_e \frac{(\hat\theta_e - \theta_e)^2}{2 \sigma^2} > B \ge \beta_D .


class Radius(Protocol):
    """Radii of differences."""

    @property
    def features(self) -> FloatArray:
        """φ of each element; shape (n, F)."""

    def radii(self, sums: FloatArray) -> FloatArray:
        """R of φ of shape (sets, F); shape (sets,)."""

    def places(self, sums: FloatArray) -> FloatArray:
        """Those of the lines that touch there, above 0; shape (sets,)."""

    def lines(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """All lines of these places: constants, shape (G,), and slopes, shape (G, F)."""


@dataclass(frozen=True, eq=False)
class ThresholdRadius:
    """Radii of a threshold.

    Attributes
    ----------
    spread : float array, shape (n,)
        a.
    costs : float array, shape (n,)
        b.
    constants, slopes : float arrays, shape (L,)
        k and c.
    """

    spread: FloatArray
    costs: FloatArray
    constants: FloatArray
    slopes: FloatArray

    @property
    def features(self) -> FloatArray:
        """A, b, and 1."""
        return np.stack([self.spread, self.costs, np.ones(len(self.costs))], axis=1)

    def radii(self, sums: FloatArray) -> FloatArray:
        """The root of A B."""
        return np.asarray(np.sqrt(sums[:, 0] * self._thresholds(sums)))

    def places(self, sums: FloatArray) -> FloatArray:
        """The root of B/A."""
        with np.errstate(divide="ignore"):  # of no difference
            return np.asarray(np.sqrt(self._thresholds(sums) / sums[:, 0]))

    def lines(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """For every s, and every l."""
        s, lines = np.repeat(places, len(self.slopes)), len(places)
        slopes = np.stack([s / 2.0, 0.5 / s, np.tile(self.slopes, lines) / s / 2.0], axis=1)
        return np.tile(self.constants, lines) / s / 2.0, slopes

    def _thresholds(self, sums: FloatArray) -> FloatArray:
        """B."""
        terms = sums[:, 1, None] + self.constants + sums[:, 2, None] * self.slopes
        return np.asarray(terms.min(axis=1))
