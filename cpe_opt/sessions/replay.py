r"""A learner led through the answers given so far, and the answers that it waits for.

Answers are kept in *slots*. For each pair of arms there is a row of slots 1, 2, 3, …, one per duel;
for each arm that is pulled, and for each set, one per pull. A learner that asks for duels of a pair
gets the next slots of its row, and where such a slot is empty, it waits. Of a window
(:class:`cpe_opt.problems.queries.Window`) it waits for the oldest query alone, and the slots of the
others, which are asked for next, may be filled meanwhile. So what the learner does is a function of
the answers in the slots alone: not of the order in which they came, nor of who answered, nor of how
often the process was started again. A filled slot that is emptied takes the learner back to where
it needed it; answers in later slots stay, and serve again when they are asked for.

This is the model in which learners are analysed: the outcomes of a pair are independent and
identically distributed, and the k-th time that the pair is asked for the k-th of them is seen. So
guarantees hold as in a simulation, whatever decides when a slot is filled. All that is stated goes
by the answers in the order of asking, up to the first that is missing (:meth:`Replay.told`): what
has *arrived* is selected by its outcomes where wins are answered faster than losses. Only which
outcome fills a slot may not depend on the outcome: it is assumed of coins that nobody skips a
question, lets its time run out or takes an answer back because of what was to be said.

The same holds where a learner is told to have more questions open than before, because there are
more raters: it goes through the slots again from the first, as if it had begun with that number.
The number must not be chosen by the answers.

A tie of a duel is a win for one of the two with probability ½ each, by a coin that the seed and the
slot decide: so a learner sees :math:`P(\text{win}) + P(\text{tie})/2`. Over the items of a test
set, where slots are cells (:mod:`cpe_opt.sessions.items`), outcomes are told as they are, ties as
½. A cell that is left out, NaN among the answers, gives nothing to either arm.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, TypeAlias

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.learners.exchange import AT_HORIZON, Exchange
from cpe_opt.learners.tracking import Checkpoint
from cpe_opt.problems.queries import Batch, CellSums, Duel, Pull, PullSets, Window, single_queries
from cpe_opt.progress_line import step
from cpe_opt.validation import MOST_ROUNDS

IDLE = "it has nothing left to ask: it would go on with its favourite alone"
_IDLE_QUERIES = 10**5
_EVERY = 100  # answers
RowKey: TypeAlias = tuple[int, ...] | int
"""What is asked for: a pair ``(i, j)`` with i < j, an arm, or the elements of a set."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One duel of a pair, or one pull."""

    row: RowKey  # a pair, the smaller number first; an arm; the elements of a set
    number: int  # from 1
    duel: bool  # whether the row is a pair

    @property
    def id(self) -> str:
        """Such as ``3-7.12``, the twelfth duel of arms 3 and 7; ``3.2``; ``0+4+5.1``; ``3+.1``."""
        if isinstance(self.row, int):
            return f"{self.row}.{self.number}"
        if self.duel:
            return f"{self.row[0]}-{self.row[1]}.{self.number}"
        end = "+" if len(self.row) == 1 else ""
        return f"{'+'.join(map(str, self.row))}{end}.{self.number}"

    @classmethod
    def of_id(cls, text: str) -> Slot:
        """The slot of an id; :class:`ValueError` if it is not one."""
        row, _, number = text.partition(".")
        if "-" in row:
            first, second = map(int, row.split("-"))
            return cls((first, second), int(number), duel=True)
        if "+" in row:
            return cls(tuple(map(int, row.rstrip("+").split("+"))), int(number), duel=False)
        return cls(int(row), int(number), duel=False)

    @property
    def query(self) -> Duel | Pull | PullSets:
        """What is asked: one duel, or one pull."""
        if isinstance(self.row, int):
            return Pull(self.row)
        return Duel(*self.row) if self.duel else PullSets((self.row,), (1,))


def drawn(seed: int, what: str) -> bool:
    """A fair coin that a seed and a text decide, the same on every machine."""
    digest = hashlib.blake2b(f"{seed}/{what}".encode(), digest_size=8).digest()
    return bool(digest[0] & 1)


