"""Pictures of runs.

Regret is drawn log–log: a line of slope 1 is linear regret, a line that flattens is logarithmic,
and a bound far above or below the curves leaves them readable. Up to three curves have light bands
of the 10 % and 90 % quantiles over runs; more of them have bars of those quantiles at the end.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.experiments.drawing import check_picture, save, styles
from cpe_opt.experiments.panels import Panel, Scale, draw_panel
from cpe_opt.experiments.runs import RegretCurve

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

_UNIT_WORDS = {
    "mean": "the two arms' mean loss of Copeland score",
    "sum": "the two arms' summed loss of Copeland score",
}
_HEIGHT = 3.3  # inches of a panel


def plot_regret(
    curves: Mapping[str, RegretCurve],
    path: str | os.PathLike[str],
    *,
    title: str = "",
    bounds: Mapping[str, float] | None = None,
    units: str = "mean",
    scale: Scale = "log",
) -> Path:
    """Draw regret against time, on a logarithmic axis.

    Parameters
    ----------
    curves : mapping of name to RegretCurve
    path : path ending in .png, .pdf or .svg
    title : str
    bounds : mapping of name to constant C, optional
        Drawn as ``C ln T``, in the units of the curves. ``"LB"`` and ``"ECWB"``, the names of
        :func:`cpe_opt.analysis.dueling.regret_bounds`, are put in words.
    units : "mean", "sum", or those of a problem of your own
    scale : "linear" or "log"
        Of the regret.

    Returns
    -------
    Path

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> from cpe_opt.experiments.runs import regret_curve
    >>> trace = cpe.simulate("ecw-rmed", cpe.load_instance("cyclic"), horizon=1000)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_regret({"ecw-rmed": regret_curve([trace])}, f"{folder}/regret.png").name
    'regret.png'
    """
    return plot_panels([Panel(title, curves, bounds or {})], path, units=units, scale=scale)


def plot_panels(
    panels: Sequence[Panel],
    path: str | os.PathLike[str],
    *,
    units: str = "mean",
    scale: Scale = "log",
) -> Path:
    """Draw several problems side by side, each learner in the same style everywhere.

    Parameters
    ----------
    panels : sequence of Panel
    path : path ending in .png, .pdf or .svg
    units : "mean", "sum", or those of a problem of your own
    scale : "linear" or "log"
        Of the regret.

    Returns
    -------
    Path
    """
    path = Path(path)
    check_picture(path)
    return save(panels_figure(panels, units=units, scale=scale), path)


def panels_figure(panels: Sequence[Panel], *, units: str = "mean", scale: Scale = "log") -> Figure:
    """The figure of :func:`plot_panels`."""
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
            axes.set_ylabel(
                f"total regret (units: {_UNIT_WORDS.get(units, units)})".replace(": ", ":\n")
            )
    if handles:
        figure.legend(
            list(handles.values()), list(handles), loc="outside lower center", fontsize="small"
        )
    return figure


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
    path = Path(path)
    check_picture(path)
    return save(samples_figure(samples, title=title), path)


def samples_figure(samples: Mapping[str, Sequence[float]], *, title: str = "") -> Figure:
    """The figure of :func:`plot_samples`."""
    from matplotlib.figure import Figure

    height = 1.6 + 0.45 * len(samples)
    figure = Figure(figsize=(7.2, height), layout="constrained", dpi=150)
    axes = figure.add_subplot()
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
    return figure
