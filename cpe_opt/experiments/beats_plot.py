"""The graph of proved comparisons: who is proved to beat whom, the best above.

A line leads down from an arm to one that it is proved to beat. A line is left out where a longer
way leads down; how many comparisons are proved says the last line. Arms that beat each other in a
circle stand in one frame; a line at a frame is one of some arm in it. Where few comparisons are not
proved, they are dashed, from the arm that won more votes. Colours say which arms are, may be, or
are not Copeland winners.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.analysis.evidence import Evidence
from cpe_opt.experiments.beats_layout import Layout, Line, Point, Sizes, layout
from cpe_opt.experiments.drawing import check_picture, longest_text, save, shortened_label
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FEW = 15
"""Up to so many comparisons that are not proved are drawn."""
_FILL = {"proved": "#00734F", "possible": "#BFE3D6", "ruled out": "#FFFFFF"}
_TEXT = {"proved": "#FFFFFF", "possible": "#0B2A20", "ruled out": "#333333"}
_LINE, _CIRCLE, _GUESS = "#0072B2", "#D55E00", "#8C8C8C"
_SIZE, _MARGIN, _TITLE, _LEGEND, _LEAST = 9.0, 0.25, 0.45, 0.95, 5.2  # points; inches
_APART = "no comparison with these is proved:"


@checked_types
def plot_beats(evidence: Evidence, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw who is proved to beat whom.

    Parameters
    ----------
    evidence : Evidence
        From :func:`cpe_opt.evidence`.
    path : path ending in .png, .pdf or .svg, optional

    Returns
    -------
    matplotlib Figure
        Also written to the path, if there is one.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> found = cpe.evidence(cpe.Votes([[0, 60, 90], [2, 0, 70], [6, 8, 0]], ["a", "b", "c"]))
    >>> texts = [text.get_text() for text in plot_beats(found).axes[0].texts]
    >>> texts[:3], texts[3]
    (['a', 'b', 'c'], 'votes: who is proved to beat whom, at 95 %')
    """
    if path is not None:
        check_picture(Path(path))
    figure = _figure(evidence)
    if path is not None:
        save(figure, Path(path))
    return figure


def _figure(evidence: Evidence) -> Figure:
    from matplotlib.figure import Figure

    labels = [shortened_label(label) for label in evidence.votes.labels]
    sizes = Sizes(width=max(0.5, longest_text(labels, _SIZE) + 0.22))
    drawn = layout(evidence.beats, evidence.ranking, sizes)
    wide = max(_LEAST, drawn.width + 2 * _MARGIN)
    tall = drawn.height + 2 * _MARGIN + _TITLE + _LEGEND
    figure = Figure(figsize=(wide, tall), dpi=130)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    left, low = (wide - drawn.width) / 2.0, _MARGIN + _LEGEND
    axes.set_xlim(-left, wide - left)
    axes.set_ylim(-low, tall - low)
    axes.axis("off")
    for line in drawn.lines:
        _draw_line(axes, line, drawn, sizes)
    for number, block in enumerate(drawn.blocks):
        if len(block) > 1:
            _draw_circle(axes, evidence, drawn, number, sizes)
    _draw_guesses(axes, evidence, drawn, sizes)
    for arm, label in enumerate(evidence.votes.labels):
        status = evidence.copeland[label]
        _draw_box(axes, drawn.place(arm, sizes), sizes, labels[arm], status)
    if drawn.apart and len(drawn.apart) < len(labels):
        top = max(drawn.centres[number][1] for number in drawn.apart) + sizes.height / 2.0
        axes.text(drawn.width / 2.0, top + 0.12, _APART, ha="center", fontsize=8, color="#555555")
    percent = f"{100.0 * (1.0 - evidence.delta):.10g} %"
    title = f"{shortened_label(evidence.votes.name)}: who is proved to beat whom, at {percent}"
    axes.text(drawn.width / 2.0, drawn.height + _MARGIN + 0.12, title, ha="center", fontsize=10)
    _legend(figure, evidence, drawn)
    for text in axes.texts:
        text.set_parse_math(False)
    return figure


