"""The records of a log after its first: what they say, which answers count, who has what question.

A record's first key names its *kind*, and has the first field of its class here as its value; the
other keys are the other fields. What is there twice counts once: an answer to a question that has
one, or an answer that is taken back twice, changes nothing.

A question that was handed out is not handed to anybody else until its *lease* runs out. A lease
reserves no right to answer: the first answer counts, whoever gives it. A rater with a name who asks
again gets what was handed to that rater before; leases of raters without a name end with the
process. A question that was skipped goes to the end of the line, and for the rater who skipped it
to the very end.

A question may be asked of several raters. The first answer counts for the learner and in votes; the
others, *repeats*, count for agreement alone: two answers to the same question are not two
independent duels.
"""

from __future__ import annotations

import functools
import json
import math
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, get_type_hints

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write, check_output
from cpe_opt.sessions.header import MOST_PARALLEL
from cpe_opt.sessions.journal import Record
from cpe_opt.sessions.questions import KnownCells, QuestionSet, Slot, repeat_id, slot_of
from cpe_opt.validation import Constraint, Interval, constraint_of, shown_value

if TYPE_CHECKING:
    import pandas as pd

    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.problems.dueling.votes import Votes
    from cpe_opt.problems.subsets.team_scores import TeamScores

MOST_LEASE = 1e9
"""Seconds for which a question may be one rater's alone."""
SUFFIXES = (".csv", ".jsonl")
"""Of the files that :func:`write_answers` writes."""
_STEP = 10.0  # seconds by which a clock is set right now and then
_LATEST = 2.0**33  # up to which clocks are believed: the year 2242
_SECONDS = "a time in seconds since 1970"
Time: TypeAlias = Annotated[float, Interval(-_LATEST, _LATEST, words=_SECONDS)]
Finite: TypeAlias = Annotated[float, Interval(closed="neither")]


@dataclass(frozen=True, slots=True)
class Ask:
    """Questions that were handed to a rater, for a time in seconds since 1970."""

    kind: ClassVar[str] = "ask"
    questions: tuple[str, ...]
    rater: str | None
    at: Time
    until: Finite


@dataclass(frozen=True, slots=True)
class CountedAnswer:
    """One answer."""

    kind: ClassVar[str] = "answer"
    id: str  # of the question; that of a repeat ends with `~2`
    # of a duel: 1 where the one shown first won, 0 where the second did, ½ for a tie, and over
    # items any number between; else the number that was observed
    outcome: Finite
    # where both orders were asked at once: what the one shown first got in each, of which `outcome`
    # is the mean for the one that was shown first at first
    outcomes: tuple[Finite, Finite] | None
    shown: tuple[int, int] | None  # the pair in the order in which it was shown
    item: str | None  # the id of the item that the two were compared on
    rater: str | None
    at: Time

    @property
    def repeat(self) -> bool:
        """Whether the question had been answered before."""
        return self.id != slot_of(self.id)

    @property
    def slot(self) -> Slot:
        """What was asked for."""
        return Slot.of_id(slot_of(self.id))

    @property
    def value(self) -> float:
        """The outcome for the slot: of a duel, 1 where the smaller number won."""
        if self.shown is None or self.shown[0] < self.shown[1]:
            return self.outcome
        return 1.0 - self.outcome


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """A cell that nobody answers."""

    kind: ClassVar[str] = "leave_out"
    slot: str
    item: str | None
    at: Time


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An answer that is taken back; its question is the same rater's for a time."""

    kind: ClassVar[str] = "withdraw"
    question: str
    at: Time
    until: Finite


@dataclass(frozen=True, slots=True)
class Skip:
    """A question that was handed back."""

    kind: ClassVar[str] = "skip"
    question: str
    rater: str | None
    at: Time


@dataclass(frozen=True, slots=True)
class Parallel:
    """How many questions the learner asks at once from there on."""

    kind: ClassVar[str] = "parallel"
    number: Annotated[int, Interval(1, MOST_PARALLEL)]
    at: Time


@dataclass(frozen=True, slots=True)
class Compared:
    """What is compared: digests of contents by label, and the judge's id."""

    kind: ClassVar[str] = "contents"
    contents: Mapping[str, str]
    judge: str | None
    at: Time


