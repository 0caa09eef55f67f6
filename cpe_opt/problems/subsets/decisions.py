"""Decision classes: families of sets of elements 0 … n − 1, one of which is to be chosen.

No set of a class contains another, so a set other than M lacks an element of M.

Your own class says which sets it has in one of these ways, and the rest is derived:

=================================== ===============================================================
method                              what is made of it
=================================== ===============================================================
:meth:`~DecisionClass.sets`         all sets, one after another: best sets by going through them
:meth:`~DecisionClass.program_rows` rows of linear or integer programs: best sets by a solver, for
                                    classes too large to list; ``sizes`` are then to be given
:meth:`~DecisionClass.contains`     whether a set is one, up to 20 elements: all subsets are tried
:meth:`~DecisionClass.best`         together with one of these: an exact algorithm for best sets
=================================== ===============================================================

What your own methods return is checked where the package takes it (:meth:`listed_sets`,
:meth:`best_set`): sets are of whole numbers from 0 to n - 1, none twice; none of up to 5,000 sets
contains another; and a best set is one of the class, has what it must and lacks what it may not
have, and is no worse than another set that is known, from a list of up to 10,000 sets or from the
last calls.

Classes have files of their own: :mod:`cpe_opt.problems.subsets.matroids` (k of n, partitions),
:mod:`cpe_opt.problems.subsets.edge_sets` (spanning trees, paths),
:mod:`cpe_opt.problems.matchings.decisions`.

**A class as unions of halves, which are far fewer than its sets.**

Elements are split into two parts, and halves are the sets' parts: of the matchings of 10 and 10,
3,628,800 of them, the edges at the first five positions, and those at the last five, 30,240 of
each. A block has first and second halves of which any two make a set: matchings of the first
positions with the same candidates, and those of the last positions with others. Every set is in
exactly one block, once. So what is a sum over pairs of elements, as a quadratic form is, can be
found for all sets of a block at once, by a product of two matrices, without a list of sets.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from typing import Any, ClassVar, Protocol

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray, is_whole
from cpe_opt.errors import InputError
from cpe_opt.problems.pairs import Prices, price_array
from cpe_opt.validation import MOST_THINGS, checked_count, checked_labels, checked_types

MOST_LISTED = 5_000_000
_MOST_TRIED = 20
_TRIED_AT_ONCE = 2**16
_MOST_CONTAINED = 5_000  # sets that are looked through for one that contains another
_MOST_COMPARED = 10_000  # sets that a best set of a user's method is compared with
_MOST_REMEMBERED = 100  # where there is no list: sets that were answered before
_BETWEEN_LOOKS = 100  # sets that are listed from one look at the clock to the next
_FEASIBLE = 1e-9  # by which a row may be missed
_WORSE = 1e-9  # by which a best set of a user's method may be worse, as a share of all weights


class DecisionClass:
    """A family of sets of elements, none of which contains another.

    Attributes
    ----------
    size : int
        n, the number of elements.
    labels : tuple of str
    noun : str
        What an element is, for messages.
    """

    noun: ClassVar[str] = "element"

    def __init__(self, size: int, labels: Sequence[str] | None = None) -> None:
        self.size = checked_count("the number of elements", size, most=MOST_THINGS)
        self.labels = checked_labels(labels, self.size, "element")

    def _gives(self, method: str) -> bool:
        """Whether a class has this method of its own."""
        return getattr(type(self), method) is not getattr(DecisionClass, method)

    @property
    def name(self) -> str:
        """For tables; the name of the class by default."""
        return type(self).__name__

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many elements a set can have, in ascending order; those of all sets by default."""
        if not (self._gives("sets") or self.size <= _MOST_TRIED):
            raise InputError(f"{type(self).__name__} has no 'sizes', how many elements sets have")
        return tuple(sorted({len(members) for members in self.listed_sets()}))

    def count(self) -> int:
        """K, the number of sets; enumerated where there is no formula."""
        return sum(1 for _ in self.listed_sets())

    def sets(self) -> Iterator[tuple[int, ...]]:
        """Every set, as ascending element numbers; by default, all subsets that are contained."""
        if self.size > _MOST_TRIED:
            raise InputError(f"{type(self).__name__} has no 'sets', and too many subsets to try")
        if self.listed_by_rows is not None:
            return map(_members_of, self.listed_by_rows)
        subsets = (some for k in range(self.size + 1) for some in combinations(range(self.size), k))
        return (members for members in subsets if self.contains(members))

    def listed_sets(self) -> Iterator[tuple[int, ...]]:
        """Every set of :meth:`sets`, in ascending order.

        Raises
        ------
        InputError
            Where a user's method lists what is no set.
        """
        if not self._is_own("sets"):
            yield from self.sets()
            return
        listed: Any = self.sets()
        if not isinstance(listed, Iterable):
            raise InputError(f"{self._method('sets')} returns {listed!r}, expected a list of sets")
        for members in listed:
            yield self._checked_members(members, f"{self._method('sets')} lists")

    def best_set(
        self, weights: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> tuple[int, ...] | None:
        """What :meth:`best` answers, checked where it is a user's method.

        Raises
        ------
        InputError
            Where this is no set of the class, or another set is known to be better.
        """
        if not self._is_own("best"):
            return self.best(weights, include, exclude)
        answer = self.best(weights.copy(), tuple(include), tuple(exclude))
        says = f"{self._method('best')} answers"
        members = None if answer is None else self._checked_members(answer, says)
        if members is not None:
            self._check_allowed(members, include, exclude, says)
            self._found[members] = None
            if len(self._found) > _MOST_REMEMBERED:
                del self._found[next(iter(self._found))]
        better = self._better_known(weights, include, exclude, members)
        if better is not None:
            raise InputError(
                f"{says} {members}, and the set {better} is "
                + ("one that fits" if members is None else "better")
                + ", expected a best set"
            )
        return members

    def _is_own(self, method: str) -> bool:
        """Whether the class has this method from outside the package."""
        return not getattr(type(self), method).__module__.startswith("cpe_opt.")

    def _method(self, method: str) -> str:
        return f"the method {method!r} of {type(self).__name__}"

    def _checked_members(self, members: Any, says: str) -> tuple[int, ...]:
        """A set that a user's method gives, in ascending order, or :class:`InputError`."""
        listed = isinstance(members, Iterable) and not isinstance(members, str | bytes | dict)
        elements = tuple(members) if listed else ()
        if not listed or not all(map(is_whole, elements)):
            raise InputError(f"{says} {members!r}, expected a set of whole numbers")
        ascending = tuple(sorted(map(int, elements)))
        if ascending and not 0 <= ascending[0] <= ascending[-1] < self.size:
            raise InputError(f"{says} {members!r}, expected elements from 0 to {self.size - 1}")
        if len(set(ascending)) < len(ascending):
            raise InputError(f"{says} {members!r}, expected no element twice")
        if self._gives("sizes") and len(ascending) not in self.sizes:
            raise InputError(f"{says} {members!r}, expected a set of {self.sizes} elements")
        return ascending

    def _check_allowed(
        self, members: tuple[int, ...], include: Sequence[int], exclude: Sequence[int], says: str
    ) -> None:
        for element in include:
            if element not in members:
                raise InputError(f"{says} {members}, expected a set with element {element}")
        for element in exclude:
            if element in members:
                raise InputError(f"{says} {members}, expected a set without element {element}")
        tells = self._gives("sets") or self._gives("contains") or self.has_rows
        if tells and not self.contains(members):
            raise InputError(f"{says} {members}, which is no set of {self.name}")

    def _better_known(
        self,
        weights: FloatArray,
        include: Sequence[int],
        exclude: Sequence[int],
        members: tuple[int, ...] | None,
    ) -> tuple[int, ...] | None:
        """A known set that fits and is clearly better than these members; None without any."""
        known, chi = self._few_sets
        if not known:
            known = tuple(self._found)
            chi = indicators(known, self.size)
        if not known:
            return None
        fits = chi[:, list(include)].all(axis=1) & ~chi[:, list(exclude)].any(axis=1)
        values = np.where(fits, (chi * weights).sum(axis=1), -np.inf)
        place = int(values.argmax())
        slack = _WORSE * float(np.abs(weights).sum())
        own = -np.inf if members is None else float(weights[list(members)].sum()) + slack
        return known[place] if values[place] > own else None

    @cached_property
    def _found(self) -> dict[tuple[int, ...], None]:
        """What a user's method has answered last, each set once."""
        return {}

    @cached_property
    def _few_sets(self) -> tuple[tuple[tuple[int, ...], ...], FloatArray]:
        """The sets of a user's method with their vectors, where they are few; else none."""
        sets = tuple(islice(self.listed_sets(), _MOST_COMPARED + 1)) if self._gives("sets") else ()
        few = sets if len(sets) <= _MOST_COMPARED else ()
        return few, indicators(few, self.size)

    def contains(self, chosen: Iterable[int]) -> bool:
        """Whether this is a set of the class; by default by its list, or by its rows."""
        members = tuple(sorted(chosen))
        if self._gives("sets"):
            return members in self._listed
        if not self.has_rows:
            raise InputError(
                f"{type(self).__name__} has neither of the methods 'sets', 'program_rows' and "
                "'contains': expected one that says which sets are in the class"
            )
        if members and not (members[0] >= 0 and members[-1] < self.size):
            return False
        return bool(self._collected_rows.hold(indicators([members], self.size))[0])

    @property
    def listed_by_rows(self) -> BoolArray | None:
        """Indicators of all sets, found fast where rows alone define them, of up to 20 elements.

        None for any other class; shape (K, n).
        """
        alone = self.has_rows and not (self._gives("sets") or self._gives("contains"))
        return self._by_rows if alone and self.size <= _MOST_TRIED else None

    @cached_property
    def _by_rows(self) -> BoolArray:
        return self._collected_rows.indicators()

    @cached_property
    def _collected_rows(self) -> CollectedRows:
        """The rows of :meth:`program_rows`."""
        rows = CollectedRows(self.size)
        self.program_rows(rows, np.arange(self.size))
        return rows

    @cached_property
    def _listed(self) -> frozenset[tuple[int, ...]]:
        return frozenset(tuple(sorted(members)) for members in self.listed_sets())

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What tells the class from any other of its kind, where runs are kept."""
        return {key: value for key, value in vars(self).items() if not key.startswith("_")}

    @property
    def has_rows(self) -> bool:
        """Whether the class has :meth:`program_rows`."""
        return self._gives("program_rows")

    @property
    def obstacle(self) -> str:
        """Why the class has no exact algorithm of its own; empty if it has :meth:`best`."""
        return "" if self._gives("best") else f"{type(self).__name__} has no method 'best'"

    def best(
        self, weights: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> tuple[int, ...] | None:
        """A set of the largest weight, exact up to rounding, by the class's own algorithm.

        Parameters
        ----------
        weights : float array, shape (n,)
        include, exclude : sequences of elements
            Elements that must and must not be in; no element is in both.

        Returns
        -------
        tuple of int or None
            In ascending order; None if no set has the ones and lacks the others.
        """
        raise InputError(f"{self.name}: {self.obstacle}")

    def exchanges(self, chosen: Sequence[int]) -> IntArray | None:
        """Pairs of elements (out, in) whose exchange turns a set into another one.

        Given only by a class where every other set comes of disjoint such pairs, exchanged all at
        once; None for any other class.
        """
        return None

    def halves(self, most: int) -> Halves | None:
        """The class as unions of halves, if it has such a form and at most so many sets.

        See :mod:`cpe_opt.problems.subsets.decisions`.
        """
        return None

    def cost_table(
        self, costs: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> FloatArray | None:
        """The class as a linear assignment problem: costs by row and column, inf for no element.

        None if it is no such problem; else :meth:`assigned_elements` is its inverse.
        """
        return None

    def assigned_elements(self, columns: IntArray) -> IntArray:
        """The set that gives every row of :meth:`cost_table` its column."""
        raise InputError(f"{self.name} are no assignments")

    @property
    def integral(self) -> bool:
        """Whether every vertex of :meth:`program_rows` is a set; else ``x`` must be integer."""
        return False

    @property
    def keys(self) -> Sequence[Any]:
        """What the columns ``x_key`` of a program are named by, one key an element."""
        return range(self.size)

    def program_rows(
        self, builder: RowBuilder, columns: IntArray, *, integer: bool = False, prefix: str = ""
    ) -> None:
        """Add the rows (and further columns) that make columns a point of the polytope.

        Parameters
        ----------
        builder : RowBuilder
            Such as :class:`cpe_opt.ProgramBuilder`.
        columns : int array, shape (n,)
            The numbers of the columns of the elements, with bounds 0 and 1.
        integer : bool
            Solvers of purely integer programs want further columns integer, too.
        prefix : str
            Goes before all names.
        """
        raise InputError(
            f"no program is known for {self!r}: {type(self).__name__} has no method "
            "'program_rows', the rows of its sets"
        )

    @property
    def uniform_rank(self) -> int | None:
        """The k of a class of all sets of k elements; None for any other class."""
        return None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    @property
    def rank(self) -> int:
        """The size of the largest set, k."""
        return self.sizes[-1]

    def log_count_bound(self) -> float:
        """An upper bound on ln K that needs no enumeration: all sets of these sizes."""
        return math.log(sum(math.comb(self.size, k) for k in self.sizes))

    @checked_types
    def check(self, chosen: Iterable[int]) -> tuple[int, ...]:
        """The set in ascending order, or :class:`InputError`."""
        members = tuple(sorted(self.check_elements(chosen, "a set")))
        if not self.contains(members):
            raise InputError(f"{self.describe(members)} is no set of {self.name}")
        return members

    def check_elements(self, elements: Iterable[int], what: str) -> tuple[int, ...]:
        """The elements, none twice, or :class:`InputError`."""
        found = tuple(checked_count(f"an element of {what}", e, least=0) for e in elements)
        for element in found:
            if element >= self.size:
                raise InputError(f"{what} has element {element}, expected 0 … {self.size - 1}")
        if len(set(found)) < len(found):
            raise InputError(f"{what} has an element twice: {found}")
        return found

    @checked_types
    def describe(self, chosen: Iterable[int]) -> str:
        """A set by its labels."""
        return "{" + ", ".join(self.labels[e] for e in chosen) + "}"

    def indicator_matrix(
        self, max_sets: int = MOST_LISTED, deadline: float = math.inf
    ) -> FloatArray:
        """The indicator vectors of all sets, shape (K, n).

        Raises
        ------
        InputError
            Where there are more than ``max_sets``, or more than are listed at the ``deadline`` of
            the clock of ``time.perf_counter``.
        """
        by_rows = self.listed_by_rows
        if by_rows is not None and len(by_rows) <= max_sets:
            return by_rows.astype(np.float64)
        rows: list[tuple[int, ...]] = []
        for members in self.listed_sets():
            if len(rows) == max_sets:
                raise InputError(f"{self.name} has more than {max_sets:,} sets, too many to list")
            if len(rows) % _BETWEEN_LOOKS == _BETWEEN_LOOKS - 1 and time.perf_counter() > deadline:
                raise InputError(f"{self.name} has too many sets to list in the time that is left")
            rows.append(members)
        chi = indicators(rows, self.size)
        if self._is_own("sets"):
            self._check_list(rows, chi)
        return chi

    def _check_list(self, rows: Sequence[tuple[int, ...]], chi: FloatArray) -> None:
        """No set twice, and none that contains another."""
        says = f"{self._method('sets')} lists"
        if len(set(rows)) < len(rows):
            twice = next(members for members, times in Counter(rows).items() if times > 1)
            raise InputError(f"{says} {twice} twice, expected every set once")
        sizes = chi.sum(axis=1)
        if len(rows) > _MOST_CONTAINED or not len(rows) or sizes.min() == sizes.max():
            return
        for place in np.flatnonzero(sizes > sizes.min()).tolist():
            inside = np.flatnonzero((chi @ chi[place] == sizes) & (sizes < sizes[place]))
            if len(inside):
                raise InputError(
                    f"{says} {rows[place]} and {rows[int(inside[0])]}, expected no set that "
                    "contains another"
                )


def indicators(sets: Sequence[Iterable[int]], size: int) -> FloatArray:
    """Indicator vectors, one row a set; shape (sets, size)."""
    rows = np.zeros((len(sets), size))
    for row, members in zip(rows, sets, strict=True):
        row[list(members)] = 1.0
    return rows


class RowBuilder(Protocol):
    """What a class needs of a builder of programs, :class:`cpe_opt.ProgramBuilder`."""

    @property
    def columns(self) -> Callable[..., IntArray]:
        """Add columns ``block_key``."""

    @property
    def rows(self) -> Callable[..., IntArray]:
        """Add rows ``block_key`` from entries."""

    @property
    def row(self) -> Callable[..., int]:
        """Add one row."""


def _members_of(chosen: BoolArray) -> tuple[int, ...]:
    """The elements of an indicator."""
    return tuple(np.flatnonzero(chosen).tolist())


class CollectedRows:
    """A builder of rows that keeps them, and tells which sets of n elements are within all."""

    def __init__(self, size: int) -> None:
        self._matrix: FloatArray = np.zeros((0, size))
        self._lower: FloatArray = np.zeros(0)
        self._upper: FloatArray = np.zeros(0)

    def columns(self, block: str, keys: Any, **bounds: Any) -> IntArray:
        """Refused: what further columns must be is for a solver to find."""
        raise InputError(
            f"the rows have further columns, {block!r}, and do not say by themselves which sets "
            "are in the class: give it a method 'contains', too"
        )

    def rows(
        self,
        block: str,
        keys: Any,
        row: Any,
        column: Any,
        value: Any = 1.0,
        *,
        lower: Any = -math.inf,
        upper: Any = math.inf,
    ) -> IntArray:
        """Rows from entries (row within the block, column, value)."""
        count = int(keys) if isinstance(keys, int | np.integer) else len(keys)
        entries = np.broadcast_arrays(row, column, value)
        rows, columns, values = (np.asarray(entry).ravel() for entry in entries)
        matrix = np.zeros((count, self._matrix.shape[1]))
        np.add.at(matrix, (rows, columns), values)
        before = len(self._matrix)
        self._matrix = np.vstack([self._matrix, matrix])
        self._lower = np.concatenate([self._lower, np.broadcast_to(lower, count)])
        self._upper = np.concatenate([self._upper, np.broadcast_to(upper, count)])
        return np.arange(before, before + count)

    def row(self, name: str, column: Any, value: Any = 1.0, **sides: float) -> int:
        """One row."""
        return int(self.rows(name, 1, 0, column, value, **sides)[0])

    def hold(self, sets: FloatArray) -> BoolArray:
        """Which of the indicators, shape (sets, n), are within all rows; shape (sets,)."""
        held = sets @ self._matrix.T
        inside = (held >= self._lower - _FEASIBLE) & (held <= self._upper + _FEASIBLE)
        return np.asarray(inside.all(axis=1))

    def indicators(self) -> BoolArray:
        """All sets within all rows, by size and then in lexicographic order; shape (sets, n)."""
        size = self._matrix.shape[1]
        found: BoolArray = np.zeros((0, size), dtype=np.bool_)
        for start in range(0, 2**size, _TRIED_AT_ONCE):
            numbers = np.arange(start, min(start + _TRIED_AT_ONCE, 2**size))
            some = (numbers[:, None] >> np.arange(size)) & 1 == 1
            found = np.concatenate([found, some[self.hold(some.astype(np.float64))]])
        order = np.lexsort((*(~found[:, ::-1]).T, found.sum(axis=1)))
        return np.asarray(found[order])


def checked_element_prices(prices: Prices, decisions: DecisionClass) -> FloatArray:
    """The price of a pull of each element, shape (n,), positive and finite."""
    array = price_array(prices, (decisions.size,), decisions.noun)
    for label, price in zip(decisions.labels, array.tolist(), strict=True):
        if not 0.0 < price < np.inf:
            raise InputError(
                f"prices: {decisions.noun} {label}: the price is {price:g}, expected a number "
                "above 0"
            )
    return array


# A class as unions of halves, which are far fewer than its sets.


@dataclass(frozen=True, eq=False)
class Halves:
    """The halves of a class, and which of them make its sets."""

    elements: tuple[IntArray, IntArray]  # the two parts
    rows: tuple[BoolArray, BoolArray]  # which elements of its part each half has
    # Rows of first and of second halves; each two of a block make a set, every set once.
    blocks: Sequence[tuple[IntArray, IntArray]]

    @classmethod
    def of(
        cls,
        parts: tuple[Sequence[int], Sequence[int]],
        blocks: Iterable[tuple[Sequence[Sequence[int]], Sequence[Sequence[int]]]],
    ) -> Halves:
        """From the elements of each half, block by block; a half may be in several."""
        numbers: tuple[dict[tuple[int, ...], int], ...] = ({}, {})
        numbered: list[tuple[IntArray, IntArray]] = []
        for block in blocks:
            first, second = (
                np.array([known.setdefault(tuple(half), len(known)) for half in halves])
                for known, halves in zip(numbers, block, strict=True)
            )
            numbered.append((first, second))
        elements = (
            np.array(sorted(parts[0]), dtype=np.int64),
            np.array(sorted(parts[1]), dtype=np.int64),
        )
        rows = []
        for known, part in zip(numbers, elements, strict=True):
            place = {element: number for number, element in enumerate(part.tolist())}
            chi = np.zeros((len(known), len(part)), dtype=np.bool_)
            for half, number in known.items():
                chi[number, [place[element] for element in half]] = True
            rows.append(chi)
        return cls(elements, (rows[0], rows[1]), numbered)

    def joined(self, first: int, second: int) -> IntArray:
        """The elements of the set of two halves, ascending."""
        parts = zip(self.elements, self.rows, (first, second), strict=True)
        return np.sort(np.concatenate([part[rows[row]] for part, rows, row in parts]))
