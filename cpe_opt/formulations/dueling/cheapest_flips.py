r"""The cheapest flips that make an arm a Copeland winner.

How far is an estimated preference matrix from one in which arm i wins? Arms :math:`1, \dots, K`;
:math:`L_j` is how many arms beat j by the estimate. Flipping the pair {j, k}, that k has won, so
that j wins it, costs :math:`x_{jk} = x_{kj} \ge 0`; by default the divergence of its probability
from ½, the evidence that one duel of it gives on average. With evidence that was collected instead,
the optimum says what the votes hold against the arm, and its flips what would have to be wrong if
the arm is the best.

.. math:: \min \sum_{(j, k)} x_{jk} y_{jk} \quad\text{s.t.}\quad
    t \ge L_i - \sum_k y_{ik}, \qquad
    L_j - \sum_k y_{jk} + \sum_k y_{kj} + \sum_k z_{kj} \ge t \;\forall j \ne i,

with binary :math:`y_{jk}`, 1 where j is to win the pair that k has won, for all :math:`k \ne i`,
and a whole t, the arm's losses, at most :math:`L_i`. An undecided pair (the estimate is
exactly ½, or there is none) may be given to either arm at no cost: binary :math:`z_{kj}` for
:math:`k < j`, :math:`z_{jk} = 1 - z_{kj}`, 1 where k wins. Columns ``flip_j_k`` (y), ``tie_k_j``
(z), ``level`` (t); rows ``losses_j``, that of i the first.

**What is left out helps nobody.** To flip a pair that i has won gives i a loss and takes one of
another arm, and both only hurt. To turn a pair that k has won against j into a tie, instead of a
win for j, takes the loss from j all the same, but gives k none: where k is not i, a loss of k does
no harm, so that the win is as good; where k is i, the tie takes a loss from j, which only hurts. An
undecided pair is a loss for nobody, and a loss of an arm other than i does no harm: i wins its own
(:math:`z_{ik} = 1`), and one of the two wins any other.

Methods: ``program``, the integer program with a solver; ``flow``, a search over t with flows of
least cost, :mod:`cpe_opt.formulations.dueling.flip_flow`, the default where no solver is named.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, SolverFailed, UnknownName
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.dueling.flip_flow import cheapest_set
from cpe_opt.formulations.dueling.reversals import FlipSet, Pairs, Reversals, checked_costs
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import TIE
from cpe_opt.validation import checked_number, checked_types

FlipMethod = Literal["flow", "program"]
METHODS: tuple[FlipMethod, ...] = ("flow", "program")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CheapestFlips(Answer):
    """A cheapest set of flips that makes an arm a Copeland winner; ``value`` is its cost.

    Attributes
    ----------
    arm : int
        The arm that wins then.
    pairs : tuple of (int, int)
        The pairs to be flipped, ascending: (who wins then, who has won by the estimate). None can
        be left out.
    undecided : tuple of (int, int)
        The undecided pairs that somebody has to win besides: (who wins, who loses).
    losses : int array, shape (K,)
        How many arms beat each arm then.
    """

    arm: int
    pairs: Pairs
    undecided: Pairs
    losses: IntArray

    def report(self, problem: PreferenceMatrix) -> dict[str, Any]:
        """The arm and the flips by their labels."""

        def listed(pairs: Pairs) -> str:
            return (
                "; ".join(f"{problem.labels[a]} > {problem.labels[b]}" for a, b in pairs) or "none"
            )

        undecided = {"undecided": listed(self.undecided)} if self.undecided else {}
        return {"arm": self.arm, "flips": listed(self.pairs), **undecided}


@checked_types
def cheapest_flips_program(
    preferences: PreferenceMatrix, arm: int | None = None, costs: npt.ArrayLike | None = None
) -> LinearProgram:
    """The integer program of the cheapest flips.

    Parameters
    ----------
    preferences : PreferenceMatrix
    arm : int, optional
        The arm to win; by default the first that is no Copeland winner, or 0.
    costs : array_like, shape (K, K), optional
        As for :func:`cheapest_flips`.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> program = cpe.cheapest_flips_program(cpe.load_instance("sushi"), 5)
    >>> round(cpe.solve(program).objective, 4)
    0.1309
    """
    arm = _candidates(preferences, arm)[0]
    return _program(Reversals.of(preferences.array, checked_costs(preferences, costs), arm))


@checked_types
def cheapest_flips(
    preferences: PreferenceMatrix,
    arm: int | None = None,
    costs: npt.ArrayLike | None = None,
    *,
    method: FlipMethod | None = None,
    **solving: Unpack[SolveOptions],
) -> CheapestFlips:
    """The cheapest pairs whose flips make an arm a Copeland winner.

    Parameters
    ----------
    preferences : PreferenceMatrix
        An estimate, say; a tie is a loss for nobody.
    arm : int, optional
        The arm to win; by default the one that needs least among those that are no Copeland
        winners (the first of equals), or 0 where all are.
    costs : array_like, shape (K, K), optional
        What it costs to flip each pair: symmetric, 0 or more; by default ``d_KL(mu_ij, 1/2)`` in
        nats. Those of undecided pairs, where the estimate is ½, are not read: they cost nothing.
    method : "flow" or "program", optional
        ``flow``, unless something is said about solving.
    **solving
        As for :func:`cpe_opt.solve`, with the method ``program`` alone.

    Returns
    -------
    CheapestFlips

    Raises
    ------
    InputError

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.PreferenceMatrix([[0.5, 0.6, 0.9], [0.4, 0.5, 0.7], [0.1, 0.3, 0.5]])
    >>> flips = cpe.cheapest_flips(mu, 1)
    >>> flips.pairs, flips.losses.tolist(), round(flips.value, 4)
    (((1, 0),), [1, 0, 2], 0.0201)
    >>> cpe.cheapest_flips(mu, 2, [[0, 9, 2], [9, 0, 3], [2, 3, 0]], solver="scip").pairs
    ((2, 0),)
    """
    costs = checked_costs(preferences, costs)
    if method is None:
        method = "program" if any(value is not None for value in solving.values()) else "flow"
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    if method == "flow":
        refuse_unused(solving, "cheapest_flips with method 'flow'", instead=("program",))
    candidates = _candidates(preferences, arm)
    best = (
        _nearest(preferences, candidates, costs)
        if len(candidates) > 1 or method == "flow"
        else None
    )
    if method == "flow" and best is not None:
        return best
    pairs = Reversals.of(preferences.array, costs, candidates[0] if best is None else best.arm)
    result = solve(_program(pairs), **solving)
    if result.x is None or result.bound is None:
        raise InputError("the solver left no point")
    point = result.x > 0.5
    flips, ties = len(pairs.cost), int(pairs.free.sum())
    turned = np.zeros(len(pairs.first), np.bool_)
    turned[pairs.free] = ~point[flips : flips + ties]
    return _answer(pairs, FlipSet(point[:flips], turned, max(0.0, result.bound)), "program", result)


@checked_types
def flips_by_arm(
    preferences: PreferenceMatrix, costs: npt.ArrayLike | None = None, *, cutoff: float = math.inf
) -> tuple[CheapestFlips | None, ...]:
    """The cheapest flips for every arm, by flows; None where they surely cost more than a cutoff.

    A low cutoff spares most of the work. What costs as much as that, up to rounding, is found.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> flips = flips_by_arm(cpe.load_instance("sushi"), cutoff=0.02)
    >>> [arm for arm, each in enumerate(flips) if each is not None]
    [0, 1]
    """
    checked_number("cutoff", cutoff, least=0.0)
    costs = checked_costs(preferences, costs)
    return tuple(_flow(preferences, arm, costs, cutoff) for arm in range(preferences.arms))


def _candidates(preferences: PreferenceMatrix, arm: int | None) -> tuple[int, ...]:
    """The arm asked for, or those that are no winners."""
    if arm is not None:
        return (preferences.check_arm(arm),)
    winners = preferences.copeland_winners
    return tuple(arm for arm in range(preferences.arms) if arm not in winners) or (0,)


def _nearest(
    preferences: PreferenceMatrix, candidates: tuple[int, ...], costs: FloatArray
) -> CheapestFlips:
    """The flips of the first of these that needs least."""
    best: CheapestFlips | None = None
    for arm in candidates:
        found = _flow(preferences, arm, costs, math.inf if best is None else best.value)
        if best is None or (found is not None and found.value < best.value * (1.0 - TIE)):
            best = found
    if best is None:
        raise SolverFailed("no flips were found, and all losses of an arm can be flipped")
    return best


def _flow(
    preferences: PreferenceMatrix, arm: int, costs: FloatArray, cutoff: float
) -> CheapestFlips | None:
    pairs = Reversals.of(preferences.array, costs, arm)
    found = cheapest_set(pairs, cutoff)
    return None if found is None else _answer(pairs, found, "flow", None)


def _program(pairs: Reversals) -> LinearProgram:
    """The program of these pairs: columns in their order."""
    arm, arms, free = pairs.arm, pairs.arms, pairs.free
    first, second = pairs.first[free], pairs.second[free]
    builder = ProgramBuilder(f"cheapest_flips_{arm}")
    keys = np.column_stack([pairs.winner, pairs.loser])
    y = builder.columns("flip", keys, cost=pairs.cost, upper=1.0, integer=True)
    z = builder.columns("tie", np.column_stack([first, second]), upper=1.0, integer=True)
    most = float(pairs.losses[arm])
    (level,) = builder.columns("level", [()], upper=most, integer=True)
    others = np.array([j for j in range(arms) if j != arm])
    place = np.empty(arms, dtype=np.int64)
    place[np.append(arm, others)] = np.arange(arms)
    lost = pairs.winner != arm
    # Losses of the others that they have in any case: of pairs tied with the arm, and 1 - z.
    held = pairs.losses + np.bincount(np.append(pairs.second[~free], first), minlength=arms)
    entries = [
        (place[pairs.winner], y, np.where(lost, -1.0, 1.0)),
        (place[pairs.loser], y, np.ones(len(y))),
        (place[second], z, np.ones(len(z))),
        (place[first], z, -np.ones(len(z))),
        (place, np.full(arms, level), np.where(np.arange(arms) == arm, 1.0, -1.0)),
    ]
    row, column, value = (np.concatenate(parts) for parts in zip(*entries, strict=True))
    sides = np.append(most, -held[others].astype(np.float64))
    builder.rows("losses", np.append(arm, others), row, column, value, lower=sides)
    return builder.build()


def _answer(
    pairs: Reversals, found: FlipSet, method: str, result: SolveResult | None
) -> CheapestFlips:
    """What is needed of a set of flips, its cost, and the losses then, counted anew."""
    if not pairs.wins(found):
        raise SolverFailed(f"the flips by method {method!r} do not make arm {pairs.arm} a winner")
    needed, undecided = pairs.needed(found)
    value = math.fsum(pairs.cost[needed].tolist())
    flips = np.column_stack([pairs.winner, pairs.loser])[needed]
    return CheapestFlips(
        value=value,
        bound=min(value, found.bound),
        method=method,
        result=result,
        arm=pairs.arm,
        pairs=tuple((int(j), int(k)) for j, k in flips),
        undecided=undecided,
        losses=pairs.losses_after(flips, undecided),
    )
