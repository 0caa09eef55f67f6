r"""Track and stop: the Condorcet winner among matchings with a proof.

Duels come in blocks, each planned before it begins, and what they prove is said, with its proof, in
:mod:`cpe_opt.proofs.matchings.blocks`. The first block is one duel of every comparable pair. Each
later one is for the matching x that is the likeliest winner by all duels so far
(:mod:`cpe_opt.learners.matchings.condorcet_guess`), and duels its edges alone, each against the
others at its position, by the optimal exploration at the estimates
(:mod:`cpe_opt.learners.matchings.matching_tracking`): at least one duel of each. Where some
matching beats x by the estimates, as it then does any other, a block has as many duels of every
pair.

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

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formulations.inverse_rows import InverseRows
from cpe_opt.formulations.subsets.alternatives import MOST_ALTERNATIVES
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.blocks import batches_of, evidence_so_far
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.matchings.condorcet_guess import condorcet_guess
from cpe_opt.learners.matchings.pair_bounds import PairBounds
from cpe_opt.learners.prices import relative_prices
from cpe_opt.learners.queries import HorizonReached, Unproved, ask_all
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.prices import checked_edge_prices
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.proofs.matchings.blocks import MatchingBlocks, certificate, log_weight
from cpe_opt.proofs.subsets.optimistic_gap import SetPool
from cpe_opt.ties import in_bits, on_grid
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


# The blocks of :mod:`cpe_opt.learners.matchings.matching_tracking`, and what is proved by them.


_TAKEN_UP = 1.0
_LEFT, _GROWTH = 0.5, 0.25


class BlockTracker:
    """The duels so far, the matchings taken up, and the next block.

    Parameters
    ----------
    graph : BipartiteGraph
    delta : float
    prices : float array, shape (m, m)

    Attributes
    ----------
    bounds : PairBounds
        All duels.
    best : tuple of int
        The matching that the last block was for.
    proved : bool
        Whether it is proved.
    """

    def __init__(self, graph: BipartiteGraph, delta: float, prices: FloatArray) -> None:
        self._graph, self._matchings = graph, Matchings(graph)
        self._delta, self._prices = delta, prices
        self._listed = listed_matchings(self._matchings)
        self._proofs: dict[tuple[int, ...], tuple[MatchingBlocks, float]] = {}
        self._rivals: dict[tuple[int, ...], Rivals] = {}
        self._pairs = tuple(graph.pairs.T)
        self._every = np.arange(graph.size)
        self._spent = self._evidence = 0.0
        self._counted = False
        self.bounds = PairBounds(graph)
        self.best = self.guess()
        self.proved = self._rivals_of(self.best).none

    def start(self, counts: npt.ArrayLike) -> None:
        """Count the duels that are there.

        Raises
        ------
        InputError
            Where these are no numbers of wins.
        """
        wins, size = checked_array("counts", counts), self._graph.size
        if wins.shape != (size, size) or not (np.isfinite(wins) & (wins >= 0.0)).all():
            raise InputError(
                f"counts: expected {size} × {size} numbers of wins, one row an edge, none below 0"
            )
        for e, f in self._graph.pairs.tolist():
            duels = wins[e, f] + wins[f, e]
            if duels:
                self.bounds.add(e, f, wins.item(e, f), duels.item())

    def guess(self) -> tuple[int, ...]:
        """The likeliest winner by all duels."""
        return condorcet_guess(self._graph, self.bounds.estimates())

    def evidence_of_guess(self) -> float:
        """How well it is proved, as the logarithm of 1/delta; 0 where that is not known."""
        guess = self.guess()
        rivals = self._rivals_of(guess)
        if guess not in self._proofs or not rivals.complete:
            return 0.0
        proof, weight = self._proofs[guess]
        return rivals.evidence(proof) + weight

    def block(self, least: int) -> IntArray:
        """The duels of each pair of edges, symmetric, at least so many in all; shape (m, m)."""
        self._counted = False
        if not self.bounds.draws[self._pairs].all():
            return self._alike(1, least)
        self.best = self.guess()
        met = np.array(self.best)[self._graph.position]
        draws = self.bounds.draws[met, self._every]
        won = self.bounds.estimates()[met, self._every] * draws
        plan = self._rivals_of(self.best).explore(won, draws)
        if plan.customary == 0.0:
            once = float(self._prices[self._pairs].sum())
            return self._alike(max(1, math.floor(_GROWTH * self._spent / once)), least)
        if self.best not in self._proofs and plan.customary >= _TAKEN_UP:
            weight = log_weight(len(self._proofs) + 1)
            self._proofs[self.best] = MatchingBlocks(self._graph.size, plan.centre), weight
        return self._shared(plan, met, least)

    def add(self, won: FloatArray, planned: IntArray) -> None:
        """Count a block: how often the row's edge won against the column's, shape (m, m)."""
        cost = float((np.triu(planned) * self._prices).sum())
        self._spent += cost
        if self._counted:
            met = np.array(self.best)[self._graph.position]
            proof, weight = self._proofs[self.best]
            proof.add(won[met, self._every], planned[met, self._every], cost)
            level = -math.log(self._delta) - weight
            self.proved = self._rivals_of(self.best).proves(proof, level)

    def _shared(self, plan: Exploration, met: IntArray, least: int) -> IntArray:
        """A block for the best matching."""
        prices = self._prices[met, self._every]
        needed, there = _TAKEN_UP, plan.customary
        if self.best in self._proofs:
            proof, weight = self._proofs[self.best]
            needed = -math.log(self._delta) - weight
            there = self._rivals_of(self.best).evidence(proof) if proof.variances.any() else 0.0
            self._counted = True
        missing = max(0.0, needed - max(0.0, there))
        used = plan.shares > 0.0
        once = float(prices[used].sum())
        budget = max(once, min(_GROWTH * self._spent, _LEFT * plan.time * missing))
        duels = np.where(used, np.maximum(1.0, np.floor(budget * plan.shares)), 0.0)
        duels[used] += max(0, math.ceil((least - duels.sum()) / used.sum()))
        planned = np.zeros((self._graph.size, self._graph.size), dtype=np.int64)
        planned[met, self._every] = planned[self._every, met] = duels.astype(np.int64)
        return planned

    def _alike(self, times: int, least: int) -> IntArray:
        """So many duels of every comparable pair, or more."""
        planned = np.zeros((self._graph.size, self._graph.size), dtype=np.int64)
        planned[self._pairs] = max(times, math.ceil(least / len(self._pairs[0])))
        return planned + planned.T

    def _rivals_of(self, matching: tuple[int, ...]) -> Rivals:
        if matching not in self._rivals:
            # Lists may be long, and most candidates are never taken up.
            self._rivals = {one: self._rivals[one] for one in self._rivals if one in self._proofs}
            prices = self._prices[np.array(matching)[self._graph.position], self._every]
            self._rivals[matching] = Rivals(self._matchings, self._listed, matching, prices)
        return self._rivals[matching]


# Which duels would prove that a matching is preferred to all others.
#
# Of the duels so far, of x's edges against the others at their positions, :math:`\hat B(y)` is the
# estimate of the lead over another matching y and :math:`s_y^2 = \frac14 \sum_e N_e^{-1}` its
# variance, at most, with half a duel more of every pair, half of that won. The plan is the optimal
# exploration (:func:`cpe_opt.matching_time`) at the leads :math:`\max(\hat B(y), s_y/2)`: a lead
# that is not known yet is taken for a small one, and its edges are duelled the more.
#
# All other matchings are listed, or, where there are more than 20,000, those that have been the
# worst in some way so far: for every edge that is not in x the best for the estimate that has it,
# and those that assignments find against each plan.


_STEPS = 300
_DRAWN = 0.5
_UNKNOWN = 0.5
_ROUNDS, _MULTIPLIERS = 3, 4
_BITS = 24


@dataclass(frozen=True, eq=False)
class Exploration:
    """How the next duels are shared out.

    Attributes
    ----------
    shares : float array, shape (m,)
        Of the duels against each edge for a cost of 1.
    time : float
        T* at the leads it is made for.
    centre : float
        The likeliest ratio of S to V in blocks of this plan, with their cost as the scale.
    customary : float
        The least ``2 B² / sum 1/N`` of all duels so far; 0 where a lead is none.
    """

    shares: FloatArray
    time: float
    centre: float
    customary: float


class Rivals:
    """All matchings other than one, or the worst of them.

    Parameters
    ----------
    matchings : Matchings
    listed : float array, shape (J, m), or None
        The indicators of all matchings, where they can be listed.
    winner : tuple of int
        The matching to be told from the others.
    prices : float array, shape (m,)
        Of a duel against each edge.

    Attributes
    ----------
    complete : bool
        Whether all are known.
    """

    def __init__(
        self,
        matchings: Matchings,
        listed: FloatArray | None,
        winner: tuple[int, ...],
        prices: FloatArray,
    ) -> None:
        self.complete = listed is not None
        self._matchings, self._winner, self._prices = matchings, winner, prices
        self._oracle, self._found = SubsetOracle(matchings), SetPool(matchings)
        self._rows = np.zeros((0, matchings.size))
        if listed is not None:
            self._take(listed)

    @property
    def none(self) -> bool:
        """Whether there is no other matching."""
        return self._oracle.maximise_other(np.zeros(self._matchings.size), self._winner) is None

    def explore(self, won: FloatArray, draws: FloatArray) -> Exploration:
        """The plan by the duels of the matching with each edge so far; shapes (m,)."""
        draws = draws + _DRAWN
        leads, inverse = (won + _DRAWN / 2.0) / draws - 0.5, 1.0 / draws
        leads[list(self._winner)] = inverse[list(self._winner)] = 0.0
        if not self.complete:
            self._nearest(leads)
        exploration = self._shared(leads, inverse)
        for _ in range(0 if self.complete else _ROUNDS):
            before = len(self._rows)
            shared = exploration.shares > 0.0
            self._against(
                leads, np.where(shared, 1.0 / np.where(shared, exploration.shares, 1.0), 0.0)
            )
            if len(self._rows) == before:
                break
            exploration = self._shared(leads, inverse)
        return exploration

    def evidence(self, proof: MatchingBlocks) -> float:
        """``ln E`` against the rival that it is the least against, of those that are known."""
        return float(proof.log_e_values(self._rows).min())

    def proves(self, proof: MatchingBlocks, level: float) -> bool:
        """Whether ``ln E`` is at least ``level`` against every other matching."""
        if self.evidence(proof) < level or self.complete:
            return self.evidence(proof) >= level
        certified = certificate(self._oracle, self._found, self._winner, proof, level)
        if certified.rival is not None:
            self._take(indicators([certified.rival], self._matchings.size))
        return certified.proved

    def _shared(self, leads: FloatArray, inverse: FloatArray) -> Exploration:
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
        customary = float((2.0 * np.maximum(lead, 0.0) ** 2 / spread).min())
        return Exploration(shares, time, centre, customary)

    def _nearest(self, leads: FloatArray) -> None:
        """For every edge the best matching that has it."""
        found = []
        for edge in range(self._matchings.size):
            if edge not in self._winner:
                other = self._oracle.maximise(on_grid(-leads), include=(edge,))
                if other is not None:
                    found.append(other)
        self._take(indicators(list(dict.fromkeys(found)), self._matchings.size))

    def _against(self, leads: FloatArray, inverse: FloatArray) -> None:
        """Matchings with a large ratio of inverse duels to their squared lead."""
        lead = np.maximum(self._rows @ leads, 1e-9)
        slopes = np.geomspace(lead.min(), lead.max(), _MULTIPLIERS)
        unit = float((self._rows @ inverse / lead**2).max())
        found = [
            self._oracle.maximise_other(on_grid(inverse - 2.0 * unit * slope * leads), self._winner)
            for slope in slopes.tolist()
        ]
        others = list(dict.fromkeys(other for other in found if other is not None))
        self._take(indicators(others, self._matchings.size))

    def _take(self, sets: FloatArray) -> None:
        """Add rows of matchings; those that are there, and the winner itself, are left out."""
        rows = sets.copy()
        rows[:, list(self._winner)] = 0.0
        self._rows = np.unique(np.vstack([self._rows, rows[rows.any(axis=1)]]), axis=0)


def listed_matchings(matchings: Matchings) -> FloatArray | None:
    """The indicators of all matchings, shape (J, m); None where they are too many."""
    try:
        return matchings.indicator_matrix(MOST_ALTERNATIVES)
    except InputError:
        return None
