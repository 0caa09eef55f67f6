"""SA-FOA: its reference, the bounds of its lead, and its guarantee."""

import math
from itertools import combinations

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.subsets.exhaustive import Enumeration
from cpe_opt.learners.subsets.sa_foa import certified_gap_bound, first_order_gap_bound
from cpe_opt.learners.subsets.static_allocation import LeastSquaresFit
from tests.learners.subsets.support import given_design, look_at
from tests.learners.support import driven


def weight(weights, members):
    return sum(weights[e] for e in members)


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


def certified_lead(theta, inverse, best, radius):
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
            lead = certified_lead(theta, inverse, best, c)
        else:
            anchors = [support[i] for i in rng.integers(len(support), size=n)]
            lead = tangent_lead(theta, inverse, best, c, anchors)
        if epsilon / 2 >= lead:
            return best


@pytest.mark.parametrize("seed", range(3))
def test_leads_by_tangents_are_the_reference_s(seed):
    """Anchors that lead to several sets, the best of which counts."""
    rng, n, k = np.random.default_rng(seed), 6, 3
    rows = np.array([[float(e in m) for e in range(n)] for m in combinations(range(n), k)])
    inverse = np.linalg.inv(rows.T @ (rng.integers(1, 9, len(rows))[:, None] * rows))
    theta, anchors = rng.normal(size=n), rng.permutation(len(rows))[:5]
    best = tuple(sorted(np.argsort(-theta)[:k].tolist()))
    chi = np.isin(np.arange(n), best).astype(float)
    look = LeastSquaresFit(9, theta, inverse, best, chi, float(theta @ chi), rows)
    sets = [tuple(np.flatnonzero(rows[a]).tolist()) for a in anchors]
    for radius in (0.5, 3.0, 20.0):
        found = first_order_gap_bound(look, radius, rows[anchors] > 0.5, "peeling")
        assert found == pytest.approx(tangent_lead(theta, inverse, best, radius, sets))


@pytest.mark.parametrize("ratio", ["certified", 1.0])
@pytest.mark.parametrize("seed", range(2))
def test_sa_foa_pulls_what_the_reference_pulls(ratio, seed):
    """A growth of next to nothing: a look after every pull."""
    n, k, delta, epsilon, sigma = 5, 2, 0.1, 0.2, 0.05
    support = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (0, 2), (1, 4)]
    shares = np.array([6, 7, 8, 9, 10, 11, 13]) / 64  # exact
    design = given_design(n, support, shares)
    theta = np.random.default_rng(seed).permutation([0.9, 0.6, 0.45, 0.2, 0.0])
    noisy = [
        (x @ theta + np.random.default_rng([seed, s]).normal(0, 0.05, 4000)).tolist()
        for s, x in enumerate(design.vectors)
    ]
    left, fresh = ([list(row) for row in noisy] for _ in range(2))
    rng, certified = np.random.default_rng(seed), ratio == "certified"
    told = n, k, support, shares, rng, delta, epsilon, sigma, certified
    expected, best = driven(reference_sa_foa(*told), lambda s: left[s].pop())
    learner = cpe.learners.sa_foa(
        cpe.TopK(n, k),
        rng=np.random.default_rng(seed),
        delta=delta,
        margin=epsilon,
        sigma=sigma,
        design=design,
        maximiser=None if certified else "peeling",
        approximation_ratio=ratio,
        growth=1 + 1e-9,
    )

    def sums(query):
        return np.array(
            [sum(fresh[s].pop() for _ in range(times)) for s, times in enumerate(query.times)]
        )

    queries, answer = driven(learner, sums)
    asked = [s for query in queries for s, times in enumerate(query.times) for _ in range(times)]
    first = max(n, len(support))
    assert sorted(asked[:first]) == sorted(expected[:first])
    assert asked[first:] == expected[first:]
    assert answer == best


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "k"), [(6, 3), (7, 2), (5, 4), (4, 1)])
def test_leads_of_sa_foa_bracket_the_true_one(n, k, seed):
    decisions = cpe.TopK(n, k)
    for radius in (0.01, 0.5, 5.0):
        look = look_at(decisions, seed)
        true = Enumeration(decisions).largest_gap_bound(look, radius)
        assert certified_gap_bound(look, radius) >= true - 1e-9
        for maximiser in ("peeling", "greedy", "swap"):
            found = first_order_gap_bound(look, radius, look.support > 0.5, maximiser)
            assert found <= true + 1e-9


def test_the_certified_lead_is_exact_for_the_optimal_design():
    decisions = cpe.TopK(6, 3)
    design = cpe.g_design(decisions)
    inverse = np.linalg.inv(1000 * design.information)
    theta = np.array([0.9, 0.7, 0.5, 0.4, 0.2, 0.1])
    chi = np.array([1.0, 1, 1, 0, 0, 0])
    look = LeastSquaresFit(1000, theta, inverse, (0, 1, 2), chi, 2.1, design.vectors)
    for radius in (0.1, 1.0, 10.0):
        true = Enumeration(decisions).largest_gap_bound(look, radius)
        assert certified_gap_bound(look, radius) == pytest.approx(true, rel=1e-6)
