r"""A fixed budget: the arm that is most likely the winner after so many duels, and how likely.

With a fixed confidence a learner stops when its answer is proved, however many duels that takes.
Here their number N is given, and the answer is to be wrong as seldom as possible.

**How sure it is**, at the end, is said in two numbers, and they are not the same.

- The *p-value* is a bound: whatever rule chose the duels, an answer that is no winner gets a
  p-value of at most :math:`\alpha` with a probability of at most :math:`\alpha`, for every
  :math:`\alpha`. It is :math:`1/W`, with the supermartingale W of the weakest truth under which the
  answer is wrong, by the theorems of :mod:`cpe_opt.proofs.dueling.copeland` and
  :mod:`cpe_opt.proofs.dueling.borda`. Where it is at most delta, the answer is proved.
- The *estimated error* is none: the posterior probability that the answer is wrong, if before the
  first vote every :math:`\mu_{ij}` was as likely anywhere in [0, 1], independently of the others.

**Beliefs.** With w wins in n duels, :math:`p = (w+1)/(n+2)` and :math:`v = p(1-p)/(n+3)` are the
mean and the variance of the posterior Beta(w + 1, n - w + 1), which is taken for normal: i beats j
with the probability :math:`\Phi((p - \frac12)/\sqrt v)`.

**Duels.** A fifth of the budget goes to all pairs alike, or nothing where there are votes from
before. The rest is spent in 20 blocks of independent duels:

- *A Copeland winner.* The leader has the largest expected number of arms that it beats. Truths are
  drawn, in each of which every pair has a side by its belief, until the leader is no winner in some
  of them: where 32 draws bring none, the odds of all beliefs are taken to the power of ½, ¼ and
  1/10. In such a truth another arm j wins, and pairs of the leader, or of j, are on the side
  that is not believed and that helps j. These share the truth's duels: they are where the leader
  would be found out. (Top-two Thompson sampling of Russo 2016, with a truth in place of a mean for
  each arm, and all disputed pairs in place of one arm.)
- *The Borda winner.* The leader i has the largest score by p. Another arm j beats it with the
  probability :math:`\Phi(-z_j)`, :math:`z_j = (b_i - b_j)/\sqrt{V_{ij}}`, and has the weight
  :math:`u_j \propto \Phi(-z_j)`. With the coefficients c of pairs in :math:`b_i - b_j`, the sum
  :math:`\sum_j u_j V_{ij} = \sum_a v_a \sum_j u_j c_{aj}^2` is the least, for so many duels, where
  :math:`n_a \propto \sqrt{p_a(1-p_a) \sum_j u_j c_{aj}^2}` (Neyman's allocation). A block fills up
  what is missing to that. As duels make the dangerous arms less dangerous, weights move on to
  others, and in the long run all :math:`z_j` that matter are equal, as at the optimum of the rate
  (Glynn, Juneja 2004).

**To compare with**: ``uniform`` duels all pairs alike, and ``halving`` is sequential halving
(Karnin, Koren, Somekh 2013): :math:`\lceil \log_2 K \rceil` rounds with the same number of duels,
shared by the pairs of the arms that are left, after each of which half of these are dropped, those
with the smallest scores. They answer as ``adaptive`` does.

**Many arms.** Above 32 arms ``adaptive`` is ``halving``. A pair that never met counts as even, and
where most have not, the arm that has met the most others would look like the best; for the same
reason the estimated error is too small there.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtr

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.prior_votes import prior_tally
from cpe_opt.learners.queries import Assessed, HorizonReached, ask_all
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.proofs.dueling.borda import borda_evidence
from cpe_opt.proofs.dueling.copeland import weakest_truth
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.ties import first_largest, in_bits
from cpe_opt.validation import Arms, ErrorProbability, Rounds

BudgetMethod: TypeAlias = Literal["adaptive", "halving", "uniform"]
_FIRST, _BLOCKS = 0.2, 20
_MANY = 32  # arms
_TRUTHS, _POWERS = 32, (1.0, 0.5, 0.25, 0.1)
_MOST_TRUTHS, _LEAST_TRUTHS, _CELLS = 4096, 256, 2**21  # at the end
_BITS = 24
_PAPER = "ours; after Russo (COLT 2016), Glynn, Juneja (WSC 2004)"


@declare(
    family="dueling",
    goal="identification",
    guarantee="an answer that is called proved is a Copeland winner with probability at least "
    "1 - delta; others come with an estimate of their error",
    paper=_PAPER,
    batches="a 25th of the budget",
    starts="votes",
    winner="Copeland",
)
def copeland_budget(
    arms: Arms,
    *,
    rng: np.random.Generator,
    budget: Rounds,
    delta: ErrorProbability = 0.05,
    prior: npt.ArrayLike | Votes | None = None,
    method: BudgetMethod = "adaptive",
) -> Generator[Duel | Batch, int, Assessed]:
    """Name the arm that is most likely a Copeland winner after a given number of duels.

    Parameters
    ----------
    rng : Generator
        Draws truths, and rounds shares to whole duels.
    budget : int
        How many duels there are, from 1; all of them are made.
    delta : float
        At which probability of an error the answer is called proved, between 0 and 1.
    prior : array_like, shape (K, K), or Votes, optional
        Wins from before the first duel, ties half a win; they count in all that is said, and not
        in the budget.
    method : "adaptive", "halving" or "uniform"
        How duels are chosen; the last two are to compare with, and with more than 32 arms the first
        is the second.

    Returns
    -------
    int
        The arm that is most often a Copeland winner in truths drawn from the beliefs.

    References
    ----------
    Russo, "Simple Bayesian Algorithms for Best Arm Identification", COLT 2016.

    Karnin, Koren, Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", ICML 2013.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("copeland-budget", mu, budget=200, seed=1)
    >>> trace.answer, trace.samples, round(trace.error_estimate, 2)
    (0, 200, 0.01)
    """
    return (yield from _spend(CopelandBeliefs(arms, rng, prior), budget, delta, method))


@declare(
    family="dueling",
    goal="identification",
    guarantee="an answer that is called proved is a Borda winner with probability at least "
    "1 - delta; others come with an estimate of their error",
    paper=_PAPER,
    batches="a 25th of the budget",
    starts="votes",
    winner="Borda",
)
def borda_budget(
    arms: Arms,
    *,
    rng: np.random.Generator,
    budget: Rounds,
    delta: ErrorProbability = 0.05,
    prior: npt.ArrayLike | Votes | None = None,
    method: BudgetMethod = "adaptive",
) -> Generator[Duel | Batch, int, Assessed]:
    """Name the arm that most likely has the largest Borda score after a given number of duels.

    Parameters
    ----------
    rng : Generator
        Rounds shares to whole duels.
    budget, delta, prior, method : optional
        As for :func:`copeland_budget`.

    Returns
    -------
    int
        The arm with the largest score by the means of the beliefs.

    References
    ----------
    Glynn, Juneja, "A Large Deviations Perspective on Ordinal Optimization", Winter Simulation
    Conference 2004.

    Karnin, Koren, Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", ICML 2013.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("borda-budget", mu, budget=200, seed=0)
    >>> trace.answer, trace.samples
    (0, 200)
    """
    return (yield from _spend(BordaBeliefs(arms, rng, prior), budget, delta, method))


def _spend(
    beliefs: WinnerBeliefs, budget: int, delta: float, method: BudgetMethod
) -> Generator[Duel | Batch, int, Assessed]:
    """Make the duels block by block, and say what is believed then."""
    made, pairs = 0, list(zip(beliefs.first.tolist(), beliefs.second.tolist(), strict=True))
    try:
        for planned in _blocks(beliefs, budget, method):
            times = zip(pairs, planned.tolist(), strict=True)
            queries = [Duel(*pair, duels) for pair, duels in times if duels]
            observed = yield from ask_all(queries)
            for duel, won in zip(queries, observed, strict=True):
                beliefs.wins[duel.i, duel.j] += won
                beliefs.wins[duel.j, duel.i] += duel.times - won
            made += int(planned.sum())
    except HorizonReached:
        pass
    return _assessed(beliefs, made, delta)


def _blocks(beliefs: WinnerBeliefs, budget: int, method: BudgetMethod) -> Iterator[IntArray]:
    """The duels of each pair in one block after another."""
    everywhere = np.ones(len(beliefs.first))
    if method == "uniform":
        yield beliefs.rounded(everywhere, budget)
        return
    if method == "halving" or len(beliefs.wins) > _MANY:
        yield from _halving(beliefs, budget)
        return
    start = 0 if beliefs.wins.any() else math.floor(_FIRST * budget)
    if start:
        yield beliefs.rounded(everywhere, start)
    made = start
    for block in range(1, _BLOCKS + 1):
        size = start + (budget - start) * block // _BLOCKS - made
        if size:
            yield beliefs.rounded(beliefs.shares(size), size)
            made += size


def _halving(beliefs: WinnerBeliefs, budget: int) -> Iterator[IntArray]:
    """Sequential halving."""
    left = np.arange(len(beliefs.wins))
    rounds = max(1, math.ceil(math.log2(len(left))))
    for number in range(1, rounds + 1):
        size = budget * number // rounds - budget * (number - 1) // rounds
        open_ = np.isin(beliefs.first, left) | np.isin(beliefs.second, left)
        if size:
            yield beliefs.rounded(open_.astype(np.float64), size)
        order = np.argsort(-beliefs.scores()[left], kind="stable")
        left = left[order[: max(1, math.ceil(len(left) / 2))]]


def _assessed(beliefs: WinnerBeliefs, made: int, delta: float) -> Assessed:
    """The answer, and how sure it is."""
    answer, error = beliefs.answer()
    p_value = min(1.0, math.exp(-max(0.0, beliefs.evidence(answer))))
    doubt = ""
    if p_value > delta:
        doubt = (
            f"after {made:,} duels its estimated probability of being wrong is {100 * error:.2g} % "
            f"(no bound), and its p-value {p_value:.2g} (a proof needs at most delta = {delta:g})"
        )
    return Assessed(answer, error=error, p_value=p_value, doubt=doubt)


class BudgetBeliefs:
    """What is believed of every pair."""

    def __init__(
        self, arms: int, rng: np.random.Generator, prior: npt.ArrayLike | Votes | None
    ) -> None:
        tally = prior_tally(arms, prior)
        # (K, K); of all duels and votes
        self.wins: FloatArray = np.asarray(tally.draws * tally.estimate)
        np.fill_diagonal(self.wins, 0.0)
        self.first, self.second = np.triu_indices(arms, 1)  # the pairs, the smaller arm first
        self._rng = rng

    def rounded(self, shares: FloatArray, duels: int) -> IntArray:
        """So many duels in all, on average in proportion to the shares, by systematic sampling."""
        order = self._rng.permutation(len(shares))
        ends = in_bits(shares[order], _BITS).cumsum()
        ends *= duels / ends[-1]
        ends[-1] = duels
        whole = np.floor(ends + self._rng.random())
        whole[-1] = duels
        times = np.empty(len(shares), dtype=np.int64)
        times[order] = np.diff(np.minimum(whole, duels), prepend=0.0)
        return times

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Means and variances of the posteriors; 0 on the diagonal."""
        draws = self.wins + self.wins.T
        mean = (self.wins + 1.0) / (draws + 2.0)
        np.fill_diagonal(mean, 0.0)
        return mean, mean * (1.0 - mean) / (draws + 3.0)


