"""The picture of what votes prove: arms by arms, the best first.

Row i, column j: in full colour where it is proved who beats whom, or that the two are equal within
a margin (a pair of which both is proved has the colour of the former); pale where it is an
estimate, the paler the nearer it is to even. The columns on the right say which
winner each arm is, may be, or is proved not to be; with a margin, the last of them says whether
nothing is ahead of it by more.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.reports.drawing import (
    STATUS_COLOURS,
    draw_picture,
    longest_text,
)
from cpe_opt.reports.evidence import Evidence, within_words
from cpe_opt.reports.report import shortened_label
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


_WINS, _LOSES = "#0072B2", "#D55E00"  # Okabe and Ito's blue and vermilion
_EQUAL = "#009E73"  # their green
_NEVER, _SELF = "#E4E4E4", "#A8A8A8"
_KINDS = ("Copeland", "Condorcet", "Borda")
_PALEST, _PALE = 0.07, 0.32  # of the full colour, at an even pair and at a certain one
_LARGEST_CELL, _SMALLEST_CELL, _WIDTH = 0.75, 0.115, 8.5  # inches
_COUNTS, _SHARES = 9, 30  # up to so many arms, votes and percentages are written into cells
_LEAST_SIZE = 7.0  # points
_LEAST_WIDTH, _WIDEST_MARK, _LEGEND, _TITLE, _GAP = 5.6, 0.4, 1.15, 0.35, 0.09  # inches


@checked_types
def plot_evidence(
    evidence: Evidence, path: str | os.PathLike[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw what votes prove about each pair and each arm.

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
        Those of the pairs; ``.figure`` is the figure.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> found = cpe.evidence(cpe.Votes([[0, 60, 9], [20, 0, 30], [6, 8, 0]]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     axes = cpe.plot_evidence(found, f"{folder}/votes.png")
    >>> [text.get_text() for text in axes.get_yticklabels()]
    ['0', '1', '2']
    """
    size = _measures(evidence)
    return draw_picture(
        lambda figure: _draw(figure, evidence, size), (size.width, size.height), path, ax
    )


class _Measures(NamedTuple):
    """Of the picture in inches, with room for the longest label; ``text`` in points."""

    width: float
    height: float
    left: float
    length: float  # of the pairs
    marks: float  # the width of the columns on the right
    text: float


def _measures(evidence: Evidence) -> _Measures:
    arms = evidence.votes.arms
    cell = min(_LARGEST_CELL, max(_SMALLEST_CELL, _WIDTH / arms))
    text, kinds = min(9.0, 72.0 * cell * 0.78), _kinds(evidence)
    side = longest_text(_labels(evidence), text) + 2 * _GAP
    top = max(side, longest_text(kinds, max(text, _LEAST_SIZE)) + 2 * _GAP) + _TITLE
    length, marks = arms * cell, len(kinds) * min(cell, _WIDEST_MARK)
    width, height = side + length + marks + 2 * _GAP, top + length + _LEGEND
    left = side + max(0.0, _LEAST_WIDTH - width) / 2.0
    return _Measures(max(width, _LEAST_WIDTH), height, left, length, marks, text)


def _labels(evidence: Evidence) -> list[str]:
    return [shortened_label(evidence.votes.labels[arm]) for arm in evidence.ranking]


def _draw(figure: Figure | SubFigure, evidence: Evidence, size: _Measures) -> Axes:
    """The picture; returns the axes of the pairs."""

    def axes(start: float, wide: float) -> Axes:
        width, height = size.width, size.height
        box = (start / width, _LEGEND / height, wide / width, size.length / height)
        return figure.add_axes(box)

    pairs = axes(size.left, size.length)
    _draw_pairs(pairs, evidence, _labels(evidence), size.text)
    marks = axes(size.left + size.length + _GAP, size.marks)
    _draw_statuses(marks, evidence, max(size.text, _LEAST_SIZE))
    percent = f"{100.0 * (1.0 - evidence.delta):.10g} %"
    title = f"{shortened_label(evidence.votes.name)}: what is proved at {percent}"
    figure.text(0.5, 1.0 - _GAP / size.height, title, ha="center", va="top", parse_math=False)
    _legend(figure, evidence)
    return pairs


def _kinds(evidence: Evidence) -> list[str]:
    """The headings of the columns on the right."""
    return [*_KINDS, *([within_words(evidence.margin)] if evidence.margin else [])]


def _draw_pairs(axes: Axes, evidence: Evidence, labels: list[str], size: float) -> None:
    axes.imshow(pair_colours(evidence), interpolation="none", aspect="auto")
    axes.set_yticks(range(len(labels)), labels, fontsize=size)
    _draw_grid(axes, labels, len(labels), size, color="white", linewidth=min(1.5, size / 8))
    if len(labels) <= _SHARES:
        _write_shares(axes, evidence, size)


