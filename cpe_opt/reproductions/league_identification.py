r"""The league for identification: duels until the answer, as multiples of T* ln(1/delta).

T* is that of what a learner identifies: a Copeland winner (:func:`cpe_opt.copeland_time`), the
Condorcet winner that is known to exist (:func:`cpe_opt.condorcet_time`), the Borda winner
(:func:`cpe_opt.borda_time`). On average no algorithm needs less than

* :math:`T^* \mathrm{kl}(\delta, 1-\delta)` for a Condorcet winner, and for a Copeland winner that
  is the only one: 0.88 T* ln(1/delta) at delta = 0.05;
* :math:`T^* \mathrm{kl}((1-\delta)/m, \delta)` for one of m Copeland winners, as long as
  :math:`(1-\delta)/m \ge \delta`; only for small delta it is about T* ln(1/delta), too.

The characteristic time of a Borda winner is made for normal outcomes, and no bound for duels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from cpe_opt.experiments.planning import LearnerSpec, Series, plan_series
from cpe_opt.experiments.results import read_series
from cpe_opt.learners.dueling.noisy_tournament import NO_WINNER
from cpe_opt.reproductions.league_field import (
    DELTA,
    Entry,
    LeagueInstance,
    LeagueRuns,
    identification_entries,
)
from cpe_opt.reproductions.league_table import Cell, Table, absent
from cpe_opt.reproductions.page import Claim
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import all_hold, errs_at_most

_MOST = 10**7  # duels of a run
_MOST_SLOW = 2 * 10**6  # of those whose race holds all pairs, with many arms
_SLOW = ("pbr", "rankel", "savage", "savage (condorcet)")
_TRACKING = ("copeland-tracking", "condorcet-tracking", "borda-tracking")
_NEAR = 10.0
# Told more than the others, so that the bound is not theirs.
_TOLD_MORE = ("noisy-tournament",)


def planned_identification(
    instances: Sequence[LeagueInstance], settings: Settings
) -> list[LeagueRuns]:
    """Every learner on every instance."""
    return [
        LeagueRuns(entry, instance, _planned(entry, instance, settings))
        for entry in identification_entries()
        for instance in instances
    ]


def _planned(entry: Entry, instance: LeagueInstance, settings: Settings) -> Series | None:
    if entry.left_out(instance):
        return None
    few = entry.name in (*_SLOW, *_TRACKING)
    runs = (2 if few else 5) if instance.many else 10
    return identification_series(entry, instance, settings, settings.choose(3, runs))


def identification_series(
    entry: Entry, instance: LeagueInstance, settings: Settings, runs: int, delta: float = DELTA
) -> Series:
    """Runs that stop by themselves, or are cut off."""
    parameters = {**entry.parameters(instance, most_duels(entry, instance)), "delta": delta}
    (series,) = plan_series(
        [LearnerSpec(entry.spec.learner, parameters, label=entry.name)],
        [instance.problem],
        runs=runs,
        horizon=None,
        seed=settings.seed,
        out=settings.out / "runs",
    )
    return series


def most_duels(entry: Entry, instance: LeagueInstance) -> int:
    """After how many duels a run is cut off."""
    return _MOST_SLOW if entry.name in _SLOW and instance.many else _MOST


def identification_table(played: Sequence[LeagueRuns]) -> Table:
    """What every learner needed, by the bound, from finished runs; by target, best first."""
    cells = [identification_cell(each) for each in played]
    targets = list(dict.fromkeys(each.entry.target for each in played))
    of = {each.entry.name: targets.index(each.entry.target) for each in played}
    instances = list(dict.fromkeys(cell.instance for cell in cells))
    table = Table(cells, list(of), instances)
    order = sorted(of, key=lambda name: (of[name], table.typical(name)))
    return Table(cells, order, instances)


def identification_cell(each: LeagueRuns) -> Cell:
    """Duels by T* ln(1/delta), and wrong answers among those said to be proved."""
    entry, instance = each.entry, each.instance
    target = entry.target
    time = None if target is None else instance.time(target)
    if target is None or time is None or each.series is None or each.series.folder is None:
        return absent(entry, instance)
    runs = read_series(each.series.folder, each.series.runs)
    done = runs[runs["doubt"].isin(["", NO_WINNER])]
    return Cell(
        entry.name,
        instance.name,
        entry.covered(instance),
        tuple(runs["samples"]),
        time.value * math.log(1.0 / each.delta),
        unfinished=len(runs) - len(done),
        wrong=sum(not instance.right(target, answer) for answer in done["answer"]),
        seconds=float(runs["seconds"].mean()),
    )


def identification_claims(table: Table, instances: Sequence[LeagueInstance]) -> list[Claim]:
    """Errors, the lower bound, and the learners that track."""
    tracking = [name for name in table.learners if name in _TRACKING]
    return [
        errs_as_allowed(table),
        no_fewer(table, instances),
        *(near_the_time(table, name) for name in tracking),
        *(fewer_than_all(table, name) for name in tracking),
    ]


def errs_as_allowed(table: Table) -> Claim:
    """Whether anybody errs more often than promised, over all instances of its theorem."""
    found = [(learner, *table.errors(learner)) for learner in table.learners]
    found = [each for each in found if each[-1]]
    return Claim(
        f"No learner names a wrong winner with a probability above delta = {DELTA}",
        "the 95 % limit of Clopper and Pearson for the probability of an error, over the runs on "
        f"all instances that its theorem covers, is at most {DELTA}; it differs where so many "
        "errors are less than 5 % likely",
        ", ".join(f"{learner} {table.errors_text(learner)}" for learner, *_ in found),
        all_hold(errs_at_most(wrong, runs, DELTA) for _, wrong, runs in found),
    )


def least_multiple(winners: int, delta: float) -> float:
    """What no algorithm needs less than on average, by T* ln(1/delta)."""
    named = (1.0 - delta) / winners
    if named <= delta:
        return 0.0
    information = named * math.log(named / delta) + (1.0 - named) * math.log(
        (1.0 - named) / (1.0 - delta)
    )
    return information / math.log(1.0 / delta)


def no_fewer(table: Table, instances: Sequence[LeagueInstance]) -> Claim:
    """Whether somebody stops earlier than can be, on average."""
    bounds = {each.name: each for each in instances}
    targets = {entry.name: entry.target for entry in identification_entries()}
    below, count = [], 0
    for learner in table.learners:
        target = targets[learner]
        if target == "borda" or learner in _TOLD_MORE:
            continue
        for cell in table.line(learner):
            mu = bounds[cell.instance].problem
            winners = 1 if target == "condorcet" else len(mu.copeland_winners)
            count += 1
            if not cell.unfinished and cell.mean.high < least_multiple(winners, DELTA):
                below.append(f"{learner} on {cell.instance} {cell.mean.text('.2f')}")
    return Claim(
        "No algorithm needs fewer duels on average than T* kl(delta, 1 - delta), or with m "
        "Copeland winners T* kl((1 - delta)/m, delta)",
        "no 95 % interval of mean duels is below it, of the learners that are told no more than "
        f"the arms (not {', '.join(_TOLD_MORE)}, told the least advantage) and for winners by "
        "duels (not Borda's)",
        f"{len(below)} of {count} are" + "".join(f"; {each}" for each in below),
        not below,
    )


def near_the_time(table: Table, learner: str) -> Claim:
    """Whether a learner that tracks comes near its bound."""
    line = table.line(learner)
    worst = max(line, key=lambda cell: cell.mean.high)
    return Claim(
        f"{learner} is near its bound",
        f"at most {_NEAR:g} T* ln(1/delta) on average on every instance that its theorem covers, "
        "the 95 % intervals too",
        f"{table.typical(learner):.1f} on (geometric) average, at most {worst.mean.text('.1f')}, "
        f"on {worst.instance}",
        all_hold(_at_most(cell, _NEAR) for cell in line),
    )


def _at_most(cell: Cell, multiple: float) -> bool | None:
    """Whether it is; runs that were cut off can only show that it is not."""
    held = cell.mean.within(high=multiple)
    return None if held and cell.unfinished else held


def fewer_than_all(table: Table, learner: str) -> Claim:
    """Whether a learner needs fewer duels than all others that look for the same."""
    targets = {entry.name: entry.target for entry in identification_entries()}
    others = [
        name
        for name in table.learners
        if name != learner and targets[name] == targets[learner] and name not in _TOLD_MORE
    ]
    verdicts, texts = [], []
    for cell in table.line(learner):
        rivals = [table.cell(name, cell.instance) for name in others]
        rivals = [each for each in rivals if each.amounts and each.covered]
        if rivals:
            best = min(rivals, key=lambda each: (each.unfinished > 0, each.value))
            ratio = cell.times(best)
            held = ratio.within(high=1.0)
            # Runs that were cut off are a lower bound.
            cut = (held and cell.unfinished) or (held is False and best.unfinished)
            verdicts.append(None if cut else held)
            texts.append(f"{cell.instance} {ratio.text('.2f')} times {best.learner}")
    return Claim(
        f"{learner} needs fewer duels than all others that look for the same and are told the same",
        "the 95 % interval of the ratio of mean duels, to the best other one, is below 1 on every "
        "instance that both theorems cover",
        ", ".join(texts) or "there is no other",
        all_hold(verdicts) if verdicts else None,
    )
