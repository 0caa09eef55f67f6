"""The exchange between a learner and the world: queries, observations, and in the end an answer.

The simulator, CAR-Parallel, SCB, sessions and tests all feed learners by it. Observations are
checked before the learner sees them (:func:`checked_observation`); one that is refused leaves the
learner waiting for the answer of the same query. Queries are checked before anybody answers them,
and answers (:func:`checked_answer`) before anybody else sees them; a learner that asks or answers
what it may not is ended.
"""

from __future__ import annotations

import contextlib
import math
import numbers
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray, checked_shape, is_whole
from cpe_opt.errors import InputError, LearnerFault, shortened
from cpe_opt.learners.declaration import (
    check_parameters,
    check_takes_cells,
    declaration_of,
    is_told,
    name_of,
    noise_assumption,
    signature_of,
)
from cpe_opt.learners.queries import (
    Assessed,
    Conditional,
    HorizonReached,
    Learner,
    Unproved,
    condition,
    joined_assumptions,
)
from cpe_opt.learners.tracking import PROVED_BY_THEN, Checkpoint
from cpe_opt.problems.queries import (
    HINT_STEP,
    Batch,
    CellScores,
    CellSums,
    Duel,
    Pull,
    PullSets,
    Window,
    check_query,
    is_plain_duel,
    samples_of,
    single_queries,
)
from cpe_opt.validation import Rounds, Seed, checked_types

