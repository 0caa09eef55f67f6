"""
A plan that changes with what is at stake
=========================================

The picture shows how much to purify at each of four sources, as the damage of pollution is
weighted more and more heavily: a separable model with a decision in whole units, solved to
optimality at each point.
"""

import matplotlib.pyplot as plt
import numpy as np

import cpe_opt as cpe

plan = cpe.load_instance("water")
assert isinstance(plan.model, cpe.WaterPlan)
factors = np.linspace(0.2, 2.0, 40)
amounts = np.array([cpe.water_plan(plan.model, plan.theta * factor).amounts for factor in factors])
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
axes.stackplot(factors, amounts.T, labels=plan.model.labels, step="post", alpha=0.8)
axes.set(xlabel="the parameters, as multiples of the instance's", ylabel="units to purify")
axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
