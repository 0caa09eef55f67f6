"""The league of dueling bandits: regret by C* ln T, identification by T* ln(1/delta).

What the bounds are, ``pages/league.md`` says. Which learner is run on which matrix follows from the
tables below and from the learners' declarations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.formulations.dueling.borda_time import borda_time
from cpe_opt.formulations.dueling.condorcet_time import condorcet_time
from cpe_opt.formulations.dueling.copeland_time import copeland_time
from cpe_opt.formulations.dueling.lower_bound import copeland_bound
from cpe_opt.learners.declaration import Declaration, declaration_of
from cpe_opt.learners.registry import get_learner, learners_of
from cpe_opt.problems.catalogue import INSTANCES, load_instance
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.random_matrices import bradley_terry, mslr_like, random_cycle
from cpe_opt.reproductions.claims import Claim, all_hold, interval_claim
from cpe_opt.reproductions.league import (
    League,
    LeagueCell,
    LeagueInstance,
    LeagueTable,
    Limits,
    Player,
    Target,
)
from cpe_opt.reproductions.league_page import Played, league_claims, league_study
from cpe_opt.reproductions.study import PageTable, Settings, declared

DELTA = 0.05
SIZES = (16, 64, 136)
# With seed 0 the two best of 16 arms of Bradley and Terry win 0.501 of their duels: T* is 2.4e6.
_SEED = 1
MANY_ARMS = 64  # from here on runs are fewer, and some learners too slow

# Goals. Those of regret are bounds; the others are what is identified.
LOST, LOST_TOLD = "C*", "C* for algorithms that are told of a Condorcet winner"
COPELAND, RANKING, BORDA = "Copeland winner", "ranking", "Borda winner"
CONDORCET, CONDORCET_TOLD = "Condorcet winner", "Condorcet winner, told the least advantage"
_DECLARED = declared("league")
TARGETS: Mapping[str, str] = _DECLARED["targets"]
GROUPS: Mapping[str, str] = _DECLARED["groups"]
SLOW: Mapping[str, Mapping[str, Any]] = _DECLARED["slow"]
SAVAGE_CONDORCET = "savage (condorcet)"
_MAX_DUELS, _MAX_DUELS_SLOW = 10**7, 2 * 10**6  # duels of a run; of a slow race with many arms
_LITTLE = 0.1  # of the rounds: what the exploration of the bound may be where it says something
_NEAR = 3.0  # times C* ln T
_CHANCE = "random-pairs"


# Instances and learners


@dataclass(frozen=True, eq=False)
class Matrix(LeagueInstance):
    """A preference matrix with the bounds on what it costs."""

    exploration: float = 0.0  # duels by ln T that attain C*

    @property
    def condorcet(self) -> bool:
        """Whether there is a Condorcet winner."""
        return self.problem.condorcet_winner is not None

    def horizon(self, settings: Settings) -> int:
        """Rounds of regret."""
        return settings.choose(10**4, 10**6 if self.problem.arms >= MANY_ARMS else 10**5)

    def explored(self, horizon: int) -> float:
        """The share of the rounds that the exploration which attains C* takes."""
        return self.exploration * math.log(horizon) / horizon


def league_problems(max_arms: float = math.inf) -> list[PreferenceMatrix]:
    """Those of the catalogue and the random ones; with a Condorcet winner first, then by size."""
    found = [load_instance(name) for name, each in INSTANCES.items() if each.family == "dueling"]
    found += [
        make(arms, seed=_SEED)
        for arms in SIZES
        for make in (bradley_terry, random_cycle, mslr_like)
    ]
    chosen = [mu for mu in found if mu.arms <= max_arms]
    return sorted(chosen, key=lambda mu: (mu.condorcet_winner is None, mu.arms))


def league_instances(max_arms: float = math.inf) -> list[Matrix]:
    """The same, with everything that may be looked for there."""
    return [matrix(mu) for mu in league_problems(max_arms)]


def matrix(mu: PreferenceMatrix) -> Matrix:
    """A matrix with everything that may be looked for there."""
    bound, copeland, borda = copeland_bound(mu), copeland_time(mu).value, borda_time(mu).value
    early = "at T = 10^6 C* ln T is still a sixth of what random pairs lose"
    missing = early if mu.arms > max(SIZES) else ""
    if mu.condorcet_winner is None:
        told, condorcet = bound.value, math.nan
        none = "there is no Condorcet winner to identify"
    else:
        told, condorcet = (condorcet_time(mu, prices=p).value for p in (mu.regret(), None))
        none = _unless_finite(condorcet, CONDORCET)
    least_gap = "" if not mu.ties else "it must be told the least advantage of a pair, which is 0"
    unless = _unless_finite(copeland, COPELAND)
    winners = len(mu.copeland_winners)
    goals = {
        LOST: Target(bound.value, missing=missing),
        LOST_TOLD: Target(told, missing=missing),
        COPELAND: Target(copeland, _one_of(mu.copeland_winners), winners=winners, missing=unless),
        RANKING: Target(copeland, partial(_ranks, mu), winners=winners, missing=unless),
        CONDORCET: Target(condorcet, _one_of([mu.condorcet_winner]), winners=1, missing=none),
        CONDORCET_TOLD: Target(
            condorcet, _one_of([mu.condorcet_winner]), missing=none or least_gap
        ),
        BORDA: Target(borda, _one_of(mu.borda_winners), missing=_unless_finite(borda, BORDA)),
    }
    kind = "no arm beats" if mu.condorcet_winner is None else "one arm beats"
    label = mu.name if mu.name.endswith(f"-{mu.arms}") else f"{mu.name} ({mu.arms})"
    exploration = float(np.triu(bound.exploration, 1).sum())
    return Matrix(mu, f"{kind} all others", goals, label, exploration)


def _unless_finite(time: float, goal: str) -> str:
    return f"two arms may be the {goal}: T* is infinite" if math.isinf(time) else ""


def _one_of(winners: Sequence[int | None]) -> Callable[[Any], bool]:
    return lambda answer: answer in winners


def _ranks(mu: PreferenceMatrix, answer: Sequence[int]) -> bool:
    """Whether arms are in the order of their Copeland scores."""
    return bool((np.diff(mu.copeland_scores[list(answer)]) <= 0).all())


def regret_players() -> list[Player]:
    """Every dueling learner for regret: those for all matrices first."""
    names = [name for name in learners_of("dueling") if _says(name).goal == "regret"]
    found = [
        player(LearnerSpec(name), LOST_TOLD if wants_condorcet(name) else LOST) for name in names
    ]
    return sorted(found, key=lambda each: each.goal == LOST_TOLD)


def identification_players() -> list[Player]:
    """Every dueling learner that identifies something, by what it is."""
    found = []
    for name, goal in TARGETS.items():
        spec = LearnerSpec(name)
        if name == SAVAGE_CONDORCET:
            spec = LearnerSpec("savage", {"target": "condorcet"}, label=name)
        found.append(player(spec, goal))
    return found


def player(spec: LearnerSpec, goal: str) -> Player:
    """A learner with its limits, and what its theorem covers."""
    slow = SLOW.get(spec.name, {})
    shorter, most_arms = slow.get("shorter", False), slow.get("most_arms", math.inf)

    def limits(instance: LeagueInstance) -> Limits:
        # Runs are fewer with many arms, and of slow learners; of regret, with most arms again.
        arms = instance.problem.arms
        never = arms > most_arms or instance.name in slow.get("never_on", ())
        too_slow = slow["why"] if never else ""
        if arms < MANY_ARMS:
            fewer = goal in (LOST, LOST_TOLD) and spec.name in SLOW
            return Limits(_MAX_DUELS, 5 if fewer else 10, too_slow=too_slow)
        runs = 2 if spec.name in SLOW else 5
        if arms == max(SIZES) and goal in (LOST, LOST_TOLD):
            runs = 1 if spec.name in SLOW else 3
        return Limits(duels(arms), runs, 10 if shorter else 1, too_slow)

    def duels(arms: int) -> int:
        return _MAX_DUELS_SLOW if shorter and arms >= MANY_ARMS else _MAX_DUELS

    def told(mu: PreferenceMatrix) -> dict[str, Any]:
        if spec.name == "pbr":  # of a pair: so many that every pair is decided
            return {"max_duels": duels(mu.arms)}
        if goal == CONDORCET_TOLD:
            return {"h": float(mu.gaps[np.triu_indices(mu.arms, 1)].min())}
        return {}

    def covers(instance: LeagueInstance) -> bool:
        mu, name = instance.problem, str(spec.learner)
        none = wants_condorcet(name) and mu.condorcet_winner is None
        return not (none or (wants_no_ties(name) and bool(mu.ties)))

    return Player(spec, goal, GROUPS[goal], told, limits, covers)


def wants_condorcet(name: str) -> bool:
    """Whether a learner's theorem needs a Condorcet winner."""
    return _says(name).guarantee.startswith(("with a Condorcet winner", "the Condorcet"))