Entry: TypeAlias = Ask | CountedAnswer | LeaveOut | Withdrawal | Skip | Parallel | Compared
"""What a record says."""
_KINDS: dict[str, type[Entry]] = {
    each.kind: each for each in (Ask, CountedAnswer, LeaveOut, Withdrawal, Skip, Parallel, Compared)
}
_WHERE_THERE_IS_ONE = ("outcomes", "shown", "item")


def as_record(entry: Entry) -> Record:
    """The record of an entry, which :func:`entry_of` reads."""
    record: Record = {}
    for key, (name, _) in _fields(entry.kind).items():
        value = getattr(entry, name)
        if value is not None or name not in _WHERE_THERE_IS_ONE:
            record[key] = [*value] if isinstance(value, tuple) else value
    return record


def entry_of(record: Record, question_set: QuestionSet) -> Entry:
    """What a record says; :class:`InputError` with what is wrong where it is not valid."""
    kind = next(iter(record), "")
    if kind not in _KINDS:
        raise InputError(f"its first key is {shown_value(kind)}, expected {', '.join(_KINDS)}")
    values: dict[str, Any] = {}
    for key, (name, constraint) in _fields(kind).items():
        constraint.check(key, record.get(key))
        values[name] = _kept(name, record.get(key))
    entry = _KINDS[kind](**values)
    asked = record[kind] if isinstance(record[kind], list) else [record[kind]]
    for key, value, expected in _misfits(entry, asked, question_set):
        raise InputError(f"{key} is {shown_value(value)}, expected {expected}")
    return entry


@functools.cache
def _fields(kind: str) -> dict[str, tuple[str, Constraint]]:
    """The fields of a kind and what they may be, by their keys in a record."""
    hints = get_type_hints(_KINDS[kind], include_extras=True)
    declared: dict[str, tuple[str, Constraint]] = {}
    for field in fields(_KINDS[kind]):
        constraint = constraint_of(hints[field.name])
        if constraint is not None:
            declared[field.name if declared else kind] = (field.name, constraint)
    return declared


def _kept(name: str, value: Any) -> Any:
    """A value of a record as its entry has it; what of a name cannot be shown as its number."""
    if name == "rater" and value is not None and not value.isprintable():
        return "".join(
            letter if letter.isprintable() else letter.encode("unicode_escape").decode()
            for letter in value
        )
    return tuple(value) if isinstance(value, list) else value


def _misfits(
    entry: Entry, asked: list[str], question_set: QuestionSet
) -> Iterator[tuple[str, Any, str]]:
    """The fields of an entry that are none of a session's, and what is expected there."""
    items, duels = question_set.items, question_set.family in ("dueling", "matchings")
    if isinstance(entry, Parallel):
        return
    if isinstance(entry, Compared):
        texts = all(isinstance(each, str) for each in entry.contents.values())
        if not texts or not entry.contents.keys() <= {*question_set.things}:
            yield entry.kind, entry.contents, "texts by label"
        return
    for question in asked:
        if not _is_question(question, question_set):
            yield entry.kind, question, "a question of this session"
    if isinstance(entry, LeaveOut) and (items is None or slot_of(entry.slot) != entry.slot):
        yield entry.kind, entry.slot, "a cell of this session"
    cells: Collection[str | None] = (None,) if items is None else items.places
    if isinstance(entry, LeaveOut | CountedAnswer) and entry.item not in cells:
        yield "item", entry.item, "an item of this session"
    if isinstance(entry, CountedAnswer):
        members = entry.slot.members
        if entry.shown not in ((members, members[::-1]) if duels else (None,)):
            yield "shown", entry.shown, f"{members} in either order" if duels else "none"
        for outcome in (entry.outcome, *(entry.outcomes or ())) if duels else ():
            if not 0.0 <= outcome <= 1.0 or (items is None and outcome not in (0.0, 0.5, 1.0)):
                yield "outcome", outcome, "that of a duel"


def _is_question(text: str, question_set: QuestionSet) -> bool:
    """Whether it is the id of a question, of a slot or of its repeat."""
    try:
        slot = Slot.of_id(slot_of(text))
    except ValueError:
        return False
    items = question_set.items
    most = 10**15 if items is None else len(items.ids) * (2 if items.orders == "both" else 1)
    return slot.id == slot_of(text) and 1 <= slot.number <= most and question_set.asks(slot)