AT_HORIZON = "the horizon was reached before it stopped"
AT_MAX_SAMPLES = "max_samples was reached before it stopped"
NO_ANSWER = "it stopped without an answer"
NO_GUARANTEE = "its learner declares no guarantee"
_SHOWN, _ANSWER_SHOWN = 200, 80
_ROUNDING = 1e-9  # of sums of cells
_MOST_CHECKED = 2**15  # queries that are kept so as not to be checked again
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
    cells : int array, shape (K, K), optional
        Of duels over a fixed test set (:class:`cpe_opt.ItemDuels`): how many cells of each pair can
        be asked, symmetric. Told to a learner that has an argument ``cells``; others are refused.
        Observations are then :class:`cpe_opt.problems.queries.CellSums`. Of scores on items
        (:class:`cpe_opt.ItemScores`) the number of items, an int; observations are
        :class:`cpe_opt.problems.queries.CellScores`.
    hints : mapping, or float array of shape (K, n), optional
        With ``cells``, the hints of a cheap judge: of each pair (i, j), i < j, what i gets in the
        cells that can be asked by their hints, in [0, 1], ascending; of scores those of each arm on
        each item. Told to a learner that has an argument ``hints``; then each observation of a duel
        has the hint of its cell, and queries ask one cell each. Others do without. Of scores
        ``answered`` has the scores of all arms on further items, shape (K, m).
    answered : float array, shape (K, K), optional
        With ``cells``, of further cells that are not among them and have been answered before: the
        sums of what each arm got against each other. Told to a learner that has an argument
        ``answered``; others are refused unless all sums are 0.
    checkpoint : Checkpoint, optional
        From whose state the learner goes on, if it has one, and where its state is kept. Told to a
        learner that has an argument ``checkpoint``; others begin anew.
    noise_assumed : str, optional
        What its guarantee takes for granted of noise, where that is not what its parameters say
        (:func:`cpe_opt.learners.declaration.noise_assumption`).
    **parameters
        Of the learner.

    Attributes
    ----------
    query
        What the learner waits for, one query, a :class:`cpe_opt.Batch` or a
        :class:`cpe_opt.problems.queries.Window`; None once it has finished.
    answer
        What it has found, in plain numbers; None before it has finished, and where it has found
        nothing, which is never proved.
    doubt : str
        Why the answer is not proved; empty where the learner stopped by itself with its guarantee.
    assumption : str
        What that guarantee rests on and the queries do not show, such as "there is a Condorcet
        winner", or how large noise is at most; empty if there is nothing, and where the answer is
        not proved.
    error_estimate, p_value : float
        How sure a learner with a fixed budget is of its answer
        (:class:`cpe_opt.learners.queries.Assessed`); NaN for other learners.
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

    @checked_types
    def __init__(
        self,
        learner: Callable[..., Learner],
        known: Any,
        rng: Seed | np.random.Generator = 0,
        *,
        max_samples: Rounds | None = None,
        horizon: int | None = None,
        family: str | None = None,
        cells: IntArray | int | None = None,
        answered: FloatArray | None = None,
        hints: Mapping[tuple[int, int], FloatArray] | FloatArray | None = None,
        checkpoint: Checkpoint | None = None,
        noise_assumed: str | None = None,
        **parameters: Any,
    ) -> None:
        check_parameters(learner, parameters)
        if noise_assumed is None:
            noise_assumed = noise_assumption(learner, parameters)
        if is_told(learner, "rng"):
            if not isinstance(rng, np.random.Generator):
                rng = np.random.default_rng(rng)
            parameters["rng"] = rng
        if is_told(learner, "horizon"):
            parameters["horizon"] = horizon
        of_scores = isinstance(cells, int | np.integer)
        told_of = _told_of_scores if of_scores else _told_of_items
        parameters |= told_of(learner, known, cells, answered, hints)
        self._hints: Any = None if of_scores else parameters.get("hints")
        unasked: Any = None
        if cells is not None:
            unasked = np.array(np.full(known.size, cells) if of_scores else cells, np.int64)
        if checkpoint is not None and is_told(learner, "checkpoint"):
            parameters["checkpoint"] = checkpoint
            for arms, times in checkpoint.asked.items() if unasked is not None else ():
                unasked[arms if of_scores else ([*arms], [*arms[::-1]])] -= times
        self._unasked: IntArray | None = unasked
        self._order: _ItemOrder | None = None
        if of_scores:
            self._order = _ItemOrder(parameters["cells"], "hints" in parameters, cells - unasked)
        generator = learner(known, **parameters)
        if not isinstance(generator, Generator):
            raise InputError(
                f"{name_of(learner)} returns {generator!r}, expected a generator of queries"
            )
        self.query: Any = _START
        self.answer: Any = None
        self.doubt = self.assumption = ""
        self.error_estimate = self.p_value = math.nan
        self.finished = False
        self._ahead: tuple[Any, ...] = ()  # queries of the last window that stay open
        # Single duels that were checked, which nothing can change, by their identities.
        self._checked: dict[int, Any] = {}
        self._generator, self._send = generator, generator.send
        self._name, self._known = name_of(learner), known
        says = declaration_of(learner)
        self._unit_rewards, self._declared = says.unit_rewards, says.assumption
        self.takes_sums = self._unasked is not None or says.shares
        self._nothing_promised = "" if says.promises else NO_GUARANTEE
        self._noise_assumed = noise_assumed
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
        if (
            type(query) is Duel
            and type(observation) is int
            and 0 <= observation <= query.times
            and not self.takes_sums
        ):
            pass
        elif query is None:
            raise InputError(
                f"the learner has finished, it waits for no observation: {observation!r}"
            )
        elif self._order is not None and query is not _START:
            observation = self._order.checked(query, observation)
        else:
            observation = checked_observation(
                query,
                observation,
                unit_rewards=self._unit_rewards,
                items=self.takes_sums,
            )
            if self._hints is not None and query is not _START:
                self._check_hints(observation)
        try:
            query = self.query = self._send(observation)
        except StopIteration as finished:
            self._finish(finished.value)
        except BaseException:
            self.query = None
            raise
        else:
            if self._ahead or self._checked.get(id(query)) is not query:
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
        if said.startswith(PROVED_BY_THEN):
            said += condition(self._noise_assumed)
        self.doubt = f"{doubt}; {said}" if said else doubt
        self.assumption = ""

    def close(self) -> None:
        """End it without an answer, even where the learner would ask on."""
        self.query = None
        # Python's own word for a generator that goes on after it was closed; it ends here anyway.
        with contextlib.suppress(RuntimeError):
            self._generator.close()

    def _check_query(self) -> None:
        query, ahead = self.query, self._ahead
        try:
            if ahead or isinstance(query, Window):
                queries = query.queries if isinstance(query, Window) else (query,)
                if queries[: len(ahead)] != ahead:
                    raise InputError(f"expected first what is open already: {ahead!r:.80}")
                self._ahead, new = queries[1:], queries[len(ahead) :]
                for each in (queries[0], *new):  # the others were checked when they came
                    check_query(each)
            else:
                check_query(query)
                new = single_queries(query)
            if self._unasked is not None:
                _take_cells(self._unasked, new)
            elif is_plain_duel(query) and len(self._checked) < _MOST_CHECKED:
                self._checked[id(query)] = query
        except InputError as error:
            asked = repr(self.query)
            self.close()
            raise LearnerFault(f"{self._name} asks {asked[:_SHOWN]}, {error}") from None

    def _check_hints(self, observation: Any) -> None:
        """Raise :class:`InputError` unless each cell has a hint of those told of its pair."""
        single = [observation] if isinstance(observation, CellSums) else observation
        for duel, sums in zip(single_queries(self.query), single, strict=True):
            of_pair = np.asarray(self._hints.get((min(duel.i, duel.j), max(duel.i, duel.j)), ()))
            hint = sums.hint if duel.i < duel.j else 1.0 - sums.hint
            if not (np.abs(of_pair - hint) < HINT_STEP).any():
                raise InputError(
                    f"the observation of {duel!r} is {sums!r}, expected CellSums with the hint of "
                    "one of the cells of the pair"
                )

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
        elif isinstance(value, Assessed):
            self.error_estimate, self.p_value = value.error, value.p_value
            value, doubt = value.answer, value.doubt
        elif isinstance(value, Conditional):
            value, assumption = value.answer, value.assumption
        self.answer = checked_answer(self._family, self._known, value, self._name)
        if not doubt:
            doubt = NO_ANSWER if self.answer is None else self._nothing_promised
        self.doubt = doubt
        assumption = joined_assumptions(assumption, self._noise_assumed)
        self.assumption = "" if self.doubt else assumption


