"""What the records of a log come to: which answers count, and who has which question.

A question that was handed out is not handed to anybody else until its *lease* runs out. A lease
reserves no right to answer: the first answer counts, whoever gives it. A rater with a name who asks
again gets what was handed to that rater before, so that a page may be loaded anew. Leases of raters
without a name end with the process. A question that was skipped goes to the end of the line, and
for the rater who skipped it to the very end. A lease holds from when it was given: where the clock
was ahead then, and is set right, it holds no longer.

Each record is checked at one door, :class:`Entries`, before it is written and when it is read. What
is there twice counts once: an answer to a question that has one, or an answer that is taken back
twice, changes nothing.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from cpe_opt.errors import InputError
from cpe_opt.sessions.answers import CountedAnswer, CountedAnswers, repeat_id, slot_of
from cpe_opt.sessions.header import MOST_PARALLEL
from cpe_opt.sessions.journal import Record
from cpe_opt.sessions.question_set import QuestionSet, is_asked_about
from cpe_opt.sessions.questions import readable_name
from cpe_opt.sessions.replay import RowKey, Slot
from cpe_opt.validation import shown_value

MOST_LEASE = 1e9
"""Seconds for which a question may be one rater's alone."""
_LEASE = 600.0  # of records that do not say when they were written
_STEP = 10.0  # seconds by which a clock is set right now and then
_LATEST = 2.0**33  # seconds since 1970, up to which clocks are believed: the year 2242


@dataclass(frozen=True, slots=True)
class Ask:
    """Questions that were handed to a rater, for a time in seconds since 1970."""

    questions: tuple[str, ...]
    rater: str | None
    since: float
    until: float


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """A cell that nobody answers."""

    slot: str


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An answer that is taken back; its question is the same rater's for a time."""

    question: str
    since: float
    until: float


@dataclass(frozen=True, slots=True)
class Parallel:
    """How many questions the learner asks at once from there on."""

    number: int


@dataclass(frozen=True, slots=True)
class Compared:
    """What is compared: digests of contents by label, and the judge's id."""

    contents: Mapping[str, str]
    judge: str | None


@dataclass(frozen=True, slots=True)
class Skip:
    """A question that was handed back."""

    question: str
    rater: str | None


Entry: TypeAlias = Ask | CountedAnswer | LeaveOut | Withdrawal | Parallel | Compared | Skip
"""What a record says."""


