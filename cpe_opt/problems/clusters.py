r"""Columns of a log by which votes or scores come in clusters: of one judge, user or prompt.

Votes with the same judge or prompt may depend on each other, and what votes prove assumes that they
do not; scores of teams likewise. Such columns are known by their names alone; how many different
values they have is counted by :mod:`cpe_opt.formats.tables`.

**Votes in clusters.** Where clusters are independent of each other, and a column says which vote is
of which, the mean of a cluster's votes on a pair is one *outcome* :math:`y \in [0, 1]`, whatever
the number and the dependence of these votes. What is proved is then about the mean of outcomes over
clusters, in which a cluster of one vote weighs as much as one of a thousand. Outcomes of one
cluster on several pairs may depend on each other, as the pairs of a ranking do: a ranking is a
cluster with one vote a pair. A cluster counts when all of its votes are there: one that grows
between two looks is not a new outcome.

**What may depend on what.** All that proofs use of an outcome y is that its mean, given the
clusters before and that the cluster has votes on this pair, is at most ½ where the null is true. So
votes of a cluster may depend on each other in any way, and the pairs of a cluster, and how many
votes it has of each, on *other* clusters before it, but not on its *own* votes, as in a knock-out
within a prompt, or where votes go on until somebody wins: of fair coins the mean up to the first
win is ln 2. Where clusters have votes on several pairs, and not all on the same
(:attr:`Clustering.pairs_differ`), that is said; so it is where a value of another such column is in
several clusters, as where every rater votes on every prompt.

**Borda scores** are about several pairs at once, and what clusters say of them is more than their
outcomes pair by pair (:mod:`cpe_opt.proofs.dueling.borda`). A cluster that has votes on
:math:`d_i` pairs of arm i divides one vote among them, :math:`1/d_i` each; one that has votes on
all pairs is a score of every arm, the mean of the arm's outcomes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray

_WHOSE = (
    "judge|rater|annotator|evaluator|labell?er|grader|assessor|reviewer|worker|voter|user|expert|"
    "person|participant|respondent|subject|client|visitor|account|member|ip|session|conversation|"
    "conv|chat|thread|prompt|question|query|item|task|instruction|input|document|topic|sample|"
    "scenario|opening|match|game"
)
_NAME = re.compile(
    rf"(?:{_WHOSE})s?(?:[ _-]?(?:id|ids|uid|uuid|name|key|hash|no|nr|number|index|address|email))?"
)


@dataclass(frozen=True)
class ClusterColumn:
    """A column of a log in which values repeat: what shares a value may depend on each other."""

    column: str
    values: int  # different ones
    observations: int  # votes or scores that have one

    def warning(self, noun: str) -> str:
        """What to know of all that ``noun``, "votes" or "scores", prove."""
        return f"warning: {self.words(noun)}"

    def words(self, noun: str) -> str:
        """The same without the word "warning"."""
        values = f"{self.values:,} different value{'s' * (self.values != 1)}"
        return (
            f"the column {self.column!r} has {values} in {self.observations:,} {noun}; "
            f"{noun} that share one may depend on each other, and whatever is called proved "
            "assumes that they do not"
        )


def is_cluster_name(column: str) -> bool:
    """Whether a column of this name says whose a vote is, or what it is about."""
    return _NAME.fullmatch(column.strip().lower()) is not None


PAIR = "pair"
"""Stands for the pair of arms among the columns of which one vote is taken of each combination."""
_STEPS = 2.0**30
_LARGEST_CODE = 2**62
_BLOCK = 1 << 18  # outcomes


@dataclass(frozen=True)
class Clustering:
    """How votes come in clusters."""

    column: str  # which vote is of which cluster
    clusters: int
    # Votes of a cluster.
    smallest: int
    median: float
    largest: int
    crossed: tuple[str, ...] = ()  # other columns with a value in several clusters
    pairs_differ: bool = False  # some have votes on several pairs, and not all on the same


def clustering_of(
    column: str,
    cluster: IntArray,
    pair: IntArray,
    count: FloatArray,
    others: Mapping[str, IntArray],
) -> Clustering:
    """The sizes of clusters, which other columns cross them, and whether their pairs differ.

    Arrays have one entry a row; in those of other columns a negative number is no value.
    """
    each = np.unique(row_codes([cluster, pair]), return_index=True)[1]
    pairs = np.unique(cluster[each], return_counts=True)[1]
    sizes = np.bincount(cluster, weights=count)
    sizes = sizes[sizes > 0]
    crossed = []
    for name, keys in others.items():
        known = keys >= 0
        if has_several(keys[known], cluster[known]):
            crossed.append(name)
    return Clustering(
        column,
        len(sizes),
        int(sizes.min()),
        float(np.median(sizes)),
        int(sizes.max()),
        tuple(crossed),
        pairs_differ=bool(pairs.max() > 1 and pairs.min() < len(np.unique(pair))),
    )


def has_several(keys: IntArray, values: IntArray) -> bool:
    """Whether some key has several different values."""
    return len(np.unique(keys)) < len(np.unique(row_codes([keys, values])))


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The means of clusters, pair by pair: arrays of shape (n,)."""

    first: IntArray
    second: IntArray  # above the first
    share: FloatArray  # of the win that the first arm has, a multiple of 2^-30
    times: FloatArray  # how many clusters have this share of this pair, or parts of clusters

    def wins(self, arms: int) -> FloatArray:
        """The sums of outcomes: ``wins[i, j]`` of i against j; shape (K, K)."""
        wins = np.zeros((arms, arms))
        np.add.at(wins, (self.first, self.second), self.times * self.share)
        np.add.at(wins, (self.second, self.first), self.times * (1.0 - self.share))
        return wins

    def of(self, members: IntArray, arms: int) -> Outcomes:
        """Those on the pairs of some of the arms, in the order given."""
        place = np.full(arms, -1)
        place[members] = np.arange(len(members))
        i, j = place[self.first], place[self.second]
        kept = (i >= 0) & (j >= 0)
        swapped = (i > j)[kept]
        i, j, share = i[kept], j[kept], self.share[kept]
        return Outcomes(
            np.where(swapped, j, i),
            np.where(swapped, i, j),
            np.where(swapped, 1.0 - share, share),
            self.times[kept],
        )


