"""Several algorithms on one problem."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import (
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
    print_table,
    progress,
)
from cpe_opt.commands.outcomes import (
    amount,
    describe_answer,
    draw_regret,
    rounds,
    tell_assumptions,
    tell_doubts,
)
from cpe_opt.files import check_folder, check_output

if TYPE_CHECKING:
    from cpe_opt.experiments.planning import LearnerSpec
    from cpe_opt.problems.problem import Problem


app = typer.Typer()


@app.command(
    epilog="Example: cpe-opt compare ecw-rmed cw-rmed gap --horizon 1e4 --runs 5 --out results"
)
def compare(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="ALGORITHM... INSTANCE",
            help="Algorithms, such as ecw-rmed or ecw-rmed:beta=0, then the instance.",
        ),
    ],
    k: KOption = None,
    horizon: OpenHorizonOption = None,
    runs: RunsOption = 10,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    engine: Annotated[str, typer.Option(help="loky, dask or ray.")] = "loky",
    regret: UnitsOption = None,
    plot: PlotOption = None,
    out: Annotated[
        Path, typer.Option(help="Folder of results; runs finished there are not run again.")
    ] = Path("results"),
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Several algorithms on one problem: a table, and all curves in one figure.

    Killed and started again, it goes on where it stopped.
    """
    from cpe_opt.errors import InputError
    from cpe_opt.experiments.drawing import PICTURES
    from cpe_opt.experiments.engine import run_experiment
    from cpe_opt.experiments.parallel import chosen_engine
    from cpe_opt.experiments.plots import plot_samples
    from cpe_opt.experiments.results import finished_runs, regret_curves, run_samples
    from cpe_opt.problems.files import load_problem
    from cpe_opt.simulation.driver import checked_learner

    if len(names) < 2:
        raise InputError("expected at least one algorithm and then an instance")
    problem = load_problem(names[-1], k)
    length = rounds(horizon, problem)
    specs = [_specified(name) for name in names[:-1]]
    for spec in specs:
        checked_learner(spec.learner, problem, spec.parameters, length)
    units = problem.recorder(horizon=length, regret=regret).units
    if plot is not None:
        check_output(plot, PICTURES, force=force, sources=(names[-1],))
    check_folder(out)
    advice = f"finished runs are kept in {out}; the same command goes on with the rest"
    with interruptible(advice), progress(problem.name) as advance:
        table = run_experiment(
            specs,
            [problem],
            runs=runs,
            horizon=length,
            seed=seed,
            jobs=jobs,
            engine=chosen_engine(engine),
            out=out,
            regret=regret,
            progress=advance,
        )
    if plot is not None and units:
        draw_regret(regret_curves(table)[problem.name], plot, problem, units)
    elif plot is not None:
        plot_samples(run_samples(table)[problem.name], plot, title=problem.name)
    rows = table.to_dict("records")
    if as_json:
        print_json(rows)
        return
    measured = f"regret at T = {length:,} in {units} units" if units else "samples"
    _show_comparison(rows, problem, f"{problem.name}: {measured}, {runs} runs each")
    for (_, label), group in finished_runs(table).items():
        tell_doubts(label, group["doubt"].tolist(), problem)
        tell_assumptions(label, group["assumption"].tolist())
    if plot is not None:
        typer.echo(f"wrote {plot}")


def _show_comparison(rows: Sequence[Mapping[Any, Any]], problem: Problem, title: str) -> None:
    """What the algorithms needed, and what they answered."""
    samples = rows[0]["units"] != "samples"  # elsewhere they are what is measured
    print_table(
        [
            "algorithm",
            "mean ± sd",
            "median (10–90 %)",
            *(["samples"] if samples else []),
            "seconds",
        ],
        [
            [
                row["learner"],
                f"{amount(row['mean'])} ± {amount(row['sd'])}",
                f"{amount(row['median'])} ({amount(row['q10'])}–{amount(row['q90'])})",
                *([f"{row['samples']:,.0f}"] if samples else []),
                f"{row['seconds']:.2f}",
            ]
            for row in rows
        ],
        title=title,
    )
    print_table(
        ["algorithm", "answer", "runs"],
        [
            [row["learner"], describe_answer(ast.literal_eval(answer), problem), times]
            for row in rows
            for answer, times in row["answers"].items()
        ],
    )


def _specified(text: str) -> LearnerSpec:
    """A learner with parameters from ``name`` or ``name:key=value,key=value``."""
    from cpe_opt.experiments.planning import LearnerSpec
    from cpe_opt.learners.registry import get_learner

    name, _, settings = text.partition(":")
    get_learner(name)
    return LearnerSpec(name, parse_parameters(settings.split(",") if settings else []))
