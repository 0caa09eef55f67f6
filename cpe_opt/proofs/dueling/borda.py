r"""What votes, and blocks of duels, prove about Borda scores: which arm's is larger.

The Borda score of arm i is :math:`b_i = \frac1{K-1} \sum_{k \ne i} \mu_{ik}`. For two arms i, j the
difference is linear in the probabilities of the 2K - 3 pairs that hold one of them,

.. math:: (K-1)(b_i - b_j) = \mathrm{const} + \sum_a c_a \mu_a, \qquad
          |c_a| = 2 \text{ for } a = \{i, j\}, \; 1 \text{ for the others} .

**The claim.** Let :math:`N_a` votes of the pair a have the mean :math:`\hat\mu_a`, let
:math:`\hat\Delta` be the least estimate of :math:`(K-1)(b_i - b_j)`, pairs that never met put to
their worst, and let all sums be over the pairs that did. For :math:`\tau > 0`,
:math:`0 < \kappa \le \infty` let

.. math:: G_{\tau\kappa} = \prod_a \Bigl(1 + \frac{N_a}\tau\Bigr)^{-\frac12}
    \Bigl(1 + \frac1\kappa \sum_a \frac{c_a^2 N_a \tau}{N_a + \tau}\Bigr)^{-\frac12}
    \exp\frac{2\hat\Delta^2}{V + \tau\bigl(S - V^2/(C + \kappa/\tau)\bigr)}, \quad
    C = \sum_a c_a^2, \; V = \sum_a \frac{c_a^2}{N_a}, \; S = \sum_a \frac{c_a^2}{N_a^2} .

With a mean of these over a fixed grid of :math:`\tau, \kappa`, say that :math:`b_i > b_j` is proved
where :math:`\hat\Delta > 0` and the mean is at least :math:`\frac{K(K-1)}{2\delta}`. With
probability at least :math:`1 - \delta` nothing wrong is ever proved, at any time and whatever rule
chose the pairs. With a *margin* :math:`\varepsilon` in the unit of the score,
:math:`\hat\Delta + (K-1)\varepsilon` in place of :math:`\hat\Delta` proves
:math:`b_i > b_j - \varepsilon`, in the same way.

*Proof.* Outcomes in [0, 1] are sub-Gaussian: with the truth :math:`\mu` and the sums
:math:`X_a = N_a(\hat\mu_a - \mu_a)`, :math:`\exp(\lambda^T X - \frac18 \sum_a \lambda_a^2 N_a)` is
a supermartingale that starts at 1, for every :math:`\lambda` (Hoeffding's lemma; a vote moves one
term). So is its mean over :math:`\lambda \sim N(0, \Sigma)`,

.. math:: e_\Sigma(\mu) = \det\bigl(I + \tfrac14 \Sigma N\bigr)^{-\frac12}
          \exp\bigl(\tfrac12 X^T (\Sigma^{-1} + \tfrac14 N)^{-1} X\bigr), \qquad
          N = \mathrm{diag}(N_a) ,

and the mean of these over the grid, with :math:`\Sigma = \frac4\tau I + \frac4\kappa c c^T`; pairs
that never met have no part in it. There is one for each two arms, whichever is ahead, and by
Ville's inequality all of them stay below :math:`\frac{K(K-1)}{2\delta}` at the truth. If
:math:`b_i \le b_j`, then :math:`\sum_a c_a (\hat\mu_a - \mu_a) \ge \hat\Delta`. The exponent is a
quadratic form :math:`d^T Q d` in :math:`d = \hat\mu - \mu`, with :math:`Q^{-1} = 2 N^{-1}
(\Sigma^{-1} + \frac14 N) N^{-1}`, and at least :math:`\hat\Delta^2 / (c^T Q^{-1} c)` on that
half-space (Cauchy and Schwarz). The rank-one formulas for :math:`\Sigma^{-1}` and for the
determinant give :math:`G_{\tau\kappa}`. ∎

What :math:`\kappa` is for: where all pairs have about N votes, :math:`X^T c` alone is a test of
one number, and pays for one, :math:`\frac12 \ln N`; with :math:`\kappa = \infty`, which suits any
counts, every one of the 2K - 3 means is paid for.

**Votes that are not independent**, as those of rankings or of clusters: each cluster has one
outcome :math:`y \in [0, 1]` with the mean :math:`\mu_{ik}` on each pair that it votes on, and those
of several pairs may depend on each other. There are two e-values for two arms i, j, and
:math:`b_i > b_j` is proved where their mean is at least :math:`\frac{K(K-1)}{2\delta}`.

*Divided votes.* A cluster with votes on :math:`d_i` pairs of i and :math:`d_j` of j counts an
outcome of i as :math:`\frac1{2 d_i}` vote, and one of j as :math:`\frac1{2 d_j}`, the outcome of
{i, j} once for either. These 2(K - 1) pairs of an arm and another have sums of votes :math:`N_a`,
:math:`c_a = 1`, and G and what it proves are as above. For the parts :math:`p_a` of one cluster add
up to at most 1, and

.. math:: \sum_a p_a \lambda_a (y_a - \mu_a) \text{ has the range } \sum_a p_a |\lambda_a| \le
          \sqrt{\sum_a p_a \lambda_a^2} , \qquad \text{so that} \qquad
          E \exp\sum_a p_a \lambda_a (y_a - \mu_a) \le \exp \tfrac18 \sum_a p_a \lambda_a^2

by Hoeffding's lemma, however the outcomes depend on each other: all that the proof asks of votes.

*Scores.* A cluster with votes on all pairs gives each arm a score, the mean of its outcomes. The
difference z of two arms' scores lies in [-1, 1] and has the mean :math:`b_i - b_j`. For
:math:`0 < \rho < 1` and :math:`x = \rho z`

.. math:: \ln(1 + x) \ge x - \frac{x^2}2 + \frac{x^3}3 - \psi x^4, \qquad
          \psi = \int_0^1 \frac{u^3}{1 - \rho u} du
          = \frac{-\ln(1 - \rho) - \rho - \rho^2/2 - \rho^3/3}{\rho^4} ,

since the difference of the left side and the cubic is :math:`-x^4 \int_0^1 u^3/(1 + xu)\, du`, and
:math:`x \ge -\rho`. So the exponential of the right side, summed over clusters, is below a
supermartingale that starts at 1 where :math:`b_i \le b_j`, the product of :math:`1 + \rho z`; it
needs the sums of four powers of z, and no cluster by itself. E is its mean over a grid of
:math:`\rho`. Scores of a ranking, or of a prompt on which all pairs were compared, vary far less
than single votes would allow.

**Blocks of duels.** In a block of :math:`m_a \ge 1` duels of every pair a, with the mean outcomes
:math:`\bar Y_a`, and now :math:`c_a` the coefficient of :math:`\mu_a` in :math:`b_i - b_j` itself
(:mod:`cpe_opt.formulations.dueling.borda_time`),

.. math:: X = \text{const} + \sum_a c_a \bar Y_a, \qquad v = \sum_a \frac{c_a^2}{4 m_a}

are an estimate of :math:`b_i - b_j` and its variance proxy. Let :math:`E_{ij}` be the mixture
:math:`E_0` of :mod:`cpe_opt.proofs.blocks` with weights its own: where :math:`b_i \le b_j`, it is a
supermartingale that starts at 1. Its :math:`\rho_k` go from 1 down to 1e-5, with weights alike down
to 0.002.

*The rule.* An arm i is answered where :math:`E_{ij} \ge (K-1)/\delta` for all other j. Fix a
Borda winner j of the truth. The sum of :math:`E_{ij}` over the arms i that are none, divided by
:math:`K - 1`, starts at 1 at most, and ever reaches :math:`1/\delta` with probability at most
:math:`\delta` (Ville); a wrong answer asks for that.

*With a margin* the answer i is wrong where :math:`b_i < b_j - \varepsilon` for the Borda winner j.
With :math:`X + \varepsilon` in place of X, :math:`E_{ij}` is of the null
:math:`b_i \le b_j - \varepsilon`, true for all wrong i, and the rule is the same.

**The k best arms.** A set S of k arms is answered where :math:`E_{ij} \ge H/\delta` for all i in
S and all j outside, with :math:`H = K - 1`. It is wrong if :math:`b_i < b_j` for some i in S and j
outside. Fix k best arms T of the truth, equal scores by their index, and the last of them, t. The
nulls of :math:`E_{it}` for i outside T, and of :math:`E_{tj}` for the other j in T, are K - 1, and
all are true: the sum of these E, divided by K - 1, ever reaches :math:`1/\delta` with probability
at most :math:`\delta`. A wrong S is not T. If t is not in S, some i in S is outside T, and
:math:`E_{it} \ge H/\delta`; if t is in S, some j of T is not, and :math:`E_{tj} \ge H/\delta`.

With a margin S is wrong if :math:`b_i < b_j - \varepsilon` for some i in S and j outside, and then
also for some i in S outside T and some j in T outside S: the smallest score of S, and the largest
of the others, are those of such arms. So one of the nulls of the k(K - k) pairs of an arm outside T
and one in T is true and refuted, and :math:`H = k(K-k)`. For k = 1 both are the rule above.

**Cells of a fixed test set.** Pair a has :math:`n_a` cells, each asked at most once in a random
order of the pair's own, and :math:`\theta_{ik}` is what arm i gets on average in the cells of its
pair with k, ½ without cells. Let :math:`\bar n` be the mean of all :math:`n_a` and
:math:`w_a = \bar n / n_a`. A cell of {a, b} in which a gets y has, for the arms i and j, the value
:math:`s_{ij} = e_i - e_j` with :math:`e_a = w_{ab}(y - \frac12)`, :math:`e_b = -e_a`, and
:math:`e_k = 0` for all others. Over the *population* of i and j, all cells that hold one of them,

.. math:: \sum s_{ij} = \bar n (K - 1)(b_i - b_j) .

*Draws.* Arms are in play at first, and some are dropped. The next pair is drawn with a probability
proportional to its cells that are left, among all pairs of which at least one arm is in play. So
the next cell is equally likely to be each of those left of these pairs; if it is of the population
of two arms that are both in play, whose cells are all among these, it is equally likely to be each
of those left of it. (Cells that were answered before the first draw are a part of the total that is
known.) That needs nothing of the answers, except that they do not depend on when they are asked.

*Bets.* Let :math:`\gamma_{ab} = -\gamma_{ba}` be any predictions of :math:`y - \frac12` from what
is known before the draw, and :math:`r_{ij}` what s would be with :math:`y - \gamma_{ab}` in place
of y. The predictions of all L cells that are left are known, and with the sum S of all s so far the
null :math:`b_i \le b_j - \varepsilon` allows r at most the mean

.. math:: m_{ij} = -\bigl(\bar n (K-1) \varepsilon + S_{ij} + \sum_{\text{left}} \gamma s\bigr)/L,

:math:`\gamma s` being the value of a cell with :math:`y = \frac12 + \gamma_{ab}`. A bet pays the
factor :math:`1 + \lambda (r_{ij} - m_{ij})` where the cell is of the population, and 1 elsewhere,
with any :math:`\lambda \ge 0`, known before the draw, for which no cell makes it negative.
Where m is below all values that r can have, the null is refuted for certain, and once
:math:`S_{ij} \ge -\bar n (K-1) \varepsilon` with no cell left j is certainly not ahead of i by more
than the margin: their relation is *held*. The product :math:`E^\varepsilon_{ij}` of the factors up
to the first draw before which i or j is dropped is a supermartingale that starts at 1 where the
null is true. Predictions only make r vary less than s.

*Hints* (:mod:`cpe_opt.proofs.dueling.cell_hints`) are predictions of single cells:
:math:`\gamma_{ab} + \beta (x - \bar x)` for the cell with the hint x, where :math:`\bar x` is the
mean hint of the cells of the pair that are left, and :math:`\beta` is known before the draw. They
add nothing to what is predicted of all cells left, so that m is as without them; only the bounds of
r are wider, and the largest :math:`\lambda` is smaller.

*The rule.* With :math:`G_{kj} = \min(E^0_{kj}, E^\varepsilon_{kj})`, arm j is dropped where

.. math:: \sum_{k \ne j} G_{kj} \ge (K-1)/\delta ,

and i is answered if each other j is dropped, or their relation is held, or, at any time so far,

.. math:: E^\varepsilon_{ij} + \sum_{k \ne i, j} G_{kj} \ge (K-1)/\delta .

Fix a Borda winner j of the truth, and let B be the arms i with :math:`b_i < b_j - \varepsilon`. The
null of :math:`E^\varepsilon_{ij}` is true for i in B, that of :math:`E^0_{kj}` for all k, so that

.. math:: \frac1{K-1} \Bigl(\sum_{i \in B} E^\varepsilon_{ij} + \sum_{k \notin B} E^0_{kj}\Bigr)

is a supermartingale that starts at 1. Where j is dropped, or i in B is answered, it has reached
:math:`1/\delta`, and that it does with probability at most :math:`\delta` (Ville). The last arm is
never dropped: where that would be asked for, j has been.

*A cell that nobody answers* has the least value in every :math:`s_{ij}` that it can have there:
what i gets is 0, and what j gets is 1. Sums of smaller values make m larger and factors smaller, so
that nothing more is ever proved than by the answer that is missing, whatever that is and whatever
decided that it is missing.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray, log_sum
from cpe_opt.problems.clusters import ClusterScores
from cpe_opt.proofs.blocks import BlockMixture
from cpe_opt.proofs.dueling.cell_hints import CellHints, PooledSlope
from cpe_opt.ties import first_largest, in_bits, just_below

_TAU = 16.0 ** np.arange(7)
_KAPPA = (*(16.0 ** np.arange(6)).tolist(), math.inf)  # in units of the mean of c^2 over all pairs
_LEAST = 1e-200
_GRID = 2.0**-20
_VARIANCE, _PRIOR_DRAWS = 0.15, 20.0  # of the outcome of a cell around its prediction
_SHRUNK = 4.0  # answers that say nothing, in a prediction
_MOST_STAKE, _TINY = 0.9, 1e-12
_BITS, _ROUNDING = 24, 1e-9
_CERTAIN = 2.0**16
_PSI_REST = 1e-12  # more than what is left out of the series
_MIXTURE = BlockMixture.of_range(largest=1.0, smallest=1e-5, alike=0.002)


def _terms() -> FloatArray:
    """What each rho makes of the four powers of z; shape (points, 4)."""
    rho = 0.95 * 1.25 ** -np.arange(32, dtype=np.float64)  # down to 0.001
    # The integral by its series: the closed form loses all digits where rho is small.
    powers = np.arange(2000)
    psi = (rho[:, None] ** powers / (powers + 4.0)).sum(axis=1) + _PSI_REST
    return np.stack([rho, -(rho**2) / 2.0, rho**3 / 3.0, -psi * rho**4], axis=1)


_TERMS = _terms()


def borda_order(evidence: FloatArray, delta: float) -> BoolArray:
    """Entry [i, j]: whether the score of i is proved to be larger than that of j."""
    return evidence >= math.log(len(evidence) * (len(evidence) - 1) / 2.0) - math.log(delta)


def borda_evidence(wins: FloatArray, margin: float = 0.0) -> FloatArray:
    """The logarithm of the mean of G for "i has the larger score"; shape (..., K, K) of the wins.

    With a margin, in the unit of the score, "the score of j is larger by less than the margin".
    Minus infinity where the score of i is not larger by the estimate.
    """
    arms = wins.shape[-1]
    votes = wins + wins.swapaxes(-1, -2)
    lead = _lead(wins, votes) + (arms - 1) * margin
    return _mean_of_g(lead, votes, shared=True)


def cluster_evidence(clusters: ClusterScores) -> FloatArray:
    """The logarithm of a third of both e-values for "i has the larger score"; shape (K, K)."""
    won, votes = clusters.won / 2.0, clusters.votes / 2.0
    divided = _mean_of_g(_lead(won, votes), votes, shared=False)
    logs = np.tensordot(_TERMS, clusters.leads, axes=1)
    scores = log_sum(logs, axis=0)[0] - math.log(len(logs))
    return np.asarray(just_below(np.logaddexp(divided, scores) - math.log(3.0)))


def _mean_of_g(lead: FloatArray, votes: FloatArray, *, shared: bool) -> FloatArray:
    """``ln`` of the mean of G over the grid; minus infinity where there is no lead."""
    met, ahead = votes > 0.0, lead > _GRID
    lead = lead[ahead]
    inverse = np.divide(1.0, votes, out=np.zeros_like(votes), where=met)

    def over_pairs(values: FloatArray) -> FloatArray:
        """``sum c_a^2 values_a``, of the two arms of each lead."""
        rows = values.sum(axis=-1)
        both = rows[..., :, None] + rows[..., None, :]
        return np.asarray((both + 2.0 * values if shared else both)[ahead])

    size, v, s = over_pairs(met.astype(np.float64)), over_pairs(inverse), over_pairs(inverse**2)
    arms = votes.shape[-1]
    unit = 2.0 * arms / (2.0 * arms - 3.0) if shared else 1.0
    mean = np.full(len(v), -math.inf)
    for tau in _TAU.tolist():
        paid = np.log1p(votes / tau)
        each = over_pairs(paid) - (3.0 * paid[ahead] if shared else 0.0)
        shrunk = over_pairs(votes * tau / (votes + tau))
        for kappa in _KAPPA:
            spread = v + tau * (s - v**2 / np.maximum(size + unit * kappa / tau, 1.0))
            exponent = 2.0 * lead**2 / np.maximum(spread, _LEAST)
            grown = exponent - 0.5 * (each + np.log1p(shrunk / (unit * kappa)))
            np.logaddexp(mean, grown, out=mean)
    mean -= math.log(len(_TAU) * len(_KAPPA))
    found = np.full(votes.shape, -math.inf)
    found[ahead] = just_below(mean)
    return found


def _lead(won: FloatArray, votes: FloatArray) -> FloatArray:
    """The least estimate of (K-1)(b_i - b_j), pairs that never met put to their worst."""
    met = votes > 0.0
    low = np.divide(won, votes, out=np.zeros_like(votes), where=met)
    high = np.where(met, low, 1.0)
    high = np.where(np.eye(votes.shape[-1], dtype=np.bool_), 0.0, high)
    return np.asarray(low.sum(axis=-1)[..., :, None] - high.sum(axis=-1)[..., None, :])


class BordaBlocks:
    """The sums S and V of every two arms, shape (K, K); the diagonals mean nothing."""

    def __init__(self, arms: int, margin: float = 0.0) -> None:
        self._margin = margin
        self.sums: FloatArray = np.zeros((arms, arms))
        self.information: FloatArray = np.zeros((arms, arms))

    def add(self, won: FloatArray, planned: IntArray) -> None:
        """Count a block."""
        others, nothing = len(won) - 1, np.zeros(won.shape)
        met = planned > 0
        scores = np.divide(won, planned, out=nothing.copy(), where=met).sum(axis=1) / others
        inverse = np.divide(1.0, planned, out=nothing.copy(), where=met)
        of_arm = inverse.sum(axis=1)
        # The pair {i, j} is in both sums, and has twice the coefficient of another.
        variance = (of_arm[:, None] + of_arm + 2.0 * inverse) / (2.0 * others) ** 2
        self.sums += (scores[:, None] - scores + self._margin) / variance
        self.information += 1.0 / variance

    def log_e_values(self) -> FloatArray:
        """``ln E_ij`` against "b_i is at most b_j less the margin"; infinite diagonal, (K, K)."""
        log_e = _MIXTURE.log_values(self.sums, self.information)
        np.fill_diagonal(log_e, math.inf)
        return just_below(log_e)


class BordaCells:
    """Bets on the order of Borda scores, as cells are drawn from those of the arms in play.

    Of each pair as they are, shapes (K, K): ``left`` is how many cells may be asked, ``total`` what
    the row's arm got against the column's, ``asked`` how many were answered. ``in_play``, shape
    (K,), tells which arms are not dropped. ``hints`` are those of the cells left.
    """

    def __init__(
        self,
        left: FloatArray,
        total: FloatArray,
        margin: float,
        delta: float,
        hints: CellHints | None = None,
    ) -> None:
        arms = len(left)
        self._hints, self._slope = hints, PooledSlope()
        self.left, self.total, self.asked = left.copy(), total.copy(), total + total.T
        self.in_play: BoolArray = np.ones(arms, dtype=np.bool_)
        cells = self.left + self.asked
        mean = float(cells.sum()) / (arms * (arms - 1))
        self._weight = np.divide(mean, cells, out=np.zeros_like(cells), where=cells > 0.0)
        self._needed = math.log(arms - 1) - math.log(delta)
        margins = [0.0] if margin == 0.0 else [margin, 0.0]
        self._allowed = np.array(margins)[:, None, None] * mean * (arms - 1)
        self._log_e = np.zeros((len(margins), arms, arms))
        self._lead = np.zeros((arms, arms), dtype=np.bool_)
        self._squares, self._draws = _VARIANCE * _PRIOR_DRAWS, _PRIOR_DRAWS
        self.judge()

    def _predictions(self) -> FloatArray:
        """What is expected of every ordered pair, less ½."""
        share = (self.total - self.total.T) / 2.0 / (self.asked + _SHRUNK)
        return in_bits(share, _BITS)

    def _standing(self, predictions: FloatArray | float) -> FloatArray:
        """``S_ij`` and what is predicted of the cells left; shape (K, K)."""
        lowest, highest = self._scores(predictions)
        return np.asarray(lowest[:, None] - highest)

    def _left_of(self) -> FloatArray:
        """L of every two arms."""
        of_arm = self.left.sum(axis=1)
        return np.asarray(of_arm[:, None] + of_arm - self.left)

    def count(self, i: int, j: int, won: float, lost: float, hint: float = math.nan) -> None:
        """Settle the bets on a cell of a pair, and learn from it; :meth:`judge` drops arms."""
        gamma, both = self._predictions(), np.outer(self.in_play, self.in_play)
        np.fill_diagonal(both, False)
        left = np.maximum(self._left_of(), 1.0)
        mean = -(self._allowed + self._standing(gamma)) / left
        slope, excess, farthest = 0.0, 0.0, np.zeros_like(left)
        if self._hints is not None:
            slope, excess = self._slope.value, hint - self._hints.of_left(i, j)
            farthest = slope * self._hints.farthest
        spread = self._weight * (0.5 + np.abs(gamma) + farthest) * (self.left > 0.0)
        of_arm = spread.max(axis=1)
        largest = np.maximum(np.maximum(of_arm[:, None], of_arm), 2.0 * spread)
        variance = self._squares / self._draws * (1.0 + 3.0 * self.left / left)
        hope = np.maximum(-mean, 0.0)
        room = np.maximum(largest + mean, _TINY)
        stake = in_bits(np.minimum(hope / (variance + hope**2), _MOST_STAKE / room), _BITS)
        lead, trail = np.zeros(len(left)), np.zeros(len(left))
        for a, b, got, other, sign in ((i, j, won, lost, 1.0), (j, i, lost, won, -1.0)):
            expected = gamma[a, b] + sign * slope * excess
            lead[a] = self._weight[a, b] * (got - 0.5 - expected)
            trail[a] = self._weight[a, b] * (0.5 - other - expected)
        drawn = np.zeros_like(both)
        drawn[[i, j]] = drawn[:, [i, j]] = True
        value = lead[:, None] - trail
        gained = np.log1p(np.where(both & drawn, stake * (value - mean), 0.0))
        self._log_e = np.clip(self._log_e + just_below(gained, _GRID), -_CERTAIN, _CERTAIN)
        if won or lost:
            self._squares += float(lead[i]) ** 2
            self._draws += 1.0
            self._slope.add(excess, won - 0.5 - gamma.item(i, j))
        if self._hints is not None:
            self._hints.tell(i, j, hint)
        for a, b, got in ((i, j, won), (j, i, lost)):
            self.left[a, b] -= 1.0
            self.asked[a, b] += 1.0
            self.total[a, b] += got

    def _scores(self, predictions: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """``n (K-1) (b_i - 1/2)`` of each arm, cells left out as losses, and as wins; (K,) each."""
        rest = self.left * predictions
        lowest = self._weight * (self.total - self.asked / 2.0 + rest)
        highest = self._weight * (self.asked / 2.0 - self.total.T + rest)
        return np.asarray(lowest.sum(axis=1)), np.asarray(highest.sum(axis=1))

    def expected_scores(self) -> FloatArray:
        """The same as they are expected to go, cells that were left out as ties."""
        lowest, highest = self._scores(self._predictions())
        return np.asarray((lowest + highest) / 2.0)

    def judge(self) -> None:
        """Drop arms, and note which relations are proved."""
        worst = (self._weight * self.left).sum(axis=1) / 2.0
        least = self._standing(0.0) - worst[:, None] - worst
        # Sums of half cells have rounding errors; a relation that is off by so little is a tie.
        close = _ROUNDING * max(1.0, float(self._allowed.max(initial=0.0) + worst.max()))
        excess = least + self._allowed
        log_e = np.where(excess > close, _CERTAIN, self._log_e)
        both = log_e.min(axis=0)
        np.fill_diagonal(both, -math.inf)
        against = just_below(log_sum(both, axis=0)[0])
        dropped = self.in_play & (against >= self._needed)
        if (dropped == self.in_play).all():
            dropped[np.where(dropped, against, math.inf).argmin()] = False
        self.in_play = self.in_play & ~dropped
        self._evidence = np.broadcast_to(against, both.shape)
        if len(log_e) > 1:
            # For answer i its own bets with the margin in place of G.
            of_answer = np.repeat(both[None], len(both), axis=0)
            arms = np.arange(len(both))
            of_answer[arms, arms] = log_e[0]
            self._evidence = just_below(log_sum(of_answer, axis=1)[0])
        self._lead |= (excess[0] >= -close) | (self._evidence >= self._needed)

    def answer(self) -> int | None:
        """The arm that is proved, of several that with the largest score; else None."""
        open_ = ~self._lead & self.in_play
        np.fill_diagonal(open_, False)
        right = np.flatnonzero(self.in_play & ~open_.any(axis=1))
        if not len(right):
            return None
        return int(right[int(first_largest(self.expected_scores()[right]))])

    def evidence(self, arm: int) -> float:
        """For an arm, against its strongest rival: proved where it is ln((K-1)/delta)."""
        open_ = self.in_play & ~self._lead[arm]
        open_[arm] = False
        return float(self._evidence[arm][open_].min(initial=_CERTAIN))
