"""Komiyama, Honda, Nakagawa (ICML 2016): figures 1 and 2, table 1, and CW-RMED, which was not run.

The theorems say that regret grows as C* ln T (CW-RMED) and as C^E* ln T (ECW-RMED). What a run to T
can show is its slope over the last decade of rounds, per ln T: evidence for a constant where the
interval of the slope is near it and the other constant is not in that interval.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import BoolArray
from cpe_opt.errors import InputError
from cpe_opt.experiments.planning import LearnerSpec
from cpe_opt.formulations.dueling.ecw import ecw_bound
from cpe_opt.formulations.dueling.lower_bound import copeland_bound
from cpe_opt.hardness.dueling import copeland_hardness
from cpe_opt.problems.catalogue import load_instance
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.reproductions.claims import (
    Claim,
    ConfidenceInterval,
    all_hold,
    interval_claim,
    mean_interval,
)
from cpe_opt.reproductions.regret import (
    HEAD,
    Experiment,
    Outcome,
    RegretOutcomes,
    declared_claims,
    regret_study,
)
from cpe_opt.reproductions.rows import rows_in_parallel
from cpe_opt.reproductions.study import PageTable, Settings, Study, frame_table

if TYPE_CHECKING:
    import pandas as pd

# Figures 1 and 2: regret of six algorithms.

_CONDORCET_ONLY = ("rucb", "rmed1")
_LEARNERS = ("random-pairs", "savage", *_CONDORCET_ONLY, "ccb", "ecw-rmed")


def _figure_1(settings: Settings) -> list[Experiment]:
    """Sushi, gap and multisol, and submatrices of a matrix where one is given."""
    problems = [load_instance(name) for name in ("sushi", "gap", "multisol")]
    if settings.matrix is not None:
        rng = np.random.default_rng(settings.seed)
        wanted = [(16, True, 0.005), (16, False, 0.005)]
        wanted += settings.choose([], [(64, False, 0.0005)])
        problems += [
            drawn_submatrix(settings.matrix, arms, rng, least_gap=gap, condorcet=condorcet)
            for arms, condorcet, gap in wanted
        ]
    return [_experiment(problem, settings) for problem in problems]


def _figure_2(settings: Settings) -> list[Experiment]:
    """The smaller matrices of the paper's appendix B."""
    names = ("arxiv", "cyclic", "mslr5-condorcet", "mslr5-cycle")
    return [_experiment(load_instance(name), settings) for name in names]


def _experiment(problem: PreferenceMatrix, settings: Settings) -> Experiment:
    """To 10^7; a quick one to where its algorithms no longer explore much."""
    slow = problem.name == "mslr5-cycle"
    horizon, runs, linear = settings.choose((10**7 if slow else 10**5, 10, 3), (10**7, 100, 10))
    fewer = {"random-pairs": 1}
    if problem.condorcet_winner is None:
        fewer |= dict.fromkeys(_CONDORCET_ONLY, linear)
    if slow:
        fewer["ccb"] = settings.choose(5, 100)
    learners = [LearnerSpec(name) for name in _LEARNERS]
    return Experiment(problem, learners, horizon, runs, fewer=fewer)


def figure_claims(outcomes: RegretOutcomes) -> list[Claim]:
    """What the paper says of its figures, where the problems are among those run."""
    without = [o for o in outcomes if o.problem.condorcet_winner is None]
    drawn = [o for o in outcomes if o not in without and o.name.startswith("random")]
    parts = {"drawn": drawn, "large": [o for o in without if o.problem.arms == 16]}
    found = declared_claims("komiyama2016-figures", outcomes, without=without, **parts)
    for lower, ecw in (o.constants() for o in outcomes if o.name == "gap"):
        text = f"{ecw:.4f} / {lower:.4f} = {ecw / lower:.1f}"
        found.append(Claim("constants", text, ecw > 100 * lower))
    return found


def _figure_values(settings: Settings, outcomes: RegretOutcomes) -> dict[str, Any]:
    slopes = [
        [o.name, o.slope("ecw-rmed").text(".4g"), *(f"{c:.4f}" for c in reversed(o.constants()))]
        for o in outcomes
    ]
    return {
        "horizons": ", ".join(f"{o.name} to T = {o.experiment.horizon:,}" for o in outcomes),
        "slopes": PageTable(("problem", "slope of ECW-RMED", "C^E*", "C*"), slopes),
    }


# CW-RMED against ECW-RMED.

