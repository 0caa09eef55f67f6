"""The characteristic time by brute force: every set of flips, and the linear program over them.

It shares no code with the package. Every pair that is not tied may be flipped; every tie may stay
or go to either side, for nothing.
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


def least_cost(array, winner, prices, wrong):
    """The least ``sum(prices q)`` with which every instance is told apart where ``wrong`` holds.

    ``wrong`` takes the numbers of superiors, one row an instance, and who beats whom, as
    (instances, K, K) truth values, and says in which instances the winner must not be named.
    """
    arms = len(array)
    pairs = list(itertools.combinations(range(arms), 2))
    untied = [pair for pair in pairs if array[pair] != 0.5]
    ties = [pair for pair in pairs if array[pair] == 0.5]
    flips = (np.arange(2 ** len(untied))[:, None] >> np.arange(len(untied))) & 1 > 0
    confusing = np.zeros(len(flips), dtype=bool)
    for sides in itertools.product((-1, 0, 1), repeat=len(ties)):
        beats = np.zeros((len(flips), arms, arms), dtype=bool)
        for column, (i, j) in enumerate(untied):
            beats[:, i, j] = (array[i, j] > 0.5) != flips[:, column]
            beats[:, j, i] = ~beats[:, i, j]
        for (i, j), side in zip(ties, sides, strict=True):
            beats[:, i, j], beats[:, j, i] = side > 0, side < 0
        confusing |= wrong(beats.sum(axis=1), beats)
    if confusing[0]:
        return np.inf
    # The minimal sets: none of their proper subsets confuses.
    reached = confusing.copy()
    codes = np.arange(len(flips))
    for bit in range(len(untied)):
        with_bit = codes[codes >> bit & 1 > 0]
        reached[with_bit] |= reached[with_bit ^ 1 << bit]
    smaller = np.zeros_like(confusing)
    for bit in range(len(untied)):
        with_bit = codes[codes >> bit & 1 > 0]
        smaller[with_bit] |= reached[with_bit ^ 1 << bit]
    rows = flips[confusing & ~smaller].astype(float)
    costs = [prices[pair] / divergence(array[pair]) for pair in untied]
    return linprog(costs, -rows, -np.ones(len(rows)), bounds=(0, None), method="highs").fun


def copeland_cost(array, winner, prices):
    """T* of one Copeland winner."""

    def wrong(superiors, beats):
        return superiors[:, winner] > superiors.min(axis=1)

    return least_cost(array, winner, prices, wrong)


def condorcet_cost(array, winner, prices):
    """T* of the Condorcet winner, where it is known that there is one."""

    def wrong(superiors, beats):
        scores = beats.sum(axis=2) == len(array) - 1
        return np.delete(scores, winner, axis=1).any(axis=1)

    return least_cost(array, winner, prices, wrong)


def copeland_cost_within(array, answer, prices, margin):
    """T* of one Copeland winner within a margin: every state of every pair.

    A pair may stay as it is, or go to where one arm beats the other by the margin. An answer is
    wrong if some arm, beaten by as many as may be when each number moves by the margin, is beaten
    by fewer arms than the answer, beaten by as few as may be.
    """
    arms, null = len(array), 0.5 - margin
    pairs = list(itertools.combinations(range(arms), 2))
    states = np.array(list(itertools.product(range(3), repeat=len(pairs))))
    costs = np.zeros(states.shape)
    loses = np.zeros((len(states), arms, arms), dtype=bool)  # [a, b]: by the margin or more
    for column, (a, b) in enumerate(pairs):
        for state, (low, high) in ((1, (a, b)), (2, (b, a))):
            here = states[:, column] == state
            loses[here, low, high] = True
            if array[low, high] > null + 1e-9:
                costs[here, column] = divergence(array[low, high], null)
            loses[states[:, column] == 0, low, high] = array[low, high] <= null + 1e-9
    least = loses.sum(axis=2)[:, answer]
    most = arms - 1 - loses.sum(axis=1)
    wrong = (np.delete(most, answer, axis=1) < least[:, None]).any(axis=1)
    if (wrong & (costs == 0).all(axis=1)).any():
        return np.inf
    kept = wrong.copy()
    places = 3 ** np.arange(len(pairs))[::-1]
    for column, place in enumerate(places):
        moved = np.flatnonzero(states[:, column] > 0)
        kept[moved] &= ~wrong[moved - states[moved, column] * place]
    rows = np.unique(costs[kept], axis=0)
    prices = [prices[pair] for pair in pairs]
    return linprog(prices, -rows, -np.ones(len(rows)), bounds=(0, None), method="highs").fun


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