def wants_no_ties(name: str) -> bool:
    """Whether a learner's theorem needs that no two arms tie."""
    says = _says(name)
    needs = ("without ties", "all pairs are decided")
    return says.endless_if == "two arms tie" or any(each in says.guarantee for each in needs)


def _says(name: str) -> Declaration:
    return declaration_of(get_learner(name))


# Claims


def _claims(played: Sequence[Played]) -> list[Claim]:
    """Regret, then identification, then the limit of small delta."""
    lost, needed = played
    table, marked = lost.table, lost.league.marked
    return [
        no_less(table, marked),
        *(near_the_bound(table, marked, learner) for learner in ("cw-rmed", "ecw-rmed")),
        *(beats(table, learner, "ccb") for learner in ("d-ts", "d-ts-plus", "ecw-rmed")),
        beats_all(table),
        *league_claims(needed),
    ]


def _full(cells: Sequence[LeagueCell]) -> list[LeagueCell]:
    """Those that count, and were run to the horizon of their instance, more than once."""
    return [cell for cell in cells if cell.counts and cell.runs > 1 and not cell.short]


def no_less(table: LeagueTable, marked: Sequence[str]) -> Claim:
    """Whether somebody loses less than C* ln T where T is long."""
    cells = _full(table.cells)
    long = [cell for cell in cells if cell.instance not in marked]
    less = [cell for cell in cells if cell.mean.high < 1.0]
    found = [cell for cell in less if cell in long]
    return Claim(
        "no-less",
        f"{len(found)} of {len(long)} are"
        + "".join(f"; {c.learner} on {c.instance} {c.mean_text}" for c in found)
        + f"; of the others, on instances marked †, {len(less) - len(found)}",
        not found if long else None,
    )


