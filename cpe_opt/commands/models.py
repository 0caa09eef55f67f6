"""Solvers, instances, and models solved or exported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import (
    ForceOption,
    InstanceArgument,
    JsonOption,
    KOption,
    MethodOption,
    ModelArgument,
    SeedOption,
    SolverOption,
    TiesOption,
    WinnerOption,
)
from cpe_opt.commands.console import format_cell, print_json, print_table
from cpe_opt.commands.separable import (
    SEPARABLE_MODELS,
    check_model,
    separable_program,
    solved_separable,
)
from cpe_opt.commands.subsets import DESIGN_MODELS, SUBSET_MODELS, ellipsoid_of, solved_subsets
from cpe_opt.files import check_output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cpe_opt.modelling.program import LinearProgram
    from cpe_opt.modelling.result import SolveResult
    from cpe_opt.problems.matchings.duels import MatchingDuels
    from cpe_opt.problems.problem import Problem

BOUND_MODELS = ("copeland-bound", "ecw-bound")
PREFERENCE_MODELS = (*BOUND_MODELS, "von-neumann-winner")
MATCHING_MODELS = ("condorcet-value", "best-matching")
MODELS = (*PREFERENCE_MODELS, *MATCHING_MODELS, *SUBSET_MODELS, *SEPARABLE_MODELS)

app = typer.Typer()


@app.command(epilog="Example: cpe-opt solvers --json")
def solvers(as_json: JsonOption = False) -> None:
    """Each solver: what it can solve, and its version or the line that installs it."""
    from cpe_opt.solvers.registry import solver_table

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

    rows = [
        {
            "name": instance.name,
            "family": instance.family,
            **_described(instance.load()),
            "about": instance.about,
            "source": instance.source,
        }
        for instance in INSTANCES.values()
    ]
    if as_json:
        print_json(rows)
        return
    print_table(
        ["instance", "size", "winners", "Condorcet", "about", "source"],
        [
            [
                row["name"],
                row["size"],
                ", ".join(map(str, row["winners"])),
                "none" if row["condorcet_winner"] is None else row["condorcet_winner"],
                row["about"],
                row["source"],
            ]
            for row in rows
        ],
    )


@app.command(epilog="Example: cpe-opt generate team.csv --candidates 5 --positions 3 --gap 0.05")
def generate(
    file: Annotated[Path, typer.Argument(help="A .csv file to write.")],
    candidates: Annotated[int, typer.Option(help="How many.")],
    positions: Annotated[int, typer.Option(help="How many; at most as many as candidates.")],
    gap: Annotated[float, typer.Option(help="The winner's smallest lead.")] = 0.05,
    density: Annotated[float, typer.Option(help="Share of the possible edges.")] = 1.0,
    seed: SeedOption = 0,
    force: ForceOption = False,
) -> None:
    """A random problem of matchings with a Condorcet winner and a chosen gap."""
    from cpe_opt.problems.generators import planted_condorcet

    check_output(file, (".csv",), force=force)
    duels = planted_condorcet(candidates, positions, gap=gap, seed=seed, density=density)
    duels.to_csv(file)
    typer.echo(f"wrote {file}: {duels.graph.size} edges, {duels.graph.n_pairs} pairs that duel")


def _described(problem: Problem) -> dict[str, Any]:
    """Size and winners: Copeland winners, the Borda winner of matchings, or the best set."""
    from cpe_opt.formulations.matchings.winners import borda_winner, condorcet_winner
    from cpe_opt.formulations.separable.oracle import oracle_of
    from cpe_opt.formulations.subsets.oracle import best_subset
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix
    from cpe_opt.problems.matchings.duels import MatchingDuels
    from cpe_opt.problems.separable.problem import SeparableProblem
    from cpe_opt.problems.subsets.bandit import SubsetBandit

    if isinstance(problem, SeparableProblem):
        return {
            "size": problem.model.name,
            "winners": [oracle_of(problem.model)(problem.theta).tolist()],
            "condorcet_winner": None,
        }
    if isinstance(problem, SubsetBandit):
        return {
            "size": problem.decisions.name,
            "winners": [list(best_subset(problem.decisions, problem.theta).elements)],
            "condorcet_winner": None,
        }

    if isinstance(problem, PreferenceMatrix):
        return {
            "size": f"{problem.arms} arms",
            "winners": list(problem.copeland_winners),
            "condorcet_winner": problem.condorcet_winner,
        }
    assert isinstance(problem, MatchingDuels)
    graph = problem.graph
    return {
        "size": f"{graph.candidates} candidates, {graph.positions} positions",
        "winners": [list(borda_winner(problem).edges)],
        "condorcet_winner": condorcet_winner(problem),
    }


@app.command(epilog="Example: cpe-opt solve copeland-bound sushi --method compact --solver glop")
def solve(
    model: ModelArgument,
    instance: InstanceArgument,
    solver: SolverOption = None,
    method: MethodOption = None,
    winner: WinnerOption = None,
    ties: TiesOption = None,
    k: KOption = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds.")] = None,
    log: Annotated[bool, typer.Option("--log", help="Print the solver's log.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Optimum, bound, residuals and time of a model."""
    from cpe_opt.modelling.result import NotOptimal

    with_methods = (*BOUND_MODELS, *SUBSET_MODELS, *SEPARABLE_MODELS)
    _check_options(model, method, winner, ties, with_methods)
    from cpe_opt.problems.files import load_problem

    problem = load_problem(instance, k)
    given = {"solver": solver, "time_limit": time_limit, "log": log or None}
    solving = {name: value for name, value in given.items() if value is not None}
    failed: NotOptimal | None = None
    try:
        found, result = _solved(model, problem, method, winner, ties, **solving)
    except NotOptimal as error:
        found, result, failed = {"value": error.result.objective}, error.result, error
    report: dict[str, Any] = {
        "model": model,
        "instance": problem.name,
        **found,
        **({} if result is None else _result_report(result)),
    }
    if as_json:
        print_json(report)
    else:
        for key, value in report.items():
            if isinstance(value, dict):
                report[key] = ", ".join(f"{arm}: {number:.6g}" for arm, number in value.items())
        print_table(["", ""], [[key, format_cell(value)] for key, value in report.items()])
    if failed is not None:
        raise failed


