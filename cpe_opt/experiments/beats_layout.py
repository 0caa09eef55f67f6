r"""Where arms and lines stand in the graph of proved comparisons.

The graph has an arc from i to j where it is proved that i beats j. Arms that beat each other in a
circle (strongly connected components) are one *block*; between blocks there is no circle, and of
the arcs only those of the transitive reduction are drawn: an arc is left out where a longer way
leads down. A block's *layer* is the length of the longest way that leads to it.

Layers become rows, several where one would be too wide. Lines that pass a row to the same block get
a lane in it, between the blocks, so that they do not cross their boxes. The order within rows is
found by Sugiyama's heuristic: each block wants to be at the mean of those it is joined to above,
then below, and so on a few times; distances are kept by isotonic regression
(:func:`cpe_opt.experiments.drawing.spread`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import networkx as nx
import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.experiments.drawing import spread
from cpe_opt.formulations.dueling.pair_proof import BoolArray

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
