"""Pictures of runs."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.experiments.runs import RegretCurve
from cpe_opt.files import written
from cpe_opt.problems.preferences import Units

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PICTURES = (".png", ".pdf", ".svg")
_UNIT_NAMES = {
    "khn": "regret, (L_i + L_j − 2 min L) / (2(K−1)) per duel",
    "zkwr": "regret, 2 cpld(1) − cpld(i) − cpld(j) per duel",
}
_SHORT_UNIT_NAMES = {"khn": "regret (KHN's units)", "zkwr": "regret (ZKWR's units)"}
_SHOWN = 1e5  # how much of time a log axis of regret shows
_DECADES = 100.0  # a log axis that spans less is short
_STYLES = ("--", ":", "-.", (0, (1, 3)))


@dataclass(frozen=True)
class Panel:
    """One problem's curves.

    Attributes
    ----------
    title : str
    curves : mapping of name to RegretCurve
        Drawn as the mean over runs in a band of the 10 % and 90 % quantiles.
    bounds : mapping of name to constant C
        Drawn as ``C ln T``, in the units of the curves.
    separate : names of curves
        Those whose points belong to runs of their own, one for each horizon: drawn with markers.
    axis : str
        What the curves are drawn against.
    """

    title: str
    curves: Mapping[str, RegretCurve]
    bounds: Mapping[str, float] = field(default_factory=dict)
    separate: Sequence[str] = ()
    axis: str = "round T"


def plot_regret(
    curves: Mapping[str, RegretCurve],
    path: str | os.PathLike[str],
    *,
    title: str = "",
    bounds: Mapping[str, float] | None = None,
    units: Units = "khn",
) -> Path:
    """Draw regret against time on a log axis.

    Parameters
    ----------
    curves : mapping of name to RegretCurve
        Drawn as the mean over runs in a band of the 10 % and 90 % quantiles.
    path : path ending in .png, .pdf or .svg
    title : str
    bounds : mapping of name to constant C, optional
        Drawn as ``C ln T``, in the units of the curves.
    units : "khn" or "zkwr"

    Returns
    -------
    Path
    """
    from matplotlib.figure import Figure

    path = Path(path)
    check_picture(path)
    figure = Figure(figsize=(7.2, 4.5), layout="constrained", dpi=150)
    axes = figure.add_subplot()
    _draw(axes, Panel(title, curves, bounds or {}), _colours(curves))
    axes.set_ylim(bottom=0)
    axes.set_ylabel(_UNIT_NAMES[units])
    axes.legend(loc="upper left", fontsize="small")
    return save(figure, path)


def plot_panels(
    panels: Sequence[Panel],
    path: str | os.PathLike[str],
    *,
    units: Units = "khn",
    scale: Literal["linear", "log"] = "log",
) -> Path:
    """Draw several problems side by side, each learner in the same colour everywhere.

    Parameters
    ----------
    panels : sequence of Panel
    path : path ending in .png, .pdf or .svg
    units : "khn" or "zkwr"
    scale : "linear" or "log"
        Of the regret; log shows learners whose regret differs by powers of ten.

    Returns
    -------
    Path
    """
    from matplotlib.figure import Figure

    path = Path(path)
    check_picture(path)
    columns = min(len(panels), 2)
    rows = math.ceil(len(panels) / columns)
    width = 4.8 * columns + 0.4 if columns > 1 else 7.2
    figure = Figure(figsize=(width, 3.6 * rows + 0.8), layout="constrained", dpi=130)
    colours = _colours(dict.fromkeys(name for panel in panels for name in panel.curves))
    handles: dict[str, Artist] = {}
    for number, panel in enumerate(panels):
        axes = figure.add_subplot(rows, columns, number + 1)
        _draw(axes, panel, colours, terse=True)
        axes.set_yscale(scale)
        if scale == "log":
            axes.set_ylim(bottom=_floor(panel))
            axes.set_xlim(left=max(axes.get_xlim()[0], axes.get_xlim()[1] / _SHOWN))
        axes.set_ylabel(_SHORT_UNIT_NAMES[units])
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(str(name), handle)
    figure.legend(
        list(handles.values()),
        list(handles),
        loc="outside lower center",
        ncols=4 if columns > 1 else 3,
        fontsize="small",
    )
    return save(figure, path)


def plot_samples(
    samples: Mapping[str, Sequence[float]], path: str | os.PathLike[str], *, title: str = ""
) -> Path:
    """Draw what learners needed until they stopped, every run a point.

    Parameters
    ----------
    samples : mapping of name to samples of each run
    path : path ending in .png, .pdf or .svg
    title : str

    Returns
    -------
    Path
    """
    from matplotlib.figure import Figure

    path = Path(path)
    check_picture(path)
    height = 1.6 + 0.45 * len(samples)
    figure = Figure(figsize=(7.2, height), layout="constrained", dpi=150)
    axes = figure.add_subplot()
    for number, values in enumerate(samples.values()):
        axes.plot(values, [number] * len(values), "o", color=f"C{number % 10}", alpha=0.4)
        axes.plot(np.mean(values), number, "|", color="black", markersize=18)
    axes.set_yticks(range(len(samples)), list(samples))
    axes.set_ylim(len(samples) - 0.5, -0.5)
    axes.set_xscale("log")
    axes.set_xlabel("samples (points: runs, bars: means)")
    axes.set_title(title)
    axes.grid(visible=True, axis="x", alpha=0.3)
    return save(figure, path)


def save(figure: Figure, path: Path) -> Path:
    """Write a figure, whole or not at all."""
    check_picture(path)
    _label_short_log_axes(figure)
    with written(path) as temporary:
        figure.savefig(temporary, format=path.suffix[1:].lower())
    return path


def _label_short_log_axes(figure: Figure) -> None:
    """Labels at 1, 2, 5, 10, … where powers of ten alone would be too few to read."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for axes in figure.axes:
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            if axis.get_scale() == "log" and high < _DECADES * low:
                axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
                axis.set_major_formatter(
                    FuncFormatter(lambda tick, _: f"{tick:,.0f}" if tick >= 1.0 else f"{tick:g}")
                )
                axis.set_minor_formatter(NullFormatter())


