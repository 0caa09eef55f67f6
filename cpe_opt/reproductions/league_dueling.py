r"""The league of dueling bandits: regret by C* ln T, identification by T* ln(1/delta).

**Regret** (Komiyama, Honda, Nakagawa, ICML 2016): an algorithm whose regret grows less than any
power of T on every matrix loses at least about :math:`C^* \ln T` for large T
(:func:`cpe_opt.copeland_bound`). One whose regret does so on matrices with a Condorcet winner loses
on these at least about :math:`\sum_j \min_k (r_{jk}/d_{jk}) \ln T` over the arms k that beat j
(Komiyama, Honda, Kashima, Nakagawa, COLT 2015), which may be less: :func:`cpe_opt.condorcet_time`
with regrets as prices. Neither says anything of a horizon at which the exploration that attains it
is a good part of the rounds: an algorithm that stops exploring early may lose less there.

**Identification**: T* is that of what a learner identifies: a Copeland winner
(:func:`cpe_opt.copeland_time`), the Condorcet winner that is known to exist
(:func:`cpe_opt.condorcet_time`), the Borda winner (:func:`cpe_opt.borda_time`). Where one of m
Copeland winners may be named, T* ln(1/delta) is what the best algorithms need in the limit of small
delta alone, and m times the bound. The characteristic time of a Borda winner is made for normal
outcomes, and no bound for duels.

Which learner is run on which matrix follows from the tables below and from the learners'
declarations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec, plan_series
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.formulations.dueling.borda_time import borda_time
from cpe_opt.formulations.dueling.characteristic_time import CharacteristicTime
from cpe_opt.formulations.dueling.condorcet_time import condorcet_time
from cpe_opt.formulations.dueling.copeland_time import copeland_time
from cpe_opt.formulations.dueling.lower_bound import CopelandBound, copeland_bound
from cpe_opt.learners.declaration import Declaration, declaration_of
from cpe_opt.learners.dueling.noisy_tournament import NO_WINNER
from cpe_opt.learners.registry import get_learner, learners_of
from cpe_opt.problems.catalogue import INSTANCES, load_instance
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.random_matrices import bradley_terry, mslr_like, random_cycle
from cpe_opt.reproductions.claims import Claim, all_hold, interval_claim
from cpe_opt.reproductions.league import (
    BINDING,
    FALLING,
    Cell,
    Curves,
    Table,
    cells_frame,
    curve_claims,
    curve_section,
    curves_of,
    errs_as_allowed,
    fewer_than_all,
    in_short,
    least_multiple,
    levels,
    near_the_time,
    no_fewer,
    runs_section,
    stopping_series,
    table_of,
    table_section,
)
from cpe_opt.reproductions.league_picture import Heading, draw_league
from cpe_opt.reproductions.regret import play_longest_first
from cpe_opt.reproductions.study import Section, Settings, Study

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
# What learners look for, in the order of lines: on the page, and in the picture.
GROUPS: Mapping[Target, tuple[str, str]] = {
    "copeland": ("a Copeland winner", "a Copeland\nwinner"),
    "ranking": ("a ranking", "all\nranks"),
    "condorcet": ("the Condorcet winner", "the Condorcet\nwinner"),
    "borda": ("the Borda winner", "the Borda\nwinner"),
}
TRACKING = ("copeland-tracking", "condorcet-tracking", "borda-tracking")
TOLD_MORE = ("noisy-tournament",)  # than the others, so that the bound is not theirs
# The curves by delta: who is made to reach T*, who else is drawn, and where.
TRACKER, CURVED = "copeland-tracking", ("pocowista", "savage")
_CURVED_ON = ("gap", "cyclic", "mslr5-condorcet", "sushi")

# With many arms these take up to a third of a millisecond a round, in every round.
SLOW_FOR_REGRET = ("cw-rmed", "d-ts", "d-ts-plus", "versatile-db")
FEW_RUNS = (*SLOW_FOR_REGRET, "ecw-rmed", "merge-dts")
SLOW_RACES = ("pbr", "rankel", "savage", SAVAGE_CONDORCET)
_MAX_DUELS, _MAX_DUELS_SLOW = 10**7, 2 * 10**6  # duels of a run; of a slow race with many arms
# Learners that are not run on instances with more arms than this, with the reason.
_EVERY_PAIR, _RACE = "a round draws a sample of every pair", "its race holds all pairs to the end"
_AGAIN = "its program is solved again as estimates move"
MOST_ARMS: Mapping[str, tuple[int, str]] = {
    "cw-rmed": (16, "it solves a program with a row for each set of pairs, for minutes a run"),
    "d-ts": (136, _EVERY_PAIR),
    "d-ts-plus": (136, _EVERY_PAIR),
    "ecw-rmed": (136, "its plan is made again for each winner that a run takes for the best"),
    "versatile-db": (136, "a round solves for a distribution over the arms"),
    "pbr": (64, _RACE),
    "rankel": (64, _RACE),
    "savage": (136, _RACE),
    SAVAGE_CONDORCET: (136, _RACE),
    "copeland-tracking": (136, _AGAIN),
    "borda-tracking": (136, "its shares are balanced again as estimates move"),
}
# The same on single instances.
TOO_LONG: Mapping[tuple[str, str], str] = {
    ("copeland-tracking", f"{kind}-136"): _AGAIN for kind in ("random-cycle", "mslr-like")
}

_LITTLE = 0.1  # of the rounds: what the exploration of the bound may be where it says something
_NEAR = 3.0  # times C* ln T
_OPTIMAL = ("cw-rmed", "ecw-rmed")
_CHANCE = "random-pairs"
_MADE_FOR = {
    "for any matrix": "for any\nmatrix",
    "made for a Condorcet winner": "made for a\nCondorcet\nwinner",
}


# Instances and learners


@dataclass(frozen=True, eq=False)
class LeagueInstance:
    """A preference matrix with the bounds on what it costs."""

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
    def times(self) -> dict[Target, CharacteristicTime]:
        """T* of what may be identified there.

        A ranking has no characteristic time here: its first arm is a Copeland winner, so that it
        costs at least as much as one.
        """
        copeland, borda = copeland_time(self.problem), borda_time(self.problem)
        found: dict[Target, CharacteristicTime]
        found = {"copeland": copeland, "ranking": copeland, "borda": borda}
        if self.condorcet:
            found["condorcet"] = condorcet_time(self.problem)
        return found

    def right(self, target: Target, answer: Any) -> bool:
        """Whether an answer, as it is read from a file, is right."""
        mu = self.problem
        if target == "ranking":
            return bool((np.diff(mu.copeland_scores[list(answer)]) <= 0).all())
        if target == "condorcet":
            return bool(answer == mu.condorcet_winner)
        return answer in (mu.borda_winners if target == "borda" else mu.copeland_winners)

    def horizon(self, settings: Settings, learner: str = "") -> int:
        """Rounds of regret; those of a slow learner are fewer with many arms."""
        long = self.many and learner not in SLOW_FOR_REGRET
        return settings.choose(10**4, 10**6 if long else 10**5)

    def explored(self, horizon: int) -> float:
        """The share of the rounds that the exploration which attains C* takes."""
        return float(np.triu(self.bound.exploration, 1).sum()) * math.log(horizon) / horizon


def league_instances(max_arms: float = math.inf) -> list[LeagueInstance]:
    """Those of the catalogue and the random ones; with a Condorcet winner first, then by size.

    Parameters
    ----------
    max_arms : float
        Arms: larger ones are left out.
    """
    problems = [load_instance(name) for name, each in INSTANCES.items() if each.family == "dueling"]
    problems += [
        make(arms, seed=_SEED)
        for arms in SIZES
        for make in (bradley_terry, random_cycle, mslr_like)
    ]
    found = [LeagueInstance(problem) for problem in problems if problem.arms <= max_arms]
    return sorted(found, key=lambda each: (not each.condorcet, each.problem.arms))


@dataclass(frozen=True)
class Entry:
    """A learner of the league, under the name of its line; its target is None for regret."""

    spec: LearnerSpec
    declaration: Declaration
    target: Target | None = None

    @property
    def name(self) -> str:
        """Of its line."""
        return self.spec.name

    @property
    def group(self) -> str:
        """What lines that stand together have in common."""
        return GROUPS[self.target][0] if self.target else list(_MADE_FOR)[self.wants_condorcet]

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
        return not (self.wants_no_ties and instance.problem.ties)

    def too_slow(self, instance: LeagueInstance) -> str:
        """Why it takes too long on an instance; empty if it does not."""
        most, reason = MOST_ARMS.get(self.name, (math.inf, ""))
        if instance.problem.arms > most:
            return reason
        return TOO_LONG.get((self.name, instance.name), "")

    def left_out(self, instance: LeagueInstance) -> str:
        """Why it is not run on an instance; empty if it is."""
        if self.target is not None:
            if self.target not in instance.times:
                return "there is no Condorcet winner to identify"
            if math.isinf(instance.times[self.target].value):
                return f"two arms may be the {self.target.title()} winner: T* is infinite"
            if self.name == "noisy-tournament" and instance.problem.ties:
                return "it must be told the least advantage of a pair, which is 0"
        elif instance.problem.arms > max(SIZES):
            return "at T = 10^6 C* ln T is still a sixth of what random pairs lose"
        elif not 0.0 < instance.bound.value < math.inf:
            return f"C* is {instance.bound.value:g}"
        return self.too_slow(instance)

    def parameters(self, instance: LeagueInstance, max_duels: int) -> dict[str, Any]:
        """Those with which it identifies, where a run has so many duels at most."""
        found = {**self.spec.parameters, "delta": DELTA}
        if self.name == "pbr":
            found["max_duels"] = max_duels  # of a pair: so many that every pair is decided
        if self.name == "noisy-tournament":
            mu = instance.problem
            found["h"] = float(mu.gaps[np.triu_indices(mu.arms, 1)].min())
        return found


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
    return sorted(found, key=lambda entry: list(GROUPS).index(entry.target or "copeland"))


def _with_goal(*, regret: bool) -> list[str]:
    return [name for name in learners_of("dueling") if (_says(name).goal == "regret") == regret]


def _says(name: str) -> Declaration:
    return declaration_of(get_learner(name))


def _targets() -> dict[str, Target]:
    return {entry.name: entry.target or "copeland" for entry in identification_entries()}


# Runs


def regret_runs(entry: Entry, instance: LeagueInstance, settings: Settings) -> Cell:
    """Runs to the horizon; none where the learner is left out."""
    cell = _unplanned(entry, instance)
    if cell.left_out:
        return cell
    few = entry.name in FEW_RUNS
    fewest, most = (1, 3) if instance.problem.arms == max(SIZES) else (2, 5)
    runs = (fewest if few else most) if instance.many else (5 if few else 10)
    (series,) = plan_series(
        [entry.spec],
        [instance.problem],
        runs=settings.choose(3, runs),
        horizon=instance.horizon(settings, entry.name),
        seed=settings.seed,
        out=settings.out / "runs",
        regret="mean",
    )
    horizon = series.horizon or 1
    bound = entry.regret_bound(instance).value * math.log(horizon)
    short = horizon < instance.horizon(settings)
    return replace(cell, bound=bound, series=series, short=short)


def identification_runs(
    entry: Entry, instance: LeagueInstance, settings: Settings, runs: int, delta: float = DELTA
) -> Cell:
    """Runs that stop by themselves, or are cut off; none where the learner is left out."""
    cell, target = _unplanned(entry, instance), entry.target or "copeland"
    if cell.left_out:
        return cell
    max_duels = _MAX_DUELS_SLOW if entry.name in SLOW_RACES and instance.many else _MAX_DUELS
    parameters = {**entry.parameters(instance, max_duels), "delta": delta}
    return replace(
        cell,
        bound=instance.times[target].value * math.log(1.0 / delta),
        series=stopping_series(
            entry.spec,
            instance.problem,
            parameters,
            max_samples=max_duels,
            runs=runs,
            settings=settings,
        ),
        right=partial(instance.right, target),
        delta=delta,
        proofs=("", NO_WINNER),
    )


def _unplanned(entry: Entry, instance: LeagueInstance) -> Cell:
    reason = entry.left_out(instance)
    slow = reason != "" and reason == entry.too_slow(instance)
    covered = entry.covered(instance)
    return Cell(entry.name, instance.name, covered, left_out=reason, slow=slow, group=entry.group)


@dataclass(frozen=True, eq=False)
class Played:
    """The league, its runs finished."""

    instances: Sequence[LeagueInstance]
    long: Sequence[str]  # instances whose horizon is long enough for the bound to say something
    lost: Table
    needed: Table
    curves: Curves

    @property
    def tables(self) -> dict[str, Table]:
        """By the name of a league."""
        return {"regret": self.lost, "identification": self.needed}


def _play(settings: Settings) -> Played:
    instances = league_instances(settings.choose(float(min(SIZES)), math.inf))
    entries = identification_entries()
    regret = [regret_runs(entry, mu, settings) for entry in regret_entries() for mu in instances]
    identification = [
        identification_runs(entry, mu, settings, _how_many(entry, mu, settings))
        for entry in entries
        for mu in instances
    ]
    curved = [
        identification_runs(entry, mu, settings, settings.choose(2, 10), delta)
        for entry in entries
        if entry.name in (TRACKER, *CURVED)
        for mu in instances
        if mu.name in _CURVED_ON
        for delta in levels(settings)
    ]
    planned = (*regret, *identification, *curved)
    play_longest_first([each.series for each in planned if each.series is not None], settings)
    played = Played(
        instances,
        [mu.name for mu in instances if mu.explored(mu.horizon(settings)) <= _LITTLE],
        table_of(regret, every_instance=False),
        table_of(identification),
        curves_of(curved),
    )
    write_parquet(cells_frame(played.tables), settings.file(".parquet"))
    return played


def _how_many(entry: Entry, instance: LeagueInstance, settings: Settings) -> int:
    few = entry.name in (*SLOW_RACES, *TRACKING)
    return settings.choose(3, (2 if few else 5) if instance.many else 10)


# Claims


def _claims(played: Played) -> list[Claim]:
    """Regret, then identification, then the limit of small delta."""
    lost, needed = played.lost, played.needed
    tracking = [name for name in needed.learners if name in TRACKING]
    return [
        no_less(lost, played.long),
        *(near_the_bound(lost, played.long, learner) for learner in _OPTIMAL),
        *(beats(lost, learner, "ccb") for learner in ("d-ts", "d-ts-plus", "ecw-rmed")),
        beats_all(lost),
        errs_as_allowed(needed, DELTA),
        no_fewer_duels(needed, played.instances),
        *(near_the_time(needed, name) for name in tracking),
        *(fewer_than_all(needed, name, rivals(needed, name)) for name in tracking),
        *curve_claims(played.curves, TRACKER),
    ]


def no_less(table: Table, long: Sequence[str]) -> Claim:
    """Whether somebody loses less than C* ln T where T is long."""
    covered = [c for c in _full(table.cells) if c.covered]
    cells = [c for c in covered if c.instance in long]
    less = [c for c in cells if c.mean.high < 1.0]
    short = [c for c in covered if c.instance not in long and c.mean.high < 1.0]
    return Claim(
        "By this T nobody loses less than the bound of the long run (Komiyama et al., ICML 2016, "
        "and COLT 2015 for those that are told of a Condorcet winner)",
        "where the exploration that attains C* takes at most a tenth of the rounds, no 95 % "
        "interval of a mean regret is below the bound. One that is contradicts no theorem, which "
        "are about T to infinity",
        f"{len(less)} of {len(cells)} are"
        + "".join(f"; {c.learner} on {c.instance} {c.mean_text}" for c in less)
        + f"; of the others, on instances marked †, {len(short)}",
        not less if cells else None,
    )


def near_the_bound(table: Table, long: Sequence[str], learner: str) -> Claim:
    """Whether a learner with (nearly) the optimal constant comes near the bound."""
    cells = [c for c in _full(table.line(learner)) if c.instance in long]
    return Claim(
        f"{learner} comes near the bound, being asymptotically optimal"
        + (" up to C^E*/C*" if learner == "ecw-rmed" else ""),
        f"at most {_NEAR:g} C* ln T on average where T is long, the 95 % intervals too",
        ", ".join(f"{c.instance} {c.mean_text}" for c in cells),
        all_hold(c.mean.within(high=_NEAR) for c in cells),
    )


def beats(table: Table, better: str, worse: str) -> Claim:
    """Whether one learner has less regret than another wherever both are covered."""
    others = {c.instance: table.cell(worse, c.instance) for c in _full(table.line(better))}
    return interval_claim(
        f"{better} loses less than {worse}",
        "the 95 % interval of the ratio of mean regrets is below 1 on every instance that both "
        "theorems cover, of those run more than once, at the same T",
        {
            name: table.cell(better, name).times(other)
            for name, other in others.items()
            if other.runs > 1 and other.covered
        },
        ".2f",
        high=1.0,
    )


def beats_all(table: Table) -> Claim:
    """Whether every learner has less regret than pairs at random have."""
    ratios = [
        (cell, cell.times(table.cell(_CHANCE, cell.instance)))
        for learner in table.learners
        if learner != _CHANCE
        for cell in _full(table.line(learner))
    ]
    verdicts = [ratio.within(high=1.0) for _, ratio in ratios]
    losing = [each for each, verdict in zip(ratios, verdicts, strict=True) if not verdict]
    return Claim(
        "Every algorithm loses less than duels of random pairs",
        "the 95 % interval of the ratio of mean regrets is below 1 wherever its theorem holds, "
        "of those run more than once",
        f"not so in {len(losing)} of {len(verdicts)} cells"
        + "".join(f"; {c.learner} on {c.instance} {ratio.text('.2f')}" for c, ratio in losing),
        all_hold(verdicts),
    )


def _full(cells: Sequence[Cell]) -> list[Cell]:
    """Those that were run to the horizon of their instance, more than once."""
    return [cell for cell in cells if cell.runs > 1 and not cell.short]


def no_fewer_duels(table: Table, instances: Sequence[LeagueInstance]) -> Claim:
    """Whether somebody stops earlier than can be, on average."""
    winners = {each.name: len(each.problem.copeland_winners) for each in instances}
    targets = _targets()

    def least(learner: str, instance: str) -> float | None:
        if targets[learner] == "borda" or learner in TOLD_MORE:
            return None
        return least_multiple(1 if targets[learner] == "condorcet" else winners[instance], DELTA)

    return no_fewer(
        table,
        least,
        "No algorithm needs fewer duels on average than T* kl(delta, 1 - delta), or with m "
        "Copeland winners T* kl((1 - delta)/m, delta)",
        "no 95 % interval of mean duels is below it, of the learners that are told no more than "
        f"the arms (not {', '.join(TOLD_MORE)}, told the least advantage) and for winners by "
        "duels (not Borda's)",
    )


def rivals(table: Table, learner: str) -> list[str]:
    """The others that look for the same and are told the same."""
    targets, others = _targets(), set(table.learners) - {learner, *TOLD_MORE}
    return [n for n in table.learners if n in others and targets[n] == targets[learner]]


# The page


def _setting(settings: Settings, played: Played) -> str:
    rounds = settings.choose(
        "Matrices of up to 16 arms alone; T = 10,000.",
        "T = 100,000 up to 16 arms and 1,000,000 from 64 on.",
    )
    return (
        f"{rounds} How many runs, the last table says: fewer of slow learners and of many arms. "
        "Intervals are 95 % ones over runs. The claims are our own where they name no paper."
    )


def _sections(settings: Settings, played: Played) -> list[Section]:
    lost, needed = played.lost, played.needed
    return [
        table_section(
            "Regret",
            "Mean regret after T duels, as a multiple of what no algorithm goes below for large T: "
            "C* ln T of `copeland_bound`, for algorithms whose regret grows less than any power of "
            "T on all matrices. Learners that are told of a Condorcet winner are compared with the "
            "bound that holds for these, where there is one (*C\\*, Condorcet* below). *typical*: "
            "the geometric mean of the line where the learner's theorem holds. Grey in the "
            "picture, in brackets here: the learner's theorem needs a Condorcet winner, or that no "
            "two arms tie, and there is none, or they do. \\*: a slow learner, run to a tenth of "
            "the rounds, and compared with the bound there. †: the exploration that attains C* "
            "takes more than a tenth of the rounds, so that the bound says nothing yet, and "
            "multiples below 1 contradict nothing. CCB and RUCB have alpha = 0.51 as in their "
            "papers' experiments; their theorems ask for more than 1.",
            lost,
            _marked(played),
        ),
        table_section(
            "Identification",
            f"Mean duels until the answer at delta = {DELTA}, by T* ln(1/delta) of what the "
            "learner identifies, the asymptotic number of the best algorithms: `copeland_time`, "
            "`condorcet_time`, `borda_time`; a ranking is compared with a Copeland winner, its "
            "first arm, which asks for less. **>**: not all runs were done by the duels after "
            f"which they are cut off ({_MAX_DUELS:,}; {_MAX_DUELS_SLOW:,} where the race holds all "
            "pairs of 64 arms or more): the number is a lower bound. ✗: so many runs ended with a "
            "wrong answer. –: there is nothing to identify, or the learner's theorem says nothing; "
            "out: too slow, see below. In brackets: the theorem does not say that the learner "
            "stops where two arms tie. `noisy-tournament` is told the least advantage of all "
            "pairs, which the others are not.",
            needed,
            errors=True,
        ),
        curve_section("Duels by T* ln(1/delta) as delta falls", played.curves),
        Section(
            "Instances",
            "Random ones are those of `problems/dueling/random_matrices.py` with seed 1, whatever "
            "they are: with seed 0 the two best of 16 arms of Bradley and Terry win 0.501 of their "
            "duels. *explored*: the share of the T rounds that the exploration which attains C* "
            "takes.",
            (
                *("instance", "arms", "Condorcet winner", "winners", "T", "C*", "C*, Condorcet"),
                *("explored", "T*", "T*, Condorcet", "T*, Borda"),
            ),
            [_instance_row(each, settings) for each in played.instances],
        ),
        Section(
            "Left out",
            "Learners that were not run, by the tables of `reproductions/league_dueling.py`.",
            ("league", "learner", "reason", "instances"),
            [[name, *row] for name, table in played.tables.items() for row in table.reasons()],
        ),
        runs_section(played.tables),
    ]


def _marked(played: Played) -> list[str]:
    return [name for name in played.lost.instances if name not in played.long]


def _instance_row(instance: LeagueInstance, settings: Settings) -> list[object]:
    mu, horizon, times = instance.problem, instance.horizon(settings), instance.times
    targets: tuple[Target, ...] = ("copeland", "condorcet", "borda")
    return [
        instance.name,
        mu.arms,
        "yes" if instance.condorcet else "no",
        len(mu.copeland_winners),
        f"{horizon:,}",
        f"{instance.bound.value:,.4g}",
        f"{instance.condorcet_bound.value:,.4g}" if instance.condorcet else "–",
        f"{instance.explored(horizon):.1%}",
        *(f"{times[t].value:,.6g}" if t in times else "–" for t in targets),
    ]


def _opening(settings: Settings, played: Played) -> list[Section]:
    """In short, each table with its picture."""
    instances = played.instances
    kinds = {True: "one arm beats all others", False: "no arm beats all others"}
    columns = {each.name: kinds[each.condorcet] for each in instances}
    labels = {
        each.name: each.name
        if each.name.endswith(f"-{each.problem.arms}")
        else f"{each.name} ({each.problem.arms})"
        for each in instances
    }
    rounds = {each.many: f"{each.horizon(settings):,}" for each in instances}
    words = f"T = {rounds[False]} rounds"
    if True in rounds:
        words += f", {rounds[True]} from 64 arms on (*: a tenth of that)"
    regret = Heading(
        "What learners lose while they learn, as a multiple of what no algorithm can avoid in the "
        "long run",
        {name: _MADE_FOR[group] for name, group in played.lost.groups.items()},
        columns,
        labels,
        _marked(played),
        [
            f"Numbers: mean regret by C* ln T, {words}; after a name, the number of arms.",
            "For learners made for a Condorcet winner the bound is that of algorithms which are "
            "told that there is one.",
            "Grey: the learner's theorem does not cover the matrix.  out: too slow.  typical: "
            "geometric mean where the theorem holds.",
            "†: T is too short for the bound to say much; a multiple below 1 contradicts nothing.",
        ],
    )
    identification = Heading(
        f"Duels until the answer, wrong with a probability of at most {DELTA}, as a multiple of "
        "what no algorithm can avoid",
        {name: GROUPS[target][1] for name, target in _targets().items()},
        columns,
        labels,
        (),
        [
            "Numbers: mean duels by T* ln(1/δ) of what the learner is after (left).  > : not done "
            "when cut off, a lower bound.  1✗: one run gave a wrong answer.",
            "–: nothing to identify.  out: too slow.  Grey: the learner need not stop, as two arms "
            "tie.  typical: geometric mean where the theorem holds.",
            "noisy-tournament is told how near ½ a chance may be. For Borda winners T* is the "
            "bound of normal outcomes; that of duels may be less.",
        ],
        errors=True,
        curves=FALLING + BINDING,
    )
    needed_file = settings.file("-identification.png")
    return [
        Section(
            "What learners lose",
            in_short(played.lost),
            picture=draw_league(played.lost, regret, settings.file(".png")),
        ),
        Section(
            "What learners need to identify a winner",
            in_short(played.needed),
            picture=draw_league(played.needed, identification, needed_file, played.curves),
        ),
    ]


STUDIES = (
    Study(
        "league",
        "The league: what learners lose and need, by what nobody can avoid",
        "Every dueling learner of this package, on every built-in matrix and on random ones",
        measure=_play,
        setting=_setting,
        claims=_claims,
        sections=_sections,
        opening=_opening,
    ),
)
