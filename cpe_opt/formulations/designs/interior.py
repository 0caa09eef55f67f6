r"""Designs in the middle of what is nearly optimal: a master of column generation.

For pulls :math:`q > 0` of actions x, :math:`\Lambda_q = \sum_x q_x x x^\top`, the least sum of
pulls that tell every row z of a list apart from 0,

.. math:: \min_q \sum_x q_x \quad\text{s.t.}\quad h_z = z^\top \Lambda_q^{-1} z \le 1 ,

is the least of the largest norms of a design, and :math:`q/\sum q` that design. In place of a
vertex of the optima over a list, which the next columns may throw anywhere, the master answers a
point of the central path

.. math:: \min_q \frac 1\mu \sum_x q_x - \sum_x \ln q_x - \sum_z \ln(1 - h_z) .

With the weights :math:`w_z = \mu/(1 - h_z)` and
:math:`N = \Lambda_q^{-1} \bigl(\sum_z w_z z z^\top\bigr) \Lambda_q^{-1}` such a point has

.. math:: x^\top N x = 1 - \frac{\mu}{q_x} \le 1, \qquad
          \sum_x q_x - \mu \cdot \#x = \sum_z w_z h_z = \sum_z w_z - \mu \cdot \#z .

So the bound :math:`(\sum_z w_z h_z)^2 / \sum_z w_z` on the optimum over the lists is short of
:math:`\sum_x q_x` by :math:`\mu\,(2 \cdot \#x + \#z)` at most, and N, by which columns that are not
in the list are priced, is far from the boundary: few rounds are enough.

**Newton's method.** With :math:`K_{xy} = x^\top \Lambda_q^{-1} y`, :math:`G_{xy} = x^\top N y` and
:math:`J_{xz} = (x^\top \Lambda_q^{-1} z)^2` the gradient, times :math:`\mu`, is
:math:`1 - \mu/q - J w`, and the Hessian

.. math:: \mu\, \mathrm{Diag}(q)^{-2} + 2\, G \circ K
          + \frac 1\mu J\, \mathrm{Diag}(w)^2 J^\top .

Where h is near 1 the last part is larger than the others by so much that rounding would leave
nothing of these. So it stands apart: with C the rest, in units of q and divided by :math:`\mu`, and
:math:`U = \mathrm{Diag}(q) J` for these rows, the step d solves

.. math:: \begin{pmatrix} C & U \\ U^\top & -\mathrm{Diag}(1-h)^2 \end{pmatrix}
          \begin{pmatrix} d \\ v \end{pmatrix} = \begin{pmatrix} -g \\ 0 \end{pmatrix} .

J. Gondzio, P. González-Brevis, P. Munari, "New developments in the primal–dual column generation
technique", European Journal of Operational Research 224 (2013).
"""

from __future__ import annotations

import math
import time

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.designs.enumerated import inverse_of
from cpe_opt.formulations.quadratic.local_search import quadratic_forms

_QUICK = 30  # steps from a point that is near
_STEPS = 100
_CENTRED = 1e-3  # the squared decrement, so that weights are precise
_FAR = 0.1  # from 1, the largest norm to start with
_BOUNDARY = 0.1  # a step leaves this share of every distance to the boundary
_DECREASE = 0.1  # of what the slope promises
_NEAR = 1e-3  # to 1: such norms stand apart
_SHORTEST = 1e-12
_ROUNDING = 1e-12


