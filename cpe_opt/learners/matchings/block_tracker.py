"""The blocks of :mod:`cpe_opt.learners.matchings.matching_tracking`, and what is proved by them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formulations.matchings.block_proof import BlockProof, log_weight
from cpe_opt.learners.matchings.condorcet_guess import condorcet_guess
from cpe_opt.learners.matchings.matching_plan import Exploration, Rivals, listed_matchings
from cpe_opt.learners.matchings.pair_bounds import PairBounds
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings

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
        self._proofs: dict[tuple[int, ...], tuple[BlockProof, float]] = {}
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
            self._proofs[self.best] = BlockProof(self._graph.size, plan.centre), weight
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
