r"""The page on votes for whoever decides: what is proved, what it cost, and why the rest is open.

All that is called proved is right at once with probability at least :math:`1 - \delta`; a table
says which statement has which part of :math:`\delta`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.proofs.dueling.evidence import delta_without_margin
from cpe_opt.proofs.dueling.remaining_duels import round_robin_duels
from cpe_opt.proofs.dueling.winners import BORDA_SHARE, COPELAND_SHARE, PAIRS_SHARE
from cpe_opt.reports.evidence import (
    FEW_ARMS,
    MODEL,
    Evidence,
    EvidenceByGroup,
    model_reports,
    next_vote_lines,
    proof_lines,
    proved_winners,
    rank_words,
    within_words,
)
from cpe_opt.reports.item_evidence import ItemScoreEvidence
from cpe_opt.reports.panel_evidence import PanelEvidence
from cpe_opt.reports.report import MOST_IN_MATRIX, DeltaPart, PairMatrix, Part, Picture, Report
from cpe_opt.reports.team_evidence import TeamEvidence
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ORDER = (
    "By the mean share of wins against each other arm (Borda score), one half where two never met; "
    "that estimate is not proved, the range of ranks is."
)
_BY_STRENGTH = (
    "By strength under a model of strengths. Ranks and Elo’s points by the model hold in large "
    "samples, all at once, and are not proved; what is proved is in the other columns."
)
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
_ABOUT_MANY = (
    "Blank means that the votes neither prove nor exclude it.",
    "“Model” is one of strengths (Bradley and Terry's, with ties): that of an arm says at once how "
    "it does against all others. Ranks and Elo's points by it are right about {right:.10g} % of "
    "the time, those of all arms at once, if that is so, if votes are many, and at one look. They "
    "are not proved.",
)
_ABOUT_PANELS = (
    "An assignment gives each position a candidate of its own. It is preferred to another one if, "
    "in the mean over the positions, its candidates would win more than half of the duels. The "
    "best assignment is preferred to every other, if there is such an assignment.",
    *_ABOUT[1:3],
    "“Possible” means that the votes do not exclude that the candidate holds the position in the "
    "best assignment.",
)
_ABOUT_TEAMS = (
    "The score of a team is the sum of what its members add, and noise. The best team is the one "
    "of those that may be chosen whose members add the most.",
    "Everything that is called proved here, taken together, is right with a probability of at "
    "least {right:.10g} %, if scores do not depend on each other, and what else is named is so.",
    "“Possibly” means that the scores do not exclude that the member is in the best team.",
)
_ASSUMED = 2  # which of these says so
_CLUSTERS = (
    "All of it is about the mean over clusters, in which each cluster counts once, and assumes "
    "that clusters are independent of each other, and whole when one looks. Within a cluster votes "
    "may depend on each other in any way. Which pairs a cluster votes on, and how often, may "
    "depend on the clusters before it, and not on its own votes, as it does in a knock-out."
)
_CHOSEN = "whatever rule chose each pair by the votes before it", "whichever clusters come next"


@checked_types
def write_evidence_page(
    evidence: Evidence | EvidenceByGroup | ItemScoreEvidence | PanelEvidence | TeamEvidence,
    path: str | os.PathLike[str],
    *,
    force: bool = True,
) -> Path:
    """Write the page of what votes or scores prove to a path that ends in .html."""
    if isinstance(evidence, PanelEvidence):
        report = panel_report(evidence)
    elif isinstance(evidence, TeamEvidence):
        report = team_report(evidence)
    elif isinstance(evidence, EvidenceByGroup):
        report = groups_report(evidence)
    elif isinstance(evidence, ItemScoreEvidence):
        report = evidence.report()
    else:
        report = evidence_report(evidence)
    return report.write(path, force=force)


def evidence_report(evidence: Evidence) -> Report:
    """The report on votes of arms."""
    title, summary = f"{evidence.name}: what the votes prove", evidence.votes.summary
    met = summary.pairs - len(summary.never_met)
    share = f" ({100.0 * summary.tied / summary.duels:.0f} %)" if summary.duels else ""
    facts = [
        ("arms", f"{evidence.votes.arms:,}"),
        ("votes", f"{summary.duels:,} on {met:,} of {summary.pairs:,} pairs"),
        ("ties", f"{summary.tied:,}{share}"),
    ]
    return Report(
        title=title,
        summary=_summary(evidence),
        proved=bool(proved_winners(evidence)) or "proved" in evidence.within_margin.values(),
        facts=(*facts, *costs(evidence)),
        votes=tuple(evidence.vote_lines()),
        lines=tuple(proof_lines(evidence)),
        delta_parts=evidence_parts(evidence),
        arms=evidence.arms_table(in_words=True),
        order=ORDER if evidence.votes.arms <= FEW_ARMS else _BY_STRENGTH,
        ranks=ranks_picture(evidence, title),
        pairs=pair_matrix(evidence, evidence.order),
        open=(*open_points(evidence), *next_vote_lines(evidence)),
        reports=model_reports(evidence),
        about=meaning(
            evidence.delta,
            clusters=summary.clustering is not None,
            many=evidence.votes.arms > FEW_ARMS,
        ),
    )


def panel_report(evidence: PanelEvidence) -> Report:
    """The report on votes at positions."""
    report, graph = evidence.report(), evidence.duels.graph
    first, *lines = report.lines
    facts = [("positions", f"{graph.positions:,}"), ("candidates", f"{graph.candidates:,}")]
    if evidence.duels.vote_summary is not None:
        facts.append(("votes", f"{evidence.duels.vote_summary.duels:,}"))
    right = 100.0 * (1.0 - evidence.delta)
    return replace(
        report,
        title=f"{evidence.name}: what the votes prove",
        summary=f"{first[0].upper()}{first[1:]}.",
        proved=evidence.proved,
        facts=tuple(facts),
        lines=tuple(lines),
        about=tuple(text.format(right=right) for text in _ABOUT_PANELS),
    )


def team_report(evidence: TeamEvidence) -> Report:
    """The report on scores of teams."""
    report = evidence.report()
    sigma, proved, *lines = report.lines
    facts = [
        ("members", f"{evidence.decisions.size:,}"),
        ("to be chosen", evidence.decisions.name),
        ("scores", f"{int(evidence.scores.counts.sum()):,}"),
    ]
    return replace(
        report,
        title=f"{evidence.name}: what the scores prove",
        summary=f"{proved[0].upper()}{proved[1:]}.",
        proved=evidence.proved,
        facts=tuple(facts),
        lines=(sigma, *lines),
        order="By what each member adds to a score, by least squares, which is not proved.",
        about=tuple(text.format(right=100.0 * (1.0 - evidence.delta)) for text in _ABOUT_TEAMS),
    )


def groups_report(evidence: EvidenceByGroup) -> Report:
    """The reports on groups of votes, below a table of all of them."""
    clusters = all(each.votes.summary.clustering is not None for each in evidence.values())
    reports = []
    for group, board in evidence.items():
        report, title = evidence_report(board), f"{evidence.by}: {group}"
        few = board.votes.arms <= MOST_IN_MATRIX
        ranks = ranks_picture(board, title) if few else None
        reports.append(replace(report, title=title, about=(), ranks=ranks))
    return Report(
        title=f"What the votes prove, by {evidence.by}",
        parts=(evidence.summary_table(), *evidence.summary_lines()),
        reports=tuple(reports),
        about=meaning(evidence.delta, clusters=clusters),
    )


def ranks_picture(evidence: Evidence, title: str, *, model: bool = True) -> Picture | None:
    """The ranks that are possible, where they say something, also under a model."""
    unknown = {(1, evidence.votes.arms)}
    tables = evidence.model_ranks.tables[:1] if model else ()
    by_model = (each.ranks.values() for each in tables)
    if all(set(each) <= unknown for each in (evidence.ranks.values(), *by_model)):
        return None

    def draw() -> Figure:
        from cpe_opt.reports.drawing import figure_of
        from cpe_opt.reports.evidence_plot import plot_ranks

        return figure_of(plot_ranks(evidence, model=model))

    return Picture(f"{title}: the ranks that are possible", draw)


def evidence_parts(evidence: Evidence) -> tuple[DeltaPart, ...]:
    """The parts of delta of what votes prove."""
    part = delta_without_margin(evidence.delta, evidence.margin)
    rest = evidence.delta - part
    within = within_words(evidence.margin)
    if evidence.votes.arms == 2:
        by = "the e-values of their pair"
        found = [
            ("who beats whom, winners and ranks", by, part),
            (f"equal, and winners, {within}", by, rest),
        ]
    else:
        pairs, mixture = "an e-value for each pair", "a mixture for every two arms"
        weakest = "the weakest truth under which each would be wrong"
        found = [
            ("who beats whom, Condorcet winners, tiers", pairs, PAIRS_SHARE * part),
            ("Copeland winners", weakest, COPELAND_SHARE * part),
            ("Borda winners, ranks by Borda score", mixture, BORDA_SHARE * evidence.delta),
            (f"pairs that are equal {within}", pairs, PAIRS_SHARE * rest),
            (f"winners {within}", weakest, COPELAND_SHARE * rest),
        ]
    return tuple(DeltaPart(what=what, by=by, delta=each) for what, by, each in found if each)


def costs(evidence: Evidence) -> list[tuple[str, str]]:
    """What a proof takes from here, and what it would have taken in turn."""
    remaining = evidence.remaining
    leader = evidence.votes.labels[remaining.winner]
    found = []
    if evidence.copeland[leader] != "proved" and remaining.duels is not None:
        number = int(np.triu(remaining.duels).sum())
        cost = "" if remaining.cost == number else f", cost {remaining.cost:,.10g}"
        found.append((f"to prove that {leader} wins", f"about {number:,} further duels{cost}"))
    part = delta_without_margin(evidence.delta, evidence.margin)
    in_turn = round_robin_duels(evidence.votes, evidence.estimate, part, remaining.winner)
    if math.isfinite(in_turn):
        found.append(("every pair equally often", f"about {in_turn:,.0f} duels to prove the same"))
    return found


def pair_matrix(evidence: Evidence, order: Sequence[int]) -> PairMatrix:
    """All pairs, with the arms in the order of the page's ranking."""
    votes, grid = evidence.votes, np.ix_(order, order)
    with np.errstate(invalid="ignore"):
        share = votes.wins / votes.duels  # also where votes come in clusters
    return PairMatrix(
        labels=tuple(votes.labels[arm] for arm in order),
        share=share[grid],
        count=votes.duels[grid],
        sure=evidence.beats[grid],
    )


