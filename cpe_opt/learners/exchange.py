"""The exchange between a learner and the world: it asks, somebody answers, and at last it tells.

Whoever feeds a learner does it so: the simulator, CAR-Parallel its copies, SCB its rounds, tests.
Observations are checked here, before the learner sees them (:mod:`cpe_opt.learners.observations`);
one that is refused leaves the learner waiting for the answer of the same query. Queries are
checked before anybody answers them, and answers (:mod:`cpe_opt.learners.answers`) before anybody
else sees them; a learner that asks or answers what it may not is ended.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from cpe_opt.errors import InputError, LearnerFault
from cpe_opt.learners.answers import checked_answer
from cpe_opt.learners.declaration import check_parameters, declaration_of, is_told, name_of
from cpe_opt.learners.observations import checked_observation
from cpe_opt.learners.queries import Conditional, HorizonReached, Learner, Unproved
from cpe_opt.problems.queries import Duel, check_query, samples_of
from cpe_opt.validation import checked_count, checked_rounds

AT_HORIZON = "the horizon was reached before it stopped"
AT_MAX_SAMPLES = "max_samples was reached before it stopped"
NO_ANSWER = "it stopped without an answer"
NO_GUARANTEE = "its learner declares no guarantee"
_SHOWN = 200
# What a learner waits for that has not begun.
_START = object()


class Exchange:
    """A learner at work: its open query, and in the end its answer.

    Parameters
    ----------
    learner : callable
        A function that returns a generator of queries, such as ``cpe_opt.learners.rucb``.
    known
        What it may know of the problem, ``problem.known``: a number of arms, a graph, a decision
        class, a model.
    rng : int or Generator
        Its seed, or where its random numbers come from; a learner that has no argument ``rng`` gets
        none.
    max_samples : int, optional
        The learner is stopped before a query that would make more than these samples, a batch as a
        whole; its answer is then its best guess. Duels of an arm with itself are no samples.
    horizon : int, optional
        Told to a learner that has an argument ``horizon``. Who answers ends the exchange by
        :meth:`stop`.
    family : str, optional
        Of the problem, by which the answer is checked; that which the learner declares by default.
    **parameters
        Of the learner.

    Attributes
    ----------
    query
        What the learner waits for, one query or a :class:`cpe_opt.Batch`; None once it has
        finished.
    answer
        What it has found, in plain numbers; None before it has finished, and where it has found
        nothing, which is never proved.
    doubt : str
        Why the answer is not proved; empty where the learner stopped by itself with its guarantee.
    assumption : str
        What that guarantee rests on and the queries do not show, such as "there is a Condorcet
        winner"; empty where there is nothing, and where the answer is not proved.
    finished : bool

    Raises
    ------
    InputError, UnknownName
        Where an argument is wrong.
    LearnerFault
        Where the learner asks what is no query, or answers what is no answer to such a problem.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> exchange = Exchange(cpe.learners.savage, 2, delta=0.1)
    >>> exchange.query
    Duel(i=0, j=1, times=1)
    >>> while not exchange.finished:
    ...     exchange.tell(exchange.query.times)  # arm 0 wins every duel
    >>> exchange.answer, exchange.doubt
    (0, '')
    """

    def __init__(
        self,
        learner: Callable[..., Learner],
        known: Any,
        rng: int | np.random.Generator = 0,
        *,
        max_samples: int | None = None,
        horizon: int | None = None,
        family: str | None = None,
        **parameters: Any,
    ) -> None:
        check_parameters(learner, parameters)
        if max_samples is not None:
            checked_rounds("max_samples", max_samples)
        if is_told(learner, "rng"):
            if not isinstance(rng, np.random.Generator):
                rng = np.random.default_rng(checked_count("seed", rng, least=0))
            parameters["rng"] = rng
        if is_told(learner, "horizon"):
            parameters["horizon"] = horizon
        generator = learner(known, **parameters)
        if not isinstance(generator, Generator):
            raise InputError(
                f"{name_of(learner)} returns {generator!r}, expected a generator of queries"
            )
        self.query: Any = _START
        self.answer: Any = None
        self.doubt = self.assumption = ""
        self.finished = False
        self._generator, self._send = generator, generator.send
        self._name, self._known = name_of(learner), known
        says = declaration_of(learner)
        self._unit_rewards, self._declared = says.unit_rewards, says.assumption
        self._nothing_promised = "" if says.promises else NO_GUARANTEE
        self._family = says.family if family is None else family
        self._left = max_samples
        self.tell(None)

    def tell(self, observation: Any) -> None:
        """Answer the query: the learner asks the next one, or has finished.

        Raises
        ------
        InputError
            Where this is no observation of the query, which stays the same.
        LearnerFault
            Where the learner asks or answers then what it may not.
        """
        query = self.query
        # A plain int is what a simulator sends, millions of times.
        if type(query) is Duel and type(observation) is int and 0 <= observation <= query.times:
            pass
        elif query is None:
            raise InputError(
                f"the learner has finished, it waits for no observation: {observation!r}"
            )
        else:
            observation = checked_observation(query, observation, unit_rewards=self._unit_rewards)
        try:
            self.query = self._send(observation)
        except StopIteration as finished:
            self._finish(finished.value)
        except BaseException:
            self.query = None
            raise
        else:
            self._check_query()
            if self._left is not None:
                self._count()

    def stop(self, doubt: str = AT_HORIZON) -> None:
        """Tell the learner that its rounds are over; its answer is its best guess.

        A learner that does not know :class:`HorizonReached` has none: the answer is None. What one
        has to say of its answer by then is added to the doubt.

        Raises
        ------
        LearnerFault
            Where the learner asks on, or answers what it may not.
        """
        if self.finished:
            return
        self.query = None
        try:
            self._generator.throw(HorizonReached())
        except StopIteration as finished:
            self._finish(finished.value)
        except HorizonReached:
            self._finish(None)
        else:
            self.close()
            raise LearnerFault(
                f"{self._name} asked on after the horizon was reached, expected its answer: after "
                "HorizonReached a learner returns its best guess, or lets it pass"
            )
        said = "" if self.doubt in (NO_ANSWER, NO_GUARANTEE) else self.doubt
        self.doubt = f"{doubt}; {said}" if said else doubt
        self.assumption = ""

    def close(self) -> None:
        """End it without an answer, even where the learner would ask on."""
        self.query = None
        # Python's own word for a generator that goes on after it was closed; it ends here anyway.
        with contextlib.suppress(RuntimeError):
            self._generator.close()

    def _check_query(self) -> None:
        try:
            check_query(self.query)
        except InputError as error:
            asked = repr(self.query)
            self.close()
            raise LearnerFault(f"{self._name} asks {asked[:_SHOWN]}, {error}") from None

    def _count(self) -> None:
        """Stop the learner where its query exceeds the samples that are left."""
        assert self._left is not None
        self._left -= samples_of(self.query)
        if self._left < 0:
            self.stop(AT_MAX_SAMPLES)

    def _finish(self, value: Any) -> None:
        self.query, self.finished = None, True
        doubt, assumption = "", self._declared
        if isinstance(value, Unproved):
            value, doubt = value.answer, value.doubt
        elif isinstance(value, Conditional):
            value, assumption = value.answer, value.assumption
        self.answer = checked_answer(self._family, self._known, value, self._name)
        if not doubt:
            doubt = NO_ANSWER if self.answer is None else self._nothing_promised
        self.doubt = doubt
        self.assumption = "" if self.doubt else assumption
