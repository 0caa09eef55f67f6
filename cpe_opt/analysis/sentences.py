"""What votes prove, in sentences that an editor of a leaderboard could print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cpe_opt.analysis.report import TextTable, listed_pairs
from cpe_opt.analysis.statements import Statements
from cpe_opt.formulations.dueling.cheapest_flips import CheapestFlips
from cpe_opt.formulations.dueling.proved_winners import Status
from cpe_opt.formulations.dueling.settling import Settling
from cpe_opt.problems.dueling.votes import Votes

_NAMED = 10
_FLIPS = 2
_EXPLAINED = 5
_PAIRS = 10


def proof_lines(said: Statements) -> list[str]:
    """What is proved, and at which confidence."""
    votes = said.votes
    pairs = votes.arms * (votes.arms - 1) // 2
    ranked = [votes.labels[arm] for arm in said.ranking]
    lines = [
        f"proved at {100.0 * (1.0 - said.delta):.10g} %, all of it at once, however often one "
        "looks:",
        f"who beats whom: proved for {int(said.beats.sum()):,} of {pairs:,} pairs",
        _winners("Copeland winner", {label: said.copeland[label] for label in ranked}),
        _winners("Condorcet winner", {label: said.condorcet[label] for label in ranked}),
        _winners("Borda winner", {label: said.borda[label] for label in ranked}),
    ]
    if not votes.independent:
        lines.append(
            "votes on several pairs are not independent: each pair was judged by itself, which "
            "proves less"
        )
    return lines


def _winners(what: str, statuses: dict[str, Status]) -> str:
    """Who is proved to be what, who may be, and how many are not."""
    proved, possible = (
        [label for label, status in statuses.items() if status == kind]
        for kind in ("proved", "possible")
    )
    if not proved and not possible:
        return f"{what}: it is proved that there is none"
    parts = [f"proved for {_listed(proved)}"] if proved else []
    parts += [f"possible for {_listed(possible)}"] if possible else []
    out = len(statuses) - len(proved) - len(possible)
    parts += [f"ruled out for {out:,} arm{'s' * (out > 1)}"] if out else []
    return f"{what}: {'; '.join(parts)}"


def flips_in_words(flips: CheapestFlips, labels: Sequence[str]) -> str:
    """Which pairs would have to be otherwise than voted: none for a winner by the estimate."""
    wanted = [f"{labels[i]} > {labels[j]}" for i, j in (*flips.pairs, *flips.undecided)]
    if len(wanted) > _FLIPS:
        return f"{', '.join(wanted[:_FLIPS])}, … ({len(wanted):,} pairs)"
    return ", ".join(wanted) or "nothing"


def explanation_lines(
    explanations: Mapping[str, CheapestFlips], labels: Sequence[str]
) -> list[str]:
    """The flips that would make the first few arms Copeland winners which are none as voted."""
    others = {label: flips for label, flips in explanations.items() if flips.pairs}
    lines = [
        f"  {label}: {flips_in_words(flips, labels)}"
        for label, flips in list(others.items())[:_EXPLAINED]
    ]
    if not lines:
        return []
    return [
        "each of these would be a Copeland winner if its pairs were the other way round:",
        *lines,
    ]


def settling_lines(plan: Settling, votes: Votes) -> list[str | TextTable]:
    """How many duels of which pairs would prove a Copeland winner."""
    labels = votes.labels
    if plan.duels is None:
        lines: list[str | TextTable] = [
            "at the present estimates no number of duels proves a Copeland winner"
        ]
        if plan.undecided:
            lines.append(
                "to be asked about first, undecided or never met: "
                f"{listed_pairs(plan.undecided, labels)}"
            )
        return lines
    upper = np.triu(plan.duels)
    total = int(upper.sum())
    if not total:
        return []
    busiest = np.argsort(-upper, axis=None, kind="stable")[:_PAIRS].tolist()
    rows = [
        [f"{labels[i]} – {labels[j]}", f"{votes.duels[i, j]:,.0f}", f"{upper[i, j]:,}"]
        for i, j in (divmod(place, votes.arms) for place in busiest)
        if upper[i, j]
    ]
    several = int((upper > 0).sum())
    cost = "" if plan.cost == total else f", which cost {plan.cost:,.10g}"
    return [
        f"to prove that {labels[plan.winner]} is a Copeland winner, if estimates stay: {total:,} "
        f"further duels of {several:,} pair{'s' * (several > 1)}{cost}",
        TextTable(["pair", "votes", "further duels"], rows, title="most of them on"),
    ]


def _listed(labels: Sequence[str]) -> str:
    """Some labels, the first of many."""
    shown = ", ".join(labels[:_NAMED])
    return f"{shown}, … ({len(labels):,} arms)" if len(labels) > _NAMED else shown
