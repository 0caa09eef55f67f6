"""Full-bandit problems from files and folders.

- A folder of crowdsourced answers, see :mod:`cpe_opt.problems.crowdsourcing`.
- A CSV file with the columns ``element, mean``: all sets of k elements.
- A CSV file with the columns ``from, to, mean``: the spanning trees of a graph.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.problems.crowdsourcing import is_crowdsourcing, read_crowdsourcing
from cpe_opt.problems.decisions import DecisionClass, TopK
from cpe_opt.problems.networks import SpanningTrees
from cpe_opt.problems.subsets import SubsetBandit
from cpe_opt.problems.tables import header_of, read_table

_ELEMENTS, _EDGES = ("element", "mean"), ("from", "to", "mean")


def is_subsets_file(path: str | os.PathLike[str]) -> bool:
    """Whether this is a folder or file that :func:`read_subsets` reads."""
    if Path(path).is_dir():
        return is_crowdsourcing(path)
    return set(header_of(path)) in (set(_ELEMENTS), set(_EDGES))


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
    import pandas as pd

    path = Path(path)
    trees = not path.is_dir() and set(header_of(path)) == set(_EDGES)
    if k is None and not trees:
        raise InputError(f"{path}: how many are to be chosen? Give k (--k on the command line)")
    if k is not None and trees:
        raise InputError(
            f"{path}: k was given, and spanning trees have as many edges as the graph asks for"
        )
    if path.is_dir():
        return read_crowdsourcing(path, k or 0)
    frame, _ = read_table(path, _EDGES if trees else _ELEMENTS, comment=None)
    means = pd.to_numeric(frame["mean"], errors="coerce").to_numpy(dtype=np.float64)
    wrong = np.flatnonzero(~np.isfinite(means))
    if wrong.size:
        line = int(wrong[0])
        raise InputError(
            f"{path}, line {line + 2}: mean is {frame['mean'][line]!r}, expected a number"
        )
    decisions: DecisionClass
    if trees:
        decisions = SpanningTrees(list(zip(frame["from"], frame["to"], strict=True)))
    else:
        decisions = TopK(len(frame), k or 0, frame["element"].tolist())
    return SubsetBandit(decisions, means, noise=noise, name=path.stem)
