"""Sessions: questions out, answers in, and a file that loses nothing."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpe_opt.commands import (
    FOR_ASK,
    ForceOption,
    JsonOption,
    KOption,
    SinceOption,
    TimeOption,
    UniqueOption,
    UntilOption,
    WhereOption,
    read_options,
    serving,
    session_run,
)
from cpe_opt.commands.console import (
    format_cell,
    parse_count,
    parse_parameters,
    print_json,
    print_report,
    print_table,
)
from cpe_opt.commands.session_options import (
    DEFAULT,
    FileArgument,
    ProblemOption,
    QuestionArgument,
    RaterOption,
    SetSizeOption,
    count_answers,
    default_learner,
    facts,
    given_problem,
    go_on,
    items_option,
    labels_option,
    open_session,
    prices_option,
    require_session,
    show_questions,
    things,
)
from cpe_opt.progress_line import progress_line

if TYPE_CHECKING:
    from cpe_opt.formats.observations import Observations
    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.sessions.status import SessionAnswers

_THINKS = "the learner goes through the answers"

app = typer.Typer()
group = typer.Typer(
    name="session",
    help="Ask people or programs, instead of a simulator; every answer is kept in one file.",
    epilog="Example: cpe-opt session new taste.jsonl --labels tuna,salmon,squid",
    no_args_is_help=True,
)
group.add_typer(serving.app)
app.add_typer(group, rich_help_panel=FOR_ASK)


@group.command(epilog="Example: cpe-opt session new taste.jsonl --labels tuna,salmon,squid")
def new(
    file: Annotated[Path, typer.Argument(help="A new file, such as taste.jsonl.")],
    learner: Annotated[
        str | None,
        typer.Argument(
            help="See `cpe-opt algorithms`; by default copeland-tracking with delta=0.05 for arms "
            "that duel, subset-tracking for a log of teams."
        ),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            help="What is compared: a,b,c, or a file with one label per line, or a .csv with a "
            "column label."
        ),
    ] = None,
    problem: Annotated[
        str | None,
        typer.Option(
            help="Instead of labels: a file or a built-in name. Only what a learner may know is "
            "used: candidates and positions, elements of sets."
        ),
    ] = None,
    k: KOption = None,
    items: Annotated[
        str | None,
        typer.Option(
            help="The items of a test set, on which arms are compared, each cell once: how many, "
            "or a file with one item per line, a .csv with a column item, or JSON objects with "
            "the key item."
        ),
    ] = None,
    orders: Annotated[
        str | None,
        typer.Option(
            help="both: each item in both orders (the default); random: which arm is shown first "
            "is drawn for each item; paired: both at once, in one question."
        ),
    ] = None,
    prior: Annotated[
        Path | None,
        typer.Option(
            help="A file of earlier observations to start from: votes, or a log of teams, "
            "team,score[,count]; with --items a log with a column item."
        ),
    ] = None,
    where: WhereOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    time: TimeOption = None,
    unique: UniqueOption = None,
    prices: Annotated[
        str | None,
        typer.Option(help="What a duel costs: a number, or a CSV of first, second, price."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Draws the order of cells and which arm is shown first; a new one by default. "
            "An order whose answers were seen is used up."
        ),
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option("--parameter", "-p", help="One of the learner's, such as -p delta=0.01."),
    ] = None,
    horizon: Annotated[
        str | None, typer.Option(help="Rounds after which it ends, such as 1e4.")
    ] = None,
) -> None:
    """Begin a session in a new file."""
    from cpe_opt.errors import InputError
    from cpe_opt.formats.kinds import has_items
    from cpe_opt.formats.observations import read_item_duels, read_observations
    from cpe_opt.problems.subsets.team_scores import TeamScores
    from cpe_opt.sessions.question_set import QuestionSet
    from cpe_opt.sessions.session import Session

    if file.exists():
        raise InputError(
            f"{str(file)!r} exists: `{go_on('run', file)}` goes on with the session in it; a new "
            "one needs a new file"
        )
    if labels is None and problem is None and prior is None:
        raise InputError("what is compared? Give --labels, --problem, or --prior")
    observations: Observations | ItemDuels | None = None
    reading = read_options(where=where, since=since, until=until, time=time, unique=unique)
    over_items = prior is not None and items is not None and has_items(prior)
    if reading and (prior is None or over_items):
        raise InputError(f"--{next(iter(reading))} has no effect without a log of votes, --prior")
    if prior is not None:
        observations = read_item_duels(prior) if over_items else read_observations(prior, **reading)
    test_set: dict[str, Any] = {"items": items_option(items), "orders": orders}
    if problem is None and k is not None and isinstance(observations, TeamScores):
        asked: dict[str, Any] = {"problem": observations.decisions(k)}
    else:
        asked = given_problem(problem, k)
    parameters = parse_parameters(parameter or [])
    if learner is None:
        if asked:
            family = QuestionSet.of_problem(asked["problem"]).family
        else:
            family = "dueling" if observations is None else str(observations.family)
        learner = default_learner(family, has_prior=prior is not None)
        parameters.setdefault("delta", DEFAULT["delta"])
    with (
        progress_line(f"beginning {file}"),
        Session.open(
            file,
            learner,
            labels=None if labels is None else labels_option(labels),
            seed=seed,
            horizon=None if horizon is None else parse_count(horizon, "horizon"),
            prior=observations,
            prices=prices_option(prices),
            **test_set,
            **asked,
            **parameters,
        ) as session,
    ):
        status, parameters = session.status(), session.header.parameters
    settings = ", ".join(f"{name} {format_cell(value)}" for name, value in parameters.items())
    typer.echo(
        f"began {file}: {status.learner}{f' ({settings})' if settings else ''} asks about "
        f"{things(status)}"
    )
    typer.echo(f"answer its questions: {go_on('run', file)}")


@group.command("next", epilog="Example: cpe-opt session next taste.jsonl -n 3 --json")
def next_(
    file: FileArgument,
    n: Annotated[int, typer.Option("-n", help="How many questions, if that many are open.")] = 1,
    rater: RaterOption = None,
    lease: Annotated[
        float | None,
        typer.Option(help="Seconds while nobody else is asked; 600 by default. With --rater."),
    ] = None,
    repeat: Annotated[
        bool, typer.Option("--repeat", help="Questions that somebody else has answered.")
    ] = False,
    problem: ProblemOption = None,
    k: SetSizeOption = None,
    as_json: JsonOption = False,
) -> None:
    """The questions that are open."""
    from cpe_opt.errors import InputError
    from cpe_opt.sessions.session import LEASE
    from cpe_opt.sessions.status import nothing_open

    if lease is not None and rater is None:
        raise InputError("--lease has no effect without --rater: who has the question?")
    with open_session(file, problem, k) as session:
        with progress_line(_THINKS):
            questions = session.ask(
                n, rater=rater, lease=LEASE if lease is None else lease, repeat=repeat
            )
        if as_json:
            print_json([question.as_dict() for question in questions])
        elif questions:
            show_questions(questions, file)
        else:
            typer.echo("nothing to repeat" if repeat else nothing_open(session))


@group.command(epilog="Example: cpe-opt session answer taste.jsonl 0-1.1 first")
def answer(
    file: FileArgument,
    question: QuestionArgument,
    outcome: Annotated[
        str,
        typer.Argument(
            help="first, second, tie, skip; the label of the one that won; 1, 0, 0.5; of a pull, a "
            "number. Over a test set: a number from 0 to 1; first,second if both orders are asked; "
            "leave-out for a cell that nobody answers."
        ),
    ],
    rater: RaterOption = None,
    problem: ProblemOption = None,
    k: SetSizeOption = None,
) -> None:
    """Answer a question; once this returns, the answer is on the disk."""
    from cpe_opt.sessions.questions import LEAVE_OUT, outcome_in_words, read_outcome
    from cpe_opt.sessions.status import nothing_open

    with open_session(file, problem, k) as session:
        with progress_line(_THINKS):
            asked = session.question(question)
        if outcome == LEAVE_OUT and outcome not in asked.labels:
            session.leave_out(question)
            typer.echo(f"{question}: left out; it counts as the worst for what is proved")
            return
        value = read_outcome(asked, outcome)
        if value is None:
            session.skip(question, rater=rater)
            typer.echo(f"{question}: skipped")
            return
        session.tell(question, value, rater=rater)
        typer.echo(f"{question}: {outcome_in_words(asked, value)}")
        with progress_line(_THINKS):
            finished = session.finished
        if finished:
            typer.echo(nothing_open(session))


group.command("run", epilog=session_run.EXAMPLE)(session_run.run)


@group.command(epilog="Example: cpe-opt session withdraw taste.jsonl 1-2.9")
def withdraw(
    file: FileArgument,
    question: QuestionArgument,
    problem: ProblemOption = None,
    k: SetSizeOption = None,
) -> None:
    """Take an answer back; its question is open again."""
    with open_session(file, problem, k) as session:
        session.withdraw(question)
        typer.echo(f"{question}: withdrawn, and open again")


@group.command(epilog="Example: cpe-opt session status taste.jsonl --json")
def status(
    file: FileArgument,
    problem: ProblemOption = None,
    k: SetSizeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Who is ahead and what is proved; works while another process asks."""
    from cpe_opt.sessions.progress import progress_of
    from cpe_opt.sessions.report import raters_table
    from cpe_opt.sessions.session import Session

    require_session(file)
    with progress_line(f"reading {file}"):
        view = Session.read(file, **given_problem(problem, k))
        stands, progress, raters = view.status(), progress_of(view), view.rater_counts()
    if as_json:
        print_json(
            {
                **stands.as_dict(),
                "left": stands.left if stands.budget else None,
                "favourite": progress.favourite,
                "proved": progress.proved,
                "warnings": list(progress.warnings),
                "so_far": progress.so_far,
                "delta": progress.delta,
                "shares": view.header.shares.as_json(),
                "remaining": progress.remaining,
                "remaining_cost": progress.cost,
                "evidence": None if progress.evidence is None else progress.evidence.as_dict(),
                "raters": [asdict(each) for each in raters],
            }
        )
        return
    print_table(["", ""], facts(stands, progress), title=str(file))
    report: list[Any] = []
    if progress.evidence is not None and stands.answers:
        report = [*progress.evidence.report()]
    for warning in progress.warnings:
        if warning not in report:
            typer.echo(warning)
    print_report([*raters_table(raters), *report])


