"""What learners of a family may ask and answer.

Numbers in queries are plain ints, so that a log of queries can be written and read back. A batch is
legal where each of its queries is. Of problems of another family, what their environment accepts is
legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cpe_opt.errors import InputError, LearnerFault
from cpe_opt.learners.exchange import checked_answer
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.queries import MOST_TIMES, Duel, Pull, PullSets, single_queries


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

    In the form in which it is kept (:mod:`cpe_opt.learners.exchange`). Of problems of another
    family any answer but None is legal.
    """
    try:
        kept = checked_answer(problem.family, problem.known, answer, "it")
    except LearnerFault:
        return False
    return kept is not None and type(kept) is type(answer) and bool(np.all(kept == answer))


def _whole(number: object, least: int, most: int) -> bool:
    """Whether this is an int in this range."""
    return type(number) is int and least <= number <= most


def _count(times: object) -> bool:
    """Whether this is a number of duels or pulls."""
    return _whole(times, 1, MOST_TIMES)


def _accepted(query: object, problem: Problem) -> bool:
    try:
        problem.environment(np.random.default_rng(0)).check(query)
    except InputError:
        return False
    return True


def _arms(query: object, problem: Problem) -> bool:
    """A duel of two arms, or an idle stretch."""
    return (
        isinstance(query, Duel)
        and all(_whole(arm, 0, problem.known - 1) for arm in (query.i, query.j))
        and _count(query.times)
    )


def _edges(query: object, problem: Problem) -> bool:
    """A duel of two edges of the same position."""
    graph = problem.known
    if not isinstance(query, Duel):
        return False
    if not all(_whole(edge, 0, graph.size - 1) for edge in (query.i, query.j)):
        return False
    first, second = (graph.edges[edge] for edge in (query.i, query.j))
    return bool(first != second and first[1] == second[1]) and _count(query.times)


def _sets_or_elements(query: object, problem: Problem) -> bool:
    """Pulls of an element, or of sets of the class."""
    decisions = problem.known
    if isinstance(query, Pull):
        return _whole(query.arm, 0, decisions.size - 1) and _count(query.times)
    return (
        isinstance(query, PullSets)
        and len(query.sets) == len(query.times)
        and all(_whole(times, 0, MOST_TIMES) for times in query.times)
        and _count(sum(query.times))
        and all(_is_set(members, decisions) for members in query.sets)
    )


def _is_set(members: Sequence[Any], decisions: Any) -> bool:
    """Whether these are the elements of a set of the class, in ascending order."""
    inside = all(_whole(element, 0, decisions.size - 1) for element in members)
    return inside and list(members) == sorted(set(members)) and bool(decisions.contains(members))


def _pulls(query: object, problem: Problem) -> bool:
    """Pulls of an arm."""
    return (
        isinstance(query, Pull)
        and _whole(query.arm, 0, problem.known.size - 1)
        and _count(query.times)
    )


_QUERIES: dict[str, Callable[[object, Problem], bool]] = {
    "dueling": _arms,
    "matchings": _edges,
    "subsets": _sets_or_elements,
    "separable": _pulls,
}
