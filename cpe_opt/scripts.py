"""Scripts of users: ``file.py:name`` is the object that a script calls by this name."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from types import ModuleType

from cpe_opt.errors import InputError

_MARK = ".py:"


def is_script(text: str | os.PathLike[str]) -> bool:
    """Whether this is ``file.py:name``."""
    return _MARK in os.fspath(text)


def run_script(path: Path, code: str | bytes) -> ModuleType:
    """Run the code of a script.

    Its classes belong to no module that could be imported, so that they travel to other processes
    as they are.

    Raises
    ------
    InputError
        Where the script fails, with the line.
    """
    module = ModuleType(f"own_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(compile(code, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        raise InputError(f"{path.name}{_line(error, path)}: {_words(error)}") from None
    finally:
        del sys.modules[module.__name__]
    return module


def _line(error: BaseException, path: Path) -> str:
    """The script's own line that failed."""
    if isinstance(error, SyntaxError):
        return f", line {error.lineno}"
    own = [
        entry for entry in traceback.extract_tb(error.__traceback__) if entry.filename == str(path)
    ]
    return f", line {own[-1].lineno}" if own else ""


def _words(error: BaseException) -> str:
    return str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
