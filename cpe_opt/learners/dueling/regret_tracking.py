r"""Regret tracking: little regret in Copeland dueling bandits, for any preference matrix.

**Certified.** An arm i is *certified* in round t where every way in which it is no Copeland winner
has an index of at least :math:`\ln t`; ways, costs and indices are defined at the end. No pair has
to meet for that: one without duels is a flip that costs nothing. One arm is at hand, the *answer*.
While it is certified it meets itself; its index I stands still, so that it does until the first
round with :math:`\ln t > I`, in one query.

**Which pair.** Else duels are made that the bound of Komiyama, Honda, Nakagawa (ICML 2016) needs,

.. math:: C^* = \min \Bigl\{ \sum r_{ab} q_{ab} :
          \sum_{\{a, b\} \in R} d_{ab} q_{ab} \ge 1 \text{ for every way } R \Bigr\} ,

without solving that program: :math:`1/C^*` is the value of a game in which one player spends
regret on a pair, the other names a way, and the first gets d/r where the pair is in the way. The
learner is both players of *fictitious play*. The second answers what was spent by the weakest ways
with :math:`I < \ln t` of up to :data:`_WAYS` challengers, with weights proportional to
:math:`e^{-I}`. The first answers the ways so far: :math:`Y_{ab}` adds up the weights of the ways
with the pair, each times the regret of the duel and all regret spent until then, so that late duels
count for more. Of the pairs in the present ways that are not so by the estimates it takes the one
with the largest

.. math:: Y_{ab}\, \exp\Bigl(-\frac{4\, x_{ab}}{(\ln t)^{3/2}}\Bigr)\,
          \hat d_{ab}\, \hat p_{ab} / \hat r_{ab} ,

with the posterior mean of d, the probability p of the sign that speaks against the way, and the
regret r by expected losses. The exponential tends to 1; until then it favours pairs with less
evidence, for where d is overestimated, so is the evidence. As a pair without regret takes time, r
is at least that of a quarter of a loss. About 2 % of a pair's duels are asked for at once, and
fewer the more there are.

**Which sign may be wrong.** Estimates of few duels are wrong, and a wrong sign may hide the best
arm. Arms are compared by the shares of arms that they lose to: they say how likely a pair without
duels is to go either way, and their log odds that a beats b are the discount of that statement, at
most 3, so that an arm that wins otherwise is not ruled out by single duels. A share
:math:`\epsilon / (1 + 0.3 \ln(1 + m/K))` of exploration, after m duels, goes to the pair with the
fewest duels. The unit of this budget is the number of losses that the two arms are expected to
have: the regret if an arm without a loss were hidden. And signs are *doubted* while that pays,
among the pairs that the challenger of the weakest way leads or that the answer trails. The
probability that a sign is wrong is about :math:`u = ½ \operatorname{erfc} \sqrt x`. If a unit of
evidence on the cheapest pair of the way costs c, and so a certificate about :math:`c \ln t`, the
pair with the largest :math:`u \hat d / \hat r` is duelled if

.. math:: 0.2\, u\, c \ln t \ge \hat r / \hat d ,

which takes :math:`O(\ln \ln t)` duels of a right sign. Without it an early mistake makes some runs
pay the bound of a wrong matrix, which may be a hundred times that of the true one.

**Which answer.** Of the arms with nearly the fewest expected losses, the one that seems to lack the
least regret: what its weakest way lacks, at the price of its cheapest pair. Where several Copeland
winners by the likelier signs remain, those whose constant is more than 15 % above the least are
left out; with several winners :math:`C^* = C^{E*}`, winner by winner, which has the closed form of
:mod:`cpe_opt.learners.dueling.ecw_rmed`. Another arm is taken up only if it seems to lack
less than half, and after so many changes not at all unless the answer is no candidate any more.
Beliefs, discounts and the answer are found again as duels grow by a hundredth.

**Theorem.** Where no two arms tie and one arm alone is the Copeland winner, the expected regret is
at most :math:`C^* \ln T + o(\ln T)`. With two to six winners and no ties it is at most
:math:`\bar C \ln T + o(\ln T)`, where :math:`\bar C` is the largest of their constants below
:math:`1.15\, C^*`, if none is exactly that; so it is :math:`C^*` where the others are equal or at
least 15 % larger. Of ties and of more winners nothing is proved. Proofs, and what runs lose:
``docs/ideas/regret-tracking.md``. Constants of the proof are the share of the pair with the fewest
duels, its fading, the largest discount, and batches that vanish as shares of a pair's duels.

**The weakest ways in which an arm is no Copeland winner, from duels of any pairs so far.**

An arm i is no Copeland winner if and only if some other arm j, the *challenger*, has at most
:math:`\ell` losses while i has more than :math:`\ell`. A *way* is a smallest set of statements "a
beats b" that make it so. With m losses of i against other arms than j there are two kinds:

* j beats i, i loses to m others, and j does not lose to :math:`K - 2 - m` others, as
  :math:`\ell = m` (:math:`0 \le m \le K - 2`);
* i beats j, i loses to m others, and j does not lose to :math:`K - m` others, as
  :math:`\ell = m - 1` (:math:`2 \le m \le K - 2`).

(A challenger that does not lose to an arm may tie with it; the cheapest way to that costs as much
as that it wins.) These are the rows of equation (2) of Komiyama, Honda, Nakagawa (ICML 2016) with
one difference: no sign is known, so that every level counts, and a pair without duels may lie on
either side.

**Costs.** With :math:`N_{ab}` duels, evidence :math:`x_{ab} = N_{ab}\, d_{KL}(\hat\mu_{ab}, ½)` and
a discount :math:`\kappa_{ab} \ge 0`, the statement "a beats b" costs

.. math:: c_{ab} = \max(0, x_{ab} - \kappa_{ab}) \text{ where b leads, else } 0 .

The index of a way R is that of Honda and Takemura's IMED (2015), for sums: with the pairs R⁺ that
have a positive cost,

.. math:: \sum_{R^+} c_{ab} + w \ln \sum_{R^+} N_{ab} , \qquad 0 \text{ where R⁺ is empty.}

**The weakest way of a challenger.** The sums are smallest with the cheapest pairs, so that a kind
and m need two prefixes: of the challenger's pairs by cost, sorted when one of them has met, and of
those of i. Both leave out the pair {i, j}: without a member of cost v, the sum of the n cheapest is
:math:`S(n + 1) - v` where it is among them, else :math:`S(n)`. A challenger's pairs cost nothing
more once i's own cost more than the weakest way that is known, so few m are tried. Of many
challengers blocks are taken in the order of lower bounds on their indices, until the others cannot
be among the weakest: for m from a to b the pairs of i cost no less than its a cheapest, those of
the challenger no less than its :math:`K - 2 - b` cheapest, or :math:`K - b` where i beats j.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import DuelTally, Tournament, bernoulli_divergence
from cpe_opt.learners.dueling.ecw_rmed import SortedLists
from cpe_opt.learners.dueling.intervals import first_above
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.dueling.preferences import copeland_regret, unit_costs
from cpe_opt.problems.queries import Duel
from cpe_opt.ties import TIE, ascending, first_largest, on_grid
from cpe_opt.validation import Arms, Interval, NonNegative

_WAYS = 6  # the weakest ones that are worked on at once
_FADE = 0.3
_SAVED = 0.2  # of a way's price, if a doubted sign is wrong
_LEAST_PROBABILITY = 0.05  # that a price reckons with
_LEAST_EXCESS = 0.25  # of losses, that a price reckons with
_MARGIN = 1.0  # of expected losses, within which an arm may be the answer
_CANDIDATES = 6
_STICKY = 0.5
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
        self._beliefs = SignBeliefs(self._tally, self._flips.leads)
        self.answer, self._t, self._duels, self._next_choice = 0, 1, 0, 0
        self._shares = np.zeros((arms, arms))  # Y
        self._spent = 0.0  # regret of all duels
        self._lost = self._lost_exploring = 0.0  # expected losses of the arms of the duels
        self._switches = self._priced = 0
        self._dear: frozenset[int] = frozenset()
        self._pairs = np.triu_indices(arms, 1)
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
            leader = self._beliefs.leader()
            # No way of the leader consists of pairs alone that are so by the estimates.
            if leader == self.answer or len(self._open(ways[0])[0]):
                break
            self._take_up(leader)
        self._open_ways = [(index - way.index, *self._open(way)) for way in ways]
        pair = self._explored(ways[0].challenger, log_t) or self._played(log_t)
        draws = self._tally.draws.item(pair)
        times = max(1, int(draws / (50.0 + 5.0 * math.log1p(draws))))
        self._query = Duel(*pair, times)
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
        spent = times * float(self._beliefs.regret(i, j))
        self._spent += spent
        weights = [math.exp(behind) for behind, *_ in self._open_ways]
        for weight, (_, ahead, behind) in zip(weights, self._open_ways, strict=True):
            shares = self._shares[ahead, behind] + weight / sum(weights) * spent * self._spent
            self._shares[ahead, behind] = self._shares[behind, ahead] = shares
        self._tally.add(i, j, won, times)
        self._flips.update(i, j)
        self._beliefs.update(i, j)

    def _open(self, way: Way) -> tuple[IntArray, IntArray]:
        """The pairs of a way that are not so by the estimates."""
        other = ~self._flips.leads[way.ahead, way.behind]
        return way.ahead[other], way.behind[other]

    def _played(self, log_t: float) -> tuple[int, int]:
        """The pair of the present ways that answers the ways so far best."""
        ahead = np.concatenate([pairs for _, pairs, _ in self._open_ways])
        behind = np.concatenate([pairs for _, _, pairs in self._open_ways])
        shares = self._shares[ahead, behind]
        if not shares.any():
            shares = np.ones(len(ahead))
        lacking = np.exp(-_LACKING * self._tally.evidence[ahead, behind] / log_t**1.5)
        best = int(first_largest(shares * lacking / self._beliefs.unit_cost(ahead, behind)))
        return int(ahead[best]), int(behind[best])

    def _explored(self, challenger: int, log_t: float) -> tuple[int, int] | None:
        """The pair with the fewest duels, as long as the budget allows it, or one in doubt."""
        faded = 1.0 + _FADE * math.log1p(self._duels / self._arms)
        self._exploring = self._lost_exploring <= self._exploration / faded * self._lost
        if not self._exploring:
            return self._doubted(challenger, log_t)
        a, b = self._pairs
        least = int(self._tally.draws[a, b].argmin())
        return int(a[least]), int(b[least])

    def _doubted(self, challenger: int, log_t: float) -> tuple[int, int] | None:
        """The sign behind the weakest way that it pays most to doubt, if it does."""
        leads, answer = self._flips.leads, self.answer
        wins = leads[challenger].copy()
        wins[answer] = False
        doubted = np.concatenate([wins, leads[:, answer]])
        _, ahead, behind = self._open_ways[0]
        price = log_t * float(self._beliefs.unit_cost(ahead, behind).min())
        by_arm = [self._beliefs.doubt_per_regret(arm) for arm in (challenger, answer)]
        saved = _SAVED * price * np.where(doubted, np.concatenate(by_arm), 0.0)
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
            self._dear = self._beliefs.dear_winners(_DEARER)
        candidates = [i for i in near.tolist() if i not in self._dear] or near.tolist()
        lacking = [self._lacking(i) for i in candidates]
        best = int(first_largest(-np.array(lacking)))
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
        ahead, behind = self._open(way)
        if not len(ahead):
            return math.inf
        lacking = max(math.log(self._t) - way.index, 0.0)
        return lacking * float(self._beliefs.unit_cost(ahead, behind).min())

    def _take_up(self, arm: int) -> None:
        if arm != self.answer:
            self.answer = arm
            self._shares[:] = 0.0


class SignBeliefs:
    """How likely the signs are, expected losses, and what evidence costs."""

    def __init__(self, tally: DuelTally, leads: BoolArray) -> None:
        self._tally, self._leads = tally, leads
        arms = tally.arms
        self._divergence = np.full((arms, arms), 1.0 / 6.0)
        self._doubt = np.full((arms, arms), 0.5)  # probability that the sign is the other one
        self._lost = np.zeros(arms, dtype=np.int64)  # to how many arms, by the estimates
        self.refresh()

    def update(self, i: int, j: int) -> None:
        """Take note of duels of i and j."""
        draws, evidence = self._tally.draws.item(i, j), self._tally.evidence.item(i, j)
        margin = (2.0 * self._tally.estimate.item(i, j) - 1.0) * draws / (draws + 2.0)
        # About its mean by the posterior Beta(wins + 1, losses + 1).
        divergence = bernoulli_divergence(margin) + 0.5 / (draws + 3.0)
        self._divergence[i, j] = self._divergence[j, i] = divergence
        self._doubt[i, j] = self._doubt[j, i] = 0.5 * math.erfc(math.sqrt(evidence))
        for arm in (i, j):
            self._lost[arm] = np.count_nonzero(self._leads[:, arm])

    def refresh(self) -> None:
        """Probabilities that the column's arm beats the row's, and expected losses."""
        met = self._tally.draws > 0.0
        lost = ((self._leads.T & met).sum(axis=1) + 1.0) / (met.sum(axis=1) + 2.0)
        odds = lost[:, None] * (1.0 - lost)
        by_sign = np.where(self._leads, self._doubt, 1.0 - self._doubt)
        self.behind: FloatArray = np.where(met, by_sign, odds / (odds + odds.T))
        self.discounts: FloatArray = np.clip(np.log(odds.T / odds), 0.0, _MOST_DISCOUNT)
        np.fill_diagonal(self.behind, 0.0)
        self.losses: FloatArray = on_grid(self.behind.sum(axis=1))
        self._least = float(self.losses.min())

    def leader(self) -> int:
        """The arm with the fewest losses by the estimates, then by expectation."""
        fewest = np.flatnonzero(self._lost == self._lost.min())
        return int(fewest[first_largest(-self.losses[fewest])])

    def regret(self, a: IntArray | int, b: IntArray | int) -> FloatArray:
        """Of a duel of a and b."""
        excess = self.losses[a] + self.losses[b] - 2.0 * self._least
        return np.asarray(np.maximum(excess, _LEAST_EXCESS) / (2 * (len(self.losses) - 1)))

    def unit_cost(self, ahead: IntArray, behind: IntArray) -> FloatArray:
        """Regret of a unit of evidence that ``behind`` beats ``ahead``."""
        probability = np.maximum(self.behind[ahead, behind], _LEAST_PROBABILITY)
        return np.asarray(
            self.regret(ahead, behind) / (self._divergence[ahead, behind] * probability)
        )

    def doubt_per_regret(self, arm: int) -> FloatArray:
        """The probability that a sign is wrong, by the regret of a unit of evidence on it."""
        others = np.arange(len(self.losses))
        return np.asarray(self._doubt[arm] * self._divergence[arm] / self.regret(arm, others))

    def dear_winners(self, dearer: float) -> frozenset[int]:
        """The Copeland winners by the likelier signs whose C* is above the least by a share."""
        arms = len(self.losses)
        earlier = np.tri(arms, k=-1, dtype=np.bool_)
        beaten = (self.behind > 0.5 + TIE) | ((np.abs(self.behind - 0.5) <= TIE) & earlier)
        losses: IntArray = beaten.sum(axis=1, dtype=np.int64)
        first, second = np.partition(losses, 1)[:2].tolist()
        winners: list[int] = np.flatnonzero(losses == first).tolist()
        if len(winners) == 1:
            return frozenset()
        costs = unit_costs(copeland_regret(losses), self._divergence)
        optima = SortedLists(Tournament(0, beaten, losses, first, second, winners), costs)
        values = optima.relaxed_optima()
        limit = float(values.min()) * (1.0 + dearer)
        return frozenset(
            i for i, value in zip(winners, values.tolist(), strict=True) if value > limit
        )


# The weakest ways in which an arm is no Copeland winner, from duels of any pairs so far.


_BLOCK = 48  # challengers that are all looked at; of more, a third of that at first
_CELL = 8  # numbers of losses with one lower bound


@dataclass(frozen=True, eq=False)
class Way:
    """Statements "ahead beats behind", pair by pair, that make an arm no Copeland winner."""

    index: float
    challenger: int
    ahead: IntArray
    behind: IntArray


class FlipCosts:
    """What it costs that an arm beats another, sorted for every arm, and the weakest ways by it."""

    def __init__(self, tally: DuelTally, weight: float) -> None:
        arms = tally.arms
        self._tally, self._weight = tally, weight
        self._discounts = np.zeros((arms, arms))
        self._arms, self._rows = arms, np.arange(arms)[:, None]
        # (K, K); whether the row's arm has won more duels against the column's than it lost
        self.leads: BoolArray = np.zeros((arms, arms), dtype=np.bool_)
        self._costs = np.zeros((arms, arms))  # that the row's arm beats the column's
        # Of every arm: the others by ascending cost, their places, and sums of costs and of duels.
        self._order = np.zeros((arms, arms - 1), dtype=np.int64)
        self._place = np.zeros((arms, arms), dtype=np.int64)
        self._sums, self._duels = np.zeros((arms, arms)), np.zeros((arms, arms))
        self._sort(np.arange(arms))

    def update(self, i: int, j: int) -> None:
        """Take note of duels of i and j, which the tally has counted."""
        share, evidence = self._tally.estimate.item(i, j), self._tally.evidence.item(i, j)
        self.leads[i, j], self.leads[j, i] = share > 0.5, share < 0.5
        for a, b in ((i, j), (j, i)):
            cost = max(0.0, evidence - self._discounts.item(a, b))
            self._costs[a, b] = cost if self.leads[b, a] else 0.0
        self._sort(np.array([i, j]))

    def discount(self, discounts: FloatArray) -> None:
        """Take other discounts of "the row's arm beats the column's"; shape (K, K)."""
        self._discounts = discounts
        costs = np.maximum(0.0, self._tally.evidence - discounts)
        self._costs = np.where(self.leads.T, costs, 0.0)
        self._sort(np.arange(self._arms))

    def _sort(self, arms: IntArray) -> None:
        # Of pairs without a cost those that need no change come first.
        keys = self._costs[arms] + ~self.leads[arms]
        keys[np.arange(len(arms)), arms] = math.inf
        order = ascending(keys)[:, :-1]
        rows = arms[:, None]
        costs = self._costs[rows, order]
        self._order[arms] = order
        self._place[rows, order] = np.arange(self._arms - 1)
        self._sums[arms, 1:] = costs.cumsum(axis=1)
        draws = np.where(costs > 0.0, self._tally.draws[rows, order], 0.0)
        self._duels[arms, 1:] = draws.cumsum(axis=1)

    def weakest(self, arm: int, number: int = 1, below: float = 0.0) -> list[Way]:
        """The weakest way of each challenger, the weakest of these first.

        The first is always there; of the others at most ``number - 1``, and those alone whose index
        is less than ``below``. Of equally weak ones the first challenger's, with the least m, j
        beats i before i beats j.
        """
        heads = _Heads(self._tally.draws, self._costs, self.leads, arm)
        most = self._arms - 2
        first = max(0, min(int(np.count_nonzero(heads.sums == 0.0)) - 2, most))

        def last(limit: float) -> int:
            """The largest m whose pairs of the arm alone do not cost more."""
            place = heads.sums.searchsorted(limit * (1.0 + 2.0 * TIE), side="right")
            return min(max(first, int(place) - 1), most)

        sizes = np.arange(first, last(below) + 1)
        least, places = self._least(heads, sizes, number, below)
        least_of_all = float(least.min())
        if least_of_all > below and last(least_of_all) > sizes[-1]:
            sizes = np.arange(first, last(least_of_all) + 1)
            least, places = self._least(heads, sizes, number, below)
        order = ascending(least)[:number].tolist()
        chosen = [j for j in order if j == order[0] or least[j] < below]
        return [
            self._way(heads, j, float(least[j]), int(sizes[places[j] // 2]), bool(places[j] % 2))
            for j in chosen
        ]

    def _least(
        self, heads: _Heads, sizes: IntArray, number: int, below: float
    ) -> tuple[FloatArray, IntArray]:
        """The least index of each challenger and its place in a row of :meth:`_indices`.

        Infinite of those that are neither the weakest nor among the ``number`` weakest ``below``.
        """
        arms = self._arms
        least, places = np.full(arms, math.inf), np.zeros(arms, dtype=np.int64)
        bounds, order, start, size = np.zeros(arms), self._rows[:, 0], 0, _BLOCK
        if arms > _BLOCK:
            bounds = self._bounds(heads, sizes)
            order, size = ascending(bounds), _BLOCK // 3
        while True:
            rows = order[start : start + size]
            indices = self._indices(heads, sizes, rows).reshape(len(rows), -1)
            places[rows] = best = first_largest(-indices)
            least[rows] = indices[np.arange(len(rows)), best]
            start, size = start + size, 2 * size
            if start >= arms:
                return least, places
            known = float(np.partition(least, number - 1)[number - 1])
            # Of indices that are 0, as many with small numbers have been seen as are asked for.
            limit = min(known, max(below, float(least.min())))
            if known == 0.0 or bounds[order[start]] * (1.0 - 2.0 * TIE) > limit:
                return least, places

    def _bounds(self, heads: _Heads, sizes: IntArray) -> FloatArray:
        """Lower bounds on the index of each challenger."""
        least = sizes[::_CELL]
        tails = self._arms - 2 - np.minimum(least + _CELL - 1, sizes[-1])
        loses = self._sums[:, tails] + heads.costs[:, None]
        beats = self._sums[:, np.minimum(tails + 2, self._arms - 1)]
        return np.asarray((heads.sums[least] + np.minimum(loses, beats)).min(axis=1))

    def _indices(self, heads: _Heads, sizes: IntArray, rows: IntArray) -> FloatArray:
        """Index by challenger, m and kind; shape (challengers, M, 2)."""
        arm, arms = heads.arm, self._arms
        costs, counted = heads.costs[rows, None], heads.counted[rows, None]
        inside = heads.rank[rows, None] < sizes
        taken = np.minimum(sizes + inside, arms - 1)
        head = heads.sums[taken] - inside * costs
        head_duels = heads.duels[taken] - inside * counted
        found = np.full((len(rows), len(sizes), 2), math.inf)
        own = (costs, counted), (self._costs[arm, rows, None], heads.counted_back[rows, None])
        place = self._place[rows, arm, None]
        for kind, (cost, duels) in enumerate(own):
            skipped = max(0, 2 - int(sizes[0])) if kind else 0
            tails = arms - 2 + 2 * kind - sizes[skipped:]
            inside = place < tails
            taken = tails + inside
            total = self._sums[rows[:, None], taken] - inside * costs
            number = self._duels[rows[:, None], taken] - inside * counted
            total += head[:, skipped:] + cost
            number += head_duels[:, skipped:] + duels
            found[:, skipped:, kind] = total + self._weight * np.log(np.maximum(number, 1.0))
        found[rows == arm] = math.inf
        return found

    def _way(self, heads: _Heads, j: int, index: float, size: int, loses: bool) -> Way:
        """The pairs of a challenger's way with so many losses of the arm to others."""
        arm = heads.arm
        number = self._arms - size if loses else self._arms - 2 - size
        tail = self._order[j, : number + 1]
        tail = tail[tail != arm][:number]
        head = heads.order[: size + 1]
        head = head[head != j][:size]
        ahead = [np.full(len(tail), j), head, [arm if loses else j]]
        behind = [tail, np.full(len(head), arm), [j if loses else arm]]
        return Way(index, j, np.concatenate(ahead), np.concatenate(behind))


class _Heads:
    """The cheapest losses of an arm: others by the cost that they beat it, and prefix sums."""

    def __init__(self, draws: FloatArray, costs: FloatArray, leads: BoolArray, arm: int) -> None:
        self.arm, self.costs = arm, costs[:, arm]
        self.counted = np.where(self.costs > 0.0, draws[arm], 0.0)
        self.counted_back = np.where(costs[arm] > 0.0, draws[arm], 0.0)
        keys = self.costs + ~leads[:, arm]
        keys[arm] = math.inf
        self.order = ascending(keys)[:-1]
        self.rank = np.full(len(costs), len(costs))
        self.rank[self.order] = np.arange(len(self.order))
        self.sums = np.concatenate([[0.0], np.cumsum(self.costs[self.order])])
        self.duels = np.concatenate([[0.0], np.cumsum(self.counted[self.order])])
