"""The graph of proved comparisons: who is proved to beat whom, the best above.

An arrow leads down from an arm to one that it is proved to beat; arrows that a longer path replaces
are left out. Arms that beat each other in a cycle are in one frame, and an arrow at a frame is
one of some arm in it. Colours say which arms are, may be, or are not Copeland winners. Comparisons
that are not proved are dashed where they are few, from the arm that won more votes.

networkx finds the blocks (strongly connected components), the arrows between them (the transitive
reduction of the condensation) and the layers (its topological generations). Sugiyama's method
places them: an arrow that passes a row gets a *lane* in it, straight down between the boxes, which
arrows to the same block share; blocks and lanes of a row stand near the mean of their neighbours in
the rows above, then below, and so on, at distances kept by isotonic regression.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx
import numpy as np

from cpe_opt.arrays import BoolArray
from cpe_opt.reports.drawing import (
    STATUS_COLOURS,
    draw_picture,
    longest_text,
    spread,
)
from cpe_opt.reports.evidence import Evidence
from cpe_opt.reports.report import shortened_label
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.patches import FancyBboxPatch

Point: TypeAlias = tuple[float, float]
MOST_UNDECIDED = 15
"""Up to so many comparisons that are not proved are drawn."""
_TEXT = {"proved": "#FFFFFF", "possible": "#0B2A20", "ruled out": "#333333"}
_PROVED, _CIRCLE, _UNDECIDED = "#0072B2", "#D55E00", "#8C8C8C"
_DASHES = (0, (3, 2))
_SIZE = 9.0  # points
# Inches, from here on.
_HEIGHT, _GAP, _LANE, _PAD = 0.3, 0.22, 0.14, 0.2  # of a box, between boxes, in frames
_RISE, _RISE_APART, _WIDEST = 0.62, 0.19, 9.0  # between rows; where a row is broken
_MARGIN, _TITLE, _LEGEND, _LEAST = 0.25, 0.45, 0.95, 5.2
_SWEEPS = 8
_BEND = 0.16  # of an arc past other boxes


@checked_types
def plot_beats(
    evidence: Evidence, path: str | os.PathLike[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw who is proved to beat whom.

    Parameters
    ----------
    evidence : Evidence
        From :func:`cpe_opt.evidence`.
    path : path ending in .png, .pdf or .svg, optional
        Where the figure is written to.
    ax : matplotlib Axes, optional
        Of ``plt.subplots()``, in whose place it is drawn; by default a new figure.

    Returns
    -------
    matplotlib Axes
        ``.figure`` is the figure.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> found = cpe.evidence(cpe.Votes([[0, 60, 90], [2, 0, 70], [6, 8, 0]], ["a", "b", "c"]))
    >>> texts = [text.get_text() for text in plot_beats(found).texts]
    >>> texts[:3], texts[3]
    (['a', 'b', 'c'], 'votes: who is proved to beat whom, at 95 %')
    """
    labels = [shortened_label(label) for label in evidence.votes.labels]
    drawn = layout(evidence.beats, evidence.ranking, max(0.5, longest_text(labels, _SIZE) + 0.22))
    undecided = _undecided_pairs(evidence)
    flat = [(i, j) for i, j in undecided if drawn.arms[i][1] == drawn.arms[j][1]]
    top = _MARGIN + max((_rise(drawn, pair) for pair in flat), default=0.0)
    wide = max(_LEAST, drawn.width + 2 * _MARGIN)
    tall = top + _TITLE + drawn.height + _MARGIN + _LEGEND

    def draw(figure: Figure | SubFigure) -> Axes:
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_xlim(-wide / 2.0, wide / 2.0)
        axes.set_ylim(top + _TITLE - tall, top + _TITLE)
        _draw(axes, evidence, drawn, top, undecided)
        _legend(figure, evidence, drawn, undecided, tall)
        return axes

    return draw_picture(draw, (wide, tall), path, ax)


