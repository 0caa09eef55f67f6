"""What can be read of a session: how it stands, its answers, its votes, the best answer so far."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cpe_opt.learners.queries import joined
from cpe_opt.problems.text import errors_of, stem_of
from cpe_opt.sessions.answers import Answer, slot_of
from cpe_opt.sessions.book import Book
from cpe_opt.sessions.course import Course, Slot
from cpe_opt.sessions.dependence import dependence
from cpe_opt.sessions.header import Header
from cpe_opt.sessions.journal import Record, without_collection
from cpe_opt.sessions.questions import Question, question_of
from cpe_opt.sessions.status import Best, Status, price_of, status_of
from cpe_opt.sessions.subject import Subject

if TYPE_CHECKING:
    import pandas as pd

    from cpe_opt.problems.dueling.votes import Votes
    from cpe_opt.problems.subsets.team_scores import TeamScores
    from cpe_opt.sessions.before import Before

SO_FAR = "the session is not finished"


class SessionAnswers:
    """The answers of a session; made by :meth:`cpe_opt.Session.read_answers`.

    They are those of the log alone: no learner is needed, so that another version of this package
    may have begun the session.

    Attributes
    ----------
    path : Path
    subject : Subject
        What is asked about; ``known`` is None where the log does not hold it.
    """

    def __init__(
        self, subject: Subject, counts: Before | None, records: list[Record], path: Path
    ) -> None:
        self.path, self.subject = path, subject
        self._counts = counts
        self._lock = threading.RLock()
        self._book = Book()
        with errors_of(path.name), without_collection():
            self._book.read(records)

    def answers(self) -> pd.DataFrame:
        """A row an answer that counts; see :meth:`cpe_opt.sessions.answers.Answers.frame`."""
        with self._lock:
            return self._book.answers.frame(self.subject)

    def votes(self) -> Votes:
        """Answers to duels of arms, and the votes from before, as :class:`Votes`."""
        with self._lock:
            votes = None if self._counts is None else self._counts.votes
            return self._book.answers.votes(self.subject, votes, stem_of(self.path))

    def scores(self) -> TeamScores:
        """Answers to pulls of sets, and the scores from before, as :class:`TeamScores`.

        Raises
        ------
        InputError
            Where the session asks for something else, or nothing was answered.
        """
        with self._lock:
            scores = None if self._counts is None else self._counts.scores
            return self._book.answers.scores(self.subject, scores, stem_of(self.path))

    def raters(self) -> pd.DataFrame:
        """A row a rater; see :meth:`cpe_opt.sessions.answers.Answers.raters`."""
        with self._lock:
            return self._book.answers.raters()


class SessionView(SessionAnswers):
    """A session that can be looked at; made by :meth:`cpe_opt.Session.read`.

    Attributes
    ----------
    path : Path
    header : Header
        Learner, parameters, seed, prices, old votes.
    subject : Subject
        What is asked about.
    """

    def __init__(
        self,
        header: Header,
        records: list[Record],
        path: Path,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(header.subject, header.counts, records, path)
        self.header = header
        self._clock = clock
        self._course: Course | None = None
        self._best: tuple[int, Best] | None = None

    def status(self) -> Status:
        """How the session stands."""
        with self._lock:
            course = self._moved()
            return status_of(self.header, self._book, course, self._clock())

    @property
    def finished(self) -> bool:
        """Whether the learner has its answer, so that nothing is open."""
        with self._lock:
            return not self._waiting() and self._moved().exchange.finished

    def best(self) -> Best:
        """The best answer so far, and what the votes prove.

        Together they are right with probability at least 1 - delta, the session's: the learner has
        ``header.shares.learner`` of it, and the evidence ``header.shares.evidence``. At any other
        delta, :func:`cpe_opt.evidence` of :meth:`votes` says what these prove alone. The learner is
        led through all answers once more, to the point where it is stopped.
        """
        from cpe_opt.analysis.evidence import evidence

        with self._lock:
            key = self._book.changes
            if self._best is not None and self._best[0] == key:
                return self._best[1]
            answers = dict(self._book.answers.values)
            votes = self.votes() if self.subject.family == "dueling" else None
        exchange = self._led(answers).exchange  # others may answer meanwhile
        if not exchange.finished:
            exchange.stop(SO_FAR)
        found = (
            None
            if votes is None
            else evidence(votes, delta=self.header.shares.evidence, prices=self.header.prices)
        )
        some = not exchange.doubt or (found is not None and found.some_proved)
        best = Best(
            answer=exchange.answer,
            description=self.subject.describe(exchange.answer),
            doubt=exchange.doubt,
            assumption=joined(self.header.assumption, exchange.assumption),
            warnings=self.warnings(proved=some),
            evidence=found,
        )
        self._best = key, best
        return best

    def warnings(self, *, proved: bool) -> tuple[str, ...]:
        """What :attr:`Status.warnings` has, where something is ``proved`` or nothing is."""
        with self._lock:
            answers = self._book.answers.by_id.values()
            return dependence(self.header.counts, answers, proved=proved)

    def question(self, id: str) -> Question:  # noqa: A002
        """A question that can be answered.

        Raises
        ------
        InputError
            Where it is not open, such as where it has an answer.
        """
        with self._lock:
            self._book.open_slot(id, self._waiting())
            return self._asked(id)

    def price(self, question: Question) -> float:
        """What an answer to a question costs; 1 where no prices were given."""
        return price_of(Slot.of_id(slot_of(question.id)), self.header.prices)

    def last_of(self, rater: str | None) -> str | None:
        """The question that a rater answered last, of the answers that count."""
        with self._lock:
            given = reversed(self._book.answers.by_id.values())
            return next((answer.id for answer in given if answer.rater == rater), None)

    def questions_of(self, rater: str) -> Iterator[str]:
        """The questions that were handed to a rater and are open, and those that they answered."""
        with self._lock:
            book = self._book
            yield from [each for each, lease in book.desk.leases.items() if lease.rater == rater]
            yield from [each.id for each in book.answers.by_id.values() if each.rater == rater]

    def held(self, rater: str) -> list[Question]:
        """The open questions that a rater has, the first handed out first."""
        with self._lock:
            waiting, answered = self._waiting(), self._book.answers.by_id
            return [
                question_of(each, self.subject, self.header.seed)
                for each in self._book.desk.held(rater, self._clock())
                if each in waiting or (slot_of(each) != each and each not in answered)
            ]

    def free(self) -> int:
        """How many open questions nobody has."""
        with self._lock:
            waiting, now = self._waiting(), self._clock()
            return sum(not self._book.desk.leased(each, now) for each in waiting)

    def holder_of(self, question: str) -> str | None:
        """Who was handed an open question last, however long ago; None where that is nobody."""
        with self._lock:
            return self._book.holder(question)

    def answer_of(self, question: str) -> Answer | None:
        """The answer of a question that counts."""
        with self._lock:
            return self._book.answers.by_id.get(question)

    def turns_of(self, rater: str | None) -> tuple[int, int]:
        """How many answers of a rater count, repeats included, and how often they skipped."""
        with self._lock:
            return self._book.answered[rater], self._book.skipped[rater]

    @property
    def changes(self) -> int:
        """How often answers came or went: a number that says whether there is news."""
        with self._lock:
            return self._book.changes

    def _asked(self, identity: str) -> Question:
        return question_of(identity, self.subject, self.header.seed)

    def _waiting(self) -> dict[str, Slot]:
        """The empty slots that the learner waits for."""
        return self._moved().waiting

    def _moved(self) -> Course:
        """The learner, as far as the answers reach."""
        course, self._course = self._course, None  # lost, if the learner fails
        if course is None:
            course = self._led(self._book.answers.values)
        else:
            course.follow(self._book.answers.values)
        self._course = course
        return course

    def _led(self, answers: Mapping[str, float]) -> Course:
        """A learner led through answers from the beginning."""
        header = self.header
        start = partial(header.exchange, self._book.parallel)
        course = Course(start, header.seed, horizon=header.horizon)
        course.follow(answers)
        return course
