r"""The linear oracle over any decision class, with elements that must or must not be in.

.. math:: \max_{M \in \mathcal M} \sum_{e \in M} w_e \quad\text{s.t.}\quad A \subseteq M, \quad
    M \cap R = \emptyset .

================= =================== ==========================================================
method            classes             how
================= =================== ==========================================================
``combinatorial`` those that have one the class's own exact algorithm: greedy for matroids, the
                                      order of vertices for paths without cycles, shortest
                                      augmenting paths for matchings
``assignment``    matchings           OR-Tools' linear sum assignment, in whole numbers
``scipy``         matchings           SciPy's, in floating point
``networkx``      matchings           NetworkX's full matching of least weight
``enumerate``     any, if listable    all sets; the first of those with the largest weight
``program``       those with rows     the linear or integer program below, by any solver
================= =================== ==========================================================

``program`` is the default where a solver is named; else ``combinatorial`` where the class has an
algorithm, ``program`` where it has rows alone, and ``enumerate`` where it has neither.
Where several sets are optimal each method answers one of them, not always the same.

A combinatorial algorithm is exact up to the rounding of sums, so the bound of its answer is its
value; an assignment in whole numbers adds what the rounding of costs may lose; the bound of a
program is that of its verified solve.

No set contains another, so a set other than M lacks an element of M: the best of those is the best
of as many problems as M has elements, each of which forbids one.

**The program.**

.. math:: \max \sum_e w_e x_e \quad\text{s.t.}\quad x \in \mathrm{conv}\{\chi_M\}, \quad
    x_A = 1, \quad x_R = 0 .

Columns ``x_e``, one per element, come first; the rows are the class's own
(:meth:`cpe_opt.DecisionClass.program_rows`):

- top-k: ``size``, :math:`\sum x = k`; partition matroids: ``group_g`` alike;
- spanning trees: Martin's extended formulation, one orientation of the edges towards
  every vertex;
- paths: one unit of flow from source to target, ``node_v``; where the graph has cycles an integer
  program, with levels of the vertices;
- matchings: ``position_s`` and ``candidate_c``.

All except paths with cycles are integral polytopes: linear programs suffice.

**The best sets in order.** A *part* of the class has the sets that contain some elements I and lack
others R. Let M be its best set, and :math:`e_1, e_2, \dots` the elements of M that are not in I. As
no set contains another, every other set of the part lacks one of them, and so is in exactly one of
the parts with :math:`I \cup \{e_1, \dots, e_{i-1}\}` and :math:`R \cup \{e_i\}`. The next best set
of the class is the best one of all parts that are left: at most as many problems a set as it has
elements.

E. L. Lawler, "A procedure for computing the K best solutions to discrete optimization problems
and its application to the shortest path problem", Management Science 18, 1972.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, check_sums, checked_array, unit_of
from cpe_opt.errors import InputError, SolverFailed, SolverUnable
from cpe_opt.formulations.answer import Answer
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram, Sense
from cpe_opt.modelling.result import NotOptimal, SolveResult, Status
from cpe_opt.problems.pairs import in_order_of
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.solvers.assignment import assign
from cpe_opt.solvers.options import SolveOptions, limited_until, refuse_unused
from cpe_opt.solvers.registry import get_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import on_grid
from cpe_opt.validation import Numbers, checked_types

SubsetMethod: TypeAlias = Literal[
    "combinatorial", "assignment", "scipy", "networkx", "enumerate", "program"
]
_WHOLE = 1e-6
_MOST_QUICK = 20_000  # sets of a list that is gone through in the time of a program


class Optimum(NamedTuple):
    """A set, its weight, a bound from the other side, and the solve it comes from, if any."""

    elements: tuple[int, ...]
    value: float
    bound: float
    result: SolveResult | None


class OutOfTime(NotOptimal):
    """A program was not solved at the deadline of its oracle."""


class SubsetOracle:
    """Best sets of one class, again and again: the linear oracle of the learners."""

    def __init__(
        self,
        decisions: DecisionClass,
        method: SubsetMethod | None = None,
        *,
        name: str = "subset",
        deadline: float = math.inf,
        **solving: Unpack[SolveOptions],
    ) -> None:
        self._deadline = deadline
        if method is None:
            method = default_method(decisions, named=solving.get("solver") is not None)
        self.decisions, self.method, self._name = decisions, method, name
        self._solving: SolveOptions = solving
        if method == "program":
            # A solver of integer programs alone gets one.
            self._integer = "LP" not in get_backend(solving.setdefault("solver", "highs")).solves
            return
        refuse_unused(solving, f"method {method!r}", instead=("program",))
        if method == "enumerate":
            self._sets = ListedSets(decisions)
            return
        if method == "combinatorial" and decisions.obstacle:
            other = default_method(decisions)
            raise SolverUnable(f"{decisions.name}: {decisions.obstacle}; method {other!r} can do")
        if method != "combinatorial" and decisions.cost_table(np.zeros(decisions.size)) is None:
            raise SolverUnable(f"method {method!r} is for matchings, not for {decisions.name}")

    @classmethod
    def quick(
        cls,
        decisions: DecisionClass,
        method: SubsetMethod | None = None,
        *,
        deadline: float = math.inf,
        **solving: Unpack[SolveOptions],
    ) -> SubsetOracle:
        """For what asks again and again: a list, not programs, where rows give a short one."""
        if method is None and not solving and decisions.obstacle:
            by_rows = decisions.listed_by_rows
            if by_rows is not None and len(by_rows) <= _MOST_QUICK:
                method = "enumerate"
        return cls(decisions, method, deadline=deadline, **solving)

    @property
    def size(self) -> int:
        """The number of elements, n."""
        return self.decisions.size

    def maximise(
        self, weights: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> tuple[int, ...] | None:
        """A set of the largest weight; None if none has these and lacks those elements."""
        if self.method == "combinatorial":
            return self.decisions.best_set(weights, include, exclude)
        if self.method == "enumerate":
            return self._sets.best(weights, include, exclude)
        best = self.optimum(weights, include, exclude)
        return None if best is None else best.elements

    def maximise_other(self, weights: FloatArray, than: Sequence[int]) -> tuple[int, ...] | None:
        """A best set other than the given one; None if there is no other."""
        best, largest = None, -np.inf
        for element in than:
            other = self.maximise(weights, exclude=(element,))
            if other is not None and (value := float(weights[list(other)].sum())) > largest:
                best, largest = other, value
        return best

    def optimum(
        self,
        weights: FloatArray,
        include: Sequence[int] = (),
        exclude: Sequence[int] = (),
        sense: Sense = "max",
    ) -> Optimum | None:
        """A set of the largest (or least) weight, with a bound on all."""
        if self.method == "program":
            return self._solved(weights, include, exclude, sense)
        unit = unit_of(weights) if sense == "max" else -unit_of(weights)
        error = 0.0
        if self.method == "combinatorial":
            best = self.decisions.best_set(weights / unit, include, exclude)
        elif self.method == "enumerate":
            best = self._sets.best(weights / unit, include, exclude)
        else:
            best, error = self._assigned(weights / unit, include, exclude)
        if best is None:
            return None
        value = float(weights[list(best)].sum())
        return Optimum(best, value, value + unit * error, None)

    def other_optimum(
        self, weights: FloatArray, than: Sequence[int], sense: Sense = "max"
    ) -> Optimum | None:
        """A best set other than the given one, with a bound on all others."""
        sign = 1.0 if sense == "max" else -1.0
        others = [
            other
            for element in than
            if (other := self.optimum(weights, (), (element,), sense)) is not None
        ]
        if not others:
            return None
        best = max(others, key=lambda other: sign * other.value)
        return best._replace(bound=sign * max(sign * other.bound for other in others))

    def _assigned(
        self, weights: FloatArray, include: Sequence[int], exclude: Sequence[int]
    ) -> tuple[tuple[int, ...] | None, float]:
        """By an assignment solver, and how much more the optimum may be."""
        table = self.decisions.cost_table(-weights, include, exclude)
        assert table is not None
        columns, error = assign(table, self.method)
        if columns is None:
            return None, 0.0
        return tuple(self.decisions.assigned_elements(columns).tolist()), error

    def _solved(
        self, weights: FloatArray, include: Sequence[int], exclude: Sequence[int], sense: Sense
    ) -> Optimum | None:
        program = subset_program(
            self.decisions,
            weights,
            include=include,
            exclude=exclude,
            sense=sense,
            integer=self._integer,
            name=self._name,
        )
        result = solve(program, check=False, **limited_until(self._solving, self._deadline))
        if result.status is Status.INFEASIBLE:
            return None
        if result.status is Status.TIME_LIMIT and math.isfinite(self._deadline):
            raise OutOfTime(result)
        members = _members(self.decisions, result)
        value = float(weights[list(members)].sum())
        # The set itself is a bound on what no set can beat, too.
        beyond = max if sense == "max" else min
        limit = np.inf if sense == "max" else -np.inf
        bound = beyond(value, limit if result.bound is None else result.bound)
        return Optimum(members, value, bound, result)


def default_method(decisions: DecisionClass, *, named: bool = False) -> SubsetMethod:
    """The method where none is given; ``named`` says that a solver is."""
    if named or (decisions.obstacle and decisions.has_rows):
        return "program"
    return "enumerate" if decisions.obstacle else "combinatorial"


def _members(decisions: DecisionClass, result: SolveResult) -> tuple[int, ...]:
    """The set that a solved program ended at.

    Between several optima a solver of linear programs may stop inside: the point is a mixture of
    optimal sets, and a best one among the elements it uses is optimal, too.
    """
    program = result.program
    if not result.is_optimal or result.x is None or not isinstance(program, LinearProgram):
        raise NotOptimal(result)
    x = result.x[: decisions.size]
    members = tuple(np.flatnonzero(x > 0.5).tolist())
    if np.abs(x - np.round(x)).max() < _WHOLE and decisions.contains(members):
        return members
    if decisions.obstacle:
        raise SolverFailed(
            f"{result.solver} ended between several optimal sets of {decisions.name}; a solver "
            "that ends at vertices, such as 'highs' or 'glop', or one of integer programs tells "
            "them apart"
        )
    sign = 1.0 if program.sense == "max" else -1.0
    weights = program.costs[: decisions.size]
    forced = np.flatnonzero(program.column_lower[: decisions.size] > 0.5).tolist()
    unused = np.flatnonzero(x < _WHOLE).tolist()
    best = decisions.best_set(sign * weights, forced, unused)
    if best is None or abs(weights[list(best)].sum() - weights @ x) > _WHOLE * (
        1.0 + np.abs(weights).sum()
    ):
        raise SolverFailed(f"{result.solver}: its solution is no mixture of {decisions.name}")
    return best


class ListedSets:
    """All sets of a class, listed once; :class:`InputError` if they cannot be listed."""

    def __init__(self, decisions: DecisionClass) -> None:
        self._vectors = decisions.indicator_matrix()

    def best(
        self, weights: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> tuple[int, ...] | None:
        """A set of the largest weight; None if none has these and lacks those elements."""
        vectors = self._vectors
        fitting = np.ones(len(vectors), dtype=np.bool_)
        if include:
            fitting &= vectors[:, list(include)].all(axis=1)
        if exclude:
            fitting &= ~vectors[:, list(exclude)].any(axis=1)
        places = np.flatnonzero(fitting)
        if not len(places):
            return None
        # No product of matrices: its last bits depend on the machine.
        place = places[int(np.argmax((vectors[places] * weights).sum(axis=1)))]
        return tuple(np.flatnonzero(vectors[place]).tolist())


@checked_types
def best_subset_program(
    decisions: DecisionClass,
    weights: Numbers,
    *,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    sense: Sense = "max",
    integer: bool = False,
) -> LinearProgram:
    """Linear maximisation over a decision class as a linear or integer program.

    Arguments are those of :func:`cpe_opt.best_subset`; ``integer`` declares ``x`` integer, which
    only paths with cycles need, and always get.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.solve(best_subset_program(cpe.TopK(4, 2), [3, 1, 2, 5])).objective
    8.0
    """
    return subset_program(
        decisions,
        weights,
        include=include,
        exclude=exclude,
        sense=sense,
        integer=integer,
        name="subset",
    )


def subset_program(
    decisions: DecisionClass,
    weights: npt.ArrayLike,
    *,
    include: Iterable[int],
    exclude: Iterable[int],
    sense: Sense,
    integer: bool,
    name: str,
) -> LinearProgram:
    """The program under a name of the caller's."""
    forced, forbidden = element_masks(decisions, include, exclude)
    builder = ProgramBuilder(name, sense=sense)
    columns = builder.columns(
        "x",
        decisions.keys,
        cost=checked_weights(decisions, weights),
        lower=forced.astype(np.float64),
        upper=np.where(forbidden, 0.0, 1.0),
        integer=integer or not decisions.integral,
    )
    decisions.program_rows(builder, columns, integer=integer)
    return builder.build()


