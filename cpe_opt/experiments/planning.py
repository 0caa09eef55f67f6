"""Runs to be made: which learner on which problem, from which seed, and into which file.

A run's file is named after a digest of everything that decides its result: learner, all its
parameters, problem, horizon, seed, units, and the source of this package; a learner, a problem or a
class of a user's own counts by its code (:mod:`cpe_opt.fingerprint`). Runs are independent: run k
of seed s is the same run whatever else is run, and whatever the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cpe_opt.errors import InputError
from cpe_opt.experiments.results import RunResult, read_run, write_run
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.fingerprint import fingerprint, source_digest
from cpe_opt.learners.declaration import name_of, parameters_of
from cpe_opt.learners.queries import Learner
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.problems.problem import Problem
from cpe_opt.simulation.driver import Trace, checked_learner, simulate
from cpe_opt.validation import checked_count, checked_types

_LONGEST_NAME = 80  # of a folder, in letters


@dataclass(frozen=True)
class LearnerSpec:
    """One learner with its parameters, under a label for tables and pictures.

    Attributes
    ----------
    learner : name or callable
        Such as ``"ecw-rmed"``, ``cpe_opt.learners.ecw_rmed``, or a function of one's own.
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
        learner = isinstance(self.learner, str) or callable(self.learner)
        for name, value, fits, expected in (
            ("learner", self.learner, learner, "the name of a learner, or a function"),
            (
                "parameters",
                self.parameters,
                isinstance(self.parameters, Mapping),
                "a mapping of names to values",
            ),
            ("label", self.label, isinstance(self.label, str), "a text"),
        ):
            if not fits:
                raise InputError(f"{name} is {value!r}, expected {expected}")

    @property
    def function(self) -> Callable[..., Learner]:
        """The learner itself."""
        return get_learner(self.learner) if isinstance(self.learner, str) else self.learner

    @property
    def name(self) -> str:
        """The label, or the learner's name with its parameters."""
        learner = self.learner if isinstance(self.learner, str) else name_of(self.learner)
        learner = learner.replace("_", "-")
        settings = ", ".join(f"{key}={value}" for key, value in self.parameters.items())
        return self.label or (f"{learner} ({settings})" if settings else learner)


@dataclass(frozen=True, eq=False)
class Run:
    """One run to make, and the file of its result; without one it is kept in memory."""

    plan: LearnerSpec
    problem: Problem
    number: int
    seed: int
    horizon: int | None
    units: str | None
    points: int | None
    path: Path | None

    def play(self) -> Path | Trace:
        """Simulate, and write the file; its path, or the trace where there is none."""
        trace = self.simulate(self.horizon)
        if self.path is None:
            return trace
        write_run(self.path, trace, {"label": self.plan.name, "run": self.number})
        return self.path

    def simulate(self, horizon: int | None) -> Trace:
        """The run to a horizon, its own or another."""
        return simulate(
            self.plan.learner,
            self.problem,
            horizon=horizon,
            seed=self.seed,
            regret=self.units,
            points=self.points,
            **self.plan.parameters,
        )

    def read(self) -> RunResult:
        """What its file holds."""
        if self.path is None:
            raise InputError(f"run {self.number} of {self.plan.name} has no file")
        return read_run(self.path)

    @property
    def finished(self) -> bool:
        """Whether its file is there."""
        return self.path is not None and self.path.exists()


@checked_types
def plan_runs(
    learners: Sequence[str | Callable[..., Learner] | LearnerSpec],
    instances: Sequence[str | Problem],
    *,
    runs: int,
    horizon: int | None,
    seed: int,
    out: Path | None,
    regret: str | None = None,
    points: int | None = None,
) -> list[Run]:
    """Every run of an experiment, finished or not; arguments as for :func:`run_experiment`.

    Without a folder ``out`` runs have no files.
    """
    checked_count("runs", runs)
    checked_count("seed", seed, least=0)
    plans = [each if isinstance(each, LearnerSpec) else LearnerSpec(each) for each in learners]
    problems = [load_instance(i) if isinstance(i, str) else i for i in instances]
    for what, names in (
        ("learner", [plan.name for plan in plans]),
        ("instance", [problem.name for problem in problems]),
    ):
        if not names:
            raise InputError(f"no {what} to run")
        if len(set(names)) != len(names):
            raise InputError(f"two {what}s are called alike: {', '.join(sorted(names))}")
    planned = []
    for problem in problems:
        for plan in plans:
            checked_learner(plan.learner, problem, plan.parameters, horizon)
            units = problem.recorder(horizon=horizon, regret=regret, points=points).units
            shared = "" if out is None else _digest(plan, problem, horizon, units, points)
            for number, run_seed in enumerate(run_seeds(seed, runs)):
                path = None if out is None else _path(out, plan, problem, number, shared, run_seed)
                planned.append(Run(plan, problem, number, run_seed, horizon, regret, points, path))
    return planned


def _path(
    out: Path, plan: LearnerSpec, problem: Problem, number: int, shared: str, seed: int
) -> Path:
    """The file of a run, absolute: workers may be in another folder."""
    folder = out.absolute() / _file_name(problem.name) / _file_name(plan.name)
    return folder / f"run-{number:05d}-{fingerprint((shared, seed))[:16]}.parquet"


def _digest(
    plan: LearnerSpec, problem: Problem, horizon: int | None, units: str, points: int | None
) -> str:
    """Of everything that decides a result but the seed."""
    learner = plan.function
    defaults = {
        name: parameter.default
        for name, parameter in parameters_of(learner).items()
        if parameter.default is not parameter.empty
    }
    settings = {
        "source": source_digest(),
        "learner": learner,
        "parameters": {**defaults, **plan.parameters},
        "problem": problem,
        "horizon": horizon,
        "units": units,
        "points": points,
    }
    return fingerprint(settings)


def _file_name(name: str) -> str:
    """The name with everything but letters, digits, dots and dashes replaced, cut where long."""
    return "".join(c if c.isalnum() or c in ".-=" else "_" for c in name[:_LONGEST_NAME])
