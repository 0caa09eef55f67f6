r"""Leagues: every learner of a family on every problem, as multiples of a lower bound.

A line of the table is a learner, a column is a problem; a cell is the mean number of samples until
the answer by :math:`T^* \ln(1/\delta)`, or the mean regret by :math:`C^* \ln T`. On average no
algorithm that errs with probability at most delta needs fewer samples than
:math:`T^* \mathrm{kl}(\delta, 1-\delta)` where one answer is right, and
:math:`T^* \mathrm{kl}((1-\delta)/m, \delta)` where it may name any of m right ones, as long as
:math:`(1-\delta)/m \ge \delta`. For delta -> 0 the ratio of learners that track falls to 1, that of
others to a constant above 1. A league may declare another unit where there is no such bound.

A league is declared: its instances with what may be looked for there, its players with what they
are told, and its claims (:class:`League`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.experiments.planning import LearnerSpec, Series
from cpe_opt.learners.dueling.noisy_tournament import NO_WINNER
from cpe_opt.learners.exchange import Exchange
from cpe_opt.reproductions.claims import (
    ConfidenceInterval,
    errors_text,
    positive_mean_interval,
    ratio_interval,
)
from cpe_opt.reproductions.rows import planned_series, read_runs
from cpe_opt.reproductions.study import PageTable, Settings

LEFT_OUT, ABSENT = "out", "–"
_PROVED = ("", NO_WINNER)  # the doubts of answers that count as proved


# What is declared


@dataclass(frozen=True)
class Target:
    """What may be looked for on an instance, and the least it costs."""

    unit: float  # T* or C*, or a bound of it from below
    right: Callable[[Any], bool] | None = None  # whether an answer is; None: regret is measured
    upper: float = math.inf  # the same, or a bound of it from above
    winners: int = 0  # right answers; 0 where the unit bounds no mean number of samples
    missing: str = ""  # why nothing can be looked for


def answer_is(only: Sequence[float]) -> Callable[[Any], bool]:
    """Whether an answer, as it is read from a file, is the only right one."""
    return lambda answer: answer is not None and tuple(answer) == tuple(only)


@dataclass(frozen=True, eq=False)
class LeagueInstance:
    """A problem of a league, its kind, and its goals by their names."""

    problem: Any
    kind: str
    goals: Mapping[str, Target]
    label: str = ""  # in pictures, where it is not the name

    @property
    def name(self) -> str:
        """The problem's name."""
        return str(self.problem.name)


@dataclass(frozen=True)
class Limits:
    """What a player may use at most on an instance."""

    samples: int = 10**7  # a run is cut off after so many
    runs: int = 10**6
    share: int = 1  # the rounds of regret are divided by this
    too_slow: str = ""  # why it does not play there


@dataclass(frozen=True, eq=False)
class Player:
    """A learner of a league, under the name of its line."""

    spec: LearnerSpec
    goal: str  # what it looks for
    group: str  # the words for lines that stand together
    # the parameters that depend on the problem
    told: Callable[[Any], Mapping[str, Any]] = lambda problem: {}
    limits: Callable[[LeagueInstance], Limits] = lambda instance: Limits()
    # whether its theorem covers an instance
    covers: Callable[[LeagueInstance], bool] = lambda instance: True
    # what it is run on, made from the problem
    faces: Callable[[Any], Any] = lambda problem: problem

    @property
    def name(self) -> str:
        """The name of its line."""
        return self.spec.name

    def parameters(self, problem: Any, delta: float) -> dict[str, Any]:
        """All of them, with which it identifies."""
        return {**self.spec.parameters, **self.told(problem), "delta": delta}

    def refusal(self, instance: LeagueInstance, delta: float) -> str:
        """Why it does not accept the problem, as it says itself when opened on it, or empty."""
        parameters = self.parameters(instance.problem, delta)
        problem = self.faces(instance.problem)
        cells = getattr(problem, "cells", None)
        try:
            Exchange(self.spec.function, problem.known, cells=cells, **parameters).close()
        except InputError as error:
            return str(error)
        return ""


