"""A session: a learner that asks people or programs, and whose state is a log of their answers.

A learner is deterministic given its seed and its answers (:mod:`cpe_opt.sessions.replay`). So the
log of answers is all there is to keep (:mod:`cpe_opt.sessions.journal`). Its first record says what
the session is (:mod:`cpe_opt.sessions.header`), the others what happened
(:mod:`cpe_opt.sessions.answers`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from cpe_opt.errors import InputError, WriteFailed, errors_of
from cpe_opt.learners.declaration import declaration_of, is_told, parameters_of
from cpe_opt.problems.queries import Duel
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.sessions.answers import (
    MOST_LEASE,
    Ask,
    Compared,
    CountedAnswer,
    Entry,
    LeaveOut,
    Parallel,
    Rounds,
    SessionAnswers,
    Skip,
    State,
    Withdrawal,
    as_record,
    check_fits,
)
from cpe_opt.sessions.content import content_digest
from cpe_opt.sessions.header import (
    MOST_PARALLEL,
    Given,
    Header,
    LearnerFunction,
    new_header,
    opened_header,
    read_subject,
)
from cpe_opt.sessions.journal import Journal, ProcessLock, read_journal
from cpe_opt.sessions.questions import (
    LEAVE_OUT,
    Question,
    checked_rater,
    outcome_in_words,
    read_outcome,
    slot_of,
)
from cpe_opt.sessions.replay import ReplayedLearner
from cpe_opt.sessions.status import SessionView
from cpe_opt.validation import Positive, checked, checked_count, checked_text

if TYPE_CHECKING:
    from cpe_opt.formats.observations import Observations
    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.sessions.hints import GivenHints
    from cpe_opt.sessions.judges import JudgeEvent, JudgeFunction, JudgesReport
    from cpe_opt.sessions.questions import GivenItems, Orders

_TWO_WAYS = (
    "Begin a new file; where old answers may count, one that begins with them (prior=, or --prior)"
)
LEASE = 600.0
"""Seconds for which a question is one rater's alone."""
_TRUTH = bool | np.bool_


