"""The regret of five runs of regret tracking on the cyclic instance, and the bound."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREY, panels

import cpe_opt as cpe

ROUNDS, RUNS = 10**9, 5


def draw() -> Figure:
    """One panel: regret over rounds on a log scale."""
    mu = cpe.load_instance("cyclic")
    bound = cpe.copeland_bound(mu).value
    figure, (axes,) = panels(height=3.6)
    for seed in range(RUNS):
        trace = cpe.simulate("regret-tracking", mu, horizon=ROUNDS, seed=seed)
        axes.plot(trace.time, trace.regret, color=BLUE, lw=1.0)
    grid = np.geomspace(10, ROUNDS, 50)
    axes.plot(grid, bound * np.log(grid), color=GREY, lw=1.4)
    axes.text(10**5, bound * np.log(10**5) + 40, "C* ln t", color=GREY, ha="right")
    axes.text(10**6, 90, "five runs", color=BLUE)
    axes.set(xscale="log", xlim=(10, ROUNDS), ylim=(0, None))
    axes.set(xlabel="round t", ylabel="regret")
    return figure
