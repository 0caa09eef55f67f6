"""What is known of pairs that can duel: probabilities, and the votes they were counted from.

A pair has one probability: ``array[i, j]`` is that of i beating j, ``array[j, i]`` is 1 less that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.clusters import ClusterColumn, Clustering, ClusterScores, Outcomes

TOLERANCE = 1e-9
"""By how much probabilities may miss ½, or the two of a pair 1."""
MOST_ARMS = 10_000


@dataclass(frozen=True)
class LogNotes:
    """What has to be known of a file of votes to read what is said of them.

    Attributes
    ----------
    unused : tuple of str
        Columns that were not read.
    clusters : tuple of ClusterColumn
        Columns by which votes may depend on each other.
    clustering : Clustering or None
        How votes come in clusters of which each is one outcome a pair; None where each vote is one.
    unique : tuple of str
        The columns of which one vote was taken of each combination, the first; empty if all
        were.
    left_out : int
        How many further votes these had.
    files : tuple of (str, int)
        Where there are several: the names of the files, and how many votes each gave.
    filters : tuple of (str, int)
        Which votes were read: the conditions in words, and how many votes each left out.
    both_bad : int
        How many of the ties say that both arms were bad.
    rankings, incomplete : int
        How many votes were rankings, and how many of these leave arms out.
    unranked : str
        "last" or "ignore", what a ranking says of arms that it leaves out
        (:func:`cpe_opt.formats.preflib.read_preflib`); empty if none does.
    """

    unused: tuple[str, ...] = ()
    clusters: tuple[ClusterColumn, ...] = ()
    both_bad: int = 0
    rankings: int = 0
    incomplete: int = 0
    unranked: str = ""
    clustering: Clustering | None = None
    unique: tuple[str, ...] = ()
    left_out: int = 0
    files: tuple[tuple[str, int], ...] = ()
    filters: tuple[tuple[str, int], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON, with lists for tuples."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return plain

    @staticmethod
    def of_json(content: dict[str, Any]) -> LogNotes:
        """What :meth:`as_json` gives; notes of other versions may lack entries."""
        read = {**content, "clusters": [ClusterColumn(**each) for each in content["clusters"]]}
        if content.get("clustering") is not None:
            clustering = Clustering(**content["clustering"])
            read["clustering"] = replace(clustering, crossed=tuple(clustering.crossed))
        for name in ("files", "filters"):
            read[name] = map(tuple, content.get(name, ()))
        for name in ("unused", "clusters", "unique", "files", "filters"):
            read[name] = tuple(read.get(name, ()))
        return LogNotes(**read)

    @staticmethod
    def of_all(notes: Sequence[LogNotes]) -> LogNotes:
        """Those of several files, or parts of one, as one."""
        return LogNotes(
            unused=tuple(dict.fromkeys(column for each in notes for column in each.unused)),
            clusters=tuple(dict.fromkeys(each for one in notes for each in one.clusters)),
            both_bad=sum(each.both_bad for each in notes),
            rankings=sum(each.rankings for each in notes),
            incomplete=sum(each.incomplete for each in notes),
            unranked=next((each.unranked for each in notes if each.unranked), ""),
        )


@dataclass(frozen=True, eq=False)
class VoteCounts:
    """What a log of duels says of each pair.

    Attributes
    ----------
    wins : float array, shape (K, K)
        ``wins[i, j]`` is how often i beat j, ties counted as half a win for each.
    tied : float array, shape (K, K)
        How many duels of a pair were ties; symmetric.
    independent : bool
        Whether each vote's outcome, given all before it, is a win with its pair's probability;
        False for rankings, of which one gives votes on many pairs at once.
    selected : bool array, shape (K, K), or None
        Pairs of which some votes are missing because of what these votes say; symmetric. Their
        fractions are estimates, and prove nothing.
    outcomes : Outcomes or None
        Where votes come in clusters, what each of these says of each pair: fractions are means over
        clusters then, and proofs rest on them.
    scores : ClusterScores or None
        Of clusters that have votes on several pairs, rankings too: what they say of Borda scores.
    """

    wins: FloatArray
    tied: FloatArray
    notes: LogNotes = LogNotes()
    independent: bool = True
    selected: BoolArray | None = None
    outcomes: Outcomes | None = None
    scores: ClusterScores | None = None

    @property
    def duels(self) -> FloatArray:
        """How often each pair met; shape (K, K), symmetric."""
        return np.asarray(self.wins + self.wins.T, dtype=np.float64)

    @property
    def proving(self) -> FloatArray:
        """The wins that a proof may use, shape (K, K).

        Those of clusters where there are such, and none of pairs that are ``selected``.
        """
        if self.outcomes is not None:
            return self.outcomes.wins(len(self.wins))
        return self.wins if self.selected is None else np.where(self.selected, 0.0, self.wins)

    def summary(self, pairs: IntArray) -> VoteSummary:
        """How much the log knows of some pairs; ``pairs`` has the shape (n, 2)."""
        met = self.duels[pairs[:, 0], pairs[:, 1]]
        tied = self.tied[pairs[:, 0], pairs[:, 1]]
        counts = met[met > 0] if met.any() else np.zeros(1)
        return VoteSummary(
            duels=int(met.sum()),
            pairs=len(pairs),
            never_met=_listed(pairs, self.duels == 0),
            fewest=int(counts.min()),
            median=float(np.median(counts)),
            most=int(counts.max()),
            tied=int(tied.sum()),
            tied_pairs=int((tied > 0).sum()),
            selected=() if self.selected is None else _listed(pairs, self.selected),
            **vars(self.notes),
        )

    @property
    def fractions(self) -> FloatArray:
        """``wins / duels`` or means over clusters; ½ where a pair never met, on the diagonal."""
        wins = self.wins if self.outcomes is None else self.proving
        met = wins + wins.T
        return np.divide(wins, met, out=np.full_like(wins, 0.5), where=met > 0)

    def of(self, members: npt.ArrayLike) -> VoteCounts:
        """The votes on the pairs of some arms, in the order given."""
        arms = np.asarray(members, dtype=np.int64)
        chosen = np.ix_(arms, arms)
        return VoteCounts(
            self.wins[chosen],
            self.tied[chosen],
            self.notes,
            self.independent,
            None if self.selected is None else self.selected[chosen],
            None if self.outcomes is None else self.outcomes.of(arms, len(self.wins)),
            None if self.scores is None else self.scores.of(arms),
        )


def _listed(pairs: IntArray, where: BoolArray) -> tuple[tuple[int, int], ...]:
    """The pairs, of shape (n, 2), at which a symmetric matrix is true."""
    return tuple((i, j) for i, j in pairs[where[pairs[:, 0], pairs[:, 1]]].tolist())


@dataclass(frozen=True, kw_only=True)
class VoteSummary(LogNotes):
    """How much a log knows of the pairs that could duel, next to the notes on it.

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
    selected : tuple of (int, int)
        The pairs of which the votes prove nothing.
    """

    duels: int
    pairs: int
    never_met: tuple[tuple[int, int], ...]
    fewest: int
    median: float
    most: int
    tied: int
    tied_pairs: int
    selected: tuple[tuple[int, int], ...]


@runtime_checkable
class Preferences(Protocol):
    """Arms by their labels, with the probabilities of their duels."""

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

    ``source`` is the file's name, for messages, and ``name`` that without its suffix; ``array`` has
    shape (K, K), ``labels`` are empty if there are none, and ``counts`` None where probabilities
    were given.
    """

    source: str
    name: str
    array: FloatArray
    labels: Sequence[str]
    counts: VoteCounts | None = None


def refuse_entry(
    wrong: BoolArray, problem: str, *, matrix: FloatArray, place: Callable[[int, int], str]
) -> None:
    """Raise :class:`InputError` at the first entry that is wrong.

    ``place`` says where it is, for messages; ``problem`` may name the entry as ``{value}``, and
    that of the pair in the other order as ``{mirror}``.
    """
    if wrong.any():
        i, j = (int(index[0]) for index in np.nonzero(wrong))
        raise InputError(
            f"{place(i, j)}: {problem.format(value=matrix[i, j], mirror=matrix[j, i])}"
        )


def one_number_a_pair(array: FloatArray) -> FloatArray:
    """The array with a lower triangle that follows from the upper one, and ½ where it is near."""
    upper = np.triu(array, 1)
    matrix: FloatArray = upper + np.tril(1.0 - upper.T, -1) + 0.5 * np.eye(len(array))
    matrix[np.abs(matrix - 0.5) <= TOLERANCE] = 0.5
    return matrix


def counted_table(source: str, name: str, labels: Sequence[str], counts: VoteCounts) -> PairTable:
    """Preferences as the fractions of duels that were won."""
    return PairTable(source, name, one_number_a_pair(counts.fractions), labels, counts)
