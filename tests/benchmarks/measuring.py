"""Rows of the table, and how their tasks are run: as they are to be measured, or quickly."""

import resource
import time
from dataclasses import dataclass

from tests.benchmarks.alone import alone, measured

HEAD = ("task", "ours", "other", "ratio", "bar", "", "unit", "note")


@dataclass(frozen=True)
class Row:
    """One task.

    ``ours`` and ``alternative`` are in ``unit`` (None where a limit ended the task), ``bar`` is the
    most that ``ours`` may be. The ratio is that of the alternative to ours.
    """

    task: str
    ours: float | None
    alternative: float | None = None
    bar: float | None = None
    unit: str = "s"
    note: str = ""

    @property
    def ratio(self):
        if self.ours is None or self.alternative is None:
            return None
        return self.alternative / self.ours

    @property
    def is_met(self):
        """Whether ours is within the bar; None without one."""
        if self.bar is None:
            return None
        return self.ours is not None and self.ours <= self.bar

    @property
    def cells(self):
        """What a line of the table shows of it, under ``HEAD``."""
        met = {None: "", True: "met", False: "missed"}[self.is_met]
        ratio = "" if self.ratio is None else f"{self.ratio:.1f}x"
        ours = "not done" if self.ours is None else f"{self.ours:.4g}"
        other, bar = ("" if n is None else f"{n:.4g}" for n in (self.alternative, self.bar))
        return self.task, ours, other, ratio, bar, met, self.unit, self.note


@dataclass(frozen=True)
class Settings:
    """A quick run has small sizes, repeats nothing and starts no process."""

    quick: bool = False

    def choose(self, quick, full):
        """A size for a quick run, or the one to measure."""
        return quick if self.quick else full

    def seconds(self, task, repeats=1):
        """The least processor seconds of several repeats: what else runs only adds to them."""
        return min(processor_seconds(task) for _ in range(self.choose(1, repeats)))

    def alone(self, task, limit=None, **arguments):
        """What the task reports in a process of its own; see :mod:`tests.benchmarks.alone`."""
        return measured(task, arguments) if self.quick else alone(task, arguments, limit)


def processor_seconds(task):
    """Of this process, all its threads."""
    started = time.process_time()
    task()
    return time.process_time() - started


def children_seconds():
    """Processor seconds of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
