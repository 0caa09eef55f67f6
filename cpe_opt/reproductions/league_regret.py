r"""The league for regret: multiples of C* ln T.

Komiyama, Honda, Nakagawa (ICML 2016): an algorithm whose regret grows less than any power of T on
every matrix loses at least about :math:`C^* \ln T` for large T (:func:`cpe_opt.copeland_bound`).
One whose regret does so on matrices with a Condorcet winner loses on these at least about
:math:`\sum_j \min_k (r_{jk}/d_{jk}) \ln T` over the arms k that beat j (Komiyama, Honda, Kashima,
Nakagawa, COLT 2015), which may be less: :func:`cpe_opt.condorcet_time` with regret for a price.

Neither says anything of a horizon at which the exploration that attains it is a good part of the
rounds: there an algorithm may lose less, having left off exploring early.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cpe_opt.experiments.planning import Series, plan_series
from cpe_opt.experiments.results import read_series
from cpe_opt.reproductions.league_field import (
    FEW_RUNS,
    SIZES,
    SLOW_FOR_REGRET,
    Entry,
    LeagueInstance,
    LeagueRuns,
    regret_entries,
)
from cpe_opt.reproductions.league_table import Cell, Table
from cpe_opt.reproductions.page import Claim
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import all_hold

_SHARE = 0.1  # of the rounds: what the exploration of the bound may be where it says something
_NEAR = 3.0
_OPTIMAL = ("cw-rmed", "ecw-rmed")
_CHANCE = "random-pairs"
_KINDS = {False: "for any matrix", True: "made for a Condorcet winner"}


def horizon_of(instance: LeagueInstance, settings: Settings, learner: str = "") -> int:
    """Rounds on an instance; those of a slow learner are fewer with many arms."""
    long = instance.many and learner not in SLOW_FOR_REGRET
    return settings.choose(10**4, 10**6 if long else 10**5)


def planned_regret(instances: Sequence[LeagueInstance], settings: Settings) -> list[LeagueRuns]:
    """Every learner on every instance."""
    return [
        LeagueRuns(entry, instance, _planned(entry, instance, settings))
        for entry in regret_entries()
        for instance in instances
    ]


def _planned(entry: Entry, instance: LeagueInstance, settings: Settings) -> Series | None:
    if entry.left_out(instance):
        return None
    few = entry.name in FEW_RUNS
    fewest, most = (1, 3) if instance.problem.arms == max(SIZES) else (2, 5)
    runs = (fewest if few else most) if instance.many else (5 if few else 10)
    (series,) = plan_series(
        [entry.spec],
        [instance.problem],
        runs=settings.choose(3, runs),
        horizon=horizon_of(instance, settings, entry.name),
        seed=settings.seed,
        out=settings.out / "runs",
        regret="mean",
    )
    return series


def regret_table(played: Sequence[LeagueRuns], settings: Settings) -> Table:
    """What every learner lost, by the bound, from finished runs; best first of either kind."""
    cells = [_cell(each, settings) for each in played]
    run = {cell.instance for cell in cells if cell.amounts}
    instances = [name for name in dict.fromkeys(cell.instance for cell in cells) if name in run]
    wants = {each.entry.name: each.entry.wants_condorcet for each in played}
    table = Table(cells, list(wants), instances)
    order = sorted(wants, key=lambda name: (wants[name], table.typical(name)))
    groups = {name: _KINDS[wants[name]] for name in order}
    return Table(cells, order, instances, groups)


def _cell(each: LeagueRuns, settings: Settings) -> Cell:
    entry, instance = each.entry, each.instance
    covered = entry.covered(instance)
    if each.series is None or each.series.folder is None:
        reason = entry.left_out(instance)
        slow = bool(reason) and reason == entry.too_slow(instance)
        return Cell(entry.name, instance.name, covered, left_out=reason, slow=slow)
    runs = read_series(each.series.folder, each.series.runs)
    horizon = each.series.horizon or 1
    return Cell(
        entry.name,
        instance.name,
        covered,
        tuple(runs["regret"]),
        entry.regret_bound(instance).value * math.log(horizon),
        short=horizon < horizon_of(instance, settings),
        seconds=float(runs["seconds"].mean()),
    )


def explored(instance: LeagueInstance, horizon: int) -> float:
    """The share of the rounds that the exploration which attains C* takes."""
    q = instance.bound.exploration
    return float(np.triu(q, 1).sum()) * math.log(horizon) / horizon


def told_by(instances: Sequence[LeagueInstance], settings: Settings) -> list[str]:
    """The instances on which the horizon is long enough for the bound to say something."""
    return [each.name for each in instances if explored(each, horizon_of(each, settings)) <= _SHARE]


def regret_claims(
    table: Table, instances: Sequence[LeagueInstance], settings: Settings
) -> list[Claim]:
    """The lower bound, the algorithms that attain it, double Thompson sampling, and chance."""
    told = told_by(instances, settings)
    return [
        no_less(table, told),
        *(near_the_bound(table, told, learner) for learner in _OPTIMAL),
        *(beats(table, learner, "ccb") for learner in ("d-ts", "d-ts-plus", "ecw-rmed")),
        beats_all(table),
    ]


def no_less(table: Table, told: Sequence[str]) -> Claim:
    """Whether somebody loses less than C* ln T where T is long."""
    cells = [c for c in _full(table.cells) if c.covered and c.instance in told]
    less = [c for c in cells if c.mean.high < 1.0]
    others = [c for c in _full(table.cells) if c.covered and c.instance not in told]
    short = [c for c in others if c.mean.high < 1.0]
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


def near_the_bound(table: Table, told: Sequence[str], learner: str) -> Claim:
    """Whether a learner with (nearly) the optimal constant comes near the bound."""
    cells = [c for c in _full(table.line(learner)) if c.instance in told]
    return Claim(
        f"{learner} comes near the bound, being asymptotically optimal"
        + (" up to C^E*/C*" if learner == "ecw-rmed" else ""),
        f"at most {_NEAR:g} C* ln T on average where T is long, the 95 % intervals too",
        ", ".join(f"{c.instance} {c.mean_text}" for c in cells),
        all_hold(c.mean.within(high=_NEAR) for c in cells),
    )


def beats(table: Table, better: str, worse: str) -> Claim:
    """Whether one learner has less regret than another wherever both are covered."""
    pairs = [
        (c.instance, c.times(other))
        for c in _full(table.line(better))
        if (other := table.cell(worse, c.instance)).runs > 1 and other.covered
    ]
    return Claim(
        f"{better} loses less than {worse}",
        "the 95 % interval of the ratio of mean regrets is below 1 on every instance that both "
        "theorems cover, of those run more than once, at the same T",
        ", ".join(f"{name} {ratio.text('.2f')}" for name, ratio in pairs),
        all_hold(ratio.within(high=1.0) for _, ratio in pairs),
    )


def beats_all(table: Table) -> Claim:
    """Whether every learner has less regret than pairs at random have."""
    losing = []
    verdicts = []
    for learner in table.learners:
        for cell in _full(table.line(learner)):
            if learner != _CHANCE:
                ratio = cell.times(table.cell(_CHANCE, cell.instance))
                verdicts.append(ratio.within(high=1.0))
                if not verdicts[-1]:
                    losing.append(f"{learner} on {cell.instance} {ratio.text('.2f')}")
    return Claim(
        "Every algorithm loses less than duels of random pairs",
        "the 95 % interval of the ratio of mean regrets is below 1 wherever its theorem holds, "
        "of those run more than once",
        f"not so in {len(losing)} of {len(verdicts)} cells" + "".join(f"; {w}" for w in losing),
        all_hold(verdicts),
    )


def _full(cells: Sequence[Cell]) -> list[Cell]:
    """Those that were run to the horizon of their instance, more than once."""
    return [cell for cell in cells if cell.runs > 1 and not cell.short]
