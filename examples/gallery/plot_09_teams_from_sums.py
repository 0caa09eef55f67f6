"""
The best team from its results alone
====================================

There are eight workers and teams of four, and only a team's result can be seen. The picture shows
what learners need as the gap between the best and the second-best team closes, and the least number
of results.
"""

from typing import Any

import matplotlib.pyplot as plt

import cpe_opt as cpe

gaps = (0.2, 0.4, 0.7, 1.0)
learners: dict[str, dict[str, Any]] = {
    "icb": {},
    "icb at σ = √k": {"sigma": 2.0},
    "subset-tracking": {"feedback": "sums"},
}
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
for name, parameters in learners.items():
    pulls = []
    for gap in gaps:
        teams = cpe.planted_subsets(8, 4, gap=gap, seed=0)
        learner = name.split()[0]
        run = cpe.simulate(learner, teams, delta=0.05, seed=0, **parameters)
        pulls.append(run.samples)
    axes.plot(gaps, pulls, "o-", label=name)
least = [
    cpe.subset_time(cpe.planted_subsets(8, 4, gap=gap, seed=0), "sums").pulls(0.05) for gap in gaps
]
axes.plot(gaps, least, "k:", label="no algorithm needs fewer on average")
axes.set(xscale="log", yscale="log", xlabel="gap", ylabel="results of teams, δ = 0.05")
axes.set_xticks(gaps, [f"{gap:g}" for gap in gaps])
axes.minorticks_off()
axes.legend()
