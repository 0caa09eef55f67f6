"""Runs to be made: which learner on which problem, from which seed, and into which folder.

A *series* is the runs of one learner on one problem. Its folder is named after a digest of
everything that decides its results: learner, all its parameters, problem, horizon, seed, units, and
the source of this package; a learner, a problem or a class of a user's own counts by its code
(:mod:`cpe_opt.experiments.fingerprint`). Runs are independent: run k of seed s is the same run
whatever else is run, how many runs the series has, and whatever the number of workers.
"""

from __future__ import annotations

import inspect
import json
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cpe_opt import __version__
from cpe_opt.errors import InputError
from cpe_opt.experiments.fingerprint import fingerprint, source_digest
from cpe_opt.files import atomic_write, json_default
from cpe_opt.learners.declaration import name_of, parameters_of, unfolded
from cpe_opt.learners.queries import Learner
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.catalogue import load_instance, made_by_name
from cpe_opt.problems.environments import CommonNumbers
from cpe_opt.problems.problem import Problem
from cpe_opt.scripts import is_script, script_of
from cpe_opt.simulation.driver import Trace, checked_learner, simulate
from cpe_opt.validation import (
    PositiveInt,
    Rounds,
    Seed,
    checked_text,
    checked_texts,
    checked_types,
)

NOTE = "_series.json"
"""What a series is, in words; readers of parquet pass over a name that begins so."""
COMMANDS = "_commands.txt"
"""The commands that made the runs in a folder of results, a line each."""
_LONGEST_NAME = 80  # of a folder, in bytes


@checked_types
@dataclass(frozen=True)
class LearnerSpec:
    """One learner with its parameters, and a label for tables and pictures.

    Attributes
    ----------
    learner : name or callable
        Such as ``"ecw-rmed"``, ``cpe_opt.learners.ecw_rmed``, a function of your own, or
        ``"file.py:name"``, what a script calls by this name.
    parameters : mapping of names to values
    label : str
        By default the learner's name with its parameters.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.LearnerSpec(cpe.learners.ecw_rmed, {"beta": 0.0}).name
    'ecw-rmed (beta=0.0)'
    """

    learner: str | Callable[..., Learner]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    def __post_init__(self) -> None:
        if self.label:
            checked_text("label", self.label)
        learner, parameters = unfolded(self.learner, self.parameters)
        if isinstance(learner, str) and is_script(learner):
            learner = get_learner(learner)
        object.__setattr__(self, "learner", learner)
        object.__setattr__(self, "parameters", parameters)

    @property
    def function(self) -> Callable[..., Learner]:
        """The learner itself."""
        return get_learner(self.learner) if isinstance(self.learner, str) else self.learner

    @property
    def name(self) -> str:
        """The label, or the learner's name with its parameters."""
        learner = self.learner if isinstance(self.learner, str) else name_of(self.learner)
        learner = learner.replace("_", "-")
        shown = {
            key: name_of(value) if callable(value) else value
            for key, value in self.parameters.items()
        }
        settings = ", ".join(f"{key}={value}" for key, value in shown.items())
        return self.label or (f"{learner} ({settings})" if settings else learner)


