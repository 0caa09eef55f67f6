"""Answers are checked where they leave a learner, as observations are where they enter it.

What a learner may answer is decided by the family of the problem and by what the learner knows of
it:

- ``dueling``: an arm, a whole number from 0 to K − 1, or a ranking, a list of all arms, each once;
- ``matchings``: a matching of the graph, one edge for each position;
- ``subsets``: a set of the class, as the numbers of its elements;
- ``separable``: a decision, a finite number for each arm.

None is no answer, and never proved (:mod:`cpe_opt.learners.exchange`). Numbers and arrays of numpy
are welcome; what is kept is an int, a tuple of ints in ascending order (a ranking in its own
order), or the decision as it is. Anything else is refused with
:class:`cpe_opt.errors.LearnerFault`. Answers to problems of a family of one's own are for that user
to judge, as they are where what a learner knows has a form of one's own.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from cpe_opt.errors import InputError, LearnerFault

_SHOWN = 80


@runtime_checkable
class Graph(Protocol):
    """What a learner knows of matchings; :class:`cpe_opt.BipartiteGraph` is one."""

    name: str

    def check_matching(self, matching: Sequence[int]) -> tuple[int, ...]:
        """The matching, or :class:`InputError`."""


@runtime_checkable
class Sets(Protocol):
    """What a learner knows of sets; :class:`cpe_opt.DecisionClass` is one."""

    @property
    def name(self) -> str:
        """For messages."""

    def check(self, chosen: Iterable[int]) -> tuple[int, ...]:
        """The set, or :class:`InputError`."""


@runtime_checkable
class Model(Protocol):
    """What a learner knows of separable rewards: the number of arms."""

    size: int


def checked_answer(family: str, known: Any, answer: Any, learner: str) -> Any:
    """The answer in plain numbers, or :class:`LearnerFault`; None stays None.

    Parameters
    ----------
    family : str
        Of the problem.
    known
        What the learner may know of it.
    answer
    learner : str
        Its name, for the message.

    Examples
    --------
    >>> import numpy as np
    >>> checked_answer("dueling", 3, np.int64(2), "rucb")
    2
    >>> checked_answer("dueling", 3, 3, "mine")
    Traceback (most recent call last):
      ...
    cpe_opt.errors.LearnerFault: mine answers 3, expected an arm, 0 … 2, or a list of all arms, \
each once
    """
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer[()]
    kind, check = _CHECKS.get(family, (object, None))
    if check is None or answer is None or not isinstance(known, kind):
        return answer
    try:
        return check(known, answer)
    except InputError as error:
        shown = repr(answer)
        shown = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 1]}…"
        raise LearnerFault(f"{learner} answers {shown}, {error}") from None


def _arm_or_ranking(arms: int, answer: Any) -> int | tuple[int, ...]:
    expected = f"expected an arm, 0 … {arms - 1}, or a list of all arms, each once"
    if _is_whole(answer):
        if 0 <= answer < arms:
            return int(answer)
        raise InputError(expected)
    ranking = _whole_numbers(answer, expected) if not isinstance(answer, set | frozenset) else ()
    if sorted(ranking) != list(range(arms)):
        raise InputError(expected)
    return ranking


def _matching(graph: Graph, answer: Any) -> tuple[int, ...]:
    expected = f"expected a matching of {graph.name}, one edge for each position"
    edges = _whole_numbers(answer, expected)
    return _checked_by(graph.check_matching, edges, expected)


def _set(decisions: Sets, answer: Any) -> tuple[int, ...]:
    expected = f"expected a set of {decisions.name}, as numbers of elements"
    elements = _whole_numbers(answer, expected)
    return _checked_by(decisions.check, elements, expected)


def _decision(model: Model, answer: Any) -> Any:
    try:
        amounts = np.asarray(answer)
    except (TypeError, ValueError):
        amounts = np.asarray(None)
    real = amounts.dtype.kind in "fiu" and amounts.shape == (model.size,)
    if not (real and np.isfinite(amounts).all()):
        raise InputError(f"expected a decision, {model.size} finite numbers, one an arm")
    return answer


def _checked_by(
    check: Callable[[tuple[int, ...]], tuple[int, ...]], members: tuple[int, ...], expected: str
) -> tuple[int, ...]:
    """What the check returns; what it refuses is said after what is expected."""
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
    if not all(map(_is_whole, entries)):
        raise InputError(expected)
    return tuple(map(int, entries))


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


# Of each family: what a learner knows of a problem of this package, and what it may answer then.
_CHECKS: dict[str, tuple[type, Callable[[Any, Any], Any]]] = {
    "dueling": (int, _arm_or_ranking),
    "matchings": (Graph, _matching),
    "subsets": (Sets, _set),
    "separable": (Model, _decision),
}
