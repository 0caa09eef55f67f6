r"""Scores on a fixed test set: every arm gets one score on every item.

:math:`K` arms, such as prompts, models or retrieval systems, answer the same :math:`n` items. The
*cell* (a, t) has the score :math:`y_{at} \in [0, 1]` of arm a on item t: right or wrong, the grade
of a rubric, a metric. Nothing is assumed of the scores: they are the numbers that they are. What is
asked for are the *k* arms with the largest means over the items,

.. math:: \theta_a = \frac1n \sum_t y_{at} .

A learner asks along *one* order of the items, drawn uniformly at random and common to all arms:
``Pull(arm, times)`` asks for the scores of the arm on its next ``times`` items, each cell once. So
what two arms got is compared item by item, and an item that is hard for both tells nothing of
either.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError, LearnerFault
from cpe_opt.problems.environments import PullRecorder, refuse_units
from cpe_opt.problems.queries import CellScores, Pull
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.validation import (
    Labels,
    Name,
    NumbersOrTruths,
    PositiveInt,
    checked_labels,
    checked_types,
)

MOST_SCORES = 2**27
"""The most cells of a table of scores."""
_TIE = 1e-9  # of means


class ItemScores:
    """Scores of arms on the items of a fixed test set.

    Parameters
    ----------
    scores : array_like, shape (K, n)
        ``scores[a, t]`` in [0, 1] is what arm a gets on item t, or whether it is right; NaN where
        there is no score.
    labels : sequence of str, optional
        One a person can read for each arm; "0", "1", … by default.
    items : sequence of str, optional
        The ids of the items; "0", "1", … by default.
    hints : array_like, shape (K, n), optional
        What cheap scores say of each cell, in [0, 1]: of a small model, a metric, last month's
        scores. Nothing is assumed of them, except that they are there before the first question.
        NaN where there is none; then it is the mean of the arm's others, ½ without any.
    top : int
        How many of the best arms are wanted, below K.
    name : str
        For titles and file names.

    Attributes
    ----------
    scores, hints : float array, shape (K, n)
        ``hints`` is complete, or None.
    cells : int
        n, how many cells every arm has.

    Raises
    ------
    InputError
        Where an array has another shape, or a number is not in [0, 1], or there is none at all; or
        labels, items or ``top`` do not fit.

    Examples
    --------
    >>> scores = ItemScores([[1, 1, 0, 1], [0, 1, 0, 1]], labels=["terse", "plain"])
    >>> scores.means.tolist(), scores.winners
    ([0.75, 0.5], ((0,),))
    """

    family = "subsets"

    @checked_types
    def __init__(
        self,
        scores: NumbersOrTruths,
        labels: Labels | None = None,
        items: Labels | None = None,
        *,
        hints: NumbersOrTruths | None = None,
        top: PositiveInt = 1,
        name: Name = "scores",
    ) -> None:
        array = checked_array("scores", scores, booleans=True)
        if array.ndim != 2 or len(array) < 2 or not array.shape[1]:
            shape = " × ".join(map(str, array.shape)) or "a single number"
            raise InputError(
                f"scores: expected arms × items, at least 2 arms and 1 item, got {shape}"
            )
        arms, count = array.shape
        self.labels = checked_labels(labels, arms)
        self.items = checked_labels(items, count, "item", "items")
        self.name = str(name)
        self.scores = self._in_range("scores", array)
        if np.isnan(array).all():
            raise InputError("scores: every entry is NaN, expected at least one score")
        self.scores.flags.writeable = False
        self.hints: FloatArray | None = None
        if hints is not None:
            cheap = checked_array("hints", hints, booleans=True)
            if cheap.shape != array.shape:
                raise InputError(
                    f"hints have shape {cheap.shape}, expected that of the scores, {array.shape}"
                )
            self.hints = _completed(self._in_range("hints", cheap))
            self.hints.flags.writeable = False
        if top >= arms:
            raise InputError(f"top is {top}, expected fewer than the {arms} arms")
        self.known = TopK(arms, int(top), self.labels)
        self.cells = int(count)

    def __repr__(self) -> str:
        cells = int((~np.isnan(self.scores)).sum())
        return (
            f"ItemScores({self.name!r}, {len(self.scores)} arms, {self.cells} items, "
            f"{cells:,} scores)"
        )

    @property
    def top(self) -> int:
        """How many of the best arms are wanted."""
        return self.known.k

    @property
    def told_hints(self) -> FloatArray | None:
        """What a learner is told of the hints before its first question: all of them."""
        return self.hints

    @property
    def means(self) -> FloatArray:
        """The mean of each arm's scores, of those that are there; NaN for an arm without any."""
        there = ~np.isnan(self.scores)
        sums = np.where(there, self.scores, 0.0).sum(axis=1)
        counts = there.sum(axis=1)
        return np.asarray(np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0))

    @property
    def winners(self) -> tuple[tuple[int, ...], ...]:
        """All sets of ``top`` arms with the largest means; several where arms tie."""
        means = np.nan_to_num(self.means, nan=-1.0)
        least = np.sort(means)[-self.top]
        surely = np.flatnonzero(means > least + _TIE).tolist()
        tied = np.flatnonzero(np.abs(means - least) <= _TIE).tolist()
        rest = combinations(tied, self.top - len(surely))
        return tuple(tuple(sorted((*surely, *some))) for some in rest)

    @property
    def fingerprint(self) -> tuple[FloatArray, FloatArray | None, int]:
        """The scores, the hints, and how many arms are wanted."""
        return self.scores, self.hints, self.top

    def environment(self, rng: np.random.Generator) -> ScoreEnvironment:
        """The scores along one random order of the items."""
        return ScoreEnvironment(self, rng)

    def recorder(
        self, *, horizon: int | None = None, regret: str | None = None, points: int | None = None
    ) -> PullRecorder:
        """Counts scores; there is no regret; see :class:`cpe_opt.Problem`."""
        refuse_units("scores", regret, points)
        return PullRecorder(len(self.scores))

    def _in_range(self, what: str, array: FloatArray) -> FloatArray:
        """The array, or :class:`InputError` where a number is not in [0, 1]."""
        wrong = ~np.isnan(array) & ~((array >= 0.0) & (array <= 1.0))
        if wrong.any():
            arm, item = (int(index[0]) for index in np.nonzero(wrong))
            raise InputError(
                f"{what}, arm {self.labels[arm]!r}, item {self.items[item]!r}: "
                f"{array[arm, item]:g}, expected a number in [0, 1], or NaN if there is none; "
                "grades on another scale are to be divided by its length"
            )
        return array


