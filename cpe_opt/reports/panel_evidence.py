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
        As for :func:`cpe_opt.evidence`.

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
        """That of the votes."""
        return self.duels.name

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; ``missing`` is what the duels ``next`` cost, which would prove.

        ``unbeaten`` is whether the votes prefer ``best`` to every other assignment, ``none``
        whether it is proved that there is no best one.
        """
        standing: dict[str, dict[str, str]] = {}
        for edge, status in enumerate(self.standing):
            standing.setdefault(self._place(edge), {})[self._who(edge)] = status
        return {
            "name": self.duels.name,
            "delta": self.delta,
            "votes": votes_of(self.duels.vote_summary),
            "best": {self._place(edge): self._who(edge) for edge in self.best},
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

        graph, counts = self.duels.graph, self.duels.counts
        assert counts is not None
        edges = range(graph.size)
        rivals = [self.best[place] for place in graph.position.tolist()]
        won, lost = counts.wins[edges, rivals], counts.wins[rivals, edges]
        frame = pd.DataFrame(
            {
                "position": map(self._place, edges),
                "candidate": map(self._who, edges),
                "ahead": [edge in self.best for edge in edges],
                "standing": self.standing,
                "votes": won + lost,
            }
        )
        return frame.assign(won=won / frame["votes"].where(frame["votes"] > 0.0))

    def report(self) -> Report:
        """Who holds which position, what is proved, and which duels are next."""
        graph = self.duels.graph
        frame = self.table().assign(place=graph.position).fillna({"won": -1.0})
        frame = frame.sort_values(
            ["place", "ahead", "won"], ascending=[True, False, False], kind="stable"
        )
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
        return Report(
            arms=TextTable.of(columns, title=f"{self.duels.name}: {size}"),
            lines=tuple(self.proof_lines()),
            open=tuple(self.next_lines()),
        )

    def proof_lines(self) -> list[str]:
        """What is proved, and on what that rests, one sentence per line."""
        ahead, sure = self._held(self.best), f"proved at {100.0 * (1.0 - self.delta):.4g} %"
        if self.none:
            lines = [f"{sure}: no assignment is preferred to all others"]
        elif self.proved:
            lines = [f"{sure}: no other assignment is as good as {ahead}"]
        else:
            held = [edge for edge in self.best if self.standing[edge] == "proved"]
            out = self.standing.count("ruled out")
            known = [f"has {self._held(held)}"] if held else []
            known += [f"has none of the {out:,} that are ruled out"] if out else []
            said = [f"{sure}, if there is a best assignment: it {each}" for each in known]
            lines = [f"ahead: {ahead}", *(said or [f"{sure}: nothing yet"])]
        summary = self.duels.vote_summary
        if summary is not None and summary.clustering is not None:
            lines.append("a cluster with votes on several pairs counts as a part of one on each")
        return [*lines, *vote_lines(summary, self.duels.labels, of_arms=False)]

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
        more = f", the first {_LISTED} of {len(self.next)} pairs" * (len(self.next) > _LISTED)
        title = f"about {number:,} further duels to a proof, if shares stay{cost}{more}"
        rows = [
            [self._place(first), self._who(first), self._who(second), times]
            for (first, second), times in self.next[:_LISTED]
        ]
        return [TextTable(["position", "first", "second", "duels"], rows, title)]

    def _held(self, edges: Iterable[int]) -> str:
        """Who holds which position, in words."""
        return ", ".join(f"{self._who(edge)} as {self._place(edge)}" for edge in edges)

    def _place(self, edge: int) -> str:
        return self.duels.graph.position_labels[int(self.duels.graph.position[edge])]

    def _who(self, edge: int) -> str:
        return self.duels.graph.candidate_labels[int(self.duels.graph.candidate[edge])]
