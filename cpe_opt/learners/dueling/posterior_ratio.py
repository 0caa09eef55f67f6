r"""When duels decide a pair, by the posterior of its chance: PPR of two outcomes.

Of n duels the leader has won w. The uniform prior's density at ½ over the posterior's,

.. math:: \frac{1}{\text{Beta}(\tfrac12; w + 1, n - w + 1)} = 2^n B(w + 1, n - w + 1) ,

is, at the true chance in place of ½, a martingale of mean 1; so all chances at which it stays below
:math:`1/\delta` are a confidence sequence, an interval, for all n at once (Waudby-Smith, Ramdas
2020). The pair is decided for its leader as soon as ½ is outside:

.. math:: n \ln 2 + \ln B(w + 1, n - w + 1) \ge \ln \frac1\delta ,

wrongly with probability at most :math:`\delta` (Jain et al., AISTATS 2022, for two outcomes). A win
of the leader changes the left side by
:math:`\ln \frac{2(w+1)}{n+2} \ge 0`, and it is convex in w: no other outcomes decide a pair sooner
than wins of the leader alone, so the first duel that can decide it is known in advance.
"""

from __future__ import annotations

import math

_LN2 = math.log(2.0)


def log_posterior_ratio(wins: int, losses: int) -> float:
    """The logarithm of the prior's density at ½ over the posterior's.

    Examples
    --------
    >>> round(math.exp(log_posterior_ratio(3, 0)), 9)  # 8 B(4, 1)
    2.0
    """
    draws = wins + losses
    return draws * _LN2 + math.lgamma(wins + 1) + math.lgamma(losses + 1) - math.lgamma(draws + 2)


def duels_to_a_decision(wins: int, losses: int, needed: float) -> int:
    """The fewest duels more, at least 1, after which the ratio could reach e^needed."""
    ahead, behind = max(wins, losses), min(wins, losses)

    def enough(more: int) -> bool:
        return log_posterior_ratio(ahead + more, behind) >= needed

    too_few, times = 0, 1
    while not enough(times):
        too_few, times = times, 2 * times
    while times - too_few > 1:
        middle = (too_few + times) // 2
        if enough(middle):
            times = middle
        else:
            too_few = middle
    return times
