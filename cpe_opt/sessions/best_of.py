"""The best of some arms in one call: a session that a function answers to its end.

The function is a judge that compares two outputs, or it scores one. A cheap judge is asked first,
about all cells of a test set or some, in a session of its own in the file ``<path>.cheap``; what it
says are hints. The order in which the judge is asked is drawn when that has ended.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import BUDGET, parameters_of
from cpe_opt.learners.queries import condition
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.progress_line import ShowProgress, own_steps, progress_line
from cpe_opt.sessions.hints import LATE, every_cell
from cpe_opt.sessions.judges import (
    REASONS,
    JudgeEvent,
    JudgeFailed,
    JudgeFunction,
    JudgesReport,
    Reason,
)
from cpe_opt.sessions.questions import Orders, QuestionSet
from cpe_opt.sessions.session import Session
from cpe_opt.sessions.status import Progress, SessionStatus, SessionView, progress_of
from cpe_opt.validation import (
    ErrorProbability,
    NonNegative,
    NonNegativeInt,
    Numbers,
    Positive,
    PositiveInt,
    Seed,
    checked_types,
)

if TYPE_CHECKING:
    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.problems.subsets.item_scores import ItemScores
    from cpe_opt.sessions.hints import GivenHints
    from cpe_opt.sessions.questions import GivenItems

_CALLING = ("timeout", "retries", "judge_id")


class ChoiceOptions(TypedDict, total=False):
    """What :func:`best_of` takes by name and few calls need."""

    orders: Orders | None
    cheap_budget: PositiveInt | None
    learner: str | None
    prices: Numbers | None
    seed: Seed | None
    progress: ShowProgress
    timeout: Positive
    retries: NonNegativeInt
    judge_id: str | None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Choice:
    """What :func:`best_of` found.

    It is ``proved`` if, with probability at least 1 - delta, ``best`` is right under
    ``assumption``. All answers are in ``session``, also where no path was given: ``answers()``,
    ``item_duels()``, ``item_scores()`` or ``votes()``, ``position_bias()``.
    """

    best: str  #: the answer, or who is ahead so far; empty if nothing was answered
    winners: tuple[str, ...]  #: the labels of it, of which there are ``top``
    proved: bool
    extent: str  #: what is proved, if not all that was asked: how far others may be ahead at most
    assumption: str  #: what the proof rests on and the answers do not show; empty for nothing
    #: Answers that count, of earlier calls with the same file, too; not those of a cheap judge.
    calls: int
    #: Cells of the full table of a test set that nobody had to be asked about, which leaves out
    #: those that the judge could not answer; None without items.
    saved: int | None
    spent: float  #: what the answers cost; as many as there are where no prices were given
    reason: Reason  #: why nothing more was asked
    path: Path | None  #: of the session, if one was given
    status: SessionStatus
    progress: Progress  #: without items its ``evidence`` is what the votes prove
    #: Whether nothing is ahead of ``best`` on new items, by more than the margin: ``"proved"``,
    #: ``"not yet"``, ``"refuted"``; empty where nothing is said of them.
    new_items: str
    session: SessionView

    def __repr__(self) -> str:
        return f"Choice({str(self)!r})"

    def __str__(self) -> str:
        """One sentence: ``proved on these 50 items, not yet on new ones: b, after 38 calls …``."""
        within = f" ({self.extent})" if self.proved and self.extent else ""
        said = f"{self.best}{within}{condition(self.assumption)}" if self.best else "nothing"
        items = self.session.question_set.items
        known = self.progress.new_items
        of_new = ", not on new ones" if known is None else known.clause
        these = f" on these {len(items.ids):,} items{of_new}" if items else ""
        what = f"proved{these}" if self.proved else "not proved, ahead"
        of = "" if self.saved is None else f" of {self.status.cells:,}"
        ended = self.status.doubt if self.reason == "finished" else ""
        why = "" if self.proved else f"; {ended or REASONS[self.reason]}"
        bias = self.session.position_bias().warning
        return f"{what}: {said}, after {self.calls:,} calls{of}{why}{f'; {bias}' * bool(bias)}"

    def report(
        self, path: str | os.PathLike[str], *, title: str | None = None, force: bool = True
    ) -> Path:
        """Write a page for whoever decides, as :meth:`cpe_opt.Session.report`."""
        from cpe_opt.sessions.report import session_report

        return session_report(self.session, title).write(path, force=force)


@checked_types
def best_of(
    arms: Collection[str] | Mapping[str, object],
    judge: JudgeFunction | None = None,
    *,
    score: JudgeFunction | None = None,
    items: GivenItems | None = None,
    cheap: JudgeFunction | None = None,
    hints: GivenHints | None = None,
    top: PositiveInt = 1,
    margin: NonNegative = 0.0,
    delta: ErrorProbability = 0.05,
    workers: PositiveInt = 1,
    rounds: PositiveInt | None = None,
    budget: NonNegative | None = None,
    path: str | os.PathLike[str] | None = None,
    **options: Unpack[ChoiceOptions],
) -> Choice:
    """Find the best arm with as few calls as a proof needs, of a judge or of scores.

    Parameters
    ----------
    arms : sequence of str, or mapping
        Labels of at least two; of a mapping, such as from names to prompts, its keys. Its values
        have to be what they were in earlier calls with the same file
        (:meth:`cpe_opt.Session.check_unchanged`).
    judge : callable
        Takes a :class:`~cpe_opt.sessions.questions.Question` and returns ``"first"``, ``"second"``,
        ``"tie"``, ``"skip"``, the label of the winner, or what the first one gets, from 0 to 1; see
        :meth:`cpe_opt.Session.run`.
    score : callable
        In place of a judge: takes a question about *one* output, of the arm ``question.label`` on
        ``question.item``, and returns its score from 0 to 1, or whether it is right. It needs
        items; the best arm has the highest mean over them.
    items : int or sequence of str or mapping, optional
        A fixed test set: the proof is then about its full table, each item in both orders unless
        ``orders`` says otherwise, and what it says of new items is in ``new_items``; no cell is
        asked twice; see :meth:`cpe_opt.Session.open`. Without items a repeated question is a new
        sample, and which of the two is shown first is drawn for each.
    cheap : callable, optional
        A judge, or scores, of the same kind as the one given, such as a small model: it is asked
        first, and what it says are hints (:mod:`cpe_opt.sessions.hints`), which spare calls where
        they agree with the other. Nothing that is proved rests on them. What it said is kept next
        to the session, and a call that goes on does not ask it again.
    hints : array_like, ItemDuels or ItemScores, optional
        Such numbers where they are there already; see :meth:`cpe_opt.Session.open`.
    top : int
        How many of the highest means are looked for, by ``score``.
    margin : float
        So much may another arm be ahead of the answer.
    delta : float
        The probability that what is proved is wrong, at most.
    workers : int
        Calls at once, at most.
    rounds : int, optional
        In about how many rounds to ask (:meth:`cpe_opt.Session.ask_in_rounds`), where the judge
        has an answer hours after it is called: all calls of a round are made before the first
        answer is used, ``workers`` of them at once.
    budget : float, optional
        What all answers may cost, in the unit of ``prices``; without these, how many there may be.
    path : path, optional
        Of the session, a log of all answers: the same call goes on from there, whatever ended the
        first one. Without it answers are lost with an interruption.
    **options
        ``cheap_budget``: how many cells the cheap judge is asked about, drawn at random; by default
        all. ``learner``: ``copeland-tracking``, or ``score-tracking`` for scores, unless another
        one is given, which proves the winner that it looks for; or ``copeland-budget`` or
        ``borda-budget``, which make all calls of the budget and name the arm that is most likely
        the winner. ``orders``, ``prices`` and ``seed``: see :meth:`cpe_opt.Session.open`;
        ``timeout``, ``retries`` and ``judge_id``: see :meth:`cpe_opt.Session.run`. ``progress``:
        whether to show calls, cost and how many are left at most, by default at a terminal; a
        function is told in words.

    Returns
    -------
    Choice

    Raises
    ------
    InputError
        Where an argument is not valid, or the file is that of another session.
    JudgeFailed
        Where a dozen questions in a row have no answer, with the last failure; its cause is what
        the judge raised.
    WriteFailed

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> quality = {"short": 1, "polite": 3, "steps": 4}
    >>> def judge(question):
    ...     return max(question.labels, key=quality.__getitem__)
    >>> found = cpe.best_of(quality, judge, items=50)
    >>> found.best, found.proved, found.saved > 100
    ('steps', True, True)
    >>> def right(question):
    ...     return int(question.item["id"]) % 10 < 2 * quality[question.label]
    >>> found = cpe.best_of(quality, score=right, items=200)
    >>> found.best, found.proved, found.saved > 100
    ('steps', True, True)
    """
    cheap_budget, prices = options.get("cheap_budget"), options.get("prices")
    progress, seed = options.get("progress"), options.get("seed")
    asked = _asked(judge, score, top)
    _check_given(items, cheap_budget, score=score, cheap=cheap, hints=hints)
    learner = options.get("learner") or ("copeland-tracking" if score is None else "score-tracking")
    given: dict[str, Any] = {"delta": delta, "rounds": rounds, "prices": prices}
    own = _for_learner(learner, given, margin, budget)
    labels = QuestionSet.of_labels(list(arms)).labels
    about: dict[str, Any] = {"items": items, "orders": options.get("orders"), "seed": seed}
    about |= {"labels": labels} if score is None else {"problem": TopK(len(arms), top, labels)}
    contents = dict(zip(labels, arms.values(), strict=True)) if isinstance(arms, Mapping) else {}
    calling: dict[str, Any] = {"workers": workers}
    calling |= {name: each for name, each in options.items() if name in _CALLING}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.jsonl" if path is None else Path(path)
        if cheap is not None and not (file.is_file() and file.stat().st_size):
            first = about if cheap_budget is None else {**about, "limit": cheap_budget}
            with Session.open(file.with_name(f"{file.name}.cheap"), every_cell, **first) as session:
                session.check_unchanged(contents)
                hints = _ask_cheap_judge(session, cheap, progress, calling)
        with Session.open(file, learner, **about, hints=hints, **own) as session:
            if cheap is not None and session.header.hints is None:
                raise InputError(LATE)
            session.check_unchanged(contents)
            with told_calls(session, progress) as on_event:
                report = session.run(asked, budget=budget, on_event=on_event, **calling)
            return _choice(session, report, None if path is None else Path(path))


def _asked(judge: JudgeFunction | None, score: JudgeFunction | None, top: int) -> JudgeFunction:
    """The function that is asked."""
    asked = score if judge is None else judge
    if asked is None or (judge is not None and score is not None):
        both = "neither is given" if asked is None else "both are given"
        raise InputError(
            f"judge, which compares two outputs, and score, of one output: {both}, expected one"
        )
    if top > 1 and score is None:
        raise InputError(f"top is {top}, and a judge that compares two finds one: expected score=")
    return asked


def _check_given(items: object, cheap_budget: int | None, **given: object) -> None:
    """Raise :class:`InputError` for what does not go together."""
    if given["cheap"] is not None and given["hints"] is not None:
        raise InputError("cheap and hints are both given, expected one: a function, or its answers")
    if cheap_budget is not None and given["cheap"] is None:
        raise InputError("cheap_budget is given, and has no effect without cheap")
    for name, each in given.items():
        if each is not None and items is None:
            raise InputError(f"{name} is given, which is about the items of a test set: give items")


def _for_learner(
    learner: str, given: Mapping[str, Any], margin: float, budget: float | None
) -> dict[str, Any]:
    """What is given, and what the learner takes of the others."""
    own, takes = {k: each for k, each in given.items() if each is not None}, get_learner(learner)
    if margin or "margin" in parameters_of(takes):
        own["margin"] = margin
    if BUDGET in parameters_of(takes) and budget is not None:
        if "prices" in own:
            raise InputError(
                f"prices are given, and {learner} counts duels: expected none, or a learner that "
                "stops with a proof"
            )
        own[BUDGET] = int(budget)
    return own


def _ask_cheap_judge(
    session: Session, judge: JudgeFunction, progress: ShowProgress, calling: Mapping[str, Any]
) -> ItemDuels | ItemScores:
    """What it says of the cells of its session; none is asked again, whatever ended a call."""
    with told_calls(session, progress, "asking the cheap judge") as on_event:
        try:
            session.run(judge, on_event=on_event, **{**calling, "judge_id": None})
        except JudgeFailed as error:
            raise JudgeFailed(f"cheap, the cheap judge: {error}") from error.__cause__
    if (said := session.cells_answered()) is None:
        raise InputError("cheap: the cheap judge answered nothing, so that there are no hints")
    return said


def _choice(session: Session, report: JudgesReport, path: Path | None) -> Choice:
    """What was found; the file of the session may be gone later."""
    status, progress = session.status(), progress_of(session)
    labels, answer = session.question_set.labels, None
    if session.question_set.is_scores and status.answers:
        answer = session.best().answer
    proved = status.finished and not status.doubt
    best = status.answer if proved else progress.favourite if status.answers else ""
    one = (best,) if best else ()
    return Choice(
        best=best,
        winners=one if answer is None else tuple(labels[arm] for arm in answer),
        proved=proved,
        extent=status.extent,
        assumption=status.assumption if proved else "",
        calls=status.answers,
        saved=status.saved,
        spent=status.spent,
        reason=report.reason,
        path=path,
        status=status,
        progress=progress,
        new_items="" if progress.new_items is None else progress.new_items.status,
        session=Session.read(session.path),
    )


@contextmanager
def told_calls(
    session: Session, progress: ShowProgress, what: str = "asking"
) -> Iterator[Callable[[JudgeEvent], None]]:
    """Yields what is to be told of each event, to say how many calls there were, and their cost."""
    before = session.status()
    calls, spent = before.answers, before.spent

    def line() -> str:
        cost = "" if session.header.prices is None else f", {spent:,.6g} spent"
        left = before.cells - before.left_out - calls
        return f"calls{cost}{f', at most {left:,} left' * bool(before.cells)}"

    def told(event: JudgeEvent) -> None:
        nonlocal calls, spent
        if event.kind == "answer" and event.question is not None and tell is not None:
            calls, spent = calls + 1, spent + session.price(event.question)
            tell(line(), calls)

    with progress_line(what, progress), own_steps() as tell:
        yield told
        if tell is not None:
            tell(f"{calls:,} {line()}", None)
