r"""Preference matrices of dueling bandits.

:math:`K` arms; :math:`\mu_{ij}` is the probability that arm :math:`i` beats arm :math:`j` in one
duel, :math:`\mu_{ij} = 1 - \mu_{ji}`, :math:`\mu_{ii} = \frac12`. The superiors of :math:`i` are
the arms that beat it, :math:`O_i = \{j : \mu_{ij} < \frac12\}`, its inferiors those it beats,
:math:`H_i = \{j : \mu_{ij} > \frac12\}`, and :math:`L_i = |O_i|`. A Copeland winner has the least
:math:`L_i`; a Condorcet winner beats every other arm. A pair with :math:`\mu_{ij} = \frac12` is
tied: neither superior nor inferior, and reported as such.

Regret of one duel of :math:`(i, j)`, with :math:`L^{(1)} = \min_i L_i`:

* Komiyama, Honda, Nakagawa (ICML 2016), ``"mean"``:
  :math:`r_{ij} = (L_i + L_j - 2L^{(1)}) / (2(K-1))`;
* Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), ``"sum"``:
  :math:`2\,\mathrm{cpld}(1) - \mathrm{cpld}(i) - \mathrm{cpld}(j)` with
  :math:`\mathrm{cpld}(i) = |H_i|/(K-1)`, which is :math:`2 r_{ij}` where nothing is tied.

**Random walk winner.** A walker at arm i meets a uniformly random other arm j and moves to it where
j wins: :math:`P_{ij} = \mu_{ji}/(K-1)`. The winner has the largest stationary probability.

**Borda winner.** The largest mean probability to beat another arm.

Zoghi et al., appendix C.2, compare these with Copeland and Condorcet winners.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName, errors_of
from cpe_opt.problems.dueling.votes import Votes, checked_votes
from cpe_opt.problems.environments import DuelEnvironment, DuelRecorder
from cpe_opt.problems.pairs import (
    TOLERANCE,
    Margin,
    ScoreMargin,
    VoteCounts,
    VoteSummary,
    checked_square,
    entry_place,
    labels_of,
    one_number_a_pair,
    refuse_entry,
)
from cpe_opt.ties import in_bits
from cpe_opt.validation import Name, checked_labels, checked_place, checked_text, checked_types

Units = Literal["mean", "sum"]
UNITS: tuple[Units, ...] = ("mean", "sum")
_BITS_OF_DIVERGENCES = 40


class PreferenceMatrix:
    """A validated preference matrix.

    Parameters
    ----------
    array : array_like, shape (K, K)
        ``array[i, j]`` is the probability that arm i beats arm j; K at least 2.
    labels : sequence of str, optional
        One a person can read for each arm; by default those of a data
        frame, where it has any, or "0", "1", …
    name : str
        For titles and file names.
    votes : Votes, optional
        What the array was counted from, with the same labels.

    Raises
    ------
    InputError
        Where the array is not square, has a value that is not a probability, a pair that does not
        add up to 1 or a diagonal other than ½ (both within 1e-9), or the labels do not fit.

    Examples
    --------
    >>> mu = PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]], labels=["tuna", "squid"])
    >>> mu.copeland_winners, mu.condorcet_winner
    ((0,), 0)
    """

    family = "dueling"

    def __init__(
        self,
        array: npt.ArrayLike,
        labels: Sequence[str] | None = None,
        *,
        name: str = "preferences",
        votes: Votes | None = None,
    ) -> None:
        labels = labels_of(array) if labels is None else labels
        matrix = _checked_probabilities(array, labels)
        self.labels = checked_labels(labels, len(matrix))
        self.name = checked_text("name", name)
        self.votes = None if votes is None else checked_votes(votes, self.labels)
        self.array: FloatArray = one_number_a_pair(matrix)
        self.array.flags.writeable = False

    @classmethod
    @checked_types
    def from_votes(cls, votes: Votes, *, name: Name | None = None) -> Self:
        """The estimate from votes: the fraction of wins, ½ for a pair that never met.

        Examples
        --------
        >>> PreferenceMatrix.from_votes(Votes([[0, 3], [1, 0]])).array[0].tolist()
        [0.5, 0.75]
        """
        array = one_number_a_pair(votes.fractions)
        return cls(array, votes.labels, name=votes.name if name is None else name, votes=votes)

    def __repr__(self) -> str:
        winners = ", ".join(self.labels[arm] for arm in self.copeland_winners)
        return f"PreferenceMatrix({self.name!r}, {self.arms} arms, Copeland winners: {winners})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PreferenceMatrix):
            return NotImplemented
        return self.labels == other.labels and bool(np.array_equal(self.array, other.array))

    __hash__ = None  # type: ignore[assignment]

    @property
    def arms(self) -> int:
        """K, the number of arms."""
        return len(self.array)

    @property
    def known(self) -> int:
        """What a learner may know of the problem: the number of arms."""
        return self.arms

    @property
    def fingerprint(self) -> FloatArray:
        """The probabilities."""
        return self.array

    def environment(self, rng: np.random.Generator) -> DuelEnvironment:
        """Simulated duels."""
        return DuelEnvironment(self.array, rng)

    def recorder(
        self, *, horizon: int | None = None, regret: str | None = None, points: int | None = None
    ) -> DuelRecorder:
        """Notes duels and regret, in the units "mean" by default; see :class:`cpe_opt.Problem`."""
        units = "mean" if regret is None else regret
        return DuelRecorder(self.regret(units), horizon=horizon, points=points, units=units)

    @cached_property
    def losses(self) -> IntArray:
        """L_i, how many arms beat arm i; shape (K,)."""
        return np.asarray((self.array < 0.5).sum(axis=1), dtype=np.int64)

    @cached_property
    def copeland_scores(self) -> IntArray:
        """How many arms each arm beats; shape (K,)."""
        return np.asarray((self.array > 0.5).sum(axis=1), dtype=np.int64)

    @cached_property
    def borda_scores(self) -> FloatArray:
        """Mean probability to beat another arm; shape (K,)."""
        return np.asarray((self.array.sum(axis=1) - 0.5) / (self.arms - 1), dtype=np.float64)

    @cached_property
    def copeland_winners(self) -> tuple[int, ...]:
        """The arms that the fewest arms beat, ascending."""
        return tuple(np.flatnonzero(self.losses == self.losses.min()).tolist())

    @cached_property
    def condorcet_winner(self) -> int | None:
        """The arm that beats every other arm, or None."""
        arms = np.flatnonzero(self.copeland_scores == self.arms - 1)
        return int(arms[0]) if arms.size else None

    @cached_property
    def borda_winners(self) -> tuple[int, ...]:
        """The arms with the largest Borda score (within 1e-9), ascending."""
        return largest(self.borda_scores)

    @checked_types
    def copeland_winners_within(self, margin: Margin) -> tuple[int, ...]:
        """The Copeland winners within a margin, ascending: no arm is ahead of them by more.

        Arm j is ahead of i by more than the margin if fewer arms beat it than beat i in every
        matrix whose entries differ from these by at most the margin, as
        :mod:`cpe_opt.proofs.dueling.predictable_bets` has it. Entries within 1e-9 of the margin
        are at it.

        Raises
        ------
        InputError
            Unless the margin is from 0 to below ½.

        Examples
        --------
        >>> mu = PreferenceMatrix([[0.5, 0.52, 0.9], [0.48, 0.5, 0.7], [0.1, 0.3, 0.5]])
        >>> mu.copeland_winners_within(0.0), mu.copeland_winners_within(0.03)
        ((0,), (0, 1))
        """
        if margin == 0.0:
            return self.copeland_winners
        behind = self.array < 0.5 - margin - TOLERANCE
        ahead = int(behind.sum(axis=0).max())
        return tuple(np.flatnonzero(behind.sum(axis=1) + ahead < self.arms).tolist())

    @checked_types
    def condorcet_winners_within(self, margin: Margin) -> tuple[int, ...]:
        """The arms that the Condorcet winner beats by at most a margin, ascending; it is one.

        Empty without a Condorcet winner. Entries within 1e-9 of a margin above 0 are at it.

        Raises
        ------
        InputError
            Unless the margin is from 0 to below ½.

        Examples
        --------
        >>> mu = PreferenceMatrix([[0.5, 0.52, 0.9], [0.48, 0.5, 0.7], [0.1, 0.3, 0.5]])
        >>> mu.condorcet_winners_within(0.0), mu.condorcet_winners_within(0.03)
        ((0,), (0, 1))
        """
        most = 0.5 + margin + TOLERANCE * (margin > 0.0)
        if self.condorcet_winner is None:
            return ()
        return tuple(np.flatnonzero(self.array[self.condorcet_winner] <= most).tolist())

    @checked_types
    def borda_winners_within(self, margin: ScoreMargin) -> tuple[int, ...]:
        """The arms whose Borda score is less than the largest by at most a margin, ascending.

        Scores within 1e-9 of the margin are at it.

        Raises
        ------
        InputError
            Unless the margin is from 0 to below 1.
        """
        least = self.borda_scores.max() - margin - TOLERANCE
        return tuple(np.flatnonzero(self.borda_scores >= least).tolist())

    @cached_property
    def random_walk_scores(self) -> FloatArray:
        """Stationary probabilities of the walk from losers to winners; shape (K,).

        Raises
        ------
        InputError
            Where the walk has several stationary distributions: no arm can be reached from all.
        """
        with errors_of(self.name):
            return random_walk_scores(self.array)

    @cached_property
    def random_walk_winners(self) -> tuple[int, ...]:
        """The arms with the largest stationary probability (within 1e-9); raises as that does."""
        return largest(self.random_walk_scores)

    @cached_property
    def ties(self) -> tuple[tuple[int, int], ...]:
        """The pairs (i, j), i < j, with probability exactly ½."""
        rows, columns = np.nonzero(np.triu(self.array == 0.5, 1))
        return tuple(zip(rows.tolist(), columns.tolist(), strict=True))

    @cached_property
    def vote_summary(self) -> VoteSummary | None:
        """What the log says of the pairs; None for a matrix that was not counted."""
        return None if self.votes is None else self.votes.summary

    @property
    def counts(self) -> VoteCounts | None:
        """The votes as plain numbers; None for a matrix that was not counted."""
        return None if self.votes is None else self.votes.counts

    @cached_property
    def gaps(self) -> FloatArray:
        """``|mu_ij - 1/2|``; shape (K, K)."""
        return np.asarray(np.abs(self.array - 0.5), dtype=np.float64)

    @cached_property
    def divergences(self) -> FloatArray:
        """``d_KL(mu_ij, 1/2)`` in nats, to 40 bits, so that equal ones stay equal; shape (K, K)."""
        return in_bits(binary_divergence(self.array), _BITS_OF_DIVERGENCES)

    def superiors(self, arm: int) -> tuple[int, ...]:
        """The arms that beat ``arm``."""
        return tuple(np.flatnonzero(self.array[self.check_arm(arm)] < 0.5).tolist())

    def inferiors(self, arm: int) -> tuple[int, ...]:
        """The arms that ``arm`` beats."""
        return tuple(np.flatnonzero(self.array[self.check_arm(arm)] > 0.5).tolist())

    def regret(self, units: str = "mean") -> FloatArray:
        """Regret of one duel of each pair, in either paper's units; shape (K, K)."""
        if units == "mean":
            return copeland_regret(self.losses)
        if units == "sum":
            return copeland_score_regret(self.copeland_scores)
        raise UnknownName("regret unit", units, UNITS)

    @checked_types
    def submatrix(self, arms: Sequence[int], *, name: Name | None = None) -> Self:
        """The matrix of some of the arms, in the order given."""
        chosen = [self.check_arm(arm) for arm in arms]
        return type(self)(
            self.array[np.ix_(chosen, chosen)],
            [self.labels[arm] for arm in chosen],
            name=f"{self.name}-sub" if name is None else name,
            votes=self.votes and self.votes.submatrix(chosen),
        )

    def check_arm(self, arm: int) -> int:
        """The arm as an int, or :class:`InputError`."""
        return checked_place("arm", arm, self.arms)


