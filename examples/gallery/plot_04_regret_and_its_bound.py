"""
Regret and what nobody can avoid
================================

Two learners run on a matrix for which the proved regret of ECW-RMED (dashed) is a hundred times the
least regret of any algorithm in the long run (dotted). ECW-RMED does better than its bound.
"""

import matplotlib.pyplot as plt
import numpy as np

import cpe_opt as cpe

mu = cpe.load_instance("gap")
horizon, runs = 100_000, 10
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
for learner in ("ecw-rmed", "ccb"):
    traces = [cpe.simulate(learner, mu, horizon=horizon, seed=seed) for seed in range(runs)]
    times = np.geomspace(10, horizon, 60).astype(int)
    curves = [np.interp(times, trace.time, trace.regret) for trace in traces]
    axes.plot(times, np.mean(curves, axis=0), label=f"{learner}, mean of {runs} runs")
axes.plot(times, cpe.copeland_bound(mu).value * np.log(times), "k:", label=r"$C^* \ln T$")
axes.plot(times, cpe.ecw_bound(mu).value * np.log(times), "k--", label=r"$C^{E*} \ln T$")
axes.set(xscale="log", yscale="log", ylim=(10, None), xlabel="T, duels", ylabel="regret")
axes.legend()
