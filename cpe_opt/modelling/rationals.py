"""The text of fractions of any length.

Python refuses to turn texts of more than 4300 digits into whole numbers, and back, unless a switch
of the whole process is turned; its decimal numbers do it without, and without rounding.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction


def fraction_text(value: Fraction) -> str:
    """``p/q``, or ``p`` where q is 1; of any length.

    Examples
    --------
    >>> fraction_text(Fraction(-3, 4)), fraction_text(Fraction(5))
    ('-3/4', '5')
    """
    numerator = f"{Decimal(value.numerator):f}"
    return numerator if value.denominator == 1 else f"{numerator}/{Decimal(value.denominator):f}"


def fraction_of(text: str) -> Fraction:
    """The value of what :func:`fraction_text` writes; ``ValueError`` for anything else.

    Examples
    --------
    >>> fraction_of("-6/8")
    Fraction(-3, 4)
    """
    above, slash, below = text.partition("/")
    parts = [above.removeprefix("-"), *([below] if slash else [])]
    if not all(part.isascii() and part.isdigit() for part in parts) or not (
        slash == "" or below.strip("0")
    ):
        raise ValueError(f"{text[:40]!r} is no fraction such as 3, -1/2")
    value = Fraction(*(int(Decimal(part)) for part in parts))
    return -value if above.startswith("-") else value
