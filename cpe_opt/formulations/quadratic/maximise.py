r"""Maximisation of a quadratic form over a decision class: confidence ellipsoids, and more.

.. math:: \max_{M \in \mathcal M} \chi_M^\top W \chi_M + d^\top \chi_M

With :math:`W = A^{-1}` and d = 0 this is the confidence ellipsoid maximisation (CEM) of Kuroki, Xu,
Miyauchi, Honda, Sugiyama (2020) and the pricing problem of optimal designs; W may have any sign.
It is NP-hard. What each method guarantees:

============ =================== ===============================================================
method       classes             answer
============ =================== ===============================================================
``peeling``  k of n              the paper's Algorithm 1: for W ≻ 0 at least the share
                                 :math:`\frac{k}{n(n-1)} \frac{\lambda_{\min}}{\lambda_{\max}}`
                                 of the optimum (:func:`peeling_ratio`)
``greedy``   k of n              no guarantee
``swap``     k of n              no swap of one element improves it; the best of many starts
``ascent``   any                 no set is better for the linearised form; the best of many starts
``exact``    any                 an optimum, by integer programming
``bound``    sets of sizes known ``swap`` or ``ascent``, and a certified upper bound by eigenvalues
``sdp``      sets of sizes known the same with the bound of a semidefinite relaxation
============ =================== ===============================================================

The integer program has the rows of the class in ``x`` and products ``y_i_j`` for i < j with rows
``left_i_j``, ``right_i_j`` (:math:`y \le x_i, x_j`), ``both_i_j`` (:math:`y \ge x_i + x_j - 1`),
and, where all sets have k elements, ``pairs_i``: :math:`\sum_j y_{ij} = (k - 1) x_i`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.magnitude import check_sums
from cpe_opt.formulations.quadratic import local_search as search
from cpe_opt.formulations.quadratic.bounds import semidefinite_bound, spectral_bound
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.formulations.subsets.program import add_class_rows, checked_weights
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import BoolArray, LinearProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult, Status
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import first_largest, on_grid
from cpe_opt.validation import checked_count, checked_number, checked_types

Method: TypeAlias = Literal["peeling", "greedy", "swap", "ascent", "exact", "bound", "sdp"]
METHODS: tuple[Method, ...] = ("peeling", "greedy", "swap", "ascent", "exact", "bound", "sdp")
STARTS = 60
_SYMMETRY = 1e-9
_GAIN = 1e-13  # of the largest entries, each of a set's k² times: less is rounding


@dataclass(frozen=True, eq=False)
class EllipsoidMaximum:
    """A set with a large quadratic value.

    Attributes
    ----------
    elements : tuple of int
    value : float
        Recomputed.
    bound : float or None
        No set has a larger value; None where the method knows nothing of the sort.
    method : str
    result : SolveResult or None
        Of the integer program, where one was solved.
    """

    elements: tuple[int, ...]
    value: float
    bound: float | None
    method: Method
    result: SolveResult | None = None

    @property
    def ratio(self) -> float | None:
        """At least this share of the optimum: 1 where the bound is attained, even at 0 or below.

        None without a bound, and where the value is negative: there is no share of the optimum.
        """
        if self.bound is None or (self.value < 0.0 and self.value < self.bound):
            return None
        return 1.0 if self.value == self.bound else self.value / self.bound


@checked_types
def ellipsoid_maximum(
    matrix: npt.ArrayLike,
    decisions: int | DecisionClass,
    method: Method = "swap",
    *,
    linear: npt.ArrayLike | None = None,
    starts: int | None = None,
    **solving: Unpack[SolveOptions],
) -> EllipsoidMaximum:
    """A set with a large, or the largest, quadratic value.

    Parameters
    ----------
    matrix : array_like, shape (n, n)
        W, symmetric, of any sign.
    decisions : int or DecisionClass
        k for all sets of k elements.
    method : str
        See the table above. ``swap`` is for k of n; ``bound`` and ``sdp`` take ``swap`` there and
        ``ascent`` elsewhere.
    linear : array_like, shape (n,), optional
        d, 0 by default.
    starts : int, optional
        Of ``swap``, ``ascent`` and the bounds, which start with these; 60 by default. The random
        ones come from ``seed``.
    **solving
        As for :func:`cpe_opt.solve`, for ``exact`` (``highs`` by default; ``scip``, ``cp-sat``)
        and ``sdp`` (``clarabel`` by default); the other methods take ``seed`` only.

    Returns
    -------
    EllipsoidMaximum

    Raises
    ------
    InputError, UnknownName, NotOptimal

    Examples
    --------
    >>> found = ellipsoid_maximum([[2, 1, 0], [1, 2, 0], [0, 0, 3]], 2, "exact")
    >>> found.elements, found.value
    ((0, 1), 6.0)
    """
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    matrix, decisions, linear = _checked(matrix, decisions, linear)
    if starts is not None and method in ("exact", "peeling", "greedy"):
        raise InputError(f"starts is {starts!r}, which has no effect with method {method!r}")
    starts = STARTS if starts is None else checked_count("starts", starts)
    if method == "exact":
        return _exact(matrix, decisions, linear, **solving)
    if method != "sdp":
        refuse_unused(solving, f"ellipsoid_maximum with method {method!r}", ("seed",))
    if not isinstance(decisions, TopK) and method in ("peeling", "greedy", "swap"):
        raise InputError(f"{method} is for k of n elements; for {decisions.name} use 'ascent'")
    if method in ("peeling", "greedy"):
        rule = search.peeling if method == "peeling" else search.greedy
        ends = rule(matrix, decisions.rank, np.ones(1), linear[None, :])
    elif method == "ascent":
        rng = np.random.default_rng(solving.get("seed", 0))
        ends = _ascent(matrix, decisions, linear, starts, rng)
    else:
        rng = np.random.default_rng(solving.get("seed", 0))
        ends = local_maxima(matrix, decisions, linear, starts, rng)
    reached = search.values(matrix, np.ones(len(ends)), np.tile(linear, (len(ends), 1)), ends)
    members = tuple(np.flatnonzero(ends[int(first_largest(reached))]).tolist())
    found = _value(matrix, linear, members)
    bound = None
    if method in ("bound", "sdp"):
        bound = quadratic_bound(matrix, decisions, linear, method=method, value=found, **solving)
        bound = max(found, bound)
    return EllipsoidMaximum(members, found, bound, method)


def quadratic_bound(
    matrix: npt.ArrayLike,
    decisions: int | DecisionClass,
    linear: npt.ArrayLike | None = None,
    *,
    method: Literal["bound", "sdp"] = "bound",
    value: float | None = None,
    **solving: Unpack[SolveOptions],
) -> float:
    """No set of the class has a larger value; see :mod:`cpe_opt.formulations.quadratic.bounds`.

    ``value`` is one that is attained, if any is known.
    """
    if method not in ("bound", "sdp"):
        raise UnknownName("method", method, ("bound", "sdp"))
    matrix, decisions, linear = _checked(matrix, decisions, linear)
    attained = -np.inf if value is None else checked_number("value", value)
    if method == "sdp":
        return max(semidefinite_bound(matrix, k, linear, **solving) for k in decisions.sizes)
    refuse_unused(solving, f"quadratic_bound with method {method!r}", ("seed",))
    return max(spectral_bound(matrix, k, linear, value=attained).value for k in decisions.sizes)


def peeling_ratio(matrix: npt.ArrayLike, k: int) -> float:
    r"""What peeling is sure to reach of the optimum, for W ≻ 0 (Theorem 1).

    :math:`\frac{1}{k-1} \frac{\lambda_{\min}}{\lambda_{\max}} \alpha` with
    :math:`\alpha = \frac{k(k-1)}{n(n-1)}`: dropping the vertex of least degree from r leaves at
    least :math:`1 - 2/r` of the weight. For k = 1 the greatest diagonal entry is at least
    :math:`\lambda_{\min} / \lambda_{\max}` of any other.
    """
    matrix, decisions, _ = _checked(matrix, k, None)
    n, k = decisions.size, decisions.rank
    eigenvalues = np.linalg.eigvalsh(matrix)
    if eigenvalues[0] <= 0:
        raise InputError("the guarantee of Theorem 1 needs a positive definite matrix")
    conditioned = float(eigenvalues[0] / eigenvalues[-1])
    if k in (1, n):
        return conditioned if k == 1 else 1.0
    return conditioned * k / (n * (n - 1))


@checked_types
def ellipsoid_maximum_program(
    matrix: npt.ArrayLike, decisions: int | DecisionClass, *, linear: npt.ArrayLike | None = None
) -> LinearProgram:
    """The integer program of :mod:`cpe_opt.formulations.quadratic.maximise`."""
    matrix, decisions, linear = _checked(matrix, decisions, linear)
    n = len(matrix)
    builder = ProgramBuilder("ellipsoid", sense="max")
    x = builder.columns("x", n, cost=np.diag(matrix) + linear, upper=1.0, integer=True)
    add_class_rows(decisions, builder, x, integer=True)
    first, second = np.triu_indices(n, 1)
    pairs = np.column_stack([first, second])
    y = builder.columns("y", pairs, cost=2.0 * matrix[first, second], upper=1.0, integer=True)
    every = np.arange(len(pairs))
    twice, signs = np.concatenate([every, every]), np.repeat([1.0, -1.0], len(pairs))
    for name, end in (("left", first), ("right", second)):
        builder.rows(name, pairs, twice, np.concatenate([y, x[end]]), signs, upper=0.0)
    builder.rows(
        "both",
        pairs,
        np.concatenate([every, every, every]),
        np.concatenate([x[first], x[second], y]),
        np.repeat([1.0, 1.0, -1.0], len(pairs)),
        upper=1.0,
    )
    if len(decisions.sizes) == 1:
        builder.rows(
            "pairs",
            n,
            np.concatenate([first, second, np.arange(n)]),
            np.concatenate([y, y, x]),
            np.concatenate([np.ones(2 * len(pairs)), np.full(n, 1.0 - decisions.rank)]),
            lower=0.0,
            upper=0.0,
        )
    return builder.build()


def _exact(
    matrix: FloatArray,
    decisions: DecisionClass,
    linear: FloatArray,
    **solving: Unpack[SolveOptions],
) -> EllipsoidMaximum:
    result = solve(
        ellipsoid_maximum_program(matrix, decisions, linear=linear), check=False, **solving
    )
    # Within a gap that the caller allows the bound tells what the optimum may be.
    if result.status not in (Status.OPTIMAL, Status.GAP_LIMIT) or result.x is None:
        raise NotOptimal(result)
    members = decisions.check(np.flatnonzero(result.x[: decisions.size] > 0.5).tolist())
    value = _value(matrix, linear, members)
    bound = value if result.bound is None else max(value, result.bound)
    return EllipsoidMaximum(members, value, bound, "exact", result)


def local_maxima(
    matrix: FloatArray,
    decisions: DecisionClass,
    linear: FloatArray,
    starts: int,
    rng: np.random.Generator,
) -> BoolArray:
    """Sets that local search ends at from several starts; indicators, shape (starts, n).

    Swap search for k of n, ascent for every other class.
    """
    if not isinstance(decisions, TopK):
        return _ascent(matrix, decisions, linear, starts, rng)
    k, one = decisions.rank, np.ones(1)
    begin = [
        search.peeling(matrix, k, one, linear[None, :]),
        search.greedy(matrix, k, one, linear[None, :]),
        search.random_starts(rng, max(0, starts - 2), len(matrix), k),
    ]
    chi = np.concatenate(begin)[:starts]
    return search.swap_search(matrix, np.ones(len(chi)), np.tile(linear, (len(chi), 1)), chi)


def _ascent(
    matrix: FloatArray, decisions: DecisionClass, linear: FloatArray, starts: int,
    rng: np.random.Generator,
) -> BoolArray:  # fmt: skip
    r"""Maximise the linearised form again and again.

    With c so large that :math:`W + cI \succeq 0`, the form is
    :math:`\chi^\top (W + cI) \chi + (d - c 1)^\top \chi` for 0/1 vectors; it is convex, so it lies
    above its linearisation, and a set that is better for that is better.
    """
    oracle = SubsetOracle(decisions)
    lift = max(0.0, -float(np.linalg.eigvalsh(matrix)[0]))
    gain = _GAIN * float(np.abs(matrix).max() + np.abs(linear).max()) * decisions.rank**2
    ends = []
    for start in range(starts):
        members = _some(
            oracle, np.diag(matrix) + linear if start == 0 else rng.normal(size=len(linear))
        )
        value = _value(matrix, linear, members)
        while True:
            chi = indicators([members], decisions.size)[0]
            better = _some(oracle, 2.0 * (matrix @ chi + lift * chi) + linear - lift)
            reached = _value(matrix, linear, better)
            if reached <= value + gain:
                break
            members, value = better, reached
        ends.append(members)
    return indicators(ends, decisions.size) > 0.5


def _some(oracle: SubsetOracle, weights: FloatArray) -> tuple[int, ...]:
    members = oracle.maximise(on_grid(weights))
    if members is None:
        raise InputError(f"{oracle.decisions.name} has no set")
    return members


def _value(matrix: FloatArray, linear: FloatArray, members: Iterable[int]) -> float:
    chosen = list(members)
    return float(matrix[np.ix_(chosen, chosen)].sum() + linear[chosen].sum())


def _checked(
    matrix: npt.ArrayLike, decisions: int | DecisionClass, linear: npt.ArrayLike | None
) -> tuple[FloatArray, DecisionClass, FloatArray]:
    """W, the class and d, or :class:`InputError` where they do not fit."""
    matrix = _checked_matrix(matrix)
    n = len(matrix)
    if isinstance(decisions, int | np.integer) and not isinstance(decisions, bool):
        decisions = TopK(n, int(decisions))
    if not isinstance(decisions, DecisionClass):
        raise InputError(f"decisions is {decisions!r}, expected k or a DecisionClass")
    if decisions.size != n:
        raise InputError(f"the matrix is {n} × {n}, and {decisions.name} has {decisions.size}")
    return matrix, decisions, checked_weights(decisions, np.zeros(n) if linear is None else linear)


def _checked_matrix(matrix: npt.ArrayLike) -> FloatArray:
    """A symmetric float matrix, or :class:`InputError`."""
    array = checked_array("the matrix", matrix)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or not array.size:
        raise InputError(f"the matrix has shape {array.shape}, expected a square one")
    if not np.isfinite(array).all():
        i, j = (int(index[0]) for index in np.nonzero(~np.isfinite(array)))
        raise InputError(f"entry ({i}, {j}) of the matrix is {array[i, j]}, expected a number")
    check_sums("the matrix", array)
    if np.abs(array - array.T).max() > _SYMMETRY * np.abs(array).max():
        i, j = divmod(int(np.abs(array - array.T).argmax()), len(array))
        raise InputError(
            f"the matrix is not symmetric: ({i}, {j}) is {array[i, j]}, ({j}, {i}) {array[j, i]}"
        )
    return np.asarray((array + array.T) / 2.0)


__all__ = [
    "METHODS",
    "EllipsoidMaximum",
    "Method",
    "ellipsoid_maximum",
    "ellipsoid_maximum_program",
    "local_maxima",
    "peeling_ratio",
    "quadratic_bound",
]
