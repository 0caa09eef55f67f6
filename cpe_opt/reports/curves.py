"""Pictures of runs: regret over time, samples until learners stop, calls until there is a proof.

Regret is drawn log–log: a line of slope 1 is linear regret, a line that flattens is logarithmic,
and a bound far above or below leaves the curves readable. Light bands are the 10 % and 90 %
quantiles over runs. A log axis leaves out regret of 0, and time before the last four decades. A
note under the title says how many runs there are, who has no regret, and the bounds' constants.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.experiments.calls import CallsNeeded
from cpe_opt.experiments.results import RegretCurve
from cpe_opt.reports.drawing import EDGE, LABEL_SIZE, Style, draw_axes, picture_style, styles
from cpe_opt.validation import NonNegative, checked_types

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BOUND_WORDS = {
    "LB": r"no algorithm can do better, for large $T$: $C^{*}\,\ln T$",
    "ECWB": r"what ECW-RMED is proved to reach, for large $T$: $C^{E*}\,\ln T$",
}
BOUND_SYMBOLS = {"LB": "$C^{*}$", "ECWB": "$C^{E*}$"}
_SHOWN = 1e4  # the horizon over the first round that a log axis of regret shows
_FIRST = 10  # rounds: before, ln T says nothing
_BOUND_DASHES = (":", (0, (3, 1, 1, 1)), (0, (1, 3)))
_UNIT_WORDS = {"mean": "mean loss of Copeland score", "sum": "summed loss of Copeland score"}
PAGE, COLUMN = 17.0, 8.5
"""Widths of pictures in centimetres: of a page, and of a column of a journal."""
_CM = 2.54  # of an inch
_TWO_COLUMNS = 12.0  # centimetres: as wide a figure has two panels side by side
_HEIGHT, _LEGEND_LINE = 2.2, 0.16  # inches of a panel, and of a line of the legend


def plot_regret(
    curves: Mapping[str, RegretCurve],
    path: str | os.PathLike[str] | None = None,
    ax: Axes | None = None,
    *,
    title: str = "",
    bounds: Mapping[str, float] | None = None,
    units: str = "mean",
) -> Axes:
    """Draw regret against time, on logarithmic axes.

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

    def draw(axes: Axes) -> list[Artist]:
        axes.set_ylabel(_regret_words(units))
        return list(draw_panel(axes, panel, styles(curves)).values())

    return draw_axes(draw, (PAGE / _CM, _HEIGHT + 0.8), path, ax)


def panels_figure(panels: Sequence[Panel], *, units: str = "mean", width: float = PAGE) -> Figure:
    """A figure of several problems, each learner in one style; the width is in centimetres."""
    from matplotlib.figure import Figure

    by_name = styles(dict.fromkeys(name for panel in panels for name in panel.curves))
    columns = 1 if len(panels) == 1 or width < _TWO_COLUMNS else 2
    beside = 1 if width < _TWO_COLUMNS else 2  # columns of the legend
    lines = len(by_name) + len({name for panel in panels for name in panel.bounds})
    rows = math.ceil(len(panels) / columns)
    with picture_style():
        below = 0.3 + _LEGEND_LINE * math.ceil(lines / beside)
        figure = Figure(figsize=(width / _CM, _HEIGHT * rows + below))
        marks: dict[str, Artist] = {}
        for number, panel in enumerate(panels):
            axes = figure.add_subplot(rows, columns, number + 1)
            marks |= draw_panel(axes, panel, by_name)
            if number % columns == 0:
                axes.set_ylabel(_regret_words(units))
        handles, labels = list(marks.values()), list(marks)
        figure.legend(handles, labels, loc="outside lower center", ncols=beside, frameon=False)
    return figure


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


