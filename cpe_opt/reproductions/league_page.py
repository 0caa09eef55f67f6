"""A league of one family: its learners and problems, its claims, and its page.

A learner that does not accept a problem says so when it is opened on it: its error is the reason on
the page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cpe_opt.errors import InputError
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.learners.exchange import Exchange
from cpe_opt.problems.problem import Problem
from cpe_opt.reproductions.claims import Claim
from cpe_opt.reproductions.league import (
    BINDING,
    FALLING,
    Cell,
    Curves,
    Table,
    cells_frame,
    curve_claims,
    curve_section,
    curves_of,
    errs_as_allowed,
    in_short,
    least_multiple,
    levels,
    no_fewer,
    runs_section,
    short_number,
    stopping_series,
    table_of,
    table_section,
)
from cpe_opt.reproductions.league_picture import Heading, draw_league
from cpe_opt.reproductions.regret import play_longest_first
from cpe_opt.reproductions.study import Section, Settings, Study

_FALLS_TO = 0.9  # trackers of these families are near T* ln(1/delta) from the start
_CERTIFIED = 1e-3  # T* is known where its two bounds are as near as this


@dataclass(frozen=True)
class Goal:
    """What may be looked for on a task, and the least it costs."""

    answer: tuple[float, ...]  # the only right one
    time: float  # T*, or a bound of it from below
    upper: float  # T*, or a bound of it from above
    # whether nobody can need less than T* kl(delta, 1 - delta) on average there
    binding: bool = True

    def right(self, answer: Any) -> bool:
        """Whether an answer, as it is read from a file, is the right one."""
        return answer is not None and tuple(answer) == self.answer


@dataclass(frozen=True, eq=False)
class Task:
    """A problem of a league: its kind, and its goals by their names."""

    problem: Problem
    kind: str
    goals: Mapping[str, Goal]

    @property
    def name(self) -> str:
        """That of the problem."""
        return self.problem.name


@dataclass(frozen=True, eq=False)
class Player:
    """A learner of a league, under the name of its line."""

    spec: LearnerSpec
    goal: str  # what it looks for
    group: str  # the words for lines that stand together
    # the parameters that depend on the problem
    told: Callable[[Any], Mapping[str, Any]] = lambda problem: {}
    max_samples: int = 10**7  # after how many samples a run is cut off
    runs: int | None = None  # how many at most; None: as many as of others

    @property
    def name(self) -> str:
        """Of its line."""
        return self.spec.name

    def parameters(self, problem: Problem, delta: float) -> dict[str, Any]:
        """All of them."""
        return {**self.spec.parameters, **self.told(problem), "delta": delta}

    def left_out(self, task: Task, delta: float) -> str:
        """Why it is not run on a task, as it says itself when opened there; empty if it is."""
        goal = task.goals[self.goal]
        if not 0.0 < goal.time < math.inf:
            return f"T* is {goal.time:g}"
        parameters = self.parameters(task.problem, delta)
        try:
            Exchange(self.spec.function, task.problem.known, **parameters).close()
        except InputError as error:
            return str(error)
        return ""

    def planned(self, task: Task, settings: Settings, runs: int, delta: float) -> Cell:
        """The runs on a task; none where it is left out."""
        goal, reason = task.goals[self.goal], self.left_out(task, delta)
        cell = Cell(self.name, task.name, covered=True, left_out=reason, group=self.group)
        if reason:
            return cell
        series = stopping_series(
            self.spec,
            task.problem,
            self.parameters(task.problem, delta),
            max_samples=self.max_samples,
            runs=min(runs, self.runs or runs),
            settings=settings,
        )
        bound = goal.time * math.log(1.0 / delta)
        return replace(cell, bound=bound, series=series, right=goal.right, delta=delta)


@dataclass(frozen=True, eq=False)
class League:
    """The learners and problems of a league, and the texts of its page."""

    setting: str  # how it is played
    text: str  # what the numbers are
    picture: str  # the title of the picture
    notes: Sequence[str]  # below the picture
    samples: str  # what observations are called
    answer: str  # what is looked for
    delta: float
    tasks: Sequence[Task]  # by their kinds
    players: Sequence[Player]  # by their groups
    runs: int  # of a full league; a quick one has 3
    trackers: Sequence[str]  # lines that are made to reach T*
    curved: Sequence[str]  # lines of the curves by delta
    curved_on: Sequence[str]  # columns of these
    further: Callable[[Table], list[Claim]] = lambda table: []  # more claims, from the table
    marked: Sequence[str] = ()  # whose columns have a dagger
    # learners of the family that do not play
    exceptions: Mapping[str, str] = field(default_factory=dict)

    @property
    def binding(self) -> bool:
        """Whether T* kl(delta, 1 - delta) bounds anybody anywhere."""
        return any(goal.binding for task in self.tasks for goal in task.goals.values())


@dataclass(frozen=True, eq=False)
class Played:
    """A league whose runs are finished."""

    league: League
    table: Table
    curves: Curves


def play_league(league: League, settings: Settings) -> Played:
    """All runs: the table, and the curves by delta."""
    planned = [
        player.planned(task, settings, settings.choose(3, league.runs), league.delta)
        for player in league.players
        for task in league.tasks
    ]
    curved = [
        player.planned(task, settings, settings.choose(2, 5), delta)
        for player in league.players
        if player.name in league.curved
        for task in league.tasks
        if task.name in league.curved_on
        for delta in levels(settings)
    ]
    play_longest_first([s for each in (*planned, *curved) if (s := each.series)], settings)
    played = Played(league, table_of(planned), curves_of(curved))
    write_parquet(cells_frame({settings.name: played.table}), settings.file(".parquet"))
    return played


def league_claims(played: Played) -> list[Claim]:
    """Errors, the least mean number of samples, the family's own claims, and the limit."""
    league, table = played.league, played.table
    goals = {player.name: player.goal for player in league.players}
    tasks = {task.name: task for task in league.tasks}

    def least(learner: str, instance: str) -> float | None:
        binding = tasks[instance].goals[goals[learner]].binding
        return least_multiple(1, league.delta) if binding else None

    found = [errs_as_allowed(table, league.delta, league.answer)]
    if league.binding:
        published = (
            f"No algorithm needs fewer {league.samples} on average than T* kl(delta, 1 - delta)"
        )
        criterion = f"no 95 % interval of mean {league.samples} is below it, where noise is normal"
        found.append(no_fewer(table, least, published, criterion))
    found += league.further(table)
    for tracker in league.trackers:
        found += curve_claims(played.curves, tracker, league.samples, _FALLS_TO)
    return found