class State:
    """All that a session knows, except how far its learner is."""

    def __init__(self, question_set: QuestionSet) -> None:
        self._question_set = question_set
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
                self.apply(entry_of(record, self._question_set))
            except InputError as error:
                raise InputError(f"line {line} is no record of a session: {error}") from None

    def apply(self, entry: Entry) -> None:
        """Take in what a record says."""
        self.records += 1
        if isinstance(entry, Ask):
            self.hand_out(entry.questions, entry.rater, entry.at, entry.until)
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
                self.hand_out([answer.id], answer.rater, entry.at, entry.until)

    def hand_out(
        self, questions: Collection[str], rater: str | None, since: float, until: float
    ) -> None:
        """Note who has questions."""
        until = min(until, since + MOST_LEASE)
        for question in questions:
            self.leases.by_question[question] = Lease(rater, since, until)
        self._handed.update(questions)

    def open_slot(self, question: str, waiting: dict[str, Slot]) -> Slot:
        """The slot of a question that was handed out, is waited for or answered; or an error."""
        first = slot_of(question)
        if question in self.answers.by_id:
            answer = self.answers.by_id[question]
            by = f" by {answer.rater}" if answer.rater else ""
            raise InputError(
                f"question {question!r} was answered already{by}: an answer counts once; it can be "
                "withdrawn, and given anew"
            )
        if first in self.left_out:
            raise InputError(
                f"question {question!r} was left out: that nobody answers it can be withdrawn"
            )
        again = question != first and first in self.answers.values
        if question in waiting or question in self._handed or again:
            return Slot.of_id(first)
        some = ", ".join(repr(each) for each in islice(waiting, 3))
        those = f"those that are: {some}{', …' * (len(waiting) > 3)}" if waiting else "none is open"
        raise InputError(f"{question!r} is no open question; {those}")

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
        held = [each for each in self.leases.held(rater, now) if slot_of(each) != each]
        free = (each for each in self._once_answered(rater, now) if each not in held)
        return [*held, *islice(free, max(0, count - len(held)))][:count]

    def _once_answered(self, rater: str | None, now: float) -> Iterator[str]:
        for answer in reversed(list(self.answers.by_id.values())):
            second = repeat_id(answer.id)
            once = not answer.repeat and second not in self.answers.by_id
            another = not rater or answer.rater != rater
            if once and another and not self.leases.leased(second, now):
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
        chosen = list(islice(filter(fits, held), count))
        free = (each for each in waiting if not self.leased(each, now))
        skipped: list[str] = []
        for question in filter(fits, free):
            if len(chosen) == count:
                return chosen
            (skipped if self.skips.get(question) else chosen).append(question)
        skipped.sort(key=lambda each: (rater in self.skips[each], len(self.skips[each])))
        return chosen + skipped[: count - len(chosen)]

    def skip(self, question: str, rater: str | None) -> None:
        """Put a question back, at the end of the line."""
        self.by_question.pop(question, None)
        self.skips.setdefault(question, []).append(rater)

    def done(self, question: str) -> None:
        """Forget an answered question."""
        self.by_question.pop(question, None)
        self.skips.pop(question, None)


