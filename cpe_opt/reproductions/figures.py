"""Pictures of studies: panels side by side, each line with its name at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cpe_opt.reports.drawing import Line, draw_lines, label_lines, save_figure, styles

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


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


def named_lines(
    drawn: Mapping[Axes, Mapping[str, Line]],
    dotted: Mapping[Axes, Mapping[str, Line]] | None = None,
    names: Sequence[str] = (),
) -> None:
    """Draw lines by axes and name, each with its name at its end; dotted ones in the same colour.

    With ``names`` a name has the same style on all axes.
    """
    by_axes = {axes: styles(names or lines) for axes, lines in drawn.items()}
    for axes, lines in (dotted or {}).items():
        for name, (x, y) in lines.items():
            axes.plot(x, y, linestyle=":", color=by_axes[axes][name].color)
    for axes, lines in drawn.items():
        draw_lines(axes, lines, by_axes[axes])
    for axes, lines in drawn.items():  # once all limits are set
        label_lines(axes, lines, by_axes[axes])


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


def explain_dotted(axes: Axes, words: str) -> None:
    """The legend of a figure whose dotted lines are bounds."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    figure = axes.get_figure(root=True)
    assert isinstance(figure, Figure)
    figure.legend(
        [Line2D([], [], color="black", marker="o"), Line2D([], [], color="black", linestyle=":")],
        ["measured", words],
        loc="outside lower center",
        ncols=2,
        fontsize="small",
    )
