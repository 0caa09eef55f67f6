"""Start-up of the command line."""

import resource
import subprocess
import sys

from tests.benchmarks.table import Row


def command_line(settings):
    """`cpe-opt --help`, from the start of the process to its exit: processor seconds, the least of
    9 processes.
    """
    command = [sys.executable, "-m", "cpe_opt", "--help"]
    spent = []
    for _ in range(settings.choose(1, 9)):
        before = _children()
        subprocess.run(command, capture_output=True, check=True)
        spent.append(_children() - before)
    yield Row("cpe-opt --help", min(spent), bar=0.5)


def _children():
    """Processor seconds of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
