"""Arrays of arms by arms and the labels of arms: what preferences, votes and prices check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError, listed
from cpe_opt.problems.pairs import Prices, pair_prices, price_array
from cpe_opt.validation import checked_labels, checked_number


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


def checked_margin(margin: float, below: float = 0.5) -> float:
    """A margin of probabilities, or of Borda scores below 1, or :class:`InputError`."""
    value = checked_number("margin", margin, least=0.0)
    if value >= below:
        raise InputError(f"margin is {margin!r}, expected a number from 0 to below {below:g}")
    return value


# Prices of duels: what asking once about a pair costs, in any unit.
#
# A pair has one price; the diagonal of a matrix is not read.


@runtime_checkable
class Labelled(Protocol):
    """What has arms with labels: a preference matrix, say."""

    @property
    def labels(self) -> Sequence[str]:
        """A name for each arm."""


def checked_prices(prices: Prices, preferences: Labelled) -> FloatArray:
    """The price of a duel of each pair, shape (K, K), symmetric, with a diagonal of 0."""
    labels = preferences.labels
    matrix = price_array(prices, (len(labels), len(labels)), "pair of arms")
    names = labels_of(prices, "prices")
    if names is not None:
        matrix = _by_name(matrix, names, labels)
    pairs = np.column_stack(np.triu_indices(len(labels), 1))
    return pair_prices(matrix, pairs, lambda i, j: f", {entry_place(i, j, labels)}")


def _by_name(matrix: FloatArray, names: Sequence[str], labels: Sequence[str]) -> FloatArray:
    """The matrix with rows and columns in the order of the arms."""
    names = checked_labels(names, len(matrix))
    if set(names) != set(labels):
        raise InputError(
            f"prices: the rows are of {listed(names, 'arms')}, expected {listed(labels, 'arms')}"
        )
    order = [names.index(label) for label in labels]
    return matrix[np.ix_(order, order)]
