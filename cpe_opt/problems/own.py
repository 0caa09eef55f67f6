"""Problems of one's own for the command line: ``file.py:name``, an object that a script makes."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from types import ModuleType

from cpe_opt.errors import InputError
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.text import read_text, require_file

_MARK = ".py:"


def is_script(text: str | os.PathLike[str]) -> bool:
    """Whether this is ``file.py:name``."""
    return _MARK in os.fspath(text)


def load_script(text: str | os.PathLike[str]) -> Problem:
    """Run a script, and return the problem that it calls by this name.

    Its classes belong to no module that could be imported, so that they travel to other processes
    as they are.

    Raises
    ------
    InputError
        Where the script fails, with the line, or has no such problem.
    """
    place, _, name = os.fspath(text).rpartition(":")
    path = require_file(place)
    module = ModuleType(f"own_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(compile(read_text(path), str(path), "exec"), module.__dict__)
    except Exception as error:
        raise InputError(f"{path.name}{_line(error, path)}: {_words(error)}") from None
    finally:
        del sys.modules[module.__name__]
    problem = getattr(module, name, None)
    if not isinstance(problem, Problem):
        found = "it has no such name" if problem is None else f"it is a {type(problem).__name__}"
        raise InputError(
            f"{path.name}: {name!r} is no problem ({found}); expected such as "
            "`problem = cpe_opt.SubsetBandit(…)`"
        )
    return problem


def _line(error: Exception, path: Path) -> str:
    """The script's own line that failed."""
    if isinstance(error, SyntaxError):
        return f", line {error.lineno}"
    own = [
        entry for entry in traceback.extract_tb(error.__traceback__) if entry.filename == str(path)
    ]
    return f", line {own[-1].lineno}" if own else ""


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
