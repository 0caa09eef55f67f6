r"""Choices between equal numbers, alike on every machine.

The last bits of a matrix product, an inverse or a logarithm depend on the processor and on the
libraries that were built for it. Numbers that are equal on paper then differ by rounding, on each
machine in its own way, and a maximum, an order or a vertex of a linear program that rests on them
would differ, too. Hence one rule wherever a seeded or published result rests on such a choice:

- numbers that are sorted, or handed to an oracle or a solver, are rounded to a grid that is much
  coarser than their errors (:func:`on_grid`, :func:`in_bits`); what was equal on paper is then
  equal, sums of it are exact, and the oracle sees the same input everywhere;
- a largest or smallest number is the first one within a tolerance (:func:`first_largest`,
  :func:`first_smallest`);
- sorts are stable: of equal numbers the first comes first (:func:`ascending`, where it counts, is
  also much faster than a stable sort);
- a comparison with a threshold that estimates can meet exactly, such as a margin that is a power of
  two, has a tolerance on one side;
- a number that is 0 on paper and rounding in fact is neither a divisor nor a factor.

**What is promised.** Seeded runs, sets of designs, winners and what is proved are the same on all
processors, and numbers agree within 1e-9, with the exceptions below. The tests play every kernel of
OpenBLAS that one machine can, numpy's vector instructions on and off, the C library without fused
operations, and machines that nobody has, whose products, sums, inverses and logarithms have other
last bits.

**What is not.**

- What is not tied on paper is decided by rounding only where it falls on the edge of a cell of the
  grid, or on a tolerance at which an iteration stops, to within the last bits. No symmetry leads
  there, and random numbers hardly ever do.
- Where a conic solver makes the design (``method="cvxpy"``, ``"cone"``), it is that of the solver
  to its tolerance; learners that pull by it may differ from machine to machine.
- Learners that draw from gamma or beta distributions (double Thompson sampling) rest on numpy's
  generator, whose logarithms are those of the C library.
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

    Sums of up to a million of them are exact.

    Parameters
    ----------
    values : array_like
        Finite.
    largest : float, optional
        The largest of their magnitudes, where it is known.

    Examples
    --------
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
    """Every number with its first bits alone: a relative error of at most 2 to the -bits.

    Examples
    --------
    >>> in_bits([0.1 + 0.2, 0.3, 5.0], 24).tolist()
    [0.30000001192092896, 0.30000001192092896, 5.0]
    """
    parts, exponents = np.frexp(np.asarray(values, dtype=np.float64))
    return np.asarray(np.ldexp(np.rint(parts * 2.0**bits) / 2.0**bits, exponents))


def just_below(values: npt.ArrayLike, step: float = 2.0**-20) -> FloatArray:
    """The multiples of a step that lie one below the nearest: never more than the numbers are.

    For evidence, which may be published and must not be more than was found: alike on every
    machine, but where a number falls on the edge of a cell.

    Parameters
    ----------
    values : array_like
        Infinities are allowed.
    step : float
        A power of two.

    Examples
    --------
    >>> just_below([1.1, 0.0], 0.25).tolist()
    [0.75, -0.25]
    """
    return np.asarray((np.rint(np.asarray(values) / step) - 1.0) * step)


def first_largest(
    values: npt.ArrayLike, *, tolerance: float = TIE, scale: npt.ArrayLike | None = None
) -> IntArray:
    """The first index of the largest number along the last axis; nearly equal is equal.

    Parameters
    ----------
    values : array_like
        Infinities are allowed.
    tolerance : float
        Numbers this close to the largest, as a share of ``scale``, are as large.
    scale : array_like, optional
        The magnitude of what the numbers were computed from, that of the largest by default.

    Examples
    --------
    >>> int(first_largest([0.3, 0.1 + 0.2, 0.1]))
    0
    """
    array = np.asarray(values, dtype=np.float64)
    largest = array.max(axis=-1, keepdims=True)
    size = np.abs(largest) if scale is None else np.asarray(scale, dtype=np.float64)
    slack = np.where(np.isfinite(largest), tolerance * size, 0.0)
    return np.asarray((array >= largest - slack).argmax(axis=-1))


def first_smallest(values: npt.ArrayLike, *, tolerance: float = TIE) -> int:
    """The first index of the smallest of a list of numbers; nearly equal is equal."""
    return int(first_largest(-np.asarray(values, dtype=np.float64), tolerance=tolerance))


def ascending(values: FloatArray) -> IntArray:
    """The order of numbers along the last axis; of nearly equal ones the first comes first.

    The numbers' bits are sorted as integers, with the place for the last bits, as many as places
    need: no two keys are equal, so that any way to sort them, the fastest too, gives this order.

    Parameters
    ----------
    values : float array, shape (..., N)
        None is negative or NaN; infinities are allowed. Numbers are nearly equal that agree in all
        but the last bits of their mantissas, 8 of 52 for N = 256. Logarithms, exponentials and
        sums have errors on both sides of such a cell: :func:`in_bits` comes first.

    Returns
    -------
    int array, shape (..., N)

    Examples
    --------
    >>> import numpy as np
    >>> ascending(np.array([0.1 + 0.2, 0.3, np.inf, 0.0, 0.1])).tolist()
    [3, 4, 0, 1, 2]
    """
    places = values.shape[-1]
    bits = max(1, (places - 1).bit_length())
    # The sum makes zeros of either sign positive, and the array contiguous.
    keys = (values + 0.0).view(np.int64) >> bits << bits | np.arange(places)
    keys.sort(axis=-1)
    return np.asarray(keys & ((1 << bits) - 1))
