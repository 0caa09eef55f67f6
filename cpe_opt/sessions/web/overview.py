"""What whoever runs a session sees: progress, what is proved and what remains, raters, pictures.

The evidence is computed anew only when there were answers since, and not before some seconds have
passed, the more the longer it takes; the session is locked while its votes are counted, not while
they are judged. To be called from one thread at a time.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpe_opt.reports.beats_graph import plot_beats
from cpe_opt.reports.drawing import svg_text
from cpe_opt.reports.evidence import Evidence
from cpe_opt.reports.evidence_plot import plot_evidence
from cpe_opt.reports.report import TextTable
from cpe_opt.sessions.exporting import write_answers
from cpe_opt.sessions.progress import Outlook, outlook
from cpe_opt.sessions.session import Session
from cpe_opt.sessions.web.access import Refused

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST_AGE = 3.0  # seconds for which an outlook is good enough
_SHARE = 0.1  # of the time that may go into outlooks and pictures
MOST_ARMS = 60
"""Up to so many arms are drawn as a graph."""
_PICTURES: dict[str, Callable[[Evidence], Figure]] = {
    "graph": plot_beats,
    "evidence": plot_evidence,
}


class Overview:
    """A session, as whoever runs it sees it."""

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self._session, self._clock = session, clock
        self._outlook: Outlook | None = None
        self._version = -1
        self._pictures: dict[tuple[str, int], bytes] = {}
        self._next = -math.inf  # when a new outlook may be computed

    def facts(self) -> dict[str, Any]:
        """All but pictures, as plain values for JSON."""
        session = self._session
        status, seen = session.status(), self._seen()
        report = self._report(seen)
        return {
            "name": session.path.name,
            "learner": status.learner,
            "answers": status.answers,
            "repeats": status.repeats,
            "ties": status.ties,
            "skips": status.skips,
            "withdrawn": status.withdrawn,
            "open": status.waiting,
            "leased": status.leased,
            "spent": _number(status.spent),
            "priced": session.header.prices is not None,
            "finished": status.finished,
            "answer": status.answer,
            "doubt": status.doubt,
            "assumption": status.assumption,
            "ahead": seen.favourite,
            "proved": seen.proved,
            "so_far": seen.so_far,
            "confidence": seen.confidence,
            "family": status.family,
            "remaining": _number(seen.remaining),
            "cost": _number(seen.cost),
            "raters": self._raters(),
            "version": self._version,
            "pictures": self._drawn(seen),
            "warnings": [each for each in seen.warnings if each not in report],
            "parts": [_part(each) for each in report],
        }

    def picture(self, name: str) -> bytes:
        """A picture as SVG: ``graph`` or ``evidence``."""
        seen = self._seen()
        if name not in self._drawn(seen) or seen.evidence is None:
            raise Refused(404, "There is no such picture of this session.")
        key = name, self._version
        if key not in self._pictures:
            started = self._clock()
            drawn = svg_text(_PICTURES[name](seen.evidence), "session").encode()
            self._pictures = {k: v for k, v in self._pictures.items() if k[1] == self._version}
            self._pictures[key] = drawn
            self._rest(started)
        return self._pictures[key]

    def answers(self) -> bytes:
        """All answers as CSV."""
        return _written("answers.csv", lambda path: write_answers(self._session.answers(), path))

    def votes(self) -> bytes:
        """The votes as CSV, as :func:`cpe_opt.Votes.read` reads them."""
        if self._session.subject.family != "dueling":
            raise Refused(404, "Votes are of arms that duel each other; the answers have it all.")
        return _written("votes.csv", lambda path: self._session.votes().write(path, force=True))

    def scores(self) -> bytes:
        """The scores of sets as CSV, as :class:`cpe_opt.TeamScores` reads them."""
        if self._session.subject.family != "subsets":
            raise Refused(404, "Scores are those of sets; the answers have it all.")
        return _written("scores.csv", lambda path: self._session.scores().write(path, force=True))

    def _seen(self) -> Outlook:
        """The outlook: the last one, while that is young or nothing has changed."""
        changes = self._session.changes
        if self._outlook is None or (changes != self._version and self._clock() >= self._next):
            started = self._clock()
            self._outlook, self._version = outlook(self._session), changes
            self._next = -math.inf
            self._rest(started)
        return self._outlook

    def _rest(self, started: float) -> None:
        """Put off the next outlook by some times what this work took."""
        now = self._clock()
        self._next = max(self._next, now + max(LEAST_AGE, (now - started) / _SHARE))

    def _drawn(self, seen: Outlook) -> list[str]:
        """Which pictures there are."""
        if seen.evidence is None:
            return []
        few = seen.evidence.votes.arms <= MOST_ARMS
        return [name for name in _PICTURES if few or name != "graph"]

    def _raters(self) -> list[dict[str, Any]]:
        """A row a rater."""
        rows = self._session.raters().to_dict("records")
        for row in rows:
            row["skips"] = self._session.turns_of(row["rater"] or None)[1]
        return [{str(name): _number(value) for name, value in row.items()} for row in rows]

    @staticmethod
    def _report(seen: Outlook) -> list[str | TextTable]:
        """What is proved and what remains, in words."""
        found = seen.evidence
        if found is None:
            return []
        return [*found.proof_lines(), found.arms_table(in_words=True), *found.remaining_lines()]


def _part(part: str | TextTable) -> Any:
    """A sentence, or a table."""
    if isinstance(part, str):
        return part
    rows = [[str(cell) for cell in row] for row in part.rows]
    return {"title": part.title, "columns": list(part.columns), "rows": rows}


def _number(value: Any) -> Any:
    """The value; None where JSON has no such number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _written(name: str, write: Callable[[Path], object]) -> bytes:
    """What a function writes to a path."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write(path)
        return path.read_bytes()
