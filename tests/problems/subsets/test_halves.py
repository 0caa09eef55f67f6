"""Classes as unions of halves, against all of their sets."""

import numpy as np
import pytest

import cpe_opt as cpe


def sparse_matchings():
    edges = [(c, p) for c in range(6) for p in range(5) if (c + 2 * p) % 5]
    return cpe.Matchings(cpe.BipartiteGraph(6, 5, edges))


def layered_paths():
    """Two layers that all paths cross, arcs that leave one out, and an arc to the target."""
    edges = [("s", a) for a in "abc"]
    edges += [(a, d) for a in "abc" for d in "def" if (a, d) != ("b", "e")]
    edges += [(d, "t") for d in "def"] + [("s", "d"), ("a", "t"), ("x", "a"), ("t", "z")]
    return cpe.Paths(edges, "s", "t")


CLASSES = {
    "square": lambda: cpe.Matchings(cpe.BipartiteGraph.complete(5, 5)),
    "wide": lambda: cpe.Matchings(cpe.BipartiteGraph.complete(6, 3)),
    "one position": lambda: cpe.Matchings(cpe.BipartiteGraph.complete(3, 1)),
    "sparse": sparse_matchings,
    "paths": layered_paths,
    "one arc": lambda: cpe.Paths([("s", "t")], "s", "t"),
}


@pytest.mark.parametrize("name", CLASSES)
def test_halves_make_every_set_once(name):
    decisions = CLASSES[name]()
    halves = decisions.halves(decisions.count())
    made = [
        tuple(halves.joined(first, second).tolist())
        for here, there in halves.blocks
        for first in here
        for second in there
    ]
    assert sorted(made) == sorted(tuple(sorted(members)) for members in decisions.sets())
    assert sorted(np.concatenate(halves.elements).tolist()) == list(range(decisions.size))
    assert decisions.halves(decisions.count() - 1) is None


def test_matchings_of_ten_and_ten_have_thirty_thousand_halves():
    halves = cpe.Matchings(cpe.BipartiteGraph.complete(10, 10)).halves(10**7)
    assert [len(rows) for rows in halves.rows] == [30_240, 30_240]
    assert sum(len(here) * len(there) for here, there in halves.blocks) == 3_628_800


def test_other_classes_have_none():
    cycle = cpe.Paths([("s", "a"), ("a", "b"), ("b", "a"), ("b", "t"), ("a", "t")], "s", "t")
    assert cycle.halves(100) is None
    assert cpe.TopK(4, 2).halves(100) is None
