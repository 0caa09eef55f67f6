"""Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020): figure 1, how good greedy peeling is."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.experiments.plots import save
from cpe_opt.experiments.reproduce.kxmhs import CHOSEN, DELTA, PAPER, SIZE
from cpe_opt.experiments.reproduce.page import Claim, Page, Section
from cpe_opt.experiments.reproduce.rows import rows_in_parallel
from cpe_opt.experiments.reproduce.settings import Settings
from cpe_opt.experiments.runs import run_seeds
from cpe_opt.formulations.design import Design, g_optimal, uniform_design
from cpe_opt.formulations.ellipsoid import maximise_ellipsoid
from cpe_opt.formulations.quadratic_search import quadratic_forms
from cpe_opt.learners.exhaustive import EverySet
from cpe_opt.learners.full_bandit import DesignName, Look, checked_aim, sample_until
from cpe_opt.learners.queries import PullSets
from cpe_opt.learners.sa_foa import first_order_lead
from cpe_opt.modelling.program import FloatArray
from cpe_opt.problems.decisions import DecisionClass, TopK
from cpe_opt.problems.subsets import planted_subsets
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd

_HORIZON = 100_000
_DESIGNS = ("g", "uniform")


def figure_1(settings: Settings) -> Page:
    """How near peeling comes to the two maxima that the algorithms need."""
    gaps, runs = (0.1, 1.0), settings.choose(10, 50)
    tasks = [
        (SIZE, CHOSEN, gap, design, seed)
        for gap in gaps
        for design in _DESIGNS
        for seed in run_seeds(settings.seed, runs)
    ]
    frame = rows_in_parallel(_precision, tasks, settings, ["design", "gap", "t"])
    least = {
        design: float(
            frame[(frame["design"] == design) & (frame["gap"] == min(gaps))]["sa-foa"].mean()
        )
        for design in _DESIGNS
    }
    ratios = ["saqm", "sa-foa"]
    above = {
        (design, name): float((frame[frame["design"] == design][name] > 0.9).mean())
        for design in _DESIGNS
        for name in ratios
    }
    small = frame[(frame["gap"] == min(gaps)) & (frame["design"] == "uniform")]
    late = small[small["t"] > _HORIZON / 10]["sa-foa"].mean()
    early = small[small["t"] <= _HORIZON / 100]["sa-foa"].mean()
    supports = _support_ratios(runs)
    return Page(
        settings.name,
        "Approximation of the maxima by greedy peeling: figure 1",
        f"{PAPER}, figure 1",
        settings.command,
        f"n = {SIZE}, k = {CHOSEN}, gaps {', '.join(map(str, gaps))}, {runs} random problems each, "
        f"{_HORIZON:,} pulls, sigma = k. For SAQM the norm of peeling's set over the largest one; "
        "for SA-FOA its Z' over that of enumeration (both with the best set among them). "
        "The paper's allocation is a G-allocation over a support that it does not name. Here it is "
        "the G-optimal design over all sets, where all of them have the same norm; a uniform "
        "design over 2n random sets stands beside it.",
        [
            Claim(
                "with a G-allocation the approximation ratios are almost always greater than 0.9",
                "; ".join(
                    f"{design} design: SAQM {above[design, 'saqm']:.0%}, SA-FOA "
                    f"{above[design, 'sa-foa']:.0%} of the looks"
                    for design in _DESIGNS
                ),
                all(above["g", name] > 0.9 for name in ratios),
            ),
            Claim(
                "SA-FOA's ratio is about 0.95 for the small gap",
                ", ".join(f"{design} design {least[design]:.3f}" for design in _DESIGNS),
                all(value > 0.9 for value in least.values()),
            ),
            Claim(
                "and grows with the rounds",
                f"uniform design, gap {min(gaps)}: {early:.3f} in the first hundredth of the "
                f"rounds, {late:.3f} in the last nine tenths",
                bool(late > early),
            ),
        ],
        [
            Section("Ratios and errors", picture=_precision_picture(frame, settings)),
            Section(
                "Means",
                "Over all looks, which are evenly spaced on a log scale.",
                ("design", "gap", "SAQM ratio", "SA-FOA ratio", "SAQM error", "SA-FOA error"),
                [
                    [design, gap]
                    + [f"{rows[name].mean():.4f}" for name in ("saqm", "sa-foa")]
                    + [f"{rows[name].mean():.3g}" for name in ("saqm error", "sa-foa error")]
                    for (design, gap), rows in frame.groupby(["design", "gap"])
                ],
            ),
            Section(
                "SAQM's ratio by the support",
                f"It depends on the design alone. Over {runs} random supports each, how often it "
                "is above 0.9, and its mean: with few sets the norms differ much, and "
                "peeling finds the largest less well.",
                ("random sets", "G-optimal over them: above 0.9", "mean", "uniform: above 0.9",
                 "mean"),
                [
                    [sets, f"{(g > 0.9).mean():.0%}", f"{g.mean():.3f}",
                     f"{(uniform > 0.9).mean():.0%}", f"{uniform.mean():.3f}"]
                    for sets, g, uniform in supports
                ],
            ),
        ],
    )  # fmt: skip


def _support_ratios(runs: int) -> list[tuple[int, FloatArray, FloatArray]]:
    """SAQM's ratio for the G-optimal and the uniform design over random sets, by their number."""
    decisions = TopK(SIZE, CHOSEN)
    found = []
    for sets in (2 * SIZE, 3 * SIZE, 5 * SIZE, 10 * SIZE):
        uniform = [uniform_design(decisions, sets=sets, seed=seed) for seed in range(runs)]
        best = [g_optimal(design.vectors) for design in uniform]
        g, equal = (np.array([_saqm_ratio(design) for design in part]) for part in (best, uniform))
        found.append((sets, g, equal))
    return found


