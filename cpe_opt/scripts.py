"""Scripts of users: ``file.py:name`` is the object that a script calls by this name."""

from __future__ import annotations

import inspect
import os
import sys
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType

from cpe_opt.errors import InputError
from cpe_opt.files import os_reason


def is_script(text: str | os.PathLike[str]) -> bool:
    """Whether this is ``file.py:name``."""
    return ".py:" in os.fspath(text)


def script_value(text: str) -> object:
    """What the script of ``file.py:name`` calls by this name; None where it has no such name."""
    place, _, name = text.rpartition(":")
    try:
        return getattr(_module(place, Path(place).stat().st_mtime_ns), name, None)
    except OSError as error:
        raise InputError(f"{text!r}: {os_reason(error)}") from None


@cache
def _module(place: str, changed: int) -> ModuleType:
    """The script, run once as long as it has not changed."""
    return run_script(Path(place), Path(place).read_bytes())


def script_of(value: object) -> Path | None:
    """The script that a function is from, which :func:`run_script` ran; None for any other."""
    value = inspect.unwrap(value) if callable(value) else value
    script = getattr(value, "__globals__", {}).get("__file__")
    made = getattr(value, "__module__", None)
    return Path(script) if script and made == _module_name(Path(script)) else None


def run_script(path: Path, code: str | bytes) -> ModuleType:
    """Run the code of a script; :class:`InputError` where it fails, with the line.

    Its classes belong to no module that could be imported, so that they travel to other processes
    as they are.
    """
    module = ModuleType(_module_name(path))
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(compile(code, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [1, *(frame.lineno for frame in frames if frame.filename == str(path))]
        number = error.lineno if isinstance(error, SyntaxError) else lines[-1]
        raise InputError(f"{path.name}, line {number}: {type(error).__name__}: {error}") from None
    finally:
        del sys.modules[module.__name__]
    return module


def _module_name(path: Path) -> str:
    return f"own_{path.stem}"
