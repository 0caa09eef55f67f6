"""What votes at positions prove, for people: who holds which position, and which duels come next.

It is computed in :mod:`cpe_opt.proofs.matchings.panel_evidence`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.proofs.matchings.panel_evidence import PanelStatements, panel_statements
from cpe_opt.reports.report import Analysis, Part, Report, TextTable, vote_lines, votes_of
from cpe_opt.validation import ErrorProbability, Numbers, checked_types

if TYPE_CHECKING:
    import pandas as pd

_LISTED = 10
_ASKED_BY_A_SESSION = (
    "a session that starts from this log asks for the duels that are missing: "
    "`cpe-opt session new SESSION.jsonl --prior LOG`"
)


@checked_types
@shows_progress("what votes at positions prove")
def panel_evidence(
    duels: MatchingDuels,
    *,
    delta: ErrorProbability = 0.05,
    prices: Numbers | None = None,
    progress: ShowProgress = None,
) -> PanelEvidence:
    """What votes at positions prove: the best assignment, and who holds which position in it.

    The best assignment is the one that is preferred to every other in the mean over the positions.
    Everything that is said is right at once with probability at least ``1 - delta``, for any way in
    which the pairs were chosen, and whenever one looks, if a vote is a win with its pair's
    probability whatever was answered before. What is said of positions is of the best assignment if
    there is one.

    Parameters
    ----------
    duels : MatchingDuels
        From a log of votes (:func:`cpe_opt.read_panel`,
        :func:`cpe_opt.read_observations`).
    delta : float
        The probability that anything said is wrong.
    prices : array_like, optional
        What a further duel of each pair of edges costs, as for :func:`cpe_opt.matching_time`.
    progress : bool or callable, optional
        Whether a line says how far it is: by default at a terminal or in a notebook, after a
        second. A function is told each step in words.

    Returns
    -------
    PanelEvidence

    Raises
    ------
    InputError
        Where there are probabilities and no votes, or votes of rankings.

    Examples
    --------
    >>> import pandas as pd
    >>> import cpe_opt as cpe
    >>> rows = [("chair", "Ada", "Ben", 90), ("chair", "Ben", "Ada", 20)]
    >>> rows += [("clerk", "Ada", "Ben", 50), ("clerk", "Ben", "Ada", 55)]
    >>> log = pd.DataFrame(rows, columns=["position", "winner", "loser", "count"])
    >>> found = cpe.panel_evidence(cpe.read_panel(log))
    >>> found.proved, [found.duels.labels[edge] for edge in found.best]
    (True, ['chair: Ada', 'clerk: Ben'])
    """
    return PanelEvidence(**vars(panel_statements(duels, delta, prices=prices)))


@dataclass(frozen=True, eq=False, kw_only=True)
class PanelEvidence(PanelStatements, Analysis):
    """What votes at positions prove, and which duels come next; ``print`` it to read it."""

    @property
    def name(self) -> str:
        """Of the votes."""
        return self.duels.name

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; ``missing`` is what the duels ``next`` cost, which would prove.

        ``unbeaten`` is whether the votes prefer ``best`` to every other assignment, ``none``
        whether it is proved that there is no best one.
        """
        graph = self.duels.graph
        standing: dict[str, dict[str, str]] = {place: {} for place in graph.position_labels}
        for (candidate, place), status in zip(graph.edges, self.standing, strict=True):
            standing[graph.position_labels[place]][graph.candidate_labels[candidate]] = status
        return {
            "name": self.duels.name,
            "delta": self.delta,
            "votes": votes_of(self.duels.vote_summary),
            "best": dict(self._holders()),
            "unbeaten": self.unbeaten,
            "proved": self.proved,
            "none": self.none,
            "positions": standing,
            "missing": self.missing,
            "next": [
                {"position": self._place(first), "pair": [self._who(first), self._who(second)],
                 "duels": times}
                for (first, second), times in self.next
            ],
        }  # fmt: skip

    def table(self) -> pd.DataFrame:
        """One row per edge: position, candidate, whether it is ahead, standing, votes, share won.

        Votes are those with the candidate that is ahead at the position; ``won`` is the share that
        this candidate won of them.
        """
        import pandas as pd

        edges = range(self.duels.graph.size)
        votes = [self._votes(edge) for edge in edges]
        columns = {
            "position": map(self._place, edges),
            "candidate": map(self._who, edges),
            "ahead": [edge in self.best for edge in edges],
            "standing": self.standing,
            "votes": [times for times, _ in votes],
            "won": [share for _, share in votes],
        }
        return pd.DataFrame(columns)

    def report(self) -> Report:
        """Who holds which position, what is proved, and which duels are next."""
        return Report(
            arms=self.positions_table(),
            lines=tuple(self.proof_lines()),
            open=tuple(self.next_lines()),
        )

    def positions_table(self) -> TextTable:
        """A row for each candidate at each position, the one that is ahead first."""
        graph, frame = self.duels.graph, self.table().assign(place=self.duels.graph.position)
        order = {"place": True, "ahead": False, "won": False}
        frame = frame.sort_values(list(order), ascending=list(order.values()), kind="stable")
        against = [
            "ahead" if ahead else f"{100.0 * won:.0f} % of {times:,.0f}" if times else "never met"
            for ahead, won, times in frame[["ahead", "won", "votes"]].itertuples(index=False)
        ]
        columns: dict[str, Iterable[object]] = {
            "position": frame["position"],
            "candidate": frame["candidate"],
            "won against the one ahead": against,
            "in the best assignment": frame["standing"],
        }
        size = f"{graph.candidates} candidates, {graph.positions} positions"
        return TextTable.of(columns, title=f"{self.duels.name}: {size}")

    def proof_lines(self) -> list[str]:
        """What is proved, and on what that rests, one sentence per line."""
        ahead = ", ".join(f"{who} as {place}" for place, who in self._holders())
        sure = f"proved at {100.0 * (1.0 - self.delta):.4g} %"
        lines = [f"{sure}: no other assignment is as good as {ahead}"]
        if self.none:
            lines = [f"{sure}: no assignment is preferred to all others"]
        elif not self.proved:
            held = [edge for edge in self.best if self.standing[edge] == "proved"]
            out = sum(standing == "ruled out" for standing in self.standing)
            lines = [f"ahead: {ahead}"]
            if held:
                names = ", ".join(f"{self._who(edge)} as {self._place(edge)}" for edge in held)
                lines.append(f"{sure}, if there is a best assignment: it has {names}")
            if out:
                lines.append(
                    f"{sure}, if there is a best assignment: it has none of the {out:,} that are "
                    "ruled out"
                )
            if not held and not out:
                lines.append(f"{sure}: nothing yet")
        return [*lines, *vote_lines(self.duels.vote_summary, self.duels.labels, of_arms=False)]

    def next_lines(self) -> list[Part]:
        """Which duels to ask next; nothing where the best assignment is proved."""
        if self.proved or self.none:
            return []
        if not self.unbeaten:
            return [
                "next: by the votes no assignment is preferred to all others, so that no number of "
                f"duels can be said; {_ASKED_BY_A_SESSION}"
            ]
        if not math.isfinite(self.missing):
            return [f"next: {_ASKED_BY_A_SESSION}"]
        number = sum(times for _, times in self.next)
        cost = f", which cost {self.missing:,.10g}" if self.missing != number else ""
        rows = [
            [self._place(first), self._who(first), self._who(second), times]
            for (first, second), times in self.next[:_LISTED]
        ]
        more = f", the first {_LISTED} of {len(self.next)} pairs" * (len(self.next) > _LISTED)
        return [
            TextTable(
                ["position", "first", "second", "duels"],
                rows,
                title=f"about {number:,} further duels to a proof, if shares stay{cost}{more}",
            )
        ]

    def _holders(self) -> list[tuple[str, str]]:
        """Positions and who is ahead there."""
        return [(self._place(edge), self._who(edge)) for edge in self.best]

    def _place(self, edge: int) -> str:
        return self.duels.graph.position_labels[int(self.duels.graph.position[edge])]

    def _who(self, edge: int) -> str:
        return self.duels.graph.candidate_labels[int(self.duels.graph.candidate[edge])]

    def _votes(self, edge: int) -> tuple[float, float]:
        """With the one ahead at the position: how many, and the share that this one won."""
        rival = self.best[int(self.duels.graph.position[edge])]
        counts = self.duels.counts
        assert counts is not None
        times = float(counts.wins[edge, rival] + counts.wins[rival, edge])
        if edge == rival or not times:
            return 0.0, math.nan
        return times, float(counts.wins[edge, rival]) / times
