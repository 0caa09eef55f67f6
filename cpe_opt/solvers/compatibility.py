"""Which versions of HiGHS, OR-Tools and CVXPY work together, and which of them err.

Two tables say what is known, each line with the versions that it is about:

``CLASHES``
    Versions that cannot be imported in one process. highspy 1.15 is linked to a shared
    ``libhighs.so.1``, and OR-Tools ships another library of that name; whichever comes second finds
    symbols missing. (highspy up to 1.14, and from 1.16 on, contains HiGHS itself.) HiGHS proves
    what other solvers claim, and CVXPY imports it, so it stays in this process, and the solvers of
    OR-Tools run in processes of their own (:mod:`cpe_opt.solvers.child`).
``FAULTS``
    Versions that return wrong optima. A quadratic program is refused; an integer program is solved
    by a second solver, too, and the better point with its bound is the answer.

Everything is read off the metadata of the installed packages, before one of them is imported.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from cpe_opt.errors import SolverMissing, SolverUnable


@dataclass(frozen=True)
class Combination:
    """Versions of packages, as pip writes them; ``solver`` and ``kind`` are what errs, if any.

    Packages are looked up in ``folder`` first, if it is given.
    """

    versions: Mapping[str, str]
    about: str
    remedy: str
    solver: str = ""
    kind: str = ""
    folder: Path | None = None

    @property
    def present(self) -> bool:
        """Whether all of these are installed here."""
        return all(
            (version := installed(package, self.folder)) is not None
            and SpecifierSet(wanted).contains(version, prereleases=True)
            for package, wanted in self.versions.items()
        )

    def __str__(self) -> str:
        here = " with ".join(
            f"{package} {installed(package, self.folder)}" for package in self.versions
        )
        return f"{here} {self.about}: {self.remedy}"


CLASHES = (
    Combination(
        {"highspy": "==1.15.*", "ortools": ""},
        "cannot be in one process, as both load a libhighs.so.1",
        'pip install "highspy!=1.15.*"',
    ),
)
FAULTS = (
    Combination(
        {"highspy": "==1.14.*"},
        "returns wrong optima of integer programs",
        'pip install "highspy!=1.14.*", or choose another solver',
        "highs",
        "MIP",
    ),
    Combination(
        {"cvxpy": ">=1.9", "highspy": "<1.14"},
        "returns wrong optima of quadratic programs",
        'pip install "highspy>=1.14", or choose the solver clarabel',
        "highs",
        "QP",
    ),
)


@cache
def installed(package: str, folder: Path | None = None) -> Version | None:
    """The version of a package, in a folder if it is there; None if it is not installed."""
    path = sys.path if folder is None else [str(folder), *sys.path]
    found = next(iter(importlib.metadata.distributions(name=package, path=path)), None)
    return None if found is None else Version(found.version)


def clash_of(package: str) -> Combination | None:
    """Why a package and HiGHS cannot be in one process here; None if they can."""
    return next(
        (each for each in CLASHES if package in each.versions and each.present),
        None,
    )


def fault_of(solver: str, kind: str, folder: Path | None = None) -> Combination | None:
    """Why this solver's optima of programs of this kind are wrong here; None if they are not.

    Packages of a folder come before those that are installed.
    """
    known = (replace(each, folder=folder) for each in FAULTS)
    return next(
        (each for each in known if (each.solver, each.kind) == (solver, kind) and each.present),
        None,
    )


def stays_out(package: str) -> bool:
    """Whether a package cannot be in the process that HiGHS is in."""
    return package != "highspy" and clash_of(package) is not None


def importable(package: str) -> bool:
    """Whether a package is installed and can be imported in the process that HiGHS is in."""
    return not stays_out(package) and importlib.util.find_spec(package) is not None


def load(module: str, package: str, what: str, install: str) -> Any:
    """Import a module of a package that ``what`` needs.

    Raises
    ------
    SolverMissing
        With the line that installs it.
    SolverUnable
        Where a package that it clashes with has been imported in this process, and where importing
        it fails.
    """
    top = module.partition(".")[0]
    if importlib.util.find_spec(top) is None:
        raise SolverMissing(
            f"{what} needs the package {package!r}, which is not installed: {install}"
        )
    clash = clash_of(package)
    if clash is not None and module not in sys.modules:
        for other in clash.versions:
            if other != package and _loaded(other):
                raise SolverUnable(
                    f"{what} cannot run in this process (process='child' runs it in its own): "
                    f"{clash}"
                )
    try:
        return importlib.import_module(module)
    except Exception as error:  # what packages run when they are imported may fail by anything
        said = error if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        raise SolverUnable(f"{what} cannot be imported: {said}") from error


def _loaded(package: str) -> bool:
    """Whether compiled parts of a package are in this process; ``ortools`` alone has none."""
    return any(
        name.startswith(f"{package}.")
        and str(getattr(each, "__file__", "")).endswith((".so", ".pyd"))
        for name, each in list(sys.modules.items())
    )
