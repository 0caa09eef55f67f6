r"""How hard a full-bandit problem is, and what its algorithms need.

:math:`\Delta_{\min}` is the difference between the best and the second-best set. For a design p,
:math:`\rho(p) = \max_M \|\chi_M\|^2_{\Lambda_p^{-1}}`, its G value, and
:math:`H_\epsilon = \rho(p) / (\Delta_{\min} + \epsilon)^2`. For ICB
:math:`\rho'(p) = (\max_{M, M'} \sum_i |\chi_M(i) - \chi_{M'}(i)| \sqrt{\Lambda_p^{-1}(i, i)})^2`,
bounded here by twice the heaviest set.

Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020), Theorem 3, Corollary 1, Lemma 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from cpe_opt.formulations.designs.design import Design
from cpe_opt.formulations.designs.optimal import g_design
from cpe_opt.formulations.subsets.oracle import SubsetOracle, best_subset, second_best_subset
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.validation import (
    ErrorProbability,
    NonNegative,
    Share,
    checked_types,
)

_DESIGN_GAP = 1e-3
_EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class SubsetHardness:
    """Hardness of finding the best set from sums.

    Attributes
    ----------
    bandit : SubsetBandit
    best : tuple of int
        The best set, its elements ascending.
    design : Design
        By which sums are taken.
    gap : float
        Δ_min; infinite where there is one set.
    rho, rho_elements : float
        ρ and (an upper bound on) ρ' of the design.
    """

    bandit: SubsetBandit
    best: tuple[int, ...]
    gap: float
    design: Design
    rho: float
    rho_elements: float

    @checked_types
    def hardness(self, margin: NonNegative = 0.0) -> float:
        """H_ε; infinite where the best set is not unique and the margin ε is 0."""
        width = self.gap + margin
        return math.inf if width <= 0.0 else self.rho / width / width

    @checked_types
    def corollary_1(
        self, *, delta: ErrorProbability, alpha: Share = 1.0, margin: NonNegative = 0.0
    ) -> float:
        """The leading term of SAQM's samples with an α-approximation and σ = k.

        8 (3 + 1/α)² k² H_ε ln(6K / π²δ).
        """
        decisions = self.bandit.decisions
        log = math.log(6.0 / (math.pi**2 * delta)) + decisions.log_count_bound()
        return 8.0 * (3.0 + 1.0 / alpha) ** 2 * decisions.rank**2 * self.hardness(margin) * log

    @checked_types
    def icb_sample_bound(self, *, delta: ErrorProbability, margin: NonNegative = 0.0) -> float:
        """The leading term of ICB's samples, up to a constant factor: k² H'_ε ln(n/δ)."""
        decisions = self.bandit.decisions
        width = self.gap + margin
        if width <= 0.0:
            return math.inf
        scale = decisions.rank**2 * self.rho_elements / width / width
        return scale * math.log(decisions.size / delta)

    def sample_bounds(self, *, delta: float = 0.05, margin: float = 0.0) -> dict[str, float]:
        """What the theorems bound: leading terms."""
        return {
            "SAQM, exact maximiser (Corollary 1)": self.corollary_1(delta=delta, margin=margin),
            "ICB (Lemma 3), up to a constant": self.icb_sample_bound(delta=delta, margin=margin),
        }


@checked_types
def subset_hardness(
    bandit: SubsetBandit, design: Design | None = None, **solving: Unpack[SolveOptions]
) -> SubsetHardness:
    """Gap and hardness of a problem, for a design (the G-optimal one by default).

    ``solving`` is for the programs of the best sets, where it is given or where only a program
    finds them.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> hard = cpe.subset_hardness(cpe.load_instance("trees-of-k5"))
    >>> hard.best, round(hard.gap, 4)
    ((0, 1, 2, 3), 0.3)
    """
    decisions = bandit.decisions
    best = best_subset(decisions, bandit.theta, **solving)
    second = second_best_subset(decisions, bandit.theta, than=best.elements, **solving)
    gap = math.inf if second is None else best.value - second.value
    if gap < _EQUAL * (1.0 + abs(best.value)):
        gap = 0.0
    chosen = design or g_design(decisions, tolerance=_DESIGN_GAP)
    inverse = np.linalg.pinv(chosen.information, hermitian=True)
    width = np.sqrt(np.maximum(0.0, np.diag(inverse)))
    heaviest = SubsetOracle(decisions).maximise(width) or ()
    rho_elements = (2.0 * float(width[list(heaviest)].sum())) ** 2
    return SubsetHardness(bandit, best.elements, gap, chosen, chosen.value, rho_elements)