def _checked_probabilities(array: npt.ArrayLike, labels: object) -> FloatArray:
    """The array of floats, or :class:`InputError` if it is no preference matrix."""
    what = "preference matrix"
    matrix, tolerance = checked_square(what, array), TOLERANCE
    if (kind := np.asarray(array).dtype).kind == "f" and kind.itemsize < 8:
        # Numbers of fewer digits, such as 0.8 of 32 bits: what they were written as is meant.
        matrix = np.asarray(array).astype(str).astype(np.float64)
        tolerance = 2.0 * float(np.finfo(kind).eps)
    refuse = partial(
        refuse_entry, matrix=matrix, place=lambda i, j: f"{what}, {entry_place(i, j, labels)}"
    )
    refuse(np.isnan(matrix), "the entry is NaN, expected a probability")
    refuse((matrix < 0) | (matrix > 1), "the entry is {value}, expected a probability in [0, 1]")
    diagonal = np.eye(len(matrix), dtype=np.bool_)
    wrong = np.abs(matrix - 0.5) > tolerance
    refuse(diagonal & wrong, "the diagonal entry is {value}, expected 0.5")
    refuse(
        np.abs(matrix + matrix.T - 1) > tolerance,
        "{value} and its mirror image {mirror} do not add up to 1",
    )
    return matrix


