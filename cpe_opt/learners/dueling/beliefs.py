r"""What a learner expects of pairs, also of those that never met: a model that guides questions.

No proof rests on it (:mod:`cpe_opt.proofs.dueling.predictable_bets`): a wrong one costs questions.

**The model.** Arm i beats j with the log-odds :math:`\theta_{ij}`. By the strengths :math:`u_i` of
Bradley and Terry it would be :math:`u_i - u_j`; a pair differs from that by a normal number with
the standard deviation :math:`\tau`. Strengths are fitted with a ridge by Newton steps of the two
arms of each answer, in which a pair counts no more often than its deviation allows, and have
variances from the curvature. Such a prior, normal around :math:`u_i - u_j`, is mixed with one that
knows no strengths and is symmetric around 0. The weight of the first follows from how well either
has predicted the answers of each pair so far. The symmetric one is uniform in the logarithm of
:math:`|\theta|`; of coins it is a mixture of that and of normal ones of several scales, again
weighted by how well each has predicted the answers. Where all pairs turn out to be close, or none,
the bets on the next one need not find that out once more.

**The posterior of a pair** is on a grid of log-odds, 6 down to 0.02 on either side in steps of
25 %. Its likelihood is binomial. Answers with many ties have a smaller variance v than coins, and
count :math:`1/(4v)` times. Which pair to ask about hangs little on how close a close one is, but a
stake that is twice too large grows no more: bets of coins go by a grid that goes on from there in
steps of 60 %, down to 0.0003. So a pair that is needed is proved in the end if its gap is above
0.00004, and may not be if it is smaller.

**What follows from it**, with the null :math:`\theta \le c` of each ordered pair:

- the mean of the next answer;
- the belief, the probability that the null is false: for coins that of :math:`p > c`, for n cells
  that of a full table above c, normal in what the cells left may add;
- the rate: by how much the logarithm of a good bet grows with an answer, the divergence of p from
  the null's mean, averaged over the posterior;
- the evidence so far, the likelihood ratio of the observed share to the null, for n cells of which
  t are asked times :math:`n/(n - t)`.

**Hints** (:mod:`cpe_opt.proofs.dueling.cell_hints`). A cell with the hint x has the mean
:math:`p + b (x - \bar x)`, where :math:`\bar x` is the mean hint of the pair and b the slope of a
regression over the answers of all pairs. What is believed of a pair goes by its answers less
:math:`b (x - \bar x)`, and v is the variance of what is left of them. The cells left have a mean
of p less b times what the hints told so far exceed :math:`\bar x` by, shared out over them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.proofs.dueling.cell_hints import CellHints, PooledSlope
from cpe_opt.proofs.dueling.predictable_bets import REFUTED, missing_wins, null_mean
from cpe_opt.ties import in_bits

_LARGEST, _STEP, _POINTS, _FINE = 6.0, 1.25, 26, 0.02
_CLOSER_STEP, _CLOSER_POINTS = 1.6, 9  # what the grid of bets goes on by
_TAU, _SPREAD = 0.35, 1.0  # of a pair, and of the strengths
_MOST_ODDS = 3.0  # of the two priors, as a natural logarithm
_MOST_TRUST = 8.0
_LEAST_VARIANCE, _COINS = 0.02, 4.0
_MOST_STAKE = 0.9  # on a cell, of all that may be staked
_PROBIT = 1.7  # logistic for normal
_BITS, _GRID = 24, 2.0**-30
_CHANGES = (
    *("asked", "total", "duels", "mean", "belief", "rate", "evidence", "refuted", "held"),
    *("inferiors", "deviation", "_strength", "_trust", "_squares", "_answers", "_scales"),
)


class Bet(NamedTuple):
    """A stake on the next cell, the mean that the null allows it, and the slope b of its hint."""

    stake: float
    mean: float
    slope: float = 0.0

    def gain(self, outcome: float, excess: float) -> float:
        """What it pays on 1, less that 1; ``excess`` is of the hint over the mean of those left."""
        return self.stake * (outcome - self.mean - self.slope * excess)


class _Grid:
    """Points of log-odds, the same on either side."""

    def __init__(self, positive: FloatArray, steps: FloatArray) -> None:
        # (n,); the points in ascending order, and how wide the cell of each is, up to a factor
        self.odds = np.concatenate([-positive, positive[::-1]])
        self.widths = np.abs(self.odds) * np.concatenate([steps, steps[::-1]])
        self.probability = 1.0 / (1.0 + np.exp(-self.odds))  # (n,); of winning
        # (2, n); their logarithms, and those of the probabilities of losing
        self.logs = np.stack([np.log(self.probability), np.log1p(-self.probability)])


def _grids() -> tuple[_Grid, _Grid]:
    """That of beliefs, and that of bets."""
    positive = _LARGEST * _STEP ** -np.arange(_POINTS, dtype=np.float64)
    closer = positive[-1] * _CLOSER_STEP ** -np.arange(1.0, _CLOSER_POINTS + 1.0)
    steps = np.repeat([1.0, math.log(_CLOSER_STEP) / math.log(_STEP)], [_POINTS, _CLOSER_POINTS])
    of_bets = _Grid(np.concatenate([positive, closer]), steps)
    return _Grid(positive, steps[:_POINTS]), of_bets


_BELIEFS, _BETS = _grids()
_ODDS, _WIDTHS, _CHANCE = _BELIEFS.odds, _BELIEFS.widths, _BELIEFS.probability
_SYMMETRIC = np.minimum(1.0, np.abs(_ODDS) / _FINE)
_SYMMETRIC = _SYMMETRIC / _SYMMETRIC.sum()
_SCALES = np.array([0.05, 0.1, 0.2, 0.4, 0.8, 1.6])
_NORMAL, _MOST_SCALE = 0.97, 8.0  # of a scale's prior; and what the best may be ahead of any
_OF_SCALES = _WIDTHS * np.exp(-(_ODDS**2) / (2.0 * _SCALES[:, None] ** 2))
_OF_SCALES /= _OF_SCALES.sum(axis=1, keepdims=True)
_OF_SCALES = np.vstack([_SYMMETRIC, _NORMAL * _OF_SCALES + (1.0 - _NORMAL) * _SYMMETRIC])
_AGAINST = 1.0 - _CHANCE
_AT_ONCE = 4096


class PairBeliefs:
    """What is expected of every ordered pair; ``variance`` is that of an answer around even odds.

    ``cells``, shape (K, K), are those of each pair, infinite for coins, and ``null`` is c;
    ``total``, shape (K, K), is what each arm got against each other before the first answer, and
    ``hints`` are those of the cells that can be asked.
    """

    def __init__(
        self,
        cells: FloatArray,
        null: float,
        total: FloatArray | None = None,
        hints: CellHints | None = None,
    ) -> None:
        arms = len(cells)
        self.hints, self._slope = hints, PooledSlope()
        # (K, K); by how much the hints told of the row's arm exceed the mean of all of the pair
        self._excess = np.zeros((arms, arms) if hints is not None else (0, 0))
        self.cells, self.null, self._finite = cells, null, bool(np.isfinite(cells).all())
        self.total = np.zeros((arms, arms)) if total is None else total.copy()
        # (K, K); how many answers there are of each pair, and what the row's arm got in them
        self.asked = self.total + self.total.T
        # (K, K); of the row's arm against the column's
        self.mean = np.full((arms, arms), 0.5)
        self.belief, self.rate = np.zeros((arms, arms)), np.zeros((arms, arms))
        self.evidence = np.zeros((arms, arms))
        # (K, K); whether the null is false for certain, and whether the column's arm is certainly
        # not ahead of the row's beyond the null
        self.refuted: BoolArray = np.zeros((arms, arms), dtype=np.bool_)
        self.held = self.refuted.copy()
        # (K,); the strengths, and the standard deviations of what is known of them
        self._strength, self.deviation = np.zeros(arms), np.full(arms, _SPREAD)
        self._trust = self._squares = 0.0
        self._answers = 0.0
        self.inferiors = np.zeros(arms)  # (K,); arms that each is expected not to be behind of
        self.duels = float(self.asked.sum()) / 2.0  # how many answers there are in all
        growth = [
            np.where(each > null, _divergence(each, min(1.0 - 1e-6, max(1e-6, null))), 0.0)
            for each in (_CHANCE, _AGAINST)
        ]
        above = [(each > null).astype(np.float64) for each in (_CHANCE, _AGAINST)]
        self._moments = np.stack([np.ones_like(_CHANCE), _CHANCE, *above, *growth], axis=1)
        self._scales, self._plain = np.zeros(len(_OF_SCALES)), _SYMMETRIC
        if not self._finite:
            self._mix_scales()
        for _ in range(3 if self.asked.any() else 0):
            for arm in range(arms):
                self._fit(arm)
        self._expect(range(arms))

    def state(self) -> dict[str, Any]:
        """All that answers have changed, in arrays of its own."""
        state = {name: np.array(value) for name, value in vars(self).items() if name in _CHANGES}
        if self.hints is not None:
            state |= {"_excess": self._excess.copy(), "slope": self._slope.sums.copy()}
            state["hints"] = self.hints.state()
        return state

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over a state of beliefs that began with the same cells, null and totals."""
        for name in _CHANGES:
            value = np.array(state[name])
            setattr(self, name, value if value.ndim else value.item())
        if self.hints is not None:
            self._excess, self._slope.sums = state["_excess"].copy(), state["slope"].copy()
            self.hints.restore(state["hints"])
        if not self._finite:
            self._mix_scales()

    @property
    def variance(self) -> float:
        """v, at most that of a fair coin."""
        v = (self._squares + 0.25 * _COINS) / (self._answers + _COINS)
        if self.hints is not None:
            v *= self._slope.unexplained
        return min(0.25, max(_LEAST_VARIANCE, v))

    def count(
        self,
        i: int,
        j: int,
        outcome: float,
        times: int = 1,
        *,
        left_out: int = 0,
        hint: float = math.nan,
    ) -> None:
        """Take in what i got against j, and of a cell what i gets by its hint.

        What is expected of pairs stays until something is learnt (:meth:`learn`).
        """
        lost = times - left_out - outcome
        prior, likelihood = self._weights(np.array([i]), np.array([j]))
        expected, plain = (
            float(each @ _CHANCE) / float(each.sum())
            for each in (prior[0] * likelihood[0], self._plain * likelihood[0])
        )
        if not self._finite:
            of_scales = _OF_SCALES * likelihood[0]
            chance = (of_scales @ _CHANCE) / of_scales.sum(axis=1)
            gained = outcome * np.log(chance) + lost * np.log1p(-chance)
            scales = self._scales + gained / (4.0 * self.variance)
            scales = np.maximum(scales - scales.max(), -_MOST_SCALE)
            self._scales = np.rint(scales / _GRID) * _GRID
            self._mix_scales()
        better = outcome * math.log(expected / plain)
        better += lost * math.log((1.0 - expected) / (1.0 - plain))
        trust = self._trust + better / (4.0 * self.variance)
        self._trust = _on_grid(min(_MOST_TRUST, max(-_MOST_TRUST, trust)))
        if self.hints is not None:
            excess = hint - self.hints.mean.item(i, j)
            self.hints.tell(i, j, hint)
            if not left_out:
                self._slope.add(excess, outcome - self.mean.item(i, j))
            self._excess[i, j] += excess
            self._excess[j, i] -= excess
        self.asked[i, j] += times
        self.asked[j, i] += times
        self.total[i, j] += outcome
        self.total[j, i] += lost
        self.duels += times
        answers = times - left_out
        self._answers += answers
        self._squares += (outcome - 0.5) ** 2 if answers == times == 1 else 0.25 * answers

    def learn(self, arms: Sequence[int]) -> None:
        """From all that was counted, about the arms that it was about."""
        for _ in range(2):
            for arm in arms:
                self._fit(arm)
        self._expect(arms)

    def _adjusted(self, first: IntArray | int, second: IntArray) -> FloatArray:
        """What the first arms got against the second, as if their hints had been average."""
        total = self.total[first, second]
        if self.hints is None:
            return np.asarray(total)
        adjusted = total - self._slope.value * self._excess[first, second]
        return np.asarray(np.clip(adjusted, 0.0, self.asked[first, second]))

    def _mix_scales(self) -> None:
        """The symmetric prior, by the weights of its scales."""
        weights = np.exp(self._scales)
        self._plain = (weights / weights.sum()) @ _OF_SCALES
        self._symmetric = self._plain[:, None] * self._moments

    def _fit(self, arm: int) -> None:
        """A Newton step of one strength."""
        others = np.flatnonzero(self.asked[arm])
        worth = 0.25 / self.variance
        asked, total = self.asked[arm, others] * worth, self._adjusted(arm, others) * worth
        expected = 1.0 / (1.0 + np.exp(self._strength[others] - self._strength[arm]))
        curvature = asked * expected * (1.0 - expected)
        weight = 1.0 / (1.0 + curvature * _TAU**2)
        information = 1.0 / _SPREAD**2 + float((curvature * weight).sum())
        slope = float(((total - asked * expected) * weight).sum())
        step = (slope - self._strength.item(arm) / _SPREAD**2) / information
        self._strength[arm] = _on_grid(self._strength.item(arm) + max(-1.0, min(1.0, step)))
        self.deviation[arm] = _on_grid(math.sqrt(1.0 / information))

    def _weights(
        self, first: IntArray, second: IntArray, grid: _Grid = _BELIEFS
    ) -> tuple[FloatArray, FloatArray]:
        """Over a grid, for every pair: the prior by strengths, and the likelihood."""
        worth = 0.25 / self.variance
        total = np.stack([self._adjusted(first, second), self._adjusted(second, first)], axis=1)
        log_like = worth * (total @ grid.logs)
        likelihood = np.exp(log_like - log_like.max(axis=1, keepdims=True))
        centre = self._strength[first] - self._strength[second]
        variance = _TAU**2 + self.deviation[first] ** 2 + self.deviation[second] ** 2
        exponent = -((grid.odds - centre[:, None]) ** 2) / (2.0 * variance[:, None])
        prior = grid.widths * np.exp(exponent - exponent.max(axis=1, keepdims=True))
        return prior / prior.sum(axis=1, keepdims=True), likelihood

    def _for_bets(self, i: int, j: int) -> FloatArray:
        """The posterior over the grid of bets; near 0 the prior has one density."""
        prior, likelihood = self._weights(np.array([i]), np.array([j]), _BETS)
        closer = _BETS.widths * (self._plain[_POINTS] / _WIDTHS[_POINTS])
        plain = np.concatenate(
            [self._plain[:_POINTS], closer[_POINTS:-_POINTS], self._plain[_POINTS:]]
        )
        weights = self._trusted * prior[0] + (1.0 - self._trusted) * plain
        posterior = likelihood[0] * weights
        return np.asarray(posterior / posterior.sum())

    @property
    def _trusted(self) -> float:
        """The weight of the strengths."""
        return 1.0 / (1.0 + math.exp(-min(_MOST_ODDS, max(-_MOST_ODDS, self._trust))))

    def _expect(self, arms: Sequence[int]) -> None:
        """All pairs of some arms, each once."""
        place = np.full(len(self.cells), len(arms))
        place[list(arms)] = np.arange(len(arms))
        row, second = np.nonzero(np.arange(len(arms))[:, None] < place)
        first = np.asarray(arms)[row]
        settle = self._of_cells if self._finite else self._of_coins
        for start in range(0, len(first), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            settle(first[part], second[part], *self._weights(first[part], second[part]))
        moved = np.union1d(first, second)
        self.inferiors[moved] = in_bits(self.belief[moved].sum(axis=1), _BITS)

    def _of_coins(
        self, first: IntArray, second: IntArray, prior: FloatArray, likelihood: FloatArray
    ) -> None:
        """What is expected of these pairs."""
        trusted, worth = self._trusted, 0.25 / self.variance
        by_strengths, by_pair = (prior * likelihood) @ self._moments, likelihood @ self._symmetric
        mixed = trusted * by_strengths + (1.0 - trusted) * by_pair
        of_pair = in_bits(mixed[:, 1:] / mixed[:, :1], _BITS)
        mean = of_pair[:, 0]
        self.mean[first, second], self.mean[second, first] = mean, 1.0 - mean
        asked = self.asked[first, second]
        for row, column, belief, rate in ((first, second, 1, 3), (second, first, 2, 4)):
            self.belief[row, column] = of_pair[:, belief]
            self.rate[row, column] = worth * of_pair[:, rate]
            share = self.total[row, column] / np.maximum(asked, 1.0)
            above = (share > self.null) & (asked > 0.0)
            evidence = np.where(above, asked * _divergence(share, self.null), 0.0)
            self.evidence[row, column] = in_bits(worth * evidence, _BITS)

    def _of_cells(
        self, first: IntArray, second: IntArray, prior: FloatArray, likelihood: FloatArray
    ) -> None:
        """What is expected of these pairs."""
        by_strengths, by_pair = prior * likelihood, self._plain * likelihood
        posterior = self._trusted * by_strengths + (1.0 - self._trusted) * by_pair
        posterior /= posterior.sum(axis=1, keepdims=True)
        mean = in_bits(posterior @ _CHANCE, _BITS)
        self.mean[first, second] = mean
        self.mean[second, first] = 1.0 - mean
        self._of_nulls(
            np.concatenate([first, second]),
            np.concatenate([second, first]),
            np.repeat([_CHANCE, _AGAINST], len(first), axis=0),
            np.concatenate([posterior, posterior]),
        )

    def _of_nulls(
        self, row: IntArray, column: IntArray, belief: FloatArray, posterior: FloatArray
    ) -> None:
        """Chance, rate and evidence against the nulls of these ordered pairs."""
        cells, asked, total = (each[row, column] for each in (self.cells, self.asked, self.total))
        missing = missing_wins(cells, total, self.null)
        refuted = missing < 0.0
        total = self._adjusted(row, column)
        worth, share = 0.25 / self.variance, total / np.maximum(asked, 1.0)
        mean = null_mean(cells, asked, total, self.null)
        above = (share > self.null) & (asked > 0.0)
        evidence = np.where(above, asked * worth * _divergence(share, self.null), 0.0)
        left = cells - asked
        end = total[:, None] + left[:, None] * belief - cells[:, None] * self.null
        spread = np.sqrt(np.maximum(left[:, None] * 4.0 * belief * (1.0 - belief), 1e-9))
        likely = _logistic(_PROBIT * end / (spread * math.sqrt(self.variance)))
        evidence *= cells / np.maximum(left, 1.0)
        bounded = np.clip(np.where(refuted, 0.0, mean), 1e-6, 1.0 - 1e-6)[:, None]
        growth = np.where(belief > bounded, _divergence(belief, bounded), 0.0) * worth
        lost = (mean >= 1.0) & ~refuted
        known = (posterior * likely).sum(axis=1)
        known = np.where(refuted, 1.0, np.where(lost, 0.0, known))
        rate = np.where((left > 0.0) & ~refuted, (posterior * growth).sum(axis=1), 0.0)
        self.refuted[row, column], self.held[row, column] = refuted, missing <= 0.0
        self.belief[row, column] = in_bits(known, _BITS)
        self.rate[row, column] = in_bits(rate, _BITS)
        self.evidence[row, column] = np.where(refuted, REFUTED, in_bits(evidence, _BITS))

    def certain_after(self, first: IntArray, second: IntArray) -> FloatArray:
        """How many more answers would refute nulls for certain, if they go as expected."""
        missing = self.cells[first, second] * self.null - self.total[first, second]
        return np.asarray(np.maximum(1.0, missing / np.maximum(0.05, self.mean[first, second])))

    def bet(self, i: int, j: int, null: float) -> Bet:
        r"""A bet on i against j on the next cell.

        With the expected mean p of the cells left, the null's mean m and the variance of the
        answer, the stake :math:`\lambda = (p - m) / (\mathrm{var} + (p - m)^2)`, at most 0.9 of the
        largest.
        """
        pair = (slice(i, i + 1), j)
        m: float = null_mean(self.cells[pair], self.asked[pair], self.total[pair], null).item()
        p: float = self.mean.item(i, j)
        slope, worst = 0.0, m
        if self.hints is not None and m < math.inf:
            slope = self._slope.value
            p -= slope * self._excess.item(i, j) / (self.cells.item(i, j) - self.asked.item(i, j))
            worst += slope * self.hints.largest(i, j)
        if p <= m or m <= 0.0:
            return Bet(0.0, m)
        mean = self.mean.item(i, j)
        variance: float = max(1e-3, 4.0 * self.variance * mean * (1.0 - mean))
        stake: float = (p - m) / (variance + (p - m) ** 2)
        return Bet(min(_MOST_STAKE / worst, stake), m, slope)

    def log_mixture(self, i: int, j: int, null: float, outcome: float, times: int) -> float:
        """The log of what a bet on i against j in several duels of coins makes of a stake of 1.

        A mixture of stakes by the posterior; what lies below the null is not staked.
        """
        posterior = self._for_bets(i, j)
        chance = np.maximum(_BETS.probability, null)
        won, lost = np.log(chance / null), np.log((1.0 - chance) / (1.0 - null))
        gained = outcome * won + (times - outcome) * lost
        largest = float(gained.max())
        return largest + math.log(float(posterior @ np.exp(gained - largest)))


def _divergence(share: FloatArray, null: FloatArray | float) -> FloatArray:
    """``d_KL(share, null)`` of two coins, for a null between 0 and 1."""
    won = np.where(share > 0.0, share, 1.0) / np.where(share > 0.0, null, 1.0)
    lost = np.where(share < 1.0, 1.0 - share, 1.0) / np.where(share < 1.0, 1.0 - null, 1.0)
    return np.asarray(share * np.log(won) + (1.0 - share) * np.log(lost))


def _logistic(x: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -40.0, 40.0))))


def _on_grid(value: float) -> float:
    """Rounded, so that last bits do not add up over a run."""
    return round(value / _GRID) * _GRID
