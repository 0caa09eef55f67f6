"""Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015): figures 1 to 6, and table 1."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.experiments.runs import RegretCurve
from cpe_opt.formulations.dueling.voting import von_neumann_winner
from cpe_opt.hardness.dueling import copeland_hardness
from cpe_opt.learners.dueling.elimination import at_any_time
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.generators import cycle_and_chain
from cpe_opt.reports.curves import Panel, save_panels
from cpe_opt.reproductions.claims import Claim, ConfidenceInterval, interval_claim
from cpe_opt.reproductions.figures import panels
from cpe_opt.reproductions.regret import (
    Experiment,
    RegretOutcomes,
    declared_claims,
    regret_study,
)
from cpe_opt.reproductions.rows import rows_in_parallel
from cpe_opt.reproductions.study import PageTable, Settings, Study, declared, frame_table

if TYPE_CHECKING:
    import pandas as pd

# Figures 1 and 3: five rankers without and with a Condorcet winner.

_TOLD_THE_HORIZON = ("savage", "pbr", "rankel")
_SLIGHT = 1.25  # an advantage of at most a quarter


def _five_rankers(name: str) -> Callable[[Settings], list[Experiment]]:
    """As declared; learners that are told the horizon are run to every power of ten from 10^4."""
    said = declared(name)

    def experiments(settings: Settings) -> list[Experiment]:
        scale = settings.choose(said["quick"], said["full"])
        earlier = [10**k for k in range(4, 1 + int(np.log10(scale["horizon"] - 1)))]
        learners = [LearnerSpec(each) for each in said["learners"]]
        told = {each: earlier for each in said["learners"] if each in _TOLD_THE_HORIZON}
        problem = load_instance(said["problem"])
        return [Experiment(problem, learners, **scale, units="sum", horizons=told, bounds=False)]

    return experiments


figure_1_claims = partial(declared_claims, "zoghi2015-figure1")


def figure_3_claims(outcomes: RegretOutcomes) -> list[Claim]:
    """What the paper says of five rankers with a Condorcet winner."""
    (outcome,) = outcomes
    ratio = outcome.ratio("rucb", "ccb")
    means = ", ".join(f"{name} {outcome.mean(name).text()}" for name in ("ccb", "rucb"))
    ends = {"low": 1.0, "high": _SLIGHT}
    return [
        Claim("slight", f"{means}: {ratio.text('.2f')} times", ratio.within(**ends), ends),
        *declared_claims("zoghi2015-figure3", outcomes),
    ]


# Figure 2: CCB against SCB with many arms. The outcomes are those by number of arms, then one at
# another p.

_ARMS = 500  # the paper's
_ALPHA = 0.51
_HORIZON = 10**9
_LAST = 2  # sizes through which power laws are drawn
_BEATS, _BEATS_LESS = 0.9, 0.6


def _figure_2(settings: Settings) -> list[Experiment]:
    both = settings.choose(
        ((30, 3), (60, 3), (125, 3), (_ARMS, 2)),
        ((30, 5), (60, 5), (125, 5), (250, 5), (_ARMS, 5), (1000, 5)),
    )
    scb_alone = settings.choose(((1000, 2),), ((2000, 3), (4000, 3)))
    harder = settings.choose((30, 3), (_ARMS, 5))

    def experiment(arms: int, runs: int, beats: float, *learners: str) -> Experiment:
        made = cycle_and_chain(arms, beats)
        problem = PreferenceMatrix(made.array, name=f"{made.name}, p = {beats}")
        specs = [LearnerSpec(name) for name in learners]
        return Experiment(problem, specs, _HORIZON, runs, units="sum", bounds=False)

    return [
        *(experiment(*each, _BEATS, "ccb", "scb") for each in both),
        *(experiment(*each, _BEATS, "scb") for each in scb_alone),
        experiment(*harder, _BEATS_LESS, "ccb", "scb"),
    ]


def _published(outcomes: RegretOutcomes) -> RegretOutcomes:
    """Those of as many arms as the paper's, and that at the other p."""
    return [next(o for o in outcomes if o.problem.arms == _ARMS), outcomes[-1]]


