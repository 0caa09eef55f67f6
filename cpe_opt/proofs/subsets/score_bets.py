r"""What scores on a fixed test set prove: bets on differences, along one order of the items.

**Setting.** Arm a has the score :math:`y_{at} \in [0, 1]` on item t and the mean
:math:`\theta_a` over all N items. The items are put in an order that is drawn uniformly at random,
one for all arms; position t of an arm is its cell at the t-th item of that order. What is random is
the order alone: the scores are numbers that do not depend on when they are asked. With a margin
:math:`\varepsilon \ge 0` the *null* of the ordered pair (i, j) is
:math:`\theta_i - \theta_j \le c` with :math:`c = -\varepsilon`: j is as good as i, or better by at
least the margin.

**One bet.** Let :math:`d_t = y_{it} - y_{jt} \in [-1, 1]` at position t, and S the sum of the
differences before it. Given the scores of i and j at all positions before t, the item at t is
equally likely to be each of the N - t that are left, whose differences have a mean of at most

.. math:: m_t = \frac{N c - S}{N - t}

under the null (sampling without replacement: Waudby-Smith and Ramdas, 2020). Cheap scores, *hints*,
that were there before the order was drawn give every cell a number, and every item the difference
:math:`x` of the hints of i and j; let :math:`\bar x_t` be its mean over the items that are left.
Then

.. math:: 1 + \lambda_t \bigl(d_t - m_t - b_t (x_t - \bar x_t)\bigr), \qquad
          \lambda_t, b_t \ge 0, \quad
          \lambda_t \bigl(1 + m_t + b_t \max (x - \bar x_t)\bigr) \le 1,

with the largest x of all items, is not negative, as :math:`d_t \ge -1`, and has a mean of at most
1, as :math:`x_t - \bar x_t` has the mean 0 (a control variate, as in prediction-powered inference:
Angelopoulos et al., 2023). Both :math:`\lambda_t` and :math:`b_t` depend on the scores and hints of
i and j at positions before t, and on which hints are left, and on nothing else. So
:math:`E_{ij}(t)`, the product of the first t factors, or a mixture of such products with weights
that are fixed beforehand, is a function of the table and of the first t items of the order: no
matter what a learner asks, and when, it is always this function that it looks at. Under the null it
is a non-negative supermartingale in t that starts at 1, and by Ville's inequality
:math:`\sup_t E_{ij}(t)` is at least z with probability at most 1/z. Hence an arm may rest and catch
up later, what is asked next may depend on the scores of all arms at any positions, and the largest
E so far counts. A stake that depended on a score at its own position or a later one, of any arm,
would know something of the item, and nothing of this would hold.

A cell that nobody answers counts as 0 for i and as 1 for j in (i, j), so that d is as small as it
may be. A smaller d makes S smaller, m larger and all factors smaller than the missing score would,
so that nothing more is ever proved than with it, whatever it is and whatever decided that it is
missing.

The null is *refuted* for certain once :math:`m_t < -1`, for then the differences that are left
cannot make up for S; once :math:`m_t \le -1` it is certain that :math:`\theta_i - \theta_j \ge c`:
the pair is *held*.

**The k best arms, margin 0.** Let T be k arms with the largest means, of equal ones those with the
smaller numbers; T is fixed by the table alone. Let :math:`w_{ij} \ge 0` be fixed before the first
question so that :math:`\sum_{i \notin T, j \in T} w_{ij} \le 1` for every T of k arms, such as
1 / (k (K - k)). The null of (i, j) is true for all i outside of T and j in it. So with probability
at least :math:`1 - \delta`

    no i outside of T and j in T ever have :math:`E_{ij} \ge 1 / (\delta w_{ij})`.

Suppose so, and let i be *over* j where :math:`E_{ij}` was as large once or the null is refuted, or
where i is over an arm that is over j. Whoever is over an arm of T is in T. Hence an arm with k arms
over it is not in T: it is *out*; an arm that is over K - k arms is in T: it is *in*. (If not, one
of those K - k would be in T, for only K - k - 1 others are outside.) Arms that are in count as over
all others, and those that are out as below. The answer is given once k arms are in, or K - k are
out, or once the best of those that are neither hold all others of these: it has the same mean as T.
At k = 1 an arm is out as soon as one arm is over it.

**A margin.** That i is over j shows only that j is not ahead of i by the margin; removing one arm
by another and that by a third would add up losses. So it is the answer A, of k arms, that has to be
compared with all others itself: it is given once for all a in A and j outside of A
:math:`E_{aj} \ge 1 / (\delta w_{aj})` was true once, or (a, j) is held. Then no arm outside of A is
ahead of one in A by :math:`\varepsilon` or more (at all events by more than :math:`\varepsilon`),
with probability at least :math:`1 - \delta`. For suppose that one is, by more than
:math:`\varepsilon`. Then A is not T, and some arms of A are not in T, each no better than any of T,
and likewise some of T are not in A. Let a be the worst of A: if it is in T, then those of A outside
of T are as bad as the worst of T, and so as bad as a; so an a outside of T is as bad as any of A.
For the same reason some j of T is as good as any outside of A. So
:math:`\theta_j - \theta_a > \varepsilon`: the null of (a, j) is true, the pair is not held, and it
is one of those above, with a outside of T and j in it.

**Weights by hints.** At k = 1 any weights :math:`u_i` of the arms make such
:math:`w_{ij} = u_i / \sum_{h \ne j} u_h`. With hints u is larger for arms with the better hints,
for those are the ones that will have to prove something; half of the weight is always spread
evenly, so that misleading hints cost :math:`\ln 2` at most.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import EllipsisType

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.ties import first_largest, just_below

_ROUNDING = 4e-9  # of means
REFUTED = 2.0**16
"""ln of the e-value of a null that is refuted for certain."""


@dataclass(frozen=True)
class ScoreStakes:
    """What stakes assume; it decides how many scores a proof takes, not whether it is right.

    On tables of 8 arms and 500 items no number matters much: halved or doubled, alone, it changes
    the scores by at most 6 %; halving the largest stake by up to 34 %.
    """

    # how far the means of a pair may be apart: a mixture of stakes, each the best for one gap
    gaps: tuple[float, ...] = (0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
    shares: tuple[float, ...] = (0.1, 0.15, 0.25, 0.25, 0.15, 0.1)  # of the gaps in the mixture
    variance: float = 0.3  # of differences, before any is known
    variance_counts: float = 4.0  # so many differences are worth that
    slope: float = 0.5  # of differences by those of hints, before any is known
    slope_counts: float = 1.0  # so large a sum of squares is worth that
    most: float = 0.9  # of the largest stake; at 1 a single score could cost all
    lead: float = 0.5  # how fast weights fall with the mean of hints, per 1 / √n


STAKES = ScoreStakes()


class ScoreBets:
    """The bets of all ordered pairs, each in its own time.

    K ``arms`` with so many ``cells`` each to ask, ``hints`` of shape (K, cells) by item, and scores
    that are ``answered``, of all arms on further items; the margin is ε.
    """

    def __init__(
        self,
        arms: int,
        cells: int,
        *,
        margin: float = 0.0,
        hints: FloatArray | None = None,
        answered: FloatArray | None = None,
    ) -> None:
        self.cells, self.null = cells, -margin
        self.hints = hints
        self.total = cells
        pairs = (arms, arms)
        self.sum = np.zeros(pairs)
        if answered is not None:
            self.total += answered.shape[1]
            low, high = bounds_of(answered)
            self.sum = low.sum(axis=1)[:, None] - high.sum(axis=1)
        self.time: IntArray = np.zeros(pairs, dtype=np.int64)  # positions that each pair counted
        # (K, K): the logarithms of the e-values, and their largest so far
        self.ln_now, self.ln_e = np.zeros(pairs), np.zeros(pairs)
        self._logs = np.zeros((*pairs, len(STAKES.gaps)))
        # Of the differences d and of x less its mean: sums, squares and products.
        self._d, self._dd = np.zeros(pairs), np.zeros(pairs)
        self._x, self._xx, self._dx = np.zeros(pairs), np.zeros(pairs), np.zeros(pairs)
        if hints is not None:
            self._largest = np.stack([(each - hints).max(axis=1) for each in hints])

    def advance(
        self, position: int, arms: IntArray, scores: FloatArray, item: int, left: FloatArray
    ) -> None:
        """Count this position in the pairs of some arms that have counted all before it.

        ``scores``, shape (K,), are those of all arms there, ``left``, shape (K,), the sums of the
        hints of the items at this position and later.
        """
        now = arms[:, None], arms
        counted = self.time[now] == position
        counted[np.diag_indices(len(arms))] = False
        low, high = bounds_of(scores[arms])
        d = low[:, None] - high
        remaining = self.cells - position
        m = (self.total * self.null - self.sum[now]) / remaining
        x = np.zeros_like(d)
        furthest = np.zeros_like(d)
        slope = np.zeros_like(d)
        if self.hints is not None:
            hints = self.hints[arms, item]
            mean = (left[arms][:, None] - left[arms]) / remaining
            x = hints[:, None] - hints - mean
            furthest = self._largest[now] - mean
            slope = self._slope(now)
        stakes = self._stakes(now, m, slope, furthest, remaining)
        factors = 1.0 + stakes * (d - m - slope * x)[..., None]
        logs = self._logs[now] + np.log(np.maximum(factors, 1e-12))
        self._logs[now] = np.where(counted[..., None], logs, self._logs[now])
        ln_e = np.logaddexp.reduce(self._logs[now] + np.log(STAKES.shares), axis=-1)
        for sums, term in (
            (self.sum, d), (self._d, d), (self._dd, d * d),
            (self._x, x), (self._xx, x * x), (self._dx, d * x), (self.time, 1),
        ):  # fmt: skip
            sums[now] += counted * term
        # What is left cannot make up for the sum.
        ln_e = np.where(self._missing(now) < -_ROUNDING * self.total, REFUTED, ln_e)
        self.ln_now[now] = np.where(counted, ln_e, self.ln_now[now])
        self.ln_e[now] = np.maximum(self.ln_e[now], self.ln_now[now])

    def state(self) -> dict[str, FloatArray]:
        """All that it has counted."""
        return {name: getattr(self, name).copy() for name in _KEPT}

    def restore(self, state: dict[str, FloatArray]) -> None:
        """Go on from it."""
        for name in _KEPT:
            setattr(self, name, state[name].copy())

    @property
    def held(self) -> BoolArray:
        """Where it is certain that the row is not behind the column by more than the margin."""
        return np.asarray(self._missing(...) <= _ROUNDING * self.total)

    def _missing(self, now: tuple[IntArray, ...] | EllipsisType) -> FloatArray:
        """By how much the null exceeds the sum, all that is left at -1; shape of ``now``."""
        remaining = self.cells - self.time[now]
        return np.asarray(self.total * self.null - self.sum[now] + remaining)

    def _slope(self, now: tuple[IntArray, ...]) -> FloatArray:
        """b: the regression of differences on those of the hints, within [0, 1]."""
        times = np.maximum(1.0, self.time[now])
        spread = self._xx[now] - self._x[now] ** 2 / times + STAKES.slope_counts
        product = self._dx[now] - self._d[now] * self._x[now] / times
        product += STAKES.slope * STAKES.slope_counts
        return np.asarray(np.clip(product / spread, 0.0, 1.0))

    def _stakes(
        self,
        now: tuple[IntArray, ...],
        m: FloatArray,
        slope: FloatArray,
        furthest: FloatArray,
        remaining: int,
    ) -> FloatArray:
        """λ, as if the means of the pair were apart by each of the gaps; shape (…, G)."""
        times = self.time[now]
        d, x, b = self._d[now], self._x[now], slope
        squares = self._dd[now] - 2.0 * b * self._dx[now] + b * b * self._xx[now]
        squares -= (d - b * x) ** 2 / np.maximum(1.0, times)
        counts = STAKES.variance_counts
        variance = (STAKES.variance * counts + np.maximum(squares, 0.0)) / (counts + times)
        gaps = np.array(STAKES.gaps) * self.total / remaining
        worst = np.maximum(1.0 + m + b * furthest, _ROUNDING)[..., None]
        stakes = np.minimum(gaps / (variance[..., None] + gaps**2), STAKES.most / worst)
        return np.asarray(np.where(m[..., None] < 1.0, stakes, 0.0))


_KEPT = ("time", "sum", "ln_now", "ln_e", "_logs", "_d", "_dd", "_x", "_xx", "_dx")


class ScoreProof:
    """What the bets prove of the best arms: which are in, which out, and whether that is all."""

    def __init__(self, bets: ScoreBets, top: int, delta: float, weights: FloatArray) -> None:
        self._bets, self._top = bets, top
        self._needed = -math.log(delta)
        with np.errstate(divide="ignore"):
            self._ln_weights = np.log(weights)
        arms = len(weights)
        self.left: BoolArray = np.ones(arms, dtype=np.bool_)
        self.guess: tuple[int, ...] = tuple(range(top))
        self.answer: tuple[int, ...] | None = None
        self._estimates = np.zeros(arms)

    def look(self, estimates: FloatArray) -> None:
        """Take in what the bets show by now; the answer to be proved is that of the estimates."""
        self._estimates = estimates
        # Whole multiples below the evidence, alike on every machine.
        over = just_below(self._bets.ln_e + self._ln_weights) >= self._needed
        if self._bets.null < 0.0:
            self._compare_answer(over)
        else:
            self._rule_out(over)

    def evidence(self) -> float:
        """The least evidence of the guess, of which a proof needs -ln(delta)."""
        evidence = self._bets.ln_e + self._ln_weights
        inside = np.isin(np.arange(len(self.left)), self.guess)
        if self._bets.null < 0.0:
            return float(evidence[np.ix_(inside, ~inside)].min())
        others = evidence[:, ~inside & self.left]
        return float(np.sort(others, axis=0)[-self._top].min()) if others.size else 0.0

    def _compare_answer(self, over: BoolArray) -> None:
        """A margin: the arms with the best estimates against all others."""
        inside = self._best(self._estimates)
        unsettled = np.outer(inside, ~inside) & ~(over | self._bets.held)
        self.left = np.asarray(unsettled.any(axis=0) | unsettled.any(axis=1))
        self.guess = tuple(np.flatnonzero(inside).tolist())
        self.answer = None if unsettled.any() else self.guess

    def _rule_out(self, over: BoolArray) -> None:
        """No margin: arms are in and out until k are in."""
        arms, top = len(over), self._top
        over = _closure(over)
        inside, outside = (np.zeros(arms, dtype=np.bool_) for _ in range(2))
        known = -1
        while known < (known := int((inside | outside).sum())):
            outside |= np.asarray(~inside & ((over | inside[:, None]).sum(axis=0) >= top))
            inside |= np.asarray(~outside & ((over | outside).sum(axis=1) >= arms - top))
        self.left = ~(inside | outside)
        # Estimates are differences of at most 1.
        best = self._best(self._estimates + 4.0 * inside - 4.0 * outside)
        self.guess = tuple(np.flatnonzero(best).tolist())
        chosen, rest = best & self.left, ~best & self.left
        held = not rest.any() or bool(self._bets.held[chosen][:, rest].all())
        self.answer = self.guess if held else None

    def _best(self, estimates: FloatArray) -> BoolArray:
        """The k arms with the best estimates."""
        estimates = estimates.copy()
        chosen = np.zeros(len(estimates), dtype=np.bool_)
        for _ in range(self._top):
            best = int(first_largest(estimates, scale=1.0))
            chosen[best], estimates[best] = True, -np.inf
        return chosen


def weights_of(arms: int, top: int, cells: int, hints: FloatArray | None) -> FloatArray:
    """The weights w of the pairs, shape (K, K): equal ones, or at k = 1 by hints."""
    if hints is None or top > 1:
        return np.full((arms, arms), 1.0 / (top * (arms - top)))
    means = hints.mean(axis=1)
    by_hints = np.exp((means - means.max()) * STAKES.lead * math.sqrt(cells))
    each = 0.5 / arms + 0.5 * by_hints / by_hints.sum()
    return np.asarray(each[:, None] / (each.sum() - each))


def _closure(over: BoolArray) -> BoolArray:
    """With an arm over another over all that this is over; no arm over itself."""
    while True:
        further = over | ((over.astype(np.float64) @ over.astype(np.float64)) > 0.0)
        np.fill_diagonal(further, False)
        if (further == over).all():
            return np.asarray(over)
        over = further


def bounds_of(scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The least and the most that scores can be: 0 and 1 where one is missing."""
    missing = np.isnan(scores)
    return np.where(missing, 0.0, scores), np.where(missing, 1.0, scores)
