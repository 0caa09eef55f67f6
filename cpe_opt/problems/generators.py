r"""Problems made from a few numbers and a seed: planted winners, cycles, judged test sets.

Each has a name, such as ``bradley-terry:64:seed=3``, by which commands and
:func:`cpe_opt.load_problem` make it: the generator, its sizes, and its other arguments.

**Random preference matrices of any size, each a function of its number of arms and a seed alone.**

* Bradley and Terry (1952): :math:`\mu_{ij} = \sigma(s_i - s_j)`, :math:`\sigma(x) = 1/(1+e^{-x})`,
  with independent normal strengths :math:`s_i`. The strongest arm is the Condorcet winner.
* A cycle: arm 0 beats 1, 1 beats 2, 2 beats 0, each of them beats every other arm, and among the
  others a fair coin says who is ahead; advantages :math:`|\mu_{ij} - \frac12|` are independent and
  uniform. The Copeland winners are 0, 1 and 2, of K-2 wins each: another arm has at most K-4.
* Rankers, such as those of the data set MSLR: most are nearly as good as the best and few are far
  worse, and preferences are not quite transitive. So :math:`\mu_{ij} = \sigma(s_i - s_j +
  \epsilon_{ij})` with :math:`-s_i` from a gamma distribution of shape 1.5 and scale 0.44 and
  antisymmetric normal :math:`\epsilon_{ij}` of standard deviation 0.05. That gives what a matrix of
  135 MSLR rankers under the informational click model has, of the kind that Zoghi, Karnin,
  Whiteson, de Rijke (NIPS 2015) use: strengths with a standard deviation of 0.54 and a skewness of
  -1.66, and 3 % of the pairs against the order of strengths. Advantages below 0.005 are 0.005, the
  least in the matrices that Komiyama, Honda, Nakagawa (ICML 2016) draw from theirs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.problems.dueling.items import MOST_CELLS, ItemDuels
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.validation import (
    MOST_THINGS,
    Arms,
    Interval,
    Name,
    NonNegative,
    NonNegativeInt,
    Positive,
    PositiveInt,
    Seed,
    Share,
    checked_count,
    checked_types,
)

_AHEAD = Interval(0.5, 1, "right", "a probability above 0.5")
_MOST_IN_MATRIX = 10_000  # arms or edges of a dense matrix: 800 MB
_SPREADS = (3.0, 2.0, 1.5, 1.2, 1.0)  # the largest advantage of a planted winner over the least


@checked_types
def cycle_and_chain(
    arms: Annotated[int, Interval(4, _MOST_IN_MATRIX)] = 500, beats: Annotated[float, _AHEAD] = 0.6
) -> PreferenceMatrix:
    """Three Copeland winners in a cycle above a chain of arms, 4 to 10,000 in all.

    Arms 0, 1, 2 beat each other in a cycle and beat every arm of the chain; in the chain an arm
    beats all that come after it, so its Copeland score is ``arms - 1 - arm``. An arm that beats
    another wins with the probability ``beats``, above ½ and at most 1.
    """
    matrix = np.triu(np.full((arms, arms), beats), 1)
    matrix[0, 2] = 1.0 - beats
    matrix += np.tril(1.0 - matrix.T, -1) + 0.5 * np.eye(arms)
    return PreferenceMatrix(matrix, name=f"cycle-{arms}")


@checked_types
def random_items(
    arms: Arms,
    items: PositiveInt,
    *,
    spread: Positive = 0.55,
    noise: Positive = 1.4,
    bias: NonNegative = 0.0,
    agreement: Annotated[float, Interval(0, 1)] = 0.0,
    ties: Annotated[float, Interval(0, 1, "left")] = 0.0,
    ahead: NonNegative | None = None,
    cycle: int = 0,
    equal: NonNegativeInt = 0,
    seed: Seed = 0,
    name: Name | None = None,
) -> ItemDuels:
    """A fixed test set whose cells are judged by strengths of arms, with noise.

    Both orders of an item are cells. The judge sees the lead in strength of the arm shown first,
    plus the bias, plus the normal noise of the cell: a win where that is positive, and a tie where
    it is among the smallest in size.

    Parameters
    ----------
    arms, items : int
        At least 2, and at least 1.
    spread, noise : float
        Standard deviations of strengths, and of the noise, both above 0.
    bias : float
        What being shown first is worth, at least 0.
    agreement : float
        The correlation of the noise in both orders of an item, from 0 to 1.
    ties : float
        The share of cells that are tied, from 0 to below 1.
    ahead : float, optional
        The lead of the strongest arm over the next, at least 0; as it is drawn by default.
    cycle : int
        So many of the strongest arms, an odd number or 0, are equally strong and beat each other in
        a cycle, by ``spread``.
    equal : int
        So many pairs are tied exactly in the full table: the first and second arm by strength, the
        third and fourth, and so on.
    seed : int
    name : str, optional

    Raises
    ------
    InputError

    Examples
    --------
    >>> duels = random_items(4, 50, ties=0.4, seed=1)
    >>> duels, float((duels.outcomes == 0.5).mean())
    (ItemDuels('items-4-50-1', 4 arms, 50 items, 600 cells), 0.3)
    >>> random_items(4, 50, equal=2).table.ties
    ((0, 2), (1, 3))
    """
    checked_count("arms × arms × items × 2", arms * arms * items * 2, most=MOST_CELLS)
    if cycle and (cycle % 2 == 0 or not 3 <= cycle <= arms):
        raise InputError(f"cycle is {cycle}, expected 0 or an odd number from 3 to {arms} arms")
    checked_count("equal", equal, least=0, most=arms // 2)
    rng = np.random.default_rng([seed, arms, items, 2])
    strength = rng.normal(0.0, spread, arms)
    ranked = np.argsort(-strength, kind="stable")
    if ahead is not None:
        strength[ranked[0]] = strength[ranked[1]] + ahead
    strength[ranked[:cycle]] = strength[ranked[0]]
    lead = strength[:, None] - strength
    for place in range(cycle):
        for step in range(1, cycle // 2 + 1):
            winner, loser = ranked[place], ranked[(place + step) % cycle]
            lead[winner, loser], lead[loser, winner] = spread, -spread

    i, j = np.triu_indices(arms, 1)
    shape = (len(i), items, 2)
    of_item, of_cell = rng.normal(size=(len(i), items, 1)), rng.normal(size=shape)
    noises = np.sqrt(agreement) * of_item + np.sqrt(1.0 - agreement) * of_cell
    seen = lead[i, j][:, None, None] + bias * np.array([1.0, -1.0]) + noise * noises
    won = np.where(seen > 0.0, 1.0, 0.0)
    smallest = np.argsort(np.abs(seen), axis=None, kind="stable")
    won.ravel()[smallest[: round(ties * seen.size)]] = 0.5
    outcomes = np.full((arms, arms, items, 2), np.nan)
    outcomes[i, j] = won
    for pair in np.sort(ranked[: 2 * equal].reshape(equal, 2)).tolist():
        cells = outcomes[tuple(pair)].ravel()
        half = cells.size // 2
        balanced = np.concatenate([cells[:half], 1.0 - cells[:half]])
        outcomes[tuple(pair)] = balanced.reshape(items, 2)
    return ItemDuels(outcomes, name=f"items-{arms}-{items}-{seed}" if name is None else name)


@checked_types
def planted_subsets(
    size: Annotated[int, Interval(2, MOST_THINGS)],
    k: PositiveInt,
    *,
    gap: Share = 0.1,
    noise: NonNegative = 1.0,
    seed: Seed = 0,
    name: Name | None = None,
) -> SubsetBandit:
    """The synthetic instances of Kuroki et al. (2020): the best k of n, with a chosen gap.

    The means of the top k are uniform in [0, 1], the next is the least of these less ``gap``, the
    rest uniform between -1 and that; elements are in random order.

    Parameters
    ----------
    size, k : int
        n, and how many to find; k below n.
    gap : float
        Above 0 and at most 1: the difference between the best and the second-best set.
    noise : float
        Standard deviation of an element's noise.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = planted_subsets(6, 2, gap=0.2, seed=1)
    >>> round(cpe.subset_hardness(bandit).gap, 9)
    0.2
    """
    if k >= size:
        raise InputError(f"k is {k}, expected less than the number of elements, {size}")
    rng = np.random.default_rng(seed)
    top = rng.uniform(0.0, 1.0, k)
    following = float(top.min()) - gap
    if following == top.min():
        raise InputError(f"gap is {gap}, too small: it is lost in rounding {top.min():g} - gap")
    rest = rng.uniform(-1.0, following, size - k - 1)
    theta = rng.permutation(np.concatenate([top, [following], rest]))
    name = f"planted-{size}-{k}-{float(gap):g}-{seed}" if name is None else name
    return SubsetBandit(TopK(size, k), theta, noise=noise, name=name)


@checked_types
def planted_condorcet(
    candidates: Annotated[int, Interval(2)],
    positions: PositiveInt,
    *,
    gap: Positive = 0.05,
    seed: Seed = 0,
    density: Share = 1.0,
    name: str = "",
) -> MatchingDuels:
    """A random problem with a Condorcet winner and a chosen gap.

    A random matching beats every edge at each of its positions; among the others probabilities are
    uniform. The advantages are scaled so that the winner's smallest lead over another matching,
    ``min_M f(M*, M) - 1/2``, is ``gap``.

    Parameters
    ----------
    candidates, positions : int
        At least as many candidates as positions, and at least two matchings.
    gap : float
        Above 0; as large as probabilities of at most 1 allow.
    density : float
        The share of the edges other than the winner's, above 0 and at most 1.
    name : str, optional
        By default made of the other arguments.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> duels = planted_condorcet(3, 2, gap=0.1, seed=1)
    >>> [duels.labels[edge] for edge in cpe.condorcet_winner(duels)]
    ['s0: c0', 's1: c1']
    """
    checked_count("candidates × positions", candidates * positions, most=_MOST_IN_MATRIX)
    if candidates < positions:
        raise InputError(f"{candidates} candidates cannot fill {positions} positions")
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(candidates)[:positions].tolist()
    edges = [
        (i, j)
        for j in range(positions)
        for i in range(candidates)
        if i == chosen[j] or rng.random() < density
    ]
    name = name or f"planted-{candidates}-{positions}-{float(gap):g}-{seed}"
    graph = BipartiteGraph(candidates, positions, edges, name=name)
    winner = [graph.edge(chosen[j], j) for j in range(positions)]
    advantage = _advantages(graph, winner, gap, rng.uniform(size=graph.size))
    if np.count_nonzero(0.5 + advantage > 0.5) < graph.size - len(winner):
        raise InputError(f"gap is {gap}, too small: it is lost in rounding 0.5 + gap")
    array = np.zeros((graph.size, graph.size))
    for j, at in enumerate(graph.edges_at):
        upper = np.triu(rng.uniform(size=(len(at), len(at))), 1)
        block = upper + np.tril(1.0 - upper.T, -1) + 0.5 * np.eye(len(at))
        place = at.tolist().index(winner[j])
        block[place] = 0.5 + advantage[at]
        block[:, place] = 0.5 - advantage[at]
        array[np.ix_(at, at)] = block
    return MatchingDuels(graph, array)


def _advantages(
    graph: BipartiteGraph, winner: Sequence[int], gap: float, shares: FloatArray
) -> FloatArray:
    """By how much the winner's edges beat the others beyond ½, as unequal as the gap allows."""
    largest = 0.0
    for spread in _SPREADS:
        advantage = 1.0 + (spread - 1.0) * shares
        advantage[list(winner)] = 0.0
        advantage *= gap * graph.positions / _least_total(graph, advantage, winner)
        largest = float(advantage.max())
        if largest <= 0.5:
            return np.asarray(advantage, dtype=np.float64)
    raise InputError(
        f"gap is {gap}, expected at most {gap * 0.5 / largest:.4g} for this graph: an edge would "
        "have to win with probability above 1"
    )


