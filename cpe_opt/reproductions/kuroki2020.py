"""Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020): figures 1 to 3, and table 2."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.formulations.designs.design import Design
from cpe_opt.formulations.designs.optimal import g_design
from cpe_opt.formulations.designs.uniform import uniform_design
from cpe_opt.formulations.quadratic.bounds import spectral_bound
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.quadratic.maximise import ellipsoid_maximum
from cpe_opt.formulations.subsets.best_subset import best_subset
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.exhaustive import Enumeration
from cpe_opt.learners.subsets.icb import largest_gap_bound
from cpe_opt.learners.subsets.sa_foa import certified_gap_bound, first_order_gap_bound
from cpe_opt.learners.subsets.static_allocation import LeastSquaresFit, checked_aim, sample_until
from cpe_opt.problems.generators import planted_subsets
from cpe_opt.problems.queries import PullSets
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.reproductions.claims import (
    Claim,
    interval_claim,
    mean_interval,
    most_likely_failures,
    range_claim,
    share_interval,
    span,
)
from cpe_opt.reproductions.figures import Shown, draw_panels
from cpe_opt.reproductions.rows import LearnerRuns, rows_in_parallel, rows_of_runs
from cpe_opt.reproductions.study import PAGES, PageTable, Settings, Study, declared, frame_table
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd

SIZE, CHOSEN, DELTA = 10, 5, 0.05
_Lines: TypeAlias = Mapping[str, tuple[str, dict[str, Any]]]
_DECLARED: Mapping[str, _Lines] = declared("kuroki2020")
_GAP_LEARNERS, PRINTED, CERTIFIED = (_DECLARED[k] for k in ("figure3", "printed", "certified"))

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
        "n": SIZE,
        "k": CHOSEN,
        "horizon": _HORIZON,
        "runs": runs,
        "supports": " and ".join(str(m * SIZE) for m in _SUPPORTS),
        "picture": _draw_precision(frame, settings.file(".png")),
        "means": frame_table(
            frame.groupby(["sets", "gap"])[columns].mean().reset_index(),
            "sets; gap; SAQM ratio = saqm : .4f; SA-FOA ratio = sa-foa : .4f; SAQM error = saqm "
            "error : .3g; SA-FOA error = sa-foa error : .3g",
        ),
        "designs": PageTable(
            (
                *("random sets", f"G-optimal over them: above {_LEAST}", "mean"),
                *(f"uniform: above {_LEAST}", "mean"),
            ),
            [[times * SIZE, *_design_ratios(times * SIZE, runs)] for times in (2, 3, 5, 10)],
        ),
    }


def _precision(n: int, k: int, gap: float, sets: int, seed: int) -> list[dict[str, Any]]:
    """Ratios and errors at looks of one run."""
    bandit = planted_subsets(n, k, gap=gap, seed=seed)
    design = g_design(uniform_design(bandit.decisions, sets=sets, seed=seed).vectors)
    listing, rng, rows = Enumeration(bandit.decisions), np.random.default_rng(seed), []
    aim = checked_aim(bandit.decisions, 0.0, DELTA, 1.0, None)

    def note(look: LeastSquaresFit) -> bool:
        radius = aim.ellipsoid_radius(look.t, bandit.decisions)
        (peeled,), (largest,) = _norms([look.inverse], bandit.decisions)
        true = look.value + max(0.0, listing.largest_gap_bound(look, radius))
        anchors = look.support[rng.integers(len(look.support), size=n)] > 0.5
        found = look.value + max(0.0, first_order_gap_bound(look, radius, anchors, "peeling"))
        ratios = {"saqm": peeled / largest, "sa-foa": found / true}
        errors = {"saqm error": radius * (largest - peeled), "sa-foa error": true - found}
        rows.append({"gap": gap, "sets": sets, "seed": seed, "t": look.t, **ratios, **errors})
        return False

    _pull(bandit, design, note, growth=1.1, seed=seed, horizon=_HORIZON)
    return rows


def _pull(
    bandit: SubsetBandit,
    design: Design,
    stop: Callable[[LeastSquaresFit], bool],
    *,
    growth: float,
    seed: int,
    horizon: int | None = None,
) -> None:
    """Pull the design's sets until ``stop`` says so at a look."""

    def learner(
        decisions: DecisionClass, *, rng: np.random.Generator
    ) -> Generator[PullSets, FloatArray, tuple[int, ...]]:
        oracle = SubsetOracle(decisions)
        return (yield from sample_until(oracle, design, stop, rng=rng, growth=growth))

    simulate(learner, bandit, horizon=horizon, seed=seed)


