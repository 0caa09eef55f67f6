"""The picture of how many calls a proof takes: the share of runs that are proved, by calls."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.experiments.calls import CallsNeeded, RunsToProof
from cpe_opt.reports.drawing import EDGE, draw_axes, styles
from cpe_opt.validation import NonNegative, checked_types

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_SIZE = (6.0, 3.6)  # inches


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
    """
    kinds = {"judge alone": needed.plain}
    if needed.cheap is not None:
        kinds["with the cheap judge"] = needed.cheap
    style = styles(kinds)

    def draw(axes: Axes) -> Sequence[Artist]:
        end = max(int(runs.calls.max()) for runs in kinds.values())
        end = min(needed.cells, round(1.05 * end))
        lines = []
        for name, runs in kinds.items():
            label = f"{name}: {runs.mean:,.0f} on average"
            calls, share = _steps(runs, end)
            lines += axes.step(calls, share, where="post", label=label, **style[name]._asdict())
        if budget is not None:
            lines.append(axes.axvline(budget, color=EDGE, label=f"budget: {budget:,.0f}"))
        axes.set_xlim(0, end)
        axes.set_ylim(0, 102)
        axes.set_xlabel(f"calls, of {needed.cells:,} that would ask everything")
        axes.set_ylabel("runs with a proof, %")
        return lines

    title = f"{needed.arms} arms, {needed.items:,} items, {needed.kind}"
    return draw_axes(draw, _SIZE, path, ax, title)


def _steps(runs: RunsToProof, end: int) -> tuple[list[float], list[float]]:
    """Where the share of proofs in percent rises, and to what."""
    calls = np.sort(runs.calls[runs.proved])
    share = 100.0 * np.arange(1, len(calls) + 1) / len(runs.calls)
    last = share[-1] if len(share) else 0.0
    return [0.0, *calls.tolist(), float(end)], [0.0, *share.tolist(), last]
