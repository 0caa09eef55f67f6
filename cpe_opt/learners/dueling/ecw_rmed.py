r"""ECW-RMED: Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016) with the relaxation ECW.

Whether a winner is sure is tested on the rows of equation (2), as for CW-RMED; the relaxation only
says how to explore. (The set of its optimal solutions is printed with :math:`C^*` where
:math:`C^{E*}` is meant.)
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import get_args

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import UnknownName
from cpe_opt.formulations.dueling.ecw import EcwMethod, ecw_evidence, ecw_shares
from cpe_opt.formulations.dueling.lower_bound import METHODS
from cpe_opt.formulations.dueling.rows import ecw_rows
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.exploration import MakeWinnerPlan, WinnerPlan
from cpe_opt.learners.dueling.fresh_programs import FreshWinnerPlan
from cpe_opt.learners.dueling.komiyama_loop import algorithm_1
from cpe_opt.problems.queries import Duel
from cpe_opt.solvers.options import refuse_unused, solver_option
from cpe_opt.solvers.registry import require_backend


@declare(
    family="dueling",
    goal="regret",
    guarantee="regret C^E* ln T + o(ln T) where optima are unique",
    paper="Komiyama, Honda, Nakagawa (ICML 2016), Algorithm 1",
    endless=True,
)
def ecw_rmed(
    arms: int,
    *,
    rng: np.random.Generator | None = None,
    alpha: float = 3.0,
    beta: float = 0.01,
    method: EcwMethod = "closed",
    solver: str | None = None,
) -> Generator[Duel, int, int]:
    """Play near the best arm by duels, with regret about C^E* ln T (Theorem 4).

    While estimates still cross ½ a duel costs time of the order of K² for each empirical winner;
    meant for up to about a hundred arms.

    Parameters
    ----------
    arms : int
        K, at least 2.
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    alpha, beta : float
        Forced exploration; 3 and 0.01 in the paper's experiments. ``beta=0`` is allowed.
    method : "closed", "cuts", "compact" or "enumerate"
        Theorem 5's closed form; else the program of equations (4) and (5) in a formulation of
        :mod:`cpe_opt.formulations.dueling.lower_bound`, built and solved afresh whenever an
        estimate has moved. Where optima are unique all make the same run.
    solver : str, optional
        Of the program, any of linear ones; ``highs`` by default. The closed form takes none.

    Returns
    -------
    int
        The empirical Copeland winner with the most evidence when the horizon is reached.

    References
    ----------
    Komiyama, Honda, Nakagawa, "Copeland Dueling Bandit Problem: Regret Lower Bound, Optimal
    Algorithm, and Computationally Efficient Algorithm", ICML 2016, Algorithm 1 and Theorem 5.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("ecw-rmed", mu, horizon=10**9, seed=0)
    >>> trace.answer
    0
    """
    make: MakeWinnerPlan
    solving = solver_option(solver)
    if method == "closed":
        refuse_unused(solving, "method 'closed'")
        make = EcwWinnerPlan
    elif method in METHODS:
        require_backend(solving.get("solver", "highs"), "LP")
        make = partial(
            FreshWinnerPlan,
            rows=partial(ecw_rows, ties="literal"),
            method=method,
            name="ecw",
            solving=solving,
        )
    else:
        raise UnknownName("method", method, get_args(EcwMethod))
    return (yield from algorithm_1(arms, make, alpha, beta))


class EcwWinnerPlan(WinnerPlan):
    """Theorem 5's closed form, challenger by challenger."""

    def __init__(self, tally: DuelTally, winner: int, costs: FloatArray) -> None:
        self._relaxation = ecw_rows(tally.estimate, winner, "literal")
        super().__init__(tally, winner, costs)

    def resume(self) -> None:
        """Solve again for every challenger, when asked."""
        super().resume()
        self._x: FloatArray | None = None

    def drawn(self, better: int, worse: int) -> None:
        """Solve for the challenger whose costs have moved: the worse arm of the pair."""
        super().drawn(better, worse)
        if self._x is None or self.winner in (better, worse):
            return
        relaxation, block = self._relaxation, self._relaxation.block_of(worse)
        family = int(relaxation.starts[block])
        if family == relaxation.starts[block + 1]:
            return
        superiors = relaxation.superiors[block, : relaxation.sizes[block]]
        spare = np.array([len(superiors) - relaxation.o_size[family]])
        shares, order = ecw_shares(self.costs[worse, superiors][None, :], spare)
        moved = self._x.copy()
        moved[worse, superiors[order[0]]] = moved[superiors[order[0]], worse] = shares[0]
        self._x = moved

    def optimum(self) -> FloatArray:
        """The closed form's x."""
        if self._x is None:
            self._x = ecw_evidence(self._relaxation, self.costs)
        return self._x
