"""Graphs and matching problems from CSV files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from cpe_opt.errors import InputError
from cpe_opt.problems.bipartite import BipartiteGraph
from cpe_opt.problems.matchings import MatchingDuels
from cpe_opt.problems.readers import read_duels
from cpe_opt.problems.tables import csv_frame, header_of, read_table

if TYPE_CHECKING:
    import pandas as pd


def read_graph(path: str | os.PathLike[str], *, name: str | None = None) -> BipartiteGraph:
    """Read a graph: a CSV file with columns ``candidate, position``, one line an edge.

    Raises
    ------
    InputError
    """
    frame, source = read_table(path, ("candidate", "position"))
    edges = list(zip(frame["candidate"], frame["position"], strict=True))
    return BipartiteGraph.from_labels(edges, name=name or source.partition(".")[0])


def is_matchings_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file's header speaks of positions, as :func:`read_matchings` expects."""
    return "position" in header_of(path)


def read_matchings(path: str | os.PathLike[str], *, name: str | None = None) -> MatchingDuels:
    """Read a problem from a CSV file with a header.

    Columns ``position, candidate, opponent, probability`` give probabilities, one line a pair in
    either order; a line of a candidate against itself says that it may take the position. Columns
    ``position, winner, loser`` and, optionally, ``count`` are a log of duels.

    Raises
    ------
    InputError
    """
    if {"position", "winner", "loser"} <= set(header_of(path)):
        return read_position_duels(path, name=name)
    frame, source = read_table(path, ("position", "candidate", "opponent", "probability"))
    pairs = [
        (frame["candidate"], frame["position"]),
        (frame["opponent"], frame["position"]),
    ]
    labels = [edge for first, second in pairs for edge in zip(first, second, strict=True)]
    graph = BipartiteGraph.from_labels(
        list(dict.fromkeys(labels)), name=name or source.partition(".")[0]
    )
    who = {label: number for number, label in enumerate(graph.candidate_labels)}
    where = {label: number for number, label in enumerate(graph.position_labels)}
    array = np.full((graph.size, graph.size), np.nan)
    np.fill_diagonal(array, 0.5)
    cells = frame[["position", "candidate", "opponent", "probability"]].to_numpy(dtype=str)
    for number, (place, candidate, opponent, cell) in enumerate(cells.tolist(), 2):
        e = graph.edge(who[candidate], where[place])
        f = graph.edge(who[opponent], where[place])
        try:
            probability = float(cell)
        except ValueError:
            raise InputError(f"{source}, line {number}: {cell!r} is not a number") from None
        for first, second, value in ((e, f, probability), (f, e, 1.0 - probability)):
            known = array[first, second]
            if first != second and not (np.isnan(known) or abs(known - value) <= 1e-9):
                raise InputError(f"{source}, line {number}: this pair has two probabilities")
            array[first, second] = value
    return MatchingDuels(graph, array)


def read_position_duels(
    duels: str | os.PathLike[str] | pd.DataFrame, *, name: str | None = None
) -> MatchingDuels:
    """Count a log of duels: columns ``position, winner, loser`` and, optionally, ``count``.

    Raises
    ------
    InputError
    """
    import pandas as pd

    if isinstance(duels, pd.DataFrame):
        frame, source = duels.astype(str), "duels"
        missing = [c for c in ("position", "winner", "loser") if c not in frame.columns]
        if missing:
            raise InputError(f"{source}: no column {missing[0]!r}")
    else:
        frame, source = read_table(duels, ("position", "winner", "loser"))
    by_position = {}
    for place, group in frame.groupby("position", sort=False):
        try:
            by_position[str(place)] = read_duels(group.drop(columns="position"), name=str(place))
        except InputError as error:
            raise InputError(f"{source}, position {place}: {error}") from None
    return MatchingDuels.from_preferences(by_position, name=name or source.partition(".")[0])


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
        frame, source = table, "scores"
    else:
        frame, source = csv_frame(table, index_col=0, dtype=str, comment="#"), Path(table).name
    by_position = {}
    for place in frame.columns:
        cells = frame[place].dropna()
        scores = pd.to_numeric(cells, errors="coerce").to_numpy(dtype=np.float64)
        if not np.isfinite(scores).all():
            row = int(np.flatnonzero(~np.isfinite(scores))[0])
            raise InputError(
                f"{source}, candidate {cells.index[row]}, position {place}: {cells.iloc[row]!r} is "
                "no finite number"
            )
        by_position[str(place)] = [str(who) for who in cells.index], scores
    edges = [(who, place) for place, (people, _) in by_position.items() for who in people]
    if not edges:
        raise InputError(f"{source}: no scores")
    graph = BipartiteGraph.from_labels(edges, name=name or source.partition(".")[0])
    scores_of = dict(
        zip(edges, np.concatenate([scores for _, scores in by_position.values()]), strict=True)
    )
    strength = np.array(
        [scores_of[graph.candidate_labels[i], graph.position_labels[j]] for i, j in graph.edges]
    )
    comparable = graph.position[:, None] == graph.position[None, :]
    chance = expit(strength[:, None] - strength[None, :])
    return MatchingDuels(graph, np.where(comparable, chance, 0.0))
