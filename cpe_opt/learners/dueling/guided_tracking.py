r"""Ask where a proof is expected to grow: trackers guided by a model, on test sets and on coins.

Pairs of a fixed test set are many and their cells few, so that most pairs are better hardly asked
about. What the answers prove rests on bets placed in advance
(:mod:`cpe_opt.proofs.dueling.predictable_bets`), which hold for any rule that chooses pairs, with
pairs that never met. The rules below decide only how many answers it takes, by what a model expects
of each pair (:mod:`cpe_opt.learners.dueling.beliefs`).

**Bets.** Before each answer both nulls of the pair may be bet against, by the stake that fits the
model's mean, where the null is false with a probability of at least 0.6. Answers are taken in the
order in which they were asked for.

**Several questions at once.** With ``parallel`` p above 1 so many questions are open all the time
(:class:`cpe_opt.problems.queries.Window`): as soon as the oldest is answered it is counted, and
another one is chosen, as if the p - 1 that are open were answered as expected. Whoever answers
finds something to do while the learner counts. The answers are used in the order in which their
questions were chosen, whenever they come. Each is bet on knowing those before it, and for the arm
to prove by then, which may be another one than when its question was chosen
(:mod:`cpe_opt.proofs.dueling.predictable_bets`, *Several questions at once*).

**A Copeland winner.** A turn asks about one pair:

1. The *champion* is the arm to prove. Another arm takes its place when its expected number of
   inferiors is larger by half a pair.
2. *Search.* As long as another arm may well be better (its expected inferiors and one standard
   deviation are more than the champion's) and has met the champion less than a dozen times, or in a
   twentieth of all answers, the two meet.
3. *Prove.* Else one of the pairs of the weakest truth is asked about, the truth that the answers
   speak against the least: by likelihood ratios while these are not enough for a proof, then by the
   bets themselves. Of its pairs that one is asked about which is expected to be done first: by its
   evidence at its rate, or because so many cells make it certain. A pair of the champion has a
   part in more truths, and is preferred by a half.
4. *Doubt.* Every sixteenth turn asks about a pair of the champion, or of the weakest truth's
   challenger, that may go against it and about which little is known.

**The Condorcet winner.** The champion is the arm that most likely beats all others, of those that
are not ruled out; the rival is the second of these. The rival is asked about with the arm that is
expected to rule it out the soonest, the champion preferred.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import deque

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError
from cpe_opt.learners.dueling.beliefs import PairBeliefs
from cpe_opt.learners.dueling.pair_tracking import prior_tally
from cpe_opt.learners.queries import HAS_CONDORCET_WINNER, Conditional, Unproved
from cpe_opt.learners.tracking import TrackerState, evidence_so_far
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.queries import Duel
from cpe_opt.proofs.dueling.condorcet import condorcet_product
from cpe_opt.proofs.dueling.copeland import WeakestTruth
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.predictable_bets import (
    REFUTED,
    PredictableBets,
    missing_wins,
    weakest_sets,
)
from cpe_opt.ties import first_largest, first_smallest, in_bits
from cpe_opt.validation import checked_count

_CONFIDENT, _MOST_STAKE = 0.6, 0.9
_OF_PAIR = 0.03  # duels of coins at once, as a share of those of the pair
_LEAD, _VARIANCE = 0.5, 0.05
_DOUBTFUL, _MEETINGS, _MEETINGS_SHARE = 0.1, 12, 0.05
_OPEN_SHARE = 0.5  # of what a rival was asked, to be open while it is searched
_DOUBT_TURNS, _UNLIKELY = 16, 0.02
_LEAST_MISSING, _SPARE, _LIKELY = 0.3, 0.5, 0.3
_OF_CHAMPION, _CHAMPION_RULES_OUT = 1.5, 2.5
_BITS = 24
_ALL_ASKED = "all cells are asked, and they leave it open"
_ALL_RULED_OUT = "every arm is ruled out: there is no Condorcet winner"


class GuidedTracker(ABC):
    """One question after the other (:class:`cpe_opt.learners.tracking.SingleTracker`).

    Parameters
    ----------
    beliefs : PairBeliefs
    bets : PredictableBets
    delta : float
    prices : float array, shape (K, K)
    parallel : int
        At least so many questions are open, as far as there are cells.

    Attributes
    ----------
    assumption : str
        What the proof rests on and the answers do not show.
    champion : int
        The arm to prove.
    turns : int
        How often it chose a pair.
    """

    assumption = ""

    def __init__(
        self,
        beliefs: PairBeliefs,
        bets: PredictableBets,
        delta: float,
        prices: FloatArray,
        parallel: int = 1,
    ) -> None:
        self.beliefs, self.bets, self.prices = beliefs, bets, prices
        self.delta, self.needed = delta, -math.log(delta)
        self.champion = self.turns = 0
        self._parallel = checked_count("parallel", parallel)
        self._coins = not np.isfinite(beliefs.cells).all()
        self._open: deque[Duel] = deque()
        self._pending = np.zeros_like(beliefs.cells)
        for i in range(len(prices)):
            for j in range(i):
                self._certain(i, j)

    @abstractmethod
    def answered(self) -> int | Conditional | Unproved | None:
        """The answer, if it is proved; else None. The champion is chosen anew."""

    def proved(self) -> int | Conditional | Unproved | None:
        """The answer, if it is proved, or if there is nothing left to ask."""
        answer = self.answered()
        if answer is None and (self.beliefs.asked >= self.beliefs.cells).all():
            return Unproved(self.champion, _ALL_ASKED)
        return answer

    @abstractmethod
    def choose(self, left: FloatArray, pending: FloatArray) -> tuple[int, int] | None:
        """The next pair to ask about, of those with cells left; None for any.

        Parameters
        ----------
        left, pending : float arrays, shape (K, K)
            How many cells of each pair may be asked, and how many of its questions are open.
        """

    @abstractmethod
    def evidence(self) -> float:
        """For the champion, as a natural logarithm."""

    def open_queries(self) -> list[Duel]:
        """The questions that are open, the oldest first, after as many were chosen as are to be."""
        beliefs, pending = self.beliefs, self._pending
        # Of the oldest, which several coins may answer, all but one may have come.
        missing = self._parallel - sum(duel.times for duel in self._open)
        missing += self._open[0].times - 1 if self._open else 0
        while missing > 0:
            left = beliefs.cells - beliefs.asked - pending
            np.fill_diagonal(left, 0.0)
            if not (left > 0.0).any():
                break
            i, j = self.choose(left, pending) or divmod(int((left > 0.0).argmax()), len(left))
            times = max(1, int(_OF_PAIR * beliefs.asked.item(i, j))) if self._coins else 1
            self._put(Duel(i, j, times))
            missing -= times if len(self._open) > 1 else 1
        return list(self._open)

    def _put(self, duel: Duel) -> None:
        """Open a question."""
        self._open.append(duel)
        self._pending[duel.i, duel.j] += duel.times
        self._pending[duel.j, duel.i] += duel.times

    def count(self, observed: float) -> None:
        """Settle the bets on the answer to the oldest open question, and learn from it."""
        oldest = self._open.popleft()
        i, j, times = oldest.i, oldest.j, oldest.times
        self._pending[i, j] -= times
        self._pending[j, i] -= times
        self.bets.target = self.champion
        self._bet(i, j, observed, times)
        self._bet(j, i, times - observed, times)
        self.beliefs.count(i, j, observed, times)
        self._certain(i, j)

    def _certain(self, i: int, j: int) -> None:
        """Note what the cells asked so far make certain of a pair."""
        for first, second in ((i, j), (j, i)):
            self.bets.held[first, second] = self.beliefs.held[first, second]
            if self.beliefs.refuted[first, second]:
                self.bets.refute(first, second)

    def _bet(self, i: int, j: int, outcome: float, times: int) -> None:
        """The bet against one null."""
        self._settle(self.bets, self.beliefs.null, i, j, outcome, times)

    def _settle(
        self, bets: PredictableBets, null: float, i: int, j: int, outcome: float, times: int
    ) -> None:
        """A bet that is placed and settled; on several duels of coins the same on each."""
        if self.beliefs.belief.item(i, j) < _CONFIDENT:
            return
        stake, mean = self.beliefs.stake(i, j, null, _MOST_STAKE)
        if times == 1:
            bets.add(i, j, math.log1p(stake * (outcome - mean)))
        else:
            won = outcome * math.log1p(stake * (1.0 - mean))
            bets.add(i, j, won + (times - outcome) * math.log1p(-stake * mean))

    def soonest(self, pairs: list[tuple[int, int]], evidence: float, preferred: float) -> int:
        """The pair that is expected to be done at the least cost; those of the champion preferred.

        A pair is done when what the evidence lacks is there, or its null is refuted for certain.
        """
        beliefs = self.beliefs
        missing = max(_LEAST_MISSING, self.needed - evidence + _SPARE)
        costs = []
        for i, j in pairs:
            answers = missing / max(beliefs.rate.item(i, j), 1e-6)
            if beliefs.belief[i, j] > _LIKELY:
                answers = min(answers, beliefs.certain_after(i, j))
            share = preferred if i == self.champion else 1.0
            costs.append(answers * self.prices.item(i, j) / share)
        return first_smallest(in_bits(costs, _BITS))

    def state(self) -> TrackerState:
        """Beliefs, bets, the champion and the open questions, between two answers."""
        found: TrackerState = {"champion": self.champion, "turns": self.turns}
        rows = [(duel.i, duel.j, duel.times) for duel in self._open]
        found["open"] = np.array(rows, dtype=np.int64).reshape(-1, 3)
        for name, bets in self._all_bets().items():
            found |= {f"{name}.f": bets.log_f.copy(), f"{name}.q": bets.log_q.copy()}
            found |= {f"{name}.held": bets.held.copy(), f"{name}.target": bets.target}
        return found | {f"beliefs.{name}": each for name, each in self.beliefs.state().items()}

    def restore(self, state: TrackerState) -> None:
        """Go on from it."""
        self.champion, self.turns = int(state["champion"]), int(state["turns"])
        for i, j, times in state["open"].tolist():
            self._put(Duel(i, j, times))
        for name, bets in self._all_bets().items():
            bets.log_f, bets.log_q = state[f"{name}.f"].copy(), state[f"{name}.q"].copy()
            bets.held, bets.target = state[f"{name}.held"].copy(), int(state[f"{name}.target"])
        start = "beliefs."
        self.beliefs.restore(
            {name.removeprefix(start): each for name, each in state.items() if start in name}
        )

    def _all_bets(self) -> dict[str, PredictableBets]:
        return {"bets": self.bets}

    def guess(self) -> int:
        """The champion."""
        return self.champion

    def doubt(self) -> str:
        """How far it is from its proof."""
        return evidence_so_far(self.evidence(), self.delta, self.assumption)


class GuidedCopeland(GuidedTracker):
    """A Copeland winner within the margin."""

    def answered(self) -> int | None:
        """The champion, if the bets against its weakest truth are worth 1/delta."""
        inferiors = self._inferiors()
        top = int(first_largest(inferiors))
        if inferiors[top] > inferiors[self.champion] + _LEAD:
            self.champion = top
        return self.champion if self.evidence() >= self.needed else None

    def evidence(self) -> float:
        """Against its weakest truth."""
        return self.bets.weakest_truth(self.champion).evidence

    def choose(self, left: FloatArray, pending: FloatArray) -> tuple[int, int] | None:
        """Search, or else prove, with some doubt."""
        self.turns += 1
        rival = self._rival(left, pending)
        inferiors = self._inferiors()
        top = int(first_largest(inferiors))
        if rival is not None and inferiors[top] > inferiors[self.champion]:
            self.champion = top
            rival = self._rival(left, pending)
        if rival is not None:
            return self.champion, rival
        supposed = self.beliefs.rate * pending
        likely = self.beliefs.evidence + supposed
        weakest = weakest_by_likelihood(likely, self.champion, self.beliefs.held[self.champion])
        if weakest.evidence >= self.needed:
            weakest = self._bets_weakest(supposed)
        if self.turns % _DOUBT_TURNS == 0:
            pair = self._doubtful((self.champion, weakest.challenger), left)
            if pair is not None:
                return pair
        pairs = [pair for pair in weakest.pairs(self.champion) if left[pair] > 0.0]
        if not pairs:
            weakest = self._bets_weakest(supposed)
            pairs = [pair for pair in weakest.pairs(self.champion) if left[pair] > 0.0]
        return pairs[self.soonest(pairs, weakest.evidence, _OF_CHAMPION)] if pairs else None

    def _inferiors(self) -> FloatArray:
        """The expected number of arms that each arm is not behind by more than the margin."""
        belief = self.beliefs.belief
        return in_bits(belief.sum(axis=1) - belief.diagonal(), _BITS)

    def _rival(self, left: FloatArray, pending: FloatArray) -> int | None:
        """An arm that may well be better than the champion and has hardly met it."""
        beliefs, champion, inferiors = self.beliefs, self.champion, self._inferiors()
        doubt = beliefs.belief * (1.0 - beliefs.belief)
        np.fill_diagonal(doubt, 0.0)
        hopes = inferiors + np.sqrt(doubt.sum(axis=1) + _VARIANCE)
        belief = beliefs.belief[champion]
        met = beliefs.asked[champion] + pending[champion]
        few = max(_MEETINGS, _MEETINGS_SHARE * float(beliefs.asked.sum()) / 2.0)
        fits = (
            (belief > _DOUBTFUL) & (belief < 1.0 - _DOUBTFUL) & (met < few) & (left[champion] > 0)
        )
        fits &= pending[champion] <= _OPEN_SHARE * beliefs.asked[champion]
        hopes = np.where(fits, hopes, -math.inf)
        rival = int(first_largest(hopes))
        return rival if hopes[rival] > inferiors[champion] else None

    def _bets_weakest(self, supposed: FloatArray) -> WeakestTruth:
        """The weakest truth by the bets."""
        if not supposed.any():
            return self.bets.weakest_truth(self.champion)
        bets = self.bets.copy()
        bets.log_f += supposed
        bets.log_q[self.champion] += supposed[self.champion]
        return bets.weakest_truth(self.champion)

    def _doubtful(self, arms: tuple[int, int], left: FloatArray) -> tuple[int, int] | None:
        """The pair of these arms that most likely goes against them, of those hardly known."""
        beliefs, rows = self.beliefs, np.array(arms)
        belief, asked = beliefs.belief[rows], beliefs.asked[rows]
        index = 0.5 * np.log(asked + 1.0) - np.log(np.maximum(belief, 1e-9))
        bound = math.log(float(beliefs.asked.sum()) / 2.0 + 1.0) - 2.0
        fits = (belief > _UNLIKELY) & (belief < 0.5) & (left[rows] > 0.0) & (index < bound)
        if not fits.any():
            return None
        place, other = divmod(int(first_largest(np.where(fits, belief, -1.0).ravel())), len(left))
        return arms[place], other


def weakest_by_likelihood(evidence: FloatArray, answer: int, held: BoolArray) -> WeakestTruth:
    """The truth under which an answer is wrong with the least evidence in all its nulls."""
    return weakest_sets(evidence, evidence[answer], np.zeros(len(evidence)), answer, held)


class GuidedCondorcet(GuidedTracker):
    """The Condorcet winner, or an arm that it beats by at most the margin.

    Parameters
    ----------
    beliefs, bets, delta, prices, parallel
        As of :class:`GuidedTracker`, with the nulls of the margin.
    plain : PredictableBets
        Against the nulls without margin; the same object as ``bets`` for a margin of 0.
    """

    assumption = HAS_CONDORCET_WINNER

    def __init__(
        self,
        beliefs: PairBeliefs,
        bets: PredictableBets,
        delta: float,
        prices: FloatArray,
        parallel: int,
        plain: PredictableBets,
    ) -> None:
        super().__init__(beliefs, bets, delta, prices, parallel)
        self._plain = plain

    def _all_bets(self) -> dict[str, PredictableBets]:
        return {"bets": self.bets, "plain": self._plain}

    def answered(self) -> Conditional | Unproved | None:
        """The champion, if all others are ruled out as winners that beat it by the margin."""
        against = np.where(self._tied, REFUTED, condorcet_product(self._plain.log_f, None))
        if against.min() >= self.needed:
            return Unproved(self.champion, _ALL_RULED_OUT)
        belief = np.maximum(self.beliefs.belief, 1e-6)
        np.fill_diagonal(belief, 1.0)
        self._likely = in_bits(np.log(belief).sum(axis=1), _BITS)
        self.champion = int(first_largest(np.where(against < self.needed, self._likely, -math.inf)))
        if self.evidence() >= self.needed:
            return Conditional(self.champion, self.assumption)
        return None

    def _against(self) -> FloatArray:
        """Against every other arm as a winner under which the champion is wrong."""
        margin = None if self._plain is self.bets else (self.champion, self.bets.log_f)
        against = condorcet_product(self._plain.log_f, margin)
        against[self._tied | self.beliefs.held[self.champion]] = REFUTED
        against[self.champion] = math.inf
        return against

    @property
    def _tied(self) -> BoolArray:
        """Which arms are certainly no Condorcet winner, as not ahead of some other arm."""
        half = missing_wins(self.beliefs.cells, self.beliefs.total, 0.5)
        np.fill_diagonal(half, math.inf)
        return np.asarray((half <= 0.0).any(axis=0))

    def evidence(self) -> float:
        """Against all other arms."""
        return float(self._against().min())

    def _bet(self, i: int, j: int, outcome: float, times: int) -> None:
        super()._bet(i, j, outcome, times)
        if self._plain is not self.bets:
            self._settle(self._plain, 0.5, i, j, outcome, times)

    def choose(self, left: FloatArray, pending: FloatArray) -> tuple[int, int] | None:
        """The rival that most likely is the winner, and the arm that rules it out the soonest."""
        against = self._against() + (self.beliefs.rate * pending).sum(axis=0)
        open_ = (against < self.needed) & (left > 0.0).any(axis=0)
        if not open_.any():
            return None
        rival = int(first_largest(np.where(open_, self._likely, -math.inf)))
        pairs = [(int(arm), rival) for arm in np.flatnonzero(left[:, rival] > 0.0)]
        return pairs[self.soonest(pairs, against.item(rival), _CHAMPION_RULES_OUT)]


def beliefs_and_bets(
    arms: int,
    *,
    margin: float,
    cells: npt.ArrayLike | None,
    answered: npt.ArrayLike | None,
    prior: npt.ArrayLike | Votes | None,
) -> tuple[PairBeliefs, PredictableBets]:
    """What a guided tracker starts with.

    Parameters
    ----------
    arms : int
    margin : float
        From 0 to below 1/2.
    cells : array_like, shape (K, K), optional
        How many cells of each pair may be asked; coins without.
    answered : array_like, shape (K, K), optional
        What each arm got against each other in cells that are answered already and are not among
        ``cells``.
    prior : array_like or Votes, optional
        Votes on coins from before.

    Raises
    ------
    InputError
        Where votes come with cells.
    """
    tally = prior_tally(arms, prior)
    won = np.asarray(tally.draws * tally.estimate)
    null = 0.5 - margin
    bets = PredictableBets(arms, margin, log_e_values(won, won.T, null))
    if cells is None:
        infinite = np.full((arms, arms), math.inf)
        np.fill_diagonal(infinite, 0.0)
        return PairBeliefs(infinite, null, won), bets
    if prior is not None:
        raise InputError(
            "prior is given with cells: votes do not say which cells they answer; expected "
            "answered, the sums of the cells that are answered"
        )
    total = np.zeros((arms, arms)) if answered is None else np.asarray(answered, dtype=np.float64)
    return PairBeliefs(np.asarray(cells) + total + total.T, null, total), bets
