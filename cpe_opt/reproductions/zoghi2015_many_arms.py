"""Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015): figure 2, CCB against SCB with many arms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.experiments.panels import Panel
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.experiments.plots import plot_panels
from cpe_opt.experiments.runs import RegretCurve
from cpe_opt.learners.dueling.sign_tests import at_any_time
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.generators import cycle_and_chain
from cpe_opt.reproductions.page import Claim, Page, Section
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import Interval, all_hold
from cpe_opt.reproductions.studies import (
    INTERVALS,
    Outcome,
    Study,
    regrets_at_the_horizon,
    run_studies,
)
from cpe_opt.reproductions.zoghi2015 import PAPER

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
