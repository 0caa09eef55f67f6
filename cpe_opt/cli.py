"""The command line: ``cpe-opt``.

Numerical packages are imported inside the commands, so that ``--help`` answers at once. Exit
status: 0, 1 where a run failed, 2 for wrong usage.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.console import (
    parse_parameters,
    print_json,
    print_table,
    progress,
    shown,
    whole,
)

if TYPE_CHECKING:
    from cpe_opt.formulations.copeland import CopelandBound
    from cpe_opt.modelling.program import LinearProgram
    from cpe_opt.modelling.result import SolveResult
    from cpe_opt.problems.preferences import PreferenceMatrix

MODELS = ("copeland", "ecw")

app = typer.Typer(
    name="cpe-opt",
    help="Optimisation models and online algorithms for learning from comparisons.",
    epilog="Example: cpe-opt analyse sushi",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

InstanceArgument = Annotated[
    str,
    typer.Argument(
        help="A built-in name (see `cpe-opt instances`) or a file: CSV matrix, "
        "winner,loser[,count] CSV, or PrefLib .soc .soi .toc .toi."
    ),
]
ModelArgument = Annotated[str, typer.Argument(help="copeland or ecw.")]
SolverOption = Annotated[str, typer.Option(help="See `cpe-opt solvers`.")]
MethodOption = Annotated[str, typer.Option(help="cuts, compact or enumerate.")]
WinnerOption = Annotated[
    int | None, typer.Option(help="One Copeland winner, by number; the best by default.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
SeedOption = Annotated[int, typer.Option(help="Same seed, same result.")]


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from cpe_opt import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.command(epilog="Example: cpe-opt solvers --json")
def solvers(as_json: JsonOption = False) -> None:
    """Each solver: what it can solve, and its version or the line that installs it."""
    from cpe_opt.solvers import solver_table

    rows = solver_table()
    if as_json:
        print_json([vars(row) for row in rows])
        return
    print_table(
        ["solver", "solves", "incremental", "version", "about"],
        [
            [
                row.name,
                ", ".join(row.solves),
                "yes" if row.incremental else "",
                f"{row.package} {row.version}" if row.version else f"missing: {row.install}",
                row.about,
            ]
            for row in rows
        ],
    )


@app.command(epilog="Example: cpe-opt instances")
def instances(as_json: JsonOption = False) -> None:
    """Built-in instances, their sizes and where they come from."""
    from cpe_opt.problems.catalogue import INSTANCES

    rows: list[dict[str, Any]] = []
    for instance in INSTANCES.values():
        problem = instance.load()
        rows.append(
            {
                "name": instance.name,
                "arms": problem.arms,
                "copeland_winners": list(problem.copeland_winners),
                "condorcet_winner": problem.condorcet_winner,
                "about": instance.about,
                "source": instance.source,
            }
        )
    if as_json:
        print_json(rows)
        return
    print_table(
        ["instance", "arms", "winners", "Condorcet", "about", "source"],
        [
            [
                row["name"],
                row["arms"],
                ", ".join(map(str, row["copeland_winners"])),
                "none" if row["condorcet_winner"] is None else row["condorcet_winner"],
                row["about"],
                row["source"],
            ]
            for row in rows
        ],
    )


@app.command(epilog="Example: cpe-opt solve copeland sushi --method compact --solver glop")
def solve(
    model: ModelArgument,
    instance: InstanceArgument,
    solver: SolverOption = "highs",
    method: MethodOption = "cuts",
    winner: WinnerOption = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds.")] = None,
    log: Annotated[bool, typer.Option("--log", help="Print the solver's log.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Optimum, bound, residuals and time of a model."""
    problem = _problem(instance)
    bound = _bound(model, problem, method, winner, solver, time_limit=time_limit, log=log)
    result = _result(bound)
    report: dict[str, Any] = {
        "model": model,
        "instance": problem.name,
        "method": method,
        "value": bound.value,
        "winner": bound.winner,
        "by_winner": bound.by_winner,
        **_result_report(result),
    }
    if as_json:
        print_json(report)
        return
    report["by_winner"] = ", ".join(f"{arm}: {v:.6g}" for arm, v in bound.by_winner.items())
    print_table(["", ""], [[key, shown(value)] for key, value in report.items()])


