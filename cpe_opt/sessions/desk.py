"""Who has which question, and until when.

A question that was handed out is not handed to anybody else until its *lease* runs out, which is a
promise to nobody: an answer is welcome as long as the question has none. A rater with a name who
asks again gets what was handed to that rater before, so that a page may be loaded anew. Leases of
raters without a name end with the process.

A question that was skipped goes to the end of the line, and for who skipped it to the very end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice


@dataclass(frozen=True)
class Lease:
    """Who has a question; ``until`` is in seconds since 1970."""

    rater: str | None
    until: float


class Desk:
    """What was handed out.

    Attributes
    ----------
    leases : dict of str to Lease
        By question; also those that have run out, as long as nobody else has the question.
    skips : dict of str to list
        Who has skipped a question.
    """

    def __init__(self) -> None:
        self.leases: dict[str, Lease] = {}
        self.skips: dict[str, list[str | None]] = {}

    def leased(self, question: str, now: float) -> bool:
        """Whether somebody has the question."""
        lease = self.leases.get(question)
        return lease is not None and lease.until > now

    def held(self, rater: str | None, now: float) -> list[str]:
        """What a rater with a name has."""
        if rater is None:
            return []
        return [
            question
            for question, lease in self.leases.items()
            if lease.rater == rater and lease.until > now
        ]

    def choose(
        self,
        waiting: Collection[str],
        count: int,
        rater: str | None,
        now: float,
        fits: Callable[[str], bool] | None = None,
    ) -> list[str]:
        """Up to so many questions of those waiting: the rater's, then those that nobody has.

        These in their order, the skipped last; all of them such as fit.
        """
        held = (each for each in self.held(rater, now) if each in waiting)
        chosen = list(islice(filter(fits or bool, held), count))
        skipped: list[tuple[bool, int, str]] = []
        for question in filter(fits or bool, self._free(waiting, now)):
            if len(chosen) == count:
                return chosen
            who = self.skips.get(question)
            if who:
                skipped.append((rater in who, len(who), question))
            else:
                chosen.append(question)
        skipped.sort(key=lambda each: each[:2])
        return chosen + [question for _, _, question in skipped[: count - len(chosen)]]

    def hand_out(self, questions: Iterable[str], rater: str | None, until: float) -> None:
        """Note a lease."""
        for question in questions:
            self.leases[question] = Lease(rater, until)

    def skip(self, question: str, rater: str | None) -> None:
        """Put a question back, at the end of the line."""
        self.leases.pop(question, None)
        self.skips.setdefault(question, []).append(rater)

    def done(self, question: str) -> None:
        """Forget an answered question."""
        self.leases.pop(question, None)
        self.skips.pop(question, None)

    def _free(self, waiting: Iterable[str], now: float) -> Iterator[str]:
        return (question for question in waiting if not self.leased(question, now))
