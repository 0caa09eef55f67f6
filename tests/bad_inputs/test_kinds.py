"""Arguments of kinds that nobody expects: every public function, every argument, every kind.

What is refused is refused with an error of the package, in one line. What is taken is what the
argument may be, by ``MAY_BE``, and has the same effect as the plain value that it stands for.
"""

import collections
import datetime
import decimal
import fractions
import io
import math
import numbers
import os
import pathlib
import re
import types
import warnings
from collections.abc import Mapping

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.problems.pairs import LogNotes
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.distributions import Distribution
from cpe_opt.problems.separable.model import SeparableModel
from cpe_opt.problems.separable.water_plan import Cost

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


def text(value):
    """A text that every file and terminal can hold."""
    return (
        isinstance(value, str) and bool(value.strip()) and not re.search("[\0\ud800-\udfff]", value)
    )


def truth(value):
    return isinstance(value, bool | np.bool_)


def function(value):
    return callable(value)


def mapping(value):
    return isinstance(value, Mapping)


def number(value):
    """A number that is not NaN; truth values are none."""
    return isinstance(value, numbers.Real) and not truth(value) and not math.isnan(value)


def finite(value):
    return number(value) and abs(value) <= 1.8e308 and math.isfinite(value)


def at_least(least):
    return lambda value: finite(value) and value >= least


def positive(value):
    return finite(value) and value > 0


def share(value):
    return finite(value) and 0 <= value <= 1


def probability(value):
    """Of an error: not 0, not 1."""
    return share(value) and value not in (0, 1)


def whole(least):
    return lambda value: isinstance(value, numbers.Integral) and number(value) and value >= least


def one_of(*values):
    return lambda value: isinstance(value, str | numbers.Integral) and value in values


def a(kind):
    return lambda value: isinstance(value, kind)


def either(*kinds):
    return lambda value: any(kind(value) for kind in kinds)


def optional(kind):
    return lambda value: value is None or kind(value)


def several(kind):
    """Any iterable of such."""

    def fits(value):
        iterable = hasattr(value, "__iter__") and getattr(value, "ndim", 1) > 0
        plain = not isinstance(value, str | bytes | bytearray | memoryview | Mapping)
        return iterable and plain and all(map(kind, value))

    return fits


def listed(kind):
    """A list, a tuple, an array of one dimension or the like: with an order."""

    def fits(value):
        ordered = hasattr(value, "__len__") and hasattr(value, "__getitem__")
        return ordered and getattr(value, "ndim", 1) == 1 and several(kind)(value)

    return fits


def table(kind):
    """Of numbers in rows of equal length."""

    def fits(value):
        if isinstance(value, pd.DataFrame):
            value = value.to_numpy()
        masked = np.ma.is_masked(value)
        rows = isinstance(value, np.ndarray | list) and not masked and len(value) > 0
        return rows and np.ndim(value) == 2 and all(kind(each) for row in value for each in row)

    return fits


def price(value):
    """One for all duels: a number, or an array of no dimension."""
    array = isinstance(value, np.ndarray) and value.ndim == 0
    return positive(value[()] if array else value)


def noise(value):
    """A standard deviation of which there is a variance."""
    return finite(value) and value >= 0 and math.isfinite(float(value) * float(value))


