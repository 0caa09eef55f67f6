"""
An exponential program, and the rows that matter
================================================

The program of the regret bound has a row for every set of pairs whose flips make another arm the
winner: exponentially many. The separation oracle finds those that an optimum needs.
"""

import matplotlib.pyplot as plt

import cpe_opt as cpe
from cpe_opt.problems.generators import mslr_like

sizes, every, needed = (6, 8, 10, 14, 18, 24), [], []
for arms in sizes:
    mu = mslr_like(arms, seed=3)
    result = cpe.copeland_bound(mu).result
    assert result is not None  # None with a closed form
    needed.append(result.cuts)
    if arms <= 18:
        every.append(cpe.copeland_bound_program(mu, method="enumerate").shape[0])

figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
axes.plot(sizes[: len(every)], every, "s-", label="all rows")
axes.plot(sizes, needed, "o-", label="rows that the cutting planes needed")
axes.set(yscale="log", xticks=sizes, xlabel="arms", ylabel="rows")
axes.legend()
