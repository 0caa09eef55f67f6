"""Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015): figures 1 and 3; figure 2 is in ``many_arms``."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.experiments.parallel import in_parallel
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.experiments.runs import RegretCurve, write_parquet
from cpe_opt.formulations.dueling.voting import (
    von_neumann_winner,
)
from cpe_opt.hardness.dueling import copeland_hardness
from cpe_opt.learners.dueling.elimination import at_any_time
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.generators import cycle_and_chain
from cpe_opt.reports.curves import Panel, plot_panels
from cpe_opt.reports.drawing import save
from cpe_opt.reproductions.page import Claim, Page, Section
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import Interval, all_hold
from cpe_opt.reproductions.studies import (
    INTERVALS,
    LINEAR,
    Outcome,
    Study,
    regrets_at_the_horizon,
    run_studies,
)

if TYPE_CHECKING:
    import pandas as pd


PAPER = "Zoghi, Karnin, Whiteson, de Rijke, *Copeland Dueling Bandits*, NIPS 2015"
_TOLD_THE_HORIZON = ("savage", "pbr", "rankel")
_INDEPENDENT = (
    "SAVAGE, PBR and RankEl are told the horizon; as in the paper their markers are experiments of "
    "their own, one for each horizon. "
    f"Regret is the sum of the two arms' losses, twice their mean. {INTERVALS}"
)
_SLIGHT = 1.25  # an advantage of at most a quarter


def figure_1(settings: Settings) -> Page:
    """Regret on five rankers without a Condorcet winner."""
    horizon, runs, of_ccb, slow = settings.choose((10**7, 10, 5, 3), (10**8, 100, 100, 4))
    study = Study(
        load_instance("mslr5-cycle"),
        [LearnerSpec(name) for name in ("ccb", "scb", "savage", "pbr", "rankel", "rucb", "rmed1")]
        + [LearnerSpec("ecw-rmed")],
        horizon,
        runs,
        units="sum",
        fewer={"ccb": of_ccb, "rucb": slow, "rmed1": slow},
        horizons=dict.fromkeys(_TOLD_THE_HORIZON, _earlier(horizon)),
        bounds=False,
    )
    (outcome,) = run_studies([study], settings)
    return Page(
        settings.name,
        "Regret on five rankers without a Condorcet winner: figure 1",
        f"{PAPER}, figure 1",
        settings.command,
        f"T = {horizon:,}, {runs} runs; of CCB {of_ccb}, of RUCB and RMED1, which never idle here, "
        f"{slow}. {_INDEPENDENT} RMED1 and ECW-RMED are not in the paper's figure.",
        claims_of_figure_1(outcome),
        [
            Section(
                "Regret",
                picture=plot_panels([outcome.panel()], settings.file(".png"), units="sum"),
            ),
            regrets_at_the_horizon([outcome]),
        ],
        settings.quick,
    )


def claims_of_figure_1(outcome: Outcome) -> list[Claim]:
    """What the paper says of five rankers without a Condorcet winner."""
    others = ("scb", *_TOLD_THE_HORIZON, "rucb")
    linear, sublinear = ("rucb", "rmed1"), ("ccb", "scb", "ecw-rmed")
    return [
        Claim(
            "CCB outperforms SCB, SAVAGE, PBR, RankEl and RUCB",
            "the 95 % interval of each difference of means is on CCB's side",
            ", ".join(f"{n} {outcome.mean(n).text()}" for n in ("ccb", *others)),
            all_hold(outcome.less("ccb", name) for name in others),
        ),
        Claim(
            "RUCB's regret is linear (and so is RMED1's, not in the figure)",
            f"growth above {LINEAR}, the interval too",
            ", ".join(f"growth of {n} {outcome.growth(n).text('.2f')}" for n in linear),
            all_hold(outcome.is_linear(name) for name in linear),
        ),
        Claim(
            "CCB and SCB have no linear regret (nor has ECW-RMED)",
            f"growth below {LINEAR}, the interval too",
            ", ".join(f"growth of {n} {outcome.growth(n).text('.2f')}" for n in sublinear),
            all_hold(outcome.is_not_linear(name) for name in sublinear),
        ),
    ]


def figure_3(settings: Settings) -> Page:
    """Regret on five rankers with a Condorcet winner."""
    horizon, runs, others = settings.choose((10**7, 200, 50), (10**8, 1000, 200))
    earlier = _earlier(horizon)
    study = Study(
        load_instance("mslr5-condorcet"),
        [LearnerSpec(name) for name in ("ccb", "rucb", "pbr", "rankel")],
        horizon,
        runs,
        units="sum",
        fewer={"pbr": others, "rankel": others},
        horizons={"pbr": earlier, "rankel": earlier},
        bounds=False,
    )
    (outcome,) = run_studies([study], settings)
    return Page(
        settings.name,
        "Regret on five rankers with a Condorcet winner: figure 3",
        f"{PAPER}, figure 3",
        settings.command,
        f"T = {horizon:,}, {runs} runs, of PBR and RankEl {others}. {_INDEPENDENT} The paper's "
        "matrix of this figure is not printed there; this is the one of Table 3(e) of Komiyama "
        "et al. (2016), which that paper attributes to it.",
        claims_of_figure_3(outcome),
        [
            Section(
                "Regret",
                picture=plot_panels([outcome.panel()], settings.file(".png"), units="sum"),
            ),
            regrets_at_the_horizon([outcome]),
        ],
        settings.quick,
    )


def claims_of_figure_3(outcome: Outcome) -> list[Claim]:
    """What the paper says of five rankers with a Condorcet winner."""
    ratio = outcome.ratio("rucb", "ccb")
    return [
        Claim(
            "CCB enjoys a slight advantage over RUCB",
            f"RUCB's mean regret is 1 to {_SLIGHT} times CCB's, the 95 % interval of the ratio too",
            f"ccb {outcome.mean('ccb').text()}, rucb {outcome.mean('rucb').text()}: "
            f"{ratio.text('.2f')} times",
            ratio.within(1.0, _SLIGHT),
        ),
        Claim(
            "PBR and RankEl have more regret than CCB",
            "the 95 % interval of each difference of means is on CCB's side",
            ", ".join(f"{n} {outcome.mean(n).text()}" for n in ("ccb", "pbr", "rankel")),
            all_hold(outcome.less("ccb", name) for name in ("pbr", "rankel")),
        ),
    ]


def _earlier(horizon: int) -> list[int]:
    """Powers of ten below the horizon."""
    return [10**k for k in range(4, 1 + int(np.log10(horizon - 1)))]


# Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015): figure 2, CCB against SCB with many arms.


_ARMS = 500  # the paper's
_ALPHA = 0.51
_HORIZON = 10**9
_LAST = 2  # sizes through which power laws are drawn
_BEATS = 0.9


def figure_2(settings: Settings) -> Page:
    """CCB against SCB with many arms."""
    both = settings.choose(
        ((30, 3), (60, 3), (125, 3), (_ARMS, 2)),
        ((30, 5), (60, 5), (125, 5), (250, 5), (_ARMS, 5), (1000, 5)),
    )
    scb_alone = settings.choose(((1000, 2),), ((2000, 3), (4000, 3)))
    harder = settings.choose((30, 3), (_ARMS, 5))
    plans = (LearnerSpec("ccb"), LearnerSpec("scb"))
    outcomes = run_studies(
        [_study(arms, _BEATS, runs, plans) for arms, runs in both]
        + [_study(arms, _BEATS, runs, plans[1:]) for arms, runs in scb_alone]
        + [_study(harder[0], 0.6, harder[1], plans)],
        settings,
    )
    swept, hard = outcomes[:-1], outcomes[-1]
    shown = [next(o for o in swept if o.study.problem.arms == _ARMS), hard]
    picture = plot_panels(
        [outcome.panel() for outcome in shown], settings.file(".png"), units="sum"
    )
    sweep = plot_panels([_sweep_panel(swept)], settings.file("-sizes.png"), units="sum")
    return Page(
        settings.name,
        "CCB against SCB with many arms: figure 2",
        f"{PAPER}, figure 2",
        settings.command,
        f"Three winners in a cycle above a chain, T = {_HORIZON:,}. The paper has {_ARMS} arms and "
        'gives no probabilities; p stands for "beats" everywhere. It gives no alpha of CCB for '
        f"this figure, here {_ALPHA}, and no rule by which SCB decides a pair, here that of "
        f"`copeland_identification`, which is ours. "
        f"Regret is the sum of the two arms' losses. {INTERVALS}",
        claims(swept, hard),
        [
            Section("Regret", picture=picture),
            regrets_at_the_horizon(outcomes),
            Section(
                "By number of arms",
                f"Regret at the horizon, p = {_BEATS}.",
                ("arms", "CCB", "SCB", "SCB / CCB"),
                [_row(outcome) for outcome in swept],
                sweep,
            ),
            Section(
                "What the paper leaves open",
                _open_questions(),
                ("p", "duels of CCB", "of SCB, our rule", "of SCB, ln ln n", "of SCB, undivided"),
                [_duels_of_a_pair(p) for p in (_BEATS, 0.6)],
            ),
        ],
        settings.quick,
    )


def _study(arms: int, beats: float, runs: int, plans: Sequence[LearnerSpec]) -> Study:
    made = cycle_and_chain(arms, beats)
    problem = PreferenceMatrix(made.array, name=f"{made.name}, p = {beats}")
    return Study(problem, plans, _HORIZON, runs, units="sum", bounds=False)


def claims(swept: Sequence[Outcome], hard: Outcome) -> list[Claim]:
    """What the paper says, from outcomes by number of arms and one at another p."""
    both = [outcome for outcome in swept if "ccb" in outcome.runs]
    few, many = (outcome.ratio("scb", "ccb") for outcome in (both[0], both[-1]))
    published = next(outcome for outcome in both if outcome.study.problem.arms == _ARMS)
    compared = [published] + ([hard] if hard.study.problem.arms == _ARMS else [])
    ratios = [outcome.ratio("scb", "ccb") for outcome in compared]
    crossing = crossing_of(both, swept)
    largest = (swept[-1].study.problem.arms, both[-1].study.problem.arms)
    return [
        Claim(
            f"With {_ARMS} arms SCB substantially outperforms CCB",
            "SCB's mean regret over CCB's is below 1, the 95 % interval of the ratio too",
            "; ".join(
                f"{outcome.study.problem.name}: {ratio.text('.2f')}"
                for outcome, ratio in zip(compared, ratios, strict=True)
            ),
            all_hold(ratio.within(high=1.0) for ratio in ratios),
        ),
        Claim(
            "CCB is expected to perform better with few arms, SCB with many",
            "the 95 % interval of SCB / CCB is above 1 with the fewest and below 1 with the most "
            "arms of both; not shown where it falls without coming below 1",
            f"SCB / CCB {few.text('.2f')} with {both[0].study.problem.arms} arms, "
            f"{many.text('.2f')} with {largest[1]}; power laws through the last {_LAST} sizes of "
            f"each (SCB to {largest[0]}, CCB to {largest[1]} arms) meet at {_crossing(crossing)}"
            + _bend(swept),
            _changes_sides(few, many),
        ),
        Claim(
            "Regret stops abruptly, when an algorithm is sure enough to play an arm against itself",
            "less growth in the last tenth of the rounds than logarithmic regret "
            f"({_logarithmic():.3f}), the interval too",
            "; ".join(
                f"{o.study.problem.name}: {n} {o.growth(n).text('.3f')}"
                for o in (published, hard)
                for n in o.runs
            ),
            all_hold(
                o.growth(name).within(high=_logarithmic())
                for o in (published, hard)
                for name in o.runs
            ),
        ),
    ]


def _changes_sides(few: Interval, many: Interval) -> bool | None:
    if few.within(low=1.0) and many.within(high=1.0):
        return True
    return False if few.within(high=1.0) or many.low >= few.high else None


def _logarithmic() -> float:
    """The growth of ln T."""
    return 10.0 * math.log(1.0 / 0.9) / math.log(_HORIZON)


def crossing_of(ccb: Sequence[Outcome], scb: Sequence[Outcome]) -> Interval:
    """Where power laws through the last sizes of each meet; the range over single runs of them."""
    found = np.array(
        [_meeting(*pair) for pair in product(_power_laws(ccb, "ccb"), _power_laws(scb, "scb"))]
    )
    means = [
        _power_law(outcomes, [float(o.finals(name).mean()) for o in outcomes])
        for outcomes, name in ((ccb[-_LAST:], "ccb"), (scb[-_LAST:], "scb"))
    ]
    return Interval(_meeting(*means), float(found.min()), float(found.max()))


def _power_laws(outcomes: Sequence[Outcome], name: str) -> list[FloatArray]:
    """Those through every choice of one run of each of the last sizes."""
    last = outcomes[-_LAST:]
    return [_power_law(last, chosen) for chosen in product(*(o.finals(name) for o in last))]


def _power_law(outcomes: Sequence[Outcome], regret: Sequence[float]) -> FloatArray:
    """Power and offset of ln regret against ln arms."""
    arms = [outcome.study.problem.arms for outcome in outcomes]
    return np.asarray(np.polyfit(np.log(arms), np.log(regret), 1))


def _meeting(ccb: FloatArray, scb: FloatArray) -> float:
    """The number of arms from which on CCB has more regret; infinite where it never has."""
    if ccb[0] <= scb[0]:
        return math.inf
    return float(np.exp((scb[1] - ccb[1]) / (ccb[0] - scb[0])))


def _crossing(crossing: Interval) -> str:
    if not math.isfinite(crossing.value):
        return "no number of arms"
    return (
        f"about {crossing.value:,.0f} arms ({crossing.low:,.0f} to {crossing.high:,.0f} by choice "
        "of single runs)"
    )


def _bend(swept: Sequence[Outcome]) -> str:
    """What a power of SCB that falls with the size says of where power laws meet."""
    first, last = (
        _power_law(part, [float(o.finals("scb").mean()) for o in part])[0]
        for part in (swept[:_LAST], swept[-_LAST:])
    )
    if last >= first:
        return ""
    return (
        f"; SCB's power falls with the size, from {first:.2f} to {last:.2f}, so that this is too "
        "many rather than too few"
    )


def _row(outcome: Outcome) -> list[object]:
    ccb = "ccb" in outcome.runs
    return [
        outcome.study.problem.arms,
        outcome.mean("ccb").text() if ccb else "",
        outcome.mean("scb").text(),
        outcome.ratio("scb", "ccb").text(".2f") if ccb else "",
    ]


def _open_questions() -> str:
    budget = 2**32
    return (
        f"CCB decides a pair after about α ln t / (p − ½)² duels (below with α = {_ALPHA} and "
        f"t = {_HORIZON:,}; proportional to α), and only as many pairs as give every arm but the "
        "winners two losses. SCB must be sure of every pair up to δ/K², with δ = ln(T)/T and "
        f"T = {budget:,} where its rounds before are too short. The duels that a pair takes "
        "depend on the rule: ours is Hoeffding's bound, made to hold for all n by a union; a rule "
        "that grows as ln ln n, 0.51 (ln(1/δ') + 2 ln ln n) ≤ n KL(p, ½), needs fewer, and "
        "without the division of δ by K² fewer still. The paper states neither the rule nor CCB's "
        f"α for its figure; both decide which algorithm is ahead at {_ARMS} arms. SCB's "
        "opponents of an arm are drawn without replacement, which helps SCB."
    )


def _duels_of_a_pair(p: float) -> list[object]:
    """Duels to decide a pair at the mean: of CCB, and of SCB by three rules."""
    budget = 2**32
    delta = math.log(budget) / budget
    needed = at_any_time(delta / _ARMS**2)
    ours = next(n for n in range(1, 10**6) if (2 * p - 1) * n > needed(n))
    return [
        p,
        f"{_ALPHA * math.log(_HORIZON) / (p - 0.5) ** 2:,.0f}",
        f"{ours:,}",
        f"{_by_iterated_logarithm(p, delta / _ARMS**2):,}",
        f"{_by_iterated_logarithm(p, delta):,}",
    ]


def _by_iterated_logarithm(p: float, delta: float) -> int:
    divergence = p * math.log(2 * p) + (1 - p) * math.log(2 * (1 - p))
    return next(
        n
        for n in range(3, 10**6)
        if _ALPHA * (math.log(1 / delta) + 2 * math.log(math.log(n))) <= n * divergence
    )


def _sweep_panel(swept: Sequence[Outcome]) -> Panel:
    """Regret at the horizon against the number of arms."""
    found = {}
    for name in ("ccb", "scb"):
        ran = [outcome for outcome in swept if name in outcome.runs]
        finals = [outcome.finals(name) for outcome in ran]
        found[name] = RegretCurve(
            np.array([outcome.study.problem.arms for outcome in ran]),
            np.array([values.mean() for values in finals]),
            np.array([values.min() for values in finals]),
            np.array([values.max() for values in finals]),
            min(len(values) for values in finals),
        )
    return Panel(f"p = {_BEATS}", found, axis="arms K")


# Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015): table 1 and figures 4 to 6, random submatrices.


_NOTIONS = ("Copeland", "von Neumann", "Borda", "Random Walk")
_PUBLISHED_OVERLAP = {
    ("Copeland", "von Neumann"): 99.94,
    ("Copeland", "Borda"): 51.49,
    ("Copeland", "Random Walk"): 56.15,
    ("von Neumann", "Borda"): 77.66,
    ("von Neumann", "Random Walk"): 82.11,
    ("Borda", "Random Walk"): 94.81,
}
_CONTAINED = 94.2
_POINTS = 5.0
_TENS = (10_000, 100_000)
_SETTING = (
    "The paper's matrix has 136 rankers and is not published; {name} has {arms}. Sizes {sizes}, "
    "{count:,} submatrices of each, arms drawn uniformly."
)


def table_1(settings: Settings) -> Page:
    """How often the winners by different definitions overlap."""
    matrix, sizes, count = _sampling(settings, np.linspace, quick=40)
    frame = _sampled(matrix, sizes, count, settings, overlaps=True)
    write_parquet(frame, settings.file(".parquet"))
    share = {pair: 100 * frame["/".join(pair)].mean() for pair in _PUBLISHED_OVERLAP}
    contained = 100 * frame["contained"].mean()
    order = sorted(share, key=lambda pair: -share[pair])
    return Page(
        settings.name,
        "Overlap of the notions of winners: table 1",
        f"{PAPER}, table 1",
        settings.command,
        _SETTING.format(name=matrix.name, arms=matrix.arms, sizes=_span(sizes), count=count),
        [
            Claim(
                "Copeland and von Neumann winners nearly always overlap (99.94 %)",
                "more than 99 %",
                f"{share['Copeland', 'von Neumann']:.2f} %",
                bool(share["Copeland", "von Neumann"] > 99),
            ),
            Claim(
                "Borda and Random Walk winners mostly overlap (94.81 %)",
                f"within {_POINTS:g} points of the published share",
                f"{share['Borda', 'Random Walk']:.2f} %",
                bool(abs(share["Borda", "Random Walk"] - 94.81) <= _POINTS),
            ),
            Claim(
                "the first two and the last two are less compatible (51 to 82 %)",
                "the two pairs above overlap most often",
                ", ".join(f"{a} and {b} {share[a, b]:.1f} %" for a, b in order[2:]),
                {("Copeland", "von Neumann"), ("Borda", "Random Walk")} == set(order[:2]),
            ),
            Claim(
                "in 94.2 % all Copeland winners are in the support of the von Neumann winner",
                f"within {_POINTS:g} points of the published share",
                f"{contained:.1f} %",
                bool(abs(contained - _CONTAINED) <= _POINTS),
            ),
        ],
        [
            Section(
                "Overlaps",
                "",
                ("", "published %", "here %"),
                [
                    [f"{a}, {b}", published, f"{share[a, b]:.2f}"]
                    for (a, b), published in _PUBLISHED_OVERLAP.items()
                ],
            )
        ],
        settings.quick,
    )


def figures_4_to_6(settings: Settings) -> Page:
    """Condorcet winners, numbers of winners and losses, and gaps of random submatrices."""
    matrix, sizes, count = _sampling(settings, np.geomspace, quick=400)
    frame = _sampled(matrix, sizes, count, settings, overlaps=False)
    write_parquet(frame, settings.file(".parquet"))
    by_size = frame.groupby("arms")
    condorcet = by_size["condorcet"].mean()
    finite = frame[np.isfinite(frame["gap ratio"])]
    ratio = finite.groupby("arms")["gap ratio"].mean()
    whole = copeland_hardness(matrix)
    whole_ratio = (whole.gap / whole.smallest_gap) ** 2
    large = frame[frame["arms"] == max(sizes)]
    return Page(
        settings.name,
        "Random submatrices: figures 4, 5 and 6",
        f"{PAPER}, figures 4 to 6",
        settings.command,
        _SETTING.format(name=matrix.name, arms=matrix.arms, sizes=_span(sizes), count=count),
        [
            Claim(
                "the probability of a Condorcet winner decreases rapidly with the number of arms",
                "with the most arms it is less than half of that with the fewest",
                ", ".join(f"{arms} arms {p:.2f}" for arms, p in condorcet.items())
                + f"; the whole matrix has {'no' if matrix.condorcet_winner is None else 'a'} "
                "Condorcet winner (the paper's has none)",
                bool(condorcet.iloc[-1] < 0.5 * condorcet.iloc[0]),
            ),
            Claim(
                "C and L_C are generally much lower than K",
                "both means at most a tenth of the largest K",
                f"at {max(sizes)} arms: mean C {large['winners'].mean():.1f}, mean L_C "
                f"{large['losses'].mean():.1f}",
                bool(max(large["winners"].mean(), large["losses"].mean()) < 0.1 * max(sizes)),
            ),
            Claim(
                "the bound with Delta is tighter than with Delta_min by a factor of the order of "
                "tens of thousands on average; 1,419 for the whole matrix",
                f"tens of thousands: the largest average is between {_TENS[0]:,} and {_TENS[1]:,}",
                f"up to {ratio.max():,.0f} on average ({int(ratio.idxmax())} arms); "
                f"{whole_ratio:,.0f} for the whole matrix",
                bool(_TENS[0] <= ratio.max() <= _TENS[1]),
            ),
        ],
        [
            Section(
                "Figure 4: probability of a Condorcet winner, and figure 6: average of "
                "Delta²/Delta_min²",
                picture=_lines(condorcet, ratio, settings),
            ),
            Section("Figure 5: C and L_C", picture=_circles(frame, settings)),
            Section(
                "By size",
                "Submatrices with a tied pair have no ratio and are left out of its average.",
                ("arms", "Condorcet", "mean C", "mean L_C", "mean ratio", "median ratio"),
                [
                    [
                        arms,
                        f"{group['condorcet'].mean():.3f}",
                        f"{group['winners'].mean():.2f}",
                        f"{group['losses'].mean():.2f}",
                        f"{ratio.get(arms, np.nan):,.0f}",
                        f"{group['gap ratio'].median():,.0f}",
                    ]
                    for arms, group in by_size
                ],
            ),
        ],
        settings.quick,
    )


def _sampling(
    settings: Settings, spaced: Callable[[int, int, int], FloatArray], *, quick: int
) -> tuple[PreferenceMatrix, list[int], int]:
    """The matrix, the sizes of submatrices, and how many of each."""
    matrix = settings.needed_matrix()
    if matrix.arms < 3:
        raise InputError(f"{matrix.name} has {matrix.arms} arms, expected at least 3")
    every = range(2, matrix.arms)
    few = np.unique(spaced(2, matrix.arms - 1, 16).astype(int)).tolist()
    return matrix, settings.choose(few, list(every)), settings.choose(quick, 10_000)


def _span(sizes: list[int]) -> str:
    every = len(sizes) == sizes[-1] - sizes[0] + 1
    return f"{sizes[0]} to {sizes[-1]}" if every else ", ".join(map(str, sizes))


def _sampled(
    matrix: PreferenceMatrix, sizes: list[int], count: int, settings: Settings, *, overlaps: bool
) -> pd.DataFrame:
    import pandas as pd

    seeds = np.random.SeedSequence(settings.seed).spawn(len(sizes))
    tasks = [(matrix, arms, count, seed, overlaps) for arms, seed in zip(sizes, seeds, strict=True)]
    rows: list[dict[str, Any]] = []
    # The largest first, so that no worker is left with one at the end.
    for done, part in enumerate(in_parallel(_sample, tasks[::-1], jobs=settings.jobs), 1):
        rows += part
        if settings.progress is not None:
            settings.progress(done, len(tasks))
    return pd.DataFrame(rows).sort_values(["arms", "number"], ignore_index=True)


def _sample(
    matrix: PreferenceMatrix, arms: int, count: int, seed: np.random.SeedSequence, overlaps: bool
) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    describe = _overlaps if overlaps else _quantities
    return [
        {
            "arms": arms,
            "number": number,
            **describe(matrix.submatrix(rng.choice(matrix.arms, arms, replace=False).tolist())),
        }
        for number in range(count)
    ]


def _quantities(drawn: PreferenceMatrix) -> dict[str, Any]:
    hard = copeland_hardness(drawn)
    tied = hard.smallest_gap == 0
    return {
        "condorcet": drawn.condorcet_winner is not None,
        "winners": hard.winners,
        "losses": hard.losses_of_winner,
        "gap ratio": np.inf if tied else (hard.gap / hard.smallest_gap) ** 2,
    }


def _overlaps(drawn: PreferenceMatrix) -> dict[str, Any]:
    sets = dict(
        zip(
            _NOTIONS,
            (
                set(drawn.copeland_winners),
                set(von_neumann_winner(drawn).support),
                set(drawn.borda_winners),
                set(drawn.random_walk_winners),
            ),
            strict=True,
        )
    )
    return {
        **{"/".join(pair): bool(sets[pair[0]] & sets[pair[1]]) for pair in _PUBLISHED_OVERLAP},
        "contained": sets["Copeland"] <= sets["von Neumann"],
    }


def _lines(condorcet: pd.Series, ratio: pd.Series, settings: Settings) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2, 3.6), layout="constrained", dpi=130)
    for place, series, label, scale in (
        (1, condorcet, "probability of a Condorcet winner", "linear"),
        (2, ratio, r"average of $\Delta^2/\Delta_{\min}^2$", "log"),
    ):
        axes = figure.add_subplot(1, 2, place)
        axes.plot(series.index, series.to_numpy(), marker="o", markersize=3)
        axes.set_yscale(scale)
        axes.set_xlabel("arms $K$")
        axes.set_ylabel(label)
        axes.grid(visible=True, alpha=0.3)
    return save(figure, settings.file(".png"))


def _circles(frame: pd.DataFrame, settings: Settings) -> Any:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(9.2, 3.6), layout="constrained", dpi=130)
    for place, (column, label) in enumerate(
        (("winners", "Copeland winners $C$"), ("losses", "losses $L_C$ of a winner")), 1
    ):
        axes = figure.add_subplot(1, 2, place)
        shares = frame.groupby("arms")[column].value_counts(normalize=True)
        arms, values = zip(*shares.index, strict=True)
        axes.scatter(arms, values, s=120 * shares.to_numpy(), alpha=0.6)
        axes.set_title("area of a circle: its share of the submatrices", fontsize="small")
        axes.set_xlabel("arms $K$")
        axes.set_ylabel(label)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(visible=True, alpha=0.3)
    return save(figure, settings.file("-figure5.png"))
