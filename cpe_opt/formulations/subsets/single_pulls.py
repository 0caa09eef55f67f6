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
of them is solved, and those that its q breaks join, until there are none:
:mod:`cpe_opt.formulations.subsets.separation`.

**The certificate.** The value is the cost of a multiple of q that keeps all rows, by the largest
left-hand side over all sets or an upper bound on it; the bound is that of the rows in the program.

Garivier, Kaufmann, "Optimal best arm identification with fixed confidence", COLT 2016; Chen, Gupta,
Li, "Pure exploration of multi-armed bandit under matroid constraints", COLT 2016; Jourdan, Mutný,
Kirschner, Krause, "Efficient pure exploration for combinatorial bandits with semi-bandit feedback",
ALT 2021.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Literal, TypeAlias, Unpack

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.inverse_rows import InverseRows
from cpe_opt.formulations.subsets.alternatives import Alternatives
from cpe_opt.formulations.subsets.separation import Separation
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import BoolArray
from cpe_opt.modelling.result import SolveResult
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.ties import on_grid
from cpe_opt.validation import checked_number

SingleMethod: TypeAlias = Literal["cone", "multiplicative"]
_STEPS = 100_000
_FIRST = 2  # rows a element in the first program
_ACCURATE = 1e-8
_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class Certified:
    """What a feasible solution costs, and what none costs less.

    Attributes
    ----------
    value, bound : float
    exploration : float array
        Pulls per ln(1/delta).
    sets : tuple of tuples of int
        What is pulled, where these are sets.
    result : SolveResult or None
    """

    value: float
    bound: float
    exploration: FloatArray
    sets: tuple[tuple[int, ...], ...] = ()
    result: SolveResult | None = None


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
    """T* from single pulls, for one best set and at least one other.

    Parameters
    ----------
    alternatives : Alternatives
    sigma : float
    prices : float array, shape (n,)
    method : "cone" or "multiplicative"
    **solving
        As for :func:`cpe_opt.solve`; ``time_limit`` is for all. With "cone" the others are the cone
        program's, with "multiplicative" those of the integer programs, and refused where there are
        none.
    """
    limit = solving.pop("time_limit", None)
    deadline = math.inf
    if limit is not None:
        deadline = time.perf_counter() + checked_number("time_limit", limit, above=0.0)
    conic, exact = (solving, SolveOptions()) if method == "cone" else (SolveOptions(), solving)
    if alternatives.complete:
        what = f"the time of {alternatives.decisions.name} by {method!r}"
        refuse_unused(exact, what, instead=("cone",))
    search = Separation(alternatives, sigma**2, **exact)
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
        fresh, ratio = _broken(alternatives, search, active, inverse, deadline)
        cost = float(rows.prices @ amounts) * max(1.0, ratio)
        bound = max(best.bound, rows.bound(weights))
        if cost < best.value:
            q = np.zeros(len(prices))
            q[used] = amounts * max(1.0, ratio)
            best = Certified(cost, bound, q, result=result)
        best = Certified(best.value, min(bound, best.value), best.exploration, result=best.result)
        fresh = fresh[~_known(fresh, active)]
        late = time.perf_counter() > deadline
        if late or not len(fresh) or best.value <= best.bound * (1.0 + _ACCURATE):
            return best
        active = np.vstack([active, fresh])


def _first_rows(alternatives: Alternatives) -> FloatArray:
    """For every element the alternatives of the least gap that have it, all where they are few."""
    rows = alternatives.rows
    if len(rows) <= _FIRST * rows.shape[1]:
        return rows
    gaps = on_grid(alternatives.gaps)
    nearest = np.where(rows != 0.0, gaps[:, None], np.inf)
    chosen = nearest.argmin(axis=0)[np.isfinite(nearest).any(axis=0)]
    return np.asarray(rows[np.unique(chosen)])


def _broken(
    alternatives: Alternatives,
    search: Separation,
    active: FloatArray,
    inverse: FloatArray,
    deadline: float,
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
            found, proved = search.exact(rows, inverse, deadline)
            rows = np.vstack([rows, found])
            ratios = search.ratios(rows, inverse)
        else:
            proved = search.simple_bound(inverse)
    worst = np.argsort(-on_grid(ratios), kind="stable")[: rows.shape[1]]
    return np.asarray(rows[worst[ratios[worst] > 1.0 + _ACCURATE]]), proved


def _known(rows: FloatArray, active: FloatArray) -> BoolArray:
    """Which rows are in the program."""
    seen = {row.tobytes() for row in active}
    return np.array([row.tobytes() in seen for row in rows], dtype=np.bool_)
