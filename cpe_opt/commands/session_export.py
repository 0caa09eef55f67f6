"""``cpe-opt session export``: answers, votes, or a log of teams, for others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cpe_opt.commands import ForceOption
from cpe_opt.commands.session_options import (
    FileArgument,
    require_session,
)
from cpe_opt.commands.session_words import count_answers

EXAMPLE = "Example: cpe-opt session export taste.jsonl answers.csv"


def export(
    file: FileArgument,
    out: Annotated[
        Path, typer.Argument(help="A .csv or .jsonl file to write: one row per answer.")
    ],
    votes: Annotated[
        str | None,
        typer.Option(
            help="Write votes instead, which `evidence` and others read: winners, arena, flags, "
            "evalica, pairs, choix or matrix."
        ),
    ] = None,
    scores: Annotated[
        bool,
        typer.Option(
            "--scores",
            help="Write a log of teams instead, with the scores from before, which `evidence` and "
            "`session new --counts` read.",
        ),
    ] = False,
    force: ForceOption = False,
) -> None:
    """Write all answers: question, labels in the order shown, outcome, rater, time.

    The file is all that is needed, whichever version of this package began the session.
    """
    from cpe_opt.errors import InputError
    from cpe_opt.files import check_output
    from cpe_opt.sessions.exporting import SUFFIXES, write_answers
    from cpe_opt.sessions.session import Session

    if votes is not None and scores:
        raise InputError("--votes and --scores are both given, expected one of them")
    if votes is None and not scores:
        check_output(out, SUFFIXES, force=force, sources=(file,))
    require_session(file)
    check_output(out, force=force, sources=(file,))
    view = Session.read_answers(file)
    if votes is not None or scores:
        if votes is not None:
            view.votes().write(out, votes, force=force)
        else:
            view.scores().write(out, force=force)
        typer.echo(f"wrote {out}")
        return
    answers = view.answers()
    write_answers(answers, out)
    typer.echo(f"wrote {out}: {count_answers(len(answers))}")
