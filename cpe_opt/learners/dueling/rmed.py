r"""RMED: relative minimum empirical divergence, for problems with a Condorcet winner.

With :math:`N_{ij}` duels of a pair, its margin :math:`m_{ij}`, the wins of i less those of j, and
:math:`\hat\mu_{ij} = \frac12 (1 + m_{ij} / N_{ij})`, the arms that may beat i and its empirical
divergence are

.. math:: \hat O_i = \{j \ne i : m_{ij} \le 0\} , \qquad
          I_i = \sum_{j \in \hat O_i} N_{ij} \, d_{KL}(\hat\mu_{ij}, \tfrac12) ,

and :math:`i^*` is the first arm with the least of them. Arm i is a candidate at round t if
:math:`I_i - I_{i^*} \le \ln t + f(K)`. After L duels of every pair, the arms l of the current list,
all of them at first, are drawn in order, each against an opponent m(l):

- its rival :math:`b_l`, if it has one, while :math:`b_l \in \hat O_l` and
  :math:`N_{l i^*} \ge N_{l b_l} / \ln\ln t` (never while :math:`\ln\ln t \le 0`);
- else :math:`i^*` where :math:`i^* \in \hat O_l` or :math:`\hat O_l = \emptyset`;
- else the arm with the least :math:`\hat\mu_{lj}`.

After each round every candidate that is not still to come in the current list joins the next one.
Ties go to the arm with the smallest number. Where there is no Condorcet winner the algorithms have
linear regret: their theory does not cover that.

**RMED1** begins with one duel of every pair, and no arm has a rival.

**RMED2FH** knows the horizon T and begins with :math:`L = \lceil \alpha \ln\ln T \rceil` duels of
every pair. Then every arm i gets a fixed rival, the cheapest arm to show that i is not the winner,

.. math:: b_i = \arg\min_{j \ne i}
    \frac{\hat\Delta_{i^* i} + \hat\Delta_{i^* j}}{d^+(\hat\mu_{ij}, \tfrac12)} ,
    \qquad \hat\Delta_{ij} = \hat\mu_{ij} - \tfrac12 ,

with :math:`d^+(p, q) = d_{KL}(p, q)` where p < q, else 0, and x/0 = ∞. Our reading: an arm that no
arm seems to beat has the rival :math:`i^*`; :math:`i^*` itself has none; :math:`L \ge 1`. The
sum of regrets is taken as it is, also where the estimates make it negative, and rivals stay when
another arm becomes :math:`i^*`.

**Who becomes a candidate.** Of the divergences only those of the two arms that meet change, and
that of m(l) cannot fall: l is not ahead of m(l), which so owes nothing to l, or m(l) is
:math:`i^*`, which is in one of the lists. So the arms in neither list are looked at when
:math:`I_{i^*} + \ln t + f(K)` has grown to the least of their divergences.

**Idle stretches.** Where the list is :math:`i^*` alone and :math:`\hat O_{i^*} = \emptyset`, so
that :math:`I_{i^*} = 0`, it meets itself, and nothing happens until another arm is a candidate,
:math:`\ln t \ge \min_{i \ne i^*} I_i - f(K)`: one query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import bernoulli_divergence
from cpe_opt.learners.dueling.intervals import first_reaching
from cpe_opt.learners.queries import HorizonReached, ask_all
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import Arms, NonNegative, Positive, Rounds

_COARSE = 1.5 * 2.0**12  # a number next to it is a multiple of 2^-40


@declare(
    family="dueling",
    goal="regret",
    guarantee="with a Condorcet winner, the least regret possible, up to a constant factor",
    paper="Komiyama, Honda, Kashima, Nakagawa (COLT 2015), Algorithms 1 and 2",
    endless=True,
    batches="all pairs before the first round; then one query at a time",
)
def rmed1(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    f: NonNegative | None = None,
) -> Generator[Duel | Batch, Any, int]:
    """Play near the Condorcet winner by duels; asymptotically optimal up to a constant factor.

    Parameters
    ----------
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
    slack = default_slack(arms) if f is None else f
    return (yield from minimum_divergence(arms, slack, 1, lambda _: range(arms)))


