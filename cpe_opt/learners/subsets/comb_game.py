r"""CombGame: the best set from single rewards, by a game between pulls and alternatives.

The least number of pulls is the value of a game, in which one player shares pulls among the
elements and another one names an instance :math:`\lambda` whose best set is not the right one:

.. math:: \frac1{T^*} = \max_w \inf_\lambda \sum_e w_e \frac{(\theta_e - \lambda_e)^2}{2\sigma^2} .

Both play it round by round while :math:`\theta` is learned. The actions of the paper are sets, each
element of which shows its reward; here they are the single elements, answers the sets of a class:
"transductive" in its words. After one pull of each element, in every round t, with
:math:`\hat M` best for the means :math:`\hat\theta` of the N pulls so far:

- stop and answer :math:`\hat M` where the evidence of
  :mod:`cpe_opt.learners.subsets.single_rewards` is enough;
- the player of :math:`\hat M` (each answer has one of its own), :class:`AdaHedge`, says its shares
  w;
- of the elements, the one with the least :math:`N_e / \sum_{s \le t} w_{s,e}` is pulled, the first
  pulls counted as shares of their own;
- :math:`\lambda` is the instance nearest to the means by w in which another set is as good, and the
  player gains, for each element, the most that this may be by what is known of it:

  .. math:: r_e = \max_\phi \frac{(\phi - \lambda_e)^2}{2\sigma^2} = \Bigl(
      \frac{|\hat\theta_e - \lambda_e|}{\sqrt2\,\sigma} + \sqrt{\frac{\ln t}{N_e}}\Bigr)^2 \quad
      \text{over } N_e \frac{(\hat\theta_e - \phi)^2}{2 \sigma^2} \le \ln t .

**Theorem.** With a threshold that keeps errors below δ, the answer is wrong with probability at
most δ, however pulls are chosen (theorem 2 of the paper); and pulls are :math:`T^* \ln(1/\delta)`
on average in the limit :math:`\delta \to 0` (theorem 3), for normal rewards and any player whose
regret is o(t).

Of a class that is no matroid and has more than 20,000 sets, :math:`\lambda` is the nearest instance
of the sets that have been found: those that the linear oracle finds for each element of :math:`\hat
M` whenever pulls have grown by a tenth, and those by which a proof failed
(:mod:`cpe_opt.learners.subsets.single_rewards`). That concerns only what is pulled: theorem 2
stands, as no run ends without a proof for all sets. Theorem 3 asks for the nearest instance in
every round, and is not claimed then.

Readings: the bonus :math:`\ln t` is that of the paper's experiments; its theorem has about
:math:`(1 + c) \ln t + \ln\ln t` for a c > 0. The thresholds have the same source as the paper's
(Kaufmann and Koolen), but are for each set by itself; ``threshold="heuristic"`` is that of its
experiments. A share of 0 counts as 1e-100 where the nearest instance is sought. The paper's other
players, by steps of Frank and Wolfe and LLOO, are not here: what they spare is the list of all
actions, which are n here.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, Unproved, pull_each_once
from cpe_opt.learners.subsets.single_rewards import SingleEvidence, Threshold
from cpe_opt.problems.queries import Batch, Pull
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.solvers.options import solver_option
from cpe_opt.ties import TIE, first_smallest
from cpe_opt.validation import ErrorProbability, Positive

_LEAST_SHARE = 1e-100
_ROUNDING = 1e-12  # of all gains


@declare(
    family="subsets",
    goal="identification",
    guarantee="the best set with probability at least 1 - delta; pulls T* ln(1/delta) in the limit"
    " where the class is a matroid or can be listed",
    paper="Jourdan, Mutný, Kirschner, Krause (ALT 2021), Algorithm 1",
    endless_if="two sets are equally good",
    batches="the first pull of every element; then one query at a time",
)
def comb_game(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator | None = None,
    delta: ErrorProbability = 0.05,
    noise: Positive = 0.5,
    threshold: Threshold = "proved",
    method: SubsetMethod | None = None,
    solver: str | None = None,
) -> Generator[Pull | Batch, Any, tuple[int, ...] | Unproved]:
    """Find the best set of a decision class with probability at least 1 - delta.

    Parameters
    ----------
    noise, threshold
        As for :func:`cpe_opt.learners.fws`.
    method, solver : str, optional
        Of the linear oracle, as for :func:`cpe_opt.best_subset`.

    Returns
    -------
    tuple of int
        The set; where the rounds end before it is certain, the best one for the means.

    References
    ----------
    Jourdan, Mutný, Kirschner, Krause, "Efficient Pure Exploration for Combinatorial Bandits with
    Semi-Bandit Feedback", ALT 2021, Algorithm 1; after Degenne, Koolen, Ménard, "Non-Asymptotic
    Pure Exploration by Solving Games", NeurIPS 2019.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate("comb-game", bandit, noise=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    size = decisions.size
    oracle = SubsetOracle(decisions, method, **solver_option(solver))
    evidence = SingleEvidence(oracle, noise, delta, threshold)
    players: dict[tuple[int, ...], AdaHedge] = {}
    shared = np.ones(size)
    try:
        yield from pull_each_once(size, evidence.add)
        t = size
        while True:
            if evidence.enough():
                return evidence.answer()
            best = evidence.best()
            if best not in players:
                players[best] = AdaHedge(size)
            shares = players[best].shares
            players[best].gain(optimistic_gains(evidence, shares, math.log(t)))
            shared += shares
            element = first_smallest(evidence.pulls / shared)
            evidence.add(element, float((yield Pull(element))[0]))
            t += 1
    except HorizonReached:
        return evidence.best()


