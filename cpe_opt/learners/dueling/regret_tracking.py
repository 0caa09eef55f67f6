r"""Regret tracking: little regret in Copeland dueling bandits, for any preference matrix.

The rules and what runs lose: ``docs/ideas/regret-tracking.md``; proofs: ``docs/regret-theorem.md``.

**Ways.** An arm i is no Copeland winner if and only if some other arm j, the *challenger*, has at
most :math:`\ell` losses while i has more than :math:`\ell`. A *way* is a smallest set of statements
"a beats b" that make it so. With m losses of i against other arms than j there are two kinds:

* j beats i, i loses to m others, and j does not lose to :math:`K - 2 - m` others, as
  :math:`\ell = m` (:math:`0 \le m \le K - 2`);
* i beats j, i loses to m others, and j does not lose to :math:`K - m` others, as
  :math:`\ell = m - 1` (:math:`2 \le m \le K - 2`).

(The cheapest way to a tie costs as much as that to a win.) These are the rows of equation (2) of
Komiyama, Honda, Nakagawa (ICML 2016), except that no sign is known, so that every level counts.

**Costs.** With :math:`N_{ab}` duels, evidence :math:`x_{ab} = N_{ab}\, d_{KL}(\hat\mu_{ab}, ½)` and
a discount :math:`\kappa_{ab} \ge 0`, the statement "a beats b" costs

.. math:: c_{ab} = \max(0, x_{ab} - \kappa_{ab}) \text{ where b leads, else } 0 .

The index of a way R is that of Honda and Takemura's IMED (2015), for sums: with the pairs R⁺ that
have a positive cost,

.. math:: I = \sum_{R^+} c_{ab} + w \ln \sum_{R^+} N_{ab} , \qquad 0 \text{ where R⁺ is empty.}

The sums are smallest with the cheapest pairs, so that a kind and m need two prefixes: of the
challenger's pairs by cost, and of those of i, both without the pair {i, j}. Fewer losses of i than
cost nothing are no weaker, and no more are tried than cost as much as the weakest way.

**Which pair.** An arm is *certified* in round t where :math:`I \ge \ln t` for its weakest way. A
certified *answer* meets itself until the first round with :math:`\ln t > I`, in one query. Else
duels are made that the bound needs,

.. math:: C^* = \min \Bigl\{ \sum r_{ab} q_{ab} :
          \sum_{\{a, b\} \in R} d_{ab} q_{ab} \ge 1 \text{ for every way } R \Bigr\} ,

by *fictitious play* of the game with the value :math:`1/C^*`, in which one player spends regret on
a pair, the other names a way, and the first gets d/r where the pair is in the way. The second names
the weakest ways with :math:`I < \ln t` of up to :data:`_WAYS` challengers, with weights
proportional to :math:`e^{-I}`; :math:`Y_{ab}` adds up the weights of the ways with the pair, each
times the regret of the duel and all regret spent until then. The first takes, of the pairs in the
present ways that are not so by the estimates, the one with the largest

.. math:: Y_{ab}\, \exp\Bigl(-\frac{4\, x_{ab}}{(\ln t)^{3/2}}\Bigr)\,
          \hat d_{ab}\, \hat p_{ab} / \hat r_{ab} ,

with the posterior mean of d, the probability p of the sign that speaks against the way, and the
regret r by expected losses, at least that of a quarter of a loss. About 2 % of a pair's duels are
asked for at once, and fewer the more there are.

**Which sign may be wrong.** The shares of arms that arms lose to say how likely a pair without
duels is to go either way; their log odds that a beats b, at most 3, are the discount of that
statement. A share :math:`\epsilon / (1 + 0.3 \ln(1 + m/K))` of exploration, after m duels, goes to
the pair with the fewest duels, by the losses that the two arms are expected to have. And of the
pairs that the challenger of the weakest way leads or that the answer trails, the one with the
largest :math:`u \hat d / \hat r` is duelled if

.. math:: 0.2\, u\, c \ln t \ge \hat r / \hat d ,

with :math:`u = ½ \operatorname{erfc} \sqrt x`, about the probability that the sign is wrong, and c
the price of a unit of evidence on the cheapest pair of the way.

**Which answer.** Of the arms with nearly the fewest expected losses, the one whose weakest way
lacks the least, at the price of its cheapest pair. Where several Copeland winners by the likelier
signs remain, those are left out whose constant, by the closed form of ECW, is more than 15 % above
the least. Another arm is taken up only if it seems to lack less than half, and after so many
changes not at all unless the answer is no candidate any more. Beliefs, discounts and the answer are
found again as duels grow by a hundredth.

**Theorem.** Where no two arms tie and one arm alone is the Copeland winner, the expected regret is
at most :math:`C^* \ln T + o(\ln T)`. With two to six winners and no ties it is at most
:math:`\bar C \ln T + o(\ln T)`, where :math:`\bar C` is the largest of their constants below
:math:`1.15\, C^*`, if none is exactly that. Of ties and of more winners nothing is proved.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import (
    cheapest_pairs,
    prefix_sums,
    sums_without,
)
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import DuelTally, bernoulli_divergence
from cpe_opt.learners.dueling.intervals import first_above
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.dueling.preferences import copeland_regret, unit_costs
from cpe_opt.problems.queries import Duel
from cpe_opt.ties import TIE, ascending, first_largest, first_smallest, on_grid
from cpe_opt.validation import Arms, Interval, NonNegative

_WAYS = 6  # the weakest ones that are worked on at once
_FADE = 0.3
_SAVED = 0.2  # of a way's price, if a doubted sign is wrong
_LEAST_PROBABILITY = 0.05  # that a price reckons with
_LEAST_EXCESS = 0.25  # of losses, that a price reckons with
_MARGIN = 1.0  # of expected losses, within which an arm may be the answer
_CANDIDATES = 6
_STICKY = 0.5  # of what the answer lacks, at which another is taken up
_LACKING = 4.0
_SWITCHES = 30
_DEARER = 0.15
_MOST_DISCOUNT = 3.0


@declare(
    family="dueling",
    goal="regret",
    guarantee="without ties, regret C* ln T + o(ln T) with one Copeland winner, the constant of "
    "the lower bound, and with two to six at most 1.15 C* ln T + o(ln T) where none has a constant "
    "of exactly 1.15 C*",
    paper="ours; after Komiyama, Honda, Nakagawa (ICML 2016), Honda, Takemura (JMLR 2015)",
    endless=True,
)
def regret_tracking(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    weight: NonNegative = 0.7,
    exploration: Annotated[float, Interval(0, 1, "neither")] = 0.03,
) -> Generator[Duel, int, int]:
    """Play near a Copeland winner with little regret, whatever the matrix; arms may tie.

    What is proved is about the long run, without ties: regret of C* ln T + o(ln T) with one
    Copeland winner, and with two to six the largest of their constants below 1.15 C* in place of
    C*, where none is exactly 1.15 C*. A query costs time of the order of K to K² numbers in arrays:
    meant for hundreds of arms.

    Parameters
    ----------
    weight : float
        w of the index of a way, at least 0. With 1, as in IMED, most runs lose less and a few far
        more in some.
    exploration : float
        The share of duels, by expected losses, that goes to the pair with the fewest, at first;
        above 0 and at most 1.

    Returns
    -------
    int
        The answer when the horizon is reached.

    References
    ----------
    After Komiyama, Honda, Nakagawa, "Copeland Dueling Bandit Problem: Regret Lower Bound, Optimal
    Algorithm, and Computationally Efficient Algorithm", ICML 2016 (the bound), Honda, Takemura,
    "Non-asymptotic analysis of a new bandit algorithm for semi-bounded rewards", JMLR 2015 (the
    index), and Degenne, Koolen, Ménard, "Non-asymptotic pure exploration by solving games", NeurIPS
    2019 (two players).

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("regret-tracking", mu, horizon=10**6, seed=0)
    >>> trace.answer
    0
    """
    tracker = RegretTracker(arms, weight, exploration)
    try:
        while True:
            tracker.tell((yield tracker.ask()))
    except HorizonReached:
        return tracker.answer


class RegretTracker:
    """The state of one run: :meth:`ask` for a duel, then :meth:`tell` how many the first won."""

    def __init__(self, arms: int, weight: float, exploration: float) -> None:
        self._arms, self._exploration = arms, exploration
        self._tally = DuelTally(arms)
        self._flips = FlipCosts(self._tally, weight)
        self._beliefs = SignBeliefs(self._tally)
        self.answer, self._t, self._duels, self._next_choice = 0, 1, 0, 0
        self._shares = np.zeros(arms * arms)  # Y, at the flat index of the smaller arm's entry
        flat = np.arange(arms * arms).reshape(arms, arms)
        self._pair_of = np.minimum(flat, flat.T)
        self._spent = 0.0  # regret of all duels
        self._lost = self._lost_exploring = 0.0  # expected losses of the arms of the duels
        self._switches = self._priced = 0
        self._dear: frozenset[int] = frozenset()
        self._exploring = False

    def ask(self) -> Duel:
        """The next query: an idle stretch, or duels of a pair."""
        if self._duels >= self._next_choice:
            self._beliefs.refresh()
            self._flips.discount(self._beliefs.discounts)
            self._take_up(self._choice())
            self._next_choice = self._duels + max(1, self._duels // 100)
        log_t = math.log(self._t)
        while True:
            ways = self._flips.weakest(self.answer, _WAYS, log_t)
            index = ways[0].index
            if index >= log_t:
                rounds = max(1, first_above(math.log, index, index) - self._t)
                self._query = Duel(self.answer, self.answer, rounds)
                return self._query
            # Every way of the leader has a statement that is not so by the estimates.
            if len(ways[0].flips) or (leader := self._beliefs.leader()) == self.answer:
                break
            self._take_up(leader)
        weights = [math.exp(index - way.index) for way in ways]
        sizes = [len(way.flips) for way in ways]
        self._weights = np.repeat([weight / sum(weights) for weight in weights], sizes)
        self._flipped = np.concatenate([way.flips for way in ways])
        pair = self._explored() or self._doubted(ways[0], log_t) or self._played(log_t)
        draws = self._tally.draws.item(pair)
        self._query = Duel(*pair, max(1, int(draws / (50.0 + 5.0 * math.log1p(draws)))))
        return self._query

    def tell(self, won: int) -> None:
        """Count the duels of the query, of which its first arm won ``won``."""
        i, j, times = self._query.i, self._query.j, self._query.times
        self._t += times
        if i == j:
            return
        self._duels += times
        lost = times * float(self._beliefs.losses[i] + self._beliefs.losses[j])
        self._lost += lost
        if self._exploring:
            self._lost_exploring += lost
        spent = times * self._beliefs.regrets.item(i, j)
        self._spent += spent
        pairs = self._pair_of.take(self._flipped)
        np.add.at(self._shares, pairs, self._weights * spent * self._spent)
        self._tally.add(i, j, won, times)
        self._flips.update(i, j)
        self._beliefs.update(i, j)

    def _played(self, log_t: float) -> tuple[int, int]:
        """The pair of the present ways that answers the ways so far best."""
        flips = self._flipped
        shares = self._shares[self._pair_of.take(flips)]
        if not shares.any():
            shares = np.ones(len(flips))
        lacking = np.exp(-_LACKING * self._tally.evidence.take(flips) / log_t**1.5)
        best = first_largest(shares * lacking / self._beliefs.unit_costs.take(flips))
        return divmod(int(flips[best]), self._arms)

    def _explored(self) -> tuple[int, int] | None:
        """The pair with the fewest duels, as long as the budget allows it."""
        faded = 1.0 + _FADE * math.log1p(self._duels / self._arms)
        self._exploring = self._lost_exploring <= self._exploration / faded * self._lost
        if not self._exploring:
            return None
        draws = np.where(np.tri(self._arms, dtype=np.bool_), math.inf, self._tally.draws)
        return divmod(int(draws.argmin()), self._arms)

    def _doubted(self, weakest: Way, log_t: float) -> tuple[int, int] | None:
        """The sign behind the weakest way that it pays most to doubt, if it does."""
        challenger, answer = weakest.challenger, self.answer
        estimate = self._tally.estimate
        doubted = np.concatenate([estimate[challenger] > 0.5, estimate[answer] < 0.5])
        doubted[answer] = False
        price = log_t * float(self._beliefs.unit_costs.take(weakest.flips).min())
        doubts = self._beliefs.doubts[[challenger, answer]].ravel()
        saved = np.where(doubted, _SAVED * price * doubts, 0.0)
        best = int(first_largest(saved))
        if saved[best] < 1.0 - TIE:
            return None
        return (challenger, best) if best < self._arms else (best - self._arms, answer)

    def _choice(self) -> int:
        """Of the arms with few expected losses, the one that seems to lack the least regret."""
        losses = self._beliefs.losses
        near = np.flatnonzero(losses <= losses.min() + _MARGIN)
        near = near[np.argsort(losses[near], kind="stable")][:_CANDIDATES]
        if len(near) == 1:
            return int(near[0])
        if self._duels >= max(1.5 * self._priced, 10 * self._arms):
            self._priced = self._duels
            self._dear = self._beliefs.dear_winners()
        candidates = [i for i in near.tolist() if i not in self._dear] or near.tolist()
        lacking = [self._lacking(i) for i in candidates]
        best = first_smallest(lacking)
        if self.answer in candidates:
            if self._switches >= _SWITCHES + self._arms:
                return self.answer
            if _STICKY * lacking[candidates.index(self.answer)] <= lacking[best] * (1.0 + TIE):
                return self.answer
            self._switches += 1
        return int(candidates[best])

    def _lacking(self, arm: int) -> float:
        """What the weakest way lacks, at the price of its cheapest pair."""
        (way,) = self._flips.weakest(arm)
        if not len(way.flips):
            return math.inf
        lacking = max(math.log(self._t) - way.index, 0.0)
        return lacking * float(self._beliefs.unit_costs.take(way.flips).min())

    def _take_up(self, arm: int) -> None:
        if arm != self.answer:
            self.answer = arm
            self._shares[:] = 0.0


class SignBeliefs:
    """How likely the signs are, expected losses, and what evidence costs.

    Arrays are of shape (K, K) and about the row's arm and the column's.
    """

    def __init__(self, tally: DuelTally) -> None:
        self._tally, arms = tally, tally.arms
        self._divergence = np.full((arms, arms), 1.0 / 6.0)
        self._doubt = np.full((arms, arms), 0.5)  # probability that the sign is the other one
        self._lost = np.zeros(arms, dtype=np.int64)  # to how many arms, by the estimates
        # Regret of a unit of evidence that the column's arm wins; and the doubt, by the regret of
        # a unit of evidence on the sign.
        self.unit_costs, self.doubts = np.zeros((arms, arms)), np.zeros((arms, arms))
        self.refresh()

    def update(self, i: int, j: int) -> None:
        """Take note of duels of i and j."""
        draws, evidence = self._tally.draws.item(i, j), self._tally.evidence.item(i, j)
        margin = (2.0 * self._tally.estimate.item(i, j) - 1.0) * draws / (draws + 2.0)
        # About its mean by the posterior Beta(wins + 1, losses + 1).
        divergence = bernoulli_divergence(margin) + 0.5 / (draws + 3.0)
        self._divergence[i, j] = self._divergence[j, i] = divergence
        self._doubt[i, j] = self._doubt[j, i] = 0.5 * math.erfc(math.sqrt(evidence))
        for arm, other in ((i, j), (j, i)):
            self._lost[arm] = np.count_nonzero(self._tally.estimate[arm] < 0.5)
            self._price(arm, other)

    def refresh(self) -> None:
        """Find probabilities, expected losses and prices again."""
        estimate, met = self._tally.estimate, self._tally.draws > 0.0
        lost = ((estimate < 0.5).sum(axis=1) + 1.0) / (met.sum(axis=1) + 2.0)
        odds = lost[:, None] * (1.0 - lost)
        by_sign = np.where(estimate > 0.5, self._doubt, 1.0 - self._doubt)
        # The probability that the column's arm wins.
        self.behind: FloatArray = np.where(met, by_sign, odds / (odds + odds.T))
        self.discounts: FloatArray = np.clip(np.log(odds.T / odds), 0.0, _MOST_DISCOUNT)
        np.fill_diagonal(self.behind, 0.0)
        self.losses: FloatArray = on_grid(self.behind.sum(axis=1))
        excess = self.losses[:, None] + self.losses - 2.0 * self.losses.min()
        self.regrets: FloatArray = np.maximum(excess, _LEAST_EXCESS) / (2 * (len(estimate) - 1))
        self._price(slice(None), slice(None))

    def _price(self, row: int | slice, column: int | slice) -> None:
        divergence, regret = self._divergence[row, column], self.regrets[row, column]
        probability = np.maximum(self.behind[row, column], _LEAST_PROBABILITY)
        self.unit_costs[row, column] = regret / (divergence * probability)
        self.doubts[row, column] = self._doubt[row, column] * divergence / regret

    def leader(self) -> int:
        """The arm with the fewest losses by the estimates, then by expectation."""
        fewest = np.flatnonzero(self._lost == self._lost.min())
        return int(fewest[first_largest(-self.losses[fewest])])

    def dear_winners(self) -> frozenset[int]:
        """The Copeland winners by the likelier signs whose constant is well above the least."""
        earlier = np.tri(len(self.losses), k=-1, dtype=np.bool_)
        beaten = (self.behind > 0.5 + TIE) | ((np.abs(self.behind - 0.5) <= TIE) & earlier)
        losses: IntArray = beaten.sum(axis=1, dtype=np.int64)
        winners: list[int] = np.flatnonzero(losses == losses.min()).tolist()
        if len(winners) == 1:
            return frozenset()
        costs = unit_costs(copeland_regret(losses), self._divergence)
        constants = {i: ecw_constant(beaten, costs, i) for i in winners}
        limit = min(constants.values()) * (1.0 + _DEARER)
        return frozenset(i for i in winners if constants[i] > limit)


def ecw_constant(beaten: BoolArray, costs: FloatArray, winner: int) -> float:
    """C^E* of one Copeland winner by its closed form, from who loses to whom and unit costs."""
    lists = np.where(beaten, costs, math.inf)
    lists[:, winner] = math.inf
    spare = beaten[winner].sum() - 1 - beaten[:, winner]
    others = np.flatnonzero((spare >= 0) & (np.arange(len(costs)) != winner))
    sums, spare = prefix_sums(np.sort(lists[others], axis=1)), spare[others]
    number = cheapest_pairs(sums, spare)
    of_lists = sums[np.arange(len(others)), number] / (number - spare)
    return float(costs[winner, beaten[:, winner]].sum() + of_lists.sum())


@dataclass(frozen=True, eq=False)
class Way:
    """The weakest of a challenger; ``flips`` are its statements that are not so by the estimates.

    "a beats b" is the flat index of the entry (a, b).
    """

    index: float
    challenger: int
    flips: IntArray


class FlipCosts:
    """What it costs that an arm beats another, sorted for every arm, and the weakest ways by it.

    In the first half of each array a row is about the statements that its arm beats the column's,
    in the second half that it loses to it. A cost and a number of duels are one complex number.
    """

    def __init__(self, tally: DuelTally, weight: float) -> None:
        shape = 2, tally.arms, tally.arms
        self._tally, self._weight = tally, weight
        self._costs, self._keys = np.zeros(shape, dtype=np.complex128), np.zeros(shape)
        # Of every arm: the others by ascending cost, itself last; their places; sums of the first.
        self._order, self._place = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        self._sums = np.zeros(shape, dtype=np.complex128)
        self.discount(np.zeros(shape[1:]))

    def discount(self, discounts: FloatArray) -> None:
        """Take other discounts of "the row's arm beats the column's"; shape (K, K)."""
        self._discounts = discounts
        self._price(slice(None), slice(None))
        self._keys[:, range(len(discounts)), range(len(discounts))] = math.inf
        self._sort(np.arange(len(discounts)))

    def update(self, i: int, j: int) -> None:
        """Take note of duels of i and j, which the tally has counted."""
        pair = np.array([i, j])
        self._price(pair, pair[::-1])
        self._sort(pair)

    def _price(self, row: IntArray | slice, column: IntArray | slice) -> None:
        """The statements that some arms beat others."""
        tally, place = self._tally, (row, column)
        excess, estimate = tally.evidence[place] - self._discounts[place], tally.estimate[place]
        costs = np.where((excess > 0.0) & (estimate < 0.5), excess + 1j * tally.draws[place], 0.0)
        # Of pairs without a cost those that need no change come first.
        keys = costs.real + (estimate <= 0.5)
        self._costs[0][place] = self._costs[1].T[place] = costs
        self._keys[0][place] = self._keys[1].T[place] = keys

    def _sort(self, arms: IntArray) -> None:
        number = self._tally.arms
        order = ascending(self._keys[:, arms])
        rows = arms[:, None] + np.array([0, number])[:, None, None]
        entries = rows * number + order  # flat indices
        self._order[:, arms] = order
        self._place.reshape(-1)[entries] = np.arange(number)
        self._sums[:, arms, 1:] = self._costs.take(entries[..., :-1]).cumsum(axis=2)

    def weakest(self, arm: int, number: int = 1, below: float = 0.0) -> list[Way]:
        """The weakest way of each challenger, the weakest of these first.

        The first is always there; of the others at most ``number - 1``, and those alone whose index
        is less than ``below``. Of equally weak ones the first challenger's, with the least m, j
        beats i before i beats j.
        """
        costs = self._sums[1, arm].real
        most = len(costs) - 2
        first = max(0, min(int(np.count_nonzero(costs == 0.0)) - 2, most))

        def sizes(limit: float) -> IntArray:
            """The numbers m of pairs of the arm that alone do not cost more."""
            last = int(costs.searchsorted(limit * (1.0 + 2.0 * TIE), side="right")) - 1
            return np.arange(first, min(max(first, last), most) + 1)

        losses = sizes(below)
        indices = self._indices(arm, losses)
        more = sizes(float(indices.min()))
        if len(more) > len(losses):
            losses, indices = more, self._indices(arm, more)
        least = indices.min(axis=1)
        order = ascending(least)[:number]
        chosen = order[(least[order] < below) | (order == order[0])]
        places = first_largest(-indices[chosen]).tolist()
        return [
            self._way(arm, j, indices.item(j, place), int(losses[place // 2]), place % 2)
            for j, place in zip(chosen.tolist(), places, strict=True)
        ]

    def _indices(self, arm: int, sizes: IntArray) -> FloatArray:
        """Of every challenger by m, j beats i before i beats j; shape (K, 2 M)."""
        arms = self._tally.arms
        own = self._costs[::-1, arm].T  # of each challenger that it beats i, and that i beats it
        loses = own[:, :1]
        heads = sums_without(self._sums[1, arm], sizes, self._place[1, arm, :, None], loses)
        tails = arms - 2 - sizes[:, None] + np.array([0, 2])
        row = np.arange(0, arms * arms, arms)[:, None, None]
        number, place = row + np.minimum(tails, arms - 2), row + self._place[0, :, arm, None, None]
        total = sums_without(self._sums[0], number, place, loses[:, None])
        total += heads[:, :, None] + own[:, None]
        indices = total.real + self._weight * np.log(np.maximum(total.imag, 1.0))
        indices[:, tails > arms - 2] = math.inf
        indices[arm] = math.inf
        return np.asarray(indices.reshape(arms, -1))

    def _way(self, arm: int, j: int, index: float, size: int, kind: int) -> Way:
        """Of a challenger with so many losses of the arm to others; kind 1 is that i beats j."""
        arms, (tail, head) = self._tally.arms, (self._order[0, j], self._order[1, arm])
        tail = tail[tail != arm][: arms - 2 - size + 2 * kind]
        head = head[head != j][:size]
        own = [arm * arms + j if kind else j * arms + arm]
        statements = np.concatenate([j * arms + tail, head * arms + arm, own])
        return Way(index, j, statements[self._tally.estimate.take(statements) <= 0.5])
