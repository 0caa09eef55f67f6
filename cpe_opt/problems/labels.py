"""Labels of arms, elements and other things that are counted from 0, and values in their order."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from cpe_opt.arrays import is_whole
from cpe_opt.errors import InputError, listed
from cpe_opt.validation import checked_texts


def checked_labels(
    labels: Any, count: int, noun: str = "arm", what: str = "labels", letter: str = ""
) -> tuple[str, ...]:
    """Labels of so many things, stripped, no two alike; their numbers, after a letter, for None."""
    if labels is None:
        return tuple(f"{letter}{number}" for number in range(count))
    texts = tuple(text.strip() for text in checked_texts(what, labels))
    if len(texts) != count:
        raise InputError(f"{what}: {len(texts)} given for {count} {noun}s")
    if (pair := repeated(texts)) is not None:
        one, other = pair
        raise InputError(f"{what}: {noun}s {one} and {other} are both called {texts[other]!r}")
    return texts


def checked_place(what: str, number: Any, count: int) -> int:
    """The number of one of so many things, from 0 on, or :class:`InputError`."""
    if not is_whole(number):
        raise InputError(f"{what} is {number!r}, expected a whole number")
    if not 0 <= number < count:
        raise InputError(f"{what} {number} does not exist, expected 0 … {count - 1}")
    return int(number)


def repeated(labels: Sequence[str]) -> tuple[int, int] | None:
    """The places of two labels that are the same to a person; None if all differ.

    Accents of Unicode can be written in two ways, and look alike.
    """
    first: dict[str, int] = {}
    for place, label in enumerate(labels):
        other = first.setdefault(unicodedata.normalize("NFC", label), place)
        if other != place:
            return other, place
    return None


def in_order_of(what: str, values: Any, labels: Sequence[str]) -> Any:
    """The values in the order of labels, where the index or the header of pandas has them.

    Anything else is returned as it is, and so is what is only counted from 0.
    """
    if not hasattr(values, "iloc"):
        return values
    header = getattr(values, "columns", None)
    where, index = ("index", values.index) if header is None else ("header", header)
    own, known = [str(label).strip() for label in index], list(map(str, labels))
    if own == known or list(index) == list(range(len(index))):
        return values
    place = {label: number for number, label in enumerate(own)}
    if sorted(own) != sorted(known):
        raise InputError(
            f"{what}: the {where} has {listed(own, 'labels')}, expected {listed(known, 'labels')}, "
            "each once"
        )
    order = [place[label] for label in known]
    return values.iloc[order] if header is None else values.iloc[:, order]
