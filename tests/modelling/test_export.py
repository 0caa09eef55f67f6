import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import ExportFailed, WriteFailed
from cpe_opt.modelling.export import plain_dialect
from cpe_opt.modelling.reading import SUFFIXES
from tests.support import random_program

SMALL = sp.csr_array(np.eye(4, 6))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("integer", [False, True])
def test_a_file_reads_back_with_the_same_optimum(tmp_path, suffix, sense, integer):
    rng = np.random.default_rng(5)
    for number in range(5):
        program = random_program(rng, sense=sense, integer=integer)
        path = cpe.export(program, tmp_path / f"p{number}{suffix}")
        back = cpe.read_program(path)
        assert cpe.solve(back).objective == pytest.approx(cpe.solve(program).objective, abs=1e-9)
        assert set(program.column_names) <= set(back.column_names)


def test_mps_keeps_ranges_and_lp_splits_them(tmp_path):
    program = random_program(np.random.default_rng(0))
    mps = cpe.read_program(cpe.export(program, tmp_path / "p.mps"))
    assert mps.row_names == program.row_names
    assert np.allclose(mps.row_lower, program.row_lower)
    lp = cpe.read_program(cpe.export(program, tmp_path / "p.lp"))
    assert {"r_2_lo", "r_2_up"} <= set(lp.row_names)
    assert "r_2" not in lp.row_names


def test_a_constant_becomes_a_fixed_column():
    program = random_program(np.random.default_rng(0))
    plain = plain_dialect(program, keep_ranges=True)
    assert plain.offset == 0
    assert plain.column_names[-1] == "objective_constant"
    assert plain.column_lower[-1] == plain.column_upper[-1] == 1
    assert plain.costs[-1] == program.offset
    assert plain_dialect(plain, keep_ranges=True) is plain


def test_the_same_program_gives_the_same_bytes(tmp_path):
    program = random_program(np.random.default_rng(0))
    first = cpe.export(program, tmp_path / "a.mps.gz").read_bytes()
    assert first == cpe.export(program, tmp_path / "b.mps.gz").read_bytes()
    text = gzip.decompress(first).decode()
    assert text == cpe.export(program, tmp_path / "c.mps").read_text()


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("costs", "an objective coefficient"),
        ("column_lower", "a column's lower bound"),
        ("column_upper", "a column's upper bound"),
        ("row_lower", "a row's lower side"),
        ("row_upper", "a row's upper side"),
        ("matrix", "a coefficient"),
        ("integer", "an integrality"),
        ("sense", "the sense"),
        ("column_names", "the column names"),
    ],
)
def test_nothing_is_left_behind_when_the_file_is_wrong(tmp_path, monkeypatch, what, error):
    """A writer that changes a part by one unit in the last place is found out."""
    from cpe_opt.modelling import export as module

    program = random_program(np.random.default_rng(0), integer=True)
    part = getattr(program, what)
    if what == "matrix":
        changed = part.copy()
        changed.data[0] = np.nextafter(changed.data[0], 9)
    elif what == "sense":
        changed = "max"
    elif what == "column_names":
        changed = ("other", *part[1:])
    else:
        changed = part.copy()
        place = np.flatnonzero(np.isfinite(part))[0]
        changed[place] = not part[place] if what == "integer" else np.nextafter(part[place], 9)
    write = module.lp_text

    def careless(plain, quadratic):
        return write(module.plain_dialect(replace(program, **{what: changed})))

    monkeypatch.setattr(module, "lp_text", careless)
    with pytest.raises(ExportFailed, match=f"{error} of 'random'"):
        cpe.export(program, tmp_path / "p.lp")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_full_disk_is_reported_as_one(tmp_path, monkeypatch, suffix):
    def write(path, content):
        with Path("/dev/full").open("wb") as device:
            device.write(content)

    program = random_program(np.random.default_rng(0))
    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises(WriteFailed, match=r"cannot write '.*': No space left"):
        cpe.export(program, tmp_path / f"p{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_suffixes_may_have_capitals(tmp_path, suffix):
    program = random_program(np.random.default_rng(0))
    path = cpe.export(program, tmp_path / f"P{suffix.upper()}")
    assert set(cpe.read_program(path).column_names) >= set(program.column_names)


@pytest.mark.parametrize("name", ["p.txt", "p", "p.gz", ".lp"])
def test_other_suffixes_are_refused(tmp_path, name):
    program = random_program(np.random.default_rng(0))
    with pytest.raises(cpe.InputError, match=r"expected .lp, .mps, .mps.gz"):
        cpe.export(program, tmp_path / name)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_lazy_program_is_exported_with_the_rows_its_solve_needs(tmp_path, suffix):
    lazy = cpe.copeland_bound_program(cpe.load_instance("gap"))
    path = cpe.export(lazy, tmp_path / f"p{suffix}", solver="glop")
    back = cpe.read_program(path)
    assert cpe.solve(back).objective == pytest.approx(11.0249, abs=5e-5)
    assert back.shape[0] > 0
    listed = cpe.read_program(cpe.export(lazy, tmp_path / f"q{suffix}", relaxation=True))
    assert set(listed.column_names) == set(lazy.relaxation.column_names)
    assert cpe.solve(listed).objective == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"solver": "glop"}, "solves no program, so solver has no effect"),
        ({"relaxation": True}, "relaxation has no effect on 'random': all rows are listed"),
        ({"solvr": "glop"}, "unknown argument of export 'solvr'"),
    ],
)
def test_what_has_no_effect_on_an_export_is_refused(tmp_path, change, message):
    program = random_program(np.random.default_rng(0))
    with pytest.raises(cpe.InputError, match=message):
        cpe.export(program, tmp_path / "p.lp", **change)


