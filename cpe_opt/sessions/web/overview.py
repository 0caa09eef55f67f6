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

from cpe_opt.reports.drawing import figure_of, svg_text
from cpe_opt.reports.evidence import Evidence
from cpe_opt.reports.evidence_plot import plot_beats, plot_evidence
from cpe_opt.reports.report import TextTable
from cpe_opt.sessions.answers import write_answers
from cpe_opt.sessions.progress import Progress, progress_of
from cpe_opt.sessions.session import Session
from cpe_opt.sessions.web.access import Refused

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEAST_AGE = 3.0  # seconds for which what was seen is good enough
_SHARE = 0.1  # of the time that may go into evidence and pictures
MOST_ARMS = 60
"""Up to so many arms are drawn as a graph."""
TABLES = ("answers", "votes", "scores")
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
        self._pictures: dict[tuple[str, int], bytes] = {}
        self._next = -math.inf  # when the progress may be computed anew

    def facts(self) -> dict[str, Any]:
        """All but pictures, as plain values for JSON."""
        session = self._session
        status, progress = session.status(), self._seen()
        report = self._report(progress)
        return {
            "name": session.path.name,
            "learner": status.learner,
            "answers": status.answers,
            "told": status.told,
            "repeats": status.repeats,
            "ties": status.ties,
            "skips": status.skips,
            "withdrawn": status.withdrawn,
            "cells": status.cells,
            "left_out": status.left_out,
            "position": status.position,
            "open": status.waiting,
            "leased": status.leased,
            "spent": _number(status.spent),
            "priced": session.header.prices is not None,
            "finished": status.finished,
            "answer": status.answer,
            "doubt": status.doubt,
            "assumption": status.assumption,
            "extent": status.extent,
            "left": status.left if status.budget else None,
            "ahead": progress.ahead,
            "proved": progress.proved,
            "so_far": progress.so_far,
            "confidence": progress.confidence,
            "family": status.family,
            "remaining": _number(progress.remaining),
            "cost": _number(progress.cost),
            "raters": self._raters(),
            "version": self._version,
            "pictures": self._drawn(progress),
            "warnings": [each for each in progress.warnings if each not in report],
            "parts": [_part(each) for each in report],
        }

    def picture(self, name: str) -> bytes:
        """A picture as SVG: ``graph`` or ``evidence``."""
        progress = self._seen()
        if name not in self._drawn(progress) or progress.evidence is None:
            raise Refused(404, "There is no such picture of this session.")
        key = name, self._version
        if key not in self._pictures:
            started = self._clock()
            drawn = svg_text(figure_of(_PICTURES[name](progress.evidence)), "session").encode()
            self._pictures = {k: v for k, v in self._pictures.items() if k[1] == self._version}
            self._pictures[key] = drawn
            self._rest(started)
        return self._pictures[key]

    def table(self, name: str) -> bytes:
        """One of ``TABLES`` as CSV: all answers, or what they are as votes or as scores of sets."""
        session, family = self._session, self._session.question_set.family
        if name == "votes" and family != "dueling":
            raise Refused(404, "Votes are of arms that duel each other; the answers have it all.")
        if name == "scores" and family != "subsets":
            raise Refused(404, "Scores are those of sets; the answers have it all.")
        from cpe_opt.formats.observations import write_scores
        from cpe_opt.formats.votes import write_votes

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}.csv"
            if name == "votes":
                write_votes(session.votes(), path, force=True)
            elif name == "scores":
                write_scores(session.scores(), path, force=True)
            else:
                write_answers(session.answers(), path)
            return path.read_bytes()

    def _seen(self) -> Progress:
        """How far the session is: as last seen, while that is young or nothing has changed."""
        changes = self._session.changes
        if self._progress is None or (changes != self._version and self._clock() >= self._next):
            started = self._clock()
            self._progress, self._version = progress_of(self._session), changes
            self._next = -math.inf
            self._rest(started)
        return self._progress

    def _rest(self, started: float) -> None:
        """Put off the next look by some times what this work took."""
        now = self._clock()
        self._next = max(self._next, now + max(LEAST_AGE, (now - started) / _SHARE))

    def _drawn(self, progress: Progress) -> list[str]:
        """Which pictures there are."""
        if progress.evidence is None:
            return []
        few = progress.evidence.votes.arms <= MOST_ARMS
        return [name for name in _PICTURES if few or name != "graph"]

    def _raters(self) -> list[dict[str, Any]]:
        """A row a rater."""
        rows: list[dict[str, Any]] = [asdict(each) for each in self._session.rater_counts()]
        for row in rows:
            row["skips"] = self._session.turns_of(row["rater"] or None)[1]
        return [{str(name): _number(value) for name, value in row.items()} for row in rows]

    @staticmethod
    def _report(progress: Progress) -> list[str | TextTable]:
        """What is proved and what remains, in words."""
        evidence = progress.evidence
        if evidence is None:
            return []
        return [
            *evidence.proof_lines(),
            evidence.arms_table(in_words=True),
            *evidence.remaining_lines(),
        ]


def _part(part: str | TextTable) -> Any:
    """A sentence, or a table."""
    if isinstance(part, str):
        return part
    rows = [[str(cell) for cell in row] for row in part.rows]
    return {"title": part.title, "columns": list(part.columns), "rows": rows}


def _number(value: Any) -> Any:
    """The value; None where JSON has no such number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
