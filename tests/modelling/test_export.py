import gzip

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.export import SUFFIXES, plain_dialect
from tests.support import random_program


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


def test_nothing_is_left_behind_when_the_file_is_wrong(tmp_path, monkeypatch):
    """A writer that loses a coefficient is found out, and no file gets the name."""
    from cpe_opt.modelling import export as module

    program = random_program(np.random.default_rng(0))
    write = module._write
    monkeypatch.setattr(
        module, "_write", lambda p, path: write(p.with_costs(np.array([0]), np.zeros(1)), path)
    )
    with pytest.raises(cpe.ExportFailed, match="objective coefficient of 'random'"):
        cpe.export(program, tmp_path / "p.lp")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["p.txt", "p", "p.gz", ".lp"])
def test_other_suffixes_are_refused(tmp_path, name):
    program = random_program(np.random.default_rng(0))
    with pytest.raises(cpe.InputError, match=r"expected .lp, .mps, .mps.gz"):
        cpe.export(program, tmp_path / name)


def test_a_lazy_program_is_refused_with_the_way_out(tmp_path):
    lazy = cpe.copeland_program(cpe.load_instance("gap"))
    with pytest.raises(cpe.InputError, match="exported after its solve"):
        cpe.export(lazy, tmp_path / "p.lp")


def test_unreadable_files_are_refused(tmp_path):
    with pytest.raises(cpe.InputError, match="no file"):
        cpe.read_program(tmp_path / "missing.lp")
    (tmp_path / "bad.lp").write_text("this is no model\n")
    with pytest.raises(cpe.InputError, match="does not read as a model file"):
        cpe.read_program(tmp_path / "bad.lp")


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_glpsol_agrees_on_offsets_and_ranges(tmp_path, suffix, glpsol):
    program = random_program(np.random.default_rng(2))
    path = cpe.export(program, tmp_path / f"p{suffix}")
    assert glpsol(path) == pytest.approx(cpe.solve(program).objective, abs=1e-6)


def test_programs_without_rows_or_columns_survive(tmp_path):
    builder = cpe.ProgramBuilder("bare")
    builder.columns("x", 2, cost=[1, -1], upper=1)
    program = builder.build()
    assert cpe.read_program(cpe.export(program, tmp_path / "p.mps")).shape == (0, 2)
    assert cpe.solve(program).objective == -1
