r"""Ranks under a model of strengths: in large samples, and never called proved.

The model is Davidson's (:mod:`cpe_opt.problems.dueling.davidson`): K arms of a group that votes
connect have strengths :math:`\theta_i`, and differences :math:`d_{ij} = \theta_i - \theta_j` are
estimated by the largest likelihood. What follows holds approximately where the model is right,
there are many votes, and no vote decided which pairs were asked, or when to stop; it says nothing
of cycles, and of arms that are good against some and bad against others. Groups are
apart: each has strengths, ranks and a confidence of its own. Each vote counts once in the fit, also
where votes come in clusters.

**Standard errors.** With the score :math:`s_c` of cluster c, the derivative of the log-likelihood
of its votes, and the information I, the negative second derivative of the whole,

.. math:: \sqrt n (\hat\theta - \theta) \to N(0, \Sigma), \qquad
          \Sigma \approx n I^{-1} \Bigl(\frac{G}{G-1} \sum_c s_c s_c^T\Bigr) I^{-1}

for G independent clusters (Huber, White; Liang and Zeger). Where each vote is a cluster the matrix
in the middle is I on average, and :math:`I^{-1}` is taken. With few clusters, or few that saw an
arm, the sandwich is noisy and too small (77 of 100 boards of 10 raters had all differences in their
intervals). Hence :math:`s_{ij}` is the larger one of the sandwich's standard error of
:math:`\hat d_{ij}` and of that by :math:`\rho I^{-1}`, where the design effect :math:`\rho \ge 1`
is what the sandwich has of :math:`I^{-1}` on average over all parameters (95 to 98 of 100 boards of
10 to 300 raters, with equal and very unequal numbers of votes, and raters that differ on some arms
alone). Of fewer than 10 clusters no intervals are given.

**All differences at once.** A bootstrap that multiplies the score of each vote by a normal number
draws :math:`Z \sim N(0, V)`, with V the covariance that the scores add up to: :math:`V = I^{-1}` on
average, from which draws are made. Let c be the :math:`1 - \delta` quantile of the largest
:math:`|Z_i - Z_j| / \sigma_{ij}`, with :math:`\sigma_{ij}` its standard deviation; it hardly
depends on V, and so it serves clusters, too. Then in large samples all
:math:`|\hat d_{ij} - d_{ij}| \le c s_{ij}` with probability :math:`1 - \delta` at least
(Chernozhukov, Chetverikov, Kato). The mean of all arms, or an anchor, is among the arms here, so
that intervals of strengths are intervals of differences.

**Where votes go one way.** An arm that won, or lost, all votes against the others has a place by a
weak prior alone, and no interval. Intervals are of the largest set of arms whose votes on each
other have a largest likelihood, of which 1,000 points are the mean.

**Ranks of all arms at once** (Mogstad, Romano, Shaikh, Wilhelm). Where that holds,
:math:`\hat d_{ij} > c s_{ij}` implies :math:`\theta_i > \theta_j`: *i is above j*. The rank of i is
1 and the number of stronger arms: at least 1 and those above i, at most K less those below i. So
all K intervals of ranks, all sets of the k best, and all tiers, of which each arm is above all of
later ones, are right on the same event. ∎

**How often that holds.** On 1,000 simulated boards of each of thirteen kinds
(``examples/model_coverage.py``) all differences were in their intervals on 94.7 to 97.5 of a
hundred at :math:`\delta = 0.05`, and on 98.5 with 150 votes on 20 arms: standard errors are a
little large where the few votes of a pair are nearly all alike. All ranks were on 99.7 or more: a
rank is wrong only where a difference has the wrong sign.

**How well the model fits.** On each pair the outcomes of votes, 1, 0 or −1, are compared with those
expected. With v the variance of an outcome and the leverage :math:`h = N_{ij} v \sigma_{ij}^2 / 4`,
the variance of a residual is :math:`N_{ij} v (1 - h)`; of clusters it is this or, if that is
larger, the sum of the squares of :math:`r_c - \tfrac12 N_{ij} v\,(e_i - e_j)^T I^{-1} s_c`, with
:math:`r_c` the residual of cluster c. A pair contradicts the model where its residual is beyond a
normal quantile at :math:`\delta` divided by the number of pairs. Pairs with :math:`N_{ij} v < 5`,
or that decide alone (h = 1), are left out.

**The next votes.** One vote on {a, b} adds :math:`w_{ab} = v_{ab}/4` to the information, and

.. math:: s_{ij}^2 \;\text{falls by}\;
          \frac{w_{ab}\,\bigl((e_i - e_j)^T V (e_a - e_b)\bigr)^2}{1 + w_{ab} s_{ab}^2} .

A pair {i, j} that is open is a share :math:`t = |\hat d_{ij}| / (c s_{ij}) \le 1` of the way; t
grows by half of :math:`t / s_{ij}^2` times that fall. With the Laplacian L of these weights, the
sum over open pairs is :math:`w_{ab}(e_a - e_b)^T V L V (e_a - e_b) / (1 + w_{ab} s_{ab}^2)`; the
pair with the largest sum is asked, some votes at a time, and V follows.

Mogstad, Romano, Shaikh, Wilhelm, "Inference for Ranks with Applications to Mobility across
Neighbourhoods and Academic Achievement across Countries", Review of Economic Studies 2024.
Chernozhukov, Chetverikov, Kato, "Gaussian Approximations and Multiplier Bootstrap for Maxima of
Sums of High-Dimensional Random Vectors", Annals of Statistics 2013. Liang, Zeger, "Longitudinal
Data Analysis Using Generalized Linear Models", Biometrika 1986.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import ndtri

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.problems.clusters import ClusterVotes
from cpe_opt.problems.dueling.davidson import DavidsonFit, attained, davidson_fit, met_groups
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.proofs.dueling.winners import tiers_of
from cpe_opt.ties import first_largest, in_bits

UNDER_MODEL = "under a model of strengths, in large samples; not proved"
ONE_WAY = "too few votes went both ways: strengths are finite by a prior of half a vote each way"
ELO = 400.0 / math.log(10.0)
"""Points of Elo's scale for one of log-odds."""
ELO_MEAN = 1000.0
"""Of the anchor, or of the arms of a table on average."""
_DRAWS, _FEWER_DRAWS, _FEW_ARMS, _SEED = 20_000, 4000, 30, 0
_BITS, _DIGITS = 20, 6  # of numbers that are compared, and shown
_FEWEST_CLUSTERS = 10
_LEAST_VARIANCE = 5.0  # of votes on a pair that is compared with the model
_VOTES_AT_A_TIME = 10
_BLOCK = 1 << 12  # clusters
_JITTER, _ROUNDING = 1e-12, 1e-9
_AT_ONCE = 1 << 18  # numbers that are drawn