@app.command(epilog="Example: cpe-opt export copeland gap gap.lp --method compact")
def export(
    model: ModelArgument,
    instance: InstanceArgument,
    file: Annotated[Path, typer.Argument(help="Ends in .lp, .mps or .mps.gz.")],
    method: MethodOption = "cuts",
    winner: WinnerOption = None,
) -> None:
    """Write a model as an LP or MPS file that reads back as the same program.

    The rows of the method "cuts" are those that its solve needed.
    """
    from cpe_opt.modelling.export import export as write

    problem = _problem(instance)
    program = _exported_program(model, problem, method, winner)
    path = write(program, file)
    rows, columns = program.shape
    typer.echo(f"{path}: {columns} columns, {rows} rows, {program.matrix.nnz} entries")


@app.command(epilog="Example: cpe-opt analyse duels.csv")
def analyse(instance: InstanceArgument, as_json: JsonOption = False) -> None:
    """Winners, ties, gaps, and what any algorithm, CW-RMED and ECW-RMED need on a problem."""
    from cpe_opt.experiments.analysis import analyse_preferences

    problem = _problem(instance)
    analysis = analyse_preferences(problem)
    if as_json:
        print_json(analysis.as_dict())
        return
    labels = problem.labels
    print_table(
        ["arm", "label", "beats", "beaten by", "Borda", "Copeland winner"],
        [
            [
                arm,
                labels[arm],
                problem.copeland_scores[arm],
                problem.losses[arm],
                f"{problem.borda_scores[arm]:.4f}",
                "yes" if arm in problem.copeland_winners else "",
            ]
            for arm in analysis.ranking
        ],
        title=f"{problem.name}: {problem.arms} arms",
    )
    condorcet = problem.condorcet_winner
    typer.echo(f"Condorcet winner: {'none' if condorcet is None else labels[condorcet]}")
    ties = [f"{labels[i]} = {labels[j]}" for i, j in problem.ties]
    typer.echo(f"ties: {', '.join(ties[:10]) or 'none'}{' …' if len(ties) > 10 else ''}")
    i, j = analysis.closest_pair
    typer.echo(f"closest pair: {labels[i]} and {labels[j]}, gap {analysis.smallest_gap:.4g}")
    typer.echo(f"C*   (regret of any algorithm, CW-RMED): {analysis.lower.value:.4f} ln T")
    typer.echo(f"C^E* (regret of ECW-RMED):               {analysis.ecw.value:.4f} ln T")
    print_table(
        ["horizon", "C* ln T", "C^E* ln T", "duels of C*"],
        [
            [f"{horizon:.0e}", f"{lower:,.0f}", f"{ecw:,.0f}", f"{duels:,.0f}"]
            for horizon, lower, ecw, duels in analysis.needs
        ],
    )
    print_table(
        ["pair", "gap", "duels per ln T"],
        [
            [f"{labels[a]} – {labels[b]}", f"{problem.gaps[a, b]:.4f}", f"{q:.4g}"]
            for a, b, q in analysis.busiest_pairs
        ],
        title="where C* spends its duels",
    )


