r"""Regret tracking: little regret in Copeland dueling bandits, for any preference matrix.

**Certified.** An arm i is *certified* in round t where every way in which it is no Copeland winner
has an index of at least :math:`\ln t`: ways, costs and indices are those of
:mod:`cpe_opt.learners.dueling.weakest_ways`. No pair has to meet for that: one without duels is a
flip that costs nothing. One arm is at hand, the *answer*. While it is certified it meets itself;
its index I stands still, so that it does until the first round with :math:`\ln t > I`, in one
query.

**Which pair.** Else duels are made that the bound of Komiyama, Honda, Nakagawa (ICML 2016) needs,

.. math:: C^* = \min \Bigl\{ \sum r_{ab} q_{ab} :
          \sum_{\{a, b\} \in R} d_{ab} q_{ab} \ge 1 \text{ for every way } R \Bigr\} ,

without solving that program: :math:`1/C^*` is the value of a game in which one player spends
regret on a pair, the other names a way, and the first gains d/r where the pair is in the way. The
learner is both players of *fictitious play*. The second answers what was spent with the weakest
ways, softly: those of the :data:`_WAYS` weakest challengers whose index I is below
:math:`\ln t`, by weights proportional to :math:`e^{-I/\tau}`,
:math:`\tau = \max(1, 0.1 \ln t)`. The first answers the ways so far: the regret spent while a pair
was in them, times their weights, is the pair's *share* Y, where late regret counts for more (each
amount times all that was spent until then). Of the pairs in the present ways that are not so by the
estimates it takes the one with the largest

.. math:: Y_{ab}\, \hat d_{ab}\, \hat p_{ab} / \hat r_{ab} ,

with the posterior mean of d, the probability p that the sign is the one that speaks against the
way, and the regret r by expected losses (at least that of a quarter of a loss: a pair without
regret takes time). About 2 % of a pair's duels are asked at once, and fewer the more there are.

**Doubtful signs.** Estimates of few duels are wrong, and a wrong sign may hide the best arm. So a
share of exploration, :math:`\epsilon / (1 + 0.3 \ln(1 + n/K))` after n duels, goes to pairs whose
sign may be wrong where it matters: those that the challenger of the weakest way leads, or that the
answer trails; and every third time to any pair. The budget is in losses that the two arms are
expected to have, which is what a duel costs should an arm without a loss be hidden.

**Which answer.** Of the arms with nearly the fewest expected losses, the one that seems to lack the
least regret: what its weakest way lacks, at the price of its cheapest pair. Where several Copeland
winners by the likelier signs remain, those whose constant is more than 15 % above the least are
left out; with several winners :math:`C^* = C^{E*}`, winner by winner, which has the closed form of
:mod:`cpe_opt.learners.dueling.relaxed_optimum`. Another arm is taken up only if it seems to lack
less than half, and after so many changes not at all unless the answer is no candidate any more.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.best_winner import unit_costs
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import DuelTally, bernoulli_divergence
from cpe_opt.learners.dueling.intervals import first_above
from cpe_opt.learners.dueling.relaxed_optimum import SortedLists
from cpe_opt.learners.dueling.tournament import Tournament
from cpe_opt.learners.dueling.weakest_ways import FlipCosts, Way
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.dueling.scores import copeland_regret
from cpe_opt.problems.queries import Duel
from cpe_opt.ties import TIE, first_largest
from cpe_opt.validation import checked_count, checked_finite, checked_probability

_DISCOUNT = 0.0
_WAYS = 6  # the weakest ones that are worked on at once
_TEMPERATURE = 0.1  # of the weights of ways, as a share of ln t
_FADE = 0.3
_ANYWHERE = 3
_LEAST_PROBABILITY = 0.05
_LEAST_WEIGHT = 1e-6
_LEAST_EXCESS = 0.25
_MARGIN = 1.0
_CANDIDATES = 6
_STICKY = 0.5
_SWITCHES = 30
_DEARER = 0.15


@declare(
    family="dueling",
    goal="regret",
    guarantee="none: in simulations its regret is about C* ln T, whether arms tie or not",
    paper="ours; after Komiyama, Honda, Nakagawa (ICML 2016), Honda, Takemura (JMLR 2015)",
    endless=True,
)
def regret_tracking(
    arms: int,
    *,
    rng: np.random.Generator | None = None,
    weight: float = 1.0,
    exploration: float = 0.1,
) -> Generator[Duel, int, int]:
    """Play near a Copeland winner with little regret, whatever the matrix; arms may tie.

    A query costs time of the order of K to K² numbers in arrays: meant for hundreds of arms.

    Parameters
    ----------
    arms : int
        K, at least 2.
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    weight : float
        Of ln(duels) in the index of a way; at least 0. With 0 evidence alone counts, which costs
        more and errs less.
    exploration : float
        The share of exploration that goes to doubtful signs, at first; above 0 and at most 1.

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
    checked_count("arms", arms, least=2)
    checked_finite("weight", weight, least=0.0)
    checked_probability("exploration", exploration)
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
        self.tally = DuelTally(arms)
        self.flips = FlipCosts(self.tally, weight, _DISCOUNT)
        self.beliefs = SignBeliefs(self.tally, self.flips.leads)
        self.answer, self._t, self._duels, self._next_choice = 0, 1, 0, 0
        self._shares = np.zeros((arms, arms))  # regret spent while a pair was in a weak way
        self._spent = self._possible = self._explored = 0.0
        self._turns = self._switches = 0
        self._dear, self._priced = frozenset[int](), 0
        self._query = Duel(0, 0)
        self._working: list[tuple[float, IntArray, IntArray]] = []
        self._exploring = False

    def ask(self) -> Duel:
        """The next query: an idle stretch, or duels of a pair."""
        if self._duels >= self._next_choice:
            self.beliefs.refresh()
            self._take_up(self._choice())
            self._next_choice = self._duels + max(1, self._duels // 100)
        log_t = math.log(self._t)
        while True:
            ways = self.flips.weakest(self.answer, _WAYS, log_t)
            if ways[0].index >= log_t:
                end = first_above(math.log, ways[0].index, ways[0].index)
                self._query = Duel(self.answer, self.answer, max(1, end - self._t))
                return self._query
            leader = self.beliefs.leader()
            if leader == self.answer or self._open(ways[0])[0].size:
                break
            self._take_up(leader)
        pair = self._pair(ways, log_t)
        self._query = Duel(*pair, self._batch(self.tally.draws.item(pair)))
        return self._query

    def _pair(self, ways: Sequence[Way], log_t: float) -> tuple[int, int]:
        """The pair to duel, where the answer is not certified."""
        opened = [(way, *self._open(way)) for way in ways]
        opened = [each for each in opened if each[1].size]
        if not opened:  # nothing else to do than to doubt what the estimates say
            opened = [(ways[0], ways[0].ahead, ways[0].behind)]
        else:
            doubtful = self._doubtful(ways[0].challenger, log_t)
            if doubtful is not None:
                self._exploring = True
                self._working = [(1.0, *opened[0][1:])]
                return doubtful
        self._exploring = False
        temperature = max(1.0, _TEMPERATURE * log_t)
        weights = [math.exp((opened[0][0].index - way.index) / temperature) for way, *_ in opened]
        total = sum(weights)
        self._working = [
            (weight / total, ahead, behind)
            for weight, (_, ahead, behind) in zip(weights, opened, strict=True)
        ]
        ahead = np.concatenate([each for _, each, _ in opened])
        behind = np.concatenate([each for _, _, each in opened])
        shares = self._shares[ahead, behind]
        largest = float(shares.max())
        shares = np.maximum(shares, _LEAST_WEIGHT * largest) if largest else np.ones(len(ahead))
        best = int(first_largest(shares / self.beliefs.unit_cost(ahead, behind)))
        return int(ahead[best]), int(behind[best])

    def tell(self, won: int) -> None:
        """Count the duels of the query, of which its first arm won ``won``."""
        i, j, times = self._query.i, self._query.j, self._query.times
        self._t += times
        if i == j:
            return
        self._duels += times
        spent = times * float(self.beliefs.regret(i, j))
        possible = times * float(self.beliefs.losses[i] + self.beliefs.losses[j])
        self._spent += spent
        self._possible += possible
        self._explored += possible * self._exploring
        for weight, ahead, behind in self._working:
            self._shares[ahead, behind] += weight * spent * self._spent
            self._shares[behind, ahead] = self._shares[ahead, behind]
        self.tally.add(i, j, won, times)
        self.flips.update(i, j)
        self.beliefs.update(i, j)

    def _open(self, way: Way) -> tuple[IntArray, IntArray]:
        """The pairs of a way that are not yet so by the estimates."""
        undecided = ~self.flips.leads[way.ahead, way.behind]
        return way.ahead[undecided], way.behind[undecided]

    @staticmethod
    def _batch(draws: float) -> int:
        return max(1, int(draws / (50.0 + 5.0 * math.log1p(draws))))

    def _doubtful(self, challenger: int, log_t: float) -> tuple[int, int] | None:
        """A pair whose sign may be wrong where that matters, as long as the budget allows it."""
        share = self._exploration / (1.0 + _FADE * math.log1p(self._duels / self._arms))
        if self._explored > share * self._possible:
            return None
        self._turns += 1
        leads = self.flips.leads
        anywhere = self._turns % _ANYWHERE == 0
        if anywhere:
            a, b = np.triu_indices(self._arms, 1)
        else:
            wins = leads[challenger].copy()
            wins[self.answer] = False
            beaten, above = np.flatnonzero(wins), np.flatnonzero(leads[:, self.answer])
            a = np.concatenate([np.full(len(beaten), challenger), above])
            b = np.concatenate([beaten, np.full(len(above), self.answer)])
        if not len(a):
            return None
        draws = self.tally.draws[a, b]
        index = self.tally.evidence[a, b] + np.log(np.maximum(draws, 1e-9))
        least = int(first_largest(-index))
        if not anywhere and index[least] >= log_t:
            return None
        return int(a[least]), int(b[least])

    def _choice(self) -> int:
        """Of the arms with few expected losses, the one that seems to lack the least regret."""
        losses = self.beliefs.losses
        near = np.flatnonzero(losses <= losses.min() + _MARGIN)
        near = near[np.argsort(losses[near], kind="stable")][:_CANDIDATES]
        if len(near) == 1:
            return int(near[0])
        if self._duels >= max(1.5 * self._priced, 10 * self._arms):
            self._priced = self._duels
            self._dear = self.beliefs.dear_winners(_DEARER)
        candidates = [i for i in near.tolist() if i not in self._dear] or near.tolist()
        lacking = [self._lacking(i) for i in candidates]
        best = int(first_largest(-np.array(lacking)))
        if self.answer in candidates:
            if self._switches >= _SWITCHES + self._arms:
                return self.answer
            if _STICKY * lacking[candidates.index(self.answer)] <= lacking[best]:
                return self.answer
            self._switches += 1
        return int(candidates[best])

    def _lacking(self, arm: int) -> float:
        """What the weakest way lacks, at the price of its cheapest pair."""
        (way,) = self.flips.weakest(arm)
        ahead, behind = self._open(way)
        if not ahead.size:
            return math.inf
        lacking = max(math.log(self._t) - way.index, 0.0)
        return lacking * float(self.beliefs.unit_cost(ahead, behind).min())

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
        self.refresh()

    def update(self, i: int, j: int) -> None:
        """Take note of duels of i and j."""
        draws, evidence = self._tally.draws.item(i, j), self._tally.evidence.item(i, j)
        margin = (2.0 * self._tally.estimate.item(i, j) - 1.0) * draws / (draws + 2.0)
        # About its mean by the posterior Beta(wins + 1, losses + 1).
        divergence = bernoulli_divergence(margin) + 0.5 / (draws + 3.0)
        self._divergence[i, j] = self._divergence[j, i] = divergence
        self._doubt[i, j] = self._doubt[j, i] = 0.5 * math.erfc(math.sqrt(evidence))

    def refresh(self) -> None:
        """Probabilities that the column's arm beats the row's, and expected losses."""
        met = self._tally.draws > 0.0
        probability = np.where(self._leads, self._doubt, 1.0 - self._doubt)
        lost = ((self._leads.T & met).sum(axis=1) + 1.0) / (met.sum(axis=1) + 2.0)
        odds = lost[:, None] * (1.0 - lost)
        self.behind: FloatArray = np.where(met, probability, odds / (odds + odds.T))
        np.fill_diagonal(self.behind, 0.0)
        self.losses: FloatArray = self.behind.sum(axis=1)
        self._least = float(self.losses.min())

    def leader(self) -> int:
        """The arm with the fewest losses by the estimates, then by expectation."""
        lost = self._leads.sum(axis=0)
        fewest = np.flatnonzero(lost == lost.min())
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
