"""Komiyama, Honda, Nakagawa (ICML 2016): figures 1 and 2, table 1, and CW-RMED, which was not run.

The theorems say that regret grows as C* ln T (CW-RMED) and as C^E* ln T (ECW-RMED). What a run to T
can show is its slope over the last decade of rounds, per ln T: evidence for a constant where the
interval of the slope is near it and the other constant is not in that interval.

    python examples/papers/komiyama2016.py --figure 1 --full
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import study
from regret import Outcome, regret_study

import cpe_opt as cpe

# Figures 1 and 2: regret of six algorithms.


def slopes(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The slopes of ECW-RMED next to its constant."""
    rows = []
    for each in outcomes:
        constants = (f"{each.bounds()[name]:.4f}" for name in ("ECWB", "LB"))
        rows.append([each.problem.name, each.slope("ecw-rmed").text(".4g"), *constants])
    return {"slopes": study.table_of(("problem", "slope of ECW-RMED", "C^E*", "C*"), rows)}


# CW-RMED against ECW-RMED.

_NEAR = 0.25  # of a constant
_APART = 1.05  # constants that differ by less are not told apart


def slope_claims(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Whether regret grows as the learner's constant, and not as the other one, times ln T."""
    claims = []
    for learner in ("cw-rmed", "ecw-rmed"):
        for outcome in outcomes:
            lower, ecw = outcome.bounds()["LB"], outcome.bounds()["ECWB"]
            slope, runs = outcome.slope(learner), len(outcome.finals(learner))
            name, *both = ("C*", lower, ecw) if learner == "cw-rmed" else ("C^E*", ecw, lower)
            words: dict[str, Any] = {"problem": outcome.problem.name, "learner": learner}
            words |= {"constant": name, "near": _NEAR, "lower": lower, "ecw": ecw}
            shows = slope_shows(slope, *both)
            claims.append(study.Claim("slope", f"{slope.text('.4g')} in {runs} runs", shows, words))
    return {"claims": claims}


def slope_shows(slope: study.Interval, own: float, other: float) -> bool | None:
    """Whether a slope is near its own constant, and not at the other one as well."""
    near = slope.within((1.0 - _NEAR) * own, (1.0 + _NEAR) * own)
    both = slope.low <= other <= slope.high or max(own, other) < _APART * min(own, other)
    return None if near and both else near


# study.Table 1: mean constants of the regret bounds over random submatrices of 16 arms.

_PUBLISHED = {"C*": 6.7e2, "C^E*": 7.3e2, "CCB": 8.8e5}
_NEAR_SHARE, _NEAR_MEAN = 0.05, 0.2


def table_1(settings: study.Settings) -> dict[str, Any]:
    """The constants of many submatrices."""
    matrix, count = settings.needed("matrix"), settings.choose(300, 10_000)
    tasks = [(matrix, settings.seed, number) for number in range(count)]
    frame = study.rows_of_tasks(constants, tasks, settings, ["number"])
    table = frame.drop(columns="number").agg(["mean", "sem", "median"]).T
    table = table.assign(published=table.index.map(_PUBLISHED))
    return {
        "claims": table_1_claims(frame),
        "count": count,
        "matrix": matrix.name,
        "constants": study.Table(table),
    }


def constants(matrix: cpe.PreferenceMatrix, seed: int, number: int) -> list[dict[str, Any]]:
    """Those of one submatrix."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    drawn = drawn_submatrix(matrix, 16, rng, 0.005)
    hard = cpe.copeland_hardness(drawn)
    lower, ecw = cpe.copeland_bound(drawn).value, cpe.ecw_bound(drawn).value
    row = {"number": number, "C*": lower, "C^E*": ecw}
    return [{**row, "CCB": hard.ccb_bound, "CCB, A^(3)": hard.ccb_constant}]


def table_1_claims(frame: pd.DataFrame) -> list[study.Claim]:
    """The published means, and what the paper concludes from them."""
    optimum, factor = frame["C*"].mean(), _PUBLISHED["CCB"] / _PUBLISHED["C*"]
    ecw, ccb = (study.mean_interval(frame[name] / optimum) for name in ("C^E*", "CCB"))
    means = {f"{n}:": study.mean_interval(frame[n] / value) for n, value in _PUBLISHED.items()}
    low, high = 1.0 - _NEAR_MEAN, 1.0 + _NEAR_MEAN
    near: dict[str, Any] = {"low": low * factor, "high": high * factor, "factor": factor}
    return [
        study.Claim("off", ecw.text(".3f"), abs(ecw.value - 1.09) <= _NEAR_SHARE),
        study.claim("ccb", {"": ccb}, ",.0f", here="{} times", **near),
        study.claim("means", means, ".2f", low=low, high=high, here="times the published: {}"),
    ]


_MOST_DRAWS = 100_000


def drawn_submatrix(
    matrix: cpe.PreferenceMatrix, arms: int, rng: np.random.Generator, least_gap: float
) -> cpe.PreferenceMatrix:
    """A random submatrix without small gaps."""
    wide = matrix.gaps >= least_gap
    np.fill_diagonal(wide, val=True)
    for _ in range(_MOST_DRAWS if matrix.arms >= arms else 0):
        chosen = rng.choice(matrix.arms, size=arms, replace=False)
        if wide[np.ix_(chosen, chosen)].all():
            return matrix.submatrix(chosen.tolist())
    raise cpe.InputError(
        f"{matrix.name} has {matrix.arms} arms, found no {arms} with gaps of at least {least_gap}"
    )


STUDIES = (
    regret_study("komiyama2016-figure1", "komiyama2016.py --figure 1", slopes),
    regret_study("komiyama2016-figure2", "komiyama2016.py --figure 2", slopes),
    study.Study("komiyama2016-table1", "komiyama2016.py --table 1", table_1),
    regret_study("komiyama2016-cw-rmed", "komiyama2016.py --study cw-rmed", slope_claims),
    regret_study("sushi", "komiyama2016.py --study sushi"),
)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