class Replay:
    """A learner, led through slots as far as answers reach.

    ``start`` makes the learner's exchange from a checkpoint, always in the state that this has.
    ``answers``, by slot, may change: :meth:`changed` is to be told of slots that the learner has
    asked for, and :meth:`advance` goes on. ``items`` says that slots are cells of a test set.
    After ``horizon`` rounds, idle stretches included, the learner is stopped; so is one that would
    not ask again within 2^53 rounds, or with 10^5 queries in a row that ask for nothing.
    """

    def __init__(
        self,
        start: Callable[[Checkpoint], Exchange],
        answers: Mapping[str, float],
        seed: int,
        *,
        items: bool = False,
        checkpoint: Checkpoint | None = None,
        horizon: int | None = None,
    ) -> None:
        # the last state of the learner that was kept, every hundred answers or fiftieth of all,
        # where it has such states
        self.checkpoint = Checkpoint() if checkpoint is None else checkpoint.copy()
        self.exchange = start(self.checkpoint)
        # the empty slots of the learner's open queries, by id, in its order; empty once it has
        # finished
        self.waiting: dict[str, Slot] = {}
        self._answers, self._seed, self._items = answers, seed, items
        rounds, self._doubt = horizon, AT_HORIZON
        if rounds is None:
            rounds, self._doubt = MOST_ROUNDS, IDLE
        self._taken: dict[tuple[bool, RowKey], int] = {
            (True, pair): times for pair, times in self.checkpoint.asked.items()
        }
        self._told = [
            Slot(pair, number, duel=True).id
            for pair, times in self.checkpoint.asked.items()
            for number in range(1, times + 1)
        ]
        self._kept = len(self._told)
        self._left = rounds - self._kept
        # Of the query that is told next, all of them; and of those open after it.
        self._slots: dict[str, Slot] | None = None
        self._ahead: dict[str, Slot] = {}
        self._idle = 0  # queries in a row without a slot
        self.advance()

    def advance(self) -> None:
        """Go on as far as the answers reach."""
        exchange = self.exchange
        while not exchange.finished:
            if self._slots is None:
                self._slots = self._begin()
                if self._slots is None:
                    break
            missing = self.waiting.keys() & self._slots.keys() if self._ahead else self.waiting
            if missing:
                return
            observed = [self._valued(slot) for slot in self._slots.values()]
            self._tell(_observation(exchange.query, iter(observed), self._items))
            self._slots = None
        self.waiting = {}

    def _tell(self, observation: Any) -> None:
        """Answer the open query, and note what has been asked where the learner keeps its state."""
        checkpoint = self.checkpoint
        self._told += self._slots or ()
        step("answers", len(self._told))
        checkpoint.wanted = len(self._told) >= self._kept + max(_EVERY, self._kept // 50)
        before = checkpoint.state
        self.exchange.tell(observation)
        if checkpoint.state is not before:
            self._kept = len(self._told)
            checkpoint.asked = {
                (row[0], row[1]): times
                for (duel, row), times in self._taken.items()
                if duel and not isinstance(row, int)
            }

    def told(self) -> list[str]:
        """The slots up to the first without an answer, in the order of asking: those that count.

        Those up to a checkpoint, which are duels, are pair by pair.
        """
        answered = takewhile(self._answers.__contains__, self._slots or ())
        return [*self._told, *answered]

    def changed(self, key: str) -> bool:
        """Note that a slot has got or lost its answer; false where that needs a new replay."""
        if key in self._answers:
            self.waiting.pop(key, None)
            return True
        slots = {**(self._slots or {}), **self._ahead}
        if key not in slots or self.exchange.finished:
            return False
        self.waiting = {
            name: slot for name, slot in slots.items() if name == key or name in self.waiting
        }
        return True

    def _begin(self) -> dict[str, Slot] | None:
        """The slots of a new query; None where the horizon ends the learner."""
        query = self.exchange.query
        if query.rounds >= self._left or self._idle > _IDLE_QUERIES:
            self.exchange.stop(self._doubt if query.rounds >= self._left else IDLE)
            return None
        self._left -= query.rounds
        slots = {slot.id: slot for slot in self._next(single_queries(query), self._taken)}
        ahead = query.queries[1:] if isinstance(query, Window) else ()
        self._ahead = {slot.id: slot for slot in self._next(ahead, dict(self._taken))}
        self.waiting = {
            key: slot for key, slot in (slots | self._ahead).items() if key not in self._answers
        }
        self._idle = 0 if slots else self._idle + 1
        return slots

    @staticmethod
    def _next(queries: Sequence[Any], taken: dict[tuple[bool, RowKey], int]) -> Iterator[Slot]:
        """The next slots of all that queries ask for, in their order; they are taken by this."""
        for single in queries:
            if isinstance(single, Duel):
                if single.i != single.j:
                    pair = (min(single.i, single.j), max(single.i, single.j))
                    yield from _next_slots(taken, pair, single.times, duel=True)
            elif isinstance(single, Pull):
                yield from _next_slots(taken, single.arm, single.times)
            elif isinstance(single, PullSets):
                for members, times in zip(single.sets, single.times, strict=True):
                    yield from _next_slots(taken, tuple(members), times)
            else:
                raise InputError(
                    f"the learner asked {single!r}, which a session cannot ask: expected Duel, "
                    "Pull, PullSets, or a Batch or Window of these"
                )

    def _valued(self, slot: Slot) -> float:
        """What the learner is told of a slot: its outcome, where a coin has decided a tie."""
        outcome = self._answers[slot.id]
        if slot.duel and outcome == 0.5 and not self._items:
            return float(drawn(self._seed, f"{slot.id}/tie"))
        return outcome


def _next_slots(
    taken: dict[tuple[bool, RowKey], int], row: RowKey, times: int, *, duel: bool = False
) -> Iterator[Slot]:
    """The slots of a row that follow those taken, which are taken by this."""
    before = taken.get((duel, row), 0)
    taken[duel, row] = before + times
    for number in range(before + 1, before + times + 1):
        yield Slot(row, number, duel)


def _observation(query: Any, values: Iterator[float], items: bool) -> Any:
    """The observation of a query, of the values of its slots in their order."""
    if isinstance(query, Window):
        query = query.queries[0]
    if isinstance(query, Batch):
        return [_observation(single, values, items) for single in query.queries]
    if isinstance(query, Duel):
        if query.i == query.j:
            return 0
        outcomes = [next(values) for _ in range(query.times)]
        if items:
            answered = [outcome for outcome in outcomes if not math.isnan(outcome)]
            sums = CellSums(won := math.fsum(answered), len(answered) - won)
            return sums if query.i < query.j else CellSums(sums.lost, sums.won)
        won = int(sum(outcomes))
        return won if query.i < query.j else query.times - won
    if isinstance(query, Pull):
        return np.array([next(values) for _ in range(query.times)])
    return np.array([float(sum(next(values) for _ in range(times))) for times in query.times])
