"""Runs of one algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cpe_opt.commands import (
    FOR_RESEARCH,
    ForceOption,
    InstanceArgument,
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
    parse_count,
    parse_parameters,
    print_json,
    print_report,
    progress,
)
from cpe_opt.files import check_output

if TYPE_CHECKING:
    from cpe_opt.problems.problem import Problem

_REGRET_HORIZON = 10**5

app = typer.Typer()


@app.command(
    epilog="Example: cpe-opt run ecw-rmed sushi --horizon 1e4 --runs 3 --plot regret.png",
    rich_help_panel=FOR_RESEARCH,
)
def run(
    algorithm: Annotated[
        str, typer.Argument(help="Such as ecw-rmed; `cpe-opt algorithms` lists them.")
    ],
    instance: InstanceArgument,
    k: KOption = None,
    horizon: OpenHorizonOption = None,
    runs: RunsOption = 10,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    regret: UnitsOption = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            "-p",
            help="Such as -p beta=0, or -p max_samples=1e6 for an algorithm that may not stop; "
            "-p target=condorcet for savage to look for a Condorcet winner, as in the comparisons "
            "of other papers.",
        ),
    ] = None,
    plot: PlotOption = None,
    out: Annotated[
        Path | None, typer.Option(help="A .parquet or .csv file for the traces.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="A folder for every program that the runs solve, and a table of them."),
    ] = None,
    record_every: Annotated[
        int, typer.Option(help="Record the first program and every n-th after it.")
    ] = 1,
    record_limit: Annotated[
        int | None, typer.Option(help="Record at most this many programs.")
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """One algorithm, many runs: a table, and a picture with the regret bounds."""
    from cpe_opt.errors import InputError
    from cpe_opt.experiments.engine import run_many
    from cpe_opt.experiments.runs import TABLES, regret_curve, traces_frame, write_table
    from cpe_opt.formats.problems import load_problem
    from cpe_opt.reports.runs import runs_report, samples_name
    from cpe_opt.simulation.driver import checked_learner

    problem = load_problem(instance, k, items=True)
    length, parameters = rounds_option(horizon, problem), parse_parameters(parameter or [])
    function = checked_learner(algorithm, problem, parameters, length)
    units = problem.recorder(horizon=length, regret=regret).units
    if plot is not None:
        if not units:
            raise InputError(
                f"run draws regret, and a {type(problem).__name__} has none; "
                "`cpe-opt compare ... --plot` draws samples"
            )
        from cpe_opt.reports.drawing import PICTURES

        check_output(plot, PICTURES, force=force, sources=(instance,))
    if out is not None:
        check_output(out, TABLES, force=force, sources=(instance,))
    recorder = _recorder(record, record_every, record_limit, jobs, force)
    advice = (
        "nothing was written; `cpe-opt compare` notes finished runs, and goes on with the rest "
        "when it is started again"
    )
    what = f"{algorithm} on {problem.name}"
    with interruptible(advice), recorder as programs, progress(what, runs) as advance:
        traces = run_many(
            algorithm,
            problem,
            horizon=length,
            runs=runs,
            seed=seed,
            jobs=jobs if record is None else 1,
            regret=regret,
            progress=advance,
            **parameters,
        )
    if as_json:
        print_json(
            [
                {
                    "run": number,
                    "seed": trace.seed,
                    "answer": trace.answer,
                    "doubt": trace.doubt,
                    "assumption": trace.assumption,
                    "extent": trace.extent,
                    "error_estimate": trace.error_estimate,
                    "p_value": trace.p_value,
                    "regret": float(trace.regret[-1]) if units else None,
                    samples_name(problem): trace.samples,
                    "rounds": trace.rounds,
                    "seconds": trace.seconds,
                }
                for number, trace in enumerate(traces)
            ]
        )
    else:
        print_report(runs_report(algorithm, problem, traces, units))
    # Files come last, so that what was measured is shown even where they cannot be written.
    if out is not None:
        write_table(traces_frame(traces), out)
    if plot is not None:
        from cpe_opt.hardness.dueling import bounds_of
        from cpe_opt.reports.curves import plot_regret

        curves = {algorithm: regret_curve(traces)}
        bounds = bounds_of(problem, units)
        plot_regret(curves, plot, title=problem.name, bounds=bounds, units=units)
    if not as_json:
        for path in (out, plot):
            if path is not None:
                typer.echo(f"wrote {path}")
        if programs is not None:
            typer.echo(f"wrote {len(programs)} programs to {record}")
            if not len(programs):
                typer.echo(_no_programs(algorithm, "method" in signature(function).parameters))


def _no_programs(algorithm: str, has_methods: bool) -> str:
    """Why a folder of recorded programs is empty."""
    if not has_methods:
        return f"{algorithm} solves no programs"
    return (
        f"{algorithm} solved none by the method that it used; of those that "
        f"`cpe-opt algorithms {algorithm}` lists, others may, by -p method=NAME"
    )


def _recorder(
    folder: Path | None, every: int, limit: int | None, jobs: int, force: bool
) -> AbstractContextManager[Sequence[object] | None]:
    """What records the programs of the runs, or nothing where no folder is given."""
    from cpe_opt.errors import InputError
    from cpe_opt.solvers.recording import recording

    if folder is None:
        if every != 1 or limit is not None:
            raise InputError("--record-every and --record-limit have no effect without --record")
        return nullcontext()
    if jobs not in (-1, 1):
        raise InputError(f"--record writes what one process solves: --jobs is {jobs}, expected 1")
    return recording(folder, every=every, limit=limit, force=force)


def rounds_option(horizon: str | None, problem: Problem) -> int | None:
    """The horizon; by default 1e5 where there is regret, else learners stop by themselves."""
    if horizon is not None:
        return parse_count(horizon, "horizon")
    return _REGRET_HORIZON if problem.recorder().units else None
