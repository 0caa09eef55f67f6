"""Experiments: learners × instances × seeds, one file a finished run, never run again.

A run's file is named after a digest of everything that decides its result: learner, all its
parameters, problem, horizon, seed, units, and the source of this package. Workers write it to a
temporary name and rename it, so a file that is there is whole; an experiment that was killed, at
whatever moment, goes on with the runs that have none.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpe_opt.errors import InputError
from cpe_opt.experiments.parallel import Engine, check_jobs, chosen_engine, in_parallel
from cpe_opt.experiments.results import check_run, read_runs, summary_frame, write_run
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.fingerprint import fingerprint, source_digest
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.problems.problem import Problem
from cpe_opt.simulation.driver import checked_learner, simulate
from cpe_opt.validation import checked_count, checked_types

if TYPE_CHECKING:
    import pandas as pd


_LONGEST_NAME = 80  # of a folder, in letters


@dataclass(frozen=True)
class LearnerSpec:
    """One learner with its parameters, under a label for tables and pictures."""

    learner: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    def __post_init__(self) -> None:
        for name, value, kind, expected in (
            ("learner", self.learner, str, "the name of a learner"),
            ("parameters", self.parameters, Mapping, "a mapping of names to values"),
            ("label", self.label, str, "a text"),
        ):
            if not isinstance(value, kind):
                raise InputError(f"{name} is {value!r}, expected {expected}")

    @property
    def name(self) -> str:
        """The label, or the learner's name with its parameters."""
        settings = ", ".join(f"{key}={value}" for key, value in self.parameters.items())
        return self.label or (f"{self.learner} ({settings})" if settings else self.learner)


@dataclass(frozen=True, eq=False)
class Run:
    """One run to make, and the file of its result."""

    plan: LearnerSpec
    problem: Problem
    number: int
    seed: int
    horizon: int | None
    units: str | None
    points: int | None
    path: Path

    def play(self) -> Path:
        """Simulate, and write the file."""
        trace = simulate(
            self.plan.learner,
            self.problem,
            horizon=self.horizon,
            seed=self.seed,
            regret=self.units,
            points=self.points,
            **self.plan.parameters,
        )
        write_run(self.path, trace, {"label": self.plan.name, "run": self.number})
        return self.path


@checked_types
def run_experiment(
    learners: Sequence[str | LearnerSpec],
    instances: Sequence[str | Problem],
    *,
    runs: int = 100,
    horizon: int | None = 10**6,
    seed: int = 0,
    jobs: int = -1,
    engine: Engine = "loky",
    out: str | os.PathLike[str] = "results",
    regret: str | None = None,
    points: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Run every learner on every instance, and summarise.

    Parameters
    ----------
    learners : sequence of names or Plan
        A :class:`LearnerSpec` carries parameters.
    instances : sequence of built-in names or problems
    runs : int
        Runs of each learner on each instance. Run k has the same seed for every learner.
    horizon : int or None
        None for learners that stop by themselves.
    seed : int
        Of the whole experiment.
    jobs : int
        Worker processes; -1 for one a core.
    engine : "loky", "dask" or "ray"
    out : path
        A folder; finished runs found there are not run again.
    regret : "mean" or "sum", optional
    points : int, optional
        About how many rounds a trace notes; both as for :func:`cpe_opt.simulate`.
    progress : callable, optional
        Called with (finished, all) runs, first with those found finished.

    Returns
    -------
    DataFrame
        One row an instance and learner, see :func:`summary_frame`.

    Raises
    ------
    InputError, UnknownName
        Before any run starts, where an argument is wrong.
    """
    check_jobs(jobs)
    chosen_engine(engine)
    planned = plan_runs(
        learners,
        instances,
        runs=runs,
        horizon=horizon,
        seed=seed,
        out=Path(out),
        regret=regret,
        points=points,
    )
    play(planned, jobs=jobs, engine=engine, progress=progress)
    return summary_frame(read_runs([run.path for run in planned]))


def play(
    planned: Sequence[Run],
    *,
    jobs: int = -1,
    engine: Engine = "loky",
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Make the runs that are not finished; arguments as for :func:`run_experiment`."""
    # One round of each here, so that a bad argument is answered before any worker starts.
    for run in {(run.plan.name, run.problem.name): run for run in planned}.values():
        simulate(run.plan.learner, run.problem, horizon=1, regret=run.units, **run.plan.parameters)
    missing = [run for run in planned if not run.path.exists()]
    for path in {run.path for run in planned} - {run.path for run in missing}:
        check_run(path)
    finished = len(planned) - len(missing)
    if progress is not None:
        progress(finished, len(planned))
    for _ in in_parallel(Run.play, [(run,) for run in missing], jobs=jobs, engine=engine):
        finished += 1
        if progress is not None:
            progress(finished, len(planned))


@checked_types
def plan_runs(
    learners: Sequence[str | LearnerSpec],
    instances: Sequence[str | Problem],
    *,
    runs: int,
    horizon: int | None,
    seed: int,
    out: Path,
    regret: str | None = None,
    points: int | None = None,
) -> list[Run]:
    """Every run of an experiment, finished or not; arguments as for :func:`run_experiment`."""
    checked_count("runs", runs)
    checked_count("seed", seed, least=0)
    plans = [LearnerSpec(learner) if isinstance(learner, str) else learner for learner in learners]
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
    whole_path = out.absolute()  # workers may be in another folder
    for problem in problems:
        for plan in plans:
            checked_learner(plan.learner, problem, plan.parameters, horizon)
            units = problem.recorder(horizon=horizon, regret=regret, points=points).units
            folder = whole_path / _file_name(problem.name) / _file_name(plan.name)
            shared = _digest(plan, problem, horizon, units, points)
            for number, run_seed in enumerate(run_seeds(seed, runs)):
                digest = fingerprint((shared, run_seed))[:16]
                path = folder / f"run-{number:05d}-{digest}.parquet"
                planned.append(Run(plan, problem, number, run_seed, horizon, regret, points, path))
    return planned


def _digest(
    plan: LearnerSpec, problem: Problem, horizon: int | None, units: str, points: int | None
) -> str:
    """Of everything that decides a result but the seed."""
    learner = get_learner(plan.learner)
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(learner).parameters.items()
        if parameter.default is not inspect.Parameter.empty
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
