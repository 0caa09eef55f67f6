r"""Versatile-DB: two players of Tsallis-INF against each other, for the Condorcet winner.

A left and a right player choose one arm each, k and ℓ, and these meet; the loss of a player is 1
where its arm loses and 0 where it wins. Each is a bandit algorithm: follow the regularised leader
with Tsallis entropy of exponent ½. In round t a player draws its arm from

.. math:: p = \arg\min_{p \in \text{simplex}} \; \langle p, \hat L \rangle - \frac{4}{\eta_t}
    \sum_i \sqrt{p_i} , \qquad \eta_t = \frac{2}{\sqrt t} ,

that is, :math:`p_i = 4 / (\eta_t (\hat L_i - x))^2` with the :math:`x < \min \hat L` for which they
add up to 1, and then its estimated loss grows by importance weighting: :math:`\hat L_k \mathrel{+}=
\text{loss} / p_k`.

**Why it works.** Let w be a Condorcet winner and :math:`\Delta_i = \mu_{wi} - \frac12`. The regrets
of both players against playing w add up to :math:`\sum_t (\Delta_{k_t} + \Delta_{\ell_t})`, twice
the mean regret of the duels. Tsallis-INF has regret at most :math:`4\sqrt{KT} + 1` whatever happens
(so Versatile-DB has it for preferences that change, too), and where regret is a sum of gaps

.. math:: \sum_{i \ne w} \frac{4 \ln T + 12}{\Delta_i} + 4 \ln T + \frac{1}{\Delta_{min}} +
    \frac32 \sqrt K + 8

(Zimmert, Seldin 2021, Theorem 1). Regret is here :math:`\frac12 (\Delta_k + \Delta_\ell)`.

Where both players choose the same arm, nobody need be asked: both have the loss ½, its mean.

**The weights.** f(x) = Σ p_i - 1 is convex and increasing in x. Newton's method from any point with
f(x) ≥ 0 falls to its zero; :math:`\min \hat L - 2/\eta` is one. It starts at the last x, or where f
is negative there at one step from it, at most at that point: a step from below goes past the zero.
A weight that is too small makes the next losses too large, and itself smaller yet: rounding errors
grow with the rounds. So that a seed gives the same run on every machine, nothing is computed but by
operations that are rounded alike everywhere, and sums in order (``cumsum``).
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.intervals import Uniforms
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.ties import first_smallest
from cpe_opt.validation import Arms

# How far the weights may be from 1 together before they are divided by their sum.
_EXCESS = 1e-13


@declare(
    family="dueling",
    goal="regret",
    guarantee="with a Condorcet winner, expected regret Σ (4 ln T + 12)/Δ_i + O(ln T); "
    "for changing preferences 4 √(KT) + 1",
    paper="Saha, Gaillard (ICML 2022), Versatile-DB",
    endless=True,
)
def versatile_db(arms: Arms, *, rng: np.random.Generator) -> Generator[Duel, int, int]:
    """Play near the Condorcet winner by two bandit algorithms against each other.

    Where there is no Condorcet winner, both play a maximal lottery in the long run, on average.

    Returns
    -------
    int
        The arm with the least estimated loss of both players, when the horizon is reached.

    References
    ----------
    Saha, Gaillard, "Versatile Dueling Bandits: Best-of-both-World Analyses for Online Learning from
    Preferences", ICML 2022. Zimmert, Seldin, "Tsallis-INF: An Optimal Algorithm for Stochastic and
    Adversarial Bandits", JMLR 22 (2021).

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("versatile-db", mu, horizon=2000, seed=0)
    >>> trace.answer
    0
    """
    uniforms = Uniforms(rng)
    left, right = TsallisPlayer(arms), TsallisPlayer(arms)
    duels = [[Duel(k, j) for j in range(arms)] for k in range(arms)]
    t = 1
    try:
        while True:
            rate = 2.0 / math.sqrt(t)
            k, j = left.draw(rate, uniforms.next()), right.draw(rate, uniforms.next())
            won = yield duels[k][j]
            loss = 0.5 if k == j else 1.0 - won
            left.suffer(k, loss)
            right.suffer(j, 1.0 - loss)
            t += 1
    except HorizonReached:
        return first_smallest(left.losses + right.losses)


class TsallisPlayer:
    """Tsallis-INF with importance weighting: estimated losses, and p of the last draw."""

    def __init__(self, arms: int) -> None:
        self.losses: FloatArray = np.zeros(arms)
        self.weights: FloatArray = np.full(arms, 1.0 / arms)
        self._x = -math.sqrt(arms)

    def draw(self, rate: float, uniform: float) -> int:
        """Set the weights for a learning rate; the arm that a uniform number stands for."""
        self.weights, self._x = tsallis_weights(self.losses, rate, self._x)
        cumulated = self.weights.cumsum()
        return int(cumulated[:-1].searchsorted(uniform * cumulated.item(-1), side="right"))

    def suffer(self, arm: int, loss: float) -> None:
        """Count the loss of the arm that was drawn."""
        self.losses[arm] += loss / self.weights[arm]


def tsallis_weights(losses: FloatArray, rate: float, start: float) -> tuple[FloatArray, float]:
    """The weights that minimise the regularised loss, (K,), and x; ``start`` is a guess of x."""
    highest = float(losses.min()) - 2.0 / rate
    x = min(start, highest)
    above = x == highest
    while True:
        root = (2.0 / rate) / (losses - x)  # the square roots of the weights
        weights = root * root
        excess = weights.cumsum().item(-1) - 1.0
        if abs(excess) <= _EXCESS:
            return weights / (1.0 + excess), x
        following = x - excess / (rate * (weights * root).cumsum().item(-1))
        if not above:
            above, following = True, min(following, highest)
        elif following >= x:  # as near as floating-point numbers come
            return weights / (1.0 + excess), x
        x = following
