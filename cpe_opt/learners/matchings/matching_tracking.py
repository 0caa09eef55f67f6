r"""Track and stop: the Condorcet winner among matchings with a proof.

- *Goal.* The matching x that is preferred to all others.
- *Proof.* For another matching y let :math:`B(y) = \sum_e (P_{x_j e} - \frac12)` be the lead of x,
  over the edges e that y has and x has not. The blocks for x duel :math:`x_j` against edges e of
  each position j, with one weight for all y, their cost: where :math:`B(y) \le 0`,
  :math:`E_y` is a supermartingale that starts at 1 (:mod:`cpe_opt.proofs.blocks`). Its S and V are
  sums over edges, so that assignments find the y that is told apart from x worst. Matchings are
  candidates that are taken up one after the other: x is wrong if some :math:`B(y) \le 0`, also
  where there is no Condorcet winner.
- *Plan.* The first block is one duel of every comparable pair. Each later one is for the matching x
  that is the likeliest winner by all duels so far
  (:mod:`cpe_opt.learners.matchings.pair_bounds`), and duels its edges alone, each against the
  others at its position, by the optimal exploration at the estimates (:class:`Candidate`, with the
  program of :mod:`cpe_opt.formulations.inverse_rows`): at least one duel of each. Where some
  matching beats x by the estimates, as it then does any other, a block has as many duels of every
  pair.

A matching is *taken up*, and its proof begins, once its likelihood ratio,
:math:`\min_y 2 \hat B(y)^2 / \sum_e N_e^{-1}`, is above 1: earlier the likeliest one changes often,
and each that is taken up makes the weight of the next one smaller. Its blocks cost half of what is
missing for the proof by the estimates, :math:`T^*(\hat P)` times the evidence, before that what is
missing for it to be taken up; no more than a quarter of all before.

**Votes from before** the first block count in the estimates: they say which matching is
the likeliest, and how its proof is the cheapest. They are no part of the proof, which must not
count what led to the matching.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formulations.inverse_rows import InverseRows
from cpe_opt.formulations.subsets.alternatives import MOST_ALTERNATIVES, nearest_sets
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.matchings.pair_bounds import PairBounds, condorcet_guess
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.tracking import (
    Checkpoint,
    DuelBlocks,
    evidence_so_far,
    relative_prices,
    track,
    whole_duels,
)
from cpe_opt.problems.matchings.bipartite import BipartiteGraph, checked_edge_prices
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.proofs.blocks import BlockMixture, CommonWeights, Pace, log_weight
from cpe_opt.proofs.subsets.optimistic_gap import OptimisticGap, SetPool
from cpe_opt.solvers.options import solver_option
from cpe_opt.ties import in_bits, on_grid
from cpe_opt.validation import ErrorProbability, PositiveInt

_TAKEN_UP = 1.0
_PACE = Pace(part=0.5, growth=0.25)
_STEPS = 300
_DRAWN = 0.5
_UNKNOWN = 0.5
_ROUNDS, _MULTIPLIERS = 3, 4
_BITS, _CENTRE_BITS = 24, 12


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
    delta: ErrorProbability = 0.05,
    prices: npt.ArrayLike | None = None,
    prior: npt.ArrayLike | None = None,
    parallel: PositiveInt = 1,
    method: SubsetMethod | None = None,
    solver: str | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Duel | Batch, Any, tuple[int, ...] | Unproved]:
    """Find the Condorcet winner with probability at least 1 - delta.

    If there is none it answers with probability at most delta.

    Parameters
    ----------
    prices : array_like, optional
        What a duel of each pair of edges costs, as for :func:`cpe_opt.matching_time`.
    prior : array_like, shape (m, m), optional
        How often the row's edge won against the column's before the first duel, ties half a win.
        They are in the estimates, not in the proof.
    parallel : int
        How many duels may be open at once: above 1, blocks are asked for in batches of at least so
        many, spread over all pairs.
    method, solver : str, optional
        Of the heaviest matchings that the likeliest winner and its rivals are, as for
        :func:`cpe_opt.best_matching`: by default an algorithm; ``program``, the default with a
        solver, solves their programs at every block.

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
    charged = relative_prices(checked_edge_prices(prices, graph))
    oracle = SubsetOracle(Matchings(graph), method, **solver_option(solver))
    tracker = MatchingTracker(graph, delta, charged, parallel, prior, oracle)
    answer: tuple[int, ...] | Unproved = yield from track(tracker, checkpoint)
    return answer


