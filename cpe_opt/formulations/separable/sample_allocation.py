r"""Sample allocations: how many samples of which group.

:math:`\min \sum_i a_i^2 / y_i`, :math:`a_i = n_i \sqrt{\theta_i}`,
:math:`y_i \ge 1` whole, :math:`\sum y_i \le k`.

- ``greedy``: the paper's GreedyOSA, see below.
- ``milp``: columns ``more_i_j``, 1 where arm i gets at least j more than the base, worth its gain
  :math:`a_i^2 / y(y+1)`; row ``budget``.
- ``continuous``: real :math:`y \ge 1`, in closed form; :func:`sample_allocation_program` has the
  cone program. By duality no allocation is better, for any :math:`\lambda \ge 0`, than

  .. math:: \sum_i \min_{y \ge 1} \left(\tfrac{a_i^2}{y} + \lambda y\right) - \lambda k .

Where θ is all 0 every allocation is optimal, and the lexicographically first is all ones.

**GreedyOSA** starts from the base
:math:`\max(1, \lfloor \alpha_i - \sum_{j \ne i} \delta_j \rfloor)`,
:math:`\alpha_i = k a_i / \sum_j a_j`, :math:`\delta_i = 0` where :math:`\lceil\alpha_i\rceil
(\lceil\alpha_i\rceil - 1) \ge \alpha_i^2` and :math:`\lceil\alpha_i\rceil - \alpha_i` else, and
adds one sample where it helps most; of the last ones, which help equally, those with the largest
index. As gains fall with every sample, no allocation is better.

The base is safe, the floor of the real optimum is not (Lemma 8); where :math:`a_i = 0` the
printed :math:`\delta_i = 0` is not either, and 1 takes its place. Gains within a relative 1e-12
count as equal.

Of large budgets most samples are given at once: with :math:`x_i = (k - m) a_i / \sum_j a_j` those
whose gain :math:`a_i^2 / y (y - 1)` is above :math:`(a_i / x_i)^2`, the same for all i. They are
:math:`\lfloor \frac12 + \sqrt{\frac14 + x_i^2} \rfloor \le x_i + 1` of each arm, and so no more
than k, and all but 1.5 m.

Huang, Ok, Li, Chen (IJCAI 2018), appendix B.2.
"""

from __future__ import annotations

import heapq
import math
import time
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Unpack, overload

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, check_sums, checked_array, unit_of
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.registry import require_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import Numbers, PositiveInt, checked_types

Method: TypeAlias = Literal["greedy", "milp", "continuous"]
ProgramMethod: TypeAlias = Literal["milp", "continuous"]
_EQUAL, _ROUNDING = 1e-12, 1e-11


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Allocation(Answer):
    """A best allocation of samples.

    Attributes
    ----------
    allocation : int array, shape (m,)
        Samples of each group; floats for the method ``continuous``.
    """

    allocation: npt.NDArray[Any]

    def report(self, problem: SeparableProblem) -> dict[str, Any]:
        """The samples by the groups' labels."""
        amounts = map(float, self.allocation)
        return {"decision": dict(zip(problem.model.labels, amounts, strict=True))}


