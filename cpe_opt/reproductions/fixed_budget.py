"""A fixed number of duels: how often learners name a wrong arm after it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.problems.catalogue import load_instance
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.random_matrices import bradley_terry
from cpe_opt.reproductions.claims import (
    Claim,
    ConfidenceInterval,
    all_hold,
    errors_text,
    failure_interval,
)
from cpe_opt.reproductions.study import (
    PageTable,
    Rows,
    Settings,
    Study,
    declared,
    rows_in_parallel,
)
from cpe_opt.simulation.driver import simulate

if TYPE_CHECKING:
    import pandas as pd

_NAME = "fixed-budget"
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
def problem_named(name: str) -> PreferenceMatrix:
    """A built-in instance, the first arms of one (``sushi-8``), or a random matrix."""
    kind, _, arms = name.rpartition("-")
    if kind == "bradley-terry":
        return bradley_terry(int(arms), seed=3)
    if kind == "sushi":
        return load_instance(kind).submatrix(range(int(arms)))
    if kind == "tournament":
        matrix, upper = np.full((int(arms), int(arms)), 0.5), np.triu_indices(int(arms), 1)
        matrix[upper] = np.random.default_rng(5).uniform(0.1, 0.9, len(upper[0]))
        matrix.T[upper] = 1.0 - matrix[upper]
        return PreferenceMatrix(matrix, name=name)
    return load_instance(name)


def wrong_answers(
    learner: str, name: str, method: str, budget: int, runs: int, seed: tuple[int, int]
) -> Rows:
    """How many of some runs end with a wrong answer; the arms are in another order in each."""
    problem, wrong, wrongly_proved, estimated, proved = problem_named(name), 0, 0, 0.0, 0
    for number in range(runs):
        rng = np.random.default_rng([*seed, number])
        mixed = problem.submatrix(rng.permutation(problem.arms).tolist())
        winners = mixed.copeland_winners if "copeland" in learner else mixed.borda_winners
        run = int(rng.integers(2**31))
        trace = simulate(learner, mixed, budget=budget, method=method, seed=run)
        wrong += trace.answer not in winners
        proved += trace.proved
        wrongly_proved += trace.proved and trace.answer not in winners
        estimated += trace.error_estimate
    row = {"learner": learner, "instance": name, "method": method, "budget": budget, "runs": runs}
    counts = {"wrong": wrong, "proved": proved, "wrongly proved": wrongly_proved}
    return [{**row, "block": seed[1], **counts, "estimated": estimated}]


def _values(settings: Settings) -> Mapping[str, Any]:
    """The page: one table for each learner, and what is claimed of all of them."""
    said = declared(_NAME)
    scale = said[settings.choose("quick", "full")]
    tasks = [
        (
            learner,
            name,
            method,
            max(1, round(share * budget)),
            scale["runs"],
            (settings.seed, block),
        )
        for learner, budgets in said["budgets"].items()
        for name, budget in budgets.items()
        for column, (method, share) in _PLAYED.items()
        for block in range(scale["blocks" if column in _MORE_RUNS else "fewer"])
    ]
    tasks.sort(key=lambda task: -task[3])
    order = ["learner", "instance", "method", "budget", "block"]
    frame = rows_in_parallel(wrong_answers, tasks, settings, order)
    sums = frame.groupby(["learner", "instance", "method", "budget"]).sum(numeric_only=True)
    runs = {"runs": scale["blocks"] * scale["runs"], "fewer": scale["fewer"] * scale["runs"]}
    values: dict[str, Any] = {**runs, "claims": _claims(sums, said)}
    for learner, budgets in said["budgets"].items():
        rows = [_row(sums, learner, name, budget) for name, budget in budgets.items()]
        head = ["instance", "arms", "duels", *_PLAYED, "estimated", "proved"]
        values[learner.partition("-")[0]] = PageTable(head, rows)
    return values


def _cell(sums: pd.DataFrame, line: tuple[str, str, int], played: str) -> dict[str, float]:
    (learner, name, budget), (method, share) = line, _PLAYED[played]
    duels = max(1, round(share * budget))
    row = sums.loc[[(learner, name, method, duels)]].iloc[0]
    return {str(column): float(value) for column, value in row.items()}


def _error(cell: Mapping[str, float]) -> ConfidenceInterval:
    return failure_interval(int(cell["wrong"]), int(cell["runs"]))


def _row(sums: pd.DataFrame, learner: str, name: str, budget: int) -> list[str]:
    cells = {each: _cell(sums, (learner, name, budget), each) for each in _PLAYED}
    last = cells["adaptive"]
    return [
        name,
        str(problem_named(name).arms),
        f"{budget:,}",
        *(_error(each).text(".1%") for each in cells.values()),
        f"{last['estimated'] / last['runs']:.1%}",
        f"{last['proved'] / last['runs']:.0%}",
    ]


def _claims(sums: pd.DataFrame, said: Mapping[str, Any]) -> list[Claim]:
    lines: list[tuple[str, str, int]] = [
        (learner, name, budget)
        for learner, budgets in said["budgets"].items()
        for name, budget in budgets.items()
    ]
    cells = {line: {each: _cell(sums, line, each) for each in _PLAYED} for line in lines}
    error = {
        line: {name: _error(each) for name, each in cell.items()} for line, cell in cells.items()
    }
    ratios = [each["adaptive"].value / each["uniform, half"].value for each in error.values()]
    less = all_hold(_below(each["adaptive"], each["uniform, half"]) for each in error.values())
    clear = {
        name: (each["adaptive, half"], each["uniform"])
        for (learner, name, _), each in error.items()
        if name in said["clear"].get(learner, ())
    }
    twice = [f"{name} {a.text('.1%')}, uniform {b.text('.1%')}" for name, (a, b) in clear.items()]
    runs = int(sum(cell["adaptive"]["runs"] for cell in cells.values()))
    wrong = int(sum(cell["adaptive"]["wrongly proved"] for cell in cells.values()))
    return [
        Claim("half", f"{min(ratios):.2f} to {max(ratios):.2f} times as often", less),
        Claim("twice", "; ".join(twice), all_hold(_below(a, b) for a, b in clear.values())),
        Claim("proofs", errors_text(wrong, runs), wrong <= 0.05 * runs),
    ]


def _below(one: ConfidenceInterval, other: ConfidenceInterval) -> bool | None:
    """Whether one is the smaller, if the intervals tell."""
    if one.high <= other.low:
        return True
    return False if one.low > other.high else None


STUDIES = (Study(_NAME, _values),)
