r"""Logs of teams and their scores: sums of what nobody sees of the members alone.

A table with the columns ``team`` and ``score``, and optionally ``count``: how many times the team
was seen, if the score is a mean. The members of a team stand in one cell, parted by the same
character throughout: ``|``, ``+``, ``;``, ``,``, ``/``, ``&``, or blanks where there are none of
these.

The score of a team M is a sum :math:`\theta(M)` and noise; the estimate is that of least squares,

.. math:: \hat\theta = \Bigl(\sum_r c_r \chi_r \chi_r^\top\Bigr)^{-1} \sum_r c_r s_r \chi_r ,

with teams :math:`\chi_r`, scores s and counts c. It exists if the teams tell all members apart.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.columns import Table
from cpe_opt.problems.rows import listed
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.problems.tables import read_table

COLUMNS = ("team", "score")
_SEPARATORS = "|+;,/&"
_SINGULAR = 1e-9


@dataclass(frozen=True, eq=False)
class TeamScores:
    """Teams that were seen, and their scores.

    Attributes
    ----------
    name : str
        The file's.
    members : tuple of str
        In the order in which they first appear.
    teams : tuple of tuple of int
        A team a line, in ascending order.
    scores, counts : float arrays, one number a line
    """

    name: str
    members: tuple[str, ...]
    teams: tuple[tuple[int, ...], ...]
    scores: FloatArray
    counts: FloatArray

    @property
    def size(self) -> int | None:
        """How many members a team has; None where teams differ."""
        sizes = {len(team) for team in self.teams}
        return sizes.pop() if len(sizes) == 1 else None

    def means(self) -> FloatArray:
        """What each member adds, by least squares; shape (n,).

        Raises
        ------
        InputError
            Where the teams do not tell the members apart.
        """
        vectors = indicators(self.teams, len(self.members))
        weighted = vectors * self.counts[:, None]
        information = weighted.T @ vectors
        sizes, directions = np.linalg.eigh(information)
        if sizes[0] < _SINGULAR * sizes[-1]:
            hidden = directions[:, sizes < _SINGULAR * sizes[-1]]
            mixed = np.flatnonzero((hidden**2).sum(axis=1) > _SINGULAR)
            names = listed([self.members[member] for member in mixed], "members")
            raise InputError(
                f"{self.name}: these teams do not tell apart what {names} add; it takes teams with "
                "some of them and without the others"
            )
        return np.asarray(np.linalg.solve(information, weighted.T @ self.scores))

    def noise(self) -> float | None:
        """The standard deviation of a member's noise, from the residuals; None for too few lines.

        That of a team of k members is √k times this.
        """
        spare = len(self.teams) - len(self.members)
        if spare <= 0:
            return None
        vectors = indicators(self.teams, len(self.members))
        residuals = self.scores - (vectors * self.means()).sum(axis=1)
        per_member = self.counts * residuals**2 / vectors.sum(axis=1)
        return math.sqrt(float(per_member.sum()) / spare)


def read_team_scores(path: str | os.PathLike[str]) -> TeamScores:
    """Read a log of teams.

    Raises
    ------
    InputError
        With the line concerned.
    """
    table = read_table(path, COLUMNS, ("count",), others=True)
    counts = table.numbers("count", whole=True) if "count" in table else np.ones(table.rows)
    if (counts == 0).any():
        row = int(np.argmin(counts))
        raise InputError(f"{table.place(row)}: count is 0, expected how often the team was seen")
    number: dict[str, int] = {}
    teams = []
    for row, names in enumerate(_split(table)):
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"{table.place(row)}: {twice!r} is in the team twice")
        members = [number.setdefault(name, len(number)) for name in names]
        teams.append(tuple(sorted(members)))
    if len(number) < 2:
        raise InputError(f"{table.source}: a single member, {next(iter(number))!r}, in all teams")
    return TeamScores(Path(path).stem, tuple(number), tuple(teams), table.numbers("score"), counts)


def _split(table: Table) -> list[list[str]]:
    """The names of the members of each team."""
    cells = table.names("team")
    separator = next((mark for mark in _SEPARATORS if any(mark in cell for cell in cells)), None)
    found = []
    for row, cell in enumerate(cells):
        names = [name.strip() for name in (cell.split(separator) if separator else cell.split())]
        if not all(names):
            raise InputError(f"{table.place(row)}: team is {cell!r}, with an empty name")
        found.append(names)
    return found
