"""The answers of a session, and what raters have in common.

A question may be asked of several raters, to see whether they agree. The first answer counts for
the learner and in votes; the others, *repeats*, count for agreement alone: two raters' answers to
the same question are not two independent duels.

Over the items of a test set an answer is that of a cell (:mod:`cpe_opt.sessions.items`), and says
something of the raters, too: how often the arm that was shown first wins, and how often the answer
changes where an item is asked in both orders (:class:`PositionBias`).
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write, check_output
from cpe_opt.sessions.question_set import QuestionSet
from cpe_opt.sessions.replay import Slot

if TYPE_CHECKING:
    import pandas as pd

    from cpe_opt.problems.dueling.items import ItemDuels
    from cpe_opt.problems.dueling.votes import Votes
    from cpe_opt.problems.subsets.team_scores import TeamScores
    from cpe_opt.sessions.items import KnownCells

SUFFIXES = (".csv", ".jsonl")
"""Of the files that :func:`write_answers` writes."""
_REPEAT = "~2"
_NORMAL = 1.959964  # the 97.5 % quantile


class CountedAnswer(NamedTuple):
    """One answer; a tuple, for a long session has many."""

    id: str  # of the question; that of a repeat ends with `~2`
    # of a duel: 1 where the one shown first won, 0 where the second did, ½ for a tie, and over
    # items any number between; else the number that was observed
    outcome: float
    shown: tuple[int, int] | None  # the pair in the order in which it was shown
    rater: str | None
    time: float  # seconds since 1970
    item: str | None = None  # the id of the item that the two were compared on
    # where both orders were asked at once: what the one shown first got in each, of which `outcome`
    # is the mean for the one that was shown first at first
    both: tuple[float, float] | None = None

    @property
    def showings(self) -> tuple[float, ...]:
        """Of a duel: what the one shown first got, each time that the two were shown."""
        if self.shown is None:
            return ()
        return (self.outcome,) if self.both is None else self.both

    @property
    def repeat(self) -> bool:
        """Whether the question had been answered before."""
        return self.id.endswith(_REPEAT)

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


def repeat_id(slot: str) -> str:
    """The id under which a slot is asked for a second time."""
    return f"{slot}{_REPEAT}"


def slot_of(question: str) -> str:
    """The id of the slot that a question is about."""
    return question.removesuffix(_REPEAT)


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

    def by_another_rater(self, answer: CountedAnswer) -> CountedAnswer | None:
        """What somebody else said to the same question."""
        slot = slot_of(answer.id)
        other = self.by_id.get(slot if answer.repeat else repeat_id(slot))
        return None if other is None or other.rater == answer.rater else other

    def frame(self, question_set: QuestionSet, told: Collection[str] | None = None) -> pd.DataFrame:
        """One row per answer, in the order in which they came.

        Columns ``id``, ``first`` and ``second`` (labels in the order shown; for pulls ``first``
        holds all labels), ``about`` (what a duel is for), ``outcome``, ``rater``, ``time`` (UTC),
        ``repeat``. Over items also ``item``, the id; and where both orders were asked at once
        ``as_shown`` and ``swapped``: what the one shown first got in each order. With the
        questions that count a column ``told``.
        """
        import pandas as pd

        rows = []
        for answer in self.by_id.values():
            first, second, about = _labels(answer, question_set)
            rows.append(
                (
                    *(answer.id, first, second, about, answer.outcome),
                    *(answer.rater or "", answer.time, answer.repeat),
                )
            )
        columns = ["id", "first", "second", "about", "outcome", "rater", "time", "repeat"]
        frame = pd.DataFrame(rows, columns=columns)
        if question_set.items is not None:
            given = list(self.by_id.values())
            frame["item"] = [answer.item for answer in given]
            if question_set.items.paired:
                for place, name in enumerate(("as_shown", "swapped")):
                    frame[name] = [each.both and each.both[place] for each in given]
        if told is not None:
            frame["told"] = frame["id"].isin(set(told))
        frame["time"] = pd.to_datetime(frame["time"].astype(float), unit="s", utc=True)
        return frame.astype({"outcome": float, "repeat": bool})

    def votes(
        self, question_set: QuestionSet, prior: Votes | None, name: str, told: Iterable[str]
    ) -> Votes:
        """The answers that count and earlier votes, ties as half a win for each."""
        from cpe_opt.problems.dueling.votes import Votes

        if question_set.family != "dueling":
            raise InputError(
                f"this session asks about {question_set.family}: votes are of duels of arms"
            )
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
            i, j = sorted(answer.shown or ())
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
        place = {each: number for number, each in enumerate(items.ids)}
        size, orders = len(question_set.labels), 2 if items.orders == "both" else 1
        outcomes = np.full((size, size, len(items.ids), orders), np.nan)
        for (i, j), cells in (prior or {}).items():
            for (item, second), outcome in cells.items():
                outcomes[i, j, item, int(bool(second)) if orders == 2 else 0] = outcome
        for answer in self.by_id.values():
            if not answer.repeat and answer.shown is not None and answer.item is not None:
                i, j = sorted(answer.shown)
                order = int(answer.shown[0] > answer.shown[1]) if orders == 2 else 0
                outcomes[i, j, place[answer.item], order] = answer.value
        if np.isnan(outcomes).all():
            raise InputError("no cell was answered yet")
        return ItemDuels(outcomes, question_set.labels, items.ids, name=name)

    def position_bias(self) -> PositionBias:
        """How often the arm that was shown first wins, of all answers, and swaps disagree."""
        shown = [y for answer in self.by_id.values() for y in answer.showings if y != 0.5]
        firsts = sum(y > 0.5 for y in shown)
        swapped: dict[tuple[tuple[int, ...], str | None], dict[bool, float]] = {}
        compared = disagree = 0
        for answer in self.by_id.values():
            if answer.both is not None:
                compared += 1
                disagree += answer.both[0] + answer.both[1] != 1.0
            elif answer.shown is not None and answer.item is not None and not answer.repeat:
                cell = tuple(sorted(answer.shown)), answer.item
                by_order = swapped.setdefault(cell, {})
                by_order[answer.shown[0] < answer.shown[1]] = answer.value
                if len(by_order) == 2:
                    compared += 1
                    disagree += by_order[True] != by_order[False]
        return PositionBias(firsts, len(shown), compared, disagree)

    def scores(
        self, question_set: QuestionSet, prior: TeamScores | None, name: str, told: Iterable[str]
    ) -> TeamScores:
        """The pulls of sets that count, in the order of asking, after earlier scores."""
        from cpe_opt.problems.subsets.team_scores import TeamScores

        if question_set.family != "subsets":
            raise InputError(
                f"this session asks about {question_set.family}: scores are those of sets"
            )
        given = [self.by_id[question] for question in told]
        if not given and prior is None:
            raise InputError("no set was answered in its turn yet, so that there are no scores")
        teams = [] if prior is None else [[prior.members[e] for e in t] for t in prior.teams]
        scores = [] if prior is None else prior.scores.tolist()
        counts = [] if prior is None else prior.counts.tolist()
        for answer in given:
            row = answer.slot.row
            members = (row,) if isinstance(row, int) else row
            teams.append([question_set.labels[element] for element in members])
            scores.append(answer.outcome)
            counts.append(1.0)
        clusters = () if prior is None else prior.clusters
        return TeamScores(teams, scores, counts, name=name, clusters=clusters)

    def raters(self) -> list[RaterCounts]:
        """What each rater did, by name."""
        counted: dict[str, list[int]] = {}
        for answer in self.by_id.values():
            sums = counted.setdefault(answer.rater or "", [0] * 6)
            other = self.by_another_rater(answer)
            for place, counts in enumerate(
                (
                    True,
                    answer.shown is not None,
                    answer.shown is not None and answer.outcome == 0.5,
                    answer.shown is not None and answer.outcome > 0.5,
                    other is not None,
                    other is not None and other.value == answer.value,
                )
            ):
                sums[place] += counts
        return [
            RaterCounts(rater, made, ties, _share(first, duels - ties), met, _share(same, met))
            for rater, (made, duels, ties, first, met, same) in sorted(counted.items())
        ]


@dataclass(frozen=True)
class RaterCounts:
    """How much a rater answered, and how it agrees with what others said.

    Attributes
    ----------
    rater : str
        Empty for answers without a name.
    answers, ties : int
    first : float
        The share of answers, ties left out, for the one that was shown first: about ½ where
        position has no effect; NaN if there are none.
    compared : int
        Answers to questions that somebody else answered, too.
    agree : float
        The share of these that are the same; NaN if there are none.
    """

    rater: str
    answers: int
    ties: int
    first: float
    compared: int
    agree: float


@dataclass(frozen=True)
class PositionBias:
    """Whether it matters which arm is shown first.

    Attributes
    ----------
    firsts : int
        Showings that the arm shown first won.
    decided : int
        All showings but ties.
    compared : int
        How many cells were asked in both orders, the two counted as one.
    disagree : int
        Those of them whose answer is not the same in both.
    """

    firsts: int
    decided: int
    compared: int
    disagree: int

    @property
    def share(self) -> float:
        """The share of firsts; NaN if there is none."""
        return _share(self.firsts, self.decided)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval for it, of 95 %."""
        if not self.decided:
            return 0.0, 1.0
        count, square = self.decided, _NORMAL * _NORMAL
        middle = (self.firsts + square / 2.0) / (count + square)
        spread = math.sqrt(self.firsts * (count - self.firsts) / count + square / 4.0)
        half = _NORMAL * spread / (count + square)
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def warning(self) -> str:
        """What is said where the interval excludes a half; else empty."""
        low, high = self.interval
        return "" if low <= 0.5 <= high else f"the order matters: {self._firsts()}"

    def _firsts(self) -> str:
        low, high = (f"{100.0 * end:.0f}" for end in self.interval)
        return (
            f"shown first wins {100.0 * self.share:.0f} % of {self.decided:,} (95 % interval {low} "
            f"to {high} %)"
        )

    @property
    def line(self) -> str:
        """Both in a line; empty if there is nothing to say."""
        parts = [self._firsts()] if self.decided else []
        if self.compared:
            parts.append(
                f"swaps disagree in {self.disagree:,} of {self.compared:,} asked in both orders"
            )
        return "; ".join(parts)


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


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _labels(answer: CountedAnswer, question_set: QuestionSet) -> tuple[str, str, str]:
    if answer.shown is not None:
        (first, second), about = question_set.duel(*answer.shown)
        return first, second, about
    row = answer.slot.row
    members = (row,) if isinstance(row, int) else row
    return " + ".join(question_set.labels[element] for element in members), "", ""
