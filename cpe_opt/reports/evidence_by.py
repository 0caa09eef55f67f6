r"""What votes prove group by group: a board for each language, all of them right at once.

Groups are those of a column (:func:`cpe_opt.read_votes_by`). The probability :math:`\delta` of an
error is divided equally: with G groups each board is right with probability at least
:math:`1 - \delta/G`, and all of them together with at least :math:`1 - \delta`, by a union bound.
So one may look at all boards and report any. A group of few votes has the same part as others. How
many groups there are has to be settled apart from what the votes say: looking again at
a growing log is covered as long as no group is added. Which group a vote is in may not depend on
who won it. Groups may depend on each other in any way, as where votes of one cluster
(:mod:`cpe_opt.problems.clusters`) are in several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from cpe_opt.errors import InputError
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.progress_line import ShowProgress, shows_progress, step
from cpe_opt.reports.evidence import Evidence, evidence, having
from cpe_opt.reports.report import Analysis, Report, TextTable
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.validation import ErrorProbability, Numbers, checked_types

if TYPE_CHECKING:
    import pandas as pd


@checked_types
@shows_progress("what the votes of each group prove")
def evidence_by(
    groups: Mapping[str, Votes],
    *,
    by: str = "group",
    delta: ErrorProbability = 0.05,
    margin: float = 0.0,
    top: int | None = None,
    prices: Numbers | None = None,
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> EvidenceByGroup:
    """What the votes of each group prove, all of it at once.

    Parameters
    ----------
    groups : mapping from str to Votes
        Such as :func:`cpe_opt.read_votes_by` returns; groups may have different arms.
    by : str
        What the groups are called, such as "language".
    delta : float
        The probability that anything said of any group is wrong; each has an equal part of it.
    margin, top, prices, **solving
        As for :func:`cpe_opt.evidence`, for every group.
    progress : bool or callable, optional
        Whether a line says how far it is: by default at a terminal or in a notebook, after a
        second. A function is told each step in words.

    Returns
    -------
    EvidenceByGroup
        A mapping from each group to its :class:`Evidence`.

    Raises
    ------
    InputError
        Where there are no groups, or one of them is wrong, with its name.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> groups = {"en": cpe.Votes([[0, 60], [20, 0]]), "de": cpe.Votes([[0, 6], [3, 0]])}
    >>> found = cpe.evidence_by(groups, by="language")
    >>> found["en"].copeland["0"], found["de"].copeland["0"], found["de"].delta
    ('proved', 'possible', 0.025)
    """
    if not groups:
        raise InputError("groups: there are none, expected the votes of at least one")
    boards = {}
    for place, (name, votes) in enumerate(groups.items(), 1):
        step(f"{by} {name}, {place:,} of {len(groups):,}")
        try:
            boards[str(name)] = evidence(
                votes, delta=delta / len(groups), margin=margin, top=top, prices=prices, **solving
            )
        except InputError as error:
            raise InputError(f"group {name!r}: {error}") from None
    return EvidenceByGroup(by, delta, boards)


@dataclass(frozen=True, eq=False, repr=False)
class EvidenceByGroup(Analysis, Mapping[str, Evidence]):
    """What the votes of each group prove; ``print`` it to read it.

    Attributes
    ----------
    by : str
        What the groups are called.
    delta : float
        The probability that anything said of any group is wrong.
    boards : dict from str to Evidence
    """

    by: str
    delta: float
    boards: dict[str, Evidence]

    @property
    def name(self) -> str:
        """What the groups are called."""
        return self.by

    def __getitem__(self, group: str) -> Evidence:
        return self.boards[group]

    def __iter__(self) -> Iterator[str]:
        return iter(self.boards)

    def __len__(self) -> int:
        return len(self.boards)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: those of each board, below ``by``, ``delta`` and ``groups``."""
        groups = {group: board.as_dict() for group, board in self.items()}
        return {"by": self.by, "delta": self.delta, "groups": groups}

    def table(self) -> pd.DataFrame:
        """One row per group: votes, arms, who leads, who is proved to win, how many pairs are."""
        import pandas as pd

        rows = [
            {
                self.by: group,
                "votes": board.votes.summary.duels,
                "arms": board.votes.arms,
                "leader": board.votes.labels[board.ranking[0]],
                **{
                    kind: ", ".join(having(found, "proved"))
                    for kind, found in board.statuses().items()
                },
                "pairs_proved": int(board.beats.sum()),
                "pairs": board.votes.arms * (board.votes.arms - 1) // 2,
            }
            for group, board in self.items()
        ]
        return pd.DataFrame(rows)

    def summary_lines(self) -> list[str]:
        """How delta is divided, and what is right at once."""
        number = len(self)
        lines = [
            f"proved at {100.0 * (1.0 - self.delta):.10g} %, all boards at once: each of the "
            f"{number:,} groups has {self.delta / number:.4g} of the {self.delta:.10g} that "
            "anything may be wrong with",
        ]
        if number > 1:
            lines.append(
                f"it assumes that which {self.by} a vote has does not depend on who won it; a "
                "cluster of votes may be in several groups"
            )
            lines.append(
                "looking again as votes come in is covered while no group is added: one more makes "
                "the parts of all smaller"
            )
        return lines

    def summary_table(self) -> TextTable:
        """The table of groups, for people."""
        frame = self.table()
        pairs = zip(frame["pairs_proved"], frame["pairs"], strict=True)
        columns = {
            self.by: frame[self.by],
            "votes": map("{:,}".format, frame["votes"]),
            "arms": map("{:,}".format, frame["arms"]),
            "most won": frame["leader"],
            "Copeland: proved": map(_few, frame["copeland"]),
            "Borda: proved": map(_few, frame["borda"]),
            "pairs": (f"{proved:,} of {every:,}" for proved, every in pairs),
        }
        return TextTable.of(columns, title=f"{len(self):,} boards, by {self.by}")

    def report(self) -> Report:
        """The table of groups, and then each board."""
        return Report(
            parts=(self.summary_table(), *self.summary_lines()),
            reports=tuple(board.report() for board in self.values()),
        )


def _few(labels: str) -> str:
    """The winners of a group, as far as there is room."""
    names = labels.split(", ")
    return f"{len(names):,} arms" if len(names) > 2 else labels or "nobody"
