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
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.errors import InputError, UnknownName, shortened
from cpe_opt.formats.text import numbered_lines, require_file, stem_of, suffix_of
from cpe_opt.problems.clusters import ClusterScores
from cpe_opt.problems.pairs import MOST_ARMS, LogNotes, PairTable, VoteCounts, counted_table

_ORDERS = (".soc", ".soi", ".toc", ".toi")
_PAIRWISE = ".pwg"
_GRAPHS = {
    ".tog": "a tournament graph says who is ahead",
    ".mjg": "a majority graph says who is ahead",
    ".wmg": "a weighted majority graph says by how many votes one is ahead",
}
READ_SUFFIXES = (*_ORDERS, _PAIRWISE)
PREFLIB_SUFFIXES = (*READ_SUFFIXES, *_GRAPHS)
"""Those of elections and of what was made from them; some say too little to be read."""
_PREFLIB_NAME = re.compile(r"#\s*ALTERNATIVE NAME ([0-9]{1,9})\s*:\s*(.*)")
_PREFLIB_COUNT = re.compile(r"#\s*NUMBER (ALTERNATIVES|VOTERS)\s*:\s*([0-9]{1,15})\s*\Z")
_PREFLIB_PART = re.compile(r"\{([^{}]*)\}|([0-9]+)")
_TIED = r"\{\s*(?:[0-9]{1,9}(?:\s*,\s*[0-9]{1,9})*)?\s*\}"
_PLACE = rf"(?:{_TIED}|[0-9]{{1,9}})"
_PREFLIB_ORDER = re.compile(rf"\s*{_PLACE}(?:\s*,\s*{_PLACE})*\s*")
_OLD_COUNT = re.compile(r"\s*([0-9]{1,9})\s*\Z")
_OLD_NAME = re.compile(r"\s*([0-9]{1,9})\s*,(.*)")
_OLD_TOTALS = re.compile(r"\s*([0-9]{1,15})\s*,\s*([0-9]{1,15})\s*,\s*[0-9]{1,15}\s*\Z")


@dataclass(frozen=True)
class _Election:
    """Names of the alternatives, and ballots: line number, weight, groups best first.

    ``voters`` is how many there are, where the file says so.
    """

    names: list[str]
    ballots: list[tuple[int, float, list[list[int]]]]
    voters: int | None


