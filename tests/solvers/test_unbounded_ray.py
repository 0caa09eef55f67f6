"""Rays along which objectives improve without end, checked in numpy and in fractions."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import CpeOptError
from cpe_opt.solvers.verification import Verifier, improves


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
    assert program.row_block.violation(point).max(initial=0.0) <= 1e-7
    assert (point >= program.column_lower - 1e-7).all()
    assert (point <= program.column_upper + 1e-7).all()
    for row, lower, upper in zip(
        program.matrix.toarray().tolist(), program.row_lower, program.row_upper, strict=True
    ):
        activity = sum(Fraction(a) * d for a, d in zip(row, ray, strict=True))
        assert activity >= 0 or lower == -np.inf
        assert activity <= 0 or upper == np.inf
    for step, lower, upper in zip(ray, program.column_lower, program.column_upper, strict=True):
        assert step >= 0 or lower == -np.inf
        assert step <= 0 or upper == np.inf
    change = sum(Fraction(c) * d for c, d in zip(program.costs.tolist(), ray, strict=True))
    assert found.change == pytest.approx(float(change))
    assert (change < 0) == (program.sense == "min")
    assert change != 0
    whole = np.array(program.integer)
    assert all(step.denominator == 1 for step, must in zip(ray, whole, strict=True) if must)
    assert (point[whole] == np.rint(point[whole])).all()


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_rays_of_random_programs(seed, integer):
    program = random_unbounded(seed, integer)
    solver = ("highs", "scip")[seed % 2]
    check(program, cpe.unbounded_ray(program, solver))


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("integer", [False, True])
def test_a_ray_in_words(integer, sense):
    found = cpe.unbounded_ray(shop(integer, sense))
    assert found.direction == {"boxes_sold": 3.0, "boxes_bought": 2.0}
    assert found.change == (10.0 if sense == "max" else -10.0)
    assert ("rises" if sense == "max" else "falls") in found.text
    assert "\n  boxes_sold: +3\n  boxes_bought: +2\n" in found.text
    assert found.text.endswith("one is 0 in all columns.")
    assert found.as_dict()["point"] == {"boxes_sold": 0.0, "boxes_bought": 0.0}
    check(shop(integer, sense), found)


def test_the_point_to_start_from_is_shown():
    found = cpe.unbounded_ray(shop(lower=2.0))
    assert "with 0 in all other columns:\n  boxes_sold: 2\n  boxes_bought: 2" in found.text


def test_columns_of_other_units_have_rays_in_them():
    program = shop()
    s = np.array([1e4, 1e-4])
    odd = replace(
        program, costs=program.costs * s, matrix=sp.csr_array(program.matrix.toarray() * s)
    )
    direction = cpe.unbounded_ray(odd).direction
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
    both = replace(program, integer=np.array([True, True, True]))
    with pytest.raises(CpeOptError, match="'root'"):
        cpe.unbounded_ray(both)


def test_solvers_may_run_in_a_process_of_their_own():
    check(shop(), cpe.unbounded_ray(shop(), process="child"))


def test_programs_with_an_end_are_refused():
    capped = shop().with_row({"boxes_sold": 1.0}, upper=9.0)
    with pytest.raises(cpe.InputError, match="'shop' has an optimum, expected an unbounded"):
        cpe.unbounded_ray(capped)
    impossible = shop().with_row({"boxes_sold": 1.0}, upper=-1.0)
    with pytest.raises(cpe.InputError, match="'shop' has no point, expected an unbounded"):
        cpe.unbounded_ray(impossible)
    with pytest.raises(CpeOptError, match="whether 'shop' is unbounded was not found out"):
        cpe.unbounded_ray(shop(), time_limit=1e-9)


def test_a_ray_that_is_not_found_is_not_made_up(monkeypatch):
    monkeypatch.setattr(Verifier, "improving_ray", lambda self, program: None)
    with pytest.raises(CpeOptError):
        cpe.unbounded_ray(shop())


@pytest.mark.parametrize(
    ("ray", "expected"),
    [
        ([3, 2], True),
        ([6, 4], True),
        ([2, 2], True),
        ([2, 3], False),  # it costs as much as it gains
        ([3, 1], False),  # the stock ends it
        ([-3, -5], False),  # the bounds end it
        ([0, 0], False),
    ],
)
def test_what_a_ray_is(ray, expected):
    assert improves(shop(), np.array(ray, dtype=float)) is expected
    turned = replace(
        shop(sense="min"),
        matrix=-shop().matrix,
        row_lower=-shop().row_upper,
        row_upper=-shop().row_lower,
    )
    assert improves(turned, np.array(ray, dtype=float)) is expected
    below = replace(
        turned,
        costs=-turned.costs,
        matrix=-turned.matrix,
        column_lower=np.full(2, -np.inf),
        column_upper=np.zeros(2),
    )
    assert improves(below, -np.array(ray, dtype=float)) is expected


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_bound_ends_a_ray(sign):
    """Of one column without rows, up or down."""
    builder = cpe.ProgramBuilder("one", sense="max")
    builder.columns("x", 1, cost=sign, lower=-np.inf)
    free = builder.build()
    assert improves(free, np.array([sign]))
    side = "column_upper" if sign > 0 else "column_lower"
    assert not improves(replace(free, **{side: np.array([7.0 * sign])}), np.array([sign]))
    other = "column_lower" if sign > 0 else "column_upper"
    assert improves(replace(free, **{other: np.array([7.0])}), np.array([sign]))
