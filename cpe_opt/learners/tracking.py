"""Track and stop: plan a block of queries, ask it, and stop once an answer is proved.

Every learner that tracks is the loop :func:`track` around a :class:`Tracker`. The loop::

    until the answer is proved:
        plan a block by the optimal exploration at the current estimates, with some queries of
            every kind that matters, however few it wants (forced exploration)
        ask it, in batches of at least as many queries as may be open at once
        count the observations, and look at the evidence when all of the block is there

A tracker has one goal, and what was observed before the first query is counted when it is made.
Which program plans the blocks, and which theorem proves the answer:

- a Copeland winner: the LP of :mod:`cpe_opt.formulations.dueling.copeland_time`, proved by
  :mod:`cpe_opt.proofs.dueling.copeland`;
- the Condorcet winner: the cheapest pair against each arm, proved by
  :mod:`cpe_opt.proofs.dueling.condorcet`;
- the Borda winner: :mod:`cpe_opt.formulations.dueling.borda_time`, proved by
  :mod:`cpe_opt.proofs.dueling.borda`;
- the Condorcet winner among matchings: :mod:`cpe_opt.formulations.inverse_rows`, proved by
  :mod:`cpe_opt.proofs.matchings.blocks`;
- the best set, where sets are listed, from sums or single rewards: XY-optimal designs, proved by
  :mod:`cpe_opt.proofs.subsets.listed_blocks`;
- the best set by a linear oracle, from single rewards: the cheapest pulls, proved by
  :mod:`cpe_opt.proofs.subsets.optimistic_gap`.

For the first two, queries are chosen pair by pair, so that a block is one batch
(:mod:`cpe_opt.learners.dueling.pair_tracking`). The others plan large blocks, as large as
:mod:`cpe_opt.proofs.pace` says.

**Several queries at once.** A block is planned before its first query, so that its queries may be
answered in any order and be open together: nothing is proved or planned before all of it is there.
With ``parallel`` above 1 a block is asked for in batches of at least so many queries.

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
from cpe_opt.validation import checked_count

_MOST_BATCHES = 100
ALL_ASKED = "all cells are asked, and they leave it open"
NOTHING_PROVED = "nothing is proved of the answer by then"
PROVED_BY_THEN = "by then it is proved that "


class Answering(Protocol):
    """What a learner that tracks answers, of its family."""

    def proved(self) -> Any:
        """The answer, if it is proved; else None.

        It is :class:`Conditional` where the proof rests on an assumption, and :class:`Unproved`
        where it is proved that there is no answer.
        """

    def guess(self) -> Any:
        """The answer at any time."""

    def doubt(self) -> str:
        """What is proved of that answer, in words."""


class Tracker(Answering, Protocol):
    """What a learner that tracks plans, counts and proves; queries are its family's."""

    def block(self) -> Iterator[Sequence[Any]]:
        """Plan a block; its batches of queries. After the last one the block is judged."""

    def count(self, query: Any, observed: Any) -> None:
        """Count what a query of the block shows."""


TrackerState: TypeAlias = dict[str, Any]
"""Numbers, texts and numpy arrays by name."""


class SingleTracker(Answering, Protocol):
    """A tracker that chooses one query after the other; its state can be written down."""

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

    Parameters
    ----------
    state : dict, optional
        From which the learner is to go on.
    asked : mapping from (int, int) to int
        How many duels of each pair, the smaller arm first, it had counted by then.

    Attributes
    ----------
    state : dict or None
        The last that was kept.
    asked : dict
        Up to it; whoever asks for the state notes them.
    wanted : bool
        Whether the state is to be kept before the next query.
    """

    def __init__(
        self, state: TrackerState | None = None, asked: Mapping[tuple[int, int], int] | None = None
    ) -> None:
        self.state, self.asked, self.wanted = state, dict(asked or {}), False

    def copy(self) -> Checkpoint:
        """For another run from the same state, which is nowhere changed in place."""
        return Checkpoint(self.state, self.asked)


def track(tracker: Tracker) -> Generator[Any, Any, Any]:
    """Ask block by block until the answer is proved, or the horizon is reached."""
    try:
        while (answer := tracker.proved()) is None:
            for batch in tracker.block():
                observations = yield from ask_all(batch)
                for query, observed in zip(batch, observations, strict=True):
                    tracker.count(query, observed)
    except HorizonReached:
        return Unproved(tracker.guess(), tracker.doubt())
    return answer


def track_singly(
    tracker: SingleTracker, checkpoint: Checkpoint | None = None
) -> Generator[Any, Any, Any]:
    """Ask one query after the other, several of them open, until the answer is proved."""
    if checkpoint is not None and checkpoint.state is not None:
        tracker.restore(checkpoint.state)
    try:
        while (answer := tracker.proved()) is None:
            queries = tuple(tracker.open_queries())
            tracker.count((yield Window(queries) if len(queries) > 1 else queries[0]))
            if checkpoint is not None and checkpoint.wanted:
                checkpoint.state, checkpoint.wanted = tracker.state(), False
    except HorizonReached:
        return Unproved(tracker.guess(), tracker.doubt())
    return answer


class DuelBlocks(ABC):
    """A tracker whose blocks are duels of many pairs; what they prove is said at the end of each.

    Parameters
    ----------
    parallel : int
        A block has at least so many duels, and is asked in batches of at least so many, each with
        its share of every pair.
    """

    def __init__(self, parallel: int) -> None:
        self.parallel = checked_count("parallel", parallel)

    @abstractmethod
    def plan(self) -> IntArray:
        """The duels of each pair in the next block, symmetric."""

    @abstractmethod
    def add(self, i: int, j: int, won: int, times: int) -> None:
        """Count duels of a pair in the estimates."""

    @abstractmethod
    def judge(self, won: FloatArray, planned: IntArray) -> None:
        """Take in what a whole block proves: how often the row won against the column in it."""

    def block(self) -> Iterator[list[Duel]]:
        """The batches of a block, and then what it proves."""
        planned = self.plan()
        self._won = np.zeros(planned.shape)
        yield from batches_of(planned, self.parallel)
        self.judge(self._won, planned)

    def count(self, query: Duel, observed: int) -> None:
        """Count duels, in the estimates and in the block."""
        i, j, times = query.i, query.j, query.times
        self._won[i, j] += observed
        self._won[j, i] += times - observed
        self.add(i, j, observed, times)


def whole_duels(amounts: FloatArray, least: int) -> IntArray:
    """These numbers of duels rounded down, at least one each and ``least`` in all.

    Where they are fewer in all, each gets the same number more.

    Examples
    --------
    >>> import numpy as np
    >>> whole_duels(np.array([0.2, 3.7]), 1).tolist(), whole_duels(np.array([0.2, 3.7]), 7).tolist()
    ([1, 3], [3, 5])
    """
    duels = np.maximum(1, np.floor(amounts).astype(np.int64))
    return np.asarray(duels + max(0, math.ceil((least - duels.sum()) / len(duels))))


def batches_of(planned: IntArray, parallel: int) -> Iterator[list[Duel]]:
    """The duels of a block in batches of at least ``parallel`` duels, at most 100 of them.

    Each batch has its share of every pair; with ``parallel`` 1 there is one for each pair instead.
    """
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
    """Prices in units of the smallest one, of the same shape; 0 marks no query, and stays.

    So what a learner asks does not depend on the currency. Where all queries cost the same, prices
    are exactly 1, as by default.

    Examples
    --------
    >>> import numpy as np
    >>> relative_prices(np.array([0.3, 0.6, 0.3])).tolist()
    [1.0, 2.0, 1.0]
    """
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
