r"""CLUCB-Borda: the Borda winner among matchings, from duels.

The Borda score of a matching is, up to the factor ℓ, the sum of its edges' weights w(e), and
duelling e against the edge that a uniform random matching has at e's position is an unbiased sample
of w(e). So :mod:`cpe_opt.learners.subsets.clucb` finds the Borda winner, with a sampler of
matchings of bias η for rewards. (An edge meets itself where the matching has it: that counts ½,
unduelled.)

**PAC** (Algorithm 1), for an accuracy ε: :math:`\eta = \epsilon/8`,
:math:`c_t(e) = \sqrt{\ln(4Kt^3/\delta) / 2T_t(e)}`, 1 without a duel; bounds are
:math:`\bar w \pm (c_t + \epsilon/4)`; stop where nothing beats :math:`M_t` by more than ℓε. The
:math:`\epsilon/4` stands for the sampler's bias, and is kept with the exact sampler, which has
none.

**Exact** (Algorithm 5): epochs q = 1, 2, … of the above with :math:`\epsilon_q = 2^{-q}` and
:math:`\delta_q = \delta / 2q^2`, each with statistics of its own; return where nothing beats
:math:`M_t` at all (within 1e-9 of the largest bound), go to the next epoch where nothing does by
more than :math:`\ell\epsilon_q`.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.matchings.samplers import Sampler, SamplerName, make_sampler
from cpe_opt.learners.queries import HorizonReached, Unproved
from cpe_opt.learners.subsets.clucb import ElementMeans
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.queries import Duel
from cpe_opt.solvers.options import solver_option
from cpe_opt.validation import checked_delta, checked_number

_UNKNOWN_BIAS = "the bias of the sampler 'mcmc' is aimed at, not proved"


@declare(
    family="matchings",
    goal="PAC",
    guarantee="a Borda score within a margin of the best with probability at least 1 - delta",
    paper="Chen, Du, Huang, Zhao (ICML 2020), Algorithm 1",
)
def clucb_borda_pac(
    graph: BipartiteGraph,
    *,
    rng: np.random.Generator,
    margin: float,
    delta: float = 0.05,
    sampler: SamplerName = "exact",
    method: SubsetMethod | None = None,
    solver: str | None = None,
) -> Generator[Duel, int, tuple[int, ...] | Unproved]:
    """Find a matching with a Borda score within a margin of the best, with probability 1 - delta.

    Parameters
    ----------
    margin : float
        Above 0.
    sampler : "exact" or "mcmc"
        ``mcmc`` aims at the bias η without proof, so that the guarantee is that of ``exact`` alone:
        the answer with ``mcmc`` is not proved.
    method, solver : str, optional
        Of the linear oracle over matchings, as for :func:`cpe_opt.best_subset`: ``combinatorial``
        by default, or ``assignment``, ``scipy``, ``networkx``; ``program`` solves the linear
        program, twice a round, with any solver.

    Returns
    -------
    tuple of int
        Edges, one a position; where the rounds end before it is certain, the best for the means.

    References
    ----------
    Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020,
    Algorithm 1.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> duels = cpe.planted_condorcet(3, 2, gap=0.2, seed=1)
    >>> trace = cpe.simulate("clucb-borda-pac", duels, margin=0.3, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((0, 4), True)
    """
    checked_delta(delta, None)
    checked_number("margin", margin, above=0.0)
    oracle = SubsetOracle(Matchings(graph), method, **solver_option(solver))
    draws = make_sampler(sampler, graph, rng, margin / 8)
    matching, _ = yield from _epoch(graph, oracle, draws, margin, delta, until_exact=False)
    return _answer(matching, sampler)


@declare(
    family="matchings",
    goal="identification",
    guarantee="the Borda winner with probability at least 1 - delta",
    paper="Chen, Du, Huang, Zhao (ICML 2020), Algorithm 5",
    endless_if="two matchings have the best Borda score",
)
def clucb_borda_exact(
    graph: BipartiteGraph,
    *,
    rng: np.random.Generator,
    delta: float = 0.05,
    sampler: SamplerName = "exact",
    method: SubsetMethod | None = None,
    solver: str | None = None,
) -> Generator[Duel, int, tuple[int, ...] | Unproved]:
    """Find the Borda winner with probability at least 1 - delta.

    Where several matchings have the best score it does not stop by itself.

    Parameters
    ----------
    sampler, method, solver
        As for :func:`clucb_borda_pac`.

    Returns
    -------
    tuple of int
        Edges, one a position; where the rounds end before it is certain, the best for the means of
        the epoch, or, as long as these lack an edge, the matching of the epoch before.

    References
    ----------
    Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020,
    Algorithm 5.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> duels = cpe.planted_condorcet(2, 1, gap=0.4, seed=0)
    >>> trace = cpe.simulate("clucb-borda-exact", duels, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((0,), True)
    """
    checked_delta(delta, None)
    oracle = SubsetOracle(Matchings(graph), method, **solver_option(solver))
    exact = make_sampler(sampler, graph, rng, 1 / 16) if sampler == "exact" else None
    matching: tuple[int, ...] | None = None
    q = 1
    while True:
        margin = 2.0**-q
        draws = exact or make_sampler(sampler, graph, rng, margin / 8)
        matching, decided = yield from _epoch(
            graph, oracle, draws, margin, delta / (2 * q**2), until_exact=True, before=matching
        )
        if decided:
            return _answer(matching, sampler)
        q += 1


def _answer(matching: tuple[int, ...], sampler: SamplerName) -> tuple[int, ...] | Unproved:
    """The theorems are about samplers whose bias is known."""
    return matching if sampler == "exact" else Unproved(matching, _UNKNOWN_BIAS)


def _epoch(
    graph: BipartiteGraph,
    oracle: SubsetOracle,
    draws: Sampler,
    margin: float,
    delta: float,
    *,
    until_exact: bool,
    before: tuple[int, ...] | None = None,
) -> Generator[Duel, int, tuple[tuple[int, ...], bool]]:
    """Rounds until nothing beats M_t by more than ℓε: M_t, and whether nothing beats it at all."""
    position = graph.position.tolist()
    means = ElementMeans(oracle)
    pairs = max(1, graph.n_pairs)
    t = 1
    try:
        while True:
            scale = (math.log(4.0 * pairs * t**3) - math.log(delta)) / 2.0
            seen = means.compare(scale, extra=margin / 4)
            if until_exact and seen.certain:
                return seen.best, True
            if seen.excess <= graph.positions * margin:
                return seen.best, False
            edge = seen.widest
            rival = draws.opponent(position[edge])
            # An edge against itself wins half the time: no duel is needed to know that.
            won = 0.5 if rival == edge else (yield Duel(edge, rival))
            means.add(edge, won)
            t += 1
    except HorizonReached:
        return (means.best() if means.complete or before is None else before), True
