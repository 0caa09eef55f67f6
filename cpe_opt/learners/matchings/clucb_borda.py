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

**Uniform random matchings: exactly, or by a Markov chain where the graph is too large for that.**

``ExactSampler`` draws from the dynamic program of :mod:`cpe_opt.problems.matchings.bipartite`; its
bias is 0.

``McmcSampler`` is the chain of Jerrum, Sinclair and Vigoda (2004). The graph is padded with
:math:`n - \ell` positions that every candidate may take, so that matchings become perfect, each the
same number of times. States are perfect matchings and those with one candidate u and one position
v left out; a state of the second kind has weight :math:`w(u, v)`, learned such that all pairs of
holes together weigh about as much, each, as the perfect matchings. From a perfect matching a random
edge is taken out; from one with holes a random vertex is chosen, and the edge between the holes is
put in, or an edge is slid into a hole; Metropolis' rule makes the weights stationary. The weights
are learned while the edges that the graph lacks fade out: they start with weight 1, where
:math:`w = n` is exact, and are halved until they weigh nothing against the graph's own matchings.

The bias η, in total variation, of the theory's numbers of steps would take ages for any graph; here
the steps between samples grow with :math:`\ln(1/\eta)`, and the tests measure the bias on graphs
where all matchings can be listed.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Generator
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import UnknownName
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, Unproved
from cpe_opt.learners.subsets.clucb import ElementMeans
from cpe_opt.problems.matchings.bipartite import BipartiteGraph, edge_frequencies, forward_table
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.queries import Duel
from cpe_opt.solvers.options import solver_option
from cpe_opt.validation import ErrorProbability, Positive

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
    margin: Positive,
    delta: ErrorProbability = 0.05,
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
    delta: ErrorProbability = 0.05,
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


# Uniform random matchings: exactly, or by a Markov chain where the graph is too large for that.


SamplerName: TypeAlias = Literal["exact", "mcmc"]
_BLOCK = 1024
_CHAINS = 256
_SWEEPS_A_PHASE = 40
_SWEEPS_A_SAMPLE = 4.0


class Sampler(ABC):
    """Random matchings of one graph."""

    eta: float
    """The bias: total variation distance between a sample and a uniform matching."""

    @abstractmethod
    def matching(self) -> tuple[int, ...]:
        """A random matching, one edge a position."""

    def opponent(self, position: int) -> int:
        """The edge of a random matching at a position."""
        return self.matching()[position]


def make_sampler(name: str, graph: BipartiteGraph, rng: np.random.Generator, eta: float) -> Sampler:
    """The sampler of this name, ``exact`` or ``mcmc``."""
    if name == "exact":
        return ExactSampler(graph, rng)
    if name == "mcmc":
        return McmcSampler(graph, rng, eta=eta)
    raise UnknownName("sampler", name, ("exact", "mcmc"))


class ExactSampler(Sampler):
    """Exactly uniform matchings; up to about 20 positions."""

    eta = 0.0

    def __init__(self, graph: BipartiteGraph, rng: np.random.Generator) -> None:
        self._graph, self._rng = graph, rng
        self._table: FloatArray | None = None
        frequencies = edge_frequencies(graph)
        self._edges = [edges.tolist() for edges in graph.edges_at]
        self._cumulated = [np.cumsum(frequencies[edges])[:-1].tolist() for edges in graph.edges_at]
        self._uniform: list[float] = []
        self._choices: list[list[tuple[int, int]]] = [[] for _ in range(graph.candidates)]
        for edge, (candidate, position) in enumerate(graph.edges):
            self._choices[candidate].append((position, edge))

    def opponent(self, position: int) -> int:
        """Drawn by the share of matchings that each edge is in: no matching is needed."""
        return int(self._edges[position][bisect_right(self._cumulated[position], self._next())])

    def matching(self) -> tuple[int, ...]:
        """Drawn candidate by candidate, from the last to the first."""
        if self._table is None:
            self._table = forward_table(self._graph)
        table, chosen = self._table, [0] * self._graph.positions
        left = len(table[0]) - 1
        for candidate in reversed(range(self._graph.candidates)):
            mass = self._next() * table[candidate + 1, left] - table[candidate, left]
            for position, edge in self._choices[candidate]:
                if mass < 0.0:
                    break
                bit = 1 << position
                if left & bit:
                    mass -= table[candidate, left ^ bit]
                    if mass < 0.0:
                        chosen[position] = edge
                        left ^= bit
        return tuple(chosen)

    def _next(self) -> float:
        if not self._uniform:
            self._uniform = self._rng.random(_BLOCK).tolist()
        return self._uniform.pop()


