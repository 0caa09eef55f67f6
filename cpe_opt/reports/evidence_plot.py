"""Pictures of what votes prove: of pairs, and of ranks.

*Pairs*, in the order of the ranking. Row i, column j: in full colour where it is proved who beats
whom, or that the two are equal within a margin (a pair of which both is proved has the colour of
the former); pale where it is an estimate, the paler the nearer it is to even. The columns on the
right say which winner each arm is, may be, or is proved not to be; with a margin, the last of them
says whether nothing is ahead of it by more.

*Ranks*: pale bars are ranks under a model of strengths, of all arms at once and in large samples;
bars in full colour on top of them are what votes prove of all arms at once, and of many arms are
left out where they would be as wide as the picture. Points are ranks by the votes, or by strengths,
which are estimates. With a k, colours say which arms are proved to be of the k best, may be, or are
not. Arms of other groups than the largest one that votes connect have no pale bars, and no points
by strength.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.reports.drawing import (
    EDGE,
    STATUS_COLOURS,
    draw_axes,
    label_inches,
    picture_style,
    save_figure,
    status_marks,
)
from cpe_opt.reports.evidence import FEW_ARMS, MODEL, Evidence, EvidenceByGroup, within_words
from cpe_opt.reports.report import shortened_label
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

RankScore: TypeAlias = Literal["borda", "copeland"]
_LEAST_WIDTH, _HEAD, _LEGEND = 5.0, 0.35, 0.8  # inches of every picture: title, legend

_WINS, _LOSES, _EQUAL = "#0072B2", "#D55E00", "#009E73"  # Okabe and Ito's
_NEVER, _SELF = "#E4E4E4", "#A8A8A8"
_PALEST, _PALE = 0.07, 0.32  # of the full colour, at an even pair and at a certain one
_LARGEST_CELL, _SMALLEST_CELL, _WIDTH = 0.75, 0.115, 8.5  # inches
_COUNTS, _SHARES = 9, 30  # up to so many arms, votes and percentages are written into cells
_APART = 0.25  # of a cell, between pairs and winners

_PALE_BAR, _WHOLE_BAR, _THIN_BAR = "#D5E6F2", 0.72, 0.3
_BAR, _POINT = "#56B4E9", "#003A5C"  # Okabe and Ito's sky blue
_ROW, _LEAST_ROW, _HEIGHT = 0.3, 0.17, 9.0  # inches of a row; of all
_MOST_TICKS = 12
_TALLEST = 300.0  # inches of a picture of several boards


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
        To draw into; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        ``.figure`` is the figure.

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
    arms = evidence.votes.arms
    cell = min(_LARGEST_CELL, max(_SMALLEST_CELL, _WIDTH / arms))
    size = min(9.0, 72.0 * cell * 0.78)  # points
    side = label_inches((*_ranked(evidence), *_kinds(evidence)), size)
    width = side + cell * (arms + len(_kinds(evidence)) + _APART) + 0.2
    height = side + cell * arms + _HEAD + _LEGEND
    figure_size = max(_LEAST_WIDTH, width), height
    title = _title(evidence, "what is proved at")
    return draw_axes(lambda axes: _draw_pairs(axes, evidence, size), figure_size, path, ax, title)


def _ranked(evidence: Evidence) -> list[str]:
    """The labels, shortened, the best arm first."""
    return [shortened_label(evidence.votes.labels[arm]) for arm in evidence.order]


def _kinds(evidence: Evidence) -> list[str]:
    """The headings of the columns on the right."""
    within = [within_words(evidence.margin)] if evidence.margin else []
    return ["Copeland", "Condorcet", "Borda", *within]


def _title(evidence: Evidence, what: str) -> str:
    """Such as ``sushi: what is proved at 95 %``."""
    percent = f"{100.0 * (1.0 - evidence.delta):.10g} %"
    return f"{shortened_label(evidence.votes.name)}: {what} {percent}"


def _draw_pairs(axes: Axes, evidence: Evidence, size: float) -> list[Artist]:
    from matplotlib.colors import to_rgb

    labels, kinds = _ranked(evidence), _kinds(evidence)
    arms, winners = len(labels), len(labels) + _APART  # where their columns start
    ends = winners - 0.5, winners + len(kinds) - 0.5
    shown = [
        [to_rgb(STATUS_COLOURS[column[evidence.votes.labels[arm]]]) for arm in evidence.order]
        for column in evidence.statuses().values()
    ]
    statuses = np.array(shown).swapaxes(0, 1)
    axes.imshow(pair_colours(evidence), interpolation="none", aspect="auto")
    axes.imshow(statuses, interpolation="none", aspect="auto", extent=(*ends, arms - 0.5, -0.5))
    line: dict[str, Any] = {"color": "white", "linewidth": min(1.5, size / 8.0)}
    lines = np.arange(arms + 1) - 0.5
    axes.hlines(lines, -0.5, arms - 0.5, **line)
    axes.vlines(lines, -0.5, arms - 0.5, **line)
    line = {"color": "#999999", "linewidth": 0.6}
    axes.hlines(lines, *ends, **line)
    axes.vlines(ends[0] + np.arange(len(kinds) + 1), -0.5, arms - 0.5, **line)
    places = [*range(arms), *(winners + np.arange(len(kinds)))]
    axes.set_xticks(places, [*labels, *kinds], rotation=90, fontsize=size)
    axes.set_yticks(range(arms), labels, fontsize=size)
    for text in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        text.set_parse_math(False)
    axes.set(xlim=(-0.5, ends[1]), ylim=(arms - 0.5, -0.5))
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if arms <= _SHARES:
        _write_shares(axes, evidence, size)
    return _marks_of_pairs(evidence)


def _write_shares(axes: Axes, evidence: Evidence, size: float) -> None:
    """Percentages of wins into the cells, and counts where there is room."""
    votes, beats, order = evidence.votes, evidence.beats, evidence.order
    counts = len(order) <= _COUNTS
    for (row, i), (column, j) in permutations(enumerate(order), 2):
        if votes.duels[i, j]:
            share = f"{100 * votes.fractions[i, j]:.0f}"
            text = f"{share} %\nof {votes.duels[i, j]:,.0f}" if counts else share
            strong = beats[i, j] or beats[j, i] or evidence.equal[i, j]
            style: dict[str, Any] = {"color": "white" if strong else "#333333"}
            style["fontsize"] = size if counts else 0.72 * size
            axes.text(column, row, text, ha="center", va="center", **style)


def _marks_of_pairs(evidence: Evidence) -> list[Artist]:
    from matplotlib.colors import to_hex
    from matplotlib.patches import Patch

    pale_win, pale_loss = (to_hex(tuple(_blend(each, _PALE))) for each in (_WINS, _LOSES))
    marks: list[Artist] = [
        Patch(color=_WINS, label="row beats column: proved"),
        Patch(color=_LOSES, label="column beats row: proved"),
        Patch(color=pale_win, label="row won more votes: estimate"),
        Patch(color=pale_loss, label="row won fewer: estimate"),
    ]
    if evidence.margin:
        marks.append(Patch(color=_EQUAL, label=f"equal within {evidence.margin:.10g}: proved"))
    if evidence.votes.summary.never_met:
        marks.append(Patch(color=_NEVER, label="never met"))
    return [*marks, *status_marks("winner")]


def pair_colours(evidence: Evidence) -> FloatArray:
    """The colour of every cell, the arms in the order of the ranking; shape (K, K, 3)."""
    order = np.array(evidence.order)
    ranked = np.ix_(order, order)
    votes, beats = evidence.votes, evidence.beats[ranked]
    share, met = votes.fractions[ranked], votes.duels[ranked] > 0.0
    strength = np.where(beats | beats.T, 1.0, _PALEST + (_PALE - _PALEST) * np.abs(2 * share - 1))
    strength[share == 0.5] = 0.0
    colours = np.where((share > 0.5)[..., None], _blend(_WINS, strength), _blend(_LOSES, strength))
    colours[~met] = _blend(_NEVER, 1.0)
    colours[evidence.equal[ranked] & ~(beats | beats.T)] = _blend(_EQUAL, 1.0)
    colours[np.diag_indices(len(order))] = _blend(_SELF, 1.0)
    return np.asarray(colours)


def _blend(colour: str, strength: FloatArray | float) -> FloatArray:
    """A colour on white: at strength 0 nothing of it."""
    from matplotlib.colors import to_rgb

    part = np.asarray(strength)[..., None]
    return np.asarray(1.0 - part * (1.0 - np.array(to_rgb(colour))))


@checked_types
def plot_ranks(
    evidence: Evidence,
    path: str | os.PathLike[str] | None = None,
    ax: Axes | None = None,
    *,
    score: RankScore = "borda",
    model: bool = True,
) -> Axes:
    """Draw the interval of each arm's rank, with the rank by the votes as a point.

    Parameters
    ----------
    evidence, path, ax
        As for :func:`cpe_opt.plot_evidence`.
    score : "borda" or "copeland"
    model : bool
        Whether ranks under a model of strengths are drawn, too, in pale colour.

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
    >>> bar = axes.collections[-1].get_paths()[-1].get_extents()
    >>> float(bar.x0) + 0.5, float(bar.width)  # of egg: rank 4
    (4.0, 1.0)
    """
    row = _row(evidence)
    size = min(9.0, 72.0 * row * 0.62)  # points
    width = label_inches(_ranked(evidence), size) + 5.8
    figure_size = width, row * evidence.votes.arms + _HEAD + _LEGEND
    arms, by_model = evidence.votes.arms, _model_intervals(evidence) if model else {}
    by_strength = model and arms > FEW_ARMS and bool(evidence.model_ranks.tables)
    proved = evidence.ranks if score == "borda" else evidence.copeland_ranks
    if arms > FEW_ARMS:
        proved = {label: each for label, each in proved.items() if each != (1, arms)}
    by = ["strength"] * bool(by_model or by_strength)
    by += [f"{score.capitalize()} score"] * bool(proved or not by)
    title = _title(evidence, f"ranks by {', and '.join(by)}, at")
    drawn = evidence, score, proved, by_model, by_strength, size
    return draw_axes(lambda axes: _draw_ranks(axes, *drawn), figure_size, path, ax, title)


def _row(evidence: Evidence) -> float:
    """The height of an arm's row, in inches."""
    return min(_ROW, max(_LEAST_ROW, _HEIGHT / evidence.votes.arms))


