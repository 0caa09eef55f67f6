"""Sessions: questions out, answers in, and a file that loses nothing."""

from __future__ import annotations

import importlib.util
import math
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import cpe_opt as cpe
from cpe_opt.commands import FOR_ASK, Reading, TwoMeans, command, console, given, refuse
from cpe_opt.commands.session_run import (
    Person,
    count_answers,
    report_event,
    stopped_by_signals,
)
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.files import check_output, write_csv
from cpe_opt.learners.queries import condition
from cpe_opt.progress_line import progress_line

if TYPE_CHECKING:
    from cpe_opt.formats.observations import Observations
    from cpe_opt.sessions.content import Item, Key
    from cpe_opt.sessions.judges import Calling, JudgeEvent
    from cpe_opt.sessions.questions import Question
    from cpe_opt.sessions.status import Progress

_THINKS = "the learner goes through the answers"
_DELTA = 0.05  # of a learner that nobody chose
_STARTING = {"subsets": "subset-tracking", "matchings": "matching-tracking"}
_WAITING = "stopped: raters have all questions that are open, until their leases run out"

app = typer.Typer()
group = typer.Typer(
    name="session",
    help="Ask people or programs, instead of a simulator; every answer is kept in one file.",
    epilog="Example: cpe-opt session new taste.jsonl --labels tuna,salmon,squid",
    no_args_is_help=True,
)
assistants = typer.Typer()
app.add_typer(group, rich_help_panel=FOR_ASK)
app.add_typer(assistants)


