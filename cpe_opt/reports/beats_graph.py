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

from cpe_opt.reports.drawing import check_picture, longest_text, save, shortened_label
from cpe_opt.reports.evidence import Evidence
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
from dataclasses import dataclass

import networkx as nx

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.reports.drawing import spread

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


# Where arms and lines stand in the graph of proved comparisons.
#
# The graph has an arc from i to j where it is proved that i beats j. Arms that beat each other in a
# circle (strongly connected components) are one *block*; between blocks there is no circle, and of
# the arcs only those of the transitive reduction are drawn: an arc is left out where a longer way
# leads down. A block's *layer* is the length of the longest way that leads to it.
#
# Layers become rows, several where one would be too wide. Lines that pass a row to the same block
# get a lane in it, between the blocks, so that they do not cross their boxes. The order within rows
# is found by Sugiyama's heuristic: each block wants to be at the mean of those it is joined to
# above, then below, and so on a few times; distances are kept by isotonic regression
# (:func:`cpe_opt.reports.drawing.spread`).


SWEEPS = 8
_LANE = 0.14  # inches, with what is left free beside it
Point = tuple[float, float]


@dataclass(frozen=True)
class Sizes:
    """In inches.

    Attributes
    ----------
    width, height : float
        Of an arm's box.
    gap : float
        Between boxes side by side.
    pad : float
        Around the arms of a circle.
    rise : float
        Between rows.
    widest : float
        A row that would be wider is broken, where it has several blocks.
    """

    width: float
    height: float = 0.3
    gap: float = 0.22
    pad: float = 0.2
    rise: float = 0.62
    widest: float = 9.0

    def of_block(self, members: int) -> Point:
        """Width and height of a block."""
        if members == 1:
            return self.width, self.height
        wide = members * self.width + (members - 1) * 2 * self.gap
        return wide + 2 * self.pad, self.height + 2 * self.pad + 0.12 * members


@dataclass(frozen=True)
class Line:
    """A line down from a block to another, of which it beats some arm, through points."""

    above: int
    below: int
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Layout:
    """Places in inches, from the lower left corner.

    Attributes
    ----------
    blocks : tuple of tuples of int
        Arms that beat each other in a circle, or single ones, the best first.
    centres : tuple of (float, float)
        Of blocks.
    lines : tuple of Line
    apart : tuple of int
        Blocks of arms of which no comparison is proved; they stand in the lowest rows.
    width, height : float
    """

    blocks: tuple[tuple[int, ...], ...]
    centres: tuple[Point, ...]
    lines: tuple[Line, ...]
    apart: tuple[int, ...]
    width: float
    height: float

    def place(self, arm: int, sizes: Sizes) -> Point:
        """The centre of an arm's box."""
        number = next(n for n, block in enumerate(self.blocks) if arm in block)
        block, (x, y) = self.blocks[number], self.centres[number]
        offset = block.index(arm) - (len(block) - 1) / 2.0
        return x + offset * (sizes.width + 2 * sizes.gap), y


def layout(beats: BoolArray, ranking: tuple[int, ...], sizes: Sizes) -> Layout:
    """Places for the arms of a graph.

    Parameters
    ----------
    beats : bool array, shape (K, K)
    ranking : tuple of int
        All arms, the best first; decides where nothing else does.
    sizes : Sizes
    """
    blocks = blocks_of(beats, ranking)
    arcs = reduced_arcs(beats, blocks)
    joined = {number for arc in arcs for number in arc}
    apart = [
        number for number in range(len(blocks)) if number not in joined and len(blocks[number]) == 1
    ]
    rows = _rows(blocks, arcs, set(apart), sizes)
    lower = len(rows)
    rows += _broken(apart, blocks, sizes)
    items, links = _with_lanes(rows, arcs)
    widths = {
        item: sizes.of_block(len(blocks[item]))[0] + sizes.gap if item < len(blocks) else _LANE
        for row in items
        for item in row
    }
    places = _places(items, links, widths)
    middle = (min(places.values()) + max(places.values())) / 2.0
    for row in items[lower:]:
        off = middle - (places[row[0]] + places[row[-1]]) / 2.0
        places.update({item: places[item] + off for item in row})
    shift = min(places[item] - widths[item] / 2.0 for row in items for item in row)
    width = max(places[item] + widths[item] / 2.0 for row in items for item in row) - shift
    heights = [
        max(sizes.of_block(len(blocks[item]))[1] for item in row if item < len(blocks))
        for row in items
    ]
    levels, y = [], 0.0
    for number, tall in enumerate(heights):
        y -= tall / 2.0 + (sizes.rise if number and number < lower else 0.0)
        y -= sizes.rise * (0.9 if number == lower else 0.3) if number >= lower else 0.0
        levels.append(y)
        y -= tall / 2.0
    at = {
        item: (places[item] - shift, levels[number] - y)
        for number, row in enumerate(items)
        for item in row
    }
    lines = tuple(Line(chain[0], chain[-1], tuple(at[item] for item in chain)) for chain in links)
    centres = tuple(at[number] for number in range(len(blocks)))
    return Layout(tuple(blocks), centres, lines, tuple(apart), width, -y)


