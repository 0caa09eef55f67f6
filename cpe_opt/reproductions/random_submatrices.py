"""Random submatrices of a large preference matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.problems.dueling.preferences import PreferenceMatrix

if TYPE_CHECKING:
    pass


_MOST_DRAWS = 100_000


def drawn_submatrix(
    matrix: PreferenceMatrix,
    arms: int,
    rng: np.random.Generator,
    *,
    least_gap: float,
    condorcet: bool | None = None,
) -> PreferenceMatrix:
    """A random submatrix without small gaps, with or without a Condorcet winner.

    Raises
    ------
    InputError
        Where the matrix has too few arms, or none is found in 100,000 draws.
    """
    if arms > matrix.arms:
        raise InputError(f"{matrix.name} has {matrix.arms} arms, expected at least {arms}")
    wide = matrix.gaps >= least_gap
    np.fill_diagonal(wide, val=True)
    for _ in range(_MOST_DRAWS):
        chosen = _wide_apart(wide, arms, rng)
        if chosen is None:
            continue
        kind = "" if condorcet is None else ("-condorcet" if condorcet else "-cycle")
        drawn = matrix.submatrix(chosen, name=f"random-{arms}{kind}")
        if condorcet is None or (drawn.condorcet_winner is not None) == condorcet:
            return drawn
    raise InputError(
        f"{matrix.name}: no submatrix of {arms} arms with gaps of at least {least_gap} and "
        f"{'a' if condorcet else 'no'} Condorcet winner in {_MOST_DRAWS:,} draws"
    )


def _wide_apart(wide: np.ndarray, arms: int, rng: np.random.Generator) -> list[int] | None:
    """A uniform random set of arms, or None as soon as one of its gaps is too small."""
    chosen: list[int] = []
    for arm in rng.choice(len(wide), size=arms, replace=False).tolist():
        if not wide[arm, chosen].all():
            return None
        chosen.append(arm)
    return chosen