class Entries:
    """What records of a session about a question set may say."""

    def __init__(self, question_set: QuestionSet) -> None:
        items = question_set.items
        self._question_set = question_set
        self._duels = question_set.family in ("dueling", "matchings")
        self._items = None if items is None else frozenset(items.ids)
        self._most = 10**15
        if items is not None:
            self._most = len(items.ids) * (2 if items.orders == "both" else 1)
        self._rows: dict[str, RowKey] = {}

    def entry(self, record: Record) -> Entry:
        """What a record says; :class:`InputError` with what is wrong where it is not valid."""
        if "ask" in record:
            questions = record["ask"]
            if not isinstance(questions, list):
                raise _wrong("ask", questions, "a list of questions")
            asked = tuple(self._question("ask", each) for each in questions)
            return Ask(asked, _rater(record), *_lease(record))
        if "answer" in record:
            return self._answer(record)
        if "leave_out" in record:
            slot = self._question("leave_out", record["leave_out"])
            if self._items is None or slot != slot_of(slot):
                raise _wrong("leave_out", slot, "a cell of a test set")
            self._item(record)
            return LeaveOut(slot)
        if "withdraw" in record:
            return Withdrawal(self._question("withdraw", record["withdraw"]), *_lease(record))
        if "parallel" in record:
            number = record["parallel"]
            if type(number) is not int or not 1 <= number <= MOST_PARALLEL:
                raise _wrong("parallel", number, f"a whole number from 1 to {MOST_PARALLEL:,}")
            return Parallel(number)
        if "contents" in record:
            return self._compared(record["contents"], record.get("judge"))
        if "skip" in record:
            return Skip(self._question("skip", record["skip"]), _rater(record))
        raise InputError("it is of no known kind")

    def _compared(self, contents: Any, judge: Any) -> Compared:
        """What there is to compare, by labels of the session."""
        known = isinstance(contents, dict) and contents.keys() <= {*self._question_set.things}
        if not known or not all(isinstance(each, str) for each in contents.values()):
            raise _wrong("contents", contents, "a digest for each of some labels")
        if judge is not None and not isinstance(judge, str):
            raise _wrong("judge", judge, "a text")
        return Compared(contents, judge)

    def _answer(self, record: Record) -> CountedAnswer:
        """An answer, which fits what was asked."""
        name = self._question("answer", record["answer"])
        outcome, both = record.get("outcome"), record.get("outcomes")
        if not self._duels:
            low, high, expected = -math.inf, math.inf, "a finite number"
        else:
            low, high, expected = 0.0, 1.0, "a number from 0 to 1"
        for value in [outcome, *(both if isinstance(both, list) else [])]:
            coin = self._duels and self._items is None and value not in (0, 0.5, 1)
            if not _is_number(value, low, high) or coin:
                raise _wrong("outcome", value, "0, 0.5 or 1" if coin else expected)
        if both is not None and (not isinstance(both, list) or len(both) != 2):
            raise _wrong("outcomes", both, "two numbers")
        return CountedAnswer(
            name,
            float(record["outcome"]),
            self._shown(name, record.get("shown")),
            _rater(record),
            _time(record, "at"),
            self._item(record),
            None if both is None else (float(both[0]), float(both[1])),
        )

    def _shown(self, question: str, shown: object) -> tuple[int, int] | None:
        """The pair of a duel in the order in which it was shown."""
        row = self._rows[slot_of(question).partition(".")[0]]
        if isinstance(row, int) or not self._duels:
            if shown is not None:
                raise _wrong("shown", shown, "none, as no two are shown")
            return None
        for pair in ((row[0], row[1]), (row[1], row[0])):
            if shown == list(pair):
                return pair
        raise _wrong("shown", shown, f"{row[0]} and {row[1]} in the order in which they are shown")

    def _question(self, key: str, name: object) -> str:
        """The id of a question, of a slot or of its repeat."""
        row, _, number = slot_of(name).partition(".") if isinstance(name, str) else ("", "", "")
        whole = number.isascii() and number.isdigit() and number[0] != "0" and len(number) <= 15
        if not whole or int(number) > self._most or not self._is_row(row):
            raise _wrong(key, name, "the id of a question that the session asks")
        return str(name)

    def _is_row(self, row: str) -> bool:
        if row not in self._rows:
            try:
                first = Slot.of_id(f"{row}.1")
            except ValueError:
                return False
            if first.id != f"{row}.1" or not is_asked_about(first, self._question_set):
                return False
            self._rows[row] = first.row
        return True

    def _item(self, record: Record) -> str | None:
        """The item that a record names, in a session over items."""
        item = record.get("item")
        if self._items is None:
            known = item is None
        else:
            known = isinstance(item, str) and item in self._items
        if not known:
            raise _wrong("item", item, "an item of the session" if self._items else "none")
        return item


def _rater(record: Record) -> str | None:
    rater = record.get("rater")
    if rater is not None and not isinstance(rater, str):
        raise _wrong("rater", rater, "a name")
    return readable_name(rater)


def _lease(record: Record) -> tuple[float, float]:
    """Since when and until when a rater has a question."""
    until: Any = record.get("until")
    if not _is_number(until):
        raise _wrong("until", until, "a time in seconds since 1970")
    since = _time({"at": float(until) - _LEASE, **record}, "at")
    return since, min(float(until), since + MOST_LEASE)


def _time(record: Record, key: str) -> float:
    if not _is_number(record.get(key), -_LATEST, _LATEST):
        raise _wrong(key, record.get(key), "a time in seconds since 1970, before the year 2242")
    return float(record[key])


