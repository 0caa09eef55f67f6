"""Observations are checked where learners meet the world, before a learner sees them.

What may be sent to a learner that waits for the answer of a query:

- ``Duel(i, j, times)``: how many of the duels i won, a whole number from 0 to ``times``; of a
  single duel also a truth value. There are no half wins. Of an idle stretch, i = j, nothing is
  observed: any such number will do, or None.
- ``Pull(arm, times)``: the rewards, finite real numbers, an array or a sequence of ``times``.
- ``PullSets(sets, times)``: the sums, finite real numbers, one a set; 0 for a set not pulled.
- ``Batch(queries)``: a list, or another sequence, of what may be sent for each of its queries, in
  their order.

Scalars and arrays of numpy are welcome; the learner gets an int, or an array of floats, or the list
of those. Anything else is refused with :class:`cpe_opt.InputError`, and the learner still waits for
the answer of the same query, as if nothing had been sent (:mod:`cpe_opt.learners.exchange`).
Observations of queries of a user's own are for that user's learner to judge.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Batch, Duel, Pull, PullSets


def checked_observation(query: Any, observation: Any, *, unit_rewards: bool = False) -> Any:
    """The observation as the learner gets it: an int, a float array, a list; or InputError."""
    if isinstance(query, Batch):
        return _checked_list(query, observation, unit_rewards)
    if isinstance(query, Duel):
        return _checked_wins(query, observation)
    if isinstance(query, Pull):
        expected = f"expected {query.times} reward{'s' if query.times > 1 else ''}"
        rewards = _checked_numbers(query, observation, query.times, expected)
        if unit_rewards and not ((rewards >= 0.0) & (rewards <= 1.0)).all():
            wrong = rewards[~((rewards >= 0.0) & (rewards <= 1.0))][0]
            raise InputError(f"a reward of {query!r} is {wrong}, expected numbers in [0, 1]")
        return rewards
    if isinstance(query, PullSets):
        expected = f"expected {len(query.sets)} sums, one a set"
        sums = _checked_numbers("PullSets", observation, len(query.sets), expected)
        for place in np.flatnonzero(sums).tolist():
            if not query.times[place]:
                raise InputError(
                    f"the sum of set {query.sets[place]} is {sums[place]}, expected 0: the query "
                    "does not pull it"
                )
        return sums
    return observation


def _checked_list(batch: Batch, observation: Any, unit_rewards: bool) -> list[Any]:
    count = len(batch.queries)
    if type(observation) is not list and not _is_sequence(observation):
        raise InputError(
            f"the observation of a batch is {observation!r}, expected a list of {count}, one a "
            "query"
        )
    if len(observation) != count:
        raise InputError(
            f"the observation of a batch is a list of {len(observation)}, expected one of {count}, "
            "one a query"
        )
    checked = []
    for number, (query, each) in enumerate(zip(batch.queries, observation, strict=True), 1):
        # Plain ints are what a simulator sends.
        if type(query) is Duel and type(each) is int and 0 <= each <= query.times:
            checked.append(each)
            continue
        try:
            checked.append(checked_observation(query, each, unit_rewards=unit_rewards))
        except InputError as error:
            raise InputError(f"query {number} of {count} of the batch: {error}") from None
    return checked


def _is_sequence(observation: Any) -> bool:
    if isinstance(observation, np.ndarray):
        return observation.ndim > 0
    return isinstance(observation, Sequence) and not isinstance(observation, str | bytes)


def _checked_wins(query: Duel, observation: Any) -> int:
    if query.i == query.j and observation is None:
        return 0
    truth = isinstance(observation, bool | np.bool_)
    if truth and query.times == 1:
        return int(observation)
    whole = isinstance(observation, numbers.Integral) and not truth
    if whole and 0 <= observation <= query.times:
        return int(observation)
    hint = ""
    if isinstance(observation, float) and math.isfinite(observation) and observation % 1.0 == 0.5:
        hint = "; learners count no half wins: settle a tie by a fair coin, or ask again"
    raise InputError(
        f"the observation of {query!r} is {observation!r}, expected how many of them {query.i} "
        f"won, a whole number from 0 to {query.times}{hint}"
    )


def _checked_numbers(query: object, observation: Any, count: int, expected: str) -> FloatArray:
    try:
        array = np.asarray(observation)
    except (TypeError, ValueError):
        array = np.asarray(None)
    if array.dtype.kind not in "fiub" or array.shape != (count,):
        shown = repr(observation)
        if array.dtype.kind in "fiub":
            shown = f"of shape {array.shape}" if array.ndim else f"the number {observation!r}"
        raise InputError(
            f"the observation of {query!r} is {shown}, {expected}: an array of shape ({count},)"
        )
    array = array.astype(np.float64, copy=False)
    # One number is the common case, and cheaper to look at than an array.
    if not (math.isfinite(array[0]) if count == 1 else np.isfinite(array).all()):
        wrong = array[~np.isfinite(array)][0]
        raise InputError(f"the observation of {query!r} holds {wrong}, expected finite numbers")
    return array
