"""CAR-Parallel: the rounds and the delta of its copies."""

import importlib
import math

import pytest

import cpe_opt as cpe
from cpe_opt.problems.queries import Duel
from tests.learners.matchings.reference_matchings import reference_parallel
from tests.learners.matchings.support import (
    plain,
    played,
)


@pytest.mark.parametrize(
    "scripts",
    [
        [[3, 4, 1], [2, 2]],  # copy 0 ends with an error, then copy 1 answers
        [[50, 1], [1, 1]],  # copy 1 answers while copy 0 is in a long batch
        [[5], [7], [2, 1], [1]],
        [[1], [1], [1]],  # a copy that errs before the next one starts
        [[], [30, 4], [3]],  # a copy that asks nothing
    ],
)
def test_copies_of_car_parallel_keep_their_rounds_and_their_delta(scripts, monkeypatch):
    """Copy k duels edges k and k + 1 in batches of given sizes; all but the second one err."""
    answers = {1: "second"}

    def copies(delta):
        k = round(-math.log2(delta / 0.008)) - 1
        assert delta == 0.008 / 2 ** (k + 1)
        return k

    def batches(graph, *, delta, **_):
        k = copies(delta)
        for times in scripts[k] if k < len(scripts) else [10**6]:
            yield Duel(k, k + 1, times)
        return answers.get(k)

    def single(delta):
        k = copies(delta)
        for _ in range(sum(scripts[k]) if k < len(scripts) else 10**6):
            yield k, k + 1
        return answers.get(k)

    module = importlib.import_module("cpe_opt.learners.matchings.car_parallel")
    monkeypatch.setattr(module, "car_verify", batches)
    expected, answer = plain(reference_parallel(single, 0.008), lambda e, f: 0)
    many = cpe.BipartiteGraph.complete(12, 1)
    found, chosen = played(cpe.learners.car_parallel(many, delta=0.008), lambda e, f, times: 0)
    assert answer == chosen == "second"
    assert sorted(found) == sorted(expected)
