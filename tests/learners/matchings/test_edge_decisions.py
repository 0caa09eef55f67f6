"""Decisions about edges are right whatever the accuracy of the oracle."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.matchings.edge_decisions import EdgeDecisions
from cpe_opt.learners.matchings.pair_bounds import PairBounds

GRAPH = cpe.BipartiteGraph.complete(4, 1)
# Edge 0 is the Condorcet winner; the values of the others are close.
MANY_DUELS = {
    (0, 1): 0.5005,
    (0, 2): 0.5098,
    (0, 3): 0.6,
    (1, 2): 0.501,
    (1, 3): 0.995,
    (2, 3): 0.99,
}
CLOSE = {**MANY_DUELS, (0, 1): 0.503, (0, 2): 0.508, (0, 3): 0.503}


def decided(upper, lower, rejected, method, accuracy=0.01):
    """The decisions without slack about the edges that are not rejected."""
    decisions = EdgeDecisions(GRAPH, [], rejected, method=method)
    decisions.update(upper, lower)
    edges = [edge for edge in range(GRAPH.size) if edge not in rejected]
    return [decisions.decision(edge, 0.0, accuracy=accuracy).accept for edge in edges]


@pytest.mark.parametrize("seed", range(3))
def test_bounds_that_hold_accept_no_edge_but_the_winner(seed):
    """Two million duels of each pair, 300 of those with edge 3: nobody can be accepted yet."""
    rng, bounds = np.random.default_rng(seed), PairBounds(GRAPH)
    for (e, f), p in MANY_DUELS.items():
        duels = 300 if f == 3 else 2_000_000
        bounds.add(e, f, int(rng.binomial(duels, p)), duels)
    held = bounds.bounds(2_000_000, 0.05)
    for method in ("certificates", "subgradient"):
        assert decided(*held, [3], method) == [None, None, False]


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
    for _ in range(20):
        above = np.triu(0.5 + 0.3 * (rng.random((4, 4)) - 0.3), 1)
        exact = above + np.tril(1 - above.T, -1) + 0.5 * np.eye(4)
        radius = rng.choice([0.0, 0.01]) * (1 - np.eye(4))
        rough = decided(exact + radius, exact - radius, [], "subgradient", accuracy)
        right = decided(exact + radius, exact - radius, [], "certificates")
        for found, expected in zip(rough, right, strict=True):
            assert found in (None, expected)
            agreed += found is not None
    assert agreed > 20


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


def test_car_cond_stops_without_slack_as_the_accuracy_of_the_oracle_grows():
    """The accuracy is the epoch's, so that the run ends no later than the one with the slack."""
    duels = cpe.planted_condorcet(3, 2, gap=0.24, seed=0)
    samples = {}
    for slack in ("paper", "none"):
        trace = cpe.simulate("car-cond", duels, seed=1, slack=slack, method="subgradient")
        assert trace.answer == cpe.condorcet_winner(duels)
        samples[slack] = trace.samples
    assert samples["none"] <= samples["paper"]