def _told_of_items(
    learner: Callable[..., Learner], known: Any, cells: Any, answered: Any, hints: Any
) -> dict[str, Any]:
    """What a learner is told of a test set, or :class:`InputError` if it is not made for one."""
    if cells is None:
        for what, given in (("answered", answered), ("hints", hints)):
            if given is not None:
                raise InputError(f"{what} has no effect without cells")
        needed = signature_of(learner).get("cells")
        if needed is not None and needed.default is needed.empty:
            raise InputError(
                f"{name_of(learner)} is for fixed test sets alone, and this problem has no cells"
            )
        return {}
    check_takes_cells(learner)
    counts = np.asarray(cells)
    shape = (known, known)
    whole = counts.dtype.kind in "iu" and counts.shape == shape and bool((counts >= 0).all())
    if not (whole and (counts == counts.T).all() and not counts.diagonal().any()):
        raise InputError(
            f"cells is {cells!r}, expected whole numbers, {known} × {known}, symmetric, and 0 on "
            "the diagonal"
        )
    told: dict[str, Any] = {"cells": counts.astype(np.int64)}
    if hints is not None and is_told(learner, "hints"):
        told["hints"] = hints
    sums = None if answered is None else np.asarray(answered, dtype=np.float64)
    if sums is not None and (sums.shape != shape or not (sums >= 0.0).all()):
        raise InputError(f"answered is {answered!r}, expected sums, {known} × {known}")
    return told | _told_of_answered(learner, sums, sums is not None and bool(sums.any()))


