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

**Who becomes a candidate.** Only the divergences of the two arms that meet change, and that of m(l)
cannot fall: l is not ahead of m(l), which so owes nothing to l, or m(l) is :math:`i^*`, which is
always in one of the lists. Hence an arm in neither list becomes a candidate only when
:math:`I_{i^*} + \ln t + f(K)` has grown to its divergence, and until it has grown to the least of
these, none of them is looked at.

**Stretches** of rounds known in advance are one query a pair. Let :math:`\hat O_{i^*} = \emptyset`,
so that :math:`I_{i^*} = 0`.

- The list is :math:`i^*` alone. It meets itself, and nothing happens until another arm is a
  candidate, :math:`\ln t \ge \min_{i \ne i^*} I_i - f(K)`.
- The list is :math:`i^*` and an arm l with :math:`m_{l i^*} < 0` and without a rival in
  :math:`\hat O_l` but :math:`i^*`. Both meet :math:`i^*`, so one pair is duelled. While n duels of
  it cannot end its lead, :math:`n < -m_{l i^*}`, no set :math:`\hat O` changes, and :math:`I_l`
  alone moves. It stays positive, so :math:`i^*` stays; it is largest after n losses, because a loss
  adds to the greatest log likelihood ratio against ½ at least as much as to that of the estimate
  before. If l is still a candidate then, by the logarithm of the round now, and none of the other
  arms is one by that of the last round, the next n lists are this one, whatever the outcomes.
  Such a stretch is at most a 64th of the rounds so far, so that regret noted in between is near
  that of single rounds, and fits into the horizon, where that is known.
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

