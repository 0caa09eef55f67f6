r"""Ask where a proof is expected to grow: one rule for the trackers of duels.

What the answers prove rests on bets placed in advance
(:mod:`cpe_opt.proofs.dueling.predictable_bets`), which hold for any rule that chooses pairs. The
rule below decides only how many answers a proof takes, by what a model expects of each pair, also
of those that never met (:mod:`cpe_opt.learners.dueling.beliefs`).

**The rule.** A turn asks about one pair:

1. *Draw* preference matrices from the posterior: of each pair a sign, by the log-odds z of its
   belief and a normal number g, positive where :math:`z / 1.7 + \tau g > 0`. The part of g that is
   due to what is not known of the strengths of the two arms is one number an arm, so that an arm of
   which little is known is drawn as strong, or as weak, against all others at once; it fades as
   duels of the pair come in. Pairs of which little is known are asked about by that alone.
2. The answer of a drawn matrix *leads*; the *champion*, the arm to prove, if it is one of them.
   Only arms that are among the 16 expected to beat the most others may lead.
3. Of each leader find the *weakest truth* under which it is wrong: the one that the answers speak
   against the least, by likelihood ratios as long as these are not enough for a proof, then by the
   bets.
4. Of the pairs that a draw takes for provable, ask about the one that is *done soonest*: whose
   missing evidence costs the least at the rate that is expected of it, or whose missing cells make
   it certain. Where no pair is provable, the truth's challenger leads instead.

First one matrix is drawn. Where several coins are to be asked about at once, as many matrices are
drawn, up to 32, and the pair is chosen again: one of these coins would have been asked about
another pair.

It is Thompson sampling of the leader with its closest challenger (T3C: Shang, de Heide, Kaufmann,
Ménard, Valko, AISTATS 2020). Of the pairs of one truth those are preferred that are in many others:
the least cost of all truths together is the value of a game in which a pair earns its rate times
the share of the truths that it is in, so that the cost of a pair is divided by the share of the
truths so far that it was in (fictitious play), plus :math:`9 / \ln(1/\delta)`. So as delta falls
the proportions of duels tend to those of T*; where little is to be proved, and much to be found
out, as at a delta of 0.05, the shares matter less.

**The champion** changes where an answer comes in: to the arm that is expected to be the answer.

**Bets.** Before each answer both nulls of the pair may be bet against, if they are likely false. A
bet on a cell is the stake that fits the model's mean. The stake on coins of a pair is divided: one
part is the mixture of all stakes (:mod:`cpe_opt.proofs.dueling.e_values`), which bets from the
first duel on, the other the mixture by the model's posterior, which grows faster where the model is
right. Both are supermartingales of the pair alone, and so is their sum. With two arms, of which the
model knows nothing, the first is all.

In Q (:mod:`cpe_opt.proofs.dueling.predictable_bets`) bets count for the champion and for an arm
that may take its place. What is lost there, of all pairs together, is missing in the proofs of all
arms: so the bets on coins of a pair begin to count in Q where the belief in its favourite is above
:math:`1 - 3/K`, and go on, for whichever arm, until what was lost is won back. Such pairs are asked
about as if they were of the weakest truth, when the bets are looked at.

**Coins** are asked about several at once: 3 % of those of the pair, or an eighth of those that it
is expected to need, but at most a quarter of those that it has had. Mixtures lose nothing by the
size of a batch.

**Several questions at once.** With ``parallel`` p above 1 so many questions are open all the time
(:class:`cpe_opt.problems.queries.Window`): as soon as the oldest is answered it is counted, and
another one is chosen, as if the p - 1 that are open were answered as expected. So that many judges
do not wait for the model, p/16 questions are chosen at once from 32 on, each by a draw of its own,
knowing nothing of the others; the model learns when fewer than p are open, and what it expects
stays until then. The answers are used in the order in which their questions were chosen, whenever
they come; each is bet on knowing those before it, as far as the model has learnt from them
(:mod:`cpe_opt.proofs.dueling.predictable_bets`).

**Rounds.** Where answers take hours, they come in *rounds*: nothing is chosen while questions of
one are open. Let R be how many questions the champion's proof is expected to need, if the champion
is right: the sum of what pairs of its weakest truths lack, of each truth the pair that is done
soonest. With ``rounds`` n all rounds have one size, 1.6 times the first R divided by n, since
proofs take longer than is expected before the first answer. Near the end a round has 0.7 R
questions, if that is less, so that few are asked in vain; but no fewer than a quarter of the size,
for which nobody waits hours. (A size that grows with what was asked, and a round of all of R, take
more calls for as many rounds.)

The questions of a round are chosen one after the other, each by a draw of its own. A round with the
share s of R asks the share s of what each pair is expected to need: an open question counts as 1/s
of its kind, so that the next truths come into sight, and their pairs; one that needs a single
answer is asked about once.

**Votes from before** are what F begins with.

**Hints** of cells enter the bets, and what is expected of pairs
(:mod:`cpe_opt.proofs.dueling.cell_hints`, :mod:`cpe_opt.learners.dueling.beliefs`).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.learners.dueling.beliefs import PairBeliefs
from cpe_opt.learners.dueling.prior_votes import prior_tally
from cpe_opt.learners.queries import Conditional, Unproved
from cpe_opt.learners.tracking import ALL_ASKED, TrackerState, evidence_so_far
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.queries import CellSums, Duel
from cpe_opt.proofs.dueling.cell_hints import CellHints, ToldHints
from cpe_opt.proofs.dueling.copeland import WeakestTruth
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.predictable_bets import PredictableBets
from cpe_opt.ties import first_smallest, in_bits
from cpe_opt.validation import checked_count


@dataclass(frozen=True)
class Tuning:
    """The numbers of the rule.

    Below each: the duels with half and with double of it, as multiples of those with the number
    itself, on ``gap``, ``cyclic`` and 32 arms of Bradley and Terry, 20 runs each; standard errors
    are 5 to 9 %.
    """

    temper: float = 0.6  # of the noise of a draw
    # half: 1.4, 1.1, 0.9; double: 0.9, 1.1, 1.1
    draws: int = 32  # matrices at most; of half as many arms any may lead
    # half: 1.0, 1.0, 1.0; double: 1.0, 1.0, 1.2
    unseen: float = 9.0  # with which share of all truths a pair begins, times ln(1/delta)
    # half: 1.1, 1.1, 1.0; double: 0.9, 1.0, 1.0, and on mslr5-cycle 2.9
    share: float = 0.03  # coins asked about at once, of those of the pair
    # half: 1.0, 1.0, 1.0; double: 0.9, 1.2, 1.0
    expected: float = 0.125  # and of those that it is expected to need
    # half: 1.0, 1.0, 1.0; double: 0.9, 1.1, 1.0
    together: float = 1.0 / 16.0  # of the questions that are open, chosen by the same beliefs
    # with 80 open on test sets of 3, 6, 10, 12 arms, 60 runs each; one by one and double: 1.0
    counts: float = 0.05  # the part of a stake of coins that is the mixture of all stakes
    # half: 1.0, 1.1, 1.0; double: 1.0, 1.0, 1.0
    confident: float = 0.8  # what the belief in a favourite is before the model bets on it
    # half as far from 1: 1.0, 1.1, 1.0; twice as far: 1.0, 1.1, 1.0
    doubt: float = 3.0  # of K pairs, how many may be bet on in Q and yet be lost
    # half: 1.0, 1.0, 0.9; double: 1.0, 1.0, 1.1


@dataclass(frozen=True)
class RoundSizes:
    """How large rounds are."""

    stretch: float = 1.6  # all rounds together, times what is expected before the first answer
    end: float = 0.7  # of what is expected to be needed, when that is less than a whole round
    least: float = 0.25  # of a whole round


_ROUNDS = RoundSizes()
_SPARE, _LEAST_DEBT = 0.5, 0.05  # nats
_LEAST_BELIEF = 0.05  # of a pair that is to be proved
_LEAST_RATE = 1e-12  # far below that of the closest pair, or one that went the other way is asked
_PROBIT = 1.7  # logistic for normal
_BITS = 24


class Stakes:
    """The stakes against the nulls of one margin, and how they are bet."""

    def __init__(
        self, arms: int, margin: float, won: FloatArray, coins: bool, tuning: Tuning
    ) -> None:
        self.null = 0.5 - margin
        before = log_e_values(won, won.T, self.null) if coins and won.any() else None
        self.bets = PredictableBets(arms, margin, before)
        self._coins, self._confident = coins, tuning.confident
        self._counts = 1.0 if arms == 2 else tuning.counts
        self.by_model = self.bets.log_f.copy()  # ln of the part that goes by the model

    def placed(
        self,
        beliefs: PairBeliefs,
        i: int,
        j: int,
        outcome: float,
        times: int,
        hint: float = math.nan,
    ) -> tuple[float, float]:
        """What the bets on i against j, by what is known before, make of a stake with this outcome.

        The logarithms, for the part by the model and for all of it.
        """
        likely = beliefs.belief.item(i, j) >= self._confident
        if not self._coins:
            if not likely:
                return 0.0, 0.0
            bet, hints = beliefs.bet(i, j, self.null), beliefs.hints
            excess = 0.0 if hints is None else hint - hints.of_left(i, j)
            gained = math.log1p(bet.gain(outcome, excess))
            return gained, gained
        gained = beliefs.log_mixture(i, j, self.null, outcome, times) if likely else 0.0
        won = np.array([beliefs.total.item(i, j) + outcome])
        lost = beliefs.total.item(j, i) + times - outcome
        counts = math.log(self._counts) + log_e_values(won, np.array([lost]), self.null).item()
        if self._counts == 1.0:
            return gained, counts - self.bets.log_f.item(i, j)
        model = math.log1p(-self._counts) + self.by_model.item(i, j) + gained
        return gained, float(np.logaddexp(counts, model)) - self.bets.log_f.item(i, j)

    def settle(self, i: int, j: int, gained: tuple[float, float], target: int) -> None:
        """Take in what became of the bets, which count in Q for an arm."""
        self.by_model[i, j] += gained[0]
        self.bets.target = target
        self.bets.add(i, j, gained[1], of_target=gained[0])


class Draws:
    """Matrices of wins, drawn from the posterior, as far as they are looked at.

    Of the arms that may lead, the champion and those that are expected to beat the most others,
    ``arms``, shape (C,), in ascending order, all wins are drawn at once, ``wins``, shape (n, C, K);
    of others those that are asked for.
    """

    def __init__(
        self,
        beliefs: PairBeliefs,
        champion: int,
        number: int,
        tuning: Tuning,
        rng: np.random.Generator,
    ) -> None:
        self._beliefs, self._temper, self._rng = beliefs, tuning.temper, rng
        self._champion = champion
        arms = len(beliefs.inferiors)
        best = np.argsort(-beliefs.inferiors, kind="stable")[: tuning.draws // 2]
        self.arms = np.union1d(best, [champion])
        self._row = np.full(arms, -1)
        self._row[self.arms] = np.arange(len(self.arms))
        self._strength = rng.normal(size=(number, arms)) * beliefs.deviation
        own = rng.standard_normal((number, len(self.arms), arms))
        among = np.triu(own[:, :, self.arms], 1)
        own[:, :, self.arms] = among - among.swapaxes(1, 2)
        row, column = self.arms[:, None], np.arange(arms)[None, :]
        self._noise = self._noise_of(slice(None), row, column, own)
        self.wins = self._likely(row, column) + self._noise > 0.0
        self.wins[:, np.arange(len(self.arms)), self.arms] = False

    def _likely(self, first: IntArray, second: IntArray) -> FloatArray:
        """How likely the first beats the second, as a normal number."""
        belief = np.clip(self._beliefs.belief[first, second], 1e-9, 1.0 - 1e-9)
        return np.asarray(np.log(belief / (1.0 - belief)) / _PROBIT)

    def _noise_of(
        self, draws: slice | IntArray, first: IntArray, second: IntArray, own: FloatArray
    ) -> FloatArray:
        """The part that is due to the strengths of both, and what is the pair's own."""
        beliefs, strength = self._beliefs, self._strength[draws]
        spread = np.hypot(beliefs.deviation[first], beliefs.deviation[second])
        common = 1.0 / np.sqrt(1.0 + beliefs.asked[first, second])
        noise = common / spread * (strength[:, first] - strength[:, second])
        return np.asarray(self._temper * (noise + np.sqrt(1.0 - common**2) * own))

    def leaders(self, preferred: FloatArray | float = 0.0) -> IntArray:
        """The arms with the most wins, shape (n,): the champion, or the most preferred of several.

        ``preferred``, shape (C,), are below 1; the first of equals.
        """
        number = self.wins.sum(axis=2)
        of_champion = number[:, self._row[self._champion]]
        best = self.arms[(number + preferred).argmax(axis=1)]
        return np.where(of_champion == number.max(axis=1), self._champion, best)

    def any_wins(self, draws: IntArray, first: IntArray, second: IntArray) -> BoolArray:
        """Whether the first beats the second in any of these draws."""
        row, column = self._row[first], self._row[second]
        wins: BoolArray = self.wins[draws[:, None], row, second]
        if row.min() >= 0:
            return np.asarray(wins.any(axis=0))
        noise = np.zeros((len(draws), len(first)))
        follows, others = (row < 0) & (column >= 0), (row < 0) & (column < 0)
        noise[:, follows] = -self._noise[draws[:, None], column[follows], first[follows]]
        own = self._rng.standard_normal((len(draws), int(others.sum())))
        noise[:, others] = self._noise_of(draws, first[others], second[others], own)
        likely = self._likely(first, second) + noise > 0.0  # wins of row -1 are nobody's
        return np.asarray(np.where(row >= 0, wins, likely).any(axis=0))


