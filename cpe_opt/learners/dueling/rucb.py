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

A uniform number of the learner's stream decides each of these choices, and each tie.

Idle stretches: d = c where every other arm's interval against c lies below ½. Then c is the only
candidate, since it has beaten all others, and meets itself until the first t at which some interval
reaches ½ again. (An interval rules out ½ while :math:`\alpha \ln t < N(\hat p - \frac12)^2`.)
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.intervals import DuelIntervals, Uniforms
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import AboveHalf, Arms


@declare(
    family="dueling",
    goal="regret",
    guarantee="with a Condorcet winner, expected regret O(K ln T) for alpha > 1",
    paper="Zoghi, Whiteson, Munos, de Rijke (ICML 2014), Algorithm 1",
    endless=True,
)
def rucb(
    arms: Arms, *, rng: np.random.Generator, alpha: AboveHalf = 0.51
) -> Generator[Duel, int, int]:
    """Play near the Condorcet winner by duels, optimistically.

    Parameters
    ----------
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
    uniforms = Uniforms(rng)
    intervals = DuelIntervals(arms, alpha, uniforms)
    advance, add, strongest = intervals.advance, intervals.add, intervals.strongest_against
    duels = [[Duel(c, d) for d in range(arms)] for c in range(arms)]
    favourite: int | None = None
    others: Sequence[int] = range(arms)
    single, changes = False, intervals.changes
    t = 1
    try:
        while True:
            advance(t)
            if changes != intervals.changes:
                changes, candidates = intervals.changes, intervals.unbeaten
                single = len(candidates) == 1
                if single:
                    favourite = candidates[0]
                elif favourite not in candidates:
                    favourite = None
                others = [arm for arm in candidates or range(arms) if arm != favourite]
            if favourite is not None and (single or uniforms.next() < 0.5):
                c = favourite
            else:
                c = others[uniforms.below(len(others))]
            d = strongest(c)
            if c == d:
                rounds = intervals.valid_until() - t
                yield Duel(c, c, rounds)
                t += rounds
            else:
                add(c, d, (yield duels[c][d]))
                t += 1
    except HorizonReached:
        losses = intervals.losses
        return losses.index(min(losses)) if favourite is None else favourite
