"""The records of a log after its first: what they say, which answers count, who has what question.

A record's first key names its *kind*, and has the first field of its class here as its value; the
other keys are the other fields. What is there twice counts once: an answer to a question that has
one, or an answer that is taken back twice, changes nothing.

A question that was handed out is not handed to anybody else until its *lease* runs out. Leases of
raters without a name end with the process. Second answers, *repeats*, count for agreement alone:
two answers to the same question are not two independent duels.
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

import numpy as np

from cpe_opt.errors import InputError, errors_of
from cpe_opt.files import atomic_write, check_output
from cpe_opt.formats.text import stem_of
from cpe_opt.sessions.header import MOST_PARALLEL
from cpe_opt.sessions.journal import ProcessLock, Record
from cpe_opt.sessions.questions import REPEAT, QuestionSet, Slot, slot_of
from cpe_opt.validation import Finite, Interval, NonNegativeInt, checked_types, shown_value

if TYPE_CHECKING:
    import pandas as pd

    from cpe_opt.problems.answer_rows import AnswerRows
    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.problems.subsets.item_scores import ItemScores
    from cpe_opt.sessions.header import PriorData

MOST_LEASE = 1e9
"""Seconds for which a question may be one rater's alone."""
SUFFIXES = (".csv", ".jsonl")
"""Of the files that :func:`write_answers` writes."""
_STEP = 10.0  # seconds by which a clock is set right now and then
_LATEST = 2.0**33  # up to which clocks are believed: the year 2242
_SECONDS = "a time in seconds since 1970"
Time: TypeAlias = Annotated[float, Interval(-_LATEST, _LATEST, words=_SECONDS)]


@checked_types
@dataclass(frozen=True, slots=True)
class Ask:
    """Questions that were handed to a rater, for a time in seconds since 1970: their lease."""

    kind: ClassVar[str] = "ask"
    questions: tuple[str, ...]
    rater: str | None
    at: Time
    until: Finite

    def holds(self, now: float) -> bool:
        """Whether the rater has them alone; not before they were given, by a clock that was ahead.

        No lease is longer than :data:`MOST_LEASE`.
        """
        return self.at - _STEP <= now < min(self.until, self.at + MOST_LEASE)


@checked_types
@dataclass(frozen=True, slots=True)
class CountedAnswer:
    """One answer."""

    kind: ClassVar[str] = "answer"
    id: str  # of the question; that of a repeat ends with `~2`
    # of a duel: 1 where the one shown first won, 0 where the second did, ½ for a tie, and over
    # items any number between; else the number that was observed
    outcome: Finite
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


@checked_types
@dataclass(frozen=True, slots=True)
class LeaveOut:
    """A cell that nobody answers."""

    kind: ClassVar[str] = "leave_out"
    slot: str
    item: str | None
    at: Time


@checked_types
@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An answer that is taken back; its question is the same rater's for a time."""

    kind: ClassVar[str] = "withdraw"
    question: str
    at: Time
    until: Finite


@checked_types
@dataclass(frozen=True, slots=True)
class Skip:
    """A question that was handed back."""

    kind: ClassVar[str] = "skip"
    question: str
    rater: str | None
    at: Time


@checked_types
@dataclass(frozen=True, slots=True)
class Parallel:
    """How many questions the learner asks at once after so many answers; None: from its start."""

    kind: ClassVar[str] = "parallel"
    number: Annotated[int, Interval(1, MOST_PARALLEL)]
    told: NonNegativeInt | None
    at: Time


@checked_types
@dataclass(frozen=True, slots=True)
class Rounds:
    """In about how many rounds the learner asks, of all that it asks."""

    kind: ClassVar[str] = "rounds"
    number: Annotated[int, Interval(1, MOST_PARALLEL)]
    at: Time


@checked_types
@dataclass(frozen=True, slots=True)
class Compared:
    """What is compared: digests of contents by label, and the judge's id."""

    kind: ClassVar[str] = "contents"
    contents: Mapping[str, str]
    judge: str | None
    at: Time


Entry: TypeAlias = Ask | CountedAnswer | LeaveOut | Withdrawal | Skip | Parallel | Rounds | Compared
"""What a record says."""
_KINDS: dict[str, type[Entry]] = {
    each.kind: each
    for each in (Ask, CountedAnswer, LeaveOut, Withdrawal, Skip, Parallel, Rounds, Compared)
}
# the fields of each kind, by their keys in a record
_NAMES = {
    name: {
        name if place == 0 else field.name: field.name for place, field in enumerate(fields(kind))
    }
    for name, kind in _KINDS.items()
}
_WHERE_THERE_IS_ONE = ("shown", "item")


