"""The organiser's view of a session: progress, what is proved and what remains, raters, pictures.

The evidence is computed anew only after new answers, and not before some seconds have passed, the
more the longer it takes. The session is locked while its votes are counted, not while they are
judged. An overview is called from one thread at a time.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpe_opt.formats.observations import write_scores
from cpe_opt.formats.votes import write_votes
from cpe_opt.reports.drawing import figure_of, svg_text
from cpe_opt.reports.evidence import Evidence
from cpe_opt.reports.evidence_plot import plot_beats, plot_evidence
from cpe_opt.reports.report import TextTable
from cpe_opt.sessions.answers import write_answers
from cpe_opt.sessions.progress import Progress, progress_of
from cpe_opt.sessions.session import Session
from cpe_opt.sessions.web.panel import Refused

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEAST_AGE = 3.0  # seconds for which what was seen is good enough
_SHARE = 0.1  # of the time that may go into evidence
MOST_ARMS = 60
"""Up to so many arms are drawn as a graph."""
_PICTURES: dict[str, Callable[[Evidence], Axes]] = {
    "graph": plot_beats,
    "evidence": plot_evidence,
}


class Overview:
    """A session, as whoever runs it sees it."""

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self._session, self._clock = session, clock
        self._progress: Progress | None = None
        self._version = -1
        self._pictures: dict[str, bytes] = {}  # of that version
        self._next = -math.inf  # when the progress may be computed anew

    def facts(self) -> dict[str, Any]:
        """All but pictures, as plain values for JSON."""
        session, progress = self._session, self._seen()
        status, evidence = session.status(), progress.evidence
        report: list[str | TextTable] = []
        if evidence is not None:
            arms = evidence.arms_table(in_words=True)
            report = [*evidence.proof_lines(), arms, *evidence.remaining_lines()]
        return {
            **status.as_dict(),
            "name": session.path.name,
            "priced": session.header.prices is not None,
            "left": status.left if status.budget else None,
            "ahead": progress.ahead,
            "proved": progress.proved,
            "so_far": progress.so_far,
            "confidence": progress.confidence,
            "remaining": _number(progress.remaining),
            "cost": _number(progress.cost),
            "raters": self._raters(),
            "version": self._version,
            "pictures": self._drawn(evidence),
            "warnings": [each for each in progress.warnings if each not in report],
            "parts": [_part(each) for each in report],
        }

    def picture(self, name: str) -> bytes:
        """A picture as SVG: ``graph`` or ``evidence``."""
        evidence = self._seen().evidence
        if evidence is None or name not in self._drawn(evidence):
            raise Refused(404, "There is no such picture of this session.")
        if name not in self._pictures:
            drawn = svg_text(figure_of(_PICTURES[name](evidence)), "session")
            self._pictures[name] = drawn.encode()
        return self._pictures[name]

    def table(self, name: str) -> bytes:
        """All ``answers`` as CSV, or what they are as ``votes`` or as ``scores`` of sets."""
        session, family = self._session, self._session.question_set.family
        if name not in {"dueling": ("answers", "votes"), "subsets": ("answers", "scores")}.get(
            family, ("answers",)
        ):
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

    def _seen(self) -> Progress:
        """How far the session is: as last seen, while that is young or nothing has changed."""
        changes, started = self._session.changes, self._clock()
        if self._progress is None or (changes != self._version and started >= self._next):
            self._progress, self._version = progress_of(self._session), changes
            self._pictures = {}
            now = self._clock()
            self._next = now + max(LEAST_AGE, (now - started) / _SHARE)
        return self._progress

    @staticmethod
    def _drawn(evidence: Evidence | None) -> list[str]:
        """Which pictures there are."""
        if evidence is None:
            return []
        few = evidence.votes.arms <= MOST_ARMS
        return [name for name in _PICTURES if few or name != "graph"]

    def _raters(self) -> list[dict[str, Any]]:
        """A row a rater."""
        rows: list[dict[str, Any]] = []
        for each in self._session.rater_counts():
            skips = self._session.turns_of(each.rater or None)[1]
            row = {**asdict(each), "skips": skips}
            rows.append({name: _number(value) for name, value in row.items()})
        return rows


def _part(part: str | TextTable) -> Any:
    """A sentence, or a table."""
    if isinstance(part, str):
        return part
    rows = [[str(cell) for cell in row] for row in part.rows]
    return {"title": part.title, "columns": list(part.columns), "rows": rows}


def _number(value: Any) -> Any:
    """The value; None where JSON has no such number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
