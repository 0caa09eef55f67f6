r"""G- and XY-optimal experimental designs over lists of actions and over decision classes.

A design gives each action x a share :math:`p_x` of the samples;
:math:`\Lambda_p = \sum_x p_x x x^\top`. After t samples the estimate of :math:`\theta^\top x` has a
variance proportional to :math:`x^\top \Lambda_p^{-1} x / t`.

- **G**: minimise the largest :math:`x^\top \Lambda_p^{-1} x` over actions. The optimum is the
  dimension of their span (Kiefer and Wolfowitz).
- **XY**: minimise the largest :math:`y^\top \Lambda_p^{-1} y` over differences y of actions.

Every design carries a certificate: ``value`` is an upper bound on its own criterion, ``optimum`` a
lower bound on that of any design, ``gap`` the relative distance between the two.

================== ================================ ================================= method
over                             is described in ================== ================================
================================= ``frank-wolfe``    lists, G
:mod:`~cpe_opt.formulations.designs.enumerated` ``multiplicative`` lists, G and XY
the same ``cvxpy``          lists, G and XY                  the same ``columns``        decision
classes, G and XY       :mod:`~cpe_opt.formulations.designs.column_generation` ``cyclic``
all k of n, G and XY             :mod:`~cpe_opt.formulations.designs.cyclic` ==================
================================ =================================

Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020), appendix D; F. Pukelsheim, *Optimal Design of
Experiments*, 1993.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError, SolverFailed, UnknownName
from cpe_opt.formulations.designs.column_generation import (
    DifferencePricing,
    Master,
    Pricing,
    Progress,
    differences,
    g_columns,
    span_of,
    xy_columns,
)
from cpe_opt.formulations.designs.cyclic import cyclic_design
from cpe_opt.formulations.designs.enumerated import (
    g_cvxpy,
    g_frank_wolfe,
    g_multiplicative,
    inverse_of,
    log_det_program,
    minimax_program,
    xy_cvxpy,
    xy_multiplicative,
)
from cpe_opt.formulations.magnitude import unit_of
from cpe_opt.formulations.quadratic.bounds import spectral_bound
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import BoolArray
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.validation import checked_count, checked_number, checked_types

Method: TypeAlias = Literal["frank-wolfe", "multiplicative", "cvxpy", "columns", "cyclic"]
G_METHODS: tuple[Method, ...] = ("frank-wolfe", "multiplicative", "cvxpy", "columns", "cyclic")
XY_METHODS: tuple[Method, ...] = ("multiplicative", "cvxpy", "columns", "cyclic")
# A singular value above so many rounding errors is one, below so many it is 0.
_CLEAR, _NOISE = 1e4, 10.0
_ACCURATE = 1e-6


@dataclass(frozen=True, eq=False)
class Design:
    """A design and what is certain of it.

    Attributes
    ----------
    support : tuple
        Row numbers of the actions used; for a decision class, their members.
    weights : float array, shape (S,)
        Their shares, above 0; they add up to 1.
    vectors : float array, shape (S, n)
        The actions used.
    criterion : "G" or "XY"
    value : float
        At least the design's criterion.
    optimum : float
        At most the criterion of any design.
    method : str
    """

    support: tuple[int, ...] | tuple[tuple[int, ...], ...]
    weights: FloatArray
    vectors: FloatArray = field(repr=False)
    criterion: Literal["G", "XY"]
    value: float
    optimum: float
    method: str

    @property
    def gap(self) -> float:
        """The certified relative gap, ``value / optimum - 1``."""
        return self.value / self.optimum - 1.0

    @property
    def information(self) -> FloatArray:
        """Λ of the design; shape (n, n)."""
        return np.asarray(self.vectors.T @ (self.weights[:, None] * self.vectors))


@checked_types
def g_design(
    actions: npt.ArrayLike | DecisionClass,
    *,
    method: Method | None = None,
    tolerance: float = 1e-6,
    master: Master | None = None,
    progress: Progress | None = None,
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
        On the certified gap. A design that misses it (``multiplicative`` is slow, conic solvers end
        near 1e-5) says so by its ``gap``.
    master : "frank-wolfe" or "cvxpy"
        Of ``columns``.
    progress : callable, optional
        Of ``columns``; called with the number of sets and the gap so far.
    **solving
        As for :func:`cpe_opt.solve`. ``seed`` is for every method, ``time_limit`` for ``columns``
        and ``cvxpy``; the others are for ``cvxpy`` as a method or a master (``clarabel`` by
        default) and for the integer programs by which ``columns`` with another master certifies
        classes that cannot be listed (``highs`` by default).

    Returns
    -------
    Design

    Raises
    ------
    InputError, UnknownName

    Examples
    --------
    >>> design = g_design(TopK(36, 10))
    >>> round(design.value, 6), design.gap < 1e-9
    (36.0, True)
    """
    method = _checked_method(method, G_METHODS, actions, "frank-wolfe")
    chosen = _checked_master(master, ("frank-wolfe", "cvxpy"), method)
    checked_number("tolerance", tolerance, above=0.0)
    if isinstance(actions, DecisionClass) and method in ("columns", "cyclic"):
        if method == "cyclic":
            refuse_unused(solving, "the method 'cyclic'", ("seed",))
            vectors, weights = _cyclic(actions, solving.get("seed", 0))
            return _of_class(actions, vectors, weights, "G", *_g_value(vectors, weights), method)
        vectors, weights, value = g_columns(
            actions,
            master=chosen,
            tolerance=tolerance,
            progress=progress,
            **solving,
        )
        _check_found(value, actions)
        optimum = float(np.linalg.matrix_rank(vectors))
        return _of_class(actions, vectors, weights, "G", value, optimum, method)
    if method != "cvxpy":
        refuse_unused(solving, f"the method {method!r}", ("seed",))
    vectors = _vectors(actions)
    inside = np.matmul(*_coordinates(vectors))
    if method == "frank-wolfe":
        weights = g_frank_wolfe(inside, tolerance)
    elif method == "multiplicative":
        weights = g_multiplicative(inside, tolerance)
    else:
        weights = g_cvxpy(inside, **solving)
    norms = quadratic_forms(inside, inverse_of(inside, weights))
    # Their mean under the design is the dimension, whatever the design: if not, rounding has won.
    if not abs(weights @ norms - inside.shape[1]) <= _ACCURATE * inside.shape[1]:
        raise SolverFailed(f"{method}: the design is too near a singular one to be computed with")
    value = max(float(norms.max()), float(inside.shape[1]))
    return _of_list(actions, vectors, weights, "G", value, float(inside.shape[1]), method)


