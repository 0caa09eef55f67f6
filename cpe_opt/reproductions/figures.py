"""Pictures of studies: panels side by side, each line with its name at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cpe_opt.reports.drawing import Line, draw_lines, label_lines, save_figure, styles

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# Lines, dotted lines, and what is set of their axes.
Shown: TypeAlias = tuple[Mapping[str, Line], Mapping[str, Line], Mapping[str, Any]]


@contextmanager
def panels(
    path: Path, columns: int, rows: int = 1, *, size: tuple[float, float], share: bool = False
) -> Iterator[Sequence[Axes]]:
    """Axes with a grid, row by row; the picture is written when the block ends.

    ``share``: the axes of a column have the same x axis, those of a row the same y axis.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained", dpi=130)
    axes = (
        figure.subplots(
            rows,
            columns,
            squeeze=False,
            sharex="col" if share else "none",
            sharey="row" if share else "none",
        )
        .ravel()
        .tolist()
    )
    for each in axes:
        each.grid(visible=True, alpha=0.3)
    yield axes
    save_figure(figure, path)


def draw_panels(
    path: Path,
    shown: Sequence[Shown],
    rows: int = 1,
    *,
    size: tuple[float, float],
    share: bool = False,
    names: Sequence[str] = (),
    dotted: str = "",
) -> Path:
    """Lines with their names at their ends, dotted ones, and settings, for each of the axes.

    With ``names`` a name has the same style on all axes. ``dotted`` is what dotted lines are.
    """
    from matplotlib.lines import Line2D

    with panels(path, len(shown) // rows, rows, size=size, share=share) as all_axes:
        looks = [styles(names or lines) for lines, _, _ in shown]
        for axes, look, (lines, bounds, settings) in zip(all_axes, looks, shown, strict=True):
            axes.set(**settings)
            if axes.get_yscale() == "linear":
                axes.yaxis.set_major_formatter("{x:,.9g}")
            for name, (x, y) in bounds.items():
                axes.plot(x, y, linestyle=":", color=look[name].color)
            draw_lines(axes, lines, look)
        for axes, look, (lines, _, _) in zip(all_axes, looks, shown, strict=True):
            label_lines(axes, lines, look)  # once all limits are set
        if dotted:
            handles = [
                Line2D([], [], color="black", marker="o"),
                Line2D([], [], color="black", linestyle=":"),
            ]
            words, style = ["measured", dotted], {"ncols": 2, "fontsize": "small"}
            figure: Any = all_axes[0].get_figure(root=True)
            figure.legend(handles, words, loc="outside lower center", **style)
    return path


def mean_lines(frame: pd.DataFrame, x: pd.Series, columns: Sequence[str]) -> list[dict[str, Line]]:
    """For each column, one line per algorithm: its means over rows by x."""
    means = {
        str(name): rows.groupby(x)[list(columns)].mean()
        for name, rows in frame.groupby("algorithm")
    }
    return [
        {name: (mean.index.to_numpy(), mean[column].to_numpy()) for name, mean in means.items()}
        for column in columns
    ]
