"""A fixed number of duels: how often learners name a wrong arm after it.

python examples/papers/fixed_budget.py --full
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import study

import cpe_opt as cpe

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
        return cpe.load_problem(f"{kind}:{arms}:seed=3")
    if kind == "sushi":
        return cpe.load_instance(kind).submatrix(range(int(arms)))
    if kind == "tournament":
        matrix, upper = np.full((int(arms), int(arms)), 0.5), np.triu_indices(int(arms), 1)
        matrix[upper] = np.random.default_rng(5).uniform(0.1, 0.9, len(upper[0]))
        matrix.T[upper] = 1.0 - matrix[upper]
        return cpe.PreferenceMatrix(matrix, name=name)
    return cpe.load_instance(name)


def wrong_answers(
    learner: str, name: str, method: str, budget: int, runs: int, seed: tuple[int, int]
) -> list[dict[str, Any]]:
    """How many of some runs end with a wrong answer; the arms are in another order in each."""
    sums = {"wrong": 0, "proved": 0, "wrongly proved": 0, "estimated": 0.0}
    for number in range(runs):
        rng = np.random.default_rng([*seed, number])
        problem = problem_named(name)
        mixed = problem.submatrix(rng.permutation(problem.arms).tolist())
        winners = mixed.copeland_winners if "copeland" in learner else mixed.borda_winners
        run = int(rng.integers(2**31))
        trace = cpe.simulate(learner, mixed, budget=budget, method=method, seed=run)
        sums["wrong"] += trace.answer not in winners
        sums["proved"] += trace.proved
        sums["wrongly proved"] += trace.proved and trace.answer not in winners
        sums["estimated"] += trace.error_estimate
    row = {"learner": learner, "instance": name, "method": method, "budget": budget, "runs": runs}
    return [{**row, "block": seed[1], **sums}]


def values(settings: study.Settings) -> dict[str, Any]:
    """The page: one table for each learner, and what is claimed of all of them."""
    said = study.declared("fixed-budget")
    scale = said[settings.choose("quick", "full")]
    lines = [
        (learner, name, budget)
        for learner, budgets in said["budgets"].items()
        for name, budget in budgets.items()
    ]
    tasks = [
        (learner, name, method, duels(budget, share), scale["runs"], (settings.seed, block))
        for learner, name, budget in lines
        for column, (method, share) in _PLAYED.items()
        for block in range(scale["blocks" if column in _MORE_RUNS else "fewer"])
    ]
    tasks.sort(key=lambda task: -task[3])
    order = ["learner", "instance", "method", "budget", "block"]
    frame = study.rows_of_tasks(wrong_answers, tasks, settings, order)
    sums = frame.groupby(order[:-1]).sum(numeric_only=True)
    cells = {
        (learner, name, budget): {
            column: sums.loc[(learner, name, method, duels(budget, share))]
            for column, (method, share) in _PLAYED.items()
        }
        for learner, name, budget in lines
    }
    runs = {"runs": scale["blocks"] * scale["runs"], "fewer": scale["fewer"] * scale["runs"]}
    head = ["instance", "arms", "duels", *_PLAYED, "estimated", "proved"]
    tables = {}
    for learner in said["budgets"]:
        rows = [row_of(line, cell) for line, cell in cells.items() if line[0] == learner]
        tables[learner.partition("-")[0]] = study.table_of(head, rows)
    return {**runs, **tables, "claims": claims(cells, said["clear"])}


def duels(budget: int, share: float) -> int:
    """A part of the budget."""
    return max(1, round(share * budget))


def error(cell: Any) -> study.Interval:
    """The probability of a wrong answer."""
    return study.failure_interval(int(cell["wrong"]), int(cell["runs"]))


def row_of(line: tuple[str, str, int], cell: dict[str, Any]) -> list[str]:
    """A line of the page's table."""
    errors = [error(each).text(".1%") for each in cell.values()]
    last, (_, name, budget) = cell["adaptive"], line
    shares = [f"{last['estimated'] / last['runs']:.1%}", f"{last['proved'] / last['runs']:.0%}"]
    return [name, str(problem_named(name).arms), f"{budget:,}", *errors, *shares]


def claims(cells: dict[Any, dict[str, Any]], clear: dict[str, list[str]]) -> list[study.Claim]:
    """That adaptive duels err less often than uniform ones, and prove nothing that is wrong."""
    found = {line: {n: error(each) for n, each in cell.items()} for line, cell in cells.items()}
    ratios = [each["adaptive"].value / each["uniform, half"].value for each in found.values()]
    less = study.all_hold(below(each["adaptive"], each["uniform, half"]) for each in found.values())
    half = [
        (name, each["adaptive, half"], each["uniform"])
        for (learner, name, _), each in found.items()
        if name in clear.get(learner, ())
    ]
    twice = [f"{name} {a.text('.1%')}, uniform {b.text('.1%')}" for name, a, b in half]
    runs = int(sum(cell["adaptive"]["runs"] for cell in cells.values()))
    wrong = int(sum(cell["adaptive"]["wrongly proved"] for cell in cells.values()))
    return [
        study.Claim("half", f"{min(ratios):.2f} to {max(ratios):.2f} times as often", less),
        study.Claim("twice", "; ".join(twice), study.all_hold(below(a, b) for _, a, b in half)),
        study.Claim("proofs", study.errors_text(wrong, runs), wrong <= 0.05 * runs),
    ]


def below(one: study.Interval, other: study.Interval) -> bool | None:
    """Whether one is the smaller, if the intervals tell."""
    if one.high <= other.low:
        return True
    return False if one.low > other.high else None


STUDIES = (study.Study("fixed-budget", "fixed_budget.py", values),)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
