"""What whoever runs a session sees of it: the page of its report, and its answers as tables.

The page is made anew only after new answers, and not before some seconds have passed, the more the
longer it takes.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cpe_opt.formats.observations import write_scores
from cpe_opt.formats.votes import write_votes
from cpe_opt.sessions.answers import write_answers
from cpe_opt.sessions.report import session_report
from cpe_opt.sessions.session import Session
from cpe_opt.sessions.web.panel import Refused

LEAST_AGE = 3.0  # seconds for which a page is good enough
_SHARE = 0.1  # of the time that may go into pages
_TABLES = {"dueling": ("answers", "votes"), "subsets": ("answers", "scores")}


class Overview:
    """A session, as whoever runs it sees it; called from one thread at a time."""

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self._session, self._clock = session, clock
        self._page, self._changes = "", -1
        self._next = -math.inf  # when the page may be made anew
        self.tables = _TABLES.get(session.question_set.family, ("answers",))

    def page(self) -> str:
        """The report as HTML: as last seen, while that is young or nothing has changed."""
        changes, started = self._session.changes, self._clock()
        if not self._page or (changes != self._changes and started >= self._next):
            self._page, self._changes = session_report(self._session).html(), changes
            ended = self._clock()
            self._next = ended + max(LEAST_AGE, (ended - started) / _SHARE)
        return self._page

    def table(self, name: str) -> bytes:
        """All ``answers`` as CSV, or what they are as ``votes`` or as ``scores`` of sets."""
        session = self._session
        if name not in self.tables:
            raise Refused(404, "There is no such table of this session; the answers have it all.")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}.csv"
            if name == "votes":
                write_votes(session.votes(), path)
            elif name == "scores":
                write_scores(session.scores(), path)
            else:
                write_answers(session.answers(), path)
            return path.read_bytes()
