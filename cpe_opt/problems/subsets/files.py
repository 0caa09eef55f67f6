"""Full-bandit problems from files and folders.

- A folder of crowdsourced answers, see :mod:`cpe_opt.problems.subsets.crowdsourcing`.
- A table with the columns ``element, mean``: all sets of k elements.
- A table with the columns ``from, to, mean``: the spanning trees of a graph.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from cpe_opt.errors import InputError
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.crowdsourcing import read_crowdsourcing
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.problems.subsets.trees import SpanningTrees
from cpe_opt.problems.tables import errors_of, is_folder, read_header, read_table
from cpe_opt.validation import checked_count

_ELEMENTS, _EDGES = ("element", "mean"), ("from", "to", "mean")


def is_subsets_header(header: Sequence[str]) -> bool:
    """Whether a table with this header is one that :func:`read_subsets` reads."""
    return set(_ELEMENTS) <= set(header) or set(_EDGES) <= set(header)


def read_subsets(
    path: str | os.PathLike[str], k: int | None = None, *, noise: float = 1.0
) -> SubsetBandit:
    """Read a problem.

    Parameters
    ----------
    path : path
    k : int, optional
        How many elements a set has; needed for all but spanning trees.
    noise : float
        Standard deviation of an element's noise, for CSV files of means.

    Raises
    ------
    InputError
    """
    folder = is_folder(path)
    header = () if folder else read_header(path)
    trees = set(_EDGES) <= set(header)
    if k is None and not trees:
        raise InputError(f"{path}: how many are to be chosen? Give k (--k on the command line)")
    if k is not None and trees:
        raise InputError(
            f"{path}: k was given, and spanning trees have as many edges as the graph asks for"
        )
    if folder:
        return read_crowdsourcing(path, k or 0)
    table = read_table(path, _EDGES if trees else _ELEMENTS, comments=False)
    means = table.numbers("mean")
    decisions: DecisionClass
    if trees:
        ends = list(zip(table.names("from"), table.names("to"), strict=True))
        with errors_of(table.source):
            decisions = SpanningTrees(ends)
    else:
        decisions = TopK(table.rows, checked_count("k", k), table.distinct("element"))
    return SubsetBandit(decisions, means, noise=noise, name=Path(path).stem)
