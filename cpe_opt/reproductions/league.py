r"""Leagues: every learner of a family on every problem, as multiples of a lower bound.

A line of the table is a learner, a column is a problem; a cell is the mean number of samples until
the answer by :math:`T^* \ln(1/\delta)`, or the mean regret by :math:`C^* \ln T`. On average no
algorithm that errs with probability at most delta needs fewer samples than
:math:`T^* \mathrm{kl}(\delta, 1-\delta)` where one answer is right, and
:math:`T^* \mathrm{kl}((1-\delta)/m, \delta)` where it may name any of m right ones, as long as
:math:`(1-\delta)/m \ge \delta`. For delta -> 0 the ratio of learners that track falls to 1, that of
others to a constant above 1. A league may declare another unit where there is no such bound.

A league is declared: its instances with what may be looked for there, its players with what they
are told, and its claims (:class:`League`), whose sentences are in ``pages/claims.md``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.experiments.planning import LearnerSpec, Series
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.learners.dueling.noisy_tournament import NO_WINNER
from cpe_opt.learners.exchange import Exchange
from cpe_opt.reproductions.claims import (
    Claim,
    ConfidenceInterval,
    all_hold,
    errors_claim,
    errors_text,
    interval_claim,
    positive_mean_interval,
    ratio_interval,
    span,
)
from cpe_opt.reproductions.figures import DotLine, draw_dots
from cpe_opt.reproductions.study import (
    FrameTable,
    PageTable,
    Settings,
    Study,
    planned_series,
    play_longest_first,
    read_runs,
)

ABSENT = "–"
_PROVED = ("", NO_WINNER)  # the doubts of answers that count as proved
_NEAR_IN_THE_LIMIT = 2.0
_UNCOVERED = "its theorem does not cover this"
_ENDS = {"multiple": "value", "low": "low", "high": "high"}
_CERTIFIED = 1e-3  # T* is known where its two bounds are as near as this


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
    about: Mapping[str, Any] = field(default_factory=dict)  # columns of the page's table
    horizon: int = 0  # rounds of regret

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
    limits: Limits | Callable[[LeagueInstance], Limits] = Limits()
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
        problem = self.faces(instance.problem)
        parameters = self.parameters(instance.problem, delta)
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
    runs: int = 10  # of a full league; a quick one has 3
    samples: str = "duels"  # what observations are called
    answer: str = "winner"  # what is looked for
    delta: float = 0.05  # the probability of an error that is allowed
    unit: str = ""  # what samples are counted in, where that is not T* ln(1/delta)
    regret: bool = False  # whether it is measured; else players stop by themselves
    bounded: str = ""  # where T* bounds the mean number of samples, in words
    # Lines that are claimed to be within so many times their bound, and to need the least of those
    # alike; to need these shares of others' samples, on instances whose names begin so; that all
    # others are claimed to be below; whose multiples are claimed to fall to 1 with delta, and at
    # 1e-20 to this share of that at 0.1.
    near: Sequence[str] = ()
    within: float = 10.0
    ahead: Sequence[str] = ()
    shares: Sequence[tuple[str, Mapping[str, float]]] = ()
    shares_on: str = ""
    chance: str = ""
    falling: Sequence[str] = ()
    falls_to: float = 0.9
    # The lines, columns and runs of the curves by delta.
    curved: Sequence[str] = ()
    curved_on: Sequence[str] = ()
    curve_runs: int = 5
    marked: Sequence[str] = ()  # columns where the bound says nothing yet
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
        goal, limits, horizon = instance.goals[player.goal], player.limits, None
        limits = limits if isinstance(limits, Limits) else limits(instance)
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
            spec, horizon = player.spec, instance.horizon // limits.share
            cell = replace(cell, bound=goal.unit * math.log(horizon), short=limits.share > 1)
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


@dataclass(frozen=True, eq=False)
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

    def within(self, high: float) -> bool | None:
        """Whether the mean is at most this; runs that were cut off only show that it is more."""
        held = self.mean.within(high=high)
        return None if held and self.unfinished else held

    def at_most(self, share: float, other: LeagueCell) -> bool | None:
        """Whether it needs at most this share of another; None where cut runs leave it open."""
        held = self.times(other).within(high=share)
        # Runs that were cut off are a lower bound.
        cut = (held and self.unfinished) or (held is False and other.unfinished)
        return None if cut else held

    @property
    def where(self) -> str:
        """Whose it is, and on what."""
        return f"{self.learner} on {self.instance}"

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
            return "out" if self.slow else ABSENT
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


# By learner and instance, the cells by the probability of an error, largest first.
Curves: TypeAlias = Mapping[tuple[str, str], Sequence[LeagueCell]]


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

    def judged(self, learner: str) -> list[LeagueCell]:
        """Those that claims are about: of several runs, to the horizon of their instance."""
        return [cell for cell in self.line(learner) if cell.runs > 1 and not cell.short]

    def common(self, learner: str) -> list[LeagueCell]:
        """A learner's cells on the instances that count in every line of its group."""
        group = self.of(learner)[0].group
        lines = [self.line(each) for each in self.learners if self.of(each)[0].group == group]
        counted = [{cell.instance for cell in line} for line in lines if line]
        return [c for c in self.line(learner) if all(c.instance in each for each in counted)]

    def rivals(self, cell: LeagueCell) -> list[LeagueCell]:
        """What the other lines of its group that look for the same have on its instance."""
        found = (self.cell(each, cell.instance) for each in self.learners if each != cell.learner)
        alike = (cell.group, cell.looks_for)
        return [each for each in found if each.counts and (each.group, each.looks_for) == alike]

    def errors(self, learner: str) -> tuple[int, int]:
        """Wrong answers and runs, where a learner's theorem holds."""
        line = self.line(learner)
        return sum(cell.wrong for cell in line), sum(cell.runs for cell in line)


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


