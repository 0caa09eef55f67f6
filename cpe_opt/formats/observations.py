"""Observations of any format; scores of teams, and outcomes over the items of a test set."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, errors_of
from cpe_opt.files import atomic_write, check_output, write_csv
from cpe_opt.formats.matrices import quoted_cell
from cpe_opt.formats.tables import (
    COLUMNS,
    COUNT,
    FIRST,
    GRADED,
    HINT,
    ITEM,
    MISSING,
    Format,
    Source,
    Table,
    read_table,
)
from cpe_opt.formats.text import stem_of
from cpe_opt.formats.votes import (
    DuelLog,
    LogPaths,
    ReadOptions,
    VoteFilter,
    check_labels,
    checked_sources,
    counts_of,
    read_log,
    read_preferences,
)
from cpe_opt.problems.clusters import divided_outcomes
from cpe_opt.problems.dueling.items import MOST_CELLS, ItemDuels
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.pairs import PairTable, counted_table
from cpe_opt.problems.subsets.item_scores import MOST_SCORES, ItemScores
from cpe_opt.problems.subsets.team_scores import TeamScores
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.validation import Name, PositiveInt, checked_types

if TYPE_CHECKING:
    import pandas as pd

Observations: TypeAlias = Votes | MatchingDuels | TeamScores
"""What was observed: votes on arms, votes on candidates at positions, or scores of teams."""


@checked_types
@shows_progress("reading observations")
def read_observations(
    path: LogPaths,
    *,
    unranked: Literal["last", "ignore"] | None = None,
    progress: ShowProgress = None,
    **options: Unpack[ReadOptions],
) -> Observations:
    r"""Read votes or scores from a file of any format.

    Parameters
    ----------
    path : path, or sequence of paths
        Whatever :func:`read_votes` reads; a log of duels at positions; or a log of teams and their
        scores. Several files have to be logs of duels, which are read as one.
    unranked, progress, **options
        As for :func:`read_votes`; refused where they have no effect.

    Returns
    -------
    Votes, MatchingDuels or TeamScores
        Of :class:`MatchingDuels` the attribute ``counts`` has the votes.

    Raises
    ------
    InputError
        With the line concerned; or where the file has a problem and no observations.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "tastings.csv"
    ...     _ = path.write_text("winner,loser\ntuna,squid\nsquid,tuna\ntuna,squid\n")
    ...     read_observations(path)
    Votes('tastings', 2 arms, 3 votes on 1 of 1 pairs)
    """
    sources, kind = checked_sources(path, unranked, options)
    if kind is Format.TEAMS:
        return read_scores(sources[0])
    if kind is Format.POSITION_LOG:
        return read_panel(sources[0], cluster=options.get("cluster"))
    if kind.family == "dueling":
        return Votes.of_table(read_preferences(path, unranked=unranked, **options))
    raise InputError(
        f"{path} is {kind.what}, which load_problem reads, and no observations; expected votes on "
        "arms or at positions, or a log of teams with the columns team, score"
    )


@checked_types
def read_panel(
    duels: str | os.PathLike[str] | pd.DataFrame,
    *,
    name: Name | None = None,
    cluster: str | None = None,
) -> MatchingDuels:
    r"""Read a log of duels at positions.

    Parameters
    ----------
    duels : path or data frame
        With a column ``position`` next to those of a log of duels.
    name : str, optional
        The file's by default.
    cluster : str, optional
        A column, such as "judge": votes that share a value of it may depend on each other, also
        at different positions, as for :func:`read_votes`.

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
    log = read_log(duels, VoteFilter.of({"cluster": cluster}), position=True)
    source, rows = log.table.source, log.read[0]
    codes, places = log.table.labels("position")
    clusters = log.table.clusters(log.count)
    single = replace(log, chosen=VoteFilter())
    by_position: dict[str, PairTable] = {}
    for code, place in enumerate(places):
        try:
            labels, counts = single.counted(rows[codes[rows] == code], clusters)
        except InputError as error:
            raise InputError(f"{error} (position {place})") from None
        by_position[place] = counted_table(source, place, labels, counts)
    with errors_of(source):
        title = stem_of(source) if name is None else name
        panel = MatchingDuels.from_preferences(by_position, name=title)
        return panel if cluster is None else _in_clusters(panel, log)


