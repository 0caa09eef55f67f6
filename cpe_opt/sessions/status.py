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
from cpe_opt.sessions.header import Header
from cpe_opt.sessions.journal import Record, without_collection
from cpe_opt.sessions.question_set import Subject
from cpe_opt.sessions.questions import Question, question_of
from cpe_opt.sessions.replay import Course, Slot
from cpe_opt.sessions.state import Book

if TYPE_CHECKING:
    import pandas as pd

    from cpe_opt.problems.dueling.votes import Votes
    from cpe_opt.problems.subsets.team_scores import TeamScores
    from cpe_opt.sessions.prior_data import Before
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cpe_opt.arrays import FloatArray
from cpe_opt.learners.queries import claim

if TYPE_CHECKING:
    from cpe_opt.reports.evidence import Evidence
from collections import Counter
from collections.abc import Iterable

if TYPE_CHECKING:
    from cpe_opt.sessions.prior_data import Before


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
        from cpe_opt.reports.evidence import evidence

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


# How a session stands, and the best answer so far.


@dataclass(frozen=True, kw_only=True)
class Status:
    """How a session stands.

    Attributes
    ----------
    learner : str
    family : str
    labels : tuple of str
    answers : int
        That count; repeats are not among them.
    ties, repeats, withdrawn, skips : int
        Answers that were ties; answers of second raters; answers taken back; questions skipped.
    raters : dict of str to int
        Answers by rater, repeats included; those of raters without a name under the empty text.
    waiting : int
        Questions that the learner waits for; more than one may be answered at once.
    leased : int
        How many of these somebody has.
    spent : float
        What all answers cost, repeats included, or how many they are where no prices were given.
    finished : bool
        Whether the learner has its answer.
    answer : str
        In words, by labels; empty before it has finished.
    doubt : str
        Why the answer of a learner that has finished is not proved; empty where it is.
    assumption : str
        What a proof of it rests on and the answers do not show, such as "there is a Condorcet
        winner", or what the noise of earlier scores is like; empty where there is nothing.
    warnings : tuple of str
        By what answers, or what was seen before, may depend on each other, a sentence each: what is
        proved assumes that they do not. Of raters with several answers only where ``answer`` is
        proved.
    """

    learner: str
    family: str
    labels: tuple[str, ...]
    answers: int
    ties: int
    repeats: int
    withdrawn: int
    skips: int
    raters: dict[str, int]
    waiting: int
    leased: int
    spent: float
    finished: bool
    answer: str
    doubt: str
    assumption: str
    warnings: tuple[str, ...]

    @property
    def claim(self) -> str:
        """What is said of the answer: "proved", "proved, if …", or "not proved: …"."""
        return claim(self.doubt, self.assumption)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, eq=False)
class Best:
    """The best answer so far, and what is proved.

    Attributes
    ----------
    answer
        As the learner gives it: an arm, a matching, a set; None where it has none yet.
    description : str
        The same by labels.
    doubt : str
        Why it is not proved; empty where the learner has finished with its guarantee.
    assumption : str
        As in :class:`Status`.
    warnings : tuple of str
        As in :class:`Status`, where ``answer`` or anything of ``evidence`` is proved.
    evidence : Evidence or None
        What the votes prove of arms that duel, :func:`cpe_opt.evidence`; None of other problems.
    """

    answer: Any
    description: str
    doubt: str
    assumption: str = ""
    warnings: tuple[str, ...] = ()
    evidence: Evidence | None

    @property
    def proved(self) -> bool:
        """Whether the learner's guarantee holds for the answer, under its ``assumption``."""
        return not self.doubt


def price_of(slot: Slot, prices: FloatArray | None) -> float:
    """What an answer costs: by pair, or one price for all, or 1."""
    if prices is None:
        return 1.0
    return float(prices[slot.row] if prices.ndim else prices)


def status_of(header: Header, book: Book, course: Course, now: float) -> Status:
    """How a session stands."""
    answers, exchange = book.answers, course.exchange
    raters: dict[str, int] = {}
    for each in answers.by_id.values():
        raters[each.rater or ""] = raters.get(each.rater or "", 0) + 1
    first = [each for each in answers.by_id.values() if not each.repeat]
    finished = exchange.finished
    return Status(
        learner=header.name,
        family=header.subject.family,
        labels=header.subject.labels,
        answers=len(first),
        ties=sum(each.shown is not None and each.outcome == 0.5 for each in first),
        repeats=len(answers.by_id) - len(first),
        withdrawn=book.withdrawn,
        skips=book.skips,
        raters=dict(sorted(raters.items())),
        waiting=len(course.waiting),
        leased=sum(
            each in course.waiting and book.desk.leased(each, now) for each in book.desk.leases
        ),
        spent=float(len(answers.by_id))
        if header.prices is None
        else math.fsum(price_of(each.slot, header.prices) for each in answers.by_id.values()),
        finished=finished,
        answer=header.subject.describe(exchange.answer) if finished else "",
        doubt=exchange.doubt,
        assumption=joined(header.assumption, exchange.assumption),
        warnings=dependence(header.counts, first, proved=finished and not exchange.doubt),
    )


# By what the observations of a session may depend on each other: what is proved assumes none.
#
# Logs from before may have columns with values that repeat, such as a judge or a prompt: they are
# warned of by :class:`cpe_opt.problems.clusters.ClusterColumn`. In a session a rater may answer
# more than once; that is common, so that it is said in a line, and only where something is proved.
# Second answers to a question prove nothing, and are not counted.


def dependence(
    before: Before | None, answers: Iterable[Answer], *, proved: bool
) -> tuple[str, ...]:
    """What to know of all that is proved, a sentence each.

    Parameters
    ----------
    before : Before or None
        What was seen before the session.
    answers : iterable of Answer
    proved : bool
        Whether anything is.
    """
    warnings = () if before is None else before.warnings
    raters = _several_answers(answers) if proved else ""
    return (*warnings, raters) if raters else warnings


def _several_answers(answers: Iterable[Answer]) -> str:
    """Who has answered more than once; empty where nobody has."""
    counts = Counter(each.rater or "" for each in answers if not each.repeat)
    nameless = counts.pop("", 0)
    several = sum(count > 1 for count in counts.values())
    found = []
    if several:
        found.append(f"{several:,} rater{'s' * (several != 1)} answered more than once")
    if nameless > 1:
        found.append(f"{nameless:,} answers name no rater")
    if not found:
        return ""
    return (
        "what is proved assumes that answers of one rater do not depend on each other; "
        f"{' and '.join(found)}"
    )
