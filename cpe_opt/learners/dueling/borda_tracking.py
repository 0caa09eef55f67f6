r"""Track and stop: the Borda winner with a proof.

- *Goal.* The arm with the largest Borda score.
- *Proof.* The theorem about blocks of duels in :mod:`cpe_opt.proofs.dueling.borda`: an e-value for
  every two arms.
- *Plan.* A block shares its cost out as the optimal exploration does at the current estimates, the
  program of :func:`cpe_opt.borda_time`, rounded down, and at least one duel a pair: every pair of
  two other arms bears on the scores of both. The first block is one duel of each pair. Later ones
  cost a third of what would be left at the estimates, :math:`T^*(\hat\mu)` times the evidence that
  is missing, but no more than half of all before.

**Votes from before** the first block, however they came about, have an e-value
:math:`G_{ij}` of their own (:mod:`cpe_opt.proofs.dueling.borda`). The evidence against
:math:`b_i \le b_j` is then :math:`\frac12 (1 + G_{ij})` times that of the blocks: where
:math:`b_i \le b_j` is true, the mean of this factor is at most 1, and blocks do not change it.

Estimates are drawn to ½ as by one more duel, half a win for each. Where they tie at the largest
score, a block has the same number of duels of every pair.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.dueling.borda_time import HalfSpaces, borda_time
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.pair_tracking import arm_prices, prior_tally
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.tracking import DuelBlocks, evidence_so_far, track, whole_duels
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.proofs.dueling.borda import BordaBlocks, borda_evidence
from cpe_opt.proofs.pace import Pace
from cpe_opt.ties import first_largest, in_bits, just_below
from cpe_opt.validation import checked_delta

BordaMethod: TypeAlias = Literal["multiplicative", "cone"]
_STEPS = 300
_PACE = Pace()
_BITS = 24


@declare(
    family="dueling",
    goal="identification",
    guarantee="the Borda winner with probability at least 1 - delta; duels near T* ln(1/delta)",
    paper="ours; after Garivier, Kaufmann (COLT 2016), Degenne et al. (ICML 2020)",
    endless_if="two arms share the largest Borda score",
    batches="as many duels of a block as the parameter parallel says, or more, if above 1",
    starts="votes",
)
def borda_tracking(
    arms: int,
    *,
    rng: np.random.Generator | None = None,
    delta: float,
    prices: npt.ArrayLike | None = None,
    prior: npt.ArrayLike | Votes | None = None,
    parallel: int = 1,
    method: BordaMethod = "multiplicative",
    solver: str | None = None,
) -> Generator[Duel | Batch, Any, int | Unproved]:
    """Find the arm with the largest Borda score with probability at least 1 - delta.

    Parameters
    ----------
    arms : int
        K, at least 2.
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    delta : float
        The probability of a wrong answer, between 0 and 1.
    prices : optional
        As for :func:`copeland_tracking`.
    prior : array_like, shape (K, K), or Votes, optional
        Wins from before the first duel, ties half a win; they count in the proof, however
        they came about.
    parallel : int
        How many duels may be open at once: above 1, blocks are asked for in batches of at least so
        many, spread over all pairs.
    method : "multiplicative" or "cone"
        How the exploration is found: by steps without a solver, or the cone program.
    solver : str, optional
        A cone solver; clarabel by default. For ``cone`` alone.

    Returns
    -------
    int
        The Borda winner; where the rounds end before it is proved, the arm that leads.

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
    """
    checked_delta(delta, None)
    if method not in get_args(BordaMethod):
        raise UnknownName("method", method, get_args(BordaMethod))
    if solver is not None and method != "cone":
        raise InputError(f"solver is {solver!r}, and has no effect with method {method!r}")
    charged = arm_prices(arms, prices)
    tracker = BordaTracker(prior_tally(arms, prior), charged, delta, parallel, method, solver)
    answer: int | Unproved = yield from track(tracker)
    return answer


class BordaTracker(DuelBlocks):
    """The duels so far, what they prove, and the next block.

    Parameters
    ----------
    tally : DuelTally
        Of the duels that were made before the first block.
    prices : float array, shape (K, K)
    delta : float
    parallel : int
        A block has at least so many duels.
    method : "multiplicative" or "cone"
    solver : str, optional

    Attributes
    ----------
    spent : float
        What all blocks so far cost.
    """

    def __init__(
        self,
        tally: DuelTally,
        prices: FloatArray,
        delta: float,
        parallel: int = 1,
        method: BordaMethod = "multiplicative",
        solver: str | None = None,
    ) -> None:
        super().__init__(parallel)
        self._tally, self._prices, self._delta = tally, prices, delta
        self._method, self._solver = method, solver or "clarabel"
        self._log_others = math.log(tally.arms - 1)
        self._needed = self._log_others - math.log(delta)
        self._blocks = BordaBlocks(tally.arms)
        self._before = _evidence_before(tally)
        self._evidence = self._before.min(axis=1)
        self.spent = 0.0

    def proved(self) -> int | None:
        """The arm with the most evidence against all others, if that is enough."""
        best = int(first_largest(self._evidence))
        return best if self._evidence[best] >= self._needed else None

    def plan(self) -> IntArray:
        """The duels of each pair, symmetric; shape (K, K)."""
        upper = np.triu_indices(self._tally.arms, 1)
        once = float(self._prices[upper].sum())
        shares, time = self._shares()
        missing = self._needed - max(0.0, float(self._evidence.max()))
        cost = _PACE.cost(self.spent, time * missing, once)
        planned = np.zeros(shares.shape, dtype=np.int64)
        planned[upper] = whole_duels(cost * in_bits(shares[upper], _BITS), self.parallel)
        return planned + planned.T

    def _shares(self) -> tuple[FloatArray, float]:
        """Duels of each pair for a cost of 1, shape (K, K), and T*, at the estimates."""
        draws = self._tally.draws
        estimate = (draws * self._tally.estimate + 0.5) / (draws + 1.0)
        preferences = PreferenceMatrix(estimate)
        upper = np.triu_indices(len(draws), 1)
        q = np.ones_like(estimate)
        time = math.inf
        if len(preferences.borda_winners) == 1:
            if self._method == "cone":
                q = borda_time(preferences, prices=self._prices, solver=self._solver).exploration
            else:
                spaces = HalfSpaces.of(preferences, self._prices)
                q[upper] = spaces.feasible(spaces.amounts(spaces.balanced(_STEPS)))
            time = float(q[upper] @ self._prices[upper])
        return q / float(q[upper] @ self._prices[upper]), time

    def add(self, i: int, j: int, won: int, times: int) -> None:
        """Count duels of a pair, and what they cost."""
        self._tally.add(i, j, won, times)
        self.spent += times * self._prices.item(i, j)

    def judge(self, won: FloatArray, planned: IntArray) -> None:
        """The evidence of all blocks and of the votes before them."""
        self._blocks.add(won, planned)
        self._evidence = (self._before + self._blocks.log_e_values()).min(axis=1)

    def guess(self) -> int:
        """The arm with the largest score by the estimates."""
        return int(first_largest(in_bits(self._tally.estimate.sum(axis=1), _BITS)))

    def doubt(self) -> str:
        """How well that is proved."""
        return evidence_so_far(float(self._evidence[self.guess()]) - self._log_others, self._delta)


def _evidence_before(tally: DuelTally) -> FloatArray:
    """The logarithm of ``(1 + G) / 2`` for every two arms, 0 without votes; infinite diagonal."""
    found = np.zeros_like(tally.draws)
    if tally.draws.any():
        evidence = borda_evidence(tally.draws * tally.estimate)
        found = just_below(np.logaddexp(0.0, evidence) - math.log(2.0))
    np.fill_diagonal(found, math.inf)
    return np.asarray(found)