@checked_types
@shows_progress("the best allocation")
def sample_allocation(
    theta: Numbers,
    sizes: Numbers,
    budget: PositiveInt,
    method: Method = "greedy",
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> Allocation:
    """How many samples to take of each group.

    Parameters
    ----------
    theta : array_like, shape (m,)
        Variances, 0 or more.
    sizes : array_like, shape (m,)
        Group sizes n, above 0.
    budget : int
        k, at least m.
    method : "greedy", "milp" or "continuous"
    progress : bool or callable, optional
        As for :func:`cpe_opt.copeland_bound`.
    **solving
        For ``milp``, as for :func:`cpe_opt.solve`.

    Returns
    -------
    Allocation
        Its bound is the value for ``greedy``, as the gains of a group's samples fall (appendix
        B.2); the solver's, verified, for ``milp``; that of duality for ``continuous``. Value and
        bound are infinite where a sum of squares overflows.

    Raises
    ------
    InputError, UnknownName, NotOptimal

    Examples
    --------
    >>> best = sample_allocation([0.25, 0.01, 0.09], [10, 10, 20], 12)
    >>> best.allocation.tolist(), round(best.value, 9), best.gap
    ([5, 1, 6], 12.0, 0.0)
    """
    scale, unit = checked_scale(theta, sizes, budget)
    if method != "milp":
        refuse_unused(solving, f"sample_allocation with method {method!r}", instead=("milp",))
    if method == "greedy":
        allocation = greedy_allocation(scale, budget)
        value = _objective(scale, unit, allocation)
        return Allocation(value=value, bound=value, method=method, allocation=allocation)
    if method == "milp":
        return _by_program(scale, unit, budget, solving)
    real = _continuous_allocation(scale, budget)
    value = _objective(scale, unit, real)
    bound = min(value, _dual_bound(scale, unit, budget, real))
    return Allocation(value=value, bound=bound, method=method, allocation=real)


def _by_program(scale: FloatArray, unit: float, budget: int, solving: SolveOptions) -> Allocation:
    require_backend(solving.get("solver", "highs"), "MIP")
    base = safe_base(scale, budget)
    if base.sum() == budget:  # no column is left to decide on
        value = _objective(scale, unit, base)
        return Allocation(value=value, bound=value, method="milp", allocation=base)
    result = solve(_increments(scale, unit, budget), **solving)
    if result.x is None or result.bound is None:
        raise NotOptimal(result)
    more = result.x.reshape(len(base), budget - int(base.sum())) > 0.5
    allocation = base + more.sum(axis=1)
    return Allocation(
        value=_objective(scale, unit, allocation),
        bound=result.bound,
        method="milp",
        result=result,
        allocation=allocation,
    )


def _objective(scale: FloatArray, unit: float, allocation: npt.NDArray[Any]) -> float:
    """The sum of a² / y."""
    with np.errstate(over="ignore"):
        return float((scale**2 / allocation).sum() * unit * unit)


def _dual_bound(scale: FloatArray, unit: float, budget: int, real: FloatArray) -> float:
    """The bound at the multiplier at which all groups with more than one sample gain equally."""
    price = float(((scale / real) ** 2).max())
    each = np.where(scale**2 > price, 2.0 * scale * math.sqrt(price), scale**2 + price)
    with np.errstate(over="ignore"):
        return float((each.sum() - price * budget) * unit * unit)


@overload
def sample_allocation_program(
    theta: npt.ArrayLike, sizes: npt.ArrayLike, budget: int, *, method: Literal["milp"] = "milp"
) -> LinearProgram: ...


@overload
def sample_allocation_program(
    theta: npt.ArrayLike, sizes: npt.ArrayLike, budget: int, *, method: Literal["continuous"]
) -> ConicProgram: ...


@checked_types
def sample_allocation_program(
    theta: Numbers,
    sizes: Numbers,
    budget: PositiveInt,
    *,
    method: ProgramMethod = "milp",
) -> LinearProgram | ConicProgram:
    """The program whose optimum is the least objective, for the data of :func:`sample_allocation`.

    ``method`` is ``milp``, the integer program of the increments over the base, or ``continuous``,
    the cone program of real amounts ``allocation``.

    Examples
    --------
    >>> sample_allocation_program([0.25, 0.01, 0.09], [10, 10, 20], 12, method="continuous")
    ConicProgram('sample_allocation', 3 variables, 4 constraints, min)
    """
    scale, unit = checked_scale(theta, sizes, budget)
    if method == "milp":
        return _increments(scale, unit, budget)
    return _real_amounts(scale, unit, budget)


def _increments(scale: FloatArray, unit: float, budget: int) -> LinearProgram:
    base = safe_base(scale, budget)
    scale = in_full(scale, unit)
    left = budget - int(base.sum())
    builder = ProgramBuilder(
        "sample_allocation", sense="min", offset=float((scale**2 / base).sum())
    )
    arm, more = np.repeat(np.arange(len(scale)), left), np.tile(np.arange(1, left + 1), len(scale))
    y = base[arm] + more
    columns = builder.columns(
        "more",
        np.column_stack([arm, more]),
        cost=-(scale[arm] ** 2) / (y * (y - 1.0)),
        upper=1.0,
        integer=True,
    )
    if left:
        builder.row("budget", columns, upper=left)
    return builder.build()


def _real_amounts(scale: FloatArray, unit: float, budget: int) -> ConicProgram:
    import cvxpy as cp

    started = time.perf_counter()
    scale = in_full(scale, unit)
    amount = cp.Variable(len(scale), name="allocation")
    objective = cp.Minimize(scale**2 @ cp.inv_pos(amount))
    problem = cp.Problem(objective, [amount >= 1, np.ones(len(scale)) @ amount <= budget])
    return ConicProgram("sample_allocation", problem, build_seconds=time.perf_counter() - started)


def _continuous_allocation(scale: FloatArray, budget: int) -> FloatArray:
    """Proportional to a, with those that would get less than 1 at 1."""
    allocation = np.ones(len(scale))
    free = scale > 0
    while free.any():
        share = (budget - (~free).sum()) * scale[free] / scale[free].sum()
        if (share >= 1.0).all():
            allocation[free] = share
            break
        free[np.flatnonzero(free)[share < 1.0]] = False
    return allocation


def greedy_allocation(scale: FloatArray, budget: int) -> IntArray:
    """GreedyOSA with :math:`a_i` = ``scale``; shape (m,)."""
    if not scale.any():
        return np.ones(len(scale), dtype=np.int64)
    scale = scale / unit_of(scale)
    allocation = safe_base(scale, budget)
    share = max(0, budget - len(scale)) * scale / scale.sum()
    sure = np.floor(0.5 + np.sqrt(0.25 + share**2) - _ROUNDING * (1.0 + share))
    allocation = np.asarray(np.maximum(allocation, sure.astype(np.int64)))
    left = budget - int(allocation.sum())
    # Roots of gains: squares of entries far below the largest would all be 0.
    heap = [
        (-a / math.sqrt(y * (y + 1.0)), -i)
        for i, (a, y) in enumerate(zip(scale.tolist(), allocation.tolist(), strict=True))
    ]
    heapq.heapify(heap)
    while left:
        # All whose gain is largest, up to rounding; of more than are left, the largest indices.
        best = heap[0][0]
        equal = []
        while heap and heap[0][0] <= best * (1.0 - 0.5 * _EQUAL):
            equal.append(-heapq.heappop(heap)[1])
        for i in sorted(equal, reverse=True)[:left]:
            allocation[i] += 1
            left -= 1
        for i in equal:
            y = float(allocation[i])
            heapq.heappush(heap, (-scale[i] / math.sqrt(y * (y + 1.0)), -i))
    return allocation


def safe_base(scale: FloatArray, budget: int) -> IntArray:
    """GreedyOSA's base, no larger than any optimal allocation."""
    if not scale.any():
        return np.ones(len(scale), dtype=np.int64)
    alpha = budget * scale / scale.sum()
    ceiling = np.ceil(alpha)
    delta = np.where(ceiling * (ceiling - 1.0) >= alpha**2, 0.0, ceiling - alpha)
    delta[alpha == 0.0] = 1.0  # as printed it is 0, though such an arm has one of the samples
    # A base that rounding makes too small costs a step; one too large would be wrong.
    floor = np.floor(alpha - (delta.sum() - delta) - _EQUAL * budget)
    return np.asarray(np.maximum(1, floor), dtype=np.int64)


# The numbers of separable models, checked and brought to a common size.


MOST_SAMPLES = 1e15


def checked_scale(
    theta: npt.ArrayLike, sizes: npt.ArrayLike, budget: int
) -> tuple[FloatArray, float]:
    """A in a unit of its size, and that unit; or :class:`InputError`."""
    variance = checked_array("theta", theta)
    if variance.ndim != 1 or not variance.size:
        raise InputError(f"theta has shape {variance.shape}, expected (m,)")
    variance = checked_vector("theta", theta, len(variance))
    people = checked_vector("sizes", sizes, len(variance))
    if (variance < 0).any():
        raise InputError(f"theta has {variance.min()}, expected variances, 0 or more")
    if not (people > 0).all():
        raise InputError(f"sizes has {people.min():g}, expected numbers above 0")
    if budget < len(variance):
        raise InputError(f"budget is {budget}, expected at least one for each of {len(variance)}")
    if budget > MOST_SAMPLES:
        raise InputError(f"budget is {budget:.3g}, expected at most {MOST_SAMPLES:g} samples")
    # The root of a power of four is exact.
    root = math.ldexp(1.0, math.frexp(unit_of(variance))[1] // 2)
    unit = unit_of(people)
    return people / unit * np.sqrt(variance / root / root), unit * root


def in_full(scale: FloatArray, unit: float) -> FloatArray:
    """A itself, or :class:`InputError` if the objective, a sum of its squares, overflows."""
    if unit > math.sqrt(np.finfo(np.float64).max / (16.0 * len(scale))):
        raise InputError(f"the squares of sizes times theta, of size {unit:g}², overflow")
    return scale * unit


def checked_vector(what: str, values: npt.ArrayLike, size: int) -> FloatArray:
    """The values as a finite vector of this size, or :class:`InputError`."""
    array = checked_array(what, values)
    if array.shape != (size,):
        raise InputError(f"{what} has shape {array.shape}, expected ({size},)")
    if not np.isfinite(array).all():
        raise InputError(f"{what} has an entry that is no finite number")
    check_sums(what, array)
    return array
