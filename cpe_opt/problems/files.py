"""Problems and observations of any family from files.

What a file is, :mod:`cpe_opt.problems.formats` says. A problem says how likely each answer is, or
what is estimated of that; observations are the answers themselves. A script ``script.py:name`` has
the problem that it calls by this name.

============================================== ============================ ====================
file                                           problem                      observations
============================================== ============================ ====================
log of duels, election, pairs, matrix of wins  preferences                  :class:`Votes`
log of duels with a column ``item``            a test set, where asked for  :class:`Votes`
matrix of probabilities                        preferences                  none
log of duels at positions                      matchings                    :class:`MatchingDuels`
table of probabilities at positions            matchings                    none
log of teams and their scores                  sets of members              :class:`TeamScores`
means of elements or edges, answers of workers sets of elements, of workers none
``.json`` of another object                    separable rewards            none
============================================== ============================ ====================
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, TypeAlias, Unpack, overload

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formats.text import read_text, require_file
from cpe_opt.problems.catalogue import (
    INSTANCES,
    MatchingName,
    PreferenceName,
    SeparableName,
    SubsetName,
    load_instance,
)
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.vote_files import LogPaths, list_of_paths, require_logs
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.formats import Format, format_of, has_items
from cpe_opt.problems.generators import GENERATORS, generated_problem, is_generated
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.team_scores import TeamScores
from cpe_opt.problems.vote_filters import ReadOptions
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.scripts import is_script, run_script
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
        What an incomplete ranking of an election says of the alternatives that it leaves out, see
        :func:`cpe_opt.formats.preflib.read_preflib`; "last" by default. Refused for other files,
        where it has no effect.
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
        return MatchingDuels.from_duels(first)
    if kind.family == "dueling":
        return Votes.read(path, **options)
    raise InputError(
        f"{first} is {kind.what}, which load_problem reads, and no observations; expected votes on "
        "arms or at positions, or a log of teams with the columns team, score"
    )


@overload
def load_problem(
    name_or_path: PreferenceName, k: None = None, *, items: bool = False
) -> PreferenceMatrix: ...


@overload
def load_problem(
    name_or_path: MatchingName, k: None = None, *, items: bool = False
) -> MatchingDuels: ...


@overload
def load_problem(
    name_or_path: SubsetName, k: None = None, *, items: bool = False
) -> SubsetBandit: ...


@overload
def load_problem(
    name_or_path: SeparableName, k: None = None, *, items: bool = False
) -> SeparableProblem: ...


@overload
def load_problem(
    name_or_path: str | os.PathLike[str], k: int | None = None, *, items: bool = False
) -> Problem: ...


@checked_types
def load_problem(
    name_or_path: str | os.PathLike[str], k: int | None = None, *, items: bool = False
) -> Problem:
    """A built-in instance by name, a random problem, or the problem in a file of any format.

    Parameters
    ----------
    name_or_path : str or path
        One of ``cpe_opt.INSTANCES``, a random problem such as ``bradley-terry:64:seed=3``
        (:func:`cpe_opt.problems.generators.generated_problem`), or a file or folder of any of the
        formats above.
    k : int, optional
        How many elements a set has, where a file does not say; refused where it has no effect.
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
    if isinstance(name_or_path, str) and name_or_path in INSTANCES:
        if k is not None:
            raise InputError(
                f"k (--k on the command line) has no effect on the built-in instance "
                f"{name_or_path!r}; it says how many elements the sets of a file have"
            )
        return load_instance(name_or_path)
    if isinstance(name_or_path, str) and is_generated(name_or_path):
        if k is not None:
            raise InputError(f"{name_or_path}: k (--k on the command line) has no effect on it")
        return generated_problem(name_or_path)
    if isinstance(name_or_path, str) and not is_path(name_or_path):
        raise UnknownName("instance", name_or_path, (*INSTANCES, *GENERATORS))
    return read_problem(name_or_path, k, items=items)


def is_path(text: str) -> bool:
    """Whether a text is rather the path of a file or folder than the name of an instance."""
    try:
        if not text.strip():
            return False
        return bool(Path(text).suffix) or "/" in text or os.sep in text or Path(text).exists()
    except (OSError, ValueError):
        return True


def read_problem(
    path: str | os.PathLike[str], k: int | None = None, *, items: bool = False
) -> Problem:
    """Read a file or folder of whatever problem; arguments as for :func:`load_problem`."""
    if is_script(path):
        if k is not None:
            raise InputError(f"{path}: k (--k on the command line) has no effect on a script")
        return load_script(path)
    if Path(path).suffix.lower() == ".py":
        raise InputError(
            f"{str(path)!r} is a script: expected the name of a problem in it, too, such as "
            f"{Path(path).name}:problem"
        )
    family = format_of(path).family
    if items and k is None and has_items(path):
        return ItemDuels.from_csv(path)
    if family == "subsets":
        return SubsetBandit.from_file(path, k)
    if family == "separable":
        return SeparableProblem.from_json(path, k)
    read = PreferenceMatrix.from_file if family == "dueling" else MatchingDuels.from_csv
    problem: Problem = read(path)
    if k is not None:
        kind = "preferences" if family == "dueling" else "matchings"
        raise InputError(
            f"{path}: k (--k on the command line) has no effect on a problem of {kind}; it says "
            "how many elements the sets of a file have"
        )
    return problem


def load_script(text: str | os.PathLike[str]) -> Problem:
    """Run a script, and return the problem that it calls by this name.

    Raises :class:`InputError` if the script fails, with the line, or has no such problem.
    """
    place, _, name = os.fspath(text).rpartition(":")
    path = require_file(place)
    problem = getattr(run_script(path, read_text(path)), name, None)
    if not isinstance(problem, Problem):
        found = "it has no such name" if problem is None else f"it is a {type(problem).__name__}"
        example = "problem = cpe_opt.SubsetBandit(…)"
        if isinstance(problem, DecisionClass):
            example = f"problem = cpe_opt.SubsetBandit({name}, [0] * {problem.size})"
        raise InputError(
            f"{path.name}: {name!r} is no problem ({found}); expected such as `{example}`"
        )
    return problem
