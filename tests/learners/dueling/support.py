"""Tournaments with gaps, and runs of learners that track."""

import numpy as np

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.problems.queries import Batch, single_queries
from cpe_opt.testing.learners import observe
from tests.support import random_preferences, with_gaps

TRACKING = ("copeland-tracking", "condorcet-tracking", "borda-tracking")
CLEAR = cpe.PreferenceMatrix([[0.5, 0.8, 0.9], [0.2, 0.5, 0.7], [0.1, 0.3, 0.5]])


def identification_problem(seed, least=0.15):
    """Tournaments of 2 to 8 arms without ties, with a Condorcet winner or without."""
    return with_gaps(random_preferences(2 + seed % 7, np.random.default_rng(seed)), least)


def winners(learner, problem):
    if learner == "borda-tracking":
        return problem.borda_winners
    condorcet = learner == "condorcet-tracking"
    return (problem.condorcet_winner,) if condorcet else problem.copeland_winners


def tracked(learner, problem, seed=0, **parameters):
    """The queries of a run with their outcomes, the wins of every pair, and the answer."""
    exchange = Exchange(cpe.learners.LEARNERS[learner], problem.known, **parameters)
    environment = problem.environment(np.random.default_rng(seed))
    wins, asked = np.zeros_like(problem.array), []
    while not exchange.finished:
        query = exchange.query
        won = environment.answer(query)
        asked.append((query, won))
        exchange.tell(won)
        wins[query.i, query.j] += won
        wins[query.j, query.i] += query.times - won
    return asked, wins, exchange


def batches(learner, mu, seed=0, most=400, **parameters):
    """What is asked in a run, the counts before each, and the exchange at its end."""
    exchange = Exchange(cpe.learners.LEARNERS[learner], mu.arms, **parameters)
    environment, wins, asked = (
        mu.environment(np.random.default_rng(seed)),
        np.zeros_like(mu.array),
        [],
    )
    while not exchange.finished and len(asked) < most:
        query = exchange.query
        asked.append((query, wins.copy()))
        observed = observe(environment, query)
        exchange.tell(observed)
        won = observed if isinstance(query, Batch) else [observed]
        for duel, won_by_i in zip(single_queries(query), won, strict=True):
            wins[duel.i, duel.j] += won_by_i
            wins[duel.j, duel.i] += duel.times - won_by_i
    return asked, wins, exchange


def stepped(tracker, problem, seed=0, most=10**9):
    """Turns of a tracker until it has a proof or so many duels were made, and its answer."""
    environment, duels = problem.environment(np.random.default_rng(seed)), 0
    while (answer := tracker.proved()) is None and duels < most:
        for batch in tracker.block():
            for query in batch:
                tracker.count(query, environment.answer(query))
                duels += query.times
    return answer
