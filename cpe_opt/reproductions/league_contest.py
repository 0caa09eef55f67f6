"""A league of learners that identify something, of one family: who plays, and on what.

A column is a task, a line a player; a cell the mean number of samples until the answer, by
T* ln(1/delta) of what the player looks for. Who cannot face a task says so itself, when it is
opened there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cpe_opt.errors import InputError
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.learners.exchange import Exchange
from cpe_opt.problems.problem import Problem
from cpe_opt.reproductions.league_table import Table
from cpe_opt.reproductions.page import Claim


@dataclass(frozen=True)
class Goal:
    """What may be looked for on a task, and the least it costs.

    Attributes
    ----------
    answer : tuple
        The only right one.
    time : float
        T*, or a bound of it from below.
    upper : float
        A bound of it from above: the same where T* is known.
    binding : bool
        Whether nobody can need less than T* kl(delta, 1 - delta) on average there.
    """

    answer: tuple[float, ...]
    time: float
    upper: float
    binding: bool = True

    def right(self, answer: Any) -> bool:
        """Whether an answer, as it is read from a file, is the right one."""
        return answer is not None and tuple(answer) == self.answer


@dataclass(frozen=True, eq=False)
class Task:
    """A problem of a league.

    Attributes
    ----------
    problem : Problem
    kind : str
        Of problems that stand side by side.
    goals : mapping of names to Goal
    """

    problem: Problem
    kind: str
    goals: Mapping[str, Goal]

    @property
    def name(self) -> str:
        """That of the problem."""
        return self.problem.name


@dataclass(frozen=True, eq=False)
class Player:
    """A learner of a league, under the name of its line.

    Attributes
    ----------
    spec : LearnerSpec
    goal : str
        What it looks for.
    group : str
        The words for lines that stand together.
    told : callable
        The parameters that depend on the problem.
    most : int
        After how many samples a run is cut off.
    runs : int or None
        How many at most; None: as many as of others.
    proofs : sequence of str
        As for :class:`IdentificationRuns`.
    """

    spec: LearnerSpec
    goal: str
    group: str
    told: Callable[[Any], Mapping[str, Any]] = lambda problem: {}
    most: int = 10**7
    runs: int | None = None
    proofs: Sequence[str] = ("",)

    @property
    def name(self) -> str:
        """Of its line."""
        return self.spec.name

    def parameters(self, problem: Problem, delta: float) -> dict[str, Any]:
        """All of them."""
        return {**self.spec.parameters, **self.told(problem), "delta": delta}

    def left_out(self, task: Task, delta: float) -> str:
        """Why it is not run on a task; empty if it is."""
        goal = task.goals[self.goal]
        if not 0.0 < goal.time < math.inf:
            return f"T* is {goal.time:g}"
        parameters = self.parameters(task.problem, delta)
        try:
            Exchange(self.spec.function, task.problem.known, **parameters).close()
        except InputError as error:
            return str(error)
        return ""


@dataclass(frozen=True, eq=False)
class Contest:
    """A league: who plays on what, and what is said of it.

    Attributes
    ----------
    title, source, setting, text : str
        Of its page.
    picture : str
        The title of its picture.
    notes : sequence of str
        Below the picture.
    samples : str
        What observations are called, and ``answer`` what is looked for.
    delta : float
    tasks : sequence of Task
        By their kinds.
    players : sequence of Player
        By their groups.
    runs : int
        Of a full league; a quick one has 3.
    trackers, curved, curved_on : sequence of str
        Lines that are made to reach T*; those of the curves by delta; the columns of these.
    further : callable
        More claims, from the table.
    marked : names of tasks
        Whose columns have a dagger.
    exceptions : mapping of learner to reason
        Learners of the family that do not play.
    """

    title: str
    source: str
    setting: str
    text: str
    picture: str
    notes: Sequence[str]
    samples: str
    answer: str
    delta: float
    tasks: Sequence[Task]
    players: Sequence[Player]
    runs: int
    trackers: Sequence[str]
    curved: Sequence[str]
    curved_on: Sequence[str]
    further: Callable[[Table], list[Claim]] = lambda table: []
    marked: Sequence[str] = ()
    exceptions: Mapping[str, str] = field(default_factory=dict)

    @property
    def binding(self) -> bool:
        """Whether T* kl(delta, 1 - delta) bounds anybody anywhere."""
        return any(goal.binding for task in self.tasks for goal in task.goals.values())
