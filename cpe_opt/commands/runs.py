"""One algorithm, many runs."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import (
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
    parse_parameters,
    print_json,
    print_table,
    progress,
)
from cpe_opt.commands.outcomes import (
    describe_answer,
    draw_regret,
    rounds,
    tell_assumptions,
    tell_doubts,
)
from cpe_opt.files import check_output

if TYPE_CHECKING:
    from cpe_opt.problems.problem import Problem


app = typer.Typer()


@app.command(epilog="Example: cpe-opt run ecw-rmed sushi --horizon 1e4 --runs 3 --plot regret.png")
def run(
    algorithm: Annotated[
        str, typer.Argument(help="Such as ecw-rmed; an unknown name is answered with those known.")
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
            help="Such as -p beta=0, or -p max_samples=1e6 where an algorithm may not stop; "
            "-p target=condorcet makes savage the variant that others run where there is a "
            "Condorcet winner.",
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
    from cpe_opt.experiments.drawing import PICTURES
    from cpe_opt.experiments.engine import run_many
    from cpe_opt.experiments.runs import TABLES, regret_curve, traces_frame, write_table
    from cpe_opt.problems.files import load_problem
    from cpe_opt.simulation.driver import checked_learner

    problem = load_problem(instance, k)
    length, parameters = rounds(horizon, problem), parse_parameters(parameter or [])
    checked_learner(algorithm, problem, parameters, length)
    units = problem.recorder(horizon=length, regret=regret).units
    if plot is not None:
        if not units:
            raise InputError(
                f"run draws regret, and a {type(problem).__name__} has none; "
                "`cpe-opt compare ... --plot` draws samples"
            )
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
    drawn = "pulls" if problem.family in ("subsets", "separable") else "duels"
    rows: list[dict[str, Any]] = [
        {
            "run": number,
            "seed": trace.seed,
            "answer": trace.answer,
            "doubt": trace.doubt,
            "assumption": trace.assumption,
            "regret": float(trace.regret[-1]) if units else None,
            drawn: trace.samples,
            "rounds": trace.rounds,
            "seconds": trace.seconds,
        }
        for number, trace in enumerate(traces)
    ]
    if as_json:
        print_json(rows)
    else:
        title = f"{algorithm} on {problem.name}" + (f", regret in {units} units" if units else "")
        _show_runs(rows, drawn, problem, title)
        tell_doubts(algorithm, [trace.doubt for trace in traces], problem)
        tell_assumptions(algorithm, [trace.assumption for trace in traces])
    # Files come last, so that what was measured is shown even where they cannot be written.
    if out is not None:
        write_table(traces_frame(traces), out)
    if plot is not None:
        draw_regret({algorithm: regret_curve(traces)}, plot, problem, units)
    if not as_json:
        for path in (out, plot):
            if path is not None:
                typer.echo(f"wrote {path}")
        if programs is not None:
            typer.echo(f"wrote {len(programs)} programs to {record}")


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


def _show_runs(rows: Sequence[Mapping[str, Any]], drawn: str, problem: Problem, title: str) -> None:
    """A table of runs, and the mean of their regret, or of what they drew where they have none."""
    identified = rows[0]["regret"] is None
    measure = drawn if identified else "regret"
    final = [float(row[measure]) for row in rows]
    spread = statistics.stdev(final) if len(rows) > 1 else 0.0
    head = ["run", "seed", "answer", "regret", drawn, "rounds", "seconds"]
    print_table(
        [name for name in head if not (identified and name == "regret")],
        [
            [
                row["run"],
                row["seed"],
                describe_answer(row["answer"], problem),
                *([] if identified else [f"{row['regret']:.1f}"]),
                f"{row[drawn]:,}",
                f"{row['rounds']:,}",
                f"{row['seconds']:.2f}",
            ]
            for row in rows
        ],
        title=title,
    )
    typer.echo(
        f"mean {measure} {statistics.mean(final):,.1f}, standard deviation {spread:,.1f} over "
        f"{len(rows)} runs"
    )
