r"""Bradley and Terry's model with ties, fitted to votes: an order for display, and no proof.

In Davidson's model arm i has a strength :math:`\theta_i`, and of the duels of i and j

.. math:: P(i) : P(\text{tie}) : P(j) =
          e^{(\theta_i - \theta_j)/2} : \nu : e^{(\theta_j - \theta_i)/2} .

Without ties it is Bradley and Terry's, :math:`P(i) = 1/(1 + e^{\theta_j - \theta_i})`. The
log-likelihood is concave in :math:`\theta` and :math:`\ln \nu`, and its largest value is found by
Newton's method. Each arm has half a win and half a loss against one of strength 0 in addition, so
that arms that won or lost all of their votes, and groups that never met, have finite strengths.

The model says of all pairs at once what only data can say: cycles, and arms that are good against
some and bad against others, are left out of it. **Strengths and their order are estimates.** So are
their intervals, from a bootstrap: the votes of each pair, or the outcomes of its clusters, are
drawn anew with replacement, pair by pair, and the middle 95 % of the strengths are reported. They
are for one arm at a time and at one look, and take no account of what clusters have in common on
several pairs, nor of an error in the model.

Davidson, "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison
Experiments", JASA 1970.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.problems.dueling.votes import Votes

ESTIMATE = "estimate, not proved"
_STEPS, _ACCURATE, _NEAR = 60, 1e-9, 1e-4
_LARGEST_STEP = 2.0
_MIDDLE = (0.025, 0.975)
_DIGITS = 6


@dataclass(frozen=True)
class DavidsonFit:
    r"""Strengths of arms by Bradley and Terry's model with ties: estimates, not proved.

    Attributes
    ----------
    strengths : dict of str to float
        Of each arm by its label, the best first; log-odds, with the mean 0.
    intervals : dict of str to (float, float)
        The middle 95 % of a bootstrap, for one arm at a time.
    ties : float
        :math:`\nu`, 0 where no vote is a tie.
    resamples : int
        How many logs were drawn.
    """

    strengths: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    ties: float
    resamples: int

    @property
    def order(self) -> tuple[str, ...]:
        """The labels, the largest strength first."""
        return tuple(self.strengths)


def davidson_fit(votes: Votes, *, resamples: int = 200, seed: int = 0) -> DavidsonFit:
    """Fit the model, and draw logs for its intervals.

    Parameters
    ----------
    votes : Votes
        Of votes in clusters, the mean of a cluster on a pair is one outcome.
    resamples : int
        How many logs to draw, at least 1.
    seed : int

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> fit = davidson_fit(cpe.Votes([[0, 30, 45], [20, 0, 30], [5, 20, 0]], ["a", "b", "c"]))
    >>> fit.order, round(fit.strengths["a"] - fit.strengths["b"], 1)
    (('a', 'b', 'c'), 0.7)
    >>> low, high = fit.intervals["a"]
    >>> low < fit.strengths["a"] < high
    True
    """
    won, tied = _counts(votes)
    theta, nu = _maximum(won, tied, np.zeros(votes.arms), 1.0)
    rng = np.random.default_rng(seed)
    model = _Likelihood(won, tied)
    inverse = np.asarray(np.linalg.inv(model.hessian(theta, model.start(nu))), np.float64)
    drawn = np.array(
        [_nearby(*_drawn(votes, won, tied, rng), theta, nu, inverse) for _ in range(resamples)]
    )
    low, high = np.round(np.quantile(drawn, _MIDDLE, axis=0), _DIGITS)
    theta = np.round(theta, _DIGITS)
    order = np.argsort(-theta, kind="stable").tolist()
    labels = votes.labels
    return DavidsonFit(
        {labels[arm]: float(theta[arm]) for arm in order},
        {labels[arm]: (float(low[arm]), float(high[arm])) for arm in order},
        round(nu, _DIGITS),
        resamples,
    )


def _counts(votes: Votes) -> tuple[FloatArray, FloatArray]:
    """Wins without ties, and ties; of clusters their outcomes, which have none."""
    if votes.counts.outcomes is not None:
        return votes.counts.outcomes.wins(votes.arms), np.zeros_like(votes.wins)
    return votes.wins - votes.tied / 2.0, votes.tied


def _drawn(
    votes: Votes, won: FloatArray, tied: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """As many votes of each pair, drawn with replacement."""
    arms, outcomes = votes.arms, votes.counts.outcomes
    again, ties = np.zeros((arms, arms)), np.zeros((arms, arms))
    if outcomes is not None:
        # So many Poisson clusters of each share: a bootstrap of a number of clusters like it.
        times = rng.poisson(outcomes.times)
        np.add.at(again, (outcomes.first, outcomes.second), times * outcomes.share)
        np.add.at(again, (outcomes.second, outcomes.first), times * (1.0 - outcomes.share))
        return again, ties
    i, j = np.nonzero(np.triu(won + won.T + tied, 1))
    kinds = np.stack([won[i, j], tied[i, j], won[j, i]], axis=1)
    number = np.rint(kinds.sum(axis=1)).astype(np.int64)
    found = rng.multinomial(number, kinds / kinds.sum(axis=1)[:, None])
    again[i, j], again[j, i] = found[:, 0], found[:, 2]
    ties[i, j] = ties[j, i] = found[:, 1]
    return again, ties


def _maximum(
    won: FloatArray, tied: FloatArray, theta: FloatArray, nu: float
) -> tuple[FloatArray, float]:
    """The strengths with the mean 0, and nu, by Newton's method from a start."""
    model = _Likelihood(won, tied)
    eta = model.start(nu)
    for _ in range(_STEPS):
        gradient, hessian = model.gradient(theta, eta), model.hessian(theta, eta)
        step = np.asarray(np.linalg.solve(hessian, gradient), np.float64)
        theta, eta, length = model.moved(theta, eta, step)
        if length < _ACCURATE:
            break
    return theta - theta.mean(), float(np.exp(eta))