@dataclass(frozen=True, eq=False)
class League:
    """Who plays on what, and what is claimed; most of it is declared in a file of ``pages``."""

    name: str  # in tables
    instances: Sequence[LeagueInstance]  # by their kinds
    players: Sequence[Player]  # by their groups
    picture: str = ""  # the title of the picture
    note: str = ""  # a sentence below the picture, before what its signs mean
    runs: int = 10  # of a full league; a quick one has 3
    samples: str = "duels"  # what observations are called
    answer: str = "winner"  # what is looked for
    delta: float = 0.05  # the probability of an error that is allowed
    unit: str = ""  # what samples are counted in, where that is not T* ln(1/delta)
    # by instance: the rounds of regret; empty where players stop by themselves
    horizons: Mapping[str, int] = field(default_factory=dict)
    bounded: str = ""  # where T* bounds the mean number of samples, in words
    # Lines that are claimed to be near their bound, and to need the least of those alike; to need
    # these shares of others' samples, on instances whose names begin so; whose multiples are
    # claimed to fall to 1 with delta, and at 1e-20 to this share of that at 0.1.
    near: Sequence[str] = ()
    ahead: Sequence[str] = ()
    shares: Sequence[tuple[str, Mapping[str, float]]] = ()
    shares_on: str = ""
    falling: Sequence[str] = ()
    falls_to: float = 0.9
    # The lines, columns and runs of the curves by delta.
    curved: Sequence[str] = ()
    curved_on: Sequence[str] = ()
    curve_runs: int = 5
    budgeted: Player | None = None  # one that proves nothing
    budget_of: str = ""  # the line whose mean number of samples is its budget
    marked: Sequence[str] = ()  # whose columns have a dagger
    about: PageTable | None = None  # the table of its instances, if not that of their goals
    exceptions: Mapping[str, str] = field(default_factory=dict)  # who does not play, and why

    def plan(self, settings: Settings) -> tuple[list[LeagueCell], list[LeagueCell]]:
        """The cells of the table and of the curves, not yet played."""
        runs, few = settings.choose(3, self.runs), settings.choose(2, self.curve_runs)
        table = [
            self._cell(player, instance, settings, runs, self.delta)
            for player in self.players
            for instance in self.instances
        ]
        curves = [
            self._cell(player, instance, settings, few, delta)
            for player in self.players
            if player.name in self.curved
            for instance in self.instances
            if instance.name in self.curved_on
            for delta in levels(settings)
        ]
        return table, curves

    def _cell(
        self, player: Player, instance: LeagueInstance, settings: Settings, runs: int, delta: float
    ) -> LeagueCell:
        """The runs of a player on an instance; none where it is left out."""
        goal, limits, horizon = instance.goals[player.goal], player.limits(instance), None
        reason = goal.missing or limits.too_slow
        if not reason and not 0.0 < goal.unit < math.inf:
            reason = f"the bound is {goal.unit:g}"
        if not reason and goal.right is not None:
            reason = player.refusal(instance, delta)
        slow = bool(limits.too_slow) and not goal.missing
        cell = LeagueCell(
            *(player.name, instance.name, player.covers(instance)),
            left_out=reason, slow=slow, group=player.group, looks_for=player.goal, goal=goal,
            delta=delta,
        )  # fmt: skip
        if reason:
            return cell
        if goal.right is None:
            whole = self.horizons[instance.name]
            spec, horizon = player.spec, whole // limits.share
            cell = replace(cell, bound=goal.unit * math.log(horizon), short=horizon < whole)
        else:
            told = player.parameters(instance.problem, delta) | {"max_samples": limits.samples}
            spec = LearnerSpec(player.spec.learner, told, label=player.name)
            cell = replace(cell, bound=goal.unit * (1.0 if self.unit else math.log(1.0 / delta)))
        faced, regret = player.faces(instance.problem), None if horizon is None else "mean"
        series = planned_series(spec, faced, min(runs, limits.runs), horizon, settings, regret)
        return replace(cell, series=series)


