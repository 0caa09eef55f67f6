"""Runs in batches: what a worker makes before it is given more.

To hand over a task and to write its file costs milliseconds, more than a short run takes. So a
batch is as many runs of a shard as take about a second, by the runs of the series that have ended;
while none has, and where runs are longer than that, it is one run. A batch that takes longer than
was thought saves what it has every second. How runs are divided into batches changes no result, and
no file in the end (:mod:`cpe_opt.experiments.shards`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cpe_opt.experiments import run_files, shards
from cpe_opt.experiments.failures import Failure
from cpe_opt.experiments.planning import Series
from cpe_opt.experiments.results import results_table
from cpe_opt.experiments.run_files import Span
from cpe_opt.modelling.program import BoolArray
from cpe_opt.simulation.driver import Trace

SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class Batch:
    """Runs that a worker has made.

    Attributes
    ----------
    place : int
        Of their series in the experiment.
    span : Span
    seconds : float
        Of wall-clock time that the runs took, without that of saving them.
    traces : list of Trace
        Empty where they are in files.
    failures : tuple of Failure
        Runs of the span that have failed, and are neither in files nor among the traces.
    """

    place: int
    span: Span
    seconds: float
    traces: list[Trace]
    failures: tuple[Failure, ...] = ()


def play_batch(place: int, series: Series, span: Span) -> Batch:
    """Make the runs; one that fails does not end the others. What is made at an end is saved."""
    seconds = 0.0
    unsaved = _Unsaved(series, span.first)
    failures: list[Failure] = []
    try:
        for number in range(span.first, span.last + 1):
            started = time.perf_counter()
            try:
                trace = series.simulate(number, series.horizon)
            except (Exception, SystemExit) as error:
                failures.append(Failure.of(series, number, error))
                unsaved.skip()
                continue
            spent = time.perf_counter() - started
            unsaved.note(trace, spent)
            seconds += spent
    finally:
        unsaved.save()
    return Batch(place, span, seconds, unsaved.traces, tuple(failures))


class _Unsaved:
    """Runs that are made and not in files; all of them, where the series has no folder."""

    def __init__(self, series: Series, first: int) -> None:
        self.traces: list[Trace] = []
        self._series, self._first, self._seconds = series, first, 0.0

    def note(self, trace: Trace, seconds: float) -> None:
        """Keep the next run, and save where that is due."""
        self.traces.append(trace)
        self._seconds += seconds
        if self._seconds > SECONDS:
            self.save()

    def skip(self) -> None:
        """Leave out the next run: files hold runs that follow each other."""
        self.save()
        self._first += 1

    def save(self) -> None:
        """Write what there is; where that fails it is lost, and the runs are repeated."""
        folder = self._series.folder
        if folder is not None and self.traces:
            traces, self.traces, self._seconds = self.traces, [], 0.0
            table = results_table(self._series, self._first, traces)
            shards.save(folder, table, [trace.seconds for trace in traces])
            self._first += len(traces)


class Ledger:
    """Which runs of a series are finished, and which are next.

    Parameters
    ----------
    finished : bool array, shape (runs,)
        Those that are finished before.
    """

    def __init__(self, finished: BoolArray) -> None:
        self.finished = finished
        self._given = 0  # up to which run all are finished or given to workers
        self._made, self._seconds = 0, 0.0

    def note(self, batch: Batch) -> None:
        """The runs of a batch are finished, but for those that have failed."""
        self.finished[batch.span.first : batch.span.last + 1] = True
        for failure in batch.failures:
            self.finished[failure.run] = False
        self._made += batch.span.size
        self._seconds += batch.seconds

    def batches(self) -> Iterator[Span]:
        """What is to be made, batch by batch; how long one is depends on those noted before."""
        runs = len(self.finished)
        while self._given < runs:
            if self.finished[self._given]:
                self._given += 1
                continue
            first = self._given
            shard = run_files.shard_span(Span(first, first).shard, runs)
            limit = min(first + self._size(), shard.last + 1)
            taken = np.flatnonzero(self.finished[first:limit])
            self._given = first + int(taken[0]) if len(taken) else limit
            yield Span(first, self._given - 1)

    def _size(self) -> int:
        """How many runs take about a second; one where that is not known."""
        return max(1, int(SECONDS * self._made / self._seconds)) if self._seconds else 1
