"""What makes an array counts of wins: whole or half numbers of them, and whole numbers of votes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.problems.dueling.checks import entry_place
from cpe_opt.validation import MOST_ROUNDS

_HINT = "; if these are probabilities, PreferenceMatrix takes them"


def _checked_square(what: str, array: npt.ArrayLike) -> FloatArray:
    counts = checked_array(what, array)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        shape = " × ".join(map(str, counts.shape)) or "a single number"
        raise InputError(f"{what}: expected a square array, got {shape}")
    return counts


def checked_wins(array: npt.ArrayLike, labels: object = None) -> FloatArray:
    """The array of floats, or :class:`InputError` with the pair that has no such wins.

    ``labels`` are for messages.
    """
    wins = _checked_square("votes", array)
    if len(wins) < 2:
        raise InputError(f"votes: expected at least 2 arms, got {len(wins)}")

    def refuse(where: npt.NDArray[np.bool_], problem: str) -> None:
        if where.any():
            i, j = (int(index[0]) for index in np.nonzero(where))
            text = problem.format(
                value=wins[i, j], mirror=wins[j, i], total=wins[i, j] + wins[j, i]
            )
            raise InputError(f"votes, {entry_place(i, j, labels)}: {text}")

    refuse(
        ~np.isfinite(wins) | (wins < 0),
        "the entry is {value}, expected a number of wins, 0 or more",
    )
    diagonal = np.eye(len(wins), dtype=np.bool_)
    refuse(diagonal & (wins != 0), "the diagonal entry is {value}, expected 0" + _HINT)
    refuse(
        2.0 * wins % 1.0 != 0,
        "the entry is {value}, expected whole wins, or half ones for ties" + _HINT,
    )
    refuse(
        (wins + wins.T) % 1.0 != 0,
        "{value} wins and {mirror} of the other arm are {total} votes, expected a whole number",
    )
    if wins.sum() > MOST_ROUNDS:
        raise InputError(f"votes: {wins.sum():.3g} in all, expected at most {MOST_ROUNDS:,} (2^53)")
    return wins + 0.0  # no negative zeros


def checked_ties(array: npt.ArrayLike, wins: FloatArray, labels: object = None) -> FloatArray:
    """The same for ties, or :class:`InputError` with the pair whose wins they do not fit."""
    tied = _checked_square("tied", array)
    if tied.shape != wins.shape:
        raise InputError(f"tied: of {len(tied)} arms, and the wins are of {len(wins)}")
    fit = (tied >= 0) & (tied == tied.T) & (tied <= 2.0 * np.minimum(wins, wins.T))
    fit &= (2.0 * wins - tied) % 2.0 == 0
    if not fit.all():
        i, j = (int(index[0]) for index in np.nonzero(~fit))
        raise InputError(
            f"tied, {entry_place(i, j, labels)}: {tied[i, j]} ties do not fit {wins[i, j]} wins "
            f"and {wins[j, i]} of the other arm, ties as half a win for each"
        )
    return tied


def checked_selected(
    array: npt.ArrayLike, wins: FloatArray, labels: object = None
) -> npt.NDArray[np.bool_] | None:
    """Pairs of which nothing is proved, read-only; None where there are none."""
    selected = _checked_square("selected", array)
    if selected.shape != wins.shape:
        raise InputError(f"selected: of {len(selected)} arms, and the wins are of {len(wins)}")
    fit = np.isin(selected, (0.0, 1.0)) & (selected == selected.T)
    if not fit.all():
        i, j = (int(index[0]) for index in np.nonzero(~fit))
        raise InputError(
            f"selected, {entry_place(i, j, labels)}: {selected[i, j]} and {selected[j, i]} the "
            "other way, expected True or False for a pair"
        )
    chosen = selected.astype(np.bool_)
    np.fill_diagonal(chosen, False)
    chosen.flags.writeable = False
    return chosen if chosen.any() else None