@dataclass(frozen=True, eq=False)
class Played:
    """A league whose runs are finished."""

    league: League
    table: LeagueTable
    curves: Curves


def play_leagues(leagues: Sequence[League], settings: Settings) -> list[Played]:
    """All runs: the tables and the curves by delta."""
    plans = [league.plan(settings) for league in leagues]
    cells = [cell for plan in plans for part in plan for cell in part]
    play_longest_first([each.series for each in cells if each.series is not None], settings)
    played = []
    for league, (planned, curved) in zip(leagues, plans, strict=True):
        curves = dict[tuple[str, str], list[LeagueCell]]()
        for cell in curved:
            if cell.series is not None:
                curves.setdefault((cell.learner, cell.instance), []).append(cell.played())
        played.append(Played(league, table_of(planned), curves))
    return played


# Claims


def league_claims(played: Played) -> list[Claim]:
    """Errors, the least mean number of samples, what the league declares, and the limit."""
    league, table = played.league, played.table
    found = [] if league.regret else [errs_as_allowed(league, table)]
    if league.bounded:
        found.append(none_below(league, table))
    found += [near_the_bound(league, table, name) for name in league.near]
    found += [fewer_than_all(league, table, name) for name in league.ahead]
    found += [share_of(league, table, name, shares) for name, shares in league.shares]
    if league.chance:
        found.append(all_below(table, league.chance))
    for name in league.falling:
        found += curve_claims(played.curves, name, league.samples, league.falls_to)
    return found


def errs_as_allowed(league: League, table: LeagueTable) -> Claim:
    """Whether anybody errs more often than promised, over all instances of its theorem."""
    found = {name: table.errors(name) for name in table.learners if table.line(name)}
    words = {"delta": league.delta, "answer": league.answer}
    return errors_claim("errors", found, [league.delta] * len(found), **words)


def least_multiple(winners: int, delta: float) -> float:
    """What no algorithm needs less than on average, by T* ln(1/delta)."""
    named = (1.0 - delta) / winners
    if named <= delta:
        return 0.0
    gained = named * math.log(named / delta)
    return (gained + (1.0 - named) * math.log((1.0 - named) / (1.0 - delta))) / -math.log(delta)


def none_below(league: League, table: LeagueTable) -> Claim:
    """Whether somebody loses or needs less than can be, on average, where there is a bound."""
    judged = [c for name in table.learners for c in table.judged(name)]
    judged = [c for c in judged if c.instance not in league.marked]
    if league.regret:
        least = dict.fromkeys(judged, 1.0)
    else:
        bound = [c for c in judged if c.goal.winners]
        least = {c: least_multiple(c.goal.winners, c.delta) for c in bound}
    below = [c for c, value in least.items() if c.mean.high < value and not c.unfinished]
    texts = [f"{len(below)} of {len(least)} are", *(f"{c.where} {c.mean_text}" for c in below)]
    several = ", or T* kl((1 - delta)/m, delta) where any of m answers is right"
    words = {
        "samples": league.samples,
        "where": league.bounded,
        "several": several if any(c.goal.winners > 1 for c in least) else "",
    }
    name = "no-less" if league.regret else "least"
    return Claim(name, "; ".join(texts), not below if least else None, words)


