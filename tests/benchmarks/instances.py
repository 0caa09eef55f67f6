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


def cycle_of_blocks(arms, *, chains=False):
    """Three blocks of which each beats the next and the last the first.

    Within a block preferences are uniform on (0, 1), or with ``chains`` every arm beats the later
    ones; a stronger arm wins with a probability uniform on (½, 1).
    """
    rng = np.random.default_rng(arms)
    block = 3 * np.arange(arms) // arms
    i, j = np.triu_indices(arms, 1)
    turned = (block[j] - block[i]) % 3 == 2
    if not chains:
        turned |= (block[i] == block[j]) & (rng.random(len(i)) < 0.5)
    ahead = rng.uniform(0.5, 1.0, len(i))
    matrix = np.full((arms, arms), 0.5)
    matrix[i, j] = np.where(turned, 1.0 - ahead, ahead)
    matrix[j, i] = np.where(turned, ahead, 1.0 - ahead)
    return cpe.PreferenceMatrix(matrix, name=f"cycle-of-blocks-{arms}")


def cycle_of_chains(arms):
    """Three blocks in a cycle, each of them a chain."""
    return cycle_of_blocks(arms, chains=True)
