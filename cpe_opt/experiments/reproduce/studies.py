"""Regret studies: several learners on several problems, and what their curves say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.experiments.analysis import regret_bounds
from cpe_opt.experiments.engine import Plan, Run, plan_runs, play
from cpe_opt.experiments.plots import Panel
from cpe_opt.experiments.reproduce.settings import Settings
from cpe_opt.experiments.results import curves, read_runs, summary_frame
from cpe_opt.experiments.runs import RegretCurve, write_parquet
from cpe_opt.problems.preferences import PreferenceMatrix, Units

if TYPE_CHECKING:
    import pandas as pd

# Regret in the last tenth of the rounds, as a share of what linear growth would give.
_LINEAR = 0.5


@dataclass(frozen=True)
class Study:
    """Learners on a problem.

    Attributes
    ----------
    problem : PreferenceMatrix
    plans : sequence of Plan
    horizon, runs : int
    units : "khn" or "zkwr"
    fewer : mapping of learner to runs
        For learners that would take too long otherwise.
    horizons : mapping of learner to horizons
        For learners that are told the horizon: one experiment for each of these, beside the last.
    bounds : bool
        Whether to draw LB and ECWB.
    """

    problem: PreferenceMatrix
    plans: Sequence[Plan]
    horizon: int
    runs: int
    units: Units = "khn"
    fewer: Mapping[str, int] = field(default_factory=dict)
    horizons: Mapping[str, Sequence[int]] = field(default_factory=dict)
    bounds: bool = True

    def planned(self, plan: Plan, horizon: int, settings: Settings) -> list[Run]:
        """The runs of one learner to one horizon."""
        return plan_runs(
            [plan],
            [self.problem],
            runs=self.fewer.get(plan.learner, self.runs),
            horizon=horizon,
            seed=settings.seed,
            out=settings.out / "runs",
            regret=self.units,
        )


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a study gave: a curve a learner, and a summary of the regret at the horizon.

    ``drawn`` are a picture's curves: for learners with horizons of their own, regret by horizon.
    """

    study: Study
    curves: Mapping[str, RegretCurve]
    drawn: Mapping[str, RegretCurve]
    table: pd.DataFrame

    def final(self, learner: str) -> float:
        """Mean regret at the horizon."""
        return float(self.curves[learner].mean[-1])

    def row(self, learner: str) -> dict[str, Any]:
        """The learner's row of the table."""
        (row,) = self.table[self.table["learner"] == learner].to_dict("records")
        return {str(key): value for key, value in row.items()}

    def less(self, better: str, worse: str) -> bool | None:
        """Whether one learner has less regret than another; None within two standard errors."""
        rows = [self.row(better), self.row(worse)]
        error = math.sqrt(sum(row["sd"] ** 2 / row["runs"] for row in rows))
        difference = rows[1]["mean"] - rows[0]["mean"]
        return None if abs(difference) <= 2 * error else bool(difference > 0)

    def growth(self, learner: str) -> float:
        """Regret in the last tenth of the rounds over a tenth of all regret: 1 where linear."""
        curve = self.curves[learner]
        end = float(curve.time[-1])
        late = curve.mean[-1] - np.interp(0.9 * end, curve.time, curve.mean)
        return float(10 * late / curve.mean[-1]) if curve.mean[-1] > 0 else 0.0

    def is_linear(self, learner: str) -> bool:
        """Whether regret still grows about as fast as on average."""
        return self.growth(learner) > _LINEAR

    def slope(self, learner: str) -> float:
        """Regret by ln T over the last decade of rounds."""
        curve = self.curves[learner]
        end = float(curve.time[-1])
        late = curve.mean[-1] - np.interp(end / 10, curve.time, curve.mean)
        return float(late / np.log(10))

    def panel(self) -> Panel:
        """For a picture."""
        study = self.study
        bounds = regret_bounds(study.problem, study.units) if study.bounds else {}
        return Panel(study.problem.name, self.drawn, bounds, tuple(study.horizons))

    def rows(self) -> list[list[object]]:
        """Rows of a page's table, under :data:`HEAD`."""
        return [
            [
                row["problem"],
                row["learner"],
                row["runs"],
                f"{row['mean']:,.0f} ± {row['sd']:,.0f}",
                f"{row['median']:,.0f}",
                f"{row['informative']:,.0f}",
                f"{row['seconds']:.2f}",
                f"{self.growth(row['learner']):.2f}",
            ]
            for _, row in self.table.iterrows()
        ]


def all_hold(verdicts: Iterable[bool | None]) -> bool | None:
    """False where any is, else None where any is, else True."""
    found = list(verdicts)
    return False if False in found else None if None in found else True


HEAD = (
    "problem",
    "algorithm",
    "runs",
    "regret, mean ± sd",
    "median",
    "duels",
    "seconds a run",
    "growth",
)
GROWTH = (
    "*growth* is the regret of the last tenth of the rounds over a tenth of all regret: 1 where "
    "regret is linear, about 0.07 where it is logarithmic."
)


def run_studies(studies: Sequence[Study], settings: Settings) -> list[Outcome]:
    """Make every run of every study, and write their curves to a parquet file."""
    planned = {
        (number, plan.name, horizon): study.planned(plan, horizon, settings)
        for number, study in enumerate(studies)
        for plan in study.plans
        for horizon in (*study.horizons.get(plan.learner, ()), study.horizon)
    }
    everything = {run.path: run for runs in planned.values() for run in runs}
    # The longest first, so that no worker is left with one at the end.
    ordered = sorted(everything.values(), key=lambda run: run.horizon or 0, reverse=True)
    play(ordered, jobs=settings.jobs, progress=settings.progress)
    outcomes = []
    for number, study in enumerate(studies):
        paths: list[Path] = []
        found: dict[str, RegretCurve] = {}
        drawn: dict[str, RegretCurve] = {}
        for plan in study.plans:
            last = [run.path for run in planned[number, plan.name, study.horizon]]
            paths += last
            drawn[plan.name] = found[plan.name] = _curve(last)
            if earlier := study.horizons.get(plan.learner):
                drawn[plan.name] = _by_horizon(
                    _curve([run.path for run in planned[number, plan.name, horizon]])
                    for horizon in (*earlier, study.horizon)
                )
        outcomes.append(Outcome(study, found, drawn, summary_frame(read_runs(paths))))
    write_parquet(_frame(outcomes), settings.file(".parquet"))
    return outcomes


def _curve(paths: Sequence[Path]) -> RegretCurve:
    """The curve of one learner on one problem."""
    (by_learner,) = curves(read_runs(paths)).values()
    (curve,) = by_learner.values()
    return curve


def _by_horizon(each: Iterable[RegretCurve]) -> RegretCurve:
    """The ends of several curves as one."""
    ends = list(each)
    return RegretCurve(
        np.array([curve.time[-1] for curve in ends]),
        np.array([curve.mean[-1] for curve in ends]),
        np.array([curve.low[-1] for curve in ends]),
        np.array([curve.high[-1] for curve in ends]),
        ends[-1].runs,
    )


def _frame(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Every curve, one row a problem, learner and round."""
    import pandas as pd

    return pd.concat(
        [
            pd.DataFrame(
                {
                    "problem": outcome.study.problem.name,
                    "learner": name,
                    "units": outcome.study.units,
                    "runs": curve.runs,
                    "time": curve.time,
                    "mean": curve.mean,
                    "q10": curve.low,
                    "q90": curve.high,
                }
            )
            for outcome in outcomes
            for name, curve in outcome.drawn.items()
        ],
        ignore_index=True,
    )
