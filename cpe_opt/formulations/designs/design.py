r"""A design: shares of samples, what is certain of it, and its rounding to whole numbers.

**Actions as vectors, in coordinates of their span.**

Vectors x may span less than :math:`\mathbb R^n`; designs live in their span, of dimension r. No
criterion changes under an invertible linear map of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray, checked_array, unit_of
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.ties import first_largest, on_grid
from cpe_opt.validation import NonNegativeInt, Numbers, checked_types

Criterion: TypeAlias = Literal["G", "XY"]
_LARGEST = 5  # shares in a report
_ROUNDING = 1e-12
_FLAT = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Design(Answer):
    """A design: which actions to take in which shares.

    ``value`` is at least the design's criterion, ``bound`` at most that of any design.

    Attributes
    ----------
    support : tuple
        Row numbers of the actions used; for a decision class, their members.
    weights : float array, shape (S,)
        Their shares, above 0; they add up to 1.
    vectors : float array, shape (S, n)
        The actions used.
    criterion : "G" or "XY"
    """

    support: tuple[int, ...] | tuple[tuple[int, ...], ...]
    weights: FloatArray
    vectors: FloatArray = field(repr=False)
    criterion: Criterion

    @property
    def information(self) -> FloatArray:
        """Λ of the design; shape (n, n)."""
        return np.asarray(self.vectors.T @ (self.weights[:, None] * self.vectors))

    def report(self, problem: SubsetBandit) -> dict[str, Any]:
        """How many sets it has, and the largest shares, by the labels of their elements."""
        heaviest = (-on_grid(self.weights)).argsort(kind="stable")[:_LARGEST].tolist()
        sets = [np.flatnonzero(self.vectors[place]).tolist() for place in heaviest]
        describe = problem.decisions.describe
        shares = {
            describe(members): float(self.weights[place])
            for place, members in zip(heaviest, sets, strict=True)
        }
        return {"sets": len(self.weights), "largest shares": shares}


def design_of(
    actions: npt.ArrayLike | DecisionClass,
    vectors: FloatArray,
    weights: FloatArray,
    *,
    criterion: Criterion,
    value: float,
    bound: float,
    method: str,
    result: SolveResult | None = None,
) -> Design:
    """A design of the vectors, shape (N, n), that have a positive weight."""
    used = np.flatnonzero(weights > 0)
    chosen = vectors if len(used) == len(vectors) else vectors[used]  # without a copy of many
    support: tuple[int, ...] | tuple[tuple[int, ...], ...] = tuple(used.tolist())
    if isinstance(actions, DecisionClass):
        support = tuple(tuple(np.flatnonzero(row > 0.5).tolist()) for row in chosen)
    return Design(
        value=value,
        bound=bound,
        method=method,
        result=result,
        support=support,
        weights=weights[used],
        vectors=chosen,
        criterion=criterion,
    )


@checked_types
def efficient_rounding(weights: Numbers, total: NonNegativeInt) -> IntArray:
    r"""Whole numbers of samples that add up to ``total``, in proportion to the weights.

    :math:`\lceil (t - s/2) p_i \rceil`, then one more where :math:`t_i / p_i` is least, or one less
    where :math:`(t_i - 1) / p_i` is largest, until they add up: what pulling :math:`\arg\min T_i /
    p_i` round by round leads to (ties aside).
    """
    shares = checked_array("weights", weights)
    if shares.ndim != 1 or not (shares > 0).all() or abs(shares.sum() - 1.0) > 1e-6:
        raise InputError("weights: expected positive numbers that add up to 1")
    count = len(shares)
    if total <= count:
        return (np.arange(count) < total).astype(np.int64)
    times = np.maximum(1, np.ceil((total - count / 2.0) * shares - _ROUNDING)).astype(np.int64)
    while (missing := total - int(times.sum())) != 0:
        # As many at once as can be told from their places in the order of pulls.
        if missing > 0:
            place, following = times / shares, (times + 1) / shares
            first = np.argsort(place, kind="stable")[:missing]
            sure = place[first] < following[first].min()
            times[first[sure]] += 1
        else:
            place, following = (times - 1) / shares, (times - 2) / shares
            last = np.argsort(place, kind="stable")[missing:]
            sure = place[last] > following[last].max()
            times[last[sure]] -= 1
    return times


# Actions as vectors, in coordinates of their span.


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


def inverse_of(vectors: FloatArray, weights: FloatArray) -> FloatArray:
    """The inverse of the information matrix; symmetric to the last bit."""
    inverse = np.linalg.inv(vectors.T @ (weights[:, None] * vectors))
    return np.asarray((inverse + inverse.T) / 2.0)


def span_of(
    decisions: DecisionClass, rng: np.random.Generator, deadline: float = math.inf
) -> tuple[FloatArray, FloatArray]:
    """Sets that span what all sets span, and an orthonormal basis; shapes (r, n) and (n, r).

    A random direction orthogonal to the sets found so far has a largest or a smallest value other
    than 0 on the class unless they span it (with probability 1). The last directions give many
    elements weights that are equal on paper: the oracle sees them on a grid.
    """
    oracle = SubsetOracle.quick(decisions, deadline=deadline)
    sets: list[tuple[int, ...]] = []
    basis = np.zeros((decisions.size, 0))
    while basis.shape[1] < decisions.size:
        direction = rng.normal(size=decisions.size)
        direction -= basis @ (basis.T @ direction)
        direction /= np.linalg.norm(direction)
        for sign in (1.0, -1.0):
            members = oracle.maximise(on_grid(sign * direction))
            if members is None:
                raise InputError(f"{decisions.name} has no set")
            if abs(direction[list(members)].sum()) > _FLAT:
                break
        else:
            break
        sets.append(members)
        chi = indicators([members], decisions.size)[0]
        rest = chi - basis @ (basis.T @ chi)
        rest -= basis @ (basis.T @ rest)
        basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    return indicators(sets, decisions.size), basis


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
    """The rows in units of their columns, and a map to coordinates of their span."""
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
