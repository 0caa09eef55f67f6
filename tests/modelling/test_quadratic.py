"""Quadratic programs as values: what is convex, objectives, tangents, and what duals prove."""

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.modelling.quadratic import QuadraticProgram, wolfe_proof
from tests.support import all_of


def box(columns, *, sense="min", costs=0.0):
    """A linear program without rows, of columns ``x_0``, ``x_1``, …."""
    builder = cpe.ProgramBuilder("box", sense=sense)
    builder.columns("x", columns, cost=costs, lower=-np.inf)
    return builder.build()


def test_the_objective_has_one_half_of_the_matrix_and_the_builder_has_none():
    builder = cpe.ProgramBuilder("p", offset=7.0)
    x = builder.columns("x", 2, cost=[1, -2], integer=True)
    assert isinstance(builder.build(), cpe.LinearProgram)
    builder.quadratic(x, x, [3, 5])  # 3 x_0² + 5 x_1²
    builder.quadratic(x[0], x[1], 4)  # 4 x_0 x_1
    builder.quadratic(x[1], x[0], -2)
    program = builder.build()
    assert program.quadratic.toarray().tolist() == [[6, 2], [2, 10]]
    assert program.objective([2.0, -1.0]) == 7 + 2 + 2 + 3 * 4 + 5 - 2 * 2
    assert (program.kind, program.shape, program.name) == ("MIQP", (0, 2), "p")
    assert program.build_seconds > 0.0
    assert repr(program) == (
        "QuadraticProgram('p', 2 columns (2 whole), 0 rows, 3 quadratic terms, min)"
    )


@pytest.mark.parametrize("sense", ["min", "max"])
@all_of(
    "matrix",
    [
        [[-2.0, 0.0], [0.0, 1.0]],
        [[0.0, 1.0], [1.0, 0.0]],
        [[1.0, 2.0], [2.0, 1.0]],
        [[0.0, 1e-3], [1e-3, 9.0]],
        [[1.0, -1.0 - 1e-6], [-1.0 - 1e-6, 1.0]],
    ],
)
def test_an_objective_of_the_wrong_curvature_is_refused(matrix, sense):
    sign, shape = (1.0, "convex") if sense == "min" else (-1.0, "concave")
    with pytest.raises(InputError, match=f"'box': the objective is not {shape}"):
        QuadraticProgram(box(2, sense=sense), sp.csr_array(sign * np.array(matrix)))


def powers(rng, rank, columns):
    return rng.choice([-1.0, 1.0], (rank, columns)) * 10.0 ** rng.uniform(-6, 6, (rank, columns))


@pytest.mark.parametrize(
    "factor",
    [
        lambda rng: powers(rng, 3, 200),
        lambda rng: powers(rng, 150, 200),
        lambda rng: powers(rng, 20, 1) * rng.normal(size=(20, 200)),
        lambda rng: powers(rng, 1, 200) * rng.normal(size=(20, 200)),
        lambda rng: np.vander(rng.random(40), 200),
        lambda rng: sp.random_array((900, 1200), density=0.004, rng=rng).toarray(),
    ],
    ids=["rank 3", "rank 150", "by rows", "by columns", "powers of numbers", "sparse"],
)
def test_rounding_makes_no_objective_concave_and_more_than_that_is_found(factor):
    matrix = factor(np.random.default_rng(0))
    quadratic = sp.csr_array(matrix.T @ matrix)
    program = QuadraticProgram(box(quadratic.shape[0]), quadratic)
    assert program.kind == "QP"
    used = np.flatnonzero(quadratic.diagonal())
    bent = quadratic[used][:, used]
    with pytest.raises(InputError, match="is not convex"):
        QuadraticProgram(box(len(used)), bent - sp.diags_array(1e-6 * bent.diagonal()))


def test_the_bound_of_duals_is_that_of_the_closed_form_and_never_above_it():
    # Minimise ½ |x|² over sum x = 1: x = 1/n, the dual is 1/n, and the optimum 1/(2n).
    builder = cpe.ProgramBuilder("simplex")
    x = builder.columns("x", 5, lower=-np.inf)
    builder.quadratic(x, x, 0.5)
    builder.row("sum", x, lower=1, upper=1)
    program = builder.build()
    proof, point = wolfe_proof(program, np.full(5, 0.2), np.array([0.2]))
    assert proof.bound == pytest.approx(0.1, abs=1e-15)
    assert point == pytest.approx(np.full(5, 0.2))
    rng = np.random.default_rng(0)
    for _ in range(20):
        # Off the optimum the reduced costs of free columns are not 0, until both have moved.
        proof, point = wolfe_proof(program, rng.normal(size=5), rng.normal(size=1))
        assert proof.residual > 0.0
        assert proof.bound <= 0.1 + 1e-12
        assert point == pytest.approx(np.full(5, proof.row_duals[0]))  # c + Q u = A'y


def random_quadratic(seed):
    """A random program with an optimum, in numbers of all digits."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    sign, sense = ((1.0, "min"), (-1.0, "max"))[seed % 2]
    builder = cpe.ProgramBuilder("p", sense=sense, offset=float(rng.normal()))
    x = builder.columns("x", columns, cost=rng.normal(size=columns), lower=-1.0, upper=3.0)
    for row in range(rows):
        sides = {"lower": -rng.random(), "upper": rng.random()}
        builder.row(f"r_{row}", x, rng.normal(size=columns), **sides)
    factor = rng.normal(size=(columns, columns)) * (rng.random((columns, columns)) < 0.7)
    one, other = np.indices((columns, columns)).reshape(2, -1)
    builder.quadratic(x[one], x[other], sign * (factor.T @ factor).ravel())
    builder.quadratic(x[0], x[0], sign)
    return builder.build()


def test_no_tangent_and_no_bound_is_above_any_point_of_random_programs():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        program = random_quadratic(seed)
        rows, columns = program.shape
        points = rng.uniform(-1.0, 3.0, size=(500, columns)) * rng.random((500, 1))
        linear, curved = program.linear, (points @ program.quadratic.toarray() * points).sum(axis=1)
        values = points @ linear.costs + linear.offset + curved / 2  # by definition
        activities = points @ linear.matrix.toarray().T
        within = (linear.row_lower <= activities) & (activities <= linear.row_upper)
        inside = values[within.all(axis=1)]
        u = rng.normal(size=columns)
        proof, _ = wolfe_proof(program, u, rng.normal(size=rows))
        sign = 1.0 if program.sense == "min" else -1.0
        tangent = program.tangent(u)
        assert tangent.objective(u) == pytest.approx(program.objective(u))
        assert (sign * (values - points @ tangent.costs - tangent.offset)).min() >= -1e-12
        assert len(inside)
        assert (sign * (inside - proof.bound)).min() >= 0.0
