"""Studies of regret: learners on problems up to a horizon, and what their curves say.

The *growth* of a run is its regret in the last tenth of the rounds over a tenth of all its regret:
1 where regret is linear, about 0.07 where it is logarithmic. Its *slope* is the regret per ln T
over the last decade of rounds.

Most studies are declared in ``pages/NAME.toml``: ``experiments``, each of some ``problems``, and
``claims``. What is said before the experiments holds for all of them; ``quick`` and ``full`` say
how long and how often they are run. A claim is that a measure ``of`` learners is between two
numbers, on the problems ``on`` which it is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.experiments.planning import LearnerSpec, Series
from cpe_opt.experiments.results import curve_of
from cpe_opt.experiments.runs import write_parquet
from cpe_opt.hardness.dueling import regret_bounds
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, Units
from cpe_opt.problems.generators import cycle_and_chain
from cpe_opt.reports.curves import Panel, save_panels
from cpe_opt.reproductions.claims import (
    Claim,
    ConfidenceInterval,
    interval_claim,
    mean_interval,
    ratio_interval,
)
from cpe_opt.reproductions.study import (
    PageTable,
    Settings,
    Study,
    declared,
    planned_series,
    play_longest_first,
    read_runs,
)

if TYPE_CHECKING:
    import pandas as pd


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
    bounds: bool = True  # whether to draw LB and ECWB

    def series(self, learner: LearnerSpec, settings: Settings) -> Series:
        """The runs of one learner."""
        runs = self.fewer.get(learner.name, self.runs)
        return planned_series(learner, self.problem, runs, self.horizon, settings, self.units)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What an experiment gave: by learner a frame of its runs with their curves."""

    experiment: Experiment
    runs: Mapping[str, pd.DataFrame]

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

    def constant_ratio(self) -> ConfidenceInterval:
        """C^E* over C*, which are computed exactly."""
        lower, ecw = self.constants()
        return ConfidenceInterval(ecw / lower, ecw / lower, ecw / lower)

    def panel(self) -> Panel:
        """For a picture."""
        shown = self.experiment
        bounds = regret_bounds(shown.problem, shown.units) if shown.bounds else {}
        return Panel(self.name, {name: curve_of(runs) for name, runs in self.runs.items()}, bounds)

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
    """Make every run of every experiment, and write them to a parquet file."""
    import pandas as pd

    planned = [{one.name: e.series(one, settings) for one in e.learners} for e in experiments]
    play_longest_first([series for each in planned for series in each.values()], settings)
    runs = [{name: read_runs(s, curves=True) for name, s in each.items()} for each in planned]
    frames = [runs.assign(learner=name) for each in runs for name, runs in each.items()]
    frame = pd.concat(frames).drop(columns=["parameters", "answer"])
    write_parquet(frame, settings.file(".parquet"))
    return [Outcome(*each) for each in zip(experiments, runs, strict=True)]


def regret_study(
    name: str,
    experiments: Callable[[Settings], Sequence[Experiment]] | None = None,
    claims: Callable[[RegretOutcomes], Sequence[Claim]] | None = None,
    *,
    more: Callable[[RegretOutcomes], Mapping[str, Any]] = lambda outcomes: {},
    takes_matrix: bool = False,
) -> Study:
    """A study of regret: its ``horizons``, ``runs``, ``picture``, table ``regrets``, and more.

    Experiments and claims are those that are declared, where none are given.
    """

    def values(settings: Settings) -> dict[str, Any]:
        planned = experiments(settings) if experiments else declared_experiments(name, settings)
        outcomes = run_experiments(planned, settings)
        first = planned[0]
        horizons = ", ".join(f"{o.name} to T = {o.experiment.horizon:,}" for o in outcomes)
        panels = [outcome.panel() for outcome in outcomes]
        return {
            "claims": claims(outcomes) if claims else declared_claims(name, outcomes),
            "horizon": first.horizon,
            "horizons": horizons,
            "runs": first.runs,
            "picture": save_panels(panels, settings.file(".png"), units=first.units),
            "regrets": PageTable(HEAD, [row for outcome in outcomes for row in outcome.rows()]),
            **more(outcomes),
        }

    return Study(name, values, takes_matrix=takes_matrix)


