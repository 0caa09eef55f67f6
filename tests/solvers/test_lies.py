"""A solver that lies is not believed, here or in a process of its own: its lie is named.

The programs are those of the fuzz, whose optima are known; the liar is HiGHS with one thing of its
answer changed. What no check can find: of an integer program, a point that is feasible and a bound
that agrees with it. The bound of an integer program is the solver's word.
"""

import collections

import pytest

import cpe_opt as cpe
from cpe_opt.modelling.result import Status
from cpe_opt.solvers import child
from tests.solvers.fuzz import false_claim, instance

SCRIPT = '''
from dataclasses import replace

import numpy as np

from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import RawSolution
from cpe_opt.solvers.highs import Highs


class Liar(Highs):
    name = "liar"

    def solve(self, program, options):
        raw = super().solve(program, options)
        return self.changed(program, raw)


def claims(status):
    def changed(self, program, raw):
        return RawSolution(status) if raw.status is not status else raw

    return changed


def somewhere(program, share):
    low = np.clip(program.column_lower, -3.0, 3.0)
    high = np.clip(program.column_upper, -3.0, 3.0)
    return np.where(program.integer, np.round(low), low + share * (high - low))


class Infeasible(Liar):
    changed = claims(Status.INFEASIBLE)


class Unbounded(Liar):
    changed = claims(Status.UNBOUNDED)


class Either(Liar):
    changed = claims(Status.INFEASIBLE_OR_UNBOUNDED)


class AnyPoint(Liar):
    def changed(self, program, raw):
        return RawSolution(Status.OPTIMAL, somewhere(program, 0.4), raw.row_duals, raw.bound)


class NoPoint(Liar):
    def changed(self, program, raw):
        return replace(raw, status=Status.OPTIMAL, x=None)


class MovedPoint(Liar):
    def changed(self, program, raw):
        return raw if raw.x is None else replace(raw, x=raw.x + 1e-3 * (1.0 + np.abs(raw.x)))


class NotANumber(Liar):
    def changed(self, program, raw):
        return replace(raw, status=Status.OPTIMAL, x=np.full(program.shape[1], np.nan))


class Endless(Liar):
    def changed(self, program, raw):
        return replace(raw, status=Status.OPTIMAL, x=np.full(program.shape[1], np.inf))


class ShortPoint(Liar):
    def changed(self, program, raw):
        return replace(raw, status=Status.OPTIMAL, x=np.zeros(program.shape[1] + 1))


class ShortDuals(Liar):
    def changed(self, program, raw):
        return replace(raw, row_duals=np.zeros(program.shape[0] + 1))


class NegatedDuals(Liar):
    def changed(self, program, raw):
        return raw if raw.row_duals is None else replace(raw, row_duals=-raw.row_duals)


class LargeDuals(Liar):
    def changed(self, program, raw):
        return raw if raw.row_duals is None else replace(raw, row_duals=1.5 * raw.row_duals)


class DualsThatAreNoNumbers(Liar):
    def changed(self, program, raw):
        return replace(raw, row_duals=np.full(program.shape[0], np.nan))


class GoodBound(Liar):
    """A bound that is better than the optimum, with the point that it was."""

    def changed(self, program, raw):
        if raw.bound is None:
            return raw
        sign = 1.0 if program.sense == "max" else -1.0
        return replace(raw, bound=raw.bound - sign * (1e-3 + 0.1 * abs(raw.bound)))


class BoundThatIsNoNumber(Liar):
    def changed(self, program, raw):
        return replace(raw, bound=float("nan"))


class LateTruth(Liar):
    """A limit in place of an optimum, and a bound from the wrong side."""

    def changed(self, program, raw):
        sign = 1.0 if program.sense == "max" else -1.0
        bound = None if raw.bound is None else raw.bound - sign * (1.0 + abs(raw.bound))
        return replace(raw, status=Status.TIME_LIMIT, bound=bound)
'''
LIES = [
    line.removeprefix("class ").removesuffix("(Liar):")
    for line in SCRIPT.splitlines()
    if line.endswith("(Liar):")
]
# HiGHS's own proofs take the place of these, and the optimum is what it was.
HARMLESS = {"NegatedDuals", "LargeDuals", "DualsThatAreNoNumbers"}


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    place = tmp_path_factory.mktemp("liars") / "liars.py"
    place.write_text(SCRIPT)
    yield place
    child.end_workers()


def outcomes(script, lie, seeds, process):
    """How the solves of these programs ended; every claim is checked, and every doubt has words."""
    ends = collections.Counter()
    for seed in seeds:
        found = instance(seed)
        result = cpe.solve(found.program, f"{script}:{lie}", process=process, check=False)
        words = false_claim(found, result)
        assert words == "", f"{lie}, program {seed}: {words}"
        if result.status is Status.IMPRECISE:
            assert result.message, f"{lie}, program {seed}"
        ends[result.status] += 1
    return ends


@pytest.mark.parametrize("lie", LIES)
def test_lies_are_found(script, lie):
    ends = outcomes(script, lie, range(30), "here")
    if lie in HARMLESS:
        assert ends[Status.OPTIMAL] > 10
    else:
        assert sum(ends.values()) - ends[Status.OPTIMAL] > 5


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
def test_lies_are_found_in_a_process_of_their_own(script, lie):
    assert outcomes(script, lie, range(4), "child") == outcomes(script, lie, range(4), "here")


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
def test_lies_about_many_programs_are_found(script, lie):
    outcomes(script, lie, range(1000, 1600), "here")
