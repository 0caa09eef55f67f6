r"""Track and stop: the Condorcet winner, where there is one, with a proof.

- *Goal.* To rule out all arms but one, or but those that the winner beats by a margin at most.
- *Proof.* The theorem of :mod:`cpe_opt.proofs.dueling.condorcet`, if there is a Condorcet winner,
  by bets placed before each duel. With a margin, arms that the winner beats by more are ruled out
  by the nulls with that margin, all others by those without.
- *Duels.* The rule of :mod:`cpe_opt.learners.dueling.pair_tracking`. An arm that is not the winner
  is ruled out by any one arm that beats it, so that the least that rules out all of them is
  :math:`T^* = \sum_j \min_k \pi_{kj} / d_{kj}` over the arms k that beat j
  (:func:`cpe_opt.condorcet_time`). A drawn matrix is led by the arm that beats all others in it;
  the weakest truth against it is that the winner is the *rival*, the other arm that is ruled out
  the least, and any arm that beats the rival refutes it.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.pair_tracking import Draws, PairTracker, Stakes, Tuning
from cpe_opt.learners.dueling.prior_votes import arm_prices
from cpe_opt.learners.queries import HAS_CONDORCET_WINNER, Conditional, Unproved
from cpe_opt.learners.tracking import Checkpoint, track_singly
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import checked_margin
from cpe_opt.problems.queries import Duel, Window
from cpe_opt.proofs.dueling.cell_hints import ToldHints
from cpe_opt.proofs.dueling.condorcet import condorcet_product
from cpe_opt.proofs.dueling.copeland import WeakestTruth
from cpe_opt.proofs.dueling.predictable_bets import REFUTED, missing_wins
from cpe_opt.ties import first_largest, first_smallest, in_bits
from cpe_opt.validation import checked_delta

_BITS = 24
_TUNING = Tuning(expected=0.02)  # what a wrong leader lacks may be hopeless: no large batches
_ALL_RULED_OUT = "every arm is ruled out: there is no Condorcet winner"


def no_condorcet_winner(mu: Any, parameters: Mapping[str, Any]) -> bool:
    """Whether every arm loses to another, or may."""
    return getattr(mu, "condorcet_winner", None) is None


@declare(
    family="dueling",
    goal="identification",
    guarantee="the Condorcet winner, if there is one, with probability at least 1 - delta; duels "
    "near T* ln(1/delta)",
    paper="ours; after Garivier, Kaufmann (COLT 2016)",
    assumption=HAS_CONDORCET_WINNER,
    endless_if="there is no Condorcet winner",
    endless_on=no_condorcet_winner,
    batches="as many duels as the parameter parallel says, or more, if above 1",
    starts="votes",
    within="the Condorcet winner beats it by at most {margin:g}",
    winner="Condorcet",
)
def condorcet_tracking(
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
) -> Generator[Duel | Window, Any, Conditional | Unproved]:
    """Find the Condorcet winner, known to exist, with probability at least 1 - delta.

    Where there is none, nothing is proved: then it may stop with any arm, and its answer is
    "proved, if there is a Condorcet winner". Where the duels rule out that arm, too, they prove
    that there is none, and it says so; where there is one, a false answer and this have a
    probability of at most delta together.

    Parameters
    ----------
    prices, prior, parallel, rounds : optional
        As for :func:`copeland_tracking`.
    margin : float
        From 0 to below ½: the answer is the Condorcet winner, or an arm that it beats by at most
        the margin.

    Returns
    -------
    int
        The Condorcet winner; where the rounds end before it is proved, or all arms are ruled out,
        the arm that is ruled out the least.

    References
    ----------
    Garivier, Kaufmann, "Optimal Best Arm Identification with Fixed Confidence", COLT 2016.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("condorcet-tracking", mu, delta=0.05, seed=0)
    >>> trace.answer, trace.claim
    (0, 'proved, if there is a Condorcet winner')
    """
    checked_delta(delta, None)
    tracker = CondorcetTracker(
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
    answer: Conditional | Unproved = yield from track_singly(tracker, checkpoint)
    return answer


class CondorcetTracker(PairTracker):
    """The Condorcet winner, or an arm that it beats by at most the margin."""

    assumption = HAS_CONDORCET_WINNER

    def __init__(
        self, delta: float, prices: FloatArray, *, margin: float = 0.0, **given: Any
    ) -> None:
        given = {"tuning": _TUNING} | given
        super().__init__(delta, prices, margin=margin, **given)
        if margin > 0.0:  # also against the nulls without a margin
            won = self.beliefs.total
            self.stakes.append(Stakes(len(prices), 0.0, won, self._coins, self.tuning))
        self._plain = self.stakes[-1].bets
        self.begin()

    def answered(self) -> Conditional | Unproved | None:
        """The champion, if all others are ruled out as winners that beat it by the margin."""
        if self._against().min() >= self.needed:
            return Unproved(self.champion, _ALL_RULED_OUT)
        if self.evidence() >= self.needed:
            return Conditional(self.champion, self.assumption)
        return None

    def _against(self, answer: int | None = None) -> FloatArray:
        """Against every arm as the winner, or as one under which an answer is wrong."""
        if self._plain is self.bets:
            against = condorcet_product(self._plain.log_f)
        else:
            against = condorcet_product(self._plain.log_f, self.bets.log_f, answer)
        against[self._tied] = REFUTED
        if answer is not None:
            against[self.beliefs.held[answer]] = REFUTED
            against[answer] = math.inf
        return against

    @property
    def _tied(self) -> BoolArray:
        """Which arms are certainly no Condorcet winner, as not ahead of some other arm."""
        if self._coins:
            return np.zeros(len(self.prices), dtype=np.bool_)
        half = missing_wins(self.beliefs.cells, self.beliefs.total, 0.5)
        np.fill_diagonal(half, math.inf)
        return np.asarray((half <= 0.0).any(axis=0))

    def evidence(self) -> float:
        """Against all other arms."""
        return float(self._against(self.champion).min())

    def expected(self) -> int:
        """The arm that most likely beats all others, of those that are not ruled out."""
        belief = np.maximum(self.beliefs.belief, 1e-6)
        np.fill_diagonal(belief, 1.0)
        likely = in_bits(np.log(belief).sum(axis=1), _BITS)
        return int(first_largest(np.where(self._against() < self.needed, likely, -math.inf)))

    def leaders(self, draws: Draws) -> IntArray:
        """The arms that beat the most others."""
        return draws.leaders()

    def weakest(self, arm: int) -> tuple[WeakestTruth, bool]:
        """That the arm which is ruled out the least is the winner."""
        against = self._against(arm)
        if self._pending.any():
            against = against + self.supposed().sum(axis=0)
        open_ = against < self.needed
        if not self._coins and (open_ & (self._left > 0.0).any(axis=0)).any():
            open_ &= (self._left > 0.0).any(axis=0)
        rival = int(first_smallest(np.where(open_, in_bits(against, _BITS), math.inf)))
        others = [other for other in range(len(against)) if other != rival]
        return WeakestTruth(against.item(rival), rival, others, []), False