def draw_panel(axes: Axes, panel: Panel, by_name: Mapping[str, Style]) -> dict[str, Artist]:
    """Curves and bounds; the lines by what the legend calls them."""
    start = min(int(curve.time[0]) for curve in panel.curves.values())
    horizon = max(int(curve.time[-1]) for curve in panel.curves.values())
    start = max(start, min(_FIRST, horizon // 10), math.floor(horizon / _SHOWN))
    axes.set(xscale="log", yscale="log", xlabel="rounds T", xlim=(start, horizon))
    drawn = {name: _visible(curve, start) for name, curve in panel.curves.items()}
    marks: dict[str, Artist] = {}
    for name, curve in drawn.items():
        if len(curve.time):
            style = by_name[name]
            (marks[name],) = axes.plot(curve.time, curve.mean, **style._asdict(), label=name)
            if curve.runs > 1:
                axes.fill_between(
                    curve.time, curve.low, curve.high, color=style.color, alpha=0.15, linewidth=0
                )
    time = np.geomspace(start, horizon, 200)
    for (name, constant), dash in zip(panel.bounds.items(), _BOUND_DASHES, strict=False):
        words = BOUND_WORDS.get(name, rf"{name} $\ln T$")
        line = axes.plot(time, constant * np.log(time), color="black", linestyle=dash, label=words)
        marks[words] = line[0]
    note = _note(panel, drawn)
    axes.set_title(panel.title, pad=6 + 1.25 * LABEL_SIZE * (1 + note.count("\n")), loc="left")
    axes.text(0.0, 1.015, note, transform=axes.transAxes, va="bottom")
    axes.grid(visible=True)
    return marks


def _visible(curve: RegretCurve, start: int) -> RegretCurve:
    """What of a curve can be seen: from the start on, where there is regret."""
    seen = (curve.time >= start) & (curve.mean > 0.0)
    # Bands end at a hundredth of the mean, where there are runs without regret.
    low = np.maximum(curve.low, curve.mean / 100.0)
    return RegretCurve(curve.time[seen], curve.mean[seen], low[seen], curve.high[seen], curve.runs)


def _note(panel: Panel, drawn: Mapping[str, RegretCurve]) -> str:
    """How many runs there are, what is shaded, who has no line, and the constants of bounds."""
    runs = sorted({curve.runs for curve in panel.curves.values()})
    counted = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
    one = runs == [1]
    parts = ["1 run each" if one else f"means of {counted} runs; bands: 10–90 %"]
    parts += [
        f"{name}: no regret, so no line" for name, curve in drawn.items() if not len(curve.time)
    ]
    constants = [
        f"{BOUND_SYMBOLS.get(name, name)} = {value:,.4g}" for name, value in panel.bounds.items()
    ]
    return "\n".join([*parts, ", ".join(constants)] if constants else parts)


def samples_figure(
    samples: Mapping[str, Mapping[str, Sequence[float]]], *, width: float = PAGE
) -> Figure:
    """What learners needed until they stopped, by problem and learner, a problem a panel."""
    from matplotlib.figure import Figure

    heights = [0.8 + 0.24 * len(values) for values in samples.values()]
    with picture_style():
        figure = Figure(figsize=(width / _CM, sum(heights) + 0.4))
        panels = figure.subplots(len(samples), squeeze=False, height_ratios=heights)[:, 0]
        for axes, (title, values) in zip(panels, samples.items(), strict=True):
            marks = _draw_samples(axes, values, title)
        figure.legend(handles=marks, loc="outside lower center", ncols=2, frameon=False)
    return figure


def _draw_samples(axes: Axes, samples: Mapping[str, Sequence[float]], title: str) -> list[Artist]:
    color = styles(["runs"])["runs"].color
    marks: list[Artist] = []
    for number, values in enumerate(samples.values()):
        mean: dict[str, Any] = {"color": "black", "markersize": 12.0}
        marks = [
            *axes.plot(values, [number] * len(values), "o", color=color, alpha=0.4, label="a run"),
            *axes.plot(np.mean(values), number, "|", label="mean", **mean),
        ]
    axes.set_yticks(range(len(samples)), list(samples))
    axes.set(ylim=(len(samples) - 0.5, -0.5), xscale="log", title=title)
    axes.set_xlabel("samples until a learner stops")
    axes.grid(visible=True, axis="x")
    return marks


@checked_types
def plot_calls(
    needed: CallsNeeded,
    path: str | os.PathLike[str] | None = None,
    *,
    budget: NonNegative | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the share of runs with a proof after so many calls, with and without the cheap judge.

    Parameters
    ----------
    needed : CallsNeeded
        Of :func:`cpe_opt.calls_needed`.
    path : path, optional
        A .png, .pdf or .svg file to write.
    budget : float, optional
        Calls that can be paid, a vertical line.
    ax : matplotlib axes, optional
        To draw into; a new figure by default.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> needed = cpe.calls_needed(arms=3, items=40, gap=0.3, runs=4)
    >>> cpe.plot_calls(needed).get_ylabel()
    'share of the runs with a proof'
    """

    def draw(axes: Axes) -> list[Artist]:
        marks: list[Artist] = []
        for (name, runs), style in zip(
            needed.judges.items(), styles(needed.judges).values(), strict=True
        ):
            label = f"{name}: {runs.mean:,.0f} on average"
            marks.append(axes.ecdf(runs.calls, label=label, **style._asdict()))
        if budget is not None:
            marks.append(axes.axvline(budget, color=EDGE, label=f"budget: {budget:,.0f}"))
        axes.set(xlim=(0, None), ylabel="share of the runs with a proof")
        axes.set_xlabel(f"calls, of {needed.cells:,} that would ask everything")
        return marks

    return draw_axes(draw, (PAGE / _CM, _HEIGHT + 0.8), path, ax)
