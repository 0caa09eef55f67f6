"""The answers of a session, and what raters have in common.

A question may be asked of several raters, to see whether they agree. The first answer counts for
the learner and in votes; the others, *repeats*, count for agreement alone: two raters' answers to
the same question are not two independent duels.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.sessions.course import Slot
from cpe_opt.sessions.subject import Subject

if TYPE_CHECKING:
    import pandas as pd

_REPEAT = "~"


@dataclass(frozen=True)
class Answer:
    """One answer.

    Attributes
    ----------
    id : str
        Of the question; that of a repeat ends with ``~2``, ``~3``, …
    slot : Slot
    outcome : float
        Of a duel: 1 where the one shown first won, 0 where the second did, ½ for a tie; else the
        number that was observed.
    shown : (int, int) or None
        The pair in the order in which it was shown.
    rater : str or None
    time : float
        Seconds since 1970.
    """

    id: str
    slot: Slot
    outcome: float
    shown: tuple[int, int] | None
    rater: str | None
    time: float

    @property
    def repeat(self) -> bool:
        """Whether the question had been answered before."""
        return _REPEAT in self.id

    @property
    def value(self) -> float:
        """The outcome for the slot: of a duel, 1 where the smaller number won."""
        if self.shown is None or self.shown == self.slot.row:
            return self.outcome
        return 1.0 - self.outcome


def repeat_id(slot: str, times: int) -> str:
    """The id under which a slot is asked for the ``times``-th time."""
    return f"{slot}{_REPEAT}{times}" if times > 1 else slot


def slot_of(question: str) -> str:
    """The id of the slot that a question is about."""
    return question.partition(_REPEAT)[0]


class Answers:
    """All answers that count, by question.

    Attributes
    ----------
    by_id : dict of str to Answer
    values : dict of str to float
        Those of slots, for the learner.
    times : dict of str to int
        How many answers a slot has.
    """

    def __init__(self) -> None:
        self.by_id: dict[str, Answer] = {}
        self.values: dict[str, float] = {}
        self.times: dict[str, int] = {}

    def add(self, answer: Answer) -> None:
        """Count an answer."""
        slot = slot_of(answer.id)
        self.by_id[answer.id] = answer
        self.times[slot] = self.times.get(slot, 0) + 1
        if not answer.repeat:
            self.values[slot] = answer.value

    def remove(self, question: str) -> Answer:
        """Take an answer back; its question is open again."""
        answer = self.by_id.pop(question)
        slot = slot_of(question)
        self.times[slot] -= 1
        if not answer.repeat:
            del self.values[slot]
        return answer

    def of_slot(self, slot: str) -> list[Answer]:
        """The first answer and its repeats."""
        ids = (repeat_id(slot, times) for times in range(1, self.times.get(slot, 0) + 2))
        return [self.by_id[each] for each in ids if each in self.by_id]

    def frame(self, subject: Subject) -> pd.DataFrame:
        """A row an answer, in the order in which they came.

        Columns ``id``, ``first`` and ``second`` (labels in the order shown; for pulls ``first``
        holds all labels), ``about`` (what a duel is for), ``outcome``, ``rater``, ``time`` (UTC),
        ``repeat``.
        """
        import pandas as pd

        rows = []
        for answer in self.by_id.values():
            first, second, about = _labels(answer, subject)
            rows.append(
                (
                    *(answer.id, first, second, about, answer.outcome),
                    *(answer.rater or "", answer.time, answer.repeat),
                )
            )
        columns = ["id", "first", "second", "about", "outcome", "rater", "time", "repeat"]
        frame = pd.DataFrame(rows, columns=columns)
        frame["time"] = pd.to_datetime(frame["time"].astype(float), unit="s", utc=True)
        return frame.astype({"outcome": float, "repeat": bool})

    def votes(self, subject: Subject, before: Votes | None, name: str) -> Votes:
        """First answers of duels and the votes from before, ties as half a win for each.

        Raises
        ------
        InputError
            Where the session asks for something else than duels of arms.
        """
        if subject.family != "dueling":
            raise InputError(
                f"this session asks about {subject.family}: votes are of duels of arms"
            )
        size = len(subject.labels)
        wins: FloatArray = np.zeros((size, size)) if before is None else before.wins.copy()
        tied: FloatArray = np.zeros((size, size)) if before is None else before.tied.copy()
        for answer in self.by_id.values():
            if not answer.repeat and answer.slot.duel:
                i, j = answer.slot.row  # type: ignore[misc]
                wins[i, j] += answer.value
                wins[j, i] += 1.0 - answer.value
                if answer.outcome == 0.5:
                    tied[i, j] += 1.0
                    tied[j, i] += 1.0
        return Votes(wins, subject.labels, name=name, tied=tied)

    def raters(self) -> pd.DataFrame:
        """A row a rater: how much was answered, and how it agrees with what others said.

        Columns ``rater``, ``answers``, ``ties``, ``first`` (the share of answers but ties for the
        one that was shown first: about ½ where position has no effect), ``compared`` (answers to
        questions that others answered, too) and ``agree`` (the share of other raters' answers to
        these that were the same; NaN where there are none).
        """
        import pandas as pd

        counted: dict[str, list[float]] = {}
        for answer in self.by_id.values():
            sums = counted.setdefault(answer.rater or "", [0.0] * 6)
            sums[0] += 1.0
            if answer.slot.duel:
                sums[1] += answer.outcome == 0.5
                sums[2] += answer.outcome == 1.0
            slot = slot_of(answer.id)
            if self.times[slot] > 1:
                others = [each for each in self.of_slot(slot) if each.rater != answer.rater]
                sums[3] += bool(others)
                sums[4] += sum(each.value == answer.value for each in others)
                sums[5] += len(others)
        rows = [
            (rater, int(made), int(ties), _share(first, made - ties), int(met), _share(same, pairs))
            for rater, (made, ties, first, met, same, pairs) in sorted(counted.items())
        ]
        names = ["rater", "answers", "ties", "first", "compared", "agree"]
        return pd.DataFrame(rows, columns=names)


def ids_of(answers: Iterable[Answer], rater: str | None) -> list[str]:
    """The questions that a rater has answered, the first first."""
    return [answer.id for answer in answers if answer.rater == rater]


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


def _labels(answer: Answer, subject: Subject) -> tuple[str, str, str]:
    if answer.shown is not None:
        (first, second), about = subject.duel(*answer.shown)
        return first, second, about
    row = answer.slot.row
    members = (row,) if isinstance(row, int) else row
    return " + ".join(subject.labels[element] for element in members), "", ""