class Session(SessionView):
    """A learner and its answers, in a file.

    Made by :meth:`open`; a context manager that closes it. Threads may share it; a process that is
    forked is refused with :class:`cpe_opt.errors.FileInUse`, whatever it asks.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> labels = ["salmon", "tuna", "squid"]
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = f"{folder.name}/taste.jsonl"
    >>> with cpe.Session.open(path, "copeland-tracking", labels=labels, delta=0.1) as session:
    ...     [question] = session.ask()
    ...     session.tell(question.id, 1)  # the first of question.labels is better
    >>> with cpe.Session.open(path) as session:
    ...     session.status().answers
    1
    >>> folder.cleanup()
    """

    def __init__(
        self, header: Header, journal: Journal, path: Path, clock: Callable[[], float]
    ) -> None:
        self._journal, self._parted = journal, False
        super().__init__(header, journal.records, path, clock, journal.whole(), journal)
        self._lock_of_process = ProcessLock(path)
        journal.records = []  # they are in the state

    @classmethod
    @shows_progress("opening a session")
    def open(
        cls,
        path: str | os.PathLike[str],
        learner: str | LearnerFunction | None = None,
        *,
        labels: list[str] | tuple[str, ...] | None = None,
        problem: object = None,
        items: GivenItems | None = None,
        orders: Orders | None = None,
        seed: int | None = None,
        horizon: int | None = None,
        prior: Observations | ItemDuels | None = None,
        hints: GivenHints | None = None,
        prices: npt.ArrayLike | str | os.PathLike[str] | None = None,
        clock: Callable[[], float] = time.time,
        progress: ShowProgress = None,
        **parameters: Any,
    ) -> Self:
        """Begin a session, or go on with the one in the file.

        Parameters
        ----------
        path : path
            Of the log; made if there is none.
        learner : name or callable
            Such as ``"copeland-tracking"``. This and the other arguments are needed only to begin
            a session; opening one compares those given with those it was begun with.
        labels : sequence of str, optional
            Of arms that duel each other, or for ``score-tracking`` of arms whose outputs on items
            are scored.
        problem : optional
            Instead of labels: a problem, of which only what a learner may know is used, or just
            what may be known, such as a :class:`BipartiteGraph` or a :class:`TopK`; with items,
            ``TopK(K, k, labels)`` looks for the k arms of the highest scores.
        items : int or sequence of str or mapping, optional
            With labels: the items of a test set on which arms are compared or scored, of which no
            cell is asked twice (:mod:`cpe_opt.sessions.questions`). How many, their ids, or objects
            with the id as ``item`` and content; :func:`cpe_opt.sessions.content.read_items` reads a
            file. For learners with a parameter ``cells``.
        orders : "both" or "random", optional
            Whether an item is asked in both orders, as two cells, the default; or in one, which is
            drawn.
        seed : int, optional
            By default one from the operating system, which is recorded. It draws the order of
            cells, what the learner draws, which of two is shown first, and coins for ties. An order
            is used up once an arm is changed by what was said of it on some items.
        horizon : int, optional
            Rounds, for learners that want to know.
        prior : Votes, TeamScores, MatchingDuels or ItemDuels, optional
            What was observed before. It is kept in the log's first record, counts in
            :meth:`votes` or :meth:`scores` and in what these prove, and is handed to the learner as
            its parameter ``prior`` (:mod:`cpe_opt.sessions.header`). From scores ``sigma`` is
            bounded where none is given. Without labels and problem it says what is asked about.
            Of ``ItemDuels`` the cells, by labels, ids of items and orders, are not asked again.
        hints : array_like, ItemDuels or ItemScores, optional
            What a cheap judge, a metric or last month's judge says of the cells, in [0, 1], NaN for
            nothing (:mod:`cpe_opt.sessions.hints`): of shape (K, K, n) or (K, K, n, 2), what each
            arm gets against each other; or of shape (K, n), a score of each output. They spare
            answers where they agree with them, and nothing that is proved rests on them, if they
            were made without knowledge of the order in which cells are asked: of all cells, or of
            some that were drawn by other random numbers. They are kept in the log's first record
            and never change; those that come later need a new session.
        prices : number, array_like or path, optional
            What a duel of each pair costs; told to learners that ask for it.
        clock : callable
            Seconds since 1970.
        progress : bool or callable, optional
            As for :func:`cpe_opt.copeland_bound`.
        **parameters
            Of the learner; ``delta`` is of all that is stated (:mod:`cpe_opt.sessions.header`).

        Raises
        ------
        InputError
            Where another process has the session open, where the file is damaged or not that of a
            session, or where something given is not what the session was begun with.
        WriteFailed
            Where the file cannot be written to.
        """
        given = Given(
            learner=learner,
            labels=labels,
            problem=problem,
            items=items,
            orders=orders,
            seed=seed,
            horizon=horizon,
            prices=prices,
            prior=prior,
            hints=hints,
            parameters=parameters,
        )
        path = Path(path)
        # A new session is checked before its file is made.
        new = None if os.path.isfile(path) else new_header(path, given)  # noqa: PTH113
        journal = Journal(path)
        try:
            return cls(_begun(journal, given, new), journal, path, clock)
        except BaseException:
            journal.close()
            raise

    @staticmethod
    def read(
        path: str | os.PathLike[str],
        learner: LearnerFunction | None = None,
        *,
        problem: object = None,
        clock: Callable[[], float] = time.time,
    ) -> SessionView:
        """Look at a session, which another process may have open; nothing can be told to it."""
        path, records = Path(path), read_journal(path)
        with errors_of(path.name):
            header = opened_header(records[0], Given(learner=learner, problem=problem))
        return SessionView(header, records, path, clock, path.read_bytes())

    @staticmethod
    def read_answers(path: str | os.PathLike[str]) -> SessionAnswers:
        """The answers of a session, of any version of this package and with any learner.

        They need the log alone. How the session stands and what its learner asks next are said by
        :meth:`read` and :meth:`open`.

        Raises
        ------
        InputError
            Where the file is damaged or not that of a session.
        """
        path, records = Path(path), read_journal(path)
        with errors_of(path.name):
            question_set, prior = read_subject(records[0])
        return SessionAnswers(question_set, prior, records[1:], path)

    def report(
        self, path: str | os.PathLike[str], *, title: str | None = None, force: bool = True
    ) -> Path:
        """Write a page for whoever decides: what is proved, what it cost, why the rest is open."""
        from cpe_opt.sessions.report import session_report

        return session_report(self, title).write(path, force=force)

    @shows_progress("looking for questions")
    def ask(
        self,
        n: int = 1,
        *,
        rater: str | None = None,
        lease: float = LEASE,
        repeat: bool = False,
        only: Callable[[Question], bool] | None = None,
        progress: ShowProgress = None,
    ) -> list[Question]:
        """Up to n questions that are open, fewer where there are no more.

        A rater with a name first gets those that the same rater has already; without a name nobody
        gets a question twice before its lease has run out, or the process ended.

        Parameters
        ----------
        n : int
        rater : str, optional
        lease : float
            Seconds after which somebody else may be asked, at most 10^9.
        repeat : bool
            Ask for second answers, to questions that others have answered.
        only : callable, optional
            Questions for which it is false are left out, except where ``repeat`` is true.
        progress : bool or callable, optional
            As for :meth:`open`; the learner goes through the answers here.

        Returns
        -------
        list of Question
            Empty where all open questions are handed out, and where the learner has finished.
        """
        checked_count("n", n)
        checked_lease(lease)
        rater = checked_rater(rater)
        with self._lock:
            now, state = self._clock(), self._state
            waiting = self._learner.waiting()
            if repeat:
                chosen = state.repeats(n, rater, now)
            else:
                fits = None if only is None else (lambda each: only(self._asked(each)))
                chosen = state.choose(waiting, n, rater, now, fits)
            if chosen:
                handed = Ask(tuple(chosen), rater, now, now + lease)
                if rater is None:
                    state.hand_out(handed)
                else:
                    self._write(handed, sync=False)
            return [self._asked(each) for each in chosen]

    def ask_at_once(self, n: int) -> int | None:
        """Have the learner ask at least n questions at once from now on, so that n can answer.

        That is its parameter ``parallel``, which is 1 by default. A number that the session was
        begun with stays, and so does a higher one. After the first answer it grows with the next
        question: what was asked stays as it was, so that no answers are gone through twice.

        Returns
        -------
        int or None
            How many it asks at least; None if it has no such parameter, or asks in rounds. A
            learner of a user's own that keeps no ``checkpoint`` stays, after the first answer, with
            the number that it has.

        Raises
        ------
        InputError
            Where n is no number from 1 to 10,000.
        """
        checked_count("n", n, most=MOST_PARALLEL)
        with self._lock:
            known = parameters_of(self.header.learner).get("parallel")
            if known is None or self.rounds is not None:
                return None
            if "parallel" in self.header.parameters:
                return int(self.header.parameters["parallel"])
            told = self._learner.replay().count
            least = int(self._state.parallel(told) or known.default)
            fixed = self._state.begun and not is_told(self.header.learner, "checkpoint")
            if n <= least or fixed or self.finished:
                return least
            self._write(Parallel(n, told if self._state.begun else None, self._clock()))
            return n

    def ask_in_rounds(self, n: int) -> None:
        """Have the learner ask in about n rounds, where answers take hours.

        That is its parameter ``rounds``. All questions of a round are open at once; the next ones
        are there when all of them are answered. It has to be said before the first answer, and
        stays: who tries several numbers on the same answers chooses among proofs.

        Raises
        ------
        InputError
            Where the learner cannot, where another number was said before, or none and there are
            answers, or where n is no number from 1 to 10,000.
        """
        checked_count("n", n, most=MOST_PARALLEL)
        with self._lock:
            if "rounds" not in parameters_of(self.header.learner):
                raise InputError(
                    f"{self.header.name} does not ask in rounds: it has no parameter 'rounds'"
                )
            if self.rounds not in (None, n):
                raise InputError(
                    f"{self.path.name} asks in about {self.rounds} rounds, not in {n}: who tries "
                    "several numbers on the same answers chooses among proofs"
                )
            if self.rounds is None:
                if self._state.begun:
                    raise InputError(
                        f"{self.path.name} has answers, and was not asked in rounds: say their "
                        "number before the first answer, or begin a new session"
                    )
                self._write(Rounds(n, self._clock()))

    def tell(
        self,
        id: str,  # noqa: A002
        outcome: float | str,
        *,
        rater: str | None = None,
        sync: bool = True,
    ) -> None:
        """Answer a question; the answer is on the disk when this returns.

        Parameters
        ----------
        id : str
            Of a :class:`Question`.
        outcome : number, or "first", "second", "tie", or a label
            Of a duel: 1 where the first of ``labels`` won, 0 where the second did, 0.5 for a tie,
            and over items any number from 0 to 1; of a pull, what was observed, and over items a
            score from 0 to 1, or whether it is right; of a set, the sum.
        rater : str, optional
            Who answers; by default who was asked.
        sync : bool
            False where the answer is on the disk only once :meth:`commit` has returned: it brings
            those of many raters there at once.

        Raises
        ------
        InputError
            Where the question is not open, as one that has an answer, or the outcome is not valid.
        WriteFailed
            Where it cannot be written; then it does not count.
        """
        _check_id(id)
        with self._lock:
            asked = self.question(id)
            answer = CountedAnswer(
                id,
                self._outcome(asked, outcome),
                shown=(asked.query.i, asked.query.j) if isinstance(asked.query, Duel) else None,
                item=None if asked.item is None else asked.item_id,
                rater=checked_rater(rater) or self._state.holder(id),
                at=self._clock(),
            )
            self._write(answer, sync=sync)

    def _outcome(self, asked: Question, said: Any) -> float:
        """The outcome that counts."""
        duel = asked.kind == "duel"
        outcome = read_outcome(asked, float(said) if duel and isinstance(said, _TRUTH) else said)
        if outcome is None:
            raise InputError(f"{said!r} is no outcome; Session.skip hands a question back")
        unit = not duel and declaration_of(self.header.learner).unit_rewards
        if unit and not 0.0 <= outcome <= 1.0:
            raise InputError(f"the outcome is {outcome:g}, expected a number in [0, 1]")
        return outcome

    def run(
        self,
        judge: JudgeFunction | str | Sequence[str],
        *,
        workers: int = 1,
        timeout: float = 60.0,
        retries: int = 2,
        budget: float | None = None,
        rater: str | None = None,
        judge_id: str | None = None,
        on_event: Callable[[JudgeEvent], None] | None = None,
    ) -> JudgesReport:
        """Let a function or a program answer until there is a proof, or no more money.

        Every answer is on the disk at once: whatever ends this, the same call goes on from there.

        Parameters
        ----------
        judge : callable, str or sequence of str
            A function of a :class:`Question` that returns its outcome: ``"first"``, ``"second"``,
            ``"tie"``, ``"skip"``, the label of the winner, or a number. It may be a coroutine
            function; any other one is called in threads. Or a program and its arguments
            (:mod:`cpe_opt.sessions.judges`).
        workers : int
            At most so many calls at once; the learner is asked for as many (:meth:`ask_at_once`).
        timeout : float
            Seconds for an answer.
        retries : int
            How often a question is asked anew where the judge raises, is late, or returns no
            outcome. Then it is put back, and a cell of a test set is left out, so that others are
            asked.
        budget : float, optional
            What all answers of the session may cost, in the unit of its prices, or answers where
            it has none.
        rater : str, optional
            Under which name answers are noted.
        judge_id : str, optional
            What tells the judge from any other; another one is refused (:meth:`check_unchanged`).
        on_event : callable, optional
            Told of everything that happens.

        Returns
        -------
        JudgesReport
            Why it ended, and what was asked.

        Raises
        ------
        InputError
            Where an argument is not valid, or the program cannot be started.
        JudgeFailed
            Where a dozen questions in a row have no answer, with the last failure, of which the
            cause is what the judge raised; answers from before stay, and no cell of these is left
            out.
        WriteFailed
            Where answers cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> import cpe_opt as cpe
        >>> price = {"salmon": 3, "tuna": 4, "squid": 2}
        >>> def cheaper(question):
        ...     return min(question.labels, key=price.__getitem__)
        >>> folder = tempfile.TemporaryDirectory()
        >>> path = f"{folder.name}/cheapest.jsonl"
        >>> with cpe.Session.open(path, "copeland-tracking", labels=[*price], delta=0.1) as session:
        ...     report = session.run(cheaper, workers=4)
        ...     report.reason, session.status().answer
        ('finished', 'squid')
        >>> folder.cleanup()
        """
        from cpe_opt.sessions.judges import Calling, run_judges

        calling = Calling(
            parallel=checked_count("workers", workers),
            timeout=timeout,
            retries=retries,
            budget=budget,
            rater=rater,
        )
        self.check_unchanged(judge_id=judge_id)
        self.ask_at_once(workers + workers // 4)  # so that none waits for the learner
        return run_judges(self, judge, calling, on_event=on_event)

    def check_unchanged(
        self, contents: Mapping[str, object] | None = None, judge_id: str | None = None
    ) -> None:
        """Refuse contents or a judge other than those that were given before.

        What is given for the first time is recorded; answers from before are taken to be about it,
        and by that judge.

        Parameters
        ----------
        contents : mapping, optional
            What there is to compare of each label: texts, numbers, bytes, and sequences, mappings
            and dataclasses of these. Anything else in it, such as a function, is not compared.
        judge_id : str, optional
            What tells the judge from any other, such as a model's name and date, or a digest of the
            rubric.

        Raises
        ------
        InputError
            With the label, where its content has changed; where the judge is another one.
        """
        if judge_id is not None:
            checked_text("judge_id", judge_id)
        now = {label: content_digest(each) for label, each in (contents or {}).items()}
        with self._lock:
            known, judge = self._state.contents, self._state.judge
            changed = [label for label in now if known.get(label, now[label]) != now[label]]
            if changed:
                raise InputError(
                    f"{changed[0]!r} is not what it was when it was first given: its content has "
                    f"changed, and answers in {self.path.name} are about what it was. {_TWO_WAYS}"
                )
            if judge_id is not None and judge not in (None, judge_id):
                raise InputError(
                    f"the judge is {judge_id!r}, and in {self.path.name} it was {judge!r} when one "
                    f"was first named. {_TWO_WAYS}"
                )
            new = {label: digest for label, digest in now.items() if label not in known}
            if new or (judge_id is not None and judge is None):
                self._write(Compared(new, judge_id, self._clock()))

    def commit(self) -> None:
        """Bring all answers to the disk that were told with ``sync=False``.

        Where that fails, :class:`WriteFailed`: they do not count, and the session is to be opened
        again.
        """
        self._journal.commit()

    def skip(self, id: str, *, rater: str | None = None) -> None:  # noqa: A002
        """Hand a question back; others are asked, and the same rater if nothing else is open.

        Over items a cell is left out once all raters of the session have skipped it, if these are
        at least three.

        Raises
        ------
        InputError
            Where the question is not open.
        """
        _check_id(id)
        with self._lock:
            self._state.check_open(id, self._learner.waiting())
            rater = checked_rater(rater) or self._state.holder(id)
            self._write(Skip(id, rater, self._clock()))
            cell = self.question_set.items is not None and slot_of(id) == id
            if cell and self._state.skipped_by_all(id):
                self.leave_out(id)

    def leave_out(self, id: str) -> None:  # noqa: A002
        """Ask a cell of a test set no more; it counts as the worst for whatever is proved.

        So what is proved is true whatever its answer would be, and whatever it is left out for.
        :meth:`withdraw` opens the cell again.

        Raises
        ------
        InputError
            Where the question is not open, or none of a test set.
        """
        _check_id(id)
        with self._lock:
            if self.question_set.items is None:
                raise InputError("only cells of a test set can be left out; skip hands it back")
            if slot_of(id) != id:
                raise InputError(f"question {id!r} is a second answer to a cell that has one")
            self._state.check_open(id, self._learner.waiting())
            self._write(LeaveOut(id, self._asked(id).item_id, self._clock()))

    def hand_back(self, id: str) -> None:  # noqa: A002
        """Let others be asked a question that nobody with a name has; it keeps its place."""
        _check_id(id)
        with self._lock:
            if self._state.holder(id) is None:
                self._state.leases.pop(id, None)

    def withdraw(self, id: str) -> None:  # noqa: A002
        """Take an answer back, or that a cell was left out: its question is open again.

        It is for the same rater first.

        Raises
        ------
        InputError
            Where the question has no answer.
        """
        _check_id(id)
        with self._lock:
            if id not in self._state.answers and id not in self._state.left_out:
                raise InputError(f"question {id!r} has no answer that could be taken back")
            now = self._clock()
            self._write(Withdrawal(id, now, now + LEASE))

    def close(self) -> None:
        """Let go of the file.

        A long session leaves a snapshot, with which it opens fast.
        """
        if self._journal.closed:
            return
        with suppress(InputError, OSError), self._lock:  # of a log that somebody has damaged
            self._learner.close()
        self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _lock(self) -> AbstractContextManager[Any]:
        """The lock of the session, which is whole behind it."""
        lock = super()._lock
        if self._parted:
            with lock:
                self._settle()
        return lock

    def _settle(self) -> None:
        """Read the log anew where a call was interrupted while it wrote."""
        if not self._parted:
            return
        state = State(self.question_set)
        with errors_of(self.path.name):
            state.read(self._journal.read()[1:])
        self._learner = ReplayedLearner(self.header, state, journal=self._journal)
        self._state, self._best, self._parted = state, None, False

    def _write(self, entry: Entry, *, sync: bool = True) -> None:
        """Add a record to the log, then to what is known."""
        state, record = self._state, as_record(entry)
        check_fits(entry, self.question_set)  # or the log could not be read again
        self._parted = True  # until all of this is done, whatever interrupts it
        try:
            self._journal.append(record, sync=sync)
        except WriteFailed:
            self._parted = False
            raise
        state.apply(entry)
        if isinstance(entry, Withdrawal | Rounds) or (
            isinstance(entry, Parallel) and entry.told is None
        ):
            self._learner.restart()
        elif isinstance(entry, CountedAnswer | LeaveOut):
            self._learner.filled(record[entry.kind])
        self._parted = False


def note_answer(session: Session, id: str, said: Any, *, rater: str | None = None) -> str:  # noqa: A002
    """Answer, skip or leave out an open question, as was said; gives what was noted in words."""
    question = session.question(id)
    if isinstance(said, str) and said == LEAVE_OUT and said not in question.labels:
        session.leave_out(id)
        return "left out; it counts as the worst for what is proved"
    outcome = read_outcome(question, said)
    if outcome is None:
        session.skip(id, rater=rater)
        return "skipped"
    session.tell(id, outcome, rater=rater)
    return outcome_in_words(question, outcome)


def checked_lease(lease: Any) -> float:
    """Seconds for which a question is one rater's alone, or :class:`InputError`."""
    if checked("lease", lease, Positive) > MOST_LEASE:
        raise InputError(f"lease is {lease:g}, expected at most {MOST_LEASE:,.0f} seconds")
    return float(lease)


def _check_id(id: object) -> None:  # noqa: A002
    if not isinstance(id, str):
        raise InputError(f"the id of a question is {id!r}, expected a text such as '0-1.1'")


def _begun(journal: Journal, given: Given, new: Header | None) -> Header:
    """The header of a log; of an empty one it becomes the first record."""
    path = journal.path
    if journal.records:
        with errors_of(path.name):
            return opened_header(journal.records[0], given)
    header = new_header(path, given) if new is None else new
    journal.append(header.record)
    return header