def _in_clusters(panel: MatchingDuels, log: DuelLog) -> MatchingDuels:
    """The panel of a log whose votes come in clusters, with the means of these."""
    codes, places = log.table.labels("position")
    edges = np.zeros((len(places), len(log.labels)), dtype=np.int64)
    number = {label: arm for arm, label in enumerate(log.labels)}
    for edge, (candidate, position) in enumerate(panel.graph.edges):
        place = places.index(panel.graph.position_labels[position])
        edges[place, number[panel.graph.candidate_labels[candidate]]] = edge
    rows = log.read[0][log.count[log.read[0]] > 0]
    first, second = (edges[codes[rows], arm[rows]] for arm in (log.first, log.second))
    keys, count = log.table.keys(log.chosen.cluster)[rows], log.count[rows]
    outcomes = divided_outcomes(keys, first, second, log.share[rows], count)
    pair = np.minimum(first, second) * panel.graph.size + np.maximum(first, second)
    assert panel.counts is not None
    clustering = log.clustering(rows, pair, count)
    notes = replace(panel.counts.notes, clusters=(), clustering=clustering)
    counts = replace(panel.counts, notes=notes, outcomes=outcomes)
    same = panel.graph.position[:, None] == panel.graph.position[None, :]
    array = np.where(same, counts.fractions, 0.0)
    return MatchingDuels(panel.graph, array, name=panel.name, counts=counts)


@checked_types
def read_scores(path: str | os.PathLike[str], *, name: Name | None = None) -> TeamScores:
    r"""Read a log of teams and their scores.

    A table with the columns ``team`` and ``score``, and optionally ``count``: how many times the
    team was seen, if the score is a mean. A cell has the names of the members, parted by ``+``, or
    by blanks where no cell has one. Further columns are not read; of those that say whose a score
    is, or what it is about (:mod:`cpe_opt.problems.clusters`), the different values are counted:
    scores that share one may depend on each other.

    Raises
    ------
    InputError
        With the line concerned.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "teams.csv"
    ...     _ = path.write_text("team,score\nann + bob,5\nbob + cleo,3\ncleo + ann,4\n")
    ...     read_scores(path).members
    ('ann', 'bob', 'cleo')
    """
    table = read_table(path, COLUMNS[Format.TEAMS], (COUNT,), others=True)
    counts = counts_of(table)
    weights = {"weight", "weights"} & {*table.columns}
    if weights:
        raise InputError(
            f"{table.source}: is {min(weights)!r} how often a team was seen? Name it {COUNT!r}"
        )
    table.refuse(counts == 0, "the count is 0, expected how often the team was seen")
    return TeamScores(
        _split_cells(table),
        table.numbers("score"),
        counts,
        name=stem_of(path) if name is None else name,
        clusters=table.clusters(counts),
    )


