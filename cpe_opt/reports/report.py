"""What an analysis is: text and tables for people, a frame for scripts, plain values for JSON."""

from __future__ import annotations

import dataclasses
import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpe_opt.problems.pairs import VoteSummary

if TYPE_CHECKING:
    import pandas as pd


DELTA = 0.05
"""The probability of an error for which reports give numbers of samples."""
_LISTED = 10
_LONGEST_LABEL = 28  # letters


@dataclass(frozen=True)
class TextTable:
    """A table for people: a heading a column, and rows of cells."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    title: str = ""

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


class Analysis(ABC):
    """What a problem looks like; ``print`` it to read it."""

    @property
    @abstractmethod
    def name(self) -> str:
        """That of what it is about."""

    @abstractmethod
    def report(self) -> list[str | TextTable]:
        """Lines and tables for people, in the order in which they are read."""

    @abstractmethod
    def table(self) -> pd.DataFrame:
        """One row per arm, edge or element, with unrounded numbers."""

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""

    def markdown(self) -> str:
        """The report as Markdown: tables as tables, sentences as a list below them."""
        blocks: list[str] = []
        lines: list[str] = []
        for part in (*self.report(), TextTable((), ())):
            if isinstance(part, str):
                indent = "  " * (len(part) > len(part.lstrip()))
                lines += [f"{indent}- {_marked_down(part.strip())}"] if part else []
                continue
            blocks += ["\n".join(lines)] if lines else []
            lines = []
            blocks += [part.markdown()] if part.columns else []
        return "\n\n".join(blocks) + "\n"

    def __str__(self) -> str:
        return "\n".join(map(str, self.report()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


def _marked_down(text: str) -> str:
    """A text of which Markdown takes nothing for a mark."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", text)


def votes_of(summary: VoteSummary | None) -> dict[str, Any] | None:
    """How much a log knows, as plain values."""
    return None if summary is None else dataclasses.asdict(summary)


def vote_lines(
    summary: VoteSummary | None, labels: Sequence[str], *, of_arms: bool = True
) -> list[str]:
    """How much a log knows: what winners and bounds rest on; nothing without a log.

    ``of_arms`` is whether votes are on arms, and may be read by clusters.
    """
    if summary is None:
        return []
    met = summary.pairs - len(summary.never_met)
    lines = [
        f"votes: {summary.duels:,} on {met:,} of {summary.pairs:,} pairs, {summary.fewest:,} to "
        f"{summary.most:,} a pair (median {summary.median:,g}); {summary.tied:,} were ties, half a "
        "win for each"
    ]
    if summary.never_met:
        lines.append(f"never met, taken for tied: {listed_pairs(summary.never_met, labels)}")
    if summary.both_bad:
        lines.append(f"of the ties, {summary.both_bad:,} say that both are bad; they count as ties")
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
    lines += [each.warning("votes") for each in summary.clusters]
    if of_arms and summary.clusters:
        options = " or ".join(f"--cluster {shlex.quote(each.column)}" for each in summary.clusters)
        lines.append(f"cpe-opt evidence {options} takes together the votes that share a value")
    return lines


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
        f"{by.clusters:,} clusters of votes by {by.column!r}, {by.smallest:,} to {by.largest:,} "
        f"votes each (median {by.median:,g}): the mean of a cluster on a pair is one outcome, "
        "whatever its size; what is said is about the mean over clusters, which have to be "
        "independent of each other; votes of one may depend on each other in any way, but which "
        "pairs it votes on, and how often, not on its own votes"
    )
    if by.pairs_differ:
        lines.append(
            "warning: clusters have votes on different pairs; where their own votes chose these, "
            "as in a knock-out, what is called proved may be false; the vote of each that was cast "
            f"first is safe alone (--unique {by.column}, of a log in that order)"
        )
    if by.crossed:
        columns = " and ".join(map(repr, by.crossed))
        lines.append(
            f"warning: some values of {columns} are in several clusters; votes that share one may "
            f"depend on each other, too, and {by.column!r} alone does not cover that: name the "
            "coarser column, or take one vote of each combination "
            f"(--unique {','.join((*by.crossed, by.column))},pair)"
        )
    return lines


def listed_pairs(pairs: Sequence[tuple[int, int]], labels: Sequence[str]) -> str:
    """Pairs by their labels, the first of many."""
    shown = ", ".join(f"{labels[i]} – {labels[j]}" for i, j in pairs[:_LISTED])
    return f"{shown}, … ({len(pairs):,} pairs)" if len(pairs) > _LISTED else shown or "none"


def shortened_label(label: str) -> str:
    """The label, or the start of a long one."""
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"