def read_preflib(
    path: str | os.PathLike[str], *, unranked: Literal["last", "ignore"] = "last"
) -> PairTable:
    r"""Count a PrefLib election: ``.soc``, ``.soi``, ``.toc``, ``.toi`` or ``.pwg``.

    Parameters
    ----------
    unranked : "last" or "ignore"
        What an incomplete ranking says of the alternatives it leaves out: that they come last,
        tied, or nothing; then nothing is proved of pairs that some ranking leaves out.

    Raises
    ------
    InputError
        With the line that cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = "3\n1,a\n2,b\n3,c\n100,100,2\n60,1,3\n40,2,1\n"
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "lists.soi"
    ...     _ = path.write_text(text)
    ...     last, seen = read_preflib(path), read_preflib(path, unranked="ignore")
    >>> last.array[0, 1].item(), seen.array[0, 1].item(), bool(seen.counts.selected[0, 1])
    (0.6, 0.0, True)
    """
    if unranked not in ("last", "ignore"):
        raise UnknownName("treatment of unranked alternatives", unranked, ("last", "ignore"))
    path = require_file(path)
    suffix = suffix_of(path)
    if suffix in _GRAPHS:
        raise InputError(
            f"{path.name}: {_GRAPHS[suffix]}, not how many votes each pair had; expected one of "
            f"{', '.join(READ_SUFFIXES)}"
        )
    if suffix not in PREFLIB_SUFFIXES:
        raise InputError(f"{path.name}: expected one of the suffixes {', '.join(READ_SUFFIXES)}")
    election = _election(path, suffix)
    count = len(election.names)
    wins, tied = np.zeros((count, count)), np.zeros((count, count))
    rankings = incomplete = 0.0
    scores = np.zeros((len(election.ballots), count))
    for ballot, (number, weight, order) in enumerate(election.ballots):
        where = f"{path.name}, line {number}"
        ranked = np.array([alternative for group in order for alternative in group], dtype=int) - 1
        _check_ballot(where, suffix, ranked, order, count)
        # A comparison with nan is false: an alternative without a place meets nobody.
        last = unranked == "last" and suffix != _PAIRWISE
        place = np.full(count, float(len(order)) if last else np.nan)
        place[ranked] = np.repeat(np.arange(len(order)), [len(group) for group in order])
        level = place[:, None] == place[None, :]
        wins += weight * ((place[:, None] < place[None, :]) + 0.5 * level)
        tied += weight * level
        if not np.isnan(place).any():
            better = (place[:, None] < place[None, :]).sum(axis=1)
            scores[ballot] = (better + 0.5 * (level.sum(axis=1) - 1)) / (count - 1)
        rankings += weight
        incomplete += weight * (len(ranked) < count)
    np.fill_diagonal(wins, 0.0)
    np.fill_diagonal(tied, 0.0)
    if not wins.any():
        raise InputError(f"{path.name}: no vote compares two alternatives")
    voters = rankings if election.voters is None else election.voters
    if (wins + wins.T > voters).any():
        i, j = (int(index[0]) for index in np.nonzero(wins + wins.T > voters))
        raise InputError(
            f"{path.name}: {election.names[i]} and {election.names[j]} have "
            f"{wins[i, j] + wins[j, i]:,.0f} votes, and the header says that there are "
            f"{voters:,} voters"
        )
    selected = wins + wins.T < voters
    np.fill_diagonal(selected, False)
    notes = LogNotes()
    if suffix != _PAIRWISE:
        said = unranked if incomplete else ""
        notes = LogNotes(rankings=int(rankings), incomplete=int(incomplete), unranked=said)
    # Where some are selected, the complete rankings are no fair sample of all of them.
    scored = None
    if suffix != _PAIRWISE and not selected.any():
        weights = np.array([weight for _, weight, _ in election.ballots], dtype=np.float64)
        scored = ClusterScores.of_counts(wins).with_scores(scores, weights)
    counts = VoteCounts(
        wins,
        tied,
        notes,
        independent=False,
        selected=selected if selected.any() else None,
        scores=scored,
    )
    return counted_table(path.name, stem_of(path), election.names, counts)


def _check_ballot(
    where: str, suffix: str, ranked: IntArray, order: list[list[int]], count: int
) -> None:
    if not len(ranked):
        raise InputError(f"{where}: a vote that ranks no alternative")
    if len(set(ranked.tolist())) != len(ranked):
        raise InputError(f"{where}: an alternative is ranked twice")
    if ranked.min() < 0 or ranked.max() >= count:
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


def _election(path: Path, suffix: str) -> _Election:
    """What the file says, in either format."""
    lines = numbered_lines(path)
    first = next((line for _, line in lines if line.strip()), "")
    old = _OLD_COUNT.match(first) is not None or suffix == _PAIRWISE
    parsed = _old_election if old else _new_election
    labels, count, votes, voters, total = parsed(path, lines)
    if not count or not votes:
        raise InputError(f"{path.name}: no alternatives or no votes; expected a PrefLib file")
    if not 2 <= count <= MOST_ARMS:
        raise InputError(f"{path.name}: {count} alternatives, expected 2 to {MOST_ARMS:,}")
    strange = [alternative for alternative in labels if not 1 <= alternative <= count]
    if strange:
        raise InputError(f"{path.name}: alternative {strange[0]} lies outside 1 … {count}")
    weights = sum(weight for _, weight, _ in votes)
    if total is not None and total != weights:
        raise InputError(
            f"{path.name}: the votes add up to {weights:,.0f}, and the header says that there are "
            f"{total:,} {'votes' if suffix == _PAIRWISE else 'voters'}: is the file complete?"
        )
    names = [labels.get(alternative, str(alternative)) for alternative in range(1, count + 1)]
    if len(set(names)) != count:
        names = [f"{label} ({number})" for number, label in enumerate(names, 1)]
    return _Election(names, votes, voters if suffix == _PAIRWISE else None)


