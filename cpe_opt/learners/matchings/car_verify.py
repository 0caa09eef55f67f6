r"""CAR-Verify: the Condorcet winner among matchings, found and then verified.

Algorithm 4 finds a matching :math:`\hat M` by CAR-Cond with the constant
confidence 0.01, and verifies it with confidence δ: in every round, with bounds
:math:`\bar P, \underline P` from duels of this stage alone,

- give up where :math:`\max_{M \ne \hat M} f(M, \hat M, \underline P) \ge \frac12`;
- return :math:`\hat M` where :math:`\max_{M \ne \hat M} f(M, \hat M, \bar P) \le \frac12`;
- else duel, of the pairs at positions where the maximiser :math:`M_t` and :math:`\hat M` differ,
  the one with the largest radius.

A best matching other than :math:`\hat M` is the best of ℓ problems that each forbid one of its
edges. Rounds are counted from 1 again; a pair without a duel has the radius 1, as for CLUCB-Borda,
and of several pairs with the largest radius the one at the first position is duelled. The rounds of
CAR-Cond are batches; in the second stage each duel decides which is the next.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Annotated, Any, TypeAlias

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.matchings.car_cond import (
    CarMethod,
    EdgeSets,
    Slack,
    accept_and_reject,
    rivals_of,
)
from cpe_opt.learners.matchings.pair_bounds import PairBounds
from cpe_opt.learners.queries import HorizonReached, Unproved
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import LEAST_PROBABILITY, Interval

FIRST_STAGE = 0.01
SmallDelta: TypeAlias = Annotated[float, Interval(LEAST_PROBABILITY, FIRST_STAGE, "left")]
"""The probability of an error, below that of the first stage."""


@declare(
    family="matchings",
    goal="identification",
    guarantee="if there is a Condorcet winner, another answer has probability at most delta",
    paper="Chen, Du, Huang, Zhao (ICML 2020), Algorithm 4",
    endless_if="the Condorcet winner ties with another matching",
    batches="the rounds of its first stage; the second asks one query at a time",
)
def car_verify(
    graph: BipartiteGraph,
    *,
    rng: np.random.Generator | None = None,
    delta: SmallDelta = 0.005,
    slack: Slack = "paper",
    method: CarMethod = "certificates",
    solver: str | None = None,
) -> Generator[Duel | Batch, Any, tuple[int, ...] | Unproved]:
    """Find the Condorcet winner; a wrong answer has probability at most delta.

    Parameters
    ----------
    delta : float
        Between 0 and 0.01.
    slack, method, solver
        As for :func:`cpe_opt.learners.matchings.car_cond`.

    Returns
    -------
    tuple of int or None
        Edges, one a position; None, not proved, where verification gives up. Where the rounds end
        before, the matching that is being verified, or the guess of CAR-Cond.

    References
    ----------
    Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020,
    Algorithm 4.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> duels = cpe.planted_condorcet(3, 2, gap=0.2, seed=1)
    >>> trace = cpe.simulate("car-verify", duels, delta=0.005, seed=0)
    >>> trace.answer, trace.proved
    ((0, 4), True)
    """
    sets = EdgeSets(graph)
    chosen: tuple[int, ...] | None = None
    try:
        chosen = yield from accept_and_reject(
            sets, delta=FIRST_STAGE, slack=slack, method=method, solver=solver
        )
        if chosen is not None:
            verified = yield from verify(graph, chosen, delta, method, solver)
            if verified:
                return chosen
    except HorizonReached:
        return sets.guess() if chosen is None else chosen
    return Unproved(
        None, "the verification gave up: its first stage erred, or there is no Condorcet winner"
    )


def verify(
    graph: BipartiteGraph,
    chosen: tuple[int, ...],
    delta: float,
    method: CarMethod = "certificates",
    solver: str | None = None,
) -> Generator[Duel, int, bool]:
    """Whether a matching is the Condorcet winner, with confidence ``delta``."""
    rivals = rivals_of(graph, chosen, method, solver)
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
