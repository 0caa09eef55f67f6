"""Experiments: learners × instances × seeds, one file a finished run, never run again.

A run's file is named after a digest of everything that decides its result: learner, parameters,
problem, horizon, seed, units, and the version of this package. Workers write it to a temporary
name and rename it, so a file that is there is whole; an experiment that was killed, at whatever
moment, goes on with the runs that have none.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpe_opt import __version__
from cpe_opt.errors import InputError, checked_count
from cpe_opt.experiments.parallel import Engine, check_jobs, chosen_engine, in_parallel
from cpe_opt.experiments.results import check_run, read_runs, summary_frame, write_run
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.files import plain
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.problems.matchings import MatchingDuels
from cpe_opt.problems.preferences import Units
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable import SeparableProblem
from cpe_opt.problems.subsets import SubsetBandit
from cpe_opt.simulation.driver import POINTS, simulate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Plan:
    """One learner with its parameters, under a label for tables and pictures."""

    learner: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    @property
    def name(self) -> str:
        """The label, or the learner's name with its parameters."""
        settings = ", ".join(f"{key}={value}" for key, value in self.parameters.items())
        return self.label or (f"{self.learner} ({settings})" if settings else self.learner)


@dataclass(frozen=True, eq=False)
class Run:
    """One run to make, and the file of its result."""

    plan: Plan
    problem: Problem
    number: int
    seed: int
    horizon: int | None
    units: Units
    points: int
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


def run_experiment(
    learners: Sequence[str | Plan],
    instances: Sequence[str | Problem],
    *,
    runs: int = 100,
    horizon: int | None = 10**6,
    seed: int = 0,
    jobs: int = -1,
    engine: Engine = "loky",
    out: str | os.PathLike[str] = "results",
    regret: Units = "khn",
    points: int = POINTS,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Run every learner on every instance, and summarise.

    Parameters
    ----------
    learners : sequence of names or Plan
        A :class:`Plan` carries parameters.
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
    regret : "khn" or "zkwr"
    points : int
        About how many rounds a trace notes.
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


def plan_runs(
    learners: Sequence[str | Plan],
    instances: Sequence[str | Problem],
    *,
    runs: int,
    horizon: int | None,
    seed: int,
    out: Path,
    regret: Units,
    points: int = POINTS,
) -> list[Run]:
    """Every run of an experiment, finished or not; arguments as for :func:`run_experiment`."""
    checked_count("runs", runs)
    if horizon is not None:
        checked_count("horizon", horizon)
    checked_count("seed", seed, least=0)
    plans = [Plan(learner) if isinstance(learner, str) else learner for learner in learners]
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
            folder = whole_path / _file_name(problem.name) / _file_name(plan.name)
            for number, run_seed in enumerate(run_seeds(seed, runs)):
                digest = _digest(plan, problem, run_seed, horizon, regret, points)
                path = folder / f"run-{number:05d}-{digest}.parquet"
                planned.append(Run(plan, problem, number, run_seed, horizon, regret, points, path))
    return planned


def _digest(
    plan: Plan,
    problem: Problem,
    seed: int,
    horizon: int | None,
    units: str,
    points: int,
) -> str:
    settings = {
        "learner": plan.learner.replace("_", "-"),
        "parameters": dict(plan.parameters),
        **_content(problem),
        "seed": seed,
        "horizon": horizon,
        "units": units,
        "points": points,
        "version": __version__,
    }
    text = json.dumps(settings, sort_keys=True, default=plain)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _content(problem: Problem) -> dict[str, Any]:
    """What tells a problem from any other."""
    if isinstance(problem, SubsetBandit):
        outcomes = b"" if problem.outcomes is None else problem.outcomes.tobytes()
        return {
            "decisions": problem.decisions.content,
            "theta": problem.theta.tolist(),
            "noise": problem.noise,
            "outcomes": hashlib.sha256(outcomes).hexdigest(),
        }
    if isinstance(problem, SeparableProblem):
        return {"model": problem.model.content, "arms": [repr(arm) for arm in problem.arms]}
    content: dict[str, Any] = {"matrix": hashlib.sha256(problem.array.tobytes()).hexdigest()}
    if isinstance(problem, MatchingDuels):
        content["edges"] = problem.graph.edges
    return content


def _file_name(name: str) -> str:
    """The name with everything but letters, digits, dots and dashes replaced."""
    return "".join(c if c.isalnum() or c in ".-=" else "_" for c in name)
