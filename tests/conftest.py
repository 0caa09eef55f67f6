"""Solvers that share no code with ours, as fixtures: each takes a file and returns an optimum."""

import functools
import gc
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest
import typer.testing
from hypothesis import settings

from cpe_opt.errors import SolverMissing, SolverUnable
from cpe_opt.solvers.base import importable
from tests.support import LICENSED, OPTIONAL

# Runs whose tests say nothing of workers stay in the process: workers take seconds to start.
os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")
# Matrices here are small, and threads that wait for each other cost more than they do.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Else every process of the tests compiles the package anew, which takes seconds.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Thousands of tests are collected, and none is garbage.
gc.disable()

# What runs in the background may be told to ignore Ctrl-C, and so would the processes of tests.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No test asserts wall-clock time, not even hypothesis' own limit of 200 ms an example.
settings.register_profile("any-machine", deadline=None, max_examples=30)
settings.load_profile("any-machine")


@pytest.fixture(autouse=True, scope="session")
def _one_command():
    """Typer makes the command anew whenever it is invoked, in 30 ms, but it does not change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.testing, "_get_command", functools.cache(typer.testing._get_command))
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_waiting_for_disks():
    """What a process has written outlives its end without this; tests of it count the calls."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def _one_seed():
    """Sessions draw a seed each; with the same one a test does the same each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cpe_opt.sessions.header.fresh_seed", lambda: 0)
        yield


def pytest_collection_finish():
    """What is loaded by now stays, and tests leave little garbage: a tenth of their time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Where OR-Tools, or a solver of an extra, is missing, its tests are skipped."""
    try:
        return (yield)
    except (SolverMissing, SolverUnable, ImportError) as error:
        if "ortools" in str(error) and not importable("ortools"):
            pytest.skip("OR-Tools cannot be imported here")
        for solver in (*LICENSED, *OPTIONAL):
            if f"solver {solver!r} needs the package" in str(error):
                pytest.skip(f"{solver} is not installed")
            if f"solver {solver!r} cannot solve" in str(error):
                pytest.skip(f"{solver} has no licence, or no GPU, here")
        raise


def _program(name):
    path = shutil.which(name)
    if path is None:
        packages = {"glpsol": "glpk-utils", "cbc": "coinor-cbc"}
        pytest.skip(f"{name} is not installed (Debian package {packages[name]})")
    return path


def _sign(file, sense):
    """An MPS file of a maximisation holds the minimisation of the negated objective."""
    return -1 if sense == "max" and file.suffix == ".mps" else 1


@pytest.fixture
def glpsol(tmp_path):
    path = _program("glpsol")

    def solve(file, sense="min"):
        report = tmp_path / f"{file.name}.report"
        reader = "--lp" if file.suffix == ".lp" else "--freemps"
        command = [path, reader, str(file), "-o", str(report)]
        subprocess.run(command, check=True, capture_output=True)
        text = report.read_text()
        assert re.search(r"Status:\s+(INTEGER )?OPTIMAL", text), text[:300]
        return _sign(file, sense) * float(re.search(r"Objective:\s+\S+ = (\S+)", text)[1])

    return solve


@pytest.fixture
def cbc(tmp_path):
    path = _program("cbc")

    def solve(file, sense="min"):
        report = tmp_path / f"{file.name}.cbc"
        done = subprocess.run(
            [path, str(file), "-solve", "-solution", str(report), "-quit"],
            check=True,
            capture_output=True,
            text=True,
        )
        first = report.read_text().splitlines()[0]
        assert first.startswith("Optimal"), first + done.stdout[-500:]
        return _sign(file, sense) * float(first.rsplit(maxsplit=1)[1])

    return solve


@pytest.fixture
def scip():
    pyscipopt = pytest.importorskip("pyscipopt", reason="the extra scip is not installed")

    def solve(file, sense="min"):
        model = pyscipopt.Model()
        model.hideOutput()
        model.readProblem(str(file))
        assert model.getObjectiveSense()[:3] == ("min" if file.suffix == ".mps" else sense)
        model.optimize()
        assert model.getStatus() == "optimal"
        return _sign(file, sense) * model.getObjVal()

    return solve