def figure_2_claims(outcomes: RegretOutcomes) -> list[Claim]:
    """What the paper says of many arms."""
    swept, published = outcomes[:-1], _published(outcomes)
    both = [outcome for outcome in swept if "ccb" in outcome.runs]
    few, many = (outcome.ratio("scb", "ccb") for outcome in (both[0], both[-1]))
    largest = (swept[-1].problem.arms, both[-1].problem.arms)
    # The growth of ln T.
    logarithmic = 10.0 * math.log(1.0 / 0.9) / math.log(_HORIZON)
    paper = {f"{o.name}:": o.ratio("scb", "ccb") for o in published if o.problem.arms == _ARMS}
    growths = {f"{o.name}: {name}": o.growth(name) for o in published for name in o.runs}
    return [
        interval_claim("many", paper, ".2f", high=1.0, between="; "),
        Claim(
            "sides",
            f"SCB / CCB {few.text('.2f')} with {both[0].problem.arms} arms, "
            f"{many.text('.2f')} with {largest[1]}; power laws through the last {_LAST} sizes of "
            f"each (SCB to {largest[0]}, CCB to {largest[1]} arms) meet at "
            f"{_meeting_in_words(both, swept)}",
            changes_sides(few, many),
        ),
        interval_claim("stops", growths, ".3f", high=logarithmic, between="; "),
    ]


def changes_sides(few: ConfidenceInterval, many: ConfidenceInterval) -> bool | None:
    """Whether a ratio is above 1 with few arms and below 1 with many."""
    if few.within(low=1.0) and many.within(high=1.0):
        return True
    return False if few.within(high=1.0) or many.low >= few.high else None


def crossing_of(ccb: RegretOutcomes, scb: RegretOutcomes) -> ConfidenceInterval:
    """Where power laws through the last sizes of each meet; the range over single runs of them."""
    last = {"ccb": ccb[-_LAST:], "scb": scb[-_LAST:]}
    # Through every choice of one run of each size.
    single = [
        [_power_law(part, chosen) for chosen in product(*(o.finals(name) for o in part))]
        for name, part in last.items()
    ]
    found = [_meeting(*pair) for pair in product(*single)]
    means = [_mean_power_law(part, name) for name, part in last.items()]
    return ConfidenceInterval(_meeting(*means), float(min(found)), float(max(found)))


def _power_law(outcomes: RegretOutcomes, regret: Sequence[float]) -> FloatArray:
    """Power and offset of ln regret against ln arms."""
    arms = [outcome.problem.arms for outcome in outcomes]
    return np.asarray(np.polyfit(np.log(arms), np.log(regret), 1))


def _mean_power_law(outcomes: RegretOutcomes, name: str) -> FloatArray:
    return _power_law(outcomes, [float(outcome.finals(name).mean()) for outcome in outcomes])


def _meeting(ccb: FloatArray, scb: FloatArray) -> float:
    """The number of arms from which on CCB has more regret; infinite where it never has."""
    if ccb[0] <= scb[0]:
        return math.inf
    return float(np.exp((scb[1] - ccb[1]) / (ccb[0] - scb[0])))


def _meeting_in_words(both: RegretOutcomes, swept: RegretOutcomes) -> str:
    """Where power laws meet, and what a power of SCB that falls with the size says of it."""
    found = crossing_of(both, swept)
    text = f"about {found.value:,.0f} arms ({found.low:,.0f} to {found.high:,.0f} by choice of "
    text = f"{text}single runs)" if math.isfinite(found.value) else "no number of arms"
    first, last = (_mean_power_law(part, "scb")[0] for part in (swept[:_LAST], swept[-_LAST:]))
    if last >= first:
        return text
    return (
        f"{text}; SCB's power falls with the size, from {first:.2f} to {last:.2f}, so that this is "
        "too many rather than too few"
    )


