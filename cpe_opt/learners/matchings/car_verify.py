r"""CAR-Verify and CAR-Parallel: the Condorcet winner among matchings, verified.

**CAR-Verify** (Algorithm 4) finds a matching :math:`\hat M` by CAR-Cond with the constant
confidence 0.01, and verifies it with confidence δ: in every round, with bounds
:math:`\bar P, \underline P` from duels of this stage alone,

- give up where :math:`\max_{M \ne \hat M} f(M, \hat M, \underline P) \ge \frac12`;
- return :math:`\hat M` where :math:`\max_{M \ne \hat M} f(M, \hat M, \bar P) \le \frac12`;
- else duel, of the pairs at positions where the maximiser :math:`M_t` and :math:`\hat M` differ,
  the one with the largest radius.

A best matching other than :math:`\hat M` is the best of ℓ problems that each forbid one of its
edges.

**CAR-Parallel** (Algorithm 3) runs copies k = 0, 1, 2, … of CAR-Verify with confidences
:math:`\delta / 2^{k+1}`; in its round t every copy with :math:`2^k \mid t` has one duel; the first
answer is its answer, and copies that give up are dropped. A run that got a wrong :math:`\hat M` so
costs little, and the cost of finding it is not multiplied by ln(1/δ).
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.learners.dueling.sign_tests import checked_delta
from cpe_opt.learners.matchings.car_cond import PairBounds, Slack, accept_and_reject
from cpe_opt.learners.matchings.rivals import Rivals
from cpe_opt.learners.observations import guarded
from cpe_opt.learners.queries import Unproved
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.queries import Duel

FIRST_STAGE = 0.01


@guarded(endless_if="the Condorcet winner ties with another matching")
def car_verify(
    graph: BipartiteGraph,
    *,
    rng: np.random.Generator | None = None,
    delta: float = 0.005,
    slack: Slack = "paper",
    solver: str = "highs",
    max_samples: int | None = None,
) -> Generator[Duel, int, tuple[int, ...] | Unproved]:
    """Find the Condorcet winner; a wrong answer has probability at most delta.

    Parameters
    ----------
    graph : BipartiteGraph
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    delta : float
        Between 0 and 0.01.
    slack, solver
        As for :func:`cpe_opt.learners.matchings.car_cond`.
    max_samples : int, optional
        As for :func:`cpe_opt.learners.matchings.car_cond`.

    Returns
    -------
    tuple of int or None
        Edges, one a position; None, not proved, where verification gives up.

    References
    ----------
    Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020,
    Algorithm 4.
    """
    _check_small(delta)
    chosen, _ = yield from accept_and_reject(
        graph, delta=FIRST_STAGE, slack=slack, solver=solver, certify=True
    )
    if chosen is not None and (yield from verify(graph, chosen, delta)):
        return chosen
    return Unproved(
        None,
        "the verification gave up: its first stage erred, or there is no Condorcet winner",
    )


def verify(
    graph: BipartiteGraph, chosen: tuple[int, ...], delta: float
) -> Generator[Duel, int, bool]:
    """Whether a matching is the Condorcet winner, with confidence ``delta``."""
    rivals = Rivals(graph, chosen)
    mine = np.array(chosen)
    half = graph.positions / 2.0
    bounds = PairBounds(graph)
    t = 1
    while True:
        upper, lower = bounds.bounds(t, delta)
        if rivals.strongest(lower)[1] >= half:
            return False
        rival, most = rivals.strongest(upper)
        if rival is None or most <= half:
            return True
        differing = np.flatnonzero(rival != mine)
        radius = bounds.radius(t, delta)[rival[differing], mine[differing]]
        place = int(differing[int(radius.argmax())])
        e, f = int(rival[place]), int(mine[place])
        bounds.add(e, f, (yield Duel(e, f)))
        t += 1


@guarded(endless_if="there is no Condorcet winner, or it ties with another matching")
def car_parallel(
    graph: BipartiteGraph,
    *,
    rng: np.random.Generator | None = None,
    delta: float = 0.005,
    slack: Slack = "paper",
    solver: str = "highs",
    max_samples: int | None = None,
) -> Generator[Duel, int, tuple[int, ...]]:
    """Find the Condorcet winner with probability at least 1 - delta.

    Where there is none, every copy gives up and it does not stop by itself.

    Parameters
    ----------
    graph, rng, delta, slack, solver
        As for :func:`car_verify`.
    max_samples : int, optional
        As for :func:`cpe_opt.learners.matchings.car_cond`.

    Returns
    -------
    tuple of int
        Edges, one a position.

    References
    ----------
    Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020,
    Algorithm 3.
    """
    _check_small(delta)
    copies: list[_Copy] = []
    t = 0
    while True:
        # Up to round t + span nobody finishes a query, and nobody starts: play it as one batch.
        due = [copy.finishes_after(t) for copy in copies if copy.query is not None]
        starts = 2 ** len(copies)
        until = min([*due, starts])
        for copy in copies:
            duels = until // copy.period - t // copy.period
            if copy.query is None or not duels:
                continue
            query = copy.query
            copy.receive((yield Duel(query.i, query.j, duels)), duels)
            if copy.answer is not None:
                return copy.answer
        t = until
        if t == starts:
            k = len(copies)
            learner = car_verify(graph, delta=delta / 2 ** (k + 1), slack=slack, solver=solver)
            copies.append(_Copy(learner, 2**k))
            first = copies[-1].query
            if first is not None:  # round 2^k is its first
                copies[-1].receive((yield Duel(first.i, first.j)), 1)
            if copies[-1].answer is not None:
                return copies[-1].answer


class _Copy:
    """A copy of CAR-Verify that has one duel every ``period`` rounds.

    ``query`` is what it waits for, None once it has ended; ``answer`` its answer, if any.
    """

    def __init__(self, learner: Generator[Duel, int, tuple[int, ...] | None], period: int) -> None:
        self.period = period
        self.query: Duel | None = None
        self.answer: tuple[int, ...] | None = None
        self._learner, self._missing, self._won = learner, 0, 0
        self._resume(None)

    def finishes_after(self, t: int) -> int:
        """The round at which its query is answered."""
        return (t // self.period + self._missing) * self.period

    def receive(self, won: int, duels: int) -> None:
        """Count duels of its query; the last one lets it go on."""
        self._won += won
        self._missing -= duels
        if not self._missing:
            self._resume(self._won)

    def _resume(self, observation: int | None) -> None:
        try:
            self.query = (
                next(self._learner) if observation is None else self._learner.send(observation)
            )
        except StopIteration as finished:
            self.query, self.answer = None, finished.value
            return
        self._missing, self._won = self.query.times, 0


def _check_small(delta: float) -> None:
    if checked_delta(delta, None) >= FIRST_STAGE:
        raise InputError(f"delta is {delta}, expected less than {FIRST_STAGE}")
