"""Who plays in the league, on what, and for how long: all by these tables, nothing by silence.

What a learner assumes is read off what it declares of itself. What an identifying learner
identifies, and who is too slow for what, is written down here; the tests hold these tables against
the registry.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec, Series
from cpe_opt.formulations.dueling.borda_time import borda_time
from cpe_opt.formulations.dueling.characteristic_time import CharacteristicTime
from cpe_opt.formulations.dueling.condorcet_time import condorcet_time
from cpe_opt.formulations.dueling.copeland_time import copeland_time
from cpe_opt.formulations.dueling.lower_bound import CopelandBound, copeland_bound
from cpe_opt.learners.declaration import Declaration, declaration_of
from cpe_opt.learners.registry import get_learner, learners_of
from cpe_opt.problems.catalogue import INSTANCES, load_instance
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.random_matrices import bradley_terry, mslr_like, random_cycle

Target: TypeAlias = Literal["copeland", "condorcet", "borda", "ranking"]

DELTA = 0.05
SIZES = (16, 64, 136)
# With seed 0 the two best of 16 arms of Bradley and Terry win 0.501 of their duels: T* is 2.4e6.
_SEED = 1
MANY_ARMS = 64  # from here on runs are fewer, and some learners too slow

# What each learner identifies; "savage" stands for its two targets.
TARGETS: Mapping[str, Target] = {
    "borda-tracking": "borda",
    "condorcet-tracking": "condorcet",
    "copeland-identification": "copeland",
    "copeland-tracking": "copeland",
    "dkwt": "condorcet",
    "noisy-tournament": "condorcet",
    "pbr": "copeland",
    "pocowista": "copeland",
    "rankel": "ranking",
    "savage": "copeland",
}
SAVAGE_CONDORCET = "savage (condorcet)"

# With many arms these take up to a third of a millisecond a round, in every round.
SLOW_FOR_REGRET = ("cw-rmed", "d-ts", "d-ts-plus", "versatile-db")
FEW_RUNS = (*SLOW_FOR_REGRET, "ecw-rmed", "merge-dts")
# Learners that are not run on instances with more arms than this, with the reason.
MOST_ARMS: Mapping[str, tuple[int, str]] = {
    "cw-rmed": (16, "it solves a program with a row for each set of pairs, for minutes a run"),
    "d-ts": (136, "a round draws a sample of every pair"),
    "d-ts-plus": (136, "a round draws a sample of every pair"),
    "ecw-rmed": (136, "its plan is made again for each winner that a run takes for the best"),
    "versatile-db": (136, "a round solves for a distribution over the arms"),
    "pbr": (64, "its race holds all pairs to the end"),
    "rankel": (64, "its race holds all pairs to the end"),
    "savage": (136, "its race holds all pairs to the end"),
    SAVAGE_CONDORCET: (136, "its race holds all pairs to the end"),
    "copeland-tracking": (136, "its program is solved again as estimates move"),
    "borda-tracking": (136, "its shares are balanced again as estimates move"),
}
# The same on single instances.
TOO_LONG: Mapping[tuple[str, str], str] = {
    ("copeland-tracking", f"{kind}-136"): "its program is solved again as estimates move"
    for kind in ("random-cycle", "mslr-like")
}


@dataclass(frozen=True, eq=False)
class LeagueInstance:
    """A preference matrix with the bounds on what it costs.

    Attributes
    ----------
    problem : PreferenceMatrix
    """

    problem: PreferenceMatrix

    @property
    def name(self) -> str:
        """That of the matrix."""
        return self.problem.name

    @property
    def condorcet(self) -> bool:
        """Whether there is a Condorcet winner."""
        return self.problem.condorcet_winner is not None

    @property
    def tied(self) -> bool:
        """Whether two arms tie."""
        return bool(self.problem.ties)

    @property
    def many(self) -> bool:
        """Whether runs are fewer here."""
        return self.problem.arms >= MANY_ARMS

    @cached_property
    def bound(self) -> CopelandBound:
        """C*, and the exploration that attains it."""
        return copeland_bound(self.problem)

    @cached_property
    def condorcet_bound(self) -> CharacteristicTime:
        """The same for algorithms that are told of a Condorcet winner."""
        return condorcet_time(self.problem, prices=self.problem.regret())

    @cached_property
    def _times(self) -> dict[Target, CharacteristicTime]:
        return {}

    def time(self, target: Target) -> CharacteristicTime | None:
        """T* of what is to be identified; None where there is no such thing.

        A ranking has no characteristic time here: its first arm is a Copeland winner, so that it
        costs at least as much as one.
        """
        if target == "condorcet" and not self.condorcet:
            return None
        if target not in self._times:
            if target == "condorcet":
                self._times[target] = condorcet_time(self.problem)
            elif target == "borda":
                self._times[target] = borda_time(self.problem)
            else:
                self._times[target] = copeland_time(self.problem)
        return self._times[target]

    def right(self, target: Target, answer: Any) -> bool:
        """Whether an answer, as it is read from a file, is right."""
        mu = self.problem
        if target == "ranking":
            scores = mu.copeland_scores[list(answer)]
            return bool((np.diff(scores) <= 0).all())
        winners = {
            "copeland": mu.copeland_winners,
            "condorcet": (mu.condorcet_winner,),
            "borda": mu.borda_winners,
        }
        return answer in winners[target]


def league_instances(most: float = math.inf) -> list[LeagueInstance]:
    """Those of the catalogue and the random ones; with a Condorcet winner first, then by size.

    Parameters
    ----------
    most : float
        Arms: larger ones are left out.
    """
    problems = [load_instance(name) for name, each in INSTANCES.items() if each.family == "dueling"]
    problems += [
        make(arms, seed=_SEED)
        for arms in SIZES
        for make in (bradley_terry, random_cycle, mslr_like)
    ]
    found = [LeagueInstance(problem) for problem in problems if problem.arms <= most]
    return sorted(found, key=lambda each: (not each.condorcet, each.problem.arms))


@dataclass(frozen=True)
class Entry:
    """A learner of the league, under the name of its line.

    Attributes
    ----------
    spec : LearnerSpec
    declaration : Declaration
    target : Target or None
        None for regret.
    """

    spec: LearnerSpec
    declaration: Declaration
    target: Target | None = None

    @property
    def name(self) -> str:
        """Of its line."""
        return self.spec.name

    @property
    def wants_condorcet(self) -> bool:
        """Whether its theorem needs a Condorcet winner."""
        return self.declaration.guarantee.startswith(("with a Condorcet winner", "the Condorcet"))

    @property
    def wants_no_ties(self) -> bool:
        """Whether its theorem needs that no two arms tie."""
        says = self.declaration
        needs = ("without ties", "all pairs are decided")
        return says.endless_if == "two arms tie" or any(each in says.guarantee for each in needs)

    def regret_bound(self, instance: LeagueInstance) -> CopelandBound | CharacteristicTime:
        """What the learner loses per ln T at least, in the long run."""
        told = self.wants_condorcet and instance.condorcet
        return instance.condorcet_bound if told else instance.bound

    def covered(self, instance: LeagueInstance) -> bool:
        """Whether the learner's theorem covers the instance."""
        if self.wants_condorcet and not instance.condorcet:
            return False
        return not (self.wants_no_ties and instance.tied)

    def too_slow(self, instance: LeagueInstance) -> str:
        """Why it takes too long on an instance; empty if it does not."""
        most, reason = MOST_ARMS.get(self.name, (math.inf, ""))
        if instance.problem.arms > most:
            return reason
        return TOO_LONG.get((self.name, instance.name), "")

    def left_out(self, instance: LeagueInstance) -> str:
        """Why it is not run on an instance; empty if it is."""
        if self.target is not None:
            time = instance.time(self.target)
            if time is None:
                return "there is no Condorcet winner to identify"
            if math.isinf(time.value):
                return f"two arms may be the {self.target.title()} winner: T* is infinite"
            if self.name == "noisy-tournament" and instance.tied:
                return "it must be told the least advantage of a pair, which is 0"
        elif instance.problem.arms > max(SIZES):
            return "at T = 10^6 C* ln T is still a sixth of what random pairs lose"
        elif not 0.0 < instance.bound.value < math.inf:
            return f"C* is {instance.bound.value:g}"
        return self.too_slow(instance)

    def parameters(self, instance: LeagueInstance, most: int) -> dict[str, Any]:
        """Those with which it identifies, where a run has so many duels at most."""
        found = {**self.spec.parameters, "delta": DELTA}
        if self.name == "pbr":
            found["max_duels"] = most  # of a pair: so many that every pair is decided
        if self.name == "noisy-tournament":
            mu = instance.problem
            found["h"] = float(mu.gaps[np.triu_indices(mu.arms, 1)].min())
        return found


