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

- ``frank-wolfe`` (G), ``multiplicative`` and ``cvxpy`` (G and XY), for lists:
  :mod:`~cpe_opt.formulations.designs.enumerated`;
- ``columns``, for decision classes: :mod:`~cpe_opt.formulations.designs.column_generation`;
- ``cyclic``, for all k of n: :mod:`~cpe_opt.formulations.designs.cyclic`.

Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020), appendix D; F. Pukelsheim, *Optimal Design of
Experiments*, 1993.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias, Unpack, get_args

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, SolverFailed, UnknownName
from cpe_opt.formulations.designs.column_generation import g_columns, xy_columns
from cpe_opt.formulations.designs.cyclic import cyclic_design, g_values, xy_values
from cpe_opt.formulations.designs.design import Design, design_of
from cpe_opt.formulations.designs.enumerated import (
    g_cvxpy,
    g_frank_wolfe,
    g_multiplicative,
    inverse_of,
    xy_cvxpy,
    xy_multiplicative,
)
from cpe_opt.formulations.designs.saddle_columns import Master, Progress
from cpe_opt.formulations.designs.vectors import action_vectors, differences, span_coordinates
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.validation import checked_number, checked_types

XYMethod: TypeAlias = Literal["multiplicative", "cvxpy", "columns", "cyclic"]
Method: TypeAlias = Literal["frank-wolfe", XYMethod]
G_METHODS: tuple[Method, ...] = get_args(Method)
XY_METHODS: tuple[Method, ...] = get_args(XYMethod)
_ACCURATE = 1e-6


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
            vectors, weights = _cyclic(actions, solving)
            value, bound = g_values(vectors, weights)
        else:
            vectors, weights, value = g_columns(
                actions, master=chosen, tolerance=tolerance, progress=progress, **solving
            )
            _check_found(value, actions)
            bound = float(np.linalg.matrix_rank(vectors))
        return design_of(
            actions, vectors, weights, criterion="G", value=value, bound=bound, method=method
        )
    if method != "cvxpy":
        refuse_unused(solving, f"the method {method!r}", ("seed",), instead=("cvxpy",))
    vectors = action_vectors(actions)
    inside = np.matmul(*span_coordinates(vectors))
    result: SolveResult | None = None
    if method == "frank-wolfe":
        weights = g_frank_wolfe(inside, tolerance)
    elif method == "multiplicative":
        weights = g_multiplicative(inside, tolerance)
    else:
        weights, result = g_cvxpy(inside, **solving)
    norms = quadratic_forms(inside, inverse_of(inside, weights))
    # Their mean under the design is the dimension, whatever the design: if not, rounding has won.
    if not abs(weights @ norms - inside.shape[1]) <= _ACCURATE * inside.shape[1]:
        raise SolverFailed(f"{method}: the design is too near a singular one to be computed with")
    bound = float(inside.shape[1])
    return design_of(
        actions,
        vectors,
        weights,
        criterion="G",
        value=max(float(norms.max()), bound),
        bound=bound,
        method=method,
        result=result,
    )


@checked_types
def xy_design(
    actions: npt.ArrayLike | DecisionClass,
    *,
    method: XYMethod | None = None,
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
    master : "interior" or "cvxpy"
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
    by = _checked_method(method, XY_METHODS, actions, "multiplicative")
    chosen = _checked_master(master, ("interior", "cvxpy"), by)
    checked_number("tolerance", tolerance, above=0.0)
    if isinstance(actions, DecisionClass) and by in ("columns", "cyclic"):
        if by == "cyclic":
            vectors, weights = _cyclic(actions, solving)
            value, bound = xy_values(actions, vectors, weights)
        else:
            vectors, weights, value, bound = xy_columns(
                actions, master=chosen, tolerance=tolerance, progress=progress, **solving
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
    refuse_unused(solving, "the method 'cyclic'", ("seed",), instead=("cvxpy",))
    if not isinstance(decisions, TopK):
        raise InputError(f"the cyclic construction is for k of n, not for {decisions.name}")
    return cyclic_design(decisions.size, decisions.k, seed=solving.get("seed", 0))


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
