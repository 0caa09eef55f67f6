r"""Decision classes: families of sets of elements 0 … n − 1, one of which is to be chosen.

No set of a class contains another, so a set other than M lacks an element of M. What is stored here
is data; linear maximisation over a class stands in :mod:`cpe_opt.formulations.subsets.oracle`.

A class is a :class:`Matroid` where its sets are the bases of one (:class:`TopK`,
:class:`PartitionMatroid`, and the spanning trees of :mod:`cpe_opt.problems.subsets.networks`).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.validation import checked_count, checked_types

MOST_LISTED = 5_000_000


class DecisionClass(ABC):
    """A family of sets of elements, none of which contains another.

    Attributes
    ----------
    size : int
        n, the number of elements.
    labels : tuple of str
    """

    def __init__(self, size: int, labels: Sequence[str] | None = None) -> None:
        self.size = checked_count("the number of elements", size)
        self.labels = tuple(map(str, range(size) if labels is None else labels))
        if len(self.labels) != size:
            raise InputError(f"{len(self.labels)} labels for {size} elements")
        twice = [label for label in self.labels if self.labels.count(label) > 1]
        if twice:
            raise InputError(f"label {twice[0]!r} is given to several elements")

    @property
    @abstractmethod
    def name(self) -> str:
        """For tables."""

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """How many elements a set can have, in ascending order."""

    @abstractmethod
    def count(self) -> int:
        """K, the number of sets; enumerated where there is no formula."""

    @abstractmethod
    def sets(self) -> Iterator[tuple[int, ...]]:
        """Every set, as ascending element numbers."""

    @abstractmethod
    def contains(self, chosen: Iterable[int]) -> bool:
        """Whether this is a set of the class."""

    @property
    @abstractmethod
    def fingerprint(self) -> dict[str, Any]:
        """What tells the class from any other of its kind; see :mod:`cpe_opt.fingerprint`."""

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

    def indicator_matrix(self, max_sets: int = MOST_LISTED) -> FloatArray:
        """The indicator vectors of all sets, shape (K, n).

        Raises
        ------
        InputError
            Where there are more than ``max_sets``.
        """
        rows: list[tuple[int, ...]] = []
        for members in self.sets():
            if len(rows) == max_sets:
                raise InputError(f"{self.name} has more than {max_sets:,} sets, too many to list")
            rows.append(members)
        return indicators(rows, self.size)


class Matroid(DecisionClass):
    """The bases of a matroid, known by the rank of any set of elements."""

    @abstractmethod
    def rank_of(self, elements: Sequence[int]) -> int:
        """The size of the largest independent subset."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """All bases have the same size."""
        return (self.rank_of(range(self.size)),)

    @checked_types
    def contains(self, chosen: Iterable[int]) -> bool:
        """A base is independent and as large as possible."""
        members = list(chosen)
        return len(members) == self.rank == self.rank_of(members)

    def complete_greedily(self, start: Sequence[int], order: Iterable[int]) -> tuple[int, ...]:
        """``start`` with every element of ``order`` that keeps it independent."""
        chosen = list(start)
        for element in order:
            if element not in chosen and self.rank_of([*chosen, element]) > len(chosen):
                chosen.append(element)
        return tuple(sorted(chosen))


class TopK(Matroid):
    """All sets of k elements: the bases of the uniform matroid.

    Parameters
    ----------
    size : int
        n.
    k : int
        From 1 to n.
    labels : sequence of str, optional

    Examples
    --------
    >>> TopK(4, 2).count()
    6
    """

    @checked_types
    def __init__(self, size: int, k: int, labels: Sequence[str] | None = None) -> None:
        super().__init__(size, labels)
        self.k = checked_count("k", k)
        if k > size:
            raise InputError(f"k is {k}, expected at most the number of elements, {size}")

    @property
    def name(self) -> str:
        """Such as ``10 of 36``."""
        return f"{self.k} of {self.size}"

    @property
    def fingerprint(self) -> dict[str, Any]:
        """N and k."""
        return {"n": self.size, "k": self.k}

    def rank_of(self, elements: Sequence[int]) -> int:
        """Any k elements are independent."""
        return min(self.k, len(elements))

    def count(self) -> int:
        """The binomial coefficient."""
        return math.comb(self.size, self.k)

    def sets(self) -> Iterator[tuple[int, ...]]:
        """In lexicographic order."""
        return combinations(range(self.size), self.k)

    def complete_greedily(self, start: Sequence[int], order: Iterable[int]) -> tuple[int, ...]:
        """Without any test of independence."""
        rest = [element for element in order if element not in start]
        return tuple(sorted([*start, *rest[: self.k - len(start)]]))


class PartitionMatroid(Matroid):
    """As many elements of each group as its capacity: the bases of a partition matroid.

    Parameters
    ----------
    groups : sequence of int, length n
        The group of each element, numbered from 0.
    capacities : int or sequence of int
        How many elements of each group are chosen.
    labels : sequence of str, optional

    Examples
    --------
    >>> sorted(PartitionMatroid([0, 0, 1, 1], 1).sets())
    [(0, 2), (0, 3), (1, 2), (1, 3)]
    """

    @checked_types
    def __init__(
        self,
        groups: Sequence[int],
        capacities: int | Sequence[int],
        labels: Sequence[str] | None = None,
    ) -> None:
        super().__init__(len(groups), labels)
        self.groups = tuple(checked_count("a group", group, least=0) for group in groups)
        kinds = max(self.groups) + 1
        if isinstance(capacities, int | np.integer):
            capacities = [int(capacities)] * kinds
        if not isinstance(capacities, Sequence | np.ndarray):
            raise InputError(f"capacities is {capacities!r}, expected a whole number or a list")
        self.capacities = tuple(checked_count("a capacity", c, least=0) for c in capacities)
        if len(self.capacities) != kinds:
            raise InputError(f"{len(self.capacities)} capacities for {kinds} groups")
        for group, capacity in enumerate(self.capacities):
            if capacity > self.groups.count(group):
                raise InputError(
                    f"group {group} has capacity {capacity} and {self.groups.count(group)} elements"
                )

    @property
    def name(self) -> str:
        """Such as ``partition 2+1 of 7``."""
        return f"partition {'+'.join(map(str, self.capacities))} of {self.size}"

    @property
    def fingerprint(self) -> dict[str, Any]:
        """Groups and capacities."""
        return {"groups": self.groups, "capacities": self.capacities}

    def rank_of(self, elements: Sequence[int]) -> int:
        """Each group counts up to its capacity."""
        held = np.bincount([self.groups[e] for e in elements], minlength=len(self.capacities))
        return int(np.minimum(held, self.capacities).sum())

    def count(self) -> int:
        """A product of binomial coefficients."""
        return math.prod(
            math.comb(self.groups.count(group), capacity)
            for group, capacity in enumerate(self.capacities)
        )

    def sets(self) -> Iterator[tuple[int, ...]]:
        """One choice a group."""
        held = [
            [e for e in range(self.size) if self.groups[e] == group]
            for group in range(len(self.capacities))
        ]
        choices = [combinations(e, c) for e, c in zip(held, self.capacities, strict=True)]
        for parts in product(*choices):
            yield tuple(sorted(e for part in parts for e in part))


class PairedSets(DecisionClass):
    """Two sets of a class at once: elements e of the first, n + e of the second.

    Parameters
    ----------
    base : DecisionClass
    """

    def __init__(self, base: DecisionClass) -> None:
        labels = [f"{label}{mark}" for mark in ("", "'") for label in base.labels]
        super().__init__(2 * base.size, labels)
        self.base = base

    @property
    def name(self) -> str:
        """Such as ``pairs of 2 of 4``."""
        return f"pairs of {self.base.name}"

    @property
    def fingerprint(self) -> dict[str, Any]:
        """That of the class."""
        return {"pairs": self.base.fingerprint}

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sums of two sizes."""
        return tuple(sorted({i + j for i in self.base.sizes for j in self.base.sizes}))

    def count(self) -> int:
        """K²."""
        return self.base.count() ** 2

    def sets(self) -> Iterator[tuple[int, ...]]:
        """Every pair, in order."""
        for first, second in product(self.base.sets(), repeat=2):
            yield (*first, *(self.base.size + e for e in second))

    @checked_types
    def contains(self, chosen: Iterable[int]) -> bool:
        """Whether both halves are sets."""
        members = list(chosen)
        first = [e for e in members if e < self.base.size]
        second = [e - self.base.size for e in members if e >= self.base.size]
        return self.base.contains(first) and self.base.contains(second)


def indicators(sets: Sequence[Iterable[int]], size: int) -> FloatArray:
    """Indicator vectors, one row a set; shape (sets, size)."""
    rows = np.zeros((len(sets), size))
    for row, members in zip(rows, sets, strict=True):
        row[list(members)] = 1.0
    return rows
