"""``cpe-opt mcp``: assistants answer the questions of a session, or look at it."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer

from cpe_opt.commands import FOR_ASK
from cpe_opt.commands.console import print_json
from cpe_opt.commands.session_options import (
    FileArgument,
    ProblemOption,
    SetSizeOption,
    given_problem,
    require_session,
)

app = typer.Typer()


@app.command(
    rich_help_panel=FOR_ASK, epilog="Example: cpe-opt mcp taste.jsonl --rater claude --settings"
)
def mcp(
    file: FileArgument,
    rater: Annotated[
        str, typer.Option(help="Under which name answers are noted that give no other one.")
    ] = "assistant",
    content: Annotated[
        Path | None,
        typer.Option(help="A CSV of label and text, markdown or image: what there is to compare."),
    ] = None,
    problem: ProblemOption = None,
    k: SetSizeOption = None,
    settings: Annotated[
        bool,
        typer.Option(
            "--settings", help="Serve nothing, and print what an assistant's settings need."
        ),
    ] = False,
) -> None:
    """Let an assistant ask, answer and look at a session, by the Model Context Protocol.

    An assistant starts this command, and talks to it on standard input and output.
    """
    require_session(file)
    from cpe_opt.sessions.mcp_server import SessionTools, check_sdk, client_settings, mcp_server

    check_sdk()
    with redirect_stdout(sys.stderr):  # what a script prints is not of the protocol
        tools = SessionTools(file, content=content, rater=rater, **given_problem(problem, k))
    if settings:
        options: dict[str, Any] = {"content": content, "problem": problem, "k": k}
        given = [["--rater", rater]] + [
            [f"--{name}", str(value.resolve() if isinstance(value, Path) else value)]
            for name, value in options.items()
            if value is not None
        ]
        start = [sys.executable, "-m", "cpe_opt", "mcp", str(file.resolve())]
        print_json(client_settings(start + [word for each in given for word in each]))
        return
    mcp_server(tools).run()
