"""``cpe-opt session serve``: raters answer in their browsers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cpe_opt.commands.session_options import (
    FileArgument,
    ProblemOption,
    SetSizeOption,
    open_session,
)

if TYPE_CHECKING:
    from cpe_opt.sessions.web.access import Access

app = typer.Typer()


@app.command(epilog="Example: cpe-opt session serve taste.jsonl --tokens 3 --content items.csv")
def serve(
    file: FileArgument,
    host: Annotated[
        str, typer.Option(help="An address of this machine; any but loopback needs tokens.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 for any that is free.")] = 8000,
    content: Annotated[
        Path | None,
        typer.Option(
            help="What is shown: a CSV with the columns label and text, markdown or image, or a "
            "folder of images named by the labels; the labels themselves by default."
        ),
    ] = None,
    token: Annotated[
        list[str] | None,
        typer.Option(help="A rater's name and secret, name=secret; may be repeated."),
    ] = None,
    tokens: Annotated[
        int, typer.Option(help="Draw secrets for this many raters, rater-1, rater-2, …")
    ] = 0,
    admin_token: Annotated[
        str | None, typer.Option(help="Your secret; drawn if raters have some and you give none.")
    ] = None,
    repeats: Annotated[
        float, typer.Option(help="The share of questions that others have answered before.")
    ] = 0.0,
    lease: Annotated[
        float,
        typer.Option(help="Seconds after which another rater may be asked the same question."),
    ] = 120.0,
    question: Annotated[
        str | None,
        typer.Option(help="What raters are asked; by default which is better, or the score."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="A host name by which others reach this machine; may be repeated."),
    ] = None,
    problem: ProblemOption = None,
    k: SetSizeOption = None,
) -> None:
    """Ask raters in their browsers, and watch."""
    from cpe_opt.sessions.web.access import Access, new_token
    from cpe_opt.sessions.web.content import Content
    from cpe_opt.sessions.web.serving import Serving, check_modules

    check_modules()
    raters = _raters(token or [], tokens)
    access = Access(raters, admin_token or (new_token() if raters else ""))
    with open_session(file, problem, k) as opened:
        asked = opened.question_set
        ids = None if asked.items is None else asked.items.ids
        things = None if content is None else Content.read(content, asked.things, ids)
        opened.check_unchanged(None if things is None else things.compared)
        with Serving(
            opened,
            things,
            access,
            host=host,
            port=port,
            names=allow_host or [],
            question=question,
            repeats=repeats,
            lease=lease,
        ) as serving:
            _print_addresses(serving.address, access)
            _print_turns(serving.at_once, len(raters), opened.header.name)
            serving.wait()
        answers = opened.status().answers
    typer.echo(f"stopped; {answers:,} answer{'s' * (answers != 1)} in {file}")


def _raters(given: list[str], drawn: int) -> dict[str, str]:
    """Tokens by name."""
    from cpe_opt.errors import InputError
    from cpe_opt.sessions.questions import checked_name
    from cpe_opt.sessions.web.access import new_token

    raters: dict[str, str] = {}
    for text in given:
        name, equals, secret = text.rpartition("=")
        if not equals:
            raise InputError("a token is given without a name, expected --token name=secret")
        if checked_name(name) in raters:
            raise InputError(f"{name!r} has two tokens, expected one")
        raters[checked_name(name)] = secret
    if not 0 <= drawn <= 1000:
        raise InputError(f"tokens is {drawn}, expected a number of raters up to 1000")
    for number in range(1, drawn + 1):
        raters.setdefault(f"rater-{number}", new_token())
    return raters


def _print_turns(at_once: int | None, raters: int, learner: str) -> None:
    """Whether raters can answer at the same time."""
    if raters > 1 and at_once is None:
        typer.echo(
            f"{learner} decides itself how many questions are open at once: raters may have to "
            "take turns"
        )
    elif at_once is not None and at_once < raters:
        typer.echo(
            f"the session was begun with parallel={at_once}: of {raters} raters, some may have to "
            "take turns"
        )


def _print_addresses(address: str, access: Access) -> None:
    """Where raters and whoever runs the session go, with their secrets."""
    for name, secret in access.raters.items():
        typer.echo(f"{name}: {address}/#{secret}")
    if not access.raters:
        typer.echo(f"raters: {address}/")
    own = f"#{access.organiser}" if access.organiser else ""
    typer.echo(f"you: {address}/organise{own}")
    typer.echo("Ctrl-C stops; the session can be served again, and goes on")