def levels(settings: Settings) -> list[float]:
    """The probabilities of an error of the curves, largest first."""
    return [10.0**-digits for digits in settings.choose((1, 5, 20), (1, 2, 3, 5, 10, 20))]


# What is measured


@dataclass(frozen=True)
class LeagueCell:
    """The runs of a learner on an instance, planned or played, and what it needed."""

    learner: str
    instance: str
    covered: bool  # whether the learner's theorem covers the instance
    # the regret, or the samples, of each run; empty if nothing was run
    amounts: tuple[float, ...] = ()
    bound: float = 1.0  # of the amounts
    left_out: str = ""  # why nothing was run
    unfinished: int = 0  # runs that were cut off, or gave up: their values are lower bounds
    wrong: int = 0  # runs that ended with a wrong answer, said to be proved
    slow: bool = False  # whether the learner is too slow for the instance
    short: bool = False  # whether this learner had a shorter horizon than others
    seconds: float = math.nan  # of a run, on average
    group: str = ""  # what lines that stand together have in common
    looks_for: str = ""  # the name of its goal
    goal: Target = Target(1.0)
    series: Series | None = None  # None where the learner is left out
    delta: float = math.nan  # the probability of an error that is allowed

    def played(self) -> LeagueCell:
        """With what was needed in finished runs; wrong answers are those said to be proved."""
        if self.series is None:
            return self
        runs = read_runs(self.series)
        seconds = float(runs["seconds"].mean())
        if self.goal.right is None:
            return replace(self, amounts=tuple(runs["regret"]), seconds=seconds)
        done = runs[runs["doubt"].isin(_PROVED)]
        return replace(
            self,
            amounts=tuple(runs["samples"]),
            unfinished=len(runs) - len(done),
            wrong=sum(not self.goal.right(answer) for answer in done["answer"]),
            seconds=seconds,
        )

    @property
    def runs(self) -> int:
        """How many."""
        return len(self.amounts)

    @property
    def counts(self) -> bool:
        """Whether it was run, and the learner's theorem covers the instance."""
        return self.covered and bool(self.amounts)

    @property
    def values(self) -> tuple[float, ...]:
        """The multiple of the bound in each run."""
        return tuple(amount / self.bound for amount in self.amounts)

    @cached_property
    def mean(self) -> ConfidenceInterval:
        """The mean of the multiples over runs."""
        return positive_mean_interval(self.values)

    @property
    def value(self) -> float:
        """The mean, NaN if nothing was run."""
        return self.mean.value if self.amounts else math.nan

    def times(self, other: LeagueCell) -> ConfidenceInterval:
        """The ratio of the mean amount to that of another learner."""
        return ratio_interval(self.amounts, other.amounts)

    def at_most(self, share: float, other: LeagueCell) -> bool | None:
        """Whether it needs at most this share of another; None where cut runs leave it open."""
        held = self.times(other).within(high=share)
        # Runs that were cut off are a lower bound.
        cut = (held and self.unfinished) or (held is False and other.unfinished)
        return None if cut else held

    @property
    def mean_text(self) -> str:
        """The mean in two digits, with its interval and the number of runs."""
        if self.runs == 1:
            return f"{short_number(self.value)} (1 run)"
        ends = f"{short_number(self.mean.low)} to {short_number(self.mean.high)}"
        return f"{short_number(self.value)} ({ends}; {self.runs} runs)"

    @property
    def text(self) -> str:
        """As it is written in a picture and in the page's table."""
        if not self.amounts:
            return LEFT_OUT if self.slow else ABSENT
        sign, mark = ">" if self.unfinished else "", "*" if self.short else ""
        wrong = f" {self.wrong}✗" if self.wrong else ""
        return f"{sign}{short_number(self.value)}{mark}{wrong}"


def short_number(value: float) -> str:
    """Two digits: 0.53, 1.7, 24, 1,500, 24k."""
    if value >= 9950.0:
        return f"{value / 1000.0:,.0f}k"
    if value >= 9.95:
        return f"{float(f'{value:.2g}'):,.0f}"
    return f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"


