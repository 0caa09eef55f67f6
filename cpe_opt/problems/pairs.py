"""What is known of pairs that can duel: probabilities, and the votes they were counted from.

A pair has one probability: ``array[i, j]`` is that of i beating j, ``array[j, i]`` is 1 less that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray

TOLERANCE = 1e-9
"""By how much probabilities may miss ½, or the two of a pair 1."""
MOST_ARMS = 10_000


@dataclass(frozen=True, eq=False)
class VoteCounts:
    """What a log of duels says of each pair.

    Attributes
    ----------
    wins : float array, shape (K, K)
        ``wins[i, j]`` is how often i beat j, ties counted as half a win for each.
    tied : float array, shape (K, K)
        How many duels of a pair were ties; symmetric.
    unused : tuple of str
        Columns of the log that were not read.
    independent : bool
        Whether each vote's outcome, given all before it, is a win with its pair's probability;
        False for rankings, of which one gives votes on many pairs at once.
    """

    wins: FloatArray
    tied: FloatArray
    unused: tuple[str, ...] = ()
    independent: bool = True

    @property
    def duels(self) -> FloatArray:
        """How often each pair met; shape (K, K), symmetric."""
        return np.asarray(self.wins + self.wins.T, dtype=np.float64)

    def summary(self, pairs: IntArray) -> VoteSummary:
        """How much the log knows of some pairs; ``pairs`` has the shape (n, 2)."""
        met = self.duels[pairs[:, 0], pairs[:, 1]]
        tied = self.tied[pairs[:, 0], pairs[:, 1]]
        counts = met[met > 0] if met.any() else np.zeros(1)
        return VoteSummary(
            duels=int(met.sum()),
            pairs=len(pairs),
            never_met=tuple((int(i), int(j)) for i, j in pairs[met == 0]),
            fewest=int(counts.min()),
            median=float(np.median(counts)),
            most=int(counts.max()),
            tied=int(tied.sum()),
            tied_pairs=int((tied > 0).sum()),
            unused=self.unused,
        )

    @property
    def fractions(self) -> FloatArray:
        """``wins / duels``, ½ where a pair never met and on the diagonal."""
        met = self.duels
        return np.divide(self.wins, met, out=np.full_like(self.wins, 0.5), where=met > 0)

    def of(self, members: npt.ArrayLike) -> VoteCounts:
        """The votes on the pairs of some arms, in the order given."""
        chosen = np.ix_(np.asarray(members, dtype=int), np.asarray(members, dtype=int))
        return VoteCounts(self.wins[chosen], self.tied[chosen], self.unused, self.independent)


@dataclass(frozen=True)
class VoteSummary:
    """How much a log knows of the pairs that could duel.

    Attributes
    ----------
    duels, pairs : int
        How many duels there were, and pairs that could have had some.
    never_met : tuple of (int, int)
        The pairs without a duel, which count as tied.
    fewest, median, most : numbers
        Duels of a pair, among those that met; 0 where none did.
    tied, tied_pairs : int
        Duels that were ties, and pairs that had some.
    unused : tuple of str
        Columns of the log that were not read.
    """

    duels: int
    pairs: int
    never_met: tuple[tuple[int, int], ...]
    fewest: int
    median: float
    most: int
    tied: int
    tied_pairs: int
    unused: tuple[str, ...]


@runtime_checkable
class Preferences(Protocol):
    """Arms by their labels, with the probabilities of their duels.

    Attributes
    ----------
    array : float array, shape (K, K)
    labels : sequence of str
    counts : VoteCounts or None
    """

    @property
    def array(self) -> FloatArray:
        """Probabilities; shape (K, K)."""

    @property
    def labels(self) -> Sequence[str]:
        """Names of the arms."""

    @property
    def counts(self) -> VoteCounts | None:
        """The log they were counted from, if any."""


@dataclass(frozen=True, eq=False)
class PairTable:
    """Preferences as they were read from a file or a data frame.

    Attributes
    ----------
    source : str
        The file's name, for messages.
    name : str
        The file's name without its suffix, for titles.
    array : float array, shape (K, K)
    labels : list of str
        Empty where there are none.
    counts : VoteCounts or None
        None where probabilities were given.
    """

    source: str
    name: str
    array: FloatArray
    labels: Sequence[str]
    counts: VoteCounts | None = None


def one_number_a_pair(array: FloatArray) -> FloatArray:
    """The array with a lower triangle that follows from the upper one, and ½ where it is near."""
    upper = np.triu(array, 1)
    matrix: FloatArray = upper + np.tril(1.0 - upper.T, -1) + 0.5 * np.eye(len(array))
    matrix[np.abs(matrix - 0.5) <= TOLERANCE] = 0.5
    return matrix


def counted_table(source: str, name: str, labels: Sequence[str], counts: VoteCounts) -> PairTable:
    """Preferences as the fractions of duels that were won."""
    return PairTable(source, name, one_number_a_pair(counts.fractions), labels, counts)
