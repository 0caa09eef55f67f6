"""The instances on which learners are timed: each a function of its number of arms alone."""

import numpy as np

import cpe_opt as cpe
from tests.support import random_preferences


def no_condorcet_winner(arms):
    """The first random tournament of so many arms whose Copeland winner loses a duel."""
    seed = 0
    while (mu := random_preferences(arms, np.random.default_rng(seed))).losses.min() == 0:
        seed += 1
    return mu


def tournament(arms):
    """Every preference uniform on (0, 1)."""
    return random_preferences(arms, np.random.default_rng(arms))


def bradley_terry(arms):
    """Strengths of which the logarithms are standard normal."""
    strength = np.random.default_rng(arms).normal(size=arms)
    wins = 1.0 / (1.0 + np.exp(strength - strength[:, None]))
    return cpe.PreferenceMatrix(wins, name=f"bradley-terry-{arms}")