def _norms(inverses: Iterable[FloatArray], decisions: DecisionClass) -> FloatArray:
    """The norm of the set that peeling finds by each matrix, and the largest of all sets."""
    every = decisions.indicator_matrix()
    squares = [
        (ellipsoid_maximum(decisions, each, "peeling").value, quadratic_forms(every, each).max())
        for each in inverses
    ]
    return np.sqrt(squares).T


def figure_1_claims(frame: pd.DataFrame) -> list[Claim]:
    """What the paper says of ratios with a G-allocation, by support, from rows of looks."""
    above = (frame[list(_RATIOS)] > _LEAST).groupby([frame["sets"], frame["seed"]]).mean()
    small = frame[frame["gap"] == frame["gap"].min()]
    keys = [small["sets"], small["seed"]]
    late = small["sa-foa"].where(small["t"] > _HORIZON / 10).groupby(keys).mean()
    early = small["sa-foa"].where(small["t"] <= _HORIZON / 100).groupby(keys).mean()

    def by_support(values: pd.Series) -> dict[str, Any]:
        return {f"{sets} sets:": mean_interval(each) for sets, each in values.groupby("sets")}

    shares = {
        f"{sets} sets, {name}:": share_interval(each[name])
        for sets, each in above.groupby("sets")
        for name in _RATIOS
    }
    about: dict[str, Any] = {"low": 0.95 - _ABOUT, "high": 0.95 + _ABOUT, "about": _ABOUT}
    mean = by_support(small["sa-foa"].groupby(keys).mean())
    return [
        interval_claim("above", shares, ".0%", low=_ALWAYS, between="; "),
        interval_claim("about", mean, ".3f", between="; ", **about),
        interval_claim("grows", by_support(late - early), "+.3f", low=0.0, between="; "),
    ]


def _design_ratios(sets: int, runs: int) -> list[str]:
    """How often SAQM's ratio is large, and its mean, where pulls have exactly a design's shares."""
    decisions, texts = TopK(SIZE, CHOSEN), []
    uniform = [uniform_design(decisions, sets=sets, seed=seed) for seed in range(runs)]
    for designs in ([g_design(each.vectors) for each in uniform], uniform):
        inverses = (np.asarray(np.linalg.inv(each.information)) for each in designs)
        ratios = np.divide(*_norms(inverses, decisions))
        texts += [f"{(ratios > _LEAST).mean():.0%}", f"{ratios.mean():.3f}"]
    return texts


def _draw_precision(frame: pd.DataFrame, path: Path) -> Path:
    from matplotlib.scale import SymmetricalLogScale

    # Runs with supports of other sizes look at other rounds.
    rounds = 10.0 ** (np.round(np.log10(frame["t"]) * _BINS) / _BINS)
    error: dict[str, Any] = {"yscale": SymmetricalLogScale(None, linthresh=0.01), "xlabel": "pulls"}
    shown: list[Shown] = []
    for what, label in (
        ("", "approximation ratio (1: the maximum)"),
        (" error", "additive error of the maximum"),
    ):
        for column, (sets, rows) in enumerate(frame.groupby("sets")):
            title = {"xscale": "log", "title": f"G-optimal design over {sets} random sets"}
            means = {
                f"{name}, gap {gap:g}": runs[name + what].groupby(rounds).mean()
                for gap, runs in rows.groupby("gap")
                for name in _RATIOS
            }
            lines = {n: (m.index.to_numpy(), m.to_numpy()) for n, m in means.items()}
            axes = {**(error if what else title), "ylabel": "" if column else label}
            shown.append((lines, {}, axes))
    return draw_panels(path, shown, 2, size=(12, 6.8), share=True)


