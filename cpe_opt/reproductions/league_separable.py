r"""The league of separable rewards: the best decision from samples of single parameters.

For the best k of n arms T* is that of the best set from single rewards with σ = ½
(:func:`cpe_opt.subset_time`). For other decisions no program of T* is known: of water plans there
are bounds, :math:`1 / 2 \min_i \Lambda_i^2` and m times that (:func:`cpe_opt.separable_hardness`),
and the one from below is the unit. It is so, too, for variances (samples of opinions), for which
nothing is proved. As samples in [0, 1] may tell more than ½-sub-Gaussian noise does, none of them
bounds the mean number of samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.formulations.subsets.subset_time import subset_time
from cpe_opt.hardness.separable import separable_hardness
from cpe_opt.learners.registry import learners_of
from cpe_opt.problems.catalogue import INSTANCES
from cpe_opt.problems.separable.distributions import Bernoulli
from cpe_opt.problems.separable.model import BestSet
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.reproductions.huang2018 import random_problem
from cpe_opt.reproductions.league_claims import share_of
from cpe_opt.reproductions.league_contest import Contest, Goal, Player, Task
from cpe_opt.reproductions.league_contest_page import contest_page
from cpe_opt.reproductions.league_table import Table
from cpe_opt.reproductions.page import Claim, Page
from cpe_opt.reproductions.settings import Settings

DELTA = 0.05
EXCEPTIONS: Mapping[str, str] = {}
"""Learners of the family that do not play, with the reason."""
_GOAL = "best decision"
_TOP, _WATER, _OPINIONS = "the best k of n", "water plans", "samples of opinions †"
# Some of the random problems of huang2018, from those with even arms to those with uneven ones.
_SEEDS = {"top-k": (84, 22, 134), "water": (108, 126, 66), "opinions": (134, 130, 79)}
_KINDS = {"top-k": _TOP, "water": _WATER, "opinions": _OPINIONS}
_BUILT_IN = {"coins": _TOP, "water": _WATER, "opinions": _OPINIONS}
_NOISE = 0.5  # rewards in [0, 1] are ½-sub-Gaussian
_CURVED_ON = ("coins", "near-tie", "water", "opinions")


def separable(settings: Settings) -> Page:
    """The best decision for separable rewards."""
    return contest_page(separable_contest(), settings)


def separable_problems() -> list[tuple[str, SeparableProblem]]:
    """Those of the catalogue, random ones, and one that is nearly tied, with their kinds."""
    built_in = [
        (_BUILT_IN[name], cast(SeparableProblem, each.load()))
        for name, each in INSTANCES.items()
        if each.family == "separable"
    ]
    close = [Bernoulli(p) for p in (0.6, 0.55, 0.5, 0.2)]
    drawn = [
        (_KINDS[kind], random_problem(kind, seed))
        for kind, seeds in _SEEDS.items()
        for seed in seeds
    ]
    near_tie = (_TOP, SeparableProblem(BestSet(TopK(4, 2)), close, name="near-tie"))
    order = list(_KINDS.values())
    return sorted([*built_in, near_tie, *drawn], key=lambda each: order.index(each[0]))


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
        tasks.append(Task(problem, kind, {_GOAL: goal}))
    return tasks


def separable_contest() -> Contest:
    """Who plays on what."""
    tasks = separable_tasks()
    players = [
        Player(LearnerSpec(name, label=name), _GOAL, "the best\ndecision")
        for name in learners_of("separable")
        if name not in EXCEPTIONS
    ]
    return Contest(
        title="The league of separable rewards",
        source="Every learner of this package for separable rewards",
        setting=f"delta = {DELTA}. *top-k*, *water* and *opinions* with a number are random "
        "problems with Bernoulli arms, from even to uneven; *near-tie*: the best two of four "
        "coins, the second and third with probabilities 0.55 and 0.5.",
        text="Mean samples until the answer, by T* ln(1/delta): `subset_time` for the best k of n. "
        "For water plans no program of T* is known, and the unit is a bound of it from below; the "
        "one from above is as many times larger as there are arms, so that multiples may be that "
        "much too large. †: the same number as a unit for variances, for which it is no bound. "
        "Samples in [0, 1] may tell more than ½-sub-Gaussian noise. ✗: so many runs ended with a "
        "wrong answer. *typical*: the geometric mean of the line. No learner here tracks T*.",
        picture=f"Samples until the best decision, wrong with a probability of at most {DELTA}, "
        "as a multiple of T* ln(1/δ)",
        notes=[
            "Numbers: mean samples by T* ln(1/δ).  1✗: one run gave a wrong answer.  typical: the "
            "geometric mean of the line.",
            "For water plans the unit is a bound of T* from below, up to m times too small for m "
            "arms (4 and 5).",
            "†: variances; the unit is the same number, no bound.",
        ],
        samples="samples",
        answer="decision",
        delta=DELTA,
        tasks=tasks,
        players=players,
        runs=50,
        trackers=(),
        curved=tuple(player.name for player in players),
        curved_on=_CURVED_ON,
        further=_claims,
        marked=[task.name for task in tasks if task.kind == _OPINIONS],
        exceptions=EXCEPTIONS,
    )


def _claims(table: Table) -> list[Claim]:
    return [share_of(table, "coci", {"coci-uniform": 1.0}, "samples")]
