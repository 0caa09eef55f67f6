"""Algorithms run and compared."""

from __future__ import annotations

import ast
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
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
    known_units,
)
from cpe_opt.commands.console import (
    interruptible,
    parse_count,
    parse_parameters,
    print_json,
    print_table,
    progress,
)
from cpe_opt.files import check_folder, check_output

if TYPE_CHECKING:
    from cpe_opt.experiments.engine import LearnerSpec
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix
    from cpe_opt.problems.problem import Problem


app = typer.Typer()


@app.command(epilog="Example: cpe-opt run ecw-rmed sushi --horizon 1e6 --runs 10 --plot regret.png")
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
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """One algorithm, many runs: a table, and a picture with the regret bounds."""
    from cpe_opt.errors import InputError
    from cpe_opt.experiments.plots import PICTURES
    from cpe_opt.experiments.runs import TABLES, run_many, traces_frame, write_table
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix
    from cpe_opt.problems.files import load_problem
    from cpe_opt.problems.separable.problem import SeparableProblem
    from cpe_opt.problems.subsets.bandit import SubsetBandit
    from cpe_opt.simulation.driver import checked_learner

    problem, units = load_problem(instance, k), known_units(regret)
    rounds, parameters = _rounds(horizon, problem), parse_parameters(parameter or [])
    checked_learner(algorithm, problem, parameters, rounds)
    identified = not isinstance(problem, PreferenceMatrix)
    if plot is not None:
        if identified:
            raise InputError(
                f"run draws regret, and a {type(problem).__name__} has none; "
                "`cpe-opt compare ... --plot` draws samples"
            )
        check_output(plot, PICTURES, force=force)
    if out is not None:
        check_output(out, TABLES, force=force)
    done = count(1)
    advice = (
        "nothing was written; `cpe-opt compare` notes finished runs, and goes on with the rest "
        "when it is started again"
    )
    with interruptible(advice), progress(f"{algorithm} on {problem.name}", runs) as advance:
        traces = run_many(
            algorithm,
            problem,
            horizon=rounds,
            runs=runs,
            seed=seed,
            jobs=jobs,
            regret=units,
            progress=lambda _: advance(next(done), runs),
            **parameters,
        )
    pulled = isinstance(problem, SubsetBandit | SeparableProblem)
    drawn = "pulls" if pulled else "duels"
    rows: list[dict[str, Any]] = [
        {
            "run": number,
            "seed": trace.seed,
            "answer": trace.answer,
            "doubt": trace.doubt,
            "regret": None if identified else float(trace.regret[-1]),
            drawn: trace.samples,
            "rounds": trace.rounds,
            "seconds": trace.seconds,
        }
        for number, trace in enumerate(traces)
    ]
    if as_json:
        print_json(rows)
    else:
        title = f"{algorithm} on {problem.name}"
        _show_runs(
            rows,
            drawn,
            problem,
            title if identified else f"{title}, regret in {traces[0].units} units",
        )
        _tell_doubts(algorithm, [trace.doubt for trace in traces], problem)
    # Files come last, so that what was measured is shown even where they cannot be written.
    if out is not None:
        write_table(traces_frame(traces), out)
    if plot is not None and isinstance(problem, PreferenceMatrix):
        _plot_runs(algorithm, problem, traces, plot)
    if not as_json:
        for path in (out, plot):
            if path is not None:
                typer.echo(f"wrote {path}")


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
                _named(row["answer"], problem),
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


