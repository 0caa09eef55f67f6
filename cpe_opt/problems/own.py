"""Problems of one's own for the command line: ``file.py:name``, an object that a script makes."""

from __future__ import annotations

import os

from cpe_opt.errors import InputError
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.text import read_text, require_file
from cpe_opt.scripts import run_script


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