def _sections(settings: Settings, played: Played) -> list[Section]:
    league, table = played.league, played.table
    samples = league.samples.capitalize()
    reasons = [*table.reasons(), *([*each, "all"] for each in league.exceptions.items())]
    instances: list[list[object]] = []
    for task in league.tasks:
        for name, goal in task.goals.items():
            known = goal.upper <= goal.time * (1.0 + _CERTIFIED)
            time = f"{goal.time:,.6g}" if known else f"{goal.time:,.4g} to {goal.upper:,.4g}"
            unit = short_number(goal.time * math.log(1.0 / league.delta))
            instances.append([task.name, name, time, unit])
    log = f"T* ln(1/delta) at {league.delta}"
    return [
        table_section(
            f"{samples} until the answer", league.text, table, league.marked, errors=True
        ),
        curve_section(f"{samples} by T* ln(1/delta)", played.curves),
        Section("Instances", "", ("instance", "looked for", "T*", log), instances),
        Section(
            "Left out",
            "Learners that were not run, by what they say themselves or by the tables of the "
            "league."
            if reasons
            else "None: every learner was run on every instance.",
            ("learner", "reason", "instances"),
            reasons,
        ),
        runs_section({settings.name: table}),
    ]


def _opening(settings: Settings, played: Played) -> list[Section]:
    league = played.league
    heading = Heading(
        league.picture,
        {player.name: player.group for player in league.players},
        {task.name: task.kind for task in league.tasks},
        marked=league.marked,
        notes=league.notes,
        errors=True,
        curves=FALLING + (BINDING if league.binding else ""),
    )
    picture = draw_league(played.table, heading, settings.file(".png"), played.curves)
    title = f"Who needs the fewest {league.samples}"
    return [Section(title, in_short(played.table), picture=picture)]


def league_study(name: str, title: str, source: str, league: Callable[[], League]) -> Study[Played]:
    """The study of a league."""
    return Study(
        name,
        title,
        source,
        measure=lambda settings: play_league(league(), settings),
        setting=lambda settings, played: played.league.setting,
        claims=league_claims,
        sections=_sections,
        opening=_opening,
    )