def binary_divergence(p: npt.ArrayLike) -> FloatArray:
    """``d_KL(p, 1/2) = p ln 2p + (1-p) ln 2(1-p)`` in nats, elementwise.

    Near ½ the two terms cancel; there the Taylor series of the divergence is used.
    """
    p = np.asarray(p, dtype=np.float64)
    e = 2.0 * p - 1.0
    square = e * e
    series = square / 2 + square * square / 12 + square**3 / 30
    both = np.stack([p, 1.0 - p])
    exact = (both * np.log(2.0 * np.where(both > 0.0, both, 1.0))).sum(axis=0)  # 0 ln 0 is 0
    return np.asarray(np.where(np.abs(e) < 1e-3, series, exact), dtype=np.float64)


def divergence_from(p: npt.ArrayLike, q: float) -> FloatArray:
    """``d_KL(p, q)`` of two coins in nats, elementwise in p; q is above 0 and below 1."""
    p = np.asarray(p, dtype=np.float64)
    both, rates = np.stack([p, 1.0 - p]), np.stack([(p - q) / q, (q - p) / (1.0 - q)])
    terms = both * np.log1p(np.where(both > 0.0, rates, 0.0))
    return np.asarray(np.maximum(terms.sum(axis=0), 0.0))


def unit_costs(weights: FloatArray, divergences: FloatArray) -> FloatArray:
    """``weights / divergences``, 0 where the divergence is 0."""
    return np.divide(weights, divergences, out=np.zeros_like(divergences), where=divergences > 0)


