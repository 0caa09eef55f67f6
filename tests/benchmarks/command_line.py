"""Start-up of the command line."""

import subprocess
import sys

from tests.benchmarks.settings import children_seconds
from tests.benchmarks.table import Row


def command_line(settings):
    """`cpe-opt --help`, from the start of the process to its exit: processor seconds, the least of
    9 processes.
    """
    command = [sys.executable, "-m", "cpe_opt", "--help"]
    spent = []
    for _ in range(settings.choose(1, 9)):
        before = children_seconds()
        subprocess.run(command, capture_output=True, check=True)
        spent.append(children_seconds() - before)
    yield Row("cpe-opt --help", min(spent), bar=0.5)
