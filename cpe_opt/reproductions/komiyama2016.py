"""Komiyama, Honda, Nakagawa (ICML 2016): figures 1 and 2, and table 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.analysis.dueling import regret_bounds
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.experiments.plots import plot_panels
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.reproductions.page import Claim, Page, Section
from cpe_opt.reproductions.random_submatrices import drawn_submatrix
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import all_hold
from cpe_opt.reproductions.studies import (
    INTERVALS,
    LINEAR,
    Outcome,
    Study,
    regrets_at_the_horizon,
    run_studies,
)

if TYPE_CHECKING:
    pass

PAPER = (
    "Komiyama, Honda, Nakagawa, *Copeland Dueling Bandit Problem: Regret Lower Bound, Optimal "
    "Algorithm, and Computationally Efficient Algorithm*, ICML 2016"
)
_CONDORCET_ONLY = ("rucb", "rmed1")
_PLANS = tuple(
    LearnerSpec(name) for name in ("random-pairs", "savage", "rucb", "rmed1", "ccb", "ecw-rmed")
)
_FAR = 2.0  # times the regret of ECW-RMED is not to perform well


def figure_1(settings: Settings) -> Page:
    """Regret on sushi, gap and multisol, and on MSLR where a matrix is given."""
    problems = [load_instance(name) for name in ("sushi", "gap", "multisol")]
    if settings.matrix is not None:
        rng = np.random.default_rng(settings.seed)
        wanted = [(16, True, 0.005), (16, False, 0.005)]
        wanted += settings.choose([], [(64, False, 0.0005)])
        problems += [
            drawn_submatrix(settings.matrix, arms, rng, least_gap=gap, condorcet=condorcet)
            for arms, condorcet, gap in wanted
        ]
    return _figure(settings, "figure 1", problems)


def figure_2(settings: Settings) -> Page:
    """Regret on the smaller matrices of the paper's appendix B."""
    names = ("arxiv", "cyclic", "mslr5-condorcet", "mslr5-cycle")
    return _figure(settings, "figure 2", [load_instance(name) for name in names])


def _figure(settings: Settings, what: str, problems: Sequence[PreferenceMatrix]) -> Page:
    studies = [_study(problem, settings) for problem in problems]
    outcomes = run_studies(studies, settings)
    picture = plot_panels([outcome.panel() for outcome in outcomes], settings.file(".png"))
    return Page(
        settings.name,
        f"Regret of Copeland dueling bandits: {what}",
        f"{PAPER}, {what}",
        settings.command,
        ", ".join(f"{study.problem.name} to T = {study.horizon:,}" for study in studies)
        + "; how many runs, the table says. RUCB and CCB with alpha = 0.51, ECW-RMED with "
        "alpha = 3 and beta = 0.01, Copeland SAVAGE with delta = 1/T and told T. The paper's "
        f"curves are means of 100 runs to 10⁷. {INTERVALS}",
        claims(outcomes),
        [
            Section("Regret", picture=picture),
            regrets_at_the_horizon(outcomes),
            Section(
                "Slope at the end",
                "Regret per ln T of ECW-RMED over the last decade of rounds, and its constant.",
                ("problem", "slope of ECW-RMED", "C^E*", "C*"),
                [
                    [outcome.study.problem.name, outcome.slope("ecw-rmed").text(".4g")]
                    + [f"{constant:.4f}" for constant in reversed(constants(outcome))]
                    for outcome in outcomes
                ],
            ),
        ],
        settings.quick,
    )


def _study(problem: PreferenceMatrix, settings: Settings) -> Study:
    """To 10^7; a quick one to where its algorithms have settled."""
    slow = problem.name == "mslr5-cycle"
    horizon, runs, linear = settings.choose((10**7 if slow else 10**5, 10, 3), (10**7, 100, 10))
    fewer = {"random-pairs": 1}
    if problem.condorcet_winner is None:
        fewer |= dict.fromkeys(_CONDORCET_ONLY, linear)
    if slow:
        fewer["ccb"] = settings.choose(5, 100)
    return Study(problem, _PLANS, horizon, runs, fewer=fewer)


def claims(outcomes: Sequence[Outcome]) -> list[Claim]:
    """What the paper says of its figures, where the problems are among those run."""
    with_winner = [o for o in outcomes if o.study.problem.condorcet_winner is not None]
    without = [o for o in outcomes if o.study.problem.condorcet_winner is None]
    drawn = [o for o in with_winner if o.study.problem.name.startswith("random")]
    large = [o for o in without if o.study.problem.arms == 16]
    found = [
        _times_more("ECW-RMED has less regret than CCB on every problem", "ccb", 1.0, outcomes),
        _times_more("SAVAGE does not perform well on any problem", "savage", _FAR, outcomes),
    ]
    if without:
        found.append(_growth_claim(without))
    if drawn:
        found.append(_rmed1_claim(drawn))
    if large:
        found.append(
            _times_more(
                "On MSLR, K = 16, without a Condorcet winner, ECW-RMED's regret is less than a "
                "third of CCB's",
                "ccb",
                3.0,
                large,
            )
        )
    for outcome in outcomes:
        if outcome.study.problem.name == "gap":
            lower, ecw = constants(outcome)
            found.append(
                Claim(
                    "On Gap C^E* is more than 100 times C*",
                    "C^E*/C* > 100, both computed exactly",
                    f"{ecw:.4f} / {lower:.4f} = {ecw / lower:.1f}",
                    ecw > 100 * lower,
                )
            )
    return found


def _times_more(text: str, worse: str, times: float, outcomes: Sequence[Outcome]) -> Claim:
    """That a learner has so many times the regret of ECW-RMED on each of these problems."""
    ratios = {o.study.problem.name: o.ratio(worse, "ecw-rmed") for o in outcomes}
    return Claim(
        text,
        f"mean regret of {worse} over that of ecw-rmed above {times:g} on each, the 95 % interval "
        "too",
        ", ".join(f"{name} {ratio.text('.1f')}" for name, ratio in ratios.items()),
        all_hold(ratio.within(low=times) for ratio in ratios.values()),
    )


def _growth_claim(without: Sequence[Outcome]) -> Claim:
    names = (*_CONDORCET_ONLY, "ccb", "ecw-rmed")
    return Claim(
        "RUCB and RMED1 have linear regret where there is no Condorcet winner, CCB and ECW-RMED "
        "have not",
        f"growth above {LINEAR} of the first two and below it of the others, the 95 % intervals "
        "too",
        "; ".join(
            f"{o.study.problem.name}: " + ", ".join(f"{n} {o.growth(n).text('.2f')}" for n in names)
            for o in without
        ),
        all_hold(
            o.is_linear(name) if name in _CONDORCET_ONLY else o.is_not_linear(name)
            for o in without
            for name in names
        ),
    )


def _rmed1_claim(drawn: Sequence[Outcome]) -> Claim:
    others = ("savage", "rucb", "ccb", "ecw-rmed")
    return Claim(
        "RMED1 is best on MSLR with a Condorcet winner",
        "the 95 % interval of each difference of means is on RMED1's side",
        "; ".join(
            f"{o.study.problem.name}: "
            + ", ".join(f"{name} {o.mean(name).text()}" for name in ("rmed1", *others))
            for o in drawn
        ),
        all_hold(o.less("rmed1", name) for o in drawn for name in others),
    )


def constants(outcome: Outcome) -> tuple[float, float]:
    """C* and C^E*, in the units of the study."""
    bounds = regret_bounds(outcome.study.problem, outcome.study.units)
    return bounds["LB"], bounds["ECWB"]
