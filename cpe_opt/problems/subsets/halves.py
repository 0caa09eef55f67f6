r"""A class as unions of halves, which are far fewer than its sets.

Elements are split into two parts, and halves are the sets' parts: of the matchings of 10 and 10,
3,628,800 of them, the edges at the first five positions, and those at the last five, 30,240 of
each. A block has first and second halves of which any two make a set: matchings of the first
positions with the same candidates, and those of the last positions with others. Every set is in
exactly one block, once. So what is a sum over pairs of elements, as a quadratic form is, can be
found for all sets of a block at once, by a product of two matrices, without a list of sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import BoolArray, IntArray


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
