"""Arguments outside their declarations: the bad ones are made from the declarations themselves.

Values are odd ones of all kinds, and those at both sides of every end of a declared interval. What
a declaration refuses is refused in one line that names the argument, before anything is computed;
what it allows is taken, or refused in words, and does what the plain value does that it stands for.
"""

import collections
import decimal
import fractions
import functools
import inspect
import io
import math
import pathlib
import re
import sys
import types
import warnings
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt import validation
from cpe_opt.validation import (
    Constraint,
    ErrorProbability,
    Interval,
    Labels,
    Name,
    Numbers,
    PositiveInt,
    Share,
    checked_types,
    constraint_of,
)
from tests.support import all_of

NAN, INF = math.nan, math.inf
MU, DUELS = (cpe.load_instance(name) for name in ("gap", "figure1"))
GRAPH = cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (1, 1), (2, 1)])
TOP = cpe.TopK(4, 2)
VOTES = cpe.Votes([[0, 9], [1, 0]], ["a", "b"])
TRIANGLE = [("a", "b"), ("b", "c"), ("a", "c")]


class Strange:
    """An object without any meaning here."""


KINDS = [
    *(None, True, 0, -1, 2, 3.5, -0.0, NAN, INF, 10**400, -(10**400), 2**63, 1e308, 5e-324),
    *(1 + 2j, ..., "", "x", "0", "\ud800", "a\0b", "∞", "１２", b"ab", bytearray(b"a")),
    *([], [None], [[]], ["a"], [1, "a"], [NAN], [10**400], ["\ud800", "b"], ["é", "e\u0301"]),
    *((), (1, 2), {}, {"a": 1}, {1}, frozenset({0, 1}), range(3), collections.deque([1, 2])),
    *(np.int64(2), np.float32(0.5), np.bool_(True), np.array(1), np.array("a"), np.array([])),
    *(np.array([1, 2, 3]), np.zeros((2, 2)), np.zeros((0, 0)), np.array([1, "a"], object)),
    *(np.ma.masked_array([1, 2], [True, False]), np.array(["2020"], "M8[Y]"), np.array([1j])),
    *(np.full((2, 2), INF), np.eye(5, dtype=bool), pd.Series([1, 2], ["a", "a"]), pd.NA),
    *(pd.DataFrame(), pd.DataFrame([[1, 2], [3, 4]], ["a", "a"], ["b", "b"]), pd.Index(["a"])),
    *(len, lambda *a, **k: 1 / 0, int, Strange, Strange(), io.StringIO(), decimal.Decimal("NaN")),
    *(fractions.Fraction(1, 2), pathlib.Path(), ".", "/", cpe, MU, DUELS, GRAPH, TOP, VOTES),
]
# Calls that are right.
FUNCTIONS = {
    cpe.PreferenceMatrix: {"array": [[0.5, 0.6], [0.4, 0.5]], "labels": ["a", "b"], "name": "n"},
    cpe.read_matrix: {"path": "m.csv"},
    cpe.ItemDuels: {"outcomes": [[[NAN], [1.0]], [[0.0], [NAN]]], "items": ["x"]},
    cpe.Votes: {"wins": [[0, 9], [1, 0]], "labels": ["a", "b"], "tied": None, "independent": True},
    cpe.BipartiteGraph: {"candidates": 2, "positions": 1, "edges": [(0, 0), (1, 0)]},
    cpe.TopK: {"size": 4, "k": 2, "labels": None},
    cpe.PartitionMatroid: {"groups": [0, 0, 1], "capacities": 1, "labels": None},
    cpe.SubsetBandit: {"decisions": TOP, "theta": [0.9, 0.8, 0.2, 0.1], "noise": 1.0},
    cpe.SubsetBandit.from_outcomes: {"outcomes": np.eye(3), "decisions": 1, "labels": None},
    cpe.TeamScores: {"teams": [["a", "b"], ["b", "c"]], "scores": [1.0, 2.0], "counts": None},
    cpe.CustomModel: {"size": 2, "oracle": abs, "bi_monotone": True, "tau": 1, "labels": None},
    cpe.SeparableProblem: {"model": cpe.BestSet(TOP), "arms": [cpe.Bernoulli(0.5)] * 4},
    cpe.LearnerSpec: {"learner": "rucb", "parameters": {}, "label": ""},
    cpe.simulate: {"learner": "random-pairs", "problem": MU, "horizon": 20, "seed": 0},
    cpe.evidence: {"votes": VOTES, "delta": 0.05, "prices": None},
    cpe.load_problem: {"name_or_path": "m.csv", "k": None},
    cpe.planted_condorcet: {"candidates": 3, "positions": 2, "gap": 0.1, "density": 1.0},
    cpe.best_matching: {"graph": GRAPH, "weights": [1.0, 2, 3, 4], "include": (), "sense": "max"},
    cpe.best_subset: {"decisions": TOP, "weights": [1.0, 2, 3, 4], "exclude": (), "method": None},
}
# Declarations, what they allow, and what they refuse.
MEANINGS = [
    (float, [0, -1.5, INF, np.float32(1), fractions.Fraction(1, 2)], [NAN, True, "1", 1j, 10**400]),
    (int, [0, -3, np.int64(2), 2**63 - 1], [1.0, True, 2**63, -(2**63), "1", None]),
    (bool, [True, np.False_], [0, 1, "True", None]),
    (PositiveInt | None, [1, None], [0, 1.0, [1]]),
    (Share, [1, 1e-300], [0, 1.0000001, NAN]),
    (ErrorProbability, [0.5, 1e-306], [0, 1, 1e-307, INF]),
    (Literal["a", "b"], ["a", "b"], ["A", "", 1, ["a"]]),
    (Name, ["a", " é "], ["", "  ", "a\0", "\ud800", b"a", 1]),
    (Labels, [["a"], (), np.array(["a"])], ["ab", {"a"}, {"a": 1}, iter("ab"), [b"a"], [[]]]),
    (list[float], [[1, 2.5], (1,), np.array([1, 2])], ["12", [NAN], [[1]], np.eye(2), {1}, b"1"]),
    (collections.abc.Iterable[int], [{1}, iter("ab"), range(2)], [1, "12", [0.5], {1: 1}]),
    (tuple[int, str], [(1, "a"), [1, "a"]], [(1,), ("a", 1), "1a", {1, 2}]),
    (Numbers, [[1], [[1, 2]], 3], [["a"], [[1], [1, 2]], [True], [1j], [None], [10**400]]),
    (cpe.TopK, [TOP], [GRAPH, cpe.TopK, None]),
    (Any, [Strange()], []),
]


