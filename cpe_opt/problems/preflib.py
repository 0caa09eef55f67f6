"""PrefLib elections: complete and incomplete orders of alternatives, with and without ties."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.problems.pairs import MOST_ARMS, PairTable, VoteCounts, counted_table
from cpe_opt.problems.text import read_text, require_file, shortened

PREFLIB_SUFFIXES = (".soc", ".soi", ".toc", ".toi")
_PREFLIB_NAME = re.compile(r"#\s*ALTERNATIVE NAME ([0-9]{1,9})\s*:\s*(.*)")
_PREFLIB_COUNT = re.compile(r"#\s*NUMBER (ALTERNATIVES|VOTERS)\s*:\s*([0-9]{1,15})\s*\Z")
_PREFLIB_PART = re.compile(r"\{([^{}]*)\}|([0-9]+)")
_TIED = r"\{\s*(?:[0-9]{1,9}(?:\s*,\s*[0-9]{1,9})*)?\s*\}"
_PLACE = rf"(?:{_TIED}|[0-9]{{1,9}})"
_PREFLIB_ORDER = re.compile(rf"\s*{_PLACE}(?:\s*,\s*{_PLACE})*\s*")


def read_preflib(
    path: str | os.PathLike[str],
    *,
    unranked: Literal["ignore", "last"] = "ignore",
) -> PairTable:
    """Count a PrefLib election: ``.soc``, ``.soi``, ``.toc`` or ``.toi``.

    A vote for i before j is a duel that i won; a tie within a vote is half a win for each. One
    voter's duels come together: those of different pairs are not independent.

    Parameters
    ----------
    path : path
    unranked : "ignore" or "last"
        What an incomplete vote says of the alternatives it leaves out: nothing, or that they come
        last, tied.

    Raises
    ------
    InputError
        With the line that cannot be read.
    """
    if unranked not in ("ignore", "last"):
        raise UnknownName("treatment of unranked alternatives", unranked, ("ignore", "last"))
    path = require_file(path)
    if path.suffix.lower() not in PREFLIB_SUFFIXES:
        raise InputError(f"{path.name}: expected one of the suffixes {', '.join(PREFLIB_SUFFIXES)}")
    names, ballots = _election(path)
    count = len(names)
    wins, tied = np.zeros((count, count)), np.zeros((count, count))
    for number, weight, order in ballots:
        where = f"{path.name}, line {number}"
        ranked = np.array([alternative for group in order for alternative in group], dtype=int) - 1
        _check_ballot(where, path.suffix.lower(), ranked, order, count)
        # A comparison with nan is false: an alternative without a place meets nobody.
        place = np.full(count, float(len(order)) if unranked == "last" else np.nan)
        place[ranked] = np.repeat(np.arange(len(order)), [len(group) for group in order])
        level = place[:, None] == place[None, :]
        wins += weight * ((place[:, None] < place[None, :]) + 0.5 * level)
        tied += weight * level
    np.fill_diagonal(wins, 0.0)
    np.fill_diagonal(tied, 0.0)
    if not wins.any():
        raise InputError(f"{path.name}: no vote compares two alternatives")
    counts = VoteCounts(wins, tied, independent=False)
    return counted_table(path.name, path.stem, names, counts)


def _check_ballot(
    where: str, suffix: str, ranked: IntArray, order: list[list[int]], count: int
) -> None:
    if not len(ranked):
        raise InputError(f"{where}: a vote that ranks no alternative")
    if len(set(ranked.tolist())) != len(ranked):
        raise InputError(f"{where}: an alternative is ranked twice")
    if ranked.min() < 0 or ranked.max() >= count:
        raise InputError(f"{where}: an alternative lies outside 1 … {count}")
    if suffix.endswith("c") and len(ranked) != count:
        raise InputError(
            f"{where}: {len(ranked)} of {count} alternatives are ranked; {suffix} files have "
            "complete votes, .soi and .toi files incomplete ones"
        )
    if suffix.startswith(".s") and len(order) != len(ranked):
        raise InputError(
            f"{where}: a vote with ties; {suffix} files have none, .toc and .toi files may"
        )


def _election(path: Path) -> tuple[list[str], list[tuple[int, float, list[list[int]]]]]:
    """Names of the alternatives, and the votes: line number, weight, groups best first."""
    labels: dict[int, str] = {}
    said: dict[str, int] = {}
    votes: list[tuple[int, float, list[list[int]]]] = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if match := _PREFLIB_NAME.match(line):
            if int(match[1]) in labels:
                raise InputError(f"{path.name}, line {number}: alternative {match[1]} named twice")
            labels[int(match[1])] = match[2].strip() or match[1]
        elif match := _PREFLIB_COUNT.match(line):
            said[match[1]] = int(match[2])
        elif line.strip() and not line.startswith("#"):
            votes.append((number, *_vote(line, f"{path.name}, line {number}")))
    count = said.get("ALTERNATIVES", 0) or max(labels, default=0)
    if not count or not votes:
        raise InputError(f"{path.name}: no alternatives or no votes; expected a PrefLib file")
    if not 2 <= count <= MOST_ARMS:
        raise InputError(f"{path.name}: {count} alternatives, expected 2 to {MOST_ARMS:,}")
    strange = [alternative for alternative in labels if not 1 <= alternative <= count]
    if strange:
        raise InputError(f"{path.name}: alternative {strange[0]} lies outside 1 … {count}")
    voters = sum(weight for _, weight, _ in votes)
    if said.get("VOTERS", voters) != voters:
        raise InputError(
            f"{path.name}: the votes add up to {voters:,.0f}, and the header says that there are "
            f"{said['VOTERS']:,} voters: is the file complete?"
        )
    names = [labels.get(alternative, str(alternative)) for alternative in range(1, count + 1)]
    if len(set(names)) != count:
        names = [f"{label} ({number})" for number, label in enumerate(names, 1)]
    return names, votes


def _vote(line: str, where: str) -> tuple[float, list[list[int]]]:
    """The weight of a vote, and its groups of tied alternatives, best first."""
    weight, colon, order = line.partition(":")
    if not colon or not re.fullmatch(r"\s*[0-9]{1,15}\s*", weight):
        raise InputError(
            f"{where}: expected 'count: ranking', such as '3: 1,{{2,4}},5', got "
            f"{shortened(line.strip(), 40)!r}"
        )
    if not _PREFLIB_ORDER.fullmatch(order):
        raise InputError(f"{where}: {shortened(order.strip(), 40)!r} is not a ranking")
    groups = []
    for tied, single in _PREFLIB_PART.findall(order):
        members = [int(part) for part in (single or tied).replace(",", " ").split()]
        if members:
            groups.append(members)
    return float(weight), groups