def check_picture(path: Path) -> None:
    """Raise :class:`InputError` unless the suffix is that of a picture."""
    if path.suffix.lower() not in PICTURES:
        raise InputError(f"cannot draw {path.name!r}: expected one of {', '.join(PICTURES)}")


def _draw(axes: Axes, panel: Panel, colours: Mapping[str, str], *, terse: bool = False) -> None:
    """Curves, bands and bounds against time; terse labels are names alone."""
    for name, curve in panel.curves.items():
        runs = f"mean of {curve.runs} runs, band 10–90 %" if curve.runs > 1 else "1 run"
        axes.plot(
            curve.time,
            curve.mean,
            color=colours[name],
            label=name if terse else f"{name} ({runs})",
            marker="o" if name in panel.separate else None,
            markersize=4,
            linestyle="--" if name in panel.separate else "-",
        )
        if curve.runs > 1:
            axes.fill_between(
                curve.time, curve.low, curve.high, color=colours[name], alpha=0.18, linewidth=0
            )
    start = min(int(curve.time[0]) for curve in panel.curves.values())
    horizon = max(int(curve.time[-1]) for curve in panel.curves.values())
    time = np.geomspace(start, horizon, 200)
    for (name, constant), style in zip(panel.bounds.items(), _STYLES, strict=False):
        label = f"{name} ln T" if terse else f"{name} = {constant:.4g} ln T"
        axes.plot(time, constant * np.log(time), color="black", linestyle=style, lw=1, label=label)
    axes.set_xscale("log")
    axes.set_xlim(start, horizon)
    axes.set_xlabel(panel.axis)
    axes.set_title(panel.title)
    axes.grid(visible=True, alpha=0.3)


def _colours(names: Iterable[str]) -> dict[str, str]:
    """A colour each; the pale ones only where there are more than ten names."""
    from matplotlib import color_sequences
    from matplotlib.colors import to_hex

    vivid, pale = color_sequences["tab10"], color_sequences["tab20"][1::2]
    return dict(zip(names, [to_hex(colour) for colour in (*vivid, *pale)], strict=False))


def _floor(panel: Panel) -> float:
    """Where a log axis of regret may start: below every curve at a thousandth of the horizon."""
    horizon = max(int(curve.time[-1]) for curve in panel.curves.values())
    early = [float(np.interp(horizon / 1000, c.time, c.mean)) for c in panel.curves.values()]
    return float(10.0 ** math.floor(math.log10(max(1.0, min(early)))))