class CopelandBeliefs(BudgetBeliefs):
    """Who beats whom."""

    def beats(self) -> FloatArray:
        """The belief that the row's arm beats the column's; 0 on the diagonal."""
        mean, variance = self.moments()
        np.fill_diagonal(variance, 1.0)
        belief = in_bits(ndtr((mean - 0.5) / np.sqrt(variance)), _BITS)
        np.fill_diagonal(belief, 0.0)
        return np.asarray(belief)

    def scores(self) -> FloatArray:
        """The expected number of arms that each arm beats."""
        return np.asarray(in_bits(self.beats().sum(axis=1), _BITS))

    def truths(self, belief: FloatArray, number: int) -> BoolArray:
        """So many drawn truths: whether the row's arm beats the column's."""
        first, second = self.first, self.second
        sides = self._rng.random((number, len(first))) < belief[first, second]
        beats = np.zeros((number, *belief.shape), dtype=np.bool_)
        beats[:, first, second] = sides
        beats[:, second, first] = ~sides
        return beats

    def shares(self, duels: int) -> FloatArray:
        """The pairs by which drawn truths unseat the leader."""
        del duels  # the shares are those of any number
        belief = self.beats()
        leader = int(first_largest(in_bits(belief.sum(axis=1), _BITS)))
        for power in _POWERS:
            truths = self.truths(flattened(belief, power), _TRUTHS)
            numbers = truths.sum(axis=2)
            truths = truths[numbers[:, leader] < numbers.max(axis=1)]
            if len(truths):
                return self._disputed(truths, belief, leader)
        return np.ones(len(self.first))

    def _disputed(self, truths: BoolArray, belief: FloatArray, leader: int) -> FloatArray:
        """Of all truths the pairs that speak for another winner; each truth has a share of 1."""
        rows = np.arange(len(truths))
        # Of arms that win in a truth that one of which the most is believed.
        expected = in_bits(belief.sum(axis=1) / len(belief), _BITS)
        winner = np.asarray((truths.sum(axis=2) + expected).argmax(axis=1))
        lost = ~truths[:, leader] & (belief[leader] >= 0.5)
        won = truths[rows, winner] & (belief[winner] <= 0.5)
        lost[:, leader] = won[rows, winner] = False
        won[:, leader] &= ~lost[rows, winner]  # the pair of both, once
        number = lost.sum(axis=1) + won.sum(axis=1)
        lost[number == 0], won[number == 0] = True, True
        weight = 1.0 / np.maximum(1, lost.sum(axis=1) + won.sum(axis=1))
        total = np.zeros(belief.shape)
        total[leader] = weight @ lost
        np.add.at(total, winner, weight[:, None] * won)
        total += total.T
        return np.asarray(total[self.first, self.second])

    def answer(self) -> tuple[int, float]:
        """By many truths; of arms that win equally often that one of which the most is believed."""
        belief, pairs = self.beats(), len(self.first)
        at_once = max(1, _CELLS // pairs)
        number = min(_MOST_TRUTHS, max(_LEAST_TRUTHS, 16 * at_once))
        won = np.zeros(len(belief))
        for start in range(0, number, at_once):
            beaten = self.truths(belief, min(at_once, number - start)).sum(axis=2)
            won += (beaten == beaten.max(axis=1, keepdims=True)).sum(axis=0)
        answer = int(first_largest(won + in_bits(belief.sum(axis=1) / len(belief), _BITS) / 2.0))
        # As if one more truth had gone against it: no number of truths shows that none does.
        return answer, float((number - won[answer] + 1.0) / (number + 1.0))

    def evidence(self, answer: int) -> float:
        """Against the weakest truth under which it is no Copeland winner."""
        return weakest_truth(log_e_values(self.wins, self.wins.T), answer).evidence


class BordaBeliefs(BudgetBeliefs):
    """Mean probabilities of beating another arm."""

    def scores(self) -> FloatArray:
        """By the means of the posteriors."""
        return np.asarray(in_bits(self.moments()[0].sum(axis=1) / (len(self.wins) - 1), _BITS))

    def _lead(self) -> tuple[int, FloatArray]:
        """The leader, and by how many standard deviations it leads each other arm."""
        _, variance = self.moments()
        scores = self.scores()
        leader = int(first_largest(scores))
        rows = variance.sum(axis=1)
        # c = 2 for the pair of both, 1 for the others.
        spread = rows[leader] + rows + 2.0 * variance[leader]
        z = (scores[leader] - scores) * (len(scores) - 1) / np.sqrt(spread)
        z[leader] = math.inf
        return leader, np.asarray(z)

    def shares(self, duels: int) -> FloatArray:
        """What is missing to Neyman's allocation."""
        leader, z = self._lead()
        logs = log_ndtr(-z)
        weights = np.exp(logs - logs.max())
        squares = weights[:, None] + weights
        squares[leader] = squares[:, leader] = weights.sum() + 3.0 * weights
        mean = self.moments()[0]
        wanted = np.sqrt(squares * mean * (1.0 - mean))[self.first, self.second]
        made = (self.wins + self.wins.T)[self.first, self.second]
        return filled_up(in_bits(wanted, _BITS), made, duels)

    def answer(self) -> tuple[int, float]:
        """The leader; as if the other arms were ahead of it independently of each other."""
        leader, z = self._lead()
        none_ahead = float(np.log1p(-ndtr(-z)).sum())
        return leader, float(in_bits(-math.expm1(none_ahead), _BITS))

    def evidence(self, answer: int) -> float:
        """That its score is larger than all others."""
        others = np.delete(borda_evidence(self.wins)[answer], answer)
        return float(others.min()) - math.log(len(self.first))


WinnerBeliefs: TypeAlias = CopelandBeliefs | BordaBeliefs


def flattened(belief: FloatArray, power: float) -> FloatArray:
    """The beliefs with their odds to a power."""
    won, lost = belief**power, (1.0 - belief) ** power
    return np.asarray(in_bits(won / (won + lost), _BITS))


def filled_up(wanted: FloatArray, made: FloatArray, duels: int) -> FloatArray:
    """Further duels after which all that have some are in the proportions wanted."""
    open_ = np.flatnonzero(wanted > 0.0)
    order = open_[np.argsort(made[open_] / wanted[open_], kind="stable")]
    levels = (duels + made[order].cumsum()) / wanted[order].cumsum()
    reached = int((levels > made[order] / wanted[order]).sum())
    level = levels[max(0, reached - 1)]
    return np.asarray(np.maximum(0.0, np.where(wanted > 0.0, level * wanted - made, 0.0)))
