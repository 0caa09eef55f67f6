"""Studies of regret: learners on problems up to a horizon, and what their curves say.

The *growth* of a run is its regret in the last tenth of the rounds over a tenth of all its regret:
1 where regret is linear, about 0.07 where it is logarithmic. Its *slope* is the regret per ln T
over the last decade of rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.experiments.planning import LearnerSpec, Series
from cpe_opt.experiments.results import curve_of
from cpe_opt.experiments.runs import RegretCurve, write_parquet
from cpe_opt.hardness.dueling import regret_bounds
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, Units
from cpe_opt.reports.curves import Panel, save_panels
from cpe_opt.reproductions.claims import (
    Claim,
    ConfidenceInterval,
    all_hold,
    difference_interval,
    interval_claim,
    mean_interval,
    ratio_interval,
)
from cpe_opt.reproductions.rows import planned_series, play_longest_first, read_runs
from cpe_opt.reproductions.study import PageTable, Settings, Study, declared

if TYPE_CHECKING:
    import pandas as pd

LINEAR = 0.5  # growth from here on counts as linear, below it does not


@dataclass(frozen=True)
class Experiment:
    """Learners on a problem."""

    problem: PreferenceMatrix
    learners: Sequence[LearnerSpec]
    horizon: int
    runs: int
    units: Units = "mean"
    # by learner: runs, of those that would take too long otherwise
    fewer: Mapping[str, int] = field(default_factory=dict)
    # for learners that are told the horizon: runs of their own to each of these
    horizons: Mapping[str, Sequence[int]] = field(default_factory=dict)
    bounds: bool = True  # whether to draw LB and ECWB

    @property
    def _played(self) -> Units:
        """The regret "mean" where "sum" is twice as much, so that studies share their runs."""
        return self.units if self.problem.ties else "mean"

    def series(self, learner: LearnerSpec, horizon: int, settings: Settings) -> Series:
        """The runs of one learner to one horizon."""
        runs = self.fewer.get(learner.name, self.runs)
        return planned_series(learner, self.problem, runs, horizon, settings, self._played)

    def read(self, series: Series) -> pd.DataFrame:
        """The finished runs with their curves, in the units of the experiment."""
        runs = read_runs(series, curves=True)
        scale = 2.0 if self._played != self.units else 1.0
        return runs.assign(
            units=self.units, regret=scale * runs["regret"], regrets=scale * runs["regrets"]
        )


@dataclass(frozen=True, eq=False)
class Outcome:
    """What an experiment gave."""

    experiment: Experiment
    # by learner: those to the horizon with their curves, as ``read_results`` gives them, in the
    # units of the experiment
    runs: Mapping[str, pd.DataFrame]
    # by learner: the curves of a picture; with horizons of its own, regret by horizon
    drawn: Mapping[str, RegretCurve]

    @property
    def problem(self) -> PreferenceMatrix:
        """The experiment's problem."""
        return self.experiment.problem

    @property
    def name(self) -> str:
        """The problem's name."""
        return self.problem.name

    def finals(self, learner: str) -> FloatArray:
        """Regret at the horizon; shape (runs,)."""
        return self.runs[learner]["regret"].to_numpy()

    def mean(self, learner: str) -> ConfidenceInterval:
        """Mean regret at the horizon."""
        return mean_interval(self.finals(learner))

    def ratio(self, above: str, below: str) -> ConfidenceInterval:
        """Mean regret of one learner over that of another."""
        return ratio_interval(self.finals(above), self.finals(below))

    def less(self, better: str, worse: str) -> bool | None:
        """Whether one learner has less regret than another; None where the runs do not tell."""
        return difference_interval(self.finals(worse), self.finals(better)).within(low=0.0)

    def _rises(self, learner: str, share: float) -> FloatArray:
        """By how much regret grows from this share of the rounds to the end, run by run."""
        runs = self.runs[learner]
        return np.array(
            [
                regrets[-1] - np.interp(share * times[-1], times, regrets)
                for times, regrets in zip(runs["times"], runs["regrets"], strict=True)
            ]
        )

    def growth(self, learner: str) -> ConfidenceInterval:
        """Regret in the last tenth of the rounds over a tenth of all regret: 1 where linear."""
        late, finals = self._rises(learner, 0.9), self.finals(learner)
        return mean_interval(10.0 * late / np.where(finals > 0.0, finals, np.inf))

    def slope(self, learner: str) -> ConfidenceInterval:
        """Regret by ln T over the last decade of rounds."""
        return mean_interval(self._rises(learner, 0.1) / np.log(10))

    def constants(self) -> tuple[float, float]:
        """C* and C^E*, in the units of the experiment."""
        bounds = regret_bounds(self.problem, self.experiment.units)
        return bounds["LB"], bounds["ECWB"]

    def panel(self) -> Panel:
        """For a picture."""
        shown = self.experiment
        bounds = regret_bounds(shown.problem, shown.units) if shown.bounds else {}
        return Panel(self.name, self.drawn, bounds, tuple(shown.horizons))

    def rows(self) -> list[list[object]]:
        """Rows of a page's table, under :data:`HEAD`."""
        return [
            [
                self.name,
                learner,
                len(runs),
                self.mean(learner).text(),
                f"{self.finals(learner).std(ddof=1):,.0f}" if len(runs) > 1 else "",
                f"{np.median(self.finals(learner)):,.0f}",
                f"{runs['samples'].mean():,.0f}",
                f"{runs['seconds'].mean():.2f}",
                f"{self.growth(learner).value:.2f}",
            ]
            for learner, runs in self.runs.items()
        ]