def _least_total(graph: BipartiteGraph, cost: FloatArray, winner: Sequence[int]) -> float:
    """The least total cost of a matching other than the winner."""
    from scipy.optimize import linear_sum_assignment

    table = np.full((graph.positions, graph.candidates), np.inf)
    table[graph.position, graph.candidate] = cost
    least = np.inf
    for j, edge in enumerate(winner):
        forbidden = table.copy()
        forbidden[j, graph.candidate[edge]] = np.inf
        try:
            rows, columns = linear_sum_assignment(forbidden)
        except ValueError:
            continue  # the winner's edge at this position is in every matching
        least = min(least, float(forbidden[rows, columns].sum()))
    if np.isinf(least):
        raise InputError(f"{graph.name} has a single matching: no gap to choose")
    return least


def is_generated(text: str) -> bool:
    """Whether a text is the name of a random problem."""
    return text.partition(":")[0] in GENERATORS


def generated_problem(text: str) -> Problem:
    """The problem of a name ``generator:size:argument=value``, with as many of each as needed."""
    generator, *parts = text.split(":")
    make = GENERATORS[generator]
    known = inspect.signature(make).parameters
    sizes = [name for name, each in known.items() if each.default is each.empty]
    arguments: dict[str, int | float] = {}
    for number, part in enumerate(parts):
        name, equals, value = part.partition("=")
        if not equals and number < len(known):
            name, value = list(known)[number], part
        if name not in known or name == "name":
            raise UnknownName(f"argument of {generator}", name, [n for n in known if n != "name"])
        arguments[name] = _number(text, value)
    if not set(sizes) <= set(arguments):
        example = ":".join([generator, *("8" for _ in sizes)])
        raise InputError(f"{text!r}: expected {' and '.join(sizes)}, such as {example}")
    if "name" in known:
        return make(**arguments, name=text)
    problem: Any = make(**arguments)
    return PreferenceMatrix(problem.array, name=text) if problem.family == "dueling" else problem


