"""The engine of all runs: learners × problems × seeds, in parallel, in files or in memory.

:func:`play` makes the runs of planned series (:mod:`cpe_opt.experiments.planning`) that are in no
file yet: an experiment that was killed at any moment goes on where it stopped.

To hand a task to a worker and to write its file takes milliseconds, more than a short run does. So
a worker is given as many runs, up to a thousand, as take about a second, judged by the finished
runs of the series; one run while there is none.
"""

from __future__ import annotations

import logging
import os
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.arrays import BoolArray
from cpe_opt.errors import CpeOptError
from cpe_opt.experiments import shards
from cpe_opt.experiments.parallel import check_jobs, in_parallel
from cpe_opt.experiments.planning import LearnerSpec, Series, plan_series, run_seed
from cpe_opt.experiments.results import (
    SERIES,
    read_groups,
    results_table,
    summary_frame,
)
from cpe_opt.experiments.shards import Span
from cpe_opt.files import check_folder
from cpe_opt.learners.queries import Learner
from cpe_opt.problems.problem import Problem
from cpe_opt.progress_line import own_steps, progress_line
from cpe_opt.simulation.driver import Trace
from cpe_opt.solvers.recording import unrecorded
from cpe_opt.validation import PositiveInt, Rounds, Seed, checked_types

if TYPE_CHECKING:
    import pandas as pd

SECONDS = 1.0
"""About how long a batch takes."""
MOST_RUNS = 1000
"""Of a batch."""
_LONGEST = 300  # of what an error says, in the message
_LOG = logging.getLogger(__name__)
CountProgress: TypeAlias = bool | Callable[[int, int], None] | None
"""As :data:`cpe_opt.progress_line.ShowProgress`; a function is told how many are finished, and of
how many."""


