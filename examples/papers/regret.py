"""Studies of regret: learners on problems up to a horizon, and what their curves say.

The *growth* of a run is its regret in the last tenth of the rounds over a tenth of all its regret:
1 where regret is linear, about 0.07 where it is logarithmic. Its *slope* is the regret per ln T
over the last decade of rounds.

Studies are declared in ``pages/NAME.toml``: ``experiments``, each of some ``problems``, and
``claims``. What is said before the experiments holds for all of them; ``quick`` and ``full`` say
how long and how often they are run. A claim is that a measure ``of`` learners is between two
numbers, on the problems ``on`` which it is made.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import study

import cpe_opt as cpe
from cpe_opt.experiments.results import curve_of
from cpe_opt.hardness.dueling import regret_bounds
from cpe_opt.problems.generators import cycle_and_chain
from cpe_opt.reports.curves import Panel, panels_figure
from cpe_opt.reports.drawing import save_figure

_NEAR, _FAR = 2.0, 3.0  # standard errors


@dataclass(frozen=True, eq=False)
class Outcome:
    """Learners on a problem: by learner a frame of its runs with their curves."""

    problem: cpe.PreferenceMatrix
    said: Mapping[str, Any]  # what is declared of the experiment
    runs: Mapping[str, pd.DataFrame]

    def finals(self, learner: str) -> npt.NDArray[np.float64]:
        """Regret at the horizon; shape (runs,)."""
        return self.runs[learner]["regret"].to_numpy()

    def ratio(self, above: str, below: str) -> study.Interval:
        """Mean regret of one learner over that of another."""
        return study.ratio_interval(self.finals(above), self.finals(below))

    def growth(self, learner: str) -> study.Interval:
        """Regret in the last tenth of the rounds over a tenth of all regret: 1 where linear."""
        late, finals = self._rises(learner, 0.9), self.finals(learner)
        return study.mean_interval(10.0 * late / np.where(finals > 0.0, finals, np.inf))

    def slope(self, learner: str) -> study.Interval:
        """Regret by ln T over the last decade of rounds."""
        return study.mean_interval(self._rises(learner, 0.1) / np.log(10))

    def _rises(self, learner: str, share: float) -> npt.NDArray[np.float64]:
        """By how much regret grows from this share of the rounds to the end, run by run."""
        curves = zip(self.runs[learner]["times"], self.runs[learner]["regrets"], strict=True)
        return np.array([r[-1] - np.interp(share * times[-1], times, r) for times, r in curves])

    def bounds(self) -> Mapping[str, float]:
        """C* as ``LB`` and C^E* as ``ECWB``, in the units of the experiment."""
        return regret_bounds(self.problem, self.said.get("units", "mean"))

    def constant_ratio(self) -> study.Interval:
        """C^E* over C*, which are computed exactly."""
        value = self.bounds()["ECWB"] / self.bounds()["LB"]
        return study.Interval(value, value, value)

    def rows(self) -> Iterator[dict[str, object]]:
        """Rows of a page's table."""
        for learner, runs in self.runs.items():
            yield {
                "problem": self.problem.name,
                "algorithm": learner,
                "runs": len(runs),
                "regret, mean (95 % interval)": study.mean_interval(runs["regret"]).text(),
                "sd": f"{runs['regret'].std():,.0f}" if len(runs) > 1 else "",
                "median": f"{runs['regret'].median():,.0f}",
                "duels": f"{runs['samples'].mean():,.0f}",
                "seconds a run": f"{runs['seconds'].mean():.2f}",
                "growth": f"{self.growth(learner).value:.2f}",
            }


def regret_study(
    name: str,
    command: str,
    more: Callable[[Sequence[Outcome]], Mapping[str, Any]] = lambda outcomes: {},
) -> study.Study:
    """A study of regret: its ``horizons``, ``runs``, ``picture``, table ``regrets``, and more.

    Of ``more``, claims stand before those that are declared.
    """

    def values(settings: study.Settings) -> dict[str, Any]:
        outcomes = [run(mu, said, settings) for mu, said in experiments(name, settings)]
        frames = [frame.assign(learner=n) for o in outcomes for n, frame in o.runs.items()]
        study.written([each.drop(columns=["parameters", "answer"]) for each in frames], settings)
        first, found = outcomes[0].said, dict(more(outcomes))
        horizons = (f"{o.problem.name} to T = {o.said['horizon']:,}" for o in outcomes)
        panels = [
            Panel(
                o.problem.name,
                {learner: curve_of(runs) for learner, runs in o.runs.items()},
                o.bounds() if first.get("bounds", True) else {},
            )
            for o in outcomes
        ]
        figure = panels_figure(panels, units=first.get("units", "mean"))
        return {
            "horizon": first["horizon"],
            "horizons": ", ".join(horizons),
            "runs": first["runs"],
            "picture": save_figure(figure, settings.file(".png")),
            "regrets": study.Table(pd.DataFrame(row for each in outcomes for row in each.rows())),
            **found,
            "claims": [*found.get("claims", ()), *declared_claims(name, outcomes)],
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
    for each in said["claims"] if "claims" in said else study.declared(said["claims_of"])["claims"]:
        words = dict(each)
        about = words.pop("on", {}).items()
        if chosen := [o for o in outcomes if about <= _properties(o.problem).items()]:
            judge = published_means if "means" in words else regret_claim
            found.append(judge(chosen, **words))
    return found


def _properties(mu: cpe.PreferenceMatrix) -> dict[str, Any]:
    return {"name": mu.name, "arms": mu.arms, "condorcet": mu.condorcet_winner is not None}


def regret_claim(
    outcomes: Sequence[Outcome],
    row: str,
    measure: str,
    of: Sequence[Sequence[str]],
    low: float = -math.inf,
    high: float = math.inf,
    **words: Any,
) -> study.Claim:
    """That a measure of each of some tuples of learners is between two numbers on each problem."""
    found = {}
    for outcome in outcomes:
        for learners in of:
            name, which = outcome.problem.name, "/".join(learners)
            key = f"{name}: {which}" if len(of) > 1 else name
            found[key] = getattr(outcome, measure)(*learners)
    words["of"] = ", ".join("/".join(learners) for learners in of)
    return study.claim(row, found, ".2f", low=low, high=high, **words)


def published_means(
    outcomes: Sequence[Outcome], learner: str, means: Sequence[tuple[float, float]], runs: int
) -> study.Claim:
    """A mean regret against published ones, each a mean and a standard deviation of so many runs.

    It agrees where it is at most two standard errors of the difference from each, and differs where
    it is more than three from each.
    """
    finals = outcomes[0].finals(learner)
    mean, sd = finals.mean(), finals.std(ddof=1)
    own, theirs = sd / math.sqrt(len(finals)), [(m, s / math.sqrt(runs)) for m, s in means]
    away = [float((mean - value) / math.hypot(own, error)) for value, error in theirs]
    ours = f"{mean:,.0f} ± {sd:,.0f} ({len(finals)} runs, standard error {own:,.0f}), "
    ours += f"{', '.join(f'{each:+.1f}' for each in away)} standard errors away"
    agrees = all(abs(each) <= _NEAR for each in away)
    open_still = None if any(abs(each) <= _FAR for each in away) else False
    words = {"learner": learner, "near": _NEAR, "far": _FAR}
    words["means"] = ", ".join(f"{value:,} ± {spread:,}" for value, spread in means)
    words["errors"] = ", ".join(f"{error:,.0f}" for _, error in theirs)
    return study.Claim("near", ours, agrees or open_still, words)