def geometric_mean(cells: Iterable[LeagueCell]) -> float:
    """The geometric mean of positive multiples; inf without any."""
    values = [cell.value for cell in cells if cell.value > 0.0]
    return float(np.exp(np.log(values).mean())) if values else math.inf


def mean_text(cells: Sequence[LeagueCell]) -> str:
    """The geometric mean as a text: a lower bound where runs were cut off, empty without any."""
    value = geometric_mean(cells)
    sign = ">" if any(cell.unfinished for cell in cells) else ""
    return f"{sign}{short_number(value)}" if math.isfinite(value) else ""


@dataclass(frozen=True)
class LeagueTable:
    """Cells by learner and instance."""

    cells: Sequence[LeagueCell]
    # in the order of lines and columns; there may be cells of other instances, left out
    learners: Sequence[str]
    instances: Sequence[str]

    def cell(self, learner: str, instance: str) -> LeagueCell:
        """The one of a learner on an instance."""
        return self._by_key[learner, instance]

    @cached_property
    def _by_key(self) -> dict[tuple[str, str], LeagueCell]:
        return {(cell.learner, cell.instance): cell for cell in self.cells}

    def of(self, learner: str) -> list[LeagueCell]:
        """A learner's cells, in the order of columns."""
        return [self.cell(learner, instance) for instance in self.instances]

    def line(self, learner: str) -> list[LeagueCell]:
        """Those that count: that were run, where the learner's theorem covers the instance."""
        return [cell for cell in self.of(learner) if cell.counts]

    @cached_property
    def groups(self) -> dict[str, list[str]]:
        """The lines in which anything counts, in their order, by the words of their group."""
        found: dict[str, list[str]] = {}
        for learner in self.learners:
            if self.line(learner):
                found.setdefault(self.of(learner)[0].group, []).append(learner)
        return found

    def common(self, learner: str) -> list[LeagueCell]:
        """A learner's cells on the instances that count in every line of its group."""
        group = self.groups.get(self.of(learner)[0].group, [])
        counted = [{cell.instance for cell in self.line(each)} for each in group]
        return [c for c in self.line(learner) if all(c.instance in each for each in counted)]

    def rivals(self, learner: str) -> list[str]:
        """The other lines of its group that look for the same."""
        own = self.of(learner)[0]
        alike = (self.of(each)[0] for each in self.learners if each != learner)
        return [c.learner for c in alike if (c.group, c.looks_for) == (own.group, own.looks_for)]

    def errors(self, learner: str) -> tuple[int, int]:
        """Wrong answers and runs, where a learner's theorem holds."""
        line = self.line(learner)
        return sum(cell.wrong for cell in line), sum(cell.runs for cell in line)

    def errors_text(self, learner: str) -> str:
        """The same with the interval of Clopper and Pearson; empty if there is no run."""
        wrong, runs = self.errors(learner)
        return errors_text(wrong, runs) if runs else ""

    def reasons(self) -> list[list[str]]:
        """Learner, reason and instances of what was left out."""
        found: dict[tuple[str, str], list[str]] = {}
        for cell in sorted(self.cells, key=lambda cell: self.learners.index(cell.learner)):
            if cell.left_out:
                found.setdefault((cell.learner, cell.left_out), []).append(cell.instance)
        return [[learner, reason, ", ".join(names)] for (learner, reason), names in found.items()]


def table_of(planned: Sequence[LeagueCell]) -> LeagueTable:
    """The table of finished runs: by group, in the order of the plan, and best first.

    Columns in which nothing was run are left out.
    """
    cells = [each.played() for each in planned]
    instances = list(dict.fromkeys(cell.instance for cell in cells if cell.amounts))
    groups = {each.learner: each.group for each in planned}
    ranks = list(dict.fromkeys(groups.values()))
    table = LeagueTable(cells, list(groups), instances)
    typical = {name: geometric_mean(table.line(name)) for name in groups}
    order = sorted(groups, key=lambda name: (ranks.index(groups[name]), typical[name]))
    return replace(table, learners=order)