@checked_types
def write_scores(scores: TeamScores, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write scores of teams as a .csv, readable by :func:`read_scores`.

    Raises
    ------
    InputError
        Where the file exists without ``force``, or a member's name has a ``+``.
    WriteFailed

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> scores = TeamScores([["ann", "bob"], ["bob", "cleo"]], [5, 3])
    >>> with TemporaryDirectory() as folder:
    ...     write_scores(scores, f"{folder}/teams.csv")
    ...     read_scores(f"{folder}/teams.csv").scores.tolist()
    [5.0, 3.0]
    """
    check_output(path, (".csv",), force=force)
    names = [[scores.members[member] for member in team] for team in scores.teams]
    cells = [*map(" + ".join, names)]
    if _parted(cells) != names:
        raise InputError(
            f"{scores.name}: the names of members cannot be told apart in a file, with + in them, "
            "or blanks around them"
        )
    rows = zip(cells, map(repr, scores.scores.tolist()), map(int, scores.counts), strict=True)
    write_csv(path, (*COLUMNS[Format.TEAMS], COUNT), rows)


def _split_cells(table: Table) -> list[list[str]]:
    """The names of the members of each team."""
    cells = table.names("team")
    teams = _parted(cells)
    marks = set() if any("+" in cell for cell in cells) else set("|;,/&")
    for row, (cell, names) in enumerate(zip(cells, teams, strict=True)):
        if not all(names) or len(set(names)) < len(names) or marks & {*cell}:
            raise InputError(
                f"{table.place(row)}: team is {cell!r}, expected different names and + between"
            )
    return teams


def _parted(cells: Sequence[str]) -> list[list[str]]:
    """The names in cells, which + parts, or blanks where no cell has one."""
    mark = "+" if any("+" in cell for cell in cells) else None
    return [[name.strip() for name in cell.split(mark)] for cell in cells]


@checked_types
def read_item_scores(
    source: Source, *, top: PositiveInt = 1, name: Name | None = None
) -> ItemScores:
    r"""Read a table of scores of arms on the items of a test set, in which every line is a cell.

    It has the columns ``arm``, ``item`` and ``score``, a number from 0 to 1, and may have a column
    ``hint``: a cheap score of the cell, from 0 to 1, too. Further columns are not read; JSON
    objects have keys in place of columns, and true and false are 1 and 0.

    Raises
    ------
    InputError
        With the line concerned, also where a cell stands there twice.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "prompts.csv"
    ...     _ = path.write_text("arm,item,score\nterse,q1,1\nterse,q2,0.5\nplain,q1,0\n")
    ...     read_item_scores(path)
    ItemScores('prompts', 2 arms, 2 items, 3 scores)
    """
    table = read_table(source, COLUMNS[Format.ITEM_SCORES], (HINT,), others=True)
    (arm, arms), (item, items) = table.labels("arm"), table.labels(ITEM)
    if len(arms) * len(items) > MOST_SCORES:
        raise InputError(
            f"{table.source}: {len(arms):,} arms and {len(items):,} items, expected at most "
            f"{MOST_SCORES:,} cells"
        )
    cells = np.asarray(arm, np.int64) * len(items) + item
    again = np.ones(table.rows, dtype=np.bool_)
    again[np.unique(cells, return_index=True)[1]] = False
    table.refuse(again, "this arm stands there twice on this item; each cell has one score")
    codes, texts = table.coded["score"]
    table.refuse(
        np.isin(texts, [*MISSING])[codes],
        "there is no score; score an output that failed 0, and leave out a row that is missing for "
        "another reason",
    )
    arrays = {}
    for column in ("score", *([HINT] if HINT in table else [])):
        values = table.numbers(column)
        table.refuse(
            (values < 0.0) | (values > 1.0),
            f"{column} is not from 0 to 1; divide grades on another scale by its length",
        )
        arrays[column] = np.full((len(arms), len(items)), np.nan)
        arrays[column].flat[cells] = values
    name = stem_of(table.source) if name is None else name
    with errors_of(table.source):
        return ItemScores(arrays["score"], arms, items, hints=arrays.get(HINT), top=top, name=name)


@checked_types
def read_item_clusters(source: Source, column: str, items: Sequence[str]) -> list[str]:
    """What each item of a table of scores belongs to, by a column, such as its document.

    Raises
    ------
    InputError
        With the line concerned, where a cell is empty or two lines disagree about an item.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("a", "q1", 1, "x"), ("b", "q1", 0, "x"), ("a", "q2", 1, "y")]
    >>> frame = pd.DataFrame(rows, columns=["arm", "item", "score", "document"])
    >>> read_item_clusters(frame, "document", ["q1", "q2"])
    ['x', 'y']
    """
    column = column.strip().lower()
    if column in COLUMNS[Format.ITEM_SCORES]:
        raise InputError(f"cluster is {column!r}, expected a further column, such as 'document'")
    table = read_table(source, (*COLUMNS[Format.ITEM_SCORES], column), (HINT,), others=True)
    found: dict[str, str] = {}
    cells = zip(table.names(ITEM), table.names(column), strict=True)
    for row, (item, cluster) in enumerate(cells):
        if found.setdefault(item, cluster) != cluster:
            raise InputError(
                f"{table.place(row)}: {column} of the item {item!r} is {cluster!r}, and on an "
                f"earlier line {found[item]!r}; expected one per item"
            )
    return [found[item] for item in items]


@checked_types
def read_item_duels(source: Source, *, name: Name | None = None) -> ItemDuels:
    r"""Read a log of duels over the items of a test set, in which every line is a cell.

    It has the columns of a log (:func:`read_votes`), a column ``item`` with the id of the item, and
    may have a column ``first``: which of the two arms was shown first, its name, ``model_a`` or
    ``model_b``. Without it a pair has one cell an item. In place of a winner a log may have a
    column ``outcome``, a number from 0 to 1: what ``model_a`` gets.

    Raises
    ------
    InputError
        With the line concerned, also where a cell stands there twice.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "judged.csv"
    ...     _ = path.write_text("model_a,model_b,outcome,item\na,b,0.5,q1\nb,a,1,q2\n")
    ...     read_item_duels(path)
    ItemDuels('judged', 2 arms, 2 items, 2 cells)
    """
    log = read_log(source, items=True)
    outcomes, labels, items = _cells_of(log)
    name = stem_of(log.table.source) if name is None else name
    return ItemDuels(outcomes, labels, items, name=name)


@checked_types
def write_item_duels(
    duels: ItemDuels, path: str | os.PathLike[str], *, force: bool = False
) -> None:
    """Write one line per cell, readable by :func:`read_item_duels`.

    Raises
    ------
    InputError
        Where there is such a file without ``force``, or a label or id is one that no log can hold.
    WriteFailed

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> duels = ItemDuels([[[np.nan] * 2, [1, 0.5]], [[np.nan] * 2] * 2], labels=["a", "b"])
    >>> with TemporaryDirectory() as folder:
    ...     write_item_duels(duels, f"{folder}/judged.csv")
    ...     read_item_duels(f"{folder}/judged.csv").pair(0, 1)
    [1.0, 0.5]
    """
    check_labels((*duels.labels, *duels.items))
    check_output(path, (".csv",), force=force)
    columns = [*GRADED.columns, ITEM, *([FIRST] if duels.orders == 2 else [])]
    with atomic_write(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.write(",".join(columns) + "\n")
        for i, j, item, order in np.argwhere(~np.isnan(duels.outcomes)).tolist():
            if i < j:
                outcome = float(duels.outcomes[i, j, item, order])
                cells = [duels.labels[i], duels.labels[j], repr(outcome), duels.items[item]]
                cells += [GRADED.columns[order]] if duels.orders == 2 else []
                file.write(",".join(map(quoted_cell, cells)) + "\n")


def _cells_of(log: DuelLog) -> tuple[FloatArray, list[str], list[str]]:
    """The outcomes of a log in which each line is a cell, with labels and ids of items."""
    table = log.table
    table.refuse(log.count != 1.0, "the count is not 1, and each cell is asked once")
    arms = log.arms(np.arange(table.rows))
    place = np.empty(len(arms), dtype=np.int64)
    place[arms] = np.arange(len(arms))
    i, j = place[log.first], place[log.second]
    item, items = table.labels(ITEM)
    orders = 2 if FIRST in table else 1
    order = np.where(log.shown_first, 0, 1)
    shape = len(arms), len(arms), len(items), orders
    size = int(np.prod(shape))
    if size > MOST_CELLS:
        raise InputError(
            f"{table.source}: {len(arms):,} arms and {len(items):,} items, which have {size:,} "
            f"cells, expected at most {MOST_CELLS:,}"
        )
    direction = order ^ (i > j) if orders == 2 else order
    cells = np.ravel_multi_index((np.minimum(i, j), np.maximum(i, j), item, direction), shape)
    again = np.ones(table.rows, dtype=np.bool_)
    again[np.unique(cells, return_index=True)[1]] = False
    table.refuse(again, "these arms stand there twice on this item; each cell is asked once")
    outcomes = np.full(shape, np.nan)
    outcomes[i, j, item, order] = log.share
    return outcomes, [log.labels[arm] for arm in arms.tolist()], items
