"""Pictures of runs: regret over time, and samples until learners stop.

Regret is drawn log–log: a line of slope 1 is linear regret, a line that flattens is logarithmic,
and a bound far above or below leaves the curves readable. Up to three curves have light bands of
the 10 % and 90 % quantiles over runs; more of them have bars of those quantiles at the end. A log
axis leaves out regret of 0, and time before the last four decades. A note under the title says what
a reader would otherwise miss.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from cpe_opt.experiments.runs import RegretCurve
from cpe_opt.reports.drawing import (
    LABEL_SIZE,
    SAME_LINE,
    End,
    Style,
    check_picture,
    end_texts,
    figure_of,
    label_ends,
    log_margins,
    save_figure,
    styles,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Scale: TypeAlias = Literal["linear", "log"]
BOUND_WORDS = {
    "LB": r"no algorithm can do better, for large $T$: $C^{*}\,\ln T$",
    "ECWB": r"what ECW-RMED is proved to reach, for large $T$: $C^{E*}\,\ln T$",
}
BOUND_SYMBOLS = {"LB": "$C^{*}$", "ECWB": "$C^{E*}$"}
_SHOWN = 1e4  # the horizon over the first round that a log axis of regret shows
_FIRST = 10  # rounds: before, ln T says nothing
_MOST_BANDS = 3
_BAR_STEP, _BAR_ROOM = 1.15, 3.0  # between the bars at the end, and for all of them, by time
_BOUND_DASHES = (":", (0, (3, 1, 1, 1)), (0, (1, 3)))
_UNIT_WORDS = {
    "mean": "the two arms' mean loss of Copeland score",
    "sum": "the two arms' summed loss of Copeland score",
}
_HEIGHT = 3.3  # inches of a panel


def plot_regret(
    curves: Mapping[str, RegretCurve],
    path: str | os.PathLike[str] | None = None,
    ax: Axes | None = None,
    *,
    title: str = "",
    bounds: Mapping[str, float] | None = None,
    units: str = "mean",
    scale: Scale = "log",
) -> Axes:
    """Draw regret against time, on a logarithmic axis.

    Parameters
    ----------
    curves : mapping of name to RegretCurve
    path : path ending in .png, .pdf or .svg, optional
        Where the figure is written to.
    ax : matplotlib Axes, optional
        To draw into; by default those of a new figure.
    title : str
    bounds : mapping of name to constant C, optional
        Drawn as ``C ln T``, in the units of the curves. ``"LB"`` and ``"ECWB"``, the names of
        :func:`cpe_opt.hardness.dueling.regret_bounds`, are put in words.
    units : "mean", "sum", or those of a problem of your own
    scale : "linear" or "log"
        Of the regret.

    Returns
    -------
    matplotlib Axes
        ``.figure`` is the figure.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> from cpe_opt.experiments.runs import regret_curve
    >>> trace = cpe.simulate("ecw-rmed", cpe.load_instance("cyclic"), horizon=1000)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     axes = plot_regret({"ecw-rmed": regret_curve([trace])}, f"{folder}/regret.png")
    >>> axes.get_xscale()
    'log'
    """
    if path is not None:
        check_picture(Path(path))
    panel = Panel(title, curves, bounds or {})
    if ax is None:
        ax = panels_figure([panel], units=units, scale=scale).axes[0]
    else:
        handles = draw_panel(ax, panel, styles(curves), scale)
        ax.set_ylabel(_regret_words(units))
        if handles:
            ax.legend(list(handles.values()), list(handles), fontsize="small")
    if path is not None:
        save_figure(figure_of(ax), Path(path))
    return ax


def save_panels(
    panels: Sequence[Panel],
    path: str | os.PathLike[str],
    *,
    units: str = "mean",
    scale: Scale = "log",
) -> Path:
    """Write a figure of several problems side by side, each learner in one style; returns the path.

    Arguments other than the panels are those of :func:`plot_regret`.
    """
    path = Path(path)
    check_picture(path)
    return save_figure(panels_figure(panels, units=units, scale=scale), path)


def panels_figure(panels: Sequence[Panel], *, units: str = "mean", scale: Scale = "log") -> Figure:
    """The figure of :func:`save_panels`."""
    from matplotlib.figure import Figure

    columns = len(panels) if len(panels) <= 3 else 2
    rows = math.ceil(len(panels) / columns)
    width = 5.6 * columns if columns > 1 else 7.6
    figure = Figure(figsize=(width, _HEIGHT * rows + 1.2), layout="constrained", dpi=130)
    by_name = styles(dict.fromkeys(name for panel in panels for name in panel.curves))
    handles: dict[str, Artist] = {}
    for number, panel in enumerate(panels):
        axes = figure.add_subplot(rows, columns, number + 1)
        handles |= draw_panel(axes, panel, by_name, scale)
        if number % columns == 0:
            axes.set_ylabel(_regret_words(units))
    if handles:
        figure.legend(
            list(handles.values()), list(handles), loc="outside lower center", fontsize="small"
        )
    return figure


def _regret_words(units: str) -> str:
    """What the axis of regret says."""
    return f"total regret (units: {_UNIT_WORDS.get(units, units)})".replace(": ", ":\n")


@dataclass(frozen=True)
class Panel:
    """One problem's curves: the means over runs, by name."""

    title: str
    curves: Mapping[str, RegretCurve]
    # Constants C, drawn as C ln T in the units of the curves; BOUND_WORDS are for two of the names.
    bounds: Mapping[str, float] = field(default_factory=dict)
    # Curves whose points belong to runs of their own, one for each horizon: drawn with markers.
    separate: Sequence[str] = ()
    axis: str = "rounds T"  # what the curves are drawn against


