r"""Choices between equal numbers, alike on every machine.

The last bits of a matrix product, an inverse or a logarithm depend on the processor and on the
libraries that were built for it. Numbers that are equal on paper then differ by rounding, on each
machine in its own way, and a maximum, an order or a vertex of a linear program that rests on them
would differ, too. Hence one rule wherever a seeded or published result rests on such a choice:

- numbers that are sorted, or handed to an oracle or a solver, are rounded to a grid that is much
  coarser than their errors (:func:`on_grid`, :func:`in_bits`): what was equal on paper is then
  equal, sums of it are exact, and the oracle sees the same input everywhere;
- a largest or smallest number is the first one within a tolerance (:func:`first_largest`,
  :func:`first_smallest`), and sorts are stable (:func:`ascending`, where it counts, is faster);
- a comparison with a threshold that estimates can meet exactly, such as a margin that is a power of
  two, has a tolerance on one side;
- a number that is 0 on paper and rounding in fact is neither a divisor nor a factor.

**What is promised.** Seeded runs, sets of designs, winners and what is proved are the same on all
processors, and numbers agree within 1e-9. Three things are not: what rounding moves over the edge
of a cell of the grid, or over a tolerance at which an iteration stops, which no symmetry leads to;
designs by a conic solver (``method="cvxpy"``, ``"cone"``), which are its own to its tolerance; and
draws from gamma and beta distributions (double Thompson sampling), which rest on the logarithms of
the C library.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray

TIE = 1e-9
_BITS = 31


def on_grid(values: npt.ArrayLike, *, largest: float | None = None) -> FloatArray:
    """The numbers as multiples of one power of two, about 1e-9 of the largest, or less.

    Sums of up to a million of them are exact. The largest magnitude may be given.

    >>> sums, exact = on_grid([0.1 + 0.2, 0.3, 1.0]).tolist()[:2]
    >>> 0.1 + 0.2 == 0.3, sums == exact, abs(exact - 0.3) < 2**-30
    (False, True, True)
    """
    array = np.asarray(values, dtype=np.float64)
    if largest is None:
        largest = float(np.abs(array).max(initial=0.0))
    # A largest number next to a power of two is common, one next to 1/1.4 of it is not.
    _, exponent = math.frexp(1.4 * largest)
    step = math.ldexp(1.0, max(exponent - _BITS, -1000))
    return np.asarray(np.rint(array / step) * step)


def in_bits(values: npt.ArrayLike, bits: int) -> FloatArray:
    """Every number with its first bits alone: a relative error of at most 2 to the -bits."""
    parts, exponents = np.frexp(np.asarray(values, dtype=np.float64))
    return np.asarray(np.ldexp(np.rint(parts * 2.0**bits) / 2.0**bits, exponents))


def just_below(values: npt.ArrayLike, step: float = 2.0**-20) -> FloatArray:
    """The multiples of a power of two that lie one below the nearest: never more than the numbers.

    For evidence, which may be published and must not be more than was found: alike on every
    machine, but where a number falls on the edge of a cell.

    >>> just_below([1.1, 0.0], 0.25).tolist()
    [0.75, -0.25]
    """
    return np.asarray((np.rint(np.asarray(values) / step) - 1.0) * step)


def first_largest(
    values: npt.ArrayLike, *, tolerance: float = TIE, scale: npt.ArrayLike | None = None
) -> IntArray:
    """The first index of the largest number along the last axis; nearly equal is equal.

    Numbers are as large that are as close to the largest as a share of ``scale``, the magnitude of
    what they were computed from, by default the largest.
    """
    array = np.asarray(values, dtype=np.float64)
    largest = array.max(axis=-1, keepdims=True)
    size = np.abs(largest) if scale is None else np.asarray(scale, dtype=np.float64)
    slack = np.where(np.isfinite(largest), tolerance * size, 0.0)
    return np.asarray((array >= largest - slack).argmax(axis=-1))


def first_smallest(values: npt.ArrayLike, *, tolerance: float = TIE) -> int:
    """The first index of the smallest of a list of numbers; nearly equal is equal."""
    if isinstance(values, list):  # of a few numbers, of which to make an array would take longer
        least = min(values)
        most = least + tolerance * abs(least) if math.isfinite(least) else least
        return next(place for place, value in enumerate(values) if value <= most)
    return int(first_largest(-np.asarray(values, dtype=np.float64), tolerance=tolerance))


def ascending(values: FloatArray) -> IntArray:
    """The order of numbers along the last axis; of nearly equal ones the first comes first.

    None may be negative or NaN. Their bits are sorted as integers, with the place for the last
    bits, as many as N places need: no two keys are equal, so that any way to sort them, the fastest
    too, gives this order. Nearly equal are numbers that agree in all but these bits of their
    mantissas, 8 of 52 for N = 256. Logarithms, exponentials and sums have errors on both sides of
    such a cell: :func:`in_bits` comes first.

    >>> ascending(np.array([0.1 + 0.2, 0.3, np.inf, 0.0, 0.1])).tolist()
    [3, 4, 0, 1, 2]
    """
    places = values.shape[-1]
    bits = max(1, (places - 1).bit_length())
    # The sum makes zeros of either sign positive, and the array contiguous.
    keys = (values + 0.0).view(np.int64) >> bits << bits | np.arange(places)
    keys.sort(axis=-1)
    return np.asarray(keys & ((1 << bits) - 1))
