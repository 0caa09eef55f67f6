"""The pictures of leagues: tables whose cells are coloured by the multiple of the bound."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.reports.drawing import LABEL_SIZE, save_figure, styles
from cpe_opt.reproductions.league import League, LeagueCell, LeagueTable, mean_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = "YlOrRd"
_DARK = 0.6  # of the colours: from here on text is white
_GREY, _PALE = "#8a8a8a", "#ededed"
_WRONG = "#0033aa"
_TICKS = (1, 3, 10, 30, 100, 300, 1000)
_SHORT = 1.4  # inches of a bar that has no room for all ticks
_CELL = (0.56, 0.27)  # inches
_CURVES, _NOTE, _LEAST_WIDTH = 3.4, 0.19, 11.0
_SIGNS = (
    "> : not all runs were done when cut off, a lower bound.  1✗: one run gave a wrong answer.  "
    "–: left out.  out: too slow.",
    "Grey: the learner's theorem does not cover the instance.  typical: the geometric mean where "
    "it does.  *, †: see the page.",
)
_SLANTED = 0.055  # the height of a letter of a column's name


def draw_league(
    table: LeagueTable,
    league: League,
    path: Path,
    curves: Mapping[tuple[str, str], Sequence[LeagueCell]],
) -> Path:
    """The table, and curves by the probability of an error below."""
    page = _Page(table, league, below=_CURVES if curves else 0.0)
    _draw_table(page, table, league)
    names = list(dict.fromkeys(instance for _, instance in curves))
    if names:
        words = "The same multiple as the allowed probability δ of an error falls"
        words += ": for δ → 0 no algorithm can go below 1 (dotted)" if league.bounded else ""
        page.write(0.2, _CURVES - 0.25, words, fontsize=12)
    room = page.width - 2.4
    for number, name in enumerate(names):
        panel = page.axes(0.8 + room * number / len(names), 0.55, room / len(names) - 0.55, 2.0)
        lines = {learner: line for (learner, where), line in curves.items() if where == name}
        _draw_curves(panel, _labels(league)[name], lines)
        if number == 0:
            panel.set_ylabel("multiple of the bound")
        if number == len(names) - 1:
            panel.legend(loc="center left", bbox_to_anchor=(1.05, 0.5), fontsize=LABEL_SIZE + 1)
    return save_figure(page.figure, path)


class _Page:
    """A figure whose parts are placed in inches."""

    def __init__(self, table: LeagueTable, league: League, *, below: float) -> None:
        from matplotlib.figure import Figure

        self.columns, self.lines = len(table.instances), len(table.learners)
        self.left, self.low = 2.8, below + 0.5 + _NOTE * (1 + len(_SIGNS))
        wide, high = _CELL[0] * self.columns, _CELL[1] * self.lines
        self.table = (self.left, self.low, wide, high)
        self.bar = self.left + wide + (0.75 if league.horizons else 1.5)
        self.width = max(self.bar + 1.15, _LEAST_WIDTH)
        names = max(len(_labels(league)[name]) for name in table.instances)
        self.height = self.low + high + 0.8 + _SLANTED * names
        self.figure: Figure = Figure(figsize=(self.width, self.height), dpi=130)

    def axes(self, left: float, low: float, wide: float, high: float) -> Axes:
        """Axes there."""
        size = (self.width, self.height)
        box = (left / size[0], low / size[1], wide / size[0], high / size[1])
        return self.figure.add_axes(box)

    def write(self, left: float, low: float, words: str, **style: Any) -> None:
        """A text there."""
        self.figure.text(left / self.width, low / self.height, words, **style)


def _draw_table(page: _Page, table: LeagueTable, league: League) -> None:
    """Cells with their numbers, names above and to the left, what they mean below."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Rectangle

    norm, colours = LogNorm(_TICKS[0], _TICKS[-1], clip=True), colormaps[_COLOURS]
    axes, size = page.axes(*page.table), LABEL_SIZE
    bold: dict[str, Any] = {"fontsize": 9, "fontweight": "bold"}
    middle = partial(axes.text, ha="center", va="center")
    mean, wrong = page.columns + 0.55, page.columns + 1.75  # columns to the right of the table
    for row, learner in enumerate(table.learners):
        for column, instance in enumerate(table.instances):
            cell = table.cell(learner, instance)
            face, style = _look(cell, norm, colours)
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=face, edgecolor="white", lw=1))
            middle(column + 0.5, row + 0.53, cell.text, **style)
        middle(mean, row + 0.53, mean_text(table.line(learner)), **bold | {"fontsize": size})
        if not league.horizons:
            errors, runs = table.errors(learner)
            colour = _WRONG if errors else "black"
            middle(wrong, row + 0.53, f"{errors} of {runs}", fontsize=size, color=colour)
    axes.text(mean, -0.25, "typical", ha="center", **bold)
    if not league.horizons:
        axes.text(wrong, -0.25, "wrong\nof runs", ha="center", fontsize=9)
    axes.set(xlim=(0, page.columns), ylim=(page.lines, 0))
    rows, columns = np.arange(page.lines) + 0.5, np.arange(page.columns) + 0.5
    axes.set_yticks(rows, list(table.learners), fontsize=size + 1)
    axes.xaxis.tick_top()
    names = [_labels(league)[n] + "†" * (n in league.marked) for n in table.instances]
    slanted: dict[str, Any] = {"rotation": 40, "ha": "left", "rotation_mode": "anchor"}
    axes.set_xticks(columns, names, fontsize=size + 0.5, **slanted)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    _draw_groups(axes, table, league)
    title = league.picture + ("" if league.horizons else f", δ = {league.delta}")
    page.write(0.2, page.height - 0.35, title, fontsize=13)
    for number, note in enumerate((league.note, *_SIGNS)):
        page.write(0.2, page.low - 0.55 - _NOTE * number, note, fontsize=size + 1)
    _, low, _, high = page.table
    colour_bar, place = ScalarMappable(norm, colours), page.axes(page.bar, low, 0.16, high)
    bar = page.figure.colorbar(colour_bar, cax=place, extend="both", extendfrac=0.03)
    ticks = _TICKS[:: 1 if high >= _SHORT else 2 if high >= _SHORT / 2 else 3]
    times = "" if league.unit else " ×"
    bar.set_ticks(ticks, labels=[f"{tick:,}{times}" for tick in ticks])
    bar.ax.minorticks_off()
    bar.ax.tick_params(labelsize=size)
    unit = league.unit or "× the bound"
    page.write(page.bar - 0.07, low + high + 0.12, unit, fontsize=size + 1)