# Figure 2: time of one stopping test.

_SIZES = (10, 12, 14, 16, 18, 20, 22, 24)
_FAST = 100  # times Exhaustive's speed


def _figure_2(settings: Settings) -> dict[str, Any]:
    repeats = settings.choose(5, 20)
    tasks = [(size, repeats, settings.seed) for size in _SIZES]
    frame = rows_in_parallel(_timed, tasks, settings, ["n", "algorithm"])
    table = frame.pivot_table(index="n", columns="algorithm", values="seconds")
    slowest, others = table["exhaustive"].iloc[-1], table[["saqm", "sa-foa", "icb"]].iloc[-1]
    times = (f"{n} {1000 * spent:.2f} ms ({slowest / spent:,.0f}x)" for n, spent in others.items())
    text, fast = f"Exhaustive {slowest:.3g} s; {', '.join(times)}", (slowest > _FAST * others).all()
    labels = {"xlabel": "elements n (k = n/2)", "ylabel": "seconds for one stopping test"}
    axes = {"yscale": "log", "xticks": table.index, **labels}
    return {
        "claims": [Claim("fast", text, bool(fast), {"n": max(_SIZES), "fast": _FAST})],
        "repeats": repeats,
        "picture": _draw_columns(settings.file(".png"), table, **axes),
        "times": _columns(1000 * table, ".3g"),
    }