_NEAR = 0.25  # of a constant
_ALMOST = 0.2  # of a mean regret
_APART = 1.05  # constants that differ by less are not told apart
_BOTH = ("cw-rmed", "ecw-rmed")
_NO_BETA = {name: LearnerSpec(name, {"beta": 0.0}) for name in _BOTH}


def _cw_against_ecw(settings: Settings) -> list[Experiment]:
    """How many runs with beta = 0.01, and with 0."""
    with_beta = [LearnerSpec(name) for name in _BOTH]
    found = []
    for name, quick, full in (
        ("gap", (60, 20), (1000, 1000)),
        ("sushi", (3, 0), (100, 100)),
        ("cyclic", (200, 40), (1000, 400)),
        ("arxiv", (5, 0), (200, 200)),
    ):
        runs, without = settings.choose(quick, full)
        learners = [*with_beta, *_NO_BETA.values()] if without else with_beta
        fewer = {learner.name: without for learner in _NO_BETA.values()}
        found.append(Experiment(load_instance(name), learners, 10**8, runs, fewer=fewer))
    return found


def cw_claims(outcomes: RegretOutcomes) -> list[Claim]:
    """Slopes against their constants, CW-RMED against ECW-RMED, and beta = 0 against 0.01."""
    found = [_asymptotics(outcome, learner) for learner in _BOTH for outcome in outcomes]
    for outcome in outcomes:
        lower, ecw = outcome.constants()
        if ecw >= _APART * lower:
            ratio, words = outcome.ratio(*_BOTH), {"problem": outcome.name, "times": ecw / lower}
            text = f"{ratio.text('.2f')} times ECW-RMED's"
            found.append(Claim("less", text, ratio.within(high=1.0), words))
    return [*found, _without_beta(outcomes)]


def _asymptotics(outcome: Outcome, learner: str) -> Claim:
    """Whether regret grows as the learner's constant, and not as the other one, times ln T."""
    lower, ecw = outcome.constants()
    name, own, other = ("C*", lower, ecw) if learner == "cw-rmed" else ("C^E*", ecw, lower)
    slope, finals = outcome.slope(learner), outcome.finals(learner) / _leading(outcome, learner)
    words = {"problem": outcome.name, "learner": learner, "constant": name}
    return Claim(
        "slope",
        f"{len(finals)} runs: slope {slope.text('.4g')}; in all {finals.mean():.2f} {name} ln T on "
        f"average, {np.median(finals):.2f} in the median run",
        slope_shows(slope, own, other),
        words | {"lower": lower, "ecw": ecw, "near": _NEAR},
    )


def slope_shows(slope: ConfidenceInterval, own: float, other: float) -> bool | None:
    """Whether a slope is near its own constant, and not at the other one as well."""
    near = slope.within((1.0 - _NEAR) * own, (1.0 + _NEAR) * own)
    both = slope.low <= other <= slope.high or max(own, other) < _APART * min(own, other)
    return None if near and both else near


def _without_beta(outcomes: RegretOutcomes) -> Claim:
    pairs = [
        (outcome, name, spec.name)
        for outcome in outcomes
        for name, spec in _NO_BETA.items()
        if spec.name in outcome.runs
    ]
    runs = sum(len(outcome.runs[without]) for outcome, _, without in pairs)
    wrong = sum(_wrong(outcome, without) for outcome, _, without in pairs)
    ratios = {f"{o.name} {name}": o.ratio(without, name) for o, name, without in pairs}
    here = f"{{}}; {wrong} wrong answers in {runs} runs with beta = 0"
    ends: dict[str, Any] = {"low": 1.0 - _ALMOST, "high": 1.0 + _ALMOST, "almost": _ALMOST}
    return interval_claim("beta", ratios, ".2f", here=here, **ends)


def _leading(outcome: Outcome, learner: str) -> float:
    return outcome.constants()[learner.startswith("ecw")] * math.log(outcome.experiment.horizon)


def _wrong(outcome: Outcome, learner: str) -> int:
    winners = outcome.problem.copeland_winners
    return sum(answer not in winners for answer in outcome.runs[learner]["answer"])


def _cw_values(settings: Settings, outcomes: RegretOutcomes) -> dict[str, Any]:
    rows = [
        [*row, _wrong(o, str(row[1])), f"{_leading(o, str(row[1])):,.0f}"]
        for o in outcomes
        for row in o.rows()
    ]
    return {"regrets": PageTable((*HEAD, "wrong answers", "C ln T"), rows)}


# Table 1: mean constants of the regret bounds over random submatrices of 16 arms.

_PUBLISHED = {"C*": 6.7e2, "C^E*": 7.3e2, "CCB": 8.8e5}
_NEAR_SHARE, _NEAR_MEAN = 0.05, 0.2