@dataclass(frozen=True, kw_only=True)
class Moved:
    """The problem of a session whose file is elsewhere now.

    :param problem: The problem again, if its file has moved; the session remembers where it was.
    :param k: As for `session new`.
    """

    problem: str | None = None
    k: int | None = None

    def given(self) -> dict[str, Any]:
        """The argument ``problem`` of a session, where one is given: its file."""
        from cpe_opt.sessions.questions import ProblemFile

        if self.problem is None:
            refuse({"k": self.k}, "without --problem")
            return {}
        return {"problem": ProblemFile(self.problem, self.k)}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a new session asks about.

    :param labels: What is compared: a,b,c, or a file with one label per line, or a .csv with a
        column label.
    :param problem: Instead of labels: a file or a built-in name. Only what a learner may know is
        used: candidates and positions, elements of sets.
    :param items: The items of a test set, on which arms are compared, each cell once: how many, or
        a file with one item per line, a .csv with a column item, or JSON objects with the key item.
    :param orders: both: each item in both orders (the default); random: which arm is shown first is
        drawn for each item.
    :param scores: Outputs of the labels on the items are scored, from 0 to 1, one at a time, and
        the label of the highest mean is looked for, or the --k highest.
    """

    labels: str | None = None
    problem: str | None = None
    k: int | None = None
    items: str | None = None
    orders: str | None = None
    scores: bool = False

    def arguments(self, prior: Observations | cpe.ItemDuels | None) -> dict[str, Any]:
        """The same as arguments of :meth:`cpe_opt.Session.open`."""
        from cpe_opt.sessions.content import read_items

        if self.labels is None and self.problem is None and prior is None:
            raise InputError("what is compared? Give --labels, --problem, or --prior")
        if self.scores and (self.labels is None or self.items is None):
            raise InputError("what is scored? Give --labels and --items with --scores")
        names = None if self.labels is None else _labels(self.labels)
        if self.scores and names is not None:
            asked: dict[str, Any] = {
                "problem": cpe.TopK(len(names), 1 if self.k is None else self.k, names)
            }
        elif self.problem is None and self.k is not None and isinstance(prior, cpe.TeamScores):
            asked = {"problem": prior.decisions(self.k), "labels": names}
        else:
            asked = {**Moved(problem=self.problem, k=self.k).given(), "labels": names}
        if self.items is not None:
            number = self.items.isdecimal()
            asked["items"] = int(self.items) if number else read_items(self.items)
        return {**asked, "orders": self.orders, "prior": prior}


@command(group, "cpe-opt session new taste.jsonl --labels tuna,salmon,squid")
def new(
    file: Path,
    learner: str | None = None,
    *,
    asked: Asked,
    hints: Path | None = None,
    prior: Path | None = None,
    reading: Reading,
    prices: str | None = None,
    seed: int | None = None,
    parameter: list[str] | None = None,
    horizon: str | None = None,
    of_two: TwoMeans,
    alpha: float | None = None,
    beta: float | None = None,
) -> None:
    """Begin a session in a new file.

    :param file: A new file, such as taste.jsonl.
    :param learner: See `cpe-opt algorithms`; by default copeland-tracking with delta=0.05 for arms
        that duel, score-tracking with --scores, subset-tracking for teams, sequential-test for Elo.
    :param hints: What a cheap judge says of the cells, made without knowledge of the order in which
        they are asked: a log with a column item, or a table of arm,item,score.
    :param prior: A file of earlier observations to start from: votes, or a log of teams,
        team,score[,count]; with --items a log with a column item.
    :param prices: What a duel costs: a number, or a CSV of first, second, price.
    :param seed: Draws the order of cells and which arm is shown first; a new one by default. An
        order whose answers were seen is used up.
    :param parameter: One of the learner's, such as -p delta=0.01.
    :param horizon: Rounds after which it ends, such as 1e4.
    :param alpha: With --elo0: the probability of "better" where it is false; 0.05 by default.
    :param beta: With --elo0: the probability of "worse" where it is false; 0.05 by default.
    """
    from cpe_opt.formats.tables import has_items
    from cpe_opt.reports.two_arms import means_of
    from cpe_opt.sessions.report import things

    if file.exists():
        raise InputError(
            f"{str(file)!r} exists: `{go_on('run', file)}` goes on with the session in it; a new "
            "one needs a new file"
        )
    observations: Observations | cpe.ItemDuels | None = None
    over_items = prior is not None and asked.items is not None and has_items(prior)
    if prior is None or over_items:
        refuse(vars(reading), "without a log of votes, --prior")
    if prior is not None:
        observations = (
            cpe.read_item_duels(prior)
            if over_items
            else cpe.read_observations(prior, **reading.options())
        )
    about = asked.arguments(observations)
    if hints is not None:
        read = cpe.read_item_duels if has_items(hints) else cpe.read_item_scores
        about["hints"] = read(hints)
    parameters = console.parse_parameters(parameter or [])
    errors, means = given({"alpha": alpha, "beta": beta}), given(vars(of_two))
    if errors or means:
        learner, parameters = learner or "sequential-test", parameters | errors | means_of(**means)
    if learner is None:
        learner = (
            "score-tracking"
            if asked.scores
            else _default_learner(about.get("problem"), observations)
        )
        parameters.setdefault("delta", _DELTA)
    with (
        progress_line(f"beginning {file}"),
        cpe.Session.open(
            file,
            learner,
            seed=seed,
            horizon=None if horizon is None else console.parse_count(horizon, "horizon"),
            prices=_prices(prices),
            **about,
            **parameters,
        ) as session,
    ):
        status, parameters = session.status(), session.header.parameters
        foretold = session.header.hints
        games = session.two_arms().proof_lines() if session.question_set.shares else []
    cells = [f"{name} {console.format_cell(value)}" for name, value in parameters.items()]
    settings = f" ({', '.join(cells)})" if cells else ""
    typer.echo(f"began {file}: {status.learner}{settings} asks about {things(status)}")
    if foretold is not None:
        count, missing = foretold.known.sum(), (~foretold.known).sum()
        said = f"{count:,} {foretold.of}{f', and none of {missing:,}' * bool(missing)}"
        typer.echo(f"hints: of {said}; nothing that is proved rests on them")
    typer.echo("\n".join([*games[-1:], f"answer its questions: {go_on('run', file)}"]))


@command(group, "cpe-opt session next taste.jsonl -n 3 --json", name="next")
def next_(
    file: Path,
    *,
    n: int = 1,
    rater: str | None = None,
    lease: float | None = None,
    repeat: bool = False,
    round: int | None = None,  # noqa: A002
    out: Path | None = None,
    moved: Moved,
    json: bool = False,
    force: bool = False,
) -> None:
    """The questions that are open.

    Where answers take hours, as those of a batch interface, all questions of a round go to a file.

    :param n: How many questions, if that many are open.
    :param lease: Seconds while nobody else is asked; 600 by default. With --rater.
    :param repeat: Questions that somebody else has answered.
    :param round: All questions of a round, of about so many rounds in all: the same number each
        time. With --out.
    :param out: A .jsonl file to write, one line a question with a custom_id; `session answer
        --file` reads the answers.
    """
    from cpe_opt.sessions.session import LEASE
    from cpe_opt.sessions.status import nothing_open

    if out is not None:
        refuse({"rater": rater, "lease": lease, "repeat": repeat, "json": json}, "with --out")
        _write_round(file, round, out, moved, force)
        return
    refuse({"round": round, "force": force}, "without --out, the file for the questions")
    if rater is None:
        refuse({"lease": lease}, "without --rater: who has the question?")
    with open_session(file, moved) as session:
        with progress_line(_THINKS):
            seconds = LEASE if lease is None else lease
            questions = session.ask(n, rater=rater, lease=seconds, repeat=repeat)
        if json:
            console.print_json([question.as_dict() for question in questions])
        elif questions:
            _show(questions, file)
        else:
            typer.echo("nothing to repeat" if repeat else nothing_open(session))


def _write_round(file: Path, rounds: int | None, out: Path, moved: Moved, force: bool) -> None:
    """Write the questions of a round that are open."""
    from cpe_opt.sessions.rounds import open_round, write_questions
    from cpe_opt.sessions.status import nothing_open

    check_output(out, (".jsonl",), force=force, sources=(file,))
    with open_session(file, moved) as session:
        if rounds is None and session.rounds is None:
            raise InputError("in how many rounds is it to ask? Give --round, such as --round 6")
        with progress_line(_THINKS):
            questions = open_round(session, rounds)
        if not questions:
            typer.echo(nothing_open(session))
            return
        write_questions(questions, out, force=force)
    typer.echo(f"wrote {out}, {len(questions):,} questions; their answers, custom_id and outcome:")
    typer.echo(go_on("answer", file, "--file", "answers.jsonl"))


@command(group, "cpe-opt session answer taste.jsonl 0-1.1 first")
def answer(
    file: Path,
    question: str | None = None,
    outcome: str | None = None,
    *,
    answers: Path | None = None,
    rater: str | None = None,
    moved: Moved,
) -> None:
    """Answer a question, or all in a file; once this returns, the answers are on the disk.

    :param outcome: first, second, tie, skip; the label of the one that won; 1, 0, 0.5; of a pull, a
        number. Over a test set: a number from 0 to 1; leave-out for a cell that nobody answers.
    :param answers: Instead: a .jsonl file of answers, such as {"custom_id": "0-1_7", "outcome": 1};
        `session next --out` writes the questions.
    """
    from cpe_opt.sessions.session import note_answer
    from cpe_opt.sessions.status import nothing_open

    if answers is not None:
        if question is not None:
            raise InputError(f"{question!r} is given, and --file: expected one of them")
        _note_file(file, answers, rater, moved)
        return
    if question is None or outcome is None:
        raise InputError("expected a question and its outcome, or --file with many answers")
    with open_session(file, moved) as session:
        with progress_line(_THINKS):
            noted = note_answer(session, question, outcome, rater=rater)
        typer.echo(f"{question}: {noted}")
        with progress_line(_THINKS):
            finished = session.finished
        if finished:
            typer.echo(nothing_open(session))


def _note_file(file: Path, answers: Path, rater: str | None, moved: Moved) -> None:
    """Note the answers of a file."""
    from cpe_opt.sessions.rounds import note_answers
    from cpe_opt.sessions.status import nothing_open

    with open_session(file, moved) as session:
        with progress_line(_THINKS):
            noted = note_answers(session, answers, rater=rater)
        passed = f", {noted.passed:,} passed over" if noted.passed else ""
        typer.echo(f"{count_answers(noted.new)}{passed}")
        if session.finished:
            typer.echo(nothing_open(session))
        elif noted.open:
            typer.echo(f"{noted.open:,} of the round are still open")
        else:
            typer.echo(
                f"the next round: {go_on('next', file, '--out', 'questions.jsonl', '--force')}"
            )


@command(group, 'cpe-opt session run taste.jsonl --command "python judge.py" --budget 500')
def run(
    file: Path,
    *,
    command: str | None = None,
    parallel: int | None = None,
    timeout: float | None = None,
    retries: int | None = None,
    budget: float | None = None,
    rater: str | None = None,
    content: Path | None = None,
    judge_id: str | None = None,
    moved: Moved,
) -> None:
    """Answer questions at the terminal, or let programs answer them.

    Stop whenever you like, with q or Ctrl-C: all answers are in the file, and the same command
    continues.

    :param command: A program that answers instead of you: one line of JSON in, such as
        {"id": "0-1.7", "labels": ["tuna", "squid"]}, and one out, {"id": "0-1.7", "outcome": 1}.
    :param parallel: The most of these programs that run at once; 1 by default.
    :param timeout: Seconds that a program has to answer; 60 by default.
    :param retries: How often a question that a program failed is asked again; 2 by default.
    :param budget: What all answers of the session may cost, in the unit of its prices; without
        prices, how many there may be.
    :param content: A CSV of label and text, markdown or image: what is shown of each.
    :param judge_id: What tells the judge from any other, such as a model and its date: recorded,
        and another one is refused.
    """
    from cpe_opt.sessions.content import by_label, read_content
    from cpe_opt.sessions.judges import Calling
    from cpe_opt.sessions.status import progress_of
    from cpe_opt.validation import NonNegative, checked

    of_programs = {"parallel": parallel, "timeout": timeout, "retries": retries}
    if command is None:
        refuse(of_programs, "without --command")
    limit = math.inf if budget is None else checked("budget", budget, NonNegative)
    with open_session(file, moved) as session:
        asked = session.question_set
        items: Mapping[Key, Item] = {}
        if content is not None:
            ids = None if asked.items is None else asked.items.ids
            items = read_content(content, asked.things, ids)
            shown = by_label(items, content.parent)
            session.check_unchanged({label: shown[label] for label in asked.things})
        session.check_unchanged(judge_id=judge_id)
        if command is None:
            done = _by_person(Person(session, rater, limit, items))
        else:
            calling = Calling(budget=budget, rater=rater, **given(of_programs))
            done = _by_programs(session, command, calling, items or None)
        with progress_line("looking what is proved"):
            progress = progress_of(session)
        typer.echo("\n".join(_end_in_words(session, done, progress, file)))
    if done.get("interrupted"):
        raise typer.Exit(130)


@command(group, "cpe-opt session withdraw taste.jsonl 1-2.9")
def withdraw(file: Path, question: str, *, moved: Moved) -> None:
    """Take an answer back; its question is open again."""
    with open_session(file, moved) as session:
        session.withdraw(question)
        typer.echo(f"{question}: withdrawn, and open again")


@command(group, "cpe-opt session status taste.jsonl --json")
def status(file: Path, *, moved: Moved, json: bool = False) -> None:
    """Who is ahead and what is proved; works while another process asks."""
    from cpe_opt.sessions.report import session_report
    from cpe_opt.sessions.status import progress_of, standing

    require_session(file)
    with progress_line(f"reading {file}"):
        view = cpe.Session.read(file, **moved.given())
        if not json:
            report = session_report(view)
        else:
            progress, raters = progress_of(view), view.raters()
    if not json:
        console.print_report(report)
        return
    found: Any = view.two_arms() if view.question_set.shares else progress.evidence
    console.print_json(
        {
            **standing(view, progress),
            "evidence": None if found is None else found.as_dict(),
            "raters": raters.to_dict("records"),
        }
    )


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
    votes: bool = False,
    scores: bool = False,
    items: bool = False,
    force: bool = False,
) -> None:
    """Write all answers: question, labels in the order shown, outcome, rater, time.

    The column `told` says which of them the learner has been told: they alone prove anything, and
    --votes and --scores write them alone. All but these two need only the file, whichever version
    of this package began the session; `told` is left out then. `evidence` reads answers, too; of
    pairs of games with --elo0 and --elo1.

    :param out: A .csv or .jsonl file to write: one row per answer.
    :param votes: Write votes instead, one line a vote, which `evidence` and others read.
    :param scores: Write a log of teams instead, with the scores from before, which `evidence` and
        `session new --prior` read.
    :param items: Write a log over the items of a test set instead, with the answers from before,
        which `run` and `session new --items … --prior` read; of scores arm,item,score.
    """
    from cpe_opt.sessions.answers import SUFFIXES, write_answers

    forms = given({"--votes": votes, "--scores": scores, "--items": items})
    if len(forms) > 1:
        raise InputError(f"{' and '.join(forms)} are both given, expected one of them")
    require_session(file)
    check_output(out, () if forms else SUFFIXES, force=force, sources=(file,))
    with progress_line(f"reading {file}"):
        view = _readable(file, needs_learner=votes or scores)
    if items and view.question_set.is_scores:
        found = view.item_scores()
        cells = zip(product(found.labels, found.items), found.scores.ravel().tolist(), strict=True)
        rows = ((*cell, score) for cell, score in cells if not math.isnan(score))
        write_csv(out, ("arm", "item", "score"), rows)
    elif items:
        cpe.write_item_duels(view.item_duels(), out, force=True)
    elif votes:
        cpe.write_votes(view.votes(), out, force=force)
    elif scores:
        cpe.write_scores(view.scores(), out, force=force)
    else:
        answers = view.answers()
        write_answers(answers, out)
        typer.echo(f"wrote {out}: {count_answers(len(answers))}")
        return
    console.print_written(out)
    for warning in view.prior_warnings:  # which the file cannot hold
        typer.echo(warning, err=True)


@command(group, "cpe-opt session serve taste.jsonl --tokens 3 --content items.csv")
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
    :param content: What is shown: a CSV with the columns label and text, markdown or image; the
        labels themselves by default.
    :param token: A rater's name and secret, name=secret; may be repeated.
    :param tokens: Draw secrets for this many raters, rater-1, rater-2, …; they are kept next to
        the session's file, for you alone, so that links live on.
    :param repeats: The share of questions that others have answered before.
    :param lease: Seconds after which another rater may be asked the same question.
    :param question: What raters are asked; by default which is better, or the score.
    :param allow_host: A host name by which others reach this machine; may be repeated.
    """
    from cpe_opt.sessions.content import Content

    _check_modules()
    from cpe_opt.sessions.link_secrets import kept_secrets
    from cpe_opt.sessions.web import Access, Serving

    raters, drawn = _raters(token or [], tokens)
    Access(raters)  # checks them before anything is opened
    with open_session(file, moved) as opened:
        links = ["organiser", *drawn] if raters or drawn else []
        secrets, kept = kept_secrets(file, links) if links else ({}, "")
        organiser = secrets.pop("organiser", "")
        raters |= secrets
        access = Access(raters, organiser)
        asked = opened.question_set
        ids = None if asked.items is None else asked.items.ids
        things = None if content is None else Content.read(content, asked.things, ids)
        opened.check_unchanged(None if things is None else things.compared)
        serving = Serving(
            opened,
            things,
            access,
            host=host,
            port=port,
            names=allow_host or [],
            question=question,
            repeats=repeats,
            lease=lease,
        )
        with stopped_by_signals() as stop, serving:
            for name, secret in raters.items():
                typer.echo(f"{name}: {serving.address}/#{secret}")
            if not raters:
                typer.echo(f"raters: {serving.address}/")
            typer.echo(f"you: {serving.address}/organise" + f"#{organiser}" * bool(organiser))
            if kept:
                typer.echo(kept)
            typer.echo("Ctrl-C stops; the session can be served again, and goes on")
            serving.wait(stop)
        answers = opened.status().answers
    typer.echo(f"stopped; {count_answers(answers)} in {file}")


