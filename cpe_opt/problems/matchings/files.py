"""Graphs and matching problems from tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import is_log, read_log
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.tables import errors_of, frame_table, read_header, read_table

if TYPE_CHECKING:
    import pandas as pd

_PROBABILITIES = ("position", "candidate", "opponent", "probability")


def read_graph(path: str | os.PathLike[str], *, name: str | None = None) -> BipartiteGraph:
    """Read a graph: a table with columns ``candidate, position``, one line an edge.

    Raises
    ------
    InputError
    """
    table = read_table(path, ("candidate", "position"))
    edges = list(zip(table.names("candidate"), table.names("position"), strict=True))
    first: dict[tuple[str, str], int] = {}
    for row, edge in enumerate(edges):
        if first.setdefault(edge, row) < row:
            raise InputError(f"{table.place(row)}: this edge stands there twice")
    with errors_of(table.source):
        return BipartiteGraph.from_labels(edges, name=name or _stem(table.source))


def is_matchings_header(header: Sequence[str]) -> bool:
    """Whether a header speaks of positions, as :func:`read_matchings` expects."""
    return "position" in header


def read_matchings(path: str | os.PathLike[str], *, name: str | None = None) -> MatchingDuels:
    """Read a problem from a table.

    Columns ``position, candidate, opponent, probability`` give probabilities, one line a pair in
    either order; a line of a candidate against itself says that it may take the position. A column
    ``position`` beside those of :mod:`cpe_opt.problems.dueling.votes` makes a log of duels.

    Raises
    ------
    InputError
        With the line or the pair concerned.
    """
    header = read_header(path)
    if is_log(header) or {"winner", "loser", "model_a", "model_b"} & set(header):
        return read_position_duels(path, name=name)
    table = read_table(path, _PROBABILITIES)
    place, who, opponent = (table.names(column) for column in _PROBABILITIES[:3])
    edges = [*zip(who, place, strict=True), *zip(opponent, place, strict=True)]
    with errors_of(table.source):
        graph = BipartiteGraph.from_labels(
            list(dict.fromkeys(edges)), name=name or _stem(table.source)
        )
    number = {
        (graph.candidate_labels[i], graph.position_labels[j]): edge
        for edge, (i, j) in enumerate(graph.edges)
    }
    ends = [number[edge] for edge in edges]
    probabilities = table.numbers("probability")
    array = np.full((graph.size, graph.size), np.nan)
    np.fill_diagonal(array, 0.5)
    rows = zip(ends[: len(place)], ends[len(place) :], probabilities.tolist(), strict=True)
    for row, (e, f, probability) in enumerate(rows):
        if not 0.0 <= probability <= 1.0 or (e == f and probability != 0.5):
            expected = "0.5 against itself" if e == f else "a probability in [0, 1]"
            raise InputError(
                f"{table.place(row)}: probability is {probability:g}, expected {expected}"
            )
        for first, second, value in ((e, f, probability), (f, e, 1.0 - probability)):
            known = array[first, second]
            if first != second and not (np.isnan(known) or abs(known - value) <= 1e-9):
                raise InputError(f"{table.place(row)}: this pair has two probabilities")
            array[first, second] = value
    with errors_of(table.source):
        return MatchingDuels(graph, array)


def read_position_duels(
    duels: str | os.PathLike[str] | pd.DataFrame, *, name: str | None = None
) -> MatchingDuels:
    """Count a log of duels with a column ``position``; see :mod:`cpe_opt.problems.dueling.votes`.

    Raises
    ------
    InputError
        With the line or the position concerned.
    """
    log, source = read_log(duels, position=True)
    codes, places = log.table.labels("position")
    by_position = {}
    for code, place in enumerate(places):
        try:
            labels, votes = log.counted(np.flatnonzero(codes == code))
        except InputError as error:
            raise InputError(f"{error} (position {place})") from None
        by_position[place] = PreferenceMatrix(votes.fractions, labels, name=place, votes=votes)
    with errors_of(source):
        return MatchingDuels.from_preferences(by_position, name=name or _stem(source))


def read_scores(
    table: str | os.PathLike[str] | pd.DataFrame, *, name: str | None = None
) -> MatchingDuels:
    r"""Make a problem of a table of scores: a row a candidate, a column a position.

    The first column has the candidates' names, the header the positions'; an empty cell says that a
    candidate may not take a position. Candidate a beats b with probability
    :math:`1 / (1 + e^{s_b - s_a})` (Bradley and Terry).

    Raises
    ------
    InputError
        With the cell that is not a number.
    """
    import pandas as pd

    if isinstance(table, pd.DataFrame):
        # The candidates are the index of a data frame, and the first column of a file.
        whole = table.copy()
        whole.insert(0, "", table.index, allow_duplicates=True)
        read = frame_table(whole, "scores")
    else:
        read = read_table(table)
    who = read.columns[0]
    candidates, positions = read.distinct(who), read.columns[1:]
    if not positions:
        raise InputError(
            f"{read.source}: no column but {who!r}, expected candidates, then a column a position"
        )
    scores = np.column_stack([read.numbers(place, empty=np.nan) for place in positions])
    may = ~np.isnan(scores)
    edges = [(candidates[i], positions[j]) for j, i in np.argwhere(may.T).tolist()]
    for place, column in zip(positions, may.T, strict=True):
        if not column.any():
            raise InputError(f"{read.source}: nobody may take {place!r}, for it has no score")
    with errors_of(read.source):
        graph = BipartiteGraph.from_labels(edges, name=name or _stem(read.source))
    strength = dict(zip(edges, scores.T[may.T].tolist(), strict=True))
    return MatchingDuels(graph, _bradley_terry(graph, strength))


def _bradley_terry(graph: BipartiteGraph, scores: dict[tuple[str, str], float]) -> FloatArray:
    strength = np.array(
        [scores[graph.candidate_labels[i], graph.position_labels[j]] for i, j in graph.edges]
    )
    comparable = graph.position[:, None] == graph.position[None, :]
    chance = expit(strength[:, None] - strength[None, :])
    return np.where(comparable, chance, 0.0)


def _stem(source: str) -> str:
    """A file's name without its suffix."""
    return Path(source).stem
