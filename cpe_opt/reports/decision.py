r"""The report for whoever decides: what is proved, what it cost, and why the rest is open.

A *decision* is one object for three sources: what votes prove (:func:`cpe_opt.evidence`), a session
(:meth:`cpe_opt.Session.report`) and :func:`cpe_opt.best_of`. It begins with one sentence, the
summary. All that is called proved in it is right at once with probability at least
:math:`1 - \delta`; a table says which statement has which part of :math:`\delta`. Arms are ranked.
The page is HTML that loads nothing, for phones and for paper.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from pathlib import Path

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.problems.pairs import VoteSummary
from cpe_opt.proofs.dueling.evidence import delta_without_margin
from cpe_opt.proofs.dueling.remaining_duels import round_robin_duels
from cpe_opt.proofs.dueling.winners import BORDA_SHARE, COPELAND_SHARE, PAIRS_SHARE
from cpe_opt.reports.evidence import Evidence, proved_winners
from cpe_opt.reports.evidence_by import EvidenceByGroup
from cpe_opt.reports.html import html_matrix, html_page, html_picture, html_table, write_page
from cpe_opt.reports.panel_evidence import PanelEvidence
from cpe_opt.reports.report import TextTable
from cpe_opt.validation import checked_types

MOST_IN_MATRIX = 40
"""Of arms, the first so many are shown against each other."""
_ORDER = (
    "By the mean share of wins against each other arm (Borda score), one half where two never met; "
    "that estimate is not proved, the range of ranks is."
)
_SHORT, _LONG = 12, 30  # letters
_ABOUT = (
    "An arm beats another if it would win more than half of their duels. A Copeland winner is an "
    "arm that no more arms beat than any other; the Condorcet winner beats all others, if there is "
    "such an arm; the Borda winner has the largest mean probability to win.",
    "“Proved” means more than “estimated”. Everything that is called proved or ruled out here, "
    "taken together, is right with a probability of at least {right:.10g} %, whatever rule chose "
    "each pair by the votes before it, and also if one looks again and again at a growing log of "
    "these arms and stops when one likes.",
    "All of it assumes that a vote is a win with its pair's probability, whatever was answered "
    "before. Votes of one judge, user or prompt may depend on each other; and where probabilities "
    "drift across one half, nothing is claimed about their averages.",
    "“Possible” means that the votes do not exclude it. The last column names pairs that would "
    "have to be the other way round for the arm to be a Copeland winner.",
)
_ABOUT_PANELS = (
    "An assignment gives each position a candidate of its own. It is preferred to another one if, "
    "in the mean over the positions, its candidates would win more than half of the duels. The "
    "best assignment is preferred to every other, if there is such an assignment.",
    *_ABOUT[1:3],
    "“Possible” means that the votes do not exclude that the candidate holds the position in the "
    "best assignment.",
)
_ASSUMED = 2  # which of these says so
_CLUSTERS = (
    "All of it is about the mean over clusters, in which each cluster counts once, and assumes "
    "that clusters are independent of each other, and whole when one looks. Within a cluster votes "
    "may depend on each other in any way. Which pairs a cluster votes on, and how often, may "
    "depend on the clusters before it, and not on its own votes, as it does in a knock-out."
)
_CHOSEN = "whatever rule chose each pair by the votes before it", "whichever clusters come next"


@dataclass(frozen=True, kw_only=True)
class DeltaPart:
    """What may be wrong with which probability.

    Attributes
    ----------
    what : str
        The statements that share a part of delta.
    by : str
        What proves them.
    delta : float
        Their part: the probability that any of them is ever wrong, at most.
    """

    what: str
    by: str
    delta: float


@dataclass(frozen=True, kw_only=True, eq=False)
class PairMatrix:
    """How arms did against each other, the best arm first.

    Attributes
    ----------
    labels : tuple of str
        Of K arms.
    share : float array, shape (K, K)
        The part of its comparisons with the column's arm that the row's arm won; NaN without any.
    count : float array, shape (K, K)
        How many comparisons there are.
    sure : bool array, shape (K, K)
        Whether it is proved that the row's arm beats the column's.
    """

    labels: tuple[str, ...]
    share: FloatArray
    count: FloatArray
    sure: BoolArray


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionReport:
    """What is known when somebody has to decide; ``print`` it, or write its page.

    Attributes
    ----------
    title : str
    summary : str
        The whole in a sentence or two.
    proved : bool
        Whether a winner is.
    facts : tuple of (str, str)
        Names and values: how much was asked, what it cost, how answers look.
    delta : float
        The probability that anything called proved is wrong, at most.
    lines : tuple of str
        What is proved, and what is not, one sentence each.
    delta_parts : tuple of DeltaPart
        Which statement has which part of delta.
    arms : TextTable or None
        The best first.
    pairs : PairMatrix or None
    evidence : Evidence or None
        Whose ranks are drawn.
    open : tuple of str or TextTable
        Why the rest is open, and what would settle it; empty where nothing is.
    tables : tuple of str or TextTable
        Others, such as one of raters, and what they mean.
    warnings : tuple of str
        What the proof assumes and may not hold here.
    about : tuple of str
        What the words mean.
    """

    title: str
    summary: str
    proved: bool
    facts: tuple[tuple[str, str], ...]
    delta: float
    lines: tuple[str, ...] = ()
    delta_parts: tuple[DeltaPart, ...] = ()
    arms: TextTable | None = None
    pairs: PairMatrix | None = None
    evidence: Evidence | None = None
    open: tuple[str | TextTable, ...] = ()
    tables: tuple[str | TextTable, ...] = ()
    warnings: tuple[str, ...] = ()
    about: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts: list[object] = [self.title, self.summary, ""]
        width = max((len(name) for name, _ in self.facts), default=0)
        parts += [f"{name.ljust(width)}  {value}" for name, value in self.facts]
        parts += ["", self.arms] if self.arms is not None else []
        parts += [*self.lines, *self.open, *self.warnings, *self.tables]
        return "\n".join(map(str, parts))

    def write(self, path: str | os.PathLike[str], *, force: bool = True) -> Path:
        """Write the page.

        Parameters
        ----------
        path : path ending in .html
        force : bool
            Whether a file that is there may be overwritten.

        Raises
        ------
        InputError
            Where the path does not end in .html, or exists.
        """
        return write_page(path, self.html, force=force)

    def html(self) -> str:
        """The page."""
        return html_page(self.title, [f"<h1>{escape(self.title)}</h1>", *self.parts(2)])

    def parts(self, level: int) -> list[str]:
        """The page without its title, with headings from a level on."""

        def headed(text: str, parts: Sequence[str]) -> list[str]:
            return [f"<h{level}>{text}</h{level}>", *parts] if parts else []

        sure = " sure" if self.proved else ""
        facts = "\n".join(
            f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in self.facts
        )
        return [
            f'<p class="summary{sure}">{escape(self.summary)}</p>',
            *(f"<p>{escape(each)}</p>" for each in self.warnings),
            f"<dl>\n{facts}\n</dl>",
            *headed("Ranking", self._ranking()),
            *headed("Ranks", self._ranks()),
            *headed("Who beats whom", self._matrix()),
            *headed("Why the rest is open, and what would settle it", _parts(self.open)),
            *headed("What is proved", self._proved()),
            *_parts(self.tables),
            *headed("What this means", [f"<p>{escape(each)}</p>" for each in self.about]),
        ]

    def _ranking(self) -> list[str]:
        if self.arms is None:
            return []
        order = [] if self.evidence is None else [f"<p>{_ORDER}</p>"]
        return [*order, html_table(self.arms, _status)]

    def _ranks(self) -> list[str]:
        """The picture of rank intervals, where they say something."""
        arms = 0 if self.evidence is None else self.evidence.votes.arms
        if self.evidence is None or set(self.evidence.ranks.values()) == {(1, arms)}:
            return []
        from cpe_opt.reports.rank_plot import plot_ranks

        figure = plot_ranks(self.evidence).get_figure(root=True)
        assert figure is not None
        return [html_picture(figure, f"{self.title}: the ranks by Borda score that are possible")]

    def _matrix(self) -> list[str]:
        if self.pairs is None:
            return []
        pairs, most = self.pairs, min(len(self.pairs.labels), MOST_IN_MATRIX)
        more = len(pairs.labels) - most
        first = slice(0, most)
        few = f" Of {len(pairs.labels):,} arms the first {most} are shown." if more else ""
        return [
            "<p>Percent of its comparisons that the row\u2019s arm won against the column\u2019s. "
            f"Full colour: proved. A dot: never compared.{few}</p>",
            html_matrix(
                pairs.labels[first],
                pairs.share[first, first],
                pairs.count[first, first],
                pairs.sure[first, first],
                f"{self.title}: who beats whom",
            ),
        ]

    def _proved(self) -> list[str]:
        """The sentences, and the parts of delta."""
        items = "\n".join(f"<li>{escape(line)}</li>" for line in self.lines)
        parts = [f"<ul>\n{items}\n</ul>"] if self.lines else []
        if self.delta_parts:
            rows = [[each.what, each.by, f"{each.delta:.4g}"] for each in self.delta_parts]
            total = sum(each.delta for each in self.delta_parts)
            rows.append(["all of it at once", "", f"{total:.4g}"])
            head = ["what", "proved by", "probability of an error, at most"]
            parts.append(html_table(TextTable(head, rows)))
        return parts


def _parts(parts: Sequence[str | TextTable]) -> list[str]:
    """Paragraphs and tables; lines that are indented are a list."""
    written = []
    for listed, each in groupby(parts, _indented):
        if listed:
            items = "\n".join(f"<li>{escape(str(part).strip())}</li>" for part in each)
            written.append(f"<ul>\n{items}\n</ul>")
            continue
        written += [
            f"<p>{escape(part)}</p>" if isinstance(part, str) else html_table(part, _status)
            for part in each
        ]
    return written


def _indented(part: str | TextTable) -> bool:
    return isinstance(part, str) and part.startswith("  ")


def _status(text: str) -> str:
    """The class of a cell: what is proved, and which texts are not broken or have more room."""
    if text in ("proved", "possible", "ruled out"):
        return text.replace(" ", "-")
    return "short" if len(text) <= _SHORT else "long" if len(text) > _LONG else "middle"


def evidence_report(evidence: Evidence, title: str | None = None) -> DecisionReport:
    """The decision on votes alone."""
    votes = evidence.votes
    lines = evidence.proof_lines()
    return DecisionReport(
        title=f"{votes.name}: what the votes prove" if title is None else title,
        summary=_summary(evidence),
        proved=bool(proved_winners(evidence)) or "proved" in evidence.within_margin.values(),
        facts=(*vote_facts(votes.summary, votes.arms), *costs(evidence)),
        delta=evidence.delta,
        lines=tuple(lines),
        delta_parts=evidence_parts(evidence),
        arms=evidence.arms_table(in_words=True),
        pairs=pair_matrix(evidence),
        evidence=evidence,
        open=open_points(evidence),
        tables=tuple(evidence.strength_parts()),
        about=meaning(evidence.delta, clusters=votes.summary.clustering is not None),
    )


def panel_report(evidence: PanelEvidence, title: str | None = None) -> DecisionReport:
    """The report on votes at positions."""
    first, *lines = evidence.proof_lines()
    graph = evidence.duels.graph
    summary = evidence.duels.vote_summary
    facts = [
        ("positions", f"{len(graph.position_labels):,}"),
        ("candidates", f"{len(graph.candidate_labels):,}"),
        *([] if summary is None else [("votes", f"{summary.duels:,}")]),
    ]
    right = 100.0 * (1.0 - evidence.delta)
    return DecisionReport(
        title=f"{evidence.name}: what the votes prove" if title is None else title,
        summary=f"{first[0].upper()}{first[1:]}.",
        proved=evidence.proved,
        facts=tuple(facts),
        delta=evidence.delta,
        lines=tuple(lines),
        arms=evidence.positions_table(),
        open=tuple(evidence.next_lines()),
        about=tuple(text.format(right=right) for text in _ABOUT_PANELS),
    )


def evidence_parts(evidence: Evidence) -> tuple[DeltaPart, ...]:
    """The parts of delta of what votes prove."""
    part = delta_without_margin(evidence.delta, evidence.margin)
    rest = evidence.delta - part
    if evidence.votes.arms == 2:
        by = "the e-values of their pair"
        whole = DeltaPart(what="who beats whom, winners and ranks", by=by, delta=part)
        within = f"equal, and winners, within {evidence.margin:.10g}"
        return (whole, DeltaPart(what=within, by=by, delta=rest)) if rest else (whole,)
    pairs = "who beats whom, Condorcet winners, tiers", "an e-value for each pair"
    weakest = "Copeland winners", "the weakest truth under which each would be wrong"
    found = [
        DeltaPart(what=pairs[0], by=pairs[1], delta=PAIRS_SHARE * part),
        DeltaPart(what=weakest[0], by=weakest[1], delta=COPELAND_SHARE * part),
        DeltaPart(
            what="Borda winners, ranks by Borda score",
            by="a mixture for every two arms",
            delta=BORDA_SHARE * evidence.delta,
        ),
    ]
    if rest:
        within = f"within {evidence.margin:.10g}"
        found += [
            DeltaPart(what=f"pairs that are equal {within}", by=pairs[1], delta=PAIRS_SHARE * rest),
            DeltaPart(what=f"winners {within}", by=weakest[1], delta=COPELAND_SHARE * rest),
        ]
    return tuple(found)


def vote_facts(summary: VoteSummary, arms: int) -> list[tuple[str, str]]:
    """How many votes there are, of what."""
    met = summary.pairs - len(summary.never_met)
    ties = (
        f"{summary.tied:,} ({100.0 * summary.tied / summary.duels:.0f} %)" if summary.duels else "0"
    )
    return [
        ("arms", f"{arms:,}"),
        ("votes", f"{summary.duels:,} on {met:,} of {summary.pairs:,} pairs"),
        ("ties", ties),
    ]


def costs(evidence: Evidence) -> list[tuple[str, str]]:
    """What a proof takes from here, and what it would have taken in turn."""
    remaining, labels = evidence.remaining, evidence.votes.labels
    leader = labels[remaining.winner]
    proved = evidence.copeland[leader] == "proved"
    found = []
    if not proved and remaining.duels is not None:
        number = int(np.triu(remaining.duels).sum())
        cost = "" if remaining.cost == number else f", cost {remaining.cost:,.10g}"
        found.append((f"to prove that {leader} wins", f"about {number:,} further duels{cost}"))
    part = delta_without_margin(evidence.delta, evidence.margin)
    in_turn = round_robin_duels(evidence.votes, evidence.estimate, part, remaining.winner)
    if math.isfinite(in_turn):
        found.append(("every pair equally often", f"about {in_turn:,.0f} duels to prove the same"))
    return found


def pair_matrix(evidence: Evidence) -> PairMatrix:
    """All pairs, the best arm first."""
    votes, order = evidence.votes, list(evidence.ranking)
    count = votes.duels
    share = np.divide(votes.wins, count, out=np.full_like(count, np.nan), where=count > 0.0)
    grid = np.ix_(order, order)
    return PairMatrix(
        labels=tuple(votes.labels[arm] for arm in order),
        share=share[grid],
        count=count[grid],
        sure=evidence.beats[grid],
    )


def open_points(evidence: Evidence) -> tuple[str | TextTable, ...]:
    """What keeps a winner from being proved, and the duels that would prove one."""
    if "proved" in evidence.copeland.values():
        return ()
    return (*evidence.explanation_lines(), *evidence.remaining_lines())


def meaning(delta: float, *, clusters: bool) -> tuple[str, ...]:
    """What the words mean."""
    about = list(_ABOUT)
    if clusters:
        about[_ASSUMED] = _CLUSTERS
        about[_ASSUMED - 1] = about[_ASSUMED - 1].replace(*_CHOSEN)
    return tuple(text.format(right=100.0 * (1.0 - delta)) for text in about)


def _summary(evidence: Evidence) -> str:
    """Who wins, or who is ahead, in a sentence or two."""
    right = f"{100.0 * (1.0 - evidence.delta):.10g} %"
    winners = proved_winners(evidence)
    if winners:
        return f"Proved at {right}: {winners}."
    ranked = [evidence.votes.labels[arm] for arm in evidence.ranking]
    within = [label for label in ranked if evidence.within_margin.get(label) == "proved"]
    if within:
        margin = f"{evidence.margin:.10g}"
        return f"Proved at {right}: no arm is ahead of {', '.join(within)} by more than {margin}."
    possible = sum(status == "possible" for status in evidence.copeland.values())
    left = "any arm" if possible == len(ranked) else f"{possible:,} of {len(ranked):,} arms"
    return f"No winner is proved yet. {leading(evidence)}; {left} may be a Copeland winner."


def leading(evidence: Evidence) -> str:
    """Who is ahead by the estimates: of Copeland winners, and of Borda scores if it is another."""
    labels = evidence.votes.labels
    copeland, borda = labels[evidence.remaining.winner], labels[evidence.ranking[0]]
    if copeland == borda:
        return f"{copeland} is ahead"
    return f"{copeland} loses to the fewest others, {borda} has the largest mean share of wins"


@checked_types
def write_evidence_page(
    evidence: Evidence | EvidenceByGroup | PanelEvidence,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    force: bool = True,
) -> Path:
    """Write the page of what votes prove.

    Parameters
    ----------
    evidence : Evidence, EvidenceByGroup or PanelEvidence
        From :func:`cpe_opt.evidence`, :func:`cpe_opt.evidence_by` or
        :func:`cpe_opt.panel_evidence`.
    path : path ending in .html
    title : str, optional
        By default the name of the votes.
    force : bool
        Whether a file that is there may be overwritten.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        Where the path does not end in .html, or exists.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> found = cpe.evidence(cpe.Votes([[0, 60, 9], [20, 0, 30], [6, 8, 0]]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_evidence_page(found, f"{folder}/votes.html").read_text(encoding="utf-8")
    >>> page.startswith("<!DOCTYPE html>"), "0 is ahead" in page
    (True, True)
    """
    return write_page(path, lambda: evidence_page(evidence, title), force=force)


def evidence_page(
    evidence: Evidence | EvidenceByGroup | PanelEvidence, title: str | None = None
) -> str:
    """The HTML of the page of what votes prove."""
    if isinstance(evidence, PanelEvidence):
        return panel_report(evidence, title).html()
    if isinstance(evidence, EvidenceByGroup):
        return _groups_page(evidence, title)
    return evidence_report(evidence, title).html()


def _groups_page(evidence: EvidenceByGroup, title: str | None) -> str:
    """The same group by group, below a table of all of them."""
    title = f"What the votes prove, by {evidence.by}" if title is None else title
    boards = {group: evidence_report(board) for group, board in evidence.items()}
    clusters = all(each.votes.summary.clustering is not None for each in evidence.values())
    parts = [
        f"<h1>{escape(title)}</h1>",
        html_table(evidence.summary_table(), _status),
        *(f"<p>{escape(line)}</p>" for line in evidence.summary_lines()),
    ]
    for group, board in boards.items():
        parts.append(f"<h2>{escape(f'{evidence.by}: {group}')}</h2>")
        few = evidence[group].votes.arms <= MOST_IN_MATRIX
        parts += replace(board, about=(), evidence=board.evidence if few else None).parts(3)
    about = meaning(evidence.delta, clusters=clusters)
    parts += ["<h2>What this means</h2>", *(f"<p>{escape(each)}</p>" for each in about)]
    return html_page(title, parts)
