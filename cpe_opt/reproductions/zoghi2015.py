"""Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015): figures 1 and 3; figure 2 is in ``many_arms``."""

from __future__ import annotations

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.experiments.plots import plot_panels
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.reproductions.page import Claim, Page, Section
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

PAPER = "Zoghi, Karnin, Whiteson, de Rijke, *Copeland Dueling Bandits*, NIPS 2015"
_TOLD_THE_HORIZON = ("savage", "pbr", "rankel")
_INDEPENDENT = (
    "SAVAGE, PBR and RankEl are told the horizon; as in the paper their markers are experiments of "
    "their own, one for each horizon. "
    f"Regret is the sum of the two arms' losses, twice their mean. {INTERVALS}"
)
_SLIGHT = 1.25  # an advantage of at most a quarter


def figure_1(settings: Settings) -> Page:
    """Regret on five rankers without a Condorcet winner."""
    horizon, runs, of_ccb, slow = settings.choose((10**7, 10, 5, 3), (10**8, 100, 100, 4))
    study = Study(
        load_instance("mslr5-cycle"),
        [LearnerSpec(name) for name in ("ccb", "scb", "savage", "pbr", "rankel", "rucb", "rmed1")]
        + [LearnerSpec("ecw-rmed")],
        horizon,
        runs,
        units="sum",
        fewer={"ccb": of_ccb, "rucb": slow, "rmed1": slow},
        horizons=dict.fromkeys(_TOLD_THE_HORIZON, _earlier(horizon)),
        bounds=False,
    )
    (outcome,) = run_studies([study], settings)
    return Page(
        settings.name,
        "Regret on five rankers without a Condorcet winner: figure 1",
        f"{PAPER}, figure 1",
        settings.command,
        f"T = {horizon:,}, {runs} runs; of CCB {of_ccb}, of RUCB and RMED1, which never idle here, "
        f"{slow}. {_INDEPENDENT} RMED1 and ECW-RMED are not in the paper's figure.",
        claims_of_figure_1(outcome),
        [
            Section(
                "Regret",
                picture=plot_panels([outcome.panel()], settings.file(".png"), units="sum"),
            ),
            regrets_at_the_horizon([outcome]),
        ],
        settings.quick,
    )


def claims_of_figure_1(outcome: Outcome) -> list[Claim]:
    """What the paper says of five rankers without a Condorcet winner."""
    others = ("scb", *_TOLD_THE_HORIZON, "rucb")
    linear, sublinear = ("rucb", "rmed1"), ("ccb", "scb", "ecw-rmed")
    return [
        Claim(
            "CCB outperforms SCB, SAVAGE, PBR, RankEl and RUCB",
            "the 95 % interval of each difference of means is on CCB's side",
            ", ".join(f"{n} {outcome.mean(n).text()}" for n in ("ccb", *others)),
            all_hold(outcome.less("ccb", name) for name in others),
        ),
        Claim(
            "RUCB's regret is linear (and so is RMED1's, not in the figure)",
            f"growth above {LINEAR}, the interval too",
            ", ".join(f"growth of {n} {outcome.growth(n).text('.2f')}" for n in linear),
            all_hold(outcome.is_linear(name) for name in linear),
        ),
        Claim(
            "CCB and SCB have no linear regret (nor has ECW-RMED)",
            f"growth below {LINEAR}, the interval too",
            ", ".join(f"growth of {n} {outcome.growth(n).text('.2f')}" for n in sublinear),
            all_hold(outcome.is_not_linear(name) for name in sublinear),
        ),
    ]


def figure_3(settings: Settings) -> Page:
    """Regret on five rankers with a Condorcet winner."""
    horizon, runs, others = settings.choose((10**7, 200, 50), (10**8, 1000, 200))
    earlier = _earlier(horizon)
    study = Study(
        load_instance("mslr5-condorcet"),
        [LearnerSpec(name) for name in ("ccb", "rucb", "pbr", "rankel")],
        horizon,
        runs,
        units="sum",
        fewer={"pbr": others, "rankel": others},
        horizons={"pbr": earlier, "rankel": earlier},
        bounds=False,
    )
    (outcome,) = run_studies([study], settings)
    return Page(
        settings.name,
        "Regret on five rankers with a Condorcet winner: figure 3",
        f"{PAPER}, figure 3",
        settings.command,
        f"T = {horizon:,}, {runs} runs, of PBR and RankEl {others}. {_INDEPENDENT} The paper's "
        "matrix of this figure is not printed there; this is the one of Table 3(e) of Komiyama "
        "et al. (2016), which that paper attributes to it.",
        claims_of_figure_3(outcome),
        [
            Section(
                "Regret",
                picture=plot_panels([outcome.panel()], settings.file(".png"), units="sum"),
            ),
            regrets_at_the_horizon([outcome]),
        ],
        settings.quick,
    )


def claims_of_figure_3(outcome: Outcome) -> list[Claim]:
    """What the paper says of five rankers with a Condorcet winner."""
    ratio = outcome.ratio("rucb", "ccb")
    return [
        Claim(
            "CCB enjoys a slight advantage over RUCB",
            f"RUCB's mean regret is 1 to {_SLIGHT} times CCB's, the 95 % interval of the ratio too",
            f"ccb {outcome.mean('ccb').text()}, rucb {outcome.mean('rucb').text()}: "
            f"{ratio.text('.2f')} times",
            ratio.within(1.0, _SLIGHT),
        ),
        Claim(
            "PBR and RankEl have more regret than CCB",
            "the 95 % interval of each difference of means is on CCB's side",
            ", ".join(f"{n} {outcome.mean(n).text()}" for n in ("ccb", "pbr", "rankel")),
            all_hold(outcome.less("ccb", name) for name in ("pbr", "rankel")),
        ),
    ]


def _earlier(horizon: int) -> list[int]:
    """Powers of ten below the horizon."""
    return [10**k for k in range(4, 1 + int(np.log10(horizon - 1)))]
