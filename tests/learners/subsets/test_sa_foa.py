"""SA-FOA: the bounds of its lead, and where it stops."""

import math
from itertools import combinations

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.subsets.exhaustive import Enumeration
from cpe_opt.learners.subsets.sa_foa import certified_gap_bound, first_order_gap_bound
from cpe_opt.learners.subsets.static_allocation import LeastSquaresFit
from tests.learners.subsets.support import THETA, first_look, look_at, pulls_until


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


def test_sa_foa_stops_at_the_first_look_that_its_rule_allows():
    def stops(inverse, c, _):
        return certified_lead(THETA, inverse, (0, 1), c) <= 0.1 / 2

    expected = first_look(stops)
    assert expected > 20
    assert pulls_until("sa-foa") == expected


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
