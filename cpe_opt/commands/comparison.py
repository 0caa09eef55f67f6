"""Several algorithms on several instances: tables with tests, curves, and a page of all results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

import cpe_opt as cpe
from cpe_opt.commands import ARGUMENTS, FOR_RESEARCH, command
from cpe_opt.commands.console import (
    interruptible,
    parse_parameters,
    print_json,
    print_report,
)
from cpe_opt.commands.runs import Sampling
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.files import check_folder, check_output

_GOALS = ("regret", "identification", "PAC")

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class Written:
    """The table and the picture of a comparison.

    :param table: A .tex (booktabs), .md, .csv or .txt file for the table.
    :param width: Of the picture in cm: 8.5 for a column of a journal.
    :param style: A matplotlib style sheet, .mplstyle, for the picture.
    """

    table: Path | None = None
    plot: Path | None = None
    width: float = 17.0
    style: Path | None = None


@command(app, "cpe-opt compare ecw-rmed cw-rmed --on gap --horizon 1e4 --runs 5", FOR_RESEARCH)
def compare(
    ctx: typer.Context,
    algorithms: list[str] | None = None,
    *,
    on: list[str] | None = None,
    baselines: str | None = None,
    without: str | None = None,
    k: int | None = None,
    sampling: Sampling,
    common: bool = False,
    engine: str = "loky",
    written: Written,
    out: Path = Path("results"),
    force: bool = False,
    json: bool = False,
) -> None:
    """Several algorithms on one instance or more: a table with tests, and curves.

    After an interruption, the same command continues where it stopped.

    :param ALGORITHM... algorithms: Such as ecw-rmed, ecw-rmed:beta=0, or mine.py:learner for one of
        your own.
    :param on: Instances, with commas between: built-in names, files, script.py:name, or random ones
        such as bradley-terry:64:seed=3.
    :param baselines: Also every algorithm for these instances with this goal: regret,
        identification or PAC.
    :param without: Baselines to leave out, with commas between.
    :param common: Common random numbers: the n-th duel of a pair ends alike for all algorithms.
    :param engine: loky, dask or ray.
    :param out: Folder of results; runs finished there are not run again.
    """
    from cpe_opt.experiments.parallel import chosen_engine
    from cpe_opt.experiments.planning import note_command
    from cpe_opt.experiments.results import finished_runs
    from cpe_opt.hardness.dueling import bounds_of
    from cpe_opt.problems.environments import CommonNumbers
    from cpe_opt.reports.comparison import TABLE_FILES, LearnerComparison, regret_at
    from cpe_opt.reports.drawing import PICTURES, picture_style
    from cpe_opt.reports.runs import comparison_report

    names = instance_names(on)
    if not names:
        raise InputError("on which instance? Give --on, such as --on gap,sushi")
    problems: list[cpe.Problem] = [cpe.load_problem(name, k, items=True) for name in names]
    length = sampling.rounds(problems[0])
    specs = _players(algorithms or [], problems, length, baselines, without)
    units = problems[0].recorder(horizon=length, regret=sampling.regret).units
    for path, suffixes in ((written.plot, PICTURES), (written.table, TABLE_FILES)):
        if path is not None:
            check_output(path, suffixes, force=force, sources=names)
    check_folder(out)
    advice = f"finished runs are kept in {out}; the same command goes on with the rest"
    with interruptible(advice):
        summary = cpe.run_experiment(
            specs,
            [CommonNumbers(problem) for problem in problems] if common else problems,
            runs=sampling.runs,
            horizon=length,
            seed=sampling.seed,
            jobs=sampling.jobs,
            engine=chosen_engine(engine),
            out=out,
            regret=sampling.regret,
        )
    finished = finished_runs(summary)
    constants = {problem.name: bounds_of(problem, units) for problem in problems}
    bounds = {}
    if length is not None and units:
        bounds = {name: regret_at(each, length) for name, each in constants.items()}
    found = LearnerComparison(finished, bounds=bounds)
    note_command(out, ctx.meta[ARGUMENTS])
    # Files come last, so that what was measured is shown even where they cannot be written.
    if json:
        print_json(found.as_dict())
    else:
        print_report(comparison_report(found, finished, problems, length))
    if written.table is not None:
        found.write(written.table)
    if written.plot is not None:
        with picture_style(written.style):
            _draw(summary, written.plot, constants, units, written.width)
    for path in (written.table, written.plot):
        if path is not None and not json:
            typer.echo(f"wrote {path}")


@command(app, "cpe-opt report results --out results.html", FOR_RESEARCH)
def report(folder: Path, *, out: Path = Path("report.html"), force: bool = False) -> None:
    """A folder of results as one page: pictures, tables, seeds, the commands that reproduce it.

    :param folder: Made by `cpe-opt compare` or run_experiment.
    :param out: A .html file to write.
    """
    from cpe_opt.reports.pages import write_results_page

    check_output(out, (".html",), force=force)
    write_results_page(folder, out, force=force)
    typer.echo(f"wrote {out}")


def instance_names(on: Sequence[str] | None) -> list[str]:
    """What stands between the commas of ``--on``."""
    from cpe_opt.text import is_file

    names: list[str] = []
    for text in on or ():
        names += [text] if is_file(text) else [name for name in text.split(",") if name]
    return names


def _players(
    algorithms: Sequence[str],
    problems: Sequence[cpe.Problem],
    horizon: int | None,
    baselines: str | None,
    without: str | None,
) -> list[cpe.LearnerSpec]:
    """The algorithms named, and the baselines that can play on the instance."""
    from cpe_opt.learners.declaration import declaration_of
    from cpe_opt.learners.registry import get_learner, learners_of
    from cpe_opt.simulation.driver import checked_learner

    specs = [_specified(name) for name in algorithms]
    for spec in specs:
        for problem in problems:
            checked_learner(spec.learner, problem, spec.parameters, horizon)
    if baselines is None:
        if without is not None:
            raise InputError("--without has no effect without --baselines")
        if not specs:
            raise InputError("expected at least one algorithm, or --baselines")
        return specs
    if baselines not in _GOALS:
        raise UnknownName("baselines", baselines, _GOALS)
    left_out = {name.replace("_", "-") for name in (without or "").split(",") if name}
    for name in left_out:
        get_learner(name)
    taken = {spec.name for spec in specs} | left_out
    for name in learners_of(problems[0].family):
        if name in taken or declaration_of(get_learner(name)).goal != baselines:
            continue
        try:
            for problem in problems:
                checked_learner(name, problem, {}, horizon)
        except InputError as error:
            typer.echo(f"left out: {name}: {error}", err=True)
            continue
        specs.append(cpe.LearnerSpec(name))
    return specs


def _specified(text: str) -> cpe.LearnerSpec:
    """A learner with parameters from ``name:key=value,key=value``; a script's has its file, too."""
    from cpe_opt.learners.registry import get_learner

    file, mark, rest = text.rpartition(".py:")
    name, _, settings = rest.partition(":")
    learner = f"{file}{mark}{name}"
    get_learner(learner)
    return cpe.LearnerSpec(learner, parse_parameters(settings.split(",") if settings else []))


def _draw(
    table: Any, path: Path, constants: Mapping[str, Mapping[str, float]], units: str, width: float
) -> None:
    """Curves of regret with its bounds, by the constants of each problem; or samples."""
    from cpe_opt.experiments.results import regret_curves, run_samples
    from cpe_opt.reports.curves import Panel, panels_figure, samples_figure
    from cpe_opt.reports.drawing import save_figure

    if not units:
        save_figure(samples_figure(run_samples(table), width=width), path)
        return
    curves = regret_curves(table)
    panels = [Panel(name, curves[name], bounds) for name, bounds in constants.items()]
    save_figure(panels_figure(panels, units=units, width=width), path)
