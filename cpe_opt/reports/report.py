"""One report, whatever it is about: a title, a sentence, facts, tables, pictures and notes.

It is built once and shown as text, as Markdown, in a notebook, and as a page of HTML that loads
nothing. What a script reads as JSON is :meth:`Analysis.as_dict`.
"""

from __future__ import annotations

import dataclasses
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.files import atomic_write, check_output
from cpe_opt.problems.pairs import VoteSummary
from cpe_opt.reports.findings import clustering_findings, unnamed_clusters

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MOST_IN_MATRIX = 40
"""Of arms, the first so many are shown against each other."""
_LONGEST_LABEL = 28  # letters
_LISTED = 10  # pairs; of more, their number is said
_SHORT, _LONG = 12, 30  # letters of a cell


@dataclass(frozen=True)
class TextTable:
    """A table for people: a heading a column, and rows of cells."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    title: str = ""

    @classmethod
    def of(cls, columns: Mapping[str, Iterable[object]], title: str = "") -> TextTable:
        """The table of some columns, by their headings."""
        return cls(list(columns), list(zip(*columns.values(), strict=True)), title)

    def __str__(self) -> str:
        lines = [list(map(str, row)) for row in (self.columns, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        shown = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in lines
        ]
        return "\n".join([self.title, *shown] if self.title else shown)

    def markdown(self) -> str:
        """The same as Markdown, as GitHub shows it."""
        rows = [
            f"| {' | '.join(_marked_down(str(cell)) for cell in row)} |"
            for row in (self.columns, *self.rows)
        ]
        rows.insert(1, f"|{'---|' * len(self.columns)}")
        return "\n".join([f"**{_marked_down(self.title)}**", "", *rows] if self.title else rows)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairMatrix:
    """How K arms did against each other, the best arm first; arrays are (K, K)."""

    labels: tuple[str, ...]
    share: FloatArray  # of its comparisons with the column's arm, won by the row's; NaN without any
    count: FloatArray  # of comparisons
    sure: BoolArray  # whether it is proved that the row's arm beats the column's

    def rows(self) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
        """Of the first arms: a label, and for each column a class, a text, and this in words."""
        shown = range(min(len(self.labels), MOST_IN_MATRIX))
        for i in shown:
            yield self.labels[i], [self._cell(i, j) for j in shown]

    def _cell(self, i: int, j: int) -> tuple[str, str, str]:
        if i == j:
            return "", "", ""
        share, names = self.share[i, j], f"{self.labels[i]} – {self.labels[j]}"
        if not self.count[i, j] or np.isnan(share):
            return "", "·", f"{names}: never compared"
        wins, loses = self.sure[i, j], self.sure[j, i]
        kind = (
            "w" if wins else "l" if loses else "a" if share > 0.5 else "b" if share < 0.5 else "e"
        )
        percent, proved = f"{100.0 * share:.0f}", ", proved" if wins or loses else ""
        return kind, percent, f"{names}: {percent} % of {self.count[i, j]:,.10g}{proved}"


@dataclass(frozen=True)
class Picture:
    """A figure that is drawn for a page alone, and what it shows in words, another for each."""

    words: str
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class Code:
    """Lines as they are; below a name that opens them, if there is one."""

    text: str
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class DeltaPart:
    """What may be wrong with which probability, at most."""

    what: str  # the statements that share a part of delta
    by: str  # what proves them
    delta: float  # their part


Part: TypeAlias = str | TextTable
PagePart: TypeAlias = str | TextTable | Picture | Code


@dataclass(frozen=True, kw_only=True, eq=False)
class Report:
    """What is known, for whoever decides; ``print`` it, or write its page."""

    title: str = ""
    summary: str = ""  # the whole in a sentence or two
    proved: bool = False  # whether a winner is
    facts: tuple[tuple[str, str], ...] = ()  # how much was asked, what it cost, how answers look
    votes: tuple[str, ...] = ()  # how many there are, and how they were read
    lines: tuple[str, ...] = ()  # what is proved, and what is not, one sentence each
    delta_parts: tuple[DeltaPart, ...] = ()
    arms: TextTable | None = None  # the best first
    order: str = ""  # by what, for a page
    ranks: Picture | None = None
    pairs: PairMatrix | None = None
    open: tuple[Part, ...] = ()  # why the rest is open, and what would settle it
    parts: tuple[PagePart, ...] = ()  # others, such as a table of raters
    warnings: tuple[str, ...] = ()  # what the proof assumes and may not hold here
    reports: tuple[Report, ...] = ()  # of groups, each below its title
    about: tuple[str, ...] = ()  # what the words mean

    def __iter__(self) -> Iterator[Part]:
        """Lines and tables for people, in the order in which they are read."""
        yield from filter(None, (self.title, self.summary))
        width = max((len(name) for name, _ in self.facts), default=0)
        if self.facts:
            yield ""
            yield from (f"{name.ljust(width)}  {value}" for name, value in self.facts)
        if self.arms is not None:
            yield from ("", self.arms) if self.facts else (self.arms,)
        yield from (*self.votes, *self.lines, *self.open, *self.warnings)
        yield from (part for part in self.parts if isinstance(part, str | TextTable))
        for each in self.reports:
            yield from ("", *each)

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def markdown(self) -> str:
        """The same as Markdown: tables as tables, sentences as a list below them."""
        blocks: list[str] = []
        for is_line, parts in groupby(self, lambda part: isinstance(part, str)):
            if is_line:
                lines = [
                    f"{'  ' * str(part).startswith(' ')}- {_marked_down(str(part).strip())}"
                    for part in parts
                    if part
                ]
                blocks += ["\n".join(lines)] if lines else []
            else:
                blocks += [part.markdown() for part in parts if isinstance(part, TextTable)]
        return "\n\n".join(blocks) + "\n"

    def html(self) -> str:
        """The page."""
        from jinja2 import Environment, FileSystemLoader

        folder = FileSystemLoader(Path(__file__).parent)
        pages = Environment(loader=folder, autoescape=True, trim_blocks=True, lstrip_blocks=True)
        pages.filters |= {
            "kind": _kind,
            "short": shortened_label,
            "svg": _svg,
            "together": _together,
        }
        return pages.get_template("page.html").render(report=self)

    def delta_table(self) -> TextTable:
        """Which statement has which part of delta."""
        rows = [[each.what, each.by, f"{each.delta:.4g}"] for each in self.delta_parts]
        total = sum(each.delta for each in self.delta_parts)
        head = ["what", "proved by", "probability of an error, at most"]
        return TextTable(head, [*rows, ["all of it at once", "", f"{total:.4g}"]])

    def write(self, path: str | os.PathLike[str], *, force: bool = True) -> Path:
        """Write the page to a path that ends in .html, which ``force`` overwrites."""
        check_output(path, (".html",), force=force)
        text = self.html()
        with atomic_write(path) as temporary:
            temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
        return Path(path)


class Analysis(ABC):
    """What a problem looks like, or what answers prove; ``print`` it to read it."""

    @property
    @abstractmethod
    def name(self) -> str:
        """That of what it is about."""

    @abstractmethod
    def report(self) -> Report:
        """Lines and tables for people."""

    @abstractmethod
    def table(self) -> pd.DataFrame:
        """One row per arm, edge or element, with unrounded numbers."""

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""

    def markdown(self) -> str:
        """The report as Markdown."""
        return self.report().markdown()

    def __str__(self) -> str:
        return str(self.report())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


def _marked_down(text: str) -> str:
    """A text of which Markdown takes nothing for a mark."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", text)