def _told_of_scores(
    learner: Callable[..., Learner], known: Any, cells: Any, answered: Any, hints: Any
) -> dict[str, Any]:
    """What a learner is told of a table of scores, or :class:`InputError` if it is not for one."""
    check_takes_cells(learner)
    size = getattr(known, "size", None)
    if size is None or cells < 1:
        raise InputError(
            f"cells is {cells!r}, expected how many items a table of scores has, at least 1, and "
            "as what the learner knows how many of its arms are wanted, such as TopK(8, 1)"
        )
    told: dict[str, Any] = {"cells": int(cells)}
    if hints is not None and is_told(learner, "hints"):
        told["hints"] = checked_shape("hints", hints, (size, cells), ", arms × items", finite=True)
        if not ((told["hints"] >= 0.0) & (told["hints"] <= 1.0)).all():
            raise InputError("hints: expected numbers in [0, 1]")
    before = None if answered is None else np.asarray(answered, dtype=np.float64)
    return told | _told_of_answered(learner, before, before is not None)


def _told_of_answered(
    learner: Callable[..., Learner], answered: FloatArray | None, counts: bool
) -> dict[str, Any]:
    """Cells that were answered before, or :class:`InputError` where they count and it cannot."""
    if answered is not None and is_told(learner, "answered"):
        return {"answered": answered}
    if counts:
        raise InputError(
            f"{name_of(learner)} has no parameter 'answered': it cannot count cells that were "
            "answered before"
        )
    return {}


def _take_cells(unasked: IntArray, queries: Sequence[Any]) -> None:
    """Count down the cells that queries ask, or :class:`InputError` if there are none.

    ``unasked`` has the shape (K,) of scores, which are pulled, and (K, K) of duels.
    """
    kind, what = (Pull, "pulls") if unasked.ndim == 1 else (Duel, "duels")
    for each in queries:
        arms: tuple[int, ...] = ()
        if isinstance(each, Pull) and kind is Pull:
            arms = (each.arm,)
        elif isinstance(each, Duel) and kind is Duel:
            arms = each.i, each.j
        if not arms or max(arms) >= len(unasked):
            raise InputError(f"expected {what} of the arms 0 … {len(unasked) - 1}")
        left = int(unasked[arms])
        if each.times > left:
            raise InputError(
                f"{each.times} of the cells of {' and '.join(map(str, arms))}, of which {left} are "
                "left"
            )
        unasked[arms] = unasked[arms[::-1]] = left - each.times


def checked_observation(
    query: Any, observation: Any, *, unit_rewards: bool = False, items: bool = False
) -> Any:
    """The observation as the learner gets it, or :class:`InputError`; then it still waits.

    - Of ``Duel(i, j, times)``: how many of the duels i won, a whole number from 0 to ``times``; of
      a single duel also a truth value. There are no half wins. Of an idle stretch, i = j, any such
      number will do, or None. Over items, or with ``shares``, the sum of what i got, a real number
      from 0 to ``times``, or what both got, where cells were left out less than ``times`` together.
    - Of ``Pull(arm, times)``: the rewards, finite real numbers, a sequence of ``times``.
    - Of ``PullSets(sets, times)``: the sums, finite real numbers; 0 for a set not pulled.
    - Of ``Batch(queries)``: a sequence of what may be sent for each of its queries, in order.
    - Of ``Window(queries)``: what may be sent for the first of its queries.
    - Of a query of a user's own kind: anything, unchecked.
    """
    if isinstance(query, Batch):
        check = partial(checked_observation, unit_rewards=unit_rewards, items=items)
        return _checked_list(query, observation, check, plain=not items)
    if isinstance(query, Window):
        query = query.queries[0]
    if isinstance(query, Duel):
        return (_checked_sums if items else _checked_wins)(query, observation)
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


def _checked_list(
    batch: Batch, observation: Any, check: Callable[[Any, Any], Any], *, plain: bool
) -> list[Any]:
    """What ``check`` makes of each query's observation; ``plain`` ints are what simulators send."""
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
        if plain and type(query) is Duel and type(each) is int and 0 <= each <= query.times:
            checked.append(each)
            continue
        try:
            checked.append(check(query, each))
        except InputError as error:
            raise InputError(f"query {number} of {count} of the batch: {error}") from None
    return checked


