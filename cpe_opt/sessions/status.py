"""How a session stands, and the best answer so far."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cpe_opt.arrays import FloatArray
from cpe_opt.learners.queries import claim, joined
from cpe_opt.sessions.book import Book
from cpe_opt.sessions.course import Course, Slot
from cpe_opt.sessions.dependence import dependence
from cpe_opt.sessions.header import Header

if TYPE_CHECKING:
    from cpe_opt.analysis.evidence import Evidence


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
