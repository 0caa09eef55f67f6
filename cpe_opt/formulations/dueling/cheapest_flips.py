r"""The cheapest flips that make an arm a Copeland winner.

How far is an estimated preference matrix from one in which arm i wins? Arms
:math:`1, \dots, K`; k has won against j where :math:`\mu_{jk} < \frac12`, and :math:`L_j` is how
many arms have won against j. Flipping such a pair, so that j wins it, costs
:math:`x_{jk} = x_{kj} \ge 0`; by default :math:`d_{KL}(\mu_{jk}, \frac12)`, the evidence that one
duel of it gives on average. With evidence that was collected instead, the optimum says what the
votes hold against the arm, and its flips what would have to be wrong if the arm is the best:

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

**Methods.** ``program``, the integer program with a solver; ``flow``, the default where no solver
is named, a search over t with flows of least cost:

Flipping a pair that k has won, so that j wins it, takes a loss from j to k: a unit of flow on an
arc :math:`j \to k` of capacity 1 and cost :math:`x_{jk}`. An undecided pair gives its loss to
either: it starts at one, and an arc without cost leads to the other; :math:`L_j` counts those that
start at j. Fix t, the most losses that the arm i may end with. All others must end with t or more:
node :math:`j \ne i` has :math:`L_j - t` losses to spare, or lacks as many, and the arm has
:math:`L_i - t` to get rid of,

.. math:: V(t) = \min_{0 \le f \le 1} \sum_a x_a f_a \quad\text{s.t.}\quad
    L_j + \sum_{a \to j} f_a - \sum_{a \leftarrow j} f_a \ge t \;\forall j \ne i, \qquad
    L_i - \sum_{a \leftarrow i} f_a \le t .

Arcs into i are left out: to leave a pair that i has won as it is takes a loss from i, and no other
flip becomes necessary. (A flow :math:`k \to i \to j` does no more than its second half.) The matrix
is that of a network, so that for a whole t the linear program has a whole optimum: a set of flips.

**A search over t is exact.** V is convex in real t: the right-hand sides are affine in t, so the
mean of feasible flows for t and for t' is feasible for the mean of t and t', and costs the mean.
Hence over whole t, where V is the least cost of a set of flips, the differences
:math:`V(t+1) - V(t)` never fall, and the first t with :math:`V(t+1) \ge V(t)` is the first
minimum. The line through two neighbours is a lower bound of V everywhere else, and so is

.. math:: \underline V(t) = A_i(L_i - t) + \sum_{j \ne i} B_j((t - L_j)^+) ,

:math:`A_i(n)` the n cheapest pairs that i lost, :math:`B_j(n)` the n cheapest that j won, those
against i and undecided ones at no cost, so that none counts twice: what each arm needs, whatever
the others can spare. Levels that these bounds exclude are not
solved.

**Rounding.** OR-Tools' flows have whole costs: multiples of :math:`u / M`, u the power of two next
above a bound U of the optimum, the cost of all pairs that i lost or a given cutoff, and M about
:math:`2^{61} / (K+1)^2`. Pairs that cost more than U are left out, except those of i, so that
there is a flow for t = 0. A set of flips errs by at most m/2 such steps, m the number of pairs;
where that is more than a millionth of the value found, the value is the next U.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray, check_sums, checked_shape
from cpe_opt.errors import InputError, SolverFailed
from cpe_opt.formulations.answer import Answer
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.solvers.assignment import largest_cost, min_cost_flow
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import TIE, in_bits
from cpe_opt.validation import Numbers, checked_types

FlipMethod = Literal["flow", "program"]
Pairs = tuple[tuple[int, int], ...]  # each (who wins, who loses)
_SYMMETRY = 1e-9
_BITS = 40  # by which costs are told apart, the same on every machine
_ACCURACY = 1e-6
_LEAST = math.ulp(0.0)


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
        return {"arm": problem.labels[self.arm], "flips": listed(self.pairs), **undecided}


@checked_types
def cheapest_flips_program(
    preferences: PreferenceMatrix, arm: int | None = None, costs: Numbers | None = None
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
    return Flips.of(preferences, arm, checked_costs(preferences, costs)).program()


@checked_types
def cheapest_flips(
    preferences: PreferenceMatrix,
    arm: int | None = None,
    costs: Numbers | None = None,
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
    if method == "flow":
        refuse_unused(solving, "cheapest_flips with method 'flow'", instead=("program",))
    best: CheapestFlips | None = None
    candidates = _candidates(preferences, arm)
    if method == "flow" or len(candidates) > 1:
        for candidate in candidates:
            cutoff = math.inf if best is None else best.value
            flips = flips_within(preferences, candidate, costs, cutoff)
            if best is None or (flips is not None and flips.value < best.value * (1.0 - TIE)):
                best = flips
        if best is None:
            raise SolverFailed("no flips were found, and all losses of an arm can be flipped")
    if best is None or method == "program":
        winner = candidates[0] if best is None else best.arm
        return Flips.of(preferences, winner, costs).solved(**solving)
    return best


def _candidates(preferences: PreferenceMatrix, arm: int | None) -> tuple[int, ...]:
    """The arm asked for, or those that are no winners."""
    if arm is not None:
        return (preferences.check_arm(arm),)
    winners = preferences.copeland_winners
    return tuple(arm for arm in range(preferences.arms) if arm not in winners) or (0,)


def flips_within(
    preferences: PreferenceMatrix, arm: int, costs: FloatArray, cutoff: float = math.inf
) -> CheapestFlips | None:
    """The cheapest flips by flows, or None if they cost more than a cutoff, which spares work."""
    flips = Flips.of(preferences, arm, costs)
    most = flips.most(cutoff)
    while True:
        network = _Network(flips, most)
        found = network.search(cutoff)
        if found is None:
            return None
        flipped, bound = found
        value = math.fsum(flips.cost[flipped].tolist())
        if network.error <= _ACCURACY * value or value == 0.0 or value >= most:
            return flips.answer(flipped, bound, "flow", None)
        most = value


def flips_below(preferences: PreferenceMatrix, costs: FloatArray, limit: float) -> list[bool]:
    """For every arm, whether flips cost less than a limit: any flow below it is enough."""
    bounds = _Bounds(preferences.array, costs)
    (level, least), easy = bounds.least(), bounds.easy()

    def below(arm: int) -> bool:
        if least[arm] * (1.0 - _ACCURACY) >= limit:
            return False
        most = easy[arm]
        for fewer in (1, 0):
            if most >= limit:
                most = bounds.attained(arm, max(0, level.item(arm) - fewer))
        if most * (1.0 + _ACCURACY) < limit:
            return True
        flips = Flips.of(preferences, arm, costs)
        found = _Network(flips, flips.most(limit)).search(limit, enough=limit)
        return found is not None and found[1] < limit

    return [below(arm) for arm in range(preferences.arms)]


def checked_costs(preferences: PreferenceMatrix, costs: npt.ArrayLike | None) -> FloatArray:
    """Costs of flips, by default the divergences, or :class:`InputError` with the pair."""
    if costs is None:
        return preferences.divergences
    shape = preferences.array.shape
    array = checked_shape("costs", costs, shape, ", a cost for every pair of arms")
    wrong = ~(np.isfinite(array) & (array >= 0) & (np.abs(array - array.T) <= _SYMMETRY * array))
    for i, j in np.argwhere(wrong)[:1].tolist():
        raise InputError(
            f"costs, row {i}, column {j}: {array[i, j]}, and {array[j, i]} in the other order, "
            "expected one number a pair, 0 or more"
        )
    check_sums("costs", array)
    return np.asarray(np.triu(array, 1) + np.triu(array, 1).T)


@dataclass(frozen=True, eq=False)
class Flips:
    """The pairs whose flip may help an arm, which has won its undecided ones.

    That of two others starts as a loss of its second arm; its flip, a loss of the first, is free.
    """

    arm: int
    held: IntArray  # (K,); the losses that arms start with
    # (m,); who wins once flipped, who wins now: pairs in their order, then the undecided ones
    winner: IntArray
    loser: IntArray
    cost: FloatArray  # (m,)
    decided: int  # how many of these are not undecided
    tied: IntArray  # the arms with which the arm has undecided pairs

    @classmethod
    def of(cls, preferences: PreferenceMatrix, arm: int, costs: FloatArray) -> Flips:
        """Those of a preference matrix, with the costs of its pairs, (K, K)."""
        undecided = np.triu(preferences.array == 0.5, 1)
        tied = np.flatnonzero(undecided[arm] | undecided[:, arm])
        undecided[arm] = undecided[:, arm] = False
        winner, loser = np.nonzero(preferences.array < 0.5)
        winner, loser = winner[loser != arm], loser[loser != arm]
        first, second = np.nonzero(undecided)
        started = np.bincount(np.append(tied, second), minlength=preferences.arms)
        return cls(
            arm=arm,
            held=preferences.losses + started,
            winner=np.append(winner, second),
            loser=np.append(loser, first),
            cost=np.append(costs[winner, loser], np.zeros(len(first))),
            decided=len(winner),
            tied=tied,
        )

    @property
    def arms(self) -> int:
        """K."""
        return len(self.held)

    def most(self, cutoff: float) -> float:
        """What the cheapest flips cost at most, if they cost no more than a cutoff."""
        return min(math.fsum(self.cost[self.winner == self.arm].tolist()), cutoff)

    def program(self) -> LinearProgram:
        """The integer program: columns in the order of the pairs."""
        arm, arms, decided = self.arm, self.arms, self.decided
        winner, loser = self.winner[:decided], self.loser[:decided]
        first, second = self.loser[decided:], self.winner[decided:]
        builder = ProgramBuilder(f"cheapest_flips_{arm}")
        keys = np.column_stack([winner, loser])
        y = builder.columns("flip", keys, cost=self.cost[:decided], upper=1.0, integer=True)
        z = builder.columns("tie", np.column_stack([first, second]), upper=1.0, integer=True)
        most = float(self.held[arm])
        level = builder.columns("level", [()], upper=most, integer=True)
        builder.row(f"losses_{arm}", [*y[winner == arm], *level], lower=most)
        # Losses of undecided pairs are 1 - z of the first arm, and z of the second.
        held = self.held + np.bincount(first, minlength=arms) - np.bincount(second, minlength=arms)
        others = [j for j in range(arms) if j != arm]
        builder.sums(
            "losses",
            others,
            (-1.0, [y[winner == j] for j in others]),
            (1.0, [y[loser == j] for j in others]),
            (1.0, [z[second == j] for j in others]),
            (-1.0, [z[first == j] for j in others]),
            (-1.0, level),
            lower=-held[others].astype(np.float64),
        )
        return builder.build()

    def solved(self, **solving: Unpack[SolveOptions]) -> CheapestFlips:
        """The cheapest flips by the program."""
        result = solve(self.program(), **solving)
        if result.x is None or result.bound is None:
            raise InputError("the solver left no point")
        flipped = result.x[: len(self.cost)] > 0.5
        flipped[self.decided :] = ~flipped[self.decided :]
        return self.answer(flipped, max(0.0, result.bound), "program", result)

    def answer(
        self, flipped: BoolArray, bound: float, method: str, result: SolveResult | None
    ) -> CheapestFlips:
        """What is needed of a set of flips: none of these can be left out, which is tried anew."""
        after = self.held.copy()
        np.add.at(after, self.loser[flipped], 1)
        np.add.at(after, self.winner[flipped], -1)
        if after[self.arm] != after.min():
            raise SolverFailed(
                f"the flips by method {method!r} do not make arm {self.arm} a winner"
            )

        def is_needed(winner: int, loser: int, taken: int) -> bool:
            """Whether a win cannot be taken back, which took so many losses from the winner."""
            if winner != self.arm:  # which no other arm is below
                needed = bool(after[loser] <= after[self.arm])
                after[loser] -= not needed
                after[winner] += 0 if needed else taken
                return needed
            changed = after.copy()
            changed[loser] -= 1
            changed[winner] += taken
            if changed[self.arm] > changed.min():
                return True
            after[:] = changed
            return False

        pairs = list(zip(self.winner.tolist(), self.loser.tolist(), strict=True))
        kept, before = np.flatnonzero(flipped[: self.decided]).tolist(), -1
        while len(kept) != before:
            before = len(kept)
            kept = [place for place in kept if is_needed(*pairs[place], 1)]
        given = [(self.arm, other) for other in self.tied.tolist()]
        for pair, turned in zip(
            pairs[self.decided :], flipped[self.decided :].tolist(), strict=True
        ):
            given.append(pair if turned else pair[::-1])
        undecided = sorted(pair for pair in given if is_needed(*pair, 0))
        value = math.fsum(self.cost[kept].tolist())
        return CheapestFlips(
            value=value,
            bound=min(value, bound),
            method=method,
            result=result,
            arm=self.arm,
            pairs=tuple(pairs[place] for place in kept),
            undecided=tuple(undecided),
            losses=after,
        )


class _Bounds:
    """What the flips of every arm cost at least and at most, by sorts alone."""

    def __init__(self, array: FloatArray, costs: FloatArray) -> None:
        arms = len(array)
        self.won, self.costs = array > 0.5, costs
        self.undecided = (array == 0.5) & ~np.eye(arms, dtype=np.bool_)
        self.losses: IntArray = self.won.sum(axis=0)
        own = np.where(self.won, costs, math.inf)  # to lose a pair that the row has won
        order = np.argsort(own, axis=1, kind="stable")
        self.place = np.argsort(order, axis=1, kind="stable")
        ranked = np.take_along_axis(own, order, axis=1)
        self.sums = np.pad(np.cumsum(ranked, axis=1), ((0, 0), (1, 0)))
        rid = np.sort(np.where(self.won.T, costs, math.inf), axis=1)
        self.rid = np.pad(np.cumsum(rid, axis=1), ((0, 0), (1, 0)))
        # Of an undecided pair the first loses, or the second, by turns.
        place = np.arange(arms)
        self.lost = self.undecided & ((place[:, None] + place) % 2 == (place[:, None] > place))

    def easy(self) -> FloatArray:
        """The cost of the flips of each arm at the level that all others have reached already."""
        held = self.losses + self.lost.sum(axis=1) + (self.undecided & ~self.lost.T)
        np.fill_diagonal(held, len(held))
        level = np.minimum(self.losses, held.min(axis=1))
        found: FloatArray = self.rid[np.arange(len(held)), self.losses - level]
        return found

    def least(self) -> tuple[IntArray, FloatArray]:
        r"""The level with the least :math:`\underline V` of each arm, which is convex; and that."""
        low, high = np.zeros_like(self.losses), self.losses.copy()
        while (low < high).any():
            middle = (low + high) // 2
            falls = self._lower(np.minimum(middle + 1, self.losses)) < self._lower(middle)
            low, high = np.where(falls, middle + 1, low), np.where(falls, high, middle)
            low = np.minimum(low, high)
        return low, self._lower(low)

    def _lower(self, level: IntArray) -> FloatArray:
        r""":math:`\underline V` of each arm at a level of its own; infinite if it is too high."""
        arms = np.arange(len(level))
        lack = np.maximum(level[:, None] - self.losses - self.undecided.sum(axis=1), 0)
        np.fill_diagonal(lack, 0)
        against = self.won.T & (lack > 0)  # a pair with the arm itself comes first, at no cost
        skipped = against & (lack - 1 > self.place.T)
        number = lack - against + skipped
        needs = self.sums[arms, number] - np.where(skipped, self.costs, 0.0)
        found: FloatArray = self.rid[arms, self.losses - level] + needs.sum(axis=1)
        return found

    def attained(self, arm: int, level: int) -> float:
        """The cost of some flips after which the arm has so many losses; infinite if none is found.

        Those that lack the most take them first, where they cost the least, from arms with more or
        from some that have not taken any yet: a chain of cheap pairs leads to arms with more.
        """
        beaten = np.flatnonzero(self.won[:, arm])
        cheap = np.argsort(self.costs[arm, beaten], kind="stable")
        beaten = beaten[cheap[: len(beaten) - level]]
        cost = float(self.costs[arm, beaten].sum())
        lost = self.lost.copy()
        lost[arm], lost[:, arm] = False, self.undecided[:, arm]
        held = self.losses + lost.sum(axis=1)
        held[beaten] += 1
        held[arm] = level
        has_taken = np.zeros(len(held), dtype=np.bool_)
        has_taken[arm] = True
        while (needed := level - held.min()) > 0 and cost < math.inf:
            one = int(held.argmin())
            prices = np.where(self.won[one], self.costs[one], math.inf)
            prices[self.undecided[one] & ~lost[one]] = 0.0
            prices[has_taken & (held <= level)] = math.inf
            taken = np.argsort(prices, kind="stable")[:needed]
            cost += float(prices[taken].sum())
            held[taken] -= 1
            held[one], has_taken[one] = level, True
            lost[taken, one] = False
        return cost


class _Network:
    """The flows of one arm, with costs in whole numbers."""

    def __init__(self, flips: Flips, most: float) -> None:
        self.flips = flips
        own = flips.winner == flips.arm
        self.kept = np.flatnonzero(own | (flips.cost <= most))
        top = largest_cost(flips.arms + 1)
        unit = math.ldexp(1.0, math.frexp(most)[1]) if most else 1.0
        self.step = max(unit / top, _LEAST)
        self.error = self.step * len(self.kept) / 2.0
        costs = np.rint(in_bits(np.minimum(flips.cost[self.kept], most), _BITS) / self.step)
        costs[flips.cost[self.kept] > most] = top + len(self.kept)
        self.costs = costs.astype(np.int64)
        self._flows: dict[int, tuple[int, IntArray] | None] = {}

    def flow(self, level: int) -> tuple[int, IntArray] | None:
        """V(t) and its flow for t, the most losses that the arm keeps; None if there is none."""
        if level not in self._flows:
            flips, kept, store = self.flips, self.kept, self.flips.arms
            supplies = flips.held - level
            supplies[flips.arm] = flips.held[flips.arm]
            # What an arm keeps goes to the store.
            capacities = np.repeat([1, 2 * store], [len(kept), store])
            capacities[len(kept) + flips.arm] = level
            self._flows[level] = min_cost_flow(
                np.append(flips.winner[kept], np.arange(store)),
                np.append(flips.loser[kept], np.full(store, store)),
                capacities,
                np.append(self.costs, np.zeros(store, dtype=np.int64)),
                np.append(supplies, -supplies.sum()),
            )
        return self._flows[level]

    def cost(self, level: int) -> float:
        """V(t), infinite where there is no flow."""
        found = self.flow(level)
        return math.inf if found is None else found[0]

    def least(self) -> dict[int, float]:
        r"""The bounds :math:`\underline V(t)`, of those t alone that they do not rule out."""
        flips, arms = self.flips, self.flips.arms
        head, own = flips.loser[self.kept], flips.winner[self.kept] == flips.arm
        needs = np.sort(self.costs[own])
        costs = np.where(own, 0, self.costs)
        order = np.lexsort((costs, head))
        sums = np.append(0, np.cumsum(costs[order]))
        count = np.bincount(head, minlength=arms)
        first = np.append(0, np.cumsum(count))[:-1]
        held = flips.held.copy()
        held[flips.arm] = arms
        levels = np.arange(int(flips.held[flips.arm]) + 1)
        lack = np.maximum(levels - held[:, None], 0)
        able = (lack <= count[:, None]).all(axis=0)
        last = first[:, None] + np.minimum(lack, count[:, None])
        others = (sums[last] - sums[first, None]).sum(axis=0)
        rid = np.append(0, np.cumsum(needs))[levels[-1] - levels]
        return {t: int(rid[t] + others[t]) for t in np.flatnonzero(able).tolist()}

    def search(self, cutoff: float, enough: float = 0.0) -> tuple[BoolArray, float] | None:
        """The best flips, or some that cost less than enough, and a bound; None above a cutoff."""
        lower = self.least()
        low, high, best = 0, max(lower), math.inf
        while True:
            left = [t for t in range(low, high + 1) if lower[t] <= best]
            low, high = left[0], left[-1]
            if self.surely(min(lower[t] for t in left)) > cutoff:
                return None
            t = min(range(low, max(low + 1, high)), key=lower.__getitem__)
            here = self.cost(t)
            if low == high or (here * self.step + self.error) * (1.0 + _ACCURACY) < enough:
                break
            there = self.cost(t + 1)
            best = min(best, here, there)
            if there < here:
                low = t + 1
            else:
                high = t if here < math.inf else t - 1
            if there < math.inf:
                for s in range(low, high + 1):
                    lower[s] = max(lower[s], here + (s - t) * (there - here))
        found = self.flow(t)
        if found is None:
            raise SolverFailed("OR-Tools found no flow of losses where there is one")
        if self.surely(found[0]) > cutoff:
            return None
        flipped = np.zeros(len(self.flips.cost), np.bool_)
        flipped[self.kept] = found[1][: len(self.kept)] > 0
        return flipped, self.surely(found[0])

    def surely(self, cost: float) -> float:
        """What flips cost at least, if rounded they cost so much."""
        return max(0.0, (cost * self.step - self.error) * (1.0 - 2.0 ** (1 - _BITS)))
