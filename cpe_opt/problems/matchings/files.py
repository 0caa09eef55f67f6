"""Problems of matchings from tables of probabilities, logs of duels, and tables of scores."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, errors_of
from cpe_opt.files import atomic_write
from cpe_opt.formats.text import stem_of
from cpe_opt.problems.formats import COLUMNS, Format, format_of
from cpe_opt.problems.logs import read_log
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.pairs import LogNotes, Preferences, VoteCounts, counted_table
from cpe_opt.problems.tables import read_table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class EdgeTable:
    """A graph and the probabilities of its duels, shape (m, m), as they were read.

    ``counts`` are None where probabilities were given; ``source`` is the file's name, for messages.
    """

    graph: BipartiteGraph
    array: FloatArray
    counts: VoteCounts | None = None
    source: str = ""


def read_matchings(path: str | os.PathLike[str], *, name: str | None = None) -> EdgeTable:
    """Read a problem from a table.

    Columns ``position, candidate, opponent, probability`` give probabilities, one line a pair in
    either order; a line of a candidate against itself says that it may take the position. A column
    ``position`` together with those of :mod:`cpe_opt.problems.logs` makes a log of duels. Raises
    :class:`InputError` with the line or the pair concerned.
    """
    if format_of(path) in (Format.POSITION_LOG, Format.LOG):
        return read_position_duels(path, name=name)
    columns = COLUMNS[Format.POSITION_TABLE]
    table = read_table(path, columns)
    place, who, opponent = (table.names(column) for column in columns[:3])
    edges = [*zip(who, place, strict=True), *zip(opponent, place, strict=True)]
    with errors_of(table.source):
        graph = BipartiteGraph.from_labels(
            list(dict.fromkeys(edges)), name=stem_of(table.source) if name is None else name
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
    return EdgeTable(graph, array, source=table.source)


def read_position_duels(
    duels: str | os.PathLike[str] | pd.DataFrame, *, name: str | None = None
) -> EdgeTable:
    """Count a log of duels with a column ``position``; see :mod:`cpe_opt.problems.logs`.

    Raises :class:`InputError` with the line or the position concerned.
    """
    log = read_log(duels, position=True)
    source = log.table.source
    codes, places = log.table.labels("position")
    by_position: dict[str, Preferences] = {}
    clusters = log.table.clusters(log.count)
    for code, place in enumerate(places):
        try:
            labels, counts = log.counted(np.flatnonzero(codes == code), clusters=clusters)
        except InputError as error:
            raise InputError(f"{error} (position {place})") from None
        by_position[place] = counted_table(source, place, labels, counts)
    with errors_of(source):
        return joined(by_position, name=stem_of(source) if name is None else name, source=source)


def joined(by_position: Mapping[str, Preferences], *, name: str, source: str = "") -> EdgeTable:
    """One matrix of all edges from the preferences at each position.

    Candidates are identified by their labels, and numbered in the order of appearance.
    """
    graph = BipartiteGraph.from_labels(
        [(label, place) for place, mu in by_position.items() for label in mu.labels], name=name
    )
    array = np.zeros((graph.size, graph.size))
    wins, tied = np.zeros_like(array), np.zeros_like(array)
    selected = np.zeros(array.shape, dtype=np.bool_)
    number = {label: candidate for candidate, label in enumerate(graph.candidate_labels)}
    for position, mu in enumerate(by_position.values()):
        edges = [graph.edge(number[label], position) for label in mu.labels]
        block = np.ix_(edges, edges)
        array[block] = mu.array
        if mu.counts is not None:
            wins[block], tied[block] = mu.counts.wins, mu.counts.tied
            if mu.counts.selected is not None:
                selected[block] = mu.counts.selected
    logs = [mu.counts for mu in by_position.values() if mu.counts is not None]
    if len(logs) < len(by_position):
        return EdgeTable(graph, array, source=source)
    counts = VoteCounts(
        wins,
        tied,
        LogNotes.of_all([log.notes for log in logs]),
        independent=all(log.independent for log in logs),
        selected=selected if selected.any() else None,
    )
    return EdgeTable(graph, array, counts, source)


def read_scores(
    table: str | os.PathLike[str] | pd.DataFrame, *, name: str | None = None
) -> EdgeTable:
    """Make a problem from a table of scores: one row per candidate, one column per position.

    The first column has the candidates' names, the header the positions'; an empty cell says that a
    candidate may not take a position. Candidate a beats b with probability :math:`1 / (1 + e^{s_b -
    s_a})` (Bradley and Terry). Raises :class:`InputError` with the cell that is not a number.
    """
    import pandas as pd

    if isinstance(table, pd.DataFrame):
        # The candidates are the index of a data frame, and the first column of a file.
        table = table.copy()
        table.insert(0, "", table.index, allow_duplicates=True)
    read = read_table(table, name="scores")
    who = read.columns[0]
    candidates, positions = read.distinct(who), read.columns[1:]
    if not positions:
        raise InputError(
            f"{read.source}: no column but {who!r}, expected candidates, then a "
            "column for each position"
        )
    scores = np.column_stack([read.numbers(place, empty=np.nan) for place in positions])
    may = ~np.isnan(scores)
    edges = [(candidates[i], positions[j]) for j, i in np.argwhere(may.T).tolist()]
    for place, column in zip(positions, may.T, strict=True):
        if not column.any():
            raise InputError(f"{read.source}: nobody may take {place!r}, for it has no score")
    with errors_of(read.source):
        graph = BipartiteGraph.from_labels(
            edges, name=stem_of(read.source) if name is None else name
        )
    strength = dict(zip(edges, scores.T[may.T].tolist(), strict=True))
    return EdgeTable(graph, _bradley_terry(graph, strength), source=read.source)


def _bradley_terry(graph: BipartiteGraph, scores: dict[tuple[str, str], float]) -> FloatArray:
    from scipy.special import expit  # slow to load

    strength = np.array(
        [scores[graph.candidate_labels[i], graph.position_labels[j]] for i, j in graph.edges]
    )
    comparable = graph.position[:, None] == graph.position[None, :]
    chance = expit(strength[:, None] - strength[None, :])
    return np.where(comparable, chance, 0.0)


def write_matchings(path: str | os.PathLike[str], graph: BipartiteGraph, array: FloatArray) -> None:
    """Write probabilities, readable by :func:`read_matchings`."""
    with atomic_write(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["position", "candidate", "opponent", "probability"])
        for e, f in graph.pairs.tolist():
            (first, place), (second, _) = graph.edges[e], graph.edges[f]
            names = (
                graph.position_labels[place],
                graph.candidate_labels[first],
                graph.candidate_labels[second],
            )
            writer.writerow([*names, repr(float(array[e, f]))])
        for edges in graph.edges_at:
            if len(edges) == 1:
                candidate, place = graph.edges[int(edges[0])]
                who = graph.candidate_labels[candidate]
                writer.writerow([graph.position_labels[place], who, who, "0.5"])
