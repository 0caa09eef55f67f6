"""Huang, Ok, Li, Chen (IJCAI 2018): experiments, which the paper does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.experiments.runs import run_seeds
from cpe_opt.formulations.subsets.best_subset import best_subset
from cpe_opt.hardness.separable import separable_hardness
from cpe_opt.problems.separable.costs import Quadratic
from cpe_opt.problems.separable.distributions import (
    Bernoulli,
)
from cpe_opt.problems.separable.model import BestSet, OpinionSampling
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.separable.water_plan import WaterPlan
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.reports.drawing import Line, draw_lines, label_lines, save, styles
from cpe_opt.reproductions.page import Claim, Page, Section
from cpe_opt.reproductions.rows import rows_in_parallel
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import (
    Interval,
    all_hold,
    errs_at_most,
    most_likely_failures,
    ratio_interval,
)
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd

Means: TypeAlias = dict[tuple[str, int, str], float]  # by kind, level and algorithm
PAPER = (
    "Huang, Ok, Li, Chen, *Combinatorial Pure Exploration with Continuous and Separable Reward "
    "Functions and Its Applications*, IJCAI 2018"
)
DELTA = 0.05
_ALGORITHMS = ("coci", "coci-uniform", "clucb")
_KINDS = ("top-k", "water", "opinions")
_SCANNED, _LEAST, _MOST = 150, 300, 3000
_BERNOULLI_NOISE = 0.5  # rewards in [0, 1] are ½-sub-Gaussian


def experiments(settings: Settings) -> Page:
    """COCI against uniform sampling, its theorem, and CLUCB."""
    levels = range(settings.choose(3, 7))
    runs = settings.choose(5, 50)
    problems = {kind: spread_in_unevenness(kind, len(levels)) for kind in _KINDS}
    tasks = [
        (kind, level, problems[kind][level], learner, seed)
        for kind in _KINDS
        for level in levels
        for learner in ("coci", "coci-uniform", *(("clucb",) if kind == "top-k" else ()))
        for seed in run_seeds(settings.seed, runs)
    ]
    order = ["kind", "level", "algorithm", "seed"]
    frame = rows_in_parallel(_play, tasks, settings, order)
    means: Means = {
        (str(kind), int(str(level)), str(name)): float(samples.mean())
        for (kind, level, name), samples in frame.groupby(order[:3])["samples"]
    }
    return Page(
        settings.name,
        "Separable rewards: the missing experiments",
        PAPER,
        settings.command,
        f"delta = {DELTA}, {runs} runs of each. Random problems with Bernoulli arms: the best 2 of "
        "8, a water plan of 5 sources, 10 samples for 4 groups of people; of those with H^U "
        f"between {_LEAST} and {_MOST}, some spread from even to uneven, that is, by H^U/H.",
        claims(frame),
        [
            Section("Samples", picture=_picture(frame, settings)),
            Section(
                "Mean samples",
                "*H* is the hardness H_Λ, *H^U* that of uniform sampling.",
                ("problem", "H^U/H", "H", "H^U", "COCI", "uniform", "CLUCB", "bound of COCI"),
                [_row(frame, means, kind, level) for kind in _KINDS for level in levels],
            ),
        ],
        settings.quick,
    )


def claims(frame: pd.DataFrame) -> list[Claim]:
    """What the theorems say, from rows of runs."""
    coci, uniform = (frame[frame["algorithm"] == name] for name in ("coci", "coci-uniform"))
    gains = {kind: [_saving(frame, kind, at) for at in (0, -1)] for kind in _KINDS}
    top = frame[frame["kind"] == "top-k"].groupby(["level", "algorithm"])["samples"].mean()
    clucb = (top.xs("clucb", level=1) / top.xs("coci", level=1)).to_numpy()
    failures = int(frame["wrong"].sum())
    return [
        Claim(
            "Theorem 1: COCI's samples are at most 2m + 12 H ln(24 H) + 4 H ln(4/(tau delta))",
            "in every run",
            f"at most {_worst(coci):.0%} of it in {len(coci)} runs",
            _worst(coci) <= 1.0,
        ),
        Claim(
            "Theorem 4: the same for uniform sampling with H^U",
            "in every run",
            f"at most {_worst(uniform):.0%} of it in {len(uniform)} runs",
            _worst(uniform) <= 1.0,
        ),
        Claim(
            "adaptive sampling pays where radii differ",
            "uniform sampling needs more times COCI's samples on the most uneven problem of each "
            "kind than on the most even one: the 95 % intervals do not meet",
            "; ".join(
                f"{kind} {even.text('.2f')} to {uneven.text('.2f')}"
                for kind, (even, uneven) in gains.items()
            ),
            all_hold(uneven.within(low=even.high) for even, uneven in gains.values()),
        ),
        Claim(
            "COCI solves the best k arms, too, as CLUCB does",
            "not judged: CLUCB sees normal noise of deviation ½ on the same means, COCI coins",
            f"CLUCB needs {clucb.min():.2f} to {clucb.max():.2f} times COCI's samples",
            None,
        ),
        Claim(
            "every algorithm errs with probability at most delta",
            f"the probability of an error is at most delta = {DELTA}, with confidence 95 % "
            "(Clopper and Pearson)",
            f"{failures} wrong answers in {len(frame)} runs: at most "
            f"{most_likely_failures(failures, len(frame)):.2g}",
            errs_at_most(failures, len(frame), DELTA),
        ),
    ]


def _worst(runs: pd.DataFrame) -> float:
    return float((runs["samples"] / runs["bound"]).max())


def _saving(frame: pd.DataFrame, kind: str, at: int) -> Interval:
    """Uniform sampling's samples over COCI's, on the problem of a level."""
    chosen = frame[
        (frame["kind"] == kind) & (frame["level"] == sorted(frame["level"].unique())[at])
    ]
    return ratio_interval(
        *(chosen[chosen["algorithm"] == name]["samples"] for name in ("coci-uniform", "coci"))
    )


def spread_in_unevenness(kind: str, count: int) -> list[SeparableProblem]:
    """Random problems, from those whose arms are alike to those where few arms are hard.

    Spread evenly by H^U / H, among problems that are neither easy nor very hard.
    """
    found = []
    for seed in range(_SCANNED):
        problem = random_problem(kind, seed)
        hard = separable_hardness(problem)
        if hard.hardness > 0.0 and _LEAST <= hard.uniform <= _MOST:
            found.append((hard.uniform / hard.hardness, seed, problem))
    found.sort()
    aims = np.linspace(found[0][0], found[-1][0], count)
    chosen = []
    for aim in aims:
        nearest = min(found, key=lambda entry: abs(entry[0] - aim))
        found.remove(nearest)
        chosen.append(nearest)
    return [problem for _, _, problem in sorted(chosen)]


def random_problem(kind: str, seed: int) -> SeparableProblem:
    """The best 2 of 8, a water plan of 5 sources, or the allocation of 10 samples to 4 groups."""
    rng = np.random.default_rng(seed)
    name = f"{kind}-{seed}"
    if kind == "top-k":
        means = rng.beta(0.7, 0.7, 8)
        return SeparableProblem(BestSet(TopK(8, 2)), [Bernoulli(p) for p in means], name=name)
    if kind == "water":
        # The demand is met exactly: a first unit costs more than any quality is worth.
        plan = WaterPlan([Quadratic(a, 1.0) for a in 0.1 + 0.3 * rng.random(5)], [3] * 5, 6)
        return SeparableProblem(plan, [Bernoulli(p) for p in rng.beta(0.7, 0.7, 5)], name=name)
    sizes = rng.integers(5, 50, 4).tolist()
    shares = rng.beta(0.7, 0.7, 4)
    return SeparableProblem(OpinionSampling(sizes, 10), [Bernoulli(p) for p in shares], name=name)


def _play(
    kind: str, level: int, problem: SeparableProblem, learner: str, seed: int
) -> list[dict[str, Any]]:
    hard = separable_hardness(problem)
    if learner == "clucb":
        # The same coins as single elements of a decision class.
        outcomes = TopK(8, 2)
        trace = simulate(
            "clucb",
            SubsetBandit(outcomes, problem.theta, noise=_BERNOULLI_NOISE),
            seed=seed,
            delta=DELTA,
            noise=_BERNOULLI_NOISE,
        )
        wrong = trace.answer != best_subset(outcomes, problem.theta).elements
    else:
        trace = simulate(learner, problem, seed=seed, delta=DELTA)
        wrong = trace.answer != tuple(hard.decision)
    bound = hard.coci_uniform_sample_bound if learner == "coci-uniform" else hard.coci_sample_bound
    return [
        {
            "kind": kind,
            "level": level,
            "problem": problem.name,
            "algorithm": learner,
            "seed": seed,
            "hardness": hard.hardness,
            "uniform": hard.uniform,
            "bound": bound(delta=DELTA),
            "samples": trace.samples,
            "wrong": bool(wrong),
        }
    ]


def _row(frame: pd.DataFrame, means: Means, kind: str, level: int) -> list[object]:
    runs = frame[(frame["kind"] == kind) & (frame["level"] == level)]
    clucb = means.get((kind, level, "clucb"))
    bound = float(runs[runs["algorithm"] == "coci"]["bound"].iloc[0])
    return [
        str(runs["problem"].iloc[0]),
        f"{runs['uniform'].iloc[0] / runs['hardness'].iloc[0]:.2f}",
        f"{runs['hardness'].iloc[0]:,.0f}",
        f"{runs['uniform'].iloc[0]:,.0f}",
        f"{means[kind, level, 'coci']:,.0f}",
        f"{means[kind, level, 'coci-uniform']:,.0f}",
        "" if clucb is None else f"{clucb:,.0f}",
        f"{bound:,.0f}",
    ]


def _picture(frame: pd.DataFrame, settings: Settings) -> Any:
    """Samples over H, so that problems of different hardness stand in one picture."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    figure = Figure(figsize=(13, 4.6), layout="constrained", dpi=120)
    axes = figure.subplots(1, len(_KINDS), sharey=True)
    by_name = styles(_ALGORITHMS)
    axes[0].set_ylabel("samples until it stops over $H$ (means)")
    drawn: dict[Any, dict[str, Line]] = {}
    for axis, kind in zip(axes, _KINDS, strict=True):
        axis.set_yscale("log")
        lines: dict[str, Line] = {}
        for name, runs in frame[frame["kind"] == kind].groupby("algorithm"):
            uneven = (runs["uniform"] / runs["hardness"]).rename("unevenness")
            scaled = runs[["samples", "bound"]].div(runs["hardness"], axis=0)
            mean = scaled.groupby(uneven).mean()
            lines[str(name)] = (mean.index.to_numpy(), mean["samples"].to_numpy())
            if name != "clucb":
                color = by_name[str(name)].color
                axis.plot(mean.index, mean["bound"], linestyle=":", color=color)
        draw_lines(axis, lines, by_name)
        drawn[axis] = lines
        axis.set_title(kind)
        axis.set_xlabel("unevenness $H^U/H$")
        axis.grid(visible=True, alpha=0.3)
    for axis, lines in drawn.items():
        label_lines(axis, lines, by_name)
    figure.legend(
        [Line2D([], [], color="black", marker="o"), Line2D([], [], color="black", linestyle=":")],
        ["measured", "bound of the theorem of the algorithm of that colour (CLUCB's is another's)"],
        loc="outside lower center",
        ncols=2,
        fontsize="small",
    )
    return save(figure, settings.file(".png"))
