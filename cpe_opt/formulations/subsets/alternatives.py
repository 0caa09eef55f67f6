r"""What the best set of a class must be told from.

With mean rewards :math:`\theta` the best set is :math:`M^*`, and another set M of the class is
worse by :math:`\Delta_M = \theta(M^*) - \theta(M)`. An alternative is the difference
:math:`y = \chi_{M^*} - \chi_M`, with entries -1, 0, 1 and :math:`\Delta_M = \theta^\top y`.

**Fewer suffice.** Let y be a sum of alternatives :math:`y_i` with disjoint supports. Its gap is the
sum of theirs, all positive. So

- where :math:`\sum_{e \in y_i} a_e \le c \Delta_i^2` for each i, with any :math:`a \ge 0`, also
  :math:`\sum_{e \in y} a_e \le c \sum_i \Delta_i^2 \le c \Delta^2`;
- where :math:`\|y_i\| \le c \Delta_i` for each i, in any norm, also :math:`\|y\| \le c \Delta`.

The bases of a matroid differ by disjoint exchanges of one element for another
(:meth:`cpe_opt.DecisionClass.exchanges`): k(n - k) alternatives at most, of all sets. Other classes
are listed where they are small; where they are not, what is known from the start is, for every
element, the best of the sets that differ from :math:`M^*` in it. The least gap is that of a set
that lacks an element of :math:`M^*`.

An element whose reward is known to be 0 tells nothing apart and needs no pulls: y is 0 there.

**The best set for weights that change, found again only where it may be another.**

Let M be best for the weights w, by a *lead* d over every other set. For other weights w',

.. math:: w'(M) - w'(M') \ge d - \sum_{e \in M} (w_e - w'_e)^+ - \sum_{e \notin M} (w'_e - w_e)^+

for every set M', so that M is the only best set as long as the two sums, the *harm*, are less than
d, by more than rounding to the grid of :mod:`cpe_opt.ties` can change. The lead costs as many
problems as M has elements, each of which forbids one. Where it did not spare as many, it is not
computed in the next rounds, each time in twice as many, up to 64.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.subsets.oracle import OutOfTime, SubsetOracle
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.solvers.options import share_of_time
from cpe_opt.ties import on_grid

MOST_ALTERNATIVES = 20_000
"""Classes with more sets are not listed, unless they are matroids, of which exchanges suffice."""
_LISTING = 0.2  # of the time that is left, for a list of all sets
_EQUAL = 1e-12  # of the rewards that a gap is a sum of: less is rounding


@dataclass(frozen=True, eq=False)
class Alternatives:
    """The best set, and differences to others."""

    # the class, the rewards, shape (n,), and M*
    decisions: DecisionClass
    theta: FloatArray
    best: tuple[int, ...]
    rows: FloatArray  # (J, n); y of the alternatives that are listed
    complete: bool  # whether these are enough
    known: Sequence[int] = ()  # elements whose reward is known to be 0, as it is in `theta`
    # whether the least gap is that of a row: not where time was over before
    least_known: bool = True

    @classmethod
    def of(
        cls,
        bandit: SubsetBandit,
        known: Sequence[int] = (),
        most: int | None = None,
        deadline: float = math.inf,
    ) -> Alternatives:
        """Those of a problem, with elements whose reward is known to be 0.

        Classes that are no matroids are listed up to ``most`` sets, for a share of the time until
        the ``deadline``; :class:`cpe_opt.NotOptimal` if the best set is not known then.
        """
        decisions, theta = bandit.decisions, bandit.theta
        oracle = SubsetOracle(decisions, deadline=deadline)
        best = oracle.maximise(theta)
        if best is None:
            raise InputError(f"{decisions.name} has no set")
        pairs = decisions.exchanges(best)
        if pairs is not None:
            rows = _unknown(exchange_rows(pairs, decisions.size), known)
            return cls(decisions, theta, best, rows, complete=True, known=known)
        until, least_known = share_of_time(deadline, _LISTING), True
        try:
            sets, complete = decisions.indicator_matrix(most or MOST_ALTERNATIVES, until), True
        except InputError:  # too many
            others, least_known = _nearest_in_time(oracle, theta, best)
            sets, complete = indicators(others, decisions.size), False
        rows = indicators([best], decisions.size) - sets
        rows = _unknown(rows[rows.any(axis=1)], known)
        return cls(decisions, theta, best, rows, complete, known, least_known)

    @property
    def gaps(self) -> FloatArray:
        """Δ of each row; shape (J,)."""
        return np.asarray(self.rows @ self.theta)

    @property
    def tied(self) -> FloatArray | None:
        """The difference to a set as good as the best one, if there is any; shape (n,)."""
        sizes = np.einsum("ij,ij,j->i", self.rows, self.rows, np.abs(self.theta))  # y_i is -1, 0, 1
        equal = self.gaps <= _EQUAL * sizes
        return self.rows[int(equal.argmax())] if equal.any() else None

    def difference(self, members: tuple[int, ...]) -> FloatArray:
        """The y of another set; shape (n,)."""
        one, other = indicators([self.best, members], self.decisions.size)
        return _unknown(np.asarray(one - other), self.known)


def _unknown(rows: FloatArray, known: Sequence[int]) -> FloatArray:
    """The rows with 0 at elements that are known."""
    rows[..., list(known)] = 0.0
    return rows


def exchange_rows(pairs: IntArray, size: int) -> FloatArray:
    """The y of exchanges of the first element of a pair for the second; shape (pairs, n)."""
    rows, each = np.zeros((len(pairs), size)), np.arange(len(pairs))
    rows[each, pairs[:, 0]], rows[each, pairs[:, 1]] = 1.0, -1.0
    return rows


def _nearest_in_time(
    oracle: SubsetOracle, theta: FloatArray, best: tuple[int, ...]
) -> tuple[list[tuple[int, ...]], bool]:
    """The sets of :func:`nearest_sets`, and whether one of the least gap is among them."""
    rest = [element for element in range(oracle.size) if element not in best]
    others: dict[tuple[int, ...], None] = {}
    for place, element in enumerate([*best, *rest]):
        try:
            others.update(dict.fromkeys(nearest_sets(oracle, theta, best, [element])))
        except OutOfTime:
            return list(others), place >= len(best)
    return list(others), True


def nearest_sets(
    oracle: SubsetOracle,
    theta: FloatArray,
    best: tuple[int, ...],
    elements: Iterable[int] | None = None,
) -> Iterator[tuple[int, ...]]:
    """For every element the best of the sets that differ in it, where there are any."""
    for element in range(oracle.size) if elements is None else elements:
        if element in best:
            other = oracle.maximise(theta, exclude=(element,))
        else:
            other = oracle.maximise(theta, include=(element,))
        if other is not None:
            yield other


# The best set for weights that change, found again only where it may be another.


_ROUNDING = 1e-8
_LONGEST_PAUSE = 64


def best_on_grid(
    oracle: SubsetOracle, weights: FloatArray, largest: float | None = None
) -> tuple[int, ...]:
    """A best set for the weights on the grid; ``largest`` as for :func:`cpe_opt.ties.on_grid`."""
    best = oracle.maximise(on_grid(weights, largest=largest))
    if best is None:
        raise InputError(f"{oracle.decisions.name} has no set")
    return best


class LeadingSet:
    """The best set for ``weights``, which :meth:`change` alone changes."""

    def __init__(self, oracle: SubsetOracle, weights: FloatArray, *, sparing: bool = False) -> None:
        self._oracle, self._weights = oracle, weights
        self._always = oracle.method == "program" and not sparing
        self._best: tuple[int, ...] = ()
        self._inside: frozenset[int] = frozenset()
        self._lead = -np.inf
        self._before: list[float] = []  # the weights for which the lead holds
        self._harms = [0.0] * oracle.size
        self._harm = self._largest = 0.0
        self._spared = self._pause = self._waited = 0
        self.solved = 0  # how many problems were solved

    def change(self, element: int, weight: float) -> None:
        """Give an element another weight."""
        self._weights[element] = weight
        if self._lead < 0.0:
            return
        rise = weight - self._before[element]
        harm = max(0.0, -rise if element in self._inside else rise)
        self._harm += harm - self._harms[element]
        self._harms[element] = harm
        self._largest = max(self._largest, abs(weight))

    def best(self) -> tuple[int, ...]:
        """A best set for the weights on the grid."""
        if self._harm + _ROUNDING * self._oracle.size * self._largest < self._lead:
            self._spared += 1
            return self._best
        self._best = best_on_grid(self._oracle, self._weights)
        self.solved += 1
        if not self._always:
            self._find_lead()
        return self._best

    def _find_lead(self) -> None:
        if self._lead >= 0.0:
            enough = self._spared >= len(self._best)
            self._pause = 0 if enough else min(2 * self._pause + 1, _LONGEST_PAUSE)
            self._lead, self._waited = -np.inf, 0
        if self._waited < self._pause:
            self._waited += 1
            return
        weights = self._weights
        other = self._oracle.maximise_other(weights, self._best)
        self.solved += len(self._best)
        inside = float(weights[list(self._best)].sum())
        lead = np.inf if other is None else inside - float(weights[list(other)].sum())
        self._lead = max(0.0, lead)
        self._inside = frozenset(self._best)
        self._before, self._harms = weights.tolist(), [0.0] * len(weights)
        self._harm, self._spared = 0.0, 0
        self._largest = float(np.abs(weights).max())
