"""Track and stop: plan a block of queries, ask it, and stop once an answer is proved.

Every learner that tracks is the loop :func:`track` around a :class:`Tracker`. The loop::

    until the answer is proved:
        plan a block by the optimal exploration at the current estimates, with some queries of
            every kind that matters, however few it wants (forced exploration)
        ask it, in batches of at least as many queries as may be open at once
        count the observations, and look at the evidence when all of the block is there

What was observed before the first query is counted when a tracker is made. A block is planned
before its first query, so that its queries may be answered in any order and be open together:
nothing is proved or planned before all of it is there. How large blocks are, and what they prove,
:mod:`cpe_opt.proofs.blocks` says; for a Copeland or a Condorcet winner queries are chosen pair by
pair, so that a block is one batch (:mod:`cpe_opt.learners.dueling.pair_tracking`).

**One query after the other**, several of them open: the loop :func:`track_singly` around a
:class:`SingleTracker`::

    until the answer is proved:
        choose queries until so many are open as are to be (``parallel``)
        count what the oldest of them shows

A query is chosen knowing what all queries show that were asked before it, except for those that are
open. Nobody waits for a whole batch: while others answer, the learner counts and chooses.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.learners.queries import HorizonReached, Unproved, ask_all, condition
from cpe_opt.problems.queries import Duel, Window

_MOST_BATCHES = 100
ALL_ASKED = "all cells are asked, and they leave it open"
NOTHING_PROVED = "nothing is proved of the answer by then"
PROVED_BY_THEN = "by then it is proved that "


class Answering(Protocol):
    """What a learner that tracks answers, of its family."""

    def proved(self) -> Any:
        """The answer, :class:`Conditional` or :class:`Unproved`; None where nothing is proved."""

    def guess(self) -> Any:
        """The answer at any time."""

    def doubt(self) -> str:
        """What is proved of that answer, in words."""


class Tracker(Answering, Protocol):
    """What a learner that tracks plans, counts and proves; queries are its family's."""

    parallel: int

    def block(self) -> Iterator[Sequence[Any]]:
        """Plan a block; its batches of queries. After the last one the block is judged."""

    def count(self, query: Any, observed: Any) -> None:
        """Count what a query of the block shows."""


TrackerState: TypeAlias = dict[str, Any]
"""Numbers, texts and numpy arrays by name."""


class SingleTracker(Answering, Protocol):
    """A tracker that chooses one query after the other; its state can be written down."""

    parallel: int

    def open_queries(self) -> Sequence[Any]:
        """The queries that are open, the oldest first, after as many were chosen as are to be."""

    def count(self, observed: Any) -> None:
        """Count what the oldest open query shows."""

    def state(self) -> TrackerState:
        """All that it knows, in arrays of its own."""

    def restore(self, state: TrackerState) -> None:
        """Go on from a state of a tracker that was made with the same arguments."""


class Checkpoint:
    """The state of a learner between two queries, from which a session goes on later.

    And how many queries it is to have open from its next one on, if that has changed. Who changes
    it may know all answers so far: queries are chosen by what was observed before them.
    """

    def __init__(
        self, state: TrackerState | None = None, asked: Mapping[tuple[int, int], int] | None = None
    ) -> None:
        # The last state that was kept; the duels of each pair (the smaller arm first) up to it,
        # which whoever asks for it notes; whether it is to be kept before the next query.
        self.state, self.asked, self.wanted = state, dict(asked or {}), False
        self.parallel: int | None = None

    def copy(self) -> Checkpoint:
        """For another run from the same state, which is nowhere changed in place."""
        return Checkpoint(self.state, self.asked)


def track(tracker: Tracker, checkpoint: Checkpoint | None = None) -> Generator[Any, Any, Any]:
    """Ask block by block until the answer is proved, or the horizon is reached."""
    try:
        while (answer := tracker.proved()) is None:
            for batch in tracker.block():
                observations = yield from ask_all(batch)
                for query, observed in zip(batch, observations, strict=True):
                    tracker.count(query, observed)
                if checkpoint is not None and checkpoint.parallel is not None:
                    tracker.parallel = checkpoint.parallel
    except HorizonReached:
        return Unproved(tracker.guess(), tracker.doubt())
    return answer