@dataclass(frozen=True, eq=False)
class LeagueRuns:
    """The runs of a learner for regret on an instance.

    Attributes
    ----------
    entry : Entry
    instance : LeagueInstance
    series : Series or None
        None where the learner is left out.
    """

    entry: Entry
    instance: LeagueInstance
    series: Series | None


def regret_entries() -> list[Entry]:
    """Every dueling learner for regret: those for all matrices first."""
    found = [Entry(LearnerSpec(name), _says(name)) for name in _with_goal(regret=True)]
    return sorted(found, key=lambda entry: entry.wants_condorcet)


def identification_entries() -> list[Entry]:
    """Every dueling learner that identifies something, by what it is."""
    found = [
        Entry(LearnerSpec(name), _says(name), TARGETS[name]) for name in _with_goal(regret=False)
    ]
    savage = LearnerSpec("savage", {"target": "condorcet"}, label=SAVAGE_CONDORCET)
    found.append(Entry(savage, _says("savage"), "condorcet"))
    order = ("copeland", "ranking", "condorcet", "borda")
    return sorted(found, key=lambda entry: order.index(entry.target or "copeland"))


def _with_goal(*, regret: bool) -> list[str]:
    return [name for name in learners_of("dueling") if (_says(name).goal == "regret") == regret]


def _says(name: str) -> Declaration:
    return declaration_of(get_learner(name))
