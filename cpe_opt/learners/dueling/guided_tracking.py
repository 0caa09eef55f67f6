r"""Ask where a proof is expected to grow: trackers guided by a model, on test sets and on coins.

Where arms are many, or the cells of a fixed test set few, most pairs are better not asked about at
all. What the answers prove rests on bets placed in advance
(:mod:`cpe_opt.proofs.dueling.predictable_bets`), which hold for any rule that chooses pairs, with
pairs that never met. The rules below decide only how many answers it takes, by what a model expects
of each pair (:mod:`cpe_opt.learners.dueling.beliefs`).

**Bets.** Before each answer both nulls of the pair may be bet against, by the stake that fits the
model's mean, where the null is false with a probability of at least 0.6, of coins 0.9: a stake that
was lost on a favourite that turned out to be none is missing in the proof for good. For the same
reason no bet of coins is for a champion (none counts in Q,
:mod:`cpe_opt.proofs.dueling.predictable_bets`) before there are three duels an arm: the first
champion often is not the last. Later bets count in Q for every arm with nearly as many inferiors as
the champion, which may take its place, on pairs with eight duels or more, and for a pair whose bets
in Q were lost, until they are won back: what is lost there is missing in the proofs of all arms.
With 64 arms or more no bet counts in Q before likelihood ratios speak for the champion by a nat:
many arms are champions before, and what is bet for each of them is lost to the last. Answers are
taken in the order in which they were asked for.

**Votes from before** count in F, and in the W of all counts, which is looked at in the mean with
that of the bets. There may be a list of further duels that would prove a winner if estimates stay:
then its pairs are asked about first, as far as they are of the weakest truth, until a sign changes
or there are a quarter more duels than votes.

**Coins** are asked about several at once, 3 % of those of the pair. The bets are looked at only
where likelihood ratios are enough for a proof, of which the bets hardly ever know more.

**Late.** Where a Copeland winner of 64 arms or more is not proved after a thousand turns, the proof
takes hundreds of pairs, each with hundreds of duels or more, and turns are what a run pays for.
From then on

- a turn asks about a quarter of the coins that its pair is expected to need if it goes that way,
  but at most half as many as the pair has had, or four; and about 1/10,000 of all at least. A batch
  is bet on by a mixture of stakes, which loses nothing by its size;
- the model takes an answer for its own pair alone, and for the other pairs of both arms once there
  are 1 % more answers;
- another arm becomes the champion only where it has more inferiors by a standard deviation of its
  own, in which what is not known of its strength has a part;
- pairs of the champion, which count in the truths of all challengers, are preferred ten times.

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
   part in more truths, and is preferred by a half. Once the bets themselves are looked at, pairs of
   coins whose bets in Q were lost are among them, and need no more than what they lost.
   With 64 arms or more, where the weakest truth is likely to be true, its challenger becomes the
   champion.
4. *Doubt.* Every sixteenth turn asks about a pair of the champion, or of the weakest truth's
   challenger, that may go against it and about which little is known. Of coins, a sixteenth of all
   are for doubt, at once as many as the pair has had, or 1 % of all: a wrong sign would make
   another pair, nearly tied, look necessary, and duels of that pair come in thousands.
5. *Review.* Of coins, whenever there are 10 % more, the costs of the relaxed plans
   (:mod:`cpe_opt.proofs.dueling.copeland`) of the arms that may well have as many inferiors
   are compared, of those that are expected to lose to the fewest arms: one that costs 30 % less
   than the champion's makes its arm the champion. What is not known of its pairs is taken for
   average, so that a winner with close pairs, which are known by then, gives way to one that may be
   cheaper. An arm that was chosen so is kept until another one has more inferiors by one standard
   deviation.

**The Condorcet winner.** The champion is the arm that most likely beats all others, of those that
are not ruled out; the rival is the second of these. Of coins it is, except for every sixteenth
turn, the one that the champion rules out the soonest: all have to be ruled out, whoever wins, and a
wrong champion would be held up by a rival that is close to it. The rival is asked about with the
arm that is expected to rule it out the soonest, the champion preferred.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError
from cpe_opt.learners.dueling.beliefs import PairBeliefs
from cpe_opt.learners.dueling.pair_tracking import prior_tally
from cpe_opt.learners.queries import HAS_CONDORCET_WINNER, Conditional, Unproved
from cpe_opt.learners.tracking import ALL_ASKED, TrackerState, evidence_so_far
from cpe_opt.problems.dueling.preferences import unit_costs
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.queries import CellSums, Duel
from cpe_opt.proofs.dueling.condorcet import condorcet_product
from cpe_opt.proofs.dueling.copeland import WeakestTruth, relaxed_cost, weakest_truth
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.predictable_bets import (
    REFUTED,
    AscendingColumns,
    PredictableBets,
    mean_of_proofs,
    missing_wins,
    weakest_sets,
)
from cpe_opt.ties import first_largest, first_smallest, in_bits
from cpe_opt.validation import checked_count

_CONFIDENT, _CONFIDENT_OF_COINS = 0.6, 0.9  # what the belief in a favourite is before a bet
_MOST_STAKE = 0.9
_FIRST_BETS = 3.0  # duels an arm before bets are for a champion, who often is another one at first
_OF_PAIR = 0.03  # duels of coins at once, as a share of those of the pair
_LEAD, _VARIANCE = 0.5, 0.05
_DOUBTFUL, _MEETINGS, _MEETINGS_SHARE = 0.1, 12, 0.05
_OPEN_SHARE = 0.5  # of what a rival was asked, to be open while it is searched
_DOUBT_TURNS, _UNLIKELY, _DOUBT_AT_ONCE = 16, 0.02, 100.0
_FIRST_REVIEW, _REVIEWED, _CHEAPER, _CHARGE = 2.0, 1.1, 0.7, 2.0
_LEAST_MISSING, _SPARE, _LIKELY = 0.3, 0.5, 0.3
_WINS_BACK, _REPAID = 0.8, 0.05
_LEAST_RATE = 1e-12  # far below that of the closest pair, or one that went the other way is asked
_LISTED = 1.25  # times the votes from before: up to then a list of further duels is followed
_KNOWN = 8  # duels of a pair, before its bets are for an arm that is not the champion yet
_OF_CHAMPION, _OF_CHAMPION_LATE, _CHAMPION_RULES_OUT = 1.5, 10.0, 2.5
_MANY_ARMS, _LATE = 64, 1000  # from which number of arms on, and after how many turns
_HOPELESS = 0.1  # what the beliefs in all pairs of a truth are below, where it is likely true
_SPEAKS = 1.0  # nats for a champion, from which on bets count in Q where arms are many
_LATE_FIRST, _LATE_GROWTH, _LATE_SHARE, _LATE_OF_ALL = 4.0, 0.5, 0.25, 1e-4
_BITS = 24
_ALL_RULED_OUT = "every arm is ruled out: there is no Condorcet winner"


class GuidedTracker(ABC):
    """One question after the other (:class:`cpe_opt.learners.tracking.SingleTracker`).

    ``assumption`` is what the proof rests on and the answers do not show.
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
        self.champion = self.turns = 0  # the arm to prove; how often a pair was chosen
        self._parallel = checked_count("parallel", parallel)
        self._coins = not np.isfinite(beliefs.cells).all()
        self._open: deque[Duel] = deque()
        self._pending = np.zeros_like(beliefs.cells)
        self._left = beliefs.cells - beliefs.asked
        np.fill_diagonal(self._left, 0.0)
        for i, j in np.argwhere(np.triu(beliefs.held | beliefs.held.T, 1)).tolist():
            self._certain(i, j)

    @abstractmethod
    def answered(self) -> int | Conditional | Unproved | None:
        """The answer, if it is proved; else None. The champion is chosen anew."""

    def proved(self) -> int | Conditional | Unproved | None:
        """The answer, if it is proved, or if there is nothing left to ask."""
        answer = self.answered()
        if answer is None and not (self._coins or self._open or (self._left > 0.0).any()):
            return Unproved(self.champion, ALL_ASKED)
        return answer

    @abstractmethod
    def choose(self) -> Duel | None:
        """The next question, about a pair with cells left; None for any."""

    def question(
        self,
        i: int,
        j: int,
        expected: float = 0.0,
        *,
        share: float = _OF_PAIR,
        most: float = math.inf,
    ) -> Duel:
        """About a pair: several coins at once, late in a run more, as many as may be needed."""
        if not self._coins:
            return Duel(i, j, 1)
        asked = self.beliefs.asked.item(i, j)
        times = share * asked
        if self.late:
            largest = max(_LATE_FIRST, _LATE_GROWTH * asked)
            times = max(times, min(largest, _LATE_SHARE * expected))
            times = max(times, _LATE_OF_ALL * self.beliefs.duels)
        return Duel(i, j, max(1, int(min(times, most))))

    @property
    def late(self) -> bool:
        """Whether so many questions were chosen that the next are to be few."""
        return False

    @abstractmethod
    def evidence(self) -> float:
        """For the champion, as a natural logarithm."""

    def open_queries(self) -> list[Duel]:
        """The questions that are open, the oldest first, after as many were chosen as are to be."""
        # Of the oldest, which several coins may answer, all but one may have come.
        missing = self._parallel - sum(duel.times for duel in self._open)
        missing += self._open[0].times - 1 if self._open else 0
        while missing > 0:
            if not self._coins and not (self._left > 0.0).any():
                break
            duel = self.choose()
            if duel is None:
                duel = Duel(*divmod(int((self._left > 0.0).argmax()), len(self._left)))
            self._put(duel)
            missing -= duel.times if len(self._open) > 1 else 1
        return list(self._open)

    def _put(self, duel: Duel) -> None:
        """Open a question."""
        self._open.append(duel)
        for pair in ((duel.i, duel.j), (duel.j, duel.i)):
            self._pending[pair] += duel.times
            self._left[pair] -= duel.times

    def count(self, observed: float | CellSums) -> None:
        """Settle the bets on the answer to the oldest open question, and learn from it."""
        oldest = self._open.popleft()
        i, j, times = oldest.i, oldest.j, oldest.times
        won, lost = observed if isinstance(observed, tuple) else (observed, times - observed)
        self._pending[i, j] -= times
        self._pending[j, i] -= times
        for first, second, got in ((i, j, won), (j, i, lost)):
            self.bets.target = self._target(first, second)
            self._bet(first, second, got, times)
        left_out = round(times - won - lost)
        self.beliefs.count(i, j, won, times, left_out=left_out, late=self.late)
        if not self._coins:
            self._certain(i, j)

    def _target(self, i: int, j: int) -> int:
        """The arm whose bets count in Q, as a bet on i against j is placed; -1 for none."""
        del i, j
        early = self._coins and self.beliefs.duels < _FIRST_BETS * len(self.prices)
        return -1 if early else self.champion

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
        """A bet that is placed and settled; on several coins the same on each, late a mixture."""
        if self.beliefs.belief.item(i, j) < (_CONFIDENT_OF_COINS if self._coins else _CONFIDENT):
            return
        if times > 1 and self.late:
            bets.add(i, j, self.beliefs.log_mixture(i, j, null, outcome, times))
            return
        stake, mean = self.beliefs.stake(i, j, null, _MOST_STAKE)
        if times == 1:
            bets.add(i, j, math.log1p(stake * (outcome - mean)))
        else:
            won = outcome * math.log1p(stake * (1.0 - mean))
            bets.add(i, j, won + (times - outcome) * math.log1p(-stake * mean))

    def soonest(
        self,
        truth: WeakestTruth,
        preferred: float,
        needed: float,
        lost: Sequence[tuple[int, int]] = (),
    ) -> tuple[int, int, float] | None:
        """The pair of a truth that is expected to be done at the least cost, if any has cells left.

        The third number is after how many answers that is expected; 0 for a pair that is expected
        to go the other way.

        A pair is done when what the evidence lacks is there, or its null is refuted for certain.
        Those of the champion are preferred. Pairs that ``lost`` bets in Q are done when these are
        won back.
        """
        beliefs = self.beliefs
        first, second = np.array([*truth.pairs(self.champion), *lost]).T
        missing = np.full(len(first), max(_LEAST_MISSING, needed - truth.evidence + _SPARE))
        if lost:
            debts = -self.bets.log_q[tuple(np.array(lost).T)]
            missing[-len(lost) :] = np.minimum(missing[-len(lost) :], debts + _REPAID)
        fits = self._left[first, second] > 0.0
        if not fits.any():
            return None
        first, second, missing = first[fits], second[fits], missing[fits]
        answers = missing / np.maximum(beliefs.rate[first, second], _LEAST_RATE)
        likely = beliefs.belief[first, second] > _LIKELY
        certain = beliefs.certain_after(first, second)
        answers = np.where(likely, np.minimum(answers, certain), answers)
        share = np.where(first == self.champion, preferred, 1.0)
        costs = answers * self.prices[first, second] / share
        place = first_smallest(in_bits(costs, _BITS))
        i, j = int(first[place]), int(second[place])
        return i, j, answers.item(place) if beliefs.belief[i, j] >= 0.5 else 0.0

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
        for name, bets in self._all_bets().items():
            bets.log_f, bets.log_q = state[f"{name}.f"].copy(), state[f"{name}.q"].copy()
            bets.held, bets.target = state[f"{name}.held"].copy(), int(state[f"{name}.target"])
        start = "beliefs."
        self.beliefs.restore(
            {name.removeprefix(start): each for name, each in state.items() if start in name}
        )
        self._left = self.beliefs.cells - self.beliefs.asked
        np.fill_diagonal(self._left, 0.0)
        for i, j, times in state["open"].tolist():
            self._put(Duel(i, j, times))

    def _all_bets(self) -> dict[str, PredictableBets]:
        return {"bets": self.bets}

    def guess(self) -> int:
        """The champion."""
        return self.champion

    def doubt(self) -> str:
        """How far it is from its proof."""
        return evidence_so_far(self.evidence(), self.delta, self.assumption)