def _draw_grid(axes: Axes, heads: list[str], rows: int, size: float, **line: Any) -> None:
    """Headings above, and lines between the cells."""
    axes.set_xticks(range(len(heads)), heads, rotation=90, fontsize=size)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for text in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        text.set_parse_math(False)
    axes.set_xticks(np.arange(len(heads) - 1) + 0.5, minor=True)
    axes.set_yticks(np.arange(rows - 1) + 0.5, minor=True)
    axes.grid(which="minor", **line)
    axes.tick_params(which="minor", length=0)


def _write_shares(axes: Axes, evidence: Evidence, size: float) -> None:
    """Percentages of wins into the cells, and counts where there is room."""
    votes, beats, order = evidence.votes, evidence.beats, evidence.ranking
    counts = len(order) <= _COUNTS
    for row, i in enumerate(order):
        for column, j in enumerate(order):
            if i == j or not votes.duels[i, j]:
                continue
            text = f"{100 * votes.fractions[i, j]:.0f}" + (" %" if counts else "")
            if counts:
                text += f"\nof {votes.duels[i, j]:,.0f}"
            strong = beats[i, j] or beats[j, i] or evidence.equal[i, j]
            style: dict[str, Any] = {"color": "white" if strong else "#333333"}
            style["fontsize"] = size if counts else 0.72 * size
            axes.text(column, row, text, ha="center", va="center", **style)


def _draw_statuses(axes: Axes, evidence: Evidence, size: float) -> None:
    from matplotlib.colors import to_rgb

    labels = [evidence.votes.labels[arm] for arm in evidence.ranking]
    columns, kinds = list(evidence.statuses().values()), _kinds(evidence)
    colours = [[to_rgb(STATUS_COLOURS[column[label]]) for column in columns] for label in labels]
    axes.imshow(np.array(colours), interpolation="none", aspect="auto")
    axes.set_yticks([])
    _draw_grid(axes, kinds, len(labels), size, color="#999999", linewidth=0.6)


def _legend(figure: Figure | SubFigure, evidence: Evidence) -> None:
    from matplotlib.colors import to_hex
    from matplotlib.patches import Patch

    met = evidence.votes.duels[~np.eye(evidence.votes.arms, dtype=np.bool_)] > 0.0
    pale = {colour: to_hex(tuple(_blend(colour, _PALE).tolist())) for colour in (_WINS, _LOSES)}
    patches = [
        Patch(color=_WINS, label="row beats column: proved"),
        Patch(color=_LOSES, label="column beats row: proved"),
        Patch(color=pale[_WINS], label="row won more votes: estimate"),
        Patch(color=pale[_LOSES], label="row won fewer: estimate"),
    ]
    if evidence.margin:
        within = f"equal within {evidence.margin:.10g}: proved"
        patches.append(Patch(color=_EQUAL, label=within))
    if not met.all():
        patches.append(Patch(color=_NEVER, label="never met"))
    patches += [
        Patch(facecolor=colour, edgecolor="#999999", label=f"winner: {status}")
        for status, colour in STATUS_COLOURS.items()
    ]
    figure.legend(handles=patches, loc="lower center", ncols=2, fontsize="small", frameon=False)


def pair_colours(evidence: Evidence) -> FloatArray:
    """The colour of every cell, the best arms first; shape (K, K, 3)."""
    order = np.array(evidence.ranking)
    ranked = np.ix_(order, order)
    votes, beats = evidence.votes, evidence.beats[ranked]
    share, met = votes.fractions[ranked], votes.duels[ranked] > 0.0
    strength = np.where(beats | beats.T, 1.0, _PALEST + (_PALE - _PALEST) * np.abs(2 * share - 1))
    strength[share == 0.5] = 0.0
    colours = np.where((share > 0.5)[..., None], _blend(_WINS, strength), _blend(_LOSES, strength))
    colours[~met] = _blend(_NEVER, 1.0)
    colours[evidence.equal[ranked] & ~(beats | beats.T)] = _blend(_EQUAL, 1.0)
    colours[np.arange(len(order)), np.arange(len(order))] = _blend(_SELF, 1.0)
    return np.asarray(colours)


def _blend(colour: str, strength: FloatArray | float) -> FloatArray:
    """A colour on white: at strength 0 nothing of it."""
    from matplotlib.colors import to_rgb

    part = np.asarray(strength)[..., None]
    return np.asarray(1.0 - part * (1.0 - np.array(to_rgb(colour))))