def _nearby(
    won: FloatArray, tied: FloatArray, theta: FloatArray, nu: float, inverse: FloatArray
) -> FloatArray:
    """The same strengths for votes like those of a fit, by the inverse Hessian of the fit.

    While each step is at most half as long as the last one, the error is at most the last step.
    Otherwise, as after unlike votes, Newton's method goes on.
    """
    model = _Likelihood(won, tied)
    eta, last = model.start(nu), np.inf
    for _ in range(_STEPS if len(inverse) == model.size else 0):
        # Not by BLAS, whose threads take longer than the product.
        step: FloatArray = np.einsum("ij,j->i", inverse, model.gradient(theta, eta))
        theta, eta, length = model.moved(theta, eta, step)
        if length < _NEAR:
            return np.asarray(theta - theta.mean())
        if length > last / 2.0:
            break
        last = length
    return _maximum(won, tied, theta, nu)[0]


class _Likelihood:
    """The concave log-likelihood of the strengths and, where there are ties, of eta = ln nu."""

    def __init__(self, won: FloatArray, tied: FloatArray) -> None:
        self.number, self.tied = won + won.T + tied, tied
        self.lead = (won - won.T) / 2.0
        self.with_ties = bool(tied.any())
        self.size = len(won) + self.with_ties

    def start(self, nu: float) -> float:
        return float(np.log(max(nu, 1e-3))) if self.with_ties else -np.inf

    def moved(
        self, theta: FloatArray, eta: float, step: FloatArray
    ) -> tuple[FloatArray, float, float]:
        """The point after a step that is not too long, and how long it is."""
        step = step * min(1.0, _LARGEST_STEP / max(float(np.abs(step).max()), _ACCURATE))
        arms = len(theta)
        eta = eta + float(step[arms]) if self.with_ties else eta
        return theta + step[:arms], eta, float(np.abs(step).max())

    def gradient(self, theta: FloatArray, eta: float) -> FloatArray:
        skew, ties, _ = self._shares(theta, eta)
        of_arms = (self.lead - self.number * skew).sum(axis=1) + 0.5 - self._own(theta)
        of_ties = np.triu(self.tied - self.number * ties, 1).sum()
        return np.asarray(np.append(of_arms, of_ties)[: self.size], np.float64)

    def hessian(self, theta: FloatArray, eta: float) -> FloatArray:
        """The negative second derivatives."""
        skew, ties, decided = self._shares(theta, eta)
        arms, number, own = len(theta), self.number, self._own(theta)
        spread = number * (decided / 4.0 - skew**2)
        found = np.zeros((arms + 1, arms + 1))
        found[:arms, :arms] = np.diag(spread.sum(axis=1) + own * (1.0 - own)) - spread
        found[:arms, arms] = found[arms, :arms] = -(number * skew * ties).sum(axis=1)
        found[arms, arms] = np.triu(number * ties * (1.0 - ties), 1).sum() + _ACCURATE
        return np.asarray(found[: self.size, : self.size])

    @staticmethod
    def _own(theta: FloatArray) -> FloatArray:
        """The probability to win against the arm of strength 0."""
        return np.asarray(1.0 / (1.0 + np.exp(-theta)))

    @staticmethod
    def _shares(theta: FloatArray, eta: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Of each pair: half the lead of the row's arm, ties, and what is no tie."""
        roots = np.exp(theta / 2.0)
        half = roots[:, None] / roots
        total = half + half.T + np.exp(eta)
        wins, ties = half / total, np.exp(eta) / total
        return (wins - wins.T) / 2.0, ties, wins + wins.T