def _number(text: str, value: str) -> int | float:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(value)
    raise InputError(f"{text!r}: {value!r} is no number")


# Random preference matrices of any size, each a function of its number of arms and a seed alone.


_ADVANTAGES = (0.05, 0.4)  # of the arms of a cycle, and of those below
_SHAPE, _SCALE, _NOISE = 1.5, 0.44, 0.05
_LEAST = 0.005


@checked_types
def bradley_terry(
    arms: Arms, *, spread: Positive = 1.0, seed: Seed = 0, nested: bool = False
) -> PreferenceMatrix:
    """Arms, at least 2, with normal strengths of standard deviation ``spread``; the stronger leads.

    ``nested``: fewer arms are the first of more.

    Examples
    --------
    >>> mu = bradley_terry(16)
    >>> mu.condorcet_winner == mu.copeland_winners[0]
    True
    >>> few, many = (bradley_terry(arms, nested=True) for arms in (4, 16))
    >>> bool((few.array == many.array[:4, :4]).all())
    True
    """
    rng = np.random.default_rng(seed if nested else [seed, arms])
    name = f"bradley-terry-{arms}{'-nested' * nested}"
    strength = rng.normal(0.0, spread, arms)
    return _from_logits(strength[:, None] - strength, name, least=0.0)


@checked_types
def random_cycle(arms: Annotated[int, Interval(4)], *, seed: Seed = 0) -> PreferenceMatrix:
    """Three Copeland winners in a cycle above a random tournament; at least 4 arms."""
    rng = np.random.default_rng([seed, arms])
    i, j = np.triu_indices(arms, 1)
    advantage = rng.uniform(*_ADVANTAGES, len(i))
    turned = (i >= 3) & (rng.random(len(i)) < 0.5)
    turned |= (i == 0) & (j == 2)
    signed = np.where(turned, -advantage, advantage)
    matrix = np.full((arms, arms), 0.5)
    matrix[i, j] += signed
    matrix[j, i] -= signed
    return PreferenceMatrix(matrix, name=f"random-cycle-{arms}")


