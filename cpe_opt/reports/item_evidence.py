"""What a table of scores proves of new items, for people: a table, sentences, a picture.

It is computed in :mod:`cpe_opt.proofs.subsets.new_items`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import counted
from cpe_opt.problems.subsets.item_scores import ItemScores
from cpe_opt.proofs.dueling.winners import WinnerStatus
from cpe_opt.proofs.subsets.new_items import NewItemStatements, new_item_statements
from cpe_opt.reports.drawing import EDGE, STATUS_COLOURS, draw_axes, label_inches, status_marks
from cpe_opt.reports.report import Analysis, Picture, Report, TextTable, listed, shortened_label
from cpe_opt.validation import checked_count

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_PAIRS = 10
_ROW, _LEAST_ROW, _HEIGHT, _HEAD, _LEGEND = 0.3, 0.17, 9.0, 0.7, 0.8  # inches
_POINT = "#003A5C"
_ABOUT = (
    "The means are those of the scores in the table, and known. What is called proved is of the "
    "means over new items, if these items and new ones are drawn independently from one source; of "
    "items that were chosen by hand it says how such items would come out.",
    "Everything that is called proved or ruled out here, taken together, is right with a "
    "probability of at least {right:.10g} %, also if items are added and one looks again until "
    "something is proved.",
    "“Possible” means that the scores do not exclude it.",
)


def item_score_evidence(
    scores: ItemScores,
    *,
    delta: float = 0.05,
    margin: float = 0.0,
    top: int | None = None,
    clusters: Sequence[object] | None = None,
    warnings: Sequence[str] = (),
) -> ItemScoreEvidence:
    """What scores prove of new items; :func:`cpe_opt.evidence` says it."""
    top = scores.top if top is None else checked_count("top", top, most=len(scores.labels) - 1)
    said = new_item_statements(
        scores.scores,
        scores.labels,
        delta,
        margin=margin,
        top=top,
        clusters=clusters,
    )
    return ItemScoreEvidence(**vars(said), scores=scores, warnings=tuple(warnings))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ItemScoreEvidence(NewItemStatements, Analysis):
    """What a table of scores proves of new items; ``print`` it to read it.

    Attributes
    ----------
    scores : ItemScores
    warnings : tuple of str
        What would make it false, as :func:`cpe_opt.check_answers` found it in the file.
    """

    scores: ItemScores
    warnings: tuple[str, ...]

    def __repr__(self) -> str:
        arms = len(self.labels)
        return (
            f"ItemScoreEvidence({self.name!r}, {arms} arms, {self.items:,} items, delta "
            f"{self.delta:.10g}: {int(self.better.sum()):,} of {arms * (arms - 1) // 2:,} pairs "
            "proved)"
        )

    @property
    def name(self) -> str:
        """That of the scores."""
        return self.scores.name

    @property
    def best(self) -> dict[str, WinnerStatus]:
        """Whether each arm is the best."""
        return self._among(1)

    @property
    def among_top(self) -> dict[str, WinnerStatus]:
        """Whether each arm is one of the k best."""
        return self._among(self.top)

    def _among(self, k: int) -> dict[str, WinnerStatus]:
        """By its ranks: at most k arms have a worst rank of at most k."""
        found: dict[str, WinnerStatus] = {}
        for label, (first, last) in zip(self.labels, self.ranks, strict=True):
            found[label] = "proved" if last <= k else "possible" if first <= k else "ruled out"
        return found

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; ``lower[i][j]``: by how much more i has than j, at least."""
        named = [self.labels[arm] for arm in self.order]

        def pairs(which: Any) -> list[list[str]]:
            return [[self.labels[i], self.labels[j]] for i, j in np.argwhere(which).tolist()]

        return {
            "name": self.name,
            "delta": self.delta,
            "margin": self.margin,
            "labels": list(self.labels),
            "items": self.items,
            "clusters": self.clusters,
            "scores": int(self.scored.sum()),
            "means": dict(zip(self.labels, self.means.tolist(), strict=True)),
            "lower": self.lower.tolist(),
            "better": pairs(self.better),
            "ranks": {label: list(self.ranks[self.labels.index(label)]) for label in named},
            "best": {label: self.best[label] for label in named},
            "top": {"k": self.top, "arms": {label: self.among_top[label] for label in named}},
            "equal": pairs(np.triu(self.equal)),
            "within_margin": labels_where(self.labels, self.within_margin) if self.margin else [],
            "tied_set": [self.labels[arm] for arm in self.tied_set],
            "warnings": list(self.warnings),
        }

    def table(self) -> pd.DataFrame:
        """One row per arm, the best first: mean, ranks, how far ahead the first is, what is proved.

        ``behind_least`` and ``behind_most`` bound by how much more the first arm has on new items.
        """
        import pandas as pd

        order, first = self.order, int(self.order[0])
        labels = [self.labels[arm] for arm in order]
        columns: dict[str, Any] = {
            "arm": order,
            "label": labels,
            "mean": self.means[order],
            "scores": self.scored[order],
            "best_rank": [self.ranks[arm][0] for arm in order],
            "worst_rank": [self.ranks[arm][1] for arm in order],
            "behind_least": self.lower[first, order],
            "behind_most": -self.lower[order, first],
            "best": [self.best[label] for label in labels],
        }
        if self.top > 1:
            columns["among_top"] = [self.among_top[label] for label in labels]
        if self.margin:
            columns["within_margin"] = self.within_margin[order]
        return pd.DataFrame(columns)

    def report(self) -> Report:
        """Arms, a picture, and what is proved."""
        frame = self.table()
        ranks = zip(frame["best_rank"], frame["worst_rank"], strict=True)
        ends = zip(frame["behind_least"], frame["behind_most"], strict=True)
        columns: dict[str, Iterable[object]] = {
            "arm": frame["label"],
            "mean": ["–" if np.isnan(mean) else f"{mean:.3f}" for mean in frame["mean"]],
            "rank": [str(a) if a == b else f"{a}–{b}" for a, b in ranks],
            "behind the first": ["", *[f"{a:.3f} to {b:.3f}" for a, b in ends][1:]],
            "best": frame["best"],
        }
        if self.top > 1:
            columns[f"top {self.top}"] = frame["among_top"]
        if self.margin:
            within = ["proved" if each else "possible" for each in frame["within_margin"]]
            columns[f"within {self.margin:.10g}"] = within
        several = f", {self.clusters:,} clusters" if self.clusters is not None else ""
        title = f"{self.name}: {len(self.labels):,} arms, {self.items:,} items{several}"
        words = f"{self.name}: by how much each arm differs from the first, on new items"
        return Report(
            title=title,
            proved="proved" in self.best.values(),
            arms=TextTable.of(columns, title="means of these items, the rest of new ones"),
            order="By the means of these items; ranks and differences are of new ones.",
            ranks=Picture(words, self._figure),
            lines=tuple(self.proof_lines()),
            warnings=self.warnings,
            about=tuple(each.format(right=100.0 * (1.0 - self.delta)) for each in _ABOUT),
        )

    def proof_lines(self) -> list[str]:
        """What is proved, and on what it rests, one sentence per line."""
        arms = len(self.labels)
        unit = "items" if self.clusters is None else "clusters"
        lines = [
            f"what is proved is of new {unit}, drawn independently like these",
            f"proved at {100.0 * (1.0 - self.delta):.6g} %, all of it at once, however often one "
            f"looks as {unit} are added:",
            f"who is better: proved for {int(self.better.sum()):,} of {arms * (arms - 1) // 2:,} "
            "pairs",
            f"the best: {self._words(self.best)}",
        ]
        if self.top > 1:
            lines.append(f"one of the {self.top:,} best: {self._words(self.among_top)}")
        widths = [last - first + 1 for first, last in self.ranks]
        lines.append(
            f"ranks: known for {widths.count(1):,} of {arms:,} arms; "
            f"{sum(widths) / arms:.3g} are possible for an arm on average"
        )
        if self.margin:
            equal = [
                f"{self.labels[i]} – {self.labels[j]}"
                for i, j in np.argwhere(np.triu(self.equal)).tolist()
            ]
            which = f": {listed(equal, 'pairs', _MOST_PAIRS)}" if equal else ""
            number = counted(equal, "pair")
            lines.append(f"equal within {self.margin:.10g}: proved for {number}{which}")
            if self.tied_set:
                tied = [self.labels[arm] for arm in self.tied_set]
                lines.append(f"all that may be the best are equal: {listed(tied, 'arms')}")
            safe = labels_where(self.labels, self.within_margin)
            shown = f"proved for {listed(safe, 'arms')}" if safe else "proved for no arm"
            lines.append(f"nothing is ahead of it by more than {self.margin:.10g}: {shown}")
        missing = self.items * arms - int(self.scored.sum())
        if missing:
            lines.append(
                f"{missing:,} of {self.items * arms:,} scores are missing: two arms are compared "
                "on the items that both have, as if a score's absence did not depend on what it "
                "would be"
            )
        return lines

    def _words(self, statuses: dict[str, WinnerStatus]) -> str:
        """Such as ``possible for a, b; ruled out for 6 arms``."""
        by = {
            status: [self.labels[arm] for arm in self.order if statuses[self.labels[arm]] == status]
            for status in ("proved", "possible", "ruled out")
        }
        out = len(by["ruled out"])
        parts = [f"proved for {listed(by['proved'], 'arms')}"] if by["proved"] else []
        parts += [f"possible for {listed(by['possible'], 'arms')}"] if by["possible"] else []
        parts += [f"ruled out for {out:,} arm{'s' * (out > 1)}"] if out else []
        return "; ".join(parts)

    def draw(self, path: str | os.PathLike[str] | None = None, ax: Axes | None = None) -> Axes:
        """Draw by how much each arm differs from the first; :func:`cpe_opt.plot_evidence` does."""
        arms = len(self.labels)
        row = min(_ROW, max(_LEAST_ROW, _HEIGHT / arms))
        size = min(9.0, 72.0 * row * 0.62)  # points
        labels = [shortened_label(self.labels[arm]) for arm in self.order]
        figure_size = label_inches(labels, size) + 5.8, row * arms + _HEAD + _LEGEND
        percent = f"{100.0 * (1.0 - self.delta):.10g} %"
        title = f"{shortened_label(self.name)}: new items, proved at {percent}"
        return draw_axes(lambda axes: self._draw(axes, labels, size), figure_size, path, ax, title)

    def _figure(self) -> Figure:
        from cpe_opt.reports.drawing import figure_of

        return figure_of(self.draw())

    def _draw(self, axes: Axes, labels: list[str], size: float) -> list[Artist]:
        from matplotlib.lines import Line2D

        order, first, places = self.order, int(self.order[0]), np.arange(len(labels))
        left, right = self.lower[order, first], -self.lower[first, order]
        colours = [STATUS_COLOURS[self.best[self.labels[arm]]] for arm in order]
        bars: dict[str, Any] = {"color": colours, "edgecolor": EDGE, "linewidth": 0.5, "zorder": 2}
        axes.barh(places, right - left, left=left, height=0.6, **bars)
        points: dict[str, Any] = {"s": 14, "color": _POINT, "edgecolor": "white", "linewidth": 0.6}
        axes.scatter(self.means[order] - self.means[first], places, zorder=3, **points)
        points |= {"s": 60, "color": colours[0], "edgecolor": EDGE, "marker": "D"}
        axes.scatter([0.0], [0.0], zorder=4, **points)
        axes.axvline(0.0, color=_POINT, linewidth=1.0, zorder=1)
        if self.margin:
            axes.axvspan(-self.margin, self.margin, color="#E4E4E4", zorder=0)
        axes.set_yticks(places, labels, fontsize=size)
        for text in axes.get_yticklabels():
            text.set_parse_math(False)
        axes.set(ylim=(len(labels) - 0.4, -0.6))
        axes.use_sticky_edges = False
        axes.margins(x=0.03)
        axes.set_xlabel(f"mean on new items, less that of {labels[0]}", parse_math=False)
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=True, axis="x")
        axes.spines[:].set_visible(False)
        words = "difference on these items"
        point = Line2D([], [], marker="o", ls="", color=_POINT, markersize=4, label=words)
        return [*status_marks("the best"), point]


def labels_where(labels: Sequence[str], which: Any) -> list[str]:
    """The labels at which an array is true."""
    return [label for label, each in zip(labels, which.tolist(), strict=True) if each]
