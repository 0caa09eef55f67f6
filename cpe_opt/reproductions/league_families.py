"""The leagues of sets, of matchings and of separable rewards, each a declared table.

What the units are, the pages say: ``pages/league-single.md`` and so on. What a learner of sets
observes is read from its parameters: with ``feedback`` either, with ``sigma`` sums, otherwise
single rewards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.formulations.matchings.matching_time import SIGMA, matching_time
from cpe_opt.formulations.subsets.subset_time import Feedback, subset_time
from cpe_opt.hardness.separable import separable_hardness
from cpe_opt.learners.declaration import parameters_of
from cpe_opt.learners.registry import get_learner, learners_of
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.reproductions.league import (
    League,
    LeagueInstance,
    Limits,
    Player,
    Target,
    answer_is,
    league_study,
)
from cpe_opt.reproductions.study import built, declared

# Sets

INDEPENDENT = " √k"  # after the names of lines with σ = √k R
_SET = "best set"
_TOP, _OTHER = "the best k of n", "other classes"
# By what is seen: after how many samples a run is cut off, and lines by what they are told. One
# pull at a time takes up to a millisecond; sums come in blocks.
_MAX_SAMPLES: Mapping[Feedback, int] = {"single": 5 * 10**5, "sums": 10**8}
_LINES: Mapping[Feedback, Mapping[str, tuple[str, Callable[[SubsetBandit], dict[str, Any]]]]] = {
    "single": {"": ("the best set", lambda p: {"noise": p.noise})},
    "sums": {
        "": ("σ = kR: any noise", lambda p: {"sigma": p.decisions.rank * p.noise}),
        INDEPENDENT: (
            "σ = √k R: independent",
            lambda p: {"sigma": math.sqrt(p.decisions.rank) * p.noise},
        ),
    },
}


def set_instances(feedback: Feedback, problems: Sequence[SubsetBandit]) -> list[LeagueInstance]:
    """Problems of classes that can be listed, with their T* from what is seen."""
    found = []
    for problem in problems:
        time = subset_time(problem, feedback)
        # Sums of fewer elements have less noise than the time is told of.
        alike = feedback == "single" or len(problem.decisions.sizes) == 1
        goal = Target(time.bound, answer_is(time.elements), time.value, winners=int(alike))
        kind = _OTHER if problem.decisions.uniform_rank is None else _TOP
        found.append(LeagueInstance(problem, kind, {_SET: goal}))
    return found


def set_players(feedback: Feedback) -> list[Player]:
    """Every learner that sees this, from sums under two assumptions of their noise."""
    limits, found = Limits(_MAX_SAMPLES[feedback]), []
    exceptions = declared(f"league-{feedback}").get("exceptions", {})
    for name in learners_of("subsets"):
        sees = () if name in exceptions else feedback_of(name)
        given = {"feedback": feedback} if len(sees) > 1 else {}
        for suffix, (group, told) in _LINES[feedback].items() if feedback in sees else ():
            spec = LearnerSpec(name, given, label=name + suffix)
            found.append(Player(spec, _SET, group, told, limits))
    return found


def feedback_of(name: str) -> tuple[Feedback, ...]:
    """What a learner may see, by its parameters."""
    known = parameters_of(get_learner(name))
    if "feedback" in known:
        return ("single", "sums")
    return ("sums",) if "sigma" in known else ("single",)


def sets_league(feedback: Feedback) -> League:
    """The best set from what is seen."""
    name, problems = f"league-{feedback}", built(declared("league-sets")["problems"])
    instances = set_instances(feedback, problems)
    return League(name, instances, set_players(feedback), **declared(name))


# Matchings

CONDORCET, BORDA = "Condorcet winner", "Borda winner"
BORDA_LEARNERS = ("clucb-borda-exact",)
_BORDA_LIMITS = Limits(samples=3 * 10**5, runs=3)


def matching_instances(problems: Mapping[str, Sequence[MatchingDuels]]) -> list[LeagueInstance]:
    """Problems, by their kinds, with what may be looked for there."""
    found = []
    for kind, duels in ((kind, each) for kind, some in problems.items() for each in some):
        time = matching_time(duels)
        weights = SubsetBandit(Matchings(duels.graph), duels.borda_weights, noise=SIGMA)
        borda = subset_time(weights)
        goals = {
            CONDORCET: Target(time.bound, answer_is(time.matching), time.value),
            BORDA: Target(borda.bound, answer_is(borda.elements), borda.value),
        }
        found.append(LeagueInstance(duels, kind, goals))
    return found


def matching_players() -> list[Player]:
    """Every learner that identifies a winner, those of the Borda winner last."""
    found, exceptions = [], declared("league-matchings")["exceptions"]
    names = [name for name in learners_of("matchings") if name not in exceptions]
    for name in sorted(names, key=BORDA_LEARNERS.__contains__):
        goal, limits = (BORDA, _BORDA_LIMITS) if name in BORDA_LEARNERS else (CONDORCET, Limits())
        spec = LearnerSpec(name, label=name)
        found.append(Player(spec, goal, f"the {goal}", limits=limits))
    return found


def matching_league() -> League:
    """The Condorcet winner, and the Borda winner, by duels."""
    said = declared("league-matchings")
    instances = matching_instances(built(said.pop("problems")))
    return League("league-matchings", instances, matching_players(), **said)


# Separable rewards

_DECISION = "best decision"
_NOISE = 0.5  # rewards in [0, 1] are ½-sub-Gaussian


def separable_instances(problems: Mapping[str, Sequence[Any]]) -> list[LeagueInstance]:
    """Problems, by their kinds, with their T*, or bounds of it."""
    found = []
    for kind, problem in ((kind, each) for kind, some in problems.items() for each in some):
        hard = separable_hardness(problem)
        low, high = hard.time_bounds
        if kind == _TOP:
            chosen = int(hard.decision.sum())
            arms = SubsetBandit(TopK(len(problem.arms), chosen), problem.theta, noise=_NOISE)
            time = subset_time(arms)
            low, high = time.bound, time.value
        goal = Target(low, answer_is(hard.decision.tolist()), high)
        found.append(LeagueInstance(problem, kind, {_DECISION: goal}))
    return found


def separable_league() -> League:
    """The best decision for separable rewards."""
    said, group = declared("league-separable"), "the best decision"
    instances = separable_instances(built(said.pop("problems")))
    players = [Player(LearnerSpec(n, label=n), _DECISION, group) for n in learners_of("separable")]
    return League("league-separable", instances, players, **said)


STUDIES = (
    league_study("league-matchings", lambda settings: [matching_league()]),
    league_study("league-separable", lambda settings: [separable_league()]),
    league_study("league-single", lambda settings: [sets_league("single")]),
    league_study("league-sums", lambda settings: [sets_league("sums")]),
)
