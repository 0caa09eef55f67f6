"""What runs gave, in words: answers by their labels, doubts, amounts; and how long runs are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cpe_opt.commands.console import parse_count

if TYPE_CHECKING:
    from cpe_opt.experiments.runs import RegretCurve
    from cpe_opt.problems.problem import Problem

_REGRET_HORIZON = 10**5


def rounds(horizon: str | None, problem: Problem) -> int | None:
    """The horizon; by default 1e5, and none where learners stop by themselves."""
    if horizon is not None:
        return parse_count(horizon, "horizon")
    return _REGRET_HORIZON if problem.family == "dueling" else None


def describe_answer(answer: Any, problem: Problem) -> str:
    """An arm, a ranking of arms, a matching, a set or a decision, by its labels."""
    if answer is None:
        return "none"
    chosen = [answer] if isinstance(answer, int) else answer
    if problem.family in ("subsets", "separable"):
        return str(problem.known.describe(chosen))
    names = [problem.labels[number] for number in chosen]
    return (" > " if problem.family == "dueling" else ", ").join(names)


def tell_doubts(algorithm: str, doubts: Sequence[str], problem: Problem) -> None:
    """Say how many answers are not proved, and why not; of regret, not that a horizon ends it."""
    from cpe_opt.learners.exchange import AT_HORIZON

    expected = AT_HORIZON if problem.family == "dueling" else ""
    for doubt, times in Counter(doubts).items():
        if doubt not in ("", expected):
            typer.echo(f"{algorithm}: no answer proved in {times} of {len(doubts)} runs: {doubt}")


def tell_assumptions(algorithm: str, assumptions: Sequence[str]) -> None:
    """Say how many answers are proved under an assumption, and under which."""
    for assumption, times in Counter(assumptions).items():
        if assumption:
            typer.echo(
                f"{algorithm}: in {times} of {len(assumptions)} runs proved, if {assumption}"
            )


def draw_regret(curves: Mapping[str, RegretCurve], path: Path, problem: Any, units: Any) -> None:
    """Curves of regret on a preference matrix, with its bounds."""
    from cpe_opt.analysis.dueling import regret_bounds
    from cpe_opt.experiments.plots import plot_regret

    bounds = regret_bounds(problem, units)
    plot_regret(curves, path, title=problem.name, bounds=bounds, units=units)


def amount(value: float) -> str:
    """Regret or samples: a decimal where it says something."""
    return f"{value:,.1f}" if abs(value) < 10_000 else f"{value:,.0f}"
