r"""Track and stop: the Borda winner with a proof.

Duels come in blocks, each planned before it begins, and what they prove is said in
:mod:`cpe_opt.proofs.dueling.borda`. A block shares its cost out as the optimal
exploration does at the estimates of now (:func:`cpe_opt.borda_time`), rounded down, and at least
one duel a pair: every pair of two other arms bears on the scores of both. The first block is one
duel of each pair. Later ones cost a third of what would be left at the estimates,
:math:`T^*(\hat\mu)` times the evidence that is missing, but no more than half of all before.

**Votes that are there** before the first block, however they came about, have an e-value
:math:`G_{ij}` of their own (:mod:`cpe_opt.proofs.dueling.borda`). The evidence against
:math:`b_i \le b_j` is then :math:`\frac12 (1 + G_{ij})` times that of the blocks: where it is so,
the mean of the factor is at most 1, and it stays what it is while the blocks go on.

**Several duels at once.** A block is planned before its first duel, so that its duels may be made
in any order and be open together: the inequality of a block is about the means of its pairs when
all of it is there, and nothing is proved or planned before that. With ``parallel`` above 1 a block
is asked for in batches of at least so many duels, each with its share of every pair. Where it has
fewer, its plan gets the same number more of every pair.

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
from cpe_opt.learners.blocks import batches_of, evidence_so_far
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.tracking import (
    Threshold,
    arm_prices,
    checked_threshold,
    customary_threshold,
    started_tally,
    without_proof,
)
from cpe_opt.learners.queries import HorizonReached, Unproved, ask_all
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.proofs.dueling.borda import BordaBlocks, borda_evidence
from cpe_opt.ties import first_largest, in_bits, just_below
from cpe_opt.validation import checked_count, checked_delta

BordaMethod: TypeAlias = Literal["multiplicative", "cone"]
_STEPS = 300
_LEFT, _GROWTH = 1.0 / 3.0, 0.5
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
    counts: npt.ArrayLike | Votes | None = None,
    threshold: Threshold = "proved",
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
    counts : array_like, shape (K, K), or Votes, optional
        Wins that are there before the first duel, ties half a win; they count in the proof, however
        they came about.
    threshold : "proved" or "unproven"
        When to stop: by the proof, or where ``S^2 / (2 V)`` of all other arms is above
        ln((1 + ln t)/delta), earlier.
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
    delta = checked_delta(delta, None)
    proved = checked_threshold(threshold)
    if method not in get_args(BordaMethod):
        raise UnknownName("method", method, get_args(BordaMethod))
    if solver is not None and method != "cone":
        raise InputError(f"solver is {solver!r}, and has no effect with method {method!r}")
    checked_count("parallel", parallel)
    plan = BordaPlan(started_tally(arms, counts), arm_prices(arms, prices), solver, method)
    found = yield from _by_blocks(plan, delta, parallel, proved=proved)
    return found if proved else without_proof(found)


class BordaPlan:
    """The duels so far, and how the next block shares them out.

    Attributes
    ----------
    tally : DuelTally
    prices : float array, shape (K, K)
    spent : float
        What all duels so far cost; those from before the first query are not among them.
    """

    def __init__(
        self, tally: DuelTally, prices: FloatArray, solver: str | None, method: BordaMethod
    ) -> None:
        self.tally, self.prices = tally, prices
        self.spent = 0.0
        self._method, self._solver = method, solver

    def block(self, missing: float, least: int = 1) -> IntArray:
        """The duels of each pair, symmetric; shape (K, K).

        Parameters
        ----------
        missing : float
            The evidence that is still missing.
        least : int
            How many duels it has at least, the same number more of each pair if need be.
        """
        arms = self.tally.arms
        upper = np.triu_indices(arms, 1)
        once = float(self.prices[upper].sum())
        shares, time = self._shares()
        budget = max(once, min(_GROWTH * self.spent, _LEFT * time * missing))
        planned = np.zeros((arms, arms), dtype=np.int64)
        planned[upper] = np.maximum(1.0, np.floor(budget * in_bits(shares[upper], _BITS)))
        planned[upper] += max(0, math.ceil((least - planned.sum()) / len(upper[0])))
        return planned + planned.T

    def _shares(self) -> tuple[FloatArray, float]:
        """Duels of each pair for a cost of 1, and T*, at the estimates."""
        draws = self.tally.draws
        estimate = (draws * self.tally.estimate + 0.5) / (draws + 1.0)
        preferences = PreferenceMatrix(estimate)
        upper = np.triu_indices(len(draws), 1)
        q = np.ones_like(estimate)
        time = math.inf
        if len(preferences.borda_winners) == 1:
            if self._method == "cone":
                solver = self._solver or "clarabel"
                q = borda_time(preferences, prices=self.prices, solver=solver).exploration
            else:
                spaces = HalfSpaces.of(preferences, self.prices)
                q[upper] = spaces.feasible(spaces.amounts(spaces.balanced(_STEPS)))
            time = float(q[upper] @ self.prices[upper])
        return q / float(q[upper] @ self.prices[upper]), time


def _by_blocks(
    plan: BordaPlan, delta: float, parallel: int, *, proved: bool
) -> Generator[Duel | Batch, Any, int | Unproved]:
    """Duel block by block until an arm is proved, or taken for proved by custom."""
    tally = plan.tally
    arms = tally.arms
    blocks = BordaBlocks(arms)
    needed = math.log(arms - 1) - math.log(delta)
    before = _evidence_before(tally)
    evidence = before.min(axis=1)
    try:
        while True:
            best = int(first_largest(evidence))
            if proved and evidence[best] >= needed:
                return best
            planned = plan.block(needed - max(0.0, float(evidence.max())), parallel)
            won = np.zeros((arms, arms))
            for duels in batches_of(planned, parallel):
                wins = yield from ask_all(duels)
                for duel, won_by_i in zip(duels, wins, strict=True):
                    i, j, times = duel.i, duel.j, duel.times
                    won[i, j] += won_by_i
                    won[j, i] += times - won_by_i
                    tally.add(i, j, won_by_i, times)
                    plan.spent += times * plan.prices.item(i, j)
            blocks.add(won, planned)
            evidence = (before + blocks.log_e_values()).min(axis=1)
            if not proved:
                ahead = _customary(blocks)
                if ahead.max() >= customary_threshold(tally, delta):
                    return int(first_largest(ahead))
    except HorizonReached:
        leading = int(first_largest(_scores(tally)))
        return Unproved(
            leading, evidence_so_far(float(evidence[leading]) - math.log(arms - 1), delta)
        )


def _evidence_before(tally: DuelTally) -> FloatArray:
    """The logarithm of ``(1 + G) / 2`` for every two arms, 0 without votes; infinite diagonal."""
    found = np.zeros_like(tally.draws)
    if tally.draws.any():
        evidence = borda_evidence(tally.draws * tally.estimate)
        found = just_below(np.logaddexp(0.0, evidence) - math.log(2.0))
    np.fill_diagonal(found, math.inf)
    return np.asarray(found)


def _customary(blocks: BordaBlocks) -> FloatArray:
    """The least ``S^2 / (2 V)`` against another arm, 0 where an arm does not lead; shape (K,)."""
    ahead = np.maximum(blocks.sums, 0.0) ** 2 / (2.0 * blocks.information)
    np.fill_diagonal(ahead, math.inf)
    return np.asarray(ahead.min(axis=1))


def _scores(tally: DuelTally) -> FloatArray:
    """Borda scores by the estimates, up to a factor."""
    return np.asarray(in_bits(tally.estimate.sum(axis=1), _BITS))