def copeland_regret(losses: IntArray) -> FloatArray:
    """The mean regret of one duel of each pair from the numbers of superiors; shape (K, K)."""
    excess = losses - losses.min()
    return np.asarray(
        (excess[:, None] + excess[None, :]) / (2 * (len(losses) - 1)), dtype=np.float64
    )


def copeland_score_regret(scores: IntArray) -> FloatArray:
    """By how much the shares of arms that each of a pair beats fall short, added; shape (K, K)."""
    share = scores / (len(scores) - 1)
    return np.asarray(2 * share.max() - share[:, None] - share[None, :], dtype=np.float64)


def random_walk_scores(array: FloatArray) -> FloatArray:
    """Stationary probabilities of the walk from losers to winners; shape (K,).

    Raises :class:`InputError` if the walk has several stationary distributions: no arm can be
    reached from all.
    """
    arms = len(array)
    walk = array.T / (arms - 1)
    np.fill_diagonal(walk, 0.0)
    np.fill_diagonal(walk, 1.0 - walk.sum(axis=1))
    # pi (P - I) = 0 with the entries of pi adding up to 1.
    system = np.vstack([walk.T - np.eye(arms), np.ones(arms)])
    if np.linalg.matrix_rank(system[:-1], tol=TOLERANCE) < arms - 1:
        raise InputError(
            "the random walk has several stationary distributions (some arms never lose to others)"
        )
    target = np.append(np.zeros(arms), 1.0)
    scores = np.linalg.lstsq(system, target, rcond=None)[0]
    return np.asarray(np.clip(scores, 0.0, None), dtype=np.float64)


def largest(scores: FloatArray) -> tuple[int, ...]:
    """The arms whose score is the largest, within 1e-9, ascending."""
    return tuple(np.flatnonzero(scores >= scores.max() - TOLERANCE).tolist())
