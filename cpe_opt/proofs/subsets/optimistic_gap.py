r"""By how much any set of a class may be better than one of them, proved by the linear oracle.

A set M other than :math:`\hat M` differs from it in :math:`D = M \triangle \hat M`, and is behind
by :math:`\Delta_M = \hat\theta(\hat M) - \hat\theta(M)` for the estimates. The elements of D add up
*features*, :math:`\phi_D = \sum_{e \in D} \phi_e` with entries of at least 0, and the radius
:math:`R(\phi_D)`, a concave function, is such that, except with probability δ, no best set M of
the truth is better than :math:`\hat M` by more than its *optimistic gap*
:math:`R(\phi_D) - \Delta_M`: see :class:`cpe_opt.proofs.subsets.glr_threshold.ThresholdRadius`
and :class:`cpe_opt.proofs.blocks.MixtureRadius`. Of the best sets one may be chosen beforehand, so
that the union is over the other sets as :math:`\hat M`, one less than there are. Where no set has
an optimistic gap above ε, :math:`\hat M` is within ε of the best.

**The largest gap, without a list of all sets.** With x the indicator of M,
:math:`\sum_D \phi_e = \sum_{e \in \hat M} \phi_e + \sum_e \pm \phi_e x_e`, less inside
:math:`\hat M` and more outside. A *line* :math:`k + c^\top \phi \ge R(\phi)` makes of the gap
something that is linear in x, so that one call of the linear oracle bounds that of all sets which
lack an element; a set other than :math:`\hat M` lacks one of its elements, as none contains
another. Each element is given a line of its own, from a grid: the one by which the sets of the
pool (:class:`SetPool`) have the least bound. If the oracle's set has more, it joins the pool, and
another line is tried; in the end the bound is low enough, or no line of the grid bounds some
mixture of sets any lower. R is concave, and a mixture may have a larger gap than each of its sets:
then the sets that lack the element are split by another element, in which two sets of the mixture
differ, and both parts are bounded in the same way.

Sets that are *told* in another way need no bound: where the oracle names such a set, the part is
split into the sets that lack its first element, those that have the first and lack the second, and
so on (Lawler 1972), which together are all of the part but this set.

The oracle's *bound* is used, not the value of its set, and raised by what rounding and the
tolerances of solvers may lose: whatever it ends with is a bound, if not always the least.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.ties import first_largest, first_smallest, on_grid

_PLACES = 40
_WIDER = 2.0
_ASKED = 12  # of the oracle, for each part
_SPLITS = 4  # for each element of the best set
_SPLITS_AROUND = 40  # the same, around sets that are told apart in another way
_NEAR = 0.02
_ROUNDED, _SOLVED = 1e-9, 1e-6


class Radius(Protocol):
    """Radii of differences, and lines above them.

    A *place* is a number that tells which of the lines touch at given features.
    """

    @property
    def features(self) -> FloatArray:
        """φ of each element; shape (n, F)."""

    def radii(self, sums: FloatArray) -> FloatArray:
        """R of φ of shape (sets, F); shape (sets,)."""

    def places(self, sums: FloatArray) -> FloatArray:
        """Those of the lines that touch there, above 0; shape (sets,)."""

    def lines(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """All lines of these places: constants, shape (G,), and slopes, shape (G, F)."""


class OptimisticGap:
    """The largest optimistic gap of the sets other than ``best``, by the estimates ``mean``.

    Sets that the oracle finds join the pool. Those of which ``told``, a function of indicators of
    shape (sets, n), says that they are known to be no better than allowed are not counted.
    ``pool_gaps`` are those of the sets of the pool; minus infinity where they are not counted.
    """

    def __init__(
        self,
        oracle: SubsetOracle,
        pool: SetPool,
        best: tuple[int, ...],
        mean: FloatArray,
        radius: Radius,
        told: Callable[[FloatArray], BoolArray] | None = None,
    ) -> None:
        self._oracle, self._pool, self._best = oracle, pool, best
        self._mean, self._radius, self._features = mean, radius, radius.features
        self._told_apart, self._told = told, np.zeros(0, np.bool_)
        self._chosen = np.zeros(oracle.size, np.bool_)
        self._chosen[list(best)] = True
        self._sign = np.where(self._chosen, -1.0, 1.0)
        self._margin = _SOLVED if oracle.method == "program" else _ROUNDED
        if not len(pool.rows(best)) and (other := oracle.maximise_other(mean, best)) is not None:
            pool.join(other)
        self._places: FloatArray = np.ones(2)
        self._constants, self._slopes = radius.lines(self._places)
        self._evaluate()

    def largest_in_pool(
        self, include: tuple[int, ...] = (), exclude: tuple[int, ...] = ()
    ) -> float:
        """The largest gap of such sets of the pool; minus infinity without any."""
        fitting = self._fitting(include, exclude)
        return float(self.pool_gaps[fitting].max(initial=-np.inf))

    def _fitting(self, include: tuple[int, ...], exclude: tuple[int, ...]) -> BoolArray:
        """Which sets of the pool have some elements, lack others, and are not told."""
        vectors = self._pool.vectors
        fitting = vectors[:, list(include)].all(axis=1) & ~vectors[:, list(exclude)].any(axis=1)
        return np.asarray(fitting & ~self._told)

    def extend_pool(self) -> None:
        """Ask the oracle once for every element, for sets with a large gap."""
        for element in self._best:
            line, _ = self._best_line(self._fitting((), (element,)))
            self._oracle_bound(line, (), (element,))

    def at_most(
        self, enough: float, include: tuple[int, ...] = (), exclude: tuple[int, ...] = ()
    ) -> float:
        """A bound on the largest gap of all sets; none lower than ``enough`` is sought.

        With ``include`` or ``exclude`` it is of the sets that have and lack these elements; they
        are such that the set itself is none of these. Infinite as soon as a set with more is in the
        pool.
        """
        worst, splits = -np.inf, _SPLITS * len(self._best)
        parts = [_Part((), (element,), np.inf) for element in reversed(self._best)]
        if include or exclude:
            parts = [_Part(include, exclude, np.inf)]
        elif self._told_apart is not None:
            splits = _SPLITS_AROUND * len(self._best)
            parts = _Part((), (), np.inf).around(self._best)
        while parts:
            if self.largest_in_pool(include, exclude) > enough:
                return np.inf
            part = parts.pop()
            bound, smaller = self._part_bound(part, max(enough, worst))
            if smaller and splits:
                splits -= 1
                parts += smaller
            else:
                worst = max(worst, bound)
        return worst

    def bound(self) -> float:
        """A bound on the largest gap of all sets, near it where it is above 0."""
        while True:
            worst = max(0.0, self.largest_in_pool())
            bound = self.at_most(worst * (1.0 + _NEAR))
            if bound < np.inf:
                return bound

    def _part_bound(self, part: _Part, target: float) -> tuple[float, list[_Part]]:
        """A bound on the sets of a part, and smaller parts where no line lowers it."""
        bound = part.bound
        for _ in range(_ASKED):
            known = len(self._pool)
            fitting = self._fitting(part.include, part.exclude)
            line, level = self._best_line(fitting)
            between = self._splitting_element(fitting, line) if level > target else None
            if level <= target or bound == np.inf:
                by_line, told = self._oracle_bound(line, part.include, part.exclude)
                bound = min(bound, by_line)
                if bound > target and told is not None:
                    return bound, part._replace(bound=bound).around(told)
            if level > target or bound <= target or len(self._pool) == known:
                return bound, part._replace(bound=bound).halves(between)
        return bound, []

    def _best_line(self, fitting: BoolArray) -> tuple[int, float]:
        """The line with the least largest bound of some sets of the pool, and that bound."""
        some = bool(fitting.any())
        levels = self._levels[fitting] if some else self._levels
        largest = levels.max(axis=0, initial=-np.inf)
        line = first_smallest(largest)
        return line, float(largest[line]) if some else -np.inf

    def _oracle_bound(
        self, line: int, include: tuple[int, ...], exclude: tuple[int, ...]
    ) -> tuple[float, tuple[int, ...] | None]:
        """The oracle's bound on the sets of a part by a line."""
        each, constant = self._features @ self._slopes[line], float(self._constants[line])
        weights = on_grid(self._mean + self._sign * each)
        optimum = self._oracle.optimum(weights, include, exclude)
        if optimum is None:
            return -np.inf, None
        vectors = indicators([optimum.elements], self._oracle.size)
        told = self._told_apart is not None and bool(self._told_apart(vectors)[0])
        if not told and self._pool.join(optimum.elements):
            self._evaluate()
        same = float((each - self._mean)[self._chosen].sum()) + constant
        lost = self._margin * len(weights) * float(np.abs(weights).max())
        return float(optimum.bound + same + lost), optimum.elements if told else None

    def _evaluate(self) -> None:
        """The gaps of the sets of the pool, and their bounds by each line of a grid around them."""
        rows = self._chosen - self._pool.vectors
        sums, gaps, other = np.abs(rows) @ self._features, rows @ self._mean, rows.any(axis=1)
        fresh = self._pool.vectors[len(self._told) :]
        told = np.zeros(len(fresh), np.bool_)
        if self._told_apart is not None and len(fresh):
            told = self._told_apart(fresh)
        self._told = np.concatenate([self._told, told])
        self.pool_gaps = np.full(len(rows), -np.inf)
        if other.any():
            self.pool_gaps[other] = self._radius.radii(sums[other]) - gaps[other]
            self.pool_gaps[self._told] = -np.inf
            touched = self._radius.places(sums[other])
            if touched.min() < self._places[0] or touched.max() > self._places[-1]:
                self._places = np.geomspace(touched.min() / _WIDER, touched.max() * _WIDER, _PLACES)
                self._constants, self._slopes = self._radius.lines(self._places)
        self._levels = self._constants + sums @ self._slopes.T - gaps[:, None]
        self._levels[~other] = -np.inf

    def _splitting_element(self, fitting: BoolArray, line: int) -> int | None:
        """An element in which the two sets differ that have most by this line."""
        vectors, levels = self._pool.vectors[fitting], self._levels[fitting, line]
        if len(vectors) < 2:
            return None
        first = int(first_largest(levels))
        levels[first] = -np.inf
        apart = np.abs(vectors[first] - vectors[int(first_largest(levels))])
        return int(first_largest(apart * self._features[:, 0]))