class GuidedCopeland(GuidedTracker):
    """A Copeland winner within the margin.

    With votes from before, ``outlook`` says when the first question is chosen which arm further
    duels would prove, and how many there would be of each pair in all, shape (K, K).
    """

    def __init__(
        self,
        beliefs: PairBeliefs,
        bets: PredictableBets,
        delta: float,
        prices: FloatArray,
        parallel: int = 1,
        outlook: Callable[[], tuple[int, FloatArray] | None] | None = None,
    ) -> None:
        super().__init__(beliefs, bets, delta, prices, parallel)
        self._outlook = outlook
        self._listed: tuple[int, FloatArray] | None = None
        self._signs = np.sign(beliefs.total - beliefs.total.T)  # by the votes from before
        self._followed = _LISTED * beliefs.duels  # the duels up to which a list is followed
        self._columns = AscendingColumns(beliefs.evidence)
        self._log_e: FloatArray | None = None  # of all votes and duels, if there are votes
        if self._coins and beliefs.total.any():
            self._log_e = log_e_values(beliefs.total, beliefs.total.T, beliefs.null)
        # What there is to review, other than prices, is nothing before there are answers.
        self._review = 0.0 if beliefs.duels else _FIRST_REVIEW * len(prices)
        self._many = self._coins and len(prices) >= _MANY_ARMS
        self._doubted = 0.0
        self._spoken_for = -1  # the arm that the likelihoods spoke for when last looked at
        self._for_its_cost = False  # whether the champion was chosen so, in a review
        self._likely: tuple[object, WeakestTruth] = (None, WeakestTruth(0.0, 0, [], []))
        self._proof: tuple[object, WeakestTruth] = (
            self._likely
        )  # both for a champion at a number of answers

    def state(self) -> TrackerState:
        """Of coins also when costs are compared again, what they led to, and the coins of doubt."""
        found = super().state() | {
            "review": self._review,
            "doubted": self._doubted,
            "spoken for": self._spoken_for,
        }
        winner, listed = self._listed or (-1, np.zeros((0, 0)))
        found |= {"listed": listed, "winner": winner, "outlook": self._outlook is not None}
        return found | {"cheap": self._for_its_cost}

    def restore(self, state: TrackerState) -> None:
        """Go on from it."""
        super().restore(state)
        self._review, self._doubted = float(state["review"]), float(state["doubted"])
        self._spoken_for = int(state["spoken for"])
        self._for_its_cost = bool(state["cheap"])
        winner = int(state["winner"])
        self._listed = None if winner < 0 else (winner, state["listed"].copy())
        self._outlook = self._outlook if state["outlook"] else None
        self._likely = self._proof = (None, self._proof[1])
        if self._log_e is not None:
            total = self.beliefs.total
            self._log_e = log_e_values(total, total.T, self.beliefs.null)

    def count(self, observed: float | CellSums) -> None:
        """Also in the e-values of all votes and duels."""
        oldest = self._open[0]
        super().count(observed)
        if self._log_e is not None:
            pair = [oldest.i, oldest.j]
            won = self.beliefs.total[pair, pair[::-1]]
            self._log_e[pair, pair[::-1]] = log_e_values(won, won[::-1], self.beliefs.null)

    def answered(self) -> int | None:
        """The champion, if the bets against its weakest truth are worth 1/delta."""
        inferiors = self.beliefs.inferiors
        top = int(first_largest(inferiors))
        deviation = math.sqrt(self.beliefs.doubts.item(self.champion))
        lead = max(_LEAD, deviation if self._for_its_cost else 0.0)
        if self._listed is None and self._leads(top, lead):
            self.champion, self._for_its_cost = top, False
        if self._coins and not self._open and self._likely_weakest().evidence < self.needed:
            return None  # nor are the bets worth as much, as a rule
        return self.champion if self.evidence() >= self.needed else None

    def evidence(self) -> float:
        """Against its weakest truth."""
        return self._weakest().evidence

    def _weakest(self) -> WeakestTruth:
        """The weakest truth by the bets."""
        version = (self.champion, self.beliefs.duels)
        if self._proof[0] != version:
            self._proof = version, self._weakest_by(self.bets, self._log_e)
        return self._proof[1]

    def _weakest_by(self, bets: PredictableBets, log_e: FloatArray | None) -> WeakestTruth:
        """By bets, and by e-values of counts where there are votes from before."""
        by_bets = bets.weakest_truth(self.champion)
        if log_e is None:
            return by_bets
        return mean_of_proofs(by_bets, weakest_truth(log_e, self.champion))

    def choose(self) -> Duel | None:
        """Follow the list, or search, or else prove, with some doubt."""
        self.turns += 1
        listed = self._of_list()
        if listed is not None:
            return listed
        if self._coins and self.beliefs.duels >= self._review:
            self._choose_cheapest()
        rival, inferiors = self._rival(), self.beliefs.inferiors
        top = int(first_largest(inferiors))
        leads = self._leads(top, 0.0) and not self._for_its_cost
        if rival is not None and leads:
            self.champion = top
            rival = self._rival()
        if rival is not None:
            return self.question(self.champion, rival, math.inf)
        weakest, by_bets = self._to_refute()
        if self._doubts_now():
            pair = self._doubtful((self.champion, weakest.challenger))
            if pair is not None:
                most = self.beliefs.duels / _DOUBT_AT_ONCE
                duel = self.question(*pair, share=1.0, most=most)
                self._doubted += duel.times
                return duel
        lost = self._to_win_back(weakest) if by_bets else ()
        preferred = _OF_CHAMPION_LATE if self.late else _OF_CHAMPION
        chosen = self.soonest(weakest, preferred, self.needed, lost)
        if chosen is None and not by_bets:
            chosen = self.soonest(self._bets_weakest(), preferred, self.needed)
        return None if chosen is None else self.question(*chosen)

    def _to_refute(self) -> tuple[WeakestTruth, bool]:
        """The weakest truth, and whether that is by the bets."""
        tried = {self.champion}
        while True:
            weakest = self._likely_weakest()
            by_bets = weakest.evidence >= self.needed
            if by_bets:
                weakest = self._bets_weakest()
            likely_true = self._many and all(
                self.beliefs.belief[pair] < _HOPELESS for pair in weakest.pairs(self.champion)
            )
            if not likely_true or weakest.challenger in tried:
                return weakest, by_bets
            self.champion, self._for_its_cost = weakest.challenger, False
            tried.add(self.champion)

    def _of_list(self) -> Duel | None:
        """About a pair of the weakest truth that the list names, until a sign changes."""
        if self._outlook is not None:
            self._listed, self._outlook = self._outlook(), None
        if self._listed is None:
            return None
        beliefs, total = self.beliefs, self.beliefs.total
        self.champion, wanted = self._listed
        missing = wanted - beliefs.asked - self._pending
        turned = (self._signs != 0.0) & (np.sign(total - total.T) != self._signs)
        undecided = np.argwhere(np.triu((missing > 0.0) & (self._signs == 0.0)))
        pairs = [(int(i), int(j)) for i, j in undecided] or self._bets_weakest().pairs(
            self.champion
        )
        pairs = [pair for pair in pairs if missing[pair] > 0.0]
        if turned.any() or beliefs.duels > self._followed or not pairs:
            self._listed = None
            return None
        i, j = pairs[first_largest(np.array([missing[pair] for pair in pairs]))]
        return self.question(i, j, most=missing.item(i, j))

    def _target(self, i: int, j: int) -> int:
        """Of coins also an arm that may become the champion, and any to win back what is lost."""
        target = super()._target(i, j)
        if not self._coins or target < 0:
            return target
        if self._many and self._listed is None and target != self._spoken_for:
            return -1
        contends = self.beliefs.inferiors[i] >= self.beliefs.inferiors[target] - _LEAD
        contends &= self.beliefs.asked.item(i, j) >= _KNOWN
        return i if contends or self.bets.log_q.item(i, j) < 0.0 else target

    def _to_win_back(self, truth: WeakestTruth) -> list[tuple[int, int]]:
        """Pairs of coins whose bets in Q were lost, and count in a truth, but likely win."""
        if not self._coins:
            return []
        lost = (self.bets.log_q < 0.0) & (self.beliefs.belief > _WINS_BACK)
        lost[[self.champion, truth.challenger]] = lost[:, truth.challenger] = False
        return [(int(i), int(j)) for i, j in np.argwhere(lost)]

    @property
    def late(self) -> bool:
        """Of coins, with many arms, after a thousand turns."""
        return self._many and self.turns > _LATE

    def _leads(self, arm: int, lead: float) -> bool:
        """Whether an arm has more inferiors than the champion by more than a lead, late clearly."""
        beliefs = self.beliefs
        if self.late:
            lead = max(lead, beliefs.deviation(arm))
        return bool(beliefs.inferiors[arm] > beliefs.inferiors[self.champion] + lead)

    def _doubts_now(self) -> bool:
        """Every sixteenth turn, and as long as less than a sixteenth of all coins were of doubt."""
        few = self._coins and self._doubted * _DOUBT_TURNS < self.beliefs.duels
        return few or self.turns % _DOUBT_TURNS == 0

    def _choose_cheapest(self) -> None:
        """Prove another arm that may have as many inferiors where that would cost much less."""
        beliefs, inferiors = self.beliefs, self.beliefs.inferiors
        self._review = max(_FIRST_REVIEW * len(inferiors), _REVIEWED * beliefs.duels)
        beaten = beliefs.belief < 0.5
        np.fill_diagonal(beaten, False)
        losses = beaten.sum(axis=1)
        near = inferiors + np.sqrt(beliefs.doubts + _VARIANCE) >= inferiors.max()
        near &= losses == losses.min()
        if self.late and not near[self.champion]:
            return
        near[self.champion] = True
        among = np.flatnonzero(near)
        if len(among) == 1:
            return
        costs = unit_costs(self.prices, np.maximum(beliefs.rate, beliefs.rate.T))
        needed, cost = self.needed + 1.0, np.full(len(inferiors), math.inf)
        for arm in among.tolist():
            _, cost[arm] = relaxed_cost(beaten, arm, costs, needed, _CHARGE)
        cheapest = int(first_largest(-cost))
        if math.isfinite(cost[cheapest]) and cost[cheapest] < _CHEAPER * cost[self.champion]:
            self.champion, self._for_its_cost = cheapest, True

    def _rival(self) -> int | None:
        """An arm that may well be better than the champion and has hardly met it."""
        beliefs, champion, inferiors = self.beliefs, self.champion, self.beliefs.inferiors
        hopes = inferiors + np.sqrt(beliefs.doubts + _VARIANCE)
        belief, pending = beliefs.belief[champion], self._pending[champion]
        met = beliefs.asked[champion] + pending
        few = max(_MEETINGS, _MEETINGS_SHARE * beliefs.duels)
        fits = (belief > _DOUBTFUL) & (belief < 1.0 - _DOUBTFUL) & (met < few)
        fits &= (self._left[champion] > 0) & (pending <= _OPEN_SHARE * beliefs.asked[champion])
        hopes = np.where(fits, hopes, -math.inf)
        rival = int(first_largest(hopes))
        return rival if hopes[rival] > inferiors[champion] else None

    def _likely_weakest(self) -> WeakestTruth:
        """The weakest truth by likelihoods, as if open questions were answered as expected."""
        version = (self.champion, self.beliefs.duels, len(self._open))
        if self._likely[0] != version:
            evidence = self.beliefs.evidence
            if self._open:
                evidence = evidence + self.beliefs.rate * self._pending
            self._columns.follow(evidence)
            champion, held = self.champion, self.beliefs.held[self.champion]
            nothing = np.zeros(len(evidence))
            weakest = weakest_sets(self._columns, evidence[champion], nothing, champion, held)
            self._likely = version, weakest
            self._spoken_for = champion if weakest.evidence >= _SPEAKS else -1
        return self._likely[1]

    def _bets_weakest(self) -> WeakestTruth:
        """The weakest truth by the bets, as if open questions were answered as expected."""
        if not self._open:
            return self._weakest()
        supposed = self.beliefs.rate * self._pending
        bets = self.bets.copy()
        bets.log_f += supposed
        bets.log_q[self.champion] += supposed[self.champion]
        log_e = None if self._log_e is None else self._log_e + supposed
        return self._weakest_by(bets, log_e)

    def _doubtful(self, arms: tuple[int, int]) -> tuple[int, int] | None:
        """The pair of these arms that most likely goes against them, of those hardly known."""
        beliefs, rows = self.beliefs, np.array(arms)
        belief, asked = beliefs.belief[rows], beliefs.asked[rows]
        index = 0.5 * np.log(asked + 1.0) - np.log(np.maximum(belief, 1e-9))
        bound = math.log(beliefs.duels + 1.0) - 2.0
        fits = (belief > _UNLIKELY) & (belief < 0.5) & (self._left[rows] > 0.0) & (index < bound)
        if not fits.any():
            return None
        place, other = divmod(
            int(first_largest(np.where(fits, belief, -1.0).ravel())), len(self._left)
        )
        return arms[place], other


