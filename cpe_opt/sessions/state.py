"""What the records of a log come to: which answers count, and who has which question.

A question that was handed out is not handed to anybody else until its *lease* runs out. A lease
reserves no right to answer: the first answer counts, whoever gives it. A rater with a name who asks
again gets what was handed to that rater before, so that a page may be loaded anew. Leases of raters
without a name end with the process. A question that was skipped goes to the end of the line, and
for the rater who skipped it to the very end.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from cpe_opt.errors import InputError
from cpe_opt.problems.text import shortened
from cpe_opt.sessions.answers import CountedAnswer, CountedAnswers, repeat_id, slot_of
from cpe_opt.sessions.journal import Record
from cpe_opt.sessions.questions import readable_name
from cpe_opt.sessions.replay import Slot


class State:
    """All that a session knows, except how far its learner is.

    Attributes
    ----------
    answers : CountedAnswers
    leases : Leases
    records : int
        Those that were taken in.
    changes : int
        How often answers came or went.
    withdrawn, skips : int
        How many answers were taken back, and questions skipped.
    left_out : dict of str to None
        Cells of a test set that nobody answers, by slot; their value is NaN.
    parallel : int or None
        How many questions the learner is to ask at once; None if no record says so.
    answered, skipped : Counter
        Answers that count, repeats included, and skips by rater.
    """

    def __init__(self) -> None:
        self.answers, self.leases = CountedAnswers(), Leases()
        self.records = self.changes = self.withdrawn = self.skips = 0
        self.parallel: int | None = None
        self.left_out: dict[str, None] = {}
        self.answered: Counter[str | None] = Counter()
        self.skipped: Counter[str | None] = Counter()
        self._handed: set[str] = set()

    def read(self, records: list[Record]) -> None:
        """Take in the records of a log after its first; :class:`InputError` for an unknown one."""
        for line, record in enumerate(records, 2):
            try:
                self.apply(record)
            except (KeyError, TypeError, ValueError, IndexError, AttributeError):
                raise InputError(
                    f"line {line} is no record of a session that this version knows: "
                    f"{shortened(str(record))}"
                ) from None

    def apply(self, record: Record) -> None:
        """Take in a record."""
        self.records += 1
        rater = readable_name(record.get("rater"))
        if "ask" in record:
            self.hand_out(record["ask"], rater, record["until"])
        elif "answer" in record:
            self.changes += 1
            name = record["answer"]
            shown, both = record.get("shown"), record.get("outcomes")
            self.answers.add(
                CountedAnswer(
                    name,
                    float(record["outcome"]),
                    None if shown is None else (shown[0], shown[1]),
                    rater,
                    record["at"],
                    record.get("item"),
                    None if both is None else (float(both[0]), float(both[1])),
                )
            )
            self.answered[rater] += 1
            self.leases.done(name)
        elif "leave_out" in record:
            self.changes += 1
            self.left_out[record["leave_out"]] = None
            self.answers.values[record["leave_out"]] = math.nan
            self.leases.done(record["leave_out"])
        elif "withdraw" in record and record["withdraw"] in self.left_out:
            self.changes += 1
            del self.left_out[record["withdraw"]]
            del self.answers.values[record["withdraw"]]
        elif "parallel" in record:
            self.changes += 1
            self.parallel = int(record["parallel"])
        elif "skip" in record:
            self.skips += 1
            self.skipped[rater] += 1
            self._handed.add(record["skip"])
            self.leases.skip(record["skip"], rater)
        elif "withdraw" in record:
            self.changes += 1
            self.withdrawn += 1
            answer = self.answers.remove(record["withdraw"])
            self.answered[answer.rater] -= 1
            if answer.rater is not None:
                self.hand_out([answer.id], answer.rater, record["until"])
        else:
            raise InputError(f"a record of the session is of no known kind: {record!r}")

    def hand_out(self, questions: list[str], rater: str | None, until: float) -> None:
        """Note who has questions."""
        self.leases.hand_out(questions, rater, until)
        self._handed.update(questions)

    def open_slot(self, question: str, waiting: dict[str, Slot]) -> Slot:
        """The slot of a question that can be answered, or :class:`InputError`.

        It is one that the learner waits for, or was handed out at some time, or a repeat of one
        that has an answer.
        """
        if question in self.answers.by_id:
            answer = self.answers.by_id[question]
            by = f" by {answer.rater}" if answer.rater else ""
            raise InputError(
                f"question {question!r} was answered already{by}: an answer counts once; it can be "
                "withdrawn, and given anew"
            )
        if slot_of(str(question)) in self.left_out:
            raise InputError(
                f"question {question!r} was left out: that nobody answers it can be withdrawn"
            )
        if question in waiting:
            return waiting[question]
        first = slot_of(str(question))
        again = question != first and first in self.answers.values
        if question in self._handed or again:
            try:
                return Slot.of_id(first)
            except ValueError:
                pass
        shown = ", ".join(repr(each) for each in list(waiting)[:3])
        more = ", …" if len(waiting) > 3 else ""
        raise InputError(
            f"{question!r} is no open question; "
            + (
                f"those that are: {shown}{more}"
                if shown
                else "none is open, the learner has finished"
            )
        )

    def skipped_by_all(self, question: str) -> bool:
        """Whether every rater of the session has skipped it, and these are at least three."""
        raters = {name for name in (*self.answered, *self.skipped) if name is not None}
        skipped = {name for name in self.leases.skips.get(question, ()) if name is not None}
        return len(skipped) >= 3 and raters <= skipped

    def holder(self, question: str) -> str | None:
        """Who has a question."""
        lease = self.leases.by_question.get(question)
        return None if lease is None else lease.rater

    def repeats(self, count: int, rater: str | None, now: float) -> list[str]:
        """Up to so many second answers to ask for, the latest questions first.

        They are to questions with one answer, not by this rater, and not asked again by now.
        """
        chosen = [each for each in self.leases.held(rater, now) if slot_of(each) != each][:count]
        for question in self._once_answered(rater, now):
            if len(chosen) >= count:
                break
            if question not in chosen:
                chosen.append(question)
        return chosen

    def _once_answered(self, rater: str | None, now: float) -> Iterator[str]:
        answers = self.answers
        for answer in reversed(list(answers.by_id.values())):
            second = repeat_id(answer.id)
            once = not answer.repeat and second not in answers.by_id
            if (
                once
                and not self.leases.leased(second, now)
                and (not rater or answer.rater != rater)
            ):
                yield second


@dataclass(frozen=True)
class Lease:
    """Who has a question; ``until`` is in seconds since 1970."""

    rater: str | None
    until: float


class Leases:
    """Which questions were handed out, and which skipped.

    Attributes
    ----------
    by_question : dict of str to Lease
        Also those that have run out, as long as nobody else has the question.
    skips : dict of str to list
        Who has skipped a question.
    """

    def __init__(self) -> None:
        self.by_question: dict[str, Lease] = {}
        self.skips: dict[str, list[str | None]] = {}

    def leased(self, question: str, now: float) -> bool:
        """Whether somebody has the question."""
        lease = self.by_question.get(question)
        return lease is not None and lease.until > now

    def held(self, rater: str | None, now: float) -> list[str]:
        """What a rater with a name has."""
        if rater is None:
            return []
        return [
            question
            for question, lease in self.by_question.items()
            if lease.rater == rater and lease.until > now
        ]

    def choose(
        self,
        waiting: Collection[str],
        count: int,
        rater: str | None,
        now: float,
        fits: Callable[[str], bool] | None = None,
    ) -> list[str]:
        """Up to so many questions of those waiting: the rater's, then those that nobody has.

        Each in the order of ``waiting``, skipped ones last, and only those that fit.
        """
        held = (each for each in self.held(rater, now) if each in waiting)
        chosen = list(islice(filter(fits or bool, held), count))
        skipped: list[tuple[bool, int, str]] = []
        for question in filter(fits or bool, self._free(waiting, now)):
            if len(chosen) == count:
                return chosen
            who = self.skips.get(question)
            if who:
                skipped.append((rater in who, len(who), question))
            else:
                chosen.append(question)
        skipped.sort(key=lambda each: each[:2])
        return chosen + [question for _, _, question in skipped[: count - len(chosen)]]

    def hand_out(self, questions: Iterable[str], rater: str | None, until: float) -> None:
        """Note a lease."""
        for question in questions:
            self.by_question[question] = Lease(rater, until)

    def skip(self, question: str, rater: str | None) -> None:
        """Put a question back, at the end of the line."""
        self.by_question.pop(question, None)
        self.skips.setdefault(question, []).append(rater)

    def done(self, question: str) -> None:
        """Forget an answered question."""
        self.by_question.pop(question, None)
        self.skips.pop(question, None)

    def _free(self, waiting: Iterable[str], now: float) -> Iterator[str]:
        return (question for question in waiting if not self.leased(question, now))
