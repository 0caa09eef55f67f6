r"""The characteristic time of the best set from single pulls of elements, a cone program.

A pull of element e shows :math:`\theta_e` with normal noise of variance :math:`\sigma^2` and costs
:math:`c_e`. In q pulls of each an instance in which M is as good as :math:`M^*` differs from the
truth by at least :math:`\Delta_M^2 / (2 \sigma^2 \sum_{e \in M \triangle M^*} 1/q_e)` nats, so that

.. math:: T^* = \min_{q > 0} \sum_e c_e q_e \quad\text{s.t.}\quad
          \sum_{e \in M \triangle M^*} \frac{2\sigma^2}{\Delta_M^2} \frac1{q_e} \le 1
          \quad \forall M \ne M^* ,

a program of :mod:`cpe_opt.formulations.inverse_rows`. Elements in no difference (in all sets, or in
none) need no pulls. The rows are the alternatives of
:mod:`cpe_opt.formulations.subsets.alternatives`: exchanges for matroids, all sets of small classes.
Where there are too many, and always where the listed ones are more than a few, a program with some
of them is solved, and those that its q breaks join, until there are none.

**The certificate.** The value is the cost of a multiple of q that keeps all rows, by the largest
left-hand side over all sets or an upper bound on it; the bound is that of the rows in the program.

Garivier, Kaufmann, "Optimal best arm identification with fixed confidence", COLT 2016; Chen, Gupta,
Li, "Pure exploration of multi-armed bandit under matroid constraints", COLT 2016; Jourdan, Mutný,
Kirschner, Krause, "Efficient pure exploration for combinatorial bandits with semi-bandit feedback",
ALT 2021.

**The alternative that pulls tell worst.** For :math:`a_e = 1/q_e` the sets M other than :math:`M^*`
are to be found with the largest

.. math:: \rho_M = \frac{A_M}{b_M}, \qquad A_M = \sum_{e \in M \triangle M^*} a_e, \quad
          b_M = \frac{\Delta_M^2}{2 \sigma^2} ,

A and Δ both linear in the indicator x of M: :math:`A = \sum_{e \in M^*} a_e (1 - x_e) + \sum_{e
\notin M^*} a_e x_e`. The set :math:`\{A \ge c \Delta^2\}` is convex, not its complement: the
largest ratio may be that of a set which is best for no linear objective in A and Δ. (Of three
sets with (A, Δ) = (1, 1), (8.9, 3) and (4.1, 2) the third has the largest ratio, and lies below
the chord of the others.) Two methods find such sets:

- *the linear oracle*: :math:`\Delta^2 \ge 2 s \Delta - s^2` for any s, with equality at
  :math:`s = \Delta`. The set of the largest :math:`A_M - s\Delta_M/\sigma^2` is taken, then that
  for its own Δ as s, until it is the same. A heuristic;
- *the integer program* ``separation``: with the least gap :math:`\Delta_{\min}` as the unit of Δ
  and its b as that of A, minimise :math:`t - A` over x in the class's program, with
  ``tangent_n``: :math:`t \ge 2 s \Delta - s^2` for several s, ``gap``: :math:`\Delta \ge 1`,
  ``other``: :math:`\sum_{e \in M^*} x_e \le |M^*| - 1`. The tangent at the Δ of its set joins
  until t is :math:`\Delta^2` there. Whatever the set, a lower bound :math:`-\eta` on its optimum
  proves that :math:`A \le \Delta^2 + \eta`, so that no ratio is above :math:`1 + \eta`, as Δ ≥ 1.

In any case no ratio is above :math:`\max_M A_M / b_{\min}`.
"""

from __future__ import annotations

import math
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, Unpack

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, row_entries
from cpe_opt.formulations.designs.design import are_rows_of
from cpe_opt.formulations.inverse_rows import InverseRows
from cpe_opt.formulations.subsets.alternatives import Alternatives
from cpe_opt.formulations.subsets.oracle import OutOfTime, SubsetOracle
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.solvers.options import SolveOptions, deadline_of, limited_until, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import on_grid

SingleMethod: TypeAlias = Literal["cone", "multiplicative"]
_STEPS = 100_000
_FIRST = 2  # rows a element in the first program
_ACCURATE = 1e-8
_ROUNDS = 200
_MULTIPLIERS = 8
_ORACLE_STEPS = 5  # of the linear oracle from one multiplier
_TANGENTS = 30
_NEAR = 0.05
_PROGRAMS = 200
_WHOLE = 0.5
_EXACT = 1e-6


@dataclass(frozen=True, eq=False)
class Certified:
    """What a feasible solution costs, ``value``, and what none costs less than, ``bound``.

    ``exploration`` are pulls per ln(1/delta), of ``sets`` where these are what is pulled.
    ``timed_out`` says that a limit on time ended the search.
    """

    value: float
    bound: float
    exploration: FloatArray
    sets: tuple[tuple[int, ...], ...] = ()
    result: SolveResult | None = None
    timed_out: bool = False


