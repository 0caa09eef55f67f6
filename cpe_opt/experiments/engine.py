"""The engine of all runs: learners × problems × seeds, in parallel, in files or in memory.

A run with a file is never made twice (:mod:`cpe_opt.experiments.planning`). Workers write it to a
temporary name and rename it, so a file that is there is whole; an experiment that was killed, at
whatever moment, goes on with the runs that have none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpe_opt.experiments.parallel import Engine, check_jobs, chosen_engine, in_parallel
from cpe_opt.experiments.planning import LearnerSpec, Run, plan_runs
from cpe_opt.experiments.results import FILES, check_run, read_runs, summary_frame
from cpe_opt.learners.queries import Learner
from cpe_opt.problems.problem import Problem
from cpe_opt.simulation.driver import Trace
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd


@checked_types
def run_experiment(
    learners: Sequence[str | Callable[..., Learner] | LearnerSpec],
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
    learners : sequence of names, functions or LearnerSpec
        A :class:`LearnerSpec` carries parameters. A function of one's own is sent to the workers by
        value, and its results are kept under its code.
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
        One row an instance and learner, see :func:`summary_frame`; its ``attrs`` list the files,
        which :func:`cpe_opt.experiments.results.regret_curves` and
        :func:`cpe_opt.experiments.results.run_samples` read.

    Raises
    ------
    InputError, UnknownName
        Before any run starts, where an argument is wrong.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     frame = run_experiment(
    ...         ["ecw-rmed", "random-pairs"], ["cyclic"], runs=2, horizon=500, jobs=1, out=folder
    ...     )
    >>> frame[["learner", "runs"]].values.tolist()
    [['ecw-rmed', 2], ['random-pairs', 2]]
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
    files = [run.path for run in planned if run.path is not None]
    table = summary_frame(read_runs(files))
    table.attrs[FILES] = [str(path) for path in files]
    return table


@checked_types
def run_many(
    learner: str | Callable[..., Learner],
    problem: Problem,
    *,
    horizon: int | None,
    runs: int = 10,
    seed: int = 0,
    jobs: int = -1,
    regret: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    **parameters: Any,
) -> list[Trace]:
    """Simulate ``runs`` independent runs, and keep nothing of them but what is returned.

    Parameters
    ----------
    learner, problem, horizon, regret, **parameters
        As for :func:`cpe_opt.simulate`.
    runs, seed, jobs, progress
        As for :func:`run_experiment`.

    Returns
    -------
    list of Trace
        In the order of the runs.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> traces = run_many("rucb", cpe.load_instance("gap"), horizon=100, runs=3, jobs=1)
    >>> [trace.rounds for trace in traces]
    [100, 100, 100]
    """
    check_jobs(jobs)
    planned = plan_runs(
        [LearnerSpec(learner, parameters)],
        [problem],
        runs=runs,
        horizon=horizon,
        seed=seed,
        out=None,
        regret=regret,
    )
    made = play(planned, jobs=jobs, progress=progress)
    return [trace for trace in made if isinstance(trace, Trace)]


def play(
    planned: Sequence[Run],
    *,
    jobs: int = -1,
    engine: Engine = "loky",
    progress: Callable[[int, int], None] | None = None,
) -> list[Path | Trace | None]:
    """Make the runs that are not finished; arguments as for :func:`run_experiment`.

    Returns what each has made, a file or a trace, in their order; None where it was finished.
    """
    # One round of each here, so that a bad argument is answered before any worker starts.
    for run in {(run.plan.name, run.problem.name): run for run in planned}.values():
        run.simulate(1)
    missing = [(place, run) for place, run in enumerate(planned) if not run.finished]
    for path in {run.path for run in planned if run.path is not None and run.finished}:
        check_run(path)
    finished = len(planned) - len(missing)
    if progress is not None:
        progress(finished, len(planned))
    made: list[Path | Trace | None] = [None] * len(planned)
    for place, outcome in in_parallel(_play, missing, jobs=jobs, engine=engine):
        made[place] = outcome
        finished += 1
        if progress is not None:
            progress(finished, len(planned))
    return made


def _play(place: int, run: Run) -> tuple[int, Path | Trace]:
    return place, run.play()
