r"""Optimal designs over decision classes that cannot be listed, by column generation.

The master keeps a list of sets with their weights and improves these
(:mod:`cpe_opt.formulations.designs.enumerated`); pricing finds sets outside the list that the
design serves badly, by local search, and bounds how badly, which certifies the design
(:mod:`cpe_opt.formulations.designs.pricing`). For G these sets maximise
:math:`\chi_M^\top \Lambda_p^{-1} \chi_M`, confidence ellipsoid maximisation. Sets may span less
than :math:`\mathbb R^n` (spanning trees of a graph with several blocks, matchings): designs live in
their span, of dimension r, and inverses are pseudo-inverses.
 **The saddle point of an XY design.** The master keeps a list of sets with a design on them, and a
list of rows y with weights; both are a point of the central path. Two pricings look for sets with
large :math:`\chi^\top M \chi` and for rows, differences of sets, with large :math:`y^\top
\Lambda_p^{-1} y`. Upper bounds on the two maxima certify the design.

**The master: a design on the central path.** For pulls :math:`q > 0` of actions x,
:math:`\Lambda_q = \sum_x q_x x x^\top`, the least sum of pulls that tell every row z of a list
apart from 0,

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
:math:`\sum_x q_x` by :math:`\mu\,(2 \cdot \#x + \#z)` at most, and N, by which columns that are
not in the list are priced, is far from the boundary: few rounds are enough.

**Newton's method.** With :math:`K_{xy} = x^\top \Lambda_q^{-1} y`, :math:`G_{xy} = x^\top N y`
and :math:`J_{xz} = (x^\top \Lambda_q^{-1} z)^2` the gradient, times :math:`\mu`, is :math:`1 -
\mu/q - J w`, and the Hessian

.. math:: \mu\, \mathrm{Diag}(q)^{-2} + 2\, G \circ K
          + \frac 1\mu J\, \mathrm{Diag}(w)^2 J^\top .

Where h is near 1 the last part is larger than the others by so much that rounding would leave
nothing of these. So it is kept apart: with C the rest, in units of q and divided by :math:`\mu`,
and :math:`U = \mathrm{Diag}(q) J` for these rows, the step d solves

.. math:: \begin{pmatrix} C & U \\ U^\top & -\mathrm{Diag}(1-h)^2 \end{pmatrix}
          \begin{pmatrix} d \\ v \end{pmatrix} = \begin{pmatrix} -g \\ 0 \end{pmatrix} .

J. Gondzio, P. González-Brevis, P. Munari, "New developments in the primal–dual column generation
technique", European Journal of Operational Research 224 (2013).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Protocol, TypeAlias, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.design import are_rows_of, inverse_of, span_of
from cpe_opt.formulations.designs.enumerated import LogDet, saddle_at
from cpe_opt.formulations.designs.pricing import DifferencePricing, Pricing
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.subsets.oracle import OutOfTime, SubsetOracle
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.solvers.options import SolveOptions, deadline_of, refuse_unused
from cpe_opt.solvers.registry import require_backend

_SHARE = 0.3  # columns that violate by this share of the worst join; masters go as far
_FLAT = 1e-9
_PATIENCE = 10  # rounds that bring nothing
_QUICK = 30  # steps from a point that is near
_STEPS = 100
_CENTRED = 1e-3  # the squared decrement, so that weights are precise
_FAR = 0.1  # from 1, the largest norm to start with
_BOUNDARY = 0.1  # a step leaves this share of every distance to the boundary
_DECREASE = 0.1  # of what the slope promises
_NEAR = 1e-3  # to 1: such norms are kept apart
_SHORTEST = 1e-12
_ROUNDING = 1e-12


def check_exact(exact: SolveOptions, decisions: DecisionClass, *, needed: bool) -> None:
    """Refuse what is said of a solver where the certificate needs none."""
    if not needed:
        refuse_unused(exact, f"the certificate for {decisions.name}")
    elif "solver" in exact:
        require_backend(exact["solver"], "MIP")


def certificate_solves(decisions: DecisionClass, criterion: Literal["G", "XY"]) -> bool:
    """Whether integer programs certify the design of a class that column generation finds."""
    rng = np.random.default_rng(0)
    return Pricing(decisions, rng).solves_programs or (
        criterion == "XY" and DifferencePricing(decisions, rng).solves_programs
    )


def g_columns(
    decisions: DecisionClass,
    *,
    tolerance: float = 1e-6,
    progress: OnStep | None = None,
    **solving: Unpack[SolveOptions],
) -> tuple[FloatArray, FloatArray, float]:
    """Sets, weights, and a certified upper bound on the G value; shapes (S, n) and (S,)."""
    rng = np.random.default_rng(solving.pop("seed", 0))
    time_limit = solving.pop("time_limit", None)
    deadline = deadline_of(time_limit)
    spanning, basis = span_of(decisions, rng, deadline)
    pricing = Pricing(decisions, rng, deadline=deadline, **solving)
    check_exact(solving, decisions, needed=pricing.solves_programs)
    oracle = SubsetOracle(decisions, deadline=deadline)
    start: list[tuple[int, ...]] = []
    with suppress(OutOfTime):
        for _ in range(2 * decisions.size):
            members = oracle.maximise(rng.normal(size=decisions.size))
            start += [] if members is None else [members]
    sets = np.unique(np.vstack([spanning, indicators(start, decisions.size)]), axis=0)
    loop = LogDet(sets @ basis, np.ones(len(sets)))
    r = loop.dimension
    best = (sets, loop.weights, math.inf)
    stalled = 0
    while True:
        full = basis @ loop.inverse @ basis.T
        fresh = pricing.columns(full)
        values = quadratic_forms(fresh, full)
        worst = max(float(values.max(initial=0.0)), float(loop.g.max()))
        excess = worst / r - 1.0
        joining = fresh[values > r * (1.0 + _SHARE * excess)]
        joining = joining[~are_rows_of(joining, sets)]
        certify = excess <= 0.5 * tolerance
        stalled = 0 if len(joining) and not certify else stalled + 1
        bound = max(worst, pricing.bound(full, worst, certify=certify))
        if bound < best[2]:
            best = (sets, loop.weights, bound)
        if progress is not None:
            progress(len(sets), best[2] / r - 1.0)
        late = time.perf_counter() > deadline
        if best[2] <= r * (1.0 + tolerance) or late or stalled > _PATIENCE:
            break
        if len(joining):
            sets = np.vstack([sets, joining])
            loop.add(joining @ basis)
        loop.improve(max(_SHARE * excess, 0.1 * tolerance), 3 * len(joining) + 2 * decisions.size)
        keep = (loop.weights > 0) | (loop.g > r * (1.0 - 5.0 * excess))
        if keep.mean() < 0.7:
            loop.keep(keep)
            sets = sets[keep]
    sets, weights, bound = best
    return sets[weights > 0], weights[weights > 0], bound


def xy_columns(
    decisions: DecisionClass,
    *,
    tolerance: float = 1e-6,
    progress: OnStep | None = None,
    **solving: Unpack[SolveOptions],
) -> tuple[FloatArray, FloatArray, float, float]:
    """Sets, weights, and certified bounds on the XY value: of this design, and of any design."""
    rng = np.random.default_rng(solving.pop("seed", 0))
    time_limit = solving.pop("time_limit", None)
    deadline = deadline_of(time_limit)
    spanning, basis = span_of(decisions, rng, deadline)
    pricing = Pricing(decisions, rng, deadline=deadline, **solving)
    difference_pricing = DifferencePricing(decisions, rng, deadline=deadline, **solving)
    check_exact(
        solving, decisions, needed=pricing.solves_programs or difference_pricing.solves_programs
    )
    return saddle_columns(
        spanning,
        basis,
        pricing,
        difference_pricing,
        tolerance=tolerance,
        deadline=deadline,
        progress=progress,
    )


OnStep: TypeAlias = Callable[[int, float], None]

_NEWCOMERS = 3.0  # times the least pull of a column that is good
_FINEST = 1e-10  # share of the optimum: less is rounding
_SADDLE_PATIENCE = 5  # rounds that bring nothing


class RowPricing(Protocol):
    """Rows with large norms, and a bound on the largest, as of :class:`DifferencePricing`."""

    def columns(self, matrix: FloatArray) -> FloatArray:
        """Distinct rows with large values; shape (some, n)."""

    def bound(self, matrix: FloatArray, *, certify: bool) -> float:
        """No row has a larger value; infinite where asked only for ``certify``."""


def saddle_columns(
    sets: FloatArray,
    basis: FloatArray,
    pricing: Pricing,
    row_pricing: RowPricing,
    *,
    tolerance: float,
    deadline: float = math.inf,
    progress: OnStep | None = None,
) -> tuple[FloatArray, FloatArray, float, float]:
    """Sets, weights, certified bounds above and below the least of the largest norms of rows."""
    inverse = basis @ inverse_of(sets @ basis, np.full(len(sets), 1.0 / len(sets))) @ basis.T
    differences_kept = row_pricing.columns(inverse)
    if not np.abs(differences_kept).any():
        name = pricing.decisions.name
        raise InputError(f"{name} has a single set: there is nothing to tell apart")
    above, below = math.inf, 0.0
    best = (sets, np.ones(len(sets)) / len(sets))
    pulls, aim, stalled = np.ones(len(sets)), 0.1, 0
    while True:
        vectors, rows = sets @ basis, differences_kept @ basis
        pulls, mixture = central_pulls(vectors, rows, pulls, aim, deadline)
        saddle = saddle_at(vectors, rows, pulls / pulls.sum(), mixture)
        inverse, against = (
            _symmetric(basis @ part @ basis.T) for part in (saddle.inverse, saddle.against)
        )
        fresh, rival = pricing.columns(against), row_pricing.columns(inverse)
        values, widths = quadratic_forms(fresh, against), quadratic_forms(rival, inverse)
        listed = saddle.trace**2 / saddle.bound
        largest = max(float(values.max(initial=0.0)), listed)
        widest = max(float(widths.max(initial=0.0)), saddle.value)
        excess = widest * largest / saddle.trace**2 - 1.0
        late = time.perf_counter() > deadline
        certify = late or excess <= 0.5 * tolerance
        joining = fresh[(values > listed) & ~are_rows_of(fresh, sets)]
        apart_joining = rival[~are_rows_of(rival, differences_kept)]
        new = len(joining) + len(apart_joining) > 0
        stalled = 0 if new and not certify else stalled + 1
        ceiling = max(widest, row_pricing.bound(inverse, certify=certify))
        if ceiling < above:
            above, best = ceiling, (sets, saddle.weights)
        enough = saddle.trace**2 * (1.0 + tolerance) / above
        reach = pricing.bound(against, largest, enough=enough, certify=certify)
        below = max(below, saddle.trace**2 / max(largest, reach))
        if progress is not None:
            progress(len(sets), above / below - 1.0 if below > 0.0 else math.inf)
        if above <= below * (1.0 + tolerance) or late or stalled > _SADDLE_PATIENCE:
            break
        share = _NEWCOMERS * aim / (len(sets) + len(joining))
        pulls = np.concatenate([pulls, np.full(len(joining), share * pulls.sum())])
        sets, differences_kept = (
            np.vstack([sets, joining]),
            np.vstack([differences_kept, apart_joining]),
        )
        aim = min(aim, max(_SHARE * tolerance, _SHARE * excess))
        if stalled:  # what is missing is precision, in the master or for the certificate
            aim = max(_FINEST, _SHARE * aim)
    used = best[1] > _FLAT / len(best[1])
    return best[0][used], best[1][used] / best[1][used].sum(), above, below


def _symmetric(matrix: FloatArray) -> FloatArray:
    return np.asarray((matrix + matrix.T) / 2.0)


def central_pulls(
    vectors: FloatArray,
    rows: FloatArray,
    start: FloatArray,
    share: float,
    deadline: float = math.inf,
) -> tuple[FloatArray, FloatArray]:
    r"""Pulls near the central path, and weights of rows that add up to 1; shapes (N,) and (Z,).

    ``vectors``, shape (N, r), span the space, and ``rows`` have shape (Z, r). ``start`` are pulls
    above 0, and :math:`\mu` is the ``share`` of the sum of pulls, divided by the number of vectors
    and rows.
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
