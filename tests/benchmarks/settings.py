"""How the tasks are run: as they are to be measured, or quickly, for the tests."""

import resource
import time
from dataclasses import dataclass

from tests.benchmarks.alone import alone, measured


@dataclass(frozen=True)
class Settings:
    """A quick run has small sizes, repeats nothing and starts no process."""

    quick: bool = False

    def choose(self, quick, full):
        """A size for a quick run, or the one to measure."""
        return quick if self.quick else full

    def seconds(self, task, repeats):
        """The least processor seconds of several repeats: what else runs only adds to them."""
        return min(processor_seconds(task) for _ in range(self.choose(1, repeats)))

    def alone(self, task, arguments, limit):
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
