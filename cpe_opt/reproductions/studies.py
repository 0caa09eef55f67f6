"""Regret studies: several learners on several problems, and what their curves say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.experiments.engine import play
from cpe_opt.experiments.planning import LearnerSpec, Series, plan_series
from cpe_opt.experiments.results import curve_of, read_groups
from cpe_opt.experiments.runs import RegretCurve, write_parquet
from cpe_opt.hardness.dueling import regret_bounds
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, Units
from cpe_opt.reports.curves import Panel
from cpe_opt.reproductions.page import Section
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import (
    Interval,
    difference_interval,
    mean_interval,
    ratio_interval,
)

if TYPE_CHECKING:
    import pandas as pd

# Regret in the last tenth of the rounds, as a share of what linear growth would give.
LINEAR = 0.5


@dataclass(frozen=True)
class Study:
    """Learners on a problem.

    Attributes
    ----------
    problem : PreferenceMatrix
    plans : sequence of Plan
    horizon, runs : int
    units : "mean" or "sum"
    fewer : mapping of a plan's name to runs
        For those that would take too long otherwise.
    horizons : mapping of learner to horizons
        For learners that are told the horizon: one experiment for each of these, beside the last.
    bounds : bool
        Whether to draw LB and ECWB.
    """

    problem: PreferenceMatrix
    plans: Sequence[LearnerSpec]
    horizon: int
    runs: int
    units: Units = "mean"
    fewer: Mapping[str, int] = field(default_factory=dict)
    horizons: Mapping[str, Sequence[int]] = field(default_factory=dict)
    bounds: bool = True

    def planned(self, plan: LearnerSpec, horizon: int, settings: Settings) -> Series:
        """The runs of one learner to one horizon."""
        (series,) = plan_series(
            [plan],
            [self.problem],
            runs=self.fewer.get(plan.name, self.runs),
            horizon=horizon,
            seed=settings.seed,
            out=settings.out / "runs",
            regret=self._played,
        )
        return series

    @property
    def _played(self) -> Units:
        """The regret "mean" where "sum" is twice as much, so that studies share their runs."""
        return self.units if self.problem.ties else "mean"

    def read(self, series: Series) -> pd.DataFrame:
        """The finished runs with their curves, in the units of the study."""
        (runs,) = read_groups([series], curves=True).values()
        scale = 2.0 if self._played != self.units else 1.0
        return runs.assign(
            units=self.units, regret=scale * runs["regret"], regrets=scale * runs["regrets"]
        )


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a study gave.

    Attributes
    ----------
    study : Study
    runs : mapping of learner to DataFrame
        Those to the horizon, with their curves, as :func:`cpe_opt.experiments.results.read_results`
        gives them, in the units of the study.
    drawn : mapping of learner to RegretCurve
        A picture's curves: for learners with horizons of their own, regret by horizon.
    """

    study: Study
    runs: Mapping[str, pd.DataFrame]
    drawn: Mapping[str, RegretCurve]

    def finals(self, learner: str) -> FloatArray:
        """Regret at the horizon; shape (runs,)."""
        return self.runs[learner]["regret"].to_numpy()

    def curves(self, learner: str) -> Iterator[tuple[IntArray, FloatArray]]:
        """The rounds noted of each run, and its regret there."""
        runs = self.runs[learner]
        return zip(runs["times"], runs["regrets"], strict=True)

    def mean(self, learner: str) -> Interval:
        """Mean regret at the horizon."""
        return mean_interval(self.finals(learner))

    def ratio(self, above: str, below: str) -> Interval:
        """Mean regret of one learner over that of another."""
        return ratio_interval(self.finals(above), self.finals(below))

    def less(self, better: str, worse: str) -> bool | None:
        """Whether one learner has less regret than another; None where the runs do not tell."""
        return difference_interval(self.finals(worse), self.finals(better)).within(low=0.0)

    def growth(self, learner: str) -> Interval:
        """Regret in the last tenth of the rounds over a tenth of all regret: 1 where linear."""
        found = []
        for times, regrets in self.curves(learner):
            late = regrets[-1] - np.interp(0.9 * times[-1], times, regrets)
            found.append(10.0 * late / regrets[-1] if regrets[-1] > 0 else 0.0)
        return mean_interval(found)

    def is_linear(self, learner: str) -> bool | None:
        """Whether regret still grows about as fast as on average."""
        return self.growth(learner).within(low=LINEAR)

    def is_not_linear(self, learner: str) -> bool | None:
        """Whether regret has become slower than that."""
        return self.growth(learner).within(high=LINEAR)

    def slope(self, learner: str) -> Interval:
        """Regret by ln T over the last decade of rounds."""
        return mean_interval(
            [
                (regrets[-1] - np.interp(times[-1] / 10, times, regrets)) / np.log(10)
                for times, regrets in self.curves(learner)
            ]
        )

    def panel(self) -> Panel:
        """For a picture."""
        study = self.study
        bounds = regret_bounds(study.problem, study.units) if study.bounds else {}
        return Panel(study.problem.name, self.drawn, bounds, tuple(study.horizons))

    def rows(self) -> list[list[object]]:
        """Rows of a page's table, under :data:`HEAD`."""
        found: list[list[object]] = []
        for name, runs in self.runs.items():
            finals = self.finals(name)
            sd = f"{finals.std(ddof=1):,.0f}" if len(runs) > 1 else ""
            found.append(
                [
                    self.study.problem.name,
                    name,
                    len(runs),
                    self.mean(name).text(),
                    sd,
                    f"{np.median(finals):,.0f}",
                    f"{runs['samples'].mean():,.0f}",
                    f"{runs['seconds'].mean():.2f}",
                    f"{self.growth(name).value:.2f}",
                ]
            )
        return found


