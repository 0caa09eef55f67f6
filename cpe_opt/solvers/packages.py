"""The packages of solvers: whether they are installed, in which version, and what installs them.

Versions that return wrong answers, or that cannot be in one process with another solver's, are
excluded in ``pyproject.toml``.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from functools import cache
from typing import Any

from cpe_opt.errors import SolverMissing, SolverUnable


@cache
def installed(package: str) -> str | None:
    """The version of a package; None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def importable(module: str) -> bool:
    """Whether the package of a module is installed."""
    return importlib.util.find_spec(module.partition(".")[0]) is not None


def require(module: str, package: str, what: str, install: str) -> None:
    """Raise :class:`SolverMissing`, with the line that installs it, if ``what`` lacks a package."""
    if not importable(module):
        raise SolverMissing(
            f"{what} needs the package {package!r}, which is not installed: {install}"
        )


def load(module: str, package: str, what: str, install: str) -> Any:
    """Import a module of a package that ``what`` needs.

    Raises :class:`SolverMissing` without the package, :class:`SolverUnable` where importing fails.
    """
    require(module, package, what, install)
    try:
        return importlib.import_module(module)
    except Exception as error:  # what packages run when they are imported may fail by anything
        said = error if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        raise SolverUnable(f"{what} cannot be imported: {said}") from error
