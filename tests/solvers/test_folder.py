"""Solvers by the packages of a folder: ``name@folder``, in a process of its own."""

import os
import venv
from pathlib import Path

import highspy
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError, SolverMissing, SolverUnable, UnknownName
from cpe_opt.solvers import child
from cpe_opt.solvers.registry import get_backend
from tests.solvers.fuzz import false_claim, instance
from tests.support import random_program

HERE = Path(highspy.__file__).parent
# HiGHS by the files that are installed, which says where it was imported.
OTHER = f"""
import os
from pathlib import Path
(Path(__file__).parent / "imported").write_text(str(os.getpid()))
__path__ = [{str(HERE)!r}]
exec(compile(Path({str(HERE / "__init__.py")!r}).read_text(), __file__, "exec"))
"""


def package(folder, name, version, code):
    """Install a package of one module into a folder."""
    module = folder / name.replace("-", "_")
    metadata = folder / f"{module.name}-{version}.dist-info"
    for each in (module, metadata):
        each.mkdir(parents=True)
    (module / "__init__.py").write_text(code)
    (metadata / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
    return folder


@pytest.fixture(autouse=True, scope="module")
def _ended():
    yield
    child.end_workers()


def program():
    return cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")


def test_the_packages_of_the_folder_solve_and_those_that_are_installed_check(tmp_path):
    folder = package(tmp_path, "highspy", "9.8.7", OTHER)
    solver = f"highs@{folder}"
    result, here = cpe.solve(program(), solver), cpe.solve(program())
    assert (result.solver, result.solver_version) == ("highs", "9.8.7")
    assert here.solver_version != "9.8.7"
    assert result.objective == here.objective
    worker = int((folder / "highspy" / "imported").read_text())
    assert worker != os.getpid()
    gap = cpe.load_instance("gap")
    kept = cpe.copeland_bound(gap, solver=solver)  # rows on demand
    assert kept.result.solver_version == "9.8.7"
    assert kept.value == pytest.approx(cpe.copeland_bound(gap).value)
    assert int((folder / "highspy" / "imported").read_text()) == worker
    assert cpe.solve(program(), process="child").solver_version == here.solver_version
    with pytest.raises(InputError, match="runs in a process of its own, process is 'here'"):
        cpe.solve(program(), solver, process="here")


def test_a_virtual_environment_is_such_a_folder(tmp_path):
    venv.create(tmp_path / "other", symlinks=os.name != "nt")
    (site,) = (tmp_path / "other").rglob("site-packages")
    package(site, "highspy", "9.8.7", OTHER)
    assert get_backend(f"highs@{tmp_path / 'other'}").version() == "9.8.7"


def test_what_is_known_of_versions_is_asked_of_the_folder(tmp_path):
    folder = package(tmp_path, "highspy", "1.14.0", OTHER)
    other = get_backend(f"highs@{folder}")
    assert str(other.fault("MIP")).startswith("highspy 1.14.0 returns wrong optima of integer")
    assert other.fault("LP") is None
    lazy = cpe.LazyProgram(random_program(np.random.default_rng(0), integer=True), lambda *_: None)
    with pytest.raises(SolverUnable, match=r"'random': highspy 1\.14\.0 returns wrong"):
        cpe.solve(lazy, f"highs@{folder}")


def test_what_is_no_such_folder_is_said(tmp_path):
    with pytest.raises(InputError, match="'highs@': '' is no folder of packages"):
        cpe.solve(program(), "highs@")
    with pytest.raises(InputError, match="/none' is no folder of packages"):
        cpe.solve(program(), f"highs@{tmp_path}/none")
    with pytest.raises(SolverMissing) as caught:
        cpe.solve(program(), f"highs@{tmp_path}")
    assert str(caught.value) == (
        f"solver 'highs' needs the package 'highspy', which is not in {tmp_path}: "
        f"pip install --target {tmp_path} highspy"
    )
    with pytest.raises(UnknownName, match="did you mean 'highs'"):
        cpe.solve(program(), f"hihgs@{tmp_path}")
    package(tmp_path, "highspy", "9.8.7", "raise ImportError('built for another Python')")
    with pytest.raises(SolverUnable, match="'highs' cannot be imported: built for another Python"):
        cpe.solve(program(), f"highs@{tmp_path}")


# HiPO


def test_hipo_needs_both_of_its_packages(tmp_path):
    folder = package(tmp_path, "highspy-extras", "0.1", "")
    with pytest.raises(SolverUnable, match=r"from 1\.15 on, both of one version, and here they"):
        cpe.solve(program(), f"hipo@{folder}")


@pytest.fixture(scope="module")
def hipo():
    """HiPO, from a folder if the variable CPE_OPT_HIPO has one with highspy and highspy-extras."""
    folder = os.environ.get("CPE_OPT_HIPO", "")
    if not folder and not get_backend("hipo").available:
        pytest.skip("highspy-extras is not installed, and CPE_OPT_HIPO has no folder with it")
    return f"hipo@{folder}" if folder else "hipo"


def test_hipo_solves_linear_programs(hipo, capfd):
    rng = np.random.default_rng(4)
    for number in range(10):
        given = random_program(rng, sense="min" if number % 2 else "max", columns=40, rows=30)
        result = cpe.solve(given, hipo)
        assert result.objective == pytest.approx(cpe.solve(given).objective, rel=1e-9)
        assert result.solver == "hipo"
    result = cpe.solve(given, hipo, log=True, solver_options={"presolve": "off"})
    assert "HiPO iterations" in capfd.readouterr().out
    assert result.iterations > 0
    with pytest.raises(UnknownName, match="unknown hipo option 'solver'"):
        cpe.solve(given, hipo, solver_options={"solver": "simplex"})
    with pytest.raises(SolverUnable, match="does not solve MIP programs"):
        cpe.solve(random_program(rng, integer=True), hipo)


def test_hipo_makes_no_false_claims(hipo):
    proved = 0
    for found in map(instance, range(300)):
        if not found.program.is_integer:
            result = cpe.solve(found.program, hipo, check=False)
            assert false_claim(found, result) == ""
            proved += result.status.value in ("optimal", "infeasible", "unbounded")
    assert proved >= 70
