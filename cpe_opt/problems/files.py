"""Problems of any kind from files: which reader a file is for.

======================================================== =========================================
file                                                     problem
======================================================== =========================================
``.json``                                                separable rewards
folder with ``answer.csv`` and ``truth.csv``             sets of workers
table with ``element, mean`` or ``from, to, mean``       sets of elements, spanning trees
table with ``position`` and others                       matchings
log of duels, PrefLib file, square matrix                preferences
======================================================== =========================================
"""

from __future__ import annotations

import os
from pathlib import Path

from cpe_opt.errors import InputError
from cpe_opt.problems.dueling.preflib import read_preferences
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.matchings.files import is_matchings_header, read_matchings
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.files import read_separable
from cpe_opt.problems.subsets.crowdsourcing import ANSWERS, TRUTH, is_crowdsourcing
from cpe_opt.problems.subsets.files import is_subsets_header, read_subsets
from cpe_opt.problems.tables import is_folder, read_header


def is_path(text: str) -> bool:
    """Whether a text is rather the path of a file or folder than the name of an instance."""
    try:
        if not text.strip():
            return False
        return bool(Path(text).suffix) or "/" in text or os.sep in text or Path(text).exists()
    except (OSError, ValueError):
        return True


def read_problem(path: str | os.PathLike[str], k: int | None = None) -> Problem:
    """Read a file or folder of whatever problem.

    Parameters
    ----------
    path : path
    k : int, optional
        How many elements a set has, where the file does not say; refused where sets have no size.

    Raises
    ------
    InputError
        With the file and the line.
    """
    if is_folder(path):
        if not is_crowdsourcing(path):
            raise InputError(
                f"{str(path)!r} is a folder without {ANSWERS} and {TRUTH}; name a file, or a "
                "folder that has these"
            )
        return read_subsets(path, k)
    suffix = Path(path).suffix.lower()
    if suffix == ".json":
        return read_separable(path, k)
    header = read_header(path)
    if is_subsets_header(header):
        return read_subsets(path, k)
    problem = read_matchings(path) if is_matchings_header(header) else read_preferences(path)
    if k is not None:
        kind = "matchings" if isinstance(problem, MatchingDuels) else "preferences"
        raise InputError(
            f"{path}: k (--k on the command line) has no effect on a problem of {kind}; it says "
            "how many elements the sets of a file have"
        )
    return problem
