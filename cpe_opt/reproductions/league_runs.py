"""Runs that identify something: what was planned, and the cell that finished runs make of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cpe_opt.experiments.engine import play
from cpe_opt.experiments.planning import LearnerSpec, Series, plan_series
from cpe_opt.experiments.results import read_series
from cpe_opt.problems.problem import Problem
from cpe_opt.reproductions.league_table import Cell, Table
from cpe_opt.reproductions.settings import Settings


@dataclass(frozen=True, eq=False)
class IdentificationRuns:
    """The runs of a learner on an instance, and what they are held against.

    Attributes
    ----------
    learner, instance : str
        The line and the column of their cell.
    group : str
        Of lines that stand together, such as those of learners that look for the same.
    delta : float
        The probability of an error that is allowed.
    time : float
        T* of what it looks for, by ln(1/delta); any number where nothing is run.
    right : callable
        Whether an answer, as it is read from a file, is right.
    series : Series or None
        None where the learner is left out.
    covered : bool
        Whether the learner's theorem covers the instance.
    left_out : str
        Why nothing is run.
    slow : bool
        Whether that is because the learner is too slow.
    proofs : sequence of str
        The doubts of answers that count as proved: none, and those of what is known to be so.
    """

    learner: str
    instance: str
    group: str
    delta: float
    time: float
    right: Callable[[Any], bool]
    series: Series | None
    covered: bool = True
    left_out: str = ""
    slow: bool = False
    proofs: Sequence[str] = ("",)


def identification_series(
    spec: LearnerSpec,
    problem: Problem,
    parameters: Mapping[str, Any],
    *,
    most: int,
    runs: int,
    settings: Settings,
) -> Series:
    """Runs that stop by themselves, or are cut off after so many samples."""
    (series,) = plan_series(
        [LearnerSpec(spec.learner, {**parameters, "max_samples": most}, label=spec.name)],
        [problem],
        runs=runs,
        horizon=None,
        seed=settings.seed,
        out=settings.out / "runs",
    )
    return series


def play_all(planned: Sequence[Series | None], settings: Settings) -> None:
    """All runs, the longest first, so that no worker is left with one at the end."""
    found = [series for series in planned if series is not None]
    # Two tables may share a series: the one with the most runs has those of the other.
    by_folder = {each.folder: each for each in sorted(found, key=lambda each: each.runs)}
    ordered = sorted(
        by_folder.values(),
        key=lambda each: (each.horizon or 0, len(each.problem.labels)),
        reverse=True,
    )
    play(ordered, jobs=settings.jobs, progress=settings.progress)


def identification_table(played: Sequence[IdentificationRuns]) -> Table:
    """What every learner needed, by the bound, from finished runs; by group, best first."""
    cells = [identification_cell(each) for each in played]
    groups = list(dict.fromkeys(each.group for each in played))
    of = {each.learner: groups.index(each.group) for each in played}
    instances = list(dict.fromkeys(cell.instance for cell in cells))
    table = Table(cells, list(of), instances)
    order = sorted(of, key=lambda name: (of[name], table.typical(name)))
    return Table(cells, order, instances, {name: groups[of[name]] for name in order})


def identification_cell(each: IdentificationRuns) -> Cell:
    """Samples by T* ln(1/delta), and wrong answers among those said to be proved."""
    if each.series is None or each.series.folder is None:
        return Cell(
            each.learner, each.instance, each.covered, left_out=each.left_out, slow=each.slow
        )
    runs = read_series(each.series.folder, each.series.runs)
    done = runs[runs["doubt"].isin(each.proofs)]
    return Cell(
        each.learner,
        each.instance,
        each.covered,
        tuple(runs["samples"]),
        each.time * math.log(1.0 / each.delta),
        unfinished=len(runs) - len(done),
        wrong=sum(not each.right(answer) for answer in done["answer"]),
        seconds=float(runs["seconds"].mean()),
    )
