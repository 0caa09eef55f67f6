"""Full-bandit problems from files.

- A folder of crowdsourced answers, or a table with the columns ``question, worker, correct``, see
  :mod:`cpe_opt.problems.subsets.crowdsourcing`.
- A log of teams and scores, columns ``team, score``, see
  :mod:`cpe_opt.problems.subsets.team_scores`: all sets of as many members, with the means of least
  squares and the noise of the residuals.
- A table with the columns ``element, mean``: all sets of k elements.
- A table with the columns ``from, to, mean``: the spanning trees of a graph.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.formats import COLUMNS, Format, format_of
from cpe_opt.problems.subsets.crowdsourcing import read_crowdsourcing, read_long_answers
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.problems.subsets.team_scores import TeamScores
from cpe_opt.problems.subsets.trees import SpanningTrees
from cpe_opt.problems.tables import read_table
from cpe_opt.problems.text import errors_of, stem_of
from cpe_opt.validation import checked_count


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
    kind = format_of(path)
    if kind is Format.TEAMS:
        scores = TeamScores.read(path)
        return SubsetTable(scores.name, scores.decisions(k), scores.means(), noise=scores.noise())
    trees = kind is Format.EDGES
    if k is None and not trees:
        raise InputError(f"{path}: how many are to be chosen? Give k (--k on the command line)")
    if k is not None and trees:
        raise InputError(
            f"{path}: k was given, and spanning trees have as many edges as the graph asks for"
        )
    if kind in (Format.ANSWERS, Format.ANSWER_FOLDER):
        size = checked_count("k", k)
        read = read_crowdsourcing if kind is Format.ANSWER_FOLDER else read_long_answers
        answers = read(path)
        teams = TopK(len(answers.workers), size, answers.workers)
        return SubsetTable(answers.name, teams, answers.right.mean(axis=0), answers.right)
    table = read_table(path, COLUMNS[Format.EDGES if trees else Format.ELEMENTS], comments=False)
    means = table.numbers("mean")
    decisions: DecisionClass
    if trees:
        ends = list(zip(table.names("from"), table.names("to"), strict=True))
        with errors_of(table.source):
            decisions = SpanningTrees(ends)
    else:
        decisions = TopK(table.rows, checked_count("k", k), table.distinct("element"))
    return SubsetTable(stem_of(path), decisions, means)