@command(assistants, "cpe-opt mcp taste.jsonl --rater claude --settings", FOR_ASK)
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
    from cpe_opt.sessions.mcp_server import SessionTools, check_sdk, mcp_server

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
    console.print_json({"mcpServers": {"cpe-opt": {"command": start[0], "args": start[1:]}}})


def open_session(file: Path, moved: Moved) -> cpe.Session:
    """The session of a file that is there."""
    require_session(file)
    with progress_line(f"opening {file}"):
        return cpe.Session.open(file, **moved.given())


def require_session(file: Path) -> None:
    """Raise :class:`cpe_opt.errors.InputError` if there is no file."""
    from cpe_opt.formats.text import require_file

    try:
        require_file(file)
    except InputError as error:
        raise InputError(f"{error}; `cpe-opt session new` begins a session") from None


def go_on(command: str, file: Path, *rest: str) -> str:
    """A command line that goes on with a session, to be typed as it stands."""
    return shlex.join(["cpe-opt", "session", command, str(file), *rest])


def _by_person(person: Person) -> dict[str, Any]:
    with progress_line(_THINKS):
        before = person.session.status().answers
    done: dict[str, Any] = {"reason": "stopped"}
    try:
        done["reason"] = person.run()
    except KeyboardInterrupt:
        typer.echo("")
        done["interrupted"] = True
    return done | {"answers": person.session.status().answers - before}


