"""Rays along which objectives improve without end, checked in fractions."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import CpeOptError
from cpe_opt.solvers.verification import improves


def shop(integer=False, sense="max", lower=0.0):
    sign = 1.0 if sense == "max" else -1.0
    builder = cpe.ProgramBuilder("shop", sense=sense)
    boxes = builder.columns(
        "boxes", ["sold", "bought"], cost=[6 * sign, -4 * sign], lower=lower, integer=integer
    )
    builder.row("stock", boxes, [1, -1.5], upper=5)
    return builder.build()


def random_unbounded(seed, integer=False):
    """Rows that a planted ray keeps to, of whole numbers."""
    rng = np.random.default_rng([seed, integer])
    columns, rows = int(rng.integers(2, 7)), int(rng.integers(1, 7))
    ray = rng.integers(0, 4, size=columns)
    ray[0] = 1 + rng.integers(3)
    matrix = rng.integers(-3, 4, size=(rows, columns))
    matrix[:, 0] -= matrix @ ray // ray[0]  # what is left lies in 0 … ray[0] - 1
    matrix[rng.random(rows) < 0.5] *= -1
    falls = matrix @ ray < 0
    low = np.where(falls, -np.inf, -rng.integers(0, 4, rows))
    high = np.where(falls, rng.integers(0, 4, rows), np.inf)
    costs = rng.integers(-3, 4, size=columns)
    costs[0] -= (costs @ ray) // ray[0] + 1
    builder = cpe.ProgramBuilder("ray")
    x = builder.columns("x", columns, cost=costs, integer=integer)
    for row in range(rows):
        builder.row(f"r_{row}", x, matrix[row], lower=low[row], upper=high[row])
    return builder.build()


def check(program, found):
    """The point holds, and the step changes no row beyond its sides, in exact arithmetic."""
    point = np.array([found.point[name] for name in program.column_names])
    ray = [Fraction(found.direction.get(name, 0.0)) for name in program.column_names]
    assert program.row_block.violation(point).max(initial=0.0) <= 1e-6
    assert (np.clip(point, program.column_lower, program.column_upper) == point).all()
    activities = [
        sum(Fraction(a) * d for a, d in zip(row, ray, strict=True))
        for row in program.matrix.toarray().tolist()
    ]
    lower = np.concatenate([program.row_lower, program.column_lower])
    upper = np.concatenate([program.row_upper, program.column_upper])
    for step, low, high in zip(activities + ray, lower, upper, strict=True):
        assert step >= 0 or low == -np.inf
        assert step <= 0 or high == np.inf
    change = sum(Fraction(c) * d for c, d in zip(program.costs.tolist(), ray, strict=True))
    assert found.change == pytest.approx(float(change))
    assert change < 0 if program.sense == "min" else change > 0
    whole = np.array(program.integer)
    assert all(step.denominator == 1 for step, must in zip(ray, whole, strict=True) if must)
    assert (point[whole] == np.rint(point[whole])).all()


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_rays_of_random_programs(seed, integer):
    program = random_unbounded(seed, integer)
    check(program, cpe.unbounded_ray(program))


@pytest.mark.parametrize("sense", ["min", "max"])
def test_a_ray_in_words(sense):
    found = cpe.unbounded_ray(shop(sense == "min", sense))
    assert found.direction == {"boxes_sold": 3.0, "boxes_bought": 2.0}
    assert ("rises" if sense == "max" else "falls") in found.text
    assert "\n  boxes_sold: +3\n  boxes_bought: +2\n" in found.text
    assert found.text.endswith("one is 0 in all columns.")
    assert found.as_dict()["point"] == {"boxes_sold": 0.0, "boxes_bought": 0.0}
    text = cpe.unbounded_ray(shop(lower=2.0)).text
    assert "one is boxes_sold = 2, boxes_bought = 2, 0 in all other columns." in text


def test_columns_of_other_units_have_rays_in_them():
    program, s = shop(), np.array([1e4, 1e-4])
    matrix = sp.csr_array(program.matrix.toarray() * s)
    direction = cpe.unbounded_ray(
        replace(program, costs=program.costs * s, matrix=matrix)
    ).direction
    assert direction["boxes_bought"] / direction["boxes_sold"] == pytest.approx(1e8 * 2 / 3)


def test_only_whole_columns_need_whole_steps():
    """y = √2 x and 3x = 2z: there is a ray where x and z are whole, none where y is, too."""
    builder = cpe.ProgramBuilder("root", sense="max")
    builder.columns("x", [()], cost=1, integer=True)
    builder.columns("y", [()])
    builder.columns("z", [()], integer=True)
    builder.row("ratio", [0, 1], [2**0.5, -1], lower=0, upper=0)
    builder.row("thirds", [0, 2], [3, -2], lower=0, upper=0)
    program = builder.build()
    found = cpe.unbounded_ray(program)
    assert (found.direction["x"], found.direction["z"]) == (2.0, 3.0)
    assert found.direction["y"] == pytest.approx(2 * 2**0.5)
    with pytest.raises(CpeOptError, match="'root'"):
        cpe.unbounded_ray(replace(program, integer=np.array([True, True, True])))


def test_programs_with_an_end_are_refused():
    capped = shop().with_row({"boxes_sold": 1.0}, upper=9.0)
    with pytest.raises(cpe.InputError, match="'shop' has an optimum, expected an unbounded"):
        cpe.unbounded_ray(capped)
    impossible = shop().with_row({"boxes_sold": 1.0}, upper=-1.0)
    with pytest.raises(cpe.InputError, match="'shop' has no point, expected an unbounded"):
        cpe.unbounded_ray(impossible)
    with pytest.raises(CpeOptError, match="whether 'shop' is unbounded was not found out"):
        cpe.unbounded_ray(shop(), time_limit=1e-9)


@pytest.mark.parametrize(
    ("ray", "expected"),
    [
        ([3, 2], True),
        ([2, 3], False),  # it costs as much as it gains
        ([3, 1], False),  # the stock ends it
        ([0, 0], False),
    ],
)
def test_what_a_ray_is(ray, expected):
    program, ray = shop(sense="min"), np.array(ray, dtype=float)
    assert improves(program, ray) is expected
    assert improves(shop(), ray) is expected
    turned = replace(
        program,
        costs=-program.costs,
        column_lower=np.full(2, -np.inf),
        column_upper=np.zeros(2),
        row_lower=-program.row_upper,
        row_upper=-program.row_lower,
    )
    assert improves(turned, -ray) is expected


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_bound_ends_a_ray(sign):
    builder = cpe.ProgramBuilder("one", sense="max")
    builder.columns("x", 1, cost=sign, lower=-np.inf)
    for side, end in (("column_lower", -7.0), ("column_upper", 7.0)):
        program = replace(builder.build(), **{side: np.array([end])})
        assert improves(program, np.array([sign])) is (end != 7.0 * sign)
