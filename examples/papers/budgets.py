"""A fixed number of duels: how often learners name a wrong arm after it.

python examples/papers/budgets.py --full
"""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import study

import cpe_opt as cpe
from cpe_opt.problems.generators import bradley_terry

_PLAYED = {
    "uniform": ("uniform", 1.0),
    "uniform, half": ("uniform", 0.5),
    "halving": ("halving", 1.0),
    "adaptive, half": ("adaptive", 0.5),
    "adaptive": ("adaptive", 1.0),
}
"""The columns of the page: a method, and which part of the budget it has."""
_MORE_RUNS = ("uniform, half", "adaptive")


@cache
def problem_named(name: str) -> cpe.PreferenceMatrix:
    """A built-in instance, the first arms of one (``sushi-8``), or a random matrix."""
    kind, _, arms = name.rpartition("-")
    if kind == "bradley-terry":
        return bradley_terry(int(arms), seed=3)
    if kind == "sushi":
        return cpe.load_instance(kind).submatrix(range(int(arms)))
    if kind == "tournament":
        matrix, upper = np.full((int(arms), int(arms)), 0.5), np.triu_indices(int(arms), 1)
        matrix[upper] = np.random.default_rng(5).uniform(0.1, 0.9, len(upper[0]))
        matrix.T[upper] = 1.0 - matrix[upper]
        return cpe.PreferenceMatrix(matrix, name=name)
    return cpe.load_instance(name)


def wrong_answers(
    learner: str,
    name: str,
    column: str,
    method: str,
    budget: int,
    duels: int,
    runs: int,
    seed: tuple[int, int],
) -> list[dict[str, Any]]:
    """How many of some runs end with a wrong answer; the arms are in another order in each."""
    sums = {"wrong": 0, "proved": 0, "wrongly proved": 0, "estimated": 0.0}
    for number in range(runs):
        rng = np.random.default_rng([*seed, number])
        problem = problem_named(name)
        mixed = problem.submatrix(rng.permutation(problem.arms).tolist())
        winners = mixed.copeland_winners if "copeland" in learner else mixed.borda_winners
        run = int(rng.integers(2**31))
        trace = cpe.simulate(learner, mixed, budget=duels, method=method, seed=run)
        sums["wrong"] += trace.answer not in winners
        sums["proved"] += trace.proved
        sums["wrongly proved"] += trace.proved and trace.answer not in winners
        sums["estimated"] += trace.error_estimate
    row = {"learner": learner, "instance": name, "budget": budget, "column": column, "runs": runs}
    return [{**row, "block": seed[1], **sums}]


def values(settings: study.Settings) -> dict[str, Any]:
    """The page: one table for each learner, and what is claimed of all of them."""
    said = study.declared("fixed-budget")
    scale = said[settings.choose("quick", "full")]
    cells: list[tuple[str, str, str, str, int, int]] = []
    for learner, budgets in said["budgets"].items():
        for name, budget in budgets.items():
            for column, (method, share) in _PLAYED.items():
                duels = max(1, round(share * budget))
                cells.append((learner, name, column, method, budget, duels))
    tasks = [
        (learner, name, column, method, budget, duels, scale["runs"], (settings.seed, block))
        for learner, name, column, method, budget, duels in cells
        for block in range(scale["blocks" if column in _MORE_RUNS else "fewer"])
    ]
    tasks.sort(key=lambda task: -task[5])
    line = ["learner", "instance", "budget"]
    frame = study.rows_of_tasks(wrong_answers, tasks, settings, [*line, "column", "block"])
    sums = frame.groupby([*line, "column"]).sum(numeric_only=True)
    errors = map(study.failure_interval, sums["wrong"], sums["runs"])
    error: Any = pd.Series(list(errors), sums.index).unstack()
    last: Any = sums.xs("adaptive", level="column")
    for column in _PLAYED:
        last[column] = [each.text(".1%") for each in error[column]]
    last["estimated"], last["proved"] = (last[n] / last["runs"] for n in ("estimated", "proved"))
    last["arms"] = [problem_named(name).arms for _, name, _ in last.index]
    order = list(dict.fromkeys((learner, name, budget) for learner, name, _, _, budget, _ in cells))
    tables = {
        learner.partition("-")[0]: study.Table(last.loc[order].xs(learner).reset_index())
        for learner in said["budgets"]
    }
    runs = {"runs": scale["blocks"] * scale["runs"], "fewer": scale["fewer"] * scale["runs"]}
    clear = [n[1] in said["clear"].get(n[0], ()) for n in order]
    return {**runs, **tables, "claims": claims(error.loc[order], last, clear)}


def claims(error: pd.DataFrame, last: Any, clear: list[bool]) -> list[study.Claim]:
    """That adaptive duels err less often than uniform ones, and prove nothing that is wrong."""
    both = list(zip(error["adaptive"], error["uniform, half"], strict=True))
    ratios, less = [a.value / b.value for a, b in both], [below(a, b) for a, b in both]
    chosen = error[clear]
    half = list(zip(chosen["adaptive, half"], chosen["uniform"], strict=True))
    names = chosen.index.get_level_values("instance")
    pairs = [f"{a.text('.1%')}, uniform {b.text('.1%')}" for a, b in half]
    twice = [f"{name} {pair}" for name, pair in zip(names, pairs, strict=True)]
    runs, wrong = int(last["runs"].sum()), int(last["wrongly proved"].sum())
    return [
        study.Claim("half", f"{study.span(ratios, '.2f')} times as often", study.all_hold(less)),
        study.Claim("twice", "; ".join(twice), study.all_hold(below(a, b) for a, b in half)),
        study.Claim("proofs", study.errors_text(wrong, runs), wrong <= 0.05 * runs),
    ]


def below(one: study.Interval, other: study.Interval) -> bool | None:
    """Whether one is the smaller, if the intervals tell."""
    if one.high <= other.low:
        return True
    return False if one.low > other.high else None


STUDIES = (study.Study("fixed-budget", "budgets.py", values),)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
