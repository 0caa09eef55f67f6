r"""CAR-Parallel: copies of CAR-Verify side by side, so that a wrong first stage costs little.

Algorithm 3 runs copies k = 0, 1, 2, … of CAR-Verify with confidences
:math:`\delta / 2^{k+1}`; in its round t every copy with :math:`2^k \mid t` has one duel; the first
answer is its answer, and copies that give up are dropped. Rounds in which no copy finishes a query
and none starts are played at once, each copy's duels as one query; all until a copy has the answers
that it waits for are one batch. A run that got a wrong :math:`\hat M` so costs little, and the cost
of finding it is not multiplied by ln(1/δ).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from typing import Any

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.matchings.car_cond import CarMethod, Slack
from cpe_opt.learners.matchings.car_verify import SmallDelta, car_verify
from cpe_opt.learners.matchings.pair_bounds import PairBounds, condorcet_guess
from cpe_opt.learners.queries import HorizonReached, ask_all
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.queries import Batch, Duel, single_queries


@declare(
    family="matchings",
    goal="identification",
    guarantee="the Condorcet winner, if there is one, with probability at least 1 - delta",
    paper="Chen, Du, Huang, Zhao (ICML 2020), Algorithm 3",
    endless_if="there is no Condorcet winner, or it ties with another matching",
    batches="the duels of all copies until one of them has the answers it waits for",
)
def car_parallel(
    graph: BipartiteGraph,
    *,
    rng: np.random.Generator | None = None,
    delta: SmallDelta = 0.005,
    slack: Slack = "paper",
    method: CarMethod = "certificates",
    solver: str | None = None,
) -> Generator[Duel | Batch, Any, tuple[int, ...]]:
    """Find the Condorcet winner with probability at least 1 - delta.

    Where there is none, every copy gives up and it does not stop by itself.

    Parameters
    ----------
    delta, slack, method, solver
        As for :func:`car_verify`.

    Returns
    -------
    tuple of int
        Edges, one a position; where the rounds end before one is verified, the winner for all that
        the duels of all copies say (:mod:`cpe_opt.learners.matchings.pair_bounds`).

    References
    ----------
    Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020,
    Algorithm 3.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> duels = cpe.planted_condorcet(2, 1, gap=0.4, seed=0)
    >>> trace = cpe.simulate("car-parallel", duels, delta=0.005, seed=0)
    >>> trace.answer, trace.proved
    ((0,), True)
    """
    copies: list[_Copy] = []
    bounds = PairBounds(graph)  # of the duels of all copies
    batch: list[tuple[_Copy, Duel]] = []
    t = 0

    def play() -> Generator[Duel | Batch, Any, None]:
        wins = yield from ask_all([duel for _, duel in batch])
        for (copy, duel), won in zip(batch, wins, strict=True):
            bounds.add(duel.i, duel.j, won, duel.times)
            copy.receive(won)
        batch.clear()

    try:
        while True:
            # Before this round nobody finishes a query, and nobody starts.
            due = [copy.finishes_after(t) for copy in copies if copy.duels_missing]
            starts = 2 ** len(copies)
            until = min([*due, starts])
            for copy in copies:
                duels = until // copy.period - t // copy.period
                if not copy.duels_missing or not duels:
                    continue
                batch.append((copy, copy.next_duels(duels)))
                if not copy.duels_missing:
                    yield from play()
                    copy.go_on()
                    if copy.answer is not None:
                        return copy.answer
            t = until
            if t == starts:
                k = len(copies)
                settings: dict[str, Any] = {"slack": slack, "method": method, "solver": solver}
                verifying = Exchange(car_verify, graph, delta=delta / 2 ** (k + 1), **settings)
                started = _Copy(verifying, 2**k)
                copies.append(started)
                if started.duels_missing:  # round 2^k is its first
                    batch.append((started, started.next_duels(1)))
                    if not started.duels_missing:
                        yield from play()
                        started.go_on()
                if started.answer is not None:
                    return started.answer
    except HorizonReached:
        return condorcet_guess(graph, bounds.estimates())


class _Copy:
    """A copy of CAR-Verify that has one duel every ``period`` rounds."""

    def __init__(self, exchange: Exchange, period: int) -> None:
        self.period = period
        self._exchange = exchange
        self.duels_missing = 0
        self._open: deque[int] = deque()
        self._begin()

    @property
    def answer(self) -> tuple[int, ...] | None:
        """The matching that it has verified, if any."""
        answer: tuple[int, ...] | None = self._exchange.answer
        return answer

    def finishes_after(self, t: int) -> int:
        """The round at which the query whose turn it is has all its duels."""
        return (t // self.period + self.duels_missing) * self.period

    def next_duels(self, duels: int) -> Duel:
        """Duels of the query whose turn it is; after its last the next one follows."""
        query = self._queries[self._place]
        self._open.append(self._place)
        self.duels_missing -= duels
        if not self.duels_missing and self._place + 1 < len(self._queries):
            self._place += 1
            self.duels_missing = self._queries[self._place].times
        return Duel(query.i, query.j, duels)

    def receive(self, won: int) -> None:
        """Count the duels asked for first of those that are not counted yet."""
        self._won[self._open.popleft()] += won

    def go_on(self) -> None:
        """All duels are counted: what is asked next."""
        batch = isinstance(self._exchange.query, Batch)
        self._exchange.tell(self._won if batch else self._won[0])
        self._begin()

    def _begin(self) -> None:
        """Nothing of the next query is answered yet."""
        query = self._exchange.query
        self._queries: tuple[Duel, ...] = () if query is None else single_queries(query)
        self._place, self._won = 0, [0] * len(self._queries)
        self.duels_missing = self._queries[0].times if self._queries else 0
