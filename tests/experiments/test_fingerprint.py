"""Fingerprints tell apart what decides a result, and nothing else."""

import functools
import math
import random
import subprocess
import sys
import types
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.experiments import fingerprint as module
from cpe_opt.experiments.fingerprint import fingerprint, source_digest
from cpe_opt.formulations.separable.oracle import oracle_of
from cpe_opt.modelling.result import Status
from cpe_opt.problems.separable.water_plan import Cost


def compiled(text, **given):
    """The last function of a module of a user's with this text."""
    user = types.ModuleType("users_module")
    vars(user).update(given)
    exec(compile(text, "users_module.py", "exec"), vars(user))
    return [value for value in vars(user).values() if isinstance(value, types.FunctionType)][-1]


SOURCE = """
LIMIT = 3

def helper(x):
    return x + 1

def oracle(theta, *, scale=2):
    try:
        return [helper(scale * t) for t in theta][:LIMIT]
    except KeyError:
        return {"a", "b", "c"}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x + 1", "x + 2"),  # of a function that it calls
        ("LIMIT = 3", "LIMIT = 4"),  # a constant that it mentions
        ("scale=2", "scale=2.5"),  # a default
        ("scale * t", "scale - t"),  # within a comprehension
        ('{"a", "b", "c"}', '{"a", "b", "d"}'),
        ("except KeyError", "except ValueError"),
    ],
)
def test_an_edit_of_a_function_changes_its_fingerprint(old, new):
    assert old in SOURCE
    assert fingerprint(compiled(SOURCE)) != fingerprint(compiled(SOURCE.replace(old, new)))


def test_what_is_said_about_a_function_does_not():
    commented = SOURCE.replace("LIMIT = 3", "# How many.\n\nLIMIT = 3\nUNUSED = 5")
    assert fingerprint(compiled(SOURCE)) == fingerprint(compiled(commented))


def test_what_runs_counts_and_not_a_file_edited_since(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "users_learner.py").write_text("def first(arms):\n    return 0\n")
    from users_learner import first

    before = fingerprint(first)
    (tmp_path / "users_learner.py").write_text("def first(arms):\n    return 1\n")
    assert fingerprint(first) == before
    assert first(2) == 0


def test_a_closure_counts():
    def adds(amount):
        return lambda x: x + amount

    assert fingerprint(adds(1)) == fingerprint(adds(1))
    assert fingerprint(adds(1)) != fingerprint(adds(2))
    assert fingerprint(functools.partial(pow, 2)) != fingerprint(functools.partial(pow, 3))


def test_an_oracle_of_the_package_counts_by_its_model():
    def oracle(k):
        return oracle_of(cpe.BestSet(cpe.TopK(5, k)))

    assert fingerprint(oracle(2)) == fingerprint(oracle(2))
    assert fingerprint(oracle(2)) != fingerprint(oracle(3))


@dataclass(frozen=True)
class Cubic(Cost):
    a: float

    def __call__(self, amount):
        return self.a * amount**3

    @cached_property
    def steps(self):
        return [self(step) for step in range(5)]


def test_an_object_counts_by_its_class_and_state_but_not_by_its_caches():
    fresh, used = Cubic(2.0), Cubic(2.0)
    assert len(used.steps) == 5
    assert fingerprint(fresh) == fingerprint(used)
    assert fingerprint(fresh) != fingerprint(Cubic(3.0))
    quartic = type("Cubic", (Cubic,), {"__call__": lambda self, amount: self.a * amount**4})
    assert fingerprint(quartic(2.0)) != fingerprint(fresh)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        ("1", 1),
        (b"a", "a"),
        ((1, 2), [1, 2]),
        (("ab", "c"), ("a", "bc")),
        ((1, (2, 3)), ((1, 2), 3)),
        (np.zeros(2), np.zeros(2, dtype=np.float32)),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (math.sin, math.cos),
        (np.add, np.multiply),
        (Status.OPTIMAL, Status.ERROR),
        (random.Random(1), random.Random(2)),
        ({"a": 1}, {"a": 2}),
    ],
)
def test_different_values(one, other):
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.float64(0.5), 0.5),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"x", "y", "z"}, {"z", "y", "x"}),
        (np.eye(3)[:, ::-1], np.eye(3)[:, ::-1].copy()),
        ([[1], [1]], [x := [1], x]),
    ],
)
def test_equal_values(one, other):
    assert fingerprint(one) == fingerprint(other)


def test_what_does_not_last_is_refused():
    ring = [1]
    ring.append(ring)
    for value in ({"rows": (row for row in "ab")}, ring):
        with pytest.raises(cpe.InputError, match="results cannot be kept for"):
            fingerprint(value)


def test_the_same_in_every_process():
    script = (
        "from cpe_opt.experiments.fingerprint import fingerprint, source_digest\n"
        "def oracle(theta): return {'a', 'b', 'c'}, {'x': {'d', 'e'}}, oracle\n"
        "print(fingerprint(oracle), source_digest())"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True,
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in "12"
    }  # fmt: skip
    assert len(shown) == 1


def test_the_source_digest_is_of_what_decides_results(tmp_path, monkeypatch):
    for name in ("learners/new.py", "problems/data/new.csv"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("first")
    monkeypatch.setattr(module, "__file__", str(tmp_path / "experiments" / "fingerprint.py"))

    def digest():
        source_digest.cache_clear()
        return source_digest()

    try:
        seen = [digest()]
        for name in ("learners/new.py", "problems/data/new.csv"):
            (tmp_path / name).write_text("other")
            seen.append(digest())
        (tmp_path / "learners/new.py").rename(tmp_path / "learners/renamed.py")
        seen.append(digest())
        assert len(set(seen)) == 4
    finally:
        source_digest.cache_clear()


def test_a_class_whose_objects_were_pickled_is_the_same():
    """Pickling notes the slots of a class in the class."""

    class Own:
        def __init__(self):
            self.number = 1

    before = fingerprint(Own())
    Own().__reduce_ex__(4)
    assert "__slotnames__" in vars(Own)
    assert fingerprint(Own()) == before
