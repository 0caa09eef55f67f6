"""Pictures of runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.experiments.runs import RegretCurve
from cpe_opt.files import written
from cpe_opt.problems.preferences import Units

_SUFFIXES = (".png", ".pdf", ".svg")
_UNIT_NAMES = {
    "khn": "regret, (L_i + L_j − 2 min L) / (2(K−1)) per duel",
    "zkwr": "regret, 2 cpld(1) − cpld(i) − cpld(j) per duel",
}


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
    for number, (name, curve) in enumerate(curves.items()):
        several = curve.runs > 1
        label = (
            f"{name} (mean of {curve.runs} runs, band 10–90 %)" if several else f"{name} (1 run)"
        )
        axes.plot(curve.time, curve.mean, color=f"C{number}", label=label)
        if several:
            axes.fill_between(
                curve.time, curve.low, curve.high, color=f"C{number}", alpha=0.18, linewidth=0
            )
    horizon = max(int(curve.time[-1]) for curve in curves.values())
    time = np.geomspace(1, horizon, 200)
    for (name, constant), style in zip((bounds or {}).items(), _styles(), strict=False):
        label = f"{name} = {constant:.4g} ln T"
        axes.plot(time, constant * np.log(time), color="black", linestyle=style, lw=1, label=label)
    axes.set_xscale("log")
    axes.set_xlim(1, horizon)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("round T")
    axes.set_ylabel(_UNIT_NAMES[units])
    axes.set_title(title)
    axes.grid(visible=True, alpha=0.3)
    axes.legend(loc="upper left", fontsize="small")
    with written(path) as temporary:
        figure.savefig(temporary, format=path.suffix[1:].lower())
    return path


def check_picture(path: Path) -> None:
    """Raise :class:`InputError` unless the suffix is that of a picture."""
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"cannot draw {path.name!r}: expected one of {', '.join(_SUFFIXES)}")


def _styles() -> list[object]:
    return ["--", ":", "-.", (0, (1, 3))]
