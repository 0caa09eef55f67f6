"""How far a session is, in a few words: who is ahead, what is proved, what may remain.

For arms that duel this comes from the votes alone: the favourite has the fewest losses by the
estimate, and :func:`cpe_opt.evidence` says what is proved, and how many further duels would prove a
Copeland winner if estimates stay. For other problems, and over the items of a test set, the learner
is led through all answers; what remains is not known. All of it is right at once with probability
at least 1 - delta, the session's (:mod:`cpe_opt.sessions.header`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpe_opt.learners.queries import condition
from cpe_opt.learners.tracking import PROVED_BY_THEN
from cpe_opt.sessions.status import SO_FAR, SessionView

if TYPE_CHECKING:
    from cpe_opt.reports.evidence import Evidence


@dataclass(frozen=True, kw_only=True, eq=False)
class Progress:
    """How far a session is."""

    favourite: str  # who or what is ahead, by labels; empty if there is no answer yet
    proved: str  # what is proved of winners; empty if nothing is
    # how many further duels would prove a winner, if estimates stay; infinite where no number
    # would, as where two tie, and NaN if it is not known
    remaining: float
    cost: float  # what these cost
    delta: float  # the probability that anything proved is wrong, the learner's answer included
    confidence: str  # the same in words, and which part of it is whose
    # what `proved` and `so_far` rest on and the answers do not show; empty for nothing
    assumption: str = ""
    # what the learner can say of its answer before it has finished, if anything; of arms that duel
    # the evidence says it
    so_far: str = ""
    warnings: tuple[str, ...]  # as in SessionStatus, where anything is proved
    evidence: Evidence | None  # of arms that duel

    @property
    def ahead(self) -> str:
        """The favourite, and by which measure where tables of arms begin with another."""
        if self.evidence is None or not self.favourite:
            return self.favourite
        first = self.evidence.votes.labels[self.evidence.ranking[0]]
        if first == self.favourite:
            return self.favourite
        return f"{self.favourite}, with the fewest losses; {first} by the mean share of wins"

    @property
    def line(self) -> str:
        """All of it in one line, such as ``ahead: tuna; about 190 duels to a proof``."""
        parts = [f"ahead: {self.favourite}"] if self.favourite else []
        parts += [f"proved: {self.proved}{condition(self.assumption)}"] if self.proved else []
        if self.remaining > 0 and math.isfinite(self.remaining):
            parts.append(f"about {self.remaining:,.0f} duels to a proof")
        elif math.isinf(self.remaining):
            parts.append("too early to say what remains")
        return "; ".join(parts)


def progress_of(view: SessionView) -> Progress:
    """How far a session is."""
    header, status = view.header, view.status()
    sure = status.finished and not status.doubt
    of_what = " on the full table" if status.cells else ""
    within = f" ({status.extent})" if status.extent else ""
    promised = f"{status.answer}{of_what}{within}, as {status.learner} promises" if sure else ""
    common: dict[str, Any] = {
        "delta": header.shares.delta,
        "confidence": header.shares.in_words(status.learner),
    }
    if not view.question_set.is_votes:
        best = view.best()
        so_far = best.doubt.partition(f"{SO_FAR}; {PROVED_BY_THEN}")[2]
        return Progress(
            **common,
            favourite="" if best.answer is None else best.description,
            proved=promised,
            remaining=0.0 if sure else math.nan,
            cost=0.0 if sure else math.nan,
            assumption=best.assumption,
            so_far=so_far.removesuffix(condition(best.assumption)),
            warnings=view.warnings(proved=sure or bool(so_far)),
            evidence=None,
        )
    from cpe_opt.reports.evidence import evidence, proved_winners

    shown = evidence(view.votes(), delta=header.shares.evidence, prices=header.prices)
    duels, winners = shown.remaining.duels, proved_winners(shown)
    ahead = shown.votes.labels[shown.favourite] if shown.votes.wins.any() else ""
    remaining = math.inf if duels is None else float(duels.sum()) / 2.0
    named = sure or (status.finished and status.budget > 0)
    return Progress(
        **common,
        favourite=status.answer if named else ahead,
        proved=winners or promised,
        remaining=0.0 if sure else remaining,
        cost=0.0 if sure else shown.remaining.cost,
        assumption="" if winners else status.assumption,
        warnings=view.warnings(proved=sure or shown.some_proved),
        evidence=shown,
    )
