r"""Actions as vectors, in coordinates of their span.

Vectors x may span less than :math:`\mathbb R^n`; designs live in their span, of dimension r. No
criterion changes under an invertible linear map of it.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, checked_array, unit_of
from cpe_opt.errors import InputError
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.ties import first_largest

# Rounding errors: a singular value above the first number of them is one, below the second 0.
_CLEAR, _NOISE = 1e4, 10.0
_EQUAL = 1e-9  # lengths this close differ by rounding alone


def action_vectors(actions: npt.ArrayLike | DecisionClass) -> FloatArray:
    """The actions as rows, or :class:`InputError`."""
    if isinstance(actions, DecisionClass):
        return actions.indicator_matrix()
    vectors = checked_array("actions", actions)
    if vectors.ndim != 2 or 0 in vectors.shape:
        raise InputError(f"actions have shape {vectors.shape}, expected (actions, dimension)")
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise InputError(f"action {row} has an entry that is no finite number")
    if not vectors.any():
        raise InputError("all actions are zero")
    return vectors


def span_basis(vectors: FloatArray) -> FloatArray:
    """An orthonormal basis of what the rows span; shape (n, r)."""
    _, sizes, directions = np.linalg.svd(vectors, full_matrices=False)
    return np.asarray(directions[_inside(sizes, vectors)].T)


def independent_columns(vectors: FloatArray) -> FloatArray:
    """Columns of the actions that decide the others, so that programs can be read; (N, r)."""
    _, sizes, _ = np.linalg.svd(vectors, full_matrices=False)
    rank = int(_inside(sizes, vectors).sum())
    if rank == vectors.shape[1]:
        return vectors
    rest, chosen = vectors.copy(), []
    for _ in range(rank):
        lengths = np.sqrt((rest**2).sum(axis=0))
        chosen.append(int(first_largest(lengths, tolerance=_EQUAL)))
        direction = rest[:, chosen[-1]] / lengths[chosen[-1]]
        rest -= np.outer(direction, direction @ rest)
        rest[:, chosen] = 0.0
    return np.asarray(vectors[:, sorted(chosen)])


def span_coordinates(vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The rows in units of their columns, and a map to coordinates of their span.

    Shapes (N, n) and (n, r). The map makes the mean of x xᵀ over the rows the unit matrix.
    """
    units = np.array([unit_of(column) for column in vectors.T])
    scaled = vectors / units
    _, sizes, directions = np.linalg.svd(scaled, full_matrices=False)
    inside = _inside(sizes, scaled)
    return scaled, directions[inside].T * (math.sqrt(len(vectors)) / sizes[inside])


def _inside(sizes: FloatArray, vectors: FloatArray) -> BoolArray:
    """Which singular values are not 0, or :class:`InputError` if that cannot be told."""
    noise = np.finfo(np.float64).eps * (vectors.shape[1] + math.sqrt(len(vectors))) * sizes[0]
    inside = sizes > _CLEAR * noise
    doubtful = ~inside & (sizes > _NOISE * noise)
    if doubtful.any():
        raise InputError(
            f"the actions span {inside.sum()} dimensions and nearly nothing of another "
            f"(singular values {sizes[0]:.3g} and {sizes[doubtful][0]:.3g}): rounding does not let "
            "tell whether it is one; scale the entries of that direction, or leave it out"
        )
    return np.asarray(inside)


def differences(vectors: FloatArray) -> FloatArray:
    """All differences of two rows that are not zero, once for both signs."""
    first, second = np.triu_indices(len(vectors), 1)
    return distinct_up_to_sign(vectors[first] - vectors[second])


def distinct_up_to_sign(vectors: FloatArray) -> FloatArray:
    """The rows that are not zero, once for both signs."""
    vectors = vectors[vectors.any(axis=1)]
    leading = np.take_along_axis(vectors, (vectors != 0.0).argmax(axis=1)[:, None], axis=1)
    return np.asarray(np.unique(np.where(leading < 0, -vectors, vectors), axis=0))


def are_rows_of(rows: FloatArray, known: FloatArray) -> BoolArray:
    """Which rows are among the known ones."""
    seen = {row.tobytes() for row in known}
    return np.array([row.tobytes() in seen for row in rows], dtype=np.bool_)
