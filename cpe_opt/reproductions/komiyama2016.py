"""Komiyama, Honda, Nakagawa (ICML 2016): figures 1 and 2, table 1, and CW-RMED, which was not run.

The theorems say that regret grows as C* ln T (CW-RMED) and as C^E* ln T (ECW-RMED). What a run to T
can show is its slope over the last decade of rounds, per ln T: evidence for a constant where the
interval of the slope is near it and the other constant is not in that interval.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.ecw import ecw_bound
from cpe_opt.formulations.dueling.lower_bound import copeland_bound
from cpe_opt.hardness.dueling import copeland_hardness
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.reproductions.claims import (
    Claim,
    ConfidenceInterval,
    interval_claim,
    mean_interval,
)
from cpe_opt.reproductions.regret import (
    Experiment,
    Outcome,
    RegretOutcomes,
    declared_claims,
    declared_experiments,
    regret_study,
)
from cpe_opt.reproductions.study import FrameTable, PageTable, Settings, Study, rows_in_parallel

if TYPE_CHECKING:
    import pandas as pd

# Figures 1 and 2: regret of six algorithms.


def _figure_1(settings: Settings) -> list[Experiment]:
    """Sushi, gap and multisol, and submatrices of a matrix where one is given."""
    found = declared_experiments("komiyama2016-figure1", settings)
    if settings.matrix is not None:
        rng = np.random.default_rng(settings.seed)
        wanted = [(16, True, 0.005), (16, False, 0.005)]
        wanted += settings.choose([], [(64, False, 0.0005)])
        for arms, condorcet, gap in wanted:
            drawn = drawn_submatrix(settings.matrix, arms, rng, least_gap=gap, condorcet=condorcet)
            like = found[0 if condorcet else 1]  # sushi has a Condorcet winner, gap has none
            found.append(replace(like, problem=drawn))
    return found


def _slopes(outcomes: RegretOutcomes) -> dict[str, Any]:
    rows = [
        [o.name, o.slope("ecw-rmed").text(".4g"), *(f"{c:.4f}" for c in reversed(o.constants()))]
        for o in outcomes
    ]
    return {"slopes": PageTable(("problem", "slope of ECW-RMED", "C^E*", "C*"), rows)}


# CW-RMED against ECW-RMED.

_NEAR = 0.25  # of a constant
_APART = 1.05  # constants that differ by less are not told apart
_BOTH = ("cw-rmed", "ecw-rmed")


def cw_claims(outcomes: RegretOutcomes) -> list[Claim]:
    """Slopes against their constants, and what is declared."""
    slopes = [_slope_claim(outcome, learner) for learner in _BOTH for outcome in outcomes]
    return [*slopes, *declared_claims("komiyama2016-cw-rmed", outcomes)]


def _slope_claim(outcome: Outcome, learner: str) -> Claim:
    """Whether regret grows as the learner's constant, and not as the other one, times ln T."""
    lower, ecw = outcome.constants()
    name, own, other = ("C*", lower, ecw) if learner == "cw-rmed" else ("C^E*", ecw, lower)
    slope, runs = outcome.slope(learner), len(outcome.finals(learner))
    words = {"problem": outcome.name, "learner": learner, "constant": name, "near": _NEAR}
    words |= {"lower": lower, "ecw": ecw}
    shows = slope_shows(slope, own, other)
    return Claim("slope", f"{slope.text('.4g')} in {runs} runs", shows, words)


def slope_shows(slope: ConfidenceInterval, own: float, other: float) -> bool | None:
    """Whether a slope is near its own constant, and not at the other one as well."""
    near = slope.within((1.0 - _NEAR) * own, (1.0 + _NEAR) * own)
    both = slope.low <= other <= slope.high or max(own, other) < _APART * min(own, other)
    return None if near and both else near


# Table 1: mean constants of the regret bounds over random submatrices of 16 arms.

_PUBLISHED = {"C*": 6.7e2, "C^E*": 7.3e2, "CCB": 8.8e5}
_NEAR_SHARE, _NEAR_MEAN = 0.05, 0.2


def _table_1(settings: Settings) -> dict[str, Any]:
    matrix, count = settings.needed_matrix(), settings.choose(300, 10_000)
    tasks = [(matrix, settings.seed, number) for number in range(count)]
    frame = rows_in_parallel(_constants, tasks, settings, ["number"])
    table = frame.drop(columns="number").agg(["mean", "sem", "median"]).T
    table = table.assign(published=table.index.map(_PUBLISHED))
    return {
        "claims": table_1_claims(frame),
        "count": count,
        "matrix": matrix.name,
        "constants": FrameTable(table),
    }


def _constants(matrix: PreferenceMatrix, seed: int, number: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    drawn = drawn_submatrix(matrix, 16, rng, least_gap=0.005)
    hard = copeland_hardness(drawn)
    return [
        {
            "number": number,
            "C*": copeland_bound(drawn).value,
            "C^E*": ecw_bound(drawn).value,
            "CCB": hard.ccb_bound,
            "CCB, A^(3)": hard.ccb_constant,
        }
    ]


def table_1_claims(frame: pd.DataFrame) -> list[Claim]:
    """The published means, and what the paper concludes from them."""
    optimum, factor = frame["C*"].mean(), _PUBLISHED["CCB"] / _PUBLISHED["C*"]
    ecw, ccb = (mean_interval(frame[name] / optimum) for name in ("C^E*", "CCB"))
    means = {f"{n}:": mean_interval(frame[n] / value) for n, value in _PUBLISHED.items()}
    low, high = 1.0 - _NEAR_MEAN, 1.0 + _NEAR_MEAN
    near: dict[str, Any] = {"low": low * factor, "high": high * factor, "factor": factor}
    return [
        Claim("off", ecw.text(".3f"), abs(ecw.value - 1.09) <= _NEAR_SHARE),
        interval_claim("ccb", {"": ccb}, ",.0f", here="{} times", **near),
        interval_claim("means", means, ".2f", low=low, high=high, here="times the published: {}"),
    ]


# Random submatrices of a large preference matrix.

_MOST_DRAWS = 100_000


def drawn_submatrix(
    matrix: PreferenceMatrix,
    arms: int,
    rng: np.random.Generator,
    *,
    least_gap: float,
    condorcet: bool | None = None,
) -> PreferenceMatrix:
    """A random submatrix without small gaps, with or without a Condorcet winner."""
    if arms > matrix.arms:
        raise InputError(f"{matrix.name} has {matrix.arms} arms, expected at least {arms}")
    wide = matrix.gaps >= least_gap
    np.fill_diagonal(wide, val=True)
    kind = "" if condorcet is None else ("-condorcet" if condorcet else "-cycle")
    for _ in range(_MOST_DRAWS):
        chosen = rng.choice(matrix.arms, size=arms, replace=False)
        if not wide[np.ix_(chosen, chosen)].all():
            continue
        drawn = matrix.submatrix(chosen.tolist(), name=f"random-{arms}{kind}")
        if condorcet is None or (drawn.condorcet_winner is not None) == condorcet:
            return drawn
    raise InputError(
        f"{matrix.name}: no submatrix of {arms} arms with gaps of at least {least_gap} and "
        f"{'a' if condorcet else 'no'} Condorcet winner in {_MOST_DRAWS:,} draws"
    )


STUDIES = (
    regret_study("komiyama2016-figure1", _figure_1, more=_slopes, takes_matrix=True),
    regret_study("komiyama2016-figure2", more=_slopes),
    Study("komiyama2016-table1", _table_1, needs="matrix"),
    regret_study("komiyama2016-cw-rmed", claims=cw_claims),
)