@checked_types
def xy_design(
    actions: npt.ArrayLike | DecisionClass,
    *,
    method: Method | None = None,
    tolerance: float = 1e-6,
    master: Master | None = None,
    progress: Progress | None = None,
    **solving: Unpack[SolveOptions],
) -> Design:
    """An XY-optimal design.

    Parameters
    ----------
    actions, tolerance, progress, **solving
        As for :func:`g_design`.
    method : str, optional
        ``multiplicative`` for lists, ``cyclic`` for all k of n, ``columns`` for other classes.
    master : "multiplicative" or "cvxpy"
        Of ``columns``.

    Returns
    -------
    Design

    Raises
    ------
    InputError, UnknownName

    Examples
    --------
    >>> design = xy_design(TopK(10, 5))
    >>> round(design.value, 9)
    36.0
    """
    method = _checked_method(method, XY_METHODS, actions, "multiplicative")
    chosen = _checked_master(master, ("multiplicative", "cvxpy"), method)
    checked_number("tolerance", tolerance, above=0.0)
    if isinstance(actions, DecisionClass) and method in ("columns", "cyclic"):
        if method == "cyclic":
            refuse_unused(solving, "the method 'cyclic'", ("seed",))
            vectors, weights = _cyclic(actions, solving.get("seed", 0))
            value, optimum = _xy_of_subsets(actions, vectors, weights)
            return _of_class(actions, vectors, weights, "XY", value, optimum, method)
        vectors, weights, value, optimum = xy_columns(
            actions,
            master=chosen,
            tolerance=tolerance,
            progress=progress,
            **solving,
        )
        _check_found(value / optimum if optimum else math.inf, actions)
        return _of_class(actions, vectors, weights, "XY", value, optimum, method)
    if method != "cvxpy":
        refuse_unused(solving, f"the method {method!r}", ("seed",))
    vectors = _vectors(actions)
    scaled, coordinates = _coordinates(vectors)
    differences_kept = differences(scaled) @ coordinates
    if not len(differences_kept):
        raise InputError("all actions are equal: there is nothing to tell apart")
    inside = scaled @ coordinates
    if method == "multiplicative":
        saddle = xy_multiplicative(inside, differences_kept, tolerance)
    else:
        saddle = xy_cvxpy(inside, differences_kept, tolerance, **solving)
    value = max(saddle.value, saddle.bound)
    return _of_list(actions, vectors, saddle.weights, "XY", value, saddle.bound, method)


