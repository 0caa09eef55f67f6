"""``cpe-opt session run``: a person or programs answer until there is a proof, or no more money."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import JsonOption
from cpe_opt.commands.console import print_json
from cpe_opt.commands.session_options import (
    FileArgument,
    ProblemOption,
    RaterOption,
    SetSizeOption,
    given_problem,
    go_on,
    require_session,
)
from cpe_opt.commands.session_words import count_answers, proved

if TYPE_CHECKING:
    from cpe_opt.sessions.outlook import Outlook
    from cpe_opt.sessions.session import Session

EXAMPLE = 'Example: cpe-opt session run taste.jsonl --command "python judge.py" --budget 500'
_WORDS = {
    "finished": "finished",
    "budget": "the budget is used up",
    "unanswered": "stopped: only questions are open that programs could not answer",
    "waiting": "stopped: raters have all questions that are open, until their leases run out",
    "stopped": "stopped",
}


def run(
    file: FileArgument,
    command: Annotated[
        str | None,
        typer.Option(
            help="A program that answers instead of you: one line of JSON in, such as "
            '{"id": "0-1.7", "labels": ["tuna", "squid"]}, and one out, '
            '{"id": "0-1.7", "outcome": 1}.'
        ),
    ] = None,
    parallel: Annotated[
        int | None, typer.Option(help="The most of these programs that run at once; 1 by default.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds that a program has to answer; 60 by default.")
    ] = None,
    retries: Annotated[
        int | None,
        typer.Option(
            help="How often a question that a program failed is asked again; 2 by default."
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            help="What all answers of the session may cost, in the unit of its prices; without "
            "prices, how many there may be."
        ),
    ] = None,
    rater: RaterOption = None,
    content: Annotated[
        Path | None,
        typer.Option(help="A CSV of label and text, markdown or image: what is shown of each."),
    ] = None,
    problem: ProblemOption = None,
    k: SetSizeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer questions at the terminal, a key each; or have programs answer them.

    Stop whenever you like, by q or Ctrl-C: what was answered is in the file, and the same command
    goes on.
    """
    from cpe_opt.commands.session_watch import Watch
    from cpe_opt.errors import InputError
    from cpe_opt.sessions.content import read_content
    from cpe_opt.sessions.outlook import outlook
    from cpe_opt.sessions.session import Session
    from cpe_opt.validation import checked_finite

    of_programs = {"parallel": parallel, "timeout": timeout, "retries": retries}
    options = {name: value for name, value in of_programs.items() if value is not None}
    if command is None and options:
        raise InputError(f"--{next(iter(options))} has no effect without --command")
    if budget is not None:
        checked_finite("budget", budget, least=0.0)
    require_session(file)
    with Session.open(file, **given_problem(problem, k)) as session:
        items = None if content is None else read_content(content, session.subject.things)
        before = session.status().answers
        with Watch(partial(outlook, session)) as watch:
            if command is None:
                from cpe_opt.commands.session_person import Person

                asker = Person(
                    session, watch, rater, math.inf if budget is None else budget, items or {}
                )
                try:
                    done: dict[str, Any] = {"reason": asker.run()}
                except KeyboardInterrupt:
                    typer.echo("")
                    done = {"reason": "stopped", "interrupted": True}
                done["answers"] = session.status().answers - before
            else:
                done = _programs(
                    session, watch, command, budget=budget, rater=rater, content=items, **options
                )
        _tell_end(session, done, outlook(session), file, as_json=as_json)
    if done.get("interrupted"):
        raise typer.Exit(130)


def _programs(session: Session, watch: Any, command: str, **options: Any) -> dict[str, Any]:
    """Let programs answer; what they did, as plain values."""
    from cpe_opt.commands.session_programs import Reporter, stopped_by_signals
    from cpe_opt.learners.declaration import parameters_of
    from cpe_opt.sessions.judges import run_judges

    reporter = Reporter(watch, session.status().answers)
    with stopped_by_signals() as stop:
        try:
            report = run_judges(session, command, stop=stop, on_event=reporter.event, **options)
        finally:
            reporter.clear()
    wanted = options.get("parallel", 1)
    if report.reason != "stopped" and report.at_once < wanted and report.answers:
        learner = session.header
        advice = ""
        if "parallel" in parameters_of(learner.learner):
            advice = f"; a session begun with -p parallel={wanted} has {wanted}"
        typer.echo(
            f"{learner.name} had at most {report.at_once} open at once, so that no more than "
            f"{report.at_once} of {wanted} programs had something to do{advice}",
            err=True,
        )
    return {
        "reason": report.reason,
        "answers": report.answers,
        "skips": report.skips,
        "failures": report.failures,
        "put_back": list(report.put_back),
        **({"interrupted": True} if stop.is_set() else {}),
    }


def _tell_end(
    session: Session, done: dict[str, Any], seen: Outlook, file: Path, *, as_json: bool
) -> None:
    """Why it ended, the best answer, what is proved, and how to go on."""
    status, best = session.status(), session.best()
    if as_json:
        print_json(
            {
                **done,
                "all_answers": status.answers,
                "spent": status.spent,
                "finished": status.finished,
                "best": best.description,
                "doubt": best.doubt,
                "assumption": best.assumption,
                "proved": seen.proved,
                "warnings": list(seen.warnings),
                "delta": seen.delta,
                "remaining": seen.remaining,
            }
        )
        return
    cost = (
        "" if status.spent == status.answers + status.repeats else f", {status.spent:,.10g} spent"
    )
    typer.echo(
        f"{_WORDS[done['reason']]}: {count_answers(done['answers'])}, {status.answers:,} in all"
        f"{cost}"
    )
    if done.get("put_back"):
        typer.echo(f"without an answer: {', '.join(done['put_back'][:10])}")
    if status.answers:
        typer.echo(f"best answer: {best.description}")
    typer.echo("\n".join([f"proved: {proved(seen)}", *seen.warnings]))
    if not status.finished:
        if math.isfinite(seen.remaining) and seen.remaining > 0:
            typer.echo(f"remaining: about {seen.remaining:,.0f} duels, if estimates stay")
        typer.echo(f"nothing is lost; to go on: {go_on('run', file)}")
