"""Full-bandit problems from files.

- A folder of crowdsourced answers, see :mod:`cpe_opt.problems.subsets.crowdsourcing`; or a table
  with the columns ``question, worker, correct``, see :mod:`cpe_opt.problems.subsets.crowdsourcing`.
- A log of teams and scores, columns ``team, score``, see
  :mod:`cpe_opt.problems.subsets.team_scores`: all sets of as many members, with the means of least
  squares and the noise of the residuals.
- A table with the columns ``element, mean``: all sets of k elements.
- A table with the columns ``from, to, mean``: the spanning trees of a graph.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.rows import read_header
from cpe_opt.problems.subsets import crowdsourcing as long_answers, team_scores
from cpe_opt.problems.subsets.crowdsourcing import read_crowdsourcing
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.problems.subsets.team_scores import is_team_header
from cpe_opt.problems.subsets.trees import SpanningTrees
from cpe_opt.problems.tables import read_table
from cpe_opt.problems.text import errors_of, is_folder, stem_of
from cpe_opt.validation import checked_count

_ELEMENTS, _EDGES = ("element", "mean"), ("from", "to", "mean")


def is_subsets_header(header: Sequence[str]) -> bool:
    """Whether a table with this header is one that :func:`read_subsets` reads."""
    forms = (_ELEMENTS, _EDGES, long_answers.COLUMNS)
    of_teams = is_team_header(header)
    return of_teams or any(set(columns) <= set(header) for columns in forms)


@dataclass(frozen=True, eq=False)
class SubsetTable:
    """A decision class and the rewards of its elements, as they were read.

    Attributes
    ----------
    name : str
    decisions : DecisionClass
    means : float array, shape (n,)
    outcomes : float array, shape (tasks, n), or None
        The table of rewards where the file is one; then the means are its columns'.
    noise : float or None
        That of an element, where the file tells.
    """

    name: str
    decisions: DecisionClass
    means: FloatArray
    outcomes: FloatArray | None = None
    noise: float | None = None


def read_subsets(path: str | os.PathLike[str], k: int | None = None) -> SubsetTable:
    """Read the sets and the rewards of a problem.

    Parameters
    ----------
    path : path
    k : int, optional
        How many elements a set has; needed for all but spanning trees, and logs of teams that
        have all as many members.

    Raises
    ------
    InputError
    """
    folder = is_folder(path)
    header = () if folder else read_header(path)
    if is_team_header(header):
        return _of_teams(team_scores.TeamScores.read(path), k)
    trees = set(_EDGES) <= set(header)
    if k is None and not trees:
        raise InputError(f"{path}: how many are to be chosen? Give k (--k on the command line)")
    if k is not None and trees:
        raise InputError(
            f"{path}: k was given, and spanning trees have as many edges as the graph asks for"
        )
    if folder or set(long_answers.COLUMNS) <= set(header):
        size = checked_count("k", k)
        answers = read_crowdsourcing(path) if folder else long_answers.read_long_answers(path)
        teams = TopK(len(answers.workers), size, answers.workers)
        return SubsetTable(answers.name, teams, answers.right.mean(axis=0), answers.right)
    table = read_table(path, _EDGES if trees else _ELEMENTS, comments=False)
    means = table.numbers("mean")
    decisions: DecisionClass
    if trees:
        ends = list(zip(table.names("from"), table.names("to"), strict=True))
        with errors_of(table.source):
            decisions = SpanningTrees(ends)
    else:
        decisions = TopK(table.rows, checked_count("k", k), table.distinct("element"))
    return SubsetTable(stem_of(path), decisions, means)


def _of_teams(log: team_scores.TeamScores, k: int | None) -> SubsetTable:
    """The estimate of a log of teams."""
    decisions = log.decisions(k)
    return SubsetTable(log.name, decisions, log.means(), noise=log.noise())