RegretOutcomes: TypeAlias = Sequence[Outcome]
HEAD = (
    *("problem", "algorithm", "runs", "regret, mean (95 % interval)", "sd", "median", "duels"),
    *("seconds a run", "growth"),
)


def run_experiments(experiments: Sequence[Experiment], settings: Settings) -> list[Outcome]:
    """Make every run of every experiment, and write their curves to a parquet file."""
    planned = {
        (number, learner.name, horizon): each.series(learner, horizon, settings)
        for number, each in enumerate(experiments)
        for learner in each.learners
        for horizon in (*each.horizons.get(learner.name, ()), each.horizon)
    }
    play_longest_first(planned.values(), settings)
    outcomes = []
    for number, each in enumerate(experiments):
        runs = {
            learner.name: each.read(planned[number, learner.name, each.horizon])
            for learner in each.learners
        }
        drawn = {name: curve_of(found) for name, found in runs.items()}
        for name, earlier in each.horizons.items():
            ends = [curve_of(each.read(planned[number, name, horizon])) for horizon in earlier]
            drawn[name] = _ends([*ends, drawn[name]])
        outcomes.append(Outcome(each, runs, drawn))
    write_parquet(_curves(outcomes), settings.file(".parquet"))
    return outcomes


def _ends(curves: Sequence[RegretCurve]) -> RegretCurve:
    """The ends of several curves as one."""
    time, mean, low, high = (
        np.array([getattr(curve, name)[-1] for curve in curves])
        for name in ("time", "mean", "low", "high")
    )
    return RegretCurve(time, mean, low, high, curves[-1].runs)


def _curves(outcomes: RegretOutcomes) -> pd.DataFrame:
    """Every curve, one row a problem, learner and round."""
    import pandas as pd

    parts = [
        {
            "problem": outcome.name,
            "learner": name,
            "units": outcome.experiment.units,
            "runs": curve.runs,
            "time": curve.time,
            "mean": curve.mean,
            "q10": curve.low,
            "q90": curve.high,
        }
        for outcome in outcomes
        for name, curve in outcome.drawn.items()
    ]
    return pd.concat([pd.DataFrame(part) for part in parts], ignore_index=True)


