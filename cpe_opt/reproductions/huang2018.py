"""Huang, Ok, Li, Chen (IJCAI 2018): experiments, which the paper does not have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.hardness.separable import separable_hardness
from cpe_opt.problems.separable.distributions import Bernoulli
from cpe_opt.problems.separable.model import BestSet, OpinionSampling
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.separable.water_plan import Quadratic, WaterPlan
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.reproductions.claims import (
    Claim,
    ConfidenceInterval,
    all_hold,
    errors_claim,
    range_claim,
    ratio_interval,
)
from cpe_opt.reproductions.study import FrameTable, LearnerRuns, Settings, Study, rows_of_runs

if TYPE_CHECKING:
    import pandas as pd

DELTA = 0.05
_ALGORITHMS = ("coci", "coci-uniform")
# By kind: seeds of random problems, from arms that are alike to few hard ones: of the first 150
# with H^U between 300 and 3000 three or seven that are spread evenly by H^U/H.
KINDS: Mapping[str, tuple[list[int], list[int]]] = {
    "top-k": ([84, 22, 134], [84, 66, 18, 22, 138, 11, 134]),
    "water": ([108, 126, 66], [108, 24, 70, 126, 140, 142, 66]),
    "opinions": ([134, 130, 79], [134, 141, 83, 120, 130, 17, 79]),
}


def _study(settings: Settings) -> dict[str, Any]:
    """COCI and uniform sampling."""
    runs = settings.choose(5, 50)
    lines = [
        _runs_of(kind, level, problem, learner, runs)
        for kind, seeds in KINDS.items()
        for level, problem in enumerate(random_problem(kind, s) for s in settings.choose(*seeds))
        for learner in _ALGORITHMS
    ]
    frame = rows_of_runs(lines, settings, ["kind", "level", "algorithm", "seed"])
    keys = ["kind", "level", "problem", "hardness", "uniform"]
    means = frame.pivot_table(index=keys, columns="algorithm", values=["samples", "bound"])
    table = means["samples"].assign(bound=means["bound"]["coci"]).reset_index()
    table["ratio"] = table["uniform"] / table["hardness"]
    return {
        "claims": claims(frame),
        "runs": runs,
        "samples": FrameTable(table.set_index("kind").loc[list(KINDS)]),
    }


def _runs_of(
    kind: str, level: int, problem: SeparableProblem, learner: str, runs: int
) -> LearnerRuns:
    hard = separable_hardness(problem)
    best = tuple[Any, ...](hard.decision)
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
    spec = LearnerSpec(learner, {"delta": DELTA})
    return LearnerRuns(columns, spec, problem, runs, lambda answer: {"wrong": answer != best})


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

    def gain(kind: str, level: int) -> ConfidenceInterval:
        coci, uniform = (samples.get_group((kind, level, name)) for name in _ALGORITHMS)
        return ratio_interval(uniform, coci)

    gains = {k: [gain(k, end) for end in (0, frame["level"].max())] for k in KINDS}
    pays = [
        f"{k} {even.text('.2f')} to {uneven.text('.2f')}" for k, (even, uneven) in gains.items()
    ]
    return [
        *(
            range_claim(name, used.get_group(name), ".0%", high=1.0, here="{} of it")
            for name in _ALGORITHMS
        ),
        Claim(
            "pays",
            "; ".join(pays),
            all_hold(uneven.within(low=even.high) for even, uneven in gains.values()),
        ),
        errors_claim("errors", {"all:": (int(frame["wrong"].sum()), len(frame))}, [DELTA]),
    ]


STUDIES = (Study("huang2018", _study),)
