"""A class of sets of your own: three shifts in a week, no two of them on consecutive days.

    python examples/own_class.py
    cpe-opt run clucb examples/own_class.py:week --runs 3

The class says which sets it has, and the rest follows: best sets, designs, learners. (If there are
too many sets to list, it gives the rows of an integer program instead: ``program_rows``.)
"""

from collections.abc import Iterator
from itertools import combinations, pairwise

import cpe_opt as cpe

DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


class Shifts(cpe.DecisionClass):
    """Three of n days, no two in a row."""

    def sets(self) -> Iterator[tuple[int, ...]]:
        for days in combinations(range(self.size), 3):
            if all(later - earlier > 1 for earlier, later in pairwise(days)):
                yield days


shifts = Shifts(7, DAYS)
week = cpe.SubsetBandit(shifts, [3.0, 1.0, 2.0, 2.5, 1.5, 4.0, 3.5], noise=0.5, name="week")

if __name__ == "__main__":
    best = cpe.best_subset(shifts, week.theta)
    print(f"{shifts.count()} sets; the best is {shifts.describe(best.elements)}")
    design = cpe.g_design(shifts)
    print(f"an optimal design from sums has the G value {design.value:.4f}")
    tracking = {"delta": 0.05, "noise": 0.5, "feedback": "sums"}
    for learner, told in (("clucb", {}), ("icb", {"noise": 0.5}), ("subset-tracking", tracking)):
        trace = cpe.simulate(learner, week, seed=0, **told)
        print(f"{learner}: {shifts.describe(trace.answer)} after {trace.samples:,} pulls")