def element_masks(
    decisions: DecisionClass, include: Iterable[int], exclude: Iterable[int]
) -> tuple[BoolArray, BoolArray]:
    """Elements that must and must not be in, as masks, or :class:`InputError`."""
    masks = []
    for what, elements in (("include", include), ("exclude", exclude)):
        mask = np.zeros(decisions.size, np.bool_)
        mask[list(decisions.check_elements(elements, what))] = True
        masks.append(mask)
    both = np.flatnonzero(masks[0] & masks[1])
    if both.size:
        raise InputError(f"{decisions.noun} {decisions.labels[both[0]]} is both in and out")
    return masks[0], masks[1]


def checked_weights(decisions: DecisionClass, weights: npt.ArrayLike) -> FloatArray:
    """The weights as floats, one an element, or :class:`InputError`."""
    array = checked_array("weights", in_order_of("weights", weights, decisions.labels))
    if array.shape != (decisions.size,):
        raise InputError(
            f"weights have shape {array.shape}, expected ({decisions.size},): one an "
            f"{decisions.noun}"
        )
    if not np.isfinite(array).all():
        element = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(
            f"the weight of {decisions.noun} {element} is {array[element]}, expected a finite "
            "number"
        )
    check_sums("weights", array)
    return array


_Part = tuple[float, tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def ranked_subsets(
    oracle: SubsetOracle, weights: FloatArray, count: int
) -> list[tuple[tuple[int, ...], float]]:
    """The ``count`` best sets, or all, and what they weigh on the grid, best first."""
    gridded, parts = on_grid(weights), list[_Part]()

    def add(include: Sequence[int], exclude: Sequence[int]) -> None:
        members = oracle.maximise(gridded, include, exclude)
        if members is not None:
            value = float(gridded[list(members)].sum())
            heapq.heappush(parts, (-value, members, tuple(include), tuple(exclude)))

    add((), ())
    ranked: list[tuple[tuple[int, ...], float]] = []
    while parts and len(ranked) < count:
        loss, members, include, exclude = heapq.heappop(parts)
        ranked.append((members, -loss))
        if len(ranked) == count:
            break
        kept = list(include)
        for element in members:
            if element not in include:
                add(kept, (*exclude, element))
                kept.append(element)
    return ranked


# The best set of a decision class, and the best other one, as answers.


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Subset(Answer):
    """An optimal set of a decision class; ``value`` is its weight, recomputed.

    Attributes
    ----------
    elements : tuple of int
        In ascending order.
    """

    elements: tuple[int, ...]

    def report(self, problem: SubsetBandit) -> dict[str, Any]:
        """The set by the labels of its elements."""
        return {"set": problem.decisions.describe(self.elements)}


@checked_types
def best_subset(
    decisions: DecisionClass,
    weights: Numbers,
    *,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    sense: Sense = "max",
    method: SubsetMethod | None = None,
    **solving: Unpack[SolveOptions],
) -> Subset:
    """A set of the largest (or least) weight.

    Parameters
    ----------
    decisions : DecisionClass
    weights : array_like, shape (n,)
    include, exclude : iterables of elements
        Elements that must and must not be in.
    sense : "max" or "min"
    method : str, optional
        See :mod:`cpe_opt.formulations.subsets.oracle`: ``combinatorial`` where the class has an
        algorithm, ``program`` where it has none or a solver is named.
    **solving
        As for :func:`cpe_opt.solve`, with the method ``program`` alone.

    Raises
    ------
    InputError
        Where no set contains and avoids these elements, or an argument is wrong.

    Examples
    --------
    >>> from cpe_opt.problems.subsets.matroids import TopK
    >>> best = best_subset(TopK(4, 2), [3, 1, 2, 5])
    >>> best.elements, best.value, best.method
    ((0, 3), 8.0, 'combinatorial')
    >>> best_subset(TopK(4, 2), [3, 1, 2, 5], exclude=[3], solver="glop").elements
    (0, 2)
    """
    weights = checked_weights(decisions, weights)
    forced, forbidden = element_masks(decisions, include, exclude)
    inside, outside = np.flatnonzero(forced).tolist(), np.flatnonzero(forbidden).tolist()
    oracle = SubsetOracle(decisions, method, **solving)
    best = oracle.optimum(weights, inside, outside, sense)
    if best is None:
        parts = [
            f"{verb} {decisions.describe(elements)}"
            for verb, elements in (("contains", inside), ("avoids", outside))
            if elements
        ]
        raise InputError(f"no set of {decisions.name} {' and '.join(parts)}")
    return _subset(best, oracle)


@checked_types
def second_best_subset(
    decisions: DecisionClass,
    weights: Numbers,
    *,
    than: Iterable[int] | None = None,
    sense: Sense = "max",
    method: SubsetMethod | None = None,
    **solving: Unpack[SolveOptions],
) -> Subset | None:
    """The best set other than ``than`` (by default, than an optimal one); None if it is alone."""
    weights = checked_weights(decisions, weights)
    oracle = SubsetOracle(decisions, method, **solving)
    if than is not None:
        first = decisions.check(than)
    else:
        best = oracle.optimum(weights, sense=sense)
        if best is None:
            raise InputError(f"{decisions.name} has no set")
        first = best.elements
    other = oracle.other_optimum(weights, first, sense)
    return None if other is None else _subset(other, oracle)


def _subset(optimum: Optimum, oracle: SubsetOracle) -> Subset:
    return Subset(
        elements=optimum.elements,
        value=optimum.value,
        bound=optimum.bound,
        method=oracle.method,
        result=optimum.result,
    )
