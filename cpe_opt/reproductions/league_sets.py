"""The leagues of sets: the best set of a class from single rewards, and from sums of sets.

What a learner sees is read off its parameters: one with ``feedback`` may see either, one with
``sigma`` sees sums, any other single rewards. From sums each is played twice. All that is known of
the noise may be that of an element, R, so that a sum of k is kR-sub-Gaussian: the cautious σ of
most papers. Or rewards of different elements are independent, as they are here: σ = √k R.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.formulations.subsets.subset_time import Feedback, subset_time
from cpe_opt.learners.declaration import parameters_of
from cpe_opt.learners.registry import get_learner, learners_of
from cpe_opt.problems.catalogue import INSTANCES
from cpe_opt.problems.generators import planted_subsets
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.matroids import PartitionMatroid, TopK
from cpe_opt.problems.subsets.paths import Paths
from cpe_opt.reproductions.league_claims import fewer_than_all, near_the_time, share_of
from cpe_opt.reproductions.league_contest import Contest, Goal, Player, Task
from cpe_opt.reproductions.league_contest_page import contest_page
from cpe_opt.reproductions.league_table import Table
from cpe_opt.reproductions.page import Claim, Page
from cpe_opt.reproductions.settings import Settings

DELTA = 0.05
TRACKER = "subset-tracking"
INDEPENDENT = " √k"  # after the names of lines with σ = √k R
EXCEPTIONS: Mapping[str, str] = {}
"""Learners of the family that play in neither league, with the reason."""
_GOAL = "best set"
_PLANTED = ((8, 4, 0.1), (8, 4, 0.3), (8, 4, 0.5), (8, 4, 1.0), (10, 5, 0.3), (10, 5, 1.0))
_CURVED_ON = ("planted-8-4-0.3-0", "near-ties", "trees-of-k5", "layered-paths")
_TOP, _OTHER = "the best k of n", "other classes"
_ALIKE, _CAUTIOUS, _FREE = "the best\nset", "σ = kR:\nany noise", "σ = √k R:\nindependent"
# Learners that ask for one pull at a time take up to a millisecond for each; sums come in blocks.
_MOST_SINGLE, _MOST_SUMS = 5 * 10**5, 10**8
# At most these of what others need from sums: each with its own σ, and all with the same.
_SHARES = {"icb": 0.2, "saqm": 0.02}
_SAME_SHARES = {f"icb{INDEPENDENT}": 1.0, f"saqm{INDEPENDENT}": 0.1}
_PROBLEMS = (
    "Built-in problems; *planted-n-k-gap-seed*: the best k of n, drawn from a seed, whose "
    "second-best set is worse by the gap; *near-ties*: the best three of six, with means of 0.5, "
    "0.47, 0.45 around the edge; *parts*: the best one of each of three groups; *layered-paths*: "
    "the best of eight paths. Noise is normal and independent."
)
_NOTES = (
    "Numbers: mean pulls by T* ln(1/δ).  > : not done when cut off, a lower bound.  1✗: one run "
    "gave a wrong answer.  –: not for this class.",
    "typical: the geometric mean of the line. Noise is normal: on average nobody can need less "
    "than T* kl(δ, 1-δ), 0.88 T* ln(1/δ).",
)
_CELLS = (
    "Mean pulls until the answer, by T* ln(1/delta). **>**: not all runs were done by the pulls "
    "after which they are cut off: the number is a lower bound. ✗: so many runs ended with a "
    "wrong answer. –: the learner is not for the class, see below. *typical*: the geometric mean "
    "of the line. T* is that of `subset_time`, for"
)


def single(settings: Settings) -> Page:
    """The best set from single rewards."""
    return contest_page(single_contest(), settings)


def sums(settings: Settings) -> Page:
    """The best set from sums of sets."""
    return contest_page(sums_contest(), settings)


def set_problems() -> list[SubsetBandit]:
    """Those of the catalogue and others, of classes that can be listed; the best k of n first."""
    built_in = [each.load() for each in INSTANCES.values() if each.family == "subsets"]
    layers = [("s",), ("a", "b"), ("c", "d"), ("e", "f"), ("t",)]
    steps = [(here, there) for near, far in pairwise(layers) for here in near for there in far]
    found = [
        *cast(list[SubsetBandit], built_in),
        *(planted_subsets(n, k, gap=gap, seed=0) for n, k, gap in _PLANTED),
        SubsetBandit(TopK(6, 3), [0.8, 0.6, 0.5, 0.47, 0.45, 0.1], noise=0.1, name="near-ties"),
        SubsetBandit(
            PartitionMatroid([0, 0, 0, 1, 1, 2, 2], [1, 1, 1]),
            [0.5, 0.4, 0.1, 0.6, 0.5, 0.3, 0.0],
            noise=0.3,
            name="parts",
        ),
        SubsetBandit(
            Paths(steps, "s", "t"),
            [0.5, 0.4, 0.9, 0.3, 0.2, 0.6, 0.1, 0.8, 0.7, 0.4, 0.3, 0.6],
            noise=0.3,
            name="layered-paths",
        ),
    ]
    return sorted(found, key=lambda problem: _kind(problem) == _OTHER)


def set_tasks(feedback: Feedback) -> list[Task]:
    """Every problem with its T* from what is seen."""
    tasks = []
    for problem in set_problems():
        time = subset_time(problem, feedback)
        # Sums of fewer elements have less noise than the time is told of.
        alike = feedback == "single" or len(problem.decisions.sizes) == 1
        goal = Goal(time.elements, time.bound, time.value, alike)
        tasks.append(Task(problem, _kind(problem), {_GOAL: goal}))
    return tasks


def _kind(problem: SubsetBandit) -> str:
    return _OTHER if problem.decisions.uniform_rank is None else _TOP


def set_players(feedback: Feedback) -> list[Player]:
    """Every learner that sees this, from sums under two assumptions of their noise."""
    found = []
    for name in learners_of("subsets"):
        sees = feedback_of(name)
        if feedback not in sees or name in EXCEPTIONS:
            continue
        told = {"feedback": feedback} if len(sees) > 1 else {}
        if feedback == "single":
            spec = LearnerSpec(name, told, label=name)
            found.append(Player(spec, _GOAL, _ALIKE, _noise, _MOST_SINGLE))
            continue
        for label, group, sigma in (
            (name, _CAUTIOUS, _cautious),
            (name + INDEPENDENT, _FREE, _independent),
        ):
            spec = LearnerSpec(name, told, label=label)
            found.append(Player(spec, _GOAL, group, sigma, _MOST_SUMS))
    return found


def feedback_of(name: str) -> tuple[Feedback, ...]:
    """What a learner may see, by its parameters."""
    known = parameters_of(get_learner(name))
    if "feedback" in known:
        return ("single", "sums")
    return ("sums",) if "sigma" in known else ("single",)


def _noise(problem: SubsetBandit) -> dict[str, Any]:
    return {"noise": problem.noise}


def _cautious(problem: SubsetBandit) -> dict[str, Any]:
    return {"sigma": problem.decisions.rank * problem.noise}


def _independent(problem: SubsetBandit) -> dict[str, Any]:
    return {"sigma": math.sqrt(problem.decisions.rank) * problem.noise}


def single_contest() -> Contest:
    """Who plays on what, for single rewards."""
    players = set_players("single")
    return Contest(
        title="The league of sets: the best one from single rewards",
        source="Every learner of this package that finds the best set from single rewards",
        setting=f"delta = {DELTA}. {_PROBLEMS}",
        text=f"{_CELLS} single rewards. Every learner is told the noise of a reward.",
        picture="Pulls of single elements until the best set is named, wrong with a probability of "
        f"at most {DELTA}, as a multiple of T* ln(1/δ)",
        notes=[*_NOTES, "Every learner is told the noise of a reward."],
        samples="pulls",
        answer="set",
        delta=DELTA,
        tasks=set_tasks("single"),
        players=players,
        runs=10,
        trackers=(TRACKER, "fws"),
        curved=(TRACKER, "fws", "clucb"),
        curved_on=_CURVED_ON,
        further=_single_claims,
        exceptions=EXCEPTIONS,
    )


def sums_contest() -> Contest:
    """Who plays on what, for sums."""
    return Contest(
        title="The league of sets: the best one from sums",
        source="Every learner of this package that finds the best set from sums of sets",
        setting=f"delta = {DELTA}. {_PROBLEMS}",
        text=f"{_CELLS} sums of independent rewards, for all lines. Every learner is played with "
        "σ = k R, that of most papers, right for any noise of elements that is R-sub-Gaussian, "
        "and with σ = √k R (*√k*), as rewards of different elements are "
        "independent here. `rage` has its unit of 1: its first phase tells gaps of a quarter, more "
        "than large gaps need.",
        picture="Pulls of sets until the best one is named from sums, wrong with a probability of "
        f"at most {DELTA}, as a multiple of T* ln(1/δ)",
        notes=[
            *_NOTES,
            "Above: a sum of k is taken for kR-sub-Gaussian, whatever hangs on what.  Below (√k): "
            "for √k R, as rewards are independent here. T* is that of independent ones.",
        ],
        samples="pulls",
        answer="set",
        delta=DELTA,
        tasks=set_tasks("sums"),
        players=set_players("sums"),
        runs=10,
        trackers=(TRACKER + INDEPENDENT,),
        curved=tuple(name + INDEPENDENT for name in (TRACKER, "icb", "rage")),
        curved_on=_CURVED_ON,
        further=_sums_claims,
        exceptions=EXCEPTIONS,
    )


def _single_claims(table: Table) -> list[Claim]:
    others = [name for name in table.learners if name != TRACKER]
    return [near_the_time(table, TRACKER), fewer_than_all(table, TRACKER, others, "pulls")]


def _sums_claims(table: Table) -> list[Claim]:
    """The tracker against others with the same σ, and each with its own."""
    tracker = TRACKER + INDEPENDENT
    same = [name for name in table.learners if name.endswith(INDEPENDENT) and name != tracker]
    own = [name for name in table.learners if not name.endswith(INDEPENDENT)]
    return [
        near_the_time(table, tracker),
        fewer_than_all(table, tracker, same, "pulls"),
        fewer_than_all(table, TRACKER, [name for name in own if name != TRACKER], "pulls"),
        share_of(table, tracker, _SHARES, "pulls"),
        share_of(table, tracker, _SAME_SHARES, "pulls"),
    ]
