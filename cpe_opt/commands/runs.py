"""Runs of one algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import cpe_opt as cpe
from cpe_opt.commands import FOR_RESEARCH, command
from cpe_opt.commands.console import (
    interruptible,
    parse_count,
    parse_parameters,
    print_json,
    print_report,
)
from cpe_opt.errors import InputError
from cpe_opt.files import check_output

if TYPE_CHECKING:
    from cpe_opt.simulation.driver import Trace

_REGRET_HORIZON = 10**5

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How many runs, how long, and where they are played."""

    horizon: str | None = None
    runs: int = 10
    seed: int = 0
    jobs: int = -1
    regret: str | None = None

    def rounds(self, problem: cpe.Problem) -> int | None:
        """The horizon; by default 1e5 where there is regret, else learners stop by themselves."""
        if self.horizon is not None:
            return parse_count(self.horizon, "horizon")
        return _REGRET_HORIZON if problem.recorder().units else None


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """Which programs are recorded.

    :param record: A folder for every program that the runs solve, and a table of them.
    :param record_every: Record the first program and every n-th after it.
    :param record_limit: Record at most this many programs.
    """

    record: Path | None = None
    record_every: int = 1
    record_limit: int | None = None

    def of(self, jobs: int, force: bool) -> AbstractContextManager[Sequence[object] | None]:
        """What records the programs of the runs, or nothing where no folder is given."""
        every, limit = self.record_every, self.record_limit
        if self.record is None:
            if every != 1 or limit is not None:
                raise InputError(
                    "--record-every and --record-limit have no effect without --record"
                )
            return nullcontext()
        if jobs not in (-1, 1):
            raise InputError(
                f"--record writes what one process solves: --jobs is {jobs}, expected 1"
            )
        return cpe.recording(self.record, every=every, limit=limit, force=force)


@command(app, "cpe-opt run ecw-rmed sushi --horizon 1e4 --runs 3 --plot regret.png", FOR_RESEARCH)
def run(
    algorithm: str,
    instance: str,
    *,
    k: int | None = None,
    sampling: Sampling,
    parameter: list[str] | None = None,
    plot: Path | None = None,
    out: Path | None = None,
    recording: Recorded,
    force: bool = False,
    json: bool = False,
) -> None:
    """One algorithm, many runs: a table, and a picture with the regret bounds.

    :param algorithm: Such as ecw-rmed; `cpe-opt algorithms` lists them.
    :param parameter: Such as -p beta=0, or -p max_samples=1e6 for an algorithm that may not stop;
        -p target=condorcet for savage to look for a Condorcet winner, as in the comparisons of
        other papers.
    :param out: A .parquet or .csv file for the traces.
    """
    from cpe_opt.experiments.engine import run_many
    from cpe_opt.experiments.results import TABLES, regret_curve, traces_frame, write_table
    from cpe_opt.hardness.dueling import bounds_of
    from cpe_opt.reports.drawing import PICTURES
    from cpe_opt.reports.runs import runs_report, samples_name
    from cpe_opt.simulation.driver import checked_learner

    problem = cpe.load_problem(instance, k, items=True)
    length, parameters = sampling.rounds(problem), parse_parameters(parameter or [])
    function = checked_learner(algorithm, problem, parameters, length)
    units = problem.recorder(horizon=length, regret=sampling.regret).units
    if plot is not None:
        if not units:
            raise InputError(
                f"run draws regret, and a {type(problem).__name__} has none; "
                "`cpe-opt compare ... --plot` draws samples"
            )
        check_output(plot, PICTURES, force=force, sources=(instance,))
    if out is not None:
        check_output(out, TABLES, force=force, sources=(instance,))
    recorder = recording.of(sampling.jobs, force)
    advice = (
        "nothing was written; `cpe-opt compare` notes finished runs, and goes on with the rest "
        "when it is started again"
    )
    with interruptible(advice), recorder as programs:
        traces = run_many(
            algorithm,
            problem,
            horizon=length,
            runs=sampling.runs,
            seed=sampling.seed,
            jobs=sampling.jobs if programs is None else 1,
            regret=sampling.regret,
            **parameters,
        )
    if json:
        print_json(
            [_as_row(number, trace, samples_name(problem)) for number, trace in enumerate(traces)]
        )
    else:
        print_report(runs_report(algorithm, problem, traces, units))
    # Files come last, so that what was measured is shown even where they cannot be written.
    if out is not None:
        write_table(traces_frame(traces), out)
    if plot is not None:
        curves, bounds = {algorithm: regret_curve(traces)}, bounds_of(problem, units)
        cpe.plot_regret(curves, plot, title=problem.name, bounds=bounds, units=units)
    if json:
        return
    for path in filter(None, (out, plot)):
        typer.echo(f"wrote {path}")
    if programs is not None:
        typer.echo(f"wrote {len(programs)} programs to {recording.record}")
        if not len(programs):
            typer.echo(_no_programs(algorithm, "method" in signature(function).parameters))


def _as_row(number: int, trace: Trace[Any], samples: str) -> dict[str, Any]:
    """A run as JSON has it; without regret where the problem has none."""
    return {
        "run": number,
        "seed": trace.seed,
        "answer": trace.answer,
        "doubt": trace.doubt,
        "assumption": trace.assumption,
        "extent": trace.extent,
        "error_estimate": trace.error_estimate,
        "p_value": trace.p_value,
        "regret": float(trace.regret[-1]) if trace.units else None,
        samples: trace.samples,
        "rounds": trace.rounds,
        "seconds": trace.seconds,
    }


def _no_programs(algorithm: str, has_methods: bool) -> str:
    """Why a folder of recorded programs is empty."""
    if not has_methods:
        return f"{algorithm} solves no programs"
    return (
        f"{algorithm} solved none by the method that it used; of those that "
        f"`cpe-opt algorithms {algorithm}` lists, others may, by -p method=NAME"
    )
