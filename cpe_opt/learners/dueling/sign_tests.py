r"""When duels decide a pair: the lead that settles the sign of p − ½.

A pair is decided at its n-th duel when :math:`|\hat p - \frac12| > \sqrt{\ln(\eta(n)/\delta) / 2n}`
(Hoeffding), that is, when one arm leads by more than :math:`\sqrt{2 n \ln(\eta(n)/\delta)}` duels.
A lead grows by at most one a duel, so the first duel that could decide a pair is known in advance.
"""

from __future__ import annotations

import math
from collections.abc import Callable

LeadNeeded = Callable[[int], float]


def at_any_time(delta: float) -> LeadNeeded:
    r"""The lead that errs with probability at most ``delta`` over all n.

    :math:`\eta(n) = \pi^2 n^2 / 3`: :math:`3\delta / \pi^2 n^2` a side at the n-th duel, which
    adds up to delta.
    """
    return lambda n: math.sqrt(2 * n * (math.log(math.pi**2 * n**2 / 3) - math.log(delta)))


def up_to(max_duels: int, delta: float) -> LeadNeeded:
    r"""The lead that errs with probability at most ``delta`` over the first ``max_duels`` duels.

    :math:`\eta = 2 \cdot` most.
    """
    log = math.log(2 * max_duels) - math.log(delta)
    return lambda n: math.sqrt(2 * n * log)


def duels_to_a_sign(draws: int, lead: int, needed: LeadNeeded) -> int:
    """The fewest duels more after which the pair could be decided."""
    times = 1
    # The lead needed grows with the draws: whatever it exceeds the lead by is missing for certain.
    while lead + times <= (threshold := needed(draws + times)):
        times = max(times + 1, math.floor(threshold) + 1 - lead)
    return times
