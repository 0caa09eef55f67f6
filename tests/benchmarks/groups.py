"""The groups of rows, in the order of the page."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.benchmarks import (
    bars,
    boards,
    command_line,
    identification,
    implementations,
    learners,
    lower_bounds,
    oracles,
    programs,
)


@dataclass(frozen=True)
class Group:
    """``rows(settings)`` yields the rows; its docstring says what they mean."""

    rows: Callable
    title: str
    long: bool = False

    @property
    def name(self):
        return self.rows.__name__


GROUPS = (
    Group(bars.small, "Bars: 16 arms"),
    Group(bars.horizons, "Bars: ten times the horizon"),
    Group(bars.large, "Bars: up to 136 arms", long=True),
    Group(bars.experiments, "Bars: 100,000 runs", long=True),
    Group(boards.boards, "Bars: leaderboards of two million votes", long=True),
    Group(identification.proofs, "Bars: proofs"),
    Group(identification.duels, "Bars: duels to a proof"),
    Group(identification.normal_strengths, "Bars: duels to a proof with many arms"),
    Group(implementations.implementations, "Beside C++"),
    Group(lower_bounds.bounds, "The lower bound by cuts"),
    Group(lower_bounds.growth, "The lower bound up to 512 arms", long=True),
    Group(lower_bounds.growth_of_compact, "The compact program up to 512 arms", long=True),
    Group(lower_bounds.resolves, "Re-solves"),
    Group(learners.sushi, "Learners on sushi"),
    Group(learners.many_arms, "500 arms"),
    Group(learners.idle_stretches, "Idle stretches"),
    Group(learners.races, "Races in batches"),
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