def _many_arms(settings: Settings, outcomes: RegretOutcomes) -> dict[str, Any]:
    swept, delta = outcomes[:-1], math.log(2**32) / 2**32
    rows = [
        [
            o.problem.arms,
            o.mean("ccb").text() if "ccb" in o.runs else "",
            o.mean("scb").text(),
            o.ratio("scb", "ccb").text(".2f") if "ccb" in o.runs else "",
        ]
        for o in swept
    ]
    rules = ("p", "duels of CCB", "of SCB, our rule", "of SCB, ln ln n", "of SCB, undivided")
    return {
        "by_arms": PageTable(("arms", "CCB", "SCB", "SCB / CCB"), rows),
        "sizes": save_panels([_by_size(swept)], settings.file("-sizes.png"), units="sum"),
        "open": PageTable(rules, [_duels_of_a_pair(p, delta) for p in (_BEATS, _BEATS_LESS)]),
    }


def _by_size(swept: RegretOutcomes) -> Panel:
    """Regret at the horizon against the number of arms."""
    found = {}
    for name in ("ccb", "scb"):
        ran = [outcome for outcome in swept if name in outcome.runs]
        finals, arms = [o.finals(name) for o in ran], np.array([o.problem.arms for o in ran])
        mean, low, high = (np.array([end(f) for f in finals]) for end in (np.mean, np.min, np.max))
        found[name] = RegretCurve(arms, mean, low, high, min(map(len, finals)))
    return Panel(f"p = {_BEATS}", found, axis="arms K")


def _duels_of_a_pair(p: float, delta: float) -> list[object]:
    """Duels to decide a pair at the mean: of CCB, and of SCB by three rules."""
    hoeffding = at_any_time(delta / _ARMS**2)
    divergence = p * math.log(2 * p) + (1 - p) * math.log(2 * (1 - p))

    def by_iterated_logarithm(delta: float, n: int) -> bool:
        return _ALPHA * (math.log(1 / delta) + 2 * math.log(math.log(n))) <= n * divergence

    rules: list[Callable[[int], bool]] = [
        lambda n: (2 * p - 1) * n > hoeffding(n),
        lambda n: by_iterated_logarithm(delta / _ARMS**2, n),
        lambda n: by_iterated_logarithm(delta, n),
    ]
    needed = [next(n for n in range(3, 10**6) if decided(n)) for decided in rules]
    return [p, f"{_ALPHA * math.log(_HORIZON) / (p - 0.5) ** 2:,.0f}", *(f"{n:,}" for n in needed)]


# Table 1 and figures 4 to 6: random submatrices of a large matrix.

_NOTIONS = ("Copeland", "von Neumann", "Borda", "Random Walk")
_CONTAINED, _OVERLAPS = (declared("zoghi2015-table1")[k] for k in ("contained", "overlaps"))
_POINTS = 5.0
_TENS = {"low": 10_000, "high": 100_000}


def _submatrices(
    settings: Settings,
    describe: Callable[[PreferenceMatrix], dict[str, Any]],
    spaced: Callable[[int, int, int], FloatArray],
    *,
    quick: int,
) -> pd.DataFrame:
    """Random submatrices of every size, or of some in a quick run, described row by row."""
    matrix = settings.needed_matrix()
    if matrix.arms < 3:
        raise InputError(f"{matrix.name} has {matrix.arms} arms, expected at least 3")
    few = np.unique(spaced(2, matrix.arms - 1, 16).astype(int)).tolist()
    sizes, count = settings.choose(few, list(range(2, matrix.arms))), settings.choose(quick, 10_000)
    # The largest first, so that no worker is left with one at the end.
    tasks = [
        (matrix, arms, count, (settings.seed, place), describe)
        for place, arms in reversed(list(enumerate(sizes)))
    ]
    return rows_in_parallel(_sample, tasks, settings, ["arms", "number"])