def _draw_box(axes: Axes, place: Point, sizes: Sizes, label: str, status: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    corner = place[0] - sizes.width / 2.0, place[1] - sizes.height / 2.0
    style = "round,pad=0,rounding_size=0.07"
    box = FancyBboxPatch(
        corner,
        sizes.width,
        sizes.height,
        boxstyle=style,
        linewidth=0.8,
        facecolor=_FILL[status],
        edgecolor="#777777",
        zorder=5,
    )
    axes.add_patch(box)
    axes.text(
        *place, label, ha="center", va="center", fontsize=_SIZE, color=_TEXT[status], zorder=6
    )


def _draw_line(axes: Axes, line: Line, drawn: Layout, sizes: Sizes) -> None:
    """From the lower side of one block to the upper side of another, smoothly through lanes."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Curve

    (x, y), *middle, (end, bottom) = line.points
    start = y - sizes.of_block(len(drawn.blocks[line.above]))[1] / 2.0
    stop = bottom + sizes.of_block(len(drawn.blocks[line.below]))[1] / 2.0
    points = [(x, start), *middle, (end, stop)]
    codes, corners = [Curve.MOVETO], [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        half = (y0 + y1) / 2.0
        corners += [(x0, half), (x1, half), (x1, y1)]
        codes += [Curve.CURVE4] * 3
    axes.add_patch(
        FancyArrowPatch(
            path=Curve(corners, codes),
            arrowstyle="-|>",
            mutation_scale=9,
            color=_LINE,
            linewidth=1.1,
            zorder=2,
        )
    )


def _draw_circle(axes: Axes, evidence: Evidence, drawn: Layout, number: int, sizes: Sizes) -> None:
    """A frame, and arcs: to the right above the arms, to the left below them."""
    from matplotlib.patches import FancyBboxPatch

    block, (x, y) = drawn.blocks[number], drawn.centres[number]
    wide, tall = sizes.of_block(len(block))
    axes.add_patch(
        FancyBboxPatch(
            (x - wide / 2.0, y - tall / 2.0),
            wide,
            tall,
            boxstyle="round,pad=0,rounding_size=0.12",
            linewidth=1.0,
            linestyle=(0, (1, 1.5)),
            facecolor="#FDF3EC",
            edgecolor=_CIRCLE,
            zorder=1,
        )
    )
    for i in block:
        for j in block:
            if evidence.beats[i, j]:
                _draw_arc(axes, drawn, sizes, (i, j), _CIRCLE)


def _draw_guesses(axes: Axes, evidence: Evidence, drawn: Layout, sizes: Sizes) -> None:
    """Comparisons that are not proved, where they are few."""
    for i, j in _guesses(evidence):
        _draw_arc(axes, drawn, sizes, (i, j), _GUESS, dashed=True)


def _guesses(evidence: Evidence) -> list[tuple[int, int]]:
    """Pairs that are not proved, the one that won more votes first; none where they are many."""
    beats, share = evidence.beats, evidence.votes.fractions
    open_pairs = (share > 0.5) & (evidence.votes.duels > 0) & ~beats & ~beats.T
    pairs = [(int(i), int(j)) for i, j in np.argwhere(open_pairs)]
    return pairs if len(pairs) <= FEW else []


def _draw_arc(
    axes: Axes,
    drawn: Layout,
    sizes: Sizes,
    pair: tuple[int, int],
    colour: str,
    *,
    dashed: bool = False,
) -> None:
    """An arrow between two arms, bent past those between them."""
    from matplotlib.patches import FancyArrowPatch

    (x0, y0), (x1, y1) = (drawn.place(arm, sizes) for arm in pair)
    half = sizes.height / 2.0
    if abs(y0 - y1) < half:
        step = sizes.width + 2 * sizes.gap
        side = 1.0 if x1 > x0 else -1.0
        if abs(x1 - x0) < 1.2 * step:
            start, stop = (x0 + side * sizes.width / 2.0, y0), (x1 - side * sizes.width / 2.0, y1)
            bend = 0.0 if not dashed else 0.15
        else:
            start, stop = (x0, y0 + side * half), (x1, y1 + side * half)
            bend = -0.16
    else:
        down = 1.0 if y0 > y1 else -1.0
        start, stop, bend = (x0, y0 - down * half), (x1, y1 + down * half), 0.12
    axes.add_patch(
        FancyArrowPatch(
            start,
            stop,
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle="-|>",
            mutation_scale=8,
            color=colour,
            linewidth=0.8 if dashed else 1.1,
            linestyle=(0, (3, 2)) if dashed else "-",
            shrinkA=0,
            shrinkB=0,
            zorder=3,
        )
    )


def _legend(figure: Figure, evidence: Evidence, drawn: Layout) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    marks: list[Patch | Line2D] = [
        Patch(facecolor=_FILL[status], edgecolor="#777777", label=f"Copeland winner: {status}")
        for status in ("proved", "possible", "ruled out")
        if status in evidence.copeland.values()
    ]
    if drawn.lines:
        marks.append(Line2D([], [], color=_LINE, label="upper beats lower: proved"))
    if any(len(block) > 1 for block in drawn.blocks):
        marks.append(Line2D([], [], color=_CIRCLE, label="in a circle: proved"))
    if _guesses(evidence):
        marks.append(
            Line2D([], [], color=_GUESS, linestyle=(0, (3, 2)), label="more votes, not proved")
        )
    figure.legend(handles=marks, loc="lower center", ncols=2, fontsize="small", frameon=False,
                  bbox_to_anchor=(0.5, 0.22 / figure.get_figheight()))  # fmt: skip
    pairs = evidence.votes.arms * (evidence.votes.arms - 1) // 2
    note = (
        f"{int(evidence.beats.sum()):,} of {pairs:,} pairs are proved; a line is left out where a "
        "longer way leads down"
    )
    figure.text(0.5, 0.1 / figure.get_figheight(), note, ha="center", fontsize=7, color="#555555")