@dataclass(frozen=True, eq=False)
class Misfit:
    """A pair whose votes contradict the model."""

    pair: tuple[str, str]
    share: float  # of the votes that the first won, ties as half a win
    expected: float  # the same by the model


@dataclass(frozen=True, eq=False)
class StrengthTable:
    """Arms that votes connect, by their strengths under a model; see :class:`ModelRanks`.

    Attributes
    ----------
    labels : tuple of str
        The arms, the strongest first.
    strengths : float array, shape (K,)
        Log-odds, with the mean 0.
    errors : float array, shape (K, K)
        Standard errors of the differences of strengths.
    critical : float
        By how many of them all differences may be wrong at once; infinite where intervals are not
        known.
    ties : float
        The tie parameter nu: 0 where no vote is a tie.
    prior : bool
        Whether a weak prior was needed: some arms won, or lost, all of their votes against others.
    no_intervals : str
        Why there are no intervals; empty if there are.
    without_interval : tuple of str
        Arms without an interval: all of them, or those whose strengths only the prior bounds.
    elo : dict of str to (float, float, float)
        On Elo's scale: the estimate, and the ends of its interval.
    pairs, freedom : int
        Pairs that met, and how many of them the model does not use up.
    misfit : float
        The mean square of standardised residuals of pairs, 1 on average under the model.
    misfits : tuple of Misfit
        Pairs whose votes contradict the model, the worst first.
    """

    labels: tuple[str, ...]
    strengths: FloatArray
    errors: FloatArray
    critical: float
    ties: float
    prior: bool
    no_intervals: str
    without_interval: tuple[str, ...]
    elo: dict[str, tuple[float, float, float]]
    pairs: int
    freedom: int
    misfit: float
    misfits: tuple[Misfit, ...]
    _covariance: FloatArray
    _information: FloatArray  # of one vote on each pair

    @cached_property
    def above(self) -> BoolArray:
        """``above[i, j]``: the i-th arm is stronger than the j-th, at the confidence of all."""
        if self.no_intervals:
            return np.zeros(self.errors.shape, dtype=np.bool_)
        lead, error = self.strengths[:, None] - self.strengths, self.critical * self.errors
        return np.asarray(in_bits(lead, _BITS) > in_bits(error, _BITS))

    @cached_property
    def ranks(self) -> dict[str, tuple[int, int]]:
        """The best and the worst rank of each arm in this table, all at once."""
        best, worst = 1 + self.above.sum(axis=0), len(self.labels) - self.above.sum(axis=1)
        ends = zip(best.tolist(), worst.tolist(), strict=True)
        return dict(zip(self.labels, ends, strict=True))

    @property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Groups of arms of which each arm is above all of later ones."""
        return tuple(tuple(self.labels[arm] for arm in tier) for tier in tiers_of(self.above))

    def top(self, k: int) -> dict[str, str]:
        """Of each arm, whether it is one of the k strongest: ``"in"``, ``"open"`` or ``"out"``."""
        return {
            label: "in" if worst <= k else "out" if best > k else "open"
            for label, (best, worst) in self.ranks.items()
        }

    def next_pairs(self, number: int = 5) -> list[tuple[str, str]]:
        """The pairs whose votes narrow ranks most, the first first; none where ranks are known."""
        if self.no_intervals:
            return []
        covariance, weight = self._covariance.copy(), self._information
        lead = np.abs(self.strengths[:, None] - self.strengths)
        pairs: dict[tuple[int, int], None] = {}
        for _ in range(4 * number):
            spread = _differences(covariance)
            share = np.divide(
                lead, self.critical * np.sqrt(spread), out=np.zeros_like(lead), where=spread > 0.0
            )
            share[self.above | self.above.T | (share > 1.0)] = 0.0
            open_ = np.divide(share, spread, out=np.zeros_like(share), where=spread > 0.0)
            laplacian = np.diag(open_.sum(axis=1)) - open_
            gain = weight * _differences(covariance @ laplacian @ covariance)
            gain = np.triu(gain / (1.0 + weight * spread), 1)
            if len(pairs) == number or not gain.max(initial=0.0) > 0.0:
                break
            a, b = divmod(int(first_largest(gain.ravel())), len(gain))
            pairs[a, b] = None
            along = covariance[:, a] - covariance[:, b]
            votes = _VOTES_AT_A_TIME * weight[a, b]
            covariance -= votes / (1.0 + votes * spread[a, b]) * np.outer(along, along)
        return [(self.labels[a], self.labels[b]) for a, b in pairs]


@dataclass(frozen=True, eq=False)
class ModelRanks:
    """Strengths and ranks under a model, in large samples; not proved.

    Attributes
    ----------
    tables : tuple of StrengthTable
        One for each group of arms that votes connect, the largest first: strengths, and ranks, of
        different tables cannot be compared. Each table is right at once with probability about
        ``1 - delta`` under the model.
    unrated : tuple of str
        Arms without votes.
    delta : float
    anchor : str or None
        The arm that has 1,000 points on Elo's scale; by default arms with intervals, on average.
    """

    tables: tuple[StrengthTable, ...]
    unrated: tuple[str, ...]
    delta: float
    anchor: str | None

    @property
    def order(self) -> tuple[str, ...]:
        """All arms: table by table, the strongest first, and then those without votes."""
        return (*(label for table in self.tables for label in table.labels), *self.unrated)

    def table_of(self, label: str) -> StrengthTable | None:
        """The table of an arm; None of one without votes."""
        return next((table for table in self.tables if label in table.ranks), None)


def model_ranks(votes: Votes, delta: float = 0.05, anchor: str | None = None) -> ModelRanks:
    """Fit the model to each group of arms that votes connect, with ranks of all arms at once."""
    wins, tied = votes.wins, votes.tied
    if votes.counts.selected is not None:
        wins, tied = (np.where(votes.counts.selected, 0.0, each) for each in (wins, tied))
    groups = met_groups(wins + wins.T)
    tables = tuple(_table(votes, wins, tied, group, delta, anchor) for group in groups)
    rated = {label for table in tables for label in table.labels}
    unrated = tuple(label for label in votes.labels if label not in rated)
    return ModelRanks(tables, unrated, delta, anchor)


def _table(
    votes: Votes,
    wins: FloatArray,
    tied: FloatArray,
    group: IntArray,
    delta: float,
    anchor: str | None,
) -> StrengthTable:
    """The table of some arms."""
    labels = [votes.labels[arm] for arm in group.tolist()]
    within = np.ix_(group, group)
    fit = davidson_fit((wins - tied / 2.0)[within], tied[within])
    # By strength, so that nothing depends on the order or the names of arms.
    order = np.lexsort((labels, -np.round(fit.strengths, _DIGITS)))
    group, names = group[order], tuple(labels[arm] for arm in order.tolist())
    won, even = (each[np.ix_(group, group)] for each in (wins, tied))
    fit, arms = fit.of(order), len(group)
    core, why = attained(won - even / 2.0, even), ""
    if not core.any():
        core[:], why = True, ONE_WAY
    weights = np.eye(arms)[names.index(anchor)] if anchor in names else core / core.sum()
    model = _with_reference(fit.inverse[:arms, :arms], weights)
    spread, design = _differences(model), 1.0
    number, surprise = won + won.T, won - won.T - (won + won.T) * (fit.wins - fit.wins.T)
    variance = (1.0 - fit.tie) - (fit.wins - fit.wins.T) ** 2
    noise = number * variance * (1.0 - number * variance * spread[:-1, :-1] / 4.0)
    kept = (number * variance >= _LEAST_VARIANCE) & (noise > 1e-6 * number * variance)
    clusters = votes.counts.by_cluster
    if clusters is not None:
        clusters = clusters.of(group, votes.arms)
        apart, place = np.unique(clusters.cluster, return_inverse=True)
        clusters, several = replace(clusters, cluster=place.ravel()), len(apart)
        if several < _FEWEST_CLUSTERS:
            few = f"fewer than {_FEWEST_CLUSTERS} hardly tell how they differ"
            why = f"{several} cluster{'s' * (several != 1)}, and {few}"
        surprising = _surprise(clusters, fit)
        score = _scores(clusters, surprising, fit, several)
        sandwich, design = _sandwich(score, fit)
        noise = np.maximum(
            noise, _noise(clusters, surprising, score, fit, number * variance, sandwich)
        )
        sandwich = _with_reference(sandwich, weights)
        spread = np.maximum(design * spread, _differences(sandwich))
    met = np.triu(number > 0.0)
    if clusters is None and not votes.independent and met.sum() > 1:
        why = "votes on several pairs are not independent, and are not in clusters (cluster=)"
    bounded = np.append(core, core[weights > 0.0].all())  # the last is the reference
    spread[~np.outer(bounded, bounded) & (spread > 0.0)] = math.inf
    critical = math.inf if why else _critical(model[np.ix_(bounded, bounded)], delta)
    strengths = np.round(fit.strengths, _DIGITS) + 0.0
    residual = np.where(kept & (not why), surprise, np.nan) / np.sqrt(np.where(kept, noise, 1.0))
    return StrengthTable(
        labels=names,
        strengths=strengths,
        errors=np.sqrt(spread[:-1, :-1]),
        critical=critical,
        ties=round(fit.ties, _DIGITS),
        prior=fit.prior,
        no_intervals=why,
        without_interval=tuple(name for k, name in enumerate(names) if why or not core[k]),
        elo=_elo(names, strengths, critical, spread[:-1, -1], weights),
        pairs=int(met.sum()),
        freedom=max(0, int(met.sum()) - arms + 1),
        misfit=_mean_square(residual[met]),
        misfits=_misfits(names, won, fit, residual, delta),
        _covariance=design * model[:-1, :-1],
        _information=variance / 4.0 / design,
    )


def _differences(covariance: FloatArray) -> FloatArray:
    """The variance of each difference; shape (K, K)."""
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own - covariance - covariance.T, 0.0)


def _scores(
    votes: ClusterVotes, surprise: FloatArray, fit: DavidsonFit, clusters: int
) -> csr_matrix:
    """The score of each cluster, with its votes' in the order of the clusters; shape (G, size)."""
    i, j = votes.first, votes.second
    places, scores = [i, j], [surprise / 2.0, -surprise / 2.0]
    size, arms = len(fit.inverse), len(fit.strengths)
    if size > arms:
        places.append(np.full_like(i, arms))
        scores.append(votes.tied - votes.number * fit.tie[i, j])
    entries = np.tile(votes.cluster, len(places)), np.concatenate(places)
    return csr_matrix((np.concatenate(scores), entries), shape=(clusters, size))


