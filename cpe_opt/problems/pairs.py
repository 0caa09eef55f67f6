"""What is known of pairs that can duel: probabilities, the votes they were counted from, prices.

A pair has one probability: ``array[i, j]`` is that of i beating j, ``array[j, i]`` is 1 less that.
Arrays of arms by arms may have labels of arms, as data frames do.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray, checked_array, checked_shape
from cpe_opt.errors import InputError, listed
from cpe_opt.problems.clusters import (
    ClusterColumn,
    Clustering,
    ClusterScores,
    ClusterVotes,
    Outcomes,
)
from cpe_opt.validation import Interval, checked, checked_labels

TOLERANCE = 1e-9
"""By how much probabilities may miss ½, or the two of a pair 1."""
MOST_ARMS = 10_000


@dataclass(frozen=True)
class LogNotes:
    """What has to be known of a file of votes to read what is said of them."""

    unused: tuple[str, ...] = ()  # columns that were not read
    clusters: tuple[ClusterColumn, ...] = ()  # columns by which votes may depend on each other
    both_bad: int = 0  # ties that say that both arms were bad
    rankings: int = 0
    incomplete: int = 0  # rankings that leave arms out
    unranked: str = ""  # "last" or "ignore": what they say of these; empty if there are none
    clustering: Clustering | None = None  # None where each vote is an outcome
    unique: tuple[str, ...] = ()  # columns of which the first vote of each combination was taken
    left_out: int = 0  # further votes of such a combination
    files: tuple[tuple[str, int], ...] = ()  # where there are several: their votes, by name
    filters: tuple[tuple[str, int], ...] = ()  # conditions in words, and the votes each left out
    skipped: tuple[tuple[str, int], ...] = ()  # lines that are no votes, and how many of each kind
    graded: int = 0  # votes between a win and a loss, other than ties
    reading: str = ""  # what the numbers of a column mean, where votes are numbers

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
        for name in ("files", "filters", "skipped"):
            read[name] = map(tuple, content.get(name, ()))
        for name in ("unused", "clusters", "unique", "files", "filters", "skipped"):
            read[name] = tuple(read.get(name, ()))
        return LogNotes(**read)

    @staticmethod
    def of_all(notes: Sequence[LogNotes]) -> LogNotes:
        """Those of several files, or parts of one, as one."""
        return LogNotes(
            unused=tuple(dict.fromkeys(column for each in notes for column in each.unused)),
            clusters=tuple(dict.fromkeys(each for one in notes for each in one.clusters)),
            both_bad=sum(each.both_bad for each in notes),
            skipped=next((each.skipped for each in notes if each.skipped), ()),
            graded=sum(each.graded for each in notes),
            reading=next((each.reading for each in notes if each.reading), ""),
            rankings=sum(each.rankings for each in notes),
            incomplete=sum(each.incomplete for each in notes),
            unranked=next((each.unranked for each in notes if each.unranked), ""),
        )


@dataclass(frozen=True, eq=False)
class VoteCounts:
    """What a log of duels says of each pair."""

    wins: FloatArray  # how often i beat j, ties as half a win for each; shape (K, K)
    tied: FloatArray  # symmetric
    notes: LogNotes = LogNotes()
    independent: bool = True  # see cpe_opt.problems.dueling.votes
    selected: BoolArray | None = None  # pairs of which nothing is proved; symmetric
    outcomes: Outcomes | None = None  # where votes come in clusters: proofs rest on them
    scores: ClusterScores | None = None  # of clusters, and rankings, with votes on several pairs
    by_cluster: ClusterVotes | None = None  # where votes come in clusters

    @property
    def duels(self) -> FloatArray:
        """How often each pair met; shape (K, K), symmetric."""
        return np.asarray(self.wins + self.wins.T, dtype=np.float64)

    @property
    def proving(self) -> FloatArray:
        """The wins that a proof may use, shape (K, K)."""
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
            None if self.by_cluster is None else self.by_cluster.of(arms, len(self.wins)),
        )


def _listed(pairs: IntArray, where: BoolArray) -> tuple[tuple[int, int], ...]:
    """The pairs, of shape (n, 2), at which a symmetric matrix is true."""
    return tuple(zip(*pairs[where[pairs[:, 0], pairs[:, 1]]].T.tolist(), strict=True))


@dataclass(frozen=True, kw_only=True)
class VoteSummary(LogNotes):
    """How much a log knows of the pairs that could duel, next to the notes on it."""

    duels: int
    pairs: int  # that could have duelled
    never_met: tuple[tuple[int, int], ...]  # these count as tied
    # Duels of a pair, among those that met; 0 where none did.
    fewest: int
    median: float
    most: int
    tied: int
    tied_pairs: int  # pairs that had ties
    selected: tuple[tuple[int, int], ...]  # pairs of which the votes prove nothing


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
    """Preferences as they were read from a file or a data frame."""

    source: str  # the file's name, for messages
    name: str  # that without its suffix
    array: FloatArray  # shape (K, K)
    labels: Sequence[str]  # empty if there are none
    counts: VoteCounts | None = None  # None where probabilities were given


def refuse_entry(
    wrong: BoolArray, problem: str, *, matrix: FloatArray, place: Callable[[int, int], str]
) -> None:
    """Raise :class:`InputError` at the first entry that is wrong."""
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


# Prices of observations as they are given: one for all, or an array of them.


Prices: TypeAlias = npt.ArrayLike | None


def price_array(prices: Prices, shape: tuple[int, ...], priced: str) -> FloatArray:
    """The array of prices, of any numbers: 1 by default, so that a sum of prices is a number."""
    if prices is None:
        return np.ones(shape)
    if isinstance(prices, str | os.PathLike):
        raise InputError(
            f"prices is {os.fspath(prices)!r}, expected a number or an array; "
            "cpe.read_prices(path, problem) reads a file"
        )
    array = checked_array("prices", prices)
    if array.ndim == 0:
        return np.full(shape, float(array))
    return checked_shape("prices", array, shape, f", a price for every {priced}, or one for all")


def pair_prices(
    matrix: FloatArray, pairs: IntArray, place: Callable[[int, int], str]
) -> FloatArray:
    """The matrix with a price above 0 for each of some pairs, the same in both orders, else 0."""
    i, j = pairs.T
    price, mirror = matrix[i, j], matrix[j, i]
    checked = np.zeros_like(matrix)
    checked[i, j] = checked[j, i] = price
    bad, bad_mirror = (~((each > 0.0) & np.isfinite(each)) for each in (price, mirror))
    for row in np.flatnonzero(bad | bad_mirror)[:1].tolist():
        pair = (i[row], j[row]) if bad[row] else (j[row], i[row])
        raise InputError(
            f"prices{place(*pair)}: the price is {matrix[pair]:g}, expected a number above 0"
        )
    for row in np.flatnonzero(np.abs(price - mirror) > TOLERANCE * price)[:1].tolist():
        raise InputError(
            f"prices{place(i[row], j[row])}: the price is {price[row]:g}, and {mirror[row]:g} in "
            "the other order; a pair has one price"
        )
    return checked


def labels_of(array: Any, what: str = "preference matrix") -> list[str] | None:
    """The labels of a data frame's rows and columns; None where both are but numbered."""
    if not (hasattr(array, "index") and hasattr(array, "columns")):
        return None
    names = [list(array.index), list(array.columns)]
    labelled = [side for side in names if side != list(range(len(side)))]
    if len(labelled) == 2 and labelled[0] != labelled[1]:
        arm = next(k for k, pair in enumerate(zip(*labelled, strict=True)) if pair[0] != pair[1])
        raise InputError(
            f"{what}: row {arm} is labelled {labelled[0][arm]!r} and column {arm} "
            f"{labelled[1][arm]!r}, expected the same labels in the same order"
        )
    if not labelled:
        return None
    return [str(each) if isinstance(each, int | np.integer) else each for each in labelled[0]]


