"""Observations to try a learner with: those of an environment, extreme ones, wrong ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from cpe_opt.problems.problem import Environment
from cpe_opt.problems.queries import Batch, Duel, Pull, PullSets


def observe(environment: Environment, query: Any) -> Any:
    """What is observed of a query; of a batch the list for its queries, one after the other."""
    if isinstance(query, Batch):
        return [observe(environment, each) for each in query.queries]
    return environment.answer(environment.check(query))


def share_of_all(query: Any, share: float) -> Any:
    """The observation where every duel is won by this share, or every element gives it."""
    if isinstance(query, Batch):
        return [share_of_all(each, share) for each in query.queries]
    if isinstance(query, Pull):
        return np.full(query.times, float(share))
    if isinstance(query, PullSets):
        return share * np.array(query.times) * np.array([len(members) for members in query.sets])
    return share * query.times


def as_logged(query: Any, observation: Any) -> Any:
    """An observation as a log has it, in plain numbers and lists."""
    if isinstance(query, Batch):
        return [as_logged(*pair) for pair in zip(query.queries, observation, strict=True)]
    return np.asarray(observation).tolist()


def as_numpy(query: Any, logged: Any) -> Any:
    """An observation from a log, its whole numbers as those of numpy."""
    if isinstance(query, Batch):
        return tuple(as_numpy(*pair) for pair in zip(query.queries, logged, strict=True))
    return np.int64(logged) if isinstance(logged, int) else logged


def wrong_observations(query: Any) -> list[Any]:
    """What no learner may take for an observation of the query."""
    if isinstance(query, Duel):
        wrong = [query.times + 1, -1, 0.5, np.nan, "1", [0]]
        return [*wrong, True] if query.times > 1 else wrong
    if isinstance(query, Batch):
        right = share_of_all(query, 0)
        inside = [[*right[:-1], wrong] for wrong in wrong_observations(query.queries[-1])]
        return [*inside, right[1:], [*right, 0], None, 0, "0" * len(right), dict(enumerate(right))]
    if not isinstance(query, Pull | PullSets):
        return []
    count = query.times if isinstance(query, Pull) else len(query.sets)
    wrong = [0.5, None, np.zeros(count + 1), np.zeros((count, 1)), np.full(count, np.nan)]
    if isinstance(query, PullSets) and 0 in query.times:
        wrong.append(np.ones(count))
    return wrong
