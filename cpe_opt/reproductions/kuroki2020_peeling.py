"""Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020): figure 1, how good greedy peeling is."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.experiments.drawing import Line, draw_lines, label_lines, save
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.formulations.designs.design import Design
from cpe_opt.formulations.designs.optimal import g_design
from cpe_opt.formulations.designs.uniform import uniform_design
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.quadratic.maximise import ellipsoid_maximum
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.exhaustive import Enumeration
from cpe_opt.learners.subsets.sa_foa import first_order_gap_bound
from cpe_opt.learners.subsets.static_allocation import Snapshot, checked_aim, sample_until
from cpe_opt.problems.generators import planted_subsets
from cpe_opt.problems.queries import PullSets
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.reproductions.kuroki2020 import CHOSEN, DELTA, PAPER, SIZE
from cpe_opt.reproductions.page import Claim, Page, Section
from cpe_opt.reproductions.rows import rows_in_parallel
from cpe_opt.reproductions.settings import Settings
from cpe_opt.reproductions.statistics import all_hold, mean_interval, share_interval
from cpe_opt.reproductions.studies import INTERVALS
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd

_HORIZON = 100_000
_SUPPORTS = (2, 5)  # random sets of a support, times n
_LEAST, _ALWAYS = 0.9, 0.95
_BINS = 8  # of a decade of rounds, in the picture
_ABOUT = 0.02  # of the ratio 0.95
_RATIOS = ("saqm", "sa-foa")


def figure_1(settings: Settings) -> Page:
    """How near peeling comes to the two maxima that the algorithms need."""
    gaps, runs = (0.1, 1.0), settings.choose(15, 50)
    tasks = [
        (SIZE, CHOSEN, gap, times * SIZE, seed)
        for gap in gaps
        for times in _SUPPORTS
        for seed in run_seeds(settings.seed, runs)
    ]
    frame = rows_in_parallel(_precision, tasks, settings, ["sets", "gap", "seed", "t"])
    supports = _support_ratios(runs)
    return Page(
        settings.name,
        "Approximation of the maxima by greedy peeling: figure 1",
        f"{PAPER}, figure 1",
        settings.command,
        f"n = {SIZE}, k = {CHOSEN}, gaps {', '.join(map(str, gaps))}, {runs} random problems each, "
        f"{_HORIZON:,} pulls, sigma = k. For SAQM the norm of peeling's set over the largest one; "
        "for SA-FOA its Z' over that of enumeration (both with the best set among them). The "
        "paper's allocation is a G-allocation over a support that it does not name. Here it is "
        f"the G-optimal design over {' and '.join(str(m * SIZE) for m in _SUPPORTS)} random sets, "
        "drawn anew for every problem; over all sets every norm is equal, and a ratio of norms "
        f"says nothing. {INTERVALS}",
        claims(frame),
        [
            Section("Ratios and errors", picture=_precision_picture(frame, settings)),
            Section(
                "Means",
                "Over all looks, which are evenly spaced on a log scale.",
                ("sets", "gap", "SAQM ratio", "SA-FOA ratio", "SAQM error", "SA-FOA error"),
                [
                    [sets, gap]
                    + [f"{rows[name].mean():.4f}" for name in _RATIOS]
                    + [f"{rows[f'{name} error'].mean():.3g}" for name in _RATIOS]
                    for (sets, gap), rows in frame.groupby(["sets", "gap"])
                ],
            ),
            Section(
                "SAQM's ratio by the support",
                f"It depends on the design alone. Over {runs} random supports each, how often it "
                f"is above {_LEAST}, and its mean: with few sets the norms differ much, and "
                "peeling finds the largest less well.",
                ("random sets", f"G-optimal over them: above {_LEAST}", "mean",
                 f"uniform: above {_LEAST}", "mean"),
                [
                    [sets, f"{(g > _LEAST).mean():.0%}", f"{g.mean():.3f}",
                     f"{(uniform > _LEAST).mean():.0%}", f"{uniform.mean():.3f}"]
                    for sets, g, uniform in supports
                ],
            ),
        ],
        settings.quick,
    )  # fmt: skip


def claims(frame: pd.DataFrame) -> list[Claim]:
    """What the paper says of ratios with a G-allocation, by support, from rows of looks."""
    small = frame[frame["gap"] == frame["gap"].min()]
    above = {
        (sets, name): share_interval((rows[name] > _LEAST).groupby(rows["seed"]).mean())
        for sets, rows in frame.groupby("sets")
        for name in _RATIOS
    }
    means = {
        sets: mean_interval(rows.groupby("seed")["sa-foa"].mean())
        for sets, rows in small.groupby("sets")
    }
    gains = {sets: mean_interval(_gain(rows)) for sets, rows in small.groupby("sets")}
    return [
        Claim(
            "with a G-allocation the approximation ratios are almost always greater than 0.9",
            f"in at least {_ALWAYS:.0%} of the looks, for both supports, the 95 % intervals too",
            "; ".join(
                f"{sets} sets, {name}: {share.text('.0%')}" for (sets, name), share in above.items()
            ),
            all_hold(share.within(low=_ALWAYS) for share in above.values()),
        ),
        Claim(
            "SA-FOA's ratio is about 0.95 for the small gap",
            f"the mean ratio is within {_ABOUT} of 0.95, for both supports, the 95 % intervals too",
            "; ".join(f"{sets} sets: {mean.text('.3f')}" for sets, mean in means.items()),
            all_hold(mean.within(0.95 - _ABOUT, 0.95 + _ABOUT) for mean in means.values()),
        ),
        Claim(
            "and grows with the rounds",
            "on the same runs, the mean ratio of the last nine tenths of the rounds less that of "
            "the first hundredth is above 0, for both supports, the 95 % intervals too",
            "; ".join(f"{sets} sets: {gain.text('+.3f')}" for sets, gain in gains.items()),
            all_hold(gain.within(low=0.0) for gain in gains.values()),
        ),
    ]


def _gain(rows: pd.DataFrame) -> pd.Series:
    """By how much SA-FOA's ratio grows from early to late looks, run by run."""
    early = rows[rows["t"] <= _HORIZON / 100].groupby("seed")["sa-foa"].mean()
    return rows[rows["t"] > _HORIZON / 10].groupby("seed")["sa-foa"].mean() - early