def _by_programs(
    session: cpe.Session, command: str, calling: Calling, content: Mapping[Key, Item] | None
) -> dict[str, Any]:
    from cpe_opt.sessions.best_of import told_calls
    from cpe_opt.sessions.judges import run_judges

    with stopped_by_signals() as stop, told_calls(session, None) as tell:

        def on_event(event: JudgeEvent) -> None:
            tell(event)
            report_event(event)

        report = run_judges(
            session, command, calling, content=content, stop=stop, on_event=on_event
        )
    done = {"reason": report.reason, "answers": report.answers, "put_back": report.put_back}
    return {**done, "interrupted": stop.is_set()}


def _end_in_words(
    session: cpe.Session, done: dict[str, Any], progress: Progress, file: Path
) -> Iterator[str]:
    """Why it ended, the best answer, what is proved, and how to go on."""
    from cpe_opt.sessions.judges import REASONS
    from cpe_opt.sessions.questions import LEAVE_OUT

    status, put_back = session.status(), done.get("put_back", [])
    spent = f", {status.spent:,.10g} spent" * (status.spent != status.answers + status.repeats)
    counts = f"{count_answers(done['answers'])}, {status.answers:,} in all{spent}"
    yield f"{REASONS.get(done['reason'], _WAITING)}: {counts}"
    if put_back:
        yield f"without an answer: {', '.join(put_back[:10])}"
    if put_back and status.cells:
        yield f"`{go_on('answer', file, put_back[0], LEAVE_OUT)}` goes on without it, as a tie"
    if status.left_out:
        yield f"left out: {status.left_out:,} of {status.cells:,} cells"
    if status.position:
        yield f"position: {status.position}"
    games = session.two_arms().proof_lines() if session.question_set.shares else []
    if status.answers and not games:
        yield f"best answer: {session.best().description}"
    yield from games or [f"proved: {proved(progress)}"]
    yield from progress.warnings
    if not status.finished:
        if math.isfinite(progress.remaining) and progress.remaining > 0:
            yield f"remaining: about {progress.remaining:,.0f} duels, if estimates stay"
        yield f"nothing is lost; to go on: {go_on('run', file)}"


