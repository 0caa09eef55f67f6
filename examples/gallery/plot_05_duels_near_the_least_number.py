"""
Near the least number of duels
==============================

The picture shows how many duels a learner takes until it has a proof, as a multiple of the least
number that any algorithm needs on average, as the allowed probability of an error falls. For small
delta the ratio goes to 1.
"""

import math

import matplotlib.pyplot as plt

import cpe_opt as cpe

exponents = (1, 2, 4, 8, 16)
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
for name in ("gap", "cyclic", "multisol"):
    mu = cpe.load_instance(name)
    least = cpe.copeland_time(mu).value
    ratios = []
    for exponent in exponents:
        delta = 10.0**-exponent
        runs = [cpe.simulate("copeland-tracking", mu, delta=delta, seed=s) for s in range(3)]
        mean = sum(trace.samples for trace in runs) / len(runs)
        ratios.append(mean / (least * math.log(1 / delta)))
    axes.plot([10.0**-e for e in exponents], ratios, "o-", label=name)
axes.axhline(1.0, color="black", linestyle=":")
axes.set(xscale="log", xlabel="δ", ylabel="duels / (T* ln(1/δ))", ylim=(0, None))
axes.invert_xaxis()
axes.legend(title="3 runs each")
