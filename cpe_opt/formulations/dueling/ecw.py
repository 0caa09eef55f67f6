r"""ECW, the efficient simplification of the Copeland lower bound, in closed form and as a program.

Komiyama, Honda, Nakagawa (ICML 2016), equations (4)–(6), Theorem 5. For a Copeland winner
:math:`i_1` the evidence of its pairs with inferiors is fixed, :math:`x_{i_1 j} = 1` for
:math:`j \in H_{i_1}`, and every challenger :math:`i_2` satisfies, for every
:math:`O \subset \mathcal O = O_{i_2} \setminus \{i_1\}` with
:math:`|O| = L_{i_2} - L_{i_1} + 1`, :math:`\sum_{j\in O} x_{i_2 j} \ge 1`. The program separates
over challengers. With costs sorted ascending and :math:`k = |\mathcal O| - |O|`, an optimum puts
:math:`1/(h-k)` on the h cheapest pairs, for the best :math:`h > k`, the least of equally good ones.
Where :math:`\mathcal O` has fewer than :math:`|O|` pairs there is no row.

Ties of the winner are as for :mod:`cpe_opt.formulations.dueling.lower_bound`: with ``ties="free"``
each of them makes O one smaller, because the winner may have one more superior at no cost, and no
exploration is enough where an O without pairs is left.

The optimum :math:`C^{E*}` is never below :math:`C^*`, and equals it where there are two or more
Copeland winners (Theorem 6).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Literal, Unpack, overload

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.dueling.best_winner import (
    Method,
    copeland_winners,
    least_answer,
    winner_program,
)
from cpe_opt.formulations.dueling.confusing_instances import (
    RowFamilies,
    Ties,
    cheapest_pairs,
    ecw_rows,
    prefix_sums,
)
from cpe_opt.formulations.dueling.lower_bound import (
    CopelandBound,
    best_bound,
    endless_ties,
    evidence_costs,
)
from cpe_opt.modelling.program import LazyProgram, LinearProgram
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, unit_costs
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.ties import ascending
from cpe_opt.validation import checked_types

EcwMethod = Literal["closed", "cuts", "compact", "enumerate"]


@overload
def ecw_bound_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    method: Literal["cuts"] = "cuts",
    ties: Ties = "free",
    rows: Sequence[str] = (),
) -> LazyProgram: ...


@overload
def ecw_bound_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    method: Literal["compact", "enumerate"],
    ties: Ties = "free",
    rows: Sequence[str] = (),
) -> LinearProgram: ...


@checked_types
def ecw_bound_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    method: Method = "cuts",
    ties: Ties = "free",
    rows: Sequence[str] = (),
) -> LinearProgram | LazyProgram:
    """The program of equations (4) and (5) for one winner; as :func:`copeland_bound_program`.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> program = cpe.ecw_bound_program(cpe.load_instance("gap"), method="compact")
    >>> round(cpe.solve(program).objective, 4)
    1252.5108
    """
    winner = copeland_winners(preferences, winner)[0]
    families = ecw_rows(preferences.array, winner, ties)
    costs = evidence_costs(preferences)
    return winner_program(families, costs, method, f"ecw_{winner}", rows).program


@checked_types
@shows_progress("the lower bound C^E*")
def ecw_bound(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    method: EcwMethod = "closed",
    ties: Ties = "free",
    rows: Sequence[str] = (),
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> CopelandBound:
    """The constant C^E* of the upper bound C^E* ln T on the regret of ECW-RMED (Theorem 4).

    Parameters
    ----------
    preferences : PreferenceMatrix
    winner : int, optional
        One Copeland winner; the best of all by default.
    method : "closed", "cuts", "compact" or "enumerate"
        Theorem 5's closed form, or the program with a solver.
    ties : "free" or "literal"
        As for :func:`cpe_opt.copeland_bound_program`.
    rows : sequence of str
        As for :func:`cpe_opt.copeland_bound_program`, of one winner; the method is then ``compact``
        in place of ``closed`` and ``cuts``.
    progress : bool or callable, optional
        As for :func:`cpe_opt.copeland_bound`.
    **solving
        As for :func:`cpe_opt.copeland_bound`; the closed form takes none.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> round(cpe.ecw_bound(cpe.load_instance("gap")).value, 4)
    1252.5108
    """
    if method == "closed" and rows:
        method = "compact"
    if method != "closed":
        families_of = partial(ecw_rows, ties=ties)
        return best_bound(preferences, winner, method, families_of, "ecw", rows, **solving)
    refuse_unused(
        solving, "ecw_bound with method 'closed'", instead=("cuts", "compact", "enumerate")
    )
    costs = evidence_costs(preferences)

    def closed(winner: int) -> CopelandBound:
        families = ecw_rows(preferences.array, winner, ties)
        value, q = math.inf, endless_ties(preferences.array, winner)
        if families.is_feasible:
            x = ecw_evidence(families, costs)
            value = float(np.triu(x * costs).sum())
            q = unit_costs(x, preferences.divergences)
        # Theorem 5: the closed form is the optimum, so it bounds itself.
        return CopelandBound(
            value=value, bound=value, method="closed", winner=winner, exploration=q, by_winner={}
        )

    return least_answer(closed(each) for each in copeland_winners(preferences, winner))


def ecw_evidence(
    families: RowFamilies, costs: FloatArray, needed: float = 1.0, charge: float = 0.0
) -> FloatArray:
    """Theorem 5's optimum, or that with a charge of each pair: x, symmetric; shape (K, K)."""
    blocks = families.block
    challengers, superiors = families.challengers[blocks], families.superiors[blocks]
    spare = families.sizes[blocks] - families.o_size
    listed = np.where(superiors >= 0, costs[challengers[:, None], superiors], np.inf)
    order = ascending(listed)
    sums = prefix_sums(np.take_along_axis(listed, order, axis=1))
    chosen = cheapest_pairs(sums, spare, needed, charge)
    row, place = np.nonzero(np.arange(listed.shape[1]) < chosen[:, None])
    x = np.zeros(costs.shape)
    x[challengers[row], superiors[row, order[row, place]]] = 1.0 / (chosen - spare)[row]
    x[families.winner, families.inferiors] = 1.0
    return np.maximum(x, x.T)