@dataclass(frozen=True, eq=False)
class ClusterScores:
    """What clusters say of Borda scores."""

    # [i, k]: sums over clusters of what i got against k, and of votes, each divided by the number
    # of pairs of i on which the cluster has votes; shape (K, K).
    won: FloatArray
    votes: FloatArray
    # Of clusters with votes on all pairs: the sums of the first four powers of the difference
    # between the row's and the column's score; shape (4, K, K).
    leads: FloatArray

    @classmethod
    def of_counts(cls, wins: FloatArray) -> ClusterScores:
        """Outcomes of which only is known that a cluster has at most one of each pair."""
        won = wins / (len(wins) - 1)
        return cls(won, won + won.T, np.zeros((4, *wins.shape)))

    def with_scores(self, scores: FloatArray, times: FloatArray) -> ClusterScores:
        """The same with clusters that have votes on all pairs."""
        powers = [(scores - 0.5) ** power for power in range(5)]
        leads = [
            sum(
                math.comb(power, k) * (-1) ** k * (powers[power - k].T * times) @ powers[k]
                for k in range(power + 1)
            )
            for power in range(1, 5)
        ]
        return replace(self, leads=np.array(leads))

    def of(self, members: IntArray) -> ClusterScores:
        """The outcomes of some arms, without clusters with votes on all pairs of these alone."""
        chosen = np.ix_(members, members)
        none = np.zeros((4, len(members), len(members)))
        return ClusterScores(self.won[chosen], self.votes[chosen], none)


@dataclass(frozen=True, eq=False)
class ClusterVotes:
    """The votes of each cluster on each pair, cluster by cluster: arrays of shape (n,)."""

    cluster: IntArray
    first: IntArray
    second: IntArray
    lead: FloatArray  # votes that the first arm won, less those that it lost
    tied: FloatArray
    number: FloatArray

    @classmethod
    def of_rows(
        cls,
        cluster: IntArray,
        first: IntArray,
        second: IntArray,
        share: FloatArray,
        count: FloatArray,
    ) -> ClusterVotes:
        """Those of the rows of a log."""
        low, high = np.minimum(first, second), np.maximum(first, second)
        lead = np.where(first < second, 1.0, -1.0) * (2.0 * share - 1.0)
        codes = row_codes([cluster, low, high])
        _, place, line = np.unique(codes, return_index=True, return_inverse=True)
        weights = count * lead, count * (share == 0.5), count
        sums = (np.bincount(line.ravel(), each).astype(np.float64) for each in weights)
        return cls(cluster[place], low[place], high[place], *sums)

    def of(self, members: IntArray, arms: int) -> ClusterVotes:
        """Those on the pairs of some of the arms, in the order given."""
        place = np.full(arms, -1)
        place[members] = np.arange(len(members))
        i, j = place[self.first], place[self.second]
        kept = (i >= 0) & (j >= 0)
        numbers = (each[kept] for each in (self.lead, self.tied, self.number))
        return ClusterVotes(self.cluster[kept], i[kept], j[kept], *numbers)