@app.command(epilog="Example: cpe-opt run ecw-rmed sushi --horizon 1e6 --runs 10 --plot regret.png")
def run(
    algorithm: Annotated[str, typer.Argument(help="ecw-rmed or cw-rmed.")],
    instance: InstanceArgument,
    horizon: Annotated[str, typer.Option(help="Rounds, such as 1000000 or 1e6.")] = "1e5",
    runs: Annotated[int, typer.Option(help="How many independent runs.")] = 10,
    seed: SeedOption = 0,
    jobs: Annotated[int, typer.Option(help="Processes; -1: one a core.")] = -1,
    regret: Annotated[str, typer.Option(help="Units: khn or zkwr.")] = "khn",
    parameter: Annotated[
        list[str] | None, typer.Option("--parameter", "-p", help="Such as -p beta=0.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="A .png, .pdf or .svg to draw.")] = None,
    out: Annotated[Path | None, typer.Option(help="A .parquet file for the traces.")] = None,
    as_json: JsonOption = False,
) -> None:
    """One algorithm, many runs: a table, and a picture with the regret bounds."""
    from cpe_opt.errors import UnknownName
    from cpe_opt.experiments.runs import run_many, traces_frame, write_parquet
    from cpe_opt.learners import get_learner
    from cpe_opt.problems.preferences import UNITS

    get_learner(algorithm)
    units = next((known for known in UNITS if known == regret), None)
    if units is None:
        raise UnknownName("regret unit", regret, UNITS)
    problem = _problem(instance)
    with progress(f"{algorithm} on {problem.name}", runs) as advance:
        traces = run_many(
            algorithm,
            problem,
            horizon=whole(horizon, "horizon"),
            runs=runs,
            seed=seed,
            jobs=jobs,
            regret=units,
            progress=lambda _: advance(),
            **parse_parameters(parameter or []),
        )
    if out is not None:
        write_parquet(traces_frame(traces), out)
    if plot is not None:
        _plot_runs(algorithm, problem, traces, plot)
    rows = [
        {
            "run": number,
            "seed": trace.seed,
            "answer": trace.answer,
            "regret": float(trace.regret[-1]),
            "duels": trace.samples,
            "rounds": trace.rounds,
            "seconds": trace.seconds,
        }
        for number, trace in enumerate(traces)
    ]
    if as_json:
        print_json(rows)
        return
    final = [float(row["regret"]) for row in rows]
    mean = sum(final) / len(final)
    spread = math.sqrt(sum((value - mean) ** 2 for value in final) / max(1, len(final) - 1))
    print_table(
        ["run", "seed", "answer", "regret", "duels", "rounds", "seconds"],
        [
            [
                row["run"],
                row["seed"],
                "none" if row["answer"] is None else problem.labels[row["answer"]],
                f"{row['regret']:.1f}",
                f"{row['duels']:,}",
                f"{row['rounds']:,}",
                f"{row['seconds']:.2f}",
            ]
            for row in rows
        ],
        title=f"{algorithm} on {problem.name}, regret in {units} units",
    )
    typer.echo(f"mean regret {mean:.1f}, standard deviation {spread:.1f} over {runs} runs")
    for path in (out, plot):
        if path is not None:
            typer.echo(f"wrote {path}")


def main() -> None:
    """Run the command line; errors of this package become one line and an exit status."""
    from cpe_opt.errors import CpeOptError, InputError, SolverMissing, SolverUnable

    try:
        app()
    except CpeOptError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(2 if isinstance(error, InputError | SolverMissing | SolverUnable) else 1)


def _problem(instance: str) -> PreferenceMatrix:
    """A built-in instance, or whatever file is meant."""
    from cpe_opt.errors import UnknownName
    from cpe_opt.problems.catalogue import INSTANCES, load_instance
    from cpe_opt.problems.readers import read_preferences

    if instance in INSTANCES:
        return load_instance(instance)
    if Path(instance).suffix or "/" in instance or Path(instance).exists():
        return read_preferences(instance)
    raise UnknownName("instance", instance, INSTANCES)


def _bound(
    model: str,
    problem: PreferenceMatrix,
    method: str,
    winner: int | None,
    solver: str,
    **solving: Any,
) -> CopelandBound:
    from cpe_opt.errors import UnknownName
    from cpe_opt.formulations.copeland import METHODS, copeland_lower_bound
    from cpe_opt.formulations.ecw import ecw_bound

    known = next((name for name in METHODS if name == method), None)
    if known is None:
        raise UnknownName("method", method, METHODS)
    if model == "copeland":
        return copeland_lower_bound(problem, winner, method=known, solver=solver, **solving)
    if model == "ecw":
        return ecw_bound(problem, winner, method=known, solver=solver, **solving)
    raise UnknownName("model", model, MODELS)


def _exported_program(
    model: str, problem: PreferenceMatrix, method: str, winner: int | None
) -> LinearProgram:
    """The program to write: for lazy rows, those of the final relaxation."""
    program = _result(_bound(model, problem, method, winner, "highs")).program
    if program is None:
        raise typer.Exit(1)
    return program


def _result(bound: CopelandBound) -> SolveResult:
    if bound.result is None:
        raise typer.Exit(1)
    return bound.result


def _result_report(result: SolveResult) -> dict[str, Any]:
    residuals = result.residuals
    rows, columns = result.program.shape if result.program else (0, 0)
    return {
        "status": result.status.value,
        "bound": result.bound,
        "primal_residual": residuals.primal if residuals else None,
        "dual_residual": residuals.dual if residuals else None,
        "gap": residuals.gap if residuals else None,
        "columns": columns,
        "rows": rows,
        "cut_rounds": len(result.cut_rounds),
        "cuts": result.cuts,
        "iterations": result.iterations,
        "build_seconds": result.build_seconds,
        "solve_seconds": result.solve_seconds,
        "solver": f"{result.solver} {result.solver_version}",
    }


def _plot_runs(algorithm: str, problem: PreferenceMatrix, traces: list[Any], path: Path) -> None:
    from cpe_opt.experiments.analysis import regret_bounds
    from cpe_opt.experiments.plots import plot_regret
    from cpe_opt.experiments.runs import regret_curve

    units = traces[0].units
    bounds = regret_bounds(problem, units)
    plot_regret(
        {algorithm: regret_curve(traces)}, path, title=problem.name, bounds=bounds, units=units
    )
