"""Runs in tables and sentences: of one learner, and of several side by side."""

from __future__ import annotations

import ast
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cpe_opt.learners.exchange import AT_HORIZON
from cpe_opt.problems.problem import Problem
from cpe_opt.reports.comparison import LearnerComparison, rounded, times_the_best
from cpe_opt.reports.report import Part, Report, TextTable
from cpe_opt.simulation.driver import Trace

if TYPE_CHECKING:
    import pandas as pd

_MOST_DOUBTS = 5


def runs_report(learner: str, problem: Problem, traces: Sequence[Trace[Any]], units: str) -> Report:
    """Runs of a learner, their mean regret (samples, where it has no units), and doubts."""
    drawn = samples_name(problem)
    final = [float(trace.regret[-1]) if units else float(trace.samples) for trace in traces]
    spread = statistics.stdev(final) if len(final) > 1 else 0.0
    columns: dict[str, Iterable[object]] = {
        "run": range(len(traces)),
        "seed": [trace.seed for trace in traces],
        "answer": [describe_answer(trace.answer, problem) for trace in traces],
    }
    if not math.isnan(traces[0].error_estimate):
        columns["estimated error"] = [f"{100.0 * each.error_estimate:.2g} %" for each in traces]
        columns["p-value"] = [f"{each.p_value:.2g}" for each in traces]
    if units:
        columns["regret"] = map("{:.1f}".format, final)
    columns[drawn] = [f"{trace.samples:,}" for trace in traces]
    columns["rounds"] = [f"{trace.rounds:,}" for trace in traces]
    columns["seconds"] = [f"{trace.seconds:.2f}" for trace in traces]
    in_units = f", regret in {units} units" if units else ""
    table = TextTable.of(columns, title=f"{learner} on {problem.name}{in_units}")
    mean = (
        f"mean {'regret' if units else drawn} {statistics.mean(final):,.1f}, standard deviation "
        f"{spread:,.1f} over {len(traces)} runs"
    )
    doubts, assumptions = zip(*((trace.doubt, trace.assumption) for trace in traces), strict=True)
    lines = unproved_lines(learner, problem, doubts, assumptions)
    if traces[0].extent and "" in doubts:
        lines.append(f"{learner}: of an answer that is proved, {traces[0].extent}")
    return Report(parts=(table, mean, *lines))


def comparison_report(
    found: LearnerComparison,
    runs: Mapping[tuple[str, str], pd.DataFrame],
    problems: Sequence[Problem],
    horizon: int | None,
) -> Report:
    """What learners needed in the runs compared, what they answered, and what is not proved."""
    lines: list[Part] = [
        found.cross_table() if len(problems) > 1 else needed_table(found, horizon),
        *found.notes(),
    ]
    by_name = {problem.name: problem for problem in problems}
    answers = found.table()
    if len(problems) == 1:
        lines.append(
            TextTable(
                ["algorithm", "answer", "runs"],
                [
                    [row["learner"], describe_answer(ast.literal_eval(answer), problems[0]), times]
                    for row in answers.to_dict("records")
                    for answer, times in row["answers"].items()
                ],
            )
        )
    for (name, learner), group in runs.items():
        doubts, assumptions = group["doubt"].tolist(), group["assumption"].tolist()
        who = learner if len(problems) == 1 else f"{learner} on {name}"
        lines += unproved_lines(who, by_name[name], doubts, assumptions)
    return Report(parts=tuple(lines))


def needed_table(found: LearnerComparison, horizon: int | None) -> TextTable:
    """What each learner needed on the one instance, the least first."""
    rows = found.table().to_dict("records")
    units, count = rows[0]["units"], rows[0]["runs"]
    regret = units != "samples"
    measured = f"regret at T = {horizon:,} in {units} units" if regret else "samples"
    columns: dict[str, Iterable[object]] = {
        "algorithm": [row["learner"] for row in rows],
        "mean ± 95 %": [
            f"{rounded(row['mean'], row['half'])} ± {rounded(row['half'], row['half'])}"
            for row in rows
        ],
    }
    if not all(math.isnan(row["ratio"]) for row in rows):
        columns["× best (95 %)"] = map(times_the_best, rows)
    columns["median"] = [rounded(row["median"]) for row in rows]
    if regret:
        columns["samples"] = [f"{row['samples']:,.0f}" for row in rows]
    columns["seconds"] = [f"{row['seconds']:.2f}" for row in rows]
    return TextTable.of(columns, title=f"{found.name}: {measured}, {count} runs each")


def unproved_lines(
    learner: str, problem: Problem, doubts: Sequence[str], assumptions: Sequence[str]
) -> list[str]:
    """How many answers are not proved, and why not, and how many are proved under an assumption."""
    expected = AT_HORIZON if problem.recorder().units else ""  # of regret, it is no doubt
    unproved = Counter(doubt for doubt in doubts if doubt not in ("", expected))
    said = list(unproved.items())
    if len(said) > _MOST_DOUBTS:  # each with numbers of its own
        said = [(f"{said[0][0]}; and others", unproved.total())]
    return [
        *(
            f"{learner}: no answer proved in {times} of {len(doubts)} runs: {doubt}"
            for doubt, times in said
        ),
        *(
            f"{learner}: in {times} of {len(assumptions)} runs proved, if {assumption}"
            for assumption, times in Counter(assumptions).items()
            if assumption
        ),
    ]


def describe_answer(answer: Any, problem: Problem) -> str:
    """An arm, a ranking of arms, a matching, a set or a decision, by its labels."""
    if answer is None:
        return "none"
    chosen = [answer] if isinstance(answer, int) else answer
    if problem.family in ("subsets", "separable"):
        return str(problem.known.describe(chosen))
    names = [problem.labels[number] for number in chosen]
    return (" > " if problem.family == "dueling" else ", ").join(names)


def samples_name(problem: Problem) -> str:
    """What samples of the problem are called."""
    return "pulls" if problem.family in ("subsets", "separable") else "duels"