@dataclass(frozen=True, eq=False)
class Series:
    """The runs of a learner on a problem, and where their results are kept."""

    spec: LearnerSpec
    problem: Problem
    # The next three are those of cpe_opt.simulate.
    horizon: int | None
    regret: str | None
    points: int | None
    seed: int  # of the whole series: run k has the seed run_seed(seed, k)
    runs: int
    # The folder of all results, absolute, as workers may be in another one; None: in memory.
    out: Path | None
    digest: str  # of everything that decides the runs but their number; empty without a folder

    @property
    def folder(self) -> Path | None:
        """The folder of this series."""
        if self.out is None:
            return None
        return self.out / _file_name(self.problem.name) / _file_name(self.spec.name) / self.digest

    @property
    def entry(self) -> tuple[str, str, str, int]:
        """What a table of results says of it: problem, learner, folder and number of runs."""
        return self.problem.name, self.spec.name, str(self.folder), self.runs

    def note(self) -> None:
        """Write what is run into the folder, for people and for the page of results."""
        if self.folder is None or (self.folder / NOTE).exists():
            return
        problem, learner = self.problem, self.spec.function
        common = isinstance(problem, CommonNumbers)
        plain = problem.plain if isinstance(problem, CommonNumbers) else problem
        script = script_of(learner)
        about = {
            "cpe_opt": __version__,
            "learner": name_of(learner),
            "script": None if script is None else os.fspath(script),
            "source": _source(learner, script),
            "parameters": {
                name: name_of(value) if callable(value) else value
                for name, value in self.spec.parameters.items()
            },
            "problem": problem.name,
            "problem_built_in": _is_made_by_name(plain),
            "common": common,
            "horizon": self.horizon,
            "seed": self.seed,
            "regret": self.regret,
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        with atomic_write(self.folder / NOTE) as temporary:
            text = json.dumps(about, default=json_default, indent=1)
            temporary.write_text(f"{text}\n", encoding="utf-8")

    def simulate(self, number: int, horizon: int | None) -> Trace[Any]:
        """Run ``number``, to the horizon of the series or to another one."""
        return simulate(
            self.spec.learner,
            self.problem,
            horizon=horizon,
            seed=run_seed(self.seed, number),
            regret=self.regret,
            points=self.points,
            **self.spec.parameters,
        )


@checked_types
def plan_series(
    learners: Sequence[str | Callable[..., Learner] | LearnerSpec],
    instances: Sequence[str | Problem],
    *,
    runs: PositiveInt,
    horizon: Rounds | None,
    seed: Seed,
    out: Path | None,
    regret: str | None = None,
    points: int | None = None,
) -> list[Series]:
    """Every series of an experiment, by instance and learner."""
    specs = [each if isinstance(each, LearnerSpec) else LearnerSpec(each) for each in learners]
    problems = [load_instance(i) if isinstance(i, str) else i for i in instances]
    for what, names in (
        ("learner", [spec.name for spec in specs]),
        ("instance", [problem.name for problem in problems]),
    ):
        if not names:
            raise InputError(f"no {what} to run")
        checked_texts(f"names of {what}s", names)
        if len(set(names)) != len(names):
            raise InputError(f"two {what}s are called alike: {', '.join(sorted(names))}")
    root = None if out is None else out.absolute()
    planned = []
    for problem in problems:
        for spec in specs:
            checked_learner(spec.learner, problem, spec.parameters, horizon)
            units = problem.recorder(horizon=horizon, regret=regret, points=points).units
            digest = "" if out is None else _digest(spec, problem, horizon, seed, units, points)
            planned.append(Series(spec, problem, horizon, regret, points, seed, runs, root, digest))
    return planned


def _source(learner: Callable[..., Any], script: Path | None) -> str:
    """The code of a learner of a user, for people; empty where it cannot be read."""
    if getattr(learner, "__module__", "").startswith("cpe_opt."):
        return ""
    try:
        return inspect.getsource(learner) if script is None else script.read_text(encoding="utf-8")
    except (OSError, TypeError, ValueError):
        return ""


def _is_made_by_name(problem: Problem) -> bool:
    """Whether a problem is what its name makes."""
    try:
        made = made_by_name(problem.name)
    except InputError:
        return False
    return made is not None and fingerprint(made) == fingerprint(problem)


def note_command(out: Path, words: Sequence[str]) -> None:
    """Write a command into the folder of its results, unless it is there already."""
    path = out / COMMANDS
    lines = path.read_bytes().splitlines() if path.exists() else []
    line = os.fsencode(shlex.join(["cpe-opt", *words]))  # names of files need not be texts
    if line not in lines:
        with atomic_write(path) as temporary:
            temporary.write_bytes(b"\n".join([*lines, line, b""]))


def _digest(
    spec: LearnerSpec,
    problem: Problem,
    horizon: int | None,
    seed: int,
    units: str,
    points: int | None,
) -> str:
    """A digest of all that decides the results of a series, and of the names shown with them."""
    learner = spec.function
    defaults = {
        name: parameter.default
        for name, parameter in parameters_of(learner).items()
        if parameter.default is not parameter.empty
    }
    settings = {
        "source": source_digest(),
        "learner": learner,
        "parameters": {**defaults, **spec.parameters},
        "problem": problem,
        "names": (problem.name, spec.name),
        "horizon": horizon,
        "seed": seed,
        "units": units,
        "points": points,
    }
    return fingerprint(settings)[:16]


def _file_name(name: str) -> str:
    """The name of a folder, cut where long, that readers of parquet take as it is.

    They pass over a name that starts with a dot or ``_``, and take ``=`` for a column and a value.
    """
    plain = "".join(c if c.isalnum() or c in ".-" else "-" for c in name)
    return plain.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(".-") or "-"


def run_seed(seed: int, number: int) -> int:
    """The seed of run ``number``, from 0 on."""
    return int(np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(1)[0])
