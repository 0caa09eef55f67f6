"""The engine of all runs: learners × problems × seeds, in parallel, in files or in memory.

A run that is in a file is never made twice (:mod:`cpe_opt.experiments.planning`). An experiment
that was killed, at whatever moment, goes on with the runs that are in none
(:mod:`cpe_opt.experiments.shards`). Workers are given runs in batches
(:mod:`cpe_opt.experiments.batches`).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import CpeOptError
from cpe_opt.experiments import run_files, shards
from cpe_opt.experiments.batches import Ledger, play_batch
from cpe_opt.experiments.failures import Failure, RunsFailed
from cpe_opt.experiments.parallel import Engine, check_jobs, chosen_engine, in_parallel
from cpe_opt.experiments.planning import LearnerSpec, Series, plan_series
from cpe_opt.experiments.results import SERIES, read_groups, summary_frame
from cpe_opt.learners.queries import Learner
from cpe_opt.problems.problem import Problem
from cpe_opt.simulation.driver import Trace
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd

_LOG = logging.getLogger(__name__)


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
        A :class:`LearnerSpec` carries parameters. A function of your own is sent to the workers by
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
        A folder; finished runs found there are not run again. Parquet files of up to a thousand
        runs each, which :func:`cpe_opt.experiments.results.read_results` or ``pandas.read_parquet``
        reads as one frame.
    regret : "mean" or "sum", optional
    points : int, optional
        About how many rounds a trace notes; both as for :func:`cpe_opt.simulate`.
    progress : callable, optional
        Called with (finished, all) runs: first with those found finished, then as batches end,
        about one a second from each worker, or as single runs end where they take longer.

    Returns
    -------
    DataFrame
        One row an instance and learner, see
        :func:`cpe_opt.experiments.results.summary_frame`; its ``attrs`` say where the runs are,
        which :func:`cpe_opt.experiments.results.regret_curves` and
        :func:`cpe_opt.experiments.results.run_samples` read.

    Raises
    ------
    InputError, UnknownName
        Before any run starts, where an argument is wrong, or a file of finished runs is damaged.
    RunsFailed
        After all other runs, where some have failed: with their learners, problems, numbers and
        seeds. Called again, it makes the missing runs alone.
    WriteFailed
        Where the disk is full, or the folder cannot be written to.

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
    planned = plan_series(
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
    table = summary_frame(read_groups(planned))
    table.attrs[SERIES] = [
        (series.problem.name, series.spec.name, str(series.folder), series.runs)
        for series in planned
    ]
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

    Raises
    ------
    RunsFailed
        After all other runs, where some have failed; its ``traces`` are those of the others.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> traces = run_many("rucb", cpe.load_instance("gap"), horizon=100, runs=3, jobs=1)
    >>> [trace.rounds for trace in traces]
    [100, 100, 100]
    """
    check_jobs(jobs)
    planned = plan_series(
        [LearnerSpec(learner, parameters)],
        [problem],
        runs=runs,
        horizon=horizon,
        seed=seed,
        out=None,
        regret=regret,
    )
    (traces,) = play(planned, jobs=jobs, progress=progress)
    return traces


def play(
    planned: Sequence[Series],
    *,
    jobs: int = -1,
    engine: Engine = "loky",
    progress: Callable[[int, int], None] | None = None,
) -> list[list[Trace]]:
    """Make the runs that are not finished; arguments as for :func:`run_experiment`.

    Returns the traces of each series, in their order; none of those that have a folder.

    Raises
    ------
    RunsFailed
        After all other runs, where some have failed.
    """
    for series in planned:
        _try_out(series)
    with ExitStack() as stack:
        for out in {series.out for series in planned if series.out is not None}:
            folders = [series.folder for series in planned if series.out == out]
            stack.enter_context(shards.writing(out, filter(None, folders)))
        ledgers = [_opened(series) for series in planned]
        done, total = sum(int(each.finished.sum()) for each in ledgers), _total(planned)
        if progress is not None:
            progress(done, total)
        traces: list[dict[int, list[Trace]]] = [{} for _ in planned]
        failures: list[tuple[int, Failure]] = []
        tasks = (
            (place, planned[place], span)
            for place, ledger in enumerate(ledgers)
            for span in ledger.batches()
        )
        for batch in in_parallel(play_batch, tasks, jobs=jobs, engine=engine, batch_size=1):
            ledgers[batch.place].note(batch)
            traces[batch.place][batch.span.first] = batch.traces
            failures += [(batch.place, failure) for failure in batch.failures]
            _merge(planned[batch.place], ledgers[batch.place], batch.span.shard)
            done += batch.span.size
            if progress is not None:
                progress(done, total)
    ordered = [
        [trace for first in sorted(batches) for trace in batches[first]] for batches in traces
    ]
    if failures:
        failures.sort(key=lambda each: (each[0], each[1].run))
        finished = total - len(failures)
        raise RunsFailed([each for _, each in failures], finished, ordered, planned[0].out)
    return ordered


def _try_out(series: Series) -> None:
    """Play one round here, so that a bad argument is answered before any worker starts.

    What else is raised is a matter of that run alone, and of others maybe, which are all made.
    """
    try:
        series.simulate(0, 1)
    except CpeOptError:
        raise
    except Exception:
        _LOG.debug("the first round of %s fails", series.spec.name, exc_info=True)


def _total(planned: Sequence[Series]) -> int:
    return sum(series.runs for series in planned)


def _opened(series: Series) -> Ledger:
    """What is finished of a series; shards that are complete are merged."""
    if series.folder is None:
        return Ledger(np.zeros(series.runs, dtype=bool))
    shards.check(series.folder)
    series.note()
    ledger = Ledger(shards.finished(series.folder, series.runs))
    for shard in range(run_files.shards_of(series.runs)):
        _merge(series, ledger, shard)
    return ledger


def _merge(series: Series, ledger: Ledger, shard: int) -> None:
    """Where every run of the shard is finished, put them into one file."""
    span = run_files.shard_span(shard, series.runs)
    if series.folder is not None and ledger.finished[span.first : span.last + 1].all():
        shards.merge(series.folder, span)
