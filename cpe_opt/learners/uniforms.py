"""Uniform random numbers for learners that draw in most rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

_BLOCK = 1024


class Uniforms:
    """The stream of ``rng.random()``, in blocks: a number at a time costs eight times more."""

    __slots__ = ("_block", "_rng")

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._block: list[float] = []

    def next(self) -> float:
        """The next number, in [0, 1)."""
        return self._block.pop() if self._block else self._refill()

    def below(self, count: int) -> int:
        """A whole number from 0 to count - 1, as n (1 - 2^-53) is rounded below n."""
        return int(count * (self._block.pop() if self._block else self._refill()))

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Some of the items, every choice of so many alike, from a number for each."""
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(count)]

    def _refill(self) -> float:
        self._block = self._rng.random(_BLOCK)[::-1].tolist()
        return self._block.pop()