@checked_types
def uniform_design(decisions: DecisionClass, *, sets: int | None = None, seed: int = 0) -> Design:
    """Equal shares for random sets that span the class: what is done without an optimal design.

    Sets that span the class, then best sets for random weights (for k of n: uniform random sets).

    Parameters
    ----------
    decisions : DecisionClass
    sets : int, optional
        How many, 2n by default; repeated ones are left out.
    seed : int

    Returns
    -------
    Design
        With an upper bound on its G value, which may be far from tight, and is infinite for classes
        where none is cheap.
    """
    count = checked_count("sets", 2 * decisions.size if sets is None else sets)
    rng = np.random.default_rng(checked_count("seed", seed, least=0))
    spanning, basis = span_of(decisions, rng)
    if count < len(spanning):
        raise InputError(f"sets is {count}, expected at least {len(spanning)} to span the class")
    oracle = SubsetOracle(decisions)
    found = [oracle.maximise(rng.normal(size=decisions.size)) for _ in range(count)]
    more = indicators([members for members in found if members is not None], decisions.size)
    vectors = np.vstack([spanning, more])[:count]
    vectors = np.unique(vectors, axis=0)
    weights = np.full(len(vectors), 1.0 / len(vectors))
    inside = vectors @ basis
    inverse = basis @ inverse_of(inside, weights) @ basis.T
    worst = float(quadratic_forms(vectors, inverse).max())
    value = max(worst, Pricing(decisions, rng).bound(inverse, worst, certify=False))
    return _of_class(decisions, vectors, weights, "G", value, float(basis.shape[1]), "uniform")


