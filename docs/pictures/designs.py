"""The gap of a design over the teams of ten of 36, by how many teams are in the list."""

from __future__ import annotations

from matplotlib.figure import Figure
from style import BLUE, GREY, panels

import cpe_opt as cpe


def draw() -> Figure:
    """One panel: the excess over the bound on a log scale."""
    steps: list[tuple[int, float]] = []
    cpe.g_design(
        cpe.TopK(36, 10), method="columns", progress=lambda sets, gap: steps.append((sets, gap))
    )
    figure, (axes,) = panels(height=3.4)
    axes.plot([sets for sets, _ in steps], [100 * gap for _, gap in steps], ".-", color=BLUE)
    axes.axhline(1.0, color=GREY, lw=1, ls="--")
    axes.text(steps[-1][0], 1.2, "one sample in a hundred", color=GREY, ha="right", va="bottom")
    axes.set(yscale="log", title="254,186,856 teams of ten")
    axes.set(xlabel="teams in the list", ylabel="value above the bound, %")
    return figure