def _draw(
    axes: Axes, evidence: Evidence, drawn: Layout, top: float, undecided: list[tuple[int, int]]
) -> None:
    """Boxes, lines and arcs, and the title."""
    axes.axis("off")
    boxes = []
    for arm, label in enumerate(evidence.votes.labels):
        status = evidence.copeland[label]
        style: dict[str, Any] = {"ec": "#777777", "zorder": 5}
        place, size = drawn.arms[arm], (drawn.box, _HEIGHT)
        boxes.append(_box(axes, place, size, fc=STATUS_COLOURS[status], **style))
        style = {"fontsize": _SIZE, "color": _TEXT[status], "zorder": 6}
        axes.text(*place, shortened_label(label), ha="center", va="center", **style)
    for number, block in enumerate(drawn.blocks):
        if len(block) > 1:
            style = {"fc": "#FDF3EC", "ec": _CIRCLE, "linestyle": (0, (1, 1.5)), "zorder": 1}
            _box(axes, drawn.places[number], drawn.sizes[number], **style)
            for i, j in permutations(block, 2):
                if evidence.beats[i, j]:
                    _arc(axes, boxes, drawn, (i, j), color=_CIRCLE)
    for line in drawn.lines.edges:
        _line(axes, drawn, *line)
    for lane in set(drawn.lines) - set(range(len(drawn.blocks))):
        (x, y), half = drawn.places[lane], drawn.sizes[lane][1] / 2.0
        axes.plot([x, x], [y - half, y + half], color=_PROVED, lw=1.1, zorder=2)
    for pair in undecided:
        _arc(axes, boxes, drawn, pair, color=_UNDECIDED, lw=0.8, linestyle=_DASHES)
    title = f"{shortened_label(evidence.votes.name)}: who is proved to beat whom, at "
    title += f"{100.0 * (1.0 - evidence.delta):.10g} %"
    axes.text(0.0, top + 0.12, title, ha="center", fontsize=10)
    if drawn.apart and len(drawn.apart) < len(drawn.blocks):
        above = drawn.places[drawn.apart[0]][1] + _HEIGHT / 2.0 + 0.12
        said = "no comparison with these is proved:"
        axes.text(0.0, above, said, ha="center", fontsize=8, color="#555555")
    for text in axes.texts:
        text.set_parse_math(False)


def _box(axes: Axes, centre: Point, size: Point, **style: Any) -> FancyBboxPatch:
    from matplotlib.patches import FancyBboxPatch

    corner = centre[0] - size[0] / 2.0, centre[1] - size[1] / 2.0
    box = FancyBboxPatch(corner, *size, boxstyle="round,pad=0,rounding_size=0.07", lw=0.8, **style)
    axes.add_patch(box)
    return box


def _arrow(axes: Axes, *ends: Point, **style: Any) -> None:
    from matplotlib.patches import FancyArrowPatch

    style = {"arrowstyle": "-|>", "mutation_scale": 9, "lw": 1.1, **style}
    axes.add_patch(FancyArrowPatch(*ends, shrinkA=0, shrinkB=0, **style))


def _line(axes: Axes, drawn: Layout, above: int, below: int) -> None:
    """Down to the next row, from the lower side of a block or lane to the upper side of one."""
    from matplotlib.path import Path as Curve

    (x, top), (end, bottom) = drawn.places[above], drawn.places[below]
    top, bottom = top - drawn.sizes[above][1] / 2.0, bottom + drawn.sizes[below][1] / 2.0
    half = (top + bottom) / 2.0
    curve = Curve([(x, top), (x, half), (end, half), (end, bottom)], [1, 4, 4, 4])
    head = "-|>" if below < len(drawn.blocks) else "-"
    _arrow(axes, path=curve, arrowstyle=head, color=_PROVED, zorder=2)


