"""``make bench``: each row a task, ours, the alternative in the same run, their ratio, and its bar.

    python -m tests.benchmarks [--only WORD] [--all] [--quick] [--write]

Times are processor seconds of one process with one BLAS thread. Groups that take long are run by
``--all``, or where ``--only`` names them. README.md, in this folder, says what each row means and
has the last figures, which ``--write`` replaces.
"""

import argparse
import datetime
import inspect
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cpe_opt.files import atomic_write
from tests.benchmarks import (
    bars,
    boards,
    command_line,
    identification,
    learners,
    lower_bounds,
    oracles,
    programs,
)
from tests.benchmarks.measuring import HEAD, Settings, children_seconds

PAGE = Path(__file__).parent / "README.md"


@dataclass(frozen=True)
class Group:
    """``rows(settings)`` yields the rows; its docstring says what they mean."""

    rows: Callable
    title: str
    long: bool = False

    @property
    def name(self):
        return self.rows.__name__

    @property
    def about(self):
        """Its section of README.md, without figures."""
        return f"{self.title}: `{self.name}`{', long' * self.long}\n\n{inspect.getdoc(self.rows)}\n"


GROUPS = (
    Group(bars.small, "Bars: 16 arms"),
    Group(bars.horizons, "Bars: ten times the horizon"),
    Group(bars.large, "Bars: up to 136 arms", long=True),
    Group(bars.experiments, "Bars: an experiment"),
    Group(bars.calls, "Bars: calls of a judge"),
    Group(boards.boards, "Bars: leaderboards of two million votes", long=True),
    Group(identification.proofs, "Bars: proofs"),
    Group(identification.evidence, "Evidence up to 1,000 arms", long=True),
    Group(identification.duels, "Bars: duels to a proof"),
    Group(identification.normal_strengths, "Bars: duels to a proof with many arms"),
    Group(lower_bounds.bounds, "The lower bound by cuts"),
    Group(lower_bounds.growth, "The lower bound up to 512 arms", long=True),
    Group(lower_bounds.resolves, "Re-solves"),
    Group(learners.sushi, "Learners on sushi"),
    Group(learners.many_arms, "500 arms"),
    Group(oracles.matchings, "Matchings"),
    Group(oracles.subsets, "Subsets"),
    Group(oracles.separable, "Separable rewards"),
    Group(programs.checking, "Bars: checking a solve"),
    Group(programs.child, "Bars: a process of its own"),
    Group(programs.building, "Bars: building programs"),
    Group(programs.writing, "Bars: writing model files"),
    Group(programs.reading, "Reading model files"),
    Group(command_line.command_line, "Start-up"),
)


def chosen(only="", *, long=False):
    """The groups whose names contain a word; without one, those that are not long, or all."""
    return [group for group in GROUPS if (only in group.name if only else long or not group.long)]


def measure(group, settings):
    """Run a group, print its rows as they come, and return its section of README.md."""
    started, lines = _spent(), []
    for cells in _cells(group, settings):
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    minutes = (_spent() - started) / 60
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    when = f"*{today}, {machine()}; {minutes:.1f} processor minutes.*"
    return "\n".join([group.about, when, "", *lines, ""])


def _cells(group, settings):
    yield HEAD
    yield ["---"] * len(HEAD)
    for row in group.rows(settings):
        yield row.cells


def _spent():
    """Processor seconds of this process and of those that it has started."""
    return time.process_time() + children_seconds()


def machine():
    """Processor, cores and Python, as far as the system says."""
    model = platform.processor() or platform.machine()
    if (info := Path("/proc/cpuinfo")).exists():
        lines = info.read_text(encoding="utf-8").splitlines()
        model = next((line.split(":")[1].strip() for line in lines if "model name" in line), model)
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def with_sections(page, sections):
    """The page with new sections for the old ones of their names, in the order of the groups."""
    head, *old = page.split("\n## ")
    by_name = {each.split("`")[1]: each for each in [*old, *sections]}
    return "\n## ".join([head, *(by_name[each.name] for each in GROUPS if each.name in by_name)])


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORD", help="groups with this in their name")
    parser.add_argument("--all", action="store_true", help="the long groups, too")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that all runs")
    parser.add_argument("--write", action="store_true", help="put the figures into README.md")
    options = parser.parse_args(arguments)
    groups = chosen(options.only, long=options.all)
    if not groups:
        names = ", ".join(group.name for group in GROUPS)
        parser.error(f"no group has {options.only!r} in its name: {names}")
    sections = [measure(group, Settings(options.quick)) for group in groups]
    if options.write:
        page = with_sections(PAGE.read_text(encoding="utf-8"), sections)
        with atomic_write(PAGE) as temporary:
            temporary.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
