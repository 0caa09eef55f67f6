"""Sessions: questions out, answers in, and a file that loses nothing."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import cpe_opt as cpe
from cpe_opt.commands import FOR_ASK, Reading, command, serving, session_run
from cpe_opt.commands.console import (
    format_cell,
    parse_count,
    parse_parameters,
    print_json,
    print_report,
    print_table,
)
from cpe_opt.commands.session_options import (
    Moved,
    count_answers,
    facts,
    go_on,
    open_session,
    require_session,
    things,
)
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.files import check_output
from cpe_opt.progress_line import progress_line

if TYPE_CHECKING:
    from cpe_opt.formats.observations import Observations
    from cpe_opt.sessions.questions import Question
    from cpe_opt.sessions.status import SessionAnswers

_THINKS = "the learner goes through the answers"
_DELTA = 0.05  # of a learner that nobody chose
_STARTING = {"subsets": "subset-tracking", "matchings": "matching-tracking"}

app = typer.Typer()
group = typer.Typer(
    name="session",
    help="Ask people or programs, instead of a simulator; every answer is kept in one file.",
    epilog="Example: cpe-opt session new taste.jsonl --labels tuna,salmon,squid",
    no_args_is_help=True,
)
app.add_typer(group, rich_help_panel=FOR_ASK)


@command(group, "cpe-opt session new taste.jsonl --labels tuna,salmon,squid")
def new(
    file: Path,
    learner: str | None = None,
    *,
    labels: str | None = None,
    problem: str | None = None,
    k: int | None = None,
    items: str | None = None,
    orders: str | None = None,
    prior: Path | None = None,
    reading: Reading,
    prices: str | None = None,
    seed: int | None = None,
    parameter: list[str] | None = None,
    horizon: str | None = None,
) -> None:
    """Begin a session in a new file.

    :param file: A new file, such as taste.jsonl.
    :param learner: See `cpe-opt algorithms`; by default copeland-tracking with delta=0.05 for arms
        that duel, subset-tracking for a log of teams.
    :param labels: What is compared: a,b,c, or a file with one label per line, or a .csv with a
        column label.
    :param problem: Instead of labels: a file or a built-in name. Only what a learner may know is
        used: candidates and positions, elements of sets.
    :param items: The items of a test set, on which arms are compared, each cell once: how many, or
        a file with one item per line, a .csv with a column item, or JSON objects with the key item.
    :param orders: both: each item in both orders (the default); random: which arm is shown first is
        drawn for each item; paired: both at once, in one question.
    :param prior: A file of earlier observations to start from: votes, or a log of teams,
        team,score[,count]; with --items a log with a column item.
    :param prices: What a duel costs: a number, or a CSV of first, second, price.
    :param seed: Draws the order of cells and which arm is shown first; a new one by default. An
        order whose answers were seen is used up.
    :param parameter: One of the learner's, such as -p delta=0.01.
    :param horizon: Rounds after which it ends, such as 1e4.
    """
    from cpe_opt.formats.kinds import has_items
    from cpe_opt.sessions.content import read_items

    if file.exists():
        raise InputError(
            f"{str(file)!r} exists: `{go_on('run', file)}` goes on with the session in it; a new "
            "one needs a new file"
        )
    if labels is None and problem is None and prior is None:
        raise InputError("what is compared? Give --labels, --problem, or --prior")
    observations: Observations | cpe.ItemDuels | None = None
    options = reading.options()
    over_items = prior is not None and items is not None and has_items(prior)
    if options and (prior is None or over_items):
        raise InputError(f"--{next(iter(options))} has no effect without a log of votes, --prior")
    if prior is not None:
        observations = (
            cpe.read_item_duels(prior) if over_items else cpe.read_observations(prior, **options)
        )
    test_set: dict[str, Any] = {"items": items, "orders": orders}
    if items is not None:
        test_set["items"] = int(items) if items.isdecimal() else read_items(items)
    if problem is None and k is not None and isinstance(observations, cpe.TeamScores):
        asked: dict[str, Any] = {"problem": observations.decisions(k)}
    else:
        asked = Moved(problem=problem, k=k).given()
    parameters = parse_parameters(parameter or [])
    if learner is None:
        learner = _default_learner(asked.get("problem"), observations)
        parameters.setdefault("delta", _DELTA)
    with (
        progress_line(f"beginning {file}"),
        cpe.Session.open(
            file,
            learner,
            labels=None if labels is None else _labels(labels),
            seed=seed,
            horizon=None if horizon is None else parse_count(horizon, "horizon"),
            prior=observations,
            prices=_prices(prices),
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


@command(group, "cpe-opt session next taste.jsonl -n 3 --json", name="next")
def next_(
    file: Path,
    *,
    n: int = 1,
    rater: str | None = None,
    lease: float | None = None,
    repeat: bool = False,
    moved: Moved,
    json: bool = False,
) -> None:
    """The questions that are open.

    :param n: How many questions, if that many are open.
    :param lease: Seconds while nobody else is asked; 600 by default. With --rater.
    :param repeat: Questions that somebody else has answered.
    """
    from cpe_opt.sessions.session import LEASE
    from cpe_opt.sessions.status import nothing_open

    if lease is not None and rater is None:
        raise InputError("--lease has no effect without --rater: who has the question?")
    with open_session(file, moved) as session:
        with progress_line(_THINKS):
            seconds = LEASE if lease is None else lease
            questions = session.ask(n, rater=rater, lease=seconds, repeat=repeat)
        if json:
            print_json([question.as_dict() for question in questions])
        elif questions:
            _show(questions, file)
        else:
            typer.echo("nothing to repeat" if repeat else nothing_open(session))


@command(group, "cpe-opt session answer taste.jsonl 0-1.1 first")
def answer(
    file: Path, question: str, outcome: str, *, rater: str | None = None, moved: Moved
) -> None:
    """Answer a question; once this returns, the answer is on the disk.

    :param outcome: first, second, tie, skip; the label of the one that won; 1, 0, 0.5; of a pull, a
        number. Over a test set: a number from 0 to 1; first,second if both orders are asked;
        leave-out for a cell that nobody answers.
    """
    from cpe_opt.sessions.questions import LEAVE_OUT, outcome_in_words, read_outcome
    from cpe_opt.sessions.status import nothing_open

    with open_session(file, moved) as session:
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


command(group, session_run.EXAMPLE)(session_run.run)


@command(group, "cpe-opt session withdraw taste.jsonl 1-2.9")
def withdraw(file: Path, question: str, *, moved: Moved) -> None:
    """Take an answer back; its question is open again."""
    with open_session(file, moved) as session:
        session.withdraw(question)
        typer.echo(f"{question}: withdrawn, and open again")


@command(group, "cpe-opt session status taste.jsonl --json")
def status(file: Path, *, moved: Moved, json: bool = False) -> None:
    """Who is ahead and what is proved; works while another process asks."""
    from cpe_opt.sessions.progress import progress_of
    from cpe_opt.sessions.report import raters_table

    require_session(file)
    with progress_line(f"reading {file}"):
        view = cpe.Session.read(file, **moved.given())
        stands, progress, raters = view.status(), progress_of(view), view.rater_counts()
    if json:
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
    print_table(["", ""], list(facts(stands, progress).items()), title=str(file))
    report: list[Any] = []
    if progress.evidence is not None and stands.answers:
        report = [*progress.evidence.report()]
    for warning in progress.warnings:
        if warning not in report:
            typer.echo(warning)
    print_report([*raters_table(raters), *report])


@command(group, "cpe-opt session report taste.jsonl --title Taste --out taste.html")
def report(
    file: Path,
    *,
    out: Path | None = None,
    title: str | None = None,
    moved: Moved,
    force: bool = False,
) -> None:
    """For whoever decides: what is proved, what it cost, the ranking, and why the rest is open.

    :param out: An .html file to write: one page, which loads nothing. Else it prints.
    :param title: By default the name of the file.
    """
    from cpe_opt.sessions.report import session_report

    require_session(file)
    if out is not None:
        check_output(out, (".html",), force=force, sources=(file,))
    decision = session_report(cpe.Session.read(file, **moved.given()), title)
    if out is None:
        typer.echo(str(decision))
        return
    decision.write(out)
    typer.echo(f"{decision.summary}\nwrote {out}")


@command(group, "cpe-opt session export taste.jsonl answers.csv")
def export(
    file: Path,
    out: Path,
    *,
    votes: str | None = None,
    scores: bool = False,
    items: bool = False,
    force: bool = False,
) -> None:
    """Write all answers: question, labels in the order shown, outcome, rater, time.

    The column `told` says which of them the learner has been told: they alone prove anything, and
    --votes and --scores write them alone. All but these two need only the file, whichever version
    of this package began the session; `told` is left out then.

    :param out: A .csv or .jsonl file to write: one row per answer.
    :param votes: Write votes instead, which `evidence` and others read: winners, arena, flags,
        evalica, pairs, choix or matrix.
    :param scores: Write a log of teams instead, with the scores from before, which `evidence` and
        `session new --prior` read.
    :param items: Write a log over the items of a test set instead, with the answers from before,
        which `run` and `session new --items … --prior` read.
    """
    from cpe_opt.sessions.answers import SUFFIXES, write_answers
    from cpe_opt.sessions.status import SessionView

    chosen = {"--votes": votes is not None, "--scores": scores, "--items": items}
    given = [name for name, is_given in chosen.items() if is_given]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} are both given, expected one of them")
    require_session(file)
    check_output(out, () if given else SUFFIXES, force=force, sources=(file,))
    with progress_line(f"reading {file}"):
        view = _readable(file, needs_learner=votes is not None or scores)
    if items:
        cpe.write_item_duels(view.item_duels(), out, force=True)
    elif given and isinstance(view, SessionView):
        if votes is not None:
            cpe.write_votes(view.votes(), out, votes, force=force)
        else:
            cpe.write_scores(view.scores(), out, force=force)
    else:
        answers = view.answers()
        write_answers(answers, out)
        typer.echo(f"wrote {out}: {count_answers(len(answers))}")
        return
    typer.echo(f"wrote {out}")
    for warning in view.prior_warnings:  # which the file cannot hold
        typer.echo(warning, err=True)


group.add_typer(serving.app)


def _readable(file: Path, *, needs_learner: bool) -> SessionAnswers:
    """A session with its learner, or if that cannot be read its answers alone, where they do."""
    try:
        view = cpe.Session.read(file)
        _ = view.finished  # the learner goes through the answers
    except CpeOptError as error:
        if needs_learner:
            raise InputError(
                f"{error}; which answers the learner was told is not known without it, and the "
                "others prove nothing"
            ) from None
        return cpe.Session.read_answers(file)
    return view


def _show(questions: list[Question], file: Path) -> None:
    """A row a question, and how they are answered."""
    duels = questions[0].kind == "duel"
    rows = []
    for each in questions:
        row = {"id": each.id}
        if duels:
            row["first"], row["second"] = each.labels
        else:
            row[each.kind] = " + ".join(each.labels)
        if any(question.about for question in questions):
            row["for"] = each.about
        if each.item is not None:
            row["item"] = each.item["id"]
        rows.append(row)
    print_table(list(rows[0]), [list(row.values()) for row in rows])
    said = "0.5"
    if duels:
        said = "first,second" if questions[0].paired else "first"
    typer.echo(f"to answer: {go_on('answer', file, questions[0].id, said)}")
    if duels:
        typer.echo("or second, tie, skip; or the label of the one that won")


def _labels(text: str) -> list[str]:
    """Labels from ``a,b,c``, or from a file."""
    from cpe_opt.formats.problems import is_path
    from cpe_opt.sessions.content import read_labels

    if "," in text and not Path(text).is_file():
        return [label.strip() for label in text.split(",")]
    if not is_path(text):
        raise InputError(f"--labels is {text!r}, expected at least two: a,b,c, or a file")
    return read_labels(text)


def _prices(text: str | None) -> float | str | None:
    """Prices: one number, or a file of them."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _default_learner(problem: Any, observations: Observations | cpe.ItemDuels | None) -> str:
    """That for arms that duel, or one that starts from earlier observations; else an error."""
    from cpe_opt.learners.registry import learners_of
    from cpe_opt.sessions.questions import QuestionSet

    if problem is not None:
        family = QuestionSet.of_problem(problem).family
    else:
        family = "dueling" if observations is None else str(observations.family)
    if family == "dueling":
        return "copeland-tracking"
    if observations is not None and family in _STARTING:
        return _STARTING[family]
    raise InputError(f"which learner? For a problem of {family}: {', '.join(learners_of(family))}")
