"""Algorithms on problems: what there is, runs of one, comparisons of several, and their page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import cpe_opt as cpe
from cpe_opt.commands import ARGUMENTS, FOR_ASK, FOR_RESEARCH, command, console, given, refuse
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.files import PICTURES, check_folder, check_output

if TYPE_CHECKING:
    from cpe_opt.learners.registry import LearnerEntry
    from cpe_opt.simulation.driver import Trace

_REGRET_HORIZON = 10**5
_OF_A_RUN = ("seed", "answer", "doubt", "assumption", "extent", "error_estimate", "p_value")

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How many runs, how long, and where they are played."""

    horizon: str | None = None
    runs: int = 10
    seed: int = 0
    jobs: int = -1
    regret: str | None = None

    def on(self, problem: cpe.Problem) -> dict[str, Any]:
        """The same, with the horizon as a number; by default 1e5 where there is regret."""
        horizon = _REGRET_HORIZON if problem.recorder().units else None
        if self.horizon is not None:
            horizon = console.parse_count(self.horizon, "horizon")
        return {**vars(self), "horizon": horizon}


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What is asked about, and how, as :func:`cpe_opt.calls_needed` takes it.

    :param arms: How many prompts, models or systems.
    :param items: On how many items each is asked about.
    :param gap: How far the best is ahead of the second: of scores the difference of their means, of
        duels how much more than half it wins. Or, repeated, so of each other one.
    :param agreement: In which share of the cells a cheap judge says the same as the expensive one.
    :param kind: scores, one of each output; or duels of two outputs, in both orders.
    :param level: Of scores, the mean of the best.
    :param ties: Of duels, in which share of the cells neither wins.
    :param top: Of scores, how many of the best are wanted.
    :param margin: So much may another one be ahead of the answer.
    :param delta: The probability of a wrong answer.
    :param parallel: Calls that are open at once.
    :param rounds: In about how many rounds, where answers take hours.
    """

    arms: int = 8
    items: int = 500
    gap: list[float] | None = None
    agreement: float | None = None
    kind: str = "scores"
    level: float = 0.7
    ties: float = 0.0
    top: int = 1
    margin: float = 0.0
    delta: float = 0.05
    parallel: int = 1
    rounds: int | None = None
    runs: int = 40
    seed: int = 0


@command(app, "cpe-opt calls --arms 8 --items 500 --gap 0.05 --agreement 0.9", FOR_ASK)
def calls(
    *,
    judged: Judged,
    budget: float | None = None,
    plot: Path | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """How many calls a proof will take, before the first of them.

    The learner is run on random tables whose means are as you say.

    :param budget: Calls that you can pay: how likely there is a proof by then.
    """
    console.check_outputs({plot: PICTURES}, force=force, sources=())
    needed = cpe.calls_needed(**given(vars(judged)))
    rows = []
    for name, runs in needed.judges.items():
        row: dict[str, Any] = {"": name, "calls": round(runs.mean, 1), "±": round(runs.error, 1)}
        row |= {f"{100 * share:.0f} %": runs.quantile(share) for share in (0.1, 0.5, 0.9)}
        row |= {"rounds": round(float(runs.rounds.mean()), 1)}
        rows.append(row if budget is None else row | {"probability": runs.probability(budget)})
    if json:
        console.print_json({"cells": needed.cells, "runs": rows})
    else:
        cells = [[*map(console.format_cell, row.values())] for row in rows]
        console.print_table(list(rows[0]), cells)
        typer.echo(str(needed))
    if plot is not None:
        cpe.plot_calls(needed, plot, budget=budget)
    console.print_written(None if json else plot)


@command(app, "cpe-opt instances sushi", FOR_RESEARCH)
def instances(name: str | None = None, *, json: bool = False) -> None:
    """The built-in instances: their sizes, and the source and the winners of one.

    :param name: One instance, with its source; all by default.
    """
    from cpe_opt.reports.analysis import size_and_winners

    if name is not None and name not in cpe.INSTANCES:
        raise UnknownName("instance", name, cpe.INSTANCES)
    rows: list[dict[str, Any]] = [
        {
            "name": each.name,
            "family": each.family,
            **size_and_winners(each.load()),
            "about": each.about,
            "source": each.source,
        }
        for each in cpe.INSTANCES.values()
        if name in (None, each.name)
    ]
    if json:
        console.print_json(rows if name is None else rows[0])
    elif name is None:
        shown = [[row["name"], row["size"], row["about"]] for row in rows]
        console.print_table(["instance", "size", "about"], shown)
        typer.echo("cpe-opt instances NAME has the source and the winners of one")
    else:
        (row,) = rows
        winner = row.pop("condorcet_winner")
        row["winners"] = ", ".join(map(str, row["winners"]))
        row["Condorcet"] = "none" if winner is None else winner
        console.print_facts(row)


@command(app, "cpe-opt algorithms cw-rmed", FOR_RESEARCH)
def algorithms(name: str | None = None, *, json: bool = False) -> None:
    """The online algorithms by family, and the guarantee, paper and parameters of one.

    :param name: One algorithm, with its parameters; all by default.
    """
    from cpe_opt.learners.registry import LEARNERS, learner_entry

    entries = [learner_entry(each) for each in (LEARNERS if name is None else [name])]
    if json:
        rows = [_declared(entry) for entry in entries]
        console.print_json(rows if name is None else rows[0])
    elif name is not None:
        _show(entries[0])
    else:
        for family in dict.fromkeys(entry.declaration.family for entry in entries):
            ours = [entry for entry in entries if entry.declaration.family == family]
            lines = [[entry.name, entry.summary.rstrip(".")] for entry in ours]
            console.print_table([family, "what it does"], lines)
        typer.echo("cpe-opt algorithms NAME has the goal, guarantee, paper and parameters of one")


@command(app, "cpe-opt run ecw-rmed sushi --horizon 1e4 --runs 3 --plot regret.png", FOR_RESEARCH)
def run(
    algorithm: str,
    instance: str,
    *,
    k: int | None = None,
    sampling: Sampling,
    parameter: list[str] | None = None,
    plot: Path | None = None,
    record: Path | None = None,
    record_every: int | None = None,
    record_limit: int | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """One algorithm, many runs: a table, and a picture with the regret bounds.

    :param algorithm: Such as ecw-rmed; `cpe-opt algorithms` lists them.
    :param parameter: Such as -p beta=0, or -p max_samples=1e6 for an algorithm that may not stop;
        -p target=condorcet for savage to look for a Condorcet winner, as in the comparisons of
        other papers.
    :param record: A folder for every program that the runs solve, and a table of them.
    :param record_every: Record the first program and every n-th after it.
    :param record_limit: Record at most this many programs.
    """
    from cpe_opt.experiments.engine import run_many
    from cpe_opt.experiments.results import regret_curve
    from cpe_opt.hardness.dueling import bounds_of
    from cpe_opt.reports.runs import runs_report, samples_name
    from cpe_opt.simulation.driver import checked_learner

    problem = cpe.load_problem(instance, k, items=True)
    settings, parameters = sampling.on(problem), console.parse_parameters(parameter or [])
    length = settings["horizon"]
    checked_learner(algorithm, problem, parameters, length)
    units = problem.recorder(horizon=length, regret=sampling.regret).units
    if plot is not None and not units:
        raise InputError(
            f"run draws regret, and a {type(problem).__name__} has none; "
            "`cpe-opt compare ... --plot` draws samples"
        )
    console.check_outputs({plot: PICTURES}, force=force, sources=(instance,))
    recorder: AbstractContextManager[Sequence[object] | None] = nullcontext()
    if record is None:
        refuse({"record-every": record_every, "record-limit": record_limit}, "without --record")
    else:
        if sampling.jobs not in (-1, 1):
            jobs = f"--jobs is {sampling.jobs}, expected 1"
            raise InputError(f"--record writes what one process solves: {jobs}")
        settings["jobs"] = 1
        recorder = cpe.recording(record, every=record_every or 1, limit=record_limit, force=force)
    with recorder as programs:
        traces = run_many(algorithm, problem, **settings, **parameters)
    if json:
        samples = samples_name(problem)
        console.print_json([_played(number, trace, samples) for number, trace in enumerate(traces)])
    else:
        console.print_report(runs_report(algorithm, problem, traces, units))
    # The picture comes last: what was measured is shown even where it cannot be written.
    if plot is not None:
        curves, bounds = {algorithm: regret_curve(traces)}, bounds_of(problem, units)
        cpe.plot_regret(curves, plot, title=problem.name, bounds=bounds, units=units)
    if json:
        return
    console.print_written(plot)
    if programs is not None:
        typer.echo(f"wrote {len(programs)} programs to {record}")


@command(app, "cpe-opt compare ecw-rmed cw-rmed --on gap --horizon 1e4 --runs 5", FOR_RESEARCH)
def compare(
    ctx: typer.Context,
    algorithms: list[str],
    *,
    on: list[str] | None = None,
    k: int | None = None,
    sampling: Sampling,
    common: bool = False,
    table: Path | None = None,
    plot: Path | None = None,
    width: float = 17.0,
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
    :param common: Common random numbers: the n-th duel of a pair ends alike for all algorithms.
    :param table: A .tex (booktabs), .md, .csv or .txt file for the table.
    :param width: Of the picture in cm: 8.5 for a column of a journal.
    :param out: Folder of results; runs finished there are not run again.
    """
    from cpe_opt.experiments.planning import note_command
    from cpe_opt.experiments.results import finished_runs
    from cpe_opt.hardness.dueling import bounds_of
    from cpe_opt.problems.environments import CommonNumbers
    from cpe_opt.reports.comparison import TABLE_FILES, LearnerComparison, regret_at
    from cpe_opt.reports.runs import comparison_report
    from cpe_opt.simulation.driver import checked_learner

    names = _instance_names(on or [])
    problems: list[cpe.Problem] = [cpe.load_problem(name, k, items=True) for name in names]
    settings = sampling.on(problems[0])
    length = settings["horizon"]
    specs = [_specified(name) for name in algorithms]
    for spec, problem in product(specs, problems):
        checked_learner(spec.learner, problem, spec.parameters, length)
    units = problems[0].recorder(horizon=length, regret=sampling.regret).units
    console.check_outputs({plot: PICTURES, table: TABLE_FILES}, force=force, sources=names)
    check_folder(out)
    try:
        played = [CommonNumbers(problem) for problem in problems] if common else problems
        summary = cpe.run_experiment(specs, played, out=out, **settings)
    except KeyboardInterrupt:
        advice = f"finished runs are kept in {out}; the same command goes on with the rest"
        typer.echo(f"interrupted: {advice}", err=True)
        raise typer.Exit(130) from None
    finished = finished_runs(summary)
    constants = {problem.name: bounds_of(problem, units) for problem in problems}
    bounds = {}
    if length is not None and units:
        bounds = {name: regret_at(each, length) for name, each in constants.items()}
    found = LearnerComparison(finished, bounds=bounds)
    note_command(out, ctx.meta[ARGUMENTS])
    # Files come last, so that what was measured is shown even where they cannot be written.
    if json:
        console.print_json(found.as_dict())
    else:
        console.print_report(comparison_report(found, finished, problems, length))
    if table is not None:
        found.write(table)
    if plot is not None:
        _draw(summary, plot, constants, units, width)
    if not json:
        console.print_written(table, plot)


