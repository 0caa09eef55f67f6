r"""The league of answers that are good enough: a margin is allowed, and what it spares is counted.

Duels are asked for a winner within a margin, single rewards for an arm within one. The unit is the
:math:`T^*` with the margin, the least over all answers that are right. For the best of n arms by
single rewards it is that without a margin once the right answer's mean is raised by the margin:
the arm is a wrong answer where another one leads it by more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.formulations.dueling.borda_time import borda_time
from cpe_opt.formulations.dueling.condorcet_time import condorcet_time
from cpe_opt.formulations.dueling.copeland_time import copeland_time
from cpe_opt.formulations.subsets.subset_time import subset_time
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.reproductions.league import (
    League,
    LeagueInstance,
    Limits,
    Player,
    Target,
    league_study,
)
from cpe_opt.reproductions.league_dueling import (
    BORDA,
    CONDORCET,
    COPELAND,
    MANY_ARMS,
    RUNS,
    RUNS_MANY,
)
from cpe_opt.reproductions.study import Settings, built, declared

WITHOUT = ", no margin"  # after the names of lines that are told of none
ARM = "best arm"
_DECLARED = declared("league-margins")
_MAX_SAMPLES = 10**6  # of a run: without a margin some never end


# Instances


def duel_instance(mu: PreferenceMatrix, margin: float) -> LeagueInstance:
    """A matrix with the winners within a margin, and what they cost."""
    winners, borda = mu.copeland_winners_within(margin), mu.borda_winners_within(margin)
    least, exact = copeland_time(mu, margin=margin).value, copeland_time(mu).value
    goals = {
        COPELAND: Target(least, winners.__contains__, winners=len(winners)),
        CONDORCET: _near_the_condorcet_winner(mu, margin),
        BORDA: Target(borda_time(mu, margin=margin).value, borda.__contains__),
    }
    about = {"arms": mu.arms, "margin": margin, "right": len(winners), "least": least}
    kind = "two arms tie" if mu.ties else "no two arms tie"
    return LeagueInstance(mu, kind, goals, about | {"exact": exact})


def _near_the_condorcet_winner(mu: PreferenceMatrix, margin: float) -> Target:
    if mu.condorcet_winner is None:
        return Target(1.0, bool, missing="there is no Condorcet winner to identify")
    right = mu.condorcet_winners_within(margin)
    unit = condorcet_time(mu, margin=margin).value
    return Target(unit, right.__contains__, winners=len(right))


def arm_instance(bandit: SubsetBandit, margin: float) -> LeagueInstance:
    """Arms with single rewards, with T* within a margin."""
    means = np.asarray(bandit.theta)
    right = np.flatnonzero(means >= means.max() - margin - TOLERANCE).tolist()
    times = [subset_time(_raised(bandit, arm, margin), "single") for arm in right]
    exact = subset_time(bandit, "single").value
    goal = Target(
        min(time.bound for time in times),
        lambda answer: answer is not None and len(answer) == 1 and answer[0] in right,
        min(time.value for time in times),
        winners=len(right),
    )
    about = {"arms": len(means), "margin": margin, "right": len(right), "least": goal.upper}
    return LeagueInstance(bandit, "arms", {ARM: goal}, about | {"exact": exact})


def _raised(bandit: SubsetBandit, arm: int, margin: float) -> SubsetBandit:
    """The same arms, of which this one's mean is larger by the margin."""
    means = np.array(bandit.theta, dtype=float)
    means[arm] += margin
    return SubsetBandit(bandit.decisions, means, noise=bandit.noise)


# Players


def players(
    lines: Sequence[Mapping[str, Any]], groups: Mapping[str, str], margins: Mapping[str, float]
) -> list[Player]:
    """The declared lines, told of the margin of each instance unless they are told of none."""

    def player(
        learner: str,
        goal: str,
        told: Mapping[str, Any] | None = None,
        label: str = "",
        margin: bool = True,
    ) -> Player:
        def parameters(problem: Any) -> dict[str, Any]:
            known = {"noise": problem.noise} if goal == ARM else {}
            return known | ({"margin": margins[problem.name]} if margin else {})

        spec = LearnerSpec(learner, told or {}, label=label or learner + WITHOUT * (not margin))
        covers = (lambda each: True) if margin else _no_ties
        return Player(spec, goal, groups[goal], parameters, _limits, covers)

    return [player(**line) for line in lines]


def _limits(instance: LeagueInstance) -> Limits:
    return Limits(_MAX_SAMPLES, RUNS_MANY if instance.about["arms"] >= MANY_ARMS else RUNS)


def _no_ties(instance: LeagueInstance) -> bool:
    """Whether learners that are told of no margin stop there."""
    return math.isfinite(instance.about["exact"]) and not getattr(instance.problem, "ties", ())


# The leagues


def leagues(settings: Settings) -> list[League]:
    """Duels, and single rewards of arms."""
    problems = built(_DECLARED["problems"])
    most = settings.choose(MANY_ARMS - 1, 10**6)
    duels = [
        duel_instance(mu, margin)
        for margin, matrices in problems["duels"]
        for mu in matrices
        if mu.arms <= most
    ]
    duels.sort(key=lambda each: (each.kind, each.problem.arms))
    arms = [
        arm_instance(bandit, each["margin"]) for each in problems["arms"] for bandit in each["of"]
    ]
    found = []
    for name, instances in (("duels", duels), ("arms", arms)):
        said = dict(_DECLARED[name])
        margins = {each.name: each.about["margin"] for each in instances}
        playing = players(said.pop("lines"), _DECLARED["groups"], margins)
        found.append(League(name, instances, playing, **said))
    return found


STUDIES = (league_study("league-margins", leagues),)
