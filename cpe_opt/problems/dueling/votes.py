r"""Votes: how often each arm of a dueling bandit beat each other.

:math:`w_{ij}` is how often arm i beat arm j, ties as half a win for each, and
:math:`N_{ij} = w_{ij} + w_{ji}` how often the two met. The estimate of a preference matrix is
:math:`w_{ij} / N_{ij}`, ½ where they never met.

**Counts or probabilities.** Both come as square matrices. One of probabilities has ½ on its
diagonal, and two that add up to 1 for every pair; one of counts has zeros on its diagonal. A file
is taken for counts only if also all are whole or half numbers, and some pair met more than
once: a matrix of nothing but certain wins could be either.

**Independence.** What several pairs prove together may be multiplied only if votes are
*independent*: the outcome of each vote, given all before it, is a win with its pair's probability,
whatever rule chose the pair. Duels are by assumption; rankings, and votes of one judge, user or
prompt that answers often, are not (:mod:`cpe_opt.problems.clusters`).

**Drift.** Where probabilities change from vote to vote, what is refuted is that every vote was a
win of i with a probability of at most ½: "i beats j" says that at least one was likelier.

**Selection.** A vote may be missing, but not because of what it would say: 60 voters rank a over c
over b and list (a, c), 40 rank and list (b, a), so that b beat a in all lists that name both.
Nothing is proved of pairs that are ``selected``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError, errors_of, listed
from cpe_opt.problems.clusters import ClusterScores, ClusterVotes, Outcomes
from cpe_opt.problems.pairs import (
    LogNotes,
    PairTable,
    VoteCounts,
    VoteSummary,
    checked_square,
    entry_place,
    labels_of,
    refuse_entry,
)
from cpe_opt.validation import (
    MOST_ROUNDS,
    Labels,
    Name,
    Numbers,
    NumbersOrTruths,
    checked_labels,
    checked_place,
    checked_types,
)


class Votes:
    """Votes on pairs of arms.

    Parameters
    ----------
    wins : array_like, shape (K, K)
        ``wins[i, j]`` is how often arm i beat arm j, ties as half a win for each; K at least 2,
        zeros on the diagonal. A data frame keeps its labels.
    labels : sequence of str, optional
        One a person can read for each arm; by default those of a data frame, or "0", "1", …
    name : str
        For titles and file names.
    tied : array_like, shape (K, K), optional
        How many votes of each pair were ties, symmetric; by default the fewest that ``wins`` needs:
        one where there are half wins.
    notes : LogNotes, optional
        What the log says besides wins, for reports; see :class:`cpe_opt.problems.pairs.LogNotes`.
    independent : bool
        Whether the outcome of each vote, given all before it, is a win with its pair's
        probability; False for rankings.
    selected : array_like of bool, shape (K, K), optional
        Pairs of which some votes are missing because of what these votes say, symmetric: nothing
        is proved of them. By default none.
    outcomes : Outcomes, optional
        Where votes come in clusters, what each of these says of each pair; see
        :class:`cpe_opt.problems.clusters.Outcomes`.
    scores : ClusterScores, optional
        Where these clusters, or rankings, have votes on several pairs, what they say of Borda
        scores; see :class:`cpe_opt.problems.clusters.ClusterScores`.
    by_cluster : ClusterVotes, optional
        What each cluster says of each pair, for ranks under a model; see
        :class:`cpe_opt.problems.clusters.ClusterVotes`.

    Attributes
    ----------
    wins, tied : float arrays, shape (K, K)
        Read-only.
    labels : tuple of str

    Raises
    ------
    InputError
        With the pair concerned, where the wins are negative, infinite, no whole or half numbers, or
        do not add up to a whole number of votes; where the array is not square, its diagonal is not
        0, or the labels do not fit.

    Examples
    --------
    >>> votes = Votes([[0, 7.5, 3], [2.5, 0, 0], [1, 0, 0]], ["a", "b", "c"])
    >>> votes
    Votes('votes', 3 arms, 14 votes on 2 of 3 pairs)
    >>> votes.duels[0].tolist(), votes.fractions[0].tolist()
    ([0.0, 10.0, 4.0], [0.5, 0.75, 0.75])
    """

    family: ClassVar[str] = "dueling"

    @checked_types
    def __init__(
        self,
        wins: Numbers,
        labels: Labels | None = None,
        *,
        name: Name = "votes",
        tied: Numbers | None = None,
        notes: LogNotes | None = None,
        independent: bool = True,
        selected: NumbersOrTruths | None = None,
        outcomes: Outcomes | None = None,
        scores: ClusterScores | None = None,
        by_cluster: ClusterVotes | None = None,
    ) -> None:
        labels = labels_of(wins, "votes") if labels is None else labels
        graded = notes is not None and notes.graded > 0
        counts = _checked_wins(wins, labels, graded=graded)
        self.labels = checked_labels(labels, len(counts))
        self.name = str(name)
        self.independent = bool(independent)
        ties = 2.0 * counts % 2.0
        if tied is not None:
            ties = _checked_ties(tied, counts, self.labels, graded=graded)
        chosen = None if selected is None else _checked_selected(selected, counts, self.labels)
        self.counts = VoteCounts(
            counts,
            ties,
            notes or LogNotes(),
            self.independent,
            chosen,
            outcomes,
            scores,
            by_cluster,
        )
        for array in (counts, ties):
            array.flags.writeable = False

    @classmethod
    def of_table(cls, table: PairTable, name: str | None = None) -> Self:
        """The votes of a file that was read as preferences.

        Raises
        ------
        InputError
            Where they are no counts, and where they may be probabilities.
        """
        labels, name = table.labels or None, table.name if name is None else name
        with errors_of(table.source):
            if table.counts is not None:
                return cls._of(table.counts, labels, name)
            votes = cls(table.array, labels, name=name)
            if (votes.duels <= 1).all():
                raise InputError(
                    "no pair met more than once, so that this may be a matrix of probabilities, "
                    "which says nothing of how many votes there were; counts that are so few are "
                    "for Votes(array)"
                )
        return votes

    @classmethod
    def _of(cls, counts: VoteCounts, labels: Sequence[str] | None, name: str) -> Self:
        return cls(
            counts.wins,
            labels,
            name=name,
            tied=counts.tied,
            notes=counts.notes,
            independent=counts.independent,
            selected=counts.selected,
            outcomes=counts.outcomes,
            scores=counts.scores,
            by_cluster=counts.by_cluster,
        )

    def __repr__(self) -> str:
        summary = self.summary
        met = summary.pairs - len(summary.never_met)
        return (
            f"Votes({self.name!r}, {self.arms} arms, {summary.duels:,} votes on {met:,} of "
            f"{summary.pairs:,} pairs{'' if self.independent else ', not independent'})"
        )

    def __eq__(self, other: object) -> bool:
        """Whether labels and wins are the same, and what may be proved by them."""
        if not isinstance(other, Votes):
            return NotImplemented
        same = self.labels == other.labels and self.independent == other.independent
        return same and all(
            np.array_equal(*each)
            for each in ((self.wins, other.wins), (self.proving_wins, other.proving_wins))
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def arms(self) -> int:
        """K, the number of arms."""
        return len(self.wins)

    @property
    def fingerprint(self) -> tuple[FloatArray, FloatArray, bool]:
        """The wins, those that prove something, and whether votes are independent."""
        return self.wins, self.proving_wins, self.independent

    @property
    def wins(self) -> FloatArray:
        """``wins[i, j]``, how often i beat j; shape (K, K)."""
        return self.counts.wins

    @property
    def tied(self) -> FloatArray:
        """How many votes of each pair were ties; shape (K, K), symmetric."""
        return self.counts.tied

    @cached_property
    def proving_wins(self) -> FloatArray:
        """The wins that a proof may use, shape (K, K): of clusters, and none of selected pairs."""
        return self.counts.proving

    @cached_property
    def duels(self) -> FloatArray:
        """N, how often each pair met; shape (K, K), symmetric."""
        return self.counts.duels

    @cached_property
    def fractions(self) -> FloatArray:
        """``wins / duels``, ½ where a pair never met and on the diagonal; shape (K, K).

        Where votes come in clusters, the means over these.
        """
        return self.counts.fractions

    @cached_property
    def summary(self) -> VoteSummary:
        """How much is known of which pairs."""
        return self.counts.summary(np.column_stack(np.triu_indices(self.arms, 1)))

    @checked_types
    def submatrix(self, arms: Sequence[int], *, name: Name | None = None) -> Self:
        """The votes on the pairs of some of the arms, in the order given."""
        chosen = [checked_place("arm", arm, self.arms) for arm in arms]
        labels = [self.labels[arm] for arm in chosen]
        return self._of(
            self.counts.of(chosen), labels, f"{self.name}-sub" if name is None else name
        )


def checked_votes(votes: object, labels: Sequence[str]) -> Votes:
    """The votes, or :class:`InputError` if they are none on arms of these labels."""
    if not isinstance(votes, Votes):
        raise InputError(f"votes is of the kind {type(votes).__name__}, expected Votes")
    if votes.labels != tuple(labels):
        raise InputError(
            f"votes: on {listed(votes.labels, 'arms')}, and the matrix is of "
            f"{listed(labels, 'arms')}"
        )
    return votes


def _checked_wins(array: npt.ArrayLike, labels: object, *, graded: bool) -> FloatArray:
    """The array of floats, or :class:`InputError` with the pair that has no such wins.

    Where votes are ``graded``, wins are sums of shares.
    """
    wins = checked_square("votes", array)
    refuse = partial(
        refuse_entry, matrix=wins, place=lambda i, j: f"votes, {entry_place(i, j, labels)}"
    )
    hint = "; if these are probabilities, PreferenceMatrix takes them"
    wrong = ~np.isfinite(wins) | (wins < 0)
    refuse(wrong, "the entry is {value}, expected a number of wins, 0 or more")
    diagonal = np.eye(len(wins), dtype=np.bool_)
    refuse(diagonal & (wins != 0), "the diagonal entry is {value}, expected 0" + hint)
    halves = (wins % 0.5 != 0) & (not graded)
    refuse(halves, "the entry is {value}, expected whole wins, or half ones for ties" + hint)
    refuse(
        (wins + wins.T) % 1.0 != 0,
        "{value} wins and {mirror} of the other arm do not add up to a whole number of votes",
    )
    if wins.sum() > MOST_ROUNDS:
        raise InputError(f"votes: {wins.sum():.3g} in all, expected at most {MOST_ROUNDS:,} (2^53)")
    return wins + 0.0  # no negative zeros


def _checked_ties(
    array: npt.ArrayLike, wins: FloatArray, labels: object = None, *, graded: bool
) -> FloatArray:
    """Ties of each pair, or :class:`InputError` with the pair whose wins they do not fit."""
    tied = checked_square("tied", array)
    if tied.shape != wins.shape:
        raise InputError(f"tied: of {len(tied)} arms, and the wins are of {len(wins)}")
    fit = (tied >= 0) & (tied == tied.T) & (tied <= 2.0 * np.minimum(wins, wins.T))
    fit &= ((2.0 * wins - tied) % 2.0 == 0) | graded
    if not fit.all():
        i, j = (int(index[0]) for index in np.nonzero(~fit))
        raise InputError(
            f"tied, {entry_place(i, j, labels)}: {tied[i, j]} ties do not fit {wins[i, j]} wins "
            f"and {wins[j, i]} of the other arm, ties as half a win for each"
        )
    return tied


def _checked_selected(
    array: npt.ArrayLike, wins: FloatArray, labels: object = None
) -> npt.NDArray[np.bool_] | None:
    """Pairs of which nothing is proved, read-only; None if there are none."""
    selected = checked_square("selected", checked_array("selected", array, booleans=True))
    if selected.shape != wins.shape:
        raise InputError(f"selected: of {len(selected)} arms, and the wins are of {len(wins)}")
    fit = np.isin(selected, (0.0, 1.0)) & (selected == selected.T)
    if not fit.all():
        i, j = (int(index[0]) for index in np.nonzero(~fit))
        raise InputError(
            f"selected, {entry_place(i, j, labels)}: {selected[i, j]} and {selected[j, i]} the "
            "other way, expected True or False for a pair"
        )
    chosen = selected.astype(np.bool_)
    np.fill_diagonal(chosen, False)
    chosen.flags.writeable = False
    return chosen if chosen.any() else None