def around(hint):
    """Numbers at both sides of every end of the intervals of a declaration, and the ends."""
    inner = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return [value for each in inner for value in around(each)]
    if isinstance(constraint_of(hint), Constraint) and constraint_of(hint).words[:6] == "a list":
        return [[value] for value in around(inner[0])]
    if get_origin(hint) is not Annotated or not isinstance(inner[1], Interval):
        return []
    kind, interval = inner
    ends = interval.low, interval.high
    if kind is int:
        return [int(end) + step for end in ends if math.isfinite(end) for step in (-1, 0, 1)]
    return [float(np.nextafter(end, way)) for end in ends for way in (-INF, end, INF)]


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


@functools.cache
def refused_by(hint):
    """What a declaration refuses, those at the ends of its intervals first."""
    declared = constraint_of(hint)
    tried = () if declared is None else (*around(hint), *KINDS)
    return [value for value in tried if not declared.accepts(value)]


DECLARED = {f"{each.__module__}.{each.__qualname__}": each for each in declared_functions()}
TRIED = set()  # declarations of which all that they refuse was tried


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("m.csv").write_text("0.5,0.6\n0.4,0.5\n")


@all_of(("hint", "allowed", "refused"), MEANINGS)
def test_declarations_allow_what_they_say_and_nothing_else(hint, allowed, refused):
    declared = constraint_of(hint)
    assert all(declared is None or declared.accepts(value) for value in allowed)
    assert not [value for value in refused if declared.accepts(value)]


def test_every_public_function_declares_its_arguments():
    assert len(DECLARED) > 130
    taken = {name.rpartition(".")[2] for name in DECLARED}
    functions = {name for name in cpe.__all__ if isinstance(getattr(cpe, name), types.FunctionType)}
    # The one takes whatever a run is kept in, the other nothing.
    assert functions - taken == {"plot_regret"}


def test_only_types_that_are_loaded_for_type_checkers_alone_declare_nothing():
    """Any other annotation that cannot be read would switch its check off unseen."""
    unread = set()
    for function in DECLARED.values():
        hints = validation._door(inspect.unwrap(function)).hints
        for each in inspect.signature(function).parameters.values():
            read = each.name in hints or each.kind is each.VAR_KEYWORD
            if not read and each.annotation is not each.empty:
                unread |= set(re.findall(r"\w+", str(each.annotation)))
    plain = {"None", "str", "os", "PathLike", "DataFrame"}
    assert unread - plain <= {"pd", "Source", "Duels", "GivenItems", "GivenHints", "Orders", "Axes"}


