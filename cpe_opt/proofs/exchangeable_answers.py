r"""Tests of what proofs assume of answers: that these do not depend on what is next to them.

**A mark that should not matter.** Answers :math:`y` come in *strata*, such as the pairs of arms;
each has a mark :math:`x`, such as whether the arm of the smaller number was shown first, or whether
it is of the second half of the time. If answers do not depend on marks, every way to deal the marks
of a stratum to its n answers is as likely, given both. Then

.. math:: U = \sum (x - \bar x)(y - \bar y), \qquad E\,U = 0, \qquad
          \operatorname{Var} U = \frac{\sum (x - \bar x)^2 \sum (y - \bar y)^2}{n - 1},

the variance of a sum over a random permutation. Strata are independent of each other:

- *in one direction*, :math:`Z = \sum U / \sqrt{\sum \operatorname{Var} U}`, for a mark that moves
  all answers to the same side;
- *in any direction*, :math:`\sum U^2 / \operatorname{Var} U`, for one that moves each stratum to a
  side of its own.

These are about normal, and :math:`\chi^2` with a degree of freedom per stratum. Of marks and
answers that are 0 or 1 the sum moves in steps of 1, and half a step is taken off :math:`|U|`, as by
Mantel and Haenszel (1959); of others this only makes the tests more cautious.

**Always the same.** Of the answers of others a share q is of a kind. If the n answers of a rater
are of this kind with that probability each, all are with probability :math:`q^n`. So that no rater
is suspected for being the only one of some kind, q is :math:`(k + 1)/(m + 2)` of k answers of m.

None of this is a part of a proof; p-values say where it is worth a look.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray

_FEWEST = 8  # answers with either mark in a stratum, of those that count alone


@dataclass(frozen=True)
class MarkTest:
    """Whether answers depend on a mark."""

    effect: float  # by how much answers with the mark 1 lie above those with 0: mean over strata
    direction: float  # p-values of the two tests
    any_direction: float
    strata: int  # how many have answers with different marks


def mark_test(strata: IntArray, mark: FloatArray, answer: FloatArray) -> MarkTest:
    """Test whether answers depend on a mark from 0 to 1; arrays of shape (n,)."""
    from scipy.special import erfc, gammaincc

    _, stratum = np.unique(strata, return_inverse=True)
    stratum = stratum.ravel()

    def total(values: FloatArray) -> FloatArray:
        return np.bincount(stratum, values).astype(np.float64)

    n = total(np.ones(len(mark)))
    x = mark - (total(mark) / n)[stratum]
    y = answer - (total(answer) / n)[stratum]
    moved, spread = total(x * y), total(x * x)
    variance = spread * total(y * y) / np.maximum(n - 1.0, 1.0)
    differ = spread > 1e-9
    if not differ.any():
        return MarkTest(0.0, 1.0, 1.0, 0)
    both = float(variance.sum())
    z = max(abs(float(moved.sum())) - 0.5, 0.0) / np.sqrt(both) if both > 1e-9 else 0.0
    alone = np.minimum(total(mark), total(1.0 - mark)) >= _FEWEST
    alone &= variance > 1e-9
    squares = np.maximum(np.abs(moved[alone]) - 0.5, 0.0) ** 2 / variance[alone]
    any_direction = gammaincc(alone.sum() / 2.0, squares.sum() / 2.0) if alone.any() else 1.0
    effect = float(moved.sum() / spread.sum())
    return MarkTest(effect, float(erfc(z / np.sqrt(2.0))), float(any_direction), int(differ.sum()))


def always_the_same(kind: FloatArray, count: FloatArray, rater: IntArray) -> dict[int, float]:
    """Raters whose answers are all of one kind, and how likely that is; -1 is no rater."""
    import pandas as pd

    answers = pd.DataFrame({"kind": kind, "n": count})
    every = answers.groupby("kind")["n"].sum()
    raters = answers[rater >= 0].groupby(rater[rater >= 0])
    own = raters.agg(kind=("kind", "first"), kinds=("kind", "nunique"), n=("n", "sum"))
    own = own[own["kinds"] == 1]
    others = every[own["kind"]].to_numpy() - own["n"]
    share = (others + 1.0) / (count.sum() - own["n"] + 2.0)
    return {int(each): float(p_value) for each, p_value in (share ** own["n"]).items()}
