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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cpe_opt.experiments.results import RegretCurve
from cpe_opt.reports.drawing import (
    LABEL_SIZE,
    SAME_LINE,
    End,
    Style,
    draw_axes,
    end_texts,
    label_ends,
    log_margins,
    picture_style,
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
_FAR = 10.0  # a bound more times above all curves is out of the picture
_BAR_STEP, _BAR_ROOM = 1.15, 3.0  # between the bars at the end, and for all of them, by time
_BOUND_DASHES = (":", (0, (3, 1, 1, 1)), (0, (1, 3)))
_UNIT_WORDS = {
    "mean": "mean loss of Copeland score",
    "sum": "summed loss of Copeland score",
}
PAGE, COLUMN = 17.0, 8.5
"""Widths of pictures in centimetres: of a page, and of a column of a journal."""
MOST_LINES = 6
"""Of a panel; more learners make more panels."""
_CM = 2.54  # of an inch
_TWO_COLUMNS = 12.0  # centimetres: as wide a figure has two panels side by side, and a legend
_HEIGHT = 2.2  # inches of a panel


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
    >>> from cpe_opt.experiments.results import regret_curve
    >>> trace = cpe.simulate("ecw-rmed", cpe.load_instance("cyclic"), horizon=1000)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     axes = plot_regret({"ecw-rmed": regret_curve([trace])}, f"{folder}/regret.png")
    >>> axes.get_xscale()
    'log'
    """
    panel = Panel(title, curves, bounds or {})

    def draw(axes: Axes) -> None:
        handles = draw_panel(axes, panel, styles(curves), scale)
        axes.set_ylabel(_regret_words(units))
        if handles:
            axes.legend(list(handles.values()), list(handles), fontsize="small")

    new = partial(panels_figure, [panel], units=units, scale=scale)
    return draw_axes(draw, lambda: new().axes[0], path, ax)


def panels_figure(
    panels: Sequence[Panel], *, units: str = "mean", scale: Scale = "log", width: float = PAGE
) -> Figure:
    """A figure of several problems, each learner in one style.

    With more than six learners a problem has several panels, each with six at most, of which the
    first learner is one everywhere. The width is in centimetres.
    """
    from matplotlib.figure import Figure

    groups = _groups(list(dict.fromkeys(name for panel in panels for name in panel.curves)))
    by_name = {name: style for group in groups for name, style in styles(group).items()}
    shown = [part for panel in panels for part in _split(panel, groups)]
    columns = 1 if len(shown) == 1 or width < _TWO_COLUMNS else 2
    rows = math.ceil(len(shown) / columns)
    wide = width >= _TWO_COLUMNS
    with picture_style():
        size = (width / _CM, _HEIGHT * rows + (0.6 if wide else 0.1))
        figure = Figure(figsize=size, layout="constrained", dpi=200)
        handles: dict[str, Artist] = {}
        for number, (panel, limits) in enumerate(shown):
            axes = figure.add_subplot(rows, columns, number + 1)
            handles |= draw_panel(axes, panel, by_name, scale, limits)
            if number % columns == 0:
                axes.set_ylabel(_regret_words(units))
        if handles and wide:
            figure.legend(list(handles.values()), list(handles), loc="outside lower center")
    return figure


def _groups(names: Sequence[str]) -> list[list[str]]:
    """Learners that share a panel: six at most, of which the first is in every group."""
    if len(names) <= MOST_LINES:
        return [list(names)]
    others = list(names[1:])
    count = math.ceil(len(others) / (MOST_LINES - 1))
    size = math.ceil(len(others) / count)
    return [[names[0], *others[start : start + size]] for start in range(0, len(others), size)]


def _split(
    panel: Panel, groups: Sequence[Sequence[str]]
) -> Iterator[tuple[Panel, Sequence[RegretCurve]]]:
    """Panels of at most six curves, and the curves that their axes are to have room for."""
    parts = [[name for name in group if name in panel.curves] for group in groups]
    parts = [part for part in parts if part]
    for number, part in enumerate(parts, 1):
        title = panel.title if len(parts) == 1 else f"{panel.title} ({number} of {len(parts)})"
        curves = {name: panel.curves[name] for name in part}
        part_of = replace(panel, title=title, curves=curves, noted=number == 1)
        yield part_of, list(panel.curves.values())


def _regret_words(units: str) -> str:
    """What the axis of regret says."""
    return f"total regret\n({_UNIT_WORDS.get(units, units)})"


@dataclass(frozen=True)
class Panel:
    """One problem's curves: the means over runs, by name."""

    title: str
    curves: Mapping[str, RegretCurve]
    # Constants C, drawn as C ln T in the units of the curves; BOUND_WORDS are for two of the names.
    bounds: Mapping[str, float] = field(default_factory=dict)
    noted: bool = True  # whether a note says how many runs there are, and the constants


def draw_panel(
    axes: Axes,
    panel: Panel,
    by_name: Mapping[str, Style],
    scale: Scale,
    room_for: Sequence[RegretCurve] = (),
) -> dict[str, Artist]:
    """Curves and bounds with labels at their ends; handles of the legend by their words.

    Limits are those of ``room_for``, where other panels show the other curves of a problem.
    """
    every = room_for or list(panel.curves.values())
    start = min(int(curve.time[0]) for curve in every)
    horizon = max(int(curve.time[-1]) for curve in every)
    if scale == "log":
        start = max(start, min(_FIRST, horizon // 10), math.floor(horizon / _SHOWN))
    drawn = {name: _visible(curve, start, scale) for name, curve in panel.curves.items()}
    texts = end_texts({n: (c.time, c.mean) for n, c in drawn.items() if len(c.time)})
    bands = len(panel.curves) <= _MOST_BANDS
    many = [name for name, curve in drawn.items() if curve.runs > 1 and len(curve.time)]
    step = min(_BAR_STEP, _BAR_ROOM ** (1.0 / (len(many) + 1)))
    for name, curve in drawn.items():
        style = by_name[name]
        if name in texts:  # of lines that cover each other the first
            axes.plot(curve.time, curve.mean, **style.line, lw=1.6, label=name)
        if name in many and bands:
            axes.fill_between(
                curve.time, curve.low, curve.high, color=style.color, alpha=0.15, linewidth=0
            )
        elif name in many:
            # Next to each other, where a log axis of time leaves room at its end.
            place = curve.time[-1] * step ** (many.index(name) + 1)
            axes.vlines(place, curve.low[-1], curve.high[-1], color=style.color, lw=2.5)
    visible = [_visible(curve, start, scale) for curve in every]
    bounds = _near(panel.bounds, visible, horizon)
    handles, bound_ends = _draw_bounds(axes, bounds, start, horizon)
    axes.set_xscale("log")
    axes.set_yscale(scale)
    axes.set_xlim(start, horizon * (1.0 if bands else step ** (len(many) + 1)))
    axes.set_ylim(*_limits(visible, bounds, horizon, scale))
    axes.set_xlabel("rounds T")
    note = _note(panel, drawn, bounds, bands=bands) if panel.noted else ""
    lines = 1 + note.count("\n") if note else 0
    # From the left edge of the axes over the labels, so that neighbours keep apart.
    axes.set_title(panel.title, pad=6 + 1.25 * LABEL_SIZE * lines, x=0.0, ha="left")
    axes.text(0.0, 1.015, note, transform=axes.transAxes, va="bottom", fontsize=LABEL_SIZE)
    axes.grid(visible=True, alpha=0.3)
    last = {
        name: (float(c.time[-1]), float(c.mean[-1])) for name, c in drawn.items() if name in texts
    }
    ends = [End(*last[name], text, by_name[name]) for name, text in texts.items()]
    label_ends(axes, [*bound_ends, *ends])
    return handles


def _visible(curve: RegretCurve, start: int, scale: Scale) -> RegretCurve:
    """What of a curve can be seen: from the start on and, on a log axis, where there is regret."""
    seen = curve.time >= start
    if scale == "log":
        seen &= curve.mean > 0.0
    # The bands of a log axis end at a hundredth of the mean, where there are runs without regret.
    low = curve.low if scale == "linear" else np.maximum(curve.low, curve.mean / 100.0)
    return RegretCurve(curve.time[seen], curve.mean[seen], low[seen], curve.high[seen], curve.runs)


def _near(
    bounds: Mapping[str, float], curves: Sequence[RegretCurve], horizon: int
) -> dict[str, float]:
    """The bounds that do not lie so far above all curves that these could not be told apart."""
    high = max((float(curve.high.max()) for curve in curves if len(curve.time)), default=math.inf)
    return {n: c for n, c in bounds.items() if c * math.log(horizon) <= _FAR * high}


def _draw_bounds(
    axes: Axes, bounds: Mapping[str, float], start: int, horizon: int
) -> tuple[dict[str, Artist], list[End]]:
    """Lines C ln T, in words and with names at their ends; one for bounds that look alike."""
    handles: dict[str, Artist] = {}
    ends: list[End] = []
    time, last = np.geomspace(start, horizon, 200), math.nan
    for (name, constant), dash in zip(bounds.items(), _BOUND_DASHES, strict=False):
        if not _close(constant, last):
            words = BOUND_WORDS.get(name, rf"{name} $\ln T$")
            style: dict[str, Any] = {"color": "black", "linestyle": dash, "lw": 1.2, "label": words}
            (handles[words],) = axes.plot(time, constant * np.log(time), **style)
            text = f"{BOUND_SYMBOLS.get(name, name)} $\\ln T$"
            at = float(horizon), constant * math.log(horizon)
            ends.append(End(*at, text, Style("black", "-", "black")))
        last = constant
    return handles, ends


def _close(one: float, two: float) -> bool:
    return abs(one - two) <= SAME_LINE * abs(two)


def _limits(
    curves: Sequence[RegretCurve], bounds: Mapping[str, float], horizon: int, scale: Scale
) -> tuple[float, float]:
    """Limits of regret: all that is drawn, and no empty decade."""
    seen = [curve for curve in curves if len(curve.time)]
    high = max((float(curve.high.max()) for curve in seen), default=1.0)
    ends = [constant * math.log(horizon) for constant in bounds.values()]
    high = max(high, *ends, 0.0)
    if scale == "linear":
        return 0.0, 1.05 * max(high, 1e-12)
    low = min([float(curve.mean.min()) for curve in seen] + ends, default=high / 10.0)
    return log_margins(low, high)


def _note(
    panel: Panel, drawn: Mapping[str, RegretCurve], bounds: Mapping[str, float], *, bands: bool
) -> str:
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
        f"{BOUND_SYMBOLS.get(name, name)} = {value:,.4g}{'' if name in bounds else ' (above)'}"
        for name, value in panel.bounds.items()
    ]
    if constants:
        values = list(bounds.values())
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
    return draw_axes(
        lambda axes: _draw_samples(axes, samples, title),
        lambda: samples_figure({title: samples}).axes[0],
        path,
        ax,
    )


def samples_figure(
    samples: Mapping[str, Mapping[str, Sequence[float]]], *, width: float = PAGE
) -> Figure:
    """What learners needed until they stopped, by problem and learner, a problem a panel."""
    from matplotlib.figure import Figure

    heights = [0.7 + 0.24 * len(values) for values in samples.values()]
    with picture_style():
        size = (width / _CM, sum(heights) + 0.3)
        figure = Figure(figsize=size, layout="constrained", dpi=200)
        grid = figure.add_gridspec(len(samples), height_ratios=heights)
        for number, (title, values) in enumerate(samples.items()):
            axes = figure.add_subplot(grid[number, 0])
            _draw_samples(axes, values, title, last=number == len(samples) - 1)
    return figure


def _draw_samples(
    axes: Axes, samples: Mapping[str, Sequence[float]], title: str, *, last: bool = True
) -> None:
    color = styles(["runs"])["runs"].color
    for number, values in enumerate(samples.values()):
        axes.plot(values, [number] * len(values), "o", color=color, alpha=0.4, markersize=4)
        axes.plot(np.mean(values), number, "|", color="black", markersize=12)
    axes.set_yticks(range(len(samples)), list(samples))
    axes.set_ylim(len(samples) - 0.5, -0.5)
    axes.set_xscale("log")
    if last:
        axes.set_xlabel("samples until a learner stops (points: runs, bars: means)")
    axes.set_title(title)
    axes.grid(visible=True, axis="x", alpha=0.3)
