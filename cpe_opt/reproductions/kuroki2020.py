"""Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020): figures 1 to 3, and table 2."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.formats.problems import load_problem
from cpe_opt.formulations.designs.optimal import g_design
from cpe_opt.formulations.designs.uniform import uniform_design
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.quadratic.maximise import ellipsoid_maximum
from cpe_opt.formulations.subsets.best_subset import best_subset
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.exhaustive import Enumeration
from cpe_opt.learners.subsets.sa_foa import first_order_gap_bound
from cpe_opt.learners.subsets.static_allocation import LeastSquaresFit, checked_aim, sample_until
from cpe_opt.problems.generators import planted_subsets
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.reproductions.claims import (
    Claim,
    errors_text,
    interval_claim,
    mean_interval,
    ratio_claim,
)
from cpe_opt.reproductions.figures import column_lines, draw_panels
from cpe_opt.reproductions.study import (
    PAGES,
    FrameTable,
    LearnerRuns,
    Settings,
    Study,
    declared,
    rows_in_parallel,
    rows_of_runs,
)
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd

SIZE, CHOSEN, DELTA = 10, 5, 0.05
_DECLARED = declared("kuroki2020")
_GAP_LEARNERS, PRINTED, CERTIFIED = (
    dict[str, tuple[str, dict[str, Any]]](_DECLARED[k]) for k in ("figure3", "printed", "certified")
)

# Figure 1: how near greedy peeling comes to the two maxima that the algorithms need.

_GAPS = (0.1, 1.0)
_HORIZON = 100_000
_SUPPORTS = (2, 5)  # random sets of a support, times n
_LEAST, _ALWAYS = 0.9, 0.95
_BINS = 8  # of a decade of rounds, in the picture
_ABOUT = 0.02  # of the ratio 0.95
_RATIOS = ("saqm", "sa-foa")


def _figure_1(settings: Settings) -> dict[str, Any]:
    runs, columns = settings.choose(15, 50), [*_RATIOS, *(f"{name} error" for name in _RATIOS)]
    tasks = [
        (SIZE, CHOSEN, gap, times * SIZE, seed)
        for gap in _GAPS
        for times in _SUPPORTS
        for seed in run_seeds(settings.seed, runs)
    ]
    frame = rows_in_parallel(_precision, tasks, settings, ["sets", "gap", "seed", "t"])
    return {
        "claims": figure_1_claims(frame),
        "runs": runs,
        "picture": _draw_precision(frame, settings.file(".png")),
        "means": FrameTable(frame.groupby(["sets", "gap"])[columns].mean()),
    }


def _precision(n: int, k: int, gap: float, sets: int, seed: int) -> list[dict[str, Any]]:
    """Ratios and errors at looks of one run."""
    bandit = planted_subsets(n, k, gap=gap, seed=seed)
    design = g_design(uniform_design(bandit.decisions, sets=sets, seed=seed).vectors)
    listing, rng, rows = Enumeration(bandit.decisions), np.random.default_rng(seed), []
    aim = checked_aim(bandit.decisions, 0.0, DELTA, 1.0, None)
    every = bandit.decisions.indicator_matrix()

    def note(look: LeastSquaresFit) -> bool:
        radius = aim.ellipsoid_radius(look.t, bandit.decisions)
        peeled = math.sqrt(ellipsoid_maximum(bandit.decisions, look.inverse, "peeling").value)
        largest = math.sqrt(quadratic_forms(every, look.inverse).max())
        true = look.value + max(0.0, listing.largest_gap_bound(look, radius))
        anchors = look.support[rng.integers(len(look.support), size=n)] > 0.5
        found = look.value + max(0.0, first_order_gap_bound(look, radius, anchors, "peeling"))
        ratios = {"saqm": peeled / largest, "sa-foa": found / true}
        errors = {"saqm error": radius * (largest - peeled), "sa-foa error": true - found}
        rows.append({"gap": gap, "sets": sets, "seed": seed, "t": look.t, **ratios, **errors})
        return False

    def pulls(decisions: DecisionClass, *, rng: np.random.Generator) -> Any:
        return sample_until(SubsetOracle(decisions), design, note, rng=rng, growth=1.1)

    simulate(pulls, bandit, seed=seed, horizon=_HORIZON)
    return rows


def figure_1_claims(frame: pd.DataFrame) -> list[Claim]:
    """What the paper says of ratios with a G-allocation, by support, from rows of looks."""
    above = (frame[list(_RATIOS)] > _LEAST).groupby([frame["sets"], frame["seed"]]).mean()
    small = frame[frame["gap"] == frame["gap"].min()].set_index(["sets", "seed"])

    def ratio(rows: pd.DataFrame) -> pd.Series:
        return rows["sa-foa"].groupby(["sets", "seed"]).mean()

    def by_support(values: pd.Series) -> dict[str, Any]:
        return {f"{sets} sets:": mean_interval(each) for sets, each in values.groupby("sets")}

    grown = ratio(small[small["t"] > _HORIZON / 10]) - ratio(small[small["t"] <= _HORIZON / 100])
    shares = {
        f"{sets} sets, {name}:": mean_interval(each[name])
        for sets, each in above.groupby("sets")
        for name in _RATIOS
    }
    about: dict[str, Any] = {"low": 0.95 - _ABOUT, "high": 0.95 + _ABOUT, "about": _ABOUT}
    return [
        interval_claim("above", shares, ".0%", low=_ALWAYS, between="; "),
        interval_claim("about", by_support(ratio(small)), ".3f", between="; ", **about),
        interval_claim("grows", by_support(grown), "+.3f", low=0.0, between="; "),
    ]


def _draw_precision(frame: pd.DataFrame, path: Path) -> Path:
    # Runs with supports of other sizes look at other rounds.
    rounds = 10.0 ** (np.round(np.log10(frame["t"]) * _BINS) / _BINS)
    columns = ["sets", "rounds", "gap"]
    long = frame.assign(rounds=rounds).melt(columns, list(_RATIOS), "name")
    long["line"] = long["name"] + ", gap " + long["gap"].map("{:g}".format)
    means = long.pivot_table(index=["sets", "rounds"], columns="line", values="value")
    axes = {"xscale": "log", "xlabel": "pulls", "ylabel": "approximation ratio (1: the maximum)"}
    shown = [
        (
            column_lines(part.droplevel("sets")),
            {**axes, "title": f"designs over {sets} random sets"},
        )
        for sets, part in means.groupby("sets")
    ]
    return draw_panels(path, shown, size=(8.6, 3.0))


# Figure 2: time of the first 10,000 pulls, with a stopping test at the same looks for all.

_SIZES = (10, 12, 14, 16, 18, 20, 22, 24)
_PULLS = 10_000


def _figure_2(settings: Settings) -> dict[str, Any]:
    repeats = settings.choose(3, 10)
    seeds = run_seeds(settings.seed, repeats)
    tasks = [
        (size, size // 2, 0.1, name, 1.2, seed, _PULLS)
        for size in _SIZES
        for name in _GAP_LEARNERS
        for seed in seeds[: 1 if name == "exhaustive" else repeats]
    ]
    labels = {"xlabel": "elements n (k = n/2)", "ylabel": "seconds of 10,000 pulls"}
    _, table, shown = _by_learner(tasks, settings, "n", "seconds", **labels, yscale="log")
    claims = [ratio_claim(table.tail(1), each) for each in _DECLARED["figure2-claims"]]
    return {"claims": claims, "repeats": repeats, **shown}


def _by_learner(
    tasks: Sequence[tuple[Any, ...]], settings: Settings, index: str, measured: str, **axes: Any
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, Any]]:
    """Rows of runs, means by learner, and what a page shows of these."""
    frame = rows_in_parallel(_samples, tasks, settings, [index, "algorithm", "seed"])
    table = frame.pivot_table(index=index, columns="algorithm", values=measured)
    shown = [(column_lines(table), {"xticks": table.index, **axes})]
    picture = draw_panels(settings.file(".png"), shown, size=(5.4, 3.2))
    return frame, table, {"picture": picture, "means": FrameTable(table)}


# Figure 3: samples against the gap.


def _figure_3(settings: Settings) -> dict[str, Any]:
    gaps = settings.choose((0.1, 0.3, 1.0), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
    growth, runs = settings.choose(1.05, 1.01), settings.choose(10, 30)
    tasks = [
        (SIZE, CHOSEN, gap, name, growth, seed)
        for gap in gaps
        for seed in run_seeds(settings.seed, runs)
        for name in _GAP_LEARNERS
    ]
    labels = {"xlabel": "gap between the best sets", "ylabel": "samples (means)"}
    scales = {"xscale": "log", "yscale": "log"}
    frame, _, shown = _by_learner(tasks, settings, "gap", "samples", **labels, **scales)
    claims, more = figure_3_claims(frame), growth - 1.0
    return {"claims": claims, "runs": runs, "growth": growth, "more": more, **shown}


def _samples(
    n: int, k: int, gap: float, name: str, growth: float, seed: int, most: int | None = None
) -> list[dict[str, Any]]:
    """One run, on the problem of its seed, cut off after so many pulls if they are given."""
    learner, parameters = _GAP_LEARNERS[name]
    bandit = planted_subsets(n, k, gap=gap, seed=seed)
    wrong = SubsetOracle(bandit.decisions).maximise(bandit.theta).__ne__
    told = {**parameters, "delta": DELTA, "growth": growth}
    trace = simulate(learner, bandit, seed=seed, max_samples=most, **told)
    measured = {"samples": trace.samples, "wrong": wrong(trace.answer), "seconds": trace.seconds}
    return [{"n": n, "gap": gap, "algorithm": name, "seed": seed, **measured}]


def figure_3_claims(frame: pd.DataFrame) -> list[Claim]:
    """Samples against Exhaustive's, and answers, from rows of runs."""
    table = frame.pivot_table(index="gap", columns="algorithm", values="samples")
    printed = frame[frame["algorithm"].isin(["saqm", "sa-foa"])]
    wrong, runs = int(printed["wrong"].sum()), len(printed)
    return [
        *(ratio_claim(table, each) for each in _DECLARED["figure3-claims"]),
        Claim("optimal", f"wrong in {errors_text(wrong, runs)}", wrong == 0),
    ]