class _ItemOrder:
    """The order of the items of a table of scores, as far as it is known."""

    def __init__(self, cells: int, hinted: bool, told: IntArray) -> None:
        self._cells, self._hinted = cells, hinted
        self._told = told.tolist()  # how many scores of each arm
        self._items: dict[int, int] = {}  # by position
        self._positions: dict[int, int] = {}  # by item

    def checked(self, query: Any, observation: Any) -> Any:
        """The scores as the learner gets them, or :class:`InputError`; then it still waits."""
        if not isinstance(query, Batch):
            return self._scores(single_queries(query)[0], observation)
        kept = list(self._told), dict(self._items), dict(self._positions)
        try:
            return _checked_list(query, observation, self._scores, plain=False)
        except InputError:
            self._told, self._items, self._positions = kept
            raise

    def _scores(self, query: Any, observation: Any) -> CellScores:
        """Scores of the arm on its next items, which are noted."""
        start, times = self._told[query.arm], query.times

        def fault() -> InputError:
            return InputError(
                f"the observation of {query!r} is {observation!r}, expected CellScores of {times} "
                f"score{'s' * (times > 1)} and of what items"
            )

        if not isinstance(observation, CellScores):
            if self._hinted:
                raise fault()
            observation = CellScores(observation, np.arange(start, start + times))
        try:
            values, items = map(np.asarray, observation)
        except (TypeError, ValueError):
            raise fault() from None
        shapes = values.shape == items.shape == (times,)
        if not shapes or values.dtype.kind not in "fiub" or items.dtype.kind not in "iu":
            raise fault()
        scores: FloatArray = values.astype(np.float64)
        wrong = ~np.isnan(scores) & ~((scores >= 0.0) & (scores <= 1.0))
        if wrong.any():
            raise InputError(
                f"a score of {query!r} is {scores[wrong][0]}, expected numbers in [0, 1], or NaN "
                "for one that is left out"
            )
        order = dict(enumerate(items.tolist(), start))
        for position, item in order.items():
            same = self._items.get(position, item), self._positions.get(item, position)
            if not 0 <= item < self._cells or same != (item, position):
                raise InputError(
                    f"the observation of {query!r} says that item {item} is the {position + 1}. of "
                    f"the order, expected items 0 … {self._cells - 1}, each once, in an order that "
                    "is the same for all arms"
                )
        self._items |= order
        self._positions |= {item: position for position, item in order.items()}
        self._told[query.arm] += times
        return CellScores(scores, items.astype(np.int64))


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


