r"""CAR-Parallel: copies of CAR-Verify side by side, so that a wrong first stage costs little.

Algorithm 3 runs copies k = 0, 1, 2, … of CAR-Verify with confidences
:math:`\delta / 2^{k+1}`; in its round t every copy with :math:`2^k \mid t` has one duel; the first
answer is its answer, and copies that give up are dropped. Rounds in which no copy finishes a query
and none starts are played at once, each copy's duels as one query. A run that got a wrong
:math:`\hat M` so costs little, and the cost of finding it is not multiplied by ln(1/δ).
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.matchings.car_cond import Slack
from cpe_opt.learners.matchings.car_verify import car_verify, check_small
from cpe_opt.learners.matchings.condorcet_guess import condorcet_guess
from cpe_opt.learners.matchings.edge_decisions import CarMethod
from cpe_opt.learners.matchings.pair_bounds import PairBounds
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.queries import Duel


@declare(
    family="matchings",
    goal="identification",
    guarantee="the Condorcet winner, if there is one, with probability at least 1 - delta",
    paper="Chen, Du, Huang, Zhao (ICML 2020), Algorithm 3",
    endless_if="there is no Condorcet winner, or it ties with another matching",
)
def car_parallel(
    graph: BipartiteGraph,
    *,
    rng: np.random.Generator | None = None,
    delta: float = 0.005,
    slack: Slack = "paper",
    method: CarMethod = "certificates",
    solver: str | None = None,
) -> Generator[Duel, int, tuple[int, ...]]:
    """Find the Condorcet winner with probability at least 1 - delta.

    Where there is none, every copy gives up and it does not stop by itself.

    Parameters
    ----------
    graph, rng, delta, slack, method, solver
        As for :func:`car_verify`.

    Returns
    -------
    tuple of int
        Edges, one a position; where the rounds end before one is verified, the winner for all that
        the duels of all copies say (:mod:`cpe_opt.learners.matchings.condorcet_guess`).

    References
    ----------
    Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020,
    Algorithm 3.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> duels = cpe.planted_condorcet(3, 2, gap=0.2, seed=1)
    >>> trace = cpe.simulate("car-parallel", duels, delta=0.005, seed=0)
    >>> trace.answer, trace.proved
    ((0, 4), True)
    """
    check_small(delta)
    copies: list[_Copy] = []
    bounds = PairBounds(graph)  # of the duels of all copies
    t = 0

    def asked(query: Duel, duels: int) -> Generator[Duel, int, int]:
        won = yield Duel(query.i, query.j, duels)
        bounds.add(query.i, query.j, won, duels)
        return won

    try:
        while True:
            # Up to round t + span nobody finishes a query, and nobody starts: play it as one batch.
            due = [copy.finishes_after(t) for copy in copies if copy.query is not None]
            starts = 2 ** len(copies)
            until = min([*due, starts])
            for copy in copies:
                duels = until // copy.period - t // copy.period
                if copy.query is None or not duels:
                    continue
                copy.receive((yield from asked(copy.query, duels)), duels)
                if copy.answer is not None:
                    return copy.answer
            t = until
            if t == starts:
                k = len(copies)
                settings = {
                    "delta": delta / 2 ** (k + 1),
                    "slack": slack,
                    "method": method,
                    "solver": solver,
                }
                copies.append(_Copy(Exchange(car_verify, graph, **settings), 2**k))
                first = copies[-1].query
                if first is not None:  # round 2^k is its first
                    copies[-1].receive((yield from asked(first, 1)), 1)
                if copies[-1].answer is not None:
                    return copies[-1].answer
    except HorizonReached:
        return condorcet_guess(graph, bounds.estimates())


class _Copy:
    """A copy of CAR-Verify that has one duel every ``period`` rounds."""

    def __init__(self, exchange: Exchange, period: int) -> None:
        self.period = period
        self._exchange = exchange
        self._won, self._missing = 0, 0
        self._begin()

    @property
    def query(self) -> Duel | None:
        """What it waits for; None once it has ended."""
        query: Duel | None = self._exchange.query
        return query

    @property
    def answer(self) -> tuple[int, ...] | None:
        """The matching that it has verified, if any."""
        answer: tuple[int, ...] | None = self._exchange.answer
        return answer

    def finishes_after(self, t: int) -> int:
        """The round at which its query is answered."""
        return (t // self.period + self._missing) * self.period

    def receive(self, won: int, duels: int) -> None:
        """Count duels of its query; the last one lets it go on."""
        self._won += won
        self._missing -= duels
        if not self._missing:
            self._exchange.tell(self._won)
            self._begin()

    def _begin(self) -> None:
        """Nothing of the next query is answered yet."""
        self._won, self._missing = 0, self.query.times if self.query else 0
