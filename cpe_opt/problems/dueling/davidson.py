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
_STEPS, _ACCURATE, _NEAR = 60, 1e-9, 1e-3  # a step this small leaves an error of its square
_LARGEST_STEP = 2.0
_MIDDLE = (0.025, 0.975)
_MANY, _RESAMPLES, _FEW_RESAMPLES = 50, 200, 50
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


def davidson_fit(votes: Votes, *, resamples: int | None = None, seed: int = 0) -> DavidsonFit:
    """Fit the model, and draw logs for its intervals.

    Parameters
    ----------
    votes : Votes
        Of votes in clusters, the mean of a cluster on a pair is one outcome.
    resamples : int, optional
        How many logs to draw, at least 1; by default 200, and of more than 50 arms 50, whose
        intervals vary more from seed to seed: each takes a linear system with a row per arm.
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
    if resamples is None:
        resamples = _RESAMPLES if votes.arms <= _MANY else _FEW_RESAMPLES
    won, tied = _counts(votes)
    theta, nu = _maximum(won, tied, np.zeros(votes.arms), 1.0)
    rng = np.random.default_rng(seed)
    drawn = np.array(
        [_maximum(*_drawn(votes, won, tied, rng), theta, nu, _NEAR)[0] for _ in range(resamples)]
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
    won: FloatArray, tied: FloatArray, theta: FloatArray, nu: float, least: float = _ACCURATE
) -> tuple[FloatArray, float]:
    """The strengths with the mean 0, and nu, by Newton's method from a start."""
    arms = len(won)
    number = won + won.T + tied
    with_ties = bool(tied.any())
    eta = np.log(max(nu, 1e-3)) if with_ties else -np.inf
    lead = (won - won.T) / 2.0
    for _ in range(_STEPS):
        roots = np.exp(theta / 2.0)
        half = roots[:, None] / roots
        total = half + half.T + np.exp(eta)
        wins, ties = half / total, np.exp(eta) / total
        own = 1.0 / (1.0 + np.exp(-theta))
        skew = (wins - wins.T) / 2.0
        gradient = np.append(
            (lead - number * skew).sum(axis=1) + 0.5 - own,
            np.triu(tied - number * ties, 1).sum(),
        )
        spread = number * ((wins + wins.T) / 4.0 - skew**2)
        hessian = np.zeros((arms + 1, arms + 1))
        hessian[:arms, :arms] = np.diag(spread.sum(axis=1) + own * (1.0 - own)) - spread
        hessian[:arms, arms] = hessian[arms, :arms] = -(number * skew * ties).sum(axis=1)
        hessian[arms, arms] = np.triu(number * ties * (1.0 - ties), 1).sum() + _ACCURATE
        size = arms + with_ties
        step = np.linalg.solve(hessian[:size, :size], gradient[:size])
        step *= min(1.0, _LARGEST_STEP / max(float(np.abs(step).max()), _ACCURATE))
        theta = theta + step[:arms]
        eta = eta + step[arms] if with_ties else eta
        if np.abs(step).max() < least:
            break
    return theta - theta.mean(), float(np.exp(eta))
