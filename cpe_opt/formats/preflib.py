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

**Two formats.** Files of today start with lines of metadata, ``# KEY: value``, and have ballots
``count: 1,2,{3,4}``. Older ones start with the number n of alternatives, then n lines
``number,name``, then a line ``voters,sum of counts,unique ballots``, then ballots
``count,1,2,{3,4}``. Of those with pairs, ``.pwg`` files are read, whose lines ``count,a,b`` say how
many voters have a before b. They do not say why others have neither: of a pair on which not every
voter is counted nothing is proved.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from cpe_opt.errors import InputError, UnknownName, shortened
from cpe_opt.problems.clusters import ClusterScores
from cpe_opt.problems.pairs import MOST_ARMS, LogNotes, PairTable, VoteCounts, counted_table
from cpe_opt.text import numbered_lines, require_file, stem_of, suffix_of

_PAIRWISE = ".pwg"
_GRAPHS = {
    ".tog": "a tournament graph says who is ahead",
    ".mjg": "a majority graph says who is ahead",
    ".wmg": "a weighted majority graph says by how many votes one is ahead",
}
READ_SUFFIXES = (".soc", ".soi", ".toc", ".toi", _PAIRWISE)
PREFLIB_SUFFIXES = (*READ_SUFFIXES, *_GRAPHS)
"""Those of elections and of what was made from them; some say too little to be read."""
_NAME = re.compile(r"#\s*ALTERNATIVE NAME ([0-9]{1,9})\s*:\s*(.*)")
_TOTAL = re.compile(r"#\s*NUMBER (ALTERNATIVES|VOTERS)\s*:\s*([0-9]{1,15})\s*\Z")
_OLD_COUNT = re.compile(r"\s*([0-9]{1,9})\s*\Z")
_OLD_NAME = re.compile(r"\s*([0-9]{1,9})\s*,(.*)")
_OLD_TOTALS = re.compile(r"\s*([0-9]{1,15})\s*,\s*([0-9]{1,15})\s*,\s*[0-9]{1,15}\s*\Z")
_WEIGHT = re.compile(r"\s*[0-9]{1,15}\s*")
_TIED = r"\{\s*(?:[0-9]{1,9}(?:\s*,\s*[0-9]{1,9})*)?\s*\}"
_PLACE = rf"(?:{_TIED}|[0-9]{{1,9}})"
_ORDER = re.compile(rf"\s*{_PLACE}(?:\s*,\s*{_PLACE})*\s*")
_GROUP = re.compile(r"\{([^{}]*)\}|([0-9]+)")


class _Ballot(NamedTuple):
    """A line of a file: how many voters, and what they rank, in groups of ties, best first."""

    line: int
    weight: float
    order: list[list[int]]


class _Head(NamedTuple):
    """What a file says before its ballots, and what is between a count and a ranking."""

    names: dict[int, str]
    alternatives: int
    voters: int | None
    total: int | None
    separator: str


