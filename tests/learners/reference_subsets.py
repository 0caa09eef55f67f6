"""CLUCB and SA-FOA as printed, pull by pull, sharing no code with the package.

Sets are enumerated; a learner is a generator that yields one pull at a time, of an element or of a
set of the design's support, and receives its reward.
"""

import math
from itertools import combinations

import numpy as np

TIE = 1e-9


def weight(weights, members):
    return sum(weights[e] for e in members)


def reference_clucb(size, sets, delta, noise):
    """Chen et al. 2014, Algorithm 1, with their Theorem 1's radius."""
    total, pulls = [0.0] * size, [0] * size
    for e in range(size):
        total[e] += yield e
        pulls[e] += 1
    t = size
    while True:
        mean = [total[e] / pulls[e] for e in range(size)]
        radius = [
            noise * math.sqrt(2 * math.log(4 * size * t**3 / delta) / pulls[e]) for e in range(size)
        ]
        best = max(sets, key=lambda m: weight(mean, m))
        tilted = [mean[e] - radius[e] if e in best else mean[e] + radius[e] for e in range(size)]
        rival = max(sets, key=lambda m: weight(tilted, m))
        if weight(tilted, rival) <= weight(tilted, best) + TIE:
            return best
        p = max(sorted(set(best) ^ set(rival)), key=lambda e: radius[e])
        total[p] += yield p
        pulls[p] += 1
        t += 1


def indicator(n, members):
    return np.array([1.0 if e in members else 0.0 for e in range(n)])


def peeled(weights, k):
    """Greedy peeling of the complete graph with these edge weights: vertices left, ascending."""
    left = list(range(len(weights)))
    while len(left) > k:
        degree = {i: sum(weights[i][j] for j in left if j != i) for i in left}
        left.remove(min(left, key=lambda i: degree[i]))
    return tuple(left)


def quadratic_maximisation(w, k):
    """The paper's Algorithm 1: a densest subgraph for the weights w_ij + w_ii + w_jj."""
    n = len(w)
    return peeled([[w[i][j] + w[i][i] + w[j][j] for j in range(n)] for i in range(n)], k)


def tangent_lead(theta, inverse, best, radius, anchors):
    """Z' - θ̂(M̂) of Algorithm 3: tangents of the norm at the anchors, peeling, true objective."""
    n, k = len(theta), len(best)
    x = indicator(n, best)
    family = set()
    for members in anchors:
        if members == best:
            continue
        apart = indicator(n, members) - x
        gamma = radius / (2 * math.sqrt(apart @ inverse @ apart))
        b = gamma * inverse - np.diag(2 * gamma * inverse @ x) + np.diag(theta)
        family.add(quadratic_maximisation(b, k))
    family.discard(best)
    found = [
        theta @ apart + radius * math.sqrt(apart @ inverse @ apart)
        for apart in (indicator(n, members) - x for members in family)
    ]
    return max(found, default=-math.inf)


def certified_gap_bound(theta, inverse, best, radius):
    """The upper bound on the lead, every set looked at by the number of its swaps."""
    n, k = len(theta), len(best)
    along = np.eye(n) - np.ones((n, n)) / n
    widest = np.linalg.eigvalsh(along @ inverse @ along).max()
    leads = []
    for members in combinations(range(n), k):
        swaps = len(set(members) - set(best))
        if swaps:
            gain = weight(theta, members) - weight(theta, best)
            leads.append(gain + radius * math.sqrt(2 * swaps * widest))
    return max(leads)


def reference_sa_foa(n, k, support, shares, rng, delta, epsilon, sigma, certified):
    """Algorithm 3 with one anchor for each element, looking after every pull."""
    pulls, total = [0] * len(support), [0.0] * len(support)
    t = 0
    while True:
        s = min(range(len(support)), key=lambda s: pulls[s] / shares[s])
        total[s] += yield s
        pulls[s] += 1
        t += 1
        if t < max(n, len(support)):
            continue
        rows = np.array([indicator(n, members) for members in support])
        inverse = np.linalg.inv(sum(c * np.outer(x, x) for c, x in zip(pulls, rows, strict=True)))
        theta = inverse @ sum(r * x for r, x in zip(total, rows, strict=True))
        best = max(combinations(range(n), k), key=lambda m: weight(theta, m))
        c = 2 * math.sqrt(2) * sigma
        c *= math.sqrt(math.log(6 * t**2 * math.comb(n, k) / (math.pi**2 * delta)))
        if certified:
            lead = certified_gap_bound(theta, inverse, best, c)
        else:
            anchors = [support[i] for i in rng.integers(len(support), size=n)]
            lead = tangent_lead(theta, inverse, best, c, anchors)
        if epsilon / 2 >= lead:
            return best
