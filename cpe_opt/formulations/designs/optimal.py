r"""G- and XY-optimal experimental designs over lists of actions and over decision classes.

A design gives each action x a share :math:`p_x` of the samples;
:math:`\Lambda_p = \sum_x p_x x x^\top`. After t samples the estimate of :math:`\theta^\top x` has a
variance proportional to :math:`x^\top \Lambda_p^{-1} x / t`.

- **G**: minimise the largest :math:`x^\top \Lambda_p^{-1} x` over actions. The optimum is the
  dimension of their span (Kiefer and Wolfowitz).
- **XY**: minimise the largest :math:`y^\top \Lambda_p^{-1} y` over differences y of actions.

Every design carries a certificate: ``value`` is an upper bound on its own criterion, ``bound`` a
lower bound on that of any design, ``gap`` the relative distance between the two.

The methods, and where each is described:

- ``frank-wolfe`` (G), ``multiplicative`` (XY) and ``cvxpy`` (both), for lists:
  :mod:`~cpe_opt.formulations.designs.enumerated`;
- ``columns``, for decision classes: :mod:`~cpe_opt.formulations.designs.column_generation`;
- ``cyclic``, for all k of n: by cyclic shifts of a few blocks, below.

Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020), appendix D; F. Pukelsheim, *Optimal Design of
Experiments*, 1993.

**All k-subsets.** The uniform design over all k of n is optimal, :math:`\Lambda = aI + bJ` with
:math:`a = \frac{k(n-k)}{n(n-1)}`, :math:`b = \frac{k(k-1)}{n(n-1)}`. The n shifts of a block B have
a circulant information matrix, decided by its difference counts :math:`c_B(d)`, the number of
ordered pairs of B that differ by d modulo n. Weights :math:`q_B \ge 0` with
:math:`\sum_B q_B c_B(d) = \frac{k(k-1)}{n-1}` for every d make it :math:`aI + bJ`. Over random
blocks many weights do; those that minimise a random linear function are the only optimal vertex of
a linear program, and so the same with any solver on any machine. A small system of equations makes
them precise.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, SolverFailed
from cpe_opt.formulations.designs.column_generation import (
    OnStep,
    certificate_solves,
    g_columns,
    xy_columns,
)
from cpe_opt.formulations.designs.design import (
    Design,
    action_vectors,
    design_of,
    differences,
    independent_columns,
    inverse_of,
    span_basis,
    span_coordinates,
)
from cpe_opt.formulations.designs.enumerated import (
    g_cvxpy,
    g_frank_wolfe,
    log_det_program,
    minimax_program,
    xy_cvxpy,
    xy_multiplicative,
)
from cpe_opt.formulations.designs.pricing import DifferencePricing
from cpe_opt.formulations.quadratic.bounds import spectral_bound
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.solvers.options import SolveOptions, refuse_unused, solver_option
from cpe_opt.solvers.registry import get_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import Numbers, Positive, checked_types

Method: TypeAlias = Literal["frank-wolfe", "cvxpy", "columns", "cyclic"]
XYMethod: TypeAlias = Literal["multiplicative", "cvxpy", "columns", "cyclic"]
_ACCURATE = 1e-6
_EXACT = 1e-12
_TRIES = 8
_MOST_COST = 2**20
_USED = 1e-9
_AT_ONCE = 1 << 11  # rows


@checked_types
def g_design_program(actions: Numbers | DecisionClass) -> ConicProgram:
    """The G design of a list as a cone program.

    It is :func:`cpe_opt.formulations.designs.enumerated.log_det_program`.

    Parameters
    ----------
    actions : array_like, shape (N, n), or DecisionClass
        Vectors, one a row, or a class that can be listed.

    Raises
    ------
    InputError

    Examples
    --------
    >>> g_design_program([[1, 0], [0, 1], [1, 1]])
    ConicProgram('g_design', 3 variables, 1 constraint, max)
    """
    vectors = action_vectors(actions)
    program = log_det_program(independent_columns(vectors))
    return replace(program, labels=_labels(actions, vectors))


@checked_types
def xy_design_program(actions: Numbers | DecisionClass) -> ConicProgram:
    """The XY design of a list as a cone program, with every difference in it.

    Actions and errors are those of :func:`g_design_program`; see
    :func:`~cpe_opt.formulations.designs.enumerated.minimax_program`.

    Examples
    --------
    >>> xy_design_program([[1, 0], [0, 1]])
    ConicProgram('xy_design', 7 variables, 10 constraints, min)
    """
    vectors = action_vectors(actions)
    inside = independent_columns(vectors)
    program = minimax_program(inside, differences(inside))
    return replace(program, labels=_labels(actions, vectors))


def _labels(actions: npt.ArrayLike | DecisionClass, vectors: FloatArray) -> dict[str, str]:
    """The set that each weight is of; none for a list of vectors."""
    if not isinstance(actions, DecisionClass):
        return {}
    sets = (np.flatnonzero(vector).tolist() for vector in vectors)
    return {f"weights_{place}": actions.describe(members) for place, members in enumerate(sets)}


@checked_types
def g_design(
    actions: Numbers | DecisionClass,
    *,
    method: Method | None = None,
    tolerance: Positive = 1e-6,
    progress: OnStep | None = None,
    **solving: Unpack[SolveOptions],
) -> Design:
    """A G-optimal design.

    Parameters
    ----------
    actions : array_like, shape (N, n), or DecisionClass
        Vectors, one a row, or the indicators of a class that need not be listed.
    method : str, optional
        ``frank-wolfe`` for lists, ``cyclic`` for all k of n, ``columns`` for other classes. The
        methods for lists take classes that can be listed, too.
    tolerance : float
        On the certified gap. A design that misses it (conic solvers end near 1e-5) says so by its
        ``gap``.
    progress : callable, optional
        Of ``columns``; called with the number of sets and the gap so far.
    **solving
        As for :func:`cpe_opt.solve`. ``seed`` is for every method, ``time_limit`` for ``columns``
        and ``cvxpy``; the others are for ``cvxpy`` (``clarabel`` by default), for the linear
        program of ``cyclic``, and for the integer programs by which ``columns`` certifies classes
        that cannot be listed (``highs`` by default).

    Raises
    ------
    InputError, UnknownName

    Examples
    --------
    >>> design = g_design(TopK(36, 10))
    >>> round(design.value, 6), design.gap < 1e-9
    (36.0, True)
    """
    by = _checked_method(method, actions, "frank-wolfe")
    if isinstance(actions, DecisionClass) and by in ("columns", "cyclic"):
        if by == "cyclic":
            vectors, weights = _cyclic(actions, solving)
            value, bound = g_values(vectors, weights)
        else:
            vectors, weights, value = g_columns(
                actions, tolerance=tolerance, progress=progress, **solving
            )
            _check_found(value, actions)
            bound = float(np.linalg.matrix_rank(vectors))
        return design_of(
            actions, vectors, weights, criterion="G", value=value, bound=bound, method=by
        )
    if by != "cvxpy":
        refuse_unused(solving, f"the method {by!r}", ("seed",), instead=("cvxpy",))
    vectors = action_vectors(actions)
    inside = np.matmul(*span_coordinates(vectors))
    result: SolveResult | None = None
    if by == "frank-wolfe":
        weights = g_frank_wolfe(inside, tolerance)
    else:
        weights, result = g_cvxpy(inside, **solving)
    norms = quadratic_forms(inside, inverse_of(inside, weights))
    # Their mean under the design is the dimension, whatever the design: if not, rounding has won.
    if not abs(weights @ norms - inside.shape[1]) <= _ACCURATE * inside.shape[1]:
        raise SolverFailed(f"{by}: the design is too near a singular one to be computed with")
    bound = float(inside.shape[1])
    return design_of(
        actions,
        vectors,
        weights,
        criterion="G",
        value=max(float(norms.max()), bound),
        bound=bound,
        method=by,
        result=result,
    )


@checked_types
def xy_design(
    actions: Numbers | DecisionClass,
    *,
    method: XYMethod | None = None,
    tolerance: Positive = 1e-6,
    progress: OnStep | None = None,
    **solving: Unpack[SolveOptions],
) -> Design:
    """An XY-optimal design; arguments and errors are those of :func:`g_design`.

    The methods are ``multiplicative`` (the default; slow for a small ``tolerance``) and ``cvxpy``
    for lists, ``cyclic`` for all k of n, and ``columns`` for other classes.

    Examples
    --------
    >>> design = xy_design(TopK(10, 5))
    >>> round(design.value, 9)
    36.0
    """
    by = _checked_method(method, actions, "multiplicative")
    if isinstance(actions, DecisionClass) and by in ("columns", "cyclic"):
        if by == "cyclic":
            vectors, weights = _cyclic(actions, solving)
            value, bound = xy_values(actions, vectors, weights)
        else:
            vectors, weights, value, bound = xy_columns(
                actions, tolerance=tolerance, progress=progress, **solving
            )
            _check_found(value / bound if bound else math.inf, actions)
        return design_of(
            actions, vectors, weights, criterion="XY", value=value, bound=bound, method=by
        )
    if by != "cvxpy":
        refuse_unused(solving, f"the method {by!r}", ("seed",), instead=("cvxpy",))
    vectors = action_vectors(actions)
    scaled, coordinates = span_coordinates(vectors)
    differences_kept = differences(scaled) @ coordinates
    if not len(differences_kept):
        raise InputError("all actions are equal: there is nothing to tell apart")
    inside = scaled @ coordinates
    result: SolveResult | None = None
    if by == "multiplicative":
        saddle = xy_multiplicative(inside, differences_kept, tolerance)
    else:
        saddle, result = xy_cvxpy(inside, differences_kept, tolerance, **solving)
    return design_of(
        actions,
        vectors,
        saddle.weights,
        criterion="XY",
        value=max(saddle.value, saddle.bound),
        bound=saddle.bound,
        method=by,
        result=result,
    )


def _cyclic(decisions: DecisionClass, solving: SolveOptions) -> tuple[FloatArray, FloatArray]:
    if not isinstance(decisions, TopK):
        raise InputError(f"the cyclic construction is for k of n, not for {decisions.name}")
    if not _mixes(decisions):
        refuse_unused(solving, f"a cyclic design of {decisions.name}", ("seed",))
    return cyclic_design(decisions.size, decisions.k, **solving)


def _mixes(decisions: TopK) -> bool:
    """Whether a cyclic design mixes blocks, by its linear program."""
    return 1 < decisions.k < decisions.size


def design_solving(
    decisions: DecisionClass, criterion: Literal["G", "XY"], solver: str | None
) -> SolveOptions:
    """``solving`` for the design of a class; nothing where its method does not use the solver."""
    if solver is None:
        return SolveOptions()
    if isinstance(decisions, TopK):
        kind = "LP" if _mixes(decisions) else ""
    else:
        kind = "MIP" if certificate_solves(decisions, criterion) else ""
    return solver_option(solver if kind in get_backend(solver).solves else None)


def _checked_method(
    method: str | None, actions: npt.ArrayLike | DecisionClass, for_lists: str
) -> str:
    if not isinstance(actions, DecisionClass):
        if method in ("columns", "cyclic"):
            raise InputError(f"{method} is for a DecisionClass, and a list of actions was given")
        return method or for_lists
    return method or ("cyclic" if isinstance(actions, TopK) else "columns")


def _check_found(bound: float, decisions: DecisionClass) -> None:
    if math.isinf(bound):
        raise InputError(f"no bound on the design of {decisions.name} was found in the time given")


def cyclic_design(
    size: int, k: int, **solving: Unpack[SolveOptions]
) -> tuple[FloatArray, FloatArray]:
    """Indicators and weights, (sets, n) and (sets,), of a design of all k of ``size``."""
    blocks, shares, seed = np.arange(k)[None, :], np.ones(1), solving.pop("seed", 0)
    if 1 < k < size:
        rng = np.random.default_rng(seed)
        for attempt in range(_TRIES):
            count = 4 * size * 2**attempt
            order = rng.random((count, size)).argsort(axis=1, kind="stable")
            blocks = np.sort(order[:, :k], axis=1)
            counts, first = np.unique(_differences(blocks, size), axis=0, return_index=True)
            blocks = blocks[first]
            mixture = _mixture(counts, rng.integers(1, _MOST_COST, size=len(counts)), solving)
            if mixture is not None:
                # Counts add up to k (k - 1) whatever the block, so the shares add up to 1.
                shares = mixture * (k * (k - 1) / (size - 1))
                break
        else:
            raise SolverFailed(f"no cyclic design for {k} of {size} was found")
    used = shares > 0
    sets = np.concatenate([(blocks[used] + shift) % size for shift in range(size)])
    weights = np.tile(shares[used] / size, size)
    distinct, number = np.unique(np.sort(sets, axis=1), axis=0, return_inverse=True)
    merged = np.bincount(number.ravel(), weights)[::-1]  # indicators in ascending order
    rows = np.zeros((len(distinct), size))
    np.put_along_axis(rows, distinct[::-1], 1.0, axis=1)
    return rows, merged / merged.sum()


def g_values(vectors: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """A certified upper bound on the G value over all k of n, and the least there is."""
    few = _triangle(vectors, weights)
    basis = span_basis(few)
    inverse = basis @ inverse_of(few @ basis, np.ones(len(few))) @ basis.T
    k = round(float(vectors[0].sum()))
    bound = spectral_bound(inverse, k, np.zeros(len(inverse))).value
    return max(bound, float(basis.shape[1])), float(basis.shape[1])


def _triangle(vectors: FloatArray, weights: FloatArray) -> FloatArray:
    """At most n rows with the information matrix of all, from some of them after the others."""
    few = np.zeros((0, vectors.shape[1]))
    for start in range(0, len(vectors), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        rows = np.sqrt(weights[part])[:, None] * vectors[part]
        few = np.asarray(np.linalg.qr(np.vstack([few, rows]), mode="r"))
    return few


def xy_values(
    decisions: DecisionClass, vectors: FloatArray, weights: FloatArray
) -> tuple[float, float]:
    """The XY value of a design of all k of n, bounded from above, and the least there is.

    On vectors that add up to 0, Λ has the trace k(n-k)/n whatever the design, so its inverse has at
    least (n-1)² n / k(n-k) there; the mean of y yᵀ over the widest differences is a multiple of the
    projection on these vectors, and the largest norm is at least their mean.
    """
    n, k = decisions.size, decisions.rank
    if k == n:
        raise InputError(f"{decisions.name} has a single set: there is nothing to tell apart")
    few = _triangle(vectors, weights)
    inverse = inverse_of(few, np.ones(len(few)))
    value = DifferencePricing(decisions, np.random.default_rng(0)).bound(inverse, certify=True)
    optimum = 2.0 * min(k, n - k) * n * (n - 1) / (k * (n - k))
    return max(value, optimum), optimum


def _mixture(counts: IntArray, costs: IntArray, solving: SolveOptions) -> FloatArray | None:
    """The cheapest weights of the rows that add up to 1 in every column; None without any."""
    builder = ProgramBuilder("mixture")
    weights = builder.columns("q", len(counts), cost=costs.astype(np.float64))
    each = counts.shape[1]
    builder.sums("d", each, (counts.T, weights), lower=1.0, upper=1.0)
    result = solve(builder.build(), check=False, **solving)
    if not result.is_optimal or result.x is None:
        return None
    used = np.flatnonzero(result.x > _USED)
    system, ones = counts[used].T.astype(np.float64), np.ones(each)
    precise = np.linalg.lstsq(system, ones, rcond=None)[0]
    if precise.min() <= 0.0 or np.abs(system @ precise - ones).max() > _EXACT:
        return None
    shares = np.zeros(len(counts))
    shares[used] = precise
    return shares


def _differences(blocks: IntArray, size: int) -> IntArray:
    """c_B(d) for d = 1 … n/2; shape (blocks, n // 2)."""
    apart = (blocks[:, :, None] - blocks[:, None, :]) % size
    counts = np.zeros((len(blocks), size // 2), dtype=np.int64)
    for d in range(1, size // 2 + 1):
        counts[:, d - 1] = (apart == d).sum(axis=(1, 2))
    return counts
