"""A program of two columns: its region, and lines of equal cost from both sides."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREEN, ORANGE, panels


def draw() -> Figure:
    """One panel."""
    figure, (axes,) = panels(height=3.8)
    x = np.linspace(0, 6.5, 300)
    least = np.maximum(np.maximum(4 - x, (6 - x) / 3), 0)
    axes.fill_between(x, least, 5, color=BLUE, alpha=0.15, lw=0)
    axes.plot(x, 4 - x, color=BLUE, lw=1)
    axes.plot(x, (6 - x) / 3, color=BLUE, lw=1)
    axes.text(0.12, 4.1, "row a", color=BLUE, ha="left")
    axes.text(5.55, 0.3, "row b", color=BLUE, ha="left")
    axes.text(4.4, 3.2, "both rows hold", color=BLUE, ha="center")
    lines = (
        (7, GREEN, "7: a bound", 0.6, 0.7),
        (9, "black", "9", 1.3, 2.25),
        (11, ORANGE, "11: a value", 2.0, 2.45),
    )
    for cost, colour, name, left, height in lines:
        axes.plot(x, (cost - 2 * x) / 3, color=colour, lw=1.4, ls="--")
        axes.text(left, height, name, color=colour)
    axes.plot([3], [1], "o", color="black")
    axes.plot([4], [1], "o", color=ORANGE)
    axes.text(3.05, 1.08, "(3, 1)", ha="left", va="bottom")
    axes.text(4.1, 1.05, "(4, 1)", ha="left", va="bottom", color=ORANGE)
    axes.set(xlim=(0, 6.5), ylim=(0, 4.5), xlabel="loaves, x$_1$", ylabel="rolls, x$_2$")
    return figure