def regret_study(
    name: str,
    experiments: Callable[[Settings], Sequence[Experiment]],
    claims: Callable[[RegretOutcomes], Sequence[Claim]],
    *,
    more: Callable[[Settings, RegretOutcomes], Mapping[str, Any]] = lambda settings, outcomes: {},
    drawn: Callable[[RegretOutcomes], RegretOutcomes] = lambda outcomes: outcomes,
    takes_matrix: bool = False,
) -> Study:
    """A study of regret: its ``horizon``, ``runs``, ``picture``, table ``regrets``, and more."""

    def values(settings: Settings) -> dict[str, Any]:
        outcomes = run_experiments(experiments(settings), settings)
        shown = drawn(outcomes)
        panels, units = [outcome.panel() for outcome in shown], shown[0].experiment.units
        return {
            "claims": claims(outcomes),
            "horizon": outcomes[0].experiment.horizon,
            "runs": outcomes[0].experiment.runs,
            "picture": save_panels(panels, settings.file(".png"), units=units),
            "regrets": PageTable(HEAD, [row for outcome in outcomes for row in outcome.rows()]),
            **more(settings, outcomes),
        }

    return Study(name, values, takes_matrix=takes_matrix)


def times_more(
    published: str, worse: str, better: str, times: float, outcomes: RegretOutcomes
) -> Claim:
    """That a learner has more than so many times the regret of another on each problem."""
    found = {outcome.name: outcome.ratio(worse, better) for outcome in outcomes}
    words: dict[str, Any] = {"published": published, "worse": worse, "better": better}
    return interval_claim("times-more", found, ".1f", low=times, **words)


def less_regret(
    published: str, better: str, others: Sequence[str], outcomes: RegretOutcomes
) -> Claim:
    """That a learner has less regret than each of the others."""
    return Claim(
        "less-regret",
        _by_learner(outcomes, (better, *others), lambda o, name: o.mean(name).text()),
        all_hold(outcome.less(better, name) for outcome in outcomes for name in others),
        {"published": published, "side": better.upper()},
    )


def growth_claim(
    published: str,
    outcomes: RegretOutcomes,
    *,
    linear: Sequence[str] = (),
    not_linear: Sequence[str] = (),
) -> Claim:
    """That some learners have linear regret, and others have not."""
    parts = [f"above {LINEAR} of {', '.join(linear)}"] * bool(linear)
    parts += [f"below {LINEAR} of {', '.join(not_linear)}"] * bool(not_linear)
    return Claim(
        "growth",
        _by_learner(outcomes, (*linear, *not_linear), lambda o, name: o.growth(name).text(".2f")),
        all_hold(
            outcome.growth(name).within(**({"low": LINEAR} if name in linear else {"high": LINEAR}))
            for outcome in outcomes
            for name in (*linear, *not_linear)
        ),
        {"published": published, "parts": " and ".join(parts)},
    )


def _by_learner(
    outcomes: RegretOutcomes, names: Sequence[str], text: Callable[[Outcome, str], str]
) -> str:
    return "; ".join(
        f"{outcome.name}: " + ", ".join(f"{name} {text(outcome, name)}" for name in names)
        for outcome in outcomes
    )


_KINDS: Mapping[str, Callable[..., Claim]] = {
    "times-more": times_more,
    "less-regret": less_regret,
    "growth": growth_claim,
}


def declared_claims(name: str, outcomes: RegretOutcomes, **parts: RegretOutcomes) -> list[Claim]:
    """Those of ``pages/NAME.toml``, of all outcomes or of a part of them, where it has any."""
    found = []
    for each in declared(name)["claims"]:
        said = dict(each)
        judge, about = _KINDS[said.pop("kind")], said.pop("on", "")
        if chosen := parts[about] if about else outcomes:
            found.append(judge(outcomes=chosen, **said))
    return found
