"""Rounds at which a logarithm passes a threshold: where idle stretches end, to the round."""

from __future__ import annotations

import math
from collections.abc import Callable

FOREVER = 2**62
_LOG_OF_FOREVER = 42


def first_above(increasing: Callable[[int], float], threshold: float, log_guess: float) -> int:
    """The first integer s with ``increasing(s) > threshold``, at most FOREVER.

    ``exp(log_guess)`` is near it.
    """
    if log_guess > _LOG_OF_FOREVER:
        return FOREVER
    s = max(1, int(math.exp(log_guess)) - 1)
    while increasing(s) <= threshold:
        s += 1
    while s > 1 and increasing(s - 1) > threshold:
        s -= 1
    return s


def first_reaching(threshold: float) -> int:
    """The first round s with ``ln s >= threshold``, at most FOREVER."""
    s = first_above(math.log, threshold, threshold)
    return s - 1 if s > 1 and math.log(s - 1) == threshold else s