@app.command(epilog="Example: cpe-opt export copeland-bound gap gap.lp --method compact")
def export(
    model: ModelArgument,
    instance: InstanceArgument,
    file: Annotated[Path, typer.Argument(help="Ends in .lp, .mps or .mps.gz.")],
    method: MethodOption = None,
    winner: WinnerOption = None,
    ties: TiesOption = None,
    k: KOption = None,
    force: ForceOption = False,
) -> None:
    """Write a model as an LP or MPS file that reads back as the same program.

    The rows of the method "cuts" are those that its solve needed. An MPS file of a maximisation
    holds the minimisation of the negated objective, which every reader takes.
    """
    from cpe_opt.errors import InputError
    from cpe_opt.modelling.export import write_program
    from cpe_opt.modelling.reading import SUFFIXES

    if model in DESIGN_MODELS:
        raise InputError(
            f"{model} is a conic model, which no LP or MPS file can hold; from Python "
            "cpe_opt.export writes cpe_opt.g_design_program and xy_design_program as a .cbf file"
        )
    check_output(file, SUFFIXES, force=force)
    _check_options(model, method, winner, ties)
    from cpe_opt.problems.files import load_problem

    problem = load_problem(instance, k)
    if model == "ellipsoid-maximum":
        program = _ellipsoid(problem)
    elif model in SEPARABLE_MODELS:
        check_model(model, problem)
        program = separable_program(problem)
    else:
        result = _solved(model, problem, method, winner, ties)[1]
        if result is None or result.program is None:
            raise InputError(
                f"the program of {model} for {problem.name} has no solution: a tie may cost the "
                "winner its rank; --ties literal gives the rows as printed"
            )
        program = result.program
    path = write_program(program, file)
    rows, columns = program.shape
    typer.echo(f"{path}: {columns} columns, {rows} rows, {program.matrix.nnz} entries")


def _check_options(
    model: str,
    method: str | None,
    winner: int | None,
    ties: str | None,
    with_methods: Sequence[str] = BOUND_MODELS,
) -> None:
    """Raise :class:`InputError` where an option has no effect on a model, or a name is unknown."""
    from cpe_opt.errors import InputError, UnknownName
    from cpe_opt.formulations.dueling.rows import TIES

    if model not in MODELS:
        raise UnknownName("model", model, MODELS)
    for option, value, models in (
        ("--method", method, with_methods),
        ("--winner", winner, BOUND_MODELS),
        ("--ties", ties, BOUND_MODELS),
    ):
        if value is not None and model not in models:
            raise InputError(f"{option} has no effect on {model}; it is for {', '.join(models)}")
    if ties is not None and ties not in TIES:
        raise UnknownName("way with ties", ties, TIES)