@checked_types
def mslr_like(arms: Arms, *, seed: Seed = 0) -> PreferenceMatrix:
    """Rankers as those of MSLR, at least 2: many good ones, few bad ones, hardly out of order."""
    rng = np.random.default_rng([seed, arms])
    strength = -rng.gamma(_SHAPE, _SCALE, arms)
    noise = np.triu(rng.normal(0.0, _NOISE, (arms, arms)), 1)
    logits = strength[:, None] - strength + noise - noise.T
    return _from_logits(logits, f"mslr-like-{arms}", least=_LEAST)


def _from_logits(logits: FloatArray, name: str, *, least: float) -> PreferenceMatrix:
    """The matrix with these logits, and no advantage below the least."""
    i, j = np.triu_indices(len(logits), 1)
    advantage = 0.5 * np.tanh(0.5 * logits[i, j])
    advantage = np.copysign(np.maximum(np.abs(advantage), least), advantage)
    matrix = np.full(logits.shape, 0.5)
    matrix[i, j] += advantage
    matrix[j, i] -= advantage
    return PreferenceMatrix(matrix, name=name)


GENERATORS: Mapping[str, Callable[..., Problem]] = {
    "bradley-terry": bradley_terry,
    "cycle-and-chain": cycle_and_chain,
    "mslr-like": mslr_like,
    "planted-condorcet": planted_condorcet,
    "planted-subsets": planted_subsets,
    "random-cycle": random_cycle,
    "random-items": random_items,
}
"""What makes a problem of a name such as ``bradley-terry:64:seed=3``."""