class GuidedCondorcet(GuidedTracker):
    """The Condorcet winner, or an arm that it beats by at most the margin.

    ``plain`` bets against the nulls without margin; it is ``bets`` for a margin of 0.
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
        self._log_belief, self._seen = np.zeros_like(prices), np.ones_like(prices)

    def _all_bets(self) -> dict[str, PredictableBets]:
        return {"bets": self.bets, "plain": self._plain}

    def answered(self) -> Conditional | Unproved | None:
        """The champion, if all others are ruled out as winners that beat it by the margin."""
        against = self._against()
        if against.min() >= self.needed:
            return Unproved(self.champion, _ALL_RULED_OUT)
        self._likely = in_bits(self._likelihoods(), _BITS)
        self.champion = int(first_largest(np.where(against < self.needed, self._likely, -math.inf)))
        if self.evidence() >= self.needed:
            return Conditional(self.champion, self.assumption)
        return None

    def _likelihoods(self) -> FloatArray:
        """The logarithm of the probability that each arm beats all others."""
        belief = self.beliefs.belief
        first, second = np.nonzero(belief != self._seen)
        self._log_belief[first, second] = np.log(np.maximum(belief[first, second], 1e-6))
        np.fill_diagonal(self._log_belief, 0.0)
        self._seen[first, second] = belief[first, second]
        return np.asarray(self._log_belief.sum(axis=1))

    def _against(self, answer: int | None = None) -> FloatArray:
        """Against every arm as the winner, or as one under which an answer is wrong."""
        if self._plain is self.bets:
            against = self._plain.against_condorcet().copy()
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

    def _bet(self, i: int, j: int, outcome: float, times: int) -> None:
        super()._bet(i, j, outcome, times)
        if self._plain is not self.bets:
            self._settle(self._plain, 0.5, i, j, outcome, times)

    def choose(self) -> Duel | None:
        """The rival that most likely is the winner, and the arm that rules it out the soonest."""
        self.turns += 1
        left = self._left
        against = self._against(self.champion)
        if self._open:
            against = against + (self.beliefs.rate * self._pending).sum(axis=0)
        open_ = (against < self.needed) & (self._coins or (left > 0.0).any(axis=0))
        if not open_.any():
            return None
        hope = self._likely
        if self._coins and self.turns % _DOUBT_TURNS:
            missing = np.maximum(_LEAST_MISSING, self.needed - against + _SPARE)
            rate = np.maximum(self.beliefs.rate[self.champion], 1e-6)
            hope = -in_bits(missing / rate * self.prices[self.champion], _BITS)
        rival = int(first_largest(np.where(open_, hope, -math.inf)))
        arms = np.flatnonzero(left[:, rival] > 0.0).tolist()
        truth = WeakestTruth(against.item(rival), rival, arms, [])
        pair = self.soonest(truth, _CHAMPION_RULES_OUT, self.needed)
        return None if pair is None else self.question(*pair)


def beliefs_and_bets(
    arms: int,
    *,
    margin: float,
    cells: npt.ArrayLike | None,
    answered: npt.ArrayLike | None,
    prior: npt.ArrayLike | Votes | None,
) -> tuple[PairBeliefs, PredictableBets]:
    """What a guided tracker starts with."""
    tally = prior_tally(arms, prior)
    won = np.asarray(tally.draws * tally.estimate)
    null = 0.5 - margin
    before = log_e_values(won, won.T, null) if won.any() else None
    bets = PredictableBets(arms, margin, before)
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