def _arc(
    axes: Axes, boxes: list[FancyBboxPatch], drawn: Layout, pair: tuple[int, int], **style: Any
) -> None:
    """From one arm's box to another's; past others of a row to the right above, left below."""
    (x, y), (end, level) = (drawn.arms[arm] for arm in pair)
    if y == level and abs(end - x) > 1.5 * (drawn.box + 2 * _GAP):
        side = math.copysign(_HEIGHT / 2.0, end - x)
        curved = f"arc3,rad={-_BEND}"
        _arrow(axes, (x, y + side), (end, y + side), connectionstyle=curved, zorder=3, **style)
    else:
        style |= {"patchA": boxes[pair[0]], "patchB": boxes[pair[1]], "zorder": 3}
        curved = f"arc3,rad={0.0 if y == level else 0.12}"
        _arrow(axes, (x, y), (end, level), connectionstyle=curved, **style)


def _rise(drawn: Layout, pair: tuple[int, int]) -> float:
    """How far an arc between arms of a row goes above or below their boxes."""
    return _BEND / 2.0 * abs(drawn.arms[pair[0]][0] - drawn.arms[pair[1]][0])


def _undecided_pairs(evidence: Evidence) -> list[tuple[int, int]]:
    """Pairs that are not proved, the one that won more votes first; none where they are many."""
    beats, share = evidence.beats, evidence.votes.fractions
    unproved = (share > 0.5) & (evidence.votes.duels > 0) & ~beats & ~beats.T
    pairs = [(int(i), int(j)) for i, j in np.argwhere(unproved)]
    return pairs if len(pairs) <= MOST_UNDECIDED else []


def _legend(
    figure: Figure | SubFigure,
    evidence: Evidence,
    drawn: Layout,
    undecided: list[tuple[int, int]],
    tall: float,
) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    marks: list[Patch | Line2D] = [
        Patch(facecolor=colour, edgecolor="#777777", label=f"Copeland winner: {status}")
        for status, colour in STATUS_COLOURS.items()
        if status in evidence.copeland.values()
    ]
    if drawn.lines.edges:
        marks.append(Line2D([], [], color=_PROVED, label="upper beats lower: proved"))
    if any(len(block) > 1 for block in drawn.blocks):
        marks.append(Line2D([], [], color=_CIRCLE, label="in a cycle: proved"))
    if undecided:
        words = "more votes, not proved"
        marks.append(Line2D([], [], color=_UNDECIDED, linestyle=_DASHES, label=words))
    place = (0.5, 0.22 / tall)
    legend: dict[str, Any] = {"ncols": 2, "fontsize": "small", "frameon": False}
    figure.legend(handles=marks, loc="lower center", bbox_to_anchor=place, **legend)
    pairs = evidence.votes.arms * (evidence.votes.arms - 1) // 2
    note = f"{int(evidence.beats.sum()):,} of {pairs:,} pairs are proved; an arrow is left out "
    note += "where a longer path leads down"
    figure.text(0.5, place[1] * 0.45, note, ha="center", fontsize=7, color="#555555")


@dataclass(frozen=True, eq=False)
class Layout:
    """Where arms and lines stand, in inches; x is 0 in the middle, y is 0 at the top."""

    # Arms that beat each other in a cycle, or single ones; the best first.
    blocks: list[tuple[int, ...]]
    # Nodes are numbers of blocks, then those of lanes; edges lead to the next row.
    lines: nx.DiGraph
    places: dict[int, Point]  # centres of blocks and lanes
    sizes: dict[int, Point]  # their widths and heights; a lane is as high as its row
    arms: dict[int, Point]  # centres of the arms' boxes
    apart: list[int]  # single arms without a proved comparison; they are in the lowest rows
    box: float  # the width of an arm's box
    width: float
    height: float