def plot_ranks_by(boards: EvidenceByGroup, path: str | os.PathLike[str]) -> None:
    """Draw the ranks of each group below those of the one before."""
    from matplotlib.figure import Figure

    tall = [max(2.0, _row(each) * each.votes.arms) + _HEAD + _LEGEND for each in boards.values()]
    if sum(tall) > _TALLEST:
        raise InputError(
            f"the ranks of {len(boards):,} groups by {boards.by!r} are more than a picture holds, "
            f"{sum(tall):,.0f} inches of at most {_TALLEST:,.0f}; a page, --report, has them"
        )
    with picture_style():
        figure = Figure(figsize=(_WIDTH, sum(tall)))
        rows = figure.subplots(len(boards), squeeze=False, height_ratios=tall)[:, 0]
        for axes, board in zip(rows, boards.values(), strict=True):
            plot_ranks(board, ax=axes)
    save_figure(figure, Path(path))


def _draw_ranks(
    axes: Axes,
    evidence: Evidence,
    score: RankScore,
    proved: Mapping[str, tuple[int, int]],
    by_model: Mapping[str, tuple[int, int]],
    by_strength: bool,
    size: float,
) -> list[Artist]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    statuses = evidence.top_borda if score == "borda" else evidence.top_copeland
    estimate = estimated_ranks(evidence, score)
    arms, labels = evidence.votes.arms, evidence.votes.labels
    order = sorted(evidence.ranking, key=lambda arm: int(estimate[arm]))
    rows = arms
    if by_strength:
        order, rows = list(evidence.order), len(evidence.model_ranks.tables[0].labels)
        estimate[order] = np.arange(1, arms + 1)
    points: dict[str, Any] = {"s": 14, "color": _POINT, "edgecolor": "white", "linewidth": 0.6}
    axes.scatter(estimate[order][:rows], np.arange(rows), zorder=3, **points)
    shown = [row for row, arm in enumerate(order) if labels[arm] in by_model]
    pale = np.array([by_model[labels[order[row]]] for row in shown]).reshape(-1, 2)
    _draw_bars(axes, shown, pale, _WHOLE_BAR, [_PALE_BAR])
    known = [row for row, arm in enumerate(order) if labels[arm] in proved]
    ends = np.array([proved[labels[order[row]]] for row in known]).reshape(-1, 2)
    colours = [STATUS_COLOURS[statuses[labels[arm]]] if statuses else _BAR for arm in order]
    height = _THIN_BAR if shown else _WHOLE_BAR
    _draw_bars(axes, known, ends, height, [colours[row] for row in known])
    if evidence.top is not None:
        axes.axvline(evidence.top + 0.5, color=_POINT, linewidth=1.0, linestyle="--", zorder=1)
    axes.xaxis.tick_top()
    axes.tick_params(left=False, length=0)
    axes.set_yticks(range(arms), [shortened_label(labels[arm]) for arm in order], fontsize=size)
    for text in axes.get_yticklabels():
        text.set_parse_math(False)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, arms) if arms <= step * _MOST_TICKS)
    axes.set_xticks(sorted({1, *range(step, arms + 1, step)}))
    axes.set(xlim=(0.4, arms + 0.6), ylim=(arms - 0.4, -0.6))
    axes.grid(visible=True, axis="x")
    axes.spines[:].set_visible(False)
    marks: list[Artist] = [*status_marks(f"of the {evidence.top} best")] if statuses else []
    if known and not statuses:
        marks = [Patch(facecolor=_BAR, edgecolor=EDGE, label="possible ranks: proved, all at once")]
    if shown:
        marks.append(Patch(facecolor=_PALE_BAR, edgecolor=EDGE, label=f"{MODEL}: not proved"))
    by = "strength" if by_strength else "the votes"
    words = f"rank by {by}: estimate, not proved"
    return [*marks, Line2D([], [], marker="o", ls="", color=_POINT, markersize=4, label=words)]


