"""The leagues of sets, of matchings and of separable rewards, each a declared table.

What the units are, the pages say: ``pages/league-single.md`` and so on. What a learner of sets
observes is read from its parameters: with ``feedback`` either, with ``sigma`` sums, otherwise
single rewards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.formulations.matchings.matching_time import SIGMA, matching_time
from cpe_opt.formulations.subsets.subset_time import Feedback, subset_time
from cpe_opt.hardness.separable import separable_hardness
from cpe_opt.learners.declaration import parameters_of
from cpe_opt.learners.registry import get_learner, learners_of
from cpe_opt.problems.catalogue import INSTANCES
from cpe_opt.problems.generators import planted_condorcet, planted_subsets
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.separable.distributions import Bernoulli
from cpe_opt.problems.separable.model import BestSet
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.edge_sets import Paths
from cpe_opt.problems.subsets.matroids import PartitionMatroid, TopK
from cpe_opt.reproductions.huang2018 import random_problem
from cpe_opt.reproductions.league import League, LeagueInstance, Limits, Player, Target, answer_is
from cpe_opt.reproductions.league_page import league_study
from cpe_opt.reproductions.study import Study, declared


def _always(limits: Limits) -> Callable[[LeagueInstance], Limits]:
    """The same on every instance."""
    return lambda instance: limits


def _built_in(family: str) -> list[Any]:
    return [each.load() for each in INSTANCES.values() if each.family == family]


# Sets

INDEPENDENT = " √k"  # after the names of lines with σ = √k R
_SET = "best set"
_TOP, _OTHER = "the best k of n", "other classes"
_PLANTED_SETS = ((8, 4, 0.1), (8, 4, 0.3), (8, 4, 0.5), (8, 4, 1.0), (10, 5, 0.3), (10, 5, 1.0))
# By what is seen: after how many samples a run is cut off, and lines by what they are told. One
# pull at a time takes up to a millisecond; sums come in blocks.
_MAX_SAMPLES: Mapping[Feedback, int] = {"single": 5 * 10**5, "sums": 10**8}
_LINES: Mapping[Feedback, Sequence[tuple[str, str, Callable[[SubsetBandit], dict[str, Any]]]]] = {
    "single": [("", "the best\nset", lambda p: {"noise": p.noise})],
    "sums": [
        ("", "σ = kR:\nany noise", lambda p: {"sigma": p.decisions.rank * p.noise}),
        (
            INDEPENDENT,
            "σ = √k R:\nindependent",
            lambda p: {"sigma": math.sqrt(p.decisions.rank) * p.noise},
        ),
    ],
}


def set_problems() -> list[SubsetBandit]:
    """Those of the catalogue and others, of classes that can be listed; the best k of n first."""
    parts = PartitionMatroid([0, 0, 0, 1, 1, 2, 2], [1, 1, 1])
    layers = [("s",), ("a", "b"), ("c", "d"), ("e", "f"), ("t",)]
    steps = [(here, there) for near, far in pairwise(layers) for here in near for there in far]
    lengths = [0.5, 0.4, 0.9, 0.3, 0.2, 0.6, 0.1, 0.8, 0.7, 0.4, 0.3, 0.6]
    found: list[SubsetBandit] = [
        *_built_in("subsets"),
        *(planted_subsets(n, k, gap=gap, seed=0) for n, k, gap in _PLANTED_SETS),
        SubsetBandit(TopK(6, 3), [0.8, 0.6, 0.5, 0.47, 0.45, 0.1], noise=0.1, name="near-ties"),
        SubsetBandit(parts, [0.5, 0.4, 0.1, 0.6, 0.5, 0.3, 0.0], noise=0.3, name="parts"),
        SubsetBandit(Paths(steps, "s", "t"), lengths, noise=0.3, name="layered-paths"),
    ]
    return sorted(found, key=lambda problem: problem.decisions.uniform_rank is None)


def set_instances(feedback: Feedback) -> list[LeagueInstance]:
    """Every problem with its T* from what is seen."""
    found = []
    for problem in set_problems():
        time = subset_time(problem, feedback)
        # Sums of fewer elements have less noise than the time is told of.
        alike = feedback == "single" or len(problem.decisions.sizes) == 1
        goal = Target(time.bound, answer_is(time.elements), time.value, winners=int(alike))
        kind = _OTHER if problem.decisions.uniform_rank is None else _TOP
        found.append(LeagueInstance(problem, kind, {_SET: goal}))
    return found


def set_players(feedback: Feedback) -> list[Player]:
    """Every learner that sees this, from sums under two assumptions of their noise."""
    limits = _always(Limits(_MAX_SAMPLES[feedback]))
    found = []
    for name in learners_of("subsets"):
        sees = feedback_of(name)
        given = {"feedback": feedback} if len(sees) > 1 else {}
        for suffix, group, told in _LINES[feedback] if feedback in sees else ():
            spec = LearnerSpec(name, given, label=name + suffix)
            found.append(Player(spec, _SET, group, told, limits))
    return found


def feedback_of(name: str) -> tuple[Feedback, ...]:
    """What a learner may see, by its parameters."""
    known = parameters_of(get_learner(name))
    if "feedback" in known:
        return ("single", "sums")
    return ("sums",) if "sigma" in known else ("single",)


def _league(name: str, instances: list[LeagueInstance], players: list[Player]) -> League:
    return League(name, instances, players, **declared(name))


def single_league() -> League:
    """The best set from single rewards."""
    return _league("league-single", set_instances("single"), set_players("single"))


def sums_league() -> League:
    """The best set from sums of sets."""
    return _league("league-sums", set_instances("sums"), set_players("sums"))


# Matchings

CONDORCET, BORDA = "Condorcet winner", "Borda winner"
BORDA_LEARNERS = ("clucb-borda-exact",)
_BORDA_LIMITS = Limits(samples=3 * 10**5, runs=3)
_PLANTED, _SMALL = "planted, 5 candidates for 3 positions", "others"


def matching_problems() -> list[tuple[str, MatchingDuels]]:
    """Five planted ones, those of the catalogue, near ties and graphs that are not complete."""
    swap = np.zeros((4, 4))
    swap[:2, :2], swap[2:, 2:] = [[0.5, 0.72], [0.28, 0.5]], [[0.5, 0.35], [0.65, 0.5]]
    close = planted_condorcet(3, 2, gap=0.02, seed=1)
    sparse = planted_condorcet(5, 3, gap=0.05, seed=2, density=0.5)
    return [
        *((_PLANTED, planted_condorcet(5, 3, gap=0.05, seed=seed)) for seed in range(1, 6)),
        *((_SMALL, each) for each in _built_in("matchings")),
        (_SMALL, MatchingDuels(BipartiteGraph.complete(2, 2), swap, name="swap")),
        (_SMALL, MatchingDuels(close.graph, close.array, name="near-tie")),
        (_SMALL, MatchingDuels(sparse.graph, sparse.array, name="sparse")),
        (_SMALL, planted_condorcet(4, 4, gap=0.04, seed=3)),
    ]


def matching_instances() -> list[LeagueInstance]:
    """Every problem with what may be looked for there."""
    found = []
    for kind, duels in matching_problems():
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
        group = "the " + "\n".join(goal.split())
        spec = LearnerSpec(name, label=name)
        found.append(Player(spec, goal, group, limits=_always(limits)))
    return found


def matching_league() -> League:
    """The Condorcet winner, and the Borda winner, by duels."""
    return _league("league-matchings", matching_instances(), matching_players())


# Separable rewards

_DECISION = "best decision"
_WATER, _OPINIONS = "water plans", "samples of opinions †"
# By kind: the built-in one, and some of the random problems of huang2018, from even to uneven arms.
_DRAWN = {
    _TOP: ("coins", "top-k", (84, 22, 134)),
    _WATER: ("water", "water", (108, 126, 66)),
    _OPINIONS: ("opinions", "opinions", (134, 130, 79)),
}
_NOISE = 0.5  # rewards in [0, 1] are ½-sub-Gaussian


def separable_problems() -> list[tuple[str, SeparableProblem]]:
    """Those of the catalogue, random ones, and one that is nearly tied, by their kinds."""
    built_in = {problem.name: problem for problem in _built_in("separable")}
    coins = [Bernoulli(p) for p in (0.6, 0.55, 0.5, 0.2)]
    close = SeparableProblem(BestSet(TopK(4, 2)), coins, name="near-tie")
    return [
        (kind, problem)
        for kind, (known, drawn, seeds) in _DRAWN.items()
        for problem in (
            built_in[known],
            *([close] if kind == _TOP else []),
            *(random_problem(drawn, seed) for seed in seeds),
        )
    ]


def separable_instances() -> list[LeagueInstance]:
    """Every problem with its T*, or bounds of it."""
    found = []
    for kind, problem in separable_problems():
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
    group = "the best\ndecision"
    players = [Player(LearnerSpec(n, label=n), _DECISION, group) for n in learners_of("separable")]
    return _league("league-separable", separable_instances(), players)


def _study(name: str, league: Callable[[], League]) -> Study:
    return league_study(f"league-{name}", lambda settings: [league()])


STUDIES = (
    _study("matchings", matching_league),
    _study("separable", separable_league),
    _study("single", single_league),
    _study("sums", sums_league),
)