def read_preflib(
    path: str | os.PathLike[str], *, unranked: Literal["last", "ignore"] = "last"
) -> PairTable:
    """Count an election; an alternative that is not ranked comes last, or nothing is said of it."""
    if unranked not in ("last", "ignore"):
        raise UnknownName("treatment of unranked alternatives", unranked, ("last", "ignore"))
    path = require_file(path)
    suffix = suffix_of(path)
    if suffix in _GRAPHS:
        raise InputError(
            f"{path.name}: {_GRAPHS[suffix]}, not how many votes each pair had; expected one of "
            f"{', '.join(READ_SUFFIXES)}"
        )
    if suffix not in READ_SUFFIXES:
        raise InputError(f"{path.name}: expected one of the suffixes {', '.join(READ_SUFFIXES)}")
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
        i, j = (int(index[0]) for index in np.nonzero(duels > voters))
        raise InputError(
            f"{path.name}: {names[i]} and {names[j]} have {duels[i, j]:,.0f} votes, and the header "
            f"says that there are {voters:,} voters"
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
    if not ranked:
        raise InputError(f"{where}: a vote that ranks no alternative")
    if len(set(ranked)) != len(ranked):
        raise InputError(f"{where}: an alternative is ranked twice")
    if min(ranked) < 0 or max(ranked) >= count:
        raise InputError(f"{where}: an alternative lies outside 1 … {count}")
    if suffix == _PAIRWISE and (len(ranked) != 2 or len(order) != 2):
        raise InputError(f"{where}: expected 'count,a,b', how many voters have a before b")
    if suffix.endswith("c") and len(ranked) != count:
        raise InputError(
            f"{where}: {len(ranked)} of {count} alternatives are ranked; {suffix} files have "
            "complete votes, .soi and .toi files incomplete ones"
        )
    if suffix.startswith(".s") and len(order) != len(ranked):
        raise InputError(
            f"{where}: a vote with ties; {suffix} files have none, .toc and .toi files may"
        )


def _election(path: Path, suffix: str) -> tuple[list[str], list[_Ballot], float]:
    """The names of alternatives, the ballots, and how many voters there are, in either format."""
    lines = iter([(number, line) for number, line in numbered_lines(path) if line.strip()])
    number, first = next(lines, (0, ""))
    if suffix == _PAIRWISE or _OLD_COUNT.match(first):
        head = _old_head(path.name, number, first, lines)
        rest = list(lines)
    else:
        head, rest = _new_head(path.name, [(number, first), *lines])
    votes = [_ballot(f"{path.name}, line {k}", k, line, head.separator) for k, line in rest]
    count = head.alternatives
    if not count or not votes:
        raise InputError(f"{path.name}: no alternatives or no votes; expected a PrefLib file")
    _check_count(path.name, count)
    strange = [alternative for alternative in head.names if not 1 <= alternative <= count]
    if strange:
        raise InputError(f"{path.name}: alternative {strange[0]} lies outside 1 … {count}")
    total = sum(vote.weight for vote in votes)
    if head.total is not None and head.total != total:
        raise InputError(
            f"{path.name}: the votes add up to {total:,.0f}, and the header says that there are "
            f"{head.total:,} {'votes' if suffix == _PAIRWISE else 'voters'}: is the file complete?"
        )
    names = [head.names.get(alternative, str(alternative)) for alternative in range(1, count + 1)]
    if len(set(names)) != count:
        names = [f"{name} ({alternative})" for alternative, name in enumerate(names, 1)]
    voters = head.voters if suffix == _PAIRWISE else None
    return names, votes, total if voters is None else voters


def _new_head(source: str, lines: list[tuple[int, str]]) -> tuple[_Head, list[tuple[int, str]]]:
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
    votes = [(number, line) for number, line in lines if line and not line.startswith("#")]
    return _Head(names, count, voters, voters, ":"), votes


def _old_head(source: str, number: int, first: str, lines: Iterator[tuple[int, str]]) -> _Head:
    """The head of an older file, of which ``lines`` then has the ballots."""

    def parsed(number: int, line: str, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        match = pattern.match(line)
        if match is None:
            found = f"line {number}: found {shortened(line.strip(), 40)!r}"
            where = found if number else "the file ends where there should be more"
            raise InputError(f"{source}, {where}, expected {expected}")
        return match

    count = int(parsed(number, first, _OLD_COUNT, "the number of alternatives")[1])
    _check_count(source, count, least=0)
    names: dict[int, str] = {}
    for _ in range(count):
        number, line = next(lines, (0, ""))
        match = parsed(number, line, _OLD_NAME, f"'number,name' for {count} alternatives")
        _add_name(f"{source}, line {number}", names, match)
        if not 1 <= int(match[1]) <= count:
            raise InputError(
                f"{source}, line {number}: alternative {match[1]} lies outside 1 … {count}"
            )
    number, line = next(lines, (0, ""))
    match = parsed(number, line, _OLD_TOTALS, "'voters,sum of counts,unique ballots'")
    return _Head(names, count, int(match[1]), int(match[2]), ",")


def _check_count(source: str, count: int, *, least: int = 2) -> None:
    if not least <= count <= MOST_ARMS:
        raise InputError(f"{source}: {count} alternatives, expected 2 to {MOST_ARMS:,}")


def _add_name(where: str, names: dict[int, str], match: re.Match[str]) -> None:
    if int(match[1]) in names:
        raise InputError(f"{where}: alternative {match[1]} named twice")
    names[int(match[1])] = match[2].strip() or match[1]


def _ballot(where: str, number: int, line: str, separator: str) -> _Ballot:
    weight, found, order = line.partition(separator)
    if not found and separator == ":":
        weight = ""
    if not _WEIGHT.fullmatch(weight):
        raise InputError(
            f"{where}: expected 'count{separator} ranking', such as "
            f"'3{separator} 1,{{2,4}},5', got {shortened(line.strip(), 40)!r}"
        )
    if not _ORDER.fullmatch(order):
        raise InputError(f"{where}: {shortened(order.strip(), 40)!r} is not a ranking")
    groups = [
        [int(part) for part in (single or tied).replace(",", " ").split()]
        for tied, single in _GROUP.findall(order)
    ]
    return _Ballot(number, float(weight), [group for group in groups if group])
