r"""MergeDTS: Thompson sampling in small batches of many arms, for problems with a Condorcet winner.

The arms are divided at random into batches :math:`B_1, \dots, B_b` of M. With wins :math:`w_{ij}`
and :math:`N_{ij}` duels, :math:`u_{ij} = w_{ij}/N_{ij} + \sqrt{\alpha \ln(t + C) / N_{ij}}` (2
where a pair never met). Round t is for the batch of number t mod b:

1. An arm i of the batch with :math:`u_{ij} < \frac12` for some j of the batch is dropped, one after
   another while there is any. A batch of one arm is joined with the next.
2. For every pair i < j of the batch :math:`\theta_{ij} = 1 - \theta_{ji} \sim
   \text{Beta}(w_{ij} + 1, w_{ji} + 1)`; c has :math:`\theta_{cj} > \frac12` against most others of
   the batch, ties broken at random.
3. Of every other arm of the batch once more :math:`\theta'_i \sim \text{Beta}(w_{ic} + 1, w_{ci} +
   1)`; d has the least, so that a weak arm is soon dropped, and c meets d.
4. In stage S, when at most :math:`K / 2^S` arms are left in several batches: the smallest batch is
   joined with the largest and so on, where they have no more than 3M/2 arms together; once more
   if there is a batch of M/2 arms or fewer; then stage S + 1 begins.

The only arm left meets itself from then on.

.. math:: C = \left( \frac{(4\alpha - 1) K^2}{(2\alpha - 1) \delta} \right)^{1/(2\alpha - 1)}

bounds by :math:`\delta` the probability that some :math:`u_{ij}` is ever below :math:`\mu_{ij}`,
and so that the Condorcet winner is dropped (Zoghi, Whiteson, Munos, de Rijke 2014, Lemma 1).

Readings: t counts all rounds (the authors' program starts again at 0 in each
stage); wins start at 0 (there: 1 on either side); steps 2 and 3 are those of that program.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from itertools import chain, combinations
from typing import Annotated

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.intervals import FOREVER
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import Arms, ErrorProbability, Interval, Positive


@declare(
    family="dueling",
    goal="regret",
    guarantee="with a Condorcet winner, regret O(M K ln T / Δ_min²) with probability at least "
    "1 - delta for alpha > 1/2",
    paper="Li, Markov, de Rijke, Zoghi (TOIS 2020), MergeDTS",
    endless=True,
)
def merge_dts(
    arms: Arms,
    *,
    rng: np.random.Generator,
    alpha: Positive = 1.01,
    batch_size: Annotated[int, Interval(2)] = 4,
    delta: ErrorProbability = 0.01,
    offset: Annotated[float, Interval(1, closed="left")] | None = None,
) -> Generator[Duel, int, int]:
    """Play near the Condorcet winner of many arms, by duels in small batches of them.

    Where there is no Condorcet winner, every arm may be dropped but one that loses to others.

    Parameters
    ----------
    alpha : float
        Width of the confidence intervals, positive. The guarantee is for more than ½; in the
        experiments 0.262 (0.8^6), with 16 as ``batch_size`` and 4e5 as ``offset``, did best.
    batch_size : int
        M, at least 2.
    delta : float
        Between 0 and 1: how likely the winner may be dropped.
    offset : float, optional
        C, at least 1; by default what ``alpha`` and ``delta`` ask for, and needed where ``alpha``
        is ½ or less.

    Returns
    -------
    int
        Of the arms that are left when the horizon is reached, the first that leads against the
        most others.

    References
    ----------
    Li, Markov, de Rijke, Zoghi, "MergeDTS: A Method for Effective Large-scale Online Ranker
    Evaluation", ACM Transactions on Information Systems 38 (2020).

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("merge-dts", mu, horizon=10**5, seed=0)
    >>> trace.answer
    0
    """
    if offset is None:
        offset = safe_offset(arms, alpha, delta)
    batches = Batches(arms, rng, alpha, batch_size)
    duels = [[Duel(c, d) for d in range(arms)] for c in range(arms)]
    t = 1
    try:
        while True:
            batch = batches.pruned(t % len(batches.batches), math.log(t + offset))
            if len(batch) == 1:
                yield Duel(batch[0], batch[0], FOREVER)
            else:
                c, d = batches.choose(batch)
                batches.add(c, d, (yield duels[c][d]))
                t += 1
            batches.end_round()
    except HorizonReached:
        return max(sorted(chain(*batches.batches)), key=batches.leads)


def safe_offset(arms: int, alpha: float, delta: float) -> float:
    """C, with which all bounds hold at all times; :class:`InputError` if none is finite."""
    excess = 2 * alpha - 1
    base = (4 * alpha - 1) * arms**2 / (excess * delta) if excess > 0 else math.inf
    if math.log(base) > 700.0 * excess:
        raise InputError(
            f"alpha is {alpha!r}, expected a number well above 0.5, or a given offset: with less "
            "no finite offset bounds the probability that the winner is dropped"
        )
    return float(base ** (1 / excess))


class Batches:
    """The arms that are left, in batches, and the wins of all duels."""

    def __init__(self, arms: int, rng: np.random.Generator, alpha: float, size: int) -> None:
        self._arms, self._rng, self._alpha, self._size = arms, rng, alpha, size
        self._wins = [[0] * arms for _ in range(arms)]
        order: list[int] = rng.permutation(arms).tolist()
        self.batches = [order[start : start + size] for start in range(0, arms, size)]
        self._stage = 1

    def add(self, c: int, d: int, won: int) -> None:
        """Count a duel, of which c won ``won``."""
        self._wins[c][d] += won
        self._wins[d][c] += 1 - won

    def leads(self, arm: int) -> int:
        """Against how many others an arm has won more duels than it lost."""
        return sum(self._wins[arm][j] > self._wins[j][arm] for j in range(self._arms))

    def pruned(self, number: int, log_t: float) -> list[int]:
        """Step 1: the batch without the arms that have lost, joined with others as need be."""
        while True:
            batch = self.batches[number]
            if len(batch) == 1 and len(self.batches) > 1:
                following = (number + 1) % len(self.batches)
                batch += self.batches.pop(following)
                number -= following < number
            loser = next((arm for arm in batch if self._has_lost(arm, batch, log_t)), None)
            if loser is None:
                return batch
            batch.remove(loser)

    def choose(self, batch: list[int]) -> tuple[int, int]:
        """Steps 2 and 3."""
        wins = self._wins
        score = dict.fromkeys(batch, 0)
        pairs = list(combinations(batch, 2))
        samples = self._rng.beta(
            [wins[i][j] + 1 for i, j in pairs], [wins[j][i] + 1 for i, j in pairs]
        )
        for (i, j), sample in zip(pairs, samples.tolist(), strict=True):
            score[i if sample > 0.5 else j] += 1
        most = max(score.values())
        best = [arm for arm in batch if score[arm] == most]
        c = best[0] if len(best) == 1 else best[int(len(best) * self._rng.random())]
        others = [arm for arm in batch if arm != c]
        chances = self._rng.beta([wins[i][c] + 1 for i in others], [wins[c][i] + 1 for i in others])
        return c, others[int(chances.argmin())]

    def end_round(self) -> None:
        """Step 4."""
        left = sum(map(len, self.batches))
        if len(self.batches) > 1 and left <= self._arms / 2**self._stage:
            self._join()
            if min(map(len, self.batches)) <= self._size / 2:
                self._join()
            self._stage += 1

    def _join(self) -> None:
        """Join small batches with large ones, where they are not too large together."""
        rest = sorted(self.batches, key=len)
        self.batches = []
        while rest:
            largest = rest.pop()
            if rest and len(rest[0]) + len(largest) <= 1.5 * self._size:
                largest = rest.pop(0) + largest
            self.batches.append(largest)

    def _has_lost(self, arm: int, batch: list[int], log_t: float) -> bool:
        """Whether the upper bound of an arm against another of the batch is below ½."""
        wins = self._wins
        for other in batch:
            behind = wins[other][arm] - wins[arm][other]
            draws = wins[other][arm] + wins[arm][other]
            # u < 1/2, squared.
            if behind > 0 and behind * behind > 4.0 * draws * self._alpha * log_t:
                return True
        return False