def _timed(size: int, repeats: int, seed: int) -> list[dict[str, Any]]:
    bandit = planted_subsets(size, size // 2, gap=0.1, seed=seed)
    decisions, rng = bandit.decisions, np.random.default_rng(seed)
    aim, oracle = checked_aim(decisions, 0.0, DELTA, 1.0, None), SubsetOracle(decisions)
    listing, looks = Enumeration(decisions), list[LeastSquaresFit]()

    def stop(look: LeastSquaresFit) -> bool:
        looks.append(look)
        return look.t >= 10_000

    _pull(bandit, uniform_design(decisions, seed=0), stop, growth=2.0, seed=seed)
    look = looks[-1]
    radius = aim.ellipsoid_radius(look.t, decisions)

    def anchors() -> Any:
        return look.support[rng.integers(len(look.support), size=size)] > 0.5

    def other() -> object:
        return oracle.maximise_other(look.theta, look.best)

    spectral = (look.inverse, decisions.rank, np.zeros(size))
    tests: dict[str, Callable[[], object]] = {
        "saqm": lambda: (ellipsoid_maximum(decisions, look.inverse, "peeling"), other()),
        "saqm certified": lambda: (spectral_bound(*spectral, steps=2), other()),
        "sa-foa": lambda: first_order_gap_bound(look, radius, anchors(), "peeling"),
        "sa-foa certified": lambda: certified_gap_bound(look, radius),
        "icb": lambda: largest_gap_bound(look, radius, oracle),
        "exhaustive": lambda: listing.largest_gap_bound(look, radius),
    }
    rows = []
    for name, test in tests.items():
        spent = []
        for _ in range(1 if name == "exhaustive" else repeats):
            started = time.perf_counter()
            np.linalg.inv(look.inverse)
            test()
            spent.append(time.perf_counter() - started)
        rows.append({"n": size, "algorithm": name, "seconds": float(np.median(spent))})
    return rows


def _draw_columns(path: Path, table: pd.DataFrame, **shown: Any) -> Path:
    """A line a column."""
    lines = {str(name): (table.index.to_numpy(), y.to_numpy()) for name, y in table.items()}
    return draw_panels(path, [(lines, {}, shown)], size=(7.2, 4.4))


def _columns(table: pd.DataFrame, style: str) -> PageTable:
    """Of a frame: its index, and each of its columns in one style."""
    columns = "; ".join([f"{table.index.name}", *(f"{name} : {style}" for name in table)])
    return frame_table(table.reset_index(), columns)


# Figure 3: samples against the gap.

_COMPARABLE = 2.0  # times Exhaustive's samples


def _figure_3(settings: Settings) -> dict[str, Any]:
    gaps = settings.choose((0.1, 0.3, 1.0), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
    growth, runs = settings.choose(1.05, 1.01), settings.choose(10, 30)
    tasks = [
        (gap, name, growth, seed)
        for gap in gaps
        for seed in run_seeds(settings.seed, runs)
        for name in _GAP_LEARNERS
    ]
    frame = rows_in_parallel(_samples, tasks, settings, ["gap", "algorithm", "seed"])
    table = frame.pivot_table(index="gap", columns="algorithm", values="samples")
    labels = {"xlabel": "gap between the best sets", "ylabel": "samples (means)"}
    axes = {"xscale": "log", "yscale": "log", **labels}
    return {
        "claims": figure_3_claims(frame),
        "n": SIZE,
        "k": CHOSEN,
        "runs": runs,
        "growth": growth,
        "more": growth - 1.0,
        "picture": _draw_columns(settings.file(".png"), table, **axes),
        "samples": _columns(table, ",.0f"),
    }


def _samples(gap: float, name: str, growth: float, seed: int) -> list[dict[str, Any]]:
    """One run, on the problem of its seed."""
    learner, parameters = _GAP_LEARNERS[name]
    bandit = planted_subsets(SIZE, CHOSEN, gap=gap, seed=seed)
    wrong = SubsetOracle(bandit.decisions).maximise(bandit.theta).__ne__
    trace = simulate(learner, bandit, seed=seed, delta=DELTA, growth=growth, **parameters)
    measured = {"samples": trace.samples, "wrong": wrong(trace.answer), "seconds": trace.seconds}
    return [{"gap": gap, "algorithm": name, "seed": seed, **measured}]


def figure_3_claims(frame: pd.DataFrame) -> list[Claim]:
    """Samples against Exhaustive's, and answers, from rows of runs."""
    table = frame.pivot_table(index="gap", columns="algorithm", values="samples")
    ratio = table[["saqm", "sa-foa"]].div(table["exhaustive"], axis=0)
    printed = frame[frame["algorithm"].isin(list(ratio))]
    wrong, runs = int(printed["wrong"].sum()), len(printed)
    near = ((ratio >= 1 / _COMPARABLE) & (ratio <= _COMPARABLE)).all(axis=None)
    times = ", ".join(f"{name} {span(ratio[name], '.2g')} times" for name in ratio)
    most = f"{most_likely_failures(wrong, runs):.1%}, with confidence 95 %"
    errors = f"{wrong} wrong in {runs} runs: an error has a probability of at most {most}"
    return [
        Claim("comparable", times, bool(near), {"factor": _COMPARABLE}),
        Claim("optimal", errors, wrong == 0),
    ]


# Table 2: teams of crowdsourcing workers.

K, EPSILON = 10, 0.5
_NEAR = 0.2  # of a published number
_FAR_FEWER = 10.0  # times


def _table_2(settings: Settings) -> dict[str, Any]:
    sets = published().index
    folder = settings.needed_folder("crowdsourcing", [f"{name}/answer.csv" for name in sets])
    (runs, certified), growth = settings.choose((2, 1), (5, 5)), settings.choose(1.05, 1.01)
    wanted = {"delta": DELTA, "margin": EPSILON, "growth": growth}
    lines = [
        _runs_of(
            bandit, algorithm, times, LearnerSpec(learner, {**wanted, **told}, label=algorithm)
        )
        for bandit in (SubsetBandit.from_crowdsourcing(folder / name, K) for name in sets)
        for algorithms, times in ((PRINTED, runs), (CERTIFIED, certified))
        for algorithm, (learner, told) in algorithms.items()
    ]
    frame = rows_of_runs(lines, settings, ["problem", "algorithm", "seed"])
    table, most = thousands(frame), frame.sort_values("samples").iloc[-1]
    sa_foa = frame[frame["algorithm"] == "sa-foa"].groupby("problem")["samples"]
    spread, longest = sa_foa.max() / sa_foa.min(), frame.groupby("problem")["seconds"].max()
    shown = table.join(published().add_prefix("paper ")).assign(spread=spread, longest=longest)
    shown = shown.reset_index(names="problem")
    return {
        "claims": table_2_claims(frame),
        "k": K,
        "epsilon": EPSILON,
        "runs": runs,
        "certified_runs": certified,
        "growth": growth,
        "more": growth - 1.0,
        "most": most["samples"],
        "seconds": most["seconds"],
        "printed": frame_table(
            shown,
            "= problem; ICB: paper = paper icb : ,.0f; Lemma 1 = icb : ,.0f; Proposition 1 = "
            "icb, Proposition 1 : ,.0f; SAQM: paper = paper saqm : ,.0f; here = saqm : ,.0f; "
            "SA-FOA: paper = paper sa-foa : ,.0f; ε/2 = sa-foa : ,.0f; spread : .1f; ε = "
            "sa-foa, whole epsilon : ,.0f",
        ),
        "certified": frame_table(
            shown,
            "= problem; ICB = icb, G : ,.0f; SAQM = saqm, G, certified : ,.0f; SA-FOA = sa-foa, "
            "G, certified : ,.0f; seconds of the longest run = longest : .1f",
        ),
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
    """Mean thousands of samples: one row per set, one column per algorithm."""
    table = frame.pivot_table(index="problem", columns="algorithm", values="samples") / 1000
    return table.loc[published().index]


def table_2_claims(frame: pd.DataFrame) -> list[Claim]:
    """The published samples and their order, from rows of runs."""
    table, paper = thousands(frame), published()
    printed = frame[frame["algorithm"].isin(list(PRINTED))]
    optimal = printed["missing"] < 1e-9
    lemma_1 = span(table["sa-foa"] / table["icb"], ".1f")
    found = [
        range_claim(
            "near",
            table[algorithm] / paper[algorithm.split(",", maxsplit=1)[0]],
            ".2f",
            low=1.0 - _NEAR,
            high=1.0 + _NEAR,
            here="{} times the published ones",
            samples=samples,
            near=_NEAR,
        )
        for samples, algorithm in (
            ("SAQM's samples", "saqm"),
            ("ICB's samples, with the radius of Proposition 1", "icb, Proposition 1"),
            ("ICB's samples, with that of its own Lemma 1", "icb"),
            ("SA-FOA's samples, stopping at ε/2 as printed", "sa-foa"),
            ("SA-FOA's samples, stopping at ε", "sa-foa, whole epsilon"),
        )
    ]
    fewer, more = span(paper["saqm"] / paper["sa-foa"], ".0f"), float(np.nextafter(1.0, 2.0))
    here = f"{{}} times fewer; with Lemma 1's ICB needs {lemma_1} times fewer than SA-FOA"
    icb, saqm = (table[name] / table["sa-foa"] for name in ("icb, Proposition 1", "saqm"))
    text = (
        f"{int(optimal.sum())} of {len(printed)} runs, the others at most "
        f"{printed['missing'].max():.2f} below the best where epsilon is {EPSILON}"
    )
    return [
        *found,
        range_claim("far-fewer", saqm, low=_FAR_FEWER, fewer=fewer),
        range_claim("fewer", icb, low=more, here=here),
        Claim("optimal", text, bool(optimal.all())),
        range_claim("certified", table["saqm"] / table["saqm, G, certified"], low=more),
    ]


STUDIES = (
    Study("kuroki2020-figure1", _figure_1),
    Study("kuroki2020-figure2", _figure_2),
    Study("kuroki2020-figure3", _figure_3),
    Study("kuroki2020-table2", _table_2, needs="data"),
)
