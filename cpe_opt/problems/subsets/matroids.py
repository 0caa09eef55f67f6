"""Decision classes whose sets are the bases of a matroid: k of n, or a number of each group."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.subsets.decisions import DecisionClass, RowBuilder
from cpe_opt.validation import (
    Labels,
    NonNegativeInt,
    PositiveInt,
    Size,
    checked_types,
)


class Matroid(DecisionClass, ABC):
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

    def best(
        self, weights: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> tuple[int, ...] | None:
        """Greedily, by descending weight; of equal elements the first comes first."""
        if include and self.rank_of(include) < len(include):
            return None
        banned = set(exclude)
        order = [e for e in np.argsort(-weights, kind="stable").tolist() if e not in banned]
        chosen = self.complete_greedily(include, order)
        return chosen if len(chosen) == self.rank else None

    def exchanges(self, chosen: Sequence[int]) -> IntArray:
        """All that lead to a base.

        Between any two bases there is a matching of the elements of either alone, each pair of
        which is an exchange (Brualdi, "Comments on bases in dependence structures", 1969).
        """
        pairs = [
            (out, new)
            for out in chosen
            for new in range(self.size)
            if new not in chosen
            and self.rank_of([*(e for e in chosen if e != out), new]) == len(chosen)
        ]
        return np.array(pairs, dtype=np.int64).reshape(len(pairs), 2)


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
    def __init__(self, size: Size, k: PositiveInt, labels: Labels | None = None) -> None:
        super().__init__(size, labels)
        self.k = int(k)
        if k > size:
            raise InputError(f"k is {k}, expected at most the number of elements, {size}")

    @property
    def name(self) -> str:
        """Such as ``10 of 36``."""
        return f"{self.k} of {self.size}"

    @property
    def fingerprint(self) -> dict[str, Any]:
        """The numbers n and k."""
        return {"n": self.size, "k": self.k}

    @property
    def uniform_rank(self) -> int | None:
        """The k."""
        return self.k

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

    @property
    def integral(self) -> bool:
        """Sums of distinct columns: a matrix of intervals."""
        return True

    def program_rows(
        self, builder: RowBuilder, columns: IntArray, *, integer: bool = False, prefix: str = ""
    ) -> None:
        """``size``: the elements add up to k."""
        builder.row(f"{prefix}size", columns, lower=self.k, upper=self.k)


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
        groups: Sequence[NonNegativeInt],
        capacities: NonNegativeInt | Sequence[NonNegativeInt],
        labels: Labels | None = None,
    ) -> None:
        super().__init__(len(groups), labels)
        self.groups = tuple(map(int, groups))
        kinds = max(self.groups) + 1
        if isinstance(capacities, int | np.integer):
            capacities = [int(capacities)] * kinds
        self.capacities = tuple(map(int, capacities))
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

    @property
    def integral(self) -> bool:
        """Sums of distinct columns: a matrix of intervals."""
        return True

    def program_rows(
        self, builder: RowBuilder, columns: IntArray, *, integer: bool = False, prefix: str = ""
    ) -> None:
        """``group_g``: its elements add up to its capacity."""
        capacities, groups = np.array(self.capacities, dtype=np.float64), np.array(self.groups)
        builder.rows(
            f"{prefix}group", len(capacities), groups, columns, lower=capacities, upper=capacities
        )