def near_the_bound(league: League, table: LeagueTable, learner: str) -> Claim:
    """Whether a learner that tracks comes near its bound."""
    line = [cell for cell in table.judged(learner) if cell.instance not in league.marked]
    words = {"learner": learner, "high": league.within}
    name = "near-the-bound" if league.regret else "near"
    if not line:
        return Claim(name, "no run is long enough", None, words)
    worst = max(line, key=lambda cell: cell.mean.high)
    average = f"{geometric_mean(line):.1f} on (geometric) average"
    ours = f"{average}, at most {worst.mean_text}, on {worst.instance}"
    return Claim(name, ours, all_hold(cell.within(league.within) for cell in line), words)


def fewer_than_all(league: League, table: LeagueTable, learner: str) -> Claim:
    """Whether a learner needs less than all others that look for the same."""
    pairs = [
        (cell, min(rivals, key=lambda each: (each.unfinished > 0, each.value)), 1.0)
        for cell in table.judged(learner)
        if (rivals := table.rivals(cell))
    ]
    return _shares("ahead", pairs, learner=learner, samples=league.samples)


def share_of(
    league: League, table: LeagueTable, learner: str, others: Mapping[str, float]
) -> Claim:
    """Whether a learner needs at most these shares of what others need, everywhere."""
    only = league.shares_on
    pairs = [
        (cell, rival, share)
        for other, share in others.items()
        for rival in table.judged(other)
        for cell in table.judged(learner)
        if cell.instance == rival.instance and cell.instance.startswith(only)
    ]
    shares = [f"{share:.3g} of {n}'s" if share < 1.0 else f"{n}'s" for n, share in others.items()]
    words = {"shares": ", ".join(shares), "samples": league.samples, "learner": learner}
    return _shares("share", pairs, instances=f"instance {only}-…" if only else "instance", **words)


def all_below(table: LeagueTable, chance: str) -> Claim:
    """Whether every learner has less than one that draws at random, which runs everywhere."""
    cells = [c for name in table.learners if name != chance for c in table.judged(name)]
    return _shares("beats-all", [(cell, table.cell(chance, cell.instance), 1.0) for cell in cells])


def _shares(
    claim: str, pairs: Sequence[tuple[LeagueCell, LeagueCell, float]], **words: Any
) -> Claim:
    """That each cell is at most a share of another one."""
    if not pairs:
        return Claim(claim, "there is no other", None, words)
    held = [cell.at_most(share, other) for cell, other, share in pairs]
    ratios = [cell.times(other) for cell, other, _ in pairs]
    worst = max(range(len(pairs)), key=lambda n: ratios[n].value / pairs[n][2])
    text = f"so in {held.count(True)} of {len(pairs)} cells, not so in {held.count(False)}"
    most = f"at most {ratios[worst].text('.3f')} times {pairs[worst][1].learner}"
    return Claim(claim, f"{text}; {most}: {pairs[worst][0].where}", all_hold(held), words)


def curve_claims(
    curves: Curves, tracker: str, samples: str = "duels", falls_to: float = 0.5
) -> list[Claim]:
    """Whether a tracker's ratio falls, to at most this share, and how near 1 it comes."""
    lines = {where: line for (learner, where), line in curves.items() if learner == tracker}
    if not lines:
        return []
    ratios = {f"{n} to": ratio_interval(c[-1].values, c[0].values) for n, c in lines.items()}
    ends = {name: line[-1].mean for name, line in lines.items()}
    style: dict[str, Any] = {"here": "{} of it", "between": " of it, ", "high": falls_to}
    return [
        interval_claim("falls", ratios, ".2f", **style, learner=tracker, samples=samples),
        interval_claim("limit", ends, ".1f", high=_NEAR_IN_THE_LIMIT),
    ]


# The values of the page