def entry_place(row: int, column: int, labels: object) -> str:
    """The place of an entry, for messages, with labels where there are any."""
    known = list(labels) if isinstance(labels, Iterable) and not isinstance(labels, str) else []

    def numbered(arm: int) -> str:
        named = arm < len(known) and str(known[arm]) != str(arm)
        return f"{arm} ({known[arm]})" if named else str(arm)

    return f"row {numbered(row)}, column {numbered(column)}"


def checked_square(what: str, array: npt.ArrayLike) -> FloatArray:
    """The array of floats, arms × arms, or :class:`InputError` if it has another shape."""
    matrix = checked_array(what, array)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        shape = " × ".join(map(str, matrix.shape)) or "a single number"
        raise InputError(f"{what}: expected a square array, got {shape}")
    if len(matrix) < 2:
        raise InputError(f"{what}: expected at least 2 arms, got {len(matrix)}")
    return matrix


Margin: TypeAlias = Annotated[float, Interval(0, 0.5, "left", "a number from 0 to below 0.5")]
"""Of probabilities."""
ScoreMargin: TypeAlias = Annotated[float, Interval(0, 1, "left", "a number from 0 to below 1")]
"""Of Borda scores."""


def checked_margin(margin: float) -> float:
    """A margin of probabilities, or :class:`InputError`."""
    return float(checked("margin", margin, Margin))


# Prices of duels: what asking once about a pair costs, in any unit.
#
# A pair has one price; the diagonal of a matrix is not read.


@runtime_checkable
class Labelled(Protocol):
    """What has arms with labels: a preference matrix, say."""

    @property
    def labels(self) -> Sequence[str]:
        """A name for each arm."""


def checked_prices(prices: Prices, preferences: Labelled) -> FloatArray:
    """The price of a duel of each pair, shape (K, K), symmetric, with a diagonal of 0."""
    labels = preferences.labels
    matrix = price_array(prices, (len(labels), len(labels)), "pair of arms")
    names = labels_of(prices, "prices")
    if names is not None:
        matrix = _by_name(matrix, names, labels)
    pairs = np.column_stack(np.triu_indices(len(labels), 1))
    return pair_prices(matrix, pairs, lambda i, j: f", {entry_place(i, j, labels)}")


def _by_name(matrix: FloatArray, names: Sequence[str], labels: Sequence[str]) -> FloatArray:
    """The matrix with rows and columns in the order of the arms."""
    names = checked_labels(names, len(matrix))
    if set(names) != set(labels):
        raise InputError(
            f"prices: the rows are of {listed(names, 'arms')}, expected {listed(labels, 'arms')}"
        )
    order = [names.index(label) for label in labels]
    return matrix[np.ix_(order, order)]


def in_order_of(what: str, values: Any, labels: Sequence[str]) -> Any:
    """The values in the order of labels, where the index or the header of pandas has them."""
    if not hasattr(values, "iloc"):
        return values
    header = getattr(values, "columns", None)
    where, index = ("index", values.index) if header is None else ("header", header)
    own, known = [str(label).strip() for label in index], list(map(str, labels))
    if own == known or list(index) == list(range(len(index))):
        return values
    place = {label: number for number, label in enumerate(own)}
    if sorted(own) != sorted(known):
        raise InputError(
            f"{what}: the {where} has {listed(own, 'labels')}, expected {listed(known, 'labels')}, "
            "each once"
        )
    order = [place[label] for label in known]
    return values.iloc[order] if header is None else values.iloc[:, order]
