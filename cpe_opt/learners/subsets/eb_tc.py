r"""EB-TCε: the best k of n elements, or a set within a margin, by the pair told apart worst.

:math:`\hat\theta_i` are the means of :math:`N_i` pulls, with noise that is σ-sub-Gaussian, and
:math:`\hat M` has the k largest. After one pull of each element, in every round:

- the leader i in :math:`\hat M` and the challenger j outside are the pair with the least
  transportation cost, with a *slack* :math:`\varepsilon_0 > 0` that makes the rule explore,

  .. math:: \min_{i \in \hat M,\ j \notin \hat M}
      \frac{\hat\theta_i - \hat\theta_j + \varepsilon_0}{\sqrt{1/N_i + 1/N_j}} ;

- of the T rounds with this pair the leader is to be pulled in a share :math:`\bar\beta`: the mean
  over these rounds of :math:`N_j / (N_i + N_j)`, by which both pulls are worth the same, or a fixed
  number. The challenger is pulled if so far it was in at most :math:`(1 - \bar\beta) T` of these
  rounds, else the leader.

It stops and answers :math:`\hat M` once the evidence of every pair, with the margin, is
:math:`\ln(k (n - k) / \delta)`. What is pulled depends on neither δ nor the margin, except by the
slack: a run that is cut off has a good answer, too.

**The evidence.** Of the pulls of two elements i and j

.. math:: E(\theta) = \frac1{|\Lambda|} \sum_{\lambda \in \Lambda} \prod_{e \in \{i, j\}}
    \Bigl(1 + \frac{N_e}\lambda\Bigr)^{-1/2} \exp \frac{N_e^2 (\hat\theta_e - \theta_e)^2}
    {2 \sigma^2 (N_e + \lambda)} , \qquad \Lambda = \{1, 8, \dots, 4096\} ,

is a non-negative supermartingale that starts at 1, where θ is the truth, whatever decided what was
pulled (:mod:`cpe_opt.proofs.subsets.adaptive_samples`). For i in :math:`\hat M` and j outside, the
least value of each term over all θ with :math:`\theta_j - \theta_i \ge \varepsilon` is

.. math:: \prod_{e \in \{i, j\}} \Bigl(1 + \frac{N_e}\lambda\Bigr)^{-1/2} \exp
    \frac{(\hat\theta_i - \hat\theta_j + \varepsilon)^2}{2 \sigma^2 v_\lambda}, \qquad
    v_\lambda = \sum_{e \in \{i, j\}} \Bigl(\frac1{N_e} + \frac\lambda{N_e^2}\Bigr) ,

and the logarithm of their mean is the evidence of the pair: at most :math:`\ln E(\theta)`, for all
of these θ.

**Theorem.** With the margin ε/d for each pair, d the smaller one of k and n - k, the answer is
worse than the best set by more than ε with probability at most δ. *Proof.* Let :math:`M^\circ` be a
best set of the truth. If :math:`\hat M` is worse by more than ε, match the at most d elements of
:math:`\hat M \setminus M^\circ` with those of :math:`M^\circ \setminus \hat M`: one pair has
:math:`\theta_j - \theta_i > \varepsilon/d`, so that its evidence is at most :math:`\ln E(\theta)`.
Of the k(n - k) pairs of j in :math:`M^\circ` and i outside, none has a supermartingale that ever
reaches :math:`k(n - k)/\delta`, except with probability δ (Ville). ∎

**How many pulls.** For k = 1, where one element alone is best, noise is normal and the slack is the
margin, they are :math:`T^*_\varepsilon \ln(1/\delta)` on average in the limit
:math:`\delta \to 0` with the default shares (theorem 1 of the paper), and :math:`T^*_\varepsilon`
is that of :func:`cpe_opt.subset_time` with ε added to the largest mean. With another slack they are
up to :math:`\max_j \bigl(1 + \frac{\varepsilon_0 - \varepsilon}{\Delta_j + \varepsilon}\bigr)^2`
times :math:`T^*_{\varepsilon_0} \ln(1/\delta)`, with the gaps :math:`\Delta_j` of other elements.

**Readings and deviations.** The paper is about k = 1; that the leader of a larger set is chosen
with the challenger follows Qin and You, and no limit is claimed for it. The paper's threshold is
the constant of Kaufmann and Koolen for all pairs alike; ``threshold="glr"`` is that of each pair
(:mod:`cpe_opt.proofs.subsets.glr_threshold`), which is never more. The default, ``"mixture"``, is
the evidence above, which is ours, and about half of that for thousands of pulls. The paper's
experiments use :math:`\ln((1 + \ln t)/\delta)`, ``threshold="heuristic"``, without a proof. Of
pairs or elements that are equal the first is taken, where the paper draws one. Its experiments
without a margin have a slack of 0.1 at σ = 1; here that is the least that the default ever is.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray, log_sum
from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, Unproved, pull_each_once
from cpe_opt.learners.subsets.single_rewards import heuristic_threshold
from cpe_opt.problems.queries import Batch, Pull
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.proofs.subsets.adaptive_samples import LAMBDAS
from cpe_opt.proofs.subsets.glr_threshold import GlrThreshold, glr_terms
from cpe_opt.ties import TIE, first_smallest, on_grid
from cpe_opt.validation import ErrorProbability, Interval, NonNegative, Positive

PairThreshold: TypeAlias = Literal["mixture", "glr", "heuristic"]
_LEAST_SLACK = 0.1  # in units of the noise
_HEURISTIC = "its threshold is not proved"


@declare(
    family="subsets",
    goal="PAC",
    guarantee="the best set, or one within a margin, with probability at least 1 - delta; of the "
    "best single element by pulls T* ln(1/delta) in the limit, where the slack is the margin",
    paper="Jourdan, Degenne, Kaufmann (NeurIPS 2023), Algorithm 1",
    endless_if="two sets are equally good and the margin is 0",
    batches="the first pull of every element; then one query at a time",
    within="no set is better by more than {margin:g}",
)
def eb_tc(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator | None = None,
    delta: ErrorProbability = 0.05,
    margin: NonNegative = 0.0,
    noise: Positive = 1.0,
    slack: Positive | None = None,
    share: Annotated[float, Interval(0, 1, "neither")] | None = None,
    threshold: PairThreshold = "mixture",
) -> Generator[Pull | Batch, Any, tuple[int, ...] | Unproved]:
    """Find the best k of n, or a set within a margin, with probability at least 1 - delta.

    Parameters
    ----------
    decisions : TopK
        ``TopK(n, 1)`` for the best single element.
    margin : float
        At least 0: how much worse than the best set the answer may be.
    noise : float
        σ: rewards are σ-sub-Gaussian; ½ for rewards in [0, 1].
    slack : float, optional
        ε₀, above 0; by default the margin of a pair, and at least a tenth of the noise.
    share : float, optional
        Of the leader in the rounds of a pair, between 0 and 1; by default the one by which both
        pulls are worth the same.
    threshold : "mixture", "glr" or "heuristic"
        What the evidence is compared with: one of two with a proof, or that of the paper's
        experiments, whose answers are not proved.

    Returns
    -------
    tuple of int
        The set; where the rounds end before it is certain, the best one for the means.

    References
    ----------
    Jourdan, Degenne, Kaufmann, "An ε-Best-Arm Identification Algorithm for Fixed-Confidence and
    Beyond", NeurIPS 2023, Algorithm 1.

    Qin, You, "Dual-Directed Algorithm Design for Efficient Pure Exploration", 2023.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.SubsetBandit(cpe.TopK(4, 1), [0.9, 0.8, 0.3, 0.2], noise=0.5)
    >>> trace = cpe.simulate("eb-tc", bandit, delta=0.05, margin=0.2, noise=0.5, seed=0)
    >>> trace.answer, trace.proved
    ((0,), True)
    """
    if not isinstance(decisions, TopK):
        raise InputError(f"eb-tc is for k of n, not for {decisions.name}; use subset-tracking")
    evidence = ElementPairs(decisions, noise, delta, margin, threshold)
    if slack is None:
        slack = max(evidence.margin, _LEAST_SLACK * noise)
    pairs: dict[tuple[int, int], PairShare] = {}
    try:
        yield from pull_each_once(decisions.size, evidence.add)
        while not evidence.enough():
            pair = evidence.closest(slack)
            element = pairs.setdefault(pair, PairShare(share)).choose(pair, evidence.pulls)
            evidence.add(element, float((yield Pull(element))[0]))
    except HorizonReached:
        return evidence.best()
    return Unproved(evidence.best(), _HEURISTIC) if threshold == "heuristic" else evidence.best()


class ElementPairs:
    """Means and pulls of the elements, shapes (n,), and what tells the best k from the others."""

    def __init__(
        self, decisions: TopK, noise: float, delta: float, margin: float, threshold: PairThreshold
    ) -> None:
        n, self._k = decisions.size, decisions.k
        pairs = max(1, self._k * (n - self._k))
        self.margin = margin / max(1, min(self._k, n - self._k))  # that of a pair
        self._noise, self._delta, self._threshold = noise, delta, threshold
        self._needed = math.log(pairs) - math.log(delta)
        self._glr = float(GlrThreshold(self._needed).constants(np.array([2.0]))[0])
        self._total = np.zeros(n)
        self.mean: FloatArray = np.zeros(n)
        self.pulls: FloatArray = np.zeros(n)
        self._order: IntArray = np.arange(n)

    def add(self, element: int, reward: float) -> None:
        """Count one reward."""
        self._total[element] += reward
        self.pulls[element] += 1.0
        self.mean[element] = self._total[element] / self.pulls[element]
        self._order = np.argsort(-on_grid(self.mean), kind="stable")

    def best(self) -> tuple[int, ...]:
        """The best k for the means, of equal ones the first; 0 is that of an element without."""
        return tuple(sorted(self._order[: self._k].tolist()))

    def closest(self, slack: float) -> tuple[int, int]:
        """The leader and the challenger."""
        inside, outside = self._order[: self._k], self._order[self._k :]
        gaps, (mine, theirs) = self._gaps(), self._pulls()
        costs = (gaps + slack) / np.sqrt(1.0 / mine + 1.0 / theirs)
        place, other = divmod(first_smallest(costs.ravel()), len(outside))
        return int(inside[place]), int(outside[other])

    def enough(self) -> bool:
        """Whether every pair is told apart with its margin."""
        gaps, (mine, theirs) = (self._gaps() + self.margin) / self._noise, self._pulls()
        if self._threshold == "mixture":
            return bool((pair_evidence(gaps, mine, theirs) >= self._needed).all())
        distances = gaps**2 / (2.0 / mine + 2.0 / theirs)
        if self._threshold == "glr":
            return bool((distances >= self._glr + glr_terms(mine) + glr_terms(theirs)).all())
        pulls = float(self.pulls.sum())
        return bool((distances >= heuristic_threshold(pulls, self._delta)).all())

    def _gaps(self) -> FloatArray:
        """By how much each of the best leads each of the others; shape (k, n - k)."""
        ranked = self.mean[self._order]
        return np.maximum(0.0, ranked[: self._k, None] - ranked[self._k :])

    def _pulls(self) -> tuple[FloatArray, FloatArray]:
        """The pulls of the best, shape (k, 1), and of the others, shape (n - k,)."""
        ranked = self.pulls[self._order]
        return ranked[: self._k, None], ranked[self._k :]


def pair_evidence(gaps: FloatArray, mine: FloatArray, theirs: FloatArray) -> FloatArray:
    """The evidence that pairs of elements are not in the other order."""
    one, other = mine[..., None], theirs[..., None]
    variances = (1.0 + LAMBDAS / one) / one + (1.0 + LAMBDAS / other) / other
    paid = (np.log1p(one / LAMBDAS) + np.log1p(other / LAMBDAS)) / 2.0 + math.log(len(LAMBDAS))
    return log_sum(gaps[..., None] ** 2 / (2.0 * variances) - paid)[0]


class PairShare:
    """Of the rounds of a leader and a challenger, how many pulled the challenger, and should."""

    def __init__(self, share: float | None) -> None:
        self._share = share
        self._pulled = self._wanted = 0.0

    def choose(self, pair: tuple[int, int], pulls: FloatArray) -> int:
        """Which of the two is pulled in the next round."""
        leader, challenger = pair
        share = self._share
        if share is None:
            share = float(pulls[challenger] / (pulls[leader] + pulls[challenger]))
        self._wanted += 1.0 - share
        if self._pulled <= self._wanted + TIE:
            self._pulled += 1.0
            return challenger
        return leader
