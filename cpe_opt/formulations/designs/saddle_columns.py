r"""The saddle point of an XY design by column generation: sets on one side, rows on the other.

The master keeps a list of sets with a design on them, and a list of rows y with weights; both come
from :mod:`cpe_opt.formulations.designs.interior`, or from a conic solver. Two pricings look for
sets and for rows outside the lists: those with large :math:`\chi^\top M \chi` and with large
:math:`y^\top \Lambda_p^{-1} y`. Upper bounds on the two maxima certify the design.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.enumerated import (
    inverse_of,
    saddle_at,
    xy_cvxpy,
)
from cpe_opt.formulations.designs.interior import central_pulls
from cpe_opt.formulations.designs.pricing import Pricing
from cpe_opt.formulations.designs.vectors import are_rows_of
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.solvers.options import SolveOptions

Progress: TypeAlias = Callable[[int, float], None]
Master: TypeAlias = Literal["frank-wolfe", "interior", "cvxpy"]

_SHARE = 0.3  # of the excess, which a master goes down to
_FLAT = 1e-9
_NEWCOMERS = 3.0  # times the least pull of a column that is good
_FINEST = 1e-10  # share of the optimum: less is rounding
_PATIENCE = 5  # rounds that bring nothing


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
    master: Master = "interior",
    tolerance: float,
    deadline: float | None = None,
    progress: Progress | None = None,
    conic: SolveOptions | None = None,
) -> tuple[FloatArray, FloatArray, float, float]:
    """Sets, weights, certified bounds above and below the least of the largest norms of rows.

    Parameters
    ----------
    sets : float array, shape (S, n)
        To start from; they span what all sets do.
    basis : float array, shape (n, r)
        Of that span, orthonormal; rows lie in it.
    pricing, row_pricing
        Of sets, and of rows.
    master, tolerance, progress
        As for :func:`cpe_opt.xy_design`.
    deadline : float, optional
        Of the clock of ``time.perf_counter``.
    conic : SolveOptions, optional
        Of the master "cvxpy".
    """
    inverse = basis @ inverse_of(sets @ basis, np.full(len(sets), 1.0 / len(sets))) @ basis.T
    differences_kept = row_pricing.columns(inverse)
    if not np.abs(differences_kept).any():
        name = pricing.decisions.name
        raise InputError(f"{name} has a single set: there is nothing to tell apart")
    above, below = math.inf, 0.0
    best = (sets, np.ones(len(sets)) / len(sets))
    pulls, aim, stalled = np.ones(len(sets)), 0.1, 0
    until = math.inf if deadline is None else deadline
    while True:
        vectors, rows = sets @ basis, differences_kept @ basis
        if master == "cvxpy":
            saddle = xy_cvxpy(vectors, rows, aim, **(conic or {}))[0]
        else:
            pulls, mixture = central_pulls(vectors, rows, pulls, aim, until)
            saddle = saddle_at(vectors, rows, pulls / pulls.sum(), mixture)
        inverse, against = (
            _symmetric(basis @ part @ basis.T) for part in (saddle.inverse, saddle.against)
        )
        fresh, rival = pricing.columns(against), row_pricing.columns(inverse)
        values, widths = quadratic_forms(fresh, against), quadratic_forms(rival, inverse)
        listed = saddle.trace**2 / saddle.bound
        largest, widest = max(float(values.max()), listed), max(float(widths.max()), saddle.value)
        excess = widest * largest / saddle.trace**2 - 1.0
        certify = excess <= 0.5 * tolerance
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
        late = time.perf_counter() > until
        if above <= below * (1.0 + tolerance) or late or stalled > _PATIENCE:
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