def _surprise(votes: ClusterVotes, fit: DavidsonFit) -> FloatArray:
    """What each cluster's votes on a pair differ by from those expected."""
    i, j = votes.first, votes.second
    return np.asarray(votes.lead - votes.number * (fit.wins[i, j] - fit.wins[j, i]))


def _sandwich(score: csr_matrix, fit: DavidsonFit) -> tuple[FloatArray, float]:
    """The sandwich of strengths, and its design effect."""
    clusters, size = score.shape
    arms = len(fit.strengths)
    middle = (score.T @ score).toarray() * (clusters / max(1, clusters - 1))
    design = max(1.0, float((fit.inverse * middle).sum()) / (size - 1))
    return (fit.inverse @ middle @ fit.inverse)[:arms, :arms], design


def _noise(
    votes: ClusterVotes,
    surprise: FloatArray,
    score: csr_matrix,
    fit: DavidsonFit,
    variance: FloatArray,
    sandwich: FloatArray,
) -> FloatArray:
    """The variance of the residual of each pair, from clusters; shape (K, K)."""
    i, j, row, arms = votes.first, votes.second, votes.cluster, len(fit.strengths)
    along = np.empty(len(i))
    for start in range(0, score.shape[0], _BLOCK):  # clusters, whose entries are in their order
        part = slice(*np.searchsorted(row, [start, start + _BLOCK]))
        moved = score[start : start + _BLOCK] @ fit.inverse
        near = row[part] - start
        along[part] = moved[near, i[part]] - moved[near, j[part]]
    sums = [
        np.bincount(i * arms + j, surprise * each, arms * arms).reshape(arms, arms)
        for each in (surprise, along)
    ]
    squares, products = (each + each.T for each in sums)
    return np.asarray(
        squares - variance * products + variance**2 / 4.0 * _differences(sandwich), np.float64
    )