def _check_modules() -> None:
    """Raise :class:`InputError` with the line that installs what the page needs."""
    modules = ("starlette", "uvicorn", "markdown_it")
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(
            f"the page needs {', '.join(missing)}, not installed here: pip install 'cpe-opt[web]'"
        )


def _raters(named: list[str], drawn: int) -> tuple[dict[str, str], list[str]]:
    """Tokens that were given, by name, and the names of raters for whom some are to be drawn."""
    from cpe_opt.sessions.questions import checked_name

    raters: dict[str, str] = {}
    for text in named:
        name, equals, secret = text.rpartition("=")
        if not equals:
            raise InputError("a token is given without a name, expected --token name=secret")
        if checked_name(name) in raters:
            raise InputError(f"{name!r} has two tokens, expected one")
        raters[checked_name(name)] = secret
    if not 0 <= drawn <= 1000:
        raise InputError(f"tokens is {drawn}, expected a number of raters up to 1000")
    numbered = [f"rater-{number}" for number in range(1, drawn + 1)]
    return raters, [name for name in numbered if name not in raters]


def _readable(file: Path, *, needs_learner: bool) -> Any:
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
    duels, games = questions[0].kind in ("duel", "games"), questions[0].games
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
    console.print_table(list(rows[0]), [list(row.values()) for row in rows])
    said = "first,tie" if games else "first" if duels else "0.5"
    typer.echo(f"to answer: {go_on('answer', file, questions[0].id, said)}")
    if games:
        typer.echo("who won each game of the pair; or what the first gets on average, or skip")
    elif duels:
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

    family = "dueling"
    if problem is not None:
        family = QuestionSet.of_problem(problem).family
    elif observations is not None:
        family = str(observations.family)
    if family == "dueling":
        return "copeland-tracking"
    if observations is not None and family in _STARTING:
        return _STARTING[family]
    raise InputError(f"which learner? For a problem of {family}: {', '.join(learners_of(family))}")


def proved(progress: Progress) -> str:
    """What is proved, or how far it is from that."""
    said = progress.proved or progress.so_far
    return f"{said}{condition(progress.assumption)}" if said else "nothing of winners yet"
