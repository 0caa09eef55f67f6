r"""Random preference matrices of any size, each a function of its number of arms and a seed alone.

* Bradley and Terry (1952): :math:`\mu_{ij} = \sigma(s_i - s_j)`, :math:`\sigma(x) = 1/(1+e^{-x})`,
  with independent normal strengths :math:`s_i`. The strongest arm is the Condorcet winner.
* A cycle: arm 0 beats 1, 1 beats 2, 2 beats 0, each of them beats every other arm, and among the
  others a fair coin says who is ahead; advantages :math:`|\mu_{ij} - \frac12|` are independent and
  uniform. The Copeland winners are 0, 1 and 2, of K-2 wins each: another arm has at most K-4.
* Rankers, such as those of the data set MSLR: most are nearly as good as the best and few are far
  worse, and preferences are not quite transitive. So :math:`\mu_{ij} = \sigma(s_i - s_j +
  \epsilon_{ij})` with :math:`-s_i` from a gamma distribution of shape 1.5 and scale 0.44 and
  antisymmetric normal :math:`\epsilon_{ij}` of standard deviation 0.05. That gives what a matrix of
  135 MSLR rankers under the informational click model has, of the kind that Zoghi, Karnin,
  Whiteson, de Rijke (NIPS 2015) use: strengths with a standard deviation of 0.54 and a skewness of
  -1.66, and 3 % of the pairs against the order of strengths. Advantages below 0.005 are 0.005, the
  least in the matrices that Komiyama, Honda, Nakagawa (ICML 2016) draw from theirs.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.validation import Interval, Positive, Seed, checked_types

_ADVANTAGES = (0.05, 0.4)  # of the arms of a cycle, and of those below
_SHAPE, _SCALE, _NOISE = 1.5, 0.44, 0.05
_LEAST = 0.005
_Arms: TypeAlias = Annotated[int, Interval(2)]


@checked_types
def bradley_terry(
    arms: _Arms, *, spread: Positive = 1.0, seed: Seed = 0, nested: bool = False
) -> PreferenceMatrix:
    """Arms, at least 2, with normal strengths of standard deviation ``spread``; the stronger leads.

    ``nested``: fewer arms are the first of more.

    Examples
    --------
    >>> mu = bradley_terry(16)
    >>> mu.condorcet_winner == mu.copeland_winners[0]
    True
    >>> few, many = (bradley_terry(arms, nested=True) for arms in (4, 16))
    >>> bool((few.array == many.array[:4, :4]).all())
    True
    """
    rng = np.random.default_rng(seed if nested else [seed, arms])
    name = f"bradley-terry-{arms}{'-nested' * nested}"
    strength = rng.normal(0.0, spread, arms)
    return _from_logits(strength[:, None] - strength, name, least=0.0)


@checked_types
def random_cycle(arms: Annotated[int, Interval(4)], *, seed: Seed = 0) -> PreferenceMatrix:
    """Three Copeland winners in a cycle above a random tournament; at least 4 arms."""
    rng = np.random.default_rng([seed, arms])
    i, j = np.triu_indices(arms, 1)
    advantage = rng.uniform(*_ADVANTAGES, len(i))
    turned = (i >= 3) & (rng.random(len(i)) < 0.5)
    turned |= (i == 0) & (j == 2)
    signed = np.where(turned, -advantage, advantage)
    matrix = np.full((arms, arms), 0.5)
    matrix[i, j] += signed
    matrix[j, i] -= signed
    return PreferenceMatrix(matrix, name=f"random-cycle-{arms}")


@checked_types
def mslr_like(arms: _Arms, *, seed: Seed = 0) -> PreferenceMatrix:
    """Rankers as those of MSLR, at least 2: many good ones, few bad ones, hardly out of order."""
    rng = np.random.default_rng([seed, arms])
    strength = -rng.gamma(_SHAPE, _SCALE, arms)
    noise = np.triu(rng.normal(0.0, _NOISE, (arms, arms)), 1)
    logits = strength[:, None] - strength + noise - noise.T
    return _from_logits(logits, f"mslr-like-{arms}", least=_LEAST)


def _from_logits(logits: FloatArray, name: str, *, least: float) -> PreferenceMatrix:
    """The matrix with these logits, and no advantage below the least."""
    i, j = np.triu_indices(len(logits), 1)
    advantage = 0.5 * np.tanh(0.5 * logits[i, j])
    advantage = np.copysign(np.maximum(np.abs(advantage), least), advantage)
    matrix = np.full(logits.shape, 0.5)
    matrix[i, j] += advantage
    matrix[j, i] -= advantage
    return PreferenceMatrix(matrix, name=name)