class MatchingTracker(DuelBlocks):
    """The duels so far, the matchings taken up, and the next block, of ``parallel`` duels."""

    def __init__(
        self,
        graph: BipartiteGraph,
        delta: float,
        prices: FloatArray,
        parallel: int = 1,
        prior: npt.ArrayLike | None = None,
        oracle: SubsetOracle | None = None,
    ) -> None:
        super().__init__(prices, parallel)
        self._graph, self._delta = graph, delta
        self._oracle = SubsetOracle(Matchings(graph)) if oracle is None else oracle
        self._listed: FloatArray | None = None
        with suppress(InputError):  # too many
            self._listed = self._oracle.decisions.indicator_matrix(MOST_ALTERNATIVES)
        self._candidates: dict[tuple[int, ...], Candidate] = {}
        self._pairs = tuple(graph.pairs.T)
        self._counted = False
        self._bounds = PairBounds(graph)
        if prior is not None:
            self._recall(prior)
        self.best = self.guess()
        nothing = np.zeros(graph.size)
        self._proved = self._oracle.maximise_other(nothing, self.best) is None

    def _recall(self, prior: npt.ArrayLike) -> None:
        """Count the duels that were made before."""
        wins, size = checked_array("prior", prior), self._graph.size
        if wins.shape != (size, size) or not (np.isfinite(wins) & (wins >= 0.0)).all():
            raise InputError(
                f"prior: expected {size} × {size} numbers of wins, one row per edge, none below 0"
            )
        for e, f in self._graph.pairs.tolist():
            duels = wins[e, f] + wins[f, e]
            if duels:
                self._bounds.add(e, f, wins.item(e, f), duels.item())

    def proved(self) -> tuple[int, ...] | None:
        """The matching of the last block, if it is proved."""
        return self.best if self._proved else None

    def guess(self) -> tuple[int, ...]:
        """The likeliest winner by all duels."""
        return condorcet_guess(self._graph, self._bounds.estimates(), oracle=self._oracle)

    def doubt(self) -> str:
        """How well it is proved, where that is known."""
        candidate, evidence = self._candidates.get(self.guess()), 0.0
        if candidate is not None and candidate.taken_up and candidate.complete:
            evidence = candidate.evidence() - candidate.level - math.log(self._delta)
        return evidence_so_far(evidence, self._delta)

    def add(self, i: int, j: int, won: int, times: int) -> None:
        """Count duels of a pair of edges."""
        self._bounds.add(i, j, won, times)

    def judge(self, won: FloatArray, planned: IntArray, cost: float) -> None:
        """Whether all blocks for the matching prove it."""
        if self._counted:
            against, candidate = self._against(self.best), self._candidates[self.best]
            candidate.add(won[against], planned[against], cost)
            self._proved = candidate.proved()

    def plan(self) -> IntArray:
        """The duels of each pair of edges, symmetric; shape (m, m)."""
        self._counted = False
        if not self._bounds.draws[self._pairs].all():
            return self._alike(1)
        self.best = self.guess()
        against = self._against(self.best)
        candidate = self._candidate(self.best)
        draws = self._bounds.draws[against]
        plan = candidate.explore(self._bounds.estimates()[against] * draws, draws)
        if plan.likelihood_ratio == 0.0:
            once = float(self.prices[self._pairs].sum())
            return self._alike(max(1, math.floor(_PACE.growth * self.spent / once)))
        if not candidate.taken_up and plan.likelihood_ratio >= _TAKEN_UP:
            number = sum(each.taken_up for each in self._candidates.values()) + 1
            candidate.take_up(plan.centre, -math.log(self._delta) - log_weight(number))
        self._counted = candidate.taken_up
        there = candidate.evidence() if candidate.taken_up else plan.likelihood_ratio
        missing = max(0.0, candidate.level - max(0.0, there))
        used = plan.shares > 0.0
        least = float(self.prices[against][used].sum())
        cost = _PACE.cost(self.spent, plan.time * missing, least)
        duels = np.zeros(self._graph.size, dtype=np.int64)
        duels[used] = whole_duels(cost * plan.shares[used], self.parallel)
        planned = np.zeros(self.prices.shape, dtype=np.int64)
        planned[against] = duels
        return planned + planned.T

    def _alike(self, times: int) -> IntArray:
        """At least ``times`` duels of every comparable pair."""
        planned = np.zeros(self.prices.shape, dtype=np.int64)
        planned[self._pairs] = max(times, math.ceil(self.parallel / len(self._pairs[0])))
        return planned + planned.T

    def _against(self, matching: tuple[int, ...]) -> tuple[IntArray, IntArray]:
        """Of each edge the matching's at its position, and the edge: an index of pairs."""
        return np.array(matching)[self._graph.position], np.arange(self._graph.size)

    def _candidate(self, matching: tuple[int, ...]) -> Candidate:
        if matching not in self._candidates:
            # Lists may be long, and most candidates are never taken up.
            kept = {one: each for one, each in self._candidates.items() if each.taken_up}
            prices = self.prices[self._against(matching)]
            kept[matching] = Candidate(self._oracle, self._listed, matching, prices)
            self._candidates = kept
        return self._candidates[matching]