def test_what_no_file_can_hold_is_refused_in_words(tmp_path):
    import cvxpy as cp

    x = cp.Variable(2)
    for thing in (cp.Problem(cp.Minimize(cp.norm(x))), None, "program"):
        with pytest.raises(cpe.InputError, match=r"cannot export a \w+: expected a LinearProgram"):
            cpe.export(thing, tmp_path / "p.lp")
    lazy = cpe.copeland_bound_program(cpe.load_instance("gap"))
    with pytest.raises(cpe.InputError, match="export of a relaxation solves no program"):
        cpe.export(lazy, tmp_path / "p.lp", relaxation=True, solver="glop")
    for change, message in (
        ({"costs": np.full(6, 1e20)}, "column 'x_0_1' has the number 1e.20, which readers take"),
        ({"matrix": SMALL * 1e-12}, "row 'r_0' has the coefficient 1e-12; readers drop those"),
        ({"matrix": SMALL * 1e15}, "row 'r_0' has the coefficient 1e.15; readers drop those"),
    ):
        program = replace(random_program(np.random.default_rng(0)), **change)
        with pytest.raises(cpe.InputError, match=message):
            cpe.export(program, tmp_path / "p.mps")
    empty = cpe.ProgramBuilder("empty").build()
    with pytest.raises(cpe.InputError, match="'empty' has no columns"):
        cpe.export(empty, tmp_path / "p.lp")
    assert list(tmp_path.iterdir()) == []


# Legal names that are short, long, taken by what the writer adds, or words of some format.
NAMES = (
    *(
        "r",
        "r_lo",
        "r_up",
        "r__lo",
        "objective_constant",
        "no_row",
        "L" * 150,
        "s1",
        "ex",
        "d1",
        "or",
    ),
    *("UP", "FR", "BND", "RHS_V", "e_1", "e1x", "x", "__", "E", "semicont", "minimal", "to_"),
)