def _kind(cell: object) -> str:
    """The class of a cell: what is proved, and which texts are not broken or have more room."""
    text = str(cell)
    if text in ("proved", "possible", "ruled out"):
        return text.replace(" ", "-")
    return "short" if len(text) <= _SHORT else "long" if len(text) > _LONG else "middle"


def _svg(picture: Picture) -> str:
    """The picture without names of groups, which are the same in every picture of a page."""
    from cpe_opt.reports.drawing import svg_text

    text = svg_text(picture.draw(), picture.words)
    return re.sub(r'<g id="[^"]*"', "<g", text[text.index("<svg") :])


def _together(parts: Iterable[PagePart]) -> Iterator[tuple[bool, list[PagePart]]]:
    """Parts in turn, and whether they are the lines of a list, which are indented."""
    for listed, some in groupby(parts, lambda each: isinstance(each, str) and each[:2] == "  "):
        yield listed, list(some)


def votes_of(summary: VoteSummary | None) -> dict[str, Any] | None:
    """How much a log knows, as plain values."""
    return None if summary is None else dataclasses.asdict(summary)


def vote_lines(
    summary: VoteSummary | None, labels: Sequence[str], *, of_arms: bool = True
) -> list[str]:
    """How much a log knows, if there is one; votes ``of_arms`` may be read by clusters."""
    if summary is None:
        return []
    met = summary.pairs - len(summary.never_met)
    lines = [
        f"votes: {summary.duels:,} on {met:,} of {summary.pairs:,} pairs, {summary.fewest:,} to "
        f"{summary.most:,} a pair (median {summary.median:,g}); {summary.tied:,} "
        f"{'was a tie' if summary.tied == 1 else 'were ties'}, half a win for each"
    ]
    if summary.never_met:
        number = len(summary.never_met)
        few = number <= _LISTED
        which = listed_pairs(summary.never_met, labels) if few else f"{number:,} pairs"
        lines.append(f"never met, taken for tied: {which}")
    if summary.both_bad:
        lines.append(f"ties that say that both are bad, and count as ties: {summary.both_bad:,}")
    if summary.reading:
        lines.append(summary.reading)
    if summary.graded:
        lines.append(
            f"{summary.graded:,} votes are shares, between a win and a loss; to beat is to get "
            "more than one half in the mean"
        )
    lines += [f"left out: {votes:,} {what}" for what, votes in summary.skipped]
    if summary.unranked == "last":
        lines.append(
            f"incomplete rankings: {summary.incomplete:,} of {summary.rankings:,} leave some out, "
            "which are taken to come last, tied; what is said is about the rankings read so"
        )
    if summary.selected:
        lines.append(
            "nothing is proved of pairs that some votes leave out because of what these say: "
            f"{listed_pairs(summary.selected, labels)}"
        )
    lines += _grouping_lines(summary)
    if summary.unused:
        lines.append(f"columns not read: {', '.join(summary.unused)}")
    unnamed = unnamed_clusters(summary.clusters, "votes")
    lines += [f"warning: {each.what}" for each in unnamed]
    return lines + [f"cpe-opt evidence {each.do}" for each in unnamed if of_arms]