def _checked_sums(query: Duel, observation: Any) -> CellSums:
    if isinstance(observation, CellSums):
        won, lost, _ = observation
        if won >= 0.0 and lost >= 0.0 and won + lost <= query.times * (1.0 + _ROUNDING):
            return observation
    real = isinstance(observation, numbers.Real)
    truth = isinstance(observation, bool | np.bool_)
    if (truth and query.times == 1) or (real and not truth and 0 <= observation <= query.times):
        return CellSums(float(observation), query.times - float(observation))
    raise InputError(
        f"the observation of {query!r} is {observation!r}, expected the sum of what {query.i} got "
        f"in {query.times} cell{'s' if query.times > 1 else ''}, a number from 0 to {query.times}"
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


@runtime_checkable
class KnownGraph(Protocol):
    """What a learner knows of matchings; :class:`cpe_opt.BipartiteGraph` is one."""

    name: str

    def check_matching(self, matching: Sequence[int]) -> tuple[int, ...]:
        """The matching, or :class:`InputError`."""


@runtime_checkable
class KnownSets(Protocol):
    """What a learner knows of sets; :class:`cpe_opt.DecisionClass` is one."""

    @property
    def name(self) -> str:
        """For messages."""

    def check(self, chosen: Iterable[int]) -> tuple[int, ...]:
        """The set, or :class:`InputError`."""


@runtime_checkable
class KnownModel(Protocol):
    """What a learner knows of separable rewards: the number of arms."""

    size: int


def checked_answer(family: str, known: Any, answer: Any, learner: str) -> Any:
    """The answer in plain numbers: an int, a tuple of ints, or a decision as it is.

    The family of the problem, and what the learner knows of it, decide what may be answered:

    - ``dueling``: an arm, a whole number from 0 to K − 1, a set of arms as a list in ascending
      order, or a ranking, a list of all arms, each once, which is kept in its own order;
    - ``matchings``: a matching of the graph, one edge for each position;
    - ``subsets``: a set of the class, as the numbers of its elements, kept in ascending order;
    - ``separable``: a decision, a finite number for each arm.

    None is no answer, and stays None; else :class:`LearnerFault`. A user with a family of their
    own, or with another form of what a learner knows, judges answers by themselves.
    """
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer[()]
    kind, check = _CHECKS.get(family, (object, None))
    if check is None or answer is None or not isinstance(known, kind):
        return answer
    try:
        return check(known, answer)
    except InputError as error:
        shown = shortened(repr(answer), _ANSWER_SHOWN)
        raise LearnerFault(f"{learner} answers {shown}, {error}") from None


def _arms(arms: int, answer: Any) -> int | tuple[int, ...]:
    expected = (
        f"expected an arm, 0 … {arms - 1}, some arms in ascending order, or a list of all arms, "
        "each once"
    )
    if is_whole(answer):
        if 0 <= answer < arms:
            return int(answer)
        raise InputError(expected)
    ranking = _whole_numbers(answer, expected) if not isinstance(answer, set | frozenset) else ()
    members = sorted({*ranking} & {*range(arms)})
    is_set = len(members) > 1 and list(ranking) == members
    if not is_set and sorted(ranking) != list(range(arms)):
        raise InputError(expected)
    return ranking


def _matching(graph: KnownGraph, answer: Any) -> tuple[int, ...]:
    expected = f"expected a matching of {graph.name}, one edge for each position"
    return _checked_by(graph.check_matching, answer, expected)


def _set(decisions: KnownSets, answer: Any) -> tuple[int, ...]:
    expected = f"expected a set of {decisions.name}, as numbers of elements"
    return _checked_by(decisions.check, answer, expected)


def _decision(model: KnownModel, answer: Any) -> Any:
    try:
        amounts = np.asarray(answer)
    except (TypeError, ValueError):
        amounts = np.asarray(None)
    real = amounts.dtype.kind in "fiu" and amounts.shape == (model.size,)
    if not (real and np.isfinite(amounts).all()):
        raise InputError(f"expected a decision, {model.size} finite numbers, one an arm")
    return answer


def _checked_by(
    check: Callable[[tuple[int, ...]], tuple[int, ...]], answer: Any, expected: str
) -> tuple[int, ...]:
    """What the check returns; what it refuses is said after what is expected."""
    members = _whole_numbers(answer, expected)
    try:
        return check(members)
    except InputError as error:
        raise InputError(f"{expected}: {error}") from None


def _whole_numbers(answer: Any, expected: str) -> tuple[int, ...]:
    """The entries of a list as ints, or :class:`InputError`."""
    listed = isinstance(answer, Iterable) and not isinstance(answer, str | bytes | dict)
    if not listed or (isinstance(answer, np.ndarray) and answer.ndim != 1):
        raise InputError(expected)
    entries = tuple(answer)
    if not all(map(is_whole, entries)):
        raise InputError(expected)
    return tuple(map(int, entries))


# Of each family: what a learner knows of a problem of this package, and what it may answer then.
_CHECKS: dict[str, tuple[type, Callable[[Any, Any], Any]]] = {
    "dueling": (int, _arms),
    "matchings": (KnownGraph, _matching),
    "subsets": (KnownSets, _set),
    "separable": (KnownModel, _decision),
}
