"""What an analysis is: text and tables for people, a frame for scripts, plain values for JSON."""

from __future__ import annotations

import dataclasses
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


class Analysis(ABC):
    """What a problem looks like; ``print`` it to read it."""

    @abstractmethod
    def report(self) -> list[str | TextTable]:
        """Lines and tables for people, in the order in which they are read."""

    @abstractmethod
    def table(self) -> pd.DataFrame:
        """One row per arm, edge or element, with unrounded numbers."""

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.report()))


def votes_of(summary: VoteSummary | None) -> dict[str, Any] | None:
    """How much a log knows, as plain values."""
    return None if summary is None else dataclasses.asdict(summary)


def vote_lines(summary: VoteSummary | None, labels: Sequence[str]) -> list[str]:
    """How much a log knows: what winners and bounds rest on; nothing without a log."""
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
    if summary.unused:
        lines.append(f"columns not read: {', '.join(summary.unused)}")
    return [*lines, *(each.warning("votes") for each in summary.clusters)]


def listed_pairs(pairs: Sequence[tuple[int, int]], labels: Sequence[str]) -> str:
    """Pairs by their labels, the first of many."""
    shown = ", ".join(f"{labels[i]} – {labels[j]}" for i, j in pairs[:_LISTED])
    return f"{shown}, … ({len(pairs):,} pairs)" if len(pairs) > _LISTED else shown or "none"
