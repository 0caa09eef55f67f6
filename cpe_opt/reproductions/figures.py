"""Pictures of studies: panels of lines with their names at their ends, and rows of dots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cpe_opt.reports.drawing import (
    LABEL_SIZE,
    Line,
    draw_lines,
    label_lines,
    picture_style,
    save_figure,
    styles,
)

if TYPE_CHECKING:
    import pandas as pd


def draw_panels(
    path: Path,
    shown: Sequence[tuple[Mapping[str, Line], Mapping[str, Any]]],
    *,
    size: tuple[float, float],
) -> Path:
    """Panels side by side: lines with their names at their ends, and what is set of the axes."""
    from matplotlib.figure import Figure

    with picture_style():
        figure = Figure(figsize=size, layout="constrained", dpi=200)
        drawn = []
        for axes, (lines, settings) in zip(
            figure.subplots(1, len(shown), squeeze=False)[0], shown, strict=True
        ):
            axes.grid(visible=True)
            axes.set(**settings)
            if axes.get_yscale() == "linear":
                axes.yaxis.set_major_formatter("{x:,.9g}")
            drawn.append((axes, lines, styles(lines)))
            draw_lines(*drawn[-1])
        for each in drawn:
            label_lines(*each)  # once all limits are set
    return save_figure(figure, path)


def column_lines(table: pd.DataFrame) -> dict[str, Line]:
    """A line for each column of a frame, by its index, where there is a value."""
    columns = {str(name): column.dropna() for name, column in table.items()}
    return {name: (each.index.to_numpy(), each.to_numpy()) for name, each in columns.items()}


class DotLine(NamedTuple):
    """A line of dots: its name, its group, and its middle with a text."""

    name: str
    group: str
    dots: Sequence[tuple[float, str, bool]]  # value, kind, and whether it is a lower bound
    middle: float
    text: str


_PALE = "#c4c4c4"


def draw_dots(path: Path, shown: Mapping[str, Sequence[DotLine]], label: str, pale: str) -> Path:
    """Lines of dots on a log scale, panel below panel; the colour is the kind, grey ``pale``.

    A bar is the middle of a line, whose text is to the right, next to the words of its group.
    """
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    rows = [len(lines) for lines in shown.values()]
    size = (6.6, 1.4 + 0.3 * len(rows) + 0.21 * sum(rows))
    with picture_style():
        figure = Figure(figsize=size, layout="constrained", dpi=200)
        panels = figure.subplots(len(rows), 1, squeeze=False, height_ratios=rows).ravel()
        dots = [dot for lines in shown.values() for line in lines for dot in line.dots]
        kinds = [kind for kind in dict.fromkeys(kind for _, kind, _ in dots) if kind != pale]
        colours = {kind: style.color for kind, style in styles(kinds).items()}
        small: dict[str, Any] = {"fontsize": LABEL_SIZE, "va": "center"}
        for axes, (title, lines) in zip(panels, shown.items(), strict=True):
            beside = axes.get_yaxis_transform()
            for row, (_, group, line, middle, text) in enumerate(lines):
                for value, kind, more in line:
                    sign, colour = ">" if more else "o", colours.get(kind, _PALE)
                    axes.plot(value, row, sign, color=colour, markersize=4.5, alpha=0.75, mew=0)
                if np.isfinite(middle):
                    axes.plot([middle] * 2, [row - 0.36, row + 0.36], color="black", lw=2)
                axes.text(1.01, row, text, transform=beside, **small)
                same = [other for other, each in enumerate(lines) if each.group == group]
                if row == same[0]:
                    axes.axhline(row - 0.5, color="black", lw=0.6 if row else 0.0)
                    axes.text(1.1, np.mean(same), group, transform=beside, style="italic", **small)
            axes.set_title(title, loc="left", fontsize=LABEL_SIZE + 1.5)
            axes.set(xscale="log", xlabel=label, ylim=(len(lines) - 0.5, -0.5))
            axes.set_yticks(range(len(lines)), [line.name for line in lines], fontsize=LABEL_SIZE)
            if label.endswith("bound"):
                axes.axvline(1.0, color="black", linestyle=":", lw=1.2)
            axes.grid(visible=True, axis="x")
            axes.xaxis.set_major_formatter("{x:,.9g}")
        signs = [("o", colours[kind], kind) for kind in kinds] + [("o", _PALE, pale)]
        signs += [
            (">", "black", "lower bound: runs were cut off"),
            ("|", "black", "geometric mean"),
        ]
        handles = [
            Line2D([], [], linestyle="", marker=s, color=c, label=words) for s, c, words in signs
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=LABEL_SIZE)
    return save_figure(figure, path)
