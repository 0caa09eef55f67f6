"""The league of matchings: the best one by duels of its edges.

What most learners look for is the Condorcet winner, with the characteristic time of
:func:`cpe_opt.matching_time`, by squared errors; Bernoulli duels tell more, so that it bounds
nobody from below. One looks for the Borda winner: by duels of an edge against that of a random
matching, whose mean is the weight of the edge; its unit is the time of the best set by these
weights from single rewards, ½-sub-Gaussian. Other duels may be worth more, so that this is a unit,
too, and no bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.formulations.matchings.matching_time import SIGMA, matching_time
from cpe_opt.formulations.subsets.subset_time import subset_time
from cpe_opt.learners.registry import learners_of
from cpe_opt.problems.catalogue import INSTANCES
from cpe_opt.problems.generators import planted_condorcet
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.reproductions.league_claims import fewer_than_all, near_the_time, share_of
from cpe_opt.reproductions.league_contest import Contest, Goal, Player, Task
from cpe_opt.reproductions.league_contest_page import contest_page
from cpe_opt.reproductions.league_table import Table
from cpe_opt.reproductions.page import Claim, Page
from cpe_opt.reproductions.settings import Settings

DELTA = 0.009  # two learners want less than 0.01
TRACKER = "matching-tracking"
EXCEPTIONS: Mapping[str, str] = {
    "clucb-borda-pac": "it answers a matching whose Borda score is within epsilon of the best: "
    "another question, whose least number of duels is not known here",
}
"""Learners of the family that do not play, with the reason."""
CONDORCET, BORDA = "Condorcet winner", "Borda winner"
BORDA_LEARNERS = ("clucb-borda-exact",)
_GROUPS = {CONDORCET: "the Condorcet\nwinner", BORDA: "the Borda\nwinner"}
_PLANTED, _SMALL = "planted, 5 candidates for 3 positions", "others"
_CURVED_ON = ("planted-5-3-0.05-1", "planted-5-3-0.05-4", "sparse")
_MOST, _MOST_BORDA, _RUNS_BORDA = 10**7, 3 * 10**5, 3
_SHARE, _SHARE_ON = {"car-cond": 1.0 / 3.0}, "planted-5-3"
_RUNS = 41  # of each: 410 in all, of which none may err to show that errors are below DELTA


def matchings(settings: Settings) -> Page:
    """The Condorcet winner, and the Borda winner, by duels."""
    return contest_page(matching_contest(), settings)


def matching_problems() -> list[tuple[str, MatchingDuels]]:
    """Five planted ones, those of the catalogue, near ties and graphs that are not complete."""
    swap = np.zeros((4, 4))
    swap[:2, :2], swap[2:, 2:] = [[0.5, 0.72], [0.28, 0.5]], [[0.5, 0.35], [0.65, 0.5]]
    close = planted_condorcet(3, 2, gap=0.02, seed=1)
    sparse = planted_condorcet(5, 3, gap=0.05, seed=2, density=0.5)
    built_in = [each.load() for each in INSTANCES.values() if each.family == "matchings"]
    return [
        *((_PLANTED, planted_condorcet(5, 3, gap=0.05, seed=seed)) for seed in range(1, 6)),
        *((_SMALL, each) for each in cast(list[MatchingDuels], built_in)),
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
    """Every learner that identifies a winner."""
    found = []
    for name in learners_of("matchings"):
        if name in EXCEPTIONS:
            continue
        spec, borda = LearnerSpec(name, label=name), name in BORDA_LEARNERS
        goal = BORDA if borda else CONDORCET
        found.append(
            Player(
                spec,
                goal,
                _GROUPS[goal],
                most=_MOST_BORDA if borda else _MOST,
                runs=_RUNS_BORDA if borda else None,
            )
        )
    return sorted(found, key=lambda player: player.goal == BORDA)


def matching_contest() -> Contest:
    """Who plays on what."""
    return Contest(
        title="The league of matchings",
        source="Every learner of this package that finds a winner among matchings by duels",
        setting=f"delta = {DELTA}, as CAR-Verify and CAR-Parallel want less than 0.01. "
        "*planted-c-p-gap-seed*: random problems of c candidates and p positions, with a Condorcet "
        "winner whose smallest lead is the gap; *near-tie* one of 3 and 2 with a lead of 0.02, "
        "*sparse* one of 5 and 3 that has half of the edges; in *swap* the winner loses at one "
        "position and wins at the other.",
        text="Mean duels until the answer, by T* ln(1/delta) of what the learner looks for: "
        "`matching_time` for the Condorcet winner; for the Borda winner `subset_time` of the "
        "edges' Borda weights from duels of an edge with that of a random matching. Both are for "
        "½-sub-Gaussian outcomes: duels may tell more, so that neither is a bound, and multiples "
        "below 1 would contradict nothing. **>**: not all runs were done by the duels after which "
        f"they are cut off ({_MOST:,}; {_MOST_BORDA:,} for the Borda winner), or CAR-Verify gave "
        "up: a lower bound. ✗: so many runs ended with a wrong answer. –: the learner is left "
        "out, see below. *typical*: the geometric mean of the line.",
        picture="Duels until the best matching is named, wrong with a probability of at most "
        f"{DELTA}, as a multiple of T* ln(1/δ)",
        notes=[
            "Numbers: mean duels by T* ln(1/δ) of what the learner is after (left).  > : not done "
            "when cut off, or given up: a lower bound.  1✗: one run gave a wrong answer.",
            "typical: the geometric mean of the line. T* is that of normal outcomes, variance ¼; "
            "duels may tell more.",
        ],
        samples="duels",
        answer="matching",
        delta=DELTA,
        tasks=matching_tasks(),
        players=matching_players(),
        runs=_RUNS,
        trackers=(TRACKER,),
        curved=(TRACKER, "car-cond", "car-parallel"),
        curved_on=_CURVED_ON,
        further=_claims,
        exceptions=EXCEPTIONS,
    )


def _claims(table: Table) -> list[Claim]:
    others = [name for name in table.learners if name not in (TRACKER, *BORDA_LEARNERS)]
    return [
        near_the_time(table, TRACKER),
        fewer_than_all(table, TRACKER, others),
        share_of(table, TRACKER, _SHARE, "duels", only=_SHARE_ON),
    ]
