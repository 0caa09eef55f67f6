r"""D-TS and D-TS+: double Thompson sampling for Copeland winners.

With wins :math:`w_{ij}` and :math:`N_{ij}` duels, :math:`u_{ij}, l_{ij} = w_{ij}/N_{ij} \pm
\sqrt{\alpha \ln t / N_{ij}}` (2 and 0 where a pair never met, ½ on the diagonal). Each round:

1. Candidates :math:`\mathcal C` are the arms with the largest upper Copeland score :math:`|\{j \ne
   i : u_{ij} > \frac12\}|`. Of every pair i < j, :math:`\theta_{ij} = 1 - \theta_{ji} \sim
   \text{Beta}(w_{ij} + 1, w_{ji} + 1)`. With the sampled scores :math:`\zeta_i = |\{j \ne i :
   \theta_{ij} > \frac12\}|`, c is a candidate with the largest, ties broken at random.
2. Of every arm i ≠ c once more :math:`\theta'_i \sim \text{Beta}(w_{ic} + 1, w_{ci} + 1)`, and
   :math:`\theta'_c = \frac12`. Then d has the largest :math:`\theta'` of the arms that have not
   surely beaten c, :math:`l_{ic} \le \frac12`, and c meets d.

D-TS+ breaks the ties of step 1 by estimated regret: of the candidates with the largest sampled
score :math:`\zeta^*`, c is one with the least

.. math:: \sum_{j \ne c,\ \theta_{cj} \ne 1/2}
    \frac{\zeta^* - \zeta_j}{d_{KL}(\theta_{cj}, \frac12)} ,

ties that are left broken at random. (Twice the regret of c and j is :math:`2 \zeta^* - \zeta_c -
\zeta_j`, with :math:`\zeta_c = \zeta^*`. As in the authors' program :math:`\zeta^*` is the largest
of the candidates' scores; that of another arm may be larger.)

**Samples by inversion.** The sample of a pair is :math:`\theta_{ij} = 1 - F^{-1}(U)` with a uniform
number U and F the distribution function of :math:`1 - \theta_{ij} \sim \text{Beta}(w_{ji} + 1,
w_{ij} + 1)`. It is above ½ where :math:`U < F(\frac12)`, a number that is kept for each pair and
that a duel changes for one pair. Scores need no more than that; values are found where they decide:
in step 2 where several arms' samples are above ½, and where D-TS+ has a tie to break, of the pairs
that its sum is about.

Samples that decide nothing are not drawn: in step 1 those of pairs without a candidate, unless
D-TS+ has a tie to break, and all of them where there is one candidate only; in step 2 those of arms
that have beaten c. So the choices have the distribution of the paper's.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias

import numpy as np
from scipy.special import betainc, betaincinv

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import bernoulli_divergence
from cpe_opt.learners.dueling.intervals import DuelIntervals, Uniforms
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.ties import TIE
from cpe_opt.validation import AboveHalf, Arms

# Of candidates with the largest sampled score, those that c is one of.
TieBreaker: TypeAlias = Callable[["PairPosteriors", list[int]], list[int]]


@declare(
    family="dueling",
    goal="regret",
    guarantee="expected regret O(K² ln T) for alpha > 1/2, without ties; with a Condorcet winner "
    "O(K ln T + K² ln ln T)",
    paper="Wu, Liu (NIPS 2016), Algorithm 1",
    endless=True,
)
def d_ts(
    arms: Arms, *, rng: np.random.Generator, alpha: AboveHalf = 0.51
) -> Generator[Duel, int, int]:
    """Play near a Copeland winner by samples of who beats whom, drawn twice.

    Parameters
    ----------
    alpha : float
        Width of the confidence intervals that rule arms out, above ½; 0.51 in the experiments.

    Returns
    -------
    int
        The candidate that leads against the most others, when the horizon is reached.

    References
    ----------
    Wu, Liu, "Double Thompson Sampling for Dueling Bandits", NIPS 2016, Algorithm 1.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("d-ts", mu, horizon=1000, seed=0)
    >>> trace.answer
    0
    """
    return (yield from _sample_twice(arms, rng, alpha, lambda _, tied: tied))


@declare(
    family="dueling",
    goal="regret",
    guarantee="expected regret O(K² ln T) for alpha > 1/2, without ties",
    paper="Wu, Liu (NIPS 2016), D-TS+",
    endless=True,
)
def d_ts_plus(
    arms: Arms, *, rng: np.random.Generator, alpha: AboveHalf = 0.51
) -> Generator[Duel, int, int]:
    """Play near a Copeland winner as D-TS does, ties broken by estimated regret.

    Parameters
    ----------
    alpha : float
        As for :func:`d_ts`.

    Returns
    -------
    int
        The candidate that leads against the most others, when the horizon is reached.

    References
    ----------
    Wu, Liu, "Double Thompson Sampling for Dueling Bandits", NIPS 2016.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("multisol")
    >>> trace = cpe.simulate("d-ts-plus", mu, horizon=1000, seed=0)
    >>> trace.answer in mu.copeland_winners
    True
    """
    return (yield from _sample_twice(arms, rng, alpha, least_estimated_regret))


def _sample_twice(
    arms: int, rng: np.random.Generator, alpha: float, break_ties: TieBreaker
) -> Generator[Duel, int, int]:
    """Algorithm 1."""
    intervals = DuelIntervals(arms, alpha, Uniforms(rng))
    posteriors = PairPosteriors(arms, rng)
    duels = [[Duel(c, d) for d in range(arms)] for c in range(arms)]
    candidates, eligible = list(range(arms)), _eligible(intervals, arms)
    changes, t = intervals.changes, 1
    try:
        while True:
            intervals.advance(t)
            if changes != intervals.changes:
                changes, losses = intervals.changes, intervals.losses
                fewest = min(losses)
                candidates = [arm for arm in range(arms) if losses[arm] == fewest]
                eligible = _eligible(intervals, arms)
            c = candidates[0]
            if len(candidates) > 1:
                best = posteriors.best_by_sample(candidates)
                if len(best) > 1:
                    best = break_ties(posteriors, best)
                c = best[0] if len(best) == 1 else best[int(len(best) * rng.random())]
            d = posteriors.strongest_sample_against(c, eligible[c])
            won = yield duels[c][d]
            if c != d:
                intervals.add(c, d, won)
                posteriors.add(c, d, won)
            t += 1
    except HorizonReached:
        return max(candidates, key=posteriors.leads)


def _eligible(intervals: DuelIntervals, arms: int) -> list[IntArray]:
    """For each arm, the others that have not beaten it, ascending."""
    return [
        np.array([arm for arm in range(arms) if arm != c and intervals.sign(arm, c) <= 0], np.int64)
        for c in range(arms)
    ]


class PairPosteriors:
    """Posteriors of who beats whom, Beta(wins + 1, losses + 1), and samples of them."""

    def __init__(self, arms: int, rng: np.random.Generator) -> None:
        self._arms, self._rng = arms, rng
        self._first, self._second = np.triu_indices(arms, 1)
        self._counts: FloatArray = np.ones((arms, arms))  # wins + 1
        # How probably the row's arm beats the column's with a probability above ½.
        self._ahead: FloatArray = np.full((arms, arms), 0.5)
        # Of the last sample: which pairs were drawn, their numbers, and the scores by them.
        self._drawn: BoolArray = np.zeros(len(self._first), dtype=np.bool_)
        self._uniforms: FloatArray = np.zeros((arms, arms))
        self._scores: IntArray = np.zeros(arms, dtype=np.int64)

    def add(self, i: int, j: int, won: int) -> None:
        """Count a duel, of which i won ``won``."""
        counts = self._counts
        counts[i, j] += won
        counts[j, i] += 1 - won
        ahead = float(betainc(counts.item(j, i), counts.item(i, j), 0.5))
        self._ahead[i, j], self._ahead[j, i] = ahead, 1.0 - ahead

    def leads(self, arm: int) -> int:
        """Against how many others an arm has won more duels than it lost."""
        return int((self._counts[arm] > self._counts[:, arm]).sum())

    def best_by_sample(self, candidates: list[int]) -> list[int]:
        """Sample the pairs of candidates; those of them with the largest score."""
        member = np.zeros(self._arms, dtype=np.bool_)
        member[candidates] = True
        self._drawn = member[self._first] | member[self._second]
        self._scores = self._sample(self._drawn)
        own: list[int] = self._scores[candidates].tolist()
        most = max(own)
        return [arm for arm, score in zip(candidates, own, strict=True) if score == most]

    def all_scores(self) -> list[int]:
        """Sample the other pairs, too; the scores of all arms."""
        scores: list[int] = (self._scores + self._sample(~self._drawn)).tolist()
        return scores

    def samples(self, candidates: list[int], others: list[int]) -> list[list[float]]:
        """Of pairs of some candidates and others, the sample of the arm with the smaller number."""
        i = np.minimum.outer(candidates, others).astype(np.int64)
        j = np.maximum.outer(candidates, others).astype(np.int64)
        samples: list[list[float]] = self._values(i, j, self._uniforms[i, j]).tolist()
        return samples

    def strongest_sample_against(self, c: int, others: IntArray) -> int:
        """The arm, of some and c, with the largest sample of its wins against c, ½ for c."""
        uniforms = self._rng.random(len(others))
        above = (uniforms < self._ahead[others, c]).nonzero()[0]
        if not len(above):
            return c
        best = self._values(others[above], c, uniforms[above]).argmax() if len(above) > 1 else 0
        return int(others[above[best]])

    def _sample(self, pairs: BoolArray) -> IntArray:
        """A uniform number for each pair, and in how many each arm's sample is above ½."""
        first, second = self._first[pairs], self._second[pairs]
        uniforms = self._rng.random(len(first))
        self._uniforms[first, second] = uniforms
        winners = np.where(uniforms < self._ahead[first, second], first, second)
        return np.bincount(winners, minlength=self._arms)

    def _values(self, i: IntArray, j: IntArray | int, uniforms: FloatArray) -> FloatArray:
        """The samples of arms i against arms j."""
        return np.asarray(1.0 - betaincinv(self._counts[j, i], self._counts[i, j], uniforms))


def least_estimated_regret(posteriors: PairPosteriors, tied: list[int]) -> list[int]:
    """The candidates with the largest sampled score whose exploration costs least."""
    scores = posteriors.all_scores()
    most = scores[tied[0]]
    others = [arm for arm, score in enumerate(scores) if score != most]
    short = [most - scores[other] for other in others]
    regrets = []
    for shares in posteriors.samples(tied, others):
        regret = 0.0
        for fewer, share in zip(short, shares, strict=True):
            if divergence := bernoulli_divergence(2.0 * share - 1.0):
                regret += fewer / divergence
        regrets.append(regret)
    least = min(regrets)
    slack = TIE * abs(least)
    return [arm for arm, regret in zip(tied, regrets, strict=True) if regret <= least + slack]