@app.command(
    epilog="Example: cpe-opt compare ecw-rmed cw-rmed gap --horizon 1e6 --runs 20 --plot gap.png"
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
    from cpe_opt.analysis.dueling import regret_bounds
    from cpe_opt.errors import InputError
    from cpe_opt.experiments.engine import plan_runs, play
    from cpe_opt.experiments.parallel import chosen_engine
    from cpe_opt.experiments.plots import PICTURES, plot_regret, plot_samples
    from cpe_opt.experiments.results import curves, finals, read_runs, summary_frame
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix

    if len(names) < 2:
        raise InputError("expected at least one algorithm and then an instance")
    from cpe_opt.problems.files import load_problem

    problem, units = load_problem(names[-1], k), known_units(regret)
    plans = [_plan(name) for name in names[:-1]]
    if plot is not None:
        check_output(plot, PICTURES, force=force)
    check_folder(out)
    planned = plan_runs(
        plans,
        [problem],
        runs=runs,
        horizon=_rounds(horizon, problem),
        seed=seed,
        out=out,
        regret=units,
    )
    advice = f"finished runs are kept in {out}; the same command goes on with the rest"
    with interruptible(advice), progress(problem.name) as advance:
        play(planned, jobs=jobs, engine=chosen_engine(engine), progress=advance)
    finished = read_runs([run.path for run in planned])
    units = units or "mean"
    table = summary_frame(finished)
    if plot is not None and isinstance(problem, PreferenceMatrix):
        plot_regret(
            curves(finished)[problem.name],
            plot,
            title=problem.name,
            bounds=regret_bounds(problem, units),
            units=units,
        )
    elif plot is not None:
        samples = {label: finals(group)[0].tolist() for (_, label), group in finished.items()}
        plot_samples(samples, plot, title=problem.name)
    rows = table.to_dict("records")
    if as_json:
        print_json(rows)
        return
    measured = "samples"
    if isinstance(problem, PreferenceMatrix):
        measured = f"regret at T = {planned[0].horizon:,} in {units} units"
    _show_comparison(rows, problem, f"{problem.name}: {measured}, {runs} runs each")
    for (_, label), group in finished.items():
        _tell_doubts(label, [run.metadata.get("doubt", "") for run in group], problem)
    if plot is not None:
        typer.echo(f"wrote {plot}")


def _show_comparison(rows: Sequence[Mapping[Any, Any]], problem: Problem, title: str) -> None:
    """What the algorithms needed, and what they answered."""
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix

    samples = isinstance(problem, PreferenceMatrix)  # elsewhere they are what is measured
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
                f"{_amount(row['mean'])} ± {_amount(row['sd'])}",
                f"{_amount(row['median'])} ({_amount(row['q10'])}–{_amount(row['q90'])})",
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
            [row["learner"], _named(ast.literal_eval(answer), problem), times]
            for row in rows
            for answer, times in row["answers"].items()
        ],
    )


def _tell_doubts(algorithm: str, doubts: Sequence[str], problem: Problem) -> None:
    """Say how many answers are not proved, and why not; of regret, not that a horizon ends it."""
    from cpe_opt.learners.exchange import AT_HORIZON
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix

    expected = AT_HORIZON if isinstance(problem, PreferenceMatrix) else ""
    for doubt, times in Counter(doubts).items():
        if doubt not in ("", expected):
            typer.echo(f"{algorithm}: no answer proved in {times} of {len(doubts)} runs: {doubt}")


def _amount(value: float) -> str:
    """Regret or samples: a decimal where it says something."""
    return f"{value:,.1f}" if abs(value) < 10_000 else f"{value:,.0f}"


def _plan(text: str) -> LearnerSpec:
    """A learner with parameters from ``name`` or ``name:key=value,key=value``."""
    from cpe_opt.experiments.engine import LearnerSpec
    from cpe_opt.learners.registry import get_learner

    name, _, settings = text.partition(":")
    get_learner(name)
    return LearnerSpec(name, parse_parameters(settings.split(",") if settings else []))


def _rounds(horizon: str | None, problem: Problem) -> int | None:
    """The horizon; by default 1e5, and none where learners stop by themselves."""
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix

    if horizon is not None:
        return parse_count(horizon, "horizon")
    return 10**5 if isinstance(problem, PreferenceMatrix) else None


def _named(answer: int | Sequence[int] | None, problem: Problem) -> str:
    """An arm, a ranking of arms, a matching, or a set, by their labels."""
    from cpe_opt.problems.dueling.preferences import PreferenceMatrix
    from cpe_opt.problems.separable.problem import SeparableProblem
    from cpe_opt.problems.subsets.bandit import SubsetBandit

    if answer is None:
        return "none"
    chosen = [answer] if isinstance(answer, int) else answer
    if isinstance(problem, SeparableProblem):
        return problem.model.describe(chosen)
    if isinstance(problem, SubsetBandit):
        return problem.decisions.describe(chosen)
    if isinstance(problem, PreferenceMatrix):
        return " > ".join(problem.labels[arm] for arm in chosen)
    return ", ".join(problem.labels[edge] for edge in chosen)


def _plot_runs(algorithm: str, problem: PreferenceMatrix, traces: list[Any], path: Path) -> None:
    from cpe_opt.analysis.dueling import regret_bounds
    from cpe_opt.experiments.plots import plot_regret
    from cpe_opt.experiments.runs import regret_curve

    units = known_units(traces[0].units) or "mean"
    bounds = regret_bounds(problem, units)
    plot_regret(
        {algorithm: regret_curve(traces)}, path, title=problem.name, bounds=bounds, units=units
    )
