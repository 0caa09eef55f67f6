"""
The proved comparisons as a graph
=================================

These are the votes of a small leaderboard with a cycle at the top: paper beats rock, scissors beat
paper, rock beats scissors, and all three beat the rest. An arrow leads from one arm down to another
that it is proved to beat; arms of a cycle are in one box, and arrows that a longer path replaces
are left out.
"""

import matplotlib.pyplot as plt
import networkx as nx

import cpe_opt as cpe

names = ["rock", "paper", "scissors", "string", "water"]
wins = [
    [0, 20, 80, 75, 90],
    [80, 0, 22, 76, 85],
    [20, 78, 0, 77, 88],
    [25, 24, 23, 0, 54],
    [10, 15, 12, 46, 0],
]
found = cpe.evidence(cpe.Votes(wins, names), delta=0.05)
print({name: found.copeland[name] for name in names})
beats = nx.from_numpy_array(found.beats.astype(int), create_using=nx.DiGraph)
cycles = nx.condensation(beats)
lines = nx.transitive_reduction(cycles)
for row, some in enumerate(nx.topological_generations(lines)):
    for n in some:
        lines.nodes[n]["row"] = -row
texts = {n: "\n".join(names[arm] for arm in arms) for n, arms in cycles.nodes("members")}
places = nx.multipartite_layout(lines, "row", align="horizontal")
figure, axes = plt.subplots(figsize=(5, 4))
nx.draw_networkx_edges(lines, places, ax=axes, node_size=3000, edge_color="#0072B2")
for n, (x, y) in places.items():
    axes.text(x, y, texts[n], ha="center", va="center", bbox={"boxstyle": "round", "fc": "white"})
axes.axis("off")
