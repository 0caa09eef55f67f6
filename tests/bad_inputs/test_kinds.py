"""Arguments of kinds that nobody expects: every public function, every argument, every kind.

What is refused is refused with an error of the package, in one line. What is taken is no error of
this test's: a number of numpy may stand for one of Python.
"""

import collections
import datetime
import decimal
import fractions
import io
import os
import pathlib
import warnings

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.problems.pairs import LogNotes

MU, DUELS, WATER = (cpe.load_instance(name) for name in ("gap", "figure1", "water"))
GRAPH = cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (1, 1), (2, 1)])
TOP = cpe.TopK(4, 2)
BANDIT = cpe.SubsetBandit(TOP, [0.9, 0.8, 0.2, 0.1])
VOTES = cpe.Votes([[0, 9], [1, 0]], ["a", "b"])
TEAMS = [["a", "b"], ["b", "c"], ["c", "a"]]
TRIANGLE = [("a", "b"), ("b", "c"), ("a", "c")]
COSTS = [cpe.Quadratic(1.0), cpe.Quadratic(2.0)]
ASK = cpe.OpinionSampling([5, 5], 4)


class Strange:
    """An object without any meaning here."""


def kinds():
    """One of each kind, fresh, as iterators are used up."""
    closed = io.StringIO()
    closed.close()
    yield from (None, True, 0, -1, 2, 3.5, -0.0, float("nan"), float("inf"), 10**400, -(10**400))
    yield from (1e308, 5e-324, 2**31, 2**63, -(2**63), 1 + 2j, complex("nan"), ..., NotImplemented)
    yield from ("", "x", "0", "\ud800", "a\0b", "é" * 3, "∞", "１２", b"ab", b"", bytearray(b"a"))
    yield from ([], [None], [[]], ["a"], [1, "a"], [float("nan")], [10**400], ["\ud800", "b"])
    yield from ((), (1, 2), {}, {"a": 1}, set(), {1}, frozenset({0, 1}), range(0), range(3))
    yield from (["é", "e\u0301"], collections.deque([1, 2]), memoryview(b"ab"), {"a": {"a": {}}})
    yield from (np.int64(2), np.float32(0.5), np.bool_(True), np.nan, np.array(1), np.array("a"))
    yield from (np.array([]), np.array([1, 2, 3]), np.zeros((2, 2)), np.zeros((0, 0)))
    yield from (np.array([1, "a"], object), np.ma.masked_array([1, 2], [True, False]))
    yield from (np.array([(1, 2.0)], [("a", int), ("b", float)]), np.array([1 + 2j]))
    yield from (np.array(["2020-01-01"], "datetime64[D]"), np.full((5, 5), np.nan))
    yield from (np.full((5, 5), 0.5, np.float16), np.eye(5, dtype=bool), np.full((2, 2), np.inf))
    yield from (pd.Series([1.0, 2.0]), pd.Series([1, 2], index=["a", "a"]), pd.DataFrame())
    yield from (pd.DataFrame({"a": [1]}), pd.DataFrame([[1, 2], [3, 4]], ["a", "a"], ["b", "b"]))
    yield from (pd.NA, pd.NaT, pd.Index(["a", "b"]), pd.Categorical(["a", "b"]))
    yield from (
        (number for number in range(2)),
        iter([]),
        map(int, "12"),
        zip("ab", "cd", strict=False),
    )
    yield from (
        len,
        lambda *a, **k: 1 / 0,
        lambda *a, **k: None,
        int,
        Strange,
        Strange(),
    )
    yield from (closed, decimal.Decimal("0.1"), decimal.Decimal("NaN"), fractions.Fraction(1, 2))
    yield from (datetime.date(2020, 1, 1), pathlib.Path(), pathlib.Path("nowhere.csv"), ".", "/")
    yield from (os.devnull, type, cpe, MU, DUELS, BANDIT, GRAPH, TOP, VOTES, nx.Graph())


