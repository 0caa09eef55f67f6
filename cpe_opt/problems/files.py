"""Problems of any family from files.

What a file is, :mod:`cpe_opt.formats.kinds` says. A problem says how likely each answer is, or
what is estimated of that. A script ``script.py:name`` has the problem that it calls by this name.

============================================== ============================
file                                           problem
============================================== ============================
log of duels, election, pairs, matrix of wins  preferences
log of duels with a column ``item``            a test set, where asked for
matrix of probabilities                        preferences
log of duels at positions                      matchings
table of probabilities at positions            matchings
log of teams and their scores                  sets of members
means of elements or edges, answers of workers sets of elements, of workers
``.json`` of another object                    separable rewards
============================================== ============================
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import overload

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formats.kinds import format_of, has_items
from cpe_opt.formats.observations import read_item_duels
from cpe_opt.problems.catalogue import (
    INSTANCES,
    MatchingName,
    PreferenceName,
    SeparableName,
    SubsetName,
    load_instance,
)
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.generators import GENERATORS, generated_problem, is_generated
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.text import read_text, require_file
from cpe_opt.scripts import is_script, run_script
from cpe_opt.validation import checked_types


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
        return read_item_duels(path)
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
