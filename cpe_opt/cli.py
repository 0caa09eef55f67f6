"""The command line: ``cpe-opt``. Exit status: 0, 1 where a run failed, 2 for wrong usage."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cpe_opt.commands import models, preferences, reproduction, runs

app = typer.Typer(
    name="cpe-opt",
    help="Optimisation models and online algorithms for learning from comparisons.",
    epilog="Example: cpe-opt analyse sushi",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group in (models, preferences, runs, reproduction):
    app.add_typer(group.app)


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from cpe_opt import __version__

        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line; errors of this package become one line and an exit status."""
    from cpe_opt.errors import CpeOptError, InputError, SolverMissing, SolverUnable

    try:
        app()
    except CpeOptError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(2 if isinstance(error, InputError | SolverMissing | SolverUnable) else 1)