def odd_program(rng):
    """A small program with an optimum, of everything that readers trip over."""
    while True:
        names = iter(rng.permutation(NAMES).tolist())
        builder = cpe.ProgramBuilder(
            "odd", sense=str(rng.choice(["min", "max"])), offset=rng.choice([0.0, 2.5, -1e5, 1 / 3])
        )
        columns, inside = [], []
        for _ in range(rng.integers(1, 5)):
            whole = bool(rng.random() < 0.4)
            bounds = ((0, np.inf), (-2, 3), (-np.inf, 4), (-np.inf, np.inf), (2, 2), (-3, 0))
            lower, upper = bounds[rng.integers(6)]
            upper += 0 if whole or lower == upper else round(rng.random(), 3)
            cost = 0.0 if rng.random() < 0.4 else rng.normal() * 10.0 ** rng.integers(-3, 4)
            columns += builder.columns(
                next(names), [()], cost=cost, lower=lower, upper=upper, integer=whole
            ).tolist()
            inside.append(min(max(lower, 1.0), float(np.floor(upper))))
        for _ in range(rng.integers(0, 5)):
            used = np.flatnonzero(rng.random(len(columns)) < 0.6)
            values = rng.choice([1, -1, 2.5, 1 / 3, -0.125], size=len(used))
            at = float(values @ np.array(inside)[used])
            sides = ((at - 1, at + 2), (at - 1, np.inf), (-np.inf, at + 1), (at, at))
            lower, upper = (*sides, (-np.inf, np.inf))[rng.integers(5)]
            builder.row(next(names), np.array(columns)[used], values, lower=lower, upper=upper)
        program = builder.build()
        if cpe.solve(program, check=False).is_optimal:
            return program


@pytest.mark.parametrize("reader", ["glpsol", "cbc", "scip"])
@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_every_reader_finds_the_optimum_of_any_program(tmp_path, suffix, reader, request):
    read = request.getfixturevalue(reader)
    rng = np.random.default_rng(SUFFIXES.index(suffix))
    for number in range(12):
        program = odd_program(rng)
        optimum = pytest.approx(cpe.solve(program).objective, rel=1e-6, abs=1e-6)
        path = cpe.export(program, tmp_path / f"p{number}{suffix}")
        assert read(path, program.sense) == optimum
        back = cpe.read_program(path)
        assert back.sense == program.sense
        assert cpe.solve(back).objective == optimum
        assert set(program.column_names) <= set(back.column_names)


def test_a_file_of_another_hand_keeps_its_sense(tmp_path):
    """Only the name of the objective's row makes a minimisation a negated maximisation."""
    text = "NAME p\nOBJSENSE\n  {}\nROWS\n N {}\n L r\nCOLUMNS\n x {} 2\n x r 1\n"
    text += "RHS\n RHS r 3\nENDATA\n"
    for sense, objective, expected, value in (
        ("MAX", "cost", "max", 6),
        ("MIN", "cost", "min", 0),
        ("MIN", "negated_objective", "max", 0),
    ):
        (tmp_path / "p.mps").write_text(text.format(sense, objective, objective))
        program = cpe.read_program(tmp_path / "p.mps")
        assert program.sense == expected
        assert cpe.solve(program).objective == value


def test_broken_archives_are_refused(tmp_path):
    for content in (b"no archive", gzip.compress(b"NAME p\n" * 99)[:-9], b""):
        (tmp_path / "p.mps.gz").write_bytes(content)
        with pytest.raises(
            cpe.InputError, match=r"p.mps.gz'(, line 1: the file ends| is no gzip file)"
        ):
            cpe.read_program(tmp_path / "p.mps.gz")


def test_programs_without_rows_or_columns_survive(tmp_path):
    builder = cpe.ProgramBuilder("bare")
    builder.columns("x", 2, cost=[1, -1], upper=1)
    program = builder.build()
    assert cpe.read_program(cpe.export(program, tmp_path / "p.mps")).shape == (0, 2)
    assert cpe.solve(program).objective == -1
