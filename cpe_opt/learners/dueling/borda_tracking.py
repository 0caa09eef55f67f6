r"""Track and stop: the Borda winner, or the k best arms, with a proof.

- *Goal.* The arm with the largest Borda score, or, with a margin, one whose score is smaller than
  the largest by at most the margin. With ``top`` the set of the k arms with the largest scores, or,
  with a margin, one such that no arm outside has a score above that of one inside by more.
- *Proof.* The theorem about blocks of duels in :mod:`cpe_opt.proofs.dueling.borda`: an e-value for
  every two arms.
- *Plan.* A block shares its cost out as the optimal exploration does at the current estimates, the
  program of :func:`cpe_opt.borda_time`, by steps without a solver, rounded down, and at least one
  duel a pair: every pair of two other arms bears on the scores of both. The first block is one duel
  of each pair. Later ones cost a third of what would be left at the estimates,
  :math:`T^*(\hat\mu)` times the evidence that is missing, but no more than half of all before.

**Votes from before** the first block, however they came about, have an e-value
:math:`G_{ij}` of their own (:mod:`cpe_opt.proofs.dueling.borda`). The evidence against
:math:`b_i \le b_j` is then :math:`\frac12 (1 + G_{ij})` times that of the blocks: where
:math:`b_i \le b_j` is true, the mean of this factor is at most 1, and blocks do not change it.

Estimates are drawn to ½ as by one more duel, half a win for each. Where they tie at the largest
score and there is no margin, a block has the same number of duels of every pair.

**On the cells of a fixed test set** nothing is planned. The next cell is drawn from those left of
all pairs with an arm that is not dropped yet, each equally likely, and bets on it grow where a
lead is expected (:class:`cpe_opt.proofs.dueling.borda.BordaCells`), also by hints. Arms that are
surely no Borda winners are dropped, and so are the pairs of two of them: that proves one winner,
and no set.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.borda_time import HalfSpaces
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.prior_votes import arm_prices, prior_tally
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.tracking import (
    ALL_ASKED,
    Checkpoint,
    DuelBlocks,
    evidence_so_far,
    track,
    whole_duels,
)
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import TOLERANCE, ScoreMargin
from cpe_opt.problems.queries import Batch, CellSums, Duel
from cpe_opt.proofs.blocks import Pace
from cpe_opt.proofs.dueling.borda import BordaBlocks, BordaCells, borda_evidence
from cpe_opt.proofs.dueling.cell_hints import CellHints, ToldHints
from cpe_opt.ties import TIE, first_largest, in_bits, just_below
from cpe_opt.validation import Arms, ErrorProbability, PositiveInt, checked_count

BordaAnswer: TypeAlias = int | tuple[int, ...]
_STEPS = 300
_PACE = Pace()
_BITS = 24


def borda_tie(mu: Any, parameters: Mapping[str, Any]) -> bool:
    """Whether the arms of the ranks ``top`` and ``top + 1`` have the same Borda score, or may."""
    if not hasattr(mu, "borda_scores"):
        return True
    scores, top = np.sort(mu.borda_scores)[::-1], parameters.get("top", 1)
    return bool(scores[top - 1] - scores[top] <= TIE)


@declare(
    family="dueling",
    goal="identification",
    guarantee="the Borda winner, or the best set of as many arms as top says, with probability at "
    "least 1 - delta; duels near T* ln(1/delta)",
    within="no Borda score is larger than its own by more than {margin:g}",
    paper="ours; after Garivier, Kaufmann (COLT 2016), Degenne et al. (ICML 2020)",
    endless_if="two arms share the largest Borda score, or that of rank top, and the margin is 0",
    endless_on=borda_tie,
    batches="as many duels of a block as the parameter parallel says, or more, if above 1",
    starts="votes",
    winner="Borda",
)
def borda_tracking(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    delta: ErrorProbability = 0.05,
    prices: npt.ArrayLike | None = None,
    prior: npt.ArrayLike | Votes | None = None,
    parallel: PositiveInt = 1,
    margin: ScoreMargin = 0.0,
    top: PositiveInt = 1,
    cells: npt.ArrayLike | None = None,
    answered: npt.ArrayLike | None = None,
    hints: ToldHints | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Duel | Batch, Any, BordaAnswer | Unproved]:
    """Find the arm or the arms with the largest Borda scores with probability at least 1 - delta.

    Parameters
    ----------
    rng : Generator, optional
        Draws the cells of a fixed test set, on which the proof rests: by default from the
        operating system. Not used without ``cells``.
    prices, prior : optional
        As for :func:`copeland_tracking`.
    parallel : int
        How many duels may be open at once: above 1, blocks are asked for in batches of at least so
        many, spread over all pairs.
    margin : float
        From 0 to below 1, in the unit of the score: no score is larger than that of the answer by
        more than the margin.
    top : int
        k, from 1 to K - 1: from 2 on the set of the k best arms is wanted. Not with ``cells``.

    Returns
    -------
    int, or tuple of int
        The Borda winner, or the k best arms in ascending order; where the rounds end before they
        are proved, those that lead.

    References
    ----------
    Garivier, Kaufmann, "Optimal Best Arm Identification with Fixed Confidence", COLT 2016.

    Degenne, Menard, Shang, Valko, "Gamification of Pure Exploration for Linear Bandits", ICML 2020.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("borda-tracking", mu, delta=0.05, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    >>> sushi = cpe.load_instance("sushi")
    >>> cpe.simulate("borda-tracking", sushi, delta=0.05, seed=0, top=2).answer
    (0, 1)
    """
    checked_count("top", top, most=arms - 1)
    tracker: BordaTracker | CellTracker
    if cells is None:
        tally, charged = prior_tally(arms, prior), arm_prices(arms, prices)
        tracker = BordaTracker(tally, charged, delta, parallel, margin, top)
    elif prices is not None or prior is not None:
        raise InputError(
            "prices and prior have no effect with cells, which are drawn alike; expected answered "
            "for the sums of the cells that are answered"
        )
    elif top > 1:
        raise InputError(
            f"top is {top}, expected 1: on the items of a fixed test set the proof is of one winner"
        )
    else:
        left = np.asarray(cells, dtype=np.float64)
        total = np.zeros_like(left) if answered is None else np.asarray(answered, dtype=np.float64)
        draws = np.random.default_rng() if rng is None else rng
        of_cells = None if hints is None else CellHints(hints, left)
        bets = BordaCells(left, total, margin, delta, of_cells)
        tracker = CellTracker(bets, draws, delta, parallel)
    answer: BordaAnswer | Unproved = yield from track(tracker, checkpoint)
    return answer


class BordaTracker(DuelBlocks):
    """The duels so far, what they prove, and the next block.

    ``tally`` has the duels from before the first block; a block has at least ``parallel`` duels.
    """

    def __init__(
        self,
        tally: DuelTally,
        prices: FloatArray,
        delta: float,
        parallel: int = 1,
        margin: float = 0.0,
        top: int = 1,
    ) -> None:
        super().__init__(prices, parallel)
        self._tally, self._delta, self._margin, self._top = tally, delta, margin, top
        self._upper = np.triu_indices(tally.arms, 1)
        self._log_nulls = math.log(top * (tally.arms - top) if margin else tally.arms - 1)
        self._needed = self._log_nulls - math.log(delta)
        self._blocks = BordaBlocks(tally.arms, margin)
        self._before = _evidence_before(tally, margin)
        self._log_e = self._before

    def proved(self) -> BordaAnswer | None:
        """The arms with the most evidence against all others, if that is enough."""
        for arms in (self._most_evidence(), self._leaders()):
            if self._evidence(arms) >= self._needed:
                return self._answer(arms)
        return None

    def plan(self) -> IntArray:
        """The duels of each pair, symmetric; shape (K, K)."""
        shares, time = self._exploration()
        missing = self._needed - max(0.0, self._evidence(self._most_evidence()))
        once = float(self.prices[self._upper].sum())
        cost = _PACE.cost(self.spent, time * missing, once)
        planned = np.zeros(self.prices.shape, dtype=np.int64)
        planned[self._upper] = whole_duels(cost * in_bits(shares, _BITS), self.parallel)
        return planned + planned.T

    def _exploration(self) -> tuple[FloatArray, float]:
        """Duels of the pairs for a cost of 1, and T*, at the estimates; alike where they tie."""
        draws = self._tally.draws
        estimate = PreferenceMatrix((draws * self._tally.estimate + 0.5) / (draws + 1.0))
        scores = estimate.borda_scores
        best = _best(scores, self._top)
        if not self._margin and (scores >= scores[best].min() - TOLERANCE).sum() > self._top:
            return 1.0 / np.full(len(self._upper[0]), self.prices[self._upper].sum()), math.inf
        spaces = HalfSpaces.of(estimate, self.prices, best.tolist(), self._margin)
        duels = spaces.feasible(spaces.amounts(spaces.balanced(_STEPS)))
        time = float(duels @ self.prices[self._upper])
        return duels / time, time

    def add(self, i: int, j: int, won: int, times: int) -> None:
        """Count duels of a pair."""
        self._tally.add(i, j, won, times)

    def judge(self, won: FloatArray, planned: IntArray, cost: float) -> None:
        """The evidence of all blocks and of the votes before them."""
        self._blocks.add(won, planned)
        self._log_e = self._before + self._blocks.log_e_values()

    def guess(self) -> BordaAnswer:
        """The arms with the largest scores by the estimates."""
        return self._answer(self._leaders())

    def doubt(self) -> str:
        """How well that is proved."""
        return evidence_so_far(self._evidence(self._leaders()) - self._log_nulls, self._delta)

    def _leaders(self) -> IntArray:
        """So many arms with the largest scores by the estimates."""
        return _best(in_bits(self._tally.estimate.sum(axis=1), _BITS), self._top)

    def _most_evidence(self) -> IntArray:
        """So many arms with the most evidence against all but one less of the others."""
        return _best(np.sort(self._log_e, axis=1)[:, self._top - 1], self._top)

    def _evidence(self, arms: IntArray) -> float:
        """That the scores of these arms are larger than those of all others."""
        return float(np.delete(self._log_e[arms], arms, axis=1).min())

    def _answer(self, arms: IntArray) -> BordaAnswer:
        return int(arms[0]) if self._top == 1 else tuple(sorted(arms.tolist()))


class CellTracker:
    """The cells of a fixed test set that are answered, what they prove, and the next one."""

    def __init__(
        self, bets: BordaCells, rng: np.random.Generator, delta: float, parallel: int
    ) -> None:
        self.bets, self._rng, self._delta, self.parallel = bets, rng, delta, parallel

    def proved(self) -> int | Unproved | None:
        """The answer, if it is proved, or if there is nothing left to ask."""
        answer = self.bets.answer()
        if answer is None and not self._open().any():
            return Unproved(self.guess(), ALL_ASKED)
        return answer

    def _open(self) -> IntArray:
        """How many cells are left of each pair, the smaller arm first, with an arm in play."""
        in_play = self.bets.in_play
        return np.triu(self.bets.left * (in_play[:, None] | in_play)).astype(np.int64)

    def block(self) -> Iterator[list[Duel]]:
        """The cells of a block, drawn one after the other."""
        open_ = self._open()
        batch: list[Duel] = []
        while len(batch) < self.parallel and open_.any():
            ends = np.cumsum(open_)
            cell = int(self._rng.integers(ends[-1]))
            i, j = divmod(int(np.searchsorted(ends, cell, side="right")), len(open_))
            open_[i, j] -= 1
            batch.append(Duel(i, j))
        yield batch
        self.bets.judge()

    def count(self, query: Duel, observed: CellSums) -> None:
        """Settle the bets on a cell."""
        self.bets.count(query.i, query.j, *observed)

    def guess(self) -> int:
        """The arm in play with the largest score that is expected."""
        scores = in_bits(self.bets.expected_scores(), _BITS)
        return int(first_largest(np.where(self.bets.in_play, scores, -math.inf)))

    def doubt(self) -> str:
        """How well that is proved."""
        others = math.log(len(self.bets.left) - 1)
        return evidence_so_far(self.bets.evidence(self.guess()) - others, self._delta)


def _best(scores: FloatArray, number: int) -> IntArray:
    """So many arms with the largest scores; of those nearly as large as the largest, the first."""
    first = int(first_largest(scores))
    others = np.argsort(-scores, kind="stable")
    return np.append(first, others[others != first])[:number]


def _evidence_before(tally: DuelTally, margin: float) -> FloatArray:
    """The logarithm of ``(1 + G) / 2`` for every two arms, 0 without votes; infinite diagonal."""
    found = np.zeros_like(tally.draws)
    if tally.draws.any():
        evidence = borda_evidence(tally.draws * tally.estimate, margin)
        found = just_below(np.logaddexp(0.0, evidence) - math.log(2.0))
    np.fill_diagonal(found, math.inf)
    return np.asarray(found)
