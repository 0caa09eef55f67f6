r"""Track and stop: a Copeland winner with a proof, where the proof is the stopping rule.

- *Goal.* An arm with the fewest losses, or one that no arm is ahead of by more than a margin.
- *Proof.* The theorem of :mod:`cpe_opt.proofs.dueling.predictable_bets`, by bets placed before each
  duel, of the weakest of the rows of :mod:`cpe_opt.formulations.dueling.confusing_instances`.
  Votes from before matter more to the W of all counts (:mod:`cpe_opt.proofs.dueling.copeland`),
  which is looked at in the mean with that of the bets; the mean of two supermartingales is one.
- *Duels.* The rule of :mod:`cpe_opt.learners.dueling.pair_tracking`: a drawn matrix is led by the
  arm with the most wins, and its weakest truth is found by sorts. By likelihood ratios a pair that
  nobody asked about is a flip that costs nothing.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Generator
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.elimination import arms_tie
from cpe_opt.learners.dueling.pair_tracking import Draws, PairTracker
from cpe_opt.learners.dueling.prior_votes import arm_prices
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.tracking import Checkpoint, TrackerState, track_singly
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import checked_margin
from cpe_opt.problems.queries import CellSums, Duel, Window
from cpe_opt.proofs.dueling.cell_hints import ToldHints
from cpe_opt.proofs.dueling.copeland import WeakestTruth, weakest_truth
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.predictable_bets import (
    AscendingColumns,
    PredictableBets,
    mean_of_proofs,
    weakest_sets,
)
from cpe_opt.ties import first_largest, in_bits
from cpe_opt.validation import checked_delta

_LEAD, _BITS = 0.5, 24


@declare(
    family="dueling",
    goal="identification",
    guarantee="a Copeland winner with probability at least 1 - delta; duels near T* ln(1/delta)",
    paper="ours; after Garivier, Kaufmann (COLT 2016), Degenne, Koolen (NeurIPS 2019)",
    endless_if="every Copeland winner has a tie that may cost it its rank, and the margin is 0",
    endless_on=arms_tie,
    batches="as many duels as the parameter parallel says, or more, if above 1",
    starts="votes",
    within="no arm is ahead of it by more than {margin:g}",
    winner="Copeland",
)
def copeland_tracking(
    arms: int,
    *,
    rng: np.random.Generator | None = None,
    delta: float = 0.05,
    prices: npt.ArrayLike | None = None,
    prior: npt.ArrayLike | Votes | None = None,
    parallel: int = 1,
    rounds: int | None = None,
    margin: float = 0.0,
    cells: npt.ArrayLike | None = None,
    answered: npt.ArrayLike | None = None,
    hints: ToldHints | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Duel | Window, Any, int | Unproved]:
    """Find a Copeland winner with probability at least 1 - delta, with few duels.

    Parameters
    ----------
    prices : array_like, shape (K, K), or number, optional
        What a duel of each pair costs; 1 by default.
    prior : array_like, shape (K, K), or Votes, optional
        Wins from before the first duel, ties half a win; they count in the proof, however
        they came about.
    parallel : int
        How many duels are open at once. Above 1 at least so many are open all the time, as a
        :class:`cpe_opt.problems.queries.Window`. It takes more duels, and the guarantee is the
        same.
    rounds : int, optional
        In about how many rounds it is to end, where answers take hours; instead of ``parallel``.
        All questions of a round are open at once, and the next ones are chosen when all of them
        are answered (:mod:`cpe_opt.learners.dueling.pair_tracking`).
    margin : float
        From 0 to below ½. The answer is a Copeland winner within it: no arm is ahead of it by more
        than the margin (:mod:`cpe_opt.proofs.dueling.predictable_bets`).

    Returns
    -------
    int
        A Copeland winner; where the rounds end before it is proved, the arm that is
        best proved.

    References
    ----------
    Garivier, Kaufmann, "Optimal Best Arm Identification with Fixed Confidence", COLT 2016.

    Degenne, Koolen, "Pure Exploration with Multiple Correct Answers", NeurIPS 2019.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("copeland-tracking", mu, delta=0.05, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    """
    checked_delta(delta, None)
    tracker = CopelandTracker(
        delta,
        arm_prices(arms, prices),
        margin=checked_margin(margin),
        prior=prior,
        cells=cells,
        answered=answered,
        hints=hints,
        parallel=parallel,
        rounds=rounds,
        seed=0 if rng is None else int(rng.integers(2**62)),
    )
    answer: int | Unproved = yield from track_singly(tracker, checkpoint)
    return answer


class CopelandTracker(PairTracker):
    """A Copeland winner within the margin."""

    def __init__(self, delta: float, prices: FloatArray, **given: Any) -> None:
        super().__init__(delta, prices, **given)
        beliefs = self.beliefs
        self._columns = AscendingColumns(beliefs.evidence)
        # as if open questions were answered as expected; it keeps what it has sorted
        self._supposed_bets = copy.deepcopy(self.bets)
        self._log_e: FloatArray | None = None  # of all votes and duels, if there are votes
        if self._coins and beliefs.total.any():
            self._log_e = log_e_values(beliefs.total, beliefs.total.T, beliefs.null)
        self._proof: tuple[int, float, WeakestTruth] | None = None  # of a champion, by answers
        # as if open questions were answered as expected: by likelihoods, by arm, and by bets
        self._likely: tuple[object, dict[int, WeakestTruth]] = (None, {})
        self._likely_by_bets: WeakestTruth | None = None
        self.begin()

    def restore(self, state: TrackerState) -> None:
        """Go on from it."""
        super().restore(state)
        self._proof, self._likely, total = None, (None, {}), self.beliefs.total
        if self._log_e is not None:
            self._log_e = log_e_values(total, total.T, self.beliefs.null)

    def count(self, observed: float | CellSums) -> None:
        """Also in the e-values of all votes and duels."""
        pair = [self._open[0].i, self._open[0].j]
        super().count(observed)
        if self._log_e is not None:
            won = self.beliefs.total[pair, pair[::-1]]
            self._log_e[pair, pair[::-1]] = log_e_values(won, won[::-1], self.beliefs.null)

    def answered(self) -> int | None:
        """The champion, if the bets against its weakest truth are worth 1/delta."""
        by_likelihood = math.inf
        if self._coins and not self._open and self._log_e is None:
            by_likelihood = self._by_likelihood(self.champion).evidence
        if by_likelihood < self.needed:
            return None  # nor are the bets worth as much, as a rule
        known = self._proof if self._log_e is None else None
        if known is not None and known[0] == self.champion:
            by_then = known[2].evidence + self.bets.grown  # at most
            if by_then < self.needed:
                return None
        return self.champion if self.evidence() >= self.needed else None

    def evidence(self) -> float:
        """Against its weakest truth."""
        return self._proved_against().evidence

    def _proved_against(self) -> WeakestTruth:
        """The weakest truth against the champion, by the bets."""
        version = self.champion, self.beliefs.duels
        if self._proof is None or self._proof[:2] != version:
            found = self._by_bets(self.champion, self.bets, self._log_e)
            self._proof, self.bets.grown = (*version, found), 0.0
        return self._proof[2]

    def expected(self) -> int:
        """The champion, unless an arm has more inferiors, by half a pair or as likelihoods prove.

        The second where these do not prove the champion.
        """
        inferiors, champion = self.beliefs.inferiors, self.champion
        top = int(first_largest(inferiors))
        lead = inferiors[top] - inferiors[champion]
        if 0.0 < lead <= _LEAD:
            proofs = [self._by_likelihood(arm).evidence >= self.needed for arm in (top, champion)]
            return top if proofs == [True, False] else champion
        return top if lead > 0.0 else champion

    def leaders(self, draws: Draws) -> IntArray:
        """The arms with the most wins; of several, one with more inferiors."""
        inferiors = self.beliefs.inferiors[draws.arms]
        return draws.leaders(in_bits(inferiors / len(self.prices) ** 2, _BITS))

    def weakest(self, arm: int) -> tuple[WeakestTruth, bool]:
        """By likelihoods, until these are enough for the champion."""
        truth = self._by_likelihood(arm)
        if truth.evidence < self.needed or arm != self.champion:
            return truth, False
        if not self._pending.any():
            return self._proved_against(), True
        if self._likely_by_bets is None:
            supposed, bets = self.supposed(), self._supposed_bets
            bets.log_f, bets.log_q = self.bets.log_f + supposed, self.bets.log_q.copy()
            bets.log_q[arm] += supposed[arm]
            bets.held = self.bets.held
            log_e = None if self._log_e is None else self._log_e + supposed
            self._likely_by_bets = self._by_bets(arm, bets, log_e)
        return self._likely_by_bets, True

    def _by_likelihood(self, arm: int) -> WeakestTruth:
        """As if open questions were answered as expected."""
        beliefs, evidence = self.beliefs, self.beliefs.evidence
        version = (beliefs.duels, self._pending.sum(), self._share)
        if self._likely[0] != version:
            self._likely, self._likely_by_bets = (version, {}), None
            if self._pending.any():
                evidence = evidence + self.supposed()
            self._columns.follow(evidence)
        found = self._likely[1]
        if arm not in found:
            own, nothing = self._columns.values[arm].copy(), np.zeros(len(evidence))
            found[arm] = weakest_sets(self._columns, own, nothing, arm, beliefs.held[arm])
        return found[arm]

    def _by_bets(self, arm: int, bets: PredictableBets, log_e: FloatArray | None) -> WeakestTruth:
        """By bets, and by e-values of counts where there are votes from before."""
        by_bets = bets.weakest_truth(arm)
        return by_bets if log_e is None else mean_of_proofs(by_bets, weakest_truth(log_e, arm))