def _support_ratios(runs: int) -> list[tuple[int, FloatArray, FloatArray]]:
    """SAQM's ratio for the G-optimal and the uniform design over random sets, by their number."""
    decisions = TopK(SIZE, CHOSEN)
    found = []
    for sets in (2 * SIZE, 3 * SIZE, 5 * SIZE, 10 * SIZE):
        uniform = [uniform_design(decisions, sets=sets, seed=seed) for seed in range(runs)]
        best = [g_design(design.vectors) for design in uniform]
        g, equal = (np.array([_saqm_ratio(design) for design in part]) for part in (best, uniform))
        found.append((sets, g, equal))
    return found


def _saqm_ratio(design: Design) -> float:
    """SAQM's ratio where pulls have exactly a design's shares."""
    decisions = TopK(SIZE, CHOSEN)
    inverse = np.asarray(np.linalg.inv(design.information))
    peeled, largest = _peeled_and_largest(inverse, decisions, decisions.indicator_matrix())
    return peeled / largest


def _peeled_and_largest(
    inverse: FloatArray, decisions: DecisionClass, every: FloatArray
) -> tuple[float, float]:
    """The norm of the set that peeling finds, and the largest of all sets."""
    peeled = ellipsoid_maximum(decisions, inverse, "peeling").value
    largest = float(quadratic_forms(every, inverse).max())
    return peeled**0.5, largest**0.5


def _precision(n: int, k: int, gap: float, sets: int, seed: int) -> list[dict[str, Any]]:
    """Ratios and errors at looks of one run."""
    bandit = planted_subsets(n, k, gap=gap, seed=seed)
    design = g_design(uniform_design(bandit.decisions, sets=sets, seed=seed).vectors)
    listing, rows = Enumeration(bandit.decisions), list[dict[str, Any]]()
    aim = checked_aim(bandit.decisions, 0.0, DELTA, 1.0, None)
    rng = np.random.default_rng(seed)
    every = bandit.decisions.indicator_matrix()

    def note(look: Snapshot) -> bool:
        radius = aim.ellipsoid_radius(look.t, bandit.decisions)
        peeled, largest = _peeled_and_largest(look.inverse, bandit.decisions, every)
        true = look.value + max(0.0, listing.largest_gap_bound(look, radius))
        anchors = look.support[rng.integers(len(look.support), size=n)] > 0.5
        found = look.value + max(0.0, first_order_gap_bound(look, radius, anchors, "peeling"))
        rows.append(
            {
                "gap": gap,
                "sets": sets,
                "seed": seed,
                "t": look.t,
                "saqm": peeled / largest,
                "sa-foa": found / true,
                "saqm error": radius * (largest - peeled),
                "sa-foa error": true - found,
            }
        )
        return False

    def learner(
        decisions: DecisionClass, *, rng: np.random.Generator
    ) -> Generator[PullSets, FloatArray, tuple[int, ...]]:
        return (yield from sample_until(SubsetOracle(decisions), design, note, rng=rng, growth=1.1))

    simulate(learner, bandit, horizon=_HORIZON, seed=seed)
    return rows


def _nearby(t: pd.Series) -> FloatArray:
    """Rounds, rounded on a log scale: runs with supports of other sizes look at other rounds."""
    return np.asarray(10.0 ** (np.round(np.log10(t.to_numpy()) * _BINS) / _BINS))


def _precision_picture(frame: pd.DataFrame, settings: Settings) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 6.8), layout="constrained", dpi=120)
    axes = figure.subplots(2, len(_SUPPORTS), sharex=True, sharey="row")
    lines: dict[Any, dict[str, Line]] = {}
    for column, (sets, rows) in enumerate(frame.groupby("sets")):
        for row, (what, label) in enumerate(
            (
                ("", "approximation ratio (1: the maximum)"),
                (" error", "additive error of the maximum"),
            )
        ):
            axis = axes[row, column]
            axis.set_xscale("log")
            if row:
                axis.set_yscale("symlog", linthresh=0.01)
                axis.set_xlabel("pulls")
            else:
                axis.set_title(f"G-optimal design over {sets} random sets")
            means = {
                f"{name}, gap {gap:g}": runs.groupby(_nearby(runs["t"]))[name + what].mean()
                for gap, runs in rows.groupby("gap")
                for name in _RATIOS
            }
            lines[axis] = {name: (m.index.to_numpy(), m.to_numpy()) for name, m in means.items()}
            draw_lines(axis, lines[axis])
            if column == 0:
                axis.set_ylabel(label)
            axis.grid(visible=True, alpha=0.3)
    for axis, drawn in lines.items():
        label_lines(axis, drawn)
    return save(figure, settings.file(".png"))