def _table_1(settings: Settings) -> dict[str, Any]:
    matrix, count = settings.needed_matrix(), settings.choose(300, 10_000)
    tasks = [(matrix, settings.seed, number) for number in range(count)]
    frame = rows_in_parallel(_constants, tasks, settings, ["number"])
    table = frame.drop(columns="number").agg(["mean", "sem", "median"]).T
    table = table.assign(name=table.index, published=table.index.map(_PUBLISHED))
    columns = "= name; published : .2g; mean : .4g; standard error = sem : .2g; median : .4g"
    return {
        "claims": table_1_claims(frame),
        "count": count,
        "matrix": matrix.name,
        "constants": frame_table(table, columns),
    }


def _constants(matrix: PreferenceMatrix, seed: int, number: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    drawn = drawn_submatrix(matrix, 16, rng, least_gap=0.005)
    hard = copeland_hardness(drawn)
    return [
        {
            "number": number,
            "C*": copeland_bound(drawn).value,
            "C^E*": ecw_bound(drawn).value,
            "CCB": hard.ccb_bound,
            "CCB, A^(3)": hard.ccb_constant,
        }
    ]


def table_1_claims(frame: pd.DataFrame) -> list[Claim]:
    """The published means, and what the paper concludes from them."""
    found = {name: mean_interval(frame[name]) for name in _PUBLISHED}
    optimum = frame["C*"].mean()
    ecw, ccb = (mean_interval(frame[name] / optimum) for name in ("C^E*", "CCB"))
    factor = _PUBLISHED["CCB"] / _PUBLISHED["C*"]
    low, high = 1.0 - _NEAR_MEAN, 1.0 + _NEAR_MEAN
    return [
        Claim(
            "off",
            f"{found['C*'].text('.3g')} and {found['C^E*'].text('.3g')}: {ecw.value:.3f}",
            abs(ecw.value - 1.09) <= _NEAR_SHARE,
        ),
        Claim(
            "ccb",
            f"{found['CCB'].text('.3g')}, {ccb.text(',.0f')} times",
            ccb.within(low * factor, high * factor),
            {"factor": factor},
        ),
        Claim(
            "means",
            ", ".join(f"{n} {found[n].value / value:.2f} times" for n, value in _PUBLISHED.items()),
            all_hold(found[n].within(low * value, high * value) for n, value in _PUBLISHED.items()),
        ),
    ]


# Random submatrices of a large preference matrix.

_MOST_DRAWS = 100_000


def drawn_submatrix(
    matrix: PreferenceMatrix,
    arms: int,
    rng: np.random.Generator,
    *,
    least_gap: float,
    condorcet: bool | None = None,
) -> PreferenceMatrix:
    """A random submatrix without small gaps, with or without a Condorcet winner.

    Raises
    ------
    InputError
        Where the matrix has too few arms, or none is found in 100,000 draws.
    """
    if arms > matrix.arms:
        raise InputError(f"{matrix.name} has {matrix.arms} arms, expected at least {arms}")
    wide = matrix.gaps >= least_gap
    np.fill_diagonal(wide, val=True)
    kind = "" if condorcet is None else ("-condorcet" if condorcet else "-cycle")
    for _ in range(_MOST_DRAWS):
        chosen = _wide_apart(wide, arms, rng)
        if chosen is None:
            continue
        drawn = matrix.submatrix(chosen, name=f"random-{arms}{kind}")
        if condorcet is None or (drawn.condorcet_winner is not None) == condorcet:
            return drawn
    raise InputError(
        f"{matrix.name}: no submatrix of {arms} arms with gaps of at least {least_gap} and "
        f"{'a' if condorcet else 'no'} Condorcet winner in {_MOST_DRAWS:,} draws"
    )


def _wide_apart(wide: BoolArray, arms: int, rng: np.random.Generator) -> list[int] | None:
    """A uniform random set of arms, or None as soon as one of its gaps is too small."""
    chosen: list[int] = []
    for arm in rng.choice(len(wide), size=arms, replace=False).tolist():
        if not wide[arm, chosen].all():
            return None
        chosen.append(arm)
    return chosen


STUDIES = (
    regret_study(
        "komiyama2016-figure1", _figure_1, figure_claims, more=_figure_values, takes_matrix=True
    ),
    regret_study("komiyama2016-figure2", _figure_2, figure_claims, more=_figure_values),
    Study("komiyama2016-table1", _table_1, needs="matrix"),
    regret_study("komiyama2016-cw-rmed", _cw_against_ecw, cw_claims, more=_cw_values),
)
