"""Duels of candidates at positions as files: logs of votes, and tables of probabilities.

A log has a column ``position`` next to those of any other log of duels. A table of probabilities
has the columns ``position, candidate, opponent, probability``, with one line per pair in either
order; a line of a candidate against itself, at 0.5, says that it may take the position.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.errors import InputError, errors_of
from cpe_opt.files import write_csv
from cpe_opt.formats.kinds import COLUMNS, Format
from cpe_opt.formats.tables import read_table
from cpe_opt.formats.votes import read_log
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.pairs import TOLERANCE, PairTable, counted_table
from cpe_opt.text import stem_of
from cpe_opt.validation import Name, checked_types

if TYPE_CHECKING:
    import pandas as pd


@checked_types
def read_panel(
    duels: str | os.PathLike[str] | pd.DataFrame, *, name: Name | None = None
) -> MatchingDuels:
    r"""Read a log of duels at positions.

    Parameters
    ----------
    duels : path or data frame
        With a column ``position`` next to those of a log of duels.
    name : str, optional
        The file's by default.

    Returns
    -------
    MatchingDuels
        With the fractions of duels won for probabilities, and the votes as ``counts``.

    Raises
    ------
    InputError
        With the line or the position concerned.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "panel.csv"
    ...     _ = path.write_text("position,winner,loser\ndesk,Ann,Bob\ndesk,Bob,Ann\n")
    ...     read_panel(path).labels
    ('desk: Ann', 'desk: Bob')
    """
    log = read_log(duels, position=True)
    source = log.table.source
    codes, places = log.table.labels("position")
    clusters = log.table.clusters(log.count)
    by_position: dict[str, PairTable] = {}
    for code, place in enumerate(places):
        try:
            labels, counts = log.counted(np.flatnonzero(codes == code), clusters=clusters)
        except InputError as error:
            raise InputError(f"{error} (position {place})") from None
        by_position[place] = counted_table(source, place, labels, counts)
    with errors_of(source):
        title = stem_of(source) if name is None else name
        return MatchingDuels.from_preferences(by_position, name=title)


def read_probabilities(path: str | os.PathLike[str]) -> MatchingDuels:
    """The problem of a table of probabilities."""
    table = read_table(path, COLUMNS[Format.POSITION_TABLE])
    place, who, opponent = (table.names(name) for name in ("position", "candidate", "opponent"))
    edges = [*zip(who, place, strict=True), *zip(opponent, place, strict=True)]
    with errors_of(table.source):
        graph = BipartiteGraph.from_labels(list(dict.fromkeys(edges)), name=stem_of(table.source))
    number = {
        (graph.candidate_labels[i], graph.position_labels[j]): edge
        for edge, (i, j) in enumerate(graph.edges)
    }
    ends = np.array([number[edge] for edge in edges]).reshape(2, -1).T.tolist()
    array = np.full((graph.size, graph.size), np.nan)
    np.fill_diagonal(array, 0.5)
    for row, ((e, f), probability) in enumerate(
        zip(ends, table.numbers("probability").tolist(), strict=True)
    ):
        if not 0.0 <= probability <= 1.0 or (e == f and probability != 0.5):
            expected = "0.5 against itself" if e == f else "a probability in [0, 1]"
            raise InputError(
                f"{table.place(row)}: probability is {probability:g}, expected {expected}"
            )
        if e != f:
            if abs(array[e, f] - probability) > TOLERANCE:
                raise InputError(f"{table.place(row)}: this pair has two probabilities")
            array[e, f], array[f, e] = probability, 1.0 - probability
    with errors_of(table.source):
        return MatchingDuels(graph, array)


def write_panel(path: str | os.PathLike[str], duels: MatchingDuels) -> None:
    """Write a table of probabilities, as :func:`read_probabilities` reads it."""
    graph = duels.graph
    alone = [(int(edges[0]), int(edges[0])) for edges in graph.edges_at if len(edges) == 1]
    rows = []
    for e, f in [*map(tuple, graph.pairs.tolist()), *alone]:
        (first, place), (second, _) = graph.edges[e], graph.edges[f]
        names = graph.candidate_labels[first], graph.candidate_labels[second]
        rows.append((graph.position_labels[place], *names, repr(float(duels.array[e, f]))))
    write_csv(path, COLUMNS[Format.POSITION_TABLE], rows)
