r"""Radii of differences of sets, and lines above them.

The elements D in which a set differs from the best one add up *features*,
:math:`\phi_D = \sum_{e \in D} \phi_e` with entries of at least 0, and its radius is a concave
function :math:`R(\phi_D)`. *Lines* :math:`k + c^\top \phi` are never below it; a *place* is a
number that tells which of them touch it.

**Of a threshold**, :math:`R = \sqrt{A B}`, with

.. math:: A = \sum_{e \in D} a_e, \qquad
          B = \min_l \Bigl(k_l + \sum_{e \in D} (b_e + c_l)\Bigr) .

For single rewards :math:`a_e = 2\sigma^2 / N_e`, and B is the threshold :math:`\beta_D` of
:mod:`cpe_opt.formulations.subsets.single_threshold`, by affine bounds on it. For any s > 0 and l

.. math:: R \le \frac12 \Bigl(s A + \frac1s \Bigl(k_l + \sum_{e \in D} (b_e + c_l)\Bigr)\Bigr) ,

with equality for the l of the minimum and :math:`s = \sqrt{B / A}`. Where the threshold holds, a
set M is better than :math:`\hat M` by no more than :math:`R - \Delta`, with
:math:`\Delta = \hat\theta(\hat M) - \hat\theta(M)` for the means: if
:math:`\theta(M) - \theta(\hat M) > R - \Delta`, then
:math:`\sum_D |\hat\theta_e - \theta_e| > R`, and by the inequality of Cauchy and Schwarz

.. math:: R^2 < \sum_{e \in D} \frac1{N_e}\, \sum_{e \in D} N_e (\hat\theta_e - \theta_e)^2 ,
          \qquad\text{so that}\qquad
          \sum_{e \in D} N_e \frac{(\hat\theta_e - \theta_e)^2}{2 \sigma^2} > B \ge \beta_D .
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cpe_opt.arrays import FloatArray


class Radius(Protocol):
    """Radii of differences."""

    @property
    def features(self) -> FloatArray:
        """φ of each element; shape (n, F)."""

    def radii(self, sums: FloatArray) -> FloatArray:
        """R of φ of shape (sets, F); shape (sets,)."""

    def places(self, sums: FloatArray) -> FloatArray:
        """Those of the lines that touch there, above 0; shape (sets,)."""

    def lines(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """All lines of these places: constants, shape (G,), and slopes, shape (G, F)."""


@dataclass(frozen=True, eq=False)
class ThresholdRadius:
    """Radii of a threshold.

    Attributes
    ----------
    spread : float array, shape (n,)
        a.
    costs : float array, shape (n,)
        b.
    constants, slopes : float arrays, shape (L,)
        k and c.
    """

    spread: FloatArray
    costs: FloatArray
    constants: FloatArray
    slopes: FloatArray

    @property
    def features(self) -> FloatArray:
        """A, b, and 1."""
        return np.stack([self.spread, self.costs, np.ones(len(self.costs))], axis=1)

    def radii(self, sums: FloatArray) -> FloatArray:
        """The root of A B."""
        return np.asarray(np.sqrt(sums[:, 0] * self._thresholds(sums)))

    def places(self, sums: FloatArray) -> FloatArray:
        """The root of B/A."""
        with np.errstate(divide="ignore"):  # of no difference
            return np.asarray(np.sqrt(self._thresholds(sums) / sums[:, 0]))

    def lines(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """For every s, and every l."""
        s, lines = np.repeat(places, len(self.slopes)), len(places)
        slopes = np.stack([s / 2.0, 0.5 / s, np.tile(self.slopes, lines) / s / 2.0], axis=1)
        return np.tile(self.constants, lines) / s / 2.0, slopes

    def _thresholds(self, sums: FloatArray) -> FloatArray:
        """B."""
        terms = sums[:, 1, None] + self.constants + sums[:, 2, None] * self.slopes
        return np.asarray(terms.min(axis=1))
