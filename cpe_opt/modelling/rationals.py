r"""Sparse systems of linear equations in rational numbers, and the text of such numbers.

:func:`solve_rational` solves :math:`M x = b`, M square, without rounding:

1. *Triangular parts.* A row with one unknown gives its value; an unknown that is in one row alone
   is found from that row at the end. Both are taken off as long as there are any.
2. *The rest by Dixon's p-adic lifting* (Numerische Mathematik 40, 1982, 137-141). Rows are
   multiplied by their common denominators, so M and b are whole. With :math:`C = M^{-1} \bmod p`
   for a prime p, :math:`r_0 = b` and

   .. math:: d_t = C r_t \bmod p, \qquad r_{t+1} = (r_t - M d_t) / p,

   :math:`\sum_{t<s} d_t p^t` is x modulo :math:`p^s`. A fraction with numerator up to N and
   denominator up to D is the only one of its residue if :math:`p^s > 2ND`; it is found by the
   extended Euclidean algorithm. Hadamard's inequality bounds N and D for :math:`x_i` by Cramer's
   rule. Fewer steps often do, so fractions are tried after 8, 16, 32, … steps.
3. *Whatever was found is inserted into all equations*, exactly. Nothing rests on the steps before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

Integers = npt.NDArray[np.int64]
ExactRow = Mapping[int, Fraction]

LARGEST_SYSTEM = 800  # equations that are left after the triangular parts
_PRIMES = (2147483647, 2147483629, 2147483587, 2147483579)  # the largest below 2^31
_LIMB = 22  # bits of a part of a coefficient: with a digit and a sum of rows below 2^63
_FIRST_STEPS = 8
_DECIMALS = 4000  # of a piece of a number; Python refuses texts of more than 4300


def solve_rational(rows: Sequence[ExactRow], sides: Sequence[Fraction]) -> list[Fraction] | None:
    """The solution of a square system; None if it is singular, or too large.

    Parameters
    ----------
    rows : sequence of mappings
        Of each equation the coefficients that are not 0, by the number of the unknown.
    sides : sequence of Fraction
    """
    peeled = _peeled(rows, sides)
    if peeled is None:
        return None
    solution, left_rows, left_columns, last = peeled
    if left_rows:
        place = {column: number for number, column in enumerate(left_columns)}
        system, rest = [], []
        for row in left_rows:
            known = (a * solution[j] for j, a in rows[row].items() if j in solution)
            rest.append(sides[row] - sum(known, Fraction(0)))
            system.append({place[j]: a for j, a in rows[row].items() if j in place})
        values = _lifted(system, rest)
        if values is None:
            return None
        solution.update(zip(left_columns, values, strict=True))
    for row, column in reversed(last):
        known = (a * solution[j] for j, a in rows[row].items() if j != column)
        solution[column] = (sides[row] - sum(known, Fraction(0))) / rows[row][column]
    return [solution[column] for column in range(len(rows))]


def _peeled(
    rows: Sequence[ExactRow], sides: Sequence[Fraction]
) -> tuple[dict[int, Fraction], list[int], list[int], list[tuple[int, int]]] | None:
    """What triangular parts give; None if they show that the system is singular.

    The values of the first unknowns, the rows and the columns that are left, and the rows with the
    unknowns that each gives at last, those that depend on others first.
    """
    size = len(rows)
    unknown = [set(row) for row in rows]
    users: list[set[int]] = [set() for _ in range(size)]
    for number, row in enumerate(rows):
        for column in row:
            users[column].add(number)
    solution: dict[int, Fraction] = {}
    last: list[tuple[int, int]] = []
    left_rows, left_columns = set(range(size)), set(range(size))
    queue = [(True, number) for number in range(size)] + [(False, j) for j in range(size)]
    while queue:
        of_row, number = queue.pop()
        if of_row and number in left_rows:
            if not unknown[number]:
                return None
            if len(unknown[number]) > 1:
                continue
            (column,) = unknown[number]
            row = rows[number]
            known = (a * solution[j] for j, a in row.items() if j != column)
            solution[column] = (sides[number] - sum(known, Fraction(0))) / row[column]
            left_rows.discard(number)
            left_columns.discard(column)
            for user in users[column]:
                unknown[user].discard(column)
                queue.append((True, user))
        elif not of_row and number in left_columns:
            if not users[number] & left_rows:
                return None
            if len(users[number] & left_rows) > 1:
                continue
            (row_number,) = users[number] & left_rows
            last.append((row_number, number))
            left_rows.discard(row_number)
            left_columns.discard(number)
            queue += [(False, column) for column in rows[row_number] if column in left_columns]
    return solution, sorted(left_rows), sorted(left_columns), last


def _lifted(rows: Sequence[ExactRow], sides: Sequence[Fraction]) -> list[Fraction] | None:
    """The solution by p-adic lifting; None where the system is singular, or too large."""
    size = len(rows)
    if size > LARGEST_SYSTEM:
        return None
    scales = [math.lcm(*(a.denominator for a in row.values())) for row in rows]
    whole = [
        {j: int(a * scale) for j, a in row.items()} for row, scale in zip(rows, scales, strict=True)
    ]
    scaled = [side * scale for side, scale in zip(sides, scales, strict=True)]
    common = math.lcm(*(side.denominator for side in scaled))
    right = [int(side * common) for side in scaled]
    for prime in _PRIMES:
        inverse = _inverse_modulo(whole, prime)
        if inverse is not None:
            break
    else:
        return None
    norms = [sum(a * a for a in row.values()) for row in whole]
    most_below = sum(norm.bit_length() for norm in norms) // 2 + size + 1
    with_side = (norm + b * b for norm, b in zip(norms, right, strict=True))
    most_above = sum(norm.bit_length() for norm in with_side) // 2 + size + 1
    needed = (most_above + most_below + 2) // (prime.bit_length() - 1) + 1
    limbs = _limbs(whole, size)
    rest: npt.NDArray[Any] = np.array(right, dtype=object)
    digits: list[npt.NDArray[Any]] = []
    steps = _FIRST_STEPS
    while True:
        while len(digits) < min(steps, needed):
            digit = _product_modulo(inverse, (rest % prime).astype(np.int64), prime)
            digits.append(digit.astype(object))
            for shift, limb in limbs:
                rest = rest - ((limb @ digit).astype(object) << shift)
            rest = rest // prime
        modulus = prime ** len(digits)
        bits = modulus.bit_length() - 2
        above = most_above if len(digits) >= needed else bits // 2
        found = _fractions(_number(digits, prime), modulus, 1 << above, 1 << (bits - above))
        if found is not None and _solves(whole, right, *found):
            numerators, denominator = found
            return [Fraction(value, denominator * common) for value in numerators]
        if len(digits) >= needed:
            return None
        steps *= 2


def _inverse_modulo(rows: Sequence[Mapping[int, int]], prime: int) -> Integers | None:
    """The inverse modulo a prime, by Gauss-Jordan elimination; None if it is singular."""
    size = len(rows)
    work = np.zeros((size, 2 * size), dtype=np.int64)
    for number, row in enumerate(rows):
        work[number, size + number] = 1
        for column, value in row.items():
            work[number, column] = value % prime
    for column in range(size):
        pivots = np.flatnonzero(work[column:, column])
        if not pivots.size:
            return None
        if pivots[0]:
            work[[column, column + int(pivots[0])]] = work[[column + int(pivots[0]), column]]
        # Left of the pivot all is done, and right of the identity's last changed column is nothing.
        part = slice(column, 2 * size)
        work[column, part] = work[column, part] * pow(int(work[column, column]), -1, prime) % prime
        factors = work[:, column].copy()
        factors[column] = 0
        used = np.flatnonzero(factors)
        work[used, part] = (work[used, part] - factors[used, None] * work[column, part]) % prime
    return work[:, size:].copy()


def _product_modulo(matrix: Integers, vector: Integers, prime: int) -> Integers:
    """``matrix @ vector`` modulo a prime below 2^31, in two halves, so that no sum overflows."""
    high = (matrix @ (vector >> 16)) % prime
    return np.asarray(((high << 16) + matrix @ (vector & 0xFFFF)) % prime, dtype=np.int64)


def _limbs(rows: Sequence[Mapping[int, int]], size: int) -> list[tuple[int, sp.csr_array]]:
    """The matrix as a sum of matrices of small whole numbers, each shifted by some bits."""
    entries = [(i, j, a) for i, row in enumerate(rows) for j, a in row.items()]
    bits = max(abs(a).bit_length() for *_, a in entries)
    places = [i for i, *_ in entries], [j for _, j, _ in entries]
    mask = (1 << _LIMB) - 1
    limbs = []
    for shift in range(0, bits, _LIMB):
        part = [((abs(a) >> shift) & mask) * (1 if a > 0 else -1) for *_, a in entries]
        values = np.array(part, dtype=np.int64)
        limbs.append((shift, sp.csr_array(sp.coo_array((values, places), shape=(size, size)))))
    return limbs


def _number(digits: Sequence[npt.NDArray[Any]], prime: int) -> list[int]:
    """The numbers with these digits, the lowest first, pair by pair."""
    parts, base = list(digits), prime
    while len(parts) > 1:
        pairs = [low + high * base for low, high in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + parts[2 * len(pairs) :]
        base *= base
    return [int(value) for value in parts[0]]


def _fractions(
    residues: Sequence[int], modulus: int, above: int, below: int
) -> tuple[list[int], int] | None:
    """Numerators and one denominator with these residues, within bounds; None if there are none."""
    denominator = 1
    numerators: list[int] = []
    for residue in residues:
        value = residue * denominator % modulus
        value = value - modulus if value > modulus // 2 else value
        factor = 1
        if abs(value) > above:
            found = _fraction(value % modulus, modulus, above, below)
            if found is None:
                return None
            value, factor = found
            denominator *= factor
            numerators = [numerator * factor for numerator in numerators]
        numerators.append(value)
    return numerators, denominator


def _fraction(residue: int, modulus: int, above: int, below: int) -> tuple[int, int] | None:
    """The fraction with this residue, by the extended Euclidean algorithm."""
    (a, b), (s, t) = (modulus, residue), (0, 1)
    while b > above:
        quotient = a // b
        a, b = b, a - quotient * b
        s, t = t, s - quotient * t
    if t == 0 or abs(t) > below:
        return None
    return (b, t) if t > 0 else (-b, -t)


def _solves(
    rows: Sequence[Mapping[int, int]], sides: Sequence[int], values: Sequence[int], denominator: int
) -> bool:
    return all(
        sum(a * values[j] for j, a in row.items()) == side * denominator
        for row, side in zip(rows, sides, strict=True)
    )


def fraction_text(value: Fraction) -> str:
    """``p/q``, or ``p`` where q is 1; of any length.

    Examples
    --------
    >>> fraction_text(Fraction(-3, 4)), fraction_text(Fraction(5))
    ('-3/4', '5')
    """
    numerator = _decimal(value.numerator)
    return numerator if value.denominator == 1 else f"{numerator}/{_decimal(value.denominator)}"


def _decimal(number: int) -> str:
    pieces, rest, base = [], abs(number), 10**_DECIMALS
    while rest >= base:
        rest, piece = divmod(rest, base)
        pieces.append(f"{piece:0{_DECIMALS}d}")
    return "-" * (number < 0) + str(rest) + "".join(reversed(pieces))


def fraction_of(text: str) -> Fraction:
    """The value of what :func:`fraction_text` writes; ``ValueError`` for anything else.

    Examples
    --------
    >>> fraction_of("-6/8")
    Fraction(-3, 4)
    """
    above, slash, below = text.partition("/")
    digits = above.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{text[:40]!r} is no fraction such as 3, -1/2")
    if slash and not (below.isascii() and below.isdigit() and int(_head(below))):
        raise ValueError(f"{text[:40]!r} is no fraction such as 3, -1/2")
    value = Fraction(_integer(digits), _integer(below) if slash else 1)
    return -value if above.startswith("-") else value


def _head(digits: str) -> str:
    """The first digits that are not 0, if any."""
    return digits.lstrip("0")[:1] or "0"


def _integer(digits: str) -> int:
    value = 0
    for start in range(0, len(digits), _DECIMALS):
        piece = digits[start : start + _DECIMALS]
        value = value * 10 ** len(piece) + int(piece)
    return value