class _Part(NamedTuple):
    """Sets that have some elements and lack others, and a bound on their gaps."""

    include: tuple[int, ...]
    exclude: tuple[int, ...]
    bound: float

    def halves(self, element: int | None) -> list[_Part]:
        """Those of its sets that have an element, and those that lack it; none without one."""
        if element is None:
            return []
        return [
            self._replace(include=(*self.include, element)),
            self._replace(exclude=(*self.exclude, element)),
        ]

    def around(self, members: tuple[int, ...]) -> list[_Part]:
        """All of its sets but one, by the first of the elements of that one that they lack."""
        free = [element for element in members if element not in self.include]
        return [
            self._replace(include=(*self.include, *free[:place]), exclude=(*self.exclude, element))
            for place, element in enumerate(free)
        ]


class SetPool:
    """Sets of a class too large to list: those that a search has found so far."""

    def __init__(self, decisions: DecisionClass) -> None:
        self.decisions = decisions
        self.vectors: FloatArray = np.zeros((0, decisions.size))
        self.changes = 0
        self._members: set[tuple[int, ...]] = set()

    def __len__(self) -> int:
        return len(self._members)

    def join(self, members: tuple[int, ...]) -> bool:
        """Take a set in; whether it is new."""
        if members in self._members:
            return False
        self._members.add(members)
        self.changes += 1
        self.vectors = np.vstack([self.vectors, indicators([members], self.decisions.size)])
        return True

    def keep(self, chosen: BoolArray) -> None:
        """Forget all others; ``chosen`` has the shape (pool,)."""
        self.vectors = self.vectors[chosen]
        self.changes += 1
        self._members = {tuple(np.flatnonzero(row).tolist()) for row in self.vectors}

    def rows(self, best: tuple[int, ...]) -> FloatArray:
        """The differences of a set to all others, shape (others, n)."""
        rows = indicators([best], self.decisions.size) - self.vectors
        return np.asarray(rows[rows.any(axis=1)])
