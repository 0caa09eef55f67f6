"""What tracking needs on the cyclic instance, by the least number of duels, as delta falls."""

from __future__ import annotations

from matplotlib.figure import Figure
from style import BLUE, GREY, ORANGE, panels

import cpe_opt as cpe

EXPONENTS = (1, 2, 5, 10, 20, 40, 80)
RUNS = 5


def draw() -> Figure:
    """One panel: two learners."""
    cyclic = cpe.load_instance("cyclic")
    figure, (axes,) = panels(height=3.4)
    learners = (
        ("copeland-tracking", cpe.copeland_time(cyclic), BLUE, "o-"),
        ("condorcet-tracking", cpe.condorcet_time(cyclic), ORANGE, "s-"),
    )
    for name, least, colour, style in learners:
        deltas = [10.0**-each for each in EXPONENTS]
        ratios = [mean_duels(name, cyclic, delta) / least.duels(delta) for delta in deltas]
        axes.plot(EXPONENTS, ratios, style, color=colour, label=name)
    axes.axhline(1.0, color=GREY, lw=1, ls="--")
    axes.text(1, 1.05, "nobody below, on average", color=GREY, va="bottom")
    axes.set(xscale="log", xticks=EXPONENTS, ylim=(0, 9))
    axes.set_xticklabels([f"10$^{{-{each}}}$" for each in EXPONENTS])
    axes.minorticks_off()
    axes.set(xlabel="probability of an error, delta", ylabel="duels / the least number")
    axes.legend(frameon=False)
    return figure


def mean_duels(name: str, problem: cpe.PreferenceMatrix, delta: float) -> float:
    """Over a few runs."""
    runs = [cpe.simulate(name, problem, delta=delta, seed=seed) for seed in range(RUNS)]
    return sum(run.samples for run in runs) / RUNS