def single_program(alternatives: Alternatives, sigma: float, prices: FloatArray) -> ConicProgram:
    """The cone program with every listed row, in ``pulls`` and ``inverse``."""
    rows, used = inverse_rows(alternatives, alternatives.rows, sigma, prices)
    names = [alternatives.decisions.labels[element] for element in np.flatnonzero(used)]
    labels = {
        f"pulls_{place}": f"{name}, in units of {unit:g} pulls"
        for place, (name, unit) in enumerate(zip(names, rows.units, strict=True))
    }
    return rows.cone_program("subset_time", "pulls", labels)


def inverse_rows(
    alternatives: Alternatives, rows: FloatArray, sigma: float, prices: FloatArray
) -> tuple[InverseRows, BoolArray]:
    """The program with these alternatives, and which elements it is about."""
    used = np.asarray(rows.any(axis=0))
    shares = 2.0 * (sigma / (rows @ alternatives.theta)) ** 2
    matrix = sp.csr_array(np.abs(rows[:, used]) * shares[:, None])
    return InverseRows(prices[used], matrix), used


def single_time(
    alternatives: Alternatives,
    sigma: float,
    prices: FloatArray,
    method: SingleMethod,
    **solving: Unpack[SolveOptions],
) -> Certified:
    """T* from single pulls, for one best set and at least one other."""
    deadline = deadline_of(solving.pop("time_limit", None))
    conic, exact = (solving, SolveOptions()) if method == "cone" else (SolveOptions(), solving)
    if alternatives.complete:
        what = f"the time of {alternatives.decisions.name} by {method!r}"
        refuse_unused(exact, what, instead=("cone",))
    search = Separation(alternatives, sigma**2, deadline, **exact)
    active = _first_rows(alternatives)
    best = Certified(math.inf, 0.0, np.zeros(len(prices)))
    while True:
        rows, used = inverse_rows(alternatives, active, sigma, prices)
        result: SolveResult | None = None
        if method == "cone":
            program = rows.cone_program("subset_time", "pulls")
            amounts, weights, result = rows.solved(program, **conic)
        else:
            weights = rows.balanced(_STEPS)
            amounts = rows.feasible(rows.amounts(weights))
        inverse = np.zeros(len(prices))
        inverse[used] = 1.0 / amounts
        fresh, ratio = _broken(alternatives, search, active, inverse)
        cost = float(rows.prices @ amounts) * max(1.0, ratio)
        bound = max(best.bound, rows.bound(weights))
        if cost < best.value:
            q = np.zeros(len(prices))
            q[used] = amounts * max(1.0, ratio)
            best = Certified(cost, bound, q, result=result)
        best = Certified(best.value, min(bound, best.value), best.exploration, result=best.result)
        fresh = fresh[~are_rows_of(fresh, active)]
        accurate = best.value <= best.bound * (1.0 + _ACCURATE)
        late = time.perf_counter() > deadline
        if late or not len(fresh) or accurate:
            return replace(best, timed_out=late and not accurate)
        active = np.vstack([active, fresh])


def _first_rows(alternatives: Alternatives) -> FloatArray:
    """For every element the alternatives of the least gap that have it, all where they are few."""
    rows = alternatives.rows
    if len(rows) <= _FIRST * rows.shape[1]:
        return rows
    gaps = on_grid(alternatives.gaps)
    having = filter(len, map(np.flatnonzero, rows.T))  # a table of all is large
    return rows[sorted({int(those[gaps[those].argmin()]) for those in having})]


def _broken(
    alternatives: Alternatives,
    search: Separation,
    active: FloatArray,
    inverse: FloatArray,
) -> tuple[FloatArray, float]:
    """Alternatives whose rows do not hold, and a bound on all left-hand sides."""
    rows, proved = alternatives.rows, math.inf
    ratios = search.ratios(rows, inverse)
    if alternatives.complete:
        proved = float(ratios.max())
    else:
        rows = np.vstack([active, rows, search.quick(inverse)])
        ratios = search.ratios(rows, inverse)
        if ratios.max() <= 1.0 + _ACCURATE:
            broken, proved = search.exact(rows, inverse)
            rows = np.vstack([rows, broken])
            ratios = search.ratios(rows, inverse)
        else:
            proved = search.simple_bound(inverse)
    worst = np.argsort(-on_grid(ratios), kind="stable")[: rows.shape[1]]
    return np.asarray(rows[worst[ratios[worst] > 1.0 + _ACCURATE]]), proved


