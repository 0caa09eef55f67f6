"""Models, solved, exported and shown: loops over the registry."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import (
    FOR_MODELS,
    ArmOption,
    FeedbackOption,
    ForceOption,
    JsonOption,
    KOption,
    MarginOption,
    PricesOption,
    ProcessOption,
    SigmaOption,
    SolverOption,
    TiesOption,
    WinnerOption,
)
from cpe_opt.commands.console import format_cell, print_json, print_table
from cpe_opt.files import check_output
from cpe_opt.formulations.models import MODELS, get_model

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from cpe_opt.formulations.models import Model
    from cpe_opt.modelling.result import SolveResult

ModelArgument = Annotated[
    str, typer.Argument(help=f"{', '.join(MODELS)}; or an .lp or .mps file of any program.")
]
MethodOption = Annotated[
    str | None, typer.Option(help="A formulation or an algorithm; `cpe-opt models` lists them.")
]
InstanceOption = Annotated[
    str | None,
    typer.Argument(
        help="A built-in name (see `cpe-opt instances`) or a file of a problem; none for the file "
        "of a program."
    ),
]
RowOption = Annotated[
    list[str] | None,
    typer.Option(
        help="A further row by the names of columns, such as 'x_0_3 >= 0.9'; may be repeated.",
        metavar="ROW",
    ),
]
_REASON_SECONDS = 30.0  # for the search of a reason, where no limit is given
_SUFFIXES = (".lp", ".mps", ".mps.gz", ".cbf")

app = typer.Typer()


@app.command(epilog="Example: cpe-opt models copeland-bound", rich_help_panel=FOR_MODELS)
def models(
    name: Annotated[str | None, typer.Argument(help="One model; all by default.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Every model: its family, its methods, what it answers."""
    chosen = list(MODELS.values()) if name is None else [get_model(name)]
    rows: list[dict[str, Any]] = [
        {
            "model": model.name,
            "family": model.family,
            "methods": list(model.methods),
            "programs": list(model.formulations),
            "options": list(model.options),
            "about": model.about,
        }
        for model in chosen
    ]
    if as_json:
        print_json(rows)
        return
    if name is None:
        print_table(
            ["model", "family", "methods", "about"],
            [[r["model"], r["family"], ", ".join(r["methods"]), r["about"]] for r in rows],
        )
        return
    (row,), (model,) = rows, chosen
    one_or_none = {"methods": "one", "programs": "one", "options": "none"}
    entries = {
        key: ", ".join(value) or one_or_none[key] if isinstance(value, list) else value
        for key, value in row.items()
    }
    entries["Python"] = f"cpe_opt.{model.noun}, cpe_opt.{model.noun}_program"
    entries["page"] = f"models/{model.name}/README.md"
    print_table(["", ""], [[key, value] for key, value in entries.items()])


