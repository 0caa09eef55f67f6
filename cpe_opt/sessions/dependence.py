"""By what the observations of a session may depend on each other: what is proved assumes none.

Logs from before may have columns with values that repeat, such as a judge or a prompt: they are
warned of by :class:`cpe_opt.problems.clusters.ClusterColumn`. In a session a rater may answer more
than once; that is common, so that it is said in a line, and only where something is proved. Second
answers to a question prove nothing, and are not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cpe_opt.sessions.answers import Answer

if TYPE_CHECKING:
    from cpe_opt.sessions.before import Before


def dependence(
    before: Before | None, answers: Iterable[Answer], *, proved: bool
) -> tuple[str, ...]:
    """What to know of all that is proved, a sentence each.

    Parameters
    ----------
    before : Before or None
        What was seen before the session.
    answers : iterable of Answer
    proved : bool
        Whether anything is.
    """
    warnings = () if before is None else before.warnings
    raters = _several_answers(answers) if proved else ""
    return (*warnings, raters) if raters else warnings


def _several_answers(answers: Iterable[Answer]) -> str:
    """Who has answered more than once; empty where nobody has."""
    counts = Counter(each.rater or "" for each in answers if not each.repeat)
    nameless = counts.pop("", 0)
    several = sum(count > 1 for count in counts.values())
    found = []
    if several:
        found.append(f"{several:,} rater{'s' * (several != 1)} answered more than once")
    if nameless > 1:
        found.append(f"{nameless:,} answers name no rater")
    if not found:
        return ""
    return (
        "what is proved assumes that answers of one rater do not depend on each other; "
        f"{' and '.join(found)}"
    )