class Separation:
    """Alternatives with large ratios, and a bound on all, for one best set."""

    def __init__(
        self,
        alternatives: Alternatives,
        variance: float,
        deadline: float = math.inf,
        **exact: Unpack[SolveOptions],
    ) -> None:
        self._alternatives, self._variance, self._exact = alternatives, variance, exact
        self._deadline = deadline
        self._oracle = SubsetOracle(alternatives.decisions, deadline=deadline)
        self._chosen = np.zeros(alternatives.decisions.size, np.bool_)
        self._chosen[list(alternatives.best)] = True
        self._sign = np.where(self._chosen, -1.0, 1.0)
        gaps = alternatives.gaps
        self._least = float(gaps.min())
        self._multipliers = np.geomspace(self._least, float(gaps.max()), _MULTIPLIERS)

    def ratios(self, rows: FloatArray, inverse: FloatArray) -> FloatArray:
        """ρ of each row for a = 1/q; shape (J,)."""
        needed = (rows @ self._alternatives.theta) ** 2 / (2.0 * self._variance)
        left = np.einsum("ij,ij,j->i", rows, rows, inverse)  # y is -1, 0, 1
        return np.asarray(left / needed)

    def quick(self, inverse: FloatArray) -> FloatArray:
        """Alternatives found by the linear oracle; shape (some, n)."""
        theta, differences = self._alternatives.theta, dict[tuple[int, ...], FloatArray]()
        for first in self._multipliers.tolist():
            multiplier = first
            for _ in range(_ORACLE_STEPS):
                weights = self._sign * inverse + (multiplier / self._variance) * theta
                try:
                    members = self._oracle.maximise(on_grid(weights))
                except OutOfTime:
                    members = None
                if members is None or members == self._alternatives.best or members in differences:
                    break
                differences[members] = self._alternatives.difference(members)
                multiplier = float(differences[members] @ theta)
        return np.array(list(differences.values())).reshape(len(differences), len(theta))

    def exact(self, rows: FloatArray, inverse: FloatArray) -> tuple[FloatArray, float]:
        """Alternatives by the integer program, shape (some, n), and a bound on all ratios."""
        unit = self._least**2 / (2.0 * self._variance)
        differences: list[FloatArray] = []
        proved = self.simple_bound(inverse)
        # No ratio is above 1 where Δ² is above all A.
        farthest = math.sqrt(max(1.0, proved))
        near = rows[self.ratios(rows, inverse) > 1.0 - _NEAR]
        touched = np.geomspace(1.0, farthest, _TANGENTS).tolist()
        touched += np.unique(on_grid(near @ self._alternatives.theta) / self._least).tolist()
        for _ in range(_PROGRAMS):
            if time.perf_counter() > self._deadline:
                break
            solving = limited_until(self._exact, self._deadline)
            result = solve(self._program(inverse / unit, touched), check=False, **solving)
            if result.bound is not None and math.isfinite(result.bound):
                proved = min(proved, 1.0 + max(0.0, -result.bound))
            if result.x is None:
                break
            members = tuple(np.flatnonzero(result.x[: len(inverse)] > _WHOLE).tolist())
            row = self._alternatives.difference(members)
            differences.append(row)
            worst = float(self.ratios(row[None, :], inverse)[0])
            if worst > 1.0 + _EXACT or proved <= max(1.0, worst) + _EXACT:
                break
            gap = float(row @ self._alternatives.theta) / self._least
            touched.append(gap)
        return np.array(differences).reshape(len(differences), len(inverse)), proved

    def simple_bound(self, inverse: FloatArray) -> float:
        """The largest A over the least b."""
        weights = self._sign * inverse
        most = float(inverse.sum())
        with suppress(OutOfTime):
            farthest = self._oracle.optimum(weights)
            assert farthest is not None
            most = farthest.bound + float(inverse[self._chosen].sum())
        return most * 2.0 * self._variance / self._least**2

    def _program(self, weights: FloatArray, touched: list[float]) -> LinearProgram:
        """The integer program with tangents at these Δ; ``weights`` are a in units of b."""
        decisions, chosen = self._alternatives.decisions, self._chosen
        gains = self._alternatives.theta / self._least
        best = float(gains[chosen].sum())
        builder = ProgramBuilder("separation", offset=-float(weights[chosen].sum()))
        x = builder.columns(
            "x", decisions.keys, cost=-self._sign * weights, upper=1.0, integer=True
        )
        square = builder.columns("square", 1, cost=1.0)
        decisions.program_rows(builder, x, integer=False)
        builder.row("gap", x, gains, upper=best - 1.0)
        builder.row("other", x[chosen], upper=float(chosen.sum()) - 1.0)
        # t + s' theta(M) >= s' theta(M*) - s²
        row, slopes = np.arange(len(touched))[:, None], 2.0 * np.array(touched)
        entries = row_entries((row, x, np.outer(slopes, gains)), (row, square, 1.0))
        sides = slopes * best - np.array(touched) ** 2
        builder.rows("tangent", len(touched), *entries, lower=sides)
        return builder.build()