class McmcSampler(Sampler):
    """The chain of Jerrum, Sinclair and Vigoda, for any graph; ``eta`` is the bias aimed at."""

    def __init__(
        self, graph: BipartiteGraph, rng: np.random.Generator, *, eta: float = 0.01
    ) -> None:
        self.eta = eta
        self._graph, self._rng = graph, rng
        count = graph.candidates
        self._allowed = np.zeros((count, count), dtype=np.bool_)
        self._allowed[graph.candidate, graph.position] = True
        self._allowed[:, graph.positions :] = True  # the positions added
        self._number = np.full((count, graph.positions), -1)
        self._number[graph.candidate, graph.position] = np.arange(graph.size)
        self._chain = _Chain(count, rng)
        self._ready: list[tuple[int, ...]] = []
        self._learn()
        per_sample = _SWEEPS_A_SAMPLE * count * (1.0 + math.log(1.0 / min(1.0, self.eta)))
        self._steps = math.ceil(per_sample)

    def matching(self) -> tuple[int, ...]:
        """The matching of one chain, once it has gone far enough since its last one."""
        while not self._ready:
            self._chain.run(self._steps)
            holder = self._chain.holder[self._chain.perfect][:, : self._graph.positions]
            edges = self._number[holder, np.arange(self._graph.positions)]
            # Chains are independent of each other; a block is used up in random order.
            found = edges[(edges >= 0).all(axis=1)]
            self._ready = [tuple(row) for row in self._rng.permutation(found).tolist()]
        return self._ready.pop()

    def _learn(self) -> None:
        """Fade out the edges that the graph lacks, adapting the weights of the holes."""
        chain, count = self._chain, self._graph.candidates
        if self._allowed.all():
            chain.run(_SWEEPS_A_PHASE * count)
            return
        phases = math.ceil((math.lgamma(count + 1) + math.log(100.0)) / math.log(2.0))
        for phase in range(1, phases + 1):
            chain.activity = np.where(self._allowed, 1.0, 2.0**-phase)
            chain.run(_SWEEPS_A_PHASE * count, learn=True)
        chain.activity = np.where(self._allowed, 1.0, 0.0)
        chain.drop_forbidden()
        for _ in range(4):
            chain.run(_SWEEPS_A_PHASE * count, learn=True)