def _look(cell: LeagueCell, norm: Any, colours: Any) -> tuple[Any, dict[str, Any]]:
    """The colour of a cell, and the style of its text."""
    if not cell.amounts:
        return "white", {"color": _GREY, "fontsize": LABEL_SIZE - 1}
    style = {"color": _GREY, "fontsize": LABEL_SIZE}
    if not cell.covered:
        return _PALE, style
    share = float(norm(max(cell.value, 1e-9)))
    style["color"] = "white" if share > _DARK else "black"
    if cell.wrong:
        style |= {"fontweight": "bold", "color": "white" if share > _DARK else _WRONG}
    return colours(share), style


def _labels(league: League) -> dict[str, str]:
    return {each.name: each.label or each.name for each in league.instances}


def _draw_groups(axes: Axes, table: LeagueTable, league: League) -> None:
    """Lines between kinds of instances and of learners, and their words."""
    lines = len(table.learners)
    style: dict[str, Any] = {"fontsize": LABEL_SIZE + 1, "style": "italic"}
    kinds = {each.name: each.kind for each in league.instances}
    for words, start, end in _spans([kinds[name] for name in table.instances]):
        if start:
            axes.axvline(start, color="black", lw=1.4)
        axes.plot([start + 0.1, end - 0.1], [lines + 0.2] * 2, color="black", lw=1, clip_on=False)
        axes.text((start + end) / 2, lines + 0.35, words, ha="center", va="top", **style)
    for words, start, end in _spans([table.of(name)[0].group for name in table.learners]):
        if start:
            axes.axhline(start, color="black", lw=1.4)
        place = (0, (start + end) / 2)
        left: dict[str, Any] = {"xytext": (-156, 0), "textcoords": "offset points"}
        middle: dict[str, Any] = {"ha": "center", "va": "center", "annotation_clip": False}
        axes.annotate(words, place, **left, **middle, **style)


def _spans(words: Sequence[str]) -> list[tuple[str, int, int]]:
    """Runs of equal words: where each starts and ends."""
    runs = [(word, len(list(same))) for word, same in groupby(words)]
    ends = np.cumsum([0, *(length for _, length in runs)]).tolist()
    return [(word, *pair) for (word, _), pair in zip(runs, pairwise(ends), strict=True)]


def _draw_curves(axes: Axes, title: str, lines: Mapping[str, Sequence[LeagueCell]]) -> None:
    """The ratio of each learner by the probability of an error."""
    by_name = styles(lines)
    for learner, line in lines.items():
        x = [-math.log10(cell.delta) for cell in line]  # decimal digits of safety
        y = [cell.value for cell in line]
        axes.plot(x, y, **by_name[learner].line, marker="o", markersize=4, lw=1.8, label=learner)
    axes.axhline(1.0, color="black", linestyle=":", lw=1.2)
    axes.set_yscale("log")
    ticks = [1, 10, 20]
    axes.set_xticks(ticks, [f"$10^{{-{tick}}}$" for tick in ticks])
    axes.set_xlabel("δ")
    axes.set_title(title, fontsize=10)
    axes.grid(visible=True, alpha=0.3)
