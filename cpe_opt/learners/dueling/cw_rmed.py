"""CW-RMED: Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016) with the exponential LP.

The loop: :mod:`cpe_opt.learners.dueling.copeland_rmed`. The program: ``method="cuts"``,
``"compact"`` and ``"enumerate"`` solve it from scratch whenever an estimate has moved
(:mod:`cpe_opt.learners.dueling.reference_optimum`). ``method="kept"``, the default, avoids nearly
all of these solves (:mod:`cpe_opt.learners.dueling.exact_optimum`).

Where several points are optimal, the exploration is the vertex at which the solver stops, for as
long as the certificate holds; Theorem 3 assumes that only one point is optimal.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.copeland_rmed import copeland_rmed
from cpe_opt.learners.dueling.exact_optimum import ExactOptimum
from cpe_opt.learners.dueling.reference_optimum import MakeOptimum, ReferenceOptimum
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.registry import require_backend
from cpe_opt.validation import Arms, NonNegative, Positive

CwMethod: TypeAlias = Literal["kept", "cuts", "compact", "enumerate"]


@declare(
    family="dueling",
    goal="regret",
    guarantee="regret C* ln T + o(ln T), the constant of the lower bound, where optima are unique",
    paper="Komiyama, Honda, Nakagawa (ICML 2016), Algorithm 1",
    endless=True,
    batches="the pairs that are due, and the pairs of a list",
)
def cw_rmed(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    alpha: Positive = 3.0,
    beta: NonNegative = 0.01,
    method: CwMethod = "kept",
    solver: str = "highs",
) -> Generator[Duel | Batch, Any, int]:
    """Play near the best arm by duels, with the optimal regret, about C* ln T (Theorem 3).

    Parameters
    ----------
    alpha, beta
        As for :func:`cpe_opt.learners.ecw_rmed`.
    method : "kept", "cuts", "compact" or "enumerate"
        ``"kept"`` keeps the programs of the winners; the others name a formulation of
        :mod:`cpe_opt.formulations.dueling.lower_bound`, built and solved afresh whenever an
        estimate has moved. Where optima are unique all make the same run.
    solver : str
        An LP solver; one that is incremental re-solves from the last basis.

    Returns
    -------
    int
        The empirical Copeland winner with the most evidence when the horizon is reached.

    References
    ----------
    Komiyama, Honda, Nakagawa, "Copeland Dueling Bandit Problem: Regret Lower Bound, Optimal
    Algorithm, and Computationally Efficient Algorithm", ICML 2016, Algorithm 1.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("cw-rmed", mu, horizon=2000, seed=0)
    >>> trace.answer
    0
    """
    require_backend(solver, "LP")
    make: MakeOptimum
    if method == "kept":
        make = partial(ExactOptimum, solver=solver)
    else:
        make = partial(
            ReferenceOptimum,
            rows=partial(copeland_rows, ties="literal"),
            method=method,
            name="copeland",
            solving=SolveOptions(solver=solver),
        )
    return (yield from copeland_rmed(arms, make, alpha, beta))
