"""How samples until the answer grow as the probability of an error falls.

T* ln(1/delta) is what must be paid for delta -> 0, and what the learners that track are made to
pay: the ratio falls to 1. That of a learner that samples by a rule of its own falls to a constant
above 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cpe_opt.reproductions.league_runs import IdentificationRuns, identification_cell
from cpe_opt.reproductions.league_table import Cell
from cpe_opt.reproductions.page import Claim
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import all_hold, ratio_interval

Curves = Mapping[tuple[str, str], Sequence[tuple[float, Cell]]]
_NEAR = 2.0


def levels(settings: Settings) -> list[float]:
    """The probabilities of an error, largest first."""
    return [10.0**-digits for digits in settings.choose((1, 5, 20), (1, 2, 3, 5, 10, 20))]


def confidence_curves(
    played: Sequence[IdentificationRuns],
) -> dict[tuple[str, str], list[tuple[float, Cell]]]:
    """By learner and instance, the cells by the probability of an error, largest first."""
    curves: dict[tuple[str, str], list[tuple[float, Cell]]] = {}
    for each in played:
        cell = identification_cell(each)
        curves.setdefault((cell.learner, cell.instance), []).append((each.delta, cell))
    return curves


def confidence_claims(curves: Curves, tracker: str, samples: str = "duels") -> list[Claim]:
    """Whether a tracker's ratio falls, and how near 1 it comes."""
    lines = {
        instance: [cell for _, cell in line]
        for (learner, instance), line in curves.items()
        if learner == tracker
    }
    if not lines:
        return []
    falls = {name: ratio_interval(line[-1].values, line[0].values) for name, line in lines.items()}
    ends = {name: line[-1].mean for name, line in lines.items()}
    return [
        Claim(
            f"The ratio of {tracker}'s {samples} to T* ln(1/delta) falls as delta does",
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
        [instance, learner, *(cell.text for _, cell in line)]
        for (learner, instance), line in sorted(curves.items(), key=lambda item: item[0][::-1])
    ]
    return head, rows


def exponent(delta: float) -> float:
    """How many decimal digits of safety, -log10(delta)."""
    return -math.log10(delta)
