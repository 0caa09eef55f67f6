"""Bounds on quadratic forms by programs over a class: against all sets."""

import itertools
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.quadratic import bounds
from cpe_opt.formulations.quadratic.bounds import Form, GapTerm, PiecewiseBound, piecewise_bound


class Packages(cpe.DecisionClass):
    """One of each group of elements, of a total weight that is at most a limit: by rows alone."""

    def __init__(self, groups, weights, limit):
        super().__init__(groups * (len(weights) // groups))
        self.groups, self.weights, self.limit = groups, np.asarray(weights, dtype=float), limit

    @property
    def sizes(self):
        return (self.groups,)

    def program_rows(self, builder, columns, *, integer=False, prefix=""):
        for group, members in enumerate(np.split(columns, self.groups)):
            builder.row(f"{prefix}group_{group}", members, lower=1.0, upper=1.0)
        builder.row(f"{prefix}weight", columns, self.weights, upper=self.limit)


def random_packages(rng, groups=3, each=3):
    weights = rng.integers(1, 9, groups * each)
    return Packages(groups, weights, float(np.sort(weights)[groups - 1 :: 3].mean() * groups))


def random_form(rng, decisions):
    """Of any sign, with few large eigenvalues or many alike; every other one less a gap."""
    n, theta = decisions.size, rng.normal(size=decisions.size)
    root = rng.normal(size=(n, n)) * rng.choice([1.0, 0.1, 0.01], n)
    matrix = root @ np.diag(rng.choice([1.0, -1.0], n, p=[0.8, 0.2])) @ root.T
    gap = None
    if rng.random() < 0.6:
        gains = np.sort(decisions.indicator_matrix() @ theta)[::-1]
        gap = GapTerm(2.0, theta, gains[0], 0.5 * (gains[0] - gains[1]), 0.7 * np.ptp(gains))
    return Form(matrix, rng.normal(size=n), 3.0, gap)


def values_of(decisions, form):
    """The value of every set within the limits of gaps; minus infinity of others."""
    values = []
    for chi in decisions.indicator_matrix():
        value = chi @ form.matrix @ chi + form.linear @ chi + form.constant
        if form.gap is not None:
            gap = form.gap.start - form.gap.theta @ chi
            inside = form.gap.least <= gap <= form.gap.most
            value = value - form.gap.weight * gap**2 if inside else -math.inf
        values.append(value)
    return np.array(values)


@pytest.mark.parametrize("seed", range(6))
def test_every_bound_is_one_and_the_last_is_exact(seed):
    rng = np.random.default_rng([41, seed])
    decisions = random_packages(rng)
    form = random_form(rng, decisions)
    values, sets = values_of(decisions, form), list(decisions.sets())
    scale = np.abs(values[np.isfinite(values)]).max()
    out = sets[int(values.argmax())] if seed % 2 else None
    largest = max(v for v, members in zip(values, sets, strict=True) if members != out)
    search = PiecewiseBound(decisions, form, without=[] if out is None else [out])
    assert search.value == math.inf
    unmet = largest
    while search.improve():
        assert search._rest >= unmet - 1e-7 * scale
        known = {*search.sets, out}
        unmet = max(v for v, members in zip(values, sets, strict=True) if members not in known)
        assert search.reached == pytest.approx(values[sets.index(search.sets[-1])]) or (
            search.reached > values[sets.index(search.sets[-1])]
        )
    assert search.value == pytest.approx(largest, abs=1e-6 * scale)
    assert len(set(search.sets)) == len(search.sets)


def test_a_form_of_single_elements_is_bounded_exactly_at_once():
    decisions = Packages(2, [1, 1, 1, 1], 2.0)
    search = PiecewiseBound(decisions, Form(np.diag([5.0, 2.0, 2.0, 2.0]), np.zeros(4)))
    assert search.improve()
    assert search._rest == pytest.approx(7.0)


def test_programs_that_are_not_solved_leave_the_bound_that_is_known(monkeypatch):
    rng = np.random.default_rng(1)
    decisions = random_packages(rng)
    form = Form(np.eye(decisions.size), np.zeros(decisions.size))
    late = PiecewiseBound(decisions, form, 7.0, deadline=0.0)
    assert not late.improve()
    assert (late.value, late.sets) == (7.0, [])
    monkeypatch.setattr(bounds, "_PROGRAMS", 0)
    assert not PiecewiseBound(decisions, form, 7.0).improve()


def test_without_all_sets_there_is_no_value():
    decisions = Packages(2, [1, 1, 1, 1], 2.0)
    every = list(itertools.product((0, 1), (2, 3)))
    form = Form(np.eye(4), np.zeros(4))
    assert piecewise_bound(decisions, form, target=0.0, without=every).value == -math.inf
    assert piecewise_bound(decisions, form, target=2.0, without=every[1:]).value == pytest.approx(2)