def _with_reference(covariance: FloatArray, weights: FloatArray) -> FloatArray:
    """Of strengths less their mean by some weights, and of a zero as the last arm."""
    arms = len(covariance)
    moved = np.eye(arms) - weights
    around = np.zeros((arms + 1, arms + 1))
    around[:arms, :arms] = moved @ covariance @ moved.T
    return around


def _critical(covariance: FloatArray, delta: float) -> float:
    r"""The quantile of the largest studentised difference.

    By Cauchy's inequality :math:`|Z_i - Z_j|^2 \le (Z_i^2/w_i + Z_j^2/w_j)(w_i + w_j)` for all
    weights w, here variances: arms of which that is below what was found already are left out.
    """
    rng = np.random.default_rng(_SEED)
    size = len(covariance)
    scale = _JITTER * float(np.diag(covariance).max())
    root = np.linalg.cholesky(covariance + scale * np.eye(size))
    number = _DRAWS if size <= _FEW_ARMS else _FEWER_DRAWS
    draws = rng.standard_normal((number, size)) @ root.T
    spread, weight = _differences(covariance), np.diag(covariance) + scale
    inverse = np.divide(1.0, np.sqrt(spread), out=np.zeros_like(spread), where=spread > 0.0)
    share = np.where(spread > 0.0, spread / (weight[:, None] + weight), math.inf).min(axis=1)
    largest = np.zeros(number)
    block = _AT_ONCE // size
    for start in range(0, number, block):
        some, found = (each[start : start + block] for each in (draws, largest))
        square = some**2 / weight
        top = square.argmax(axis=1)
        each = np.abs(some - np.take_along_axis(some, top[:, None], axis=1)) * inverse[top]
        found[:] = each.max(axis=1) * (1.0 - _ROUNDING)
        reach = np.sqrt((square + square.max(axis=1)[:, None]) / share) * (1.0 + _ROUNDING)
        for arm in range(size - 1):
            left = np.flatnonzero(reach[:, arm] >= found)
            each = np.abs(some[left, arm + 1 :] - some[left, arm, None]) * inverse[arm, arm + 1 :]
            found[left] = np.maximum(found[left], each.max(axis=1))
    rank = min(number, math.ceil((1.0 - delta) * (number + 1)))
    return float(in_bits(np.sort(largest)[rank - 1], _BITS))


