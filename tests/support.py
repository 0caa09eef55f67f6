"""Random problems for tests, all from explicit generators."""

import numpy as np

import cpe_opt as cpe


def random_preferences(arms, rng, *, spread=0.5, ties=0):
    """Uniform entries within ``spread`` of ½; ``ties`` random pairs are exactly ½."""
    matrix = np.full((arms, arms), 0.5)
    rows, columns = np.triu_indices(arms, 1)
    values = 0.5 + spread * rng.uniform(-1, 1, size=len(rows))
    values[rng.permutation(len(rows))[:ties]] = 0.5
    matrix[rows, columns] = values
    matrix[columns, rows] = 1 - values
    return cpe.PreferenceMatrix(matrix, name=f"random-{arms}")


def with_gaps(mu, least):
    """The same tournament with every gap at least this."""
    return cpe.PreferenceMatrix(
        0.5 + np.sign(mu.array - 0.5) * np.maximum(np.abs(mu.array - 0.5), least)
    )


def random_program(rng, *, sense="min", integer=False, columns=6, rows=4, name="random"):
    """A bounded, feasible program with one-sided, two-sided and equality rows."""
    builder = cpe.ProgramBuilder(name, sense=sense, offset=float(rng.normal()))
    inside = rng.integers(0, 3, size=columns).astype(float)
    x = builder.columns(
        "x",
        np.array([(k, k + 1) for k in range(columns)]),
        cost=rng.normal(size=columns).round(3),
        lower=-1,
        upper=3,
        integer=integer,
    )
    matrix = rng.integers(-3, 4, size=(rows, columns)).astype(float)
    row, column = np.nonzero(matrix)
    activity = matrix @ inside
    lower, upper = activity - 1.5, activity + 2.0
    lower[0] = -np.inf
    upper[1 % rows] = np.inf
    if not integer:
        lower[-1] = upper[-1] = activity[-1]
    builder.rows("r", rows, row, x[column], matrix[row, column], lower=lower, upper=upper)
    return builder.build()