@checked_types
def run_experiment(
    learners: Sequence[str | Callable[..., Learner] | LearnerSpec],
    instances: Sequence[str | Problem],
    *,
    runs: PositiveInt = 100,
    horizon: Rounds | None = 10**6,
    seed: Seed = 0,
    jobs: int = -1,
    out: str | os.PathLike[str] = "results",
    regret: str | None = None,
    points: int | None = None,
    progress: CountProgress = None,
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
        Worker processes; -1 for one a core. Inside ``joblib.parallel_config(backend="dask")`` the
        workers of the Dask cluster make the runs.
    out : path
        A folder; finished runs found there are not run again. Parquet files of up to a thousand
        runs each, which :func:`cpe_opt.experiments.results.read_results` or ``pandas.read_parquet``
        reads as one frame.
    regret : "mean" or "sum", optional
    points : int, optional
        About how many rounds a trace notes; both as for :func:`cpe_opt.simulate`.
    progress : bool or callable, optional
        Whether a line says how many runs are finished: by default at a terminal or in a notebook,
        after a second. A function is called with (finished, all) runs: first with those found
        finished, then as batches end, about one a second from each worker, or as single runs end
        where they take longer.

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
    with _counted_progress("runs", progress) as note:
        play(planned, jobs=jobs, progress=note)
    table = summary_frame(read_groups(planned))
    table.attrs[SERIES] = [series.entry for series in planned]
    return table


@checked_types
def run_many(
    learner: str | Callable[..., Learner],
    problem: Problem,
    *,
    horizon: Rounds | None,
    runs: PositiveInt = 10,
    seed: Seed = 0,
    jobs: int = -1,
    regret: str | None = None,
    progress: CountProgress = None,
    **parameters: Any,
) -> list[Trace[Any]]:
    """The traces of independent runs, of which nothing is kept; :class:`RunsFailed` at the end."""
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
    with _counted_progress("runs", progress) as note:
        (traces,) = play(planned, jobs=jobs, progress=note)
    return traces


def play(
    planned: Sequence[Series],
    *,
    jobs: int = -1,
    progress: Callable[[int, int], None] | None = None,
) -> list[list[Trace[Any]]]:
    """Make the runs that are not finished; the traces of each series that has no folder."""
    for series in planned:
        _try_out(series)
    for out in {series.out for series in planned if series.out is not None}:
        check_folder(out)
    ledgers = [_opened(series) for series in planned]
    done = sum(int(each.finished.sum()) for each in ledgers)
    total = sum(series.runs for series in planned)
    if progress is not None:
        progress(done, total)
    traces: list[dict[int, list[Trace[Any]]]] = [{} for _ in planned]
    failures: list[tuple[int, Failure]] = []
    tasks = (
        (place, planned[place], span)
        for place, ledger in enumerate(ledgers)
        for span in ledger.batches()
    )
    for batch in in_parallel(play_batch, tasks, jobs=jobs, batch_size=1):
        ledgers[batch.place].note(batch)
        traces[batch.place][batch.span.first] = batch.traces
        failures += [(batch.place, failure) for failure in batch.failures]
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
    """Play one round here: bad arguments are refused before any worker starts, all else later."""
    try:
        with unrecorded():
            series.simulate(0, 1)
    except CpeOptError:
        raise
    except Exception:
        _LOG.debug("the first round of %s fails", series.spec.name, exc_info=True)


def _opened(series: Series) -> Ledger:
    """What is finished of a series."""
    if series.folder is None:
        return Ledger(np.zeros(series.runs, dtype=bool))
    shards.check(series.folder)
    series.note()
    return Ledger(shards.finished(series.folder, series.runs))


@contextmanager
def _counted_progress(what: str, progress: CountProgress) -> Iterator[Callable[[int, int], None]]:
    """A line for steps that are alike; yields what is to be told (finished, all)."""
    if callable(progress):
        with progress_line(what, False):  # the function may have a display of its own
            yield progress
        return
    with progress_line(what, progress), own_steps() as tell:
        yield lambda finished, every: tell and tell(f"of {every:,} {what}", finished)


@dataclass(frozen=True, eq=False)
class RunBatch:
    """Runs that a worker has made."""

    place: int  # of their series in the experiment
    span: Span
    seconds: float  # of wall-clock time that the runs took, without that of saving them
    traces: list[Trace[Any]]  # empty if they are in files
    failures: tuple[Failure, ...] = ()  # runs that are neither in files nor traces


def play_batch(place: int, series: Series, span: Span) -> RunBatch:
    """Make the runs; one that fails does not end the others. What is made is saved every second."""
    seconds, due, end = 0.0, SECONDS, span.first
    traces: list[Trace[Any]] = []
    failures: list[Failure] = []
    try:
        for number in range(span.first, span.last + 1):
            started = time.perf_counter()
            try:
                trace = series.simulate(number, series.horizon)
            except (Exception, SystemExit) as error:
                failures.append(Failure.of(series, number, error))
                _save(series, end, traces)  # files hold runs that follow each other
                end = number + 1
                continue
            traces.append(trace)
            end = number + 1
            seconds += time.perf_counter() - started
            if seconds > due:
                _save(series, end, traces)
                due = seconds + SECONDS
    finally:
        _save(series, end, traces)
    return RunBatch(place, span, seconds, traces, tuple(failures))


def _save(series: Series, end: int, traces: list[Trace[Any]]) -> None:
    """Write the runs before ``end`` that are in no file yet; in memory they stay where they are."""
    if series.folder is not None and traces:
        table = results_table(series, end - len(traces), traces)
        traces.clear()  # where writing fails they are repeated
        shards.save(series.folder, table)


class Ledger:
    """Which runs of a series are finished, and which are next."""

    def __init__(self, finished: BoolArray) -> None:
        self.finished = finished
        self._given = 0  # up to which run all are finished or given to workers
        self._made, self._seconds = 0, 0.0

    def note(self, batch: RunBatch) -> None:
        """The runs of a batch are finished, except those that have failed."""
        self.finished[batch.span.first : batch.span.last + 1] = True
        for failure in batch.failures:
            self.finished[failure.run] = False
        self._made += batch.span.size
        self._seconds += batch.seconds

    def batches(self) -> Iterator[Span]:
        """The runs to be made, batch by batch; the size of one depends on those noted before."""
        runs = len(self.finished)
        while self._given < runs:
            if self.finished[self._given]:
                self._given += 1
                continue
            first = self._given
            limit = min(first + self._size(), runs)
            taken = np.flatnonzero(self.finished[first:limit])
            self._given = first + int(taken[0]) if len(taken) else limit
            yield Span(first, self._given - 1)

    def _size(self) -> int:
        """How many runs take about a second; one where that is not known."""
        if not self._seconds:
            return 1
        return min(MOST_RUNS, max(1, int(SECONDS * self._made / self._seconds)))


@dataclass(frozen=True)
class Failure:
    """A run that has failed; texts and numbers alone, as it travels between processes."""

    learner: str
    problem: str
    run: int  # its number in the series, from 0
    seed: int  # with which cpe_opt.simulate repeats it
    error: str  # such as "ZeroDivisionError: division by zero"
    traceback: str  # as Python prints it

    @classmethod
    def of(cls, series: Series, run: int, error: BaseException) -> Failure:
        """The failure of a run."""
        kind, said = type(error).__name__, str(error)
        words = said if isinstance(error, CpeOptError) else f"{kind}: {said}" if said else kind
        where = "".join(traceback.format_exception(error))
        seed = run_seed(series.seed, run)
        return cls(series.spec.name, series.problem.name, run, seed, words, where)

    def __str__(self) -> str:
        error = self.error if len(self.error) <= _LONGEST else f"{self.error[:_LONGEST]}…"
        return f"{self.learner} on {self.problem}, run {self.run} (seed {self.seed}): {error}"


class RunsFailed(CpeOptError):
    """Some runs have failed, the others are finished."""

    def __init__(
        self,
        failures: Sequence[Failure],
        finished: int,
        traces: Sequence[Sequence[Any]] = (),
        folder: Path | None = None,
    ) -> None:
        self.failures, self.finished = tuple(failures), finished
        self.traces, self.folder = [list(each) for each in traces], folder
        count, every = len(self.failures), len(self.failures) + finished
        which = "the first of them is " if count > 1 else ""
        kept = f"{finished} runs are finished"
        if folder is not None:
            kept += f" and kept in {str(folder)!r}: the same experiment makes the missing ones"
        super().__init__(f"{count} of {every} runs failed; {which}{self.failures[0]}; {kept}")
        self.add_note(self.failures[0].traceback)

    def __reduce__(self) -> tuple[type[RunsFailed], tuple[Any, ...]]:
        """Errors travel between processes."""
        return type(self), (self.failures, self.finished, self.traces, self.folder)
