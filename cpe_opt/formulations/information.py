r"""How much a right answer tells: the divergence of two coins.

An algorithm that errs with probability at most :math:`\delta` at either of two instances observes,
on average, at least

.. math:: \mathrm{kl}(\delta, 1-\delta) = (1 - 2\delta) \ln\frac{1-\delta}{\delta}

nats that tell the one from the other, about :math:`\ln(1/\delta)`.

Kaufmann, Cappé, Garivier, "On the complexity of best-arm identification in multi-armed bandit
models", JMLR 17, 2016.
"""

from __future__ import annotations

import math

from cpe_opt.validation import checked_probability

REPORTED = (0.1, 0.05, 0.01)
"""The probabilities of an error that answers report the cost of."""


def confidence_information(delta: float) -> float:
    """``kl(delta, 1 - delta)``, 0 from ½ on: how much a right answer tells in nats."""
    if delta >= 0.5:
        return 0.0
    return (1.0 - 2.0 * delta) * (math.log1p(-delta) - math.log(delta))


def cost_of_confidence(time: float, delta: float) -> float:
    """T* kl(delta, 1 - delta), from ½ on 0, even where T* is infinite.

    Parameters
    ----------
    time : float
        T*.
    delta : float
        The probability of an error, between 0 and 1.

    Raises
    ------
    InputError

    Examples
    --------
    >>> round(cost_of_confidence(100.0, 0.05), 1), cost_of_confidence(math.inf, 0.5)
    (265.0, 0.0)
    """
    information = confidence_information(checked_probability("delta", delta))
    return time * information if information > 0.0 else 0.0
