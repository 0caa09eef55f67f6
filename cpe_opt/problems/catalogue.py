"""Built-in instances, typed in from the papers.

``sushi`` (16 kinds of sushi, majority shares of 5,000 people), ``gap``, ``multisol``, ``arxiv``,
``mslr5-condorcet`` and ``mslr5-cycle`` are in appendix A of Komiyama, Honda, Nakagawa, *Copeland
Dueling Bandit Problem* (ICML 2016), ``cyclic`` in its Table 2. ``cycle-500`` is described in
Zoghi, Karnin, Whiteson, de Rijke, *Copeland Dueling Bandits* (NIPS 2015); the paper gives no
probabilities, and 0.6 stands for "beats". ``figure1`` is the matching problem of Figures 1 and 2 of
Chen, Du, Huang, Zhao, *Combinatorial Pure Exploration for Dueling Bandits* (ICML 2020).
``top-5-of-10`` is one of the synthetic instances of Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020).
``water`` (costs start at 1 a unit, what the best quality is worth, so that the demand is met
exactly) and ``opinions`` follow sections 4.1 and 4.2 of Huang, Ok, Li, Chen (IJCAI 2018).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias, overload

import numpy as np

from cpe_opt.errors import UnknownName
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.generators import (
    cycle_and_chain,
    generated_problem,
    is_generated,
    planted_subsets,
)
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.printed_matrices import NUMBERS, SUSHI
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.model import BestSet, OpinionSampling
from cpe_opt.problems.separable.problem import Bernoulli, Beta, SeparableProblem
from cpe_opt.problems.separable.water_plan import PiecewiseLinear, Power, Quadratic, WaterPlan
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.edge_sets import SpanningTrees
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.validation import checked_types


@dataclass(frozen=True)
class Instance:
    """A built-in instance: how to load it and what it is."""

    name: str
    load: Callable[[], Problem]
    about: str
    source: str
    family: Literal["dueling", "matchings", "subsets", "separable"] = "dueling"


PreferenceName: TypeAlias = Literal[
    "sushi", "gap", "multisol", "arxiv", "mslr5-condorcet", "mslr5-cycle", "cyclic", "cycle-500"
]
MatchingName: TypeAlias = Literal["figure1"]
SubsetName: TypeAlias = Literal["top-5-of-10", "trees-of-k4", "trees-of-k5"]
SeparableName: TypeAlias = Literal["coins", "water", "opinions"]


@overload
def load_instance(name: MatchingName) -> MatchingDuels: ...  # type: ignore[overload-overlap]


@overload
def load_instance(name: SubsetName) -> SubsetBandit: ...  # type: ignore[overload-overlap]


@overload
def load_instance(name: SeparableName) -> SeparableProblem: ...  # type: ignore[overload-overlap]


@overload
@checked_types
def load_instance(name: str) -> PreferenceMatrix: ...


@checked_types
def load_instance(name: str) -> Problem:
    """A built-in instance by name; its type is that of the problem.

    Raises
    ------
    UnknownName
        With the nearest names.

    Examples
    --------
    >>> load_instance("sushi").labels[0]
    'mildly fatty tuna'
    """
    if name not in INSTANCES:
        raise UnknownName("instance", name, INSTANCES)
    return INSTANCES[name].load()


def made_by_name(name: str) -> Problem | None:
    """The instance or the random problem of a name, such as ``gap`` or ``bradley-terry:64``."""
    if name in INSTANCES:
        return load_instance(name)
    return generated_problem(name) if is_generated(name) else None


def _printed(name: str) -> Callable[[], PreferenceMatrix]:
    """One of the paper's matrices; its arms are numbered from 1 where they have no names."""
    upper = NUMBERS[name]
    arms = len(upper) + 1
    labels = SUSHI if name == "sushi" else [str(arm + 1) for arm in range(arms)]

    def load() -> PreferenceMatrix:
        array = np.full((arms, arms), 0.5)
        for i, row in enumerate(upper):
            array[i, i + 1 :] = row
            array[i + 1 :, i] = 1.0 - array[i, i + 1 :]
        return PreferenceMatrix(array, labels, name=name)

    return load