FUNCTIONS = {
    cpe.PreferenceMatrix: {"array": [[0.5, 0.6], [0.4, 0.5]], "labels": ["a", "b"], "name": "n"},
    cpe.PreferenceMatrix.from_duels: {"duels": [(0, 1), (1, 0)]},
    cpe.PreferenceMatrix.from_csv: {"path": "m.csv"},
    cpe.Votes: {
        "wins": [[0, 9], [1, 0]],
        "labels": ["a", "b"],
        "tied": None,
        "notes": LogNotes(),
        "independent": True,
        "name": "v",
    },
    cpe.Votes.read: {"path": "votes.csv", "name": None},
    cpe.BipartiteGraph: {
        "candidates": 3,
        "positions": 2,
        "edges": [(0, 0), (1, 0), (1, 1), (2, 1)],
        "candidate_labels": None,
        "position_labels": None,
        "name": "g",
    },
    cpe.BipartiteGraph.complete: {"candidates": 3, "positions": 2, "name": None},
    cpe.BipartiteGraph.from_labels: {"edges": [("a", "x"), ("b", "x")], "name": "g"},
    cpe.MatchingDuels: {"graph": DUELS.graph, "array": DUELS.array, "name": "n"},
    cpe.TopK: {"size": 4, "k": 2, "labels": None},
    cpe.PartitionMatroid: {"groups": [0, 0, 1], "capacities": 1, "labels": None},
    cpe.SpanningTrees: {"edges": TRIANGLE, "labels": None},
    cpe.GraphicMatroid: {"edges": TRIANGLE, "labels": None},
    cpe.Paths: {"edges": TRIANGLE, "source": "a", "target": "c", "labels": None},
    cpe.Matchings: {"graph": GRAPH},
    cpe.SubsetBandit: {
        "decisions": TOP,
        "theta": [0.9, 0.8, 0.2, 0.1],
        "noise": 1.0,
        "outcomes": None,
        "name": "n",
    },
    cpe.SubsetBandit.from_outcomes: {"outcomes": np.eye(3), "decisions": 1, "labels": None},
    cpe.TeamScores: {"teams": TEAMS, "scores": [1.0, 2.0, 3.0], "counts": None, "name": "n"},
    cpe.Bernoulli: {"p": 0.5},
    cpe.Beta: {"a": 1.0, "b": 2.0},
    cpe.Empirical: {"values": (0.0, 1.0)},
    cpe.Quadratic: {"a": 1.0},
    cpe.Power: {"a": 1.0, "p": 2.0},
    cpe.PiecewiseLinear: {"breaks": (0.0, 1.0), "slopes": (1.0, 2.0)},
    cpe.WaterPlan: {"costs": COSTS, "caps": [2.0, 2.0], "demand": 3.0, "step": 1.0},
    cpe.OpinionSampling: {"sizes": [5, 5], "budget": 4, "labels": None},
    cpe.BestSet: {"decisions": TOP},
    cpe.CustomModel: {"size": 2, "oracle": abs, "bi_monotone": True, "tau": 1, "labels": None},
    cpe.SeparableProblem: {"model": ASK, "arms": [cpe.Bernoulli(0.5)] * 2, "name": "n"},
    cpe.Batch: {"queries": (cpe.Duel(0, 1),)},
    cpe.LearnerSpec: {"learner": "rucb", "parameters": {}, "label": ""},
    cpe.simulate: {
        "learner": "random-pairs",
        "problem": MU,
        "horizon": 20,
        "seed": 0,
        "regret": None,
        "points": None,
        "max_samples": None,
    },
    cpe.evidence: {"votes": VOTES, "delta": 0.05, "prices": None},
    cpe.analyse: {"problem": WATER},
    cpe.load_instance: {"name": "gap"},
    cpe.load_problem: {"name_or_path": "m.csv", "k": None},
    cpe.planted_condorcet: {"candidates": 3, "positions": 2, "gap": 0.1, "density": 1.0},
    cpe.planted_subsets: {"size": 4, "k": 2, "gap": 0.1, "noise": 1.0, "seed": 0},
    cpe.best_matching: {
        "graph": GRAPH,
        "weights": [1.0, 2, 3, 4],
        "include": (),
        "exclude": (),
        "sense": "max",
        "method": None,
    },
    cpe.best_subset: {
        "decisions": TOP,
        "weights": [1.0, 2, 3, 4],
        "include": (),
        "exclude": (),
        "sense": "max",
        "method": None,
        "solver": "highs",
        "time_limit": None,
        "threads": 1,
        "seed": 0,
        "solver_options": None,
    },
    cpe.best_subset_program: {"decisions": TOP, "weights": [1.0, 2, 3, 4], "integer": False},
    cpe.copeland_hardness: {"preferences": MU},
    cpe.borda_hardness: {"duels": DUELS},
    cpe.condorcet_hardness: {"duels": DUELS},
    cpe.separable_hardness: {"problem": WATER},
    cpe.subset_hardness: {"bandit": BANDIT},
    cpe.ProgramBuilder: {"name": "p", "sense": "min", "offset": 0.0},
}
# What takes as long as it is told to.
PATIENT = {(cpe.simulate, "horizon"), (cpe.simulate, "max_samples")}


def shown(value):
    try:
        return repr(value)
    except Exception:
        return type(value).__name__


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__qualname__)
def test_arguments_of_all_kinds_are_taken_or_refused_in_words(function, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("votes.csv").write_text("winner,loser\na,b\nb,a\na,b\n")
    pathlib.Path("m.csv").write_text("0.5,0.6\n0.4,0.5\n")
    arguments = FUNCTIONS[function]
    function(**arguments)
    faults = []
    for name in arguments:
        for value in kinds():
            if (function, name) in PATIENT and isinstance(value, int) and value > 10**6:
                continue
            if (function, name) == (cpe.simulate, "learner") and callable(value):
                continue  # what a learner of one's own raises comes through as it is
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(**{**arguments, name: value})
            except cpe.CpeOptError as error:
                said = str(error)
                if not said or "\n" in said or len(said) > 1000:
                    faults.append(f"{name}={shown(value)[:60]}: says {said[:200]!r}")
            except Exception as error:
                faults.append(f"{name}={shown(value)[:60]}: {type(error).__name__}: {error}")
    assert not faults, "\n".join(faults)


def test_arguments_of_other_names_are_refused():
    """By the functions that check their arguments; of others Python itself says it."""
    refused = []
    for function, arguments in FUNCTIONS.items():
        with pytest.raises((cpe.InputError, TypeError)) as error:
            function(**arguments, nonsense=3)
        said = str(error.value)
        assert "'nonsense'" in said
        refused += [function] * said.startswith(("unknown argument of", "unknown parameter of"))
    assert len(refused) > 25
