r"""The league for identification: duels until the answer, as multiples of T* ln(1/delta).

T* is that of what a learner identifies: a Copeland winner (:func:`cpe_opt.copeland_time`), the
Condorcet winner that is known to exist (:func:`cpe_opt.condorcet_time`), the Borda winner
(:func:`cpe_opt.borda_time`). On average no algorithm needs less than

* :math:`T^* \mathrm{kl}(\delta, 1-\delta)` for a Condorcet winner, and for a Copeland winner that
  is the only one: 0.88 T* ln(1/delta) at delta = 0.05;
* :math:`T^* \mathrm{kl}((1-\delta)/m, \delta)` for one of m Copeland winners, as long as
  :math:`(1-\delta)/m \ge \delta`. T* ln(1/delta) is then what the best ones need in the limit of
  small delta alone, and m times the bound.

The characteristic time of a Borda winner is made for normal outcomes, and no bound for duels.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from cpe_opt.learners.dueling.noisy_tournament import NO_WINNER
from cpe_opt.reproductions.league_claims import (
    errs_as_allowed,
    fewer_than_all,
    least_multiple,
    near_the_time,
    no_fewer,
)
from cpe_opt.reproductions.league_curves import levels
from cpe_opt.reproductions.league_field import (
    DELTA,
    Entry,
    LeagueInstance,
    identification_entries,
)
from cpe_opt.reproductions.league_runs import IdentificationRuns, identification_series
from cpe_opt.reproductions.league_table import Table
from cpe_opt.reproductions.page import Claim
from cpe_opt.reproductions.settings import Settings

_MOST = 10**7  # duels of a run
_MOST_SLOW = 2 * 10**6  # of those whose race holds all pairs, with many arms
_SLOW = ("pbr", "rankel", "savage", "savage (condorcet)")
_TRACKING = ("copeland-tracking", "condorcet-tracking", "borda-tracking")
_GROUPS = {
    "copeland": "a Copeland winner",
    "ranking": "a ranking",
    "condorcet": "the Condorcet winner",
    "borda": "the Borda winner",
}
# Told more than the others, so that the bound is not theirs.
_TOLD_MORE = ("noisy-tournament",)
# Of the curves by delta.
TRACKER = "copeland-tracking"
_BESIDE = ("pocowista", "savage")
_CURVED = ("gap", "cyclic", "mslr5-condorcet", "sushi")


def planned_identification(
    instances: Sequence[LeagueInstance], settings: Settings
) -> list[IdentificationRuns]:
    """Every learner on every instance."""
    return [
        identification_runs(entry, instance, settings, _how_many(entry, instance, settings))
        for entry in identification_entries()
        for instance in instances
    ]


def planned_confidence(
    instances: Sequence[LeagueInstance], settings: Settings
) -> list[IdentificationRuns]:
    """The tracker and two others at ever smaller probabilities of an error."""
    return [
        identification_runs(entry, instance, settings, settings.choose(2, 10), delta)
        for entry in identification_entries()
        if entry.name in (TRACKER, *_BESIDE)
        for instance in instances
        if instance.name in _CURVED
        for delta in levels(settings)
    ]


def _how_many(entry: Entry, instance: LeagueInstance, settings: Settings) -> int:
    few = entry.name in (*_SLOW, *_TRACKING)
    return settings.choose(3, (2 if few else 5) if instance.many else 10)


def identification_runs(
    entry: Entry, instance: LeagueInstance, settings: Settings, runs: int, delta: float = DELTA
) -> IdentificationRuns:
    """Runs that stop by themselves, or are cut off; none where the learner is left out."""
    target = entry.target or "copeland"
    reason, most = entry.left_out(instance), most_duels(entry, instance)
    time = None if reason else instance.time(target)
    parameters = {} if reason else {**entry.parameters(instance, most), "delta": delta}
    return IdentificationRuns(
        entry.name,
        instance.name,
        _GROUPS[target],
        delta,
        time.value if time else 1.0,
        partial(instance.right, target),
        None
        if reason
        else identification_series(
            entry.spec, instance.problem, parameters, most=most, runs=runs, settings=settings
        ),
        entry.covered(instance),
        reason,
        bool(reason) and reason == entry.too_slow(instance),
        ("", NO_WINNER),
    )


def most_duels(entry: Entry, instance: LeagueInstance) -> int:
    """After how many duels a run is cut off."""
    return _MOST_SLOW if entry.name in _SLOW and instance.many else _MOST


def identification_claims(table: Table, instances: Sequence[LeagueInstance]) -> list[Claim]:
    """Errors, the lower bound, and the learners that track."""
    tracking = [name for name in table.learners if name in _TRACKING]
    return [
        errs_as_allowed(table, DELTA),
        no_fewer_duels(table, instances),
        *(near_the_time(table, name) for name in tracking),
        *(fewer_than_all(table, name, rivals(table, name)) for name in tracking),
    ]


def no_fewer_duels(table: Table, instances: Sequence[LeagueInstance]) -> Claim:
    """Whether somebody stops earlier than can be, on average."""
    bounds = {each.name: each for each in instances}
    targets = _targets()

    def least(learner: str, instance: str) -> float | None:
        if targets[learner] == "borda" or learner in _TOLD_MORE:
            return None
        mu = bounds[instance].problem
        winners = 1 if targets[learner] == "condorcet" else len(mu.copeland_winners)
        return least_multiple(winners, DELTA)

    return no_fewer(
        table,
        least,
        "No algorithm needs fewer duels on average than T* kl(delta, 1 - delta), or with m "
        "Copeland winners T* kl((1 - delta)/m, delta)",
        "no 95 % interval of mean duels is below it, of the learners that are told no more than "
        f"the arms (not {', '.join(_TOLD_MORE)}, told the least advantage) and for winners by "
        "duels (not Borda's)",
    )


def rivals(table: Table, learner: str) -> list[str]:
    """The others that look for the same and are told the same."""
    targets = _targets()
    return [
        name
        for name in table.learners
        if name != learner and targets[name] == targets[learner] and name not in _TOLD_MORE
    ]


def _targets() -> dict[str, str | None]:
    return {entry.name: entry.target for entry in identification_entries()}
