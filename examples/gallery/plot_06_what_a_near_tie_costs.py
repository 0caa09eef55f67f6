"""
What a near tie costs, and when it costs nothing
================================================

There are four arms, and the probability that the best beats the second comes nearer and nearer to
one half. The least number of duels grows like the inverse square of the distance, because the
second arm would win if it won this pair. A near tie of the last two costs nothing.
"""

import matplotlib.pyplot as plt
import numpy as np

import cpe_opt as cpe

base = np.array(
    [[0.5, 0.7, 0.7, 0.7], [0.3, 0.5, 0.7, 0.7], [0.3, 0.3, 0.5, 0.7], [0.3, 0.3, 0.3, 0.5]]
)
advantages = np.geomspace(0.005, 0.2, 15)
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
for i, j, who in ((0, 1, "the best and the second"), (2, 3, "the last two")):
    values = []
    for advantage in advantages:
        mu = base.copy()
        mu[i, j], mu[j, i] = 0.5 + advantage, 0.5 - advantage
        values.append(cpe.copeland_time(cpe.PreferenceMatrix(mu)).duels(0.05))
    axes.plot(advantages, values, "o-", label=f"a near tie of {who}")
axes.set(xscale="log", yscale="log", xlabel="advantage", ylabel="least duels at δ = 0.05")
axes.legend()
