"""Huang, Ok, Li, Chen (IJCAI 2018): experiments, which the paper does not have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.formulations.subsets.best_subset import best_subset
from cpe_opt.hardness.separable import separable_hardness
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.distributions import Bernoulli
from cpe_opt.problems.separable.model import BestSet, OpinionSampling
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.separable.water_plan import Quadratic, WaterPlan
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.reproductions.claims import Claim, all_hold, errors_claim, ratio_interval, span
from cpe_opt.reproductions.figures import Shown, draw_panels, mean_lines
from cpe_opt.reproductions.rows import LearnerRuns, rows_of_runs
from cpe_opt.reproductions.study import Settings, Study, frame_table

if TYPE_CHECKING:
    import pandas as pd

DELTA = 0.05
_ALGORITHMS = ("coci", "coci-uniform", "clucb")
KINDS = ("top-k", "water", "opinions")
_SCANNED, _LEAST, _MOST = 150, 300, 3000  # random problems, and the H^U of those that are used
_BERNOULLI_NOISE = 0.5  # rewards in [0, 1] are ½-sub-Gaussian


def _study(settings: Settings) -> dict[str, Any]:
    """COCI, uniform sampling and, on the best k arms, CLUCB."""
    levels, runs = settings.choose(3, 7), settings.choose(5, 50)
    lines = [
        _runs_of(kind, level, problem, learner, runs)
        for kind in KINDS
        for level, problem in enumerate(spread_in_unevenness(kind, levels))
        for learner in (_ALGORITHMS if kind == "top-k" else _ALGORITHMS[:2])
    ]
    frame = rows_of_runs(lines, settings, ["kind", "level", "algorithm", "seed"])
    keys = ["kind", "level", "problem", "hardness", "uniform"]
    means = frame.pivot_table(index=keys, columns="algorithm", values=["samples", "bound"])
    table = means["samples"].assign(bound=means["bound"]["coci"]).reset_index()
    table["ratio"] = table["uniform"] / table["hardness"]
    return {
        "claims": claims(frame),
        "runs": runs,
        "picture": _draw(frame, settings.file(".png")),
        "samples": frame_table(
            table.set_index("kind").loc[list(KINDS)],
            "problem; H^U/H = ratio : .2f; H = hardness : ,.0f; H^U = uniform : ,.0f; COCI = "
            "coci : ,.0f; uniform = coci-uniform : ,.0f; CLUCB = clucb : ,.0f; bound of COCI = "
            "bound : ,.0f",
        ),
    }


def _runs_of(
    kind: str, level: int, problem: SeparableProblem, learner: str, runs: int
) -> LearnerRuns:
    played: Problem
    hard = separable_hardness(problem)
    parameters, best, played = {"delta": DELTA}, tuple[Any, ...](hard.decision), problem
    if learner == "clucb":
        # The same coins as single elements of a decision class.
        pairs, noise = TopK(8, 2), _BERNOULLI_NOISE
        played, parameters["noise"] = SubsetBandit(pairs, problem.theta, noise=noise), noise
        best = best_subset(pairs, problem.theta).elements
    bound = hard.coci_uniform_sample_bound if learner == "coci-uniform" else hard.coci_sample_bound
    columns = {
        "kind": kind,
        "level": level,
        "problem": problem.name,
        "algorithm": learner,
        "hardness": hard.hardness,
        "uniform": hard.uniform,
        "bound": bound(delta=DELTA),
    }
    spec = LearnerSpec(learner, parameters)
    return LearnerRuns(columns, spec, played, runs, lambda answer: {"wrong": answer != best})


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
    chosen = []
    for aim in np.linspace(found[0][0], found[-1][0], count):
        chosen.append(min(found, key=lambda entry: abs(entry[0] - aim)))
        found.remove(chosen[-1])
    return [problem for _, _, problem in sorted(chosen)]


def random_problem(kind: str, seed: int) -> SeparableProblem:
    """The best 2 of 8, a water plan of 5 sources, or the allocation of 10 samples to 4 groups."""
    rng = np.random.default_rng(seed)
    decisions: BestSet | WaterPlan | OpinionSampling
    if kind == "top-k":
        decisions, arms = BestSet(TopK(8, 2)), 8
    elif kind == "water":
        # The demand is met exactly: a first unit costs more than any quality is worth.
        costs, arms = [Quadratic(a, 1.0) for a in 0.1 + 0.3 * rng.random(5)], 5
        decisions = WaterPlan(costs, [3] * arms, 6)
    else:
        decisions, arms = OpinionSampling(rng.integers(5, 50, 4).tolist(), 10), 4
    coins = [Bernoulli(p) for p in rng.beta(0.7, 0.7, arms)]
    return SeparableProblem(decisions, coins, name=f"{kind}-{seed}")


def claims(frame: pd.DataFrame) -> list[Claim]:
    """What the theorems say, from rows of runs."""
    used = (frame["samples"] / frame["bound"]).groupby(frame["algorithm"])
    samples = frame.groupby(["kind", "level", "algorithm"])["samples"]
    levels = (frame["level"].min(), frame["level"].max())
    gains = {
        kind: [
            ratio_interval(*(samples.get_group((kind, at, name)) for name in _ALGORITHMS[1::-1]))
            for at in levels
        ]
        for kind in KINDS
    }
    top = samples.mean()["top-k"].unstack()
    clucb = f"CLUCB needs {span(top['clucb'] / top['coci'])} times COCI's samples"
    within = {
        name: f"at most {used.max()[name]:.0%} of it in {used.size()[name]} runs"
        for name in _ALGORITHMS[:2]
    }
    pays = "; ".join(
        f"{kind} {even.text('.2f')} to {uneven.text('.2f')}"
        for kind, (even, uneven) in gains.items()
    )
    return [
        *(Claim(name, text, bool(used.max()[name] <= 1.0)) for name, text in within.items()),
        Claim("pays", pays, all_hold(u.within(low=even.high) for even, u in gains.values())),
        Claim("clucb", clucb, None),
        errors_claim("errors", {"all:": (int(frame["wrong"].sum()), len(frame))}, [DELTA]),
    ]


def _draw(frame: pd.DataFrame, path: Path) -> Path:
    """Samples over H, so that problems of different hardness fit in one picture."""
    shown: list[Shown] = []
    for kind in KINDS:
        runs = frame[frame["kind"] == kind]
        scaled = runs[["samples", "bound"]].div(runs["hardness"], axis=0)
        lines, bounds = mean_lines(
            scaled.assign(algorithm=runs["algorithm"]),
            runs["uniform"] / runs["hardness"],
            ("samples", "bound"),
        )
        bounds.pop("clucb", None)
        axes = {"yscale": "log", "title": kind, "xlabel": "unevenness $H^U/H$"}
        axes["ylabel"] = "" if shown else "samples until it stops over $H$ (means)"
        shown.append((lines, bounds, axes))
    words = "bound of the theorem of the algorithm of that colour (CLUCB's is another's)"
    return draw_panels(path, shown, size=(13, 4.6), share=True, names=_ALGORITHMS, dotted=words)


STUDIES = (Study("huang2018", _study),)
