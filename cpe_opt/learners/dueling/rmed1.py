r"""RMED1: relative minimum empirical divergence for problems with a Condorcet winner.

The loop of :mod:`cpe_opt.learners.dueling.min_divergence` after one duel of every pair, in which no
arm has a rival: a candidate l meets :math:`i^*` where :math:`i^* \in \hat O_l` or
:math:`\hat O_l = \emptyset`, else the arm with the least :math:`\hat\mu_{lj}`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.min_divergence import default_slack, minimum_divergence
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import checked_count, checked_number, checked_rounds


@declare(
    family="dueling",
    goal="regret",
    guarantee="with a Condorcet winner, the least regret possible, up to a constant factor",
    paper="Komiyama, Honda, Kashima, Nakagawa (COLT 2015), Algorithms 1 and 2",
    endless=True,
    batches="all pairs before the first round; then one query at a time",
)
def rmed1(
    arms: int,
    *,
    rng: np.random.Generator | None = None,
    horizon: int | None = None,
    f: float | None = None,
) -> Generator[Duel | Batch, Any, int]:
    """Play near the Condorcet winner by duels; asymptotically optimal up to a constant factor.

    Parameters
    ----------
    arms : int
        K, at least 2.
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    horizon : int, optional
        T, the rounds there will be: queries of several duels fit into it. It changes no duel.
    f : float, optional
        f(K), 0.3 K^1.01 by default, as in the paper's experiments.

    Returns
    -------
    int
        The arm with the least empirical divergence when the horizon is reached.

    References
    ----------
    Komiyama, Honda, Kashima, Nakagawa, "Regret Lower Bound and Optimal Algorithm in Dueling Bandit
    Problem", COLT 2015, Algorithms 1 and 2.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("rmed1", mu, horizon=10**5, seed=0)
    >>> trace.answer
    0
    """
    checked_count("arms", arms, least=2)
    if horizon is not None:
        checked_rounds("horizon", horizon)
    slack = default_slack(arms) if f is None else checked_number("f", f, least=0.0)
    return (
        yield from minimum_divergence(
            arms,
            slack=slack,
            draws=1,
            horizon=horizon,
            choose_rivals=lambda _: range(arms),
        )
    )
