"""Small graphs, their duels, and all that a learner or its reference asks."""

import numpy as np

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from tests.learners.matchings.reference_matchings import Matchings
from tests.learners.support import driven

# Two candidates; three; a path, where taking one edge excludes another.
TWO = cpe.BipartiteGraph.complete(2, 1)
THREE = cpe.BipartiteGraph.complete(3, 1)
PATH = cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (1, 1), (2, 1)])
# The first candidate must take the second position: one edge is in no matching, one in all.
FORCED = cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (2, 0), (0, 1)])


def chances(graph, gap=0.5):
    """An edge beats every later one at its position with probability 1/2 + gap."""
    array = np.zeros((graph.size, graph.size))
    for e, f in graph.pairs.tolist():
        array[e, f], array[f, e] = 0.5 + gap, 0.5 - gap
    np.fill_diagonal(array, 0.5)
    return array


class MatchingOutcomes:
    """The k-th duel of a pair of edges has the same outcome in whatever order pairs are duelled."""

    def __init__(self, array, seed=0):
        self._array, self._seed, self._streams = array, seed, {}
        self.duels, self.won = {}, {}

    def __call__(self, e, f, times=1):
        """How many of the next duels e wins."""
        pair = min(e, f), max(e, f)
        stream = self._streams.setdefault(pair, np.random.default_rng([self._seed, *pair]))
        won = int((stream.random(times) < self._array[pair]).sum())
        self.duels[pair] = self.duels.get(pair, 0) + times
        self.won[pair] = self.won.get(pair, 0) + won
        return won if e == pair[0] else times - won

    def answer(self, query):
        return self(query.i, query.j, query.times)


def plain(reference, duels):
    """The duels of a reference, and its answer."""
    return driven(reference, lambda pair: duels(*pair))


def played(learner, duels):
    """All duels of a learner, in the order of the rounds that its batches stand for."""
    queries, answer = driven(learner, lambda query: duels(query.i, query.j, query.times))
    asked, batch = [], []
    for query in queries:
        if batch and (query.times != batch[0].times or repeats(query, batch)):
            asked += rounds_of(batch)
            batch = []
        batch.append(query)
    return [*asked, *rounds_of(batch)], answer


def repeats(query, batch):
    return (query.i, query.j) in {(earlier.i, earlier.j) for earlier in batch}


def rounds_of(batch):
    return [(query.i, query.j) for query in batch] * (batch[0].times if batch else 0)


def enumerated(graph):
    return Matchings(graph.edges, graph.positions)


def chooser(graph):
    """Which of several best matchings is meant."""
    return lambda weights: cpe.Matchings(graph).best(np.array(weights))


def other_chooser(graph):
    oracle = SubsetOracle(cpe.Matchings(graph))
    return lambda weights, than: oracle.maximise_other(np.array(weights), than)


def cycle(edge):
    """Three candidates for one position, each of whom beats the next."""
    half = edge - 0.5
    array = 0.5 + half * np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    return cpe.MatchingDuels(cpe.BipartiteGraph.complete(3, 1), array, name="cycle")
