"""What learners of a family may ask and answer.

Numbers in queries are plain ints, so that a log of queries can be written and read back. A batch is
legal where each of its queries is. Of problems of another family, what their environment accepts is
legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.queries import Duel, Pull, PullSets, single_queries

_MOST_ROUNDS = 2**62


def is_legal_query(query: object, problem: Problem) -> bool:
    """Whether a learner may ask this of the problem.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> gap = cpe.load_instance("gap")
    >>> is_legal_query(cpe.Duel(0, 4), gap), is_legal_query(cpe.Duel(0, 5), gap)
    (True, False)
    """
    check = _QUERIES.get(problem.family, _accepted)
    return all(check(each, problem) for each in single_queries(query))


def is_legal_answer(answer: Any, problem: Problem) -> bool:
    """Whether a learner may return this: an arm or a ranking of all, a matching, a set, a decision.

    Of problems of another family any answer but None is legal.
    """
    check = _ANSWERS.get(problem.family, _given)
    return check(answer, problem)


def _whole(number: object, least: int, most: int) -> bool:
    """Whether this is an int in this range."""
    return type(number) is int and least <= number <= most


def _count(times: object) -> bool:
    """Whether this is a number of duels or pulls."""
    return _whole(times, 1, _MOST_ROUNDS)


def _accepted(query: object, problem: Problem) -> bool:
    try:
        problem.environment(np.random.default_rng(0)).check(query)
    except InputError:
        return False
    return True


def _given(answer: Any, problem: Problem) -> bool:
    return answer is not None


def _arms(query: object, problem: Problem) -> bool:
    """A duel of two arms, or an idle stretch."""
    return (
        isinstance(query, Duel)
        and all(_whole(arm, 0, problem.known - 1) for arm in (query.i, query.j))
        and _count(query.times)
    )


def _arm_or_ranking(answer: Any, problem: Problem) -> bool:
    if isinstance(answer, Sequence):
        return sorted(answer) == list(range(problem.known))
    return _whole(answer, 0, problem.known - 1)


def _edges(query: object, problem: Problem) -> bool:
    """A duel of two edges of the same position."""
    graph = problem.known
    if not isinstance(query, Duel):
        return False
    if not all(_whole(edge, 0, graph.size - 1) for edge in (query.i, query.j)):
        return False
    first, second = (graph.edges[edge] for edge in (query.i, query.j))
    return bool(first != second and first[1] == second[1]) and _count(query.times)


def _matching(answer: Any, problem: Problem) -> bool:
    return _same_as_checked(problem.known.check_matching, answer)


def _sets_or_elements(query: object, problem: Problem) -> bool:
    """Pulls of an element, or of sets of the class."""
    decisions = problem.known
    if isinstance(query, Pull):
        return _whole(query.arm, 0, decisions.size - 1) and _count(query.times)
    return (
        isinstance(query, PullSets)
        and len(query.sets) == len(query.times)
        and all(_whole(times, 0, _MOST_ROUNDS) for times in query.times)
        and _count(sum(query.times))
        and all(_is_set(members, decisions) for members in query.sets)
    )


def _is_set(members: Sequence[Any], decisions: Any) -> bool:
    """Whether these are the elements of a set of the class, in ascending order."""
    inside = all(_whole(element, 0, decisions.size - 1) for element in members)
    return inside and list(members) == sorted(set(members)) and bool(decisions.contains(members))


def _set(answer: Any, problem: Problem) -> bool:
    return _same_as_checked(problem.known.check, answer)


def _same_as_checked(check: Callable[[Any], Any], answer: Any) -> bool:
    try:
        return bool(check(answer) == answer)
    except InputError:
        return False


def _pulls(query: object, problem: Problem) -> bool:
    """Pulls of an arm."""
    return (
        isinstance(query, Pull)
        and _whole(query.arm, 0, problem.known.size - 1)
        and _count(query.times)
    )


def _decision(answer: Any, problem: Problem) -> bool:
    try:
        numbers = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return numbers.shape == (problem.known.size,) and bool(np.isfinite(numbers).all())


_QUERIES: dict[str, Callable[[object, Problem], bool]] = {
    "dueling": _arms,
    "matchings": _edges,
    "subsets": _sets_or_elements,
    "separable": _pulls,
}
_ANSWERS: dict[str, Callable[[Any, Problem], bool]] = {
    "dueling": _arm_or_ranking,
    "matchings": _matching,
    "subsets": _set,
    "separable": _decision,
}
