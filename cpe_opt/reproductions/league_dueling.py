"""The league of dueling bandits: regret by C* ln T, identification by T* ln(1/delta).

What the bounds are, ``pages/league.md`` says. Which learner is run on which matrix follows from the
tables below and from the learners' declarations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
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
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.reproductions.league import (
    League,
    LeagueInstance,
    Limits,
    Player,
    Target,
    league_study,
)
from cpe_opt.reproductions.study import Settings, built, declared

DELTA = 0.05
_SMALL, _MOST_ARMS = 16.0, 136  # arms in a quick league, and where regret is measured
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
RUNS, RUNS_MANY = 20, 10  # of each learner; with many arms
_LITTLE = 0.1  # of the rounds: what the exploration of the bound may be where it says something


# Instances and learners


def league_problems(max_arms: float = math.inf) -> list[PreferenceMatrix]:
    """Those that are declared; with a Condorcet winner first, then by size."""
    chosen = [mu for mu in built(_DECLARED["problems"]) if mu.arms <= max_arms]
    return sorted(chosen, key=lambda mu: (mu.condorcet_winner is None, mu.arms))


def league_instances(settings: Settings) -> list[LeagueInstance]:
    """The same, with everything that may be looked for there; small ones in a quick league."""
    return [matrix(mu, settings) for mu in league_problems(settings.choose(_SMALL, math.inf))]


def matrix(mu: PreferenceMatrix, settings: Settings) -> LeagueInstance:
    """A matrix with everything that may be looked for there."""
    bound, copeland, borda = copeland_bound(mu), copeland_time(mu).value, borda_time(mu).value
    missing = f"regret is measured up to {_MOST_ARMS} arms" if mu.arms > _MOST_ARMS else ""
    winner, kind = mu.condorcet_winner, "one arm beats all others"
    if winner is None:
        told, condorcet, kind = math.nan, math.nan, "no arm beats all others"
        none = "there is no Condorcet winner to identify"
    else:
        told, condorcet = (condorcet_time(mu, prices=p).value for p in (mu.regret(), None))
        none = _unless_finite(condorcet, CONDORCET)
    least_gap = "" if not mu.ties else "it must be told the least advantage of a pair, which is 0"
    unless = _unless_finite(copeland, COPELAND)
    several: dict[str, Any] = {"winners": len(mu.copeland_winners), "missing": unless}
    goals = {
        LOST: Target(bound.value, missing=missing),
        LOST_TOLD: Target(bound.value if winner is None else told, missing=missing),
        COPELAND: Target(copeland, _one_of(mu.copeland_winners), **several),
        RANKING: Target(copeland, partial(_ranks, mu), **several),
        CONDORCET: Target(condorcet, _one_of([winner]), winners=1, missing=none),
        CONDORCET_TOLD: Target(condorcet, _one_of([winner]), missing=none or least_gap),
        BORDA: Target(borda, _one_of(mu.borda_winners), missing=_unless_finite(borda, BORDA)),
    }
    horizon = settings.choose(10**4, 10**6 if mu.arms >= MANY_ARMS else 10**5)
    about = {
        "arms": mu.arms,
        "condorcet": "no" if winner is None else "yes",
        "horizon": horizon,
        "winners": len(mu.copeland_winners),
        "lost": bound.value,
        "told": told,
        "copeland": copeland,
        "only": condorcet,
        "borda": borda,
        "explored": float(np.triu(bound.exploration, 1).sum()) * math.log(horizon) / horizon,
    }
    return LeagueInstance(mu, kind, goals, about, horizon)


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
    condorcet = LearnerSpec("savage", {"target": "condorcet"}, label=SAVAGE_CONDORCET)
    special = {SAVAGE_CONDORCET: condorcet}
    return [player(special.get(name, LearnerSpec(name)), goal) for name, goal in TARGETS.items()]


def player(spec: LearnerSpec, goal: str) -> Player:
    """A learner with its limits, and what its theorem covers."""
    slow = SLOW.get(spec.name, {})

    def limits(instance: LeagueInstance) -> Limits:
        arms = instance.problem.arms
        never = arms > slow.get("most_arms", math.inf) or instance.name in slow.get("never_on", ())
        many = arms >= MANY_ARMS
        short = many and slow.get("shorter", False)
        runs, why = RUNS_MANY if many else RUNS, slow["why"] if never else ""
        samples, share = (_MAX_DUELS_SLOW, 10) if short else (_MAX_DUELS, 1)
        return Limits(samples, runs, share, why)

    def told(mu: PreferenceMatrix) -> dict[str, Any]:
        if spec.name == "pbr":  # of a pair: so many that every pair is decided
            return {"max_duels": limits(LeagueInstance(mu, "", {})).samples}
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


# The leagues


def leagues(settings: Settings) -> list[League]:
    """Regret and identification."""
    instances, said = league_instances(settings), _DECLARED["identification"]
    marked = [each.name for each in instances if each.about["explored"] > _LITTLE]
    lost = League("regret", instances, regret_players(), marked=marked, **_DECLARED["regret"])
    return [lost, League("identification", instances, identification_players(), **said)]


STUDIES = (league_study("league", leagues),)