def layout(beats: BoolArray, ranking: tuple[int, ...], box: float) -> Layout:
    """Places for the arms of a graph, in boxes of this width.

    The ranking of all arms, the best first, decides where nothing else does.
    """
    graph = nx.from_numpy_array(np.asarray(beats, dtype=np.int64), create_using=nx.DiGraph)
    rank = {arm: place for place, arm in enumerate(ranking)}
    circles = nx.strongly_connected_components(graph)
    blocks = [tuple(sorted(circle, key=rank.__getitem__)) for circle in circles]
    blocks.sort(key=lambda block: rank[block[0]])
    lines = nx.transitive_reduction(nx.condensation(graph, blocks))
    apart = [n for n in lines if not lines.degree(n) and len(blocks[n]) == 1]
    lines.remove_nodes_from(apart)
    step = box + 2 * _GAP  # from arm to arm in a cycle
    sizes = dict.fromkeys(range(len(blocks)), (box, _HEIGHT))
    for n, more in enumerate(len(block) - 1 for block in blocks):
        if more:
            arcs = _BEND / 2.0 * more * step
            sizes[n] = box + more * step + 2 * _PAD, _HEIGHT + 2 * (_PAD + arcs)
    rows = [
        row for layer in nx.topological_generations(lines) for row in _broken(sorted(layer), sizes)
    ]
    joined = len(rows)
    _add_lanes(lines, rows, sizes)
    rows += _broken(apart, sizes)
    widths = {n: size[0] + (_GAP if n < len(blocks) else _LANE) for n, size in sizes.items()}
    x = _across(lines, rows, widths)
    ends = [(x[n] - widths[n] / 2.0, x[n] + widths[n] / 2.0) for row in rows[:joined] for n in row]
    middle = (min(ends)[0] + max(right for _, right in ends)) / 2.0 if ends else 0.0
    places, y = {}, 0.0
    for number, row in enumerate(rows):
        y -= _RISE if 0 < number <= joined else _RISE_APART if number else 0.0
        tall = max(sizes[n][1] for n in row)
        sizes.update({n: (0.0, tall) for n in row if n >= len(blocks)})
        shift = middle if number < joined else 0.0
        places.update({n: (x[n] - shift, y - tall / 2.0) for n in row})
        y -= tall
    arms = {
        arm: (places[n][0] + (k - (len(block) - 1) / 2.0) * step, places[n][1])
        for n, block in enumerate(blocks)
        for k, arm in enumerate(block)
    }
    width = 2.0 * max(abs(place[0]) + widths[n] / 2.0 for n, place in places.items())
    return Layout(blocks, lines, places, sizes, arms, apart, box, width, -y)


def _broken(row: list[int], sizes: dict[int, Point]) -> list[list[int]]:
    """The row in as many as are needed, about equally long."""
    ends = np.cumsum([sizes[n][0] + _GAP for n in row])
    count = math.ceil(ends[-1] / _WIDEST) if row else 0
    cuts = np.searchsorted(ends, np.arange(1, count) * ends[-1] / count) if row else []
    return [part.tolist() for part in np.split(np.array(row), cuts) if len(part)]


def _add_lanes(lines: nx.DiGraph, rows: list[list[int]], sizes: dict[int, Point]) -> None:
    """Lead every line that passes rows through lanes in them; those to one block share lanes."""
    row_of = {n: number for number, row in enumerate(rows) for n in row}
    lanes: dict[tuple[int, int], int] = {}
    for start, below in sorted(lines.edges):
        lines.remove_edge(start, below)
        above = start
        for number in range(row_of[start] + 1, row_of[below]):
            if (number, below) not in lanes:
                lanes[number, below] = len(sizes)
                rows[number].append(len(sizes))
                sizes[len(sizes)] = 0.0, 0.0
            lines.add_edge(above, lanes[number, below])
            above = lanes[number, below]
        lines.add_edge(above, below)


def _across(lines: nx.DiGraph, rows: list[list[int]], widths: dict[int, float]) -> dict[int, float]:
    """The middle of each block and lane in its row; widths have what is free around them."""
    x: dict[int, float] = {}
    for sweep in range(_SWEEPS):
        neighbours = lines.succ if sweep % 2 else lines.pred
        for row in rows[::-1] if sweep % 2 else rows:
            near = {n: [x[other] for other in neighbours.get(n, ())] for n in row}
            wanted = {n: float(np.mean(near[n])) if near[n] else x.get(n, 0.0) for n in row}
            order = [n for _, n in sorted((round(wanted[n], 6), n) for n in row)]
            there, room = ([values[n] for n in order] for values in (wanted, widths))
            x.update(zip(order, spread(np.array(there), np.array(room)).tolist(), strict=True))
    return x