def track_singly(
    tracker: SingleTracker, checkpoint: Checkpoint | None = None
) -> Generator[Any, Any, Any]:
    """Ask one query after the other, several of them open, until the answer is proved."""
    if checkpoint is not None and checkpoint.state is not None:
        tracker.restore(checkpoint.state)
        tracker.parallel = int(checkpoint.state["parallel"])
    try:
        while (answer := tracker.proved()) is None:
            queries = tuple(tracker.open_queries())
            tracker.count((yield Window(queries) if len(queries) > 1 else queries[0]))
            if checkpoint is not None:
                if checkpoint.parallel is not None:
                    tracker.parallel = checkpoint.parallel
                if checkpoint.wanted:
                    checkpoint.state = {**tracker.state(), "parallel": tracker.parallel}
                    checkpoint.wanted = False
    except HorizonReached:
        return Unproved(tracker.guess(), tracker.doubt())
    return answer


class DuelBlocks(ABC):
    """A tracker of blocks of duels at these prices, shape (K, K), asked for in batches."""

    def __init__(self, prices: FloatArray, parallel: int) -> None:
        self.prices, self.parallel = prices, parallel
        self.spent = 0.0

    @abstractmethod
    def plan(self) -> IntArray:
        """The duels of each pair in the next block, symmetric."""

    @abstractmethod
    def add(self, i: int, j: int, won: int, times: int) -> None:
        """Count duels of a pair in the estimates."""

    @abstractmethod
    def judge(self, won: FloatArray, planned: IntArray, cost: float) -> None:
        """Take in what a whole block proves: how often the row won against the column in it."""

    def block(self) -> Iterator[list[Duel]]:
        """The batches of a block, and then what it proves."""
        planned = self.plan()
        self._won = np.zeros(planned.shape)
        yield from batches_of(planned, self.parallel)
        cost = float((np.triu(planned) * self.prices).sum())
        self.spent += cost
        self.judge(self._won, planned, cost)

    def count(self, query: Duel, observed: int) -> None:
        """Count duels, in the estimates and in the block."""
        i, j, times = query.i, query.j, query.times
        self._won[i, j] += observed
        self._won[j, i] += times - observed
        self.add(i, j, observed, times)


def whole_duels(amounts: FloatArray, least: int) -> IntArray:
    """Numbers of duels rounded down, at least one each, and raised alike to ``least`` in all."""
    duels = np.maximum(1, np.floor(amounts).astype(np.int64))
    return np.asarray(duels + max(0, math.ceil((least - duels.sum()) / len(duels))))


def batches_of(planned: IntArray, parallel: int) -> Iterator[list[Duel]]:
    """The duels of a block in at most 100 batches with a share of every pair, or a pair each."""
    pairs = [(int(i), int(j)) for i, j in np.argwhere(np.triu(planned))]
    times = [int(planned[pair]) for pair in pairs]
    if parallel == 1:
        for (i, j), duels in zip(pairs, times, strict=True):
            yield [Duel(i, j, duels)]
        return
    # Shares are rounded, each by less than one duel.
    parts = max(1, min(_MOST_BATCHES, sum(times) // (parallel + len(pairs))))
    for part in range(parts):
        shares = [duels * (part + 1) // parts - duels * part // parts for duels in times]
        yield [Duel(*pair, share) for pair, share in zip(pairs, shares, strict=True) if share]


def relative_prices(prices: FloatArray) -> FloatArray:
    """Prices in units of the smallest one, so that no currency matters; 0, no query, stays."""
    return np.asarray(prices / prices[prices > 0.0].min(initial=np.inf))


def evidence_so_far(evidence: float, delta: float, assumption: str = "") -> str:
    """How far an answer at the horizon is from its proof.

    It names no delta at which the answer would be proved: chosen to fit the evidence, that would be
    no probability of an error.
    """
    if evidence <= 0.0:
        return NOTHING_PROVED
    return (
        f"by then it has evidence {evidence:.3g}, and a proof at delta = {delta:g} needs "
        f"{-math.log(delta):.3g} (natural logarithms){condition(assumption)}"
    )


def loss_so_far(loss: float, margin: float) -> str:
    """By how much another set may be better, where at most ``margin`` is asked for."""
    if math.isinf(loss):
        return NOTHING_PROVED
    return f"{PROVED_BY_THEN}no set is better by more than {loss:.2g}, not {margin:g}"
