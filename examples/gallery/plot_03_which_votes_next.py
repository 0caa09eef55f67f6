"""
Which votes to buy next
=======================

The picture shows how many further duels of which pair would prove a Copeland winner, if the
estimates are right: few pairs matter, and the close ones among them cost the most.
"""

import matplotlib.pyplot as plt
import numpy as np

import cpe_opt as cpe

mu = cpe.load_instance("sushi")
wins = np.rint(60 * mu.array).astype(int)  # sixty duels of each pair, rounded to the mean
np.fill_diagonal(wins, 0)
found = cpe.evidence(cpe.Votes(wins, mu.labels), delta=0.05)

figure, axes = plt.subplots(figsize=(7, 6), layout="constrained")
remaining = found.remaining.duels
assert remaining is not None  # None where no number of duels is enough
duels = np.where(remaining > 0, remaining, np.nan)
image = axes.imshow(duels, cmap="viridis_r")
axes.set_xticks(range(mu.arms), mu.labels, rotation=90)
axes.set_yticks(range(mu.arms), mu.labels)
axes.set_title(
    f"{found.remaining.cost:,.0f} further duels, on {np.isfinite(duels).sum() // 2} of 120 pairs"
)
figure.colorbar(image, label="further duels of the pair")
