r"""PDO: double Thompson sampling with a fixed number of duels, as in the Prompt Duel Optimizer.

With wins :math:`w_{ij}` and :math:`N_{ij}` duels, :math:`u_{ij}, l_{ij} = w_{ij}/N_{ij} \pm
\sqrt{\alpha \ln t / N_{ij}}` (1 and 0 where a pair never met), t being one more than the pairs
chosen in earlier rounds, and at least 2. A round chooses ``pairs`` pairs, all by the duels of
earlier rounds, and duels each ``times`` times:

1. Candidates are the arms with the largest :math:`|\{j \ne i : u_{ij} > \frac12\}|`. Of every pair
   i < j, :math:`\theta_{ij} = 1 - \theta_{ji} \sim \text{Beta}(w_{ij} + 1, w_{ji} + 1)`. The first
   arm is a candidate with the largest :math:`|\{j \ne i : \theta_{ij} > \frac12\}|`, ties broken at
   random.
2. Of every other arm once more :math:`\theta'_k \sim \text{Beta}(w_{kc} + 1, w_{ck} + 1)` against
   the first arm c. The second has the largest :math:`\theta'` of those with :math:`l_{kc} \le
   \frac12`, or of all others if there is none.

The pairs of the first round are drawn at random. The answer has the largest difference of arms led
and arms that lead it; of several the one with the largest mean share of wins against the arms that
it met, and of these the first.

**What it is read from.** The authors' program (``sample_duel_pair`` and ``copeland_ranking`` of
prompt-ops), not the paper's text. As there, and other than in Wu, Liu (NIPS 2016)
(:mod:`cpe_opt.learners.dueling.double_thompson`), an arm never meets itself, and t counts pairs.

**What is left out.** Prompts are neither generated nor dropped in between: the arms are fixed. The
program has 3 pairs a round, each on 50 questions, by default, and 25 pairs on one question each in
its examples; the latter are the defaults here. The last round has what is left of the budget.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, Unproved, ask_all
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.ties import first_largest
from cpe_opt.validation import Arms, Positive, PositiveInt, Rounds

_DOUBT = "a fixed number of duels proves nothing by itself"


@declare(
    family="dueling",
    goal="identification",
    guarantee="none: it spends its budget",
    paper="Wu, Verma, Lee et al. (arXiv 2510.13907)",
    batches="the pairs of a round",
    winner="Copeland",
)
def pdo(
    arms: Arms,
    *,
    rng: np.random.Generator,
    budget: Rounds,
    alpha: Positive = 1.2,
    pairs: PositiveInt = 25,
    times: PositiveInt = 1,
) -> Generator[Duel | Batch, int, Unproved]:
    """Look for a Copeland winner by a given number of duels, chosen by samples drawn twice.

    Parameters
    ----------
    budget : int
        How many duels there are; all of them are made.
    alpha : float
        Width of the confidence intervals that rule arms out, above 0.
    pairs, times : int
        How many pairs a round chooses, and how often it duels each.

    Returns
    -------
    int
        The first arm by Copeland scores, ties by the mean share of wins.

    References
    ----------
    Wu et al., "LLM Prompt Duel Optimizer: Efficient Label-Free Prompt Optimization",
    arXiv 2510.13907, 2025.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("pdo", mu, budget=500, seed=0)
    >>> trace.answer, trace.samples
    (0, 500)
    """
    wins, chosen, left = np.zeros((arms, arms)), 1, budget
    try:
        while left:
            queries = []
            for _ in range(pairs):
                if left:
                    i, j = _pair(wins, alpha * math.log(max(chosen, 2)), rng)
                    queries.append(Duel(i, j, min(times, left)))
                    left -= queries[-1].times
            chosen += len(queries)
            observed = yield from ask_all(queries)
            for duel, won in zip(queries, observed, strict=True):
                wins[duel.i, duel.j] += won
                wins[duel.j, duel.i] += duel.times - won
    except HorizonReached:
        pass
    return Unproved(_first_of_ranking(wins), _DOUBT)


def _pair(wins: FloatArray, width: float, rng: np.random.Generator) -> tuple[int, int]:
    """The next pair; ``width`` is alpha ln t."""
    arms, draws = len(wins), wins + wins.T
    if not draws.any():
        i, j = rng.permutation(arms)[:2].tolist()
        return i, j
    # Of pairs that never met the ends are far away, and those of an arm and itself at 1/2.
    share = np.divide(wins, draws, out=np.full(wins.shape, 0.5), where=draws > 0.0)
    half = np.sqrt(np.divide(width, draws, out=np.full(wins.shape, np.inf), where=draws > 0.0))
    np.fill_diagonal(half, 0.0)
    above = (share + half > 0.5).sum(axis=1)
    one = rng.standard_gamma(wins + 1.0)
    theta = one / (one + one.T)
    scores = np.where(above == above.max(), (theta > 0.5).sum(axis=1), -1)
    first = _any(scores == scores.max(), rng)
    one, other = rng.standard_gamma(np.stack([wins[:, first], wins[first]]) + 1.0)
    open_ = share[:, first] - half[:, first] <= 0.5
    open_[first] = False
    if not open_.any():
        open_ = np.arange(arms) != first
    samples = np.where(open_, one / (one + other), -1.0)
    return first, _any(samples == samples.max(), rng)


def _any(members: FloatArray, rng: np.random.Generator) -> int:
    """One of these at random; the only one without a draw."""
    found = np.flatnonzero(members)
    return int(found[0] if len(found) == 1 else found[int(len(found) * rng.random())])


def _first_of_ranking(wins: FloatArray) -> int:
    """By arms led less arms that lead, then by the mean share of wins against arms met."""
    draws = wins + wins.T
    scores = (wins > wins.T).sum(axis=1) - (wins < wins.T).sum(axis=1)
    share = np.divide(wins, draws, out=np.zeros_like(wins), where=draws > 0.0)
    mean = share.sum(axis=1) / np.maximum(1, (draws > 0.0).sum(axis=1))
    return int(first_largest(np.where(scores == scores.max(), mean, -1.0)))