def open_points(evidence: Evidence) -> tuple[Part, ...]:
    """What keeps a winner from being proved, and the duels that would prove one."""
    proved = "proved" in evidence.copeland.values()
    return () if proved else (*evidence.explanation_lines(), *evidence.remaining_lines())


def meaning(delta: float, *, clusters: bool, many: bool = False) -> tuple[str, ...]:
    """What the words mean, on a page of many arms with ranks under a model."""
    about = [*_ABOUT[:-1], *_ABOUT_MANY] if many else list(_ABOUT)
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
    first = ""
    if evidence.votes.arms > FEW_ARMS and evidence.model_ranks.tables:
        table = evidence.model_ranks.tables[0]
        label, out = table.labels[0], table.without_interval
        rank = "" if label in out else f", its rank {rank_words(table.ranks[label])}"
        first = f" {MODEL.capitalize()}, {label} is first{rank}."
    return f"No winner is proved yet. {leading(evidence)}; {left} may be a Copeland winner.{first}"


def leading(evidence: Evidence) -> str:
    """Who is ahead by the estimates: of Copeland winners, and of Borda scores if it is another."""
    labels = evidence.votes.labels
    copeland, borda = labels[evidence.remaining.winner], labels[evidence.ranking[0]]
    if copeland == borda:
        return f"{copeland} is ahead"
    return f"{copeland} loses to the fewest others, {borda} has the largest mean share of wins"