def near_the_bound(table: LeagueTable, marked: Sequence[str], learner: str) -> Claim:
    """Whether a learner with (nearly) the optimal constant comes near the bound."""
    cells = [cell for cell in _full(table.line(learner)) if cell.instance not in marked]
    return Claim(
        "near-the-bound",
        ", ".join(f"{cell.instance} {cell.mean_text}" for cell in cells),
        all_hold(cell.mean.within(high=_NEAR) for cell in cells),
        {"learner": learner, "high": _NEAR, "up": " up to C^E*/C*" * (learner == "ecw-rmed")},
    )


def beats(table: LeagueTable, better: str, worse: str) -> Claim:
    """Whether one learner has less regret than another wherever both are covered."""
    rivals = [(cell, table.cell(worse, cell.instance)) for cell in _full(table.line(better))]
    ratios = {cell.instance: cell.times(rival) for cell, rival in rivals if _full([rival])}
    return interval_claim("beats", ratios, ".2f", high=1.0, better=better, worse=worse)


def beats_all(table: LeagueTable) -> Claim:
    """Whether every learner has less regret than pairs at random have."""
    ratios = [
        (cell, cell.times(table.cell(_CHANCE, cell.instance)))
        for learner in table.learners
        if learner != _CHANCE
        for cell in _full(table.line(learner))
    ]
    losing = [(cell, ratio) for cell, ratio in ratios if not ratio.within(high=1.0)]
    return Claim(
        "beats-all",
        f"not so in {len(losing)} of {len(ratios)} cells"
        + "".join(f"; {c.learner} on {c.instance} {ratio.text('.2f')}" for c, ratio in losing),
        all_hold(ratio.within(high=1.0) for _, ratio in ratios),
    )


# The leagues


def leagues(settings: Settings) -> list[League]:
    """Regret and identification."""
    instances = league_instances(settings.choose(float(min(SIZES)), math.inf))
    horizons = {each.name: each.horizon(settings) for each in instances}
    rounds = f"T = {min(horizons.values()):,} rounds"
    if any(each.problem.arms >= MANY_ARMS for each in instances):
        rounds += f", {max(horizons.values()):,} from 64 arms on (*: a tenth of that)"
    lost = League(
        "regret",
        instances,
        regret_players(),
        note=f"Mean regret by C* ln T, {rounds}. †: T is too short for the bound to say much. In "
        "brackets after a name: the number of arms.",
        horizons=horizons,
        marked=[each.name for each in instances if each.explored(horizons[each.name]) > _LITTLE],
        about=_about(instances, horizons),
        **_DECLARED["regret"],
    )
    players, said = identification_players(), _DECLARED["identification"]
    needed = League("identification", instances, players, delta=DELTA, **said)
    return [lost, needed]


def _about(instances: Sequence[Matrix], horizons: Mapping[str, int]) -> PageTable:
    def row(each: Matrix) -> list[object]:
        mu, horizon = each.problem, horizons[each.name]
        told = f"{each.goals[LOST_TOLD].unit:,.4g}" if each.condorcet else "–"
        times = [each.goals[goal].unit for goal in (COPELAND, CONDORCET, BORDA)]
        return [
            *(each.name, mu.arms, "yes" if each.condorcet else "no", len(mu.copeland_winners)),
            *(f"{horizon:,}", f"{each.goals[LOST].unit:,.4g}", told),
            f"{each.explored(horizon):.1%}",
            *("–" if math.isnan(time) else f"{time:,.6g}" for time in times),
        ]

    head = "instance;arms;Condorcet winner;winners;T;C*;C*, Condorcet;explored;T*;T*, Condorcet"
    return PageTable((*head.split(";"), "T*, Borda"), [row(each) for each in instances])


STUDIES = (league_study("league", leagues, claims=_claims),)
