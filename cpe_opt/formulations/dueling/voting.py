r"""The von Neumann winner of a preference matrix, or maximal lottery.

A distribution p over arms that no arm beats on average: an optimal strategy of the symmetric
zero-sum game with payoff :math:`\mu_{ij} - \frac12`,

.. math:: \min_{p, w} w \quad\text{s.t.}\quad
          \sum_i p_i (\mu_{ij} - \tfrac12) + w \ge 0 \;\forall j, \quad
          \sum_i p_i = 1, \quad p \ge 0 .

The value of a symmetric game is 0, which certifies any solution: no arm gains more than the
*exploitability* :math:`\max_j \sum_i p_i (\frac12 - \mu_{ij})` against p. A Condorcet winner is
the only von Neumann winner. Columns ``p_i`` and ``loss`` (w), rows ``arm_j`` and ``total``.

Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), appendix C.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import checked_types

_SUPPORT = 1e-7


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Lottery(Answer):
    """A von Neumann winner.

    Attributes
    ----------
    value : float
        The exploitability: what the best arm against the lottery wins on average beyond ½; 0 up to
        rounding.
    bound : float
        0, the value of every symmetric game: no lottery is exploited less.
    weights : float array, shape (K,)
        Probabilities; they add up to 1.
    support : tuple of int
        The arms with a positive weight.
    """

    weights: FloatArray
    support: tuple[int, ...]

    @property
    def gap(self) -> float:
        """The exploitability: the optimum is 0, so a gap relative to it says nothing."""
        return self.value

    def report(self, problem: PreferenceMatrix) -> dict[str, Any]:
        """The arms it draws, and how often."""
        return {
            "exploitability": self.value,
            "weights": {problem.labels[a]: float(self.weights[a]) for a in self.support},
        }


@checked_types
def von_neumann_winner_program(preferences: PreferenceMatrix) -> LinearProgram:
    """The matrix game of a preference matrix as a linear program.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.solve(cpe.von_neumann_winner_program(cpe.load_instance("gap"))).objective
    0.0
    """
    arms = preferences.arms
    builder = ProgramBuilder("von_neumann")
    weights = builder.columns("p", arms, upper=1.0)
    loss = builder.columns("loss", [()], cost=1.0, lower=-0.5, upper=0.5)
    builder.sums("arm", arms, (preferences.array.T - 0.5, weights), (1.0, loss), lower=0.0)
    builder.row("total", weights, lower=1.0, upper=1.0)
    return builder.build()


@checked_types
def von_neumann_winner(preferences: PreferenceMatrix, **solving: Unpack[SolveOptions]) -> Lottery:
    """A distribution over arms that no arm beats on average.

    Parameters
    ----------
    preferences : PreferenceMatrix
    **solving
        As for :func:`cpe_opt.solve`.

    Returns
    -------
    Lottery
        Where several are optimal, the one the solver found.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> rock_paper_scissors = cpe.PreferenceMatrix([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]])
    >>> cpe.von_neumann_winner(rock_paper_scissors).weights.round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    result = solve(von_neumann_winner_program(preferences), **solving)
    if result.x is None:
        raise InputError("the solver left no point")
    weights = np.clip(result.x[: preferences.arms], 0.0, None)
    weights = weights / weights.sum()
    against = weights @ (preferences.array - 0.5)
    return Lottery(
        value=float(max(0.0, -against.min())),
        bound=0.0,
        method="game",
        result=result,
        weights=weights,
        support=tuple(np.flatnonzero(weights > _SUPPORT).tolist()),
    )
