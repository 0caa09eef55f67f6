"""The built-in instances against the published facts."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import second_best_subset
from cpe_opt.problems.generators import cycle_and_chain

FACTS = {  # arms, Copeland winners, Condorcet winner, ties
    "sushi": (16, (0,), 0, ()),
    "gap": (5, (0,), None, ()),
    "multisol": (5, (0, 1, 2), None, ()),
    "arxiv": (6, (0,), 0, ((3, 5),)),
    "mslr5-condorcet": (5, (0,), 0, ()),
    "mslr5-cycle": (5, (0, 1, 2), None, ()),
    "cyclic": (4, (0,), 0, ()),
    "cycle-500": (500, (0, 1, 2), None, ()),
}

DECISIONS = {
    "coins": (1, 1, 0, 0, 0, 0),
    "water": (3, 1, 2, 0),
    "opinions": (4, 2, 1),
}
SETS = {"top-5-of-10": 252, "trees-of-k4": 16, "trees-of-k5": 125}  # how many there are


def test_every_instance_has_its_facts():
    families = {name: instance.family for name, instance in cpe.INSTANCES.items()}
    assert set(FACTS) == {name for name, family in families.items() if family == "dueling"}
    assert {name for name, family in families.items() if family == "matchings"} == {"figure1"}
    assert {name for name, family in families.items() if family == "subsets"} == set(SETS)
    assert {name for name, family in families.items() if family == "separable"} == set(DECISIONS)


@pytest.mark.parametrize(
    ("name", "gap"), [("top-5-of-10", 0.1), ("trees-of-k4", 0.2), ("trees-of-k5", 0.3)]
)
def test_instances_of_sets(name, gap):
    bandit = cpe.load_instance(name)
    best = cpe.best_subset(bandit.known, bandit.theta)
    second = second_best_subset(bandit.known, bandit.theta)
    assert (bandit.name, bandit.known.count()) == (name, SETS[name])
    assert best.value - second.value == pytest.approx(gap)


@pytest.mark.parametrize("name", FACTS)
def test_published_facts(name):
    mu = cpe.load_instance(name)
    assert (mu.arms, mu.copeland_winners, mu.condorcet_winner, mu.ties) == FACTS[name]
    assert mu.name == name


@pytest.mark.parametrize("name", DECISIONS)
def test_instances_of_separable_rewards(name):
    problem = cpe.load_instance(name)
    hard = cpe.separable_hardness(problem)
    assert (problem.name, tuple(hard.decision)) == (name, DECISIONS[name])
    assert hard.hardness < 5000


def test_entries_of_the_tables():
    """Cells from each corner of the tables of Komiyama et al.'s appendix A and Table 2."""
    entries = {
        "sushi": [(0, 1, 0.512), (0, 15, 0.868), (8, 9, 0.512), (14, 15, 0.586), (3, 6, 0.566)],
        "gap": [(0, 3, 0.51), (4, 0, 0.8), (2, 4, 0.8), (1, 3, 0.2)],
        "multisol": [(0, 1, 0.2), (3, 4, 0.6), (2, 1, 0.8)],
        "arxiv": [(0, 5, 0.61), (2, 4, 0.51), (3, 5, 0.5)],
        "mslr5-condorcet": [(0, 4, 0.765), (1, 3, 0.727), (3, 4, 0.51)],
        "mslr5-cycle": [(0, 1, 0.484), (2, 3, 0.504), (1, 4, 0.539)],
        "cyclic": [(0, 1, 0.6), (1, 2, 0.9), (1, 3, 0.1), (2, 3, 0.9)],
    }
    for name, cells in entries.items():
        mu = cpe.load_instance(name)
        for row, column, value in cells:
            assert mu.array[row, column] == pytest.approx(value, abs=1e-12), (name, row, column)


def test_the_cycle_of_500():
    """Zoghi et al. 2015: the winners score 498 each, the others 496, …, 0."""
    mu = cpe.load_instance("cycle-500")
    assert mu.copeland_scores.tolist() == [498] * 3 + list(range(496, -1, -1))
    assert [mu.array[0, 1], mu.array[1, 2], mu.array[2, 0]] == [0.6] * 3
    strong = cycle_and_chain(10, 0.9)
    assert np.isin(np.round(strong.array, 12), [0.1, 0.5, 0.9]).all()
