"""Bounds of pairs, and decisions about edges: right whatever the accuracy of the oracle."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.matchings.car_cond import EdgeDecisions
from cpe_opt.learners.matchings.pair_bounds import PairBounds
from tests.learners.matchings.support import THREE

GRAPH = cpe.BipartiteGraph.complete(4, 1)
MANY_DUELS = {
    (0, 1): 0.5005,
    (0, 2): 0.5098,
    (0, 3): 0.6,
    (1, 2): 0.501,
    (1, 3): 0.995,
    (2, 3): 0.99,
}
CLOSE = {**MANY_DUELS, (0, 1): 0.503, (0, 2): 0.508, (0, 3): 0.503}


def test_radii_of_pairs_are_the_paper_s():
    """K = 3 pairs, δ = 0.1, t = 10: ln(4 · 3 · 10³ / 0.1) = 11.695, over 2 · 40 duels."""
    bounds = PairBounds(THREE)
    bounds.add(0, 1, 25, 40)
    assert bounds.radius(10, 0.1)[0, 1] == pytest.approx(0.382349, abs=1e-6)
    upper, lower = bounds.bounds(10, 0.1)
    assert upper[0, 1] == pytest.approx(1.0)
    assert lower[0, 1] == pytest.approx(0.625 - 0.382349, abs=1e-6)
    assert upper[1, 0] == pytest.approx(0.375 + 0.382349, abs=1e-6)
    assert lower[1, 0] == 0.0
    assert (upper[0, 2], lower[0, 2], upper[0, 0], lower[0, 0]) == (1.0, 0.0, 0.5, 0.5)


def decided(upper, lower, rejected, method, accuracy=0.01):
    """The decisions without slack about the edges that are not rejected."""
    decisions = EdgeDecisions(GRAPH, [], rejected, method=method)
    decisions.update(upper, lower)
    edges = [edge for edge in range(GRAPH.size) if edge not in rejected]
    return [decisions.decision(edge, 0.0, accuracy=accuracy).accept for edge in edges]


@pytest.mark.parametrize("rejected", [[], [3]])
def test_two_edges_of_a_position_are_not_both_accepted(rejected):
    exact = np.full((4, 4), 0.5)
    for (e, f), p in CLOSE.items():
        exact[e, f], exact[f, e] = p, 1 - p
    right = decided(exact, exact, rejected, "certificates")
    assert right[:2] == [True, False]
    roughly = decided(exact, exact, rejected, "subgradient")
    assert roughly == [True, None, *right[2:]]


@pytest.mark.parametrize("accuracy", [0.03, 0.2])
def test_a_rough_oracle_decides_nothing_that_exact_values_do_not(accuracy):
    rng, agreed = np.random.default_rng(0), 0
    for _ in range(7):
        above = np.triu(0.5 + 0.3 * (rng.random((4, 4)) - 0.3), 1)
        exact = above + np.tril(1 - above.T, -1) + 0.5 * np.eye(4)
        radius = rng.choice([0.0, 0.01]) * (1 - np.eye(4))
        rough = decided(exact + radius, exact - radius, [], "subgradient", accuracy)
        right = decided(exact + radius, exact - radius, [], "certificates")
        for found, expected in zip(rough, right, strict=True):
            assert found in (None, expected)
            agreed += found is not None
    assert agreed > 7


def test_without_slack_values_that_are_equal_but_for_rounding_decide_nothing():
    """Both players of 2 against 3 have the value ½, and a little more or less by rounding."""
    for more, expected in ((1e-12, [None, None]), (1e-6, [True, False])):
        matrix = np.array([[0.5, 0.5 + more], [0.5 - more, 0.5]])
        graph = cpe.BipartiteGraph.complete(2, 1)
        for method in ("certificates", "program"):
            decisions = EdgeDecisions(graph, [], [], method=method)
            decisions.update(matrix, matrix)
            found = [decisions.decision(edge, 0.0, accuracy=0.01) for edge in (0, 1)]
            assert [decision.accept for decision in found] == expected


def test_values_known_within_the_slack_decide_nothing():
    """The paper's oracle is as accurate as the slack: In and Ex differ by less here."""
    graph = cpe.BipartiteGraph.complete(3, 1)
    cycle = np.array([[0.5, 0.04, 0.79], [0.96, 0.5, 0.17], [0.21, 0.83, 0.5]])
    apart = 0.003 * (1 - np.eye(3))
    decisions = EdgeDecisions(graph, [], [], method="subgradient")
    decisions.update(cycle + apart, cycle - apart)
    found = [decisions.decision(edge, 0.2, accuracy=0.2) for edge in (1, 2)]
    assert [decision.accept for decision in found] == [None, None]
