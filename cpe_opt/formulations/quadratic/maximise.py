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
============ =================== ===============================================================

**The integer program**

.. math:: \max \; \sum_i (W_{ii} + d_i) x_i + 2 \sum_{i<j} W_{ij} y_{ij} \quad\text{s.t.}\quad
    x \in \{\chi_M\}, \quad y_{ij} = x_i x_j .

The rows of the class in ``x`` (:meth:`cpe_opt.DecisionClass.program_rows`), and products ``y_i_j``
for i < j with rows ``left_i_j``, ``right_i_j`` (:math:`y \le x_i, x_j`), ``both_i_j``
(:math:`y \ge x_i + x_j - 1`), and, where all sets have k elements, ``pairs_i``:
:math:`\sum_j y_{ij} = (k - 1) x_i`. A set M that is left out is one row more, ``other``:
:math:`\sum_{i \in M} x_i \le |M| - 1`, because no set contains another.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, check_sums, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.quadratic import local_search as search
from cpe_opt.formulations.quadratic.bounds import spectral_bound
from cpe_opt.formulations.quadratic.local_search import ascent, local_maxima, quadratic_value
from cpe_opt.formulations.subsets.oracle import checked_weights
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, Status
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import first_largest
from cpe_opt.validation import Numbers, PositiveInt, checked_types

Method: TypeAlias = Literal["peeling", "greedy", "swap", "ascent", "exact", "bound"]
STARTS = 60


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class EllipsoidMaximum(Answer):
    """A set with a large quadratic value; ``value`` is recomputed.

    ``bound`` is infinite, and ``gap`` not a number, where the method knows no bound on all sets.

    Attributes
    ----------
    elements : tuple of int
        In ascending order.
    """

    elements: tuple[int, ...]

    @property
    def ratio(self) -> float | None:
        """At least this share of the optimum: 1 where the bound is attained, even at 0 or below.

        None without a bound, and where the value is negative: there is no share of the optimum.
        """
        if math.isinf(self.bound) or (self.value < 0.0 and self.value < self.bound):
            return None
        return 1.0 if self.value == self.bound else self.value / self.bound

    def report(self, problem: SubsetBandit) -> dict[str, Any]:
        """The set by the labels of its elements."""
        return {"set": problem.decisions.describe(self.elements)}


