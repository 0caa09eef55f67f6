"""Arguments outside their declarations: every public function, every argument, every odd value.

The values are odd ones of all kinds, and those at both sides of every end of a declared interval.
``may_be`` says by the declaration, but not by the code that checks it, which of them are allowed.
The others are refused in one line that names the argument, before anything is computed; those that
are allowed are taken, and have the same effect as the plain value that they stand for.
"""

import collections
import datetime
import decimal
import fractions
import inspect
import io
import math
import numbers
import os
import pathlib
import re
import sys
import types
import warnings
from collections.abc import Mapping

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.problems.pairs import LogNotes
from cpe_opt.validation import (
    Approved,
    Either,
    InstanceOf,
    Number,
    Numbers,
    OneOf,
    Pair,
    Several,
    checked_text,
    checked_texts,
    checked_types,
    constraint_of,
    constraints_of,
)
from tests.support import all_of

MU, DUELS, WATER = (cpe.load_instance(name) for name in ("gap", "figure1", "water"))
GRAPH = cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (1, 1), (2, 1)])
TOP = cpe.TopK(4, 2)
BANDIT = cpe.SubsetBandit(TOP, [0.9, 0.8, 0.2, 0.1])
VOTES = cpe.Votes([[0, 9], [1, 0]], ["a", "b"])
CELLS = [[[math.nan], [1.0]], [[0.0], [math.nan]]]
TEAMS = [["a", "b"], ["b", "c"], ["c", "a"]]
TRIANGLE = [("a", "b"), ("b", "c"), ("a", "c")]
COSTS = [cpe.Quadratic(1.0), cpe.Quadratic(2.0)]
ASK = cpe.OpinionSampling([5, 5], 4)
GAME = cpe.von_neumann_winner_program(MU)


class Strange:
    """An object without any meaning here."""


def kinds():
    """One of each kind; iterators are fresh, as they are used up."""
    yield from KINDS
    yield from ((each for each in range(2)), iter([]), map(int, "12"), zip("ab", "cd", strict=True))


def lasting_kinds():
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


KINDS = list(lasting_kinds())
FUNCTIONS = {
    cpe.PreferenceMatrix: {"array": [[0.5, 0.6], [0.4, 0.5]], "labels": ["a", "b"], "name": "n"},
    cpe.read_votes: {"duels": [(0, 1), (1, 0)]},
    cpe.ItemDuels: {"outcomes": CELLS, "labels": ["a", "b"], "items": ["x"], "name": "n"},
    cpe.read_matrix: {"path": "m.csv"},
    cpe.read_panel: {"duels": "panel.csv", "name": None},
    cpe.read_prices: {"path": "prices.csv", "problem": VOTES},
    cpe.Votes: {
        "wins": [[0, 9], [1, 0]],
        "labels": ["a", "b"],
        "tied": None,
        "selected": [[False, True], [True, False]],
        "notes": LogNotes(),
        "independent": True,
        "name": "v",
    },
    cpe.read_votes: {"source": "votes.csv", "name": None},
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
    cpe.certificate: {"program": GAME, "nodes": 9, "time_limit": None},
    cpe.ProgramBuilder: {"name": "p", "sense": "min", "offset": 0.0},
}


def text(value):
    """A text that every file and terminal can hold."""
    return (
        isinstance(value, str) and bool(value.strip()) and not re.search("[\0\ud800-\udfff]", value)
    )


def truth(value):
    return isinstance(value, bool | np.bool_)


def number(value):
    """A number that is not NaN, nor beyond all floats; truth values are none."""
    try:
        return isinstance(value, numbers.Real) and not truth(value) and not math.isnan(float(value))
    except OverflowError:
        return False


def finite(value):
    return number(value) and math.isfinite(value)


def at_least(least):
    return lambda value: finite(value) and value >= least


def positive(value):
    return finite(value) and value > 0


def share(value):
    return finite(value) and 0 <= value <= 1


def whole(least):
    def fits(value):
        integer = isinstance(value, numbers.Integral) and not truth(value)
        return integer and value >= least and abs(value) < 2**63

    return fits


def one_of(*values):
    return lambda value: isinstance(value, str | numbers.Integral) and value in values


def either(*kinds):
    return lambda value: any(kind(value) for kind in kinds)


def optional(kind):
    return lambda value: value is None or kind(value)


def several(kind):
    """Any iterable of such."""

    def fits(value):
        iterable = hasattr(value, "__iter__") and getattr(value, "ndim", 1) > 0
        plain = not isinstance(value, str | bytes | bytearray | memoryview | Mapping | io.IOBase)
        entries = value if hasattr(value, "__len__") else ()
        return iterable and plain and all(map(kind, entries))

    return fits


