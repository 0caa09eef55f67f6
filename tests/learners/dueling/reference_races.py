"""SAVAGE, PBR and RankEl as printed, duel by duel, sharing no code with the package."""

import itertools
import math

import numpy as np

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
