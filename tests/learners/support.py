"""Running learners by hand."""

import itertools

import numpy as np

from cpe_opt.learners.queries import Unproved


class OutcomesByPair:
    """The k-th duel of a pair has the same outcome in whatever order the pairs are duelled."""

    def __init__(self, mu, seed):
        self.arms = mu.arms
        self.draws = np.zeros((mu.arms, mu.arms), dtype=int)
        self._streams = {
            (i, j): (mu.array[i, j], np.random.default_rng([seed, i, j]))
            for i, j in itertools.combinations(range(mu.arms), 2)
        }

    def duel(self, i, j, times=1):
        """How many of the next duels i wins."""
        self.draws[i, j] += times
        if i == j:
            return 0
        chance, rng = self._streams[min(i, j), max(i, j)]
        won = int((rng.random(times) < chance).sum())
        return won if i < j else times - won

    def answer(self, query):
        """The observation of a query."""
        return self.duel(query.i, query.j, query.times)


def run_to_the_end(learner, environment):
    """The answer and the number of duels."""
    duels, answer = 0, None
    while True:
        try:
            query = learner.send(answer)
        except StopIteration as finished:
            return plain(finished.value), duels
        duels += query.times
        answer = environment.answer(query)


def driven(learner, answer):
    """All that a learner asks, in order, and its answer."""
    asked, given = [], None
    while True:
        try:
            asked.append(learner.send(given))
        except StopIteration as finished:
            return asked, plain(finished.value)
        given = answer(asked[-1])


def plain(value):
    """The answer without the doubt that may come with it."""
    return value.answer if isinstance(value, Unproved) else value


def conversation(exchange, environment):
    """The answer of an exchange that is carried on to its end, and the number of duels or pulls."""
    asked = 0
    while not exchange.finished:
        asked += exchange.query.rounds
        exchange.tell(environment.answer(exchange.query))
    return exchange.answer, asked


def rounds_played(learner, mu, seed, horizon):
    """The pairs that a learner plays round by round, queries of many duels written out."""
    environment = mu.environment(np.random.default_rng(seed))
    generator = learner(mu.arms, rng=np.random.default_rng([seed, 1]))
    played, answer = [], None
    while len(played) < horizon:
        query = generator.send(answer)
        played += [(query.i, query.j)] * min(query.times, horizon - len(played))
        answer = environment.answer(query)
    return played
