"""How far a session is, in a few words: who is ahead, what is proved, what may remain.

Of arms that duel these come from the votes alone, which is quick however long the session is: the
favourite is the first of the estimate's ranking; what is proved, and how many further duels would
prove a Copeland winner if estimates stay, is what :func:`cpe_opt.evidence` says. Of other problems
the learner is led through all answers, which may take it long; what remains is not known.

A learner may finish a little before that: it spends all of its delta on one winner, where evidence
shares the same delta among all that it says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpe_opt.sessions.header import Header
from cpe_opt.sessions.view import SO_FAR, SessionView

if TYPE_CHECKING:
    from cpe_opt.analysis.evidence import Evidence

DELTA = 0.05


@dataclass(frozen=True, kw_only=True, eq=False)
class Outlook:
    """How far a session is.

    Attributes
    ----------
    favourite : str
        Who or what is ahead, by labels; empty where there is no answer yet.
    proved : str
        What is proved of winners; empty where nothing is.
    remaining : float
        How many further duels would prove a winner, if estimates stay; infinite where no number
        would, as where two tie, and NaN where it is not known.
    cost : float
        What these cost.
    delta : float
        The probability that anything proved is wrong.
    so_far : str
        What the learner can say of its answer before it has finished, if anything; of arms that
        duel the evidence says it.
    evidence : Evidence or None
        Of arms that duel.
    """

    favourite: str
    proved: str
    remaining: float
    cost: float
    delta: float
    so_far: str = ""
    evidence: Evidence | None

    @property
    def line(self) -> str:
        """All of it in one line, such as ``ahead: tuna; about 190 duels to a proof``."""
        parts = [f"ahead: {self.favourite}"] if self.favourite else []
        parts += [f"proved: {self.proved}"] if self.proved else []
        if self.remaining > 0 and math.isfinite(self.remaining):
            parts.append(f"about {self.remaining:,.0f} duels to a proof")
        elif math.isinf(self.remaining):
            parts.append("too early to say what remains")
        return "; ".join(parts)


def delta_of(header: Header) -> float:
    """The probability of an error that the session's learner is allowed, 0.05 by default."""
    delta = header.parameters.get("delta")
    return delta if isinstance(delta, float) and 0.0 < delta < 1.0 else DELTA


def outlook(view: SessionView) -> Outlook:
    """How far a session is.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = f"{folder}/taste.jsonl"
    ...     with cpe.Session.open(path, labels=["a", "b"], learner="rucb") as session:
    ...         for _ in range(40):
    ...             [question] = session.ask()
    ...             session.tell(question.id, float(question.labels[0] == "b"))
    ...         outlook(session).proved
    'b is the Copeland, Condorcet and Borda winner'
    """
    from cpe_opt.analysis.evidence import evidence

    header, status = view.header, view.status()
    delta = delta_of(header)
    sure = status.finished and not status.doubt
    condition = f", if {status.assumption}" if status.assumption else ""
    promised = f"{status.answer}, as {status.learner} promises{condition}" if sure else ""
    if view.subject.family != "dueling":
        best = view.best(delta=delta)
        return Outlook(
            favourite="" if best.answer is None else best.description,
            proved=promised,
            remaining=0.0 if sure else math.nan,
            cost=0.0 if sure else math.nan,
            delta=delta,
            so_far=best.doubt.partition(f"{SO_FAR}; by then it is proved ")[2].removeprefix(
                "that "
            ),
            evidence=None,
        )
    found = evidence(view.votes(), delta=delta, prices=header.prices)
    duels = found.settle
    ahead = found.votes.labels[found.ranking[0]] if found.votes.wins.any() else ""
    remaining = math.inf if duels is None else float(duels.sum()) / 2.0
    return Outlook(
        favourite=status.answer if sure else ahead,
        proved=_proved(found) or promised,
        remaining=0.0 if sure else remaining,
        cost=0.0 if sure else found.cost,
        delta=delta,
        evidence=found,
    )


def _proved(found: Evidence) -> str:
    """Who is proved to be which winner."""
    kinds: dict[str, list[str]] = {}
    for kind in ("Copeland", "Condorcet", "Borda"):
        for label, status in getattr(found, kind.lower()).items():
            if status == "proved":
                kinds.setdefault(label, []).append(kind)
    return "; ".join(f"{label} is {_winner(names)}" for label, names in kinds.items())


def _winner(kinds: list[str]) -> str:
    """Such as ``the Copeland and Borda winner``; of Copeland winners there may be several."""
    article = "a" if kinds == ["Copeland"] else "the"
    several = ", ".join(kinds[:-1])
    return (
        f"{article} {several} and {kinds[-1]} winner" if several else f"{article} {kinds[0]} winner"
    )