# Table 2: teams of crowdsourcing workers.

K, EPSILON = 10, 0.5


def _table_2(settings: Settings) -> dict[str, Any]:
    sets = published().index
    folder = settings.needed_folder("crowdsourcing", [f"{name}/answer.csv" for name in sets])
    (runs, certified), growth = settings.choose((2, 1), (5, 5)), settings.choose(1.05, 1.01)
    wanted = {"delta": DELTA, "margin": EPSILON, "growth": growth}
    lines = [
        _runs_of(
            bandit, algorithm, times, LearnerSpec(learner, {**wanted, **told}, label=algorithm)
        )
        for bandit in (cast("SubsetBandit", load_problem(folder / name, K)) for name in sets)
        for algorithms, times in ((PRINTED, runs), (CERTIFIED, certified))
        for algorithm, (learner, told) in algorithms.items()
    ]
    frame = rows_of_runs(lines, settings, ["problem", "algorithm", "seed"])
    table, most = thousands(frame), frame.sort_values("samples").iloc[-1]
    sa_foa = frame[frame["algorithm"] == "sa-foa"].groupby("problem")["samples"]
    spread, longest = sa_foa.max() / sa_foa.min(), frame.groupby("problem")["seconds"].max()
    shown = table.assign(spread=spread, longest=longest)
    return {
        "claims": table_2_claims(frame),
        "runs": runs,
        "certified_runs": certified,
        "growth": growth,
        "more": growth - 1.0,
        "most": most["samples"],
        "seconds": most["seconds"],
        "teams": FrameTable(shown),
    }


