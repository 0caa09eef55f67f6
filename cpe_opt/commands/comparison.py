"""Several algorithms on several instances: tables with tests, curves, and a page of all results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import (
    ARGUMENTS,
    FOR_RESEARCH,
    ForceOption,
    JobsOption,
    JsonOption,
    KOption,
    OpenHorizonOption,
    PlotOption,
    RunsOption,
    SeedOption,
    UnitsOption,
)
from cpe_opt.commands.console import (
    interruptible,
    parse_parameters,
    print_json,
    print_report,
    progress,
)
from cpe_opt.commands.runs import rounds_option
from cpe_opt.files import check_folder, check_output

if TYPE_CHECKING:
    from cpe_opt.experiments.planning import LearnerSpec
    from cpe_opt.problems.problem import Problem

app = typer.Typer()


@app.command(
    epilog="Example: cpe-opt compare ecw-rmed cw-rmed --on gap --horizon 1e4 --runs 5",
    rich_help_panel=FOR_RESEARCH,
)
def compare(
    ctx: typer.Context,
    algorithms: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ALGORITHM...",
            help="Such as ecw-rmed, ecw-rmed:beta=0, or mine.py:learner for one of your own.",
        ),
    ] = None,
    on: Annotated[
        list[str] | None,
        typer.Option(
            "--on",
            help="Instances, with commas between: built-in names, files, script.py:name, or random "
            "ones such as bradley-terry:64:seed=3.",
        ),
    ] = None,
    baselines: Annotated[
        str | None,
        typer.Option(
            help="Also every algorithm for these instances with this goal: regret, identification "
            "or PAC."
        ),
    ] = None,
    without: Annotated[
        str | None, typer.Option(help="Baselines to leave out, with commas between.")
    ] = None,
    k: KOption = None,
    horizon: OpenHorizonOption = None,
    runs: RunsOption = 10,
    seed: SeedOption = 0,
    common: Annotated[
        bool,
        typer.Option(
            "--common",
            help="Common random numbers: the n-th duel of a pair ends alike for all algorithms.",
        ),
    ] = False,
    jobs: JobsOption = -1,
    engine: Annotated[str, typer.Option(help="loky, dask or ray.")] = "loky",
    regret: UnitsOption = None,
    test: Annotated[
        str,
        typer.Option(help="paired: which algorithms differ, over runs of the same seed; or none."),
    ] = "paired",
    table: Annotated[
        Path | None,
        typer.Option(help="A .tex (booktabs), .md, .csv or .txt file for the table."),
    ] = None,
    plot: PlotOption = None,
    width: Annotated[
        float, typer.Option(help="Of the picture in cm: 8.5 for a column of a journal.")
    ] = 17.0,
    style: Annotated[
        Path | None, typer.Option(help="A matplotlib style sheet, .mplstyle, for the picture.")
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Folder of results; runs finished there are not run again.")
    ] = Path("results"),
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Several algorithms on one instance or more: a table with tests, and curves.

    After an interruption, the same command continues where it stopped.
    """
    from cpe_opt.experiments.engine import run_experiment
    from cpe_opt.experiments.parallel import chosen_engine
    from cpe_opt.experiments.planning import note_command
    from cpe_opt.experiments.results import finished_runs
    from cpe_opt.hardness.dueling import bounds_of
    from cpe_opt.problems.common_numbers import CommonNumbers
    from cpe_opt.reports.comparison import TABLE_FILES, LearnerComparison, regret_at
    from cpe_opt.reports.drawing import PICTURES, picture_style
    from cpe_opt.reports.report import shortened_label
    from cpe_opt.reports.runs import comparison_report

    problems = _instances(on, k)
    length = rounds_option(horizon, problems[0])
    specs = _players(algorithms or [], problems, length, baselines, without)
    units = problems[0].recorder(horizon=length, regret=regret).units
    chosen = _one_of("test", test, ("paired", "none"))
    for path, suffixes in ((plot, PICTURES), (table, TABLE_FILES)):
        if path is not None:
            check_output(path, suffixes, force=force, sources=instance_names(on))
    check_folder(out)
    advice = f"finished runs are kept in {out}; the same command goes on with the rest"
    shown = ", ".join(problem.name for problem in problems)
    with interruptible(advice), progress(shortened_label(shown)) as advance:
        summary = run_experiment(
            specs,
            [CommonNumbers(problem) for problem in problems] if common else problems,
            runs=runs,
            horizon=length,
            seed=seed,
            jobs=jobs,
            engine=chosen_engine(engine),
            out=out,
            regret=regret,
            progress=advance,
        )
    finished = finished_runs(summary)
    constants = {problem.name: bounds_of(problem, units) for problem in problems}
    bounds = {
        name: regret_at(each, length)
        for name, each in constants.items()
        if length is not None and units
    }
    found = LearnerComparison(finished, test=chosen, bounds=bounds)
    note_command(out, ctx.meta[ARGUMENTS])
    # Files come last, so that what was measured is shown even where they cannot be written.
    if as_json:
        print_json(found.as_dict())
    else:
        print_report(comparison_report(found, finished, problems, length))
    if table is not None:
        found.write(table)
    if plot is not None:
        with picture_style(style):
            _draw(summary, plot, constants, units, width)
    if not as_json:
        for path in (table, plot):
            if path is not None:
                typer.echo(f"wrote {path}")


