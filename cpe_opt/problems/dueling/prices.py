"""Prices of duels: what asking once about a pair costs, in any unit.

A pair has one price; the diagonal of a matrix is not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, listed
from cpe_opt.problems.dueling.checks import entry_place, labels_of
from cpe_opt.problems.prices import Prices, pair_prices, price_array
from cpe_opt.validation import checked_labels


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