class _Chain:
    """Many independent chains of one graph, a step of all at a time."""

    def __init__(self, count: int, rng: np.random.Generator) -> None:
        self._count, self._rng = count, rng
        self.activity: FloatArray = np.ones((count, count))
        self.weight: FloatArray = np.full((count, count), float(count))
        orders = rng.permuted(np.tile(np.arange(count), (_CHAINS, 1)), axis=1)
        self.holder: IntArray = orders.astype(np.int64)
        self.place: IntArray = np.argsort(self.holder, axis=1, kind="stable")
        self.free_candidate: IntArray = np.full(_CHAINS, -1)
        self.free_position: IntArray = np.full(_CHAINS, -1)

    @property
    def perfect(self) -> IntArray:
        """The chains whose matching is perfect."""
        return np.flatnonzero(self.free_position < 0)

    def drop_forbidden(self) -> None:
        """Start chains that hold an edge of activity 0 afresh, as copies of those that do not."""
        rows = np.arange(self._count)
        held = self.activity[np.maximum(self.holder, 0), rows] > 0
        allowed = (held | (self.holder < 0)).all(axis=1)
        good, bad = np.flatnonzero(allowed), np.flatnonzero(~allowed)
        if bad.size:
            if not good.size:
                raise RuntimeError("no chain has lost its forbidden edges")
            copied = self._rng.choice(good, size=len(bad))
            for state in (self.holder, self.place, self.free_candidate, self.free_position):
                state[bad] = state[copied]

    def run(self, steps: int, *, learn: bool = False) -> None:
        """Take steps; with ``learn``, adapt the weights to the time spent at each pair of holes."""
        visits = np.zeros((self._count, self._count))
        perfect = 0
        for _ in range(steps):
            self._step()
            if learn:
                at = self.free_position
                holes = at >= 0
                np.add.at(visits, (self.free_candidate[holes], at[holes]), 1.0)
                perfect += len(at) - int(holes.sum())
        if learn:
            change = (perfect + 1.0) / (visits + 1.0)
            self.weight *= np.clip(change, 0.25, 4.0)

    def _step(self) -> None:
        whole = self.free_position < 0
        self._open(np.flatnonzero(whole))
        self._move(np.flatnonzero(~whole))

    def _open(self, chains: IntArray) -> None:
        """Take a random edge out of perfect matchings."""
        position = self._rng.integers(self._count, size=len(chains))
        candidate = self.holder[chains, position]
        ratio = self.weight[candidate, position] / self.activity[candidate, position]
        kept = self._rng.random(len(chains)) < ratio
        chains, position, candidate = chains[kept], position[kept], candidate[kept]
        self.holder[chains, position] = -1
        self.place[chains, candidate] = -1
        self.free_candidate[chains], self.free_position[chains] = candidate, position

    def _move(self, chains: IntArray) -> None:
        """Choose a random vertex: close the holes, or slide an edge into one of them."""
        u, v = self.free_candidate[chains], self.free_position[chains]
        vertex = self._rng.integers(2 * self._count, size=len(chains))
        candidate = np.where(vertex < self._count, vertex, -1)
        position = np.where(vertex < self._count, -1, vertex - self._count)
        self._close(chains, u, v, (candidate == u) | (position == v))
        # A position z other than v, held by x: u takes z, and x is free instead.
        slide = (position >= 0) & (position != v)
        self._slide(chains[slide], u[slide], v[slide], position[slide], take_position=True)
        # A candidate z other than u, holding y: z takes v, and y is free instead.
        slide = (candidate >= 0) & (candidate != u)
        self._slide(chains[slide], u[slide], v[slide], candidate[slide], take_position=False)

    def _close(self, chains: IntArray, u: IntArray, v: IntArray, chosen: BoolArray) -> None:
        ratio = self.activity[u, v] / self.weight[u, v]
        done = np.flatnonzero(chosen & (self._rng.random(len(chains)) < ratio))
        chains, u, v = chains[done], u[done], v[done]
        self.holder[chains, v], self.place[chains, u] = u, v
        self.free_candidate[chains] = self.free_position[chains] = -1

    def _slide(
        self, chains: IntArray, u: IntArray, v: IntArray, z: IntArray, *, take_position: bool
    ) -> None:
        if take_position:
            other = self.holder[chains, z]
            gain = self.activity[u, z] / self.activity[other, z]
            weights = self.weight[other, v] / self.weight[u, v]
        else:
            other = self.place[chains, z]
            gain = self.activity[z, v] / self.activity[z, other]
            weights = self.weight[u, other] / self.weight[u, v]
        done = self._rng.random(len(chains)) < gain * weights
        chains, u, v, z, other = chains[done], u[done], v[done], z[done], other[done]
        if take_position:
            self.holder[chains, z], self.place[chains, u] = u, z
            self.place[chains, other] = -1
            self.free_candidate[chains] = other
        else:
            self.holder[chains, v], self.place[chains, z] = z, v
            self.holder[chains, other] = -1
            self.free_position[chains] = other
