r"""Pricing: sets that a design serves badly, and a certified bound on how badly.

For a matrix M ≥ 0 it looks for sets with large :math:`\chi^\top M \chi`, or pairs of sets with
large :math:`(\chi - \chi')^\top M (\chi - \chi')`, by local search from many starts, which finds
many good columns at once. The certificate is an upper bound on the largest, for

- k of n: the spectral bound of :mod:`cpe_opt.formulations.quadratic.bounds`; for differences
  :math:`\lambda_{\max}(P M P) \cdot 2 \min(k, n-k)`, P the projection orthogonal to 1;
- classes with few sets: enumeration;
- classes of unions of halves, matchings and paths without cycles, where the caller says up to how
  many sets: all of them by products of matrices, without a list
  (:mod:`cpe_opt.formulations.quadratic.local_search`);
- other classes: the integer program of :mod:`cpe_opt.formulations.quadratic.maximise`, for
  differences over pairs of sets, asked only when local search finds nothing more;
- where sets that span the class are given: if all have one size k, the spectral bound for k of n,
  closer by branching (:mod:`cpe_opt.formulations.quadratic.bounds`), on the form less a multiple of
  the squared distance to the affine hull, 0 on the sets of the class; and where that is not close
  enough, for classes other than k of n, piecewise bounds by programs over the class
  (:mod:`cpe_opt.formulations.quadratic.bounds`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Unpack

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.design import differences, distinct_up_to_sign
from cpe_opt.formulations.quadratic.bounds import (
    Form,
    branched_bound,
    piecewise_bound,
    spectral_bound,
)
from cpe_opt.formulations.quadratic.local_search import (
    best_of_blocks,
    local_maxima,
    quadratic_forms,
)
from cpe_opt.formulations.quadratic.maximise import ellipsoid_maximum
from cpe_opt.formulations.subsets.oracle import OutOfTime, SubsetOracle
from cpe_opt.modelling.result import NotOptimal
from cpe_opt.problems.subsets.decisions import DecisionClass, Halves, RowBuilder, indicators
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.solvers.options import SolveOptions, limited_until, share_of_time
from cpe_opt.ties import on_grid
from cpe_opt.validation import checked_types

MOST_ENUMERATED = 5_000
MOST_BY_ROWS = 20_000  # of classes that rows list, whose other oracle is an integer program
MOST_ENTRIES = 20_000_000  # of the array of differences
_STARTS = 30
_FLAT = 1e-9
_SEARCH = 0.1  # of the time that is left, for one search from many starts
_PENALTY = 3.0  # times the largest eigenvalue
_NODES, _FEW_NODES = 5_000, 200  # few where the programs know more of the class


class Pricing:
    """Sets of a class with large quadratic values, and a certified bound on the largest.

    ``solves_programs`` tells whether the bound is that of an integer program, for which ``exact``
    is. Classes other than k of n are listed up to ``most_sets``, and searched by their ``halves``
    where these are given. With ``spanning``, sets that span the class, shape (r, n), bounds need be
    no closer than what is ``enough``. Searches and bounds end at the ``deadline``.
    """

    def __init__(
        self,
        decisions: DecisionClass,
        rng: np.random.Generator,
        *,
        spanning: FloatArray | None = None,
        deadline: float = math.inf,
        most_sets: int | None = None,
        halves: Halves | None = None,
        **exact: Unpack[SolveOptions],
    ) -> None:
        self.decisions, self._rng, self._exact = decisions, rng, exact
        self._halves = halves
        self._searched: tuple[FloatArray, FloatArray, FloatArray] | None = None
        self._spanning, self._deadline = spanning, deadline
        self._met = np.zeros((0, decisions.size))
        self._listed: FloatArray | None = None
        if not isinstance(decisions, TopK) or decisions.count() <= MOST_ENUMERATED:
            usual = MOST_ENUMERATED if decisions.listed_by_rows is None else MOST_BY_ROWS
            with suppress(InputError):  # too many
                self._listed = decisions.indicator_matrix(most_sets or usual)
        branched = isinstance(decisions, TopK) or (
            spanning is not None and len(decisions.sizes) == 1
        )
        self.solves_programs = self._listed is None and halves is None and not branched

    def columns(self, matrix: FloatArray) -> FloatArray:
        """Distinct sets with large values, shape (some, n); none where time is over before one."""
        if self._listed is not None:
            values = quadratic_forms(self._listed, matrix)
            return self._listed[np.argsort(-on_grid(values), kind="stable")[:_STARTS]]
        if self._halves is not None:
            values, sets = self._search(self._halves, matrix)
            return sets[np.argsort(-on_grid(values), kind="stable")[:_STARTS]]
        zero = np.zeros(self.decisions.size)
        until = share_of_time(self._deadline, _SEARCH)
        maxima = local_maxima(matrix, self.decisions, zero, _STARTS, self._rng, until)
        return np.unique(np.vstack([maxima, self._met]), axis=0).astype(np.float64)

    def bound(
        self, matrix: FloatArray, value: float, *, enough: float = -math.inf, certify: bool
    ) -> float:
        """No set has a larger value; infinite where that is asked only for ``certify``."""
        if self._listed is not None:
            return float(quadratic_forms(self._listed, matrix).max())
        if self._halves is not None:
            return float(self._search(self._halves, matrix)[0].max())
        if self._spanning is not None:
            if not certify:
                return math.inf
            bound = self._branched(matrix, self._spanning, value, max(value, enough))
            if isinstance(self.decisions, TopK) or bound <= max(value, enough):
                return bound
            return self._by_pieces(matrix, max(value, enough), bound)
        if isinstance(self.decisions, TopK):
            steps = 20 if certify else 0
            zero = np.zeros(len(matrix))
            return spectral_bound(matrix, self.decisions.k, zero, value=value, steps=steps).value
        return self._exact_bound(matrix) if certify else math.inf

    def _search(self, halves: Halves, matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The best set of each block of halves; the last answer is kept."""
        if self._searched is None or self._searched[0] is not matrix:
            self._searched = (matrix, *best_of_blocks(halves, matrix))
        return self._searched[1:]

    def _branched(
        self, matrix: FloatArray, spanning: FloatArray, value: float, target: float
    ) -> float:
        """By branching over all sets of k elements, where all sets of the class are such."""
        if len(self.decisions.sizes) > 1:
            return math.inf
        form, diagonal = penalised(matrix, spanning, self.decisions.rank)
        return branched_bound(
            form,
            self.decisions.rank,
            value=value,
            target=target,
            nodes=_NODES if isinstance(self.decisions, TopK) else _FEW_NODES,
            shift=diagonal,
            deadline=self._deadline,
        )

    def _by_pieces(self, matrix: FloatArray, target: float, ceiling: float) -> float:
        """By linear programs over the class, whose sets are kept for the next search."""
        form = Form(matrix, np.zeros(len(matrix)))
        top = max(0.0, float(np.linalg.eigvalsh(matrix)[-1]))
        result = piecewise_bound(
            self.decisions,
            form,
            target=target,
            ceiling=min(ceiling, top * self.decisions.rank),
            deadline=self._deadline,
            **self._exact,
        )
        self._met = indicators(result.sets, self.decisions.size)
        return result.value

    def _exact_bound(self, matrix: FloatArray) -> float:
        """By the integer program, in the time that is left."""
        return _program_bound(self.decisions, matrix, self._deadline, self._exact)