@declare(
    family="dueling",
    goal="regret",
    guarantee="with a Condorcet winner, the least regret possible, asymptotically",
    paper="Komiyama, Honda, Kashima, Nakagawa (COLT 2015), Algorithms 1 and 3",
    endless=True,
    batches="all pairs before the first round; then one query at a time",
)
def rmed2fh(
    arms: Arms,
    *,
    horizon: Rounds,
    rng: np.random.Generator | None = None,
    alpha: Positive = 3.0,
    f: NonNegative | None = None,
) -> Generator[Duel | Batch, Any, int]:
    """Play near the Condorcet winner by duels, with the asymptotically optimal regret.

    Parameters
    ----------
    f
        As for :func:`rmed1`.
    horizon : int
        T, the rounds there will be.
    alpha : float
        Duels of every pair at the start, in units of ln ln T.

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
    slack = default_slack(arms) if f is None else f
    draws = max(1, math.ceil(alpha * log_log(horizon)))
    return (
        yield from minimum_divergence(
            arms, slack, draws, lambda state: [rival(state, arm) for arm in range(arms)]
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


def minimum_divergence(
    arms: int,
    slack: float,
    draws: int,
    choose_rivals: Callable[[Divergences], Sequence[int]],
) -> Generator[Duel | Batch, Any, int]:
    """The loop of RMED1 and RMED2FH: play candidates against their opponents; returns i*.

    ``slack`` is f(K), ``draws`` is L. ``choose_rivals`` is called after the first L duels of every
    pair, and returns the rival of each arm, itself where it has none.
    """
    state = Divergences(arms)
    values, log, ask = state.values, math.log, cache(Duel)
    try:
        pairs = draws * list(combinations(range(arms), 2))
        wins = yield from ask_all([ask(i, j) for i, j in pairs])
        for (i, j), won in zip(pairs, wins, strict=True):
            state.count(i, j, won)
        t = draws * arms * (arms - 1) // 2 + 1
        rivals = choose_rivals(state)
        opponent = opponent_rule(state, rivals)
        # An arm is listed while it is still to come in the current list, or in the next one.
        current, following, listed = list(range(arms)), list[int](), [True] * arms
        nearest = math.inf  # no more than the least divergence of an arm that is not listed
        while True:
            best = state.best
            if current == [best] and min(state.margins[best]) > 0:
                others = values[:best] + values[best + 1 :]
                idle = first_reaching(min(others) - slack) - t
                if idle > 0:
                    yield Duel(best, best, idle)
                    t += idle
            for arm in current:
                other = opponent(arm, t)
                won = yield ask(arm, other)
                if arm != other:
                    state.count(arm, other, won)
                limit = values[state.best] + (log(t) + slack)
                if values[arm] <= limit:
                    following.append(arm)
                else:
                    listed[arm] = False
                    nearest = min(nearest, values[arm])
                if nearest <= limit:
                    unlisted = [each for each in range(arms) if not listed[each]]
                    for candidate in (each for each in unlisted if values[each] <= limit):
                        listed[candidate] = True
                        following.append(candidate)
                    later = (values[each] for each in unlisted if not listed[each])
                    nearest = min(later, default=math.inf)
                t += 1
            current, following = sorted(following), []
    except HorizonReached:
        return state.best


def opponent_rule(state: Divergences, rivals: Sequence[int]) -> Callable[[int, int], int]:
    """The function m(l), of the arm and the round."""

    def opponent(arm: int, t: int) -> int:
        rival, best, margins = rivals[arm], state.best, state.margins[arm]
        if margins[rival] <= 0 and arm != best != rival:
            draws = state.draws[arm]
            if draws[best] * log_log(t) >= draws[rival]:
                return rival
        if margins[best] <= 0 or min(margins) > 0:
            return best
        estimates = state.estimates[arm]
        return estimates.index(min(estimates))

    return opponent


def default_slack(arms: int) -> float:
    """f(K) = 0.3 K^1.01, as in the paper's experiments."""
    return float(0.3 * arms**1.01)


def log_log(t: int) -> float:
    """Ln ln t, at least 0."""
    return max(0.0, math.log(max(1.0, math.log(t))))


class Divergences:
    """Duels of K arms, and what they say against each, kept up to date duel by duel.

    A duel changes one term of a sum, or two. Terms are rounded to multiples of 2^-40 (those above
    2^11, to 53 bits), so sums and differences of them below 2^13 are exact: arms with the same
    record have the same divergence, in whatever order it came about. A larger sum is rounded once a
    duel, by 2^-53 of it, alike on every machine, as it is made by additions of rounded terms alone.
    """

    def __init__(self, arms: int) -> None:
        everyone = range(arms)
        self.draws = [[0] * arms for _ in everyone]  # N_ij
        # m_ij; 1 on the diagonal, as no arm is its own superior
        self.margins = [[int(i == j) for j in everyone] for i in everyone]
        # the fraction of duels that i won against j; infinite on the diagonal
        self.estimates = [[math.inf if i == j else 0.5 for j in everyone] for i in everyone]
        self.values = [0.0] * arms  # I_i
        self.best = 0  # i*
        self._terms = [[0.0] * arms for _ in everyone]

    def count(self, i: int, j: int, won: int, times: int = 1) -> None:
        """Count duels of two different arms, of which i won ``won``."""
        margin = self.margins[i][j] + 2 * won - times
        draws = self.draws[i][j] + times
        term = pair_divergence(draws, margin)
        for arm, other, ahead in ((i, j, margin), (j, i, -margin)):
            self.margins[arm][other], self.draws[arm][other] = ahead, draws
            self.estimates[arm][other] = (draws + ahead) / (2 * draws)
            terms = self._terms[arm]
            before, terms[other] = terms[other], term if ahead < 0 else 0.0
            if ahead < 0:
                self.values[arm] += term - before
            elif before:
                self.values[arm] = math.fsum(terms)
        self.best = self.values.index(min(self.values))


def pair_divergence(draws: int, margin: int) -> float:
    r"""``draws`` times :math:`d_{KL}(\hat\mu, \frac12)`, in nats, as a multiple of 2^-40."""
    return draws * bernoulli_divergence(margin / draws) + _COARSE - _COARSE