def draw_panel(
    axes: Axes, panel: Panel, by_name: Mapping[str, Style], scale: Scale
) -> dict[str, Artist]:
    """Curves with labels at their ends, and bounds; handles of the legend by their words."""
    start = min(int(curve.time[0]) for curve in panel.curves.values())
    horizon = max(int(curve.time[-1]) for curve in panel.curves.values())
    if scale == "log":
        start = max(start, min(_FIRST, horizon // 10), math.floor(horizon / _SHOWN))
    drawn = {name: _visible(curve, start, scale) for name, curve in panel.curves.items()}
    bands = len(panel.curves) <= _MOST_BANDS
    many = [name for name, curve in drawn.items() if curve.runs > 1 and len(curve.time)]
    step = min(_BAR_STEP, _BAR_ROOM ** (1.0 / (len(many) + 1)))
    for name, curve in drawn.items():
        style = by_name[name]
        apart = name in panel.separate
        axes.plot(
            curve.time,
            curve.mean,
            **style.line,
            lw=1.6,
            label=name,
            marker="o" if apart else None,
            markersize=4,
        )
        if name in many and bands and not apart:
            axes.fill_between(
                curve.time, curve.low, curve.high, color=style.color, alpha=0.15, linewidth=0
            )
        elif name in many:
            # Next to each other, where a log axis of time leaves room at its end.
            place = curve.time[-1] * step ** (many.index(name) + 1)
            axes.vlines(place, curve.low[-1], curve.high[-1], color=style.color, lw=2.5)
    handles = _draw_bounds(axes, panel.bounds, start, horizon)
    axes.set_xscale("log")
    axes.set_yscale(scale)
    axes.set_xlim(start, horizon * (1.0 if bands else step ** (len(many) + 1)))
    axes.set_ylim(*_limits(drawn, panel.bounds, horizon, scale))
    axes.set_xlabel(panel.axis)
    note = _note(panel, drawn, bands=bands)
    axes.set_title(panel.title, pad=6 + 1.25 * LABEL_SIZE * (1 + note.count("\n")))
    axes.text(
        0.5, 1.015, note, transform=axes.transAxes, ha="center", va="bottom", fontsize=LABEL_SIZE
    )
    axes.grid(visible=True, alpha=0.3)
    texts = end_texts({n: (c.time, c.mean) for n, c in drawn.items() if len(c.time)})
    label_ends(
        axes,
        [
            End(
                float(drawn[name].time[-1]),
                float(drawn[name].mean[-1]),
                f"{text}\n(told T)" if name in panel.separate else text,
                by_name[name],
            )
            for name, text in texts.items()
        ],
    )
    return handles


def _visible(curve: RegretCurve, start: int, scale: Scale) -> RegretCurve:
    """What of a curve can be seen: from the start on and, on a log axis, where there is regret."""
    seen = curve.time >= start
    if scale == "log":
        seen &= curve.mean > 0.0
    # The bands of a log axis end at a hundredth of the mean, where there are runs without regret.
    low = curve.low if scale == "linear" else np.maximum(curve.low, curve.mean / 100.0)
    return RegretCurve(curve.time[seen], curve.mean[seen], low[seen], curve.high[seen], curve.runs)


def _draw_bounds(
    axes: Axes, bounds: Mapping[str, float], start: int, horizon: int
) -> dict[str, Artist]:
    """Lines C ln T, and their words; the same line for bounds that look alike."""
    handles: dict[str, Artist] = {}
    time = np.geomspace(start, horizon, 200)
    last = math.nan
    for (name, constant), dash in zip(bounds.items(), _BOUND_DASHES, strict=False):
        if not _close(constant, last):
            words = BOUND_WORDS.get(name, rf"{name} $\ln T$")
            (handles[words],) = axes.plot(
                time, constant * np.log(time), color="black", linestyle=dash, lw=1.2, label=words
            )
        last = constant
    return handles


def _close(one: float, two: float) -> bool:
    return abs(one - two) <= SAME_LINE * abs(two)


def _limits(
    drawn: Mapping[str, RegretCurve], bounds: Mapping[str, float], horizon: int, scale: Scale
) -> tuple[float, float]:
    """Limits of regret: all that is drawn, and no empty decade."""
    ends = [constant * math.log(horizon) for constant in bounds.values()]
    seen = [curve for curve in drawn.values() if len(curve.time)]
    high = max([float(curve.high.max()) for curve in seen] + ends, default=1.0)
    if scale == "linear":
        return 0.0, 1.05 * max(high, 1e-12)
    low = min([float(curve.mean.min()) for curve in seen] + ends, default=high / 10.0)
    return log_margins(low, high)


def _note(panel: Panel, drawn: Mapping[str, RegretCurve], *, bands: bool) -> str:
    """How many runs there are, what is shaded, and what is not drawn."""
    runs = sorted({curve.runs for curve in panel.curves.values()})
    counted = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
    parts = ["1 run each" if runs == [1] else f"means of {counted} runs"]
    if runs != [1]:
        parts[0] += f"; {'bands' if bands else 'bars at the end'}: 10–90 %"
    parts += [
        f"{name}: no regret, so no line" for name, curve in drawn.items() if not len(curve.time)
    ]
    constants = [
        f"{BOUND_SYMBOLS.get(name, name)} = {value:,.4g}" for name, value in panel.bounds.items()
    ]
    if constants:
        values = list(panel.bounds.values())
        one = any(_close(b, a) for a, b in pairwise(values))
        parts.append(", ".join(constants) + (" (one line)" if one else ""))
    return "\n".join(parts)


def plot_samples(
    samples: Mapping[str, Sequence[float]],
    path: str | os.PathLike[str] | None = None,
    ax: Axes | None = None,
    *,
    title: str = "",
) -> Axes:
    """Draw what learners needed until they stopped, every run a point; returns the axes.

    ``samples`` has those of each run by learner. The path, if there is one, ends in .png, .pdf or
    .svg, and the figure is written there; ``ax`` is to draw into, by default a new figure.
    """
    if path is not None:
        check_picture(Path(path))
    axes = samples_figure(samples, title=title).axes[0] if ax is None else ax
    if ax is not None:
        _draw_samples(axes, samples, title)
    if path is not None:
        save_figure(figure_of(axes), Path(path))
    return axes


def samples_figure(samples: Mapping[str, Sequence[float]], *, title: str = "") -> Figure:
    """The figure of :func:`plot_samples`."""
    from matplotlib.figure import Figure

    height = 1.6 + 0.45 * len(samples)
    figure = Figure(figsize=(7.2, height), layout="constrained", dpi=150)
    _draw_samples(figure.add_subplot(), samples, title)
    return figure


def _draw_samples(axes: Axes, samples: Mapping[str, Sequence[float]], title: str) -> None:
    for number, (values, style) in enumerate(
        zip(samples.values(), styles(samples).values(), strict=True)
    ):
        axes.plot(values, [number] * len(values), "o", color=style.color, alpha=0.4)
        axes.plot(np.mean(values), number, "|", color="black", markersize=18)
    axes.set_yticks(range(len(samples)), list(samples))
    axes.set_ylim(len(samples) - 0.5, -0.5)
    axes.set_xscale("log")
    axes.set_xlabel("samples until a learner stops (points: runs, bars: means)")
    axes.set_title(title)
    axes.grid(visible=True, axis="x", alpha=0.3)
