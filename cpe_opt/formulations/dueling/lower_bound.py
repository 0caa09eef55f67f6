r"""The regret lower bound of Copeland dueling bandits as a linear program, and ECW.

Komiyama, Honda, Nakagawa (ICML 2016), Lemma 1, Theorem 2, equation (2). Any strongly consistent
algorithm draws each pair {i, j} at least about :math:`q_{ij} \ln T` times for some q in the
feasible region :math:`\mathcal R_{i_1}` of some Copeland winner :math:`i_1`, so its regret is at
least about :math:`C^* \ln T` with

.. math:: C^* = \min_{i_1} \min_{q \in \mathcal R_{i_1}} \sum_{i<j} r_{ij} q_{ij} .

Rows and ties: :mod:`cpe_opt.formulations.dueling.confusing_instances`. All programs are written in
the evidence :math:`x_{ij} = d_{ij} q_{ij} \in [0, 1]`, where rows have coefficients 0 and 1 and the
cost of a pair is :math:`c_{ij} = r_{ij}/d_{ij}`, by the formulations of
:mod:`cpe_opt.formulations.dueling.best_winner`. With ``ties="free"``, the default, the rows are
those that remain as the probability of a tie of the winner falls to ½, while equation (2) as
printed, ``ties="literal"``, is too weak there. Regret is that of the tie itself either way.

**ECW**, the efficient simplification, in closed form and as a program: equations (4)–(6), Theorem
5. For a Copeland winner :math:`i_1` the evidence of its pairs with inferiors is fixed,
:math:`x_{i_1 j} = 1` for :math:`j \in H_{i_1}`, and every challenger :math:`i_2` has, for every
:math:`O \subset \mathcal O = O_{i_2} \setminus \{i_1\}` with
:math:`|O| = L_{i_2} - L_{i_1} + 1`, :math:`\sum_{j\in O} x_{i_2 j} \ge 1`. The program separates
over challengers. With costs sorted ascending and :math:`k = |\mathcal O| - |O|`, an optimum puts
:math:`1/(h-k)` on the h cheapest pairs, for the best :math:`h > k`, the least of equally good ones.
Where :math:`\mathcal O` has fewer than :math:`|O|` pairs there is no row.

With ``ties="free"`` each tie of the winner makes O one smaller, because the winner may have one
more superior at no cost, and no exploration is enough where an O without pairs is left.

The optimum :math:`C^{E*}` is never below :math:`C^*`, and equals it where there are two or more
Copeland winners (Theorem 6).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, Unpack, overload

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.dueling.best_winner import (
    Method,
    WinnerAnswer,
    best_winner,
    copeland_winners,
    endless_exploration,
    least_answer,
    winner_program,
)
from cpe_opt.formulations.dueling.confusing_instances import (
    RowFamilies,
    Ties,
    cheapest_pairs,
    copeland_rows,
    ecw_rows,
    free_ties,
    prefix_sums,
)
from cpe_opt.modelling.program import LazyProgram, LinearProgram
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, unit_costs
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.ties import ascending
from cpe_opt.validation import checked_types

EcwMethod = Literal["closed", "cuts", "compact", "enumerate"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CopelandBound(WinnerAnswer):
    """A constant C such that regret is about ``C ln T``, and the exploration that attains it.

    Attributes
    ----------
    value : float
        The constant, in units of the regret "mean"; infinite where a tie may cost every winner
        asked for its rank.
    bound : float
        No exploration of any winner asked for costs less: the least of their dual bounds.
    winner : int
        The Copeland winner whose feasible region attains it.
    exploration : float array, shape (K, K)
        Draws of each pair per ``ln T``: q, symmetric with a zero diagonal. Where ``value`` is
        infinite, so is q of the winner's ties, and of other pairs it is not known (0).
    by_winner : dict of int to float
        The optimum for every Copeland winner asked for; infinite for one that its ties may cost its
        rank.
    """


@overload
def copeland_bound_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    method: Literal["cuts"] = "cuts",
    ties: Ties = "free",
    rows: Sequence[str] = (),
) -> LazyProgram: ...


@overload
def copeland_bound_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    method: Literal["compact", "enumerate"],
    ties: Ties = "free",
    rows: Sequence[str] = (),
) -> LinearProgram: ...


@checked_types
def copeland_bound_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    method: Method = "cuts",
    ties: Ties = "free",
    rows: Sequence[str] = (),
) -> LinearProgram | LazyProgram:
    """The linear program whose optimum is C*, for one winner (equation 2).

    Parameters
    ----------
    preferences : PreferenceMatrix
    winner : int, optional
        A Copeland winner; the first one by default.
    method : "cuts", "compact" or "enumerate"
        A :class:`LazyProgram` for ``cuts``, a :class:`LinearProgram` for the others.
    ties : "free" or "literal"
        Whether a confusing instance flips the winner's ties for nothing, or equation (2) is taken
        as printed.
    rows : sequence of str
        Further rows by the columns ``x_i_j``, such as ``"x_0_3 >= 0.9"``
        (:mod:`cpe_opt.modelling.reading`), for ``compact`` and ``enumerate``.

    Raises
    ------
    InputError
        Where ``winner`` is no Copeland winner or ``enumerate`` has too many rows; where a text is
        no row.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> program = cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")
    >>> round(cpe.solve(program).objective, 4)
    11.0249
    """
    winner = copeland_winners(preferences, winner)[0]
    families = copeland_rows(preferences.array, winner, ties)
    costs = evidence_costs(preferences)
    return winner_program(families, costs, method, f"copeland_{winner}", rows).program


@checked_types
@shows_progress("the lower bound C*")
def copeland_bound(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    method: Method = "cuts",
    ties: Ties = "free",
    rows: Sequence[str] = (),
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> CopelandBound:
    """The constant C* of the lower bound C* ln T on the regret of Copeland bandits (Theorem 2).

    Parameters
    ----------
    preferences : PreferenceMatrix
    winner : int, optional
        One Copeland winner; the best of all by default.
    method : "cuts", "compact" or "enumerate"
    ties : "free" or "literal"
        As for :func:`copeland_bound_program`.
    rows : sequence of str
        As for :func:`copeland_bound_program`, of one winner; the method is then ``compact`` in
        place of ``cuts``.
    progress : bool or callable, optional
        Whether a line says how far it is: by default at a terminal or in a notebook, after a
        second. A function is told each step in words.
    **solving
        As for :func:`cpe_opt.solve`.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> round(cpe.copeland_bound(cpe.load_instance("sushi")).value, 4)
    142.6078
    """
    families_of = partial(copeland_rows, ties=ties)
    return _best_bound(preferences, winner, method, families_of, "copeland", rows, **solving)


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
        return _best_bound(preferences, winner, method, families_of, "ecw", rows, **solving)
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


def _best_bound(
    preferences: PreferenceMatrix,
    winner: int | None,
    method: Method,
    families_of: Callable[[FloatArray, int], RowFamilies],
    name: str,
    rows: Sequence[str] = (),
    **solving: Unpack[SolveOptions],
) -> CopelandBound:
    """Solve for each winner asked for and keep the smallest optimum."""
    return best_winner(
        CopelandBound,
        copeland_winners(preferences, winner),
        partial(families_of, preferences.array),
        weights=preferences.regret(),
        evidence=preferences.divergences,
        endless=partial(endless_ties, preferences.array),
        method=method,
        name=name,
        rows=rows,
        **solving,
    )


def endless_ties(preferences: FloatArray, winner: int) -> FloatArray:
    """The exploration of a winner whose ties may cost it its rank; shape (K, K)."""
    return endless_exploration(winner, free_ties(preferences, winner), len(preferences))


def evidence_costs(preferences: PreferenceMatrix) -> FloatArray:
    """``c_ij = r_ij / d_ij``: the regret of a unit of evidence; 0 on ties; shape (K, K)."""
    return unit_costs(preferences.regret(), preferences.divergences)


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
