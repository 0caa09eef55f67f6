"""Arrays of arms by arms and the labels of arms: what preferences, votes and prices check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.validation import checked_number, checked_texts, repeated


def labels_of(array: Any, what: str = "preference matrix") -> list[str] | None:
    """The labels of a data frame's rows and columns; None where both are but numbered.

    Where only one of the two is labelled, its labels are those of the arms. Numbers are taken as
    their text.
    """
    if not (hasattr(array, "index") and hasattr(array, "columns")):
        return None
    names = [list(array.index), list(array.columns)]
    labelled = [side for side in names if side != list(range(len(side)))]
    if len(labelled) == 2 and labelled[0] != labelled[1]:
        arm = next(k for k, pair in enumerate(zip(*labelled, strict=True)) if pair[0] != pair[1])
        raise InputError(
            f"{what}: row {arm} is labelled {labelled[0][arm]!r} and column {arm} "
            f"{labelled[1][arm]!r}, expected the same labels in the same order"
        )
    if not labelled:
        return None
    return [str(each) if isinstance(each, int | np.integer) else each for each in labelled[0]]


def entry_place(row: int, column: int, labels: object) -> str:
    """The place of an entry, for messages, with labels where there are any."""
    known = list(labels) if isinstance(labels, Iterable) and not isinstance(labels, str) else []

    def numbered(arm: int) -> str:
        named = arm < len(known) and str(known[arm]) != str(arm)
        return f"{arm} ({known[arm]})" if named else str(arm)

    return f"row {numbered(row)}, column {numbered(column)}"


def checked_square(what: str, array: npt.ArrayLike) -> FloatArray:
    """The array of floats, arms × arms, or :class:`InputError` if it has another shape."""
    matrix = checked_array(what, array)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        shape = " × ".join(map(str, matrix.shape)) or "a single number"
        raise InputError(f"{what}: expected a square array, got {shape}")
    if len(matrix) < 2:
        raise InputError(f"{what}: expected at least 2 arms, got {len(matrix)}")
    return matrix


def checked_arm(arm: int, arms: int) -> int:
    """The arm as an int, or :class:`InputError` if it is not below ``arms``."""
    if isinstance(arm, bool) or not isinstance(arm, int | np.integer):
        raise InputError(f"arm is {arm!r}, expected a whole number")
    if not 0 <= arm < arms:
        raise InputError(f"arm {arm} does not exist, expected 0 … {arms - 1}")
    return int(arm)


def checked_labels(labels: Sequence[str], count: int) -> tuple[str, ...]:
    """The labels of ``count`` arms, stripped, or :class:`InputError`."""
    texts = tuple(text.strip() for text in checked_texts("labels", labels))
    if len(texts) != count:
        raise InputError(f"labels: {len(texts)} given for {count} arms")
    if (pair := repeated(texts)) is not None:
        raise InputError(f"labels: arms {pair[0]} and {pair[1]} are both called {texts[pair[1]]!r}")
    return texts


def checked_margin(margin: float) -> float:
    """A margin of probabilities, from 0 to below ½, or :class:`InputError`."""
    value = checked_number("margin", margin, least=0.0)
    if value >= 0.5:
        raise InputError(f"margin is {margin!r}, expected a number from 0 to below 0.5")
    return value


def checked_score_margin(margin: float) -> float:
    """A margin of Borda scores, from 0 to below 1, or :class:`InputError`."""
    value = checked_number("margin", margin, least=0.0)
    if value >= 1.0:
        raise InputError(f"margin is {margin!r}, expected a number from 0 to below 1")
    return value
