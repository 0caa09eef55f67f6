"""A vector of evidence in descending order as a pile of prefixes."""

from __future__ import annotations

from matplotlib.figure import Figure
from style import BLUE, GREEN, GREY, ORANGE, panels

LAYERS = (
    ("z$_4$ = 0.2", 4, 0.2, BLUE),
    ("z$_3$ = 0.4", 3, 0.4, GREEN),
    ("z$_1$ = 0.3", 1, 0.3, ORANGE),
)


def draw() -> Figure:
    """One panel: four pairs, three layers, the two smallest marked."""
    figure, (axes,) = panels(height=3.6)
    floor = 0.0
    for name, length, height, colour in LAYERS:
        axes.bar(
            range(1, length + 1),
            height,
            bottom=floor,
            width=1.0,
            color=colour,
            alpha=0.35,
            ec="white",
        )
        axes.text((length + 1) / 2, floor + height / 2, name, ha="center", va="center")
        floor += height
    axes.plot([0.5, 1.5, 1.5, 3.5, 3.5, 4.5], [0.9, 0.9, 0.6, 0.6, 0.2, 0.2], color="black")
    axes.annotate("", (2.5, 0.7), (4.5, 0.7), arrowprops={"arrowstyle": "<->", "color": GREY})
    axes.text(
        3.5, 0.73, "two smallest:\n2·z$_4$ + 1·z$_3$ = 0.8", ha="center", va="bottom", color=GREY
    )
    axes.set(xlim=(0.5, 4.5), ylim=(0, 1), xticks=[1, 2, 3, 4])
    axes.set(xlabel="pairs of the challenger, the cheapest first", ylabel="evidence x")
    return figure