def _elo(
    labels: tuple[str, ...],
    strengths: FloatArray,
    critical: float,
    variance: FloatArray,
    weights: FloatArray,
) -> dict[str, tuple[float, float, float]]:
    """Estimates and intervals on Elo's scale, from the variance against the reference."""
    points = strengths - strengths @ weights
    half = np.where(variance > 0.0, critical, 0.0) * np.sqrt(variance)
    ends = np.round(ELO_MEAN + ELO * np.array([points, points - half, points + half]), 1)
    columns = (column.tolist() for column in ends)
    return dict(zip(labels, zip(*columns, strict=True), strict=True))


def _mean_square(residual: FloatArray) -> float:
    known = residual[~np.isnan(residual)]
    return round(float((known**2).mean()), 2) if known.size else math.nan


def _misfits(
    labels: tuple[str, ...], won: FloatArray, fit: DavidsonFit, residual: FloatArray, delta: float
) -> tuple[Misfit, ...]:
    """The pairs whose votes contradict the model."""
    size = np.triu(np.abs(np.nan_to_num(residual)), 1)
    pairs = max(1, int((size > 0.0).sum()))
    places = np.argwhere(size > -ndtri(delta / (2.0 * pairs)))
    order = np.argsort(-in_bits(size[tuple(places.T)], _BITS), kind="stable")
    found = []
    for i, j in places[order].tolist():
        share = float(won[i, j] / (won[i, j] + won[j, i]))
        expected = float(fit.wins[i, j] + fit.tie[i, j] / 2.0)
        found.append(Misfit((labels[i], labels[j]), round(share, 4), round(expected, 4)))
    return tuple(found)