def blocks_of(beats: BoolArray, ranking: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Strongly connected components, their arms and they themselves in the order of the ranking."""
    rank = {arm: place for place, arm in enumerate(ranking)}
    graph = nx.from_numpy_array(np.asarray(beats, dtype=np.int64), create_using=nx.DiGraph)
    found = [
        tuple(sorted(part, key=rank.__getitem__))
        for part in nx.strongly_connected_components(graph)
    ]
    return sorted(found, key=lambda block: rank[block[0]])


def reduced_arcs(beats: BoolArray, blocks: list[tuple[int, ...]]) -> list[tuple[int, int]]:
    """The arcs between blocks that no longer way replaces."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(blocks)))
    for i, above in enumerate(blocks):
        for j, below in enumerate(blocks):
            if i != j and beats[np.ix_(above, below)].any():
                graph.add_edge(i, j)
    return sorted(nx.transitive_reduction(graph).edges)


def _rows(
    blocks: list[tuple[int, ...]], arcs: list[tuple[int, int]], apart: set[int], sizes: Sizes
) -> list[list[int]]:
    """Blocks by layer, broken where a row would be too wide."""
    graph = nx.DiGraph(arcs)
    graph.add_nodes_from(number for number in range(len(blocks)) if number not in apart)
    layer: dict[int, int] = {}
    for number in nx.topological_sort(graph):
        layer[number] = max((layer[above] + 1 for above in graph.predecessors(number)), default=0)
    rows: list[list[int]] = []
    for depth in range(max(layer.values(), default=-1) + 1):
        rows += _broken(sorted(n for n in layer if layer[n] == depth), blocks, sizes)
    return rows


def _broken(row: list[int], blocks: list[tuple[int, ...]], sizes: Sizes) -> list[list[int]]:
    """The row in as many as are needed, about equally long."""
    wide = [sizes.of_block(len(blocks[number]))[0] + sizes.gap for number in row]
    count = max(1, int(np.ceil(sum(wide) / sizes.widest)))
    cuts = np.searchsorted(np.cumsum(wide), np.arange(1, count) * sum(wide) / count)
    parts = [part.tolist() for part in np.split(np.array(row, dtype=np.int64), cuts)]
    return [part for part in parts if part]


def _with_lanes(
    rows: list[list[int]], arcs: list[tuple[int, int]]
) -> tuple[list[list[int]], list[list[int]]]:
    """Rows with lanes for lines that pass, and of each line what it goes through.

    Lines to the same block share a lane.
    """
    items = [list(row) for row in rows]
    at = {item: number for number, row in enumerate(rows) for item in row}
    lanes: dict[tuple[int, int], int] = {}
    chains = []
    for above, below in arcs:
        chain = [above]
        for number in range(at[above] + 1, at[below]):
            if (number, below) not in lanes:
                lanes[number, below] = len(at) + len(lanes)
                items[number].append(lanes[number, below])
            chain.append(lanes[number, below])
        chains.append([*chain, below])
    return items, chains


def _places(
    rows: list[list[int]], chains: list[list[int]], widths: dict[int, float]
) -> dict[int, float]:
    """The middle of each item in its row; widths have what is free beside them."""
    up: dict[int, list[int]] = {}
    down: dict[int, list[int]] = {}
    for chain in chains:
        for above, below in pairwise(chain):
            down.setdefault(above, []).append(below)
            up.setdefault(below, []).append(above)
    places: dict[int, float] = {}
    for row in rows:
        places.update(_packed(row, dict.fromkeys(row, 0.0), widths))
    for sweep in range(SWEEPS):
        ways = (up, rows) if sweep % 2 == 0 else (down, rows[::-1])
        for row in ways[1]:
            wanted = {
                item: float(np.mean([places[other] for other in ways[0].get(item, [item])]))
                for item in row
            }
            places.update(_packed(row, wanted, widths))
    return places


def _packed(row: list[int], wanted: dict[int, float], widths: dict[int, float]) -> dict[int, float]:
    """Places near those wanted, without overlap; the order is that of what is wanted."""
    order = sorted(row, key=lambda item: (round(wanted[item], 6), item))
    heights: FloatArray = np.array([widths[item] for item in order])
    found = spread(np.array([wanted[item] for item in order]), heights)
    return dict(zip(order, found.tolist(), strict=True))
