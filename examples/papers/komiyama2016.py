"""Komiyama, Honda, Nakagawa (ICML 2016): figures 1 and 2, table 1, and CW-RMED, which was not run.

python examples/papers/komiyama2016.py --figure 1 --full
"""

from typing import Any

import pandas as pd
import study
from regret import regret_study

import cpe_opt as cpe

# Table 1: mean constants of the regret bounds over random submatrices of 16 arms.

_PUBLISHED = {"C*": 6.7e2, "C^E*": 7.3e2, "CCB": 8.8e5}
_NEAR_SHARE, _NEAR_MEAN = 0.05, 0.2


def table_1(settings: study.Settings) -> dict[str, Any]:
    """The constants of many submatrices."""
    matrix, count = settings.needed("matrix"), settings.choose(300, 10_000)
    keys = [(settings.seed, number) for number in range(count)]
    tasks = [(matrix, 16, 1, key, constants, 0.005) for key in keys]
    frame = study.rows_of_tasks(study.submatrices, tasks, settings)
    table = frame.drop(columns=["arms", "number"]).agg(["mean", "sem", "median"]).T
    table = table.assign(published=table.index.map(_PUBLISHED))
    return {
        "claims": table_1_claims(frame),
        "count": count,
        "matrix": matrix.name,
        "constants": study.Table(table),
    }


def constants(drawn: cpe.PreferenceMatrix) -> dict[str, Any]:
    """Those of one submatrix."""
    hard, lower = cpe.copeland_hardness(drawn), cpe.copeland_bound(drawn).value
    row = {"C*": lower, "C^E*": cpe.ecw_bound(drawn).value}
    return {**row, "CCB": hard.ccb_bound, "CCB, A^(3)": hard.ccb_constant}


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


STUDIES = (
    regret_study("komiyama2016-figure1", "komiyama2016.py --figure 1"),
    regret_study("komiyama2016-figure2", "komiyama2016.py --figure 2"),
    study.Study("komiyama2016-table1", "komiyama2016.py --table 1", table_1),
    regret_study("komiyama2016-cw-rmed", "komiyama2016.py --study cw-rmed"),
    regret_study("sushi", "komiyama2016.py --study sushi"),
)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
