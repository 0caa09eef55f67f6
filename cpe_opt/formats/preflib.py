r"""PrefLib elections: orders of alternatives, complete or not, with ties or without.

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

**Pairs.** The lines ``count,a,b`` of ``.pwg`` files say how many voters have a before b, and not
why others have neither: of a pair on which not every voter is counted nothing is proved.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from cpe_opt.errors import InputError, UnknownName, shortened
from cpe_opt.problems.clusters import ClusterScores
from cpe_opt.problems.pairs import MOST_ARMS, LogNotes, PairTable, VoteCounts, counted_table
from cpe_opt.text import numbered_lines, require_file, stem_of, suffix_of

_PAIRWISE = ".pwg"
READ_SUFFIXES = (".soc", ".soi", ".toc", ".toi", _PAIRWISE)
PREFLIB_SUFFIXES = (*READ_SUFFIXES, ".tog", ".mjg", ".wmg")
"""Those of elections and of graphs made from them, which say too little to be read."""
_NAME = re.compile(r"#\s*ALTERNATIVE NAME ([0-9]{1,9})\s*:\s*(.*)")
_TOTAL = re.compile(r"#\s*NUMBER (ALTERNATIVES|VOTERS)\s*:\s*([0-9]{1,15})\s*\Z")
_OLD_COUNT = re.compile(r"\s*([0-9]{1,9})\s*\Z")
_OLD_NAME = re.compile(r"\s*([0-9]{1,9})\s*,(.*)")
_OLD_TOTALS = re.compile(r"\s*([0-9]{1,15})\s*,\s*([0-9]{1,15})\s*,\s*[0-9]{1,15}\s*\Z")
_TIED = r"\{\s*(?:[0-9]{1,9}(?:\s*,\s*[0-9]{1,9})*)?\s*\}"
_PLACE = rf"(?:{_TIED}|[0-9]{{1,9}})"
_BALLOT = rf"\s*([0-9]{{1,15}})\s*%s(\s*{_PLACE}(?:\s*,\s*{_PLACE})*\s*)\Z"
_GROUP = re.compile(r"\{([^{}]*)\}|([0-9]+)")
Lines: TypeAlias = list[tuple[int, str]]


class _Ballot(NamedTuple):
    """A line of a file: how many voters, and what they rank, in groups of ties, best first."""

    line: int
    weight: float
    order: list[list[int]]


class _Head(NamedTuple):
    """What a file says before its ballots: names by number, and totals where it has them."""

    names: dict[int, str]
    alternatives: int
    voters: int | None
    total: int | None


def read_preflib(
    path: str | os.PathLike[str], *, unranked: Literal["last", "ignore"] = "last"
) -> PairTable:
    """Count an election; an alternative that is not ranked comes last, or nothing is said of it."""
    if unranked not in ("last", "ignore"):
        raise UnknownName("treatment of unranked alternatives", unranked, ("last", "ignore"))
    path = require_file(path)
    suffix = suffix_of(path)
    if suffix not in READ_SUFFIXES:
        raise InputError(
            f"{path.name}: expected one of the suffixes {', '.join(READ_SUFFIXES)}; graphs do not "
            "say how many votes each pair had"
        )
    names, ballots, voters = _election(path, suffix)
    count, pairwise = len(names), suffix == _PAIRWISE
    wins, tied = np.zeros((count, count)), np.zeros((count, count))
    scores = np.zeros((len(ballots), count))
    incomplete = 0.0
    for row, (line, weight, order) in enumerate(ballots):
        ranked = [alternative - 1 for group in order for alternative in group]
        _check_ballot(f"{path.name}, line {line}", suffix, ranked, order, count)
        # A comparison with nan is false: an alternative without a place meets nobody.
        place = np.full(count, np.nan if pairwise or unranked == "ignore" else len(order))
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
    if (duels > voters).any():
        raise InputError(
            f"{path.name}: a pair has {duels.max():,.0f} votes, and the header says that there are "
            f"{voters:,} voters"
        )
    selected = duels < voters
    np.fill_diagonal(selected, False)
    notes, scored = LogNotes(), None
    weights = np.array([ballot.weight for ballot in ballots])
    if not pairwise:
        said = unranked if incomplete else ""
        notes = LogNotes(rankings=int(weights.sum()), incomplete=int(incomplete), unranked=said)
        # Where some are selected, the complete rankings are no fair sample of all of them.
        if not selected.any():
            scored = ClusterScores.of_counts(wins).with_scores(scores, weights)
    chosen = selected if selected.any() else None
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
    elif suffix == _PAIRWISE and (len(ranked) != 2 or len(order) != 2):
        fault = "expected 'count,a,b', how many voters have a before b"
    elif suffix.endswith("c") and len(ranked) != count:
        fault = f"{len(ranked)} of {count} alternatives are ranked, which .soi and .toi files have"
    elif suffix.startswith(".s") and len(order) != len(ranked):
        fault = "a vote with ties, which .toc and .toi files have"
    if fault:
        raise InputError(f"{where}: {fault}")


def _election(path: Path, suffix: str) -> tuple[list[str], list[_Ballot], float]:
    """The names of alternatives, the ballots, and how many voters there are, in either format."""
    source = path.name
    lines = [(number, line) for number, line in numbered_lines(path) if line.strip()]
    old = suffix == _PAIRWISE or bool(lines and _OLD_COUNT.match(lines[0][1]))
    head, rest = (_old_head if old else _new_head)(source, lines)
    form = re.compile(_BALLOT % ("," if old else ":"))
    votes = [_ballot(source, number, line, form) for number, line in rest]
    count = head.alternatives
    if not 2 <= count <= MOST_ARMS or not votes:
        raise InputError(
            f"{source}: {count} alternatives and {len(votes)} lines of votes, expected 2 to "
            f"{MOST_ARMS:,} alternatives, and some votes"
        )
    strange = [alternative for alternative in head.names if not 1 <= alternative <= count]
    if strange:
        raise InputError(f"{source}: alternative {strange[0]} lies outside 1 … {count}")
    total = sum(vote.weight for vote in votes)
    if head.total is not None and head.total != total:
        raise InputError(
            f"{source}: the votes add up to {total:,.0f}, and the header says that there are "
            f"{head.total:,}: is the file complete?"
        )
    names = [head.names.get(alternative, str(alternative)) for alternative in range(1, count + 1)]
    if len(set(names)) != count:
        names = [f"{name} ({alternative})" for alternative, name in enumerate(names, 1)]
    voters = head.voters if suffix == _PAIRWISE else None
    return names, votes, total if voters is None else voters


def _new_head(source: str, lines: Lines) -> tuple[_Head, Lines]:
    """The metadata of a file of today, and the lines of its ballots."""
    names: dict[int, str] = {}
    totals: dict[str, int] = {}
    for number, line in lines:
        if match := _NAME.match(line):
            _add_name(f"{source}, line {number}", names, match)
        elif match := _TOTAL.match(line):
            totals[match[1]] = int(match[2])
    voters = totals.get("VOTERS")
    count = totals.get("ALTERNATIVES", 0) or max(names, default=0)
    votes = [(number, line) for number, line in lines if not line.startswith("#")]
    return _Head(names, count, voters, voters), votes


def _old_head(source: str, lines: Lines) -> tuple[_Head, Lines]:
    """The head of an older file, and the lines of its ballots."""

    def parsed(place: int, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        number, line = lines[place] if place < len(lines) else (0, "")
        match = pattern.match(line)
        if match is None:
            where = f"{source}, line {number}" if number else f"{source}, at its end"
            raise InputError(f"{where}: found {shortened(line.strip(), 40)!r}, expected {expected}")
        return match

    count = int(parsed(0, _OLD_COUNT, "the number of alternatives")[1])
    names: dict[int, str] = {}
    for place in range(1, count + 1):
        match = parsed(place, _OLD_NAME, f"'number,name' for {count} alternatives")
        _add_name(f"{source}, line {lines[place][0]}", names, match)
    match = parsed(count + 1, _OLD_TOTALS, "'voters,sum of counts,unique ballots'")
    return _Head(names, count, int(match[1]), int(match[2])), lines[count + 2 :]


def _add_name(where: str, names: dict[int, str], match: re.Match[str]) -> None:
    if int(match[1]) in names:
        raise InputError(f"{where}: alternative {match[1]} named twice")
    names[int(match[1])] = match[2].strip() or match[1]


def _ballot(source: str, number: int, line: str, form: re.Pattern[str]) -> _Ballot:
    match = form.match(line)
    if match is None:
        raise InputError(
            f"{source}, line {number}: found {shortened(line.strip(), 40)!r}, expected a count and "
            "a ranking, such as '3: 1,{2,4},5', in older files '3,1,{2,4},5'"
        )
    groups = [
        [int(part) for part in (single or tied).replace(",", " ").split()]
        for tied, single in _GROUP.findall(match[2])
    ]
    return _Ballot(number, float(match[1]), [group for group in groups if group])