_SHARE = 64  # a stretch is at most the rounds so far divided by this
_FEWEST, _MOST = 8, 2**16  # duels of a pair in one query
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
    horizon: Rounds | None = None,
    f: NonNegative | None = None,
) -> Generator[Duel | Batch, Any, int]:
    """Play near the Condorcet winner by duels; asymptotically optimal up to a constant factor.

    Parameters
    ----------
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
    slack = default_slack(arms) if f is None else f
    return (
        yield from minimum_divergence(
            arms, slack=slack, draws=1, horizon=horizon, choose_rivals=lambda _: range(arms)
        )
    )


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


def minimum_divergence(
    arms: int,
    *,
    slack: float,
    draws: int,
    horizon: int | None,
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
        lists = CandidateLists(arms)
        listed = lists.listed
        while True:
            if len(lists.current) <= 2:
                t += yield from stretch(state, lists, rivals, t, slack, horizon)
            for arm in lists.current:
                other = opponent(arm, t)
                won = yield ask(arm, other)
                if arm != other:
                    state.count(arm, other, won)
                limit = values[state.best] + (log(t) + slack)
                if values[arm] <= limit:
                    lists.following.append(arm)
                else:
                    listed[arm] = False
                    lists.nearest = min(lists.nearest, values[arm])
                if lists.nearest <= limit:
                    lists.admit(values, limit)
                t += 1
            lists.turn()
    except HorizonReached:
        return state.best


class CandidateLists:
    """The current list and the next one; arms of the current list ascend."""

    def __init__(self, arms: int) -> None:
        self.current = list(range(arms))
        self.following: list[int] = []
        # Whether an arm is still to come in the current list, or in the next one.
        self.listed = [True] * arms
        # A lower bound on the divergences of other arms, above the limit of candidates.
        self.nearest = math.inf

    def turn(self) -> None:
        """Begin with the next list."""
        self.following.sort()
        self.current, self.following = self.following, []

    def admit(self, values: list[float], limit: float) -> None:
        """Put every arm with a divergence of at most the limit on the next list."""
        self.nearest = math.inf
        for arm, listed in enumerate(self.listed):
            if not listed:
                if values[arm] <= limit:
                    self.listed[arm] = True
                    self.following.append(arm)
                elif values[arm] < self.nearest:
                    self.nearest = values[arm]


def opponent_rule(state: Divergences, rivals: Sequence[int]) -> Callable[[int, int], int]:
    """The function m(l), of the arm and the round."""

    def opponent(arm: int, t: int) -> int:
        rival, best, margins = rivals[arm], state.best, state.margins[arm]
        if margins[rival] <= 0 and arm != best != rival:
            draws = state.draws[arm]
            if draws[best] * log_log(t) >= draws[rival]:
                return rival
        if margins[best] <= 0 or not state.superiors[arm]:
            return best
        estimates = state.estimates[arm]
        return estimates.index(min(estimates))

    return opponent


def stretch(
    state: Divergences,
    lists: CandidateLists,
    rivals: Sequence[int],
    t: int,
    slack: float,
    horizon: int | None,
) -> Generator[Duel, int, int]:
    """Play the lists that are sure to be this one from round t on; how many rounds that took."""
    best, current = state.best, lists.current
    if best not in current or state.superiors[best]:
        return 0
    if len(current) == 1:
        others = state.values.copy()
        del others[best]
        times = first_reaching(min(others) - slack) - t
    else:
        times = _safe_duels(state, lists, rivals, t, slack, horizon)
    if times <= 0:
        return 0
    for arm in current:
        won = yield Duel(arm, best, times)
        if arm != best:
            state.count(arm, best, won, times)
    return len(current) * times


def _safe_duels(
    state: Divergences,
    lists: CandidateLists,
    rivals: Sequence[int],
    t: int,
    slack: float,
    horizon: int | None,
) -> int:
    """How often i* and the other arm of the list may meet i* in one query; 0 where too seldom."""
    best = state.best
    arm = sum(lists.current) - best
    rival, margins = rivals[arm], state.margins[arm]
    if margins[rival] <= 0 and rival != best:
        return 0
    most = min(-margins[best] - 1, t // (2 * _SHARE), _MOST)
    if horizon is not None:
        most = min(most, (horizon - t + 1) // 2)
    safe, duels, limit = 0, _FEWEST, math.log(t) + slack
    while (
        safe < duels <= most
        and state.if_lost(arm, duels) <= limit
        and math.log(t + 2 * duels) + slack < lists.nearest
    ):
        safe, duels = duels, min(2 * duels, most)
    return safe


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
        self.superiors = [arms - 1] * arms  # how many arms are in O_i
        self.values = [0.0] * arms  # I_i
        self.best = 0  # i*
        self._terms = [[0.0] * arms for _ in everyone]

    def count(self, i: int, j: int, won: int, times: int = 1) -> None:
        """Count duels of two different arms, of which i won ``won``."""
        of_i, of_j = self.margins[i], self.margins[j]
        before = of_i[j]
        of_i[j] = margin = before + 2 * won - times
        of_j[i] = -margin
        self.draws[i][j] = self.draws[j][i] = draws = self.draws[i][j] + times
        self.estimates[i][j] = (draws + margin) / (2 * draws)
        self.estimates[j][i] = (draws - margin) / (2 * draws)
        loser, winner = (i, j) if margin < 0 else (j, i)
        terms, values = self._terms[loser], self.values
        term = pair_divergence(draws, margin)
        values[loser] = value = values[loser] + (term - terms[winner])
        terms[winner] = term
        if margin * before <= 0:
            self._change_sides(winner, loser, abs(margin), before if winner == i else -before)
        elif loser == self.best or value <= values[self.best]:
            self.best = values.index(min(values))

    def if_lost(self, arm: int, duels: int) -> float:
        """I of an arm that i* leads against, should it lose so many duels more against i*."""
        best = self.best
        draws, margin = self.draws[arm][best], self.margins[arm][best]
        term = pair_divergence(draws + duels, margin - duels)
        return self.values[arm] - self._terms[arm][best] + term

    def _change_sides(self, winner: int, loser: int, lead: int, before: int) -> None:
        """Take note that the margin of a pair has left, reached or passed 0."""
        terms, values = self._terms[winner], self.values
        if terms[loser]:
            terms[loser] = 0.0
            values[winner] = math.fsum(terms)
        self.superiors[winner] += (lead <= 0) - (before <= 0)
        self.superiors[loser] += (lead >= 0) - (before >= 0)
        self.best = values.index(min(values))


def pair_divergence(draws: int, margin: int) -> float:
    r"""``draws`` times :math:`d_{KL}(\hat\mu, \frac12)`, in nats, as a multiple of 2^-40."""
    return draws * bernoulli_divergence(margin / draws) + _COARSE - _COARSE
