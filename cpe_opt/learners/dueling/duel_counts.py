"""Counts and estimates of duels, kept by a learner pair by pair.

**Who beats whom by the estimates, and what evidence costs: what all empirical winners share.**

A duel that leaves every sign as it was changes one cost. Where an estimate reaches or crosses ½,
losses, winners and regrets are found again, when somebody next asks for them: of many such duels in
a row, as forced exploration makes them, only the last one costs that time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.problems.dueling.preferences import copeland_regret, unit_costs

_LN2 = math.log(2.0)


class DuelTally:
    """Draws, estimates and evidence of every pair of K arms: (K, K), symmetric or mirrored."""

    def __init__(self, arms: int) -> None:
        self.arms = arms
        self.draws: FloatArray = np.zeros((arms, arms))  # N_ij
        # the fraction of duels that i won against j; ½ without draws
        self.estimate: FloatArray = np.full((arms, arms), 0.5)
        self.divergence: FloatArray = np.zeros((arms, arms))  # `d_KL(estimate, 1/2)` in nats
        self.evidence: FloatArray = np.zeros((arms, arms))  # `draws * divergence`
        self._wins: list[list[float]] = [[0] * arms for _ in range(arms)]

    def add(self, i: int, j: int, won: float, times: int = 1) -> tuple[bool, float]:
        """Count duels, ties half a win; if the sign changed, and by how much the evidence grew."""
        wins = self._wins
        won_by_i, won_by_j = wins[i][j], wins[j][i]
        before = won_by_i - won_by_j
        wins[i][j] = won_by_i = won_by_i + won
        wins[j][i] = won_by_j = won_by_j + times - won
        ahead, draws = won_by_i - won_by_j, won_by_i + won_by_j
        divergence = bernoulli_divergence(ahead / draws)
        evidence = draws * divergence
        gained = evidence - self.evidence.item(i, j)
        self.draws[i, j] = self.draws[j, i] = draws
        self.estimate[i, j], self.estimate[j, i] = won_by_i / draws, won_by_j / draws
        self.divergence[i, j] = self.divergence[j, i] = divergence
        self.evidence[i, j] = self.evidence[j, i] = evidence
        return (before > 0) != (ahead > 0) or (before < 0) != (ahead < 0), gained

    def leads(self, i: int, j: int) -> bool:
        """Whether i has won more duels against j than it lost."""
        return self._wins[i][j] > self._wins[j][i]

    @property
    def beaten(self) -> BoolArray:
        """Whether the estimate says that j beats i."""
        return np.asarray(self.estimate < 0.5)


def bernoulli_divergence(margin: float) -> float:
    """``d_KL(p, 1/2)`` for ``p = (1 + margin) / 2``; accurate near ½, alike on every machine."""
    square = margin * margin
    if square < 1e-3:
        divergence = square / 2 * (1 + square / 6 * (1 + square * 0.4 * (1 + square * 15 / 28)))
    elif square < 1.0:
        divergence = ((1 + margin) * math.log1p(margin) + (1 - margin) * math.log1p(-margin)) / 2
    else:
        divergence = _LN2
    # Next to 2^20 times the power of two above it, a number keeps 32 bits.
    coarse = math.ldexp(1.0, math.frexp(divergence)[1] + 20)
    return divergence + coarse - coarse


# Who beats whom by the estimates, and what evidence costs: what all empirical winners share.


@dataclass(frozen=True, eq=False)
class Tournament:
    """The relation "beats" of K arms at one moment; no later duel changes it."""

    version: int  # grows from one tournament of a learner to its next
    # Whether the row's arm loses to the column's by the estimates, below ½; (K, K).
    beaten: BoolArray
    losses: IntArray  # L_i, how many arms beat each arm, shape (K,)
    first: int  # the least number of losses
    second: int  # the least of the other arms
    winners: list[int]  # the arms with the fewest losses, ascending: the empirical Copeland winners


class Estimates:
    """The duels of K arms so far, the tournament by them, and the costs of evidence.

    Learners that identify a winner give prices; for others a duel costs the regret at the losses.
    """

    def __init__(self, tally: DuelTally, prices: FloatArray | None = None) -> None:
        self.tally = tally
        self._given = prices
        # The last tournament, and whether a sign has changed since.
        self._tournament: Tournament | None = None
        self._flipped = False
        self._prices: FloatArray
        self._costs: FloatArray

    def count(self, i: int, j: int, won: int, times: int = 1) -> tuple[float, float | None]:
        """Count duels; by how much the evidence grew, and its cost, None if the signs changed."""
        flipped, gained = self.tally.add(i, j, won, times)
        self._flipped |= flipped
        if self._tournament is None:
            return gained, None
        before = self._costs.item(i, j)
        # Several duels at once may keep a tie.
        divergence = self.tally.divergence.item(i, j)
        cost = self._prices.item(i, j) / divergence if divergence else 0.0
        self._costs[i, j] = self._costs[j, i] = cost
        return gained, None if self._flipped else cost - before

    @property
    def tournament(self) -> Tournament:
        """Who beats whom by the current estimates."""
        if self._tournament is None or self._flipped:
            self._tournament = self._new_tournament(self._tournament)
            self._flipped = False
        return self._tournament

    @property
    def costs(self) -> FloatArray:
        """What a unit of evidence of each pair costs: r/d, 0 where an estimate is ½; (K, K)."""
        _ = self.tournament
        return self._costs

    def _new_tournament(self, before: Tournament | None) -> Tournament:
        """The tournament by the current estimates; prices and costs follow it."""
        beaten = self.tally.beaten
        losses = beaten.sum(axis=1, dtype=np.int64)
        first, second = np.partition(losses, 1)[:2].tolist()
        winners: list[int] = np.flatnonzero(losses == first).tolist()
        self._prices = copeland_regret(losses) if self._given is None else self._given
        self._costs = unit_costs(self._prices, self.tally.divergence)
        version = 1 if before is None else before.version + 1
        return Tournament(version, beaten, losses, first, second, winners)
