"""The picture of ranks: an interval for every arm, the best arm on top.

Bars are what votes prove of all arms at once; points are ranks by the votes, which are estimates.
With a k, colours say which arms are proved to be of the k best, which may be, and which are ruled
out.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.errors import UnknownName
from cpe_opt.reports.drawing import (
    STATUS_COLOURS,
    draw_axes,
    longest_text,
)
from cpe_opt.reports.evidence import Evidence
from cpe_opt.reports.report import shortened_label
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RankScore: TypeAlias = Literal["borda", "copeland"]
_BAR, _POINT, _GUIDE = "#56B4E9", "#003A5C", "#D9D9D9"  # Okabe and Ito's sky blue
_EDGE = "#5F5F5F"
_SIZE, _LEAST_SIZE = 9.0, 6.5  # points
_ROW, _LEAST_ROW, _HEIGHT = 0.3, 0.17, 9.0  # inches
_TITLE, _LEGEND, _GAP = 0.6, 0.6, 0.12
_LENGTH = 5.6  # of the bars' part
_MOST_TICKS = 12


@checked_types
def plot_ranks(
    evidence: Evidence,
    path: str | os.PathLike[str] | None = None,
    ax: Axes | None = None,
    *,
    score: RankScore = "borda",
) -> Axes:
    """Draw the interval of each arm's rank, with the rank by the votes as a point.

    Parameters
    ----------
    evidence : Evidence
        From :func:`cpe_opt.evidence`.
    path : path ending in .png, .pdf or .svg, optional
        Where the figure is written to.
    ax : matplotlib Axes, optional
        To draw into; by default those of a new figure with a row for each arm.
    score : "borda" or "copeland"

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        Where the path has another suffix, or there is no such score.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> wins = [[0, 35, 30, 70], [20, 0, 60, 65], [28, 20, 0, 62], [10, 15, 18, 0]]
    >>> axes = cpe.plot_ranks(cpe.evidence(cpe.Votes(wins, ["salmon", "tuna", "squid", "egg"])))
    >>> [text.get_text() for text in axes.get_yticklabels()]
    ['salmon', 'tuna', 'squid', 'egg']
    >>> bar = axes.patches[-1]
    >>> float(bar.get_x()) + 0.5, float(bar.get_width())  # of egg: rank 4
    (4.0, 1.0)
    """
    if score not in ("borda", "copeland"):
        raise UnknownName("score", score, ("borda", "copeland"))
    size = max(_LEAST_SIZE, min(_SIZE, 72.0 * _row(evidence.votes.arms) * 0.62))

    def new() -> Axes:
        axes = _new_axes(evidence, size)
        _draw(axes, evidence, score, size)
        return axes

    return draw_axes(lambda axes: _draw(axes, evidence, score, None), new, path, ax)


def _row(arms: int) -> float:
    return min(_ROW, max(_LEAST_ROW, _HEIGHT / arms))


def _new_axes(evidence: Evidence, size: float) -> Axes:
    """Axes with a row for each arm and room for the longest label."""
    from matplotlib.figure import Figure

    labels = [shortened_label(label) for label in evidence.votes.labels]
    side = longest_text(labels, size) + 2 * _GAP
    length = evidence.votes.arms * _row(evidence.votes.arms)
    width, height = side + _LENGTH + 2 * _GAP, _TITLE + length + _LEGEND
    box = side / width, _LEGEND / height, _LENGTH / width, length / height
    return Figure(figsize=(width, height), dpi=130).add_axes(box)


def _draw(axes: Axes, evidence: Evidence, score: RankScore, size: float | None) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    by_borda = score == "borda"
    intervals = evidence.ranks if by_borda else evidence.copeland_ranks
    statuses = evidence.top_borda if by_borda else evidence.top_copeland
    estimate = estimated_ranks(evidence, score)
    arms, labels = evidence.votes.arms, evidence.votes.labels
    order = sorted(evidence.ranking, key=lambda arm: int(estimate[arm]))
    for row, arm in enumerate(order):
        best, worst = intervals[labels[arm]]
        colour = STATUS_COLOURS[statuses[labels[arm]]] if statuses else _BAR
        style: dict[str, Any] = {"color": colour, "edgecolor": _EDGE, "linewidth": 0.5, "zorder": 2}
        axes.barh(row, worst - best + 1.0, left=best - 0.5, height=0.72, **style)
    axes.scatter(
        estimate[order], np.arange(arms), s=14, color=_POINT, edgecolor="white", lw=0.6, zorder=3
    )
    if evidence.top is not None:
        axes.axvline(evidence.top + 0.5, color=_POINT, lw=1.0, ls=(0, (4, 2)), zorder=1)
    axes.set_yticks(range(arms), [shortened_label(labels[arm]) for arm in order], fontsize=size)
    for text in axes.get_yticklabels():
        text.set_parse_math(False)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, arms) if arms <= step * _MOST_TICKS)
    axes.set_xticks(sorted({1, *range(step, arms + 1, step)}))
    axes.set_xlim(0.4, arms + 0.6)
    axes.set_ylim(arms - 0.4, -0.6)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.tick_params(axis="x", labelsize=size)
    axes.grid(axis="x", color=_GUIDE, linewidth=0.6, zorder=0)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    kind = "Borda" if by_borda else "Copeland"
    percent = f"{100.0 * (1.0 - evidence.delta):.10g} %"
    axes.set_title(
        f"{shortened_label(evidence.votes.name)}: ranks by {kind} score, proved at {percent}",
        fontsize=None if size is None else size + 1.0,
        parse_math=False,
    )
    bars = [Patch(facecolor=_BAR, edgecolor=_EDGE, label="possible ranks: proved, all at once")]
    if statuses:
        bars = [
            Patch(facecolor=colour, edgecolor=_EDGE, label=f"of the {evidence.top} best: {status}")
            for status, colour in STATUS_COLOURS.items()
        ]
    words = "rank by the votes: estimate, not proved"
    point = Line2D([], [], marker="o", ls="", color=_POINT, markersize=4, label=words)
    below: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0)}
    below |= {"fontsize": "small", "frameon": False, "ncols": 2 if statuses else 1}
    axes.legend(handles=[*bars, point], **below)


def estimated_ranks(evidence: Evidence, score: RankScore) -> IntArray:
    """The rank of each arm by the votes, equal ones alike; shape (K,)."""
    estimate = evidence.estimate
    if score == "copeland":
        return np.asarray(1 + (estimate.losses[:, None] < estimate.losses).sum(axis=0))
    scores = np.rint(estimate.borda_scores * 2.0**30)
    return np.asarray(1 + (scores[:, None] > scores).sum(axis=0))
