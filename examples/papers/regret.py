"""Studies of regret: learners on problems up to a horizon, and what their curves say.

Studies are declared in ``pages/NAME.toml``: ``experiments``, each of some ``problems``, and
``claims``. What is said before the experiments holds for all of them; ``quick`` and ``full`` say
how long and how often they are run. A claim is that a measure ``of`` learners is between two
numbers, on the problems ``on`` which it is made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import study

import cpe_opt as cpe
from cpe_opt.experiments.results import curve_of, summary_frame
from cpe_opt.hardness.dueling import regret_bounds
from cpe_opt.problems.generators import cycle_and_chain
from cpe_opt.reports.curves import Panel, panels_figure
from cpe_opt.reports.drawing import save_figure


@dataclass(frozen=True, eq=False)
class Outcome:
    """Learners on a problem: by learner a frame of its runs with their curves."""

    problem: cpe.PreferenceMatrix
    said: Mapping[str, Any]  # what is declared of the experiment
    runs: Mapping[str, pd.DataFrame]

    @property
    def about(self) -> dict[str, Any]:
        """What claims may be restricted to."""
        mu = self.problem
        return {"name": mu.name, "arms": mu.arms, "condorcet": mu.condorcet_winner is not None}

    def finals(self, learner: str) -> npt.NDArray[np.float64]:
        """Regret at the horizon; shape (runs,)."""
        return self.runs[learner]["regret"].to_numpy()

    def mean(self, learner: str) -> study.Interval:
        """Mean regret at the horizon."""
        return study.mean_interval(self.finals(learner))

    def ratio(self, above: str, below: str) -> study.Interval:
        """Mean regret of one learner over that of another."""
        return study.ratio_interval(self.finals(above), self.finals(below))

    def growth(self, learner: str) -> study.Interval:
        """Regret in the last tenth of the rounds over a tenth of all: 1 if linear, 0.07 if ln T."""
        late, finals = self._rises(learner, 0.9), self.finals(learner)
        return study.mean_interval(10.0 * late / np.where(finals > 0.0, finals, np.inf))

    def slope(self, learner: str, bound: str) -> study.Interval:
        """Regret by ln T over the last decade of rounds, by one of the bounds."""
        return study.mean_interval(self._rises(learner, 0.1) / (np.log(10) * self.bounds()[bound]))

    def _rises(self, learner: str, share: float) -> npt.NDArray[np.float64]:
        """By how much regret grows from this share of the rounds to the end, run by run."""
        curves = zip(self.runs[learner]["times"], self.runs[learner]["regrets"], strict=True)
        return np.array([r[-1] - np.interp(share * times[-1], times, r) for times, r in curves])

    def bounds(self) -> Mapping[str, float]:
        """C* as ``LB`` and C^E* as ``ECWB``, in the units of the experiment."""
        return regret_bounds(self.problem, self.said.get("units", "mean"))

    def table(self) -> pd.DataFrame:
        """A row a learner, for the page's table."""
        table = summary_frame({(self.problem.name, name): runs for name, runs in self.runs.items()})
        means = [self.mean(name).text() for name in self.runs]
        return table.assign(interval=means, growth=[self.growth(n).value for n in self.runs])


def regret_study(name: str, command: str) -> study.Study:
    """A study of regret: its ``horizons``, ``runs``, ``picture``, and the table ``regrets``."""

    def values(settings: study.Settings) -> dict[str, Any]:
        outcomes = [run(mu, said, settings) for mu, said in experiments(name, settings)]
        frames = [frame.assign(learner=n) for o in outcomes for n, frame in o.runs.items()]
        study.written([each.drop(columns=["parameters", "answer"]) for each in frames], settings)
        first = outcomes[0].said
        horizons = (f"{o.problem.name} to T = {o.said['horizon']:,}" for o in outcomes)
        panels = []
        for each in outcomes:
            curves = {learner: curve_of(runs) for learner, runs in each.runs.items()}
            bounds = each.bounds() if first.get("bounds", True) else {}
            panels.append(Panel(each.problem.name, curves, bounds))
        figure = panels_figure(panels, units=first.get("units", "mean"))
        return {
            "claims": declared_claims(name, outcomes),
            "horizon": first["horizon"],
            "horizons": ", ".join(horizons),
            "runs": first["runs"],
            "picture": save_figure(figure, settings.file(".png")),
            "regrets": study.Table(pd.concat([each.table() for each in outcomes])),
        }

    return study.Study(name, command, values)


def experiments(
    name: str, settings: study.Settings
) -> list[tuple[cpe.PreferenceMatrix, Mapping[str, Any]]]:
    """The problems of ``pages/NAME.toml``, with what is said of each; runs are by learner."""
    said, found = study.declared(name), list[tuple[cpe.PreferenceMatrix, Mapping[str, Any]]]()
    for each in said["experiments"]:
        given = {**said, **each, **each[settings.choose("quick", "full")]}
        for problem in study.built(given["problems"]):
            loaded = cpe.load_instance(problem) if isinstance(problem, str) else problem
            found.append((loaded, given))
    return found


def cycle(arms: int, beats: float) -> cpe.PreferenceMatrix:
    """Three winners in a cycle above a chain of arms, by the probability of every "beats"."""
    made = cycle_and_chain(arms, beats)
    return cpe.PreferenceMatrix(made.array, name=f"{made.name}, p = {beats}")


def run(
    problem: cpe.PreferenceMatrix, said: Mapping[str, Any], settings: study.Settings
) -> Outcome:
    """Every learner on a problem; a learner with parameters is a pair of both."""
    found, fewer = dict[str, pd.DataFrame](), said.get("fewer", {})
    specs = [cpe.LearnerSpec(*([o] if isinstance(o, str) else o)) for o in said["learners"]]
    shared = {"horizon": said["horizon"], "regret": said.get("units", "mean")}
    for spec in specs:
        runs = fewer.get(spec.name, said["runs"])
        found |= study.experiment([spec], problem, settings, runs=runs, **shared)
    return Outcome(problem, said, found)


def declared_claims(name: str, outcomes: Sequence[Outcome]) -> list[study.Claim]:
    """Those of ``pages/NAME.toml``, where there is a problem that they are made of."""
    found, said = [], study.declared(name)
    for each in study.declared(said.get("claims_of", name))["claims"]:
        words = dict(each)
        about = words.pop("on", {}).items()
        if chosen := [o for o in outcomes if about <= o.about.items()]:
            found.append(regret_claim(chosen, **words))
    return found


def regret_claim(
    outcomes: Sequence[Outcome],
    row: str,
    measure: str,
    of: Sequence[Sequence[str]],
    **words: Any,
) -> study.Claim:
    """That a measure of each of some tuples of learners is between two numbers on each problem."""
    found = {}
    for outcome in outcomes:
        for each in of:
            which = f": {'/'.join(each)}" * (len(of) > 1)
            found[f"{outcome.problem.name}{which}"] = getattr(outcome, measure)(*each)
    learners = ", ".join(map("/".join, of))
    return study.claim(row, found, ",.2f", of=learners, **words)