_Lines: TypeAlias = list[tuple[int, str]]
_Ballots: TypeAlias = list[tuple[int, float, list[list[int]]]]
_ParsedElection: TypeAlias = tuple[dict[int, str], int, _Ballots, int | None, int | None]


def _new_election(path: Path, lines: _Lines) -> _ParsedElection:
    """Labels, number of alternatives, ballots, voters, and the sum of counts, as far as said."""
    labels: dict[int, str] = {}
    said: dict[str, int] = {}
    votes: _Ballots = []
    for number, line in lines:
        if match := _PREFLIB_NAME.match(line):
            if int(match[1]) in labels:
                raise InputError(f"{path.name}, line {number}: alternative {match[1]} named twice")
            labels[int(match[1])] = match[2].strip() or match[1]
        elif match := _PREFLIB_COUNT.match(line):
            said[match[1]] = int(match[2])
        elif line.strip() and not line.startswith("#"):
            where = f"{path.name}, line {number}"
            weight, colon, order = line.partition(":")
            votes.append((number, *_vote(line, where, weight if colon else "", order, ":")))
    count = said.get("ALTERNATIVES", 0) or max(labels, default=0)
    return labels, count, votes, said.get("VOTERS"), said.get("VOTERS")


def _old_election(path: Path, lines: _Lines) -> _ParsedElection:
    """The same of the older format."""
    rest = iter([(number, line) for number, line in lines if line.strip()])

    def following(pattern: re.Pattern[str], expected: str) -> tuple[int, re.Match[str]]:
        number, line = next(rest, (0, ""))
        match = pattern.match(line)
        if match is None:
            found = f"line {number}: found {shortened(line.strip(), 40)!r}"
            at = found if number else "the file ends where there should be more"
            raise InputError(f"{path.name}, {at}, expected {expected}")
        return number, match

    _, match = following(_OLD_COUNT, "the number of alternatives")
    count = int(match[1])
    if count > MOST_ARMS:
        raise InputError(f"{path.name}: {count} alternatives, expected 2 to {MOST_ARMS:,}")
    labels: dict[int, str] = {}
    for _ in range(count):
        number, match = following(_OLD_NAME, f"'number,name' for {count} alternatives")
        if int(match[1]) in labels:
            raise InputError(f"{path.name}, line {number}: alternative {match[1]} named twice")
        if not 1 <= int(match[1]) <= count:
            raise InputError(
                f"{path.name}, line {number}: alternative {match[1]} lies outside 1 … {count}"
            )
        labels[int(match[1])] = match[2].strip() or match[1]
    _, match = following(_OLD_TOTALS, "'voters,sum of counts,unique ballots'")
    voters, total = int(match[1]), int(match[2])
    votes: _Ballots = []
    for number, line in rest:
        weight, _, order = line.partition(",")
        votes.append((number, *_vote(line, f"{path.name}, line {number}", weight, order, ",")))
    return labels, count, votes, voters, total


def _vote(
    line: str, where: str, weight: str, order: str, separator: str
) -> tuple[float, list[list[int]]]:
    """The weight of a vote, and its groups of tied alternatives, best first."""
    if not re.fullmatch(r"\s*[0-9]{1,15}\s*", weight):
        raise InputError(
            f"{where}: expected 'count{separator} ranking', such as "
            f"'3{separator} 1,{{2,4}},5', got {shortened(line.strip(), 40)!r}"
        )
    if not _PREFLIB_ORDER.fullmatch(order):
        raise InputError(f"{where}: {shortened(order.strip(), 40)!r} is not a ranking")
    groups = []
    for tied, single in _PREFLIB_PART.findall(order):
        members = [int(part) for part in (single or tied).replace(",", " ").split()]
        if members:
            groups.append(members)
    return float(weight), groups
