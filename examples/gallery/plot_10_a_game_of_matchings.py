"""
A game of two matchings
=======================

Two sides propose who takes which of two positions, and the proposal that wins more duels wins. At
each position the candidates beat one another in a cycle, so no proposal beats all others; the
saddle point of a linear program says how to mix proposals so that neither side has an advantage.
"""

import matplotlib.pyplot as plt
import numpy as np

import cpe_opt as cpe

names, posts = ["Ada", "Ben", "Cleo"], ["editor", "speaker"]
graph = cpe.BipartiteGraph(
    3,
    2,
    [(candidate, post) for post in range(2) for candidate in range(3)],
    candidate_labels=names,
    position_labels=posts,
)
cycle = np.array([[0.5, 0.8, 0.3], [0.2, 0.5, 0.9], [0.7, 0.1, 0.5]])
duels = cpe.MatchingDuels(graph, np.kron(np.eye(2), cycle))
point = cpe.condorcet_value(duels.graph, duels.array)
labels = [duels.graph.label(edge) for edge in range(len(point.x))]
place = np.arange(len(labels))
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
axes.bar(place - 0.2, point.x, width=0.4, label="x")
axes.bar(place + 0.2, point.y, width=0.4, label="y")
axes.set_xticks(place, labels)
axes.set(ylabel="weight of the edge", xlabel="position: candidate")
axes.set_title(f"value {point.value:.4f}, gap {point.gap:.0e}")
axes.legend()
