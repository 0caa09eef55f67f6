"""Regret on sushi beside that of two public C++ implementations."""

from __future__ import annotations

import math

from cpe_opt.experiments.engine import Plan
from cpe_opt.experiments.plots import plot_panels
from cpe_opt.experiments.reproduce.page import Claim, Page, Section
from cpe_opt.experiments.reproduce.settings import Settings
from cpe_opt.experiments.reproduce.studies import GROWTH, HEAD, Outcome, Study, run_studies
from cpe_opt.problems.catalogue import load_instance

_CONDORCET_SAVAGE = "savage (target=condorcet)"
# Mean and standard deviation of 10 runs.
_PUBLISHED = {
    "ccb": ((3030, 846),),
    "rucb": ((2629, 663), (3133, 435)),
    "rmed1": ((2021, 210),),
    "ecw-rmed": ((2484, 622),),
    _CONDORCET_SAVAGE: ((10899, 637),),
}
_THEIR_RUNS = 10


def sushi(settings: Settings) -> Page:
    """Regret at T = 10^5 on sushi."""
    runs = settings.choose(50, 500)
    plans = (
        *(Plan(name) for name in ("ccb", "rucb", "rmed1", "rmed2fh", "ecw-rmed", "savage")),
        Plan("savage", {"target": "condorcet"}),
        *(Plan(name) for name in ("pbr", "rankel", "scb", "cw-rmed", "random-pairs")),
    )
    study = Study(load_instance("sushi"), plans, 10**5, runs)
    (outcome,) = run_studies([study], settings)
    return Page(
        settings.name,
        "Regret on sushi beside two C++ implementations",
        "Two public C++ implementations, those of the authors of Komiyama et al. (COLT 2015) and "
        "of Wu and Liu (NIPS 2016): mean ± standard deviation of 10 runs of each",
        settings.command,
        f"16 kinds of sushi, T = 100,000, {runs} runs, regret in KHN's units. A figure agrees "
        "where the means are within three standard errors of each other.",
        [_claim(outcome, learner) for learner in _PUBLISHED],
        [
            Section(
                "All algorithms",
                GROWTH,
                HEAD,
                outcome.rows(),
                plot_panels([outcome.panel()], settings.file(".png")),
            ),
            Section(
                "SAVAGE",
                "The figure of SAVAGE is that of its Condorcet variant, which drops an arm as soon "
                "as another beats it (`savage:target=condorcet`). The Copeland variant must "
                "go on until an arm has lost so often that it cannot have the best score, and "
                "explores about three times as much here.",
            ),
        ],
    )


def _claim(outcome: Outcome, learner: str) -> Claim:
    row = outcome.row(learner)
    distances = []
    for mean, sd in _PUBLISHED[learner]:
        error = math.hypot(sd / math.sqrt(_THEIR_RUNS), row["sd"] / math.sqrt(row["runs"]))
        distances.append((row["mean"] - mean) / error)
    return Claim(
        f"{learner}: " + ", ".join(f"{mean:,} ± {sd:,}" for mean, sd in _PUBLISHED[learner]),
        f"{row['mean']:,.0f} ± {row['sd']:,.0f}, "
        + ", ".join(f"{distance:+.1f}" for distance in distances)
        + " standard errors away",
        bool(min(abs(distance) for distance in distances) <= 3),
    )
