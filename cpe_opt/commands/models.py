"""Models, solved, exported and shown, and who solves them: loops over the registries."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import cpe_opt as cpe
from cpe_opt.commands import FOR_MODELS, command, given, refuse
from cpe_opt.commands.console import format_cell, print_facts, print_json, print_table
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.files import check_output
from cpe_opt.formulations.models import MODELS, get_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cpe_opt.formulations.models import Model
    from cpe_opt.modelling.result import SolveResult

_REASON_SECONDS = 30.0  # for the search of a reason, where no limit is given
_MEASURED = ("cuts", "iterations", "build_seconds", "solve_seconds")
_SUFFIXES = (".lp", ".mps", ".mps.gz", ".cbf")

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class Options:
    """What some models take, and others refuse.

    :param winner: One right answer, by number; the best by default.
    :param arm: The arm to make a winner, by number; the nearest by default.
    :param ties: The winner's ties are flipped at no cost (free, the default), or the rows are those
        of the paper (literal).
    :param margin: By how much another arm may be ahead of a right answer, from 0 (the default) to
        below 0.5; of Borda scores, to below 1.
    :param feedback: What pulls show: single rewards of elements (the default), or sums.
    :param sigma: The standard deviation of one observation; that of the problem by default.
    :param ROW rows: A further row by the names of columns, such as 'x_0_3 >= 0.9'; may be repeated.
    """

    winner: int | None = None
    arm: int | None = None
    ties: str | None = None
    prices: Path | None = None
    margin: float | None = None
    feedback: str | None = None
    sigma: float | None = None
    rows: list[str] | None = None

    def of(self, model: Model, problem: Any) -> dict[str, Any]:
        """The same for a model, or :class:`InputError` if one has no effect on it."""
        options = given(vars(self))
        for name, value in options.items():
            if name not in model.options:
                able = [other.name for other in MODELS.values() if name in other.options]
                refuse({name: value}, f"on {model.name}; it is for {', '.join(able)}")
        if self.prices is not None:
            options["prices"] = cpe.read_prices(self.prices, problem)
        return options


@dataclass(frozen=True, kw_only=True)
class Solving:
    """Who solves, and how long.

    :param time_limit: Seconds.
    :param log: Print the solver's log.
    :param process: Where the solver runs: here, or in a process of its own (child).
    :param memory_limit: Megabytes, of a solver in a process of its own.
    """

    solver: str | None = None
    time_limit: float | None = None
    log: bool = False
    process: str | None = None
    memory_limit: float | None = None


@command(app, "cpe-opt models copeland-bound", FOR_MODELS)
def models(name: str | None = None, *, json: bool = False) -> None:
    """Every model: its family, its methods, what it answers.

    :param name: One model; all by default.
    """
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
    if json:
        print_json(rows)
    elif name is None:
        print_table(
            ["model", "family", "methods", "about"],
            [[r["model"], r["family"], ", ".join(r["methods"]), r["about"]] for r in rows],
        )
    else:
        lists = {key: ", ".join(value) for key, value in rows[0].items() if isinstance(value, list)}
        facts = rows[0] | lists
        noun = chosen[0].noun
        facts["Python"] = f"cpe_opt.{noun}, cpe_opt.{noun}_program"
        facts["page"] = f"models/{name}/README.md"
        print_facts({key: value for key, value in facts.items() if value})


@command(app, "cpe-opt solve copeland-bound sushi --method compact --solver glop", FOR_MODELS)
def solve(
    model: str,
    instance: str | None = None,
    *,
    solving: Solving,
    method: str | None = None,
    options: Options,
    k: int | None = None,
    values: bool = False,
    json: bool = False,
) -> None:
    """Optimum, bound, residuals and time of a model, or of the program in a file.

    Where there is no optimum: the rows and bounds that contradict each other, or a ray without end.

    :param model: One of `cpe-opt models`; or an .lp or .mps file of any program.
    :param instance: A built-in name (see `cpe-opt instances`) or a file of a problem; none for the
        file of a program.
    :param method: A formulation or an algorithm; `cpe-opt models` lists them.
    :param values: Show the values of columns and duals of rows.
    """
    is_file = model.lower().endswith(_SUFFIXES)
    failed: cpe.NotOptimal | None = None
    legend: Mapping[str, str] = {}
    result: SolveResult | None
    try:
        if is_file:
            found: dict[str, Any] = {"model": Path(model).name}
            others = {"instance": instance, "method": method, "k": k}
            result = _solved_file(model, others, options, solving)
        else:
            known, problem = _model_and_problem(model, instance, k)
            found = {"model": known.name, "instance": problem.name}
            answer = known.solve(
                problem, method, **options.of(known, problem), **given(vars(solving))
            )
            found |= known.decode(problem, answer)
            result = answer.result
            if result is not None and values:
                legend = known.names(problem, (*result.column_names, *result.row_names))
    except cpe.NotOptimal as error:
        found, result, failed = {"value": error.result.objective}, error.result, error
    # What the answer says of itself goes before what its solve says, which may be a relaxation.
    solved = {} if result is None else _result_report(result)
    report = found | solved | found
    reason = None if failed is None else _reason(failed.result, solving.time_limit)
    point = None if result is None or result.x is None else result.values
    duals = None if result is None or result.row_duals is None else result.duals
    if json:
        print_json(report | {"values": point, "duals": duals} | given({"why": reason}))
    else:
        print_facts({name: _cell(entry) for name, entry in report.items()})
        if reason is not None:
            typer.echo(reason)
        if values:
            _print_values(["column", "value"], point, legend)
            _print_values(["row", "dual"], duals, legend)
    if failed is not None:
        raise failed


@command(app, "cpe-opt export copeland-bound gap gap.lp --method compact", FOR_MODELS)
def export(
    model: str,
    instance: str,
    file: Path,
    *,
    method: str | None = None,
    options: Options,
    k: int | None = None,
    force: bool = False,
) -> None:
    """Write a model as a file that reads back as the same program, with a legend of labels.

    The rows of the method "cuts" are those that its solve needed. An MPS file of a maximisation
    holds the minimisation of the negated objective, which every reader takes.

    :param model: One of `cpe-opt models`.
    :param instance: A built-in name or a file of a problem.
    :param file: Ends in .lp, .mps or .mps.gz; conic: .cbf.
    :param method: A formulation or an algorithm; `cpe-opt models` lists them.
    """
    from cpe_opt.solvers.exporting import needed_rows

    check_output(file, _SUFFIXES, force=force, sources=(instance, options.prices))
    known, problem = _model_and_problem(model, instance, k)
    program = known.build(problem, method, **options.of(known, problem))
    if isinstance(program, cpe.LazyProgram):
        program = needed_rows(program)
    legend = {}
    if isinstance(program, cpe.LinearProgram):
        legend = known.names(problem, (*program.column_names, *program.row_names))
    path = cpe.export(program, file, legend=legend)
    typer.echo(f"{path}: {program!r}")


@command(app, "cpe-opt solvers", FOR_MODELS)
def solvers(*, json: bool = False) -> None:
    """Each solver: what it can solve, its version or the line that installs it, its licence.

    "kept": after a change it solves on from its last basis. Assignments are solved by methods:
    solve best-matching FILE --method networkx.
    """
    from cpe_opt.solvers.registry import solver_table

    rows = solver_table()
    if json:
        print_json([vars(row) for row in rows])
        return
    cells = []
    for row in rows:
        version = f"{row.package} {row.version}" if row.version else f"missing: {row.install}"
        kept = "yes" if row.incremental else ""
        about = f"{row.about} ({row.licence})"
        cells.append([row.name, ", ".join(row.solves), kept, version, about])
    print_table(["solver", "solves", "kept", "version", "about (licence)"], cells)


def _model_and_problem(model: str, instance: str | None, k: int | None) -> tuple[Model, Any]:
    known = get_model(model)
    if instance is None:
        raise InputError(f"{known.name} needs an instance, such as `cpe-opt instances` lists")
    return known, cpe.load_problem(instance, k)


def _solved_file(
    path: str, others: Mapping[str, Any], options: Options, solving: Solving
) -> SolveResult:
    """The program in a file, solved; a QP by Clarabel if no solver is named."""
    from cpe_opt.modelling.reading import with_row_texts

    rows = options.rows or []
    others = {**others, **vars(options), "rows": None}
    refuse(others, "on the program of a file, expected none")
    program = cpe.read_program(path)
    if rows:
        if not isinstance(program, cpe.LinearProgram):
            raise InputError(f"--row is for linear programs, and {program!r} is none")
        program = with_row_texts(program, rows)
    default = {"solver": "clarabel"} if isinstance(program, cpe.QuadraticProgram) else {}
    return cpe.solve(program, **default | given(vars(solving)))


def _reason(result: SolveResult, time_limit: float | None) -> str | None:
    """Why a linear or integer program has no optimum, or why that is not known; None for others."""
    from cpe_opt.modelling.result import Status

    program = result.program
    if isinstance(program, cpe.QuadraticProgram):  # its rows are linear, its rays are not
        program = program.linear if result.status is Status.INFEASIBLE else None
    if program is None or result.status not in (Status.INFEASIBLE, Status.UNBOUNDED):
        return None
    try:
        ask = cpe.infeasible_rows if result.status is Status.INFEASIBLE else cpe.unbounded_ray
        return ask(program, time_limit or _REASON_SECONDS).text
    except CpeOptError as error:
        return f"Why was not found out: {error}"


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {number:.6g}" for name, number in value.items())
    return format_cell(value)


def _print_values(
    head: list[str], values: Mapping[str, float] | None, legend: Mapping[str, str]
) -> None:
    """The values that are not 0, with what their names stand for."""
    if values is None:
        typer.echo(f"no {head[1]}s")
        return
    rows = [
        [name, format_cell(value), *([legend.get(name, "")] if legend else [])]
        for name, value in values.items()
        if value
    ]
    title = f"{len(rows)} of {len(values)} {head[0]}s are not 0"
    print_table([*head, *(["stands for"] if legend else [])], rows, title=title)


def _result_report(result: SolveResult) -> dict[str, Any]:
    residuals = result.residuals
    rows, columns = result.program.shape if result.program else (0, 0)
    report = {"status": result.status.value, "objective": result.objective, "bound": result.bound}
    report |= {
        "primal_residual": residuals.primal if residuals else None,
        "dual_residual": residuals.dual if residuals else None,
        "gap": residuals.gap if residuals else None,
        "columns": columns,
        "rows": rows,
        "cut_rounds": len(result.cut_rounds),
    }
    report |= {name: getattr(result, name) for name in _MEASURED}
    return report | {"solver": f"{result.solver} {result.solver_version}"}