class CountedAnswers:
    """All answers that count, by question."""

    def __init__(self) -> None:
        self.by_id: dict[str, CountedAnswer] = {}
        self.values: dict[str, float] = {}  # those of slots, for the learner

    def add(self, answer: CountedAnswer) -> None:
        """Count an answer."""
        self.by_id[answer.id] = answer
        if not answer.repeat:
            self.values[answer.id] = answer.value

    def remove(self, question: str) -> CountedAnswer:
        """Take an answer back; its question is open again."""
        answer = self.by_id.pop(question)
        if not answer.repeat:
            del self.values[question]
        return answer

    def frame(self, question_set: QuestionSet, told: Collection[str] | None = None) -> pd.DataFrame:
        """One row per answer, in the order in which they came.

        Columns ``id``, ``first`` and ``second`` (labels in the order shown; for pulls ``first``
        holds all labels), ``about`` (what a duel is for), ``outcome``, ``rater``, ``time`` (UTC),
        ``repeat``. Over items also ``item``, the id; and where both orders were asked at once
        ``as_shown`` and ``swapped``: what the one shown first got in each order. With the
        questions that count a column ``told``.
        """
        import pandas as pd

        columns = ["id", "first", "second", "about", "outcome", "rater", "time", "repeat"]
        if question_set.items is not None:
            columns += ["item", *(("as_shown", "swapped") if question_set.items.paired else ())]
        rows = []
        for answer in self.by_id.values():
            said = (answer.outcome, answer.rater or "", answer.at, answer.repeat)
            both = answer.outcomes or (None, None)
            row = (answer.id, *_labels(answer, question_set), *said, answer.item, *both)
            rows.append(row[: len(columns)])
        frame = pd.DataFrame(rows, columns=columns)
        if told is not None:
            frame["told"] = frame["id"].isin(set(told))
        frame["time"] = pd.to_datetime(frame["time"].astype(float), unit="s", utc=True)
        return frame.astype({"outcome": float, "repeat": bool})

    def votes(
        self, question_set: QuestionSet, prior: Votes | None, name: str, told: Iterable[str]
    ) -> Votes:
        """The answers that count and earlier votes, ties as half a win for each."""
        from cpe_opt.problems.dueling.votes import Votes

        _check_family(question_set, "dueling", "votes are of duels of arms")
        if question_set.items is not None:
            raise InputError(
                "this session asks the cells of a test set, which are no independent votes: see "
                "Session.item_duels (`session export --items` on the command line)"
            )
        size = len(question_set.labels)
        wins: FloatArray = np.zeros((size, size)) if prior is None else prior.wins.copy()
        tied: FloatArray = np.zeros((size, size)) if prior is None else prior.tied.copy()
        for question in told:
            answer = self.by_id[question]
            i, j = answer.slot.members
            wins[i, j] += answer.value
            wins[j, i] += 1.0 - answer.value
            if answer.outcome == 0.5:
                tied[i, j] += 1.0
                tied[j, i] += 1.0
        return Votes(
            wins,
            question_set.labels,
            name=name,
            tied=tied,
            notes=None if prior is None else prior.counts.notes,
            independent=prior is None or prior.independent,
        )

    def item_duels(
        self, question_set: QuestionSet, prior: KnownCells | None, name: str
    ) -> ItemDuels:
        """First answers by cell, after those from before."""
        from cpe_opt.problems.dueling.items import ItemDuels

        items = question_set.items
        if items is None:
            raise InputError("this session asks about no items: see Session.votes")
        size, both = len(question_set.labels), items.orders == "both"
        outcomes = np.full((size, size, len(items.ids), 2 if both else 1), np.nan)
        for (i, j), cells in (prior or {}).items():
            for (item, second), outcome in cells.items():
                outcomes[i, j, item, int(both and bool(second))] = outcome
        for answer in self.by_id.values():
            if not answer.repeat and answer.shown is not None and answer.item is not None:
                i, j = sorted(answer.shown)
                order = int(both and answer.shown[0] > answer.shown[1])
                outcomes[i, j, items.places[answer.item], order] = answer.value
        if np.isnan(outcomes).all():
            raise InputError("no cell was answered yet")
        return ItemDuels(outcomes, question_set.labels, items.ids, name=name)

    def scores(
        self, question_set: QuestionSet, prior: TeamScores | None, name: str, told: Iterable[str]
    ) -> TeamScores:
        """The pulls of sets that count, in the order of asking, after earlier scores."""
        from cpe_opt.problems.subsets.team_scores import TeamScores

        _check_family(question_set, "subsets", "scores are those of sets")
        given = [self.by_id[question] for question in told]
        if not given and prior is None:
            raise InputError("no set was answered in its turn yet, so that there are no scores")
        teams = [] if prior is None else [[prior.members[e] for e in t] for t in prior.teams]
        teams += [[question_set.labels[each] for each in answer.slot.members] for answer in given]
        scores = [] if prior is None else prior.scores.tolist()
        counts = [] if prior is None else prior.counts.tolist()
        return TeamScores(
            teams,
            [*scores, *(answer.outcome for answer in given)],
            [*counts, *(1.0 for _ in given)],
            name=name,
            clusters=() if prior is None else prior.clusters,
        )

    def position_bias(self) -> PositionBias:
        """How often the arm that was shown first wins, of all answers, and swaps disagree."""
        shown: list[float] = []  # what the one shown first got, each time that two were shown
        swaps: list[tuple[float, float]] = []
        once: dict[tuple[str, str], float] = {}  # by pair and item, of one order
        for answer in self.by_id.values():
            if answer.shown is not None:
                shown += answer.outcomes or (answer.outcome,)
            if answer.outcomes is not None:
                swaps.append((answer.outcomes[0], 1.0 - answer.outcomes[1]))
            elif answer.item is not None and not answer.repeat:
                cell = answer.id.partition(".")[0], answer.item
                if cell in once:
                    swaps.append((once[cell], answer.value))
                once[cell] = answer.value
        decided = [outcome for outcome in shown if outcome != 0.5]
        disagree = sum(one != other for one, other in swaps)
        return PositionBias(sum(y > 0.5 for y in decided), len(decided), len(swaps), disagree)

    def raters(self) -> list[RaterCounts]:
        """What each rater did, by name."""
        by_rater: dict[str, list[CountedAnswer]] = {}
        for answer in self.by_id.values():
            by_rater.setdefault(answer.rater or "", []).append(answer)
        return [self._counts(rater, answers) for rater, answers in sorted(by_rater.items())]

    def _counts(self, rater: str, answers: list[CountedAnswer]) -> RaterCounts:
        outcomes = [answer.outcome for answer in answers if answer.shown is not None]
        ties = outcomes.count(0.5)
        firsts = sum(outcome > 0.5 for outcome in outcomes)
        values = [(each.value, other.value) for each in answers for other in self._others(each)]
        same = sum(one == other for one, other in values)
        return RaterCounts(
            rater,
            answers=len(answers),
            ties=ties,
            first=_share(firsts, len(outcomes) - ties),
            compared=len(values),
            agree=_share(same, len(values)),
        )

    def _others(self, answer: CountedAnswer) -> list[CountedAnswer]:
        """What another rater said to the same question."""
        slot = slot_of(answer.id)
        other = self.by_id.get(slot if answer.repeat else repeat_id(slot))
        return [] if other is None or other.rater == answer.rater else [other]