def central_pulls(
    vectors: FloatArray,
    rows: FloatArray,
    start: FloatArray,
    share: float,
    deadline: float = math.inf,
) -> tuple[FloatArray, FloatArray]:
    r"""Pulls near the central path, and weights of rows that add up to 1; shapes (N,) and (Z,).

    Parameters
    ----------
    vectors : float array, shape (N, r)
        They span the space.
    rows : float array, shape (Z, r)
    start : float array, shape (N,)
        Pulls above 0, of any sum.
    share : float
        How near the optimum: :math:`\mu` is this share of the sum of pulls, divided by the number
        of vectors and rows.
    deadline : float
        Of the clock of ``time.perf_counter``.
    """
    inverse = inverse_of(vectors, start)
    largest = float(quadratic_forms(rows, inverse).max())
    count = len(vectors) + len(rows)
    q, near = start, 0.5 < largest < 1.0 - _BOUNDARY * share / count
    if near:
        unit = share * float(start.sum()) / count
        q, inverse, near = _centred(vectors, rows, start, inverse, unit, _QUICK, deadline)
    if not near:  # along the path, from far inside
        scale = largest / (1.0 - _FAR)
        q, inverse = scale * start, inverse_of(vectors, scale * start)
        for part in np.geomspace(_FAR, share, 2 + int(-2.0 * math.log10(share))):
            unit = float(part) * float(q.sum()) / count
            q, inverse, _ = _centred(vectors, rows, q, inverse, unit, _STEPS, deadline)
    weights = 1.0 / (1.0 - quadratic_forms(rows, inverse))
    return q, np.asarray(weights / weights.sum())


def _centred(
    vectors: FloatArray,
    rows: FloatArray,
    q: FloatArray,
    inverse: FloatArray,
    unit: float,
    steps: int,
    deadline: float,
) -> tuple[FloatArray, FloatArray, bool]:
    """Pulls, the inverse of their information, and whether they are near the path."""
    left = 1.0 - quadratic_forms(rows, inverse)
    height = _height(q, left, unit)
    for _ in range(steps):
        slope, step = _newton(vectors, rows, q, inverse, unit)
        length = 1.0
        while length > _SHORTEST:
            there = q + length * step
            if (there > _BOUNDARY * q).all():
                after = inverse_of(vectors, there)
                remains = 1.0 - quadratic_forms(rows, after)
                reached = _height(there, remains, unit)
                falls = reached <= height + _DECREASE * length * slope + _ROUNDING * abs(height)
                if falls and (remains > _BOUNDARY * left).all():
                    q, inverse, left, height = there, after, remains, reached
                    break
            length /= 2.0
        late = time.perf_counter() > deadline
        if -slope < _CENTRED or length <= _SHORTEST or late:
            return q, inverse, True
    return q, inverse, False


def _height(q: FloatArray, left: FloatArray, unit: float) -> float:
    """What the central path minimises; infinite where a norm is not below 1."""
    if not left.min() > 0.0:
        return math.inf
    return float(q.sum() / unit - np.log(q).sum() - np.log(left).sum())


def _newton(
    vectors: FloatArray, rows: FloatArray, q: FloatArray, inverse: FloatArray, unit: float
) -> tuple[float, FloatArray]:
    """The slope along Newton's step, and the step."""
    images = rows @ inverse
    left = 1.0 - (images * rows).sum(axis=1)
    squares = (vectors @ images.T) ** 2
    gradient = 1.0 / unit - 1.0 / q - squares @ (1.0 / left)
    against = images.T @ (images / left[:, None])
    smooth = 2.0 * (vectors @ inverse @ vectors.T) * (vectors @ against @ vectors.T)
    smooth *= q[:, None]
    smooth *= q
    smooth[np.diag_indices_from(smooth)] += 1.0
    squares *= q[:, None]
    near = left < _NEAR
    far = squares[:, ~near] / left[~near]
    smooth += far @ far.T
    steep, count = squares[:, near], len(q)
    order = count + steep.shape[1]
    system, right = np.zeros((order, order)), np.zeros(order)
    system[:count, :count], right[:count] = smooth, -q * gradient
    system[:count, count:], system[count:, :count] = steep, steep.T
    system[count:, count:] = np.diag(-(left[near] ** 2))
    step = q * np.linalg.solve(system, right)[:count]
    return float(gradient @ step), step