def _draw_bars(
    axes: Axes, rows: list[int], ends: FloatArray | IntArray, height: float, colours: list[str]
) -> None:
    """A bar from the best to the worst rank in each of some rows, as one collection."""
    from matplotlib.collections import PolyCollection

    corners = np.empty((len(rows), 4, 2))
    corners[:, :, 0] = ends[:, [0, 1, 1, 0]] + np.array([-0.5, 0.5, 0.5, -0.5])
    corners[:, :, 1] = np.reshape(rows, (-1, 1)) + height / 2.0 * np.array([-1.0, -1.0, 1.0, 1.0])
    style: dict[str, Any] = {"edgecolors": EDGE, "linewidths": 0.5, "zorder": 2}
    bars = PolyCollection([*corners], facecolors=colours, **style)
    axes.add_collection(bars, autolim=False)


def _model_intervals(evidence: Evidence) -> dict[str, tuple[int, int]]:
    """Ranks under the model of the largest group that votes connect, of arms with intervals."""
    largest = evidence.model_ranks.tables[:1]
    return {k: each for t in largest for k, each in t.ranks.items() if k not in t.without_interval}


def estimated_ranks(evidence: Evidence, score: RankScore) -> IntArray:
    """The rank of each arm by the votes, equal ones alike; shape (K,)."""
    estimate = evidence.estimate
    rounded = -np.rint(estimate.borda_scores * 2.0**30)
    values = estimate.losses if score == "copeland" else rounded
    return np.asarray(1 + (values[:, None] > values).sum(axis=1), dtype=np.int64)
