"""Running learners by hand."""

import functools
import itertools

import numpy as np

from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.queries import Conditional, HorizonReached, Unproved
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.queries import Batch, Duel, single_queries


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
        """The observation of a query, or of a batch."""
        won = [self.duel(each.i, each.j, each.times) for each in single_queries(query)]
        return won if isinstance(query, Batch) else won[0]


def singly(learner):
    """The same learner, which asks the queries of its batches one after the other."""
    step, value = learner.send, None
    while True:
        try:
            query = step(value)
        except StopIteration as finished:
            return finished.value
        step = learner.send
        try:
            observed = []
            for each in single_queries(query):
                answer = yield each
                observed.append(answer)
            value = observed if isinstance(query, Batch) else observed[0]
        except HorizonReached as reached:
            step, value = learner.throw, reached


def asking_singly(learner):
    """The learner as a function whose generators ask one query at a time."""

    @functools.wraps(learner)
    def wrapped(known, **parameters):
        return singly(learner(known, **parameters))

    return wrapped


def run_to_the_end(learner, environment):
    """The answer and the number of duels."""
    asked, answer = driven(learner, environment.answer)
    return answer, sum(query.times for query in asked)


def driven(learner, answer):
    """All that a learner asks, in order, and its answer; the queries of batches one by one."""
    learner = singly(learner)
    asked, given = [], None
    while True:
        try:
            asked.append(learner.send(given))
        except StopIteration as finished:
            return asked, plain(finished.value)
        given = answer(asked[-1])


def plain(value):
    """The answer without the doubt or the assumption that may come with it."""
    return value.answer if isinstance(value, Conditional | Unproved) else value


def conversation(exchange, environment):
    """The answer of an exchange that is carried on to its end, and the number of duels or pulls."""
    asked = 0
    while not exchange.finished:
        asked += exchange.query.rounds
        exchange.tell(answered(environment, exchange.query))
    return exchange.answer, asked


def answered(environment, query):
    """The observation of a query, or the list of those of a batch."""
    observed = [environment.answer(each) for each in single_queries(query)]
    return observed if isinstance(query, Batch) else observed[0]


def rounds_played(learner, mu, seed, horizon):
    """The pairs that a learner plays round by round, queries of many duels written out."""
    environment = mu.environment(np.random.default_rng(seed))
    generator = singly(learner(mu.arms, rng=np.random.default_rng([seed, 1])))
    played, answer = [], None
    while len(played) < horizon:
        query = generator.send(answer)
        played += [(query.i, query.j)] * min(query.times, horizon - len(played))
        answer = environment.answer(query)
    return played


def duels_of(mu, seed):
    """Whether i wins the next duel with j, as the problem's environment with this seed has it."""
    environment = mu.environment(np.random.default_rng(seed))
    return lambda i, j: environment.answer(Duel(i, j))


def halfway(name, known, shares, **parameters):
    """The answer of a learner cut off after observations: shares of its duels, or rewards."""
    learner = asking_singly(get_learner(name))
    exchange = Exchange(learner, known, 0, **parameters)
    for share in shares:
        duel = isinstance(exchange.query, Duel)
        exchange.tell(share * exchange.query.times if duel else share)
    assert not exchange.finished
    exchange.stop()
    return exchange.answer
