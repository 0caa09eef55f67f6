r"""Logs of teams and their scores: only sums over the members are observed.

The score of a team M is a sum :math:`\theta(M)` and noise; the estimate is that of least squares,

.. math:: \hat\theta = \Bigl(\sum_r c_r \chi_r \chi_r^\top\Bigr)^{-1} \sum_r c_r s_r \chi_r ,

with teams :math:`\chi_r`, scores s and counts c. It exists if the teams tell all members apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from cpe_opt.arrays import FloatArray, checked_shape
from cpe_opt.errors import InputError, listed
from cpe_opt.problems.clusters import ClusterColumn
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.validation import Name, Numbers, PositiveInt, checked_types

SIZES_ASSUMED = "a score is the sum of what the members add, in teams of every size alike"
"""What is taken for granted where teams of several sizes were seen."""
_SINGULAR = 1e-9


class TeamScores:
    """Teams that were seen, and their scores.

    Parameters
    ----------
    teams : sequence of sequences of str
        The names of the members of each.
    scores : array_like, shape (R,)
    counts : array_like, shape (R,), optional
        How many times each team was seen, where its score is a mean; 1 by default.
    name : str
    clusters : sequence of ClusterColumn
        Columns of the log by which scores may depend on each other, for reports.

    Attributes
    ----------
    members : tuple of str
        In the order in which they first appear.
    teams : tuple of tuple of int
        In ascending order of members.

    Raises
    ------
    InputError
        With the team concerned.

    Examples
    --------
    >>> log = TeamScores([["ann", "bob"], ["bob", "cleo"], ["cleo", "ann"]], [5, 3, 4])
    >>> log.means().round(9).tolist()
    [3.0, 2.0, 1.0]
    """

    family: ClassVar[str] = "subsets"

    @checked_types
    def __init__(
        self,
        teams: Sequence[Sequence[str]],
        scores: Numbers,
        counts: Numbers | None = None,
        *,
        name: Name = "teams",
        clusters: Sequence[ClusterColumn] = (),
    ) -> None:
        self.name = str(name)
        self.clusters = tuple(clusters)
        shape, counts = (len(teams),), np.ones(len(teams)) if counts is None else counts
        self.scores = checked_shape("scores", scores, shape, ", one a team", finite=True)
        self.counts = checked_shape("counts", counts, shape, ", one a team", finite=True)
        if not ((self.counts >= 1) & (self.counts % 1 == 0)).all():
            raise InputError("counts: expected whole numbers, at least 1")
        number: dict[str, int] = {}
        numbered = []
        for row, names in enumerate(teams):
            if not names or isinstance(names, str):
                raise InputError(f"team {row + 1} is {names!r}, expected the names of its members")
            if len(set(names)) < len(names):
                twice = next(each for each in names if names.count(each) > 1)
                raise InputError(f"team {row + 1}: {twice!r} is in the team twice")
            members = [number.setdefault(str(each), len(number)) for each in names]
            numbered.append(tuple(sorted(members)))
        if len(number) < 2:
            found = f"a single member, {next(iter(number))!r}, in all teams" if number else "empty"
            raise InputError(f"{name}: {found}; expected at least two members")
        self.members: tuple[str, ...] = tuple(number)
        self.teams: tuple[tuple[int, ...], ...] = tuple(numbered)

    @property
    def size(self) -> int | None:
        """How many members a team has; None where teams differ."""
        sizes = {len(team) for team in self.teams}
        return sizes.pop() if len(sizes) == 1 else None

    @checked_types
    def decisions(self, k: PositiveInt | None = None) -> TopK:
        """All teams of k members, by default as many as the teams have.

        Raises
        ------
        InputError
            Where teams have different sizes and ``k`` is not given.
        """
        size = self.size if k is None else k
        if size is None:
            raise InputError(
                f"{self.name}: teams of different sizes, {min(map(len, self.teams))} to "
                f"{max(map(len, self.teams))}; how many are to be chosen? Give k (--k on the "
                "command line)"
            )
        return TopK(len(self.members), size, self.members)

    def totals(self, decisions: DecisionClass) -> list[tuple[tuple[int, ...], int, float]]:
        """Each team that was seen: its elements in a class, how often, and the sum of its scores.

        A team need not be a set of the class: its score says what its members add.

        Raises
        ------
        InputError
            Where a member is no element of the class.
        """
        place = {label: element for element, label in enumerate(decisions.labels)}
        for name in self.members:
            if name not in place:
                raise InputError(
                    f"{self.name}: {name!r} is none of the {decisions.noun}s of "
                    f"{decisions.name}: {listed(decisions.labels, f'{decisions.noun}s')}"
                )
        sums: dict[tuple[int, ...], list[float]] = {}
        for team, score, count in zip(self.teams, self.scores, self.counts, strict=True):
            chosen = tuple(sorted(place[self.members[member]] for member in team))
            sums.setdefault(chosen, []).extend((float(count), float(count * score)))
        return [
            (chosen, int(sum(seen[::2])), math.fsum(seen[1::2])) for chosen, seen in sums.items()
        ]

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
