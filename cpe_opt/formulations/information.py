r"""How much a right answer tells: the divergence of two coins.

An algorithm that errs with probability at most :math:`\delta` at either of two instances observes,
on average, at least

.. math:: \mathrm{kl}(\delta, 1-\delta) = (1 - 2\delta) \ln\frac{1-\delta}{\delta}

nats that tell the one from the other, about :math:`\ln(1/\delta)`.

**Several right answers.** Let m answers be right at an instance, :math:`T_i` the characteristic
time of the i-th. An algorithm of mean cost E gives the i-th with a probability :math:`p_i` here,
and with at most :math:`\delta` at an instance where it is wrong and that E tells from this one by
at most :math:`E / T_i` nats. So (data processing)

.. math:: E \ge T_i \, \mathrm{kl}(p_i, \delta) \quad \text{where } p_i \ge \delta, \qquad
          \sum_i p_i \ge 1 - \delta ,

and, however the algorithm spreads its answers,

.. math:: E \ge \min_p \max_i T_i \, \mathrm{kl}(\max(p_i, \delta), \delta)
          \ge \min_i T_i \, \mathrm{kl}\bigl(\tfrac{1-\delta}m, \delta\bigr) .

The first bound is computed: a cost c suffices for :math:`p_i` up to the root of
:math:`T_i\,\mathrm{kl}(p, \delta) = c`, and bisection finds the least c at which these roots add up
to :math:`1 - \delta`. With m = 1 it is :math:`T_1 \mathrm{kl}(\delta, 1-\delta)`, where
:math:`m \delta \ge 1 - \delta` it is 0, and for small :math:`\delta` it is about
:math:`\ln(1/\delta) / \sum_i T_i^{-1}`. That is less than :math:`\min_i T_i \ln(1/\delta)`, the
cost of the best algorithms in the limit (Degenne and Koolen, NeurIPS 2019), which is no bound at a
finite :math:`\delta`.

Kaufmann, Cappé, Garivier, "On the complexity of best-arm identification in multi-armed bandit
models", JMLR 17, 2016.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from cpe_opt.validation import ErrorProbability, checked_types

_REPORTED = (0.1, 0.05, 0.01)
_HALVINGS = 100


def confidence_information(delta: float) -> float:
    """``kl(delta, 1 - delta)``, 0 from ½ on: how much a right answer tells in nats."""
    if delta >= 0.5:
        return 0.0
    return (1.0 - 2.0 * delta) * (math.log1p(-delta) - math.log(delta))


@checked_types
def least_cost(times: Iterable[float], delta: ErrorProbability) -> float:
    """The least mean cost of an algorithm that may give any of several right answers."""
    sorted_times = sorted(times)
    if len(sorted_times) * delta >= 1.0 - delta:
        return 0.0
    low, high = 0.0, sorted_times[0] * confidence_information(delta)
    if len(sorted_times) == 1 or high in (0.0, math.inf):
        return high
    for _ in range(_HALVINGS):
        cost = (low + high) / 2.0
        named = sum(_most_often(cost / time, delta) for time in sorted_times)
        low, high = (cost, high) if named < 1.0 - delta else (low, cost)
    return low


@checked_types
def asymptotic_cost(time: float, delta: ErrorProbability) -> float:
    """T* ln(1/delta): the cost in the limit of small probabilities of an error."""
    return -time * math.log(delta)


def reported_costs(
    observations: str, least: Callable[[float], float], asymptotic: Callable[[float], float]
) -> dict[str, dict[str, float]]:
    """What reports of T* say of its cost at usual probabilities of an error."""

    def at_each(cost: Callable[[float], float]) -> dict[str, float]:
        return {f"delta {delta:g}": cost(delta) for delta in _REPORTED}

    return {
        f"{observations} at least": at_each(least),
        f"asymptotic {observations}": at_each(asymptotic),
    }


def _information(p: float, delta: float) -> float:
    """``kl(p, delta)`` of two coins."""
    other = (1.0 - p) * (math.log1p(-p) - math.log1p(-delta)) if p < 1.0 else 0.0
    return p * (math.log(p) - math.log(delta)) + other


def _most_often(information: float, delta: float) -> float:
    """How often an answer may be given for so much information: p from delta on, by bisection."""
    low, high = delta, 1.0 - delta
    for _ in range(_HALVINGS):
        p = (low + high) / 2.0
        low, high = (p, high) if _information(p, delta) <= information else (low, p)
    return high
