"""``cpe-opt session serve``: raters answer in their browsers."""

from __future__ import annotations

from pathlib import Path

import typer

from cpe_opt.commands import command
from cpe_opt.commands.session_options import Moved, count_answers, open_session
from cpe_opt.errors import InputError

app = typer.Typer()


@command(app, "cpe-opt session serve taste.jsonl --tokens 3 --content items.csv")
def serve(
    file: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    content: Path | None = None,
    token: list[str] | None = None,
    tokens: int = 0,
    repeats: float = 0.0,
    lease: float = 120.0,
    question: str | None = None,
    allow_host: list[str] | None = None,
    moved: Moved,
) -> None:
    """Ask raters in their browsers, and watch.

    :param host: An address of this machine; any but loopback needs tokens.
    :param port: 0 for any that is free.
    :param content: What is shown: a CSV with the columns label and text, markdown or image, or a
        folder of images named by the labels; the labels themselves by default.
    :param token: A rater's name and secret, name=secret; may be repeated.
    :param tokens: Draw secrets for this many raters, rater-1, rater-2, …
    :param repeats: The share of questions that others have answered before.
    :param lease: Seconds after which another rater may be asked the same question.
    :param question: What raters are asked; by default which is better, or the score.
    :param allow_host: A host name by which others reach this machine; may be repeated.
    """
    from cpe_opt.sessions.web.content import Content
    from cpe_opt.sessions.web.panel import Access, new_token
    from cpe_opt.sessions.web.serving import Serving, check_modules

    check_modules()
    raters = _raters(token or [], tokens)
    access = Access(raters, new_token() if raters else "")
    with open_session(file, moved) as opened:
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
            for name, secret in raters.items():
                typer.echo(f"{name}: {serving.address}/#{secret}")
            if not raters:
                typer.echo(f"raters: {serving.address}/")
            organiser = f"#{access.organiser}" if access.organiser else ""
            typer.echo(f"you: {serving.address}/organise{organiser}")
            typer.echo("Ctrl-C stops; the session can be served again, and goes on")
            serving.wait()
        answers = opened.status().answers
    typer.echo(f"stopped; {count_answers(answers)} in {file}")


def _raters(given: list[str], drawn: int) -> dict[str, str]:
    """Tokens by name."""
    from cpe_opt.sessions.questions import checked_name
    from cpe_opt.sessions.web.panel import new_token

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