def _is_number(value: Any, low: float = -math.inf, high: float = math.inf) -> bool:
    """Whether a value is a finite number between two."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return low <= value <= high and abs(value) <= sys.float_info.max


def _wrong(key: str, value: object, expected: str) -> InputError:
    return InputError(f"{key} is {shown_value(value)}, expected {expected}")


class State:
    """All that a session knows, except how far its learner is."""

    def __init__(self, question_set: QuestionSet) -> None:
        self.entries = Entries(question_set)
        self.answers, self.leases = CountedAnswers(), Leases()
        # how many records were taken in; how often answers came or went; how many answers were
        # taken back, and questions skipped
        self.records = self.changes = self.withdrawn = self.skips = 0
        # how many questions the learner is to ask at once; None if no record says so
        self.parallel: int | None = None
        # cells of a test set that nobody answers, by slot; their value is NaN
        self.left_out: dict[str, None] = {}
        # answers that count, repeats included, and skips by rater
        self.answered: Counter[str | None] = Counter()
        self.skipped: Counter[str | None] = Counter()
        # digests of what there was to compare, by label, as far as it was given
        self.contents: dict[str, str] = {}
        self.judge: str | None = None  # the id of the judge, if one was given
        self._handed: set[str] = set()

    def read(self, records: list[Record]) -> None:
        """Take in the records of a log after its first; :class:`InputError` with the line."""
        for line, record in enumerate(records, 2):
            try:
                self.apply(self.entries.entry(record))
            except InputError as error:
                raise InputError(
                    f"line {line} is no record of a session that this version knows: {error}; "
                    f"found {shown_value(record)}"
                ) from None

    def apply(self, entry: Entry) -> None:
        """Take in what a record says."""
        self.records += 1
        if isinstance(entry, Ask):
            self.hand_out(entry.questions, entry.rater, entry.since, entry.until)
        elif isinstance(entry, CountedAnswer):
            if entry.id not in self.answers.by_id and entry.id not in self.left_out:
                self.changes += 1
                self.answers.add(entry)
                self.answered[entry.rater] += 1
                self.leases.done(entry.id)
        elif isinstance(entry, LeaveOut):
            if entry.slot not in self.answers.values:
                self.changes += 1
                self.left_out[entry.slot] = None
                self.answers.values[entry.slot] = math.nan
                self.leases.done(entry.slot)
        elif isinstance(entry, Parallel):
            self.changes += 1
            self.parallel = entry.number
        elif isinstance(entry, Compared):
            self.contents = {**entry.contents, **self.contents}
            self.judge = entry.judge if self.judge is None else self.judge
        elif isinstance(entry, Skip):
            self.skips += 1
            self.skipped[entry.rater] += 1
            self._handed.add(entry.question)
            self.leases.skip(entry.question, entry.rater)
        elif entry.question in self.left_out:
            self.changes += 1
            del self.left_out[entry.question]
            del self.answers.values[entry.question]
        elif entry.question in self.answers.by_id:
            self.changes += 1
            self.withdrawn += 1
            answer = self.answers.remove(entry.question)
            self.answered[answer.rater] -= 1
            if answer.rater is not None:
                self.hand_out([answer.id], answer.rater, entry.since, entry.until)

    def hand_out(
        self, questions: Collection[str], rater: str | None, since: float, until: float
    ) -> None:
        """Note who has questions."""
        self.leases.hand_out(questions, rater, since, until)
        self._handed.update(questions)

    def take_over(self, before: State) -> None:
        """Note what raters without a name have been handed, of which the log says nothing."""
        self._handed |= before._handed
        for question, lease in before.leases.by_question.items():
            done = question in self.answers.by_id or question in self.left_out
            if lease.rater is None and not done:
                self.leases.by_question.setdefault(question, lease)

    def open_slot(self, question: str, waiting: dict[str, Slot]) -> Slot:
        """The slot of a question that was handed out, is waited for or answered; or an error."""
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
        """Up to so many second answers to ask this rater for, the latest questions first."""
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
    """Who has a question, since when and until when, in seconds since 1970."""

    rater: str | None
    since: float
    until: float

    def holds(self, now: float) -> bool:
        """Whether the rater has it alone; not before it was given, by a clock that was ahead."""
        return self.since - _STEP <= now < self.until


class Leases:
    """Which questions were handed out, and which skipped."""

    def __init__(self) -> None:
        # also those that have run out, as long as nobody else has the question
        self.by_question: dict[str, Lease] = {}
        self.skips: dict[str, list[str | None]] = {}  # who has skipped a question

    def leased(self, question: str, now: float) -> bool:
        """Whether somebody has the question."""
        lease = self.by_question.get(question)
        return lease is not None and lease.holds(now)

    def held(self, rater: str | None, now: float) -> list[str]:
        """What a rater with a name has."""
        if rater is None:
            return []
        return [
            question
            for question, lease in self.by_question.items()
            if lease.rater == rater and lease.holds(now)
        ]

    def choose(
        self,
        waiting: Collection[str],
        count: int,
        rater: str | None,
        now: float,
        fits: Callable[[str], bool] | None = None,
    ) -> list[str]:
        """Up to so many questions that fit: the rater's, then free ones, skipped ones last."""
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

    def hand_out(
        self, questions: Iterable[str], rater: str | None, since: float, until: float
    ) -> None:
        """Note a lease."""
        for question in questions:
            self.by_question[question] = Lease(rater, since, until)

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