def _runs_of(bandit: SubsetBandit, algorithm: str, runs: int, spec: LearnerSpec) -> LearnerRuns:
    """Runs, with what is missing to the best team."""
    best = best_subset(bandit.decisions, bandit.theta).value
    columns = {"problem": bandit.name, "algorithm": algorithm}

    def judge(team: tuple[int, ...]) -> dict[str, float]:
        return {"missing": best - bandit.value(team)}

    return LearnerRuns(columns, spec, bandit, runs, judge)


def published() -> pd.DataFrame:
    """The published thousands of samples, as :func:`thousands` gives ours."""
    import pandas as pd

    return pd.read_csv(PAGES / "kuroki2020-table2.csv", index_col="problem")


def thousands(frame: pd.DataFrame) -> pd.DataFrame:
    """Mean thousands of samples and the published ones: a row per set, a column per algorithm."""
    table = frame.pivot_table(index="problem", columns="algorithm", values="samples") / 1000
    return published().add_prefix("paper ").join(table)


def table_2_claims(frame: pd.DataFrame) -> list[Claim]:
    """The published samples and their order, from rows of runs."""
    printed = frame[frame["algorithm"].isin(list(PRINTED))]
    optimal = printed["missing"] < 1e-9
    text = (
        f"{int(optimal.sum())} of {len(printed)} runs, the others at most "
        f"{printed['missing'].max():.2f} below the best where epsilon is {EPSILON}"
    )
    return [
        *(ratio_claim(thousands(frame), each) for each in _DECLARED["table2-claims"]),
        Claim("optimal", text, bool(optimal.all())),
    ]


STUDIES = (
    Study("kuroki2020-figure1", _figure_1),
    Study("kuroki2020-figure2", _figure_2),
    Study("kuroki2020-figure3", _figure_3),
    Study("kuroki2020-table2", _table_2, needs="data"),
)
