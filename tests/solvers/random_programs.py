"""Random programs of every shape, seeded: for certificates."""

import numpy as np
import scipy.sparse as sp

import cpe_opt as cpe


def random_shape(seed):
    """An LP, or of every third seed a MIP, with any bounds, sides, sense, ties and degeneracy."""
    rng = np.random.default_rng([73, seed])
    whole = seed % 3 == 0
    columns, rows = int(rng.integers(1, 6 if whole else 9)), int(rng.integers(0, 8))
    kind = rng.integers(4)

    def numbers(size):
        if kind == 0:
            return rng.integers(-3, 4, size=size).astype(float)
        if kind == 1:
            return rng.integers(-9, 10, size=size) / 10.0
        if kind == 2:
            return rng.normal(size=size)
        return rng.integers(-2, 3, size=size) * 10.0 ** rng.integers(-6, 7, size=size)

    matrix = numbers((rows, columns)) * (rng.random((rows, columns)) < 0.7)
    if rows > 2 and rng.random() < 0.3:
        matrix[-1] = matrix[0] * rng.choice([-2.0, 1.0, 3.0])  # rows that depend on each other
    inside = np.round(rng.normal(size=columns))
    activity = matrix @ inside if rng.random() < 0.8 else numbers(rows)
    sort = rng.random(rows)
    room = np.where(rng.random(rows) < 0.4, 0.0, np.abs(numbers(rows)))
    low = np.where(sort < 0.35, -np.inf, activity - room)
    high = np.where((sort >= 0.35) & (sort < 0.7), np.inf, activity + room)
    high = np.where((sort > 0.7) & (sort < 0.85), low, high)
    reach = np.abs(numbers(columns)) + rng.integers(0, 3, size=columns)
    free = rng.random() < 0.6
    lower = np.where(free & (rng.random(columns) < 0.4), -np.inf, inside - reach)
    upper = np.where(free & (rng.random(columns) < 0.5), np.inf, inside + reach)
    integer = rng.random(columns) < 0.7 if whole else np.zeros(columns, dtype=bool)
    lower, upper = (
        np.where(integer, np.clip(ends, inside - 4.0, inside + 4.5), ends)
        for ends in (lower, upper)
    )
    return cpe.LinearProgram(
        name=f"random_{seed}",
        sense=str(rng.choice(["min", "max"])),
        costs=numbers(columns) * (rng.random(columns) < 0.8),
        column_lower=lower,
        column_upper=upper,
        integer=integer,
        matrix=sp.csr_array(matrix),
        row_lower=low,
        row_upper=high,
        column_names=tuple(f"x{j}" for j in range(columns)),
        row_names=tuple(f"r{i}" for i in range(rows)),
        offset=float(numbers(1)[0]),
    )