def listed(kind):
    """A list, a tuple, an array or the like: with an order."""

    def fits(value):
        ordered = hasattr(value, "__len__") and hasattr(value, "__getitem__")
        return ordered and several(kind)(value)

    return fits


def vector(kind):
    """The same, of one dimension."""
    return lambda value: getattr(value, "ndim", 1) == 1 and listed(kind)(value)


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


def inside(interval):
    """Between the ends, or at one that is closed."""
    ends = {"both": "low high", "left": "low", "right": "high", "neither": ""}[interval.closed]
    at = [getattr(interval, end) for end in ends.split()]
    return lambda value: interval.low < value < interval.high or value in at


def may_be(declared):
    """What a declaration allows; None for an array, of which the function sees the shape."""
    match declared:
        case None:
            return lambda value: True
        case Number(kind, intervals):
            kinds = [number if kind is float else whole(-math.inf), *map(inside, intervals)]
            return lambda value: all(fits(value) for fits in kinds)
        case InstanceOf(kind):
            return truth if kind is bool else lambda value: isinstance(value, kind)
        case OneOf(choices):
            return one_of(*choices)
        case Several(entry, ordered):
            alike = (listed if ordered else several)(may_be(entry))
            deepest = 1 if isinstance(entry, Number) else 2
            return lambda value: getattr(value, "ndim", 1) <= deepest and alike(value)
        case Pair(entries):
            first, second = map(may_be, entries)
            two = listed(lambda entry: True)
            entries = listed(first), listed(second)
            return lambda value: (
                two(value)
                and len(value) == 2
                and all(fits([each]) for fits, each in zip(entries, value, strict=True))
            )
        case Approved(checked):
            return {checked_text: text, checked_texts: vector(text)}.get(checked)
        case Either(kinds):
            choices = [may_be(kind) for kind in kinds]
            return None if None in choices else either(*choices)
    raise AssertionError(f"{declared!r} is no declaration that is known here")


def around(declared):
    """Numbers at both sides of every end of the intervals of a declaration, and the ends."""
    if isinstance(declared, Either):
        return [value for kind in declared.kinds for value in around(kind)]
    if isinstance(declared, Several):
        return [[value] for value in around(declared.entry)]
    if not isinstance(declared, Number):
        return []
    ends = {end for each in declared.intervals for end in (each.low, each.high)}
    if declared.kind is int:
        near = [int(end) + step for end in ends if math.isfinite(end) for step in (-1, 0, 1)]
        return [value for each in near for value in (each, np.int64(each), float(each))]
    near = [np.nextafter(end, way) for end in ends for way in (-math.inf, end, math.inf)]
    return [value for each in near for value in (float(each), np.float64(each))]


def declared_functions():
    """Every function of the package under ``checked_types``, by module and name."""
    for name in cpe.__all__:
        getattr(cpe, name)
    code = checked_types(lambda: None).__code__
    for name, module in sorted(sys.modules.items()):
        if not name.startswith("cpe_opt."):
            continue
        for each in list(vars(module).values()):
            inner = list(vars(each).values()) if isinstance(each, type) else [each]
            for function in (getattr(one, "__func__", one) for one in inner):
                if getattr(function, "__code__", None) is code and function.__module__ == name:
                    yield function


DECLARED = {f"{each.__module__}.{each.__qualname__}": each for each in declared_functions()}
ODD = [Strange(), b"ab", 1 + 2j, math.nan, ...]
NO_NUMBERS = [None, "ab", b"ab", True, np.True_, [True, 0.5], [[1, True]], np.eye(2, dtype=bool)]
NO_NUMBERS += [[1, "a"], [[1, 2], [1]], [1j], [None], [10**400], np.array(["2020"], "M8[Y]")]
NO_NUMBERS += [np.ma.masked_array([1, 2], [True, False]), Strange(), pd.Series([True, 0.5])]


# What takes as long as it is told to.
LARGE = 10**5
# Ends of their intervals are allowed to them only if another argument allows them too.
DEPENDENT = {
    (cpe.BipartiteGraph, "candidates"),
    (cpe.BipartiteGraph, "positions"),
    (cpe.BipartiteGraph.complete, "candidates"),
    (cpe.BipartiteGraph.complete, "positions"),
    (cpe.TopK, "size"),
    (cpe.PartitionMatroid, "groups"),
    (cpe.PartitionMatroid, "capacities"),
    (cpe.OpinionSampling, "budget"),
    (cpe.planted_condorcet, "gap"),
    (cpe.planted_condorcet, "density"),
    (cpe.planted_subsets, "size"),
    (cpe.planted_subsets, "gap"),
    (cpe.WaterPlan, "demand"),
    (cpe.WaterPlan, "step"),
    (cpe.best_subset, "time_limit"),
    (cpe.certificate, "time_limit"),
}


