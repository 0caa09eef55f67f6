"""CLUCB-Borda, CAR-Cond, CAR-Verify and CAR-Parallel as printed, sharing no code with the package.

Every learner here is a generator that yields one duel ``(e, f)`` at a time and receives whether e
won. Matchings are enumerated, bounds are worked out afresh in every round. Where several matchings
attain a maximum, ``choose`` says which one is meant, and it is checked to be one of them.
"""

import math
from itertools import combinations, product

import numpy as np
from scipy.optimize import linprog

TIE = 1e-9


class Matchings:
    """The graph with edges ``(candidate, position)``, numbered as they are listed."""

    def __init__(self, edges, positions):
        self.edges, self.positions = range(len(edges)), positions
        self.place = [position for _, position in edges]
        ways = [[e for e in self.edges if self.place[e] == j] for j in range(positions)]
        self.every = [m for m in product(*ways) if len({edges[e][0] for e in m}) == positions]
        self.pairs = [(e, f) for e, f in combinations(self.edges, 2) if self.comparable(e, f)]
        self.K = max(1, len(self.pairs))

    def comparable(self, e, f):
        return e != f and self.place[e] == self.place[f]

    def with_edges(self, include, exclude):
        return [m for m in self.every if set(include) <= set(m) and not set(exclude) & set(m)]


def weight(weights, members):
    return sum(weights[e] for e in members)


def checked_maximiser(found, weights, sets):
    """``found``, once it is seen to be a set of the largest weight."""
    assert found in sets
    assert weight(weights, found) >= max(weight(weights, m) for m in sets) - TIE
    return found


def borda_epoch(graph, opponent, choose, epsilon, delta, exact):
    """Algorithm 1, lines 4 to 24; with ``exact``, an epoch of Algorithm 5."""
    wins, draws = [0.0] * len(graph.edges), [0] * len(graph.edges)
    t = 1
    while True:
        mean = [wins[e] / draws[e] if draws[e] else 0.0 for e in graph.edges]
        c = [
            math.sqrt(math.log(4 * graph.K * t**3 / delta) / (2 * draws[e])) if draws[e] else 1.0
            for e in graph.edges
        ]
        best = checked_maximiser(choose(mean), mean, graph.every)
        tilted = [
            mean[e] - c[e] - epsilon / 4 if e in best else mean[e] + c[e] + epsilon / 4
            for e in graph.edges
        ]
        rival = checked_maximiser(choose(tilted), tilted, graph.every)
        ahead = weight(tilted, rival) - weight(tilted, best)
        if exact and ahead <= TIE:
            return best, True
        if ahead <= graph.positions * epsilon:
            return best, False
        different = sorted(set(best) ^ set(rival))
        z = max(different, key=lambda e: c[e])  # the first of several
        other = opponent(graph.place[z])
        wins[z] += 0.5 if other == z else (yield z, other)
        draws[z] += 1
        t += 1


def reference_borda_pac(graph, opponent, choose, epsilon, delta):
    best, _ = yield from borda_epoch(graph, opponent, choose, epsilon, delta, exact=False)
    return best


def reference_borda_exact(graph, opponent, choose, delta):
    q = 1
    while True:
        best, done = yield from borda_epoch(
            graph, opponent, choose, 2.0**-q, delta / (2 * q * q), exact=True
        )
        if done:
            return best
        q += 1


class PairStatistics:
    """Wins and duels of comparable edges, and the bounds of the paper's equation (7)."""

    def __init__(self, graph):
        self.graph = graph
        self.wins = {(e, f): 0 for e in graph.edges for f in graph.edges}
        self.draws = dict(self.wins)

    def count(self, e, f, won):
        self.wins[e, f] += won
        self.wins[f, e] += 1 - won
        self.draws[e, f] += 1
        self.draws[f, e] += 1

    def radius(self, e, f, t, delta):
        """x/0 is 1."""
        if not self.draws[e, f]:
            return 1.0
        return math.sqrt(math.log(4 * self.graph.K * t**3 / delta) / (2 * self.draws[e, f]))

    def bound(self, e, f, t, delta, sign):
        """The upper (+1) or the lower (-1) one; nothing is known of pairs that never met."""
        if e == f:
            return 0.5
        if not self.graph.comparable(e, f):
            return 0.0
        if not self.draws[e, f]:
            return (1 + sign) / 2
        estimate = self.wins[e, f] / self.draws[e, f]
        return min(1.0, max(0.0, estimate + sign * self.radius(e, f, t, delta)))

    def matrix(self, t, delta, sign):
        edges = self.graph.edges
        return [[self.bound(e, f, t, delta, sign) for f in edges] for e in edges]


