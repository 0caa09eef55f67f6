"""How duels until the answer grow as the probability of an error falls.

T* ln(1/delta) is what must be paid for delta -> 0 (:func:`cpe_opt.copeland_time`), and what the
learners that track are made to pay: the ratio falls to 1. That of a learner that duels each pair by
itself falls to a constant above 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cpe_opt.reproductions.league_field import LeagueInstance, LeagueRuns, identification_entries
from cpe_opt.reproductions.league_identification import identification_cell, identification_series
from cpe_opt.reproductions.league_table import Cell, short_number
from cpe_opt.reproductions.page import Claim
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import all_hold, ratio_interval

TRACKER = "copeland-tracking"
_BESIDE = ("pocowista", "savage")
_INSTANCES = ("gap", "cyclic", "mslr5-condorcet", "sushi")
_NEAR = 2.0


Curves = Mapping[tuple[str, str], Sequence[tuple[float, Cell]]]


def planned_confidence(instances: Sequence[LeagueInstance], settings: Settings) -> list[LeagueRuns]:
    """The tracker and two others at ever smaller probabilities of an error."""
    exponents = settings.choose((1, 5, 20), (1, 2, 3, 5, 10, 20))
    runs = settings.choose(2, 10)
    wanted = [instance for instance in instances if instance.name in _INSTANCES]
    return [
        LeagueRuns(
            entry,
            instance,
            identification_series(entry, instance, settings, runs, 10.0**-exponent),
            10.0**-exponent,
        )
        for entry in identification_entries()
        if entry.name in (TRACKER, *_BESIDE)
        for instance in wanted
        for exponent in exponents
    ]


def confidence_curves(
    played: Sequence[LeagueRuns],
) -> dict[tuple[str, str], list[tuple[float, Cell]]]:
    """By learner and instance, the cells by the probability of an error, largest first."""
    curves: dict[tuple[str, str], list[tuple[float, Cell]]] = {}
    for each in played:
        cell = identification_cell(each)
        curves.setdefault((cell.learner, cell.instance), []).append((each.delta, cell))
    return curves


def confidence_claims(curves: Curves) -> list[Claim]:
    """Whether the tracker's ratio falls, and how near 1 it comes."""
    lines = {
        instance: [cell for _, cell in line]
        for (learner, instance), line in curves.items()
        if learner == TRACKER
    }
    if not lines:
        return []
    falls = {name: ratio_interval(line[-1].values, line[0].values) for name, line in lines.items()}
    ends = {name: line[-1].mean for name, line in lines.items()}
    return [
        Claim(
            f"The ratio of {TRACKER}'s duels to T* ln(1/delta) falls as delta does",
            "from 0.1 to 1e-20 it is halved, the 95 % interval too",
            ", ".join(f"{name} to {fall.text('.2f')} of it" for name, fall in falls.items()),
            all_hold(fall.within(high=0.5) for fall in falls.values()),
        ),
        Claim(
            "… towards 1",
            f"at 1e-20 it is at most {_NEAR:g}, the 95 % interval too",
            ", ".join(f"{name} {end.text('.2f')}" for name, end in ends.items()),
            all_hold(end.within(high=_NEAR) for end in ends.values()),
        ),
    ]


def confidence_rows(curves: Curves) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the page's table."""
    if not curves:
        return [], []
    deltas = [delta for delta, _ in next(iter(curves.values()))]
    head = ["instance", "learner", *(f"{delta:.0e}" for delta in deltas)]
    rows = [
        [instance, learner, *(short_number(cell.value) for _, cell in line)]
        for (learner, instance), line in sorted(curves.items(), key=lambda item: item[0][::-1])
    ]
    return head, rows


def exponent(delta: float) -> float:
    """How many decimal digits of safety, -log10(delta)."""
    return -math.log10(delta)
