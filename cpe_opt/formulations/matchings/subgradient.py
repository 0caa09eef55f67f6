r"""The paper's oracle for the minimax problem: projected subgradient ascent over matchings.

With :math:`g(x) = \min_y \frac1\ell x^T Q y`, a subgradient at x is :math:`\frac1\ell Q y` for a
best reply y, a matching. A step along it is projected back onto the polytope by Frank–Wolfe, whose
steps are matchings, too (Algorithms 6 and 7 of Chen, Du, Huang, Zhao, ICML 2020).

Read as follows: the published numbers of iterations, :math:`(4\ell K)^2 / \epsilon^2` steps of
:math:`16\ell^2/\epsilon'^2` steps each, are worst cases. Here the method stops at the duality gap
between the best x so far (Lemma 9 bounds that one, not the last) and the mean of the replies y; a
projection stops when its own gap, which bounds half the squared distance to the projection, is a
quarter of the squared step, or after 200 steps; steps shrink like :math:`1/\sqrt t`. What an
inexact projection loses shows in the duality gap, so an answer is as good as it says.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.matchings.assignment import Constraints
from cpe_opt.formulations.matchings.best_response import BestResponses
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.ties import on_grid
from cpe_opt.validation import checked_number

ACCURACY = 1e-2
_MOST_STEPS = 200_000
_MOST_PROJECTION_STEPS = 200
_PROJECTION_SHARE = 0.5


def subgradient_ascent(
    replies: BestResponses, epsilon: float
) -> tuple[FloatArray, FloatArray, int]:
    """Strategies x and y with a duality gap of at most ``epsilon``, and the number of steps.

    Raises
    ------
    InputError
        Where the gap is not reached in 200,000 steps.
    """
    checked_number("epsilon", epsilon, above=0.0)
    replies = replace(replies, rounded=True)
    matchings = replies.matchings
    size, positions = matchings.size, matchings.graph.positions
    diameter = math.sqrt(2 * positions)
    _, x = replies.against_y(np.ones(size) / size)
    best, best_x = -math.inf, x
    mean_y = np.zeros(size)
    for step in range(1, _MOST_STEPS + 1):
        value, y = replies.against_x(x)
        if value > best:
            best, best_x = value, x
        mean_y += (y - mean_y) / step
        if replies.against_y(mean_y)[0] - best <= epsilon:
            return best_x, mean_y, step
        gradient = replies.matrix @ y / positions
        norm = float(np.linalg.norm(gradient))
        if norm == 0.0:
            continue
        length = diameter / math.sqrt(step)
        x = project(matchings, replies.constraints_x, x + length * gradient / norm, x, length)
    raise InputError(
        f"the subgradient method did not reach a duality gap of {epsilon} in {_MOST_STEPS:,} steps"
    )


def project(
    matchings: Matchings,
    constraints: Constraints,
    target: FloatArray,
    start: FloatArray,
    length: float,
) -> FloatArray:
    """The point of the matching polytope next to ``target``, nearly, by Frank–Wolfe steps."""
    x = start
    tolerance = (_PROJECTION_SHARE * length) ** 2
    for _ in range(_MOST_PROJECTION_STEPS):
        slope = x - target
        edges = matchings.cheapest(on_grid(slope), constraints.include, constraints.exclude)
        if edges is None:
            raise InputError("no matching satisfies the constraints")
        direction = -x
        direction[edges] += 1.0
        # The Frank–Wolfe gap bounds half the squared distance to the projection, and more.
        gap = -float(slope @ direction)
        if gap <= tolerance:
            break
        x = x + min(1.0, gap / float(direction @ direction)) * direction
    return x
