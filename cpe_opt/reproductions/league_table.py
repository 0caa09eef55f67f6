"""A league's table: a line a learner, a column an instance, and what stands in a cell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cpe_opt.reproductions.statistics import (
    Interval,
    failure_interval,
    positive_mean_interval,
    ratio_interval,
)

LEFT_OUT, ABSENT = "out", "–"


@dataclass(frozen=True)
class Cell:
    """What a learner needed on an instance.

    Attributes
    ----------
    learner, instance : str
    covered : bool
        Whether the learner's theorem covers the instance.
    amounts : tuple of float
        The regret, or the samples, of each run; empty where nothing was run.
    bound : float
        Of the amounts.
    left_out : str
        Why nothing was run.
    unfinished : int
        Runs that were cut off, or gave up: their values are lower bounds.
    wrong : int
        Runs that ended with a wrong answer, said to be proved.
    slow : bool
        Whether the learner is too slow for the instance.
    short : bool
        Whether this learner had a shorter horizon than others.
    seconds : float
        A run's, on average.
    """

    learner: str
    instance: str
    covered: bool
    amounts: tuple[float, ...] = ()
    bound: float = 1.0
    left_out: str = ""
    unfinished: int = 0
    wrong: int = 0
    slow: bool = False
    short: bool = False
    seconds: float = math.nan

    @property
    def runs(self) -> int:
        """How many."""
        return len(self.amounts)

    @property
    def values(self) -> tuple[float, ...]:
        """The multiple of the bound in each run."""
        return tuple(amount / self.bound for amount in self.amounts)

    @property
    def mean(self) -> Interval:
        """Of the multiples, over runs."""
        return positive_mean_interval(self.values)

    @property
    def mean_text(self) -> str:
        """The same in two digits, with the number of runs."""
        if self.runs == 1:
            return f"{short_number(self.value)} (1 run)"
        ends = f"{short_number(self.mean.low)} to {short_number(self.mean.high)}"
        return f"{short_number(self.value)} ({ends}; {self.runs} runs)"

    @property
    def value(self) -> float:
        """The mean, NaN where nothing was run."""
        return self.mean.value if self.amounts else math.nan

    def times(self, other: Cell) -> Interval:
        """The ratio of the mean amount to that of another learner."""
        return ratio_interval(self.amounts, other.amounts)

    @property
    def text(self) -> str:
        """As it stands in a picture and in the page's table."""
        if not self.amounts:
            return LEFT_OUT if self.slow else ABSENT
        sign = ">" if self.unfinished else ""
        mark = "*" if self.short else ""
        wrong = f" {self.wrong}✗" if self.wrong else ""
        return f"{sign}{short_number(self.value)}{mark}{wrong}"


def short_number(value: float) -> str:
    """Two digits: 0.53, 1.7, 24, 1,500, 24k."""
    if value >= 9950.0:
        return f"{value / 1000.0:,.0f}k"
    if value >= 9.95:
        return f"{float(f'{value:.2g}'):,.0f}"
    return f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"


@dataclass(frozen=True)
class Table:
    """Cells by learner and instance.

    Attributes
    ----------
    cells : sequence of Cell
    learners, instances : sequence of str
        In the order of lines and columns; there may be cells of other instances, left out.
    groups : mapping of learner to str
        Of lines that stand together, as their learners look for the same; all do if empty.
    """

    cells: Sequence[Cell]
    learners: Sequence[str]
    instances: Sequence[str]
    groups: Mapping[str, str] = field(default_factory=dict)

    def cell(self, learner: str, instance: str) -> Cell:
        """The one of a learner on an instance."""
        return self._by_key[learner, instance]

    @property
    def _by_key(self) -> dict[tuple[str, str], Cell]:
        return {(cell.learner, cell.instance): cell for cell in self.cells}

    def line(self, learner: str, *, counted: bool = True) -> list[Cell]:
        """A learner's cells that were run, in the order of columns; the covered ones if counted."""
        found = (self.cell(learner, instance) for instance in self.instances)
        return [c for c in found if c.amounts and (c.covered or not counted)]

    def typical(self, learner: str) -> float:
        """The geometric mean of a learner's multiples where its theorem holds; inf without any."""
        return _geometric_mean(self.line(learner))

    def typical_text(self, learner: str) -> str:
        """The same as a text: a lower bound where runs were cut off, empty where there is none."""
        return _mean_text(self.line(learner))

    def group(self, learner: str) -> list[str]:
        """The lines of a learner's group in which anything counts, in the order of lines."""
        own = self.groups.get(learner, "")
        same = (each for each in self.learners if self.groups.get(each, "") == own)
        return [each for each in same if self.line(each)]

    def common(self, learner: str) -> list[str]:
        """The instances that count in every line of a learner's group."""
        counted = [{cell.instance for cell in self.line(each)} for each in self.group(learner)]
        return [name for name in self.instances if counted and all(name in c for c in counted)]

    def common_line(self, learner: str) -> list[Cell]:
        """A learner's cells there."""
        shared = self.common(learner)
        return [cell for cell in self.line(learner) if cell.instance in shared]

    def common_mean(self, learner: str) -> float:
        """The geometric mean there, which compares with that of other lines of the group."""
        return _geometric_mean(self.common_line(learner))

    def common_text(self, learner: str) -> str:
        """The same as a text: a lower bound where runs were cut off, empty where there is none."""
        return _mean_text(self.common_line(learner))

    def errors(self, learner: str) -> tuple[int, int]:
        """Wrong answers and runs, where a learner's theorem holds."""
        line = self.line(learner)
        return sum(cell.wrong for cell in line), sum(cell.runs for cell in line)

    def errors_text(self, learner: str) -> str:
        """The same with the interval of Clopper and Pearson; empty where there is no run."""
        wrong, runs = self.errors(learner)
        if not runs:
            return ""
        found = failure_interval(wrong, runs)
        return f"{wrong} of {runs} ({found.low:.1%} to {found.high:.1%})"

    def reasons(self) -> list[list[str]]:
        """Learner, reason and instances of what was left out."""
        found: dict[tuple[str, str], list[str]] = {}
        for cell in sorted(self.cells, key=lambda cell: self.learners.index(cell.learner)):
            if cell.left_out:
                found.setdefault((cell.learner, cell.left_out), []).append(cell.instance)
        return [[learner, reason, ", ".join(names)] for (learner, reason), names in found.items()]


def _geometric_mean(cells: Sequence[Cell]) -> float:
    """Of positive multiples; inf without any."""
    values = [cell.value for cell in cells if cell.value > 0.0]
    return float(np.exp(np.log(values).mean())) if values else math.inf


def _mean_text(cells: Sequence[Cell]) -> str:
    """The same as a text: a lower bound where runs were cut off, empty where there is none."""
    value = _geometric_mean(cells)
    sign = ">" if any(cell.unfinished for cell in cells) else ""
    return f"{sign}{short_number(value)}" if math.isfinite(value) else ""