def optimistic_gains(evidence: SingleEvidence, shares: FloatArray, bonus: float) -> FloatArray:
    """What each element may pay against the nearest alternative, means off by ``bonus`` nats."""
    gaps, weights = evidence.gaps(), np.maximum(_LEAST_SHARE, shares)
    nearest = first_smallest(evidence.distances(gaps, weights))
    paid = evidence.gradients(gaps, weights, np.array([nearest]))[0]
    return np.asarray((np.sqrt(paid) + np.sqrt(bonus / evidence.pulls)) ** 2)


class AdaHedge:
    r"""A player who shares one unit among n elements by weights that find their own learning rate.

    Its *regret* is what the best single element would have paid in all, less what its shares did.
    Shares are proportional to :math:`\exp(\eta G_e)` with the gains :math:`G_e` so far and
    :math:`\eta = \ln n / \Delta`. Δ is the sum, over the rounds, of what the mixture
    :math:`\frac1\eta \ln \sum_e w_e e^{\eta g_e}` of the gains g was above their mean
    :math:`\sum_e w_e g_e`. While Δ is 0 the elements that lead share alike. Regret is of the order
    :math:`\sqrt{t \ln n}`, in whatever unit gains are (de Rooij, van Erven, Grünwald, Koolen,
    "Follow the leader if you can, hedge if you must", JMLR 15, 2014).
    """

    def __init__(self, size: int) -> None:
        self._gains: FloatArray = np.zeros(size)
        self._gap = 0.0
        self.shares: FloatArray = np.full(size, 1.0 / size)

    def gain(self, gains: FloatArray) -> None:
        """Learn what each element has paid in this round; shape (n,)."""
        before = self._potential()
        self._gains = self._gains + gains
        mixture = self._potential() - before
        gap = mixture - float(self.shares @ gains)
        # Where it is 0, the difference of sums leaves their last bits, which would set the rate.
        self._gap += gap if gap > _ROUNDING * float(self._gains.max()) else 0.0
        weights = self._weights()
        self.shares = weights / weights.sum()

    def _weights(self) -> FloatArray:
        """Exponential weights, 1 for an element that leads."""
        behind = self._gains.max() - self._gains
        if self._gap == 0.0:
            return np.asarray(behind <= TIE * self._gains.max(), dtype=np.float64)
        return np.asarray(np.exp(-math.log(len(behind)) / self._gap * behind))

    def _potential(self) -> float:
        """The mixture of all gains so far, under the learning rate of this round."""
        rate = math.log(len(self._gains)) / self._gap if self._gap else math.inf
        spread = 0.0 if math.isinf(rate) else math.log(float(self._weights().mean())) / rate
        return float(self._gains.max()) + spread
