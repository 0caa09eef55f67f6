"""Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015): figures 4 to 6, and table 1.

Figures 1 to 3 are declared, in ``pages/zoghi2015-figure1.toml`` and so on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.voting import von_neumann_winner
from cpe_opt.hardness.dueling import copeland_hardness
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.reproductions.claims import Claim, span
from cpe_opt.reproductions.figures import column_lines, draw_panels
from cpe_opt.reproductions.study import (
    FrameTable,
    Settings,
    Study,
    declared,
    rows_in_parallel,
)

if TYPE_CHECKING:
    import pandas as pd

# Table 1 and figures 4 to 6: random submatrices of a large matrix.

_NOTIONS = ("Copeland", "von Neumann", "Borda", "Random Walk")
_CONTAINED, _OVERLAPS = (declared("zoghi2015-table1")[k] for k in ("contained", "overlaps"))
_POINTS = 5.0
_TENS = {"low": 10_000, "high": 100_000}


def _submatrices(
    settings: Settings,
    describe: Callable[[PreferenceMatrix], dict[str, Any]],
    spaced: Callable[[int, int, int], FloatArray],
    *,
    quick: int,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Random submatrices of every size, or of some in a quick run, described; and in words."""
    matrix = settings.needed_matrix()
    if matrix.arms < 3:
        raise InputError(f"{matrix.name} has {matrix.arms} arms, expected at least 3")
    few = np.unique(spaced(2, matrix.arms - 1, 16).astype(int)).tolist()
    sizes, count = settings.choose(few, list(range(2, matrix.arms))), settings.choose(quick, 10_000)
    # The largest first, so that no worker is left with one at the end.
    tasks = [
        (matrix, arms, count, (settings.seed, place), describe)
        for place, arms in reversed(list(enumerate(sizes)))
    ]
    frame = rows_in_parallel(_sample, tasks, settings, ["arms", "number"])
    words = {"matrix": matrix.name, "arms": matrix.arms, "count": count}
    return frame, {**words, "sizes": f"{span(sizes)} ({len(sizes)} of them)"}


def _sample(
    matrix: PreferenceMatrix,
    arms: int,
    count: int,
    seed: tuple[int, int],
    describe: Callable[[PreferenceMatrix], dict[str, Any]],
) -> list[dict[str, Any]]:
    rng = np.random.default_rng(np.random.SeedSequence(seed[0], spawn_key=seed[1:]))
    drawn = (rng.choice(matrix.arms, arms, replace=False).tolist() for _ in range(count))
    return [
        {"arms": arms, "number": number, **describe(matrix.submatrix(chosen))}
        for number, chosen in enumerate(drawn)
    ]


def overlaps(drawn: PreferenceMatrix) -> dict[str, Any]:
    """Which notions of winners have one in common."""
    winners = (
        drawn.copeland_winners,
        von_neumann_winner(drawn).support,
        drawn.borda_winners,
        drawn.random_walk_winners,
    )
    sets = dict(zip(_NOTIONS, map(set, winners), strict=True))
    pairs = ((pair, pair.split("/")) for pair in _OVERLAPS)
    found = {pair: bool(sets[a] & sets[b]) for pair, (a, b) in pairs}
    return {**found, "contained": sets["Copeland"] <= sets["von Neumann"]}


def _table_1(settings: Settings) -> dict[str, Any]:
    frame, words = _submatrices(settings, overlaps, np.linspace, quick=400)
    share = 100 * frame[[*_OVERLAPS, "contained"]].mean()
    first, last = "Copeland/von Neumann", "Borda/Random Walk"
    order = share[list(_OVERLAPS)].sort_values(ascending=False, kind="stable").index
    less = ", ".join(f"{pair.replace('/', ' and ')} {share[pair]:.1f} %" for pair in order[2:])
    near, contained = share[last] - _OVERLAPS[last], share["contained"]
    return {
        "claims": [
            Claim("first", f"{share[first]:.2f} %", bool(share[first] > 99)),
            Claim("last", f"{share[last]:.2f} %", bool(abs(near) <= _POINTS)),
            Claim("order", less, {first, last} == set(order[:2])),
            Claim("contained", f"{contained:.1f} %", bool(abs(contained - _CONTAINED) <= _POINTS)),
        ],
        "overlaps": FrameTable(share[list(_OVERLAPS)].to_frame("here").assign(published=_OVERLAPS)),
        **words,
    }


def quantities(drawn: PreferenceMatrix) -> dict[str, Any]:
    """Whether there is a Condorcet winner, C, L_C, and Delta²/Delta_min²."""
    hard = copeland_hardness(drawn)
    tied = hard.smallest_gap == 0
    return {
        "condorcet": drawn.condorcet_winner is not None,
        "winners": hard.winners,
        "losses": hard.losses_of_winner,
        "gap ratio": np.inf if tied else (hard.gap / hard.smallest_gap) ** 2,
    }


def _figures_4_to_6(settings: Settings) -> dict[str, Any]:
    """The quantities of submatrices, and of the whole matrix."""
    frame, words = _submatrices(settings, quantities, np.geomspace, quick=400)
    by_size, whole = frame.groupby("arms"), quantities(settings.needed_matrix())
    table = by_size[["condorcet", "winners", "losses"]].mean()
    # Submatrices with a tied pair have no ratio.
    table["mean ratio"] = frame[np.isfinite(frame["gap ratio"])].groupby("arms")["gap ratio"].mean()
    table["median ratio"] = by_size["gap ratio"].median()
    condorcet, ratio, most = table["condorcet"], table["mean ratio"], int(table.index[-1])
    winners, losses = table[["winners", "losses"]].iloc[-1]
    shown = [
        (["condorcet"], "probability of a Condorcet winner", "linear"),
        (["winners", "losses"], "$C$ winners, $L_C$ losses (means)", "linear"),
        (["mean ratio"], r"average of $\Delta^2/\Delta_{\min}^2$", "log"),
    ]
    panels = [
        (column_lines(table[names]), {"ylabel": label, "yscale": scale, "xlabel": "arms $K$"})
        for names, label, scale in shown
    ]
    return {
        "claims": [
            Claim(
                "condorcet",
                ", ".join(f"{arms} arms {p:.2f}" for arms, p in condorcet.items())
                + f"; the whole matrix has {'a' if whole['condorcet'] else 'no'} "
                "Condorcet winner (the paper's has none)",
                bool(condorcet.iloc[-1] < 0.5 * condorcet.iloc[0]),
            ),
            Claim(
                "few",
                f"at {most} arms: mean C {winners:.1f}, mean L_C {losses:.1f}",
                bool(max(winners, losses) < 0.1 * most),
            ),
            Claim(
                "tens",
                f"up to {ratio.max():,.0f} on average ({ratio.idxmax()} arms); "
                f"{whole['gap ratio']:,.0f} for the whole matrix",
                bool(_TENS["low"] <= ratio.max() <= _TENS["high"]),
                _TENS,
            ),
        ],
        "picture": draw_panels(settings.file(".png"), panels, size=(10, 2.8)),
        "by_size": FrameTable(table),
        **words,
    }


STUDIES = (
    Study("zoghi2015-table1", _table_1, needs="matrix"),
    Study("zoghi2015-figures4-6", _figures_4_to_6, needs="matrix"),
)
