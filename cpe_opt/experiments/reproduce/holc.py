"""Huang, Ok, Li, Chen (IJCAI 2018): experiments, which the paper does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.experiments.plots import save
from cpe_opt.experiments.reproduce.page import Claim, Page, Section
from cpe_opt.experiments.reproduce.rows import rows_in_parallel
from cpe_opt.experiments.reproduce.settings import Settings
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.formulations.separable import separable_hardness
from cpe_opt.formulations.subsets import best_subset
from cpe_opt.problems.costs import Quadratic
from cpe_opt.problems.decisions import TopK
from cpe_opt.problems.distributions import (
    Bernoulli,
)
from cpe_opt.problems.separable import (
    BestSet,
    OpinionSampling,
    SeparableProblem,
    WaterPlan,
)
from cpe_opt.problems.subsets import SubsetBandit
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd

Means: TypeAlias = dict[tuple[str, int, str], float]  # by kind, level and algorithm
PAPER = (
    "Huang, Ok, Li, Chen, *Combinatorial Pure Exploration with Continuous and Separable Reward "
    "Functions and Its Applications*, IJCAI 2018"
)
DELTA = 0.05
_COLOURS = {"coci": "C0", "coci-uniform": "C1", "clucb": "C2"}
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
    ratio = {
        kind: [means[kind, at, "coci-uniform"] / means[kind, at, "coci"] for at in levels]
        for kind in _KINDS
    }
    coci = frame[frame["algorithm"] == "coci"]
    within = float((coci["samples"] / coci["bound"]).max())
    uniform = frame[frame["algorithm"] == "coci-uniform"]
    clucb = [means["top-k", at, "clucb"] / means["top-k", at, "coci"] for at in levels]
    failures = int(frame["wrong"].sum())
    growing = all(ratio[kind][-1] > ratio[kind][0] for kind in _KINDS)
    return Page(
        settings.name,
        "Separable rewards: the missing experiments",
        PAPER,
        settings.command,
        f"delta = {DELTA}, {runs} runs of each. Random problems with Bernoulli arms: the best 2 of "
        "8, a water plan of 5 sources, 10 samples for 4 groups of people; of those with H^U "
        f"between {_LEAST} and {_MOST}, some spread from even to uneven, that is, by H^U/H.",
        [
            Claim(
                "Theorem 1: COCI's samples are at most 2m + 12 H ln(24 H) + 4 H ln(4/(tau delta))",
                f"at most {within:.0%} of it in {len(coci)} runs",
                within <= 1,
            ),
            Claim(
                "Theorem 4: the same for uniform sampling with H^U",
                f"at most {float((uniform['samples'] / uniform['bound']).max()):.0%} of it",
                bool((uniform["samples"] <= uniform["bound"]).all()),
            ),
            Claim(
                "adaptive sampling pays where radii differ",
                "uniform over adaptive, from even to uneven: "
                + "; ".join(
                    f"{kind} {ratio[kind][0]:.2f} to {ratio[kind][-1]:.2f}" for kind in _KINDS
                ),
                growing,
            ),
            Claim(
                "COCI solves the best k arms, too, as CLUCB does",
                f"CLUCB needs {min(clucb):.2f} to {max(clucb):.2f} times COCI's samples, "
                "on the same means with normal noise of deviation ½",
                None,
            ),
            Claim(
                "every algorithm errs with probability at most delta",
                f"{failures} wrong answers in {len(frame)} runs",
                failures <= DELTA * len(frame),
            ),
        ],
        [
            Section("Samples", picture=_picture(frame, settings)),
            Section(
                "Mean samples",
                "*H* is the hardness H_Λ, *H^U* that of uniform sampling.",
                ("problem", "H^U/H", "H", "H^U", "COCI", "uniform", "CLUCB", "bound of COCI"),
                [_row(frame, means, kind, level) for kind in _KINDS for level in levels],
            ),
        ],
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
        wrong = trace.answer != best_subset(outcomes, problem.theta).members
    else:
        trace = simulate(learner, problem, seed=seed, delta=DELTA)
        wrong = trace.answer != tuple(hard.decision)
    bound = hard.theorem_4 if learner == "coci-uniform" else hard.theorem_1
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

    figure = Figure(figsize=(12, 4.2), layout="constrained", dpi=120)
    axes = figure.subplots(1, len(_KINDS), sharey=True)
    axes[0].set_ylabel("samples / H (dotted: the theorem)")
    for axis, kind in zip(axes, _KINDS, strict=True):
        for name, runs in frame[frame["kind"] == kind].groupby("algorithm"):
            uneven = (runs["uniform"] / runs["hardness"]).rename("unevenness")
            scaled = runs[["samples", "bound"]].div(runs["hardness"], axis=0)
            mean = scaled.groupby(uneven).mean()
            colour = _COLOURS[str(name)]
            axis.plot(mean.index, mean["samples"], marker="o", color=colour, label=str(name))
            if name != "clucb":
                axis.plot(mean.index, mean["bound"], linestyle=":", color=colour)
        axis.set_yscale("log")
        axis.set_title(kind)
        axis.set_xlabel("unevenness, H^U/H")
        axis.grid(visible=True, alpha=0.3)
    axes[0].legend(fontsize="small")  # it alone has all three
    return save(figure, settings.file(".png"))
