r"""Track and stop: the best arms by their scores on a fixed test set, with a proof.

- *Goal.* The k arms with the largest means over the items, or k that no other arm is ahead of by
  more than a margin.
- *Proof.* The bets of :mod:`cpe_opt.proofs.subsets.score_bets`: of every two arms, on the
  differences of their scores along one order of the items.
- *Questions.* All arms that are left are asked about the same item, then about the next. An arm is
  left while it is neither in nor out; an arm has to be met by the best until it is ruled out,
  whatever else is asked. With a margin the k arms with the best estimates are the answer to be
  proved, and an arm rests while they have settled it; an arm that is needed again catches up.
  Estimates are those of differences from the arm that was asked about most, on the items of both.
- *Rounds.* Where answers take hours, all questions of a round are open at once. With ``rounds`` n a
  round has :math:`0.6/n` of the items, of all arms that are left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, checked_shape
from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.tracking import (
    ALL_ASKED,
    Checkpoint,
    TrackerState,
    evidence_so_far,
    track_singly,
)
from cpe_opt.problems.queries import CellScores, Pull, Window
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.proofs.subsets.score_bets import ScoreBets, ScoreProof, weights_of
from cpe_opt.ties import on_grid
from cpe_opt.validation import ErrorProbability, NonNegative, PositiveInt

_OF_ITEMS = 0.6  # how many of them all rounds together are to take
_SHRUNK = 2.0  # items, at a difference of 0, that an estimate counts besides those asked


@declare(
    family="subsets",
    goal="identification",
    guarantee="the arms with the best means over the items with probability at least 1 - delta; "
    "it ends at the latest with the whole table",
    paper="ours; after Waudby-Smith, Ramdas (NeurIPS 2020)",
    batches="as many scores as the parameter parallel says, if above 1",
    within="no other arm is ahead of one of these by more than {margin:g}",
)
def score_tracking(
    known: TopK,
    *,
    rng: np.random.Generator | None = None,
    delta: ErrorProbability = 0.05,
    cells: PositiveInt,
    hints: npt.ArrayLike | None = None,
    margin: NonNegative = 0.0,
    parallel: PositiveInt = 1,
    rounds: PositiveInt | None = None,
    answered: npt.ArrayLike | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Pull | Window, Any, tuple[int, ...] | Unproved]:
    """Find the arms with the best scores on a fixed test set, with few scores.

    It is for scores on items, :class:`cpe_opt.ItemScores`, along one order of the items.

    Parameters
    ----------
    margin : float
        From 0 to below 1. No other arm is ahead of one of the answer's by more than that.
    parallel : int
        How many scores may be open at once. Above 1 so many are open all the time, as a
        :class:`cpe_opt.problems.queries.Window`. It takes more scores, and the guarantee is the
        same.
    rounds : int, optional
        In about how many rounds it is to end, where answers take hours; instead of ``parallel``.

    Returns
    -------
    tuple of int
        The arms, ascending; where the rounds end before they are proved, those with the best
        estimates.

    References
    ----------
    Waudby-Smith, Ramdas, "Confidence sequences for sampling without replacement", NeurIPS 2020.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> right = np.random.default_rng(0).random((4, 300)) < [[0.7], [0.55], [0.5], [0.6]]
    >>> trace = cpe.simulate("score-tracking", cpe.ItemScores(right), delta=0.05, seed=0)
    >>> trace.answer, trace.proved, trace.samples < 1000
    ((0,), True, True)
    """
    if not isinstance(known, TopK) or known.k >= known.size:
        raise InputError(f"score-tracking is for the best k of more arms, and was given {known!r}")
    if margin >= 1.0:
        raise InputError(f"margin is {margin:g}, expected from 0 to below 1")
    arms = known.size
    cheap = None if hints is None else checked_shape("hints", hints, (arms, cells), finite=True)
    before = None if answered is None else np.asarray(answered, dtype=np.float64)
    if before is not None and (before.ndim != 2 or len(before) != arms):
        raise InputError(f"answered has shape {before.shape}, expected {arms} arms × further items")
    tracker = ScoreTracker(
        arms,
        known.k,
        cells,
        delta,
        margin=margin,
        parallel=parallel,
        rounds=rounds,
        hints=cheap,
        answered=before,
    )
    answer: tuple[int, ...] | Unproved = yield from track_singly(tracker, checkpoint)
    return answer


class ScoreTracker:
    """Which arms are left, what their next questions are, and what the scores prove."""

    def __init__(
        self,
        arms: int,
        top: int,
        cells: int,
        delta: float,
        *,
        margin: float = 0.0,
        parallel: int = 1,
        rounds: int | None = None,
        hints: FloatArray | None = None,
        answered: FloatArray | None = None,
    ) -> None:
        self.cells, self.parallel, self.delta = cells, parallel, delta
        self.rounds = rounds
        self.bets = ScoreBets(arms, cells, margin=margin, hints=hints, answered=answered)
        weights = weights_of(arms, top, cells, hints)
        self.proof = ScoreProof(self.bets, top, delta, weights)
        self.told: IntArray = np.zeros(arms, dtype=np.int64)  # positions of each arm
        self.counted = self.told.copy()  # those of them that are in the bets
        self.scores = np.full((arms, cells), np.nan)  # along the order
        self.items: IntArray = np.full(cells, -1, dtype=np.int64)
        self._hints_left = np.zeros((cells + 1, arms))
        if hints is not None:
            self._hints_left[0] = hints.sum(axis=1)
        self._open: deque[int] = deque()
        self._asked = self.told.copy()
        self.proof.look(self._estimates())

    def proved(self) -> tuple[int, ...] | Unproved | None:
        """The answer; :class:`Unproved` where all cells are asked and missing ones matter."""
        if self.proof.answer is not None or self._open:
            return self.proof.answer
        if (self._asked[self.proof.left] >= self.cells).all():
            return Unproved(self.guess(), ALL_ASKED)
        return None

    def guess(self) -> tuple[int, ...]:
        """The arms with the best estimates among those that may be the answer."""
        return self.proof.guess

    def doubt(self) -> str:
        """What is proved of it."""
        return evidence_so_far(self.proof.evidence(), self.delta)

    def open_queries(self) -> Sequence[Pull]:
        """Of the arms that are left, those that were asked about least first."""
        number, last = self.parallel, self.cells
        if self.rounds is not None:
            number, last = 0 if self._open else len(self._asked) * self.cells, self._last_item()
        while len(self._open) < number:
            left = self.proof.left & (self._asked < last)
            if not left.any():
                break
            arm = int(np.argmin(np.where(left, self._asked, self.cells)))
            self._open.append(arm)
            self._asked[arm] += 1
        return [Pull(arm) for arm in self._open]

    def _last_item(self) -> int:
        """How many items are asked about by the end of the next round."""
        assert self.rounds is not None
        front = int(self._asked[self.proof.left].max(initial=0))
        return min(self.cells, front + max(1, round(_OF_ITEMS * self.cells / self.rounds)))

    def count(self, observed: CellScores) -> None:
        """Count the score that the oldest question shows."""
        arm = self._open.popleft()
        position = int(self.told[arm])
        self.told[arm] += 1
        self.scores[arm, position] = observed.values[0]
        if self.items[position] < 0:
            self.items[position] = item = int(observed.items[0])
            self._hints_left[position + 1] = self._hints_left[position]
            if self.bets.hints is not None:
                self._hints_left[position + 1] -= self.bets.hints[:, item]
        self._advance()

    def _advance(self) -> None:
        """Bet on all positions at which all arms that are left have been told."""
        left = self.proof.left
        front = int(self.told[left].min())
        if front <= int(self.counted[left].min()):
            return
        # Also those of arms that rest by now, which were open when that began.
        start = int(self.counted[self.told > self.counted].min())
        for position in range(start, front):
            arms = np.flatnonzero(self.told > position)
            item, hints_left = int(self.items[position]), self._hints_left[position]
            self.bets.advance(position, arms, self.scores[:, position], item, hints_left)
        self.counted = np.maximum(self.counted, np.minimum(self.told, front))
        self.proof.look(self._estimates())

    def _estimates(self) -> FloatArray:
        """Of each arm's mean less that of the arm counted most, drawn towards 0; on a grid."""
        most = int(self.counted.argmax())
        times = self.bets.time[:, most] + self.bets.total - self.cells
        low, high = self.bets.sum[:, most], -self.bets.sum[most]
        estimates = 0.5 * (low + high) / (times + _SHRUNK)
        estimates[most] = 0.0
        return on_grid(estimates, largest=1.0)

    def state(self) -> TrackerState:
        """All that it knows; -1 for a score that is missing."""
        own = {name: getattr(self, name).copy() for name in _KEPT}
        own["scores"] = np.where(np.isnan(self.scores), -1.0, self.scores)
        return own | {"open": np.array(self._open, dtype=np.int64)} | self.bets.state()

    def restore(self, state: TrackerState) -> None:
        """Go on from it."""
        for name in _KEPT:
            setattr(self, name, state[name].copy())
        self.scores[self.scores < 0.0] = np.nan
        self._open = deque(state["open"].tolist())
        self._asked = self.told + np.bincount(state["open"], minlength=len(self.told))
        self.bets.restore(state)
        self.proof.look(self._estimates())


_KEPT = ("told", "counted", "scores", "items", "_hints_left")
