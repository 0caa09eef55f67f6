"""Problems of any family from files, and preferences and matchings to files.

A script ``script.py:name`` has the problem that it calls by this name.

**Probabilities at positions** have the columns ``position, candidate, opponent, probability``, with
one line per pair in either order; a line of a candidate against itself, at 0.5, says that it may
take the position.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from cpe_opt.errors import InputError, UnknownName, errors_of
from cpe_opt.files import check_output, write_csv
from cpe_opt.formats.matrices import read_square, write_square
from cpe_opt.formats.observations import (
    read_item_duels,
    read_item_scores,
    read_panel,
    read_scores,
)
from cpe_opt.formats.tables import COLUMNS, Format, format_of, has_items, read_table
from cpe_opt.formats.text import read_text, require_file, stem_of
from cpe_opt.formats.votes import read_preferences
from cpe_opt.problems.catalogue import INSTANCES, made_by_name
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.generators import GENERATORS
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.edge_sets import SpanningTrees
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.scripts import is_script, run_script
from cpe_opt.validation import Name, checked_types


@checked_types
def load_problem(
    name_or_path: str | os.PathLike[str], k: int | None = None, *, items: bool = False
) -> Problem:
    """A built-in instance by name, a random problem, or the problem in a file of any format.

    Parameters
    ----------
    name_or_path : str or path
        One of ``cpe_opt.INSTANCES``, a random problem such as ``bradley-terry:64:seed=3``
        (:func:`cpe_opt.problems.generators.generated_problem`), or a file of any format.
    k : int, optional
        How many elements a set has, where a file does not say, or of a table of scores on items how
        many of the best arms are wanted, 1 by default; refused where it has no effect.
    items : bool
        Whether a log of duels with a column ``item`` is read as a fixed test set
        (:class:`cpe_opt.ItemDuels`), each of whose cells is asked once, rather than as votes whose
        fractions are the probabilities of wins.

    Raises
    ------
    UnknownName
        Where it is neither the name of an instance nor looks like a path.
    InputError
        With the file and the line.

    Examples
    --------
    >>> load_problem("sushi").family
    'dueling'
    """
    if isinstance(name_or_path, str):
        made = made_by_name(name_or_path)
        if made is not None:
            _refuse_k(name_or_path, k, "a problem that is made by its name")
            return made
        if not is_path(name_or_path):
            raise UnknownName("instance", name_or_path, (*INSTANCES, *GENERATORS))
    path = name_or_path
    if is_script(path):
        _refuse_k(path, k, "a script")
        return _of_script(path)
    if Path(path).suffix.lower() == ".py":
        raise InputError(
            f"{str(path)!r} is a script: expected the name of a problem in it, too, such as "
            f"{Path(path).name}:problem"
        )
    kind = format_of(path)
    if items and k is None and has_items(path):
        return read_item_duels(path)
    if kind is Format.TEAMS:
        return _of_teams(path, k)
    if kind is Format.ELEMENTS:
        return _of_elements(path, k)
    if kind is Format.ITEM_SCORES:
        return read_item_scores(path, top=1 if k is None else k)
    _refuse_k(path, k, kind.what)
    if kind is Format.EDGES:
        return _of_edges(path)
    if kind is Format.POSITION_TABLE:
        return _of_table(path)
    return read_panel(path) if kind is Format.POSITION_LOG else _of_preferences(path)


@checked_types
def read_matrix(path: str | os.PathLike[str], *, name: Name | None = None) -> PreferenceMatrix:
    r"""Read a preference matrix from a text file.

    Parameters
    ----------
    path : path
        Cells are separated by commas, semicolons, tabs or blanks. A header row of labels is
        optional, and so is a first column that repeats them; where labels are numbers, the header
        has an empty first cell. Lines starting with ``#`` are comments.
    name : str, optional
        The file's by default.

    Raises
    ------
    InputError
        With the line and the cell that cannot be read, or the arms whose probabilities are wrong.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "tastings.csv"
    ...     _ = path.write_text(",tuna,squid\ntuna,0.5,0.6\nsquid,0.4,0.5\n")
    ...     read_matrix(path)
    PreferenceMatrix('tastings', 2 arms, Copeland winners: tuna)
    """
    table = read_square(path)
    with errors_of(table.source):
        title = table.name if name is None else name
        return PreferenceMatrix(table.array, table.labels or None, name=title)


@checked_types
def write_problem(problem: PreferenceMatrix | MatchingDuels, path: str | os.PathLike[str]) -> None:
    """Write preferences or matchings as CSV.

    Parameters
    ----------
    problem : PreferenceMatrix or MatchingDuels
    path : path
        From which :func:`load_problem` reads the same; overwritten where it is there.

    Raises
    ------
    InputError
        Where a label of an arm has a line break.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_problem(PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]]), f"{folder}/m.csv")
    ...     Path(folder, "m.csv").read_text().split()
    [',0,1', '0,0.5,0.6', '1,0.4,0.5']
    """
    check_output(path, force=True)
    known: Any = problem
    if problem.family == "matchings":
        _write_table(path, known)
    else:
        write_square(path, known.array, known.labels)


def is_path(text: str) -> bool:
    """Whether a text is rather the path of a file than the name of an instance."""
    try:
        if not text.strip():
            return False
        return bool(Path(text).suffix) or "/" in text or os.sep in text or Path(text).exists()
    except (OSError, ValueError):
        return True


def _refuse_k(path: str | os.PathLike[str], k: int | None, what: str) -> None:
    if k is not None:
        raise InputError(
            f"{path}: k (--k on the command line) has no effect on {what}; it says how many "
            "elements the sets of a file have"
        )


def _of_script(text: str | os.PathLike[str]) -> Problem:
    """The problem that a script calls by this name."""
    place, _, name = os.fspath(text).rpartition(":")
    path = require_file(place)
    problem = getattr(run_script(path, read_text(path)), name, None)
    if not isinstance(problem, Problem):
        found = "it has no such name" if problem is None else f"it is a {type(problem).__name__}"
        raise InputError(
            f"{path.name}: {name!r} is no problem ({found}); expected such as "
            "`problem = cpe_opt.SubsetBandit(…)`"
        )
    return problem


def _of_preferences(path: str | os.PathLike[str]) -> PreferenceMatrix:
    """A matrix, or the estimate from a log of duels or an election."""
    table = read_preferences(path)
    with errors_of(table.source):
        votes = None if table.counts is None else Votes.of_table(table)
        return PreferenceMatrix(table.array, table.labels or None, name=table.name, votes=votes)


def _of_teams(path: str | os.PathLike[str], k: int | None) -> SubsetBandit:
    """Contributions by least squares."""
    log = read_scores(path)
    noise = log.noise()
    return SubsetBandit(
        log.decisions(k), log.means(), noise=1.0 if noise is None else noise, name=stem_of(path)
    )


def _of_elements(path: str | os.PathLike[str], k: int | None) -> SubsetBandit:
    if k is None:
        raise InputError(f"{path}: how many are to be chosen? Give k (--k on the command line)")
    table = read_table(path, COLUMNS[Format.ELEMENTS], comments=False)
    decisions = TopK(table.rows, k, table.distinct("element"))
    return SubsetBandit(decisions, table.numbers("mean"), name=stem_of(path))


def _of_edges(path: str | os.PathLike[str]) -> SubsetBandit:
    table = read_table(path, COLUMNS[Format.EDGES], comments=False)
    means = table.numbers("mean")
    ends = list(zip(table.names("from"), table.names("to"), strict=True))
    with errors_of(table.source):
        return SubsetBandit(SpanningTrees(ends), means, name=stem_of(path))


def _of_table(path: str | os.PathLike[str]) -> MatchingDuels:
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


def _write_table(path: str | os.PathLike[str], duels: MatchingDuels) -> None:
    """Write a table of probabilities, as :func:`_of_table` reads it."""
    graph = duels.graph
    alone = [(int(edges[0]), int(edges[0])) for edges in graph.edges_at if len(edges) == 1]
    rows = []
    for e, f in [*map(tuple, graph.pairs.tolist()), *alone]:
        (first, place), (second, _) = graph.edges[e], graph.edges[f]
        names = graph.candidate_labels[first], graph.candidate_labels[second]
        rows.append((graph.position_labels[place], *names, repr(float(duels.array[e, f]))))
    write_csv(path, COLUMNS[Format.POSITION_TABLE], rows)