@checked_types
def g_design_program(actions: npt.ArrayLike | DecisionClass) -> ConicProgram:
    """The G design of a list of actions as a cone program; see :func:`log_det_program`.

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
    vectors = _vectors(actions)
    program = log_det_program(vectors @ _span(vectors))
    return replace(program, labels=_labels(actions, vectors))


@checked_types
def xy_design_program(actions: npt.ArrayLike | DecisionClass) -> ConicProgram:
    """The XY design of a list as a cone program, with every difference in it.

    Parameters, errors and the kinds of actions are those of :func:`g_design_program`; see
    :func:`minimax_program`.

    Examples
    --------
    >>> xy_design_program([[1, 0], [0, 1]])
    ConicProgram('xy_design', 7 variables, 10 constraints, min)
    """
    vectors = _vectors(actions)
    basis = _span(vectors)
    program = minimax_program(vectors @ basis, differences(vectors) @ basis)
    return replace(program, labels=_labels(actions, vectors))


def _labels(actions: npt.ArrayLike | DecisionClass, vectors: FloatArray) -> dict[str, str]:
    """The set that each weight is of; none for a list of vectors."""
    if not isinstance(actions, DecisionClass):
        return {}
    sets = (np.flatnonzero(vector).tolist() for vector in vectors)
    return {f"weights_{place}": actions.describe(members) for place, members in enumerate(sets)}


def _cyclic(decisions: DecisionClass, seed: int) -> tuple[FloatArray, FloatArray]:
    if not isinstance(decisions, TopK):
        raise InputError(f"the cyclic construction is for k of n, not for {decisions.name}")
    return cyclic_design(decisions.size, decisions.k, seed=seed)


def _g_value(vectors: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """A certified upper bound on the G value over all k of n, and the least there is."""
    basis = _span(vectors)
    inverse = basis @ inverse_of(vectors @ basis, weights) @ basis.T
    k = round(float(vectors[0].sum()))
    bound = spectral_bound(inverse, k, np.zeros(len(inverse))).value
    return max(bound, float(basis.shape[1])), float(basis.shape[1])


def _xy_of_subsets(
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
    inverse = inverse_of(vectors, weights)
    value = DifferencePricing(decisions, np.random.default_rng(0)).bound(inverse, certify=True)
    optimum = 2.0 * min(k, n - k) * n * (n - 1) / (k * (n - k))
    return max(value, optimum), optimum


def _checked_method(
    method: Method | None,
    known: tuple[Method, ...],
    actions: npt.ArrayLike | DecisionClass,
    for_lists: Method,
) -> Method:
    if method is not None and method not in known:
        raise UnknownName("method", method, known)
    if not isinstance(actions, DecisionClass):
        if method in ("columns", "cyclic"):
            raise InputError(f"{method} is for a DecisionClass, and a list of actions was given")
        return method or for_lists
    return method or ("cyclic" if isinstance(actions, TopK) else "columns")


def _checked_master(master: Master | None, known: tuple[Master, ...], method: str) -> Master:
    """The master of column generation, the first by default; refused with another method."""
    if master is not None and master not in known:
        raise UnknownName("master", master, known)
    if master is not None and method != "columns":
        raise InputError(f"master is {master!r}, which has no effect with the method {method!r}")
    return master or known[0]


def _check_found(bound: float, decisions: DecisionClass) -> None:
    if math.isinf(bound):
        raise InputError(f"no bound on the design of {decisions.name} was found in the time given")


def _vectors(actions: npt.ArrayLike | DecisionClass) -> FloatArray:
    """The actions as rows, or :class:`InputError`."""
    if isinstance(actions, DecisionClass):
        return actions.indicator_matrix()
    vectors = checked_array("actions", actions)
    if vectors.ndim != 2 or 0 in vectors.shape:
        raise InputError(f"actions have shape {vectors.shape}, expected (actions, dimension)")
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise InputError(f"action {row} has an entry that is no finite number")
    if not vectors.any():
        raise InputError("all actions are zero")
    return vectors


def _span(vectors: FloatArray) -> FloatArray:
    """An orthonormal basis of what the rows span; shape (n, r)."""
    _, sizes, directions = np.linalg.svd(vectors, full_matrices=False)
    return np.asarray(directions[_inside(sizes, vectors)].T)


def _coordinates(vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The rows in units of their columns, and a map to coordinates of their span.

    Shapes (N, n) and (n, r). No criterion changes under an invertible linear map. This one makes
    the mean of x xᵀ over the rows the unit matrix.
    """
    units = np.array([unit_of(column) for column in vectors.T])
    scaled = vectors / units
    _, sizes, directions = np.linalg.svd(scaled, full_matrices=False)
    inside = _inside(sizes, scaled)
    return scaled, directions[inside].T * (math.sqrt(len(vectors)) / sizes[inside])


def _inside(sizes: FloatArray, vectors: FloatArray) -> BoolArray:
    """Which singular values are not 0, or :class:`InputError` where that cannot be told."""
    noise = np.finfo(np.float64).eps * (vectors.shape[1] + math.sqrt(len(vectors))) * sizes[0]
    inside = sizes > _CLEAR * noise
    doubtful = ~inside & (sizes > _NOISE * noise)
    if doubtful.any():
        raise InputError(
            f"the actions span {inside.sum()} dimensions and nearly nothing of another "
            f"(singular values {sizes[0]:.3g} and {sizes[doubtful][0]:.3g}): rounding does not let "
            "tell whether it is one; scale the entries of that direction, or leave it out"
        )
    return np.asarray(inside)


def _of_list(
    actions: npt.ArrayLike | DecisionClass,
    vectors: FloatArray,
    weights: FloatArray,
    criterion: Literal["G", "XY"],
    value: float,
    optimum: float,
    method: str,
) -> Design:
    if isinstance(actions, DecisionClass):
        return _of_class(actions, vectors, weights, criterion, value, optimum, method)
    used = np.flatnonzero(weights > 0)
    support = tuple(used.tolist())
    return Design(support, weights[used], vectors[used], criterion, value, optimum, method)


def _of_class(
    decisions: DecisionClass,
    vectors: FloatArray,
    weights: FloatArray,
    criterion: Literal["G", "XY"],
    value: float,
    optimum: float,
    method: str,
) -> Design:
    used = np.flatnonzero(weights > 0)
    support = tuple(tuple(np.flatnonzero(row > 0.5).tolist()) for row in vectors[used])
    return Design(support, weights[used], vectors[used], criterion, value, optimum, method)
