"""Chen, Du, Huang, Zhao (ICML 2020): the experiments that the paper does not have."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.experiments.plots import save
from cpe_opt.experiments.reproduce.page import Claim, Page, Section
from cpe_opt.experiments.reproduce.rows import rows_in_parallel
from cpe_opt.experiments.reproduce.settings import Settings
from cpe_opt.experiments.runs import run_seeds, write_parquet
from cpe_opt.formulations.condorcet import condorcet_value
from cpe_opt.formulations.matching_hardness import borda_hardness, condorcet_hardness
from cpe_opt.problems.matchings import MatchingDuels, planted_condorcet
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd

PAPER = (
    "Chen, Du, Huang, Zhao, *Combinatorial Pure Exploration for Dueling Bandits*, ICML 2020, "
    "which has no experiments"
)
DELTA = 0.05
SMALL = 0.009  # CAR-Verify and CAR-Parallel want less than 0.01
ACCURACY = 0.3
_ORACLE_ACCURACY = 0.05
_SCANNED = 200
_SPREAD = 4.0

Task = tuple[str, MatchingDuels, str, dict[str, Any], int]


def experiments(settings: Settings) -> Page:
    """Samples against hardness and against delta, and the time of the two oracles."""
    runs = settings.choose(3, 30)
    gaps = settings.choose((0.15, 0.1, 0.07), (0.15, 0.1, 0.07, 0.05, 0.03, 0.02))
    hard = [planted_condorcet(5, 3, gap=gap, seed=1) for gap in gaps]
    borda = _spread_in_borda_gap(settings.choose(3, 8), settings.choose(0.2, 0.1))
    levels = settings.choose((1e-2, 1e-6, 1e-12), (1e-2, 1e-4, 1e-8, 1e-16, 1e-32))
    seeds = run_seeds(settings.seed, runs)
    small = {"delta": SMALL}
    plans = [
        *(
            ("borda", duels, learner, parameters)
            for duels in borda
            for learner, parameters in (
                ("clucb-borda-pac", {"delta": DELTA, "epsilon": ACCURACY}),
                ("clucb-borda-exact", {"delta": DELTA}),
            )
        ),
        *(
            ("hardness", duels, learner, parameters)
            for duels in hard
            for learner, parameters in (
                ("car-cond", {**small, "slack": "paper"}),
                ("car-cond", {**small, "slack": "none"}),
                ("car-verify", small),
                ("car-parallel", small),
            )
        ),
        *(
            ("delta", hard[0], learner, {"delta": min(level, SMALL)})
            for level in levels
            for learner in ("car-cond", "car-verify", "car-parallel")
        ),
    ]
    tasks: list[Task] = [(*plan, seed) for seed in seeds for plan in plans]
    order = ["study", "problem", "algorithm", "delta", "seed"]
    frame = rows_in_parallel(_play, tasks, settings, order)
    oracles = _timed(settings)
    write_parquet(oracles, settings.file("-oracles.parquet"))
    return Page(
        settings.name,
        "Matchings from duels: the missing experiments",
        PAPER,
        settings.command,
        f"{runs} runs of each. Borda: {len(borda)} random problems of 3 candidates and 2 "
        f"positions, delta = {DELTA}, epsilon = {ACCURACY}. Condorcet: 5 candidates, 3 positions, "
        f"a planted winner with leads of {', '.join(map(str, gaps))}; delta = {SMALL}.",
        _claims(frame, oracles),
        [
            Section("Samples", picture=_picture(frame, settings)),
            Section(
                "Samples by problem",
                "*hardness* is H^B for the Borda winner, the sum of 1/gap² over comparable pairs "
                "for the Condorcet winner; *theorem* the bound of the algorithm's theorem: "
                "Theorem 1 with its constants, the others up to a constant factor.",
                ("problem", "algorithm", "delta", "hardness", "theorem", "samples", "failures"),
                _rows(frame),
            ),
            Section(
                "Time of an oracle",
                f"Seconds for one minimax value, built and solved; the paper's oracle "
                f"stops at a duality gap of {_ORACLE_ACCURACY}.",
                ("candidates", "positions", "saddle LP", "paper's oracle", "its steps", "ratio"),
                [
                    [
                        int(row["candidates"]),
                        int(row["positions"]),
                        f"{row['lp']:.4f}",
                        f"{row['subgradient']:.4f}",
                        int(row["steps"]),
                        f"{row['subgradient'] / row['lp']:.1f}",
                    ]
                    for _, row in oracles.iterrows()
                ],
            ),
        ],
    )


def _spread_in_borda_gap(count: int, least: float) -> list[MatchingDuels]:
    """Problems with smallest Borda gaps spread from ``least`` up."""
    found = []
    for seed in range(_SCANNED):
        duels = planted_condorcet(3, 2, gap=0.2, seed=seed)
        gap = float(borda_hardness(duels).gap.min())
        if gap >= least:
            found.append((gap, duels))
    found.sort(key=lambda pair: pair[0])
    chosen = np.unique(np.linspace(0, len(found) - 1, count).round().astype(int)).tolist()
    return [found[k][1] for k in chosen]


def _play(
    study: str, duels: MatchingDuels, learner: str, parameters: dict[str, Any], seed: int
) -> list[dict[str, Any]]:
    """One run, with its problem's hardness and its algorithm's theorem."""
    trace = simulate(learner, duels, seed=seed, **parameters)
    delta = parameters["delta"]
    name = learner + (", no slack" if parameters.get("slack") == "none" else "")
    if study == "borda":
        borda, width = borda_hardness(duels), duels.graph.width()
        hardness = borda.hardness
        if learner == "clucb-borda-pac":
            theorem = borda.theorem_1(delta=delta, epsilon=ACCURACY, width=width)
            best = duels.borda_score(borda.winner)
            wrong = duels.borda_score(trace.answer) < best - ACCURACY
        else:
            theorem = borda.theorem_2(delta=delta, width=width)
            wrong = trace.answer != borda.winner
    else:
        condorcet = condorcet_hardness(duels)
        hardness = float((condorcet.pair_gaps**-2.0).sum())
        bound = condorcet.theorem_4 if learner == "car-cond" else condorcet.theorem_5
        theorem = bound(delta=delta)
        wrong = trace.answer != condorcet.winner
    return [
        {
            "study": study,
            "problem": duels.name,
            "algorithm": name,
            "delta": delta,
            "seed": seed,
            "hardness": hardness,
            "theorem": theorem,
            "samples": trace.samples,
            "seconds": trace.seconds,
            "wrong": bool(wrong),
        }
    ]


def _timed(settings: Settings) -> pd.DataFrame:
    """Seconds of the saddle LP and of the paper's oracle on bounds like a learner's."""
    import pandas as pd

    sizes = settings.choose(
        ((5, 3), (8, 4), (12, 6)), ((5, 3), (8, 4), (12, 6), (20, 10), (40, 20), (60, 20))
    )
    rows = []
    for candidates, positions in sizes:
        duels = planted_condorcet(candidates, positions, gap=0.02 / positions, seed=0)
        noise = 0.2 * np.random.default_rng(settings.seed).random(duels.array.shape)
        matrix = np.minimum(1.0, np.where(duels.array > 0, duels.array + noise, 0.0))
        condorcet_value(duels.graph, matrix)  # the first call imports the solver
        started = time.perf_counter()
        condorcet_value(duels.graph, matrix)
        between = time.perf_counter()
        point = condorcet_value(duels.graph, matrix, solver="subgradient", epsilon=_ORACLE_ACCURACY)
        rows.append(
            {
                "candidates": candidates,
                "positions": positions,
                "lp": between - started,
                "subgradient": time.perf_counter() - between,
                "steps": point.iterations,
                "most": (4 * positions * duels.graph.duels / _ORACLE_ACCURACY) ** 2,
            }
        )
    return pd.DataFrame(rows)


def _claims(frame: pd.DataFrame, oracles: pd.DataFrame) -> list[Claim]:
    pac = frame[frame["algorithm"] == "clucb-borda-pac"]
    worst = float((pac["samples"] / pac["theorem"]).max())
    hard = frame[frame["study"] == "hardness"]
    means = hard.groupby(["algorithm", "problem"])[["samples", "theorem"]].mean()
    ratio = (means["samples"] / means["theorem"])["car-cond"]
    by_name = hard.groupby("algorithm")["samples"].mean()
    saved = 1 - by_name["car-cond, no slack"] / by_name["car-cond"]
    slopes = {name: _slope(frame, name) for name in ("car-cond", "car-verify", "car-parallel")}
    failures = int(frame["wrong"].sum())
    faster = oracles["subgradient"] / oracles["lp"]
    return [
        Claim(
            "Theorem 1: CLUCB-Borda-PAC's samples are at most 32 H ln(4KT³/delta) + m",
            f"at most {worst:.1%} of it in {len(pac)} runs",
            worst <= 1,
        ),
        Claim(
            "Theorem 4: CAR-Cond's samples grow as its sum over comparable pairs",
            f"samples over that sum: {ratio.min():.2f} to {ratio.max():.2f}",
            bool(ratio.max() <= _SPREAD * ratio.min()),
        ),
        Claim(
            "the ε of CAR-Cond's verdicts is for the paper's oracle, not needed with an exact LP",
            f"without it {saved:.0%} fewer samples",
            bool(saved > 0),
        ),
        Claim(
            "Theorem 5: verification takes ln(1/delta) off the cost of finding the winner",
            "samples by ln(1/delta): "
            + ", ".join(f"{name} {slope:,.0f}" for name, slope in slopes.items()),
            slopes["car-verify"] < slopes["car-cond"],
        ),
        Claim(
            "every algorithm errs with probability at most delta",
            f"{failures} wrong answers in {len(frame)} runs",
            failures <= DELTA * len(frame),
        ),
        Claim(
            "Lemma 9: the paper's oracle takes at most (4ℓK)²/ε² steps",
            f"at most {int(oracles['steps'].max()):,} at ε = {_ORACLE_ACCURACY}; the exact LP "
            f"takes 1/{faster.min():,.0f} to 1/{faster.max():,.0f} of its time",
            bool((oracles["steps"] <= oracles["most"]).all()),
        ),
    ]


def _slope(frame: pd.DataFrame, algorithm: str) -> float:
    """Samples by ln(1/delta), by least squares."""
    runs = frame[(frame["study"] == "delta") & (frame["algorithm"] == algorithm)]
    return float(np.polyfit(-np.log(runs["delta"]), runs["samples"], 1)[0])


def _rows(frame: pd.DataFrame) -> list[list[object]]:
    keys = ["study", "problem", "algorithm", "delta"]
    return [
        [
            problem,
            algorithm,
            f"{delta:g}",
            f"{runs['hardness'].mean():,.0f}",
            f"{runs['theorem'].mean():,.0f}",
            f"{runs['samples'].mean():,.0f}",
            f"{int(runs['wrong'].sum())} of {len(runs)}",
        ]
        for (_, problem, algorithm, delta), runs in frame.groupby(keys)
    ]


def _picture(frame: pd.DataFrame, settings: Settings) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.5, 4.2), layout="constrained", dpi=120)
    for place, (study, key, title) in enumerate(
        (
            ("borda", "hardness", "Borda winner: samples against H^B"),
            ("hardness", "hardness", "Condorcet winner: against the sum of 1/gap²"),
            ("delta", "delta", "Condorcet winner: against 1/delta"),
        ),
        1,
    ):
        axes = figure.add_subplot(1, 3, place)
        chosen = frame[frame["study"] == study]
        for number, (name, runs) in enumerate(chosen.groupby("algorithm")):
            mean = runs.groupby(key)[["samples", "theorem"]].mean()
            x = 1 / mean.index.to_numpy() if key == "delta" else mean.index.to_numpy()
            axes.plot(x, mean["samples"], marker="o", color=f"C{number}", label=str(name))
            axes.plot(x, mean["theorem"], linestyle=":", color=f"C{number}")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_title(title, fontsize="medium")
        axes.set_xlabel("1/delta" if key == "delta" else "hardness")
        axes.set_ylabel("samples (dotted: the theorem)")
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize="small")
    return save(figure, settings.file(".png"))
