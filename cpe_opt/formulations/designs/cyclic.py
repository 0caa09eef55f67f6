r"""The G- and XY-optimal design of all k-subsets, by cyclic shifts of a few blocks.

The uniform design over all k of n is optimal, :math:`\Lambda = aI + bJ` with
:math:`a = \frac{k(n-k)}{n(n-1)}`, :math:`b = \frac{k(k-1)}{n(n-1)}`. The n shifts of a block B have
a circulant information matrix, decided by its difference counts :math:`c_B(d)`, the number of
ordered pairs of B that differ by d modulo n. Weights :math:`q_B \ge 0` with
:math:`\sum_B q_B c_B(d) = \frac{k(k-1)}{n-1}` for every d make it :math:`aI + bJ`. Over random
blocks many weights do; those that minimise a random linear function are the only optimal vertex of
a linear program, and so the same with any solver on any machine. A small system of equations makes
them precise.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, SolverFailed
from cpe_opt.formulations.designs.enumerated import inverse_of
from cpe_opt.formulations.designs.pricing import DifferencePricing
from cpe_opt.formulations.designs.vectors import span_basis
from cpe_opt.formulations.quadratic.bounds import spectral_bound
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.solvers.solve import solve

_EXACT = 1e-12
_TRIES = 8
_MOST_COST = 2**20
_USED = 1e-9


def cyclic_design(size: int, k: int, *, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Indicators and weights; shapes (sets, n) and (sets,).

    Parameters
    ----------
    size : int
        n.
    k : int
        From 1 to n.
    seed : int
        Of the random blocks.

    Raises
    ------
    SolverFailed
        Where no mixture of the blocks tried is exact.
    """
    blocks, shares = np.arange(k)[None, :], np.ones(1)
    if 1 < k < size:
        rng = np.random.default_rng(seed)
        for attempt in range(_TRIES):
            count = 4 * size * 2**attempt
            order = rng.random((count, size)).argsort(axis=1, kind="stable")
            blocks = np.sort(order[:, :k], axis=1)
            counts, first = np.unique(_differences(blocks, size), axis=0, return_index=True)
            blocks = blocks[first]
            found = _mixture(counts, rng.integers(1, _MOST_COST, size=len(counts)))
            if found is not None:
                # Counts add up to k (k - 1) whatever the block, so the shares add up to 1.
                shares = found * (k * (k - 1) / (size - 1))
                break
        else:
            raise SolverFailed(f"no cyclic design for {k} of {size} was found")
    used = shares > 0
    sets = np.concatenate([(blocks[used] + shift) % size for shift in range(size)])
    weights = np.tile(shares[used] / size, size)
    rows = np.zeros((len(sets), size))
    np.put_along_axis(rows, sets, 1.0, axis=1)
    distinct, number = np.unique(rows, axis=0, return_inverse=True)
    merged = np.bincount(number.ravel(), weights)
    return distinct, merged / merged.sum()


def g_values(vectors: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """A certified upper bound on the G value over all k of n, and the least there is."""
    basis = span_basis(vectors)
    inverse = basis @ inverse_of(vectors @ basis, weights) @ basis.T
    k = round(float(vectors[0].sum()))
    bound = spectral_bound(inverse, k, np.zeros(len(inverse))).value
    return max(bound, float(basis.shape[1])), float(basis.shape[1])


def xy_values(
    decisions: DecisionClass, vectors: FloatArray, weights: FloatArray
) -> tuple[float, float]:
    """The XY value of a design of all k of n, bounded from above, and the least there is.

    On vectors that add up to 0, Λ has the trace k(n-k)/n whatever the design, so its inverse has at
    least (n-1)² n / k(n-k) there; the mean of y yᵀ over the widest differences is a multiple of the
    projection on these vectors, and the largest norm is at least their mean.
    """
    n, k = decisions.size, decisions.rank
    if k == n:
        raise InputError(f"{decisions.name} has a single set: there is nothing to tell apart")
    inverse = inverse_of(vectors, weights)
    value = DifferencePricing(decisions, np.random.default_rng(0)).bound(inverse, certify=True)
    optimum = 2.0 * min(k, n - k) * n * (n - 1) / (k * (n - k))
    return max(value, optimum), optimum


def _mixture(counts: IntArray, costs: IntArray) -> FloatArray | None:
    """The cheapest weights of the rows that add up to 1 in every column; None without any."""
    builder = ProgramBuilder("mixture")
    weights = builder.columns("q", len(counts), cost=costs.astype(np.float64))
    block, column = np.nonzero(counts)
    each = counts.shape[1]
    values = counts[block, column].astype(np.float64)
    builder.rows("d", each, column, weights[block], values, lower=1.0, upper=1.0)
    result = solve(builder.build(), check=False)
    if not result.is_optimal or result.x is None:
        return None
    used = np.flatnonzero(result.x > _USED)
    system, ones = counts[used].T.astype(np.float64), np.ones(each)
    precise = np.linalg.lstsq(system, ones, rcond=None)[0]
    if precise.min() <= 0.0 or np.abs(system @ precise - ones).max() > _EXACT:
        return None
    shares = np.zeros(len(counts))
    shares[used] = precise
    return shares


def _differences(blocks: IntArray, size: int) -> IntArray:
    """c_B(d) for d = 1 … n/2; shape (blocks, n // 2)."""
    apart = (blocks[:, :, None] - blocks[:, None, :]) % size
    counts = np.zeros((len(blocks), size // 2), dtype=np.int64)
    for d in range(1, size // 2 + 1):
        counts[:, d - 1] = (apart == d).sum(axis=(1, 2))
    return counts
