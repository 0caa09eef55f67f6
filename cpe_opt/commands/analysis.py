"""What a problem asks of any algorithm, and what votes prove."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cpe_opt.commands import (
    ForceOption,
    InstanceArgument,
    JsonOption,
    KOption,
    PlotOption,
    PricesOption,
    SolverOption,
)
from cpe_opt.commands.console import print_json, print_report
from cpe_opt.files import check_output

app = typer.Typer()


@app.command(epilog="Example: cpe-opt analyse duels.csv")
def analyse(instance: InstanceArgument, k: KOption = None, as_json: JsonOption = False) -> None:
    """Winners, ties, gaps, hardness, and what algorithms need on a problem."""
    from cpe_opt.analysis.analyse import analyse
    from cpe_opt.problems.files import load_problem

    analysis = analyse(load_problem(instance, k))
    if as_json:
        print_json(analysis.as_dict())
    else:
        print_report(analysis.report())


@app.command(epilog="Example: cpe-opt evidence votes.csv --plot votes.png --report votes.html")
def evidence(
    votes: Annotated[
        str,
        typer.Argument(
            help="A file of votes: a log with the columns winner,loser[,count], "
            "model_a,model_b,winner, left,right,winner or chosen_model,rejected_model, as CSV or "
            "as JSON objects (battles.jsonl, or one array); pairs of numbers; PrefLib "
            ".soc .soi .toc .toi; or a square matrix of wins."
        ),
    ],
    delta: Annotated[
        float, typer.Option(help="The probability that anything said is wrong.")
    ] = 0.05,
    prices: PricesOption = None,
    solver: SolverOption = None,
    plot: PlotOption = None,
    report: Annotated[
        Path | None, typer.Option(help="An .html file to write: one page, with the picture in it.")
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """What votes prove: who beats whom, which arms win or may, and what would settle it."""
    from cpe_opt.analysis.evidence import evidence
    from cpe_opt.experiments.drawing import PICTURES
    from cpe_opt.experiments.evidence_page import write_evidence_page
    from cpe_opt.experiments.evidence_plot import plot_evidence
    from cpe_opt.problems.dueling.votes import Votes
    from cpe_opt.solvers.options import solver_option

    if plot is not None:
        check_output(plot, PICTURES, force=force)
    if report is not None:
        check_output(report, (".html",), force=force)
    found = evidence(Votes.read(votes), delta=delta, prices=prices, **solver_option(solver))
    if as_json:
        print_json(found.as_dict())
    else:
        print_report(found.report())
    if plot is not None:
        plot_evidence(found, plot)
    if report is not None:
        write_evidence_page(found, report)
    for path in (plot, report):
        if path is not None and not as_json:
            typer.echo(f"wrote {path}")
