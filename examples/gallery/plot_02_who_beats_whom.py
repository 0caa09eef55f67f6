"""
The proved comparisons as a graph
=================================

These are the votes of a small leaderboard with a cycle at the top: paper beats rock, scissors beat
paper, rock beats scissors, and all three beat the rest. An arrow is a proved comparison.
"""

import cpe_opt as cpe
from cpe_opt.reports.evidence_plot import plot_beats

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
figure = plot_beats(found).figure