def game_value(rows):
    """The value of a matrix game for the player who chooses rows and wants much."""
    maximin = max(map(min, rows))
    minimax = min(map(max, zip(*rows, strict=True)))
    if maximin == minimax:
        return maximin
    array = np.array(rows)
    m, n = array.shape
    solved = linprog(
        [0.0] * m + [-1.0],
        A_ub=np.hstack([-array.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=[[1.0] * m + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
    )
    assert solved.status == 0
    return -solved.fun


def reference_car_cond(graph, delta, slack):
    accepted, rejected, undecided = set(), set(), set(graph.edges)
    seen = PairStatistics(graph)
    t, q = 0, 1
    while True:
        t += 1
        if t > 4**q:
            q += 1
        epsilon = 2.0**-q if slack == "paper" else 0.0
        for e, f in graph.pairs:
            if {e, f} <= undecided:
                seen.count(e, f, (yield e, f))
        upper, lower = seen.matrix(t, delta, +1), seen.matrix(t, delta, -1)

        def value(mine, theirs, matrix):
            ell = graph.positions
            return game_value(
                [[sum(matrix[a][b] for a, b in zip(x, y, strict=True)) / ell for y in theirs]
                 for x in mine]
            )  # fmt: skip

        theirs = graph.with_edges(accepted, rejected)
        accept, reject = set(), set()
        for e in undecided:
            inside = graph.with_edges(accepted | {e}, rejected)
            outside = graph.with_edges(accepted, rejected | {e})
            if not inside or not outside:
                (accept if inside else reject).add(e)
            elif value(inside, theirs, lower) > value(outside, theirs, upper) + epsilon + TIE:
                accept.add(e)
            elif value(outside, theirs, lower) > value(inside, theirs, upper) + epsilon + TIE:
                reject.add(e)
        accepted, rejected = accepted | accept, rejected | reject
        undecided -= accept | reject
        if len(accepted) == graph.positions:
            return tuple(sorted(accepted))


def reference_verify(graph, chosen, choose_other, delta):
    """The second stage of Algorithm 4: True to return the matching, False for its error."""
    seen = PairStatistics(graph)
    others = [m for m in graph.every if m != chosen]
    t = 1
    while True:
        sure, possible = (
            [seen.bound(e, chosen[graph.place[e]], t, delta, sign) for e in graph.edges]
            for sign in (-1, +1)
        )
        if others and max(weight(sure, m) for m in others) / graph.positions >= 0.5:
            return False
        if not others or max(weight(possible, m) for m in others) / graph.positions <= 0.5:
            return True
        rival = checked_maximiser(choose_other(possible, chosen), possible, others)
        pairs = [(e, f) for e, f in zip(rival, chosen, strict=True) if e != f]
        e, f = max(pairs, key=lambda pair: seen.radius(*pair, t, delta))
        seen.count(e, f, (yield e, f))
        t += 1


def reference_car_verify(graph, choose_other, delta, slack):
    chosen = yield from reference_car_cond(graph, 0.01, slack)
    kept = yield from reference_verify(graph, chosen, choose_other, delta)
    return chosen if kept else None


class Copy:
    """A generator of duels, the duel it waits for, and its answer once it has one."""

    def __init__(self, duels):
        self.duels, self.query, self.answer = duels, None, None
        self.advance(None)

    def advance(self, won):
        try:
            self.query = self.duels.send(won)
        except StopIteration as finished:
            self.query, self.answer = None, finished.value


def reference_parallel(start, delta):
    """Algorithm 3: in round t, copies with 2^k | t have a duel; ``start`` makes one of them.

    Copies are generators of duels that end with an answer, or None for an error.
    """
    copies = []
    t = 0
    while True:
        t += 1
        for k in range(t.bit_length()):
            if t % 2**k:
                continue
            if k == len(copies):
                copies.append(Copy(start(delta / 2 ** (k + 1))))
            if copies[k].query is not None:
                copies[k].advance((yield copies[k].query))
            if copies[k].answer is not None:
                return copies[k].answer
