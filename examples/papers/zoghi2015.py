"""Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015): figures 1 to 6, and table 1.

python examples/papers/zoghi2015.py --figure 3 --full
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import study
from regret import regret_study

import cpe_opt as cpe

Describe = Callable[[cpe.PreferenceMatrix], dict[str, Any]]
_CONTAINED, _OVERLAPS = (study.declared("zoghi2015-table1")[k] for k in ("contained", "overlaps"))
_POINTS = 5.0


def submatrices(
    settings: study.Settings, describe: Describe, spaced: Callable[[int, int, int], Any]
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Random submatrices of every size, or of some in a quick run, described; and in words."""
    matrix = settings.needed("matrix")
    few = np.unique(spaced(2, matrix.arms - 1, 16).astype(int)).tolist()
    sizes, count = settings.choose(few, list(range(2, matrix.arms))), settings.choose(400, 10_000)
    # The largest first, so that no worker is left with one at the end.
    tasks = [
        (matrix, arms, count, (settings.seed, place), describe)
        for place, arms in reversed(list(enumerate(sizes)))
    ]
    frame = study.rows_of_tasks(study.submatrices, tasks, settings, ["arms", "number"])
    words = {"matrix": matrix.name, "arms": matrix.arms, "count": count}
    return frame, {**words, "sizes": f"{study.span(sizes)} ({len(sizes)} of them)"}


# Table 1


def overlaps(drawn: cpe.PreferenceMatrix) -> dict[str, Any]:
    """Which notions of winners have one in common."""
    sets = {
        "Copeland": set(drawn.copeland_winners),
        "von Neumann": set(cpe.von_neumann_winner(drawn).support),
        "Borda": set(drawn.borda_winners),
        "Random Walk": set(drawn.random_walk_winners),
    }
    pairs = {pair: pair.split("/") for pair in _OVERLAPS}
    found = {pair: not sets[one].isdisjoint(sets[other]) for pair, (one, other) in pairs.items()}
    return {**found, "contained": sets["Copeland"] <= sets["von Neumann"]}


def table_1(settings: study.Settings) -> dict[str, Any]:
    """How often notions of winners overlap."""
    frame, words = submatrices(settings, overlaps, np.linspace)
    share = 100 * frame[[*_OVERLAPS, "contained"]].mean()
    first, last = "Copeland/von Neumann", "Borda/Random Walk"
    pairs = share[list(_OVERLAPS)].sort_values(ascending=False, kind="stable")
    less = [f"{str(n).replace('/', ' and ')} {value:.1f} %" for n, value in pairs[2:].items()]
    near = abs(share[last] - _OVERLAPS[last]) <= _POINTS
    contained = abs(share["contained"] - _CONTAINED) <= _POINTS
    claims = [
        study.Claim("first", f"{share[first]:.2f} %", bool(share[first] > 99)),
        study.Claim("last", f"{share[last]:.2f} %", bool(near)),
        study.Claim("order", ", ".join(less), {first, last} == set(pairs.index[:2])),
        study.Claim("contained", f"{share['contained']:.1f} %", bool(contained)),
    ]
    table = share[list(_OVERLAPS)].to_frame("here").assign(published=_OVERLAPS)
    return {"claims": claims, "overlaps": study.Table(table), **words}


# Figures 4 to 6


def quantities(drawn: cpe.PreferenceMatrix) -> dict[str, Any]:
    """Whether there is a Condorcet winner, C, L_C, and Delta²/Delta_min²."""
    hard, condorcet = cpe.copeland_hardness(drawn), drawn.condorcet_winner is not None
    found = {"condorcet": condorcet, "winners": hard.winners, "losses": hard.losses_of_winner}
    tied = hard.smallest_gap == 0
    return {**found, "gap ratio": np.inf if tied else (hard.gap / hard.smallest_gap) ** 2}


def figures_4_to_6(settings: study.Settings) -> dict[str, Any]:
    """The quantities of submatrices, and of the whole matrix."""
    frame, words = submatrices(settings, quantities, np.geomspace)
    by_size, whole = frame.groupby("arms"), quantities(settings.needed("matrix"))
    table = by_size[["condorcet", "winners", "losses"]].mean()
    # Submatrices with a tied pair have no ratio.
    table["mean ratio"] = frame[np.isfinite(frame["gap ratio"])].groupby("arms")["gap ratio"].mean()
    table["median ratio"] = by_size["gap ratio"].median()
    condorcet, ratio, most = table["condorcet"], table["mean ratio"], int(table.index[-1])
    winners, losses = table[["winners", "losses"]].iloc[-1]
    chances = ", ".join(f"{arms} arms {p:.2f}" for arms, p in condorcet.items())
    has = f"the whole matrix has {'a' if whole['condorcet'] else 'no'} Condorcet winner"
    few = f"at {most} arms: mean C {winners:.1f}, mean L_C {losses:.1f}"
    up_to = f"up to {{}} on average ({ratio.idxmax()} arms); "
    up_to += f"{whole['gap ratio']:,.0f} for the whole matrix"
    falls = bool(condorcet.iloc[-1] < 0.5 * condorcet.iloc[0])
    arms, gaps = {"xlabel": "arms $K$"}, r"average of $\Delta^2/\Delta_{\min}^2$"
    panels = [
        (table[["condorcet"]], {**arms, "ylabel": "probability of a Condorcet winner"}),
        (table[["winners", "losses"]], {**arms, "ylabel": "$C$ winners, $L_C$ losses (means)"}),
        (table[["mean ratio"]], {**arms, "ylabel": gaps, "yscale": "log"}),
    ]
    return {
        "claims": [
            study.Claim("condorcet", f"{chances}; {has} (the paper's has none)", falls),
            study.Claim("few", few, bool(max(winners, losses) < 0.1 * most)),
            study.claim("tens", [ratio.max()], low=10_000, high=100_000, here=up_to),
        ],
        "picture": study.draw_panels(settings.file(".png"), panels, (10, 2.8)),
        "by_size": study.Table(table),
        **words,
    }


STUDIES = (
    *(regret_study(f"zoghi2015-figure{n}", f"zoghi2015.py --figure {n}") for n in (1, 2, 3)),
    study.Study("zoghi2015-figures4-6", "zoghi2015.py --figure 4-6", figures_4_to_6),
    study.Study("zoghi2015-table1", "zoghi2015.py --table 1", table_1),
)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