@all_of("function", DECLARED.values())
def test_arguments_outside_their_declaration_are_refused_by_name(function):
    first = next(iter(inspect.signature(function).parameters), "")
    faults = []
    for name, hint in validation._door(inspect.unwrap(function)).hints.items():
        few = len(around(hint)) + 2  # of a declaration that other parameters have, too
        for value in refused_by(hint)[: few if hint in TRIED else None]:
            with pytest.raises(cpe.InputError) as error:
                function(*[None] * (first in ("self", "cls")), **{name: value})
            said = str(error.value)
            if not re.match(rf"(unknown )?{name}\b", said) or "\n" in said or len(said) > 1000:
                faults.append(f"{name}: says {said!r}")
        TRIED.add(hint)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__qualname__)
@pytest.mark.usefixtures("files")
def test_arguments_of_all_kinds_are_taken_or_refused_in_words(function):
    function(**FUNCTIONS[function])
    faults = []
    for name in FUNCTIONS[function]:
        for value in KINDS:
            if name == "learner" and callable(value):
                continue  # what a learner of one's own raises comes through as it is
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(**{**FUNCTIONS[function], name: value})
            except cpe.CpeOptError as error:
                said = str(error)
                if not said or "\n" in said or len(said) > 1000:
                    faults.append(f"{name}: says {said[:200]!r}")
            except Exception as error:
                faults.append(f"{name}={type(value)}: {type(error).__name__}: {error}")
    assert not faults, "\n".join(faults)


SENTENCES = [
    (cpe.TopK, {"k": "2"}, "k is '2', expected a whole number, at least 1"),
    (cpe.TopK, {"k": 2**63}, f"k is {2**63:,}, expected a whole number, at least 1, below 2**63"),
    (cpe.TopK, {"labels": ["a", b"b"]}, "labels[1] is b'b', expected a text"),
    (cpe.TopK, {"odd": 3}, "unknown argument of TopK 'odd'; known: k, labels, size"),
    (cpe.BipartiteGraph, {"edges": [(0, 0), "ab"]}, "edges[1] is 'ab', expected a pair"),
    (cpe.evidence, {"delta": 0}, "delta is 0, expected a probability from 1e-306 to below 1"),
    (cpe.evidence, {"delta": 1}, "delta is 1, expected a probability from 1e-306 to below 1"),
    (cpe.solve, {"time_limit": "1"}, "time_limit is '1', expected a number above 0 or None"),
    (cpe.solve, {"time_limit": -1}, "time_limit is -1, expected a number above 0 or None"),
    (cpe.ecw_bound, {"method": "cut"}, "unknown method 'cut'; did you mean 'cuts'?"),
    (cpe.copeland_bound, {"preferences": [1]}, "preferences is [1], expected a PreferenceMatrix"),
    (cpe.simulate, {"learner": None}, "learner is None, expected a text or a function"),
]


@all_of(("function", "arguments", "sentence"), SENTENCES)
def test_refusals_say_what_was_found_and_what_was_expected(function, arguments, sentence):
    with pytest.raises(cpe.InputError) as error:
        function(**arguments)
    assert str(error.value) == sentence


# Values, and the plain ones that they stand for.
PLAIN = [
    *((np.int64(2), 2), (np.float32(0.5), 0.5), (fractions.Fraction(1, 2), 0.5), (np.True_, True)),
    *((range(3), [0, 1, 2]), (np.array([1, 2, 3]), [1, 2, 3]), (pd.Series([1.0, 2.0]), [1.0, 2.0])),
    *((pd.Index(["a", "b"]), ["a", "b"]), (collections.deque([1, 2]), [1, 2])),
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
    for name in FUNCTIONS[function]:
        for value, plain in PLAIN:
            try:
                result = function(**{**FUNCTIONS[function], name: value})
            except cpe.CpeOptError:
                continue
            usual = function(**{**FUNCTIONS[function], name: plain})
            assert content(result) == content(usual), (name, value)


def test_a_query_of_an_unknown_class_is_refused_where_it_is_asked():
    def asks(known):
        yield cpe.Batch(("a", cpe.Duel(0, 1)))

    with pytest.raises(cpe.InputError, match="this problem answers Duel queries"):
        cpe.simulate(asks, MU)
