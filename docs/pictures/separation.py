"""The rows of the cyclic instance in a plane, and the bound of the relaxations of sushi."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREEN, GREY, ORANGE, panels

import cpe_opt as cpe


def draw() -> Figure:
    """Two panels: the region of four arms, the rounds of sixteen."""
    figure, (region, rounds) = panels(2)
    a = np.linspace(0.5, 1.0, 2)
    region.fill_between(a, 1.0 - a, 1.0, color=BLUE, alpha=0.15, lw=0)
    region.plot([0.5, 0.5], [0.5, 1.0], color=BLUE)
    region.plot(a, 1.0 - a, color=BLUE)
    region.text(0.46, 0.78, "2a ≥ 1", rotation=90, ha="center", va="center", color=BLUE)
    region.text(0.72, 0.23, "a + b ≥ 1", rotation=-35, ha="center", va="center", color=BLUE)
    region.text(0.78, 0.7, "every row holds", ha="center", color=BLUE)
    points = [
        (0.0, 0.0, "no rows: 0", 0.03),
        (0.5, 0.5, "C* = 27.55", 0.53),
        (1.0, 0.0, "C$^{E*}$ = 49.66", 0.62),
    ]
    for x, y, text, left in points:
        region.plot(x, y, "o", color=ORANGE, clip_on=False, zorder=3)
        region.text(left, y + 0.03, text)
    region.set(xlim=(0, 1), ylim=(0, 1), title="four arms in a cycle")
    region.set(xlabel="a, evidence of the winner's pairs", ylabel="b, of the others' pairs")

    log = cpe.copeland_bound(cpe.load_instance("sushi")).result.cut_rounds
    rows, bound = [each.rows for each in log[1:]], [each.objective for each in log[1:]]
    rounds.plot(rows, bound, "o-", color=GREEN)
    rounds.axhline(bound[-1], color=GREY, lw=1, ls="--")
    rounds.text(rows[0], bound[-1] + 0.02, "C* = 142.61", color=GREY, va="bottom")
    rounds.set(title="sixteen kinds of sushi: 2,864 rows", ylim=(141.75, 142.75), xticks=rows)
    rounds.set(xlabel="rows found so far", ylabel="optimum of the relaxation")
    return figure
