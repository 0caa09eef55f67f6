r"""RMED2FH: RMED for a horizon known beforehand, with the optimal constant.

The loop of :mod:`cpe_opt.learners.dueling.min_divergence` after :math:`L = \lceil \alpha \ln\ln T
\rceil` duels of every pair. Then every arm i gets a fixed rival, the cheapest arm to show that i is
not the winner,

.. math:: b_i = \arg\min_{j \ne i}
    \frac{\hat\Delta_{i^* i} + \hat\Delta_{i^* j}}{d^+(\hat\mu_{ij}, \tfrac12)} ,
    \qquad \hat\Delta_{ij} = \hat\mu_{ij} - \tfrac12 ,

with :math:`d^+(p, q) = d_{KL}(p, q)` where p < q, else 0, and x/0 = ∞. A candidate l meets
:math:`b_l` while :math:`b_l \in \hat O_l` and :math:`N_{l i^*} \ge N_{l b_l} / \ln\ln t`, and
otherwise RMED1's opponent.

Read as follows: an arm whom nobody seems to beat has the rival :math:`i^*`; :math:`i^*` itself has
none; :math:`L \ge 1`, and while :math:`\ln\ln t \le 0` no rival is met. The sum of regrets is taken
as it is, also where the estimates make it negative, and rivals stay when another arm becomes
:math:`i^*`.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.divergences import Divergences
from cpe_opt.learners.dueling.duel_counts import bernoulli_divergence
from cpe_opt.learners.dueling.min_divergence import (
    default_slack,
    log_log,
    minimum_divergence,
)
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import checked_count, checked_number, checked_rounds


@declare(
    family="dueling",
    goal="regret",
    guarantee="with a Condorcet winner, the least regret possible, asymptotically",
    paper="Komiyama, Honda, Kashima, Nakagawa (COLT 2015), Algorithms 1 and 3",
    endless=True,
    batches="all pairs before the first round; then one query at a time",
)
def rmed2fh(
    arms: int,
    *,
    horizon: int,
    rng: np.random.Generator | None = None,
    alpha: float = 3.0,
    f: float | None = None,
) -> Generator[Duel | Batch, Any, int]:
    """Play near the Condorcet winner by duels, with the asymptotically optimal regret.

    Parameters
    ----------
    arms : int
        K, at least 2.
    horizon : int
        T, the rounds there will be.
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    alpha : float
        Duels of every pair at the start, in units of ln ln T.
    f : float, optional
        f(K), 0.3 K^1.01 by default, as in the paper's experiments.

    Returns
    -------
    int
        The arm with the least empirical divergence when the horizon is reached.

    References
    ----------
    Komiyama, Honda, Kashima, Nakagawa, "Regret Lower Bound and Optimal Algorithm in Dueling Bandit
    Problem", COLT 2015, Algorithms 1 and 3.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("rmed2fh", mu, horizon=10**5, seed=0)
    >>> trace.answer
    0
    """
    checked_count("arms", arms, least=2)
    checked_rounds("horizon", horizon)
    checked_number("alpha", alpha, above=0.0)
    slack = default_slack(arms) if f is None else checked_number("f", f, least=0.0)
    return (
        yield from minimum_divergence(
            arms,
            slack=slack,
            draws=max(1, math.ceil(alpha * log_log(horizon))),
            horizon=horizon,
            choose_rivals=lambda state: [rival(state, arm) for arm in range(arms)],
        )
    )


def rival(state: Divergences, arm: int) -> int:
    """b_i: the cheapest arm to show by duels that this one is not the winner."""
    best = state.best
    losing = [j for j, margin in enumerate(state.margins[arm]) if margin < 0]
    if not losing:
        return best
    estimates = [*state.estimates[best]]
    estimates[best] = 0.5

    def cost(j: int) -> float:
        regret = estimates[arm] + estimates[j] - 1.0
        return regret / bernoulli_divergence(state.margins[arm][j] / state.draws[arm][j])

    return min(losing, key=cost)
