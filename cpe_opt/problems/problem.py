"""What a learner can face: any of the problems of this package."""

from __future__ import annotations

from typing import TypeAlias

from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.separable.model import SeparableProblem
from cpe_opt.problems.subsets.bandit import SubsetBandit

Problem: TypeAlias = PreferenceMatrix | MatchingDuels | SubsetBandit | SeparableProblem
