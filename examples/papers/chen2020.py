"""Chen, Du, Huang, Zhao (ICML 2020): the experiments that the paper does not have.

Three series of runs: the Borda winner by problem (``borda``), the Condorcet winner by hardness
(``hardness``) and by delta (``delta``).

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
    series = [(part, cpe.LearnerSpec(learner, told)) for part, learner, told in said["series"]]
    series += [
        ("delta", cpe.LearnerSpec(name, {"delta": min(level, said["small"])}))
        for level in scale["levels"]
        for name in ("car-cond", "car-parallel")
    ]
    lines = [
        runs_of(part, duels, spec, runs, settings)
        for part, spec in series
        for duels in problems[part]
    ]
    frame = study.written(lines, settings, ["study", "problem", "algorithm", "delta", "seed"])
    by_problem = frame.groupby(["study", "problem", "algorithm", "delta"])
    means = by_problem[["hardness", "theorem", "samples"]].mean().reset_index()
    wrong = by_problem["wrong"].agg(lambda runs: f"{int(runs.sum())} of {len(runs)}")
    return {
        "claims": claims(frame),
        "runs": runs,
        "problems": len(borda),
        "gaps": ", ".join(map(str, scale["gaps"])),
        "samples": study.Table(means.assign(failures=wrong.to_numpy())),
    }


def runs_of(
    part: str, duels: cpe.MatchingDuels, spec: cpe.LearnerSpec, runs: int, settings: study.Settings
) -> pd.DataFrame:
    """Runs, with their problem's hardness and the bound of their algorithm's theorem."""
    delta, missing = spec.parameters["delta"], 0.0
    if part == "borda":
        borda, width = cpe.borda_hardness(duels), duels.graph.width()
        hardness, winner = borda.hardness, borda.winner
        theorem = borda.exact_sample_bound(delta=delta, width=width)
        if missing := spec.parameters.get("margin", 0.0):
            theorem = borda.pac_sample_bound(delta=delta, margin=missing, width=width)
    else:
        condorcet = cpe.condorcet_hardness(duels)
        hardness, winner = float((condorcet.pair_gaps**-2.0).sum()), condorcet.winner
        alone = spec.learner == "car-cond"
        bound = condorcet.car_cond_sample_bound if alone else condorcet.car_parallel_sample_bound
        theorem = bound(delta=delta)
    algorithm = f"{spec.learner}{', no slack' * ('slack' in spec.parameters)}"
    columns = {"study": part, "problem": duels.name, "algorithm": algorithm, "delta": delta}
    columns |= {"hardness": hardness, "theorem": theorem}
    frame = study.answers(spec, duels, runs, settings, **columns)
    least = duels.borda_score(winner) - missing
    good = [duels.borda_score(e) >= least if missing else e == winner for e in frame.pop("answer")]
    return frame.assign(wrong=~np.array(good))


def claims(frame: pd.DataFrame) -> list[study.Claim]:
    """What the theorems say, from rows of runs."""
    of = dict(list(frame[frame["study"] != "delta"].groupby("algorithm")))
    wrong = sorted(frame.groupby("delta")["wrong"], key=lambda each: -float(str(each[0])))
    errors = {f"delta = {delta:g}:": (int(each.sum()), len(each)) for delta, each in wrong}
    totals = frame[frame["study"] == "hardness"].groupby(["algorithm", "seed"])["samples"].sum()
    saved = study.mean_interval(totals["car-cond, no slack"] / totals["car-cond"])
    pac = of["clucb-borda-pac"]
    used, here = pac["samples"] / pac["theorem"], f"{{}} of it in {len(pac)} runs"
    theorem_2 = "Theorem 2: CLUCB-Borda-Exact's samples grow as its bound"
    theorem_4 = "Theorem 4: CAR-Cond's samples grow as its sum over comparable pairs"
    return [
        study.claim("theorem-1", used, ".1%", high=1.0, here=here),
        grows_as(theorem_2, of["clucb-borda-exact"]),
        grows_as(theorem_4, of["car-cond"]),
        study.claim("slack", {"": saved}, ".2f", high=1.0, here="{} times the samples"),
        *theorem_5(frame[frame["study"] == "delta"]),
        study.errors_claim(errors, [float(str(delta)) for delta, _ in wrong]),
    ]


def grows_as(text: str, runs: pd.DataFrame) -> study.Claim:
    """Whether samples over a bound are alike on all problems."""
    means = runs.groupby("problem")[["samples", "theorem"]].mean()
    factor = means["samples"] / means["theorem"]
    here = f"samples over the bound without its constant: {{}} on {len(factor)} problems"
    most = _SPREAD * factor.min()
    return study.claim("grows", factor, ".2f", high=most, here=here, text=text, spread=_SPREAD)


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
