r"""RUCB: relative upper confidence bound for problems with a Condorcet winner.

With wins :math:`w_{ij}` and :math:`N_{ij}` duels, :math:`u_{ij}(t) = w_{ij}/N_{ij} +
\sqrt{\alpha \ln t / N_{ij}}` (2 where a pair never met, ½ on the diagonal). Candidates are the arms
that no interval rules out, :math:`\mathcal C = \{c : u_{cj} \ge \frac12 \;\forall j\}`; a favourite
:math:`\mathcal B`, at most one arm, is the last that was the only candidate and has been one ever
since. Each round:

* c is a random arm where there is no candidate; where there is one only, it is c and becomes the
  favourite; otherwise c is the favourite with probability ½ and any other candidate alike, or any
  candidate alike where there is no favourite;
* d maximises :math:`u_{jc}` over j, ties broken at random and never in favour of c.

Where there is no Condorcet winner the algorithm has linear regret.

Idle stretches: an interval rules out ½ while :math:`\alpha \ln t < N(\hat p - \frac12)^2`. When c
is the only candidate and every other arm's interval against it lies below ½, c meets itself until
the first t at which an interval reaches ½ again.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.intervals import DuelIntervals
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import checked_count, checked_number


@declare(
    family="dueling",
    goal="regret",
    guarantee="with a Condorcet winner, expected regret O(K ln T) for alpha > 1",
    paper="Zoghi, Whiteson, Munos, de Rijke (ICML 2014), Algorithm 1",
    endless=True,
)
def rucb(arms: int, *, rng: np.random.Generator, alpha: float = 0.51) -> Generator[Duel, int, int]:
    """Play near the Condorcet winner by duels, optimistically.

    Parameters
    ----------
    arms : int
        K, at least 2.
    rng : Generator
    alpha : float
        Width of the confidence intervals, above ½; 0.51 in the experiments.

    Returns
    -------
    int
        The favourite, or the first candidate, when the horizon is reached. Where there is no
        candidate, the first arm with the fewest losses. (The paper returns the arm that leads
        against the most others.)

    References
    ----------
    Zoghi, Whiteson, Munos, de Rijke, "Relative Upper Confidence Bound for the K-Armed Dueling
    Bandit Problem", ICML 2014, Algorithm 1.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("rucb", mu, horizon=10**5, seed=0)
    >>> trace.answer
    0
    """
    checked_count("arms", arms, least=2)
    checked_number("alpha", alpha, above=0.5)
    intervals = DuelIntervals(arms, alpha)
    favourite: int | None = None
    t = 1
    try:
        while True:
            intervals.advance(t)
            candidates = intervals.unbeaten
            if favourite is not None and favourite not in candidates:
                favourite = None
            if len(candidates) == 1:
                favourite = candidates[0]
            c = choose_candidate(candidates, favourite, arms, rng)
            d = intervals.strongest_against(c, rng)
            if c == d and len(candidates) == 1:
                rounds = intervals.valid_until() - t
                yield Duel(c, c, rounds)
                t += rounds
                continue
            won = yield Duel(c, d)
            if c != d:
                intervals.add(c, d, won)
            t += 1
    except HorizonReached:
        candidates = intervals.unbeaten
        if favourite is not None:
            return favourite
        return candidates[0] if candidates else intervals.fewest_losses()


def choose_candidate(
    candidates: list[int], favourite: int | None, arms: int, rng: np.random.Generator
) -> int:
    """The paper's distribution over candidates; random only where there is a choice."""
    if not candidates:
        return int(rng.integers(arms))
    if len(candidates) == 1:
        return candidates[0]
    if favourite is None:
        return candidates[int(rng.integers(len(candidates)))]
    if rng.random() < 0.5:
        return favourite
    others = [arm for arm in candidates if arm != favourite]
    return others[int(rng.integers(len(others)))] if len(others) > 1 else others[0]