def _coins() -> SeparableProblem:
    coins = [Bernoulli(p) for p in (0.9, 0.7, 0.5, 0.4, 0.3, 0.2)]
    return SeparableProblem(BestSet(TopK(len(coins), 2)), coins, name="coins")


def _water() -> SeparableProblem:
    costs = [
        Quadratic(0.1, 1.0),
        Power(1.0, 1.3),
        PiecewiseLinear((0.0, 2.0), (1.0, 1.5)),
        Quadratic(0.05, 1.0),
    ]
    quality = [Bernoulli(0.9), Beta(3, 3), Bernoulli(0.25), Beta(1, 5)]
    labels = ("lake", "river", "well", "spring")
    plan = WaterPlan(costs, [4.0] * 4, 6.0, step=1.0, labels=labels)
    return SeparableProblem(plan, quality, name="water")


def _opinions() -> SeparableProblem:
    groups = OpinionSampling([60, 30, 10], 7, ["town", "village", "farms"])
    return SeparableProblem(groups, [Bernoulli(p) for p in (0.5, 0.3, 0.02)], name="opinions")


def _figure_1() -> MatchingDuels:
    edges = [("c1", "s1"), ("c2", "s1"), ("c3", "s1"), ("c3", "s2"), ("c4", "s2")]
    array = np.zeros((5, 5))
    array[:3, :3] = [[0.5, 0.45, 1.0], [0.55, 0.5, 0.55], [0.0, 0.45, 0.5]]
    array[3:, 3:] = [[0.5, 0.0], [1.0, 0.5]]
    return MatchingDuels(BipartiteGraph.from_labels(edges, name="figure1"), array)


def _trees(vertices: str) -> Callable[[], SubsetBandit]:
    """Means 0.9, 0.8, … in the order of the edges."""
    edges, name = list(combinations(vertices, 2)), f"trees-of-k{len(vertices)}"
    means = 0.9 - 0.1 * np.arange(len(edges))
    return lambda: SubsetBandit(SpanningTrees(edges), means, name=name)


_PRINTED = {
    "sushi": ("16 kinds of sushi", "3(a)"),
    "gap": ("C^E*/C* above 100", "3(b)"),
    "multisol": ("several optima", "3(c)"),
    "arxiv": ("six rankers, one tied pair", "3(d)"),
    "mslr5-condorcet": ("five rankers with a Condorcet winner", "3(e)"),
    "mslr5-cycle": ("five rankers, three winners in a cycle", "3(f)"),
    "cyclic": ("a winner above a cycle", "2"),
}
_OURS = "made for this package"
INSTANCES: dict[str, Instance] = {
    instance.name: instance
    for instance in (
        *(
            Instance(name, _printed(name), about, f"Komiyama et al. 2016, Table {table}")
            for name, (about, table) in _PRINTED.items()
        ),
        Instance(
            "cycle-500",
            cycle_and_chain,
            "three winners in a cycle above a chain",
            "Zoghi et al. 2015, experiment 2",
        ),
        Instance(
            "figure1",
            _figure_1,
            "four candidates, two positions; Borda and Condorcet winners differ",
            "Chen et al. 2020, Figures 1 and 2",
            "matchings",
        ),
        Instance(
            "top-5-of-10",
            lambda: planted_subsets(10, 5, gap=0.1, seed=0, name="top-5-of-10"),
            "the best five of ten, gap 0.1",
            "Kuroki et al. 2020, section 5, drawn with seed 0",
            "subsets",
        ),
        *(
            Instance(
                f"trees-of-k{vertices}",
                _trees("abcde"[:vertices]),
                f"the best spanning tree of {word} vertices, gap {gap}",
                _OURS,
                "subsets",
            )
            for vertices, word, gap in ((4, "four", 0.2), (5, "five", 0.3))
        ),
        Instance("coins", _coins, "the best two of six coins", _OURS, "separable"),
        *(
            Instance(name, load, about, f"{_OURS}, after Huang et al. 2018, {section}", "separable")
            for name, load, about, section in (
                ("water", _water, "how much to purify at four sources", "section 4.1"),
                ("opinions", _opinions, "how many to ask in three groups", "section 4.2"),
            )
        ),
    )
}
