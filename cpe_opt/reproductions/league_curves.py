"""How samples until the answer grow as the probability of an error falls.

T* ln(1/delta) is what must be paid for delta -> 0, and what the learners that track are made to
pay: the ratio falls to 1. That of a learner that samples by a rule of its own falls to a constant
above 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cpe_opt.reproductions.league_runs import IdentificationRuns, identification_cell
from cpe_opt.reproductions.league_table import ABSENT, Cell
from cpe_opt.reproductions.page import Claim
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import all_hold, ratio_interval

Curves = Mapping[tuple[str, str], Sequence[tuple[float, Cell]]]
FALLING = "The same multiple as the allowed probability δ of an error falls"
BINDING = ": for δ → 0 no algorithm can go below 1 (dotted)"
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


def confidence_claims(
    curves: Curves, tracker: str, samples: str = "duels", falls_to: float = 0.5
) -> list[Claim]:
    """Whether a tracker's ratio falls, to at most this share, and how near 1 it comes."""
    lines = {
        instance: [cell for _, cell in line]
        for (learner, instance), line in curves.items()
        if learner == tracker
    }
    if not lines:
        return []
    falls = {name: ratio_interval(line[-1].values, line[0].values) for name, line in lines.items()}
    ends = {name: line[-1] for name, line in lines.items()}
    return [
        Claim(
            f"The ratio of {tracker}'s {samples} to T* ln(1/delta) falls as delta does",
            f"at 1e-20 it is at most {falls_to:g} of that at 0.1, the 95 % interval too",
            ", ".join(f"{name} to {fall.text('.2f')} of it" for name, fall in falls.items()),
            all_hold(fall.within(high=falls_to) for fall in falls.values()),
        ),
        Claim(
            "… towards 1",
            f"at 1e-20 it is at most {_NEAR:g}, the 95 % interval too",
            ", ".join(f"{name} {end.mean_text}" for name, end in ends.items()),
            all_hold(end.mean.within(high=_NEAR) for end in ends.values()),
        ),
    ]


def confidence_rows(curves: Curves) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the page's table."""
    if not curves:
        return [], []
    deltas = sorted({delta for line in curves.values() for delta, _ in line}, reverse=True)
    head = ["instance", "learner", *(f"{delta:.0e}" for delta in deltas)]
    rows = []
    for (learner, instance), line in sorted(curves.items(), key=lambda item: item[0][::-1]):
        cells = dict(line)  # a learner may refuse large probabilities
        texts = [cells[delta].text if delta in cells else ABSENT for delta in deltas]
        rows.append([instance, learner, *texts])
    return head, rows


def exponent(delta: float) -> float:
    """How many decimal digits of safety, -log10(delta)."""
    return -math.log10(delta)
