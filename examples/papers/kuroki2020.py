"""Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020): figures 1 to 3, and table 2.

python examples/papers/kuroki2020.py --figure 3 --full
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import study

import cpe_opt as cpe
from cpe_opt.experiments.planning import run_seed
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.exhaustive import Enumeration
from cpe_opt.learners.subsets.sa_foa import first_order_gap_bound
from cpe_opt.learners.subsets.static_allocation import LeastSquaresFit, checked_aim, sample_until

SIZE, CHOSEN, DELTA = 10, 5, 0.05
_DECLARED = study.declared("kuroki2020")
_GAP_LEARNERS = _DECLARED["figure3"]


def ratio_claims(name: str, table: pd.DataFrame) -> list[study.Claim]:
    """The declared ones: a column is a number of times another one, in every row of a table."""
    found = []
    for said in _DECLARED[name]:
        words = dict(said)
        claim, of, over = (words.pop(each) for each in ("claim", "of", "over"))
        ratio, here = table[of] / table[over], f"{of} over {over} {{}}"
        found.append(study.claim(claim, ratio, "#.3g", here=here, **words))
    return found


# Figure 1: how near greedy peeling comes to the two maxima that the algorithms need.

_GAPS = (0.1, 1.0)
_HORIZON = 100_000
_SUPPORTS = (2, 5)  # random sets of a support, times n
_LEAST, _ALWAYS = 0.9, 0.95
_BINS = 8  # of a decade of rounds, in the picture
_ABOUT = 0.02  # of the ratio 0.95
_RATIOS = ["saqm", "sa-foa"]


def figure_1(settings: study.Settings) -> dict[str, Any]:
    """Ratios and errors of random problems."""
    runs, columns = settings.choose(15, 50), [*_RATIOS, *(f"{name} error" for name in _RATIOS)]
    tasks = [
        (SIZE, CHOSEN, gap, times * SIZE, seed, _HORIZON)
        for gap in _GAPS
        for times in _SUPPORTS
        for seed in (run_seed(settings.seed, run) for run in range(runs))
    ]
    frame = study.rows_of_tasks(precision, tasks, settings, ["sets", "gap", "seed", "t"])
    # Runs with supports of other sizes look at other rounds.
    rounds = 10.0 ** (np.round(np.log10(frame["t"]) * _BINS) / _BINS)
    long = frame.assign(rounds=rounds).melt(["sets", "rounds", "gap"], _RATIOS, "name")
    long["line"] = long["name"] + ", gap " + long["gap"].map("{:g}".format)
    means = long.pivot_table(index=["sets", "rounds"], columns="line", values="value")
    axes = {"xscale": "log", "xlabel": "pulls", "ylabel": "approximation ratio (1: the maximum)"}
    shown = [
        (part.droplevel("sets"), {**axes, "title": f"designs over {sets} random sets"})
        for sets, part in means.groupby("sets")
    ]
    return {
        "claims": figure_1_claims(frame),
        "runs": runs,
        "picture": study.draw_panels(settings.file(".png"), shown, (8.6, 3.0)),
        "means": study.Table(frame.groupby(["sets", "gap"])[columns].mean()),
    }


def precision(
    n: int, k: int, gap: float, sets: int, seed: int, horizon: int
) -> list[dict[str, Any]]:
    """Ratios and errors at looks of one run."""
    bandit = cpe.planted_subsets(n, k, gap=gap, seed=seed)
    design = cpe.g_design(cpe.uniform_design(bandit.decisions, sets=sets, seed=seed).vectors)
    listing, rng = Enumeration(bandit.decisions), np.random.default_rng(seed)
    rows: list[dict[str, Any]] = []
    aim = checked_aim(bandit.decisions, 0.0, DELTA, 1.0, None)
    every = bandit.decisions.indicator_matrix()

    def note(look: LeastSquaresFit) -> bool:
        radius = aim.ellipsoid_radius(look.t, bandit.decisions)
        peeled = cpe.ellipsoid_maximum(bandit.decisions, look.inverse, "peeling").value ** 0.5
        largest = math.sqrt(quadratic_forms(every, look.inverse).max())
        true = look.value + max(0.0, listing.largest_gap_bound(look, radius))
        anchors = look.support[rng.integers(len(look.support), size=n)] > 0.5
        found = look.value + max(0.0, first_order_gap_bound(look, radius, anchors, "peeling"))
        ratios = {"saqm": peeled / largest, "sa-foa": found / true}
        errors = {"saqm error": radius * (largest - peeled), "sa-foa error": true - found}
        rows.append({"gap": gap, "sets": sets, "seed": seed, "t": look.t, **ratios, **errors})
        return False

    def pulls(decisions: Any, *, rng: np.random.Generator) -> Any:
        return sample_until(SubsetOracle(decisions), design, note, rng=rng, growth=1.1)

    cpe.simulate(pulls, bandit, seed=seed, horizon=horizon)
    return rows


def figure_1_claims(frame: pd.DataFrame) -> list[study.Claim]:
    """What the paper says of ratios with a G-allocation, by support, from rows of looks."""
    runs = ["sets", "seed"]
    above = (frame.set_index(runs)[_RATIOS] > _LEAST).groupby(runs).mean()
    small = frame[frame["gap"] == frame["gap"].min()]
    parts = (small, small[small["t"] <= _HORIZON / 100], small[small["t"] > _HORIZON / 10])
    ratio, early, late = (part.groupby(runs)["sa-foa"].mean() for part in parts)
    about: dict[str, Any] = {"low": 0.95 - _ABOUT, "high": 0.95 + _ABOUT, "about": _ABOUT}
    return [
        *(study.claim(f"above-{n}", by_support(above[n]), ".0%", low=_ALWAYS) for n in _RATIOS),
        study.claim("about", by_support(ratio), ".3f", **about),
        study.claim("grows", by_support(late - early), "+.3f", low=0.0),
    ]


def by_support(values: pd.Series) -> dict[str, study.Interval]:
    """Means over runs."""
    return {f"{sets} sets:": study.mean_interval(each) for sets, each in values.groupby("sets")}


# Figure 2: time of the first 10,000 pulls, with a stopping test at the same looks for all.

_SIZES = (10, 12, 14, 16, 18, 20, 22, 24)
_PULLS = 10_000


def figure_2(settings: study.Settings) -> dict[str, Any]:
    """Seconds by the number of elements."""
    repeats = settings.choose(3, 10)
    tasks = [
        (size, size // 2, 0.1, name, 1.2, run_seed(settings.seed, run), _PULLS)
        for size in _SIZES
        for name in _GAP_LEARNERS
        for run in range(1 if name == "exhaustive" else repeats)
    ]
    labels = {"xlabel": "elements n (k = n/2)", "ylabel": "seconds of 10,000 pulls"}
    _, table, shown = by_learner(tasks, settings, "n", "seconds", **labels, yscale="log")
    return {"claims": ratio_claims("figure2-claims", table.tail(1)), "repeats": repeats, **shown}


def by_learner(
    tasks: Sequence[tuple[Any, ...]],
    settings: study.Settings,
    index: str,
    measured: str,
    **axes: Any,
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, Any]]:
    """Rows of runs, means by learner, and what a page shows of these."""
    frame = study.rows_of_tasks(samples, tasks, settings, [index, "algorithm", "seed"])
    table = frame.pivot_table(index=index, columns="algorithm", values=measured)
    shown = [(table, {"xticks": table.index, **axes})]
    picture = study.draw_panels(settings.file(".png"), shown, (5.4, 3.2))
    return frame, table, {"picture": picture, "means": study.Table(table)}


# Figure 3: samples against the gap.


def figure_3(settings: study.Settings) -> dict[str, Any]:
    """Samples until the algorithms stop."""
    gaps = settings.choose((0.1, 0.3, 1.0), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
    growth, runs = settings.choose(1.05, 1.01), settings.choose(10, 30)
    tasks = [
        (SIZE, CHOSEN, gap, name, growth, seed)
        for gap in gaps
        for seed in (run_seed(settings.seed, run) for run in range(runs))
        for name in _GAP_LEARNERS
    ]
    labels = {"xlabel": "gap between the best sets", "ylabel": "samples (means)"}
    scales = {"xscale": "log", "yscale": "log"}
    frame, means, shown = by_learner(tasks, settings, "gap", "samples", **labels, **scales)
    printed = frame[frame["algorithm"].isin(["saqm", "sa-foa"])]
    wrong, here = [printed["wrong"].mean()], f"wrong in {{}} of {len(printed)} runs"
    optimal = study.claim("optimal", wrong, ".1%", high=0.0, here=here)
    claims = [*ratio_claims("figure3-claims", means), optimal]
    return {"claims": claims, "runs": runs, "growth": growth, "more": growth - 1.0, **shown}


def samples(
    n: int, k: int, gap: float, name: str, growth: float, seed: int, most: int | None = None
) -> list[dict[str, Any]]:
    """One run, on the problem of its seed, cut off after so many pulls if they are given."""
    learner, parameters = _GAP_LEARNERS[name]
    bandit = cpe.planted_subsets(n, k, gap=gap, seed=seed)
    best = SubsetOracle(bandit.decisions).maximise(bandit.theta)
    told = {**parameters, "delta": DELTA, "growth": growth}
    trace = cpe.simulate(learner, bandit, seed=seed, max_samples=most, **told)
    row = {"n": n, "gap": gap, "algorithm": name, "seed": seed, "samples": trace.samples}
    return [{**row, "wrong": trace.answer != best, "seconds": trace.seconds}]


# Table 2: teams of crowdsourcing workers.

K, EPSILON = 10, 0.5


def table_2(settings: study.Settings) -> dict[str, Any]:
    """Samples until the best team."""
    folder = settings.needed("data") / "crowdsourcing"
    runs, growth, lines = settings.choose(2, 5), settings.choose(1.05, 1.01), []
    for bandit in [study.crowd(folder / name, K) for name in published().index]:
        best = cpe.best_subset(bandit.decisions, bandit.theta).value
        for algorithm, (learner, told) in _DECLARED["table2"].items():
            parameters = {"delta": DELTA, "margin": EPSILON, "growth": growth, **told}
            spec = cpe.LearnerSpec(learner, parameters, label=algorithm)
            columns = {"problem": bandit.name, "algorithm": algorithm}
            found = study.answers(spec, bandit, runs, settings, value=bandit.value, **columns)
            lines.append(found.assign(missing=best - found["value"]))
    frame = study.written(lines, settings, ["problem", "algorithm", "seed"])
    table, most = thousands(frame), frame.sort_values("samples").iloc[-1]
    sa_foa = frame[frame["algorithm"] == "sa-foa"].groupby("problem")["samples"]
    spread, longest = sa_foa.max() / sa_foa.min(), frame.groupby("problem")["seconds"].max()
    return {
        "claims": table_2_claims(frame),
        "runs": runs,
        "growth": growth,
        "more": growth - 1.0,
        "most": most["samples"],
        "seconds": most["seconds"],
        "teams": study.Table(table.assign(spread=spread, longest=longest)),
    }


def published() -> pd.DataFrame:
    """The published thousands of samples, as :func:`thousands` gives ours."""
    return pd.read_csv(study.PAGES / "kuroki2020-table2.csv", index_col="problem")


def thousands(frame: pd.DataFrame) -> pd.DataFrame:
    """Mean thousands of samples and the published ones: a row per set, a column per algorithm."""
    table = frame.pivot_table(index="problem", columns="algorithm", values="samples") / 1000
    return published().add_prefix("paper ").join(table)


def table_2_claims(frame: pd.DataFrame) -> list[study.Claim]:
    """The published samples and their order, from rows of runs."""
    worst, here = [frame["missing"].max()], f"at most {{}} below the best in {len(frame)} runs"
    optimal = study.claim("optimal", worst, ".2f", high=1e-9, here=here)
    return [*ratio_claims("table2-claims", thousands(frame)), optimal]


STUDIES = (
    study.Study("kuroki2020-figure1", "kuroki2020.py --figure 1", figure_1),
    study.Study("kuroki2020-figure2", "kuroki2020.py --figure 2", figure_2),
    study.Study("kuroki2020-figure3", "kuroki2020.py --figure 3", figure_3),
    study.Study("kuroki2020-table2", "kuroki2020.py --table 2", table_2),
)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