class BlockPlan(NamedTuple):
    """How the next duels are shared out."""

    shares: FloatArray  # of the duels against each edge for a cost of 1, shape (m,)
    time: float  # T* at the leads it is made for
    # The likeliest ratio of S to V in blocks of this plan, with their cost as the weight.
    centre: float
    likelihood_ratio: float  # the least 2 B² / sum 1/N of all duels so far; 0 where a lead is none


class Candidate:
    r"""A matching x, what its blocks prove, and which duels would tell it from all others.

    Of the duels so far, of x's edges against the others at their positions, :math:`\hat B(y)` is
    the estimate of the lead over another matching y and :math:`s_y^2 = \frac14 \sum_e N_e^{-1}` its
    variance, at most, with half a duel more of every pair, half of that won. The plan is the
    optimal exploration (:func:`cpe_opt.matching_time`) at the leads
    :math:`\max(\hat B(y), s_y/2)`: a lead that is not known yet is taken for a small one, and its
    edges are duelled the more.

    All other matchings are listed, or, where there are more than 20,000, those are known that
    assignments have found: for every edge that is not in x the best for the estimate that has it,
    and those that are told apart worst by a plan, or in a proof. ``complete`` says whether all are
    known.
    """

    def __init__(
        self,
        oracle: SubsetOracle,
        listed: FloatArray | None,  # the indicators of all matchings, shape (J, m)
        matching: tuple[int, ...],
        prices: FloatArray,  # of a duel of the matching's edge against each edge, shape (m,)
    ) -> None:
        self._oracle, self._matching, self._prices = oracle, matching, prices
        self._listed, self._pool = listed, SetPool(oracle.decisions)
        self.complete = listed is not None
        self._know(())
        self.taken_up, self.level = False, _TAKEN_UP

    def take_up(self, centre: float, level: float) -> None:
        """Its blocks begin, with the likeliest S/V, and prove it at this level of ``ln E``."""
        self.taken_up, self.level = True, level
        mixture = BlockMixture.around(float(in_bits(centre, _CENTRE_BITS)))
        self.blocks = CommonWeights(len(self._prices), mixture)

    def add(self, won: FloatArray, duels: IntArray, cost: float) -> None:
        """Count a block of duels against each edge; shapes (m,)."""
        duelled = duels > 0
        inverse = np.divide(1.0, duels, np.zeros(len(duels)), where=duelled)
        self.blocks.add(np.where(duelled, won * inverse - 0.5, 0.0), inverse / 4.0, cost)

    def evidence(self) -> float:
        """``ln E`` against the matching that it is the least against, of those that are known."""
        return float(self.blocks.log_e_values(self._rows).min())

    def proved(self) -> bool:
        """Whether ``ln E`` is at least its level against every other matching."""
        enough = self.evidence() >= self.level
        if self.complete or not enough:
            return enough
        radius, sums = self.blocks.radius(self.level), self.blocks.sums
        gap = OptimisticGap(self._oracle, self._pool, self._matching, -sums, radius)
        proved = gap.at_most(0.0) <= 0.0
        self._know(())
        return proved

    def explore(self, won: FloatArray, draws: FloatArray) -> BlockPlan:
        """The plan by the duels of the matching with each edge so far; shapes (m,)."""
        draws = draws + _DRAWN
        leads, inverse = (won + _DRAWN / 2.0) / draws - 0.5, 1.0 / draws
        leads[list(self._matching)] = inverse[list(self._matching)] = 0.0
        if not self.complete:
            others = set(range(len(leads))) - set(self._matching)
            weights = on_grid(-leads)
            self._know(nearest_sets(self._oracle, weights, self._matching, others))
        plan = self._exploration(leads, inverse)
        for _ in range(0 if self.complete else _ROUNDS):
            known, shares = len(self._rows), plan.shares
            inverse_shares = np.divide(1.0, shares, np.zeros_like(shares), where=shares > 0.0)
            self._know(self._worst(leads, inverse_shares))
            if len(self._rows) == known:
                break
            plan = self._exploration(leads, inverse)
        return plan

    def _exploration(self, leads: FloatArray, inverse: FloatArray) -> BlockPlan:
        """The plan for the rows that are there."""
        lead, spread = self._rows @ leads, self._rows @ inverse
        reach = np.maximum(lead, _UNKNOWN * np.sqrt(spread / 4.0))
        used = self._rows.any(axis=0)
        matrix = self._rows[:, used] / (2.0 * in_bits(reach, _BITS)[:, None] ** 2)
        program = InverseRows(self._prices[used], sp.csr_array(matrix))
        weights = program.balanced(_STEPS)
        amounts = program.feasible(program.amounts(weights))
        time = float(program.prices @ amounts)
        shares = np.zeros(len(leads))
        shares[used] = in_bits(amounts / time, _BITS)
        ratios = 4.0 * reach / (self._rows[:, used] @ (1.0 / shares[used]))
        centre = float(np.exp(weights @ np.log(ratios)))
        likelihood_ratio = float((2.0 * np.maximum(lead, 0.0) ** 2 / spread).min())
        return BlockPlan(shares, time, centre, likelihood_ratio)

    def _worst(self, leads: FloatArray, inverse: FloatArray) -> Iterator[tuple[int, ...]]:
        """Matchings with a large ratio of inverse duels to their squared lead."""
        lead = np.maximum(self._rows @ leads, 1e-9)
        unit = float((self._rows @ inverse / lead**2).max())
        for slope in np.geomspace(lead.min(), lead.max(), _MULTIPLIERS).tolist():
            weights = on_grid(inverse - 2.0 * unit * slope * leads)
            other = self._oracle.maximise_other(weights, self._matching)
            if other is not None:
                yield other

    def _know(self, others: Iterable[tuple[int, ...]]) -> None:
        """Let other matchings join the pool; rows are their edges that this one has not."""
        for other in others:
            self._pool.join(other)
        rows = (self._pool.vectors if self._listed is None else self._listed).copy()
        rows[:, list(self._matching)] = 0.0
        self._rows = np.unique(rows[rows.any(axis=1)], axis=0)
