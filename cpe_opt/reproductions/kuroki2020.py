"""Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020): figures 1 to 3, and table 2."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    INTERVALS,
    Claim,
    interval_claim,
    mean_interval,
    most_likely_failures,
    range_claim,
    share_interval,
    span,
)
from cpe_opt.reproductions.figures import named_lines, panels
from cpe_opt.reproductions.rows import LearnerRuns, rows_in_parallel, rows_of_runs
from cpe_opt.reproductions.study import Section, Settings, Study, frame_section
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd

PAPER = (
    "Kuroki, Xu, Miyauchi, Honda, Sugiyama, *Polynomial-time Algorithms for Multiple-arm "
    "Identification with Full-bandit Feedback*, 2020"
)
SIZE, CHOSEN, DELTA = 10, 5, 0.05
AS_PRINTED: dict[str, dict[str, Any]] = {
    "saqm": {"maximiser": "peeling", "approximation_ratio": 0.9},
    "sa-foa": {"maximiser": "peeling", "approximation_ratio": 1.0},
}

# Figure 1: how near greedy peeling comes to the two maxima that the algorithms need.

_GAPS = (0.1, 1.0)
_HORIZON = 100_000
_SUPPORTS = (2, 5)  # random sets of a support, times n
_LEAST, _ALWAYS = 0.9, 0.95
_BINS = 8  # of a decade of rounds, in the picture
_ABOUT = 0.02  # of the ratio 0.95
_RATIOS = ("saqm", "sa-foa")


def _figure_1(settings: Settings) -> pd.DataFrame:
    tasks = [
        (SIZE, CHOSEN, gap, times * SIZE, seed)
        for gap in _GAPS
        for times in _SUPPORTS
        for seed in run_seeds(settings.seed, settings.choose(15, 50))
    ]
    return rows_in_parallel(_precision, tasks, settings, ["sets", "gap", "seed", "t"])


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
    both = "for both supports, the 95 % intervals too"

    def by_support(values: pd.Series) -> dict[str, Any]:
        return {f"{sets} sets:": mean_interval(each) for sets, each in values.groupby("sets")}

    shares = {
        f"{sets} sets, {name}:": share_interval(each[name])
        for sets, each in above.groupby("sets")
        for name in _RATIOS
    }
    return [
        interval_claim(
            "with a G-allocation the approximation ratios are almost always greater than 0.9",
            f"in at least {_ALWAYS:.0%} of the looks, {both}",
            shares,
            ".0%",
            low=_ALWAYS,
            between="; ",
        ),
        interval_claim(
            "SA-FOA's ratio is about 0.95 for the small gap",
            f"the mean ratio is within {_ABOUT} of 0.95, {both}",
            by_support(small["sa-foa"].groupby(keys).mean()),
            ".3f",
            low=0.95 - _ABOUT,
            high=0.95 + _ABOUT,
            between="; ",
        ),
        interval_claim(
            "and grows with the rounds",
            "on the same runs it is larger in the last nine tenths of the rounds than in the first "
            f"hundredth, {both}",
            by_support(late - early),
            "+.3f",
            low=0.0,
            between="; ",
        ),
    ]


def _figure_1_sections(settings: Settings, frame: pd.DataFrame) -> list[Section]:
    runs, columns = settings.choose(15, 50), [*_RATIOS, *(f"{name} error" for name in _RATIOS)]
    return [
        Section("Ratios and errors", picture=_draw_precision(frame, settings.file(".png"))),
        frame_section(
            "Means",
            "Over all looks, which are evenly spaced on a log scale.",
            frame.groupby(["sets", "gap"])[columns].mean().reset_index(),
            "sets; gap; SAQM ratio = saqm : .4f; SA-FOA ratio = sa-foa : .4f; SAQM error = saqm "
            "error : .3g; SA-FOA error = sa-foa error : .3g",
        ),
        Section(
            "SAQM's ratio by the support",
            f"It depends on the design alone. Over {runs} random supports each, how often it "
            f"is above {_LEAST}, and its mean: with few sets the norms differ much, and "
            "peeling finds the largest less well.",
            (
                *("random sets", f"G-optimal over them: above {_LEAST}", "mean"),
                *(f"uniform: above {_LEAST}", "mean"),
            ),
            [[times * SIZE, *_design_ratios(times * SIZE, runs)] for times in (2, 3, 5, 10)],
        ),
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
    # Runs with supports of other sizes look at other rounds.
    rounds = 10.0 ** (np.round(np.log10(frame["t"]) * _BINS) / _BINS)
    labels = ("approximation ratio (1: the maximum)", "additive error of the maximum")
    lines: dict[Any, dict[str, Any]] = {}
    with panels(path, len(_SUPPORTS), 2, size=(12, 6.8), share=True) as axes:
        for column, (sets, rows) in enumerate(frame.groupby("sets")):
            ratio, error = axes[column], axes[len(_SUPPORTS) + column]
            ratio.set(xscale="log", title=f"G-optimal design over {sets} random sets")
            error.set_yscale("symlog", linthresh=0.01)
            error.set_xlabel("pulls")
            for axis, label, what in zip((ratio, error), labels, ("", " error"), strict=True):
                axis.set_ylabel(label if column == 0 else "")
                means = {
                    f"{name}, gap {gap:g}": runs[name + what].groupby(rounds).mean()
                    for gap, runs in rows.groupby("gap")
                    for name in _RATIOS
                }
                lines[axis] = {n: (m.index.to_numpy(), m.to_numpy()) for n, m in means.items()}
        named_lines(lines)
    return path


# Figure 2: time of one stopping test.

_SIZES = (10, 12, 14, 16, 18, 20, 22, 24)
_FAST = 100  # times Exhaustive's speed


def _figure_2(settings: Settings) -> pd.DataFrame:
    tasks = [(size, settings.choose(5, 20), settings.seed) for size in _SIZES]
    return rows_in_parallel(_timed, tasks, settings, ["n", "algorithm"])


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


def _figure_2_claims(frame: pd.DataFrame) -> list[Claim]:
    last = frame[frame["n"] == max(_SIZES)].set_index("algorithm")["seconds"]
    slowest, others = last["exhaustive"], last[["saqm", "sa-foa", "icb"]]
    times = (f"{n} {1000 * spent:.2f} ms ({slowest / spent:,.0f}x)" for n, spent in others.items())
    return [
        Claim(
            "Exhaustive is prohibitive for many sets, the others stay fast",
            f"at n = {max(_SIZES)} each of the others takes less than a {_FAST}th of "
            "Exhaustive's time",
            f"Exhaustive {slowest:.3g} s; {', '.join(times)}",
            bool((slowest > _FAST * others).all()),
        )
    ]


def _figure_2_sections(settings: Settings, frame: pd.DataFrame) -> list[Section]:
    table = frame.pivot_table(index="n", columns="algorithm", values="seconds")
    labels = {"xlabel": "elements n (k = n/2)", "ylabel": "seconds for one stopping test"}
    path = settings.file(".png")
    picture = _draw_columns(path, table, yscale="log", xticks=table.index, **labels)
    text = "*certified*: the tests with certified bounds."
    return [
        Section("Time", picture=picture),
        _columns("Milliseconds a round", text, 1000 * table, ".3g"),
    ]


def _draw_columns(path: Path, table: pd.DataFrame, **shown: Any) -> Path:
    """A line a column."""
    x = table.index.to_numpy()
    with panels(path, 1, size=(7.2, 4.4)) as (axes,):
        axes.set(**shown)
        named_lines({axes: {str(name): (x, y.to_numpy()) for name, y in table.items()}})
    return path


def _columns(title: str, text: str, table: pd.DataFrame, style: str) -> Section:
    """The table of a frame: its index, and each of its columns in one style."""
    columns = "; ".join([f"{table.index.name}", *(f"{name} : {style}" for name in table)])
    return frame_section(title, text, table.reset_index(), columns)


# Figure 3: samples against the gap.

_COMPARABLE = 2.0  # times Exhaustive's samples
_GAP_LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "saqm": ("saqm", AS_PRINTED["saqm"]),
    "sa-foa": ("sa-foa", AS_PRINTED["sa-foa"]),
    "icb": ("icb", {}),
    "exhaustive": ("exhaustive", {}),
    "saqm certified": ("saqm", {}),
    "sa-foa certified": ("sa-foa", {}),
}


def _figure_3(settings: Settings) -> pd.DataFrame:
    gaps = settings.choose((0.1, 0.3, 1.0), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
    growth = settings.choose(1.05, 1.01)
    tasks = [
        (gap, name, growth, seed)
        for gap in gaps
        for seed in run_seeds(settings.seed, settings.choose(10, 30))
        for name in _GAP_LEARNERS
    ]
    return rows_in_parallel(_samples, tasks, settings, ["gap", "algorithm", "seed"])


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
    wrong = int(printed["wrong"].sum())
    return [
        Claim(
            "the samples of SAQM and SA-FOA are comparable to those of Exhaustive",
            f"mean samples within a factor of {_COMPARABLE:g} of Exhaustive's at every gap",
            ", ".join(f"{name} {span(ratio[name], '.2g')} times" for name in ratio),
            bool(((ratio >= 1 / _COMPARABLE) & (ratio <= _COMPARABLE)).all(axis=None)),
        ),
        Claim(
            "our algorithms always output the optimal set",
            "no wrong answer in any run",
            f"{wrong} wrong in {len(printed)} runs: an error has a probability of at most "
            f"{most_likely_failures(wrong, len(printed)):.1%}, with confidence 95 %",
            wrong == 0,
        ),
    ]


def _figure_3_sections(settings: Settings, frame: pd.DataFrame) -> list[Section]:
    table = frame.pivot_table(index="gap", columns="algorithm", values="samples")
    labels = {"xlabel": "gap between the best sets", "ylabel": "samples (means)"}
    picture = _draw_columns(settings.file(".png"), table, xscale="log", yscale="log", **labels)
    return [Section("Samples", picture=picture), _columns("Mean samples", "", table, ",.0f")]


# Table 2: teams of crowdsourcing workers.

# Thousands of samples of ICB, SAQM and SA-FOA.
PUBLISHED = {
    "IT": (46_658, 68_328, 3_421),
    "Medicine": (73_337, 86_252, 3_493),
    "Chinese": (105_214, 110_504, 4_949),
    "Pokemon": (20_943, 91_423, 3_050),
    "English": (118_587, 131_512, 9_313),
    "Science": (362_558, 291_773, 15_611),
}
K, EPSILON = 10, 0.5
_NEAR = 0.2  # of a published number
_FAR_FEWER = 10.0  # times
_UNIFORM = {"design": "uniform"}
_SA_FOA = {**_UNIFORM, **AS_PRINTED["sa-foa"]}
PRINTED: dict[str, tuple[str, dict[str, Any]]] = {
    "icb": ("icb", _UNIFORM),
    "icb, Proposition 1": ("icb", {**_UNIFORM, "radius": "sets"}),
    "saqm": ("saqm", {**_UNIFORM, **AS_PRINTED["saqm"]}),
    "sa-foa": ("sa-foa", _SA_FOA),
    # It stops at half of its epsilon.
    "sa-foa, whole epsilon": ("sa-foa", {**_SA_FOA, "margin": 2.0 * EPSILON}),
}
CERTIFIED: dict[str, tuple[str, dict[str, Any]]] = {
    "icb, G": ("icb", {}),
    "saqm, G, certified": ("saqm", {}),
    "sa-foa, G, certified": ("sa-foa", {}),
}


def _table_2(settings: Settings) -> pd.DataFrame:
    folder = settings.needed_folder("crowdsourcing", [f"{name}/answer.csv" for name in PUBLISHED])
    runs, certified = settings.choose((2, 1), (5, 5))
    wanted = {"delta": DELTA, "margin": EPSILON, "growth": settings.choose(1.05, 1.01)}
    lines = [
        _runs_of(
            bandit, algorithm, times, LearnerSpec(learner, {**wanted, **told}, label=algorithm)
        )
        for bandit in (SubsetBandit.from_crowdsourcing(folder / name, K) for name in PUBLISHED)
        for algorithms, times in ((PRINTED, runs), (CERTIFIED, certified))
        for algorithm, (learner, told) in algorithms.items()
    ]
    return rows_of_runs(lines, settings, ["problem", "algorithm", "seed"])


def _runs_of(bandit: SubsetBandit, algorithm: str, runs: int, spec: LearnerSpec) -> LearnerRuns:
    """Runs, with what is missing to the best team."""
    best = best_subset(bandit.decisions, bandit.theta).value
    columns = {"problem": bandit.name, "algorithm": algorithm}

    def judge(team: tuple[int, ...]) -> dict[str, float]:
        return {"missing": best - bandit.value(team)}

    return LearnerRuns(columns, spec, bandit, runs, judge)


def _table_2_setting(settings: Settings, frame: pd.DataFrame) -> str:
    (runs, _), growth = settings.choose((2, 1), (5, 5)), settings.choose(1.05, 1.01)
    most = frame.sort_values("samples").iloc[-1]
    return (
        f"Teams of k = {K} workers, epsilon = {EPSILON}, delta = {DELTA}, sigma = k, mean of "
        f"{runs} runs, thousands of samples. The paper does not name the support of its uniform "
        "allocation; here it is 2n teams, drawn anew for every run: as many as tell all workers "
        "apart, and random ones. SAQM with greedy peeling and the ratio 0.9, SA-FOA with greedy "
        f"peeling and n anchors. {_grid(growth)} {most['samples']:,} pulls, the most of a run, "
        f"took {most['seconds']:.0f} s."
    )


def _grid(growth: float) -> str:
    return (
        f"Learners look on a grid of ratio {growth:g}: samples are up to {growth - 1:.0%} more "
        "than at looks in every round."
    )


def published() -> pd.DataFrame:
    """The published thousands of samples, as :func:`thousands` gives ours."""
    import pandas as pd

    return pd.DataFrame(PUBLISHED, ["icb", "saqm", "sa-foa"]).T


def thousands(frame: pd.DataFrame) -> pd.DataFrame:
    """Mean thousands of samples: one row per set, one column per algorithm."""
    table = frame.pivot_table(index="problem", columns="algorithm", values="samples") / 1000
    return table.loc[list(PUBLISHED)]


def table_2_claims(frame: pd.DataFrame) -> list[Claim]:
    """The published samples and their order, from rows of runs."""
    table = thousands(frame)
    printed = frame[frame["algorithm"].isin(list(PRINTED))]
    optimal = printed["missing"] < 1e-9
    paper = published()
    fewer = span(paper["saqm"] / paper["sa-foa"], ".0f")
    lemma_1 = span(table["sa-foa"] / table["icb"], ".1f")
    more = float(np.nextafter(1.0, 2.0))
    return [
        *(
            range_claim(
                samples,
                f"mean samples within {_NEAR:.0%} of the published ones on every set",
                table[algorithm] / paper[algorithm.split(",", maxsplit=1)[0]],
                ".2f",
                low=1.0 - _NEAR,
                high=1.0 + _NEAR,
                here="{} times the published ones",
            )
            for samples, algorithm in (
                ("SAQM's samples", "saqm"),
                ("ICB's samples, with the radius of Proposition 1", "icb, Proposition 1"),
                ("ICB's samples, with that of its own Lemma 1", "icb"),
                ("SA-FOA's samples, stopping at ε/2 as printed", "sa-foa"),
                ("SA-FOA's samples, stopping at ε", "sa-foa, whole epsilon"),
            )
        ),
        range_claim(
            f"SA-FOA needs far fewer samples than SAQM ({fewer} times fewer in the paper)",
            f"at least {_FAR_FEWER:.0f} times fewer on every set",
            table["saqm"] / table["sa-foa"],
            low=_FAR_FEWER,
        ),
        range_claim(
            "and fewer than ICB",
            "fewer mean samples on every set, both with the radius of Proposition 1",
            table["icb, Proposition 1"] / table["sa-foa"],
            low=more,
            here=f"{{}} times fewer; with Lemma 1's ICB needs {lemma_1} times fewer than SA-FOA",
        ),
        Claim(
            "all three found the optimal set of workers",
            "every answer of every run is optimal",
            f"{int(optimal.sum())} of {len(printed)} runs, the others at most "
            f"{printed['missing'].max():.2f} below the best where epsilon is {EPSILON}",
            bool(optimal.all()),
        ),
        range_claim(
            "(not in the paper) the optimal design and certified maximisers need fewer samples "
            "than the printed SAQM",
            "fewer mean samples on every set",
            table["saqm"] / table["saqm, G, certified"],
            low=more,
        ),
    ]


def _table_2_sections(settings: Settings, frame: pd.DataFrame) -> list[Section]:
    table, certified = thousands(frame), settings.choose((2, 1), (5, 5))[1]
    sa_foa = frame[frame["algorithm"] == "sa-foa"].groupby("problem")["samples"]
    spread, longest = sa_foa.max() / sa_foa.min(), frame.groupby("problem")["seconds"].max()
    shown = table.join(published().add_prefix("paper ")).assign(spread=spread, longest=longest)
    shown = shown.reset_index(names="problem")
    return [
        frame_section(
            "As in the paper",
            "ICB with the radius C_t of its Lemma 1 and with that of Proposition 1, which is "
            "SAQM's and SA-FOA's; SA-FOA stopping at ε/2, as printed, and at ε. *spread* is the "
            "largest of the runs on a set over the smallest.",
            shown,
            "= problem; ICB: paper = paper icb : ,.0f; Lemma 1 = icb : ,.0f; Proposition 1 = "
            "icb, Proposition 1 : ,.0f; SAQM: paper = paper saqm : ,.0f; here = saqm : ,.0f; "
            "SA-FOA: paper = paper sa-foa : ,.0f; ε/2 = sa-foa : ,.0f; spread : .1f; ε = "
            "sa-foa, whole epsilon : ,.0f",
        ),
        frame_section(
            "With the optimal design and certified maximisers",
            "The G-optimal design by the cyclic construction; SAQM and SA-FOA with certified upper "
            f"bounds, so that every answer has its guarantee. Runs of each: {certified}.",
            shown,
            "= problem; ICB = icb, G : ,.0f; SAQM = saqm, G, certified : ,.0f; SA-FOA = sa-foa, "
            "G, certified : ,.0f; seconds of the longest run = longest : .1f",
        ),
    ]


STUDIES = (
    Study(
        "kuroki2020-figure1",
        "Approximation of the maxima by greedy peeling: figure 1",
        f"{PAPER}, figure 1",
        measure=_figure_1,
        setting=lambda settings, frame: (
            f"n = {SIZE}, k = {CHOSEN}, gaps {', '.join(map(str, _GAPS))}, "
            f"{settings.choose(15, 50)} random problems each, {_HORIZON:,} pulls, sigma = k. For "
            "SAQM the norm of peeling's set over the largest one; for SA-FOA its Z' over that of "
            "enumeration (both with the best set among them). The paper's allocation is a "
            "G-allocation over a support that it does not name. Here it is the G-optimal design "
            f"over {' and '.join(str(m * SIZE) for m in _SUPPORTS)} random sets, drawn anew for "
            "every problem; over all sets every norm is equal, and a ratio of norms says nothing. "
            f"{INTERVALS}"
        ),
        claims=figure_1_claims,
        sections=_figure_1_sections,
    ),
    Study(
        "kuroki2020-figure2",
        "Run time of a round: figure 2",
        f"{PAPER}, figure 2",
        measure=_figure_2,
        setting=lambda settings, frame: (
            "k = n/2, planted problems with gap 0.1, uniform design over 2n random sets; median of "
            f"{settings.choose(5, 20)} stopping tests at one look, the estimate included. The "
            "algorithms of this package look on a grid of rounds only, 70 times for every doubling."
        ),
        claims=_figure_2_claims,
        sections=_figure_2_sections,
    ),
    Study(
        "kuroki2020-figure3",
        "Samples against the gap: figure 3",
        f"{PAPER}, figure 3",
        measure=_figure_3,
        setting=lambda settings, frame: (
            f"n = {SIZE}, k = {CHOSEN}, {settings.choose(10, 30)} random problems a gap, delta = "
            f"{DELTA}, epsilon = 0, sigma = k, G-optimal design. *saqm* and *sa-foa* are the "
            "paper's, with greedy peeling and the ratio 0.9; *certified* ones have certified "
            f"bounds on the maxima in its place. {_grid(settings.choose(1.05, 1.01))}"
        ),
        claims=figure_3_claims,
        sections=_figure_3_sections,
    ),
    Study(
        "kuroki2020-table2",
        "Samples on crowdsourcing data: table 2",
        f"{PAPER}, table 2",
        measure=_table_2,
        setting=_table_2_setting,
        claims=table_2_claims,
        sections=_table_2_sections,
        needs="data",
    ),
)