@app.command(
    epilog="Example: cpe-opt solve copeland-bound sushi --method compact --solver glop",
    rich_help_panel=FOR_MODELS,
)
def solve(
    model: ModelArgument,
    instance: InstanceOption = None,
    solver: SolverOption = None,
    method: MethodOption = None,
    winner: WinnerOption = None,
    arm: ArmOption = None,
    ties: TiesOption = None,
    prices: PricesOption = None,
    margin: MarginOption = None,
    feedback: FeedbackOption = None,
    sigma: SigmaOption = None,
    row: RowOption = None,
    k: KOption = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds.")] = None,
    log: Annotated[bool, typer.Option("--log", help="Print the solver's log.")] = False,
    values: Annotated[
        bool, typer.Option("--values", help="Show the values of columns and duals of rows.")
    ] = False,
    with_ranging: Annotated[
        bool,
        typer.Option(
            "--ranging",
            help="Show how far each cost, side and bound may move until the optimal basis changes.",
        ),
    ] = False,
    process: ProcessOption = None,
    memory_limit: Annotated[
        float | None, typer.Option(help="Megabytes, of a solver in a process of its own.")
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            help="A .json file to write: the optimum, or that there is no point, proved in exact "
            "numbers for examples/check_certificate.py, within --time-limit again; it needs "
            "python-flint. "
            "Example: cpe-opt solve gap.lp --certificate proof.json"
        ),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Optimum, bound, residuals and time of a model, or of the program in a file.

    Where there is no optimum: the rows and bounds that contradict each other, or a ray without end.
    """
    from cpe_opt.modelling.result import NotOptimal

    is_file = model.lower().endswith(_SUFFIXES)
    _check_certificate(certificate, force=force, sources=(model if is_file else instance, prices))
    given: dict[str, Any] = {
        "solver": solver,
        "time_limit": time_limit,
        "log": log or None,
        "process": process,
        "memory_limit": memory_limit,
    }
    solving = {name: value for name, value in given.items() if value is not None}
    failed: NotOptimal | None = None
    legend: Mapping[str, str] = {}
    result: SolveResult | None
    options: dict[str, Any] = {
        "winner": winner,
        "arm": arm,
        "ties": ties,
        "prices": prices,
        "margin": margin,
        "feedback": feedback,
        "sigma": sigma,
        "rows": row,
    }
    try:
        if is_file:
            _refuse_options(
                {"instance": instance, "method": method, "k": k, **options, "rows": None}
            )
            found: dict[str, Any] = {"model": Path(model).name}
            result = _solved_file(model, row or (), **solving)
        else:
            known, problem = _model_and_problem(model, instance, k)
            found = {"model": known.name, "instance": problem.name}
            options = _checked_options(known, problem, options)
            answer = known.solve(problem, method, **options, **solving)
            found |= known.decode(problem, answer)
            result = answer.result
            if result is not None and (values or with_ranging):
                legend = known.names(problem, (*result.column_names, *result.row_names))
    except NotOptimal as error:
        found, result, failed = {"value": error.result.objective}, error.result, error
    # What the answer says of itself goes before what its solve says, which may be a relaxation.
    solved = {} if result is None else _result_report(result)
    report = found | {name: entry for name, entry in solved.items() if name not in found}
    ranges = _ranges(result) if with_ranging and failed is None else None
    reason = None if failed is None else _reason(failed.result, solver, time_limit)
    if certificate is not None:
        report["certificate"] = _certified(result, certificate, time_limit)
    if as_json:
        why = {} if reason is None else {"why": reason}
        moves = {} if ranges is None else {"ranging": ranges.to_dict("records")}
        print_json(report | {"values": _values(result), "duals": _duals(result)} | moves | why)
    else:
        _print_report(report)
        if reason is not None:
            typer.echo(reason)
        if values:
            _print_values("column", _values(result), legend)
            _print_values("row", _duals(result), legend)
        if ranges is not None:
            _print_ranges(ranges, legend)
    if failed is not None:
        raise failed


@app.command(
    epilog="Example: cpe-opt export copeland-bound gap gap.lp --method compact",
    rich_help_panel=FOR_MODELS,
)
def export(
    model: Annotated[str, typer.Argument(help=f"{', '.join(MODELS)}.")],
    instance: Annotated[str, typer.Argument(help="A built-in name or a file of a problem.")],
    file: Annotated[Path, typer.Argument(help="Ends in .lp, .mps or .mps.gz; conic: .cbf.")],
    method: MethodOption = None,
    winner: WinnerOption = None,
    arm: ArmOption = None,
    ties: TiesOption = None,
    prices: PricesOption = None,
    margin: MarginOption = None,
    feedback: FeedbackOption = None,
    sigma: SigmaOption = None,
    row: RowOption = None,
    k: KOption = None,
    force: ForceOption = False,
) -> None:
    """Write a model as a file that reads back as the same program, with a legend of labels.

    The rows of the method "cuts" are those that its solve needed. An MPS file of a maximisation
    holds the minimisation of the negated objective, which every reader takes.
    """
    from cpe_opt.modelling.lazy import LazyProgram
    from cpe_opt.modelling.program import LinearProgram
    from cpe_opt.solvers.exporting import export as write, needed_rows

    check_output(file, _SUFFIXES, force=force, sources=(instance, prices))
    known, problem = _model_and_problem(model, instance, k)
    given: dict[str, Any] = {"winner": winner, "arm": arm, "ties": ties, "prices": prices}
    given |= {"margin": margin, "feedback": feedback, "sigma": sigma, "rows": row}
    options = _checked_options(known, problem, given)
    program = known.build(problem, method, **options)
    if isinstance(program, LazyProgram):
        program = needed_rows(program)
    legend = {}
    if isinstance(program, LinearProgram):
        legend = known.names(problem, (*program.column_names, *program.row_names))
    path = write(program, file, legend=legend)
    typer.echo(f"{path}: {program!r}")


def _model_and_problem(model: str, instance: str | None, k: int | None) -> tuple[Model, Any]:
    from cpe_opt.errors import InputError
    from cpe_opt.formats.problems import load_problem

    known = get_model(model)
    if instance is None:
        raise InputError(f"{known.name} needs an instance, such as `cpe-opt instances` lists")
    return known, load_problem(instance, k)


def _checked_options(model: Model, problem: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are given, or :class:`InputError` if one has no effect on the model."""
    from cpe_opt.errors import InputError
    from cpe_opt.formats.prices import read_prices

    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in model.options:
            able = [other.name for other in MODELS.values() if name in other.options]
            option = "--row" if name == "rows" else f"--{name}"
            raise InputError(f"{option} has no effect on {model.name}; it is for {', '.join(able)}")
    if "prices" in given:
        given["prices"] = read_prices(given["prices"], problem)
    return given


def _refuse_options(given: Mapping[str, Any]) -> None:
    from cpe_opt.errors import InputError

    for name, value in given.items():
        if value is not None:
            shown = name if name == "instance" else f"--{name}"
            raise InputError(f"{shown} has no effect on the program of a file, expected none")


def _solved_file(path: str, rows: Sequence[str], **solving: Any) -> SolveResult:
    """The program in a file, solved; a QP by Clarabel if no solver is named."""
    from cpe_opt.errors import InputError
    from cpe_opt.modelling.lp_reader import with_row_texts
    from cpe_opt.modelling.program import LinearProgram
    from cpe_opt.modelling.quadratic import QuadraticProgram
    from cpe_opt.modelling.reading import read_program
    from cpe_opt.solvers.solve import solve as solve_program

    program = read_program(path)
    if rows:
        if not isinstance(program, LinearProgram):
            raise InputError(f"--row is for linear programs, and {program!r} is none")
        program = with_row_texts(program, rows)
    if isinstance(program, QuadraticProgram):
        solving.setdefault("solver", "clarabel")
    return solve_program(program, **solving)


def _reason(result: SolveResult, solver: str | None, time_limit: float | None) -> str | None:
    """Why a linear or integer program has no optimum, or why that is not known; None for others."""
    from cpe_opt.errors import CpeOptError
    from cpe_opt.modelling.quadratic import QuadraticProgram
    from cpe_opt.modelling.result import Status
    from cpe_opt.solvers.explain import infeasible_rows, unbounded_ray

    program = result.program
    if isinstance(program, QuadraticProgram):  # its rows are linear, its rays are not
        program = program.linear if result.status is Status.INFEASIBLE else None
    if program is None or result.status not in (Status.INFEASIBLE, Status.UNBOUNDED):
        return None
    try:
        ask = infeasible_rows if result.status is Status.INFEASIBLE else unbounded_ray
        text = ask(program, time_limit or _REASON_SECONDS).text
    except CpeOptError as error:
        text = f"Why was not found out: {error}"
    asked = solver in (None, "highs")
    return text if asked else f"{text}\nThis is the answer of highs, not of {solver}."


def _check_certificate(
    path: Path | None, *, force: bool, sources: Sequence[str | Path | None]
) -> None:
    """Refuse a file that cannot be written to, before anything is solved."""
    from cpe_opt.errors import InputError

    if path is not None:
        check_output(path, (".json",), force=force, sources=sources)
    elif force:
        raise InputError("--force has no effect without --certificate, expected none")


def _ranges(result: SolveResult | None) -> pd.DataFrame:
    """The intervals of all numbers of a linear program."""
    from cpe_opt.errors import InputError
    from cpe_opt.solvers.ranging import ranging

    if result is None:
        raise InputError("--ranging has no effect where no program is solved, expected none")
    return ranging(result)


def _print_ranges(ranges: pd.DataFrame, legend: Mapping[str, str]) -> None:
    """The table of intervals, with what its names stand for."""
    if legend:
        ranges = ranges.assign(**{"stands for": [legend.get(name, "") for name in ranges["name"]]})
    rows = [
        [f"{cell:.7g}" if isinstance(cell, float) else cell for cell in row]
        for row in ranges.itertuples(index=False)
    ]
    print_table(list(ranges.columns), rows)
    typer.echo("One number moves, the others stay; the intervals are those of one optimal basis.")


def _certified(result: SolveResult | None, path: Path, time_limit: float | None) -> str:
    """Write the certificate of the program that was solved; returns what it proves."""
    from cpe_opt.errors import InputError
    from cpe_opt.modelling.program import LinearProgram
    from cpe_opt.solvers.certificate import certificate

    if result is None or not isinstance(result.program, LinearProgram):
        solved = "no program" if result is None else "a quadratic program"
        solved = "a cone program" if result is not None and result.program is None else solved
        raise InputError(
            f"--certificate is for linear and integer programs, and {solved} was solved; `cpe-opt "
            "models NAME` lists methods"
        )
    found = certificate(result.program, time_limit=time_limit)
    found.write(path)
    return f"{found.statement}{', of the rows that its solve needed' * bool(result.cut_rounds)}"


def _values(result: SolveResult | None) -> dict[str, float] | None:
    """The point by column name, or None if there is none."""
    return None if result is None or result.x is None else result.values


def _duals(result: SolveResult | None) -> dict[str, float] | None:
    """The duals by row name, or None if there are none."""
    return None if result is None or result.row_duals is None else result.duals


def _print_report(report: Mapping[str, Any]) -> None:
    def cell(value: Any) -> str:
        if isinstance(value, dict):
            return ", ".join(f"{name}: {number:.6g}" for name, number in value.items())
        return format_cell(value)

    print_table(["", ""], [[key, cell(value)] for key, value in report.items()])


def _print_values(what: str, values: Mapping[str, float] | None, legend: Mapping[str, str]) -> None:
    """The values that are not 0, with what their names stand for."""
    if values is None:
        typer.echo(f"no {'values' if what == 'column' else 'duals'}")
        return
    head = [what, "value" if what == "column" else "dual", *(["stands for"] if legend else [])]
    rows = [
        [name, format_cell(value), *([legend.get(name, "")] if legend else [])]
        for name, value in values.items()
        if value
    ]
    print_table(head, rows, title=f"{len(rows)} of {len(values)} {what}s are not 0")


def _result_report(result: SolveResult) -> dict[str, Any]:
    residuals = result.residuals
    rows, columns = result.program.shape if result.program else (0, 0)
    return {
        "status": result.status.value,
        "objective": result.objective,
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