def row_codes(columns: Sequence[IntArray]) -> IntArray:
    """One number for each row of some columns: the same for the same rows, and in their order."""
    codes, most = np.asarray(columns[0], dtype=np.int64), int(np.max(columns[0], initial=0))
    for each in columns[1:]:
        column, size = each, int(each.max(initial=0)) + 1
        if (most + 1) * size > _LARGEST_CODE:  # so that numbers without gaps are small enough
            codes = np.unique(codes, return_inverse=True)[1].ravel()
            column = np.unique(column, return_inverse=True)[1].ravel()
            most, size = len(codes), len(codes) + 1
        codes, most = codes * size + column, (most + 1) * size - 1
    return codes


def single_outcomes(
    low: IntArray, high: IntArray, share: FloatArray, times: FloatArray
) -> Outcomes:
    """Outcomes pair by pair, each as often as ``times`` says, equal ones as one."""
    # On a grid, sums are the same in whatever order lines come.
    steps = np.rint(share * _STEPS).astype(np.int64)
    codes = row_codes([low, high, steps])
    _, place, line = np.unique(codes, return_index=True, return_inverse=True)
    often = np.asarray(np.bincount(line.ravel(), times), dtype=np.float64)
    return Outcomes(low[place], high[place], steps[place] / _STEPS, often)


def divided_outcomes(
    cluster: IntArray, first: IntArray, second: IntArray, share: FloatArray, count: FloatArray
) -> Outcomes:
    """The outcomes of votes, each counted 1/d times where its cluster has votes on d pairs."""
    cluster, low, high, means = _cluster_means(cluster, first, second, share, count)
    _, line, pairs = np.unique(cluster, return_inverse=True, return_counts=True)
    among = pairs[line.ravel()]
    parts = [
        single_outcomes(low[of], high[of], means[of], np.ones(of.sum()) / d)
        for d, of in ((d, among == d) for d in np.unique(pairs).tolist())
    ]
    columns = ([getattr(part, each.name) for part in parts] for each in fields(Outcomes))
    return Outcomes(*map(np.concatenate, columns))


def outcomes_of(
    cluster: IntArray,
    first: IntArray,
    second: IntArray,
    share: FloatArray,
    count: FloatArray,
    arms: int,
) -> tuple[Outcomes, ClusterScores | None]:
    """The outcomes of votes, and where clusters have votes on several pairs, their Borda scores."""
    cluster, low, high, means = _cluster_means(cluster, first, second, share, count)
    found = single_outcomes(low, high, means, np.ones(len(means)))
    number = np.unique(cluster, return_inverse=True)[1].ravel()
    if not len(number) or number[-1] + 1 == len(number):
        return found, None
    none = np.zeros((arms, arms))
    scores = ClusterScores(none, none, np.zeros((4, arms, arms)))
    start = 0
    while start < len(number):  # some clusters at a time
        stop = int(np.searchsorted(number, number[start : start + _BLOCK][-1], side="right"))
        block = slice(start, stop)
        some = _scores(number[block] - number[start], low[block], high[block], means[block], arms)
        scores = ClusterScores(
            scores.won + some.won, scores.votes + some.votes, scores.leads + some.leads
        )
        start = stop
    return found, scores


def _cluster_means(
    cluster: IntArray, first: IntArray, second: IntArray, share: FloatArray, count: FloatArray
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Cluster, smaller and larger arm of each outcome, and what the smaller got in the mean."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    of_low = np.where(first < second, share, 1.0 - share)
    _, place, line = np.unique(
        row_codes([cluster, low, high]), return_index=True, return_inverse=True
    )
    line = line.ravel()
    won, votes = np.bincount(line, count * of_low), np.bincount(line, count)
    means = np.rint(won / votes * _STEPS) / _STEPS
    return cluster[place], low[place], high[place], np.asarray(means, dtype=np.float64)


def _scores(
    number: IntArray, low: IntArray, high: IntArray, share: FloatArray, arms: int
) -> ClusterScores:
    """From outcomes: the clusters by number, their pairs, and what the smaller arm got."""
    clusters = int(number[-1]) + 1
    number, i, k = np.tile(number, 2), np.append(low, high), np.append(high, low)
    share = np.append(share, 1.0 - share)
    place = np.unique(number * arms + i, return_inverse=True)[1].ravel()
    part = 1.0 / np.bincount(place)[place]
    won, votes = (
        np.asarray(np.bincount(i * arms + k, each, arms * arms).reshape(arms, arms), np.float64)
        for each in (part * share, part)
    )
    found = ClusterScores(won, votes, np.zeros((4, arms, arms)))
    whole = np.bincount(number, minlength=clusters) == arms * (arms - 1)
    if not whole.any():
        return found
    kept = whole[number]
    row = (np.cumsum(whole) - 1)[number[kept]]
    size = int(whole.sum())
    sums = np.bincount(row * arms + i[kept], share[kept], size * arms)
    return found.with_scores(sums.reshape(size, arms) / (arms - 1), np.ones(size))
