"""Semi-continuous columns, ordered sets and indicators of files, against what they mean."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe


def read(folder, text, name="p.lp"):
    (folder / name).write_text(text, encoding="utf-8")
    return cpe.read_program(folder / name)


def lp(rows="c: x + y + z >= 1", objective="x + y + z", bounds="", sections=""):
    return f"Minimize\n obj: {objective}\nSubject To\n {rows}\nBounds\n{bounds}{sections}End\n"


def least(program, point):
    """Whether the program has a point with these values of its first columns."""
    fixed = cpe.LinearProgram(
        name="fixed",
        sense="min",
        costs=np.zeros(program.shape[1]),
        column_lower=np.concatenate([point, program.column_lower[len(point) :]]),
        column_upper=np.concatenate([point, program.column_upper[len(point) :]]),
        integer=program.integer,
        matrix=program.matrix,
        row_lower=program.row_lower,
        row_upper=program.row_upper,
        column_names=program.column_names,
        row_names=program.row_names,
    )
    inside = (program.column_lower[: len(point)] <= point) & (
        point <= program.column_upper[: len(point)]
    )
    return bool(inside.all()) and cpe.solve(fixed, check=False).is_optimal


@pytest.mark.parametrize(
    ("bounds", "allowed"),
    [
        (" 2 <= x <= 3\n", [0.0, 2.0, 2.5, 3.0]),
        (" -3 <= x <= -2\n", [-3.0, -2.0, 0.0]),
        (" 0 <= x <= 3\n", [0.0, 1.0, 2.0, 2.5, 3.0]),
    ],
)
def test_a_semicontinuous_column_is_0_or_within_its_bounds(tmp_path, bounds, allowed):
    text = lp(rows="c: x + y >= -9", bounds=bounds, sections="Semi-continuous\n x\n")
    program = read(tmp_path, text)
    tried = [-3.5, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 2.5, 3.0, 3.5]
    assert [x for x in tried if least(program, np.array([x, 0.0]))] == allowed


def test_semicontinuous_columns_of_mps_files(tmp_path):
    text = (
        "NAME p FREE\nROWS\n N cost\n G c\nCOLUMNS\n x cost 1 c 1\n n cost 3 c 1\nRHS\n R c 1.5\n"
        "BOUNDS\n LO B x 2\n SC B x 5\n LO B n 2.5\n SI B n 4\nENDATA\n"
    )
    program = read(tmp_path, text, "p.mps")
    assert program.integer[:2].tolist() == [False, True]
    for x, n, there in [(0, 3, True), (2, 0, True), (1.5, 0, False), (0, 2, False), (5, 4, True)]:
        assert least(program, np.array([x, n], dtype=float)) == there


@pytest.mark.parametrize(("kind", "most"), [("S1", 1), ("S2", 2)])
def test_of_a_set_few_columns_are_not_0(tmp_path, kind, most):
    # By the weights the order is z, x, w, y.
    sections = f"SOS\n s: {kind}:: x:2 y:4\n w:3 z:-1\n"
    bounds = " -1 <= x <= 1\n y <= 1\n z <= 2\n w <= 1\n"
    program = read(tmp_path, lp("c: x + y + z + w >= -9", "x + y + z + w", bounds, sections))
    for point in itertools.product([-1.0, 0.0, 1.0], [0.0, 1.0], [0.0, 2.0], [0.0, 0.5]):
        x, y, z, w = point
        used = np.flatnonzero([z, x, w, y])
        allowed = len(used) <= most and (len(used) < 2 or used[1] - used[0] == 1)
        assert least(program, np.array(point)) == allowed, point


def test_sets_that_restrict_nothing_add_nothing(tmp_path):
    sections = "SOS\n S1:: x:1\n two: S2:: x:1 y:2\n"
    assert read(tmp_path, lp(sections=sections)).shape == (1, 3)


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize(
    "row", ["x - 2 y <= 1", "x - 2 y >= 1", "x - 2 y = 1", "-1 <= x - 2 y <= 1"]
)
def test_an_indicator_asks_for_its_row_at_its_value_alone(tmp_path, value, row):
    bounds = " -2 <= x <= 3\n y <= 2\n"
    text = lp(f"c: x + y + b >= -9\n i: b = {value} -> {row}", "x + y + b", bounds, "Binary\n b\n")
    program = read(tmp_path, text)
    for x, y, b in itertools.product([-2.0, -1.0, 1.0, 3.0], [0.0, 1.0, 2.0], [0.0, 1.0]):
        activity = x - 2 * y
        kept = {
            "x - 2 y <= 1": activity <= 1,
            "x - 2 y >= 1": activity >= 1,
            "x - 2 y = 1": activity == 1,
            "-1 <= x - 2 y <= 1": -1 <= activity <= 1,
        }[row]
        assert least(program, np.array([x, y, b])) == (b != value or kept), (x, y, b)


def test_indicators_of_mps_files(tmp_path):
    text = (
        "NAME p FREE\nROWS\n N cost\n G c\n L i\nCOLUMNS\n x cost 1 c 1\n x i 1\n b c 1\nRHS\n"
        " R c 1 i 2\nBOUNDS\n UP B x 5\n BV B b\nINDICATORS\n IF i b 1\nENDATA\n"
    )
    program = read(tmp_path, text, "p.mps")
    for x, b, there in [(4, 0, True), (2, 1, True), (4, 1, False)]:
        assert least(program, np.array([x, b], dtype=float)) == there


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (
            lp(sections="Semi-continuous\n x\n"),
            7,
            "the semi-continuous column 'x' has no upper bound, expected a finite one",
        ),
        (
            lp(sections="SOS\n s: S1:: x:1 y:2\n"),
            7,
            "the column 'x' of the set 's' has no upper bound",
        ),
        (
            lp(bounds=" 1 <= x <= 2\n y <= 1\n", sections="SOS\n s: S1:: x:1 y:2\n"),
            9,
            "the column 'x' of the set 's', which cannot be 0",
        ),
        (lp(sections="SOS\n s: S1:: x:1 x:2\n"), 7, "a second weight of 'x' in the set 's'"),
        (lp(sections="SOS\n s: S1:: x:1 y:1\n"), 7, "a second column of the weight 1"),
        (lp(sections="SOS\n s: S1:: x:1\n s: S2:: y:1\n"), 8, "a second set 's'"),
        (lp(sections="SOS\n s: S3:: x:1\n"), 7, "'S3', expected S1:: or S2::"),
        (lp(sections="SOS\n s: S1:: v:1\n"), 7, "the column 'v', which no row and no objective"),
        (lp(sections="SOS\n s: S1:: 3\n"), 7, "'3', expected a column, a colon and a weight"),
        (lp("c: x = 1 -> y >= 2"), 4, "the indicator 'x' of 'c', which is not 0 or 1"),
        (lp("c: x = 2 -> y >= 2"), 4, "the indicator x = 2, expected a column = 0 or 1"),
        (
            lp("c: z = 1 -> y <= 2", sections="Binary\n z\n"),
            4,
            "the indicator row 'c', whose terms have no finite upper bound",
        ),
        (
            lp("c: z = 1 -> y + z >= 2", sections="Binary\n z\n"),
            4,
            "the indicator 'z' in the row 'c' that it asks for",
        ),
        (lp("c: z = 1 <-> y >= 2", sections="Binary\n z\n"), 4, "'<->' (an indicator constraint"),
    ],
)
def test_what_has_no_such_rows_is_refused_with_its_line(tmp_path, text, line, words):
    with pytest.raises(cpe.InputError) as caught:
        read(tmp_path, text)
    assert words in str(caught.value)
    assert f"line {line}: " in str(caught.value)


def random_file(rng):
    """A random file with conditions, in whole numbers."""
    costs = rng.integers(-5, 6, size=4)
    objective = " ".join(f"{cost:+d} {name}" for cost, name in zip(costs, "xyzw", strict=True))
    rows = []
    for row in range(2):
        terms = " ".join(
            f"{k:+d} {name}" for k, name in zip(rng.integers(-3, 4, 4), "xyzw", strict=True)
        )
        rows.append(f" r{row}: {terms} <= {rng.integers(2, 9)}")
    terms = " ".join(f"{k:+d} {name}" for k, name in zip(rng.integers(1, 4, 3), "xyz", strict=True))
    rows.append(f" i: b = {rng.integers(2)} -> {terms} {rng.choice(['<=', '>='])} 3")
    rows.append(f" j: b {rng.choice(['+', '-'])} 0.5 w <= 1")
    semi = f" {rng.integers(1, 3)} <= x <= 4\n"
    sets = f" s: S{rng.integers(1, 3)}:: y:1 z:2 w:3\n"
    return (
        f"Maximize\n obj: {objective} + b\nSubject To\n" + "\n".join(rows) + f"\nBounds\n{semi}"
        f" y <= 3\n z <= 2\n w <= 5\nBinary\n b\nSemi-continuous\n x\nSOS\n{sets}End\n"
    )


def test_optima_are_those_that_scip_finds_in_the_file(tmp_path):
    scip = pytest.importorskip("pyscipopt")
    found = 0
    for seed in range(25):
        program = read(tmp_path, random_file(np.random.default_rng(seed)))
        model = scip.Model()
        model.hideOutput()
        model.readProblem(str(tmp_path / "p.lp"))
        model.optimize()
        result = cpe.solve(program, check=False)
        assert result.is_optimal == (model.getStatus() == "optimal"), seed
        if result.is_optimal:
            found += 1
            assert result.objective == pytest.approx(model.getObjVal(), abs=1e-6), seed
    assert found >= 20


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_sets_that_scip_writes_have_its_optimum(tmp_path, suffix):
    scip = pytest.importorskip("pyscipopt")
    for seed in range(8):
        rng = np.random.default_rng(seed)
        model = scip.Model()
        model.hideOutput()
        costs, ends = rng.integers(1, 9, size=5), rng.integers(1, 6, size=5)
        x = [model.addVar(f"x{j}", lb=-1, ub=int(ends[j]), obj=-int(costs[j])) for j in range(5)]
        model.addCons(sum(x) <= 9, "c")
        model.addConsSOS1(x[:3], [2, 1, 3], "one")
        model.addConsSOS2(x[1:], [1, 3, 2, 4], "two")
        path = tmp_path / f"p{suffix}"
        model.writeProblem(str(path), verbose=False)
        model.optimize()
        result = cpe.solve(cpe.read_program(path))
        assert result.objective == pytest.approx(model.getObjVal()), seed
