"""What makes an array a preference matrix, and a list the labels of its arms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.validation import checked_texts, repeated


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
    """Where an entry stands, for messages: with the labels, where there are any."""
    known = list(labels) if isinstance(labels, Iterable) and not isinstance(labels, str) else []

    def numbered(arm: int) -> str:
        named = arm < len(known) and str(known[arm]) != str(arm)
        return f"{arm} ({known[arm]})" if named else str(arm)

    return f"row {numbered(row)}, column {numbered(column)}"


def checked_preferences(array: npt.ArrayLike, labels: object = None) -> FloatArray:
    """The array of floats, or :class:`InputError` where it is no preference matrix.

    ``labels`` are for messages.
    """
    matrix = checked_array("preference matrix", array)
    tolerance = TOLERANCE
    if (kind := np.asarray(array).dtype).kind == "f" and kind.itemsize < 8:
        # Numbers of fewer digits, such as 0.8 of 32 bits: what they were written as is meant.
        matrix = np.asarray(array).astype(str).astype(np.float64)
        tolerance = 2.0 * float(np.finfo(kind).eps)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        shape = " × ".join(map(str, matrix.shape)) or "a single number"
        raise InputError(f"preference matrix: expected a square array, got {shape}")
    if len(matrix) < 2:
        raise InputError(f"preference matrix: expected at least 2 arms, got {len(matrix)}")

    def refuse(where: npt.NDArray[np.bool_], problem: str) -> None:
        if where.any():
            row, column = (int(index[0]) for index in np.nonzero(where))
            value, mirror = matrix[row, column], matrix[column, row]
            text = problem.format(row=row, column=column, value=value, mirror=mirror)
            raise InputError(f"preference matrix, {entry_place(row, column, labels)}: {text}")

    refuse(np.isnan(matrix), "the entry is NaN, expected a probability")
    refuse((matrix < 0) | (matrix > 1), "the entry is {value}, expected a probability in [0, 1]")
    diagonal = np.eye(len(matrix), dtype=np.bool_)
    wrong = np.abs(matrix - 0.5) > tolerance
    refuse(diagonal & wrong, "the diagonal entry is {value}, expected 0.5")
    refuse(
        np.abs(matrix + matrix.T - 1) > tolerance,
        "{value} and its mirror image {mirror} do not add up to 1",
    )
    if tolerance > TOLERANCE:
        upper = np.triu(matrix, 1)
        matrix = upper + np.tril(1.0 - upper.T, -1) + 0.5 * np.eye(len(matrix))
    return matrix


def checked_arm(arm: int, arms: int) -> int:
    """The arm as an int, or :class:`InputError` where it is none of so many."""
    if isinstance(arm, bool) or not isinstance(arm, int | np.integer):
        raise InputError(f"arm is {arm!r}, expected a whole number")
    if not 0 <= arm < arms:
        raise InputError(f"arm {arm} does not exist, expected 0 … {arms - 1}")
    return int(arm)


def checked_labels(labels: Sequence[str], count: int) -> tuple[str, ...]:
    """The labels of so many arms, stripped, or :class:`InputError`."""
    texts = tuple(text.strip() for text in checked_texts("labels", labels))
    if len(texts) != count:
        raise InputError(f"labels: {len(texts)} given for {count} arms")
    if (pair := repeated(texts)) is not None:
        raise InputError(f"labels: arms {pair[0]} and {pair[1]} are both called {texts[pair[1]]!r}")
    return texts