def _sample(
    matrix: PreferenceMatrix,
    arms: int,
    count: int,
    seed: tuple[int, int],
    describe: Callable[[PreferenceMatrix], dict[str, Any]],
) -> list[dict[str, Any]]:
    rng = np.random.default_rng(np.random.SeedSequence(seed[0], spawn_key=seed[1:]))
    drawn = (rng.choice(matrix.arms, arms, replace=False).tolist() for _ in range(count))
    return [
        {"arms": arms, "number": number, **describe(matrix.submatrix(chosen))}
        for number, chosen in enumerate(drawn)
    ]


def _submatrix_values(settings: Settings, frame: pd.DataFrame) -> dict[str, Any]:
    matrix, counts = settings.needed_matrix(), frame.groupby("arms").size()
    sizes = counts.index.tolist()
    every = len(sizes) == sizes[-1] - sizes[0] + 1
    return {
        "matrix": matrix.name,
        "arms": matrix.arms,
        "sizes": f"{sizes[0]} to {sizes[-1]}" if every else ", ".join(map(str, sizes)),
        "count": counts.max(),
    }


def overlaps(drawn: PreferenceMatrix) -> dict[str, Any]:
    """Which notions of winners have one in common."""
    winners = (
        drawn.copeland_winners,
        von_neumann_winner(drawn).support,
        drawn.borda_winners,
        drawn.random_walk_winners,
    )
    sets = dict(zip(_NOTIONS, map(set, winners), strict=True))
    pairs = ((pair, pair.split("/")) for pair in _OVERLAPS)
    found = {pair: bool(sets[a] & sets[b]) for pair, (a, b) in pairs}
    return {**found, "contained": sets["Copeland"] <= sets["von Neumann"]}


def _table_1(settings: Settings) -> dict[str, Any]:
    frame = _submatrices(settings, overlaps, np.linspace, quick=40)
    share = 100 * frame[[*_OVERLAPS, "contained"]].mean()
    first, last = "Copeland/von Neumann", "Borda/Random Walk"
    order = share[list(_OVERLAPS)].sort_values(ascending=False, kind="stable").index
    less = ", ".join(f"{pair.replace('/', ' and ')} {share[pair]:.1f} %" for pair in order[2:])
    near, contained = share[last] - _OVERLAPS[last], share["contained"]
    rows = [[pair.replace("/", ", "), p, f"{share[pair]:.2f}"] for pair, p in _OVERLAPS.items()]
    return {
        "claims": [
            Claim("first", f"{share[first]:.2f} %", bool(share[first] > 99)),
            Claim("last", f"{share[last]:.2f} %", bool(abs(near) <= _POINTS)),
            Claim("order", less, {first, last} == set(order[:2])),
            Claim("contained", f"{contained:.1f} %", bool(abs(contained - _CONTAINED) <= _POINTS)),
        ],
        "overlaps": PageTable(("", "published %", "here %"), rows),
        **_submatrix_values(settings, frame),
    }


def quantities(drawn: PreferenceMatrix) -> dict[str, Any]:
    """Whether there is a Condorcet winner, C, L_C, and Delta²/Delta_min²."""
    hard = copeland_hardness(drawn)
    tied = hard.smallest_gap == 0
    return {
        "condorcet": drawn.condorcet_winner is not None,
        "winners": hard.winners,
        "losses": hard.losses_of_winner,
        "gap ratio": np.inf if tied else (hard.gap / hard.smallest_gap) ** 2,
    }


