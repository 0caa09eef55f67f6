"""What an answer before its time is worth, in words."""

from __future__ import annotations

import math


def loss_in_words(loss: float, epsilon: float, scale: float) -> str:
    """What is proved by then.

    Parameters
    ----------
    loss : float
        By how much another set may be better; infinite where nothing is proved.
    epsilon : float
        By how much one may be.
    scale : float
        The unit of both.
    """
    if math.isinf(loss):
        return "nothing is proved of the answer by then"
    return (
        f"by then it is proved that no set is better by more than {loss * scale:.2g}, "
        f"not {epsilon * scale:g}"
    )
