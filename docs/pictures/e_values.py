"""Logarithms of e-values along duels of fair and unfair pairs."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREY, ORANGE, panels

from cpe_opt.proofs.dueling.e_values import log_e_values

DUELS = 300


def draw() -> Figure:
    """One panel: five pairs of each of three kinds."""
    figure, (axes,) = panels(height=3.6)
    rng = np.random.default_rng(3)
    played = np.arange(DUELS + 1.0)
    for probability, colour in ((0.75, ORANGE), (0.6, BLUE), (0.5, GREY)):
        for _ in range(5):
            wins = np.append(0.0, (rng.random(DUELS) < probability).cumsum())
            axes.plot(played, log_e_values(wins, played - wins), color=colour, lw=1)
    axes.axhline(math.log(20), color="black", lw=1, ls="--")
    axes.text(303, math.log(20), "ln 20", va="center")
    places = ((0.75, ORANGE, 250, 13), (0.6, BLUE, 250, 10), (0.5, GREY, 200, -3))
    for probability, colour, x, y in places:
        axes.text(x, y, f"$\\mu$ = {probability}", color=colour, ha="center")
    axes.set(xlim=(0, DUELS), ylim=(-4, 14))
    axes.set(xlabel="duels", ylabel="ln E of \u201ci does not beat j\u201d")
    return figure