def _saqm_ratio(design: Design) -> float:
    """SAQM's ratio where pulls have exactly a design's shares."""
    decisions = TopK(SIZE, CHOSEN)
    inverse = np.asarray(np.linalg.inv(design.information))
    peeled, largest = _peeled_and_largest(inverse, decisions, decisions.listed())
    return peeled / largest


def _peeled_and_largest(
    inverse: FloatArray, decisions: DecisionClass, every: FloatArray
) -> tuple[float, float]:
    """The norm of the set that peeling finds, and the largest of all sets."""
    peeled = maximise_ellipsoid(inverse, decisions, "peeling").value
    largest = float(quadratic_forms(every, inverse).max())
    return peeled**0.5, largest**0.5


def _precision(n: int, k: int, gap: float, design: str, seed: int) -> list[dict[str, Any]]:
    """Ratios and errors at looks of one run."""
    bandit = planted_subsets(n, k, gap=gap, seed=seed)
    listing, rows = EverySet(bandit.decisions), list[dict[str, Any]]()
    aim = checked_aim(bandit.decisions, 0.0, DELTA, 1.0, None)
    rng = np.random.default_rng(seed)
    every = bandit.decisions.listed()

    def note(look: Look) -> bool:
        radius = aim.ellipsoid_radius(look.t, bandit.decisions)
        peeled, largest = _peeled_and_largest(look.inverse, bandit.decisions, every)
        true = look.value + max(0.0, listing.largest_lead(look, radius))
        anchors = look.support[rng.integers(len(look.support), size=n)] > 0.5
        found = look.value + max(0.0, first_order_lead(look, radius, anchors, "peeling"))
        rows.append(
            {
                "gap": gap,
                "design": design,
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
        chosen: DesignName = "uniform" if design == "uniform" else "g"
        return (yield from sample_until(decisions, chosen, note, rng=rng, growth=1.1))

    simulate(learner, bandit, horizon=_HORIZON, seed=seed)
    return rows


def _precision_picture(frame: pd.DataFrame, settings: Settings) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 6.4), layout="constrained", dpi=120)
    axes = figure.subplots(2, 2, sharex=True)
    for column, design in enumerate(_DESIGNS):
        for row, what in enumerate(("", " error")):
            axis = axes[row, column]
            for number, (gap, runs) in enumerate(frame[frame["design"] == design].groupby("gap")):
                mean = runs.groupby("t").mean(numeric_only=True)
                for name, style in (("saqm", "-"), ("sa-foa", "--")):
                    axis.plot(
                        mean.index,
                        mean[name + what],
                        style,
                        color=f"C{number}",
                        label=f"{name}, gap {gap:g}",
                    )
            axis.set_xscale("log")
            axis.grid(visible=True, alpha=0.3)
            if row:
                axis.set_yscale("symlog", linthresh=0.01)
                axis.set_xlabel("pulls")
                axis.set_ylabel("additive error")
            else:
                axis.set_title(f"{'G-optimal' if design == 'g' else 'uniform'} design")
                axis.set_ylabel("approximation ratio")
                axis.set_ylim(top=1.01)
    axes[0, 0].legend(fontsize="small")
    return save(figure, settings.file(".png"))
