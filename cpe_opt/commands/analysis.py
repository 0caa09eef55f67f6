"""What a problem asks of any algorithm."""

from __future__ import annotations

import typer

from cpe_opt.commands import InstanceArgument, JsonOption, KOption
from cpe_opt.commands.console import print_json, print_table

app = typer.Typer()


@app.command(epilog="Example: cpe-opt analyse duels.csv")
def analyse(instance: InstanceArgument, k: KOption = None, as_json: JsonOption = False) -> None:
    """Winners, ties, gaps, hardness, and what algorithms need on a problem."""
    from cpe_opt.analysis.analyse import analyse
    from cpe_opt.problems.files import load_problem

    analysis = analyse(load_problem(instance, k))
    if as_json:
        print_json(analysis.as_dict())
        return
    for part in analysis.report():
        if isinstance(part, str):
            typer.echo(part)
        else:
            print_table(part.columns, part.rows, title=part.title or None)
