r"""Certificates of programs: what a solve claims, proved in rational numbers that anyone can check.

*Linear programs*: HiGHS's basis gives an optimal vertex and its multipliers exactly, or Farkas's
multipliers, or a point and a ray (:mod:`cpe_opt.solvers.exact`).

*Integer programs*: a branch and bound tree, depth first, from HiGHS's point; each node is solved
exactly. A branch is at the column whose value is farthest from whole. There are no cuts, so this is
for small programs.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np

from cpe_opt.errors import NotCertified, SolverFailed
from cpe_opt.modelling.certificate import (
    Ends,
    ExactProgram,
    Node,
    ProgramCertificate,
    ProvedStatus,
    Values,
    branched,
)
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.solvers.exact import (
    Clock,
    ExactEnd,
    ProofTimeOver,
    exact_end,
    flint,
    float_answer,
)
from cpe_opt.validation import PositiveInt, PositiveOrInfinite, checked_types

_LARGEST = Fraction(8 * 10**307)  # the checker writes values and gaps as doubles


@checked_types
def certificate(
    program: LinearProgram,
    *,
    nodes: PositiveInt = 2000,
    time_limit: PositiveOrInfinite | None = None,
) -> ProgramCertificate:
    """An optimum, a bound, or that there is none, proved in rational numbers.

    The certificate's :meth:`~cpe_opt.modelling.certificate.ProgramCertificate.write` makes a file
    that ``examples/check_certificate.py`` checks, which shares no code with this package. It has
    been checked once here. Exact equations are solved by python-flint:
    ``pip install "cpe-opt[exact]"``.

    Parameters
    ----------
    program : LinearProgram
        Its doubles are taken as the rational numbers that they are: 0.1 is not 1/10. Of a lazy
        program, a result's ``program``: the rows that its solve needed.
    nodes : int
        Of an integer program's tree; with more, the claim is a bound and a gap.
    time_limit : float, optional
        Seconds. An integer program gets what is proved by then, as by the limit of nodes.

    Returns
    -------
    ProgramCertificate
        Of the claim "optimal", "bounded" (by a gap), "infeasible" or "unbounded".

    Raises
    ------
    NotCertified
        Where nothing is proved: no point is found within the limits, or the equations are too many.
    SolverMissing
        Without python-flint.

    Examples
    --------
    >>> from cpe_opt.modelling.builder import ProgramBuilder
    >>> builder = ProgramBuilder("thirds", sense="max")
    >>> x = builder.columns("x", 2, cost=[1, 1])
    >>> _ = builder.row("first", x, [3, 1], upper=1)
    >>> _ = builder.row("second", x, [1, 4], upper=1)
    >>> found = certificate(builder.build())
    >>> found.claim, found.value
    ('optimal', Fraction(5, 11))
    """
    flint()
    clock = Clock(time.perf_counter() + (math.inf if time_limit is None else time_limit))
    try:
        found = _Tree(ExactProgram(program), nodes, clock).certificate()
    except ProofTimeOver:
        raise NotCertified(
            f"nothing is proved of {program.name!r} within a time_limit of {time_limit} seconds"
        ) from None
    except NotCertified as error:
        raise NotCertified(f"nothing is proved of {program.name!r}: {error}") from None
    if found.value is not None and max(abs(found.value), found.gap or 0) > _LARGEST:
        raise NotCertified(
            f"the optimum of {program.name!r}, or its gap, is a number that no double holds, and "
            "certificates do not state"
        )
    if fault := found.fault():
        raise SolverFailed(f"the certificate of {program.name!r} does not hold: {fault}")
    return found


def _between(
    program: LinearProgram, value: Fraction, bound: Fraction, point: Values, nodes: tuple[Node, ...]
) -> ProgramCertificate:
    """The optimum lies between value and bound; it is the value where they are equal."""
    claim: ProvedStatus = "optimal" if value == bound else "bounded"
    return ProgramCertificate(program, claim, value, bound, point, nodes=nodes)


class _Tree:
    """Branch and bound, depth first, every leaf with a proof; ``nodes`` are in preorder.

    A part that a limit leaves open is closed by what proves the bound of its parent, one of
    ``bounds``.
    """

    def __init__(self, exact: ExactProgram, most: int, clock: Clock) -> None:
        self.exact, self.program, self.most, self.clock = exact, exact.program, most, clock
        self.best: Fraction | None = None  # of the costs of the minimisation
        self.point: Values | None = None
        self.nodes: list[Node] = []
        self.bounds: list[Fraction] = []

    def certificate(self) -> ProgramCertificate:
        """The proof of the program, by its relaxation alone where that is enough."""
        root = exact_end(self.exact, self.clock)
        if root.claim == "infeasible":
            leaf = Node("contradiction", root.y)
            return ProgramCertificate(self.program, "infeasible", nodes=(leaf,))
        if root.claim == "unbounded":
            bare = replace(self.program, costs=np.zeros(self.program.shape[1]), offset=0.0)
            found = _Tree(ExactProgram(bare), self.most, self.clock).certificate()
            if found.claim == "infeasible":
                return replace(found, program=self.program)
            return ProgramCertificate(self.program, "unbounded", point=found.point, ray=root.ray)
        if not self.exact.broken(root.x):
            value = self.exact.value(root.x)
            return _between(self.program, value, value, root.x, (Node("bound", root.y),))
        limit = self._search(root)
        if self.best is not None and self.point is not None:
            bound = self.exact.offset + self.exact.sign * min([self.best, *self.bounds])
            value = self.exact.value(self.point)
            return _between(self.program, value, bound, self.point, tuple(self.nodes))
        if not limit:
            return ProgramCertificate(self.program, "infeasible", nodes=tuple(self.nodes))
        raise NotCertified(
            f"no point was found within {limit}; more may do, but where whole columns have no "
            "bounds branching need not end"
        )

    def _search(self, root: ExactEnd) -> str:
        """Close all nodes; returns the limit that was met, if any."""
        left = [(self.exact.bounds, Node("bound", root.y), self.exact.total(root.x))]
        limit = ""
        while left:
            sides, leaf, bound = left.pop()
            node = leaf
            try:
                if not self.nodes:
                    self._take_solver_point()
                if len(self.nodes) == self.most:
                    limit = f"{self.most:,} nodes"
                if not limit:
                    node, leaf, bound = self._solved(sides, bound)
            except ProofTimeOver:
                limit = "the time limit"
            if limit:
                self.bounds.append(self.exact.raised(bound))
            self.nodes.append(node)
            if node.kind == "branch":
                left += [(part, leaf, bound) for part in reversed(branched(sides, node))]
        return limit

    def _take_solver_point(self) -> None:
        """HiGHS's point with its whole columns rounded, the others exact; it has half the time."""
        left = self.clock.left()
        limit = None if left is None else left / 2
        x, _ = float_answer(self.program, limit, mip_max_nodes=self.most)
        if x is None:
            return
        fixed = list(self.exact.bounds)
        for j in np.flatnonzero(self.program.integer).tolist():
            fixed[j] = (Fraction(round(x[j])),) * 2
        end = exact_end(self.exact.within(fixed), self.clock)
        if end.claim == "optimal" and not self.exact.broken(end.x):
            self.best, self.point = self.exact.total(end.x), end.x

    def _solved(self, sides: list[Ends], bound: Fraction) -> tuple[Node, Node, Fraction]:
        """The leaf that closes a node, or its branch; what proves the node's bound; the bound."""
        for j, (lower, upper) in enumerate(sides):
            if lower is not None and upper is not None and lower > upper:
                leaf = Node("empty", column=j)
                return leaf, leaf, bound
        end = exact_end(self.exact.within(sides), self.clock)
        if end.claim == "infeasible":
            leaf = Node("contradiction", end.y)
            return leaf, leaf, bound
        bound, leaf = self.exact.total(end.x), Node("bound", end.y)
        if self.best is not None and self.exact.raised(bound) >= self.best:
            return leaf, leaf, bound
        apart = {
            j: abs(value - round(value))
            for j, value in end.x.items()
            if self.program.integer[j] and value.denominator > 1
        }
        if not apart:
            self.best, self.point = bound, end.x
            return leaf, leaf, bound
        column = max(apart, key=lambda j: (apart[j], -j))
        return Node("branch", column=column, at=math.floor(end.x[column])), leaf, bound
