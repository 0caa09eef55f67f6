"""The HTML page of the runs in a folder: each problem and horizon, and then what was run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.experiments import shards
from cpe_opt.experiments.planning import COMMANDS, NOTE
from cpe_opt.experiments.results import curve_of, read_series
from cpe_opt.hardness.dueling import bounds_of
from cpe_opt.problems.catalogue import made_by_name
from cpe_opt.reports.comparison import LearnerComparison, bound_words, regret_at, rounded
from cpe_opt.reports.curves import Panel, panels_figure, samples_figure
from cpe_opt.reports.report import Code, Picture, Report, TextTable
from cpe_opt.reports.runs import needed_table
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_ANSWERS = 3  # of a learner, the most frequent
_AGAIN = (
    "A run is played again, alone, by cpe_opt.simulate(learner, problem, horizon=…, seed=…) with "
    "the seed of its row in the data, cpe_opt.experiments.results.read_results(folder)."
)


@checked_types
def write_results_page(
    folder: str | os.PathLike[str], path: str | os.PathLike[str], *, force: bool = True
) -> Path:
    """Write the page of all finished runs in a folder of results to a path that ends in .html."""
    folder = Path(folder)
    series = list(_all_series(folder))
    if not series:
        raise InputError(f"no finished runs in {str(folder)!r}, expected a folder of results")
    groups: dict[tuple[str, int], list[_StoredSeries]] = {}
    for each in series:
        groups.setdefault((each.problem, each.horizon or 0), []).append(each)
    total = sum(len(each.runs) for each in series)
    given = folder / COMMANDS
    commands = []
    if given.exists():
        code = Code(given.read_text(encoding="utf-8", errors="replace").rstrip())
        commands.append(Report(title="Commands given", parts=(code,)))
    report = Report(
        title=f"{folder.absolute().name}: {total:,} runs",
        reports=(
            *(_group(problem, groups[problem, rounds]) for problem, rounds in sorted(groups)),
            Report(title="What was run", parts=(_runs_table(series, folder), _AGAIN)),
            *commands,
            *_sources(series),
        ),
    )
    return report.write(path, force=force)


@dataclass(frozen=True)
class _StoredSeries:
    """The runs of a series, with what its folder says of it."""

    label: str
    runs: pd.DataFrame
    folder: Path
    note: Mapping[str, Any]

    @property
    def problem(self) -> str:
        return str(self.runs["problem"].iloc[0])

    @property
    def horizon(self) -> int | None:
        """None where learners stop by themselves."""
        value = self.runs["horizon"].iloc[0]
        return int(value) if np.isfinite(value) else None


def _all_series(folder: Path) -> Iterator[_StoredSeries]:
    """Every series under a folder; those of the same name, as of edited learners, with digests."""
    found = []
    for place in shards.series_folders(folder):
        note = place / NOTE
        about = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {}
        found.append((read_series(place, curves=True), place, about))
    columns = ["problem", "learner", "horizon"]
    names = [tuple(map(str, runs[columns].iloc[0])) for runs, *_ in found]
    for name, (runs, place, about) in zip(names, found, strict=True):
        again = f" [{place.name[:6]}]" if names.count(name) > 1 else ""
        yield _StoredSeries(f"{name[1]}{again}", runs, place, about)


def _group(problem: str, series: Sequence[_StoredSeries]) -> Report:
    """The series of one problem and horizon."""
    units, horizon = str(series[0].runs["units"].iloc[0]), series[0].horizon
    where = problem if horizon is None else f"{problem}, {horizon:,} rounds"
    constants = {}
    if series[0].note.get("problem_built_in"):  # its name says all of it
        constants = bounds_of(made_by_name(problem), units)

    def draw() -> Figure:
        if units:
            curves = {each.label: curve_of(each.runs) for each in series}
            return panels_figure([Panel(problem, curves, constants)], units=units)
        samples = {each.label: each.runs["samples"].tolist() for each in series}
        return samples_figure({problem: samples})

    found = LearnerComparison({(problem, each.label): each.runs for each in series})
    bounds = {} if horizon is None else regret_at(constants, horizon)
    answers = [
        (each.label, f"{len(each.runs):,}", f"{(each.runs['doubt'] != '').sum():,}", _answers(each))
        for each in series
    ]
    return Report(
        title=where,
        parts=(
            Picture(f"{where}: what learners needed", draw),
            needed_table(found, horizon),
            *(f"{bound_words(name)}: {rounded(value)}" for name, value in bounds.items()),
            *found.notes(),
            TextTable(
                ("learner", "runs", "not proved", "answers, the most frequent first"), answers
            ),
        ),
    )


def _sources(series: Sequence[_StoredSeries]) -> Iterator[Report]:
    """The code of learners that are not of this package, each once."""
    sources = {each.note["source"]: each.note for each in series if each.note.get("source")}
    if sources:
        parts = [
            Code(text, note.get("script") or note["learner"]) for text, note in sources.items()
        ]
        yield Report(title="Learners of your own", parts=tuple(parts))


def _runs_table(series: Sequence[_StoredSeries], folder: Path) -> TextTable:
    """Which runs there are: parameters, seeds, versions and folders."""
    return TextTable(
        ("problem", "learner", "parameters", "runs", "seed", "cpe_opt", "folder"),
        [
            (
                each.problem,
                each.label,
                json.dumps(each.runs["parameters"].iloc[0]),
                len(each.runs),
                each.note.get("seed", "not noted"),
                each.note.get("cpe_opt", "not noted"),
                os.path.relpath(each.folder, folder),
            )
            for each in series
        ],
    )


def _answers(series: _StoredSeries) -> str:
    counts = series.runs["answer"].map(str).sort_values().value_counts()
    shown = ", ".join(f"{answer} ({times}×)" for answer, times in counts.head(_ANSWERS).items())
    more = len(counts) - _ANSWERS
    return f"{shown}, and {more} others" if more > 0 else shown