@command(app, "cpe-opt report results --out results.html", FOR_RESEARCH)
def report(folder: Path, *, out: Path = Path("report.html"), force: bool = False) -> None:
    """A folder of results as one page: pictures, tables, seeds, the commands that reproduce it.

    :param folder: Made by `cpe-opt compare` or run_experiment.
    :param out: A .html file to write.
    """
    from cpe_opt.reports.pages import write_results_page

    check_output(out, (".html",), force=force)
    write_results_page(folder, out, force=force)
    console.print_written(out)


def _declared(entry: LearnerEntry) -> dict[str, Any]:
    """The entry as JSON has it: what it declares, and its parameters."""
    row = asdict(entry)
    return {"name": row.pop("name"), **row.pop("declaration"), **row}


def _show(entry: LearnerEntry) -> None:
    says = entry.declaration
    typer.echo(f"{entry.name}: {entry.summary}")
    facts = {
        "family": says.family,
        "goal": says.goal,
        "guarantee": says.guarantee,
        "assumes": entry.assumption,
        "paper": says.paper,
        "stops by itself": says.stops,
        "asks": says.asks,
        "is told the horizon": "yes" if entry.told_the_horizon else "no",
        "answer": entry.answer,
        "starts from": says.starts,
        "rewards": "in [0, 1]" if says.unit_rewards else None,
    }
    console.print_facts({name: fact for name, fact in facts.items() if fact})
    if not entry.parameters:
        typer.echo("no parameters")
        return
    rows = [
        [each.name, "required" if each.required else str(each.default), each.type, each.description]
        for each in entry.parameters
    ]
    console.print_table(["parameter", "default", "type", "meaning"], rows)


def _played(number: int, trace: Trace[Any], samples: str) -> dict[str, Any]:
    """A run as JSON has it; without regret where the problem has none."""
    regret = float(trace.regret[-1]) if trace.units else None
    row = {"run": number} | {name: getattr(trace, name) for name in _OF_A_RUN}
    row |= {"regret": regret, samples: trace.samples}
    return row | {"rounds": trace.rounds, "seconds": trace.seconds}


def _instance_names(on: Sequence[str]) -> list[str]:
    """What stands between the commas of ``--on``."""
    names = [name for text in on for name in text.split(",") if name]
    if not names:
        raise InputError("on which instance? Give --on, such as --on gap,sushi")
    return names


def _specified(text: str) -> cpe.LearnerSpec:
    """A learner with parameters from ``name:key=value,key=value``; a script's has its file, too."""
    from cpe_opt.learners.registry import get_learner

    file, mark, rest = text.rpartition(".py:")
    name, _, settings = rest.partition(":")
    learner = f"{file}{mark}{name}"
    get_learner(learner)
    parameters = settings.split(",") if settings else []
    return cpe.LearnerSpec(learner, console.parse_parameters(parameters))


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