class PairTracker(ABC):
    """One question after the other (:class:`cpe_opt.learners.tracking.SingleTracker`).

    Of pairs, (K, K), are ``prices``, votes from before (``prior``), on a fixed test set the
    ``cells`` that are left and what was got on those that are ``answered``; coins without cells.
    """

    assumption = ""  # what the proof rests on and the answers do not show

    def __init__(
        self,
        delta: float,
        prices: FloatArray,
        *,
        margin: float = 0.0,
        prior: npt.ArrayLike | Votes | None = None,
        cells: npt.ArrayLike | None = None,
        answered: npt.ArrayLike | None = None,
        hints: ToldHints | None = None,
        parallel: int = 1,
        rounds: int | None = None,
        seed: int = 0,
        tuning: Tuning = Tuning(),
    ) -> None:
        arms = len(prices)
        self.delta, self.needed, self.prices, self.tuning = delta, -math.log(delta), prices, tuning
        self.champion = self.turns = 0  # the arm to prove, and how often matrices were drawn
        self.parallel, self._seed = checked_count("parallel", parallel), seed
        self._rounds = None if rounds is None else checked_count("rounds", rounds)
        # how many questions a round has, and which share of R the last one
        self._size, self._share = 0.0, 1.0
        self._coins = cells is None
        won, all_cells = _start(arms, prior, cells, answered)
        of_cells = None if hints is None or cells is None else CellHints(hints, cells)
        self.beliefs = PairBeliefs(all_cells, 0.5 - margin, won, of_cells)
        self.stakes = [Stakes(arms, margin, won, self._coins, tuning)]
        self.bets = self.stakes[0].bets
        self._asked = 0.0
        self._truths = np.zeros((arms, arms))  # duels of the truths that a null was in
        self._open: deque[Duel] = deque()
        self._news: list[tuple[int, int]] = []  # the pairs of answers that nothing was learnt from
        self._pending = np.zeros((arms, arms))
        self._left = all_cells - self.beliefs.asked
        np.fill_diagonal(self._left, 0.0)

    # What a goal says.

    @abstractmethod
    def answered(self) -> int | Conditional | Unproved | None:
        """The answer, if it is proved; else None."""

    @abstractmethod
    def expected(self) -> int:
        """The arm to prove, by all answers so far."""

    @abstractmethod
    def leaders(self, draws: Draws) -> IntArray:
        """The answer of each of the drawn matrices."""

    @abstractmethod
    def weakest(self, arm: int) -> tuple[WeakestTruth, bool]:
        """The weakest truth against an arm, as if open questions were answered as expected.

        And whether it is by the bets.
        """

    @abstractmethod
    def evidence(self) -> float:
        """For the champion, as a natural logarithm."""

    # What all do.

    def begin(self) -> None:
        """Take in what was there before the first question."""
        if not self._coins:
            for i, j in np.argwhere(self.beliefs.held).tolist():
                self._certain(i, j)
        self.champion = self.expected()

    def proved(self) -> int | Conditional | Unproved | None:
        """The answer, if it is proved, or if there is nothing left to ask."""
        answer = self.answered()
        if answer is None and not (self._open or self._any_left):
            return Unproved(self.champion, ALL_ASKED)
        return answer

    def open_queries(self) -> list[Duel]:
        """The questions that are open, the oldest first, after as many were chosen as are to be."""
        if self._rounds is not None:
            if not self._open:
                self._begin_round(self._rounds)
            return list(self._open)
        while self._few_open and self._any_left:
            self._learn()
            self._open_more(self._at_once)
        return list(self._open)

    @property
    def _at_once(self) -> int:
        """How many questions are chosen by the same beliefs."""
        return max(1, int(self.tuning.together * self.parallel))

    @property
    def _few_open(self) -> bool:
        """Whether fewer questions are open than are to be."""
        # Of the oldest, which several coins may answer, all but one may have come.
        answered = self._open[0].times - 1 if self._open else 0
        return int(self._pending.sum()) // 2 - answered < self.parallel

    @property
    def _any_left(self) -> bool:
        """Whether there is anything to ask."""
        return self._coins or bool((self._left > 0.0).any())

    def _open_more(self, number: int) -> int:
        """Open questions for so many answers, or a few more, none knowing of the others.

        It gives how many answers they are for.
        """
        self.turns += 1
        draws, left, chosen = self._draw(number), self._left, list[Duel]()
        leaders, self._left, asked = self.leaders(draws), left.copy(), 0
        while asked < number and self._any_left:
            duel = self._choose(draws, leaders, len(chosen))
            self._left[[duel.i, duel.j], [duel.j, duel.i]] -= duel.times
            chosen.append(duel)
            asked += duel.times
        self._left = left
        for duel in chosen:
            self._put(duel)
        return asked

    def _begin_round(self, rounds: int) -> None:
        """Open the questions of the next round."""
        need, sizes = max(1.0, self._expected_need()), _ROUNDS
        if self._size == 0.0:
            self._size = sizes.stretch * need / rounds
        bound = need if rounds == 1 else sizes.end * need
        size = max(1.0, round(min(self._size, max(bound, sizes.least * self._size))))
        self._share = min(1.0, size / need)
        while size > 0.0 and self._any_left:
            size -= self._open_more(1)

    def _expected_need(self) -> float:
        """How many answers the champion's proof is expected to need, if it is right."""
        kept = self._pending, self._left, self._share
        self._pending, self._left, self._share = self._pending.copy(), self._left.copy(), 1.0
        arm, need, rate = self.champion, 0.0, self._rate_if_right()
        for _ in range(4 * len(rate)):
            truth, _ = self.weakest(arm)
            first, second = np.array(truth.pairs(arm), dtype=np.int64).reshape(-1, 2).T
            missing, left = self.needed - truth.evidence, self._left[first, second]
            if missing <= 0.0 or not (left > 0.0).any():
                break
            answers = np.minimum(left, np.ceil(in_bits(missing / rate[first, second], _BITS)))
            place = first_smallest(np.where(left > 0.0, answers, math.inf))
            i, j, number = int(first[place]), int(second[place]), answers.item(place)
            for pair in ((i, j), (j, i)):
                self._pending[pair] += missing / rate.item(i, j)
                self._left[pair] -= number
            need += number
        self._pending, self._left, self._share = kept
        return need

    def supposed(self) -> FloatArray:
        """The evidence of open questions, as if they were answered as expected."""
        rate = self.beliefs.rate if self._rounds is None else self._rate_if_right()
        return np.asarray(rate * self._pending / self._share)

    def _rate_if_right(self) -> FloatArray:
        """The rates of pairs whose nulls are false."""
        rate, belief = self.beliefs.rate, self.beliefs.belief
        return np.maximum(rate, _LEAST_RATE) / np.maximum(belief, _LEAST_BELIEF)

    def _choose(self, draws: Draws, leaders: IntArray, place: int) -> Duel:
        """The pair of a leader's weakest truth that is done soonest, by one of the draws."""
        duel, truth = self._chosen(draws, leaders, np.array([place]))
        if duel.times > 1:
            self.turns += int(place > 0)  # so that each of several has matrices of its own
            draws = self._draw(min(duel.times, self.tuning.draws))
            leaders = self.leaders(draws)
            duel, truth = self._chosen(draws, leaders, np.arange(len(leaders)))
        self._truths[truth] += duel.times
        self._asked += duel.times
        return duel

    def _draw(self, number: int) -> Draws:
        """Matrices of this turn."""
        bits = np.random.Philox(key=np.array([self._seed, self.turns], dtype=np.uint64))
        rng = np.random.Generator(bits)
        return Draws(self.beliefs, self.champion, number, self.tuning, rng)

    def _chosen(
        self, draws: Draws, leaders: IntArray, places: IntArray
    ) -> tuple[Duel, tuple[IntArray, IntArray]]:
        """By some of the draws and their leaders; and the nulls of the truth in question."""
        leaders = leaders[places]
        found = [
            self._soonest(arm, partial(draws.any_wins, places[leaders == arm]))
            for arm in sorted({*leaders.tolist()})
        ]
        arm, tried = int(leaders[0]), set[int]()
        while not any(found) and arm not in tried:
            tried.add(arm)
            found.append(self._soonest(arm, partial(draws.any_wins, places)))
            arm = self.weakest(arm)[0].challenger
        if not any(found):
            found.append(self._soonest(arm, lambda first, _: np.ones(len(first), dtype=np.bool_)))
        costs = [(each[0], place) for place, each in enumerate(found) if each]
        if costs:
            chosen = found[min(costs)[1]]
            assert chosen is not None
            return chosen[1:]
        i, j = divmod(int((self._left > 0.0).argmax()), len(self._left))
        return Duel(i, j), (np.array([i]), np.array([j]))

    def _soonest(
        self, arm: int, provable: Callable[[IntArray, IntArray], BoolArray]
    ) -> tuple[float, Duel, tuple[IntArray, IntArray]] | None:
        """The provable pair of the weakest truth against an arm that is done at the least cost.

        The cost, the question, and the nulls of the truth; None where no pair is provable.
        """
        tuning = self.tuning
        truth, by_bets = self.weakest(arm)
        lost = self._to_win_back(arm, truth) if by_bets else []
        first, second = np.array([*truth.pairs(arm), *lost], dtype=np.int64).reshape(-1, 2).T
        fits = provable(first, second) & (self._left[first, second] > 0.0)
        if not fits.any():
            return None
        missing = np.full(len(first), max(0.0, self.needed - truth.evidence) + _SPARE)
        if lost:
            debts = -self.bets.log_q[tuple(np.array(lost).T)]
            missing[-len(lost) :] = np.minimum(missing[-len(lost) :], debts)
        answers = self._answers(first, second, missing)
        seen = 1.0 + tuning.unseen / self.needed * self._asked
        costs = answers * self.prices[first, second] / (seen + self._truths[first, second])
        costs = in_bits(np.where(fits, costs, math.inf), _BITS)
        place = first_smallest(costs)
        i, j = int(first[place]), int(second[place])
        duel = Duel(i, j, self._times(i, j, answers.item(place)))
        return costs.item(place), duel, (first, second)

    def _answers(self, first: IntArray, second: IntArray, missing: FloatArray) -> FloatArray:
        """How many more answers of pairs are expected to give this evidence, or make it certain."""
        answers = missing / np.maximum(self.beliefs.rate[first, second], _LEAST_RATE)
        if self._coins:
            return np.asarray(answers)
        return np.minimum(answers, self.beliefs.certain_after(first, second))

    def _times(self, i: int, j: int, expected: float) -> int:
        """How many coins of a pair are asked about at once; it is expected to need so many."""
        if not self._coins:
            return 1
        asked, likely = self.beliefs.asked.item(i, j), self.beliefs.belief.item(i, j) >= 0.5
        ahead = min(asked / 4.0, self.tuning.expected * expected) if likely else 0.0
        return max(1, int(max(self.tuning.share * asked, ahead)))

    def _to_win_back(self, arm: int, truth: WeakestTruth) -> list[tuple[int, int]]:
        """Pairs of coins whose bets in Q were lost, and count in a truth, but likely win."""
        if not self._coins:
            return []
        lost = (self.bets.log_q < -_LEAST_DEBT) & (self.beliefs.belief > self.tuning.confident)
        lost[[arm, truth.challenger]] = lost[:, truth.challenger] = False
        return [divmod(pair, len(lost)) for pair in np.flatnonzero(lost).tolist()]

    def _put(self, duel: Duel) -> None:
        """Open a question."""
        self._open.append(duel)
        for pair in ((duel.i, duel.j), (duel.j, duel.i)):
            self._pending[pair] += duel.times
            self._left[pair] -= duel.times

    def count(self, observed: float | CellSums) -> None:
        """Settle the bets on the answer to the oldest open question, and count it."""
        oldest, beliefs = self._open.popleft(), self.beliefs
        i, j, times = oldest.i, oldest.j, oldest.times
        if not isinstance(observed, CellSums):
            observed = CellSums(observed, times - observed)
        won, lost, hint = observed
        self._pending[i, j] -= times
        self._pending[j, i] -= times
        for first, second, got, guess in ((i, j, won, hint), (j, i, lost, 1.0 - hint)):
            target = self._target(first, second)
            for stakes in self.stakes:
                gained = stakes.placed(beliefs, first, second, got, times, guess)
                stakes.settle(first, second, gained, target)
        beliefs.count(i, j, won, times, left_out=round(times - won - lost), hint=hint)
        self._news.append((i, j))
        if self._at_once == 1 or self._few_open:
            self._learn()

    def _learn(self) -> None:
        """From the answers since it was done last."""
        if not self._news:
            return
        news, self._news = self._news, []
        self.beliefs.learn([*dict.fromkeys(arm for pair in news for arm in pair)])
        for i, j in [] if self._coins else news:
            self._certain(i, j)
            self._certain(j, i)
        self.champion = self.expected()

    def _certain(self, i: int, j: int) -> None:
        """Note what the cells asked so far make certain of i against j."""
        if self.beliefs.held[i, j]:
            self.bets.certain(i, j, self.beliefs.refuted.item(i, j))

    def _target(self, i: int, j: int) -> int:
        """The arm whose bets count in Q, as a bet on i against j is placed; -1 for none."""
        beliefs, log_q = self.beliefs, self.bets.log_q.item(i, j)
        contends = beliefs.inferiors[i] >= beliefs.inferiors[self.champion] - 0.5
        if not self._coins:
            return i if contends else self.champion
        likely = beliefs.belief.item(i, j) >= 1.0 - self.tuning.doubt / len(self.prices)
        if not likely and log_q == 0.0:
            return -1
        return i if contends or log_q < 0.0 else self.champion

    def guess(self) -> int:
        """The champion."""
        return self.champion

    def doubt(self) -> str:
        """How far it is from its proof."""
        return evidence_so_far(self.evidence(), self.delta, self.assumption)

    def state(self) -> TrackerState:
        """Beliefs, stakes, the champion and the open questions, between two answers."""
        rows = [(duel.i, duel.j, duel.times) for duel in self._open]
        found: TrackerState = {"champion": self.champion, "turns": self.turns}
        found |= {"open": np.array(rows, dtype=np.int64).reshape(-1, 3)}
        found |= {"news": np.array(self._news, dtype=np.int64).reshape(-1, 2)}
        found |= {"truths": self._truths.copy(), "asked": self._asked}
        found |= {"size": self._size, "share": self._share}
        for number, stakes in enumerate(self.stakes):
            bets, name = stakes.bets, f"stakes {number}"
            found |= {f"{name}.f": bets.log_f.copy(), f"{name}.q": bets.log_q.copy()}
            found |= {f"{name}.held": bets.held.copy(), f"{name}.model": stakes.by_model.copy()}
        return found | {f"beliefs.{name}": each for name, each in self.beliefs.state().items()}

    def restore(self, state: TrackerState) -> None:
        """Go on from it."""
        self.champion, self.turns = int(state["champion"]), int(state["turns"])
        self._truths, self._asked = state["truths"].copy(), float(state["asked"])
        self._size, self._share = float(state["size"]), float(state["share"])
        for number, stakes in enumerate(self.stakes):
            bets, name = stakes.bets, f"stakes {number}"
            bets.log_f, bets.log_q = state[f"{name}.f"].copy(), state[f"{name}.q"].copy()
            bets.held, stakes.by_model = state[f"{name}.held"].copy(), state[f"{name}.model"].copy()
        start = "beliefs."
        self.beliefs.restore(
            {name.removeprefix(start): each for name, each in state.items() if start in name}
        )
        self._left = self.beliefs.cells - self.beliefs.asked
        np.fill_diagonal(self._left, 0.0)
        self._news = [(i, j) for i, j in state["news"].tolist()]
        for i, j, times in state["open"].tolist():
            self._put(Duel(i, j, times))


def _start(
    arms: int,
    prior: npt.ArrayLike | Votes | None,
    cells: npt.ArrayLike | None,
    answered: npt.ArrayLike | None,
) -> tuple[FloatArray, FloatArray]:
    """What each arm got against each other before the first question, and all cells."""
    tally = prior_tally(arms, prior)
    if cells is None:
        infinite = np.full((arms, arms), math.inf)
        np.fill_diagonal(infinite, 0.0)
        return np.asarray(tally.draws * tally.estimate), infinite
    if prior is not None:
        raise InputError(
            "prior is given with cells: votes do not say which cells they answer; expected "
            "answered, the sums of the cells that are answered"
        )
    total = np.zeros((arms, arms)) if answered is None else np.asarray(answered, dtype=np.float64)
    return total, np.asarray(cells) + total + total.T
