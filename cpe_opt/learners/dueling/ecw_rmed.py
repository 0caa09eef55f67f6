r"""ECW-RMED: Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016) with the simpler program ECW.

The loop: :mod:`cpe_opt.learners.dueling.copeland_rmed`. The optimum: Theorem 5's closed form
(:mod:`cpe_opt.learners.dueling.relaxed_optimum`), or the program from scratch whenever an estimate
has moved (:mod:`cpe_opt.learners.dueling.reference_optimum`).

Whether a winner is sure is tested on the rows of equation (2), as for CW-RMED; ECW only says how to
explore. (The set of its optimal solutions is printed with :math:`C^*` where
:math:`C^{E*}` is meant.)
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any

import numpy as np

from cpe_opt.formulations.dueling.confusing_instances import ecw_rows
from cpe_opt.formulations.dueling.lower_bound import EcwMethod
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.copeland_rmed import copeland_rmed
from cpe_opt.learners.dueling.reference_optimum import MakeOptimum, ReferenceOptimum
from cpe_opt.learners.dueling.relaxed_optimum import RelaxedOptimum
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.solvers.options import refuse_unused, solver_option
from cpe_opt.solvers.registry import require_backend
from cpe_opt.validation import Arms, NonNegative, Positive


@declare(
    family="dueling",
    goal="regret",
    guarantee="regret C^E* ln T + o(ln T) where optima are unique",
    paper="Komiyama, Honda, Nakagawa (ICML 2016), Algorithm 1",
    endless=True,
    batches="the pairs that are due, and the pairs of a list",
)
def ecw_rmed(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    alpha: Positive = 3.0,
    beta: NonNegative = 0.01,
    method: EcwMethod = "closed",
    solver: str | None = None,
) -> Generator[Duel | Batch, Any, int]:
    """Play near the best arm by duels, with regret about C^E* ln T (Theorem 4).

    A duel after which an estimate crosses ½ costs time of the order of K² ln K for all empirical
    winners together, any other that of what it changes: meant for hundreds of arms.

    Parameters
    ----------
    alpha, beta : float
        Forced exploration; 3 and 0.01 in the paper's experiments. ``beta=0`` is allowed. With 0.2
        and 0 some instances cost less, and single runs on others far more.
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
    make: MakeOptimum
    solving = solver_option(solver)
    if method == "closed":
        refuse_unused(solving, "method 'closed'", instead=("cuts", "compact", "enumerate"))
        make = RelaxedOptimum
    else:
        require_backend(solving.get("solver", "highs"), "LP")
        make = partial(
            ReferenceOptimum,
            rows=partial(ecw_rows, ties="literal"),
            method=method,
            name="ecw",
            solving=solving,
        )
    return (yield from copeland_rmed(arms, make, alpha, beta))