COUNT, AMOUNT = whole(1), at_least(0)
MAY_BE = {
    # Texts, truth values and functions, wherever they are.
    "name": text,
    "label": either(text, one_of("")),
    "labels": optional(listed(text)),
    "candidate_labels": optional(listed(text)),
    "position_labels": optional(listed(text)),
    "independent": truth,
    "bi_monotone": truth,
    "integer": truth,
    "oracle": function,
    "parameters": mapping,
    "solver_options": optional(mapping),
    "sense": one_of("max", "min"),
    "method": optional(one_of("greedy", "assignment")),
    "solver": one_of("highs"),
    # Numbers.
    "size": COUNT,
    "k": COUNT,
    "candidates": COUNT,
    "positions": COUNT,
    "budget": COUNT,
    "horizon": COUNT,
    "threads": COUNT,
    "points": optional(COUNT),
    "max_samples": optional(COUNT),
    "seed": whole(0),
    "tau": one_of(1, 2),
    "noise": noise,
    "offset": finite,
    "demand": AMOUNT,
    "step": positive,
    "a": positive,
    "b": positive,
    "gap": share,
    "density": share,
    "delta": probability,
    "p": share,
    "time_limit": optional(lambda value: number(value) and value > 0),
    "prices": optional(price),
    # Lists and tables of them.
    "array": table(share),
    "wins": table(AMOUNT),
    "tied": optional(table(AMOUNT)),
    "outcomes": optional(table(either(finite, truth))),
    "theta": listed(finite),
    "weights": listed(finite),
    "scores": listed(finite),
    "counts": optional(listed(COUNT)),
    "values": listed(share),
    "breaks": listed(finite),
    "slopes": listed(finite),
    "caps": listed(positive),
    "sizes": listed(COUNT),
    "groups": listed(whole(0)),
    "capacities": either(whole(0), listed(whole(0))),
    "include": several(whole(0)),
    "exclude": several(whole(0)),
    "teams": listed(listed(text)),
    "edges": listed(listed(text)),
    "source": one_of("a", "b", "c"),
    "target": one_of("a", "b", "c"),
    # Problems and their parts.
    "graph": a(cpe.BipartiteGraph),
    "decisions": a(cpe.DecisionClass),
    "notes": optional(a(LogNotes)),
    "costs": listed(a(Cost)),
    "model": a(SeparableModel),
    "arms": listed(a(Distribution)),
    "votes": a(cpe.Votes),
    "preferences": a(cpe.PreferenceMatrix),
    "duels": a(cpe.MatchingDuels),
    "bandit": a(cpe.SubsetBandit),
    "problem": a(Problem),
    "regret": optional(one_of("mean", "sum")),
    "path": one_of("m.csv", "votes.csv"),
    "name_or_path": one_of("m.csv", "gap"),
    "learner": one_of("random-pairs"),
    "queries": listed(a(cpe.Duel)),
}
# Where an argument of that name is another one.
MAY_ALSO_BE = {
    (cpe.PreferenceMatrix.from_duels, "duels"): listed(listed(whole(0))),
    (cpe.BipartiteGraph, "edges"): listed(listed(whole(0))),
    (cpe.BipartiteGraph.complete, "name"): optional(text),
    (cpe.Votes.read, "name"): optional(text),
    (cpe.MatchingDuels, "name"): optional(text),
    (cpe.load_instance, "name"): one_of("gap"),
    (cpe.ProgramBuilder, "name"): one_of("p", "x"),
    (cpe.SubsetBandit.from_outcomes, "decisions"): COUNT,
    (cpe.SubsetBandit.from_outcomes, "outcomes"): table(either(finite, truth)),
    (cpe.Quadratic, "a"): AMOUNT,
    (cpe.Power, "a"): AMOUNT,
    (cpe.Power, "p"): at_least(1),
    (cpe.load_problem, "k"): optional(one_of()),
    (cpe.separable_hardness, "problem"): a(cpe.SeparableProblem),
    # A query may be of anybody's own class; whoever is asked refuses it: see
    # test_what_is_refused_only_when_it_is_used.
    (cpe.Batch, "queries"): lambda value: isinstance(value, tuple) and len(value) > 0,
    # Names are looked up when the learner runs, likewise.
    (cpe.LearnerSpec, "learner"): either(a(str), function),
}


def may_be(what, name):
    return MAY_ALSO_BE.get((what, name)) or MAY_BE[name]


