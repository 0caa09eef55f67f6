"""``cpe-opt mcp``: assistants answer the questions of a session, or look at it."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import typer

from cpe_opt.commands import FOR_ASK, command
from cpe_opt.commands.console import print_json
from cpe_opt.commands.session_options import Moved, require_session

app = typer.Typer()


@command(app, "cpe-opt mcp taste.jsonl --rater claude --settings", FOR_ASK)
def mcp(
    file: Path,
    *,
    rater: str = "assistant",
    content: Path | None = None,
    moved: Moved,
    settings: bool = False,
) -> None:
    """Let an assistant ask, answer and look at a session, by the Model Context Protocol.

    An assistant starts this command, and talks to it on standard input and output.

    :param rater: Under which name answers are noted that give no other one.
    :param content: A CSV of label and text, markdown or image: what there is to compare.
    :param settings: Serve nothing, and print what an assistant's settings need.
    """
    require_session(file)
    from cpe_opt.sessions.mcp_server import SessionTools, check_sdk, client_settings, mcp_server

    check_sdk()
    with redirect_stdout(sys.stderr):  # what a script prints is not of the protocol
        tools = SessionTools(file, content=content, rater=rater, **moved.given())
    if not settings:
        mcp_server(tools).run()
        return
    start = [sys.executable, "-m", "cpe_opt", "mcp", str(file.resolve()), "--rater", rater]
    options: dict[str, Any] = {"content": content and content.resolve(), **vars(moved)}
    for name, value in options.items():
        if value is not None:
            start += [f"--{name}", str(value)]
    print_json(client_settings(start))
