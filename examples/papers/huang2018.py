"""Huang, Ok, Li, Chen (IJCAI 2018): experiments, which the paper does not have.

COCI against uniform sampling on random problems of three kinds, from arms that are alike to few
hard ones.

    python examples/papers/huang2018.py --full
"""

from typing import Any

import numpy as np
import pandas as pd
import study

import cpe_opt as cpe

DELTA = 0.05


def values(settings: study.Settings) -> dict[str, Any]:
    """COCI and uniform sampling; runs with their hardness and the bound of their theorem."""
    runs, lines = settings.choose(5, 50), []
    seeds = study.declared("huang2018")[settings.choose("quick", "full")]
    for kind in seeds:
        for level, seed in enumerate(seeds[kind]):
            problem = random_problem(kind, seed)
            hard = cpe.separable_hardness(problem)
            columns = {"kind": kind, "level": level, "problem": problem.name}
            columns |= {"hardness": hard.hardness, "uniform": hard.uniform}
            for learner, bound in (
                ("coci", hard.coci_sample_bound),
                ("coci-uniform", hard.coci_uniform_sample_bound),
            ):
                columns |= {"algorithm": learner, "bound": bound(delta=DELTA)}
                spec = cpe.LearnerSpec(learner, {"delta": DELTA})
                frame = study.answers(spec, problem, runs, settings, **columns)
                right = tuple(hard.decision)
                lines.append(frame.assign(wrong=[e != right for e in frame.pop("answer")]))
    frame = study.written(lines, settings, ["kind", "level", "algorithm", "seed"])
    keys = ["kind", "level", "problem", "hardness", "uniform"]
    means = frame.pivot_table(index=keys, columns="algorithm", values=["samples", "bound"])
    table = means["samples"].assign(bound=means["bound"]["coci"]).reset_index()
    table["ratio"] = table["uniform"] / table["hardness"]
    samples = study.Table(table.set_index("kind").loc[list(seeds)])
    return {"claims": claims(frame), "runs": runs, "samples": samples}


def random_problem(kind: str, seed: int) -> cpe.SeparableProblem:
    """The best 2 of 8, a water plan of 5 sources, or the allocation of 10 samples to 4 groups."""
    rng = np.random.default_rng(seed)
    decisions: Any
    if kind == "top-k":
        decisions, arms = cpe.BestSet(cpe.TopK(8, 2)), 8
    elif kind == "water":
        # The demand is met exactly: a first unit costs more than any quality is worth.
        costs, arms = [cpe.Quadratic(a, 1.0) for a in 0.1 + 0.3 * rng.random(5)], 5
        decisions = cpe.WaterPlan(costs, [3] * arms, 6)
    else:
        decisions, arms = cpe.OpinionSampling(rng.integers(5, 50, 4).tolist(), 10), 4
    coins = [cpe.Bernoulli(p) for p in rng.beta(0.7, 0.7, arms)]
    return cpe.SeparableProblem(decisions, coins, name=f"{kind}-{seed}")


def claims(frame: pd.DataFrame) -> list[study.Claim]:
    """What the theorems say, from rows of runs."""
    used = (frame["samples"] / frame["bound"]).groupby(frame["algorithm"])
    of = dict(list(frame.groupby(["kind", "level", "algorithm"])["samples"]))
    pays, apart = [], []
    for kind in study.declared("huang2018")["quick"]:
        even, more = (
            study.ratio_interval(of[kind, end, "coci-uniform"], of[kind, end, "coci"])
            for end in (0, frame["level"].max())
        )
        pays.append(f"{kind} {even.text('.2f')} to {more.text('.2f')}")
        apart.append(more.within(low=even.high))
    errors = int(frame["wrong"].sum()), len(frame)
    return [
        *(study.claim(n, each, ".0%", high=1.0, here="{} of it") for n, each in used),
        study.Claim("pays", "; ".join(pays), study.all_hold(apart)),
        study.errors_claim({"all:": errors}, [DELTA]),
    ]


STUDIES = (study.Study("huang2018", "huang2018.py", values),)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