class ScoreEnvironment:
    """Answers :class:`cpe_opt.Pull` queries by the arm's scores on the next items of the order."""

    def __init__(self, problem: ItemScores, rng: np.random.Generator) -> None:
        self._scores = problem.scores
        self._order = rng.permutation(problem.cells)
        self._asked = [0] * len(problem.scores)

    def check(self, query: object) -> Pull:
        """The query; :class:`InputError` if it is not one, :class:`LearnerFault` without cells."""
        if not isinstance(query, Pull):
            raise InputError(f"this problem answers Pull queries, the learner asked {query!r}")
        arm, times = query.arm, query.times
        if not all(isinstance(number, int | np.integer) for number in (arm, times)):
            raise InputError(f"the learner asked {query!r}, expected whole numbers")
        if not (0 <= arm < len(self._asked) and times >= 1):
            raise InputError(
                f"the learner asked {query!r}; arms are 0 … {len(self._asked) - 1} and times at "
                "least 1"
            )
        left = len(self._order) - self._asked[arm]
        if times > left:
            raise LearnerFault(
                f"the learner asked {query!r}, an arm with {left} of its {len(self._order)} cells "
                "left; each is asked at most once"
            )
        return query

    def answer(self, query: Pull) -> CellScores:
        """The arm's scores on its next items, and which these are."""
        start = self._asked[self.check(query).arm]
        self._asked[query.arm] = start + query.times
        items: IntArray = self._order[start : start + query.times]
        return CellScores(self._scores[query.arm, items], items.copy())


def _completed(hints: FloatArray) -> FloatArray:
    """Hints with the mean of an arm's others where there is none, ½ without any."""
    missing = np.isnan(hints)
    counts = (~missing).sum(axis=1, keepdims=True)
    sums = np.where(missing, 0.0, hints).sum(axis=1, keepdims=True)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), 0.5)
    return np.asarray(np.where(missing, means, hints))