def as_record(entry: Entry) -> Record:
    """The record of an entry, which :func:`entry_of` reads."""
    record: Record = {}
    for key, name in _NAMES[entry.kind].items():
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
    for key, name in _NAMES[kind].items():
        value = record.get(key)
        values[name] = tuple(value) if isinstance(value, list) else value
    if isinstance(values.get("rater"), str):
        values["rater"] = _shown_name(values["rater"])
    entry = _KINDS[kind](**values)
    check_fits(entry, question_set)
    return entry


def check_fits(entry: Entry, question_set: QuestionSet) -> None:
    """Raise :class:`InputError` for an entry that is not about the questions of a session."""
    if not _fits(entry, question_set):
        shown = shown_value(as_record(entry))
        raise InputError(f"{shown} is not about the questions of this session")


def _shown_name(rater: str) -> str:
    """A rater's name; what of it cannot be shown as its number."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in rater
    )


def _fits(entry: Entry, question_set: QuestionSet) -> bool:
    """Whether it is about questions, items and labels of a session, an outcome one of theirs."""
    if isinstance(entry, Parallel | Rounds):
        return True
    if isinstance(entry, Compared):
        texts = all(isinstance(each, str) for each in entry.contents.values())
        return texts and entry.contents.keys() <= {*question_set.things}
    if isinstance(entry, Ask):
        return all(map(question_set.asks, entry.questions))
    if isinstance(entry, Skip | Withdrawal):
        return question_set.asks(entry.question)
    items = question_set.items
    of_item = entry.item is None if items is None else entry.item in items.places
    if isinstance(entry, LeaveOut):
        cell = items is not None and slot_of(entry.slot) == entry.slot
        return cell and of_item and question_set.asks(entry.slot)
    if not question_set.asks(entry.id) or not question_set.asks_duels:
        scored = items is None or 0.0 <= entry.outcome <= 1.0
        return question_set.asks(entry.id) and of_item and entry.shown is None and scored
    members, between = entry.slot.members, items or question_set.shares
    one_of_duel = 0.0 <= entry.outcome <= 1.0 if between else entry.outcome in (0, 0.5, 1)
    return of_item and entry.shown in (members, members[::-1]) and one_of_duel


class State:
    """All that a session knows, except how far its learner is."""

    def __init__(self, question_set: QuestionSet) -> None:
        self._question_set = question_set
        self.answers: dict[str, CountedAnswer] = {}  # that count, by question
        self.values: dict[str, float] = {}  # those of slots, for the learner
        # cells of a test set that nobody answers, by slot; their value is NaN
        self.left_out: dict[str, None] = {}
        # by question, also those that have run out, as long as nobody else has the question
        self.leases: dict[str, Ask] = {}
        self.skips: dict[str, list[str | None]] = {}  # who has skipped a question
        # how many records were taken in; how often answers came or went, and were taken back
        self.records = self.changes = self.withdrawn = 0
        # answers that count, repeats included, and skips by rater
        self.answered: Counter[str | None] = Counter()
        self.skipped: Counter[str | None] = Counter()
        # how many questions the learner is to ask at once, by how many answers it was told before;
        # under -1 from its beginning on
        self._parallel: dict[int, int] = {}
        self.begun = False  # whether anything was ever answered, or left out
        self.rounds: int | None = None  # in how many rounds it is to ask; None likewise
        # digests of what there was to compare, by label, and the judge's id, as far as given
        self.contents: dict[str, str] = {}
        self.judge: str | None = None
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
            self.hand_out(entry)
        elif isinstance(entry, CountedAnswer):
            if entry.id not in self.answers and entry.id not in self.left_out:
                self.answers[entry.id] = entry
                self.answered[entry.rater] += 1
                if not entry.repeat:
                    self.values[entry.id] = entry.value
                self._settled(entry.id)
        elif isinstance(entry, LeaveOut):
            if entry.slot not in self.values:
                self.left_out[entry.slot] = None
                self.values[entry.slot] = math.nan
                self._settled(entry.slot)
        elif isinstance(entry, Parallel):
            if entry.told is None and self.begun:  # it would change what was asked
                raise InputError("told is null after the first answer, expected a number")
            self.changes += 1
            self._parallel[-1 if entry.told is None else entry.told] = entry.number
        elif isinstance(entry, Rounds):
            self.changes += 1
            self.rounds = entry.number
        elif isinstance(entry, Compared):
            self.contents = {**entry.contents, **self.contents}
            self.judge = entry.judge if self.judge is None else self.judge
        elif isinstance(entry, Skip):
            self.skipped[entry.rater] += 1
            self._handed.add(entry.question)
            self.leases.pop(entry.question, None)
            self.skips.setdefault(entry.question, []).append(entry.rater)
        else:
            self._withdraw(entry)

    def parallel(self, told: int) -> int | None:
        """How many questions the learner is to ask at once after so many answers."""
        said = (number for since, number in self._parallel.items() if since <= told)
        return max(said, default=None)

    def _settled(self, question: str) -> None:
        """Nobody is to answer a question any more."""
        self.changes += 1
        self.begun = True
        self.leases.pop(question, None)
        self.skips.pop(question, None)

    def _withdraw(self, entry: Withdrawal) -> None:
        question = entry.question
        if question in self.left_out:
            self.changes += 1
            del self.left_out[question], self.values[question]
        elif question in self.answers:
            self.changes += 1
            self.withdrawn += 1
            answer = self.answers.pop(question)
            if not answer.repeat:
                del self.values[question]
            self.answered[answer.rater] -= 1
            if answer.rater is not None:
                self.hand_out(Ask((question,), answer.rater, entry.at, entry.until))

    def hand_out(self, lease: Ask) -> None:
        """Note who has questions."""
        self.leases.update(dict.fromkeys(lease.questions, lease))
        self._handed.update(lease.questions)

    def check_open(self, question: str, waiting: Mapping[str, object]) -> None:
        """Raise :class:`InputError` unless a question was handed out, or is waited for."""
        first = slot_of(question)
        if question in self.answers:
            answer = self.answers[question]
            by = f" by {answer.rater}" if answer.rater else ""
            raise InputError(
                f"question {question!r} was answered already{by}: an answer counts once; it can be "
                "withdrawn, and given anew"
            )
        if first in self.left_out:
            raise InputError(
                f"question {question!r} was left out: that nobody answers it can be withdrawn"
            )
        again = question != first and first in self.values
        if question in waiting or question in self._handed or again:
            return
        some = ", ".join(map(repr, islice(waiting, 3))) or "none"
        raise InputError(f"{question!r} is no open question; those that are: {some}")

    def skipped_by_all(self, question: str) -> bool:
        """Whether every rater of the session has skipped it, and these are at least three."""
        raters = {*self.answered, *self.skipped} - {None}
        skipped = {*self.skips.get(question, ())} - {None}
        return len(skipped) >= 3 and raters <= skipped

    def holder(self, question: str) -> str | None:
        """Who has a question."""
        lease = self.leases.get(question)
        return None if lease is None else lease.rater

    def leased(self, question: str, now: float) -> bool:
        """Whether somebody has the question alone."""
        lease = self.leases.get(question)
        return lease is not None and lease.holds(now)

    def held(self, rater: str | None, now: float) -> list[str]:
        """What a rater with a name has."""
        leases = self.leases.items() if rater is not None else ()
        return [each for each, lease in leases if lease.rater == rater and lease.holds(now)]

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
        for question in filter(fits, free) if len(chosen) < count else ():
            (skipped if self.skips.get(question) else chosen).append(question)
            if len(chosen) == count:
                return chosen
        skipped.sort(key=lambda each: (rater in self.skips[each], len(self.skips[each])))
        return chosen + skipped[: count - len(chosen)]

    def repeats(self, count: int, rater: str | None, now: float) -> list[str]:
        """Up to so many second answers to ask this rater for, the latest questions first."""
        held = [each for each in self.held(rater, now) if slot_of(each) != each]
        others = (
            f"{answer.id}{REPEAT}"
            for answer in reversed(self.answers.values())
            if not answer.repeat and (not rater or answer.rater != rater)
        )
        free = (
            each
            for each in others
            if each not in self.answers and each not in held and not self.leased(each, now)
        )
        return list(islice((*held, *islice(free, count)), count))


class SessionAnswers:
    """The answers of a session; made by :meth:`cpe_opt.Session.read_answers`.

    They are those of the log alone: no learner is needed, so that another version of this package
    may have begun the session. Which of them the learner was told is not known then, and nothing
    is proved by them: ``votes`` and ``scores`` are of :class:`SessionView`.

    Attributes
    ----------
    path : Path
    question_set : QuestionSet
        What is asked about; ``known`` is None where the log does not hold it.
    """

    def __init__(
        self,
        question_set: QuestionSet,
        prior: PriorData | None,
        records: list[Record],
        path: Path,
    ) -> None:
        self.path, self.question_set, self._prior = path, question_set, prior
        self._lock_of_process = ProcessLock(None)
        self._state = State(question_set)
        with errors_of(path.name):
            self._state.read(records)

    @property
    def _lock(self) -> AbstractContextManager[Any]:
        return self._lock_of_process.get()

    def answers(self) -> pd.DataFrame:
        """One row per answer, in the order in which they came.

        Columns ``id``, ``first`` and ``second`` (labels in the order shown; for pulls ``first``
        holds all labels), ``about`` (what a duel is for), ``outcome``, ``rater``, ``time`` (UTC),
        ``repeat``. Over items also ``item``, the id.
        """
        import pandas as pd

        columns = ["id", "first", "second", "about", "outcome", "rater", "time", "repeat"]
        columns += ["item"] if self.question_set.items is not None else []
        rows = []
        with self._lock:
            for answer in self._state.answers.values():
                said = (answer.outcome, answer.rater or "", answer.at, answer.repeat)
                row = (answer.id, *self._labels(answer), *said, answer.item)
                rows.append(row[: len(columns)])
        frame = pd.DataFrame(rows, columns=columns)
        frame["time"] = pd.to_datetime(frame["time"].astype(float), unit="s", utc=True)
        return frame.astype({"outcome": float, "repeat": bool})

    def _labels(self, answer: CountedAnswer) -> tuple[str, str, str]:
        if answer.shown is not None:
            (first, second), about = self.question_set.duel(*answer.shown)
            return first, second, about
        members = [self.question_set.labels[each] for each in answer.slot.members]
        return " + ".join(members), "", ""

    def item_duels(self) -> ItemDuels:
        """Answers over the items of a test set, and those from before, as :class:`ItemDuels`.

        Its table has the means of the cells that were answered.
        """
        from cpe_opt.problems.dueling.items import ItemDuels

        items, labels = self.question_set.items, self.question_set.labels
        if items is None:
            raise InputError("this session asks about no items: see Session.votes")
        if self.question_set.is_scores:
            raise InputError("outputs are scored in this session: see Session.item_scores")
        both = items.orders == "both"
        outcomes = np.full((len(labels), len(labels), len(items.ids), 1 + both), np.nan)
        with self._lock:
            for (i, j), cells in {} if self._prior is None else self._prior.cells.items():
                for (item, second), outcome in cells.items():
                    outcomes[i, j, item, int(both and bool(second))] = outcome
            for answer in self._state.answers.values():
                if not answer.repeat and answer.shown is not None and answer.item is not None:
                    i, j = sorted(answer.shown)
                    order = int(both and answer.shown[0] > answer.shown[1])
                    outcomes[i, j, items.places[answer.item], order] = answer.value
        if np.isnan(outcomes).all():
            raise InputError("no cell was answered yet")
        return ItemDuels(outcomes, labels, items.ids, name=stem_of(self.path))

    def item_scores(self) -> ItemScores:
        """The scores of outputs on the items of a test set, as :class:`ItemScores`."""
        from cpe_opt.problems.subsets.item_scores import ItemScores

        items, labels = self.question_set.items, self.question_set.labels
        if items is None or not self.question_set.is_scores:
            raise InputError("this session asks for no scores on items: see Session.item_duels")
        scores = np.full((len(labels), len(items.ids)), np.nan)
        with self._lock:
            for answer in self._state.answers.values():
                if not answer.repeat and answer.item is not None:
                    scores[answer.slot.members[0], items.places[answer.item]] = answer.outcome
        if np.isnan(scores).all():
            raise InputError("no output was scored yet")
        top = self.question_set.known.k
        return ItemScores(scores, labels, items.ids, top=top, name=stem_of(self.path))

    def cells_answered(self) -> ItemDuels | ItemScores | None:
        """The cells of a test set that were answered; None if there are none."""
        try:
            scored = self.question_set.is_scores
            return self.item_scores() if scored else self.item_duels()
        except InputError:
            return None

    def answer_rows(self) -> AnswerRows:
        """Answers row by row, for :func:`cpe_opt.check_answers`; repeats are left out."""
        from cpe_opt.problems.answer_rows import AnswerRows

        frame = self.answers()
        frame = frame[~frame["repeat"]]
        duels = bool((frame["second"] != "").any())
        arms = [frame["first"].tolist(), *([frame["second"].tolist()] if duels else [])]
        if duels and frame["about"].nunique() > 1:
            arms = [
                (frame["about"] + ": " + frame[which]).tolist() for which in ("first", "second")
            ]
        names = [name for name in ("rater", "item") if name in frame]
        return AnswerRows.of(
            arms,
            name=stem_of(self.path),
            what="a session",
            value=frame["outcome"].to_numpy(dtype=np.float64),
            count=np.ones(len(frame)),
            named_first=True,
            columns={name: frame[name].astype(str).tolist() for name in names},
            times=frame["time"].map(lambda time: time.timestamp()).to_numpy(dtype=np.float64),
            item="item" if "item" in names else "",
            over_items="item" in names,
            adaptive=True,
        )

    def position_bias(self) -> PositionBias:
        """How often the arm that was shown first wins, of all answers, and swaps disagree."""
        shown: list[float] = []  # what the one shown first got, each time that two were shown
        swaps: list[tuple[float, float]] = []
        once: dict[tuple[str, str], float] = {}  # by pair and item, of one order
        with self._lock:
            for answer in self._state.answers.values():
                if answer.shown is not None and not self.question_set.shares:
                    shown.append(answer.outcome)
                if answer.item is not None and not answer.repeat:
                    cell = answer.id.partition(".")[0], answer.item
                    if cell in once:
                        swaps.append((once[cell], answer.value))
                    once[cell] = answer.value
        decided = [outcome for outcome in shown if outcome != 0.5]
        disagree = sum(one != other for one, other in swaps)
        return PositionBias(sum(y > 0.5 for y in decided), len(decided), len(swaps), disagree)

    @property
    def prior_warnings(self) -> tuple[str, ...]:
        """By which columns of earlier logs what was observed before may depend on each other."""
        return () if self._prior is None else self._prior.warnings

    def raters(self) -> pd.DataFrame:
        """One row per rater: how much, and how it agrees with what others said.

        Columns ``rater`` (empty for answers without a name), ``answers`` and ``ties``; ``first``,
        the share of answers, ties left out, for the one that was shown first: about ½ where
        position has no effect; ``compared``, answers to questions that somebody else answered, too,
        and ``agree``, the share of these that are the same. A share of nothing is NaN.
        """
        import pandas as pd

        with self._lock:
            known = dict(self._state.answers)
        rows: list[tuple[str, bool, float, float]] = []
        for answer in known.values():
            other = known.get(slot_of(answer.id) if answer.repeat else f"{answer.id}{REPEAT}")
            first = agree = math.nan
            tie = answer.shown is not None and answer.outcome == 0.5
            if answer.shown is not None and not tie:
                first = float(answer.outcome > 0.5)
            if other is not None and other.rater != answer.rater:
                agree = float(answer.value == other.value)
            rows.append((answer.rater or "", tie, first, agree))
        frame = pd.DataFrame(rows, columns=["rater", "ties", "first", "agree"])
        by_rater = frame.astype({"ties": int, "first": float, "agree": float}).groupby("rater")
        return by_rater.agg(
            answers=("ties", "size"),
            ties=("ties", "sum"),
            first=("first", "mean"),
            compared=("agree", "count"),
            agree=("agree", "mean"),
        ).reset_index()


@dataclass(frozen=True)
class PositionBias:
    """Whether it matters which arm is shown first."""

    firsts: int  # showings that the arm shown first won
    decided: int  # all showings but ties
    compared: int  # pairs on an item that were asked in both orders
    disagree: int  # those of them whose answer is not the same in both

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval for it, of 95 %."""
        n, won, z = self.decided, self.firsts, NormalDist().inv_cdf(0.975)
        if not n:
            return 0.0, 1.0
        half = z * math.sqrt(won * (n - won) / n + z * z / 4.0)
        low, high = ((won + z * z / 2.0 + side) / (n + z * z) for side in (-half, half))
        return max(0.0, low), min(1.0, high)

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
