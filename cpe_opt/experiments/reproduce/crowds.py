"""Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020): table 2, teams of crowdsourcing workers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cpe_opt.experiments.reproduce.kxmhs import AS_PRINTED, DELTA, PAPER
from cpe_opt.experiments.reproduce.page import Claim, Page, Section
from cpe_opt.experiments.reproduce.rows import rows_in_parallel
from cpe_opt.experiments.reproduce.settings import Settings
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.formulations.subsets import best_subset
from cpe_opt.problems.crowdsourcing import read_crowdsourcing
from cpe_opt.problems.subsets import SubsetBandit
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd

# Thousands of samples of ICB, SAQM and SA-FOA.
PUBLISHED = {
    "IT": (46_658, 68_328, 3_421),
    "Medicine": (73_337, 86_252, 3_493),
    "Chinese": (105_214, 110_504, 4_949),
    "Pokemon": (20_943, 91_423, 3_050),
    "English": (118_587, 131_512, 9_313),
    "Science": (362_558, 291_773, 15_611),
}
K, EPSILON = 10, 0.5
_WIDER = 2.0 * math.sqrt(2.0)
_UNIFORM = {"design": "uniform"}
_PRINTED = ("icb", "saqm", "sa-foa")
_PLANS: dict[str, tuple[str, dict[str, Any]]] = {
    "icb": ("icb", _UNIFORM),
    "icb, wider": ("icb", {**_UNIFORM, "sigma": _WIDER * K}),
    "saqm": ("saqm", {**_UNIFORM, **AS_PRINTED["saqm"]}),
    "sa-foa": ("sa-foa", {**_UNIFORM, **AS_PRINTED["sa-foa"]}),
    "sa-foa, half": ("sa-foa", {**_UNIFORM, **AS_PRINTED["sa-foa"], "sigma": K / 2.0}),
    "icb, G": ("icb", {}),
    "saqm, G, certified": ("saqm", {}),
    "sa-foa, G, certified": ("sa-foa", {}),
}


def table_2(settings: Settings) -> Page:
    """Samples on the six crowdsourcing sets."""
    folder = settings.needed_folder("crowdsourcing", [f"{name}/answer.csv" for name in PUBLISHED])
    bandits = {name: read_crowdsourcing(folder / name, K) for name in PUBLISHED}
    runs = settings.choose(2, 5)
    tasks = [
        (bandits[name], plan, seed)
        for name in PUBLISHED
        for plan in _PLANS
        for seed in run_seeds(settings.seed, runs)
    ]
    frame = rows_in_parallel(_play, tasks, settings, ["problem", "algorithm", "seed"])
    table = frame.pivot_table(index="problem", columns="algorithm", values="samples") / 1000
    table = table.loc[list(PUBLISHED)]
    means = {name: {plan: float(table[plan][name]) for plan in _PLANS} for name in PUBLISHED}
    return Page(
        settings.name,
        "Samples on crowdsourcing data: table 2",
        f"{PAPER}, table 2",
        settings.command,
        f"Teams of k = {K} workers, epsilon = {EPSILON}, delta = {DELTA}, sigma = k, mean of "
        f"{runs} runs, thousands of samples. The paper does not name the support of its uniform "
        "allocation; here it is 2n random teams, drawn anew for every run. SAQM with greedy "
        "peeling and the ratio 0.9, SA-FOA with greedy peeling and n anchors.",
        _claims(frame, table),
        [
            Section(
                "As in the paper",
                "*wider*: with the radius C_t 2√2 times as large; *half*: half as large.",
                ("", "ICB: paper", "here", "here, wider", "SAQM: paper", "here",
                 "SA-FOA: paper", "here", "here, half"),
                [_row(name, means[name]) for name in PUBLISHED],
            ),
            Section(
                "With the optimal design and certified maximisers",
                "The G-optimal design by the cyclic construction; SAQM and SA-FOA with certified "
                "upper bounds, so that every answer has its guarantee.",
                ("", "ICB", "SAQM", "SA-FOA", "seconds of the longest run"),
                [
                    [name]
                    + [
                        f"{means[name][plan]:,.0f}"
                        for plan in ("icb, G", "saqm, G, certified", "sa-foa, G, certified")
                    ]
                    + [f"{frame[frame['problem'] == name]['seconds'].max():.1f}"]
                    for name in PUBLISHED
                ],
            ),
            Section("What the numbers say", _EXPLANATION),
        ],
    )  # fmt: skip


def _play(bandit: SubsetBandit, plan: str, seed: int) -> list[dict[str, Any]]:
    learner, parameters = _PLANS[plan]
    best = best_subset(bandit.decisions, bandit.theta).value
    trace = simulate(learner, bandit, seed=seed, delta=DELTA, epsilon=EPSILON, **parameters)
    return [
        {
            "problem": bandit.name,
            "algorithm": plan,
            "seed": seed,
            "samples": trace.samples,
            "missing": best - bandit.value(trace.answer),
            "seconds": trace.seconds,
        }
    ]


def _claims(frame: pd.DataFrame, table: pd.DataFrame) -> list[Claim]:
    printed, wider = table["icb"], table["icb, wider"]
    published = {
        name: [numbers[place] for numbers in PUBLISHED.values()]
        for place, name in enumerate(_PRINTED)
    }

    def ratios(ours: str, name: str) -> str:
        found = table[ours] / published[name]
        return f"{found.min():.2f} to {found.max():.2f}"

    worst = float(frame["missing"].max())
    optimal = float((frame["missing"] < 1e-9).mean())
    most = frame.sort_values("samples").iloc[-1]
    below = (table["saqm"] / table["sa-foa"]).min()
    return [
        Claim(
            "SA-FOA needs far fewer samples than SAQM",
            f"at least {below:.1f} times fewer on every set",
            bool(below > 2),
        ),
        Claim(
            "and than ICB",
            f"with the wider radius {(wider / table['sa-foa']).min():.1f} to "
            f"{(wider / table['sa-foa']).max():.1f} times fewer; ICB as printed needs "
            f"{(table['sa-foa'] / printed).min():.1f} to {(table['sa-foa'] / printed).max():.1f} "
            "times fewer than SA-FOA",
            bool((table["sa-foa"] < printed).all()),
        ),
        Claim(
            "SAQM's samples",
            f"{ratios('saqm', 'saqm')} times the published ones",
            bool((table["saqm"] / published["saqm"]).between(0.5, 2).all()),
        ),
        Claim(
            "ICB's samples",
            f"{ratios('icb', 'icb')} times the published ones; with the wider radius "
            f"{ratios('icb, wider', 'icb')}",
            bool((printed / published["icb"]).between(0.5, 2).all()),
        ),
        Claim(
            "SA-FOA's samples",
            f"{ratios('sa-foa', 'sa-foa')} times the published ones; with half the radius "
            f"{ratios('sa-foa, half', 'sa-foa')}",
            bool((table["sa-foa"] / published["sa-foa"]).between(0.5, 2).all()),
        ),
        Claim(
            "all three found the optimal set of workers",
            f"optimal in {optimal:.0%} of {len(frame)} runs, at most {worst:.2f} below the best "
            f"where epsilon is {EPSILON}",
            bool(worst <= EPSILON),
        ),
        Claim(
            "the optimal design and certified maximisers need fewer samples than the printed SAQM",
            f"{(table['saqm'] / table['saqm, G, certified']).min():.1f} to "
            f"{(table['saqm'] / table['saqm, G, certified']).max():.1f} times fewer",
            bool((table["saqm, G, certified"] < table["saqm"]).all()),
        ),
        Claim(
            "runs of 10⁸ pulls are cheap",
            f"{most['samples']:,} pulls took {most['seconds']:.1f} s; no run took more than "
            f"{frame['seconds'].max():.1f} s",
            bool(frame["seconds"].max() < 60),
        ),
    ]


def _row(name: str, ours: Mapping[str, float]) -> list[object]:
    icb, saqm, sa_foa = PUBLISHED[name]
    return [
        name,
        f"{icb:,}",
        f"{ours['icb']:,.0f}",
        f"{ours['icb, wider']:,.0f}",
        f"{saqm:,}",
        f"{ours['saqm']:,.0f}",
        f"{sa_foa:,}",
        f"{ours['sa-foa']:,.0f}",
        f"{ours['sa-foa, half']:,.0f}",
    ]


_EXPLANATION = "\n\n".join(
    (
        "SAQM's published numbers are those of the algorithm as printed, with the constant 2√2 in "
        "C_t and sigma = k. ICB's are about eight times ours on every set, and ours with a radius "
        "2√2 times as large: it seems that the experiments used the constant c = 2√2 sigma of "
        "Proposition 1 for ICB too, where Lemma 1 has sigma. With the radius of its own lemma ICB "
        "needs fewest samples of all, so that the order of the table rests on that constant.",
        "SA-FOA's published numbers are a sixth to two fifths of ours, and about ours with half "
        "the radius. How many samples it needs depends on what its heuristic misses, too: where "
        "no other set is found it stops, and nothing bounds the error. The certified version has a "
        "guarantee, and with the optimal design it needs no more.",
        "At k = 10 the tenth and the eleventh worker are equally good in all sets but Pokemon, so "
        "that several teams are optimal.",
    )
)
