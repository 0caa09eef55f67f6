"""What a problem of any family looks like: winners, gaps, hardness, what algorithms need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpe_opt.errors import UnknownName
from cpe_opt.problems.problem import Problem
from cpe_opt.reports import dueling, matchings, separable, subsets
from cpe_opt.reports.report import Analysis
from cpe_opt.validation import checked_types

OF_FAMILY: dict[str, tuple[Callable[[Any], Analysis], Callable[[Any], dict[str, Any]]]] = {
    "dueling": (dueling.analyse_preferences, dueling.size_and_winners),
    "matchings": (matchings.analyse_matchings, matchings.size_and_winners),
    "subsets": (subsets.analyse_subsets, subsets.size_and_winners),
    "separable": (separable.analyse_separable, separable.size_and_winners),
}


@checked_types
def analyse(problem: Problem) -> Analysis:
    """Winners, ties, gaps, hardness, and what algorithms need on a problem.

    Parameters
    ----------
    problem : PreferenceMatrix, MatchingDuels, SubsetBandit or SeparableProblem

    Returns
    -------
    Analysis
        ``print`` it to read it; ``.table()`` is a data frame, ``.as_dict()`` plain values.

    Raises
    ------
    InputError
        Where the problem has no such analysis: an object of another class, or
        separable rewards that are not bi-monotone.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> analysis = cpe.analyse(cpe.load_instance("coins"))
    >>> print(list(analysis.report())[1])
    best decision: 0: 1, 1: 1
    """
    if problem.family not in OF_FAMILY:
        raise UnknownName("family", problem.family, OF_FAMILY)
    return OF_FAMILY[problem.family][0](problem)


def size_and_winners(problem: Problem) -> dict[str, Any]:
    """``size`` in words, ``winners`` and ``condorcet_winner``: a row of a list of problems.

    Winners are Copeland winners, the Borda winner of matchings, the best set or decision.
    """
    return OF_FAMILY[problem.family][1](problem)