@app.command(
    epilog="Example: cpe-opt report results --out results.html", rich_help_panel=FOR_RESEARCH
)
def report(
    folder: Annotated[Path, typer.Argument(help="Made by `cpe-opt compare` or run_experiment.")],
    out: Annotated[Path, typer.Option(help="A .html file to write.")] = Path("report.html"),
    force: ForceOption = False,
) -> None:
    """A folder of results as one page: pictures, tables, seeds, the commands that reproduce it."""
    from cpe_opt.reports.pages import write_results_page

    check_output(out, (".html",), force=force)
    write_results_page(folder, out, force=force)
    typer.echo(f"wrote {out}")


def _instances(on: Sequence[str] | None, k: int | None) -> list[Problem]:
    """The problems that ``--on`` names."""
    from cpe_opt.errors import InputError
    from cpe_opt.formats.problems import load_problem

    names = instance_names(on)
    if not names:
        raise InputError("on which instance? Give --on, such as --on gap,sushi")
    return [load_problem(name, k, items=True) for name in names]


def instance_names(on: Sequence[str] | None) -> list[str]:
    """What stands between the commas of ``--on``."""
    from cpe_opt.text import is_file

    names: list[str] = []
    for text in on or ():
        names += [text] if is_file(text) else [name for name in text.split(",") if name]
    return names


def _players(
    algorithms: Sequence[str],
    problems: Sequence[Problem],
    horizon: int | None,
    baselines: str | None,
    without: str | None,
) -> list[LearnerSpec]:
    """The algorithms named, and the baselines that can play on the instance."""
    from cpe_opt.errors import InputError
    from cpe_opt.experiments.planning import LearnerSpec
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
    goal = _one_of("baselines", baselines, ("regret", "identification", "PAC"))
    left_out = {name.replace("_", "-") for name in (without or "").split(",") if name}
    for name in left_out:
        get_learner(name)
    taken = {spec.name for spec in specs} | left_out
    for name in learners_of(problems[0].family):
        if name in taken or declaration_of(get_learner(name)).goal != goal:
            continue
        try:
            for problem in problems:
                checked_learner(name, problem, {}, horizon)
        except InputError as error:
            typer.echo(f"left out: {name}: {error}", err=True)
            continue
        specs.append(LearnerSpec(name))
    return specs


def _one_of(option: str, value: str, known: Sequence[Any]) -> Any:
    from cpe_opt.errors import UnknownName

    if value not in known:
        raise UnknownName(option, value, known)
    return value


def _specified(text: str) -> LearnerSpec:
    """A learner with parameters from ``name:key=value,key=value``; a script's has its file, too."""
    from cpe_opt.experiments.planning import LearnerSpec
    from cpe_opt.learners.registry import get_learner

    file, mark, rest = text.rpartition(".py:")
    name, _, settings = rest.partition(":")
    learner = f"{file}{mark}{name}"
    get_learner(learner)
    return LearnerSpec(learner, parse_parameters(settings.split(",") if settings else []))


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