AMOUNT = at_least(0)
NAME, LABELS = text, optional(vector(text))
# Where a function allows less than it declares, or declares nothing.
MAY_BE = {
    "array": table(share),
    "wins": table(AMOUNT),
    "tied": optional(table(AMOUNT)),
    "selected": optional(table(either(lambda value: value in (0, 1), truth))),
    "outcomes": optional(table(either(finite, truth))),
    "theta": vector(finite),
    "weights": vector(finite),
    "scores": vector(finite),
    "counts": optional(vector(whole(1))),
    "caps": vector(positive),
    "noise": noise,
    "prices": optional(price),
    "teams": listed(listed(text)),
    "edges": listed(listed(either(text, whole(0)))),
    "source": one_of("a", "b", "c"),
    "target": one_of("a", "b", "c"),
    "solver": one_of("highs"),
    "regret": optional(one_of("mean", "sum")),
    "path": one_of("m.csv", "votes.csv"),
    "name_or_path": one_of("m.csv", "gap"),
    "learner": one_of("random-pairs"),
    (cpe.PreferenceMatrix, "labels"): LABELS,
    (cpe.PreferenceMatrix, "name"): NAME,
    (cpe.read_votes, "duels"): listed(listed(whole(0))),
    (cpe.read_panel, "duels"): one_of("panel.csv"),
    (cpe.read_votes, "source"): either(one_of("votes.csv"), listed(listed(whole(0)))),
    (cpe.read_prices, "path"): one_of("prices.csv"),
    (cpe.read_prices, "problem"): lambda value: value is VOTES,
    (cpe.ItemDuels, "outcomes"): lambda value: np.ndim(value) == 3,
    (cpe.ItemDuels, "labels"): LABELS,
    (cpe.ItemDuels, "items"): LABELS,
    (cpe.ProgramBuilder, "name"): one_of("p", "x"),
    (cpe.load_instance, "name"): one_of("gap"),
    (cpe.load_problem, "k"): lambda value: value is None,
    (cpe.CustomModel, "tau"): one_of(1, 2),
    (cpe.TeamScores, "name"): NAME,
    (cpe.Bernoulli, "p"): share,
    (cpe.Beta, "a"): positive,
    (cpe.Beta, "b"): positive,
    (cpe.Empirical, "values"): vector(share),
    (cpe.Quadratic, "a"): AMOUNT,
    (cpe.Power, "a"): AMOUNT,
    (cpe.Power, "p"): at_least(1),
    (cpe.PiecewiseLinear, "breaks"): vector(finite),
    (cpe.PiecewiseLinear, "slopes"): vector(finite),
    (cpe.BestSet, "decisions"): lambda value: isinstance(value, cpe.DecisionClass),
    # A query may be of anybody's own class; whoever is asked refuses it: see
    # test_what_is_refused_only_when_it_is_used.
    (cpe.Batch, "queries"): lambda value: isinstance(value, tuple) and len(value) > 0,
    # Names are looked up when the learner runs, likewise.
    (cpe.LearnerSpec, "learner"): lambda value: isinstance(value, str) or callable(value),
    (cpe.LearnerSpec, "parameters"): lambda value: isinstance(value, Mapping),
    (cpe.LearnerSpec, "label"): either(text, one_of("")),
}


def declared_of(function, name):
    made = function.__init__ if isinstance(function, type) else function
    made = getattr(made, "__func__", made)
    return constraints_of(made).get(name) if made in DECLARED.values() else None


def allowed(function, name):
    """What the argument of a function may be, by its declaration and by ``MAY_BE``."""
    declared = may_be(declared_of(function, name))
    limit = MAY_BE.get((function, name)) or MAY_BE.get(name)

    def fits(value):
        try:
            return all(each is None or each(value) for each in (declared, limit))
        except Exception:
            return False  # it cannot even be looked at

    return fits


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
    pathlib.Path("panel.csv").write_text("position,winner,loser\ndesk,a,b\n")
    pathlib.Path("prices.csv").write_text("first,second,price\na,b,2\n")


def test_every_public_function_declares_its_arguments():
    assert len(DECLARED) > 130
    taken = {name.rpartition(".")[2] for name in DECLARED}
    functions = {name for name in cpe.__all__ if isinstance(getattr(cpe, name), types.FunctionType)}
    # The one takes whatever a run is kept in, the other nothing.
    assert functions - taken == {"plot_regret", "large_files"}


def test_declarations_allow_what_they_say_and_nothing_else():
    declared = {each for one in DECLARED.values() for each in constraints_of(one).values()}
    assert len(declared) > 50
    for each in declared:
        fits = may_be(each) or each.accepts
        values = (*kinds(), *around(each))
        assert [shown(value) for value in values if bool(fits(value)) != each.accepts(value)] == []