@checked_types
@shows_progress("the largest quadratic form")
def ellipsoid_maximum(
    decisions: int | DecisionClass,
    matrix: Numbers,
    method: Method = "swap",
    *,
    linear: Numbers | None = None,
    starts: PositiveInt | None = None,
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> EllipsoidMaximum:
    """A set with a large, or the largest, quadratic value.

    Parameters
    ----------
    decisions : int or DecisionClass
        k for all sets of k elements.
    matrix : array_like, shape (n, n)
        W, symmetric, of any sign.
    method : str
        See the table above. ``swap`` is for k of n; ``bound`` takes ``swap`` there and ``ascent``
        elsewhere.
    linear : array_like, shape (n,), optional
        d, 0 by default.
    starts : int, optional
        Of ``swap``, ``ascent`` and ``bound``, which start with these; 60 by default. The random
        ones come from ``seed``.
    progress : bool or callable, optional
        As for :func:`cpe_opt.copeland_bound`.
    **solving
        As for :func:`cpe_opt.solve`, for ``exact`` (``highs`` by default; ``scip``, ``cp-sat``);
        the other methods take ``seed`` only.

    Raises
    ------
    InputError, UnknownName, NotOptimal

    Examples
    --------
    >>> widest = ellipsoid_maximum(2, [[2, 1, 0], [1, 2, 0], [0, 0, 3]], "exact")
    >>> widest.elements, widest.value
    ((0, 1), 6.0)
    """
    matrix, decisions, linear = checked_form(matrix, decisions, linear)
    if starts is not None and method in ("exact", "peeling", "greedy"):
        raise InputError(f"starts is {starts!r}, which has no effect with method {method!r}")
    starts = STARTS if starts is None else starts
    if method == "exact":
        return _exact(matrix, decisions, linear, **solving)
    refuse_unused(
        solving, f"ellipsoid_maximum with method {method!r}", ("seed",), instead=("exact",)
    )
    if not isinstance(decisions, TopK) and method in ("peeling", "greedy", "swap"):
        raise InputError(f"{method} is for k of n elements; for {decisions.name} use 'ascent'")
    if method in ("peeling", "greedy"):
        rule = search.peeling if method == "peeling" else search.greedy
        ends = rule(matrix, decisions.rank, np.ones(1), linear[None, :])
    elif method == "ascent":
        rng = np.random.default_rng(solving.get("seed", 0))
        ends = ascent(matrix, decisions, linear, starts, rng)
    else:
        rng = np.random.default_rng(solving.get("seed", 0))
        ends = local_maxima(matrix, decisions, linear, starts, rng)
    reached = search.values(matrix, np.ones(len(ends)), np.tile(linear, (len(ends), 1)), ends)
    members = tuple(np.flatnonzero(ends[int(first_largest(reached))]).tolist())
    value = quadratic_value(matrix, linear, members)
    bound = math.inf
    if method == "bound":
        bounds = (spectral_bound(matrix, k, linear, value=value) for k in decisions.sizes)
        bound = max(value, *(each.value for each in bounds))
    return EllipsoidMaximum(elements=members, value=value, bound=bound, method=method)


def peeling_ratio(matrix: npt.ArrayLike, k: int) -> float:
    r"""What peeling is sure to reach of the optimum, for W ≻ 0 (Theorem 1).

    :math:`\frac{1}{k-1} \frac{\lambda_{\min}}{\lambda_{\max}} \alpha` with
    :math:`\alpha = \frac{k(k-1)}{n(n-1)}`: dropping the vertex of least degree from r leaves at
    least :math:`1 - 2/r` of the weight. For k = 1 the greatest diagonal entry is at least
    :math:`\lambda_{\min} / \lambda_{\max}` of any other.
    """
    matrix, decisions, _ = checked_form(matrix, k, None)
    n, k = decisions.size, decisions.rank
    eigenvalues = np.linalg.eigvalsh(matrix)
    if eigenvalues[0] <= 0:
        raise InputError("the guarantee of Theorem 1 needs a positive definite matrix")
    conditioned = float(eigenvalues[0] / eigenvalues[-1])
    if k in (1, n):
        return conditioned if k == 1 else 1.0
    return conditioned * k / (n * (n - 1))


def _exact(
    matrix: FloatArray,
    decisions: DecisionClass,
    linear: FloatArray,
    **solving: Unpack[SolveOptions],
) -> EllipsoidMaximum:
    result = solve(
        ellipsoid_maximum_program(decisions, matrix, linear=linear), check=False, **solving
    )
    # Within a gap that the caller allows the bound tells what the optimum may be.
    if result.status not in (Status.OPTIMAL, Status.GAP_LIMIT) or result.x is None:
        raise NotOptimal(result)
    members = decisions.check(np.flatnonzero(result.x[: decisions.size] > 0.5).tolist())
    value = quadratic_value(matrix, linear, members)
    bound = value if result.bound is None else max(value, result.bound)
    return EllipsoidMaximum(
        elements=members, value=value, bound=bound, method="exact", result=result
    )


# Maximisation of a quadratic form over a decision class as an integer program.


_SYMMETRY = 1e-9


@checked_types
def ellipsoid_maximum_program(
    decisions: int | DecisionClass,
    matrix: Numbers,
    *,
    linear: Numbers | None = None,
    other_than: Iterable[int] | None = None,
) -> LinearProgram:
    """The integer program of :func:`cpe_opt.ellipsoid_maximum`.

    The set ``other_than`` is left out, by the row ``other``.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> program = ellipsoid_maximum_program(2, [[2, 1, 0], [1, 2, 0], [0, 0, 3]])
    >>> cpe.solve(program).objective
    6.0
    """
    matrix, decisions, linear = checked_form(matrix, decisions, linear)
    n = len(matrix)
    builder = ProgramBuilder("ellipsoid", sense="max")
    x = builder.columns("x", n, cost=np.diag(matrix) + linear, upper=1.0, integer=True)
    decisions.program_rows(builder, x, integer=True)
    first, second = np.triu_indices(n, 1)
    pairs = np.column_stack([first, second])
    y = builder.columns("y", pairs, cost=2.0 * matrix[first, second], upper=1.0, integer=True)
    builder.sums("left", pairs, (1.0, y), (-1.0, x[first]), upper=0.0)
    builder.sums("right", pairs, (1.0, y), (-1.0, x[second]), upper=0.0)
    builder.sums("both", pairs, (1.0, x[first]), (1.0, x[second]), (-1.0, y), upper=1.0)
    if len(decisions.sizes) == 1:
        pairs_of = [y[(first == i) | (second == i)] for i in range(n)]
        builder.sums("pairs", n, (1.0, pairs_of), (1.0 - decisions.rank, x), lower=0.0, upper=0.0)
    if other_than is not None:
        members = decisions.check(other_than)
        builder.row("other", x[list(members)], upper=len(members) - 1.0)
    return builder.build()


def checked_form(
    matrix: npt.ArrayLike, decisions: int | DecisionClass, linear: npt.ArrayLike | None
) -> tuple[FloatArray, DecisionClass, FloatArray]:
    """W, the class and d, or :class:`InputError` if they do not fit."""
    matrix = _checked_matrix(matrix)
    n = len(matrix)
    if isinstance(decisions, int):
        decisions = TopK(n, decisions)
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