def _solved(
    model: str,
    problem: Problem,
    method: str | None,
    winner: int | None,
    ties: str | None,
    **solving: Any,
) -> tuple[dict[str, Any], SolveResult | None]:
    """What a model found, for the report, and the solve behind it."""
    from cpe_opt.errors import InputError, UnknownName
    from cpe_opt.formulations.dueling.ecw import ecw_bound
    from cpe_opt.formulations.dueling.lower_bound import METHODS, copeland_bound
    from cpe_opt.formulations.dueling.rows import TIES
    from cpe_opt.formulations.dueling.voting import von_neumann_winner
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix
    from cpe_opt.problems.matchings.duels import MatchingDuels
    from cpe_opt.problems.separable.problem import SeparableProblem
    from cpe_opt.problems.subsets.bandit import SubsetBandit

    for kind, models, fits in (
        ("preferences", PREFERENCE_MODELS, PreferenceMatrix),
        ("matchings", MATCHING_MODELS, MatchingDuels),
        ("sets", SUBSET_MODELS, SubsetBandit),
    ):
        if model in models and not isinstance(problem, fits):
            raise InputError(
                f"{model} is a model of {kind}, and {problem.name} is no problem of these"
            )
    if model in SEPARABLE_MODELS:
        check_model(model, problem)
    if isinstance(problem, SeparableProblem):
        return solved_separable(problem, method, **solving)
    if isinstance(problem, SubsetBandit):
        return solved_subsets(model, problem, method, **solving)
    if isinstance(problem, MatchingDuels):
        return _solved_matchings(model, problem, **solving)
    assert isinstance(problem, PreferenceMatrix)
    if model == "von-neumann-winner":
        lottery = von_neumann_winner(problem, **solving)
        weights = {problem.labels[arm]: float(lottery.weights[arm]) for arm in lottery.support}
        report = {"exploitability": lottery.exploitability, "weights": weights}
        return report, lottery.result
    method = method or "cuts"
    known = next((name for name in METHODS if name == method), None)
    if known is None:
        raise UnknownName("method", method, METHODS)
    way = next(name for name in TIES if name == (ties or "free"))
    bound_of = copeland_bound if model == "copeland-bound" else ecw_bound
    bound = bound_of(problem, winner, method=known, ties=way, **solving)
    found = {"method": method, "value": bound.value, "winner": bound.winner}
    return {**found, "by_winner": bound.by_winner}, bound.result


def _ellipsoid(problem: Problem) -> LinearProgram:
    """The integer program of the confidence ellipsoid of a problem of sets."""
    from cpe_opt.errors import InputError
    from cpe_opt.formulations.quadratic.program import ellipsoid_maximum_program
    from cpe_opt.problems.subsets.bandit import SubsetBandit

    if not isinstance(problem, SubsetBandit):
        raise InputError(
            f"ellipsoid-maximum is a model of sets, and {problem.name} is no problem of these"
        )
    return ellipsoid_maximum_program(ellipsoid_of(problem), problem.decisions)


def _solved_matchings(
    model: str, problem: MatchingDuels, *, solver: str = "highs", **solving: Any
) -> tuple[dict[str, Any], SolveResult]:
    """The saddle LP of a problem of matchings, or the matching with the best Borda score."""
    from cpe_opt.errors import SolverUnable
    from cpe_opt.formulations.matchings.condorcet import condorcet_value
    from cpe_opt.formulations.matchings.winners import borda_winner
    from cpe_opt.solvers.assignment import ASSIGNERS

    if solver in ASSIGNERS or solver == "subgradient":
        raise SolverUnable(
            f"{solver!r} solves no program that could be reported or exported; use it from Python"
        )
    graph = problem.graph
    if model == "best-matching":
        best = borda_winner(problem, method="program", solver=solver, **solving)
        assert best.result is not None
        score = best.value / graph.positions
        names = [graph.label(edge) for edge in best.edges]
        return {"Borda score": score, "matching": "; ".join(names)}, best.result
    point = condorcet_value(graph, problem.array, solver=solver, **solving)
    assert point.result is not None
    played = {graph.label(e): float(point.x[e]) for e in range(graph.size) if point.x[e] > 1e-9}
    return {"value": point.value, "duality gap": point.gap, "x": played}, point.result


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