HEAD = (
    "problem",
    "algorithm",
    "runs",
    "regret, mean (95 % interval)",
    "sd",
    "median",
    "duels",
    "seconds a run",
    "growth",
)
GROWTH = (
    "*growth* is the regret of the last tenth of the rounds over a tenth of all regret, the mean "
    "over runs: 1 where regret is linear, about 0.07 where it is logarithmic."
)
INTERVALS = "Numbers in brackets are 95 % confidence intervals over runs."


def run_studies(studies: Sequence[Study], settings: Settings) -> list[Outcome]:
    """Make every run of every study, and write their curves to a parquet file."""
    planned = {
        (number, plan.name, horizon): study.planned(plan, horizon, settings)
        for number, study in enumerate(studies)
        for plan in study.plans
        for horizon in (*study.horizons.get(plan.name, ()), study.horizon)
    }
    # Studies may share a series; the one with the most runs has those of the others.
    by_folder = {each.folder: each for each in sorted(planned.values(), key=lambda s: s.runs)}
    # The longest first, so that no worker is left with one at the end.
    ordered = sorted(by_folder.values(), key=lambda series: series.horizon or 0, reverse=True)
    play(ordered, jobs=settings.jobs, progress=settings.progress)
    outcomes = []
    for number, study in enumerate(studies):
        found: dict[str, pd.DataFrame] = {}
        drawn: dict[str, RegretCurve] = {}
        for plan in study.plans:
            found[plan.name] = study.read(planned[number, plan.name, study.horizon])
            drawn[plan.name] = curve_of(found[plan.name])
            if earlier := study.horizons.get(plan.name):
                drawn[plan.name] = _by_horizon(
                    curve_of(study.read(planned[number, plan.name, horizon]))
                    for horizon in (*earlier, study.horizon)
                )
        outcomes.append(Outcome(study, found, drawn))
    write_parquet(_frame(outcomes), settings.file(".parquet"))
    return outcomes


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


def regrets_at_the_horizon(outcomes: Sequence[Outcome]) -> Section:
    """The table that pages of regret share: a row a problem and learner."""
    rows = [row for outcome in outcomes for row in outcome.rows()]
    return Section("Regret at the horizon", GROWTH, HEAD, rows)