@group.command(epilog="Example: cpe-opt session report taste.jsonl --title Taste --out taste.html")
def report(
    file: FileArgument,
    out: Annotated[
        Path | None,
        typer.Option(help="An .html file to write: one page, which loads nothing. Else it prints."),
    ] = None,
    title: Annotated[str | None, typer.Option(help="By default the name of the file.")] = None,
    problem: ProblemOption = None,
    k: SetSizeOption = None,
    force: ForceOption = False,
) -> None:
    """For whoever decides: what is proved, what it cost, the ranking, and why the rest is open."""
    from cpe_opt.files import check_output
    from cpe_opt.sessions.report import session_report
    from cpe_opt.sessions.session import Session

    require_session(file)
    if out is not None:
        check_output(out, (".html",), force=force, sources=(file,))
    decision = session_report(Session.read(file, **given_problem(problem, k)), title)
    if out is None:
        typer.echo(str(decision))
        return
    decision.write(out)
    typer.echo(f"{decision.summary}\nwrote {out}")


@group.command("export", epilog="Example: cpe-opt session export taste.jsonl answers.csv")
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
            "`session new --prior` read.",
        ),
    ] = False,
    items: Annotated[
        bool,
        typer.Option(
            "--items",
            help="Write a log over the items of a test set instead, with the answers from before, "
            "which `run` and `session new --items … --prior` read.",
        ),
    ] = False,
    force: ForceOption = False,
) -> None:
    """Write all answers: question, labels in the order shown, outcome, rater, time.

    The column `told` says which of them the learner has been told: they alone prove anything, and
    --votes and --scores write them alone. All but these two need only the file, whichever version
    of this package began the session; `told` is left out then.
    """
    from cpe_opt.errors import InputError
    from cpe_opt.files import check_output
    from cpe_opt.sessions.answers import SUFFIXES, write_answers
    from cpe_opt.sessions.status import SessionView

    chosen = {"--votes": votes is not None, "--scores": scores, "--items": items}
    given = [name for name, is_given in chosen.items() if is_given]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} are both given, expected one of them")
    if not given:
        check_output(out, SUFFIXES, force=force, sources=(file,))
    require_session(file)
    check_output(out, force=force, sources=(file,))
    with progress_line(f"reading {file}"):
        view = _readable(file, needs_learner=votes is not None or scores)
    if given:
        from cpe_opt.formats.observations import write_item_duels, write_scores
        from cpe_opt.formats.votes import write_votes

        if items:
            write_item_duels(view.item_duels(), out, force=True)
        elif isinstance(view, SessionView):
            if votes is not None:
                write_votes(view.votes(), out, votes, force=force)
            else:
                write_scores(view.scores(), out, force=force)
        typer.echo(f"wrote {out}")
        for warning in view.prior_warnings:  # which the file cannot hold
            typer.echo(warning, err=True)
        return
    answers = view.answers()
    write_answers(answers, out)
    typer.echo(f"wrote {out}: {count_answers(len(answers))}")


def _readable(file: Path, *, needs_learner: bool) -> SessionAnswers:
    """A session with its learner, or if that cannot be read its answers alone, where they do."""
    from cpe_opt.errors import CpeOptError, InputError
    from cpe_opt.sessions.session import Session

    try:
        view = Session.read(file)
        _ = view.finished  # the learner goes through the answers
    except CpeOptError as error:
        if needs_learner:
            raise InputError(
                f"{error}; which answers the learner was told is not known without it, and the "
                "others prove nothing"
            ) from None
        return Session.read_answers(file)
    return view
