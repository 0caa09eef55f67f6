r"""Players of a repeated game: who shares one unit among n elements, not knowing what each pays.

Their *regret* after t rounds is what the best single element would have paid in all, less what
their shares did. It grows more slowly than t:

- *AdaHedge* (de Rooij, van Erven, Grünwald, Koolen, "Follow the leader if you can, hedge if you
  must", JMLR 15, 2014): shares proportional to :math:`\exp(\eta G_e)` with the gains
  :math:`G_e` so far and :math:`\eta = \ln n / \Delta`. Δ is the sum, over the rounds, of what the
  mixture :math:`\frac1\eta \ln \sum_e w_e e^{\eta g_e}` of the gains g was above their mean
  :math:`\sum_e w_e g_e`. While Δ is 0 the elements that lead share alike. Regret of the order
  :math:`\sqrt{t \ln n}`, in whatever unit gains are;
- *online Frank–Wolfe* (Hazan, Kale, "Projection-free online learning", ICML 2012), in the form of
  Jourdan et al. (2021), section 3.4: from equal shares a step of :math:`t^{-1/4}`
  towards the element with the largest entry of

  .. math:: \sum_{s \le t} \Bigl(g_s - \frac{2 s^{-1/4}}{\sqrt2} w_t\Bigr) ,

  :math:`\sqrt2` being the diameter of the simplex. Regret of the order :math:`t^{3/4}`.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.ties import TIE, first_largest

_DIAMETER = math.sqrt(2.0)
_ROUNDING = 1e-12  # of all gains


class SharePlayer(Protocol):
    """A player; ``shares`` has shape (n,), none is negative, and they add up to 1."""

    shares: FloatArray

    def gain(self, gains: FloatArray) -> None:
        """Learn what each element has paid in this round; shape (n,)."""


class AdaHedge:
    """Exponential weights that find their own learning rate.

    Parameters
    ----------
    size : int
        n.
    """

    def __init__(self, size: int) -> None:
        self._gains: FloatArray = np.zeros(size)
        self._gap = 0.0
        self.shares: FloatArray = np.full(size, 1.0 / size)

    def gain(self, gains: FloatArray) -> None:
        """Learn what each element has paid in this round; shape (n,)."""
        before = self._potential()
        self._gains = self._gains + gains
        mixture = self._potential() - before
        gap = mixture - float(self.shares @ gains)
        # Where it is 0, the difference of sums leaves their last bits, which would set the rate.
        self._gap += gap if gap > _ROUNDING * float(self._gains.max()) else 0.0
        weights = self._weights()
        self.shares = weights / weights.sum()

    def _weights(self) -> FloatArray:
        """Exponential weights, 1 for an element that leads."""
        behind = self._gains.max() - self._gains
        if self._gap == 0.0:
            return np.asarray(behind <= TIE * self._gains.max(), dtype=np.float64)
        return np.asarray(np.exp(-math.log(len(behind)) / self._gap * behind))

    def _potential(self) -> float:
        """The mixture of all gains so far, under the learning rate of this round."""
        rate = math.log(len(self._gains)) / self._gap if self._gap else math.inf
        spread = 0.0 if math.isinf(rate) else math.log(float(self._weights().mean())) / rate
        return float(self._gains.max()) + spread


class OnlineFrankWolfe:
    """A step towards one element a round.

    Parameters
    ----------
    size : int
        n.
    """

    def __init__(self, size: int) -> None:
        self._gains: FloatArray = np.zeros(size)
        self._weight, self._rounds = 0.0, 0
        self.shares: FloatArray = np.full(size, 1.0 / size)

    def gain(self, gains: FloatArray) -> None:
        """Learn what each element has paid in this round; shape (n,)."""
        self._rounds += 1
        step = self._rounds**-0.25
        self._gains = self._gains + gains
        self._weight += 2.0 * step / _DIAMETER
        slopes = self._gains - self._weight * self.shares
        towards = int(first_largest(slopes))
        self.shares = (1.0 - step) * self.shares
        self.shares[towards] += step
