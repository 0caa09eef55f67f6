"""Learners that identify a winner or an order, as printed, duel by duel, on code of their own."""

import itertools
import math

import numpy as np
from scipy.stats import beta

from tests.support import random_preferences, with_gaps


def race_problem(seed):
    """Tournaments of 3 to 6 arms, without ties, with gaps that a slow reference can bear."""
    return with_gaps(random_preferences(3 + seed % 4, np.random.default_rng(seed)), 0.3)


class Books:
    """Wins, draws and confidence intervals, all looked up afresh."""

    def __init__(self, arms, radius):
        self.arms, self.radius = range(arms), radius
        self.wins = [[0] * arms for _ in range(arms)]

    def draws(self, i, j):
        return self.wins[i][j] + self.wins[j][i]

    def play(self, i, j, duel):
        won = duel(i, j)
        self.wins[i][j] += won
        self.wins[j][i] += 1 - won

    def beats(self, i, j):
        n = self.draws(i, j)
        return i != j and n > 0 and self.wins[i][j] / n - self.radius(n) > 0.5

    def least(self, i):
        return sum(self.beats(i, k) for k in self.arms)

    def most(self, i):
        return sum(k != i and not self.beats(k, i) for k in self.arms)

    def leader(self):
        score = [sum(self.wins[i][k] > self.wins[k][i] for k in self.arms) for i in self.arms]
        return score.index(max(score))


def hoeffding(eta, delta):
    return lambda n: math.sqrt(math.log(eta(n) / delta) / (2 * n))


def bears_on_the_copeland_winner(books, i, j):
    surely = max(books.least(k) for k in books.arms)
    possible = [k for k in books.arms if books.most(k) >= surely]
    undecided = not books.beats(i, j) and not books.beats(j, i)
    return undecided and len(possible) > 1 and (i in possible or j in possible)


def bears_on_the_condorcet_winner(books, i, j):
    return not any(books.beats(k, arm) for arm in (i, j) for k in books.arms)


def reference_savage(arms, duel, radius, bears=bears_on_the_copeland_winner):
    """The books and the number of duels when nothing is left to explore."""
    books = Books(arms, radius)
    pairs, rounds = list(itertools.combinations(range(arms), 2)), 0
    while pairs:
        i, j = min(pairs, key=lambda pair: books.draws(*pair))
        books.play(i, j, duel)
        rounds += 1
        pairs = [pair for pair in pairs if bears(books, *pair)]
    return books, rounds


def reference_pbr(arms, duel, radius, most):
    books = Books(arms, radius)
    pairs, rounds = list(itertools.combinations(range(arms), 2)), 0
    for _ in range(most):
        for i, j in pairs:
            books.play(i, j, duel)
            rounds += 1
        pairs = [pair for pair in pairs if bears_on_the_copeland_winner(books, *pair)]
        if not pairs:
            break
    return books.leader(), rounds


def reference_rankel(arms, duel, radius, rho):
    """With the Kendall distance: wrong pairs counted one by one."""
    books = Books(arms, radius)
    pairs, rounds = list(itertools.combinations(range(arms), 2)), 0
    while True:
        for i, j in pairs:
            books.play(i, j, duel)
            rounds += 1
        middle = [books.least(i) + books.most(i) for i in books.arms]
        ranking = sorted(books.arms, key=lambda i: (-middle[i], i))
        wrong = [
            (i, j) for i, j in itertools.combinations(ranking, 2) if books.most(j) > books.least(i)
        ]
        if len(wrong) <= rho:
            return tuple(ranking), rounds
        doubtful = {arm for pair in wrong for arm in pair}
        pairs = [
            (i, j)
            for i, j in pairs
            if not books.beats(i, j) and not books.beats(j, i) and (i in doubtful or j in doubtful)
        ]


def reference_pocowista(arms, duel, delta):
    """The winner; with ``duel(i, j)`` whether i wins. One pair after another, by dictionaries."""
    beats = {}

    def compared(i, j):
        return (i, j) in beats or (j, i) in beats

    def score(i):
        return sum(beats.get((i, j), False) for j in range(arms))

    def potential(i):
        return score(i) + sum(j != i and not compared(i, j) for j in range(arms))

    def mode(i, j):
        error = delta / math.comb(arms, 2)
        wins = [0, 0]
        while beta.pdf(0.5, wins[0] + 1, wins[1] + 1) > error:
            wins[not duel(i, j)] += 1
        return i if wins[0] > wins[1] else j

    while True:
        best = max(range(arms), key=score)
        if score(best) >= max(potential(i) for i in range(arms) if i != best):
            return best
        i = max(range(arms), key=potential)
        j = max((j for j in range(arms) if j != i and not compared(i, j)), key=score)
        first = mode(i, j)
        beats[first, j if first == i else i] = True
        beats[j if first == i else i, first] = False


def reference_dkwt(order, duel, delta):
    """The winner that stays, of arms in this order."""
    share = delta / len(order)
    stays = order[0]
    for other in order[1:]:
        s, decided = 1, False
        while not decided:
            error, h = 6 * share / (math.pi**2 * s**2), 2 ** (-s - 1)
            size = math.ceil(8 * math.log(4 / error) / h**2)
            won = sum(duel(stays, other) for _ in range(size))
            ahead = won / size - (size - won) / size
            if abs(ahead) > h:
                decided = True
                stays = stays if ahead > 0 else other
            s += 1
    return stays


def reference_nts(arms, duel, delta, h):
    """The Condorcet winner, or None."""
    error = delta / arms

    def wins(i, j):
        """Likelihoods of 1/2 + h and 1/2 - h, one against the other."""
        log_ratio, step = 0.0, math.log((0.5 + h) / (0.5 - h))
        while abs(log_ratio) < math.log((1 - error) / error) * (1 - 1e-12):
            log_ratio += step if duel(i, j) else -step
        return log_ratio > 0

    beaten_by = [set() for _ in range(arms)]
    queue = list(range(arms))
    while len(queue) > 1:
        following = [queue[-1]] if len(queue) % 2 else []
        for i, j in zip(queue[0::2], queue[1::2], strict=False):
            winner, loser = (i, j) if wins(i, j) else (j, i)
            beaten_by[winner].add(loser)
            following.append(winner)
        queue = following
    candidate = queue[0]
    for other in range(arms):
        if other not in beaten_by[candidate] | {candidate} and not wins(candidate, other):
            return None
    return candidate
