"""Counts and estimates of duels, kept by a learner pair by pair."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray

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
        self._draws, self._estimate = _cells(self.draws), _cells(self.estimate)
        self._divergence, self._evidence = _cells(self.divergence), _cells(self.evidence)

    def add(self, i: int, j: int, won: float, times: int = 1) -> tuple[bool, float]:
        """Count duels, ties half a win; if the sign changed, and by how much the evidence grew."""
        wins, arms = self._wins, self.arms
        won_by_i, won_by_j = wins[i][j], wins[j][i]
        before = won_by_i - won_by_j
        wins[i][j] = won_by_i = won_by_i + won
        wins[j][i] = won_by_j = won_by_j + times - won
        ahead, draws = won_by_i - won_by_j, won_by_i + won_by_j
        divergence = bernoulli_divergence(ahead / draws)
        evidence = draws * divergence
        cell, mirrored = i * arms + j, j * arms + i
        gained = evidence - self._evidence[cell]
        self._draws[cell] = self._draws[mirrored] = draws
        self._estimate[cell], self._estimate[mirrored] = won_by_i / draws, won_by_j / draws
        self._divergence[cell] = self._divergence[mirrored] = divergence
        self._evidence[cell] = self._evidence[mirrored] = evidence
        return (before > 0) != (ahead > 0) or (before < 0) != (ahead < 0), gained

    def leads(self, i: int, j: int) -> bool:
        """Whether i has won more duels against j than it lost."""
        return self._wins[i][j] > self._wins[j][i]

    @property
    def beaten(self) -> BoolArray:
        """Whether the estimate says that j beats i."""
        return np.asarray(self.estimate < 0.5)


def _cells(array: FloatArray) -> memoryview[float]:
    """The array as one row, of which single cells are read and written in half the time."""
    return cast("memoryview[float]", array.reshape(-1).data)


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