# Declared studies

_KEPT = ("horizon", "runs", "units", "fewer", "bounds")
_NEAR, _FAR = 2.0, 3.0  # standard errors


def declared_experiments(name: str, settings: Settings) -> list[Experiment]:
    """Those of ``pages/NAME.toml``; a learner with parameters is a pair of both."""
    found, said = list[Experiment](), declared(name)
    for each in said["experiments"]:
        given = {**said, **each, **each[settings.choose("quick", "full")]}
        learners = [
            LearnerSpec(one) if isinstance(one, str) else LearnerSpec(*one)
            for one in given["learners"]
        ]
        kept = {key: given[key] for key in _KEPT if key in given}
        problems = [load_instance(problem) for problem in given.get("problems", ())]
        problems += [_cycle_and_chain(*each) for each in given.get("cycle_and_chain", ())]
        found += [Experiment(problem, learners, **kept) for problem in problems]
    return found


def _cycle_and_chain(arms: int, beats: float) -> PreferenceMatrix:
    made = cycle_and_chain(arms, beats)
    return PreferenceMatrix(made.array, name=f"{made.name}, p = {beats}")


def declared_claims(name: str, outcomes: RegretOutcomes) -> list[Claim]:
    """Those of ``pages/NAME.toml``, where there is a problem that they are made of."""
    found, said = list[Claim](), declared(name)
    for each in said["claims"] if "claims" in said else declared(said["claims_of"])["claims"]:
        words = dict(each)
        about = words.pop("on", {}).items()
        if chosen := [o for o in outcomes if about <= _properties(o).items()]:
            judge = published_means if "means" in words else regret_claim
            found.append(judge(chosen, **words))
    return found


def _properties(outcome: Outcome) -> dict[str, Any]:
    mu = outcome.problem
    condorcet, drawn = mu.condorcet_winner is not None, mu.name.startswith("random")
    return {"name": mu.name, "arms": mu.arms, "condorcet": condorcet, "drawn": drawn}


def regret_claim(
    outcomes: RegretOutcomes,
    row: str,
    measure: str,
    of: Sequence[Sequence[str]],
    low: float = -math.inf,
    high: float = math.inf,
    **words: Any,
) -> Claim:
    """That a measure of each of some tuples of learners is between two numbers on each problem."""
    names = ["/".join(learners) for learners in of]
    found = {
        f"{outcome.name}: {name}" if len(of) > 1 else outcome.name: getattr(outcome, measure)(*each)
        for outcome in outcomes
        for name, each in zip(names, of, strict=True)
    }
    return interval_claim(row, found, ".2f", low=low, high=high, of=", ".join(names), **words)


def published_means(
    outcomes: RegretOutcomes, learner: str, means: Sequence[tuple[float, float]], runs: int
) -> Claim:
    """A mean regret against published ones, each a mean and a standard deviation of so many runs.

    It agrees where it is at most two standard errors of the difference from each, and differs where
    it is more than three from each.
    """
    finals = outcomes[0].finals(learner)
    mean, sd = finals.mean(), finals.std(ddof=1)
    own, theirs = sd / math.sqrt(len(finals)), [(m, s / math.sqrt(runs)) for m, s in means]
    away = [float((mean - value) / math.hypot(own, error)) for value, error in theirs]
    agrees = all(abs(each) <= _NEAR for each in away)
    words = {
        "learner": learner,
        "means": ", ".join(f"{value:,} ± {spread:,}" for value, spread in means),
        "errors": ", ".join(f"{error:,.0f}" for _, error in theirs),
        "near": _NEAR,
        "far": _FAR,
    }
    return Claim(
        "near",
        f"{mean:,.0f} ± {sd:,.0f} ({len(finals)} runs, standard error {own:,.0f}), "
        f"{', '.join(f'{each:+.1f}' for each in away)} standard errors away",
        agrees or (None if any(abs(each) <= _FAR for each in away) else False),
        words,
    )


DECLARED = (
    "sushi",
    "zoghi2015-figure1",
    "zoghi2015-figure2",
    "zoghi2015-figure3",
)
STUDIES = tuple(map(regret_study, DECLARED))
