"""Problems of any family from files: which reader a file is for.

======================================================= ==================================
file                                                    problem
======================================================= ==================================
``.json`` of another object than those of a log         separable rewards
folder with ``answer.csv`` and ``truth.csv``            sets of workers
table with ``element, mean`` or ``from, to, mean``      sets of elements, spanning trees
table with ``team, score``                              sets of members
table with ``question, worker, correct``                sets of workers
table with ``position`` and others                      matchings
log of duels (table, JSON), PrefLib file, square matrix preferences
``script.py:name``                                      what the script calls by this name
======================================================= ==================================
"""

from __future__ import annotations

import os
from pathlib import Path

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.problems.catalogue import INSTANCES, load_instance
from cpe_opt.problems.dueling.files import is_json_pairs
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.json_tables import header_of
from cpe_opt.problems.log_forms import is_log
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.matchings.files import is_matchings_header
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.crowdsourcing import ANSWERS, TRUTH, is_crowdsourcing
from cpe_opt.problems.subsets.files import is_subsets_header
from cpe_opt.problems.text import is_folder, read_text, require_file, suffix_of
from cpe_opt.scripts import is_script, run_script
from cpe_opt.validation import checked_types


@checked_types
def load_problem(name_or_path: str | os.PathLike[str], k: int | None = None) -> Problem:
    """A built-in instance by name, or the problem in a file of any format.

    Parameters
    ----------
    name_or_path : str or path
        One of ``cpe_opt.INSTANCES``, or a file or folder of any of the formats above.
    k : int, optional
        How many elements a set has, where a file does not say; refused where it has no effect.

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
    if isinstance(name_or_path, str) and not is_path(name_or_path):
        raise UnknownName("instance", name_or_path, INSTANCES)
    return read_problem(name_or_path, k)


def is_path(text: str) -> bool:
    """Whether a text is rather the path of a file or folder than the name of an instance."""
    try:
        if not text.strip():
            return False
        return bool(Path(text).suffix) or "/" in text or os.sep in text or Path(text).exists()
    except (OSError, ValueError):
        return True


def read_problem(path: str | os.PathLike[str], k: int | None = None) -> Problem:
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
    family = _family_of(path)
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


def _family_of(path: str | os.PathLike[str]) -> str:
    """Which family's reader a file or folder is for."""
    if is_folder(path):
        if not is_crowdsourcing(path):
            if (Path(path) / ANSWERS).is_file():
                raise InputError(
                    f"{str(path)!r} has {ANSWERS} and no {TRUTH}: which answers are right is not "
                    "known, and how far workers agree with each other is no measure of that; "
                    f"expected {TRUTH} with the columns question_id, truth"
                )
            raise InputError(
                f"{str(path)!r} is a folder without {ANSWERS} and {TRUTH}; name a file, or a "
                "folder that has these"
            )
        return "subsets"
    header = header_of(path)
    if suffix_of(Path(path)) == ".json" and not is_log(header) and not is_json_pairs(path):
        return "separable"
    if is_subsets_header(header):
        return "subsets"
    return "matchings" if is_matchings_header(header) else "dueling"


# Problems of one's own for the command line: ``file.py:name``, an object that a script makes.


def load_script(text: str | os.PathLike[str]) -> Problem:
    """Run a script, and return the problem that it calls by this name.

    Raises
    ------
    InputError
        Where the script fails, with the line, or has no such problem.
    """
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