def _figures_4_to_6(settings: Settings) -> dict[str, Any]:
    """The quantities of submatrices, and of the whole matrix."""
    frame = _submatrices(settings, quantities, np.geomspace, quick=400)
    by_size, whole = frame.groupby("arms"), quantities(settings.needed_matrix())
    # Submatrices with a tied pair have no ratio.
    ratio = frame[np.isfinite(frame["gap ratio"])].groupby("arms")["gap ratio"].mean()
    table = by_size[["condorcet", "winners", "losses"]].mean().reset_index()
    table["gap ratio"] = by_size["gap ratio"].median().to_numpy()
    table["mean ratio"] = ratio.reindex(table["arms"]).to_numpy()
    condorcet = table.set_index("arms")["condorcet"]
    most = int(condorcet.index[-1])
    winners, losses = table[["winners", "losses"]].iloc[-1]
    return {
        "claims": [
            Claim(
                "condorcet",
                ", ".join(f"{arms} arms {p:.2f}" for arms, p in condorcet.items())
                + f"; the whole matrix has {'a' if whole['condorcet'] else 'no'} "
                "Condorcet winner (the paper's has none)",
                bool(condorcet.iloc[-1] < 0.5 * condorcet.iloc[0]),
            ),
            Claim(
                "few",
                f"at {most} arms: mean C {winners:.1f}, mean L_C {losses:.1f}",
                bool(max(winners, losses) < 0.1 * most),
            ),
            Claim(
                "tens",
                f"up to {ratio.max():,.0f} on average ({ratio.idxmax()} arms); "
                f"{whole['gap ratio']:,.0f} for the whole matrix",
                bool(_TENS["low"] <= ratio.max() <= _TENS["high"]),
                _TENS,
            ),
        ],
        "picture": _draw_lines(condorcet, ratio, settings),
        "circles": _draw_circles(frame, settings),
        "by_size": frame_table(
            table,
            "arms : .0f; Condorcet = condorcet : .3f; mean C = winners : .2f; mean L_C = losses "
            ": .2f; mean ratio : ,.0f; median ratio = gap ratio : ,.0f",
        ),
        **_submatrix_values(settings, frame),
    }


def _draw_lines(condorcet: pd.Series, ratio: pd.Series, settings: Settings) -> Any:
    shown = (
        (condorcet, "probability of a Condorcet winner", "linear"),
        (ratio, r"average of $\Delta^2/\Delta_{\min}^2$", "log"),
    )
    with panels(settings.file(".png"), 2, size=(9.2, 3.6)) as all_axes:
        for axes, (series, label, scale) in zip(all_axes, shown, strict=True):
            axes.plot(series.index, series.to_numpy(), marker="o", markersize=3)
            axes.set(yscale=scale, xlabel="arms $K$", ylabel=label)
    return settings.file(".png")


def _draw_circles(frame: pd.DataFrame, settings: Settings) -> Any:
    from matplotlib.ticker import MaxNLocator

    shown = (("winners", "Copeland winners $C$"), ("losses", "losses $L_C$ of a winner"))
    with panels(settings.file("-figure5.png"), 2, size=(9.2, 3.6)) as all_axes:
        for axes, (column, label) in zip(all_axes, shown, strict=True):
            shares = frame.groupby("arms")[column].value_counts(normalize=True)
            arms, values = zip(*shares.index, strict=True)
            axes.scatter(arms, values, s=120 * shares.to_numpy(), alpha=0.6)
            axes.set_title("area of a circle: its share of the submatrices", fontsize="small")
            axes.set(xlabel="arms $K$", ylabel=label)
            axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    return settings.file("-figure5.png")


STUDIES = (
    regret_study("zoghi2015-figure1", _five_rankers("zoghi2015-figure1"), figure_1_claims),
    regret_study(
        "zoghi2015-figure2", _figure_2, figure_2_claims, drawn=_published, more=_many_arms
    ),
    regret_study("zoghi2015-figure3", _five_rankers("zoghi2015-figure3"), figure_3_claims),
    Study("zoghi2015-table1", _table_1, needs="matrix"),
    Study("zoghi2015-figures4-6", _figures_4_to_6, needs="matrix"),
)
