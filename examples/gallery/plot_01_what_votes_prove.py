"""
What votes prove
================

Five hundred votes on seven dishes are drawn from a ranking with noise. Full colours are proved,
pale ones are estimates; the three columns say which dish is, may be, or cannot be a winner. All of
this holds at once with probability at least 0.95, however often one looks.
"""

import numpy as np

import cpe_opt as cpe

rng = np.random.default_rng(4)
dishes = ["tuna", "salmon", "eel", "squid", "egg", "roe", "cucumber"]
strength = np.array([3.0, 2.8, 2.0, 1.2, 1.0, 0.5, 0.0])
wins = np.zeros((7, 7), int)
for _ in range(500):
    first, second = rng.choice(7, size=2, replace=False)
    ahead = rng.random() < 1 / (1 + np.exp(strength[second] - strength[first]))
    wins[(first, second) if ahead else (second, first)] += 1

found = cpe.evidence(cpe.Votes(wins, dishes), delta=0.05)
print(found.explanations["salmon"].pairs)  # the pairs that would have to turn for salmon to win
figure = cpe.plot_evidence(found).figure
