r"""Relative minimum empirical divergence: the loop that RMED1 and RMED2FH share.

With the empirical divergences :math:`I_i` of :mod:`cpe_opt.learners.dueling.divergences`, of which
:math:`i^*` has the least, arm i is a candidate at round t if
:math:`I_i - I_{i^*} \le \ln t + f(K)`. After L duels of every pair, the arms l of the current list,
all of them at first, are drawn in order, each against an opponent m(l):

- its rival :math:`b_l`, if it has one, while :math:`b_l \in \hat O_l` and
  :math:`N_{l i^*} \ge N_{l b_l} / \ln\ln t` (never while :math:`\ln\ln t \le 0`);
- else :math:`i^*` where :math:`i^* \in \hat O_l` or :math:`\hat O_l = \emptyset`;
- else the arm with the least :math:`\hat\mu_{lj}`.

After each round every candidate that is not still to come in the current list joins the next one.
Ties go to the arm with the smallest number. Where there is no Condorcet winner the algorithms have
linear regret: their theory does not cover that.

Only the divergences of the two arms that meet change, and that of m(l) cannot fall: l is not ahead
of m(l), which so owes nothing to l, or m(l) is :math:`i^*`, which is always in one of the lists.
Hence an arm in neither list becomes a candidate only when :math:`I_{i^*} + \ln t + f(K)` has grown
to its divergence, and until it has grown to the least of these, none of them is looked at.

Stretches of rounds known in advance are one query a pair. Let :math:`\hat O_{i^*} = \emptyset`, so
that :math:`I_{i^*} = 0`.

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

from cpe_opt.learners.dueling.crossing_times import first_reaching
from cpe_opt.learners.dueling.divergences import Divergences
from cpe_opt.learners.queries import HorizonReached, ask_all
from cpe_opt.problems.queries import Batch, Duel

_SHARE = 64
_FEWEST, _MOST = 8, 2**16  # duels of a pair in one query


def minimum_divergence(
    arms: int,
    *,
    slack: float,
    draws: int,
    horizon: int | None,
    choose_rivals: Callable[[Divergences], Sequence[int]],
) -> Generator[Duel | Batch, Any, int]:
    """Play candidates against their opponents.

    Parameters
    ----------
    arms : int
        K.
    slack : float
        f(K).
    draws : int
        L, duels of every pair before anything else.
    horizon : int, optional
        The rounds there will be, where they are known.
    choose_rivals : callable
        Called once after these duels; returns the rival of every arm, itself where it has none.

    Returns
    -------
    int
        i* when the horizon is reached.
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
        opponent = opponents(state, rivals)
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
    """The current list and the next one.

    Attributes
    ----------
    current, following : list of int
        Their arms; those of the current list ascend.
    listed : list of bool, one for each arm
        Whether it is still to come in the current list, or in the next one.
    nearest : float
        A lower bound of the divergences of the arms that are not listed; above the limit of
        candidates in every round.
    """

    def __init__(self, arms: int) -> None:
        self.current = list(range(arms))
        self.following: list[int] = []
        self.listed = [True] * arms
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


def opponents(state: Divergences, rivals: Sequence[int]) -> Callable[[int, int], int]:
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
    """Play the lists from round t on that are sure to be this one of i* and at most one other arm.

    Returns
    -------
    int
        How many rounds that took.
    """
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
