r"""Optimal designs over decision classes that cannot be listed, by column generation.

The master keeps a list of sets with their weights and improves these
(:mod:`cpe_opt.formulations.designs.enumerated`); pricing looks for sets outside the list that the
design serves badly. For G these maximise :math:`\chi_M^\top \Lambda_p^{-1} \chi_M`, confidence
ellipsoid maximisation; for XY sets that maximise :math:`\chi_M^\top M \chi_M` join the actions, and
pairs of sets that maximise :math:`(\chi - \chi')^\top \Lambda_p^{-1} (\chi - \chi')` the
differences.

Local search finds such sets, and what certifies a design is an upper bound on the largest values
(:mod:`cpe_opt.formulations.designs.pricing`).

Sets may span less than :math:`\mathbb R^n` (spanning trees of a graph with several blocks,
matchings): designs live in their span, of dimension r, and inverses are pseudo-inverses.
"""

from __future__ import annotations

import math
import time
from typing import Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.designs.enumerated import (
    LogDet,
    g_cvxpy,
)
from cpe_opt.formulations.designs.pricing import DifferencePricing, Pricing
from cpe_opt.formulations.designs.saddle_columns import Master, Progress, saddle_columns
from cpe_opt.formulations.designs.uniform import span_of
from cpe_opt.formulations.designs.vectors import are_rows_of
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.registry import require_backend
from cpe_opt.validation import checked_number

_SHARE = 0.3  # columns that violate by this share of the worst join; steps go as far
_FLAT = 1e-9
_PATIENCE = 10  # rounds that bring nothing


def check_exact(exact: SolveOptions, decisions: DecisionClass, *, needed: bool) -> None:
    """Refuse what is said of a solver where the certificate needs none."""
    if not needed:
        refuse_unused(exact, f"the certificate for {decisions.name}")
    elif "solver" in exact:
        require_backend(exact["solver"], "MIP")


def g_columns(
    decisions: DecisionClass,
    *,
    master: Master = "frank-wolfe",
    tolerance: float = 1e-6,
    progress: Progress | None = None,
    **solving: Unpack[SolveOptions],
) -> tuple[FloatArray, FloatArray, float]:
    """Sets, weights, and a certified upper bound on the G value; shapes (S, n) and (S,).

    Parameters
    ----------
    decisions : DecisionClass
    master : "frank-wolfe" or "cvxpy"
    tolerance : float
        On the certified gap.
    progress : callable, optional
        Called with the number of sets and the gap certified so far.
    **solving
        ``time_limit`` and ``seed`` are the loop's. With the master "cvxpy" the others are its
        own, with another one those of the integer programs of the certificate.
    """
    rng = np.random.default_rng(solving.pop("seed", 0))
    time_limit = checked_limit(solving.pop("time_limit", None))
    conic, exact = _parted(master, solving)
    started = time.perf_counter()
    spanning, basis = span_of(decisions, rng)
    pricing = Pricing(decisions, rng, **exact)
    check_exact(exact, decisions, needed=pricing.solves_programs)
    oracle = SubsetOracle(decisions)
    more = [oracle.maximise(rng.normal(size=decisions.size)) for _ in range(2 * decisions.size)]
    start = [members for members in more if members is not None]
    sets = np.unique(np.vstack([spanning, indicators(start, decisions.size)]), axis=0)
    loop = LogDet(sets @ basis, np.ones(len(sets)))
    r = loop.dimension
    best = (sets, loop.weights, math.inf)
    stalled = 0
    while True:
        full = basis @ loop.inverse @ basis.T
        fresh = pricing.columns(full)
        values = quadratic_forms(fresh, full)
        worst = max(float(values.max()), float(loop.g.max()))
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
        late = time_limit is not None and time.perf_counter() - started > time_limit
        if best[2] <= r * (1.0 + tolerance) or late or stalled > _PATIENCE:
            break
        if len(joining):
            sets = np.vstack([sets, joining])
            loop.add(joining @ basis)
        if master == "cvxpy":
            loop = LogDet(sets @ basis, np.maximum(g_cvxpy(sets @ basis, **conic)[0], 1e-12))
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
    master: Master = "interior",
    tolerance: float = 1e-6,
    progress: Progress | None = None,
    **solving: Unpack[SolveOptions],
) -> tuple[FloatArray, FloatArray, float, float]:
    """Sets, weights, certified bounds above and below the best XY value of their own value.

    The first bound is on the XY value of this design, the second on that of any design; parameters
    are those of :func:`g_columns`, with ``master`` "interior" or "cvxpy".
    """
    rng = np.random.default_rng(solving.pop("seed", 0))
    time_limit = checked_limit(solving.pop("time_limit", None))
    conic, exact = _parted(master, solving)
    started = time.perf_counter()
    spanning, basis = span_of(decisions, rng)
    pricing = Pricing(decisions, rng, **exact)
    difference_pricing = DifferencePricing(decisions, rng, **exact)
    check_exact(
        exact, decisions, needed=pricing.solves_programs or difference_pricing.solves_programs
    )
    left = None if time_limit is None else started + time_limit
    return saddle_columns(
        spanning,
        basis,
        pricing,
        difference_pricing,
        master=master,
        tolerance=tolerance,
        deadline=left,
        progress=progress,
        conic=conic,
    )


def checked_limit(seconds: float | None) -> float | None:
    """A limit on time, if there is one."""
    return None if seconds is None else checked_number("time_limit", seconds, above=0.0)


def _parted(master: Master, solving: SolveOptions) -> tuple[SolveOptions, SolveOptions]:
    """What the caller said of solvers: for the conic master, for the certificate's programs."""
    return (solving, SolveOptions()) if master == "cvxpy" else (SolveOptions(), solving)
