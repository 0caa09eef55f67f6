r"""Certified upper bounds on a quadratic form over sets of a given size.

For indicators χ of k of n elements and any δ,

.. math:: \chi^\top W \chi + d^\top \chi = \chi^\top W' \chi + (d + \delta)^\top \chi, \qquad
    W' = W - \mathrm{Diag}(\delta),

because χ is 0/1. With :math:`\chi = \frac kn 1 + u`, :math:`u \perp 1`,
:math:`|u|^2 = r^2 = k(n-k)/n`, this is a quadratic form on a sphere,

.. math:: c_0 + c^\top u + u^\top B u \le c_0 + \lambda r^2
    + \tfrac14 c^\top (\lambda I - B)^{-1} c \qquad (\lambda > \lambda_{\max}(B)) ,

with B and c what :math:`W'` and :math:`d + \delta + \frac{2k}{n} W' 1` are on the space orthogonal
to 1, in an orthonormal basis of it (the other columns of the reflection that turns 1 into a
multiple of the first unit vector). The best λ makes it exact over the sphere. The bound is convex
in δ, which is improved by subgradient steps. W and d are divided by a power of two of their size,
so that the bound of a multiple is the multiple of the bound.

**Branch and bound** brings the bound as close as is asked for. A node has elements that are in,
elements that are out, and the form over sets of the right number of the rest,

.. math:: \chi^\top W_{RR} \chi + (d_R + 2 W_{RI} 1)^\top \chi + 1^\top W_{II} 1 + d_I^\top 1,

bounded by eigenvalues as above, from the δ of the node that was split. The node of the largest
bound is split on the element that weighs most in it. Where few elements weigh much, as in the
pricing of designs that tell some sets from one, few splits are needed. The largest bound of the
nodes that are left is a bound on all sets whenever it stops.

**Certified bounds on a quadratic form over a class of which only a linear program is known.**

Of a symmetric matrix M with eigenvalues :math:`\mu_1 \ge \mu_2 \ge \dots` and orthonormal
eigenvectors :math:`u_k`, and any p,

.. math:: \chi^\top M \chi \le \sum_{k \le p} (\mu_k - \mu_{p+1}) (u_k^\top \chi)^2
    + \mu_{p+1} \sum_e \chi_e ,

because :math:`\chi_e^2 = \chi_e` for a set: all except the first p *directions* becomes linear. A
square is at most its secant between two numbers that it is between,

.. math:: v^2 \le (a + b)\, v - a b \qquad (a \le v \le b) .

So a linear program over the class bounds the form: the range of each direction is that of its
linear relaxation, and is cut into *pieces*, of which a set is in one, where the bound is not close
enough. A program with columns ``x`` of the elements and rows of the class has, for a direction with
several pieces, columns ``part_k``, which add up to :math:`u_k^\top x` and are 0 in all pieces but
one, and binary ``piece_k``. Sets that are known are left out, by a row ``other`` each: no set
contains another.

The set of a program's optimum shows where the bound is too large: directions are cut at its
:math:`u_k^\top \chi`, another direction is taken out of the linear rest where that is what
misses, and the set itself, whose value is then known, is left out. Every program gives a bound, and
the least of all holds whenever the search ends.

**Less the square of a gap.** To bound ratios of norms and gaps :math:`g = g_0 - \theta^\top \chi`,
:math:`- c\, g^2` joins the form, and sets have gaps between two limits. It is concave, and so at
most any of its tangents, :math:`-c\,(2 s g - s^2)`: a column ``square`` is at least
:math:`2 s g - s^2` for gaps s of a geometric progression.

Few directions are enough where the form has few large eigenvalues, as in the pricing of designs
that tell a few close sets from the best one. Where many eigenvalues are alike the rest is a norm,
which is linear, too. The worst forms lie between.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray, unit_of
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult, Status
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.solvers.options import SolveOptions, limited_until
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import first_largest

_ROUNDING = 1e-13
_STEPS = 60
_REACH = 0.1  # of the bound, what a step aims to gain
_PATIENCE = 5
_FLAT = 1e-12
_FIRST = 3_000


class Bound(NamedTuple):
    """An upper bound, and the δ that gives it: a good start for a similar matrix."""

    value: float
    shift: FloatArray


def spectral_bound(
    matrix: FloatArray,
    k: int,
    linear: FloatArray,
    *,
    value: float = -np.inf,
    target: float = -np.inf,
    steps: int = _STEPS,
    shift: FloatArray | None = None,
) -> Bound:
    """The best bound met in subgradient steps in δ, sized by the distance to ``value``."""
    n = len(matrix)
    if k == n:
        kept = np.zeros(n) if shift is None else shift
        return Bound(float(matrix.sum() + linear.sum()), kept)
    unit = unit_of(matrix, linear)
    matrix, linear, value, target = matrix / unit, linear / unit, value / unit, target / unit
    here = np.zeros(n) if shift is None else shift / unit
    bound, slope = _bound(matrix, k, linear, here)
    best = Bound(bound, here)
    reach, idle = _REACH, 0
    for _ in range(steps):
        length = float(slope @ slope)
        flat = length < _FLAT or best.value - value <= _FLAT * (1.0 + abs(best.value))
        if flat or best.value <= target:
            break
        aim = max(value, best.value - reach * abs(best.value))
        here = here - max(bound - aim, 0.0) / length * slope
        bound, slope = _bound(matrix, k, linear, here)
        idle += 1
        if bound < best.value:
            if best.value - bound > 0.1 * (best.value - aim):
                idle = 0
            best = Bound(bound, here)
        if idle == _PATIENCE:
            reach, idle = reach / 2.0, 0
            here = best.shift
    return Bound(best.value * unit, best.shift * unit)


def _bound(
    matrix: FloatArray, k: int, linear: FloatArray, shift: FloatArray
) -> tuple[float, FloatArray]:
    """The bound at δ, rounding errors included, and a subgradient there."""
    n = len(matrix)
    part, radius = k / n, k * (n - k) / n  # radius is r², squared
    shifted = matrix - np.diag(shift)
    sums = shifted.sum(axis=1)
    slope = linear + shift + 2.0 * part * sums
    constant = part * (linear + shift).sum() + part**2 * sums.sum()
    # I - vv' is the reflection.
    v = np.full(n, 1.0 / math.sqrt(n))
    v[0] += 1.0
    v /= math.sqrt(v[0])
    image = shifted @ v
    image -= 0.5 * float(v @ image) * v
    reflected = shifted - np.outer(v, image) - np.outer(image, v)
    eigenvalues, vectors = np.linalg.eigh(reflected[1:, 1:])
    vectors = np.vstack([np.zeros(n - 1), vectors]) - np.outer(v, v[1:] @ vectors)
    linear = vectors.T @ slope
    level = _level(eigenvalues, linear, radius)
    u = vectors @ (linear / (2.0 * (level - eigenvalues)))
    # Where the tilt leaves the top eigenvector out, the maximiser has some of it all the same.
    u = u + np.sqrt(max(0.0, radius - float(u @ u))) * vectors[:, -1]
    bound = constant + level * radius + 0.25 * float(linear**2 @ (1.0 / (level - eigenvalues)))
    size = np.abs(shifted).max() * k * k + np.abs(slope).max() * k + abs(level) * radius
    chi = part + u
    return float(bound + _ROUNDING * n * size), chi * (1.0 - chi)


def _level(eigenvalues: FloatArray, linear: FloatArray, radius: float) -> float:
    """The λ above all eigenvalues at which the maximiser has the length of the sphere."""
    from scipy.optimize import brentq  # slow to load

    top = float(eigenvalues[-1])
    scale = 1.0 + float(np.abs(eigenvalues).max()) + float(np.abs(linear).max())
    # |u| falls from infinity, or from a finite length, to 0; at most |tilt| / 2 (λ - top).
    low, high = top + 1e-12 * scale, top + float(np.linalg.norm(linear)) / (2.0 * math.sqrt(radius))
    squares, goal = 0.25 * linear**2, 1.0 / math.sqrt(radius)

    def shortness(level: float) -> float:
        """1 / |u| is nearly linear in λ, so that few steps find where it is 1 / r."""
        return float(1.0 / np.sqrt(squares @ (level - eigenvalues) ** -2) - goal)

    if high <= low or shortness(low) >= 0.0:
        return low
    if shortness(high) <= 0.0:  # it is there, up to rounding
        return high
    return float(brentq(shortness, low, high, xtol=1e-14 * scale))


def branched_bound(
    matrix: FloatArray,
    k: int,
    *,
    value: float,
    target: float,
    nodes: int = 2_000,
    shift: FloatArray | None = None,
    deadline: float = math.inf,
) -> float:
    """No set of k elements has a larger value, by branch and bound in ``nodes`` splits."""
    every = np.arange(len(matrix))
    nothing = np.zeros(0, dtype=np.int64)
    order = count()
    first = np.zeros(len(matrix)) if shift is None else shift
    root = _node_bound(matrix, k, nothing, every, first, value, target, _FIRST)
    heap = [(-root.value, next(order), nothing, every, root.shift)]
    for _ in range(nodes):
        largest, _, inside, rest, first = heap[0]
        single = len(inside) == k or len(inside) + len(rest) == k
        if -largest <= target or single or time.perf_counter() > deadline:
            break
        heapq.heappop(heap)
        split = int(rest[_heaviest(matrix, inside, rest)])
        rest = rest[rest != split]
        for chosen in (np.append(inside, split), inside):
            if len(chosen) <= k <= len(chosen) + len(rest):
                node = _node_bound(matrix, k, chosen, rest, first, value, target, _STEPS)
                bound = min(-largest, node.value)
                heapq.heappush(heap, (-bound, next(order), chosen, rest, node.shift))
    return max(value, -heap[0][0])


def _node_bound(
    matrix: FloatArray,
    k: int,
    inside: IntArray,
    rest: IntArray,
    shift: FloatArray,
    value: float,
    target: float,
    steps: int,
) -> Bound:
    """A bound on the sets that have these elements and others of the rest, and its δ."""
    constant = float(matrix[np.ix_(inside, inside)].sum())
    left = k - len(inside)
    if left == 0:
        return Bound(constant, shift)
    bound = spectral_bound(
        matrix[np.ix_(rest, rest)],
        left,
        2.0 * matrix[np.ix_(rest, inside)].sum(axis=1),
        value=value - constant,
        target=target - constant,
        steps=steps,
        shift=shift[rest],
    )
    shift = shift.copy()
    shift[rest] = bound.shift
    return Bound(constant + bound.value, shift)


def _heaviest(matrix: FloatArray, inside: IntArray, rest: IntArray) -> int:
    """The place of the element of the rest with the largest entries."""
    form = np.abs(matrix[np.ix_(rest, rest)]).sum(axis=1)
    return int(first_largest(form + 2.0 * np.abs(matrix[np.ix_(rest, inside)]).sum(axis=1)))


# Certified bounds on a quadratic form over a class of which only a linear program is known.


_FIRST_PIECES = 2  # directions to start with
_MOST = 12
_PROGRAMS = 30  # which are harder the more pieces there are
_CUT = 0.3  # directions are cut whose error is this share of the largest
_WIDER = 1e-7  # of a range, for the rounding of its program
_STEP = 1.25  # from tangent to tangent
_FLAT_CUT = 1e-9


@dataclass(frozen=True)
class GapTerm:
    r""":math:`-c\,g^2` with :math:`g = g_0 - \theta^\top \chi` between two limits."""

    weight: float  # c, at least 0
    theta: FloatArray  # (n,)
    start: float  # g_0
    # the limits, above 0
    least: float
    most: float

    def value(self, chi: FloatArray) -> float:
        """The term at a set."""
        return -self.weight * (self.start - float(self.theta @ chi)) ** 2


@dataclass(frozen=True)
class Form:
    r""":math:`\chi^\top M \chi + d^\top \chi + d_0`, perhaps less the square of a gap."""

    matrix: FloatArray
    linear: FloatArray
    constant: float = 0.0
    gap: GapTerm | None = None

    def value(self, chi: FloatArray) -> float:
        """At a set."""
        form = float(chi @ self.matrix @ chi + self.linear @ chi) + self.constant
        return form if self.gap is None else form + self.gap.value(chi)


def piecewise_bound(
    decisions: DecisionClass,
    form: Form,
    *,
    target: float,
    ceiling: float = math.inf,
    without: Sequence[Sequence[int]] = (),
    deadline: float = math.inf,
    **exact: Unpack[SolveOptions],
) -> PiecewiseBound:
    """A bound on the form that is at most ``target``, if it is found, or the value of a set."""
    search = PiecewiseBound(decisions, form, ceiling, without, deadline, **exact)
    while search.value > target and search.reached <= target and search.improve():
        pass
    return search


class PiecewiseBound:
    """A bound on a form over all sets of a class that rows define, except those left out."""

    def __init__(
        self,
        decisions: DecisionClass,
        form: Form,
        ceiling: float = math.inf,
        without: Sequence[Sequence[int]] = (),
        deadline: float = math.inf,
        **exact: Unpack[SolveOptions],
    ) -> None:
        self._decisions, self._form, self._rest = decisions, form, ceiling
        self._without = [tuple(members) for members in without]
        self._deadline, self._exact = deadline, exact
        values, vectors = np.linalg.eigh(form.matrix)
        self._values, self._vectors = values[::-1], vectors[:, ::-1].T
        self._unit = float(np.abs(values).max() + np.abs(form.linear).max()) or 1.0
        self._cuts: list[FloatArray] = []
        self._count = min(_FIRST_PIECES, decisions.size - 1)
        self._programs = 0
        self.sets: list[tuple[int, ...]] = []  # those that were met
        self.reached = -math.inf  # the largest of their values

    @property
    def value(self) -> float:
        """No set but those left out has a larger one; minus infinity if there is no other set."""
        return max(self._rest, self.reached)

    def improve(self) -> bool:
        """Solve one more program; False where that changes nothing, or time is over."""
        over = self._programs == _PROGRAMS or time.perf_counter() > self._deadline
        if over or self._rest <= self.reached:
            return False
        self._programs += 1
        result = self._solved()
        if result is None:  # no set has all that the rows ask for
            self._rest = -math.inf
            return False
        bound = math.inf if result.bound is None else result.bound * self._unit
        self._rest = min(self._rest, bound)
        if result.x is None:
            self._programs = _PROGRAMS
            return False
        chi = np.round(result.x[: self._decisions.size])
        members = tuple(np.flatnonzero(chi > 0.5).tolist())
        self.sets.append(members)
        self.reached = max(self.reached, self._form.value(chi))
        self._refine(chi, members)
        return True

    def _solved(self) -> SolveResult | None:
        """The program's result; None if it is infeasible."""
        while len(self._cuts) < self._count:
            range_ = self._range(self._vectors[len(self._cuts)])
            if range_ is None:
                return None
            self._cuts.append(range_)
        return self._solve(self._program())

    def _refine(self, chi: FloatArray, members: tuple[int, ...]) -> None:
        """Cut directions, or take another one, for a bound closer at a set; leave the set out."""
        self._without.append(members)
        at, level = self._vectors @ chi, self._values[self._count]
        errors = np.zeros(self._count)
        for place, cuts in enumerate(self._cuts):
            piece = min(max(int(np.searchsorted(cuts, at[place])), 1), len(cuts) - 1)
            inside = max(0.0, (at[place] - cuts[piece - 1]) * (cuts[piece] - at[place]))
            errors[place] = (self._values[place] - level) * inside
        rest = level * chi.sum() - self._values[self._count :] @ at[self._count :] ** 2
        largest = float(errors.max(initial=0.0))
        if rest > largest and self._count < min(_MOST, len(chi) - 1):
            self._count += 1
        for place in np.flatnonzero(errors > max(_CUT * largest, _FLAT_CUT * self._unit)).tolist():
            self._cuts[place] = np.union1d(self._cuts[place], at[place])

    def _range(self, direction: FloatArray) -> FloatArray | None:
        """Between what numbers the direction is on the class; None if it is empty."""
        ends = []
        for sign in (1.0, -1.0):
            builder, _ = self._builder(sign * direction, self._form.gap)
            program = builder.build()
            relaxed = replace(program, integer=np.zeros_like(program.integer))
            result = self._solve(relaxed)
            if result is None:
                return None
            trivial = float(np.maximum(sign * direction, 0.0).sum())
            ends.append(sign * min(trivial, math.inf if result.bound is None else result.bound))
        wider = _WIDER * (1.0 + ends[0] - ends[1])
        return np.array([ends[1] - wider, ends[0] + wider])

    def _solve(self, program: LinearProgram) -> SolveResult | None:
        result = solve(program, check=False, **limited_until(self._exact, self._deadline))
        return None if result.status is Status.INFEASIBLE else result

    def _builder(
        self, cost: FloatArray, gap: GapTerm | None, offset: float = 0.0
    ) -> tuple[ProgramBuilder, IntArray]:
        """The class's rows, the limits of gaps, and the sets left out; and the columns ``x``."""
        builder = ProgramBuilder("pieces", sense="max", offset=offset)
        x = builder.columns("x", self._decisions.keys, cost=cost, upper=1.0, integer=True)
        self._decisions.program_rows(builder, x, integer=True)
        if gap is not None:
            builder.row(
                "gap", x, gap.theta, lower=gap.start - gap.most, upper=gap.start - gap.least
            )
        if self._without:
            left_out = indicators(self._without, self._decisions.size)
            builder.sums("other", len(left_out), (left_out, x), upper=left_out.sum(axis=1) - 1.0)
        return builder, x

    def _program(self) -> LinearProgram:
        """The program, in units of its own."""
        form, level = self._form, float(self._values[self._count])
        cost, offset = form.linear + level, form.constant
        excess = self._values[: self._count] - level
        whole = [place for place, cuts in enumerate(self._cuts) if len(cuts) == 2]
        for place in whole:
            low, high = self._cuts[place]
            cost = cost + excess[place] * (low + high) * self._vectors[place]
            offset -= float(excess[place] * low * high)
        builder, x = self._builder(cost / self._unit, form.gap, offset / self._unit)
        for place in sorted(set(range(self._count)) - set(whole)):
            self._add_pieces(builder, x, place, excess[place] / self._unit)
        if form.gap is not None:
            self._add_square(builder, x, form.gap)
        return builder.build()

    def _add_pieces(self, builder: ProgramBuilder, x: IntArray, place: int, weight: float) -> None:
        """The secants of one direction."""
        cuts, direction = self._cuts[place], self._vectors[place]
        low, high, count = cuts[:-1], cuts[1:], len(cuts) - 1
        part = builder.columns(
            f"part_{place}",
            count,
            cost=weight * (low + high),
            lower=np.minimum(low, 0.0),
            upper=np.maximum(high, 0.0),
        )
        piece = builder.columns(
            f"piece_{place}", count, cost=-weight * low * high, upper=1.0, integer=True
        )
        builder.row(f"one_{place}", piece, lower=1.0, upper=1.0)
        builder.row(
            f"sum_{place}",
            np.concatenate([x, part]),
            np.concatenate([direction, -np.ones(count)]),
            lower=0.0,
            upper=0.0,
        )
        builder.sums(f"from_{place}", count, (1.0, part), (-low, piece), lower=0.0)
        builder.sums(f"to_{place}", count, (1.0, part), (-high, piece), upper=0.0)

    def _add_square(self, builder: ProgramBuilder, x: IntArray, gap: GapTerm) -> None:
        """The tangents of the square of the gap."""
        square = builder.columns("square", 1, cost=-gap.weight / self._unit, lower=gap.least**2)
        count = 2 + int(math.log(gap.most / gap.least) / math.log(_STEP))
        touched = np.geomspace(gap.least, gap.most, count)
        builder.sums(
            "tangent",
            count,
            (1.0, square),
            (2.0 * np.outer(touched, gap.theta), x),
            lower=2.0 * touched * gap.start - touched**2,
        )