@all_of("function", DECLARED.values())
def test_arguments_outside_their_declaration_are_refused_by_name(function):
    of_object = next(iter(inspect.signature(function).parameters)) in ("self", "cls")
    faults = []
    for name, declared in constraints_of(function).items():
        fits = may_be(declared)
        outside = [value for value in (*around(declared), *ODD) if fits and not fits(value)]
        if declared == constraint_of(Numbers):
            outside = NO_NUMBERS
        for value in outside:
            with pytest.raises(cpe.InputError) as error:
                function(*[None] * of_object, **{name: value})
            said = str(error.value)
            if not re.match(rf"(unknown )?{name}\b", said) or "\n" in said:
                faults.append(f"{name}={shown(value)[:60]}: says {said!r}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__qualname__)
@pytest.mark.usefixtures("files")
def test_arguments_of_all_kinds_are_what_they_may_be_or_refused_in_words(function):
    arguments = FUNCTIONS[function]
    function(**arguments)
    faults = []
    for name, usual in arguments.items():
        fits, ends = allowed(function, name), around(declared_of(function, name))
        if not fits(usual):
            faults.append(f"{name}={shown(usual)[:60]}: may not be what it usually is")
        odd, same = [*kinds(), *ends], [*kinds(), *ends]
        for place, value in enumerate(odd):
            fitting = fits(same[place])
            if fitting and number(value) and value > LARGE:
                continue  # it takes as long as it is told to
            if (function, name) == (cpe.simulate, "learner") and callable(value):
                continue  # what a learner of one's own raises comes through as it is
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(**{**arguments, name: value})
                if not fitting:
                    faults.append(f"{name}={shown(value)[:60]}: taken silently")
            except cpe.CpeOptError as error:
                said = str(error)
                end = place >= len(odd) - len(ends) and (function, name) not in DEPENDENT
                if not said or "\n" in said or len(said) > 1000 or (end and fitting):
                    faults.append(f"{name}={shown(value)[:60]}: says {said[:200]!r}")
            except Exception as error:
                faults.append(f"{name}={shown(value)[:60]}: {type(error).__name__}: {error}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("function", "arguments", "sentence"),
    [
        (cpe.TopK, {"k": "2"}, "k is '2', expected a whole number, at least 1"),
        (cpe.TopK, {"k": 10**30}, "k is about 1e30, expected a whole number, below 2**63"),
        (cpe.TopK, {"size": 10**9}, "size is 1,000,000,000, expected at most 1,000,000"),
        (cpe.TopK, {"labels": ["a", b"b"]}, "labels[1] is b'b', expected a text"),
        (cpe.TopK, {"odd": 3}, "unknown argument of TopK 'odd'; known: k, labels, size"),
        (
            cpe.PartitionMatroid,
            {"groups": [0, 0.5]},
            "groups[1] is 0.5, expected a whole number, at least 0",
        ),
        (cpe.BipartiteGraph, {"edges": [(0, 0), "ab"]}, "edges[1] is 'ab', expected a pair"),
        (cpe.evidence, {"delta": 0}, "delta is 0, expected a number above 0"),
        (cpe.evidence, {"delta": 1}, "delta is 1, expected a probability between 0 and 1"),
        (
            cpe.evidence,
            {"delta": 5e-324},
            "delta is 5e-324, expected a probability of at least 1e-306",
        ),
        (
            cpe.evidence,
            {"prices": [True]},
            "prices: not an array of numbers (it holds truth values)",
        ),
        (cpe.planted_condorcet, {"gap": math.inf}, "gap is inf, expected a finite number"),
        (cpe.solve, {"time_limit": "1"}, "time_limit is '1', expected a number above 0 or None"),
        (cpe.solve, {"time_limit": -1}, "time_limit is -1, expected a number above 0"),
        (cpe.ecw_bound, {"method": "cut"}, "unknown method 'cut'; did you mean 'cuts'?"),
        (
            cpe.ecw_bound,
            {"method": 3},
            "method is 3, expected 'closed', 'cuts', 'compact' or 'enumerate'",
        ),
        (
            cpe.copeland_bound,
            {"preferences": [1]},
            "preferences is [1], expected a PreferenceMatrix",
        ),
        (cpe.simulate, {"learner": None}, "learner is None, expected a text or a function"),
        (
            cpe.run_experiment,
            {"learners": "ccb"},
            "learners is 'ccb', expected a list of texts or functions or LearnerSpec objects",
        ),
        (
            cpe.simulate,
            {"horizon": 2**53 + 1},
            "horizon is 9,007,199,254,740,993, expected at most 9,007,199,254,740,992 (2^53): "
            "beyond that rounds cannot be counted exactly",
        ),
    ],
)
def test_refusals_say_what_was_found_and_what_was_expected(function, arguments, sentence):
    with pytest.raises(cpe.InputError) as error:
        function(**arguments)
    assert str(error.value) == sentence


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
