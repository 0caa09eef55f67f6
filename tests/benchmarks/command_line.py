"""Start-up of the command line and of a first simulation."""

import subprocess
import sys

from tests.benchmarks.measuring import Row, children_seconds


def command_line(settings):
    """`cpe-opt --help`, and a script that simulates 1,000 rounds of a learner, from the start of a
    process to its exit: processor seconds, the least of 9 processes.
    """
    simulate = "import cpe_opt as c; c.simulate({!r}, c.load_instance('cyclic'), horizon=1000)"
    for task, arguments, bar in (
        ("cpe-opt --help", ["-m", "cpe_opt", "--help"], 0.5),
        ("a first simulation, rucb", ["-c", simulate.format("rucb")], 0.6),
        ("a first simulation, cw-rmed", ["-c", simulate.format("cw-rmed")], 0.6),
    ):
        spent = []
        for _ in range(settings.choose(1, 9)):
            before = children_seconds()
            subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
            spent.append(children_seconds() - before)
        yield Row(task, min(spent), bar=bar)
