"""The characteristic time by brute force: every state of every pair, and the linear program.

It shares no code with the package. A pair may stay as it is, or go to where one arm beats the other
by the margin, or just so without one.
"""

import itertools

import numpy as np
from scipy.optimize import linprog


def divergence(p, q=0.5):
    """Of a coin p from one with q, in nats."""
    return sum(x * np.log(x / y) for x, y in ((p, q), (1 - p, 1 - q)) if x > 0)


def random_prices(arms, rng):
    """Prices over three orders of magnitude."""
    upper = np.triu(10 ** rng.uniform(-1, 2, size=(arms, arms)), 1)
    return upper + upper.T


def least_cost(array, prices, margin, wrong):
    """The least ``sum(prices q)`` with which every instance is told apart where ``wrong`` holds.

    ``wrong`` takes who loses to whom by the margin or more, (instances, K, K) truth values. At the
    margin itself a pair may go to either side, for nothing.
    """
    arms, null = len(array), 0.5 - margin
    pairs = list(itertools.combinations(range(arms), 2))
    states = np.array(list(itertools.product(range(3), repeat=len(pairs))))
    costs = np.zeros(states.shape)
    loses = np.zeros((len(states), arms, arms), dtype=bool)
    for column, (a, b) in enumerate(pairs):
        for state, (low, high) in ((1, (a, b)), (2, (b, a))):
            here = states[:, column] == state
            loses[here, low, high] = True
            if array[low, high] > null + 1e-9:
                costs[here, column] = divergence(array[low, high], null)
            loses[states[:, column] == 0, low, high] = array[low, high] <= null + 1e-9
    confusing = wrong(loses)
    if (confusing & (costs == 0).all(axis=1)).any():
        return np.inf
    # Those in which no pair can be left as it is.
    kept = confusing.copy()
    places = 3 ** np.arange(len(pairs))[::-1]
    for column, place in enumerate(places):
        moved = np.flatnonzero(states[:, column] > 0)
        kept[moved] &= ~confusing[moved - states[moved, column] * place]
    rows = np.unique(costs[kept], axis=0)
    prices = [prices[pair] for pair in pairs]
    return linprog(prices, -rows, -np.ones(len(rows)), bounds=(0, None), method="highs").fun


def copeland_cost(array, answer, prices, margin):
    """T* of one Copeland winner within a margin.

    An answer is wrong if some arm, beaten by as many as may be when each number moves by the
    margin, is beaten by fewer arms than the answer, beaten by as few as may be.
    """

    def wrong(loses):
        least = loses.sum(axis=2)[:, answer]
        most = len(array) - 1 - loses.sum(axis=1)
        return (np.delete(most, answer, axis=1) < least[:, None]).any(axis=1)

    return least_cost(array, prices, margin, wrong)


def condorcet_cost(array, winner, prices):
    """T* of the Condorcet winner, where it is known that there is one."""

    def wrong(loses):
        beats_all = loses.sum(axis=1) == len(array) - 1
        return np.delete(beats_all, winner, axis=1).any(axis=1)

    return least_cost(array, prices, 0.0, wrong)


def condorcet_cost_within(array, answer, prices, margin):
    """T* of one right answer where the Condorcet winner may beat it by a margin: a row an arm."""
    arms, null = len(array), 0.5 - margin
    pairs = list(itertools.combinations(range(arms), 2))
    rows = []
    for j in range(arms):
        if j != answer:
            row = np.zeros(len(pairs))
            for k in range(arms):
                least = null if k == answer else 0.5
                if k != j and array[k, j] > least + 1e-9:
                    row[pairs.index((min(j, k), max(j, k)))] = divergence(array[k, j], least)
            rows.append(row)
    prices = [prices[pair] for pair in pairs]
    return linprog(prices, -np.array(rows), -np.ones(arms - 1), method="highs").fun
