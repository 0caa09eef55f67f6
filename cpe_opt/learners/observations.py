"""Observations are checked where learners meet the world, before a learner sees them.

What may be sent to a learner that waits for the answer of a query:

- ``Duel(i, j, times)``: how many of the duels i won, a whole number from 0 to ``times``; of a
  single duel also a truth value. There are no half wins. Of an idle stretch, i = j, nothing is
  observed: any such number will do, or None.
- ``Pull(arm, times)``: the rewards, finite real numbers, an array or a sequence of ``times``.
- ``PullSets(sets, times)``: the sums, finite real numbers, one a set; 0 for a set not pulled.

Scalars and arrays of numpy are welcome; the learner gets an int, or an array of floats. Anything
else is refused with :class:`cpe_opt.InputError`, and the learner still waits for the answer of the
same query, as if nothing had been sent.
"""

from __future__ import annotations

import functools
import math
import numbers
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, ParamSpec

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.learners.queries import HorizonReached, Unproved
from cpe_opt.problems.queries import Duel, Pull, PullSets
from cpe_opt.validation import checked_rounds

Parameters = ParamSpec("Parameters")
_TERMS = "_cpe_opt_terms"


@dataclass(frozen=True)
class Terms:
    """On what terms a learner runs.

    Attributes
    ----------
    endless : bool
        Whether it explores or plays on until it is told that a horizon is reached.
    endless_if : str
        Where a learner that stops by itself may not do so.
    unit_rewards : bool
        Whether it is for rewards in [0, 1] alone.
    """

    endless: bool = False
    endless_if: str = ""
    unit_rewards: bool = False


def guarded(
    *, endless: bool = False, endless_if: str = "", unit_rewards: bool = False
) -> Callable[
    [Callable[Parameters, Generator[Any, Any, Any]]], Callable[Parameters, CheckedLearner]
]:
    """Have a learner's observations checked; the arguments are those of :class:`Terms`.

    A keyword argument ``max_samples`` of the learner is seen to here: the learner stops before a
    query that would exceed it, as at a horizon.
    """
    terms = Terms(endless, endless_if, unit_rewards)

    def guard(
        function: Callable[Parameters, Generator[Any, Any, Any]],
    ) -> Callable[Parameters, CheckedLearner]:
        @functools.wraps(function)
        def learner(*args: Parameters.args, **kwargs: Parameters.kwargs) -> CheckedLearner:
            most: Any = kwargs.get("max_samples")
            if most is not None:
                checked_rounds("max_samples", most)
            return CheckedLearner(function(*args, **kwargs), terms, most)

        setattr(learner, _TERMS, terms)
        return learner

    return guard


def terms_of(learner: Callable[..., Any]) -> Terms:
    """The terms of a learner; those of one that is not guarded are unknown, and the default."""
    terms = getattr(learner, _TERMS, None)
    return terms if isinstance(terms, Terms) else Terms()


class CheckedLearner(Generator[Any, Any, Any]):
    """A learner that refuses what is no observation of the query it waits for.

    Attributes
    ----------
    query
        What it waits for; None before the first query and after the answer.
    doubt : str
        Why its answer is not proved; empty where it stopped by itself with its guarantee.
    """

    def __init__(
        self, inner: Generator[Any, Any, Any], terms: Terms, max_samples: int | None = None
    ) -> None:
        self.query: Any = None
        self.doubt = ""
        self._inner, self._terms, self._left = inner, terms, max_samples
        self._send = inner.send

    def send(self, observation: Any) -> Any:
        """Answer the query; the next query, or :class:`StopIteration` with the answer.

        Raises
        ------
        InputError
            Where this is no observation of the query, which stays the same.
        """
        query = self.query
        # A plain int is what a simulator sends, millions of times.
        if type(query) is Duel and type(observation) is int and 0 <= observation <= query.times:
            pass
        elif query is not None:
            unit = self._terms.unit_rewards
            observation = checked_observation(query, observation, unit_rewards=unit)
        elif observation is not None:
            raise InputError(
                f"the learner waits for no observation, it got {observation!r}: it has ended, or "
                "has not asked yet; next() makes it ask"
            )
        try:
            query = self.query = self._send(observation)
        except StopIteration as finished:
            raise self._finished(finished.value) from None
        except BaseException:
            self.query = None
            raise
        return query if self._left is None else self._within_limit(query)

    def throw(self, *signal: Any) -> Any:
        """Raise an exception, such as ``HorizonReached()``, where the learner waits."""
        self.query = None
        try:
            self.query = self._inner.throw(*signal)
        except StopIteration as finished:
            raise self._finished(finished.value) from None
        return self.query

    def close(self) -> None:
        """End it without an answer."""
        self.query = None
        self._inner.close()

    def _within_limit(self, query: Any) -> Any:
        """The query, or the end where it would exceed max_samples."""
        assert self._left is not None
        self._left -= query.rounds
        if self._left >= 0:
            return query
        self.doubt = "max_samples was reached before it stopped"
        try:
            return self.throw(HorizonReached())
        except HorizonReached:
            raise StopIteration(None) from None

    def _finished(self, value: Any) -> StopIteration:
        self.query = None
        if not isinstance(value, Unproved):
            return StopIteration(value)
        self.doubt = self.doubt or value.doubt
        return StopIteration(value.answer)


def checked_observation(query: Any, observation: Any, *, unit_rewards: bool = False) -> Any:
    """The observation as the learner gets it, an int or a float array, or :class:`InputError`."""
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
