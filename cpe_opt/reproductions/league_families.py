r"""The leagues of sets, of matchings and of separable rewards, each a declared table.

**Sets**: the best set from single rewards, and from sums of sets; T* is
:func:`cpe_opt.subset_time`. What a learner observes is read from its parameters: with ``feedback``
either, with ``sigma`` sums, otherwise single rewards. From sums each learner is run under two
assumptions about the noise. If only the noise R of an element is known, a sum of k is
kR-sub-Gaussian: the cautious σ of most papers. If rewards of different elements are independent, as
they are here, σ = √k R.

**Matchings**: the best matching by duels of its edges. Most learners look for the Condorcet winner,
with the characteristic time of :func:`cpe_opt.matching_time`, by squared errors; Bernoulli duels
may tell more, so that it is no lower bound. ``clucb-borda-exact`` looks for the Borda winner by
duels of an edge against that of a random matching, whose mean is the weight of the edge; its unit
is the time of the best set by these weights from single rewards, ½-sub-Gaussian. Other duels may be
worth more, so that this is no lower bound either.

**Separable rewards**: the best decision from samples of single parameters. For the best k of n arms
T* is that of the best set from single rewards with σ = ½. For other decisions no program of T* is
known: for water plans there are the bounds :math:`1 / 2 \min_i \Lambda_i^2` and m times that
(:func:`cpe_opt.separable_hardness`), and the lower one is the unit. The same number is the unit for
variances (samples of opinions), for which nothing is proved. Samples in [0, 1] may tell more than
½-sub-Gaussian noise, so that none of them bounds the mean number of samples.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
from cpe_opt.problems.subsets.matroids import PartitionMatroid, TopK
from cpe_opt.problems.subsets.paths import Paths
from cpe_opt.reproductions.claims import Claim
from cpe_opt.reproductions.huang2018 import random_problem
from cpe_opt.reproductions.league import Table, fewer_than_all, near_the_time, share_of
from cpe_opt.reproductions.league_page import Goal, League, Player, Task, league_study


def _built_in(family: str) -> list[Any]:
    return [each.load() for each in INSTANCES.values() if each.family == family]


# Sets

SETS_DELTA = 0.05
TRACKER = "subset-tracking"
INDEPENDENT = " √k"  # after the names of lines with σ = √k R
SETS_EXCEPTIONS: Mapping[str, str] = {}
"""Learners of the family that play in neither league, with the reason."""
_SET = "best set"
_SETS_CURVED_ON = ("planted-8-4-0.3-0", "near-ties", "trees-of-k5", "layered-paths")
_TOP, _OTHER = "the best k of n", "other classes"
# Learners that ask for one pull at a time take up to a millisecond for each; sums come in blocks.
_MAX_SAMPLES_SINGLE, _MAX_SAMPLES_SUMS = 5 * 10**5, 10**8
# At most these of what others need from sums: each with its own σ, and all with the same.
_SHARES = {"icb": 0.2, "saqm": 0.02}
_SAME_SHARES = {f"icb{INDEPENDENT}": 1.0, f"saqm{INDEPENDENT}": 0.1}


def set_problems() -> list[SubsetBandit]:
    """Those of the catalogue and others, of classes that can be listed; the best k of n first."""
    planted = ((8, 4, 0.1), (8, 4, 0.3), (8, 4, 0.5), (8, 4, 1.0), (10, 5, 0.3), (10, 5, 1.0))
    parts = PartitionMatroid([0, 0, 0, 1, 1, 2, 2], [1, 1, 1])
    layers = [("s",), ("a", "b"), ("c", "d"), ("e", "f"), ("t",)]
    steps = [(here, there) for near, far in pairwise(layers) for here in near for there in far]
    lengths = [0.5, 0.4, 0.9, 0.3, 0.2, 0.6, 0.1, 0.8, 0.7, 0.4, 0.3, 0.6]
    found: list[SubsetBandit] = [
        *_built_in("subsets"),
        *(planted_subsets(n, k, gap=gap, seed=0) for n, k, gap in planted),
        SubsetBandit(TopK(6, 3), [0.8, 0.6, 0.5, 0.47, 0.45, 0.1], noise=0.1, name="near-ties"),
        SubsetBandit(parts, [0.5, 0.4, 0.1, 0.6, 0.5, 0.3, 0.0], noise=0.3, name="parts"),
        SubsetBandit(Paths(steps, "s", "t"), lengths, noise=0.3, name="layered-paths"),
    ]
    return sorted(found, key=lambda problem: _set_kind(problem) == _OTHER)


def _set_kind(problem: SubsetBandit) -> str:
    return _OTHER if problem.decisions.uniform_rank is None else _TOP


def set_tasks(feedback: Feedback) -> list[Task]:
    """Every problem with its T* from what is seen."""
    tasks = []
    for problem in set_problems():
        time = subset_time(problem, feedback)
        # Sums of fewer elements have less noise than the time is told of.
        alike = feedback == "single" or len(problem.decisions.sizes) == 1
        goal = Goal(time.elements, time.bound, time.value, alike)
        tasks.append(Task(problem, _set_kind(problem), {_SET: goal}))
    return tasks


def set_players(feedback: Feedback) -> list[Player]:
    """Every learner that sees this, from sums under two assumptions of their noise."""
    if feedback == "single":
        lines = [("", "the best\nset", lambda p: {"noise": p.noise})]
    else:
        lines = [
            ("", "σ = kR:\nany noise", lambda p: {"sigma": p.decisions.rank * p.noise}),
            (
                INDEPENDENT,
                "σ = √k R:\nindependent",
                lambda p: {"sigma": math.sqrt(p.decisions.rank) * p.noise},
            ),
        ]
    max_samples = _MAX_SAMPLES_SINGLE if feedback == "single" else _MAX_SAMPLES_SUMS
    found = []
    for name in learners_of("subsets"):
        sees = feedback_of(name)
        if feedback in sees and name not in SETS_EXCEPTIONS:
            told = {"feedback": feedback} if len(sees) > 1 else {}
            for suffix, group, noise in lines:
                spec = LearnerSpec(name, told, label=name + suffix)
                found.append(Player(spec, _SET, group, noise, max_samples))
    return found


def feedback_of(name: str) -> tuple[Feedback, ...]:
    """What a learner may see, by its parameters."""
    known = parameters_of(get_learner(name))
    if "feedback" in known:
        return ("single", "sums")
    return ("sums",) if "sigma" in known else ("single",)


def _set_league(
    feedback: Feedback, seen: str, told: str, picture: str, notes: Sequence[str], **lines: Any
) -> League:
    """What both leagues of sets have in common."""
    return League(
        setting=f"delta = {SETS_DELTA}. Built-in problems; *planted-n-k-gap-seed*: the best k of "
        "n, drawn from a seed, whose second-best set is worse by the gap; *near-ties*: the best "
        "three of six, with means of 0.5, 0.47, 0.45 around the edge; *parts*: the best one of "
        "each of three groups; *layered-paths*: the best of eight paths. Noise is normal and "
        "independent.",
        text="Mean pulls until the answer, by T* ln(1/delta). **>**: not all runs were done by the "
        "pulls after which they are cut off: the number is a lower bound. ✗: so many runs ended "
        "with a wrong answer. –: the learner is not for the class, see below. *typical*: the "
        f"geometric mean of the line. T* is that of `subset_time`, for {seen}. {told}",
        picture=f"{picture}, wrong with a probability of at most {SETS_DELTA}, as a multiple of T* "
        "ln(1/δ)",
        notes=[
            "Numbers: mean pulls by T* ln(1/δ).  > : not done when cut off, a lower bound.  1✗: "
            "one run gave a wrong answer.  –: not for this class.",
            "typical: the geometric mean of the line. Noise is normal: on average nobody can need "
            "less than T* kl(δ, 1-δ), 0.88 T* ln(1/δ).",
            *notes,
        ],
        samples="pulls",
        answer="set",
        delta=SETS_DELTA,
        tasks=set_tasks(feedback),
        players=set_players(feedback),
        runs=10,
        curved_on=_SETS_CURVED_ON,
        exceptions=SETS_EXCEPTIONS,
        **lines,
    )


def single_league() -> League:
    """The best set from single rewards."""
    told = "Every learner is told the noise of a reward."
    return _set_league(
        "single",
        "single rewards",
        told,
        "Pulls of single elements until the best set is named",
        [told],
        trackers=(TRACKER, "fws"),
        curved=(TRACKER, "fws", "clucb"),
        further=lambda table: [
            near_the_time(table, TRACKER),
            fewer_than_all(table, TRACKER, [n for n in table.learners if n != TRACKER], "pulls"),
        ],
    )


def sums_league() -> League:
    """The best set from sums of sets."""
    return _set_league(
        "sums",
        "sums of independent rewards, for all lines",
        "Every learner is played with σ = k R, that of most papers, right for any noise of "
        "elements that is R-sub-Gaussian, and with σ = √k R (*√k*), as rewards of different "
        "elements are independent here. `rage` has its unit of 1: its first phase tells gaps of a "
        "quarter, more than large gaps need.",
        "Pulls of sets until the best one is named from sums",
        [
            "Above: a sum of k is taken for kR-sub-Gaussian, whatever hangs on what.  Below (√k): "
            "for √k R, as rewards are independent here. T* is that of independent ones."
        ],
        trackers=(TRACKER + INDEPENDENT,),
        curved=tuple(name + INDEPENDENT for name in (TRACKER, "icb", "rage")),
        further=sums_claims,
    )


def sums_claims(table: Table) -> list[Claim]:
    """The tracker against others with the same σ, and each with its own."""
    tracker = TRACKER + INDEPENDENT
    others = [name for name in table.learners if name not in (TRACKER, tracker)]
    same = [name for name in others if name.endswith(INDEPENDENT)]
    return [
        near_the_time(table, tracker),
        fewer_than_all(table, tracker, same, "pulls"),
        fewer_than_all(table, TRACKER, [name for name in others if name not in same], "pulls"),
        share_of(table, tracker, _SHARES, "pulls"),
        share_of(table, tracker, _SAME_SHARES, "pulls"),
    ]


# Matchings

MATCHING_DELTA = 0.009  # two learners want less than 0.01
MATCHING_TRACKER = "matching-tracking"
MATCHING_EXCEPTIONS: Mapping[str, str] = {
    "clucb-borda-pac": "it answers a matching whose Borda score is within a margin of the best: "
    "another question, whose least number of duels is not known here"
}
CONDORCET, BORDA = "Condorcet winner", "Borda winner"
BORDA_LEARNERS = ("clucb-borda-exact",)
_PLANTED, _SMALL = "planted, 5 candidates for 3 positions", "others"
_MAX_SAMPLES, _MAX_SAMPLES_BORDA, _RUNS_BORDA = 10**7, 3 * 10**5, 3
_MATCHING_SHARES, _SHARES_ON = {"car-cond": 1.0 / 3.0}, "planted-5-3"


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


def matching_tasks() -> list[Task]:
    """Every problem with what may be looked for there."""
    tasks = []
    for kind, duels in matching_problems():
        time = matching_time(duels)
        weights = SubsetBandit(Matchings(duels.graph), duels.borda_weights, noise=SIGMA)
        borda = subset_time(weights)
        goals = {
            CONDORCET: Goal(time.matching, time.bound, time.value, binding=False),
            BORDA: Goal(borda.elements, borda.bound, borda.value, binding=False),
        }
        tasks.append(Task(duels, kind, goals))
    return tasks


def matching_players() -> list[Player]:
    """Every learner that identifies a winner, those of the Borda winner last."""
    names = [name for name in learners_of("matchings") if name not in MATCHING_EXCEPTIONS]
    specs = {name: LearnerSpec(name, label=name) for name in names}
    return [
        *(
            Player(spec, CONDORCET, "the Condorcet\nwinner", max_samples=_MAX_SAMPLES)
            for name, spec in specs.items()
            if name not in BORDA_LEARNERS
        ),
        *(
            Player(
                specs[name],
                BORDA,
                "the Borda\nwinner",
                max_samples=_MAX_SAMPLES_BORDA,
                runs=_RUNS_BORDA,
            )
            for name in BORDA_LEARNERS
        ),
    ]


def matching_league() -> League:
    """The Condorcet winner, and the Borda winner, by duels."""
    return League(
        setting=f"delta = {MATCHING_DELTA}, as CAR-Verify and CAR-Parallel want less than 0.01. "
        "*planted-c-p-gap-seed*: random problems of c candidates and p positions, with a Condorcet "
        "winner whose smallest lead is the gap; *near-tie* one of 3 and 2 with a lead of 0.02, "
        "*sparse* one of 5 and 3 that has half of the edges; in *swap* the winner loses at one "
        "position and wins at the other.",
        text="Mean duels until the answer, by T* ln(1/delta) of what the learner looks for: "
        "`matching_time` for the Condorcet winner; for the Borda winner `subset_time` of the "
        "edges' Borda weights from duels of an edge with that of a random matching. Both are for "
        "½-sub-Gaussian outcomes: duels may tell more, so that neither is a bound, and multiples "
        "below 1 would contradict nothing. **>**: not all runs were done by the duels after which "
        f"they are cut off ({_MAX_SAMPLES:,}; {_MAX_SAMPLES_BORDA:,} for the Borda winner), or "
        "CAR-Verify gave up: a lower bound. ✗: so many runs ended with a wrong answer. –: the "
        "learner is left out, see below. *typical*: the geometric mean of the line.",
        picture="Duels until the best matching is named, wrong with a probability of at most "
        f"{MATCHING_DELTA}, as a multiple of T* ln(1/δ)",
        notes=[
            "Numbers: mean duels by T* ln(1/δ) of what the learner is after (left).  > : not done "
            "when cut off, or given up: a lower bound.  1✗: one run gave a wrong answer.",
            "typical: the geometric mean of the line. T* is that of normal outcomes, variance ¼; "
            "duels may tell more.",
        ],
        samples="duels",
        answer="matching",
        delta=MATCHING_DELTA,
        tasks=matching_tasks(),
        players=matching_players(),
        runs=41,  # of each: 410 in all, of which none may err to show that errors are below delta
        trackers=(MATCHING_TRACKER,),
        curved=(MATCHING_TRACKER, "car-cond", "car-parallel"),
        curved_on=("planted-5-3-0.05-1", "planted-5-3-0.05-4", "sparse"),
        further=_matching_claims,
        exceptions=MATCHING_EXCEPTIONS,
    )


def _matching_claims(table: Table) -> list[Claim]:
    apart = (MATCHING_TRACKER, *BORDA_LEARNERS)
    return [
        near_the_time(table, MATCHING_TRACKER),
        fewer_than_all(table, MATCHING_TRACKER, [n for n in table.learners if n not in apart]),
        share_of(table, MATCHING_TRACKER, _MATCHING_SHARES, "duels", only=_SHARES_ON),
    ]


# Separable rewards

SEPARABLE_DELTA = 0.05
SEPARABLE_EXCEPTIONS: Mapping[str, str] = {}
_WATER, _OPINIONS = "water plans", "samples of opinions †"
_BUILT_IN = {"coins": _TOP, "water": _WATER, "opinions": _OPINIONS}
# By kind: some of the random problems of huang2018, from those with even arms to those with uneven.
_DRAWN = {
    _TOP: ("top-k", (84, 22, 134)),
    _WATER: ("water", (108, 126, 66)),
    _OPINIONS: ("opinions", (134, 130, 79)),
}
_NOISE = 0.5  # rewards in [0, 1] are ½-sub-Gaussian


def separable_problems() -> list[tuple[str, SeparableProblem]]:
    """Those of the catalogue, random ones, and one that is nearly tied, by their kinds."""
    close = [Bernoulli(p) for p in (0.6, 0.55, 0.5, 0.2)]
    found = [
        *((_BUILT_IN[problem.name], problem) for problem in _built_in("separable")),
        (_TOP, SeparableProblem(BestSet(TopK(4, 2)), close, name="near-tie")),
        *((kind, random_problem(name, s)) for kind, (name, seeds) in _DRAWN.items() for s in seeds),
    ]
    return sorted(found, key=lambda each: list(_DRAWN).index(each[0]))


def separable_tasks() -> list[Task]:
    """Every problem with its T*, or bounds of it."""
    tasks = []
    for kind, problem in separable_problems():
        hard = separable_hardness(problem)
        low, high = hard.time_bounds
        if kind == _TOP:
            chosen = int(hard.decision.sum())
            arms = SubsetBandit(TopK(len(problem.arms), chosen), problem.theta, noise=_NOISE)
            time = subset_time(arms)
            low, high = time.bound, time.value
        goal = Goal(tuple(hard.decision.tolist()), low, high, binding=False)
        tasks.append(Task(problem, kind, {"best decision": goal}))
    return tasks


def separable_league() -> League:
    """The best decision for separable rewards."""
    tasks = separable_tasks()
    names = [name for name in learners_of("separable") if name not in SEPARABLE_EXCEPTIONS]
    return League(
        setting=f"delta = {SEPARABLE_DELTA}. *top-k*, *water* and *opinions* with a number are "
        "random problems with Bernoulli arms, from even to uneven; *near-tie*: the best two of "
        "four coins, the second and third with probabilities 0.55 and 0.5.",
        text="Mean samples until the answer, by T* ln(1/delta): `subset_time` for the best k of n. "
        "For water plans no program of T* is known, and the unit is a bound of it from below; the "
        "one from above is as many times larger as there are arms, so that multiples may be that "
        "much too large. †: the same number as a unit for variances, for which it is no bound. "
        "Samples in [0, 1] may tell more than ½-sub-Gaussian noise. ✗: so many runs ended with a "
        "wrong answer. *typical*: the geometric mean of the line. No learner here tracks T*.",
        picture="Samples until the best decision, wrong with a probability of at most "
        f"{SEPARABLE_DELTA}, as a multiple of T* ln(1/δ)",
        notes=[
            "Numbers: mean samples by T* ln(1/δ).  1✗: one run gave a wrong answer.  typical: the "
            "geometric mean of the line.",
            "For water plans the unit is a bound of T* from below, up to m times too small for m "
            "arms (4 and 5).",
            "†: variances; the unit is the same number, no bound.",
        ],
        samples="samples",
        answer="decision",
        delta=SEPARABLE_DELTA,
        tasks=tasks,
        players=[
            Player(LearnerSpec(name, label=name), "best decision", "the best\ndecision")
            for name in names
        ],
        runs=50,
        trackers=(),
        curved=names,
        curved_on=("coins", "near-tie", "water", "opinions"),
        further=lambda table: [share_of(table, "coci", {"coci-uniform": 1.0}, "samples")],
        marked=[task.name for task in tasks if task.kind == _OPINIONS],
        exceptions=SEPARABLE_EXCEPTIONS,
    )


STUDIES = (
    league_study(
        "league-matchings",
        "The league of matchings",
        "Every learner of this package that finds a winner among matchings by duels",
        matching_league,
    ),
    league_study(
        "league-separable",
        "The league of separable rewards",
        "Every learner of this package for separable rewards",
        separable_league,
    ),
    league_study(
        "league-single",
        "The league of sets: the best one from single rewards",
        "Every learner of this package that finds the best set from single rewards",
        single_league,
    ),
    league_study(
        "league-sums",
        "The league of sets: the best one from sums",
        "Every learner of this package that finds the best set from sums of sets",
        sums_league,
    ),
)
