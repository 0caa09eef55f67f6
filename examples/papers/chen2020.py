"""Chen, Du, Huang, Zhao (ICML 2020): the experiments that the paper does not have.

python examples/papers/chen2020.py --full
"""

from typing import Any

import numpy as np
import pandas as pd
import study

import cpe_opt as cpe

_SPREAD = 4.0  # between problems, of samples over a bound whose constant is open


def values(settings: study.Settings) -> dict[str, Any]:
    """Runs of every series."""
    said = study.declared("chen2020")
    scale = said[settings.choose("quick", "full")]
    hard = [cpe.planted_condorcet(*said["shape"], gap=gap, seed=1) for gap in scale["gaps"]]
    seeds, runs = scale["borda_seeds"], scale["runs"]
    borda = [cpe.planted_condorcet(3, 2, gap=0.2, seed=seed) for seed in seeds]
    problems = {"borda": borda, "hardness": hard, "delta": hard[:1]}
    series = [*said["series"]]
    for level in scale["levels"]:
        told = {"delta": min(level, said["small"])}
        series += [("delta", "car-cond", told), ("delta", "car-parallel", told)]
    lines = [
        runs_of(part, duels, cpe.LearnerSpec(learner, told), runs, settings)
        for part, learner, told in series
        for duels in problems[part]
    ]
    frame = study.written(lines, settings, ["study", "problem", "algorithm", "delta", "seed"])
    by_problem = frame.groupby(["study", "problem", "algorithm", "delta"])
    means = by_problem[["hardness", "theorem", "samples", "wrong"]].mean()
    return {
        "claims": claims(frame),
        "runs": runs,
        "problems": len(borda),
        "gaps": ", ".join(map(str, scale["gaps"])),
        "samples": study.Table(means),
    }


def runs_of(
    part: str, duels: cpe.MatchingDuels, spec: cpe.LearnerSpec, runs: int, settings: study.Settings
) -> pd.DataFrame:
    """Runs, with their problem's hardness and the bound of their algorithm's theorem."""
    delta, margin = spec.parameters["delta"], spec.parameters.get("margin", 0.0)
    algorithm = f"{spec.learner}{', no slack' * ('slack' in spec.parameters)}"
    columns = {"study": part, "problem": duels.name, "algorithm": algorithm, "delta": delta}
    if part == "borda":
        borda, told = cpe.borda_hardness(duels), {"delta": delta, "width": duels.graph.width()}
        least, exact = duels.borda_score(borda.winner) - margin, borda.exact_sample_bound(**told)
        columns["theorem"] = borda.pac_sample_bound(**told, margin=margin) if margin else exact
        columns |= {"hardness": borda.hardness, "wrong": lambda e: duels.borda_score(e) < least}
    else:
        condorcet, alone = cpe.condorcet_hardness(duels), spec.learner == "car-cond"
        bound = condorcet.car_cond_sample_bound if alone else condorcet.car_parallel_sample_bound
        columns |= {"theorem": bound(delta=delta), "wrong": condorcet.winner.__ne__}
        columns["hardness"] = (condorcet.pair_gaps**-2.0).sum()
    return study.answers(spec, duels, runs, settings, **columns)


def claims(frame: pd.DataFrame) -> list[study.Claim]:
    """What the theorems say, from rows of runs."""
    of = dict(list(frame[frame["study"] != "delta"].groupby("algorithm")))
    wrong = sorted(frame.groupby("delta")["wrong"], key=lambda each: -float(str(each[0])))
    errors = {f"delta = {delta:g}:": (int(each.sum()), len(each)) for delta, each in wrong}
    totals = frame[frame["study"] == "hardness"].groupby(["algorithm", "seed"])["samples"].sum()
    saved = study.mean_interval(totals["car-cond, no slack"] / totals["car-cond"])
    pac = of["clucb-borda-pac"]
    used, here = pac["samples"] / pac["theorem"], f"{{}} of it in {len(pac)} runs"
    return [
        study.claim("theorem-1", used, ".1%", high=1.0, here=here),
        grows_as("theorem-2", of["clucb-borda-exact"]),
        grows_as("theorem-4", of["car-cond"]),
        study.claim("slack", {"": saved}, ".2f", high=1.0, here="{} times the samples"),
        *theorem_5(frame[frame["study"] == "delta"]),
        study.errors_claim(errors, [float(str(delta)) for delta, _ in wrong]),
    ]


def grows_as(name: str, runs: pd.DataFrame) -> study.Claim:
    """Whether samples over a bound are alike on all problems."""
    means = runs.groupby("problem")[["samples", "theorem"]].mean()
    factor = means["samples"] / means["theorem"]
    here = f"samples over the bound without its constant: {{}} on {len(factor)} problems"
    most = _SPREAD * factor.min()
    return study.claim(name, factor, ".2f", high=most, here=here, spread=_SPREAD)


def theorem_5(runs: pd.DataFrame) -> list[study.Claim]:
    """About CAR-Parallel, whose theorem it is: on the same seeds as CAR-Cond."""
    samples = runs.pivot_table(index="seed", columns=["algorithm", "delta"], values="samples")
    large, small = runs["delta"].max(), runs["delta"].min()
    verified, alone = samples["car-parallel"], samples["car-cond"]
    slopes = [(each[small] - each[large]) / np.log(large / small) for each in (alone, verified)]
    by_name = [f"{study.mean_interval(each).text()}" for each in slopes]
    less = study.mean_interval(slopes[0] - slopes[1]).within(low=0.0)
    fewer = study.mean_interval(alone[small] - verified[small])
    text = f"samples by ln(1/delta): CAR-Cond {by_name[0]}, CAR-Parallel {by_name[1]}"
    here = f"{fewer.text()} fewer at delta = {small:g}"
    return [study.Claim("theorem-5", text, less), study.Claim("fewer", here, fewer.within(low=0.0))]


STUDIES = (study.Study("chen2020", "chen2020.py", values),)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