@dataclass(frozen=True)
class RaterCounts:
    """How much a rater answered, and how it agrees with what others said."""

    rater: str  # empty for answers without a name
    answers: int
    ties: int
    # the share of answers, ties left out, for the one that was shown first: about ½ where position
    # has no effect; NaN if there are none
    first: float
    compared: int  # answers to questions that somebody else answered, too
    agree: float  # the share of these that are the same; NaN if there are none


@dataclass(frozen=True)
class PositionBias:
    """Whether it matters which arm is shown first."""

    firsts: int  # showings that the arm shown first won
    decided: int  # all showings but ties
    compared: int  # cells that were asked in both orders, the two counted as one
    disagree: int  # those of them whose answer is not the same in both

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval for it, of 95 %."""
        if not self.decided:
            return 0.0, 1.0
        from scipy.stats import binomtest

        interval = binomtest(self.firsts, self.decided).proportion_ci(method="wilson")
        return float(interval.low), float(interval.high)

    @property
    def warning(self) -> str:
        """What is said where the interval excludes a half; else empty."""
        low, high = self.interval
        return "" if low <= 0.5 <= high else f"the order matters: {self._firsts()}"

    @property
    def line(self) -> str:
        """Both in a line; empty if there is nothing to say."""
        swaps = f"swaps disagree in {self.disagree:,} of {self.compared:,} asked in both orders"
        parts = [self._firsts() if self.decided else "", swaps if self.compared else ""]
        return "; ".join(filter(None, parts))

    def _firsts(self) -> str:
        numbers = (self.firsts / self.decided, *self.interval)
        share, low, high = (f"{100.0 * each:.0f}" for each in numbers)
        return f"shown first wins {share} % of {self.decided:,} (95 % interval {low} to {high} %)"


def write_answers(answers: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write what :meth:`cpe_opt.Session.answers` gave: one row or line of JSON per answer."""
    check_output(path, SUFFIXES, force=True)
    rows = answers.assign(time=answers["time"].map(lambda time: time.isoformat(timespec="seconds")))
    with atomic_write(path) as temporary:
        if Path(path).suffix.lower() == ".csv":
            rows.to_csv(temporary, index=False, lineterminator="\n")
            return
        lines = (json.dumps(row, ensure_ascii=False) for row in rows.to_dict("records"))
        temporary.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _check_family(question_set: QuestionSet, family: str, why: str) -> None:
    if question_set.family != family:
        raise InputError(f"this session asks about {question_set.family}: {why}")


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _labels(answer: CountedAnswer, question_set: QuestionSet) -> tuple[str, str, str]:
    if answer.shown is not None:
        (first, second), about = question_set.duel(*answer.shown)
        return first, second, about
    return " + ".join(question_set.labels[each] for each in answer.slot.members), "", ""