def _grouping_lines(summary: VoteSummary) -> list[str]:
    """How votes were taken together, or left out, by columns of the log."""
    lines = []
    if summary.files:
        each = ", ".join(f"{name} {votes:,}" for name, votes in summary.files)
        lines.append(f"from {len(summary.files):,} files, read as one: {each}")
    lines += [
        f"only votes {words}: {left_out:,} others are left out"
        for words, left_out in summary.filters
    ]
    if summary.filters:
        lines.append(
            "what is said assumes that these votes were chosen without looking at who wins among "
            "them"
        )
    if summary.unique:
        lines.append(
            f"of each combination of {', '.join(summary.unique)} the first vote counts alone; "
            f"{summary.left_out:,} further ones are left out"
        )
    by = summary.clustering
    if by is None:
        return lines
    lines.append(
        f"{by.clusters:,} cluster{'s' * (by.clusters != 1)} of votes by {by.column!r}, "
        f"{by.smallest:,} to {by.largest:,} votes each (median {by.median:,g}): the mean of a "
        "cluster on a pair is one outcome, whatever its size; what is said is about the mean over "
        "clusters, which have to be independent of each other; votes of one may depend on each "
        "other in any way, but which pairs it votes on, and how often, not on its own votes"
    )
    return lines + [each.warning for each in clustering_findings(by)]


def listed(texts: Sequence[str], what: str, most: int = 10) -> str:
    """Such as ``a, b, … (12 arms)``: the first of many."""
    shown = ", ".join(texts[:most])
    return f"{shown}, … ({len(texts):,} {what})" if len(texts) > most else shown


def listed_pairs(pairs: Sequence[tuple[int, int]], labels: Sequence[str]) -> str:
    """Pairs by their labels, the first of many."""
    return listed([f"{labels[i]} – {labels[j]}" for i, j in pairs], "pairs") or "none"


def shortened_label(label: str) -> str:
    """The label, or the start of a long one."""
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"
