"""Checks for learners, problems and decision classes of your own, with or without pytest.

The classes of this package pass the same checks: see
:class:`cpe_opt.testing.LearnerConformance`, :func:`cpe_opt.testing.check_learner`,
:func:`cpe_opt.testing.check_problem` and :func:`cpe_opt.testing.check_decisions`. pytest is not
imported; a check that fails raises AssertionError with a sentence.
"""

from cpe_opt.testing.learners import (
    LearnerConformance,
    check_learner,
    is_legal_answer,
    is_legal_query,
)
from cpe_opt.testing.problems import (
    check_decisions,
    check_problem,
    item_problems,
    score_problems,
    standard_problems,
)

__all__ = [
    "LearnerConformance",
    "check_decisions",
    "check_learner",
    "check_problem",
    "is_legal_answer",
    "is_legal_query",
    "item_problems",
    "score_problems",
    "standard_problems",
]