class DifferencePricing:
    """The same for differences of two sets."""

    def __init__(
        self,
        decisions: DecisionClass,
        rng: np.random.Generator,
        *,
        deadline: float = math.inf,
        **exact: Unpack[SolveOptions],
    ) -> None:
        self._decisions, self._rng, self._exact = decisions, rng, exact
        self._pairs, self._deadline = PairedSets(decisions), deadline
        self._oracle = SubsetOracle(decisions, deadline=deadline)
        self._searched = False
        self._listed: FloatArray | None = None
        most = math.isqrt(2 * MOST_ENTRIES // decisions.size)
        with suppress(InputError):  # too many
            self._listed = differences(decisions.indicator_matrix(most))
        self.solves_programs = self._listed is None and not isinstance(decisions, TopK)

    def columns(self, matrix: FloatArray) -> FloatArray:
        """Distinct differences with large values; :class:`OutOfTime` where there never was one."""
        if self._listed is not None:
            values = quadratic_forms(self._listed, matrix)
            return self._listed[np.argsort(-on_grid(values), kind="stable")[: 2 * _STARTS]]
        until = share_of_time(self._deadline, _SEARCH)
        ends: list[FloatArray] = []
        try:
            while len(ends) < _STARTS and not (ends and time.perf_counter() > until):
                ends.append(self._ascent(matrix))
        except OutOfTime:
            if not self._searched and not ends:
                raise
        self._searched = True
        return distinct_up_to_sign(np.array(ends).reshape(len(ends), len(matrix)).round())

    def bound(self, matrix: FloatArray, *, certify: bool) -> float:
        """No difference has a larger value; infinite where asked only for ``certify``."""
        if self._listed is not None:
            return float(quadratic_forms(self._listed, matrix).max())
        n, decisions = len(matrix), self._decisions
        if isinstance(decisions, TopK):
            means = matrix.mean(axis=1)
            projected = matrix - means[:, None] - means[None, :] + means.mean()
            top = float(np.linalg.eigvalsh(projected)[-1])
            return 2.0 * min(decisions.k, n - decisions.k) * top * (1.0 + 1e-12 * n)
        if not certify:
            return math.inf
        block = np.block([[matrix, -matrix], [-matrix, matrix]])
        return _program_bound(self._pairs, block, self._deadline, self._exact)

    def _ascent(self, matrix: FloatArray) -> FloatArray:
        """The best and the worst set for the gradient, again and again; the form is convex."""
        y, value = self._rng.normal(size=len(matrix)), -math.inf
        while True:
            slope = on_grid(matrix @ y)
            best, worst = self._oracle.maximise(slope), self._oracle.maximise(-slope)
            if best is None or worst is None:
                raise InputError(f"{self._decisions.name} has no set")
            one, other = indicators([best, worst], len(matrix))
            reached = float((one - other) @ matrix @ (one - other))
            if reached <= value * (1.0 + _FLAT):
                return y
            y, value = one - other, reached


def _program_bound(
    decisions: DecisionClass, matrix: FloatArray, deadline: float, exact: SolveOptions
) -> float:
    """By the integer program, which may end at a deadline."""
    try:
        limited = limited_until(exact, deadline)
        return ellipsoid_maximum(decisions, matrix, "exact", **limited).bound
    except NotOptimal as failed:
        if math.isinf(deadline):
            raise
        return math.inf if failed.result.bound is None else failed.result.bound


def penalised(matrix: FloatArray, spanning: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    r"""The form less a multiple of the squared distance to the affine hull, and its new diagonal.

    With orthonormal N, orthogonal to 1, and levels b, :math:`N \chi = b` on the class; of k
    elements a linear form is one of the diagonal, and so is a constant.
    """
    sides = np.vstack([spanning[1:] - spanning[0], np.ones(len(matrix))])
    _, sizes, directions = np.linalg.svd(sides)
    normals = directions[int((sizes > _FLAT).sum()) :]
    levels = normals @ spanning[0]
    weight = _PENALTY * float(np.linalg.eigvalsh(matrix)[-1])
    diagonal = weight * (2.0 * normals.T @ levels - float(levels @ levels) / k)
    form = matrix - weight * normals.T @ normals + np.diag(diagonal)
    return (form + form.T) / 2.0, diagonal


class PairedSets(DecisionClass):
    """Two sets of a class at once, for programs: elements e of the first, n + e of the second."""

    def __init__(self, base: DecisionClass) -> None:
        labels = [f"{label}{mark}" for mark in ("", "'") for label in base.labels]
        super().__init__(2 * base.size, labels)
        self.base = base

    @property
    def name(self) -> str:
        """Such as ``pairs of 2 of 4``."""
        return f"pairs of {self.base.name}"

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sums of two sizes."""
        return tuple(sorted({i + j for i in self.base.sizes for j in self.base.sizes}))

    @checked_types
    def contains(self, chosen: Iterable[int]) -> bool:
        """Whether both halves are sets."""
        members = list(chosen)
        first = [e for e in members if e < self.base.size]
        second = [e - self.base.size for e in members if e >= self.base.size]
        return self.base.contains(first) and self.base.contains(second)

    def program_rows(
        self, builder: RowBuilder, columns: IntArray, *, integer: bool = False, prefix: str = ""
    ) -> None:
        """The rows of each half, with prefixes ``a_`` and ``b_``."""
        for mark, half in zip("ab", np.split(columns, 2), strict=True):
            self.base.program_rows(builder, half, integer=integer, prefix=f"{prefix}{mark}_")
