r"""Track and stop: the Condorcet winner among matchings with a proof.

Duels come in blocks, each planned before it begins, and what they prove is said, with its proof, in
:mod:`cpe_opt.formulations.matchings.block_proof`. The first block is one duel of every comparable
pair. Each later one is for the matching x that is the likeliest winner by all duels so far
(:mod:`cpe_opt.learners.matchings.condorcet_guess`), and duels its edges alone, each against the
others at its position, by the optimal exploration at the estimates
(:mod:`cpe_opt.learners.matchings.matching_plan`): at least one duel of each. Where some matching
beats x by the estimates, as it then does any other, a block has as many duels of every pair.

A matching is *taken up*, and its proof begins, once its customary evidence,
:math:`\min_y 2 \hat B(y)^2 / \sum_e N_e^{-1}`, is above 1: earlier the likeliest one changes often,
and each that is taken up makes the weight of the next one smaller. Its blocks cost half of what is
missing for the proof by the estimates, :math:`T^*(\hat P)` times the evidence, before that what is
missing for it to be taken up; no more than a quarter of all before.

**Several duels at once.** A block is planned before its first duel, so that its duels may be made
in any order and be open together. With ``parallel`` above 1 a block is asked for in batches of at
least so many duels, each with its share of every pair; where it has fewer, its plan gets the same
number more of every pair.

**Votes that are there** before the first block count in the estimates: they say which matching is
the likeliest, and how its proof is the cheapest. They are no part of the proof, which must not
count what led to the matching.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.learners.blocks import batches_of, evidence_so_far
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.matchings.block_tracker import BlockTracker
from cpe_opt.learners.prices import relative_prices
from cpe_opt.learners.queries import HorizonReached, Unproved, ask_all
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.prices import checked_edge_prices
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import checked_count, checked_delta


@declare(
    family="matchings",
    goal="identification",
    guarantee="the Condorcet winner with probability at least 1 - delta; duels near T* ln(1/delta)",
    paper="ours; after Garivier, Kaufmann (COLT 2016)",
    endless_if="there is no Condorcet winner, or it ties with another matching",
    batches="as many duels of a block as the parameter parallel says, or more, if above 1",
    starts="votes at positions, in the estimates alone",
)
def matching_tracking(
    graph: BipartiteGraph,
    *,
    rng: np.random.Generator | None = None,
    delta: float = 0.05,
    prices: npt.ArrayLike | None = None,
    counts: npt.ArrayLike | None = None,
    parallel: int = 1,
) -> Generator[Duel | Batch, Any, tuple[int, ...] | Unproved]:
    """Find the Condorcet winner with probability at least 1 - delta.

    Where there is none it answers with probability at most delta.

    Parameters
    ----------
    graph : BipartiteGraph
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    delta : float
        The probability of a wrong answer, between 0 and 1.
    prices : array_like, optional
        What a duel of each pair of edges costs, as for :func:`cpe_opt.matching_time`.
    counts : array_like, shape (m, m), optional
        How often the row's edge won against the column's before the first duel, ties half a win.
        They are in the estimates, not in the proof.
    parallel : int
        How many duels may be open at once: above 1, blocks are asked for in batches of at least so
        many, spread over all pairs.

    Returns
    -------
    tuple of int
        Edges, one a position; where the rounds end before it is proved, the likeliest winner.

    References
    ----------
    Garivier, Kaufmann, "Optimal Best Arm Identification with Fixed Confidence", COLT 2016.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> duels = cpe.planted_condorcet(3, 2, gap=0.2, seed=1)
    >>> trace = cpe.simulate("matching-tracking", duels, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((0, 4), True)
    """
    checked_count("parallel", parallel)
    charged = relative_prices(checked_edge_prices(prices, graph))
    tracker = BlockTracker(graph, checked_delta(delta, None), charged)
    if counts is not None:
        tracker.start(counts)
    try:
        while not tracker.proved:
            planned = tracker.block(parallel)
            won = np.zeros(planned.shape)
            for duels in batches_of(planned, parallel):
                wins = yield from ask_all(duels)
                for duel, won_by_i in zip(duels, wins, strict=True):
                    won[duel.i, duel.j] += won_by_i
                    won[duel.j, duel.i] += duel.times - won_by_i
                    tracker.bounds.add(duel.i, duel.j, won_by_i, duel.times)
            tracker.add(won, planned)
        return tracker.best
    except HorizonReached:
        return Unproved(tracker.guess(), evidence_so_far(tracker.evidence_of_guess(), delta))