def shown(value):
    try:
        return repr(value)
    except Exception:
        return type(value).__name__


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("votes.csv").write_text("winner,loser\na,b\nb,a\na,b\n")
    pathlib.Path("m.csv").write_text("0.5,0.6\n0.4,0.5\n")


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__qualname__)
@pytest.mark.usefixtures("files")
def test_arguments_of_all_kinds_are_what_they_may_be_or_refused_in_words(function):
    arguments = FUNCTIONS[function]
    function(**arguments)
    faults = []
    for name, usual in arguments.items():
        fits = may_be(function, name)
        if not fits(usual):
            faults.append(f"{name}={shown(usual)[:60]}: may not be what it usually is")
        for value, same in zip(kinds(), kinds(), strict=True):
            if (function, name) in PATIENT and isinstance(value, int) and value > 10**6:
                continue
            if (function, name) == (cpe.simulate, "learner") and callable(value):
                continue  # what a learner of one's own raises comes through as it is
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(**{**arguments, name: value})
                if not fits(same):
                    faults.append(f"{name}={shown(value)[:60]}: taken silently")
            except cpe.CpeOptError as error:
                said = str(error)
                if not said or "\n" in said or len(said) > 1000:
                    faults.append(f"{name}={shown(value)[:60]}: says {said[:200]!r}")
            except Exception as error:
                faults.append(f"{name}={shown(value)[:60]}: {type(error).__name__}: {error}")
    assert not faults, "\n".join(faults)


# Values, and the plain ones that they stand for.
PLAIN = [
    (np.int64(2), 2),
    (np.float64(0.5), 0.5),
    (np.float32(0.5), 0.5),
    (fractions.Fraction(1, 2), 0.5),
    (np.True_, True),
    (np.False_, False),
    (range(3), [0, 1, 2]),
    (np.array([1, 2, 3]), [1, 2, 3]),
    (pd.Series([1.0, 2.0]), [1.0, 2.0]),
    (pd.Index(["a", "b"]), ["a", "b"]),
    (pd.Categorical(["a", "b"]), ["a", "b"]),
    (collections.deque([1, 2]), [1, 2]),
    (frozenset({0, 1}), [0, 1]),
]


def content(result):
    """All that a result holds, in words; but not how long it took, and when it was begun."""
    if isinstance(result, np.ndarray):
        return f"{result.dtype} {result.tolist()}"
    if isinstance(result, list | tuple):
        return str([content(each) for each in result])
    held = [key for kind in type(result).__mro__ for key in getattr(kind, "__slots__", ())]
    held += vars(result) if hasattr(result, "__dict__") else []
    held = [key for key in held if "seconds" not in key and key != "_started"]
    held = [key for key in held if hasattr(result, key)]
    if not held or callable(result) or isinstance(result, types.ModuleType | pd.DataFrame):
        return repr(result)
    return f"{type(result)} { {key: content(getattr(result, key)) for key in sorted(held)} }"


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__qualname__)
@pytest.mark.usefixtures("files")
def test_a_value_does_what_the_plain_one_does_that_it_stands_for(function):
    arguments = FUNCTIONS[function]
    faults = []
    for name in arguments:
        for value, plain in PLAIN:
            try:
                result = function(**{**arguments, name: value})
            except cpe.CpeOptError:
                continue
            usual = content(function(**{**arguments, name: plain}))
            if content(result) != usual:
                faults.append(
                    f"{name}={shown(value)}: {content(result)[:1000]}, not {usual[:1000]}"
                )
    assert not faults, "\n".join(faults)


def test_what_is_refused_only_when_it_is_used():
    def asks(query):
        def learner(known):
            yield query

        return learner

    for query in (cpe.Batch((1, 2)), cpe.Batch((None,)), cpe.Batch(("a", cpe.Duel(0, 1)))):
        with pytest.raises(cpe.InputError, match="this problem answers Duel queries"):
            cpe.simulate(asks(query), MU)
    for value in kinds():
        if isinstance(value, str):
            spec = cpe.LearnerSpec(value)
            with pytest.raises(
                cpe.CpeOptError, match=r"^(unknown learner|names of learners\[0\]) "
            ):
                cpe.run_experiment([spec], [MU], runs=1, horizon=10, jobs=1)


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