def league_study(
    name: str, leagues: Callable[[Settings], Sequence[League]], *, needs: str = ""
) -> Study:
    """A study of leagues; names of values of all but the first one end with the league's name."""

    def values(settings: Settings) -> dict[str, Any]:
        import pandas as pd

        played = play_leagues(leagues(settings), settings)
        cells = pd.DataFrame([row for each in played for row in _cells(each)]).round({"seconds": 2})
        ran, out = cells[cells["runs"] > 0].drop(columns="left_out"), cells[cells["left_out"] != ""]
        write_parquet(ran, settings.file(".parquet"))
        first, line = played[0].league, ["league", "learner"]
        reasons = out.groupby([*line, "left_out"], sort=False)[["instance"]].agg(", ".join)
        found: dict[str, Any] = {
            "claims": [claim for each in played for claim in league_claims(each)],
            "picture": draw_leagues(settings.file(".png"), played),
            "goals": FrameTable(pd.DataFrame(_goals(first))),
            "left_out": FrameTable(reasons) if len(out) else None,
            "runs": FrameTable(ran.groupby(line, sort=False)[["runs", "seconds"]].agg(span)),
        }
        for each in played:
            league, end = each.league, "" if each.league is first else f"-{each.league.name}"
            about = ({"name": instance.name, **instance.about} for instance in league.instances)
            found |= {
                f"league{end}": league,
                f"instances{end}": FrameTable(pd.DataFrame(about)),
                f"table{end}": table_of_cells(league, each.table),
                f"curves{end}": curve_table(each.curves) if each.curves else None,
            }
        return found

    return Study(name, values, needs)


def draw_leagues(path: Path, played: Sequence[Played]) -> Path:
    """A line for each learner, a dot for each instance, by the multiple of the bound."""
    panels = {}
    for each in played:
        league, table = each.league, each.table
        kinds = {instance.name: instance.kind for instance in league.instances}
        panels[league.picture] = [
            DotLine(
                learner,
                table.of(learner)[0].group,
                [
                    (c.value, kinds[c.instance] if c.covered else _UNCOVERED, c.unfinished > 0)
                    for c in table.of(learner)
                    if c.amounts
                ],
                geometric_mean(table.line(learner)),
                mean_text(table.line(learner)),
            )
            for learner in table.learners
            if any(cell.amounts for cell in table.of(learner))
        ]
    unit = played[0].league.unit or "multiple of the bound"
    return draw_dots(path, panels, unit, pale=_UNCOVERED)


def table_of_cells(league: League, table: LeagueTable) -> PageTable:
    """Cells as texts, in brackets where no theorem covers them; a dagger on marked columns."""
    names = [f"{name}†" if name in league.marked else name for name in table.instances]
    judged = not league.regret
    head = ["learner", *names, "typical", "instances", "common"] + ["wrong (95 %)"] * judged
    rows: list[list[object]] = []
    for learner in table.learners:
        counted, line, errors = table.line(learner), table.of(learner), table.errors(learner)
        texts = [f"({c.text})" if c.amounts and not c.covered else c.text for c in line]
        means = [mean_text(counted), len(counted), mean_text(table.common(learner))]
        wrong = [errors_text(*errors) if errors[1] else ""] * judged
        rows.append([learner, *texts, *means, *wrong])
    return PageTable(head, rows)


def curve_table(curves: Curves) -> PageTable:
    """One row per curve, one column per probability; a learner may refuse large ones."""
    deltas = sorted({cell.delta for line in curves.values() for cell in line}, reverse=True)
    rows = []
    for (learner, instance), line in sorted(curves.items(), key=lambda item: item[0][::-1]):
        texts = {cell.delta: cell.text for cell in line}
        rows.append([instance, learner, *(texts.get(delta, ABSENT) for delta in deltas)])
    return PageTable(["instance", "learner", *(f"{d:.0e}" for d in deltas)], rows)


def _goals(league: League) -> Iterable[dict[str, Any]]:
    """What may be looked for on each instance, and its T*, or bounds of it."""
    for instance in league.instances:
        for name, goal in instance.goals.items():
            known = goal.upper <= goal.unit * (1.0 + _CERTIFIED)
            time = f"{goal.unit:,.6g}" if known else f"{goal.unit:,.4g} to {goal.upper:,.4g}"
            unit = short_number(goal.unit * math.log(1.0 / league.delta))
            yield {"instance": instance.name, "goal": name, "time": time, "unit": unit}


def _cells(played: Played) -> Iterable[dict[str, Any]]:
    """Every cell, with the name of the league, and who does not play at all."""
    said = ("learner", "instance", "runs", "unfinished", "wrong", "covered", "seconds", "left_out")
    for cell in played.table.cells:
        mean = {n: getattr(cell.mean, e) if cell.amounts else math.nan for n, e in _ENDS.items()}
        yield {"league": played.league.name, **mean, **{n: getattr(cell, n) for n in said}}
    for name, why in played.league.exceptions.items():
        nobody = {"league": played.league.name, "learner": name, "instance": "all", "runs": 0}
        yield {**nobody, "left_out": why}
