"""Chen, Du, Huang, Zhao (ICML 2020): the experiments that the paper does not have."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.experiments.runs import run_seeds, write_parquet
from cpe_opt.formulations.matchings.condorcet import condorcet_value
from cpe_opt.hardness.matchings import borda_hardness, condorcet_hardness
from cpe_opt.problems.generators import planted_condorcet
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.reports.drawing import draw_lines, label_lines, save, styles
from cpe_opt.reproductions.page import Page, Section
from cpe_opt.reproductions.rows import rows_in_parallel
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.studies import INTERVALS
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd
from typing import TYPE_CHECKING

from cpe_opt.reproductions.page import Claim
from cpe_opt.reproductions.statistics import (
    all_hold,
    errs_at_most,
    mean_interval,
    most_likely_failures,
)

PAPER = (
    "Chen, Du, Huang, Zhao, *Combinatorial Pure Exploration for Dueling Bandits*, ICML 2020, "
    "which has no experiments"
)
DELTA = 0.05
SMALL = 0.009  # CAR-Verify and CAR-Parallel want less than 0.01
ACCURACY = 0.05  # so small that Theorem 1's bound differs from problem to problem
_SCANNED = 200
_SHAPE = (5, 3)  # candidates and positions of the problems with a planted winner

Task = tuple[str, MatchingDuels, str, dict[str, Any], int]


def experiments(settings: Settings) -> Page:
    """Samples against hardness and against delta, and the time of the two oracles."""
    runs = settings.choose(3, 30)
    gaps = settings.choose((0.15, 0.1), (0.15, 0.1, 0.07, 0.05, 0.03, 0.02))
    hard = [planted_condorcet(*_SHAPE, gap=gap, seed=1) for gap in gaps]
    borda = _spread_in_borda_gap(settings.choose(3, 8), settings.choose(0.2, 0.1))
    levels = settings.choose((1e-2, 1e-250), (1e-2, 1e-8, 1e-32, 1e-64, 1e-128, 1e-250))
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
            for learner in ("car-cond", "car-parallel")
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
        f"positions, delta = {DELTA}, epsilon = {ACCURACY}. Condorcet: "
        f"{_SHAPE[0]} candidates, {_SHAPE[1]} positions, a planted winner with leads of "
        f"{', '.join(map(str, gaps))}; delta = {SMALL}. {INTERVALS}",
        claims(frame, oracles),
        [
            Section("Samples", picture=_picture(frame, settings)),
            Section(
                "Samples by problem",
                "*hardness* is H^B for the Borda winner, the sum of 1/gap² over comparable pairs "
                "for the Condorcet winner; *theorem* the bound of the algorithm's theorem (of "
                "CAR-Verify that of CAR-Parallel, of which it is a part): Theorem 1 with its "
                "constants, the others without the constant factor that their statements leave "
                "open, so that samples may exceed them.",
                ("problem", "algorithm", "delta", "hardness", "theorem", "samples", "failures"),
                _rows(frame),
            ),
            Section(
                "Time of an oracle",
                f"Seconds for one minimax value, built and solved; the paper's oracle "
                f"stops at a duality gap of {ORACLE_ACCURACY}.",
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
        settings.quick,
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
            theorem = borda.pac_sample_bound(delta=delta, epsilon=ACCURACY, width=width)
            best = duels.borda_score(borda.winner)
            wrong = duels.borda_score(trace.answer) < best - ACCURACY
        else:
            theorem = borda.exact_sample_bound(delta=delta, width=width)
            wrong = trace.answer != borda.winner
    else:
        condorcet = condorcet_hardness(duels)
        hardness = float((condorcet.pair_gaps**-2.0).sum())
        bound = (
            condorcet.car_cond_sample_bound
            if learner == "car-cond"
            else condorcet.car_parallel_sample_bound
        )
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
        point = condorcet_value(duels.graph, matrix, method="subgradient", epsilon=ORACLE_ACCURACY)
        rows.append(
            {
                "candidates": candidates,
                "positions": positions,
                "lp": between - started,
                "subgradient": time.perf_counter() - between,
                "steps": point.iterations,
                "most": (4 * positions * duels.graph.n_pairs / ORACLE_ACCURACY) ** 2,
            }
        )
    return pd.DataFrame(rows)


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
    from matplotlib.lines import Line2D

    figure = Figure(figsize=(14, 4.6), layout="constrained", dpi=120)
    shown = (
        ("borda", "Borda winner", "hardness $H^B$"),
        ("hardness", "Condorcet winner", r"hardness $\sum\,1/\mathrm{gap}^2$ over pairs"),
        ("delta", "Condorcet winner, one problem", r"$\ln(1/\delta)$"),
    )
    for place, (study, title, label) in enumerate(shown, 1):
        axes = figure.add_subplot(1, 3, place)
        axes.set_title(title, fontsize="medium")
        axes.set_xlabel(label)
        axes.grid(visible=True, alpha=0.3)
        if study != "delta":
            axes.set_xscale("log")
            axes.set_yscale("log")
        chosen = frame[frame["study"] == study]
        x = -np.log(chosen["delta"]) if study == "delta" else chosen["hardness"]
        lines, theorems = {}, {}
        for name, runs in chosen.groupby("algorithm"):
            mean = runs.groupby(x)[["samples", "theorem"]].mean()
            at = mean.index.to_numpy()
            lines[str(name)] = (at, mean["samples"].to_numpy())
            theorems[str(name)] = (at, mean["theorem"].to_numpy())
        by_name = styles(lines)
        if study == "delta":
            # Without their constants the theorems' lines say nothing here, and would flatten these.
            axes.yaxis.set_major_formatter("{x:,.0f}")
        else:
            for name, (at, bound) in theorems.items():
                axes.plot(at, bound, linestyle=":", color=by_name[name].color)
        draw_lines(axes, lines, by_name)
        label_lines(axes, lines, by_name)
        if place == 1:
            axes.set_ylabel("samples until it stops (means)")
    figure.legend(
        [Line2D([], [], color="black", marker="o"), Line2D([], [], color="black", linestyle=":")],
        [
            "measured",
            "left and middle: the theorem of the algorithm of that colour (Theorem 1 with its "
            "constants, the others without)",
        ],
        loc="outside lower center",
        ncols=2,
        fontsize="small",
    )
    return save(figure, settings.file(".png"))


# What Chen, Du, Huang and Zhao's theorems say of measured samples.


ORACLE_ACCURACY = 0.05
_SPREAD = 4.0


def claims(frame: pd.DataFrame, oracles: pd.DataFrame) -> list[Claim]:
    """What the theorems say, from rows of runs and of oracles."""
    return [
        _theorem_1(frame[frame["algorithm"] == "clucb-borda-pac"]),
        _grows_as(
            "Theorem 2: CLUCB-Borda-Exact's samples grow as its bound",
            frame[frame["algorithm"] == "clucb-borda-exact"],
        ),
        _grows_as(
            "Theorem 4: CAR-Cond's samples grow as its sum over comparable pairs",
            frame[(frame["study"] == "hardness") & (frame["algorithm"] == "car-cond")],
        ),
        _slack(frame[frame["study"] == "hardness"]),
        *_theorem_5(frame[frame["study"] == "delta"]),
        _errors(frame),
        _lemma_9(oracles),
    ]


def _theorem_1(pac: pd.DataFrame) -> Claim:
    bounds = pac.groupby("problem")["theorem"].first()
    worst = float((pac["samples"] / pac["theorem"]).max())
    return Claim(
        "Theorem 1: CLUCB-Borda-PAC's samples are at most 32 H ln(4KT³/delta) + m",
        "they are in every run, and the bound is not the same on all problems",
        f"at most {worst:.1%} of it in {len(pac)} runs; the bound is {bounds.min():,.0f} to "
        f"{bounds.max():,.0f} by problem",
        (worst <= 1.0 and bool(bounds.max() > bounds.min())) if len(bounds) > 1 else None,
    )


def _grows_as(text: str, runs: pd.DataFrame) -> Claim:
    means = runs.groupby("problem")[["samples", "theorem"]].mean()
    factor = means["samples"] / means["theorem"]
    above = (
        "they exceed it on every problem"
        if factor.min() > 1
        else (
            "they are below it on every problem" if factor.max() <= 1 else "on some they exceed it"
        )
    )
    return Claim(
        text,
        "mean samples over the bound, whose constant factor is open, differ by at most "
        f"{_SPREAD:g} times between problems",
        f"samples over the bound without its constant: {factor.min():.2f} to {factor.max():.2f} "
        f"on {len(factor)} problems ({above})",
        bool(factor.max() <= _SPREAD * factor.min()) if len(factor) > 1 else None,
    )


def _slack(hard: pd.DataFrame) -> Claim:
    totals = hard.pivot_table(index="seed", columns="algorithm", values="samples", aggfunc="sum")
    saved = mean_interval(1.0 - totals["car-cond, no slack"] / totals["car-cond"])
    return Claim(
        "(not in the paper) the ε of CAR-Cond's decisions is for the paper's oracle, not needed "
        "with an exact LP",
        "without it fewer samples on the same problems, the 95 % interval too",
        f"{saved.text('.0%')} fewer",
        saved.within(low=0.0),
    )


def _theorem_5(runs: pd.DataFrame) -> list[Claim]:
    """About CAR-Parallel, whose theorem it is."""
    slopes = {name: slopes_by_run(runs, name) for name in ("car-cond", "car-parallel")}
    saved = mean_interval(slopes["car-cond"] - slopes["car-parallel"])
    more = {
        float(str(delta)): mean_interval(
            group[group["algorithm"] == "car-parallel"].set_index("seed")["samples"]
            - group[group["algorithm"] == "car-cond"].set_index("seed")["samples"]
        )
        for delta, group in runs.groupby("delta")
    }
    return [
        Claim(
            "Theorem 5: verification takes ln(1/delta) off the cost of finding the winner",
            "CAR-Parallel's samples grow less by ln(1/delta) than CAR-Cond's on the same seeds, "
            "the 95 % interval of the difference too",
            "samples by ln(1/delta): "
            + ", ".join(f"{name} {mean_interval(s).text()}" for name, s in slopes.items()),
            saved.within(low=0.0),
        ),
        Claim(
            "so CAR-Parallel needs fewer samples than CAR-Cond where delta is small enough",
            "fewer at the smallest delta tried, the 95 % interval of the difference too",
            "CAR-Parallel's samples less CAR-Cond's: "
            + ", ".join(
                f"{gain.text('+,.0f')} at delta = {delta:g}"
                for delta, gain in sorted(more.items(), reverse=True)
            ),
            more[min(more)].within(high=0.0),
        ),
    ]


def _errors(frame: pd.DataFrame) -> Claim:
    """By delta: what so many runs can show."""
    found = {
        float(str(delta)): (int(runs["wrong"].sum()), len(runs))
        for delta, runs in frame.groupby("delta")
    }
    return Claim(
        "every algorithm errs with probability at most delta",
        "at every delta the probability of an error is at most delta, with confidence 95 % "
        "(Clopper and Pearson): that takes about 3/delta runs without one",
        ", ".join(
            f"delta = {delta:g}: {failures} of {runs}, at most "
            f"{most_likely_failures(failures, runs):.2g}"
            for delta, (failures, runs) in sorted(found.items(), reverse=True)
        ),
        all_hold(errs_at_most(*counts, delta) for delta, counts in found.items()),
    )


def _lemma_9(oracles: pd.DataFrame) -> Claim:
    faster = oracles["subgradient"] / oracles["lp"]
    share = float((oracles["steps"] / oracles["most"]).max())
    return Claim(
        "Lemma 9: the paper's oracle takes at most (4ℓK)²/ε² steps",
        "it does in every case",
        f"at most {int(oracles['steps'].max()):,} at ε = {ORACLE_ACCURACY}, {share:.1g} of the "
        f"bound; the exact LP takes 1/{faster.min():,.0f} to 1/{faster.max():,.0f} of its time",
        share <= 1.0,
    )


def slopes_by_run(runs: pd.DataFrame, algorithm: str) -> pd.Series:
    """Samples by ln(1/delta), by least squares, a seed each."""
    chosen = runs[runs["algorithm"] == algorithm]
    return chosen.groupby("seed")[["delta", "samples"]].apply(
        lambda run: float(np.polyfit(-np.log(run["delta"]), run["samples"], 1)[0])
    )
