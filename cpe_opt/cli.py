"""The command line: ``cpe-opt``.

Exit status: 0, 1 where a run failed, 2 for wrong usage, 130 where it was interrupted.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cpe_opt.commands import ARGUMENTS, analysis, models, research, sessions


class _Commands(TyperGroup):
    """Commands whose errors become one line and an exit status."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments; commands that keep what was asked for find them in the context."""
        ctx.meta[ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        from cpe_opt.errors import CpeOptError, InputError, SolverMissing, SolverUnable
        from cpe_opt.files import os_reason

        try:
            return super().invoke(ctx)
        except CpeOptError as error:
            from cpe_opt.modelling.result import NotOptimal  # which takes time to load

            wrong_usage = isinstance(error, InputError | SolverMissing | SolverUnable)
            message, status = str(error), 2 if wrong_usage else 1
            if isinstance(error, NotOptimal):
                message = f"{error.reason}; {error.incumbent}"
        except OSError as error:
            # A reader that has seen enough, such as `head`, is no failure of ours.
            if error.errno == errno.EPIPE:
                raise
            place = f"{error.filename!r}: " if error.filename else ""
            message, status = f"{place}{os_reason(error)}", 1
        except KeyboardInterrupt:
            message, status = "interrupted", 130
        typer.echo(f"error: {message}", err=True)
        raise typer.Exit(status)


app = typer.Typer(
    name="cpe-opt",
    cls=_Commands,
    help="Optimisation models and online algorithms for learning from comparisons.",
    epilog="Example: cpe-opt analyse sushi",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (sessions, analysis, models, research):
    app.add_typer(module.app)


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from cpe_opt import __version__

        typer.echo(__version__)
        raise typer.Exit


def _open_streams() -> None:
    """Standard streams that were closed (``<&-``) lead nowhere, rather than to the next file."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:  # the lowest that is free
        pass
    os.close(handle)
    for handle, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, open(handle, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def main() -> None:
    """Run the command line; signs that the output's encoding lacks are written as escapes."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
