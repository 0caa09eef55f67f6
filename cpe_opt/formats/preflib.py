r"""PrefLib elections: orders of alternatives, complete or not, with ties or without.

Lines of metadata begin with ``#``. Every other line has a count and an order, best first, with ties
in braces: ``3: 1,{2,4},5``.

**What a ranking says.** A ranking with a before b is a vote that a won; one with both on the same
level is a tie, half a win for each. One voter's votes come together: those of different pairs are
not independent.

**Incomplete rankings.** Whether a ranking names two alternatives may depend on what it says of
them. Of 100 voters 60 rank a over c over b and list (a, c); 40 rank b over a over c and list
(b, a). Both a and b are named by the 40 alone, all of whom have b first, and 60 of 100 voters have
it the other way round. Nothing can be proved from the rankings that happen to name both. There are
two ways to read them, and both are sound:

``"last"``
    Alternatives that a ranking leaves out come last, on one level. Every ranking then says
    something of every pair, half a win for each where it names neither, so that nothing is
    selected. What is proved is about the rankings as they are read so: more of them have a above b
    than b above a. That is what an election counts. How a voter would have ranked what is left out
    is not known, and nothing is claimed about it.
``"ignore"``
    A ranking is no vote on a pair unless it names both. The fractions are estimates for those who
    did, and nothing is proved of any pair that some ranking says nothing of. Choose it where
    voters could rank only what they were shown.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.errors import InputError, shortened
from cpe_opt.formats.text import numbered_lines, require_file, stem_of, suffix_of
from cpe_opt.problems.clusters import ClusterScores
from cpe_opt.problems.pairs import MOST_ARMS, LogNotes, PairTable, VoteCounts, counted_table

READ_SUFFIXES = (".soc", ".soi", ".toc", ".toi")
PREFLIB_SUFFIXES = (*READ_SUFFIXES, ".tog", ".mjg", ".wmg", ".pwg")
"""Those of elections and of graphs made from them, which say too little to be read."""
_NAME = re.compile(r"#\s*ALTERNATIVE NAME ([0-9]{1,9})\s*:\s*(.*)")
_TOTAL = re.compile(r"#\s*NUMBER (ALTERNATIVES|VOTERS)\s*:\s*([0-9]{1,15})\s*\Z")
_TIED = r"\{\s*(?:[0-9]{1,9}(?:\s*,\s*[0-9]{1,9})*)?\s*\}"
_PLACE = rf"(?:{_TIED}|[0-9]{{1,9}})"
_BALLOT = re.compile(rf"\s*([0-9]{{1,15}})\s*:(\s*{_PLACE}(?:\s*,\s*{_PLACE})*\s*)\Z")
_GROUP = re.compile(r"\{([^{}]*)\}|([0-9]+)")
Ballot: TypeAlias = tuple[int, float, list[list[int]]]
"""A line, how many voters it stands for, and what they rank, in groups of ties, best first."""


def read_preflib(
    path: str | os.PathLike[str], *, unranked: Literal["last", "ignore"] = "last"
) -> PairTable:
    """Count an election; an alternative that is not ranked comes last, or nothing is said of it."""
    path = require_file(path)
    suffix = suffix_of(path)
    if suffix not in READ_SUFFIXES:
        raise InputError(
            f"{path.name}: expected one of the suffixes {', '.join(READ_SUFFIXES)}; graphs do not "
            "say how many votes each pair had, or why some voters are in none"
        )
    names, ballots = _election(path)
    count = len(names)
    wins, tied = np.zeros((count, count)), np.zeros((count, count))
    scores = np.zeros((len(ballots), count))
    incomplete = 0.0
    for row, (line, weight, order) in enumerate(ballots):
        ranked = [alternative - 1 for group in order for alternative in group]
        _check_ballot(f"{path.name}, line {line}", suffix, ranked, order, count)
        # A comparison with nan is false: an alternative without a place meets nobody.
        place = np.full(count, np.nan if unranked == "ignore" else len(order))
        place[ranked] = np.repeat(np.arange(len(order)), [len(group) for group in order])
        level = place[:, None] == place[None, :]
        before = place[:, None] < place[None, :]
        wins += weight * (before + 0.5 * level)
        tied += weight * level
        scores[row] = (before.sum(axis=1) + 0.5 * (level.sum(axis=1) - 1)) / (count - 1)
        incomplete += weight * (len(ranked) < count)
    np.fill_diagonal(wins, 0.0)
    np.fill_diagonal(tied, 0.0)
    duels = wins + wins.T
    if not duels.any():
        raise InputError(f"{path.name}: no vote compares two alternatives")
    weights = np.array([weight for _, weight, _ in ballots])
    voters = weights.sum()
    selected = duels < voters
    np.fill_diagonal(selected, False)
    # Where some are selected, the complete rankings are no fair sample of all of them.
    chosen = selected if selected.any() else None
    scored = ClusterScores.of_counts(wins).with_scores(scores, weights) if chosen is None else None
    notes = LogNotes(
        rankings=int(voters), incomplete=int(incomplete), unranked=unranked if incomplete else ""
    )
    counts = VoteCounts(wins, tied, notes, independent=False, selected=chosen, scores=scored)
    return counted_table(path.name, stem_of(path), names, counts)


def _check_ballot(
    where: str, suffix: str, ranked: list[int], order: list[list[int]], count: int
) -> None:
    fault = ""
    if not ranked or len(set(ranked)) != len(ranked):
        fault = "a vote that ranks no alternative, or one twice"
    elif min(ranked) < 0 or max(ranked) >= count:
        fault = f"an alternative lies outside 1 … {count}"
    elif suffix.endswith("c") and len(ranked) != count:
        fault = f"{len(ranked)} of {count} alternatives are ranked, which .soi and .toi files have"
    elif suffix.startswith(".s") and len(order) != len(ranked):
        fault = "a vote with ties, which .toc and .toi files have"
    if fault:
        raise InputError(f"{where}: {fault}")


def _election(path: Path) -> tuple[list[str], list[Ballot]]:
    """The names of alternatives, and the ballots."""
    source = path.name
    names: dict[int, str] = {}
    totals: dict[str, int] = {}
    votes = []
    for number, line in numbered_lines(path):
        if match := _NAME.match(line):
            if int(match[1]) in names:
                raise InputError(f"{source}, line {number}: alternative {match[1]} named twice")
            names[int(match[1])] = match[2].strip() or match[1]
        elif match := _TOTAL.match(line):
            totals[match[1]] = int(match[2])
        elif line.strip() and not line.startswith("#"):
            votes.append(_ballot(source, number, line))
    count = totals.get("ALTERNATIVES", 0) or max(names, default=0)
    if not 2 <= count <= MOST_ARMS or not votes:
        raise InputError(
            f"{source}: {count} alternatives and {len(votes)} lines of votes, expected 2 to "
            f"{MOST_ARMS:,} alternatives, and some votes"
        )
    for alternative in names:
        if not 1 <= alternative <= count:
            raise InputError(f"{source}: alternative {alternative} lies outside 1 … {count}")
    total = sum(weight for _, weight, _ in votes)
    if totals.get("VOTERS", total) != total:
        raise InputError(
            f"{source}: the votes add up to {total:,.0f}, and the header says that there are "
            f"{totals['VOTERS']:,}: is the file complete?"
        )
    labels = [names.get(alternative, str(alternative)) for alternative in range(1, count + 1)]
    if len(set(labels)) != count:
        labels = [f"{label} ({alternative})" for alternative, label in enumerate(labels, 1)]
    return labels, votes


def _ballot(source: str, number: int, line: str) -> Ballot:
    match = _BALLOT.match(line)
    if match is None:
        raise InputError(
            f"{source}, line {number}: found {shortened(line.strip(), 40)!r}, expected a count and "
            "a ranking, such as '3: 1,{2,4},5'"
        )
    groups = [
        [int(part) for part in (single or tied).replace(",", " ").split()]
        for tied, single in _GROUP.findall(match[2])
    ]
    return number, float(match[1]), [group for group in groups if group]
