"""Observations of any format: votes on arms, votes at positions, scores of teams."""

from __future__ import annotations

from typing import Literal, TypeAlias, Unpack

from cpe_opt.errors import InputError
from cpe_opt.formats.panels import read_panel
from cpe_opt.problems.dueling.vote_files import LogPaths, list_of_paths, require_logs
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.formats import Format, format_of
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.subsets.team_scores import TeamScores
from cpe_opt.problems.vote_filters import ReadOptions
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.validation import checked_types

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
        A log of duels (CSV, Parquet, JSON objects), pairs of numbers, a PrefLib election or a
        square matrix of wins; a log of duels at positions; or a log of teams and their scores.
        Several files have to be logs of duels, which are read as one.
    unranked : "last" or "ignore", optional
        What an incomplete ranking of an election says of the alternatives that it leaves out: that
        they come last, tied, which is the default; or nothing, and then nothing is proved of pairs
        that some ranking leaves out. Refused for other files, where it has no effect.
    progress : bool or callable, optional
        Whether a line says how far it is: by default at a terminal or in a notebook, after a
        second. A function is told each step in words.
    **options
        ``cluster``, ``unique``, ``where``, … of logs of duels, as for :meth:`cpe_opt.Votes.read`;
        refused for other files.

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
    paths = list_of_paths(path)
    first = paths[0]
    kind = format_of(first)
    if unranked is not None and kind is not Format.ELECTION:
        raise InputError(
            f"{first}: unranked (--unranked on the command line) has no effect on {kind.what}; it "
            "says how the rankings of a PrefLib election are read"
        )
    require_logs(paths, **options)
    if kind is Format.ELECTION:
        return Votes.from_preflib(first, unranked=unranked or "last")
    if kind is Format.TEAMS:
        return TeamScores.read(first)
    if kind is Format.POSITION_LOG:
        return read_panel(first)
    if kind.family == "dueling":
        return Votes.read(path, **options)
    raise InputError(
        f"{first} is {kind.what}, which load_problem reads, and no observations; expected votes on "
        "arms or at positions, or a log of teams with the columns team, score"
    )
